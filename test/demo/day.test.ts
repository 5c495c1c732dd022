import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/demo/day.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Recording } from '../../src/demo/recording.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 14);

const recording = (status: number, level: number): Recording => ({
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  sdk: 33,
  answers: { 'battery.dump': [`  status: ${status}`, `  level: ${level}`, '  temperature: 280'] },
});

describe('the day before the demo', () => {
  it.each(recordings.map((each, place) => [each.title, each, place] as const))(
    'of %s is in order, before the demo, and within what a phone can be',
    (_, each, place) => {
      const { readings, events } = dayOf(each, place, NOW);
      expect(events.length).toBeGreaterThan(0);
      for (const list of [readings, events]) {
        const times = list.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.every((at) => at > NOW - 24 * HOUR && at < NOW)).toBe(true);
      }
      for (const { levelPercent, temperatureDecicelsius } of readings) {
        expect(levelPercent).toBeGreaterThanOrEqual(1);
        expect(levelPercent).toBeLessThanOrEqual(100);
        expect(temperatureDecicelsius).toBeGreaterThan(200);
        expect(temperatureDecicelsius).toBeLessThan(550);
      }
      expect(readings.length > 200).toBe(each.state === 'device');
      const connected = events.findLast((event) => event.kind === 'attached' || event.kind === 'detached');
      expect(connected).toMatchObject({ kind: 'attached', state: each.state });
    },
  );

  it.each([
    [2, 74, -1],
    [3, 74, 1],
  ])('with battery status %i ends at the recorded level of %i', (status, level, direction) => {
    const { readings } = dayOf(recording(status, level), 1, NOW);
    const [before, last] = readings.slice(-2).map(({ levelPercent }) => levelPercent);
    expect(Math.abs((last ?? 0) - level)).toBeLessThanOrEqual(2);
    expect(Math.sign((before ?? 0) - (last ?? 0))).toBe(direction);
  });

  it('differs from phone to phone: one is unplugged for a while, one rejected, one hot', () => {
    const days = [0, 1, 2].map((place) => dayOf(recording(2, 50), place, NOW));
    expect(days.map(({ events }) => events[1])).toMatchObject([
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

  it('is the same each time', () => {
    expect(dayOf(recording(2, 50), 0, NOW)).toEqual(dayOf(recording(2, 50), 0, NOW));
  });
});
