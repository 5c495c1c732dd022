/**
 * What happened to a phone, or to the host: typed, never a sentence. An event says what was seen; who is to blame is for
 * the findings. Events hold no identifier of telephony.
 *
 * An event is checked before it is written, and again when it is read back from the disk. The thread of the history checks
 * each row that it reads: a schema library takes it several times as long, and 5 MB.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import type { AdbFailureKind } from '../../base/errors.ts';
import { healths } from '../../facts/battery.ts';
import { kernelFaults } from '../../host/kernel-line.ts';

/** Where a phone sat when it happened. Absent values were not known, or the phone is on the network. */
export interface Where {
  slot?: string;
  /** adb's USB port path, `1-4.2`. Its bus number may change when the host boots. */
  devpath?: string;
  /** The same port by its controller, which a reboot does not change: `pci-0000:00:14.0-usb-0:4.2`. Else the devpath. */
  usbPath?: string;
  /** The hub of that port, in the same form: `pci-0000:00:14.0-usb-0:4`. Absent for a port of the host itself. */
  hub?: string;
}

/** Limits of the texts, in UTF-16 units; longer ones are cut. */
const TEXT = 300;
const LONG_TEXT = 1000;
const longTexts: readonly string[] = ['text', 'reason', 'said', 'remedy'];

type Check = (value: unknown) => boolean;

const text = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT;
const longText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONG_TEXT;
const within =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= least && value <= most;
const flag = (value: unknown): value is boolean => typeof value === 'boolean';
const count = within(0, 1e12);
/** ms since the epoch: what a `Date` can be. */
const moment = (value: unknown): value is number =>
  Number.isSafeInteger(value) && within(-8.64e15, 8.64e15)(value);
const oneOf =
  <W extends string>(...words: readonly W[]) =>
  (value: unknown): value is W =>
    words.includes(value as W);
const health = oneOf(...healths);
const failureKind = oneOf<AdbFailureKind>('absent', 'unreachable', 'silent', 'closed', 'foreign');

/** How the kernel has a phone on USB. `interfaces`: class, subclass and protocol of each, `ff/42/01 06/01/01`. */
const onUsb = { 'speedMbps?': count, 'configuration?': count, 'interfaces?': text };

/** What happens to a phone: the fields of each kind, beside `at`, `udid` and `where`. `?`: it may be absent. */
const phoneKinds = {
  /** adb lists it again, or for the first time. `state`: adb's word. */
  attached: { state: text, ...onUsb },
  detached: {},
  /** adb has another word for it while it stays attached. */
  state: { state: text, before: text, 'reason?': longText },
  /**
   * What USB shows seconds after a loss. `gone`: the upmost of what left USB since the phone was seen there, if only for a
   * moment; `hub`: which one. `overCurrents`: how often its port cut the power meanwhile. `…Before`: as it was; the same
   * names without it: as USB shows it now.
   */
  usb: {
    gone: oneOf('nothing', 'phone', 'hub', 'controller'),
    'hub?': text,
    'overCurrents?': count,
    ...onUsb,
    'speedMbpsBefore?': count,
    'configurationBefore?': count,
    'interfacesBefore?': text,
  },
  /** It says for the first time, or in another way than before, which model it is. */
  identity: { 'model?': text, 'brand?': text },
  /**
   * Its boot id changed, or its uptime went back. A cable that was pulled changes neither. `reason`: `sys.boot.reason`,
   * else `ro.boot.bootreason`.
   */
  rebooted: { 'reason?': longText, 'uptimeSeconds?': count },
  /** Its SIM changed. `state`: `gsm.sim.state`. */
  sim: { state: text, 'before?': text },
  /** It runs another version of Android (`ro.build.version.release`) or another build of it (`…incremental`). */
  os: { 'release?': text, 'before?': text, 'build?': text, 'buildBefore?': text },
  batteryHealth: { health, 'before?': health },
  /** `adb root` made its adbd root, or it no longer is: adbd was restarted. */
  adbRoot: { isRoot: flag },
  /**
   * What keeps a test from working on it is another than before. `codes`: as `screenLocked,network`;
   * empty: nothing is known to. `remedy`: of the first of them.
   */
  hindered: { codes: text, 'remedy?': longText },
  /** The cloud did not store it. `said`: the cloud's own words, printable and bounded. */
  refused: { 'said?': longText },
  /** The cloud stored it: for the first time, or after it had refused it. */
  stored: {},
  /** `by`: who began it, as the caller says. */
  maintenance: { until: moment, reason: longText, 'by?': text },
  maintenanceEnded: { 'by?': text },
  /** Somebody hides it from bookings. `reason`: '' where none was given. */
  drain: { until: moment, reason: longText, 'by?': text },
  drainEnded: { 'by?': text },
  /** A person's words. `by`: who wrote it, as the caller says. */
  note: { text: longText, 'by?': text },
};

