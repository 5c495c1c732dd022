/** Why a phone, a place or the host is as it is: one answer from the present, the findings and the events. Pure. */
import { localMoment } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { quantity, quoted } from '../base/words.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import { isHostProblem } from '../diagnosis/finding.ts';
import { remedyOfLoss } from '../diagnosis/remedies.ts';
import { pluggedElsewhere, toldApart } from '../diagnosis/words.ts';
import type { HistoryEvent, Where } from '../history/events/event.ts';
import { hubsAbove } from '../history/events/where.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import { collapsedTimeline } from './collapsed-timeline.ts';
import type { Cause, FindingStatus, HostStatus, PhoneStatus, Why } from './host-status.ts';
import { type Named, placeName } from './names.ts';

/** Where notes on places count for it. */
export function placesOf({ kind, phones, of }: Named): TimelineQuery['places'] {
  const wheres = kind === 'host' ? [] : phones.map(({ where }) => where);
  const slots = [...wheres.flatMap(({ slot = [] }) => slot), ...(of.slots ?? [])];
  // a shelf's own notes have its name in place of a slot's
  const withShelves = slots.flatMap((slot) => [slot, placeInRoom(slot).band]).filter(Boolean);
  return {
    slots: [...new Set(withShelves)],
    usbPaths: [...new Set(wheres.flatMap(({ usbPath = [] }) => usbPath))],
    hubs: [...new Set(wheres.flatMap(hubsAbove))],
  };
}

interface WhyOptions {
  named: Named;
  present: Pick<HostStatus, 'takenAt' | 'phones' | 'causes' | 'notices' | 'findings'>;
  timeline: Timeline;
  /** Entries of the timeline at most. */
  limit: number;
}

export function whyOf({ named, present, timeline, limit }: WhyOptions): Why {
  const { kind } = named;
  const udids = new Set(named.phones.map(({ udid }) => udid));
  const { events, lost } = timeline;
  const phones = present.phones.filter(({ udid }) => udids.has(udid));
  const only = kind === 'phone' ? phones[0] : undefined;
  const isOfMany = kind !== 'phone';
  const placeOf = ({ slot, devpath, udid }: PhoneStatus) => slot ?? devpath ?? udid;
  const names = toldApart(present.phones, ({ name }) => name, placeOf);
  const nameOf = (udid: string) => names.get(udid) ?? udid;
  const collapsed = collapsedTimeline(events, nameOf);
  const entries = isOfMany
    ? collapsed.map((entry) => omitUndefined({ ...entry, name: entry.udid && nameOf(entry.udid) }))
    : collapsed;
  const findings = (present.findings ?? []).filter((finding) => isOn(finding, named, udids));
  const remedy = kind === 'host' ? remedyOfHost(present) : remedyOf(named, present, phones, findings);
  return omitUndefined({
    subject: subjectOf(named, only),
    now: isOfMany ? nowAt(named, phones, present.takenAt) : nowOf(only, named.name, present.takenAt),
    since: kind === 'host' ? undefined : sinceOf(phones, events),
    condition: only?.condition,
    phones: isOfMany && kind !== 'host' ? phones.map(briefOf) : undefined,
    blame: lost?.blame,
    lostAt: lost?.at,
    lostName: lost && isOfMany ? nameOf(lost.udid) : undefined,
    remedyOfLoss: lost && remedy === '' && !isHandled(lost, events) ? remedyOfLoss(lost) : undefined,
    findings,
    remedy,
    timeline: entries.slice(0, limit),
    hasMore: timeline.hasMore || entries.length > limit ? (true as const) : undefined,
  });
}

/** Somebody worked on it then, or has repaired something since. */
const isHandled = ({ cause, at }: NonNullable<Timeline['lost']>, events: readonly HistoryEvent[]): boolean =>
  cause === 'handled' ||
  events.some((event) => (event.kind === 'note' || event.kind === 'maintenance') && event.at >= at);

function subjectOf({ kind, name, of }: Named, phone: PhoneStatus | undefined): Why['subject'] {
  const isPath = kind === 'port' || kind === 'hub';
  return omitUndefined({
    kind,
    name: phone?.name ?? name,
    udid: of.udids?.[0],
    slot: kind === 'slot' ? name : phone?.slot,
    devpath: isPath ? name : phone?.devpath,
  });
}

const briefOf = ({ udid, name, slot, devpath, condition, sign, since }: PhoneStatus) =>
  omitUndefined({ udid, name, slot, devpath, condition, sign, since });

/** Signs that make a sentence with `is`. */
const adjectives: ReadonlySet<string> = new Set([
  'unplugged',
  'unauthorized',
  'offline',
  'locked',
  'hot',
  'missing',
  'unstable',
  'flapping',
  'booked and gone',
]);

