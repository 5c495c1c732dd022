/** ADB_RESTARTING: five restarts of the adb server within a day; ends when fewer lie within the last day. */
import { DAY_MS } from '../../base/calendar.ts';
import { sentence } from '../../base/words.ts';
import type { Finding } from '../finding.ts';
import type { Accusation } from '../losses/attribution.ts';
import type { RuleInput } from '../rule-input.ts';
import { evidenceOf, lasting, times } from '../words.ts';

/** A server that is replaced is lost, back and another one: one restart. */
const ONE_RESTART_MS = 60_000;
/** Each night once, and an engineer who restarts it three times, are no fault. */
const LEAST_RESTARTS = 5;

export function adbRestarting({ hostMarks }: Accusation, now: RuleInput): Finding[] {
  const recent = hostMarks.filter(({ kind, at }) => kind === 'adb' && now.at - at <= DAY_MS);
  const restarts = recent.filter(
    ({ at }, index) => index === 0 || Math.abs(at - (recent[index - 1]?.at ?? at)) > ONE_RESTART_MS,
  );
  const [first] = restarts;
  const last = restarts.at(-1);
  if (!first || !last || restarts.length < LEAST_RESTARTS) return [];
  return [
    {
      code: 'ADB_RESTARTING',
      severity: 'major',
      subject: { kind: 'host' },
      certainty: 'certain',
      title: sentence(`the adb server restarted ${times(restarts.length)} in ${lasting(last.at - first.at)}`),
      remedy: 'Find which program runs `adb kill-server` or another version of adb on this host, and stop it',
      since: first.at,
      udids: [],
      evidence: evidenceOf(recent.map(({ id }) => id)),
    },
  ];
}
