/** All findings about the host: each judge looks for its own codes. Pure. */
import type { HistoryEvent, HistorySample } from '../history/event.ts';
import { byWeight, type Finding } from './finding.ts';
import type { HostPicture } from './picture.ts';

/** How far back the judgement looks, ms. */
export const JUDGED_MS = 30 * 86_400_000;

/** What a judge looks at. */
export interface Case {
  now: HostPicture;
  /** The last `JUDGED_MS`, oldest first by `id`. */
  events: readonly HistoryEvent[];
  /** Of one phone, oldest first: every five minutes within the last week, every hour before. */
  samplesOf(udid: string): readonly HistorySample[];
}

/** Looks for the findings of its codes. Pure; the case may be of a phone that lies. */
export type Judge = (given: Case) => Finding[];

/** One line for each judge. */
const judges: readonly Judge[] = [];

/** Of the judges that threw, by name: their findings are missing. */
export interface BrokenJudge {
  judge: string;
  error: Error;
}

const rethrow = ({ error }: BrokenJudge): void => {
  throw error;
};

/**
 * The worst first, without those that the lab does not want.
 *
 * @param onBroken called for a judge that throws, which costs its own codes only. Default: throws its error
 */
export function judge(given: Case, onBroken = rethrow, by = judges): Finding[] {
  const findings: Finding[] = [];
  for (const findingsOf of by)
    try {
      findings.push(...findingsOf(given));
    } catch (error) {
      onBroken({ judge: findingsOf.name, error: error instanceof Error ? error : new Error(String(error)) });
    }
  const off = given.now.setting?.off ?? [];
  return findings.filter(({ code }) => !off.includes(code)).sort(byWeight);
}
