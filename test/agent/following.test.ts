import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { byRounds, hold, Lab, poco, withoutFacts } from '../support/lab.ts';
import { outlasts } from '../support/outlasts.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const lost = () => lab.said('cannot reach adb');
const found = () => lab.said('the adb server answers again');
/** What the cloud was told of a phone, report by report. */
const states = (udid: string) =>
  lab.puts.flatMap(({ devices = [] }) =>
    devices.filter((device) => device.udid === udid).map(({ state }) => state),
  );

/** Waits until the agent has asked for the list so many times more. */
async function listings(times: number): Promise<void> {
  for (let left = times; left > 0; ) {
    const [{ request }] = await once(lab.adb, 'request');
    if (request === 'host:devices-l') left -= 1;
  }
}

/** A server that may list its phones as slowly as it likes, also on a machine that is slow. */
const slowServer = { recoveryMs: 60_000 };

/** Each when the agent has read the list without it a few times. */
async function plugSlowly(phones: readonly SimulatedPhone[]): Promise<void> {
  for (const phone of phones) {
    await listings(3);
    lab.adb.plug(phone);
  }
}

describe('an adb server that is not there', () => {
  it('is said once, and the host is reported without a word on its phones', async () => {
    const { port } = lab.adb;
    await lab.stopAdb();
    const agent = await lab.running();
    await agent.round();
    expect(lab.puts.map(({ devices }) => devices)).toEqual([undefined, undefined]);
    expect(lost().map(({ err }) => err)).toEqual([
      expect.objectContaining({ code: 'ADB_UNAVAILABLE', message: `no adb server at 127.0.0.1:${port}` }),
    ]);
    await lab.startAdb([poco()]);
    await lab.untilState('POCO', 'device');
    expect([lost().length, found().length]).toEqual([1, 1]);
  });
});

describe('an adb server that comes up together with the agent', () => {
  it('and lists its phones one by one has none of them reported as gone', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    const before = await lab.running({ timing: byRounds });
    await before.stop();
    await lab.stopAdb();
    await lab.startAdb([]);
    const agent = await lab.agent({ timing: { ...slowServer, ...byRounds } });
    agent.start();
    await plugSlowly([first, second]);
    await lab.until(() => lab.said('round').length === 2);
    expect(states('FIRST')).toEqual(['device', 'device']);
    expect(states('SECOND')).toEqual(['device', 'device']);
  });

  it('has none reported as gone either after an agent that never met it', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    const before = await lab.running({ timing: byRounds });
    await before.stop();
    await lab.stopAdb();
    const between = await lab.agent();
    between.start();
    await lab.until(() => lab.said('round').length === 2);
    await between.stop();
    await lab.startAdb([]);
    const agent = await lab.agent({ timing: { ...slowServer, ...byRounds } });
    agent.start();
    await plugSlowly([first, second]);
    await lab.until(() => lab.said('round').length === 3);
    expect(new Set([...states('FIRST'), ...states('SECOND')])).toEqual(new Set(['device']));
  });
});

