import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { architectures } from '../../packaging/architecture.ts';
import { describeWithSystemd } from '../systemd/describe-with-systemd.ts';

const { strip = 'strip' } = architectures[process.arch] ?? {};

/** What this machine lacks to make a package and to judge it. */
function missingTools(): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  const tools = ['dpkg-deb', 'lintian', 'man', 'git', strip];
  return tools.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))));
}

/**
 * A group of tests that make a Debian package. On a machine without the tools they are skipped, with one line that
 * says what is missing; where `CI` is set that is a failure.
 */
export function describeWithTools(title: string, tests: () => void): void {
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

/** A group of tests that make a package and install it on a host with systemd. */
export function describeWithHost(title: string, tests: () => void): void {
  describeWithTools('the Debian package', () => describeWithSystemd(title, tests));
}
