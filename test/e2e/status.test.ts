import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { HostStatus } from '../../src/status/host-status.ts';
import { poco as pocoAt } from '../support/lab.ts';
import { Daemon, type Environment, hostnode, Program, programFile } from '../support/program.ts';
import {
  apiKey,
  identifiersOf,
  never,
  phoneOf,
  poco,
  smartron,
  startHost,
  stored,
  temporaryFolder,
} from '../support/program-lab.ts';

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let stateDir: string;
let env: Environment;

beforeEach(async () => {
  ({ adb, cloud, stateDir, env } = await startHost(phoneOf(poco), phoneOf(smartron)));
});

/** A daemon after its first round, and where its page is. */
async function running(more: Environment = {}, ...args: string[]): Promise<{ daemon: Daemon; url: string }> {
  const daemon = new Daemon({ ...env, ...more }, ...args);
  const { url } = await daemon.says('status page');
  await daemon.says('round');
  return { daemon, url: String(url) };
}

const hostnodeHere = (...args: string[]) => hostnode(args, env);

async function hostStatus(): Promise<HostStatus> {
  const { stdout } = await hostnodeHere('status', '--json');
  return JSON.parse(stdout);
}

/** The program with its output as it comes. */
function watch(...args: string[]): { program: Program; shows(part: string): Promise<void> } {
  const program = new Program([process.execPath, programFile(), 'status', '--watch', ...args], env);
  const shows = async (part: string) => {
    const signal = AbortSignal.timeout(30_000);
    while (!program.stdout.includes(part))
      await once(program.child.stdout ?? program.child, 'data', { signal });
  };
  return { program, shows };
}

describe('hostnode status', () => {
  it('shows in a terminal what the page shows', async () => {
    const { url } = await running();
    const { code, stdout, stderr } = await hostnodeHere('status');
    expect([code, stderr]).toEqual([0, '']);
    const [head, page, ...lines] = stdout.split('\n');
    expect(page).toBe(`page: ${url}`);
    expect((await hostStatus()).pageUrl).toBe(url);
    expect(head).toMatch(
      /^rack-2 \(\S+\): 2 phones fine · all fine for \d+ s · cloud: reported \d+ s ago, next in .* · adb 41, up for \d+ s$/,
    );
    expect(lines).toEqual(['', '2 phones in all: hostnode status --all lists them', '']);
    const all = (await hostnodeHere('status', '--all')).stdout.split('\n');
    expect(all.filter((line) => line.startsWith(poco) || line.startsWith(smartron))).toHaveLength(2);
    const names = await hostnodeHere('status', '--names');
    expect(names.stdout.split('\n')).toEqual(expect.arrayContaining([poco, smartron, 'POCO F6']));
    expect((await hostStatus()).counts).toEqual({
      phones: 2,
      fine: 2,
      needsAttention: 0,
      maintenance: 0,
      unknown: 0,
    });
    expect(await hostnodeHere('status', '--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('goes on showing it, as text and for a program, until the agent ends', async () => {
    const { daemon } = await running();
    const [text, json] = [watch(), watch('--json')];
    await Promise.all([text.shows('2 phones fine'), json.shows('"fine":2')]);
    json.program.signal('SIGHUP'); // as under nohup, without a terminal
    adb.unplug(poco);
    await Promise.all([text.shows('1 problem with 1 phone'), json.shows('"needsAttention":1')]);
    for (const line of json.program.stdout.trim().split('\n'))
      expect(JSON.parse(line).host.nodeId).toBe('rack-2');
    expect(await json.program.end('SIGINT')).toMatchObject({ code: 0 });
    await daemon.end();
    expect(await text.program.ended).toBe(1);
    expect(text.program.stderr).toBe('hostnode: the agent stopped\n');
  });

  it('says where it looked when no agent runs', async () => {
    const said = `hostnode: no agent answers at ${join(stateDir, 'hostnode.sock')}: is hostnode running? To ask another agent, give its --config or --socket\n`;
    for (const args of [
      ['status'],
      ['status', '--check'],
      ['status', '--watch'],
      ['report', '--now'],
      ['maintenance'],
    ])
      expect(await hostnodeHere(...args)).toEqual({ code: 1, stdout: '', stderr: said });
    const elsewhere = await hostnodeHere('status', '--socket', '/none');
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr:
        'hostnode: no agent answers at /none: is hostnode running? To ask another agent, give its --config or --socket\n',
    });
  });

  it('does not ask another agent where the named file cannot be read', async () => {
    await running();
    for (const args of [['status'], ['status', '--check'], ['status', '--watch'], ['maintenance']])
      expect(await hostnodeHere(...args, '--config', '/none.yaml')).toEqual({
        code: 78,
        stdout: '',
        stderr:
          'hostnode: the configuration is wrong:\n  /none.yaml: cannot be read (no such file or directory)\n',
      });
  });

  it('finds the socket by the configuration file, and in the directory that systemd gives', async () => {
    const file = join(await temporaryFolder(), 'hostnode.yaml');
    const state = `state: { dir: "${stateDir}" }\n`;
    await writeFile(file, state);
    const { HOSTNODE_STATE_DIR: _, ...rest } = env;
    env = rest;
    const { daemon } = await running({}, '--config', file);
    const checkHere = () => hostnodeHere('status', '--check', '--config', file);
    expect(await checkHere()).toMatchObject({ code: 0 });
    // the agent did not take what was written since
    await writeFile(file, `${state}adb: { port: none }\n`);
    expect(await checkHere()).toMatchObject({ code: 0 });
    for (const wrong of [`${state}adb: [`, 'state: { dir: 5 }\n']) {
      await writeFile(file, wrong);
      expect(await checkHere()).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(/^hostnode: the configuration is wrong:\n {2}\S+/),
      });
    }
    await daemon.end();
    env = { ...rest, HOSTNODE_STATE_DIR: stateDir, RUNTIME_DIRECTORY: await temporaryFolder() };
    await running();
    expect(await readdir(env.RUNTIME_DIRECTORY ?? '')).toEqual(['hostnode.sock']);
    expect(await hostnodeHere('status', '--check')).toMatchObject({ code: 0 });
  });
});

