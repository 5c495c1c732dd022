/** Prints precision and recall of the findings, once a run. */
import type { Reporter, TestModule, Vitest } from 'vitest/node';

export class FindingsReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests()]))
      for (const line of test.meta().findingScores ?? []) this.#vitest?.logger.log(`findings: ${line}`);
  }
}
