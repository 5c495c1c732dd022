import { readFileSync } from 'node:fs';
import { expect, type RunnerTestCase as Test, TestRunner } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';

const folder = new URL('../fixtures/corpus/', import.meta.url);

/** One captured output and the facts that a careful person reads from it. */
export interface Sample {
  file: string;
  command: string;
  device: string;
  android: string;
  note: string;
  text: string;
  /** Facts in the units that the text uses; null where nothing valid can be read. */
  // biome-ignore lint/suspicious/noExplicitAny: each folder of samples has a shape of its own
  expected: any;
}

/** The samples of one folder of test/fixtures/corpus, as its manifest.tsv lists them. */
export function samples(section: string): Sample[] {
  const [, ...rows] = readFileSync(new URL('manifest.tsv', folder), 'utf8').trimEnd().split('\n');
  return rows
    .map((row) => row.split('\t'))
    .filter(([file]) => file?.startsWith(`${section}/`))
    .map(([file = '', command = '', device = '', android = '', , , , , note = '', expected = 'null']) => ({
      file,
      command,
      device,
      android,
      note,
      text: readFileSync(new URL(file, folder), 'utf8'),
      expected: JSON.parse(expected),
    }));
}

declare module 'vitest' {
  interface TaskMeta {
    /** Facts that this test has compared with what is expected, by the sample's file. */
    corpusFacts?: Record<string, number>;
  }
}

/** Compares what was read from a sample with what is expected, and counts the facts. */
export function expectFacts(file: string, read: unknown, expected: unknown): void {
  expect(read).toEqual(expected);
  count(file, leaves(expected));
}

/** That nothing can be read from a sample is one fact. */
export function expectUnreadable(file: string, read: () => unknown): void {
  expect(read).toThrow(ParseError);
  count(file, 1);
}

/** For the reporter, which sums up what has passed. */
function count(file: string, facts: number): void {
  const { meta } = TestRunner.getCurrentTest<Test>();
  meta.corpusFacts = { ...meta.corpusFacts, [file]: (meta.corpusFacts?.[file] ?? 0) + facts };
}

/** The single values in a value; an empty list says one thing: none. */
function leaves(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value !== 'object' || value === null) return 1;
  const inner = Object.values(value);
  return inner.length === 0 ? 1 : inner.reduce((sum: number, each) => sum + leaves(each), 0);
}
