/** What rules may not take for granted: of people, nights, causes. After incidents that people have described in public. */
import { describe, expect, it } from 'vitest';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import type { HistorySample } from '../../src/history/events/event.ts';
import { findingsIn } from '../support/findings-in.ts';
import { blamesOf } from './blames.ts';
import { matching } from './matching.ts';
import { at, contextOf, DAYS, HOURS, lost, phone, START, shelf } from './told.ts';

type Told = Parameters<typeof contextOf>[1];

/** Seconds after the start, which is a Monday at 3:00. */
const clock = (day: number, hour: number): number => day * DAYS + (hour - 3) * HOURS;
const only = [phone('A', at('1-3'))];
const codesOf = (now: number, told: Told, phones = only) =>
  findingsIn(
    contextOf(
      now,
      told.filter(([second]) => second <= now),
      phones,
    ),
  ).map(({ code }) => code);

describe('a host with one phone, which is lost at night and plugged anew each morning (flutter/flutter#165129, #171967)', () => {
  const nights = [clock(0, 22.5), clock(2, 26), clock(3, 28.5), clock(7, 21)];
  const mornings = [clock(1, 9.3), clock(3, 9.2), clock(4, 9.4), clock(8, 9.3)];
  const told = nights.flatMap((night, index) => lost(night, 'A', at('1-3'), (mornings[index] ?? 0) - night));

  it('is no person: the port is named with the third night', () => {
    expect(codesOf(clock(3, 12), told)).toEqual([]);
    expect(codesOf(clock(4, 4.6), told)).toEqual(['PORT_UNSTABLE']);
    const context = contextOf(clock(8, 12), told, only);
    expect([...blamesOf(context).values()].map(({ party }) => party)).toEqual(Array(4).fill('port'));
  });

  it('is nobody’s fault at first, and not a person’s', () => {
    const [first] = blamesOf(contextOf(clock(1, 10), told.slice(0, 2), only)).values();
    expect(first).toMatchObject({
      party: 'unknown',
      because:
        'it was lost when nobody is there, and came back at the same port after 10 h; this is too little to tell the phone from its cable or port',
    });
  });

  it('is nobody’s fault at noon, when somebody may take it', () => {
    const days = [0, 1, 3, 4].flatMap((day) => lost(clock(day, 10 + 1.7 * day), 'A', at('1-3'), HOURS));
    expect(codesOf(clock(5, 12), days)).toEqual([]);
    const [first] = blamesOf(contextOf(clock(5, 12), days, only)).values();
    expect(first).toMatchObject({
      party: 'unknown',
      because: 'it was away for 1 h, at an hour when people are there',
    });
  });
});

it('a phone that is taken at noon and in the evening is no fault of its port', () => {
  const told = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].flatMap((day) => [
    ...lost(clock(day, 12.4 + 0.1 * (day % 4)), 'A', at('1-3'), HOURS),
    ...lost(clock(day, 19 + 0.6 * (day % 3)), 'A', at('1-3'), 14 * HOURS),
  ]);
  expect(codesOf(clock(11, 21), told, [phone('A', at('1-3'), { attached: false })])).toEqual([]);
});

it('phones that all restart again and again were restarted by jobs, whatever they say; one alone was not', () => {
  const hours = [9, 17, 34, 58, 83, 99, 111];
  const told = (udids: readonly string[]) =>
    udids.flatMap((udid, index) =>
      hours.flatMap((hour): Told => {
        const second = clock(0, hour + 1.3 * index);
        const where = at(`1-${index + 1}`);
        return [
          ...lost(second - 60, udid, where, 40),
          [second, { kind: 'rebooted', uptimeSeconds: 45, reason: 'reboot', udid, where }],
        ];
      }),
    );
  const phones = ['A', 'B', 'C', 'D'].map((udid, index) => phone(udid, at(`1-${index + 1}`)));
  const others = ['E', 'F', 'G', 'H'].map((udid) => phone(udid, {}, { connection: 'tcp' }));
  const restartsIn = (all: PhoneInput[], ...udids: readonly string[]) =>
    codesOf(clock(4, 22), told(udids), all).filter((code) => code === 'UNEXPLAINED_REBOOT');
  expect(restartsIn(phones, 'A')).toEqual(['UNEXPLAINED_REBOOT']);
  expect(restartsIn(phones, 'A', 'B', 'C')).toEqual([]);
  expect(restartsIn([...phones, ...others], 'A', 'B', 'C')).toEqual([]);
});

