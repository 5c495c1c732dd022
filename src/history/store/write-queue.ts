/** What waits to be written: it is sent in batches, and again until it is written. */
import { randomUUID } from 'node:crypto';
import { within } from '../../base/time.ts';
import type { Batch, Change } from './history.ts';

/** Delay before changes are sent, ms; there is none for so many events and samples. */
const COLLECT_MS = 1000;
export const MOST_IN_BATCH = 500;
/** More events and samples do not wait. */
export const MOST_WAITING = 5000;
/** Delay before a failed batch is sent again, ms; it doubles up to the second. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

interface Item {
  readonly change: Change;
  isUrgent: boolean;
  settle(isKept: boolean): void;
}

/** Events and samples in a change; others count as one. */
export function weightOf(change: Change): number {
  if (change.kind === 'events') return change.events.length;
  return change.kind === 'samples' ? change.samples.length : 1;
}

const isNote = ({ isUrgent, change }: Item): boolean => isUrgent && change.kind === 'events';

export class WriteQueue {
  readonly #send: (batch: Batch) => Promise<boolean>;
  readonly #session = randomUUID();
  #number = 0;
  #waiting: Item[] = [];
  /** Sent, and not yet written. It keeps its number, so that it is written once. */
  #batch: Item[] = [];
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Above 0 while a batch fails. */
  #retryMs = 0;
  #sending: Promise<void> | undefined;

  /** @param send returns whether the batch is kept; rejects if it is to be sent again */
  constructor(send: (batch: Batch) => Promise<boolean>) {
    this.#send = send;
  }

  /**
   * @param change with at most `MOST_IN_BATCH` events or samples
   * @param isUrgent somebody waits for it: it is tried at once, also while a batch before it fails
   * @returns whether it is kept, as soon as that was tried once, by a batch before it too: urgent events that are not are
   *   dropped; undefined if too much waits already: it is dropped
   */
  add(change: Change, isUrgent = false): Promise<boolean> | undefined {
    const weight = weightOf(change);
    if (this.#weight + weight > MOST_WAITING) return undefined;
    this.#weight += weight;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ change, isUrgent, settle: resolve });
    const isDue = isUrgent || this.#weight >= MOST_IN_BATCH;
    // a batch that is sent, or that failed, goes first
    const mayWait = this.#retryMs > 0 && !isUrgent;
    if (this.#sending === undefined && !mayWait && (isDue || this.#timer === undefined))
      this.#sendIn(isDue ? 0 : COLLECT_MS);
    return promise;
  }

  /** Sends what waits, until all is written or a batch fails. Never throws, and waits at most `ms`. */
  async flush(ms: number): Promise<void> {
    await within(ms, this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    while (this.#batch.length + this.#waiting.length > 0) {
      await this.#sendNow();
      if (this.#batch.length > 0) return;
    }
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#sendNow(), ms).unref();
  }

  #sendNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      if (this.#batch.length + this.#waiting.length > 0) this.#sendIn(this.#retryMs);
    });
    return this.#sending;
  }

  async #sendBatch(): Promise<void> {
    if (this.#batch.length === 0) this.#nextBatch();
    const items = this.#batch;
    const changes = items.map(({ change }) => change);
    let isKept = false;
    try {
      isKept = await this.#send({ session: this.#session, number: this.#number, changes });
      this.#batch = [];
      this.#weight -= changes.reduce((sum, change) => sum + weightOf(change), 0);
      this.#retryMs = 0;
    } catch {
      this.#retryMs = Math.min(Math.max(FIRST_RETRY_MS, 2 * this.#retryMs), LAST_RETRY_MS);
      const refused = new Set(this.#waiting.filter(isNote));
      this.#waiting = this.#waiting.filter((item) => !refused.has(item));
      for (const { change } of refused) this.#weight -= weightOf(change);
      for (const { isUrgent, settle } of [...refused, ...this.#waiting]) if (isUrgent) settle(false);
    }
    if (!isKept) this.#withdraw(items.filter(isNote));
    for (const { settle } of items) settle(isKept);
  }

  /** Whoever was refused writes the note again. What was sent of it may all the same be in the file, or come there later. */
  #withdraw(items: readonly Item[]): void {
    const notes = items.flatMap(({ change }) => (change.kind === 'events' ? change.events : []));
    if (notes.length === 0) return;
    for (const item of items) item.isUrgent = false; // once
    this.#weight += 1;
    this.#waiting.unshift({ change: { kind: 'withdrawn', notes }, isUrgent: false, settle: () => {} });
  }

  #nextBatch(): void {
    let weight = 0;
    const count = this.#waiting.findIndex(({ change }) => {
      weight += weightOf(change);
      return weight > MOST_IN_BATCH;
    });
    this.#batch = this.#waiting.splice(0, count < 0 ? this.#waiting.length : Math.max(1, count));
    this.#number += 1;
  }
}
