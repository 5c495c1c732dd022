import { expect, it } from 'vitest';
import { counted } from '../../src/base/counted.ts';

it('counted has one slot, and any other number of slots', () => {
  expect([0, 1, 2].map((count) => counted(count, 'slot'))).toEqual(['0 slots', '1 slot', '2 slots']);
});
