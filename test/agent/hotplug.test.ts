import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Debouncer } from '../../src/agent/hotplug.ts';
import { standardTiming } from '../../src/agent/options.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { Lab, poco, pocos, withoutFacts } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

/** Lets something happen and waits until the cloud hears of it. */
async function untilPut(udid: string, state: string, happen: () => void): Promise<void> {
  const before = lab.puts.length;
  const news = () =>
    lab.puts
      .slice(before)
      .find(({ devices = [] }) => devices.some((device) => device.udid === udid && device.state === state));
  happen();
  await lab.until(() => news() !== undefined);
}

describe('a change reaches the cloud by itself', () => {
  /** Nothing else brings the change before the test has timed out: no list without an event, no end of a round. */
  const onlyEvents = { relistMs: 600_000, roundWaitMs: 500, ...withoutFacts };

  const sequence = async () => {
    const phone = poco();
    await untilPut('POCO', 'device', () => void lab.adb.plug(phone));
    await untilPut('POCO', 'unauthorized', () => lab.adb.setState('POCO', 'unauthorized'));
    await untilPut('POCO', 'offline', () => lab.adb.setState('POCO', 'offline'));
    await untilPut('POCO', 'device', () => lab.adb.setState('POCO', 'device'));
    await untilPut('POCO', 'disconnected', () => lab.adb.unplug('POCO'));
  };

  it('within one second, as far as it waits on purpose', () => {
    const { quietMs, quietOfflineMs, factsWaitMs } = standardTiming;
    expect(quietMs + factsWaitMs).toBeLessThan(1000);
    expect(quietOfflineMs).toBeLessThan(1000);
  });

  it('when the phone is alone', async () => {
    await lab.running({ timing: onlyEvents });
    await sequence();
    expect(lab.said('round')).toHaveLength(1);
  });

  it('when 50 phones are attached, and one of them hangs', async () => {
    const [hung, ...others] = pocos(50);
    hung?.disturb('*', { kind: 'stuck' });
    for (const phone of [hung, ...others]) if (phone) lab.adb.plug(phone);
    await lab.running({ timing: onlyEvents });
    await sequence();
    expect(lab.said('round')).toHaveLength(1);
  });

  it('when it is the phone itself that hangs', async () => {
    await lab.running({ timing: onlyEvents });
    const phone = poco();
    phone.disturb('*', { kind: 'stuck' });
    await untilPut('POCO', 'device', () => void lab.adb.plug(phone));
    expect(lab.stored('POCO')).not.toHaveProperty('battery');
  });
});

describe('a phone that comes', () => {
  it('is reported with what it said, in one report', async () => {
    await lab.running();
    lab.adb.plug(poco());
    await lab.untilState('POCO', 'device');
    expect(lab.puts.slice(1).map(({ devices }) => devices?.map(({ udid }) => udid))).toEqual([['POCO']]);
    expect(lab.stored('POCO')).toMatchObject({ modelName: '24069PC21I', battery: { health: 'GOOD' } });
  });

  it('goes in one report with those that come at the same time', async () => {
    await lab.running({ timing: withoutFacts });
    const phones = [...pocos(3), poco()];
    for (const phone of phones) phone.disturb('*', { kind: 'stuck' }); // none answers before the others
    lab.adb.faults.silent = true;
    for (const phone of phones.slice(0, 3)) lab.adb.plug(phone);
    lab.adb.faults.silent = false;
    for (const phone of phones.slice(3)) lab.adb.plug(phone);
    await lab.untilState('POCO', 'device');
    expect(lab.puts.slice(1).map(({ devices }) => devices?.length)).toEqual([4]);
  });

  it('shows nothing of what it said before it was unplugged', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    await lab.running({ timing: withoutFacts });
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    expect(lab.stored('POCO')).not.toHaveProperty('battery');
    phone.disturb('*', { kind: 'stuck' });
    lab.adb.plug(phone);
    await lab.untilState('POCO', 'device');
    expect(lab.stored('POCO')).not.toHaveProperty('battery');
    expect(lab.stored('POCO')?.modelName).toBe('24069PC21I');
  });

  it('shows nothing of it either once the first conversation after that breaks off', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    await lab.running({ timing: withoutFacts });
    lab.adb.setState('POCO', 'unauthorized');
    await lab.untilState('POCO', 'unauthorized');
    phone.disturb('battery', { kind: 'stuck' }); // its boot is told before
    lab.adb.setState('POCO', 'device');
    await lab.untilState('POCO', 'device');
    lab.adb.dropConnections();
    await lab.until(() => lab.said('the phone broke off').length > 0);
    await lab.until(() => (lab.stored('POCO')?.uptime ?? 0) > 0);
    expect(lab.stored('POCO')).not.toHaveProperty('battery');
  });
});

