/** Keeps the cloud's picture of this host true: one report at a time, always of the newest truth. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { pause } from '../base/time.ts';
import { Outage, withRetry } from '../cloud/retry.ts';
import { attemptReport, type ReportMeans } from './attempt.ts';
import type { Reported } from './observer.ts';
import { RefusedDevices } from './refused-devices.ts';

export interface ReporterOptions extends ReportMeans {
  /** Asks phones afresh. */
  collect(udids: readonly string[]): Promise<void>;
  /** Until the next full report is due, ms: for so long a failed one is tried again. */
  msToNext(): number;
  refusedRetries: number;
  /** Before a refused device is sent again for the first time, ms. */
  firstRefusalDelayMs: number;
  log: Logger;
}

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
/** Of many that come to rest one after the other, several go together: between two reports of some phones, ms. */
const PARTS_EVERY_MS = 100;
/** Between two attempts at the last report, at most, ms. */
const LAST_DELAY_MS = 2_000;

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stop = new AbortController();
  readonly #refused: RefusedDevices;
  #outage = new Outage();
  #pending: Job | undefined;
  #current: Job | undefined;
  #running: Promise<void> | undefined;
  /** Once this is finishing: until then what is yet to come may be tried again, by the monotonic clock, ms. */
  #triedUntil: number | undefined;
  /** When a report of some phones was begun last, by the monotonic clock, ms. */
  #lastPartAt = Number.NEGATIVE_INFINITY;

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

  /** What the cloud said when it last refused this phone; absent while it is stored. */
  refusal(udid: string): string | undefined {
    return this.#refused.messageOf(udid);
  }

  /** Reports the whole host. A report that waits for its next attempt makes way: the newest truth is sent instead. */
  full(): Promise<Reported> {
    const job = this.#queue();
    job.isFull = true;
    if (this.#options.cloudHealth.quietMs > 0) this.#options.cloudHealth.waits();
    else this.#current?.superseded.abort();
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
    this.#triedUntil = performance.now();
    this.#refused.stop();
    this.#current?.superseded.abort();
  }

  /**
   * The last report, after `finish`: that all phones are gone. Nobody comes after it, so it is tried again meanwhile.
   *
   * @param forMs it has failed when it is not stored by then
   */
  async last(forMs: number): Promise<void> {
    const { cloudHealth, log } = this.#options;
    this.#triedUntil = performance.now() + forMs;
    this.#outage = new Outage(LAST_DELAY_MS); // there is no time for the delays of a long one
    const reported = await Promise.race([this.full(), pause(forMs)]);
    const isStored = reported?.kind === 'stored';
    if (isStored && reported.refused === 0) return;
    const failure = cloudHealth.lastFailure ?? 'no answer in time';
    log.error(
      isStored ? { refused: reported.refused } : { failure },
      'the cloud has not stored that the phones are gone: it may show them as plugged in for ever',
    );
  }

  /** Ends what is being sent; nothing is sent after it. */
  async stop(): Promise<void> {
    this.#refused.stop();
    this.#stop.abort();
    this.#current?.superseded.abort();
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
      const restMs = this.#pending.isFull ? 0 : this.#lastPartAt + PARTS_EVERY_MS - performance.now();
      if (restMs > 0) {
        await wait(restMs);
        continue;
      }
      const job = this.#pending;
      if (!job.isFull) this.#lastPartAt = performance.now();
      this.#current = job;
      this.#pending = undefined;
      job.done.resolve(await this.#deliver(job));
      this.#current = undefined;
    }
    this.#pending?.done.resolve({ kind: 'superseded' });
    this.#pending = undefined;
    this.#running = undefined;
  }

  async #deliver(job: Job): Promise<Reported> {
    const { log, msToNext, cloudHealth } = this.#options;
    const { signal } = job.superseded;
    const forMs =
      this.#triedUntil === undefined ? msToNext() : Math.max(0, this.#triedUntil - performance.now());
    const { quietMs } = cloudHealth;
    if (quietMs > forMs) return { kind: 'postponed' };
    try {
      if (quietMs > 0) await wait(quietMs, undefined, { signal });
      const attempt = () => {
        job.attempt = this.#attempt(job);
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
    this.#absorb(job);
    const { signal } = this.#stop;
    try {
      return await attemptReport(job.isFull ? undefined : job.udids, this.#options, this.#refused, signal);
    } catch (error) {
      if (!signal.aborted) this.#options.cloudHealth.failed(error);
      throw error;
    }
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
}
