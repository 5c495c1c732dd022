import { expect, it } from 'vitest';
import { duration } from '../../src/base/duration.ts';

it('a duration has one unit, and is never longer than it was', () => {
  const said = [999, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(duration);
  expect(said).toEqual(['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 days']);
});
