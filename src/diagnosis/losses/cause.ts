/** Why each phone was lost, as far as one loss and those at the same moment show it. Counts over days come after. */
import { DAY_MS } from '../../base/calendar.ts';
import { median } from '../../base/statistics.ts';
import { isAskedFor, rebootKind } from '../../history/events/reboot-reason.ts';
import { controllerOf, hubsAbove, isWithin, portOf } from '../../history/events/where.ts';
import { hasAdb, hasFastboot } from '../../host/usb-devices.ts';
import type { RuleContext } from '../rule.ts';
import { readCharges } from './charge.ts';
import { between } from './clock-adjusted.ts';
import {
  dayOf,
  isAtOneTimeOfDay,
  isWeekday,
  scheduled,
  TIMER_MS,
  wallClock,
  weekdayOf,
} from './daily-pattern.ts';
import {
  AT_WORK_MS,
  areDense,
  areTooBrief,
  backAt,
  hasLasted,
  hasStayed,
  isByMode,
  isDead,
  isSeenAtPort,
  isWhenFull,
  type Loss,
  type LossCause,
  type Losses,
  type LossGroup,
  mayBeHands,
  NETWORK,
  NO_HAND,
  type PlaceLoss,
  ROUTINE_MS,
  runsOf,
  spaced,
  type UsbWitness,
  wasAway,
} from './loss.ts';
import { flashStates, lossesOf } from './losses.ts';
import { type Handling, type Presence, presenceOf } from './presence.ts';

export interface LossCauses extends Omit<Losses, 'groups'>, Presence {
  /** Oldest first within each kind. */
  placeLosses: PlaceLoss[];
}

/** A loose contact closes again by itself within this time, ms. Who re-seats a cable takes longer to come. */
const BRIEF_MS = 60_000;
/** A network comes back more slowly, ms. */
export const BRIEF_ON_NETWORK_MS = 12 * 60_000;
/** So long after its USB mode was changed somebody has a phone in hand, ms. */
const IN_HAND_MS = 15 * 60_000;
/** Who takes a phone for so long may do so before work, or after it, ms. */
const LONG_MS = 4 * 60 * 60_000;
const EARLY_MS = 60 * 60_000;
/** Who moves a phone to another port takes no longer, at any hour, ms. */
const MOVE_MS = 30 * 60_000;
/** No restart takes longer, ms. */
const RESTART_MS = 30 * 60_000;
/**
 * Losses of a phone at a port when nobody was there, on so many days of the week, make those when somebody was there suspect
 * too: of one day of the week nobody may know yet that people come.
 */
const UNATTENDED = 2;
/** Phones that hang for `leastMs` or longer, each within `gapMs` of the one before, have one cause if there are `phones` of them. */
const HUNG = { phones: 4, leastMs: 30_000, gapMs: 10 * 60_000 };
/** This part of the phones of a hub, or of the network, that go at once is no chance. */
export const PLACE_PART = 0.6;
/** So many of one hub at once are no chance, however many it has. */
const HUB_PHONES = 4;
/** This part of a controller's phones is the controller. */
const CONTROLLER_PART = 0.9;
/** Fewer of the network may be chance. */
const NETWORK_PHONES = 3;

export function lossCausesOf(context: RuleContext): LossCauses {
  const { groups, ...all } = lossesOf(context);
  const placeLosses: PlaceLoss[] = [];
  const blame = (place: PlaceLoss): void => {
    for (const loss of place.losses) loss.cause = place;
    placeLosses.push(place);
  };
  for (const loss of all.losses) loss.cause = causeOfOne(loss);
  for (const ofOne of Map.groupBy(all.losses, ({ udid }) => udid).values()) explainLoops(ofOne);
  for (const group of groups) {
    const left = group.losses.filter((loss) => !loss.cause && !hasStayed(loss));
    const seen = seenToLeave(group, left);
    if (seen) blame(seen);
    if (seen || left.length < 2) continue;
    const place = placeLossOf(group, left);
    if (place) blame(place);
  }
  hungTogether(all.losses, context.now.at);
  for (const loss of all.losses) {
    const seen = loss.cause ? undefined : seenToLeave({ had: new Map() }, [loss]);
    if (seen) blame(seen);
  }
  readCharges(all.losses, context);
  const handlings = [...all.losses.flatMap(handlingOf), ...switchedOn(placeLosses)];
  const presence = presenceOf(handlings, context.events[0]?.at, context.now.at);
  explainRest(context, all.losses, presence);
  return { ...all, ...presence, placeLosses };
}

