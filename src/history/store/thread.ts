/**
 * The thread that has the history's file open: it is started when something is requested, and again when it has died. It
 * holds memory, so it is ended when nothing was requested for a while.
 */
import { Worker } from 'node:worker_threads';
import { withoutEnvironment } from '../../base/environment.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { type HistorySettings, HistoryUnavailableError } from './history.ts';

/** How long we wait for an answer, ms: also the disk of the thread may hang. */
const ANSWER_MS = 10_000;
/** Delay before a thread that died is started again, ms. */
const START_AGAIN_MS = 1000;
/** A thread of which nothing is requested for so long is ended, ms. */
const IDLE_MS = 15_000;
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 1 };

/** What a thread is started with. */
export interface Beginning {
  settings: HistorySettings;
  /** This process has found the file to be whole, and closed it: finding that takes half a second for a large file. */
  isWhole: boolean;
}

/** A question, or a command; to be answered by one `Reply`. */
export interface Request {
  id: number;
  name: string;
  argument?: unknown;
  /** Before the others. */
  isUrgent?: boolean;
}

export type Reply =
  /** The answer to the request with this `id`; `json` is absent where there is nothing to say. */
  | { kind: 'answer'; id: number; json: string | undefined }
  | { kind: 'failed'; id: number; message: string }
  /** To be logged. */
  | { kind: 'said'; level: 'info' | 'error'; message: string };

export interface HistoryThreadOptions {
  /** The thread's program: it calls `serveHistory`. */
  file: URL;
  log: Logger;
  idleMs?: number;
  /** Default: a thread of Node's. */
  start?: (file: URL, beginning: Beginning) => Worker;
}

/** Before it has its settings nothing can be requested. */
export class HistoryThread {
  /** False: it is not ended. What it has open it may not be able to open again. */
  mayRest = (): boolean => true;
  readonly #options: HistoryThreadOptions;
  readonly #deaths = new OutageLog();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #settings: HistorySettings | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #mayStartAt = 0;
  #lastId = 0;
  /** The last thread closed the file, and nobody else has written it. */
  #isWhole = false;
  #isClosed = false;

  constructor(options: HistoryThreadOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#settings !== undefined && !this.#isClosed;
  }

  /**
   * @param hasTime it is waited for as long as it takes
   * @throws {HistoryUnavailableError}
   */
  async request<T>(request: Omit<Request, 'id'>, hasTime = false): Promise<T> {
    if (this.#isClosed) throw new HistoryUnavailableError('the history is closed');
    clearTimeout(this.#idle);
    try {
      return await this.#answerOf<T>(this.#running(), request, hasTime);
    } finally {
      this.#restLater();
    }
  }

  #restLater(): void {
    const { idleMs = IDLE_MS } = this.#options;
    clearTimeout(this.#idle);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.#rest(), idleMs).unref();
  }

  async #answerOf<T>(worker: Worker, request: Omit<Request, 'id'>, hasTime = false): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const timer = hasTime ? undefined : setTimeout(() => answer.reject(tooLong()), ANSWER_MS).unref();
    try {
      worker.postMessage({ id, ...request } satisfies Request);
      return (await answer.promise) as T;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Other settings from now on. Never throws. */
  async use(settings: HistorySettings): Promise<void> {
    this.#settings = settings;
    this.#isWhole = false;
    if (this.#worker === undefined) return;
    await this.request({ name: 'use', argument: settings, isUrgent: true }).catch(() => {});
  }

  /** A thread that died may be started again at once. */
  hurry(): void {
    this.#mayStartAt = 0;
  }

  /** Has the thread close the file, and ends it. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#answerOf(worker, { name: 'close', isUrgent: true }).catch(() => {});
    await worker.terminate();
  }

  /** Ends the thread, unless it says that its memory is the only copy. What is requested meanwhile, it still answers. */
  async #rest(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || !this.mayRest()) return;
    const isResting = await this.#answerOf<boolean>(worker, { name: 'rest' }).catch(() => false);
    if (!isResting || this.#waiting.size > 0 || this.#worker !== worker || this.#isClosed) return;
    this.#worker = undefined;
    this.#isWhole = true;
    await worker.terminate();
  }

  /** @throws {HistoryUnavailableError} also where the system grants no thread */
  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const settings = this.#settings;
    if (settings === undefined) throw new HistoryUnavailableError('it is not open yet');
    if (performance.now() < this.#mayStartAt) throw died();
    const { file, log, start = startWorker } = this.#options;
    let worker: Worker;
    try {
      worker = start(file, { settings, isWhole: this.#isWhole });
    } catch (error) {
      this.#mayStartAt = performance.now() + START_AGAIN_MS;
      throw new HistoryUnavailableError(`its thread cannot be started (${(error as Error).message})`);
    }
    worker.unref();
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => {
      if (this.#deaths.begin(String(error))) log.error({ err: error }, 'the thread of the history has died');
    });
    worker.on('exit', () => this.#ended(worker));
    this.#worker = worker;
    return worker;
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'said') {
      this.#options.log[reply.level](reply.message);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'failed') waiting?.reject(new HistoryUnavailableError(reply.message));
    else waiting?.resolve(reply.json === undefined ? undefined : JSON.parse(reply.json));
    this.#deaths.end();
  }

  #ended(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isWhole = false;
    this.#mayStartAt = performance.now() + START_AGAIN_MS;
    for (const { reject } of this.#waiting.values()) reject(died());
  }
}

const died = () => new HistoryUnavailableError('its thread has died');
const tooLong = () => new HistoryUnavailableError(`no answer within ${ANSWER_MS / 1000} s`);

const startWorker = (file: URL, beginning: Beginning): Worker =>
  new Worker(file, { ...withoutEnvironment(), resourceLimits: LIMITS, workerData: beginning });
