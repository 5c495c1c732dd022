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

/** Connections whose next request was sent with `DEL`. */
const renamed = new WeakSet<Duplex>();

export const sentMethod = ({ socket, method = '' }: IncomingMessage): string =>
  renamed.delete(socket) ? 'DEL' : method;

/** What the server listens for; it does so anew when it gets the connection again. */
const EVENTS = ['data', 'end', 'close', 'drain', 'timeout', 'error'];

export function acceptDel(server: Server): void {
  /** The last bytes that the parser got before its current packet. */
  const tails = new WeakMap<Duplex, Buffer>();
  /** Resolves once the answer to the last request was sent. */
  const answered = new WeakMap<Duplex, Promise<unknown>>();

  server.on('connection', (socket: Duplex) => {
    let tail = Buffer.alloc(0);
    tails.set(socket, tail);
    socket.on('data', (chunk: Buffer) => {
      tail = Buffer.concat([tail, chunk.subarray(-TOKEN.length)]).subarray(-TOKEN.length);
      tails.set(socket, tail);
    });
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answered.set(socket, new Promise((resolve) => response.on('close', resolve)));
  });

  server.on('clientError', (error: Error & { rawPacket?: Buffer; bytesParsed?: number }, socket: Duplex) => {
    const tail = tails.get(socket);
    const rest = hasCode(error, 'HPE_INVALID_METHOD') && tail && restAfterDel(error, tail);
    if (!rest) {
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
    void Promise.resolve(answered.get(socket)).then(() => setImmediate(feed));
  });
}

function statusOf(error: Error): string {
  if (hasCode(error, 'HPE_HEADER_OVERFLOW')) return '431 Request Header Fields Too Large';
  return hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT') ? '408 Request Timeout' : '400 Bad Request';
}

/** What follows the token `DEL`; undefined if the parser stopped at something else. */
function restAfterDel(
  { rawPacket = Buffer.alloc(0), bytesParsed = 0 }: { rawPacket?: Buffer; bytesParsed?: number },
  tail: Buffer,
): Buffer | undefined {
  const before = Buffer.concat([tail, rawPacket.subarray(0, bytesParsed)]);
  const rest = rawPacket.subarray(bytesParsed);
  const isDel = before.subarray(-TOKEN.length).equals(TOKEN) && rest[0] === 0x20;
  return isDel ? Buffer.from(rest) : undefined;
}
