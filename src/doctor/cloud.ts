/** The way to the cloud, step by step: connection, certificate, this host's clock beside the cloud's, credentials. */
import type { Environment, HostKind } from '../base/environment.ts';
import { CloudError } from '../cloud/errors.ts';
import { bareHost, portOf, proxyEnvironment, proxyFor } from '../cloud/proxy.ts';
import { checkAccount } from '../cloud/roots.ts';
import type { CloudConfig } from '../config/load.ts';
import { createCloud } from '../daemon/host-parts.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';
import { type Endpoint, lookAtCertificate, lookAtClock, lookAtConnection, nameOf } from './network.ts';

const MARGIN_MS = 1_000;

export function cloudChecks(cloud: Readonly<CloudConfig>, env: Environment, hostKind: HostKind): Check[] {
  const url = new URL(cloud.baseUrl);
  const proxy = proxyFor(url, env);
  const to: Endpoint = proxy ?? { host: bareHost(url), port: portOf(url) };
  const { connectTimeoutSeconds: seconds } = cloud;
  const limitMs = seconds * 1000;
  const blocked = `Check ${proxy?.variable ?? 'the base URL'}, the DNS of this host, the firewall and the proxy`;
  return [
    {
      name: 'connection',
      limitMs,
      late: failed('connection', `${nameOf(to)}: no connection within ${seconds} s`, blocked),
      look: (signal) => lookAtConnection(to, signal),
    },
    {
      name: 'TLS',
      needs: 'connection',
      limitMs,
      late: failed('TLS', `no TLS connection within ${seconds} s`, blocked),
      look: (signal) => {
        if (url.protocol === 'http:') return skipped('TLS', 'not used: the base URL is http://');
        if (proxy) return skipped('TLS', 'goes through the proxy: see credentials');
        return lookAtCertificate(to, cloud.ca, signal);
      },
    },
    {
      name: 'clock',
      needs: 'connection', // not TLS: a wrong clock is a reason for that to fail
      limitMs: 2 * limitMs,
      late: skipped('clock', 'the cloud sends no time'),
      look: (signal) => {
        const proxyEnv = proxyEnvironment(url.protocol, env);
        return lookAtClock(url, { proxyEnv, tunnelMs: 2 * limitMs }, hostKind, signal);
      },
    },
    {
      name: 'credentials',
      needs: 'TLS',
      limitMs: 2 * (3 * limitMs + cloud.requestTimeoutSeconds * 1000) + MARGIN_MS, // also of the root beside it
      look: (signal) => lookAtCredentials(cloud, env, signal),
    },
  ];
}

async function lookAtCredentials(
  cloud: Readonly<CloudConfig>,
  env: Environment,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (cloud.apiKey.isEmpty) return skipped('credentials', 'this user cannot read the key', 'Run as root');
  try {
    await checkCloud(cloud, env, signal);
    return ok('credentials', 'the cloud accepts the account and answers GET /devices');
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { failure, said, remedy } = error.trouble;
    return failed('credentials', failure, remedy, said);
  }
}

/**
 * Does the cloud accept the account?
 *
 * @throws {CloudError} no, or it cannot be reached; or the signal's reason
 */
export const checkCloud = (
  cloud: Readonly<CloudConfig>,
  env: Environment,
  signal?: AbortSignal,
): Promise<void> =>
  checkAccount(cloud.baseUrl, async (baseUrl, query) => {
    const client = (await createCloud({ cloud: { ...cloud, baseUrl } }, env))?.client;
    await client?.getDevices(query, signal).finally(() => client.close());
  });
