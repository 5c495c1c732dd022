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
  ['reboot,longkey', 'unknown'],
  ['reboot_longkey', 'unknown'],
  ['reboot,longkey,master_dc', 'unknown'],
  ['reboot,powerloss', 'crash'],
  ['smpl', 'crash'],
  ['reboot,ocp2,pmic,if', 'crash'],
  ['reboot,userspace_failed,shutdown_aborted', 'crash'],
  ['rpm_err', 'crash'],
  ['oem_crash_on_the_lk', 'crash'],
  ['wdt_by_pass_pwk', 'unknown'],
  ['reboot_recovery_mode', 'asked'],
  ['shutdown,userrequested,recovery', 'asked'],
  ['reboot,periodic,x', 'asked'],
  ['reboot,unknown2', 'unknown'],
  ['hard_reset', 'unknown'],
  ['kpdpwr', 'unknown'],
  ['oem_pon1', 'unknown'],
  ['a_word_of_no_maker', 'unknown'],
  [undefined, 'unknown'],
] as const)('%s: %s', (reason, kind) => {
  expect(rebootKind(reason)).toBe(kind);
  expect(isAskedFor(reason)).toBe(kind === 'asked');
});
