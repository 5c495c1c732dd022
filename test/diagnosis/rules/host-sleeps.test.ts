import { expect, it } from 'vitest';
import { hostSleeps } from '../../../src/diagnosis/rules/host-sleeps.ts';
import { at, contextOf, DAYS, HOURS, phone } from '../../findings/told.ts';

const asleep = (wokeAt: number, hours: number): Parameters<typeof contextOf>[1][number] => [
  wokeAt,
  { kind: 'hostSlept', forMs: hours * HOURS * 1000 },
];

/** Three nights, of which the last ends now. */
const nights = [4, 5, 6].map((day) => asleep(day * DAYS, 13));

const foundAt = (now: number, told = nights, phones = [phone('A', at('1'))]) =>
  hostSleeps.evaluate(contextOf(now, told, phones));

it('tells how often and for how long', () => {
  expect(foundAt(6 * DAYS)).toMatchObject({
    subject: { kind: 'host' },
    title: 'The host slept 3 times in 2 days, for 39 h in all: nobody could use its phones',
    evidence: [1, 2, 3],
  });
});

it('ends a day after the last time, and when there was less of it', () => {
  expect(foundAt(6.9 * DAYS)).toBeDefined();
  expect(foundAt(7.1 * DAYS)).toBeUndefined();
  const naps = [4, 4.5, 5, 5.5, 6].map((day) => asleep(day * DAYS, 2));
  expect(foundAt(6 * DAYS, naps)).toBeUndefined();
});

it('needs a phone whom that concerns', () => {
  expect(foundAt(6 * DAYS, nights, [phone('A', at('1'), { attached: false })])).toBeUndefined();
});
