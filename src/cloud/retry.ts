import { setTimeout as wait } from 'node:timers/promises';
import pRetry from 'p-retry';
import { CloudUnavailableError } from './errors.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/**
 * How long to wait before the next attempt: anything from nothing to a ceiling that doubles from 1 s to 60 s ("full
 * jitter", so that hosts cut off together do not come back together), on top of what the cloud asks for.
 *
 * @param attempt the attempt that failed, from 1
 * @param random from 0 to below 1
 * @param retryAfterMs the cloud's `Retry-After`, ms
 * @returns ms
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0): number {
  const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.round(retryAfterMs + random * ceilingMs);
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
  { signal, forMs, onRetry, random = Math.random }: RetryOptions,
): Promise<T> {
  const endAtMs = performance.now() + forMs;
  return pRetry(attempt, {
    signal,
    retries: Number.POSITIVE_INFINITY,
    // p-retry knows nothing of Retry-After, so the whole wait is ours
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!(error instanceof CloudUnavailableError)) return false;
      const delayMs = retryDelayMs(attemptNumber, random(), error.retryAfterMs);
      if (performance.now() + delayMs > endAtMs) return false;
      onRetry?.({ error, attempt: attemptNumber, delayMs });
      // p-retry looks at the signal next, and rejects with its reason
      await wait(delayMs, undefined, { signal }).catch(() => {});
      return true;
    },
  });
}