describe('hostnode report', () => {
  it('--now has the agent report, and says what the cloud stored and refused', async () => {
    await running();
    const before = cloud.requests.length;
    expect(await hostnodeHere('report', '--now')).toEqual({
      code: 0,
      stdout: '2 phones attached; the cloud stored 2, rejected 0\n',
      stderr: '',
    });
    expect(cloud.requests.length).toBe(before + 1);
    cloud.refuse(poco, 'no licence');
    expect(await hostnodeHere('report', '--now')).toEqual({
      code: 1,
      stdout: '2 phones attached; the cloud stored 1, rejected 1\n',
      stderr: `hostnode: the cloud rejected ${poco}: no licence\n`,
    });
  });

  it('--now --json says it to a program, with the same codes', async () => {
    await running();
    cloud.refuse(poco, 'no licence');
    const stored = await hostnodeHere('report', '--now', '--json');
    expect([stored.code, stored.stderr]).toEqual([1, '']);
    expect(JSON.parse(stored.stdout)).toMatchObject({
      attached: 2,
      failed: 0,
      outcome: { kind: 'stored', devices: 1, refused: [{ udid: poco, message: 'no licence' }] },
    });
    await cloud.stop();
    const { code, stdout, stderr } = await hostnodeHere('report', '--now', '--json');
    expect([code, JSON.parse(stdout).outcome.kind, stderr]).toEqual([3, 'failed', '']);
  });

  it('ends with 3 when the cloud is away, and explains itself without --now', async () => {
    await running();
    await cloud.stop();
    const { code, stderr } = await hostnodeHere('report', '--now');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^hostnode: the cloud did not store the report: .*nothing listens there.*\n {2}→ Check the base URL .*\n {2}The agent keeps trying\n$/,
      ),
    ]);
    expect(await hostnodeHere('report')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('report --now'),
    });
  });
});

describe('hostnode forget', () => {
  it('forgets an unplugged phone for good, and no attached one', async () => {
    const { daemon } = await running();
    expect(await hostnodeHere('forget', poco)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('attached'),
    });
    adb.unplug(poco);
    await stored(cloud, ({ udid, state }) => udid === poco && state === 'disconnected');
    expect(await hostnodeHere('forget', poco)).toEqual({
      code: 0,
      stdout: `forgot ${poco}\n`,
      stderr: '',
    });
    expect((await hostStatus()).phones.map(({ udid }) => udid)).toEqual([smartron]);
    expect(await hostnodeHere('forget', poco)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no phone'),
    });
    await daemon.end();
    await running();
    expect((await hostStatus()).phones.map(({ udid }) => udid)).toEqual([smartron]);
  });
});

