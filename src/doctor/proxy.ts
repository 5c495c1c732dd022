/**
 * Which proxy a request goes through, by the rules of Node's http.Agent (its `proxyEnv`): lower case before upper
 * case; NO_PROXY names hosts, `.suffixes`, `*`, host:port and ranges of addresses.
 */
import { BlockList, isIP } from 'node:net';
import { proxyAddress } from '../cloud/proxy.ts';
import type { Environment } from '../config/environment.ts';
import { ConfigError } from '../errors.ts';

export interface Proxy {
  readonly host: string;
  readonly port: number;
}

/** @returns undefined where the request goes straight; `'invalid'` where the proxy is no address */
export function proxyFor(url: URL, env: Environment): Proxy | 'invalid' | undefined {
  if (isExempt(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  try {
    const proxy = proxyAddress(url.protocol, env);
    return proxy && { host: bareHost(proxy), port: portOf(proxy) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return 'invalid';
  }
}

/** Without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

function isExempt(url: URL, list: string): boolean {
  const host = bareHost(url).toLowerCase();
  const entries = list
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim());
  return entries.some((entry) => entry !== '' && matches(entry, host, portOf(url)));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*' || entry === host || entry === `${host}:${port}`) return true;
  if (entry.startsWith('.')) return `.${host}`.endsWith(entry);
  if (entry.startsWith('*.')) return host.endsWith(entry.slice(1));
  const [first = '', last = ''] = entry.split('-');
  if (isIP(first) !== 4 || isIP(last) !== 4 || isIP(host) !== 4) return false;
  const range = new BlockList();
  range.addRange(first, last);
  return range.check(host);
}
