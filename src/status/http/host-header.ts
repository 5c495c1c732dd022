/**
 * Which `Host` a listener answers to. A page of a stranger can point its own name at 127.0.0.1 and then read, as
 * its own, what listens there (DNS rebinding); it needs a name for that, so addresses are safe.
 */
import { isIP } from 'node:net';

const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/;

/**
 * @param host the header as it came
 * @param names that the lab has given this host
 */
export function isKnownHost(host: string, names: readonly string[]): boolean {
  const [, called = ''] = hostAndPort.exec(host) ?? [];
  if (called.startsWith('[')) return isIP(called.slice(1, -1)) === 6;
  const name = called.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || names.some((each) => each.toLowerCase() === name);
}
