/**
 * The thread itself: started when it is needed, asked, and started again when it has died. It is ended while it has
 * nothing to do, since it holds memory.
 */
import { Worker } from 'node:worker_threads';
import { withoutEnvironment } from '../../base/environment.ts';
import { HostNodeError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import type { Beginning, HistorySettings, Reply, Request } from './message.ts';

/** How long we wait for an answer, ms: also the disk of the thread may hang. */
const ANSWER_MS = 10_000;
/** A thread that owes an answer and gave none for so long is ended, ms. */
const STUCK_MS = 120_000;
/** Delay before a thread that died is started again, ms; it doubles up to the second. */
const [FIRST_START_MS, LAST_START_MS] = [1000, 60_000];
/** A thread that has nothing to do for so long is ended, ms. */
export const IDLE_MS = 15_000;
/** One that is needed so soon after the end of the one before, ms, may be idle for the longer time: a start is dear. */
export const [SOON_MS, LONG_IDLE_MS] = [30_000, 120_000];
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

export interface HistoryPortOptions {
  file: URL;
  settings?: HistorySettings;
  log: Logger;
  /** Default: a thread of Node's. */
  start?: (file: URL, beginning: Beginning) => Worker;
}

export class HistoryPort {
  readonly #options: HistoryPortOptions;
  readonly #log: Logger;
  readonly #deaths = new OutageLog();
  readonly #waiting = new Map<number, Waiting>();
  #settings: HistorySettings | undefined;
  #worker: Worker | undefined;
  #startDelayMs = FIRST_START_MS;
  #mayStartAt = 0;
  #lastId = 0;
  /** Since when it owes an answer and gave none; undefined: it owes none. */
  #silentSince: number | undefined;
  #idle: NodeJS.Timeout | undefined;
  #idleMs = IDLE_MS;
  /** While the thread decides whether it may end: no request goes to it. */
  #resting: Promise<void> | undefined;
  #restedAt = Number.NEGATIVE_INFINITY;
  #handedOver: string | undefined;
  #isClosed = false;

  constructor(options: HistoryPortOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#log = options.log;
  }

  /** Before it, nothing can be requested. */
  open(settings: HistorySettings): void {
    this.#settings = settings;
  }

  /** @throws {HistoryUnavailableError} */
  async request(demand: Demand): Promise<unknown> {
    if (this.#resting !== undefined) await this.#resting;
    const worker = this.#running();
    clearTimeout(this.#idle);
    try {
      return await this.#answerOf(worker, demand);
    } finally {
      if (this.#waiting.size === 0 && worker === this.#worker) this.#restLater(worker);
    }
  }

  async #answerOf(worker: Worker, demand: Demand): Promise<unknown> {
    this.#silentSince ??= performance.now();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => {
      reject(new HistoryUnavailableError(`no answer within ${ANSWER_MS / 1000} s`));
      const silentMs = performance.now() - (this.#silentSince ?? Number.POSITIVE_INFINITY);
      if (silentMs >= STUCK_MS && worker === this.#worker) void worker.terminate(); // `exit` follows
    }, ANSWER_MS).unref();
    try {
      worker.postMessage({ ...demand, id } satisfies Request);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  #restLater(worker: Worker): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#isClosed || this.#waiting.size > 0 || worker !== this.#worker) return;
      this.#resting = this.#rest(worker).finally(() => {
        this.#resting = undefined;
      });
    }, this.#idleMs).unref();
  }

  /** Ends the thread, unless its memory holds what is nowhere else. Never throws. */
  async #rest(worker: Worker): Promise<void> {
    const settings = this.#settings;
    const handedOver = await this.#answerOf(worker, { kind: 'rest' }).catch(() => undefined);
    if (typeof handedOver !== 'string' || worker !== this.#worker) return;
    this.#worker = undefined;
    this.#handedOver = settings === this.#settings ? handedOver : undefined;
    this.#restedAt = performance.now();
    void worker.terminate();
  }

  async use(settings: HistorySettings): Promise<void> {
    this.#settings = settings;
    this.#handedOver = undefined;
    if (this.#worker !== undefined) await this.request({ kind: 'settings', settings }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#resting;
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#answerOf(worker, { kind: 'close' }).catch(() => {});
    await worker.terminate();
  }

  #running(): Worker {
    if (this.#isClosed) throw new HistoryUnavailableError('the history is closed', false);
    if (this.#worker !== undefined) return this.#worker;
    if (this.#settings === undefined) throw new HistoryUnavailableError('it is not open yet');
    if (performance.now() < this.#mayStartAt) throw new HistoryUnavailableError('its thread has died');
    const { file, start = startWorker } = this.#options;
    const handedOver = this.#handedOver;
    this.#handedOver = undefined;
    this.#idleMs = performance.now() - this.#restedAt < SOON_MS ? LONG_IDLE_MS : IDLE_MS;
    const worker = start(file, {
      settings: this.#settings,
      ...(handedOver !== undefined && { handedOver }),
    });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => {
      if (this.#deaths.begin(String(error)))
        this.#log.error({ err: error }, 'the thread of the history has died');
    });
    worker.on('exit', () => this.#ended(worker));
    this.#worker = worker;
    this.#silentSince = undefined;
    return worker;
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'said') {
      this.#log[reply.level](reply.message);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    this.#silentSince = this.#waiting.size === 0 ? undefined : performance.now();
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

const startWorker = (file: URL, beginning: Beginning): Worker =>
  new Worker(file, { ...withoutEnvironment, resourceLimits: LIMITS, workerData: beginning });
