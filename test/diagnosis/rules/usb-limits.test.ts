import { expect, it } from 'vitest';
import { judgeUsbLimits } from '../../../src/diagnosis/rules/usb-limits.ts';
import { controller, device, found, hub, root, usbPhone } from '../../findings/usb-bench-host.ts';

const phones = (count: number, bus = 1) =>
  Array.from({ length: count }, (_, at) => usbPhone(`${bus}-4.${at + 1}`));
const usbOf = (devices: ReturnType<typeof phones>, more: Partial<typeof controller> = {}) => ({
  usb: { controllers: [{ ...controller, ...more }], devices: [root(1), root(2, 5000), ...devices] },
});

it('counts the endpoints of an Intel controller: with adb alone, 29 phones are near its 96 and 32 use them up', () => {
  const judged = (count: number) => found(judgeUsbLimits, [], usbOf(phones(count)));
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
  const panther = found(judgeUsbLimits, [], usbOf(phones(20), { deviceId: '1e31' }));
  expect(panther.map(({ title }) => title)).toEqual([
    'The USB controller pci-0000:00:14.0 has 60 of 64 endpoints, for 20 phones',
  ]);
  expect(found(judgeUsbLimits, [], usbOf(phones(40), { vendorId: '1022' }))).toEqual([]);
});

it('counts the slots of a controller over both of its buses, hubs too', () => {
  const devices = [hub('1-4'), hub('2-4'), ...phones(14, 1), ...phones(13, 2)];
  const renesas = { vendorId: '1912', deviceId: '0014' };
  expect(found(judgeUsbLimits, [], usbOf(devices, renesas))).toMatchObject([
    {
      code: 'USB_FULL',
      title: 'The USB controller pci-0000:00:14.0 has 29 of 32 devices, hubs among them, for 27 phones',
      remedy: 'Move phones to another USB controller, such as a PCIe card',
    },
  ]);
  expect(found(judgeUsbLimits, [], usbOf(devices.slice(1), renesas))).toEqual([]);
});

it('counts the addresses of a bus, and says nothing where no phone is on it', () => {
  const mice = Array.from({ length: 113 }, (_, at) => device(`1-5.${at + 1}`));
  const amd = { vendorId: '1022' };
  expect(found(judgeUsbLimits, [], usbOf([...mice, ...phones(1)], amd))).toMatchObject([
    { code: 'USB_FULL', title: expect.stringContaining('115 of 127 devices') },
  ]);
  expect(found(judgeUsbLimits, [], usbOf(mice.concat(device('1-6')), amd))).toEqual([]);
});
