/** Hubs, ports and controllers of a made-up host, as the kernel would name them. */
import type { Where } from '../../src/history/events/event.ts';
import type { Random } from './random.ts';

export interface Port {
  /** Below the controller: `4.2`. */
  chain: string;
  controller: string;
  bus: number;
  slot: string;
}

export interface Hub {
  chain: string;
  controller: string;
  bus: number;
  ports: Port[];
}

/** What this host's kernel and its lab say of a port. */
export interface Knowledge {
  slots: boolean;
  /** Without it only adb's devpath is known. */
  usbPath: boolean;
  /** The recorder gave the hub. */
  hub: boolean;
}

const parent = (chain: string): string | undefined =>
  chain.includes('.') ? chain.slice(0, chain.lastIndexOf('.')) : undefined;

const spelled = ({ controller, bus }: Pick<Port, 'controller' | 'bus'>, chain: string, known: Knowledge) =>
  known.usbPath ? `${controller}-usb-0:${chain}` : `${bus}-${chain}`;

export function whereOf(port: Port, known: Knowledge): Where {
  const hub = parent(port.chain);
  return {
    devpath: `${port.bus}-${port.chain}`,
    ...(known.slots && { slot: port.slot }),
    ...(known.usbPath && { usbPath: spelled(port, port.chain, known) }),
    ...(known.hub && hub !== undefined && { hub: spelled(port, hub, known) }),
  };
}

/** A port's or hub's `key` as a finding has it. */
export const keyOf = (place: Port | Hub, known: Knowledge): string => spelled(place, place.chain, known);

/** The key of the deepest hub above all of these ports; undefined where they share none. */
export function sharedHub(ports: readonly Port[], known: Knowledge): string | undefined {
  const [first] = ports;
  if (first === undefined) return undefined;
  const isAbove = (chain: string) =>
    ports.every((port) => port.bus === first.bus && port.chain.startsWith(`${chain}.`));
  for (let chain = parent(first.chain); chain !== undefined; chain = parent(chain))
    if (isAbove(chain)) return spelled(first, chain, known);
  return undefined;
}

/** A hub with more ports than a chip has (4) is several chips in a row: 7 is 3 + 4, 10 is 3 + 3 + 4, 16 is 4 × 4. */
export function chainsOf(hub: string, ports: number): string[] {
  const numbered = (above: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${above}.${at + 1}`);
  switch (ports) {
    case 7:
      return [...numbered(hub, 3), ...numbered(`${hub}.4`, 4)];
    case 10:
      return [...numbered(hub, 3), ...numbered(`${hub}.4`, 3), ...numbered(`${hub}.4.4`, 4)];
    case 16:
      return [1, 2, 3, 4].flatMap((chip) => numbered(`${hub}.${chip}`, 4));
    default:
      return numbered(hub, ports);
  }
}

/** A host with hubs of 7 to 16 ports for so many phones, on one or two controllers. */
export function hubsFor(phones: number, random: Random): Hub[] {
  const hubs: Hub[] = [];
  const hasTwoControllers = random.chance(0.4);
  for (let ports = 0; ports < phones * 1.15 || hubs.length < 2; ) {
    const isSecond = hasTwoControllers && hubs.length % 2 === 1;
    const controller = isSecond ? 'pci-0000:03:00.0' : 'pci-0000:00:14.0';
    const bus = isSecond ? 3 : 1;
    const chain = String(hubs.filter((hub) => hub.bus === bus).length + 1);
    const size = random.pick([7, 8, 10, 16]);
    const shelf = hubs.length + 1;
    hubs.push({
      chain,
      controller,
      bus,
      ports: chainsOf(chain, size).map((port, at) => ({
        chain: port,
        controller,
        bus,
        slot: `rack 1, shelf ${shelf}, bay ${at + 1}`,
      })),
    });
    ports += size;
  }
  return hubs;
}
