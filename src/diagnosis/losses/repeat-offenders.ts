/**
 * Who loses again and again. Hubs, and the network, lose many of their phones one by one, where the phones elsewhere are
 * lost clearly less: they come first. Then each loss that nothing else explains counts for its phone and for its port;
 * whoever explains most of them takes them all, then the next one.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { areDense, byTime, spaced } from '../../base/moments.ts';
import { hubsAbove, portOf } from '../../history/events/where.ts';
import type { RuleInput } from '../rule-input.ts';
import { AT_WORK_MS, mayBeHands } from './by-people.ts';
import { type LossCauses, PLACE_PART } from './cause.ts';
import { BRIEF_ON_NETWORK_MS, type Loss, type Medium, mediumOf, NETWORK, wasAway } from './loss.ts';
import { hasStayed, isBrief, isByMode, isDead, isOfPhone, isSeenAtPort, isWhenFull } from './signs.ts';

/** `link`: the network connection of the phone `key`. */
export interface Offender {
  kind: 'phone' | 'port' | 'link' | 'hub' | 'network';
  key: string;
  /** Oldest first. */
  losses: Loss[];
}

/** A finding ends when nothing was lost for this time. */
export const CALM_MS = 10 * DAY_MS;

/** @param now `phones`: those of the host; `at` is the moment of the evaluation */
export function offendersOf(causes: LossCauses, now: RuleInput): Offender[] {
  const isRepaired = repairedBefore(causes);
  const isFresh = ({ losses }: Offender) => now.at - (losses.at(-1)?.at ?? 0) <= CALM_MS;
  const isOwn = ({ cause }: Loss) => cause?.kind === 'own';
  const unrepaired = causes.losses.filter((loss) => !isRepaired(loss));
  const onUsb = unrepaired.filter((loss) => isOwn(loss) && loss.medium === 'usb');
  const ofLinks = unrepaired.filter(isOfLink);
  const places = [...hubsIn(onUsb, now), ...networkIn(ofLinks, now)].filter(isFresh);
  const explained = new Set(places.flatMap(({ losses }) => losses));
  const isOfPhones = (loss: Loss) => (isDead(loss) && !isOffForNight(loss, causes)) || isByMode(loss);
  const left = causes.losses.filter((loss) => (isOwn(loss) && !explained.has(loss)) || isOfPhones(loss));
  // what people or scripts do to most phones is no fault of one
  const plugged = causes.losses.filter((loss) => loss.cause?.kind === 'away' && isBrief(loss));
  const singles = singlesIn(left, plugged, isRepaired, now);
  const links = new Set(singles.flatMap(({ kind, key }) => (kind === 'link' ? key : [])));
  const ofRest = ofLinks.filter((loss) => !explained.has(loss));
  const ofEach = [...Map.groupBy(ofRest, ({ udid }) => udid)].map(
    ([key, losses]): Offender => ({ kind: 'link', key, losses }),
  );
  // phones that all sleep are meant to
  const asleep = ofEach.filter(isAsleep);
  const suspects = new Set(areMost(asleep.length, phonesOn('network', now)) ? [] : asleep.filter(isFresh));
  const withLong = ofEach.filter((link) => links.has(link.key) || suspects.has(link));
  return [...places, ...singles.filter(({ kind }) => kind !== 'link'), ...withLong];
}

/** Who switches a phone off when he leaves starts it by its button when he comes; one that hangs needs more than that. */
const isOffForNight = ({ at, back, reboot, revival }: Loss, { isTimeOfPeople }: LossCauses): boolean =>
  back !== undefined &&
  back.at - at >= NIGHT_MS &&
  (revival ?? reboot)?.reason === 'cold,powerkey' &&
  isTimeOfPeople(at, 1);

/** Nobody unplugs Wi-Fi: where it fails for moments again and again, what it took for long was it too. */
const isOfLink = ({ cause, medium }: Loss): boolean =>
  medium === 'network' &&
  (cause?.kind === 'own' || ((cause?.kind === 'away' || cause?.kind === 'gone') && !cause.isOfJob));

/** Nobody takes a phone along so often, whatever the others do: it sleeps. */
const isAsleep = ({ losses }: Offender): boolean =>
  areDense(
    losses.filter((loss) => !isBrief(loss)),
    ASLEEP,
  );
const ASLEEP = { least: 14, withinMs: 10 * DAY_MS };

