/** Holds the state directory locked while the daemon runs. */
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/load.ts';
import type { StateLock } from '../host/lock.ts';
import { withDiskTimeout } from '../host/state-file.ts';

export class StateHold {
  readonly #log: Logger;
  #lock: StateLock | undefined;
  /** The locking in progress: one at a time. */
  #holding: Promise<void> = Promise.resolve();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** False: the directory cannot be used, and the agent works without it. */
  get isHeld(): boolean {
    return this.#lock !== undefined;
  }

  /**
   * Locks the directory that is at this path now: somebody may have removed the locked one.
   *
   * @param open opens and locks it; undefined if it cannot be used
   * @returns whether another directory is held than before, or one where there was none
   * @throws the errors of `open`
   */
  async hold(
    state: Config['state'],
    open: (state: Config['state'], log: Logger) => Promise<StateLock | undefined>,
  ): Promise<boolean> {
    const before = this.#lock;
    const held = this.#holding.then(async () => {
      if (this.#lock?.dir !== state.dir || !(await this.#lock.isInPlace())) await this.#unlock();
      this.#lock ??= await open(state, this.#log);
    });
    this.#holding = held.catch(() => {});
    await held;
    return this.#lock !== before;
  }

  /** Never throws. */
  async release(): Promise<void> {
    await withDiskTimeout(this.#holding);
    await this.#unlock();
  }

  async #unlock(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }
}
