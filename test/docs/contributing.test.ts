import { expect, it } from 'vitest';
import { codeSpans, readText, rows, section } from './pages.ts';
import { followWay } from './ways.ts';

it('docs/contributing.md gives a reason for every development dependency, and names no other', () => {
  const table = rows(section('docs/contributing.md', '## Development dependencies'));
  const { devDependencies } = JSON.parse(readText('package.json'));
  expect(table.flatMap(([names = '']) => codeSpans(names)).toSorted()).toEqual(
    Object.keys(devDependencies).toSorted(),
  );
  expect(table.filter(([, reason]) => !reason)).toEqual([]);
});

const PAGE = 'docs/contributing.md';
followWay(PAGE, '### The way of a finding', 5, ['src/facts/wear.ts', 'src/diagnosis/rules/index.ts']);
followWay(PAGE, '### A setting of a rule', 4, ['src/config/schema.ts', 'src/diagnosis/evaluate.ts']);
followWay(PAGE, '### A fact that is shown and not sent', 3, [
  'src/facts/battery.ts',
  'src/status/page/columns.tsx',
]);
