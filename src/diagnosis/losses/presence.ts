/**
 * When people are in the lab: at working hours of working days, until hands were seen often enough to know better. Hands
 * are seen where phones are plugged in again after they were away for long.
 */
import { DAY_MS, dayOf, HOUR_MS, hourOf, isWeekday, MINUTE_MS, weekdayOf } from '../../base/calendar.ts';
import { portOf } from '../../history/events/where.ts';
import type { RuleContext } from '../rule.ts';
import { clockAdjusted } from './clock-adjusted.ts';
import { scheduled, TIMER_MS } from './daily-pattern.ts';
import { backAt, hasLasted, type Loss, type Losses, type PlaceLoss, ROUTINE_MS } from './loss.ts';
import { isBrief } from './signs.ts';

export interface Presence {
  /** May somebody be there at this moment, ms since the epoch? */
  isAttended(at: number): boolean;
  /** Is the time of day so near to such an hour that somebody comes earlier, or leaves later, than we know; or by day? */
  isNearAttended(at: number): boolean;
  /** Is it so on that day, or can nobody know yet what this lab does, as in its first weeks? */
  isTimeOfPeople(at: number, weeks: number): boolean;
  /** So many times when people are there, and so many when nobody is, show people: a fault knows no hours. */
  isOfPeople(attended: number, alone: number): boolean;
}

/** From when to when people work where nothing is known of them, hours by the clock on the wall. */
const WORK_HOURS = { from: 7, to: 20 };
/** Nobody is there at night, up to this hour, but for those who come then. */
const NIGHT_ENDS = 5;
/** So many hours in which phones were plugged in show at which hours people work, and so many on which days. */
const LEAST_SEEN = { hours: 24, weekdays: 45 };
/** Hours around a plugging in which somebody may be there: who comes first and leaves last plugs nothing. */
const AROUND_HOURS = 2;
/** Hours and weekdays with less than this part of all pluggings have nobody there: one night shift is no rule. */
const PRESENCE_PART = 0.04;
/** Before that, who was seen there on so many days comes there. */
const LEAST_DAYS = 2;
/** In so many hours of one day: somebody is there that day. */
const LEAST_ON_DAY = 2;
/** Who works from seven on is there some minutes before. */
const EARLY_MS = 20 * MINUTE_MS;
/** Who comes early, or leaves late, does so by up to so many hours. */
const LATE_HOURS = 3;
const LATE_MS = LATE_HOURS * HOUR_MS;
/** What a lab does is known after a week; on the first day whoever sets the host up looks at it. */
const WEEK_MS = 7 * DAY_MS;
const HOURS = 24;

/** So many standard deviations more than what a fault does by chance when people are there. */
const DEVIATIONS = 2.6;

const partOf = (some: readonly boolean[]): number => some.filter(Boolean).length / some.length;

interface Hand {
  hour: number;
  weekday: number;
  day: number;
}

const handAt = (at: number): Hand => ({ hour: hourOf(at), weekday: weekdayOf(at), day: dayOf(at) });

const isAtWork = (hour: number): boolean => hour >= WORK_HOURS.from && hour < WORK_HOURS.to;

/** By what is known of the losses so far: what has another explanation than a person was plugged in by nobody. */
export function presenceIn({ losses, placeLosses, hostMarks }: Known, context: RuleContext): Presence {
  const plugged = [...losses.flatMap(putBack), ...switchedOn(placeLosses, hostMarks), ...broughtIn(context)];
  return presenceOf(plugged, context.events[0]?.at, context.now.at);
}

type Known = Pick<Losses, 'losses' | 'hostMarks'> & { placeLosses: readonly PlaceLoss[] };

/**
 * @param plugged when somebody plugged in a phone, or switched one on, ms since the epoch
 * @param since when the host became known, @param now both ms since the epoch
 */
