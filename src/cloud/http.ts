import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Got, PlainResponse } from 'got';
import type { Environment } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { CloudRedirectError } from './errors.ts';
import { failureOfConnection, failureOfProxyLogin, failureOfTime, type RequestName } from './failure.ts';
import { proxyEnvironment, proxyFor } from './proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** How long a body that is streamed may make no progress, and its answer may take, ms. */
const STREAM_IDLE_MS = 60_000;
/** Node's default is 16 KiB; gateways may add more than that. */
const LARGEST_HEADERS_BYTES = 128 * 1024;
const MOST_REDIRECTS = 3;

export interface HttpOptions {
  /** The protocol of all requests: `http:` or `https:`. */
  protocol: string;
  /** The CAs to trust instead of the default ones, PEM text. */
  ca?: string;
  /** Time limit for the name look-up, the connection and the TLS handshake, each. Default 5 s. */
  connectTimeoutMs?: number;
  /** Time limit for the whole request; for the upload of a file, for the storage's answer after its start. Default 20 s. */
  requestTimeoutMs?: number;
  /** The source of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, e.g. `process.env`. Without it there is no proxy. */
  proxyEnv?: Environment;
}

export interface HttpRequest {
  method: string;
  url: URL;
  /** For error messages. */
  requested: RequestName;
  /** Besides those of all requests. */
  headers?: Record<string, string>;
  /**
   * Pieces have no time limit as long as they make progress; their length must be in the headers. A piece may change
   * once the next one is asked for.
   */
  body?: string | Uint8Array | AsyncIterable<Buffer>;
  /**
   * It may be sent again: if the server closes an idle connection, or by a 307 or 308 to the same origin. If not, it
   * gets a connection of its own. A stream is never sent again.
   */
  isIdempotent: boolean;
  /** A larger answer is cut off. */
  largestAnswerBytes: number;
  signal?: AbortSignal;
  /** In place of `requestTimeoutMs`. */
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Uint8Array;
  /** The bytes as UTF-8, without a byte order mark. */
  text: string;
  /** False if the answer was larger than its limit: `bytes` and `text` are then its start. */
  isWhole: boolean;
  /** False if the answer came before all pieces of the body were sent. */
  isSent: boolean;
}

/**
 * HTTP with the limits of hostnode. One call sends one request, and more only after a 307 or 308 to the same origin, or
 * if the server has closed an idle connection. It never retries, and limits each wait and the size of the answer.
 * It always verifies certificates and requires TLS 1.2, whatever the environment says.
 */
export class Http {
  readonly #headers: Record<string, string>;
  readonly #agent: { http: HttpAgent; https: TunnelAgent };
  /** For requests that get a connection of their own. */
  readonly #singleAgent: { http: HttpAgent; https: TunnelAgent };
  readonly #env: Environment;
  readonly #connectTimeoutMs: number;
  readonly #requestTimeoutMs: number;

