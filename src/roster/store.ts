/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { join } from 'node:path';
import * as z from 'zod';
import { judgeClock } from '../base/clock.ts';
import { safeIdentifier } from '../base/identifier.ts';
import { type LONGEST, phoneText } from '../facts/phone-text.ts';
import { Folder } from '../host/folder.ts';
import type { JsonBounds } from '../host/json-bounds.ts';
import { type JsonFile, type ReadOptions, readJsonFile, stampOf, writeJsonFile } from '../host/json-file.ts';
import type { RosterRecord } from './device.ts';

const VERSION = 1;

// earlier versions wrote texts of phones at any length
const text = (kind: keyof typeof LONGEST) => z.string().transform((said) => phoneText(said, kind) ?? '');
const optionalText = (kind: keyof typeof LONGEST) => text(kind).exactOptional();
const identifier = z.string().transform(safeIdentifier);
/** Two identifiers with a character between them. */
const place = text('name');

const identity = z.object({
  serialNumber: identifier.exactOptional(),
  androidRelease: optionalText('word'),
  sdk: z.number().exactOptional(),
  model: optionalText('name'),
  brand: optionalText('name'),
  manufacturer: optionalText('name'),
  marketingName: optionalText('name'),
  cpuAbi: optionalText('word'),
  isEmulator: z.boolean(),
});

const device = z.object({
  /** '' for a blank one: such a record is no phone. */
  udid: identifier,
  serial: identifier,
  connection: z.enum(['usb', 'tcp', 'emulator']),
  devpath: identifier.exactOptional(),
  portPaths: z.array(text('name')).exactOptional(),
  attached: z.boolean(),
  state: text('word'),
  reason: optionalText('reason'),
  lastSeenAt: z.number(),
  identity: identity.exactOptional(),
  givenName: optionalText('name'),
  boot: z.object({ id: text('word'), bootTimeSeconds: z.number() }).exactOptional(),
  slowSections: z.record(text('word'), z.int().positive()).exactOptional(),
  goneAt: z.number().exactOptional(),
  reported: z.boolean().exactOptional(),
  wasStored: z.boolean().exactOptional(),
  isGoneStored: z.boolean().exactOptional(),
  supersededBy: identifier.exactOptional(),
});

/** So many bad records are not worth their time: the file is damaged. */
const MOST_BAD = 100;

/** A bad record costs only itself. If all are bad, the file is. */
const devices = z.array(z.unknown()).transform((list, context) => {
  const good: z.infer<typeof device>[] = [];
  const bad: PropertyKey[][] = [];
  for (const [at, one] of list.entries()) {
    const { data, error } = device.safeParse(one);
    if (data === undefined) bad.push([at, ...(error?.issues[0]?.path ?? [])]);
    else good.push(data);
    if (bad.length > MOST_BAD) break;
  }
  if (bad.length > MOST_BAD || (bad.length > 0 && good.length === 0)) {
    context.issues.push({ code: 'custom', input: list, path: bad[0] ?? [] });
    return z.NEVER;
  }
  return good.filter(({ udid }) => udid !== '');
});

/** The format of the file. */
export const rosterSchema = z.object({
  version: z.literal(VERSION),
  devices,
  sharedSerials: z.array(identifier).default([]),
  /** The first files of this version have none. */
  partedPlaces: z.array(place).default([]),
  wrongClockAt: z.number().exactOptional(),
}) satisfies z.ZodType<RosterRecord>;

export const rosterPath = (stateDir: string): string => join(stateDir, 'roster.json');

/** A record of texts that are all as long as they may be is smaller. Most have 600 bytes. */
const MOST_BYTES_OF_PHONE = 12 * 1024;
/** Twice those of a record with all its members. */
const MOST_MARKS_OF_PHONE = 200;
const MOST_PHONES = 2000;
/** V8 reads no longer text. */
const MOST_BYTES = 500 * 1024 ** 2;

/** @param maxPhones `roster.maxPhones`; the default also bounds a smaller one, which may have been lowered */
export function rosterBounds(maxPhones = MOST_PHONES): JsonBounds {
  const phones = Math.max(maxPhones, MOST_PHONES);
  const mostBytes = Math.min(phones * MOST_BYTES_OF_PHONE, MOST_BYTES);
  return { mostBytes, mostMarks: phones * MOST_MARKS_OF_PHONE };
}

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readRoster = (
  stateDir: string,
  { maxPhones, ...options }: ReadOptions & { maxPhones?: number } = {},
): Promise<JsonFile<RosterRecord>> =>
  readJsonFile(rosterPath(stateDir), rosterSchema, VERSION, { bounds: rosterBounds(maxPhones), ...options });

/**
 * Creates the directory again if somebody removed it.
 *
 * @throws {StateUnwritableError} the old file is unchanged
 */
export async function writeRoster(stateDir: string, roster: RosterRecord): Promise<void> {
  await Folder.open(stateDir, { make: true }).then(
    (folder) => folder.close(),
    () => {}, // the write reports the reason
  );
  await writeJsonFile(rosterPath(stateDir), written(roster, Date.now()));
}

/** The roster in the format of the file. */
export function written(roster: RosterRecord, now: number): RosterRecord & { version: typeof VERSION } {
  const clock = judgeClock(now) === 'right' ? {} : { wrongClockAt: now };
  return { version: VERSION, ...roster, ...clock };
}

/** Changes when somebody removes or replaces the file. */
export const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(rosterPath(stateDir));
