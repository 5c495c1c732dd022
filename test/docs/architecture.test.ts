import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeSpans, root, rows, section } from './pages.ts';
import { followWay } from './ways.ts';

it('docs/architecture.md names folders that are there, and every folder of src', () => {
  const named = rows(section('docs/architecture.md', '## Folders')).flatMap(([folders = '']) =>
    codeSpans(folders),
  );
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const folders = readdirSync(new URL('src/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}/`);
  expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
});

followWay('docs/architecture.md', '### The way of a battery level', 8, [
  'src/adb/adbkit.ts',
  'src/cloud/agent-client.ts',
]);
followWay('docs/architecture.md', '### The way of a refused device', 3, [
  'src/cloud/delivery.ts',
  'src/agent/reporter.ts',
]);
followWay('docs/architecture.md', '### The way of an event', 10, [
  'src/history/events/watcher.ts',
  'src/status/causes.ts',
]);
followWay('docs/architecture.md', '### The way of a loss', 8, [
  'src/diagnosis/losses/losses.ts',
  'src/diagnosis/losses/blame.ts',
]);
