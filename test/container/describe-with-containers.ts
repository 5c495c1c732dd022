import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forbiddenForGuest, missingForGuest } from '../systemd/guest-root.ts';

const TOOLS = ['buildah', 'podman', 'crun', 'unshare', 'tar', 'npm'];

/** What this machine lacks to build and run a container; the base image is made of the guests' root. */
function missingForContainers(): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  return [
    ...missingForGuest(),
    ...TOOLS.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool)))),
  ];
}

/**
 * A group of tests that build and run real containers. On a machine that cannot they are skipped, with one line that
 * says what is missing; where `CI` is set that is a failure, unless the machine forbids what no package could bring.
 */
export function describeWithContainers(title: string, tests: () => void): void {
  const missing = missingForContainers();
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
