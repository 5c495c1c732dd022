/** The axis of time of a plot. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, wallTime } from '../../base/calendar.ts';
import { date } from './words.ts';

/** How much time a plot spans, and how close its samples lie. */
export interface Span {
  /** From when on the axis shows, ms, where its end is at `until`. */
  begin(until: number): number;
  end(until: number): number;
  /** Steps between two ticks, ms: never less than what a label shows. */
  ticksMs: readonly number[];
  /** A longer gap between samples breaks the line, ms. */
  gapMs: number;
  /** Of the line, px. */
  width: number;
  label(at: number): string;
}

/** Every five minutes. */
export const dayLong: Span = {
  begin: (until) => until - DAY_MS,
  end: (until) => until,
  ticksMs: [
    ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * HOUR_MS),
  ],
  gapMs: 15 * MINUTE_MS,
  width: 1.5,
  label: wallTime,
};

/** Every hour; as many whole days as the bars above. */
export const monthsLong: Span = {
  begin: (until) => midnight(until, -89),
  end: (until) => midnight(until, 1),
  ticksMs: [1, 2, 7, 14, 28].map((days) => days * DAY_MS),
  gapMs: 3 * HOUR_MS,
  width: 0.75,
  label: date,
};

/** The start of the day so many days after this one, in the browser's time, ms. */
function midnight(at: number, days: number): number {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() + days);
}

/**
 * The values that need a point, since no line reaches them: those with a gap on both sides. Of few values all.
 *
 * @param values null breaks the line
 * @returns indices
 */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  const known = values.flatMap((value, index) => (value == null ? [] : index));
  if (known.length <= FEW) return known;
  return known.filter((index) => values[index - 1] == null && values[index + 1] == null);
}

/** So few values each get a point. */
const FEW = 24;
