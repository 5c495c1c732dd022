/**
 * What needs attention: one entry for each cause, not for each phone, and never two for one thing; and what findings say of
 * a phone. Pure.
 */
import { naturalOrder } from '../base/words.ts';
import { bySeverity, type Certainty, type Finding, findingKey, isHostProblem } from '../diagnosis/finding.ts';
import { LOST, type ShownPhone } from '../diagnosis/rule.ts';
import { isOfPresent, ruleOf } from '../diagnosis/rules/index.ts';
import type { Cause as CauseStatus, FindingStatus, PhoneStatus } from './host-status.ts';

export interface Cause extends Finding {
  /** Stable for the same cause. */
  key: string;
}

/** A loss that began with a finding may have been noticed so much earlier, ms. */
const SLACK_MS = 60_000;
const certainties: readonly Certainty[] = ['possible', 'likely', 'certain'];

/** Codes and signs of what it tells of its phones in place of others: whatever these are called, its remedy is theirs. */
export const explainedBy = ({ code, severity }: Pick<Finding, 'code' | 'severity'>): readonly string[] =>
  severity === 'minor' && !ruleOf(code)?.tellsNow ? [] : (ruleOf(code)?.explains ?? []);

/** Do both tell of a phone the same? By the sign too: a battery may say itself that it is too hot. */
const explains = (by: Pick<Finding, 'code'>, told: Pick<Finding, 'code' | 'sign'>): boolean =>
  ruleOf(by.code)?.explains?.some((each) => each === told.code || each === told.sign) ?? false;

/** One that is no less severe tells it better, or what USB shows now: a phone that somebody flashes is not unplugged. */
const isBetter = (by: Finding, told: Finding): boolean =>
  ruleOf(by.code)?.tellsNow === true || bySeverity(by.severity, told.severity) <= 0;

/** One that affects all of its phones. */
const isToldBy = (told: Finding, by: Finding): boolean =>
  explains(by, told) && isBetter(by, told) && told.udids.every((udid) => by.udids.includes(udid));

export function withoutExplained(findings: readonly Finding[]): Finding[] {
  const explaining = findings.filter(({ code }) => ruleOf(code)?.explains !== undefined);
  return findings.filter((told) => told.udids.length === 0 || !explaining.some((by) => isToldBy(told, by)));
}

/**
 * Of a finding and a problem of the present that tell the same about a phone, the more severe one is kept; of two alike,
 * or where it tells what is plugged in now, the finding.
 *
 * @param findings the worst first
 * @returns each sorted by urgency; `notices`: findings of minor severity, of what works and will soon need a person;
 *   `remedies`: of each phone with a problem of the present, by udid: that of the cause which tells the worst of them
 */
export function causesOf(
  findings: readonly Finding[],
  phones: readonly ShownPhone[],
): { causes: Cause[]; notices: Cause[]; remedies: ReadonlyMap<string, string> } {
  const kept = withoutExplained(findings.filter((finding) => !isOfPresent(finding)));
  const ofPhone = byPhone(kept);
  /** Of each finding: the problems of the present that it replaces, and the phones whose problem replaces it. */
  const overlaps = new Map(
    kept.map((each) => [each, { problems: [] as Finding[], without: new Set<string>() }]),
  );
  /** Of each phone with a problem: what is shown for the worst of them. */
  const shownFor = new Map<string, Finding>();
  const urgent: Finding[] = [];
  const minor: Finding[] = [];
  for (const problem of findings.filter(isOfPresent)) {
    const [udid = ''] = problem.udids;
    const same = (ofPhone.get(udid) ?? []).filter((finding) => isSame(finding, problem));
    const better = same.find((finding) => isBetter(finding, problem));
    if (!shownFor.has(udid)) shownFor.set(udid, better ?? problem);
    if (better) {
      overlaps.get(better)?.problems.push(problem);
      continue;
    }
    urgent.push(problem);
    for (const finding of same) overlaps.get(finding)?.without.add(udid);
  }
  for (const [finding, { problems, without }] of overlaps) {
    const udids = finding.udids.filter((udid) => !without.has(udid));
    const isUrgent = finding.severity !== 'minor' || problems.length > 0;
    if (without.size === 0 || udids.length > 0)
      (isUrgent ? urgent : minor).push({ ...withPresent(finding, problems), udids });
  }
  const shown = { causes: merged(urgent, phones), notices: merged(minor, phones) };
  const remedies = new Map<string, string>();
  for (const { code, udids, remedy } of [...shown.causes, ...shown.notices])
    for (const udid of udids)
      if (shownFor.get(udid)?.code === code && !remedies.has(udid)) remedies.set(udid, remedy);
  return { ...shown, remedies };
}

/** A loss from long before has another cause. */
const isSame = (finding: Finding, problem: Finding): boolean =>
  explains(finding, problem) &&
  !(
    LOST.some((code) => code === problem.code) &&
    !ruleOf(finding.code)?.tellsNow &&
    problem.since < finding.since - SLACK_MS
  );

