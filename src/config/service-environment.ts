/** The variables that systemd gives the service besides: in a shell they are not there, and a look at the configuration would miss them. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from '../environment.ts';

/** `EnvironmentFile` of the unit. */
const FILE = 'etc/hostnode/environment';

/**
 * Has systemd started this very process? What runs below a service, as a terminal or a CI job may, inherits its
 * INVOCATION_ID, but SYSTEMD_EXEC_PID names the process that systemd began (systemd.exec(5)).
 */
export const isService = ({ INVOCATION_ID, SYSTEMD_EXEC_PID }: Environment): boolean =>
  Boolean(INVOCATION_ID) && SYSTEMD_EXEC_PID === String(process.pid);

/**
 * What the service's configuration is made of, for who looks at it in a shell. The file's variables stand below
 * those that are there. In a service, and where the file cannot be read, just these.
 *
 * @param file a configuration file that was asked for by name: it is another configuration than the service's
 * @param root of the file system, `/`
 */
export function withServiceEnvironment(env: Environment, file?: string, root = '/'): Environment {
  if (isService(env) || file !== undefined) return env;
  try {
    return { ...parseEnv(readFileSync(root + FILE, 'utf8')), ...env };
  } catch {
    return env;
  }
}
