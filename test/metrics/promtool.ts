/** Prometheus' own judge of rules, queries and scrapes. */
import { execFile, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

export interface Judgement {
  /** 0: no complaint. */
  code: number;
  output: string;
}

export function promtool(args: readonly string[], input = ''): Promise<Judgement> {
  return new Promise((resolve) => {
    const child = execFile('promtool', args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
    child.stdin?.end(input);
  });
}

/**
 * A group of tests that need promtool. Where it is missing they are skipped, with one line that says so; where `CI` is
 * set that is a failure.
 */
export function describeWithPromtool(title: string, tests: () => void): void {
  const { error } = spawnSync('promtool', ['--version']);
  if (error === undefined) {
    describe(title, tests);
  } else if (process.env.CI) {
    it(`${title}: has promtool`, () => expect(error).toBeUndefined());
  } else {
    process.stderr.write(`skipped: ${title} (this machine lacks promtool, of Debian's package prometheus)\n`);
    describe.skip(title, tests);
  }
}
