import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { otherHosts, userHostsFile } from '../../src/config/hosts.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hostnode-hosts-'));
  mkdirSync(join(home, '.config', 'hostnode'), { recursive: true });
});

afterEach(() => rmSync(home, { recursive: true }));

function write(name: string, text: string, mode = 0o600): void {
  writeFileSync(join(home, '.config', 'hostnode', name), text, { mode });
}

const hosts = (wanted?: string, env = {}) => otherHosts(wanted, { HOME: home, ...env });

const problem = async (wanted?: string): Promise<string> => {
  const error = await hosts(wanted).catch((error: unknown) => error);
  if (!(error instanceof ConfigError)) throw new Error('no ConfigError', { cause: error });
  return error.problems.join('\n');
};

describe('other hosts', () => {
  it('are names and addresses, each once, with the page’s port where none is given', async () => {
    const found = await hosts(
      'rack-1, rack-2:9478/,10.0.0.7,[::1],https://rack-3.example,rack-1:9477,http://x:80,',
    );
    expect(found.map(({ name, origin }) => [name, origin])).toEqual([
      ['rack-1:9477', 'http://rack-1:9477'],
      ['rack-2:9478/', 'http://rack-2:9478'],
      ['10.0.0.7', 'http://10.0.0.7:9477'],
      ['[::1]', 'http://[::1]:9477'],
      ['rack-3.example', 'https://rack-3.example'],
      ['x', 'http://x'],
    ]);
  });

  it('are those of the user’s file where none is named, all with one password', async () => {
    expect(await hosts()).toEqual([]);
    write('hosts.yaml', 'hosts:\n  - rack-1\n  - https://r2.example\n');
    const found = await hosts(undefined, { HOSTNODE_HOSTS_PASSWORD: 's3cret' });
    expect(found.map(({ name, password }) => [name, password?.reveal()])).toEqual([
      ['rack-1', 's3cret'],
      ['r2.example', 's3cret'],
    ]);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it.each([
    ['ftp://x', /must be a host name or address/],
    ['rack 1', /must be a host name or address/],
    ['rack-1/path', /must be a host name or address/],
    ['https://x/?a=b', /must be a host name or address/],
    ['http://lab:s3cret@x', /a password does not belong into an address/],
    ['lab:s3cret@x', /a password does not belong into an address/],
    [Array.from({ length: 101 }, (_, index) => `r${index}`).join(), /at most 100 hosts/],
  ])('are not %s', async (wanted, words) => {
    expect(await problem(wanted)).toMatch(words);
    expect(await problem(wanted)).not.toContain('s3cret');
  });

  it('says what is wrong with the file', async () => {
    write('hosts.yaml', 'hosts: [{ url: x, password: s3cret }]\n');
    expect(await problem()).toMatch(/hosts\.yaml:1: must be "hosts:", a list/);
    expect(await problem()).not.toContain('s3cret');
    const file = userHostsFile({ HOME: home });
    chmodSync(file, 0o644);
    expect(await problem()).toMatch(/other users can read it/);
  });
});
