/** What a judge gets and gives. */
import type { HistoryEvent, HistorySample, SampleFilter } from '../history/event.ts';
import type { Finding } from './finding.ts';
import type { HostPicture } from './picture.ts';

/** How far back the judgement looks, ms. */
export const JUDGED_MS = 30 * 86_400_000;

/** What a judge looks at. */
export interface Case {
  now: HostPicture;
  /** The last `JUDGED_MS`, oldest first by `id`. */
  events: readonly HistoryEvent[];
  /**
   * Of one phone since a moment, oldest first: every five minutes within the last week, every hour before. Each call
   * reads them from the disk: ask for few.
   */
  samplesOf(udid: string, since: number, only?: SampleFilter): readonly HistorySample[];
}

/** Looks for the findings of its codes. Pure; the case may be of a phone that lies. */
export type Judge = (given: Case) => Finding[];
