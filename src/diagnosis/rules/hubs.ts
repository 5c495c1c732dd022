/**
 * HUB_LOST: the phones of one hub went within seconds and are still away; ends when most of them are attached again, at
 * whatever port, or after a week. HUB_UNSTABLE: the same hub again and again, or it loses its phones one by one, far more
 * than other hubs; ends after ten days without, and
 * with a note on the hub, or on one above it.
 */
import { sentence } from '../../base/words.ts';
import { type Finding, findingKey } from '../finding.ts';
import {
  beganAt,
  FORGOTTEN_MS,
  LEAST_AWAY,
  LEAST_TIMES,
  separate,
  unscheduled,
} from '../losses/attached-counts.ts';
import type { Accusation } from '../losses/attribution.ts';
import type { HubLoss } from '../losses/common-cause.ts';
import { stillMissing } from '../losses/loss.ts';
import type { Loss } from '../losses/loss-group.ts';
import { CALM_MS, type Suspect } from '../losses/repeat-offenders.ts';
import { hubsAbove, isWithin } from '../places.ts';
import type { RuleInput } from '../rule-input.ts';
import { andNote, evidenceOf, hubName, hubPath, lasting } from '../words.ts';

/** Phones that a script restarts go together, too; the others of the host then follow within this time. */
const SETTLES_MS = 10_000;
/** Where phones of other places went as well, so long: the fastest phones are back from a restart then. */
const SETTLES_WITH_COMPANY_MS = 60_000;

const remedy = (certain: boolean) =>
  certain
    ? 'Check the hub’s power supply and its cable to the host; replace the hub if both are good'
    : 'Check the power supply and the cable of the hub';

export function hubs({ hubLosses, suspects, repairs }: Accusation, now: RuleInput): Finding[] {
  const unplanned = [...Map.groupBy(hubLosses, ({ hub }) => hub).values()].flatMap(unscheduled);
  const noted = new Map(repairs.flatMap(({ hub, id }) => (hub === undefined ? [] : [[hub, id]])));
  const isBeforeNote = ({ hub, losses }: HubLoss) =>
    hubsAbove({ hub }).some((above) => (noted.get(above) ?? -1) > (losses[0]?.id ?? 0));
  const sinceNote = unplanned.filter((loss) => !isBeforeNote(loss));
  const atOnce = again(sinceNote, now);
  const told = new Set(atOnce.map(findingKey));
  const oneByOne = suspects.flatMap(unstableOneByOne).filter((finding) => !told.has(findingKey(finding)));
  return [...lostNow(unplanned, now), ...atOnce, ...oneByOne];
}

function lostNow(hubLosses: readonly HubLoss[], now: RuleInput): Finding[] {
  const lastOf = new Map(hubLosses.map((loss) => [loss.hub, loss]));
  return [...lastOf.values()].flatMap((loss): Finding[] => {
    const away = stillMissing(loss.losses, now);
    const since = beganAt(loss);
    const age = now.at - since;
    const settlesMs = loss.hasCompany ? SETTLES_WITH_COMPANY_MS : SETTLES_MS;
    if (away.length < LEAST_AWAY || away.length * 2 < loss.losses.length) return [];
    if (age < settlesMs || age > FORGOTTEN_MS) return [];
    const isWhole = loss.losses.length >= loss.had;
    return [
      {
        code: 'HUB_LOST',
        severity: 'major',
        subject: { kind: 'hub', key: loss.hub },
        certainty: isWhole ? 'certain' : 'likely',
        title: `${isWhole ? `All ${loss.had}` : `${loss.losses.length} of ${loss.had}`} phones of ${hubName(loss.hub, loss.losses)} were lost within ${lasting((loss.losses.at(-1)?.at ?? since) - since)}, ${away.length} are still missing`,
        remedy: remedy(true),
        since,
        udids: away.map(({ udid }) => udid),
        evidence: evidenceOf(loss.losses.map(({ id }) => id)),
      },
    ];
  });
}

function again(hubLosses: readonly HubLoss[], now: RuleInput): Finding[] {
  const keys = [...new Set(hubLosses.map(({ hub }) => hub))].sort((one, other) => one.length - other.length);
  const told: string[] = [];
  return keys.flatMap((hub): Finding[] => {
    if (told.some((above) => isWithin(hub, above))) return [];
    const ofHub = hubLosses
      .filter((loss) => isWithin(loss.hub, hub))
      .sort((one, other) => beganAt(one) - beganAt(other));
    const events = separate(ofHub);
    const [first] = events;
    const last = events.at(-1);
    if (!first || !last || events.length < LEAST_TIMES || now.at - beganAt(last) > CALM_MS) return [];
    told.push(hub);
    const losses = ofHub.flatMap((each) => each.losses);
    return [
      {
        ...unstable(hub, losses),
        title: `${sentence(hubName(hub, losses))} lost phones all at once, ${events.length} times in ${lasting(beganAt(last) - beganAt(first))}`,
      },
    ];
  });
}

function unstableOneByOne({ kind, key, losses }: Suspect): Finding[] {
  const [first] = losses;
  const last = losses.at(-1);
  if (kind !== 'hub' || !first || !last) return [];
  const phones = new Set(losses.map(({ udid }) => udid)).size;
  return [
    {
      ...unstable(key, losses),
      title: `${sentence(hubName(key, losses))} lost ${phones} phones one by one, ${losses.length} times in ${lasting(last.at - first.at)}, far more than other hubs`,
    },
  ];
}

const unstable = (hub: string, losses: readonly Loss[]) => ({
  code: 'HUB_UNSTABLE' as const,
  severity: 'major' as const,
  subject: { kind: 'hub', key: hub } as const,
  certainty: 'likely' as const,
  remedy: `Replace the hub’s power supply and its cable to the host ${andNote(hubPath(hub, losses), 'new power supply')}; if it goes on, replace the hub`,
  since: losses[0]?.at ?? 0,
  udids: [...new Set(losses.map(({ udid }) => udid))],
  evidence: evidenceOf(losses.map(({ id }) => id)),
});
