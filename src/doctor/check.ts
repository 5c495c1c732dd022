/** A check: what it looked at, and what it found wrong there, if anything. */
import { ConfigError, HostNodeError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result of a check, as `doctor --json` has it. */
export interface CheckResult {
  readonly name: string;
  readonly status: Status;
  /** What it saw, one sentence without a full stop. */
  readonly seen: string;
  readonly said?: string;
  readonly remedy?: string;
}

/** Each text becomes one harmless line. */
const resultAs =
  (status: Status) =>
  (name: string, seen: string, remedy = '', said = ''): CheckResult => ({
    name: printable(name, 100),
    status,
    seen: printable(seen),
    ...(said && { said: printable(said) }),
    ...(remedy && { remedy: printable(remedy) }),
  });

export const ok = resultAs('ok');
export const warning = resultAs('warning');
export const failed = resultAs('failed');
/** It could not look, or there is nothing to look at. */
export const skipped = resultAs('skipped');

/** What cannot be checked because of another check that failed: one fault is one failure. */
export const notChecked = (name: string, obstacle: string, seen = 'not checked'): CheckResult =>
  skipped(name, `${seen}: ${obstacle} failed`);

export interface Check {
  readonly name: string;
  /** The name of an earlier check in the list: if that fails, this one is not made. */
  readonly needs?: string;
  readonly limitMs: number;
  /** The result for a timeout, if it can say more than "no result". */
  readonly late?: CheckResult;
  look(
    signal: AbortSignal,
  ): CheckResult | readonly CheckResult[] | Promise<CheckResult | readonly CheckResult[]>;
}

/** Runs the checks at the same time, but each after the one that it needs; results that are known keep their place. */
export async function performAll(checks: readonly (Check | CheckResult)[]): Promise<CheckResult[]> {
  /** By check: the one that failed, itself or one that it needs. */
  const obstacles = new Map<string, Promise<string | undefined>>();
  const all = checks.map((check) => {
    if (!('look' in check)) return [check];
    const { name, needs = '' } = check;
    const needed = Promise.resolve(obstacles.get(needs));
    const made = needed.then((obstacle) =>
      obstacle === undefined ? perform(check) : [notChecked(name, obstacle)],
    );
    const hasFailed = made.then((results) => results.some(({ status }) => status === 'failed'));
    obstacles.set(
      name,
      hasFailed.then(async (isSo) => (await needed) ?? (isSo ? name : undefined)),
    );
    return made;
  });
  return (await Promise.all(all)).flat();
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
