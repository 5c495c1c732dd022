/**
 * The configuration, one schema: every key with its type, default and meaning. The reader, the environment's
 * variable names, `config/hostnode.yaml` and `config/hostnode.schema.json` all follow from it.
 *
 * `description` documents a key; `example` stands in for a missing default, and `allowed` says in words what a
 * pattern requires.
 */
import * as z from 'zod';
import { findingCodes } from '../diagnosis/rules/index.ts';
import { deviceRule, wantsList } from '../report/device-rule.ts';
import { DEFAULT_MAX_PHONES } from '../roster/device.ts';
import { cloud, clouds } from './cloud.ts';
import { flag, path, section, shaped, whole } from './kinds.ts';
import { expectedPhones, slots } from './lists.ts';
import { metricsSettings } from './metrics.ts';
import { notifySettings } from './notify.ts';
import { statusSettings } from './status.ts';

const adb = section(
  "The adb server. adb's own ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT and ADB_SERVER_SOCKET apply if this file does not set the key.",
  {
    host: shaped(
      /^(?:[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?|[A-Fa-f0-9]*:[A-Fa-f0-9]*:[\w.:-]*)$/,
      'a host name or an address, without a port (adb.port)',
    )
      .default('127.0.0.1')
      .meta({ description: 'Host name or address of the adb server.' }),
    port: whole(1, 65_535, 5037, 'TCP port of the adb server.'),
    start: z.boolean().exactOptional().meta({
      description:
        'Start an adb server if none runs; never where the unit hostnode-adb is installed. When unset: yes for inventory, no for the daemon.',
      example: false,
    }),
    bin: z.string().min(1).default('adb').meta({ description: 'The adb program that starts it.' }),
    requestTimeoutSeconds: whole(1, 300, 5, 'Seconds to wait for an answer from the adb server itself.'),
  },
);

const report = section('Reports to the cloud.', {
  schedule: z.string().min(1).default('* * * * *').meta({
    description:
      'When to send full reports, as cron fields (5, or 6 with seconds); with a day of the month and a weekday both must hold. hostnode reports changes at once.',
    allowed: 'a cron expression of 5 or 6 fields, each within its range',
  }),
  onStop: z.enum(['nothing', 'unplugged']).default('nothing').meta({
    description:
      'What to report when the agent stops: nothing, or all phones as unplugged (for a host that you retire).',
  }),
  supportFromPreparation: flag(
    false,
    'Report support.appiumDisabled for a phone that is prepared for manual use and not for automation.',
  ),
});

const roster = section('The phones that this host remembers.', {
  forgetAfterDays: z
    .number()
    .positive()
    .max(3650)
    .default(7)
    .meta({ description: 'Days until hostnode itself forgets an unplugged phone, with its history.' }),
  offlineNetworkMinutes: z.number().positive().max(10_080).default(10).meta({
    description: 'Minutes until a network phone that adb lists as offline counts as unplugged.',
  }),
  maxPhones: whole(
    1,
    100_000,
    DEFAULT_MAX_PHONES,
    'How many phones to remember. Beyond that unplugged phones expire early, those of a crowded port first.',
  ),
});

const reachability = section('Whether a phone reaches the internet; the phone itself checks it.', {
  enabled: flag(true, 'Check it on the phones.'),
  host: shaped(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'a host name or an IPv4 address')
    .default('connectivitycheck.gstatic.com')
    .meta({ description: 'The host from which a phone fetches http://HOST/generate_204.' }),
  everySeconds: whole(60, 86_400, 300, 'Seconds between two fetches by one phone.'),
  onMetered: flag(false, 'Fetch it on metered networks (SIM data) too.'),
});

const probe = section('How hostnode collects the phones.', {
  concurrency: whole(1, 1000, 48, 'How many phones to collect at the same time.'),
  deadlineSeconds: whole(5, 600, 30, 'Seconds to wait for one phone.'),
  telephonyIdentifiers: flag(true, 'Read and report IMEI, MEID and ICCID.'),
  reachability,
});

const prepare = section('How phones are to be prepared; what differs is the finding NOT_PREPARED.', {
  wants: wantsList.default([]).meta({
    description:
      'Profiles (manual, automation, battery) and single settings (docs/preparing.md). hostnode asks the phones only for what is wanted here, every 5 minutes, and changes nothing by itself.',
  }),
  apply: flag(false, 'Let hostnode prepare --apply and --undo set settings on phones.'),
});

const maintenance = section('What the cloud gets of phones in maintenance, beside the message.', {
  hidesFromCloud: flag(
    false,
    'Report a phone in maintenance as hidden (isHidden). A rule that hides it keeps it hidden afterwards.',
  ),
});

const state = section('What hostnode keeps between runs. Each agent needs its own directory.', {
  dir: path(
    'The state directory. When unset: $STATE_DIRECTORY (systemd), /var/lib/hostnode for root, else ~/.local/state/hostnode.',
    '/var/lib/hostnode',
  ),
  allowOtherOwner: flag(
    false,
    'Let an agent that runs as root use a directory that belongs to another user, such as a volume of a container.',
  ),
});

const history = section(
  'What happened to phones and host, and their readings: history.sqlite of the state directory.',
  {
    days: whole(1, 3650, 90, 'Days until an event or a reading of a phone is erased.'),
    maxMegabytes: whole(
      16,
      100_000,
      256,
      'How much of the disk the history may use. Beyond that the oldest is erased early.',
    ),
    kernelLog: flag(
      false,
      'Follow the log of the kernel for faults of USB ports, by journalctl. The agent must be allowed to read the journal.',
    ),
  },
);

const inventory = section('What the lab expects to find.', {
  expected: expectedPhones.default([]).meta({
    description:
      'The phones that belong on this host; hostnode says which are missing, new or in another slot. `hostnode inventory --write-expected` writes the list.',
    allowed: 'a list of phones, each with serial or udid (in the environment: as JSON)',
  }),
});

export const findings = section('What hostnode finds out about phones, ports, hubs, host and room.', {
  off: z.array(z.enum(findingCodes)).default([]).meta({
    description: 'Codes of findings that this lab does not want, such as USB_SLOW.',
    allowed: 'a list of codes (in the environment: as JSON)',
  }),
});

const log = section('The log.', {
  level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
    description: 'The least severe level to log: fatal, error, warn, info, debug, trace or silent.',
  }),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .meta({ description: 'json, pretty, or auto (pretty on a terminal, json elsewhere).' }),
});

/** The whole configuration as a person writes it; every key is optional. */
export const settings = z.strictObject({
  nodeId: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
    .exactOptional()
    .meta({
      description:
        'The name of this host in the cloud. When unset: derived once from the machine-id, then kept. Required in a container.',
      allowed: 'up to 128 letters, digits and . _ : -, starting with a letter or digit',
      example: 'rack-2',
    }),
  ...{ cloud, clouds, adb, report, roster, probe, prepare, maintenance, state, history },
  ...{ status: statusSettings, metrics: metricsSettings, notify: notifySettings, log },
  slots: slots.default([]).meta({
    description:
      'Names for USB ports, i.e. for the bays where phones sit. `hostnode slots learn` writes the list.',
    allowed: 'a list of slots, each with a name and paths (in the environment: as JSON)',
  }),
  ...{ inventory, findings },
  devices: z.array(deviceRule).default([]).meta({
    description: 'Rules for single phones: which phones they match, and what to report for these.',
    allowed: 'a list of rules (in the environment: as JSON)',
  }),
});

export type Settings = z.infer<typeof settings>;
