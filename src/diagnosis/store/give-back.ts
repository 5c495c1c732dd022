/**
 * Gives memory back to the system that the thread no longer uses. V8 by itself keeps what a judgement of a large host left
 * behind, 20 MB, until the next one.
 */
import { getHeapStatistics } from 'node:v8';

/** So much more than after the last time is worth the collection, which takes 30 to 60 ms of CPU, bytes. */
const WORTH_BYTES = 4 * 1024 ** 2;

/** @returns a function to be called when there is nothing to do; it does nothing where V8 was not started with `SMALL` */
export function memoryGiver(): () => void {
  let keptBytes = 0;
  return () => {
    if (getHeapStatistics().total_physical_size - keptBytes < WORTH_BYTES) return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    keptBytes = getHeapStatistics().total_physical_size;
  };
}
