/** What a check found: one sentence on what it saw and, if something is wrong, one on how to fix it. */
import { ConfigError, HostNodeError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  /** What was checked, in two or three words. */
  readonly name: string;
  readonly status: Status;
  readonly seen: string;
  readonly remedy?: string;
}

const finding =
  (status: Status) =>
  (name: string, seen: string, remedy?: string): Finding =>
    omitUndefined({
      name: printable(name, 100),
      status,
      seen: printable(seen),
      remedy: remedy === undefined ? undefined : printable(remedy),
    });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');
export const skipped = finding('skipped');

/** Checks one thing; it may return several findings. */
export interface Check {
  readonly name: string;
  /** Time limit, ms. */
  readonly limitMs: number;
  /** The finding for a timeout, if it can say more than "no result". */
  readonly late?: Finding;
  /** @param signal fires at the time limit */
  look(signal: AbortSignal): Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;
}

/** Runs one check. Never throws, and never exceeds its limit: a check that breaks counts as failed. */
export async function perform({ name, limitMs, late: whenLate, look }: Check): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(limitMs);
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return [await Promise.race([late.promise, Promise.resolve().then(() => look(signal))])].flat();
  } catch (error) {
    if (signal.aborted && whenLate) return [whenLate];
    const why = signal.aborted ? `no result within ${limitMs / 1000} s` : errorText(error);
    return [failed(name, `the check itself broke: ${why}`)];
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** An error in words. Foreign errors give only their code, if they have one: a message may quote its input. */
export function errorText(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('; ');
  if (error instanceof HostNodeError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : `${error.name}: ${error.message}`;
}
