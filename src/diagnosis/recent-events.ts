/**
 * The events that an evaluation looks at, kept in the thread of the history while it runs: reading them each time would take
 * a second for a large host. Equal texts and places are kept once.
 */
import type { HistoryEvent, Where } from '../history/events/event.ts';
import type { Store } from '../history/store/store.ts';
import { LOOK_BACK_MS } from './rule.ts';

/** Events that are read at once: those that wait to be kept take memory too. */
const PAGE = 2_000;
/** Of each place the newest, and of all: a cable that flaps must not fill the thread's memory, nor hide the others. */
export const MOST_OF_PLACE = 5_000;
export const MOST_OF_ALL = 100_000;
/** While nothing new happens, events leave so late, ms. */
const LATE_MS = 3_600_000;

export class RecentEvents {
  readonly #store: Pick<Store, 'events' | 'rewrites'>;
  /** Oldest first. */
  #events: HistoryEvent[] = [];
  #rewrites = -1;
  /** Equal ones are kept once: they take much memory. */
  #texts = new Map<string, string>();
  #places = new Map<string, Where>();

  constructor(store: Pick<Store, 'events' | 'rewrites'>) {
    this.#store = store;
  }

  /** The events of the last `LOOK_BACK_MS`, oldest first by `id`; where they are too many, the newest of each place. */
  until(now: number): readonly HistoryEvent[] {
    const { rewrites } = this.#store;
    if (rewrites !== this.#rewrites) {
      this.#events = [];
      this.#texts = new Map();
      this.#places = new Map();
      this.#rewrites = rewrites;
    }
    const since = now - LOOK_BACK_MS;
    const added = this.#read(since, this.#events.at(-1)?.id ?? 0);
    // the same array while nothing new happens: what was found in it is found again
    const oldest = added.length > 0 ? since : since - LATE_MS;
    if (added.length > 0 || this.#events.some(({ at }) => at < oldest))
      this.#events = bounded([...this.#events.filter(({ at }) => at >= since), ...added]);
    return this.#events;
  }

  #read(since: number, after: number): HistoryEvent[] {
    const pages: HistoryEvent[][] = [];
    const counts = new Map<string, number>();
    let before: number | undefined;
    let count = 0;
    do {
      const exceptPlaces = [...counts].flatMap(([place, many]) => (many >= MOST_OF_PLACE ? [place] : []));
      const page = this.#store.events({ since, after, before, exceptPlaces, limit: PAGE });
      before = page.length < PAGE ? undefined : page.at(-1)?.id;
      count += page.length;
      for (const place of page.map(placeOf)) counts.set(place, (counts.get(place) ?? 0) + 1);
      pages.unshift(page.reverse().map((event) => this.#shared(event)));
    } while (before !== undefined && count < MOST_OF_ALL);
    return pages.flat();
  }

  #shared(event: HistoryEvent): HistoryEvent {
    const shared: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(event))
      if (typeof value === 'string') shared[key] = kept(this.#texts, value, value);
      else if (key === 'where') shared[key] = kept(this.#places, keyOf(value), value);
      else shared[key] = value;
    return shared as unknown as HistoryEvent;
  }
}

/** The value that is kept under this key: the first one. */
function kept<V>(values: Map<string, V>, key: string, value: V): V {
  const known = values.get(key);
  if (known === undefined) values.set(key, value);
  return known ?? value;
}

const keyOf = ({ slot, devpath, usbPath, hub }: Where): string =>
  JSON.stringify([slot, devpath, usbPath, hub]);

/** Whoever changes its name at one port is one place. The host's own events are of none. */
const placeOf = ({ where, udid }: HistoryEvent): string => where?.usbPath ?? udid ?? '';

/** Without the oldest ones of a place that has too many, and of all. */
function bounded(events: readonly HistoryEvent[]): HistoryEvent[] {
  const counts = new Map<string, number>();
  const kept: HistoryEvent[] = [];
  for (const event of events.toReversed()) {
    const place = placeOf(event);
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count <= MOST_OF_PLACE) kept.push(event);
    if (kept.length === MOST_OF_ALL) break;
  }
  return kept.reverse();
}
