/** What the schema cannot say about `status`: where it listens after all, and that the page is not open to a network. */
import { isLoopback } from '../loopback.ts';
import { noSuchFile, readKeyFile } from './key-file.ts';
import type { Settings } from './schema.ts';
import { Secret } from './secret.ts';
import { type StatusPart, statusParts } from './status-settings.ts';

export interface ListenerConfig {
  readonly address: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly parts: readonly StatusPart[];
}

/** What the daemon serves over HTTP, and to whom. */
export interface StatusConfig {
  /** Empty where it is switched off. */
  readonly listeners: readonly ListenerConfig[];
  /** Names by which a browser may call this host, besides localhost and addresses. */
  readonly hostNames: readonly string[];
  /** The page asks for it, on every listener; absent where it asks for none. */
  readonly password?: Secret;
}

export interface ResolvedStatus {
  readonly status: StatusConfig;
  readonly problems: readonly string[];
}

function readPassword(file: string, credentialsDirectory: string | undefined) {
  const { key, problem } = readKeyFile(file, credentialsDirectory);
  if (key !== undefined) return { password: new Secret(key) };
  return { problem: problem ?? noSuchFile(file) };
}

/**
 * Checks and completes the settings of `status`.
 *
 * @param where the source of a listener by its number in the list, for the problems' lines
 */
export function resolveStatus(
  { enabled, port, listen, hostNames, passwordFile }: Settings['status'],
  credentialsDirectory: string | undefined,
  where: (listener: number) => string,
): ResolvedStatus {
  if (!enabled) return { status: { listeners: [], hostNames }, problems: [] };
  const listeners =
    listen.length > 0
      ? listen.map((listener) => ({ ...listener, port: listener.port ?? port }))
      : [{ address: '127.0.0.1', port, parts: [...statusParts] }];
  const found: { password?: Secret; problem?: string } =
    passwordFile === undefined ? {} : readPassword(passwordFile, credentialsDirectory);
  const problems = found.problem === undefined ? [] : [`status.passwordFile: ${found.problem}`];
  for (const [index, { address, port }] of listeners.entries()) {
    const first = listeners.findIndex(
      (other) => other.port === port && isSameAddress(other.address, address),
    );
    if (port === 0 || first === index) continue;
    problems.push(
      `status.listen.${index} (${where(index)}): status.listen.${first} has ${address} port ${port} already; name each address and port once, with all its parts`,
    );
  }
  if (passwordFile === undefined) {
    for (const [index, { address, parts }] of listeners.entries()) {
      if (!parts.includes('page') || isLoopback(address)) continue;
      problems.push(
        `status.listen.${index} (${where(index)}): the page is open to all who reach ${address}; set status.passwordFile, or leave the part page out`,
      );
    }
  }
  return {
    status: { listeners, hostNames, ...(found.password && { password: found.password }) },
    problems,
  };
}

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Would a server of the one serve what a server of the other does? */
export const isSameStatus = (one: StatusConfig, other: StatusConfig): boolean =>
  essence(one) === essence(other);

const essence = ({ password, ...rest }: StatusConfig): string => JSON.stringify([rest, password?.reveal()]);
