import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dayOf,
  duration,
  hourOf,
  localDay,
  localMoment,
  localTime,
  msOfDay,
  wallTime,
  weekdayOf,
  zoneName,
} from '../../src/base/calendar.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = Date.UTC(2026, 10, 2, 23, 5);

describe('the time on the wall', () => {
  it('is that of this host, with its day or without', () => {
    expect([localDay(at), wallTime(at), localTime(at)]).toEqual(['2026-11-03', '00:05', '2026-11-03 00:05']);
  });

  it('needs no day where that is today', () => {
    expect(localMoment(at, Date.UTC(2026, 10, 3, 12))).toBe('00:05');
    expect(localMoment(at, Date.UTC(2026, 10, 2, 22, 59))).toBe('2026-11-03 00:05');
  });
});

it('a day, its hour and its weekday go by the clock on the wall, before 1970 and when that is set forward too', () => {
  expect([hourOf(at), msOfDay(at), weekdayOf(at)]).toEqual([0, 5 * 60_000, 2]);
  expect(dayOf(at) - dayOf(at - 6 * 60_000)).toBe(1);
  expect([hourOf(Date.UTC(2026, 2, 29, 0, 59)), hourOf(Date.UTC(2026, 2, 29, 1))]).toEqual([1, 3]);
  const long = Date.UTC(1969, 11, 30, 23, 30);
  expect([hourOf(long), weekdayOf(long), dayOf(long)]).toEqual([0, 3, -1]);
});

it('a duration has one unit, and is never longer than it was', () => {
  const said = [999, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(duration);
  expect(said).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 days']);
});

it('says years where nobody counts days, and which zone a time is in', () => {
  expect(duration(217_513_029_000)).toBe('6.9 years');
  expect(duration(729 * 86_400_000)).toBe('729 days');
  expect(zoneName(Date.UTC(2026, 10, 23))).toMatch(/^[A-Z]{1,5}(?:[+-][\d:]+)?$/);
});
