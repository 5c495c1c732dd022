/** Phones that were lost at once, of a hub or of the network: when that counts. */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { scheduled } from './daily-pattern.ts';
import type { Loss } from './loss-group.ts';

/** With fewer phones away it is not told from somebody who unplugs two with both hands. */
export const LEAST_AWAY = 3;
/** Whoever leaves them dead for a week has taken them out of use. */
export const FORGOTTEN_MS = 7 * DAY_MS;
/** Once is a cable that somebody pulled, twice chance. */
export const LEAST_TIMES = 3;
/** Losses so soon after each other are one event: somebody works there. */
const ONE_EVENT_MS = 2 * MINUTE_MS;
/** A timer switches within this time of its setting. */
const TIMER_MS = 15 * MINUTE_MS;

interface Together {
  losses: readonly Loss[];
}

export const beganAt = ({ losses }: Together): number => losses[0]?.at ?? 0;

/** Without those that happen each day at the same time: a timer, or somebody who switches the rack off. */
export function unscheduled<T extends Together>(ofOnePlace: readonly T[]): T[] {
  const onSchedule = scheduled(ofOnePlace.map(beganAt), TIMER_MS);
  return ofOnePlace.filter((loss) => !onSchedule.has(beganAt(loss)));
}

/** Those that are events of their own. @param sorted oldest first */
export const separate = <T extends Together>(sorted: readonly T[]): T[] =>
  sorted.filter(
    (loss, index) => index === 0 || beganAt(loss) - beganAt(sorted[index - 1] ?? loss) > ONE_EVENT_MS,
  );
