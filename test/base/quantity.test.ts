import { expect, it } from 'vitest';
import { quantity } from '../../src/base/quantity.ts';

it('quantity has one slot, and any other number of slots', () => {
  expect([0, 1, 2].map((count) => quantity(count, 'slot'))).toEqual(['0 slots', '1 slot', '2 slots']);
});
