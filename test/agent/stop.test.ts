import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standardTiming } from '../../src/agent/options.ts';
import type { CloudFault } from '../../src/sandbox/fault.ts';
import { builtModule } from '../support/built-module.ts';
import { byRounds, hold, Lab, poco, pocos } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const processFile = fileURLToPath(builtModule(new URL('./stop-process.ts', import.meta.url)));
const told = () => lab.puts.map(({ devices }) => devices?.map(({ udid, status }) => `${udid} ${status}`));

/** A stop that waits for this does not end before its test has timed out, ms. */
const tooLate = 60_000;
const patient = { HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '60' };

describe('an agent that has to stop', () => {
  it('has ten seconds, and by its own settings takes less', () => {
    expect(standardTiming.stopMs).toBeLessThan(10_000);
    expect(standardTiming.stopCollectingMs).toBeLessThan(standardTiming.stopMs);
  });

  it('ends the round in hand: the report of it arrives', async () => {
    const phone = poco();
    const answer = hold(phone, 'battery');
    lab.adb.plug(phone);
    const agent = await lab.agent({ timing: { ...byRounds, stopCollectingMs: tooLate } });
    agent.start();
    while (!lab.adb.requests.some(({ serial }) => serial === 'POCO')) await once(lab.adb, 'request');
    const stopped = agent.stop();
    answer();
    await stopped;
    expect(lab.said('round')).toHaveLength(1);
    expect(lab.stored('POCO')?.battery).toBeDefined();
  });

  it('waits for the answer to a report that is on its way', async () => {
    lab.adb.plug(poco());
    lab.cloud.faults.next({ kind: 'slow', ms: 300 });
    const agent = await lab.agent();
    agent.start();
    await lab.until(() => lab.puts.length === 1);
    await agent.stop();
    expect(lab.puts.map(({ status }) => status)).toEqual([200]);
    expect(lab.said('round').map(({ reported }) => reported)).toEqual([1]);
  });

  it('reports nothing', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running();
    await agent.stop();
    expect(told()).toEqual([['POCO PLUGGED']]);
  });

  it('gives up a phone that hangs, and reports the others', async () => {
    const [hung, other] = pocos(2);
    hung?.disturb('*', { kind: 'stuck' });
    for (const phone of [hung, other]) if (phone) lab.adb.plug(phone);
    const agent = await lab.agent({ timing: { ...byRounds, stopCollectingMs: 300, stopMs: tooLate } });
    agent.start();
    await lab.until(() => lab.said('phone read').length === 1);
    await agent.stop();
    expect(told()).toEqual([['POCO-1 PLUGGED', 'POCO-2 PLUGGED']]);
    expect(lab.stored('POCO-2')?.battery).toBeDefined();
  });

  it('gives up a cloud that hangs', async () => {
    lab.cloud.faults.next({ kind: 'hang' });
    const agent = await lab.agent({ timing: { ...byRounds, stopMs: 500 }, env: patient });
    agent.start();
    await lab.until(() => lab.puts.length === 1);
    await agent.stop();
    expect(lab.puts).toHaveLength(1);
  });

  it('says of a report that somebody waits for that it came to nothing', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({ timing: { ...byRounds, stopMs: 300 } });
    lab.cloud.faults.always({ kind: 'hang' });
    const sent = lab.puts.length;
    const report = agent.report();
    await lab.until(() => lab.puts.length > sent);
    await agent.stop();
    expect(await report).toBeUndefined();
  });

  it('does not wait for a cloud that is to be tried again later', async () => {
    lab.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '60' } });
    const agent = await lab.agent({ timing: { ...byRounds, stopMs: tooLate } });
    agent.start();
    await lab.until(() => lab.said('the report will be tried again').length === 1);
    await agent.stop();
    expect(lab.puts).toHaveLength(1);
  });

  it('reports nothing any more, whatever happens', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({ schedule: '* * * * * *', timing: { collectSoonMs: 10 } });
    await agent.stop();
    const requests = lab.adb.requests.length;
    const puts = lab.puts.length;
    lab.adb.unplug('POCO');
    await agent.round();
    await agent.stop();
    expect([lab.adb.requests.length, lab.puts.length]).toEqual([requests, puts]);
  });
});

