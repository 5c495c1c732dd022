/** The agent's side of the history: everything that touches the disk happens in a thread. */
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
  weightOf,
} from './history.ts';
import { HistoryThread, type HistoryThreadOptions } from './thread.ts';

/** How exact `agentStarted.lastAliveAt` is, ms: more often would wake the thread for it. */
const ALIVE_MS = 5 * 60_000;
/** How often what is too old is erased, ms. */
const EXPIRE_MS = 10 * 60_000;
/** How long who waits for a change to be written waits, ms. */
const WRITTEN_MS = 10_000;
/** How long we wait for what is being written at the end, ms. */
const CLOSE_MS = 4_000;
/** More events and samples do not wait to be written. */
export const MOST_WAITING = 5000;
/** Room for what a person asked for, where so many wait. */
export const MOST_URGENT = 1000;

/** Before it has its settings it keeps nothing and answers nothing. */
export class HistoryClient {
  /** Called when an event was recorded, or what is kept of a phone changed. */
  onChange: () => void = () => {};
  readonly #thread: HistoryThread;
  readonly #log: Logger;
  readonly #clock = new TrustedClock();
  #expireAt = 0;
  #alive: NodeJS.Timeout | undefined;
  /** Events and samples that the thread has, and that are not written yet. */
  #waiting = 0;
  #dropped = 0;
  #droppedSince = 0;

  constructor(options: HistoryThreadOptions) {
    this.#log = options.log;
    this.#thread = new HistoryThread(options);
  }

  get isOpen(): boolean {
    return this.#thread.isOpen;
  }

  /**
   * Asks one of the questions that the thread's program serves. What was recorded before is written before.
   *
   * @param isUrgent it goes before the others
   * @throws {HistoryUnavailableError} the thread does not answer, or cannot
   */
  ask<T>(name: string, argument?: unknown, isUrgent = false): Promise<T> {
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

  /** Keeps the newest sample of each five minutes. Never throws. Resolves when that was tried. */
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
    await this.#thread.use(settings);
    this.#expireAt = 0;
    this.#alive ??= setInterval(() => this.#markAlive(), ALIVE_MS).unref();
  }

  /** Writes what waits, and ends the thread. Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#alive);
    this.#markAlive();
    await within(CLOSE_MS, this.#thread.close());
  }

  #markAlive(): void {
    void this.#change({ kind: 'alive' });
  }

  /** @returns whether it is kept, for one that is urgent after one attempt. Never throws */
  async #change(change: Change, isUrgent = false): Promise<boolean> {
    if (!this.isOpen) return false;
    const weight = weightOf(change);
    if (this.#waiting + weight > MOST_WAITING + (isUrgent ? MOST_URGENT : 0)) {
      this.#drop(weight);
      return false;
    }
    const tried = Promise.withResolvers<false>();
    const written = this.#written(change, isUrgent, () => tried.resolve(false));
    return (
      (isUrgent ? await within(WRITTEN_MS, Promise.race([written, tried.promise])) : await written) ?? false
    );
  }

  async #written(change: Change, isUrgent: boolean, onTried: () => void): Promise<boolean> {
    const weight = weightOf(change);
    this.#waiting += weight;
    try {
      const isKept = await this.#thread
        .write({ change, now: this.#expiry() }, isUrgent, onTried)
        .finally(() => {
          this.#waiting -= weight;
        });
      if (isKept) this.#sayDropped();
      return isKept;
    } catch {
      this.#expireAt = 0;
      this.#drop(weight);
      return false;
    }
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
    if (this.#dropped === 0 || this.#waiting >= MOST_WAITING) return; // else that event would be dropped, too
    this.#log.warn({ dropped: this.#dropped }, 'a part of the history was dropped');
    this.#dropped = 0;
    void this.record([{ kind: 'historyLost', at: Date.now(), since: this.#droppedSince }]);
  }
}
