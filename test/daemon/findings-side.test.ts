import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentView, PhoneView } from '../../src/agent/view.ts';
import { loadConfig } from '../../src/config/load.ts';
import { FindingsSide, type FindingsSideOptions } from '../../src/daemon/findings-side.ts';
import type { NewEvent } from '../../src/diagnosis/events/event.ts';
import { HistoryReader } from '../../src/diagnosis/store/reader.ts';
import { HistoryThread } from '../../src/diagnosis/store/thread.ts';
import type { mortalQuestions } from '../diagnosis/store/mortal-worker.ts';
import { keptLog } from '../support/log.ts';

/** An agent whose list has one phone. */
const view: AgentView = {
  nodeId: 'node-1',
  ...{ adb: { state: 'listed' }, hasListed: true, usbPorts: ['1-5'], nextReportMs: 60_000 },
  reports: { notReporting: 'no cloud configured' },
  phones: [
    {
      device: {
        ...{ udid: 'A', serial: 'A', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
        ...{ devpath: '1-5', portPaths: ['1-5'] },
      },
      info: { udid: 'A', state: 'device', message: '', modelName: 'Pixel 8' } as PhoneView['info'],
      ...{ remedy: '', isSilent: false },
    },
  ],
};

/** Of a host whose phone nobody expects. */
const anHourAgo: NewEvent[] = [
  { kind: 'agentStarted', at: Date.now() - 3_600_000, version: '1.2.3', hostBootedAt: 1 },
  { kind: 'attached', at: Date.now() - 3_500_000, udid: 'A', state: 'device', where: { devpath: '1-5' } },
];
const ofA = {
  of: { udids: ['A'] },
  places: { slots: [], usbPaths: [], hubs: [] },
  ...{ since: 0, most: 10 },
};

const endings: (() => unknown)[] = [];
let dirs: [string, string];
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'hostnode-findings-'));
  endings.push(() => rm(parent, { recursive: true, force: true }));
  dirs = [await mkdtemp(join(parent, 'one-')), await mkdtemp(join(parent, 'two-'))];
});
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

const configOf = async (stateDir: string) =>
  (
    await loadConfig({
      env: { HOSTNODE_STATE_DIR: stateDir, HOSTNODE_INVENTORY_EXPECTED: '[{"serial": "B"}]' },
      defaultFile: '',
    })
  ).config;

/** A side, with what it told the agent and the log. */
async function sideIn(stateDir: string, options: Partial<FindingsSideOptions> = {}) {
  const { log, lines } = keptLog('info');
  const told = { remarked: [] as string[], changes: 0 };
  const state = { config: await configOf(stateDir), isLocked: true };
  const side = new FindingsSide({
    active: { agent: { view, remarked: (udid) => told.remarked.push(udid) } },
    config: () => state.config,
    isLocked: () => state.isLocked,
    isInMaintenance: () => false,
    onChange: () => {
      told.changes += 1;
    },
    log,
    ...options,
  });
  endings.push(() => side.close());
  const found = () => side.board.current?.map(({ code }) => code);
  const kinds = async () => (await side.past(ofA)).events.map(({ kind }) => kind);
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  return { side, state, told, found, kinds, said };
}

describe('the findings of the daemon', () => {
  it('before it is opened are none, and nobody can ask for the past', async () => {
    const { side, found } = await sideIn(dirs[0]);
    side.record({ kind: 'adbLost' });
    side.judging.round();
    await expect(side.past(ofA)).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    expect([side.history, found()]).toEqual([undefined, undefined]);
  });

  it('once it is opened are judged from the history and the agent, and both agent and status are told', async () => {
    const { side, told, found, kinds, said } = await sideIn(dirs[0]);
    await side.open();
    void side.history?.record(anHourAgo);
    expect(await kinds()).toEqual(['attached', 'agentStarted']);
    side.judging.round();
    await expect.poll(found).toEqual(['EXPECTED_MISSING', 'UNEXPECTED_PHONE']);
    expect(told).toEqual({ remarked: ['A'], changes: 1 });
    expect(side.board.remarkOf('A')).toMatchObject({ code: 'UNEXPECTED_PHONE' });
    expect(said('finding goes on')).toHaveLength(2);
  });

  it('stay over a reload that moves the history to another state directory', async () => {
    const { side, state, told, found, kinds, said } = await sideIn(dirs[0]);
    await side.open();
    const { history } = side;
    void side.history?.record(anHourAgo);
    await kinds();
    side.judging.round();
    await expect.poll(found).toHaveLength(2);
    state.config = await configOf(dirs[1]);
    await side.open();
    expect(side.history).toBe(history);
    expect([await kinds(), found()?.length]).toEqual([[], 2]);
    expect(await readdir(dirs[1])).toContain('history.sqlite');
    state.config = await configOf(dirs[0]);
    await side.open();
    expect(await kinds()).toHaveLength(2);
    expect([told.changes, said('finding ended').length]).toEqual([1, 0]);
  });

  it('when it is closed are judged no more, and what was recorded is on the disk', async () => {
    const { side, found } = await sideIn(dirs[0]);
    await side.open();
    side.record({ kind: 'adbLost' });
    await side.close();
    side.judging.round();
    await expect(side.past(ofA)).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE', mayRetry: false });
    expect(found()).toBeUndefined();
    await using reader = await HistoryReader.open(dirs[0]);
    expect(reader?.store.events({})).toMatchObject([{ kind: 'adbLost', at: expect.any(Number) }]);
  });

  it('without a state directory come from memory, which moves into it as soon as there is one', async () => {
    const { side, state, found, kinds } = await sideIn(dirs[0]);
    state.isLocked = false;
    await side.open();
    expect(await side.history?.record(anHourAgo)).toBe(false);
    side.judging.round();
    await expect.poll(found).toHaveLength(2);
    expect(await readdir(dirs[0])).toEqual([]);
    state.isLocked = true;
    await side.open();
    expect(await kinds()).toHaveLength(2);
    await side.close();
    await using reader = await HistoryReader.open(dirs[0]);
    expect(reader?.store.events({})).toHaveLength(2);
  });

  it('stay while the thread is dead, and nothing that was recorded is lost', async () => {
    let thread: HistoryThread<typeof mortalQuestions> | undefined;
    const { side, found, kinds, said } = await sideIn(dirs[0], {
      start: (options) => {
        const file = new URL('../diagnosis/store/mortal-worker.ts', import.meta.url);
        thread = new HistoryThread<typeof mortalQuestions>({ file, ...options });
        return thread;
      },
    });
    await side.open();
    void side.history?.record(anHourAgo);
    await kinds();
    side.judging.round();
    await expect.poll(found).toHaveLength(2);
    // judged while it is dead: on a busy machine a judgement before may still rest
    const dies = async () => {
      await thread?.ask('die', undefined).catch(() => {});
      side.judging.sampled();
      side.judging.round();
      return said('cannot judge this host: its findings stay as they are');
    };
    await expect.poll(dies).toHaveLength(1);
    await expect(side.past(ofA)).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    expect(found()).toHaveLength(2);
    side.record({ kind: 'note', udid: 'A', where: {}, text: 'while it is dead' });
    await expect.poll(() => kinds().catch(() => [])).toEqual(['note', 'attached', 'agentStarted']);
  });
});
