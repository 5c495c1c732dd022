import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/history/store/history.ts';
import type { Reply, Request } from '../../../src/history/store/thread.ts';
import { serve } from '../../../src/history/store/worker.ts';

/** Answers each attempt to write with the next of these; after them, that it is kept. */
function threadWith(...answers: (boolean | Error)[]) {
  const replies: Reply[] = [];
  const done: string[] = [];
  const port = Object.assign(new EventEmitter(), { postMessage: (reply: Reply) => replies.push(reply) });
  const full = { store: 'the store' } as never;
  serve(port as never, { who: (_, name: string) => name }, () => ({
    async write(changes, _, sent) {
      const answer = answers.shift() ?? true;
      done.push(`${changes.map(nameOf).join()} as ${sent?.number}`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    ask: async (question) => {
      done.push('asked');
      return question(full);
    },
    use: () => {},
    rest: () => true,
    close: () => done.push('closed'),
  }));
  let id = 0;
  const send = (request: Omit<Request, 'id'>) => {
    id += 1;
    port.emit('message', { id, ...request });
  };
  const changes = (udids: string[]) => udids.map((udid): Change => ({ kind: 'forget', udids: [udid] }));
  return {
    done,
    /** Lets be done what is asked for. */
    pass: async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    write: (number: number, ...udids: string[]) =>
      send({
        name: 'write',
        argument: { changes: changes(udids), sent: { session: 'session', number } },
        isUrgent: true,
      }),
    ask: (name: string, argument?: string) => send({ name, argument }),
    told: () =>
      replies.map((reply) =>
        reply.kind === 'said'
          ? reply.message
          : `${reply.id} ${reply.kind === 'answer' ? reply.json : reply.message}`,
      ),
  };
}

const nameOf = (change: Change): string => (change.kind === 'forget' ? change.udids.join() : change.kind);

const full = () => Object.assign(new Error('full'), { errcode: 13 });

describe('changes', () => {
  it('are written before all questions that wait', async () => {
    const { write, ask, pass, done, told } = threadWith(true, false);
    ask('who', 'me');
    ask('who', 'you');
    write(1, 'A', 'B');
    write(2, 'C');
    await pass();
    expect(done).toEqual(['asked', 'A,B as 1', 'C as 2', 'asked']);
    expect(told()).toEqual(['1 "me"', '3 "kept"', '4 "not kept"', '2 "you"']);
  });

  it('that cannot be written are told from those that never can; an outage is said once', async () => {
    const { write, pass, told } = threadWith(full(), full(), new Error('a fault of ours'));
    for (const number of [1, 1, 1, 2]) write(number, 'A');
    await pass();
    expect(told()).toEqual([
      'the history cannot be written: the agent tries again (Error: full)',
      '1 "failed"',
      '2 "failed"',
      'a part of the history cannot be written: it is dropped (Error: a fault of ours)',
      '3 "dropped"',
      'the history can be written again',
      '4 "kept"',
    ]);
  });

  it('that were sent before the end are written, and nothing is asked after it', async () => {
    const { write, ask, pass, done } = threadWith();
    write(1, 'A');
    ask('close');
    ask('who', 'me');
    await pass();
    expect(done).toEqual(['A as 1', 'closed']);
  });
});

describe('a question', () => {
  it('that is none, or fails, has an answer that says so', async () => {
    const { ask, pass, told } = threadWith();
    ask('what');
    await pass();
    expect(told()).toEqual(['1 the history has no question what']);
  });
});
