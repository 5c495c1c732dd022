/** The thread itself: started, asked, and started again when it has died. */
import { Worker } from 'node:worker_threads';
import { HostNodeError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import { withoutEnvironment } from '../base/thread-options.ts';
import type { HistorySettings, Reply, Request } from './message.ts';

/** How long we wait for an answer, ms: also the disk of the thread may hang. */
const ANSWER_MS = 10_000;
/** A thread that gave no answer for so long is ended, ms. It has something to do each minute. */
const STUCK_MS = 120_000;
/** Delay before a thread that died is started again, ms; it doubles up to the second. */
const [FIRST_START_MS, LAST_START_MS] = [1000, 60_000];
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 };

/** The history does not answer now. */
export class HistoryUnavailableError extends HostNodeError {
  readonly code = 'HISTORY_UNAVAILABLE';
  /** The same request may succeed later. */
  readonly mayRetry: boolean;

  constructor(message: string, mayRetry = true) {
    super(message);
    this.mayRetry = mayRetry;
  }
}

type Demand = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class HistoryPort {
  readonly #file: URL;
  readonly #log: Logger;
  readonly #deaths = new OutageLog();
  readonly #waiting = new Map<number, Waiting>();
  #settings: HistorySettings;
  #worker: Worker | undefined;
  #startDelayMs = FIRST_START_MS;
  #mayStartAt = 0;
  #lastId = 0;
  #repliedAt = 0;
  #isClosed = false;

  constructor({ file, settings, log }: { file: URL; settings: HistorySettings; log: Logger }) {
    [this.#file, this.#settings, this.#log] = [file, settings, log];
  }

  /** @throws {HistoryUnavailableError} */
  async request(demand: Demand): Promise<unknown> {
    const worker = this.#running();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => {
      reject(new HistoryUnavailableError(`no answer within ${ANSWER_MS / 1000} s`));
      if (performance.now() - this.#repliedAt >= STUCK_MS) void worker.terminate(); // `exit` follows
    }, ANSWER_MS).unref();
    try {
      worker.postMessage({ ...demand, id } satisfies Request);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  async use(settings: HistorySettings): Promise<void> {
    this.#settings = settings;
    if (this.#worker !== undefined) await this.request({ kind: 'settings', settings }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.request({ kind: 'close' }).catch(() => {});
    await worker.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    if (this.#isClosed) throw new HistoryUnavailableError('the history is closed', false);
    if (performance.now() < this.#mayStartAt) throw new HistoryUnavailableError('its thread has died');
    const worker = new Worker(this.#file, {
      ...withoutEnvironment,
      resourceLimits: LIMITS,
      workerData: this.#settings,
    });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => {
      if (this.#deaths.begin(String(error)))
        this.#log.error({ err: error }, 'the thread of the history has died');
    });
    worker.on('exit', () => this.#ended(worker));
    this.#worker = worker;
    this.#repliedAt = performance.now();
    return worker;
  }

  #receive(reply: Reply): void {
    this.#repliedAt = performance.now();
    if (reply.kind === 'said') {
      this.#log[reply.level](reply.message);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    if (reply.kind === 'failed')
      waiting?.reject(new HistoryUnavailableError(reply.failure.message, reply.failure.mayRetry));
    else waiting?.resolve(reply.json === undefined ? undefined : JSON.parse(reply.json));
    this.#startDelayMs = FIRST_START_MS;
    this.#deaths.end();
  }

  #ended(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#mayStartAt = performance.now() + this.#startDelayMs;
    this.#startDelayMs = Math.min(2 * this.#startDelayMs, LAST_START_MS);
    for (const { reject } of this.#waiting.values())
      reject(new HistoryUnavailableError('its thread has died'));
  }
}
