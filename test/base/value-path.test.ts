import { expect, it } from 'vitest';
import { pathText } from '../../src/base/value-path.ts';

it('pathText counts from 1, as people do and as the table of the rules does', () => {
  expect(pathText(['slots', 0, 'paths', 11])).toBe('slots.1.paths.12');
  expect(pathText(['cloud', 'baseUrl'])).toBe('cloud.baseUrl');
  expect(pathText([])).toBe('');
});
