/** Times for people, in this host's time zone. `at`: ms since the epoch. */

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
