/** The way to the cloud, step by step: the name, the connection. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { failureOfConnection } from '../cloud/failure.ts';
import { proxyName } from '../cloud/proxy.ts';
import { hasCode } from '../errors.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** The cloud, or the proxy on the way to it. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** Names the proxy, where it is one. */
  readonly variable?: string;
}

export const nameOf = ({ host, port, variable }: Place): string =>
  variable === undefined ? `${host}:${port}` : proxyName({ host, port, variable });

export async function lookAtName(place: Place): Promise<Finding> {
  const { host } = place;
  if (isIP(host) !== 0) return skipped('DNS', `${host} is an address, no name`);
  try {
    const addresses = await lookup(host, { all: true });
    return ok('DNS', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failedAt(place, 'DNS', host, error);
  }
}

export async function lookAtConnection(place: Place, signal: AbortSignal): Promise<Finding> {
  const { host, port } = place;
  const since = performance.now();
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    return ok('TCP', `${host}:${port} takes connections, within ${Math.round(performance.now() - since)} ms`);
  } catch (error) {
    signal.throwIfAborted();
    return failedAt(place, 'TCP', nameOf(place), error);
  } finally {
    socket.destroy();
  }
}

/** The base URL is not to blame where the way to the proxy fails. */
function failedAt(place: Place, check: string, where: string, error: unknown): Finding {
  const [seen, mend] = inWords(error);
  if (place.variable === undefined) return failed(check, `${where}: ${seen}`, mend);
  return failed(check, `${nameOf(place)}: ${seen}`, mend?.replace('the base URL', place.variable));
}

/** What happened, and what to do about it. */
export function inWords(error: unknown): [seen: string, mend: string | undefined] {
  const code = codeOf(error);
  return split(failureOfConnection('', code).message.replace(/^: /, ''));
}

/** Of a connection that tried several addresses, the first one's. */
function codeOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const isCoded = typeof cause === 'object' && cause !== null && 'code' in cause;
  return isCoded && hasCode(cause, String(cause.code)) ? String(cause.code) : 'unknown';
}

/** Our errors end with what to check, behind a semicolon. */
export function split(message: string): [seen: string, mend: string | undefined] {
  const at = message.lastIndexOf('; ');
  if (at < 0) return [message, undefined];
  const mend = message.slice(at + 2);
  return [message.slice(0, at), mend.charAt(0).toUpperCase() + mend.slice(1)];
}
