/** Has a worker run targets, and ends it where an input hangs or the whole thread breaks. */
import { Worker } from 'node:worker_threads';
import { type Finding, type Order, type Outcome, PROGRESS_BYTES, progressOf } from './target.ts';

/** CPU time of this process for one input, after which it hangs, µs: thousands of times what any input needs. */
const HANG_CPU_US = 12_000_000;
/** An input that waits for what never comes, ms; on a busy machine the CPU time above takes as long. */
const HANG_MS = 900_000;
const LOOK_EVERY_MS = 250;

type Reply = { outcome: Outcome } | { broken: string };

export class Runner {
  #worker: Worker | undefined;
  readonly #memory = new SharedArrayBuffer(PROGRESS_BYTES);
  #asked = 0;

  /** Never rejects: whatever ends the worker is a finding. */
  async run(order: Order): Promise<Outcome> {
    const reply = await this.#ask({ run: order });
    if ('outcome' in reply) return reply.outcome;
    await this.stop();
    const { cells } = progressOf(this.#memory);
    const runs = Atomics.load(cells, 0);
    // fast-check counts from 0; what is made smaller has lost its way
    const path = order.path ?? String(Math.max(0, runs - 1));
    const isShrinking = Atomics.load(cells, 1) === 1;
    const finding: Finding = {
      target: order.target,
      seed: order.seed,
      path,
      what: isShrinking ? `${reply.broken}, as a found input was made smaller` : reply.broken,
      input: await this.#inputOf({ ...order, path }),
    };
    return { runs, finding };
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #inputOf(order: Order): Promise<string> {
    const reply = await this.#ask({ show: order });
    if ('broken' in reply) await this.stop();
    return 'outcome' in reply ? String(reply.outcome) : `it cannot be made again: ${reply.broken}`;
  }

  #ask(what: object): Promise<Reply> {
    this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#asked += 1;
    const id = this.#asked;
    const onMessage = (reply: { id: number; outcome: Outcome }) => {
      if (reply.id === id) resolve({ outcome: reply.outcome });
    };
    const onError = (error: Error) => {
      this.#worker = undefined;
      resolve({ broken: `the thread broke: ${error?.stack ?? error}` });
    };
    const onExit = (code: number) => onError(new Error(`it ended with ${code}`));
    const look = this.#watch((broken) => resolve({ broken }));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage({ id, ...what });
    return promise.finally(() => {
      clearInterval(look);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: { memory: this.#memory },
    });
    return worker.on('error', () => {}); // the order in hand says it
  }

  /** Calls back when the number of inputs does not change for too long. */
  #watch(onHang: (what: string) => void): NodeJS.Timeout {
    const { cells } = progressOf(this.#memory);
    let seen = { runs: -1, at: performance.now(), cpu: process.cpuUsage() };
    return setInterval(() => {
      const runs = Atomics.load(cells, 0);
      if (runs !== seen.runs) seen = { runs, at: performance.now(), cpu: process.cpuUsage() };
      const { user, system } = process.cpuUsage(seen.cpu);
      if (user + system > HANG_CPU_US) onHang(`one input took over ${HANG_CPU_US / 1e6} s of CPU time`);
      else if (performance.now() - seen.at > HANG_MS) onHang(`one input took over ${HANG_MS / 1000} s`);
    }, LOOK_EVERY_MS);
  }
}
