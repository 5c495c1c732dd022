/**
 * What the agent answers: the host at one instant (`/api/status`; page, terminal and metrics show it), and the answers of `why`
 * and `verdict`. Times are ms since the epoch.
 * Holds no telephony identifiers; all text from phones and the cloud is printable.
 */
import type { AdbSummary } from '../agent/adb-health.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { quantity } from '../base/words.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { TimelineEntry } from '../diagnosis/explain/timeline.ts';
import type { Verdict as PhoneVerdict } from '../diagnosis/explain/verdict.ts';
import type { Finding, FindingCode, Subject } from '../diagnosis/finding.ts';
import type { Blame } from '../diagnosis/losses/blame.ts';
import type { Party } from '../diagnosis/losses/reasons.ts';
import type { PhonesOnUsb } from '../host/usb-sight.ts';
import type { Named } from './names.ts';

export { isHostProblem, isOfLab } from '../diagnosis/finding.ts';
export type { TimelineEntry };

export interface Verdict extends Omit<PhoneVerdict, 'udid'> {
  phone: { udid: string; name: string; slot?: string };
}

export interface HostStatus {
  takenAt: number;
  /** Where this host serves the page; absent while it does not. */
  pageUrl?: string;
  /** Why it does not, though it should, and what to do: one sentence. */
  pageProblem?: string;
  host: {
    /** `nodeId` where the configuration sets it, else the machine's own name. */
    name: string;
    /** The machine's own name, where `name` is another. */
    hostname?: string;
    nodeId: string;
    version: string;
    startedAt: number;
  };
  adb: AdbStatus;
  reports: ReportStatus;
  /** Phones, each counted once: `phones` is the sum of the others. */
  counts: { phones: number; fine: number; needsAttention: number; maintenance: number; unknown: number };
  /** When the last thing that needed attention cleared; absent while something does. */
  fineSince?: number;
  /**
   * What needs attention: one entry per cause, not per phone. Those of the host itself (`isHostProblem`) first, then by
   * severity, then newest first. `counts` has no host problems.
   */
  causes: Cause[];
  /** Minor findings: what works, and will soon need a person. They make no phone need attention. Sorted as `causes`. */
  notices: Cause[];
  /** All findings now, the worst first, also those that `causes` tells as one; absent before the first judgement. */
  findings?: FindingStatus[];
  /** In rack order: configured slots, then the phones without one. */
  bands: Band[];
  phones: PhoneStatus[];
}

export interface AdbStatus extends AdbSummary {
  /** `host:port` of the adb server. */
  address: string;
  since: number;
  /** Phones that USB shows, while adb lists none there. */
  onUsb?: PhonesOnUsb;
}

export function isOneThere(onUsb: PhonesOnUsb = { phones: 0, withDebugging: 0 }): string {
  const { phones, withDebugging, serverLacksUsb } = onUsb;
  if (phones === 0) return 'Is a phone plugged in, with USB debugging on?';
  if (withDebugging === 0)
    return `USB shows ${quantity(phones, 'phone')} with USB debugging off: switch it on in Settings > Developer options`;
  const why = serverLacksUsb
    ? 'the adb server has no /dev/bus/usb: restart it; if it is in a container, pass it the whole folder'
    : 'adb lists none: hostnode doctor says why';
  return `USB shows ${quantity(withDebugging, 'phone')} with USB debugging on, and ${why}`;
}

/** What failed is absent while the cloud accepts reports. */
export interface ReportStatus extends Partial<CloudTrouble> {
  /** Why the agent reports nothing, e.g. `no cloud configured`. */
  notReporting?: string;
  storedAt?: number;
  nextAt?: number;
  failingSince?: number;
}

/** Why phones or the host are unusable, and the remedy. */
export interface Cause
  extends Pick<Finding, 'title' | 'said' | 'remedy' | 'command' | 'since' | 'udids'>,
    Partial<Pick<Finding, 'code' | 'severity' | 'certainty'>> {
  /** Opaque; stable for the same cause. */
  key: string;
  /** `finding`: by events, and only then there are code, severity, certainty and subject; else the code of the present. */
  kind: string;
  subject?: Subject['kind'];
}

/** A finding as page, terminal and `hostnode why` show it. */
export type FindingStatus = Omit<Finding, 'evidence' | 'sign' | 'said' | 'command'>;

/** A shelf: a row of bays that never move. */
export interface Band {
  /** The common part of its slots' names: `rack 2, shelf 3`; '' if there is none, or no slots. */
  name: string;
  bays: Bay[];
}

/** A slot with several phones has one bay for each. */
export interface Bay {
  /** The slot's own part of the name: `bay 4`; for a phone without a slot its USB port or address. */
  name: string;
  /** The whole name of the slot: `rack 2, shelf 3, bay 4`; absent for phones without one. */
  slot?: string;
  /** The phone that is here, or was last. */
  udid?: string;
}

/** `unknown`: was fine, and adb does not answer now. */
export type Condition = 'fine' | 'needsAttention' | 'maintenance' | 'unknown';