describe('hostnode forget, where the history cannot be written', () => {
  it('says that the phone is forgotten and its history not erased yet', async () => {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const newer = new DatabaseSync(join(stateDir, 'history.sqlite'));
    newer.exec('PRAGMA user_version = 99; CREATE TABLE events (other)');
    newer.close();
    await running();
    adb.unplug(poco);
    await stored(cloud, ({ udid, state }) => udid === poco && state === 'disconnected');
    expect(await hostnodeHere('forget', poco)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^hostnode: forgot ${poco}, but its history is not erased yet: it cannot be written .*\n$`,
        ),
      ),
    });
    expect((await hostStatus()).phones.map(({ udid }) => udid)).toEqual([smartron]);
  });
});

describe('hostnode maintenance', () => {
  it('is counted apart, outlives a restart, and can be ended', async () => {
    const { daemon } = await running();
    const begun = await hostnodeHere('maintenance', poco, '--until', '2h', '--reason', 'new battery');
    expect(begun).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/is in maintenance until \d{4}-/),
    });
    adb.unplug(poco);
    await daemon.says('phone unplugged');
    await daemon.end();
    await running();
    const { counts, causes } = await hostStatus();
    expect([counts, causes]).toEqual([
      { phones: 2, fine: 1, needsAttention: 0, maintenance: 1, unknown: 0 },
      [],
    ]);
    const { stdout } = await hostnodeHere('maintenance', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        udid: poco,
        name: 'POCO F6',
        until: expect.any(Number),
        reason: 'new battery',
        by: expect.any(String),
      },
    ]);
    expect((await hostnodeHere('maintenance')).stdout).toMatch(/UDID .*\n.*POCO F6.*new battery\n/);
    expect(await hostnodeHere('maintenance', poco, '--end')).toMatchObject({ code: 0 });
    expect((await hostStatus()).counts.maintenance).toBe(0); // at once
    expect(await hostnodeHere('maintenance')).toMatchObject({ stdout: 'No phone is in maintenance\n' });
  });

  it('takes what the page shows, where one phone has it, and lists those that have it elsewhere', async () => {
    adb.plug(phoneOf('emulator-5554'));
    await running();
    const begun = await hostnodeHere('maintenance', 'POCO F6', '--until', '2h', '--reason', 'new battery');
    expect(begun).toMatchObject({ code: 0, stdout: expect.stringContaining(`${poco} is in maintenance`) });
    adb.plug(pocoAt('TWIN', '9-9'));
    await expect.poll(async () => (await hostStatus()).phones.length).toBe(4);
    expect(await hostnodeHere('maintenance', 'poco f6', '--end')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hostnode: poco f6 matches .*TWIN.*: give the udid\n$/),
    });
    adb.unplug(smartron);
    await expect
      .poll(async () => (await hostStatus()).phones.filter(({ attached }) => !attached).length, {
        timeout: 10_000,
      })
      .toBe(1);
    const [{ name = '' } = {}] = (await hostStatus()).phones.filter(({ attached }) => !attached);
    expect(await hostnodeHere('forget', name)).toMatchObject({ code: 0, stdout: `forgot ${smartron}\n` });
  });

  it('names the phones of a place before and after, and ends for all of them', async () => {
    const places = [poco, smartron].map((serial) => phoneOf(serial).devpath ?? '');
    const slots = places.map((path, index) => ({ name: `rack 2, shelf 3, bay ${index + 1}`, paths: [path] }));
    await running({ HOSTNODE_SLOTS: JSON.stringify(slots) });
    const both = (heading: RegExp) =>
      new RegExp(`^${heading.source}\\nUDID .*\\n.*${poco} +rack 2, shelf 3, bay 1.*\\n.*${smartron} `);
    const plan = ['--until', '2h', '--reason', 'new hub'];
    const begun = await hostnodeHere('maintenance', 'rack 2, *', ...plan);
    expect(begun).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(both(/2 phones are in maintenance until .*/)),
    });
    expect((await hostStatus()).counts.maintenance).toBe(2);
    const ended = await hostnodeHere('maintenance', 'rack 2, shelf 3', '--end');
    expect(ended).toMatchObject({
      stdout: expect.stringMatching(both(/2 phones are no longer in maintenance/)),
    });
    expect((await hostStatus()).counts.maintenance).toBe(0);
  });

  it('wants a phone, an end and a reason', async () => {
    for (const args of [['X'], ['X', '--until', '2h'], ['X', '--until', 'soon', '--reason', 'x'], ['--end']])
      expect(await hostnodeHere('maintenance', ...args)).toMatchObject({ code: 2, stdout: '' });
    const past = await hostnodeHere('maintenance', 'X', '--until', '2020-01-01', '--reason', 'x');
    expect(past).toEqual({
      code: 2,
      stdout: '',
      stderr: 'hostnode: --until 2020-01-01: must be in the future, and 2020-01-02 00:00 is past\n',
    });
    await running();
    const far = await hostnodeHere('maintenance', poco, '--until', '9999d', '--reason', 'x');
    expect(far).toMatchObject({ code: 2, stderr: 'hostnode: --until or --for is more than a year ahead\n' });
    const long = ['X', '--until', '2h', '--reason', 'x'.repeat(301)];
    expect(await hostnodeHere('maintenance', ...long)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('1 to 300 characters'),
    });
  });
});

describe('the page', () => {
  it('answers to no foreign name, changes nothing, and shows no identifier and no key', async () => {
    const { url } = await running();
    const sent = request(`${url}api/status`, { headers: { host: 'evil.example' } }).end();
    const [refused] = await once(sent, 'response');
    expect(refused.resume().statusCode).toBe(421);
    expect((await fetch(`${url}report`, { method: 'POST' })).status).toBe(405);

    const secrets = [...identifiersOf(cloud), apiKey];
    expect(secrets.length).toBeGreaterThan(2);
    const { phones } = await hostStatus();
    const paths = [
      '',
      'api/status',
      'metrics',
      'healthz',
      'readyz',
      ...phones.map(({ udid }) => `api/phones/${udid}`),
    ];
    for (const path of paths) {
      const response = await fetch(`${url}${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });

  it('is back at the same address after a reload, for those who followed too, and has its own configuration', async () => {
    const file = join(await temporaryFolder(), 'hostnode.yaml');
    await writeFile(file, 'roster: { forgetAfterDays: 5 }\n');
    const { daemon, url } = await running({}, '--config', file);
    const events = await fetch(`${url}api/events`);
    const reader = events.body?.getReader();
    await reader?.read();

    daemon.signal('SIGHUP');
    await daemon.says('round');
    while ((await reader?.read())?.done !== true);
    expect((await fetch(`${url}healthz`)).status).toBe(200);
    const again = await fetch(`${url}api/events`);
    expect((await again.body?.getReader().read())?.done).toBe(false);

    await writeFile(file, 'status: { hostNames: [lab-07] }\n');
    daemon.signal('SIGHUP');
    await daemon.says('status page');
    const sent = request(`${url}healthz`, { headers: { host: 'lab-07' } }).end();
    const [answer] = await once(sent, 'response');
    expect(answer.resume().statusCode).toBe(200);
    expect(await hostnodeHere('status', '--check')).toMatchObject({ code: 0 });
  });

  it('with those who follow it does not hold the end up', async () => {
    const { daemon, url } = await running();
    await Promise.all(Array.from({ length: 5 }, () => fetch(`${url}api/events`)));
    expect(await daemon.end()).toEqual({ code: 0 });
    expect(daemon.logged('the stop was not clean')).toEqual([]);
    expect(await readdir(stateDir)).not.toContain('hostnode.sock');
  });

  it('whose port is taken is said, and the agent works', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const daemon = new Daemon({ ...env, HOSTNODE_STATUS_PORT: String(port) });
    const said = await daemon.says('cannot serve the status page: its port is taken; will try again');
    expect(said).toMatchObject({ level: 'error', by: expect.stringContaining(`(process ${process.pid})`) });
    await stored(cloud, ({ udid }) => udid === poco);
    expect(await hostnodeHere('status', '--check')).toMatchObject({ code: 0 });
    expect((await hostnodeHere('status')).stdout).toContain(`page: not served, port ${port} is taken by `);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    other.close();
  });

  it('beyond this host wants a password: 78 without, 401 for those who do not know it', async () => {
    const open = { HOSTNODE_STATUS_LISTEN: '[{"address":"0.0.0.0","port":0}]' };
    const { code, stderr } = await hostnode(['run'], { ...env, ...open });
    expect([code, stderr]).toEqual([78, expect.stringContaining('set status.passwordFile')]);
    const file = join(await temporaryFolder(), 'password');
    await writeFile(file, 'open sesame\n');
    await chmod(file, 0o600);
    const { daemon, url } = await running({ ...open, HOSTNODE_STATUS_PASSWORD_FILE: file });
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/$/);
    expect((await fetch(`${url}api/status`)).status).toBe(401);
    const authorization = `Basic ${Buffer.from('lab:open sesame').toString('base64')}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${url}metrics`)).status).toBe(200);
    await daemon.end();
    expect(daemon.stdout).not.toContain('sesame');
  });

  it('can be switched off; the commands work all the same', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_STATUS_ENABLED: 'false', HOSTNODE_REPORT_SCHEDULE: never });
    await daemon.says('round');
    expect(daemon.logged('status page')).toEqual([]);
    expect(await hostnodeHere('report', '--now')).toMatchObject({ code: 0 });
  });
});
