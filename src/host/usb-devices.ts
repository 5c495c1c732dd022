/**
 * The USB buses of this machine by their controllers, whose names are stable while bus numbers change, and all its USB
 * devices, as the kernel sees them, without adb. The names are those of udev's ID_PATH and ID_PATH_WITH_USB_REVISION
 * (systemd, udev-builtin-path_id.c).
 *
 * Source: Linux Documentation/ABI/{stable,testing}/sysfs-bus-usb: one folder per device, named by its port path
 * (`1-4.2`, adb's devpath; `usb1` for a root hub), and one per interface of its configuration (`1-4.2:1.0`).
 *
 * sysfs is in memory, so we read it synchronously. But the kernel answers for some attributes (`product`, `bMaxPower`)
 * only while it does not reset the device, which takes seconds for one that hangs: read the tree on a thread whose
 * waiting harms nobody.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLoopback } from '../base/environment.ts';
import { attempt } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable, safeIdentifier } from '../base/printable.ts';

/** Plain data. */
export interface UsbTree {
  readonly controllers: readonly UsbController[];
  readonly devices: readonly UsbDevice[];
  /** Ports with something that the kernel could not read. Kernels before 6.5 do not tell. */
  readonly unreadPorts?: readonly string[];
}

export interface UsbController {
  /** `pci-0000:00:14.0`. */
  readonly name: string;
  /** `xhci_hcd`. */
  readonly driver?: string;
  /** Its PCI vendor and device, `8086` and `1e31`. */
  readonly vendorId?: string;
  readonly deviceId?: string;
}

export interface UsbDevice {
  /** `1-4.2`; `usb1` for a root hub. */
  readonly port: string;
  /** The same port by its controller, `pci-0000:00:14.0-usb-0:4.2`; else `port`. */
  readonly usbPath: string;
  /** The name of its controller. */
  readonly controller?: string;
  readonly bus: number;
  /** The kernel's number on the bus, of `/dev/bus/usb/001/007`. */
  readonly number?: number;
  readonly vendorId?: string;
  readonly productId?: string;
  /** The device's own words: hostile text, made printable. */
  readonly product?: string;
  readonly serial?: string;
  /** bcdUSB, the USB specification that it follows: 2.1, 3.2. */
  readonly version?: number;
  /** What it negotiated: 12, 480, 5000, … Mbit/s. */
  readonly speedMbps?: number;
  /** It says that it can run at 5 Gbit/s or more. Kernels before 6.10 do not tell. */
  readonly isSuperSpeed?: boolean;
  /** What it may draw from its port. */
  readonly maxPowerMilliamps?: number;
  /** It says that it has a power supply of its own. */
  readonly isSelfPowered?: boolean;
  /** The host does not let it in, as with usbguard (Documentation/usb/authorization.rst). It has no interfaces then. */
  readonly isBlocked?: true;
  readonly isHub: boolean;
  /** Of a hub: the number of its ports. */
  readonly ports?: number;
  /** Those of its configuration; none while the kernel has configured nothing. */
  readonly interfaces: readonly UsbInterface[];
  /** When it was connected, ms since the epoch, to 10 seconds. */
  readonly connectedAt?: number;
  /** The other half of its USB 3 socket. */
  readonly peer?: UsbPeer;
}

export interface UsbInterface {
  /** Class, subclass and protocol: `ff/42/01`. */
  readonly kind: string;
  readonly endpoints: number;
  /** The device's word for it, `MTP`. */
  readonly name?: string;
}

export interface UsbPeer {
  /** `2-4.2` for `1-4.2`. */
  readonly port: string;
  /** The firmware or the hub says that both are one socket, and that it is wired: for other root hubs Linux assumes it. */
  readonly isCertain: boolean;
}

/** adb (AOSP adb/adb.h, ADB_CLASS …). */
export const ADB_INTERFACE = 'ff/42/01';
/** Still image: the class of MTP and PTP. */
const IMAGE_INTERFACE = '06/01/01';
/** The protocol of Android's bootloader (AOSP fastboot.cpp). */
export const FASTBOOT_INTERFACE = 'ff/42/03';

/** A host with more is none: the rest is left out. */
const MOST_DEVICES = 1024;
const MOST_INTERFACES = 32;
/** Longer than any attribute that we read: a string of a device has 126 characters. */
const LONGEST_ATTRIBUTE = 1024;
const LONGEST_NAME = 80;
/** Bytes; a length of 16 bits, of which a few dozen are in use. */
const LONGEST_STORE = 4096;
/** Devices of an older USB have no Binary Device Object Store; the kernel asks them for none. */
const LEAST_WITH_STORE = 2.01;

