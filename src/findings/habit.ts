/** Times of day: what happens every day at the same time is a habit or a schedule, and not a fault. */

const DAY_MS = 86_400_000;
/** So many times make a habit. */
const LEAST_TIMES = 3;
/** Mean length of the times as hands of a clock, 0 to 1: 0.9 is about an hour and three quarters around the mean. */
const CONCENTRATION = 0.9;
/** So many times that phones were plugged in show when people work. */
const LEAST_PLUGGED = 10;
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
    if (plugged.length < LEAST_PLUGGED) return true;
    let around = 0;
    for (let offset = -AROUND_HOURS; offset <= AROUND_HOURS; offset += 1)
      around += hours.get((hourOf(at) + offset + 24) % 24) ?? 0;
    return around > need && (weekdays.get(weekdayOf(at)) ?? 0) > need;
  };
}

const hourOf = (at: number): number => Math.floor(onClock(at) * 24);
const weekdayOf = (at: number): number => ((Math.floor(at / DAY_MS) % 7) + 7) % 7;

const countsOf = (numbers: readonly number[]): Map<number, number> =>
  new Map([...Map.groupBy(numbers, (number) => number)].map(([number, all]) => [number, all.length]));
