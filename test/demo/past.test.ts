import { describe, expect, it } from 'vitest';
import { pastOf } from '../../src/demo/past.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Recording } from '../../src/demo/recording.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 14);

const recording = (status: number, level: number): Recording => ({
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  sdk: 33,
  answers: { 'battery.dump': [`  status: ${status}`, `  level: ${level}`, '  temperature: 280'] },
});

/** Its last 24 hours, and what was before. */
function partsOf(each: Recording, place: number) {
  const { readings, events } = pastOf(each, place, NOW);
  const isToday = ({ at }: { at: number }) => at > NOW - DAY;
  return {
    day: { readings: readings.filter(isToday), events: events.filter(isToday) },
    months: {
      readings: readings.filter((one) => !isToday(one)),
      events: events.filter((one) => !isToday(one)),
    },
  };
}

describe('the past of a phone of the demo', () => {
  it.each(recordings.map((each, place) => [each.title, each, place] as const))(
    'is in order, and within what a phone can be: %s',
    (_, each, place) => {
      const { readings, events } = pastOf(each, place, NOW);
      for (const list of [readings, events]) {
        const times = list.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((at) => at > NOW - 90 * DAY && at < NOW)).toBe(true);
      }
      for (const { levelPercent, temperatureDecicelsius } of readings) {
        expect(levelPercent).toBeGreaterThanOrEqual(1);
        expect(levelPercent).toBeLessThanOrEqual(100);
        expect(temperatureDecicelsius).toBeGreaterThan(150);
        expect(temperatureDecicelsius).toBeLessThan(550);
      }
      const { day, months } = partsOf(each, place);
      expect([day.readings.length > 200, months.readings.length > 800]).toEqual(
        each.state === 'device' ? [true, true] : [false, false],
      );
      const connections = events.flatMap(({ kind }) =>
        kind === 'attached' || kind === 'detached' ? kind : [],
      );
      expect(connections.every((kind, index) => kind === (index % 2 ? 'detached' : 'attached'))).toBe(true);
      const connected = events.findLast((event) => event.kind === 'attached' || event.kind === 'detached');
      expect(connected).toMatchObject({ kind: 'attached', state: each.state });
    },
  );

  it.each([
    [2, 74, -1],
    [3, 74, 1],
  ])('with battery status %i ends at the recorded level of %i', (status, level, direction) => {
    const { readings } = pastOf(recording(status, level), 1, NOW);
    const [before, last] = readings.slice(-2).map(({ levelPercent }) => levelPercent);
    expect(Math.abs((last ?? 0) - level)).toBeLessThanOrEqual(2);
    expect(Math.sign((before ?? 0) - (last ?? 0))).toBe(direction);
  });

  it('has a day that differs: one is unplugged for a while, one rejected, one hot', () => {
    const days = [0, 1, 2].map((place) => partsOf(recording(2, 50), place).day);
    expect(days.map(({ events }) => events[0])).toMatchObject([
      { kind: 'detached' },
      { kind: 'refused', said: 'missing required capability: rack position' },
      { kind: 'batteryHealth', health: 'OVERHEAT' },
    ]);
    const [unplugged, rejected, hot] = days.map(({ readings }) => readings);
    expect((rejected?.length ?? 0) - (unplugged?.length ?? 0)).toBe(24); // two hours of five minutes
    expect(
      Math.max(...(hot ?? []).map(({ temperatureDecicelsius }) => temperatureDecicelsius)),
    ).toBeGreaterThan(430);
  });

  it('differs from phone to phone, and is the same each time', () => {
    const phones = recordings.map((each, place) => pastOf(each, place, NOW));
    expect(new Set(phones.map(({ events }) => JSON.stringify(events))).size).toBe(recordings.length);
    expect(pastOf(recordings[3] ?? recording(2, 50), 3, NOW)).toEqual(phones[3]);
  });
});
