import { describeWhere, pathOf, without } from '../machine-needs.ts';

/** A loaded machine is slow, ms. */
export const PATIENCE_MS = 60_000;

/** Where Chromium is; undefined where it is not installed. */
export const chromiumPath = (): string | undefined => pathOf('chromium');

/** A group of tests that need Chromium. */
export const describeWithChromium = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: without(['chromium']), timeout: 2 * PATIENCE_MS }, tests);
