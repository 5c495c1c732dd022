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
/** Node would take 16 KiB; what gateways add to an answer of the cloud may be more. */
const LARGEST_HEADERS_BYTES = 128 * 1024;
const MOST_REDIRECTS = 3;

export interface HttpOptions {
  /** Of the addresses that will be asked: `http:` or `https:`. */
  protocol: string;
  /** The authorities to trust instead of the usual ones, PEM text. */
  ca?: string;
  /** Time limit for the name look-up, the connection and the TLS handshake, each. Default 5 s. */
  connectTimeoutMs?: number;
  /** Time limit for the whole request. Default 20 s. */
  requestTimeoutMs?: number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read. Default: the environment of the process. */
  proxyEnv?: NodeJS.ProcessEnv;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** False when the answer was larger than 1 MiB: `text` is then its beginning. */
  isWhole: boolean;
}

/**
 * HTTP as hostnode wants it: one request a call (more only where the same origin redirects with 307 or 308, or a
 * connection that was kept open turns out to be closed), never a retry; every wait is bounded, and so is the answer.
 * Certificates are always verified, TLS is 1.2 or newer, whatever the environment says.
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
   * @param request method, origin and path, for the errors
   * @param json the body
   * @param isAgain the connection that was to be used turned out to be closed
   * @throws {CloudUnavailableError} no whole answer in time
   * @throws {CloudUnauthorizedError} the proxy asks for credentials
   * @throws {CloudRedirectError} redirected too often
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
    // loaded here: most commands never speak to the cloud
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
      socket.destroy(); // it is nobody else's from here on
      stream.destroy();
    });
    try {
      return await readAnswer(stream);
    } catch (error) {
      signal?.throwIfAborted();
      if (switched) return switched;
      if (!(error instanceof RequestError)) throw error;
      if (!isAgain && sent?.reusedSocket && isCut(error.code) && stream.response === undefined)
        return await this.send(method, url, request, json, signal, true); // GET and PUT: twice is once
      const proxy = proxyFor(url, this.#env);
      if (error instanceof TimeoutError) {
        throw error.event === 'request'
          ? failureOfTime(request, 'answer', this.#requestTimeoutMs, proxy)
          : failureOfTime(request, 'connection', limitMs, proxy);
      }
      if (error.code === 'ERR_TOO_MANY_REDIRECTS') {
        throw new CloudRedirectError(`redirected more than ${MOST_REDIRECTS} times; check the base URL`, {
          request,
        });
      }
      throw isProxyLogin(error.cause)
        ? failureOfProxyLogin(request)
        : failureOfConnection(request, error.code, proxy);
    } finally {
      // answered before it was sent to the end, it would still listen to the signal, and throw where nobody catches
      if (!stream.writableFinished) stream.destroy();
    }
  }

  /** Closes the connections that are kept open between requests. */
  close(): void {
    this.#agent.http.destroy();
    this.#agent.https.destroy();
  }
}

/** On a connection that was kept open it means that the server closed it just as it was used again (RFC 9112, 9.3.1). */
const isCut = (code: string): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Did the proxy ask for credentials before it let us through to an https address? */
const isProxyLogin = (cause: unknown): boolean =>
  hasCode(cause, 'ERR_PROXY_TUNNEL') &&
  typeof cause === 'object' &&
  cause !== null &&
  'statusCode' in cause &&
  cause.statusCode === 407;

/** Reads an answer, up to the largest size allowed. */
async function readAnswer(stream: ReturnType<Got['stream']>): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_ANSWER_BYTES) break;
  }
  const { statusCode = 0, headers = {} } = stream.response ?? {};
  const text = new TextDecoder().decode(Buffer.concat(chunks)); // without the byte order mark that some put before it
  return { status: statusCode, headers, text, isWhole: size <= LARGEST_ANSWER_BYTES };
}

/** 307 and 308 keep the method and the body; only the same origin may see the credentials. */
function isSameOriginRedirect({ statusCode, headers, url }: PlainResponse): boolean {
  const target = headers.location === undefined ? null : URL.parse(headers.location, url);
  return (statusCode === 307 || statusCode === 308) && target?.origin === new URL(url).origin;
}
