import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import type { AgentState } from '../../src/agent/state.ts';
import type { Host } from '../../src/daemon/host.ts';
import type { Timeline, TimelineQuery } from '../../src/diagnosis/explain/timeline-query.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { ControlApi, type ControlApiOptions } from '../../src/status/control-api.ts';
import type { PhonePlan } from '../../src/status/phone-plan.ts';
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
    flush: async () => {},
  },
  slots: [],
  present: () => undefined,
  timeline: async () => ({ events: [], hasMore: false }),
  verdict: () => Promise.reject(new Error('not in this test')),
};

/** An agent that has done its first round, and its commands. */
async function running(options?: LabOptions): Promise<{ agent: Agent; commands: ControlApi }> {
  const { agent, maintenance, drain } = await lab.runningHost(options);
  return { agent, commands: new ControlApi({ ...others, agent, maintenance, drain }) };
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
    const { agent, maintenance, drain } = await lab.runningHost({ withoutCloud: true });
    const history = { ...others.history, forget };
    const commands = new ControlApi({ ...others, agent, maintenance, drain, history, erasedMs: 50 });
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
    expect(commands.maintenances()).toEqual([]);
  });
});

describe('maintenance', () => {
  const until = Date.now() + 60_000;

  it('is found by slot, and listed with what a person knows the phone by', async () => {
    lab.adb.plug(poco());
    const slots = JSON.stringify([{ name: 'rack 2, bay 4', paths: ['1-1'] }]);
    const { commands } = await running({ withoutCloud: true, env: { HOSTNODE_SLOTS: slots } });
    const shown = [{ udid: 'POCO', name: 'POCO F6', slot: 'rack 2, bay 4' }];
    expect(await commands.maintain('rack 2, bay 4', { until, reason: 'new\nbattery', by: 'an\nna' })).toEqual(
      shown,
    );
    expect(commands.maintenances()).toEqual([
      { udid: 'POCO', name: 'POCO F6', slot: 'rack 2, bay 4', until, reason: 'new battery', by: 'an na' },
    ]);
    expect(await commands.endMaintenance('rack 2, bay 4')).toEqual(shown);
    await expect(commands.endMaintenance('POCO')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('is of all phones of a place or of a glob of slots, and ends for those that are in it', async () => {
    for (const [index, serial] of ['PHONEA', 'PHONEB', 'PHONEC'].entries())
      lab.adb.plug(poco(serial, `1-4.${index + 1}`));
    const slots = ['rack 2, bay 1', 'rack 2, bay 2', 'rack 3, bay 1'];
    const env = {
      HOSTNODE_SLOTS: JSON.stringify(slots.map((name, index) => ({ name, paths: [`1-4.${index + 1}`] }))),
    };
    const { agent, maintenance, drain } = await lab.runningHost({ withoutCloud: true, env });
    const commands = new ControlApi({ ...others, agent, maintenance, drain, slots });
    const udidsOf = (phones: readonly { udid: string }[]) => phones.map(({ udid }) => udid);
    const plan = { until, reason: 'new hub' };
    expect(udidsOf(commands.maintainable('hub 1-4'))).toEqual(['PHONEA', 'PHONEB', 'PHONEC']);
    expect(commands.maintenances()).toEqual([]);
    expect(udidsOf(await commands.maintain('rack 2, *', plan))).toEqual(['PHONEA', 'PHONEB']);
    expect(udidsOf(commands.maintenances())).toEqual(['PHONEA', 'PHONEB']);
    expect(udidsOf(await commands.endMaintenance('hub 1-4'))).toEqual(['PHONEA', 'PHONEB']);
    await expect(commands.endMaintenance('rack 2')).rejects.toMatchObject({
      statusCode: 404,
      message: 'none of these 2 phones is in maintenance',
    });
    await expect(commands.maintain('rack 9, *', plan)).rejects.toMatchObject({ isKnown: false });
  });

  it('begins now and ends within a year', async () => {
    lab.adb.plug(poco());
    const { commands } = await running({ withoutCloud: true });
    const reason = 'x';
    for (const moment of [Date.now() - 1, Date.now() + 400 * 86_400_000])
      await expect(commands.maintain('POCO', { until: moment, reason })).rejects.toMatchObject({
        statusCode: 400,
      });
  });
});

describe('note', () => {
  const slots = ['rack 2, bay 4', 'rack 2, bay 5'];
  const where = { slot: 'rack 2, bay 4', devpath: '1-1', usbPath: '1-1' };

  /** Commands whose notes go here; the disk takes them or not. */
  async function noting(isKept = true) {
    lab.adb.plug(poco());
    const env = { HOSTNODE_SLOTS: JSON.stringify([{ name: slots[0], paths: ['1-1'] }]) };
    const { agent, maintenance, drain } = await lab.runningHost({ withoutCloud: true, env });
    const events: NewEvent[] = [];
    const record = async (more: readonly NewEvent[]) => {
      events.push(...more);
      return isKept;
    };
    const history = { ...others.history, record };
    const commands = new ControlApi({ ...others, agent, maintenance, drain, slots, history });
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
      message: expect.stringMatching(/^the note is not kept: /),
    });
  });

  it('keeps what can be printed, and no note without that', async () => {
    const { commands, events } = await noting();
    await commands.note('POCO', { text: ' a\u001b[31m\u202eb\n🔧 ', by: 'an\u0007na' });
    expect(events).toMatchObject([{ text: 'a [31m b 🔧', by: 'an na' }]);
    await expect(commands.note('POCO', { text: '\u202e\u0000' })).rejects.toMatchObject({ statusCode: 400 });
    await expect(commands.note('POC', { text: 'x' })).rejects.toMatchObject({
      isKnown: false,
      message: 'nothing on this host has the name POC; did you mean POCO?',
    });
  });
});

