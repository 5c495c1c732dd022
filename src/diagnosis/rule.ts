/** What a judge gets and gives. */
import type { HistoryEvent, HistorySample, SampleFilter } from './events/event.ts';
import type { Finding } from './finding.ts';
import type { RuleInput } from './rule-input.ts';

/** How far back the judgement looks, ms. */
export const LOOK_BACK_MS = 30 * 86_400_000;

/** What a judge looks at. */
export interface RuleContext {
  now: RuleInput;
  /** The last `LOOK_BACK_MS`, oldest first by `id`. */
  events: readonly HistoryEvent[];
  /**
   * Of one phone since a moment, oldest first: every five minutes within the last week, every hour before. Each call
   * reads them from the disk: ask for few.
   */
  samplesOf(udid: string, since: number, only?: SampleFilter): readonly HistorySample[];
}

/** Looks for the findings of its codes. Pure; the case may be of a phone that lies. */
export type Judge = (context: RuleContext) => Finding[];
