import { EventEmitter, once } from 'node:events';
import type { AgentObserver } from '../../src/agent/observer.ts';
import type { EventKind, HistorySample, NewEvent } from '../../src/history/events/event.ts';

/** Keeps what agents tell of phones and host. */
export class EventsLog implements AgentObserver {
  readonly events: NewEvent[] = [];
  readonly samples: (HistorySample & { udid: string })[] = [];
  readonly names: string[] = [];
  readonly #told = new EventEmitter();

  happened(events: readonly NewEvent[]): void {
    this.events.push(...events);
    this.#told.emit('more');
  }

  sampled(sample: HistorySample & { udid: string }): void {
    this.samples.push(sample);
  }

  renamed(from: string, to: string): void {
    this.names.push(`${from} → ${to}`);
  }

  forgotten(udids: readonly string[]): void {
    this.names.push(...udids.map((udid) => `${udid} forgotten`));
    this.#told.emit('more');
  }

  /** `POCO attached device`, in order; without the cloud's answers and who each phone is. */
  get told(): string[] {
    return this.texts(({ kind }) => kind !== 'stored' && kind !== 'identity');
  }

  texts(isMeant: (event: NewEvent) => boolean = () => true): string[] {
    return this.events
      .filter(isMeant)
      .map((event) =>
        [event.udid, event.kind, 'state' in event ? event.state : undefined].filter(Boolean).join(' '),
      );
  }

  of(kind: EventKind): NewEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  /** Waits until so many events of this kind were told. */
  async until(kind: EventKind, count = 1): Promise<void> {
    while (this.of(kind).length < count) await once(this.#told, 'more');
  }

  clear(): void {
    this.events.length = 0;
  }
}
