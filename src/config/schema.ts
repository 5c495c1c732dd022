/**
 * The configuration, one schema: every key with its type, default and meaning. The reader, the environment's
 * variable names, `config/hostnode.yaml` and `config/hostnode.schema.json` all follow from it.
 *
 * A key's text is its documentation; `example` stands in for a default where there is none, and `allowed` says
 * in words what a pattern cannot.
 */
import * as z from 'zod';
import { deviceRule } from './device-rule.ts';
import { slots } from './slot.ts';
import { statusSettings } from './status-settings.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** What is allowed, completing "must be …". */
    allowed?: string;
    example?: unknown;
    /** Never shown. */
    secret?: boolean;
  }
}

const text = (pattern?: RegExp) => (pattern === undefined ? z.string().min(1) : z.string().regex(pattern));
const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const hostName = text(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/);

const cloud = z
  .strictObject({
    baseUrl: text().exactOptional().meta({
      description: "The v1 root of the cloud's API; /devices is put below it.",
      allowed: 'an https:// address without user, query or fragment',
      example: 'https://cloud.example.com/v1',
    }),
    username: text(/^[^:\p{Cc}]+$/u)
      .exactOptional()
      .meta({
        description: "The account's user name or email address.",
        allowed: 'text without ":" (HTTP Basic authentication ends the name there)',
        example: 'lab@example.com',
        secret: true, // what is refused may have the key behind its colon
      }),
    apiKey: text(/^\P{Cc}+$/u)
      .exactOptional()
      .meta({
        description: "The account's API key. Better kept in a file of its own: see apiKeyFile.",
        allowed: 'one line of text',
        example: 'your-api-key',
        secret: true,
      }),
    apiKeyFile: text().exactOptional().meta({
      description:
        'A file that holds the API key and that only its owner can read (chmod 600). Under systemd the credential "cloud-api-key" serves instead.',
      example: '/etc/hostnode/cloud-api-key',
    }),
    allowInsecure: z.boolean().default(false).meta({
      description:
        'Allow a plain http:// address that is not this machine. The API key then crosses the network readable.',
    }),
    caFile: text().exactOptional().meta({
      description: 'Certificates (PEM) of the authorities to trust instead of the usual ones.',
      example: '/etc/hostnode/ca.pem',
    }),
    connectTimeoutSeconds: whole(1, 300)
      .default(5)
      .meta({ description: 'Seconds to wait for a connection.' }),
    requestTimeoutSeconds: whole(1, 600)
      .default(20)
      .meta({ description: 'Seconds to wait for a whole request, answer included.' }),
    refusedRetries: whole(0, 100).default(5).meta({
      description:
        'How often a device that the cloud refused is sent again on its own; after that it is said once and sent with each ordinary report.',
    }),
  })
  .meta({ description: 'The device cloud. Without baseUrl nothing is reported.' });

const adb = z
  .strictObject({
    host: text(/^[A-Za-z0-9:]([\w.:-]*[A-Za-z0-9])?$/)
      .default('127.0.0.1')
      .meta({
        description: 'Where the adb server listens.',
        allowed: 'a host name or an address',
      }),
    port: whole(1, 65_535).default(5037).meta({ description: 'Its TCP port.' }),
    start: z.boolean().exactOptional().meta({
      description:
        'Start an adb server where there is none. When unset: yes for the one shot, no for the daemon.',
      example: false,
    }),
    bin: text().default('adb').meta({ description: 'The program that starts one.' }),
    requestTimeoutSeconds: whole(1, 300)
      .default(5)
      .meta({ description: 'Seconds to wait for an answer of the adb server itself.' }),
  })
  .meta({
    description:
      "The adb server. adb's own ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT and ADB_SERVER_SOCKET count where this file says nothing.",
  });

const report = z
  .strictObject({
    schedule: text().default('* * * * *').meta({
      description:
        'When full reports are due, as cron fields (5, or 6 with seconds); changes are reported at once.',
      allowed: 'a cron expression of 5 or 6 fields',
    }),
    onStop: z.enum(['nothing', 'unplugged']).default('nothing').meta({
      description:
        'What the cloud is told when the agent stops: nothing, or that all phones are unplugged (for a host that is retired).',
    }),
  })
  .meta({ description: 'Reports to the cloud.' });

