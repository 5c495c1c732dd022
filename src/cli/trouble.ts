/** What is wrong as lines for a person: failures of adb and the cloud, with what to do; why there are no phones. */
import { remedyFor } from '../adb/remedy.ts';
import type { AdbUnavailableError } from '../base/errors.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Config } from '../config/load.ts';
import { readHostKind } from '../host/host-kind.ts';
import type { PhonesOnUsb } from '../host/usb-sight.ts';
import { isOneThere } from '../status/host-status.ts';

const doThis = (remedy: string): string => `  → ${remedy}`;

/** @param what failed because of it, if that is not clear */
export function troubleLines(
  what: string | undefined,
  { failure, said, remedy }: CloudTrouble,
): [string, ...string[]] {
  return [
    what === undefined ? failure : `${what}: ${failure}`,
    ...(said === undefined ? [] : [`  the cloud says: ${said}`]),
    ...(remedy === undefined ? [] : [doThis(remedy)]),
  ];
}

export function adbTroubleLines(
  error: AdbUnavailableError,
  { adb: { host, port } }: Pick<Config, 'adb'>,
): [string, string] {
  const hostKind = readHostKind('/', process.env);
  return [error.message, doThis(remedyFor(error, { host, port, hostKind }))];
}

/** What adb lists, whether or not the command asks for it. */
export interface AdbListing {
  /** Entries of the list: a phone may have several, and an entry without a name is not a phone. */
  entries: number;
  nameless: number;
  phones: number;
  ignored: number;
}

/** The text that replaces an empty table of phones; empty if there are phones, but not those of the command line. */
export function whyNoPhones(
  { entries, nameless, phones, ignored }: AdbListing,
  onUsb?: PhonesOnUsb,
): string[] {
  if (entries === 0) return [`No phones: adb lists none. ${isOneThere(onUsb)}`];
  if (phones === 0 && nameless === 0) return ['No phones: all that adb lists has been offline for long'];
  if (ignored === 0 || ignored < phones) return [];
  return [
    ignored === 1
      ? '1 phone, ignored by the configuration'
      : `${ignored} phones, all ignored by the configuration`,
  ];
}

/** @param devices how many devices adb lists without any name */
export function namelessWarnings(devices: number): string[] {
  if (devices === 0) return [];
  return [
    devices === 1
      ? 'adb lists a device without serial number and USB path: hostnode cannot report it'
      : `adb lists ${devices} devices without serial number and USB path: hostnode cannot report them`,
  ];
}
