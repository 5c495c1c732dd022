import { setTimeout } from 'node:timers/promises';

/** Waits for `ms`, or until the signal fires where that is sooner. Never throws. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {});
