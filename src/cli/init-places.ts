/** Where `hostnode config init` writes, and what to do after it. */
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { CREDENTIAL, DEFAULT_FILE } from '../config/load.ts';

export interface InitPlaces {
  readonly config: Place;
  readonly key: Place;
  /** The agent finds the key without `cloud.apiKeyFile`. */
  readonly isCredential: boolean;
  /** Commands to run after it, each with its purpose as a comment. */
  readonly next: readonly string[];
}

interface Place {
  readonly path: string;
  /** Permission bits of its folder, if that is to be made. */
  readonly folderMode?: number;
}

/**
 * As root the service's own files, else files in the current directory.
 *
 * @param hasService systemd runs here, with hostnode's unit
 * @param program how the person calls this program
 */
export function placesFor(
  { config, keyFile }: { config?: string; keyFile?: string },
  {
    isRoot,
    hasService,
    cwd,
    program,
  }: { isRoot: boolean; hasService: boolean; cwd: string; program: string },
): InitPlaces {
  const file = config ?? (isRoot ? DEFAULT_FILE : 'hostnode.yaml');
  const path = resolve(cwd, file);
  const isDefault = path === DEFAULT_FILE;
  const key = keyFile ?? (isDefault ? CREDENTIAL : join(dirname(path), 'cloud-api-key'));
  const isCredential = key === CREDENTIAL;
  const option = isDefault ? '' : ` --config ${quoted(file)}`;
  const start = isDefault && hasService ? 'systemctl restart hostnode' : `${program} run${option}`;
  return {
    config: { path, ...(isDefault && { folderMode: 0o755 }) },
    key: { path: resolve(cwd, key), ...(isCredential && { folderMode: 0o700 }) },
    isCredential,
    next: aligned([
      [`${program} doctor${option}`, 'checks host, phones and cloud'],
      [start, 'starts the agent'],
      [`${program} status${option}`, 'shows phones and page'],
    ]),
  };
}

/** How the person calls this program: by its name, or in a checkout by npm's script of that name. */
export const programName = ({ npm_lifecycle_event: script }: Environment): string =>
  script === 'hostnode' ? 'npm run hostnode --' : 'hostnode';

function aligned(lines: readonly [command: string, purpose: string][]): string[] {
  const width = Math.max(...lines.map(([command]) => command.length));
  return lines.map(([command, purpose]) => `${command.padEnd(width)}   # ${purpose}`);
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
