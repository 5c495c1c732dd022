/** A Fastify app with bounds for what comes in, headers for what goes out, and errors that say one sentence. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from '../log.ts';
import { CommandRefusedError } from './commands.ts';
import type { Refusal } from './guards.ts';

const SECOND_MS = 1000;
/** A request that takes longer to arrive is a stuck one, ms. */
const REQUEST_MS = 10 * SECOND_MS;
/** A connection over which nothing moves for so long is closed, ms; those who follow hear something more often. */
export const IDLE_MS = 60 * SECOND_MS;
const MOST_CONNECTIONS = 200;
const MOST_BODY_BYTES = 16_384;
const MOST_HEADER_BYTES = 8_192;
/** A udid may hold a long network name. */
const LONGEST_PARAMETER = 500;

const UNREADABLE: Refusal = { code: 400, error: 'this address cannot be read' };

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface AppOptions {
  /** Absent where the one who asks may wait for long, and is of this host. */
  idleMs?: number;
  /** Why a request is not answered, if so. */
  refusalOf?(request: FastifyRequest): Refusal | undefined;
}

export function createApp(
  log: Logger,
  { idleMs = 0, refusalOf = () => undefined }: AppOptions = {},
): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MOST_BODY_BYTES,
    connectionTimeout: idleMs,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    http: {
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: REQUEST_MS,
      connectionsCheckingInterval: SECOND_MS,
    },
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // no hook runs for an address that cannot be read
    frameworkErrors: (_, request: FastifyRequest, reply: FastifyReply) =>
      void refuse(reply.headers(commonHeaders), refusalOf(request) ?? UNREADABLE),
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders);
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(reply, refusal);
  });
  app.setNotFoundHandler((_, reply) => void reply.code(404).send({ error: 'there is nothing here' }));
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const { statusCode = 500, message } = error;
    if (statusCode < 500 || error instanceof CommandRefusedError)
      return reply.code(statusCode).send({ error: message });
    log.error({ err: error }, 'a request to the status server failed');
    return reply.code(500).send({ error: 'internal error: the log says more' });
  });
  return app;
}

const refuse = (reply: FastifyReply, { code, headers = {}, error }: Refusal): FastifyReply =>
  reply.code(code).headers(headers).send({ error });
