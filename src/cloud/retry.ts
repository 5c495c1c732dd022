import pRetry from 'p-retry';
import { sleep } from '../base/time.ts';
import { CloudUnavailableError } from './errors.ts';

/** A hiccup is over within three quick attempts; what lasts longer is an outage, and all hosts are in it. */
const ceilingsMs = [1_000, 2_000, 4_000, 60_000, 240_000, 960_000] as const;
const LONGEST_MS = 3_600_000;

/**
 * How long to wait before the next attempt: anything from nothing to a ceiling that grows to an hour ("full jitter",
 * so that hosts cut off together do not come back together), on top of what the cloud asks for.
 *
 * @param attempt the attempt that failed, from 1
 * @param random from 0 to below 1
 * @param retryAfterMs the cloud's `Retry-After`, ms
 * @param mostMs the ceiling grows no further than that
 * @returns ms
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0, mostMs = LONGEST_MS): number {
  const ceilingMs = ceilingsMs[attempt - 1] ?? LONGEST_MS;
  return Math.round(retryAfterMs + random * Math.min(ceilingMs, mostMs));
}

/**
 * How often in a row the cloud was unavailable, from report to report. While it stays down the delays outgrow the
 * time between two reports: each host then asks once a report, at its own place in the schedule, and the cloud that
 * comes back meets no more requests a second than it met before.
 */
export class Outage {
  readonly #mostMs: number;
  #failures = 0;

  /** @param mostMs the ceiling of the delays grows no further than that */
  constructor(mostMs = LONGEST_MS) {
    this.#mostMs = mostMs;
  }

  /**
   * The cloud was unavailable once more.
   *
   * @param random from 0 to below 1
   * @param retryAfterMs the cloud's `Retry-After`, ms
   * @returns the delay before the next attempt, ms
   */
  goesOn(random: number, retryAfterMs?: number): number {
    this.#failures += 1;
    return retryDelayMs(this.#failures, random, retryAfterMs, this.#mostMs);
  }

  /** The cloud has answered. */
  end(): void {
    this.#failures = 0;
  }
}

/** A failed attempt that will be followed by another one. */
export interface Retry {
  error: CloudUnavailableError;
  /** The attempt that failed, from 1. */
  attempt: number;
  delayMs: number;
}

export interface RetryOptions {
  /** Ends a pending wait at once; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** No attempt begins later than this after the first one, ms. */
  forMs: number;
  onRetry?: (retry: Retry) => void;
  /** The same for one report after the other. */
  outage?: Outage;
  /** From 0 to below 1. */
  random?: () => number;
}

/**
 * Attempts until it succeeds, as long as the cloud is only unavailable and the time is not over.
 *
 * @throws the last attempt's error, or the signal's reason
 */
export function withRetry<T>(
  attempt: (attemptNumber: number) => Promise<T>,
  { signal, forMs, onRetry, outage = new Outage(), random = Math.random }: RetryOptions,
): Promise<T> {
  const endAtMs = performance.now() + forMs;
  const answered = async (attemptNumber: number) => {
    const answer = await attempt(attemptNumber);
    outage.end();
    return answer;
  };
  return pRetry(answered, {
    signal,
    retries: Number.POSITIVE_INFINITY,
    // p-retry knows nothing of Retry-After, so the whole wait is ours
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof CloudUnavailableError)) {
        outage.end();
        return false;
      }
      const delayMs = outage.goesOn(random(), error.retryAfterMs);
      if (performance.now() + delayMs > endAtMs) return false;
      onRetry?.({ error, attempt: attemptNumber, delayMs });
      // p-retry looks at the signal next, and rejects with its reason
      await sleep(delayMs, signal);
      return true;
    },
  });
}
