/** How much of each day a phone was online, from its events and the host's. Pure. */
import { DAY_MS } from '../../base/calendar.ts';
import { type EventKind, type HistoryEvent, isLostState } from '../events/event.ts';
import type { DayUptime } from './history.ts';

/** The kinds that it needs, those of the host too. */
export const uptimeKinds: readonly EventKind[] = [
  'attached',
  'detached',
  'state',
  'agentStarted',
  'agentStopped',
  'clockStepped',
  'adbLost',
  'adbBack',
];

/** A part of the time, ms since the epoch, in which the phone was online or not. */
interface Stretch {
  from: number;
  to: number;
  isOnline: boolean;
}

/**
 * @param events of one phone and of the host, in the order of their `id`
 * @param days the last of them is the day of `now`, by the host's local time
 */
export function uptimeOf(
  events: readonly HistoryEvent[],
  { now, days }: { now: number; days: number },
): DayUptime[] {
  const begins = dayBegins(now, days);
  const stretches = stretchesOf(events, now);
  const losses = lossesOf(events);
  return begins.map((at, index) => {
    const end = begins[index + 1] ?? Number.POSITIVE_INFINITY;
    let [known, online] = [0, 0];
    for (const { from, to, isOnline } of stretches) {
      const part = Math.max(0, Math.min(to, end, now) - Math.max(from, at));
      known += part;
      if (isOnline) online += part;
    }
    const length = Math.min(end, at + DAY_MS) - at;
    return {
      at,
      ...(known > 0 && { onlineRatio: online / known, knownRatio: Math.min(1, known / length) }),
      losses: losses.filter((loss) => loss >= at && loss < end).length,
    };
  });
}

/** Days of 23 and 25 hours too. */
function dayBegins(now: number, days: number): number[] {
  const today = new Date(now);
  return Array.from({ length: days }, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - (days - 1 - index)).getTime(),
  );
}

/** While the agent was off, or adb was lost, nothing is known. */
function stretchesOf(events: readonly HistoryEvent[], now: number): Stretch[] {
  const stretches: Stretch[] = [];
  let isOnline: boolean | undefined;
  let isWatched = false;
  let from = Number.NaN;
  const endAt = (to: number) => {
    if (isOnline !== undefined && isWatched && to > from) stretches.push({ from, to, isOnline });
  };
  for (const event of events) {
    if (event.kind === 'agentStarted') endAt(Math.min(event.lastAliveAt ?? from, event.at));
    else if (event.kind === 'clockStepped') endAt(event.at - event.byMs);
    else endAt(event.at);
    from = event.at;
    if (event.kind === 'agentStopped' || event.kind === 'adbLost') isWatched = false;
    else if (event.kind !== 'clockStepped') isWatched = true;
    if (event.kind === 'detached') isOnline = false;
    else if (event.kind === 'attached' || event.kind === 'state') isOnline = event.state === 'device';
  }
  endAt(now);
  return stretches;
}

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
