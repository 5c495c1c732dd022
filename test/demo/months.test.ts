import { describe, expect, it } from 'vitest';
import { hostMonths, monthsOf } from '../../src/demo/months.ts';
import { recordings } from '../../src/demo/phones/index.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 14);
const [offFrom = 0, offTo = 0] = hostMonths(NOW, '1.0.0').map(({ at }) => at);

describe('the months before the demo', () => {
  it.each(recordings.map((each, place) => [each.title, each, place] as const))(
    'of %s are in order, before its day, and without the time when the host was off',
    (_, each, place) => {
      const { readings, events } = monthsOf(each, place, NOW);
      for (const list of [readings, events]) {
        const times = list.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((at) => at > NOW - 90 * DAY && at <= NOW - DAY)).toBe(true);
        expect(times.filter((at) => at >= offFrom && at < offTo)).toEqual([]);
      }
      expect(readings.length > 800).toBe(each.state === 'device');
      const connections = events.flatMap(({ kind }) =>
        kind === 'attached' || kind === 'detached' ? kind : [],
      );
      expect(connections.every((kind, index) => kind === (index % 2 ? 'detached' : 'attached'))).toBe(true);
      expect(connections.at(-1)).toBe(each.state === 'device' ? 'attached' : undefined);
    },
  );

  it('have a phone with a bad cable, until a note says that it was swapped', () => {
    const { events } = monthsOf(recordings[3] ?? never(), 3, NOW);
    const lost = events.filter(({ kind }) => kind === 'detached');
    const note = events.find(({ kind }) => kind === 'note');
    const lastWeeks = (from: number, to: number) =>
      lost.filter(({ at }) => at > NOW - from * DAY && at < NOW - to * DAY).length;
    expect(note).toMatchObject({ text: 'swapped the cable' });
    expect(lastWeeks(21, 17)).toBeGreaterThan(20);
    expect(lastWeeks(17, 1)).toBeLessThan(6);
  });

  it('differ from phone to phone, and are the same each time', () => {
    const phones = recordings.map((each, place) => monthsOf(each, place, NOW));
    expect(new Set(phones.map(({ events }) => JSON.stringify(events))).size).toBeGreaterThan(6);
    expect(monthsOf(recordings[3] ?? never(), 3, NOW)).toEqual(phones[3]);
  });
});

function never(): never {
  throw new Error('there is no such recording');
}
