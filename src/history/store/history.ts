/** What is asked of the history, and what is written into it: plain data, which goes to its thread. */
import { HostNodeError } from '../../base/errors.ts';
import type { EventKind, HistorySample, NewEvent } from '../events/event.ts';

export interface HistorySettings {
  /** The state directory. Absent: none is wanted, or it cannot be used, and the history is kept in memory. */
  stateDir?: string;
  /** A state directory is wanted, and cannot be used: what is in memory does not count as kept. */
  isStopgap?: true;
  /** How long events and samples are kept. */
  days: number;
  /** How much of the disk they may use. */
  maxMegabytes: number;
}

/** Which events; absent: all. Of `udids`, `slots`, `usbPath` and `hub` the first that is given counts. */
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

export type PhoneSample = HistorySample & { udid: string };

/** In the order in which it happened. */
export type Change =
  | { kind: 'events'; events: readonly NewEvent[] }
  | { kind: 'samples'; samples: readonly PhoneSample[] }
  | { kind: 'renamed'; from: string; to: string }
  | { kind: 'forget'; udids: readonly string[] }
  /** The agent runs: so it does with any other change. */
  | { kind: 'alive' };

/** Who sends changes, and the number of these: what was written with a number is not written again. Numbers grow. */
export interface Sent {
  session: string;
  number: number;
}

/** Changes that are written together. `now`: what is too old by it is to be erased, ms since the epoch. */
export interface Write {
  changes: readonly Change[];
  sent: Sent;
  now?: number | undefined;
}

/** `kept`: in the file, or in memory where no file is wanted. `failed`: may be tried again; `dropped`: never can be written. */
export type Written = 'kept' | 'not kept' | 'failed' | 'dropped';

/** Events and samples in a change; others count as one. */
export function weightOf(change: Change): number {
  if (change.kind === 'events') return change.events.length;
  return change.kind === 'samples' ? change.samples.length : 1;
}

/** The history does not answer now. */
export class HistoryUnavailableError extends HostNodeError {
  readonly code = 'HISTORY_UNAVAILABLE';
}
