import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { effectiveSettings } from '../../src/config/effective.ts';
import { loadConfig } from '../../src/config/load.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-drop-ins-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The files of a folder such as /etc/hostnode, by name. */
function files(texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    const file = join(dir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o600);
  }
}

const options = (env: Record<string, string> = {}) => ({
  env: { HOME: '/home/lab', ...env },
  defaultFile: join(dir, 'hostnode.yaml'),
  credential: join(dir, 'credential'),
});
const config = async (env?: Record<string, string>) => (await loadConfig(options(env))).config;

/** Without the folder's own path. */
async function problems(env?: Record<string, string>): Promise<string[]> {
  const error = await loadConfig(options(env)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems.map((line) => line.replaceAll(`${dir}/`, ''));
}

/** Where each key comes from. */
async function places(env?: Record<string, string>) {
  const settings = await effectiveSettings(options(env), await loadConfig(options(env)));
  const plain = JSON.parse(JSON.stringify(settings).replaceAll(`${dir}/`, '')) as typeof settings;
  return Object.fromEntries(plain.map(({ key, from }) => [key, from]));
}

const slot = (name: string, path: string) => `  - name: ${name}\n    paths: [${path}]\n`;

describe('drop-ins', () => {
  it('go over the file in the order of their names, each over the one before, under the environment', async () => {
    files({
      'hostnode.yaml': 'adb:\n  port: 6000\n  host: base\nlog:\n  level: warn\n',
      'conf.d/20-rack.yaml': 'adb:\n  port: 6020\n',
      'conf.d/100-late.yaml': 'adb:\n  port: 6100\n  requestTimeoutSeconds: 9\n', // "1" stands before "2"
    });
    const { adb, log } = await config({ HOSTNODE_LOG_LEVEL: 'debug' });
    expect(adb).toMatchObject({ port: 6020, host: 'base', requestTimeoutSeconds: 9 });
    expect(log.level).toBe('debug');
    expect(await places({ HOSTNODE_LOG_LEVEL: 'debug' })).toMatchObject({
      'adb.port': 'conf.d/20-rack.yaml:2',
      'adb.host': 'hostnode.yaml:3',
      'log.level': 'HOSTNODE_LOG_LEVEL',
    });
  });

  it('join slots and devices; the environment replaces the whole list', async () => {
    files({
      'hostnode.yaml': `slots:\n${slot('bay 1', '1-1')}`,
      'conf.d/a.yaml': `slots:\n${slot('bay 2', '1-2')}${slot('bay 3', '1-3')}`,
      'conf.d/b.yaml': 'devices:\n  - match: { model: Pixel* }\n    ignore: true\n',
      'conf.d/c.yaml': `slots:\n${slot('bay 4', '1-4')}devices:\n  - match: { slot: bay* }\n    isHidden: true\n`,
    });
    const { slots, devices } = await config();
    expect(slots.map(({ name }) => name)).toEqual(['bay 1', 'bay 2', 'bay 3', 'bay 4']);
    expect(devices.map(({ match }) => Object.keys(match)[0])).toEqual(['model', 'slot']);
    expect(await places()).toMatchObject({
      slots: 'hostnode.yaml:1 + conf.d/a.yaml:1 + conf.d/c.yaml:1',
      devices: 'conf.d/b.yaml:1 + conf.d/c.yaml:4',
    });
    const env = { HOSTNODE_SLOTS: '[]' };
    expect((await config(env)).slots).toEqual([]);
    expect((await places(env)).slots).toBe('HOSTNODE_SLOTS');
  });

  it('name the file and line of what is wrong, also in a value that another file replaces', async () => {
    files({
      'hostnode.yaml': 'adb:\n  port: many\n',
      'conf.d/a.yaml': 'adb:\n  port: 6000\nlog:\n  levle: info\n',
      'conf.d/b.yaml': 'log: {',
    });
    expect(await problems()).toEqual([
      expect.stringMatching(/^conf\.d\/b\.yaml:1:6: not valid YAML/),
      expect.stringMatching(/^adb\.port = "many" \(hostnode\.yaml:2\): must be a whole number/),
      expect.stringMatching(/^log\.levle \(conf\.d\/a\.yaml:4\): unknown key; did you mean log\.level/),
    ]);
  });

  it('name the file and line where two of them name one slot', async () => {
    files({
      'hostnode.yaml': `slots:\n${slot('bay 1', '1-1')}${slot('bay 2', '1-2')}`,
      'conf.d/a.yaml': `# a comment\nslots:\n${slot('bay 3', '1-3')}${slot('bay 4', '1-2')}`,
    });
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^slots\.4\.paths\.1 = "1-2" \(conf\.d\/a\.yaml:6\): must be .* each in one slot only$/,
      ),
    ]);
  });

  it('name the file and line of an expected phone without a slot, in whichever file it stands', async () => {
    files({
      'hostnode.yaml': `slots:\n${slot('bay 1', '1-1')}inventory:\n  expected:\n    - { serial: A1, slot: bay 1 }\n`,
      'conf.d/a.yaml': 'inventory:\n  expected:\n    - serial: A2\n      slot: bay 9\n',
    });
    const { warnings } = await loadConfig(options());
    expect(warnings).toEqual([expect.stringContaining(`(${dir}/conf.d/a.yaml:4): no slot has this name`)]);
  });

  it('replace a key file by a key, and the other way round', async () => {
    const cloud = 'cloud:\n  baseUrl: https://cloud.example.com/v1\n  username: lab\n';
    files({
      'hostnode.yaml': `${cloud}  apiKeyFile: /nowhere\n`,
      'conf.d/key.yaml': 'cloud:\n  apiKey: k3y\n',
    });
    expect((await config()).cloud).toMatchObject({ username: 'lab' });
    expect((await places())['cloud.apiKey']).toEqual('conf.d/key.yaml:2');
  });

  it('are read without a main file, not for a file of another name, and not when hidden', async () => {
    files({
      'conf.d/a.yaml': 'adb:\n  port: 6000\n',
      'conf.d/.b.yaml.swp': 'adb:\n  port: 6001\n',
      'conf.d/.c.yaml': 'adb:\n  port: 6002\n',
      'second.yaml': 'log:\n  level: warn\n',
    });
    const { config: own, source } = await loadConfig(options());
    expect(own.adb.port).toBe(6000);
    expect(source).toEqual({ dropIns: [join(dir, 'conf.d/a.yaml')] });
    const second = await loadConfig({ ...options(), file: join(dir, 'second.yaml') });
    expect(second.config.adb.port).toBe(5037);
  });

  it('say what looks meant and is not read', async () => {
    files({ 'hostnode.yaml': '', 'conf.d/a.yml': 'adb:\n  port: 6000\n', 'conf.d/README': 'none' });
    const { warnings } = await loadConfig(options());
    expect(warnings).toEqual([`${dir}/conf.d/a.yml: ignored, because only *.yaml is read; rename it`]);
  });

  it('are a problem where one cannot be read', async () => {
    files({ 'hostnode.yaml': '' });
    mkdirSync(join(dir, 'conf.d/folder.yaml'), { recursive: true });
    expect(await problems()).toEqual([expect.stringMatching(/^conf\.d\/folder\.yaml: cannot be read \(/)]);
  });

  it('with the API key in them are for their owner only', async () => {
    files({
      'hostnode.yaml': '',
      'conf.d/key.yaml': 'cloud:\n  apiKey: k3y\n  baseUrl: https://c.example/v1\n  username: u\n',
    });
    chmodSync(join(dir, 'conf.d/key.yaml'), 0o644);
    const { warnings } = await loadConfig(options());
    expect(warnings).toEqual([
      expect.stringMatching(/conf\.d\/key\.yaml: holds the API key and anybody may read it/),
    ]);
  });
});
