import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Duplex, Readable, type Writable } from 'node:stream';
import type { Environment } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { version } from '../base/version.ts';
import { CloudRedirectError } from './errors.ts';
import {
  codeOf,
  failureOfConnection,
  failureOfProxyLogin,
  failureOfTime,
  type RequestName,
} from './failure.ts';
import { proxyEnvironment, proxyFor } from './proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

/** How long a body that is streamed may make no progress, and its answer may take, ms. */
const STREAM_IDLE_MS = 60_000;
/** Node's default is 16 KiB; gateways may add more than that. */
const LARGEST_HEADERS_BYTES = 128 * 1024;
const MOST_REDIRECTS = 3;

/** What a request waited for when its time was over. */
export type Stage = 'connection' | 'answer' | 'progress';

export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body; undefined for none, and where it is streamed. */
  readonly body: string | Uint8Array | undefined;
  /** The body is written to the engine's stream, piece by piece. */
  readonly isStreamed: boolean;
  readonly agent: { readonly http: HttpAgent; readonly https: TunnelAgent };
  readonly maxHeaderSize: number;
  /** For the name look-up, the connection and the TLS handshake, each. */
  readonly connectMs: number;
  /** From the start to the end of the answer; where the body is streamed, without any progress. */
  readonly limitMs: number;
  /** To be called when a limit has passed. It ends the stream. */
  readonly late: (stage: Stage) => void;
}

/**
 * A request on its way: emits `response`, `upgrade`, `error` and `close` as Node's requests do. Where it can be read, that is the
 * body of the answer. To destroy it ends the exchange.
 */
export type Sent = Writable & { readonly reusedSocket?: boolean | undefined };

/** Sends one request, and reads its answer: without redirects, repeats and a thought on the status. */
export type Engine = (exchange: Exchange) => Sent | Promise<Sent>;

export interface HttpOptions {
  engine: Engine;
  /** The protocol of all requests: `http:` or `https:`. */
  protocol: string;
  /** For the User-Agent. Default: hostnode and its version. */
  userAgent?: string;
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
  readonly #engine: Engine;
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
    const { ca, protocol, userAgent = `hostnode/${version}` } = options;
    this.#engine = options.engine;
    // a compressed answer could unpack to any size
    this.#headers = { 'user-agent': userAgent, ...headers, 'accept-encoding': 'identity' };
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
      https: new TunnelAgent({ keepAlive, ...verification }, this.#env, this.#requestTimeoutMs),
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
    const isStreamed = isPieces(body);
    const answerMs = request.timeoutMs ?? this.#requestTimeoutMs;
    const connectMs = this.#connectTimeoutMs;
    const limitMs = isStreamed ? STREAM_IDLE_MS : answerMs;
    const proxy = () => proxyFor(url, this.#env);
    const { promise: answered, resolve, reject } = Promise.withResolvers<Answer>();
    answered.catch(() => {}); // it may fail before anybody waits for it
    let stream: Sent | undefined;
    let ownError: { error: unknown } | undefined;
    const fail = (error: unknown) => {
      ownError ??= { error };
      reject(error);
      stream?.destroy();
    };
    const stop = () => fail(signal?.reason);
    signal?.addEventListener('abort', stop);
    const late = (stage: Stage, afterMs = stage === 'connection' ? connectMs : limitMs) =>
      fail(failureOfTime(requested, stage, afterMs, proxy()));
    let hasBegun = false;
    let writing: Promise<boolean> | true = true;
    let answering: NodeJS.Timeout | undefined;
    try {
      const sent = await this.#engine({
        ...{ method, url, isStreamed, connectMs, limitMs, late },
        headers: { ...this.#headers, ...request.headers },
        body: isStreamed || ['GET', 'HEAD'].includes(method) ? undefined : (body ?? ''),
        agent: isIdempotent ? this.#agent : this.#singleAgent,
        maxHeaderSize: LARGEST_HEADERS_BYTES,
      });
      stream = sent;
      const cut = Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' });
      stream.on('error', reject).once('close', () => reject(cut));
      stream.once('response', (head) => resolve({ head, body: sent instanceof Readable ? sent : head }));
      stream.once('upgrade', (head, socket: Duplex) => {
        resolve({ head, body: [] });
        socket.destroy(); // nobody else closes what became of the connection
        stream?.destroy();
      });
      if (ownError) stream.destroy();
      else if (isStreamed)
        writing = writeAll(stream, body)
          .catch(fail)
          .then((isSent) => isSent === true);
      const came = await answered;
      hasBegun = true;
      if (isStreamed) answering = setTimeout(() => late('answer', answerMs), answerMs);
      const answer = await readAnswer(came, request.largestAnswerBytes);
      if (!stream.writableFinished) stream.destroy();
      return { ...answer, isSent: await writing };
    } catch (error) {
      if (ownError) throw ownError.error;
      const code = codeOf(error as NodeJS.ErrnoException);
      if (code === undefined) throw error;
      const isStale = stream?.reusedSocket && !hasBegun && STALE.includes(code);
      if (isStale && !isAgain && isRepeatable(request)) return await this.#exchange(request, url, true);
      throw isProxyLogin(error)
        ? failureOfProxyLogin(requested)
        : failureOfConnection(requested, code, proxy());
    } finally {
      clearTimeout(answering);
      signal?.removeEventListener('abort', stop);
      if (stream?.writableFinished === false) stream.destroy(); // the answer came before all was sent
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

/** Did the proxy require a login before it opened a tunnel? An engine may have Node's error as the cause of its own. */
const isProxyLogin = (error: unknown): boolean =>
  [error, (error as Error).cause].some(
    (each) => hasCode(each, 'ERR_PROXY_TUNNEL') && (each as { statusCode?: number }).statusCode === 407,
  );

/**
 * Writes piece by piece: each is with the system before the next is asked for.
 *
 * @returns false if the answer, or an error of the connection, came before all was sent
 * @throws what the pieces throw
 */
async function writeAll(stream: Writable, pieces: AsyncIterable<Buffer>): Promise<boolean> {
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

interface Answer {
  head: IncomingMessage;
  body: AsyncIterable<Buffer> | Buffer[];
}

async function readAnswer({ head: { statusCode = 0, headers }, body }: Answer, largestBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  const text = new TextDecoder().decode(bytes); // drops a byte order mark
  return { status: statusCode, headers, bytes, text, isWhole: size <= largestBytes };
}

/** 307 and 308 keep the method and the body; only the same origin may see the credentials. */
function redirectTarget({ status, headers: { location } }: HttpResponse, from: URL): URL | undefined {
  const target = location === undefined ? null : URL.parse(location, from.href);
  return (status === 307 || status === 308) && target?.origin === from.origin ? target : undefined;
}
