import { expect, it } from 'vitest';
import { usbEndpoints, usbFull, usbPower } from '../../../src/diagnosis/rules/usb-limits.ts';
import { controller, device, found, hub, listed, root, usbPhone } from '../../findings/usb-bench-host.ts';

const phones = (count: number, bus = 1) =>
  Array.from({ length: count }, (_, at) => usbPhone(`${bus}-4.${at + 1}`));
const usbOf = (devices: ReturnType<typeof phones>, more: Partial<typeof controller> = {}) => ({
  usb: { controllers: [{ ...controller, ...more }], devices: [root(1), root(2, 5000), ...devices] },
});

it('counts the endpoints of an Intel controller: with adb alone, 29 phones are near its 96 and 32 use them up', () => {
  const judged = (count: number) => found([usbEndpoints, usbFull], [], usbOf(phones(count)));
  expect(judged(28)).toEqual([]);
  expect(judged(29)).toMatchObject([
    {
      code: 'USB_ENDPOINTS',
      severity: 'minor',
      certainty: 'likely',
      subject: { kind: 'hub', key: 'pci-0000:00:14.0' },
      title: 'The USB controller pci-0000:00:14.0 has 87 of about 96 endpoints, for 29 phones',
    },
  ]);
  expect(judged(32)).toMatchObject([{ severity: 'major' }]);
});

it('knows what Linux knows of Panther Point, and nothing of other makers', () => {
  const panther = found([usbEndpoints, usbFull], [], usbOf(phones(20), { deviceId: '1e31' }));
  expect(panther.map(({ title }) => title)).toEqual([
    'The USB controller pci-0000:00:14.0 has 60 of 64 endpoints, for 20 phones',
  ]);
  expect(found([usbEndpoints, usbFull], [], usbOf(phones(40), { vendorId: '1022' }))).toEqual([]);
});

it('counts the slots of a controller over both of its buses, hubs too', () => {
  const devices = [hub('1-4'), hub('2-4'), ...phones(14, 1), ...phones(13, 2)];
  const renesas = { vendorId: '1912', deviceId: '0014' };
  expect(found([usbEndpoints, usbFull], [], usbOf(devices, renesas))).toMatchObject([
    {
      code: 'USB_FULL',
      title: 'The USB controller pci-0000:00:14.0 has 29 of 32 devices, hubs among them, for 27 phones',
      remedy: 'Move phones to another USB controller, such as a PCIe card',
    },
  ]);
  expect(found([usbEndpoints, usbFull], [], usbOf(devices.slice(1), renesas))).toEqual([]);
});

it('counts the addresses of a bus, and says nothing where no phone is on it', () => {
  const mice = Array.from({ length: 113 }, (_, at) => device(`1-5.${at + 1}`));
  const amd = { vendorId: '1022' };
  expect(found([usbEndpoints, usbFull], [], usbOf([...mice, ...phones(1)], amd))).toMatchObject([
    { code: 'USB_FULL', title: expect.stringContaining('115 of 127 devices') },
  ]);
  expect(found([usbEndpoints, usbFull], [], usbOf(mice.concat(device('1-6')), amd))).toEqual([]);
});

const unpowered = hub('1-4', { isSelfPowered: false });

it('adds up what the devices of a hub without a power supply want', () => {
  const ports = ['1-4.1', '1-4.2', '1-4.3', '1-4.4', '1-4.5'];
  const devices = [unpowered, ...ports.map((port) => usbPhone(port, { maxPowerMilliamps: 96 }))];
  expect(found([usbPower], devices, { phones: [listed('1-4.2')] })).toMatchObject([
    {
      code: 'USB_POWER',
      severity: 'major',
      certainty: 'certain',
      subject: { kind: 'hub', key: 'pci-0000:00:14.0-usb-0:4' },
      title: 'The hub at USB port 1-4 has no power supply: its devices want 480 mA, and it may give 400 mA',
      remedy:
        'Connect the hub’s power supply, or use a hub that has one; or move phones to other ports of the host',
      udids: ['P8'],
    },
  ]);
});

it('is a minor matter near the end of the budget, and none before', () => {
  const small = (wanted: number) =>
    found(
      [usbPower],
      [
        unpowered,
        ...[1, 2, 3, 4, 5].map((port) => usbPhone(`1-4.${port}`, { maxPowerMilliamps: wanted / 5 })),
      ],
    );
  expect([405, 400, 360, 355].map((wanted) => small(wanted).map(({ severity }) => severity))).toEqual([
    ['major'],
    ['minor'],
    ['minor'],
    [],
  ]);
});

it('is only possible where the kernel gave a phone more than its share: the hub contradicts itself', () => {
  expect(found([usbPower], [unpowered, usbPhone('1-4.1'), usbPhone('1-4.2')])).toMatchObject([
    { severity: 'minor', certainty: 'possible', title: expect.stringContaining('want 1000 mA') },
  ]);
});

it('takes both halves of a USB 3 hub as one, with the budget of USB 3', () => {
  const halves = [
    hub('1-4', { isSelfPowered: false, peer: { port: '2-4', isCertain: false } }),
    hub('2-4', { isSelfPowered: false, speedMbps: 5000, peer: { port: '1-4', isCertain: false } }),
  ];
  const phones = [usbPhone('1-4.1'), usbPhone('2-4.2', { speedMbps: 5000, maxPowerMilliamps: 896 })];
  expect(found([usbPower], [...halves, ...phones]).map(({ title }) => title)).toEqual([
    'The hub at USB port 1-4 has no power supply: its devices want 1396 mA, and it may give 750 mA',
  ]);
});

it('says how many devices the kernel left without a configuration', () => {
  const devices = [unpowered, usbPhone('1-4.1', { interfaces: [], maxPowerMilliamps: 0 })];
  expect(found([usbPower], devices)).toMatchObject([
    { severity: 'major', certainty: 'likely', title: expect.stringMatching(/; 1 got none$/) },
  ]);
  const blocked = usbPhone('1-4.1', { interfaces: [], maxPowerMilliamps: 0, isBlocked: true });
  expect(found([usbPower], [unpowered, blocked])).toEqual([]); // the host does not let it in
  expect(
    found(
      [usbPower],
      [
        unpowered,
        device('1-4.1', { maxPowerMilliamps: 500, interfaces: [{ kind: '03/01/01', endpoints: 1 }] }),
      ],
    ),
  ).toEqual([]);
});
