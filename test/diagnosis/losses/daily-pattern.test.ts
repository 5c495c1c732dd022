import { expect, it } from 'vitest';
import { wallClock } from '../../../src/base/calendar.ts';
import { isAtOneTimeOfDay, scheduled, weekly } from '../../../src/diagnosis/losses/daily-pattern.ts';
import { inZone } from '../../findings/incidents/lab.ts';
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
  const days = (...some: number[]) =>
    scheduled(
      some.map((day) => clock(day, 22)),
      5 * 60_000,
    ).size;
  expect([days(1, 8, 15), days(1, 5, 15), days(1, 8)]).toEqual([3, 0, 0]);
  // Monday to Friday; two weekends of four days
  expect([days(1, 2, 3, 4, 5, 8, 9), days(1, 2, 8, 9)]).toEqual([7, 0]);
});

it('what goes once at a time of the week, and again a week later, is planned', () => {
  const days = (...some: number[]) =>
    weekly(
      some.map((day) => clock(day, 22)),
      5 * 60_000,
    ).length;
  expect([days(1, 4, 8, 11), days(1, 4, 8), days(1, 9), days(1, 1.003, 8, 8.003)]).toEqual([4, 2, 0, 0]);
});

it('a habit of six and a half hours is none', () => {
  const times = [9.5, 11, 12.5, 14, 16].map((hour, day) => clock(day, hour));
  expect(isAtOneTimeOfDay(times)).toBe(false);
});

it.each([
  ['Europe/Berlin', Date.UTC(2026, 2, 29), -1],
  ['America/Los_Angeles', Date.UTC(2026, 10, 1), 1],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 5), 0.5],
])(
  'a timer keeps its time by the clock on the wall of %s over the night of the change',
  (zone, change, later) =>
    inZone(zone, () => {
      const before = change - 3 * DAY + 22 * HOUR;
      const after = change + 2 * DAY + (22 + later) * HOUR;
      const times = [before, before + DAY, after, after + DAY];
      expect(times.map((at) => ((wallClock(at) - wallClock(before)) % DAY) / HOUR)).toEqual([0, 0, 0, 0]);
      expect(scheduled(times, 60_000).size).toBe(4);
    }),
);
