import { expect, it } from 'vitest';
import { hubName, lasting, namesOf, portName, times } from '../../src/diagnosis/words.ts';
import { at, contextOf, phone } from '../findings/told.ts';

it('tells phones of one name apart by their serials', () => {
  const phones = [
    phone('A', at('1'), { name: 'Pixel 5' }),
    phone('B', at('2'), { name: 'Pixel 5' }),
    phone('C', at('3'), { name: 'Pixel 6' }),
    phone('D', at('4'), { name: '\n' }),
  ];
  const name = namesOf(contextOf(0, [], phones).now);
  expect(['A', 'B', 'C', 'D', 'E\u001b[2J', ''].map(name)).toEqual([
    'Pixel 5 (A)',
    'Pixel 5 (B)',
    'Pixel 6',
    'D',
    'E [2J',
    'A phone',
  ]);
});

it('calls a port by its slot, else by its path', () => {
  expect([at('2', 'bay 2'), at('2'), {}].map(portName)).toEqual(['bay 2', 'USB port 1-4.2', 'USB port ?']);
});

it('calls a hub as adb does, also one above another hub, else by its path', () => {
  const hub = 'pci-0000:00:14.0-usb-0:4';
  const where = { devpath: '3-4.2.1', usbPath: `${hub}.2.1`, hub: `${hub}.2` };
  expect(hubName(`${hub}.2`, [{ where }])).toBe('hub 3-4.2');
  expect(hubName(hub, [{ where }, { where: {} }])).toBe('hub 3-4');
  expect(hubName(hub, [{ where: { usbPath: where.usbPath, hub: where.hub } }])).toBe(`hub ${hub}`);
  expect(hubName('1-4\n', [])).toBe('hub 1-4');
});

it('adds the shelf of a hub whose phones share one', () => {
  const inSlots = (...slots: string[]) =>
    hubName(
      '1-4',
      slots.map((slot, index) => ({ where: at(String(index + 1), slot) })),
    );
  expect(inSlots('rack 2, bay 2', 'rack 2, bay 3')).toBe('hub 1-4 (rack 2)');
  expect(inSlots('rack 2, bay 2', 'rack 3, bay 3')).toBe('hub 1-4');
  expect(inSlots('bay 2', 'bay 3')).toBe('hub 1-4');
});

it('says times and numbers of times', () => {
  expect([0, 90_000, 9 * 86_400_000].map(lasting)).toEqual(['1 s', '1 min', '9 days']);
  expect([1, 2].map(times)).toEqual(['once', '2 times']);
});