/** `adb root` restarts adbd, which takes seconds; at times adb calls the phone offline from then on. */
const isByRoot = (loss: Loss): boolean =>
  (loss.root !== undefined && loss.back?.port === loss.port && areTooBrief([loss])) ||
  (loss.root === 'changed' && loss.wasListed);

/** Who works on a phone in its recovery leads it elsewhere; what comes back there by itself fell out of it, or restarted. */
const isBackThere = ({ before, back, wasInMaintenance }: Loss): boolean =>
  !wasInMaintenance && flashStates.has(before) && back?.state === before;

function causeOfOne(loss: Loss): LossCause | undefined {
  const { mark, repair, usb, wasListed } = loss;
  if (loss.wasHandled && !isBackThere(loss)) return { kind: 'handled' };
  // a host that wakes up resets its USB
  if (mark && (usb === undefined || mark.kind === 'sleep' || (hasStayed(loss) && mark.kind === 'adb')))
    return { kind: mark.kind, mark };
  if (hasStayed(loss)) return wasListed ? undefined : { kind: 'onUsb' };
  if (usb && isAbove(usb)) return undefined;
  if ((loss.reboot && !hadStopped(loss)) || (flashStates.has(loss.back?.state ?? '') && !isBackThere(loss)))
    return { kind: 'restarted', isAsked: isAsked(loss) };
  if (usb?.isOtherMode || isByRoot(loss)) return { kind: 'mode' };
  return repair && { kind: 'handled', repair };
}

const isAbove = ({ gone }: UsbWitness): boolean => gone === 'hub' || gone === 'controller';

/**
 * Phones that go offline one after the other, at several hubs, and stay so: adb, or the USB of the host
 * (Genymobile/scrcpy#5384, openatx/uiautomator2#900).
 */
function hungTogether(all: readonly Loss[], now: number): void {
  const hung = all.filter(
    (loss) =>
      !loss.cause &&
      loss.medium === 'usb' &&
      loss.wasListed &&
      !isSeenAtPort(loss) &&
      (loss.back?.at ?? now) - loss.at >= HUNG.leastMs,
  );
  for (const losses of runsOf(hung, HUNG.gapMs)) {
    const hubOf = new Map(losses.map(({ udid, where }) => [udid, hubsAbove(where).at(-1)]));
    const ofHubs = [...Map.groupBy(hubOf.values(), (hub) => hub).values()].map(({ length }) => length);
    const { size: phones } = hubOf;
    if (phones < HUNG.phones || Math.max(...ofHubs) > phones * PLACE_PART) continue;
    for (const loss of losses) loss.cause = { kind: 'hung', phones };
  }
}

/**
 * The one hub, or the controller, that USB showed to leave, with those of these losses that were below it. Undefined where
 * several hubs left: what they have in common is counted.
 */
function seenToLeave({ had }: Pick<LossGroup, 'had'>, losses: readonly Loss[]): PlaceLoss | undefined {
  const above = losses.filter(({ usb }) => usb && isAbove(usb));
  const hubs = above.flatMap(({ usb }) => usb?.hub ?? []);
  const controller = above.find(({ usb }) => usb?.gone === 'controller')?.port;
  const hub = hubs.find((each) => hubs.every((other) => isWithin(other, each)));
  if (controller === undefined && hub === undefined) return undefined;
  const below = losses.filter(({ port = '', where }) =>
    controller === undefined
      ? hubsAbove(where).some((each) => each === hub)
      : controllerOf(port) === controllerOf(controller),
  );
  const at = below[0]?.at ?? 0;
  const place = { losses: below, at, isSeen: true } as const;
  if (hub === undefined || controller !== undefined)
    return { ...place, kind: 'host', hub: '', had: below.length };
  return { ...place, kind: 'hub', hub, had: Math.max(had.get(hub) ?? 0, below.length) };
}

/** It restarted, and was not listed for longer than any start takes; on the network somebody has to turn adb on again. */
const hadStopped = (loss: Loss): boolean =>
  !isCrash(loss) &&
  !(loss.medium === 'network' ? isAsked(loss) : loss.isUpdated) &&
  loss.back !== undefined &&
  loss.back.at - loss.at > RESTART_MS;

const isAsked = ({ isUpdated = false, reboot }: Loss): boolean => isUpdated || isAskedFor(reboot?.reason);

