import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CloudClient } from '../../src/cloud/index.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { SandboxInfo } from '../../src/sandbox/sandbox.ts';
import { cleanEnvironment, hostnode, Program, programFile } from '../support/program.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'hostnode-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const launch = (...args: string[]) => new Program([process.execPath, programFile(), 'sandbox', ...args]);

async function infoOf(program: Program): Promise<SandboxInfo> {
  await expect.poll(() => program.stdout).toContain('\n');
  return JSON.parse(program.stdout);
}

function clientOf({ baseUrl, users: [user] }: SandboxInfo): CloudClient {
  const client = new CloudClient({ baseUrl, username: '', apiKey: '', ...user });
  onTestFinished(() => client.close());
  return client;
}

describe('hostnode sandbox', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one line of JSON, and ends well with %s',
    async (signal) => {
      const program = launch('--json', '--control');
      const info = await infoOf(program);
      expect(Object.keys(info)).toEqual([
        ...['baseUrl', 'v2BaseUrl', 'storageUrl', 'controlUrl'],
        ...['organizationId', 'exploringSessionId', 'teamIds', 'users'],
      ]);
      expect(info.users[0]).toEqual({
        ...{ username: 'admin', email: 'admin@lab.example', apiKey: 'admin-key', role: 'ADMIN' },
      });
      expect((await clientOf(info).devices.list()).privateDevices).toHaveLength(3);
      program.signal(signal);
      expect(await program.ended).toBe(0);
      expect([program.stdout.trim().split('\n').length, program.stderr]).toEqual([1, '']);
    },
  );

  it('keeps what was answered when it is killed', async () => {
    const data = join(await folder(), 'sandbox.db');
    const first = launch('--json', '--data', data);
    const client = clientOf(await infoOf(first));
    for (const name of ['one', 'two', 'three']) await client.gestures.save({ name, command: 'down' });
    first.signal('SIGKILL');
    await first.ended;
    const second = clientOf(await infoOf(launch('--json', '--data', data)));
    expect((await second.gestures.list()).map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  });

  it('is reported into by the agent', async () => {
    const info = await infoOf(launch('--json'));
    const adb = await SimulatedAdbServer.start();
    onTestFinished(() => adb.stop());
    const [recording] = recordings;
    if (recording !== undefined) adb.plug(new SimulatedPhone(recording));
    const env = cleanEnvironment({
      HOSTNODE_ADB_PORT: String(adb.port),
      HOSTNODE_CLOUD_BASE_URL: info.baseUrl,
      HOSTNODE_CLOUD_USERNAME: 'member@lab.example',
      HOSTNODE_CLOUD_API_KEY: 'member-key',
      HOSTNODE_NODE_ID: 'rack-9',
      HOSTNODE_STATE_DIR: await folder(),
    });
    expect(await hostnode(['inventory', '--report'], env)).toMatchObject({ code: 0 });
    const { privateDevices } = await clientOf(info).devices.list({ isOnline: true });
    expect(privateDevices.map(({ udid }) => udid)).toContain(recording?.serial);
  });

  it('says in words where it is', async () => {
    const program = launch('--port', '0');
    await expect.poll(() => program.stdout).toContain('Try: curl -u admin:admin-key http://127.0.0.1:');
  });

  it('takes a seed', async () => {
    const seed = join(await folder(), 'seed.json');
    const users = [{ username: 'eve', apiKey: 'k3y', role: 'ADMIN' }];
    await writeFile(seed, JSON.stringify({ organizations: [{ name: 'Lab', users }] }));
    expect(await infoOf(launch('--json', '--seed', seed))).toMatchObject({
      ...{ exploringSessionId: null, teamIds: [], controlUrl: null },
      users: [{ username: 'eve', email: 'eve@sandbox.example', apiKey: 'k3y', role: 'ADMIN' }],
    });
  });

  it('says which input is wrong', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const inFolder = await folder();
    const wrong = join(inFolder, 'wrong.json');
    await writeFile(wrong, '{"organizations":[{"name":"Lab","users":[{"username":"eve"}]}]}');
    const cases: [string[], number, RegExp][] = [
      [['--port', String(port)], 1, /^hostnode: port \d+ is taken by .*; use another --port\n$/],
      [['--port', '70000'], 2, /must be a number from 0 to 65535/],
      [['--data', inFolder], 1, /^hostnode: cannot use .*\n$/],
      [['--seed', join(inFolder, 'none.json')], 1, /^hostnode: cannot read the seed .*none.json: .*\n$/],
      [['--seed', import.meta.filename], 1, /^hostnode: the seed .* is not JSON\n$/],
      [['--seed', wrong], 1, /^hostnode: the seed .* is wrong: organizations\.0\.users\.0\.apiKey: .*\n$/],
      [['--gestures', 'heap'], 2, /array, object/],
    ];
    for (const [args, code, words] of cases)
      expect(await hostnode(['sandbox', ...args])).toMatchObject({
        code,
        stderr: expect.stringMatching(words),
      });
  });
});
