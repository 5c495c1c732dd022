import { describe, expect, it } from 'vitest';
import { History, HistoryRecord, SAMPLE_MS } from '../../src/status/history.ts';

const START = SAMPLE_MS * 1_000_000;
const DAY_MS = 86_400_000;

describe('History', () => {
  it('keeps one sample in five minutes, the last, and what was not known is absent', () => {
    const history = new History();
    history.sample('A', { levelPercent: 50 }, START);
    history.sample('A', { levelPercent: 51, temperatureDecicelsius: 312 }, START + 60_000);
    history.sample('A', { temperatureDecicelsius: 320 }, START + SAMPLE_MS);
    history.sample('A', {}, START + 2 * SAMPLE_MS);
    expect(history.samples('A')).toEqual([
      { at: START, levelRatio: 0.51, temperatureCelsius: 31.2 },
      { at: START + SAMPLE_MS, temperatureCelsius: 32 },
    ]);
    expect(history.samples('B')).toEqual([]);
  });

  it('forgets what is older than a day, also after a long silence', () => {
    const history = new History();
    for (let at = START; at < START + 2 * DAY_MS; at += SAMPLE_MS)
      history.sample('A', { levelPercent: 9 }, at);
    expect(history.samples('A')).toHaveLength(DAY_MS / SAMPLE_MS);
    history.sample('A', { levelPercent: 10 }, START + 5 * DAY_MS);
    expect(history.samples('A')).toEqual([{ at: START + 5 * DAY_MS, levelRatio: 0.1 }]);
  });

  it('drops what a clock that was set back has left in the future', () => {
    const history = new History();
    history.sample('A', { levelPercent: 50 }, START + DAY_MS);
    history.sample('A', { levelPercent: 51 }, START);
    expect(history.samples('A')).toEqual([{ at: START, levelRatio: 0.51 }]);
  });

  it('keeps the last fifty happenings, the newest first', () => {
    const history = new History();
    for (let index = 0; index < 60; index += 1) history.happened('A', `event ${index}`, START + index);
    expect(history.happenings('A')).toHaveLength(50);
    expect(history.happenings('A')[0]).toEqual({ at: START + 59, what: 'event 59' });
  });

  it('comes back from what was written down, without the phones that are forgotten', () => {
    const history = new History();
    history.sample('A', { levelPercent: 50 }, START);
    history.happened('A', 'adb: device', START);
    history.happened('B', 'adb: device', START);
    history.keep(new Set(['A']));
    const read = new History(HistoryRecord.parse(JSON.parse(JSON.stringify(history.record))));
    expect(read.samples('A')).toEqual([{ at: START, levelRatio: 0.5 }]);
    expect(read.happenings('A')).toEqual([{ at: START, what: 'adb: device' }]);
    expect(read.happenings('B')).toEqual([]);
  });

  it('knows how adb called a phone last, also what an earlier run has kept', () => {
    const history = new History();
    history.happened('A', 'unplugged', START, 'disconnected');
    history.happened('A', 'adb: device', START + 1, 'device');
    expect(history.lastState('A')).toEqual({ state: 'device', at: START + 1, isNewest: true });
    history.happened('A', 'hot', START + 2);
    const read = new History(HistoryRecord.parse(JSON.parse(JSON.stringify(history.record))));
    expect(read.lastState('A')).toEqual({ state: 'device', at: START + 1, isNewest: false });
    history.happened('B', 'adb: device', START); // as an earlier version kept it
    expect([history.lastState('B'), history.lastState('C')]).toEqual([undefined, undefined]);
  });

  it('joins what an earlier run has kept and could not be read at the start, within its bounds', () => {
    const earlier = new History();
    for (let index = 0; index < 40; index += 1) earlier.happened('A', `before ${index}`, START + index);
    earlier.sample('A', { levelPercent: 50 }, START);
    earlier.sample('A', { levelPercent: 51 }, START + SAMPLE_MS);
    earlier.happened('B', 'adb: device', START);
    const history = new History();
    history.sample('A', { levelPercent: 60 }, START + SAMPLE_MS);
    for (let index = 0; index < 20; index += 1) history.happened('A', `since ${index}`, START + 100 + index);
    history.join(earlier.record);
    expect(history.samples('A').map(({ levelRatio }) => levelRatio)).toEqual([0.5, 0.6]);
    const happenings = history.happenings('A').map(({ what }) => what);
    expect([happenings.length, happenings[0], happenings[20]]).toEqual([50, 'since 19', 'before 39']);
    expect(history.happenings('B')).toHaveLength(1);
  });
});
