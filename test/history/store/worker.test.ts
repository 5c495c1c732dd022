import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Change } from '../../../src/history/store/history.ts';
import type { Reply, Request } from '../../../src/history/store/thread.ts';
import { serve } from '../../../src/history/store/worker.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => void vi.useRealTimers();
});

/** Answers each attempt to write with the next of these; after them, that it is kept. */
function threadWith(...answers: (boolean | Error)[]) {
  const replies: Reply[] = [];
  const written: string[] = [];
  const port = Object.assign(new EventEmitter(), { postMessage: (reply: Reply) => replies.push(reply) });
  const full = { store: 'the store' } as never;
  serve(port as never, 'session', { who: (_, name: string) => name }, () => ({
    async write(changes) {
      const answer = answers.shift() ?? true;
      written.push(`${changes.map(nameOf).join()}${answer instanceof Error ? ' failed' : ''}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ask: async (question) => question(full),
    use: () => {},
    rest: () => true,
    close: () => written.push('closed'),
  }));
  let id = 0;
  const send = (request: Omit<Request, 'id'>) => {
    id += 1;
    port.emit('message', { id, ...request });
  };
  const change = (udid: string): Change => ({ kind: 'forget', udids: [udid] });
  /** Lets so much time pass, and what is due be done. */
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ written, pass },
    write: (udid: string, isUrgent = false) =>
      send({ name: 'write', argument: { change: change(udid) }, isUrgent }),
    writeMany: (count: number) =>
      send({ name: 'write', argument: { change: { kind: 'samples', samples: Array(count) } } }),
    ask: (name: string, argument?: string) => send({ name, argument }),
    told: () =>
      replies.map((reply) => (reply.kind === 'said' ? reply.message : `${reply.id} ${textOf(reply)}`)),
  };
}

const textOf = (reply: Exclude<Reply, { kind: 'said' }>) =>
  reply.kind === 'answer' ? reply.json : reply.kind === 'failed' ? reply.message : 'tried';

const nameOf = (change: Change): string =>
  change.kind === 'forget' ? change.udids.join() : change.kind === 'samples' ? 'many' : change.kind;

const full = () => Object.assign(new Error('full'), { errcode: 13 });

describe('changes', () => {
  it('of one second are written together, in their order', async () => {
    const { write, pass, written, told } = threadWith();
    write('A');
    write('B');
    await pass(999);
    expect(written).toEqual([]);
    await pass(1);
    write('C');
    await pass(1000);
    expect(written).toEqual(['A,B', 'C']);
    expect(told()).toEqual(['1 true', '2 true', '3 true']);
  });

  it('that are urgent, or many, are written at once; and before a question is answered', async () => {
    const { write, writeMany, ask, pass, written, told } = threadWith();
    write('A');
    write('B', true);
    await pass(0);
    writeMany(300);
    writeMany(300);
    await pass(0);
    write('C');
    ask('who', 'me');
    await pass(0);
    expect(written).toEqual(['A,B', 'many,many', 'C']);
    expect(told().slice(-2)).toEqual(['5 true', '6 "me"']);
  });

  it('are tried again until they are written, before all that came later, and what is urgent is answered at once', async () => {
    const { write, ask, pass, written, told } = threadWith(full(), full(), full());
    write('A');
    await pass(1000);
    expect(told()).toEqual(['the history cannot be written: the agent tries again (Error: full)']);
    write('note', true);
    await pass(0);
    expect(told().slice(1)).toEqual(['2 tried']);
    ask('who', 'me'); // waits for no disk
    ask('rest');
    await pass(0);
    expect(told().slice(2)).toEqual(['3 "me"', '4 false']);
    await pass(2000);
    await pass(4000);
    expect(written).toEqual(['A failed', 'A,note failed', 'A,note failed', 'A,note']);
    expect(told().slice(4)).toEqual(['2 tried', '1 true', '2 true', 'the history can be written again']);
  });

  it('that cannot be written ever are dropped, and those after them are written', async () => {
    const { write, pass, written, told } = threadWith(new Error('a fault of ours'));
    write('A');
    await pass(1000);
    write('B');
    await pass(1000);
    expect(written).toEqual(['A failed', 'B']);
    expect(told().slice(1)).toEqual(['1 a fault of ours', '2 true']);
  });

  it('that wait are written at the end, which no disk that fails holds up', async () => {
    const fine = threadWith();
    fine.write('A');
    fine.ask('close');
    await fine.pass(0);
    expect(fine.written).toEqual(['A', 'closed']);
    const failing = threadWith(full());
    failing.write('A');
    failing.ask('close');
    await failing.pass(0);
    expect(failing.written).toEqual(['A failed', 'closed']);
    expect(failing.told().slice(1)).toEqual(['1 false', '2 undefined']);
  });
});

describe('a question', () => {
  it('that is none, or fails, has an answer that says so', async () => {
    const { ask, pass, told } = threadWith();
    ask('what');
    await pass(0);
    expect(told()).toEqual(['1 the history has no question what']);
  });
});
