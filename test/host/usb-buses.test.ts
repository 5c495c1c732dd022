import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { topologyBehind, UsbBuses, unknownTopology } from '../../src/host/usb-devices.ts';
import { pathsOf } from '../../src/roster/slots.ts';
import { lab, peers, sysfsTree } from '../support/sysfs-tree.ts';

describe('the controller of a USB port', () => {
  // the middle ones are what `udevadm test-builtin path_id` of systemd 252 says of the same devices
  it.each([
    ['1-4.2', 'pci-0000:02:00.0-usbv2-0:4.2', 'pci-0000:02:00.0-usb-0:4.2'],
    ['2-4.2', 'pci-0000:02:00.0-usbv3-0:4.2', 'pci-0000:02:00.0-usb-0:4.2'],
    [
      '3-1',
      'platform-fd500000.pcie-pci-0001:01:00.0-usbv2-0:1',
      'platform-fd500000.pcie-pci-0001:01:00.0-usb-0:1',
    ],
    ['5-2', 'platform-xhci-hcd.3.auto-usbv3-0:2', 'platform-xhci-hcd.3.auto-usb-0:2'],
  ])('of %s is called as udev calls it', async (devpath, exact, general) => {
    const buses = new UsbBuses(await sysfsTree(lab));
    expect(pathsOf({ serial: 'A', devpath }, (bus) => buses.bus(bus))).toEqual([exact, general, devpath]);
  });

  it.each([
    [' 1.10', 1],
    [' 2.00', 2],
    [' 3.10', 3],
    ['', undefined],
  ])('has USB of the revision that its root hub tells: %j', async (version, revision) => {
    const tree = await sysfsTree([
      { path: 'pci0000:00/0000:00:14.0', subsystem: 'pci' },
      { path: 'pci0000:00/0000:00:14.0/usb1', subsystem: 'usb', attributes: { version } },
    ]);
    expect(new UsbBuses(tree).bus(1)?.revision).toBe(revision);
  });

  it('is not known where nothing about it keeps its name, where there is no such bus, and without sysfs', async () => {
    const buses = new UsbBuses(await sysfsTree(lab));
    expect([buses.bus(9), buses.bus(42), new UsbBuses('/nowhere').bus(1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is read once, and again after phones were plugged in or unplugged', async () => {
    const tree = await sysfsTree(lab);
    const buses = new UsbBuses(tree);
    const before = buses.bus(7);
    renameSync(`${tree}bus/usb/devices/usb7`, `${tree}bus/usb/devices/usb17`);
    expect([before?.controller, buses.bus(7)]).toEqual(['pci-0000:00:14.0', before]);
    buses.refresh();
    expect([buses.bus(7), buses.bus(17)]).toEqual([undefined, before]);
  });

  it('is nothing that can be known of an adb server on another machine', () => {
    expect(topologyBehind('lab-2')).toBe(unknownTopology);
    expect(topologyBehind('127.0.0.1')).toBeInstanceOf(UsbBuses);
  });
});

describe('the other half of a USB 3 socket', () => {
  it.each([
    ['1-4.2', '2-4.2'],
    ['8-2', '7-6'],
    ['5-2', undefined],
    ['42-1', undefined],
  ])('of %s is %s, as the kernel says', async (devpath, companion) => {
    expect(new UsbBuses(await sysfsTree(lab, peers)).companionOf(devpath)).toBe(companion);
  });
});
