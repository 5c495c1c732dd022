import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import { codeSpans, rows, section } from './pages.ts';

describe('docs/findings.md', () => {
  const table = rows(section('docs/findings.md', '## All codes'));
  const codeOf = ([cell = '']: string[]) => codeSpans(cell)[0];

  it('explains each code, with what to do and when it ends', () => {
    expect(table.map(codeOf)).toEqual([...findingCodes]);
    for (const row of table)
      expect(
        row.map((cell) => cell === ''),
        row[0],
      ).toEqual(Array(5).fill(false));
  });
});
