/**
 * Talks to the adb server through adbkit. No other file imports adbkit.
 *
 * We use only adbkit's connection and parser. Its device lists are read by column, which is wrong for an unauthorized
 * phone. Its tracker merges two phones with the same serial, and its shell uses the old pty protocol. We import single
 * files: the whole package would keep 0.9 MB of code in memory, most of it for keys.
 */
import connectionFile from '@devicefarmer/adbkit/dist/src/adb/connection.js';
import parserFile from '@devicefarmer/adbkit/dist/src/adb/parser.js';
import { AdbRefusedError, AdbUnavailableError, hasCode, ParseError } from '../base/errors.ts';
import { Deadline, wait, yieldToLoop } from '../base/time.ts';
import type { Adb, ListedDevice, Output } from './adb.ts';
import { type ConfirmedList, confirmList, shortList } from './device-list.ts';
import { HungUpError, openService } from './service-socket.ts';
import { encode, ForeignWordError, readLength, readStatus, readText, transportRequest } from './wire.ts';

/** The default export of compiled CommonJS: Node returns the module, a bundler or Vitest returns its default. */
const defaultOf = <T>(file: { default: T }): T => file.default ?? (file as T);

const AdbConnection = defaultOf(connectionFile);
const Parser = defaultOf(parserFile);
type AdbConnection = InstanceType<typeof AdbConnection>;

export interface AdbkitOptions {
  host: string;
  port: number;
  /** Limit of one request to the server, ms; a phone's answer has its own limit. */
  requestTimeoutMs: number;
}

export class AdbkitAdb implements Adb {
  readonly host: string;
  readonly port: number;
  readonly #requestTimeoutMs: number;
  /** Identifies the running server: another one numbers its connections again. */
  #server = Symbol('server');
  readonly #listedBy = new WeakMap<ListedDevice, symbol>();
  #doubts: readonly string[] = [];
  #lastDevices: readonly ListedDevice[] = [];
  /** The last list without doubts, with the texts that it was made from. */
  #confirmed: { server: symbol; long: string; short: string; list: ConfirmedList } | undefined;

  constructor({ host, port, requestTimeoutMs }: AdbkitOptions) {
    this.host = host;
    this.port = port;
    this.#requestTimeoutMs = requestTimeoutMs;
  }

  async listDevices(signal?: AbortSignal): Promise<readonly ListedDevice[]> {
    const server = this.#server;
    try {
      const { devices, doubts } = await this.#confirmedList(signal);
      this.#doubts = doubts;
      this.#lastDevices = devices;
      for (const device of devices) this.#listedBy.set(device, server);
      return devices;
    } catch (error) {
      throw this.#ofServer(error);
    }
  }

  get doubts(): readonly string[] {
    return this.#doubts;
  }

