/** The thread's side: answers one request after the other, first writes and what is urgent. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryEvent, HistorySample } from '../events/event.ts';
import { resultCode } from './database.ts';
import type { Batch, DayUptime, EventQuery, HistorySettings } from './history.ts';
import { StoreOpener } from './opener.ts';
import type { Store } from './store.ts';
import type { Beginning, Reply, Request } from './thread.ts';

/** Answers a question. Argument and answer must be plain data: they go from thread to thread. */
// biome-ignore lint/suspicious/noExplicitAny: each question has an argument and an answer of its own
type Answer<From> = (from: From, argument: any) => unknown;
/** Those that need the store alone. */
export type Questions = Readonly<Record<string, Answer<Store>>>;

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

/** Those of the file. */
const fileQuestions: Readonly<Record<string, Answer<StoreOpener>>> = {
  /** @returns whether the batch is kept; what is too old by `now` is erased */
  write: (opener, { batch, now }: { batch: Batch; now?: number }): Promise<boolean> =>
    opener.write(batch, now),
  use: (opener, settings: HistorySettings): void => opener.use(settings),
  /** Closes the file until the next question. @returns whether that was possible: all that is kept is in it */
  rest: (opener): boolean => opener.rest(),
  close: (opener): void => opener.close(),
};

/**
 * Answers until the thread is ended.
 *
 * @param more questions beside the store's own
 */
export function serveHistory(more: Questions): void {
  const port = parentPort;
  if (port === null) return;
  const reply = (message: Reply) => port.postMessage(message);
  const { settings, isWhole } = workerData as Beginning;
  const opener = new StoreOpener(settings, {
    say: (level, message) => reply({ kind: 'said', level, message }),
    isWhole,
  });
  const questions = { ...storeQuestions, ...more };
  const first: Request[] = [];
  const asked: Request[] = [];
  let isWorking = false;
  /** However many ask, what happens is written next, and judged. */
  const next = (): Request | undefined => first.shift() ?? asked.shift();
  const work = async () => {
    isWorking = true;
    for (let request = next(); request !== undefined; request = next()) {
      const { id } = request;
      try {
        const answer = await answerTo(request, opener, questions);
        // the receiver's loop is held while it unpacks it: JSON is several times faster than a copy of objects
        reply({ kind: 'answer', id, json: JSON.stringify(answer) });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        reply({ kind: 'failed', id, message, mayRetry: !LASTING.includes(resultCode(error)) });
      }
      if (request.name === 'close') return; // a question would open it again
      await setImmediate(); // what came meanwhile may go first
    }
    isWorking = false;
  };
  port.on('message', (request: Request) => {
    (request.isUrgent ? first : asked).push(request);
    if (!isWorking) void work();
  });
}

async function answerTo({ name, argument }: Request, opener: StoreOpener, more: Questions): Promise<unknown> {
  const ofFile = fileQuestions[name];
  if (ofFile !== undefined) return ofFile(opener, argument);
  const question = more[name];
  if (question === undefined) throw new Error(`the history has no question ${name}`);
  return opener.ask((store) => question(store, argument));
}

/** Errors of SQLite's that stay: a value that does not fit, or a fault of ours. sqlite.org/rescode.html */
const LASTING = [0, 1, 18, 19, 20, 21, 25];
