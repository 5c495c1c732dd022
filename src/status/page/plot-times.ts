/** The axis of time of a plot. Pure. */
import { clock, date } from './words.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How much time a plot spans, and how close its samples lie. */
export interface Span {
  /** Steps between two ticks, seconds: never less than what a label shows. */
  ticksSeconds: readonly number[];
  /** A longer gap between samples breaks the line, ms. */
  gapMs: number;
  /** Of the line, px. */
  width: number;
  label(at: Date): string;
}

/** Every five minutes. */
export const dayLong: Span = {
  ticksSeconds: [
    ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_SECONDS),
    ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * HOUR_SECONDS),
  ],
  gapMs: 15 * 60_000,
  width: 1.5,
  label: clock,
};

/** Every hour. */
export const monthsLong: Span = {
  ticksSeconds: [1, 2, 7, 14, 28].map((days) => days * DAY_SECONDS),
  gapMs: 3 * 3_600_000,
  width: 0.75,
  label: date,
};

/** The shortest axis, seconds: one sample stands in the middle of it. */
const SHORTEST_SECONDS = 10 * MINUTE_SECONDS;

/** The axis of samples between two times, seconds: what they span, but not less than ten minutes. */
export function timeRange(first: number, last: number): [number, number] {
  const lacking = Math.max(0, SHORTEST_SECONDS - (last - first)) / 2;
  return [first - lacking, last + lacking];
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
