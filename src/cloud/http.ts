import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Got, PlainResponse } from 'got';
import { hasCode } from '../base/errors.ts';
import { CloudRedirectError } from './errors.ts';
import { failureOfConnection, failureOfProxyLogin, failureOfTime } from './failure.ts';
import { proxyEnvironment, proxyFor } from './proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** An answer larger than this is cut off, bytes. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;
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
  /** Time limit for the whole request. Default 20 s. */
  requestTimeoutMs?: number;
  /** The source of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Default: the environment of the process. */
  proxyEnv?: NodeJS.ProcessEnv;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** False if the answer was larger than 1 MiB: `text` is then its start. */
  isWhole: boolean;
}

/**
 * HTTP with the limits of hostnode. One call sends one request, and more only after a 307 or 308 to the same origin, or
 * if the server has closed an idle connection. It never retries, and limits each wait and the size of the answer.
 * It always verifies certificates and requires TLS 1.2, whatever the environment says.
 */
export class Http {
  readonly #headers: Record<string, string>;
  readonly #agent: { http: HttpAgent; https: TunnelAgent };
  readonly #env: NodeJS.ProcessEnv;
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
    this.#agent = {
      http: new HttpAgent({ keepAlive: true, proxyEnv }),
      https: new TunnelAgent({ keepAlive: true, proxyEnv, ...verification }, this.#requestTimeoutMs),
    };
  }

  /**
   * @param request method, origin and path, for error messages
   * @param json the body
   * @param isAgain the first try used an idle connection that was closed
   * @throws {CloudUnavailableError} no complete answer in time
   * @throws {CloudUnauthorizedError} the proxy requires a login
   * @throws {CloudRedirectError} too many redirects
   * @throws the signal's reason
   */
  async send(
    method: 'GET' | 'PUT',
    url: URL,
    request: string,
    json: string | undefined,
    signal?: AbortSignal,
    isAgain = false,
  ): Promise<HttpResponse> {
    // loaded here: most commands never contact the cloud
    const { default: got, RequestError, TimeoutError } = await import('got');
    signal?.throwIfAborted();
    const limitMs = this.#connectTimeoutMs;
    const stream = got.stream(url, {
      method,
      headers: json === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' },
      ...(json !== undefined && { body: json }),
      ...(signal && { signal }),
      agent: this.#agent,
      timeout: { lookup: limitMs, connect: limitMs, secureConnect: limitMs, request: this.#requestTimeoutMs },
      retry: { limit: 0 },
      throwHttpErrors: false,
      decompress: false,
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      maxRedirects: MOST_REDIRECTS,
      followRedirect: isSameOriginRedirect,
    });
    let sent: ClientRequest | undefined;
    stream.on('request', (each: ClientRequest) => {
      sent = each;
    });
    let switched: HttpResponse | undefined;
    stream.on('upgrade', ({ statusCode = 101, headers }: IncomingMessage, socket: Duplex) => {
      switched = { status: statusCode, headers, text: '', isWhole: true };
      socket.destroy(); // after an upgrade nobody else closes it
      stream.destroy();
    });
    try {
      return await readAnswer(stream);
    } catch (error) {
      signal?.throwIfAborted();
      if (switched) return switched;
      if (!(error instanceof RequestError)) throw error;
      if (!isAgain && sent?.reusedSocket && isCut(error.code) && stream.response === undefined)
        return await this.send(method, url, request, json, signal, true); // GET and PUT are idempotent
      const proxy = proxyFor(url, this.#env);
      if (error instanceof TimeoutError) {
        throw error.event === 'request'
          ? failureOfTime(request, 'answer', this.#requestTimeoutMs, proxy)
          : failureOfTime(request, 'connection', limitMs, proxy);
      }
      if (error.code === 'ERR_TOO_MANY_REDIRECTS') {
        throw new CloudRedirectError(`redirected more than ${MOST_REDIRECTS} times`, {
          request,
          remedy: 'check the base URL',
        });
      }
      throw isProxyLogin(error.cause)
        ? failureOfProxyLogin(request)
        : failureOfConnection(request, error.code, proxy);
    } finally {
      // if the answer came before all was sent, the stream would still follow the signal and throw uncaught
      if (!stream.writableFinished) stream.destroy();
    }
  }

  /** Closes the idle connections. */
  close(): void {
    this.#agent.http.destroy();
    this.#agent.https.destroy();
  }
}

/** On an idle connection: the server closed it just as we reused it (RFC 9112, 9.3.1). */
const isCut = (code: string): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Did the proxy require a login before it opened a tunnel? */
const isProxyLogin = (cause: unknown): boolean =>
  hasCode(cause, 'ERR_PROXY_TUNNEL') &&
  typeof cause === 'object' &&
  cause !== null &&
  'statusCode' in cause &&
  cause.statusCode === 407;

/** Reads an answer up to `LARGEST_ANSWER_BYTES`. */
async function readAnswer(stream: ReturnType<Got['stream']>): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_ANSWER_BYTES) break;
  }
  const { statusCode = 0, headers = {} } = stream.response ?? {};
  const text = new TextDecoder().decode(Buffer.concat(chunks)); // drops a byte order mark
  return { status: statusCode, headers, text, isWhole: size <= LARGEST_ANSWER_BYTES };
}

/** 307 and 308 keep the method and the body; only the same origin may see the credentials. */
function isSameOriginRedirect({ statusCode, headers, url }: PlainResponse): boolean {
  const target = headers.location === undefined ? null : URL.parse(headers.location, url);
  return (statusCode === 307 || statusCode === 308) && target?.origin === new URL(url).origin;
}
