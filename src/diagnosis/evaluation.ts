/** One judgement in the thread of the history: the question `judge`. */

import { type BrokenJudge, judge } from './evaluate.ts';
import type { Finding } from './finding.ts';
import type { Judge, RuleContext } from './rule.ts';
import type { RuleInput } from './rule-input.ts';
import { CaseFile } from './store/recent-events.ts';
import type { Store } from './store/store.ts';
import { evidenceOf } from './words.ts';

export interface Evaluation {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenJudge[];
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

/** What the case shows. */
export function evaluationOf(store: Store, now: RuleInput, by?: readonly Judge[]): Evaluation {
  const broken: BrokenJudge[] = [];
  const findings = judge(contextOf(store, now), (one) => broken.push(one), by);
  return {
    findings: findings.map((finding) => ({ ...finding, evidence: evidenceOf(finding.evidence) })),
    broken,
  };
}
