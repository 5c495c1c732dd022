/** The keys of `status`: the page, the metrics and the health checks that the daemon serves. */
import * as z from 'zod';

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
