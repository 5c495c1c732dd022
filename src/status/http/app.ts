/** A Fastify app with bounds for what comes in, headers for what goes out, and errors that say one sentence. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from '../../base/log.ts';
import { CommandRefusedError } from './commands.ts';
import type { ConnectionLimits } from './connections.ts';
import type { HttpRefusal } from './guards.ts';
import { createHttpServer } from './http-server.ts';

/** A connection over which nothing moves for so long is closed, ms; those who follow hear something more often. */
export const IDLE_MS = 60_000;
const MOST_BODY_BYTES = 16_384;
/** A udid may hold a long network name. */
const LONGEST_PARAMETER = 500;

const UNREADABLE: HttpRefusal = { code: 400, error: 'malformed URL' };

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** All clients behind one NAT or proxy are one: it has half of the places, and a lab's browsers keep a few each. */
export const tcpLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 100,
  graceMs: 2_000,
  alwaysAdmits: false,
  takeMs: 30_000,
};

/** Who may open the socket may command the agent: a newcomer is worth more than whoever does nothing. */
export const socketLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 200,
  graceMs: 0,
  alwaysAdmits: true,
  takeMs: 30_000,
};

export interface AppOptions {
  /** Absent where the one who asks may wait for long, and is of this host. */
  idleMs?: number;
  limits?: ConnectionLimits;
  /** Why a request is not answered, if so. */
  refusalOf?(request: FastifyRequest): HttpRefusal | undefined;
}

export function createApp(
  log: Logger,
  { idleMs = 0, limits = tcpLimits, refusalOf = () => undefined }: AppOptions = {},
): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MOST_BODY_BYTES,
    forceCloseConnections: true,
    serverFactory: (handle) => createHttpServer(handle, limits, idleMs),
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // no hook runs for an address that cannot be read
    frameworkErrors: (_, request: FastifyRequest, reply: FastifyReply) =>
      void refuse(reply.headers(commonHeaders), refusalOf(request) ?? UNREADABLE),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders);
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(reply, refusal);
  });
  let said: Error | undefined;
  app.setNotFoundHandler((_, reply) => void reply.code(404).send({ error: 'not found' }));
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const { statusCode = 500, message } = error;
    if (statusCode < 500 || error instanceof CommandRefusedError)
      return reply.code(statusCode).send({ error: message });
    if (error !== said) log.error({ err: error }, 'a request to the status server failed');
    said = error; // one failure may be the answer to many
    return reply.code(500).send({ error: 'internal error: see the log' });
  });
  return app;
}

const refuse = (reply: FastifyReply, { code, headers = {}, error }: HttpRefusal): FastifyReply =>
  reply.code(code).headers(headers).send({ error });
