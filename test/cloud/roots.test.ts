import { expect, it } from 'vitest';
import { rootsOf } from '../../src/cloud/roots.ts';

it.each([
  ['https://cloud.example/v1', 'https://cloud.example/v2'],
  ['https://cloud.example/api/v1//', 'https://cloud.example/api/v2'],
  ['https://cloud.example/api', undefined],
  ['https://cloud.example/xv1', undefined],
])('beside %s v2 is at %s', (v1, v2) => {
  expect(rootsOf(v1).v2).toBe(v2);
});
