import { EventEmitter } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/base/log.ts';
import { openHistory } from '../../../src/diagnosis/index.ts';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { HistoryClient, MOST_URGENT, MOST_WAITING } from '../../../src/history/store/client.ts';
import { HistoryUnavailableError } from '../../../src/history/store/history.ts';
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

async function start(stateDir: string, options: Partial<HistoryThreadOptions> = {}) {
  const lines: string[] = [];
  const { logger } = createLogger({ level: 'info', format: 'json', destination: (line) => lines.push(line) });
  const history = new HistoryClient({ file, log: logger, ...options });
  await history.use({ stateDir, days: 90, maxMegabytes: 256 });
  endings.push(() => history.close());
  return { history, lines };
}

/** A thread that only says of each change what it is told to, and ends at once. */
function fakeThread(says: (request: Request) => 'tried' | undefined) {
  const waiting: Request[] = [];
  const thread = Object.assign(new EventEmitter(), {
    unref: () => {},
    terminate: async () => {},
    postMessage: (request: Request) => {
      const { id, name } = request;
      if (name === 'write') waiting.push(request);
      const kind = name === 'close' ? 'answer' : says(request);
      if (kind !== undefined) queueMicrotask(() => thread.emit('message', { kind, id }));
    },
  });
  return { thread, waiting };
}

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

  it('has notes of its disk’s outage in its bounds, and forgets whom it is told to, however many events wait', async () => {
    const { thread, waiting } = fakeThread(({ isUrgent }) => (isUrgent ? 'tried' : undefined));
    const { history } = await start('/nowhere', { start: () => thread as never });
    for (let at = 0; at < MOST_WAITING + 10; at += 1) void history.record([attached('A', at)]);
    expect(waiting).toHaveLength(MOST_WAITING);
    expect(await history.forget(['A'])).toBe(false);
    expect(waiting).toHaveLength(MOST_WAITING + 1);
    const note: NewEvent = { kind: 'note', udid: 'A', at: 1, text: 'x', where: {} };
    for (let count = 0; count < 2 * MOST_URGENT; count += 1) expect(await history.record([note])).toBe(false);
    expect(waiting).toHaveLength(MOST_WAITING + MOST_URGENT);
  });

  it('says once what was dropped, and records it as soon as there is room', async () => {
    const { thread, waiting } = fakeThread(() => undefined);
    const { history, lines } = await start('/nowhere', { start: () => thread as never });
    for (let at = 0; at < MOST_WAITING; at += 1) void history.record([attached('A', at)]);
    void history.record([{ kind: 'note', udid: 'A', at: 1, text: 'x', where: {} }]);
    void history.record([attached('A', MOST_WAITING)]);
    for (const { id } of waiting.slice()) {
      thread.emit('message', { kind: 'answer', id, json: 'true' });
      await Promise.resolve();
    }
    await expect.poll(() => waiting.length).toBe(MOST_WAITING + 2);
    expect(waiting.at(-1)?.argument).toMatchObject({ change: { events: [{ kind: 'historyLost' }] } });
    expect(lines.filter((line) => line.includes('dropped'))).toHaveLength(2);
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
    history.sample([{ udid: 'A', at: at + 1, levelPercent: 1 }]);
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
