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

export type StatusFeed = ReturnType<typeof statusFeed>;

/** @param timing `freshMs`: how long a JSON text is reused; `pingMs`: time between two keep-alive comments */
export function statusFeed(source: StatusSource, { freshMs = 1_000, pingMs = 15_000 } = {}) {
  const followers = new Set<Follower>();
  let made: Made | undefined;
  let unsubscribe: (() => void) | undefined;
  let pinging: NodeJS.Timeout | undefined;

  const fresh = (): Made => {
    const at = performance.now();
    if (made !== undefined && at - made.at < freshMs) return made;
    const status = source.status();
    const json = status && JSON.stringify(status);
    const text = json === undefined ? undefined : Buffer.from(json);
    made = { at, text, event: text && Buffer.from(`event: status\ndata: ${json}\n\n`) };
    return made;
  };

  const send = (follower: Follower): void => {
    follower.isBehind = follower.response.writableNeedDrain;
    const { event } = fresh();
    if (!follower.isBehind && event !== undefined) follower.response.write(event);
  };

  const leave = (follower: Follower): void => {
    followers.delete(follower);
    if (followers.size > 0) return;
    unsubscribe?.();
    clearInterval(pinging);
    unsubscribe = undefined;
    pinging = undefined;
  };

  /** One that does not read leaves for a newcomer. */
  const makeRoom = (client: string): boolean => {
    const own = [...followers].filter((follower) => follower.client === client);
    if (own.length < FOLLOWER_LIMIT) return true;
    const stuck = own.find(({ response }) => response.writableNeedDrain);
    if (stuck === undefined) return false;
    stuck.response.destroy();
    leave(stuck); // 'close' comes later; free the place now
    return true;
  };

  return {
    /** A `HostStatus` as JSON; undefined while no agent runs. */
    get text(): Buffer | undefined {
      return fresh().text;
    },

    /** A command has just changed something, and its client will check the result. */
    renew(): void {
      made = undefined;
    },

    /**
     * Sends this client the status now and after each change, until it disconnects.
     *
     * @returns false if it follows too often already
     */
    follow(response: ServerResponse, client = ''): boolean {
      if (!makeRoom(client)) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const follower = { client, response, isBehind: false };
      followers.add(follower);
      response.on('drain', () => {
        if (follower.isBehind) send(follower);
      });
      response.on('error', () => {}); // a write after it disconnected: 'close' follows
      response.once('close', () => leave(follower));
      unsubscribe ??= source.onChange(() => {
        made = undefined;
        for (const each of followers) send(each);
      });
      pinging ??= setInterval(() => {
        // over TCP, a connection to who reads nothing ends by its `idleMs`
        for (const { response: each } of followers) if (!each.writableNeedDrain) each.write(': alive\n\n');
      }, pingMs).unref();
      send(follower);
      return true;
    },

    close(): void {
      for (const { response } of followers) response.end();
    },
  };
}
