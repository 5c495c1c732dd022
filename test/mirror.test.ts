import { existsSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeSpans, section } from './docs/pages.ts';

const root = new URL('..', import.meta.url);

it('a test beside no source file stands in docs/contributing.md as named for a behaviour', () => {
  const rows = section('docs/contributing.md', '## Tests').matchAll(/^\| `(test\/\S+)` \| (`.*`) \|$/gm);
  const named = [...rows].flatMap(([, folder = '', names = '']) =>
    codeSpans(names).map((name) => `${folder}${name}.test.ts`),
  );
  const inFoldersOfSrc = globSync('test/*/**/*.test.ts', { cwd: root }).filter((file) => {
    const folder = file.replace(/^test\//, 'src/').replace(/[^/]+$/, '');
    return existsSync(new URL(folder, root));
  });
  const withoutSource = inFoldersOfSrc.filter((file) => {
    const source = file.replace(/^test\//, 'src/').replace(/\.test\.ts$/, '.ts');
    return !existsSync(new URL(source, root));
  });
  expect(named.toSorted()).toEqual(withoutSource.toSorted());
});
