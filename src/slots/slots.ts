/** Where phones sit: the lab's names for USB ports, and for the addresses of network phones. */
import { plainPath } from '../config/slot.ts';
import { type UsbBus, type UsbTopology, unknownTopology } from './usb-buses.ts';

/** A place where a phone sits. */
export interface Slot {
  readonly name: string;
  /**
   * What is plugged in there, any of: `pci-0000:00:14.0-usb-0:4.2`, the same port of one of the controller's two
   * root hubs as `…-usbv3-0:4.2`, adb's devpath `1-4.2`, adb's name for a network phone: `192.168.1.7:5555`.
   */
  readonly paths: readonly string[];
}

/** What tells the slot of a phone: where adb lists it, or has listed it last. */
export interface Seat {
  readonly serial: string;
  readonly devpath?: string;
  /** What `portPathsOf` said when it was listed; absent where that is not known. */
  readonly portPaths?: readonly string[];
}

export class Slots {
  readonly #names: ReadonlyMap<string, string>;
  readonly #topology: UsbTopology;

  /** @param slots no two of which have a path in common */
  constructor(slots: readonly Slot[], topology: UsbTopology = unknownTopology) {
    this.#names = new Map(slots.flatMap(({ name, paths }) => paths.map((path) => [plainPath(path), name])));
    this.#topology = topology;
  }

  /** The name of the slot in which a phone sits; of an unplugged one, in which it was last. */
  slotOf(seat: Seat): string | undefined {
    if (this.#names.size === 0) return undefined;
    const paths = seat.portPaths ?? this.#pathsOf(seat);
    const path = paths.find((each) => this.#names.has(each));
    return path === undefined ? undefined : this.#names.get(path);
  }

  /** All paths that mean the USB port of a phone that adb lists now; undefined where there is none but its devpath. */
  portPathsOf(seat: Seat): string[] | undefined {
    const paths = this.#pathsOf(seat);
    return paths.length > 1 ? paths : undefined;
  }

  /** Phones came or went. */
  refresh(): void {
    this.#topology.refresh();
  }

  #pathsOf(seat: Seat): string[] {
    return pathsOf(seat, (bus) => this.#topology.bus(bus));
  }
}

/** All paths that mean the place of a phone, the most exact first. */
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
 * What to write down for a USB port, so that it is known again after a reboot, by a USB 3 phone, and by no other port.
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
