import { describe, expect, it } from 'vitest';
import {
  celsius,
  day,
  dayName,
  duration,
  exactly,
  moment,
  percent,
  usage,
} from '../../src/status/page/words.ts';

const at = (...[year, month, date, hour, minute]: [number, number, number, number, number]) =>
  new Date(year, month - 1, date, hour, minute, 7).getTime();
const now = at(2026, 11, 21, 14, 5);

describe('times', () => {
  it('shortens durations to one unit, and never to one that has not passed', () => {
    const ms = [-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000];
    expect(ms.map(duration).join('; ')).toBe(
      '0\u00a0s; 0\u00a0s; 59\u00a0s; 1\u00a0min; 59\u00a0min; 1\u00a0h; 47\u00a0h; 2\u00a0d',
    );
  });

  it('says of a moment what tells it from others', () => {
    expect(moment(at(2026, 11, 21, 9, 2), now)).toBe('09:02');
    expect(moment(at(2026, 11, 17, 9, 2), now)).toBe('Tue\u00a009:02');
    expect(moment(at(2026, 11, 2, 9, 2), now)).toBe('2\u00a0Nov');
    expect(moment(at(2026, 11, 23, 9, 2), now)).toBe('Mon\u00a009:02');
  });

  it('says of a day its name', () => {
    expect(
      [at(2026, 11, 21, 0, 0), at(2026, 11, 20, 23, 59), at(2026, 10, 1, 12, 0)].map((each) =>
        day(each, now),
      ),
    ).toEqual(['today', 'Fri', '1\u00a0Oct']);
  });

  it('heads a list of a day with its name', () => {
    const days = [at(2026, 11, 21, 0, 0), at(2026, 11, 20, 23, 59), at(2026, 11, 3, 12, 0)];
    expect(days.map((each) => dayName(each, now))).toEqual(['Today', 'Yesterday', 'Tue\u00a03\u00a0Nov']);
    expect(dayName(at(2026, 10, 31, 9, 0), at(2026, 11, 1, 9, 0))).toBe('Yesterday');
  });

  it('spells a moment out to the second', () => {
    expect(exactly(now)).toBe('2026-11-21 14:05:07');
  });
});

describe('quantities', () => {
  it('are empty where they are not known', () => {
    expect([percent(), celsius(), usage()]).toEqual(['', '', '']);
  });

  it('have their units', () => {
    expect(percent(0.874)).toBe('87\u00a0%');
    expect(celsius(47.25)).toBe('47.3\u00a0°C');
    expect(usage({ totalBytes: 128 * 1024 ** 3, usedBytes: 41.25 * 1024 ** 3 })).toBe(
      '41.3 / 128.0\u00a0GiB',
    );
    expect(usage({ totalBytes: 1024 ** 3 })).toBe('? / 1.0\u00a0GiB');
  });
});
