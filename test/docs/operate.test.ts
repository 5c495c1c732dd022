import { expect, it } from 'vitest';
import { exitCode } from '../../src/base/exit-code.ts';
import { rows, section } from './pages.ts';

it('docs/operate.md lists every exit code, and no other', () => {
  const codes = rows(section('docs/operate.md', '## Exit codes')).map(([code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCode));
});