describe('maintenance in the cloud', () => {
  const sentence = expect.stringMatching(/^In maintenance until [\d: -]+ [A-Z+\d:-]+: new battery$/);
  const seen = () =>
    lab.puts.map(({ devices = [] }) => devices.map(({ message, isHidden }) => [message, isHidden]));

  /** A host that knows the phone. */
  async function following(hidesFromCloud = false): Promise<Host> {
    const env = { HOSTNODE_MAINTENANCE_HIDES_FROM_CLOUD: String(hidesFromCloud) };
    const host = await lab.runningHost({ env });
    await lab.until(() => lab.stored('POCO')?.deviceName !== undefined);
    return host;
  }

  it('is reported at once, with its end, and hides the phone only where it is to', async () => {
    lab.adb.plug(poco());
    const { maintenance } = await following(true);
    const before = lab.puts.length;
    await maintenance.begin(['POCO'], { until: Date.now() + 86_400_000, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.isHidden === true);
    expect(lab.stored('POCO')?.message).toEqual(sentence);
    await maintenance.end(['POCO']);
    await lab.until(() => lab.stored('POCO')?.isHidden === false);
    expect(seen().slice(before)).toEqual([[[sentence, true]], [['', false]]]);
  });

  it('ends in the cloud when its time is over', async () => {
    lab.adb.plug(poco());
    const { maintenance } = await following();
    await maintenance.begin(['POCO'], { until: Date.now() + 86_400_000, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message !== '');
    await maintenance.begin(['POCO'], { until: Date.now() + 50, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message === '');
    expect(seen().flat()).toContainEqual([sentence, false]);
  });

  it('outlasts the host, and is over in the first report of one that starts after its end', async () => {
    lab.adb.plug(poco());
    const first = await following();
    await first.maintenance.begin(['POCO'], { until: Date.now() + 86_400_000, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message !== '');
    await first.stop();
    const second = await following();
    expect(lab.stored('POCO')?.message).toEqual(sentence);
    await second.stop();
    await second.maintenance.end(['POCO']);
    await following();
    expect(lab.stored('POCO')?.message).toBe('');
  });
});

describe('a drain', () => {
  /** A host of which the cloud has both phones, and its commands. */
  async function draining(env: Record<string, string> = {}, carried?: LabOptions['carried']) {
    const host = await lab.runningHost({ env, ...(carried && { carried }) });
    const { agent, maintenance, drain } = host;
    const udidsField = env.HOSTNODE_CLOUD_RESERVATION_UDIDS;
    const events: NewEvent[] = [];
    const record = async (more: readonly NewEvent[]) => {
      events.push(...more);
      return true;
    };
    const history = { ...others.history, record };
    const parts = { ...others, agent, maintenance, drain, history, ...(udidsField && { udidsField }) };
    return { host, drain, events, commands: new ControlApi(parts) };
  }
  const isHidden = (udid: string) => lab.stored(udid)?.isHidden;
  const bookingsOf = async (commands: ControlApi, name: string) =>
    (await commands.bookings(name)).phones.map(({ udid, booking }) => [udid, booking]);
  beforeEach(() => {
    lab.adb.plug(poco('P-A', '1-1'));
    lab.adb.plug(poco('P-B', '1-2'));
  });

  it('hides the phones at once, and through full reports, a restart, a reload and an unplugging, until it ends', async () => {
    const { host, commands } = await draining();
    await commands.drain('P-A', { by: 'anna' });
    await lab.until(() => isHidden('P-A') === true);
    expect(isHidden('P-B')).toBe(false);
    await host.agent.round();
    expect(isHidden('P-A')).toBe(true);
    await host.stop();
    const second = await draining();
    await second.host.stop();
    const third = await draining({}, second.host.carried);
    expect([isHidden('P-A'), third.commands.drains().map(({ udid }) => udid)]).toEqual([true, ['P-A']]);
    lab.adb.unplug('P-A');
    await lab.untilState('P-A', 'disconnected');
    lab.adb.plug(poco('P-A', '1-3'));
    await lab.untilState('P-A', 'device');
    expect(isHidden('P-A')).toBe(true);
    await third.commands.endDrain('P-A', { by: 'anna' });
    await lab.until(() => isHidden('P-A') === false);
  });

  it('leaves a phone hidden at its end that a rule hides, and alerts as they are', async () => {
    const { commands, host } = await draining({
      HOSTNODE_DEVICES: JSON.stringify([{ match: { udid: 'P-A' }, isHidden: true }]),
    });
    await commands.drain('host', {});
    await lab.until(() => isHidden('P-B') === true);
    expect(lab.stored('P-B')?.message).toBe('');
    await commands.endDrain('host', {});
    await lab.until(() => isHidden('P-B') === false);
    await host.agent.round();
    expect(isHidden('P-A')).toBe(true);
  });

  it('lasts eight hours unless somebody says how long, and goes on as it was when it is said again', async () => {
    const { commands } = await draining();
    const [first] = await commands.drain('P-A', { reason: 'new hub', by: 'anna' });
    const hours = ((first?.until ?? 0) - Date.now()) / 3_600_000;
    expect(Math.round(hours * 100) / 100).toBe(8);
    expect(await commands.drain('P-A', { by: 'anna' })).toEqual([first]);
    const until = Date.now() + 60_000;
    expect(await commands.drain('P-A', { until, by: 'anna' })).toMatchObject([{ until, reason: 'new hub' }]);
    await expect(commands.drain('P-A', { until: 1 })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('of two people lasts as long as either wants, and neither ends it for the other unasked', async () => {
    const { commands, drain } = await draining();
    const until = Date.now() + 7_200_000;
    await commands.drain('host', { until, reason: 'new hub', by: 'anna' });
    const both = { until, reason: 'reboot', by: 'anna, bert' };
    expect(await commands.drain('P-A', { until: until - 1, reason: 'reboot', by: 'bert' })).toMatchObject([
      both,
    ]);
    await expect(commands.endDrain('host', { by: 'anna' })).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringMatching(
        /^bert drained P-A until [\d: -]+: reboot\. Ask first; --yes ends it for all$/,
      ),
    });
    expect(drain.list()).toHaveLength(2);
    expect(await commands.endDrain('P-B', { by: 'anna' })).toMatchObject([{ udid: 'P-B' }]);
    expect(await commands.endDrain('P-A', { by: 'bert', isForAll: true })).toMatchObject([{ udid: 'P-A' }]);
    await expect(commands.endDrain('P-A', {})).rejects.toMatchObject({ message: 'P-A is not drained' });
  });

  it('tells who has booked them once the cloud has stored that they are hidden, and asks only about drained ones', async () => {
    lab.cloud.refuse('P-A', 'no licence');
    const { commands } = await draining();
    await commands.drain('P-A', {});
    expect(await bookingsOf(commands, 'host')).toEqual([
      ['P-A', 'free'], // the cloud does not have it
      ['P-B', undefined],
    ]);
    lab.cloud.accept('P-A');
    await commands.report();
    lab.cloud.book('P-A');
    expect(await bookingsOf(commands, 'P-A')).toEqual([['P-A', 'booked']]);
    lab.cloud.faults.always({ kind: 'status', status: 503 }, 'devices.report');
    await commands.drain('P-B', {});
    expect(await bookingsOf(commands, 'P-B')).toEqual([['P-B', 'shown']]);
    lab.cloud.faults.clear();
    await commands.report();
    expect(await bookingsOf(commands, 'P-B')).toEqual([['P-B', 'free']]);
    lab.adb.unplug('P-A');
    await lab.untilState('P-A', 'disconnected');
    expect(await bookingsOf(commands, 'P-A')).toEqual([['P-A', 'free']]);
  });

  it('says why the cloud does not tell, and that there is none', async () => {
    const { commands } = await draining();
    await commands.drain('host', {});
    await commands.report();
    for (const [status, isRejected] of [[503], [404, true]] as const) {
      lab.cloud.faults.next({ kind: 'status', status }, 1, 'devices.status');
      const { trouble } = await commands.bookings('host');
      expect(trouble).toMatchObject({ failure: expect.stringContaining(String(status)) });
      expect(trouble?.isRejected).toBe(isRejected);
    }
    const { agent, maintenance, drain } = await lab.runningHost({ withoutCloud: true });
    const alone = new ControlApi({ ...others, agent, maintenance, drain });
    expect(await alone.bookings('P-A')).toMatchObject({ notReporting: 'no cloud configured' });
  });

  it('ends reservations by the name that the lab has set, and writes down who did', async () => {
    const { commands, events } = await draining({ HOSTNODE_CLOUD_RESERVATION_UDIDS: 'device_udids' });
    await commands.drain('host', {});
    await commands.report();
    for (const udid of ['P-A', 'P-B']) lab.cloud.book(udid);
    expect(await commands.endReservations('P-A', 'anna')).toEqual([{ udid: 'P-A', name: 'POCO F6' }]);
    expect(await bookingsOf(commands, 'host')).toEqual([
      ['P-A', 'free'],
      ['P-B', 'booked'],
    ]);
    expect(events).toMatchObject([{ kind: 'note', udid: 'P-A', by: 'anna' }]);
    const { commands: unset } = await draining();
    await expect(unset.endReservations('P-B')).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('cloud.reservationUdids'),
    });
  });
});

describe('any command', () => {
  it('asks for patience once the agent stops', async () => {
    const { agent, commands } = await running();
    await agent.stop();
    await expect(commands.report()).rejects.toMatchObject({ statusCode: 503 });
    await expect(commands.forget('x')).rejects.toMatchObject({ statusCode: 503 });
    expect(() => commands.maintenances()).toThrow('starting or stopping');
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
    const maintenance = {} as PhonePlan;
    const drain = maintenance;
    const present = () => status;
    const commands = new ControlApi({
      ...others,
      agent,
      maintenance,
      drain,
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
