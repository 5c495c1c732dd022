/** The variables that systemd gives the service. A shell does not have them, so a check of the configuration would miss them. */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from '../base/environment.ts';
import { attempt } from '../base/errors.ts';
import { readRegularFile } from './safe-file.ts';

/** `EnvironmentFile` of the unit. */
export const SERVICE_ENVIRONMENT = '/etc/hostnode/environment';

/**
 * True if systemd started this very process. Children of a service, such as a terminal or a CI job, inherit its
 * INVOCATION_ID, but SYSTEMD_EXEC_PID names the process that systemd started (systemd.exec(5)).
 */
export const isService = ({ INVOCATION_ID, SYSTEMD_EXEC_PID }: Environment): boolean =>
  Boolean(INVOCATION_ID) && SYSTEMD_EXEC_PID === String(process.pid);

/**
 * The environment of the service's configuration, for a check in a shell. `env` overrides the file's variables.
 * In a service, and if the file is not readable, returns `env`.
 *
 * @param file a configuration file named on the command line, so not the service's
 * @param root of the file system, `/`
 */
export function withServiceEnvironment(env: Environment, file?: string, root = '/'): Environment {
  if (isService(env) || file !== undefined) return env;
  return { ...attempt(() => parseEnv(readRegularFile(join(root, SERVICE_ENVIRONMENT)))), ...env };
}