it('restarts into another build are asked for, and so are those of an emulator, but for its crashes', () => {
  const hours = [9, 17, 34, 58, 83, 99, 111];
  const codes = ({ reason = 'reboot', isUpdated = false, connection = 'usb' as PhoneInput['connection'] }) =>
    codesOf(
      clock(4, 22),
      hours.flatMap((hour): Told => {
        const second = clock(0, hour);
        const where = connection === 'usb' ? at('1-3') : {};
        const build: Told[number] = [
          second + 1,
          { kind: 'os', release: '15', before: '15', build: `${hour}`, udid: 'A', where },
        ];
        return [
          ...lost(second - 60, 'A', where, 40),
          [second, { kind: 'rebooted', uptimeSeconds: 45, reason, udid: 'A', where }],
          ...(isUpdated ? [build] : []),
        ];
      }),
      [phone('A', connection === 'usb' ? at('1-3') : {}, { connection })],
    ).filter((code) => code === 'UNEXPLAINED_REBOOT');
  expect(codes({})).toEqual(['UNEXPLAINED_REBOOT']);
  expect(codes({ isUpdated: true })).toEqual([]);
  expect(codes({ connection: 'emulator' })).toEqual([]);
  expect(codes({ connection: 'emulator', reason: 'kernel_panic' })).toEqual(['UNEXPLAINED_REBOOT']);
});

it('phones that have not answered for half an hour have a code (openstf/stf#842, flutter/flutter#134555)', () => {
  const silent = (minutes: number) => [
    phone('A', at('1-3'), { isSilent: true, silentSince: START + (clock(0, 12) - minutes * 60) * 1000 }),
  ];
  expect(codesOf(clock(0, 12), [], silent(31))).toEqual(['SILENT_LONG']);
  expect(codesOf(clock(0, 12), [], silent(29))).toEqual([]);
});

it('a habit is not six hours wide (DeviceFarmer/stf#798)', () => {
  const told = [9.5, 16, 11, 14, 12.5].flatMap((hour, day) => lost(clock(day, hour), 'A', at('1-3'), 600));
  const becauses = [...blamesOf(contextOf(clock(5, 8), told, only)).values()].map(({ because }) => because);
  expect(becauses.filter((because) => because.includes('every day'))).toEqual([]);
});

it.each([
  ['a phone that is off the Wi-Fi', {}, 'it was off the network for 40 min'],
  ['an emulator that is away', { connection: 'emulator' }, 'it was away for 40 min'],
] as const)('%s for long is not with a person (appium/appium-adb#499)', (_, more, because) => {
  const [blame] = blamesOf(
    contextOf(clock(1, 12), lost(clock(0, 11), 'N', {}, 2400), [phone('N', {}, more)]),
  ).values();
  expect(blame).toMatchObject({ party: 'unknown', because });
});

describe('a phone that is lost and restarted hours later', () => {
  const boot = (second: number, uptimeSeconds?: number, reason = 'cold,powerkey'): Told[number] => [
    second,
    {
      kind: 'rebooted',
      reason,
      udid: 'A',
      where: at('1-3'),
      ...(uptimeSeconds !== undefined && { uptimeSeconds }),
    },
  ];
  const blamed = (...told: Told) => [...blamesOf(contextOf(clock(9, 12), told, only)).values()][0];
  const gone = (day: number, awaySeconds: number) => lost(clock(day, 11), 'A', at('1-3'), awaySeconds);

  it('had switched itself off or did not answer: nobody had restarted it then (flutter/flutter#160987)', () => {
    const revived = {
      ...{ party: 'phone', key: 'A', certainty: 'likely' },
      because: 'it was off or did not answer until it was restarted 3 h later',
    };
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 80))).toMatchObject(revived);
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 80, 'reboot,userrequested'))).toMatchObject({
      ...revived,
      certainty: 'possible',
    });
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50))).toMatchObject(revived);
  });

  it('was perhaps with a person who restarted it on the way', () => {
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 2 * HOURS))).toMatchObject({
      party: 'unknown',
      because: 'it was away for 4 h, at an hour when people are there',
    });
  });

  it('is no restart without a reason, however often', () => {
    const told = [0, 1, 2, 3].flatMap((day) => [
      ...lost(clock(day, 5 + 4 * day), 'A', at('1-3'), 2 * HOURS),
      boot(clock(day, 7 + 4 * day) + 50, 80),
    ]);
    const found = findingsIn(contextOf(clock(4, 12), told, only));
    expect(found).toMatchObject([
      {
        code: 'PHONE_UNSTABLE',
        title: 'Pixel A was lost 4 times in 3 days, and came back only with a restart',
        remedy: expect.stringMatching(/^Check the battery and the temperature of the phone/),
      },
    ]);
  });

  it('was switched off in the evening and on in the morning by somebody, possibly; one that was forced to restart was not', () => {
    const found = (reason: string) =>
      codesOf(
        clock(4, 12),
        [0, 1, 3].flatMap((day) => [
          ...lost(clock(day, 18), 'A', at('1-3'), 15 * HOURS),
          boot(clock(day + 1, 9) + 50, 80, reason),
        ]),
      );
    expect(found('cold,powerkey')).toEqual([]);
    expect(found('reboot,longkey')).toEqual(['PHONE_UNSTABLE']);
  });

  it('restarted then where the boot began with the loss, and took long only with an update', () => {
    expect(blamed(...gone(0, 90), boot(clock(0, 11) + 150, 120, 'reboot,userrequested'))).toMatchObject({
      because: 'the phone was restarted by a person or an update',
    });
    const update: Told[number] = [
      clock(0, 11) + 1380,
      { kind: 'os', release: '15', before: '14', udid: 'A', where: at('1-3') },
    ];
    expect(blamed(...gone(0, 1300), boot(clock(0, 11) + 1370, 100, 'reboot'), update)).toMatchObject({
      because: 'the phone was restarted by a person or an update',
    });
  });
});

