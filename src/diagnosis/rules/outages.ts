/**
 * HOST_LOST_PHONES: all phones of a USB controller went at once, POWER_CUT: those of several hubs, or the host started
 * anew without having been stopped. Critical while phones are missing, however long, and until they have been back for a
 * while; then a notice that it happened, for a day. What happens again and again stays major for ten days. A note on the host, or on
 * a hub or shelf that lost phones, ends them.
 */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { byTime, spaced } from '../../base/moments.ts';
import { hubsAbove } from '../../history/events/where.ts';
import { placeInRoom } from '../../roster/slot-name.ts';
import { type Attribution, attributionOf } from '../losses/attribution.ts';
import { BY_PEOPLE, mayBeByHand } from '../losses/by-people.ts';
import { type Loss, stillMissing } from '../losses/loss.ts';
import { CALM_MS, ONE_EVENT_MS } from '../losses/repeat-offenders.ts';
import { attachByItself, remedyFor } from '../remedies.ts';
import { type Found, LOST, type Rule, type RuleContext } from '../rule.ts';
import { timesOrAgo } from '../words.ts';
import { isShort, LEAST_TIMES, leastAway, RESTARTED_MS, unscheduledOf } from './lost-at-once.ts';
import { isAtVirtualController } from './usb-view.ts';

/** What came back for a moment only is not over. */
const HOLDS_MS = 30 * MINUTE_MS;

/** Something that took many phones, or the host. */
interface Incident {
  kind: 'host' | 'room' | 'boot';
  at: number;
  ids: number[];
  losses: readonly Loss[];
}

const ACKNOWLEDGE = "; then `hostnode note host 'what it was'` ends this";

export const hostLostPhones: Rule = {
  code: 'HOST_LOST_PHONES',
  severity: 'critical',
  explains: [...LOST, 'HUB_LOST', 'EXPECTED_MISSING'],
  tellsPast: true,
  evaluate: (context) => {
    const { found, losses, when, ending } = goingOn(context, incidents(context, 'host')) ?? {};
    const isVirtual = losses?.some((loss) => isAtVirtualController(loss, context));
    return (
      found && {
        ...found,
        subject: { kind: 'host' },
        title: `All phones of the host’s USB controller were lost at once ${when}${ending}`,
        remedy: `${isVirtual ? attachByItself() : remedyFor.host}${ACKNOWLEDGE}`,
      }
    );
  },
};

export const powerCut: Rule = {
  code: 'POWER_CUT',
  severity: 'critical',
  explains: [...LOST, 'HOST_LOST_PHONES', 'HUB_LOST', 'EXPECTED_MISSING'],
  tellsPast: true,
  evaluate: (context) => {
    const all = [...incidents(context, 'room'), ...unplannedBoots(context)];
    const { found, when, ending, isOfHost } = goingOn(context, all) ?? {};
    if (!found) return undefined;
    if (!isOfHost)
      return {
        ...found,
        subject: { kind: 'room' },
        title: `Phones of several hubs were lost at once ${when}, as in a power cut${ending}`,
        remedy: `${remedyFor.room}${ACKNOWLEDGE}`,
      };
    return {
      ...found,
      subject: { kind: 'host' },
      title: `The host restarted ${when} without a shutdown, as in a power cut or a crash${ending}`,
      remedy: `Check the power strip, the fuse, the power supply of the host and what was plugged in last; read the end of the kernel log of before: after a crash try another kernel or BIOS setting, and test its memory; switch on, or plug in anew, what stays away${ACKNOWLEDGE}`,
    };
  },
};

/** What took many phones, once they would be back from a restart; that their controller left is seen. */
const incidents = (context: RuleContext, wanted: 'host' | 'room'): Incident[] =>
  unscheduledOf(context, wanted)
    .filter(
      ({ at, losses, isSeen }) =>
        isSeen || (context.now.at - at >= RESTARTED_MS && losses.length >= leastAway(context, at)),
    )
    .map(({ at, losses }) => ({ kind: wanted, at, ids: losses.map(({ id }) => id), losses }));

/** Whether somebody has written since what it was. */
function isNoted({ ids, losses }: Incident, { repairs }: Attribution): boolean {
  const isSince = (what: string) => (repairs.get(what) ?? -1) >= (ids.at(-1) ?? 0);
  return (
    isSince('host') ||
    losses.some(
      ({ where }) =>
        isSince(`slot ${placeInRoom(where.slot ?? '').band}`) ||
        hubsAbove(where).some((hub) => isSince(`hub ${hub}`)),
    )
  );
}

/** One finding for all that goes on since the last note: what is known of it, and its words. */
function goingOn(context: RuleContext, all: readonly Incident[]) {
  const { now } = context;
  const attribution = attributionOf(context);
  const sorted = all.filter((incident) => !isNoted(incident, attribution)).sort(byTime);
  const ownEvents = spaced(sorted, ONE_EVENT_MS);
  const [first] = sorted;
  const last = sorted.at(-1);
  const isAgain = ownEvents.length >= LEAST_TIMES;
  const isByHand = sorted.every((each) => each.kind !== 'boot' && mayBeByHand(each, attribution, 1));
  if (!first || !last) return undefined;
  if (isByHand && spaced(sorted.filter(isShort), ONE_EVENT_MS).length < LEAST_TIMES) return undefined;
  const losses = sorted.flatMap((incident) => incident.losses);
  const away = stillMissing(losses, now);
  // one or two of many that stay away have a cause of their own: a flat battery, or somebody who has taken them
  const isMissing = away.length >= leastAway(context, last.at) || away.length * 2 > losses.length;
  if (!isMissing && now.at - last.at > (isAgain ? CALM_MS : DAY_MS)) return undefined;
  const backAt = losses.reduce((latest, { back }) => Math.max(latest, back?.at ?? latest), last.at);
  const isOver = !isMissing && now.at - backAt >= HOLDS_MS;
  const allBack = away.length === 0 ? 'all are back' : `all but ${away.length} are back`;
  const found: Omit<Found, 'subject' | 'title' | 'remedy'> = {
    severity: !isOver ? 'critical' : isAgain ? 'major' : 'minor',
    certainty: 'likely',
    ...(isByHand && BY_PEOPLE),
    since: first.at,
    udids: [...new Set(losses.map(({ udid }) => udid))],
    evidence: sorted.flatMap(({ ids }) => ids),
  };
  return {
    found,
    losses,
    /** `2 h ago`, `3 times in 9 days`. */
    when: timesOrAgo(ownEvents, now.at),
    /** Completes the title. */
    ending: isMissing || losses.length === 0 ? '' : `; ${allBack}`,
    /** Only the host itself went. */
    isOfHost: sorted.every(({ kind }) => kind === 'boot'),
  };
}

/** With the phones that were there before the host went, and were not when the agent started. */
function unplannedBoots(context: RuleContext): Incident[] {
  const { losses, hostMarks } = attributionOf(context);
  return hostMarks
    .filter(({ isPowerCut }) => isPowerCut)
    .map((mark) => ({
      kind: 'boot',
      at: mark.at,
      ids: [mark.id],
      losses: losses.filter(({ cause }) => cause?.kind === 'start' && cause.mark === mark),
    }));
}
