/**
 * The phones of one hub, or those of the network, that are lost at once. HUB_LOST, NETWORK_LOST: they are still away; ends
 * when most of them are attached again, at whatever port, or after ten days. HUB_UNSTABLE, NETWORK_UNSTABLE: that again and
 * again, or its phones are lost one by one, far more than others; ends after ten days without, and with a note on the hub,
 * one above it, or on the host for the network.
 */
import { MINUTE_MS } from '../../base/calendar.ts';
import { areDense, spaced } from '../../base/moments.ts';
import { quantity, sentence } from '../../base/words.ts';
import { hubsAbove } from '../../history/events/where.ts';
import { once } from '../context.ts';
import { attributionOf } from '../losses/attribution.ts';
import {
  AT_WORK_MS,
  BY_PEOPLE,
  byHands,
  isBeyondHands,
  mayAllBeByPeople,
  mayBeByHand,
  NO_HAND,
} from '../losses/by-people.ts';
import { areTooBrief, backAt, type Lost, type PlaceLoss, ROUTINE_MS, stillMissing } from '../losses/loss.ts';
import { CALM_MS, ONE_EVENT_MS } from '../losses/repeat-offenders.ts';
import { remedyFor } from '../remedies.ts';
import { type Found, LOST, type Rule, type RuleContext } from '../rule.ts';
import type { RuleInput } from '../rule-input.ts';
import { andNote, hubName, hubPath, shownBy, spanOf, timesIn } from '../words.ts';

/** With fewer phones away it may be somebody who unplugs two with both hands; where nobody is, two are enough. */
export const leastAway = (context: RuleContext, at: number): number =>
  attributionOf(context).isAttended(at) ? 3 : 2;
/** Once is a cable that somebody pulled, twice chance. */
export const LEAST_TIMES = 3;

/** Losses at once of each hub, of the network, or of what took several hubs, without those by people or on a schedule. */
const unscheduled = once((context): PlaceLoss[] => {
  const { placeLosses, onSchedule } = attributionOf(context);
  const ofHubs = placeLosses.filter(({ kind }) => kind !== 'network');
  const taken = byHands(
    ofHubs.filter((loss) => !isBeyondHands(loss)),
    attributionOf(context),
  );
  // a hub with too little power drops its phones for seconds, by day, when they are used
  const areBlinks = areTooBrief(firstsOf(taken.filter(({ kind }) => kind === 'hub')));
  const byThem = new Set(areBlinks ? taken.filter(({ kind }) => kind !== 'hub') : taken);
  return placeLosses.filter((loss) => !byThem.has(loss) && !onSchedule.has(loss));
});

const firstsOf = (some: readonly PlaceLoss[]) =>
  some.flatMap(({ losses }) => losses.find(({ back }) => back) ?? losses[0] ?? []);

export const unscheduledOf = (context: RuleContext, wanted: PlaceLoss['kind']): PlaceLoss[] =>
  unscheduled(context).filter(({ kind }) => kind === wanted);

/** Undefined where most of them are back, or have been away for so long that nobody waits for them. */
function stillLost(
  loss: PlaceLoss,
  place: string,
  context: RuleContext,
): Omit<Found, 'subject' | 'remedy'> | undefined {
  const { now } = context;
  const { losses, had, isSeen } = loss;
  const away = stillMissing(losses, now);
  if (away.length < (isSeen ? 1 : leastAway(context, loss.at)) || away.length * 2 < losses.length)
    return undefined;
  // whoever leaves them dead for so long has taken them out of use
  if (now.at - loss.at > CALM_MS) return undefined;
  const isWhole = losses.length >= had;
  return {
    ...shownBy(losses),
    certainty: isWhole ? 'certain' : 'likely',
    title: `${isWhole ? `All ${had}` : `${losses.length} of ${had}`} phones ${place} were lost within ${spanOf(losses)}, ${away.length} are still missing`,
    udids: away.map(({ udid }) => udid),
  };
}

/** So far, if it has not ended: a hub that fails at last was lost for moments before. */
export const isShort = (loss: Lost): boolean => (backAt(loss) ?? loss.at) - loss.at < ROUTINE_MS;

/** How often they were lost at once: `3 times in 9 days`; undefined where that is too seldom, or long ago. */
function howOften(sorted: readonly PlaceLoss[], now: RuleInput, gapMs = ONE_EVENT_MS): string | undefined {
  const events = spaced(sorted.filter(isShort), gapMs);
  const last = events.at(-1);
  if (!last || events.length < LEAST_TIMES || now.at - last.at > CALM_MS) return undefined;
  return timesIn(events);
}

export const hubLost: Rule = {
  code: 'HUB_LOST',
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG', 'EXPECTED_MISSING'],
  /** Phones that a script restarts go together, too; the others of the host then follow within this time. */
  settleMs: 10_000,
  evaluate: (context) => {
    const lastOf = new Map(unscheduledOf(context, 'hub').map((loss) => [loss.hub, loss]));
    const unstable = new Map(hubsAtOnce(context).map(({ hub, isByPeople }) => [hub, isByPeople]));
    return [...lastOf.values()].map((loss): Found | undefined => {
      const { hub, losses, had, isSeen } = loss;
      const lost = stillLost(loss, `of ${hubName(hub, losses)}`, context);
      const isByHand = unstable.get(hub) !== false && mayBeByHand(loss, attributionOf(context));
      // that it is unplugged is said of the present, to whoever knows
      if (lost === undefined || isByHand) return undefined;
      const name = sentence(hubName(hub, losses));
      const gone = `${losses.length} of ${quantity(had, 'phone')}`;
      return {
        ...lost,
        ...(isSeen && { certainty: 'certain', title: `${name} left USB, with ${gone}` }),
        subject: { kind: 'hub', key: hub },
        remedy: remedyFor.hub,
        ...(mayBeRestarted(loss, context) && { settleMs: RESTARTED_MS }),
      };
    });
  },
};

