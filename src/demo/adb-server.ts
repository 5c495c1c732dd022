/**
 * A simulated adb server: its frames, its lists, and which phone a request means. A request is its length as four hex
 * digits, then its text; an answer is `OKAY` or `FAIL`, then an optional text, framed in the same way.
 *
 * Source: AOSP adb, SERVICES.TXT, adb_io.cpp; transport.cpp: append_transport, MatchesTarget, acquire_one_transport.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { listen, portOf } from '../base/http.ts';
import { sleep } from '../base/time.ts';
import type { SimulatedPhone } from './phone.ts';

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

/** The protocol version of adb 29 to 36. */
const usualVersion = 41;
const remembered = 10_000;
/** MAX_PAYLOAD, bytes. */
const LONGEST_LIST = 1024 ** 2;

/**
 * An adb server with simulated phones behind it, on a port of 127.0.0.1. It speaks adb's host protocol:
 * lists, tracking, transports, and the shell services of the phones. Like the real one it aborts, for
 * all clients, if a service string is longer than the phone's packets (AOSP adb, sockets.cpp: CHECK_LE). It hangs up in place
 * of a list that is too long.
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
  /** Those that follow the list; true: the long one. */
  readonly #trackers = new Map<Socket, boolean>();
  #lastTransportId = 0;

  private constructor(version: number) {
    super();
    this.#version = version;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on `port`, or on a free one; `version` is the protocol's. */
  static async start(options: { port?: number; version?: number } = {}): Promise<SimulatedAdbServer> {
    const { port = 0, version = usualVersion } = options;
    const simulated = new SimulatedAdbServer(version);
    await listen(simulated.#server, { port, host: '127.0.0.1' });
    return simulated;
  }

  get port(): number {
    return portOf(this.#server);
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

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.dropConnections();
    await closed;
  }

  #plugged(target: string | number): Transport {
    const found = this.#transports
      .values()
      .find((transport) =>
        typeof target === 'number' ? transport.id === target : isNamed(transport.phone, target),
      );
    if (found === undefined) throw new Error(`no phone ${target} is plugged in`);
    return found;
  }

  #hangUp(transportId: number): void {
    for (const [socket, used] of this.#connections) if (used === transportId) socket.destroy();
  }

  #announce(): void {
    if (this.faults.silent) return;
    for (const [socket, isLong] of this.#trackers) socket.write(frame(this.#list(isLong)));
  }

  #list(isLong: boolean): string {
    return listTransports(this.#transports.values(), isLong);
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
      const chosen = chosenBy(request, this.#transports.values());
      if (chosen === undefined) return () => this.#answerHost(socket, request);
      if (typeof chosen === 'string') return () => void socket.end(fail(chosen));
      transport = chosen;
      this.#connections.set(socket, chosen.id);
      socket.write(okay());
      if (request.startsWith('host:tport:')) socket.write(numberOf(chosen));
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
    const isLong = request.endsWith('-l');
    const [, list] = /^host:(track-devices|devices)(?:-l)?$/.exec(request) ?? [];
    if (list === 'track-devices') {
      socket.write(okay(this.#list(isLong)));
      this.#trackers.set(socket, isLong);
    } else if (list === 'devices') {
      const text = this.#list(isLong);
      socket.end(text.length < LONGEST_LIST ? okay(text) : '');
    } else if (request === 'host:version') socket.end(okay(this.#version.toString(16).padStart(4, '0')));
    else socket.end(this.#featuresFor(request) ?? fail('unknown host service'));
  }

  /** The adb command asks for them before it opens a shell. */
  #featuresFor(request: string): Buffer | undefined {
    const [, serial] = /^host-serial:(.+):features$/s.exec(request) ?? [];
    const found = this.#transports.values().find(({ phone }) => phone.serial === serial);
    return found && okay(found.phone.hasShellV2 ? 'shell_v2,cmd,stat_v2' : '');
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
    socket.write(okay());
    for await (const bytes of output) {
      if (closed.signal.aborted) return;
      if (!socket.write(bytes)) await once(socket, 'drain', { signal: closed.signal });
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

/** A text behind its length in bytes. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(4, '0')), bytes]);
}

export const okay = (text?: string): Buffer =>
  Buffer.concat([Buffer.from('OKAY'), ...(text === undefined ? [] : [frame(text)])]);
export const fail = (reason: string): Buffer => Buffer.concat([Buffer.from('FAIL'), frame(reason)]);

/**
 * The requests of one connection, in order. Leaves the connection open when the caller stops reading.
 * Ends at the first bytes that are no frame, as the real server does.
 */
export async function* readRequests(socket: Socket): AsyncGenerator<string> {
  let held = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4) {
      const digits = held.toString('latin1', 0, 4);
      if (!/^[0-9a-f]{4}$/i.test(digits)) return;
      const end = 4 + Number.parseInt(digits, 16);
      if (held.length < end) break;
      const request = held.toString('utf8', 4, end);
      held = held.subarray(end);
      yield request;
    }
  }
}

/** The number of a transport in eight bytes, little endian, for clients since platform-tools 29. */
function numberOf({ id }: Transport): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(id));
  return number;
}

/** One connection of the server to a phone, with the number that the server gave it. */
export interface Transport {
  readonly id: number;
  readonly phone: SimulatedPhone;
}

/** ` key:value`, or '' for an unknown value. */
const info = (key: string, value: string | undefined): string => (value ? ` ${key}:${value}` : '');

function lineOf({ id, phone }: Transport, isLong: boolean): string {
  const { serial, state, devpath, product, model, device } = phone;
  const printed = serial || '(no serial number)';
  if (!isLong) return `${printed}\t${state}\n`;
  const details = [
    info('usb', devpath),
    info('product', product),
    info('model', model?.replace(/[^A-Za-z0-9]/g, '_')),
    info('device', device),
  ];
  return `${printed.padEnd(22)} ${state}${details.join('')} transport_id:${id}\n`;
}

/** The text of `host:devices`, or of `host:devices-l`: USB first, then by serial. */
function listTransports(transports: Iterable<Transport>, isLong: boolean): string {
  const kind = ({ phone }: Transport) => (phone.devpath === undefined ? 1 : 0);
  const order = (a: Transport, b: Transport) =>
    kind(a) - kind(b) || (a.phone.serial < b.phone.serial ? -1 : Number(a.phone.serial > b.phone.serial));
  return [...transports]
    .sort(order)
    .map((transport) => lineOf(transport, isLong))
    .join('');
}

/** Is this its serial, its `usb:` devpath, or its `product:`, …? */
export const isNamed = ({ serial, devpath, product, model, device }: SimulatedPhone, name: string): boolean =>
  [serial, `usb:${devpath}`, `product:${product}`, `model:${model}`, `device:${device}`].includes(name);

/**
 * The phone to which a request switches its connection.
 *
 * @returns a text is adb's refusal; undefined for any other request
 */
function chosenBy(request: string, transports: Iterable<Transport>): Transport | string | undefined {
  const [, id, name = ''] =
    /^host:(?:transport-id:(\d+)|(?:transport|tport:serial):(.+))$/s.exec(request) ?? [];
  if (id === undefined && name === '') return undefined;
  const [found, other] = [...transports].filter((transport) =>
    id === undefined ? isNamed(transport.phone, name) : transport.id === Number(id),
  );
  if (other !== undefined) return 'more than one device';
  if (found !== undefined) return refusal(found.phone.state) ?? found;
  return id === undefined ? `device '${name}' not found` : `no device with transport id '${id}'`;
}

/** Why a phone in this state is not usable; undefined if it is. */
function refusal(state: string): string | undefined {
  if (state === 'unauthorized') {
    return (
      "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that " +
      'seems wrong.\nOtherwise check for a confirmation dialog on your device.'
    );
  }
  if (state === 'offline') return 'device offline';
  if (state === 'connecting' || state === 'authorizing') return `device still ${state}`;
  if (state.startsWith('no permissions')) return `insufficient permissions for device${state.slice(14)}`;
  return undefined;
}