describe('an agent of a host that is retired', () => {
  const retired = { env: { HOSTNODE_REPORT_ON_STOP: 'unplugged' }, timing: byRounds };

  it('reports that all phones are unplugged', async () => {
    for (const phone of pocos(2)) lab.adb.plug(phone);
    const agent = await lab.running(retired);
    await agent.stop();
    expect(told()).toEqual([
      ['POCO-1 PLUGGED', 'POCO-2 PLUGGED'],
      ['POCO-1 UNPLUGGED', 'POCO-2 UNPLUGGED'],
    ]);
  });

  it('reports it also when the adb server ended before', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running(retired);
    await lab.stopAdb();
    await lab.until(() => lab.said('cannot reach adb').length === 1);
    await agent.stop();
    expect(told()).toEqual([['POCO PLUGGED'], ['POCO UNPLUGGED']]);
  });

  it('reports it also when a reload turns into the end', async () => {
    const phone = poco();
    lab.adb.plug(phone);
    const agent = await lab.running({ ...retired, timing: { ...byRounds, stopCollectingMs: tooLate } });
    const answer = hold(phone, 'battery');
    void agent.round();
    let isFinal = false;
    const stopped = agent.stop(() => isFinal);
    isFinal = true; // SIGTERM
    answer();
    await stopped;
    expect(told().at(-1)).toEqual(['POCO UNPLUGGED']);
  });

  it('reports nothing when another agent takes over', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running(retired);
    await agent.stop(() => false);
    expect(told()).toEqual([['POCO PLUGGED']]);
  });

  const notStored = () =>
    lab.said(
      'the cloud has not stored that the phones are unplugged: it may show them as plugged in for ever',
    );

  it('reports it again to a cloud that was down for a moment, however long it had been down before', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running(retired);
    lab.cloud.faults.always({ kind: 'status', status: 503 });
    const failed = () => lab.puts.filter(({ status }) => status === 503).length;
    for (let before = 0; before < 6; before = failed()) {
      void agent.round();
      await lab.until(() => failed() > before);
    }
    lab.cloud.faults.clear();
    for (let times = 0; times < 2; times += 1) lab.cloud.faults.next({ kind: 'status', status: 503 });
    await agent.stop();
    expect(lab.stored('POCO')?.status).toBe('UNPLUGGED');
    expect(notStored()).toEqual([]);
  });

  it('reports it when the Retry-After of the cloud ends in time', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running(retired);
    lab.cloud.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    void agent.round();
    await lab.until(() => lab.said('the cloud did not store the report').length === 1);
    await agent.stop();
    expect(lab.stored('POCO')?.status).toBe('UNPLUGGED');
    expect(notStored()).toEqual([]);
  });

  it.each<[string, CloudFault, string]>([
    ['asks for a long quiet', { kind: 'status', status: 429, headers: { 'retry-after': '60' } }, '429'],
    ['stays away', { kind: 'status', status: 503 }, '503'],
    ['does not know the account any more', { kind: 'status', status: 401 }, '401'],
    ['hangs', { kind: 'hang' }, 'no answer in time'],
  ])('says that the cloud shows its phones where that %s', async (_, fault, failure) => {
    lab.adb.plug(poco());
    const agent = await lab.running({ ...retired, timing: { ...byRounds, stopMs: 1_000 } });
    lab.cloud.faults.always(fault);
    await agent.stop();
    expect(notStored()).toMatchObject([{ level: 'error', failure: expect.stringContaining(failure) }]);
    expect(lab.stored('POCO')?.status).toBe('PLUGGED');
  });

  it('says so too where the cloud refuses a phone', async () => {
    for (const phone of pocos(2)) lab.adb.plug(phone);
    const agent = await lab.running(retired);
    lab.cloud.refuse('POCO-2', 'not now');
    await agent.stop();
    expect(notStored()).toMatchObject([{ level: 'error', refused: 1 }]);
  });

  it('does not wait longer for a cloud that hangs', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({
      env: { ...retired.env, ...patient },
      timing: { ...byRounds, stopMs: 500 },
    });
    lab.cloud.faults.next({ kind: 'hang' });
    await agent.stop();
  });
});

describe('a process whose agent has stopped', () => {
  it('ends by itself at once: no timer, socket or listener keeps it', async () => {
    const [hung, other] = pocos(2);
    hung?.disturb('*', { kind: 'stuck' });
    for (const phone of [hung, other]) if (phone) lab.adb.plug(phone);
    lab.cloud.refuse('POCO-2', 'not now');
    const child = spawn(process.execPath, [processFile], {
      env: {
        HOSTNODE_ADB_PORT: String(lab.adb.port),
        HOSTNODE_CLOUD_BASE_URL: lab.cloud.baseUrl,
        HOSTNODE_CLOUD_USERNAME: 'lab',
        HOSTNODE_CLOUD_API_KEY: 'lab-key',
        HOSTNODE_STATE_DIR: lab.stateDir,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(printed).toBe('');
    expect(lab.cloud.devices().map(({ info }) => info.udid)).toEqual(['POCO-1']);
  });
});
