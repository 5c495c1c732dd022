import type { Facts } from '../facts/index.ts';
import type { RawAnswers } from './raw-answers.ts';
import type { SectionFailure } from './reading.ts';

/** All facts of a phone at one instant. Immutable. */
export interface Snapshot {
  readonly facts: Facts;
  /** When the facts of this round arrived, ms since the epoch. */
  readonly takenAt: number;
  /** The same for each section by its name: what rests is older than the round. */
  readonly sectionsTakenAt: Readonly<Record<string, number>>;
  /** When the uptime among them arrived, by the monotonic clock, ms: the boot time is counted from here. */
  readonly uptimeReadAt?: number;
  readonly failures: readonly SectionFailure[];
  /** Why the conversation ended before its last mark; the facts are then the last good ones, if there were any. */
  readonly broken?: string;
  /** Shell conversations that it took. */
  readonly conversations: number;
  /** With `keepAnswers` only. */
  readonly rawAnswers?: RawAnswers;
}
