import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lab, networkPoco, poco } from './lab.ts';

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
    expect(lab.said('phone gone')).toEqual([]);
  });

  it('long ago is forgotten, also by the next start', async () => {
    const env = { HOSTNODE_ROSTER_FORGET_AFTER_DAYS: '0.000001' }; // 86 ms
    lab.adb.plug(poco());
    const agent = await lab.running({ env });
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
  it('goes by its own serial, which it tells before the cloud hears of it', async () => {
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

  it('that tells its serial late has its address reported as unplugged, once, and then forgotten', async () => {
    const { phone, serialNumber } = networkPoco();
    phone.disturb('boot.clock', { kind: 'delay', ms: 1_000 });
    const agent = await lab.running();
    lab.adb.plug(phone);
    await lab.untilState(phone.serial, 'device');
    await lab.untilState(phone.serial, 'disconnected');
    await lab.until(() => lab.puts.every(({ status }) => status === 200));
    phone.heal();
    await agent.round();
    const reports = told().flatMap((devices) => devices ?? []);
    expect(reports.filter((text) => text === `${phone.serial} UNPLUGGED`)).toHaveLength(1);
    expect(told().at(-1)).toEqual([`${serialNumber} PLUGGED`]);
  });
});

describe('a phone on the network that tells its serial while its address is on its way to the cloud', () => {
  it('has the address reported as unplugged all the same', async () => {
    const { phone, serialNumber } = networkPoco();
    phone.disturb('boot.clock', { kind: 'delay', ms: 1_000 });
    await lab.running();
    lab.cloud.faults.next({ kind: 'slow', ms: 1_000 });
    lab.adb.plug(phone);
    await lab.untilState(phone.serial, 'disconnected');
    await lab.untilState(serialNumber, 'device');
    expect(told().slice(1)).toEqual([
      [`${phone.serial} PLUGGED`],
      [`${phone.serial} UNPLUGGED`, `${serialNumber} PLUGGED`],
    ]);
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
    const agent = await lab.running({ env: { HOSTNODE_DEVICES: JSON.stringify(rules) } });
    lab.adb.setState('IGNORED', 'unauthorized');
    lab.adb.setState('NAMED', 'unauthorized');
    await lab.untilState('NAMED', 'unauthorized');
    await agent.round();
    expect(told()).toEqual([
      ['HIDDEN PLUGGED', 'NAMED PLUGGED'],
      ['NAMED PLUGGED'],
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

describe('a phone that the lab ignores from now on', () => {
  it('is told as unplugged once, and then no more', async () => {
    lab.adb.plug(poco());
    const before = await lab.running();
    await before.stop();
    const rules = [{ match: { serial: 'POCO' }, ignore: true }];
    const agent = await lab.running({ env: { HOSTNODE_DEVICES: JSON.stringify(rules) } });
    expect(lab.stored('POCO')).toMatchObject({ status: 'UNPLUGGED', state: 'disconnected' });
    await agent.round();
    expect(told()).toEqual([['POCO PLUGGED'], ['POCO UNPLUGGED'], []]);
  });
});
