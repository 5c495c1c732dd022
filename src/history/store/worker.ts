/**
 * The thread's side: writes what happens in batches, and again until that is written; answers one question after the other,
 * first what is urgent.
 */
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { OutageLog } from '../../base/outage-log.ts';
import type { HistoryEvent, HistorySample } from '../events/event.ts';
import { resultCode } from './database.ts';
import { type DayUptime, type EventQuery, type HistorySettings, weightOf } from './history.ts';
import { StoreOpener } from './opener.ts';
import type { Store } from './store.ts';
import type { Beginning, Reply, Request, Write } from './thread.ts';

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

/** Delay before changes are written, ms; there is none for so many events and samples. */
const COLLECT_MS = 1000;
const MANY = 500;
/** Delay before changes that could not be written are tried again, ms; it doubles up to the second. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** Errors of SQLite's that stay: a value that does not fit, or a fault of ours. sqlite.org/rescode.html */
const LASTING = [0, 1, 18, 19, 20, 21, 25];

/** A change that is not written yet. */
type Waiting = Write & Pick<Request, 'id' | 'isUrgent'>;

/**
 * Writes and answers until the thread is ended.
 *
 * @param more questions beside the store's own
 */
export function serveHistory(more: Questions): void {
  const { settings, session, isWhole } = workerData as Beginning;
  if (parentPort) serve(parentPort, session, more, (say) => new StoreOpener(settings, { say, isWhole }));
}

type Say = (level: 'info' | 'error', message: string) => void;

export function serve(
  port: Pick<MessagePort, 'postMessage' | 'on'>,
  session: string,
  more: Questions,
  openerOf: (say: Say) => Pick<StoreOpener, 'write' | 'ask' | 'use' | 'rest' | 'close'>,
): void {
  const reply = (message: Reply) => port.postMessage(message);
  const say: Say = (level, message) => reply({ kind: 'said', level, message });
  const opener = openerOf(say);
  const questions = { ...storeQuestions, ...more };
  const outage = new OutageLog();
  const first: Request[] = [];
  const asked: Request[] = [];
  let waiting: Waiting[] = [];
  let isWorking = false;
  let timer: NodeJS.Timeout | undefined;
  /** Above 0 while nothing can be written. */
  let retryMs = 0;

  const failed = (id: number, error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    reply({ kind: 'failed', id, message });
  };
  const settle = (isKept: boolean, written: readonly Waiting[]) => {
    for (const { id } of written) reply({ kind: 'answer', id, json: String(isKept) });
  };
  const writeNow = () => enqueue(first, { id: 0, name: 'write' });
  const writeIn = (ms: number) => {
    timer ??= setTimeout(writeNow, ms);
  };

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const changes = batch.map(({ change }) => change);
    const sent = { session, numbers: batch.map(({ id }) => id) };
    const { now } = batch.findLast((each) => each.now !== undefined) ?? {};
    try {
      settle(await opener.write(changes, now, sent), batch);
      retryMs = 0;
      if (outage.end()) say('info', 'the history can be written again');
    } catch (error) {
      if (LASTING.includes(resultCode(error))) {
        say('error', `a part of the history cannot be written: it is dropped (${error})`);
        for (const { id } of batch) failed(id, error);
        return;
      }
      if (outage.begin(String(error)))
        say('error', `the history cannot be written: the agent tries again (${error})`);
      for (const { id, isUrgent } of batch) if (isUrgent) reply({ kind: 'tried', id });
      waiting = [...batch, ...waiting];
      retryMs = Math.min(Math.max(FIRST_RETRY_MS, 2 * retryMs), LAST_RETRY_MS);
      writeIn(retryMs);
    }
  };

  /** Of the file. `rest`: closes it until the next question, where that is possible: all that is kept is in it. */
  const commands: Readonly<Record<string, (argument: unknown) => unknown>> = {
    use: (settings) => opener.use(settings as HistorySettings),
    rest: () => waiting.length === 0 && opener.rest(),
    close: () => {
      settle(false, waiting);
      opener.close();
    },
  };

  const answerTo = async ({ id, name, argument }: Request): Promise<void> => {
    if (retryMs === 0 || name === 'write' || name === 'close') await write();
    if (name === 'write') return;
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
      await answerTo(next).catch((error) => failed(id, error));
      if (name === 'close') return; // a question would open it again
      await setImmediate(); // what came meanwhile may go first
    }
    isWorking = false;
  };
  const enqueue = (queue: Request[], request: Request) => {
    queue.push(request);
    if (!isWorking) void work();
  };

  port.on('message', (request: Request) => {
    const { id, name, argument, isUrgent } = request;
    if (name !== 'write') return enqueue(isUrgent ? first : asked, request);
    waiting.push({ ...(argument as Write), id, ...(isUrgent && { isUrgent }) });
    const isMany = retryMs === 0 && waiting.reduce((sum, { change }) => sum + weightOf(change), 0) >= MANY;
    if (isUrgent || isMany) writeNow();
    else writeIn(COLLECT_MS);
  });
}
