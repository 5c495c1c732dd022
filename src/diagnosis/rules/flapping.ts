/** FLAPPING: a phone was lost five times within an hour, for no cause that it shares. Ends an hour after its last loss. */
import { HOUR_MS } from '../../base/calendar.ts';
import type { Finding } from '../finding.ts';
import type { Accusation } from '../losses/attribution.ts';
import type { Loss } from '../losses/loss-group.ts';
import type { RuleInput } from '../rule-input.ts';
import { evidenceOf, lasting, namesOf } from '../words.ts';

/** Who sets up a phone plugs it three or four times. */
const LEAST_LOSSES = 5;

export function flapping({ losses, causeOf }: Accusation, now: RuleInput): Finding[] {
  const known = new Set(now.phones.filter((phone) => !phone.isInMaintenance).map(({ udid }) => udid));
  const name = namesOf(now);
  const own = losses.filter((loss) => causeOf.get(loss)?.kind === 'own' && known.has(loss.udid));
  return [...Map.groupBy(own, ({ udid }) => udid)].flatMap(([udid, ofPhone]): Finding[] => {
    const begin = startOfLastRun(ofPhone.map(({ at }) => at));
    const run = ofPhone.slice(begin);
    const [first] = run;
    const last = run.at(-1);
    if (!first || !last || now.at - last.at > HOUR_MS || !isDense(run.map(({ at }) => at))) return [];
    return [
      {
        code: 'FLAPPING',
        severity: 'major',
        subject: { kind: 'phone', key: udid },
        certainty: 'certain',
        title: `${name(udid)} was lost ${run.length} times in ${lasting(last.at - first.at)}`,
        remedy: remedyOf(last),
        since: first.at,
        udids: [udid],
        evidence: evidenceOf(run.map(({ id }) => id)),
      },
    ];
  });
}

function remedyOf({ port, isEmulator }: Loss): string {
  if (isEmulator) return 'Look in the log of the emulator why it ends';
  return port === undefined
    ? 'Check the Wi-Fi at the phone, or connect it by USB'
    : 'Replace the cable, or move the phone to another port';
}

/** Where the losses begin that follow each other within an hour. */
function startOfLastRun(times: readonly number[]): number {
  let begin = times.length - 1;
  while (begin > 0 && Math.abs((times[begin] ?? 0) - (times[begin - 1] ?? 0)) <= HOUR_MS) begin -= 1;
  return Math.max(0, begin);
}

const isDense = (times: readonly number[]): boolean =>
  times.some((at, index) => {
    const end = times[index + LEAST_LOSSES - 1];
    return end !== undefined && end - at <= HOUR_MS;
  });
