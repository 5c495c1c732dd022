/**
 * The host at one instant, as `/api/status` gives it and the page, the terminal and the metrics show it. Times are ms
 * since the epoch. Nothing in it is a telephony identifier, and all text from phones and the cloud is printable.
 */
import type { AdbFailureKind } from '../errors.ts';

export interface HostStatus {
  takenAt: number;
  host: {
    name: string;
    nodeId: string;
    version: string;
    /** When this agent began. */
    startedAt: number;
  };
  adb: AdbStatus;
  reports: ReportStatus;
  /** Phones, each counted once: `phones` is the sum of the others. */
  counts: { phones: number; fine: number; needHand: number; maintenance: number; unknown: number };
  /** Since when nothing needs a hand; absent while something does. */
  fineSince?: number;
  /** What needs a hand, one a cause and not a phone; the oldest first. */
  causes: Cause[];
  /** In the order in which they stand in the room: slots as configured, then the phones without one. */
  bands: Band[];
  phones: PhoneStatus[];
}

export interface AdbStatus {
  /** `host:port` of the adb server. */
  address: string;
  /** Whether its list can be read; `unasked` until the first try has ended. */
  state: 'unasked' | 'listed' | 'lost';
  /** What the last try failed of, while it is lost. */
  failure?: string;
  failureKind?: AdbFailureKind;
  /** Since when it is in this state. */
  since: number;
  /** Its protocol version, e.g. 41. */
  version?: number;
}

export interface ReportStatus {
  /** Why nothing is reported at all, e.g. `no cloud configured`. */
  notReporting?: string;
  /** When the cloud last stored a report. */
  storedAt?: number;
  /** When the next full report is due. */
  nextAt?: number;
  /** What the last attempt failed of; absent while the cloud takes reports. */
  failure?: string;
  failingSince?: number;
}

/** Why phones, or the host, cannot be used, and what a person can do. */
export interface Cause {
  /** Opaque; the same for the same cause at every look. */
  key: string;
  kind: CauseKind;
  /** One sentence without a full stop: `6 phones behind hub 1-3 are gone`. */
  title: string;
  /** What to do, one sentence. */
  remedy: string;
  /** A command that helps, to be copied. */
  command?: string;
  since: number;
  /** The phones that it concerns; none when it is the host's. */
  udids: string[];
}

export type CauseKind =
  | 'adb'
  | 'cloud'
  | 'refused'
  | 'gone'
  | 'unauthorized'
  | 'state'
  | 'silent'
  | 'locked'
  | 'hot'
  | 'battery'
  | 'storage'
  | 'network';

/** A shelf: a row of bays that never move. */
export interface Band {
  /** What the names of its slots have in common: `rack 2, shelf 3`; empty where they have nothing, and without slots. */
  name: string;
  bays: Bay[];
}

/** A slot with several phones in it has as many bays. */
export interface Bay {
  /** The slot's own part of the name: `bay 4`; for a phone without a slot its USB port or address. */
  name: string;
  /** The whole name of the slot: `rack 2, shelf 3, bay 4`; absent for phones without one. */
  slot?: string;
  /** The phone that is, or was last, here. */
  udid?: string;
}

/** `unknown` while adb cannot be asked, where nothing was the matter before. */
export type Condition = 'fine' | 'needHand' | 'maintenance' | 'unknown';

export interface PhoneStatus {
  udid: string;
  /** adb's name for it. */
  serial: string;
  /** Its owner's name for it, else its maker's, else its model, else its serial. */
  name: string;
  model?: string;
  brand?: string;
  /** Version of Android, e.g. `14`. */
  android?: string;
  slot?: string;
  /** USB port path as adb last listed it, e.g. `1-4.2`. */
  devpath?: string;
  connection: 'usb' | 'tcp' | 'emulator';
  attached: boolean;
  /** adb's own word. */
  state: string;
  /** Since when it is as `sign` says; where that is empty, since when nothing is the matter. */
  since: number;
  condition: Condition;
  /** What is the matter, in a word or three: `unauthorized`, `gone`, `hot`, `refused`; empty when all is well. */
  sign: string;
  /** What a person can do, one sentence; empty when all is well. */
  message: string;
  maintenance?: Maintenance;
  /** When it last answered. */
  answeredAt?: number;
  battery?: {
    /** 0 to 1. */
    levelRatio?: number;
    isCharging?: boolean;
    temperatureCelsius?: number;
    voltageVolts?: number;
    /** The contract's word, e.g. `GOOD`. */
    health?: string;
  };
  storage?: { totalBytes: number; usedBytes?: number };
  memory?: { totalBytes: number; usedBytes?: number };
  /** The contract's word, e.g. `REACHABLE`. */
  network?: string;
  /** What the cloud said when it last refused it; absent while it is stored. */
  refused?: string;
}

export interface Maintenance {
  until: number;
  reason: string;
}

/** One phone in full: `/api/phones/UDID`. */
export interface PhoneDetail extends PhoneStatus {
  facts: Fact[];
  /** What happened to it, the newest first. */
  timeline: Happening[];
  /** The last day, the oldest first. */
  history: Sample[];
}

/** One named value, ready to be read; or why there is none. */
export interface Fact {
  /** The field's path in the report: `battery.percentage`. */
  name: string;
  value?: string;
  why?: string;
  /** When the phone said so. */
  takenAt?: number;
  /** The section of facts that it belongs to: `battery`; or where else it comes from. */
  from: string;
}

export interface Happening {
  at: number;
  /** `adb: device`, `gone: adb does not list it any more`, `hot`, `fine again`, `refused by the cloud: …`. */
  what: string;
}

/** Battery and temperature at one moment; what was not known is absent. */
export interface Sample {
  at: number;
  levelRatio?: number;
  temperatureCelsius?: number;
}
