import { describe, expect, it } from 'vitest';
import { presenceOf } from '../../../src/diagnosis/losses/presence.ts';
import { inZone } from '../../findings/incidents/lab.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Monday 4 May 2026. */
const MONDAY = Date.UTC(2026, 4, 4);
const clock = (day: number, hour: number) => MONDAY + day * DAY + hour * HOUR;

describe('who may be in the lab', () => {
  it('before anything was seen: people at the hours of working days, by the clock on the wall', () => {
    inZone('America/Los_Angeles', () => {
      const { isAttended, isNearAttended } = presenceOf([]);
      const times = [clock(0, 16), clock(0, 26), clock(0, 28), clock(0, 10)];
      expect(times.map(isAttended)).toEqual([true, true, false, false]);
      // seven o'clock is 14 by UTC: who works from then on is there some minutes before
      expect([clock(0, 13.6), clock(0, 13.7)].map(isAttended)).toEqual([false, true]);
      expect([clock(5, 18), clock(6, 18)].map(isAttended)).toEqual([false, false]);
      expect([clock(0, 29), clock(0, 34)].map(isNearAttended)).toEqual([true, false]);
    });
  });

  it('once is no night shift, two nights are one; and two Saturdays', () => {
    expect(presenceOf([clock(0, 3)]).isAttended(clock(1, 3))).toBe(false);
    const shift = presenceOf([clock(0, 3), clock(1, 4)]);
    expect([clock(2, 2), clock(2, 5), clock(5, 3)].map(shift.isAttended)).toEqual([true, true, false]);
    expect(presenceOf([clock(5, 12), clock(12, 12)]).isAttended(clock(19, 12))).toBe(true);
  });

  it('is known by what was seen, where that is enough', () => {
    // Monday to Friday, 9 to 17 o'clock
    const seen = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].flatMap((day) =>
      [9, 11, 13, 15, 17].map((hour) => clock(day, hour)),
    );
    const { isAttended } = presenceOf(seen);
    expect([clock(14, 8), clock(14, 16), clock(14, 19.5)].map(isAttended)).toEqual([true, true, true]);
    expect([clock(14, 3), clock(14, 23), clock(5, 12)].map(isAttended)).toEqual([false, false, false]);
    const nights = seen.map((at) => at + 12 * HOUR);
    expect(presenceOf(nights).isAttended(clock(14, 14))).toBe(false);
    expect(presenceOf(nights).isAttended(clock(14, 23))).toBe(true);
  });

  it('is there until evening, where phones that go home are plugged in in the morning only', () => {
    const mornings = Array.from({ length: 40 }, (_, index) => clock(index - (index % 7) + (index % 5), 9.5));
    const { isAttended } = presenceOf([...mornings, ...mornings.map((at) => at + HOUR)]);
    expect([clock(49, 8), clock(49, 19)].map(isAttended)).toEqual([true, true]);
    expect([clock(49, 4), clock(49, 21)].map(isAttended)).toEqual([false, false]);
  });

  it('is there from the morning on, where phones come back in the evening only', () => {
    const evenings = Array.from({ length: 40 }, (_, index) => clock(index - (index % 7) + (index % 5), 17.5));
    const { isAttended } = presenceOf([...evenings, ...evenings.map((at) => at + HOUR)]);
    expect([clock(49, 8), clock(49, 20.5)].map(isAttended)).toEqual([true, true]);
    expect([clock(49, 4), clock(49, 22)].map(isAttended)).toEqual([false, false]);
  });

  it('is there all day, where phones are plugged in in the morning and late in the evening, and not at night', () => {
    const days = Array.from({ length: 20 }, (_, day) => day);
    const ends = days.flatMap((day) => [clock(day, 7.5), clock(day, 22.5), clock(day, 23.2)]);
    const { isAttended } = presenceOf(ends);
    expect([clock(21, 15), clock(21, 3)].map(isAttended)).toEqual([true, false]);
    const nights = days.flatMap((day) => [clock(day, 3), clock(day, 4.5)]);
    expect(presenceOf([...ends, ...nights]).isAttended(clock(21, 15))).toBe(false);
  });

  it('is not known by many phones that were plugged in in one hour', () => {
    const afternoon = Array.from({ length: 40 }, (_, index) => clock(2, 14) + index * 60_000);
    expect(presenceOf(afternoon).isAttended(clock(3, 8))).toBe(true);
  });
});
