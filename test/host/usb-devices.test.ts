import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hubOf, readUsbTree } from '../../src/host/usb-devices.ts';
import { hostTree } from '../support/host-tree.ts';
import { type Device, sysfsTree } from '../support/sysfs-tree.ts';

const controller = 'pci0000:00/0000:00:14.0';
const now = Date.UTC(2026, 10, 22, 12);

const usb = (path: string, attributes: Record<string, string>): Device => ({
  path: `${controller}/${path}`,
  subsystem: 'usb',
  attributes,
});

const hub = (version: string, speed: string, ports: string) => ({
  bDeviceClass: '09',
  version: ` ${version}`,
  speed,
  maxchild: ports,
  bmAttributes: 'e0',
  bMaxPower: '0mA',
  busnum: '1',
});

/** A USB 3 hub with a Pixel in port 2, which negotiated USB 2. */
const desk: readonly Device[] = [
  { path: controller, subsystem: 'pci', attributes: { vendor: '0x8086', device: '0xa36d' } },
  usb('usb1', { ...hub('2.00', '480', '16'), bDeviceProtocol: '01' }),
  usb('usb2', { ...hub('3.10', '10000', '8'), bDeviceProtocol: '03' }),
  usb('usb1/1-4', hub('2.10', '480', '4')),
  usb('usb2/2-4', hub('3.20', '5000', '4')),
  usb('usb1/1-4/1-4.2', {
    bDeviceClass: '00',
    devnum: '7',
    idVendor: '18d1',
    idProduct: '4EE7',
    product: 'Pixel 8',
    serial: '44424FDD7335M7',
    version: ' 2.10',
    speed: '480',
    bMaxPower: '500mA',
    bmAttributes: '80',
    maxchild: '0',
    'power/connected_duration': '3600000',
  }),
  ...[
    ['1-4.2:1.0', 'ff', 'ff', '00', '03', 'MTP'],
    ['1-4.2:1.1', 'ff', '42', '01', '02', 'ADB Interface'],
  ].map(
    ([
      name,
      bInterfaceClass = '',
      bInterfaceSubClass = '',
      bInterfaceProtocol = '',
      bNumEndpoints = '',
      word = '',
    ]) =>
      usb(`usb1/1-4/1-4.2/${name}`, {
        bInterfaceClass,
        bInterfaceSubClass,
        bInterfaceProtocol,
        bNumEndpoints,
        interface: word,
      }),
  ),
];

