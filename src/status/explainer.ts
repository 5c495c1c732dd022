/** Answers `hostnode why`, and the same question of the page. */
import type { AgentView } from '../agent/view.ts';
import { printable } from '../base/printable.ts';
import type { Past, PastQuery } from '../diagnosis/explain/past.ts';
import { hubsAbove } from '../diagnosis/places.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import { CommandRefusedError } from './commands.ts';
import type { HostStatus, Why } from './host-status.ts';
import { type Named, subjectCalled } from './named-subject.ts';
import { type LocatedPhone, placedPhones } from './placed-phones.ts';
import { udidsOf, whyOf } from './why.ts';

export interface ExplainerParts {
  /** Undefined while no agent runs. */
  status(): HostStatus | undefined;
  view(): Pick<AgentView, 'phones'> | undefined;
  /** Rejects where the history does not answer. */
  past(query: PastQuery): Promise<Past>;
}

export interface WhyOptions {
  /** Events from this moment on, ms since the epoch. */
  since: number;
  /** Entries of the timeline at most. */
  limit: number;
}

/** What answers why a phone or a place is as it is. */
export interface Explains {
  /**
   * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
   * @throws {CommandRefusedError} nothing has the name, or several phones have it; or too many ask
   */
  why(name: string, options: WhyOptions): Promise<Why>;
}

/** Events that one answer looks at: one line of a timeline may tell many. */
const [FEWEST_EVENTS, MOST_EVENTS, EVENTS_AN_ENTRY] = [200, 1000, 10];
/** Questions under way at once: the thread answers one after the other. */
const MOST_AT_ONCE = 8;

export class Explainer implements Explains {
  readonly #parts: ExplainerParts;
  #asked = 0;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  async why(name: string, { since, limit }: WhyOptions): Promise<Why> {
    const [status, view] = [this.#parts.status(), this.#parts.view()];
    if (status === undefined || view === undefined)
      throw new CommandRefusedError('the agent is starting or stopping: try again in a moment', 503);
    if (this.#asked >= MOST_AT_ONCE)
      throw new CommandRefusedError('too many ask why at once: try again in a moment', 503);
    const phones = placedPhones(view);
    const named = namedOrRefused(name, phones, slotsOf(status));
    const wheres = new Map(phones.map(({ udid, where }) => [udid, where]));
    const given = { named, status, limit, whereOf: (udid: string) => wheres.get(udid) };
    const most = Math.min(MOST_EVENTS, Math.max(FEWEST_EVENTS, limit * EVENTS_AN_ENTRY));
    const query = { ...questionOf(named, phones), since, most };
    this.#asked += 1;
    try {
      return whyOf({ ...given, ...(await this.#parts.past(query)) });
    } catch (error) {
      const historyProblem = printable(error instanceof Error ? error.message : String(error), 300);
      return { ...whyOf({ ...given, events: [], hasMore: false }), historyProblem };
    } finally {
      this.#asked -= 1;
    }
  }
}

/** @throws {CommandRefusedError} */
export function namedOrRefused(
  name: string,
  phones: readonly LocatedPhone[],
  slots: readonly string[],
): Named {
  const named = subjectCalled(name, phones, slots);
  if ('problem' in named) throw new CommandRefusedError(printable(named.problem), named.isKnown ? 409 : 404);
  return named;
}

/** The configured ones, in the order of the rack. */
const slotsOf = ({ bands }: Pick<HostStatus, 'bands'>): string[] => [
  ...new Set(bands.flatMap(({ bays }) => bays.flatMap(({ slot }) => slot ?? []))),
];

/** A shelf's own notes have its name in place of a slot's. */
const withShelf = (slots: readonly string[]): string[] => [
  ...new Set(slots.flatMap((slot) => [slot, placeInRoom(slot).band]).filter(Boolean)),
];

function questionOf(named: Named, phones: readonly LocatedPhone[]): Pick<PastQuery, 'of' | 'places'> {
  const udids = new Set(udidsOf(named));
  const wheres = phones.filter(({ udid }) => udids.has(udid)).map(({ where }) => where);
  const all = (key: 'slot' | 'usbPath') => [...new Set(wheres.flatMap((where) => where[key] ?? []))];
  const own = 'slots' in named ? named.slots : [];
  const hubs = [...new Set(wheres.flatMap(hubsAbove))];
  const places = { slots: withShelf([...all('slot'), ...own]), usbPaths: all('usbPath'), hubs };
  return { of: whose(named), places };
}

function whose(named: Named): PastQuery['of'] {
  switch (named.kind) {
    case 'phone':
      return { udids: [named.udid] };
    case 'port':
      return { usbPath: named.usbPath };
    case 'hub':
      return { hub: named.hub };
    case 'host':
      return { isOfNone: true };
    default:
      return { slots: named.slots };
  }
}
