/** Who may ask what over TCP: nothing is changed there, by no stranger's name, and the page may want a password. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { printable } from '../printable.ts';
import { WrongGuesses } from './guesses.ts';
import { isKnownHost } from './host-header.ts';
import { knowsPassword } from './password.ts';

/** An answer to a request that is not let through. */
export interface Refusal {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: string;
}

/** For all of a listener. */
export function refusalOf(
  { method, raw }: FastifyRequest,
  hostNames: readonly string[],
): Refusal | undefined {
  const { host: called = [] } = raw.headersDistinct;
  const stranger = called.find((name) => !isKnownHost(name, hostNames));
  if (stranger !== undefined) {
    const error = `this host does not answer to ${printable(stranger, 100)}: open it by its address, or add the name to status.hostNames`;
    return { code: 421, error };
  }
  if (method === 'GET' || method === 'HEAD') return undefined;
  const error = 'nothing can be changed here: commands go by the Unix socket (hostnode --help)';
  return { code: 405, headers: { allow: 'GET, HEAD' }, error };
}

/** For the routes that belong to the page. */
export function guardByPassword(app: FastifyInstance, password: string): void {
  const guesses = new WrongGuesses();
  app.addHook('onRequest', async ({ headers: { authorization }, ip }, reply) => {
    if (guesses.areTooMany(ip)) {
      const error = 'too many wrong passwords: wait a minute';
      return reply.code(429).header('retry-after', 60).send({ error });
    }
    if (knowsPassword(authorization, password)) return;
    if (authorization !== undefined) guesses.add(ip);
    return reply
      .code(401)
      .header('www-authenticate', 'Basic realm="hostnode", charset="UTF-8"')
      .send({ error: 'the page wants the password of status.passwordFile' });
  });
}
