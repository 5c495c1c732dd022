import { join } from 'node:path';

/** Where the agent has its socket: in the directory that systemd gives it for that, else beside its state. */
export function socketPathOf(env: Readonly<Record<string, string | undefined>>, stateDir: string): string {
  const [fromSystemd] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  return join(fromSystemd || stateDir, 'hostnode.sock');
}
