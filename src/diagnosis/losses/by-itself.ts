/**
 * Where nothing else explains a loss: did the phone come back alone, or did a person bring it? By what the loss itself shows,
 * then by what the same phone, or the same port, showed on other days.
 */
import { dayOf, isWeekday, weekdayOf } from '../../base/calendar.ts';
import { areDense } from '../../base/moments.ts';
import { median } from '../../base/statistics.ts';
import { chipModeOf, hasAdb, hasFastboot } from '../../host/usb-devices.ts';
import { missedAs } from '../context.ts';
import type { RuleContext } from '../rule.ts';
import { byHands, mayBeHands, NO_HAND } from './by-people.ts';
import { between } from './clock-adjusted.ts';
import { isAtOneTimeOfDay, scheduled } from './daily-pattern.ts';
import { areTooBrief, BRIEF_MS, type Loss, type LossCause, type UsbWitness } from './loss.ts';
import type { Presence } from './presence.ts';
import { isBrief, isByMode, isDead, isSeenAtPort, isWhenFull } from './signs.ts';

/** So long after its USB mode was changed somebody has a phone in hand, ms. */
const IN_HAND_MS = 15 * 60_000;
/** Who moves a phone to another port takes no longer, at any hour, ms. */
const MOVE_MS = 30 * 60_000;
/**
 * Losses of a phone at a port when nobody was there, on so many days of the week, make those when somebody was there suspect
 * too: of one day of the week, or of weekends, nobody may know yet that people come.
 */
const UNATTENDED = 2;

/** Sets the cause of all that have none, and of some that look otherwise with the others beside them. @param all oldest first */
export function explainRest(context: RuleContext, all: readonly Loss[], presence: Presence): void {
  const unsure = explainEach(context, all, presence);
  for (const ofOne of atOnePort(unsure)) explainByHabit(ofOne, presence);
  for (const ofOne of atOnePort(all.filter(mayBeOfTest)))
    if (isOfTest(ofOne)) for (const loss of ofOne) loss.cause = { kind: 'daily' };
  const unplugged = all.filter(({ cause, medium }) => cause?.kind === 'own' && medium !== 'usb');
  for (const ofOne of atOnePort(unplugged))
    for (const loss of plannedOf(ofOne)) loss.cause = { kind: 'daily' };
  // whoever takes a phone for long plugs it for moments too
  const ofPorts = all.filter(({ cause, medium }) => medium === 'usb' && cause && ofHands.has(cause.kind));
  for (const ofOne of Map.groupBy(ofPorts, ({ port }) => port).values())
    for (const loss of takenAt(ofOne, presence))
      if (loss.cause?.kind !== 'daily') loss.cause = { kind: awayOrGone(loss) };
}

/** Those of each phone at each port. */
const atOnePort = (losses: readonly Loss[]) =>
  Map.groupBy(losses, ({ udid, port }) => `${udid} ${port}`).values();

const awayOrGone = ({ back }: Loss) => (back ? 'away' : 'gone');

/** @returns those that only others like them can explain */
function explainEach(context: RuleContext, all: readonly Loss[], { isAttended }: Presence): Loss[] {
  const withoutAdb = shownWithoutAdb(context);
  const unsure: Loss[] = [];
  const before = new Map<string, Loss>();
  for (const loss of all) {
    const previous = before.get(loss.udid);
    before.set(loss.udid, loss);
    const shown = loss.back || loss.medium !== 'usb' ? undefined : withoutAdb.get(loss.udid);
    if (shown?.isInBootloader && loss.usb) loss.usb.isInBootloader = true;
    const isByBattery = loss.charge !== undefined && !isWhenFull(loss) && !isBrief(loss);
    // plugged in, what is empty starts its boot loader, or shows that it charges
    if (loss.cause && !(isByBattery && loss.cause.kind === 'mode')) continue;
    if (isByBattery) loss.cause = { kind: 'battery' };
    else if ((loss.revival || (loss.reboot && !isSeenAtPort(loss))) && loss.medium !== 'emulator')
      loss.cause = { kind: 'dead' };
    else if (isBrief(loss)) loss.cause = { kind: isInHand(loss, previous) ? 'handled' : 'own' };
    else if (
      loss.back &&
      loss.back.port !== loss.port &&
      (isAttended(loss.at) || (between(loss, loss.back) ?? MOVE_MS) < MOVE_MS)
    )
      loss.cause = { kind: 'away' };
    else if (shown) {
      loss.usb = { id: loss.id, gone: 'phone', ...loss.usb, ...shown };
      loss.cause = { kind: 'mode' };
    } else unsure.push(loss);
  }
  return unsure;
}

