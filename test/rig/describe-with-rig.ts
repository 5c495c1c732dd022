import { describe, expect, it } from 'vitest';
import { missingTools } from './android-shell.ts';

/**
 * A group of tests that need the rig. On a machine without its tools they are skipped, with one line that says
 * what is missing; where `CI` is set that is a failure.
 */
export function describeWithRig(title: string, tests: () => void): void {
  const missing = missingTools();
  if (missing.length === 0) {
    describe(title, tests);
  } else if (process.env.CI) {
    it(`${title}: has its tools`, () => expect(missing).toEqual([]));
  } else {
    process.stderr.write(`skipped: ${title} (this machine lacks ${missing.join(', ')})\n`);
    describe.skip(title, tests);
  }
}
