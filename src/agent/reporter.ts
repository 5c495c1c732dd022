/**
 * Keeps the cloud's picture of this host true: one report at a time, always of the newest truth, and after each the
 * answer settled device by device.
 */

import type { DeviceInfo, DevicesAnswer, Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import { CloudError } from '../cloud/errors.ts';
import { dueRefusals, keepRefusals, nextRefusalDueMs, type Refusals, settle } from '../cloud/refusals.ts';
import { withRetry } from '../cloud/retry.ts';
import type { Logger } from '../log.ts';

export interface ReporterOptions {
  nodeId: string;
  delivery: Delivery;
  readMachine(): Promise<Machine>;
  /** The phones as they are now, all or those named; undefined while adb cannot be asked. */
  devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined;
  /** Asks phones afresh. */
  collect(udids: readonly string[]): Promise<void>;
  /** The cloud has stored these. */
  onStored(udids: readonly string[]): void;
  /** Until the next full report is due, ms: for so long a failed one is tried again. */
  msToNext(): number;
  refusedRetries: number;
  log: Logger;
}

/** What came of one report. */
export type Reported =
  | { kind: 'stored'; devices: number; refused: number }
  /** Another one took its place, or there was nothing to say. */
  | { kind: 'superseded' }
  | { kind: 'failed'; error: unknown };

interface Job {
  /** A full report; otherwise of these phones. */
  isFull: boolean;
  udids: Set<string>;
  superseded: AbortController;
  done: PromiseWithResolvers<Reported>;
  /** The attempt that is under way: two reports never cross each other. */
  attempt?: Promise<Reported>;
}

const FIRST_REFUSAL_DELAY_MS = 2_000;
/** Two timers may not fire in the order of their times. */
const TIMER_SLACK_MS = 20;

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stop = new AbortController();
  #pending: Job | undefined;
  #current: Job | undefined;
  #running: Promise<void> | undefined;
  #refusals: Refusals = new Map();
  #refusalTimer: NodeJS.Timeout | undefined;
  /** What the cloud does not do, as last said. */
  #trouble: string | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Reports the whole host. A report that is still being tried makes way: the newest truth is sent instead. */
  full(): Promise<Reported> {
    const job = this.#queue();
    job.isFull = true;
    this.#current?.superseded.abort();
    this.#wake();
    return job.done.promise;
  }

  /** Reports these phones, at once if nothing else is being sent. */
  some(udids: Iterable<string>): Promise<Reported> {
    const job = this.#queue();
    for (const udid of udids) job.udids.add(udid);
    this.#wake();
    return job.done.promise;
  }

  /** Ends what is being sent; nothing is sent after it. */
  async stop(): Promise<void> {
    clearTimeout(this.#refusalTimer);
    this.#stop.abort();
    await this.#running;
  }

  #queue(): Job {
    this.#pending ??= {
      isFull: false,
      udids: new Set(),
      superseded: new AbortController(),
      done: Promise.withResolvers<Reported>(),
    };
    return this.#pending;
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#pending && !this.#stop.signal.aborted) {
      const job = this.#pending;
      this.#current = job;
      this.#pending = undefined;
      job.done.resolve(await this.#deliver(job));
      this.#current = undefined;
    }
    this.#pending?.done.resolve({ kind: 'superseded' });
    this.#pending = undefined;
  }

  async #deliver(job: Job): Promise<Reported> {
    const { log, msToNext } = this.#options;
    try {
      const attempt = () => {
        job.attempt = this.#attempt(job);
        return job.attempt;
      };
      return await withRetry(attempt, {
        signal: AbortSignal.any([this.#stop.signal, job.superseded.signal]),
        forMs: msToNext(),
        onRetry: ({ error, attempt, delayMs }) => {
          this.#sayTrouble(error);
          log.debug({ attempt, delayMs }, 'the report will be tried again');
        },
      });
    } catch (error) {
      await job.attempt?.catch(() => {});
      if (this.#stop.signal.aborted || job.superseded.signal.aborted) return { kind: 'superseded' };
      this.#sayTrouble(error);
      return { kind: 'failed', error };
    }
  }

  async #attempt(job: Job): Promise<Reported> {
    const { nodeId, delivery, readMachine } = this.#options;
    this.#absorb(job);
    const devices = this.#options.devices(job.isFull ? undefined : job.udids);
    if (!job.isFull && !devices?.length) return { kind: 'superseded' };
    const answer = await delivery.putAll(nodeId, await readMachine(), devices, this.#stop.signal);
    this.#sayWorking();
    return this.#settle(devices ?? [], answer);
  }

  /** Changes that came while this report waited for its next attempt go with it. */
  #absorb(job: Job): void {
    const more = this.#pending;
    if (more === undefined || (more.isFull && !job.isFull)) return;
    for (const udid of more.udids) job.udids.add(udid);
    this.#pending = undefined;
    job.done.promise.then(more.done.resolve);
  }

  #settle(devices: readonly DeviceInfo[], { failedDevices }: DevicesAnswer): Reported {
    const { log, onStored, refusedRetries } = this.#options;
    const udids = devices.map(({ udid }) => udid);
    const policy = { firstDelayMs: FIRST_REFUSAL_DELAY_MS, mostRetries: refusedRetries };
    const { refusals, events, strangers } = settle(this.#refusals, udids, failedDevices, Date.now(), policy);
    const known = this.#options.devices()?.map(({ udid }) => udid);
    this.#refusals = known ? keepRefusals(refusals, new Set(known)) : refusals;
    for (const { kind, ...event } of events) {
      if (kind === 'refused') log.warn(event, 'the cloud refused a device; it will be sent again');
      else if (kind === 'given up')
        log.error(event, 'the cloud keeps refusing a device; each report carries it');
      else log.info(event, 'the cloud stored a device that it had refused');
    }
    for (const { udid, message } of strangers)
      log.warn({ udid, message }, 'the cloud refused a device that was not sent');
    const refused = udids.filter((udid) => this.#refusals.has(udid));
    onStored(udids.filter((udid) => !this.#refusals.has(udid)));
    this.#planRefusals();
    return { kind: 'stored', devices: udids.length - refused.length, refused: refused.length };
  }

  #planRefusals(): void {
    clearTimeout(this.#refusalTimer);
    const dueMs = nextRefusalDueMs(this.#refusals);
    if (dueMs === undefined || this.#stop.signal.aborted) return;
    this.#refusalTimer = setTimeout(
      () => void this.#retryRefused(),
      Math.max(0, dueMs - Date.now()) + TIMER_SLACK_MS,
    );
  }

  async #retryRefused(): Promise<void> {
    const udids = dueRefusals(this.#refusals, Date.now());
    await this.#options.collect(udids);
    if (!this.#stop.signal.aborted) await this.some(udids);
  }

  /** Says what is wrong when it begins or becomes something else, not in every round. */
  #sayTrouble(error: unknown): void {
    const trouble = error instanceof CloudError ? `${error.code} ${error.status ?? ''}` : String(error);
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#options.log.error({ err: error }, 'the cloud did not take the report');
  }

  #sayWorking(): void {
    if (this.#trouble !== undefined) this.#options.log.info('the cloud takes reports again');
    this.#trouble = undefined;
  }
}
