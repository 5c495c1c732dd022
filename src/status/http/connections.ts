/**
 * Limits the connections of one server, and the requests that each may send before it reads its answers. Without room,
 * a newcomer replaces a connection that does nothing. No client can take the places of the others.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from './client-address.ts';

export interface ConnectionLimits {
  /** For all clients together. */
  most: number;
  mostPerClient: number;
  /** A connection without a request keeps its place for this time, ms. */
  graceMs: number;
  /** The newcomer always gets a place, if necessary that of a working connection. */
  alwaysAdmits: boolean;
  /** A client that does not read its answer within this time loses its connection, ms. */
  takeMs: number;
}

/** Browsers do not pipeline, other programs send a few requests. More than this ends the connection. */
export const MOST_UNANSWERED = 10;
/** Limit of answers that wait for a slow reader, if there are several; a single one may be larger. */
export const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** What a connection is doing, the most dispensable first. */
const ranks = ['idle', 'notReading', 'silent', 'following', 'working'] as const;
type Doing = (typeof ranks)[number];

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  readonly unanswered: Map<ServerResponse, IncomingMessage>;
  hasRequested: boolean;
  /** When it opened, sent its last request or got its last answer, by the monotonic clock, ms. */
  movedAt: number;
  /** When we first saw an answer waiting for it. */
  waitsSince?: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Socket, Connection>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Admits or closes each new connection from now on. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => this.#arrive(socket));
  }

  /** Should this request be handled? One too many ends its connection. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (connection === undefined || socket.destroyed) return false;
    const { unanswered } = connection;
    unanswered.set(response, request);
    if (
      unanswered.size > MOST_UNANSWERED ||
      (unanswered.size > 1 && waits(unanswered) > MOST_WAITING_BYTES)
    ) {
      socket.destroy();
      return false;
    }
    connection.hasRequested = true;
    connection.movedAt = performance.now();
    response.once('close', () => {
      unanswered.delete(response);
      connection.movedAt = performance.now();
      delete connection.waitsSince;
    });
    return true;
  }

  #arrive(socket: Socket): void {
    const client = clientOf(socket.remoteAddress);
    if (!this.#makeRoom(client)) {
      socket.destroy();
      return;
    }
    const movedAt = performance.now();
    this.#open.set(socket, { socket, client, unanswered: new Map(), hasRequested: false, movedAt });
    socket.once('close', () => this.#forget(socket));
    this.#sweeping ??= setInterval(() => this.#sweep(), this.#limits.takeMs / 4).unref();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    if (this.#open.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #makeRoom(client: string): boolean {
    const { most, mostPerClient, alwaysAdmits } = this.#limits;
    const all = [...this.#open.values()];
    const own = all.filter((connection) => connection.client === client);
    if (own.length < mostPerClient && all.length < most) return true;
    if (own.length >= mostPerClient) return this.#end(own, alwaysAdmits);
    const greediest = ofTheGreediest(all);
    return greediest.most > own.length ? this.#end(greediest.theirs, true) : this.#end(all, alwaysAdmits);
  }

  /** Ends the most dispensable of these, but only an idle one unless `any` is set. */
  #end(connections: readonly Connection[], any: boolean): boolean {
    const now = performance.now();
    const rank = (connection: Connection) => ranks.indexOf(doing(connection));
    const [least] = connections.toSorted(
      (one, other) => rank(one) - rank(other) || one.movedAt - other.movedAt,
    );
    if (least === undefined || !(any || this.#isDispensable(least, now))) return false;
    this.#open.delete(least.socket); // 'close' comes later; free the place now
    least.socket.destroy();
    return true;
  }

  #isDispensable(connection: Connection, now: number): boolean {
    const what = doing(connection);
    if (what === 'silent') return now - connection.movedAt >= this.#limits.graceMs;
    return what === 'idle' || what === 'notReading';
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      if (doing(connection) !== 'notReading') continue;
      connection.waitsSince ??= now;
      if (now - connection.waitsSince >= this.#limits.takeMs) connection.socket.destroy();
    }
  }
}

function doing({ unanswered, hasRequested }: Connection): Doing {
  if (unanswered.size === 0) return hasRequested ? 'idle' : 'silent';
  const [first] = unanswered; // answers leave in the order of the requests
  if (first === undefined) return 'idle';
  const [response, request] = first;
  if (response.writableEnded) return 'notReading';
  if (!request.complete) return 'silent';
  return response.headersSent ? 'following' : 'working';
}

const waits = (unanswered: ReadonlyMap<ServerResponse, unknown>): number =>
  [...unanswered.keys()].reduce((bytes, response) => bytes + response.writableLength, 0);

/** The connections of the clients with the most of them, and how many each has. */
function ofTheGreediest(all: readonly Connection[]): { theirs: Connection[]; most: number } {
  const counts = new Map<string, number>();
  for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return { theirs: all.filter(({ client }) => counts.get(client) === most), most };
}
