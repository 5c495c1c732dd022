/** The way to the cloud: a door that hands bytes on, and can be shut, cut or moved to another address. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { Door, join } from './door.ts';

export interface Certificate {
  key: string;
  cert: string;
}

/** What the door does with who comes. */
export type Manner =
  /** Hands on. */
  | 'open'
  /** Takes the connection, reads, and answers nothing. */
  | 'silent'
  /** Resets the connection. */
  | 'reset'
  /** Answers one request a connection; resets it when the next one comes. */
  | 'no reuse';

export interface FrontOptions {
  /** The port of 127.0.0.1 to hand on to. */
  to: number;
  certificate?: Certificate;
  host?: string;
  port?: number;
}

export class Front {
  manner: Manner = 'open';
  /** Connections taken so far. */
  connections = 0;
  /** Those that were cut because they were used again. */
  disappointed = 0;
  /** The certificate that it shows now. */
  shown: Certificate | undefined;
  readonly #options: FrontOptions;
  readonly #door: Door;

  private constructor(options: FrontOptions) {
    this.#options = options;
    this.#door = new Door(options.host, options.port);
  }

  static async start(options: FrontOptions): Promise<Front> {
    const front = new Front(options);
    await front.open();
    return front;
  }

  get port(): number {
    return this.#door.port;
  }

  /** Listens, on the same port each time. */
  async open(certificate = this.#options.certificate): Promise<void> {
    this.shown = certificate;
    await this.#door.open(this.#build(certificate));
  }

  /** Listens no more and cuts every connection. */
  shut(): Promise<void> {
    return this.#door.shut();
  }

  cut(): void {
    this.#door.cut();
  }

  /** Shuts, and opens with another certificate. */
  async show(certificate: Certificate): Promise<void> {
    await this.shut();
    await this.open(certificate);
  }

  #build(certificate: Certificate | undefined): Server {
    const take = (socket: Socket | TLSSocket) => this.#take(socket);
    // who does not like the certificate hangs up in the handshake
    const server =
      certificate === undefined
        ? createServer(take)
        : createTlsServer(certificate, take).on('tlsClientError', () => {});
    return server.prependListener('connection', (socket: Socket) => this.#meet(socket));
  }

  /** Before TLS, where there is any: only here a connection can be reset. */
  #meet(socket: Socket): void {
    this.connections += 1;
    if (this.manner === 'reset') socket.resetAndDestroy();
  }

  #take(client: Socket): void {
    this.#door.keep(client);
    if (this.manner === 'reset') return;
    if (this.manner === 'silent') {
      client.resume();
      return;
    }
    const cloud = this.#door.keep(connect(this.#options.to, '127.0.0.1'));
    let hasAnswered = false;
    cloud.on('data', () => {
      hasAnswered = true;
    });
    client.on('data', () => {
      if (this.manner !== 'no reuse' || !hasAnswered) return;
      this.disappointed += 1;
      client.destroy();
    });
    join(client, cloud);
  }
}
