import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Beginning, Reply, Request } from '../../../src/diagnosis/store/message.ts';
import {
  HistoryPort,
  type HistoryPortOptions,
  IDLE_MS,
  LONG_IDLE_MS,
  SOON_MS,
} from '../../../src/diagnosis/store/port.ts';
import { keptLog } from '../../support/log.ts';

/** A thread that answers at once, or when the test says so. */
class FakeThread extends EventEmitter {
  readonly asked: Request[] = [];
  readonly beginning: Beginning;
  /** What it answers to `rest`. */
  handsOver: string | undefined;
  isSlow = false;
  isEnded = false;

  constructor(beginning: Beginning, handsOver: string | undefined) {
    super();
    [this.beginning, this.handsOver] = [beginning, handsOver];
  }

  unref(): void {}

  postMessage(request: Request): void {
    this.asked.push(request);
    if (!this.isSlow) queueMicrotask(() => this.answer(request));
  }

  answer({ id, kind }: Request): void {
    const json = JSON.stringify(kind === 'rest' ? this.handsOver : kind);
    this.emit('message', { kind: 'answer', id, json } satisfies Reply);
  }

  async terminate(): Promise<void> {
    this.isEnded = true;
    this.emit('exit', 1);
  }

  get kinds(): string[] {
    return this.asked.map(({ kind }) => kind);
  }
}

const settings = { stateDir: '/state', days: 90, maxMegabytes: 256 };
const ask = { kind: 'ask', name: 'events', argument: {} } as const;

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** @param mayRest false: the memory of the threads is the only copy */
function lab({ mayRest = true } = {}) {
  const { log, lines } = keptLog();
  const threads: FakeThread[] = [];
  const start = (_: URL, beginning: Beginning) => {
    const thread = new FakeThread(beginning, mayRest ? 'left' : undefined);
    threads.push(thread);
    return thread as unknown as ReturnType<NonNullable<HistoryPortOptions['start']>>;
  };
  const port = new HistoryPort({ file: new URL('file:///worker'), settings, log, start });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { port, threads, lines, pass };
}

describe('a thread that has nothing to do', () => {
  it('is ended after a while, and the next question is answered by a new one, with what that left', async () => {
    const { port, threads, lines, pass } = lab();
    expect(await port.request(ask)).toBe('ask');
    await pass(IDLE_MS - 1);
    expect(threads[0]?.kinds).toEqual(['ask']);
    await pass(1);
    expect(threads[0]).toMatchObject({ isEnded: true, kinds: ['ask', 'rest'] });
    await pass(600_000);
    expect(threads).toHaveLength(1);
    expect(await port.request(ask)).toBe('ask');
    expect(threads.map(({ beginning }) => beginning)).toEqual([
      { settings },
      { settings, handedOver: 'left' },
    ]);
    expect(lines).toEqual([]);
  });

  it('goes on while its memory holds what is nowhere else, and is not asked again before it has worked', async () => {
    const { port, threads, pass } = lab({ mayRest: false });
    await port.request(ask);
    await pass(600_000);
    expect(threads[0]).toMatchObject({ isEnded: false, kinds: ['ask', 'rest'] });
    await port.request(ask);
    await pass(600_000);
    expect(threads).toHaveLength(1);
    expect(threads[0]?.kinds).toEqual(['ask', 'rest', 'ask', 'rest']);
  });

  it('stays longer if it was needed soon after the end of the one before', async () => {
    const { port, threads, pass } = lab();
    await port.request(ask);
    await pass(IDLE_MS + SOON_MS - 1);
    await port.request(ask);
    await pass(LONG_IDLE_MS - 1);
    expect(threads[1]?.isEnded).toBe(false);
    await pass(1 + SOON_MS);
    expect(threads[1]?.isEnded).toBe(true);
    await port.request(ask);
    await pass(IDLE_MS);
    expect(threads[2]?.isEnded).toBe(true);
  });

  it('is not ended while somebody waits for its answer, however long', async () => {
    const { port, threads, pass } = lab();
    await port.request(ask);
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    const slow = port.request(ask);
    await pass(9_000);
    expect(thread?.kinds).toEqual(['ask', 'ask']);
    for (const request of thread?.asked.slice(1) ?? []) thread?.answer(request);
    expect(await slow).toBe('ask');
  });

  it('takes no request while it ends: the next one answers all of them, in their order', async () => {
    const { port, threads, lines, pass } = lab();
    await port.request(ask);
    const [ending] = threads;
    if (ending) ending.isSlow = true;
    await pass(IDLE_MS);
    const answers = Promise.all([
      port.request({ kind: 'write', batch: { session: 's', number: 1, changes: [] } }),
      port.request(ask),
    ]);
    await pass(0);
    expect(ending?.kinds).toEqual(['ask', 'rest']);
    for (const request of ending?.asked.slice(1) ?? []) ending?.answer(request);
    expect(await answers).toEqual(['write', 'ask']);
    expect(threads.map(({ kinds }) => kinds)).toEqual([
      ['ask', 'rest'],
      ['write', 'ask'],
    ]);
    expect(lines).toEqual([]);
  });

  it('goes on if it cannot say in time that it may end', async () => {
    const { port, threads, pass } = lab();
    await port.request(ask);
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    await pass(IDLE_MS);
    const asked = port.request(ask);
    await pass(10_000);
    if (thread) thread.isSlow = false;
    for (const request of thread?.asked.slice(1) ?? []) thread?.answer(request);
    expect(await asked).toBe('ask');
    expect(threads).toHaveLength(1);
  });

  it('leaves nothing to one with other settings', async () => {
    const { port, threads, pass } = lab();
    await port.request(ask);
    await pass(IDLE_MS);
    const others = { ...settings, stateDir: '/other' };
    await port.use(others);
    expect(threads).toHaveLength(1);
    await port.request(ask);
    expect(threads[1]?.beginning).toEqual({ settings: others });
  });

  it('is not started to be closed', async () => {
    const { port, threads, pass } = lab();
    await port.request(ask);
    await pass(IDLE_MS);
    await port.close();
    expect(threads).toHaveLength(1);
    await expect(port.request(ask)).rejects.toMatchObject({ mayRetry: false });
  });
});

describe('a thread that owes an answer', () => {
  it('is ended when it gave none for two minutes, and not for one slow answer after a long silence', async () => {
    const { port, threads, pass } = lab({ mayRest: false });
    await port.request(ask);
    await pass(600_000);
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    const slow = expect(port.request(ask)).rejects.toThrow('no answer within 10 s');
    await pass(10_000);
    await slow;
    expect(thread?.isEnded).toBe(false);
    for (let tenth = 0; tenth < 12; tenth += 1) {
      const late = expect(port.request(ask)).rejects.toThrow();
      await pass(10_000);
      await late;
    }
    expect(thread?.isEnded).toBe(true);
  });
});