/** From one day's work to the next. */
const NIGHT_MS = 8 * HOUR_MS;
/** One phone or port that is lost all the time counts no more than this. */
const MOST_OF_ONE = 3;
/** Losses so soon after each other are one event: somebody plugs the cables of a hub anew. */
export const ONE_EVENT_MS = 15 * MINUTE_MS;
/** So many different phones, at so many different ports, on so many days. */
const LEAST_DIFFERENT = 3;
/** Each of these ports so often. */
const LEAST_OF_ONE = 2;
/** Who sets up a phone plugs it three or four times. */
export const FLAPS = { least: 5, withinMs: HOUR_MS };
/** @param sorted oldest first */
const doFlap = (sorted: readonly Loss[]): boolean => areDense(sorted, FLAPS);
/** What the phones elsewhere let expect, and so many more, and so many standard deviations. */
const MORE = 4;
const DEVIATIONS = 3;
/** Never fewer: three bad cables at one hub are no hub. */
const LEAST_LOSSES = 10;

/** One after the other: what a hub explains does not hide the next one. */
function hubsIn(own: readonly Loss[], now: RuleInput): Offender[] {
  const everywhere = phonesOf([...now.phones, ...own].filter(({ where }) => portOf(where) !== undefined));
  const sick = [...phonesByHub(own, now)].flatMap(([hub, { size: phones }]) => {
    const inside = own.filter(({ where }) => hubsAbove(where).includes(hub));
    const elsewhere = own.filter(({ where }) => !hubsAbove(where).includes(hub));
    const others = { count: counting(elsewhere).length, phones: everywhere - phones };
    // the first ones that count may all be of one day
    const isOverDays = isSpread(inside) && isSick(spaced(inside, ONE_EVENT_MS), phones, others);
    const isOnlyThere = doMostFlap(inside, phones) && howMany(elsewhere, doFlap) === 0;
    return isOverDays || isOnlyThere ? { hub, inside, elsewhere } : [];
  });
  const [first] = sick.sort((one, other) => one.hub.length - other.hub.length);
  if (!first) return [];
  return [{ kind: 'hub', key: first.hub, losses: first.inside }, ...hubsIn(first.elsewhere, now)];
}

/** Phones by the hubs above them: those that sit there, and those that were lost there. */
function phonesByHub(own: readonly Loss[], now: RuleInput): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { udid, where } of [...now.phones, ...own])
    for (const hub of hubsAbove(where)) found.set(hub, (found.get(hub) ?? new Set()).add(udid));
  return found;
}

/** @param inside losses below the hub, none soon after another */
function isSick(inside: readonly Loss[], phones: number, others: { count: number; phones: number }): boolean {
  const counted = counting(inside);
  const ofPorts = Map.groupBy(counted, ({ port }) => port).values();
  const often = [...ofPorts].filter(({ length }) => length >= LEAST_OF_ONE);
  if (often.length < LEAST_DIFFERENT) return false;
  // one more: that nothing was lost elsewhere says little of a few phones
  const expected = (phones * (others.count + 1)) / others.phones;
  const least = Math.max(LEAST_LOSSES, expected + DEVIATIONS * Math.sqrt(expected) + MORE);
  return counted.length >= least;
}

/** A network that fails for moments takes its phones for longer, too. */
function networkIn(ofLinks: Loss[], now: RuleInput): Offender[] {
  // alone, what is away for long says nothing: it sleeps, is out with somebody, or runs elsewhere
  const own = ofLinks.filter(
    ({ cause, at, back }) => cause?.kind === 'own' && (back?.at ?? Infinity) - at <= BRIEF_ON_NETWORK_MS,
  );
  const phones = phonesOn('network', now);
  const isOverDays = isSpread(counting(own)) && areMost(howMany(own, doesFail), phones);
  return isOverDays || doMostFlap(own, phones) ? [{ kind: 'network', key: NETWORK, losses: ofLinks }] : [];
}

/** A phone that changes its access point is away for some seconds, ms. */
const ROAMS_MS = 30_000;
const FAILS = { least: MOST_OF_ONE, withinMs: 7 * DAY_MS };

const doesFail = (ofOne: readonly Loss[]): boolean =>
  areDense(
    ofOne.filter((loss) => wasAway(loss, ROAMS_MS)),
    FAILS,
  );

const areMost = (some: number, phones: number): boolean =>
  some >= Math.max(LEAST_DIFFERENT, phones * PLACE_PART);

