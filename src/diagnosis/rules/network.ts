/**
 * NETWORK_LOST: most phones of the network went within seconds and are still away; ends when most of them are back, or
 * after a week. NETWORK_UNSTABLE: that again and again, or its phones are lost one by one, most of them; ends after ten
 * days without, and with a note on the host.
 */

import type { Finding } from '../finding.ts';
import {
  beganAt,
  FORGOTTEN_MS,
  LEAST_AWAY,
  LEAST_TIMES,
  separate,
  unscheduled,
} from '../losses/attached-counts.ts';
import type { Accusation } from '../losses/attribution.ts';
import type { NetworkLoss } from '../losses/common-cause.ts';
import { stillMissing } from '../losses/loss.ts';
import { CALM_MS, type Suspect } from '../losses/repeat-offenders.ts';
import type { RuleInput } from '../rule-input.ts';
import { evidenceOf, lasting } from '../words.ts';

/** A script that restarts all phones says so meanwhile, and an access point that changes its channel is back. */
const SETTLES_MS = 60_000;

const LOOK = 'Check the Wi-Fi access point, the switch and the network cable of this host';
const subject = { kind: 'network' } as const;

export function network({ networkLosses, suspects, repairs }: Accusation, now: RuleInput): Finding[] {
  const unplanned = unscheduled(networkLosses);
  const noted = repairs.findLast(({ isOfHost }) => isOfHost)?.id ?? -1;
  const sinceNote = unplanned.filter(({ losses }) => (losses[0]?.id ?? 0) > noted);
  const again = unstableAtOnce(sinceNote, now);
  return [
    ...lostNow(unplanned.at(-1), now),
    ...(again.length > 0 ? again : suspects.flatMap(unstableOneByOne)),
  ];
}

function lostNow(last: NetworkLoss | undefined, now: RuleInput): Finding[] {
  if (last === undefined) return [];
  const { losses, had } = last;
  const away = stillMissing(losses, now);
  const since = beganAt(last);
  const age = now.at - since;
  if (away.length < LEAST_AWAY || away.length * 2 < losses.length) return [];
  if (age < SETTLES_MS || age > FORGOTTEN_MS) return [];
  const isAll = losses.length >= had;
  return [
    {
      code: 'NETWORK_LOST',
      severity: 'major',
      subject,
      certainty: isAll ? 'certain' : 'likely',
      title: `${isAll ? `All ${had}` : `${losses.length} of ${had}`} phones on the network were lost within ${lasting((losses.at(-1)?.at ?? since) - since)}, ${away.length} are still missing`,
      remedy: `${LOOK}; then connect the phones again with \`adb connect\``,
      since,
      udids: away.map(({ udid }) => udid),
      evidence: evidenceOf(losses.map(({ id }) => id)),
    },
  ];
}

function unstableAtOnce(networkLosses: readonly NetworkLoss[], now: RuleInput): Finding[] {
  const events = separate(networkLosses);
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last || events.length < LEAST_TIMES || now.at - beganAt(last) > CALM_MS) return [];
  const losses = networkLosses.flatMap((each) => each.losses);
  return [
    {
      ...unstable(losses),
      title: `The phones on the network were lost all at once, ${events.length} times in ${lasting(beganAt(last) - beganAt(first))}`,
    },
  ];
}

function unstableOneByOne({ kind, losses }: Suspect): Finding[] {
  const [first] = losses;
  const last = losses.at(-1);
  if (kind !== 'network' || !first || !last) return [];
  const phones = new Set(losses.map(({ udid }) => udid)).size;
  return [
    {
      ...unstable(losses),
      title: `${phones} phones on the network were lost one by one, ${losses.length} times in ${lasting(last.at - first.at)}`,
    },
  ];
}

const unstable = (losses: Suspect['losses']) => ({
  code: 'NETWORK_UNSTABLE' as const,
  severity: 'major' as const,
  subject,
  certainty: 'likely' as const,
  remedy: `${LOOK}; \`hostnode note host 'new access point'\` starts the count anew`,
  since: losses[0]?.at ?? 0,
  udids: [...new Set(losses.map(({ udid }) => udid))],
  evidence: evidenceOf(losses.map(({ id }) => id)),
});
