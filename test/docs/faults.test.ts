import { expect, it } from 'vitest';
import { faults } from '../faults/faults.ts';
import { rows, section } from './pages.ts';

it('docs/faults.md promises no more faults than the table has', () => {
  const promised = rows(section('docs/faults.md', '## The table of faults')).map(([, count = '']) =>
    Number.parseInt(count, 10),
  );
  const actual = [faults.adb, faults.cloud, faults.host].map(({ length }) => length);
  expect(promised).toHaveLength(actual.length);
  for (const [index, count] of actual.entries()) {
    expect(promised[index]).toBeGreaterThan(count * 0.8);
    expect(promised[index]).toBeLessThanOrEqual(count);
  }
});
