/** What is kept of a phone, as the page shows it. */
import { DAY_MS, HOUR_MS } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { timelineEntryOf } from '../diagnosis/explain/timeline.ts';
import type { HistorySample } from '../history/events/event.ts';
import type { HistoryClient } from '../history/store/client.ts';
import type { DayUptime, EventQuery } from '../history/store/history.ts';
import type { EventPage, Sample } from './host-status.ts';

const DAYS = 90;
/** Events of one page. */
const PAGE = 50;

export type PhonePast = ReturnType<typeof phonePast>;

export type EventsAsked = Pick<EventQuery, 'before' | 'kinds'>;

/**
 * Each answer is undefined for a phone that this host does not know, and rejects with a `HistoryUnavailableError`.
 *
 * @param isKnown is it a phone of this host?
 */
export const phonePast = (
  history: Pick<HistoryClient, 'events' | 'samples' | 'uptime'>,
  isKnown: (udid: string) => boolean,
) => ({
  /** One for each of the last 90 days, oldest first. */
  async uptime(udid: string): Promise<DayUptime[] | undefined> {
    return isKnown(udid) ? history.uptime(udid, DAYS) : undefined;
  },

  /** Oldest first: every five minutes of one day, else every hour. */
  async samples(udid: string, days: number): Promise<Sample[] | undefined> {
    if (!isKnown(udid)) return undefined;
    const samples = await history.samples(udid, Date.now() - days * DAY_MS);
    return (days === 1 ? samples : hourly(samples)).map(sampleOf);
  },

  /** One page, the newest before `before`. */
  async events(udid: string, { before, kinds }: EventsAsked): Promise<EventPage | undefined> {
    if (!isKnown(udid)) return undefined;
    const query = omitUndefined({ udids: [udid], withHost: true, before, kinds, limit: PAGE + 1 });
    const found = await history.events(query);
    const events = found.slice(0, PAGE).map(timelineEntryOf);
    return omitUndefined({ events, next: found.length > PAGE ? events.at(-1)?.id : undefined });
  },
});

/** The last one of each hour. */
const hourly = (samples: readonly HistorySample[]): HistorySample[] => [
  ...new Map(samples.map((sample) => [Math.floor(sample.at / HOUR_MS), sample])).values(),
];

/** A reading as the plots have it. */
const sampleOf = ({ at, levelPercent, temperatureDecicelsius }: HistorySample): Sample =>
  omitUndefined({
    at,
    levelRatio: levelPercent === undefined ? undefined : levelPercent / 100,
    temperatureCelsius: temperatureDecicelsius === undefined ? undefined : temperatureDecicelsius / 10,
  });
