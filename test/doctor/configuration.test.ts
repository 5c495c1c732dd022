import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtConfiguration } from '../../src/doctor/configuration.ts';
import { hostTree } from '../support/host-tree.ts';

const cloudYaml = 'cloud:\n  baseUrl: https://cloud.example.com/v1\n  username: lab@example.com\n';

async function look(files: Record<string, string>, env: Record<string, string> = {}) {
  const root = await hostTree(files);
  const places = { defaultFile: `${root}hostnode.yaml`, credential: `${root}credstore/cloud-api-key` };
  await chmod(places.credential, 0o600).catch(() => {});
  const looked = await lookAtConfiguration({ env, ...places });
  return { root, ...looked, results: looked.results };
}

describe('the configuration', () => {
  it('is fine without any, and no cloud needs no key', async () => {
    const { results, isDoubtful } = await look({});
    expect({ results, isDoubtful: isDoubtful('cloud') }).toEqual({
      results: [
        {
          name: 'configuration',
          status: 'ok',
          seen: 'valid: no file',
        },
        { name: 'API key', status: 'skipped', seen: 'not needed: no cloud is configured' },
      ],
      isDoubtful: false,
    });
  });

  it('names its file, its warnings, and where the key comes from, but not the key', async () => {
    const { results, root } = await look(
      { 'hostnode.yaml': cloudYaml },
      { HOSTNODE_CLOUD_API_KEY: 's3cret', HOSTNODE_ADB_PROT: '1' },
    );
    expect(results.map(({ status, seen }) => [status, seen])).toEqual([
      ['ok', `valid: ${root}hostnode.yaml; from the environment: HOSTNODE_CLOUD_API_KEY`],
      ['warning', 'HOSTNODE_ADB_PROT: unknown variable, ignored; did you mean HOSTNODE_ADB_PORT?'],
      ['ok', 'from cloud.apiKey (HOSTNODE_CLOUD_API_KEY)'],
    ]);
  });

  it('of the service has its key in the credential store', async () => {
    const files = { 'hostnode.yaml': cloudYaml, 'credstore/cloud-api-key': 's3cret\n' };
    const { results, config, root } = await look(files);
    expect(results[1]).toEqual({
      name: 'API key',
      status: 'ok',
      seen: `from ${root}credstore/cloud-api-key, the service’s credential`,
    });
    expect(config.cloud?.apiKey.reveal()).toBe('s3cret');
  });

  it('of the service has its key in the store of encrypted credentials', async () => {
    const { results, root } = await look({
      'hostnode.yaml': cloudYaml,
      'credstore.encrypted/cloud-api-key': 'x',
    });
    expect(results.map(({ seen }) => seen)).toEqual([
      expect.stringContaining(`${root}credstore.encrypted/cloud-api-key: systemd-creds cannot decrypt it`),
      'cannot be used: see the configuration',
    ]);
  });

  it('whose key only root can read is looked at without it', async () => {
    const root = await hostTree({ 'hostnode.yaml': cloudYaml }, { credential: 'credential' });
    const credential = `${root}credential`; // leads to itself: there, and not readable for root either
    const look = await lookAtConfiguration({ env: {}, defaultFile: `${root}hostnode.yaml`, credential });
    expect(look.isDoubtful('cloud')).toBe(false);
    expect(look.config.cloud?.apiKey.isEmpty).toBe(true);
    expect(look.results[1]).toEqual({
      name: 'API key',
      status: 'skipped',
      seen: `in ${credential}, which only root can read`,
      remedy: 'Run as root',
    });
  });

  it('that is wrong lists every problem, without secrets, and the rest is looked at as it is set', async () => {
    const { results, config, isDoubtful } = await look(
      { 'hostnode.yaml': 'nodeId: rack-2\n' },
      {
        HOSTNODE_LOG_LEVEL: 'loud',
        HOSTNODE_CLOUD_BASE_URL: 'https://lab:pa55@cloud.example.com',
        HOSTNODE_CLOUD_API_KEY: 's3cret\nsecond',
        HOSTNODE_CLOUD_USER: 'lab',
        ANDROID_ADB_SERVER_PORT: '5099',
      },
    );
    expect(['nodeId', 'adb', 'log', 'cloud'].filter((each) => isDoubtful(each as 'adb'))).toEqual([
      'log',
      'cloud',
    ]);
    expect(config.nodeId).toBe('rack-2');
    expect(results.filter(({ status }) => status === 'warning').map(({ seen }) => seen)).toEqual([
      'HOSTNODE_CLOUD_USER: unknown variable, ignored; did you mean HOSTNODE_CLOUD_USERNAME?',
    ]);
    expect(config.adb.port).toBe(5099);
    const problems = results.filter(({ status }) => status === 'failed').map(({ seen }) => seen);
    expect(problems).toEqual([
      expect.stringMatching(/^cloud\.apiKey = \*\*\* /),
      expect.stringMatching(/^log\.level = "loud" \(HOSTNODE_LOG_LEVEL\): must be /),
      expect.stringMatching(/^cloud\.baseUrl = "https:\/\/\*\*\*@cloud\.example\.com" /),
      expect.stringMatching(/^cloud\.username: missing; /),
    ]);
    expect(JSON.stringify(results)).not.toMatch(/s3cret|pa55/);
  });

  it.each([
    ['ANDROID_ADB_SERVER_PORT', '99999', 'adb.port'],
    ['ANDROID_ADB_SERVER_PORT', 'tcp:5037', 'adb.port'],
    ['ANDROID_ADB_SERVER_ADDRESS', 'adb server', 'adb.host'],
    ['ADB_SERVER_SOCKET', 'tcp:0', 'adb.port'],
  ])(
    'that adb’s own variable %s=%s makes wrong is said, and the rest is looked at with the defaults',
    async (name, value, key) => {
      const { results, config, isDoubtful } = await look({}, { [name]: value, XDG_STATE_HOME: '/srv/state' });
      expect([isDoubtful('adb'), isDoubtful('cloud')]).toEqual([true, false]);
      expect(results[0]).toMatchObject({ status: 'failed', seen: expect.stringContaining(`(${name})`) });
      expect(results[0]?.seen).toMatch(new RegExp(`^${key} = `));
      expect(config.adb).toMatchObject({ host: '127.0.0.1', port: 5037 });
    },
  );

  it('whose key file is missing, empty or open has no good key', async () => {
    const { root } = await look({ empty: '', open: 'k3y\n' });
    const account = {
      HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1',
      HOSTNODE_CLOUD_USERNAME: 'lab',
    };
    for (const name of ['missing', 'empty', 'open']) {
      const file = join(root, name);
      await chmod(file, name === 'open' ? 0o644 : 0o600).catch(() => {});
      const { results } = await look({}, { ...account, HOSTNODE_CLOUD_API_KEY_FILE: file });
      expect(results).toEqual([
        expect.objectContaining({
          status: 'failed',
          seen: expect.stringContaining(`cloud.apiKeyFile: ${file}: `),
        }),
        { name: 'API key', status: 'skipped', seen: 'cannot be used: see the configuration' },
      ]);
    }
  });

  it('that names the key in place of its file does not show it', async () => {
    const { results, isDoubtful } = await look(
      {},
      {
        HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example.com/v1',
        HOSTNODE_CLOUD_USERNAME: 'lab',
        HOSTNODE_CLOUD_API_KEY_FILE: 's3cret',
      },
    );
    expect(isDoubtful('cloud')).toBe(true);
    expect(JSON.stringify(results)).not.toContain('s3cret');
  });

  it('is named with the variables that set a key, and no other', async () => {
    expect(
      (await look({ 'hostnode.yaml': cloudYaml, 'credstore/cloud-api-key': 's3cret\n' })).results[0]?.seen,
    ).toMatch(/^valid: [^;]*hostnode\.yaml$/);
    const { results } = await look(
      {},
      { HOSTNODE_NODE_ID: 'rack-2', ANDROID_ADB_SERVER_PORT: '5099', PATH: '/bin' },
    );
    expect(results[0]?.seen).toBe(
      'valid: no file; from the environment: HOSTNODE_NODE_ID, ANDROID_ADB_SERVER_PORT',
    );
  });

  it('whose file is not there has another remedy than a wrong key', async () => {
    const { root } = await look({ 'hostnode.yaml': 'nodId: rack-2\n' });
    const remedies = async (name: string) => {
      const places = { file: `${root}${name}`, defaultFile: '', credential: `${root}none` };
      return (await lookAtConfiguration({ env: {}, ...places })).results.map(({ remedy }) => remedy);
    };
    expect((await remedies('none.yaml'))[0]).toBe(
      'Name a file that is there; hostnode config init writes one',
    );
    expect((await remedies('hostnode.yaml'))[0]).toBe('Fix it; docs/configuration.md has every key');
  });

  it('that cannot be parsed leaves all in doubt', async () => {
    const { isDoubtful } = await look({ 'hostnode.yaml': 'cloud: [\n' });
    expect([isDoubtful('nodeId'), isDoubtful('adb'), isDoubtful('cloud')]).toEqual([true, true, true]);
  });
});
