import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../src/daemon/host.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { ControlApi } from '../../src/status/control-api.ts';
import { Lab, type LabOptions, poco } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

/** What these commands do not need. */
const history = {
  record: async () => true,
  events: async () => [],
  forget: async () => true,
  flush: async () => {},
  unwrittenSince: undefined,
};
const others = {
  ...{ history, slots: [], present: () => undefined },
  timeline: async () => ({ events: [], hasMore: false }),
  verdict: () => Promise.reject(new Error('not in this test')),
};

async function running(options?: LabOptions): Promise<ControlApi> {
  const { agent, plans } = await lab.runningHost(options);
  return new ControlApi({ ...others, agent, plans });
}

describe('maintenance', () => {
  const until = Date.now() + 60_000;

  it('is found by slot, and listed with what a person knows the phone by', async () => {
    lab.adb.plug(poco());
    const slots = JSON.stringify([{ name: 'rack 2, bay 4', paths: ['1-1'] }]);
    const plans = await running({ withoutCloud: true, env: { HOSTNODE_SLOTS: slots } });
    const shown = [{ udid: 'POCO', name: 'POCO F6', slot: 'rack 2, bay 4' }];
    expect(await plans.maintain('rack 2, bay 4', { until, reason: 'new battery', by: 'anna' })).toEqual(
      shown,
    );
    expect(plans.list('maintenance')).toEqual([
      { udid: 'POCO', name: 'POCO F6', slot: 'rack 2, bay 4', until, reason: 'new battery', by: 'anna' },
    ]);
    expect(await plans.end('maintenance', 'rack 2, bay 4', {})).toEqual(shown);
    await expect(plans.end('maintenance', 'POCO', {})).rejects.toMatchObject({ statusCode: 404 });
  });

  it('is of all phones of a place or of a glob of slots, and ends for those that are in it', async () => {
    for (const [index, serial] of ['PHONEA', 'PHONEB', 'PHONEC'].entries())
      lab.adb.plug(poco(serial, `1-4.${index + 1}`));
    const slots = ['rack 2, bay 1', 'rack 2, bay 2', 'rack 3, bay 1'];
    const env = {
      HOSTNODE_SLOTS: JSON.stringify(slots.map((name, index) => ({ name, paths: [`1-4.${index + 1}`] }))),
    };
    const host = await lab.runningHost({ withoutCloud: true, env });
    const plans = new ControlApi({ ...others, agent: host.agent, plans: host.plans, slots });
    const udidsOf = (phones: readonly { udid: string }[]) => phones.map(({ udid }) => udid);
    const plan = { until, reason: 'new hub' };
    expect(plans.list('maintenance')).toEqual([]);
    expect(udidsOf(await plans.maintain('rack 2, *', plan))).toEqual(['PHONEA', 'PHONEB']);
    expect(udidsOf(plans.list('maintenance'))).toEqual(['PHONEA', 'PHONEB']);
    expect(udidsOf(await plans.end('maintenance', 'hub 1-4', {}))).toEqual(['PHONEA', 'PHONEB']);
    await expect(plans.end('maintenance', 'rack 2', {})).rejects.toMatchObject({
      statusCode: 404,
      message: 'none of these 2 phones is in maintenance',
    });
    await expect(plans.maintain('rack 9, *', plan)).rejects.toMatchObject({ isKnown: false });
  });

  it('begins now and ends within a year', async () => {
    lab.adb.plug(poco());
    const plans = await running({ withoutCloud: true });
    const reason = 'x';
    for (const moment of [Date.now() - 1, Date.now() + 400 * 86_400_000])
      await expect(plans.maintain('POCO', { until: moment, reason })).rejects.toMatchObject({
        statusCode: 400,
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
    const { maintenance } = (await following(true)).plans;
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
    const { maintenance } = (await following()).plans;
    await maintenance.begin(['POCO'], { until: Date.now() + 86_400_000, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message !== '');
    await maintenance.begin(['POCO'], { until: Date.now() + 50, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message === '');
    expect(seen().flat()).toContainEqual([sentence, false]);
  });

  it('outlasts the host, and is over in the first report of one that starts after its end', async () => {
    lab.adb.plug(poco());
    const first = await following();
    await first.plans.maintenance.begin(['POCO'], { until: Date.now() + 86_400_000, reason: 'new battery' });
    await lab.until(() => lab.stored('POCO')?.message !== '');
    await first.stop();
    const second = await following();
    expect(lab.stored('POCO')?.message).toEqual(sentence);
    await second.stop();
    await second.plans.maintenance.end(['POCO']);
    await following();
    expect(lab.stored('POCO')?.message).toBe('');
  });
});

describe('a drain', () => {
  /** A host of which the cloud has both phones, and its commands. */
  async function draining(env: Record<string, string> = {}, carried?: LabOptions['carried']) {
    const host = await lab.runningHost({ env, ...(carried && { carried }) });
    const { agent, plans } = host;
    const udidsField = env.HOSTNODE_CLOUD_RESERVATION_UDIDS;
    const events: NewEvent[] = [];
    const record = async (more: readonly NewEvent[]) => {
      events.push(...more);
      return true;
    };
    const history = { ...others.history, record };
    const parts = { ...others, agent, plans, history, ...(udidsField && { udidsField }) };
    return { host, drain: plans.drain, events, plans: new ControlApi(parts) };
  }
  const isHidden = (udid: string) => lab.stored(udid)?.isHidden;
  const bookingsOf = async (plans: ControlApi, name: string) =>
    (await plans.bookings(name)).phones.map(({ udid, booking }) => [udid, booking]);
  beforeEach(() => {
    lab.adb.plug(poco('P-A', '1-1'));
    lab.adb.plug(poco('P-B', '1-2'));
  });

  it('hides the phones at once, and through full reports, a restart, a reload and an unplugging, until it ends', async () => {
    const { host, plans } = await draining();
    await plans.drain('P-A', { by: 'anna' });
    await lab.until(() => isHidden('P-A') === true);
    expect(isHidden('P-B')).toBe(false);
    await host.agent.round();
    expect(isHidden('P-A')).toBe(true);
    await host.stop();
    const second = await draining();
    await second.host.stop();
    const third = await draining({}, second.host.carried);
    expect([isHidden('P-A'), third.plans.list('drain').map(({ udid }) => udid)]).toEqual([true, ['P-A']]);
    lab.adb.unplug('P-A');
    await lab.untilState('P-A', 'disconnected');
    lab.adb.plug(poco('P-A', '1-3'));
    await lab.untilState('P-A', 'device');
    expect(isHidden('P-A')).toBe(true);
    await third.plans.end('drain', 'P-A', { by: 'anna' });
    await lab.until(() => isHidden('P-A') === false);
  });

  it('goes on for a phone that gets another name, through a restart, and not for its twin', async () => {
    const { host, plans, drain } = await draining();
    await plans.drain('P-A', { by: 'anna' });
    await lab.until(() => isHidden('P-A') === true);
    const ended = vi.fn();
    drain.onChange(ended);
    lab.adb.plug(poco('P-A', '1-3'));
    await lab.until(() => isHidden('P-A@1-1') === true);
    await lab.until(() => isHidden('P-A@1-3') === false);
    expect([drain.list().map(({ udid, by }) => [udid, by]), ended.mock.calls]).toEqual([
      [['P-A@1-1', 'anna']],
      [],
    ]);
    await host.stop();
    const next = await draining();
    expect(next.plans.list('drain').map(({ udid }) => udid)).toEqual(['P-A@1-1']);
  });

  it('leaves a phone hidden at its end that a rule hides, and alerts as they are', async () => {
    const { plans, host } = await draining({
      HOSTNODE_DEVICES: JSON.stringify([{ match: { udid: 'P-A' }, isHidden: true }]),
    });
    await plans.drain('host', {});
    await lab.until(() => isHidden('P-B') === true);
    expect(lab.stored('P-B')?.message).toBe('');
    await plans.end('drain', 'host', {});
    await lab.until(() => isHidden('P-B') === false);
    await host.agent.round();
    expect(isHidden('P-A')).toBe(true);
  });

  it('lasts eight hours unless somebody says how long, and goes on as it was when it is said again', async () => {
    const { plans } = await draining();
    const [first] = await plans.drain('P-A', { reason: 'new hub', by: 'anna' });
    const hours = ((first?.until ?? 0) - Date.now()) / 3_600_000;
    expect(Math.round(hours * 100) / 100).toBe(8);
    expect(await plans.drain('P-A', { by: 'anna' })).toEqual([first]);
    const until = Date.now() + 60_000;
    expect(await plans.drain('P-A', { until, by: 'anna' })).toMatchObject([{ until, reason: 'new hub' }]);
    await expect(plans.drain('P-A', { until: 1 })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('of two people lasts as long as either wants, and neither ends it for the other unasked', async () => {
    const { plans, drain } = await draining();
    const until = Date.now() + 7_200_000;
    await plans.drain('host', { until, reason: 'new hub', by: 'anna' });
    const both = { until, reason: 'reboot', by: 'anna, bert' };
    expect(await plans.drain('P-A', { until: until - 1, reason: 'reboot', by: 'bert' })).toMatchObject([
      both,
    ]);
    await expect(plans.end('drain', 'host', { by: 'anna' })).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringMatching(
        /^bert drained P-A until [\d: -]+: reboot\. Ask first; --yes ends it for all$/,
      ),
    });
    expect(drain.list()).toHaveLength(2);
    expect(await plans.end('drain', 'P-B', { by: 'anna' })).toMatchObject([{ udid: 'P-B' }]);
    expect(await plans.end('drain', 'P-A', { by: 'bert', isForAll: true })).toMatchObject([{ udid: 'P-A' }]);
    await expect(plans.end('drain', 'P-A', {})).rejects.toMatchObject({ message: 'P-A is not drained' });
  });

  it('tells who has booked them once the cloud has stored that they are hidden, and asks only about drained ones', async () => {
    lab.cloud.refuse('P-A', 'no licence');
    const { host, plans } = await draining();
    await plans.drain('P-A', {});
    expect(await bookingsOf(plans, 'host')).toEqual([
      ['P-A', 'free'], // the cloud does not have it
      ['P-B', undefined],
    ]);
    lab.cloud.accept('P-A');
    await host.agent.round();
    lab.cloud.book('P-A');
    expect(await bookingsOf(plans, 'P-A')).toEqual([['P-A', 'booked']]);
    lab.cloud.faults.always({ kind: 'status', status: 503 }, 'devices.report');
    await plans.drain('P-B', {});
    expect(await bookingsOf(plans, 'P-B')).toEqual([['P-B', 'shown']]);
    await expect.poll(async () => (await plans.bookings('P-B')).notHidden?.failure).toContain('503');
    expect(await plans.bookings('P-A')).not.toHaveProperty('notHidden');
    lab.cloud.faults.clear();
    await host.agent.round();
    expect(await bookingsOf(plans, 'P-B')).toEqual([['P-B', 'free']]);
    lab.adb.unplug('P-A');
    await lab.untilState('P-A', 'disconnected');
    expect(await bookingsOf(plans, 'P-A')).toEqual([['P-A', 'free']]);
  });

  it('says why the cloud does not tell, and that there is none', async () => {
    const { host, plans } = await draining();
    await plans.drain('host', {});
    await host.agent.round();
    for (const [status, isRejected] of [[503], [404, true]] as const) {
      lab.cloud.faults.next({ kind: 'status', status }, 1, 'devices.status');
      const { trouble } = await plans.bookings('host');
      expect(trouble).toMatchObject({ failure: expect.stringContaining(String(status)) });
      expect(trouble?.isRejected).toBe(isRejected);
    }
    const other = await lab.runningHost({ withoutCloud: true });
    const alone = new ControlApi({ ...others, agent: other.agent, plans: other.plans });
    expect(await alone.bookings('P-A')).toMatchObject({ notReporting: 'no cloud configured' });
  });

  it('ends reservations by the name that the lab has set, and writes down who did', async () => {
    const { host, plans, events } = await draining({ HOSTNODE_CLOUD_RESERVATION_UDIDS: 'device_udids' });
    await plans.drain('host', {});
    await host.agent.round();
    for (const udid of ['P-A', 'P-B']) lab.cloud.book(udid);
    expect(await plans.endReservations('P-A', 'anna')).toEqual([{ udid: 'P-A', name: 'POCO F6' }]);
    expect(await bookingsOf(plans, 'host')).toEqual([
      ['P-A', 'free'],
      ['P-B', 'booked'],
    ]);
    expect(events).toMatchObject([{ kind: 'note', udid: 'P-A', by: 'anna' }]);
    const { plans: unset } = await draining();
    await expect(unset.endReservations('P-B')).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('cloud.reservationUdids'),
    });
  });
});
