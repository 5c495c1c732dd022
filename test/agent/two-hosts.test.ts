import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { Lab, type LabOptions, networkPoco, poco } from '../support/lab.ts';

const timing = { readBackMs: 0, firstReadBackMs: 0 };
const readsBack: LabOptions = { timing, env: { HOSTNODE_CLOUD_READ_BACK: 'true' } };

let lab: Lab;
let adb2: SimulatedAdbServer;
let adb3: SimulatedAdbServer;
let stateDir2: string;
let stateDir3: string;

beforeEach(async () => {
  lab = await Lab.open({ nameHosts: true });
  adb2 = await SimulatedAdbServer.start();
  adb3 = await SimulatedAdbServer.start();
  stateDir2 = await mkdtemp(join(tmpdir(), 'hostnode-rack-2-'));
  stateDir3 = await mkdtemp(join(tmpdir(), 'hostnode-rack-3-'));
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  for (const adb of [adb2, adb3]) await adb.stop();
  for (const dir of [stateDir2, stateDir3]) await rm(dir, { recursive: true, force: true, maxRetries: 5 });
});

/** Another host with an adb server of its own, which reports to the same cloud. */
const hostOn = (nodeId: string, adb: SimulatedAdbServer, stateDir: string): Promise<Agent> =>
  lab.running({
    timing,
    env: {
      HOSTNODE_CLOUD_READ_BACK: 'true',
      HOSTNODE_ADB_PORT: String(adb.port),
      HOSTNODE_STATE_DIR: stateDir,
    },
    carried: { identity: { nodeId, source: 'configuration' } },
  });
const rack2 = () => hostOn('rack-2', adb2, stateDir2);
const rack3 = () => hostOn('rack-3', adb3, stateDir3);

const inCloud = (agent: Agent, udid: string) =>
  agent.state.phones.find(({ device }) => device.udid === udid)?.device.inCloud;
const hostOf = (udid: string) => lab.cloud.devices().find(({ info }) => info.udid === udid)?.nodeId;

describe('a phone that is moved to another host', () => {
  it('is reported by that one alone from then on, and the first one knows where it is', async () => {
    lab.adb.plug(poco());
    const [one, other] = [await lab.running(readsBack), await rack2()];
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    adb2.plug(poco());
    await lab.untilState('POCO', 'device');
    const puts = lab.puts.length;
    for (let round = 0; round < 3; round += 1) {
      await other.round();
      await one.round();
      expect(lab.puts.at(-1)?.devices).toEqual([]);
    }
    expect(
      lab.puts.slice(puts).flatMap(({ devices = [] }) => devices.map(({ status }) => status)),
    ).not.toContain('UNPLUGGED');
    expect(inCloud(one, 'POCO')).toMatchObject({ there: 'elsewhere', host: 'rack-2' });
    await one.stop();
    await (await lab.running(readsBack)).round();
    expect(lab.puts.at(-1)?.devices).toEqual([]);
    expect(hostOf('POCO')).toBe('rack-2');
  });
});

describe('a phone that goes through three hosts', () => {
  it('is the last one’s, whatever failed in between, and though a host is set back to when it had the phone', async () => {
    lab.adb.plug(poco());
    const [one, second, three] = [await lab.running(readsBack), await rack2(), await rack3()];
    let two = second;
    const allReport = async () => {
      for (const each of [one, two, three, one, two, three]) await each.round();
    };
    const move = async (from: SimulatedAdbServer, to: SimulatedAdbServer) => {
      from.unplug('POCO');
      await lab.untilState('POCO', 'disconnected');
      to.plug(poco());
      await lab.untilState('POCO', 'device');
      await allReport();
    };
    await move(lab.adb, adb2);
    expect(hostOf('POCO')).toBe('rack-2');
    await two.stop();
    const backup = `${stateDir2}-backup`;
    await cp(stateDir2, backup, { recursive: true });
    two = await rack2();

    await move(adb2, adb3);
    expect(hostOf('POCO')).toBe('rack-3');
    lab.cloud.faults.next({ kind: 'status', status: 503 }, 2);
    await move(adb3, lab.adb);
    expect(hostOf('POCO')).toBe('lab-host');

    await two.stop();
    await rm(stateDir2, { recursive: true });
    await cp(backup, stateDir2, { recursive: true });
    await rm(backup, { recursive: true });
    two = await rack2();
    await allReport();
    await allReport();
    expect(hostOf('POCO')).toBe('lab-host');
    expect(lab.stored('POCO')?.status).toBe('PLUGGED');
    const puts = lab.puts.length;
    await allReport();
    expect(
      lab.puts.slice(puts).flatMap(({ devices = [] }) => devices.map(({ status }) => status)),
    ).not.toContain('UNPLUGGED');
  });
});

