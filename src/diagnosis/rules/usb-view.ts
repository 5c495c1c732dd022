/** The USB tree as rules look at it: with the phones that adb lists, and their slots. */
import type { Where } from '../../history/events/event.ts';
import {
  hasAdb,
  hasFastboot,
  hubOf,
  isRootHub,
  sharesFiles,
  type UsbController,
  type UsbDevice,
  type UsbTree,
} from '../../host/usb-devices.ts';
import { Slots } from '../../roster/slots.ts';
import { longAgo, once } from '../context.ts';
import type { Subject } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';

export type UsbView = ReturnType<typeof viewOf>;

export type UsbPlace = Pick<UsbDevice, 'port' | 'usbPath' | 'bus'>;

/** Undefined if the host's USB is not known. */
export const usbView = once((context) => context.now.usb && viewOf(context.now.usb, context));

function viewOf(tree: UsbTree, context: RuleContext) {
  const { phones, setting } = context.now;
  const byPort = new Map(tree.devices.map((device) => [device.port, device]));
  /** All but root hubs. */
  const devices: readonly UsbDevice[] = tree.devices.filter(({ port }) => !isRootHub(port));
  const byHub = Map.groupBy(devices, ({ port }) => hubOf(port));
  const attached = phones.filter((phone) => phone.attached && phone.connection === 'usb');
  const byDevpath = new Map(attached.map((phone) => [phone.where.devpath, phone]));
  const slots = new Slots(setting?.slots ?? []);
  /** The phone that adb lists there, if it is not ignored. */
  const phoneAt = (port: string): PhoneInput | undefined => byDevpath.get(port);
  const slotOf = ({ port, usbPath, bus }: UsbPlace): string | undefined => {
    const revision = Math.floor(byPort.get(`usb${bus}`)?.version ?? 0);
    const exact = usbPath.replace('-usb-', `-usbv${revision}-`);
    const portPaths = [exact, usbPath, port];
    return phoneAt(port)?.where.slot ?? slots.slotOf({ serial: '', devpath: port, portPaths });
  };
  return {
    tree,
    devices,
    phoneAt,
    slotOf,
    at: (port: string): UsbDevice | undefined => byPort.get(port),
    /** The devices that are plugged into this hub itself. */
    below: ({ port }: UsbDevice): readonly UsbDevice[] => byHub.get(port) ?? [],
    /** Of a port, whether or not something is plugged in. */
    placeOf(port: string): UsbPlace {
      const bus = Number.parseInt(port, 10);
      const controller = byPort.get(`usb${bus}`)?.controller;
      const ports = port.slice(port.indexOf('-') + 1);
      return { port, bus, usbPath: controller === undefined ? port : `${controller}-usb-0:${ports}` };
    },
    /** `POCO F6 in bay 4`, `Pixel 8 at USB port 1-4.2`. */
    nameOf(device: UsbDevice): string {
      const kind = device.isHub ? 'A hub' : 'A phone';
      const name = phoneAt(device.port)?.name ?? device.product ?? kind;
      const slot = slotOf(device);
      return slot === undefined ? `${name} at USB port ${device.port}` : `${name} in ${slot}`;
    },
    /**
     * What a finding about these devices has: since the last of them was plugged in, and the phones among them, or among
     * others, that adb lists.
     */
    about(some: readonly UsbDevice[], among = some) {
      const latest = Math.max(0, ...some.map(({ connectedAt = 0 }) => connectedAt));
      const udids = among.flatMap(({ port }) => phoneAt(port)?.udid ?? []);
      return { since: latest || longAgo(context), udids: [...new Set(udids)] };
    },
  };
}

export function portSubject(device: UsbPlace, view: UsbView): Subject {
  const slot = view.slotOf(device);
  return { kind: 'port', key: device.usbPath, ...(slot !== undefined && { slot }) };
}

/** Another computer gives what is plugged in there over the network, as Windows does to WSL. */
export const isOverIp = ({ driver }: UsbController): boolean => driver === 'vhci_hcd';

/** By PCI vendor: QEMU, VMware. */
const isVirtual = (controller: UsbController): boolean =>
  isOverIp(controller) || ['1b36', '15ad'].includes(controller.vendorId ?? '');

export const isAtVirtualController = (
  { where: { usbPath = '' } }: { where: Where },
  context: RuleContext,
): boolean =>
  usbView(context)?.tree.controllers.some((each) => usbPath.startsWith(`${each.name}-`) && isVirtual(each)) ??
  false;

export const isPhone = (device: UsbDevice, view: UsbView): boolean =>
  view.phoneAt(device.port) !== undefined || hasAdb(device) || hasFastboot(device) || sharesFiles(device);

/** A hub; a root hub by its controller. */
export const hubSubject = ({ port, usbPath, controller }: UsbDevice): Subject => ({
  kind: 'hub',
  key: isRootHub(port) ? (controller ?? port) : usbPath,
});

export const hubOrControllerName = ({ port, controller }: UsbDevice): string =>
  isRootHub(port) ? `the host's own USB ports (${controller ?? port})` : `the hub at USB port ${port}`;
