/** Access rules over TCP: read-only, known host names only, and perhaps a password for the page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { RateLimiterMemory as Limiter } from 'rate-limiter-flexible';
// @ts-expect-error the package has types for its index only, which loads its limiters for thirty databases
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { printable } from '../../base/printable.ts';
import { type Answer, refusal } from './app.ts';
import { clientOf } from './client-address.ts';

/** For all requests of a listener. */
export function refusalOf(
  { method, headersDistinct }: IncomingMessage,
  hostNames: readonly string[],
): Answer | undefined {
  const { host: called = [] } = headersDistinct;
  const stranger = called.find((name) => !isKnownHost(name, hostNames));
  if (stranger !== undefined)
    return refusal(
      421,
      `this host does not answer to ${printable(stranger, 100)}: open it by its address, or add the name to status.hostNames`,
    );
  if (method === 'GET' || method === 'HEAD') return undefined;
  return refusal(405, 'this port is read-only: commands go through the Unix socket (hostnode --help)', {
    allow: 'GET, HEAD',
  });
}

const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/;

/**
 * Is it a name of this host? The check is against DNS rebinding: a foreign web page can point its own name at 127.0.0.1
 * and then read this server as its own origin. The attack needs a name, so addresses are safe.
 *
 * @param host the raw header
 * @param names that the lab has given this host
 */
export function isKnownHost(host: string, names: readonly string[]): boolean {
  const [, called = ''] = hostAndPort.exec(host) ?? [];
  if (called.startsWith('[')) return isIP(called.slice(1, -1)) === 6;
  const name = called.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || names.some((each) => each.toLowerCase() === name);
}

const WINDOW_SECONDS = 60;
/** Wrong passwords of one client in a minute. After them not even the right one is accepted, so that nobody learns it. */
const MOST_OF_ONE = 10;
/** Of all clients in a minute; then only those are checked that sent no wrong one. */
const MOST_OF_ALL = 120;
/** After so many in a minute, no client is checked: each that is counted takes memory. */
const MOST_COUNTED = 10_000;

const UNAUTHORIZED = refusal(401, 'the page requires the password in status.passwordFile', {
  'www-authenticate': 'Basic realm="hostnode", charset="UTF-8"',
});
const inAMinute = { 'retry-after': '60' };
const TOO_MANY = refusal(429, 'too many wrong passwords: wait a minute', inAMinute);
const BUSY = refusal(429, 'too many wrong passwords from many addresses: try again in a minute', inAMinute);

type Asking = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * Guessing a password is slow, from one address and from many.
 *
 * @returns resolves to undefined for a request with the right password
 */
export function passwordCheck(password: string): (request: Asking) => Promise<Answer | undefined> {
  const wrong: Limiter = new RateLimiterMemory({ points: MOST_OF_ONE, duration: WINDOW_SECONDS });
  const countOf = async (key: string) => (await wrong.get(key))?.consumedPoints ?? 0;
  return async ({ headers: { authorization }, socket }) => {
    if (authorization === undefined) return UNAUTHORIZED;
    const client = `of ${clientOf(socket.remoteAddress)}`;
    const [own, all] = [await countOf(client), await countOf('all')];
    if (own >= MOST_OF_ONE) return TOO_MANY;
    if (all >= MOST_COUNTED || (all >= MOST_OF_ALL && own > 0)) return BUSY;
    if (knowsPassword(authorization, password)) return undefined;
    // counted at once: many requests may have come here together
    const { consumedPoints } = await wrong.penalty(client);
    if (consumedPoints > MOST_OF_ONE) return TOO_MANY;
    await wrong.penalty('all');
    return UNAUTHORIZED;
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Does a request have the right password, by HTTP Basic authentication (RFC 7617)? Any user name is fine: the password
 * is the lab's, not a person's.
 *
 * @param authorization the raw header
 */
export function knowsPassword(authorization: string, password: string): boolean {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return false;
  const sent = Buffer.from(encoded, 'base64').toString();
  const colon = sent.indexOf(':');
  return colon >= 0 && timingSafeEqual(digest(sent.slice(colon + 1)), digest(password));
}
