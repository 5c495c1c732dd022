/** A phone of the roster: the schema of `roster.json` is also the type in the program. */
import * as z from 'zod';
import { safeIdentifier } from '../base/printable.ts';
import { healths } from '../facts/battery.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { type LONGEST, phoneText } from '../facts/phone-text.ts';

export const ROSTER_VERSION = 1;

export const DEFAULT_MAX_PHONES = 2000;

// earlier versions wrote texts of phones at any length
const text = (kind: keyof typeof LONGEST) => z.string().transform((said) => phoneText(said, kind) ?? '');
const optionalText = (kind: keyof typeof LONGEST) => text(kind).exactOptional();
const identifier = z.string().transform(safeIdentifier);
/** Two identifiers with a character between them. */
const place = text('name');

const identity = z.object({
  serialNumber: identifier.exactOptional(),
  androidRelease: optionalText('word'),
  build: optionalText('word'),
  sdk: z.number().exactOptional(),
  model: optionalText('name'),
  brand: optionalText('name'),
  manufacturer: optionalText('name'),
  marketingName: optionalText('name'),
  cpuAbi: optionalText('word'),
  isEmulator: z.boolean(),
}) satisfies z.ZodType<IdentityFacts>;

const boot = z.object({
  /** Its `boot_id`; '' if the phone has none. */
  id: text('word'),
  /** When it began, seconds since the epoch by the host's clock; kept unless that clock is set. */
  bootTimeSeconds: z.number(),
});

/** What the cloud said of a phone when it was last sent. */
const cloudAnswer = z.enum(['stored', 'refused']);

const batteryHealth = z.enum(healths).exclude(['UNKNOWN']);

/** What the cloud was read to have of a phone, where that is not what this host has of it. */
const inCloud = z.object({
  /** `unplugged`: or not at all; `here`: plugged in at this host; `elsewhere`: at another one. */
  there: z.enum(['unplugged', 'here', 'elsewhere']),
  /** That other host; absent where the cloud does not say which. */
  host: identifier.exactOptional(),
  /** When it was first read so, ms since the epoch. */
  since: z.number(),
  /** It was read so twice in a row. */
  isConfirmed: z.literal(true).exactOptional(),
});

const connection = z.enum(['usb', 'tcp', 'emulator']);

const device = z.object({
  /** The cloud's name for it, unique across the cloud. In the file, '' for a blank one: such a record is no phone. */
  udid: identifier,
  /** adb's name for it, as last listed. */
  serial: identifier,
  connection,
  /** USB port path, e.g. `1-4.2`. */
  devpath: identifier.exactOptional(),
  /**
   * All paths of this port in the list of slots, most exact first, from when adb last listed the phone: a reboot of the
   * host may change the bus in `devpath`. Absent if only `devpath` is known.
   */
  portPaths: z.array(text('name')).readonly().exactOptional(),
  /** adb lists it in any state. */
  attached: z.boolean(),
  /** adb's own word; `disconnected` if unplugged. */
  state: text('word'),
  /** What adb adds to the state. */
  reason: optionalText('reason'),
  /** When adb last listed it, ms since the epoch. */
  lastSeenAt: z.number(),
  /** Kept so that an unplugged phone still has a name. */
  identity: identity.exactOptional(),
  /** Its owner's name for it. */
  givenName: optionalText('name'),
  boot: boot.readonly().exactOptional(),
  /** The lasting words of `gsm.sim.state`: see facts/sim-state.ts. */
  simState: optionalText('word'),
  /** As it last said, if it knows. */
  batteryHealth: batteryHealth.exactOptional(),
  /** `adb root` has made its adbd root; absent: not, as it last said. */
  isAdbRoot: z.literal(true).exactOptional(),
  /** When it was found unplugged, ms since the epoch; absent while attached. */
  goneAt: z.number().exactOptional(),
  /** We reported it under this udid; the cloud may have stored it. */
  reported: z.boolean().exactOptional(),
  /** The cloud has stored it at least once, or may have: we reported it and the cloud did not reject it. */
  wasStored: z.boolean().exactOptional(),
  /** Absent until the cloud has answered about it. */
  cloudAnswer: cloudAnswer.exactOptional(),
  /** The cloud has stored that it is unplugged. */
  isGoneStored: z.boolean().exactOptional(),
  inCloud: inCloud.readonly().exactOptional(),
  /** The udid that replaced this one when the phone's own serial became known. */
  supersededBy: identifier.exactOptional(),
});

/** With more bad records than this, the file is damaged. */
const MOST_BAD = 100;

/** A bad record costs only itself. If all are bad, the file is. */
const devices = z.array(z.unknown()).transform((list, context) => {
  const good: z.infer<typeof device>[] = [];
  const bad: PropertyKey[][] = [];
  for (const [at, one] of list.entries()) {
    const { data, error } = device.safeParse(one);
    if (data === undefined) bad.push([at, ...(error?.issues[0]?.path ?? [])]);
    else good.push(data);
    if (bad.length > MOST_BAD) break;
  }
  if (bad.length > MOST_BAD || (bad.length > 0 && good.length === 0)) {
    context.issues.push({ code: 'custom', input: list, path: bad[0] ?? [] });
    return z.NEVER;
  }
  return good.filter(({ udid }) => udid !== '');
});

export const rosterSchema = z.object({
  version: z.literal(ROSTER_VERSION),
  devices,
  sharedSerials: z.array(identifier).default([]),
  /** Network names that belong to another phone than the one with their serial. The first files have none. */
  partedPlaces: z.array(place).default([]),
  /** The cloud and account that hold what `devices` says of the cloud, as a fingerprint. */
  reportsTo: z.string().max(64).exactOptional(),
  /** The time of writing if the clock was certainly wrong, ms since the epoch. */
  wrongClockAt: z.number().exactOptional(),
});

export type Connection = z.infer<typeof connection>;

export type Boot = Readonly<z.infer<typeof boot>>;

export type InCloud = Readonly<z.infer<typeof inCloud>>;

export type RosterDevice = Readonly<z.infer<typeof device>>;

export type RosterRecord = Omit<z.infer<typeof rosterSchema>, 'version' | 'devices'> & {
  devices: RosterDevice[];
};
