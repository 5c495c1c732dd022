/** The network to the cloud, step by step: DNS, then TCP. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { hasCode } from '../../base/errors.ts';
import { failureOfConnection } from '../../cloud/failure.ts';
import { proxyName } from '../../cloud/proxy.ts';
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
  if (isIP(host) !== 0) return skipped('DNS', `${host} is an address, not a name`);
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
    return ok(
      'TCP',
      `${host}:${port} accepts connections, within ${Math.round(performance.now() - since)} ms`,
    );
  } catch (error) {
    signal.throwIfAborted();
    return failedAt(place, 'TCP', nameOf(place), error);
  } finally {
    socket.destroy();
  }
}

/** If the connection to the proxy fails, the remedy names the proxy variable, not the base URL. */
function failedAt(place: Place, check: string, where: string, error: unknown): Finding {
  const [seen, remedy] = inWords(error);
  if (place.variable === undefined) return failed(check, `${where}: ${seen}`, remedy);
  return failed(check, `${nameOf(place)}: ${seen}`, remedy?.replace('the base URL', place.variable));
}

/** What happened, and its remedy. */
export function inWords(error: unknown): [seen: string, remedy: string | undefined] {
  const code = codeOf(error);
  return split(failureOfConnection({ request: '' }, code).message.replace(/^: /, ''));
}

/** Of a connection that tried several addresses, the code of the first. */
function codeOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const isCoded = typeof cause === 'object' && cause !== null && 'code' in cause;
  return isCoded && hasCode(cause, String(cause.code)) ? String(cause.code) : 'unknown';
}

/** Our errors end with what to check, after a semicolon. */
export function split(message: string): [seen: string, remedy: string | undefined] {
  const at = message.lastIndexOf('; ');
  if (at < 0) return [message, undefined];
  const remedy = message.slice(at + 2);
  return [message.slice(0, at), remedy.charAt(0).toUpperCase() + remedy.slice(1)];
}
