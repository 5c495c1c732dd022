import type { ShellService } from './conversation.ts';
import type { Outcome } from './transcript.ts';

/** The commands of a round and what the phone printed, word for word. Holds identifiers: never logged. */
export interface RawAnswers {
  /** Absent when the connection ended before it was known. */
  service?: ShellService;
  /** By `section.command`, in the order sent. */
  answers: ReadonlyMap<string, RawAnswer>;
}

export interface RawAnswer {
  /** The shell text. */
  command: string;
  /** Absent when the conversation ended before. */
  outcome?: Outcome;
}
