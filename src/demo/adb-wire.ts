/**
 * The framing of adb's host protocol: a request is its length as four hex digits, then its text; an answer
 * is `OKAY` or `FAIL`, then an optional text, framed in the same way.
 *
 * Source: AOSP adb, SERVICES.TXT and adb_io.cpp.
 */
import type { Socket } from 'node:net';

/** A text behind its length in bytes. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(4, '0')), bytes]);
}

export const okay = Buffer.from('OKAY');
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

/** Waits until the client has read everything or closed. */
export function drained(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    socket.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
