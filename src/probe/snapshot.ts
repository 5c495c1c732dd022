import type { Facts } from '../facts/index.ts';
import type { ShellService } from './conversation.ts';
import type { SectionFailure } from './section-results.ts';
import type { CommandOutcome } from './transcript.ts';

/** All facts of a phone at one instant. Immutable. */
export interface Snapshot {
  readonly facts: Facts;
  /** When the facts of this round arrived, ms since the epoch. */
  readonly takenAt: number;
  /** The same for each section by its name: one that was not due is older than the round. */
  readonly sectionsTakenAt: Readonly<Record<string, number>>;
  /** When the uptime among them arrived, by `uptimeMs`: the boot time is counted from here. */
  readonly uptimeReadAt?: number;
  readonly failures: readonly SectionFailure[];
  /** Why the conversation ended before its last mark; the facts are then the last good ones, if there were any. */
  readonly broken?: string;
  /** Shell conversations that it took. */
  readonly conversations: number;
  /** With `keepAnswers` only. */
  readonly rawAnswers?: RawAnswers;
}

/** The commands of a round and what the phone printed, word for word. Holds identifiers: never logged. */
export interface RawAnswers {
  /** Absent when the connection ended before it was known. */
  service?: ShellService;
  /** By `section.command`, in the order sent. */
  answers: ReadonlyMap<string, RawAnswer>;
}

export interface RawAnswer {
  command: string;
  /** Absent when the conversation ended before. */
  outcome?: CommandOutcome;
}
