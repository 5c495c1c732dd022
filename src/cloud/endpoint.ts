/**
 * An address to which the agent sends what is no report: metrics, or a word when something begins. One request, with the
 * limits of all our HTTP; and why it failed, in words that name the settings.
 */
import { STATUS_CODES } from 'node:http';
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { CloudError, type CloudRequest } from './errors.ts';
import { clause, redirectSeen, retryAfterIn } from './failure.ts';
import { gotEngine } from './got-engine.ts';
import { Http, type HttpResponse } from './http.ts';
import { LONGEST_MESSAGE, type Redact, redactor, shown, wordsIn } from './redaction.ts';

/** An answer tells at most of what was not taken, bytes. */
const LARGEST_ANSWER_BYTES = 64 * 1024;
const CONNECT_MS = 5_000;

/** What messages call the settings, and what is sent. */
export interface EndpointWords {
  readonly code: 'METRICS_NOT_PUSHED' | 'NOT_NOTIFIED';
  /** The section of the settings, with `headersFile` and `caFile`: `metrics.otlp`. */
  readonly key: string;
  /** `metrics.otlp.endpoint`. */
  readonly address: string;
  readonly what: string;
  /** What is wrong with a 2xx that is not one of such an endpoint. */
  readonly stranger: string;
  /** What to check where another service seems to answer. */
  readonly check: string;
}

export interface EndpointOptions {
  url: URL;
  /** Method and address for messages, without what is secret. */
  request: string;
  words: EndpointWords;
  headers: Readonly<Record<string, { reveal(): string }>>;
  contentType: string;
  /** Hidden in what the endpoint says, beside the values of the headers. */
  secrets?: readonly string[];
  /** The authorities to trust instead of the usual ones, PEM. */
  ca?: string | undefined;
  timeoutMs: number;
}

export class Endpoint {
  readonly redact: Redact;
  readonly #options: EndpointOptions;
  readonly #http: Http;

  /**
   * @param env names the proxy
   * @throws {ConfigError} the proxy's address is invalid
   */
  constructor(options: EndpointOptions, env: Environment) {
    const { url, headers, contentType, secrets = [], ca, timeoutMs } = options;
    this.#options = options;
    const revealed = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
    this.redact = redactor([...revealed.flatMap(([, value]) => secretsIn(value)), ...secrets]);
    this.#http = new Http(
      { 'content-type': contentType, ...Object.fromEntries(revealed) },
      {
        engine: gotEngine,
        protocol: url.protocol,
        proxyEnv: env,
        requestTimeoutMs: timeoutMs,
        connectTimeoutMs: Math.min(CONNECT_MS, timeoutMs),
        ...(ca !== undefined && { ca }),
      },
    );
  }

  /**
   * Sends the body, once.
   *
   * @returns the answer, whatever its status
   * @throws {EndpointError} no complete answer; or the signal's reason
   */
  post(body: string | Uint8Array, signal: AbortSignal): Promise<HttpResponse> {
    const { url, request, words } = this.#options;
    return this.#http
      .send({
        ...{ method: 'POST', url, body, signal },
        requested: { request },
        isIdempotent: false, // so it is sent once, on a connection of its own, and no redirect is followed
        largestAnswerBytes: LARGEST_ANSWER_BYTES,
      })
      .catch((error: unknown) => {
        throw error instanceof CloudError ? failureOfWay(error, words) : error;
      });
  }

  /** An answer other than one that says that it was taken. */
  failure({ status, headers, text }: HttpResponse): EndpointError {
    const { url, request, words } = this.#options;
    const seen =
      status >= 400
        ? `${status} ${STATUS_CODES[status] ?? 'unknown status'}`
        : status < 300
          ? `${words.stranger}: ${status}`
          : redirectSeen(status, headers.location, url, this.redact);
    // receivers such as Prometheus say the reason as plain text
    const isPlain = /^text\/plain\b/.test(headers['content-type'] ?? '');
    const said = isPlain
      ? shown(text, this.redact, LONGEST_MESSAGE) || undefined
      : wordsIn(text, this.redact).said;
    const retryAfterMs = retryAfterIn(headers, Date.now());
    const about = { request, status, said, remedy: remedyOf(status, words), retryAfterMs };
    return new EndpointError(words.code, seen, omitUndefined(about));
  }
}

/** A header's value, and what of it may be quoted alone: the token of `Bearer …`, the password of `Basic …`. */
function secretsIn(value: string): string[] {
  const [, scheme = '', token = ''] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const [, password = ''] = /^[^:]*:(.+)$/s.exec(Buffer.from(token, 'base64').toString()) ?? [];
  return [value, token, ...(isBasic ? [password] : [])]; // those that are empty hide nothing
}

/** The endpoint did not take what was sent. */
export class EndpointError extends CloudError {
  readonly code: EndpointWords['code'];

  constructor(code: EndpointWords['code'], seen: string, about: CloudRequest) {
    super(seen, about);
    this.code = code;
  }
}

/** No complete answer: the error of the connection, or of the way to it. */
function failureOfWay({ request, status, trouble }: CloudError, words: EndpointWords): EndpointError {
  const seen = trouble.failure.slice(`${request}: `.length);
  const remedy = clause(trouble.remedy ?? '')
    .replaceAll('the base URL', words.address)
    .replaceAll('cloud.caFile', `${words.key}.caFile`);
  return new EndpointError(words.code, seen, omitUndefined({ request, status, remedy: remedy || undefined }));
}

function remedyOf(status: number, { key, what, check }: EndpointWords): string {
  if (status === 401 || status === 403) return `check the headers (${key}.headersFile)`;
  if (status === 413) return 'ask the administrator of the endpoint to allow larger bodies';
  if (status === 408 || status === 429 || status >= 500)
    return `wait, the endpoint cannot take ${what} now; if that lasts, tell its administrator`;
  if (status === 400 || status === 422) return 'look in the log of the endpoint for the reason';
  return check;
}
