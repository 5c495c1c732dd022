/**
 * Keeps the cloud's picture of this host true: one report at a time, always of the newest truth, and after each the
 * answer settled device by device.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DeviceInfo, Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';
import { Outage, withRetry } from '../cloud/retry.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import type { ReportHealth } from './health.ts';
import type { AgentObserver } from './observer.ts';
import { RefusedDevices } from './refused-devices.ts';
import { Trouble } from './trouble.ts';

export interface ReporterOptions {
  nodeId: string;
  delivery: Delivery;
  readMachine(): Promise<Machine>;
  /** The phones as they are now, all or those named; undefined while adb cannot be asked. Called for each attempt. */
  devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined;
  /** Every phone that is still known. */
  knownUdids(): ReadonlySet<string>;
  /** Asks phones afresh. */
  collect(udids: readonly string[]): Promise<void>;
  /** The cloud has stored these, as they were sent. */
  onStored(devices: readonly DeviceInfo[]): void;
  /** Until the next full report is due, ms: for so long a failed one is tried again. */
  msToNext(): number;
  refusedRetries: number;
  /** Before a refused device is sent again for the first time, ms. */
  firstRefusalDelayMs: number;
  observer: Pick<AgentObserver, 'changed' | 'sent'>;
  /** An attempt has failed; it may be tried again. */
  onFailed(failure: string): void;
  log: Logger;
}

/** What came of one report. */
export type Reported =
  | { kind: 'stored'; devices: number; refused: number }
  /** Another one took its place, or there was nothing to say. */
  | { kind: 'superseded' }
  /** The cloud has asked for quiet, for longer than the next full report is away. */
  | { kind: 'postponed' }
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

