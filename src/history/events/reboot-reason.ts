/**
 * Why a phone restarted, by its own words.
 *
 * Source: AOSP boot reasons, `reason[,subreason[,detail]]` (source.android.com/docs/core/architecture/bootloader/boot-reason):
 * kernel_panic, watchdog, reboot, shutdown, cold, warm, hard, recovery, bootloader. Makers add their own.
 */

export type RebootKind = 'crash' | 'asked' | 'unknown';

/** What a phone does by itself when something is wrong with it. */
const crashes = [
  'kernel_panic',
  'panic',
  'watchdog',
  'wdt',
  'oops',
  'hw_reset',
  'undervoltage',
  'uvlo',
  'thermal',
  'shutdown,thermal',
  'shutdown,battery',
  'reboot,rescueparty',
  'reboot,userspace_failed',
];
/** What many phones give for every start: it says nothing. */
const saysNothing = new Set([
  '',
  'unknown',
  'reboot,unknown',
  'cold',
  'warm',
  'hard',
  'normal',
  'usb',
  'charger',
]);

/** @param reason `sys.boot.reason`, else `ro.boot.bootreason` */
export function rebootKind(reason = ''): RebootKind {
  const said = reason.trim().toLowerCase();
  if (saysNothing.has(said)) return 'unknown';
  return crashes.some((crash) => said.startsWith(crash)) ? 'crash' : 'asked';
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
