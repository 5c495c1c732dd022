/**
 * A service on a phone, straight over a socket. This is done for every phone in every round, and by adbkit's connection,
 * parser and promises an inventory of 20 phones took 6 ms of 80 longer.
 */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { AdbRefusedError, ServiceRefusedError } from '../errors.ts';
import { type ByteSource, readStatus } from './wire.ts';

/** The server, or the phone behind it, hung up before it had answered. */
export class HungUpError extends Error {}

/**
 * Sends two requests, each answered OKAY: which phone is meant, then what is wanted of it.
 *
 * @param signal ends the attempt; what it says is thrown
 * @throws {ServiceRefusedError} when the phone does not open the service, which may be that it just hangs up
 * @throws {AdbRefusedError} when the server knows no such phone
 * @throws {HungUpError | ForeignWordError} of the server, and what `node:net` says
 */
export async function openService(
  server: Pick<TcpNetConnectOpts, 'host' | 'port'>,
  [transport, service]: readonly [Buffer, Buffer],
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connect({ ...server, noDelay: true });
  socket.on('error', () => {}); // whoever reads has heard
  const giveUp = () => socket.destroy();
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  const source: ByteSource = { readBytes: (length) => readBytes(socket, length) };
  try {
    socket.write(transport);
    await readStatus(source);
    socket.write(service);
    await readStatus(source).catch((error) => {
      throw ofPhone(error);
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function ofPhone(error: unknown): unknown {
  if (error instanceof AdbRefusedError) return new ServiceRefusedError(error.message);
  return error instanceof HungUpError ? new ServiceRefusedError('closed') : error;
}

/** Leaves what follows them in the socket. */
function readBytes(socket: Socket, length: number): Promise<Buffer> {
  if (length === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      socket.off('readable', look);
      socket.off('close', close);
      settle();
    };
    const look = () => {
      const bytes: Buffer | null = socket.read(length);
      // fewer are the last ones: `close` follows
      if (bytes?.length === length) end(() => resolve(bytes));
    };
    const close = () => end(() => reject(socket.errored ?? new HungUpError('the connection was closed')));
    socket.on('readable', look);
    socket.on('close', close);
    if (socket.destroyed) close();
    else look();
  });
}
