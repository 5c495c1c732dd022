import { describe, expect, it } from 'vitest';
import { eventKinds } from '../../src/history/events/event.ts';
import { daysOf, eventsPath, extended, filters, renewed } from '../../src/status/page/event-pages.ts';

const page = (from: number, to: number, next?: number) => ({
  events: Array.from({ length: from - to + 1 }, (_, index) => ({
    id: from - index,
    at: 0,
    kind: 'note' as const,
    text: '',
  })),
  ...(next !== undefined && { next }),
});
const ids = ({ events }: { events: readonly { id: number }[] }) => events.map(({ id }) => id);

describe('pages of events', () => {
  it('have an address with their kinds and their place', () => {
    expect(eventsPath('a/b', 'all')).toBe('api/phones/a%2Fb/events');
    expect(eventsPath('P1', 'people', 51)).toBe(
      'api/phones/P1/events?kinds=note%2Cmaintenance%2CmaintenanceEnded%2Cdrain%2CdrainEnded&before=51',
    );
  });

  it('of a filter name kinds that exist, each in one filter only', () => {
    const kinds = filters
      .filter((filter) => filter !== 'all')
      .flatMap((filter) =>
        new URLSearchParams(eventsPath('P1', filter).split('?')[1]).get('kinds')?.split(','),
      );
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(eventKinds).toEqual(expect.arrayContaining(kinds));
  });

  it('grow at both ends without a gap and without a repetition', () => {
    const two = extended(page(20, 11, 11), page(10, 1));
    expect(ids(two)).toEqual(ids(page(20, 1)));
    expect(two.next).toBeUndefined();
    const newer = renewed({ ...two, next: 1 }, page(23, 14, 14));
    expect(ids(newer)).toEqual(ids(page(23, 1)));
    expect(newer.next).toBe(1);
  });

  it('start over where more came than a page holds, and where all fits into one', () => {
    expect(renewed(page(20, 1, 1), page(50, 41, 41))).toEqual(page(50, 41, 41));
    expect(renewed(page(3, 1), page(5, 2))).toEqual(page(5, 2));
    expect(renewed(page(3, 1, 1), { events: [] })).toEqual({ events: [] });
  });

  it('are parted by day, in their own order also where the clock was set back', () => {
    const times = [
      [3, 9],
      [3, 8],
      [2, 23],
      [3, 7],
    ].map(([day = 0, hour]) => new Date(2026, 10, day, hour).getTime());
    const events = times.map((at, index) => ({ id: 9 - index, at, kind: 'note' as const, text: '' }));
    expect(daysOf(events).map((day) => day.map(({ id }) => id))).toEqual([[9, 8], [7], [6]]);
  });
});