beforeEach(() => vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const read = async (devices: readonly Device[], peers: Record<string, string> = {}) => {
  const tree = readUsbTree(await sysfsTree(devices, peers));
  return { ...tree, at: (port: string) => tree.devices.find((device) => device.port === port) };
};

describe('the USB devices of this machine', () => {
  it('are read with all that the kernel says of a phone', async () => {
    expect((await read(desk, { '1-4.2': '2-4.2' })).at('1-4.2')).toEqual({
      port: '1-4.2',
      usbPath: 'pci-0000:00:14.0-usb-0:4.2',
      controller: 'pci-0000:00:14.0',
      bus: 1,
      number: 7,
      vendorId: '18d1',
      productId: '4ee7',
      product: 'Pixel 8',
      serial: '44424FDD7335M7',
      version: 2.1,
      speedMbps: 480,
      maxPowerMilliamps: 500,
      isSelfPowered: false,
      isHub: false,
      interfaces: [
        { kind: 'ff/ff/00', endpoints: 3, name: 'MTP' },
        { kind: 'ff/42/01', endpoints: 2, name: 'ADB Interface' },
      ],
      connectedAt: now - 3_600_000,
      peer: { port: '2-4.2', isCertain: true },
    });
  });

  it('are hubs with their ports and power, and root hubs with their controller', async () => {
    const { at, controllers } = await read(desk);
    expect(at('1-4')).toMatchObject({ isHub: true, ports: 4, isSelfPowered: true, maxPowerMilliamps: 0 });
    expect(at('usb1')).toMatchObject({ isHub: true, ports: 16, controller: 'pci-0000:00:14.0' });
    expect(controllers).toEqual([{ name: 'pci-0000:00:14.0', vendorId: '8086', deviceId: 'a36d' }]);
    expect(['1-4.2', '1-4', '1-4.2.3'].map(hubOf)).toEqual(['1-4', 'usb1', '1-4.2']);
  });

  it('leave out what the kernel could not read: its port stays where it got to', async () => {
    const states = {
      '1-4-port1/state': 'not attached',
      '1-4-port2/state': 'configured',
      '1-4-port3/state': 'default',
      '1-4-port4/state': 'powered',
      '1-4-port5/state': 'addressed', // the hub has four
    };
    const ofRoot = { 'usb1-port9/state': 'addressed', 'usb1-port10/state': 'suspended' };
    const ports = [
      usb('usb1/1-4/1-4:1.0', { bInterfaceClass: '09', ...states }),
      usb('usb1/1-0:1.0', { bInterfaceClass: '09', ...ofRoot }),
    ];
    expect((await read([...desk, ...ports])).unreadPorts?.toSorted()).toEqual(['1-4.3', '1-4.4', '1-9']);
    expect((await read(desk)).unreadPorts).toBeUndefined(); // a kernel before 6.5
  });

  it('are blocked where the host does not let them in, and have no interfaces then', async () => {
    const phone = (authorized: string) =>
      usb('usb1/1-9', { bDeviceClass: '00', idVendor: '18d1', serial: 'P6', authorized });
    expect((await read([phone('0')])).devices).toMatchObject([
      { serial: 'P6', isBlocked: true, interfaces: [] },
    ]);
    expect((await read([phone('1')])).devices[0]?.isBlocked).toBeUndefined();
  });

  it('of a machine without USB are none', async () => {
    expect(readUsbTree(await hostTree({}))).toEqual({ controllers: [], devices: [] });
  });

  it('without a value leave it out', async () => {
    const [device] = (
      await read([usb('usb1/1-9', { bDeviceClass: '00', version: 'x', speed: '', bMaxPower: '' })])
    ).devices;
    expect(device).toEqual({
      port: '1-9',
      usbPath: '1-9',
      bus: 1,
      isHub: false,
      interfaces: [],
    });
  });

  it('share a root socket for certain only where the firmware says so', async () => {
    const peers = { '1-4': '2-4' };
    expect((await read(desk, peers)).at('1-4')?.peer).toEqual({ port: '2-4', isCertain: false });
    const root = await sysfsTree(desk, peers);
    await writeFile(join(root, `devices/${controller}/usb1/1-4/port/location`), '0x80000003\n');
    expect(readUsbTree(root).devices.find(({ port }) => port === '1-4')?.peer?.isCertain).toBe(true);
    await writeFile(join(root, `devices/${controller}/usb1/1-4/port/peer/connect_type`), 'not used\n');
    expect(readUsbTree(root).devices.find(({ port }) => port === '1-4')?.peer?.isCertain).toBe(false);
  });

  it.each([
    [
      'can run at SuperSpeed',
      [5, 15, 22, 0, 2, 7, 16, 2, 2, 0, 0, 0, 10, 16, 3, 0, 14, 0, 1, 10, 0, 0],
      true,
    ],
    ['only saves power', [5, 15, 12, 0, 1, 7, 16, 2, 2, 0, 0, 0], false],
    ['says nothing that can be read', [0, 0, 0, 0], false],
  ])('a phone whose object store says that it %s', async (_, store, isSuperSpeed) => {
    const root = await sysfsTree(desk);
    await writeFile(join(root, `devices/${controller}/usb1/1-4/1-4.2/bos_descriptors`), Buffer.from(store));
    expect(readUsbTree(root).devices.find(({ port }) => port === '1-4.2')?.isSuperSpeed).toBe(isSuperSpeed);
  });

  it('say what they like: any text and any file becomes bounded, printable, plain data', async () => {
    const folder = `devices/${controller}/usb1/1-4`;
    const names = [
      'product',
      'serial',
      'version',
      'speed',
      'bMaxPower',
      'bmAttributes',
      'idVendor',
      'maxchild',
    ];
    const root = await hostTree(
      { [`${folder}/bDeviceClass`]: '09\n' },
      { 'bus/usb/devices/1-4': `../../../${folder}` },
    );
    await mkdir(join(root, folder, 'power'));
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.constantFrom(...names, 'bos_descriptors'),
        async (text, name) => {
          await writeFile(join(root, folder, name), text);
          const [device] = readUsbTree(root).devices;
          const { product = '', serial = '', speedMbps = 0, version = 0 } = device ?? {};
          expect(device?.port).toBe('1-4');
          expect(product.length).toBeLessThanOrEqual(80);
          expect(serial.length).toBeLessThanOrEqual(128);
          expect(product + serial).not.toMatch(/\p{Cc}/u);
          expect([speedMbps, version].every(Number.isFinite)).toBe(true);
          expect(structuredClone(device)).toEqual(device);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('beyond a thousand are left out', async () => {
    const root = await hostTree({});
    const folder = join(root, 'bus/usb/devices');
    for (let port = 1; port <= 1100; port += 1) await mkdir(join(folder, `1-${port}`), { recursive: true });
    expect(readUsbTree(root).devices).toHaveLength(1024);
  });
});