const roster = z
  .strictObject({
    forgetAfterDays: z
      .number()
      .positive()
      .max(3650)
      .default(7)
      .meta({ description: 'Days after which an unplugged phone is no longer reported.' }),
    offlineNetworkMinutes: z.number().positive().max(10_080).default(10).meta({
      description: 'Minutes after which a network phone that adb lists as offline counts as unplugged.',
    }),
    maxPhones: whole(1, 100_000).default(2000).meta({
      description:
        'How many phones are remembered. Beyond that unplugged ones are forgotten before their time, those that never answered first.',
    }),
  })
  .meta({ description: 'The phones ever seen on this host.' });

const reachability = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: 'Whether phones are asked for it.' }),
    host: hostName.default('connectivitycheck.gstatic.com').meta({
      description: 'The host whose http://HOST/generate_204 a phone fetches.',
      allowed: 'a host name or an IPv4 address',
    }),
    everySeconds: whole(60, 86_400)
      .default(300)
      .meta({ description: 'Seconds between two fetches of one phone.' }),
    onMetered: z
      .boolean()
      .default(false)
      .meta({ description: 'Fetch it on metered networks (SIM data) as well.' }),
  })
  .meta({ description: 'Whether a phone reaches the internet, asked from the phone itself.' });

const probe = z
  .strictObject({
    concurrency: whole(1, 1000)
      .default(48)
      .meta({ description: 'How many phones are asked at the same time.' }),
    deadlineSeconds: whole(5, 600)
      .default(30)
      .meta({ description: 'Seconds after which one phone is given up.' }),
    telephonyIdentifiers: z
      .boolean()
      .default(true)
      .meta({ description: 'Read and report IMEI, MEID and ICCID.' }),
    reachability: reachability.prefault({}),
  })
  .meta({ description: 'Asking the phones.' });

const state = z
  .strictObject({
    dir: text().exactOptional().meta({
      description:
        'The directory. When unset: $STATE_DIRECTORY (systemd), /var/lib/hostnode for root, else ~/.local/state/hostnode.',
      example: '/var/lib/hostnode',
    }),
    allowOtherOwner: z.boolean().default(false).meta({
      description:
        'Let an agent that runs as root work in a directory that belongs to another user, such as a volume of a container.',
    }),
  })
  .meta({ description: 'What is kept between runs; one agent a directory.' });

const log = z
  .strictObject({
    level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
      description: 'The least severe line that is written: fatal, error, warn, info, debug, trace or silent.',
    }),
    format: z
      .enum(['auto', 'json', 'pretty'])
      .default('auto')
      .meta({ description: 'json, pretty, or auto: pretty on a terminal and json elsewhere.' }),
  })
  .meta({ description: 'The log.' });

/** The whole configuration as it is written down; every key may be left out. */
export const settings = z.strictObject({
  nodeId: text(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
    .exactOptional()
    .meta({
      description:
        'The name of this host in the cloud. When unset: derived from the machine-id once, then kept; a container must have one.',
      allowed: 'up to 128 letters, digits and any of . _ : -, the first a letter or digit',
      example: 'rack-2',
    }),
  cloud: cloud.prefault({}),
  adb: adb.prefault({}),
  report: report.prefault({}),
  roster: roster.prefault({}),
  probe: probe.prefault({}),
  state: state.prefault({}),
  status: statusSettings.prefault({}),
  log: log.prefault({}),
  slots: slots.default([]).meta({
    description: 'Where phones sit: names for USB ports. `hostnode slots learn` writes the list.',
    allowed: 'a list of slots, each with a name and paths (in the environment: as JSON)',
  }),
  devices: z.array(deviceRule).default([]).meta({
    description: 'Rules for phones: what they match, and what to tell the cloud of them instead.',
    allowed: 'a list of rules (in the environment: as JSON)',
  }),
});

export type Settings = z.infer<typeof settings>;
