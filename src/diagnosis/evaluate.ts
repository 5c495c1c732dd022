/** What rules find: each looks for its own code. */
import { attempt } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { Store } from '../history/store/store.ts';
import { ageMs } from './context.ts';
import { byWeight, type Finding, findingKey, withoutMaintained } from './finding.ts';
import { type LossBlame, newestBlamesOf } from './losses/blame.ts';
import { RecentEvents } from './recent-events.ts';
import type { Found, Rule, RuleContext } from './rule.ts';
import type { RuleInput } from './rule-input.ts';
import { historyRules } from './rules/index.ts';
import { evidenceOf } from './words.ts';

/** A rule that threw: its findings are missing. */
export interface BrokenRule {
  code: string;
  error: unknown;
}

/** What one evaluation of all rules shows, in the thread of the history. */
export interface Evaluation {
  /** The worst first. */
  findings: Finding[];
  broken: BrokenRule[];
  /** Who is to blame for the newest losses; absent where they are too many, or that cannot be said. */
  blames?: LossBlame[];
}

const LONGEST_SIGN = 60;

const rethrow = ({ error }: BrokenRule): void => {
  throw error;
};

/**
 * The worst first, one for each code and subject, without those that the lab does not want, those that may still pass, and
 * those whose phones are all in maintenance: rules need not look at it.
 *
 * @param onBroken called for a rule that throws, which costs its own findings only. Default: throws its error
 */
export function evaluate(rules: readonly Rule[], context: RuleContext, onBroken = rethrow): Finding[] {
  const { setting } = context.now;
  const off = new Set(setting?.off);
  const found = new Map<string, Finding>();
  const findings = rules
    .filter(({ code }) => !off.has(code))
    .flatMap((rule) => findingsOf(rule, context, onBroken));
  for (const finding of findings.sort(byWeight)) {
    const key = findingKey(finding);
    if (!found.has(key)) found.set(key, finding);
  }
  const maintained = context.now.phones.filter(({ isInMaintenance }) => isInMaintenance);
  const udids = new Set(maintained.map(({ udid }) => udid));
  return withoutMaintained([...found.values()], (udid) => udids.has(udid));
}

/**
 * What is wrong now, in the order of the rules: those that need no history.
 *
 * @param now ms since the epoch
 */
export function evaluatePresent(
  rules: readonly Rule[],
  { phones, host }: Pick<RuleInput, 'phones' | 'host'>,
  now: number,
): Finding[] {
  const input = { at: now, isAdbListed: true, phones, ...(host && { host }) };
  const context = { now: input, events: [], samplesOf: () => [] };
  return rules.flatMap((rule) => evaluate([rule], context));
}

function findingsOf(rule: Rule, context: RuleContext, onBroken: (broken: BrokenRule) => void): Finding[] {
  const { at } = context.now;
  const hasSettled = ({ since = at, settleMs = rule.settleMs ?? 0 }: Found) => ageMs(at, since) >= settleMs;
  try {
    const found = [rule.evaluate(context)].flat().filter((each) => each !== undefined);
    return found.filter(hasSettled).map((each) => findingOf(rule, each, at));
  } catch (error) {
    onBroken({ code: rule.code, error });
    return [];
  }
}

/** With what follows from the rule. Names in it are a phone's own words: each text becomes one harmless line. */
export function findingOf(
  { code, severity }: Pick<Rule, 'code' | 'severity'>,
  { settleMs: _, ...found }: Found,
  now: number,
): Finding {
  const { subject, title, remedy, sign, evidence = [] } = found;
  return {
    code,
    severity,
    certainty: 'certain',
    since: now,
    udids: subject.kind === 'phone' ? [subject.key] : [],
    ...found,
    ...(sign !== undefined && { sign: printable(sign, LONGEST_SIGN) }),
    title: printable(title),
    remedy: printable(remedy),
    evidence: evidenceOf(evidence),
  };
}

/** The process keeps them until the next evaluation. */
const MOST_BLAMES = 1000;

const recent = new WeakMap<Store, RecentEvents>();

/** What is evaluated: the host as it is now, and the events of the last `LOOK_BACK_MS`, which are kept for the next time. */
export function contextOf(store: Store, now: RuleInput): RuleContext {
  const events = recent.get(store) ?? new RecentEvents(store);
  recent.set(store, events);
  return { now, events: events.until(now.at), samplesOf: (...which) => store.samples(...which) };
}

export function evaluationOf(store: Store, now: RuleInput, rules = historyRules): Evaluation {
  const context = contextOf(store, now);
  const broken: BrokenRule[] = [];
  // an error has no keys of its own: as JSON nothing is left of it
  const findings = evaluate(rules, context, ({ code, error }) => broken.push({ code, error: String(error) }));
  // a loss that nobody can explain costs no finding
  const blames = attempt(() => newestBlamesOf(context, MOST_BLAMES));
  return { findings, broken, ...(blames && { blames }) };
}
