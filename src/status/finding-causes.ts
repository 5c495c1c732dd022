/** Findings beside the problems of phones as one list: one entry per cause, never two for one thing. Pure. */
import { explainsProblem, isLoss, withoutExplained } from '../findings/explains.ts';
import {
  bySeverity,
  type Certainty,
  type Finding,
  type FindingCode,
  findingKey,
} from '../findings/finding.ts';
import type { AffectedPhone } from './causes.ts';
import { pluralOf, signOf } from './finding-words.ts';
import type { Cause, FindingStatus, PhoneStatus } from './host-status.ts';
import { BATTERY_TOO_HOT } from './phone-problems.ts';
import { byUrgency, severityOf } from './severity.ts';

/** A loss that began with a finding may have been noticed so much earlier, ms. */
const SLACK_MS = 60_000;
/** The least sure first. */
const certainties: readonly Certainty[] = ['possible', 'likely', 'certain'];

export interface Told {
  /** Findings that need a person now. */
  causes: Cause[];
  /** The others. */
  notices: Cause[];
  /** The problems that no finding tells. */
  untold: AffectedPhone[];
}

/**
 * Of a finding and a problem that tell the same about a phone, the more severe one is kept; of two alike, the finding.
 *
 * @param findings the worst first
 */
export function told(findings: readonly Finding[], problems: readonly AffectedPhone[]): Told {
  const kept = withoutExplained(findings);
  const absorbing = new Set<Finding>();
  const replaced = new Map<Finding, Set<string>>();
  const untold = problems.filter((problem) => {
    const same = kept.filter((finding) => isSame(finding, problem));
    const better = same.find(({ severity }) => bySeverity(severity, severityOf(problem)) <= 0);
    if (better) absorbing.add(better);
    for (const finding of better ? [] : same)
      replaced.set(finding, (replaced.get(finding) ?? new Set()).add(problem.udid));
    return better === undefined;
  });
  const shown = kept.flatMap((finding) => {
    const without = replaced.get(finding);
    if (without === undefined) return [finding];
    const udids = finding.udids.filter((udid) => !without.has(udid));
    return udids.length === 0 ? [] : [{ ...finding, udids }];
  });
  const isUrgent = (finding: Finding) => finding.severity !== 'minor' || absorbing.has(finding);
  return {
    causes: grouped(shown.filter(isUrgent)),
    notices: grouped(shown.filter((finding) => !isUrgent(finding))).sort(byUrgency),
    untold,
  };
}

function isSame(finding: Finding, { kind, sign, udid, since }: AffectedPhone): boolean {
  const problem = sign === BATTERY_TOO_HOT ? 'hot' : kind;
  const wasBefore = isLoss(problem) && since < finding.since - SLACK_MS;
  return !wasBefore && explainsProblem(finding, problem) && finding.udids.includes(udid);
}

/** Findings about single phones with the same remedy are one cause. */
function grouped(findings: readonly Finding[]): Cause[] {
  const groups = Map.groupBy(findings, (finding) =>
    finding.subject.kind === 'phone'
      ? `${finding.code} ${finding.severity} ${finding.remedy}`
      : findingKey(finding),
  );
  return [...groups].map(([key, group]) => causeOf(key, group as [Finding, ...Finding[]]));
}

function causeOf(key: string, findings: readonly [Finding, ...Finding[]]): Cause {
  const [{ code, severity, subject, title, remedy }] = findings;
  const leastSure = Math.min(...findings.map(({ certainty }) => certainties.indexOf(certainty)));
  return {
    key,
    kind: 'finding',
    code,
    severity,
    certainty: certainties[leastSure] ?? 'possible',
    subject: subject.kind,
    title: findings.length === 1 ? title : `${findings.length} phones ${pluralOf(code)}`,
    remedy,
    since: Math.min(...findings.map(({ since }) => since)),
    udids: [...new Set(findings.flatMap(({ udids }) => udids))],
  };
}

/**
 * A phone with the codes of its findings. A fine phone needs attention while a finding about itself is worse than minor;
 * the finding of a hub or a port alone does not: it is not the phone that a person has to look at.
 *
 * @param findings those that affect it, the worst first
 */
export function withFindings(phone: PhoneStatus, findings: readonly Finding[]): PhoneStatus {
  if (findings.length === 0) return phone;
  const codes: FindingCode[] = [...new Set(findings.map(({ code }) => code))];
  const own = findings.find(({ subject, severity }) => subject.kind === 'phone' && severity !== 'minor');
  if (own === undefined || phone.condition !== 'fine') return { ...phone, findings: codes };
  const { code, remedy, since } = own;
  return {
    ...phone,
    findings: codes,
    condition: 'needsAttention',
    sign: signOf(code),
    message: remedy,
    since,
  };
}

/** By udid; those about the host or the room are nobody's own. */
export function findingsByPhone(findings: readonly Finding[]): ReadonlyMap<string, Finding[]> {
  const byPhone = new Map<string, Finding[]>();
  for (const finding of findings)
    for (const udid of finding.subject.kind === 'host' || finding.subject.kind === 'room'
      ? []
      : finding.udids) {
      const found = byPhone.get(udid);
      if (found) found.push(finding);
      else byPhone.set(udid, [finding]);
    }
  return byPhone;
}

export const findingStatusOf = ({ evidence: _, ...finding }: Finding): FindingStatus => finding;
