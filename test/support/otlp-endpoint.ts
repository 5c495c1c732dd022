/** An endpoint for pushed metrics that does what a test says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** `silent`: reads, and answers nothing. `cut`: resets the connection. */
export type Manner = Answer | 'silent' | 'cut';

export interface Push {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const TAKEN: Answer = { status: 200 };

/** An ExportMetricsServiceResponse: so many points were not taken. */
export function partialSuccess(points: number, message: string): Answer {
  const text = Buffer.from(message);
  const inner = Buffer.concat([Buffer.of(0x08, points, 0x12, text.length), text]);
  const body = Buffer.concat([Buffer.of(0x0a, inner.length), inner]);
  return { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body };
}

export class OtlpEndpoint implements AsyncDisposable {
  manner: Manner = TAKEN;
  /** What comes before `manner`: an answer to the next push each. */
  readonly next: Manner[] = [];
  readonly pushes: Push[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  #port = 0;

  static async start(): Promise<OtlpEndpoint> {
    const endpoint = new OtlpEndpoint();
    await endpoint.open();
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1/metrics`;
  }

  /** Takes metrics, whatever it did before. */
  take(): void {
    this.manner = TAKEN;
  }

  /** Listens, on the same port each time. */
  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Listens no more, and cuts every connection. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Waits until so many more pushes have come. */
  async pushed(count = 1): Promise<Push> {
    const wanted = this.pushes.length + count;
    const signal = AbortSignal.timeout(120_000);
    while (this.pushes.length < wanted) await once(this.#server, 'push', { signal });
    return this.pushes[wanted - 1] as Push;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method, url: path, headers } = request;
    this.pushes.push({ method, path, headers, body: Buffer.concat(pieces) });
    this.#server.emit('push');
    const manner = this.next.shift() ?? this.manner;
    if (manner === 'silent') return;
    if (manner === 'cut') request.socket.resetAndDestroy();
    else response.writeHead(manner.status, manner.headers).end(manner.body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shut();
  }
}
