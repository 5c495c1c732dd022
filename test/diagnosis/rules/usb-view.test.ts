import fc from 'fast-check';
import { expect, it } from 'vitest';

import { findingKey } from '../../../src/diagnosis/finding.ts';
import { historyRules } from '../../../src/diagnosis/rules/index.ts';
import type { UsbDevice } from '../../../src/host/usb-devices.ts';
import { readUsbTree } from '../../../src/host/usb-devices.ts';
import { controller, found, listed, now } from '../../findings/usb-bench-host.ts';
import { sysfsTree } from '../../support/sysfs-tree.ts';

/** What no title says, unless a phone has such a name. */
const BROKEN = /undefined|NaN|Infinity|\.$/;
const port = fc.oneof(
  fc.constantFrom('usb1', 'usb2', '1-4', '2-4', '1-4.1', '1-4.2', '2-4.1', '1-4.1.1', '9-1'),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([bus, at]) => `${bus}-${at}`),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const number = fc.oneof(fc.constantFrom(0, 1.5, 2, 2.1, 3.2, 12, 480, 500, 896, 5000, 1e12), fc.nat());
const anyDevice = fc.record({
  port,
  usbPath: port,
  controller: some(fc.constantFrom('pci-0000:00:14.0', 'x')),
  bus: fc.nat(3),
  vendorId: some(fc.constantFrom('18d1', '05c6', '04e8')),
  productId: some(fc.constantFrom('9008', '685d')),
  product: some(fc.string({ maxLength: 80 }).filter((name) => !BROKEN.test(name))),
  serial: some(fc.constantFrom('P8', '')),
  version: some(number),
  speedMbps: some(number),
  isSuperSpeed: some(fc.boolean()),
  maxPowerMilliamps: some(number),
  isSelfPowered: some(fc.boolean()),
  isHub: fc.boolean(),
  interfaces: fc.array(
    fc.record({
      kind: fc.constantFrom('ff/42/01', 'ff/42/03', '06/01/01', '??/??/??'),
      endpoints: fc.nat(255),
      name: some(fc.constantFrom('MTP', 'x')),
    }),
    { maxLength: 4 },
  ),
  connectedAt: some(fc.constantFrom(0, now - 3_600_000, now + 1e9)),
  peer: some(fc.record({ port, isCertain: fc.boolean() })),
}) as fc.Arbitrary<UsbDevice>;

it('whatever the devices of a host say, the judges give findings that name a subject once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyDevice, { maxLength: 60, selector: (device) => device.port }),
      fc.uniqueArray(port, { maxLength: 8 }),
      (devices, ports) => {
        const phones = ports.map((devpath, index) => listed(devpath, { udid: `P${index}` }));
        const findings = found(historyRules, [], {
          phones,
          usb: { controllers: [controller], devices },
        });
        expect(new Set(findings.map(findingKey)).size).toBe(findings.length);
        for (const { title, remedy, since, udids } of findings) {
          expect(title.length + remedy.length).toBeLessThan(500);
          expect(title).not.toMatch(BROKEN);
          expect(Number.isFinite(since)).toBe(true);
          expect(new Set(udids).size).toBe(udids.length);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

it('what the kernel shows of a hub with two phones becomes findings about the ports that events name', async () => {
  const pci = 'pci0000:00/0000:00:14.0';
  const usb = (path: string, attributes: Record<string, string>) => ({
    path: `${pci}/${path}`,
    subsystem: 'usb',
    attributes,
  });
  const phone = (port: string, speed: string) => [
    usb(`usb1/1-4/${port}`, {
      version: ' 2.00',
      speed,
      product: 'Pixel 8',
      'power/connected_duration': '600000',
    }),
    usb(`usb1/1-4/${port}/${port}:1.0`, {
      bInterfaceClass: 'ff',
      bInterfaceSubClass: '42',
      bInterfaceProtocol: '01',
      bNumEndpoints: '02',
    }),
  ];
  const sysfs = await sysfsTree([
    { path: pci, subsystem: 'pci' },
    usb('usb1', { bDeviceClass: '09', version: ' 2.00', speed: '480' }),
    usb('usb1/1-4', { bDeviceClass: '09', version: ' 2.00', speed: '480', bmAttributes: 'e0' }),
    ...phone('1-4.1', '12'),
    ...phone('1-4.2', '480'),
  ]);
  const at = Date.now();
  const findings = found(historyRules, [], {
    at,
    phones: [listed('1-4.1')],
    usb: readUsbTree(sysfs),
    setting: { expected: [], slots: [{ name: 'bay 2', paths: ['pci-0000:00:14.0-usb-0:4.2'] }] },
  });
  expect(findings.map(({ code, subject }) => [code, subject])).toEqual([
    ['NOT_IN_ADB', { kind: 'port', key: 'pci-0000:00:14.0-usb-0:4.2', slot: 'bay 2' }],
    ['USB_SLOW', { kind: 'phone', key: 'P8' }],
  ]);
});
