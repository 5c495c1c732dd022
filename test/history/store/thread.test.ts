import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Beginning,
  HistoryThread,
  type HistoryThreadOptions,
  type Reply,
  type Request,
} from '../../../src/history/store/thread.ts';
import { keptLog } from '../../support/log.ts';

/** A thread that answers at once, or when the test says so. */
class FakeThread extends EventEmitter {
  readonly asked: Request[] = [];
  readonly beginning: Beginning;
  isSlow = false;
  isEnded = false;
  /** Its memory is not the only copy. */
  mayRest = true;

  constructor(beginning: Beginning) {
    super();
    this.beginning = beginning;
  }

  unref(): void {}

  postMessage(request: Request): void {
    this.asked.push(request);
    if (!this.isSlow) queueMicrotask(() => this.answer(request));
  }

  answer({ id, name }: Request): void {
    const json = JSON.stringify(name === 'rest' ? this.mayRest : name);
    this.emit('message', { kind: 'answer', id, json } satisfies Reply);
  }

  async terminate(): Promise<void> {
    this.isEnded = true;
    this.emit('exit', 1);
  }

  get names(): string[] {
    return this.asked.map(({ name }) => name);
  }
}

const settings = { stateDir: '/state', days: 90, maxMegabytes: 256 };

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

function lab() {
  const { log, lines } = keptLog();
  const threads: FakeThread[] = [];
  const start = (_: URL, beginning: Beginning) => {
    const thread = new FakeThread(beginning);
    threads.push(thread);
    return thread as unknown as ReturnType<NonNullable<HistoryThreadOptions['start']>>;
  };
  const history = new HistoryThread({ file: new URL('file:///worker'), log, start });
  void history.use(settings);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { history, threads, lines, pass };
}

const IDLE_MS = 15_000;

describe('a thread of which nothing is requested', () => {
  it('is ended, and followed by one that knows that the file is whole, as soon as something is requested', async () => {
    const { history, threads, lines, pass } = lab();
    expect(await history.request({ name: 'events' })).toBe('events');
    await pass(IDLE_MS);
    expect(threads.map(({ isEnded }) => isEnded)).toEqual([true]);
    await pass(600_000);
    expect(threads).toHaveLength(1);
    expect(await history.request({ name: 'events' })).toBe('events');
    expect(threads.map(({ beginning }) => beginning)).toEqual([
      { settings, isWhole: false },
      { settings, isWhole: true },
    ]);
    expect(lines).toEqual([]);
  });

  it('answers what is requested while it is to rest, and rests later', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    await pass(IDLE_MS);
    const answers = Promise.all([history.request({ name: 'write' }), history.request({ name: 'events' })]);
    for (const request of thread?.asked.slice(1) ?? []) {
      thread?.answer(request);
      await pass(0);
    }
    expect(await answers).toEqual(['write', 'events']);
    expect(thread?.isEnded).toBe(false);
    if (thread) thread.isSlow = false;
    await pass(IDLE_MS);
    expect(thread?.names).toEqual(['events', 'rest', 'write', 'events', 'rest']);
    expect(thread?.isEnded).toBe(true);
  });

  it('stays where its memory is the only copy', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    const [thread] = threads;
    if (thread) thread.mayRest = false;
    await pass(600_000);
    expect([thread?.isEnded, thread?.names]).toEqual([false, ['events', 'rest']]);
  });

  it('stays where something waits to be written: it may not be able to open the file again', async () => {
    const { history, threads, pass } = lab();
    let isOwed = true;
    history.mayRest = () => !isOwed;
    await history.request({ name: 'events' });
    await pass(600_000);
    expect(threads[0]?.isEnded).toBe(false);
    isOwed = false;
    await history.request({ name: 'events' });
    await pass(IDLE_MS);
    expect(threads[0]?.isEnded).toBe(true);
  });

  it('is followed by one that knows nothing of the file where the settings are others', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    await pass(IDLE_MS);
    const others = { ...settings, stateDir: '/other' };
    await history.use(others);
    expect(threads).toHaveLength(1);
    await history.request({ name: 'events' });
    expect(threads[1]?.beginning).toMatchObject({ settings: others, isWhole: false });
  });

  it('is not started to be closed', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    await pass(IDLE_MS);
    await history.close();
    expect(threads).toHaveLength(1);
    await expect(history.request({ name: 'events' })).rejects.toThrow('the history is closed');
  });
});

describe('a thread that died', () => {
  it('costs the requests under way, and is started again after a while', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    const [dying] = threads;
    if (dying) dying.isSlow = true;
    const asked = expect(history.request({ name: 'events' })).rejects.toThrow('its thread has died');
    await dying?.terminate();
    await asked;
    await expect(history.request({ name: 'events' })).rejects.toThrow('its thread has died');
    await pass(1000);
    expect(await history.request({ name: 'events' })).toBe('events');
    expect(threads[1]?.beginning.isWhole).toBe(false);
  });

  it('is started again at once where there is no time left', async () => {
    const { history, threads } = lab();
    await history.request({ name: 'events' });
    await threads[0]?.terminate();
    history.hurry();
    expect(await history.request({ name: 'events' })).toBe('events');
  });
});

describe('a thread that owes an answer', () => {
  it('is given up on after ten seconds, unless it is to write, and has its time', async () => {
    const { history, threads, pass } = lab();
    await history.request({ name: 'events' });
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    const slow = expect(history.request({ name: 'events' })).rejects.toThrow('no answer within 10 s');
    const written = history.request({ name: 'write' }, true);
    await pass(600_000);
    await slow;
    expect(thread?.isEnded).toBe(false);
    for (const request of thread?.asked.slice(1) ?? []) thread?.answer(request);
    expect(await written).toBe('write');
  });
});
