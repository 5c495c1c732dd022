/** The times of events when the host's clock was set: one clock for all of them, and where distances are known. */
import type { HistoryEvent } from '../../history/events/event.ts';

/** When an event happened. */
export interface Moment {
  /** By the clock as it goes now: known steps are undone. ms since the epoch. */
  at: number;
  /** Counts the steps of the clock. Only within one stretch is a distance known to the second. */
  stretch: number;
}

/** Each event with its moment, in their order. */
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
