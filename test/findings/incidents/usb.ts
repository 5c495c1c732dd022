/** What the kernel shows on USB at a moment: controllers, hubs, and the phones that are there. */
import type { UsbDevice, UsbTree } from '../../../src/host/usb-devices.ts';
import { ADB, above } from '../usb-tree.ts';
import type { Lab, LabPhone } from './lab.ts';
import type { Track } from './sweep.ts';

const fixed = new WeakMap<Lab, UsbTree>();

/** Controllers and hubs, which stay. */
function hubsOf(lab: Lab): UsbTree {
  const known = fixed.get(lab);
  if (known) return known;
  const devices: UsbDevice[] = [];
  const controllers = new Map<string, number>();
  for (const { controller, bus } of [...lab.hubs, { controller: 'pci-0000:00:14.0', bus: 1 }])
    controllers.set(controller, bus);
  const isThere = new Set<string>();
  const add = (port: string, controller: string, more: Partial<UsbDevice>) => {
    if (isThere.has(port)) return;
    isThere.add(port);
    devices.push(deviceAt(lab, port, controller, { isHub: true, ...more }));
  };
  for (const [controller, bus] of controllers) {
    add(`usb${bus}`, controller, { ports: 16, speedMbps: 480, version: 2, isSelfPowered: true });
    add(`usb${bus + 1}`, controller, { ports: 16, speedMbps: 5000, version: 3, isSelfPowered: true });
  }
  for (const { ports } of lab.hubs)
    for (const { chain, bus, controller } of ports)
      for (const hub of above(chain))
        for (const [number, speedMbps, version] of [
          [bus, 480, 2.1],
          [bus + 1, 5000, 3.2],
        ] as const)
          add(`${number}-${hub}`, controller, {
            ports: 4,
            speedMbps,
            version,
            isSelfPowered: true,
            isSuperSpeed: true,
            interfaces: [{ kind: '09/00/00', endpoints: 1 }],
            maxPowerMilliamps: 0,
            peer: { port: `${number === bus ? bus + 1 : bus}-${hub}`, isCertain: hub.includes('.') },
            connectedAt: lab.start - 3 * 86_400_000,
          });
  const [vendorId, deviceId] = lab.controllerId;
  const names = lab.known.usbPath ? [...controllers.keys()] : [];
  const tree = {
    devices,
    controllers: names.map((name) => ({ name, driver: 'xhci_hcd', vendorId, deviceId })),
  };
  fixed.set(lab, tree);
  return tree;
}

const deviceAt = (lab: Lab, port: string, controller: string, more: Partial<UsbDevice>): UsbDevice => ({
  port,
  usbPath:
    lab.known.usbPath && !port.startsWith('usb')
      ? `${controller}-usb-0:${port.slice(port.indexOf('-') + 1)}`
      : port,
  bus: Number(/\d+/.exec(port)?.[0]),
  isHub: false,
  interfaces: [],
  ...(lab.known.usbPath && { controller }),
  ...more,
});

export function usbOf(lab: Lab, tracks: readonly Track[], at: number): UsbTree {
  const { devices, controllers } = hubsOf(lab);
  const phones = tracks.flatMap(({ phone, attached, onUsb, connectedAt }) => {
    const shown = onUsb === undefined ? (attached ? {} : null) : onUsb.shown;
    return phone.connection === 'usb' && shown !== null
      ? phoneAt(lab, phone, at, { connectedAt, ...shown })
      : [];
  });
  return { controllers, devices: [...devices, ...phones] };
}

function phoneAt(lab: Lab, phone: LabPhone, at: number, more: Partial<UsbDevice>): UsbDevice[] {
  const port = lab.portOf(phone, at);
  if (port === undefined) return [];
  const { bus, chain, controller } = port;
  return [
    deviceAt(lab, `${bus}-${chain}`, controller, {
      vendorId: '18d1',
      productId: '4ee7',
      product: phone.name,
      serial: phone.udid,
      version: 2.1,
      speedMbps: 480,
      isSelfPowered: false,
      maxPowerMilliamps: 500,
      interfaces: [ADB],
      peer: { port: `${bus + 1}-${chain}`, isCertain: true },
      ...more,
    }),
  ];
}
