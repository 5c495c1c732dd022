import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { requestAgent } from '../../src/status/http/client.ts';
import { freePorts } from '../support/free-ports.ts';
import { Daemon, type Environment, hostnode, Program, programFile } from '../support/program.ts';
import {
  conversation,
  never,
  phoneOf,
  poco,
  report,
  startHost,
  stored,
  temporaryFolder,
} from '../support/program-lab.ts';

let phone: SimulatedPhone;
let adb: SimulatedAdbServer;
let cloud: Sandbox;
let file: string;
let env: Environment;

const configure = (text: string) => writeFile(file, text);
const seldom = `report: { schedule: "${never}" }\n`;
const often = 'report: { schedule: "* * * * * *" }\n';

/** Starts it with the configuration file, and lets the first round end. */
async function start(): Promise<Daemon> {
  const daemon = new Daemon(env, '--config', file);
  await daemon.says('round');
  return daemon;
}

beforeEach(async () => {
  phone = phoneOf(poco);
  const host = await startHost(phone);
  ({ adb, cloud } = host);
  file = join(await temporaryFolder(), 'hostnode.yaml');
  const { HOSTNODE_REPORT_SCHEDULE: _, ...unscheduled } = host.env;
  env = unscheduled;
  await configure(seldom);
});

/** All that the history has, oldest first. */
async function history(): Promise<{ kind: string; udid?: string }[]> {
  const socketPath = join(env.HOSTNODE_STATE_DIR ?? '', 'hostnode.sock');
  const { text } = await requestAgent(socketPath, { path: '/history?since=0', timeoutMs: 10_000 });
  return JSON.parse(text).toReversed();
}

/** Serves page, metrics and health on a port that stays. */
async function withPort(): Promise<string> {
  const [port = 0] = await freePorts(1);
  env = { ...env, HOSTNODE_STATUS_PORT: String(port) };
  return `http://127.0.0.1:${port}`;
}

/** Reloads, and waits for the first round after that. */
async function reload(daemon: Daemon): Promise<void> {
  daemon.signal('SIGHUP');
  await daemon.says('reading the configuration again');
  await daemon.says('round');
}

