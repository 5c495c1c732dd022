/** `status`, what the daemon serves over HTTP: its schema, and the checks that it cannot express. */
import * as z from 'zod';
import { isLoopback } from '../base/environment.ts';
import { pathText } from '../base/words.ts';
import { noSuchFile, readKeyFile, Secret } from './secrets.ts';

/** What a listener serves: the page with its data, `/metrics`, or `/healthz` and `/readyz`. */
export const statusParts = ['page', 'metrics', 'health'] as const;

export type StatusPart = (typeof statusParts)[number];

const port = z.number().int().min(0).max(65_535);

const listener = z.strictObject({
  address: z
    .string()
    .regex(/^[0-9A-Za-z:]([\w.:-]*[0-9A-Za-z:])?$/)
    .default('127.0.0.1')
    .meta({ allowed: 'an address of this host, IPv6 without brackets' }),
  port: port.exactOptional(),
  parts: z
    .array(z.enum(statusParts))
    .min(1)
    .default([...statusParts])
    .meta({ allowed: `a list of one or more of ${statusParts.join(', ')}` }),
});

export const statusSettings = z
  .strictObject({
    enabled: z.boolean().default(true).meta({
      description:
        'Serve the status page, the metrics and the health checks. The Unix socket for commands is always open.',
    }),
    port: port
      .default(9477)
      .meta({ description: 'The TCP port on 127.0.0.1; 0 picks a free port, and the log names it.' }),
    listen: z.array(listener).default([]).meta({
      description:
        'Listeners to use instead, each with address, port and parts (page, metrics, health). Defaults: 127.0.0.1, status.port, all parts. Beyond this host the page requires passwordFile.',
      allowed: 'a list of listeners (in the environment: as JSON)',
    }),
    hostNames: z
      .array(z.string().regex(/^[A-Za-z0-9_]([\w.-]*[A-Za-z0-9_])?$/))
      .default([])
      .meta({
        description:
          'Further host names under which browsers and Prometheus may reach this host. hostnode accepts only these, localhost and addresses, as a guard against DNS rebinding.',
        allowed: 'a list of host names (in the environment: as JSON)',
      }),
    passwordFile: z.string().min(1).exactOptional().meta({
      description:
        'The file with the password of the page; only its owner may read it (chmod 600, for the service also chown hostnode). Any user name works. Plain HTTP sends it unencrypted: on an untrusted network put a TLS proxy in front.',
      example: '/etc/hostnode/status-password',
    }),
  })
  .meta({ description: 'What the daemon serves over HTTP.' });

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
  { enabled, port, listen, hostNames, passwordFile }: z.infer<typeof statusSettings>,
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
