/**
 * What happened to a phone, or to the host: typed, never a sentence. An event says what was seen; who is to blame is for
 * the findings. Events hold no identifier of telephony.
 */
import type { AdbFailureKind } from '../../base/errors.ts';
import type { BatteryHealth } from '../../facts/battery.ts';

/** Where a phone sat when it happened. Absent values were not known, or the phone is on the network. */
export interface Where {
  slot?: string;
  /** adb's USB port path, `1-4.2`. Its bus number may change when the host boots. */
  devpath?: string;
  /** The same port by its controller, which a reboot does not change: `pci-0000:00:14.0-usb-0:4.2`. Else the devpath. */
  usbPath?: string;
  /** The hub of that port, in the same form: `pci-0000:00:14.0-usb-0:4`. Absent for a port of the host itself. */
  hub?: string;
}

/** What happened to one phone. */
export type PhoneHappening =
  /** adb lists it again, or for the first time. `state`: adb's word. */
  | { kind: 'attached'; state: string }
  /** adb no longer lists it. */
  | { kind: 'detached' }
  /** adb has another word for it while it stays attached. */
  | { kind: 'state'; state: string; before: string; reason?: string }
  /** It says for the first time, or in another way than before, which model it is. */
  | { kind: 'identity'; model?: string; brand?: string }
  /** Its boot id changed, or its uptime went back. A cable that was pulled changes neither. */
  | {
      kind: 'rebooted' /** `sys.boot.reason`, else `ro.boot.bootreason`. */;
      reason?: string;
      uptimeSeconds?: number;
    }
  /** Its SIM changed. `state`: `gsm.sim.state`. */
  | { kind: 'sim'; state: string; before?: string }
  /** It runs another version of Android (`ro.build.version.release`) or another build of it (`…incremental`). */
  | { kind: 'os'; release?: string; before?: string; build?: string; buildBefore?: string }
  | { kind: 'batteryHealth'; health: BatteryHealth; before?: BatteryHealth }
  /** The cloud did not store it. `said`: the cloud's own words, printable and bounded. */
  | { kind: 'refused'; said?: string }
  /** The cloud stored it: for the first time, or after it had refused it. */
  | { kind: 'stored' }
  | { kind: 'maintenance'; until: number; reason: string }
  | { kind: 'maintenanceEnded' }
  | Note;

/** A person's words. `by`: who wrote it, as the caller says. */
export interface Note {
  kind: 'note';
  text: string;
  by?: string;
}

/** What happened to the host. */
export type HostHappening =
  | { kind: 'adbLost'; failureKind?: AdbFailureKind }
  | { kind: 'adbBack' }
  /** Another adb server answers than before: it was restarted or replaced. */
  | { kind: 'adbReplaced'; version?: number }
  | {
      kind: 'agentStarted';
      version: string;
      /** When the host booted, ms since the epoch. */
      hostBootedAt?: number;
      /** When the agent before this one was certainly still running, ms since the epoch; it may have been killed. */
      lastAliveAt?: number;
    }
  | { kind: 'agentStopped' }
  | { kind: 'agentReloaded' }
  /** Forward is positive. */
  | { kind: 'clockStepped'; byMs: number }
  /** `code`: that of the error, such as `CLOUD_UNAVAILABLE`. */
  | { kind: 'cloudLost'; code?: string }
  | { kind: 'cloudBack' };

export type PhoneEvent = PhoneHappening & { udid: string; where: Where };
/**
 * A note on a slot, a port or a hub, where no phone is meant; on the host itself where `where` is empty. Of a hub, `devpath`
 * is its own.
 */
export type PlaceEvent = Note & { udid?: undefined; where: Where };
export type HostEvent = HostHappening & { udid?: undefined; where?: undefined };

/** An event as the agent records it. `at`: when it was noticed, ms since the epoch by the host's clock. */
export type NewEvent = (PhoneEvent | PlaceEvent | HostEvent) & { at: number };

/** An event as it is kept. `id`: its order, which counts up although the clock may be set back. */
export type HistoryEvent = NewEvent & { id: number };

export type EventKind = NewEvent['kind'];

/** adb's words for a phone that it lists and cannot reach (AOSP adb/adb.h, ConnectionState). */
const LOST: ReadonlySet<string> = new Set(['offline', 'unknown', 'no device']);

/** Is an attached phone lost in this state? One that is detached is lost too. */
export const isLostState = (state: string): boolean => LOST.has(state);

/** Readings of one phone at one moment; unknown values are absent. */
export interface HistorySample {
  /** ms since the epoch. */
  at: number;
  levelPercent?: number;
  temperatureDecicelsius?: number;
  /** It is on a charger and full. */
  isFull?: boolean;
  storageUsedBytes?: number;
}

/** One sample of each five minutes is kept, ms. */
export const SAMPLE_MS = 5 * 60_000;
/** Older samples than this are thinned, ms: one of each hour stays. */
export const FINE_MS = 7 * 86_400_000;
export const OLD_SAMPLE_MS = 3_600_000;

/** The begin of the five minutes since the epoch in which a moment lies. */
export const bucketOf = (at: number): number => Math.floor(at / SAMPLE_MS) * SAMPLE_MS;

/** Of the readings of a phone only those for which all of it holds. */
export interface SampleFilter {
  /** Up to this moment, ms since the epoch. */
  until?: number;
  /** On a charger and full. */
  isFull?: true;
  /** At least so warm, tenths of °C. */
  leastDecicelsius?: number;
}
