import { describe, expect, it } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { UsbBuses, unknownTopology } from '../../src/host/usb-devices.ts';
import { lastingPaths, type Slot, Slots } from '../../src/roster/slots.ts';
import { lab, peers, sysfsTree } from '../support/sysfs-tree.ts';

const at = (devpath: string) => ({ serial: 'A', devpath });
const slot = (name: string, ...paths: string[]): Slot => ({ name, paths });

describe('the slot of a phone', () => {
  it.each([
    ['1-4.2', '1-4.2', true],
    ['usb:1-4.2', '1-4.2', true],
    ['1-4.2', '1-4', false],
    ['1-4.2', '1-4.2.1', false],
    ['1-4.2', '11-4.2', false],
    ['pci-0000:02:00.0-usb-0:4.2', '1-4.2', true],
    ['pci-0000:02:00.0-usb-0:4.2', '2-4.2', true],
    ['pci-0000:02:00.0-usbv3-0:4.2', '1-4.2', false],
    ['pci-0000:02:00.0-usbv3-0:4.2', '2-4.2', true],
    ['pci-0000:00:14.0-usb-0:4.2', '1-4.2', false],
  ])('with the path %s holds one at %s: %s', async (path, devpath, holds) => {
    const slots = new Slots([slot('bay 1', path)], new UsbBuses(await sysfsTree(lab)));
    expect(slots.slotOf(at(devpath))).toBe(holds ? 'bay 1' : undefined);
  });

  it('may have several paths', () => {
    const slots = new Slots([slot('bay 1', '1-4', '2-4'), slot('bay 2', '1-5')]);
    expect(['1-4', '2-4', '1-5', '2-5'].map((path) => slots.slotOf(at(path)))).toEqual([
      'bay 1',
      'bay 1',
      'bay 2',
      undefined,
    ]);
  });

  it('is found by the most exact path if two slots share a socket number', async () => {
    const slots = [
      slot('by number', '8-2'),
      slot('either half', 'pci-0000:00:14.0-usb-0:2'),
      slot('USB 3', 'pci-0000:00:14.0-usbv3-0:2'),
    ];
    const topology = new UsbBuses(await sysfsTree(lab));
    const answers = [slots, slots.slice(0, 2), slots.slice(0, 1)].map((list) =>
      new Slots(list, topology).slotOf(at('8-2')),
    );
    expect(answers).toEqual(['USB 3', 'either half', 'by number']);
  });

  it('is found by the address of a network phone, and never by the serial of one on USB', () => {
    const slots = new Slots([slot('bay 1', '192.168.1.7:5555')]);
    expect(slots.slotOf({ serial: '192.168.1.7:5555' })).toBe('bay 1');
    expect(slots.slotOf({ serial: '192.168.1.7:5555', devpath: '1-1' })).toBeUndefined();
    expect(slots.slotOf({ serial: 'emulator-5554' })).toBeUndefined();
  });

  it('that was unplugged is where it was last, also when a reboot gave the buses other numbers', async () => {
    const slots = [
      slot('bay 1', 'pci-0000:02:00.0-usb-0:4.2'),
      slot('bay 2', 'platform-fd500000.pcie-pci-0001:01:00.0-usb-0:4.2'),
    ];
    const renumbered = { 1: 3, 3: 1 } as Readonly<Record<number, number>>;
    const buses = new UsbBuses(await sysfsTree(lab));
    const after = { ...unknownTopology, bus: (number: number) => buses.bus(renumbered[number] ?? number) };
    const portPaths = new Slots(slots, buses).portPathsOf(at('1-4.2'));
    expect(portPaths).toEqual(['pci-0000:02:00.0-usbv2-0:4.2', 'pci-0000:02:00.0-usb-0:4.2', '1-4.2']);
    const seats = [at('1-4.2'), { ...at('1-4.2'), ...omitUndefined({ portPaths }) }];
    expect(seats.map((seat) => new Slots(slots, after).slotOf(seat))).toEqual(['bay 2', 'bay 1']);
  });

  it('has no lasting names where only the devpath is known', async () => {
    const slots = new Slots([], new UsbBuses(await sysfsTree(lab)));
    expect([at('42-1'), { serial: '192.168.1.7:5555' }].map((seat) => slots.portPathsOf(seat))).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('what is written down for a port', () => {
  it.each([
    ['1-4.2', ['pci-0000:02:00.0-usb-0:4.2']],
    ['2-4.2', ['pci-0000:02:00.0-usb-0:4.2']],
    ['7-6', ['pci-0000:00:14.0-usbv2-0:6', 'pci-0000:00:14.0-usbv3-0:2']],
    ['8-2', ['pci-0000:00:14.0-usbv3-0:2', 'pci-0000:00:14.0-usbv2-0:6']],
    ['3-1', ['platform-fd500000.pcie-pci-0001:01:00.0-usbv2-0:1']],
    ['9-3', ['9-3']],
    ['42-1', ['42-1']],
  ])(
    '%s means this socket, both halves of it where the kernel knows them, and no other',
    async (devpath, paths) => {
      const topology = new UsbBuses(await sysfsTree(lab, peers));
      expect(lastingPaths(devpath, topology)).toEqual(paths);
      expect(new Slots([slot('bay 1', ...paths)], topology).slotOf(at(devpath))).toBe('bay 1');
    },
  );
});