const nowOf = (phone: PhoneStatus | undefined, name: string, now: number): string =>
  phone === undefined ? `${name} is not known any more` : `${phone.name} ${stateOf(phone, now)}`;

function stateOf(phone: PhoneStatus, now: number): string {
  const { attached, elsewhere } = phone;
  if (elsewhere === undefined) return stateHere(phone, now);
  const there = pluggedElsewhere(elsewhere, now);
  return attached ? `${stateHere(phone, now)}, and ${there}` : `is ${there}`;
}

function stateHere(phone: PhoneStatus, now: number): string {
  const { drain } = phone;
  if (drain === undefined) return conditionHere(phone, now);
  const reason = drain.reason === '' ? '' : ` (${drain.reason})`;
  return `${conditionHere(phone, now)}, and is drained until ${localMoment(drain.until, now)}${reason}`;
}

function conditionHere({ condition, sign, maintenance, refused }: PhoneStatus, now: number): string {
  if (maintenance)
    return `is in maintenance until ${localMoment(maintenance.until, now)}: ${maintenance.reason}`;
  if (condition === 'fine') return 'is fine';
  if (condition === 'unknown') return 'was fine; now adb cannot be reached';
  if (sign === 'rejected') return `is rejected by the cloud${refused ? `: ${refused}` : ''}`;
  return adjectives.has(sign) ? `is ${sign}` : `needs attention: ${sign}`;
}

function nowAt(named: Named, phones: readonly PhoneStatus[], now: number): string {
  const { kind } = named;
  const place = placeName(named);
  const [only] = phones;
  if (only === undefined)
    return kind === 'host' ? 'this host has no phones' : `${place} is empty: no phone is known there`;
  if (phones.length === 1 && (kind === 'slot' || kind === 'port'))
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
  if (only?.elsewhere && !only.attached) return undefined; // `now` has it
  if (only !== undefined && phones.length === 1)
    return only.maintenance ? maintenanceBegan(only.udid, events) : only.since;
  const times = phones.filter(({ condition }) => condition === 'needsAttention').map(({ since }) => since);
  return times.length === 0 ? undefined : Math.min(...times);
}

const maintenanceBegan = (udid: string, events: readonly HistoryEvent[]): number | undefined =>
  events.find((event) => event.kind === 'maintenance' && event.udid === udid)?.at;

/** Is it about one of the phones, or about the place where they are? About the host only its own are. */
function isOn(
  { subject, udids: affected }: FindingStatus,
  named: Named,
  udids: ReadonlySet<string>,
): boolean {
  const { kind, phones, of, where } = named;
  if (kind === 'host') return !('key' in subject);
  if (affected.some((udid) => udids.has(udid))) return true;
  if (!('key' in subject) || subject.kind === 'phone') return false;
  const isAt = ({ usbPath, hub }: Where) => usbPath === subject.key || hub === subject.key;
  if (isAt(where) || phones.some((phone) => isAt(phone.where))) return true;
  return subject.kind === 'port' && subject.slot !== undefined && of.slots?.includes(subject.slot) === true;
}

/** Its own, or what helps all of its phones that need attention; what works, and will soon need a person, can wait. */
function remedyOfHost({ causes, notices, phones }: WhyOptions['present']): string {
  const ill = phones.filter(({ condition }) => condition === 'needsAttention');
  const ofAll = ({ udids }: Cause) => ill.length > 0 && ill.every(({ udid }) => udids.includes(udid));
  const first = causes.find(isHostProblem) ?? causes.find(ofAll) ?? notices.find(isHostProblem);
  return first?.remedy ?? '';
}

/** What a person should do first, for all of them. */
function remedyOf(
  named: Named,
  { causes, notices }: WhyOptions['present'],
  phones: readonly PhoneStatus[],
  findings: readonly FindingStatus[],
): string {
  const inMaintenance = phones.filter(({ maintenance }) => maintenance);
  const [worked] = inMaintenance;
  if (worked && inMaintenance.length === phones.length)
    return `When the work is done, run hostnode maintenance --end -- ${quoted(phones.length === 1 ? worked.udid : placeName(named))}`;
  const concerns = ({ udids }: Cause) => phones.some(({ udid }) => udids.includes(udid));
  const isUnknown = phones.some(({ condition }) => condition === 'unknown');
  const ill = phones.find(({ condition }) => condition === 'needsAttention');
  if (named.kind === 'phone' && ill) return ill.message;
  const cause =
    (isUnknown ? causes.find(({ kind }) => kind === 'adb') : undefined) ??
    causes.find(concerns) ??
    notices.find(concerns);
  return cause?.remedy ?? ill?.message ?? findings[0]?.remedy ?? '';
}
