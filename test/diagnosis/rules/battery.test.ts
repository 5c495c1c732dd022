import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import {
  batteryDraining,
  batteryFullAndHot,
  batteryHot,
  batteryWorn,
} from '../../../src/diagnosis/rules/battery.ts';
import { contextOf, NOW, phoneOf, readings } from '../../findings/phones.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (decicelsius: number) => ({ battery: { isPresent: true, temperatureDecicelsius: decicelsius } });
const hotFor = (ms: number, decicelsius = 470) =>
  readings(ms, () => ({ temperatureDecicelsius: decicelsius }));

describe('BATTERY_HOT', () => {
  it('says for how long, and what to do first', () => {
    const context = contextOf([phoneOf('Pixel', at(472))], { Pixel: hotFor(40 * MINUTE) });
    expect(evaluate([batteryFullAndHot, batteryHot, batteryWorn], context)).toEqual([
      {
        code: 'BATTERY_HOT',
        severity: 'critical',
        subject: { kind: 'phone', key: 'Pixel' },
        certainty: 'certain',
        title: 'The battery of Pixel has been at about 45 °C or more for 40 min',
        remedy:
          'Let the phone cool down: stop its tests, unplug it, and check whether its back bulges; restart it if it stays hot, and charge it at a weaker port or charger',
        since: NOW - 40 * MINUTE,
        udids: ['Pixel'],
        evidence: [],
      },
    ]);
  });

  it('says how hot one is that may catch fire, however long it has been so', () => {
    const context = contextOf([phoneOf('Pixel', at(612))], { Pixel: hotFor(40 * MINUTE, 612) });
    expect(evaluate([batteryHot], context)).toMatchObject([
      { title: 'The battery of Pixel is at 61 °C', since: NOW - 40 * MINUTE },
    ]);
  });

  it('bears a reading just below the limit, and begins again after a pause', () => {
    const dip = hotFor(HOUR).with(4, { at: NOW - 40 * MINUTE, temperatureDecicelsius: 445 });
    const pause = hotFor(HOUR).with(4, { at: NOW - 40 * MINUTE, temperatureDecicelsius: 390 });
    const since = (samples: typeof dip) =>
      evaluate(
        [batteryFullAndHot, batteryHot, batteryWorn],
        contextOf([phoneOf('A', at(470))], { A: samples }),
      )[0]?.since;
    expect(since(dip)).toBe(NOW - HOUR);
    expect(since(pause)).toBe(NOW - 35 * MINUTE);
    // the phone was away for half a day
    expect(since([{ at: NOW - 13 * HOUR, temperatureDecicelsius: 470 }, ...hotFor(20 * MINUTE)])).toBe(
      NOW - 20 * MINUTE,
    );
  });

  it('goes on a little below the limit, and ends below 44 °C', () => {
    const codes = (now: number, samples: ReturnType<typeof hotFor>) =>
      evaluate(
        [batteryFullAndHot, batteryHot, batteryWorn],
        contextOf([phoneOf('A', at(now))], { A: samples }),
      ).map(({ code }) => code);
    const edge = readings(HOUR, (at) => ({ temperatureDecicelsius: (at / 300_000) % 2 === 0 ? 452 : 446 }));
    expect(codes(446, edge)).toEqual(['BATTERY_HOT']);
    expect(codes(439, edge)).toEqual([]);
    const cooling = readings(2 * HOUR, (at) => ({
      temperatureDecicelsius: at < NOW - 40 * MINUTE ? 470 : 445,
    }));
    expect(codes(445, cooling)).toEqual(['BATTERY_HOT']);
    expect(codes(449, hotFor(HOUR, 449))).toEqual([]);
  });

  it('is not said of a short heat, a phone that is gone, nor of one that is worked on', () => {
    const long = hotFor(HOUR);
    expect(
      evaluate(
        [batteryFullAndHot, batteryHot, batteryWorn],
        contextOf([phoneOf('A', at(470))], { A: hotFor(5 * MINUTE) }),
      ),
    ).toEqual([]);
    expect(
      evaluate([batteryFullAndHot, batteryHot, batteryWorn], contextOf([phoneOf('A', at(470))])),
    ).toEqual([]);
    expect(
      evaluate(
        [batteryFullAndHot, batteryHot, batteryWorn],
        contextOf([phoneOf('A', { ...at(470), attached: false })], { A: long }),
      ),
    ).toEqual([]);
    expect(
      evaluate(
        [batteryFullAndHot, batteryHot, batteryWorn],
        contextOf([phoneOf('A', { ...at(470), isInMaintenance: true })], { A: long }),
      ),
    ).toEqual([]);
  });

  it('does not wait where a battery may catch fire', () => {
    const [finding] = evaluate(
      [batteryFullAndHot, batteryHot, batteryWorn],
      contextOf([phoneOf('A', at(612))]),
    );
    expect(finding).toMatchObject({ title: 'The battery of A is at 61 °C', since: NOW });
    expect(finding?.remedy).toContain('at once');
  });
});