/** What happens at a port of the host, whichever phone is there: beside `at` and `where`, which is empty of a controller. */
const placeKinds = {
  /** The kernel wrote of a fault of USB, so often in a minute at most. `controller`: `0000:00:14.0`. */
  kernel: { fault: oneOf(...kernelFaults), count, 'controller?': text },
};

/** What happens to the host: the fields of each kind, beside `at`. */
const hostKinds = {
  /** `since`: when the first request was sent that it did not answer, ms since the epoch. */
  adbLost: { 'failureKind?': failureKind, 'since?': moment },
  adbBack: {},
  /** Another adb server answers than before: it was restarted or replaced. */
  adbReplaced: { 'version?': count },
  /**
   * `hostBootedAt`: when the host booted. `lastAliveAt`: when the agent before this one was certainly still running; it may
   * have been killed. ms since the epoch.
   */
  agentStarted: { version: text, 'hostBootedAt?': moment, 'lastAliveAt?': moment },
  agentStopped: {},
  agentReloaded: {},
  /** It was stopped or frozen, or got no processor, until now. */
  agentPaused: { forMs: within(0, 1e16) },
  /** Forward is positive. */
  clockStepped: { byMs: within(-1e16, 1e16) },
  /** It slept, as a laptop that was shut, until now. */
  hostSlept: { forMs: within(0, 1e16) },
  /** `code`: that of the error, such as `CLOUD_UNAVAILABLE`. */
  cloudLost: { 'code?': text },
  cloudBack: {},
  /** What happened from `since` on, ms since the epoch, could not be kept. */
  historyLost: { since: moment },
};

export const eventFields = { ...phoneKinds, ...placeKinds, ...hostKinds };
export const eventKinds = Object.keys(eventFields) as EventKind[];
export const hostEventKinds = Object.keys(hostKinds) as (keyof typeof hostKinds)[];

type Value<C> = C extends (value: unknown) => value is infer T ? T : never;
type Fields<F> = { [K in keyof F as K extends `${string}?` ? never : K]: Value<F[K]> } & {
  [K in keyof F as K extends `${infer Name}?` ? Name : never]?: Value<F[K]>;
};
type Happening<Kinds> = { [K in keyof Kinds]: { kind: K } & Fields<Kinds[K]> }[keyof Kinds];

export type PhoneHappening = Happening<typeof phoneKinds>;
export type HostHappening = Happening<typeof hostKinds>;
export type PlaceHappening = Happening<typeof placeKinds>;
type Note = Extract<PhoneHappening, { kind: 'note' }>;
/** Of which no phone is needed. */
const placed: ReadonlySet<unknown> = new Set(['note', ...Object.keys(placeKinds)]);
export const PLACED = [...placed] as readonly EventKind[];

export type PhoneEvent = PhoneHappening & { udid: string; where: Where };
/**
 * A note on a slot, a port or a hub, where no phone is meant; on the host itself where `where` is empty. Of a hub, `devpath`
 * is its own.
 */
export type PlaceEvent = Note & { udid?: undefined; where: Where };
export type KernelEvent = PlaceHappening & { udid?: undefined; where: Where };
export type HostEvent = HostHappening & { udid?: undefined; where?: undefined };

/** An event as the agent records it. `at`: when it was noticed, ms since the epoch by the host's clock. */
export type NewEvent = (PhoneEvent | PlaceEvent | KernelEvent | HostEvent) & { at: number };

/** An event as it is kept. `id`: its order, which counts up although the clock may be set back. */
export type HistoryEvent = NewEvent & { id: number };

export type EventKind = NewEvent['kind'];

/** From then on the agent records anew what it is told, as of what hinders phones. */
export const beginsAnew = ({ kind }: { kind: EventKind }): boolean =>
  kind === 'agentStarted' || kind === 'agentReloaded';

/** adb's words for a phone that it lists and cannot reach (AOSP adb/adb.h, ConnectionState). */
const LOST: ReadonlySet<string> = new Set(['offline', 'unknown', 'no device']);

