import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FailedDevice } from '../../src/cloud/contract/report.ts';
import { TestServer } from '../support/cloud-server.ts';
import { byRounds, Lab, poco } from '../support/lab.ts';
import { outlasts } from '../support/outlasts.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const YEAR_MS = 365 * 24 * 3_600_000;

const udids = () => lab.puts.map(({ devices }) => devices?.map(({ udid }) => udid));
const given = () => lab.said('the cloud keeps refusing a device; each report carries it');
const impatient = {
  timing: { ...byRounds, firstRefusalDelayMs: 60 },
  env: { HOSTNODE_CLOUD_REFUSED_RETRIES: '3' },
};

/** An agent of one phone, which the cloud has refused. */
async function refusedOnce(): Promise<void> {
  lab.adb.plug(poco());
  lab.cloud.refuse('POCO', 'not now');
  const agent = await lab.agent(impatient);
  agent.start();
  await lab.until(() => lab.said('the cloud refused a device; it will be sent again').length === 1);
}

/** An agent whose cloud refuses these devices, whatever is sent. */
async function refusing(failedDevices: readonly FailedDevice[]) {
  const answer = JSON.stringify({ failedDevices });
  const cloud = await TestServer.listen((_, response) => void response.end(answer));
  onTestFinished(() => cloud[Symbol.asyncDispose]());
  const agent = await lab.running({
    env: { HOSTNODE_CLOUD_BASE_URL: `http://127.0.0.1:${cloud.port}/v1` },
  });
  return { agent, cloud };
}

describe('a device that the cloud refuses', () => {
  it('is read afresh and sent on its own, ever later, then carried by each report until it is stored', async () => {
    lab.adb.plug(poco('REFUSED', '1-1'));
    lab.adb.plug(poco('STORED', '1-2'));
    lab.cloud.refuse('REFUSED', 'missing required capability');
    const agent = await lab.agent(impatient);
    agent.start();
    for (const [index, leastMs] of [60, 120, 240].entries()) {
      await lab.until(() => lab.puts.length > index);
      expect(await outlasts(leastMs, () => lab.until(() => lab.puts.length > index + 1))).toBe(true);
    }
    await lab.until(() => given().length === 1);
    const both = ['REFUSED', 'STORED'];
    expect(udids()).toEqual([both, ['REFUSED'], ['REFUSED'], ['REFUSED']]);
    expect(conversationsWith('REFUSED')).toBe(4);
    expect(lab.said('the cloud refused a device; it will be sent again')).toEqual([
      expect.objectContaining({ level: 'warn', udid: 'REFUSED', message: 'missing required capability' }),
    ]);

    await agent.round();
    lab.cloud.accept('REFUSED');
    await agent.round();
    await agent.round();
    expect(udids().slice(4)).toEqual([both, both, both]);
    expect(given()).toEqual([expect.objectContaining({ level: 'error', udid: 'REFUSED' })]);
    expect(lab.said('the cloud stored a device that it had refused')).toHaveLength(1);
    expect(lab.stored('REFUSED')?.state).toBe('device');
    expect(lab.said('round').map(({ reported, refused }) => [reported, refused])).toEqual([
      [1, 1],
      [1, 1],
      [2, 0],
      [2, 0],
    ]);
  });

  it('is stored by the first retry after the cloud changed its mind', async () => {
    await refusedOnce();
    lab.cloud.accept('POCO');
    await lab.untilState('POCO', 'device');
    await lab.until(() => lab.said('the cloud stored a device that it had refused').length === 1);
    expect(udids()).toEqual([['POCO'], ['POCO']]);
    expect(given()).toEqual([]);
  });

  it('is sent again in time although the clock of the host was set back a year', async () => {
    await refusedOnce();
    lab.cloud.accept('POCO');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - YEAR_MS });
    onTestFinished(() => void vi.useRealTimers());
    await lab.until(() => lab.said('the cloud stored a device that it had refused').length === 1);
    expect(udids()).toEqual([['POCO'], ['POCO']]);
  });
});

describe('a device that the cloud refuses although it was not sent', () => {
  it('is said once', async () => {
    lab.adb.plug(poco());
    const { agent, cloud } = await refusing([{ udid: 'STRANGER', message: 'unknown' }]);
    await agent.round();
    await agent.stop();
    expect(cloud.received).toHaveLength(2);
    expect(lab.said('the cloud refused a device that was not sent')).toEqual([
      expect.objectContaining({ level: 'warn', udid: 'STRANGER', message: 'unknown' }),
    ]);
  });

  it('does not fill the log with its like', async () => {
    const strangers = Array.from({ length: 10_000 }, (_, n) => ({ udid: `STRANGER-${n}`, message: '' }));
    const { agent } = await refusing(strangers);
    await agent.stop();
    expect(lab.said('the cloud refused a device that was not sent')).toHaveLength(10);
    expect(lab.said('the cloud refused further devices that were not sent')).toEqual([
      expect.objectContaining({ level: 'warn', count: 9990 }),
    ]);
  });
});

const conversationsWith = (serial: string) =>
  lab.adb.requests.filter((served) => served.serial === serial && served.request.startsWith('shell,v2'))
    .length;
