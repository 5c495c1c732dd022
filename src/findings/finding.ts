/** A judgement about a phone, a port, a hub, the host or the room, with the events that show it. */

/**
 * `critical`: it concerns the whole host, or a battery may catch fire; `major`: nobody can use the phone, or it is lost
 * again and again; `minor`: the phone works with limits, or will soon need a person.
 */
export type Severity = 'critical' | 'major' | 'minor';

/** Codes are stable: labs alert on them. docs/findings.md explains each. */
export const findingCodes = [
  // who is to blame for lost phones
  'PHONE_UNSTABLE',
  'PORT_UNSTABLE',
  'HUB_LOST',
  'HUB_UNSTABLE',
  'ADB_RESTARTING',
  'HOST_LOST_PHONES',
  'POWER_CUT',
  // how a phone behaves
  'FLAPPING',
  'UNEXPLAINED_REBOOT',
  'BOOT_LOOP',
  'OFFLINE_LONG',
  'UNAUTHORIZED_AFTER_UPDATE',
  // USB
  'USB_SLOW',
  'USB_POWER',
  'USB_FULL',
  'USB_ENDPOINTS',
  'NOT_IN_ADB',
  // battery and storage
  'BATTERY_HOT',
  'BATTERY_FULL_AND_HOT',
  'BATTERY_WORN',
  'STORAGE_FILLING',
  'ROOM_WARM',
  // readiness for tests
  'SCREEN_LOCKED',
  'SCREEN_OFF',
  'DEVELOPER_OPTIONS_OFF',
  'STAY_AWAKE_OFF',
  'DIALOG_IN_FRONT',
  // expected inventory
  'EXPECTED_MISSING',
  'UNEXPECTED_PHONE',
  'PHONE_MOVED',
  'PHONE_CLONED',
  'ATTACHED_TWICE',
] as const;

export type FindingCode = (typeof findingCodes)[number];

/** What a finding is about. `key` is unique within its kind: udid, usbPath, hub. */
export type Subject =
  | { kind: 'phone'; key: string }
  | { kind: 'port'; key: string; slot?: string }
  | { kind: 'hub'; key: string }
  | { kind: 'host' | 'room' };

/** How sure: `certain` follows from what was seen; `likely` and `possible` by counts. */
export type Certainty = 'certain' | 'likely' | 'possible';

export interface Finding {
  code: FindingCode;
  severity: Severity;
  subject: Subject;
  certainty: Certainty;
  /** One sentence without a full stop: `Bay 4 lost 3 different phones in 9 days`. */
  title: string;
  /** What to do, one sentence, action first. */
  remedy: string;
  /** When it began, ms since the epoch. */
  since: number;
  /** The phones it affects; empty where it affects none. */
  udids: string[];
  /** `id` of each event that shows it, oldest first; empty where it follows from the present alone. */
  evidence: number[];
}

/** Who lost a phone. `person`: somebody unplugged it, or works on it. */
export type Party = 'phone' | 'port' | 'hub' | 'adb' | 'host' | 'room' | 'person' | 'unknown';

/** Why a phone was lost once. */
export interface Blame {
  party: Party;
  /** Which one: a udid, usbPath or hub; absent for the others. */
  key?: string;
  certainty: Certainty;
  /** One sentence without a full stop, for a person: `5 phones of hub 1-4 went within 2 s`. */
  because: string;
  /** `id` of each event that shows it. */
  evidence: number[];
}

/** Stable for one finding while it lasts. */
export const findingKey = ({ code, subject }: Pick<Finding, 'code' | 'subject'>): string =>
  [code, subject.kind, 'key' in subject ? subject.key : ''].join(' ');

const worstFirst: readonly Severity[] = ['critical', 'major', 'minor'];

/** Compares, for `sort`: the worst first. */
export const bySeverity = (one: Severity, other: Severity): number =>
  worstFirst.indexOf(one) - worstFirst.indexOf(other);

/** Compares, for `sort`: the worst first, of these the newest. */
export const byWeight = (one: Finding, other: Finding): number =>
  bySeverity(one.severity, other.severity) ||
  other.since - one.since ||
  findingCodes.indexOf(one.code) - findingCodes.indexOf(other.code);
