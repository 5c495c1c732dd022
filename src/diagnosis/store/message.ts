/** What goes between the agent and the thread of the history. */
import type { Batch } from './change.ts';

export interface HistorySettings {
  /** The state directory. Absent: none is wanted, or it cannot be used, and the history is kept in memory. */
  stateDir?: string;
  /** A state directory is wanted, and cannot be used: memory is a stopgap, and what is there does not count as kept. */
  isStopgap?: true;
  /** How long events and samples are kept. */
  days: number;
  /** How much of the disk they may use. */
  maxMegabytes: number;
}

/**
 * Where a batch was written to: `disk`, `memory` where that is all that is wanted, or `stopgap`: memory in place of a
 * disk that cannot be used.
 */
export type Written = 'disk' | 'memory' | 'stopgap';

/** It lasts as long as it was meant to. */
export const isKept = (written: Written | undefined): boolean => written === 'disk' || written === 'memory';

/** What a thread is started with. */
export interface Beginning {
  settings: HistorySettings;
  /** From the thread before, which was ended because it had nothing to do: the answer to `rest`. */
  handedOver?: string;
}

export type Request = { id: number } & (
  | { kind: 'ask'; name: string; argument: unknown }
  | { kind: 'write'; batch: Batch }
  /** Other settings from now on. */
  | { kind: 'settings'; settings: HistorySettings }
  /** It has nothing to do: it closes the file. The answer is for the next thread; undefined: it must go on. */
  | { kind: 'rest' }
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
