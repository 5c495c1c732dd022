/** A port that can be opened, shut and opened again, and knows the connections that go through it. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';

export class Door {
  readonly #host: string;
  readonly #sockets = new Set<Duplex>();
  #server: Server | undefined;
  #port: number;

  /** @param port 0: any, and the same each time it is opened */
  constructor(host = '127.0.0.1', port = 0) {
    this.#host = host;
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  async open(server: Server): Promise<void> {
    this.#server = server.listen(this.#port, this.#host);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Listens no more and cuts every connection. */
  async shut(): Promise<void> {
    if (!this.#server?.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Goes through this door from now on. */
  keep<T extends Duplex>(socket: T): T {
    this.#sockets.add(socket);
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** What one says goes to the other, until one of them leaves. */
export function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}
