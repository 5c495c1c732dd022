import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HostClock } from '../../src/agent/host-clock.ts';
import { createLogger } from '../../src/log.ts';

const HOUR_MS = 3_600_000;

function clock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const { logger: log } = createLogger({
    level: 'info',
    format: 'json',
    destination: (line) => lines.push(JSON.parse(line)),
  });
  const set: number[] = [];
  const hostClock = new HostClock({ roster: { clockSet: (byMs) => set.push(Math.round(byMs / 1000)) }, log });
  return { hostClock, set, lines };
}

describe('the clock of the host', () => {
  it('is noticed when it is set, once each time', () => {
    const { hostClock, set, lines } = clock();
    hostClock.look();
    vi.setSystemTime(Date.now() + HOUR_MS);
    hostClock.look();
    hostClock.look();
    vi.setSystemTime(Date.now() - HOUR_MS);
    hostClock.look();
    expect(set).toEqual([3600, -3600]);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'the clock of this host was set', bySeconds: 3600 },
      { level: 'warn', msg: 'the clock of this host was set', bySeconds: -3600 },
    ]);
  });

  it('may be slewed', () => {
    const { hostClock, set } = clock();
    vi.setSystemTime(Date.now() + 20_000);
    hostClock.look();
    expect(set).toEqual([]);
  });
});
