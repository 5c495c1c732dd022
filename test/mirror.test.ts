import { existsSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url);

/** Tests that mirror no file: each is named for a behaviour that several files of the folder make together. */
const BEHAVIOURS: Record<string, readonly string[]> = {
  agent: [
    'any-mixture',
    'collecting',
    'daylight-saving',
    'first-report',
    'following',
    'half-way',
    'many-hosts',
    'mixtures',
    'one-speaker',
    'refused',
    'reports',
    'roster',
    'slots',
    'stop',
    'two-hosts',
  ],
  cli: ['remedies'],
  cloud: ['answers', 'failed-devices', 'plugged-in', 'tls'],
  config: ['drop-ins', 'files'],
  demo: ['demo', 'phones'],
  facts: ['bounds', 'limits', 'telephony-shell'],
  host: ['node-id', 'owner', 'usb-buses', 'versions'],
  report: ['any-facts'],
  roster: ['bound', 'same-list'],
  sandbox: ['operations', 'rules', 'upload'],
  status: ['planned'],
  'status/metrics': ['dashboard', 'fleet', 'receiver', 'rules', 'scrape'],
  'status/metrics/otlp': ['conversion', 'ended-series', 'ways'],
};

it('a test beside no source file stands here as named for a behaviour', () => {
  const named = Object.entries(BEHAVIOURS).flatMap(([folder, names]) =>
    names.map((name) => `test/${folder}/${name}.test.ts`),
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
