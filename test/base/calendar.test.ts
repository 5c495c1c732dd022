import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duration, localDay, localMoment, localTime, wallTime, zoneName } from '../../src/base/calendar.ts';

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

it('a duration has one unit, and is never longer than it was', () => {
  const said = [999, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(duration);
  expect(said).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 days']);
});

it('says years where nobody counts days, and which zone a time is in', () => {
  expect(duration(217_513_029_000)).toBe('6.9 years');
  expect(duration(729 * 86_400_000)).toBe('729 days');
  expect(zoneName(Date.UTC(2026, 10, 23))).toMatch(/^[A-Z]{1,5}(?:[+-][\d:]+)?$/);
});
