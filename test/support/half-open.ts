/**
 * The way to an adb server on another host: when that server is replaced, nobody says so to those who are connected to the
 * former one. Their connections stay open and carry nothing more.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class HalfOpenWay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #to: number;

  private constructor(to: number) {
    this.#to = to;
    this.#server = createServer((client) => this.#join(client));
  }

  /** @param to the port of 127.0.0.1 where the server listens */
  static async start(to: number): Promise<HalfOpenWay> {
    const way = new HalfOpenWay(to);
    await new Promise<void>((resolve) => way.#server.listen(0, '127.0.0.1', resolve));
    return way;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the way is closed');
    return address.port;
  }

  /** Who connects from now on meets another server. */
  lead(to: number): void {
    this.#to = to;
  }

  #join(client: Socket): void {
    const to = this.#to;
    const server = connect(to, '127.0.0.1');
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => client.write(bytes));
    client.on('close', () => server.destroy());
    server.on('end', () => this.#to === to && client.end());
    server.on('close', () => this.#to === to && client.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
