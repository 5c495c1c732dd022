/** The way to the cloud: sends one prepared request, and returns the answer that its operation documents. */
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { parseJson } from '../base/errors.ts';
import { jsonInTurns } from '../base/json-in-turns.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { AnswerOf, Operation } from './contract/operation.ts';
import { WrongElement } from './contract/values.ts';
import {
  CloudAnswerError,
  CloudAnswerTooLongError,
  CloudArgumentError,
  CloudRedirectError,
} from './errors.ts';
import { failureOfStatus, redirectSeen } from './failure.ts';
import { Http, type HttpOptions, type HttpResponse } from './http.ts';
import { type Redact, redactor, wordsIn } from './redaction.ts';
import type { PreparedRequest, SendOptions } from './request.ts';
import { rootsOf } from './roots.ts';

export interface ConnectionOptions extends Omit<HttpOptions, 'protocol'> {
  /** The API's v1 root, e.g. `https://cloud.example/v1`: no credentials, no query. */
  baseUrl: string;
  /** The v2 root. Default: the v1 root, with `v2` as its last part. */
  v2BaseUrl?: string;
  /** User name or e-mail address. */
  username: string;
  apiKey: string;
  /** The method that removes a tag. Default `DEL`, as the API writes it. */
  untagMethod?: 'DEL' | 'DELETE';
  /** Is called before each request, further attempts included; it may add headers. What it throws ends the call. */
  onRequest?: (request: SentRequest) => void | Promise<void>;
  /** Is called after each answer, whatever its status. What it throws ends the call. */
  onAnswer?: (answer: ReceivedAnswer) => void | Promise<void>;
}

/** A request that is about to be sent: without credentials and body. */
export interface SentRequest {
  /** The operation's id, e.g. `apps.list`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** More headers to send. */
  readonly headers: Record<string, string>;
}

/** An answer as it came. */
export interface ReceivedAnswer extends Omit<SentRequest, 'headers'> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From the request to the end of the answer. */
  readonly durationMs: number;
}

/** A larger answer is cut off, MiB. An answer to a reading request may be a whole list. */
const largestAnswerMiB = ({ isSafe }: Operation): number => (isSafe ? 64 : 1);

/** Sends a request once. It throws a `CloudError`, whose class says what helps, or the signal's reason. */
export class CloudConnection {
  readonly #roots: ReturnType<typeof rootsOf>;
  readonly #untagMethod: string;
  readonly #redact: Redact;
  readonly #http: Http;
  readonly #hooks: Pick<ConnectionOptions, 'onRequest' | 'onAnswer'>;

