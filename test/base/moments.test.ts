import { expect, it } from 'vitest';
import { areDense, byTime, runsOf, spaced } from '../../src/base/moments.ts';

const moments = (...times: number[]) => times.map((at) => ({ at }));

it('those that follow each other soon are a run', () => {
  expect(runsOf(moments(1, 2, 5, 6, 7), 1)).toEqual([moments(1, 2), moments(5, 6, 7)]);
  expect(runsOf([], 1)).toEqual([]);
});

it('of those that follow each other soon one is left, counted from it', () => {
  expect(spaced(moments(1, 2, 3, 4, 9), 2)).toEqual(moments(1, 3, 9));
});

it('so many within a time are dense', () => {
  expect(areDense(moments(1, 5, 6, 7), { least: 3, withinMs: 2 })).toBe(true);
  expect(areDense(moments(1, 5, 6, 8), { least: 3, withinMs: 2 })).toBe(false);
  expect(moments(3, 1).sort(byTime)).toEqual(moments(1, 3));
});
