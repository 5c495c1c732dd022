/** One judgement in the thread of the history: the question `judge`. */
import type { Store } from '../history/store.ts';
import { CaseFile } from './case-file.ts';
import type { Finding } from './finding.ts';
import { type BrokenJudge, type Judge, judge } from './judge.ts';
import type { HostPicture } from './picture.ts';
import { ReadingsFile } from './readings-file.ts';

export interface Judgement {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenJudge[];
}

/** Events that a finding names at most, the newest: all of them go to the agent each minute. */
const MOST_EVIDENCE = 100;

const files = new WeakMap<Store, { events: CaseFile; readings: ReadingsFile }>();

/** What the host as it is now and the events of the last `JUDGED_MS` show. */
export function judgementOf(store: Store, now: HostPicture, by?: readonly Judge[]): Judgement {
  const { events, readings } = files.get(store) ?? {
    events: new CaseFile(store),
    readings: new ReadingsFile(store),
  };
  files.set(store, { events, readings });
  readings.keep(new Set(now.phones.map(({ udid }) => udid)));
  const samplesOf = (udid: string) => readings.samplesUntil(udid, now.at);
  const broken: BrokenJudge[] = [];
  const findings = judge(
    { now, events: events.eventsUntil(now.at), samplesOf },
    (one) => broken.push(one),
    by,
  );
  return {
    findings: findings.map((finding) => ({ ...finding, evidence: finding.evidence.slice(-MOST_EVIDENCE) })),
    broken,
  };
}
