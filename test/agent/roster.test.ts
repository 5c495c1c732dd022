import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pause } from '../../src/base/time.ts';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';
import { byRounds, hold, Lab, networkPoco, networkXiaomi, poco, withoutFacts } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const told = () => lab.puts.map(({ devices }) => devices?.map(({ udid, status }) => `${udid} ${status}`));

describe('a phone that was unplugged', () => {
  it('while the agent did not run is reported so when it starts again, with its name', async () => {
    lab.adb.plug(poco());
    const before = await lab.running();
    await before.stop();
    lab.adb.unplug('POCO');
    await lab.running();
    expect(told()).toEqual([['POCO PLUGGED'], ['POCO UNPLUGGED']]);
    expect(lab.stored('POCO')).toMatchObject({ state: 'disconnected', modelName: '24069PC21I' });
    expect(lab.said('phone unplugged')).toEqual([]);
  });

  it('long ago is forgotten, also by the next start', async () => {
    const env = { HOSTNODE_ROSTER_FORGET_AFTER_DAYS: '0.00000001' }; // 1 ms
    lab.adb.plug(poco());
    const agent = await lab.running({ env, timing: { steadyClockMs: 0 } });
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    await agent.round(); // tells the cloud, if that has not been done
    await agent.round();
    expect(lab.said('phone forgotten').map(({ udid }) => udid)).toEqual(['POCO']);
    await agent.stop();
    await lab.running({ env });
    expect(told().at(-1)).toEqual([]);
  });
});

describe('a phone on the network', () => {
  it('has its own serial as its name, which is known before its first report', async () => {
    const { phone, serialNumber } = networkPoco();
    await lab.running();
    lab.adb.plug(phone);
    await lab.untilState(serialNumber, 'device');
    expect(told()).toEqual([[], [`${serialNumber} PLUGGED`]]);
    expect(lab.stored(serialNumber)?.adbTunnelInfo).toMatchObject({
      serial: phone.serial,
      connection: 'tcp',
    });
  });

  it('whose serial becomes known late has its address reported as unplugged, once, and then forgotten', async () => {
    const { phone, serialNumber } = networkPoco();
    const answer = hold(phone, 'boot.clock');
    const agent = await lab.running({ timing: withoutFacts });
    lab.adb.plug(phone);
    await lab.untilState(phone.serial, 'device');
    answer();
    await lab.untilState(phone.serial, 'disconnected');
    await lab.until(() => lab.puts.every(({ status }) => status === 200));
    phone.heal();
    await agent.round();
    const reports = told().flatMap((devices) => devices ?? []);
    expect(reports.filter((text) => text === `${phone.serial} UNPLUGGED`)).toHaveLength(1);
    expect(told().at(-1)).toEqual([`${serialNumber} PLUGGED`]);
  });
});

describe('a phone on the network whose serial becomes known while its address is being reported', () => {
  it('still has the address reported as unplugged', async () => {
    const { phone, serialNumber } = networkPoco();
    const answer = hold(phone, 'boot.clock');
    await lab.running({ timing: withoutFacts });
    lab.cloud.faults.next({ kind: 'slow', ms: 1_000 });
    const puts = lab.puts.length;
    lab.adb.plug(phone);
    await lab.until(() => lab.puts.length > puts);
    answer();
    await lab.untilState(phone.serial, 'disconnected');
    await lab.untilState(serialNumber, 'device');
    expect(told().slice(1)).toEqual([
      [`${phone.serial} PLUGGED`],
      [`${phone.serial} UNPLUGGED`, `${serialNumber} PLUGGED`],
    ]);
  });
});

describe('a phone on the network that went long ago, and that adb still lists as offline', () => {
  it.each([
    ['some hours ago', 3],
    ['some days ago', 72],
  ])('is not told as plugged by the next start: %s', async (_, hours) => {
    const { phone } = networkPoco();
    const address = phone.serial;
    const env = { HOSTNODE_ROSTER_OFFLINE_NETWORK_MINUTES: '1' };
    lab.adb.plug(phone);
    const before = await lab.running({ env });
    await before.stop();
    const [device] = (await readRoster(lab.stateDir)).value?.devices ?? [];
    if (device === undefined) throw new Error('it is not in the roster');
    const goneAt = Date.now() - hours * 3_600_000;
    const gone = { ...device, attached: false, state: 'disconnected', lastSeenAt: goneAt, goneAt };
    await writeRoster(lab.stateDir, { devices: [gone], sharedSerials: [], partedPlaces: [] });
    lab.adb.setState(address, 'offline');
    const puts = lab.puts.length;
    const agent = await lab.running({ env });
    await agent.round();
    const states = lab.puts.slice(puts).flatMap(({ devices = [] }) => devices.map(({ state }) => state));
    expect(new Set(states)).toEqual(new Set(['disconnected']));
    expect((await readRoster(lab.stateDir)).value?.devices[0]?.goneAt).toBe(goneAt);
    lab.adb.setState(address, 'device');
    await lab.untilState(device.udid, 'device');
  });
});

