import type { Logger } from '../base/log.ts';

/** Work that nobody waits for: what it throws is logged and does not end the process. */
export function inBackground(work: Promise<unknown>, log: Logger): void {
  work.catch((error) => log.error({ err: error }, 'this should not have happened'));
}
