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

const NAME = 'push';
const NOTIFY = 'notify';
const MARGIN_MS = 1_000;

/** @param otlp absent where nothing is pushed: then there is nothing to check */
export function metricsChecks(otlp: OtlpConfig | undefined, env: Environment): Check[] {
  if (otlp === undefined) return [];
  const limitMs = 2 * otlp.timeoutSeconds * 1000 + MARGIN_MS; // a proxy's tunnel, and the push
  return [{ name: NAME, limitMs, look: (signal) => lookAtPush(otlp, env, signal) }];
}

async function lookAtPush(otlp: OtlpConfig, env: Environment, signal: AbortSignal): Promise<CheckResult> {
  const isHidden = otlp.headers !== undefined && Object.keys(otlp.headers).length === 0;
  if (isHidden) return skipped(NAME, 'this user cannot read the headers', 'Run as root');
  try {
    await new OtlpClient(otlp, env).send(new Uint8Array(), () => {}, signal);
    return ok(NAME, `${otlp.endpoint} takes metrics`);
  } catch (error) {
    return notTaken(NAME, error);
  }
}

export const notifyChecks = (targets: readonly NotifyTarget[], env: Environment): Check[] =>
  targets.map((target) => ({
    name: NOTIFY,
    limitMs: 2 * TIMEOUT_MS + MARGIN_MS,
    look: (signal) => lookAtTarget(target, env, signal),
  }));

async function lookAtTarget(
  target: NotifyTarget,
  env: Environment,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    await new NotifyClient(target, env).reach(signal);
    return ok(NOTIFY, `${target.shown} answers; hostnode notify --test sends it a message`);
  } catch (error) {
    return notTaken(NOTIFY, error);
  }
}

function notTaken(name: string, error: unknown): CheckResult {
  if (!(error instanceof EndpointError)) throw error;
  const { failure, said, remedy = '' } = error.trouble;
  return failed(name, said === undefined ? failure : `${failure} ("${said}")`, remedy);
}