/**
 * So many restarts that nobody asked for, among losses that follow each other so soon; a phone that says that it crashed needs
 * fewer of both.
 */
const LOOP = { restarts: 4, gapMs: 15 * 60_000 };
const CRASHES = { restarts: 2, losses: 5, withinMs: 60 * 60_000 };
const isCrash = ({ reboot }: Loss): boolean => rebootKind(reboot?.reason) === 'crash';
const isUnasked = (loss: Loss): boolean =>
  loss.cause?.kind === 'restarted'
    ? !loss.cause.isAsked
    : leavesRecovery(loss) && flashStates.has(loss.back?.state ?? '');
const leavesRecovery = ({ before, wasInMaintenance, mark }: Loss): boolean =>
  !wasInMaintenance && !mark && flashStates.has(before);

const isLoop = (run: readonly Loss[]): boolean =>
  (areDense(run, NO_HAND.losses, NO_HAND.withinMs) && run.filter(isUnasked).length >= LOOP.restarts) ||
  (areDense(run, CRASHES.losses, CRASHES.withinMs) && run.filter(isCrash).length >= CRASHES.restarts);

/**
 * Where no hand unplugs a phone so often, restarts make all of it a boot loop: mostly it is there too briefly to say so, and
 * nobody leads it to its recovery so often.
 */
function explainLoops(ofOne: readonly Loss[]): void {
  for (const run of runsOf(ofOne, LOOP.gapMs))
    if (isLoop(run))
      for (const each of run.filter((one) => !one.cause || isUnasked(one) || leavesRecovery(one)))
        each.cause = { kind: 'restarted', isAsked: false, isLoop: true };
}

/**
 * The one place that phones have in common when they went at once.
 *
 * @param losses those of the group that nothing else explains, two or more
 */
function placeLossOf(group: LossGroup, losses: readonly Loss[]): PlaceLoss | undefined {
  const [{ medium, where }] = losses as [Loss];
  const lost = (kind: PlaceLoss['kind'], hub = ''): PlaceLoss => {
    const had = group.had.get(hub || NETWORK) ?? losses.length;
    return { kind, hub, losses: [...losses], at: losses[0]?.at ?? 0, had };
  };
  if (medium === 'emulator') return undefined;
  if (medium === 'network') {
    const { had } = lost('network');
    return losses.length >= Math.max(NETWORK_PHONES, had * PLACE_PART) ? lost('network') : undefined;
  }
  const isTheHub = (some: readonly Loss[], hub = hubAbove(some)): hub is string =>
    hub !== undefined &&
    some.length >= Math.max(2, Math.min(HUB_PHONES, (group.had.get(hub) ?? 0) * PLACE_PART));
  const shared = hubAbove(losses);
  if (isTheHub(losses, shared)) return lost('hub', shared);
  if (isTheController(group, losses, controllerOf(portOf(where) ?? ''))) return lost('host');
  const byTopHub = Map.groupBy(losses, (loss) => hubsAbove(loss.where).at(-1));
  return [...byTopHub.values()].filter((some) => isTheHub(some)).length < 2 ? undefined : lost('room');
}

/** The deepest hub above all of them. */
function hubAbove([first, ...others]: readonly Loss[]): string | undefined {
  return hubsAbove(first?.where ?? {}).find((hub) =>
    others.every(({ where }) => hubsAbove(where).some((each) => isWithin(each, hub))),
  );
}

/** All of these are its own, and it lost almost all of its phones. */
function isTheController(
  { losses: all, had }: LossGroup,
  losses: readonly Loss[],
  controller: string,
): boolean {
  const isItsOwn = ({ port = '' }: Loss) => controllerOf(port) === controller;
  return (
    all.filter(isItsOwn).length >= (had.get(controller) ?? 0) * CONTROLLER_PART && losses.every(isItsOwn)
  );
}

