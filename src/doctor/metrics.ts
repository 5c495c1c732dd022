/**
 * Where the agent sends what is no report: takes the metrics' endpoint an empty push, which changes nothing there? Does
 * anything answer at the addresses of `notify`? A message there would be one that people read.
 */
import type { Environment } from '../base/environment.ts';
import { EndpointError } from '../cloud/endpoint.ts';
import type { OtlpConfig } from '../config/metrics.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { OtlpClient } from '../status/metrics/otlp/client.ts';
import { NotifyClient, TIMEOUT_MS } from '../status/notify/client.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';

const MARGIN_MS = 1_000;

/** Sends to an address; `send` says what that is good for. */
const reaches = (name: string, limitMs: number, send: (signal: AbortSignal) => Promise<string>): Check => ({
  name,
  limitMs: 2 * limitMs + MARGIN_MS, // a proxy's tunnel, and the request
  look: async (signal) => {
    try {
      return ok(name, await send(signal));
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      const { failure, said, remedy = '' } = error.trouble;
      return failed(name, said === undefined ? failure : `${failure} ("${said}")`, remedy);
    }
  },
});

/** @param otlp absent where nothing is pushed: then there is nothing to check */
export function metricsChecks(otlp: OtlpConfig | undefined, env: Environment): (Check | CheckResult)[] {
  if (otlp === undefined) return [];
  const isHidden = otlp.headers !== undefined && Object.keys(otlp.headers).length === 0;
  if (isHidden) return [skipped('push', 'this user cannot read the headers', 'Run as root')];
  const push = async (signal: AbortSignal) => {
    await new OtlpClient(otlp, env).send(new Uint8Array(), () => {}, signal);
    return `${otlp.endpoint} takes metrics`;
  };
  return [reaches('push', otlp.timeoutSeconds * 1000, push)];
}

export const notifyChecks = (targets: readonly NotifyTarget[], env: Environment): Check[] =>
  targets.map((target) =>
    reaches('notify', TIMEOUT_MS, async (signal) => {
      await new NotifyClient(target, env).reach(signal);
      return `${target.shown} answers; hostnode notify --test sends it a message`;
    }),
  );
