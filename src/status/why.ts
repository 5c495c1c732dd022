/** Why a phone, a place or the host is as it is: one answer from the present, the findings and the events. Pure. */
import { localMoment } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { quantity, quoted } from '../base/words.ts';
import type { HistoryEvent, Where } from '../diagnosis/events/event.ts';
import type { Blame, Subject } from '../diagnosis/finding.ts';
import { collapsedTimeline } from './collapsed-timeline.ts';
import {
  type Cause,
  type FindingStatus,
  type HostStatus,
  isHostProblem,
  type PhoneStatus,
  type Why,
} from './host-status.ts';
import type { Named } from './named-subject.ts';
import { placeName } from './place-name.ts';

export interface WhyGiven {
  named: Named;
  status: HostStatus;
  /** Where a phone sits, or sat last. */
  whereOf(udid: string): Where | undefined;
  /** Newest first. */
  events: readonly HistoryEvent[];
  /** There are older ones in the time that was asked for. */
  hasMore: boolean;
  blame?: Blame;
  lostAt?: number;
  lostUdid?: string;
  /** Entries of the timeline at most. */
  limit: number;
}

export function whyOf(given: WhyGiven): Why {
  const { named, status, events, blame, lostAt, lostUdid, limit } = given;
  const udids = new Set(udidsOf(named));
  const phones = status.phones.filter(({ udid }) => udids.has(udid));
  const nameOf = (udid: string) => status.phones.find((phone) => phone.udid === udid)?.name ?? udid;
  const [phone] = phones;
  const present = named.kind === 'host' ? status.phones : phones;
  const isPhone = named.kind === 'phone';
  const collapsed = collapsedTimeline(events, nameOf);
  const timeline = isPhone
    ? collapsed
    : collapsed.map((entry) => omitUndefined({ ...entry, name: entry.udid && nameOf(entry.udid) }));
  const findings = findingsOn(given, udids);
  return omitUndefined({
    subject: subjectOf(named, isPhone ? phone : undefined),
    now: isPhone ? nowOf(phone, named.name, status.takenAt) : nowAt(named, present, status.takenAt),
    since: named.kind === 'host' ? undefined : sinceOf(phones, events),
    condition: isPhone ? phone?.condition : undefined,
    phones: isPhone || named.kind === 'host' ? undefined : phones.map(briefOf),
    blame,
    lostAt: blame && lostAt,
    lostName: blame && !isPhone && lostUdid !== undefined ? nameOf(lostUdid) : undefined,
    findings,
    remedy: named.kind === 'host' ? remedyOfHost(status) : remedyOf(named, status, phones, findings),
    timeline: timeline.slice(0, limit),
    hasMore: given.hasMore || timeline.length > limit ? (true as const) : undefined,
  });
}

export const udidsOf = (named: Named): string[] => (named.kind === 'phone' ? [named.udid] : named.udids);

function subjectOf(named: Named, phone: PhoneStatus | undefined): Why['subject'] {
  const { kind, name } = named;
  if (named.kind === 'phone') {
    const { udid } = named;
    return omitUndefined({
      kind,
      name: phone?.name ?? name,
      udid,
      slot: phone?.slot,
      devpath: phone?.devpath,
    });
  }
  if (named.kind === 'slot') return { kind, name, slot: name };
  return kind === 'shelf' || kind === 'host' ? { kind, name } : { kind, name, devpath: name };
}

const briefOf = ({ udid, name, slot, devpath, condition, sign, since }: PhoneStatus) =>
  omitUndefined({ udid, name, slot, devpath, condition, sign, since });

/** Signs that make a sentence with `is`. */
const adjectives: ReadonlySet<string> = new Set([
  ...['unplugged', 'unauthorized', 'offline', 'locked', 'hot', 'missing', 'unstable', 'flapping'],
]);

function nowOf(phone: PhoneStatus | undefined, name: string, now: number): string {
  if (phone === undefined) return `${name} is not known any more`;
  return `${phone.name} ${stateOf(phone, now)}`;
}