/** What a loss shows by itself: did the phone come back alone, or did a person bring it? */
function explainRest(context: RuleContext, all: readonly Loss[], presence: Presence): void {
  const { isAttended, isNearAttended } = presence;
  // nobody plugs a phone on the network: who comes early, and leaves late, is not learnt
  const isThere = ({ at, medium }: Loss) =>
    medium === 'network' ? presence.isTimeOfPeople(at, 0) : isAttended(at);
  const ofJobs = comingAndGoing(all, context);
  // who takes a phone once it is full does so when people are there
  const unseen = new Set(
    all.flatMap((loss) => (isWhenFull(loss) && !presence.isTimeOfPeople(loss.at, 1) ? loss.udid : [])),
  );
  const withoutAdb = shownWithoutAdb(context);
  const unsure: Loss[] = [];
  const before = new Map<string, Loss>();
  for (const loss of all) {
    const previous = before.get(loss.udid);
    before.set(loss.udid, loss);
    const shown = loss.back || loss.medium !== 'usb' ? undefined : withoutAdb.get(loss.udid);
    const isByBattery = loss.charge !== undefined && !isWhenFull(loss) && !isBrief(loss);
    // plugged in, what is empty starts its boot loader, or shows that it charges
    if (loss.cause && !(isByBattery && loss.cause.kind === 'mode')) continue;
    if (ofJobs.has(loss.udid)) loss.cause = { kind: loss.back ? 'away' : 'gone', isOfJob: true };
    else if (isByBattery) loss.cause = { kind: 'battery' };
    else if ((loss.revival || (loss.reboot && !isSeenAtPort(loss))) && loss.medium !== 'emulator')
      loss.cause = { kind: 'dead' };
    else if (isBrief(loss) || (isWhenFull(loss) && unseen.has(loss.udid)))
      loss.cause = { kind: isInHand(loss, previous) ? 'handled' : 'own' };
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
  for (const ofOne of Map.groupBy(unsure, ({ udid, port }) => `${udid} ${port}`).values()) {
    const times = ofOne.map(({ at }) => at);
    const theirs = new Set(byHands(ofOne, presence));
    // who takes a phone home each evening may leave late; nobody comes at three to do so
    const isOfHabit =
      areAtOneTimeOfDay(times) && (ofOne[0]?.medium === 'usb' || areOnMostDays(times))
        ? (loss: Loss) => isNearAttended(loss.at, wasAway(loss, LONG_MS) ? EARLY_MS : 0)
        : () => false;
    const isAlone = (loss: Loss) => !theirs.has(loss) && !isOfHabit(loss) && !isThere(loss);
    const weekdays = new Set(ofOne.filter(isAlone).map(({ at }) => weekdayOf(wallClock(at))));
    const areAllSuspect = weekdays.size >= UNATTENDED;
    for (const loss of ofOne) {
      if (isAlone(loss)) loss.cause = { kind: 'own', isUnattended: true };
      else if (loss.back && areAllSuspect) loss.cause = { kind: 'own' };
      else if (isOfHabit(loss)) loss.cause = { kind: 'daily' };
      else loss.cause = { kind: loss.back ? 'away' : 'gone' };
    }
  }
  for (const ofOne of Map.groupBy(all.filter(mayBeOfTest), ({ udid, port }) => `${udid} ${port}`).values())
    if (isOfTest(ofOne)) for (const loss of ofOne) loss.cause = { kind: 'daily' };
  // whoever takes a phone for long plugs it for moments too
  const atPorts = all.filter(({ cause, medium }) => medium === 'usb' && cause && ofHands.has(cause.kind));
  for (const ofOne of Map.groupBy(atPorts, ({ port }) => port).values())
    for (const loss of takenAt(ofOne, presence))
      if (loss.cause?.kind !== 'daily') loss.cause = { kind: loss.back ? 'away' : 'gone' };
}

/** Phones that adb does not list, and that USB shows without its interface: they came back so, as after an update. */
function shownWithoutAdb({
  now,
}: RuleContext): Map<string, Pick<UsbWitness, 'isOtherMode' | 'isInBootloader'>> {
  const bySerial = new Map((now.usb?.devices ?? []).map((device) => [device.serial, device]));
  return new Map(
    now.phones.flatMap(({ udid, serial, attached }) => {
      const device = attached ? undefined : bySerial.get(serial);
      if (!device || device.interfaces.length === 0 || hasAdb(device)) return [];
      return [[udid, { isOtherMode: true, ...(hasFastboot(device) && { isInBootloader: true }) }]];
    }),
  );
}

/** Of two times of day one is found by chance sooner: it takes more working days. */
const WORKING_DAYS = 5;

/** Free days may have a time of their own: who takes it gets up later then. */
function areAtOneTimeOfDay(times: readonly number[]): boolean {
  const { work = [], free = [] } = Object.groupBy(times, (at) =>
    isWeekday(weekdayOf(wallClock(at))) ? 'work' : 'free',
  );
  return isAtOneTimeOfDay(times) || (isAtOneTimeOfDay(work, WORKING_DAYS) && isAtOneTimeOfDay(free));
}

/** A phone on the network, and an emulator, goes now and then without a hand, also at about one time. */
const areOnMostDays = (times: readonly number[]): boolean =>
  times.length * 2 > ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS;

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

/**
 * Those when people are there, early and late too, where they show people. Of what happens within an hour one counts:
 * somebody works there.
 */
export function byHands<T extends { at: number }>(
  sorted: readonly T[],
  { isAttended, isNearAttended, isOfPeople }: Presence,
): T[] {
  const attended = sorted.filter(({ at }) => isAttended(at));
  const alone = sorted.filter(({ at }) => !isAttended(at));
  const [times, others] = [attended, alone].map((some) => spaced(some, AT_WORK_MS).length);
  return isOfPeople(times ?? 0, others ?? 0) ? sorted.filter(({ at }) => isNearAttended(at)) : [];
}

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
  const byDay = Map.groupBy(times, (at) => dayOf(wallClock(at)));
  const span = Math.max(...byDay.keys()) - Math.min(...byDay.keys()) + 1;
  const isOften = times.length >= TEST.losses || ofOne[0]?.medium === 'emulator';
  if (areDense(ofOne, NO_HAND.losses, NO_HAND.withinMs) || ofOne.some(isSeenAtPort)) return false;
  const runs = [...byDay.values()].map((ofDay) => (ofDay.at(-1) ?? 0) - (ofDay[0] ?? 0));
  if ((median(runs) ?? 0) > TEST.runMs) return false;
  return isOften && byDay.size >= Math.max(TEST.days, span * TEST.part) && isAtOneTimeOfDay(times);
}

