/**
 * Makes Node's HTTP server take requests with the method `DEL`.
 *
 * Node's parser knows a fixed list of methods and ends with HPE_INVALID_METHOD at this one. We then take the connection
 * away from the parser, and give it to the server again, with `DELETE` in place of `DEL`, after the answers to earlier
 * requests on it were sent.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { hasCode } from '../base/errors.ts';

const TOKEN = Buffer.from('DEL');
const NEW_TOKEN = Buffer.from('DELETE');

/** What we know of a connection of the server. */
interface Watched {
  /** The last bytes that the parser got before its current packet. */
  tail: Buffer;
  /** Answers that were not sent yet. */
  pending: number;
  idle?: () => void;
}

/** Writes to, and reads from, a connection; begins with bytes that were read from it before. */
class Fed extends Duplex {
  readonly origin: Duplex;
  /** Another one took its place: its end is not the connection's. */
  isSuperseded = false;
  /** Its first request was sent with `DEL`. */
  isFresh = true;

  constructor(origin: Duplex, first: Buffer) {
    super({ allowHalfOpen: true });
    this.origin = origin;
    this.push(first);
    origin.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) origin.pause();
    });
    origin.on('end', () => this.push(null));
    if (origin.readableEnded) this.push(null);
    origin.on('error', () => this.destroy());
    origin.on('close', () => this.destroy());
  }

  /** What it read from the connection, and nobody from it. */
  takeUnread(): Buffer[] {
    const unread = this.read();
    return unread === null ? [] : [unread];
  }

  override _read(): void {
    if (!this.isSuperseded) this.origin.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.origin.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    if (this.isSuperseded) done();
    else this.origin.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.isSuperseded) this.origin.destroy();
    done(error);
  }
}

/** The method as it was sent. */
export function sentMethod({ socket, method = '' }: IncomingMessage): string {
  const connection: unknown = socket;
  if (!(connection instanceof Fed) || !connection.isFresh) return method;
  connection.isFresh = false;
  return 'DEL';
}

export function acceptDel(server: Server): void {
  const watched = new WeakMap<Duplex, Watched>();

  server.on('connection', (socket: Duplex) => {
    const watch: Watched = { tail: Buffer.alloc(0), pending: 0 };
    watched.set(socket, watch);
    socket.on('data', (chunk: Buffer) => {
      watch.tail = Buffer.concat([watch.tail, chunk.subarray(-TOKEN.length)]).subarray(-TOKEN.length);
    });
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const watch = watched.get(socket);
    if (watch === undefined) return;
    watch.pending += 1;
    response.on('close', () => {
      watch.pending -= 1;
      if (watch.pending === 0) watch.idle?.();
    });
  });

  server.on('clientError', (error: Error & { rawPacket?: Buffer; bytesParsed?: number }, socket: Duplex) => {
    const watch = watched.get(socket);
    const rest = hasCode(error, 'HPE_INVALID_METHOD') && watch && restAfterDel(error, watch.tail);
    if (!watch || !rest) {
      // what Node does without a listener
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      else socket.destroy();
      return;
    }
    const origin = socket instanceof Fed ? socket.origin : socket;
    if (socket instanceof Fed) socket.isSuperseded = true;
    for (const stream of new Set([origin, socket])) {
      stream.pause();
      for (const event of ['data', 'end', 'drain', 'timeout']) stream.removeAllListeners(event);
    }
    const feed = () => {
      if (origin.destroyed) return;
      const unread = socket instanceof Fed ? socket.takeUnread() : [];
      release(socket);
      for (const event of ['close', 'error']) origin.removeAllListeners(event);
      server.emit('connection', new Fed(origin, Buffer.concat([NEW_TOKEN, rest, ...unread])));
    };
    if (watch.pending === 0) setImmediate(feed);
    else watch.idle = () => setImmediate(feed);
  });
}

/** What follows the token `DEL`; undefined if the parser stopped at something else. */
function restAfterDel(
  { rawPacket, bytesParsed }: { rawPacket?: Buffer; bytesParsed?: number },
  tail: Buffer,
): Buffer | undefined {
  if (rawPacket === undefined || bytesParsed === undefined) return undefined;
  const before = Buffer.concat([tail, rawPacket.subarray(0, bytesParsed)]);
  const rest = rawPacket.subarray(bytesParsed);
  const isDel = before.subarray(-TOKEN.length).equals(TOKEN) && rest[0] === 0x20;
  return isDel ? Buffer.from(rest) : undefined;
}

/** Lets the server forget the connection: its parser would wait for the end of a request, until a time-out. */
function release(socket: Duplex): void {
  if (socket instanceof Fed) socket.destroy();
  else for (const listener of socket.listeners('close')) listener.call(socket);
}
