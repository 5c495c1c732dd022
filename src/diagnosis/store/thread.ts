/** The agent's side of the history: everything that touches the disk happens in a thread. */

import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { within } from '../../base/time.ts';
import type { HistoryEvent, HistorySample, NewEvent } from '../events/event.ts';
import { admitted, keptText } from '../events/event-schema.ts';
import type { Batch, PhoneSample } from './change.ts';
import type { DayUptime, EventQuery, History } from './history.ts';
import type { HistorySettings, Written } from './message.ts';
import { HistoryPort, HistoryUnavailableError } from './port.ts';
import type { AnswerOf, ArgumentOf, Questions, StoreQuestions } from './questions.ts';
import { bucketOf } from './resolution.ts';
import { MOST_IN_BATCH, WriteQueue } from './write-queue.ts';

/** How exact `agentStarted.lastAliveAt` is, ms: more often would wake the thread for it. */
const ALIVE_MS = 5 * 60_000;
/** How long we wait for what is being written, ms. */
const FLUSH_MS = 2000;

export interface HistoryThreadOptions {
  /** The thread's program: it calls `serveHistory`. */
  file: URL;
  /** Opens it at once. */
  settings?: HistorySettings;
  log: Logger;
  /** An event was recorded, or what is kept of a phone changed. */
  onChange?(): void;
}

/** @typeParam Q the questions that the thread's program serves */
export class HistoryThread<Q extends Questions & StoreQuestions = StoreQuestions> implements History {
  readonly #port: HistoryPort;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #outage = new OutageLog();
  readonly #queue: WriteQueue;
  readonly #samples = new Map<string, PhoneSample>();
  #alive: NodeJS.Timeout | undefined;
  #dropped = 0;
  /** Something was written since the last tick, and that the agent runs with it. */
  #hasWritten = false;

