/** Tests that need more of the machine than Node. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

export { pathOf, without } from './programs.ts';

/** What it takes to be the first process of a namespace, as in a container, where this machine forbids it. */
export function withoutPidNamespace(): string[] {
  const { status } = spawnSync('unshare', ['--pid', '--fork', 'true']);
  return status === 0 ? [] : ['the right to make a PID namespace'];
}

export interface Needs {
  /** What this machine lacks and a package or root could bring. */
  missing: readonly string[];
  /** What this machine forbids although it lacks nothing: no package mends that. */
  forbidden?: () => readonly string[];
}

/**
 * A group of tests that need something of the machine. Where that is not there they are skipped, with one line that
 * says what is missing; where `CI` is set that is a failure, unless the machine forbids it.
 */
export function describeWhere(title: string, needs: Needs, tests: () => void): void {
  if (isThere(title, needs)) describe(title, tests);
  else describe.skip(title, tests);
}

/** The same for a part of a test. */
export function isThere(title: string, { missing, forbidden = () => [] }: Needs): boolean {
  const lacks = missing.length === 0 ? forbidden() : missing;
  if (lacks.length === 0) return true;
  if (process.env.CI && missing.length > 0)
    it(`${title}: has what it needs`, () => expect(missing).toEqual([]));
  else process.stderr.write(`skipped: ${title} (this machine lacks ${lacks.join(', ')})\n`);
  return false;
}
