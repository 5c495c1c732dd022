/**
 * What led to the present of a phone or a place: its events, the host's, notes on the place, and who is to blame for the
 * last loss. A question to the thread of the history.
 */

import { contextOf } from '../evaluation.ts';
import type { EventKind, HistoryEvent } from '../events/event.ts';
import type { Blame } from '../finding.ts';
import { firstBlameOf } from '../losses/attribution.ts';
import type { RuleInput } from '../rule-input.ts';
import type { EventQuery } from '../store/history.ts';
import type { Store } from '../store/store.ts';

export interface PastQuery {
  /** Whose events; one of these. `isOfNone`: the host's own, and all notes on places. */
  of: Pick<EventQuery, 'udids' | 'slots' | 'usbPath' | 'hub' | 'isOfNone'>;
  /** Where notes may be that are on no phone. */
  places: { slots: readonly string[]; usbPaths: readonly string[]; hubs: readonly string[] };
  /** ms since the epoch. */
  since: number;
  /** Events at most. */
  most: number;
  /** The host as it is now; absent: nobody is blamed. */
  picture?: RuleInput;
}

export interface Past {
  /** Newest first. */
  events: HistoryEvent[];
  hasMore: boolean;
  /** Who is to blame for the newest loss of these, when that was, and of which phone. */
  blame?: Blame;
  lostAt?: number;
  lostUdid?: string;
}

/** What the host did that a phone can suffer from. */
const ofHost: readonly EventKind[] = [
  ...(['adbLost', 'adbBack', 'adbReplaced', 'agentStarted', 'agentStopped'] as const),
  ...(['clockStepped', 'cloudLost', 'cloudBack'] as const),
];
const notes: readonly EventKind[] = ['note'];

export function pastOf(store: Store, { of, places, since, most, picture }: PastQuery): Past {
  const { slots, usbPaths, hubs } = places;
  const limited = { since, limit: most + 1 };
  const found = [
    ...(of.isOfNone ? [] : [store.events({ ...of, ...limited })]),
    store.events({ kinds: of.isOfNone ? [...ofHost, ...notes] : ofHost, isOfNone: true, ...limited }),
    ...(slots.length > 0 ? [store.events({ slots, kinds: notes, isOfNone: true, ...limited })] : []),
    ...usbPaths.map((usbPath) => store.events({ usbPath, kinds: notes, isOfNone: true, ...limited })),
    ...hubs.map((hub) => store.events({ hub, kinds: notes, isOfNone: true, ...limited })),
  ].flat();
  const events = [...new Map(found.map((event) => [event.id, event])).values()].sort(
    (one, other) => other.id - one.id,
  );
  return {
    events: events.slice(0, most),
    hasMore: events.length > most,
    ...(picture && lastBlame(events, store, picture)),
  };
}

function lastBlame(
  newestFirst: readonly HistoryEvent[],
  store: Store,
  picture: RuleInput,
): Pick<Past, 'blame' | 'lostAt' | 'lostUdid'> {
  if (!newestFirst.some(mayBeLoss)) return {};
  const found = firstBlameOf(newestFirst, contextOf(store, picture));
  return found ? { blame: found.blame, lostAt: found.at, lostUdid: found.udid } : {};
}

const mayBeLoss = ({ kind }: HistoryEvent): boolean => kind === 'detached' || kind === 'state';