describe('a cable that flaps', () => {
  const flapping = { quietMs: 1_000, longestDebounceMs: 600_000 };

  it('twenty times, and holds in the end, is one report', async () => {
    const agent = await lab.running({ timing: flapping });
    const phone = poco();
    for (let flips = 0; flips < 20; flips += 1) {
      lab.adb.plug(phone);
      await once(lab.adb, 'request');
      lab.adb.unplug('POCO');
      await once(lab.adb, 'request');
    }
    lab.adb.plug(phone);
    await lab.untilState('POCO', 'device');
    await agent.round();
    expect(lab.puts.map(({ devices }) => devices?.length)).toEqual([0, 1, 1]);
    expect(lab.said('phone attached')).toHaveLength(1);
  });

  it('and ends as it began is no report', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await lab.running({ timing: flapping });
    lab.adb.unplug('POCO');
    await once(lab.adb, 'request');
    lab.adb.plug(phone);
    lab.adb.plug(poco('SECOND', '1-2'));
    await lab.untilState('SECOND', 'device');
    await agent.round();
    expect(lab.puts.map(({ devices }) => devices?.map(({ udid }) => udid))).toEqual([
      ['POCO'],
      ['SECOND'],
      ['POCO', 'SECOND'],
    ]);
  });
});

describe('a phone that was unplugged and plugged in again during a reload', () => {
  const happenings: string[] = [];
  const observer = {
    happened: (events: readonly NewEvent[]) =>
      happenings.push(...events.flatMap(({ kind, udid }) => (udid === undefined ? [] : `${kind} ${udid}`))),
  };

  async function reloaded(meanwhile: () => void | Promise<void>, env: Record<string, string> = {}) {
    lab.adb.plug(poco('FIRST', '1-1'));
    lab.adb.plug(poco('SECOND', '1-2'));
    const before = await lab.runningHost({ observer });
    await before.stop();
    happenings.length = 0;
    await meanwhile();
    await lab.running({ carried: before.carried, observer, env });
    return happenings;
  }

  it('has left a trace: its connection is a new one of the same server', async () => {
    const again = () => {
      lab.adb.unplug('FIRST');
      lab.adb.plug(poco('FIRST', '1-1'));
    };
    expect(await reloaded(again)).toEqual(['detached FIRST', 'attached FIRST']);
  });

  it('and without that nothing has happened', async () => {
    expect(await reloaded(() => {})).toEqual([]);
  });
});

describe('what adb calls a phone', () => {
  const words = [
    'unauthorized',
    'authorizing',
    'offline',
    'connecting',
    'recovery',
    'rescue',
    'sideload',
    'bootloader',
    'detached',
    'host',
    'no permissions',
    'fastbootd',
  ];

  it('reaches the cloud as it stands, each with what a person can do', async () => {
    await lab.running();
    words.forEach((word, index) => {
      const phone = poco(`P${index}`, `1-${index + 1}`);
      phone.state = word === 'no permissions' ? 'no permissions (missing udev rules?)' : word;
      lab.adb.plug(phone);
    });
    await lab.until(() => lab.cloud.devices().length === words.length);
    const told = words.map((_, index) => lab.stored(`P${index}`));
    expect(told.map((info) => info?.state)).toEqual(words);
    expect(told.map((info) => info?.status)).toEqual(words.map(() => 'PLUGGED'));
    const messages = new Set(told.map((info) => info?.message));
    expect(messages.size).toBe(words.length);
    expect(messages).not.toContain('');
    expect(lab.stored('P10')?.message).toContain('missing udev rules?');
  });
});

describe('Debouncer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const scene = () => {
    const quiet: string[] = [];
    return { quiet, debouncer: new Debouncer(5_000, (udid) => quiet.push(udid)) };
  };

  it('reports a phone once, when it has not changed for a while', () => {
    const { debouncer, quiet } = scene();
    for (let changes = 0; changes < 10; changes += 1) {
      debouncer.touch('POCO', 250);
      vi.advanceTimersByTime(249);
    }
    expect(quiet).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(10_000);
    expect(quiet).toEqual(['POCO']);
  });

  it('reports a phone that never calms down after five seconds', () => {
    const { debouncer, quiet } = scene();
    for (let ms = 0; ms < 5_100; ms += 100) {
      debouncer.touch('POCO', 250);
      vi.advanceTimersByTime(100);
    }
    expect(quiet).toEqual(['POCO']);
    expect(debouncer.isWaiting('POCO')).toBe(true);
  });

  it('waits for each phone on its own', () => {
    const { debouncer, quiet } = scene();
    debouncer.touch('SLOW', 700);
    debouncer.touch('QUICK', 250);
    vi.advanceTimersByTime(250);
    expect(quiet).toEqual(['QUICK']);
    vi.advanceTimersByTime(450);
    expect(quiet).toEqual(['QUICK', 'SLOW']);
  });

  it('reports nothing after its end', () => {
    const { debouncer, quiet } = scene();
    debouncer.touch('POCO', 250);
    debouncer.stop();
    vi.advanceTimersByTime(10_000);
    expect(quiet).toEqual([]);
  });
});
