/** A check: what it looked at, and what it found wrong there, if anything. */
import { ConfigError, HostNodeError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { findingOf } from '../diagnosis/evaluate.ts';
import type { Finding } from '../diagnosis/finding.ts';

/** Code of a finding that only doctor has. It is on no page, in no metric and in no message. */
export type DoctorCode = `doctor:${string}`;

export interface CheckResult {
  /** What was checked, in two or three words. */
  readonly name: string;
  /** What it saw, one sentence without a full stop. */
  readonly seen: string;
  /** What is wrong there. */
  readonly finding?: Finding;
  /** It could not look, or there is nothing to look at; with what to do, so that it can. */
  readonly skipped?: { readonly remedy?: string };
}

export const ok = (name: string, seen: string): CheckResult => ({ name, seen });

export const skipped = (name: string, seen: string, remedy?: string): CheckResult => ({
  name,
  seen,
  skipped: omitUndefined({ remedy }),
});

type About = Partial<Pick<Finding, 'severity' | 'subject' | 'said'>> & { code?: Finding['code'] };

/** @param about the code of the rule that finds the same, if there is one; default: a finding of the host, by doctor alone */
const wrong =
  (usual: Finding['severity']) =>
  (name: string, seen: string, remedy = '', about: About = {}): CheckResult => {
    const own: DoctorCode = `doctor:${name}`;
    const { code = own, severity = usual, subject = { kind: 'host' }, ...more } = about;
    const finding = findingOf({ code, severity }, { subject, title: seen, remedy, ...more }, Date.now());
    return { name, seen, finding };
  };

export const warning = wrong('minor');
export const failed = wrong('critical');

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result as `doctor --json` has it: each text is one harmless line. */
export interface ShownResult {
  readonly name: string;
  readonly status: Status;
  readonly seen: string;
  /** The cloud's own words. */
  readonly said?: string;
  readonly remedy?: string;
}

export function shown(result: CheckResult): ShownResult {
  const { name, seen, finding, skipped } = result;
  const { said, remedy } = finding ?? { remedy: skipped?.remedy };
  return omitUndefined({
    name: printable(name, 100),
    status: statusOf(result),
    seen: printable(seen),
    said: said === undefined ? undefined : printable(said),
    remedy: remedy ? printable(remedy) : undefined,
  });
}

/** What is wrong with a phone costs that phone alone, and a person fixes it there: it is a warning. */
export function statusOf({ finding, skipped }: CheckResult): Status {
  if (finding === undefined) return skipped ? 'skipped' : 'ok';
  return finding.severity === 'minor' || finding.subject.kind === 'phone' ? 'warning' : 'failed';
}

/** What cannot be checked because of another check that failed: one fault is one failure. */
export const notChecked = (name: string, obstacle: string, seen = 'not checked'): CheckResult =>
  skipped(name, `${seen}: ${obstacle} failed`);

/** Checks one thing; it may return several results. */
export interface Check {
  readonly name: string;
  /** The name of an earlier check in the list: if that fails, this one is not made. */
  readonly needs?: string;
  /** Time limit, ms. */
  readonly limitMs: number;
  /** The result for a timeout, if it can say more than "no result". */
  readonly late?: CheckResult;
  /** @param signal fires at the time limit */
  look(
    signal: AbortSignal,
  ): CheckResult | readonly CheckResult[] | Promise<CheckResult | readonly CheckResult[]>;
}

interface Outcome {
  readonly results: readonly CheckResult[];
  /** The check that failed: this one, or one that it needs. */
  readonly obstacle?: string;
}

/**
 * Runs the checks at the same time, but each after the one that it needs. Never throws.
 *
 * @param checks and results that are known already, which keep their place
 */
export async function performAll(checks: readonly (Check | CheckResult)[]): Promise<CheckResult[]> {
  const outcomes = new Map<string, Promise<Outcome>>();
  const all = checks.map(async (check) => {
    if (!('look' in check)) return [check];
    const outcome = performAfter(outcomes.get(check.needs ?? ''), check);
    outcomes.set(check.name, outcome);
    return (await outcome).results;
  });
  return (await Promise.all(all)).flat();
}

async function performAfter(needed: Promise<Outcome> | undefined, check: Check): Promise<Outcome> {
  const { obstacle } = (await needed) ?? {};
  if (obstacle !== undefined) return { results: [notChecked(check.name, obstacle)], obstacle };
  const results = await perform(check);
  const hasFailed = results.some((result) => statusOf(result) === 'failed');
  return hasFailed ? { results, obstacle: check.name } : { results };
}

/** Runs one check. Never throws, and never exceeds its limit: a check that breaks counts as failed. */
export async function perform({ name, limitMs, late, look }: Check): Promise<readonly CheckResult[]> {
  const signal = AbortSignal.timeout(limitMs);
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  try {
    return [await Promise.race([timeout, Promise.resolve(signal).then(look)])].flat();
  } catch (error) {
    if (signal.aborted && late) return [late];
    const why = signal.aborted ? `no result within ${limitMs / 1000} s` : errorText(error);
    return [failed(name, `the check itself broke: ${why}`)];
  }
}

/** An error in words. Foreign errors give only their code, if they have one: a message may quote its input. */
export function errorText(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('; ');
  if (error instanceof HostNodeError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : `${error.name}: ${error.message}`;
}
