import { expect, it } from 'vitest';
import { withReadingsOfNow } from '../../src/status/host-status.ts';
import { host, phone as samplePhone } from '../support/sample-status.ts';

it('phones that cannot be asked show none of their last readings', () => {
  const bare = samplePhone();
  const readings = { battery: { levelRatio: 0.5 }, storage: { totalBytes: 64 }, network: 'REACHABLE' };
  const phone = { ...bare, ...readings };
  expect(withReadingsOfNow(host([phone])).phones).toEqual([phone]);
  const unknown = { ...phone, condition: 'unknown' as const };
  expect(withReadingsOfNow(host([unknown])).phones).toEqual([{ ...bare, condition: 'unknown' }]);
  const adb = { ...host([]).adb, state: 'unreachable' as const };
  expect(withReadingsOfNow(host([phone], { adb })).phones).toEqual([bare]);
});