describe('a battery', () => {
  /** A reading every five minutes for three hours before that second, from one charge to another. */
  const readings = (until: number, from: number, to: number): HistorySample[] =>
    Array.from({ length: 36 }, (_, index) => ({
      at: START + (until - (36 - index) * 300) * 1000,
      levelPercent: Math.round(from + ((to - from) * index) / 35),
    }));
  const judged = (now: number, told: Told, samples: HistorySample[], phones = only) => {
    const context = {
      ...contextOf(now, told, phones),
      samplesOf: (_: string, ...which: [number]) => matching(samples, ...which),
    };
    return { found: findingsIn(context), blames: [...blamesOf(context).values()] };
  };
  const away = [phone('A', at('1-3'), { attached: false, state: 'disconnected' })];

  it('that was empty has switched the phone off (flutter/flutter#159084, #86731)', () => {
    const { found, blames } = judged(
      clock(0, 13),
      lost(clock(0, 11), 'A', at('1-3')),
      readings(clock(0, 11), 30, 1),
      away,
    );
    expect(blames).toMatchObject([{ party: 'phone', because: 'its battery was at 1 %: it ran empty' }]);
    expect(found).toMatchObject([
      {
        ...{ code: 'BATTERY_DRAINING', severity: 'major' },
        title: 'Pixel A ran empty: its battery was at 1 % when it was lost',
        remedy: expect.stringMatching(/^Charge it/),
      },
    ]);
    const charged = judged(
      clock(0, 13),
      lost(clock(0, 11), 'A', at('1-3')),
      readings(clock(0, 11), 3, 40),
      away,
    );
    expect(charged.found).toEqual([]);
    const hot = readings(clock(0, 11), 30, 1).map((each) => ({ ...each, temperatureDecicelsius: 480 }));
    expect(judged(clock(0, 13), lost(clock(0, 11), 'A', at('1-3')), hot, away).found).toMatchObject([
      {
        ...{ code: 'BATTERY_HOT', title: 'Pixel A was lost with its battery at 1 % and 48 °C' },
        remedy: expect.stringMatching(/cool down/),
      },
    ]);
  });

  it('that is low and does not charge on its cable soon will (flutter/flutter#180917)', () => {
    const at7 = (status: 'CHARGING' | 'DISCHARGING') => [
      phone('A', at('1-3'), { battery: { isPresent: true, levelPercent: 7, status } }),
    ];
    const codes = (from: number, status: 'CHARGING' | 'DISCHARGING') =>
      judged(clock(0, 13), [], readings(clock(0, 13), from, 7), at7(status)).found.map(({ code }) => code);
    expect(codes(20, 'DISCHARGING')).toEqual(['BATTERY_DRAINING']);
    expect(codes(20, 'CHARGING')).toEqual(['BATTERY_DRAINING']);
    expect(codes(7, 'CHARGING')).toEqual([]);
    expect(codes(2, 'CHARGING')).toEqual([]);
  });

  it('that has just become full each time is no bad cable (dogu-team/dogu#341)', () => {
    const times = [clock(0, 10), clock(2, 23), clock(4, 4)];
    const told = times.flatMap((second) => lost(second, 'A', at('1-3'), 8));
    const full = times.flatMap((second) => readings(second, 80, 100));
    const always = times.flatMap((second) => readings(second, 100, 100));
    expect(judged(clock(5, 12), told, full).found).toMatchObject([
      { code: 'PHONE_UNSTABLE', remedy: expect.stringMatching(/^Limit the charge/) },
    ]);
    expect(judged(clock(5, 12), told, always).found).toMatchObject([{ code: 'PORT_UNSTABLE' }]);
    const others = [1, 3, 3.5, 4.6].map((day) => clock(day, 9));
    const often = [...told, ...others.flatMap((second) => lost(second, 'A', at('1-3'), 8))];
    expect(judged(clock(5, 12), often, full).found).toMatchObject([{ code: 'PORT_UNSTABLE' }]);
    const cut = times.map((second): Told[number] => [
      second + 2,
      { kind: 'kernel', fault: 'overCurrent', count: 1, where: at('1-3') },
    ]);
    expect(judged(clock(5, 12), [...told, ...cut], full).found).toMatchObject([
      {
        ...{ code: 'PORT_UNSTABLE', certainty: 'certain' },
        remedy: expect.stringMatching(/cable.*hub with a power supply of its own/),
      },
    ]);
  });

  it('that is low whenever a phone restarts without a reason is worn (franciscofranco/kenzo#2)', () => {
    const times = [clock(1, 10), clock(2, 11), clock(4, 12)];
    const told = times.flatMap(
      (second): Told => [
        ...lost(second - 60, 'A', at('1-3'), 40),
        [second, { kind: 'rebooted', uptimeSeconds: 45, udid: 'A', where: at('1-3') }],
      ],
    );
    const judgedAt = (percent: number) =>
      judged(
        clock(4, 13),
        told,
        times.flatMap((second) => readings(second, 60, percent)),
      ).found;
    expect(judgedAt(30)).toMatchObject([
      {
        code: 'UNEXPLAINED_REBOOT',
        title: expect.stringMatching(/3 times at 35 % of its charge or less$/),
      },
    ]);
    expect(judgedAt(50)).toEqual([]);
  });
});

