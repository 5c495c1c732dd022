/** All findings about the host: each judge looks for its own codes. Pure. */
import type { Case, Judge } from './case.ts';
import { judgeExpected } from './expected.ts';
import { byWeight, type Finding } from './finding.ts';
import { judgeUsbLimits } from './usb-limits.ts';
import { judgeUsbPower } from './usb-power.ts';
import { judgeUsbSpeed } from './usb-speed.ts';
import { judgeUnlisted } from './usb-unlisted.ts';

export { type Case, JUDGED_MS, type Judge } from './case.ts';

/** One line for each judge. A judge imports its types from case.ts. */
const judges: readonly Judge[] = [judgeUsbSpeed, judgeUsbPower, judgeUsbLimits, judgeUnlisted, judgeExpected];

/** The worst first. */
export const judge = (given: Case): Finding[] => judges.flatMap((findings) => findings(given)).sort(byWeight);
