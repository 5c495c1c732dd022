import { expect, it } from 'vitest';
import { judgeUsbPower } from '../../../src/diagnosis/rules/usb-power.ts';
import { device, found, hub, listed, usbPhone } from '../../findings/usb-bench-host.ts';

const unpowered = hub('1-4', { isSelfPowered: false });

it('adds up what the devices of a hub without a power supply want', () => {
  const ports = ['1-4.1', '1-4.2', '1-4.3', '1-4.4', '1-4.5'];
  const devices = [unpowered, ...ports.map((port) => usbPhone(port, { maxPowerMilliamps: 96 }))];
  expect(found(judgeUsbPower, devices, { phones: [listed('1-4.2')] })).toMatchObject([
    {
      code: 'USB_POWER',
      severity: 'major',
      certainty: 'certain',
      subject: { kind: 'hub', key: 'pci-0000:00:14.0-usb-0:4' },
      title: 'The hub at USB port 1-4 has no power supply: its devices want 480 mA, and it may give 400 mA',
      remedy: "Connect the hub's power supply, or use a hub that has one",
      udids: ['P8'],
    },
  ]);
});

it('is a minor matter near the end of the budget, and none before', () => {
  const small = (wanted: number) =>
    found(judgeUsbPower, [
      unpowered,
      ...[1, 2, 3, 4, 5].map((port) => usbPhone(`1-4.${port}`, { maxPowerMilliamps: wanted / 5 })),
    ]);
  expect([405, 400, 360, 355].map((wanted) => small(wanted).map(({ severity }) => severity))).toEqual([
    ['major'],
    ['minor'],
    ['minor'],
    [],
  ]);
});

it('is only possible where the kernel gave a phone more than its share: the hub contradicts itself', () => {
  expect(found(judgeUsbPower, [unpowered, usbPhone('1-4.1'), usbPhone('1-4.2')])).toMatchObject([
    { severity: 'minor', certainty: 'possible', title: expect.stringContaining('want 1000 mA') },
  ]);
});

it('takes both halves of a USB 3 hub as one, with the budget of USB 3', () => {
  const halves = [
    hub('1-4', { isSelfPowered: false, peer: { port: '2-4', isCertain: false } }),
    hub('2-4', { isSelfPowered: false, speedMbps: 5000, peer: { port: '1-4', isCertain: false } }),
  ];
  const phones = [usbPhone('1-4.1'), usbPhone('2-4.2', { speedMbps: 5000, maxPowerMilliamps: 896 })];
  expect(found(judgeUsbPower, [...halves, ...phones]).map(({ title }) => title)).toEqual([
    'The hub at USB port 1-4 has no power supply: its devices want 1396 mA, and it may give 750 mA',
  ]);
});

it('says how many devices the kernel left without a configuration', () => {
  const devices = [unpowered, usbPhone('1-4.1', { interfaces: [], maxPowerMilliamps: 0 })];
  expect(found(judgeUsbPower, devices)).toMatchObject([
    { severity: 'major', certainty: 'likely', title: expect.stringMatching(/; 1 got none$/) },
  ]);
  expect(
    found(judgeUsbPower, [
      unpowered,
      device('1-4.1', { maxPowerMilliamps: 500, interfaces: [{ kind: '03/01/01', endpoints: 1 }] }),
    ]),
  ).toEqual([]);
});
