/**
 * What an event may be: checked before it is written, and again when it is read back from the disk. The thread of the
 * history checks each row that it reads: a schema library takes it several times as long, and 5 MB.
 */
import type { EventKind, HistoryEvent, HostHappening, NewEvent, PhoneHappening } from './event.ts';

/** Limits of the texts, in UTF-16 units; longer ones are cut. */
const TEXT = 300;
const LONG_TEXT = 1000;
const longTexts: readonly string[] = ['text', 'reason', 'said'];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length <= TEXT;
const isLongText: Check = (value) => typeof value === 'string' && value.length <= LONG_TEXT;
const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;
/** ms since the epoch: what a `Date` can be. */
const isMoment: Check = (value) => Number.isSafeInteger(value) && within(-8.64e15, 8.64e15)(value);
const isCount = within(0, 1e12);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string);
const isHealth = oneOf('GOOD', 'OVERHEAT', 'DEAD', 'OVER_VOLTAGE', 'UNSPECIFIED_FAILURE', 'COLD', 'UNKNOWN');
const isFailureKind = oneOf('absent', 'unreachable', 'silent', 'closed', 'foreign');

type Happening<K> = Extract<PhoneHappening | HostHappening, { kind: K }>;
type Named<T, P extends keyof T & string> = Record<string, never> extends Pick<T, P> ? `${P}?` : P;
type FieldsOf<T> = { [P in Exclude<keyof T, 'kind'> & string as Named<T, P>]: Check };

/** The fields of each kind, beside `kind`, `at`, `udid` and `where`. `?`: it may be absent. */
export const eventKinds: { readonly [K in EventKind]: FieldsOf<Happening<K>> } = {
  attached: { state: isText },
  detached: {},
  state: { state: isText, before: isText, 'reason?': isLongText },
  identity: { 'model?': isText, 'brand?': isText },
  rebooted: { 'reason?': isLongText, 'uptimeSeconds?': isCount },
  sim: { state: isText, 'before?': isText },
  os: { 'release?': isText, 'before?': isText, 'build?': isText, 'buildBefore?': isText },
  batteryHealth: { health: isHealth, 'before?': isHealth },
  refused: { 'said?': isLongText },
  stored: {},
  maintenance: { until: isMoment, reason: isLongText },
  maintenanceEnded: {},
  note: { text: isLongText, 'by?': isText },
  adbLost: { 'failureKind?': isFailureKind },
  adbBack: {},
  adbReplaced: { 'version?': isCount },
  agentStarted: { version: isText, 'hostBootedAt?': isMoment, 'lastAliveAt?': isMoment },
  agentStopped: {},
  agentReloaded: {},
  clockStepped: { byMs: within(-1e16, 1e16) },
  cloudLost: { 'code?': isText },
  cloudBack: {},
};

/** The kinds that are of no phone. Of the others only a note may be on a place, without a phone. */
const ofHost: ReadonlySet<string> = new Set<HostHappening['kind']>([
  'adbLost',
  'adbBack',
  'adbReplaced',
  'agentStarted',
  'agentStopped',
  'agentReloaded',
  'clockStepped',
  'cloudLost',
  'cloudBack',
]);

interface Field {
  key: string;
  isOptional: boolean;
  check: Check;
}

const fieldsOf = (fields: Record<string, Check>): Field[] =>
  Object.entries(fields).map(([name, check]) => ({
    key: name.replace('?', ''),
    isOptional: name.endsWith('?'),
    check,
  }));

/** This is gone through for each row. */
const listed = new Map(Object.entries(eventKinds).map(([kind, fields]) => [kind, fieldsOf(fields)]));
const whereFields = fieldsOf({ 'slot?': isText, 'devpath?': isText, 'usbPath?': isText, 'hub?': isText });

type Content = Record<string, unknown>;

/** Copies the known keys. @returns whether all of them are as they should be */
function copy(fields: readonly Field[], from: Content, into: Content): boolean {
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
  if (fields === undefined || !isMoment(at)) return undefined;
  into.kind = kind;
  into.at = at;
  if (ofHost.has(String(kind))) {
    if (udid !== undefined || where !== undefined) return undefined;
  } else {
    if (kind !== 'note' || udid !== undefined) {
      if (!isText(udid) || (udid === '' && kind !== 'note')) return undefined;
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