const hub = 'ABCDEFG'.split('').map((udid, index) => ({ udid, where: at(String(index + 1)) }));
const hubLost = (second: number, awaySeconds?: number, phones = hub): Told =>
  phones.flatMap(({ udid, where }, index) => lost(second + index * 0.1, udid, where, awaySeconds));
const off = (udids: string) =>
  shelf.map((each) =>
    udids.includes(each.udid) ? { ...each, attached: false, state: 'disconnected' } : each,
  );

describe('a hub', () => {
  it('that flickers every minute for an hour is told, one that somebody plugs for some minutes is not (openstf/stf#677)', () => {
    const minutes = (count: number) =>
      Array.from({ length: count }, (_, minute) => hubLost(clock(0, 11) + minute * 60, 4)).flat();
    expect(codesOf(clock(0, 12.1), minutes(60), shelf)).toEqual(['HUB_UNSTABLE']);
    expect(codesOf(clock(0, 12.1), minutes(9), shelf)).toEqual([]);
    const seconds = Array.from({ length: 10 }, (_, turn) => hubLost(clock(0, 11) + turn * 6, 3)).flat();
    expect(codesOf(clock(0, 11.1), seconds, shelf)).toEqual(['HUB_UNSTABLE']);
  });

  it('whose phones flap within an hour is told, unless one elsewhere flaps too, whatever that one did before', () => {
    const flaps = (udid: string, where: ReturnType<typeof at>) =>
      Array.from({ length: 6 }, (_, turn) => lost(clock(4, 23) + turn * 500, udid, where, 4)).flat();
    const ofHub = ['A', 'B', 'C', 'D', 'E'].flatMap((udid, index) => flaps(udid, at(`${index + 1}`)));
    const phones = [...shelf.filter(({ udid }) => 'ABCDE'.includes(udid)), phone('X', at('2-1'))];
    const isToldOf = (more: Told) =>
      codesOf(clock(4, 24), [...ofHub, ...more], phones).includes('HUB_UNSTABLE');
    const before = Array.from({ length: 10 }, (_, turn) =>
      lost(clock(0, 1) + turn * 8 * HOURS, 'X', at('2-1'), 4),
    );
    expect(isToldOf(before.flat())).toBe(true);
    expect(isToldOf([...before.flat(), ...flaps('X', at('2-1'))])).toBe(false);
  });

  it('with two phones is one too, where nobody is there', () => {
    const two = hub.slice(0, 2);
    const phones = off('AB').filter(({ udid }) => 'ABI'.includes(udid));
    const codes = (second: number) => codesOf(second + 120, hubLost(second, undefined, two), phones);
    expect([codes(clock(0, 23)), codes(clock(0, 14))]).toEqual([['HUB_LOST'], []]);
  });

  it.each([
    ['a timer', [0, 1, 2, 3].map((day) => [clock(day, 20), 11 * HOURS])],
    [
      'people who switch it off and on',
      [17.6, 20.1, 18.2, 19].map((hour, day) => [clock(day, hour), 13 * HOURS]),
    ],
    ['a cart', [9, 9.2, 8.9, 9.1].map((hour, day) => [clock(day, hour), 8 * HOURS])],
    [
      'a school every other day',
      [13, 13.1, 12.9, 13].map((hour, turn) => [clock(2 * turn, hour), 1.4 * HOURS]),
    ],
    ['a charging cycle', [0, 1, 2, 3, 4, 5, 6].map((turn) => [clock(0, 1) + turn * 9000, 2700])],
    [
      'a charging cycle by the level of batteries',
      [0, 1.9, 4.6, 6.8, 9.7, 12, 14.1].map((hour) => [clock(0, 1) + hour * HOURS, 2700]),
    ],
  ])('that %s switches off is no outage', (_, times) => {
    const told = times.slice(0, -1).flatMap(([second = 0, seconds = 0]) => hubLost(second, seconds));
    const [last = 0] = times.at(-1) ?? [];
    expect(codesOf(last + 300, [...told, ...hubLost(last)], off('ABCDEFG'))).toEqual([]);
    const odd = clock(16, 1.3);
    expect(codesOf(odd + 300, [...told, ...hubLost(odd)], off('ABCDEFG'))).toEqual(['HUB_LOST']);
  });
});

