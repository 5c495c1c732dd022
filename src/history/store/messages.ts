/** What is written into the history, and what goes between the agent and the thread that has its file open. */
import type { HistorySample, NewEvent } from '../events/event.ts';

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

export type PhoneSample = HistorySample & { udid: string };

/** In the order in which it happened. */
export type Change =
  | { kind: 'events'; events: readonly NewEvent[] }
  | { kind: 'samples'; samples: readonly PhoneSample[] }
  | { kind: 'renamed'; from: string; to: string }
  | { kind: 'forget'; udids: readonly string[] }
  /** The agent runs. */
  | { kind: 'alive'; at: number };

/** Changes that are written together, or not at all. */
export interface Batch {
  /** Of this run of the agent: what no other run has. */
  session: string;
  /** Counts up from 1. A batch that is sent again after it was written is not written twice. */
  number: number;
  changes: readonly Change[];
}

/** The history is to be brought within its bounds. `now`, ms since the epoch; absent: nothing is erased by its age. */
export interface Upkeep {
  now?: number | undefined;
}

/** What a thread is started with. */
export interface Beginning {
  settings: HistorySettings;
  /** This process has found the file to be whole, and closed it: finding that takes half a second for a large file. */
  isWhole: boolean;
  /** Time without work after which it ends, ms. */
  idleMs: number;
}

export type Request = { id: number } & (
  | { kind: 'ask'; name: string; argument: unknown }
  /** The answer is whether the batch is kept: on the disk, or in memory where no more is wanted. */
  | { kind: 'write'; batch: Batch; upkeep?: Upkeep }
  /** Other settings from now on. */
  | { kind: 'settings'; settings: HistorySettings }
  | { kind: 'close' }
);

export type Reply =
  /** The answer to the request with this `id`; `json` is absent where there is nothing to say. */
  | { kind: 'answer'; id: number; json: string | undefined }
  /** `mayRetry`: the same batch may be written later. */
  | { kind: 'failed'; id: number; message: string; mayRetry: boolean }
  /** To be logged. */
  | { kind: 'said'; level: 'info' | 'warn' | 'error'; message: string };

/** A thread that ended because it had nothing to do. */
export const IDLE_EXIT = 64;
