/** What waits to be written: it goes to the thread in batches, and again until it is written. */
import { randomUUID } from 'node:crypto';
import { within } from '../base/time.ts';
import type { Batch, Change } from './change.ts';
import type { Written } from './message.ts';

/** Changes are collected for so long, ms, or until there are so many. */
const COLLECT_MS = 1000;
const MOST_IN_BATCH = 500;
/** More events and samples do not wait. */
export const MOST_WAITING = 5000;
/** Delay before a failed batch is sent again, ms; it doubles up to the second. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1000, 60_000];

interface Item {
  change: Change;
  weight: number;
  settle: (isOnDisk: boolean) => void;
}

export interface WriteQueueOptions {
  /** Rejects while it cannot be written; `undefined`: it never can be, and is dropped. */
  send(batch: Batch): Promise<Written | undefined>;
  /** Is called when so many events and samples were dropped. */
  dropped(count: number): void;
}

export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #session = randomUUID();
  #number = 0;
  #waiting: Item[] = [];
  #batch: Item[] | undefined;
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #sending: Promise<void> | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Never throws. Resolves to whether it is on the disk, as soon as that was tried. */
  add(change: Change, { weight = 1, isUrgent = false } = {}): Promise<boolean> {
    if (this.#weight + weight > MOST_WAITING) {
      this.#options.dropped(weight);
      return Promise.resolve(false);
    }
    this.#weight += weight;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ change, weight, settle: resolve });
    if (isUrgent || this.#weight >= MOST_IN_BATCH) this.#schedule(0);
    else this.#schedule(COLLECT_MS);
    return promise;
  }

  /** Sends what waits now. Waits at most `ms`. */
  async flush(ms: number): Promise<void> {
    await within(
      ms,
      (async () => {
        await this.#sending;
        while (this.#waiting.length > 0 || this.#batch !== undefined) {
          const left = this.#weight;
          await this.#send();
          if (this.#batch !== undefined && this.#weight >= left) return;
        }
      })(),
    );
  }

  #dueAt = Number.POSITIVE_INFINITY;

  #schedule(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.#sending !== undefined || (this.#batch !== undefined && this.#timer !== undefined)) return;
    if (this.#timer !== undefined && this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => void this.#send(), ms).unref();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      if (this.#batch !== undefined) {
        this.#schedule(this.#retryMs);
        this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
      } else if (this.#waiting.length > 0) this.#schedule(0);
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    if (this.#batch === undefined) {
      if (this.#waiting.length === 0) return;
      this.#batch = this.#waiting;
      this.#waiting = [];
      this.#number += 1;
    }
    const items = this.#batch;
    try {
      const changes = items.map(({ change }) => change);
      const written = await this.#options.send({ session: this.#session, number: this.#number, changes });
      const weight = items.reduce((sum, item) => sum + item.weight, 0);
      if (written === undefined) this.#options.dropped(weight);
      this.#batch = undefined;
      this.#weight -= weight;
      this.#retryMs = FIRST_RETRY_MS;
      for (const { settle } of items) settle(written === 'disk');
    } catch {
      for (const { settle } of items) settle(false);
    }
  }
}
