/**
 * A service on a phone, directly over a socket. Every phone needs one in every round; with adbkit's connection, parser
 * and promises an inventory of 20 phones took 6 of 80 ms longer.
 */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { AdbRefusedError, ServiceRefusedError } from '../base/errors.ts';
import type { Output, Take } from './adb.ts';
import { type ByteSource, readStatus } from './wire.ts';

/** The server, or the phone behind it, closed the connection before it answered. */
export class HungUpError extends Error {}

/**
 * Sends two requests and waits for OKAY after each. The first selects the phone, and the server answers it. The second
 * names the service, and the phone answers it.
 *
 * @param limit ends the first request; its reason is thrown
 * @param signal ends the second request
 * @throws {ServiceRefusedError} when the phone does not open the service, or just closes the connection
 * @throws {AdbRefusedError} when the server knows no such phone
 * @throws {HungUpError | ForeignWordError} for the server, and errors of `node:net`
 */
export async function openService(
  server: Pick<TcpNetConnectOpts, 'host' | 'port'>,
  [transport, service]: readonly [Buffer, Buffer],
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<Output> {
  const socket = new ServiceSocket(server);
  await socket.request(transport, limit);
  await socket.request(service, signal).catch((error) => {
    throw ofPhone(error);
  });
  return socket;
}

function ofPhone(error: unknown): unknown {
  if (error instanceof AdbRefusedError) return new ServiceRefusedError(error.message);
  return error instanceof HungUpError ? new ServiceRefusedError('closed') : error;
}

/**
 * One buffer for the bytes of all services: each piece is handled before the next one is read. A stream allocates
 * memory for every piece. With a phone that floods, that is 100 MB, which a process frees late or never.
 */
const arrivals = Buffer.allocUnsafeSlow(64 * 1024);

class ServiceSocket implements ByteSource, Output {
  readonly #socket: Socket;
  /** Received, but not read yet. */
  #waiting: Buffer = Buffer.alloc(0);
  #arrived: (piece: Buffer) => void = (piece) => this.#keep(piece);
  /** Called when `#waiting` has grown, or when nothing more can come. */
  #wake = () => {};

  constructor(server: Pick<TcpNetConnectOpts, 'host' | 'port'>) {
    const callback = (length: number) => {
      this.#arrived(arrivals.subarray(0, length));
      return true;
    };
    this.#socket = connect({ ...server, noDelay: true, onread: { buffer: arrivals, callback } });
    this.#socket.on('error', () => {}); // `close` follows
    this.#socket.on('close', () => this.#wake());
  }

  /** Sends a request and waits for OKAY. Closes the connection on any other answer, or when the signal fires. */
  async request(packet: Buffer, signal: AbortSignal): Promise<void> {
    const hangUp = () => void this.#socket.destroy();
    signal.addEventListener('abort', hangUp, { once: true });
    if (signal.aborted) hangUp();
    try {
      this.#socket.write(packet);
      await readStatus(this);
    } catch (error) {
      hangUp();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', hangUp);
    }
  }

  readBytes(length: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.#waiting.length >= length) {
          const bytes = this.#waiting.subarray(0, length);
          this.#waiting = this.#waiting.subarray(length);
          resolve(bytes);
        } else if (this.#socket.destroyed) {
          reject(this.#socket.errored ?? new HungUpError('the connection was closed'));
        } else return;
        this.#wake = () => {};
      };
      this.#wake();
    });
  }

  read(take: Take, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        this.#arrived = () => {};
        this.#socket.destroy();
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
      this.#arrived = (piece) => {
        try {
          const taken = take(piece);
          if (taken === true) end();
          else if (taken !== false) {
            this.#socket.pause();
            void taken.then(() => this.#socket.resume());
          }
        } catch (error) {
          reject(error); // if the socket got it, it would end the process
          end();
        }
      };
      if (this.#waiting.length > 0) this.#arrived(this.#waiting);
      if (signal.aborted || this.#socket.destroyed) end();
    });
  }

  #keep(piece: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, piece]);
    this.#wake();
  }
}