/** Differs as soon as something was plugged in or unplugged. Asks no device, so any thread may call it. */
export const usbNames = (sysfs = '/sys'): string => namesIn(usbFolder(sysfs)).sort().join(' ');

/** Where the kernel has all devices and their interfaces, side by side. */
export const usbFolder = (sysfs: string): string => join(sysfs, 'bus/usb/devices');

/** Empty where there is no such folder. */
export const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? [];

/** The names of interfaces, by the port of their device. */
export const interfacesByPort = (names: readonly string[], most = names.length): Map<string, string[]> =>
  Map.groupBy(names.filter(isInterface).slice(0, most), (name) => name.slice(0, name.indexOf(':')));

export function readUsbTree(sysfs = '/sys'): UsbTree {
  const folder = usbFolder(sysfs);
  const names = namesIn(folder);
  const ports = names.filter((name) => /^(?:usb\d{1,4}|\d{1,4}-\d[\d.]{0,30})$/.test(name));
  const ofDevice = interfacesByPort(names);
  const roots = new Map<number, UsbController>();
  for (const root of ports.filter(isRootHub)) {
    const controller = readController(join(folder, root));
    if (controller !== undefined) roots.set(busOf(root), controller);
  }
  const devices = ports
    .slice(0, MOST_DEVICES)
    .map((port) => readDevice(folder, port, ofDevice.get(port) ?? [], roots.get(busOf(port))?.name));
  const unreadPorts = unreadIn(folder, devices);
  return {
    ...(unreadPorts.length > 0 && { unreadPorts }),
    controllers: [...new Map([...roots.values()].map((each) => [each.name, each])).values()],
    devices,
  };
}

/** A hub has no more (USB 3.2, 10.15.2.1: 15; some controllers have two dozen). */
const MOST_PORTS = 32;

/**
 * The state of a port stays where its device got to (drivers/usb/core/hub.c, update_port_device_state): it had power, and
 * was reset, and is no device.
 */
function unreadIn(folder: string, devices: readonly UsbDevice[]): string[] {
  const known = new Set(devices.map(({ port }) => port));
  return devices.flatMap(({ port: hub, ports = 0 }) =>
    Array.from({ length: Math.min(ports, MOST_PORTS) }, (_, index) => index + 1).flatMap((number) => {
      const port = isRootHub(hub) ? `${busOf(hub)}-${number}` : `${hub}.${number}`;
      const state = known.has(port) ? '' : attribute(join(folder, kernelPortOf(port)), 'state');
      return /^(?:powered|default|addressed)$/.test(state) ? [port] : [];
    }),
  );
}

/** `1-4:1.0/1-4-port2` for `1-4.2`, `1-0:1.0/usb1-port4` for `1-4`: below the first interface of the hub. */
export function kernelPortOf(devpath: string): string {
  const hub = hubOf(devpath);
  const port = /(?<!\d)\d+$/.exec(devpath)?.[0];
  return `${isRootHub(hub) ? `${busOf(hub)}-0` : hub}:1.0/${hub}-port${port}`;
}

/** `1-4` for `1-4.2`, `usb1` for `1-4`. */
export const hubOf = (port: string): string => {
  const dot = port.lastIndexOf('.');
  return dot >= 0 ? port.slice(0, dot) : `usb${busOf(port)}`;
};

export const isRootHub = (port: string): boolean => port.startsWith('usb');

const busOf = (port: string): number => Number(/\d+/.exec(port)?.[0]);

const isInterface = (name: string): boolean => /^\d{1,4}-[\d.]{1,31}:\d{1,3}\.\d{1,3}$/.test(name);

function readDevice(
  folder: string,
  port: string,
  interfaces: readonly string[],
  controller: string | undefined,
): UsbDevice {
  const path = join(folder, port);
  const isHub = attribute(path, 'bDeviceClass') === '09';
  const ports = port.slice(port.indexOf('-') + 1);
  const version = decimal(attribute(path, 'version'));
  const connectedMs = decimal(attribute(path, 'power/connected_duration'));
  return omitUndefined({
    port,
    usbPath: controller === undefined || isRootHub(port) ? port : `${controller}-usb-0:${ports}`,
    controller,
    bus: busOf(port),
    number: decimal(attribute(path, 'devnum')),
    vendorId: hexWord(attribute(path, 'idVendor')),
    productId: hexWord(attribute(path, 'idProduct')),
    product: printable(attribute(path, 'product'), LONGEST_NAME) || undefined,
    serial: safeIdentifier(attribute(path, 'serial')) || undefined,
    version,
    speedMbps: decimal(attribute(path, 'speed')),
    isSuperSpeed: version !== undefined && version >= LEAST_WITH_STORE ? isSuperSpeed(path) : undefined,
    maxPowerMilliamps: decimal(attribute(path, 'bMaxPower').replace(/mA$/, '')),
    isSelfPowered: hasBit(attribute(path, 'bmAttributes'), 0x40),
    isBlocked: attribute(path, 'authorized') === '0' || undefined,
    isHub,
    ports: isHub ? decimal(attribute(path, 'maxchild')) : undefined,
    interfaces: interfaces.slice(0, MOST_INTERFACES).map((name) => readInterface(join(folder, name))),
    connectedAt: connectedMs === undefined ? undefined : roughly(Date.now() - connectedMs),
    peer: isRootHub(port) ? undefined : readPeer(path, isRootHub(hubOf(port))),
  });
}

