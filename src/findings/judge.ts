/** All findings about the host: each judge looks for its own codes. Pure. */
import type { HistoryEvent, HistorySample } from '../history/event.ts';
import { judgeExpected } from './expected.ts';
import { byWeight, type Finding } from './finding.ts';
import type { HostPicture } from './picture.ts';
import { judgeUsbLimits } from './usb-limits.ts';
import { judgeUsbPower } from './usb-power.ts';
import { judgeUsbSpeed } from './usb-speed.ts';
import { judgeUnlisted } from './usb-unlisted.ts';

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
const judges: readonly Judge[] = [judgeUsbSpeed, judgeUsbPower, judgeUsbLimits, judgeUnlisted, judgeExpected];

/** The worst first. */
export const judge = (given: Case): Finding[] => judges.flatMap((findings) => findings(given)).sort(byWeight);
