/**
 * Why a phone restarted, by its own words.
 *
 * Source: AOSP boot reasons, `reason[,subreason[,detail]]` (source.android.com/docs/core/architecture/bootloader/boot-reason):
 * kernel_panic, watchdog, reboot, shutdown, cold, warm, hard, recovery, bootloader. Makers add their own.
 */

export type RebootKind = 'crash' | 'asked' | 'unknown';

/** What a phone does by itself when something is wrong with it, whatever word stands before it. */
const crashes = [
  ...['kernel_panic', 'panic', 'watchdog', 'wdt', 'oops', 'hw_reset', 'undervoltage', 'uvlo', 'thermal'],
  ...['shutdown,battery', 'rescueparty', 'userspace_failed'],
];
/**
 * What many phones give for every start, as `reboot` with nothing after it, or how a phone that was off was switched on, as
 * `cold,powerkey`: it does not say why it went off.
 */
const saysNothing = new Set([
  ...['', 'unknown', 'cold', 'warm', 'hard', 'normal', 'usb', 'charger', 'rtc'],
  ...['powerkey', 'power_key', 'pwrkey', 'power_on', 'powerup'],
]);

/** @param reason `sys.boot.reason`, else `ro.boot.bootreason` */
export function rebootKind(reason = ''): RebootKind {
  const said = reason.trim().toLowerCase();
  const words = said.split(',');
  if ([said, ...words].some((each) => crashes.some((crash) => each.startsWith(crash)))) return 'crash';
  return /^reboot(,unknown)?$/.test(said) || saysNothing.has(words[0] ?? '') ? 'unknown' : 'asked';
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
