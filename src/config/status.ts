/** Checks of `status` that the schema cannot express: the final listeners, and that the page is not open to the network. */
import { isLoopback } from '../base/environment.ts';
import { pathText } from '../base/words.ts';
import { noSuchFile, readKeyFile } from './key-file.ts';
import type { Settings } from './schema.ts';
import { Secret } from './secret.ts';
import { type StatusPart, statusParts } from './status-settings.ts';

export interface ListenerConfig {
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  readonly parts: readonly StatusPart[];
}

/** What the daemon serves over HTTP, and to which clients. */
export interface StatusConfig {
  /** Empty if it is off. */
  readonly listeners: readonly ListenerConfig[];
  /** Host names that browsers may use, besides localhost and addresses. */
  readonly hostNames: readonly string[];
  /** The page's password, on every listener; absent if it needs none. */
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
 * @param where names the source of a listener by its index, for the lines of problems
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
      `${nameOf(index)} (${where(index)}): ${nameOf(first)} already has ${address} port ${port}; list each address and port once, with all its parts`,
    );
  }
  if (passwordFile === undefined) {
    for (const [index, { address, parts }] of listeners.entries()) {
      if (!parts.includes('page') || isLoopback(address)) continue;
      problems.push(
        `${nameOf(index)} (${where(index)}): anyone who reaches ${address} could open the page; set status.passwordFile, or leave out the part page`,
      );
    }
  }
  return {
    status: { listeners, hostNames, ...(found.password && { password: found.password }) },
    problems,
  };
}

const nameOf = (listener: number): string => pathText(['status', 'listen', listener]);

const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** True if servers of both would serve the same. */
export const isSameStatus = (one: StatusConfig, other: StatusConfig): boolean =>
  essence(one) === essence(other);

const essence = ({ password, ...rest }: StatusConfig): string => JSON.stringify([rest, password?.reveal()]);
