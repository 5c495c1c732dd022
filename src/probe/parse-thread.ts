/**
 * Parses in another thread what takes long, one section at a time. If a parser does not end there, or uses all memory,
 * we end the thread, and the next section gets a new one.
 */
import type { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { withoutEnvironment } from '../base/environment.ts';
import { isBuilt } from '../base/version.ts';
import type { Answers } from '../facts/section.ts';
import type { Parsed, ParseReply } from './parse-service.ts';

export interface ParseThreadOptions {
  file?: URL;
  /** Time limit of one section, in ticks from when the thread began with it. */
  ticks?: number;
}

const WORKER = new URL(isBuilt ? './parse-worker.cjs' : './parse-worker.ts', import.meta.url);
/**
 * We count time in ticks of our own event loop, ms. While the machine is suspended, loop and thread both stand still,
 * and no tick is counted.
 */
const TICK_MS = 100;
const TICKS = 10;
/** Time limit for the thread to begin with a section. */
const START_TICKS = 100;
/** A thread that has nothing to do is ended after this, ms: it holds memory. */
const IDLE_MS = 5_000;
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

export class ParseThread {
  readonly #options: Required<ParseThreadOptions>;
  readonly #oneByOne = pLimit(1);
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ file = WORKER, ticks = TICKS }: ParseThreadOptions = {}) {
    this.#options = { file, ticks };
  }

  /**
   * @returns undefined when the parser did not end in time, or the thread ended
   * @throws the signal's reason
   */
  parse(section: string, answers: Answers, signal: AbortSignal): Promise<Parsed | undefined> {
    return this.#oneByOne(() => this.#parse({ section, answers }, signal));
  }

  async #parse(job: { section: string; answers: Answers }, signal: AbortSignal): Promise<Parsed | undefined> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = this.#worker ?? (await this.#start());
    this.#worker = worker;
    worker.ref(); // a command that waits for this must not end meanwhile
    const over = Promise.withResolvers<Parsed | undefined>();
    let ticksLeft = START_TICKS;
    const clock = setInterval(() => {
      ticksLeft -= 1;
      if (ticksLeft <= 0) over.resolve(undefined);
    }, TICK_MS);
    const receive = (reply: ParseReply) => {
      if (reply.kind === 'begun') ticksLeft = this.#options.ticks;
      else over.resolve(reply);
    };
    const breakDown = () => over.resolve(undefined);
    const abort = () => over.reject(signal.reason);
    worker.on('message', receive).on('exit', breakDown);
    signal.addEventListener('abort', abort, { once: true });
    let parsed: Parsed | undefined;
    try {
      worker.postMessage(job);
      parsed = await over.promise;
    } finally {
      clearInterval(clock);
      signal.removeEventListener('abort', abort);
      worker.off('message', receive).off('exit', breakDown);
      if (parsed === undefined) await this.#end();
      else this.#endIfIdle(worker);
    }
    return parsed;
  }

  async #start(): Promise<Worker> {
    const { Worker } = await import('node:worker_threads'); // seldom needed
    const worker = new Worker(this.#options.file, { ...withoutEnvironment, resourceLimits: LIMITS });
    worker.on('error', () => {}); // `exit` follows
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #endIfIdle(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** One for all phones of this process: its worker runs only while something takes long. */
export const parseThread = new ParseThread();
