/** The thread's side: answers one request after the other, writes first. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { resultCode } from './database.ts';
import { memoryGiver } from './give-back.ts';
import type { Beginning, Failure, Reply, Request } from './message.ts';
import { Keeper, type KeeperState } from './opener.ts';
import type { Questions } from './questions.ts';
import type { Store } from './store.ts';

/** What those who answer the questions pass on from a thread that ends to the next one: plain data, and small. */
export interface PassesOn {
  leave(store: Store): unknown;
  /** Called before the first question. */
  take(left: unknown): void;
}

const nothing: PassesOn = { leave: () => undefined, take: () => {} };

interface HandedOver {
  keeper: KeeperState;
  left: unknown;
}

/** Answers until the thread is ended. */
export function serveHistory(questions: Questions, passesOn = nothing): void {
  const port = parentPort;
  if (port === null) return;
  const reply = (message: Reply) => port.postMessage(message);
  const { settings, handedOver } = workerData as Beginning;
  const before = handedOver === undefined ? undefined : (JSON.parse(handedOver) as HandedOver);
  const keeper = new Keeper(settings, {
    say: (level, message) => reply({ kind: 'said', level, message }),
    before: before?.keeper,
  });
  if (before?.left !== undefined) passesOn.take(before.left);
  const giveBack = memoryGiver();
  const waiting: Waiting = { writes: [], asked: [] };
  let isWorking = false;
  const work = async () => {
    isWorking = true;
    let isResting = false;
    for (let request = next(waiting); request !== undefined; request = next(waiting)) {
      const { id } = request;
      try {
        const answer = await answerTo(request, { keeper, questions, passesOn });
        // the receiver's loop is held while it unpacks it: JSON is several times faster than a copy of objects
        reply({ kind: 'answer', id, json: JSON.stringify(answer) });
      } catch (error) {
        reply({ kind: 'failed', id, failure: failureOf(error) });
      }
      if (request.kind === 'close') return; // a question would open it again
      isResting = request.kind === 'rest';
      await setImmediate(); // what came meanwhile may go first
    }
    isWorking = false;
    if (!isResting) giveBack();
  };
  port.on('message', (request: Request) => {
    waiting[request.kind === 'ask' ? 'asked' : 'writes'].push(request);
    if (!isWorking) void work();
  });
}

/** However many ask, what happens is written next. */
interface Waiting {
  writes: Request[];
  asked: Request[];
}

const next = ({ writes, asked }: Waiting): Request | undefined => writes.shift() ?? asked.shift();

interface Answering {
  keeper: Keeper;
  questions: Questions;
  passesOn: PassesOn;
}

async function answerTo(request: Request, { keeper, questions, passesOn }: Answering): Promise<unknown> {
  if (request.kind === 'write') return keeper.write(request.batch);
  if (request.kind === 'settings') return keeper.use(request.settings);
  if (request.kind === 'close') return keeper.close();
  if (request.kind === 'rest') {
    const handedOver = await keeper.rest((store) => passesOn.leave(store));
    return handedOver && JSON.stringify(handedOver satisfies HandedOver);
  }
  const question = Object.hasOwn(questions, request.name) ? questions[request.name] : undefined;
  if (question === undefined) throw new Error(`the history has no question ${request.name}`);
  return keeper.ask((store) => question(store, request.argument));
}

/** Errors of SQLite's that stay: a value that does not fit, or a fault of ours. sqlite.org/rescode.html */
const LASTING = [0, 1, 18, 19, 20, 21, 25];

const failureOf = (error: unknown): Failure => ({
  message: error instanceof Error ? error.message : String(error),
  mayRetry: !LASTING.includes(resultCode(error)),
});