describe('two phones on the network that have swapped their addresses while adb was away', () => {
  it('are reported each as itself', async () => {
    const [one, other] = ['192.168.1.7:5555', '192.168.1.8:5555'] as const;
    const { serialNumber } = networkPoco();
    for (const { phone } of [networkPoco(one), networkXiaomi(other)]) lab.adb.plug(phone);
    await lab.running({ timing: { relistMs: 100 } });
    await lab.until(() => lab.stored(serialNumber)?.modelName !== undefined);
    const model = lab.stored(serialNumber)?.modelName;
    await lab.stopAdb();
    await lab.until(() => lab.said('cannot reach adb').length === 1);
    const puts = lab.puts.length;
    await lab.startAdb([networkXiaomi(one).phone, networkPoco(other).phone]);
    await lab.until(() => lab.stored(serialNumber)?.adbTunnelInfo?.serial === other);
    const models = lab.puts
      .slice(puts)
      .flatMap(({ devices = [] }) => devices.filter(({ udid }) => udid === serialNumber))
      .map(({ modelName }) => modelName);
    expect(new Set(models)).toEqual(new Set([model]));
  });
});

describe('the first report', () => {
  it('is written down before it has answered, so that a crash does not forget to take it back', async () => {
    const { phone } = networkPoco();
    await lab.running({ timing: withoutFacts });
    hold(phone, 'boot.clock');
    lab.cloud.faults.next({ kind: 'slow', ms: 1_500 });
    const puts = lab.puts.length;
    lab.adb.plug(phone);
    await lab.until(() => lab.puts.length > puts);
    await expect
      .poll(async () => (await readRoster(lab.stateDir)).value?.devices.map(({ reported }) => reported))
      .toEqual([true]);
    expect(lab.puts.at(-1)?.status).toBeUndefined();
  });
});

describe('the rules of the lab', () => {
  it('name a phone, hide one, and leave one alone altogether', async () => {
    const rules = [
      { match: { serial: 'NAMED' }, deviceName: 'Shelf 3', support: { appiumDisabled: true } },
      { match: { udid: 'HID*' }, isHidden: true, addedToCloud: false },
      { match: { serial: 'IGNORED' }, ignore: true },
    ];
    lab.adb.plug(poco('NAMED', '1-1'));
    lab.adb.plug(poco('HIDDEN', '1-2'));
    lab.adb.plug(poco('IGNORED', '1-3'));
    const agent = await lab.running({ env: { HOSTNODE_DEVICES: JSON.stringify(rules) }, timing: byRounds });
    lab.adb.setState('IGNORED', 'unauthorized');
    lab.adb.setState('NAMED', 'unauthorized');
    await agent.round();
    expect(lab.stored('NAMED')?.state).toBe('unauthorized');
    expect(told()).toEqual([
      ['HIDDEN PLUGGED', 'NAMED PLUGGED'],
      ['HIDDEN PLUGGED', 'NAMED PLUGGED'],
    ]);
    expect(lab.stored('NAMED')).toMatchObject({
      deviceName: 'Shelf 3',
      support: { appiumDisabled: true, unlockPasscodeDisabled: false },
    });
    expect(lab.stored('HIDDEN')).toMatchObject({ isHidden: true, addedToCloud: false });
    expect(lab.adb.requests.filter(({ serial }) => serial === 'IGNORED')).toEqual([]);
  });
});

describe('a rule that ignores phones by their model', () => {
  const env = { HOSTNODE_DEVICES: JSON.stringify([{ match: { model: '24069PC21I' }, ignore: true }]) };

  it('has none of them reported, however slowly they identify themselves', async () => {
    const agent = await lab.running({ env, timing: withoutFacts });
    const [ignored, other] = [poco('POCO', '1-1'), poco('OTHER', '1-2')];
    other.alter('identity.properties', (text) => text.replaceAll('24069PC21I', 'Other'));
    const answers = [ignored, other].map((phone) => hold(phone, 'boot.clock'));
    for (const phone of [ignored, other]) lab.adb.plug(phone);
    const isAsked = ({ serial }: SimulatedPhone) =>
      lab.adb.requests.some((one) => one.serial === serial && one.request.startsWith('shell'));
    while (![ignored, other].every(isAsked)) await once(lab.adb, 'request');
    await pause(200); // longer than a report waits for what they say
    for (const answer of answers) answer();
    await lab.untilState('OTHER', 'device');
    await agent.round();
    expect(told().flatMap((devices) => devices ?? [])).toEqual(['OTHER PLUGGED', 'OTHER PLUGGED']);
  });

  it('keeps none back that cannot say it', async () => {
    lab.adb.plug(poco());
    lab.adb.setState('POCO', 'unauthorized');
    await lab.running({ env });
    expect(told()).toEqual([['POCO PLUGGED']]);
  });
});

describe('a phone that the lab ignores from now on', () => {
  it('is reported as unplugged once, and then no more', async () => {
    lab.adb.plug(poco());
    const before = await lab.running();
    await before.stop();
    const rules = [{ match: { serial: 'POCO' }, ignore: true }];
    const agent = await lab.running({ env: { HOSTNODE_DEVICES: JSON.stringify(rules) } });
    expect(lab.stored('POCO')).toMatchObject({ status: 'UNPLUGGED', state: 'disconnected' });
    await agent.round();
    expect(told()).toEqual([['POCO PLUGGED'], ['POCO UNPLUGGED'], []]);
  });

  it('is not reported again if the cloud already stored that it was unplugged', async () => {
    lab.adb.plug(poco());
    const before = await lab.running();
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    await before.round();
    await before.stop();
    const puts = lab.puts.length;
    const rules = [{ match: { serial: 'POCO' }, ignore: true }];
    const agent = await lab.running({ env: { HOSTNODE_DEVICES: JSON.stringify(rules) } });
    await agent.round();
    expect(told().slice(puts)).toEqual([[], []]);
  });
});