/** Phones that come to rest together go together: a report waits so long for others, ms. */
const GATHER_MS = 10;

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stop = new AbortController();
  readonly #refused: RefusedDevices;
  readonly #trouble = new Trouble();
  readonly #outage = new Outage();
  #pending: Job | undefined;
  #current: Job | undefined;
  #running: Promise<void> | undefined;
  /** The cloud has asked (`Retry-After`) to be left alone until then, ms of `performance.now()`. */
  #quietUntil = 0;
  #isFinishing = false;
  /** By the monotonic clock, ms. */
  #lastStoredAt: number | undefined;
  #lastFailure: string | undefined;
  #failingSince: number | undefined;

  constructor(options: ReporterOptions) {
    this.#options = options;
    const { log, refusedRetries, firstRefusalDelayMs, collect } = options;
    this.#refused = new RefusedDevices({
      mostRetries: refusedRetries,
      firstDelayMs: firstRefusalDelayMs,
      onDue: async (udids) => {
        await collect(udids);
        await this.some(udids);
      },
      log,
    });
  }

  get health(): ReportHealth {
    const now = performance.now();
    const ago = (at: number | undefined) => (at === undefined ? undefined : now - at);
    return present({
      storedAgoMs: ago(this.#lastStoredAt),
      failure: this.#lastFailure,
      failingForMs: ago(this.#failingSince),
    });
  }

  /** What the cloud said when it last refused this phone; absent while it is stored. */
  refusal(udid: string): string | undefined {
    return this.#refused.messageOf(udid);
  }

  /** Reports the whole host. A report that waits for its next attempt makes way: the newest truth is sent instead. */
  full(): Promise<Reported> {
    const job = this.#queue();
    job.isFull = true;
    if (this.#quietMs() <= 0) this.#current?.superseded.abort();
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

  /** Nothing is tried again from now on: an attempt under way may end, and what is yet to come is tried once. */
  finish(): void {
    this.#isFinishing = true;
    this.#refused.stop();
    this.#current?.superseded.abort();
  }

  /** Ends what is being sent; nothing is sent after it. */
  async stop(): Promise<void> {
    this.#refused.stop();
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
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await wait(GATHER_MS);
    while (this.#pending && !this.#stop.signal.aborted) {
      const job = this.#pending;
      this.#current = job;
      this.#pending = undefined;
      job.done.resolve(await this.#deliver(job));
      this.#current = undefined;
    }
    this.#pending?.done.resolve({ kind: 'superseded' });
    this.#pending = undefined;
    this.#running = undefined;
  }

  /** For how long the cloud wants to be left alone, ms. */
  #quietMs(): number {
    return this.#quietUntil - performance.now();
  }

  async #deliver(job: Job): Promise<Reported> {
    const { log, msToNext } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, job.superseded.signal]);
    const forMs = this.#isFinishing ? 0 : msToNext();
    const quietMs = this.#quietMs();
    if (quietMs > forMs) return { kind: 'postponed' };
    try {
      if (quietMs > 0) await wait(quietMs, undefined, { signal });
      const attempt = () => {
        job.attempt = this.#attempt(job).catch((error) => this.#noteFailure(error));
        return job.attempt;
      };
      return await withRetry(attempt, {
        signal,
        forMs,
        outage: this.#outage,
        onRetry: ({ error, attempt, delayMs }) => {
          log.debug({ err: error, attempt, delayMs }, 'the report will be tried again');
        },
      });
    } catch (error) {
      // an attempt that was under way has its own end, which may be a good one
      const last = await job.attempt?.catch(() => undefined);
      if (last) return last;
      if (signal.aborted) return { kind: 'superseded' };
      return { kind: 'failed', error };
    }
  }

  async #attempt(job: Job): Promise<Reported> {
    const { nodeId, delivery, readMachine, knownUdids, onStored } = this.#options;
    this.#absorb(job);
    const machine = await readMachine();
    const devices = this.#options.devices(job.isFull ? undefined : job.udids);
    if (!job.isFull && !devices?.length) return { kind: 'superseded' };
    const sentAt = performance.now();
    const durationMs = () => performance.now() - sentAt;
    const answer = await delivery
      .putAll(nodeId, machine, devices, this.#stop.signal)
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#observeFailure(error, devices?.length ?? 0, durationMs());
        throw error;
      });
    const isMended = this.#lastFailure !== undefined;
    this.#lastStoredAt = performance.now();
    this.#lastFailure = undefined;
    this.#failingSince = undefined;
    if (this.#trouble.end()) this.#options.log.info('the cloud takes reports again');
    const sent = devices ?? [];
    const before = new Set(this.#refused.udids);
    const refused = this.#refused.settle(sent, answer, knownUdids());
    onStored(sent.filter(({ udid }) => !refused.has(udid)));
    const stored = { devices: sent.length - refused.size, refused: refused.size };
    this.#options.observer.sent({ outcome: 'stored', ...stored, durationMs: durationMs() });
    const settled = sent.map(({ udid }) => udid).filter((udid) => before.has(udid) !== refused.has(udid));
    for (const udid of settled) this.#options.observer.changed(udid);
    if (isMended) this.#options.observer.changed();
    return { kind: 'stored', ...stored };
  }

  #observeFailure(error: unknown, devices: number, durationMs: number): void {
    const outcome = error instanceof CloudError ? error.code : 'INTERNAL';
    this.#options.observer.sent({ outcome, devices, refused: 0, durationMs });
  }

  /** What came while this report waited for its next attempt goes with it. */
  #absorb(job: Job): void {
    const more = this.#pending;
    if (more === undefined) return;
    job.isFull ||= more.isFull;
    for (const udid of more.udids) job.udids.add(udid);
    this.#pending = undefined;
    job.done.promise.then(more.done.resolve);
  }

  /** Says what is wrong when it begins or becomes something else, not in every round, and throws it on. */
  #noteFailure(error: unknown): never {
    if (error instanceof CloudUnavailableError && error.retryAfterMs !== undefined)
      this.#quietUntil = performance.now() + error.retryAfterMs;
    if (!this.#stop.signal.aborted) {
      const failure = error instanceof CloudError ? error.message : 'internal error';
      const isNews = failure !== this.#lastFailure;
      this.#lastFailure = failure;
      this.#failingSince ??= performance.now();
      if (isNews) this.#options.observer.changed();
      this.#options.onFailed(failure);
    }
    if (!this.#stop.signal.aborted && this.#trouble.begin(kindOf(error)))
      this.#options.log.error({ err: error }, 'the cloud did not take the report');
    throw error;
  }
}

/** What tells one trouble from another. An answer's status does, whatever words come with it; without one, the words do. */
function kindOf(error: unknown): string {
  if (!(error instanceof CloudError)) return String(error);
  return error.status === undefined ? error.message : `${error.code} ${error.status}`;
}
