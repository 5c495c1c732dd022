import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/diagnosis/finding.ts';
import { Diagnosis } from '../../src/diagnosis/index.ts';
import type { RuleInput } from '../../src/diagnosis/rule-input.ts';
import type { HostHappening, NewEvent } from '../../src/history/events/event.ts';
import { HistoryClient } from '../../src/history/store/client.ts';
import type { HistorySettings } from '../../src/history/store/history.ts';
import { readEvents } from '../../src/history/store/reader.ts';
import { FindingsBoard } from '../../src/status/findings-board.ts';
import { builtModule } from '../support/built-module.ts';
import { keptLog, silentLog } from '../support/log.ts';

const thread = builtModule(new URL('../../src/diagnosis/history-worker.ts', import.meta.url));

/** A host whose list has one phone, and lacks one that the lab expects. */
const input = (): RuleInput => ({
  ...{ at: Date.now(), isAdbListed: true, adbPorts: ['1-5'] },
  phones: [
    {
      ...{ udid: 'A', serial: 'A', model: 'Pixel 8', name: 'Pixel 8', connection: 'usb' },
      ...{ where: { devpath: '1-5', usbPath: '1-5' }, attached: true, state: 'device' },
      isInMaintenance: false,
    },
  ],
  setting: { expected: [{ serial: 'B' }], slots: [] },
});

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

const settingsIn = (stateDir: string) => ({ stateDir, days: 90, maxMegabytes: 256 });

/** A diagnosis, with what it told the agent and the log. */
function lab(history = new HistoryClient({ file: thread, log: silentLog }), present = input) {
  const { log, lines } = keptLog('info');
  const told = { remarked: [] as string[], changes: 0 };
  const board = new FindingsBoard(log);
  board.onChange = (udids) => {
    told.remarked.push(...udids);
    told.changes += 1;
  };
  const diagnosis = new Diagnosis({ input: present, hasUsb: false, history, board, log });
  const close = () => diagnosis.stop().then(() => history.close());
  endings.push(close);
  const start = (settings: HistorySettings) => history.use(settings);
  const found = () => board.current?.map(({ code }) => code);
  const kinds = async () => (await diagnosis.timeline(ofA)).events.map(({ kind }) => kind);
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  return { diagnosis, start, close, board, told, found, kinds, said };
}

const now = <E extends HostHappening>(happening: E) => [{ ...happening, at: Date.now() }];

