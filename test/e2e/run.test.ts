import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DevicesBody } from '../../src/cloud/contract/report.ts';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Daemon, type Environment, hostnode, inBash, startInBash } from '../support/program.ts';
import {
  apiKey,
  conversation,
  everySecond,
  identifiersOf,
  phoneOf,
  poco,
  report,
  smartron,
  startHost,
  stored,
  temporaryFolder,
  textsOf,
  toAdb,
  username,
} from '../support/program-lab.ts';

const pocoRecording = recordings.find(({ serial }) => serial === poco);

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let phone: SimulatedPhone;
let other: SimulatedPhone;
let stateDir: string;
let env: Environment;

beforeEach(async () => {
  phone = phoneOf(poco);
  other = phoneOf(smartron);
  ({ adb, cloud, stateDir, env } = await startHost(phone, other));
});

describe('hostnode run', () => {
  it('reports all phones at once, then on schedule', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    for (let times = 0; times < 3; times++) {
      const body = DevicesBody.parse(await report(cloud, ({ devices }) => devices?.length === 2));
      expect(body.devices?.map(({ udid, state }) => [udid, state]).sort()).toEqual([
        [smartron, 'device'],
        [poco, 'device'],
      ]);
    }
    expect((await daemon.end()).code).toBe(0);
  });

  it('says one line a round, with counts and duration, and every line is JSON', async () => {
    const daemon = new Daemon(env);
    expect(await daemon.says('round')).toEqual({
      level: 'info',
      time: expect.any(String),
      msg: 'round',
      attached: 2,
      known: 2,
      collected: 2,
      failed: 0,
      reported: 2,
      refused: 0,
      durationMs: expect.any(Number),
    });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.logged('round')).toHaveLength(1);
    expect(daemon.logged('stopped')).toHaveLength(1);
    expect(daemon.stderr).toBe('');
  });

  it("loads what it needs of Node, and neither Node's fetch nor the data of all languages, which cost memory", async () => {
    const folder = await temporaryFolder();
    const [preload, said] = [join(folder, 'preload.cjs'), join(folder, 'said.json')];
    await writeFile(
      preload,
      `const used = [];
      for (const name of ['Collator', 'DateTimeFormat', 'ListFormat', 'NumberFormat', 'Segmenter']) {
        const construct = (Own, args) => used.push(name) && new Own(...args);
        Intl[name] = new Proxy(Intl[name], { construct });
      }
      process.on('exit', () =>
        require('node:fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify({ used, loaded: process.moduleLoadList })));`,
    );
    const daemon = new Daemon({ ...env, NODE_OPTIONS: `--require=${preload}` });
    expect(await daemon.says('round')).toMatchObject({ reported: 2 });
    await daemon.end();
    const { used, loaded } = JSON.parse(await readFile(said, 'utf8')) as Record<string, string[]>;
    expect(loaded).toContain('NativeModule http');
    expect(loaded?.filter((name) => name.includes('undici'))).toEqual([]);
    expect(used).toEqual([]);
  });

  it('stays up without a cloud, follows the phones and says that it reports nothing', async () => {
    const daemon = new Daemon(toAdb(adb.port, stateDir));
    expect(await daemon.says('not reporting: no cloud configured')).toMatchObject({ level: 'warn' });
    expect(await daemon.says('round')).toMatchObject({ attached: 2, notReporting: 'no cloud configured' });
    await expect.poll(() => daemon.logged('phone attached')).toHaveLength(2);
    adb.unplug(poco);
    expect(await daemon.says('phone unplugged')).toMatchObject({ udid: poco, state: 'disconnected' });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('tells the cloud of a phone that comes, and of one that goes, without a full report', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    adb.unplug(poco);
    await stored(cloud, ({ udid, status }) => udid === poco && status === 'UNPLUGGED');

    adb.plug(phone);
    await stored(cloud, ({ udid, status }) => udid === poco && status === 'PLUGGED');
    expect(daemon.logged('round')).toHaveLength(1);
  });

  it('shows neither credentials nor telephony identifiers, in log or state, at any level', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_LOG_LEVEL: 'trace', HOSTNODE_REPORT_SCHEDULE: everySecond });
    cloud.faults.next({ kind: 'status', status: 401 });
    await daemon.says('the cloud did not store the report');
    await daemon.says('the cloud stores reports again');
    phone.disturb('identifiers', { kind: 'rubbish' });
    cloud.refuse(smartron, `a refusal that quotes ${apiKey}`);
    await daemon.says('the cloud refused a device; it will be sent again');
    await daemon.end();

    const identifiers = identifiersOf(cloud);
    expect(identifiers.length).toBeGreaterThanOrEqual(4);
    const told = [daemon.stdout, daemon.stderr, await textsOf(stateDir)].join('\n');
    const basic = Buffer.from(`${username}:${apiKey}`).toString('base64');
    expect([apiKey, basic, ...identifiers].filter((secret) => told.includes(secret))).toEqual([]);
  });

  it('goes on reporting, and ends, although nobody reads its log any more', async () => {
    const toFullPipe = 'exec > >(exec sleep 1000 >/dev/null 2>&1); head -c 65536 /dev/zero; exec "$@"';
    const daemon = startInBash(toFullPipe, ['run'], {
      ...env,
      HOSTNODE_REPORT_SCHEDULE: everySecond,
      HOSTNODE_LOG_LEVEL: 'trace',
    });
    for (let times = 0; times < 4; times++) await report(cloud);
    expect(await daemon.end()).toEqual({ code: 0 });
  });

  it('is not ended by signals that mean nothing to it', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGIO'] as const) daemon.signal(signal);
    adb.unplug(poco);
    await daemon.says('phone unplugged');
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.stderr).toBe('');
  });

  it('reads and reports 40 phones with 64 files, without one that fails for want of them', async () => {
    const phones = Array.from({ length: 40 }, (_, index) => {
      const recording = JSON.stringify(pocoRecording).replaceAll(poco, `FEW-${index}`);
      return new SimulatedPhone({ ...JSON.parse(recording), devpath: `3-${index + 1}` });
    });
    for (const each of phones) {
      each.disturb('battery', { kind: 'delay', ms: 50 });
      adb.plug(each);
    }
    const program = startInBash('ulimit -n 64; exec "$@"', ['run'], env);
    const read = () =>
      cloud.devices().filter(({ info }) => info.udid.startsWith('FEW-') && info.battery !== undefined);
    while (read().length < 40) await once(cloud, 'answered', { signal: AbortSignal.timeout(30_000) });
    expect(program.stdout).not.toContain('EMFILE');
    expect(await program.end()).toEqual({ code: 0 });
  });

  it('ends with 71 and says why where the system grants it too little', async () => {
    const { code, stderr } = await inBash('ulimit -n 40; exec "$@"', ['run'], env);
    expect({ code, stderr }).toEqual({
      code: 71,
      stderr: expect.stringMatching(/^hostnode: this process may open 40 files, .+ulimit -n\n$/),
    });
  });

  it('says in status --watch that it does not answer, where it hangs', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    daemon.signal('SIGSTOP');
    const { code, stderr } = await hostnode(['status', '--watch'], env);
    daemon.signal('SIGCONT');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `hostnode: the agent at ${join(stateDir, 'hostnode.sock')} did not answer within 5 s\n`,
    });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('refuses a key file that others can read, and says how to mend it', async () => {
    const file = join(await temporaryFolder(), 'key');
    await writeFile(file, apiKey);
    await chmod(file, 0o640);
    const { HOSTNODE_CLOUD_API_KEY: _, ...keyless } = env;
    const { code, stderr } = await hostnode(['run'], { ...keyless, HOSTNODE_CLOUD_API_KEY_FILE: file });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining(`other users can read it (mode 0640); run: chmod 600 ${file}`),
    });
  });
});