/** Two readings of one moment give the same time. */
const roughly = (at: number): number => Math.round(at / 10_000) * 10_000;

export function readInterface(path: string): UsbInterface {
  const kind = ['bInterfaceClass', 'bInterfaceSubClass', 'bInterfaceProtocol'].map(
    (name) => hexByte(attribute(path, name)) ?? '??',
  );
  return omitUndefined({
    kind: kind.join('/'),
    endpoints: Number.parseInt(hexByte(attribute(path, 'bNumEndpoints')) ?? '0', 16),
    name: printable(attribute(path, 'interface'), LONGEST_NAME) || undefined,
  });
}

/**
 * For the ports of a root hub without ACPI's word, Linux takes the same number for the other half
 * (drivers/usb/core/port.c, find_and_link_peer).
 */
function readPeer(path: string, isOfRoot: boolean): UsbPeer | undefined {
  const port = peerOf(path);
  if (port === undefined) return undefined;
  const isNamed = !isOfRoot || /[1-9a-f]/.test(attribute(path, 'port/location').replace(/^0x/, ''));
  return { port, isCertain: isNamed && attribute(path, 'port/peer/connect_type') !== 'not used' };
}

/** The port of the other half of its USB 3 socket. */
function peerOf(path: string): string | undefined {
  const name = attempt(() => basename(readlinkSync(join(path, 'port/peer'))));
  return name === undefined ? undefined : devpathOf(name);
}

function readController(rootHub: string): UsbController | undefined {
  const folder = attempt(() => realpathSync(rootHub));
  const name = folder && controllerOf(folder);
  if (!folder || !name) return undefined;
  const device = dirname(folder);
  const ofPci = (attributeName: string) => hexWord(attribute(device, attributeName).replace(/^0x/, ''));
  return omitUndefined({
    name,
    driver: attempt(() => basename(readlinkSync(join(device, 'driver')))),
    vendorId: ofPci('vendor'),
    deviceId: ofPci('device'),
  });
}

/**
 * Does the Binary Device Object Store hold a capability for SuperSpeed (USB 3.2, 9.6.2.2: type 0x10, capability 3)?
 * Undefined if the kernel has no such file.
 */
function isSuperSpeed(path: string): boolean | undefined {
  const store = attempt(() => readFileSync(join(path, 'bos_descriptors')).subarray(0, LONGEST_STORE));
  if (store === undefined) return undefined;
  for (let at = 0; at + 2 < store.length; at += store[at] || store.length)
    if (store[at + 1] === 0x10 && store[at + 2] === 3) return true;
  return false;
}

export const decimal = (text: string): number | undefined =>
  /^\d{1,12}(?:\.\d{1,3})?$/.test(text) ? Number(text) : undefined;
export const hexWord = (text: string): string | undefined =>
  /^[0-9a-f]{4}$/i.test(text) ? text.toLowerCase() : undefined;
const hexByte = (text: string): string | undefined =>
  /^[0-9a-f]{2}$/i.test(text) ? text.toLowerCase() : undefined;
const hasBit = (text: string, bit: number): boolean | undefined => {
  const byte = hexByte(text);
  return byte === undefined ? undefined : (Number.parseInt(byte, 16) & bit) !== 0;
};

/** '' if it is not there. The kernel gives no attribute more than a page of memory. */
export const attribute = (folder: string, name: string): string =>
  attempt(() => readFileSync(join(folder, name), 'utf8').slice(0, LONGEST_ATTRIBUTE).trim()) ?? '';

/** What tells a phone. */
type Interfaces = Pick<UsbDevice, 'vendorId' | 'interfaces'>;

export const hasAdb = ({ interfaces }: Interfaces): boolean =>
  interfaces.some(({ kind }) => kind === ADB_INTERFACE);

export const hasFastboot = ({ interfaces }: UsbDevice): boolean =>
  interfaces.some(({ kind }) => kind === FASTBOOT_INTERFACE);

