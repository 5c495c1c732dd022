/** A proxy that lets TLS through (CONNECT), asks for a login, or is down. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export class ConnectProxy {
  wantsLogin = false;
  readonly #open = new Set<Duplex>();
  #server: Server = this.#build();
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the same port each time. */
  async open(): Promise<void> {
    this.#server = this.#build();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Listens no more and cuts every connection. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #build(): Server {
    return createServer().on('connect', (request, client) => {
      this.#keep(client);
      if (this.wantsLogin) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
        return;
      }
      const { hostname, port } = new URL(`http://${request.url}`);
      const cloud = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      this.#keep(cloud);
      client.pipe(cloud).pipe(client);
      client.on('close', () => cloud.destroy());
      cloud.on('close', () => client.destroy());
    });
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => this.#open.delete(socket));
  }
}
