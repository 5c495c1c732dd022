/**
 * The host's status as JSON, built once for all requests within a moment, and pushed to followers as server-sent events
 * (WHATWG HTML, section 9.2): one `status` at once and one after each change.
 */
import type { ServerResponse } from 'node:http';
import type { StatusSource } from '../source.ts';

export interface FeedTiming {
  /** How long we reuse a JSON text, ms. */
  freshMs: number;
  /** Time between two keep-alive comments, ms; a reader that has not read the last one is disconnected. */
  pingMs: number;
}

const standardFeedTiming: FeedTiming = { freshMs: 1_000, pingMs: 15_000 };

/** A browser opens one per tab; more than this from one client is a mistake. The Unix socket counts as one client. */
export const FOLLOWER_LIMIT = 50;

/** UTF-8 buffers, shared by all readers without a copy. */
interface Made {
  readonly at: number;
  readonly text: Buffer | undefined;
  /** The text as an event. */
  readonly event: Buffer | undefined;
  readonly phones: Map<string, Promise<Buffer | undefined>>;
}

export class StatusFeed {
  readonly #source: StatusSource;
  readonly #timing: FeedTiming;
  readonly #readers = new Set<Reader>();
  #made: Made | undefined;
  #unsubscribe: (() => void) | undefined;
  #pinging: NodeJS.Timeout | undefined;

  constructor(source: StatusSource, timing = standardFeedTiming) {
    this.#source = source;
    this.#timing = timing;
  }

  /** A `HostStatus` as JSON; undefined while no agent runs. */
  get text(): Buffer | undefined {
    return this.#fresh().text;
  }

  /** A `PhoneDetail` as JSON; undefined for an unknown phone. */
  async phone(udid: string): Promise<Buffer | undefined> {
    const { phones } = this.#fresh();
    const made =
      phones.get(udid) ??
      this.#source.phone(udid).then((phone) => phone && Buffer.from(JSON.stringify(phone)));
    phones.set(udid, made);
    const text = await made;
    if (text === undefined) phones.delete(udid); // anybody can ask for any name
    return text;
  }

  /** A command has just changed something, and its client will check the result. */
  renew(): void {
    this.#made = undefined;
  }

  /**
   * Sends this client the status now and after each change, until it disconnects.
   *
   * @returns false if it follows too often already
   */
  follow(response: ServerResponse, client = ''): boolean {
    if (!this.#makeRoom(client)) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const reader = new Reader(response, client, () => this.#fresh().event);
    this.#readers.add(reader);
    response.once('close', () => this.#leave(reader));
    this.#unsubscribe ??= this.#source.onChange(() => this.#changed());
    this.#pinging ??= setInterval(() => this.#ping(), this.#timing.pingMs).unref();
    reader.send();
    return true;
  }

  close(): void {
    for (const reader of this.#readers) reader.end();
  }

  /** One that does not read leaves for a newcomer. */
  #makeRoom(client: string): boolean {
    const own = [...this.#readers].filter((reader) => reader.client === client);
    if (own.length < FOLLOWER_LIMIT) return true;
    const stuck = own.find(({ isBlocked }) => isBlocked);
    if (stuck === undefined) return false;
    stuck.destroy();
    this.#leave(stuck); // 'close' comes later; free the place now
    return true;
  }

  #fresh(): Made {
    const at = performance.now();
    if (this.#made !== undefined && at - this.#made.at < this.#timing.freshMs) return this.#made;
    const status = this.#source.status();
    const json = status && JSON.stringify(status);
    const text = json === undefined ? undefined : Buffer.from(json);
    const event = json === undefined ? undefined : Buffer.from(`event: status\ndata: ${json}\n\n`);
    this.#made = { at, text, event, phones: new Map() };
    return this.#made;
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

/** A follower. A slow one skips outdated events and then gets the newest. */
class Reader {
  readonly client: string;
  readonly #response: ServerResponse;
  readonly #newest: () => Buffer | undefined;
  #isBlocked = false;
  #isBehind = false;
  #wasBlockedAtPing = false;

  constructor(response: ServerResponse, client: string, newest: () => Buffer | undefined) {
    this.client = client;
    this.#response = response;
    this.#newest = newest;
    response.on('drain', () => this.#drained());
    response.on('error', () => {}); // a write after it disconnected: 'close' follows
  }

  /** It has not read what was sent. */
  get isBlocked(): boolean {
    return this.#isBlocked;
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

  destroy(): void {
    this.#response.destroy();
  }

  #drained(): void {
    this.#isBlocked = false;
    this.#wasBlockedAtPing = false;
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.send();
  }
}
