import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import type { AgentState } from '../../src/agent/state.ts';
import type { Timeline, TimelineQuery } from '../../src/diagnosis/explain/timeline-query.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { ControlApi, type ControlApiOptions } from '../../src/status/control-api.ts';
import type { Plans } from '../../src/status/phone-plan.ts';
import { Lab, type LabOptions, poco } from '../support/lab.ts';
import { host, phone } from '../support/sample-status.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

/** What most commands do not need. */
const others = {
  history: {
    record: async () => true,
    events: async () => [],
    forget: async () => true,
    unwrittenSince: undefined,
  },
  slots: [],
  present: () => undefined,
  timeline: async () => ({ events: [], hasMore: false }),
  verdict: () => Promise.reject(new Error('not in this test')),
};

/** An agent that has done its first round, and its commands. */
async function running(options?: LabOptions): Promise<{ agent: Agent; commands: ControlApi }> {
  const { agent, plans } = await lab.runningHost(options);
  return { agent, commands: new ControlApi({ ...others, agent, plans }) };
}

const told = () => lab.puts.map(({ devices }) => devices?.map(({ udid, status }) => `${udid} ${status}`));

describe('report', () => {
  it('runs a round and says what the cloud stored', async () => {
    lab.adb.plug(poco());
    const { commands } = await running();
    expect(await commands.report()).toEqual({
      attached: 1,
      collected: 1,
      failed: 0,
      outcome: { kind: 'stored', devices: 1, refused: [] },
    });
    expect(told()).toEqual([['POCO PLUGGED'], ['POCO PLUGGED']]);
  });

  it('says which phones the cloud refused, and which gave no answer', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const { commands } = await running();
    lab.cloud.refuse('POCO', 'no licence');
    phone.disturb('*', { kind: 'drop', afterBytes: 0 });
    expect(await commands.report()).toMatchObject({
      collected: 1,
      failed: 1,
      outcome: { kind: 'stored', devices: 0, refused: [{ udid: 'POCO', message: 'no licence' }] },
    });
  });

  it('says at once why the cloud takes none, although it will be tried again', async () => {
    const { commands } = await running();
    await lab.cloud.stop();
    const { outcome } = await commands.report();
    expect(outcome).toEqual({
      kind: 'failed',
      failure: expect.stringContaining('nothing listens there (ECONNREFUSED)'),
      remedy: 'Check the base URL and the firewall',
    });
  });

  it('says that there is no cloud, and that adb cannot be reached', async () => {
    const { agent, commands } = await running({ withoutCloud: true });
    await lab.stopAdb();
    await lab.until(() => agent.state.adb.state === 'unreachable');
    expect(await commands.report()).toEqual({
      attached: 0,
      collected: 0,
      failed: 0,
      adbFailure: expect.stringContaining('no adb server'),
      outcome: { kind: 'notReporting', reason: 'no cloud configured' },
    });
  });
});

