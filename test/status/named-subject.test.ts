import { describe, expect, it } from 'vitest';
import { type PlacedPhone, subjectCalled } from '../../src/status/named-subject.ts';

const at = (udid: string, port: string, more: Partial<PlacedPhone> = {}): PlacedPhone => ({
  udid,
  serial: udid,
  devpath: `1-${port}`,
  usbPath: `pci-0000:00:14.0-usb-0:${port}`,
  ...(port.includes('.') && { hub: `pci-0000:00:14.0-usb-0:${port.slice(0, port.lastIndexOf('.'))}` }),
  ...more,
});

const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 3, bay 2', 'rack 2, shelf 4, bay 1', 'desk'];
const phones: PlacedPhone[] = [
  at('A', '4.1', { name: 'Kiosk', model: 'POCO F6', slot: slots[0] ?? '' }),
  at('B', '4.2', { name: 'POCO F6', model: 'POCO F6', slot: slots[1] ?? '' }),
  at('C', '3', { name: 'rack 2, shelf 3', model: 'Pixel 5' }),
  { udid: 'N', serial: '192.168.1.7:5555', name: 'Net', slot: 'desk' },
];

const called = (name: string, some: readonly PlacedPhone[] = phones) => subjectCalled(name, some, slots);

describe('subjectCalled', () => {
  it.each([
    ['A', 'A', 'Kiosk'],
    ['192.168.1.7:5555', 'N', 'Net'],
    ['kiosk', 'A', 'Kiosk'],
    [' Pixel 5 ', 'C', 'rack 2, shelf 3'],
  ])('finds a phone by %s', (name, udid, shown) => {
    expect(called(name)).toEqual({ kind: 'phone', name: shown, udid });
  });

  it('finds a slot with the phones in it, also an empty one', () => {
    expect(called('Rack 2, shelf 3, bay 2')).toEqual({
      kind: 'slot',
      name: slots[1],
      slots: [slots[1]],
      udids: ['B'],
    });
    expect(called('rack 2, shelf 4, bay 1')).toMatchObject({ kind: 'slot', udids: [] });
  });

  it('finds the slots of a shelf, whatever a phone calls itself', () => {
    expect(called('rack 2, shelf 3')).toEqual({
      kind: 'shelf',
      name: 'rack 2, shelf 3',
      slots: slots.slice(0, 2),
      udids: ['A', 'B'],
    });
  });

  it('finds a port and a hub by both of their paths', () => {
    const [port, hub] = [
      { kind: 'port', name: '1-4.2', usbPath: 'pci-0000:00:14.0-usb-0:4.2', udids: ['B'] },
      { kind: 'hub', name: '1-4', hub: 'pci-0000:00:14.0-usb-0:4', udids: ['A', 'B'] },
    ];
    for (const name of ['1-4.2', 'pci-0000:00:14.0-usb-0:4.2', 'USB port 1-4.2', 'port 1-4.2'])
      expect(called(name)).toEqual(port);
    for (const name of ['1-4', 'pci-0000:00:14.0-usb-0:4', 'hub 1-4', 'Hub 1-4'])
      expect(called(name)).toEqual(hub);
    const chips = [at('D', '5.1.1'), at('E', '5.2.1'), at('F', '6')];
    for (const name of ['1-5', 'hub 1-5', 'pci-0000:00:14.0-usb-0:5'])
      expect(called(name, chips)).toEqual({
        kind: 'hub',
        name: '1-5',
        hub: 'pci-0000:00:14.0-usb-0:5',
        udids: ['D', 'E'],
      });
    expect(called('1-5.1', chips)).toMatchObject({ kind: 'hub', udids: ['D'] });
  });

  it('finds a phone by its udid though that is also the name of a place', () => {
    expect(called('1-4', [...phones, at('1-4', '9')])).toMatchObject({ kind: 'phone', udid: '1-4' });
  });

  it('does not guess among phones of one name', () => {
    expect(called('POCO F6')).toEqual({
      problem:
        'POCO F6 matches A (Kiosk at rack 2, shelf 3, bay 1), B (at rack 2, shelf 3, bay 2): give the udid',
      isKnown: true,
    });
  });

  it.each([
    ['Kiosc', 'did you mean Kiosk?'],
    ['rack 2, shelf 33', 'did you mean rack 2, shelf 3?'],
    ['', 'hostnode status lists the phones and their slots'],
    ['\u001b[31m'.repeat(40), 'hostnode status lists the phones and their slots'],
  ])('names the nearest of %j, where one is near', (name, remedy) => {
    expect(called(name)).toEqual({
      problem: `nothing on this host has the name ${name.trim()}; ${remedy}`,
      isKnown: false,
    });
  });

  it('finds nothing on a host without phones and slots', () => {
    expect(subjectCalled('A', [], [])).toMatchObject({ isKnown: false });
    expect(subjectCalled('', [], [])).toMatchObject({ isKnown: false });
  });
});
