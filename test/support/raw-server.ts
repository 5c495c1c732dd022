import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server on 127.0.0.1 that treats each connection as `serve` says. */
export class RawServer extends EventEmitter<{ quiet: [] }> implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** All that clients have said, connection by connection. */
  readonly heard: string[] = [];

  private constructor(serve: (socket: Socket) => void) {
    super();
    this.#server = createServer((socket) => {
      const index = this.heard.push('') - 1;
      this.#sockets.add(socket);
      socket.on('error', () => {}); // a client may break off at any time; 'close' follows
      socket.on('data', (chunk) => {
        this.heard[index] += chunk.toString('latin1');
      });
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.emit('quiet');
      });
      serve(socket);
    });
  }

  /** @param port a free one by default */
  static async start(serve: (socket: Socket) => void = () => {}, port = 0): Promise<RawServer> {
    const server = new RawServer(serve);
    server.#server.listen(port, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when no client is connected any more. */
  async quiet(): Promise<void> {
    if (this.#sockets.size > 0) await once(this, 'quiet');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = await RawServer.start();
  const { port } = server;
  await server[Symbol.asyncDispose]();
  return port;
}