/** The modes of a chip that has found nothing to boot, by vendor and product. */
const CHIP_MODES: Readonly<Record<string, string>> = {
  '05c6:9008': 'Qualcomm emergency download mode',
  '0e8d:0003': 'MediaTek boot ROM mode',
  '0e8d:2000': 'MediaTek preloader mode',
  '04e8:685d': 'Samsung download mode',
};

/** Undefined for what is no such chip. */
export const chipModeOf = ({ vendorId, productId }: UsbDevice): string | undefined =>
  CHIP_MODES[`${vendorId}:${productId}`];

/**
 * USB vendors whose still image devices are phones; other vendors make cameras too (usb.ids). Google, Samsung, Xiaomi,
 * Huawei, OPPO, vivo, OnePlus, Motorola, LG, Sony Mobile, HTC, ZTE, MediaTek, Qualcomm, HMD, TCL, Fairphone, Unisoc.
 */
export const PHONE_VENDORS = new Set(
  '18d1 04e8 2717 12d1 22d9 2d95 2a70 22b8 1004 0fce 0bb4 19d2 0e8d 05c6 2e04 1bbb 2ae5 1782'.split(' '),
);

/** A phone that shares files or pictures. Android's MTP has the vendor's class; only its name says MTP. */
export const sharesFiles = ({ vendorId = '', interfaces }: Interfaces): boolean =>
  interfaces.some(
    ({ kind, name }) => name === 'MTP' || (kind === IMAGE_INTERFACE && PHONE_VENDORS.has(vendorId)),
  );

/** One root hub. A USB 3 controller has two, each with its own port numbers. */
export interface UsbBus {
  /** e.g. `pci-0000:00:14.0`. */
  readonly controller: string;
  /** USB revision of the root hub: 1, 2 or 3, before the point of bcdUSB; absent if the kernel does not say. */
  readonly revision?: number;
}

export type UsbTopology = Pick<UsbBuses, 'bus' | 'companionOf' | 'refresh'>;

/** For phones on another machine: only the devpath is known. */
export const unknownTopology: UsbTopology = {
  bus: () => undefined,
  companionOf: () => undefined,
  refresh() {},
};

export const topologyBehind = (adbHost: string): UsbTopology =>
  isLoopback(adbHost) ? new UsbBuses() : unknownTopology;

/** Subsystems that make up a name; of several of one kind in a row, the lowest counts. */
const NAMED = new Set(['pci', 'platform', 'amba', 'acpi', 'xen']);

export class UsbBuses {
  readonly #sysfs: string;
  readonly #buses = new Map<number, UsbBus | undefined>();

  constructor(sysfs = '/sys') {
    this.#sysfs = sysfs;
  }

  bus(number: number): UsbBus | undefined {
    if (!this.#buses.has(number)) this.#buses.set(number, this.#read(number));
    return this.#buses.get(number);
  }

  /**
   * The devpath of the other half of a USB 3 socket: `2-4.2` for `1-4.2`. Works only while a phone is plugged in: then its
   * port knows its peer.
   */
  companionOf(devpath: string): string | undefined {
    return peerOf(this.#device(devpath));
  }

  /** Call it when phones were plugged in or unplugged: bus numbers may have changed. */
  refresh(): void {
    this.#buses.clear();
  }

  #device(name: string): string {
    return join(usbFolder(this.#sysfs), name);
  }

  #read(number: number): UsbBus | undefined {
    const folder = attempt(() => realpathSync(this.#device(`usb${number}`)));
    const controller = folder && controllerOf(folder);
    if (!folder || !controller) return undefined;
    const revision = Number.parseInt(attribute(folder, 'version'), 10);
    return { controller, ...(revision > 0 && { revision }) };
  }
}

/** `1-4.2` for the kernel's port `1-4-port2`, `1-4` for `usb1-port4`. */
export function devpathOf(port: string): string | undefined {
  const [, hub = '', number] = /^(.{1,100})-port(\d+)$/.exec(port) ?? [];
  if (number === undefined) return undefined;
  const bus = /^usb(\d+)$/.exec(hub)?.[1];
  return bus === undefined ? `${hub}.${number}` : `${bus}-${number}`;
}

/** @param rootHub its real folder */
export function controllerOf(rootHub: string): string {
  const parts: string[] = [];
  let below: string | undefined;
  for (let folder = dirname(rootHub); folder !== dirname(folder); folder = dirname(folder)) {
    const subsystem = attempt(() => basename(readlinkSync(join(folder, 'subsystem'))));
    if (subsystem !== undefined && subsystem !== below && NAMED.has(subsystem))
      parts.unshift(`${subsystem}-${basename(folder)}`);
    below = subsystem;
  }
  return parts.join('-');
}
