import { firstBlameOf } from '../../src/findings/blame.ts';
import type { Case } from '../../src/findings/case.ts';
import type { Blame } from '../../src/findings/finding.ts';

/** The blame of each loss, by the `id` of the event with which it began. */
export const blamesOf = (given: Case): Map<number, Blame> =>
  new Map(
    given.events.flatMap((event) => {
      const found = firstBlameOf([event], given);
      return found ? [[event.id, found.blame] as const] : [];
    }),
  );
