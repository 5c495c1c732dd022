/** What is wrong: with a phone, a port, a hub, the host or the room, as it is now or by what happened. */

/**
 * Code of a rule. In capitals it is stable, labs alert on it: docs/findings.md explains each. In small letters it is a
 * problem that the present alone shows, such as `unplugged`.
 */
export type FindingCode = string;

/**
 * `critical`: it concerns the whole host, or a battery may catch fire; `major`: nobody can use the phone, or it is lost
 * again and again; `minor`: the phone works with limits, or will soon need a person.
 */
export type Severity = 'critical' | 'major' | 'minor';

/** What a finding is about. `key` is unique within its kind: udid, usbPath, hub. `network`: that of phones without USB. */
export type Subject =
  | { kind: 'phone'; key: string }
  | { kind: 'port'; key: string; slot?: string }
  | { kind: 'hub'; key: string }
  | { kind: 'network' | 'host' | 'room' };

/** How sure: `certain` follows from what was seen; `likely` and `possible` by counts. */
export type Certainty = 'certain' | 'likely' | 'possible';

export interface Finding {
  code: FindingCode;
  severity: Severity;
  subject: Subject;
  certainty: Certainty;
  /** One sentence without a full stop: `Bay 4 lost 3 different phones in 9 days`. */
  title: string;
  /** What to do, one sentence, action first. */
  remedy: string;
  /** When it began, ms since the epoch. */
  since: number;
  /** The phones it affects; empty where it affects none. */
  udids: string[];
  /** `id` of each event that shows it, oldest first; empty where it follows from the present alone. */
  evidence: number[];
  /** One to three words for a phone's tile, where those of its rule are too general: `recovery`. */
  sign?: string;
  /** The cloud's own words, if it rejects something; one line. */
  said?: string;
  /** A command that helps, to copy. */
  command?: string;
}

/** Stable for one finding while it lasts. */
export const findingKey = ({ code, subject }: Pick<Finding, 'code' | 'subject'>): string =>
  [code, subject.kind, 'key' in subject ? subject.key : ''].join(' ');

const worstFirst: readonly Severity[] = ['critical', 'major', 'minor'];

/** Compares, for `sort`: the worst first. */
export const bySeverity = (one: Severity, other: Severity): number =>
  worstFirst.indexOf(one) - worstFirst.indexOf(other);

/** Compares, for `sort`: the worst first, of these the newest. */
export const byWeight = (one: Finding, other: Finding): number =>
  bySeverity(one.severity, other.severity) || other.since - one.since;

/** Phones that a person works on are nobody's trouble: without them, and without the findings that affect no other phone. */
export function withoutMaintained(
  findings: readonly Finding[],
  isInMaintenance: (udid: string) => boolean,
): Finding[] {
  return findings.flatMap((finding) => {
    const udids = finding.udids.filter((udid) => !isInMaintenance(udid));
    if (udids.length === finding.udids.length) return [finding];
    return udids.length === 0 ? [] : [{ ...finding, udids }];
  });
}

/** Does a fault show that it was the lab? One that is only possible may be the test's own. */
export const isOfLab = ({ certainty }: { certainty: Certainty }): boolean => certainty !== 'possible';

/** Is it a fault of the host itself, or of its room? It is shown and counted apart from the phones that need attention. */
export const isHostProblem = ({ kind, subject }: { kind: string; subject?: Subject['kind'] }): boolean =>
  ['adb', 'cloud', 'history'].includes(kind) || subject === 'host' || subject === 'room';
