/**
 * Phones and ports that lose again and again: each loss that nothing else explains counts for its phone and for its
 * port; whoever explains most of them takes them all, then the next one.
 */

import { DAY_MS } from '../base/milliseconds.ts';
import type { Loss } from './burst.ts';
import type { LossCauses } from './loss-cause.ts';
import { hubsAbove } from './places.ts';

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

export interface Suspect {
  kind: 'phone' | 'port';
  key: string;
  /** Oldest first. */
  losses: Loss[];
}

/**
 * @param nowAt ms since the epoch
 * @param phones how many phones the host has
 */
export function suspectsOf(causes: LossCauses, nowAt: number, phones: number): Suspect[] {
  const own = causes.losses.filter((loss) => causes.causeOf.get(loss)?.kind === 'own');
  const isRepaired = repairedBefore(causes);
  const average = averageOf(
    own.filter((loss) => !isRepaired(loss)),
    phones,
  );
  const candidates: Suspect[] = [
    ...[
      ...Map.groupBy(
        own.filter(({ port }) => port !== undefined),
        ({ port = '' }) => port,
      ),
    ].map(([key, losses]) => ({
      kind: 'port' as const,
      key,
      losses: losses.filter((loss) => !isRepaired(loss)),
    })),
    ...[...Map.groupBy(own, ({ udid }) => udid)].flatMap(([key, losses]) => {
      const ofPhone = losses.some((loss) => !isRepaired(loss, 'phone')) ? losses : [];
      return isInManyPlaces(ofPhone) ? [{ kind: 'phone' as const, key, losses: ofPhone }] : [];
    }),
  ];
  const explained = new Set<Loss>();
  const found: Suspect[] = [];
  for (const candidate of candidates.sort((one, other) => other.losses.length - one.losses.length)) {
    const losses = candidate.losses.filter((loss) => !explained.has(loss));
    if (candidate.kind === 'phone' && !isInManyPlaces(losses)) continue;
    if (!isTooOften(losses, nowAt, average)) continue;
    for (const loss of losses) explained.add(loss);
    found.push({ ...candidate, losses });
  }
  return found;
}

/** At several ports, or on the network, where there is no port to blame. */
function isInManyPlaces(losses: readonly Loss[]): boolean {
  const ofPorts = [...Map.groupBy(losses, ({ port }) => port)];
  if (ofPorts.some(([port]) => port === undefined)) return true;
  return losses.length - Math.max(0, ...ofPorts.map(([, each]) => each.length)) >= ELSEWHERE;
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

/** Whether somebody has repaired something there since: at the port, or the phone. */
function repairedBefore({ repairs }: LossCauses): (loss: Loss, of?: 'phone') => boolean {
  const lastOf = new Map<string, number>();
  for (const { id, udid, port, slot, hub } of repairs)
    for (const [kind, key] of Object.entries({ udid, port, slot, hub }))
      if (key !== undefined) lastOf.set(`${kind} ${key}`, id);
  const isLater = (kind: string, key: string | undefined, id: number) =>
    (lastOf.get(`${kind} ${key}`) ?? -1) > id;
  return ({ id, udid, port, where }, of) =>
    of === 'phone'
      ? isLater('udid', udid, id)
      : isLater('port', port, id) ||
        isLater('slot', where.slot, id) ||
        hubsAbove(where).some((hub) => isLater('hub', hub, id));
}
