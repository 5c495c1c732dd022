import { expect, it } from 'vitest';
import { naturalOrder } from '../../src/base/natural-order.ts';

it('sorts numbers in names as numbers', () => {
  const sorted = ['1-1.4', '1-2', '1-2.1', '1-2.3', '1-2.3.1', '1-2.10', '2-1', '10-1', 'bay 9', 'bay 10'];
  expect(sorted.toReversed().sort(naturalOrder)).toEqual(sorted);
});
