import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop of one's own: what many phones set off at once is done phone after phone, and
 * the loop is held no longer than one of them takes.
 */
export function yieldToLoop(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
