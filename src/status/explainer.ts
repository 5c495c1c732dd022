/** Answers `hostnode why`, and the same question of the page. */
import type { AgentState } from '../agent/state.ts';
import { printable } from '../base/printable.ts';
import { placedPhones, resolveName } from '../diagnosis/explain/names.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import { placesOf, type Why, whyOf } from '../diagnosis/explain/why.ts';
import { CommandRefusedError } from './commands.ts';
import type { HostStatus } from './host-status.ts';

export interface ExplainerParts {
  /** Undefined while no agent runs. */
  status(): HostStatus | undefined;
  state(): Pick<AgentState, 'phones'> | undefined;
  /** Rejects where the history does not answer. */
  timeline(query: TimelineQuery): Promise<Timeline>;
}

/** What answers why a phone or a place is as it is. */
export type Explains = Pick<Explainer, 'why'>;

/** Events that one answer looks at: one line of a timeline may tell many. */
const EVENTS = { fewest: 200, most: 1000, anEntry: 10 };
/** Questions under way at once: the thread answers one after the other. */
const MOST_AT_ONCE = 8;

export class Explainer {
  readonly #parts: ExplainerParts;
  #underWay = 0;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  /**
   * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
   * @param options `since`: events from this moment on, ms since the epoch; `limit`: entries of the timeline at most
   * @throws {NameError} nothing has the name, or several phones have it
   * @throws {CommandRefusedError} too many ask, or no agent runs
   */
  async why(name: string, { since, limit }: { since: number; limit: number }): Promise<Why> {
    const [present, state] = [this.#parts.status(), this.#parts.state()];
    if (present === undefined || state === undefined)
      throw new CommandRefusedError('the agent is starting or stopping: try again in a moment', 503);
    if (this.#underWay >= MOST_AT_ONCE)
      throw new CommandRefusedError('too many ask why at once: try again in a moment', 503);
    const named = resolveName(name, placedPhones(state), slotsOf(present));
    const most = Math.min(EVENTS.most, Math.max(EVENTS.fewest, limit * EVENTS.anEntry));
    this.#underWay += 1;
    try {
      const query = { of: named.of, places: placesOf(named), since, most };
      const timeline = await this.#parts.timeline(query);
      return whyOf({ named, present, timeline, limit });
    } catch (error) {
      const historyProblem = printable(error instanceof Error ? error.message : String(error), 300);
      const timeline = { events: [], hasMore: false };
      return { ...whyOf({ named, present, timeline, limit }), historyProblem };
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** The configured ones, in the order of the rack. */
const slotsOf = ({ bands }: Pick<HostStatus, 'bands'>): string[] => [
  ...new Set(bands.flatMap(({ bays }) => bays.flatMap(({ slot }) => slot ?? []))),
];