const howMany = (own: readonly Loss[], does: (ofOne: readonly Loss[]) => boolean): number =>
  [...Map.groupBy(own, ({ udid }) => udid).values()].filter(does).length;

/** So often that no days are waited for. */
const doMostFlap = (own: readonly Loss[], phones: number): boolean => areMost(howMany(own, doFlap), phones);

const phonesOn = (medium: Medium, { phones }: RuleInput): number =>
  phones.filter(({ where, connection }) => mediumOf(where, connection === 'emulator') === medium).length;

/** Of several phones, on several days. */
function isSpread(losses: readonly Loss[]): boolean {
  const days = new Set(losses.map(({ at }) => Math.floor(at / DAY_MS))).size;
  return phonesOf(losses) >= LEAST_DIFFERENT && days >= LEAST_DIFFERENT;
}

const phonesOf = (some: readonly { udid: string }[]): number => new Set(some.map(({ udid }) => udid)).size;

/** The first losses of each phone and of each port, as many as count. */
function counting(losses: readonly Loss[]): Loss[] {
  const counts = new Map<string, number>();
  return losses.filter(({ udid, port }) => {
    const keys = [`phone ${udid}`, ...(port === undefined ? [] : [`port ${port}`])];
    if (keys.some((key) => (counts.get(key) ?? 0) >= MOST_OF_ONE)) return false;
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return true;
  });
}

/** Three losses in ten days, or five in thirty, are no chance where the others have none. */
const SOON = { least: 3, withinMs: 10 * DAY_MS };
const SELDOM = { least: 5, withinMs: 30 * DAY_MS };
/** Somebody had to restart the phone each time, which no chance makes. */
const DEAD = { least: 2, withinMs: 10 * DAY_MS };
/** Who tests the USB modes of a phone changes them by hand. */
const MODE = { least: 6, withinMs: 10 * DAY_MS };
/** Where the other phones are lost now and then, as this one is: so many more for each loss that one of them has on average. */
const MORE_FOR_AVERAGE = 7;
/** This part of the other phones may be as bad: what a script does to most of them is no fault of one. */
const WORST_PART = 0.25;
/** A port of which the kernel says so often that it is to blame. */
const LEAST_SEEN = 2;
/** Who sets up a phone plugs it again and again within this time, ms. */
const SET_UP_MS = 5 * MINUTE_MS;
/** A phone is to blame only if it was lost so often outside of the port where it was lost most. */
const ELSEWHERE = 2;

/** Phones, ports and links, those with most losses first. */
function singlesIn(
  own: readonly Loss[],
  plugged: readonly Loss[],
  isRepaired: IsRepaired,
  now: RuleInput,
): Offender[] {
  const unrepaired = own.filter((loss) => !isRepaired(loss));
  const averageOn = (medium: Medium, isAlike = (loss: Loss) => loss.medium === medium) =>
    averageOf([...unrepaired, ...plugged].filter(isAlike), phonesOn(medium, now));
  const averages = {
    usb: averageOn('usb'),
    network: averageOn('network'),
    emulator: averageOn('emulator'),
    dead: averageOn('usb', isDead),
  };
  const explained = new Set<Loss>();
  const found: Offender[] = [];
  for (const candidate of candidatesIn(own, unrepaired, isRepaired)) {
    const { kind, key } = candidate;
    const losses = ownOf({ kind, losses: candidate.losses.filter((loss) => !explained.has(loss)) });
    const isEmulator = losses.some(({ medium }) => medium === 'emulator');
    const onUsb = losses.every(isDead) ? 'dead' : 'usb';
    const average = averages[kind === 'link' ? 'network' : isEmulator ? 'emulator' : onUsb];
    if (!isTooOften(losses, now.at, average)) continue;
    const isFrozen = (loss: Loss) => loss.port === key && hasStayed(loss) && !explained.has(loss);
    const frozen = kind === 'port' ? unrepaired.filter(isFrozen) : [];
    const all = [...losses, ...frozen].sort(byTime);
    for (const loss of all) explained.add(loss);
    found.push({ kind, key, losses: all });
  }
  return found;
}

/** It came back without the key of this adb: no cable and no port takes that. */
const asksAnew = ({ back }: Loss): boolean => back?.state === 'unauthorized';

