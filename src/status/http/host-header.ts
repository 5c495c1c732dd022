/**
 * Checks the `Host` header against DNS rebinding: a foreign web page can point its own name at 127.0.0.1 and then read
 * this server as its own origin. The attack needs a name, so addresses are safe.
 */
import { isIP } from 'node:net';

const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/;

/**
 * @param host the raw header
 * @param names that the lab has given this host
 */
export function isKnownHost(host: string, names: readonly string[]): boolean {
  const [, called = ''] = hostAndPort.exec(host) ?? [];
  if (called.startsWith('[')) return isIP(called.slice(1, -1)) === 6;
  const name = called.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || names.some((each) => each.toLowerCase() === name);
}
