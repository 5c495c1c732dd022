/** Answers `hostnode why`, and the same question of the page. */
import type { AgentState } from '../agent/state.ts';
import { printable } from '../base/printable.ts';
import { placedPhones, resolveName } from '../diagnosis/explain/names.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import { placesOf, type Why, whyOf } from '../diagnosis/explain/why.ts';
import { CommandRefusedError } from './commands.ts';
import type { HostStatus } from './host-status.ts';

/** Why a phone or a place is as it is. */
export type Explain = (name: string, wanted: { since: number; limit: number }) => Promise<Why>;

export interface Explained {
  /** Undefined while no agent runs. */
  present: HostStatus | undefined;
  state: Pick<AgentState, 'phones'>;
  /** Names of the configured slots, in the order of the rack. */
  slots: readonly string[];
  /** Rejects where the history does not answer. */
  timeline(query: TimelineQuery): Promise<Timeline>;
}

/** Events that one answer looks at: one line of a timeline may tell many. */
const EVENTS = { fewest: 200, most: 1000, anEntry: 10 };

/**
 * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
 * @param wanted `since`: events from this moment on, ms since the epoch; `limit`: entries of the timeline at most
 * @throws {NameError} nothing has the name, or several phones have it
 * @throws {CommandRefusedError} no agent runs
 */
export async function explain(
  name: string,
  { since, limit }: { since: number; limit: number },
  { present, state, slots, timeline }: Explained,
): Promise<Why> {
  if (present === undefined)
    throw new CommandRefusedError('the agent is starting or stopping: try again in a moment', 503);
  const named = resolveName(name, placedPhones(state), slots);
  const most = Math.min(EVENTS.most, Math.max(EVENTS.fewest, limit * EVENTS.anEntry));
  try {
    const found = await timeline({ of: named.of, places: placesOf(named), since, most });
    return whyOf({ named, present, timeline: found, limit });
  } catch (error) {
    const historyProblem = printable(error instanceof Error ? error.message : String(error), 300);
    return { ...whyOf({ named, present, timeline: { events: [], hasMore: false }, limit }), historyProblem };
  }
}
