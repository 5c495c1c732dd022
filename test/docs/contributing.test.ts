import { expect, it } from 'vitest';
import { codeSpans, readText, rows, section } from './pages.ts';

it('docs/contributing.md gives a reason for every development dependency, and names no other', () => {
  const table = rows(section('docs/contributing.md', '## Development dependencies'));
  const { devDependencies } = JSON.parse(readText('package.json'));
  expect(table.flatMap(([names = '']) => codeSpans(names)).toSorted()).toEqual(
    Object.keys(devDependencies).toSorted(),
  );
  expect(table.filter(([, reason]) => !reason)).toEqual([]);
});
