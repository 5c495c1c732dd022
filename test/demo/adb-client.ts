import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { frame } from '../../src/demo/adb-server.ts';

/** A connection to an adb server that shows the very bytes: requests go in framed, answers come out as they are. */
export class RawAdbClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.socket.emit('more');
    });
    this.socket.on('close', () => {
      this.#ended = true;
      this.socket.emit('more');
    });
    // a reset by the server is an end like any other here
    this.socket.on('error', () => {});
  }

  static async open(port: number): Promise<RawAdbClient> {
    const client = new RawAdbClient(port);
    await once(client.socket, 'connect');
    return client;
  }

  send(request: string): void {
    this.socket.write(frame(request));
  }

  /** The next `length` bytes. */
  async read(length: number): Promise<Buffer> {
    while (this.#received.length < length) {
      if (this.#ended) throw new Error(`the server ended after ${JSON.stringify(this.#received.toString())}`);
      await once(this.socket, 'more');
    }
    const bytes = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return bytes;
  }

  /** The next text behind its length. */
  async readFramed(): Promise<string> {
    const length = Number.parseInt((await this.read(4)).toString(), 16);
    return (await this.read(length)).toString();
  }

  /** All that comes until the server ends the connection. */
  async readAll(): Promise<Buffer> {
    while (!this.#ended) await once(this.socket, 'more');
    const bytes = this.#received;
    this.#received = Buffer.alloc(0);
    return bytes;
  }

  /** Switches to a phone, opens a service there and reads all that comes back. */
  static async ask(port: number, target: string, service: string): Promise<Buffer> {
    const client = await RawAdbClient.open(port);
    client.send(target);
    const status = await client.read(4);
    if (status.toString() !== 'OKAY') return Buffer.concat([status, await client.readAll()]);
    client.send(service);
    return await client.readAll();
  }
}

/** One request on a connection of its own, and the whole answer as text. */
export async function askServer(port: number, request: string): Promise<string> {
  const client = await RawAdbClient.open(port);
  client.send(request);
  return (await client.readAll()).toString();
}
