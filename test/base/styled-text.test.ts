import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Line, painted, textOf } from '../../src/base/styled-text.ts';

const line: Line = [{ text: ' ' }, { text: 'hot\x1b[2J', style: 'red' }];
const plain = ' hot\\u001b[2J';
const red = ' \x1b[31mhot\\u001b[2J\x1b[39m';

const out = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream;

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS']) vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

it('a line has colours on a terminal, none in a pipe, and no escape of its text in either', () => {
  expect([painted(line, out(true)), painted(line, out(false)), painted('x\x07', out(true))]).toEqual([
    red,
    plain,
    'x\\u0007',
  ]);
  expect(textOf(line)).toBe(' hot\x1b[2J');
});

it('FORCE_COLOR colours a pipe too', () => {
  vi.stubEnv('FORCE_COLOR', '1');
  expect(painted(line, out(false))).toBe(red);
});