describe('over a reload', () => {
  it('no phone is reported twice, and none that comes or goes meanwhile is lost', async () => {
    adb.plug(phoneOf('50dc3516'));
    const daemon = await start();
    const puts: string[][] = [];
    cloud.on('received', ({ method, body }) => {
      const devices = (body as { devices?: { udid: string; status: string }[] })?.devices ?? [];
      if (method === 'PUT') puts.push(devices.map(({ udid, status }) => `${udid} ${status}`).sort());
    });
    await reload(daemon);
    expect(puts).toEqual([[`50dc3516 PLUGGED`, `${poco} PLUGGED`]]);

    phone.disturb('*', { kind: 'stuck' }); // a reload waits for the phone that is being asked
    const asked = conversation(adb, poco);
    const reporting = hostnode(['report', '--now', '--config', file], env);
    await asked;
    daemon.signal('SIGHUP');
    await daemon.says('reading the configuration again');
    adb.unplug('50dc3516');
    adb.plug(phoneOf('RE47644423'));
    phone.heal();
    await daemon.says('hostnode starts');
    await stored(cloud, ({ udid, status }) => udid === 'RE47644423' && status === 'PLUGGED');
    await stored(cloud, ({ udid, status }) => udid === '50dc3516' && status === 'UNPLUGGED');
    await reporting;
    await expect.poll(async () => (await history()).map(({ kind }) => kind)).toContain('detached');
    const told = (await history()).filter(({ kind }) => ['attached', 'detached'].includes(kind));
    expect(told.map(({ kind, udid }) => `${udid} ${kind}`).sort()).toEqual(
      ['50dc3516 attached', '50dc3516 detached', 'RE47644423 attached', `${poco} attached`].sort(),
    );
    expect(daemon.logged('phone unplugged').map(({ udid }) => udid)).toEqual(['50dc3516']);
    expect((await history()).filter(({ kind }) => kind === 'agentReloaded')).toHaveLength(2);
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('who follows the status comes back by itself, and what it shows goes on', async () => {
    const url = await withPort();
    const daemon = await start();
    const watching = new Program(
      [process.execPath, programFile(), 'status', '--watch', '--json', '--config', file],
      env,
    );
    const seen = () =>
      watching.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await expect.poll(() => seen().length).toBeGreaterThan(0);
    const page = await fetch(`${url}/api/events`);
    const rounds = async () =>
      /^hostnode_round_duration_seconds_count (\d+)$/m.exec(
        await (await fetch(`${url}/metrics`)).text(),
      )?.[1];
    expect(await rounds()).toBe('1');
    await reload(daemon);
    expect(await page.text()).toContain('event: status'); // it has ended: a browser connects again
    const again = await fetch(`${url}/api/events`);
    expect(again.status).toBe(200);
    await again.body?.cancel();
    adb.plug(phoneOf('50dc3516'));
    await expect.poll(() => seen().at(-1).phones.length).toBe(2);
    const [before, after] = [seen()[0], seen().at(-1)];
    expect(after.host.startedAt).toBe(before.host.startedAt);
    expect(after.adb.since).toBe(before.adb.since);
    expect(after.phones.find(({ udid }: { udid: string }) => udid === poco).since).toBe(
      before.phones[0].since,
    );
    await expect.poll(rounds).toBe('2');
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(await watching.ended).toBe(1);
    expect(watching.stderr).toContain('the agent stopped');
  });

  it('the adb server is not touched, nor who else uses it', async () => {
    const daemon = await start();
    const other = connect(adb.port, '127.0.0.1');
    other.write('0014host:track-devices-l');
    await once(other, 'data');
    let isCut = false;
    other.on('close', () => {
      isCut = true;
    });
    await reload(daemon);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(isCut).toBe(false);
    other.destroy();
    expect(adb.requests.filter(({ request }) => /^host:(?:kill|.*connect)/.test(request))).toEqual([]);
    expect(daemon.logged('started an adb server')).toEqual([]);
  });

  it('the health is answered while the old agent stops, and again as soon as the next one is there', async () => {
    const url = await withPort();
    const daemon = await start();
    phone.disturb('*', { kind: 'stuck' }); // the reload waits for it
    const asked = conversation(adb, poco);
    const reporting = hostnode(['report', '--now', '--config', file], env);
    await asked;
    const answers: boolean[] = [];
    const isOver = new AbortController();
    const polling = (async () => {
      while (!isOver.signal.aborted) {
        answers.push(
          await fetch(`${url}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        );
        await pause(10);
      }
    })();
    daemon.signal('SIGHUP');
    await daemon.says('reading the configuration again');
    const atFirst = answers.length;
    await expect.poll(() => answers.length, { interval: 10 }).toBeGreaterThan(atFirst + 1);
    expect(answers).not.toContain(false);
    expect(daemon.logged('hostnode starts')).toHaveLength(1);
    phone.heal();
    await daemon.says('hostnode starts');
    await daemon.says('round');
    await expect.poll(() => answers.at(-1)).toBe(true);
    isOver.abort();
    await Promise.all([polling, reporting]);
    // one gap at most: no answer, and then only answers
    expect(answers.map((isOk) => (isOk ? 'y' : 'n')).join('')).toMatch(/^y+n*y+$/);
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('no finding ends, and none begins again', async () => {
    const hot = (text: string) => text.replace(/^( *temperature: )\d+$/m, '$1620');
    phone.alter('battery.dump', hot);
    const daemon = await start();
    const begun = () =>
      daemon.log.filter(({ msg }) => /^finding (began|goes on)/.test(msg)).map(({ subject }) => subject);
    await expect.poll(begun).toEqual([`phone ${poco}`]);
    await reload(daemon);
    await configure(`${seldom}log: { level: debug }\n`);
    await reload(daemon);
    const other = phoneOf('50dc3516');
    other.alter('battery.dump', hot); // found by an evaluation after the reload
    adb.plug(other);
    await expect.poll(() => begun().length).toBe(2);
    expect(begun()).toEqual([`phone ${poco}`, 'phone 50dc3516']);
    expect(daemon.logged('finding ended')).toEqual([]);
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });
});

describe('SIGHUP', () => {
  it('brings a new schedule, log level and rules for phones into force', async () => {
    const daemon = await start();
    expect(daemon.log.filter(({ level }) => level === 'debug')).toEqual([]);

    await configure(
      `${often}log: { level: debug }\ndevices:\n  - { match: { udid: "${poco}" }, isHidden: true, deviceName: bay 4 }\n`,
    );
    daemon.signal('SIGHUP');

    expect(await stored(cloud, ({ isHidden }) => isHidden)).toMatchObject({
      udid: poco,
      deviceName: 'bay 4',
    });
    await report(cloud);
    await report(cloud);
    expect(daemon.log.some(({ level }) => level === 'debug')).toBe(true);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.stderr).toBe('');
  });

  it('reads all drop-ins again, or none where one of them is wrong', async () => {
    const dropIn = (name: string, text: string) => writeFile(join(dirname(file), 'conf.d', name), text);
    await mkdir(join(dirname(file), 'conf.d'));
    await dropIn('10-often.yaml', often);
    const daemon = await start();
    expect(daemon.log[0]).toMatchObject({ file, dropIns: [expect.stringMatching(/10-often\.yaml$/)] });
    const named = (name: string) => `devices:\n  - { match: { udid: "${poco}" }, deviceName: ${name} }\n`;

    await dropIn('20-name.yaml', named('bay 4'));
    await dropIn('30-wrong.yaml', 'log: { level: loud }\n');
    daemon.signal('SIGHUP');
    expect(await daemon.says('the new configuration is wrong; the old one stays in force')).toMatchObject({
      problems: [expect.stringMatching(/^log\.level = "loud" \(.*30-wrong\.yaml:1\)/)],
    });
    const { deviceName } = await stored(cloud, () => true);
    expect(deviceName).not.toBe('bay 4');

    await dropIn('30-wrong.yaml', 'log: { level: info }\n');
    daemon.signal('SIGHUP');
    await stored(cloud, (device) => device.deviceName === 'bay 4');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('refuses a wrong configuration with all its problems, and the old one stays in force', async () => {
    await configure(often);
    const daemon = await start();
    await configure('report: { schedule: never }\nlog: { level: loud }\nadb: { prot: 1 }\n');
    daemon.signal('SIGHUP');
    expect(await daemon.says('the new configuration is wrong; the old one stays in force')).toMatchObject({
      level: 'error',
      problems: expect.arrayContaining([
        expect.stringMatching(/^report\.schedule = "never" /),
        expect.stringMatching(/^log\.level = "loud" /),
        expect.stringMatching(/adb\.prot/),
      ]),
    });
    await daemon.says('round');
    await daemon.says('round');
    expect(daemon.logged('hostnode starts')).toHaveLength(1);
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('names a misspelt variable where the configuration is refused', async () => {
    env = { ...env, HOSTNODE_ADB_PROT: '1' };
    const misspelt = 'HOSTNODE_ADB_PROT: unknown variable, ignored; did you mean HOSTNODE_ADB_PORT?';
    const daemon = new Daemon(env, '--config', file);
    expect(await daemon.says(misspelt)).toMatchObject({ level: 'warn' });
    await daemon.says('round');
    await configure('log: { level: loud }\n');
    daemon.signal('SIGHUP');
    await daemon.says('the new configuration is wrong; the old one stays in force');
    expect(await daemon.says(misspelt)).toMatchObject({ level: 'warn' });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('ten times while one reload is under way is taken as one more, and the agent goes on', async () => {
    phone.disturb('*', { kind: 'stuck' }); // a reload waits for the phone that is being asked
    const daemon = new Daemon(env, '--config', file);
    await conversation(adb, poco);
    await daemon.says('hostnode starts');
    daemon.signal('SIGHUP');
    await daemon.says('reading the configuration again');
    for (let times = 0; times < 10; times++) daemon.signal('SIGHUP');
    phone.heal();
    await daemon.says('reading the configuration again');
    await daemon.says('round');
    adb.plug(phoneOf('50dc3516'));
    await stored(cloud, ({ udid }) => udid === '50dc3516');
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.logged('reading the configuration again')).toHaveLength(2);
  });

  it('in the middle of a round that hangs does not wait for its end', async () => {
    phone.disturb('*', { kind: 'stuck' });
    const daemon = new Daemon(env, '--config', file);
    await conversation(adb, poco);
    await daemon.says('hostnode starts');
    daemon.signal('SIGHUP');
    await daemon.says('hostnode starts');
    phone.heal();
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('on a host that is retired does not lose the end that comes meanwhile', async () => {
    await configure(`report: { schedule: "${never}", onStop: unplugged }\n`);
    for (const afterMs of [0, 5, 20, 60]) {
      const daemon = await start();
      daemon.signal('SIGHUP');
      await daemon.says('reading the configuration again');
      await pause(afterMs);
      expect(await daemon.end()).toMatchObject({ code: 0 });
      expect(cloud.devices().map(({ info }) => info.status)).toEqual(['UNPLUGGED']);
    }
  });

  it('forgets no phone although the state cannot be written', async () => {
    await configure(often);
    const daemon = await start();
    const { HOSTNODE_STATE_DIR: stateDir = '' } = env;
    const replaced = async () => {
      await rm(stateDir, { recursive: true, force: true }).catch(() => {}); // the agent may make it again meanwhile
      return writeFile(stateDir, '').then(
        () => true,
        () => false,
      );
    };
    await expect.poll(replaced).toBe(true);
    adb.plug(phoneOf('50dc3516'));
    await stored(cloud, ({ udid, status }) => udid === '50dc3516' && status === 'PLUGGED');
    cloud.faults.next({ kind: 'status', status: 503 }, 1000);
    await daemon.says('the cloud did not store the report');
    adb.unplug('50dc3516');
    await daemon.says('phone unplugged');
    daemon.signal('SIGHUP');
    await daemon.says('hostnode starts');
    cloud.faults.clear();
    await stored(cloud, ({ udid, status }) => udid === '50dc3516' && status === 'UNPLUGGED');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('takes phones and maintenance along into another state directory', async () => {
    const { HOSTNODE_STATE_DIR: before, ...rest } = env;
    const after = await temporaryFolder();
    env = { ...rest, HOSTNODE_STATE_DIR: after };
    adb.plug(phoneOf('50dc3516'));
    await (await start()).end(); // a roster lies there already
    adb.unplug('50dc3516');

    env = rest;
    await configure(`${seldom}state: { dir: "${before}" }\n`);
    const daemon = await start();
    await hostnode(['maintenance', poco, '--until', '2h', '--reason', 'new battery', '--config', file], env);
    adb.unplug(poco);
    await daemon.says('phone unplugged');
    await configure(`${seldom}state: { dir: "${after}" }\n`);
    daemon.signal('SIGHUP');
    expect(await daemon.says('round')).toMatchObject({ known: 2 });
    const { stdout } = await hostnode(['maintenance', '--config', file], env);
    expect(stdout).toContain('new battery');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('brings back the socket that somebody has removed', async () => {
    const daemon = await start();
    await hostnode(['status', '--check'], env); // it looks after its socket when the round has ended
    await rm(join(env.HOSTNODE_STATE_DIR ?? '', 'hostnode.sock'));
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 1 });
    daemon.signal('SIGHUP');
    await daemon.says('hostnode starts');
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('with a state directory that another agent holds is refused, and the old one stays in force', async () => {
    const theirs = await temporaryFolder();
    const { HOSTNODE_STATE_DIR: ours = '', ...rest } = env;
    env = rest;
    await configure(`${seldom}state: { dir: "${ours}" }\n`);
    const daemon = await start();
    const other = new Daemon({ ...rest, HOSTNODE_STATE_DIR: theirs });
    await other.says('round');

    await configure(`${seldom}state: { dir: "${theirs}" }\n`);
    daemon.signal('SIGHUP');
    const refusal = await daemon.says('the new configuration cannot be used; the old one stays in force');
    expect(refusal).toMatchObject({ level: 'error', err: { code: 'STATE_LOCKED' } });
    expect(await daemon.says('hostnode starts')).toMatchObject({ stateDir: ours });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });
});
