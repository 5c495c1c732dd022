import pRetry from 'p-retry';
import { sleep } from '../base/time.ts';
import { CloudUnavailableError } from './errors.ts';

/** Three quick attempts cover a short fault. A longer one is an outage that all hosts share. */
const ceilingsMs = [1_000, 2_000, 4_000, 60_000, 240_000, 960_000] as const;
const LONGEST_MS = 3_600_000;

/**
 * The delay before the next attempt: a random time below a ceiling that grows to an hour, plus `Retry-After`. With this
 * "full jitter" hosts that lost the cloud together do not return together.
 *
 * @param attempt the attempt that failed, from 1
 * @param random from 0 to below 1
 * @param retryAfterMs the cloud's `Retry-After`, ms
 * @param mostMs the highest ceiling
 * @returns ms
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0, mostMs = LONGEST_MS): number {
  const ceilingMs = ceilingsMs[attempt - 1] ?? LONGEST_MS;
  return Math.round(retryAfterMs + random * Math.min(ceilingMs, mostMs));
}

/**
 * Counts the failures in a row, across reports. In a long outage the delays exceed the time between two reports. Then
 * each host sends one request per report, at its own time in the schedule. So a cloud that returns gets no more
 * requests per second than before.
 */
export class Outage {
  readonly #mostMs: number;
  #failures = 0;

  /** @param mostMs the highest ceiling of the delays */
  constructor(mostMs = LONGEST_MS) {
    this.#mostMs = mostMs;
  }

  /**
   * Counts one more failure.
   *
   * @param random from 0 to below 1
   * @param retryAfterMs the cloud's `Retry-After`, ms
   * @returns the delay before the next attempt, ms
   */
  goesOn(random: number, retryAfterMs?: number): number {
    this.#failures += 1;
    return retryDelayMs(this.#failures, random, retryAfterMs, this.#mostMs);
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

export interface RetryOptions {
  /** Ends a delay at once; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** No attempt starts later than this after the first one, ms. */
  forMs: number;
  onRetry?: (retry: Retry) => void;
  /** Shared by successive reports. */
  outage?: Outage;
  /** From 0 to below 1. */
  random?: () => number;
}

/**
 * Repeats the attempt while the cloud is unavailable, until it succeeds or `forMs` has passed.
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
    // p-retry does not know Retry-After, so we wait ourselves
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof CloudUnavailableError)) {
        outage.end();
        return false;
      }
      const delayMs = outage.goesOn(random(), error.retryAfterMs);
      if (performance.now() + delayMs > endAtMs) return false;
      onRetry?.({ error, attempt: attemptNumber, delayMs });
      // p-retry checks the signal next, and rejects with its reason
      await sleep(delayMs, signal);
      return true;
    },
  });
}
