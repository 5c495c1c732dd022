/** Does the metrics' endpoint take an empty push, which changes nothing there? */
import type { Environment } from '../base/environment.ts';
import { EndpointError } from '../cloud/endpoint.ts';
import type { OtlpConfig } from '../config/metrics.ts';
import { OtlpClient } from '../status/metrics/otlp/client.ts';
import { type Check, type CheckResult, failed, ok, skipped } from './check.ts';

const PUSH = 'push';
const MARGIN_MS = 1_000;

/** @param otlp absent where nothing is pushed: then there is nothing to check */
export function metricsChecks(otlp: OtlpConfig | undefined, env: Environment): (Check | CheckResult)[] {
  if (otlp === undefined) return [];
  const isHidden = otlp.headers !== undefined && Object.keys(otlp.headers).length === 0;
  if (isHidden) return [skipped(PUSH, 'this user cannot read the headers', 'Run as root')];
  const limitMs = 2 * otlp.timeoutSeconds * 1000 + MARGIN_MS; // a proxy's tunnel, and the request
  const look = async (signal: AbortSignal) => {
    try {
      await new OtlpClient(otlp, env).send(new Uint8Array(), () => {}, signal);
      return ok(PUSH, `${otlp.endpoint} takes metrics`);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      const { failure, said, remedy = '' } = error.trouble;
      return failed(PUSH, said === undefined ? failure : `${failure} ("${said}")`, remedy);
    }
  };
  return [{ name: PUSH, limitMs, look }];
}
