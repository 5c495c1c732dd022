/** Is the host's clock to be believed when we erase by age? One that was set may be set again soon. */
import { clockVerdict } from '../../base/clock.ts';

/** A clock that was not set for so long is right, ms. */
const STEADY_MS = 60 * 60_000;
/** A clock that is slewed moves less than this between two looks, ms. */
const SLACK_MS = 60_000;

/** Plain data, for another clock of the same process. */
export interface ClockState {
  offset: number;
  since: number;
}

export class SteadyClock {
  readonly #now: () => number;
  readonly #uptime: () => number;
  #offset: number;
  #since: number;

  /**
   * @param now ms since the epoch
   * @param uptime ms; nobody can set it. It counts from the start of the process, in each thread
   * @param before it goes on from there
   */
  constructor(
    now: () => number = Date.now,
    uptime: () => number = () => performance.now(),
    before: ClockState = { since: uptime(), offset: now() - uptime() },
  ) {
    [this.#now, this.#uptime] = [now, uptime];
    [this.#since, this.#offset] = [before.since, before.offset];
  }

  get state(): ClockState {
    return { since: this.#since, offset: this.#offset };
  }

  /** The time; undefined while the clock was set, or we have watched it, for less than an hour. */
  look(): number | undefined {
    const [now, uptime] = [this.#now(), this.#uptime()];
    if (Math.abs(now - uptime - this.#offset) > SLACK_MS) this.#since = uptime;
    this.#offset = now - uptime;
    return uptime - this.#since >= STEADY_MS && clockVerdict(now) === 'right' ? now : undefined;
  }
}
