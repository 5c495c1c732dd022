/** One judgement in the thread of the history: the question `judge`. */
import type { Store } from '../history/store.ts';
import type { Case, Judge } from './case.ts';
import { CaseFile } from './case-file.ts';
import type { Finding } from './finding.ts';
import { type BrokenJudge, judge } from './judge.ts';
import type { HostPicture } from './picture.ts';
import { evidenceOf } from './words.ts';

export interface Judgement {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenJudge[];
}

/** A case, and what the store held then. */
export interface Looked {
  given: Case;
  lastId: number;
  rewrites: number;
}

const caseFiles = new WeakMap<Store, CaseFile>();
const lastLooks = new WeakMap<Store, Looked>();

/** What is judged: the host as it is now, and the events of the last `JUDGED_MS`, which are kept for the next time. */
export function caseOf(store: Store, now: HostPicture): Case {
  const caseFile = caseFiles.get(store) ?? new CaseFile(store);
  caseFiles.set(store, caseFile);
  const events = caseFile.eventsUntil(now.at);
  const given: Case = { now, events, samplesOf: (...which) => store.samples(...which) };
  lastLooks.set(store, { given, lastId: store.lastId, rewrites: store.rewrites });
  return given;
}

/** The last case of this thread; undefined before the first one. */
export const lastLookAt = (store: Store): Looked | undefined => lastLooks.get(store);

/** What the case shows. */
export function judgementOf(store: Store, now: HostPicture, by?: readonly Judge[]): Judgement {
  const broken: BrokenJudge[] = [];
  const findings = judge(caseOf(store, now), (one) => broken.push(one), by);
  return {
    findings: findings.map((finding) => ({ ...finding, evidence: evidenceOf(finding.evidence) })),
    broken,
  };
}
