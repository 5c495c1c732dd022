import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import { stories } from '../findings/all-stories.ts';
import { scenesOf } from '../findings/story.ts';
import { findingsIn } from '../support/findings-in.ts';
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
    const found = scenesOf(stories, [1, 2]).flatMap(({ context }) => findingsIn(context));
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(20);
    const wrong = found.filter(({ code, severity }) => !told.get(code)?.includes(severity));
    expect(wrong.map(({ code, severity }) => `${code}: ${severity}`)).toEqual([]);
  });
});
