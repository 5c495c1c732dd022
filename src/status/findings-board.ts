/**
 * The findings of this host now. Says in the log when each begins and ends, and tells who shows or reports them. It
 * outlives agents: a reload ends no finding.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Finding, findingKey, withoutMaintained } from '../diagnosis/finding.ts';
import type { RuleInput } from '../diagnosis/rule-input.ts';
import type { Remark } from '../report/remark.ts';
import { explainedBy, findingsByPhone, withoutExplained } from './causes.ts';

/** Phones that a line of the log names. */
const MOST_NAMED = 20;
/** Findings that are kept, the worst: a host that has more has one problem, and not so many. */
const MOST_KEPT = 2_000;

export class FindingsBoard {
  /** Something that is shown has changed; `udids`: phones of which a report says something else now. */
  onChange: (udids: readonly string[]) => void = () => {};
  readonly #log: Logger;
  readonly #startedAt: number;
  #current: readonly Finding[] | undefined;
  #input: Pick<RuleInput, 'phones'> = { phones: [] };
  #remarks: ReadonlyMap<string, Remark> = new Map();

  /** @param startedAt when this run began, ms since the epoch: findings from before go on */
  constructor(log: Logger, startedAt = Date.now()) {
    this.#log = log;
    this.#startedAt = startedAt;
  }

  /** The worst first; undefined before the first evaluation. */
  get current(): readonly Finding[] | undefined {
    return this.#current;
  }

  /** What a report says of the phone's worst finding. */
  remarkOf(udid: string): Remark {
    return this.#remarks.get(udid) ?? {};
  }

  /**
   * Takes what the rules found in place of what they found before: the worst first, each once.
   *
   * @param input what they looked at: findings about phones that it lacks are left out, unless a list expects them
   */
  take(found: readonly Finding[], input: Pick<RuleInput, 'phones'>): void {
    this.#input = input;
    const before = this.#current;
    const known = byKey(before ?? []);
    const current = keptOf(found, input).map((finding) => goingOn(finding, known.get(findingKey(finding))));
    this.#current = current;
    const isOld = ({ since }: Finding) => before === undefined && since < this.#startedAt;
    for (const [key, finding] of byKey(current))
      if (!known.delete(key)) this.#say(isOld(finding) ? 'finding goes on' : 'finding began', finding);
    for (const finding of known.values()) this.#say('finding ended', finding);
    const remarks = remarksOf(current);
    const udids = [...new Set([...remarks.keys(), ...this.#remarks.keys()])].filter(
      (udid) => !isDeepStrictEqual(remarks.get(udid), this.#remarks.get(udid)),
    );
    this.#remarks = remarks;
    if (!isDeepStrictEqual(before, current)) this.onChange(udids);
  }

  /** A maintenance has begun: it ends findings at once, also while nothing can be evaluated, as without adb. */
  maintained(isInMaintenance: (udid: string) => boolean): void {
    if (this.#current) this.take(withoutMaintained(this.#current, isInMaintenance), this.#input);
  }

  #say(message: 'finding began' | 'finding ended' | 'finding goes on', finding: Finding): void {
    const isSevere = finding.severity !== 'minor' && message !== 'finding ended';
    this.#log[isSevere ? 'warn' : 'info'](lineOf(finding), message);
  }
}

/** Without phones that are forgotten or ignored, unless a list expects them. */
function keptOf(found: readonly Finding[], { phones }: Pick<RuleInput, 'phones'>): Finding[] {
  const known = new Set(phones.map(({ udid }) => udid));
  const isShown = ({ code, subject }: Finding) =>
    subject.kind !== 'phone' ||
    known.has(subject.key) ||
    code === 'EXPECTED_MISSING' ||
    code === 'NOT_IN_ADB';
  const kept = found.filter(isShown).slice(0, MOST_KEPT);
  return kept.map((finding) => ({ ...finding, udids: finding.udids.filter((udid) => known.has(udid)) }));
}

const byKey = (findings: readonly Finding[]) =>
  new Map(findings.map((finding) => [findingKey(finding), finding]));

/** What follows from the present alone does not know when it began: it has gone on since it was first found. */
const goingOn = (finding: Finding, before: Finding = finding): Finding =>
  finding.evidence.length > 0 || before.since >= finding.since
    ? finding
    : { ...finding, since: before.since };

function lineOf({ code, severity, certainty, subject, title, remedy, since, udids }: Finding) {
  return omitUndefined({
    code,
    severity,
    certainty,
    subject: 'key' in subject ? `${subject.kind} ${subject.key}` : subject.kind,
    slot: subject.kind === 'port' ? subject.slot : undefined,
    title,
    remedy,
    since: new Date(since).toISOString(),
    udids: udids.length === 0 ? undefined : udids.slice(0, MOST_NAMED),
    more: udids.length > MOST_NAMED ? udids.length - MOST_NAMED : undefined,
  });
}

function remarksOf(findings: readonly Finding[]): Map<string, Remark> {
  const worst = new Map<string, Remark>();
  for (const [udid, [finding]] of findingsByPhone(withoutExplained(findings))) {
    if (finding === undefined) continue;
    const { code, remedy } = finding;
    worst.set(udid, { code, remedy, explains: explainedBy(finding) });
  }
  return worst;
}
