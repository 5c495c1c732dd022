/** What was last told of phones and host: a new agent tells only what is new since then. */
import type { EventKind, HistoryEvent } from '../diagnosis/events/event.ts';
import type { Seen } from './happenings.ts';

export interface Told {
  /** By udid; absent where nobody knows: then it counts as told what the roster has. */
  connections?: ReadonlyMap<string, Pick<Seen, 'attached' | 'state'>>;
  isAdbLost: boolean;
  isCloudLost: boolean;
}

export const nothingTold: Told = { isAdbLost: false, isCloudLost: false };

/**
 * From the history of an earlier run.
 *
 * @param lastStates the newest `attached`, `detached` or `state` of each phone
 * @param ofHost the host's newest events
 */
export function toldBy(lastStates: readonly HistoryEvent[], ofHost: readonly HistoryEvent[]): Required<Told> {
  const newest = (...kinds: EventKind[]) =>
    ofHost.filter(({ kind }) => kinds.includes(kind)).toSorted((one, other) => other.id - one.id)[0]?.kind;
  return {
    connections: new Map(lastStates.flatMap(connectionBy)),
    isAdbLost: newest('adbLost', 'adbBack', 'adbReplaced') === 'adbLost',
    isCloudLost: newest('cloudLost', 'cloudBack') === 'cloudLost',
  };
}

function connectionBy(event: HistoryEvent): [string, Pick<Seen, 'attached' | 'state'>][] {
  if (event.kind === 'detached') return [[event.udid, { attached: false, state: 'disconnected' }]];
  if (event.kind !== 'attached' && event.kind !== 'state') return [];
  return [[event.udid, { attached: true, state: event.state }]];
}