describe('BATTERY_FULL_AND_HOT', () => {
  const full = (hours: number) =>
    readings(hours * HOUR, () => ({ isFull: true, temperatureDecicelsius: 415 }));
  const judged = (samples: ReturnType<typeof full>) =>
    evaluate([batteryFullAndHot, batteryHot, batteryWorn], contextOf([phoneOf('A')], { A: samples })).map(
      ({ code, title }) => `${code}: ${title}`,
    );

  it('counts the hours of a month', () => {
    const monthAgo = Array.from({ length: 80 }, (_, index) => ({
      at: NOW - 20 * DAY + index * HOUR,
      isFull: true,
      temperatureDecicelsius: 415,
    }));
    expect(judged(monthAgo)).toEqual([
      'BATTERY_FULL_AND_HOT: The battery of A was full and at 40 °C or more for 80 hours of the last 30 days',
    ]);
    expect(judged(full(71))).toEqual([]);
  });

  it('counts no silence, no cool hour, and no hour of a battery that was not full', () => {
    const lonely = Array.from({ length: 6 }, (_, index) => ({
      at: NOW - (6 - index) * DAY,
      isFull: true,
      temperatureDecicelsius: 415,
    }));
    expect(judged(lonely)).toEqual([]);
    expect(judged(full(100).map((each) => ({ ...each, temperatureDecicelsius: 250 })))).toEqual([]);
    expect(judged(full(100).map((each) => ({ ...each, isFull: false })))).toEqual([]);
    expect(judged(full(100).map(({ at }) => ({ at, temperatureDecicelsius: 415 })))).toEqual([]);
  });
});

describe('a battery that is kept full for a month', () => {
  const now = phoneOf('A', { battery: { levelPercent: 100 } });
  const judged = (
    level: (at: number) => number,
    decicelsius: number,
    { days = 30, isOfBattery = true }: { days?: number; isOfBattery?: boolean } = {},
  ) =>
    evaluate(
      [batteryFullAndHot],
      contextOf([now], {
        A: readings(days * DAY, (at) => ({
          levelPercent: level(at),
          temperatureDecicelsius: decicelsius + (isOfBattery ? (at / HOUR) % 3 : 0),
        })),
      }),
    ).map(({ title, sign }) => `${title} (${sign})`);

  it('may swell, though it is never hot', () => {
    const told = ['The battery of A was full all the time, for weeks (always full)'];
    expect([judged(() => 100, 340), judged(() => 100, 309)]).toEqual([told, told]);
    expect([judged(() => 100, 290), judged(() => 100, 340, { days: 15 })]).toEqual([[], []]);
    const isUsed = (at: number) => ((at / HOUR) % 24 < 8 ? 80 : 100);
    expect(judged(isUsed, 340)).toEqual([]);
  });

  it('is none where its temperature never changes, as that of an emulator', () => {
    expect(judged(() => 100, 340, { isOfBattery: false })).toEqual([]);
  });
});

