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

const caseFiles = new WeakMap<Store, CaseFile>();

/** What is judged: the host as it is now, and the events of the last `JUDGED_MS`, which are kept for the next time. */
export function caseOf(store: Store, now: HostPicture): Case {
  const caseFile = caseFiles.get(store) ?? new CaseFile(store);
  caseFiles.set(store, caseFile);
  return { now, events: caseFile.eventsUntil(now.at), samplesOf: (...which) => store.samples(...which) };
}

/** What the case shows. */
export function judgementOf(store: Store, now: HostPicture, by?: readonly Judge[]): Judgement {
  const broken: BrokenJudge[] = [];
  const findings = judge(caseOf(store, now), (one) => broken.push(one), by);
  return {
    findings: findings.map((finding) => ({ ...finding, evidence: evidenceOf(finding.evidence) })),
    broken,
  };
}
