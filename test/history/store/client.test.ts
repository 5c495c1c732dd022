import { EventEmitter } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/base/log.ts';
import { openHistory } from '../../../src/diagnosis/index.ts';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { HistoryClient, MOST_URGENT, MOST_WAITING } from '../../../src/history/store/client.ts';
import { HistoryUnavailableError, type Write, type Written } from '../../../src/history/store/history.ts';
import type { HistoryThreadOptions, Request } from '../../../src/history/store/thread.ts';
import { builtModule } from '../../support/built-module.ts';

const file = builtModule(new URL('../../../src/diagnosis/history-worker.ts', import.meta.url));
const mortal = builtModule(new URL('mortal-worker.ts', import.meta.url));

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function stateDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostnode-history-'));
  endings.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function open(stateDir: string, options: Partial<HistoryThreadOptions>) {
  const lines: string[] = [];
  const { logger } = createLogger({ level: 'info', format: 'json', destination: (line) => lines.push(line) });
  const history = new HistoryClient({ file, log: logger, ...options });
  await history.use({ stateDir, days: 90, maxMegabytes: 256 });
  return { history, lines };
}

async function start(stateDir: string, options: Partial<HistoryThreadOptions> = {}) {
  const opened = await open(stateDir, options);
  endings.push(() => opened.history.close());
  return opened;
}

/** A thread that does nothing. What came of each attempt to write is the next of these; after them, that it is kept. */
function fakeThreads(...outcomes: (Written | 'death' | 'silence')[]) {
  const written: string[] = [];
  const begin = () => {
    const thread = Object.assign(new EventEmitter(), {
      unref: () => {},
      terminate: async () => {},
      postMessage: ({ id, name, argument }: Request) => {
        if (name === 'write') written.push(nameOf(argument as Write));
        const outcome = name === 'write' ? (outcomes.shift() ?? 'kept') : name;
        if (outcome === 'death') thread.emit('exit', 1);
        else if (outcome !== 'silence')
          queueMicrotask(() => thread.emit('message', { kind: 'answer', id, json: JSON.stringify(outcome) }));
      },
    });
    return thread as never;
  };
  return { begin, written };
}

/** `2: A B`: the number, and the phones. */
const nameOf = ({ sent, changes }: Write): string => {
  const names = changes.map((change) => {
    const [first] = change.kind === 'events' ? change.events : [];
    return first?.udid ?? first?.kind ?? change.kind;
  });
  return `${sent.number}: ${names.length > 9 ? names.length : names.join(' ')}`;
};

const note = (udid: string): NewEvent => ({ kind: 'note', udid, at: 1, text: 'x', where: {} });
const attached = (udid: string, at: number): NewEvent => ({
  ...{ kind: 'attached', udid, at, state: 'device' },
  where: { slot: 'bay 4', devpath: '1-4.2', usbPath: 'pci-0000:00:14.0-usb-0:4.2' },
});

