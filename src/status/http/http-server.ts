/** Node's HTTP server with a limit for everything that a client can send, keep open or leave unread. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsFor } from '../../base/limits.ts';
import { clientOf } from './client-address.ts';

/** A request must arrive within this time, ms. */
const REQUEST_MS = 10_000;
/** Browsers do not pipeline, other programs send a few requests. More than this ends the connection. */
export const MOST_UNANSWERED = 10;

export interface ConnectionLimits {
  /** For all clients together; fewer where the process may open few files. */
  most: number;
  mostPerClient: number;
  /** Where there is no place, not the newcomer leaves, but a connection that waits for no answer, or the oldest. */
  alwaysAdmits: boolean;
  /** A connection over which nothing moves is closed after this time, ms; 0: never. */
  idleMs: number;
}

/** All clients behind a NAT or proxy count as one: it gets half of the connections, a few for each browser. */
export const tcpLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 100,
  alwaysAdmits: false,
  idleMs: 60_000, // followers get events more often
};

/** Whoever may open the socket may command the agent, and may wait for what comes of a command. */
export const socketLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 200,
  alwaysAdmits: true,
  idleMs: 0,
};

export function createHttpServer(handle: RequestListener, limits: ConnectionLimits): Server {
  /** Each connection with the number of its unanswered requests, the oldest first. */
  const open = new Map<Socket, number>();
  const most = Math.min(limits.most, connectionsFor(1 / 4));
  const mostPerClient = Math.ceil((limits.mostPerClient * most) / limits.most);

  const admit = (socket: Socket) => {
    const isFull = () => {
      const { own, all } = placesOf(open, socket);
      return all.length >= most || own.length >= mostPerClient;
    };
    if (isFull()) server.closeIdleConnections();
    if (isFull()) {
      const { own, greediest } = placesOf(open, socket);
      const isModest = own.length < Math.min(mostPerClient, greediest.length);
      const leaver = limits.alwaysAdmits || isModest ? leastOf(greediest, open) : socket;
      leaver?.destroy();
    }
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  };

  /** Has a request of a connection that waits for few answers handled. */
  const limited =
    (handleIt: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request;
      const unanswered = (open.get(socket) ?? 0) + 1;
      if (socket.destroyed || unanswered > MOST_UNANSWERED) {
        socket.destroy();
        return;
      }
      open.set(socket, unanswered);
      response.once('close', () => {
        const left = open.get(socket);
        if (left !== undefined) open.set(socket, left - 1);
      });
      handleIt(request, response);
    };

  const server = createServer(
    {
      maxHeaderSize: 8_192,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: 72_000, // longer than a proxy's usual minute: the proxy closes an idle connection first
      connectionsCheckingInterval: 1_000,
    },
    limited(handle),
  );
  // Node would answer these by itself, without our limit
  const refuse = limited((_, response) => void response.writeHead(417).end());
  server.on('checkExpectation', refuse);
  server.prependListener('connection', admit);
  server.on('connection', refusePiles);
  return server.setTimeout(limits.idleMs);
}

/** Follows the headers of each request; Node rejects a lone line feed. */
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Ends a connection that sends very many requests at once, before Node parses them: it creates 3 kB of objects for each
 * in a chunk of 64 KiB, and nothing can stop it there.
 */
function refusePiles(socket: Socket): void {
  // before the parser: Node still passes it this chunk, but without a request in it
  socket.prependListener('data', (chunk: Buffer) => {
    let requests = 0;
    for (let at = chunk.indexOf(END_OF_HEADERS); at >= 0; at = chunk.indexOf(END_OF_HEADERS, at + 4))
      requests += 1;
    if (requests <= MOST_UNANSWERED) return;
    chunk.fill(0);
    socket.destroy();
  });
}

/**
 * The connections that take a place now, the oldest first.
 *
 * @returns `own`: of the newcomer's client; `greediest`: of the client with the most
 */
function placesOf(open: ReadonlyMap<Socket, number>, newcomer: Socket) {
  const all = [...open.keys()].filter(({ destroyed }) => !destroyed);
  const byClient = Map.groupBy(all, ({ remoteAddress }) => clientOf(remoteAddress));
  const [greediest = []] = [...byClient.values()].toSorted((one, other) => other.length - one.length);
  return { all, own: byClient.get(clientOf(newcomer.remoteAddress)) ?? [], greediest };
}

/** The oldest that waits for no answer, else the oldest. */
const leastOf = (sockets: readonly Socket[], open: ReadonlyMap<Socket, number>): Socket | undefined =>
  sockets.find((socket) => open.get(socket) === 0) ?? sockets[0];
