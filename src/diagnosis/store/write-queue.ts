/** What waits to be written: it goes to the thread in batches, and again until it is written. */
import { randomUUID } from 'node:crypto';
import { within } from '../../base/time.ts';
import type { Batch, Change } from './change.ts';
import { isKept, type Written } from './message.ts';

/** Delay before changes are sent, ms; there is none for so many events and samples. */
const COLLECT_MS = 1000;
export const MOST_IN_BATCH = 500;
/** More events and samples do not wait. */
export const MOST_WAITING = 5000;
/** Delay before a failed batch is sent again, ms; it doubles up to the second. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1000, 60_000];

interface Item {
  change: Change;
  /** Events and samples in it. */
  weight: number;
  settle: (isKept: boolean) => void;
}

export interface WriteQueueOptions {
  /** Rejects if it may be tried again. Undefined: it can never be written. */
  send(batch: Batch): Promise<Written | undefined>;
  /** Is told how many events and samples were dropped. */
  dropped(count: number): void;
}

export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #session = randomUUID();
  #number = 0;
  #waiting: Item[] = [];
  /** Sent, and not yet written. It keeps its number, so that it is written once. */
  #batch: Item[] = [];
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #retryMs = 0;
  #sending: Promise<void> | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /**
   * Never throws.
   *
   * @param weight events and samples in it, at most `MOST_IN_BATCH`
   * @returns whether it is kept, as soon as that was tried once
   */
  add(change: Change, { weight = 1, isUrgent = false } = {}): Promise<boolean> {
    if (this.#weight + weight > MOST_WAITING) {
      this.#options.dropped(weight);
      return Promise.resolve(false);
    }
    this.#weight += weight;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ change, weight, settle: resolve });
    this.#schedule(isUrgent || this.#weight >= MOST_IN_BATCH ? 0 : COLLECT_MS);
    return promise;
  }

  /** Sends what waits, until all is written or a batch fails. Never throws, and waits at most `ms`. */
  async flush(ms: number): Promise<void> {
    await within(ms, this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    while (this.#batch.length + this.#waiting.length > 0) {
      await this.#send();
      if (this.#batch.length > 0) return;
    }
  }

  /** While a batch fails, its own delay counts. */
  #schedule(ms: number): void {
    const delayMs = this.#batch.length > 0 ? this.#retryMs : ms;
    const dueAt = performance.now() + delayMs;
    if (this.#sending !== undefined || this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.#send(), delayMs).unref();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      if (this.#batch.length + this.#waiting.length > 0) this.#schedule(0);
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    if (this.#batch.length === 0) this.#nextBatch();
    const items = this.#batch;
    const changes = items.map(({ change }) => change);
    try {
      const written = await this.#options.send({ session: this.#session, number: this.#number, changes });
      const weight = weightOf(items);
      this.#batch = [];
      this.#weight -= weight;
      this.#retryMs = 0;
      if (written === undefined) this.#options.dropped(weight);
      for (const { settle } of items) settle(isKept(written));
    } catch {
      this.#retryMs = Math.min(Math.max(FIRST_RETRY_MS, 2 * this.#retryMs), LAST_RETRY_MS);
      for (const { settle } of items) settle(false);
    }
  }

  #nextBatch(): void {
    let weight = 0;
    const count = this.#waiting.findIndex((item) => {
      weight += item.weight;
      return weight > MOST_IN_BATCH;
    });
    this.#batch = this.#waiting.splice(0, count < 0 ? this.#waiting.length : Math.max(1, count));
    this.#number += 1;
  }
}

const weightOf = (items: readonly Item[]): number => items.reduce((sum, { weight }) => sum + weight, 0);