/** What a person plans for a phone: a maintenance, or a drain. */
export interface Plan {
  until: number;
  /** '' where none was given. */
  reason: string;
  /** Who began it, as the caller says. */
  by?: string;
}

export interface PhoneStatus {
  udid: string;
  serial: string;
  /** Its owner's name for it, else its maker's, else its model, else its serial. */
  name: string;
  slot?: string;
  /** USB port path as adb last listed it, e.g. `1-4.2`. */
  devpath?: string;
  attached: boolean;
  condition: Condition;
  /** What is wrong, in one to three words: `unauthorized`, `unplugged`, `hot`, `rejected`; '' if it is fine. */
  sign: string;
  /** Start of the state in `sign`; if that is empty, start of being fine. */
  since: number;
  /** The remedy, one sentence; '' if it is fine. */
  message: string;
  maintenance?: Plan;
  /** The cloud is told to hide it. */
  drain?: Plan;
  /** Another host has it, as the cloud says. */
  elsewhere?: { host?: string; since: number };
  /** Why the cloud last rejected it; absent while the cloud stores it. */
  refused?: string;
  model?: string;
  brand?: string;
  /** Version of Android, e.g. `14`. */
  android?: string;
  connection: 'usb' | 'tcp' | 'emulator';
  /** adb's own word. */
  state: string;
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
  /** Codes of the findings that affect it, the worst first; absent where there are none. */
  findings?: FindingCode[];
}

/** Without the last readings of phones that cannot be asked: they would look like those of now. */
export function withReadingsOfNow(host: HostStatus): HostStatus {
  const none = { battery: undefined, storage: undefined, memory: undefined, network: undefined };
  const isUnreachable = host.adb.state === 'unreachable';
  const phones = host.phones.map((phone) =>
    isUnreachable || phone.condition === 'unknown' ? omitUndefined({ ...phone, ...none }) : phone,
  );
  return { ...host, phones };
}

/** Some of a phone's events: `/api/phones/UDID/events`. */
export interface EventPage {
  /** Newest first. */
  events: TimelineEntry[];
  /** The next page has the events before this `id`; absent on the last page. */
  next?: number;
}

/** One phone in full: `/api/phones/UDID`. */
export interface PhoneDetail extends PhoneStatus {
  /** Its past from before is made up, as in the demo. */
  simulatedUntil?: number;
  facts: Fact[];
  /** The last day, oldest first; empty while the history does not answer. */
  history: Sample[];
}

/** One named value as text, or why it is missing. */
export interface Fact {
  /** The field's path in the report: `battery.percentage`. */
  name: string;
  value?: string;
  why?: string;
  takenAt?: number;
  /** Its section of facts: `battery`; or its other source. */
  from: string;
}

/** Battery and temperature at one moment; unknown values are absent. */
export interface Sample {
  at: number;
  levelRatio?: number;
  temperatureCelsius?: number;
}

/** The answer of `hostnode why`, for a phone, a place or the host. */
export interface Why {
  subject: Pick<Named, 'kind' | 'name'> & { udid?: string; slot?: string; devpath?: string };
  /** What is so now, one sentence without a full stop. */
  now: string;
  since?: number;
  /** Of a phone. */
  condition?: Condition;
  /** Of a place: the phones that are there, or were there last. */
  phones?: Pick<PhoneStatus, 'udid' | 'name' | 'slot' | 'devpath' | 'condition' | 'sign' | 'since'>[];
  /** Who is to blame for the last loss, and when that was. */
  blame?: Blame;
  lostAt?: number;
  /** Which phone that was, in the answer about a place. */
  lostName?: string;
  /** What keeps it from being lost so again, one sentence; absent where `remedy` says what to do, and after a note or a maintenance. */
  remedyOfLoss?: string;
  /** The worst first. */
  findings: FindingStatus[];
  /** What to do, one sentence; '' where nothing is to be done. */
  remedy: string;
  /** Newest first. */
  timeline: TimelineEntry[];
  /** There is more in the time that was wanted. */
  hasMore?: true;
  /** Why the timeline and who is to blame are missing: the history does not answer. */
  historyProblem?: string;
}

export const parties: Readonly<Record<Party, string>> = {
  phone: 'the phone itself',
  port: 'the cable or the port',
  link: 'its own Wi-Fi or network',
  hub: 'the hub',
  network: 'the network of the phones',
  adb: 'the adb server',
  host: 'this host',
  room: 'the power of the room',
  person: 'a person',
  unknown: 'not known',
};

/**
 * What to do, where it stands above all else: '' where phones are fine and a finding asks for it. `is fine` and a remedy
 * make no sense together.
 */
export function remedyOnTop({ condition, phones, findings, remedy }: Why): string {
  const conditions = phones?.map((phone) => phone.condition) ?? [condition];
  const isOfFinding = findings.some((finding) => finding.remedy === remedy);
  return isOfFinding && conditions.every((each) => each === 'fine') ? '' : remedy;
}
