import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostnode } from '../support/program.ts';
import { apiKey, temporaryFolder } from '../support/program-lab.ts';

async function fileOf(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'hostnode.yaml');
  await writeFile(file, text);
  await chmod(file, 0o600);
  return file;
}

const account = `cloud:\n  baseUrl: https://cloud.example.com/v1\n  username: lab@example.com\n  apiKey: ${apiKey}\n`;

it('hostnode config show prints each value in force with what sets it, and no secret', async () => {
  const file = await fileOf(`${account}adb:\n  port: 6000\n`);
  const args = ['config', 'show', '--config', file];
  const env = { HOSTNODE_ADB_PORT: '7000', HOSTNODE_STATE_DIR: '/state' };
  const { code, stdout, stderr } = await hostnode(args, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [head, , titles, ...rows] = stdout.replaceAll(file, 'FILE').split('\n');
  expect([head, titles?.split(/ +/)]).toEqual(['file: FILE (--config)', ['KEY', 'VALUE', 'FROM']]);
  const table = Object.fromEntries(
    rows.map((row) => row.split(/ {2,}/)).map(([key, ...rest]) => [key, rest]),
  );
  expect(table).toMatchObject({
    nodeId: ['–', 'not set'],
    'cloud.baseUrl': ['https://cloud.example.com/v1', 'FILE:2'],
    'cloud.apiKey': ['***', 'FILE:4'],
    'adb.host': ['127.0.0.1', 'default'],
    'adb.port': ['7000', 'HOSTNODE_ADB_PORT'],
    'state.dir': ['/state', 'HOSTNODE_STATE_DIR'],
    devices: ['none', 'default'],
  });
  const json = await hostnode([...args, '--json'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({
    file,
    settings: { 'adb.port': { value: 7000, from: 'HOSTNODE_ADB_PORT' } },
  });
  expect(stdout + json.stdout).not.toContain(apiKey);
});

it('hostnode config show has the name that the host has without one in the configuration', async () => {
  const dir = await temporaryFolder();
  const id = '0123abcd-0000-4000-8000-000000000000';
  await writeFile(join(dir, 'node-id'), `${id}\n`);
  const { stdout } = await hostnode(['config', 'show', '--json'], { HOSTNODE_STATE_DIR: dir });
  expect(JSON.parse(stdout).settings.nodeId).toEqual({ value: id, from: 'from the state directory' });
});

it('hostnode config show lists the problems of a wrong configuration instead', async () => {
  const file = await fileOf('adb:\n  port: none\n');
  const { code, stdout, stderr } = await hostnode(['config', 'show', '--config', file]);
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr).toContain('adb.port = "none"');
});
