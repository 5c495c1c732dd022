/** Slots: the lab's names for USB ports and for addresses of network phones. */

import { type UsbBus, type UsbTopology, unknownTopology } from '../host/usb-devices.ts';
import { plainPath } from './slot-name.ts';

export interface Slot {
  readonly name: string;
  /**
   * The paths of the place, any of: `pci-0000:00:14.0-usb-0:4.2`, the same port of one of the controller's two
   * root hubs: `…-usbv3-0:4.2`, adb's devpath `1-4.2`, adb's name for a network phone: `192.168.1.7:5555`.
   */
  readonly paths: readonly string[];
}

/** What determines a phone's slot: where adb lists it, or last listed it. */
export interface Seat {
  readonly serial: string;
  readonly devpath?: string;
  /** The result of `portPathsOf` when adb listed it; absent if unknown. */
  readonly portPaths?: readonly string[];
}

export class Slots {
  readonly #names: ReadonlyMap<string, string>;
  readonly #topology: UsbTopology;

  /** @param slots no two may share a path */
  constructor(slots: readonly Slot[], topology: UsbTopology = unknownTopology) {
    this.#names = new Map(slots.flatMap(({ name, paths }) => paths.map((path) => [plainPath(path), name])));
    this.#topology = topology;
  }

  /** The name of a phone's slot; for an unplugged phone, of its last one. */
  slotOf(seat: Seat): string | undefined {
    if (this.#names.size === 0) return undefined;
    const paths = seat.portPaths ?? this.#pathsOf(seat);
    const path = paths.find((each) => this.#names.has(each));
    return path === undefined ? undefined : this.#names.get(path);
  }

  /** All paths of the USB port of a listed phone; undefined if the devpath is the only one. */
  portPathsOf(seat: Seat): string[] | undefined {
    const paths = this.#pathsOf(seat);
    return paths.length > 1 ? paths : undefined;
  }

  refresh(): void {
    this.#topology.refresh();
  }

  #pathsOf(seat: Seat): string[] {
    return pathsOf(seat, (bus) => this.#topology.bus(bus));
  }
}

/** All paths of a phone's place, most exact first. */
export function pathsOf({ serial, devpath }: Seat, busOf: (bus: number) => UsbBus | undefined): string[] {
  if (devpath === undefined) return [serial];
  const dash = devpath.indexOf('-');
  const ports = devpath.slice(dash + 1);
  const bus = busOf(Number(devpath.slice(0, dash)));
  if (bus === undefined) return [devpath];
  const { controller, revision } = bus;
  const exact = revision === undefined ? [] : [`${controller}-usbv${revision}-0:${ports}`];
  return [...exact, `${controller}-usb-0:${ports}`, devpath];
}

/**
 * The paths to store for a USB port. They survive a reboot, cover USB 3 phones, and match no other port.
 * Call it while a phone is plugged in there.
 */
export function lastingPaths(devpath: string, topology: UsbTopology): string[] {
  const spellings = (port: string) => pathsOf({ serial: '', devpath: port }, (bus) => topology.bus(bus));
  const own = spellings(devpath);
  const companion = topology.companionOf(devpath);
  if (companion === undefined) return own.slice(0, 1);
  const other = spellings(companion);
  const shared = own.find((path) => other.includes(path));
  return shared === undefined ? [...own.slice(0, 1), ...other.slice(0, 1)] : [shared];
}
