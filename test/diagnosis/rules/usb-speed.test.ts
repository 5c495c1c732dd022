import { expect, it } from 'vitest';
import { usbSlow } from '../../../src/diagnosis/rules/usb-speed.ts';
import { found, hub, listed, now, usbPhone } from '../../findings/usb-bench-host.ts';

it('says which phone is slow, what both sides can do, and since when', () => {
  const devices = [hub('1-4'), usbPhone('1-4.2', { speedMbps: 12 })];
  expect(found([usbSlow], devices, { phones: [listed('1-4.2')] })).toEqual([
    {
      code: 'USB_SLOW',
      severity: 'minor',
      subject: { kind: 'phone', key: 'P8' },
      certainty: 'likely',
      title: 'Pixel 8 in bay 4 runs at 12 Mbit/s; it and its port can do 480',
      remedy: 'Replace the cable; if it stays slow, try another port',
      since: now - 3_600_000,
      udids: ['P8'],
      evidence: [],
    },
  ]);
});

it('knows that a port can do more only where the other half of its socket is certain, fast and free', () => {
  const phone = (isCertain: boolean) =>
    usbPhone('1-4.2', { isSuperSpeed: true, peer: { port: '2-4.2', isCertain } });
  const halves = [hub('1-4'), hub('2-4', { speedMbps: 5000 })];
  const slow = found([usbSlow], [...halves, phone(true)]);
  expect(slow.map(({ title, remedy }) => [title, remedy])).toEqual([
    [
      'Pixel 8 at USB port 1-4.2 runs at 480 Mbit/s; it and its port can do 5000',
      'Use a cable for USB 3: many charging cables have only the wires of USB 2; if it stays slow, turn its plug over, or use another port',
    ],
  ]);
  expect(found([usbSlow], [...halves, phone(false)])).toEqual([]);
  expect(found([usbSlow], [hub('1-4'), hub('2-4'), phone(true)])).toEqual([]);
  expect(found([usbSlow], [...halves, phone(true), usbPhone('2-4.2', { interfaces: [] })])).toEqual([]);
});

it('tells of one hub where three of its phones are slow, with all of them', () => {
  const ports = ['1-4.1', '1-4.2', '1-4.3'];
  const devices = [hub('1-4'), ...ports.map((port) => usbPhone(port, { speedMbps: 12 }))];
  const phones = ports.map((port, index) => listed(port, { udid: `P${index}`, isInMaintenance: false }));
  expect(found([usbSlow], devices, { phones })).toMatchObject([
    {
      subject: { kind: 'hub', key: 'pci-0000:00:14.0-usb-0:4' },
      title: '3 phones at the hub at USB port 1-4 run at 12 Mbit/s; they and their ports can do 480',
      udids: ['P0', 'P1', 'P2'],
    },
  ]);
  expect(found([usbSlow], devices.slice(0, 3), { phones })).toHaveLength(2);
});
