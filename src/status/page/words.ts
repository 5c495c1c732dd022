/** Times and quantities as text, in the browser's time zone. Pure. */

import { DAY_MS, HOUR_MS, localDay, MINUTE_MS, wallTime } from '../../base/calendar.ts';

const GIB = 1024 ** 3;

/** `12 s`, `3 min`, `5 h`, `4 d`: rounded down, with a no-break space. */
export function duration(ms: number): string {
  const [size, unit] = unitOf(Math.max(0, ms));
  return `${Math.floor(Math.max(0, ms) / size)}\u00a0${unit}`;
}

function unitOf(ms: number): [number, string] {
  if (ms < MINUTE_MS) return [1000, 's'];
  if (ms < HOUR_MS) return [MINUTE_MS, 'min'];
  return ms < 2 * DAY_MS ? [HOUR_MS, 'h'] : [DAY_MS, 'd'];
}

/** `14:02` today, `Tue 14:02` within the last days, else `12 Nov`. */
export function moment(at: number, now: number): string {
  if (Math.abs(now - at) >= 6 * DAY_MS) return date(at);
  const word = day(at, now);
  return word === 'today' ? wallTime(at) : `${word}\u00a0${wallTime(at)}`;
}

/** `14:02:11`. */
export const timeOfDay = (at: number): string =>
  `${wallTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;

/** `today`, `Tue`, `12 Nov`. */
export function day(at: number, now: number): string {
  if (localDay(at) === localDay(now)) return 'today';
  return Math.abs(now - at) < 6 * DAY_MS ? weekday(at) : date(at);
}

/** `Today`, `Yesterday`, `Tue 3 Nov`. */
export function dayName(at: number, now: number): string {
  const yesterday = new Date(now);
  if (localDay(at) === localDay(now)) return 'Today';
  if (localDay(at) === localDay(yesterday.setDate(yesterday.getDate() - 1))) return 'Yesterday';
  return `${weekday(at)}\u00a0${date(at)}`;
}

/** `2026-11-21 14:02:11`. */
export const exactly = (at: number): string => `${localDay(at)} ${timeOfDay(at)}`;

/** `12 Nov`. */
export const date = (at: number): string =>
  `${new Date(at).getDate()}\u00a0${new Date(at).toLocaleDateString('en-GB', { month: 'short' })}`;
const weekday = (at: number) => new Date(at).toLocaleDateString('en-GB', { weekday: 'short' });

export const percent = (ratio?: number): string =>
  ratio === undefined ? '' : `${Math.round(ratio * 100)}\u00a0%`;

export const celsius = (degrees?: number): string =>
  degrees === undefined ? '' : `${degrees.toFixed(1)}\u00a0°C`;

/** `41.2 / 128.0 GiB`. */
export const usage = (bytes?: { totalBytes: number; usedBytes?: number }): string =>
  bytes === undefined
    ? ''
    : `${bytes.usedBytes === undefined ? '?' : (bytes.usedBytes / GIB).toFixed(1)} / ${(bytes.totalBytes / GIB).toFixed(1)}\u00a0GiB`;

/** `1 needs attention`, `3 need attention`. */
export const needsAttention = (count: number): string =>
  `${count} ${count === 1 ? 'needs' : 'need'} attention`;

/** A sentence in which no line ends between a number and its unit. */
export const withUnits = (text: string): string =>
  text.replace(/(\d) (°C|%|s|min|h|d)\b|(\d) (°C|%)/g, (found) => found.replace(' ', '\u00a0'));
