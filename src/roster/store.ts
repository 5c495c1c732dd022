/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { join } from 'node:path';
import { wrongClockMark } from '../base/clock.ts';
import { Folder } from '../host/folder.ts';
import {
  type JsonBounds,
  type JsonFile,
  type ReadOptions,
  readJsonFile,
  stampOf,
  writeJsonFile,
} from '../host/json-file.ts';
import { DEFAULT_MAX_PHONES, ROSTER_VERSION, type RosterRecord, rosterSchema } from './device.ts';

export const rosterPath = (stateDir: string): string => join(stateDir, 'roster.json');

/** A record of texts that are all as long as they may be is smaller. Most have 600 bytes. */
const MOST_BYTES_OF_PHONE = 12 * 1024;
/** Twice those of a record with all its members. */
const MOST_MARKS_OF_PHONE = 200;
/** V8 reads no longer text. */
const MOST_BYTES = 500 * 1024 ** 2;

/** @param maxPhones `roster.maxPhones`; the default also bounds a smaller one, which may have been lowered */
export function rosterBounds(maxPhones = DEFAULT_MAX_PHONES): JsonBounds {
  const phones = Math.max(maxPhones, DEFAULT_MAX_PHONES);
  const mostBytes = Math.min(phones * MOST_BYTES_OF_PHONE, MOST_BYTES);
  return { mostBytes, mostMarks: phones * MOST_MARKS_OF_PHONE };
}

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readRoster = (
  stateDir: string,
  { maxPhones, ...options }: ReadOptions & { maxPhones?: number } = {},
): Promise<JsonFile<RosterRecord>> =>
  readJsonFile(rosterPath(stateDir), rosterSchema, ROSTER_VERSION, {
    bounds: rosterBounds(maxPhones),
    ...options,
  });

/**
 * Creates the directory again if somebody removed it.
 *
 * @throws {StateUnwritableError} the old file is unchanged
 */
export async function writeRoster(stateDir: string, roster: RosterRecord): Promise<void> {
  const folder = await Folder.open(stateDir, { make: true }).catch(() => {}); // the write reports the reason
  await folder?.close();
  const record = { version: ROSTER_VERSION, ...roster, ...wrongClockMark(Date.now()) };
  await writeJsonFile(rosterPath(stateDir), record);
}

/** Changes when somebody removes or replaces the file. */
export const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(rosterPath(stateDir));
