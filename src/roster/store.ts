/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { join } from 'node:path';
import { clockVerdict, wrongClockMark } from '../base/clock.ts';
import { jsonInTurns } from '../base/json-in-turns.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import { Folder } from '../host/folder.ts';
import {
  type JsonBounds,
  type JsonFile,
  type ReadOptions,
  readJsonFile,
  stampOf,
  writeJsonFile,
} from '../host/json-file.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import { DISK_TIMEOUT_MS, diskHangs, withDiskTimeout } from '../host/state-file.ts';
import { DEFAULT_MAX_PHONES, ROSTER_VERSION, type RosterRecord, rosterSchema } from './device.ts';
import type { Roster } from './roster.ts';

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
const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(rosterPath(stateDir));

/** How often we write what changes with every list (when a phone was last seen), ms. */
const EVERY_MS = 3_600_000;

interface RosterWriterOptions {
  stateDir: string;
  roster: Roster;
  log: Logger;
  /** False while the file could not be read: then it must not be overwritten. Absent: true. */
  mayWrite?(): Promise<boolean>;
  /** Replaces the write to the state directory. */
  write?(record: RosterRecord): Promise<void>;
}

/** Writes the roster when a change must survive a restart. */
export class RosterWriter {
  readonly #options: RosterWriterOptions;
  #written = '';
  #writtenAt = 0;
  /** The stamp of the file after our last write. */
  #stamp: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Starts after the current write, and includes all changes until then. */
  #next: Promise<void> | undefined;
  #isHanging = false;
  readonly #outage = new OutageLog();

  constructor(options: RosterWriterOptions) {
    this.#options = options;
  }

  /**
   * Writes if the roster or the file on disk has changed. Logs a failing disk once. Never throws, and does not wait
   * long for a disk that hangs: reports must continue.
   */
  save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      return this.#save();
    });
    this.#writing = this.#next;
    return this.#isHanging ? Promise.resolve() : withDiskTimeout(this.#next);
  }

  async #save(): Promise<void> {
    const { roster, stateDir, log, write = (record) => writeRoster(stateDir, record) } = this.#options;
    if (!(await (this.#options.mayWrite?.() ?? true))) return;
    const { record } = roster;
    const essence = await jsonInTurns({
      ...record,
      clock: clockVerdict(Date.now()),
      devices: record.devices.map((device) => ({ ...device, lastSeenAt: undefined })),
    });
    const tooLong = setTimeout(() => {
      this.#isHanging = true;
      this.#fails(new StateUnwritableError(stateDir, diskHangs));
    }, DISK_TIMEOUT_MS).unref();
    try {
      const isFresh = essence === this.#written && Math.abs(Date.now() - this.#writtenAt) < EVERY_MS;
      const isKept = isFresh && !this.#outage.isOpen;
      if (isKept && (await rosterStamp(stateDir)) === this.#stamp) return;
      await write(record);
      this.#stamp = await rosterStamp(stateDir);
      this.#written = essence;
      this.#writtenAt = Date.now();
      if (this.#outage.end()) log.info('the roster can be written again');
    } catch (error) {
      this.#fails(error);
    } finally {
      clearTimeout(tooLong);
      this.#isHanging = false;
    }
  }

  #fails(error: unknown): void {
    if (this.#outage.begin(String(error)))
      this.#options.log.error({ err: error }, 'the roster cannot be written; a restart would forget phones');
  }
}