  /** @throws {ConfigError} the proxy's address is invalid */
  constructor(options: ConnectionOptions) {
    const { baseUrl, v2BaseUrl, username, apiKey, untagMethod = 'DEL', ...http } = options;
    this.#hooks = options;
    const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
    this.#roots = rootsOf(baseUrl, v2BaseUrl);
    this.#untagMethod = untagMethod;
    this.#redact = redactor([credentials, apiKey]);
    this.#http = new Http(
      { accept: 'application/json', authorization: `Basic ${credentials}` },
      { protocol: new URL(baseUrl).protocol, ...http },
    );
  }

  get redact(): Redact {
    return this.#redact;
  }

  /**
   * The method and the address of a request.
   *
   * @throws {CloudArgumentError} the address of v2 is not known
   */
  addressOf({ operation, path, query }: PreparedRequest): { method: string; url: URL } {
    const root = this.#roots[operation.api];
    if (root === undefined) {
      const problem = 'set v2BaseUrl: the base URL does not end with /v1, so the address of v2 is not known';
      throw new CloudArgumentError(operation.id, [problem]);
    }
    const method = operation.method === 'DEL' ? this.#untagMethod : operation.method;
    const url = new URL(`${root}${path}`);
    url.search = query.toString();
    return { method, url };
  }

  async send<O extends Operation>(
    request: PreparedRequest<O>,
    options: SendOptions = {},
  ): Promise<AnswerOf<O>> {
    const { requested, redact, mostMiB, answer } = await this.#exchange(request, options);
    return readAnswer(request.operation, answer, requested, redact, mostMiB);
  }

  /** All that came, if its status is a success. */
  async sendRaw(request: PreparedRequest, options: SendOptions = {}): Promise<HttpResponse> {
    const { requested, mostMiB, answer } = await this.#exchange(request, options);
    if (answer.isWhole) return answer;
    const { status } = answer;
    throw new CloudAnswerTooLongError(`${status}, the answer is over ${mostMiB} MiB`, {
      ...requested,
      status,
    });
  }

  async #exchange(request: PreparedRequest, { signal, timeoutMs }: SendOptions) {
    const { operation, body, hide } = request;
    const { method, url } = this.addressOf(request);
    const redact: Redact = (text) => this.#redact(hide(text));
    const requested = { request: `${method} ${shownAddress(url)}`, operation: operation.id };
    const mostMiB = request.largestAnswerMiB ?? largestAnswerMiB(operation);
    const json = body && (await jsonInTurns(body));
    const about = { operation: operation.id, method, url: url.href };
    const ownHeaders: Record<string, string> = {};
    await this.#hooks.onRequest?.({ ...about, headers: ownHeaders });
    const startedAt = performance.now();
    const answer = await this.#http.send({
      method,
      url,
      requested,
      isIdempotent: operation.isIdempotent,
      headers: { ...ownHeaders, ...(json !== undefined && { 'content-type': 'application/json' }) },
      largestAnswerBytes: mostMiB * 1024 * 1024,
      ...omitUndefined({ body: json, signal, timeoutMs }),
    });
    const { status, headers } = answer;
    await this.#hooks.onAnswer?.({ ...about, status, headers, durationMs: performance.now() - startedAt });
    if (status >= 300 && status < 400) {
      const seen = redirectSeen(status, headers.location, url, redact);
      throw new CloudRedirectError(seen, { ...requested, status, remedy: 'check the base URL' });
    }
    if (status >= 400) {
      const failed = { request: requested.request, operation, status, headers, body: answer.text };
      throw failureOfStatus(failed, redact, Date.now());
    }
    return { requested, redact, mostMiB, answer };
  }

  close(): void {
    this.#http.close();
  }
}

/** Any 2xx is a success; where the API documents a body, it must be one. */
function readAnswer<O extends Operation>(
  operation: O,
  { status, text, isWhole }: HttpResponse,
  requested: { request: string; operation: string },
  redact: Redact,
  mostMiB: number,
): AnswerOf<O> {
  const { answer: schema, isAnswerSecret } = operation;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && schema === undefined) return undefined as AnswerOf<O>;
  const answer = isSuccess && isWhole ? answerOf(schema, valueIn(text)) : undefined;
  if (answer !== undefined) return answer as AnswerOf<O>;
  const limit = isWhole ? '' : `, over ${mostMiB} MiB`;
  const { said, kind } = wordsIn(text, redact);
  const seen = `the answer is not one of this API: ${status}${limit}${kind === undefined ? '' : `, ${kind}`}`;
  const about = { ...requested, status, remedy: 'check the base URL' };
  const shownWords = isAnswerSecret || said === undefined ? {} : { said };
  throw new (isWhole ? CloudAnswerError : CloudAnswerTooLongError)(seen, { ...about, ...shownWords });
}

const shownAddress = ({ origin, pathname }: URL): string => printable(`${origin}${pathname}`);

/** Digits that may be a number above 2^53. */
const MAYBE_LARGE = /\d{16}/;

/** The value of a JSON text; a whole number that JavaScript cannot hold stays as it is written, as text. */
export function valueIn(text: string): unknown {
  if (!MAYBE_LARGE.test(text)) return parseJson(text);
  return parseJson(text, (_, value: unknown, { source = '' }: { source?: string } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value,
  );
}

/** The value as its schema has it; undefined for one that is not of this schema. */
function answerOf(schema: z.ZodType | undefined, value: unknown): unknown {
  try {
    return schema?.safeParse(value).data;
  } catch (error) {
    if (error instanceof WrongElement) return undefined;
    throw error;
  }
}
