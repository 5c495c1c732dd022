/** Writes the roster down when it has changed in a way that a restart must not forget. */
import { judgeClock } from '../base/clock.ts';
import { jsonInTurns } from '../base/json-in-turns.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import { DISK_TIMEOUT_MS, diskHangs, withDiskTimeout } from '../host/disk-timeout.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import type { RosterRecord } from './device.ts';
import type { Roster } from './roster.ts';
import type { RosterSpare } from './spare.ts';
import { rosterStamp, writeRoster } from './store.ts';

/** What changes with every listing (when a phone was last seen) is written this often, ms. */
const EVERY_MS = 3_600_000;

export interface RosterKeeperOptions {
  stateDir: string;
  roster: Roster;
  log: Logger;
  /** May the file be written? Absent: it may. One that could not be read may not. */
  mayWrite?(): Promise<boolean>;
  /** Where it is kept while the disk takes nothing. */
  spare?: RosterSpare;
  /** Where it is to be written otherwise than to the state directory. */
  write?(record: RosterRecord): Promise<void>;
}

export class RosterKeeper {
  readonly #options: RosterKeeperOptions;
  #written = '';
  #writtenAt = 0;
  /** Of the file as it was written. */
  #stamp: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Begins after the one under way, and takes all that has changed by then. */
  #next: Promise<void> | undefined;
  #isHanging = false;
  readonly #trouble = new OutageLog();
  /** What the spare holds, and where that is. */
  #spared: { essence: string; places: string[] } | undefined;

  constructor(options: RosterKeeperOptions) {
    this.#options = options;
  }

  /**
   * Writes if there is something to write, or the file is not as it was left; a disk that does not take it is said
   * once. Never throws, and does not wait long for a disk that hangs: nobody is to go unreported for it.
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
    const { roster, stateDir, log, spare, write = (record) => writeRoster(stateDir, record) } = this.#options;
    if (!(await (this.#options.mayWrite?.() ?? true))) return;
    const { record } = roster;
    const essence = await jsonInTurns({
      ...record,
      clock: judgeClock(Date.now()),
      devices: record.devices.map((device) => ({ ...device, lastSeenAt: undefined })),
    });
    const tooLong = setTimeout(() => {
      this.#isHanging = true;
      this.#fails(new StateUnwritableError(stateDir, diskHangs));
    }, DISK_TIMEOUT_MS).unref();
    try {
      const isFresh = essence === this.#written && Math.abs(Date.now() - this.#writtenAt) < EVERY_MS;
      const isKept = isFresh && !this.#trouble.isThere;
      if (isKept && (await rosterStamp(stateDir)) === this.#stamp) return;
      await write(record);
      this.#stamp = await rosterStamp(stateDir);
      this.#written = essence;
      this.#writtenAt = Date.now();
      if (this.#trouble.end()) log.info('the roster can be written again');
      this.#spared = undefined;
      await spare?.isNotNeeded();
    } catch (error) {
      if (this.#spared?.essence !== essence || this.#spared.places.length === 0)
        this.#spared = { essence, places: (await spare?.keep(record)) ?? [] };
      this.#fails(error, this.#spared.places);
    } finally {
      clearTimeout(tooLong);
      this.#isHanging = false;
    }
  }

  /** @param keptIn where it is kept instead: then a restart of the agent forgets nothing */
  #fails(error: unknown, keptIn: readonly string[] = []): void {
    const more = keptIn.length > 0 ? { keptIn } : {};
    if (this.#trouble.begin(String(error)))
      this.#options.log.error(
        { err: error, ...more },
        'the roster cannot be written; a restart would forget phones',
      );
  }
}
