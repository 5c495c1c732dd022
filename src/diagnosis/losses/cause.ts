/** Why each phone was lost, as far as one loss and those at the same moment show it. Counts over days come after. */

import { isAskedFor } from '../events/reboot-reason.ts';
import type { RuleContext } from '../rule.ts';
import { between } from './clock-adjusted.ts';
import { type HubLoss, type NetworkLoss, type Outage, placeCause } from './common-cause.ts';
import { isAtOneTimeOfDay, workingHours } from './daily-pattern.ts';
import { type HostMark, type Losses, lossesOf, type Repair } from './loss.ts';
import type { Burst, Loss } from './loss-group.ts';

export type LossCause =
  | { kind: 'adb' | 'start'; mark: HostMark }
  | { kind: 'handled'; repair?: Repair }
  | { kind: 'restarted'; isAsked: boolean }
  | HubLoss
  | Outage
  | NetworkLoss
  /** It came back by itself, or was lost when nobody was there: the phone, its cable or its port. */
  | { kind: 'own' }
  /** Somebody took it, as far as can be seen. */
  | { kind: 'taken'; because: 'moved' | 'habit' | 'away' }
  /** It has not come back. */
  | { kind: 'gone' }
  /** The clock was set while it was away: nobody knows for how long. */
  | { kind: 'unclear' };

/** Those of single losses: there may be thousands. */
const [own, gone, unclear] = [{ kind: 'own' }, { kind: 'gone' }, { kind: 'unclear' }] as const;
const taken = {
  moved: { kind: 'taken', because: 'moved' },
  habit: { kind: 'taken', because: 'habit' },
  away: { kind: 'taken', because: 'away' },
} as const;

export interface LossCauses extends Omit<Losses, 'bursts'> {
  causeOf: ReadonlyMap<Loss, LossCause>;
  hubLosses: HubLoss[];
  outages: Outage[];
  networkLosses: NetworkLoss[];
}

/** A server that starts lists its phones within this time, ms. */
const ADB_STARTS_MS = 30_000;
/** Phones go before the server counts as lost, ms. */
const ADB_LATE_MS = 3_000;
/** What is missing so soon after the agent's start went when nobody looked, ms. */
const AGENT_STARTS_MS = 60_000;
/** Who writes a note has the phone in hand, before and after, ms. */
const NOTE_MS = 15 * 60_000;
/** A loose contact closes again by itself within this time, ms. Who re-seats a cable takes longer to come. */
const BRIEF_MS = 3 * 60_000;
/** A network comes back more slowly, ms. */
const BRIEF_ON_NETWORK_MS = 12 * 60_000;
/** So many phones of a burst that restarted show that somebody restarted all; or this part of them. */
const RESTARTED_PHONES = 2;
const RESTARTED_PART = 0.2;
/** So many losses at a port when nobody was there make those when somebody was there suspect too. */
const UNATTENDED_LOSSES = 2;

/** Of the same events and phones: the judgement and each `why` look at them. */
const lately = new WeakMap<RuleContext['events'], { phones: string; causes: LossCauses }>();

export function lossCausesOf({ now, events }: Pick<RuleContext, 'now' | 'events'>): LossCauses {
  const phones = JSON.stringify(
    now.phones.map(({ udid, connection, attached, state, where, isInMaintenance }) => [
      ...[udid, connection, attached, state, where, isInMaintenance],
    ]),
  );
  const known = lately.get(events);
  if (known?.phones === phones) return known.causes;
  const causes = freshCausesOf({ now, events });
  lately.set(events, { phones, causes });
  return causes;
}

function freshCausesOf(context: Pick<RuleContext, 'now' | 'events'>): LossCauses {
  const { bursts, ...all } = lossesOf(context);
  const found: LossCauses & { causeOf: Map<Loss, LossCause> } = {
    ...all,
    causeOf: new Map(),
    hubLosses: [],
    outages: [],
    networkLosses: [],
  };
  const markOf = nearestMark(all.hostMarks);
  const repairOf = nearestRepair(all.repairs);
  const left: Loss[] = [];
  for (const burst of bursts) {
    const rest = burst.losses.filter((loss) => {
      const cause = knownCause(loss, markOf(loss), repairOf(loss));
      if (cause) found.causeOf.set(loss, cause);
      return !cause;
    });
    left.push(...judgeBurst(burst, rest, found));
  }
  judgeSingle(left, found);
  return found;
}

