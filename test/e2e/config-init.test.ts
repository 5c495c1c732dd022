import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeWhere, without } from '../support/machine-needs.ts';
import { hostnode, inBash } from '../support/program.ts';
import { apiKey, startCloud, temporaryFolder, username } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder, 'hostnode.yaml');
});

const baseUrl = 'https://cloud.example.com/v1';
const keyFile = () => join(folder, 'cloud-api-key');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** `config init` of a script, with the key in a pipe. */
const init = (...args: string[]) =>
  inBash(`printf '%s\\n' '${apiKey}' | "$@"`, ['config', 'init', '--config', file, ...args]);

const valid = { code: 0, stdout: `the configuration is valid (file: FILE; cloud: ${baseUrl})\n`, stderr: '' };

/** What `config check` says of the new file. */
async function checked(): Promise<object> {
  const { stdout, ...rest } = await hostnode(['config', 'check', '--config', file]);
  return { ...rest, stdout: stdout.replace(file, 'FILE') };
}

describe('hostnode config init --yes', () => {
  it('writes a configuration that is valid, and a key file for its owner alone', async () => {
    const { code, stdout, stderr } = await init('--yes', '--base-url', baseUrl, '--username', username);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Wrote ${file}\nWrote ${keyFile()} `);
    expect(stdout).toMatch(
      /\nThe account is not checked: GET https:\/\/cloud\.example\.com\/v1\/devices: no such host /,
    );
    expect(stdout).toContain(`hostnode doctor --config ${file} `);
    expect(stdout).not.toContain(apiKey);
    expect(await readFile(keyFile(), 'utf8')).toBe(`${apiKey}\n`);
    expect([await modeOf(file), await modeOf(keyFile())]).toEqual([0o644, 0o600]);
    expect(await readFile(file, 'utf8')).not.toContain(apiKey);
    expect(await checked()).toEqual(valid);
  });

  it('overwrites nothing without --force', async () => {
    await writeFile(file, 'mine');
    const args = ['--yes', '--base-url', baseUrl, '--username', username];
    expect(await init(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${file} already exists; use --force to overwrite, or --config to name another file\n`,
    });
    expect(await readdir(folder)).toEqual(['hostnode.yaml']);
    expect(await readFile(file, 'utf8')).toBe('mine');
    await copyFile('config/hostnode.yaml', file);
    expect((await init(...args)).stderr).toBe(
      `hostnode: ${file} already exists; use --force to overwrite, or --config to name another file\n`,
    );
    expect(await init(...args, '--force')).toMatchObject({ code: 0, stderr: '' });
    expect(await checked()).toEqual(valid);
  });

  it('says how a second configuration in the same folder gets its own key file', async () => {
    const args = ['--yes', '--base-url', baseUrl, '--username', username];
    await init(...args);
    const second = ['--config', join(folder, 'rack-2.yaml')];
    expect((await init(...args, ...second)).stderr).toBe(
      `hostnode: ${keyFile()} already exists; use --force to overwrite, or --key-file to name another file\n`,
    );
    const named = ['--key-file', join(folder, 'rack-2-key')];
    expect(await init(...args, ...second, ...named)).toMatchObject({ code: 0, stderr: '' });
  });

  it('lists all that is wrong or missing, and writes nothing', async () => {
    const wrong = ['--base-url', 'cloud.example.com', '--username', 'lab:k3y', '--node-id', 'rack 2'];
    expect(await init('--yes', ...wrong)).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'hostnode: --node-id: must be up to 128 letters, digits and . _ : -, starting with a letter or digit',
        '--base-url: must be an https:// address',
        '--username: must be text without ":" (HTTP Basic authentication ends the name at a colon)',
        '',
      ].join('\n'),
    });
    expect(await init('--yes')).toMatchObject({
      code: 2,
      stderr: 'hostnode: --yes needs --base-url and --username\n',
    });
    expect(await init()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^hostnode: no terminal/) });
    const noKey = ['config', 'init', '--config', file, '--yes', '--base-url', baseUrl, '--username', 'lab'];
    expect(await hostnode(noKey)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'hostnode: the API key on standard input must be one line of text\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('says that the current folder is gone, which is no bug', async () => {
    const gone = `mkdir '${file}.d'; cd '${file}.d'; rmdir '${file}.d'; echo k | "$@"`;
    const args = [
      'config',
      'init',
      '--yes',
      '--base-url',
      'https://c.example/v1',
      '--username',
      'u',
      '--offline',
    ];
    expect(await inBash(gone, args)).toMatchObject({
      code: 1,
      stderr: 'hostnode: the current folder was removed: change to another one\n',
    });
  });

  it('writes neither file where one cannot be written', async () => {
    const account = ['--yes', '--base-url', baseUrl, '--username', username];
    const nowhere = await init(...account, '--key-file', join(folder, 'none', 'key'));
    expect(nowhere).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('cannot write') });
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes nothing where the cloud rejects the account or has no API there, unless it is not asked', async () => {
    const cloud = await startCloud();
    const root = cloud.baseUrl.replace(/\/v1$/, '');
    const account = ['--yes', '--base-url', root, '--username', username];
    const refused = await init(...account);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain(
      `did you mean ${cloud.baseUrl}? Nothing was written; --offline writes it without this check\n`,
    );
    expect(await readdir(folder)).toEqual([]);
    const other = ['--yes', '--base-url', cloud.baseUrl, '--username', 'somebody'];
    expect(await init(...other)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('401'),
    });
    expect(await init(...account, '--offline')).toMatchObject({ code: 0, stderr: '' });
  });

  it('makes a configuration with which a report reaches the cloud', async () => {
    const cloud = await startCloud();
    expect(await init('--yes', '--base-url', cloud.baseUrl, '--username', username)).toMatchObject({
      code: 0,
    });
    const checks = await hostnode(['doctor', '--json', '--config', file], { HOSTNODE_STATE_DIR: folder });
    expect(checks.stdout).toMatch(/"name": "credentials",\s+"status": "ok"/);
  });
});

describeWhere('hostnode config init on a terminal', { missing: without(['script']) }, () => {
  it('asks for what it needs, again for nonsense, and shows no letter of the key', async () => {
    const terminal = new Terminal(`hostnode config init --config '${file}'`);
    await terminal.shows("Address of the cloud's API");
    terminal.type('cloud.example.com\r');
    await terminal.shows('Must be an https:// address');
    terminal.type(`\x15${baseUrl}\r`);
    await terminal.shows('User name or email address');
    terminal.type(`${username}\r`);
    await terminal.shows('API key of the account');
    terminal.type(`${apiKey}\r`);
    await terminal.shows("This host's name in the cloud");
    terminal.type('\x15rack-2\r');
    await terminal.shows('hostnode run --config');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).not.toContain(apiKey);
    expect(terminal.shown).not.toContain('•');
    expect(await readFile(keyFile(), 'utf8')).toBe(`${apiKey}\n`);
    expect(await readFile(file, 'utf8')).toMatch(/^nodeId: rack-2 /m);
    expect(await checked()).toEqual(valid);
  });

  it('does not ask what an option gives, and leaves nothing behind at Ctrl-C', async () => {
    const given = `--base-url ${baseUrl} --username ${username}`;
    const terminal = new Terminal(`hostnode config init --config '${file}' ${given}`);
    await terminal.shows('API key of the account');
    expect(terminal.shown).not.toContain('User name');
    terminal.type(`${apiKey}\x03`);
    await terminal.shows('cancelled: nothing was written');
    expect(await terminal.ended).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });
});
