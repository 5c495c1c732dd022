/**
 * HOST_LOST_PHONES: all phones of a USB controller went at once, POWER_CUT: those of several hubs, or the host started
 * anew without having been stopped. Both end after a day; after ten days, if it happened twice or more.
 * ADB_RESTARTING: five restarts of the adb server within a day; ends when fewer lie within the last day.
 */
import { DAY_MS } from '../base/milliseconds.ts';
import { sentence } from '../base/sentence.ts';
import type { HistoryEvent } from '../history/event.ts';
import type { Accusation } from './blame.ts';
import { NETWORK } from './burst.ts';
import type { Case } from './case.ts';
import type { Outage } from './common-cause.ts';
import type { Finding } from './finding.ts';
import { steadily } from './steady.ts';
import { CALM_MS } from './suspects.ts';
import { evidenceOf, lasting, times } from './words.ts';

/** The fastest phones are back from a restart by a script then, and say so. */
const SETTLES_MS = 60_000;
/** A server that is replaced is lost, back and another one: one restart. */
const ONE_RESTART_MS = 60_000;
/** Each night once, and an engineer who restarts it three times, are no fault. */
const LEAST_RESTARTS = 5;
/** What is happening again lasts as other findings do. */
const LEAST_AGAIN = 2;

/** Something that took many phones, or the host. */
interface Incident {
  at: number;
  ids: number[];
  udids: string[];
}

export function outages({ outages: all }: Accusation, { now, events }: Case): Finding[] {
  const settled = all.filter((outage) => now.at - beganAt(outage) >= SETTLES_MS && !isNetwork(outage));
  const byKind = Map.groupBy(
    settled.map((outage) => ({ outage, ...incidentOf(outage) })),
    ({ outage }) => outage.kind,
  );
  const hostLost = ongoing(byKind.get('host') ?? [], now.at);
  const cuts = ongoing([...(byKind.get('room') ?? []), ...unplannedBoots(events)], now.at);
  return [
    ...hostLost.map(
      (told): Finding => ({
        code: 'HOST_LOST_PHONES',
        severity: 'critical',
        subject: { kind: 'host' },
        certainty: 'likely',
        title: `All phones of the host’s USB controller were lost at once ${told.how}`,
        remedy: 'Look in the kernel log (`dmesg`) for the USB controller; check the power of all its hubs',
        ...told.rest,
      }),
    ),
    ...cuts.map(
      (told): Finding => ({
        code: 'POWER_CUT',
        severity: 'critical',
        subject: { kind: 'room' },
        certainty: 'likely',
        title:
          told.rest.udids.length > 0
            ? `Phones of several hubs were lost at once ${told.how}, as in a power cut`
            : `The host restarted ${told.how} without a shutdown, as in a power cut`,
        remedy: 'Check the power strip and the fuse that these hubs and the host share',
        ...told.rest,
      }),
    ),
  ];
}

const beganAt = ({ losses }: Outage): number => losses[0]?.at ?? 0;

/** A network that is down for all is not power, and its phones say so themselves. */
const isNetwork = ({ places }: Outage): boolean => places.includes(NETWORK);

const incidentOf = (outage: Outage): Incident => ({
  at: beganAt(outage),
  ids: outage.losses.map(({ id }) => id),
  udids: outage.losses.map(({ udid }) => udid),
});

function ongoing(incidents: readonly Incident[], nowAt: number) {
  const sorted = incidents.toSorted((one, other) => one.at - other.at);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (!first || !last || nowAt - last.at > (sorted.length < LEAST_AGAIN ? DAY_MS : CALM_MS)) return [];
  const how =
    sorted.length < LEAST_AGAIN ? 'once' : `${times(sorted.length)} in ${lasting(last.at - first.at)}`;
  const udids = [...new Set(sorted.flatMap((each) => each.udids))];
  const evidence = evidenceOf(sorted.flatMap(({ ids }) => ids));
  return [
    {
      how: how === 'once' ? `${lasting(nowAt - last.at)} ago` : how,
      rest: { since: first.at, udids, evidence },
    },
  ];
}

/** The host booted, and the agent before had not been stopped. A step of the clock in between leaves it open. */
function unplannedBoots(events: readonly HistoryEvent[]): Incident[] {
  const momentOf = steadily(events);
  const found: Incident[] = [];
  let wasStopped = false;
  let steppedAt = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const { at } = momentOf(event);
    if (event.kind === 'clockStepped') steppedAt = at;
    if (event.kind === 'agentStopped') wasStopped = true;
    if (event.kind !== 'agentStarted') continue;
    const { hostBootedAt, lastAliveAt } = event;
    const isNewBoot = hostBootedAt !== undefined && lastAliveAt !== undefined && hostBootedAt > lastAliveAt;
    if (isNewBoot && !wasStopped && steppedAt < lastAliveAt + (at - event.at))
      found.push({ at, ids: [event.id], udids: [] });
    wasStopped = false;
  }
  return found;
}

export function adbRestarting({ hostMarks }: Accusation, { now }: Case): Finding[] {
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
