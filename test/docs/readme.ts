/** The README cut into what the tests compare. */
import { readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

export const readText = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const readme = readText('README.md');

/** The text under a heading, up to the next heading of any level. */
export function section(heading: string): string {
  const [, text] = readme.split(`\n${heading}\n`);
  if (text === undefined) throw new RangeError(`the README has no heading "${heading}"`);
  return text.split(/^#{1,4} /m, 1)[0] ?? '';
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
