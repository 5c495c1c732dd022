/** The keys of `status`: the page, the metrics and the health answers that the daemon serves. */
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
        'Serve the status page, the metrics and the health answers. The Unix socket for commands is there in any case.',
    }),
    port: port
      .default(9477)
      .meta({ description: 'The TCP port on 127.0.0.1; 0 picks a free one, which the log names.' }),
    listen: z.array(listener).default([]).meta({
      description:
        'Where to listen instead: of each address, port and parts (page, metrics, health); what is left out is 127.0.0.1, status.port and all parts. Beyond this host the page wants passwordFile.',
      allowed: 'a list of listeners (in the environment: as JSON)',
    }),
    hostNames: z
      .array(z.string().regex(/^[A-Za-z0-9_]([\w.-]*[A-Za-z0-9_])?$/))
      .default([])
      .meta({
        description:
          'Names by which a browser or Prometheus may call this host, besides localhost and addresses: a foreign name is refused, for it may be a trap.',
        allowed: 'a list of host names (in the environment: as JSON)',
      }),
    passwordFile: z.string().min(1).exactOptional().meta({
      description:
        'A file that holds the password of the page and that only its owner can read (chmod 600): as a service, the user hostnode (chown hostnode). Any user name will do. Over plain HTTP it crosses the network readable: on a network that you do not trust, put a TLS proxy before it.',
      example: '/etc/hostnode/status-password',
    }),
  })
  .meta({ description: 'What the daemon shows of itself over HTTP.' });
