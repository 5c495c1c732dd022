/** Everything about the cloud: the proxy, the way to it, its certificate, the clock, the credentials. */
import type { CloudClient } from '../cloud/client.ts';
import { CloudError } from '../cloud/errors.ts';
import { bareHost, type ProxyPlace, portOf, proxyEnvironment, proxyFor } from '../cloud/proxy.ts';
import type { CloudConfig } from '../config/load.ts';
import type { Environment } from '../environment.ts';
import { ConfigError } from '../errors.ts';
import { lookAtCertificate } from './certificate.ts';
import { askTime, lookAtClock } from './clock.ts';
import { type Check, type Finding, failed, ok, skipped } from './finding.ts';
import { lookAtConnection, lookAtName, nameOf, type Place, split } from './network.ts';

/** A udid that no phone has: the answer is short however many phones the account can see. */
const NOBODY = 'hostnode-doctor';
const MARGIN_MS = 1_000;

/** @param makeClient undefined where the key is not to be had; it may throw */
export function cloudChecks(
  cloud: Readonly<CloudConfig> | undefined,
  makeClient: () => CloudClient | undefined,
  env: Environment,
): Check[] {
  if (cloud === undefined) return [{ name: 'cloud', limitMs: MARGIN_MS, look: () => notConfigured }];
  const url = new URL(cloud.baseUrl);
  const proxy = findProxy(url, env);
  if (proxy === 'invalid') return [{ name: 'proxy', limitMs: MARGIN_MS, look: () => invalidProxy }];
  const place: Place = proxy ?? { host: bareHost(url), port: portOf(url) };
  const { connectTimeoutSeconds: connectSeconds } = cloud;
  const connectMs = connectSeconds * 1000;
  const requestMs = 3 * connectMs + cloud.requestTimeoutSeconds * 1000 + MARGIN_MS;
  return [
    {
      name: 'proxy',
      limitMs: MARGIN_MS,
      look: () =>
        proxy
          ? ok('proxy', `${proxy.host}:${proxy.port} (${proxy.variable})`)
          : skipped('proxy', 'none is used'),
    },
    {
      name: 'DNS',
      limitMs: connectMs,
      late: failed(
        'DNS',
        `${place.host}: no answer within ${connectSeconds} s`,
        'Check the DNS of this host',
      ),
      look: () => lookAtName(place),
    },
    {
      name: 'TCP',
      limitMs: connectMs,
      late: failed('TCP', `${nameOf(place)}: no connection within ${connectSeconds} s`, blocked(proxy)),
      look: (signal) => lookAtConnection(place, signal),
    },
    {
      name: 'TLS',
      limitMs: connectMs,
      late: failed('TLS', `no TLS connection within ${connectSeconds} s`, blocked(proxy)),
      look: (signal) => {
        if (url.protocol === 'http:') return skipped('TLS', 'not used: the address is http://');
        if (proxy) return skipped('TLS', 'goes through the proxy: see the credentials');
        return lookAtCertificate(place, cloud.ca, signal);
      },
    },
    {
      name: 'clock',
      limitMs: 2 * connectMs,
      late: skipped('clock', 'the cloud does not tell the time'),
      look: (signal) => lookAtClock(url, askTime(proxyEnvironment(url.protocol, env), 2 * connectMs), signal),
    },
    { name: 'credentials', limitMs: requestMs, look: (signal) => lookAtCredentials(makeClient, signal) },
  ];
}

/** `'invalid'` where the proxy is no address. */
function findProxy(url: URL, env: Environment): ProxyPlace | 'invalid' | undefined {
  try {
    return proxyFor(url, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return 'invalid';
  }
}

const blocked = (proxy: ProxyPlace | undefined) =>
  `Check ${proxy?.variable ?? 'the base URL'}, the firewall and the proxy`;

const notConfigured = skipped('cloud', 'none is configured: nothing is reported');

const invalidProxy = failed(
  'proxy',
  'HTTPS_PROXY or HTTP_PROXY is no address',
  'Set it to an address like http://proxy.example:3128',
);

async function lookAtCredentials(
  makeClient: () => CloudClient | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const client = makeClient();
  if (client === undefined)
    return skipped('credentials', 'the key cannot be read by this user', 'Run this as root');
  try {
    await client.getDevices({ udid: NOBODY }, signal);
    return ok('credentials', 'the cloud knows the account and answers GET /devices');
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const [seen, mend] = split(error.message);
    return failed('credentials', seen, mend);
  } finally {
    client.close();
  }
}