export const hubUnstable: Rule = {
  code: 'HUB_UNSTABLE',
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'PORT_UNSTABLE', 'OFFLINE_LONG'],
  tellsPast: true,
  evaluate: (context) => {
    const atOnce = hubsAtOnce(context);
    const found = new Set(atOnce.map(({ hub }) => hub));
    const oneByOne = attributionOf(context).offenders.flatMap(({ kind, key: hub, losses }) => {
      if (kind !== 'hub' || found.has(hub)) return [];
      const phones = new Set(losses.map(({ udid }) => udid)).size;
      const happened = `${phones} phones one by one, ${timesIn(losses)}, far more than other hubs`;
      return [{ hub, losses, happened, isByPeople: mayAllBeByPeople(losses, attributionOf(context)) }];
    });
    return [...atOnce, ...oneByOne].map(({ hub, losses, happened, isByPeople }) => ({
      ...shownBy(losses),
      subject: { kind: 'hub', key: hub },
      certainty: 'likely',
      ...(isByPeople && BY_PEOPLE),
      title: `${sentence(hubName(hub, losses))} lost ${happened}`,
      remedy: `Check, then replace, the hub’s power supply and its cable to the host ${andNote(hubPath(hub, losses), 'new power supply')}; if it goes on, plug the hub into another port of the host, without extension; turn off USB power saving; use another hub, none, or fewer phones on it`,
    }));
  },
};

/** Most phones are back from a restart by then, also from that of an update, and say so. */
export const RESTARTED_MS = 5 * MINUTE_MS;

/** What goes so soon before or after has the same cause. */
const COMPANY_MS = 60_000;

/** Other phones went as well, or USB shows that the hub stayed. */
const mayBeRestarted = ({ at, losses }: PlaceLoss, context: RuleContext): boolean =>
  losses.every(({ usb }) => usb?.gone === 'phone') ||
  attributionOf(context).losses.some(
    (other) => Math.abs(other.at - at) <= COMPANY_MS && !losses.some(({ udid }) => udid === other.udid),
  );

/** The hubs that lost phones at once again and again since the last note. `happened` completes `Hub 1-4 lost …`. */
const hubsAtOnce = once((context) => {
  const attribution = attributionOf(context);
  const isNoted = ({ hub, losses }: PlaceLoss) =>
    hubsAbove({ hub }).some(
      (above) => (attribution.repairs.get(`hub ${above}`) ?? -1) > (losses[0]?.id ?? 0),
    );
  const hubLosses = unscheduledOf(context, 'hub').filter((loss) => !isNoted(loss));
  return [...Map.groupBy(hubLosses, ({ hub }) => hub)].flatMap(([hub, ofHub]) => {
    const isDense = areDense(ofHub.filter(isShort), NO_HAND);
    const isByPeople =
      !isDense && !areTooBrief(firstsOf(ofHub)) && ofHub.every((each) => mayBeByHand(each, attribution, 1));
    const gapMs = isDense ? 0 : isByPeople ? AT_WORK_MS : ONE_EVENT_MS;
    const often = howOften(ofHub, context.now, gapMs);
    if (often === undefined) return [];
    const losses = ofHub.flatMap((each) => each.losses);
    return [{ hub, losses, happened: `phones all at once, ${often}`, isByPeople }];
  });
});

export const networkLost: Rule = {
  code: 'NETWORK_LOST',
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG', 'EXPECTED_MISSING'],
  /** Phones that a script, or their own plan, restarts have said so by then; an access point that changes its channel is back. */
  settleMs: 3 * MINUTE_MS,
  evaluate: (context) => {
    const last = unscheduledOf(context, 'network').at(-1);
    const lost = last && stillLost(last, 'on the network', context);
    if (lost === undefined) return undefined;
    const remedy = `${remedyFor.network}; then \`adb connect\` the phones, perhaps to other addresses`;
    return { ...lost, subject: { kind: 'network' }, remedy };
  },
};

export const networkUnstable: Rule = {
  code: 'NETWORK_UNSTABLE',
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'LINK_UNSTABLE', 'OFFLINE_LONG'],
  tellsPast: true,
  evaluate: (context) => {
    const { repairs, offenders } = attributionOf(context);
    const noted = repairs.get('host') ?? -1;
    const sinceNote = unscheduledOf(context, 'network').filter(({ losses }) => (losses[0]?.id ?? 0) > noted);
    const often = howOften(sinceNote, context.now);
    const oneByOne = offenders.find(({ kind }) => kind === 'network')?.losses ?? [];
    const losses = often === undefined ? oneByOne : sinceNote.flatMap((each) => each.losses);
    if (losses.length === 0) return undefined;
    const phones = new Set(losses.map(({ udid }) => udid)).size;
    return {
      ...shownBy(losses),
      subject: { kind: 'network' },
      certainty: 'likely',
      title:
        often === undefined
          ? `${phones} phones on the network were lost one by one, ${timesIn(losses)}`
          : `The phones on the network were lost all at once, ${often}`,
      remedy: `${remedyFor.network}; \`hostnode note host 'new access point'\` starts the count anew`,
    };
  },
};
