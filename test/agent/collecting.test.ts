import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { NO_ANSWER } from '../../src/report/message.ts';
import { hold, Lab, poco, pocos, withoutFacts } from '../support/lab.ts';
import { ManualHost } from '../support/manual-host.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const soon = { timing: { collectSoonMs: 100 } };
const readable = new URL('../../src/demo/phones/poco-f6-android-15.recording.json', import.meta.url);

/** Counts the conversations that are open: its own, and those of all such phones. */
class CountedPhone extends SimulatedPhone {
  static open = 0;
  static mostOpen = 0;
  mostOpen = 0;
  #open = 0;

  override open(service: string, signal: AbortSignal) {
    const output = super.open(service, signal);
    return output && this.#counted(output);
  }

  async *#counted(output: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    this.#open += 1;
    CountedPhone.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    CountedPhone.mostOpen = Math.max(CountedPhone.mostOpen, CountedPhone.open);
    try {
      yield* output;
    } finally {
      this.#open -= 1;
      CountedPhone.open -= 1;
    }
  }
}

function countedPhones(count: number): CountedPhone[] {
  CountedPhone.open = 0;
  CountedPhone.mostOpen = 0;
  const recording: Recording = JSON.parse(readFileSync(readable, 'utf8'));
  return Array.from({ length: count }, (_, index) => {
    const phone = new CountedPhone({ ...recording, serial: `P${index}`, devpath: `1-${index + 1}` });
    phone.disturb('battery', { kind: 'delay', ms: 100 });
    return phone;
  });
}

describe('phones are collected', () => {
  it('and each conversation is counted once, however many have waited for it', async () => {
    const counted: string[] = [];
    const observer = { collected: (udid: string) => counted.push(udid) };
    for (const phone of pocos(3)) lab.adb.plug(phone);
    await lab.running({ observer });
    expect(counted.toSorted()).toEqual(['POCO-1', 'POCO-2', 'POCO-3']);
  });

  it('side by side, up to the bound, and each by one conversation at a time', async () => {
    const phones = countedPhones(6);
    for (const phone of phones) lab.adb.plug(phone);
    const agent = await lab.agent({ env: { HOSTNODE_PROBE_CONCURRENCY: '2' } });
    agent.start();
    await Promise.all([agent.round(), agent.round(), lab.until(() => lab.said('round').length === 1)]);
    await Promise.all([agent.round(), agent.round()]);
    expect(CountedPhone.mostOpen).toBe(2);
    expect(phones.map(({ mostOpen }) => mostOpen)).toEqual(phones.map(() => 1));
    expect(lab.cloud.devices().filter(({ info }) => info.battery !== undefined)).toHaveLength(6);
  });

  it('also while others do not answer that were silent before, more of them than the bound', async () => {
    const [one, another, third, well] = pocos(4);
    const silent = [one, another, third];
    for (const phone of silent) phone?.disturb('*', { kind: 'drop', afterBytes: 0 });
    for (const phone of silent) if (phone) lab.adb.plug(phone);
    const host = new ManualHost(lab.adb.port);
    await host.list();
    await host.collect();
    const answers = silent.map((phone) => phone && hold(phone, '*'));
    if (well) lab.adb.plug(well);
    await host.list();
    const ended: string[] = [];
    const collect = (udid: string) => host.collect(udid).then(() => ended.push(udid));
    const all = ['POCO-1', 'POCO-2', 'POCO-3', 'POCO-4'].map(collect);
    await all[3];
    expect(ended).toEqual(['POCO-4']);
    for (const answer of answers) answer?.();
    await Promise.all(all);
  });

  it('again at once when they were plugged out and in in the middle of it', async () => {
    await lab.running({ timing: { collectSoonMs: 60_000, ...withoutFacts } });
    const phone = poco();
    phone.disturb('*', { kind: 'stuck' });
    lab.adb.plug(phone);
    await lab.untilState('POCO', 'device');
    lab.adb.unplug('POCO');
    phone.heal();
    lab.adb.plug(phone);
    await lab.until(() => lab.stored('POCO')?.battery !== undefined);
    const [, , third] = lab.puts;
    expect(third?.devices?.map(({ udid, state }) => [udid, state])).toEqual([['POCO', 'device']]);
  });

  it('in each round without waiting for one that hangs, whose facts follow on their own', async () => {
    const [slow, ...others] = pocos(4);
    const answer = hold(slow, 'battery');
    for (const phone of [slow, ...others]) if (phone) lab.adb.plug(phone);
    await lab.running({ timing: { roundWaitMs: 1_500 } });
    const read = () => lab.cloud.devices().filter(({ info }) => info.battery !== undefined).length;
    expect(read()).toBe(3);
    expect(lab.said('round')[0]).toMatchObject({ collected: 4, failed: 1, reported: 4 });
    answer();
    await lab.until(() => read() === 4);
    expect(lab.puts.at(-1)?.devices?.map(({ udid }) => udid)).toEqual(['POCO-1']);
  });

  it('and all of which there is no fresh answer are counted, also while one is still being collected', async () => {
    const [slow, ...others] = pocos(5);
    hold(slow, 'battery');
    for (const phone of others.slice(0, 3)) phone.disturb('boot', { kind: 'drop', afterBytes: 0 });
    for (const phone of [slow, ...others]) if (phone) lab.adb.plug(phone);
    await lab.running({ timing: { roundWaitMs: 1_500, collectSoonMs: 60_000 } });
    expect(lab.said('round')[0]).toMatchObject({ collected: 5, failed: 4, reported: 5 });
  });

  it('no longer than half a period before a full report', async () => {
    const phone = poco();
    phone.disturb('*', { kind: 'stuck' });
    lab.adb.plug(phone);
    await lab.running({ schedule: '* * * * * *', timing: { roundWaitMs: 600_000 } });
    expect(lab.said('round')[0]).toMatchObject({ collected: 1, failed: 1, reported: 1 });
  });
});

