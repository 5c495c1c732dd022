import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Agent } from '../../src/agent/agent.ts';
import { anyHost } from '../../src/base/environment.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { Finding } from '../../src/diagnosis/finding.ts';
import { phonePast } from '../../src/status/phone-past.ts';
import {
  newTimes,
  StatusModel,
  type StatusModelOptions,
  type WatchedAgent,
} from '../../src/status/status-model.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { Lab, poco, pocos } from '../support/lab.ts';
import { MemoryHistory } from '../support/memory-history.ts';
import { finding } from '../support/sample-finding.ts';

const adbAt = { host: '127.0.0.1', port: 5037, hostKind: anyHost };
const none = { of: () => undefined };
const board = (agent: WatchedAgent): StatusModelOptions => ({
  ...{ agent, hostName: 'lab-07', adbAt },
  ...{ slots: [], plans: { maintenance: none, drain: none }, times: newTimes(), findings: {} },
  past: { samples: async () => undefined },
  history: {},
  page: () => ({ pageUrl: undefined, pageProblem: undefined }),
});

/** An agent that has done its first round, with a board beside it. */
async function watched(
  lab: Lab,
  options: Partial<StatusModelOptions> = {},
  env?: Record<string, string>,
): Promise<{ statusModel: StatusModel; agent: Agent }> {
  const rounds = lab.said('round').length;
  const agent = await lab.agent(omitUndefined({ env }));
  const statusModel = new StatusModel({ ...board(agent), ...options });
  agent.observe(statusModel);
  agent.start();
  await lab.until(() => lab.said('round').length > rounds);
  return { statusModel, agent };
}

describe('findings', () => {
  it('are shown in place of what they tell, beside the phones that they affect', async () => {
    await using lab = await Lab.open();
    const phones = pocos(3);
    for (const phone of phones) lab.adb.plug(phone);
    const findings: { current?: Finding[] } = {};
    const { statusModel } = await watched(lab, { findings });
    expect(statusModel.status()).not.toHaveProperty('findings');

    lab.adb.unplug('POCO-1');
    lab.adb.unplug('POCO-2');
    await changed(statusModel, () => statusModel.status()?.counts.needsAttention === 2);
    const since = Date.now() - 1_000;
    const hub = finding('HUB_LOST', {
      subject: { kind: 'hub', key: '2' },
      udids: ['POCO-1', 'POCO-2'],
      since,
    });
    findings.current = [
      hub,
      finding('FLAPPING', { subject: { kind: 'phone', key: 'POCO-3' } }),
      finding('USB_SLOW', { severity: 'minor', subject: { kind: 'phone', key: 'POCO-3' } }),
    ];
    statusModel.changed();
    const status = statusModel.status();
    expect(status?.causes.map(({ kind, code, udids }) => [kind, code, udids])).toEqual([
      ['finding', 'HUB_LOST', ['POCO-1', 'POCO-2']],
      ['finding', 'FLAPPING', ['POCO-3']],
    ]);
    expect(status?.notices).toMatchObject([{ code: 'USB_SLOW' }]);
    expect(status?.findings).toHaveLength(3);
    expect(status?.findings?.[0]).not.toHaveProperty('evidence');
    expect(status?.counts).toMatchObject({ fine: 0, needsAttention: 3 });
    expect(status?.phones.map(({ udid, sign, findings: codes }) => [udid, sign, codes])).toEqual([
      ['POCO-1', 'unplugged', ['HUB_LOST']],
      ['POCO-2', 'unplugged', ['HUB_LOST']],
      ['POCO-3', 'flapping', ['FLAPPING', 'USB_SLOW']],
    ]);
  });

  it('that are minor leave all fine', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const findings = {
      current: [finding('USB_SLOW', { severity: 'minor', subject: { kind: 'phone', key: 'POCO' } })],
    };
    const { statusModel } = await watched(lab, { findings });
    const status = statusModel.status();
    expect(status?.counts).toMatchObject({ fine: 1, needsAttention: 0 });
    expect(status?.fineSince).toBeDefined();
    expect(status?.phones[0]).toMatchObject({ condition: 'fine', sign: '', message: '' });
  });
});

const changed = (statusModel: StatusModel, holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (holds()) resolve();
    };
    statusModel.onChange = check;
    check();
  });

