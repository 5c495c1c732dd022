import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { offsetShare, ReportSchedule } from '../../src/agent/schedule.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const nodeId = 'rack-2';
/** The place of this host between two reports that are an hour or more from each other. */
const offsetMs = Math.floor(offsetShare(nodeId) * HOUR_MS);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** When reports come due from one moment to another, ms since the epoch; the host's own place taken off. */
async function dueBetween(expression: string, from: number, until: number): Promise<number[]> {
  vi.useFakeTimers({ now: from });
  const due: number[] = [];
  const schedule = new ReportSchedule(expression, nodeId);
  schedule.start(() => due.push(Date.now()));
  const placeMs = Math.floor(offsetShare(nodeId) * Math.min(schedule.periodMs, HOUR_MS));
  await vi.advanceTimersByTimeAsync(until - from + placeMs);
  schedule.stop();
  return due.map((at) => at - placeMs);
}

/** The same without the timers, from one report to the next. */
function ticksBetween(expression: string, from: number, until: number): number[] {
  vi.useFakeTimers({ now: from });
  const schedule = new ReportSchedule(expression, nodeId);
  const placeMs = Math.floor(offsetShare(nodeId) * Math.min(schedule.periodMs, HOUR_MS));
  const due: number[] = [];
  for (let at = from; ; vi.setSystemTime(at)) {
    at += schedule.msToNext;
    if (at > until + placeMs) return due;
    due.push(at - placeMs);
  }
}

const shown = (times: readonly number[]): string[] =>
  times.map((at) => new Date(at).toISOString().slice(0, 16));
const minutesBetween = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => (at - (times[index] ?? at)) / MINUTE_MS);

/** The moment of each change in 2026, UTC. */
const zones = [
  {
    zone: 'Europe/Berlin',
    // 02:00 becomes 03:00, and 03:00 becomes 02:00
    spring: { at: '2026-03-29T01:00', daily: ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'] },
    autumn: { at: '2026-10-25T01:00', daily: ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'] },
  },
  {
    zone: 'America/New_York',
    // 02:00 becomes 03:00, and 02:00 becomes 01:00: 02:30 comes once
    spring: { at: '2026-03-08T07:00', daily: ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30'] },
    autumn: { at: '2026-11-01T06:00', daily: ['2026-10-31T06:30', '2026-11-01T07:30', '2026-11-02T07:30'] },
  },
  {
    zone: 'Australia/Lord_Howe',
    // half an hour: 02:00 becomes 02:30, and 02:00 becomes 01:30
    spring: { at: '2026-10-03T15:30', daily: ['2026-10-02T16:00', '2026-10-03T15:30', '2026-10-04T15:30'] },
    autumn: { at: '2026-04-04T15:00', daily: ['2026-04-03T15:30', '2026-04-04T16:00', '2026-04-05T16:00'] },
  },
];

describe.each(zones)('a schedule in $zone', ({ zone, spring, autumn }) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone);
  });

  describe.each([
    ['spring', spring],
    ['autumn', autumn],
  ])('when the clock is changed in %s', (_, { at, daily }) => {
    const change = Date.parse(`${at}Z`);
    const around = (expression: string, hours: number) =>
      dueBetween(expression, change - hours * HOUR_MS, change + hours * HOUR_MS);

    it('is due once in each night by `30 2 * * *`', async () => {
      expect(shown(await around('30 2 * * *', 28))).toEqual(daily);
    });

    it('loses no week by `30 2 * * 0`', async () => {
      const due = await around('30 2 * * 0', 28);
      expect(shown(due)).toEqual([daily[1]]);
    });

    it('ticks every five minutes of the time that passes by `*/5 * * * *`', async () => {
      const due = await around('*/5 * * * *', 6);
      expect(due).toHaveLength(12 * 12);
      expect(new Set(minutesBetween(due))).toEqual(new Set([5]));
    });

    it('ticks each hour by `0 * * * *`, and where the clock is changed by half an hour, half an hour later', async () => {
      const gaps = minutesBetween(await around('0 * * * *', 6));
      const isHalf = zone === 'Australia/Lord_Howe';
      expect(gaps.filter((gap) => gap !== 60)).toEqual(isHalf ? [90] : []);
      expect(gaps.length).toBeGreaterThanOrEqual(isHalf ? 9 : 10);
    });

    it.each(['45 1 * * *', '0 2 * * *', '15 2 * * *', '0 3 * * *', '59 59 23 * * *', '0 0 * * *'])(
      'is due on each of three days by `%s`',
      (expression) => {
        const due = ticksBetween(expression, change - 36 * HOUR_MS, change + 36 * HOUR_MS);
        expect(due).toHaveLength(3);
        for (const gap of minutesBetween(due)) expect(Math.abs(gap - 24 * 60)).toBeLessThanOrEqual(60);
      },
    );
  });
});

describe('a schedule of certain hours', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
  });

  it('makes one report of all that a change skips', async () => {
    const change = Date.parse('2026-03-29T01:00Z');
    const due = await dueBetween('*/10 2 * * *', change - 12 * HOUR_MS, change + 12 * HOUR_MS);
    expect(shown(due)).toEqual(['2026-03-29T01:00']);
  });

  it('has no report twice when it starts in the hour that comes again', async () => {
    const again = Date.parse('2026-10-25T01:10Z');
    expect(shown(await dueBetween('30 2 * * *', again, again + 24 * HOUR_MS))).toEqual([]);
    expect(shown(await dueBetween('30 2,3 * * *', again, again + 6 * HOUR_MS))).toEqual(['2026-10-25T02:30']);
  });

  it('keeps the place of the host in the period', async () => {
    const from = Date.parse('2026-03-28T20:00Z');
    vi.useFakeTimers({ now: from });
    const schedule = new ReportSchedule('30 2 * * *', nodeId);
    expect(schedule.msToNext).toBe(Date.parse('2026-03-29T01:00Z') - from + offsetMs);
    schedule.stop();
  });

  it('finds 29 February of a leap year, and what is rarer', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00Z') });
    const schedule = new ReportSchedule('0 12 29 2 0', nodeId);
    expect(shown([Date.now() + schedule.msToNext - offsetMs])).toEqual(['2032-02-29T11:00']);
    schedule.stop();
  });
});
