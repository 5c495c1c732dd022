/** A proxy that lets TLS through (CONNECT), asks for a login, is down, or lies: it says that it lets through, and answers itself. */
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Door, join } from './door.ts';
import type { Certificate } from './front.ts';

const STORED =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"failedDevices":[]}';

export class ConnectProxy {
  wantsLogin = false;
  /** It answers in place of the cloud: in plain text, or over TLS with this certificate. */
  lie: 'plain' | Certificate | undefined;
  /** What was said to it while it lied, as far as it can read that. */
  heard = '';
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
      if (this.lie !== undefined) {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        const isPlain = this.lie === 'plain';
        const cloud = isPlain
          ? client
          : new TLSSocket(client, { isServer: true, ...(this.lie as Certificate) });
        cloud.on('error', () => {});
        cloud.on('data', (part) => {
          this.heard += part.toString('latin1');
          cloud.write(STORED);
        });
        return;
      }
      const { hostname, port } = new URL(`http://${request.url}`);
      const cloud = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      join(client, this.#door.keep(cloud));
    });
  }
}
