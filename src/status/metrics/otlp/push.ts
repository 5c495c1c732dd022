/**
 * Pushes the metrics by OTLP/HTTP. Each push has all metrics as they are then: one that fails is dropped, and the next
 * one makes up for it.
 */
import { offsetShare, placeAfter } from '../../../agent/schedule.ts';
import type { Environment } from '../../../base/environment.ts';
import { attempt } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { OutageLog } from '../../../base/outage-log.ts';
import { printable } from '../../../base/printable.ts';
import { sleep } from '../../../base/time.ts';
import { version } from '../../../base/version.ts';
import { Endpoint, EndpointError, type EndpointWords } from '../../../cloud/endpoint.ts';
import { shown } from '../../../cloud/redaction.ts';
import type { OtlpConfig } from '../../../config/metrics.ts';
import type { Metrics } from '../metrics.ts';

const PROTOBUF = 'application/x-protobuf';
/** How much of the endpoint's words the log shows, characters. */
const LONGEST_WORDS = 200;

/** What messages call the settings of the push. */
export const otlpWords: EndpointWords = {
  code: 'METRICS_NOT_PUSHED',
  key: 'metrics.otlp',
  address: 'metrics.otlp.endpoint',
  what: 'metrics',
  stranger: 'the answer is not one of OTLP',
  check: 'check metrics.otlp.endpoint, with its path, and that its OTLP receiver is turned on',
};

export interface OtlpPushOptions {
  config: OtlpConfig;
  nodeId: string;
  hostName: string;
  metrics: Pick<Metrics, 'families' | 'countsSince'>;
  /** Names the proxy. */
  env: Environment;
  log: Logger;
}

/**
 * Pushes from now on.
 *
 * @returns pushes no more; a push that is under way is given up
 * @throws {ConfigError} the proxy's address is invalid
 */
export async function startPush(options: OtlpPushOptions): Promise<() => void> {
  const { config, nodeId, hostName, metrics, env, log } = options;
  const { otlpEncoder, rejectionIn } = await import('./encoder.ts');
  const endpoint = otlpEndpoint(config, env);
  const encode = otlpEncoder(metrics, { nodeId, hostName, version });
  const outage = new OutageLog();
  const rejections = new OutageLog();
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Never throws. */
  const push = async () => {
    try {
      const { body, taken } = await encode();
      const rejection = await sendOtlp(endpoint, body, rejectionIn, signal);
      taken();
      if (outage.end()) log.info('the metrics are pushed again');
      if (rejection === undefined) {
        if (rejections.end()) log.info('the endpoint takes all metrics again');
      } else if (rejections.begin('rejected')) {
        const said = shown(rejection.message, endpoint.redact, LONGEST_WORDS);
        log.warn({ points: rejection.points, said }, 'the endpoint rejects some of the metrics');
      }
    } catch (error) {
      if (!signal.aborted && outage.begin(kindOf(error)))
        log.warn({ err: error }, 'the metrics are not pushed');
    }
  };
  /** One that is slower than the period is waited for. */
  const pushOnAndOn = async () => {
    for (;;) {
      await sleep(msToNextPush(nodeId, config.everySeconds * 1000, Date.now()), signal);
      if (signal.aborted) return;
      await push();
    }
  };
  void pushOnAndOn();
  return () => stopping.abort();
}

/**
 * How long until this host pushes next, ms. It has the same place in the period as its report has in its own, and half a
 * period later: then the round that collects the phones is done.
 */
export const msToNextPush = (nodeId: string, periodMs: number, now: number): number =>
  placeAfter(now, offsetShare(nodeId) + 0.5, periodMs) - now;

/** The kind of a failure: an answer's status, whatever its text; without a status, the text. */
const kindOf = (error: unknown): string =>
  error instanceof EndpointError && error.status !== undefined ? String(error.status) : String(error);

/**
 * @param env names the proxy
 * @throws {ConfigError} the proxy's address is invalid
 */
export const otlpEndpoint = (
  { endpoint, headers = {}, ca, timeoutSeconds }: OtlpConfig,
  env: Environment,
): Endpoint =>
  new Endpoint(
    {
      url: new URL(endpoint),
      request: `POST ${printable(endpoint)}`,
      words: otlpWords,
      headers,
      contentType: PROTOBUF,
      ca,
      timeoutMs: timeoutSeconds * 1000,
    },
    env,
  );

/**
 * @param body an ExportMetricsServiceRequest; empty: no metrics, which changes nothing there
 * @param read parses the answer, an ExportMetricsServiceResponse; it may throw
 * @throws {EndpointError}, or the signal's reason
 */
export async function sendOtlp<T>(
  endpoint: Endpoint,
  body: Uint8Array,
  read: (answer: Uint8Array) => T,
  signal: AbortSignal,
): Promise<T> {
  const answer = await endpoint.post(body, signal);
  const { status, bytes, isWhole, headers } = answer;
  const { 'content-type': type = '' } = headers;
  const isProtobuf = type.startsWith(PROTOBUF);
  // receivers may leave the answer empty, or write JSON; a page of another service, in place of an answer, is none
  const isOfOtlp = isProtobuf || bytes.length === 0 || type.startsWith('application/json');
  const isTaken = status >= 200 && status < 300 && isWhole && isOfOtlp;
  const found = isTaken && attempt(() => [read(isProtobuf ? bytes : new Uint8Array())] as const);
  if (!found) throw endpoint.failure(answer);
  return found[0];
}
