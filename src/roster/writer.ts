/** Writes the roster to disk when a change must survive a restart. */
import { clockVerdict } from '../base/clock.ts';
import { jsonInTurns } from '../base/json-in-turns.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import { DISK_TIMEOUT_MS, diskHangs, withDiskTimeout } from '../host/state-file.ts';
import type { RosterRecord } from './device.ts';
import type { Roster } from './roster.ts';
import { rosterStamp, writeRoster } from './store.ts';

/** How often we write what changes with every list (when a phone was last seen), ms. */
const EVERY_MS = 3_600_000;

export interface RosterWriterOptions {
  stateDir: string;
  roster: Roster;
  log: Logger;
  /** False while the file could not be read: then it must not be overwritten. Absent: true. */
  mayWrite?(): Promise<boolean>;
  /** Replaces the write to the state directory. */
  write?(record: RosterRecord): Promise<void>;
}

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
