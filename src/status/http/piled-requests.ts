/**
 * Ends a connection that sends very many requests at once, before Node parses them. Node creates 3 kB of objects for
 * each request in a chunk of 64 KiB, and nothing can stop it there.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Follows the headers of each request; Node rejects a lone line feed. */
const END_OF_HEADERS = '\r\n\r\n';

/** Limit of a chunk with several requests: their headers may become a hundred objects for each KiB. */
const MOST_PILED_BYTES = 16 * 1024;

export function refusePiles(server: Server, most: number): void {
  server.on('connection', (socket: Socket) => {
    // before the parser: Node still passes it this chunk, but without a request in it
    socket.prependListener('data', (chunk: Buffer) => {
      if (!hasMore(chunk, chunk.length > MOST_PILED_BYTES ? 1 : most)) return;
      chunk.fill(0);
      socket.destroy();
    });
  });
}

function hasMore(chunk: Buffer, most: number): boolean {
  let count = 0;
  for (let at = chunk.indexOf(END_OF_HEADERS); at >= 0; at = chunk.indexOf(END_OF_HEADERS, at + 4)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
