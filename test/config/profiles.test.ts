import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ConfigError } from '../../src/base/errors.ts';
import { loadConfig } from '../../src/config/load.ts';
import { readUserProfiles, resolveProfile, userCloudsFile, withProfile } from '../../src/config/profiles.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostnode-profiles-'));
  file = join(folder, 'clouds.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const lab = `clouds:
  lab: # the one in Pune
    baseUrl: https://cloud.example.com/v1/
    username: asha
    apiKey: s3cret-key
`;

const write = (text: string, mode = 0o600) => writeFileSync(file, text, { mode });

const problemsOf = async (work: () => unknown): Promise<readonly string[]> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('userCloudsFile', () => {
  it('is in the configuration directory of the user', () => {
    expect(userCloudsFile({ HOME: '/home/asha' })).toBe('/home/asha/.config/hostnode/clouds.yaml');
    expect(userCloudsFile({ HOME: '/home/asha', XDG_CONFIG_HOME: '/conf' })).toBe(
      '/conf/hostnode/clouds.yaml',
    );
  });
});

describe('readUserProfiles', () => {
  it('has no cloud without a file, and those of the file with their keys hidden', async () => {
    expect(await readUserProfiles(file)).toEqual({});
    write(lab);
    const profiles = await readUserProfiles(file);
    expect(profiles).toMatchObject({ lab: { username: 'asha', from: `${file}:2` } });
    expect(inspect(profiles, { depth: 9 }) + JSON.stringify(profiles)).not.toContain('s3cret');
    expect(resolveProfile('lab', profiles, {})).toMatchObject({
      baseUrl: 'https://cloud.example.com/v1',
      username: 'asha',
      untagMethod: 'DEL',
    });
    expect(resolveProfile('lab', profiles, {}).apiKey.reveal()).toBe('s3cret-key');
  });

  it('demands that nobody else can read it', async () => {
    write(lab);
    chmodSync(file, 0o640);
    expect(await problemsOf(() => readUserProfiles(file))).toEqual([
      `${file}: other users can read it (mode 0640); run: chmod 600 ${file}`,
    ]);
  });

  it('says what is wrong in it, never a value', async () => {
    write(`clouds:
  "my lab": { username: "s3cret:key" }
  lab: { baseURL: https://x, apiKey: 12345 }
`);
    const problems = await problemsOf(() => readUserProfiles(file));
    expect(problems).toEqual([
      `clouds (${file}:2): the name "my lab" must be up to 64 letters, digits and . _ -, starting with a letter or digit`,
      `clouds.lab.apiKey = *** (${file}:3): must be one line of text: put it in quotes`,
      `clouds.lab.baseURL (${file}:3): unknown key; did you mean clouds.lab.baseUrl?`,
    ]);
    write('cloud: { username: asha }\n');
    expect(await problemsOf(() => readUserProfiles(file))).toEqual([
      `cloud (${file}:1): only "clouds:" may be in this file`,
    ]);
    write('clouds: [');
    expect((await problemsOf(() => readUserProfiles(file))).join()).toMatch(/not valid YAML/);
  });
});

describe('resolveProfile', () => {
  const resolved = (text: string, name = 'lab') => {
    write(text);
    return problemsOf(async () =>
      resolveProfile(name, await readUserProfiles(file), { CREDENTIALS_DIRECTORY: folder }),
    );
  };

  it('says what a profile lacks; the key of the service never stands in', async () => {
    writeFileSync(join(folder, 'cloud-api-key'), 'the key of the service', { mode: 0o600 });
    expect(await resolved('clouds:\n  lab: {}\n')).toEqual([
      'clouds.lab.baseUrl: missing; set clouds.lab.baseUrl',
      'clouds.lab.username: missing; set clouds.lab.username',
      'clouds.lab.apiKey: missing; set clouds.lab.apiKey or clouds.lab.apiKeyFile',
    ]);
  });

  it('refuses an address that would show the key', async () => {
    const plain = lab.replace('https:', 'http:');
    expect(await resolved(plain)).toEqual([
      `clouds.lab.baseUrl = "http://cloud.example.com/v1" (${file}:2): must be https://, or clouds.lab.allowInsecure true: the API key would cross the network unencrypted`,
    ]);
    expect(await resolved(`${plain}    allowInsecure: true\n`)).toEqual([]);
  });

  it('knows which name was meant', async () => {
    expect(await resolved(lab, 'lap')).toEqual(['--profile "lap": no such cloud; did you mean lab?']);
    expect(await resolved(lab, 'constructor')).toEqual([
      '--profile "constructor": no such cloud; known are lab',
    ]);
    expect(await resolved('', 'lab')).toEqual([
      '--profile "lab": no cloud has a name yet; "hostnode cloud login --profile NAME" makes one',
    ]);
  });
});

describe('clouds in the configuration', () => {
  it('are read with the rest, and show no key', async () => {
    write(lab);
    const { config } = await loadConfig({ env: {}, file });
    expect(config.clouds.lab).toMatchObject({ username: 'asha', from: `${file}:2` });
    expect(config.cloud).toBeUndefined();
    expect(inspect(config, { depth: 9 })).not.toContain('s3cret');
  });

  it('may come from the environment, as JSON', async () => {
    const env = { HOSTNODE_CLOUDS: '{"lab":{"username":"asha"}}' };
    const { config } = await loadConfig({ env, defaultFile: file });
    expect(config.clouds.lab).toMatchObject({ username: 'asha', from: 'HOSTNODE_CLOUDS' });
  });

  it('with a key in a file that everybody can read are worth a warning', async () => {
    write(lab, 0o644);
    const { warnings } = await loadConfig({ env: {}, file });
    expect(warnings.join()).toContain('holds the API key and anybody may read it');
  });
});

describe('withProfile', () => {
  const profile = { baseUrl: 'https://new.example/v1', username: 'max', apiKey: 'k: #"1' };

  it('makes a file, and reads back', async () => {
    const text = await withProfile('', 'lab', profile);
    expect(parse(text)).toEqual({ clouds: { lab: profile } });
  });

  it('replaces one profile, and keeps everything else with its comments', async () => {
    const more = `${lab}  other: { username: eve } # mine\n`;
    const text = await withProfile(more, 'lab', profile);
    expect(parse(text)).toEqual({ clouds: { lab: profile, other: { username: 'eve' } } });
    expect(text).toContain('# mine');
  });
});
