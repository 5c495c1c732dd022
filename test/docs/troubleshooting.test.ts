import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeSpans, readText, root, rows, section } from './pages.ts';

it('docs/troubleshooting.md quotes what hostnode really says', () => {
  const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readText(`src/${name}`))
    .join('\n');
  const table = rows(section('docs/troubleshooting.md', '## What the messages mean'));
  const quoted = table.flatMap(([symptom = '']) => codeSpans(symptom));
  expect(quoted.length).toBeGreaterThan(20);
  expect(quoted.filter((text) => !text.startsWith('@') && !sources.includes(text))).toEqual([]);
});
