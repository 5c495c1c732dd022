/**
 * Detects clocks that are certainly wrong. A host whose clock battery is empty starts in 1970, or in the year of its
 * firmware, and gets the right time later or never. Another one may run in 2099, or was set and is set again soon.
 */
import { uptime } from 'node:os';
import { buildNumber } from './version.ts';

/** `early`: before this program was built. `late`: so many years after it that nobody still runs it. */
export type ClockVerdict = 'right' | 'early' | 'late';

/** No version of this program is older: an earlier time comes from a wrong clock. */
const FIRST_AT = Date.UTC(2026, 0, 1);
/** A build has the UTC date of its sources, and a host's clock may show local time. */
const SLACK_MS = 2 * 86_400_000;
const LONGEST_USE_YEARS = 10;

/**
 * @param now what the clock says, ms since the epoch
 * @param build the day of this build, `YYMM.DD`
 */
export function clockVerdict(now: number, build: string = buildNumber): ClockVerdict {
  const builtAt = builtAtOf(build);
  if (now < builtAt - SLACK_MS) return 'early';
  const last = new Date(builtAt);
  last.setUTCFullYear(last.getUTCFullYear() + LONGEST_USE_YEARS);
  return now > last.getTime() ? 'late' : 'right';
}

/** What is stored beside a time that a wrong clock wrote. */
export const wrongClockMark = (now: number): { wrongClockAt?: number } =>
  clockVerdict(now) === 'right' ? {} : { wrongClockAt: now };

/**
 * Converts a stored time to the current clock. If either clock was wrong, the age is unknown, and the time becomes
 * `now`. A clock that is behind makes nothing old: then the time stays, and is right again when the clock is.
 *
 * @param at ms since the epoch
 * @param wrongClockAt the time of storing by a wrong clock; absent if that clock may have been right
 */
export function timely(at: number, now: number, wrongClockAt = Number.NEGATIVE_INFINITY): number {
  const verdict = clockVerdict(now);
  if (verdict === 'early') return at;
  const isMistimed = at < FIRST_AT || at <= wrongClockAt;
  return verdict === 'late' || isMistimed ? now : Math.min(at, now);
}

/** Ignores a fake date: a build with SOURCE_DATE_EPOCH=0 has `7001.01`. */
function builtAtOf(build: string): number {
  const [, year, month, day] = /^(\d\d)(\d\d)\.(\d\d)$/.exec(build)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year >= 70) return FIRST_AT;
  return Math.max(FIRST_AT, Date.UTC(2000 + year, month - 1, day));
}

/** Both clocks are read one after the other, on a busy machine: what differs by less is no sleep, ms. */
const LEAST_SLEEP_MS = 5_000;

/** By how much the uptime is ahead of the monotonic clock, which stands still while the host sleeps, ms. */
const aheadMs = (): number => uptime() * 1000 - performance.now();

let lastAheadMs = aheadMs();
let asleepMs = 0;
/** By the monotonic clock, ms. */
let readAt = performance.now();

/** For how long the host has slept since this process began, ms. */
export function sleptMs(): number {
  readAt = performance.now();
  const forMs = aheadMs() - lastAheadMs;
  lastAheadMs += forMs;
  if (forMs >= LEAST_SLEEP_MS) asleepMs += forMs;
  return asleepMs;
}

/** The uptime is read from a file: not for each of thousands of ages, ms. */
const FRESH_MS = 1;

/** The monotonic clock, which nobody can set, with the sleep of the host: for ages, ms. */
export function uptimeMs(): number {
  const now = performance.now();
  return now + (Math.abs(now - readAt) < FRESH_MS ? asleepMs : sleptMs());
}

/** A clock that was not set for so long is right, ms. */
export const TRUSTED_MS = 60 * 60_000;
/** A clock that is slewed moves less than this between two looks, ms. */
const SLEW_MS = 60_000;

/** Is the host's clock to be believed when we erase or forget by age? One that was set may be set again soon. */
export class TrustedClock {
  readonly #trustedMs: number;
  readonly #now: () => number;
  readonly #awakeMs: () => number;
  #offset: number;
  /** Since when it was not set, by `awakeMs`. */
  #since: number;

  /**
   * @param trustedMs how long it must not have been set
   * @param now ms since the epoch
   * @param awakeMs ms; nobody can set it
   */
  constructor(
    trustedMs = TRUSTED_MS,
    now: () => number = Date.now,
    // a sleep is as long as the host's other clock says, which may be wrong too: it counts as a step
    awakeMs: () => number = () => performance.now(),
  ) {
    this.#trustedMs = trustedMs;
    this.#now = now;
    this.#awakeMs = awakeMs;
    this.#since = awakeMs();
    this.#offset = now() - awakeMs();
  }

  /** The time; undefined while the clock was set, or we have watched it, for less than that. */
  look(): number | undefined {
    const now = this.#now();
    const awakeMs = this.#awakeMs();
    if (Math.abs(now - awakeMs - this.#offset) > SLEW_MS) this.#since = awakeMs;
    this.#offset = now - awakeMs;
    return awakeMs - this.#since >= this.#trustedMs && clockVerdict(now) === 'right' ? now : undefined;
  }
}
