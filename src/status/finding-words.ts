/** How findings about phones are called where there is little room, and where several are told as one. */
import type { FindingCode } from '../diagnosis/finding.ts';

interface Words {
  /** One to three words, for a phone's tile: `flapping`. */
  sign: string;
  /** After `8 phones`: `are lost again and again`. */
  plural: string;
}

/** Of the codes whose subject is a phone. */
const words: Readonly<Partial<Record<FindingCode, Words>>> = {
  PHONE_UNSTABLE: { sign: 'unstable', plural: 'are lost in whatever port they sit' },
  LINK_UNSTABLE: { sign: 'unstable network', plural: 'are lost from the network again and again' },
  FLAPPING: { sign: 'flapping', plural: 'are lost again and again' },
  UNEXPLAINED_REBOOT: { sign: 'restarted by itself', plural: 'restarted by themselves' },
  BOOT_LOOP: { sign: 'boot loop', plural: 'restart again and again' },
  OFFLINE_LONG: { sign: 'offline', plural: 'have been offline for long' },
  UNAUTHORIZED_AFTER_UPDATE: { sign: 'unauthorized', plural: 'are unauthorized since an update' },
  USB_SLOW: { sign: 'slow USB', plural: 'use USB slower than they can' },
  USB_POWER: { sign: 'USB power', plural: 'get too little power over USB' },
  NOT_IN_ADB: { sign: 'not in adb', plural: 'are on USB, and adb does not list them' },
  BATTERY_HOT: { sign: 'hot', plural: 'are hot' },
  BATTERY_FULL_AND_HOT: { sign: 'full and hot', plural: 'have been full and hot for hours' },
  BATTERY_WORN: { sign: 'worn battery', plural: 'have worn batteries' },
  STORAGE_FILLING: { sign: 'storage filling', plural: 'will soon have no storage left' },
  SCREEN_LOCKED: { sign: 'screen locked', plural: 'are locked' },
  SCREEN_OFF: { sign: 'asleep', plural: 'are asleep with the screen off' },
  DEVELOPER_OPTIONS_OFF: { sign: 'no developer options', plural: 'have their developer options off' },
  STAY_AWAKE_OFF: { sign: 'may sleep', plural: 'do not stay awake' },
  DIALOG_IN_FRONT: { sign: 'dialog in front', plural: 'show a dialog of the system' },
  EXPECTED_MISSING: { sign: 'missing', plural: 'are missing' },
  UNEXPECTED_PHONE: { sign: 'not expected', plural: 'are not in the list of expected phones' },
  PHONE_MOVED: { sign: 'moved', plural: 'sit in another slot than expected' },
  PHONE_CLONED: { sign: 'cloned', plural: 'claim to be the same phone' },
  ATTACHED_TWICE: { sign: 'attached twice', plural: 'are attached twice' },
};

export const signOf = (code: FindingCode): string =>
  words[code]?.sign ?? code.toLowerCase().replaceAll('_', ' ');

export const pluralOf = (code: FindingCode): string => words[code]?.plural ?? `have ${code}`;
