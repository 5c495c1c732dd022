/** Times and quantities as text, in the browser's time zone. Pure. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GIB = 1024 ** 3;

/** `12 s`, `3 min`, `5 h`, `4 d`: rounded down, with a no-break space. */
export function duration(ms: number): string {
  const [size, unit] = unitOf(Math.max(0, ms));
  return `${Math.floor(Math.max(0, ms) / size)}\u00a0${unit}`;
}

function unitOf(ms: number): [number, string] {
  if (ms < MINUTE) return [SECOND, 's'];
  if (ms < HOUR) return [MINUTE, 'min'];
  return ms < 2 * DAY ? [HOUR, 'h'] : [DAY, 'd'];
}

/** `14:02` today, `Tue 14:02` within the last days, else `12 Nov`. */
export function moment(at: number, now: number): string {
  return Math.abs(now - at) < 6 * DAY ? `${dayBefore(at, now)}${clock(new Date(at))}` : date(new Date(at));
}

/** `14:02:11`. */
export const timeOfDay = (at: number): string => clockToTheSecond(new Date(at));

/** Empty today, else `Tue ` or `12 Nov `. */
function dayBefore(at: number, now: number): string {
  const word = day(at, now);
  return word === 'today' ? '' : `${word}\u00a0`;
}

/** `today`, `Tue`, `12 Nov`. */
export function day(at: number, now: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date(now).toDateString()) return 'today';
  return Math.abs(now - at) < 6 * DAY ? weekday(then) : date(then);
}

/** `Today`, `Yesterday`, `Tue 3 Nov`. */
export function dayName(at: number, now: number): string {
  const then = new Date(at);
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (then.toDateString() === new Date(now).toDateString()) return 'Today';
  if (then.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return `${weekday(then)}\u00a0${date(then)}`;
}

/** `2026-11-21 14:02:11`. */
export function exactly(at: number): string {
  const then = new Date(at);
  const day = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join('-');
  return `${day} ${clockToTheSecond(then)}`;
}

const two = (value: number) => String(value).padStart(2, '0');
export const clock = (then: Date): string => `${two(then.getHours())}:${two(then.getMinutes())}`;
const clockToTheSecond = (then: Date) => `${clock(then)}:${two(then.getSeconds())}`;
export const date = (then: Date): string =>
  `${then.getDate()}\u00a0${then.toLocaleDateString('en-GB', { month: 'short' })}`;
const weekday = (then: Date) => then.toLocaleDateString('en-GB', { weekday: 'short' });

export const percent = (ratio?: number): string =>
  ratio === undefined ? '' : `${Math.round(ratio * 100)}\u00a0%`;

export const celsius = (degrees?: number): string =>
  degrees === undefined ? '' : `${degrees.toFixed(1)}\u00a0°C`;

/** `41.2 / 128.0 GiB`. */
export const usage = (bytes?: { totalBytes: number; usedBytes?: number }): string =>
  bytes === undefined
    ? ''
    : `${bytes.usedBytes === undefined ? '?' : (bytes.usedBytes / GIB).toFixed(1)} / ${(bytes.totalBytes / GIB).toFixed(1)}\u00a0GiB`;

/** `1 phone`, `6 phones`. */
export const phones = (count: number): string => `${count} ${count === 1 ? 'phone' : 'phones'}`;

/** `1 needs attention`, `3 need attention`. */
export const needsAttention = (count: number): string =>
  `${count} ${count === 1 ? 'needs' : 'need'} attention`;

/** A sentence in which no line ends between a number and its unit. */
export const withUnits = (text: string): string =>
  text.replace(/(\d) (°C|%|s|min|h|d)\b|(\d) (°C|%)/g, (found) => found.replace(' ', '\u00a0'));
