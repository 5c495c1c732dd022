/** The times of events when the host's clock was set: one clock for all of them, and where distances are known. */
import type { HistoryEvent } from '../../history/events/event.ts';
import { once } from '../context.ts';

export interface Moment {
  /** By the clock as it goes now: known steps are undone. ms since the epoch. */
  at: number;
  /** Counts the steps of the clock. Only within one stretch is a distance known to the second. */
  stretch: number;
}

export function* clockAdjusted(events: readonly HistoryEvent[]): Generator<[HistoryEvent, Moment]> {
  let laterSteps = 0;
  for (const event of events) if (event.kind === 'clockStepped') laterSteps += event.byMs;
  let stretch = 0;
  for (const event of events) {
    if (event.kind === 'clockStepped') {
      laterSteps -= event.byMs;
      stretch += 1;
    }
    yield [event, { at: event.at + laterSteps, stretch }];
  }
}

/** From one moment to a later one, ms; undefined where the clock was set in between. */
export const between = (one: Moment, other: Moment): number | undefined =>
  one.stretch === other.stretch ? other.at - one.at : undefined;

/** Since when adb lists each attached phone by the word that it has for it now, and by which event; by udid. */
export const listedSince = once(({ events }) => {
  const found = new Map<string, { at: number; id: number; state: string }>();
  for (const [event, { at }] of clockAdjusted(events)) {
    if (event.kind === 'detached') found.delete(event.udid);
    if (event.kind !== 'attached' && event.kind !== 'state') continue;
    const { id, udid, state } = event;
    if (found.get(udid)?.state !== state) found.set(udid, { at, id, state });
  }
  return found;
});
