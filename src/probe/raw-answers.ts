import type { ShellService } from './conversation.ts';
import type { Outcome } from './transcript.ts';

/** What a phone was asked in a round and what it printed, word for word. Holds identifiers: never logged. */
export interface RawAnswers {
  /** Absent when the phone let go before it was clear. */
  service?: ShellService;
  /** By `section.command`, in the order asked. */
  answers: ReadonlyMap<string, RawAnswer>;
}

export interface RawAnswer {
  /** The shell text. */
  command: string;
  /** Absent when the conversation ended before. */
  outcome?: Outcome;
}
