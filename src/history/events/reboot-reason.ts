/**
 * Why a phone restarted, by its own words.
 *
 * Source: AOSP boot reasons, `reason[,subreason[,detail]]` (source.android.com/docs/core/architecture/bootloader/boot-reason):
 * kernel_panic, watchdog, reboot, shutdown, cold, warm, hard, recovery, bootloader. Makers add their own
 * (`kBootReasonMap` in system/core/bootstat/bootstat.cpp), some with `_` in place of `,`: `reboot_longkey`.
 */

export type RebootKind = 'crash' | 'asked' | 'unknown';

/** What a phone, its power supply or its storage does by itself when something is wrong, wherever the word stands. */
const CRASH =
  /panic|watchdog|wdog|wdt|oops|hw_reset|undervolt|uvlo|powerloss|smpl|pmic_off_fault|\bocp|\btsd\b|thermal|shutdown,battery|rescueparty|[_,-]fail|crash|fatal|corrupted|verity|abnormal|err\b|error\b|memory_protect/;
/** MediaTek's restarts by software go through its watchdog, too. */
const BY_WATCHDOG = /_by_pass_pwk$/;
/** What Android starts a reason with that somebody asked for: how a phone was switched on says nothing of why it was off. */
const ASKED = /^(reboot|shutdown|recovery|bootloader|fastboot)\b/;
/**
 * What follows where nobody gave a reason, or held the power button, as of a phone that hangs; `reboot` alone is what many
 * phones give for every start.
 */
const NO_REASON =
  /^reboot($|[,_](unknown|longkey|by_key|normal|cold|warm|hard|early|pin|rtc|2sec|gsa|master_dc|pmic_off|sys_ldo))/;

/** @param reason `sys.boot.reason`, else `ro.boot.bootreason` */
export function rebootKind(reason = ''): RebootKind {
  const said = reason.trim().toLowerCase();
  if (BY_WATCHDOG.test(said)) return 'unknown';
  if (CRASH.test(said)) return 'crash';
  return ASKED.test(said.replaceAll('_', ',')) && !NO_REASON.test(said) ? 'asked' : 'unknown';
}

/** Somebody or something asked for it, as an update does. */
export const isAskedFor = (reason?: string): boolean => rebootKind(reason) === 'asked';

/** `reboot,userrequested` → `user requested`; the first word only where nothing stands after it. */
export function reasonInWords(reason: string): string {
  const [first = '', ...details] = reason.split(',');
  const detail = details
    .map((each) => (each === 'userrequested' ? 'user requested' : inWords(each)))
    .join(', ');
  if (detail === '') return inWords(first);
  return first === 'reboot' ? detail : `${inWords(first)}, ${detail}`;
}

/** `KERNEL_PANIC` → `kernel panic`. */
export const inWords = (word: string): string => word.toLowerCase().replaceAll('_', ' ');
