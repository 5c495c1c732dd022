import type { IdentityFacts } from '../facts/identity.ts';

/** How the host reaches a phone. */
export type Connection = 'usb' | 'tcp' | 'emulator';

/** A boot of a phone. */
export interface Boot {
  /** Its `boot_id`; '' on a phone that tells none. */
  readonly id: string;
  /** When it began, seconds since the epoch by the host's clock: computed once and then kept, unless that clock is set. */
  readonly bootTimeSeconds: number;
}

/** One phone of the roster: attached now, or once seen and unplugged. */
export interface RosterDevice {
  /** The cloud's name for it, unique in the whole cloud. */
  readonly udid: string;
  /** adb's name for it, as last listed. */
  readonly serial: string;
  readonly connection: Connection;
  /** USB port path, e.g. `1-4.2`. */
  readonly devpath?: string;
  /**
   * All that means this port in the list of slots, the most exact first, as it was when adb last listed the phone: after
   * a reboot of the host the bus in `devpath` may be another one. Absent where only `devpath` is known.
   */
  readonly portPaths?: readonly string[];
  /** adb lists it, in any state. */
  readonly attached: boolean;
  /** adb's own word; `disconnected` when it is not attached. */
  readonly state: string;
  /** What adb adds to the word. */
  readonly reason?: string;
  /** When adb last listed it, ms since the epoch. */
  readonly lastSeenAt: number;
  /** Who it is, kept so that an unplugged phone still has a name. */
  readonly identity?: IdentityFacts;
  /** The name that its owner gave it. */
  readonly givenName?: string;
  readonly boot?: Boot;
  /** The sections whose answers took too long to be read: how often in a row. They rest. */
  readonly slowSections?: Readonly<Record<string, number>>;
  /** When it was found gone, ms since the epoch; absent while it is attached. */
  readonly goneAt?: number;
  /** The cloud has been told of it under this udid, and may have stored it. */
  readonly reported?: boolean;
  /** The cloud has stored it at least once, or may have: it was told of it and did not refuse it. */
  readonly wasStored?: boolean;
  /** The cloud has stored that it is gone. */
  readonly isGoneStored?: boolean;
  /** The udid that took the place of this one, when the phone's own serial became known. */
  readonly supersededBy?: string;
}

/** What outlives the process. */
export interface RosterRecord {
  devices: RosterDevice[];
  /** Serials that two phones have been seen to share. */
  sharedSerials: string[];
  /** Network names that are not the phone of the same serial. */
  partedPlaces: string[];
  /** What the clock said when this was written, where it was surely wrong, ms since the epoch. */
  wrongClockAt?: number;
}
