/**
 * The proxy from the environment, by the rules of curl and of Node's http.Agent (`proxyEnv`): lower case before upper
 * case; NO_PROXY lists hosts, `.suffixes`, `*`, host:port and address ranges. Beyond these rules, plain HTTP to this host
 * itself takes no proxy: it may carry secrets because it does not leave the host.
 */
import { BlockList, isIP } from 'node:net';
import { type Environment, isLoopback } from '../base/environment.ts';
import { attempt, ConfigError } from '../base/errors.ts';

export interface ProxyPlace {
  readonly host: string;
  readonly port: number;
  /** The variable that names it, e.g. `HTTPS_PROXY`. */
  readonly variable: string;
  /** With the login: not for messages. */
  readonly address: URL;
}

export const proxyName = ({ host, port, variable }: Omit<ProxyPlace, 'address'>): string =>
  `the proxy ${host}:${port} (${variable})`;

/**
 * The proxy for this address; undefined if there is none or the address is exempt.
 *
 * @throws {ConfigError} the variable is not a proxy's address; the message does not show its password
 */
export function proxyFor(url: URL, env: Environment): ProxyPlace | undefined {
  if (isExempt(url, exemptList(env) ?? '') || isOwnPlain(url)) return undefined;
  const named = namedProxy(url.protocol, env);
  return named && { ...named, host: bareHost(named.address), port: portOf(named.address) };
}

/**
 * The variables for Node's agent of plain HTTP: the proxy for this protocol, and the exempt addresses.
 *
 * @throws {ConfigError} the variable is not a proxy's address
 */
export function proxyEnvironment(protocol: string, env: Environment): NodeJS.ProcessEnv {
  const href = namedProxy(protocol, env)?.address.href;
  const exempt = [exemptList(env), ...(protocol === 'http:' ? OURSELVES : [])];
  return { HTTP_PROXY: href, HTTPS_PROXY: href, NO_PROXY: exempt.filter(Boolean).join(',') };
}

/** This host, as Node's agents understand it. */
const OURSELVES = ['localhost', '127.0.0.0-127.255.255.255', '::1'];

const isOwnPlain = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopback(hostname);

const exemptList = (env: Environment): string | undefined => env.no_proxy || env.NO_PROXY;

/**
 * The proxy for this protocol. Without a scheme it means `http://` (Node would silently bypass such a proxy).
 *
 * @param protocol `http:` or `https:`
 */
function namedProxy(protocol: string, env: Environment): { address: URL; variable: string } | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [name.toLowerCase(), name].find((each) => env[each]);
  const named = variable && env[variable];
  if (!named) return undefined;
  const address = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`);
  if (address === null || !['http:', 'https:'].includes(address.protocol) || !isUnescapable(address))
    throw new ConfigError([`${name}: must be an address like http://proxy.example:3128`]);
  return { address, variable };
}

const isUnescapable = ({ username, password }: URL): boolean =>
  attempt(() => decodeURIComponent(username + password)) !== undefined;

/** The host name without the brackets of IPv6. */
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