describe('people or a fault', () => {
  const known: Told = [[0, { kind: 'cloudBack' }]];
  const foundAt = (second: number, told: Told, phones: Parameters<typeof contextOf>[2], wanted: string) =>
    findingsIn(contextOf(second + 300, [...known, ...told], phones)).find(({ code }) => code === wanted);
  const severityAt = (second: number, told: Told) => foundAt(second, told, off('ABCDEFG'), 'HUB_LOST');
  const unstableAt = (second: number, told: Told) => foundAt(second, told, off(''), 'HUB_UNSTABLE');

  it('a hub that goes when people are there, early or late is no finding, at night it is one; in the first two weeks nobody knows', () => {
    const [noon, evening, night, soon] = [clock(16, 12), clock(16, 21), clock(16, 2), clock(13, 2)];
    expect(severityAt(noon, hubLost(noon))).toBeUndefined();
    expect(severityAt(evening, hubLost(evening))).toBeUndefined();
    expect(severityAt(night, hubLost(night))).toMatchObject({ severity: 'major', certainty: 'certain' });
    expect(severityAt(soon, hubLost(soon))).toBeUndefined();
  });

  it('what goes at one time of the week goes with people, though nobody is known to be there', () => {
    const [friday, week] = [clock(9, 23), 7 * DAYS];
    const before = hubLost(friday, 2 * DAYS);
    expect(severityAt(friday + week, [...before, ...hubLost(friday + week)])).toBeUndefined();
    const other = friday + week + 3 * HOURS;
    expect(severityAt(other, [...before, ...hubLost(other)])).toMatchObject({ severity: 'major' });
  });

  it('a hub that goes at night again and again is an alarm from the second week on', () => {
    const nights: readonly (readonly [number, number])[] = [
      [1, 2],
      [2, 0.2],
      [5, 3.4],
    ];
    const told = (later: number) =>
      nights.flatMap(([day, hour]) => hubLost(clock(day + later, hour), 10 * 60));
    expect(unstableAt(clock(6, 0), told(0))).toMatchObject({ severity: 'minor' });
    expect(unstableAt(clock(13, 0), told(7))).toMatchObject({ severity: 'major' });
  });

  it('a port at which people take phones is no fault while they are there, one at which they never do may be', () => {
    const times = [clock(7, 10), clock(7, 16), clock(8, 11)];
    const plugged = times.flatMap((second) => lost(second, 'A', at('1-3'), 20));
    const taken = lost(clock(8, 9), 'A', at('1-3'), 1200);
    expect(codesOf(clock(9, 12), [...known, ...plugged])).toEqual(['PORT_UNSTABLE']);
    expect(
      codesOf(
        clock(9, 12),
        [...known, ...plugged, ...taken].sort(([one], [other]) => one - other),
      ),
    ).toEqual([]);
  });

  it('a phone on the network that somebody uses in the evening is no fault, one that sleeps at night may be', () => {
    const away = (...times: [number, number][]) =>
      times.flatMap(([day, hour]) => lost(clock(day, hour), 'N', {}, 2400));
    const codesWith = (told: Told) => codesOf(clock(11, 12), [...known, ...told], [phone('N', {})]);
    expect(codesWith(away([7, 20.5], [8, 21.4], [9, 11], [10, 22], [11, 6]))).toEqual([]);
    expect(codesWith(away([7, 1.5], [8, 0.4], [9, 3], [10, 1], [11, 2]))).toEqual(['LINK_UNSTABLE']);
  });

  it('who looks for a bad cable plugs a phone six times in an hour, and not seven times', () => {
    const plugged = (times: number) =>
      Array.from({ length: times }, (_, time) =>
        lost(clock(9, 11) + time * 240, 'A', at('1-3'), 15 + time),
      ).flat();
    expect(codesOf(clock(9, 11.5), [...known, ...plugged(6)])).toEqual([]);
    expect(codesOf(clock(9, 11.5), [...known, ...plugged(7)])).toEqual(['FLAPPING']);
  });

  it('what a script does to all phones all the time is no fault of one port', () => {
    const often = (udids: string) =>
      shelf
        .filter(({ udid }) => udids.includes(udid))
        .flatMap(({ udid, where }, index) =>
          Array.from({ length: 40 }, (_, turn) =>
            lost(clock(0, 1) + turn * 5.3 * HOURS + index * 2000, udid, where, 20),
          ).flat(),
        );
    const now = clock(9, 12);
    expect(codesOf(now, often('ABCDEFGHI'), shelf)).toEqual([]);
    expect(codesOf(now, often('ABCDEFG'), shelf)).toEqual(['HUB_UNSTABLE']);
    expect(codesOf(now, often('AB'), shelf)).toEqual(['PORT_UNSTABLE', 'PORT_UNSTABLE']);
    const three = shelf.slice(0, 3);
    expect(codesOf(now, often('ABC'), three)).toEqual([]);
    expect(codesOf(now, often('AB'), three)).toEqual(['PORT_UNSTABLE', 'PORT_UNSTABLE']);
  });

  it('who takes a phone for long on one day of the week, when nobody is known to be there, may do so by day too', () => {
    const taken = (...times: [number, number][]) =>
      times.flatMap(([day, hour]) => lost(clock(day, hour), 'A', at('1-3'), 1200));
    const byDay: readonly [number, number][] = [
      [7, 10],
      [8, 15],
    ];
    const now = clock(10, 12);
    expect(codesOf(now, [...known, ...taken(...byDay, [9, 1], [9, 4])])).toEqual([]);
    expect(codesOf(now, [...known, ...taken(...byDay, [9, 1], [10, 4])])).toEqual(['PORT_UNSTABLE']);
  });

  it('nobody pulls all cables at once while their hub stays', () => {
    const noon = clock(9, 12);
    const seen = hub.map(({ udid, where }): Told[number] => [
      noon + 2,
      { kind: 'usb', gone: 'phone', udid, where },
    ]);
    expect(severityAt(noon, [...hubLost(noon), ...seen])).toMatchObject({ severity: 'major' });
    const ofThree = [...hubLost(noon, undefined, hub.slice(0, 3)), ...seen.slice(0, 3)];
    expect(severityAt(noon, ofThree)).toMatchObject({ severity: 'major' });
    const byTwoHands = ofThree.map(([second, what], index): Told[number] => [second + index * 0.3, what]);
    expect(severityAt(noon, byTwoHands)).toBeUndefined();
  });

  it('a port that is plugged when people are there only is no fault, one that loses its phone at night too is', () => {
    const plugged = (...times: [number, number][]) =>
      times.flatMap(([day, hour]) => lost(clock(day, hour), 'A', at('1-3'), 8));
    const byDay = plugged([1, 10], [2, 15], [3, 11], [7, 16], [8, 9]);
    expect(codesOf(clock(9, 12), [...known, ...byDay])).toEqual([]);
    const everyMinute = Array.from({ length: 12 }, (_, minute) =>
      lost(clock(8, 11) + minute * 60, 'A', at('1-3'), 8),
    );
    expect(codesOf(clock(9, 12), [...known, ...everyMinute.flat()])).toEqual(['PORT_UNSTABLE']);
    expect(codesOf(clock(9, 12), [...known, ...plugged([1, 10], [2, 3], [3, 23], [8, 9])])).toEqual([
      'PORT_UNSTABLE',
    ]);
  });
});

