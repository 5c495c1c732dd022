/** Reads dates and times as people write them. */

const MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** ISO 8601: a day, or a day and time with an optional zone. */
const moment = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Reads `2h`, `3d`, `2026-11-23` (the end of that day) or `2026-11-23T18:00` (in this host's time zone if
 * the text names none).
 *
 * @returns ms since the epoch; undefined for other text
 */
export const parseUntil = (text: string, now = Date.now()): number | undefined =>
  parseSpan(text, now, 1) ?? parseTime(text, 1);

/**
 * The same in the past: `7d` ago, the begin of a day, or a time.
 *
 * @returns ms since the epoch; undefined for other text
 */
export const parseSince = (text: string, now = Date.now()): number | undefined =>
  parseSpan(text, now, -1) ?? parseTime(text, 0);

function parseSpan(text: string, now: number, sign: 1 | -1): number | undefined {
  const [, amount, unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  return amount === undefined ? undefined : now + sign * Number(amount) * MS[unit as keyof typeof MS];
}

/** @param daysLater which midnight a day without a time means: 0 its begin, 1 its end */
function parseTime(text: string, daysLater: 0 | 1): number | undefined {
  const [, year, month, day, hour, minute, second, zone] = moment.exec(text) ?? [];
  if (year === undefined) return undefined;
  const isDay = new Date(`${year}-${month}-${day}T00:00:00Z`).toJSON()?.startsWith(`${year}-${month}-${day}`);
  if (!isDay) return undefined; // 30 February
  const at =
    hour === undefined
      ? new Date(Number(year), Number(month) - 1, Number(day) + daysLater).getTime()
      : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}${zone ?? ''}`);
  return Number.isNaN(at) ? undefined : at;
}
