/** The proxy that the environment names. */
import { ConfigError } from '../errors.ts';

/**
 * The proxy for addresses of this protocol, by the rules of curl and of Node's agents: lower case before upper case,
 * `http://` where no scheme is said (Node alone would go round such a proxy, and say nothing).
 *
 * @param protocol `http:` or `https:`
 * @throws {ConfigError} what is named is no address of a proxy; its password is not told
 */
export function proxyAddress(protocol: string, env: NodeJS.ProcessEnv): URL | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const named = env[name.toLowerCase()] || env[name];
  if (!named) return undefined;
  const address = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`);
  if (address === null || !['http:', 'https:'].includes(address.protocol) || !isUnescapable(address))
    throw new ConfigError([`${name}: must be an address like http://proxy.example:3128`]);
  return address;
}

/** What Node's agents are to know: the proxy for this protocol, and what goes without it. The other one is not theirs. */
export function proxyEnvironment(protocol: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { href } = proxyAddress(protocol, env) ?? {};
  return { HTTP_PROXY: href, HTTPS_PROXY: href, NO_PROXY: env.no_proxy || env.NO_PROXY };
}

function isUnescapable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
