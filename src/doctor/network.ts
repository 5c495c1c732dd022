/** The network to the cloud, step by step: DNS, then TCP. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { hasCode } from '../base/errors.ts';
import { sentence } from '../base/words.ts';
import { reasonOf } from '../cloud/failure.ts';
import { proxyName } from '../cloud/proxy.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** The cloud, or the proxy on the way to it. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Names the proxy, where it is one. */
  readonly variable?: string;
}

export const nameOf = ({ host, port, variable }: Endpoint): string =>
  variable === undefined ? `${host}:${port}` : proxyName({ host, port, variable });

export async function lookAtName(endpoint: Endpoint): Promise<Finding> {
  const { host } = endpoint;
  if (isIP(host) !== 0) return skipped('DNS', `${host} is an address, not a name`);
  try {
    const addresses = await lookup(host, { all: true });
    return ok('DNS', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failedAt(endpoint, 'DNS', host, error);
  }
}

export async function lookAtConnection(endpoint: Endpoint, signal: AbortSignal): Promise<Finding> {
  const { host, port } = endpoint;
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
    return failedAt(endpoint, 'TCP', nameOf(endpoint), error);
  } finally {
    socket.destroy();
  }
}

/** If the connection to the proxy fails, the remedy names the proxy variable, not the base URL. */
function failedAt(endpoint: Endpoint, check: string, where: string, error: unknown): Finding {
  const { seen, remedy } = inWords(error);
  if (endpoint.variable === undefined) return failed(check, `${where}: ${seen}`, remedy);
  return failed(check, `${nameOf(endpoint)}: ${seen}`, remedy.replace('the base URL', endpoint.variable));
}

/** What happened, and its remedy. */
export function inWords(error: unknown): { seen: string; remedy: string } {
  const { seen, remedy } = reasonOf(codeOf(error));
  return { seen, remedy: sentence(remedy) };
}

/** Of a connection that tried several addresses, the code of the first. */
function codeOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const isCoded = typeof cause === 'object' && cause !== null && 'code' in cause;
  return isCoded && hasCode(cause, String(cause.code)) ? String(cause.code) : 'unknown';
}
