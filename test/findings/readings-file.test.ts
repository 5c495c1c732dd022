import { describe, expect, it, vi } from 'vitest';
import { JUDGED_MS } from '../../src/findings/case.ts';
import { ReadingsFile } from '../../src/findings/readings-file.ts';
import type { HistorySample } from '../../src/history/event.ts';
import { MemoryHistory } from '../../src/history/memory.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2026, 10, 21, 12);

function opened() {
  let now = NOW;
  const history = new MemoryHistory({ now: () => now });
  const readings = new ReadingsFile(history.store);
  const goTo = (at: number) => {
    now = at;
  };
  return { history, readings, goTo };
}

describe('the readings of a case', () => {
  it('are those of the last 30 days, oldest first, what is unknown absent', () => {
    const { history, readings } = opened();
    const whole: HistorySample = {
      ...{ at: NOW - 10 * MINUTE_MS, levelPercent: 80, temperatureDecicelsius: -35, isFull: false },
      storageUsedBytes: 123_456_789_012,
    };
    const empty: HistorySample = { at: NOW - 5 * MINUTE_MS };
    const full: HistorySample = { at: NOW, isFull: true };
    const old: HistorySample = { at: NOW - JUDGED_MS - 5 * MINUTE_MS, levelPercent: 1 };
    history.sample([old, whole, empty, full].map((sample) => ({ udid: 'A', ...sample })));
    expect(readings.samplesUntil('A', NOW)).toEqual([whole, empty, full]);
    expect(readings.samplesUntil('B', NOW)).toEqual([]);
  });

  it('are followed: the last five minutes change, new ones come, and only these are read', () => {
    const { history, readings, goTo } = opened();
    history.sample([{ udid: 'A', at: NOW, levelPercent: 80 }]);
    readings.samplesUntil('A', NOW);
    const asked = vi.spyOn(history.store, 'samples');
    history.sample([{ udid: 'A', at: NOW + MINUTE_MS, levelPercent: 79 }]);
    history.sample([{ udid: 'A', at: NOW + 5 * MINUTE_MS, levelPercent: 78 }]);
    goTo(NOW + 6 * MINUTE_MS);
    expect(readings.samplesUntil('A', NOW + 6 * MINUTE_MS).map(({ levelPercent }) => levelPercent)).toEqual([
      79, 78,
    ]);
    expect(asked.mock.calls).toEqual([['A', NOW]]);
  });

  it('grow thin with age, as in the store', () => {
    const { history, readings, goTo } = opened();
    const begin = NOW - JUDGED_MS;
    for (let day = 0; day < 30; day += 1) {
      const at = begin + day * DAY_MS;
      history.sample(
        Array.from({ length: 288 }, (_, index) => ({
          udid: 'A',
          at: at + index * 5 * MINUTE_MS,
          levelPercent: index,
        })),
      );
      goTo(at + DAY_MS);
      readings.samplesUntil('A', at + DAY_MS);
    }
    const samples = readings.samplesUntil('A', NOW);
    expect(samples.length).toBeLessThan(7 * 288 + 23 * 24 + 2 * 288);
    const ofFirstDay = samples.filter(({ at }) => at < begin + DAY_MS);
    expect(ofFirstDay.map(({ at }) => (at - begin) % HOUR_MS)).toEqual(ofFirstDay.map(() => 55 * MINUTE_MS));
    expect(ofFirstDay).toHaveLength(24);
    expect(samples.filter(({ at }) => at >= NOW - 7 * DAY_MS)).toHaveLength(7 * 288);
  });

  it('are read again after the clock was set back', () => {
    const { history, readings, goTo } = opened();
    const ahead = NOW + 365 * DAY_MS;
    goTo(ahead);
    history.sample([{ udid: 'A', at: ahead, levelPercent: 50 }]);
    expect(readings.samplesUntil('A', ahead)).toHaveLength(1);
    goTo(NOW);
    history.sample([{ udid: 'A', at: NOW, levelPercent: 80 }]);
    expect(readings.samplesUntil('A', NOW)).toEqual([{ at: NOW, levelPercent: 80 }]);
  });

  it('go with a phone that is forgotten, and follow one that has another udid', async () => {
    const { history, readings } = opened();
    history.sample(['A', 'B'].map((udid) => ({ udid, at: NOW, levelPercent: 80 })));
    readings.samplesUntil('A', NOW);
    await history.forget(['A']);
    history.renamed('B', 'C');
    expect(['A', 'B', 'C'].map((udid) => readings.samplesUntil(udid, NOW).length)).toEqual([0, 0, 1]);
  });
});
