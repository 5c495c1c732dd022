/** Access rules over TCP: read-only, known host names only, and perhaps a password for the page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { printable } from '../../base/printable.ts';
import { isKnownHost } from './host-header.ts';
import { knowsPassword } from './password.ts';
import type { PasswordGate, Verdict } from './password-gate.ts';

export interface HttpRefusal {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: string;
}

/** For all requests of a listener. */
export function refusalOf(
  { method, raw }: FastifyRequest,
  hostNames: readonly string[],
): HttpRefusal | undefined {
  const { host: called = [] } = raw.headersDistinct;
  const stranger = called.find((name) => !isKnownHost(name, hostNames));
  if (stranger !== undefined) {
    const error = `this host does not answer to ${printable(stranger, 100)}: open it by its address, or add the name to status.hostNames`;
    return { code: 421, error };
  }
  if (method === 'GET' || method === 'HEAD') return undefined;
  const error = 'this port is read-only: commands go through the Unix socket (hostnode --help)';
  return { code: 405, headers: { allow: 'GET, HEAD' }, error };
}

const UNAUTHORIZED: HttpRefusal = {
  code: 401,
  headers: { 'www-authenticate': 'Basic realm="hostnode", charset="UTF-8"' },
  error: 'the page requires the password in status.passwordFile',
};

const refusals: Record<Exclude<Verdict, 'right'>, HttpRefusal> = {
  wrong: UNAUTHORIZED,
  tooMany: {
    code: 429,
    headers: { 'retry-after': '60' },
    error: 'too many wrong passwords: wait a minute',
  },
  busy: {
    code: 429,
    headers: { 'retry-after': '5' },
    error: 'too many wrong passwords from many addresses: try again in a few seconds',
  },
};

/** For the routes that belong to the page. */
export function guardByPassword(app: FastifyInstance, password: string, gate: PasswordGate): void {
  app.addHook('onRequest', async ({ headers: { authorization }, ip, raw }, reply) => {
    const isRight = () => knowsPassword(authorization, password);
    const hasHungUp = () => raw.socket.destroyed;
    const verdict = authorization === undefined ? undefined : await gate.verdict(ip, isRight, hasHungUp);
    if (verdict === 'right') return;
    const { code, headers = {}, error } = verdict === undefined ? UNAUTHORIZED : refusals[verdict];
    return reply.code(code).headers(headers).send({ error });
  });
}
