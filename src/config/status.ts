/** `status`, what the daemon serves over HTTP: its schema, and the checks that it cannot express. */
import * as z from 'zod';
import { isLoopback } from '../base/environment.ts';
import { pathText } from '../base/words.ts';
import type { Source } from './checks.ts';
import { flag, path, section, shaped, whole } from './kinds.ts';
import { oneLine, readNamedFile, Secret } from './secrets.ts';

/** What a listener serves: the page with its data, `/metrics`, or `/healthz` and `/readyz`. */
const statusParts = ['page', 'metrics', 'health'] as const;

export type StatusPart = (typeof statusParts)[number];

const HOME = '127.0.0.1';

const listener = z.strictObject({
  address: shaped(
    /^[0-9A-Za-z:]([\w.:-]*[0-9A-Za-z:])?$/,
    'an address of this host, IPv6 without brackets',
  ).default(HOME),
  port: z.number().int().min(0).max(65_535).exactOptional(),
  parts: z
    .array(z.enum(statusParts))
    .min(1)
    .default([...statusParts])
    .meta({ allowed: `a list of one or more of ${statusParts.join(', ')}` }),
});

export const statusSettings = section('What the daemon serves over HTTP.', {
  enabled: flag(
    true,
    'Serve the status page, the metrics and the health checks. The Unix socket for commands is always open.',
  ),
  port: whole(0, 65_535, 9477, 'The TCP port on 127.0.0.1; 0 picks a free port, and the log names it.'),
  listen: z.array(listener).default([]).meta({
    description:
      'Listeners to use instead, each with address, port and parts (page, metrics, health). Defaults: 127.0.0.1, status.port, all parts. Beyond this host the page requires passwordFile.',
    allowed: 'a list of listeners (in the environment: as JSON)',
  }),
  hostNames: z
    .array(shaped(/^[A-Za-z0-9_]([\w.-]*[A-Za-z0-9_])?$/, 'a host name, without a port and without *'))
    .default([])
    .meta({
      description:
        'Further host names under which browsers and Prometheus may reach this host. hostnode accepts only these, localhost and addresses, as a guard against DNS rebinding.',
      allowed: 'a list of host names (in the environment: as JSON)',
    }),
  passwordFile: path(
    'The file with the password of the page; only its owner may read it (chmod 600, for the service also chown hostnode). Any user name works. Plain HTTP sends it unencrypted: on an untrusted network put a TLS proxy in front.',
    '/etc/hostnode/status-password',
  ),
});

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

export function resolveStatus(
  { enabled, port, listen, hostNames, passwordFile }: z.infer<typeof statusSettings>,
  { env, problems, where }: Source,
): StatusConfig {
  if (!enabled) return { listeners: [], hostNames };
  const listeners =
    listen.length > 0
      ? listen.map((listener) => ({ ...listener, port: listener.port ?? port }))
      : [{ address: HOME, port, parts: [...statusParts] }];
  const { text: password, problem } =
    passwordFile === undefined ? {} : oneLine(readNamedFile(passwordFile, env));
  if (problem !== undefined) problems.push(`status.passwordFile: ${problem}`);
  const nameOf = (index: number) => pathText(['status', 'listen', index]);
  for (const [index, { address, port, parts }] of listeners.entries()) {
    const fails = (why: string) => problems.push(`${nameOf(index)} (${where('listen', index)}): ${why}`);
    const first = listeners.findIndex(
      (other) => other.port === port && other.address.toLowerCase() === address.toLowerCase(),
    );
    if (port !== 0 && first !== index)
      fails(
        `${nameOf(first)} already has ${address} port ${port}; list each address and port once, with all its parts`,
      );
    if (passwordFile === undefined && parts.includes('page') && !isLoopback(address))
      fails(
        `anyone who reaches ${address} could open the page; set status.passwordFile, or leave out the part page`,
      );
  }
  return { listeners, hostNames, ...(password !== undefined && { password: new Secret(password) }) };
}
