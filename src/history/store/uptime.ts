/** How much of each day a phone was online, from its events and the host's. Pure. */
import { type EventKind, type HistoryEvent, isLostState } from '../events/event.ts';
import type { DayUptime } from './history.ts';

export const uptimeKinds: readonly EventKind[] = [
  'attached',
  'detached',
  'state',
  'agentStarted',
  'agentStopped',
  'agentPaused',
  'clockStepped',
  'hostSlept',
  'adbLost',
  'adbBack',
  'historyLost',
];

/** A part of the time in which adb had one word for the phone, ms since the epoch. */
export interface Stretch {
  from: number;
  to: number;
  /** adb's word; `disconnected`: adb did not list it. */
  state: string;
  /** With which that began; absent: it was so before the first event. */
  began?: HistoryEvent;
}

/**
 * @param events of one phone and of the host, in the order of their `id`
 * @param days the last of them is the day of `now`, by the host's local time
 */
export function uptimeOf(
  events: readonly HistoryEvent[],
  { now, days }: { now: number; days: number },
): DayUptime[] {
  const begins = dayBegins(now, days + 1);
  const stretches = stretchesOf(events, now);
  const losses = lossesOf(events);
  return begins.slice(0, -1).map((at, index) => {
    const end = begins[index + 1] ?? now;
    let [known, online] = [0, 0];
    for (const { from, to, state } of stretches) {
      const part = Math.max(0, Math.min(to, end, now) - Math.max(from, at));
      known += part;
      if (state === 'device') online += part;
    }
    return {
      at,
      ...(known > 0 && { onlineRatio: online / known, knownRatio: Math.min(1, known / (end - at)) }),
      losses: losses.filter((loss) => loss >= at && loss < end).length,
    };
  });
}

/** The last of them is that of tomorrow. Days of 23 and 25 hours too. */
function dayBegins(now: number, count: number): number[] {
  const today = new Date(now);
  return Array.from({ length: count }, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + 2 - count + index).getTime(),
  );
}

/** What is missing so soon after the agent's start went when nobody looked, ms. */
const STARTS_MS = 60_000;

/** What ends an `adbLost`: whoever lists a phone has an adb. A start does not, nor does it record anew that adb is lost. */
export const endsAdbLost: ReadonlySet<EventKind> = new Set([
  'adbBack',
  'attached',
  'detached',
  'state',
  'historyLost',
]);

/**
 * Oldest first. While the agent was off, or adb was lost, nothing is known; nor of what a phone is said to be soon after a
 * start, up to then, until adb lists it as online; nor of a part that could not be kept.
 *
 * @param events of one phone and of the host, in the order of their `id`
 * @param begin how the phone was before the first event, and since when that is known
 */
export function stretchesOf(
  events: readonly HistoryEvent[],
  now: number,
  begin?: { at: number; state: string },
): Stretch[] {
  let stretches: Stretch[] = [];
  /** By how much the clock is set from here on, in all: what was set back for a while only is right again. */
  let stepsMs = events.reduce((sum, event) => sum + (event.kind === 'clockStepped' ? event.byMs : 0), 0);
  let state = begin?.state;
  let began: HistoryEvent | undefined;
  let [isOff, isAdbLost] = [false, false];
  let from = begin?.at ?? Number.NaN;
  let startedAt = Number.NEGATIVE_INFINITY;
  const endAt = (to: number) => {
    if (state === undefined || isOff || isAdbLost) return;
    // a loss whose return was seen at once is one all the same
    if (to > from || (to === from && state !== 'device'))
      stretches.push({ from, to, state, ...(began && { began }) });
  };
  for (const event of events) {
    const { at, kind } = event;
    const isOfPhone = kind === 'attached' || kind === 'detached' || kind === 'state';
    const isSoon = isOfPhone && at >= startedAt && at - startedAt <= STARTS_MS;
    if (kind === 'agentStarted') endAt(Math.min(event.lastAliveAt ?? from, at));
    else if (kind === 'clockStepped') endAt(at - event.byMs);
    else if (kind === 'hostSlept' || kind === 'agentPaused') endAt(at - event.forMs);
    else if (kind === 'adbLost') endAt(Math.min(event.since ?? at, at));
    else if (kind === 'historyLost') endAt(Math.min(event.since, at));
    else endAt(isSoon ? startedAt : at);
    if (kind === 'clockStepped') {
      if (stepsMs < 0) stretches = stretches.flatMap((part) => upTo(part, at));
      stepsMs -= event.byMs;
    }
    from = at;
    if (kind === 'agentStarted') startedAt = at;
    if (kind === 'adbLost') isAdbLost = true;
    else if (endsAdbLost.has(kind)) isAdbLost = false;
    if (kind === 'agentStopped') isOff = true;
    else if (kind !== 'clockStepped') isOff = false;
    if (!isOfPhone) continue;
    state = kind === 'detached' ? 'disconnected' : event.state;
    began = event;
    // it is there: what it is said to be from now on was seen
    if (kind === 'attached' && state === 'device') startedAt = Number.NEGATIVE_INFINITY;
  }
  endAt(now);
  return stretches;
}

/** What the clock of before dates later than the clock of now has not happened by this one. */
const upTo = (part: Stretch, at: number): Stretch[] =>
  part.from >= at ? [] : [{ ...part, to: Math.min(part.to, at) }];

/** When the phone was lost: adb no longer listed it, or called it offline. */
function lossesOf(events: readonly HistoryEvent[]): number[] {
  let wasThere = true;
  return events.flatMap((event) => {
    if (event.kind !== 'attached' && event.kind !== 'detached' && event.kind !== 'state') return [];
    const isThere = event.kind !== 'detached' && !isLostState(event.state);
    const isLoss = wasThere && !isThere;
    wasThere = isThere;
    return isLoss ? [event.at] : [];
  });
}