describe('batteries that are kept full for eight weeks, however cool', () => {
  const hourOf = (at: number) => (at / HOUR) % 24;
  const cool = (
    days: number,
    level = (_at: number) => 100,
    celsius = (at: number) => 24 + (hourOf(at) % 3),
  ) =>
    Array.from({ length: days * 24 }, (_, hour) => NOW - (days * 24 - hour) * HOUR).map((at) => ({
      at,
      levelPercent: level(at),
      temperatureDecicelsius: celsius(at) * 10,
    }));
  const told = (bySerial: Record<string, ReturnType<typeof cool>>) =>
    evaluate(
      [batteryFullAndHot],
      contextOf(
        Object.keys(bySerial).map((udid) => phoneOf(udid, { battery: { levelPercent: 100 } })),
        bySerial,
      ),
    ).map(({ severity, subject, title, udids }) => [severity, subject.kind, title, udids.length]);

  it('are one finding of a phone, or of the host, of a rack that stands idle', () => {
    expect(told({ A: cool(60), B: cool(60, (at) => (hourOf(at) < 9 ? 60 : 100)) })).toEqual([
      ['minor', 'phone', 'The battery of A was full all the time, for weeks', 1],
    ]);
    const rack = Array.from({ length: 28 }, (_, index) => [`P${index}`, cool(90)]);
    expect(told(Object.fromEntries(rack))).toEqual([
      ['minor', 'host', 'The batteries of 28 phones were full all the time, for weeks', 28],
    ]);
  });

  it('are not known sooner, nor of what has no battery; who was warm for a month is told for that', () => {
    expect(told({ A: cool(55), B: cool(90, undefined, () => 25) })).toEqual([]);
    expect(told({ A: cool(90, undefined, (at) => 31 + (hourOf(at) % 3)) })).toEqual([
      ['minor', 'phone', 'The battery of A was full all the time, for weeks', 1],
    ]);
  });

  it('of phones that became warm, or cool, within these weeks are told once, together', () => {
    const before = NOW - 30 * DAY;
    const becameWarm = cool(90, undefined, (at) => (at < before ? 24 : 32) + (hourOf(at) % 3));
    const becameCool = cool(90, undefined, (at) => (at < before ? 44 : 26) + (hourOf(at) % 3));
    expect(told({ A: becameWarm, B: cool(90) })).toEqual([
      ['minor', 'host', 'The batteries of 2 phones were full all the time, for weeks', 2],
    ]);
    expect(told({ B: cool(90), C: becameCool })).toEqual([
      ['minor', 'host', 'The batteries of 2 phones were full all the time, for weeks', 2],
    ]);
  });

  it('are told beside one that was hot, too, which is told alone', () => {
    const hot = cool(90, undefined, (at) => 41 + (hourOf(at) % 3)).map((each) => ({ ...each, isFull: true }));
    expect(told({ A: cool(90), B: hot }).map(([, , title]) => title)).toEqual([
      'The battery of B was full and at 40 °C or more for 567 hours of the last 30 days',
      'The battery of A was full all the time, for weeks',
    ]);
  });
});

