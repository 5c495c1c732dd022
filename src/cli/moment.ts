/** Reads dates and times as people write them. */
import { localTime } from '../base/calendar.ts';
import { UsageError } from './terminal.ts';

const MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const span = /^(\d{1,4})([mhdw])$/;

/** ISO 8601: a day, or a day and time with an optional zone. */
const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** On the clock on the wall. */
const timeOfDay = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * Reads `2h`, `3d`, `18:00`, `2026-11-23` or `2026-11-23T18:00` (in this host's time zone if the text names none). For
 * `--until` a span goes ahead from now, and a time of day is the next one; for the others they go back. A day means its end
 * for `--until` and `--to`, else its beginning. Of an hour that comes twice, when summer time ends, these take the second.
 *
 * @returns ms since the epoch; undefined for other text
 */
export function parseMoment(
  option: '--since' | '--until' | '--from' | '--to',
  text: string,
  now = Date.now(),
): number | undefined {
  const isAhead = option === '--until';
  const isEnd = isAhead || option === '--to';
  const [, amount, unit] = span.exec(text) ?? [];
  if (amount !== undefined) return now + (isAhead ? 1 : -1) * Number(amount) * MS[unit as keyof typeof MS];
  const [, hour, minute] = timeOfDay.exec(text) ?? [];
  if (hour !== undefined) {
    const at = new Date(now);
    at.setHours(Number(hour), Number(minute), 0, 0);
    const second = secondOf(at).getTime();
    if (isAhead ? at.getTime() <= now && second > now : isEnd && second <= now) return second;
    if (isAhead !== at.getTime() > now) at.setDate(at.getDate() + (isAhead ? 1 : -1));
    return at.getTime();
  }
  if (!moment.test(text)) return undefined;
  const [day = '', time] = text.split(/[T ]/);
  if (!new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)) return undefined; // 30 February
  const at = new Date(`${day}T${time ?? '00:00'}`);
  if (isEnd && time === undefined) at.setDate(at.getDate() + 1);
  const isLocal = !/[Z+-]/.test(time ?? '');
  return Number.isNaN(at.getTime()) ? undefined : (isEnd && isLocal ? secondOf(at) : at).getTime();
}

/** The same time on the clock an hour later, where summer time ends between the two; else this one. */
function secondOf(at: Date): Date {
  const again = new Date(at.getTime() + MS.h);
  return again.getHours() === at.getHours() ? again : at;
}

export function momentOf(option: Parameters<typeof parseMoment>[0], text: string): number {
  const at = parseMoment(option, text);
  if (at === undefined)
    throw new UsageError(
      `${option} ${text}: must be 30m, 2h, 3d, 1w (up to 9999w), a day (2026-11-23) or a time (18:00, 2026-11-23T18:00)`,
    );
  if (option !== '--since' || at <= Date.now()) return at;
  throw new UsageError(`${option} ${text}: must be in the past, and ${localTime(at)} is in the future`);
}

/** Reads `30m`, `2h`, `3d` or `1w`, as ms. @throws {UsageError} */
export function spanOf(option: string, text: string): number {
  const ms = span.test(text) ? parseMoment('--until', text, 0) : undefined;
  if (ms) return ms;
  throw new UsageError(`${option} ${text}: must be 30m, 2h, 3d or 1w (up to 9999w)`);
}

/** When something ends that begins now, ms since the epoch. @throws {UsageError} */
export function endOf({ until: text = '', for: length }: { until?: string; for?: string }): number {
  if (length !== undefined) return Date.now() + spanOf('--for', length);
  const until = momentOf('--until', text);
  if (until > Date.now()) return until;
  throw new UsageError(`--until ${text}: must be in the future, and ${localTime(until)} is past`);
}
