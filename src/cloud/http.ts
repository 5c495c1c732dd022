import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
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
  /** Time limit for the name look-up, the connection and the TLS handshake together. Default 5 s. */
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
   * @throws {CloudUnavailableError} no complete answer in time
   * @throws {CloudUnauthorizedError} the proxy requires a login
   * @throws {CloudRedirectError} too many redirects
   * @throws the signal's reason
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    let { url } = request;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#exchange(request, url);
      const target = isRepeatable(request) ? redirectTarget(answer, url) : undefined;
      if (target === undefined) return answer;
      if (redirects === MOST_REDIRECTS) {
        const seen = `redirected more than ${MOST_REDIRECTS} times`;
        throw new CloudRedirectError(seen, { ...request.requested, remedy: 'check the base URL' });
      }
      url = target;
    }
  }

  /** @param isAgain the first try used an idle connection that was closed */
  async #exchange(request: HttpRequest, url: URL, isAgain = false): Promise<HttpResponse> {
    const { method, requested, body, isIdempotent, signal } = request;
    signal?.throwIfAborted();
    const isTls = url.protocol === 'https:';
    const agents = isIdempotent ? this.#agent : this.#singleAgent;
    const text = isPieces(body) ? undefined : (body ?? '');
    const length =
      text === undefined || method === 'GET' ? {} : { 'content-length': Buffer.byteLength(text) };
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method,
      agent: isTls ? agents.https : agents.http,
      headers: { ...this.#headers, ...length, ...request.headers },
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      ...(signal && { signal }),
    });
    let ownError: { error: unknown } | undefined;
    const fail = (error: unknown) => {
      ownError ??= { error };
      sent.destroy();
    };
    const late = (stage: 'connection' | 'answer' | 'progress', limitMs: number) => () =>
      fail(failureOfTime(requested, stage, limitMs, proxyFor(url, this.#env)));
    const limitMs = request.timeoutMs ?? this.#requestTimeoutMs;
    let answering = text === undefined ? undefined : setTimeout(late('answer', limitMs), limitMs);
    let connecting: NodeJS.Timeout | undefined;
    sent.once('socket', (socket) => {
      if (!socket.connecting) return; // an idle one, or a tunnel
      connecting = setTimeout(late('connection', this.#connectTimeoutMs), this.#connectTimeoutMs);
      socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject);
      // nobody else closes what becomes of the connection
      sent.once('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      });
    });
    let writing: Promise<boolean> | true = true;
    if (text === undefined) {
      sent.setTimeout(STREAM_IDLE_MS, () =>
        late(sent.writableFinished ? 'answer' : 'progress', STREAM_IDLE_MS)(),
      );
      writing = writeAll(sent, body as AsyncIterable<Buffer>).catch((error) => {
        fail(error);
        return false;
      });
    } else sent.end(text);
    let hasBegun = false;
    try {
      const response = await answered;
      hasBegun = true;
      answering ??= setTimeout(late('answer', limitMs), limitMs);
      const answer = await readAnswer(response, request.largestAnswerBytes);
      if (!sent.writableFinished) sent.destroy();
      return { ...answer, isSent: await writing };
    } catch (error) {
      signal?.throwIfAborted();
      if (ownError) throw ownError.error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const isStale = sent.reusedSocket && !hasBegun && !isAgain && STALE.includes(code);
      if (isStale && isRepeatable(request)) return await this.#exchange(request, url, true);
      throw isProxyLogin(error)
        ? failureOfProxyLogin(requested)
        : failureOfConnection(requested, code, proxyFor(url, this.#env));
    } finally {
      clearTimeout(answering);
      clearTimeout(connecting);
      if (!sent.writableFinished) sent.destroy(); // the answer came before all was sent
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

const isPieces = (body: HttpRequest['body']): body is AsyncIterable<Buffer> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

const isRepeatable = ({ isIdempotent, body }: HttpRequest): boolean => isIdempotent && !isPieces(body);

/** On an idle connection: the server closed it just as we reused it (RFC 9112, 9.3.1). */
const STALE = ['ECONNRESET', 'EPIPE'];

/** Did the proxy require a login before it opened a tunnel? */
const isProxyLogin = (error: unknown): boolean =>
  hasCode(error, 'ERR_PROXY_TUNNEL') &&
  typeof error === 'object' &&
  error !== null &&
  'statusCode' in error &&
  error.statusCode === 407;

/**
 * Writes piece by piece: each is with the system before the next is asked for.
 *
 * @returns false if the answer, or an error of the connection, came before all was sent
 * @throws what the pieces throw
 */
async function writeAll(sent: ClientRequest, pieces: AsyncIterable<Buffer>): Promise<boolean> {
  const closed = new Promise<false>((resolve) => sent.once('close', () => resolve(false)));
  for await (const piece of pieces) {
    if (sent.destroyed) return false;
    const written = new Promise<boolean>((resolve) => {
      sent.write(piece, (error) => resolve(!error));
    });
    if (!(await Promise.race([written, closed]))) return false;
  }
  sent.end();
  return true;
}

async function readAnswer(
  response: IncomingMessage,
  largestBytes: number,
): Promise<Omit<HttpResponse, 'isSent'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestBytes) break;
  }
  const { statusCode = 0, headers } = response;
  const bytes = Buffer.concat(chunks);
  const text = new TextDecoder().decode(bytes); // drops a byte order mark
  return { status: statusCode, headers, bytes, text, isWhole: size <= largestBytes };
}

/** 307 and 308 keep the method and the body; only the same origin may see the credentials. */
function redirectTarget({ status, headers: { location } }: HttpResponse, from: URL): URL | undefined {
  const target = location === undefined ? null : URL.parse(location, from.href);
  return (status === 307 || status === 308) && target?.origin === from.origin ? target : undefined;
}
