/**
 * The host's status as JSON, built once for all requests within a moment, and pushed to followers as server-sent events
 * (WHATWG HTML, section 9.2): one `status` at once and one after each change.
 */
import type { ServerResponse } from 'node:http';
import type { StatusSource } from '../status-model.ts';

/** A browser opens one per tab; more than this from one client is a mistake. The Unix socket counts as one client. */
const FOLLOWER_LIMIT = 50;

/** UTF-8 buffers, shared by all readers without a copy. */
interface Made {
  readonly at: number;
  readonly text: Buffer | undefined;
  /** The text as an event. */
  readonly event: Buffer | undefined;
}

/** A slow one skips outdated events and then gets the newest. */
interface Follower {
  readonly client: string;
  /** It `writableNeedDrain` until the follower has read what was sent. */
  readonly response: ServerResponse;
  isBehind: boolean;
}

export class StatusFeed {
  readonly #source: StatusSource;
  readonly #freshMs: number;
  readonly #pingMs: number;
  readonly #followers = new Set<Follower>();
  #made: Made | undefined;
  #unsubscribe: (() => void) | undefined;
  #pinging: NodeJS.Timeout | undefined;

  /** @param timing `freshMs`: how long a JSON text is reused; `pingMs`: time between two keep-alive comments */
  constructor(source: StatusSource, { freshMs = 1_000, pingMs = 15_000 } = {}) {
    this.#source = source;
    this.#freshMs = freshMs;
    this.#pingMs = pingMs;
  }

  /** A `HostStatus` as JSON; undefined while no agent runs. */
  get text(): Buffer | undefined {
    return this.#fresh().text;
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
    const follower = { client, response, isBehind: false };
    this.#followers.add(follower);
    response.on('drain', () => {
      if (follower.isBehind) this.#send(follower);
    });
    response.on('error', () => {}); // a write after it disconnected: 'close' follows
    response.once('close', () => this.#leave(follower));
    this.#unsubscribe ??= this.#source.onChange(() => {
      this.#made = undefined;
      for (const each of this.#followers) this.#send(each);
    });
    this.#pinging ??= setInterval(() => {
      // over TCP, a connection to who reads nothing ends by its `idleMs`
      for (const { response: each } of this.#followers)
        if (!each.writableNeedDrain) each.write(': alive\n\n');
    }, this.#pingMs).unref();
    this.#send(follower);
    return true;
  }

  close(): void {
    for (const { response } of this.#followers) response.end();
  }

  /** One that does not read leaves for a newcomer. */
  #makeRoom(client: string): boolean {
    const own = [...this.#followers].filter((follower) => follower.client === client);
    if (own.length < FOLLOWER_LIMIT) return true;
    const stuck = own.find(({ response }) => response.writableNeedDrain);
    if (stuck === undefined) return false;
    stuck.response.destroy();
    this.#leave(stuck); // 'close' comes later; free the place now
    return true;
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#unsubscribe?.();
    clearInterval(this.#pinging);
    this.#unsubscribe = undefined;
    this.#pinging = undefined;
  }

  #send(follower: Follower): void {
    follower.isBehind = follower.response.writableNeedDrain;
    const { event } = this.#fresh();
    if (!follower.isBehind && event !== undefined) follower.response.write(event);
  }

  #fresh(): Made {
    const at = performance.now();
    if (this.#made !== undefined && at - this.#made.at < this.#freshMs) return this.#made;
    const status = this.#source.status();
    const json = status && JSON.stringify(status);
    const text = json === undefined ? undefined : Buffer.from(json);
    this.#made = { at, text, event: text && Buffer.from(`event: status\ndata: ${json}\n\n`) };
    return this.#made;
  }
}