function stateOf({ condition, sign, maintenance, refused }: PhoneStatus, now: number): string {
  if (maintenance)
    return `is in maintenance until ${localMoment(maintenance.until, now)}: ${maintenance.reason}`;
  if (condition === 'fine') return 'is fine';
  if (condition === 'unknown') return 'was fine; now adb cannot be reached';
  if (sign === 'rejected') return `is rejected by the cloud${refused ? `: ${refused}` : ''}`;
  return adjectives.has(sign) ? `is ${sign}` : `needs attention: ${sign}`;
}

function nowAt(
  named: Exclude<Named, { kind: 'phone' }>,
  phones: readonly PhoneStatus[],
  now: number,
): string {
  const place = placeName(named);
  const [only] = phones;
  if (only === undefined && named.kind === 'host') return 'this host has no phones';
  if (only === undefined) return `${place} is empty: no phone is known there`;
  if (phones.length === 1 && (named.kind === 'slot' || named.kind === 'port'))
    return `${place}: ${only.name} ${only.attached ? '' : 'was here last, and '}${stateOf(only, now)}`;
  return `${place}: ${quantity(phones.length, 'phone')}, ${countsOf(phones)}`;
}

/** `4 fine, 2 unplugged`. */
function countsOf(phones: readonly PhoneStatus[]): string {
  const wordOf = ({ condition, sign }: PhoneStatus) =>
    condition === 'needsAttention' ? sign : condition === 'maintenance' ? 'in maintenance' : condition;
  const groups = Map.groupBy(phones, wordOf);
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([word, some]) => `${some.length} ${word}`)
    .join(', ');
}

/** Of one phone its own; of several since when the first of them needs attention. */
function sinceOf(phones: readonly PhoneStatus[], events: readonly HistoryEvent[]): number | undefined {
  const [only] = phones;
  if (only !== undefined && phones.length === 1)
    return only.maintenance ? beginOf(only.udid, events) : only.since;
  const times = phones.filter(({ condition }) => condition === 'needsAttention').map(({ since }) => since);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** When the maintenance of a phone began. */
const beginOf = (udid: string, events: readonly HistoryEvent[]): number | undefined =>
  events.find((event) => event.kind === 'maintenance' && event.udid === udid)?.at;

/** Those about the phones, and about the place where they are. */
function findingsOn({ named, status, whereOf }: WhyGiven, udids: ReadonlySet<string>): FindingStatus[] {
  const wheres = [...udids].flatMap((udid) => whereOf(udid) ?? []);
  const places = new Set(wheres.flatMap(({ usbPath, hub }) => [usbPath, hub]));
  if ('usbPath' in named) places.add(named.usbPath);
  if ('hub' in named) places.add(named.hub);
  const slots = new Set('slots' in named ? named.slots : []);
  const isHere = (subject: Subject) =>
    (named.kind === 'host' && !('key' in subject)) ||
    ('key' in subject && subject.kind !== 'phone' && places.has(subject.key)) ||
    (subject.kind === 'port' && subject.slot !== undefined && slots.has(subject.slot));
  return (status.findings ?? []).filter(
    ({ subject, udids: affected }) => affected.some((udid) => udids.has(udid)) || isHere(subject),
  );
}

const remedyOfHost = ({ causes, notices }: HostStatus): string =>
  [...causes, ...notices].find(isHostProblem)?.remedy ?? '';

/** What a person should do first, for all of them. */
function remedyOf(
  named: Named,
  { causes, notices }: HostStatus,
  phones: readonly PhoneStatus[],
  findings: readonly FindingStatus[],
): string {
  const inMaintenance = phones.filter(({ maintenance }) => maintenance);
  const [worked] = inMaintenance;
  if (worked && inMaintenance.length === phones.length)
    return `When the work is done, run hostnode maintenance --end -- ${quoted(phones.length === 1 ? worked.udid : placeName(named))}`;
  const concerns = ({ udids }: Cause) => phones.some(({ udid }) => udids.includes(udid));
  const isUnknown = phones.some(({ condition }) => condition === 'unknown');
  const cause =
    (isUnknown ? causes.find(({ kind }) => kind === 'adb') : undefined) ??
    causes.find(concerns) ??
    notices.find(concerns);
  const ill = phones.find(({ condition }) => condition === 'needsAttention');
  return cause?.remedy ?? ill?.message ?? findings[0]?.remedy ?? '';
}
