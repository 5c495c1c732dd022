/**
 * Stands between hostnode and the real adb server: lists its phones, which it reaches over the network, as if they sat in
 * USB ports, under serials of their own. All else goes through as it is.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../support/raw-server.ts';

/** Where a phone seems to sit. */
export interface UsbSeat {
  serial: string;
  /** `1-3.2`. */
  devpath: string;
}

const LISTS = new Set(['host:devices', 'host:devices-l', 'host:track-devices', 'host:track-devices-l']);

export class UsbView implements AsyncDisposable {
  readonly port: number;
  readonly #adbPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** By the port on which the phone itself listens. */
  readonly #seats = new Map<number, UsbSeat>();

  private constructor(port: number, adbPort: number) {
    this.port = port;
    this.#adbPort = adbPort;
    this.#server = createServer((client) => void this.#serve(client).catch(() => client.destroy()));
  }

  static async start(adbPort: number): Promise<UsbView> {
    const view = new UsbView(await freePort(), adbPort);
    view.#server.listen(view.port, '127.0.0.1');
    await once(view.#server, 'listening');
    return view;
  }

  seat(phonePort: number, seat: UsbSeat): void {
    this.#seats.set(phonePort, seat);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(client: Socket): Promise<void> {
    const server = connect(this.#adbPort, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    const request = await frame(client);
    if (request === undefined) return;
    server.write(framed(request));
    if (!LISTS.has(request)) {
      client.pipe(server);
      server.pipe(client);
      return;
    }
    client.write((await bytes(server, 4)) ?? '');
    for (;;) {
      const list = await frame(server);
      if (list === undefined) return;
      client.write(framed(this.#seated(list)));
    }
  }

  /** @param list lines of a serial, a state, and in the long form its properties */
  #seated(list: string): string {
    return list.replace(/^127\.0\.0\.1:(\d+)(\s+)(\S+)(.*)$/gm, (line, port, gap, state, rest) => {
      const seat = this.#seats.get(Number(port));
      if (seat === undefined) return line;
      const isLong = gap !== '\t';
      return `${seat.serial}${gap}${state}${isLong ? ` usb:${seat.devpath}` : ''}${rest}`;
    });
  }
}

const framed = (text: string): string => `${Buffer.byteLength(text).toString(16).padStart(4, '0')}${text}`;

/** Undefined when the connection has ended. */
async function frame(socket: Socket): Promise<string | undefined> {
  const length = Number.parseInt((await bytes(socket, 4))?.toString('latin1') ?? '', 16);
  if (Number.isNaN(length)) return undefined;
  return length === 0 ? '' : (await bytes(socket, length))?.toString('utf8');
}

async function bytes(socket: Socket, count: number): Promise<Buffer | undefined> {
  for (;;) {
    const chunk: Buffer | null = socket.read(count);
    if (chunk?.length === count) return chunk;
    if (socket.readableEnded || socket.destroyed || chunk) return undefined;
    using waiting = new Waiting();
    await Promise.race(['readable', 'end', 'close'].map((event) => waiting.for(socket, event)));
  }
}

/** Takes its listeners away when it is disposed. */
class Waiting implements Disposable {
  readonly #over = new AbortController();

  for(socket: Socket, event: string): Promise<unknown> {
    return once(socket, event, { signal: this.#over.signal }).catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
