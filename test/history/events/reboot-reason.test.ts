import { expect, it } from 'vitest';
import { isAskedFor, rebootKind } from '../../../src/history/events/reboot-reason.ts';

it.each([
  ['kernel_panic,bug', 'crash'],
  ['watchdog', 'crash'],
  ['shutdown,thermal,battery', 'crash'],
  ['reboot,rescueparty', 'crash'],
  ['reboot,kernel_panic', 'crash'],
  ['shutdown,battery', 'crash'],
  ['Kernel_Panic ', 'crash'],
  ['reboot,userrequested', 'asked'],
  ['reboot', 'unknown'],
  ['bootloader', 'asked'],
  ['reboot,ota', 'asked'],
  ['', 'unknown'],
  ['cold', 'unknown'],
  ['cold,powerkey', 'unknown'],
  ['cold,charger', 'unknown'],
  ['warm,watchdog', 'crash'],
  ['hard,longkey', 'unknown'],
  ['reboot,longkey', 'asked'],
  [undefined, 'unknown'],
] as const)('%s: %s', (reason, kind) => {
  expect(rebootKind(reason)).toBe(kind);
  expect(isAskedFor(reason)).toBe(kind === 'asked');
});
