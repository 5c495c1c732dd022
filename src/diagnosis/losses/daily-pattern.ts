/** Times of day: what happens every day at the same time is a person’s or a timer’s, and not a fault. */
import { DAY_MS } from '../../base/calendar.ts';

/** Nobody works longer. */
const WORKDAY_MS = 10 * 3_600_000;
/** So many times make a pattern. */
const LEAST_TIMES = 3;
/** Mean length of the times as hands of a clock, 0 to 1: 0.9 is about an hour and three quarters around the mean. */
const CONCENTRATION = 0.9;
/** So many times that phones were plugged in show at which hours people work, and so many on which days. */
const LEAST_PLUGGED = { hours: 24, weekdays: 45 };
/** Hours around a plugging in which somebody may be there: who comes first and leaves last plugs nothing. */
const AROUND_HOURS = 2;
/** Hours and weekdays with less than this part of all pluggings have nobody there: one night shift is no rule. */
const PRESENCE_PART = 0.04;

const onClock = (at: number): number => (((at % DAY_MS) + DAY_MS) % DAY_MS) / DAY_MS;

/** Whether times of at least three days lie around one time of day. */
export function isAtOneTimeOfDay(times: readonly number[]): boolean {
  if (new Set(times.map((at) => Math.floor(at / DAY_MS))).size < LEAST_TIMES) return false;
  let [east, north] = [0, 0];
  for (const at of times) {
    east += Math.cos(onClock(at) * 2 * Math.PI);
    north += Math.sin(onClock(at) * 2 * Math.PI);
  }
  return Math.hypot(east, north) / times.length >= CONCENTRATION;
}

/** Whether some of these times lie outside of any one working day. In times n log n. */
export function isAroundTheClock(times: readonly number[]): boolean {
  if (times.length === 0) return false;
  const sorted = times.map(onClock).sort((one, other) => one - other);
  const gaps = sorted.map((on, index) => (sorted[index + 1] ?? (sorted[0] ?? 0) + 1) - on);
  return Math.max(0, ...gaps.slice(-MOST_COMPARED)) * DAY_MS < DAY_MS - WORKDAY_MS;
}

/**
 * Those that belong to a schedule: at least three of them, of different days, lie within the slack of that time of day.
 * In times n log n.
 */
export function scheduled(times: readonly number[], slackMs: number): Set<number> {
  const sorted = times.toSorted((one, other) => onClock(one) - onClock(other));
  const ring = [
    ...sorted.map((at) => ({ at, on: onClock(at) })),
    ...sorted.map((at) => ({ at, on: onClock(at) + 1 })),
  ];
  const found = new Set<number>();
  for (let from = 0, to = 0; from < sorted.length; from += 1) {
    while (to < ring.length && (ring[to]?.on ?? 0) - (ring[from]?.on ?? 0) <= (2 * slackMs) / DAY_MS) to += 1;
    const near = ring.slice(from, Math.min(to, from + MOST_COMPARED));
    if (new Set(near.map(({ at }) => Math.floor(at / DAY_MS))).size < LEAST_TIMES) continue;
    for (const { at } of near) found.add(at);
  }
  return found;
}

/** A phone that lies makes thousands of times: a schedule shows in fewer. */
const MOST_COMPARED = 100;

/**
 * Learns when people are in the lab from when phones are plugged in: at which hours, on which days of the week. So it
 * needs no time zone.
 *
 * @returns whether somebody may be there at a moment; always true where too little is known
 */
export function workingHours(plugged: readonly number[]): (at: number) => boolean {
  const hours = countsOf(plugged.map(hourOf));
  const weekdays = countsOf(plugged.map(weekdayOf));
  const need = plugged.length * PRESENCE_PART;
  return (at) => {
    if (plugged.length < LEAST_PLUGGED.hours) return true;
    let around = 0;
    for (let offset = -AROUND_HOURS; offset <= AROUND_HOURS; offset += 1)
      around += hours.get((hourOf(at) + offset + 24) % 24) ?? 0;
    const isWorkday = plugged.length < LEAST_PLUGGED.weekdays || (weekdays.get(weekdayOf(at)) ?? 0) > need;
    return around > need && isWorkday;
  };
}

const hourOf = (at: number): number => Math.floor(onClock(at) * 24);
const weekdayOf = (at: number): number => ((Math.floor(at / DAY_MS) % 7) + 7) % 7;

const countsOf = (numbers: readonly number[]): Map<number, number> =>
  new Map([...Map.groupBy(numbers, (number) => number)].map(([number, all]) => [number, all.length]));
