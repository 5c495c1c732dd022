/** What the kernel sees on USB: slow, without power, full, or unknown to adb; and what only looks so. */
import { ordinaryLife } from '../ordinary-life.ts';
import { DAY, MINUTE, type SceneLab, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';
import { above, FASTBOOT, MadeUsb, MTP, PTP } from '../usb-tree.ts';

/** The story of a host after an ordinary month. */
const story = (name: string, tell: (usb: MadeUsb, lab: SceneLab) => void): Story => ({
  name,
  tell(lab) {
    ordinaryLife(lab);
    tell(new MadeUsb(lab), lab);
  },
});

const hubKey = (usb: MadeUsb, port: string) => {
  const chain = port.slice(port.indexOf('-') + 1);
  const hub = usb.at(`${port.slice(0, port.indexOf('-'))}-${above(chain).at(-1)}`);
  if (hub === undefined) throw new RangeError(`no hub above ${port}`);
  return hub;
};

const slow: Story[] = [
  story('a phone that runs at 12 Mbit/s', (usb, lab) => {
    const [phone] = usb.attached();
    if (!phone) return;
    usb.of(phone).speedMbps = 12;
    lab.expect('USB_SLOW', phone.udid);
  }),
  story('a phone that says it can do USB 3, in a USB 3 port', (usb, lab) => {
    const [phone] = usb.attached();
    if (!phone) return;
    usb.of(phone).isSuperSpeed = true;
    lab.expect('USB_SLOW', phone.udid);
  }),
  story('a phone whose twin of the same model runs at USB 3', (usb, lab) => {
    const [phone, twin] = usb.attached(2);
    if (!phone || !twin) return;
    const fast = usb.of(twin);
    fast.product = usb.of(phone).product ?? '';
    fast.speedMbps = 5000;
    lab.expect('USB_SLOW', phone.udid);
  }),
  story('USB 2 cables in a whole hub', (usb, lab) => {
    const phones = usb.attached(3);
    if (phones.length < 3) return;
    for (const phone of phones) usb.of(phone).isSuperSpeed = true;
    const [phone] = phones;
    if (phone) lab.expect('USB_SLOW', hubKey(usb, usb.of(phone).port).usbPath);
  }),
  story('a USB 3 hub at a USB 2 cable', (usb, lab) => {
    const [phone] = usb.attached();
    if (!phone) return;
    const hub = hubKey(usb, usb.of(phone).port);
    if (!hub.peer) return;
    const other = hub.peer.port;
    hub.peer = { port: other, isCertain: true };
    usb.devices.splice(
      0,
      usb.devices.length,
      ...usb.devices.filter(({ port }) => port !== other && !port.startsWith(`${other}.`)),
    );
    for (const device of usb.devices.filter(({ port }) => port.startsWith(`${hub.port}.`)))
      delete device.peer;
    lab.expect('USB_SLOW', hub.usbPath);
  }),
  story('phones of USB 2.1 that never said they can do USB 3', (usb) => {
    for (const phone of usb.phones) phone.version = 2.1;
  }),
  story('phones that can do USB 3, in ports that may not have the wires', (usb) => {
    for (const phone of usb.phones) {
      phone.isSuperSpeed = true;
      if (phone.peer) phone.peer = { ...phone.peer, isCertain: false };
    }
  }),
  story('phones that can do USB 3, in hubs of USB 2', (usb) => {
    for (const phone of usb.phones) {
      phone.isSuperSpeed = true;
      delete phone.peer;
    }
  }),
  story('mice and serial adapters at 12 Mbit/s', (usb) => {
    usb.plugIn({ speedMbps: 12, version: 2, interfaces: [{ kind: '03/01/02', endpoints: 1 }] });
  }),
  story('a hub of USB 1 and a phone in it', (usb) => {
    const [phone] = usb.attached();
    if (!phone) return;
    const device = usb.of(phone);
    device.speedMbps = 12;
    hubKey(usb, device.port).speedMbps = 12;
  }),
];

const power: Story[] = [
  story('phones in a hub without a power supply', (usb, lab) => {
    const [phone] = usb.attached(2);
    if (!phone) return;
    const hub = hubKey(usb, usb.of(phone).port);
    hub.isSelfPowered = false;
    lab.expect('USB_POWER', hub.usbPath);
  }),
  story('a phone that a hub without power leaves without a configuration', (usb, lab) => {
    const device = usb.plugIn({ vendorId: '18d1', product: 'Pixel 8' });
    if (!device.port.includes('.')) return;
    const hub = hubKey(usb, device.port);
    hub.isSelfPowered = false;
    lab.expect('USB_POWER', hub.usbPath);
  }),
  story('a keyboard in a hub without a power supply', (usb) => {
    const device = usb.plugIn({ maxPowerMilliamps: 100, interfaces: [{ kind: '03/01/01', endpoints: 1 }] });
    if (!device.port.includes('.')) return;
    const hub = hubKey(usb, device.port);
    if (usb.phones.some(({ port }) => port.startsWith(`${hub.port}.`))) return;
    const isLeaf = usb.devices.every(({ port, isHub }) => !isHub || !port.startsWith(`${hub.port}.`));
    if (isLeaf) hub.isSelfPowered = false;
  }),
  story('a hub of which the kernel does not say how it is fed', (usb) => {
    for (const device of usb.devices.filter(({ isHub }) => isHub)) delete device.isSelfPowered;
  }),
];

const onPhonesBus = (usb: MadeUsb) => {
  const [phone] = usb.phones;
  if (phone === undefined) throw new RangeError('no phone is attached');
  return { bus: phone.bus, controller: usb.controllers.find(({ name }) => name === phone.controller) };
};

const limits: Story[] = [
  story('a bus with 120 devices', (usb, lab) => {
    const { bus, controller } = onPhonesBus(usb);
    const name = controller?.name;
    for (let port = 1; usb.devices.filter((device) => device.bus === bus).length < 120; port += 1)
      usb.add(`${bus}-15.${port}`, name ?? '', { interfaces: [{ kind: '03/01/01', endpoints: 1 }] });
    lab.expect('USB_FULL', name ?? `usb${bus}`);
  }),
  story('a controller with 32 slots', (usb, lab) => {
    const { controller } = onPhonesBus(usb);
    if (!controller) return;
    Object.assign(controller, { vendorId: '1912', deviceId: '0014' });
    const isPlugged = ({ port, controller: name }: { port: string; controller?: string }) =>
      name === controller.name && !port.startsWith('usb');
    for (let port = 1; usb.devices.filter(isPlugged).length < 30; port += 1)
      usb.add(`1-15.${port}`, controller.name, { interfaces: [{ kind: '03/01/01', endpoints: 1 }] });
    lab.expect('USB_FULL', controller.name);
  }),
  story('an Intel controller with 90 endpoints', (usb, lab) => {
    const { controller, bus } = onPhonesBus(usb);
    if (!controller) return;
    Object.assign(controller, { vendorId: '8086', deviceId: 'a36d' });
    const own = usb.devices.filter(
      ({ port, controller: name }) => name === controller.name && !port.startsWith('usb'),
    );
    const used = own.reduce(
      (sum, { interfaces }) => interfaces.reduce((all, { endpoints }) => all + endpoints, sum + 1),
      0,
    );
    for (let port = 1, left = 90 - used; left > 0; port += 1, left -= 3)
      usb.add(`${bus}-15.${port}`, controller.name, { interfaces: [{ kind: '03/01/01', endpoints: 2 }] });
    lab.expect('USB_ENDPOINTS', controller.name);
  }),
  story('as many endpoints on a controller without a known limit', (usb) => {
    for (const phone of usb.phones) phone.interfaces = [...phone.interfaces, MTP];
  }),
  story('an Intel controller that is not xHCI', (usb) => {
    for (const controller of usb.controllers)
      Object.assign(controller, { vendorId: '8086', deviceId: '1c26', driver: 'ehci-pci' });
  }),
];

const unlisted: Story[] = [
  story('a phone with USB debugging that adb does not list', (usb, lab) => {
    const [phone] = usb.phones;
    if (!phone) return;
    const listed = lab.picture.adbPorts ?? [];
    lab.picture.adbPorts = listed.filter((port) => port !== phone.port);
    lab.expect('NOT_IN_ADB', phone.usbPath);
  }),
  story('a phone in its bootloader', (usb, lab) => {
    lab.expect('NOT_IN_ADB', usb.plugIn({ vendorId: '18d1', interfaces: [FASTBOOT] }).usbPath);
  }),
  story('a phone that only shares files', (usb, lab) => {
    lab.expect('NOT_IN_ADB', usb.plugIn({ vendorId: '04e8', interfaces: [MTP] }).usbPath);
  }),
  story('a phone that only shares pictures', (usb, lab) => {
    lab.expect('NOT_IN_ADB', usb.plugIn({ vendorId: '2717', interfaces: [PTP] }).usbPath);
  }),
  story('a phone whose chip finds nothing to boot', (usb, lab) => {
    const device = usb.plugIn({
      vendorId: '05c6',
      productId: '9008',
      interfaces: [{ kind: 'ff/ff/ff', endpoints: 2 }],
    });
    lab.expect('NOT_IN_ADB', device.usbPath);
  }),
  story('an iPhone, a camera, a disk of a phone maker and a keyboard', (usb) => {
    usb.plugIn({ vendorId: '05ac', product: 'iPhone', interfaces: [{ ...PTP, name: 'PTP' }] });
    usb.add('1-14', '', { vendorId: '04a9', product: 'Canon', interfaces: [PTP] });
    usb.add('1-13', '', {
      vendorId: '04e8',
      product: 'T7',
      interfaces: [{ kind: '08/06/62', endpoints: 4 }],
    });
    usb.add('1-12', '', { vendorId: '046d', interfaces: [{ kind: '03/01/01', endpoints: 1 }] });
  }),
  story('a phone that was plugged in 20 seconds ago', (usb, lab) => {
    usb.plugIn({ vendorId: '18d1', interfaces: [MTP], connectedAt: lab.now - 20 * SECOND });
  }),
  story('a phone of which nobody knows how long it has been there', (usb) => {
    delete usb.plugIn({ vendorId: '18d1', interfaces: [MTP] }).connectedAt;
  }),
  story('an adb server that was started 30 seconds ago', (_, lab) => {
    lab.host(lab.now - 30 * SECOND, { kind: 'adbBack' });
    lab.picture.adbPorts = [];
  }),
  story('a phone that adb lost a moment ago', (usb, lab) => {
    const [phone] = usb.attached();
    if (!phone) return;
    const { port } = usb.of(phone);
    lab.lose(phone, lab.now - 5 * SECOND);
    lab.picture.adbPorts = lab.picture.adbPorts?.filter((each) => each !== port) ?? [];
  }),
  story('an adb server whose list cannot be read', (_, lab) => {
    lab.picture.isAdbListed = false;
    lab.picture.adbPorts = [];
  }),
  story('a phone that a rule ignores', (usb, lab) => {
    const device = usb.plugIn({ vendorId: '18d1', interfaces: [MTP] });
    lab.picture.adbPorts = [...(lab.picture.adbPorts ?? []), device.port];
  }),
  story('a phone that is being repaired', (usb, lab) => {
    const [phone] = usb.attached();
    if (!phone) return;
    usb.of(phone).speedMbps = 12;
    lab.phone(phone, lab.now - 30 * MINUTE, { kind: 'maintenance', until: lab.now + DAY, reason: 'screen' });
  }),
];

export const stories: Story[] = [...slow, ...power, ...limits, ...unlisted];
