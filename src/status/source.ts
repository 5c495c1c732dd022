import type { EventKind } from '../history/events/event.ts';
import type { DayUptime } from '../history/store/history.ts';
import type { EventPage, HostStatus, PhoneDetail, Sample } from './host-status.ts';

/** The source of the host's status for page, commands and metrics. */
export interface StatusSource {
  /** Undefined while no agent runs: at the start and in a reload. */
  status(): HostStatus | undefined;
  phone(udid: string): Promise<PhoneDetail | undefined>;
  /**
   * Calls `listener` after changes of the status, at most once a second.
   *
   * @returns removes the listener
   */
  onChange(listener: () => void): () => void;
  /** False if the agent hangs. */
  readonly isProgressing: boolean;
}

/** What is kept of the phones. Each answer is undefined for a phone that this host does not know. */
export interface PhonePast {
  /** One for each of the last 90 days, oldest first. */
  uptime(udid: string): Promise<DayUptime[] | undefined>;
  /** Oldest first: every five minutes of one day, else every hour. */
  samples(udid: string, days: number): Promise<Sample[] | undefined>;
  /** One page, the newest before `before`. */
  events(udid: string, query: EventsAsked): Promise<EventPage | undefined>;
}

export interface EventsAsked {
  before?: number;
  kinds?: readonly EventKind[];
}
