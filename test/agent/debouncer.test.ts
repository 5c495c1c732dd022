import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Settler } from '../../src/agent/debouncer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settlerOf = () => {
  const settled: string[] = [];
  const settler = new Settler({ quietMs: 250, longestMs: 5_000, onSettled: (udid) => settled.push(udid) });
  return { settler, settled };
};

describe('Settler', () => {
  it('tells a phone once, when it has been as it is for a while', () => {
    const { settler, settled } = settlerOf();
    for (let changes = 0; changes < 10; changes += 1) {
      settler.touch('POCO');
      vi.advanceTimersByTime(249);
    }
    expect(settled).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(10_000);
    expect(settled).toEqual(['POCO']);
  });

  it('tells a phone that never comes to rest after five seconds', () => {
    const { settler, settled } = settlerOf();
    for (let ms = 0; ms < 5_100; ms += 100) {
      settler.touch('POCO');
      vi.advanceTimersByTime(100);
    }
    expect(settled).toEqual(['POCO']);
    expect(settler.isWaiting('POCO')).toBe(true);
  });

  it('lets each phone rest on its own', () => {
    const { settler, settled } = settlerOf();
    settler.touch('SLOW', 700);
    settler.touch('QUICK');
    vi.advanceTimersByTime(250);
    expect(settled).toEqual(['QUICK']);
    vi.advanceTimersByTime(450);
    expect(settled).toEqual(['QUICK', 'SLOW']);
  });

  it('tells nothing after its end', () => {
    const { settler, settled } = settlerOf();
    settler.touch('POCO');
    settler.stop();
    vi.advanceTimersByTime(10_000);
    expect(settled).toEqual([]);
  });
});
