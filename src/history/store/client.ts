/** The agent's side of the history: everything that touches the disk happens in a thread. */
import { TrustedClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { within } from '../../base/time.ts';
import { admitted, type HistoryEvent, type HistorySample, keptText, type NewEvent } from '../events/event.ts';
import {
  type Batch,
  type Change,
  type DayUptime,
  type EventQuery,
  type HistorySettings,
  HistoryUnavailableError,
  type PhoneSample,
} from './history.ts';
import { HistoryThread, type HistoryThreadOptions } from './thread.ts';
import { MOST_IN_BATCH, WriteQueue, weightOf } from './write-queue.ts';

/** How exact `agentStarted.lastAliveAt` is, ms: more often would wake the thread for it. */
const ALIVE_MS = 5 * 60_000;
/** How often what is too old is erased, ms. */
const EXPIRE_MS = 10 * 60_000;
/** How long we wait for what is being written, ms. */
const FLUSH_MS = 2000;

/** Before it has its settings it keeps nothing and answers nothing. */
export class HistoryClient {
  /** Called when an event was recorded, or what is kept of a phone changed. */
  onChange: () => void = () => {};
  readonly #thread: HistoryThread;
  readonly #log: Logger;
  readonly #outage = new OutageLog();
  readonly #queue = new WriteQueue((batch) => this.#write(batch));
  readonly #clock = new TrustedClock();
  #expireAt = 0;
  #alive: NodeJS.Timeout | undefined;
  #dropped = 0;
  #droppedSince = 0;
  /** Something was written since the last tick, and that the agent runs with it. */
  #hasWritten = false;

  constructor(options: HistoryThreadOptions) {
    this.#log = options.log;
    this.#thread = new HistoryThread(options);
  }

  get isOpen(): boolean {
    return this.#thread.isOpen;
  }

  /**
   * Asks one of the questions that the thread's program serves.
   *
   * @param isUrgent it goes before the others
   * @throws {HistoryUnavailableError} the thread does not answer, or cannot
   */
  ask<T>(name: string, argument?: unknown, isUrgent = false): Promise<T> {
    return this.#thread.request<T>(name, argument, isUrgent);
  }

  /** Never throws. Resolves to whether all of them are kept: on the disk, or in memory where no more is wanted. */
  async record(events: readonly NewEvent[]): Promise<boolean> {
    if (!this.isOpen) return false;
    const kept = events.flatMap((event) => admitted(event) ?? []);
    this.#drop(events.length - kept.length);
    if (kept.length > 0) this.onChange();
    const isUrgent = kept.some(({ kind }) => kind === 'note');
    const parts = partsOf(kept).map((part) => this.#add({ kind: 'events', events: part }, isUrgent));
    return (await Promise.all(parts)).every(Boolean) && kept.length === events.length;
  }

  /** Keeps the newest sample of each five minutes. Never throws. */
  sample(samples: readonly PhoneSample[]): void {
    const kept = samples.map((sample) => ({ ...sample, udid: keptText(sample.udid) }));
    for (const part of partsOf(kept)) void this.#add({ kind: 'samples', samples: part });
  }

  /** Newest first, a thousand at most. @throws {HistoryUnavailableError} */
  events(query: EventQuery): Promise<HistoryEvent[]> {
    return this.ask('events', query);
  }

  /** Oldest first: every five minutes within the last week, every hour before. @throws {HistoryUnavailableError} */
  async samples(udid: string, since: number): Promise<HistorySample[]> {
    await this.#queue.flush(FLUSH_MS);
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
    void this.#add({ kind: 'renamed', from: keptText(from), to: keptText(to) });
  }

  /** Erases all that is kept of these phones. Never throws. Resolves to whether it is erased where it was kept. */
  forget(udids: readonly string[]): Promise<boolean> {
    this.onChange();
    return this.#add({ kind: 'forget', udids: udids.map((udid) => keptText(udid)) }, true);
  }

  /** Writes what waits now, so that the next question finds it. Never throws, and waits at most `ms`. */
  flush(ms: number): Promise<void> {
    return this.#queue.flush(ms);
  }

  /** The settings from now on: at the start, and after a reload. Never throws. */
  async use(settings: HistorySettings): Promise<void> {
    if (this.isOpen) await this.#queue.flush(FLUSH_MS);
    await this.#thread.use(settings);
    this.#expireAt = 0;
    if (this.#alive !== undefined) return;
    this.#alive = setInterval(() => {
      if (!this.#hasWritten) this.#markAlive();
      this.#hasWritten = false;
    }, ALIVE_MS).unref();
    this.#markAlive(); // and the thread starts
  }

  /** Writes what waits, and ends the thread. Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#alive);
    this.#markAlive();
    await this.#queue.flush(FLUSH_MS);
    await within(FLUSH_MS, this.#thread.close());
  }

  #markAlive(): void {
    void this.#add({ kind: 'alive', at: Date.now() });
  }

  /** @returns whether it is kept. Never throws */
  async #add(change: Change, isUrgent = false): Promise<boolean> {
    if (!this.isOpen) return false;
    const added = this.#queue.add(change, isUrgent);
    if (added === undefined) this.#drop(weightOf(change));
    return (await added) ?? false;
  }

  /** @returns whether it is kept. @throws {HistoryUnavailableError} it may be tried again */
  async #write({ session, number, changes }: Batch): Promise<boolean> {
    const batch: Batch = { session, number, changes: [...changes, { kind: 'alive', at: Date.now() }] };
    try {
      const isKept = await this.ask<boolean>('write', { batch, now: this.#expiry() }, true);
      this.#hasWritten = true;
      if (this.#outage.end()) this.#log.info('the history can be written again');
      if (this.#dropped > 0) {
        this.#log.warn({ dropped: this.#dropped }, 'a part of the history was dropped');
        this.#dropped = 0;
        void this.record([{ kind: 'historyLost', at: Date.now(), since: this.#droppedSince }]);
      }
      return isKept;
    } catch (error) {
      this.#expireAt = 0;
      if (error instanceof HistoryUnavailableError && !error.mayRetry) {
        this.#log.error({ err: error }, 'a part of the history cannot be written: it is dropped');
        this.#drop(changes.reduce((sum, change) => sum + weightOf(change), 0));
        return false;
      }
      if (this.#outage.begin(String(error)))
        this.#log.error({ err: error }, 'the history cannot be written: the agent tries again');
      throw error;
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
}

function partsOf<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += MOST_IN_BATCH) parts.push(items.slice(at, at + MOST_IN_BATCH));
  return parts;
}
