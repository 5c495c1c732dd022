import { join } from 'node:path';
import type { Environment } from '../../base/environment.ts';

/** `sun_path` has 108 bytes, the last of them 0: unix(7). */
const LONGEST_BYTES = 107;

/** Why there can be no socket at this path, where that is for its length. */
export const tooLong = (path: string): string | undefined =>
  Buffer.byteLength(path) > LONGEST_BYTES ? `a socket’s path has at most ${LONGEST_BYTES} bytes` : undefined;

/** Where the agent has its socket: in the directory that systemd gives it for that, else beside its state. */
export function socketPathOf(env: Environment, stateDir: string): string {
  const [fromSystemd] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return join(fromSystemd || stateDir, 'hostnode.sock');
}
