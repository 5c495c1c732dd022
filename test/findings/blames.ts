import type { Blame } from '../../src/diagnosis/losses/blame.ts';
import { blameIn } from '../../src/diagnosis/losses/blame.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';

/** The blame of each loss, by the `id` of the event with which it began. */
export const blamesOf = (context: RuleContext): Map<number, Blame> =>
  new Map(
    context.events.flatMap((event) => {
      const found = blameIn(context)(event);
      return found ? [[event.id, found.blame] as const] : [];
    }),
  );
