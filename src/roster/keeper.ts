/** Writes the roster down when it has changed in a way that a restart must not forget. */
import type { Logger } from '../log.ts';
import type { Roster } from './roster.ts';
import { writeRoster } from './store.ts';

/** What changes with every listing (when a phone was last seen) is written this often, ms. */
const EVERY_MS = 3_600_000;

export interface RosterKeeperOptions {
  stateDir: string;
  roster: Roster;
  log: Logger;
}

export class RosterKeeper {
  readonly #options: RosterKeeperOptions;
  #written = '';
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Begins after the one under way, and takes all that has changed by then. */
  #next: Promise<void> | undefined;
  #trouble: string | undefined;

  constructor(options: RosterKeeperOptions) {
    this.#options = options;
  }

  /** Writes if there is something to write; a disk that does not take it is said once. Never throws. */
  save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      return this.#save();
    });
    this.#writing = this.#next;
    return this.#next;
  }

  async #save(): Promise<void> {
    const { roster, stateDir, log } = this.#options;
    const { record } = roster;
    const essence = JSON.stringify({
      ...record,
      devices: record.devices.map(({ lastSeenAt: _, ...device }) => device),
    });
    if (essence === this.#written && Date.now() - this.#writtenAt < EVERY_MS) return;
    try {
      await writeRoster(stateDir, record);
      this.#written = essence;
      this.#writtenAt = Date.now();
      if (this.#trouble !== undefined) log.info('the roster can be written again');
      this.#trouble = undefined;
    } catch (error) {
      const trouble = String(error);
      if (trouble !== this.#trouble)
        log.error({ err: error }, 'the roster cannot be written; a restart would forget phones');
      this.#trouble = trouble;
    }
  }
}
