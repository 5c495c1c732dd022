import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  anchorsOf,
  codeBlocks,
  codeSpans,
  documents,
  linksOf,
  pages,
  prose,
  readText,
  root,
} from './pages.ts';

const isOutside = (target: string) => /^[a-z]+:/.test(target);
/** Where a link of a page leads: a path of the project. */
const pathOf = (target: string, page: string): string => {
  const { pathname } = new URL(target, new URL(page, root));
  return pathname.slice(root.pathname.length);
};

describe.each(pages)('%s', (page) => {
  const inside = linksOf(page).filter((target) => !isOutside(target));

  it('links to what is there', () => {
    expect(inside.filter((target) => !existsSync(new URL(pathOf(target, page), root)))).toEqual([]);
  });

  it('links to headings that are there', () => {
    const anchored = inside.filter((target) => target.includes('#'));
    const isThere = (target: string) => anchorsOf(pathOf(target, page)).includes(target.split('#')[1] ?? '');
    expect(anchored.filter((target) => !isThere(target))).toEqual([]);
  });

  it('names files of the project that are there', () => {
    const named = codeSpans(prose(readText(page)).join('\n')).filter((span) =>
      /^(?:src|test|docs|config|systemd|packaging|deploy)\/[\w./-]*$/.test(span),
    );
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('names no place of one machine', () => {
    expect(readText(page).match(/\/(?:home|root|work)\b/g)).toBeNull();
  });
});

describe.each(documents)('%s', (page) => {
  it('leads only to what the package has too', () => {
    const paths = linksOf(page)
      .filter((target) => !isOutside(target))
      .map((target) => pathOf(target, page));
    expect(paths.filter((path) => !/^(?:README\.md$|docs\/|config\/|systemd\/)/.test(path))).toEqual([]);
  });

  it('closes its code blocks, and has no line of code that is wider than 150 characters', () => {
    const text = readText(page);
    expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
    const code = ['sh', 'text', 'yaml'].flatMap((language) => codeBlocks(text, language));
    expect(code.flatMap((block) => block.split('\n')).filter((line) => line.length > 150)).toEqual([]);
  });
});

describe.each(documents.filter((page) => page !== 'README.md'))('%s', (page) => {
  it('starts with a heading, and a sentence that says for whom it is', () => {
    const [heading, empty, sentence] = readText(page).split('\n');
    expect(heading).toMatch(/^# \p{Lu}/u);
    expect(empty).toBe('');
    expect(sentence).toMatch(/^(?:This page is for|For) \w+/);
  });

  it('can be found from the README', () => {
    expect(linksOf('README.md').map((target) => target.split('#')[0])).toContain(page);
  });
});

describe('the anchors of a page', () => {
  it('are as GitHub makes them', () => {
    expect(anchorsOf('docs/reported.md')).toEqual(
      expect.arrayContaining(['the-phone-deviceinfo', 'what-follows-from-the-clouds-answer']),
    );
    expect(anchorsOf('docs/reported.md')).not.toContain('nowhere');
  });
});
