/** What the days of a phone say, in words. Pure. */
import type { DayUptime } from '../../history/store/history.ts';
import { dayName } from './words.ts';

/** How a day was. `fine`: online for 99 % of what is known of it, and lost less than three times. */
export type DayKind = 'fine' | 'some' | 'bad' | 'unknown';

const FINE_RATIO = 0.99;
const SOME_RATIO = 0.9;
const FEW_LOSSES = 3;

export function kindOf({ onlineRatio, losses }: DayUptime): DayKind {
  if (onlineRatio === undefined) return 'unknown';
  if (onlineRatio >= FINE_RATIO && losses < FEW_LOSSES) return 'fine';
  return onlineRatio >= SOME_RATIO ? 'some' : 'bad';
}

/** `Tue 3 Nov: 98.1 % online, lost 2 times`. */
export function dayInWords({ at, onlineRatio, losses }: DayUptime, now: number): string {
  return `${dayName(at, now)}: ${onlineRatio === undefined ? 'not known' : `${online(onlineRatio)} online`}${lost(losses)}`;
}

/**
 * `99.2 % in 30 days`: of the known time only; `98.0 % in 12 known days` where it does not know all of them.
 *
 * @param days oldest first
 */
export function uptimeInWords(days: readonly DayUptime[]): string {
  const known = days.flatMap(({ onlineRatio, knownRatio = 1 }) =>
    onlineRatio === undefined ? [] : { onlineRatio, knownRatio },
  );
  const weight = sum(known.map(({ knownRatio }) => knownRatio));
  if (weight === 0) return 'not known yet';
  const ratio = sum(known.map(({ onlineRatio, knownRatio }) => onlineRatio * knownRatio)) / weight;
  const all = known.length === days.length ? '' : 'known ';
  return `${online(ratio)} in ${known.length} ${all}${known.length === 1 ? 'day' : 'days'}`;
}

export const lossesInWords = (days: readonly DayUptime[]): string =>
  lost(sum(days.map(({ losses }) => losses)));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Rounded down: only what is whole is 100 %. */
const online = (ratio: number) => {
  const percent = Math.floor(ratio * 1000) / 10;
  return `${percent === 100 ? 100 : percent.toFixed(1)}\u00a0%`;
};

const lost = (losses: number) =>
  losses === 0 ? '' : losses === 1 ? ', lost once' : `, lost ${losses}\u00a0times`;
