/** The history without a file and without a thread. It can observe an agent, as the diagnosis does. */
import type { HistoryEvent, HistorySample, NewEvent } from '../../src/history/events/event.ts';
import { admitted } from '../../src/history/events/event.ts';
import type { HistoryClient } from '../../src/history/store/client.ts';
import { openDatabase } from '../../src/history/store/database.ts';
import type { Change, DayUptime, EventQuery, PhoneSample } from '../../src/history/store/history.ts';
import { Store } from '../../src/history/store/store.ts';

export class MemoryHistory
  implements
    Pick<
      HistoryClient,
      | 'record'
      | 'sample'
      | 'events'
      | 'samples'
      | 'uptime'
      | 'lastStates'
      | 'renamed'
      | 'forget'
      | 'unwrittenSince'
    >
{
  /** For the questions of other layers: `judge(history.store, …)`. */
  readonly store: Store;
  readonly unwrittenSince = undefined;

  constructor(now?: () => number) {
    this.store = new Store(openDatabase(':memory:'), now);
  }

  async record(events: readonly NewEvent[]): Promise<boolean> {
    const kept = events.flatMap((event) => admitted(event) ?? []);
    this.#write({ kind: 'events', events: kept });
    return kept.length === events.length;
  }

  happened(events: readonly NewEvent[]): void {
    void this.record(events);
  }

  sampled(sample: PhoneSample): void {
    void this.sample([sample]);
  }

  forgotten(udids: readonly string[]): void {
    void this.forget(udids);
  }

  async sample(samples: readonly PhoneSample[]): Promise<boolean> {
    this.#write({ kind: 'samples', samples });
    return true;
  }

  async events(query: EventQuery): Promise<HistoryEvent[]> {
    return this.store.events(query);
  }

  async samples(udid: string, since: number): Promise<HistorySample[]> {
    return this.store.samples(udid, since);
  }

  async uptime(udid: string, days: number): Promise<DayUptime[]> {
    return this.store.uptime(udid, days);
  }

  async lastStates(): Promise<HistoryEvent[]> {
    return this.store.lastStates();
  }

  renamed(from: string, to: string): void {
    this.#write({ kind: 'renamed', from, to });
  }

  async forget(udids: readonly string[]): Promise<boolean> {
    this.#write({ kind: 'forget', udids });
    return true;
  }

  close(): void {
    this.store.close();
  }

  #write(change: Change): void {
    this.store.write([change]);
  }
}
