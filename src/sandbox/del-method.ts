/**
 * Makes Node's HTTP server take requests with the method `DEL`.
 *
 * Node's parser knows a fixed list of methods and ends with HPE_INVALID_METHOD at this one. We then have the server forget
 * the connection, and give it to the server anew, with `DELETE` in place of `DEL` at the head of what was not read yet,
 * after the answers to earlier requests on it were sent.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasCode } from '../base/errors.ts';

const TOKEN = Buffer.from('DEL');
const NEW_TOKEN = Buffer.from('DELETE');

interface Watched {
  /** The last bytes that the parser got before its current packet. */
  tail: Buffer;
  /** Answers that were not sent yet. */
  pending: number;
  idle?: () => void;
}

/** Connections whose next request was sent with `DEL`. */
const renamed = new WeakSet<Duplex>();

export const sentMethod = ({ socket, method = '' }: IncomingMessage): string =>
  renamed.delete(socket) ? 'DEL' : method;

/** What the server listens for; it does so anew when it gets the connection again. */
const EVENTS = ['data', 'end', 'close', 'drain', 'timeout', 'error'];

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
      if (socket.writable) socket.end(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\n\r\n`);
      else socket.destroy();
      return;
    }
    socket.pause();
    for (const event of ['data', 'end', 'drain', 'timeout']) socket.removeAllListeners(event);
    const feed = () => {
      if (socket.destroyed) return;
      // the server forgets the connection: its parser would wait for the end of a request, until a time-out
      for (const listener of socket.listeners('close')) listener.call(socket);
      for (const event of EVENTS) socket.removeAllListeners(event);
      renamed.add(socket);
      socket.unshift(Buffer.concat([NEW_TOKEN, rest]));
      server.emit('connection', socket);
      socket.resume();
    };
    if (watch.pending === 0) setImmediate(feed);
    else watch.idle = () => setImmediate(feed);
  });
}

function statusOf(error: Error): string {
  if (hasCode(error, 'HPE_HEADER_OVERFLOW')) return '431 Request Header Fields Too Large';
  return hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT') ? '408 Request Timeout' : '400 Bad Request';
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
