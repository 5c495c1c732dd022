/**
 * What led to the present of a phone or a place: its events, the host's, notes on the place, and who is to blame for the
 * last loss. A question to the thread of the history.
 */
import { type EventKind, type HistoryEvent, hostEventKinds, PLACED } from '../../history/events/event.ts';
import type { EventQuery } from '../../history/store/history.ts';
import type { Store } from '../../history/store/store.ts';
import { contextOf } from '../evaluate.ts';
import { blameIn, type LossBlame } from '../losses/blame.ts';
import type { RuleInput } from '../rule-input.ts';

export interface TimelineQuery {
  /** Whose events. `isOfNone`: the host's own, and all notes on places. */
  of: Pick<EventQuery, 'udids' | 'slots' | 'usbPath' | 'hub' | 'isOfNone'>;
  /** Where notes may be that are on no phone. */
  places: { slots: readonly string[]; usbPaths: readonly string[]; hubs: readonly string[] };
  /** ms since the epoch. */
  since: number;
  /** Events at most. */
  most: number;
  /** The host as it is now; absent while that is not known: then nobody is blamed. */
  now?: RuleInput;
}

export interface Timeline {
  /** Newest first. */
  events: HistoryEvent[];
  hasMore: boolean;
  /** Who is to blame for the newest loss of these. */
  lost?: Omit<LossBlame, 'id'>;
}

/** What the host did that a phone can suffer from. */
const ofHost: readonly EventKind[] = hostEventKinds.filter((kind) => kind !== 'agentReloaded');

export function timelineOf(store: Store, { of, places, since, most, now }: TimelineQuery): Timeline {
  const limited = { since, limit: most + 1 };
  const own = of.isOfNone ? [] : store.events({ ...of, ...limited });
  const kinds: readonly EventKind[] = of.isOfNone ? [...ofHost, ...PLACED] : ofHost;
  const notesAt = (
    place: Pick<EventQuery, 'slots' | 'usbPath' | 'hub'>,
    kinds: readonly EventKind[] = ['note'],
  ) => store.events({ ...place, kinds, isOfNone: true, ...limited });
  const found = [
    ...own,
    ...store.events({ kinds, isOfNone: true, ...limited }),
    ...(places.slots.length > 0 ? notesAt({ slots: places.slots }) : []),
    ...places.usbPaths.flatMap((usbPath) => notesAt({ usbPath }, PLACED)),
    ...places.hubs.flatMap((hub) => notesAt({ hub })),
  ];
  const byId = new Map(found.map((event) => [event.id, event]));
  const events = [...byId.values()].sort((one, other) => other.id - one.id);
  const mayBeLost = events.some(({ kind }) => kind === 'detached' || kind === 'state');
  const blameOf = now && mayBeLost ? blameIn(contextOf(store, now)) : () => undefined;
  let lost: LossBlame | undefined;
  for (const event of events) lost ??= blameOf(event);
  return { events: events.slice(0, most), hasMore: events.length > most, ...(lost && { lost }) };
}
