/** All findings about the host: each judge looks for its own codes. Pure. */
import { printable } from '../base/printable.ts';
import { judgeBattery } from './battery.ts';
import type { Case, Judge } from './case.ts';
import { judgeExpected } from './expected.ts';
import { byWeight, type Finding, findingKey } from './finding.ts';
import { judgeLosses } from './losses.ts';
import { judgeOffline } from './offline.ts';
import { judgeReadiness } from './readiness.ts';
import { judgeReboots } from './reboots.ts';
import { judgeRoom } from './room.ts';
import { judgeStorage } from './storage.ts';
import { judgeUsbLimits } from './usb-limits.ts';
import { judgeUsbPower } from './usb-power.ts';
import { judgeUsbSpeed } from './usb-speed.ts';
import { judgeUnlisted } from './usb-unlisted.ts';

/** One line for each judge. A judge imports its types from case.ts. */
const judges: readonly Judge[] = [
  judgeLosses,
  judgeReboots,
  judgeOffline,
  judgeUsbSpeed,
  judgeUsbPower,
  judgeUsbLimits,
  judgeUnlisted,
  judgeBattery,
  judgeStorage,
  judgeRoom,
  judgeReadiness,
  judgeExpected,
];

/** Of the judges that threw, by name: their findings are missing. */
export interface BrokenJudge {
  judge: string;
  error: Error;
}

const rethrow = ({ error }: BrokenJudge): void => {
  throw error;
};

/** Names in it are a phone's own words. */
const harmless = (finding: Finding): Finding => ({
  ...finding,
  title: printable(finding.title),
  remedy: printable(finding.remedy),
});

/**
 * The worst first, one for each code and subject, without those that the lab does not want.
 *
 * @param onBroken called for a judge that throws, which costs its own codes only. Default: throws its error
 */
export function judge(given: Case, onBroken = rethrow, by = judges): Finding[] {
  const findings: Finding[] = [];
  for (const findingsOf of by)
    try {
      findings.push(...findingsOf(given).map(harmless));
    } catch (error) {
      onBroken({ judge: findingsOf.name, error: error instanceof Error ? error : new Error(String(error)) });
    }
  const off = given.now.setting?.off ?? [];
  const wanted = findings.filter(({ code }) => !off.includes(code)).sort(byWeight);
  return [
    ...new Map(wanted.toReversed().map((finding) => [findingKey(finding), finding])).values(),
  ].toReversed();
}
