/** Says little when all is well: a line for each project. What fails is printed whole. */
import { DefaultReporter, type TestModule, type TestRunEndReason } from 'vitest/node';

const states = ['passed', 'failed', 'skipped'] as const;

/** `unit: 1978 passed, 1 skipped, in 123 files` for each project, in the order in which they ended. */
export function projectLines(modules: readonly TestModule[]): string[] {
  const byProject = Map.groupBy(modules, ({ project }) => project.name);
  return [...byProject].map(([name, files]) => {
    const results = files.flatMap(({ children }) =>
      [...children.allTests()].map((test) => test.result().state),
    );
    const counts = states.map(
      (state) => [results.filter((result) => result === state).length, state] as const,
    );
    const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
    return `${name}: ${said.join(', ') || 'no tests'}, in ${files.length} files`;
  });
}

/** The tests that passed only when they were tried again, as continuous integration does once. */
export function flakyLines(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `passed at the second try only: ${module.relativeModuleId}: ${test.fullName}`),
  );
}

export class ProjectReporter extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() === 'failed') super.printTestModule(module);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    for (const line of [...projectLines(modules), ...flakyLines(modules)]) this.ctx.logger.log(line);
    super.onTestRunEnd(modules, errors, reason);
  }
}
