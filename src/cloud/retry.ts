import pRetry from 'p-retry';
import { sleep } from '../base/time.ts';
import { CloudUnavailableError } from './errors.ts';

/** The longest random delays, ms: of each failure in a row, one ceiling. */
export interface Delays {
  /** First, of what somebody waits for. */
  quickMs: readonly number[];
  /** After these, and of all else; the last one repeats. */
  slowMs: readonly [number, ...number[]];
}

const LONGEST_MS = 3_600_000;

/** A person or a script waits: three quick attempts cover a short fault. */
export const callerDelays: Delays = {
  quickMs: [1_000, 2_000, 4_000],
  slowMs: [60_000, 240_000, 960_000, LONGEST_MS],
};

/**
 * Reports of thousands of hosts that fail together: a quick second attempt of each would double the cloud's load, and a
 * third one would triple it, while it fails and when it returns. So two of three hosts try once more before their next
 * report, at a random moment, and the others send that. What changed or starts has quick attempts: that is of few hosts.
 */
export const reportDelays: Delays = {
  quickMs: [1_000, 2_000, 4_000],
  slowMs: [90_000, 480_000, 960_000, LONGEST_MS],
};

/** The last report of a host has a few seconds. */
export const lastDelays: Delays = { quickMs: [1_000], slowMs: [2_000] };

/**
 * Counts the failures in a row, across reports. In a long outage the delays exceed the time between two reports. Then
 * each host sends one request per report, at its own time in the schedule. So a cloud that returns gets no more
 * requests per second than before.
 */
export class Outage {
  readonly #delays: Delays;
  #failures = 0;

  constructor(delays = callerDelays) {
    this.#delays = delays;
  }

  /** Only a few attempts have failed: what somebody waits for need not wait for the next one. */
  get isYoung(): boolean {
    return this.#failures <= this.#delays.quickMs.length + 1;
  }

  /**
   * Counts one more failure. The delay is a random time below a ceiling that grows, plus `Retry-After`: with this "full
   * jitter" hosts that lost the cloud together do not return together.
   *
   * @param random from 0 to below 1
   * @param retryAfterMs the cloud's `Retry-After`, ms
   * @param isUrgent somebody waits for it: the first delays are short
   * @returns the delay before the next attempt, ms
   */
  goesOn(random: number, retryAfterMs = 0, isUrgent = true): number {
    const { quickMs, slowMs } = this.#delays;
    const skipped = isUrgent ? 0 : quickMs.length;
    this.#failures = Math.max(this.#failures, skipped) + 1;
    const ceilingMs = [...quickMs, ...slowMs][this.#failures - 1] ?? slowMs.at(-1) ?? LONGEST_MS;
    return Math.round(retryAfterMs + random * ceilingMs);
  }

  end(): void {
    this.#failures = 0;
  }
}

/** A failed attempt before the next one. */
export interface Retry {
  error: CloudUnavailableError;
  /** The attempt that failed, from 1. */
  attempt: number;
  delayMs: number;
}

export interface Clock {
  /** Ms, monotonic. */
  now(): number;
  /** Never throws; ends early when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const ownClock: Clock = { now: () => performance.now(), sleep };

export interface RetryOptions {
  /** Ends a delay at once; the promise then rejects with its reason. */
  signal?: AbortSignal | undefined;
  /** No attempt starts later than this after the first one, ms. */
  forMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Shared by successive reports. */
  outage?: Outage;
  /** Somebody waits for it: see `Delays`. Default: yes. */
  isUrgent?: boolean;
  /** From 0 to below 1. */
  random?: () => number;
  /** Default: the process's own; a simulation has another one. */
  clock?: Clock;
}

/**
 * Repeats the attempt while the cloud is unavailable, until it succeeds or `forMs` has passed.
 *
 * @throws the last attempt's error, or the signal's reason
 */
export function withRetry<T>(attempt: (attemptNumber: number) => Promise<T>, options: RetryOptions) {
  const { signal = new AbortController().signal, forMs, onRetry, isUrgent = true } = options;
  const { outage = new Outage(), random = Math.random, clock = ownClock } = options;
  const endAtMs = clock.now() + forMs;
  const answered = async (attemptNumber: number) => {
    const answer = await attempt(attemptNumber);
    outage.end();
    return answer;
  };
  return pRetry(answered, {
    signal,
    retries: Number.POSITIVE_INFINITY,
    // p-retry does not know Retry-After, so we wait ourselves
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof CloudUnavailableError)) {
        outage.end();
        return false;
      }
      const delayMs = outage.goesOn(random(), error.retryAfterMs, isUrgent);
      if (clock.now() + delayMs > endAtMs) return false;
      onRetry?.({ error, attempt: attemptNumber, delayMs });
      // p-retry checks the signal next, and rejects with its reason
      await clock.sleep(delayMs, signal);
      return true;
    },
  });
}