describe('an adb server that dies', () => {
  it('and is back at once has lost nothing: no phone is reported unplugged', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running();
    const { phones } = lab.adb;
    await lab.stopAdb();
    await lab.startAdb(phones);
    await once(lab.adb, 'request');
    await agent.round();
    lab.adb.plug(poco('SECOND', '1-2'));
    await lab.untilState('SECOND', 'device');
    expect(lost()).toEqual([]);
    expect(states('POCO')).not.toContain('disconnected');
  });

  it('and comes back with its phones one by one reports none of them as gone', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    await lab.running({ timing: { relistMs: 100, ...slowServer, ...byRounds } });
    await lab.stopAdb();
    await lab.until(() => lost().length === 1);
    await lab.startAdb([]);
    for (const phone of [first, second]) {
      await listings(4); // without it
      lab.adb.plug(phone);
    }
    await lab.until(() => found().length === 1);
    await lab.until(() => lab.said('round').length === 2);
    expect(states('FIRST')).toEqual(['device', 'device']);
    expect(states('SECOND')).toEqual(['device', 'device']);
  });

  it('and is back before anybody missed it, its phones one by one, reports none of them as gone', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    const agent = await lab.running({ timing: { relistMs: 100, ...slowServer } });
    await lab.stopAdb();
    await lab.startAdb([]);
    for (const phone of [first, second]) {
      await listings(4); // without it
      lab.adb.plug(phone);
    }
    await listings(4);
    await agent.round();
    expect(lost()).toEqual([]);
    expect([...states('FIRST'), ...states('SECOND')]).not.toContain('disconnected');
  });

  it('and is replaced once more while its phones are on their way reports none of them as gone', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    const pass = clockAhead();
    const agent = await lab.running({ timing: { relistMs: 100, ...slowServer } });
    for (let times = 0; times < 2; times += 1) {
      await lab.stopAdb();
      await lab.startAdb([first]);
      await listings(2); // the first of them is answered
      pass(0.6 * slowServer.recoveryMs);
      await listings(2);
    }
    lab.adb.plug(second);
    await listings(4);
    await agent.round();
    expect([...states('FIRST'), ...states('SECOND')]).not.toContain('disconnected');
  });

  it('and is back with a flapping phone has its list read no more often than before', async () => {
    lab.adb.plug(poco('MISSING', '1-1'));
    await lab.running({ timing: slowServer });
    await lab.stopAdb();
    await lab.startAdb([poco('RESTLESS', '1-2')]);
    await listings(2);
    let changes = 0;
    const restless = setInterval(() => {
      changes += 1;
      lab.adb.setState('RESTLESS', changes % 2 === 0 ? 'device' : 'offline');
    }, 2);
    expect(await outlasts(14 * 45, () => listings(15))).toBe(true);
    clearInterval(restless);
  });

  it('and comes back without a phone has that one reported as unplugged', async () => {
    const [first, second] = [poco('FIRST', '1-1'), poco('SECOND', '1-2')];
    for (const phone of [first, second]) lab.adb.plug(phone);
    const agent = await lab.running();
    await lab.stopAdb();
    await lab.until(() => lost().length === 1);
    expect(agent.state.adb.failureKind).toBe('absent');
    await lab.startAdb([first]);
    await lab.untilState('SECOND', 'disconnected');
    expect(lab.stored('FIRST')?.state).toBe('device');
  });
});

describe('an adb server that accepts and answers nothing', () => {
  it('is noticed, said once, and followed again when it answers', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({
      timing: { relistMs: 100 },
      env: { HOSTNODE_ADB_REQUEST_TIMEOUT_SECONDS: '1' },
    });
    lab.adb.faults.silent = true;
    await lab.until(() => lost().length === 1);
    expect(lost()[0]?.err).toMatchObject({ message: expect.stringContaining('did not answer within 1 s') });
    expect(agent.state.adb).toEqual({
      state: 'unreachable',
      failureKind: 'silent',
      failure: `the adb server at 127.0.0.1:${lab.adb.port} accepts connections but did not answer within 1 s`,
    });
    await agent.round();
    expect(lab.puts.at(-1)).not.toHaveProperty('devices');
    lab.adb.faults.silent = false;
    lab.adb.plug(poco('SECOND', '1-2'));
    await lab.untilState('SECOND', 'device');
    expect([lost().length, found().length]).toEqual([1, 1]);
    expect(agent.state.adb).not.toHaveProperty('failure');
  });
});

describe('something else than an adb server', () => {
  it('is said once, however often it is tried', async () => {
    lab.adb.faults.garbage = true;
    const agent = await lab.running();
    await listings(1);
    expect(agent.state.adb.failureKind).toBe('foreign');
    expect(lost().map(({ err }) => err)).toEqual([
      expect.objectContaining({ message: `what listens at 127.0.0.1:${lab.adb.port} is not an adb server` }),
    ]);
  });
});

describe('two phones of one serial', () => {
  it('stay two phones when one of them is unplugged', async () => {
    lab.adb.plug(poco('TWIN', '1-1'));
    lab.adb.plug(poco('TWIN', '1-2'));
    await lab.running();
    expect(lab.cloud.devices().map(({ info }) => [info.udid, info.state])).toEqual([
      ['TWIN@1-1', 'device'],
      ['TWIN@1-2', 'device'],
    ]);
    lab.adb.unplug('usb:1-2');
    await lab.untilState('TWIN@1-2', 'disconnected');
    expect(lab.stored('TWIN@1-1')?.state).toBe('device');
  });

  it('are reported with their own facts, also when the second appears while the first is collected', async () => {
    const first = poco('TWIN', '1-1');
    const answer = hold(first, 'battery');
    await lab.running({ timing: { relistMs: 100, ...withoutFacts } });
    lab.adb.plug(first);
    await lab.untilState('TWIN', 'device');
    lab.adb.plug(poco('TWIN', '1-2'));
    await lab.untilState('TWIN@1-2', 'device');
    answer();
    await lab.until(() => lab.stored('TWIN@1-1')?.battery !== undefined);
    expect(
      lab
        .said('phone read')
        .map(({ udid }) => udid)
        .sort(),
    ).toEqual(['TWIN@1-1', 'TWIN@1-2']);
    expect(lab.stored('TWIN')?.state).toBe('disconnected');
  });
});
