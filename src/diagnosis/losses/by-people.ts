/** What people may have done: what is inferred from that alone is no alarm, and possible at most. */
import { areDense, spaced } from '../../base/moments.ts';
import { areTooBrief, BRIEF_ON_NETWORK_MS, type Loss, type Lost } from './loss.ts';
import type { Presence } from './presence.ts';
import { isSeenAtPort } from './signs.ts';

/** It is told, for whoever looks. */
export const BY_PEOPLE = { severity: 'minor', certainty: 'possible' } as const;

/** Two hands need so long for two cables, ms, but for those that they hold already. */
const HANDS_MS = 1_000;

/**
 * USB shows that the hub stayed: nobody pulls several cables within a second. Nor does a hand take a controller away, or
 * leave phones listed as offline.
 */
export const isBeyondHands = ({ losses }: { losses: readonly Loss[] }): boolean =>
  losses.some(({ wasListed, usb }) => wasListed || usb?.gone === 'controller') ||
  (losses.some(({ usb }) => usb?.gone === 'phone') &&
    (losses.at(-1)?.at ?? 0) - (losses[0]?.at ?? 0) < (losses.length / 2 - 1) * HANDS_MS);

/** Who works at a place for so long was there once, ms. */
export const AT_WORK_MS = 60 * 60_000;

/** No hand plugs a phone so often within an hour. */
export const NO_HAND = { least: 10, withinMs: 60 * 60_000 };
/** @param sorted oldest first */
export const mayBeHands = (sorted: readonly Loss[]): boolean =>
  !areDense(sorted, NO_HAND) &&
  !sorted.some((loss) => loss.medium !== 'usb' || loss.wasListed || isSeenAtPort(loss));

/** @param weeks what a hub does once is known later than what happens again: of each day of the week two were seen then */
export const mayBeByHand = (lost: Lost, { isTimeOfPeople }: Presence, weeks = 2): boolean =>
  !isBeyondHands(lost) && isTimeOfPeople(lost.at, weeks);

/** May people have done all of these losses of single phones? */
export const mayAllBeByPeople = (losses: readonly Loss[], { isTimeOfPeople }: Presence): boolean =>
  areMostlyLongOnNetwork(losses) ||
  (mayBeHands(losses) && !areTooBrief(losses) && losses.every(({ at }) => isTimeOfPeople(at, 1)));

/** They may sleep, or be out with somebody. */
function areMostlyLongOnNetwork(losses: readonly Loss[]): boolean {
  const onNetwork = losses.filter(({ medium }) => medium === 'network');
  const own = onNetwork.filter(({ cause }) => cause?.kind === 'own');
  const brief = own.filter(({ at, back }) => back && back.at - at <= BRIEF_ON_NETWORK_MS);
  return onNetwork.length > 0 && brief.length * 2 < Math.max(1, own.length);
}

/**
 * Those when people are there, early and late too, where they show people. Of what happens within an hour one counts:
 * somebody works there.
 */
export function byHands<T extends { at: number }>(
  sorted: readonly T[],
  { isAttended, isNearAttended, isOfPeople }: Presence,
): T[] {
  const attended = sorted.filter(({ at }) => isAttended(at));
  const alone = sorted.filter(({ at }) => !isAttended(at));
  const [times, others] = [attended, alone].map((some) => spaced(some, AT_WORK_MS).length);
  return isOfPeople(times ?? 0, others ?? 0) ? sorted.filter(({ at }) => isNearAttended(at)) : [];
}
