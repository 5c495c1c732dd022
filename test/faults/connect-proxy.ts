/** A proxy that lets TLS through (CONNECT), asks for a login, or is down. */
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { Door, join } from './door.ts';

export class ConnectProxy {
  wantsLogin = false;
  readonly #door = new Door();

  get url(): string {
    return `http://127.0.0.1:${this.#door.port}`;
  }

  /** Listens, on the same port each time. */
  open(): Promise<void> {
    return this.#door.open(this.#build());
  }

  /** Listens no more and cuts every connection. */
  shut(): Promise<void> {
    return this.#door.shut();
  }

  cut(): void {
    this.#door.cut();
  }

  #build(): Server {
    return createServer().on('connect', (request, client) => {
      this.#door.keep(client);
      if (this.wantsLogin) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
        return;
      }
      const { hostname, port } = new URL(`http://${request.url}`);
      const cloud = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      join(client, this.#door.keep(cloud));
    });
  }
}
