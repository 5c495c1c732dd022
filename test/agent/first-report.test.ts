import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Lab, type LabOptions, poco, pocos } from '../support/lab.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab[Symbol.asyncDispose]());

const WAITS = 'the cloud has these phones: the first report waits for its place';
const DAY_MS = 86_400_000;
/** As the program starts, without the haste of the other tests; its place is in a day, and so hardly ever in a test. */
const asProgram: LabOptions = { timing: { firstReportMs: DAY_MS } };

/** An agent that ran with two phones, and has stopped. */
async function earlierRun(options: LabOptions = {}): Promise<void> {
  for (const phone of pocos(2)) lab.adb.plug(phone);
  await (await lab.running(options)).stop();
}

const udidsOf = (puts: Lab['puts']) => puts.map(({ devices }) => devices?.map(({ udid }) => udid));

/** What is sent from now on, after a phone more was plugged in: nothing was sent before it. */
async function sentWithAnother(before: number): Promise<unknown> {
  lab.adb.plug(poco('ANOTHER', '3-1'));
  await lab.until(() => lab.stored('ANOTHER') !== undefined);
  return udidsOf(lab.puts.slice(before));
}

describe('an agent that starts with the phones that the cloud has', () => {
  it('collects them, and sends nothing before its place in the minute but a phone that comes', async () => {
    await earlierRun();
    const before = lab.puts.length;
    const agent = await lab.running(asProgram);
    expect(lab.said(WAITS)).toHaveLength(1);
    expect(agent.state.phones.map(({ snapshot }) => snapshot?.facts.battery !== undefined)).toEqual([
      true,
      true,
    ]);
    expect(agent.state.nextReportMs).toBeGreaterThan(0);
    expect(agent.state.nextReportMs).toBeLessThanOrEqual(DAY_MS);
    expect(await sentWithAnother(before)).toEqual([['ANOTHER']]);
  });

  it('reports them at its place', async () => {
    await earlierRun();
    const before = lab.puts.length;
    await lab.running({ timing: { firstReportMs: 1_000 } });
    await lab.until(() => lab.puts.length > before);
    expect(udidsOf(lab.puts.slice(before))).toEqual([['POCO-1', 'POCO-2']]);
  });

  it('reports them at once for somebody who asks', async () => {
    await earlierRun();
    const before = lab.puts.length;
    const agent = await lab.running(asProgram);
    expect(await agent.report()).toMatchObject({ reported: { kind: 'stored', devices: 2 } });
    expect(udidsOf(lab.puts.slice(before))).toEqual([['POCO-1', 'POCO-2']]);
  });

  it('sends no message that an earlier run may have sent', async () => {
    await earlierRun();
    const before = lab.puts.length;
    const { agent, plans } = await lab.runningHost(asProgram);
    await plans.maintenance.begin(['POCO-1'], { until: Date.now() + 86_400_000, reason: 'another cable' });
    expect(await sentWithAnother(before)).toEqual([['ANOTHER']]);
    expect(await agent.report()).toMatchObject({ reported: { kind: 'stored' } });
    expect(lab.stored('POCO-1')?.message).toMatch(/^In maintenance until .*: another cable$/);
  });

  it('waits although the adb server comes later', async () => {
    await earlierRun();
    const before = lab.puts.length;
    await lab.stopAdb();
    await lab.running(asProgram);
    await lab.startAdb(pocos(2));
    await lab.until(() => lab.said('round').length === 3);
    expect(lab.said(WAITS)).toHaveLength(2);
    expect(await sentWithAnother(before)).toEqual([['ANOTHER']]);
  });
});

describe('an agent reports at once', () => {
  /** What the first report after a restart has. */
  async function firstAfter(change: () => void): Promise<unknown> {
    await earlierRun();
    const before = lab.puts.length;
    change();
    await lab.running(asProgram);
    expect(lab.said(WAITS)).toEqual([]);
    return udidsOf(lab.puts.slice(before));
  }

  it('when it starts for the first time', async () => {
    lab.adb.plug(poco());
    await lab.running(asProgram);
    expect(lab.said(WAITS)).toEqual([]);
    expect(udidsOf(lab.puts)).toEqual([['POCO']]);
  });

  it.each([
    ['came', () => lab.adb.plug(poco('ANOTHER', '3-1'))],
    ['went', () => lab.adb.unplug('POCO-2')],
    [
      'moved to another port',
      () => {
        lab.adb.unplug('POCO-2');
        lab.adb.plug(poco('POCO-2', '3-1'));
      },
    ],
    ['asks whether it may be debugged', () => lab.adb.setState('POCO-2', 'unauthorized')],
  ])('when a phone %s while it did not run', async (_, change) => {
    expect(await firstAfter(change)).toContainEqual(expect.arrayContaining(['POCO-1', 'POCO-2']));
  });

  it('when the cloud has not stored these phones', async () => {
    lab.cloud.faults.next({ kind: 'status', status: 401 }, 100);
    await earlierRun();
    lab.cloud.faults.clear();
    const before = lab.puts.length;
    await lab.running(asProgram);
    expect(udidsOf(lab.puts.slice(before))).toContainEqual(['POCO-1', 'POCO-2']);
  });

  it('when a person starts it on a terminal', async () => {
    await earlierRun();
    const before = lab.puts.length;
    await lab.running({ timing: { firstReportMs: 0 } });
    expect(udidsOf(lab.puts.slice(before))).toContainEqual(['POCO-1', 'POCO-2']);
  });
});
