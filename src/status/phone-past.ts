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

/** Each answer is undefined for a phone that this host does not know. */
export type PhonePast = Pick<KeptPast, 'uptime' | 'samples' | 'events'>;

export type EventsAsked = Pick<EventQuery, 'before' | 'kinds'>;

/** Of a phone that is not of this host it has nothing. @throws {HistoryUnavailableError} */
export class KeptPast {
  readonly #history: Pick<HistoryClient, 'events' | 'samples' | 'uptime'>;
  readonly #isKnown: (udid: string) => boolean;

  /** @param isKnown is it a phone of this host? */
  constructor(
    history: Pick<HistoryClient, 'events' | 'samples' | 'uptime'>,
    isKnown: (udid: string) => boolean,
  ) {
    this.#history = history;
    this.#isKnown = isKnown;
  }

  /** One for each of the last 90 days, oldest first. */
  async uptime(udid: string): Promise<DayUptime[] | undefined> {
    return this.#isKnown(udid) ? this.#history.uptime(udid, DAYS) : undefined;
  }

  /** Oldest first: every five minutes of one day, else every hour. */
  async samples(udid: string, days: number): Promise<Sample[] | undefined> {
    if (!this.#isKnown(udid)) return undefined;
    const samples = await this.#history.samples(udid, Date.now() - days * DAY_MS);
    return (days === 1 ? samples : hourly(samples)).map(sampleOf);
  }

  /** One page, the newest before `before`. */
  async events(udid: string, { before, kinds }: EventsAsked): Promise<EventPage | undefined> {
    if (!this.#isKnown(udid)) return undefined;
    const query = omitUndefined({ udids: [udid], withHost: true, before, kinds, limit: PAGE + 1 });
    const found = await this.#history.events(query);
    const events = found.slice(0, PAGE).map(timelineEntryOf);
    return omitUndefined({ events, next: found.length > PAGE ? events.at(-1)?.id : undefined });
  }
}

/** The last one of each hour. */
const hourly = (samples: readonly HistorySample[]): HistorySample[] => [
  ...new Map(samples.map((sample) => [Math.floor(sample.at / HOUR_MS), sample])).values(),
];

/** A reading as the plots have it. */
export const sampleOf = ({ at, levelPercent, temperatureDecicelsius }: HistorySample): Sample =>
  omitUndefined({
    at,
    levelRatio: levelPercent === undefined ? undefined : levelPercent / 100,
    temperatureCelsius: temperatureDecicelsius === undefined ? undefined : temperatureDecicelsius / 10,
  });
