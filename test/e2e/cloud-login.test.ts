import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { type Environment, hostnode, inBash } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

const apiKey = 'member-key';

let sandbox: Sandbox;
let env: Environment;
let file: string;
beforeEach(async () => {
  sandbox = await Sandbox.start();
  onTestFinished(() => sandbox.stop());
  const folder = await temporaryFolder();
  env = { XDG_CONFIG_HOME: folder };
  file = join(folder, 'hostnode', 'clouds.yaml');
});

/** With the key on standard input. */
const login = (key: string, ...args: string[]) =>
  inBash(`printf '%s\\n' '${key}' | "$@"`, ['cloud', 'login', ...args], env);

const account = () => ['--base-url', sandbox.baseUrl, '--username', 'member'];
const profiles = async () => parse(await readFile(file, 'utf8')).clouds;

describe('hostnode cloud login', () => {
  it('writes a profile that only its owner can read, after the cloud accepted it', async () => {
    const { code, stdout, stderr } = await login(apiKey, ...account(), '--profile', 'lab');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Wrote the profile lab in ${file}`);
    expect(stdout).not.toContain(apiKey);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await profiles()).toEqual({ lab: { baseUrl: sandbox.baseUrl, username: 'member', apiKey } });
    const listed = await hostnode(['cloud', 'devices', 'list', '--profile', 'lab'], env);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('Pixel 7');
  });

  it('without a name writes the profile that counts where no other cloud is configured', async () => {
    expect(await login(apiKey, ...account())).toMatchObject({ code: 0 });
    expect(await hostnode(['cloud', 'groups', 'list', '1'], env)).toMatchObject({ code: 0, stderr: '' });
    const agents = { HOSTNODE_CLOUD_BASE_URL: sandbox.baseUrl, HOSTNODE_CLOUD_USERNAME: 'admin' };
    const own = { ...env, ...agents, HOSTNODE_CLOUD_API_KEY: 'wrong' };
    expect(await hostnode(['cloud', 'groups', 'list', '1'], own)).toMatchObject({ code: 3 });
  });

  it('is listed without what somebody wrote into its address', async () => {
    const HOSTNODE_CLOUDS = '{"lab":{"baseUrl":"https://asha:hunter2@cloud.example.com/v1?k=hunter2"}}';
    const { stdout } = await hostnode(['cloud', 'profiles', '--json'], { ...env, HOSTNODE_CLOUDS });
    expect(JSON.parse(stdout)).toMatchObject([{ baseUrl: 'https://***@cloud.example.com/v1?***' }]);
  });

  it('is known to whoami, profiles, groups list and api until logout', async () => {
    expect(await login(apiKey, ...account(), '--organization-id', '1')).toMatchObject({ code: 0 });
    const printed = async (...words: string[]) =>
      JSON.parse((await hostnode(['cloud', ...words], env)).stdout);
    const saved = { profile: 'default', baseUrl: sandbox.baseUrl, username: 'member', organizationId: 1 };
    expect(await printed('whoami', '--json')).toEqual(saved);
    expect(await printed('profiles', '--json', 'profile,username')).toEqual([
      { profile: 'default', username: 'member' },
    ]);
    expect(await printed('groups', 'list', '--json', 'name')).toEqual([{ name: 'Payments' }]);
    expect(await printed('api', 'GET', '/v1/devices/2/status')).toEqual({ isBooked: false, isOnline: true });
    expect(await hostnode(['cloud', 'api', 'GET', '/v2/apps/9'], env)).toMatchObject({ code: 1, stdout: '' });
    expect(await hostnode(['cloud', 'logout'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await profiles()).toEqual({});
    expect(await hostnode(['cloud', 'whoami'], env)).toMatchObject({ code: 78 });
  });

  it('writes nothing if the cloud refuses the account, unless it is not asked', async () => {
    const refused = await login('another-key', ...account());
    expect(refused).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('Nothing was written'),
    });
    expect(refused.stderr).not.toContain('another-key');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const requests = sandbox.requests.length;
    expect(await login('another-key', ...account(), '--offline')).toMatchObject({ code: 0 });
    expect(sandbox.requests).toHaveLength(requests);
    expect(await login(apiKey, ...account())).toMatchObject({ stdout: expect.stringContaining('Replaced') });
    expect(await profiles()).toMatchObject({ default: { apiKey } });
    expect(await readdir(join(file, '..'))).toEqual(['clouds.yaml']);
  });

  it('says what is wrong before it asks or sends', async () => {
    const wrong = ['--base-url', 'cloud.example', '--username', 'a:b', '--profile', 'my lab'];
    expect(await login(apiKey, ...wrong, '--organization-id', 'two', '--offline')).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'hostnode: --profile: must be up to 64 letters, digits and . _ -, starting with a letter or digit',
        '--base-url: must be an https:// address',
        '--username: must be text without ":" (HTTP Basic authentication ends the name at a colon)',
        '--organization-id: must be a whole number above 0',
        '',
      ].join('\n'),
    });
    expect(await login(apiKey)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no terminal to ask on'),
    });
    expect(await login('', ...account())).toMatchObject({
      code: 2,
      stderr: 'hostnode: the API key on standard input must be one line of text\n',
    });
  });

  it('writes where the file of CAs is, for commands in another folder', async () => {
    const folder = join(file, '..', '..');
    const line = `cd '${folder}' && printf '%s\\n' '${apiKey}' | "$@"`;
    const words = ['cloud', 'login', ...account(), '--ca-file', 'ca.pem', '--offline'];
    expect(await inBash(line, words, env)).toMatchObject({ code: 0 });
    expect(await profiles()).toMatchObject({ default: { caFile: join(folder, 'ca.pem') } });
  });

  it('neither reads nor changes a file that others can read', async () => {
    expect(await login(apiKey, ...account())).toMatchObject({ code: 0 });
    await chmod(file, 0o644);
    const before = await readFile(file, 'utf8');
    for (const { code, stderr } of [
      await login(apiKey, ...account(), '--profile', 'other'),
      await hostnode(['cloud', 'apps', 'list'], env),
    ])
      expect({ code, stderr }).toMatchObject({
        code: 78,
        stderr: expect.stringContaining(`chmod 600 ${file}`),
      });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('keeps the profiles that are there', async () => {
    expect(await login(apiKey, ...account())).toMatchObject({ code: 0 });
    await writeFile(file, `# mine\n${await readFile(file, 'utf8')}`, { mode: 0o600 });
    expect(await login(apiKey, ...account(), '--profile', 'lab')).toMatchObject({ code: 0 });
    expect(Object.keys(await profiles())).toEqual(['default', 'lab']);
    expect(await readFile(file, 'utf8')).toContain('# mine');
  });
});

describeWhere('hostnode cloud login on a terminal', { missing: without(['script']) }, () => {
  it('asks for the key without echo', async () => {
    const terminal = new Terminal(`hostnode cloud login ${account().join(' ')}`, env);
    await terminal.shows('API key of the account');
    terminal.type(`${apiKey}\r`);
    await terminal.shows('Wrote the profile default');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).not.toContain(apiKey);
    expect(await profiles()).toMatchObject({ default: { apiKey } });
  });

  it('leaves nothing behind at Ctrl-C', async () => {
    const terminal = new Terminal(`hostnode cloud login ${account().join(' ')}`, env);
    await terminal.shows('API key of the account');
    terminal.type(`${apiKey}\x03`);
    await terminal.shows('cancelled');
    expect(await terminal.ended).toBe(1);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });
});
