/** Keeps the cloud up to date about this host: one report at a time, always of the newest state. */
import { pause, wait } from '../base/time.ts';
import type { DeviceInfo, DevicesAnswer } from '../cloud/contract/report.ts';
import type { Delivery } from '../cloud/delivery.ts';
import { CloudError } from '../cloud/errors.ts';
import { lastDelays, Outage, reportDelays, withRetry } from '../cloud/retry.ts';
import type { PhoneWatcher } from '../history/events/watcher.ts';
import { Refusals } from '../report/refusals.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import type { ReportResult } from './observer.ts';
import { type AgentServices, inBackground } from './options.ts';
import type { ReportSource } from './report-source.ts';
import type { ReportSchedule } from './schedule.ts';

export interface ReporterOptions
  extends Pick<
    AgentServices,
    'nodeId' | 'roster' | 'observer' | 'timing' | 'refusedRetries' | 'readMachine' | 'save' | 'log'
  > {
  delivery: Delivery;
  source: Pick<ReportSource, 'prepare' | 'forget'>;
  cloudHealth: CloudHealth;
  /** Collects refused devices again before their retry. */
  collector: Pick<Collector, 'collect'>;
  /** A failed report is tried again until the next full one is due. */
  schedule: Pick<ReportSchedule, 'msToNext'>;
  watcher: Pick<PhoneWatcher, 'look'>;
}

interface Job {
  /** A full report; otherwise of these phones. */
  isFull: boolean;
  /** Somebody waits for it, or a phone changed: see `Delays`. */
  isUrgent: boolean;
  udids: Set<string>;
  superseded: AbortController;
  done: PromiseWithResolvers<ReportResult>;
  /** The attempt that is under way: two reports never cross each other. */
  attempt?: Promise<ReportResult>;
  /** An attempt has failed, and the next one is some time away. */
  isWaiting?: boolean;
}

/** How long a report of some phones waits for others that change at the same time, ms. */
const GATHER_MS = 10;
/** Between two reports of some phones, ms: of many phones that change one after the other, several share a report. */
const PARTS_EVERY_MS = 100;

