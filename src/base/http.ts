/** What the servers of page and sandbox share: a router, bodies of a bounded size, a beginning and an end. */
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { ListenOptions, Server as SocketServer } from 'node:net';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Characters of one part of a path: more than Node takes, so that what is too long is answered by who looks for it. */
const LONGEST_PARAMETER = 20_000;

export interface Found<T> {
  readonly target: T;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** A name that is given twice has a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
}

/** Finds what stands for a method and a path such as `/phones/:name`. Fixed parts go before variable ones. */
export class Router<T> {
  readonly #routes = findMyWay({ maxParamLength: LONGEST_PARAMETER, onBadUrl: () => {} });

  add(method: string, path: string, target: T): void {
    this.#routes.on(method as HTTPMethod, path, () => {}, { target });
  }

  /**
   * @param url as the request has it, with its query
   * @throws {URIError} it is not encoded as a URL must be
   */
  find(method: string, url: string): Found<T> | undefined {
    const found = this.#routes.find(method as HTTPMethod, url);
    if (found === null) return undefined;
    if (found.store === null) throw new URIError('malformed URL');
    const { store, params, searchParams } = found;
    return { target: store.target, params: params as Found<T>['params'], query: searchParams };
  }
}

/** The text of a request's body; undefined if it is too long. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  }
  return bytes <= limitBytes ? Buffer.concat(chunks).toString() : undefined;
}

/** Resolves when it listens; rejects with the error of the system. */
export async function listen(server: SocketServer, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

/** @throws {Error} it listens at no port */
export function portOf(server: SocketServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has stopped');
  return address.port;
}

/** Ends all connections too: one that follows would keep it open. */
export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
