/**
 * Times of day by the clock of the host, which people, timers and scripts live by: what happens every day at the same time
 * is theirs, and not a fault.
 */
import { DAY_MS, dayOf, MINUTE_MS, msOfDay, wallClock } from '../../base/calendar.ts';
import { median } from '../../base/statistics.ts';
import { hubsAbove } from '../../history/events/where.ts';
import { backAt, hasLasted, NETWORK, type PlaceLoss, ROUTINE_MS } from './loss.ts';

/** A timer switches within this time of its setting. */
export const TIMER_MS = 15 * MINUTE_MS;
/** So many times make a pattern. */
const LEAST_TIMES = 3;
/** Mean length of the times as hands of a clock, 0 to 1: 0.95 is about an hour and a quarter around the mean. */
const CONCENTRATION = 0.95;

/** The time of day, 0 to 1. */
const onClock = (at: number): number => msOfDay(at) / DAY_MS;

/** Whether times of at least so many days, three if not given, lie around one time of day. */
export function isAtOneTimeOfDay(times: readonly number[], leastDays = LEAST_TIMES): boolean {
  if (new Set(times.map(dayOf)).size < leastDays) return false;
  let [east, north] = [0, 0];
  for (const at of times) {
    const angle = onClock(at) * 2 * Math.PI;
    east += Math.cos(angle);
    north += Math.sin(angle);
  }
  return Math.hypot(east, north) / times.length >= CONCENTRATION;
}

/**
 * Those that belong to a schedule: at least three of them, of different days, lie within the slack of one time of day, on days
 * that are evenly spaced. In times n log n.
 */
export function scheduled(times: readonly number[], slackMs: number): Set<number> {
  const sorted = times
    .map((at) => ({ at, day: dayOf(at), on: onClock(at) }))
    .sort((one, other) => one.on - other.on);
  const ring = [...sorted, ...sorted.map((each) => ({ ...each, on: each.on + 1 }))];
  const found = new Set<number>();
  for (let from = 0, to = 0; from < sorted.length; from += 1) {
    while (to < ring.length && (ring[to]?.on ?? 0) - (ring[from]?.on ?? 0) <= (2 * slackMs) / DAY_MS) to += 1;
    const near = ring.slice(from, Math.min(to, from + MOST_COMPARED));
    if (isPlan(new Set(near.map(({ day }) => day)))) for (const { at } of near) found.add(at);
  }
  return found;
}

/** Those once at a time of the week, and again a week before or after. What shakes loose does so several times then. */
export function weekly(times: readonly number[], slackMs: number): number[] {
  const shown = times.map(wallClock);
  const isOnce = (moment: number): boolean =>
    shown.filter((each) => Math.abs(each - moment) <= 2 * slackMs).length === 1;
  const isWeekly = (moment: number): boolean =>
    isOnce(moment) && [-7, 7].some((days) => isOnce(moment + days * DAY_MS));
  return times.filter((at) => isWeekly(wallClock(at)));
}

/** Enough days, evenly spaced: each day, every other day, each week; few are left out. */
function isPlan(days: ReadonlySet<number>): boolean {
  const sorted = [...days].sort((one, other) => one - other);
  const gaps = sorted.slice(1).map((day, index) => day - (sorted[index] ?? day));
  const shortest = Math.min(...gaps);
  const isEven = gaps.every((gap) => gap % shortest === 0);
  const span = gaps.reduce((sum, gap) => sum + gap, shortest);
  return days.size >= LEAST_TIMES && isEven && days.size * 2 * shortest >= span;
}

/**
 * Of so many waits in a row so many are alike, by this part of the middle one: a script that goes by the level of batteries waits
 * about as long each time. Of faults one row in some hundreds is so by chance.
 */
const CYCLE = { waits: 6, alike: 5, slack: 0.3 };

/** Those that follow each other after the same time, again and again: a charging cycle. @param times oldest first */
function cyclic(times: readonly number[]): Set<number> {
  const found = new Set<number>();
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? at));
  for (let from = 0; from + CYCLE.waits <= waits.length; from += 1) {
    const row = waits.slice(from, from + CYCLE.waits);
    const middle = median(row) ?? 0;
    const near = row.flatMap((wait, index) => (Math.abs(wait - middle) <= middle * CYCLE.slack ? index : []));
    if (near.length < CYCLE.alike) continue;
    for (const index of near) for (const at of times.slice(from + index, from + index + 2)) found.add(at);
  }
  return found;
}

/** A phone that lies makes thousands of times: a schedule shows in fewer. */
const MOST_COMPARED = 100;

/** Of each uppermost hub, and of the network. What takes several hubs takes each of them. */
function byPlace(placeLosses: readonly PlaceLoss[]): PlaceLoss[][] {
  const found = placeLosses.flatMap((loss) => {
    const hubs = loss.losses.map(({ where }) => hubsAbove(where).at(-1) ?? '');
    return [...new Set(loss.kind === 'network' ? [NETWORK] : hubs)].map((place) => ({ place, loss }));
  });
  return [...Map.groupBy(found, ({ place }) => place).values()].map((some) => some.map(({ loss }) => loss));
}

/** What charges in cycles is off for at least this time. */
const CYCLE_MS = 10 * MINUTE_MS;
const MOST_OF_PLACE = 60;

/** A timer, a script, a charging cycle, or people who switch a rack off and on each day, or take a cart out. */
export function onScheduleOf(placeLosses: readonly PlaceLoss[]): Set<PlaceLoss> {
  const ofPlaces = byPlace(placeLosses).flatMap((pool) => {
    const times = pool.map(({ at }) => at);
    const ofPool = new Set([
      ...scheduled(times, TIMER_MS),
      ...weekly(times.slice(-MOST_OF_PLACE), TIMER_MS),
      ...cyclic(pool.filter((loss) => hasLasted(loss, CYCLE_MS)).map(({ at }) => at)),
      ...routine(pool),
    ]);
    return pool.filter(({ at }) => ofPool.has(at));
  });
  return new Set(ofPlaces);
}

/** Those for long that begin at the time of day at which others do, if all end at one, too. */
function routine(pool: readonly PlaceLoss[]): number[] {
  const long = pool.filter((loss) => hasLasted(loss, ROUTINE_MS)).slice(-MOST_OF_PLACE);
  const ended = long.filter((loss) => backAt(loss) !== undefined);
  const ends = ended.flatMap((loss) => backAt(loss) ?? []);
  if (!isAtOneTimeOfDay(ends, 2)) return [];
  const begins = ended.map(({ at }) => at);
  return long.flatMap(({ at }) => (isAtOneTimeOfDay([...begins, at]) ? [at] : []));
}
