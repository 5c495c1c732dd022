/** Node's HTTP server with a limit for everything that a client can send or leave unread. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type ConnectionLimits, Connections, MOST_UNANSWERED } from './connections.ts';
import { refusePiles } from './piled-requests.ts';

const SECOND_MS = 1000;
/** A request must arrive within this time, ms. */
const REQUEST_MS = 10 * SECOND_MS;
const MOST_HEADER_BYTES = 8_192;
/** Longer than a proxy's usual minute, so that the proxy closes an idle connection first, ms. */
const KEEP_ALIVE_MS = 72 * SECOND_MS;

/** @param idleMs an idle connection is closed after this time; 0: never */
export function createHttpServer(handle: RequestListener, limits: ConnectionLimits, idleMs: number): Server {
  const connections = new Connections(limits);
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: SECOND_MS,
    },
    (request, response) => {
      if (connections.take(request, response)) handle(request, response);
    },
  );
  // Node would answer these by itself, without our limit
  server.on('checkExpectation', (request, response) => {
    if (connections.take(request, response)) response.writeHead(417).end();
  });
  connections.watch(server);
  refusePiles(server, MOST_UNANSWERED);
  return server.setTimeout(idleMs);
}
