import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hostSleeps } from '../support/host-sleep.ts';
import { byRounds, Lab, networkPoco, poco, pocos } from '../support/lab.ts';
import { outlasts } from '../support/outlasts.ts';

const everySecond = '* * * * * *';
let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const refusals = () => lab.said('the cloud did not store the report');
const recoveries = () => lab.said('the cloud stores reports again');
/** What each round came to: how many devices, or why none. */
const rounds = () =>
  lab.said('round').map(({ reported, report, notReporting }) => reported ?? report ?? notReporting);
const udids = () => lab.puts.map(({ devices }) => devices?.map(({ udid }) => udid));

/** A report that failed is tried again without a wait. */
function retryAtOnce(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

describe('full reports', () => {
  it('come on schedule and name every phone', async () => {
    for (const phone of pocos(2)) lab.adb.plug(phone);
    await lab.running({ schedule: everySecond, timing: byRounds });
    const full = () => lab.puts.filter(({ devices }) => devices?.length === 2);
    await lab.until(() => full().length >= 3); // on a busy machine a phone may miss its half second and come alone
    expect(full().map(({ devices }) => devices?.map(({ udid }) => udid).toSorted())).toEqual(
      full().map(() => ['POCO-1', 'POCO-2']), // in the order in which they were read
    );
    await lab.until(() => rounds().length >= 3);
    expect(lab.puts.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('are as old as they are when the host has slept', async () => {
    const agent = await lab.running();
    await agent.round();
    hostSleeps(9 * 3_600_000); // an hour more than is asked for: the clocks round in different ways
    const { reports } = agent.state;
    expect('storedAgoMs' in reports && reports.storedAgoMs).toBeGreaterThan(8 * 3_600_000);
  });

  it('are not missed when the cloud is not there: the newest truth is sent, and the trouble said once', async () => {
    retryAtOnce();
    lab.adb.plug(poco());
    lab.cloud.faults.next({ kind: 'status', status: 503 });
    lab.cloud.faults.always({ kind: 'reset' });
    const agent = await lab.agent();
    agent.start();
    await lab.until(() => refusals().length === 1);
    lab.adb.plug(poco('SECOND', '1-2'));
    await lab.until(() => agent.state.phones.length === 2);
    const tries = lab.puts.length;
    await lab.until(() => lab.puts.length >= tries + 2); // the first of them may have been made before
    lab.cloud.faults.clear();
    await lab.until(() => recoveries().length === 1);
    const stored = lab.puts.find(({ status }) => status === 200);
    expect(stored?.devices?.map(({ udid }) => udid)).toEqual(['POCO', 'SECOND']);
    expect(lab.stored('SECOND')?.state).toBe('device');
    expect(refusals().map(({ err }) => err)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('503') }),
      expect.objectContaining({ message: expect.stringContaining('ECONNRESET') }),
    ]);
  });

  it('that fail for the same two reasons by turns say each once', async () => {
    const agent = await lab.running({ env: { HOSTNODE_CLOUD_API_KEY: 'another' } });
    for (const status of [400, 401, 400]) {
      lab.cloud.faults.next({ kind: 'status', status });
      await agent.round();
    }
    expect(refusals().map(({ err }) => (err as { code: string }).code)).toEqual([
      'CLOUD_UNAUTHORIZED',
      'CLOUD_REFUSED',
    ]);
  });

  it('that fail without an answer say each reason once', async () => {
    retryAtOnce();
    for (const kind of ['reset', 'hang', 'reset'] as const) lab.cloud.faults.next({ kind });
    const agent = await lab.agent({ env: { HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '1' } });
    agent.start();
    await lab.until(() => recoveries().length === 1);
    expect(refusals().map(({ err }) => (err as { message: string }).message)).toEqual([
      expect.stringContaining('the connection was cut'),
      expect.stringContaining('no answer within 1 s'),
    ]);
  });

  it('are tried once a round when the credentials are wrong, and that is said once', async () => {
    const agent = await lab.running({ env: { HOSTNODE_CLOUD_API_KEY: 'another' } });
    await agent.round();
    expect(lab.puts.map(({ status }) => status)).toEqual([401, 401]);
    expect(rounds()).toEqual(['failed', 'failed']);
    expect(refusals()).toHaveLength(1);
  });

  it('are halved until the cloud takes them', async () => {
    for (const phone of pocos(5)) lab.adb.plug(phone);
    lab.cloud.bodyLimitBytes = 7_000;
    const agent = await lab.running({ timing: byRounds });
    expect(lab.cloud.devices().map(({ info }) => info.udid)).toEqual(pocos(5).map(({ serial }) => serial));
    const tooLarge = lab.puts.filter(({ status }) => status === 413).length;
    expect(tooLarge).toBeGreaterThan(0);
    await agent.round();
    expect(lab.puts.filter(({ status }) => status === 413)).toHaveLength(tooLarge);
  });

  it('make way for newer ones while they wait for the next attempt', async () => {
    lab.cloud.faults.next({ kind: 'status', status: 503 }, 4);
    // four attempts at once, then a long wait
    const random = vi.spyOn(Math, 'random').mockImplementation(() => (lab.puts.length < 4 ? 0 : 0.99));
    onTestFinished(() => random.mockRestore());
    const agent = await lab.agent();
    agent.start();
    await lab.until(() => lab.puts.length === 4);
    lab.adb.plug(poco());
    await once(lab.adb, 'request');
    await agent.round();
    expect(rounds()).toEqual(['superseded', 1]);
    expect(udids().at(-1)).toEqual(['POCO']);
  });
});

describe('a cloud that hangs', () => {
  it('never has two reports of one host in hand', async () => {
    retryAtOnce();
    let inHand = 0;
    let mostInHand = 0;
    let received = 0;
    const cloud = createServer((request, response) => {
      inHand += 1;
      received += 1;
      mostInHand = Math.max(mostInHand, inHand);
      request.resume();
      response.on('close', () => {
        inHand -= 1;
      });
    });
    cloud.listen(0, '127.0.0.1');
    await once(cloud, 'listening');
    const address = cloud.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const agent = await lab.agent({
      schedule: everySecond,
      env: {
        HOSTNODE_CLOUD_BASE_URL: `http://127.0.0.1:${port}/v1`,
        HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '1',
      },
    });
    agent.start();
    const phone = poco();
    while (received < 3) {
      await once(cloud, 'request');
      if (lab.adb.phones.length > 0) lab.adb.unplug('POCO');
      else lab.adb.plug(phone);
    }
    await agent.stop();
    cloud.closeAllConnections();
    cloud.close();
    expect(mostInHand).toBe(1);
    expect(refusals()).toHaveLength(1);
  });
});

describe('a cloud that sends Retry-After', () => {
  it('gets no request in the next rounds, while the phones are still collected', async () => {
    lab.adb.plug(poco());
    lab.cloud.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '3' } });
    const agent = await lab.agent({ schedule: everySecond });
    agent.start();
    await lab.until(() => lab.puts.length === 1);
    const asked = conversations();
    lab.adb.plug(poco('SECOND', '1-2'));
    expect(await outlasts(2_990, () => lab.until(() => lab.puts.length === 2))).toBe(true);
    expect(lab.puts[1]?.devices?.map(({ udid }) => udid)).toEqual(['POCO', 'SECOND']);
    expect(rounds()).toContain('postponed');
    expect(conversations()).toBeGreaterThan(asked + 1);
    expect(refusals()).toHaveLength(1);
  });

  it('is not disturbed by a round out of turn either', async () => {
    retryAtOnce();
    lab.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '1' } });
    const agent = await lab.agent();
    agent.start();
    await lab.until(() => lab.puts.length === 1);
    const quiet = outlasts(990, () => lab.until(() => lab.puts.length === 2));
    await lab.until(() => refusals().length === 1);
    await agent.round();
    expect(await quiet).toBe(true);
    expect(lab.puts).toHaveLength(2);
  });

  it('does not keep waiting who wants to know what came of a report', async () => {
    lab.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '600' } });
    const agent = await lab.agent();
    agent.start();
    await lab.until(() => refusals().length === 1);
    expect(await agent.report()).toMatchObject({ failure: expect.stringContaining('503') });
    expect(lab.puts).toHaveLength(1);
  });

  it('gets a request again after a reload, and the agent knows when the cloud last stored a report', async () => {
    const before = await lab.runningHost();
    lab.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '600' } });
    void before.agent.round();
    await lab.until(() => refusals().length === 1);
    await before.stop();
    const agent = await lab.agent({ carried: before.carried });
    expect(agent.state.reports).toMatchObject({ storedAgoMs: expect.any(Number) });
    agent.start();
    await lab.until(() => lab.puts.length === 3);
  });

  const conversations = () => lab.adb.requests.filter(({ request }) => request.startsWith('shell,v2')).length;
});

describe('a host without a cloud', () => {
  it('follows its phones and says that it does not report', async () => {
    const agent = await lab.running({ withoutCloud: true });
    lab.adb.plug(networkPoco().phone);
    await lab.until(() => lab.said('phone attached').length === 1);
    await agent.round();
    expect(lab.said('not reporting: no cloud configured')).toHaveLength(1);
    expect(rounds()).toEqual(['no cloud configured', 'no cloud configured']);
    expect(lab.puts).toEqual([]);
  });
});
