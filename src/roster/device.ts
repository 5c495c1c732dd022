/** A phone of the roster, as it is kept in `roster.json`: the schema of the file is the type in the program. */
import * as z from 'zod';
import { safeIdentifier } from '../base/identifier.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { type LONGEST, phoneText } from '../facts/phone-text.ts';

export const ROSTER_VERSION = 1;

// an earlier version may have written what phones say at any length
const text = (kind: keyof typeof LONGEST) => z.string().transform((said) => phoneText(said, kind) ?? '');
const optionalText = (kind: keyof typeof LONGEST) => text(kind).exactOptional();
const identifier = z.string().transform(safeIdentifier);
/** Of two identifiers and a sign between them. */
const place = text('name');

const identity = z.object({
  serialNumber: identifier.exactOptional(),
  androidRelease: optionalText('word'),
  sdk: z.number().exactOptional(),
  model: optionalText('name'),
  brand: optionalText('name'),
  manufacturer: optionalText('name'),
  marketingName: optionalText('name'),
  cpuAbi: optionalText('word'),
  isEmulator: z.boolean(),
}) satisfies z.ZodType<IdentityFacts>;

const boot = z.object({
  /** Its `boot_id`; '' on a phone that tells none. */
  id: text('word'),
  /** When it began, seconds since the epoch by the host's clock: computed once and then kept, unless that clock is set. */
  bootTimeSeconds: z.number(),
});

/** How the host reaches a phone. */
const connection = z.enum(['usb', 'tcp', 'emulator']);

const device = z.object({
  /** The cloud's name for it, unique in the whole cloud. */
  udid: z.string().min(1).transform(safeIdentifier),
  /** adb's name for it, as last listed. */
  serial: identifier,
  connection,
  /** USB port path, e.g. `1-4.2`. */
  devpath: identifier.exactOptional(),
  /**
   * All that means this port in the list of slots, the most exact first, as it was when adb last listed the phone: after
   * a reboot of the host the bus in `devpath` may be another one. Absent where only `devpath` is known.
   */
  portPaths: z.array(text('name')).readonly().exactOptional(),
  /** adb lists it, in any state. */
  attached: z.boolean(),
  /** adb's own word; `disconnected` when it is not attached. */
  state: text('word'),
  /** What adb adds to the word. */
  reason: optionalText('reason'),
  /** When adb last listed it, ms since the epoch. */
  lastSeenAt: z.number(),
  /** Who it is, kept so that an unplugged phone still has a name. */
  identity: identity.exactOptional(),
  /** The name that its owner gave it. */
  givenName: optionalText('name'),
  boot: boot.readonly().exactOptional(),
  /** The sections whose answers took too long to be read: how often in a row. They rest. */
  slowSections: z.record(text('word'), z.int().positive()).readonly().exactOptional(),
  /** When it was found gone, ms since the epoch; absent while it is attached. */
  goneAt: z.number().exactOptional(),
  /** The cloud has been told of it under this udid, and may have stored it. */
  reported: z.boolean().exactOptional(),
  /** The cloud has stored it at least once, or may have: it was told of it and did not refuse it. */
  wasStored: z.boolean().exactOptional(),
  /** The cloud has stored that it is gone. */
  isGoneStored: z.boolean().exactOptional(),
  /** The udid that took the place of this one, when the phone's own serial became known. */
  supersededBy: identifier.exactOptional(),
});

/** What outlives the process, as it is written down. */
export const rosterSchema = z.object({
  version: z.literal(ROSTER_VERSION),
  devices: z.array(device),
  /** Serials that two phones have been seen to share. */
  sharedSerials: z.array(identifier).default([]),
  /** Network names that are not the phone of the same serial; the first files of this version have none. */
  partedPlaces: z.array(place).default([]),
  /** What the clock said when this was written, where it was surely wrong, ms since the epoch. */
  wrongClockAt: z.number().exactOptional(),
});

export type Connection = z.infer<typeof connection>;

/** A boot of a phone. */
export type Boot = Readonly<z.infer<typeof boot>>;

/** One phone of the roster: attached now, or once seen and unplugged. */
export type RosterDevice = Readonly<z.infer<typeof device>>;

/** What outlives the process. */
export type RosterRecord = Omit<z.infer<typeof rosterSchema>, 'version' | 'devices'> & {
  devices: RosterDevice[];
};
