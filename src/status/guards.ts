/** Who may ask what over TCP: nothing is changed there, by no stranger's name, and the page may want a password. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { printable } from '../printable.ts';
import { isKnownHost } from './host-header.ts';
import { knowsPassword } from './password.ts';

/** Guessing is slow, ms. */
const AFTER_A_WRONG_PASSWORD_MS = 1_000;

/** For all of a listener. */
export function guardListener(app: FastifyInstance, hostNames: readonly string[]): void {
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    if (!isKnownHost(headers.host, hostNames)) {
      const called = printable(headers.host ?? '', 100);
      const error = `this host does not answer to ${called}: open it by its address, or add the name to status.hostNames`;
      return reply.code(421).send({ error });
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const error = 'nothing can be changed here: commands go by the Unix socket (hostnode --help)';
      return reply.code(405).header('allow', 'GET, HEAD').send({ error });
    }
  });
}

/** For the routes that belong to the page. */
export function guardByPassword(app: FastifyInstance, password: string): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const { authorization } = headers;
    if (knowsPassword(authorization, password)) return;
    if (authorization !== undefined) await wait(AFTER_A_WRONG_PASSWORD_MS, undefined, { ref: false });
    return reply
      .code(401)
      .header('www-authenticate', 'Basic realm="hostnode", charset="UTF-8"')
      .send({ error: 'the page wants the password of status.passwordFile' });
  });
}
