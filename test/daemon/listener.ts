/** A socket as systemd holds it: what is written to the descriptor is heard line by line. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface Listener {
  /** The descriptor of the other end. */
  fd: number;
  /** The next line. */
  next(): Promise<string>;
}

export async function listen(): Promise<Listener> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const socket = connect(address.port, '127.0.0.1');
  const [[heard]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    [],
  ];
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const lines = createInterface(heard)[Symbol.asyncIterator]();
  const { _handle } = socket as unknown as { _handle: { fd: number } };
  return { fd: _handle.fd, next: async () => (await lines.next()).value ?? 'the end' };
}
