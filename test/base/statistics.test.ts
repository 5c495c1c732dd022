import { expect, it } from 'vitest';
import { median, slope } from '../../src/base/statistics.ts';

it.each([
  [[], undefined],
  [[3], 3],
  [[9, 1, 4], 4],
  [[1, 2, 3, 10], 2.5],
])('the median of %j is %j', (numbers, middle) => {
  expect(median(numbers)).toBe(middle);
});

it('a slope bears some wrong points', () => {
  const points = [0, 1, 2, 3, 4, 5, 6].map((x) => ({ x, y: 10 + 2 * x }));
  expect(slope(points)).toBe(2);
  expect(slope(points.with(2, { x: 2, y: 500 }).with(5, { x: 5, y: -300 }))).toBeCloseTo(2, 0);
});

it('one point, or points of one moment, have none', () => {
  expect(slope([{ x: 1, y: 1 }])).toBeUndefined();
  expect(
    slope([
      { x: 1, y: 1 },
      { x: 1, y: 9 },
    ]),
  ).toBeUndefined();
});
