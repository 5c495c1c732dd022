/** What others ask of the history. A thread answers (`client.ts`); tests have one in memory. */
import { HostNodeError } from '../../base/errors.ts';
import type { EventKind, HistoryEvent, HistorySample, NewEvent } from '../events/event.ts';

/** Which events; absent: all. All given conditions hold at once. */
export interface EventQuery {
  /** Also the host's own events, where `withHost` is set. */
  udids?: readonly string[];
  slots?: readonly string[];
  usbPath?: string;
  /** And those of the hubs below it. */
  hub?: string;
  withHost?: boolean;
  /** Only those of no phone: the host's own, and notes on places. */
  isOfNone?: true;
  kinds?: readonly EventKind[];
  /** From this moment on, ms since the epoch. */
  since?: number;
  /** Only events before this `id`: the next page. */
  before?: number | undefined;
  /** Only events after this `id`. */
  after?: number;
  /** At most this many, the newest ones. */
  limit?: number;
}

/** One day of a phone, by the host's local time. */
export interface DayUptime {
  /** The day's begin, ms since the epoch. */
  at: number;
  /** Part of the known time in which adb called it `device`, 0 to 1; absent where nothing is known of that day. */
  onlineRatio?: number;
  /** Part of the day that is known, 0 to 1: its weight among others. Absent counts as a whole day. */
  knownRatio?: number;
  /** How often it was lost: detached or offline. */
  losses: number;
}

export interface History {
  /** Never throws and never waits. Resolves to whether all of them are kept: on the disk, or in memory where no more is wanted. */
  record(events: readonly NewEvent[]): Promise<boolean>;
  /** Keeps the newest sample of each five minutes. Never throws and never waits. */
  sample(samples: readonly (HistorySample & { udid: string })[]): void;
  /** Newest first. */
  events(query: EventQuery): Promise<HistoryEvent[]>;
  /** Oldest first: every five minutes within the last week, every hour before. */
  samples(udid: string, since: number): Promise<HistorySample[]>;
  /** Oldest first, one for each of the last `days` days up to today. */
  uptime(udid: string, days: number): Promise<DayUptime[]>;
  /** The newest `attached`, `detached` or `state` of each phone. */
  lastStates(): Promise<HistoryEvent[]>;
  /** A phone has another udid from now on: its past goes with it. */
  renamed(from: string, to: string): void;
  /** Erases all that is kept of these phones. Resolves to whether it is erased where it was kept. */
  forget(udids: readonly string[]): Promise<boolean>;
}

/** The history does not answer now. */
export class HistoryUnavailableError extends HostNodeError {
  readonly code = 'HISTORY_UNAVAILABLE';
  /** The same request may succeed later. */
  readonly mayRetry: boolean;

  constructor(message: string, mayRetry = true) {
    super(message);
    this.mayRetry = mayRetry;
  }
}