describe('the thread of the history', () => {
  it('says what is on the disk, and has it in the next run', async () => {
    const stateDir = await stateDirectory();
    const first = await start(stateDir);
    const events = [attached('A', 1000), attached('B', 2000)];
    const isOnDisk = first.history.record(events);
    await first.history.close();
    expect(await isOnDisk).toBe(true);
    const { history, lines } = await start(stateDir);
    expect(await history.events({})).toEqual([
      { ...events[1], id: 2 },
      { ...events[0], id: 1 },
    ]);
    expect(await history.lastStates()).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it('is started again when it has died: nothing is lost, and nothing is there twice', async () => {
    const { history } = await start(await stateDirectory(), { file: mortal });
    for (let round = 0; round < 3; round += 1) {
      void history.record([{ kind: 'note', udid: 'A', at: round, text: 'urgent', where: {} }]);
      await expect(history.ask('die')).rejects.toThrow('its thread has died');
      void history.record([attached('A', 100 + round)]);
      await expect
        .poll(() => history.events({ kinds: ['attached'] }).catch(() => []))
        .toHaveLength(round + 1);
    }
    const times = (await history.events({})).map(({ at }) => at);
    expect(times.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 100, 101, 102]);
  });

  it('that dies between the file and the answer has nothing written twice', async () => {
    const { history } = await start(await stateDirectory(), { file: mortal });
    const written = [history.record([attached('A', 1)])];
    await history.ask('dieAtNextWrite');
    written.push(history.record([attached('B', 2)]));
    written.push(history.record([{ kind: 'note', udid: 'A', at: 3, text: 'urgent', where: {} }]));
    written.push(history.record([attached('C', 4)]));
    expect(await Promise.all(written)).toEqual([true, true, true, true]);
    expect((await history.events({})).map(({ at }) => at)).toEqual([4, 3, 2, 1]);
  });

  it('says why a question has no answer', async () => {
    const history = new HistoryClient({
      file: mortal,
      log: createLogger({ level: 'silent', format: 'json', destination: () => {} }).logger,
    });
    await history.use({ days: 90, maxMegabytes: 256 });
    endings.push(() => history.close());
    await expect(history.ask('fail')).rejects.toMatchObject({
      ...{ code: 'HISTORY_UNAVAILABLE', message: 'no answer to that' },
    });
    expect(await history.events({})).toEqual([]);
  });

  it('writes what happens, and judges it, before it answers all who ask', async () => {
    const { logger } = createLogger({ level: 'info', format: 'json', destination: () => {} });
    const history = new HistoryClient({
      file: mortal,
      log: logger,
    });
    await history.use({ stateDir: await stateDirectory(), days: 90, maxMegabytes: 256 });
    endings.push(() => history.close());
    const order: string[] = [];
    await history.ask('events', {});
    const asked = Array.from({ length: 20 }, () =>
      history.ask('dawdle').then((answer) => order.push(String(answer))),
    );
    const note: NewEvent = { kind: 'note', udid: 'A', at: 1, text: 'x', where: {} };
    const judged = history.ask('dawdle', undefined, true).then(() => order.push('judged'));
    expect(await history.record([note])).toBe(true);
    order.push('written');
    await Promise.all([...asked, judged]);
    expect(order.indexOf('judged')).toBeLessThan(5);
    expect(order.indexOf('written')).toBeLessThan(19);
  });

  it('leaves one file, although many still ask at its end', async () => {
    const stateDir = await stateDirectory();
    const { history } = await start(stateDir);
    await history.record([attached('A', 1000)]);
    const asked = Array.from({ length: 50 }, () => history.events({}).catch(() => []));
    await history.close();
    await Promise.all(asked);
    expect(await readdir(stateDir)).toEqual(['history.sqlite']);
  });

  it('has samples as soon as they were read, and moves to another state directory', async () => {
    const [stateDir, other] = [await stateDirectory(), await stateDirectory()];
    const { history } = await start(stateDir);
    const at = Math.floor(Date.now() / 300_000) * 300_000;
    history.sample([{ udid: 'A', at: at + 1, levelPercent: 3 }]);
    history.sample([{ udid: 'A', at: at + 2, levelPercent: 2 }]);
    expect(await history.samples('A', 0)).toEqual([{ at, levelPercent: 2 }]);
    void history.record([attached('A', 1)]);
    await history.use({ stateDir: other, days: 90, maxMegabytes: 256 });
    expect(await history.events({})).toEqual([]);
    await history.use({ stateDir, days: 90, maxMegabytes: 256 });
    expect(await history.events({})).toHaveLength(1);
    expect(await history.forget(['A'])).toBe(true);
    expect(await history.events({})).toEqual([]);
    expect(await history.samples('A', 0)).toEqual([]);
  });

  it('ends while it has nothing to do, and the next one has all, also what was recorded at that moment', async () => {
    const stateDir = await stateDirectory();
    const { history, lines } = await start(stateDir, { idleMs: 20 });
    const note = (text: string): NewEvent => ({ kind: 'note', udid: 'A', at: 1, text, where: {} });
    const expected: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const text of [`${round}`, `${round}, perhaps while it ends`]) {
        expected.push(text);
        expect(await history.record([note(text)])).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await expect.poll(() => readdir(stateDir)).toEqual(['history.sqlite']);
    }
    const texts = (await history.events({})).map((event) => event.kind === 'note' && event.text);
    expect(texts.toReversed()).toEqual(expected);
    expect(lines).toEqual([]);
  });

  it('says with all that it writes, and every five minutes, that the agent runs', async () => {
    const stateDir = await stateDirectory();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    endings.push(async () => void vi.useRealTimers());
    const note: NewEvent = { kind: 'note', udid: 'A', at: 1, text: 'x', where: {} };
    const { history } = await start(stateDir);
    /** When an agent that is killed now was certainly still running, as the next one knows it. */
    const killed = async () => {
      const copy = await stateDirectory();
      await cp(stateDir, copy, { recursive: true });
      const next = (await start(copy)).history;
      void next.record([{ kind: 'agentStarted', at: 2, version: '1.2.3' }]);
      const [started] = await next.events({ kinds: ['agentStarted'] });
      return started?.kind === 'agentStarted' ? (started.lastAliveAt ?? 0) : 0;
    };
    const begin = Date.now();
    expect(await history.record([note])).toBe(true);
    const first = await killed();
    expect([first >= begin, first <= Date.now()]).toEqual([true, true]);
    vi.advanceTimersByTime(5 * 60_000);
    await history.events({}); // what was recorded before is written before
    expect(await killed()).toBeGreaterThan(first);
  });

  it('does not end while the history is in its memory only', async () => {
    const { logger } = createLogger({ level: 'silent', format: 'json', destination: () => {} });
    const history = openHistory({ log: logger, idleMs: 1 });
    await history.use({ days: 90, maxMegabytes: 256 });
    endings.push(() => history.close());
    const note: NewEvent = { kind: 'note', udid: 'A', at: 1, text: 'x', where: {} };
    expect(await history.record([note])).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await history.events({})).toHaveLength(1);
  });

  it('has room for all readings of its memory when they move to the disk', async () => {
    const { logger } = createLogger({ level: 'silent', format: 'json', destination: () => {} });
    const history = new HistoryClient({ file, log: logger });
    endings.push(() => history.close());
    await history.use({ days: 90, maxMegabytes: 256 });
    const [phones, times] = [50, 3000];
    for (let time = 0; time < times; time += 100) {
      const samples = Array.from({ length: 100 * phones }, (_, index) => ({
        udid: `R58M123ABC${index % phones}`,
        at: (time + Math.floor(index / phones)) * 300_000,
        ...{
          levelPercent: 77.5,
          temperatureDecicelsius: 251,
          isFull: false,
          storageUsedBytes: 2 ** 36 + index,
        },
      }));
      void history.sample(samples);
      await history.events({ limit: 1 }); // they are written before
    }
    await history.use({ stateDir: await stateDirectory(), days: 90, maxMegabytes: 256 });
    expect(await history.samples('R58M123ABC7', 0)).toHaveLength(times);
  });

  it('that the system grants nobody is tried again later, not at every question', async () => {
    let tries = 0;
    const refuse = (): never => {
      tries += 1;
      throw new Error('EAGAIN');
    };
    const { history } = await start(await stateDirectory(), { start: refuse });
    await expect(history.events({})).rejects.toThrow(HistoryUnavailableError);
    const before = tries;
    await expect(history.events({})).rejects.toThrow(HistoryUnavailableError);
    expect(tries).toBe(before);
  });

  it('takes no event that is none, and says so', async () => {
    const { history, lines } = await start(await stateDirectory());
    expect(await history.record([attached('A', Number.NaN), attached('B', 1)])).toBe(false);
    expect(await history.events({ kinds: ['attached'] })).toHaveLength(1);
    expect(lines.join()).toContain('a part of the history is dropped');
    const [lost] = await history.events({ kinds: ['historyLost'] });
    expect(lost).toMatchObject({ kind: 'historyLost', since: expect.any(Number) });
  });
});

