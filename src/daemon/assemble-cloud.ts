/** Builds the cloud client from the configuration. Loaded only if we report: it takes a fifth of the start-up time. */

import type { Environment } from '../base/environment.ts';
import { AgentClient } from '../cloud/agent-client.ts';
import { Delivery } from '../cloud/delivery.ts';
import type { Config } from '../config/load.ts';

/**
 * @param env names the proxy
 * @returns undefined if no cloud is configured
 * @throws {ConfigError} the proxy's address is invalid
 */
export function assembleCloud(
  { cloud }: Config,
  env: Environment = process.env,
): { client: AgentClient; delivery: Delivery } | undefined {
  if (cloud === undefined) return undefined;
  const client = new AgentClient({
    baseUrl: cloud.baseUrl,
    username: cloud.username,
    apiKey: cloud.apiKey.reveal(),
    proxyEnv: env,
    connectTimeoutMs: cloud.connectTimeoutSeconds * 1000,
    requestTimeoutMs: cloud.requestTimeoutSeconds * 1000,
    ...(cloud.ca !== undefined && { ca: cloud.ca }),
  });
  return { client, delivery: new Delivery(client) };
}