/** Is an attached phone lost in this state? One that is detached is lost too. */
export const isLostState = (state: string): boolean => LOST.has(state);

/** Has the host booted since an agent last ran? */
export const isAfterBoot = (started: { hostBootedAt?: number; lastAliveAt?: number }): boolean =>
  (started.hostBootedAt ?? 0) > (started.lastAliveAt ?? Number.POSITIVE_INFINITY);

const fieldsOf = (fields: Record<string, Check>) =>
  Object.entries(fields).map(([name, check]) => ({
    key: name.replace('?', ''),
    isOptional: name.endsWith('?'),
    check,
  }));

/** This is gone through for each row. */
const listed = new Map(Object.entries(eventFields).map(([kind, fields]) => [kind, fieldsOf(fields)]));
const whereFields = fieldsOf({ 'slot?': text, 'devpath?': text, 'usbPath?': text, 'hub?': text });

type Content = Record<string, unknown>;

/** Copies the known keys. @returns whether all of them are as they should be */
function copy(fields: ReturnType<typeof fieldsOf>, from: Content, into: Content): boolean {
  for (const { key, isOptional, check } of fields) {
    if (isOptional && !Object.hasOwn(from, key)) continue;
    const value = from[key];
    if (!check(value)) return false;
    into[key] = value;
  }
  return true;
}

/** Only the known keys of an event; undefined if it is none. */
function checked(content: Content, into: Content): Content | undefined {
  const { kind, at, udid, where } = content;
  const fields = typeof kind === 'string' ? listed.get(kind) : undefined;
  if (fields === undefined || !moment(at)) return undefined;
  into.kind = kind;
  into.at = at;
  if (Object.hasOwn(hostKinds, String(kind))) {
    if (udid !== undefined || where !== undefined) return undefined;
  } else {
    if (!placed.has(kind) || udid !== undefined) {
      if (!text(udid) || (udid === '' && kind !== 'note')) return undefined;
      into.udid = udid;
    }
    if (typeof where !== 'object' || where === null) return undefined;
    const place: Content = {};
    if (!copy(whereFields, where as Content, place)) return undefined;
    into.where = place;
  }
  return copy(fields, content, into) ? into : undefined;
}

/** A text as it is kept: cut to its limit, and free of halves of characters, which SQLite does not give back. */
export const keptText = (value: string, most = TEXT): string => value.slice(0, most).toWellFormed();

/**
 * The event with its texts cut to their limits.
 *
 * @returns undefined if it is none: a time that is no number, a phone without udid
 */
export const admitted = (event: NewEvent): NewEvent | undefined =>
  checked(cut(event), {}) as NewEvent | undefined;

function cut(value: object): Content {
  const result: Content = {};
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string') result[key] = keptText(part, longTexts.includes(key) ? LONG_TEXT : TEXT);
    else if (typeof part === 'object' && part !== null) result[key] = cut(part);
    else if (part !== undefined) result[key] = key === 'at' ? Math.round(Number(part)) : part;
  }
  return result;
}

/** The event that a row of the file means; undefined if it is damaged. */
export const eventOf = (id: number, content: object): HistoryEvent | undefined =>
  checked(content as Content, { id }) as HistoryEvent | undefined;

/** Readings of one phone at one moment, or the worst ones of five minutes as they are kept; unknown values are absent. */
export interface HistorySample {
  /** ms since the epoch; as it is kept, the begin of the five minutes. */
  at: number;
  levelPercent?: number;
  temperatureDecicelsius?: number;
  /** It is on a charger and full. */
  isFull?: boolean;
  storageUsedBytes?: number;
}

/** One sample of each five minutes is kept, ms. */
export const SAMPLE_MS = 5 * MINUTE_MS;
/** Older samples than this are thinned, ms: one of each hour stays. */
export const FINE_MS = 7 * DAY_MS;
export const OLD_SAMPLE_MS = HOUR_MS;

/** The begin of the five minutes since the epoch in which a moment lies. */
export const bucketOf = (at: number): number => Math.floor(at / SAMPLE_MS) * SAMPLE_MS;

/** Of the readings of a phone only those for which all of it holds. */
export interface SampleFilter {
  /** Up to this moment, ms since the epoch. */
  until?: number;
  isFull?: true;
  /** At least so warm, tenths of °C. */
  leastDecicelsius?: number;
}