  constructor({ file, settings, log, onChange = () => {} }: HistoryThreadOptions) {
    [this.#log, this.#onChange] = [log, onChange];
    this.#port = new HistoryPort({ file, log });
    this.#queue = new WriteQueue({
      send: (batch) => this.#write(batch),
      dropped: (count) => this.#drop(count),
    });
    if (settings !== undefined) this.#open(settings);
  }

  #open(settings: HistorySettings): void {
    this.#port.open(settings);
    this.#alive = setInterval(() => this.#tick(), ALIVE_MS).unref();
    this.#markAlive(); // and the thread starts
  }

  /** Was it given its settings? Before that it keeps nothing and answers nothing. */
  get isOpen(): boolean {
    return this.#alive !== undefined;
  }

  /** @throws {HistoryUnavailableError} the thread does not answer, or cannot */
  ask<N extends keyof Q & string>(name: N, argument: ArgumentOf<Q[N]>): Promise<AnswerOf<Q[N]>> {
    return this.#port.request({ kind: 'ask', name, argument }) as Promise<AnswerOf<Q[N]>>;
  }

  readonly #ask = <N extends keyof StoreQuestions>(name: N, argument: ArgumentOf<StoreQuestions[N]>) =>
    this.#port.request({ kind: 'ask', name, argument }) as Promise<AnswerOf<StoreQuestions[N]>>;

  record(events: readonly NewEvent[]): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(false);
    const kept = events.flatMap((event) => admitted(event) ?? []);
    if (kept.length < events.length) this.#drop(events.length - kept.length);
    if (kept.length === 0) return Promise.resolve(events.length === 0);
    this.#onChange();
    const isUrgent = kept.some(({ kind }) => kind === 'note');
    const parts = partsOf(kept).map((part) =>
      this.#queue.add({ kind: 'events', events: part }, { weight: part.length, isUrgent }),
    );
    return Promise.all(parts).then((areKept) => areKept.every(Boolean) && kept.length === events.length);
  }

  sample(samples: readonly PhoneSample[]): void {
    if (!this.isOpen) return;
    for (const sample of samples) {
      const former = this.#samples.get(sample.udid);
      if (former !== undefined && bucketOf(former.at) !== bucketOf(sample.at)) this.#flushSamples();
      this.#samples.set(sample.udid, { ...sample, udid: keptText(sample.udid) });
    }
  }

  events(query: EventQuery): Promise<HistoryEvent[]> {
    return this.#ask('events', query);
  }

  async samples(udid: string, since: number): Promise<HistorySample[]> {
    if (this.#samples.has(udid)) {
      this.#flushSamples();
      await this.#queue.flush(FLUSH_MS);
    }
    return this.#ask('samples', { udid, since });
  }

  uptime(udid: string, days: number): Promise<DayUptime[]> {
    return this.#ask('uptime', { udid, days });
  }

  lastStates(): Promise<HistoryEvent[]> {
    return this.#ask('lastStates', undefined);
  }

  renamed(from: string, to: string): void {
    if (!this.isOpen) return;
    this.#flushSamples();
    this.#onChange();
    void this.#queue.add({ kind: 'renamed', from: keptText(from), to: keptText(to) });
  }

  forget(udids: readonly string[]): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(true);
    for (const udid of udids) this.#samples.delete(udid);
    this.#onChange();
    return this.#queue.add(
      { kind: 'forget', udids: udids.map((udid) => keptText(udid)) },
      { isUrgent: true },
    );
  }

  /** Writes what waits now, so that the next question finds it. Never throws, and waits at most `ms`. */
  flush(ms: number): Promise<void> {
    return this.#queue.flush(ms);
  }

  /** The settings from now on: at the start, and after a reload. Never throws. */
  async use(settings: HistorySettings): Promise<void> {
    if (!this.isOpen) return this.#open(settings);
    await this.#queue.flush(FLUSH_MS);
    await this.#port.use(settings);
  }

  /** Writes what waits, and ends the thread. Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    clearInterval(this.#alive);
    this.#markAlive();
    this.#flushSamples();
    await this.#queue.flush(FLUSH_MS);
    await within(FLUSH_MS, this.#port.close());
  }

  #tick(): void {
    if (!this.#hasWritten) this.#markAlive();
    this.#hasWritten = false;
  }

  #markAlive(): void {
    void this.#queue.add({ kind: 'alive', at: Date.now() });
  }

  #flushSamples(): void {
    const parts = partsOf([...this.#samples.values()]);
    this.#samples.clear();
    for (const samples of parts)
      void this.#queue.add({ kind: 'samples', samples }, { weight: samples.length });
  }

  async #write({ session, number, changes }: Batch): Promise<Written | undefined> {
    const batch: Batch = { session, number, changes: [...changes, { kind: 'alive', at: Date.now() }] };
    try {
      const written = (await this.#port.request({ kind: 'write', batch })) as Written;
      this.#hasWritten = true;
      if (this.#outage.end()) this.#log.info('the history can be written again');
      this.#sayDropped();
      return written;
    } catch (error) {
      if (error instanceof HistoryUnavailableError && !error.mayRetry) {
        this.#log.error({ err: error }, 'a part of the history cannot be written: it is dropped');
        return undefined;
      }
      if (this.#outage.begin(String(error)))
        this.#log.error({ err: error }, 'the history cannot be written: the agent tries again');
      throw error;
    }
  }

  #drop(count: number): void {
    if (this.#dropped === 0)
      this.#log.error('a part of the history is dropped: too much of it waits, or it is not as it should be');
    this.#dropped += count;
  }

  #sayDropped(): void {
    if (this.#dropped === 0) return;
    this.#log.warn({ dropped: this.#dropped }, 'a part of the history was dropped');
    this.#dropped = 0;
  }
}

function partsOf<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += MOST_IN_BATCH) parts.push(items.slice(at, at + MOST_IN_BATCH));
  return parts;
}
