import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes: they begin first, so that nothing waits for one of them at the end. */
const LONG = [
  'test/usb/package.test.ts',
  'test/ansible/rollout.test.ts',
  'test/package/host.test.ts',
  'test/package/repository.test.ts',
  'test/status/metrics/fleet.test.ts',
  'test/findings/incidents/incidents.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.indexOf(relative(project.config.root, moduleId));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
