import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { effectiveSettings } from '../../src/config/effective.ts';
import { loadConfig } from '../../src/config/load.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostnode-config-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const token = 'T0000-B0000-xyzxyzxyz';
const url = `https://hooks.example.com/services/${token}?sig=${token}`;

function write(name: string, text: string, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode });
  return file;
}

const optionsOf = (entries: unknown, env = {}) => ({
  env: { HOME: folder, HOSTNODE_NOTIFY: JSON.stringify(entries), ...env },
  defaultFile: '',
});

const load = async (...entries: object[]) => (await loadConfig(optionsOf(entries))).config.notify;

async function problems(entries: unknown, env = {}): Promise<string[]> {
  const error = await loadConfig(optionsOf(entries, env)).catch((error: unknown) => error);
  if (!(error instanceof ConfigError)) throw new Error('no ConfigError', { cause: error });
  return error.problems.map((line) => line.replaceAll(`${folder}/`, ''));
}

describe('notify', () => {
  it('is nowhere by default', async () => {
    expect((await loadConfig({ env: { HOME: folder }, defaultFile: '' })).config.notify).toEqual([]);
  });

  it('takes an address as it is, from the configuration or a file, and headers from a file', async () => {
    const urlFile = write('url', `${url}\n`);
    const headersFile = write('headers', `Authorization: Bearer ${token}\n`);
    const [one, other] = await load({ url }, { urlFile, headersFile, format: 'teams', severity: 'critical' });
    expect(one).toMatchObject({ key: 'notify.1', format: 'json', severity: 'major', codes: [], headers: {} });
    expect(other).toMatchObject({ key: 'notify.2', format: 'teams', severity: 'critical' });
    expect([one?.url.reveal(), other?.url.reveal(), one?.shown]).toEqual([
      ...[url, url, 'https://hooks.example.com/…'],
    ]);
    expect(other?.headers.authorization?.reveal()).toBe(`Bearer ${token}`);
    expect(JSON.stringify([one, other])).not.toContain(token);
  });

  it('is shown without its addresses', async () => {
    const options = optionsOf([{ url, codes: ['HUB_LOST'] }]);
    const shown = await effectiveSettings(options, await loadConfig(options));
    expect(shown.find(({ key }) => key === 'notify')).toMatchObject({
      value: [{ url: '***', codes: ['HUB_LOST'] }],
      from: 'HOSTNODE_NOTIFY',
    });
    expect(JSON.stringify(shown)).not.toContain(token);
  });

  it.each<[string, unknown, RegExp]>([
    ['none', [{ format: 'slack' }], /^notify\.1 \(.*\): must have either url or urlFile$/],
    ['two addresses', [{ url, urlFile: '/x' }], /^notify\.1 .*: must have either url or urlFile$/],
    ['no address', [{ url: token }], /^notify\.1\.url .*: must be an https:\/\/ address$/],
    ['plain HTTP', [{ url: `http://x.example/${token}` }], /or notify\.1\.allowInsecure true: the messages/],
    ['a fragment', [{ url: `${url}#x` }], /without fragment/],
    ['a password', [{ url: `https://a:${token}@x.example/` }], /without user and password/],
    ['a number', [{ url: 7 }], /^notify\.1\.url = \*\*\* /],
    ['no list', { url }, /^notify \(HOSTNODE_NOTIFY\): must be a list/],
    ['a text', url, /^notify \(HOSTNODE_NOTIFY\): must be a list/],
    ['a text in the list', [url], /^notify\.1 \(HOSTNODE_NOTIFY\): must be an entry/],
    ['another key', [{ uri: url }], /^notify\.1\.uri .*: unknown key; did you mean notify\.1\.url\?$/],
    ['another code', [{ url, codes: ['HUB'] }], /^notify\.1\.codes\.1 = "HUB" .*: must be one of/],
    ['no file', [{ urlFile: '/nowhere/url' }], /^notify\.1\.urlFile: \/nowhere\/url: no such file$/],
    ['the address as a file', [{ urlFile: url }], /^notify\.1\.urlFile: no such file; give a path$/],
  ])('refuses %s, and shows no address', async (_, entries, words) => {
    const found = await problems(entries);
    expect(found[0]).toMatch(words);
    expect(found.join()).not.toContain(token);
  });

  it('refuses files that others can read, and warns of an address of a chat that they can', async () => {
    expect(await problems([{ urlFile: write('url', url, 0o644) }])).toEqual([
      expect.stringMatching(/^notify\.1\.urlFile: url: other users can read it/),
    ]);
    expect(await problems([{ url, headersFile: write('headers', `${token}\n`) }])).toEqual([
      'notify.1.headersFile: headers: line 1 must be "Name: value" in ASCII',
    ]);
    const empty = write('empty.yaml', 'notify:\n  - null\n');
    await expect(loadConfig({ env: { HOME: folder }, file: empty })).rejects.toThrow('notify.1 (');
    const file = write('lab.yaml', `notify: [{ url: "${url}", format: slack }]\n`);
    chmodSync(file, 0o644);
    const { warnings } = await loadConfig({ env: { HOME: folder }, file });
    expect(warnings).toEqual([expect.stringMatching(/holds the address of a chat, which is a secret/)]);
  });
});
