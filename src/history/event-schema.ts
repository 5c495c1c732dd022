/** What an event may be: checked before it is written, and again when it is read back from the disk. */
import * as z from 'zod';
import type { HistoryEvent, NewEvent } from './event.ts';

/** Limits of the texts, in UTF-16 units; longer ones are cut. */
const TEXT = 300;
const LONG_TEXT = 1000;
const longTexts: readonly string[] = ['text', 'reason', 'said'];

const text = z.string().check(z.maxLength(TEXT));
const longText = z.string().check(z.maxLength(LONG_TEXT));
const optionalText = z.exactOptional(text);
/** ms since the epoch: what a `Date` can be. */
const moment = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));
const count = z.exactOptional(z.number().check(z.gte(0), z.lte(1e12)));
const health = z.enum(['GOOD', 'OVERHEAT', 'DEAD', 'OVER_VOLTAGE', 'UNSPECIFIED_FAILURE', 'COLD', 'UNKNOWN']);
const failureKind = z.enum(['absent', 'unreachable', 'silent', 'closed', 'foreign']);

const where = z.object({
  slot: optionalText,
  devpath: optionalText,
  usbPath: optionalText,
  hub: optionalText,
});

const ofPhone = { at: moment, udid: text.check(z.minLength(1)), where };
const ofHost = { at: moment, udid: z.undefined().optional(), where: z.undefined().optional() };

export const newEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('attached'), ...ofPhone, state: text }),
  z.object({ kind: z.literal('detached'), ...ofPhone }),
  z.object({
    kind: z.literal('state'),
    ...ofPhone,
    ...{ state: text, before: text, reason: z.exactOptional(longText) },
  }),
  z.object({ kind: z.literal('identity'), ...ofPhone, model: optionalText, brand: optionalText }),
  z.object({
    kind: z.literal('rebooted'),
    ...ofPhone,
    ...{ reason: z.exactOptional(longText), uptimeSeconds: count },
  }),
  z.object({ kind: z.literal('sim'), ...ofPhone, state: text, before: optionalText }),
  z.object({
    kind: z.literal('os'),
    ...ofPhone,
    ...{ release: optionalText, before: optionalText, build: optionalText, buildBefore: optionalText },
  }),
  z.object({
    kind: z.literal('batteryHealth'),
    ...ofPhone,
    ...{ health, before: z.exactOptional(health) },
  }),
  z.object({ kind: z.literal('refused'), ...ofPhone, said: z.exactOptional(longText) }),
  z.object({ kind: z.literal('stored'), ...ofPhone }),
  z.object({ kind: z.literal('maintenance'), ...ofPhone, until: moment, reason: longText }),
  z.object({ kind: z.literal('maintenanceEnded'), ...ofPhone }),
  z.object({
    kind: z.literal('note'),
    ...{ at: moment, udid: optionalText, where },
    ...{ text: longText, by: optionalText },
  }),
  z.object({ kind: z.literal('adbLost'), ...ofHost, failureKind: z.exactOptional(failureKind) }),
  z.object({ kind: z.literal('adbBack'), ...ofHost }),
  z.object({ kind: z.literal('adbReplaced'), ...ofHost, version: count }),
  z.object({
    kind: z.literal('agentStarted'),
    ...ofHost,
    ...{ version: text, hostBootedAt: z.exactOptional(moment), lastAliveAt: z.exactOptional(moment) },
  }),
  z.object({ kind: z.literal('agentStopped'), ...ofHost }),
  z.object({ kind: z.literal('agentReloaded'), ...ofHost }),
  z.object({ kind: z.literal('clockStepped'), ...ofHost, byMs: z.number().check(z.gte(-1e16), z.lte(1e16)) }),
  z.object({ kind: z.literal('cloudLost'), ...ofHost, code: optionalText }),
  z.object({ kind: z.literal('cloudBack'), ...ofHost }),
]);

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type KeysOf<T> = T extends { kind: infer K } ? [K, keyof T] : never;
// what event.ts has more is missing here
true satisfies Same<KeysOf<z.infer<typeof newEvent>>, KeysOf<NewEvent>>;

/** A text as it is kept: cut to its limit, and free of halves of characters, which SQLite does not give back. */
export const keptText = (value: string, most = TEXT): string => value.slice(0, most).toWellFormed();

/**
 * The event with its texts cut to their limits.
 *
 * @returns undefined if it is none: a time that is no number, a phone without udid
 */
export function admitted(event: NewEvent): NewEvent | undefined {
  const { data } = newEvent.safeParse(cut(event));
  return data as NewEvent | undefined;
}

function cut(value: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'string') result[key] = keptText(part, longTexts.includes(key) ? LONG_TEXT : TEXT);
    else if (typeof part === 'object' && part !== null) result[key] = cut(part);
    else if (part !== undefined) result[key] = key === 'at' ? Math.round(Number(part)) : part;
  }
  return result;
}

/** The event that a row of the file means; undefined if it is damaged. */
export function eventOf(id: number, content: unknown): HistoryEvent | undefined {
  const { data } = newEvent.safeParse(content);
  return data === undefined ? undefined : ({ id, ...data } as HistoryEvent);
}
