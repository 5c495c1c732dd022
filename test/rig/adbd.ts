/**
 * adbd's side of adb's transport protocol, over TCP: to a real adb server this is a phone on the network.
 *
 * Source: AOSP packages/modules/adb, protocol.txt, adb.cpp (handle_packet), services.cpp, shell_service.cpp.
 */
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { AdbdStream } from './adbd-stream.ts';
import type { AndroidRelease } from './android-release.ts';
import type { AndroidShell } from './android-shell.ts';
import { encodePacket, type Packet, type PacketCommand, readPackets } from './packet.ts';
import { serviceFor } from './shell-service.ts';

const authToken = 1;
const authSignature = 2;

/** What adbd says of its phone in the banner. The server shows it in `host:devices-l`. */
export interface Banner {
  product: string;
  model: string;
  device: string;
}

interface AdbdEvents {
  /** The server opened a service, with its whole name, e.g. `exec:id`. */
  open: [service: string];
  /** The stream of a service ended, from whichever side. */
  close: [service: string];
}

export class Adbd extends EventEmitter<AdbdEvents> implements AsyncDisposable {
  /** Demands a signature and never likes one: the server lists the phone as `unauthorized`. */
  distrustful = false;
  /** Every service that was asked for so far, refused ones included. */
  readonly requested: string[] = [];
  readonly #release: AndroidRelease;
  readonly #banner: Banner;
  readonly #shell: AndroidShell;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<AdbdStream>();
  #bytesUntilDrop = Number.POSITIVE_INFINITY;

  constructor(release: AndroidRelease, banner: Banner, shell: AndroidShell) {
    super();
    this.#release = release;
    this.#banner = banner;
    this.#shell = shell;
    this.#server = createServer({ noDelay: true }, (socket) => void this.#talk(socket));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** adb's name for this phone. */
  get serial(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** How many services are open now. */
  get openStreams(): number {
    return this.#streams.size;
  }

  /** Cuts the connection, as an adbd that restarts. A real server connects again by itself. */
  closeTransport(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts the connection once so many more bytes of answers have gone out. */
  dropAfter(bytes: number): void {
    this.#bytesUntilDrop = bytes;
  }

  /** Stops listening and cuts the connection, as a phone that left the network. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.closeTransport();
    await closed;
  }

  async #talk(socket: Socket): Promise<void> {
    const streams = new Map<number, AdbdStream>();
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const stream of streams.values()) stream.destroy();
    });
    try {
      for await (const packet of readPackets(socket)) this.#answer(packet, socket, streams);
    } catch {
      socket.destroy();
    }
  }

  #answer(packet: Packet, socket: Socket, streams: Map<number, AdbdStream>): void {
    switch (packet.command) {
      case 'CNXN':
        if (this.distrustful) this.#demandSignature(socket);
        else this.#greet(socket);
        break;
      case 'AUTH':
        // a signature is met with a new token; the public key that follows waits for somebody at the phone
        if (packet.arg0 === authSignature) this.#demandSignature(socket);
        break;
      case 'OPEN':
        this.#open(packet, socket, streams);
        break;
      case 'OKAY':
        streams.get(packet.arg1)?.acknowledge();
        break;
      case 'WRTE':
        streams.get(packet.arg1)?.receive(packet.payload);
        break;
      case 'CLSE':
        streams.get(packet.arg1)?.destroy();
    }
  }

  #greet(socket: Socket): void {
    const { product, model, device } = this.#banner;
    const features = this.#release.features.length > 0 ? `features=${this.#release.features.join(',')}` : '';
    const banner = `device::ro.product.name=${product};ro.product.model=${model};ro.product.device=${device};${features}`;
    this.#send(socket, 'CNXN', this.#release.protocolVersion, this.#release.maxdata, Buffer.from(banner));
  }

  #demandSignature(socket: Socket): void {
    this.#send(socket, 'AUTH', authToken, 0, randomBytes(20));
  }

  #open({ arg0: theirId, payload }: Packet, socket: Socket, streams: Map<number, AdbdStream>): void {
    const name = payload.toString('utf8').replace(/\0+$/, '');
    this.requested.push(name);
    const serve = serviceFor(name, this.#release);
    if (!serve) {
      this.#send(socket, 'CLSE', 0, theirId);
      return;
    }

    const id = this.requested.length;
    const stream = new AdbdStream(
      (command, data) => this.#send(socket, command, id, theirId, data),
      Math.min(this.#release.maxdata, 256 * 1024),
    );
    streams.set(id, stream);
    this.#streams.add(stream);
    stream.once('close', () => {
      streams.delete(id);
      this.#streams.delete(stream);
      this.emit('close', name);
    });
    this.#send(socket, 'OKAY', id, theirId);
    serve(stream, this.#shell);
    this.emit('open', name);
  }

  #send(
    socket: Socket,
    command: PacketCommand,
    arg0: number,
    arg1: number,
    payload: Buffer = Buffer.alloc(0),
  ): void {
    if (!socket.writable) return;
    if (command === 'WRTE' && payload.length >= this.#bytesUntilDrop) {
      const last = payload.subarray(0, this.#bytesUntilDrop);
      this.#bytesUntilDrop = Number.POSITIVE_INFINITY;
      socket.end(encodePacket(command, arg0, arg1, last), () => socket.destroy());
      return;
    }
    if (command === 'WRTE') this.#bytesUntilDrop -= payload.length;
    socket.write(encodePacket(command, arg0, arg1, payload));
  }
}
