import type { IdentityFacts } from '../facts/identity.ts';

/** How the host reaches a phone. */
export type Connection = 'usb' | 'tcp' | 'emulator';

/** A boot of a phone. */
export interface Boot {
  /** Its `boot_id`; '' if the phone has none. */
  readonly id: string;
  /** When it began, seconds since the epoch by the host's clock; kept unless that clock is set. */
  readonly bootTimeSeconds: number;
}

/** One phone of the roster, attached or unplugged. */
export interface RosterDevice {
  /** The cloud's name for it, unique across the cloud. */
  readonly udid: string;
  /** adb's name for it, as last listed. */
  readonly serial: string;
  readonly connection: Connection;
  /** USB port path, e.g. `1-4.2`. */
  readonly devpath?: string;
  /**
   * All paths of this port in the list of slots, most exact first, from when adb last listed the phone: a reboot of the
   * host may change the bus in `devpath`. Absent if only `devpath` is known.
   */
  readonly portPaths?: readonly string[];
  /** adb lists it in any state. */
  readonly attached: boolean;
  /** adb's own word; `disconnected` if unplugged. */
  readonly state: string;
  /** What adb adds to the state. */
  readonly reason?: string;
  /** When adb last listed it, ms since the epoch. */
  readonly lastSeenAt: number;
  /** Kept so that an unplugged phone still has a name. */
  readonly identity?: IdentityFacts;
  /** Its owner's name for it. */
  readonly givenName?: string;
  readonly boot?: Boot;
  /** Sections whose answers took too long to parse, and how often in a row. They are skipped for a while. */
  readonly slowSections?: Readonly<Record<string, number>>;
  /** When it was found unplugged, ms since the epoch; absent while attached. */
  readonly goneAt?: number;
  /** We reported it under this udid; the cloud may have stored it. */
  readonly reported?: boolean;
  /** The cloud has stored it at least once, or may have: we reported it and the cloud did not reject it. */
  readonly wasStored?: boolean;
  /** The cloud has stored that it is unplugged. */
  readonly isGoneStored?: boolean;
  /** The udid that replaced this one when the phone's own serial became known. */
  readonly supersededBy?: string;
}

/** What `roster.json` holds. */
export interface RosterRecord {
  devices: RosterDevice[];
  /** Serials that two phones share. */
  sharedSerials: string[];
  /** Network names that belong to another phone than the one with their serial. */
  partedPlaces: string[];
  /** The time of writing if the clock was certainly wrong, ms since the epoch. */
  wrongClockAt?: number;
}