  /**
   * Reads both lists, and repeats while they differ: a phone may have come or left between them. A server closes the
   * connection when the long list reaches 1 MiB; one or two phones can make it that long.
   */
  async #confirmedList(signal: AbortSignal | undefined): Promise<ConfirmedList> {
    for (let times = 1; ; times += 1) {
      const [long, short] = await Promise.allSettled([
        this.#request('host:devices-l', signal, readList),
        this.#request('host:devices', signal, readList),
      ]);
      if (short.status === 'rejected') throw short.reason;
      if (long.status === 'rejected' && !(isClosed(long.reason) && short.value !== '')) throw long.reason;
      const list =
        long.status === 'rejected'
          ? shortList(short.value, this.#lastDevices)
          : this.#confirm(long.value, short.value);
      const isKnown = list.doubts.every((doubt) => this.#doubts.includes(doubt));
      if (isKnown || times === LIST_TIMES) return list;
      await wait(BETWEEN_LISTS_MS, signal);
    }
  }

  /** Mostly nothing has changed since the last time: then the list is the same object. */
  #confirm(long: string, short: string): ConfirmedList {
    const server = this.#server;
    const last = this.#confirmed;
    if (last?.long === long && last.short === short && last.server === server) return last.list;
    const list = confirmList(long, short, this.#lastDevices);
    this.#confirmed = list.doubts.length > 0 ? undefined : { server, long, short, list };
    return list;
  }

  async version(signal?: AbortSignal): Promise<number> {
    const digits = await this.#request('host:version', signal).catch((error) => {
      throw this.#ofServer(error);
    });
    if (/^[0-9a-f]{1,4}$/i.test(digits)) return Number.parseInt(digits, 16);
    throw this.#explained(new ForeignWordError(`${JSON.stringify(digits)} in place of a version`), signal);
  }

  async watchDevices(onChange: () => void, signal: AbortSignal): Promise<never> {
    using limit = new Deadline(this.#requestTimeoutMs, signal);
    const connection = await this.#send('host:track-devices', signal, limit);
    connection.socket.setKeepAlive(true, KEEP_ALIVE_MS); // a host that loses power does not close its connections
    const ended = new AbortController();
    const stop = () => ended.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    // nobody reads between two lists, so the parser would miss a reset there
    const close = () => ended.abort(this.#closed());
    if (connection.socket.destroyed) close();
    else connection.socket.once('close', close);
    try {
      for (;;) {
        await abortable(readText(connection.parser), ended.signal);
        onChange();
        await yieldToLoop(); // a server that says so without a pause leaves no turn to anybody else
      }
    } catch (error) {
      throw this.#explained(error, signal);
    } finally {
      this.#server = Symbol('server'); // the next one may be another server
      signal.removeEventListener('abort', stop);
      connection.socket.destroy();
    }
  }

  async open(device: ListedDevice, service: string, signal: AbortSignal): Promise<Output> {
    const isSameServer = (this.#listedBy.get(device) ?? this.#server) === this.#server;
    const packets = [
      encode(transportRequest(device, isSameServer, this.#lastDevices)),
      encode(service),
    ] as const;
    using limit = new Deadline(this.#requestTimeoutMs, signal);
    try {
      return await openService({ host: this.host, port: this.port }, packets, limit.signal, signal);
    } catch (error) {
      throw this.#explained(error, signal);
    }
  }

  async #request(
    request: string,
    signal: AbortSignal | undefined,
    read = ({ parser }: AdbConnection) => readText(parser),
  ): Promise<string> {
    using limit = new Deadline(this.#requestTimeoutMs, signal);
    const connection = await this.#send(request, signal, limit);
    try {
      return await abortable(read(connection), limit.signal);
    } catch (error) {
      throw this.#explained(error, signal);
    } finally {
      connection.socket.destroy();
    }
  }

  /** Sends the request on a new connection and waits for OKAY. */
  async #send(request: string, signal: AbortSignal | undefined, limit: Deadline): Promise<AdbConnection> {
    // without a binary, adbkit cannot start a server by itself when a connection is refused
    const connection = new AdbConnection({ host: this.host, port: this.port, bin: '' });
    connection.on('error', () => {}); // late errors of an abandoned connection; the caller already has one
    try {
      await abortable(shakeHands(connection, encode(request)), limit.signal);
      return connection;
    } catch (error) {
      connection.socket.destroy();
      throw this.#explained(error, signal);
    }
  }

  get #address(): string {
    return `${this.host}:${this.port}`;
  }

  #explained(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof AdbRefusedError || error instanceof AdbUnavailableError) return error;
    const address = this.#address;
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      const seconds = this.#requestTimeoutMs / 1000;
      const message = `the adb server at ${address} accepts connections but did not answer within ${seconds} s`;
      return new AdbUnavailableError('silent', message, { cause: error });
    }
    const isHungUp = error instanceof HungUpError || error instanceof Parser.PrematureEOFError;
    if (isHungUp || hasCode(error, 'ECONNRESET')) return this.#closed(error);
    if (error instanceof ForeignWordError) {
      const message = `what listens at ${address} is not an adb server`;
      return new AdbUnavailableError('foreign', message, { cause: error });
    }
    const reason = CONNECT_FAILURES.find((code) => hasCode(error, code));
    if (reason === undefined) return new AdbUnavailableError('absent', `no adb server at ${address}`);
    const what =
      reason === 'EMFILE' ? 'no file descriptor left to reach the adb server' : `no adb server at ${address}`;
    return new AdbUnavailableError('unreachable', `${what} (${reason})`);
  }

  /** For requests to the server itself: what refuses one, or sends no list, is not an adb server. */
  #ofServer(error: unknown): unknown {
    if (!(error instanceof AdbRefusedError || error instanceof ParseError)) return error;
    const message = `the adb server at ${this.#address} does not answer like adb: ${error.message}`;
    return new AdbUnavailableError('foreign', message, { cause: error });
  }

  #closed(cause?: unknown): AdbUnavailableError {
    const message = `the adb server at ${this.#address} closed the connection`;
    return new AdbUnavailableError('closed', message, { cause });
  }
}

const isClosed = (error: unknown): boolean => error instanceof AdbUnavailableError && error.kind === 'closed';

const KEEP_ALIVE_MS = 15_000;

/** After this many readings, a line in only one of the lists counts as forged. */
const LIST_TIMES = 4;
/** A phone that reconnects all the time must not keep the server busy. */
const BETWEEN_LISTS_MS = 50;

/** Codes worth showing. A refused connection needs none. */
const CONNECT_FAILURES = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EMFILE',
  'EACCES',
];

async function shakeHands(connection: AdbConnection, packet: Buffer): Promise<void> {
  await connection.connect();
  connection.write(packet);
  await readStatus(connection.parser);
}

const LF = 0x0a;

/**
 * Reads a device list. From 64 KiB on, its length has five digits (AOSP adb/adb_io.cpp, SendProtocolString). With only
 * four of them the text would end within a line, or more bytes would follow.
 */
async function readList({ parser, socket }: AdbConnection): Promise<string> {
  const length = await readLength(parser);
  const bytes = await parser.readBytes(length);
  const fifth = bytes.toString('latin1', 0, 1);
  const mayBeLonger = length >= 0x1000 && /[0-9a-f]/i.test(fifth);
  if (!mayBeLonger || (bytes.at(-1) === LF && socket.readableLength === 0)) return bytes.toString('utf8');
  const rest = await parser.readBytes(length * 16 + Number.parseInt(fifth, 16) - (length - 1));
  return Buffer.concat([bytes.subarray(1), rest]).toString('utf8');
}

/** Waits for `promise` (adbkit returns Bluebird's) until the signal fires. */
async function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
