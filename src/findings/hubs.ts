/**
 * HUB_LOST: the phones of one hub went within seconds and are still away; ends when most of them are attached again, at
 * whatever port, or after a week. HUB_UNSTABLE: the same hub again and again; ends after ten days without, and
 * with a note on the hub, or on one above it.
 */
import { MINUTE_MS } from '../base/milliseconds.ts';
import { sentence } from '../base/sentence.ts';
import type { Accusation } from './blame.ts';
import type { HubLoss } from './common-cause.ts';
import type { Finding } from './finding.ts';
import { scheduled } from './habit.ts';
import { stillAway } from './loss.ts';
import type { HostPicture } from './picture.ts';
import { hubsAbove, isWithin } from './places.ts';
import { CALM_MS } from './suspects.ts';
import { AND_NOTE, evidenceOf, hubName, lasting } from './words.ts';

/** A hub with fewer phones away is not told from somebody who unplugs two with both hands. */
const LEAST_AWAY = 3;
/** Phones that a script restarts go together, too; the others of the host then follow within this time. */
const SETTLES_MS = 10_000;
/** Where phones of other places went as well, so long: the fastest phones are back from a restart then. */
const SETTLES_WITH_COMPANY_MS = 60_000;
/** Whoever leaves a dead hub for a week has taken it out of use. */
const FORGOTTEN_MS = 7 * 86_400_000;
/** Losses of a hub so soon after each other are one event: somebody works on its cable. */
const ONE_EVENT_MS = 2 * MINUTE_MS;
/** Once is a cable that somebody pulled, twice chance. */
const LEAST_TIMES = 3;
/** A timer switches within this time of its setting. */
const TIMER_MS = 15 * MINUTE_MS;

const remedy = (certain: boolean) =>
  certain
    ? 'Check the hub’s power supply and its cable to the host; replace the hub if both are good'
    : 'Check the power supply and the cable of the hub';

export function hubs({ hubLosses, repairs }: Accusation, now: HostPicture): Finding[] {
  const unplanned = unscheduled(hubLosses);
  const noted = new Map(repairs.flatMap(({ hub, id }) => (hub === undefined ? [] : [[hub, id]])));
  const isBeforeNote = ({ hub, losses }: HubLoss) =>
    hubsAbove({ hub }).some((above) => (noted.get(above) ?? -1) > (losses[0]?.id ?? 0));
  const sinceNote = unplanned.filter((loss) => !isBeforeNote(loss));
  return [...lostNow(unplanned, now), ...again(sinceNote, now)];
}

/** Without those that happen each day at the same time: a timer, or somebody who switches the rack off. */
function unscheduled(hubLosses: readonly HubLoss[]): HubLoss[] {
  return [...Map.groupBy(hubLosses, ({ hub }) => hub).values()].flatMap((ofHub) => {
    const onSchedule = scheduled(ofHub.map(beganAt), TIMER_MS);
    return ofHub.filter((loss) => !onSchedule.has(beganAt(loss)));
  });
}

const beganAt = ({ losses }: HubLoss): number => losses[0]?.at ?? 0;

function lostNow(hubLosses: readonly HubLoss[], now: HostPicture): Finding[] {
  const lastOf = new Map(hubLosses.map((loss) => [loss.hub, loss]));
  return [...lastOf.values()].flatMap((loss): Finding[] => {
    const away = stillAway(loss.losses, now);
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

function again(hubLosses: readonly HubLoss[], now: HostPicture): Finding[] {
  const keys = [...new Set(hubLosses.map(({ hub }) => hub))].sort((one, other) => one.length - other.length);
  const told: string[] = [];
  return keys.flatMap((hub): Finding[] => {
    if (told.some((above) => isWithin(hub, above))) return [];
    const ofHub = hubLosses
      .filter((loss) => isWithin(loss.hub, hub))
      .sort((one, other) => beganAt(one) - beganAt(other));
    const events = ofHub.filter(
      (loss, index) => index === 0 || beganAt(loss) - beganAt(ofHub[index - 1] ?? loss) > ONE_EVENT_MS,
    );
    const [first] = events;
    const last = events.at(-1);
    if (!first || !last || events.length < LEAST_TIMES || now.at - beganAt(last) > CALM_MS) return [];
    told.push(hub);
    const losses = ofHub.flatMap((each) => each.losses);
    return [
      {
        code: 'HUB_UNSTABLE',
        severity: 'major',
        subject: { kind: 'hub', key: hub },
        certainty: 'likely',
        title: `${sentence(hubName(hub, losses))} lost phones all at once, ${events.length} times in ${lasting(beganAt(last) - beganAt(first))}`,
        remedy: `Replace the hub’s power supply and its cable to the host ${AND_NOTE}; if it goes on, replace the hub`,
        since: beganAt(first),
        udids: [...new Set(losses.map(({ udid }) => udid))],
        evidence: evidenceOf(losses.map(({ id }) => id)),
      },
    ];
  });
}
