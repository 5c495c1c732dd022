import { expect, it } from 'vitest';
import {
  isAroundTheClock,
  isAtOneTimeOfDay,
  scheduled,
  workingHours,
} from '../../../src/diagnosis/losses/daily-pattern.ts';
import { START } from '../../findings/told.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = (day: number, hour: number) => Math.floor(START / DAY) * DAY + day * DAY + hour * HOUR;

it('three days at about one time are a habit, also around midnight', () => {
  expect(isAtOneTimeOfDay([clock(1, 23.5), clock(2, 0.2), clock(3, 23.8), clock(5, 0.4)])).toBe(true);
  expect(isAtOneTimeOfDay([clock(1, 18), clock(1, 18.1), clock(1, 18.2)])).toBe(false);
  expect(isAtOneTimeOfDay([clock(1, 3), clock(2, 11), clock(3, 20)])).toBe(false);
});

it('finds what a timer does among the rest', () => {
  const byTimer = [1, 2, 3].map((day) => clock(day, 22 + day / 100));
  const chance = [clock(1, 4), clock(2, 22.9), clock(3, 12)];
  expect([...scheduled([...chance, ...byTimer], 5 * 60_000)].sort()).toEqual(byTimer);
  expect(scheduled(chance, 5 * 60_000).size).toBe(0);
});

it('a working day is no time around the clock', () => {
  expect(isAroundTheClock([clock(1, 9), clock(2, 12), clock(3, 18)])).toBe(false);
  expect(isAroundTheClock([clock(1, 20), clock(2, 1), clock(3, 5)])).toBe(false);
  expect(isAroundTheClock([clock(1, 9), clock(2, 12), clock(3, 23)])).toBe(true);
  expect(isAroundTheClock([])).toBe(false);
});

it('learns from pluggings when people are there', () => {
  // Monday 4 May to Friday, 9 to 17 o'clock
  const plugged = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].flatMap((day) =>
    [9, 11, 13, 15, 17].map((hour) => clock(day, hour)),
  );
  const isAttended = workingHours(plugged);
  expect([clock(14, 8), clock(14, 16), clock(14, 19.5)].map(isAttended)).toEqual([true, true, true]);
  expect([clock(14, 3), clock(14, 23), clock(5, 12)].map(isAttended)).toEqual([false, false, false]);
  expect(workingHours(plugged.slice(0, 30))(clock(5, 12))).toBe(true);
  expect(workingHours(plugged.slice(0, 10))(clock(7, 3))).toBe(true);
});
