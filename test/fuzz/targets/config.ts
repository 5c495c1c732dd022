/** What a person may write into the configuration: the file, and the environment. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { ConfigError } from '../../../src/base/errors.ts';
import { configKeys } from '../../../src/config/keys.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { anyText } from '../../support/any-text.ts';
import { nothingInherited } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { projectFile } from '../samples.ts';
import { type Target, target } from '../target.ts';
import { hostile, spelt, type Text, texts } from '../texts.ts';

const SECRET = 'sEcReT-0123456789';
const MOST_LINES = 100;
const LONGEST_LINE = 2_000;

const sample = projectFile('config/hostnode.yaml');
const examples = [
  sample,
  sample.replace(/^# ?(?=[a-z ]+:)/gm, ''),
  `cloud: { baseUrl: https://cloud.example.com/v1, username: lab@example.com, apiKey: ${SECRET} }\n`,
  'report: { schedule: "30 2 * * *" }\nadb: { host: 127.0.0.1, port: 5037 }\n',
  'slots:\n  - { name: "rack 2, shelf 3, bay 4", paths: [1-4.2, "192.168.1.7:5555"] }\n',
  'devices:\n  - match: { model: "Pixel*" }\n    ignore: true\n    support: { appiumDisabled: true }\n',
  'status:\n  listen:\n    - { address: 0.0.0.0, port: 0, parts: [health] }\n',
  '&a [*a, *a]\n',
  `${'['.repeat(3000)}\n`,
  `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join()}]\n`).join('')}`,
];

const value = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      ...hostile,
      SECRET,
      '30 2 * * *',
      '*/5 * * * *',
      '0 0 31 2 *',
      '127.0.0.1',
      'true',
      '5037',
      '[]',
      '[1]',
    ),
    weight: 4,
  },
  {
    arbitrary: fc.constantFrom(
      'https://cloud.example.com/v1',
      `https://lab:${SECRET}@cloud.example.com`,
      'http://[::1]:8080',
      '/dev/null',
    ),
    weight: 2,
  },
  anyText({ maxLength: 40 }),
  fc.json({ maxDepth: 3 }),
);
const paths = fc.constantFrom(...configKeys.map(({ path }) => path));
const tree = fc
  .array(fc.tuple(paths, fc.oneof(value, fc.jsonValue({ maxDepth: 3 }))), { maxLength: 6 })
  .map((pairs) => {
    const nested = ([first = '', ...rest]: readonly string[], each: unknown): object => ({
      [first]: rest.length === 0 ? each : nested(rest, each),
    });
    const made: Record<string, unknown> = {};
    for (const [path, each] of pairs)
      for (const [key, part] of Object.entries(nested(path, each)))
        made[key] = isPlain(made[key]) && isPlain(part) ? { ...made[key], ...part } : part;
    return stringify(made);
  });
const isPlain = (each: unknown): each is object => typeof each === 'object' && each !== null;

const variables = fc.dictionary(
  fc.oneof(
    { arbitrary: fc.constantFrom(...configKeys.map(({ variable }) => variable)), weight: 8 },
    fc.constantFrom(
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'NO_PROXY',
      'ANDROID_ADB_SERVER_PORT',
      'ADB_SERVER_SOCKET',
      'ANDROID_ADB_SERVER_ADDRESS',
    ),
    fc.constantFrom(
      'HOSTNODE_ADB_PROT',
      'HOSTNODE_',
      'STATE_DIRECTORY',
      'NODE_DEBUG',
      'CREDENTIALS_DIRECTORY',
      'INVOCATION_ID',
    ),
  ),
  value.map((text) => text.replaceAll('\0', '')),
  { maxKeys: 5 },
);

/** Each line of a refusal names what it is about: the file, a key or a variable. */
const names = new RegExp(
  `hostnode\\.yaml|HOSTNODE_|PROXY|NODE_DEBUG|ADB_|ANDROID_|(?:^| )(?:${[...new Set(configKeys.map(({ path }) => path[0]))].join('|')})\\b`,
  'i',
);

let folder: string;

const configuration = target<{ file: Text; env: Record<string, string> }>({
  name: 'config',
  inputs: fc.record({
    file: fc.oneof(
      texts({ samples: examples, vocabulary: vocabularyOf('config/schema.ts', 'config/load.ts') }),
      tree,
    ),
    env: variables,
  }),
  async open() {
    folder = await mkdtemp(join(tmpdir(), 'hostnode-fuzz-'));
    return () => rm(folder, { recursive: true, force: true });
  },
  async check({ file: text, env }) {
    const file = join(folder, 'hostnode.yaml');
    await writeFile(file, spelt(text, 4000));
    try {
      const { config, warnings } = await loadConfig({ file, env, credential: '/nonexistent' });
      assert.ok(Object.isFrozen(config));
      lines(warnings);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      assert.ok(error.problems.length > 0);
      lines(error.problems);
      lines(error.warnings);
      for (const problem of error.problems) assert.match(problem, names);
    }
    nothingInherited();
  },
});

function lines(list: readonly string[]): void {
  assert.ok(list.length <= MOST_LINES, `${list.length} lines`);
  for (const line of list)
    assert.ok(line.length <= LONGEST_LINE, `a line of ${line.length} characters: ${line.slice(0, 300)}`);
}

export const configTargets: readonly Target[] = [configuration];
