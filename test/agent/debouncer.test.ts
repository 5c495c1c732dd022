import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Debouncer } from '../../src/agent/debouncer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settlerOf = () => {
  const settled: string[] = [];
  const debouncer = new Debouncer({
    quietMs: 250,
    longestMs: 5_000,
    onQuiet: (udid) => settled.push(udid),
  });
  return { debouncer, settled };
};

describe('Settler', () => {
  it('reports a phone once, when it has not changed for a while', () => {
    const { debouncer, settled } = settlerOf();
    for (let changes = 0; changes < 10; changes += 1) {
      debouncer.touch('POCO');
      vi.advanceTimersByTime(249);
    }
    expect(settled).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(10_000);
    expect(settled).toEqual(['POCO']);
  });

  it('reports a phone that never calms down after five seconds', () => {
    const { debouncer, settled } = settlerOf();
    for (let ms = 0; ms < 5_100; ms += 100) {
      debouncer.touch('POCO');
      vi.advanceTimersByTime(100);
    }
    expect(settled).toEqual(['POCO']);
    expect(debouncer.isWaiting('POCO')).toBe(true);
  });

  it('lets each phone rest on its own', () => {
    const { debouncer, settled } = settlerOf();
    debouncer.touch('SLOW', 700);
    debouncer.touch('QUICK');
    vi.advanceTimersByTime(250);
    expect(settled).toEqual(['QUICK']);
    vi.advanceTimersByTime(450);
    expect(settled).toEqual(['QUICK', 'SLOW']);
  });

  it('reports nothing after its end', () => {
    const { debouncer, settled } = settlerOf();
    debouncer.touch('POCO');
    debouncer.stop();
    vi.advanceTimersByTime(10_000);
    expect(settled).toEqual([]);
  });
});
