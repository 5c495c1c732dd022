/**
 * The events that an evaluation looks at, kept in the thread of the history while it runs: reading them each time would take
 * a second for a large host. Equal texts and places are kept once.
 */
import type { HistoryEvent, Where } from '../history/events/event.ts';
import type { Store } from '../history/store/store.ts';
import { LOOK_BACK_MS } from './rule.ts';

/** Of each place the newest, and of all: a cable that flaps must not fill the thread's memory, nor hide the others. */
export const MOST_OF_PLACE = 5_000;
export const MOST_OF_ALL = 100_000;

export class RecentEvents {
  readonly #store: Pick<Store, 'each' | 'rewrites'>;
  /** Newest first. */
  #events: HistoryEvent[] = [];
  #rewrites = -1;
  /** Equal ones are kept once: they take much memory. */
  #texts = new Map<string, string>();
  #places = new Map<string, Where>();

  constructor(store: Pick<Store, 'each' | 'rewrites'>) {
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
    const isWanted = newestOnly();
    const added: HistoryEvent[] = [];
    for (const event of this.#store.each({ since, after: this.#events[0]?.id ?? 0 }, isWanted))
      added.push(this.#shared(event));
    const former = this.#events.filter((event) => event.at >= since && isWanted(placeOf(event)));
    this.#events = [...added, ...former];
    return this.#events.toReversed();
  }

  #shared(event: HistoryEvent): HistoryEvent {
    const shared: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(event as object))
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

/** Is the next one, of this place, still among those that are kept? The newest come first. */
function newestOnly(): (place: string) => boolean {
  const counts = new Map<string, number>();
  let all = 0;
  return (place) => {
    const count = counts.get(place) ?? 0;
    if (count === MOST_OF_PLACE || all === MOST_OF_ALL) return false;
    counts.set(place, count + 1);
    all += 1;
    return true;
  };
}
