/** One judgement in the thread of the history: the question `judge`. */

import { type BrokenRule, evaluate } from './evaluate.ts';
import type { Finding } from './finding.ts';
import type { RuleContext } from './rule.ts';
import type { RuleInput } from './rule-input.ts';
import { historyRules } from './rules/index.ts';
import { CaseFile } from './store/recent-events.ts';
import type { Store } from './store/store.ts';

export interface Evaluation {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenRule[];
}

/** A case, and what the store held then. */
export interface Looked {
  context: RuleContext;
  lastId: number;
  rewrites: number;
}

const caseFiles = new WeakMap<Store, CaseFile>();
const lastLooks = new WeakMap<Store, Looked>();

/** What is judged: the host as it is now, and the events of the last `LOOK_BACK_MS`, which are kept for the next time. */
export function contextOf(store: Store, now: RuleInput): RuleContext {
  const caseFile = caseFiles.get(store) ?? new CaseFile(store);
  caseFiles.set(store, caseFile);
  const events = caseFile.eventsUntil(now.at);
  const context: RuleContext = { now, events, samplesOf: (...which) => store.samples(...which) };
  lastLooks.set(store, { context, lastId: store.lastId, rewrites: store.rewrites });
  return context;
}

/** The last case of this thread; undefined before the first one. */
export const lastLookAt = (store: Store): Looked | undefined => lastLooks.get(store);

/** What the context shows. */
export function evaluationOf(store: Store, now: RuleInput, rules = historyRules): Evaluation {
  const broken: BrokenRule[] = [];
  const findings = evaluate(rules, contextOf(store, now), (one) => broken.push(one));
  return { findings, broken };
}
