/**
 * BOOT_LOOP: four restarts within half an hour that nobody asked for, or a phone that does not finish booting; ends half
 * an hour after the last one. UNEXPLAINED_REBOOT: one that the phone calls a crash, or four in a week without a reason, at any hour;
 * ends after a week without.
 */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { printable } from '../../base/printable.ts';
import type { HistoryEvent } from '../events/event.ts';
import { type RebootKind, reasonInWords, rebootKind } from '../events/reboot-reason.ts';
import type { Finding } from '../finding.ts';
import { steadily } from '../losses/clock-adjusted.ts';
import { isAroundTheClock, scheduled } from '../losses/daily-pattern.ts';
import type { RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { evidenceOf, lasting, namesOf, times } from '../words.ts';

const WEEK_MS = 7 * DAY_MS;
const LOOP = { reboots: 4, withinMs: 30 * MINUTE_MS };
/** A phone without a reason may have been restarted by its user: not four times a week at any hour, nor six times. */
const UNKNOWN = { atAnyHour: 4, atAll: 6 };
/** An update is seen so soon after its restart. */
const UPDATE_MS = 5 * MINUTE_MS;
/** Every night at the same time: a script. */
const SCRIPT_MS = 10 * MINUTE_MS;
/** The first boot after an update takes up to a quarter of an hour. */
const BOOT_MS = 20 * MINUTE_MS;
const LONGEST_REASON = 60;

interface Reboot {
  id: number;
  at: number;
  kind: RebootKind;
  reason: string;
}

export function judgeReboots({ now, events }: RuleContext): Finding[] {
  const byPhone = rebootsOf(events);
  const isBooting = now.phones.some(({ bootCompleted }) => bootCompleted === false);
  const attachedAt = lastAttached(isBooting ? events : []);
  const nameOf = namesOf(now);
  return now.phones.flatMap((phone): Finding[] => {
    if (phone.isInMaintenance) return [];
    const own = unasked(byPhone.get(phone.udid) ?? []);
    const name = nameOf(phone.udid);
    return [
      ...bootLoop(phone, name, own, now.at),
      ...stuck(phone, name, attachedAt.get(phone.udid), now.at),
      ...unexplained(phone, name, own, now.at),
    ].slice(0, 1);
  });
}

function bootLoop(phone: PhoneInput, name: string, own: readonly Reboot[], nowAt: number): Finding[] {
  const recent = own.filter(({ at }) => nowAt - at <= 2 * LOOP.withinMs);
  const isLoop = recent.some(({ at }, index) => {
    const end = recent[index + LOOP.reboots - 1];
    return end !== undefined && end.at - at <= LOOP.withinMs;
  });
  const [first] = recent;
  const last = recent.at(-1);
  if (!isLoop || !first || !last || nowAt - last.at > LOOP.withinMs) return [];
  const title = `${name} restarted ${times(recent.length)} in ${lasting(last.at - first.at)}`;
  return [{ ...loopFinding(phone, title), certainty: 'certain', since: first.at, evidence: idsOf(recent) }];
}

function stuck(
  phone: PhoneInput,
  name: string,
  since: { at: number; id: number } | undefined,
  nowAt: number,
): Finding[] {
  if (phone.bootCompleted !== false || phone.state !== 'device' || !since || nowAt - since.at < BOOT_MS)
    return [];
  const title = `${name} has not finished booting for ${lasting(nowAt - since.at)}`;
  return [{ ...loopFinding(phone, title), certainty: 'likely', since: since.at, evidence: [since.id] }];
}

const loopFinding = (
  { udid }: PhoneInput,
  title: string,
): Omit<Finding, 'certainty' | 'since' | 'evidence'> => ({
  code: 'BOOT_LOOP',
  severity: 'major',
  subject: { kind: 'phone', key: udid },
  title,
  remedy:
    'Take the phone out of the rack and restart it in recovery; erase it or flash it if that does not help',
  udids: [udid],
});

function unexplained(phone: PhoneInput, name: string, own: readonly Reboot[], nowAt: number): Finding[] {
  const recent = own.filter(({ at }) => nowAt - at <= WEEK_MS);
  const crashes = recent.filter(({ kind }) => kind === 'crash');
  const counted = crashes.length > 0 ? crashes : recent;
  const [first] = counted;
  const last = counted.at(-1);
  if (!first || !last || (crashes.length === 0 && !isTooOften(recent))) return [];
  const often =
    counted.length === 1
      ? `${lasting(nowAt - last.at)} ago`
      : `${times(counted.length)} in ${lasting(last.at - first.at)}`;
  return [
    {
      code: 'UNEXPLAINED_REBOOT',
      severity: 'minor',
      subject: { kind: 'phone', key: phone.udid },
      certainty: crashes.length > 0 ? 'certain' : 'possible',
      title:
        crashes.length > 0
          ? `${name} crashed and restarted ${often}: ${reasonInWords(last.reason)}`
          : `${name} restarted ${often} and gives no reason`,
      remedy:
        'Check the phone’s battery and temperature; update its Android, or take it out of tests if it goes on',
      since: first.at,
      udids: [phone.udid],
      evidence: idsOf(counted),
    },
  ];
}

function isTooOften(reboots: readonly Reboot[]): boolean {
  if (reboots.length < UNKNOWN.atAnyHour) return false;
  return reboots.length >= UNKNOWN.atAll || isAroundTheClock(reboots.map(({ at }) => at));
}

const idsOf = (list: readonly Reboot[]): number[] => evidenceOf(list.map(({ id }) => id));

/** Those that nobody asked for, as far as the phone says; a nightly script asks for all of its own. */
function unasked(all: readonly Reboot[]): Reboot[] {
  const byScript = scheduled(
    all.filter(({ kind }) => kind !== 'crash').map(({ at }) => at),
    SCRIPT_MS,
  );
  return all.filter(({ kind, at }) => kind === 'crash' || (kind === 'unknown' && !byScript.has(at)));
}

function rebootsOf(events: readonly HistoryEvent[]): Map<string, Reboot[]> {
  const momentOf = steadily(events);
  const found = new Map<string, Reboot[]>();
  const handledUntil = new Map<string, number>();
  for (const event of events) {
    switch (event.kind) {
      case 'clockStepped':
        momentOf(event);
        break;
      case 'maintenance':
        handledUntil.set(event.udid, event.until + (momentOf(event).at - event.at));
        break;
      case 'maintenanceEnded':
        handledUntil.delete(event.udid);
        break;
      case 'os': {
        const last = found.get(event.udid)?.at(-1);
        if (last && momentOf(event).at - last.at <= UPDATE_MS) last.kind = 'asked';
        break;
      }
      case 'rebooted': {
        const { at } = momentOf(event);
        const own = found.get(event.udid) ?? [];
        const isHandled = (handledUntil.get(event.udid) ?? Number.NEGATIVE_INFINITY) > at;
        const kind = isHandled ? 'asked' : rebootKind(event.reason);
        own.push({ id: event.id, at, kind, reason: printable(event.reason ?? '', LONGEST_REASON) });
        found.set(event.udid, own);
      }
    }
  }
  return found;
}

/** When adb last listed each phone anew, or called it something else. */
function lastAttached(events: readonly HistoryEvent[]): Map<string, { at: number; id: number }> {
  const momentOf = steadily(events);
  const found = new Map<string, { at: number; id: number }>();
  for (const event of events) {
    const { at } = momentOf(event);
    if (event.kind === 'attached' || event.kind === 'state') found.set(event.udid, { at, id: event.id });
  }
  return found;
}
