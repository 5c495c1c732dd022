import { describe, expect, it } from 'vitest';
import { forbiddenForGuest, missingForGuest } from './guest-root.ts';

/**
 * A group of tests that boot a real systemd. On a machine that cannot they are skipped, with one line that says what
 * is missing; where `CI` is set that is a failure, unless the machine forbids what no package could bring.
 */
export function describeWithSystemd(title: string, tests: () => void): void {
  const missing = missingForGuest();
  const lacks = missing.length === 0 ? forbiddenForGuest() : missing;
  if (lacks.length === 0) {
    describe(title, tests);
  } else if (process.env.CI && missing.length > 0) {
    it(`${title}: has what it needs`, () => expect(missing).toEqual([]));
  } else {
    process.stderr.write(`skipped: ${title} (this machine lacks ${lacks.join(', ')})\n`);
    describe.skip(title, tests);
  }
}