describe('Board', () => {
  it('shows a host on which all is well', async () => {
    const startedAt = Date.now();
    await using lab = await Lab.open();
    for (const phone of pocos(2)) lab.adb.plug(phone);
    const { statusModel } = await watched(lab);
    const status = statusModel.status();
    expect(status?.host).toMatchObject({ name: 'lab-07', nodeId: 'lab-host' });
    expect(status?.counts).toEqual({ phones: 2, fine: 2, needsAttention: 0, maintenance: 0, unknown: 0 });
    expect(status?.causes).toEqual([]);
    expect(status?.fineSince).toBeLessThanOrEqual(Date.now());
    expect(status?.adb).toMatchObject({ address: '127.0.0.1:5037', state: 'listed' });
    expect(status?.reports.storedAt).toBeGreaterThanOrEqual(startedAt);
    expect(status?.phones[0]).toMatchObject({ udid: 'POCO-1', android: '15', condition: 'fine', sign: '' });
    expect(status?.phones[0]?.battery?.levelRatio).toBeGreaterThan(0);
  });

  it('is called as the configuration calls it, beside the machine’s own name', async () => {
    await using lab = await Lab.open();
    const { statusModel, agent } = await watched(lab);
    expect(statusModel.status()?.host).not.toHaveProperty('hostname');
    const named = new StatusModel({ ...board(agent), nodeId: 'rack-2' });
    expect(named.status()?.host).toMatchObject({ name: 'rack-2', hostname: 'lab-07' });
  });

  it('says that what happens cannot be written, as on a full disk', async () => {
    await using lab = await Lab.open();
    const history: { unwrittenSince?: number } = {};
    const { statusModel } = await watched(lab, { history });
    expect(statusModel.status()?.causes).toEqual([]);
    history.unwrittenSince = Date.now() - 60_000;
    statusModel.changed();
    expect(statusModel.status()?.causes).toMatchObject([{ kind: 'history', since: history.unwrittenSince }]);
  });

  it('names the page as soon as it is served', async () => {
    await using lab = await Lab.open();
    const page: { pageUrl: string | undefined; pageProblem: undefined } = {
      ...{ pageUrl: undefined, pageProblem: undefined },
    };
    const { statusModel } = await watched(lab, { page: () => page });
    expect(statusModel.status()).not.toHaveProperty('pageUrl');
    page.pageUrl = 'http://127.0.0.1:9477/';
    expect(statusModel.status()?.pageUrl).toBe(page.pageUrl);
  });

  it('shows what time alone has changed, also to who looks rarely', async () => {
    const pass = clockAhead();
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const { statusModel } = await watched(lab);
    await lab.stopAdb();
    await lab.until(() => lab.said('cannot reach adb').length === 1);
    expect(statusModel.status()?.causes).toEqual([]); // it may be back in a moment
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_800_000 });
    onTestFinished(() => void vi.useRealTimers());
    pass(60_000);
    expect(statusModel.status()?.causes).toHaveLength(1);
  });

  it.each([8, -8])('has things last for as long where the clock is set by %s hours', async (hours) => {
    await using lab = await Lab.open();
    for (const phone of pocos(2)) lab.adb.plug(phone);
    const earlier = Date.now() - 86_400_000;
    const lastStates = new Map([['POCO-2', { state: 'device', at: earlier }]]);
    const { statusModel } = await watched(lab, { times: newTimes(lastStates) });
    const ages = () => {
      const { host, adb, fineSince = 0, phones } = statusModel.status() ?? {};
      const sinces = [host?.startedAt, adb?.since, fineSince, ...(phones ?? []).map(({ since }) => since)];
      return sinces.map((since = 0) => Math.round((Date.now() - since) / 3_600_000));
    };
    expect(ages()).toEqual([0, 0, 0, 0, 24]);
    const byMs = hours * 3_600_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
    onTestFinished(() => void vi.useRealTimers());
    statusModel.happened([{ kind: 'clockStepped', at: Date.now(), byMs }]);
    // of an earlier run, whose clock may have been right
    expect(ages()).toEqual([0, 0, 0, 0, 24 + hours]);
    statusModel.happened([{ kind: 'hostSlept', at: Date.now(), forMs: byMs }]);
    expect(ages()[0]).toBe(0);
  });

  it('is silent once the agent stops', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const { statusModel, agent } = await watched(lab);
    expect(await statusModel.phone('POCO')).toBeDefined();
    await agent.stop();
    expect(statusModel.status()).toBeUndefined();
    expect(await statusModel.phone('POCO')).toBeUndefined();
    expect(statusModel.isProgressing).toBe(true);
  });

  it('goes on with the times of the host before', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const times = newTimes();
    const { statusModel, agent } = await watched(lab, { times });
    const before = statusModel.status();
    await agent.stop();
    // somebody looks before adb has listed anew
    const starting = { ...agent.state, adb: { state: 'unknown' }, hasListed: false } as const;
    new StatusModel({
      ...board({ state: starting, isProgressing: true, isStopping: false }),
      times,
    }).status();
    const next = await lab.running();
    const after = new StatusModel({ ...board(next), times }).status();
    expect(after?.host.startedAt).toBe(before?.host.startedAt);
    expect([after?.fineSince, after?.adb.since]).toEqual([before?.fineSince, before?.adb.since]);
    expect(after?.phones[0]?.since).toBe(before?.phones[0]?.since);
  });

  it('says what needs attention and since when, and that it is fine again', async () => {
    await using lab = await Lab.open();
    const phone = poco();
    lab.adb.plug(phone);
    const { statusModel } = await watched(lab);
    lab.adb.unplug('POCO');
    await changed(statusModel, () => statusModel.status()?.causes.length === 1);
    const since = statusModel.status()?.causes[0]?.since ?? 0;
    expect(statusModel.status()?.causes[0]).toMatchObject({ kind: 'unplugged', udids: ['POCO'] });
    expect(statusModel.status()?.fineSince).toBeUndefined();
    expect(statusModel.status()?.phones[0]).toMatchObject({
      condition: 'needsAttention',
      sign: 'unplugged',
      since,
    });
    lab.adb.plug(phone);
    await changed(statusModel, () => statusModel.status()?.causes.length === 0);
    expect(statusModel.status()?.phones[0]).toMatchObject({ condition: 'fine', sign: '' });
  });

  it('calls no phone gone before adb has listed any, nor fine while it cannot be asked', async () => {
    await using lab = await Lab.open();
    const phones = pocos(2);
    for (const phone of phones) lab.adb.plug(phone);
    await (await lab.running()).stop();
    await lab.stopAdb();
    const { statusModel } = await watched(lab);
    expect(statusModel.status()).toMatchObject({
      adb: { state: 'unreachable' },
      counts: { needsAttention: 0, fine: 0, unknown: 2 },
    });
    await lab.startAdb(phones);
    await changed(statusModel, () => statusModel.status()?.counts.fine === 2);
    await lab.stopAdb();
    await changed(statusModel, () => statusModel.status()?.counts.unknown === 2);
    expect(statusModel.status()?.counts.fine).toBe(0);
  });

  it('takes from the run before since when a phone is as it is', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const at = Date.now() - 3_600_000;
    const seenAfter = async (state: string) => {
      const lastStates = new Map([['POCO', { state, at }]]);
      const agent = await lab.running();
      const statusModel = new StatusModel({ ...board(agent), times: newTimes(lastStates) });
      return statusModel.status()?.phones[0];
    };
    expect(await seenAfter('device')).toMatchObject({ condition: 'fine', since: at });
    expect((await seenAfter('offline'))?.since).toBeGreaterThan(at);
    lab.adb.setState('POCO', 'unauthorized');
    expect(await seenAfter('unauthorized')).toMatchObject({ condition: 'needsAttention', since: at });
  });

  it('counts a phone in maintenance apart, and keeps it out of what needs attention', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco('POCO', '1-1'));
    const maintenance = { until: Date.now() + 3_600_000, reason: 'new battery' };
    const { statusModel } = await watched(lab, {
      plans: { maintenance: { of: () => maintenance }, drain: none },
    });
    expect(statusModel.status()?.counts).toEqual({
      phones: 1,
      fine: 0,
      needsAttention: 0,
      maintenance: 1,
      unknown: 0,
    });
    expect(statusModel.status()?.phones[0]).toMatchObject({ condition: 'maintenance', maintenance });
  });

  it('gives a phone’s facts with their age, and no telephony identifier', async () => {
    const startedAt = Date.now();
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const history = new MemoryHistory();
    const past = phonePast(history, () => true);
    const agent = await lab.running({ observer: history });
    const statusModel = new StatusModel({ ...board(agent), past });
    const phone = await statusModel.phone('POCO');
    const fact = phone?.facts.find(({ name }) => name === 'battery.percentage');
    expect(fact).toMatchObject({ from: 'battery', value: expect.stringMatching(/^\d+ %$/) });
    expect(fact?.takenAt).toBeGreaterThanOrEqual(startedAt);
    const carriers = lab.stored('POCO')?.telephony?.carriersInfo ?? [];
    const identifiers = carriers.flatMap(({ imei, meid, iccid }) =>
      [imei, meid, iccid].filter((id) => id !== undefined),
    );
    expect(identifiers.length).toBeGreaterThan(0);
    const text = JSON.stringify([phone, statusModel.status(), await history.events({})]);
    expect(identifiers.filter((id) => text.includes(id))).toEqual([]);
    expect(phone?.history).toHaveLength(1);
    history.close();
  });

  it('shows a phone without its readings while the history does not answer', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    const past = { samples: () => Promise.reject(new Error('its thread has died')) };
    const { statusModel } = await watched(lab, { past });
    expect(await statusModel.phone('POCO')).toMatchObject({ udid: 'POCO', history: [] });
  });

  it('has the words of a cloud that rejects the key apart from what happened and what to do', async () => {
    await using lab = await Lab.open();
    const { statusModel, agent } = await watched(lab);
    lab.cloud.change(({ users }) => users.all().map((user) => users.put({ ...user, apiKey: 'else' })));
    await agent.report();
    expect(statusModel.status()?.reports).toMatchObject({
      failure: `PUT ${lab.cloud.baseUrl}/devices: 401 Unauthorized`,
      said: 'the user name or the API key is wrong',
      remedy: 'Check the user name and the API key, and that the key was not revoked',
    });
  });

  it('says what the cloud refuses, in its words', async () => {
    await using lab = await Lab.open();
    lab.adb.plug(poco());
    lab.cloud.refuse('POCO', 'rack position missing');
    const { statusModel } = await watched(lab);
    expect(statusModel.status()?.phones[0]).toMatchObject({
      sign: 'rejected',
      refused: 'rack position missing',
      message: 'Fix what the cloud names; each report sends the phone again',
    });
  });
});