describe('several hubs', () => {
  const two = ['X', 'Y', 'Z'].map((udid, index) => phone(udid, at(`1-6.${index + 1}`)));
  const all = [...hub, ...two];
  const phonesOff = (udids: string) => [
    ...off(udids),
    ...two.map((each) => ({ ...each, attached: !udids.includes(each.udid) })),
  ];

  it('that lost their power are told until their phones are back (flutter/flutter#192742)', () => {
    const start: Told[number] = [-20 * DAYS, { kind: 'agentStarted', version: '1' }];
    const told = [start, ...hubLost(clock(1, 1), undefined, all)];
    const severity = (now: number, phones: ReturnType<typeof phonesOff>) =>
      findingsIn(contextOf(now, told, phones)).find(
        ({ code }) => code === 'HOST_LOST_PHONES' || code === 'POWER_CUT',
      )?.severity;
    expect(severity(clock(3, 11), phonesOff('ABCDEFGXYZ'))).toBe('critical');
    expect(severity(clock(20, 11), phonesOff('ABCDEFGXYZ'))).toBe('critical');
    expect(severity(clock(3, 11), phonesOff('A'))).toBeUndefined();
    expect(severity(clock(3, 11), [])).toBeUndefined();
  });

  it('and a host with one phone lost it with its power (flutter/flutter#189375)', () => {
    const start: Told[number] = [
      clock(0, 4),
      {
        kind: 'agentStarted',
        version: '1',
        hostBootedAt: START + 3500_000,
        lastAliveAt: START + 100_000,
      },
    ];
    const one = [phone('A', at('1-3'), { attached: false, state: 'disconnected' })];
    expect(
      findingsIn(contextOf(clock(2, 12), [start, ...lost(clock(0, 4) + 1, 'A', at('1-3'))], one)),
    ).toMatchObject([
      { code: 'POWER_CUT', severity: 'critical', remedy: expect.stringMatching(/power strip.*kernel log/) },
    ]);
  });

  it('that go when people are there are an outage only if they do so again and again', () => {
    const start: Told[number] = [-20 * DAYS, { kind: 'agentStarted', version: '1' }];
    const atNoon = (...days: number[]) => days.flatMap((day) => hubLost(clock(day, 9 + day), 60, all));
    const foundAt = (now: number, told: Told) =>
      findingsIn(contextOf(now, [start, ...told], phonesOff(''))).map(({ severity, certainty }) => [
        severity,
        certainty,
      ]);
    expect(foundAt(clock(3, 12.2), atNoon(1, 3))).toEqual([]);
    expect(foundAt(clock(4, 13.2), atNoon(1, 3, 4))).toEqual([['minor', 'possible']]);
    expect(foundAt(clock(3, 2.2), hubLost(clock(3, 2), 60, all))).toEqual([['critical', 'likely']]);
  });

  it('that a timer switches off are no outage from the third evening on', () => {
    const evening = (day: number, seconds?: number) => hubLost(clock(day, 20), seconds, all);
    const codes = codesOf(
      clock(2, 20.1),
      [...evening(0, 11 * HOURS), ...evening(1, 11 * HOURS), ...evening(2)],
      phonesOff('ABCDEFGXYZ'),
    );
    expect(codes).toEqual([]);
  });
});

