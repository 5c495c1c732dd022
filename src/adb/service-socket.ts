/**
 * A service on a phone, straight over a socket. This is done for every phone in every round, and by adbkit's connection,
 * parser and promises an inventory of 20 phones took 6 ms of 80 longer.
 */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { AdbRefusedError, ServiceRefusedError } from '../base/errors.ts';
import type { Output } from './adb.ts';
import { type ByteSource, readStatus } from './wire.ts';

/** The server, or the phone behind it, hung up before it had answered. */
export class HungUpError extends Error {}

/**
 * Sends two requests, each answered OKAY: which phone is meant, which the server answers, then what is wanted of it,
 * which the phone answers.
 *
 * @param limit ends the first of them; what it says is thrown
 * @param signal ends the second
 * @throws {ServiceRefusedError} when the phone does not open the service, which may be that it just hangs up
 * @throws {AdbRefusedError} when the server knows no such phone
 * @throws {HungUpError | ForeignWordError} of the server, and what `node:net` says
 */
export async function openService(
  server: Pick<TcpNetConnectOpts, 'host' | 'port'>,
  [transport, service]: readonly [Buffer, Buffer],
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<Output> {
  const socket = new ServiceSocket(server);
  await socket.ask(transport, limit);
  await socket.ask(service, signal).catch((error) => {
    throw ofPhone(error);
  });
  return socket;
}

function ofPhone(error: unknown): unknown {
  if (error instanceof AdbRefusedError) return new ServiceRefusedError(error.message);
  return error instanceof HungUpError ? new ServiceRefusedError('closed') : error;
}

/**
 * Where the bytes of all services arrive, one piece at a time: each is looked at before the next one is read. A stream
 * takes fresh memory for every piece, which a phone that floods makes 100 MB and a process gives back late or never.
 */
const arrivals = Buffer.allocUnsafeSlow(64 * 1024);

class ServiceSocket implements ByteSource, Output {
  readonly #socket: Socket;
  /** What has come and nobody has read. */
  #waiting: Buffer = Buffer.alloc(0);
  #arrived: (piece: Buffer) => void = (piece) => this.#keep(piece);
  /** Called when there is more in `#waiting`, or never will be. */
  #look = () => {};

  constructor(server: Pick<TcpNetConnectOpts, 'host' | 'port'>) {
    const callback = (length: number) => {
      this.#arrived(arrivals.subarray(0, length));
      return true;
    };
    this.#socket = connect({ ...server, noDelay: true, onread: { buffer: arrivals, callback } });
    this.#socket.on('error', () => {}); // `close` follows
    this.#socket.on('close', () => this.#look());
  }

  /** Sends a request, which is answered OKAY; hangs up where it is not, and where the signal fires before. */
  async ask(request: Buffer, signal: AbortSignal): Promise<void> {
    const hangUp = () => void this.#socket.destroy();
    signal.addEventListener('abort', hangUp, { once: true });
    if (signal.aborted) hangUp();
    try {
      this.#socket.write(request);
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
      this.#look = () => {
        if (this.#waiting.length >= length) {
          const bytes = this.#waiting.subarray(0, length);
          this.#waiting = this.#waiting.subarray(length);
          resolve(bytes);
        } else if (this.#socket.destroyed) {
          reject(this.#socket.errored ?? new HungUpError('the connection was closed'));
        } else return;
        this.#look = () => {};
      };
      this.#look();
    });
  }

  read(take: (piece: Buffer) => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        this.#arrived = () => {};
        this.#socket.destroy();
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      this.#look = end;
      this.#arrived = (piece) => {
        try {
          if (take(piece)) end();
        } catch (error) {
          reject(error); // thrown to the socket it would end the process
          end();
        }
      };
      if (this.#waiting.length > 0) this.#arrived(this.#waiting);
      if (signal.aborted || this.#socket.destroyed) end();
    });
  }

  #keep(piece: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, piece]);
    this.#look();
  }
}