describe('a phone that is not ready', () => {
  it('is collected again soon while it starts, and is reported when it has', async () => {
    const phone = poco();
    let hasStarted = false;
    phone.alter('boot.properties', (text) =>
      hasStarted ? text : text.replace('[sys.boot_completed]: [1]\n', ''),
    );
    lab.adb.plug(phone);
    await lab.running(soon);
    expect(lab.stored('POCO')?.message).toBe('Starting up: wait until the phone has started');
    expect(lab.stored('POCO')).not.toHaveProperty('battery');
    hasStarted = true;
    await lab.until(() => lab.stored('POCO')?.message === '');
    expect(lab.stored('POCO')?.battery).toBeDefined();
    expect(lab.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  it('is collected again soon while it is locked since its start, and is reported when it is unlocked', async () => {
    const phone = poco();
    let isUnlocked = false;
    phone.alter('boot.properties', (text) =>
      isUnlocked ? text : text.replace('[sys.user.0.ce_available]: [true]\n', ''),
    );
    lab.adb.plug(phone);
    await lab.running(soon);
    expect(lab.stored('POCO')?.message).toBe(
      'Locked since it started: unlock it once on the phone, and set its screen lock to none',
    );
    isUnlocked = true;
    await lab.until(() => lab.stored('POCO')?.message === '');
    expect(lab.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  it('is collected again soon, but not for ever', async () => {
    const phone = poco();
    phone.alter('boot.properties', (text) => text.replace('[sys.boot_completed]: [1]\n', ''));
    lab.adb.plug(phone);
    await lab.running({ timing: { collectSoonMs: 20, collectSoonTimes: 3 } });
    await lab.until(() => lab.said('phone read').length === 4);
    lab.adb.plug(poco('SECOND', '1-2')); // many times 20 ms
    await lab.untilState('SECOND', 'device');
    expect(lab.said('phone read').filter(({ udid }) => udid === 'POCO')).toHaveLength(4);
  });
});

describe('a phone that breaks off', () => {
  it('is collected again soon, keeps its last good facts meanwhile, and is logged once', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await lab.running(soon);
    const { battery } = lab.stored('POCO') ?? {};
    phone.disturb('battery', { kind: 'drop', afterBytes: 10 });
    await agent.round();
    expect(lab.stored('POCO')?.battery).toEqual(battery);
    await lab.until(() => lab.said('phone read').length === 4);
    phone.heal();
    await lab.until(() => lab.said('it works again').length === 1);
    expect(lab.said('the phone broke off')).toEqual([
      expect.objectContaining({ udid: 'POCO', reason: 'the connection broke off' }),
    ]);
  });

  it('is not said to work again while the section that cannot be read only rests', async () => {
    const phone = poco();
    let isBroken = true;
    phone.alter('battery.dump', (text) => (isBroken ? 'nothing of a battery' : text));
    lab.adb.plug(phone);
    const agent = await lab.running();
    for (let round = 0; round < 3; round += 1) await agent.round();
    expect(lab.said('a section could not be read')).toHaveLength(1);
    expect(lab.said('it works again')).toEqual([]);
    isBroken = false;
    for (let round = 0; round < 4; round += 1) await agent.round();
    expect(lab.said('it works again')).toEqual([
      expect.objectContaining({ udid: 'POCO', problem: 'battery unreadable' }),
    ]);
  });

  it('costs no other phone anything', async () => {
    const [broken, other] = pocos(2);
    broken?.disturb('boot', { kind: 'drop', afterBytes: 0 });
    for (const phone of [broken, other]) if (phone) lab.adb.plug(phone);
    await lab.running();
    expect(lab.said('round')[0]).toMatchObject({ collected: 2, failed: 1, reported: 2 });
    expect(lab.stored('POCO-1')).not.toHaveProperty('battery');
    expect(lab.stored('POCO-2')?.battery).toBeDefined();
  });
});

describe('a phone that adb calls "device" and that does not answer', () => {
  it('is said to be silent from the second time on, and well again when it answers', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await lab.running();
    expect(lab.stored('POCO')).toMatchObject({ message: '', battery: { percentage: '81' } });

    phone.disturb('*', { kind: 'drop', afterBytes: 0 });
    await agent.round();
    expect(lab.stored('POCO')?.message).toBe('');
    await agent.round();
    expect(lab.stored('POCO')).toMatchObject({
      status: 'PLUGGED',
      message: NO_ANSWER.usb,
      battery: { percentage: '81' },
    });

    phone.heal();
    await agent.round();
    expect(lab.stored('POCO')?.message).toBe('');
  });

  it('is no less silent when all that it says is rubbish', async () => {
    const phone = poco();
    phone.disturb('*', { kind: 'rubbish' });
    lab.adb.plug(phone);
    const agent = await lab.running();
    await agent.round();
    expect(lab.stored('POCO')?.message).toBe(NO_ANSWER.usb);
  });
});