function candidatesIn(own: readonly Loss[], unrepaired: readonly Loss[], isRepaired: IsRepaired): Offender[] {
  const found: Offender[] = [];
  const ofPlaces = unrepaired.filter((loss) => !isOfPhone(loss) && !asksAnew(loss));
  for (const [key, losses] of Map.groupBy(ofPlaces, ({ port }) => port))
    if (key !== undefined) found.push({ kind: 'port', key, losses });
  for (const [key, losses] of Map.groupBy(own, ({ udid }) => udid)) {
    const ofLink = losses.filter(
      (loss) => loss.medium === 'network' && !isOfPhone(loss) && !isRepaired(loss),
    );
    found.push({ kind: 'link', key, losses: ofLink });
    if (losses.some((loss) => !isRepaired(loss, 'phone'))) found.push({ kind: 'phone', key, losses });
  }
  const sized = found.map((each) => ({ each, size: ownOf(each).length })); // one may have many thousands
  return sized.sort((one, other) => other.size - one.size).map(({ each }) => each);
}

/** A phone that is lost at one port shares its losses there with its cable, but for those that no cable causes. */
const ownOf = ({ kind, losses }: Pick<Offender, 'kind' | 'losses'>): Loss[] =>
  kind === 'phone' && !isInManyPlaces(losses.filter((loss) => !isOfPhone(loss)))
    ? losses.filter(isOfPhone)
    : losses;

/** At several ports; the network is a place too. An emulator is its own. */
function isInManyPlaces(losses: readonly Loss[]): boolean {
  if (losses.some(({ medium }) => medium === 'emulator')) return true;
  const ofPorts = [...Map.groupBy(losses, ({ port }) => port).values()];
  return losses.length - Math.max(0, ...ofPorts.map(({ length }) => length)) >= ELSEWHERE;
}

/** How often another phone of this host was lost in the 30 days on average, beside what lost these. */
type Average = (ofOne: readonly Loss[]) => number;

/** Without those that are lost clearly more often than the rest: two bad cables do not excuse each other. */
function averageOf(own: readonly Loss[], phones: number): Average {
  const byPhone = [...Map.groupBy(own, ({ udid }) => udid)].sort(
    ([, one], [, other]) => one.length - other.length,
  );
  const others = Math.max(1, phones - 1);
  const least = Math.max(1, others - Math.max(1, Math.floor(others * WORST_PART)));
  const well = new Set<string>();
  let [count, total] = [Math.max(0, phones - byPhone.length), 0];
  for (const [udid, { length }] of byPhone) {
    if (count >= least && length >= SOON.least + MORE_FOR_AVERAGE * (total / count)) break;
    well.add(udid);
    count += 1;
    total += length;
  }
  return (ofOne) => {
    const counted = ofOne.filter(({ udid }) => well.has(udid)).length;
    return (total - counted) / Math.max(1, count - Math.min(1, counted));
  };
}

function isTooOften(losses: readonly Loss[], nowAt: number, average: Average): boolean {
  const last = losses.at(-1);
  if (!last || nowAt - last.at > CALM_MS) return false;
  if (losses.filter(isSeenAtPort).length >= LEAST_SEEN) return true;
  // who works at one port was there once; what goes at the next one too is the phone
  const apart = mayBeHands(losses) ? AT_WORK_MS : SET_UP_MS;
  const byPort = [...Map.groupBy(losses, ({ port }) => port).values()];
  const begins = byPort.flatMap((ofOne) => spaced(ofOne, apart)).sort(byTime);
  const limits = losses.every(isDead) ? [DEAD] : losses.every(isByMode) ? [MODE] : [SOON, SELDOM];
  const more = Math.floor((losses.every(isWhenFull) ? 1 : MORE_FOR_AVERAGE) * average(losses));
  return limits.some(({ least, withinMs }) => areDense(begins, { least: least + more, withinMs }));
}

type IsRepaired = (loss: Loss, of?: 'phone') => boolean;

/** Whether somebody has repaired something there since: at the port, or the phone. */
function repairedBefore({ repairs }: LossCauses): IsRepaired {
  return ({ id, udid, port, where }, of) => {
    const isLater = (what: string) => (repairs.get(what) ?? -1) > id;
    if (of === 'phone') return isLater(`udid ${udid}`);
    if (port === undefined) return isLater(`udid ${udid}`) || isLater('host');
    return [`port ${port}`, `slot ${where.slot}`, ...hubsAbove(where).map((hub) => `hub ${hub}`)].some(
      isLater,
    );
  };
}
