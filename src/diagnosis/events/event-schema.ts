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
const isUdid: Check = (value) => isText(value) && value !== '';
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

/** A key that may be absent. */
const optional = <C extends Check>(check: C) => ({ check, isOptional: true }) as const;
type Field = Check | ReturnType<typeof optional>;

type Happening<K> = Extract<PhoneHappening | HostHappening, { kind: K }>;
type FieldsOf<T> = {
  [P in Exclude<keyof T, 'kind'>]-?: Record<string, never> extends Pick<T, P>
    ? ReturnType<typeof optional>
    : Check;
};
type Shape<K> = { of: Subject; fields: FieldsOf<Happening<K>> };

/** Whose events they are: a note may be on a phone or a place. */
type Subject = 'phone' | 'host' | 'any';

/** The fields of each kind, beside `kind`, `at`, `udid` and `where`. */
export const eventKinds: { readonly [K in EventKind]: Shape<K> } = {
  attached: { of: 'phone', fields: { state: isText } },
  detached: { of: 'phone', fields: {} },
  state: { of: 'phone', fields: { state: isText, before: isText, reason: optional(isLongText) } },
  identity: { of: 'phone', fields: { model: optional(isText), brand: optional(isText) } },
  rebooted: { of: 'phone', fields: { reason: optional(isLongText), uptimeSeconds: optional(isCount) } },
  sim: { of: 'phone', fields: { state: isText, before: optional(isText) } },
  os: {
    of: 'phone',
    fields: {
      ...{ release: optional(isText), before: optional(isText) },
      ...{ build: optional(isText), buildBefore: optional(isText) },
    },
  },
  batteryHealth: { of: 'phone', fields: { health: isHealth, before: optional(isHealth) } },
  refused: { of: 'phone', fields: { said: optional(isLongText) } },
  stored: { of: 'phone', fields: {} },
  maintenance: { of: 'phone', fields: { until: isMoment, reason: isLongText } },
  maintenanceEnded: { of: 'phone', fields: {} },
  note: { of: 'any', fields: { text: isLongText, by: optional(isText) } },
  adbLost: { of: 'host', fields: { failureKind: optional(isFailureKind) } },
  adbBack: { of: 'host', fields: {} },
  adbReplaced: { of: 'host', fields: { version: optional(isCount) } },
  agentStarted: {
    of: 'host',
    fields: { version: isText, hostBootedAt: optional(isMoment), lastAliveAt: optional(isMoment) },
  },
  agentStopped: { of: 'host', fields: {} },
  agentReloaded: { of: 'host', fields: {} },
  clockStepped: { of: 'host', fields: { byMs: within(-1e16, 1e16) } },
  cloudLost: { of: 'host', fields: { code: optional(isText) } },
  cloudBack: { of: 'host', fields: {} },
};

const whereFields = {
  ...{ slot: optional(isText), devpath: optional(isText) },
  ...{ usbPath: optional(isText), hub: optional(isText) },
};

/** Per kind, each field as a pair: this is gone through for each row. */
const listed = new Map<string, { of: Subject; fields: [string, Field][] }>(
  Object.entries(eventKinds).map(([kind, { of, fields }]) => [kind, { of, fields: Object.entries(fields) }]),
);
const listedWhere: [string, Field][] = Object.entries(whereFields);

type Content = Record<string, unknown>;

/** Copies the known keys. @returns whether all of them are as they should be */
function copy(fields: readonly [string, Field][], from: Content, into: Content): boolean {
  for (const [key, field] of fields) {
    const isOptional = typeof field === 'object';
    if (isOptional && !Object.hasOwn(from, key)) continue;
    const value = from[key];
    if (!(isOptional ? field.check : field)(value)) return false;
    into[key] = value;
  }
  return true;
}

/** Only the known keys of an event; undefined if it is none. */
function checked(content: Content, into: Content): Content | undefined {
  const { kind, at, udid, where } = content;
  const shape = typeof kind === 'string' ? listed.get(kind) : undefined;
  if (shape === undefined || !isMoment(at)) return undefined;
  into.kind = kind;
  into.at = at;
  if (shape.of === 'host') {
    if (udid !== undefined || where !== undefined) return undefined;
  } else {
    if (shape.of === 'phone' ? !isUdid(udid) : udid !== undefined && !isText(udid)) return undefined;
    if (udid !== undefined) into.udid = udid;
    if (typeof where !== 'object' || where === null) return undefined;
    const place: Content = {};
    if (!copy(listedWhere, where as Content, place)) return undefined;
    into.where = place;
  }
  return copy(shape.fields, content, into) ? into : undefined;
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
