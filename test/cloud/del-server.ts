import { createServer, type Server } from 'node:http';
import { Duplex } from 'node:stream';

/** Node's parser rejects the method DEL: it arrives as DELETE here, with this header. */
export const SENT_METHOD = 'x-sent-method';

/** A server that takes requests with the method DEL. */
export function delServer(): Server {
  const server = createServer();
  server.on('clientError', ({ rawPacket }: Error & { rawPacket?: Buffer }, socket) => {
    const text = rawPacket?.toString('latin1') ?? '';
    if (!text.startsWith('DEL ')) return socket.destroy();
    const again = new Duplex({
      read() {},
      write: (chunk, _, done) => void socket.write(chunk, done),
      final: (done) => void socket.end(done),
    });
    again.push(text.replace('DEL ', 'DELETE ').replace('\r\n', `\r\n${SENT_METHOD}: DEL\r\n`), 'latin1');
    server.emit('connection', again);
  });
  return server;
}
