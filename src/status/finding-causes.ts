/** Findings beside the problems of phones as one list: one entry per cause, never two for one thing. Pure. */
import { explainsLoss, explainsProblem, isLoss, isOfPast, withoutExplained } from '../diagnosis/explains.ts';
import {
  bySeverity,
  type Certainty,
  type Finding,
  type FindingCode,
  findingKey,
} from '../diagnosis/finding.ts';
import type { AffectedPhone } from './causes.ts';
import { pluralOf, signOf } from './finding-words.ts';
import type { Cause, FindingStatus, PhoneStatus } from './host-status.ts';
import { BATTERY_TOO_HOT } from './phone-problems.ts';
import { byUrgency, severityOf } from './severity.ts';

/** A loss that began with a finding may have been noticed so much earlier, ms. */
const SLACK_MS = 60_000;
/** The least sure first. */
const certainties: readonly Certainty[] = ['possible', 'likely', 'certain'];

export interface FindingCauses {
  /** Findings that need a person now. */
  causes: Cause[];
  /** The others. */
  notices: Cause[];
  /** The problems that no finding tells. */
  unexplained: AffectedPhone[];
}

/**
 * Of a finding and a problem that tell the same about a phone, the more severe one is kept; of two alike, the finding.
 *
 * @param findings the worst first
 */
export function causesOfFindings(
  findings: readonly Finding[],
  problems: readonly AffectedPhone[],
): FindingCauses {
  const kept = withoutExplained(findings);
  const absorbed = new Map<Finding, AffectedPhone[]>();
  const replaced = new Map<Finding, Set<string>>();
  const ofPhone = byPhone(kept);
  const unexplained = problems.filter((problem) => {
    const same = (ofPhone.get(problem.udid) ?? []).filter((finding) => isSame(finding, problem));
    const better = same.find(({ severity }) => bySeverity(severity, severityOf(problem)) <= 0);
    if (better) absorbed.set(better, [...(absorbed.get(better) ?? []), problem]);
    for (const finding of better ? [] : same)
      replaced.set(finding, (replaced.get(finding) ?? new Set()).add(problem.udid));
    return better === undefined;
  });
  const shown = kept.flatMap((finding) => {
    const without = replaced.get(finding);
    if (without === undefined) return [withPresent(finding, absorbed.get(finding) ?? [])];
    const udids = finding.udids.filter((udid) => !without.has(udid));
    return udids.length === 0 ? [] : [{ ...finding, udids }];
  });
  const urgent = new Set([...absorbed.keys()].map(findingKey));
  const isUrgent = (finding: Finding) => finding.severity !== 'minor' || urgent.has(findingKey(finding));
  return {
    causes: grouped(shown.filter(isUrgent)),
    notices: grouped(shown.filter((finding) => !isUrgent(finding))).sort(byUrgency),
    unexplained,
  };
}

/** A title of what happened over days, with how many of its phones are unplugged now. */
function withPresent(finding: Finding, absorbed: readonly AffectedPhone[]): Finding {
  const unplugged = absorbed.filter(({ kind }) => kind === 'unplugged').length;
  if (unplugged === 0 || !isOfPast(finding)) return finding;
  const now = finding.udids.length === 1 ? 'unplugged now' : `${unplugged} unplugged now`;
  return { ...finding, title: `${finding.title}, ${now}` };
}

function isSame(finding: Finding, { kind, sign, since }: AffectedPhone): boolean {
  const problem = sign === BATTERY_TOO_HOT ? 'hot' : kind;
  const wasBefore = isLoss(problem) && since < finding.since - SLACK_MS;
  return !wasBefore && explainsProblem(finding, problem);
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
 * the finding of a hub or a port alone does not: it is not the phone that a person has to look at. What to do about a lost
 * phone is what the finding says that explains the loss.
 *
 * @param findings those that affect it, the worst first
 */
export function withFindings(phone: PhoneStatus, findings: readonly Finding[]): PhoneStatus {
  if (findings.length === 0) return phone;
  const codes: FindingCode[] = [...new Set(findings.map(({ code }) => code))];
  const own = findings.find(({ subject, severity }) => subject.kind === 'phone' && severity !== 'minor');
  // as the cloud is told: a phone that went with its hub needs a look at the hub
  const ofLoss = phone.attached ? undefined : findings.find(explainsLoss);
  if (ofLoss !== undefined && phone.condition === 'needsAttention')
    return { ...phone, findings: codes, message: ofLoss.remedy };
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
export const findingsByPhone = (findings: readonly Finding[]): ReadonlyMap<string, Finding[]> =>
  byPhone(findings.filter(({ subject }) => subject.kind !== 'host' && subject.kind !== 'room'));

function byPhone(findings: readonly Finding[]): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings)
    for (const udid of finding.udids) {
      const ofPhone = found.get(udid);
      if (ofPhone) ofPhone.push(finding);
      else found.set(udid, [finding]);
    }
  return found;
}

export const findingStatusOf = ({
  code,
  severity,
  subject,
  certainty,
  title,
  remedy,
  since,
  udids,
}: Finding): FindingStatus => ({ code, severity, subject, certainty, title, remedy, since, udids });
