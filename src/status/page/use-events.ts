import { useEffect, useState } from 'preact/hooks';
import type { EventPage, TimelineEntry } from '../host-status.ts';
import { eventsPath, extended, type Filter, renewed } from './event-pages.ts';
import { ask, useAnswer } from './use-answer.ts';

export interface ShownEvents {
  /** Newest first; undefined until they are there. */
  events?: readonly TimelineEntry[];
  failure?: string;
  hasMore: boolean;
  /** Gets the next older ones. */
  more(): void;
}

/** The events of a phone. A component with another udid or filter needs another `key`. */
export function useEvents(udid: string, filter: Filter, occasion: unknown): ShownEvents {
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
  return {
    ...(known && { events: known.events }),
    ...(failure && { failure }),
    hasMore: known?.next !== undefined,
    more,
  };
}
