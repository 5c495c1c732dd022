/** Where the commands find the socket of the running agent. */
import { access } from 'node:fs/promises';
import { hasCode } from '../errors.ts';
import { defaultStateDirectory } from '../state/state-dir.ts';
import { socketPathOf } from '../status/socket-path.ts';
import type { ConfigOption } from './configuration.ts';

export interface AgentOption extends ConfigOption {
  /** Its path, where it is not looked for. */
  socket?: string;
}

/** Where systemd puts it: RuntimeDirectory=hostnode. */
const SERVICE_DIRECTORY = '/run/hostnode';

/**
 * The socket of the agent that is meant: what was said on the command line or in the environment, else the service's,
 * else that of the configured state directory. The configuration is read only where nothing else tells.
 */
export async function agentSocket({ socket, config }: AgentOption): Promise<string> {
  const { env } = process;
  if (socket !== undefined) return socket;
  if (env.RUNTIME_DIRECTORY) return socketPathOf(env, '');
  if (config === undefined && env.HOSTNODE_STATE_DIR) return socketPathOf(env, env.HOSTNODE_STATE_DIR);
  const service = socketPathOf({}, SERVICE_DIRECTORY);
  if (config === undefined && (await isThere(service))) return service;
  return socketPathOf(env, await configuredStateDirectory(config));
}

/** Also where this user may not look. */
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => hasCode(error, 'EACCES'),
  );

async function configuredStateDirectory(file: string | undefined): Promise<string> {
  const { loadConfig } = await import('../config/load.ts');
  return loadConfig({ env: process.env, phonesOnly: true, ...(file !== undefined && { file }) }).then(
    ({ config }) => config.state.dir,
    () => defaultStateDirectory(process.env), // what is wrong with it is the agent's to say
  );
}
