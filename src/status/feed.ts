/**
 * The host's status as JSON, made once for all who ask, and pushed to those who stay: server-sent events (WHATWG HTML,
 * section 9.2), one `status` at once and one after each change.
 */
import type { ServerResponse } from 'node:http';
import type { StatusSource } from './source.ts';

export interface FeedTiming {
  /** A JSON text is good for so long, ms. */
  freshMs: number;
  /** Between two signs of life to a reader, ms; one that has not read the last by then is let go. */
  pingMs: number;
}

const standardFeedTiming: FeedTiming = { freshMs: 1_000, pingMs: 15_000 };

/** A browser opens one a tab; more than this is a mistake. */
const MOST_READERS = 50;

export class StatusFeed {
  readonly #source: StatusSource;
  readonly #timing: FeedTiming;
  readonly #readers = new Set<Reader>();
  #made: { text: string | undefined; at: number } | undefined;
  #unsubscribe: (() => void) | undefined;
  #pinging: NodeJS.Timeout | undefined;

  constructor(source: StatusSource, timing = standardFeedTiming) {
    this.#source = source;
    this.#timing = timing;
  }

  /** A `HostStatus` as JSON; undefined while no agent is in force. */
  get text(): string | undefined {
    const now = performance.now();
    if (this.#made === undefined || now - this.#made.at >= this.#timing.freshMs) {
      const status = this.#source.status();
      this.#made = { text: status && JSON.stringify(status), at: now };
    }
    return this.#made.text;
  }

  /** Somebody has just changed something, and will look whether it came true. */
  renew(): void {
    this.#made = undefined;
  }

  get isFull(): boolean {
    return this.#readers.size >= MOST_READERS;
  }

  /** Sends this reader the status, and each one that follows until it leaves. */
  follow(response: ServerResponse): void {
    const reader = new Reader(response, () => this.#event);
    this.#readers.add(reader);
    response.once('close', () => this.#leave(reader));
    this.#unsubscribe ??= this.#source.onChange(() => this.#changed());
    this.#pinging ??= setInterval(() => this.#ping(), this.#timing.pingMs).unref();
    reader.send();
  }

  /** Lets all readers go. */
  close(): void {
    for (const reader of this.#readers) reader.end();
  }

  get #event(): string | undefined {
    const { text } = this;
    return text && `event: status\ndata: ${text}\n\n`;
  }

  #changed(): void {
    this.#made = undefined;
    for (const reader of this.#readers) reader.send();
  }

  #ping(): void {
    for (const reader of this.#readers) reader.ping();
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#unsubscribe?.();
    clearInterval(this.#pinging);
    this.#unsubscribe = undefined;
    this.#pinging = undefined;
  }
}

/** One who follows. While it is slow it misses what is overtaken, and then gets the newest. */
class Reader {
  readonly #response: ServerResponse;
  readonly #newest: () => string | undefined;
  #isBlocked = false;
  #isBehind = false;
  #wasBlockedAtPing = false;

  constructor(response: ServerResponse, newest: () => string | undefined) {
    this.#response = response;
    this.#newest = newest;
    response.on('drain', () => this.#drained());
    response.on('error', () => {}); // written to as it left: 'close' follows
  }

  send(): void {
    if (this.#isBlocked) {
      this.#isBehind = true;
      return;
    }
    const event = this.#newest();
    if (event !== undefined) this.#isBlocked = !this.#response.write(event);
  }

  ping(): void {
    if (this.#isBlocked && this.#wasBlockedAtPing) this.#response.destroy();
    else if (!this.#isBlocked) this.#isBlocked = !this.#response.write(': alive\n\n');
    this.#wasBlockedAtPing = this.#isBlocked;
  }

  end(): void {
    this.#response.end();
  }

  #drained(): void {
    this.#isBlocked = false;
    this.#wasBlockedAtPing = false;
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.send();
  }
}