function knownCause(
  loss: Loss,
  mark: HostMark | undefined,
  repair: Repair | undefined,
): LossCause | undefined {
  if (loss.wasHandled) return { kind: 'handled' };
  if (mark) return { kind: mark.kind, mark };
  if (loss.reboot) return { kind: 'restarted', isAsked: loss.isUpdated || isAskedFor(loss.reboot.reason) };
  return repair && { kind: 'handled', repair };
}

/** Looks for one cause of those that went together. Returns whoever it does not explain. */
function judgeBurst(
  burst: Burst,
  rest: Loss[],
  found: LossCauses & { causeOf: Map<Loss, LossCause> },
): Loss[] {
  if (rest.length < 2) return rest;
  const restarted = burst.losses.filter(({ reboot }) => reboot).length;
  if (restarted >= RESTARTED_PHONES || restarted >= burst.losses.length * RESTARTED_PART) {
    const isAsked = burst.losses.some(
      ({ reboot, isUpdated }) => reboot && (isUpdated || isAskedFor(reboot.reason)),
    );
    if (restarted > 0) {
      for (const loss of rest) found.causeOf.set(loss, { kind: 'restarted', isAsked });
      return [];
    }
  }
  const cause = placeCause(burst, rest);
  if (!cause) return rest;
  for (const loss of cause.losses) found.causeOf.set(loss, cause);
  if (cause.kind === 'hub') found.hubLosses.push(cause);
  else if (cause.kind === 'network') found.networkLosses.push(cause);
  else found.outages.push(cause);
  const explained = new Set(cause.losses);
  return rest.filter((loss) => !explained.has(loss));
}

function judgeSingle(losses: readonly Loss[], found: LossCauses & { causeOf: Map<Loss, LossCause> }): void {
  const isAttended = workingHours(
    losses.filter((loss) => !isBrief(loss) && loss.back).map(({ back }) => back?.at ?? 0),
  );
  const unsure: Loss[] = [];
  for (const loss of losses) {
    if (isBrief(loss)) found.causeOf.set(loss, own);
    else if (!loss.back) found.causeOf.set(loss, gone);
    else if (loss.back.port !== loss.port) found.causeOf.set(loss, taken.moved);
    else if (between(loss, loss.back) === undefined) found.causeOf.set(loss, unclear);
    else unsure.push(loss);
  }
  for (const ofOne of Map.groupBy(unsure, ({ udid, port }) => `${udid} ${port}`).values()) {
    const isHabit = isAtOneTimeOfDay(ofOne.map(({ at }) => at));
    const unattended = new Set(
      isHabit ? [] : ofOne.filter(({ at, port }) => port !== undefined && !isAttended(at)),
    );
    const isSuspect = unattended.size >= UNATTENDED_LOSSES;
    for (const loss of ofOne) {
      const isOwn = isSuspect || unattended.has(loss);
      found.causeOf.set(loss, isOwn ? own : isHabit ? taken.habit : taken.away);
    }
  }
}

/** It came back by itself, or went offline while it sat in its port, which no person does. */
function isBrief(loss: Loss): boolean {
  const { port, wasListed, back } = loss;
  if (port !== undefined && wasListed) return true;
  const away = back && back.port === port ? between(loss, back) : undefined;
  return away !== undefined && away <= (port === undefined ? BRIEF_ON_NETWORK_MS : BRIEF_MS);
}

/** The event of adb or the agent that explains a loss. */
function nearestMark(marks: readonly HostMark[]): (loss: Loss) => HostMark | undefined {
  return (loss) => {
    const next = firstAfter(marks, loss.id);
    const [before, after] = [marks[next - 1], marks[next]];
    const since = before && between(before, loss);
    const withinMs = before?.kind === 'adb' ? ADB_STARTS_MS : AGENT_STARTS_MS;
    if (since !== undefined && since <= withinMs) return before;
    const until = after?.kind === 'adb' ? between(loss, after) : undefined;
    return until !== undefined && until <= ADB_LATE_MS ? after : undefined;
  };
}

/** The note or maintenance of that phone next to a loss. */
function nearestRepair(repairs: readonly Repair[]): (loss: Loss) => Repair | undefined {
  const ofPhones = Map.groupBy(repairs, ({ udid }) => udid);
  return (loss) => {
    const own = ofPhones.get(loss.udid) ?? [];
    const next = firstAfter(own, loss.id);
    return [own[next - 1], own[next]].find(
      (repair) => repair && Math.abs(between(repair, loss) ?? Number.POSITIVE_INFINITY) <= NOTE_MS,
    );
  };
}

/** The index of the first one with a larger `id`; they are in order. */
function firstAfter(sorted: readonly { id: number }[], id: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.id ?? id) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
