/** Prints how many facts of the corpus have been compared, and fails a whole run that has passed a sample over. */
import { readdirSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node';
import { notOurs } from './corpus-not-ours.ts';

const folder = new URL('../fixtures/corpus/', import.meta.url);

/** The samples that are there. */
export const allSamples = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.txt'))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.pathname.length).replace(/^\/+/, ''));

/**
 * @param compared facts by sample
 * @returns what is wrong, a line each
 */
export function judge(compared: ReadonlyMap<string, number>, present: readonly string[]): string[] {
  const passedOver = new Set(Object.values(notOurs).flat());
  return [
    ...present
      .filter((file) => !compared.has(file) && !passedOver.has(file))
      .map((file) => `${file} is not compared, and test/support/corpus-not-ours.ts does not say why`),
    ...[...passedOver]
      .filter((file) => compared.has(file) || !present.includes(file))
      .map(
        (file) =>
          `${file} stands in test/support/corpus-not-ours.ts, and ${compared.has(file) ? 'is compared' : 'is gone'}`,
      ),
  ];
}

export class CorpusReporter implements Reporter {
  #vitest: Vitest | undefined;
  /** No file or test has been picked by the command line. */
  #isWhole = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(picked: readonly TestSpecification[]): Promise<void> {
    const all = (await this.#vitest?.globTestSpecifications()) ?? [];
    this.#isWhole = picked.length === all.length && this.#vitest?.config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: TestRunEndReason): void {
    const compared = new Map<string, number>();
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')])) {
      for (const [file, facts] of Object.entries(test.meta().corpusFacts ?? {}))
        compared.set(file, (compared.get(file) ?? 0) + facts);
    }
    if (compared.size === 0) return;
    const facts = [...compared.values()].reduce((sum, each) => sum + each, 0);
    this.#vitest?.logger.log(`corpus: ${facts} facts of ${compared.size} samples compared`);
    if (reason !== 'passed' || !this.#isWhole) return;
    const problems = judge(compared, allSamples());
    for (const problem of problems) this.#vitest?.logger.error(`corpus: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
