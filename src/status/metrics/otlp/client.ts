/**
 * Sends metrics in OTLP's form to the endpoint, once, with the limits of all our HTTP; and why that failed, in words that
 * name the settings of the push.
 */
import { STATUS_CODES } from 'node:http';
import type { Environment } from '../../../base/environment.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { printable } from '../../../base/printable.ts';
import { version } from '../../../base/version.ts';
import { CloudError } from '../../../cloud/errors.ts';
import { parseHttpDate, parseRetryAfter } from '../../../cloud/failure.ts';
import { gotEngine } from '../../../cloud/got-engine.ts';
import { Http, type HttpResponse } from '../../../cloud/http.ts';
import { LONGEST_MESSAGE, type Redact, redactor, shown, wordsIn } from '../../../cloud/redaction.ts';
import type { OtlpConfig } from '../../../config/metrics.ts';

const ENDPOINT = 'metrics.otlp.endpoint';
const PROTOBUF = 'application/x-protobuf';
/** An answer tells at most of rejected points, bytes. */
const LARGEST_ANSWER_BYTES = 64 * 1024;
const CONNECT_MS = 5_000;

export class OtlpClient {
  readonly #url: URL;
  readonly #request: string;
  readonly #http: Http;
  /** Hides the headers' values in a text. */
  readonly redact: Redact;

  /**
   * @param env names the proxy
   * @throws {ConfigError} the proxy's address is invalid
   */
  constructor({ endpoint, headers = {}, ca, timeoutSeconds }: OtlpConfig, env: Environment) {
    const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
    const requestTimeoutMs = timeoutSeconds * 1000;
    this.#url = new URL(endpoint);
    this.#request = `POST ${printable(endpoint)}`;
    this.redact = redactor(revealed.flatMap(([, value]) => secretsIn(value)));
    this.#http = new Http(
      { 'user-agent': `hostnode/${version}`, 'content-type': PROTOBUF, ...Object.fromEntries(revealed) },
      {
        engine: gotEngine,
        protocol: this.#url.protocol,
        proxyEnv: env,
        requestTimeoutMs,
        connectTimeoutMs: Math.min(CONNECT_MS, requestTimeoutMs),
        ...(ca !== undefined && { ca }),
      },
    );
  }

  /**
   * @param body an ExportMetricsServiceRequest; empty: no metrics, which changes nothing there
   * @param read parses the answer, an ExportMetricsServiceResponse; it may throw
   * @throws {PushError}, or the signal's reason
   */
  async send<T>(body: Uint8Array, read: (answer: Uint8Array) => T, signal: AbortSignal): Promise<T> {
    const answer = await this.#http
      .send({
        ...{ method: 'POST', url: this.#url, requested: { request: this.#request }, body, signal },
        isIdempotent: false, // so it is sent once, on a connection of its own, and no redirect is followed
        largestAnswerBytes: LARGEST_ANSWER_BYTES,
      })
      .catch((error: unknown) => {
        throw error instanceof CloudError ? failureOfWay(error) : error;
      });
    try {
      if (isOfOtlp(answer)) return read(isProtobuf(answer) ? answer.bytes : new Uint8Array());
    } catch {
      // no such message: said below
    }
    throw failureOfAnswer(this.#request, answer, this.redact);
  }
}

/** A header's value, and what of it may be quoted alone: the token of `Bearer …`, the password of `Basic …`. */
function secretsIn(value: string): string[] {
  const [, scheme = '', token = ''] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  if (token === '') return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, token];
  const [, password = ''] = /^[^:]*:(.+)$/s.exec(Buffer.from(token, 'base64').toString()) ?? [];
  return [value, token, ...(password === '' ? [] : [password])];
}

const typeOf = ({ headers }: HttpResponse): string => headers['content-type'] ?? '';
const isProtobuf = (answer: HttpResponse): boolean => typeOf(answer).startsWith(PROTOBUF);

/** A page of another service, in place of an answer, is none. Receivers may leave the answer empty, or write JSON. */
function isOfOtlp(answer: HttpResponse): boolean {
  const { status, bytes, isWhole } = answer;
  if (status < 200 || status >= 300 || !isWhole) return false;
  return bytes.length === 0 || isProtobuf(answer) || typeOf(answer).startsWith('application/json');
}

/** The endpoint did not take the metrics. */
export class PushError extends CloudError {
  readonly code = 'METRICS_NOT_PUSHED';
}

/** No complete answer: the error of the connection, or of the way to it. */
export function failureOfWay({ request, status, trouble }: CloudError): PushError {
  const { failure, remedy = '' } = trouble;
  const named = remedy.replaceAll('the base URL', ENDPOINT).replaceAll('cloud.caFile', 'metrics.otlp.caFile');
  const seen = failure.slice(`${request}: `.length);
  return new PushError(seen, omitUndefined({ request, status, remedy: clause(named) || undefined }));
}

const clause = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/**
 * An answer other than one of OTLP to metrics that were taken.
 *
 * @param request method and address
 */
export function failureOfAnswer(request: string, answer: HttpResponse, redact: Redact): PushError {
  const { status, headers, text } = answer;
  const sentAt = parseHttpDate(headers.date ?? '');
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Number.isNaN(sentAt) ? Date.now() : sentAt);
  // receivers such as Prometheus say the reason as plain text
  const isPlain = /^text\/plain\b/.test(headers['content-type'] ?? '');
  const said = isPlain ? shown(text, redact, LONGEST_MESSAGE) || undefined : wordsIn(text, redact).said;
  const remedy = remedyOf(status);
  return new PushError(
    seenOf(answer, redact),
    omitUndefined({ request, status, said, remedy, retryAfterMs }),
  );
}

function seenOf({ status, headers }: HttpResponse, redact: Redact): string {
  if (status >= 400) return `${status} ${STATUS_CODES[status] ?? 'unknown status'}`;
  if (status < 300) return `the answer is not one of OTLP: ${status}`;
  const target = URL.parse(headers.location ?? '');
  const to =
    target === null ? '' : `: redirects to ${shown(`${target.origin}${target.pathname}`, redact, 200)}`;
  return `${status}, not followed${to}`;
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'check the headers (metrics.otlp.headersFile)';
  if (status === 413) return 'ask the administrator of the endpoint to allow larger bodies';
  if (status === 408 || status === 429 || status >= 500)
    return 'wait, the endpoint cannot take metrics now; if that lasts, tell its administrator';
  if (status === 400 || status === 422) return 'look in the log of the endpoint for the reason';
  return `check ${ENDPOINT}, with its path, and that its OTLP receiver is turned on`;
}
