/**
 * Who loses again and again: each loss that nothing else explains counts for its phone and for its port; whoever explains
 * most of them takes them all, then the next one. Before, hubs and the network take those of many phones.
 */
import { DAY_MS } from '../../base/calendar.ts';
import { hubsAbove } from '../places.ts';
import type { RuleInput } from '../rule-input.ts';
import type { LossCauses } from './cause.ts';
import type { Loss } from './loss-group.ts';
import { isOnNetwork, type PlaceSuspect, placeSuspects } from './place-offenders.ts';

/** Three losses in ten days, or five in thirty, are no chance where the others have none. */
const SOON = { losses: 3, withinMs: 10 * DAY_MS };
const SELDOM = { losses: 5, withinMs: 30 * DAY_MS };
/** Where the other phones are lost now and then: so many more for each loss that one of them has on average. */
const MORE_FOR_AVERAGE = 7;
/** One that is lost all the time raises the average of the others no further. */
const MOST_OF_ONE = 3;
/** Who sets up a phone plugs it again and again within this time, ms. */
const ONE_EVENT_MS = 5 * 60_000;
/** A finding ends when nothing was lost for this time. */
export const CALM_MS = 10 * DAY_MS;
/** A phone is to blame only if it was lost so often outside of the port where it was lost most. */
const ELSEWHERE = 2;

export type Suspect = PlaceSuspect | SingleSuspect;

/** `link`: the network connection of the phone `key`. */
interface SingleSuspect {
  kind: 'phone' | 'port' | 'link';
  key: string;
  /** Oldest first. */
  losses: Loss[];
}

/** @param now `phones`: those of the host; `at` is the moment of the judgement */
export function suspectsOf(causes: LossCauses, now: RuleInput): Suspect[] {
  const own = causes.losses.filter((loss) => causes.causeOf.get(loss)?.kind === 'own');
  const isRepaired = repairedBefore(causes);
  const places = placeSuspects(
    own.filter((loss) => !isRepaired(loss)),
    now,
    CALM_MS,
  );
  const explained = new Set(places.flatMap(({ losses }) => losses));
  const left = own.filter((loss) => !explained.has(loss));
  const singles = candidatesOf(left, isRepaired);
  const unrepaired = left.filter((loss) => !isRepaired(loss));
  const emulators = now.phones.filter(({ connection }) => connection === 'emulator').length;
  const onNetwork = now.phones.filter(isOnNetwork).length;
  const averages = {
    usb: averageOf(
      unrepaired.filter(({ port }) => port !== undefined),
      now.phones.length - emulators - onNetwork,
    ),
    network: averageOf(
      unrepaired.filter(({ port, isEmulator }) => port === undefined && !isEmulator),
      onNetwork,
    ),
    emulator: averageOf(
      unrepaired.filter(({ isEmulator }) => isEmulator),
      emulators,
    ),
  };
  const found: Suspect[] = [...places];
  for (const candidate of singles.sort((one, other) => other.losses.length - one.losses.length)) {
    const { kind } = candidate;
    const losses = candidate.losses.filter((loss) => !explained.has(loss));
    if (kind === 'phone' && !isInManyPlaces(losses)) continue;
    const own = losses.some(({ isEmulator }) => isEmulator) ? averages.emulator : averages.usb;
    if (!isTooOften(losses, now.at, kind === 'link' ? averages.network : own)) continue;
    for (const loss of losses) explained.add(loss);
    found.push({ ...candidate, losses });
  }
  return found;
}

function candidatesOf(own: readonly Loss[], isRepaired: IsRepaired): SingleSuspect[] {
  const ports = Map.groupBy(own, ({ port }) => port);
  ports.delete(undefined);
  return [
    ...[...ports].map(([key = '', losses]) => ({
      kind: 'port' as const,
      key,
      losses: losses.filter((loss) => !isRepaired(loss)),
    })),
    ...[...Map.groupBy(own, ({ udid }) => udid)].flatMap(([key, losses]): SingleSuspect[] => {
      const onNetwork = losses.filter(
        (loss) => loss.port === undefined && !loss.isEmulator && !isRepaired(loss),
      );
      const ofPhone = losses.some((loss) => !isRepaired(loss, 'phone')) ? losses : [];
      return [
        ...(onNetwork.length > 0 ? [{ kind: 'link' as const, key, losses: onNetwork }] : []),
        ...(isInManyPlaces(ofPhone) ? [{ kind: 'phone' as const, key, losses: ofPhone }] : []),
      ];
    }),
  ];
}

/** At several ports; the network is a place too. An emulator is its own. */
function isInManyPlaces(losses: readonly Loss[]): boolean {
  if (losses.some(({ isEmulator }) => isEmulator)) return true;
  const ofPorts = [...Map.groupBy(losses, ({ port }) => port).values()];
  return losses.length - Math.max(0, ...ofPorts.map(({ length }) => length)) >= ELSEWHERE;
}

/** How often another phone of this host was lost in the 30 days on average, beside one with so many losses. */
type Average = (ofOne: number) => number;

function averageOf(own: readonly Loss[], phones: number): Average {
  const counts = [...Map.groupBy(own, ({ udid }) => udid).values()].map(({ length }) => length);
  const total = counts.reduce((sum, count) => sum + Math.min(count, MOST_OF_ONE), 0);
  return (ofOne) => Math.max(0, total - Math.min(ofOne, MOST_OF_ONE)) / Math.max(1, phones - 1);
}

function isTooOften(losses: readonly Loss[], nowAt: number, average: Average): boolean {
  const last = losses.at(-1);
  if (!last || nowAt - last.at > CALM_MS) return false;
  const begins = apart(losses);
  return [SOON, SELDOM].some((rule) => {
    const need = rule.losses + Math.floor(MORE_FOR_AVERAGE * average(losses.length));
    return begins.some(
      (at, index) => (begins[index + need - 1] ?? Number.POSITIVE_INFINITY) - at <= rule.withinMs,
    );
  });
}

/** When losses began; those within five minutes are one. */
function apart(losses: readonly Loss[]): number[] {
  const begins: number[] = [];
  for (const { at } of losses)
    if (at - (begins.at(-1) ?? Number.NEGATIVE_INFINITY) >= ONE_EVENT_MS) begins.push(at);
  return begins;
}

type IsRepaired = (loss: Loss, of?: 'phone') => boolean;

/** Whether somebody has repaired something there since: at the port, or the phone. */
function repairedBefore({ repairs }: LossCauses): IsRepaired {
  const lastOf = new Map<string, number>();
  for (const { id, udid, port, slot, hub, isOfHost } of repairs)
    for (const [kind, key] of Object.entries({ udid, port, slot, hub, host: isOfHost && '' }))
      if (key !== undefined) lastOf.set(`${kind} ${key}`, id);
  const isLater = (kind: string, key: string | undefined, id: number) =>
    (lastOf.get(`${kind} ${key}`) ?? -1) > id;
  return ({ id, udid, port, where }, of) => {
    if (of === 'phone') return isLater('udid', udid, id);
    if (port === undefined) return isLater('udid', udid, id) || isLater('host', '', id);
    return (
      isLater('port', port, id) ||
      isLater('slot', where.slot, id) ||
      hubsAbove(where).some((hub) => isLater('hub', hub, id))
    );
  };
}