export function presenceOf(plugged: readonly number[], since = 0, now = since): Presence {
  const seen = handsIn(plugged);
  const isComeTo = (those: readonly Hand[]) => new Set(those.map(({ day }) => day)).size >= LEAST_DAYS;
  const days = Array.from({ length: 7 }, (_, weekday) => {
    const there = seen.filter((hand) => hand.weekday === weekday);
    const alike = seen.filter((hand) => isWeekday(hand.weekday) === isWeekday(weekday));
    if (seen.length < LEAST_SEEN.weekdays) return isWeekday(weekday) || isComeTo(alike);
    return there.length > seen.length * PRESENCE_PART;
  });
  const isKnown = seen.length >= LEAST_SEEN.hours;
  // who comes in the morning and in the evening may be there in between, but for those who come at night
  const isByDay =
    !isKnown || seen.filter(({ hour }) => hour < NIGHT_ENDS).length <= seen.length * PRESENCE_PART;
  const hours = Array.from({ length: HOURS }, (_, hour) => {
    const there = seen.filter((hand) => isNear(hand.hour, hour, AROUND_HOURS));
    const isComeThen = isKnown ? there.length > seen.length * PRESENCE_PART : isComeTo(there);
    return isComeThen || (isByDay && isAtWork(hour));
  });
  const part = partOf(hours) * partOf(days);
  // on its first weekend nobody knows yet that a lab works then
  const handsOn = Map.groupBy(seen, ({ day }) => day);
  const isBusy = (day: number) => (handsOn.get(day)?.length ?? 0) >= LEAST_ON_DAY;
  const isHourOfPeople = (at: number): boolean => {
    const { hour, weekday, day } = handAt(at);
    return hours[hour] === true && (days[weekday] === true || isBusy(day));
  };
  const isAttended = (at: number): boolean => isHourOfPeople(at) || isHourOfPeople(at + EARLY_MS);
  const isNearOnDay = (at: number): boolean => [-LATE_MS, 0, LATE_MS].some((byMs) => isAttended(at + byMs));
  return {
    isAttended,
    isNearAttended: (at) => {
      const then = hourOf(at);
      return isAtWork(then) || hours.some((is, hour) => is && isNear(then, hour, LATE_HOURS));
    },
    isTimeOfPeople: (at, weeks) => (at - since < weeks * WEEK_MS ? now - since >= DAY_MS : isNearOnDay(at)),
    isOfPeople: (attended, alone) => {
      const all = attended + alone;
      return attended - all * part > DEVIATIONS * Math.sqrt(all * part * (1 - part));
    },
  };
}

/** When phones were plugged in: who plugs all cables of a hub anew was there once. */
function handsIn(plugged: readonly number[]): Hand[] {
  const hands = plugged.map(handAt);
  return [...new Map(hands.map((hand) => [`${hand.day} ${hand.hour}`, hand])).values()];
}

const isNear = (one: number, other: number, hours: number): boolean =>
  Math.min((one - other + HOURS) % HOURS, (other - one + HOURS) % HOURS) <= hours;

/** A hub that fails is back sooner, or when somebody comes; one that is off for long is switched on by hand, or by a timer. So is a host. */
function switchedOn(placeLosses: readonly PlaceLoss[], hostMarks: Losses['hostMarks']): number[] {
  const off = placeLosses.filter((loss) => loss.kind !== 'network' && hasLasted(loss, ROUTINE_MS));
  const started = hostMarks.filter(({ offMs = 0 }) => offMs >= ROUTINE_MS);
  return [off.flatMap((loss) => backAt(loss) ?? []), started.map(({ at }) => at)].flatMap((times) => {
    const byTimer = scheduled(times, TIMER_MS);
    return times.filter((at) => !byTimer.has(at));
  });
}

/** Somebody plugs in a phone that was never seen. */
function broughtIn({ events }: RuleContext): number[] {
  const known = new Set<string>();
  return [...clockAdjusted(events)].flatMap(([event, { at }]) => {
    const { udid, kind, where } = event;
    if (udid === undefined || known.has(udid)) return [];
    known.add(udid);
    return kind === 'attached' && portOf(where) !== undefined ? at : [];
  });
}

/** Who takes a phone has it for so long; what a loose cable loses, for minutes at all hours, is no sign of people. */
const TAKEN_MS = 5 * 60_000;

function putBack(loss: Loss): number[] {
  const { at, cause, medium, back } = loss;
  if (!back || medium !== 'usb' || isBrief(loss) || back.at - at < TAKEN_MS) return [];
  return cause && cause.kind !== 'handled' ? [] : [back.at];
}
