/**
 * What USB shows on the way to one port. Only attributes for which the kernel asks no device and takes no lock, so any
 * thread may read them at any time (Linux drivers/usb/core/sysfs.c, port.c): a few dozen small files for a phone.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import {
  ADB_INTERFACE,
  attribute,
  decimal,
  hasAdb,
  hexWord,
  hubOf,
  interfacesByPort,
  kernelPortOf,
  namesIn,
  readInterface,
  sharesFiles,
  usbFolder,
} from './usb-devices.ts';

export interface UsbSight {
  /** What tells each device on the way from all others, from the root hub to the phone; '' where there is none. */
  line: readonly string[];
  /** How often the port has cut its power, since its hub was plugged in. */
  overCurrents?: number;
  phone?: OnUsb;
}

export interface OnUsb {
  speedMbps?: number;
  configuration?: number;
  /** Class, subclass and protocol of each, `ff/42/01 06/01/01`. */
  interfaces: string;
}

export const showsAdb = ({ phone }: UsbSight): boolean => phone?.interfaces.includes(ADB_INTERFACE) ?? false;

const MOST_INTERFACES = 32;
/** Of all devices. */
const MOST_OF_ALL = 4096;
/** adb's port path. USB allows 5 hubs in a row (USB 2.0, 4.1.1). */
const DEVPATH = /^\d{1,4}-\d{1,3}(?:\.\d{1,3}){0,6}$/;

/**
 * @param devpath `1-4.2`
 * @returns undefined if that is no port
 */
export function lookAtUsb(devpath: string, sysfs = '/sys'): UsbSight | undefined {
  if (!DEVPATH.test(devpath)) return undefined;
  const folder = usbFolder(sysfs);
  const line = wayTo(devpath).map((port) => identityOf(join(folder, port)));
  return omitUndefined({
    line,
    overCurrents: number(join(folder, kernelPortOf(devpath)), 'over_current_count'),
    phone: line.at(-1) === '' ? undefined : phoneAt(join(folder, devpath), devpath),
  });
}

/** `usb1`, `1-4`, `1-4.2`. */
function wayTo(devpath: string): string[] {
  const hub = hubOf(devpath);
  return hub.startsWith('usb') ? [hub, devpath] : [...wayTo(hub), devpath];
}

/**
 * The kernel counts the numbers on a bus up, and begins anew when the controller is started again; each folder of sysfs
 * has a number of its own.
 */
function identityOf(folder: string): string {
  const devnum = number(folder, 'devnum');
  const stats = attempt(() => statSync(folder));
  return devnum === undefined || stats === undefined ? '' : `${devnum} ${stats.ino}`;
}

/** Its interfaces are folders, `1-4.2:1.0`: before the point the configuration. */
function phoneAt(folder: string, devpath: string): OnUsb | undefined {
  const names = attempt(() => readdirSync(folder))?.filter((name) => name.startsWith(`${devpath}:`));
  if (names === undefined) return undefined;
  const interfaces = names.slice(0, MOST_INTERFACES).map((name) => readInterface(join(folder, name)).kind);
  const configuration = /^(\d{1,3})\./.exec(names[0]?.slice(devpath.length + 1) ?? '')?.[1];
  return omitUndefined({
    speedMbps: number(folder, 'speed'),
    configuration: configuration === undefined ? undefined : Number(configuration),
    interfaces: interfaces.sort().join(' '),
  });
}

const number = (folder: string, name: string): number | undefined => decimal(attribute(folder, name));

export interface PhonesOnUsb {
  phones: number;
  withDebugging: number;
  /** The adb server has a `/dev` without USB: root of its host sees that, the agent does not. */
  serverLacksUsb?: boolean;
}

export function phonesOnUsb(sysfs = '/sys'): PhonesOnUsb {
  const folder = usbFolder(sysfs);
  const devices = [...interfacesByPort(namesIn(folder), MOST_OF_ALL)].map(([port, own]) =>
    omitUndefined({
      vendorId: hexWord(attribute(join(folder, port), 'idVendor')),
      interfaces: own.slice(0, MOST_INTERFACES).map((name) => readInterface(join(folder, name))),
    }),
  );
  const withDebugging = devices.filter(hasAdb).length;
  return { withDebugging, phones: devices.filter((each) => hasAdb(each) || sharesFiles(each)).length };
}