/** @param ofOne of one phone at one port */
function explainByHabit(ofOne: readonly Loss[], presence: Presence): void {
  const { isAttended, isNearAttended, isTimeOfPeople } = presence;
  const times = ofOne.map(({ at }) => at);
  const theirs = new Set(byHands(ofOne, presence));
  // who takes a phone home each evening may leave late; nobody comes at three to do so
  const isDaily = isAtOneTimeOfDay(times);
  const isOfHabit = ({ at }: Loss) => isDaily && isNearAttended(at);
  // nobody plugs a phone on the network: who comes early, and leaves late, is not learnt
  const isThere = ({ at, medium }: Loss) => (medium === 'network' ? isTimeOfPeople(at, 0) : isAttended(at));
  const isAlone = (loss: Loss) => !theirs.has(loss) && !isOfHabit(loss) && !isThere(loss);
  const weekdays = ofOne.filter(isAlone).map(({ at }) => weekdayOf(at));
  const areAllSuspect = new Set(weekdays.map((day) => isWeekday(day) && day)).size >= UNATTENDED;
  for (const loss of ofOne) {
    if (isAlone(loss)) loss.cause = { kind: 'own', isUnattended: true };
    else if (loss.back && areAllSuspect) loss.cause = { kind: 'own' };
    else if (isOfHabit(loss)) loss.cause = { kind: 'daily' };
    else loss.cause = { kind: awayOrGone(loss) };
  }
}

/** Phones that adb does not list, and that USB shows without its interface: they came back so, as after an update. */
function shownWithoutAdb(
  context: RuleContext,
): Map<string, Pick<UsbWitness, 'isOtherMode' | 'isInBootloader'>> {
  const devices = context.now.usb?.devices ?? [];
  return new Map(
    devices
      .filter((device) => device.interfaces.length > 0 && !hasAdb(device))
      .flatMap((device) => {
        const isInBootloader = hasFastboot(device) || chipModeOf(device) !== undefined;
        const shown = { isOtherMode: true, ...(isInBootloader && { isInBootloader }) };
        return missedAs(device, context).map(({ udid }) => [udid, shown] as const);
      }),
  );
}

/**
 * Who unplugs a phone takes it for longer than a moment now and then: of so many losses more than the least part. More than
 * the sure part no fault does by itself.
 */
const TAKEN = { losses: 10, leastPart: 0.1, surePart: 0.2 };

/** Losses at one port that people caused: they take phones there, or are there far more often than chance lets expect. */
function takenAt(ofPort: readonly Loss[], presence: Presence): readonly Loss[] {
  const long = ofPort.filter((loss) => !isBrief(loss)).length;
  const isNeverTaken = ofPort.length >= TAKEN.losses && long <= ofPort.length * TAKEN.leastPart;
  if (!mayBeHands(ofPort) || areTooBrief(ofPort) || isNeverTaken) return [];
  const ofPeople = ofPort.filter((loss) => !isDead(loss) && presence.isTimeOfPeople(loss.at, 1));
  // who finds a phone lost tries another port
  const taken = ofPeople.filter(
    (loss) => loss.cause?.kind !== 'own' && !isBrief(loss) && loss.back?.port === loss.port,
  );
  return taken.length > ofPeople.length * TAKEN.surePart ? ofPeople : byHands(ofPort, presence);
}