describe('the end of hostnode run', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is clean at %s', async (signal) => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    const { code } = await daemon.end(signal);
    expect({ code, stderr: daemon.stderr }).toEqual({ code: 0, stderr: '' });
    expect(daemon.log.slice(-2)).toMatchObject([{ msg: 'stopping', signal }, { msg: 'stopped' }]);
  });

  it('is clean whenever the signal comes while it starts', async () => {
    const daemon = new Daemon(env);
    await daemon.says('hostnode starts');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('comes although a phone hangs in the round in hand, which is still reported', async () => {
    phone.disturb('*', { kind: 'stuck' });
    const daemon = new Daemon(env);
    await conversation(adb, poco);
    expect(await daemon.end()).toEqual({ code: 0 });
    expect(daemon.log.at(-1)).toMatchObject({ msg: 'stopped' });
    const known = cloud.devices().map(({ info }) => [info.udid, info.battery !== undefined]);
    expect(Object.fromEntries(known)).toEqual({ [poco]: false, [smartron]: true });
  });

  it('comes although the cloud hangs', async () => {
    cloud.faults.next({ kind: 'hang' }, 100);
    const daemon = new Daemon({ ...env, HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '60' });
    await once(cloud, 'received');
    expect(await daemon.end()).toEqual({ code: 0 });
    expect(daemon.log.at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('comes at once at a second signal', async () => {
    phone.disturb('*', { kind: 'stuck' });
    const daemon = new Daemon(env);
    await conversation(adb, poco);
    daemon.signal('SIGTERM');
    await daemon.says('stopping');
    expect(await daemon.end('SIGINT')).toEqual({ code: 1 });
    expect(daemon.logged('stopped')).toEqual([]); // it did not wait for the phone
  });
});
