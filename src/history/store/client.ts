/**
 * The agent's side of the history: what happens is collected for a second, and kept until it is written. Everything that
 * touches the disk happens in a thread.
 */
import { randomUUID } from 'node:crypto';
import { TrustedClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { within } from '../../base/time.ts';
import { admitted, type HistoryEvent, type HistorySample, keptText, type NewEvent } from '../events/event.ts';
import {
  type Change,
  type DayUptime,
  type EventQuery,
  type HistorySettings,
  type PhoneSample,
  type Write,
  type Written,
  weightOf,
} from './history.ts';
import { HistoryThread, type HistoryThreadOptions } from './thread.ts';

/** How exact `agentStarted.lastAliveAt` is, ms: more often would wake the thread for it. */
const ALIVE_MS = 5 * 60_000;
/** How often what is too old is erased, ms. */
const EXPIRE_MS = 10 * 60_000;
/** How long who waits for a change to be written waits, ms. */
const WRITTEN_MS = 10_000;
/** How long a question, and the end, wait for what is being written, ms. */
const SETTLED_MS = 4_000;
/** More events and samples do not wait to be written. */
export const MOST_WAITING = 5000;
/** Room for what a person asked for, where so many wait. */
export const MOST_URGENT = 1000;
/** While nothing can be written, samples leave the rest to what happens: all phones have one a minute. */
const MOST_BEFORE_SAMPLES = MOST_WAITING / 2;
/** Delay before changes are written, ms; there is none for so many, which are a batch. */
const COLLECT_MS = 1000;
const MOST_IN_BATCH = 500;
/** Delay before changes that could not be written are tried again, ms; it doubles up to the second. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** A change that is not written yet. */
interface Waiting {
  change: Change;
  /** When it was to be written, ms since the epoch. */
  at: number;
  isUrgent: boolean;
  answer(isKept: boolean): void;
}

/** Before it has its settings it keeps nothing and answers nothing. */
export class HistoryClient {
  /** Called when an event was recorded, or what is kept of a phone changed. */
  onChange: () => void = () => {};
  readonly #thread: HistoryThread;
  readonly #log: Logger;
  readonly #clock = new TrustedClock();
  #expireAt = 0;
  #alive: NodeJS.Timeout | undefined;
  readonly #session = randomUUID();
  /** Sent with its number until it is written: a thread that died may have written it, and not said so. */
  #batch: Waiting[] = [];
  #number = 1;
  /** What happened after that, in its order. */
  readonly #waiting: Waiting[] = [];
  /** Of the events and samples that are not written yet. */
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Starts after that, and writes all that waits then. */
  #next: Promise<void> | undefined;
  /** Above 0 while nothing can be written. */
  #retryMs = 0;
  #retryAt = 0;
  #dropped = 0;
  #droppedSince = 0;

  constructor(options: HistoryThreadOptions) {
    this.#log = options.log;
    this.#thread = new HistoryThread(options);
    this.#thread.mayRest = () => this.#weight === 0;
  }

  get isOpen(): boolean {
    return this.#thread.isOpen;
  }

  /** Since when what happened is in no answer, ms since the epoch: it cannot be written. Undefined while it can. */
  get unwrittenSince(): number | undefined {
    if (this.#retryMs === 0) return undefined;
    return [...this.#batch, ...this.#waiting].reduce(
      (first, { change, at }) =>
        Math.min(first, at, ...(change.kind === 'events' ? change.events.map((event) => event.at) : [])),
      Date.now(),
    );
  }

  /**
   * Asks one of the questions that the thread's program serves. What was recorded before is written before, if it can be.
   *
   * @param isUrgent it goes before the others
   * @throws {HistoryUnavailableError} the thread does not answer, or cannot
   */
  async ask<T>(name: string, argument?: unknown, isUrgent = false): Promise<T> {
    await this.#settled();
    return this.#thread.request<T>({ name, argument, isUrgent });
  }

  /**
   * Never throws. Resolves to whether all of them are kept: on the disk, or in memory where no more is wanted. A note that is
   * not, after one attempt, is tried again all the same.
   */
  async record(events: readonly NewEvent[]): Promise<boolean> {
    if (!this.isOpen) return false;
    const kept = events.flatMap((event) => admitted(event) ?? []);
    this.#drop(events.length - kept.length);
    if (kept.length > 0) this.onChange();
    const isUrgent = kept.some(({ kind }) => kind === 'note');
    const isKept = kept.length === 0 || (await this.#change({ kind: 'events', events: kept }, isUrgent));
    return isKept && kept.length === events.length;
  }

  /** Keeps one sample of each five minutes, the worst that was read. Never throws. Resolves when that was tried. */
  sample(samples: readonly PhoneSample[]): Promise<boolean> {
    const kept = samples.map((sample) => ({ ...sample, udid: keptText(sample.udid) }));
    return this.#change({ kind: 'samples', samples: kept });
  }

  /** Newest first, a thousand at most. @throws {HistoryUnavailableError} */
  events(query: EventQuery): Promise<HistoryEvent[]> {
    return this.ask('events', query);
  }

  /** Oldest first: every five minutes within the last week, every hour before. @throws {HistoryUnavailableError} */
  samples(udid: string, since: number): Promise<HistorySample[]> {
    return this.ask('samples', { udid, since });
  }

  /** Oldest first, one for each of the last `days` days up to today. @throws {HistoryUnavailableError} */
  uptime(udid: string, days: number): Promise<DayUptime[]> {
    return this.ask('uptime', { udid, days });
  }

  /** The newest `attached`, `detached` or `state` of each phone. @throws {HistoryUnavailableError} */
  lastStates(): Promise<HistoryEvent[]> {
    return this.ask('lastStates');
  }

  /** A phone has another udid from now on: its past goes with it. */
  renamed(from: string, to: string): void {
    this.onChange();
    void this.#change({ kind: 'renamed', from: keptText(from), to: keptText(to) });
  }

  /** Erases all that is kept of these phones. Never throws. Resolves to whether it is erased where it was kept. */
  forget(udids: readonly string[]): Promise<boolean> {
    this.onChange();
    return this.#change({ kind: 'forget', udids: udids.map((udid) => keptText(udid)) }, true);
  }

  /** The settings from now on: at the start, and after a reload. Never throws. */
  async use(settings: HistorySettings): Promise<void> {
    await this.#settled();
    await this.#thread.use(settings);
    this.#expireAt = 0;
    this.#alive ??= setInterval(() => this.#markAlive(), ALIVE_MS).unref();
  }

  /** Writes what waits, and ends the thread. Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#alive);
    this.#markAlive();
    this.#thread.hurry();
    await within(
      SETTLED_MS,
      this.#write().then(() => this.#thread.close()),
    );
    clearTimeout(this.#timer);
    for (const { answer } of [...this.#batch, ...this.#waiting]) answer(false);
  }

  #markAlive(): void {
    void this.#change({ kind: 'alive' });
  }

  /** @returns whether it is kept, for one that is urgent after one attempt. Never throws */
  async #change(change: Change, isUrgent = false): Promise<boolean> {
    if (!this.isOpen) return false;
    const weight = weightOf(change);
    const isFailing = this.#retryMs > 0;
    if (change.kind === 'samples' && isFailing && this.#weight + weight > MOST_BEFORE_SAMPLES) return false;
    if (this.#weight + weight > MOST_WAITING + (isUrgent ? MOST_URGENT : 0)) {
      this.#drop(weight);
      return false;
    }
    this.#weight += weight;
    const { promise, resolve: answer } = Promise.withResolvers<boolean>();
    this.#waiting.push({ change, at: Date.now(), isUrgent, answer });
    const isMany = !isFailing && this.#waiting.length >= MOST_IN_BATCH;
    if (isUrgent || isMany) void this.#write();
    else if (this.#timer === undefined) this.#writeIn(COLLECT_MS);
    return isUrgent ? ((await within(WRITTEN_MS, promise)) ?? false) : promise;
  }

  /** Waits for what happened until now to be written, where it can be. Never throws. */
  async #settled(): Promise<void> {
    if (this.#weight > 0 && this.#retryMs === 0) await within(SETTLED_MS, this.#write());
  }

  #writeIn(ms: number): void {
    clearTimeout(this.#timer);
    const due = () => {
      this.#retryAt = 0; // a timer may be early by some milliseconds
      void this.#write();
    };
    this.#timer = setTimeout(due, ms).unref();
  }

  /** Never throws. */
  #write(): Promise<void> {
    this.#next ??= this.#writing.then(() => this.#writeAll());
    this.#writing = this.#next;
    return this.#next;
  }

  /** What comes meanwhile is collected again. */
  async #writeAll(): Promise<void> {
    this.#next = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const last = this.#waiting.at(-1);
    do {
      if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, MOST_IN_BATCH);
      if (this.#batch.length === 0 || !(await this.#writeBatch())) return;
    } while (last && this.#waiting.includes(last));
  }

  /** @returns whether the next one may follow; else it is tried again */
  async #writeBatch(): Promise<boolean> {
    const batch = this.#batch;
    const changes = batch.map(({ change }) => change);
    const sent = { session: this.#session, number: this.#number };
    const argument: Write = { changes, sent, now: this.#expiry() };
    // a thread that died is logged; the next one gets the same
    const written = await this.#thread
      .request<Written>({ name: 'write', argument, isUrgent: true }, true)
      .catch(() => undefined);
    if (written === undefined || written === 'failed') {
      if (written) for (const each of [...batch, ...this.#waiting]) if (each.isUrgent) each.answer(false);
      this.#expireAt = 0;
      this.#retryLater();
      return false;
    }
    this.#retryMs = 0;
    this.#number += 1;
    this.#batch = [];
    const weight = changes.reduce((sum, change) => sum + weightOf(change), 0);
    this.#weight -= weight;
    for (const { answer } of batch) answer(written === 'kept');
    if (written === 'dropped') this.#drop(weight);
    if (written === 'kept') this.#sayDropped();
    return true;
  }

  /** What is urgent is tried at once: however often that is, it puts off no other attempt. */
  #retryLater(): void {
    const now = performance.now();
    if (this.#retryMs === 0 || now >= this.#retryAt) {
      this.#retryMs = Math.min(Math.max(FIRST_RETRY_MS, 2 * this.#retryMs), LAST_RETRY_MS);
      this.#retryAt = now + this.#retryMs;
    }
    this.#writeIn(this.#retryAt - now);
  }

  /** The time, where what is too old is to be erased now. */
  #expiry(): number | undefined {
    const now = this.#clock.look();
    if (performance.now() < this.#expireAt) return undefined;
    this.#expireAt = performance.now() + EXPIRE_MS;
    return now;
  }

  #drop(count: number): void {
    if (this.#dropped === 0 && count > 0) {
      this.#log.error('a part of the history is dropped: too much of it waits, or it is not as it should be');
      this.#droppedSince = Date.now();
    }
    this.#dropped += count;
  }

  #sayDropped(): void {
    if (this.#dropped === 0 || this.#weight >= MOST_WAITING) return; // else that event would be dropped, too
    this.#log.warn({ dropped: this.#dropped }, 'a part of the history was dropped');
    this.#dropped = 0;
    void this.record([{ kind: 'historyLost', at: Date.now(), since: this.#droppedSince }]);
  }
}
