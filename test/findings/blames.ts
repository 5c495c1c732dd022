import type { Blame } from '../../src/diagnosis/finding.ts';
import { firstBlameOf } from '../../src/diagnosis/losses/attribution.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';

/** The blame of each loss, by the `id` of the event with which it began. */
export const blamesOf = (context: RuleContext): Map<number, Blame> =>
  new Map(
    context.events.flatMap((event) => {
      const found = firstBlameOf([event], context);
      return found ? [[event.id, found.blame] as const] : [];
    }),
  );
