import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prose, readText, root } from './pages.ts';

const MARK = /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g;

interface Shown {
  mark: string;
  file: string;
  title: string;
}

interface Section {
  heading: string;
  text: string;
  shownBy: Shown[];
}

/** What shows the claims of a page, by the headings of its sections. */
function claimsOf(page: string): Map<string, Shown[]> {
  const [, ofPage = ''] = readText('test/claims.md').split(`\n## ${page}\n`);
  const [own = ''] = ofPage.split(/^## /m);
  const parts = own.split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...lines] = part.trim().split('\n');
      const table = lines.filter((line) => line.startsWith('| ')).slice(1);
      const shown = table.map((line) => {
        const [, mark = '', file = '', title = ''] = /^\| (\S+) \| `([^`]+)`: (.+) \|$/.exec(line) ?? [];
        expect(mark, line).not.toBe('');
        return { mark, file, title };
      });
      return [heading, shown];
    }),
  );
}

/** The sections of a page, by headings of any level. */
function sectionsOf(page: string): Section[] {
  const claims = claimsOf(page);
  const sections = prose(readText(page))
    .join('\n')
    .split(/^(?=#{2,3} )/m)
    .map((text) => {
      const heading = text.split('\n', 1)[0] ?? '';
      return { heading, text, shownBy: claims.get(heading.replace(/^#+ /, '')) ?? [] };
    });
  const headings = sections.map(({ heading }) => heading.replace(/^#+ /, ''));
  expect([...claims.keys()].filter((heading) => !headings.includes(heading))).toEqual([]);
  return sections;
}

const holds = ({ file, title }: { file: string; title: string }): boolean =>
  existsSync(new URL(file, root)) &&
  readFileSync(new URL(file, root), 'utf8').replaceAll("\\'", "'").includes(title);

/** The sentences of the paragraphs that promise something: not who attacks, in italics, nor what is excepted. */
const promises = ({ text }: Section): string[] =>
  text
    .split('\n\n')
    .filter((paragraph) => !/^(?:#|\*|\||The exception: )/.test(paragraph.trim()) && paragraph.trim() !== '')
    .flatMap((paragraph) => paragraph.replaceAll('\n', ' ').split(/(?<=[.!?][⁰¹²³⁴⁵⁶⁷⁸⁹]*) (?=[A-Z`])/))
    .map((sentence) => sentence.trim());

describe.each(['docs/security.md', 'docs/faults.md'])('%s', (page) => {
  const sections = sectionsOf(page);

  it('names tests that are there, by their titles', () => {
    const rows = sections.flatMap(({ shownBy }) => shownBy);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => !holds(row))).toEqual([]);
    const [first = { mark: '', file: '', title: '' }] = rows;
    expect(holds({ ...first, title: `${first.title} or not` })).toBe(false);
  });

  it('has a row for each number behind a claim, and a claim for each row', () => {
    for (const { heading, text, shownBy } of sections)
      expect(new Set(text.match(MARK)), heading).toEqual(new Set(shownBy.map(({ mark }) => mark)));
  });
});

describe('docs/security.md', () => {
  const sections = sectionsOf('docs/security.md');

  it('promises nothing of an attacker that no test shows', () => {
    const ofAttackers = sections.filter(({ heading }) => heading.startsWith('### '));
    expect(ofAttackers.length).toBeGreaterThan(7);
    const bare = ofAttackers.flatMap(promises).filter((sentence) => !/[⁰¹²³⁴⁵⁶⁷⁸⁹]$/.test(sentence));
    expect(bare).toEqual([]);
  });

  it('says of each that may not do something what shows it', () => {
    const [who] = sections.filter(({ heading }) => heading === '## Who may do what');
    const rows = who?.text.split('\n').filter((line) => /^\| [a-z]/.test(line)) ?? [];
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.slice(1).filter((row) => !/[⁰¹²³⁴⁵⁶⁷⁸⁹] \|$|– \|$/.test(row))).toEqual([]);
  });
});
