/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { join } from 'node:path';
import { judgeClock } from '../base/clock.ts';
import { Folder } from '../host/folder.ts';
import { type JsonFile, type ReadOptions, readJsonFile, stampOf, writeJsonFile } from '../host/json-file.ts';
import { ROSTER_VERSION, type RosterRecord, rosterSchema } from './device.ts';

export const rosterPath = (stateDir: string): string => join(stateDir, 'roster.json');

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readRoster = (stateDir: string, options?: ReadOptions): Promise<JsonFile<RosterRecord>> =>
  readJsonFile(rosterPath(stateDir), rosterSchema, ROSTER_VERSION, options);

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

/** The roster as it is written down now. */
export function written(
  roster: RosterRecord,
  now: number,
): RosterRecord & { version: typeof ROSTER_VERSION } {
  const clock = judgeClock(now) === 'right' ? {} : { wrongClockAt: now };
  return { version: ROSTER_VERSION, ...roster, ...clock };
}

/** Changes when somebody removes or replaces the file. */
export const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(rosterPath(stateDir));
