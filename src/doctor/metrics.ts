/** The endpoint to which the metrics are pushed: takes it an empty push, which changes nothing there? */
import type { Environment } from '../base/environment.ts';
import type { OtlpConfig } from '../config/metrics.ts';
import { OtlpClient } from '../status/metrics/otlp/client.ts';
import { PushError } from '../status/metrics/otlp/push-error.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';

const NAME = 'push';
const MARGIN_MS = 1_000;

/**
 * @param otlp absent where nothing is pushed: then there is nothing to check
 * @param areHeadersHidden this user cannot read the credential that the service may have
 */
export function metricsChecks(
  otlp: OtlpConfig | undefined,
  areHeadersHidden: boolean,
  env: Environment,
): Check[] {
  if (otlp === undefined) return [];
  const limitMs = 2 * otlp.timeoutSeconds * 1000 + MARGIN_MS; // a proxy's tunnel, and the push
  const hidden = skipped(NAME, 'this user cannot read the headers', 'Run as root');
  return [
    { name: NAME, limitMs, look: (signal) => (areHeadersHidden ? hidden : lookAtPush(otlp, env, signal)) },
  ];
}

async function lookAtPush(otlp: OtlpConfig, env: Environment, signal: AbortSignal): Promise<CheckResult> {
  try {
    await new OtlpClient(otlp, env).send(new Uint8Array(), () => {}, signal);
    return ok(NAME, `${otlp.endpoint} takes metrics`);
  } catch (error) {
    if (!(error instanceof PushError)) throw error;
    const { failure, said, remedy = '' } = error.trouble;
    return failed(NAME, said === undefined ? failure : `${failure} ("${said}")`, remedy);
  }
}