describe('what happened', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  });

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  async function lab(...outcomes: Parameters<typeof fakeThreads>) {
    const { begin, written } = fakeThreads(...outcomes);
    const { history, lines } = await open('/nowhere', { start: begin });
    return { history, lines, written, happens: (udid: string) => history.record([attached(udid, 1)]) };
  }

  it('in one second is written together, in its order', async () => {
    const { happens, written } = await lab();
    const kept = [happens('A'), happens('B')];
    await pass(999);
    expect(written).toEqual([]);
    await pass(1);
    expect(await Promise.all(kept)).toEqual([true, true]);
    void happens('C');
    await pass(1000);
    expect(written).toEqual(['1: A B', '2: C']);
  });

  it('is written at once where it is urgent, or much, and before a question is asked', async () => {
    const { history, happens, written } = await lab();
    void happens('A');
    expect(await history.record([note('B')])).toBe(true);
    for (let count = 0; count < 1100; count += 1) void happens('many');
    await pass(0);
    await history.events({});
    expect(written).toEqual(['1: A B', '2: 500', '3: 500', '4: 100']);
  });

  it('while it is written is collected again', async () => {
    const { happens, written } = await lab('silence');
    for (const udid of ['A', 'B']) {
      void happens(udid);
      await pass(1000);
    }
    expect(written).toEqual(['1: A']);
  });

  it('is tried again until it is written, before all that comes later; what is urgent is answered meanwhile', async () => {
    const { history, happens, written } = await lab('failed', 'failed', 'failed');
    const kept = happens('A');
    await pass(1000);
    expect(await history.record([note('note')])).toBe(false);
    expect(await history.events({})).toBe('events'); // waits for no disk
    await pass(999);
    expect(written).toEqual(['1: A', '1: A']);
    await pass(1);
    await pass(2000);
    expect(written.slice(2)).toEqual(['1: A', '1: A', '2: note']);
    expect(await kept).toBe(true);
  });

  it('is in no answer since it happened, while it cannot be written', async () => {
    const { history, happens } = await lab('failed');
    void happens('A');
    void history.sample([{ udid: 'A', at: 5, levelPercent: 50 }]);
    expect(history.unwrittenSince).toBeUndefined();
    await pass(1000);
    expect(history.unwrittenSince).toBe(1);
    await pass(1000);
    expect(history.unwrittenSince).toBeUndefined();
  });

  it('is dropped where it never can be written; what follows is written', async () => {
    const { happens, written, lines } = await lab('dropped');
    const kept = happens('A');
    await pass(1000);
    void happens('B');
    await pass(1000);
    expect(await kept).toBe(false);
    await pass(1000);
    expect(written).toEqual(['1: A', '2: B', '3: historyLost']);
    expect(lines.filter((line) => line.includes('dropped'))).toHaveLength(2);
  });

  it('is sent to the next thread where one died, with its number; nobody is told before that', async () => {
    const { history, happens, written } = await lab('death', 'kept');
    const kept = [happens('A'), history.record([note('B')])];
    await pass(500);
    kept.push(happens('C'));
    await pass(1500);
    expect(await Promise.all(kept)).toEqual([true, true, true]);
    expect(written).toEqual(['1: A B', '1: A B', '2: C']);
  });

  it('is sent to the next thread as soon as one may start, however many notes were tried before', async () => {
    const { history, happens, written } = await lab('death');
    void happens('A');
    await pass(1000);
    const notes: Promise<boolean>[] = [];
    for (const udid of ['B', 'C', 'D', 'E', 'F', 'G']) {
      notes.push(history.record([note(udid)]));
      await pass(1);
    }
    await pass(1000);
    expect(written).toEqual(['1: A', '1: A', '2: B C D E F G']);
    expect(new Set(await Promise.all(notes))).toEqual(new Set([true]));
  });

  it('is written at the end, which no disk that fails holds up', async () => {
    for (const outcome of ['kept', 'failed', 'silence'] as const) {
      const { history, happens, written } = await lab(outcome);
      const kept = happens('A');
      const closed = history.close();
      await pass(4000);
      await closed;
      expect([written, await kept]).toEqual([['1: A alive'], outcome === 'kept']);
    }
  });

  it('is bounded in an outage; a phone is forgotten, and notes have room, however many events wait', async () => {
    const { history, happens, lines } = await lab(...Array<'failed'>(5000).fill('failed'));
    for (let count = 0; count < MOST_WAITING; count += 1) void happens('A');
    expect(lines).toEqual([]);
    expect(await happens('A')).toBe(false);
    expect(lines).toHaveLength(1);
    expect(await history.forget(['A'])).toBe(false);
    for (let count = 1; count < MOST_URGENT; count += 1)
      expect(await history.record([note('A')])).toBe(false);
    expect(lines).toHaveLength(1);
    expect(await history.record([note('A')])).toBe(false);
  });

  it('has room in an outage, however many readings there are', async () => {
    const { history, happens, written, lines } = await lab('failed', 'failed');
    const kept = happens('A');
    await pass(1000);
    for (let count = 0; count < MOST_WAITING; count += 1)
      void history.sample([{ udid: 'A', at: count, levelPercent: 50 }]);
    const later = happens('B');
    await pass(4000);
    expect(await Promise.all([kept, later])).toEqual([true, true]);
    expect(written.slice(0, 3)).toEqual(['1: A', '1: A', '1: A']);
    expect(written).toHaveLength(8);
    expect(lines).toEqual([]);
  });

  it('and was dropped is said once, and recorded as soon as there is room', async () => {
    const { happens, written, lines } = await lab();
    for (let count = 0; count < MOST_WAITING + 2; count += 1) void happens('A');
    await pass(2000);
    expect(written.at(-1)).toContain(': historyLost');
    expect(lines.filter((line) => line.includes('dropped'))).toHaveLength(2);
  });

  it('is tried as often as a thread may be started, however much of it there is', async () => {
    let tries = 0;
    const refuse = (): never => {
      tries += 1;
      throw new Error('EAGAIN');
    };
    const { history } = await open('/nowhere', { start: refuse });
    for (let count = 0; count < 1000; count += 1) void history.record([attached('A', 1)]);
    await pass(60_000);
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(10);
  });
});
