/** What was found, for people and for the count of all tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './target.ts';

/** What came of one target, over all its rounds. */
export interface Tally {
  target: string;
  runs: number;
  ms: number;
  finding?: Finding;
}

/** How to see it again. */
export const again = ({ target, seed, path }: Finding): string =>
  `npm run fuzz -- --target ${target} --seed ${seed} --path ${path}`;

/** Writes the input down, with what does not hold and how to see it again. @returns the file's path */
export function writeFinding(folder: string, finding: Finding): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${finding.target}-${finding.seed}-${finding.path.replaceAll(':', '.')}.txt`);
  writeFileSync(file, `${again(finding)}\n\n${finding.what}\n\n${finding.input}\n`);
  return file;
}

/** The tallies as vitest's JSON report has tests: a target is one. */
export function asTestReport(tallies: readonly Tally[]) {
  const assertionResults = tallies.map(({ target, finding }) => ({
    title: target,
    fullName: `fuzz ${target}`,
    status: finding === undefined ? 'passed' : 'failed',
    failureMessages: finding === undefined ? [] : [`${again(finding)}\n${finding.what}`],
  }));
  const failed = tallies.filter(({ finding }) => finding !== undefined).length;
  return {
    numTotalTests: tallies.length,
    numPassedTests: tallies.length - failed,
    numFailedTests: failed,
    success: failed === 0,
    testResults: [{ name: 'test/fuzz', status: failed === 0 ? 'passed' : 'failed', assertionResults }],
  };
}

/** One line of the table that is printed. */
export function row({ target, runs, ms, finding }: Tally): string {
  const speed = Math.round(runs / Math.max(ms / 1000, 0.001));
  return `${target.padEnd(24)} ${String(runs).padStart(9)} ${String(speed).padStart(7)}/s  ${finding ? 'FOUND' : 'ok'}`;
}
