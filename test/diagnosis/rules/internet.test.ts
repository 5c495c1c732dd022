import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { internetLost } from '../../../src/diagnosis/rules/internet.ts';
import { contextOf, shelf } from '../../findings/told.ts';

const MINUTES = 60;
type Told = Parameters<typeof contextOf>[1][number];

const cut = (second: number, udid: string, codes = 'internet'): Told => [
  second,
  { kind: 'hindered', udid, codes },
];

/** Phones by udid, of which the network is known; the others do not say. */
const found = (told: readonly Told[], networks: Record<string, string>, minute = 30) => {
  const phones = shelf.map((phone) => {
    const network = networks[phone.udid];
    return network === undefined ? phone : { ...phone, network };
  });
  return evaluate([internetLost], contextOf(minute * MINUTES, told, phones));
};

const off = (...udids: string[]) => Object.fromEntries(udids.map((udid) => [udid, 'UNREACHABLE']));
const abc = [cut(10, 'A'), cut(100, 'B', 'internet,screenOff'), cut(290, 'C', 'network')];
const ABC = off('A', 'B', 'C');

it('is told of phones that lost it at once, and how many had it', () => {
  expect(found(abc, ABC)).toMatchObject([
    {
      ...{ subject: { kind: 'network' }, severity: 'major', certainty: 'likely' },
      title: 'All 3 phones that had internet lost it at once',
      ...{ udids: ['A', 'B', 'C'], evidence: [1, 2, 3] },
    },
  ]);
  expect(found(abc, { ...ABC, D: 'REACHABLE', ...off('E', 'F', 'G') })).toMatchObject([
    { title: '3 of 4 phones that had internet lost it at once' },
  ]);
});

it('is not told while it may pass, nor of few, nor of what one phone after the other lost', () => {
  expect(found(abc, ABC, 15)).toEqual([]);
  expect(found(abc.slice(1), off('B', 'C'))).toEqual([]);
  expect(found(abc, { ...ABC, D: 'REACHABLE', E: 'REACHABLE', F: 'REACHABLE' })).toEqual([]);
  expect(found([...abc.slice(0, 2), cut(11 * MINUTES, 'C')], ABC)).toEqual([]);
  expect(found([], ABC)).toEqual([]);
});

it('ends when they have it again, by what they say now or by what was recorded', () => {
  expect(found(abc, { ...ABC, B: 'REACHABLE' })).toEqual([]);
  const again = [cut(600, 'C', 'screenOff'), cut(1200, 'C')];
  expect(found([...abc, ...again], ABC)).toEqual([]);
});

it('goes on where other things hinder a phone too, and after a start of the agent', () => {
  const started: Told = [700, { kind: 'agentStarted', version: '1' }];
  expect(found([...abc, cut(600, 'C', 'internet,dialog'), started], ABC)).toHaveLength(1);
  expect(found([...abc, started, cut(800, 'A', 'dialog')], ABC)).toHaveLength(1);
  // the start did not see that C had it again
  expect(found([...abc, started, cut(1200, 'C')], ABC)).toEqual([]);
});

it('is minor of a single phone, after an hour, with or without the others; none where the phone says what it asks for', () => {
  const one = (told: readonly Told[], networks: Record<string, string>, minute: number) =>
    found(told, networks, minute).filter(({ subject }) => subject.kind === 'phone');
  expect(one([cut(10, 'A')], off('A'), 60)).toEqual([]);
  expect(one([cut(10, 'A')], off('A'), 61)).toMatchObject([
    { severity: 'minor', udids: ['A'], title: 'Pixel A has had no internet for 1 h', evidence: [1] },
  ]);
  expect(one(abc, ABC, 90)).toEqual([]);
  expect(one([...abc, cut(1200, 'D')], { ...ABC, ...off('D') }, 90)).toMatchObject([{ udids: ['D'] }]);
  const asks = contextOf(
    90 * MINUTES,
    [cut(10, 'A', 'network')],
    [{ ...(shelf[0] as (typeof shelf)[0]), network: 'UNREACHABLE', remedy: 'Sign in' }],
  );
  expect(evaluate([internetLost], asks)).toEqual([]);
});

it('is no habit: what comes at one time of day, by a plan, and lasts no longer than before', () => {
  const [day, first] = [24 * 60, 120];
  const nightly = [0, 1, 2].flatMap((night) =>
    ['A', 'B', 'C'].flatMap((udid, index) => {
      const begin = (night * day + first + index * 2) * MINUTES;
      return [cut(begin, udid), ...(night < 2 ? [cut(begin + 90 * MINUTES, udid, '')] : [])];
    }),
  );
  const third = 2 * day + first;
  expect(found(nightly, ABC, third + 95)).toEqual([]);
  expect(found(nightly, ABC, third + 110)).toMatchObject([{ severity: 'major', since: expect.any(Number) }]);
  const once = nightly.filter(([second]) => second > day * MINUTES);
  expect(found(once, ABC, third + 80)).toMatchObject([{ severity: 'major' }]);
});

it('ends after a week: whoever lives without it does not need it', () => {
  const week = 7 * 24 * 60;
  expect(found(abc, ABC, week)).toHaveLength(1);
  expect(found(abc, ABC, week + 5)).toEqual([]);
});