describe('the diagnosis', () => {
  it('before it is started has no findings, and nobody can ask for the past', async () => {
    const { diagnosis, found } = lab();
    expect(await diagnosis.history.record(now({ kind: 'adbLost' }))).toBe(false);
    diagnosis.round();
    await expect(diagnosis.timeline(ofA)).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    expect(found()).toBeUndefined();
  });

  it('finds what history and present show, and both agent and status are told', async () => {
    const { diagnosis, start, board, told, found, kinds, said } = lab();
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(anHourAgo);
    expect(await kinds()).toEqual(['attached', 'agentStarted']);
    diagnosis.round();
    await expect.poll(found).toEqual(['EXPECTED_MISSING', 'UNEXPECTED_PHONE']);
    expect(told).toEqual({ remarked: ['A'], changes: 1 });
    expect(board.remarkOf('A')).toMatchObject({ code: 'UNEXPECTED_PHONE' });
    expect(said('finding goes on')).toHaveLength(2);
  });

  it('keeps its findings over a reload that moves the history to another state directory', async () => {
    const { diagnosis, start, told, found, kinds, said } = lab();
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(anHourAgo);
    await kinds();
    diagnosis.round();
    await expect.poll(found).toHaveLength(2);
    await start(settingsIn(dirs[1]));
    expect([await kinds(), found()?.length]).toEqual([[], 2]);
    expect(await readdir(dirs[1])).toContain('history.sqlite');
    await start(settingsIn(dirs[0]));
    expect(await kinds()).toHaveLength(2);
    expect([told.changes, said('finding ended').length]).toEqual([1, 0]);
  });

  it('answers whether it was the lab, with the finding that tells of it and what hindered the phone', async () => {
    const { diagnosis, start, board } = lab();
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(anHourAgo);
    diagnosis.happened([{ kind: 'detached', at: Date.now() - 60_000, udid: 'A', where: {} }]);
    const span = { from: Date.now() - 120_000, to: Date.now() };
    const { faults, verdict } = await diagnosis.verdict({ udid: 'A', ...span });
    expect([verdict, faults[0]]).toEqual(['lab', expect.objectContaining({ kind: 'lost', evidence: [3] })]);
    const subject = { kind: 'phone', key: 'A' };
    const told = {
      code: 'PHONE_UNSTABLE',
      subject,
      remedy: 'Take it out',
      evidence: [2, 3],
    } as unknown as Finding;
    Object.defineProperty(board, 'current', { value: [told] });
    const { faults: again } = await diagnosis.verdict({ udid: 'A', ...span });
    expect(again[0]).toMatchObject({ code: 'PHONE_UNSTABLE', remedy: 'Take it out' });
    // of another phone, which was lost with it
    told.subject = { kind: 'phone', key: 'B' };
    const { faults: own } = await diagnosis.verdict({ udid: 'A', ...span });
    expect(own).toEqual(faults);
  });

  it('answers that it was the lab where many phones lost the internet in the test, and not where one did', async () => {
    const { diagnosis, start, board } = lab();
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(anHourAgo);
    const lostAt = Date.now() - 60_000;
    diagnosis.happened([{ kind: 'hindered', codes: 'internet,dialog', at: lostAt, udid: 'A', where: {} }]);
    const asked = async () => {
      const answer = await diagnosis.verdict({ udid: 'A', from: lostAt - 60_000, to: lostAt + 30_000 });
      const dialog = answer.faults.find(({ title }) => title.includes('dialog'));
      expect(dialog).toMatchObject({ code: 'dialog', certainty: 'possible' });
      return [answer.verdict, answer.faults[0]?.certainty];
    };
    expect(await asked()).toEqual(['unwatched', 'possible']);
    const told = { code: 'INTERNET_LOST', remedy: 'Restart it', certainty: 'likely', evidence: [3] };
    const of = (subject: Finding['subject']) =>
      Object.defineProperty(board, 'current', { value: [{ ...told, subject }], configurable: true });
    of({ kind: 'phone', key: 'A' });
    expect(await asked()).toEqual(['unwatched', 'possible']);
    of({ kind: 'network' });
    expect(await asked()).toEqual(['lab', 'likely']);
  });

  it('ends what hindered a phone that gets its name with its first answer', async () => {
    const [phone] = input().phones as [RuleInput['phones'][number]];
    const silent = { ...phone, udid: '10.0.0.5:5555', isSilent: true };
    let now: RuleInput = { ...input(), phones: [silent] };
    const { diagnosis, start } = lab(undefined, () => now);
    await start(settingsIn(dirs[0]));
    const codes = async () => {
      const events = await diagnosis.history.events({ kinds: ['hindered'] });
      return events.map((event) => [event.udid, event.kind === 'hindered' && event.codes]);
    };
    diagnosis.round();
    await expect.poll(codes).toEqual([['10.0.0.5:5555', 'silent']]);
    diagnosis.renamed('10.0.0.5:5555', 'A');
    now = input();
    diagnosis.round();
    await expect.poll(codes).toEqual([
      ['A', ''],
      ['A', 'silent'],
    ]);
  });

  it('evaluates no more when it is closed, and what was recorded is on the disk', async () => {
    const { diagnosis, start, close, found } = lab();
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(now({ kind: 'adbLost' }));
    await close();
    diagnosis.round();
    await expect(diagnosis.timeline(ofA)).rejects.toMatchObject({
      code: 'HISTORY_UNAVAILABLE',
    });
    expect(found()).toBeUndefined();
    expect(await readEvents(dirs[0], {})).toMatchObject([{ kind: 'adbLost', at: expect.any(Number) }]);
  });

  it('without a state directory keeps the history in memory, which moves into it as soon as there is one', async () => {
    const { diagnosis, start, close, found, kinds } = lab();
    const { stateDir: _, ...limits } = settingsIn(dirs[0]);
    await start({ ...limits, isStopgap: true });
    expect(await diagnosis.history.record(anHourAgo)).toBe(false);
    diagnosis.round();
    await expect.poll(found).toHaveLength(2);
    expect(await readdir(dirs[0])).toEqual([]);
    await start(settingsIn(dirs[0]));
    expect(await kinds()).toHaveLength(2);
    await close();
    expect(await readEvents(dirs[0], {})).toHaveLength(2);
  });

  it('keeps its findings while the thread is dead, and nothing that was recorded is lost', async () => {
    const file = new URL('../history/store/mortal-worker.ts', import.meta.url);
    const history = new HistoryClient({ file, log: silentLog });
    const { diagnosis, start, found, kinds, said } = lab(history);
    await start(settingsIn(dirs[0]));
    void diagnosis.history.record(anHourAgo);
    await kinds();
    diagnosis.round();
    await expect.poll(found).toHaveLength(2);
    // evaluated while it is dead: on a busy machine an evaluation before may still rest
    const dies = async () => {
      await history.ask('die').catch(() => {});
      diagnosis.sampled({ udid: 'A', at: Date.now() });
      diagnosis.round();
      return said('cannot judge this host: its findings stay as they are');
    };
    await expect.poll(dies).toHaveLength(1);
    await expect(diagnosis.timeline(ofA)).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' });
    expect(found()).toHaveLength(2);
    void diagnosis.history.record([{ kind: 'agentStopped', at: Date.now() }]);
    await expect.poll(() => kinds().catch(() => [])).toEqual(['agentStopped', 'attached', 'agentStarted']);
  });
});
