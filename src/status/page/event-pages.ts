/** The events that the panel has got so far, page by page. */
import { useEffect, useState } from 'preact/hooks';
import type { EventKind } from '../../history/events/event.ts';
import type { EventPage, TimelineEntry } from '../host-status.ts';
import { ask, useAnswer } from './use-answer.ts';

/** The other kinds have no filter of their own. */
const kindsOf = {
  connection: ['attached', 'detached', 'state', 'usb', 'adbLost', 'adbBack', 'adbReplaced'],
  reboots: ['rebooted', 'os'],
  battery: ['batteryHealth'],
  cloud: ['refused', 'stored', 'cloudLost', 'cloudBack'],
  people: ['note', 'maintenance', 'maintenanceEnded', 'drain', 'drainEnded'],
} satisfies Record<string, EventKind[]>;

export type Filter = 'all' | keyof typeof kindsOf;

export const filters: readonly Filter[] = ['all', 'connection', 'reboots', 'battery', 'cloud', 'people'];

/** @param before only events before this `id` */
export function eventsPath(udid: string, filter: Filter, before?: number): string {
  const asked = new URLSearchParams();
  if (filter !== 'all') asked.set('kinds', kindsOf[filter].join(','));
  if (before !== undefined) asked.set('before', String(before));
  return `api/phones/${encodeURIComponent(udid)}/events${asked.size > 0 ? `?${asked}` : ''}`;
}

/** Puts the newest page, asked for anew, before what is there. Where more came than a page holds, it starts over. */
export function renewed(known: EventPage, newest: EventPage): EventPage {
  const oldest = newest.events.at(-1)?.id;
  const isApart = oldest === undefined || oldest > (known.events[0]?.id ?? 0);
  if (isApart || newest.next === undefined) return newest;
  return {
    ...known,
    events: [...newest.events, ...known.events.filter(({ id }) => id < oldest)],
  };
}

/** Puts an older page behind what is there. */
export const extended = (known: EventPage, older: EventPage): EventPage => ({
  ...older,
  events: [...known.events, ...older.events],
});

/** Events under the name of their day, in their order: a clock that was set back makes a day come twice. */
export function daysOf(events: readonly TimelineEntry[]): TimelineEntry[][] {
  const days: TimelineEntry[][] = [];
  for (const event of events) {
    const day = days.at(-1);
    const isSameDay = day?.[0] && new Date(day[0].at).toDateString() === new Date(event.at).toDateString();
    if (isSameDay) day.push(event);
    else days.push([event]);
  }
  return days;
}

/**
 * The events of a phone, newest first; undefined until they are there. `more` gets the next older ones. A component with
 * another udid or filter needs another `key`.
 */
export function useEvents(udid: string, filter: Filter, occasion: unknown) {
  const { answer: newest, failure } = useAnswer<EventPage>(eventsPath(udid, filter), occasion);
  const [known, setKnown] = useState<EventPage>();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (newest) setKnown((before) => (before ? renewed(before, newest) : newest));
  }, [newest]);
  const more = async () => {
    if (isAsking || known?.next === undefined) return;
    setAsking(true);
    const { answer } = await ask<EventPage>(eventsPath(udid, filter, known.next));
    if (answer)
      setKnown((before) => (before?.next === known.next ? extended(before ?? known, answer) : before));
    setAsking(false);
  };
  return { events: known?.events, failure, hasMore: known?.next !== undefined, more };
}
