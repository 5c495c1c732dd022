import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { onTestFinished, vi } from 'vitest';

/** The host sleeps for so long: its clock and its uptime go on meanwhile, and the monotonic clock stands still. */
export function hostSleeps(ms: number): void {
  const { uptime } = os;
  const become = (read: () => number) => {
    os.uptime = read;
    syncBuiltinESMExports();
  };
  become(() => uptime() + ms / 1000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => {
    vi.useRealTimers();
    become(uptime);
  });
}
