/** What a check says: one sentence of what was seen and, where something is wrong, one of how to mend it. */
import { ConfigError, HostNodeError } from '../errors.ts';
import { present } from '../present.ts';
import { printable } from '../printable.ts';

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  /** What was looked at, two or three words. */
  readonly name: string;
  readonly status: Status;
  readonly seen: string;
  readonly mend?: string;
}

const finding =
  (status: Status) =>
  (name: string, seen: string, mend?: string): Finding =>
    present({
      name: printable(name, 100),
      status,
      seen: printable(seen),
      mend: mend === undefined ? undefined : printable(mend),
    });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');
export const skipped = finding('skipped');

/** One look at one thing; it may find several. */
export interface Check {
  readonly name: string;
  /** When it is given up, ms. */
  readonly limitMs: number;
  /** What follows when it is given up, where that says more than that there was no result. */
  readonly late?: Finding;
  /** @param signal fires when its time is over */
  look(signal: AbortSignal): Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;
}

/** Makes one check. It never throws and never lasts longer than its limit: a check that breaks is a failed check. */
export async function perform({ name, limitMs, late: whenLate, look }: Check): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(limitMs);
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return [await Promise.race([late.promise, Promise.resolve().then(() => look(signal))])].flat();
  } catch (error) {
    if (signal.aborted && whenLate) return [whenLate];
    const why = signal.aborted ? `no result within ${limitMs / 1000} s` : reasonOf(error);
    return [failed(name, `the check itself did not succeed: ${why}`)];
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** An error in words. Of foreign errors the code, where there is one: a message may quote what it was given. */
export function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('; ');
  if (error instanceof HostNodeError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : `${error.name}: ${error.message}`;
}
