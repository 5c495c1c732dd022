/** The way to the cloud, step by step: the name, the connection. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { failureOfConnection } from '../cloud/failure.ts';
import { hasCode } from '../errors.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
}

export async function lookAtName({ host }: Place): Promise<Finding> {
  if (isIP(host) !== 0) return skipped('DNS', `${host} is an address, no name`);
  try {
    const addresses = await lookup(host, { all: true });
    return ok('DNS', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    const [seen, mend] = inWords(error);
    return failed('DNS', `${host}: ${seen}`, mend);
  }
}

export async function lookAtConnection({ host, port }: Place, signal: AbortSignal): Promise<Finding> {
  const since = performance.now();
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    return ok('TCP', `${host}:${port} takes connections, within ${Math.round(performance.now() - since)} ms`);
  } catch (error) {
    signal.throwIfAborted();
    const [seen, mend] = inWords(error);
    return failed('TCP', `${host}:${port}: ${seen}`, mend);
  } finally {
    socket.destroy();
  }
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
