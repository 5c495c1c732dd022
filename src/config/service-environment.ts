/** The variables that systemd gives the service besides: in a shell they are not there, and a look at the configuration would miss them. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './environment.ts';

/** `EnvironmentFile` of the unit. */
const FILE = 'etc/hostnode/environment';

/**
 * What the service's configuration is made of, for who looks at it in a shell. The file's variables stand below
 * those that are there. In a service, and where the file cannot be read, just these.
 *
 * @param file a configuration file that was asked for by name: it is another configuration than the service's
 * @param root of the file system, `/`
 */
export function withServiceEnvironment(env: Environment, file?: string, root = '/'): Environment {
  if (env.INVOCATION_ID !== undefined || file !== undefined) return env;
  try {
    return { ...parseEnv(readFileSync(root + FILE, 'utf8')), ...env };
  } catch {
    return env;
  }
}