const ofHands: ReadonlySet<LossCause['kind']> = new Set(['own', 'dead', 'away', 'gone', 'daily']);

/** Whoever has plugged it in, or set its USB mode, still has it in hand: unlocks it, moves its cable. */
function isInHand(loss: Loss, previous: Loss | undefined): boolean {
  if (loss.medium !== 'usb' || isSeenAtPort(loss) || !previous?.back) return false;
  const sinceMs = between(previous.back, loss) ?? Number.POSITIVE_INFINITY;
  if (isByMode(previous)) return sinceMs < IN_HAND_MS;
  return !isBrief(previous) && sinceMs < BRIEF_MS;
}

/** It was brief, or has just begun. */
const mayBeOfTest = (loss: Loss): boolean =>
  isByMode(loss) || (loss.cause?.kind === 'own' && !loss.usb?.overCurrents && (!loss.back || isBrief(loss)));

/** Faults pause for a day now and then. One a day is known later than several; an emulator is started by a script. */
const TEST = { losses: 6, days: 3, part: 0.9, runMs: 60 * 60_000 };

/** A nightly test, or a script, does that every day at one time. */
function isOfTest(ofOne: readonly Loss[]): boolean {
  const times = ofOne.map(({ at }) => at);
  const byDay = Map.groupBy(times, dayOf);
  const span = Math.max(...byDay.keys()) - Math.min(...byDay.keys()) + 1;
  const isOften = times.length >= TEST.losses || ofOne[0]?.medium === 'emulator';
  if (areDense(ofOne, NO_HAND) || ofOne.some(isSeenAtPort)) return false;
  const runs = [...byDay.values()].map((ofDay) => (ofDay.at(-1) ?? 0) - (ofDay[0] ?? 0));
  if ((median(runs) ?? 0) > TEST.runMs) return false;
  return isOften && byDay.size >= Math.max(TEST.days, span * TEST.part) && isAtOneTimeOfDay(times);
}

/** A plan starts it anew, ms around its time of day; what is lost oftener than so on each day hits some time by chance. */
const PLAN = { slackMs: 2 * 60_000, mostADay: 2 };

function plannedOf(ofOne: readonly Loss[]): readonly Loss[] {
  const times = ofOne.map(({ at }) => at);
  const days = new Set(times.map(dayOf)).size;
  const planned = scheduled(times, PLAN.slackMs);
  return ofOne.length > days * PLAN.mostADay ? [] : ofOne.filter(({ at }) => planned.has(at));
}

/**
 * Sets the cause of the losses of phones of the network, emulators and containers that jobs start and end, or that are
 * switched on for a while: of the time since such a phone is known, until it was lost if it is away, adb lists it for less
 * than half.
 */
export function explainJobs(all: readonly Loss[], { events, now }: RuleContext): void {
  const known = new Map<string, { cameAt: number; until: number; awayMs: number }>();
  for (const { udid = '', kind, at } of events)
    if (!known.has(udid))
      known.set(udid, { cameAt: kind === 'attached' ? at : (events[0]?.at ?? at), until: now.at, awayMs: 0 });
  for (const { udid, medium, wasListed, at, back } of all) {
    const phone = known.get(udid);
    if (!phone || medium === 'usb' || wasListed) continue;
    if (back) phone.awayMs += back.at - at;
    else phone.until = at;
  }
  for (const loss of all) {
    const { cameAt, until, awayMs } = known.get(loss.udid) ?? { cameAt: 0, until: 0, awayMs: 0 };
    if (!loss.cause && loss.medium !== 'usb' && awayMs * 2 > until - cameAt)
      loss.cause = { kind: awayOrGone(loss), isOfJob: true };
  }
}
