/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { join } from 'node:path';
import { judgeClock } from '../base/clock.ts';
import { Folder } from '../host/folder.ts';
import { type JsonFile, type ReadOptions, readJsonFile, stampOf, writeJsonFile } from '../host/json-file.ts';
import { ROSTER_VERSION, type RosterRecord, rosterSchema } from './device.ts';

export const rosterPath = (stateDir: string): string => join(stateDir, 'roster.json');

/** Never throws: a file that cannot be used is set aside, one that cannot be read stays, and `trouble` says so. */
export const readRoster = (stateDir: string, options?: ReadOptions): Promise<JsonFile<RosterRecord>> =>
  readJsonFile(rosterPath(stateDir), rosterSchema, ROSTER_VERSION, options);

/**
 * Also where somebody has removed the directory.
 *
 * @throws {StateUnwritableError} and the old file is as it was
 */
export async function writeRoster(stateDir: string, roster: RosterRecord): Promise<void> {
  await Folder.open(stateDir, { make: true }).then(
    (folder) => folder.close(),
    () => {}, // the write says why not
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

/** Differs once somebody has removed or replaced what was written. */
export const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(rosterPath(stateDir));