/** Emulators and containers that jobs start and end: of the time since it is known adb lists it for less than half. */
function comingAndGoing(all: readonly Loss[], { events, now }: RuleContext): Set<string> {
  const came = new Map<string, number>();
  for (const { udid = '', kind, at } of events)
    if (!came.has(udid)) came.set(udid, kind === 'attached' ? at : (events[0]?.at ?? at));
  const awayMs = new Map<string, number>();
  for (const { udid, medium, wasListed, at, back } of all)
    if (medium !== 'usb' && !wasListed) awayMs.set(udid, (awayMs.get(udid) ?? 0) + (back?.at ?? now.at) - at);
  const isOfJob = (udid: string, ms: number) => ms * 2 > now.at - (came.get(udid) ?? now.at);
  return new Set([...awayMs].flatMap(([udid, ms]) => (isOfJob(udid, ms) ? [udid] : [])));
}

/** A hub that fails is back sooner, or when somebody comes; one that is off for long is switched on by hand, or by a timer. */
function switchedOn(placeLosses: readonly PlaceLoss[]): Handling[] {
  const off = placeLosses.filter((loss) => loss.kind !== 'network' && hasLasted(loss, ROUTINE_MS));
  const times = off.flatMap((loss) => backAt(loss) ?? []);
  const byTimer = scheduled(times, TIMER_MS);
  return times.flatMap((pluggedAt) => (byTimer.has(pluggedAt) ? [] : { isByHand: true, pluggedAt }));
}

/** Who takes a phone has it for so long; what a loose cable loses, for minutes at all hours, is no sign of people. */
const TAKEN_MS = 5 * 60_000;

function handlingOf(loss: Loss): Handling[] {
  const { cause, medium, back } = loss;
  const isOfPlace = cause !== undefined && 'hub' in cause;
  if (!back || medium === 'emulator' || isBrief(loss) || back.at - loss.at < TAKEN_MS) return [];
  if (!isOfPlace && cause && cause.kind !== 'handled') return [];
  return [{ isByHand: medium === 'usb' && !isOfPlace, pluggedAt: back.at }];
}

/** It came back by itself, or went offline while it sat in its port, or the kernel says that it is the port, which no person does. */
export function isBrief(loss: Loss): boolean {
  const { port, wasListed, back } = loss;
  if ((port !== undefined && wasListed) || isSeenAtPort(loss)) return true;
  const awayMs = back && back.port === port ? between(loss, back) : undefined;
  return awayMs !== undefined && awayMs <= (port === undefined ? BRIEF_ON_NETWORK_MS : BRIEF_MS);
}
