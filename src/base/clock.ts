/**
 * Which clocks cannot be right. A host whose clock has lost its battery starts in 1970, or in the year of its
 * firmware, and is set right later or never; another one counts on in 2099. Pure.
 */
import { buildNumber } from './version.ts';

/** `early`: before this program was made. `late`: so long after it that nobody runs it any more. */
export type ClockVerdict = 'right' | 'early' | 'late';

/** No version of this program is older: what an agent has timed before that, it has timed by a wrong clock. */
const FIRST_AT = Date.UTC(2026, 0, 1);
/** A build has the day of its sources in UTC, and a host may be set to its local time. */
const SLACK_MS = 2 * 86_400_000;
const LONGEST_USE_YEARS = 10;

/**
 * @param now what the clock says, ms since the epoch
 * @param build the day of this build, `YYMM.DD`
 */
export function judgeClock(now: number, build: string = buildNumber): ClockVerdict {
  const builtAt = builtAtOf(build);
  if (now < builtAt - SLACK_MS) return 'early';
  const last = new Date(builtAt);
  last.setUTCFullYear(last.getUTCFullYear() + LONGEST_USE_YEARS);
  return now > last.getTime() ? 'late' : 'right';
}

/**
 * A moment that was written down, as it counts by the clock of now: where one of the two clocks was wrong, its age is
 * not known, and it counts from now on. A clock that is behind makes nothing old: there a moment stays as it is, to
 * be right when the clock is.
 *
 * @param at ms since the epoch
 * @param wrongClockAt what a wrong clock said when it was written down; absent where that clock may have been right
 */
export function timely(at: number, now: number, wrongClockAt = Number.NEGATIVE_INFINITY): number {
  const verdict = judgeClock(now);
  if (verdict === 'early') return at;
  const isMistimed = at < FIRST_AT || at <= wrongClockAt;
  return verdict === 'late' || isMistimed ? now : Math.min(at, now);
}

/** Only a true day counts: a build that hides its own (SOURCE_DATE_EPOCH=0) is of `7001.01`. */
function builtAtOf(build: string): number {
  const [, year, month, day] = /^(\d\d)(\d\d)\.(\d\d)$/.exec(build)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year >= 70) return FIRST_AT;
  return Math.max(FIRST_AT, Date.UTC(2000 + year, month - 1, day));
}
