/** What goes between the agent and the thread of the history. */
import type { Batch } from './change.ts';

export interface HistorySettings {
  /** The state directory. Absent: there is none, and the history is kept in memory. */
  stateDir?: string;
  /** How long events and samples are kept. */
  days: number;
  /** How much of the disk they may use. */
  maxMegabytes: number;
}

/** Where a batch was written to. In memory it lasts as long as the agent. */
export type Written = 'disk' | 'memory';

export type Request = { id: number } & (
  | { kind: 'ask'; name: string; argument: unknown }
  | { kind: 'write'; batch: Batch }
  /** Other settings from now on. */
  | { kind: 'settings'; settings: HistorySettings }
  | { kind: 'close' }
);

export type Reply =
  /** The answer to the request with this `id`; `json` is absent where there is nothing to say. */
  | { kind: 'answer'; id: number; json: string | undefined }
  | { kind: 'failed'; id: number; failure: Failure }
  /** To be logged. */
  | { kind: 'said'; level: 'info' | 'warn' | 'error'; message: string };

export interface Failure {
  message: string;
  /** The same batch may be written later. */
  mayRetry: boolean;
}
