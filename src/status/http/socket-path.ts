import { join } from 'node:path';
import type { Environment } from '../../base/environment.ts';

/** `sun_path` has 108 bytes, including a final 0: unix(7). */
const LONGEST_BYTES = 107;

/** The problem if the path is too long for a socket; else undefined. */
export const tooLong = (path: string): string | undefined =>
  Buffer.byteLength(path) > LONGEST_BYTES ? `a socket’s path has at most ${LONGEST_BYTES} bytes` : undefined;

/** The path of the agent's socket: in systemd's runtime directory, else in the state directory. */
export function socketPathOf(env: Environment, stateDir: string): string {
  const [fromSystemd] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return join(fromSystemd || stateDir, 'hostnode.sock');
}
