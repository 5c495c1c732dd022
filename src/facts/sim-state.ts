/**
 * Which of a phone's SIMs changed, by `gsm.sim.state`: one word for each slot, `LOADED,ABSENT`.
 *
 * Source: AOSP IccCardConstants.State. While a phone boots, its words pass through UNKNOWN, NOT_READY and READY.
 */
import type { BootFacts } from './boot.ts';

/** These say nothing yet. */
const PASSING: ReadonlySet<string> = new Set(['UNKNOWN', 'NOT_READY']);
const MOST_SLOTS = 4;

/** A word of Android's. Only such words are kept, so no number of a SIM can be among them. */
const isLasting = (word: string): boolean => /^[A-Z][A-Z_]{1,31}$/.test(word) && !PASSING.has(word);

/** A SIM that is ready has its data loaded a moment later. */
const isSame = (one: string, other: string): boolean => settled(one) === settled(other);
const settled = (word: string): string => (word === 'READY' ? 'LOADED' : word);

const wordsOf = (state: string): string[] => state.split(',').slice(0, MOST_SLOTS);

/**
 * What is known of the SIMs after these facts: a slot without a lasting word keeps its former one.
 *
 * @param before the same of earlier facts
 * @returns `before` itself if no SIM changed
 */
export function simStateAfter(
  before: string | undefined,
  { simState, bootCompleted }: Pick<BootFacts, 'simState' | 'bootCompleted'>,
): string | undefined {
  if (simState === undefined || bootCompleted !== true) return before;
  const former = before === undefined ? [] : wordsOf(before);
  const found = wordsOf(simState.replaceAll(' ', ''));
  const words = Array.from({ length: Math.max(former.length, found.length) }, (_, slot) => {
    const [was = '', is = ''] = [former[slot], found[slot]];
    return !isLasting(is) || isSame(was, is) ? was : is;
  });
  const isAny = words.some((word) => word !== '');
  return isAny && words.some((word, slot) => word !== former[slot]) ? words.join(',') : before;
}

/** Did a SIM change of which a word was known? A first word is no change. */
export function hasSimChanged(before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  const [former, words] = [wordsOf(before), wordsOf(now)];
  return former.some((was, slot) => was !== '' && words[slot] !== undefined && was !== words[slot]);
}
