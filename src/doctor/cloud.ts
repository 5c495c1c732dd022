/** Checks of the cloud: proxy, network, certificate, clock, credentials. */
import type { Environment, HostKind } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { AgentClient } from '../cloud/agent-client.ts';
import { CloudError } from '../cloud/errors.ts';
import { bareHost, type ProxyPlace, portOf, proxyEnvironment, proxyFor } from '../cloud/proxy.ts';
import type { CloudConfig } from '../config/load.ts';
import { cloud as cloudRule } from '../diagnosis/rules/host.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';
import {
  askTime,
  type Endpoint,
  lookAtCertificate,
  lookAtClock,
  lookAtConnection,
  lookAtName,
  nameOf,
} from './network.ts';

/** A udid that no phone has: the answer stays short for an account with many phones. */
const NOBODY = 'hostnode-doctor';
const MARGIN_MS = 1_000;

/** @param makeClient returns undefined if this user cannot read the key; it may throw */
export function cloudChecks(
  cloud: Readonly<CloudConfig> | undefined,
  makeClient: () => Promise<AgentClient | undefined>,
  env: Environment,
  hostKind: HostKind,
): Check[] {
  if (cloud === undefined) return [{ name: 'cloud', limitMs: MARGIN_MS, look: () => notConfigured }];
  const url = new URL(cloud.baseUrl);
  const proxy = findProxy(url, env);
  if (proxy === 'invalid') return [{ name: 'proxy', limitMs: MARGIN_MS, look: () => invalidProxy }];
  const to: Endpoint = proxy ?? { host: bareHost(url), port: portOf(url) };
  const { connectTimeoutSeconds: connectSeconds } = cloud;
  const connectMs = connectSeconds * 1000;
  const requestMs = 3 * connectMs + cloud.requestTimeoutSeconds * 1000 + MARGIN_MS;
  return [
    {
      name: 'proxy',
      limitMs: MARGIN_MS,
      look: () =>
        proxy ? ok('proxy', `${proxy.host}:${proxy.port} (${proxy.variable})`) : skipped('proxy', 'not used'),
    },
    {
      name: 'DNS',
      limitMs: connectMs,
      late: failed('DNS', `${to.host}: no answer within ${connectSeconds} s`, 'Check the DNS of this host'),
      look: () => lookAtName(to),
    },
    {
      name: 'TCP',
      needs: 'DNS',
      limitMs: connectMs,
      late: failed('TCP', `${nameOf(to)}: no connection within ${connectSeconds} s`, blocked(proxy)),
      look: (signal) => lookAtConnection(to, signal),
    },
    {
      name: 'TLS',
      needs: 'TCP',
      limitMs: connectMs,
      late: failed('TLS', `no TLS connection within ${connectSeconds} s`, blocked(proxy)),
      look: (signal) => {
        if (url.protocol === 'http:') return skipped('TLS', 'not used: the base URL is http://');
        if (proxy) return skipped('TLS', 'goes through the proxy: see credentials');
        return lookAtCertificate(to, cloud.ca, signal);
      },
    },
    {
      name: 'clock',
      needs: 'TCP', // not TLS: a wrong clock is a reason for that to fail
      limitMs: 2 * connectMs,
      late: skipped('clock', 'the cloud sends no time'),
      look: (signal) =>
        lookAtClock(url, askTime(proxyEnvironment(url.protocol, env), 2 * connectMs), hostKind, signal),
    },
    {
      name: 'credentials',
      needs: 'TLS',
      limitMs: requestMs,
      look: (signal) => lookAtCredentials(makeClient, signal),
    },
  ];
}

/** `'invalid'` if the proxy variable is not an address. */
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

const notConfigured = skipped('cloud', 'no cloud is configured: hostnode reports nothing');

const invalidProxy = failed(
  'proxy',
  'HTTPS_PROXY or HTTP_PROXY is not an address',
  'Set it to an address like http://proxy.example:3128',
);

async function lookAtCredentials(
  makeClient: () => Promise<AgentClient | undefined>,
  signal: AbortSignal,
): Promise<CheckResult> {
  const client = await makeClient();
  if (client === undefined) return skipped('credentials', 'this user cannot read the key', 'Run as root');
  try {
    await client.getDevices({ udid: NOBODY }, signal);
    return ok('credentials', 'the cloud accepts the account and answers GET /devices');
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { failure, said, remedy } = error.trouble;
    return failed('credentials', failure, remedy, omitUndefined({ code: cloudRule.code, said }));
  } finally {
    client.close();
  }
}
