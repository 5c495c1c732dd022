/**
 * The configuration, one schema: every key with its type, default and meaning. The reader, the environment's
 * variable names, `config/hostnode.yaml` and `config/hostnode.schema.json` all follow from it.
 *
 * `description` documents a key; `example` stands in for a missing default, and `allowed` says in words what a
 * pattern requires.
 */
import * as z from 'zod';
import { whole } from '../base/schema.ts';
import { deviceRule } from '../report/device-rule.ts';
import { DEFAULT_MAX_PHONES } from '../roster/device.ts';
import { cloud, clouds } from './cloud.ts';
import { findings } from './findings.ts';
import { expectedPhones, slots } from './lists.ts';
import { metricsSettings } from './metrics.ts';
import { statusSettings } from './status.ts';

const text = (pattern?: RegExp) => (pattern === undefined ? z.string().min(1) : z.string().regex(pattern));

const hostName = text(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/);

const adb = z
  .strictObject({
    host: text(/^[A-Za-z0-9:]([\w.:-]*[A-Za-z0-9])?$/)
      .default('127.0.0.1')
      .meta({
        description: 'Host name or address of the adb server.',
        allowed: 'a host name or an address',
      }),
    port: whole(1, 65_535).default(5037).meta({ description: 'TCP port of the adb server.' }),
    start: z.boolean().exactOptional().meta({
      description: 'Start an adb server if none runs. When unset: yes for inventory, no for the daemon.',
      example: false,
    }),
    bin: text().default('adb').meta({ description: 'The adb program that starts it.' }),
    requestTimeoutSeconds: whole(1, 300)
      .default(5)
      .meta({ description: 'Seconds to wait for an answer from the adb server itself.' }),
  })
  .meta({
    description:
      "The adb server. adb's own ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT and ADB_SERVER_SOCKET apply if this file does not set the key.",
  });

const report = z
  .strictObject({
    schedule: text().default('* * * * *').meta({
      description:
        'When to send full reports, as cron fields (5, or 6 with seconds). hostnode reports changes at once.',
      allowed: 'a cron expression of 5 or 6 fields',
    }),
    onStop: z.enum(['nothing', 'unplugged']).default('nothing').meta({
      description:
        'What to report when the agent stops: nothing, or all phones as unplugged (for a host that you retire).',
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
      .meta({ description: 'Days until an unplugged phone expires; then hostnode no longer reports it.' }),
    offlineNetworkMinutes: z.number().positive().max(10_080).default(10).meta({
      description: 'Minutes until a network phone that adb lists as offline counts as unplugged.',
    }),
    maxPhones: whole(1, 100_000).default(DEFAULT_MAX_PHONES).meta({
      description:
        'How many phones to remember. Beyond that unplugged phones expire early, those that never answered first.',
    }),
  })
  .meta({ description: 'The phones that this host remembers.' });

const reachability = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: 'Check it on the phones.' }),
    host: hostName.default('connectivitycheck.gstatic.com').meta({
      description: 'The host from which a phone fetches http://HOST/generate_204.',
      allowed: 'a host name or an IPv4 address',
    }),
    everySeconds: whole(60, 86_400)
      .default(300)
      .meta({ description: 'Seconds between two fetches by one phone.' }),
    onMetered: z
      .boolean()
      .default(false)
      .meta({ description: 'Fetch it on metered networks (SIM data) too.' }),
  })
  .meta({ description: 'Whether a phone reaches the internet; the phone itself checks it.' });

const probe = z
  .strictObject({
    concurrency: whole(1, 1000)
      .default(48)
      .meta({ description: 'How many phones to collect at the same time.' }),
    deadlineSeconds: whole(5, 600).default(30).meta({ description: 'Seconds to wait for one phone.' }),
    telephonyIdentifiers: z
      .boolean()
      .default(true)
      .meta({ description: 'Read and report IMEI, MEID and ICCID.' }),
    reachability: reachability.prefault({}),
  })
  .meta({ description: 'How hostnode collects the phones.' });

const maintenance = z
  .strictObject({
    hidesFromCloud: z.boolean().default(false).meta({
      description:
        'Report a phone in maintenance as hidden (isHidden). A rule that hides it keeps it hidden afterwards.',
    }),
  })
  .meta({ description: 'What the cloud gets of phones in maintenance, beside the message.' });

const state = z
  .strictObject({
    dir: text().exactOptional().meta({
      description:
        'The state directory. When unset: $STATE_DIRECTORY (systemd), /var/lib/hostnode for root, else ~/.local/state/hostnode.',
      example: '/var/lib/hostnode',
    }),
    allowOtherOwner: z.boolean().default(false).meta({
      description:
        'Let an agent that runs as root use a directory that belongs to another user, such as a volume of a container.',
    }),
  })
  .meta({ description: 'What hostnode keeps between runs. Each agent needs its own directory.' });

const history = z
  .strictObject({
    days: whole(1, 3650)
      .default(90)
      .meta({ description: 'Days until an event or a reading of a phone is erased.' }),
    maxMegabytes: whole(16, 100_000).default(256).meta({
      description: 'How much of the disk the history may use. Beyond that the oldest is erased early.',
    }),
  })
  .meta({
    description:
      'What happened to phones and host, and their readings: history.sqlite of the state directory.',
  });
const inventory = z
  .strictObject({
    expected: expectedPhones.default([]).meta({
      description:
        'The phones that belong on this host; hostnode says which are missing, new or in another slot. `hostnode inventory --write-expected` writes the list.',
      allowed: 'a list of phones, each with serial or udid (in the environment: as JSON)',
    }),
  })
  .meta({ description: 'What the lab expects to find.' });

const log = z
  .strictObject({
    level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
      description: 'The least severe level to log: fatal, error, warn, info, debug, trace or silent.',
    }),
    format: z
      .enum(['auto', 'json', 'pretty'])
      .default('auto')
      .meta({ description: 'json, pretty, or auto (pretty on a terminal, json elsewhere).' }),
  })
  .meta({ description: 'The log.' });

/** The whole configuration as a person writes it; every key is optional. */
export const settings = z.strictObject({
  nodeId: text(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
    .exactOptional()
    .meta({
      description:
        'The name of this host in the cloud. When unset: derived once from the machine-id, then kept. Required in a container.',
      allowed: 'up to 128 letters, digits and . _ : -, starting with a letter or digit',
      example: 'rack-2',
    }),
  cloud: cloud.prefault({}),
  clouds,
  adb: adb.prefault({}),
  report: report.prefault({}),
  roster: roster.prefault({}),
  probe: probe.prefault({}),
  maintenance: maintenance.prefault({}),
  state: state.prefault({}),
  history: history.prefault({}),
  status: statusSettings.prefault({}),
  metrics: metricsSettings.prefault({}),
  log: log.prefault({}),
  slots: slots.default([]).meta({
    description:
      'Names for USB ports, i.e. for the bays where phones sit. `hostnode slots learn` writes the list.',
    allowed: 'a list of slots, each with a name and paths (in the environment: as JSON)',
  }),
  inventory: inventory.prefault({}),
  findings: findings.prefault({}),
  devices: z.array(deviceRule).default([]).meta({
    description: 'Rules for single phones: which phones they match, and what to report for these.',
    allowed: 'a list of rules (in the environment: as JSON)',
  }),
});

export type Settings = z.infer<typeof settings>;