describe('what tests do to a phone', () => {
  it('each night at one time is theirs', () => {
    const nights = (count: number) =>
      Array.from({ length: count }, (_, day) =>
        [0, 1, 2, 3].flatMap((turn) => lost(clock(day + 1, 1) + turn * 70, 'A', at('1-3'), 3)),
      ).flat();
    expect(codesOf(clock(9, 12), nights(8))).toEqual([]);
    const odd = [3, 8, 15].flatMap((hour, day) => lost(clock(day + 3, hour), 'A', at('1-3'), 3));
    expect(codesOf(clock(9, 12), [...nights(8), ...odd])).toEqual(['PORT_UNSTABLE']);
  });

  it('to its USB mode takes seconds; a phone that changes it by itself all the time is told, once it is no plan', () => {
    const changed = (second: number): Told => [
      ...lost(second, 'A', at('1-3'), 3),
      [
        second + 2,
        {
          ...{ kind: 'usb', gone: 'phone', udid: 'A', where: at('1-3') },
          ...{ interfaces: '06/01/01 ff/42/01', interfacesBefore: 'ff/42/01' },
        },
      ],
    ];
    const often = [9, 14, 34, 40, 60, 81].flatMap((hour) => changed(clock(1, hour)));
    expect(findingsIn(contextOf(clock(5, 12), often, only))).toMatchObject([
      {
        ...{ code: 'PHONE_UNSTABLE', severity: 'minor', certainty: 'possible' },
        title: 'Pixel A was lost 6 times in 3 days, each time with another USB mode',
        remedy: expect.stringMatching(/default USB configuration/),
      },
    ]);
    expect(codesOf(clock(5, 12), often.slice(0, -3))).toEqual([]);
    const nights = [1, 2, 3, 4, 5, 6].flatMap((day) => changed(clock(day, 1)));
    expect(codesOf(clock(7, 12), nights)).toEqual([]);
  });

  it('by adb root takes seconds, and is known while the phone is away, and where it comes and goes', () => {
    const root = (second: number, isRoot: boolean): Told[number] => [
      second,
      { kind: 'adbRoot', isRoot, udid: 'A', where: at('1-3') },
    ];
    const told = [9, 23, 15, 4].flatMap((hour, day) => [
      ...lost(clock(day, hour), 'A', at('1-3'), 2),
      root(clock(day, hour) + 30, true),
      ...lost(clock(day, hour) + 1800, 'A', at('1-3'), 2),
      root(clock(day, hour) + 1830, false),
    ]);
    const away = [phone('A', at('1-3'), { attached: false })];
    expect(codesOf(clock(4, 12), [...told, ...lost(clock(4, 11), 'A', at('1-3'))], away)).toEqual([]);
    const [blame] = blamesOf(contextOf(clock(4, 12), told, away)).values();
    expect(blame?.because).toBe('adb root or adb unroot restarted its USB debugging');
    const [offline, device] = ['offline', 'device'].map((state, index) => ({
      ...{ kind: 'state', state, before: index === 0 ? 'device' : 'offline', udid: 'A', where: at('1-3') },
    })) as [Told[number][1], Told[number][1]];
    const listed = [9, 23, 15, 4, 40].flatMap((hour, day): Told => {
      const second = clock(day, hour);
      return [root(second - 3, true), [second, offline], [second + 150, device], root(second + 3600, false)];
    });
    expect(codesOf(clock(7, 12), listed)).toEqual([]);
    // one that is root all the time goes offline for another reason
    const once = [root(clock(0, 0), true), ...listed.filter(([, { kind }]) => kind === 'state')];
    expect(codesOf(clock(7, 12), once)).toEqual(['PORT_UNSTABLE']);
    const withoutRoot = told.filter(([, { kind }]) => kind !== 'adbRoot');
    expect(codesOf(clock(4, 12), withoutRoot)).toEqual(['PORT_UNSTABLE']);
  });

  it('without the key of adb is no fault of the port', () => {
    const asked = [2, 23, 3, 4, 1].flatMap(
      (hour, day): Told =>
        lost(clock(day, hour), 'A', at('1-3'), 2).flatMap(([second, event]): Told => {
          if (event.kind !== 'attached') return [[second, event]];
          const allowed = {
            kind: 'state',
            state: 'device',
            before: 'unauthorized',
            udid: 'A',
            where: at('1-3'),
          } as const;
          return [
            [second, { ...event, state: 'unauthorized' }],
            [second + 90, allowed],
          ];
        }),
    );
    const only = [phone('A', at('1-3'))];
    expect(codesOf(clock(6, 12), asked, only)).toEqual([]);
    const kept = asked
      .filter(([, { kind }]) => kind !== 'state')
      .map(([second, event]): Told[number] => [
        second,
        event.kind === 'attached' ? { ...event, state: 'device' } : event,
      ]);
    expect(codesOf(clock(6, 12), kept, only)).toEqual(['PORT_UNSTABLE']);
  });

  it('to emulators and containers that jobs start and end is no fault of these', () => {
    const jobs = [9, 13, 17, 21, 25, 29, 33].flatMap((hour) => lost(clock(0, hour), 'E', {}, 3 * HOURS));
    for (const connection of ['emulator', 'tcp'] as const)
      expect(codesOf(clock(2, 1), jobs, [phone('E', {}, { connection })])).toEqual([]);
  });
});
