/**
 * Hubs that lose many of their phones one by one, where the phones elsewhere are lost clearly less; and the network, where
 * most of its phones are. One cable, one phone or one person makes no hub suspect.
 */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { hubsAbove, portOf } from '../places.ts';
import type { PhoneInput, RuleInput } from '../rule-input.ts';
import { type Loss, NETWORK } from './loss-group.ts';

export interface PlaceSuspect {
  kind: 'hub' | 'network';
  key: string;
  /** Oldest first. */
  losses: Loss[];
}

/** One phone or port that is lost all the time counts no more than this; Wi-Fi is worse than a cable. */
const MOST_OF_ONE = { usb: 2, network: 3 };
/** Losses so soon after each other are one event: somebody plugs the cables of a hub anew. */
const ONE_EVENT_MS = 15 * MINUTE_MS;
/** So many different phones, at so many different ports, on so many days. */
const LEAST_DIFFERENT = 3;
/** This part of a hub's phones must be lost there: two bad cables of seven are no hub. */
const HUB_PART = 0.5;
/** What the phones elsewhere let expect, and so many more, and so many standard deviations. */
const MORE = 3;
const DEVIATIONS = 3;
/** Never fewer. */
const LEAST_LOSSES = 6;
/** Where the rest of a hub's phones is lost so much less, the chip below it is to blame and not the whole hub. */
const CHIP_TIMES = 4;
/** Most phones of the network must be lost so often, and so many times as often as those on USB. */
const NETWORK_PART = 0.6;
const NETWORK_TIMES = 3;

/**
 * @param own losses that nothing else explains and no note has repaired, oldest first
 * @param calmMs they end after so long without a loss
 */
export function placeSuspects(own: readonly Loss[], now: RuleInput, calmMs: number): PlaceSuspect[] {
  const isFresh = ({ losses }: PlaceSuspect) => now.at - (losses.at(-1)?.at ?? 0) <= calmMs;
  const [onUsb, onNetwork] = [own.filter(({ port }) => port !== undefined), own.filter(isNetwork)];
  return [...hubSuspects(onUsb, now), ...networkSuspects(onNetwork, onUsb, now)].filter(isFresh);
}

const isNetwork = ({ port, isEmulator }: Loss): boolean => port === undefined && !isEmulator;

/** Neither on USB nor an emulator. */
export const isOnNetwork = ({ where, connection }: PhoneInput): boolean =>
  portOf(where) === undefined && connection !== 'emulator';

/** Phones by the hubs above them: those that sit there, and those that were lost there. */
function phonesByHub(own: readonly Loss[], now: RuleInput): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { udid, where } of [...now.phones, ...own])
    for (const hub of hubsAbove(where)) {
      const phones = found.get(hub);
      if (phones) phones.add(udid);
      else found.set(hub, new Set([udid]));
    }
  return found;
}

/** One after the other: what a hub explains does not hide the next one. */
function hubSuspects(own: readonly Loss[], now: RuleInput): PlaceSuspect[] {
  const found = sickest(own, now);
  if (found.length === 0) return [];
  const explained = new Set(found.flatMap(({ losses }) => losses));
  return [
    ...found,
    ...hubSuspects(
      own.filter((loss) => !explained.has(loss)),
      now,
    ),
  ];
}

function sickest(own: readonly Loss[], now: RuleInput): PlaceSuspect[] {
  const phonesOf = phonesByHub(own, now);
  const everywhere = new Set(
    [...now.phones, ...own].flatMap(({ udid, where }) => (portOf(where) === undefined ? [] : [udid])),
  ).size;
  const few = firstOfPorts(own);
  const rates = new Map<string, Rate>();
  const suspects = [...phonesOf].flatMap(([key, { size: phones }]): PlaceSuspect[] => {
    const isBelow = ({ where }: Loss) => hubsAbove(where).includes(key);
    const [inside, outside] = [few.filter(isBelow), few.filter((loss) => !isBelow(loss))];
    rates.set(key, { count: capped(inside, MOST_OF_ONE.usb).length, phones });
    const others = { count: capped(outside, MOST_OF_ONE.usb).length, phones: everywhere - phones };
    if (!isSick(inside, phones, others)) return [];
    const losses = withoutDominant(own.filter(isBelow));
    return isSick(firstOfPorts(losses), phones, others) ? [{ kind: 'hub', key, losses }] : [];
  });
  return withoutNested(suspects, rates);
}

/** Losses that count, among so many phones. */
interface Rate {
  count: number;
  phones: number;
}

