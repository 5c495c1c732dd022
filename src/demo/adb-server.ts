import { EventEmitter } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { sleep } from '../base/time.ts';
import { drained, fail, frame, okay, readRequests } from './adb-wire.ts';
import type { SimulatedPhone } from './phone.ts';
import {
  asksForNumber,
  findTransport,
  hostAnswer,
  listTransports,
  matchesTarget,
  type Transport,
  wantedTransport,
} from './transport.ts';

export interface ServerFaults {
  delayMs: number;
  /** Accepts and reads but never answers, not even trackers. */
  silent: boolean;
  /** Answers each request with bytes that are not adb's. */
  garbage: boolean;
}

/** A received request; `serial` if it went to a phone. */
export interface ServedRequest {
  request: string;
  serial?: string;
}

/** The number of a transport in eight bytes, little endian. */
function numberOf({ id }: Transport): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(id));
  return number;
}

/** The protocol version of adb 29 to 36. */
const usualVersion = 41;
const remembered = 10_000;

/**
 * An adb server with simulated phones behind it, on a port of 127.0.0.1. It speaks adb's host protocol:
 * lists, tracking, transports, and the shell services of the phones. Like the real one it aborts, for
 * all clients, if a service string is longer than the phone's packets (AOSP adb, sockets.cpp: CHECK_LE).
 *
 * Emits `connection` for each connection, `request` for each request and `aborted` when it aborts.
 */
export class SimulatedAdbServer extends EventEmitter<{
  connection: [];
  request: [ServedRequest];
  aborted: [string];
}> {
  readonly faults: ServerFaults = { delayMs: 0, silent: false, garbage: false };
  /** The last requests, oldest first. */
  readonly requests: ServedRequest[] = [];
  aborted: string | undefined;
  readonly #server: Server;
  readonly #version: number;
  readonly #transports = new Map<number, Transport>();
  /** The open connections, each with the number of the transport that it uses, if any. */
  readonly #connections = new Map<Socket, number | undefined>();
  readonly #trackers = new Map<Socket, { long: boolean }>();
  #lastTransportId = 0;

  private constructor(version: number) {
    super();
    this.#version = version;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on `port`, or on a free one; `version` is the protocol's. */
  static async start({
    port = 0,
    version = usualVersion,
  }: {
    port?: number;
    version?: number;
  } = {}): Promise<SimulatedAdbServer> {
    const simulated = new SimulatedAdbServer(version);
    await new Promise<void>((resolve, reject) => {
      simulated.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return simulated;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the adb server has stopped');
    return address.port;
  }

  get phones(): SimulatedPhone[] {
    return [...this.#transports.values()].map(({ phone }) => phone);
  }

  /** Plugs a phone in and returns the number of its transport, a new one each time. */
  plug(phone: SimulatedPhone): number {
    this.#lastTransportId += 1;
    this.#transports.set(this.#lastTransportId, { id: this.#lastTransportId, phone });
    this.#announce();
    return this.#lastTransportId;
  }

  /** Unplugs the phone with this serial, `usb:` devpath or transport id; its conversations break. */
  unplug(target: string | number): void {
    const { id } = this.#plugged(target);
    this.#transports.delete(id);
    this.#hangUp(id);
    this.#announce();
  }

  /** Changes adb's state of a phone; if it is no longer `device`, the phone's conversations break. */
  setState(target: string | number, state: string): void {
    const { id, phone } = this.#plugged(target);
    phone.state = state;
    if (state !== 'device') this.#hangUp(id);
    this.#announce();
  }

  /** Breaks every connection; the server keeps running. */
  dropConnections(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /** Breaks every connection and stops listening. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.dropConnections();
    await closed;
  }

  #plugged(target: string | number): Transport {
    const found = [...this.#transports.values()].find((transport) =>
      typeof target === 'number' ? transport.id === target : matchesTarget(transport, target),
    );
    if (found === undefined) throw new Error(`no phone ${target} is plugged in`);
    return found;
  }

  #hangUp(transportId: number): void {
    for (const [socket, used] of this.#connections) if (used === transportId) socket.destroy();
  }

  #announce(): void {
    if (this.faults.silent) return;
    for (const [socket, { long }] of this.#trackers) socket.write(this.#list(long));
  }

  #list(long: boolean): Buffer {
    return frame(listTransports(this.#transports.values(), long));
  }

  #accept(socket: Socket): void {
    this.#connections.set(socket, undefined);
    this.emit('connection');
    // a client may break off at any time; 'close' follows
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#connections.delete(socket);
      this.#trackers.delete(socket);
    });
    // a client that hangs up or a dropped connection ends only this conversation
    this.#converse(socket).catch(() => socket.destroy());
  }

  /** Reads requests up to the one that decides the connection's purpose, and serves that. */
  async #converse(socket: Socket): Promise<void> {
    const serve = await this.#negotiate(socket);
    socket.resume();
    await serve();
  }

  async #negotiate(socket: Socket): Promise<() => void | Promise<void>> {
    let transport: Transport | undefined;
    for await (const request of readRequests(socket)) {
      this.#note(request, transport);
      if (this.faults.delayMs > 0) await sleep(this.faults.delayMs);
      if (this.faults.silent) continue;
      if (this.faults.garbage) return () => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      if (transport !== undefined) return this.#serve.bind(this, socket, transport, request);
      const wanted = wantedTransport(request);
      if (wanted === undefined) return () => this.#answerHost(socket, request);
      const found = findTransport(this.#transports.values(), wanted);
      if (typeof found === 'string') return () => void socket.end(fail(found));
      transport = found;
      this.#connections.set(socket, found.id);
      socket.write(asksForNumber(request) ? Buffer.concat([okay, numberOf(found)]) : okay);
    }
    return () => void socket.end();
  }

  #note(request: string, transport: Transport | undefined): void {
    const served = { request, ...(transport && { serial: transport.phone.serial }) };
    if (this.requests.push(served) > remembered) this.requests.shift();
    this.emit('request', served);
  }

  /** Answers a request that the server serves itself. */
  #answerHost(socket: Socket, request: string): void {
    if (request === 'host:track-devices' || request === 'host:track-devices-l') {
      const long = request.endsWith('-l');
      socket.write(Buffer.concat([okay, this.#list(long)]));
      this.#trackers.set(socket, { long });
      return;
    }
    socket.end(hostAnswer(request, [...this.#transports.values()], this.#version));
  }

  /** Opens a service on a phone and carries its output until it ends or the client hangs up. */
  async #serve(socket: Socket, { phone }: Transport, service: string): Promise<void> {
    const lengthBytes = Buffer.byteLength(service) + 1;
    if (lengthBytes > phone.maxDataBytes) return this.#abort(lengthBytes, phone.maxDataBytes);
    const closed = new AbortController();
    socket.on('close', () => closed.abort());
    const output = phone.open(service, closed.signal);
    if (output === undefined) {
      socket.end(fail('closed'));
      return;
    }
    socket.write(okay);
    for await (const bytes of output) {
      if (closed.signal.aborted) return;
      if (!socket.write(bytes)) await drained(socket, closed.signal);
    }
    socket.end();
  }

  #abort(lengthBytes: number, maxDataBytes: number): void {
    this.aborted = `Check failed: data_length=${lengthBytes} max_payload=${maxDataBytes}`;
    this.#server.close();
    this.dropConnections();
    this.emit('aborted', this.aborted);
  }
}
