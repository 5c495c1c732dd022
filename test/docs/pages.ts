/** The documents cut into what the tests compare. */
import { readdirSync, readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

export const readText = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** What a newcomer reads: the README, and everything that it leads to in docs/. */
export const documents = [
  'README.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** All that is written for people. */
export const pages = [
  ...documents,
  'systemd/README.md',
  'config/kubernetes/README.md',
  'deploy/ansible/roles/hostnode/README.md',
  'CHANGELOG.md',
];

/** The lines of a page, without those of its code blocks. */
export function prose(text: string): string[] {
  let isCode = false;
  return text.split('\n').filter((line) => {
    const isFence = line.startsWith('```');
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
}

/** What stands in the code blocks of a language. */
export const codeBlocks = (text: string, language: string): string[] =>
  text
    .split(`\n\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split('\n```', 1)[0] ?? '');

/** The text under a heading of a page, up to the next heading of any level. */
export function section(page: string, heading: string): string {
  const [, text] = readText(page).split(`\n${heading}\n`);
  if (text === undefined) throw new RangeError(`${page} has no heading "${heading}"`);
  const isHeading = (line: string) => /^#{1,4} /.test(line);
  const [next] = prose(text).filter(isHeading);
  return next === undefined ? text : (text.split(`\n${next}\n`, 1)[0] ?? '');
}

/** The rows of the first table in a text, without its heading: trimmed cells. */
export function rows(text: string): string[][] {
  const [table = ''] = /^\|(?:.*\n)(?:\|.*\n?)*/m.exec(text) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

/** What stands between back quotes. */
export const codeSpans = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** Where the links of a page lead. */
export const linksOf = (page: string): string[] =>
  [
    ...prose(readText(page))
      .join('\n')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target);

/**
 * The anchors of a page's headings.
 *
 * Source: GitHub's: lower case, spaces become hyphens, punctuation goes; a repeated one gets a number.
 */
export function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return prose(readText(page)).flatMap((line) => {
    const [, title] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (title === undefined) return [];
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [count === 0 ? slug : `${slug}-${count}`];
  });
}