describe('a phone that two hosts have at once', () => {
  it('by cable and over the network: the one with the cable reports it', async () => {
    const { phone, serialNumber } = networkPoco();
    lab.adb.plug(poco(serialNumber));
    adb2.plug(phone);
    const [one, other] = [await lab.running(readsBack), await rack2()];
    for (let round = 0; round < 4; round += 1) for (const each of [one, other]) await each.round();
    expect(lab.puts.at(-1)?.devices).toEqual([]);
    expect(hostOf(serialNumber)).toBe('lab-host');
    expect(lab.stored(serialNumber)?.status).toBe('PLUGGED');
    expect(inCloud(other, serialNumber)).toMatchObject({ there: 'elsewhere', host: 'lab-host' });

    lab.adb.unplug(serialNumber); // from then on the other one speaks
    await lab.untilState(serialNumber, 'disconnected');
    await other.round();
    expect(hostOf(serialNumber)).toBe('rack-2');
    expect(lab.stored(serialNumber)?.status).toBe('PLUGGED');
  });
});

describe('a host whose state was lost', () => {
  it('reports a phone as unplugged that only the cloud knows, and nobody else’s', async () => {
    lab.adb.plug(poco());
    adb2.plug(poco('OTHER'));
    await rack2();
    await (await lab.running(readsBack)).stop();
    lab.adb.unplug('POCO');
    await rm(lab.stateDir, { recursive: true });
    const agent = await lab.running(readsBack);
    expect(lab.stored('POCO')?.status).toBe('PLUGGED');
    await agent.round();
    expect(lab.stored('POCO')?.status).toBe('UNPLUGGED');
    await agent.round();
    expect(lab.puts.at(-1)?.devices).toEqual([]);
    expect(inCloud(agent, 'POCO')).toBeUndefined();
    expect(lab.stored('OTHER')?.status).toBe('PLUGGED');
  });
});

describe('a phone that somebody else reported as unplugged', () => {
  it('is found after two readings, until the cloud has it right', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running(readsBack);
    const device = lab.cloud.devices().find(({ info }) => info.udid === 'POCO');
    const lie = () =>
      lab.cloud.state.devices.put({ ...device, info: { ...device?.info, status: 'UNPLUGGED' } } as never);
    lie();
    await agent.round();
    expect(inCloud(agent, 'POCO')).toMatchObject({ there: 'unplugged' });
    lie();
    await agent.round();
    expect(inCloud(agent, 'POCO')).toMatchObject({ there: 'unplugged', isConfirmed: true });
    await agent.round();
    expect(inCloud(agent, 'POCO')).toBeUndefined();
  });
});

describe('a cloud that does not let hostnode read', () => {
  it('is asked once, and the log says so', async () => {
    lab.adb.plug(poco());
    lab.cloud.faults.next({ kind: 'status', status: 403 });
    const agent = await lab.running(readsBack);
    await agent.round();
    expect(lab.said('the cloud does not let hostnode read its phones back')).toHaveLength(1);
    expect(lab.stored('POCO')?.status).toBe('PLUGGED');
  });
});
