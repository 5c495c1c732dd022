/** What is written into the history, in the order in which it happened. */
import type { HistorySample, NewEvent } from '../events/event.ts';

export type PhoneSample = HistorySample & { udid: string };

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
