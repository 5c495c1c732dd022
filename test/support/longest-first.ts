import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a minute or more: they begin first, so that nothing waits for one of them at the end. Those that keep a
 * processor busy stand beside those that wait for a guest or a timer.
 */
const LONG = [
  'test/usb/package.test.ts',
  'test/usb/witness.test.ts',
  'test/ansible/rollout.test.ts',
  'test/package/host.test.ts',
  'test/findings/incidents/months.test.ts',
  'test/findings/incidents/incidents.test.ts',
  'test/package/repository.test.ts',
  'test/e2e/findings.test.ts',
  'test/package/package.test.ts',
  'test/status/metrics/fleet.test.ts',
  'test/e2e/demo-stories.test.ts',
  'test/systemd/service.test.ts',
  'test/security/regular-expressions.test.ts',
  'test/page/look.test.ts',
  'test/findings/scenes.test.ts', // 12 s before its first test, with the other workers of `unit` at their end
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
