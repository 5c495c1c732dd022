/**
 * How many requests a second a server answers. Speaks HTTP/1.1 over plain sockets: Node's own client costs as much as the
 * server.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** So many requests are under way at a time, each on a connection of its own. */
const CONNECTIONS = 16;

/** @throws {Error} an answer is not 200, or has no length */
export async function requestsPerSecond(load: Load, forMs: number): Promise<number> {
  const { hostname, port } = new URL(load.url);
  const text = requestText(load);
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay();
      await once(socket, 'connect');
      return socket;
    }),
  );
  const beganAt = performance.now();
  let answered = 0;
  const askAgainAndAgain = async (socket: Socket) => {
    for (; performance.now() - beganAt < forMs; answered++) await answerTo(text, socket);
  };
  try {
    await Promise.all(sockets.map(askAgainAndAgain));
    return (answered / (performance.now() - beganAt)) * 1000;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function requestText({ url, method, headers, body = '' }: Load): string {
  const { host, pathname, search } = new URL(url);
  const all = { ...headers, host, ...(body !== '' && { 'content-length': Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/** Sends the request, and waits for the last byte of the answer. */
function answerTo(text: string, socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let missingBytes = Number.NaN;
    const onData = (chunk: Buffer) => {
      if (Number.isNaN(missingBytes)) {
        // the head comes in one piece
        const head = chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4).toString('latin1');
        missingBytes = head.length + Number(/^content-length: *(\d+)\r$/im.exec(head)?.[1]);
        if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(missingBytes))
          return end(new Error(`unexpected answer: ${head}`));
      }
      missingBytes -= chunk.length;
      if (missingBytes <= 0) end();
    };
    const end = (error?: Error) => {
      socket.off('data', onData).off('error', end).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => end(new Error('the server closed the connection'));
    socket.on('data', onData).on('error', end).on('close', closed);
    socket.write(text);
  });
}