describe('forget', () => {
  it('forgets a phone of which the cloud has stored that it is gone', async () => {
    lab.adb.plug(poco());
    const { agent, commands } = await running();
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    expect(await commands.forget('POCO')).toBe('POCO');
    expect(agent.state.phones).toEqual([]);
    await agent.round();
    expect(told().slice(-2)).toEqual([['POCO UNPLUGGED'], []]);
  });

  it('reports it first if the cloud does not know, and forgets nothing if that fails', async () => {
    lab.adb.plug(poco());
    const before = await lab.running();
    await before.stop();
    lab.adb.unplug('POCO');
    lab.cloud.faults.next({ kind: 'status', status: 401 });
    const { agent, commands } = await running();
    lab.cloud.faults.next({ kind: 'status', status: 403 });
    await expect(commands.forget('POCO')).rejects.toMatchObject({
      statusCode: 502,
      message: expect.stringMatching(
        /^cannot forget POCO: the cloud has not stored yet that it is unplugged \(.*403/,
      ),
    });
    expect(agent.state.phones).toHaveLength(1);
    expect(await commands.forget('POCO')).toBe('POCO');
    expect(lab.stored('POCO')).toMatchObject({ status: 'UNPLUGGED' });
    expect(agent.state.phones).toEqual([]);
  });

  it('says what the cloud says where it refuses to store that', async () => {
    lab.adb.plug(poco());
    const { commands } = await running();
    lab.cloud.refuse('POCO', 'no licence');
    lab.adb.unplug('POCO');
    await lab.until(() => lab.said('phone unplugged').length > 0);
    await expect(commands.forget('POCO')).rejects.toThrow('no licence');
  });

  it('forgets at once a phone that the cloud has never taken', async () => {
    lab.adb.plug(poco());
    lab.cloud.refuse('POCO', 'no licence');
    const { agent, commands } = await running();
    await lab.until(() => lab.said('the cloud refused a device; it will be sent again').length > 0);
    lab.adb.unplug('POCO');
    await lab.until(() => lab.said('phone unplugged').length > 0);
    expect(await commands.forget('POCO')).toBe('POCO');
    expect(agent.state.phones).toEqual([]);
  });

  it('does not forget an attached phone, and knows no others than those of the roster', async () => {
    lab.adb.plug(poco());
    const { commands } = await running({ withoutCloud: true });
    await expect(commands.forget('POCO')).rejects.toMatchObject({ statusCode: 409 });
    await expect(commands.forget('POC')).rejects.toMatchObject({
      isKnown: false,
      message: 'no phone on this host has the name POC; did you mean POCO?',
    });
  });

  it.each([
    ['cannot be written', async () => false],
    ['does not answer', () => new Promise<boolean>(() => {})],
  ])('says that the history is not erased yet where it %s', async (_, forget) => {
    lab.adb.plug(poco());
    const { agent, plans } = await lab.runningHost({ withoutCloud: true });
    const history = { ...others.history, forget };
    const commands = new ControlApi({ ...others, agent, plans, history, erasedMs: 50 });
    await lab.until(() => lab.said('phone attached').length > 0);
    lab.adb.unplug('POCO');
    await lab.until(() => lab.said('phone unplugged').length > 0);
    await expect(commands.forget('POCO')).rejects.toMatchObject({
      statusCode: 507,
      message: expect.stringMatching(/^forgot POCO, but its history is not erased yet: /),
    });
    expect(agent.state.phones).toEqual([]);
  });

  it('ends the maintenance of the phone as well', async () => {
    lab.adb.plug(poco());
    const { commands } = await running({ withoutCloud: true });
    await commands.maintain('POCO', { until: Date.now() + 60_000, reason: 'sold' });
    await lab.until(() => lab.said('phone attached').length > 0);
    lab.adb.unplug('POCO');
    await lab.until(() => lab.said('phone unplugged').length > 0);
    await commands.forget('POCO');
    expect(commands.list('maintenance')).toEqual([]);
  });
});

describe('note', () => {
  const slots = ['rack 2, bay 4', 'rack 2, bay 5'];
  const where = { slot: 'rack 2, bay 4', devpath: '1-1', usbPath: '1-1' };

  /** Commands whose notes go here; the disk takes them or not. */
  async function noting(isKept = true) {
    lab.adb.plug(poco());
    const env = { HOSTNODE_SLOTS: JSON.stringify([{ name: slots[0], paths: ['1-1'] }]) };
    const { agent, plans } = await lab.runningHost({ withoutCloud: true, env });
    const events: NewEvent[] = [];
    const record = async (more: readonly NewEvent[]) => {
      events.push(...more);
      return isKept;
    };
    const history = { ...others.history, record };
    const commands = new ControlApi({ ...others, agent, plans, slots, history });
    return { commands, events };
  }

  it('is on the phone and where it sits, or on a place without the phone', async () => {
    const { commands, events } = await noting();
    const text = 'swapped the cable';
    expect(await commands.note('poco f6', { text, by: 'anna' })).toEqual({
      kind: 'phone',
      name: 'POCO F6',
      udid: 'POCO',
    });
    expect(await commands.note('Rack 2, bay 4', { text })).toEqual({ kind: 'slot', name: 'rack 2, bay 4' });
    await commands.note('rack 2, bay 5', { text });
    await commands.note('rack 2', { text });
    await commands.note('1-1', { text });
    expect(await commands.note('host', { text })).toEqual({ kind: 'host', name: 'this host' });
    lab.adb.plug(poco('HUBBED', '1-4.2'));
    await lab.until(() => lab.said('phone attached').length > 1);
    expect(await commands.note('hub 1-4', { text })).toEqual({ kind: 'hub', name: '1-4' });
    const common = { kind: 'note', at: expect.any(Number), text };
    expect(events).toEqual([
      { ...common, by: 'anna', udid: 'POCO', where },
      { ...common, where },
      { ...common, where: { slot: 'rack 2, bay 5' } },
      { ...common, where: { slot: 'rack 2' } },
      { ...common, where: { devpath: '1-1', usbPath: '1-1' } },
      { ...common, where: {} },
      { ...common, where: { hub: '1-4', devpath: '1-4' } },
    ]);
  });

  it('says that it is not kept where the disk does not take it', async () => {
    const { commands } = await noting(false);
    await expect(commands.note('POCO', { text: 'x' })).rejects.toMatchObject({
      statusCode: 507,
      message: expect.stringMatching(/^the note is not written yet: /),
    });
  });

  it('needs a text, and something of that name', async () => {
    const { commands, events } = await noting();
    await expect(commands.note('POCO', { text: '' })).rejects.toMatchObject({ statusCode: 400 });
    expect(events).toEqual([]);
    await expect(commands.note('POC', { text: 'x' })).rejects.toMatchObject({
      isKnown: false,
      message: 'nothing on this host has the name POC; did you mean POCO?',
    });
  });
});

describe('any command', () => {
  it('asks for patience once the agent stops', async () => {
    const { agent, commands } = await running();
    await agent.stop();
    await expect(commands.report()).rejects.toMatchObject({ statusCode: 503 });
    await expect(commands.forget('x')).rejects.toMatchObject({ statusCode: 503 });
    expect(() => commands.list('maintenance')).toThrow('starting or stopping');
  });
});

describe('verdict', () => {
  const verdict = async (span: { from: number; to: number }, unwrittenSince?: number) => {
    const device = { udid: 'P1', serial: 'P1', connection: 'usb', attached: true };
    const state = { phones: [{ device, info: {} }] } as unknown as AgentState;
    const commands = new ControlApi({
      ...others,
      agent: { state, isStopping: false } as Agent,
      plans: {} as Plans,
      history: { ...others.history, unwrittenSince },
      verdict: async (asked) => ({
        ...{ ...asked, verdict: 'nothing', watchedRatio: 1, unwatched: [], faults: [], notLookedAt: [] },
      }),
    });
    return commands.verdict('P1', span);
  };

  it('does not count as watched what cannot be written yet', async () => {
    const span = { from: 1000, to: 2000 };
    expect(await verdict(span)).toMatchObject({ verdict: 'nothing', watchedRatio: 1, unwatched: [] });
    expect(await verdict(span, 2000)).toMatchObject({ verdict: 'nothing', watchedRatio: 1 });
    const because = expect.stringContaining('cannot be written');
    expect(await verdict(span, 1750)).toMatchObject({
      ...{ ...span, verdict: 'unwatched', watchedRatio: 0.75 },
      unwatched: [{ from: 1750, to: 2000, because }],
    });
    expect(await verdict(span, 500)).toMatchObject({
      ...{ ...span, verdict: 'unwatched', watchedRatio: 0 },
      unwatched: [{ ...span, because }],
    });
  });
});

describe('why', () => {
  const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 3, bay 2'];
  const [first = ''] = slots;
  const portPaths = ['pci-0000:00:14.0-usb-0:4.1', '1-4.1'];
  const usbPath = portPaths[0];
  const hub = 'pci-0000:00:14.0-usb-0:4';

  const state = {
    phones: [
      {
        device: {
          ...{ udid: 'P1', serial: 'P1', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
          ...{ devpath: '1-4.1', portPaths },
        },
        info: { udid: 'P1', deviceName: 'Kiosk', state: 'device' } as AgentState['phones'][number]['info'],
        remedy: '',
        slot: first,
        isSilent: false,
      },
    ],
  } as Pick<AgentState, 'phones'>;

  const status = host([phone({ udid: 'P1', name: 'Kiosk', slot: first })]);

  function explaining(parts: Partial<Pick<ControlApiOptions, 'present' | 'timeline'>> = {}) {
    const asked: TimelineQuery[] = [];
    const timeline = async (query: TimelineQuery): Promise<Timeline> => {
      asked.push(query);
      return { events: [], hasMore: false };
    };
    const agent = { state, isStopping: false } as Agent;
    const plans = {} as Plans;
    const present = () => status;
    const commands = new ControlApi({
      ...others,
      agent,
      plans,
      slots,
      present,
      timeline,
      ...parts,
    });
    return { asked, commands, why: (name: string) => commands.why(name, { since: 7, limit: 50 }) };
  }

  it('asks the history once, for what is named and for the notes on its places', async () => {
    const { asked, why } = explaining();
    for (const name of ['kiosk', first, 'rack 2, shelf 3', slots[1] ?? '', '1-4.1', '1-4', 'host'])
      await why(name);
    const common = { since: 7, most: 500 };
    const here = { slots: [first, 'rack 2, shelf 3'], usbPaths: [usbPath], hubs: [hub] };
    const none = { usbPaths: [], hubs: [] };
    expect(asked).toEqual([
      { ...common, of: { udids: ['P1'] }, places: here },
      { ...common, of: { slots: [first] }, places: here },
      { ...common, of: { slots }, places: { ...here, slots: [first, 'rack 2, shelf 3', slots[1]] } },
      { ...common, of: { slots: [slots[1]] }, places: { ...none, slots: [slots[1], 'rack 2, shelf 3'] } },
      { ...common, of: { usbPath }, places: here },
      { ...common, of: { hub }, places: here },
      { ...common, of: { isOfNone: true }, places: { ...none, slots: [] } },
    ]);
  });

  it('looks at more events where a longer timeline is wanted', async () => {
    const asked: number[] = [];
    const timeline = async ({ most }: TimelineQuery): Promise<Timeline> => {
      asked.push(most);
      return { events: [], hasMore: false };
    };
    const { commands } = explaining({ timeline });
    for (const limit of [1, 20, 50, 1000]) await commands.why('P1', { since: 0, limit });
    expect(asked).toEqual([200, 200, 500, 1000]);
  });

  it('answers what is so now where the history does not answer, and says why the rest is missing', async () => {
    const timeline = () => Promise.reject(new Error('no answer\u001b[31m within 10 s'));
    expect(await explaining({ timeline }).why('P1')).toMatchObject({
      now: 'Kiosk is fine',
      timeline: [],
      historyProblem: 'no answer [31m within 10 s',
    });
  });

  it('has a printable answer to a hostile name', async () => {
    await expect(explaining().why('\u001b[2J\u202eX')).rejects.toMatchObject({
      isKnown: false,
      message: expect.not.stringMatching(/[\p{Cc}\u202e]/u),
    });
  });

  it('asks for patience while no agent runs', async () => {
    await expect(explaining({ present: () => undefined }).why('P1')).rejects.toMatchObject({
      statusCode: 503,
    });
  });
});
