/** What was last recorded of phones and host: a new agent records only what is new since then. */
import type { Logger } from '../../base/log.ts';
import { within } from '../../base/time.ts';
import type { EventKind, HistoryEvent } from './event.ts';

/** How adb listed a phone. `state`: adb's word; `disconnected` where it is not attached. */
export interface Connection {
  attached: boolean;
  state: string;
}

export interface Checkpoint {
  /** By udid; absent where nobody knows: then it counts as recorded what the roster has. */
  connections?: ReadonlyMap<string, Connection>;
  isAdbLost: boolean;
  isCloudLost: boolean;
}

/** As the history has it, with since when each phone is so, ms since the epoch. */
export interface KeptCheckpoint extends Checkpoint {
  connections?: ReadonlyMap<string, Connection & { at: number }>;
}

/** The agent starts without it where the disk is slower, ms. */
const ANSWER_MS = 5_000;

interface Asked {
  /** Newest first. `isOfNone`: of the host. */
  events(query: { isOfNone: true; kinds: EventKind[]; limit: number }): Promise<HistoryEvent[]>;
  lastStates(): Promise<HistoryEvent[]>;
}

/** What earlier runs recorded. Never throws: without an answer nothing is known, and the log says so. */
export async function checkpointIn(history: Asked, log: Logger): Promise<KeptCheckpoint> {
  const newest = (...kinds: EventKind[]) => history.events({ isOfNone: true, kinds, limit: 1 });
  const reading = Promise.all([
    history.lastStates(),
    newest('adbLost', 'adbBack', 'adbReplaced'),
    newest('cloudLost', 'cloudBack'),
  ]).catch((error: unknown) => {
    const words = 'cannot read the history: what happened while hostnode did not run may be missing';
    log.warn({ err: error }, words);
    return undefined;
  });
  const read = await within(ANSWER_MS, reading);
  if (read === undefined) return { isAdbLost: false, isCloudLost: false };
  const [states, [ofAdb], [ofCloud]] = read;
  return {
    connections: new Map(states.flatMap(connectionBy)),
    isAdbLost: ofAdb?.kind === 'adbLost',
    isCloudLost: ofCloud?.kind === 'cloudLost',
  };
}

function connectionBy(event: HistoryEvent): [string, Connection & { at: number }][] {
  const { kind, udid, at } = event;
  if (kind === 'detached') return [[udid, { attached: false, state: 'disconnected', at }]];
  return kind === 'attached' || kind === 'state' ? [[udid, { attached: true, state: event.state, at }]] : [];
}
