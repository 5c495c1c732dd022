/** The thread's side: writes and answers, one request after the other, first what is urgent. */
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OutageLog } from '../../base/outage-log.ts';
import type { HistoryEvent, HistorySample } from '../events/event.ts';
import { resultCode } from './database.ts';
import type { DayUptime, EventQuery, HistorySettings, Write, Written } from './history.ts';
import { StoreOpener } from './opener.ts';
import type { Store } from './store.ts';
import type { Beginning, Reply, Request } from './thread.ts';

/** Answers a question. Argument and answer must be plain data: they go from thread to thread. */
// biome-ignore lint/suspicious/noExplicitAny: each question has an argument and an answer of its own
export type Questions = Readonly<Record<string, (store: Store, argument: any) => unknown>>;

/** Events in one answer at most: the receiver's loop is held while it unpacks them. */
const MOST_EVENTS = 1000;
const MOST_DAYS = 366;

const storeQuestions: Questions = {
  events: (store, query: EventQuery): HistoryEvent[] =>
    store.events({ ...query, limit: Math.min(query.limit ?? MOST_EVENTS, MOST_EVENTS) }),
  samples: (store, { udid, since }: { udid: string; since: number }): HistorySample[] =>
    store.samples(udid, since),
  uptime: (store, { udid, days }: { udid: string; days: number }): DayUptime[] =>
    store.uptime(udid, Math.min(days, MOST_DAYS)),
  lastStates: (store): HistoryEvent[] => store.lastStates(),
};

/** Errors of SQLite's that stay: a value that does not fit, or a fault of ours. sqlite.org/rescode.html */
const LASTING = [0, 1, 18, 19, 20, 21, 25];

/**
 * Writes and answers until the thread is ended.
 *
 * @param more questions beside the store's own
 */
export function serveHistory(more: Questions): void {
  const { settings, isWhole } = workerData as Beginning;
  if (parentPort) serve(parentPort, more, (say) => new StoreOpener(settings, { say, isWhole }));
}

type Say = (level: 'info' | 'error', message: string) => void;

export function serve(
  port: Pick<MessagePort, 'postMessage' | 'on'>,
  more: Questions,
  openerOf: (say: Say) => Pick<StoreOpener, 'write' | 'ask' | 'use' | 'rest' | 'close'>,
): void {
  const reply = (message: Reply) => port.postMessage(message);
  const say: Say = (level, message) => reply({ kind: 'said', level, message });
  const opener = openerOf(say);
  const questions = { ...storeQuestions, ...more };
  const first: Request[] = [];
  const asked: Request[] = [];
  const outage = new OutageLog();
  let isWorking = false;

  const write = async ({ changes, now, sent }: Write): Promise<Written> => {
    try {
      const isKept = await opener.write(changes, now, sent);
      if (outage.end()) say('info', 'the history can be written again');
      return isKept ? 'kept' : 'not kept';
    } catch (error) {
      const isLasting = LASTING.includes(resultCode(error));
      if (isLasting) say('error', `a part of the history cannot be written: it is dropped (${error})`);
      else if (outage.begin(String(error)))
        say('error', `the history cannot be written: the agent tries again (${error})`);
      return isLasting ? 'dropped' : 'failed';
    }
  };

  /** Of the file. `rest`: closes it until the next question, where that is possible: all that is kept is in it. */
  const commands: Readonly<Record<string, (argument: unknown) => unknown>> = {
    write: (argument) => write(argument as Write),
    use: (settings) => opener.use(settings as HistorySettings),
    rest: () => opener.rest(),
    close: () => opener.close(),
  };

  const answerTo = async ({ id, name, argument }: Request): Promise<void> => {
    const question = questions[name];
    if (!question && !commands[name]) throw new Error(`the history has no question ${name}`);
    const answer = await (question
      ? opener.ask((store) => question(store, argument))
      : commands[name]?.(argument));
    // the receiver's loop is held while it unpacks it: JSON is several times faster than a copy of objects
    reply({ kind: 'answer', id, json: JSON.stringify(answer) });
  };

  /** However many ask, what happens is written next, and judged. */
  const work = async () => {
    isWorking = true;
    for (let next = first.shift() ?? asked.shift(); next; next = first.shift() ?? asked.shift()) {
      const { id, name } = next;
      await answerTo(next).catch((error) => {
        const message = error instanceof Error ? error.message : String(error);
        reply({ kind: 'failed', id, message });
      });
      if (name === 'close') return; // a question would open it again
      await setImmediate(); // what came meanwhile may go first
    }
    isWorking = false;
  };

  port.on('message', (request: Request) => {
    (request.isUrgent ? first : asked).push(request);
    if (!isWorking) void work();
  });
}
