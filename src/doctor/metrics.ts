/** The endpoint to which the metrics are pushed: takes it an empty push, which changes nothing there? */
import type { Environment } from '../base/environment.ts';
import type { OtlpConfig } from '../config/metrics.ts';
import { OtlpClient, PushError } from '../status/metrics/otlp/client.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';

const NAME = 'push';
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
    if (!(error instanceof PushError)) throw error;
    const { failure, said, remedy = '' } = error.trouble;
    return failed(NAME, said === undefined ? failure : `${failure} ("${said}")`, remedy);
  }
}
