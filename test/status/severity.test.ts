import { expect, it } from 'vitest';
import type { Cause, CauseKind } from '../../src/status/host-status.ts';
import { byUrgency, isHostProblem, severityOf } from '../../src/status/severity.ts';

const cause = (kind: CauseKind, since: number, key: string = kind): Cause => ({
  ...{ key, kind, title: key, remedy: '', since, udids: kind === 'adb' ? [] : ['A'] },
});

it('puts what concerns the whole host first, then the worst, and of these the newest', () => {
  const causes = [
    cause('storage', 900),
    cause('unplugged', 100, 'old'),
    cause('adb', 1),
    cause('unplugged', 200, 'phone 10'),
    cause('unauthorized', 200, 'phone 9'),
    cause('hot', 50),
  ];
  expect(causes.sort(byUrgency).map(({ key }) => key)).toEqual([
    'adb',
    'hot',
    'phone 9',
    'phone 10',
    'old',
    'storage',
  ]);
});

it('tells faults of the host from those of phones', () => {
  expect([cause('adb', 0), cause('hot', 0)].map((each) => [severityOf(each), isHostProblem(each)])).toEqual([
    ['critical', true],
    ['critical', false],
  ]);
});
