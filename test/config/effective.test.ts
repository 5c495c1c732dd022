import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EffectiveSetting, effectiveSettings } from '../../src/config/effective.ts';
import { configKeys } from '../../src/config/keys.ts';
import { loadConfig } from '../../src/config/load.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-effective-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
}

const cloud = 'cloud:\n  baseUrl: https://cloud.example.com/v1\n  username: lab@example.com\n';

/** The settings of a file and an environment, by key; places without the test's directory. */
async function effective(
  env: Record<string, string>,
  yaml: string,
): Promise<Record<string, Omit<EffectiveSetting, 'key'>>> {
  const options = { env, file: write('h.yaml', yaml), credential: join(dir, 'credential') };
  const settings = await effectiveSettings(options, await loadConfig(options));
  const text = JSON.stringify(settings).replaceAll(`${dir}/`, '');
  return Object.fromEntries((JSON.parse(text) as EffectiveSetting[]).map(({ key, ...rest }) => [key, rest]));
}

describe('effectiveSettings', () => {
  it('has every key of the schema, with its default', async () => {
    const found = await effective({ HOME: '/home/lab' }, '');
    expect(Object.keys(found)).toEqual(configKeys.map(({ name }) => name));
    expect(found['adb.port']).toEqual({ value: 5037, from: 'default' });
    expect(found.nodeId).toEqual({ from: 'not set' });
    expect(found['cloud.apiKey']).toEqual({ from: 'not set' });
  });

  it('names the line, and the variable', async () => {
    const env = {
      HOSTNODE_ADB_PORT: '7000',
      ANDROID_ADB_SERVER_ADDRESS: 'lab-adb',
      STATE_DIRECTORY: '/state',
    };
    const found = await effective(env, 'adb:\n  port: 6000\nslots: []\n');
    expect(found['adb.port']).toEqual({ value: 7000, from: 'HOSTNODE_ADB_PORT' });
    expect(found['adb.host']).toEqual({ value: 'lab-adb', from: 'ANDROID_ADB_SERVER_ADDRESS' });
    expect(found.slots).toEqual({ value: [], from: 'h.yaml:3' });
    expect(found['state.dir']).toEqual({ value: '/state', from: 'STATE_DIRECTORY' });
  });

  it('masks the key, wherever it comes from', async () => {
    const inFile = await effective({}, `${cloud}  apiKey: k3y\n`);
    expect(inFile['cloud.apiKey']).toEqual({ value: '***', from: 'h.yaml:4' });
    expect(inFile['cloud.username']).toEqual({ value: 'lab@example.com', from: 'h.yaml:3' });

    const file = write('key', 'k3y\n');
    const ofFile = await effective({}, `${cloud}  apiKeyFile: ${file}\n`);
    expect(ofFile['cloud.apiKey']).toEqual({ value: '***', from: 'cloud.apiKeyFile' });
    expect(ofFile['cloud.apiKeyFile']).toEqual({ value: 'key', from: 'h.yaml:4' });

    const both = await effective({ HOSTNODE_CLOUD_API_KEY: 'k3y' }, `${cloud}  apiKeyFile: ${file}\n`);
    expect(both['cloud.apiKey']).toEqual({ value: '***', from: 'HOSTNODE_CLOUD_API_KEY' });
    expect(both['cloud.apiKeyFile']).toEqual({ from: 'not set' });

    write('credential', 'k3y\n');
    const credential = await effective({}, cloud);
    expect(credential['cloud.apiKey']).toEqual({ value: '***', from: 'credential credential' });
    expect(JSON.stringify([inFile, ofFile, both, credential])).not.toContain('k3y');
  });
});
