/** All findings about the host: each judge looks for its own codes. Pure. */
import { printable } from '../base/printable.ts';
import { byWeight, type Finding, findingKey } from './finding.ts';
import type { Judge, RuleContext } from './rule.ts';
import { judgeBattery } from './rules/battery.ts';
import { judgeExpected } from './rules/expected.ts';
import { judgeLosses } from './rules/lost-phones.ts';
import { judgeOffline } from './rules/offline.ts';
import { judgeReadiness } from './rules/readiness.ts';
import { judgeReboots } from './rules/reboots.ts';
import { judgeRoom } from './rules/room-temperature.ts';
import { judgeStorage } from './rules/storage.ts';
import { judgeUsbLimits } from './rules/usb-limits.ts';
import { judgeUsbPower } from './rules/usb-power.ts';
import { judgeUsbSpeed } from './rules/usb-speed.ts';
import { judgeUnlisted } from './rules/usb-unlisted.ts';

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
export function judge(context: RuleContext, onBroken = rethrow, by = judges): Finding[] {
  const findings: Finding[] = [];
  for (const findingsOf of by)
    try {
      findings.push(...findingsOf(context).map(harmless));
    } catch (error) {
      onBroken({ judge: findingsOf.name, error: error instanceof Error ? error : new Error(String(error)) });
    }
  const off = context.now.setting?.off ?? [];
  const wanted = findings.filter(({ code }) => !off.includes(code)).sort(byWeight);
  return [
    ...new Map(wanted.toReversed().map((finding) => [findingKey(finding), finding])).values(),
  ].toReversed();
}
