import { describe, expect, it } from 'vitest';
import { clockVerdict, TrustedClock, timely } from '../../src/base/clock.ts';

const at = (text: string): number => Date.parse(text);
const BUILD = '2611.22';
const NOW = at('2027-06-01T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('clockVerdict', () => {
  it.each([
    ['1970-01-01T00:00:07Z', 'early'],
    ['2010-06-01T00:00:00Z', 'early'],
    ['2026-11-19T23:59:59Z', 'early'],
    ['2026-11-20T00:00:00Z', 'right'],
    ['2031-01-01T00:00:00Z', 'right'],
    ['2036-11-22T00:00:00Z', 'right'],
    ['2038-01-19T03:14:08Z', 'late'],
    ['2099-12-31T00:00:00Z', 'late'],
  ] as const)('judges a clock of %s', (clock, verdict) => {
    expect(clockVerdict(at(clock), BUILD)).toBe(verdict);
  });

  it.each(['0000.00', '7001.01', '8001.01', '9901.01', 'nonsense', ''])(
    'takes the first version of all for a build that says no day: %s',
    (build) => {
      expect(clockVerdict(at('2025-12-29T00:00:00Z'), build)).toBe('early');
      expect(clockVerdict(at('2026-01-01T00:00:00Z'), build)).toBe('right');
    },
  );
});

describe('timely', () => {
  const now = at('2026-11-22T12:00:00Z');
  const lastWeek = at('2026-11-15T12:00:00Z');

  it('leaves what a right clock has written, also before this build was made', () => {
    expect(timely(lastWeek, now)).toBe(lastWeek);
    expect(timely(at('2026-01-02T00:00:00Z'), now)).toBe(at('2026-01-02T00:00:00Z'));
  });

  it.each([
    ['1970', at('1970-01-03T00:00:00Z')],
    ['before 1970', at('1969-12-31T00:00:00Z')],
    ['the year of a firmware', at('2019-01-01T00:00:00Z')],
    ['what is to come', at('2026-11-22T12:00:01Z')],
    ['2099', at('2099-01-01T00:00:00Z')],
  ])('counts from now on what was written in %s', (_, written) => {
    expect(timely(written, now)).toBe(now);
  });

  it('counts from now on what was written by a clock that was known to be wrong, and nothing else', () => {
    const wrongClockAt = at('2026-03-01T00:00:00Z');
    expect(timely(wrongClockAt - 1, now, wrongClockAt)).toBe(now);
    expect(timely(lastWeek, now, wrongClockAt)).toBe(lastWeek);
  });

  it('leaves all as it is while the clock is behind, and takes nothing for old while it is ahead', () => {
    const [behind, ahead] = [at('1970-01-01T00:01:00Z'), at('2099-01-01T00:00:00Z')];
    expect([timely(lastWeek, behind), timely(1_000, behind)]).toEqual([lastWeek, 1_000]);
    expect([timely(lastWeek, ahead), timely(ahead - 1, ahead)]).toEqual([ahead, ahead]);
  });
});

describe('the trusted clock', () => {
  it('is believed when it was not set for an hour, and is not certainly wrong', () => {
    let [now, uptime] = [NOW, 0];
    const clock = new TrustedClock(
      undefined,
      () => now,
      () => uptime,
    );
    const pass = (ms: number) => {
      now += ms;
      uptime += ms;
      return clock.look();
    };
    expect(pass(59 * MINUTE_MS)).toBeUndefined();
    expect(pass(MINUTE_MS)).toBe(now);
    now += 365 * DAY_MS; // set ahead
    expect(clock.look()).toBeUndefined();
    expect(pass(59 * MINUTE_MS)).toBeUndefined();
    now -= 365 * DAY_MS; // and back
    expect(pass(2 * MINUTE_MS)).toBeUndefined();
    expect(pass(HOUR_MS)).toBe(now);
    now = 0;
    expect(clock.look()).toBeUndefined();
    expect(pass(2 * HOUR_MS)).toBeUndefined(); // 1970
  });
});
