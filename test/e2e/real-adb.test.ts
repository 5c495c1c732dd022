import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { beforeEach, expect, it } from 'vitest';
import { DevicesBody } from '../../src/cloud/contract/report.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Rig } from '../rig/rig.ts';
import { askAdb } from '../rig/smart-socket.ts';
import { describeWithRig } from '../support/describe-with.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import {
  identifiersOf,
  report,
  startCloud,
  stored,
  temporaryFolder,
  textsOf,
  toAdb,
  toCloud,
} from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const names = ['htc-one-m7-4.1', 'lge-nexus-5-6.0', 'smartron-t5911-8.1', 'xiaomi-poco-f6-15'];
/** The serial numbers of these phones: their names in the cloud. */
const [htc, nexus, smartron, poco] = ['SH34RW905290', '06d3f1a90142b5c7', 'RE47644423', 'f12a8ec9'];

const byUdid = ({ devices = [] }: DevicesBody) => new Map(devices.map((device) => [device.udid, device]));

describeWithRig('the built program with a real adb server', () => {
  let rig: Rig;
  let cloud: Sandbox;
  let stateDir: string;
  let env: Environment;

  beforeEach(async () => {
    rig = await Rig.start();
    cloud = await startCloud();
    stateDir = await temporaryFolder();
    env = { ...toAdb(rig.adb.port, stateDir), ...toCloud(cloud) };
    return () => rig[Symbol.asyncDispose]();
  });

  it('inventory reads phones from Android 4.1 to 15, each in one conversation, and puts what it prints', async () => {
    const phones = await Promise.all(names.map((name) => rig.attach(name)));

    const { code, stdout, stderr } = await hostnode(['inventory', '--json', '--report'], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const body = DevicesBody.parse(JSON.parse(stdout));
    expect(cloud.requests.map((request) => request.body)).toEqual([body]);
    const devices = byUdid(body);
    const summary = [htc, nexus, smartron, poco].map((udid) => {
      const { platformVersion, modelName, battery, storage, memory, telephony } = devices.get(udid) ?? {};
      const sims = telephony?.carriersInfo?.length;
      return [platformVersion, modelName, battery?.percentage, storage?.total, memory?.total, sims];
    });
    expect(summary).toEqual([
      ['4.1.2', 'HTC One', '98', 26_950_919_782, 1_944_526_848, 1],
      ['6.0.1', 'Nexus 5', '61', 13_753_909_248, 1_945_137_152, 1],
      ['8.1.0', 'T5911', '74', 55_739_064_320, 3_757_801_472, 2],
      ['15', '24069PC21I', '100', 246_931_263_488, 11_728_195_584, 2],
    ]);
    const services = phones.map(({ adbd }) => adbd.requested.map((service) => service.split(':')[0]));
    // only its refusal shows what an old adbd does not have:
    expect(services).toEqual([
      ['shell,v2,raw', 'exec', 'shell'],
      ['shell,v2,raw', 'exec'],
      ['shell,v2,raw'],
      ['shell,v2,raw'],
    ]);
  });

  it('run reports at once, hears of a phone that goes, and leaves no process on the phones', async () => {
    const [young, old] = await Promise.all([rig.attach('xiaomi-poco-f6-15'), rig.attach('htc-one-m7-4.1')]);
    const daemon = new Daemon(env);
    await stored(cloud, ({ udid }) => udid === poco);
    await stored(cloud, ({ udid }) => udid === htc);
    await daemon.says('round');

    await rig.unplug(old);
    expect(await stored(cloud, ({ udid, status }) => udid === htc && status === 'UNPLUGGED')).toMatchObject({
      state: 'disconnected',
    });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    await expect.poll(() => [...young.shell.pids(), ...old.shell.pids()]).toEqual([]);
  });

  it('run recovers from an adb server that is killed and started again, and says each once', async () => {
    const phone = await rig.attach('smartron-t5911-8.1');
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: '* * * * * *' });
    await stored(cloud, ({ udid, battery }) => udid === smartron && battery !== undefined);

    await rig.adb.kill();
    await daemon.says('cannot reach adb');
    await report(cloud, (body) => body.devices === undefined); // of the phones it can say nothing now
    await report(cloud);
    await rig.adb.restart();
    await rig.plug(phone);
    await daemon.says('the adb server answers again');
    await report(cloud, (body) => byUdid(body).get(smartron ?? '')?.status === 'PLUGGED');

    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.logged('cannot reach adb')).toHaveLength(1);
    expect(daemon.logged('the adb server answers again')).toHaveLength(1);
  });

  it('run shows no telephony identifier in log or state', async () => {
    await Promise.all(names.map((name) => rig.attach(name)));
    const daemon = new Daemon({ ...env, HOSTNODE_LOG_LEVEL: 'trace' });
    for (const wanted of [htc, nexus, smartron, poco]) {
      await stored(cloud, ({ udid, telephony }) => udid === wanted && telephony !== undefined);
    }
    await daemon.says('round');
    await daemon.end();

    const identifiers = identifiersOf(cloud);
    expect(identifiers.length).toBeGreaterThanOrEqual(8);
    const told = [daemon.stdout, daemon.stderr, await textsOf(stateDir)].join('\n');
    expect(identifiers.filter((id) => told.includes(id))).toEqual([]);
  });

  it('inventory starts an adb server only where none listens, which then goes on running', async () => {
    const port = await freePort();
    const alone = { ...toAdb(port, stateDir), ADB_USB: '0', ADB_EMU: '0', ADB_MDNS: '0' };
    const usual = await watchUsualPort();

    const first = await hostnode(['inventory'], alone);
    const pid = Number(/^hostnode: started an adb server \(process (\d+)\)/.exec(first.stderr)?.[1]);
    try {
      expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('No phones') });
      expect(await askAdb(port, 'host:version')).toMatch(/^[0-9a-f]{4}$/);

      expect(await hostnode(['inventory'], alone)).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      expect(usual.connections()).toBe(0);
    } finally {
      process.kill(pid, 'SIGKILL');
      usual.close();
    }
  });
});

/** Listens where adb servers usually do, and counts who comes; where somebody listens already it cannot. */
async function watchUsualPort(): Promise<{ connections(): number; close(): void }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.once('error', () => {
      process.stderr.write('not checked: that port 5037 is left alone (somebody listens there)\n');
      resolve();
    });
    server.listen(5037, '127.0.0.1', resolve);
  });
  return { connections: () => connections, close: () => server.close() };
}
