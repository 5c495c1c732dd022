import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { hubLost } from '../../../src/diagnosis/rules/lost-at-once.ts';
import { at, contextOf, lost, phone } from '../../findings/told.ts';

it('a hub that is away is told, though USB saw it leave with a single phone days before', () => {
  const three = ['A', 'B', 'C'].map((udid, index) => phone(udid, at(String(index + 1)), { attached: false }));
  const once = lost(1000, 'A', at('1'), 40);
  const now = three.flatMap(({ udid, where }, index) => lost(200_000 + index * 0.1, udid, where));
  const context = contextOf(
    200_600,
    [
      ...once,
      [1002, { kind: 'usb', gone: 'hub', hub: '1-4', udid: 'A' }],
      ...now,
      [200_002, { kind: 'usb', gone: 'phone', udid: 'A' }],
    ],
    three,
  );
  expect(evaluate([hubLost], context).map(({ title }) => title)).toEqual([
    'All 3 phones of hub 1-4 were lost within 1 s, 3 are still missing',
  ]);
});
