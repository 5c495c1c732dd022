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

const ALIVE = ': alive\n\n';

/**
 * @param timing `freshMs`: how long a JSON text is reused; `renewMs`: how often followers get the status where nothing changes,
 *   for time alone changes what needs attention
 */
export function statusFeed(source: StatusSource, { freshMs = 1_000, renewMs = 10_000 } = {}) {
  const followers = new Set<Follower>();
  let made: Made | undefined;

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
    // over TCP, a connection to who reads nothing ends by its `idleMs`
    if (!follower.isBehind) follower.response.write(fresh().event ?? ALIVE);
  };
  const sendAll = (): void => {
    made = undefined;
    for (const each of followers) send(each);
  };
  source.onChange = sendAll;
  const renewing = setInterval(sendAll, renewMs).unref();

  /** One that does not read leaves for a newcomer. */
  const makeRoom = (client: string): boolean => {
    const own = [...followers].filter((follower) => follower.client === client);
    if (own.length < FOLLOWER_LIMIT) return true;
    const stuck = own.find(({ response }) => response.writableNeedDrain);
    if (stuck === undefined) return false;
    stuck.response.destroy();
    followers.delete(stuck); // 'close' comes later; free the place now
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
      response.once('close', () => followers.delete(follower));
      send(follower);
      return true;
    },

    close(): void {
      clearInterval(renewing);
      for (const { response } of followers) response.end();
    },
  };
}
