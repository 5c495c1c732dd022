/**
 * The events that a judgement looks at, kept in the thread of the history: reading them each time would take a second
 * for a large host. Equal texts and places are kept once.
 */
import type { HistoryEvent, Where } from '../history/event.ts';
import type { Store } from '../history/store.ts';
import { JUDGED_MS } from './case.ts';

/** Events that are read at once: those that wait to be kept take memory too. */
const PAGE = 2_000;
/** While nothing new happens, events leave so late, ms. */
const LATE_MS = 3_600_000;

export class CaseFile {
  readonly #store: Pick<Store, 'events' | 'rewrites'>;
  /** Oldest first. */
  #events: HistoryEvent[] = [];
  #rewrites = -1;
  #texts = new Map<string, string>();
  #places = new Map<string, Where>();

  constructor(store: Pick<Store, 'events' | 'rewrites'>) {
    this.#store = store;
  }

  /** The events of the last `JUDGED_MS`, oldest first by `id`. */
  eventsUntil(now: number): readonly HistoryEvent[] {
    const { rewrites } = this.#store;
    if (rewrites !== this.#rewrites) {
      this.#events = [];
      this.#texts = new Map();
      this.#places = new Map();
      this.#rewrites = rewrites;
    }
    const since = now - JUDGED_MS;
    const added = this.#read(since, this.#events.at(-1)?.id ?? 0);
    // the same array while nothing new happens: what was found in it is found again
    const oldest = added.length > 0 ? since : since - LATE_MS;
    if (added.length > 0 || this.#events.some(({ at }) => at < oldest))
      this.#events = [...this.#events.filter(({ at }) => at >= since), ...added];
    return this.#events;
  }

  #read(since: number, after: number): HistoryEvent[] {
    const pages: HistoryEvent[][] = [];
    let before: number | undefined;
    do {
      const page = this.#store.events({
        ...{ since, after, limit: PAGE },
        ...(before !== undefined && { before }),
      });
      before = page.length < PAGE ? undefined : page.at(-1)?.id;
      pages.unshift(page.reverse().map((event) => this.#shared(event)));
    } while (before !== undefined);
    return pages.flat();
  }

  #shared(event: HistoryEvent): HistoryEvent {
    const shared: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(event))
      shared[key] =
        typeof value === 'string' ? this.#text(value) : key === 'where' ? this.#place(value as Where) : value;
    return shared as unknown as HistoryEvent;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  #place(where: Where): Where {
    const key = JSON.stringify([where.slot, where.devpath, where.usbPath, where.hub]);
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, where);
    return known ?? where;
  }
}
