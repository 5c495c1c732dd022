/**
 * The thread that has the history's file open: it is started when something is requested, and again when it has died. It
 * holds memory, so it ends itself when it has nothing to do; a request that comes too late for it goes to the next one.
 */
import { Worker } from 'node:worker_threads';
import { withoutEnvironment } from '../../base/environment.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { HistoryUnavailableError } from './history.ts';
import { type Beginning, type HistorySettings, IDLE_EXIT, type Reply, type Request } from './messages.ts';

/** How long we wait for an answer, ms: also the disk of the thread may hang. */
const ANSWER_MS = 10_000;
/** A thread that owes an answer and gave none for so long is ended, ms. */
const STUCK_MS = 120_000;
/** Delay before a thread that died is started again, ms; it doubles up to the second. */
const FIRST_START_MS = 1000;
const LAST_START_MS = 60_000;
/** A thread that has nothing to do for so long ends, ms. */
const IDLE_MS = 15_000;
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 };

type WithoutId<R> = R extends Request ? Omit<R, 'id'> : never;

interface Waiting {
  request: Request;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export interface HistoryThreadOptions {
  /** The thread's program: it calls `serveHistory`. */
  file: URL;
  /** Absent: nothing can be requested before `use`. */
  settings?: HistorySettings;
  log: Logger;
  idleMs?: number;
  /** Default: a thread of Node's. */
  start?: (file: URL, beginning: Beginning) => Worker;
}

export class HistoryThread {
  readonly #options: HistoryThreadOptions;
  readonly #deaths = new OutageLog();
  readonly #waiting = new Map<number, Waiting>();
  #settings: HistorySettings | undefined;
  #worker: Worker | undefined;
  #startDelayMs = FIRST_START_MS;
  #mayStartAt = 0;
  #lastId = 0;
  /** Since when it owes an answer and gave none; undefined: it owes none. */
  #silentSince: number | undefined;
  /** The last thread closed the file by itself. */
  #isWhole = false;
  #isClosed = false;

  constructor(options: HistoryThreadOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  get isOpen(): boolean {
    return this.#settings !== undefined && !this.#isClosed;
  }

  /** @throws {HistoryUnavailableError} */
  async request(demand: WithoutId<Request>): Promise<unknown> {
    if (this.#isClosed) throw new HistoryUnavailableError('the history is closed', false);
    const worker = this.#running();
    return await this.#answerOf(worker, demand);
  }

  async #answerOf(worker: Worker, demand: WithoutId<Request>): Promise<unknown> {
    this.#silentSince ??= performance.now();
    this.#lastId += 1;
    const id = this.#lastId;
    const request: Request = { ...demand, id };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { request, resolve, reject });
    const timer = setTimeout(() => {
      reject(new HistoryUnavailableError(`no answer within ${ANSWER_MS / 1000} s`));
      const silentMs = performance.now() - (this.#silentSince ?? Number.POSITIVE_INFINITY);
      if (silentMs >= STUCK_MS) void this.#worker?.terminate(); // `exit` follows
    }, ANSWER_MS).unref();
    try {
      worker.postMessage(request);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Other settings from now on. Never throws. */
  async use(settings: HistorySettings): Promise<void> {
    this.#settings = settings;
    this.#isWhole = false;
    if (this.#worker !== undefined) await this.request({ kind: 'settings', settings }).catch(() => {});
  }

  /** Has the thread close the file. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#answerOf(worker, { kind: 'close' }).catch(() => {});
    await worker.terminate();
  }

  /** @throws {HistoryUnavailableError} */
  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    if (this.#settings === undefined) throw new HistoryUnavailableError('it is not open yet');
    if (performance.now() < this.#mayStartAt) throw new HistoryUnavailableError('its thread has died');
    const { file, log, idleMs = IDLE_MS, start = startWorker } = this.#options;
    const worker = start(file, { settings: this.#settings, isWhole: this.#isWhole, idleMs });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => {
      if (this.#deaths.begin(String(error))) log.error({ err: error }, 'the thread of the history has died');
    });
    worker.on('exit', (code) => this.#ended(worker, code));
    this.#worker = worker;
    this.#silentSince = undefined;
    return worker;
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'said') {
      this.#options.log[reply.level](reply.message);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    this.#silentSince = this.#waiting.size === 0 ? undefined : performance.now();
    if (reply.kind === 'failed') waiting?.reject(new HistoryUnavailableError(reply.message, reply.mayRetry));
    else waiting?.resolve(reply.json === undefined ? undefined : JSON.parse(reply.json));
    this.#startDelayMs = FIRST_START_MS;
    this.#deaths.end();
  }

  #ended(worker: Worker, code: number): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isWhole = code === IDLE_EXIT;
    if (code === IDLE_EXIT && !this.#isClosed) this.#sendAgain();
    else this.#died();
  }

  #sendAgain(): void {
    if (this.#waiting.size === 0) return;
    const next = this.#running();
    this.#silentSince = performance.now();
    for (const { request } of this.#waiting.values()) next.postMessage(request);
  }

  #died(): void {
    this.#mayStartAt = performance.now() + this.#startDelayMs;
    this.#startDelayMs = Math.min(2 * this.#startDelayMs, LAST_START_MS);
    for (const { reject } of this.#waiting.values())
      reject(new HistoryUnavailableError('its thread has died'));
  }
}

const startWorker = (file: URL, beginning: Beginning): Worker =>
  new Worker(file, { ...withoutEnvironment, resourceLimits: LIMITS, workerData: beginning });
