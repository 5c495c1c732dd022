/** HOST_SLEEPS: the host sleeps for much of the time, and its phones with it. Ends a day after the last time, or when there was less. */
import { DAY_MS, HOUR_MS } from '../../base/calendar.ts';
import { ageMs } from '../context.ts';
import { attributionOf } from '../losses/attribution.ts';
import { STAY_AWAKE } from '../remedies.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { lasting, times } from '../words.ts';

const WITHIN_MS = 3 * DAY_MS;
const LEAST_TIMES = 3;
/** A quarter of the time. A laptop that people shut and open at work sleeps for three hours a day. */
const LEAST_MS = 18 * HOUR_MS;

/** A laptop that is carried home sleeps without its phones. */
function hadPhones({ at, forMs }: { at: number; forMs: number }, context: RuleContext): boolean {
  const away = new Set(
    attributionOf(context).losses.flatMap((loss) =>
      loss.at < at - forMs && (loss.back?.at ?? at) >= at ? loss.udid : [],
    ),
  );
  return context.now.phones.some(({ attached, udid }) => attached && !away.has(udid));
}

export const hostSleeps: Rule = {
  code: 'HOST_SLEEPS',
  severity: 'minor',
  tellsPast: true,
  evaluate: (context) => {
    const { now, events } = context;
    const sleeps = events.flatMap((event) =>
      event.kind === 'hostSlept' && ageMs(now.at, event.at) <= WITHIN_MS && hadPhones(event, context)
        ? [event]
        : [],
    );
    const [first] = sleeps;
    const last = sleeps.at(-1);
    if (!first || !last || sleeps.length < LEAST_TIMES || ageMs(now.at, last.at) > DAY_MS) return undefined;
    const sleptMs = sleeps.reduce((sum, { forMs }) => sum + forMs, 0);
    if (sleptMs < LEAST_MS) return undefined;
    const since = first.at - first.forMs;
    return {
      subject: { kind: 'host' },
      title: `The host slept ${times(sleeps.length)} in ${lasting(last.at - since)}, for ${lasting(sleptMs)} in all: nobody could use its phones`,
      remedy: STAY_AWAKE,
      since,
      evidence: sleeps.map(({ id }) => id),
    };
  },
};