/** A title of what happened over days, with how many of its phones are unplugged now. */
function withPresent(finding: Finding, problems: readonly Finding[]): Finding {
  const unplugged = problems.filter(({ code }) => code === 'unplugged').length;
  if (unplugged === 0 || ruleOf(finding.code)?.tellsPast !== true) return finding;
  const isOfOne = finding.udids.length === 1 && 'key' in finding.subject;
  const now = isOfOne ? 'unplugged now' : `${unplugged} unplugged now`;
  return { ...finding, title: `${finding.title}, ${now}` };
}

function merged(findings: readonly Finding[], phones: readonly ShownPhone[]): Cause[] {
  const byCode = Map.groupBy(findings, ({ code }) => code);
  const causes = [...byCode].flatMap(([code, ofCode]) => {
    const own = ruleOf(code)?.merge?.(ofCode, phones);
    return own?.map((finding) => ({ ...finding, key: keyOfMerged(finding) })) ?? alike(ofCode);
  });
  return causes.sort(byUrgency);
}

/** By its first phone: phones of one hub may have gone at several moments. */
const keyOfMerged = ({ code, udids: [first = ''] }: Finding): string =>
  findingKey({ code, subject: { kind: 'phone', key: first } });

/** Findings about single phones with the same remedy are one; rejected ones, if the cloud says the same about them. */
function alike(findings: readonly Finding[]): Cause[] {
  const groups = Map.groupBy(findings, (finding) => {
    const { code, severity, subject, sign, said, remedy } = finding;
    if (subject.kind !== 'phone') return findingKey(finding);
    return [code, severity, sign, said, remedy].filter(Boolean).join(' ');
  });
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    if (group.length === 1) return [{ ...first, key }];
    const leastSure = Math.min(...group.map(({ certainty }) => certainties.indexOf(certainty)));
    return [
      {
        ...first,
        key,
        certainty: certainties[leastSure] ?? 'possible',
        title: `${group.length} phones${pluralOf(first)}`,
        since: Math.min(...group.map(({ since }) => since)),
        udids: [...new Set(group.flatMap(({ udids }) => udids))],
      },
    ];
  });
}

const pluralOf = ({ code, sign }: Finding): string => {
  const plural = ruleOf(code)?.plural;
  return plural === undefined ? `: ${sign ?? code}` : ` ${plural}`;
};

/** One to three words, for a phone's tile. */
export const signOf = ({ code, sign }: Pick<Finding, 'code' | 'sign'>): string =>
  sign ?? ruleOf(code)?.sign ?? code.toLowerCase().replaceAll('_', ' ');

const hostRank = (cause: Cause): number =>
  Number(isHostProblem(causeStatusOf(cause))) +
  Number(cause.subject.kind === 'host' || cause.subject.kind === 'room');

/** Those of the host first, then the worst, of these the newest. */
const byUrgency = (one: Cause, other: Cause): number =>
  hostRank(other) - hostRank(one) ||
  bySeverity(one.severity, other.severity) ||
  other.since - one.since ||
  naturalOrder(one.key, other.key);

/** By udid. */
function byPhone(findings: readonly Finding[]): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings)
    for (const udid of finding.udids) {
      const ofPhone = found.get(udid) ?? [];
      ofPhone.push(finding);
      found.set(udid, ofPhone);
    }
  return found;
}

/** A problem of the present is its kind; any other finding has its code. */
export function causeStatusOf(cause: Cause): CauseStatus {
  const { code, severity, certainty, subject, evidence, sign, ...shown } = cause;
  return isOfPresent(cause)
    ? { ...shown, kind: code }
    : { ...shown, kind: 'finding', code, severity, certainty, subject: subject.kind };
}

export function findingStatusOf(finding: Finding): FindingStatus {
  const { evidence, sign, said, command, ...shown } = finding;
  return shown;
}

/** By udid; those about the host or the room are nobody's own. */
export const findingsByPhone = (findings: readonly Finding[]): ReadonlyMap<string, Finding[]> =>
  byPhone(findings.filter(({ subject }) => subject.kind !== 'host' && subject.kind !== 'room'));

/**
 * A phone with the codes of its findings. A fine phone needs attention while a finding about itself is worse than minor;
 * the finding of a hub or a port alone does not: it is not the phone that a person has to look at. What to do is what the
 * cause says that tells it.
 *
 * @param findings those that affect it, the worst first
 * @param remedy that of its problem of the present, as `causesOf` has it
 */
export function withFindings(
  phone: PhoneStatus,
  findings: readonly Finding[],
  remedy = phone.message,
): PhoneStatus {
  if (findings.length === 0) return { ...phone, message: remedy };
  const codes = [...new Set(findings.map(({ code }) => code))];
  const own = findings.find(({ subject, severity }) => subject.kind === 'phone' && severity !== 'minor');
  if (own === undefined || phone.condition !== 'fine') return { ...phone, findings: codes, message: remedy };
  const { remedy: message } = withoutExplained(findings).find((by) => isToldBy(own, by)) ?? own;
  const { since } = own;
  return { ...phone, findings: codes, condition: 'needsAttention', sign: signOf(own), message, since };
}