/** A timer may fire a little before its time; what comes due meanwhile goes with it, ms. */
const TIMER_SLACK_MS = 20;
/** Node's timers take no more than 24 days, ms. */
const LONGEST_TIMER_MS = 86_400_000;

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stop = new AbortController();
  #outage = new Outage(reportDelays);
  #pending: Job | undefined;
  #current: Job | undefined;
  #running: Promise<void> | undefined;
  /** After `finish`: until when a failed report is retried, by the monotonic clock, ms. */
  #triedUntil: number | undefined;
  /** When the last report of some phones began, by the monotonic clock, ms. */
  #lastPartAt = Number.NEGATIVE_INFINITY;
  readonly #refusals: Refusals;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #hidden = new Set<string>();

  constructor(options: ReporterOptions) {
    const { timing, refusedRetries: mostRetries, log } = options;
    this.#options = options;
    this.#refusals = new Refusals({ firstDelayMs: timing.firstRefusalDelayMs, mostRetries, log });
  }

  refusal(udid: string): string | undefined {
    return this.#refusals.message(udid);
  }

  /** Has the cloud stored, of this agent, that the phone is hidden? */
  isHidden(udid: string): boolean {
    return this.#hidden.has(udid);
  }

  /**
   * Reports the whole host. A report that waits for its next attempt makes way: the newest state is sent instead.
   *
   * @param isUrgent false: it is one of the schedule
   */
  full(isUrgent = true): Promise<ReportResult> {
    const job = this.#queue();
    job.isFull = true;
    job.isUrgent ||= isUrgent;
    if (this.#options.cloudHealth.quietMs > 0) this.#options.cloudHealth.waits();
    else this.#current?.superseded.abort();
    this.#wake();
    return job.done.promise;
  }

  /**
   * Reports these phones, at once if nothing else is being sent. A report that waits for its next attempt goes with them,
   * unless the cloud has been away for long.
   */
  some(udids: Iterable<string>): Promise<ReportResult> {
    const job = this.#queue();
    job.isUrgent = true;
    for (const udid of udids) job.udids.add(udid);
    const waiting = this.#current;
    if (waiting?.isWaiting && this.#outage.isYoung && this.#options.cloudHealth.quietMs <= 0) {
      job.isFull ||= waiting.isFull;
      for (const udid of waiting.udids) job.udids.add(udid);
      waiting.superseded.abort();
    }
    this.#wake();
    return job.done.promise;
  }

  /** From now on nothing is retried: an attempt under way may end, and a later report gets one attempt. */
  finish(): void {
    this.#triedUntil = performance.now();
    clearTimeout(this.#retryTimer);
    this.#current?.superseded.abort();
  }

  /**
   * The last report, after `finish`: that all phones are unplugged. No report follows that could replace it, so it is
   * retried.
   */
  async last(forMs: number): Promise<void> {
    const { cloudHealth, log } = this.#options;
    this.#triedUntil = performance.now() + forMs;
    this.#outage = new Outage(lastDelays); // there is no time for the delays of a long one
    const reported = await Promise.race([this.full(), pause(forMs)]);
    const isStored = reported?.kind === 'stored';
    if (isStored && reported.refused === 0) return;
    const trouble = cloudHealth.trouble ?? { failure: 'no answer in time' };
    log.error(
      isStored ? { refused: reported.refused } : { ...trouble },
      'the cloud has not stored that the phones are unplugged: it may show them as plugged in for ever',
    );
  }

  /** Ends the running request; nothing is sent after it. */
  async stop(): Promise<void> {
    this.finish();
    this.#stop.abort();
    await this.#running;
  }

  #queue(): Job {
    this.#pending ??= {
      isFull: false,
      isUrgent: false,
      udids: new Set(),
      superseded: new AbortController(),
      done: Promise.withResolvers<ReportResult>(),
    };
    return this.#pending;
  }

  #wake(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await wait(GATHER_MS);
    while (this.#pending && !this.#stop.signal.aborted) {
      const waitMs = this.#pending.isFull ? 0 : this.#lastPartAt + PARTS_EVERY_MS - performance.now();
      if (waitMs > 0) {
        await wait(waitMs);
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

  async #deliver(job: Job): Promise<ReportResult> {
    const { schedule, cloudHealth, log } = this.#options;
    const { signal } = job.superseded;
    const forMs =
      this.#triedUntil === undefined ? schedule.msToNext : Math.max(0, this.#triedUntil - performance.now());
    const { quietMs } = cloudHealth;
    if (quietMs > forMs) return { kind: 'postponed' };
    try {
      if (quietMs > 0) await wait(quietMs, signal);
      const attempt = () => {
        job.isWaiting = false;
        job.attempt = this.#attempt(job);
        return job.attempt;
      };
      return await withRetry(attempt, {
        signal,
        forMs,
        outage: this.#outage,
        isUrgent: job.isUrgent,
        onRetry: ({ error, attempt, delayMs }) => {
          job.isWaiting = true;
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

  async #attempt(job: Job): Promise<ReportResult> {
    this.#absorb(job);
    try {
      return await this.#send(job.isFull ? undefined : job.udids);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.cloudHealth.failed(error);
      throw error;
    }
  }

  /** Adds the reports that were requested while this one waited for its next attempt. */
  #absorb(job: Job): void {
    const more = this.#pending;
    if (more === undefined) return;
    job.isFull ||= more.isFull;
    for (const udid of more.udids) job.udids.add(udid);
    this.#pending = undefined;
    job.done.promise.then(more.done.resolve);
  }

  /**
   * @param udids undefined for the whole host
   * @throws {CloudError}, or the reason of `stop`
   */
  async #send(udids: ReadonlySet<string> | undefined): Promise<ReportResult> {
    const { nodeId, delivery, source, cloudHealth, observer, readMachine, save } = this.#options;
    const { signal } = this.#stop;
    const machine = await readMachine();
    const devices = source.prepare(udids);
    if (udids !== undefined && !devices?.length) return { kind: 'superseded' };
    await save(); // first: a restart must know what the cloud may have stored
    const sent = devices ?? [];
    const sentAt = performance.now();
    const durationMs = () => performance.now() - sentAt;
    const answer = await delivery.putAll(nodeId, machine, devices, signal).catch((error: unknown) => {
      const outcome = error instanceof CloudError ? error.code : 'INTERNAL';
      if (!signal.aborted)
        observer.sent({ outcome, devices: sent.length, refused: 0, durationMs: durationMs() });
      throw error;
    });
    cloudHealth.stored();
    const { stored, refused } = this.#apply(sent, answer);
    observer.sent({ outcome: 'stored', devices: stored, refused, durationMs: durationMs() });
    return { kind: 'stored', devices: stored, refused };
  }

  /** Applies the answer to a report. A name that the cloud no longer needs, or never stored, is forgotten here too. */
  #apply(sent: readonly DeviceInfo[], { failedDevices }: DevicesAnswer): { stored: number; refused: number } {
    const { roster, source, watcher, observer } = this.#options;
    const udids = sent.map(({ udid }) => udid);
    const before = new Set(udids.filter((udid) => this.refusal(udid) !== undefined));
    const refused = this.#refusals.answered(udids, failedDevices, (udid) => roster.get(udid) !== undefined);
    this.#planRetry();
    const stored = sent.filter(({ udid }) => !refused.has(udid));
    for (const { udid, isHidden } of stored)
      if (isHidden) this.#hidden.add(udid);
      else this.#hidden.delete(udid);
    roster.phones.stored(stored);
    roster.phones.refused(refused);
    watcher.look(udids, (udid) => this.refusal(udid));
    for (const udid of udids) {
      if (roster.get(udid) === undefined) source.forget(udid);
      if (before.has(udid) !== refused.has(udid)) observer.changed(udid);
    }
    return { stored: sent.length - refused.size, refused: refused.size };
  }

  #planRetry(): void {
    clearTimeout(this.#retryTimer);
    const dueMs = this.#refusals.nextAtMs;
    if (dueMs === undefined || this.#triedUntil !== undefined) return;
    const delayMs = Math.min(Math.max(0, dueMs - performance.now()), LONGEST_TIMER_MS);
    const onDue = () => inBackground(this.#retryDue(), this.#options.log);
    this.#retryTimer = setTimeout(onDue, delayMs + TIMER_SLACK_MS);
  }

  async #retryDue(): Promise<void> {
    const due = this.#refusals.due();
    if (due.length === 0) return this.#planRetry();
    await Promise.all(due.map((udid) => this.#options.collector.collect(udid)));
    await this.some(due);
  }
}
