import { expect, it } from 'vitest';
import { hubName, lasting, namesOf, portName, times } from '../../src/findings/words.ts';
import { at, caseOf, phone } from './told.ts';

it('tells phones of one name apart by their serials', () => {
  const phones = [
    phone('A', at('1'), { name: 'Pixel 5' }),
    phone('B', at('2'), { name: 'Pixel 5' }),
    phone('C', at('3'), { name: 'Pixel 6' }),
    phone('D', at('4'), { name: '\n' }),
  ];
  const name = namesOf(caseOf(0, [], phones).now);
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

it('calls a hub as adb numbers it, and by the shelf of its phones', () => {
  const pci = 'pci-0000:00:14.0-usb-0:4';
  const below = (port: string, slot?: string) => ({
    ...{ devpath: `1-4.${port}`, usbPath: `${pci}.${port}`, hub: pci },
    ...(slot !== undefined && { slot }),
  });
  expect(hubName('1-4\n', [])).toBe('hub 1-4');
  expect(hubName(pci, [])).toBe(`hub ${pci}`);
  expect(hubName(pci, [below('2'), below('3')])).toBe('hub 1-4');
  expect(hubName(`${pci}.1`, [below('1.3')])).toBe('hub 1-4.1');
  expect(hubName(pci, [below('2', 'rack 2, bay 2'), below('3', 'rack 2, bay 3')])).toBe('hub 1-4 (rack 2)');
  expect(hubName(pci, [below('2', 'rack 2, bay 2'), below('3', 'rack 3, bay 3')])).toBe('hub 1-4');
});

it('says times and numbers of times', () => {
  expect([0, 90_000, 9 * 86_400_000].map(lasting)).toEqual(['1 s', '1 min', '9 days']);
  expect([1, 2].map(times)).toEqual(['once', '2 times']);
});
