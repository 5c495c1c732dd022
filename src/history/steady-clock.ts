/** Is the host's clock to be believed when we erase by age? One that was set may be set again soon. */
import { clockVerdict } from '../base/clock.ts';

/** A clock that was not set for so long is right, ms. */
const STEADY_MS = 60 * 60_000;
/** A clock that is slewed moves less than this between two looks, ms. */
const SLACK_MS = 60_000;

export class SteadyClock {
  readonly #now: () => number;
  readonly #uptime: () => number;
  #offset: number;
  #since: number;

  /**
   * @param now ms since the epoch
   * @param uptime ms; nobody can set it
   */
  constructor(now: () => number = Date.now, uptime: () => number = () => performance.now()) {
    [this.#now, this.#uptime] = [now, uptime];
    this.#since = uptime();
    this.#offset = now() - uptime();
  }

  /** The time; undefined while the clock was set, or we have watched it, for less than an hour. */
  look(): number | undefined {
    const [now, uptime] = [this.#now(), this.#uptime()];
    if (Math.abs(now - uptime - this.#offset) > SLACK_MS) this.#since = uptime;
    this.#offset = now - uptime;
    return uptime - this.#since >= STEADY_MS && clockVerdict(now) === 'right' ? now : undefined;
  }
}
