/** One evaluation of the rules, in the thread of the history. */

import type { Store } from '../history/store/store.ts';
import { type BrokenRule, evaluate } from './evaluate.ts';
import type { Finding } from './finding.ts';
import { type LossBlame, newestBlamesOf } from './losses/attribution.ts';
import { RecentEvents } from './recent-events.ts';
import type { RuleContext } from './rule.ts';
import type { RuleInput } from './rule-input.ts';
import { historyRules } from './rules/index.ts';

export interface Evaluation {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenRule[];
  /** Who is to blame for the newest losses; absent where they are too many, or that cannot be said. */
  blames?: LossBlame[];
}

/** The process keeps them until the next evaluation. */
const MOST_BLAMES = 1000;

const recent = new WeakMap<Store, RecentEvents>();

/** What is evaluated: the host as it is now, and the events of the last `LOOK_BACK_MS`, which are kept for the next time. */
export function contextOf(store: Store, now: RuleInput): RuleContext {
  const events = recent.get(store) ?? new RecentEvents(store);
  recent.set(store, events);
  return { now, events: events.until(now.at), samplesOf: (...which) => store.samples(...which) };
}

/** What the context shows. */
export function evaluationOf(store: Store, now: RuleInput, rules = historyRules): Evaluation {
  const context = contextOf(store, now);
  const broken: BrokenRule[] = [];
  const findings = evaluate(rules, context, (one) => broken.push(one));
  const blames = blamesIn(context);
  return { findings, broken, ...(blames && { blames }) };
}

/** A loss that nobody can explain costs no finding. */
function blamesIn(context: RuleContext): LossBlame[] | undefined {
  try {
    return newestBlamesOf(context, MOST_BLAMES);
  } catch {
    return undefined;
  }
}
