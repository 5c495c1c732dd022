import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { offsetShare, placeAfter, ReportSchedule } from '../../src/agent/schedule.ts';

const startedAt = Date.UTC(2026, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: startedAt });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** When reports came due while so much time passed, seconds after the start. */
async function dueSeconds(expression: string, nodeId: string, forMinutes: number): Promise<number[]> {
  const due: number[] = [];
  const schedule = new ReportSchedule(expression, nodeId);
  schedule.start(() => due.push((Date.now() - startedAt) / 1000));
  await vi.advanceTimersByTimeAsync(forMinutes * 60_000);
  schedule.stop();
  await vi.advanceTimersByTimeAsync(forMinutes * 60_000);
  return due;
}

describe('the offset of a host', () => {
  it('is the same at every start', () => {
    expect(offsetShare('rack-2')).toBe(offsetShare('rack-2'));
    expect(offsetShare('rack-2')).not.toBe(offsetShare('rack-3'));
  });

  it('spreads 10,000 hosts evenly: no second of the minute has over 1.3 times its share', () => {
    const hosts = 10_000;
    const bySecond = new Array<number>(60).fill(0);
    for (let host = 0; host < hosts; host += 1) {
      const second = Math.floor(offsetShare(`host-${host}`) * 60);
      bySecond[second] = (bySecond[second] ?? 0) + 1;
    }
    expect(Math.max(...bySecond)).toBeLessThan((hosts / 60) * 1.3);
    expect(Math.min(...bySecond)).toBeGreaterThan((hosts / 60) * 0.7);
  });
});

describe('the place in a period', () => {
  it('comes within one period, and is the same whenever it is asked for', () => {
    const now = fc.integer({ min: -1, max: 4_000_000_000_000 });
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(now, share, fc.integer({ min: 1, max: 3_600_000 }), (from, ofNode, periodMs) => {
        const at = placeAfter(from, ofNode, periodMs);
        expect(at).toBeGreaterThan(from);
        expect(at - from).toBeLessThanOrEqual(periodMs);
        expect(placeAfter(at - 1, ofNode, periodMs)).toBe(at);
        expect(placeAfter(at, ofNode, periodMs)).toBe(at + periodMs);
      }),
    );
  });
});

describe('ReportSchedule', () => {
  it.each(['rack-1', 'rack-2', 'rack-3'])(
    'has %s report soon at the place that it has each minute',
    async (nodeId) => {
      const due: number[] = [];
      const schedule = new ReportSchedule('* * * * *', nodeId);
      schedule.start(() => due.push(Date.now()));
      schedule.soon(60_000);
      const place = placeAfter(startedAt, offsetShare(nodeId), 60_000);
      expect(schedule.msToNext).toBe(place - startedAt);
      await vi.advanceTimersByTimeAsync(180_000);
      schedule.stop();
      expect(due).toEqual([place, place + 60_000, place + 120_000]);
    },
  );

  it('has a report soon where the next one is far away, and keeps that', async () => {
    const due: number[] = [];
    const schedule = new ReportSchedule('0 * * * *', 'rack-2');
    schedule.start(() => due.push(Date.now()));
    const msToNext = schedule.msToNext;
    schedule.soon(60_000);
    await vi.advanceTimersByTimeAsync(msToNext);
    schedule.stop();
    expect(due).toEqual([placeAfter(startedAt, offsetShare('rack-2'), 60_000), startedAt + msToNext]);
  });

  it('has no report more where the next one comes before that', async () => {
    const countOf = async (isSoon: boolean) => {
      let count = 0;
      const schedule = new ReportSchedule('* * * * * *', 'rack-2');
      schedule.start(() => count++);
      if (isSoon) schedule.soon(60_000);
      await vi.advanceTimersByTimeAsync(90_000);
      schedule.stop();
      return count;
    };
    expect(await countOf(true)).toBe(await countOf(false));
  });

  it('sleeps for no negative time where a report comes due as it looks', () => {
    let now = startedAt;
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 300));
    const sleeping = vi.spyOn(globalThis, 'setTimeout');
    const schedule = new ReportSchedule('* * * * * *', 'rack-1');
    schedule.start(() => {});
    vi.advanceTimersByTime(20_000);
    schedule.stop();
    const asked = sleeping.mock.calls.map(([, ms = 0]) => ms);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((ms) => ms < 0)).toEqual([]);
  });

  it.each(['rack-1', 'rack-2', 'rack-3'])('has %s report each minute at its own second', async (nodeId) => {
    const offsetSeconds = offsetShare(nodeId) * 60;
    const due = await dueSeconds('* * * * *', nodeId, 6);
    expect(due.length).toBeGreaterThanOrEqual(5);
    for (const [index, seconds] of due.entries()) {
      const expected = (due[0] ?? 0) - ((due[0] ?? 0) % 60) + index * 60 + offsetSeconds;
      expect(Math.abs(seconds - expected)).toBeLessThan(0.1);
    }
  });

  it('misses no report where the ticks are not evenly spaced, however late the host is in the period', async () => {
    const late = Array.from({ length: 1000 }, (_, index) => `host-${index}`).find(
      (nodeId) => offsetShare(nodeId) > 0.98,
    );
    const due = await dueSeconds('0,50 * * * *', late ?? '', 4 * 60);
    expect(due).toHaveLength(7);
  });

  it('is at most an hour late, however rare the reports are', async () => {
    const due = await dueSeconds('0 12 * * *', 'rack-2', 24 * 60);
    const noon = new Date(startedAt).setHours(12, 0, 0, 0) - startedAt;
    expect(due).toHaveLength(1);
    expect(Math.abs((due[0] ?? 0) - noon / 1000 - offsetShare('rack-2') * 3600)).toBeLessThan(1);
  });

  it.each(['* * * * *', '* * * * * *'])(
    'knows at any time how far the next report is, by %s',
    async (expression) => {
      const guesses: number[] = [];
      const due: number[] = [];
      const schedule = new ReportSchedule(expression, 'rack-2');
      schedule.start(() => {
        due.push(Date.now());
        guesses.push(Date.now() + schedule.msToNext);
      });
      guesses.push(Date.now() + schedule.msToNext);
      await vi.advanceTimersByTimeAsync(4 * schedule.periodMs);
      schedule.stop();
      expect(due.length).toBeGreaterThanOrEqual(3);
      for (const [index, at] of due.entries()) expect(Math.abs(at - (guesses[index] ?? 0))).toBeLessThan(50);
    },
  );

  describe('when the clock is set', () => {
    const yearMs = 365 * 86_400_000;

    /** How many reports come due in the two minutes before the clock is set, and in the three minutes after. */
    async function dueAround(jumpMs: number): Promise<{ before: number; after: number }> {
      let due = 0;
      const schedule = new ReportSchedule('* * * * *', 'rack-2');
      schedule.start(() => due++);
      await vi.advanceTimersByTimeAsync(2 * 60_000);
      const before = due;
      vi.setSystemTime(Date.now() + jumpMs);
      await vi.advanceTimersByTimeAsync(3 * 60_000);
      schedule.stop();
      return { before, after: due - before };
    }

    it.each([
      ['back a year', -yearMs],
      ['back ten minutes', -600_000],
      ['forward a year', yearMs],
      ['forward from 1970', Date.UTC(2026, 0, 1)],
    ])('%s, it goes on with a report a minute', async (_, jumpMs) => {
      const { before, after } = await dueAround(jumpMs);
      expect(before).toBeGreaterThanOrEqual(1);
      expect([2, 3, 4]).toContain(after);
    });
  });
});