describe('a battery that is charged too little', () => {
  const found = (levelAt: (ago: number) => number, levelPercent = 46, more: { connection?: 'tcp' } = {}) => {
    const samples = readings(10 * DAY, (each) => {
      const level = levelAt(NOW - each);
      return { levelPercent: level, isFull: level === 100 };
    });
    const phone = {
      ...phoneOf('A', { battery: { isPresent: true, levelPercent, status: 'CHARGING' } }),
      ...more,
    };
    return evaluate([batteryDraining], contextOf([phone], { A: samples }));
  };

  it('was full, and is at 75 % or less for two days', () => {
    expect(found((ago) => (ago < 2.1 * DAY ? 46 : 100))).toMatchObject([
      {
        code: 'BATTERY_DRAINING',
        severity: 'minor',
        certainty: 'possible',
        title: 'The battery of A has not been above 46 % for 2 days, though the phone is plugged in',
      },
    ]);
  });

  it('falls fast below half of its charge, wherever the phone is connected, and says that it is charged', () => {
    const falling = (ago: number) => 46 + (8 * ago) / HOUR;
    const title = 'The battery of A fell from 62 to 46 %, though it is charged';
    expect(found(falling)).toMatchObject([{ severity: 'minor', certainty: 'likely', title }]);
    expect(found(falling, 46, { connection: 'tcp' })).toMatchObject([{ title }]);
    expect(found((ago) => 46 + (4 * Math.min(ago, 5 * HOUR)) / HOUR)).toEqual([]);
    expect(found((ago) => 56 + (8 * ago) / HOUR, 56)).toEqual([]);
  });

  it('only fell for a day, whatever its gauge does for a moment', () => {
    const falling = (ago: number) => Math.round(46 + ago / HOUR) + (Math.floor(ago / HOUR) % 5 === 0 ? 1 : 0);
    const title = 'The battery of A only fell for a day, to 46 %, though the phone is plugged in';
    expect(found(falling)).toMatchObject([{ severity: 'minor', certainty: 'likely', title }]);
    expect(found(falling, 46, { connection: 'tcp' })).toEqual([]);
    const charged = (ago: number) => falling(ago) + (ago < 20 * HOUR ? 3 : 0);
    expect(found(charged)).toEqual([]);
    expect(found((ago) => 46 + Math.min(ago, DAY) / (2 * HOUR))).toEqual([]);
    expect(found((ago) => 56 + Math.min(ago, DAY) / HOUR, 56)).toEqual([]);
  });

  it('is none that was never full, is on the network, was full for a while between two looks, or is no longer low', () => {
    expect(found(() => 46)).toEqual([]);
    expect(found((ago) => (ago < 1.9 * DAY ? 46 : 100))).toEqual([]);
    expect(found((ago) => (ago < 2.1 * DAY ? 46 : 100), 46, { connection: 'tcp' })).toEqual([]);
    const between = (ago: number) => ago > 10.5 * HOUR && ago < 10.7 * HOUR;
    expect(found((ago) => (ago < 2.1 * DAY && !between(ago) ? 46 : 100))).toEqual([]);
    expect(found((ago) => (ago < 2.1 * DAY ? 46 : 100), 80)).toEqual([]);
  });
});

describe('BATTERY_WORN', () => {
  const judged = (changes: Parameters<typeof phoneOf>[1]) =>
    evaluate([batteryFullAndHot, batteryHot, batteryWorn], contextOf([phoneOf('A', changes)])).map(
      ({ certainty, title }) => `${certainty}: ${title}`,
    );
  const wear = { fullMicroampereHours: 3_150_000, designMicroampereHours: 4_500_000 };

  it('is said by the maker, or by the gauge', () => {
    expect(judged({ battery: { healthPercent: 77 } })).toEqual([
      'certain: The battery of A holds 77 % of a new one, says its maker’s own figure',
    ]);
    expect(judged({ wear })).toEqual(['likely: The battery of A holds 70 % of a new one, says its gauge']);
  });

  it('is unknown without both, and the maker knows better than the gauge', () => {
    expect(judged({})).toEqual([]);
    expect(judged({ wear: {} })).toEqual([]);
    expect(judged({ battery: { levelPercent: 100, status: 'FULL' } })).toEqual([]);
    expect(judged({ battery: { healthPercent: 96 }, wear })).toEqual([]);
    expect(judged({ battery: { healthPercent: 80 } })).toEqual([]);
    expect(judged({ battery: { isPresent: false }, wear })).toEqual([]);
  });
});