function isSick(losses: readonly Loss[], phones: number, others: Rate): boolean {
  const counted = capped(losses, MOST_OF_ONE.usb);
  const ofPorts = [...Map.groupBy(counted, ({ port }) => port).values()];
  const often = ofPorts.filter(({ length }) => length >= MOST_OF_ONE.usb);
  if (!isSpread(counted) || often.length < LEAST_DIFFERENT) return false;
  if (ofPorts.length < phones * HUB_PART || others.phones < LEAST_DIFFERENT) return false;
  // one more: that nothing was lost elsewhere says little of a few phones
  const expected = (phones * (others.count + 1)) / others.phones;
  return apart(counted) >= Math.max(LEAST_LOSSES, expected + DEVIATIONS * Math.sqrt(expected) + MORE);
}

/** Of each port what counts at most: of a cable that flaps, and of a phone that changes its name, there are thousands. */
function firstOfPorts(losses: readonly Loss[]): Loss[] {
  const counts = new Map<string | undefined, number>();
  return losses.filter(({ port }) => {
    const count = (counts.get(port) ?? 0) + 1;
    counts.set(port, count);
    return count <= MOST_OF_ONE.usb;
  });
}

/** Of a hub and a chip of it the one that explains more: the chip only where the rest of the hub does well. */
function withoutNested(suspects: readonly PlaceSuspect[], rates: ReadonlyMap<string, Rate>): PlaceSuspect[] {
  const isIn = (one: PlaceSuspect, above: PlaceSuspect) => one.key.startsWith(`${above.key}.`);
  const rateOf = ({ key }: PlaceSuspect) => rates.get(key) ?? { count: 0, phones: 0 };
  const isOnlyChip = (chip: PlaceSuspect, hub: PlaceSuspect) => {
    const [inner, whole] = [rateOf(chip), rateOf(hub)];
    const rest = { count: whole.count - inner.count, phones: whole.phones - inner.phones };
    return rest.phones > 0 && rest.count * CHIP_TIMES * inner.phones < inner.count * rest.phones;
  };
  const kept = suspects.filter((hub) => !suspects.some((chip) => isIn(chip, hub) && isOnlyChip(chip, hub)));
  return kept.filter((chip) => !kept.some((hub) => isIn(chip, hub)));
}

function networkSuspects(own: readonly Loss[], onUsb: readonly Loss[], now: RuleInput): PlaceSuspect[] {
  const counted = capped(own, MOST_OF_ONE.network);
  const counts = [...Map.groupBy(counted, ({ udid }) => udid).values()].map(({ length }) => length);
  const often = counts.filter((count) => count >= MOST_OF_ONE.network).length;
  const phones = now.phones.filter(isOnNetwork).length;
  if (!isSpread(counted, 'phones only') || often < Math.max(LEAST_DIFFERENT, phones * NETWORK_PART))
    return [];
  if (apart(counted) < LEAST_LOSSES) return [];
  const others = now.phones.length - phones;
  const isWorse =
    others === 0 ||
    counted.length * others >= NETWORK_TIMES * (capped(onUsb, MOST_OF_ONE.network).length + 1) * phones;
  return isWorse ? [{ kind: 'network', key: NETWORK, losses: [...own] }] : [];
}

/** Of several phones, at several ports, on several days. */
function isSpread(losses: readonly Loss[], only?: 'phones only'): boolean {
  const days = new Set(losses.map(({ at }) => Math.floor(at / DAY_MS))).size;
  const isOfPorts = only !== undefined || distinct(losses, 'port') >= LEAST_DIFFERENT;
  return isOfPorts && distinct(losses, 'udid') >= LEAST_DIFFERENT && days >= LEAST_DIFFERENT;
}

const distinct = (losses: readonly Loss[], key: 'udid' | 'port'): number =>
  new Set(losses.map((loss) => loss[key])).size;

/** The first losses of each phone and of each port, as many as count. */
function capped(losses: readonly Loss[], most: number): Loss[] {
  const counts = new Map<string, number>();
  return losses.filter(({ udid, port = '' }) => {
    const keys = port === '' ? [`phone ${udid}`] : [`phone ${udid}`, `port ${port}`];
    if (keys.some((key) => (counts.get(key) ?? 0) >= most)) return false;
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return true;
  });
}

/** Without a port or a phone that alone has most of them: it has a cause of its own. */
function withoutDominant(losses: readonly Loss[]): Loss[] {
  const isMost = (some: readonly Loss[]) => some.length * 2 > losses.length;
  const ports = [...Map.groupBy(losses, ({ port }) => port)].find(([, some]) => isMost(some));
  const phones = [...Map.groupBy(losses, ({ udid }) => udid)].find(([, some]) => isMost(some));
  return losses.filter(({ port, udid }) => port !== ports?.[0] && udid !== phones?.[0]);
}

/** How many of them are events of their own. */
function apart(losses: readonly Loss[]): number {
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  for (const { at } of losses) {
    if (at - last >= ONE_EVENT_MS) count += 1;
    last = at;
  }
  return count;
}
