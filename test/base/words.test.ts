import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstStep, inNaturalOrder, naturalOrder, pathText, quantity, quoted } from '../../src/base/words.ts';

it('quantity has one slot, and any other number of slots', () => {
  expect([0, 1, 2].map((count) => quantity(count, 'slot'))).toEqual(['0 slots', '1 slot', '2 slots']);
});

it('a shell reads each word as it was', () => {
  for (const word of ['R58M1', 'emulator-5554@lab', "it's; rm -rf $HOME", '`x` "y" \\z', '', '🔧\n\t'])
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word);
});

it('pathText counts from 1, as people do and as the table of the rules does', () => {
  expect(pathText(['slots', 0, 'paths', 11])).toBe('slots.1.paths.12');
  expect(pathText(['cloud', 'baseUrl'])).toBe('cloud.baseUrl');
  expect(pathText([])).toBe('');
});

it('sorts numbers in names as numbers', () => {
  const sorted = ['1-1.4', '1-2', '1-2.1', '1-2.3', '1-2.3.1', '1-2.10', '2-1', '10-1', 'bay 9', 'bay 10'];
  expect(sorted.toReversed().sort(naturalOrder)).toEqual(sorted);
  expect(inNaturalOrder(sorted.toReversed(), (each) => each)).toEqual(sorted);
});

it('is one order, whatever stands in the names', () => {
  const near = fc.string({ unit: fc.constantFrom(...'00119aAbB-._ é'), maxLength: 8 });
  fc.assert(
    fc.property(near, near, near, (...names) => {
      const [first = '', second = '', third = ''] = names.sort(naturalOrder);
      expect(naturalOrder(first, third)).toBeLessThanOrEqual(0);
      expect(Math.sign(naturalOrder(third, first))).toBe(0 - Math.sign(naturalOrder(first, third)));
      expect(naturalOrder(first, second) === 0).toBe(first === second);
    }),
    { numRuns: 2000 },
  );
});

it('shows the first step of a remedy, and the code of its finding', () => {
  expect(firstStep('Charge it')).toBe('Charge it');
  expect(firstStep('Charge it (BATTERY_DRAINING)')).toBe('Charge it (BATTERY_DRAINING)');
  expect(firstStep('Charge it; restart it; replace it')).toBe('Charge it; …');
  expect(firstStep('Charge it; replace it (BATTERY_DRAINING)')).toBe('Charge it; … (BATTERY_DRAINING)');
  expect(firstStep('Open a browser; sign in (captive portal?)')).toBe('Open a browser; …');
});
