/** A server's port. */
import type { Server } from 'node:net';

/** @throws {Error} it does not listen */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sandbox has stopped');
  return address.port;
}
