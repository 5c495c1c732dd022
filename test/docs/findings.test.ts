import { describe, expect, it } from 'vitest';
import { judge } from '../../src/diagnosis/evaluate.ts';
import { findingCodes } from '../../src/diagnosis/finding.ts';
import { stories } from '../findings/all-stories.ts';
import { scenesOf } from '../findings/story.ts';
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

  it('names the severities that the findings have', () => {
    const told = new Map(table.map((row) => [codeOf(row), row[1]?.split(/, | or /) ?? []]));
    const found = scenesOf(stories, [1, 2]).flatMap(({ context }) => judge(context));
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(20);
    const wrong = found.filter(({ code, severity }) => !told.get(code)?.includes(severity));
    expect(wrong.map(({ code, severity }) => `${code}: ${severity}`)).toEqual([]);
  });
});
