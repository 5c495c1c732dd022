import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Beginning, IDLE_EXIT, type Reply, type Request } from '../../../src/history/store/messages.ts';
import { HistoryThread, type HistoryThreadOptions } from '../../../src/history/store/thread.ts';
import { keptLog } from '../../support/log.ts';

/** A thread that answers at once, or when the test says so. */
class FakeThread extends EventEmitter {
  readonly asked: Request[] = [];
  readonly beginning: Beginning;
  isSlow = false;
  isEnded = false;

  constructor(beginning: Beginning) {
    super();
    this.beginning = beginning;
  }

  unref(): void {}

  postMessage(request: Request): void {
    this.asked.push(request);
    if (!this.isSlow) queueMicrotask(() => this.answer(request));
  }

  answer({ id, kind }: Request): void {
    this.emit('message', { kind: 'answer', id, json: JSON.stringify(kind) } satisfies Reply);
  }

  /** It has nothing to do, and reads no more messages. */
  rest(): void {
    this.isEnded = true;
    this.emit('exit', IDLE_EXIT);
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
const write = { kind: 'write', batch: { session: 's', number: 1, changes: [] } } as const;

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
  const history = new HistoryThread({ file: new URL('file:///worker'), settings, log, start });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { history, threads, lines, pass };
}

describe('a thread that ended because it had nothing to do', () => {
  it('is followed by one that knows that the file is whole, as soon as something is requested', async () => {
    const { history, threads, lines, pass } = lab();
    expect(await history.request(ask)).toBe('ask');
    threads[0]?.rest();
    await pass(600_000);
    expect(threads).toHaveLength(1);
    expect(await history.request(ask)).toBe('ask');
    expect(threads.map(({ beginning }) => beginning)).toMatchObject([
      { settings, isWhole: false },
      { settings, isWhole: true },
    ]);
    expect(lines).toEqual([]);
  });

  it('is followed by one that answers what came too late for it, in its order', async () => {
    const { history, threads, lines } = lab();
    await history.request(ask);
    const [ending] = threads;
    if (ending) ending.isSlow = true;
    const answers = Promise.all([history.request(write), history.request(ask)]);
    ending?.rest();
    expect(await answers).toEqual(['write', 'ask']);
    expect(threads.map(({ kinds }) => kinds)).toEqual([
      ['ask', 'write', 'ask'],
      ['write', 'ask'],
    ]);
    expect(lines).toEqual([]);
  });

  it('is followed by one that knows nothing of the file where the settings are others', async () => {
    const { history, threads } = lab();
    await history.request(ask);
    threads[0]?.rest();
    const others = { ...settings, stateDir: '/other' };
    await history.use(others);
    expect(threads).toHaveLength(1);
    await history.request(ask);
    expect(threads[1]?.beginning).toMatchObject({ settings: others, isWhole: false });
  });

  it('is not started to be closed', async () => {
    const { history, threads } = lab();
    await history.request(ask);
    threads[0]?.rest();
    await history.close();
    expect(threads).toHaveLength(1);
    await expect(history.request(ask)).rejects.toMatchObject({ mayRetry: false });
  });

  it('while it is to be closed needs no other one', async () => {
    const { history, threads } = lab();
    await history.request(ask);
    const [ending] = threads;
    if (ending) ending.isSlow = true;
    const closed = history.close();
    ending?.rest();
    await closed;
    expect(threads).toHaveLength(1);
  });
});

describe('a thread that died', () => {
  it('costs the requests under way, and is started again after a while', async () => {
    const { history, threads, pass } = lab();
    await history.request(ask);
    const [dying] = threads;
    if (dying) dying.isSlow = true;
    const asked = expect(history.request(ask)).rejects.toMatchObject({ mayRetry: true });
    await dying?.terminate();
    await asked;
    await expect(history.request(ask)).rejects.toThrow('its thread has died');
    await pass(1000);
    expect(await history.request(ask)).toBe('ask');
    expect(threads[1]?.beginning.isWhole).toBe(false);
  });
});

describe('a thread that owes an answer', () => {
  it('is ended when it gave none for two minutes, and not for one slow answer after a long silence', async () => {
    const { history, threads, pass } = lab();
    await history.request(ask);
    await pass(600_000);
    const [thread] = threads;
    if (thread) thread.isSlow = true;
    const slow = expect(history.request(ask)).rejects.toThrow('no answer within 10 s');
    await pass(10_000);
    await slow;
    expect(thread?.isEnded).toBe(false);
    for (let tenth = 0; tenth < 12; tenth += 1) {
      const late = expect(history.request(ask)).rejects.toThrow();
      await pass(10_000);
      await late;
    }
    expect(thread?.isEnded).toBe(true);
  });
});
