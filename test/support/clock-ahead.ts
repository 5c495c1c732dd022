import { onTestFinished, vi } from 'vitest';

/**
 * Puts the monotonic clock ahead of the timers, which go on in real time: what lasts for minutes passes at once, and
 * takes no longer on a slow machine.
 *
 * @returns lets so many ms pass
 */
export function clockAhead(): (ms: number) => void {
  const read = performance.now.bind(performance);
  let aheadMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => read() + aheadMs);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    aheadMs += ms;
  };
}
