/** Creates Fastify apps with limits for requests, common headers, and errors of one sentence. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from '../../base/log.ts';
import { CommandRefusedError } from './commands.ts';
import type { ConnectionLimits } from './connections.ts';
import type { HttpRefusal } from './guards.ts';
import { createHttpServer } from './http-server.ts';

/** An idle connection is closed after this time, ms. Followers get events more often. */
export const IDLE_MS = 60_000;
const MOST_BODY_BYTES = 16_384;
/** A udid may contain a long network name, characters. */
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

/** All clients behind a NAT or proxy count as one: it gets half of the connections, a few for each browser. */
export const tcpLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 100,
  graceMs: 2_000,
  alwaysAdmits: false,
  takeMs: 30_000,
};

/** Whoever may open the socket may command the agent: a newcomer replaces an idle connection. */
export const socketLimits: ConnectionLimits = {
  most: 200,
  mostPerClient: 200,
  graceMs: 0,
  alwaysAdmits: true,
  takeMs: 30_000,
};

export interface AppOptions {
  /** Absent for the Unix socket, where clients may wait. */
  idleMs?: number;
  limits?: ConnectionLimits;
  /** The reason to refuse a request; undefined if it is allowed. */
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
    // no hook runs for a malformed URL
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
    said = error; // many requests may share one failure: log it once
    return reply.code(500).send({ error: 'internal error: see the log' });
  });
  return app;
}

const refuse = (reply: FastifyReply, { code, headers = {}, error }: HttpRefusal): FastifyReply =>
  reply.code(code).headers(headers).send({ error });
