/** What a person reads where no phone is printed. */

/** What adb lists, whichever phones are wanted of it. */
export interface AdbListing {
  /** Its entries: a phone may have several, and one that has no name is no phone for us. */
  entries: number;
  nameless: number;
  phones: number;
  /** Phones that the lab ignores. */
  ignored: number;
}

export const IS_ONE_THERE = 'Is one plugged in, with USB debugging switched on?';

/** Why there is no phone to print; nothing where there are phones, but not those that were asked for. */
export function whyNoPhones({ entries, nameless, phones, ignored }: AdbListing): string[] {
  if (entries === 0) return [`No phones: adb lists none. ${IS_ONE_THERE}`];
  if (phones === 0 && nameless === 0) return ['No phones: what adb lists is offline for long'];
  if (ignored === 0 || ignored < phones) return [];
  return [
    ignored === 1
      ? '1 phone, ignored by the configuration'
      : `${ignored} phones, all ignored by the configuration`,
  ];
}

/** @param devices how many adb lists that nothing tells from others */
export function namelessWarnings(devices: number): string[] {
  if (devices === 0) return [];
  return [
    devices === 1
      ? 'adb lists a device without serial number and USB path: it cannot be reported'
      : `adb lists ${devices} devices without serial number and USB path: they cannot be reported`,
  ];
}