  /**
   * @param headers go with every request, and to no other origin
   * @throws {ConfigError} the environment names a proxy that is no address
   */
  constructor(headers: Record<string, string>, options: HttpOptions) {
    const { ca, protocol } = options;
    // a compressed answer could unpack to any size
    this.#headers = { ...headers, 'accept-encoding': 'identity' };
    const verification = {
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
    } as const;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 20_000;
    this.#env = options.proxyEnv ?? {};
    const proxyEnv = proxyEnvironment(protocol, this.#env);
    const agents = (keepAlive: boolean) => ({
      http: new HttpAgent({ keepAlive, proxyEnv }),
      https: new TunnelAgent({ keepAlive, proxyEnv, ...verification }, this.#requestTimeoutMs),
    });
    this.#agent = agents(true);
    this.#singleAgent = agents(false);
  }

  /**
   * @param isAgain the first try used an idle connection that was closed
   * @throws {CloudUnavailableError} no complete answer in time
   * @throws {CloudUnauthorizedError} the proxy requires a login
   * @throws {CloudRedirectError} too many redirects
   * @throws the signal's reason
   */
  async send(request: HttpRequest, isAgain = false): Promise<HttpResponse> {
    const { method, url, requested, body, isIdempotent, signal } = request;
    // loaded here: most commands never contact the cloud
    const { default: got, RequestError, TimeoutError } = await import('got');
    signal?.throwIfAborted();
    const limitMs = this.#connectTimeoutMs;
    const requestTimeoutMs = request.timeoutMs ?? this.#requestTimeoutMs;
    const isStreamed = typeof body === 'object' && Symbol.asyncIterator in body;
    const isRepeatable = isIdempotent && !isStreamed;
    const stream = got.stream(url, {
      method: method as 'GET', // got sends any, but its types know no DEL
      headers: { ...this.#headers, ...request.headers },
      // without one, got would wait for it
      ...(method !== 'GET' && !isStreamed && bodyOf(body)),
      ...(signal && { signal }),
      agent: isIdempotent ? this.#agent : this.#singleAgent,
      timeout: {
        lookup: limitMs,
        connect: limitMs,
        secureConnect: limitMs,
        ...(isStreamed
          ? { socket: STREAM_IDLE_MS, response: STREAM_IDLE_MS }
          : { request: requestTimeoutMs }),
      },
      retry: { limit: 0 },
      throwHttpErrors: false,
      decompress: false,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      maxRedirects: MOST_REDIRECTS,
      followRedirect: (response) => isRepeatable && isSameOriginRedirect(response),
    });
    let sent: ClientRequest | undefined;
    stream.on('request', (each: ClientRequest) => {
      sent = each;
    });
    let switched: HttpResponse | undefined;
    stream.on('upgrade', ({ statusCode = 101, headers }: IncomingMessage, socket: Duplex) => {
      switched = { status: statusCode, headers, bytes: Buffer.of(), text: '', isWhole: true, isSent: false };
      socket.destroy(); // after an upgrade nobody else closes it
      stream.destroy();
    });
    let ownError: { error: unknown } | undefined;
    const fail = (error: unknown) => {
      ownError ??= { error };
      stream.destroy();
    };
    const writing = isStreamed ? writeAll(stream, body).catch(fail) : true;
    let answering: NodeJS.Timeout | undefined;
    stream.once('response', () => {
      const late = () => fail(failureOfTime(requested, 'answer', requestTimeoutMs, proxyFor(url, this.#env)));
      if (isStreamed) answering = setTimeout(late, requestTimeoutMs);
    });
    try {
      const answer = await readAnswer(stream, request.largestAnswerBytes);
      if (!stream.writableFinished) stream.destroy();
      return { ...answer, isSent: (await writing) === true };
    } catch (error) {
      signal?.throwIfAborted();
      if (switched) return switched;
      if (ownError) throw ownError.error;
      if (!(error instanceof RequestError)) {
        // a connection that is cut while a long body is written: got lets the socket's own error pass
        const code = ['ECONNRESET', 'EPIPE'].find((each) => hasCode(error, each));
        throw code === undefined ? error : failureOfConnection(requested, code, proxyFor(url, this.#env));
      }
      const wasIdle = sent?.reusedSocket && stream.response === undefined;
      if (isRepeatable && !isAgain && wasIdle && isCut(error.code)) return await this.send(request, true);
      const proxy = proxyFor(url, this.#env);
      if (error instanceof TimeoutError) {
        if (error.event === 'request') throw failureOfTime(requested, 'answer', requestTimeoutMs, proxy);
        if (error.event === 'response') throw failureOfTime(requested, 'answer', STREAM_IDLE_MS, proxy);
        if (error.event === 'socket') throw failureOfTime(requested, 'progress', STREAM_IDLE_MS, proxy);
        throw failureOfTime(requested, 'connection', limitMs, proxy);
      }
      if (error.code === 'ERR_TOO_MANY_REDIRECTS') {
        const seen = `redirected more than ${MOST_REDIRECTS} times`;
        throw new CloudRedirectError(seen, { ...requested, remedy: 'check the base URL' });
      }
      throw isProxyLogin(error.cause)
        ? failureOfProxyLogin(requested)
        : failureOfConnection(requested, error.code, proxy);
    } finally {
      clearTimeout(answering);
      // if the answer came before all was sent, the stream would still follow the signal and throw uncaught
      if (!stream.writableFinished) stream.destroy();
      await writing;
    }
  }

  /** Closes the idle connections. Those of running requests close with their answers. */
  close(): void {
    for (const agent of [this.#agent.http, this.#agent.https]) {
      agent.maxFreeSockets = 0;
      for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []))
        socket.destroy();
    }
  }
}

/**
 * A text as got wants it. It is JSON, and given as such: of any other body got asks whether it is a form, and for that
 * Node loads all of its `fetch`, 3 MB.
 */
const bodyOf = (body: string | Uint8Array = '') =>
  typeof body === 'string' && body !== ''
    ? { json: body, stringifyJson: (json: unknown) => String(json) }
    : { body };

/** On an idle connection: the server closed it just as we reused it (RFC 9112, 9.3.1). */
const isCut = (code: string): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Did the proxy require a login before it opened a tunnel? */
const isProxyLogin = (cause: unknown): boolean =>
  hasCode(cause, 'ERR_PROXY_TUNNEL') &&
  typeof cause === 'object' &&
  cause !== null &&
  'statusCode' in cause &&
  cause.statusCode === 407;

/**
 * Writes piece by piece: each is with the system before the next is asked for.
 *
 * @returns false if the answer, or an error of the connection, came before all was sent
 * @throws what the pieces throw
 */
async function writeAll(stream: ReturnType<Got['stream']>, pieces: AsyncIterable<Buffer>): Promise<boolean> {
  const closed = new Promise<false>((resolve) => stream.once('close', () => resolve(false)));
  for await (const piece of pieces) {
    if (stream.destroyed) return false;
    const written = new Promise<boolean>((resolve) => {
      stream.write(piece, (error) => resolve(!error));
    });
    if (!(await Promise.race([written, closed]))) return false;
  }
  stream.end();
  return true;
}

async function readAnswer(
  stream: ReturnType<Got['stream']>,
  largestBytes: number,
): Promise<Omit<HttpResponse, 'isSent'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestBytes) break;
  }
  const { statusCode = 0, headers = {} } = stream.response ?? {};
  const bytes = Buffer.concat(chunks);
  const text = new TextDecoder().decode(bytes); // drops a byte order mark
  return { status: statusCode, headers, bytes, text, isWhole: size <= largestBytes };
}

/** 307 and 308 keep the method and the body; only the same origin may see the credentials. */
function isSameOriginRedirect({ statusCode, headers, url }: PlainResponse): boolean {
  const target = headers.location === undefined ? null : URL.parse(headers.location, url);
  return (statusCode === 307 || statusCode === 308) && target?.origin === new URL(url).origin;
}
