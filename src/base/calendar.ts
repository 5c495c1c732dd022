/** Spans of time, and times of the day in this host's time zone. `at`: ms since the epoch. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** In one unit: `12 s`, `3 min`, `2 h`, `4 days`, `6.9 years`; of what a clock that was set back puts ahead, `0 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  const days = seconds / 86_400;
  return days < 730 ? `${Math.floor(days)} days` : `${(days / 365.25).toFixed(1)} years`;
}

/** What the clock on the wall shows, daylight saving included, as ms since the epoch if that were UTC. */
export const wallClock = (at: number): number => at - new Date(at).getTimezoneOffset() * MINUTE_MS;

const partOf = (value: number, whole: number): number => ((value % whole) + whole) % whole;
/** Since midnight. */
export const msOfDay = (at: number): number => partOf(wallClock(at), DAY_MS);
export const hourOf = (at: number): number => Math.floor(msOfDay(at) / HOUR_MS);
/** Counts the days. */
export const dayOf = (at: number): number => Math.floor(wallClock(at) / DAY_MS);
/** 0 for Sunday. 1 January 1970 was a Thursday. */
export const weekdayOf = (at: number): number => partOf(dayOf(at) + 4, 7);
export const isWeekday = (weekday: number): boolean => weekday >= 1 && weekday <= 5;

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-23`. */
export function localDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `18:00`. */
export function wallTime(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `2026-11-23 18:00`. */
export const localTime = (at: number): string => `${localDay(at)} ${wallTime(at)}`;

/** Without the day if that is today: `18:00`, `2026-11-23 18:00`. */
export const localMoment = (at: number, now = Date.now()): string =>
  localDay(at) === localDay(now) ? wallTime(at) : localTime(at);

/** This host's time zone at that time: `UTC`, `CET`, `GMT+5:30`. */
export const zoneName = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
