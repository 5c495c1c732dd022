/**
 * The USB buses of this machine by their controllers, whose names are stable while bus numbers change.
 *
 * Source: Linux Documentation/ABI/testing/sysfs-bus-usb. The names are those of udev's ID_PATH and
 * ID_PATH_WITH_USB_REVISION (systemd, udev-builtin-path_id.c). sysfs is in memory, so we read it synchronously.
 */
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLoopback } from '../base/environment.ts';

/** One root hub. A USB 3 controller has two, each with its own port numbers. */
export interface UsbBus {
  /** e.g. `pci-0000:00:14.0`. */
  readonly controller: string;
  /** USB revision of the root hub: 1, 2 or 3, before the point of bcdUSB; absent if the kernel does not say. */
  readonly revision?: number;
}

export interface UsbTopology {
  bus(number: number): UsbBus | undefined;
  /** The devpath of the other half of a USB 3 socket: `2-4.2` for `1-4.2`. */
  companionOf(devpath: string): string | undefined;
  /** Call it when phones were plugged in or unplugged: bus numbers may have changed. */
  refresh(): void;
}

/** For phones on another machine: only the devpath is known. */
export const unknownTopology: UsbTopology = {
  bus: () => undefined,
  companionOf: () => undefined,
  refresh() {},
};

/** The buses behind the adb server at `adbHost`. */
export const topologyBehind = (adbHost: string): UsbTopology =>
  isLoopback(adbHost) ? new UsbBuses() : unknownTopology;

/** Subsystems that make up a name; of several of one kind in a row, the lowest counts. */
const NAMED = new Set(['pci', 'platform', 'amba', 'acpi', 'xen']);

export class UsbBuses implements UsbTopology {
  readonly #sysfs: string;
  readonly #buses = new Map<number, UsbBus | undefined>();

  constructor(sysfs = '/sys') {
    this.#sysfs = sysfs;
  }

  bus(number: number): UsbBus | undefined {
    if (!this.#buses.has(number)) this.#buses.set(number, this.#read(number));
    return this.#buses.get(number);
  }

  /** Works only while a phone is plugged in: then its port knows its peer. */
  companionOf(devpath: string): string | undefined {
    const port = attempt(() => basename(realpathSync(join(this.#device(devpath), 'port', 'peer'))));
    return port === undefined ? undefined : devpathOf(port);
  }

  refresh(): void {
    this.#buses.clear();
  }

  #device(name: string): string {
    return join(this.#sysfs, 'bus/usb/devices', name);
  }

  #read(number: number): UsbBus | undefined {
    const folder = attempt(() => realpathSync(this.#device(`usb${number}`)));
    const controller = folder && controllerOf(folder);
    if (!folder || !controller) return undefined;
    const version = attempt(() => Number.parseInt(readFileSync(join(folder, 'version'), 'utf8'), 10));
    return { controller, ...(version && { revision: version }) };
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

/** Treats what it cannot read as absent. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
