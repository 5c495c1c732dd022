import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** A loaded machine is slow, ms. */
export const PATIENCE_MS = 60_000;

/** Where Chromium is; undefined where it is not installed. */
export function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'chromium')).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A group of tests that need Chromium. On a machine without it they are skipped, with one line that says so; where
 * `CI` is set that is a failure.
 */
export function describeWithChromium(title: string, tests: () => void): void {
  if (chromiumPath() !== undefined) {
    describe(title, { timeout: 2 * PATIENCE_MS }, tests);
  } else if (process.env.CI) {
    it(`${title}: has Chromium`, () => expect(chromiumPath()).toBeDefined());
  } else {
    process.stderr.write(`skipped: ${title} (this machine lacks chromium)\n`);
    describe.skip(title, tests);
  }
}
