/** When findings about lost phones begin and end. */
import { describe, expect, it } from 'vitest';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import { OFFLINE, PROMPT } from '../../src/report/message.ts';
import { findingsIn } from '../support/findings-in.ts';
import { at, contextOf, DAYS, HOURS, lost, phone, shelf } from './told.ts';

type Events = Parameters<typeof contextOf>[1];

/** The codes at each of these times, as the events up to then show them. */
const codesAt = (times: readonly number[], told: Events, phones: readonly PhoneInput[] = shelf): string[][] =>
  times.map((now) =>
    codesOf(
      contextOf(
        now,
        told.filter(([second]) => second <= now),
        phones,
      ),
    ),
  );
const codesOf = (context: RuleContext): string[] => findingsIn(context).map(({ code }) => code);

const threeLosses = [1, 2, 3].flatMap((day) => lost(day * DAYS, 'A', at('1', 'bay 4'), 5));

describe('PORT_UNSTABLE', () => {
  it('begins with the third loss and ends after ten days without', () => {
    expect(codesAt([2.5 * DAYS, 3.1 * DAYS, 12.9 * DAYS, 13.1 * DAYS], threeLosses)).toEqual([
      [],
      ['PORT_UNSTABLE'],
      ['PORT_UNSTABLE'],
      [],
    ]);
  });

  it('says which port, how often and in how long, and what to do', () => {
    const [found] = findingsIn(contextOf(3.1 * DAYS, threeLosses, shelf));
    expect(found).toMatchObject({
      title: 'Bay 4 lost Pixel A 3 times in 2 days',
      certainty: 'possible',
      subject: { kind: 'port', key: '1-4.1', slot: 'bay 4' },
      evidence: [1, 3, 5],
    });
    expect(found?.remedy).toMatch(
      /^Replace the cable and note it: `hostnode note 'bay 4' 'new cable'` starts the count anew; clean the USB socket and restart the phone; then /,
    );
  });

  it.each([
    ['a note on the phone', { kind: 'note', text: 'swapped cable', udid: 'A', where: at('1', 'bay 4') }],
    ['a note on the slot', { kind: 'note', text: 'swapped cable', where: { slot: 'bay 4' } }],
    ['a note on the hub', { kind: 'note', text: 'new hub', where: { hub: '1-4', devpath: '1-4' } }],
    [
      'a note on the port',
      { kind: 'note', text: 'new cable', where: { devpath: '1-4.1', usbPath: '1-4.1' } },
    ],
    ['a maintenance', { kind: 'maintenance', until: 0, reason: 'cable', udid: 'A', where: at('1') }],
  ] as const)('starts to count anew with %s', (_, repair) => {
    const told: Events = [...threeLosses, [4 * DAYS, repair]];
    expect(codesAt([5 * DAYS], told)).toEqual([[]]);
    const again = [5, 6, 7].flatMap((day) => lost(day * DAYS, 'A', at('1', 'bay 4'), 5));
    const [found] = findingsIn(contextOf(7.1 * DAYS, [...told, ...again], shelf));
    expect(found).toMatchObject({ code: 'PORT_UNSTABLE', evidence: [8, 10, 12] });
  });

  it('needs more losses where all phones drop out now and then', () => {
    const others = 'BCDEFG'
      .split('')
      .flatMap((udid, index) => lost((1 + index) * DAYS, udid, at(String(index + 2)), 5));
    expect(codesAt([7 * DAYS], [...threeLosses, ...others])).toEqual([[]]);
  });
});

it('PHONE_UNSTABLE ends with a note, until the phone is lost again', () => {
  const moves = [1, 2, 3, 4, 5].flatMap((port) => [
    ...lost(port * DAYS, 'A', at(String(port)), 5),
    ...lost(port * DAYS + HOURS, 'A', at(String(port)), 300, at(String(port + 1))),
  ]);
  const note: Events = [[5.5 * DAYS, { kind: 'note', text: 'new USB board', udid: 'A', where: at('6') }]];
  const told = [...moves, ...note, ...lost(6 * DAYS, 'A', at('6'), 5)];
  expect(codesAt([5.4 * DAYS, 5.6 * DAYS, 6.1 * DAYS], told)).toEqual([
    ['PHONE_UNSTABLE'],
    [],
    ['PHONE_UNSTABLE'],
  ]);
});

describe('HUB_LOST', () => {
  const gone = 'ABCDEFG'
    .split('')
    .flatMap((udid, index) => lost(1000 + index * 0.2, udid, at(String(index + 1))));
  const away = shelf.map((each) =>
    each.where.hub === '1-4' ? { ...each, attached: false, state: 'disconnected' } : each,
  );

  it('begins ten seconds after the phones of one hub went', () => {
    expect(codesAt([1005, 1012], gone, away)).toEqual([[], ['HUB_LOST']]);
    expect(findingsIn(contextOf(1012, gone, away))[0]).toMatchObject({
      title: 'All 7 phones of hub 1-4 were lost within 1 s, 7 are still missing',
      certainty: 'certain',
      udids: 'ABCDEFG'.split(''),
    });
  });

  it('waits for a restart of all where USB shows that the hub stayed', () => {
    const seen: Events = 'ABCDEFG'
      .split('')
      .map((udid, index) => [1005, { kind: 'usb', gone: 'phone', udid, where: at(String(index + 1)) }]);
    expect(codesAt([1012, 1290, 1310], [...gone, ...seen], away)).toEqual([[], [], ['HUB_LOST']]);
  });

  it('does not wait for a restart where the same phones blinked before', () => {
    const blink: Events = 'ABCDEFG'.split('').flatMap((udid, index) => {
      const where = at(String(index + 1));
      return [
        [970, { kind: 'detached', udid, where }],
        [973, { kind: 'attached', state: 'device', udid, where }],
      ] as Events;
    });
    const sorted = blink.toSorted(([one], [other]) => one - other);
    expect(codesAt([1012], [...sorted, ...gone], away)).toEqual([['HUB_LOST']]);
  });

  it('ends when most of them are back, wherever', () => {
    const back: Events = 'ABCDE'
      .split('')
      .map((udid, index) => [
        2000 + index,
        { kind: 'attached', state: 'device', udid, where: at(`1-2.${index + 2}`) },
      ]);
    const phones = away.map((each) =>
      'ABCDE'.includes(each.udid) ? { ...each, attached: true, state: 'device' } : each,
    );
    expect(codesAt([3000], [...gone, ...back], phones)).toEqual([[]]);
  });

  it('ends when somebody puts the phones into maintenance', () => {
    const handled = away.map((each) => ({ ...each, isInMaintenance: each.where.hub === '1-4' }));
    expect(codesAt([1012], gone, handled)).toEqual([[]]);
  });

  it('is no restart of all phones by a script', () => {
    const restarted: Events = 'AB'
      .split('')
      .map((udid) => [1040, { kind: 'rebooted', udid, where: at('1'), reason: 'reboot', uptimeSeconds: 30 }]);
    expect(codesAt([1060], [...gone, ...restarted], away)).toEqual([[]]);
  });
});

it('HUB_UNSTABLE begins with the third time, and ends after ten days or with a note on the hub', () => {
  const again = [1, 2.2, 3.5].flatMap((day) =>
    'ABCDEFG'
      .split('')
      .flatMap((udid, index) => lost(day * DAYS + index * 0.1, udid, at(String(index + 1)), 20)),
  );
  const note: Events = [[4 * DAYS, { kind: 'note', text: 'new power supply', where: { hub: '1-4' } }]];
  expect(codesAt([3 * DAYS, 3.6 * DAYS, 14 * DAYS], again)).toEqual([[], ['HUB_UNSTABLE'], []]);
  expect(codesAt([4.1 * DAYS], [...again, ...note])).toEqual([[]]);
});

describe('on the network', () => {
  const net = ['N1', 'N2', 'N3', 'N4'].map((udid) => phone(udid, {}));
  const all = [...shelf, ...net];
  const note = (second: number): Events => [[second, { kind: 'note', text: 'new access point', where: {} }]];
  const down = (second: number, awaySeconds?: number): Events =>
    net.flatMap(({ udid }, index) => lost(second + index, udid, {}, awaySeconds));

  it('NETWORK_LOST begins three minutes after its phones went, and ends when most of them are back', () => {
    const away = all.map((each) =>
      net.includes(each) ? { ...each, attached: false, state: 'disconnected' } : each,
    );
    expect(codesAt([1170, 1190, 1000 + 11 * DAYS], down(1000), away)).toEqual([[], ['NETWORK_LOST'], []]);
    expect(findingsIn(contextOf(1190, down(1000), away))[0]?.title).toBe(
      'All 4 phones on the network were lost within 3 s, 4 are still missing',
    );
    expect(codesAt([1700], down(1000, 600), all)).toEqual([[]]);
  });

  it('NETWORK_UNSTABLE begins with the third time, and ends after ten days or with a note on the host', () => {
    const told = [1, 2.2, 3.5].flatMap((day) => down(day * DAYS, 60));
    expect(codesAt([3 * DAYS, 3.6 * DAYS, 14 * DAYS], told, all)).toEqual([[], ['NETWORK_UNSTABLE'], []]);
    expect(codesAt([4.1 * DAYS], [...told, ...note(4 * DAYS)], all)).toEqual([[]]);
  });

  it('NETWORK_UNSTABLE tells of most phones that drop out one by one, too', () => {
    const told = [0, 1, 2, 3].flatMap((turn) =>
      net.flatMap(({ udid }, index) => lost((1 + turn * 1.02 + index / 4) * DAYS, udid, {}, 60)),
    );
    expect(codesAt([5 * DAYS], told, all)).toEqual([['NETWORK_UNSTABLE']]);
    expect(findingsIn(contextOf(5 * DAYS, told, all))[0]?.title).toBe(
      '4 phones on the network were lost one by one, 16 times in 3 days',
    );
    expect(codesAt([5.2 * DAYS], [...told, ...note(5.1 * DAYS)], all)).toEqual([[]]);
    // what changes its access point is away for seconds
    const roaming = Array.from({ length: 12 }, (_, turn) => turn).flatMap((turn) =>
      net.flatMap(({ udid }, index) => lost((1 + (turn + index / 5) * 1.13) * DAYS, udid, {}, 9)),
    );
    expect(codesAt([14 * DAYS], roaming, all)).toEqual([[]]);
  });

  it('LINK_UNSTABLE begins with the third loss of one phone, and ends with a note on it', () => {
    const told = [1.01, 2, 3.02].flatMap((day) => lost(day * DAYS, 'N1', {}, 60));
    expect(codesAt([2.5 * DAYS, 3.1 * DAYS, 13.1 * DAYS], told, all)).toEqual([[], ['LINK_UNSTABLE'], []]);
    const onPhone: Events = [[4 * DAYS, { kind: 'note', text: 'moved nearer', udid: 'N1', where: {} }]];
    expect(codesAt([4.1 * DAYS], [...told, ...onPhone], all)).toEqual([[]]);
    const again = lost(5 * DAYS, 'N1', {}, 60);
    expect(codesAt([5.1 * DAYS], [...told, ...onPhone, ...again], all)).toEqual([[]]);
  });
});

it('FLAPPING begins with the fifth loss in an hour and ends an hour after the last one', () => {
  const told = [0, 1, 2, 3, 4].flatMap((turn) => lost(1000 + turn * 300, 'A', at('1'), 5));
  const flaps = codesAt([2100, 2300, 2200 + HOURS, 2300 + HOURS], told).map((codes) =>
    codes.includes('FLAPPING'),
  );
  expect(flaps).toEqual([false, true, true, false]);
});

it('an emulator is told to be neither a cable nor Wi-Fi', () => {
  const told = [0, 1, 2, 3, 4].flatMap((turn) => lost(1000 + turn * 300, 'E', {}, 5));
  const others = shelf.filter(({ udid }) => udid !== 'E');
  const phones = [...others, phone('E', {}, { connection: 'emulator' })];
  const found = [
    ...findingsIn(contextOf(2300, told, phones)),
    ...findingsIn(
      contextOf(
        9000,
        [[1000, { kind: 'state', state: 'offline', before: 'device', udid: 'E' }]],
        [phone('E', {}, { connection: 'emulator', state: 'offline' })],
      ),
    ),
  ];
  expect(found.map(({ code }) => code)).toEqual(['PHONE_UNSTABLE', 'FLAPPING', 'OFFLINE_LONG']);
  expect(found.filter(({ remedy }) => !remedy.includes('emulator'))).toEqual([]);
});

it('an emulator that hangs or restarts again and again is told to be no phone with a cable or a SIM', () => {
  const others = shelf.filter(({ udid }) => udid !== 'E');
  const phones = [...others, phone('E', {}, { connection: 'emulator' })];
  const hung = [0, 1, 2].flatMap((hour): Events => {
    const state = (second: number, is: string, before: string) =>
      [second, { kind: 'state', state: is, before, udid: 'E', where: {} }] as const;
    const second = 1000 + hour * HOURS;
    return [[...state(second, 'offline', 'device')], [...state(second + 300, 'device', 'offline')]];
  });
  const crashed: Events = [
    [1000, { kind: 'rebooted', reason: 'kernel_panic', uptimeSeconds: 30, udid: 'E', where: {} }],
  ];
  for (const [told, code] of [
    [hung, 'PHONE_UNSTABLE'],
    [crashed, 'UNEXPLAINED_REBOOT'],
  ] as const) {
    const found = findingsIn(contextOf(4 * HOURS, told, phones)).find((each) => each.code === code);
    expect(found?.remedy).toMatch(/^Start the emulator anew/);
  }
});

it('ADB_RESTARTING begins with the fifth restart of a day', () => {
  const told: Events = [0, 1, 2, 3, 4].flatMap((hour) => [
    [hour * HOURS, { kind: 'adbLost' }],
    [hour * HOURS + 3, { kind: 'adbBack' }],
    [hour * HOURS + 3, { kind: 'adbReplaced' }],
  ]);
  expect(codesAt([3.5 * HOURS, 4.5 * HOURS, 24.5 * HOURS], told)).toEqual([[], ['ADB_RESTARTING'], []]);
});

it('ADB_RESTARTING begins with the twelfth restart of a week, as of a test program that ends adb when it is done', () => {
  const told: Events = [0, 1, 2, 3].flatMap((day) =>
    [0, 3, 6].flatMap((hour): Events => {
      const at = day * DAYS + hour * HOURS;
      return [
        [at, { kind: 'adbLost' }],
        [at + 3, { kind: 'adbBack' }],
      ];
    }),
  );
  const moments = [3 * DAYS + 5 * HOURS, 3 * DAYS + 7 * HOURS, 7.1 * DAYS];
  expect(codesAt(moments, told)).toEqual([[], ['ADB_RESTARTING'], []]);
});

it('ADB_RESTARTING begins when adb has not answered for longer than a minute for the third time in a week', () => {
  const told = (failureKind: 'silent' | 'foreign' | 'absent'): Events =>
    [0, 1.5, 3].flatMap((day) => [
      [day * DAYS, { kind: 'adbLost', failureKind }],
      [day * DAYS + 90, { kind: 'adbBack' }],
    ]);
  const moments = [2 * DAYS, 3.1 * DAYS, 7.1 * DAYS];
  for (const hung of ['silent', 'foreign'] as const)
    expect(codesAt(moments, told(hung))).toEqual([[], ['ADB_RESTARTING'], []]);
  expect(codesAt(moments, told('absent'))).toEqual([[], [], []]);
});

it('ADB_LOSES_PHONES tells phones on the network that nobody connects for minutes after adb started anew', () => {
  const phones = [phone('N', {})];
  const told = (awaySeconds: number): Events =>
    [1, 2, 3, 4, 5].flatMap((day) => [
      [day * DAYS + day * 7 * HOURS, { kind: 'adbReplaced' }],
      ...lost(day * DAYS + day * 7 * HOURS + 1, 'N', {}, awaySeconds),
    ]);
  expect(codesAt([6 * DAYS, 6.6 * DAYS], told(400), phones)).toEqual([[], ['ADB_LOSES_PHONES']]);
  expect(codesAt([6.6 * DAYS], told(120), phones)).toEqual([[]]);
});

describe('HUB_UNSTABLE of a hub of several chips', () => {
  const chips = ['1-5.1', '1-5.1', '1-5.2', '1-5.2', '1-5.3'].map((chip, index) =>
    phone(`C${index}`, at(`${chip}.${index + 1}`)),
  );
  const again = [1, 2.2, 3.5].flatMap((day) =>
    chips.flatMap(({ udid, where }, index) => lost(day * DAYS + index * 0.1, udid, where, 20)),
  );

  it.each([
    ['the hub', '1-5', []],
    ['one of its chips', '1-5.1', ['HUB_UNSTABLE']],
  ])('a note on %s', (_, hub, codes) => {
    const note: Events = [
      [4 * DAYS, { kind: 'note', text: 'new power supply', where: { hub, devpath: hub } }],
    ];
    expect(codesAt([3.9 * DAYS], again, chips)).toEqual([['HUB_UNSTABLE']]);
    expect(codesAt([4.1 * DAYS], [...again, ...note], chips)).toEqual([codes]);
  });
});

describe('POWER_CUT', () => {
  const other = ['X', 'Y', 'Z'].map((udid, index) =>
    phone(udid, at(`3-1.${index + 1}`, `rack 2, bay ${index}`)),
  );
  const room = [...shelf, ...other];
  const seats = room.filter(({ where: { hub } }) => hub === '1-4' || hub === '3-1');
  const cutAt = (second: number, awaySeconds?: number): Events =>
    seats.flatMap(({ udid, where }, index) => lost(second + index * 0.1, udid, where, awaySeconds));
  const findingAt = (now: number, told: Events, phones = room) =>
    findingsIn(
      contextOf(
        now,
        told.filter(([second]) => second <= now),
        phones,
      ),
    ).find(({ code }) => code === 'POWER_CUT');
  const severitiesAt = (times: readonly number[], told: Events) =>
    times.map((now) => findingAt(now, told)?.severity);

  it('is critical once no restart of all phones explains it, until they have been back for half an hour, then a notice for a day', () => {
    expect(
      severitiesAt(
        [1280, 1310, 1000 + 2 * HOURS, 1000 + 2.6 * HOURS, 1000 + 23 * HOURS, 1000 + 25 * HOURS],
        cutAt(1000, 2 * HOURS),
      ),
    ).toEqual([undefined, 'critical', 'critical', 'minor', 'minor', undefined]);
    const away = room.map((each) => ({ ...each, attached: false, state: 'disconnected' }));
    expect(findingAt(1000 + 8 * HOURS, cutAt(1000), away)?.severity).toBe('critical');
    expect(findingAt(1000 + 8 * HOURS, cutAt(1000, 600))?.title).toBe(
      'Phones of several hubs were lost at once 8 h ago, as in a power cut; all are back',
    );
  });

  it('is over although one or two phones stay away, which tell for themselves', () => {
    const stays = cutAt(1000, 600).filter(([second, { udid }]) => second < 1500 || udid !== 'X');
    const phones = room.map((each) =>
      each.udid === 'X' ? { ...each, attached: false, state: 'disconnected' } : each,
    );
    const found = findingAt(1000 + 8 * HOURS, stays, phones);
    expect(found).toMatchObject({ severity: 'minor', title: expect.stringMatching(/all but 1 are back$/) });
  });

  it('stays major for ten days where it happened three times', () => {
    const known: Events = [[-30 * DAYS + 7 * DAYS, { kind: 'agentStarted', version: '1' }]];
    const cuts = [...known, ...[1, 3, 6].flatMap((day) => cutAt(day * DAYS, 600))];
    expect(severitiesAt([3.5 * DAYS, 6 * DAYS + 650, 7 * DAYS, 15 * DAYS, 16.1 * DAYS], cuts)).toEqual([
      ...['minor', 'critical', 'major', 'major'],
      undefined,
    ]);
    expect(findingAt(7 * DAYS, cuts)?.title).toMatch(
      / at once 3 times in 5 days, as in a power cut; all are back$/,
    );
  });

  it.each([
    ['on the host', {}, undefined],
    ['on a hub that lost phones', { hub: '3-1' }, undefined],
    ['on a shelf that lost phones', { slot: 'rack 2' }, undefined],
    ['on another hub', { hub: '1-2' }, 'critical'],
    ['on one slot', { slot: 'rack 2, bay 1' }, 'critical'],
  ])('a note %s', (_, where, severity) => {
    const note: Events = [[1500, { kind: 'note', text: 'fuse', where }]];
    expect(findingAt(1600, [...cutAt(1000), ...note])?.severity).toBe(severity);
    expect(findingAt(3.5 * HOURS, [...cutAt(1000, 600), ...note, ...cutAt(3 * HOURS, 60)])?.severity).toBe(
      'critical',
    );
  });
});

it('HOST_LOST_PHONES ends like POWER_CUT', () => {
  const told = shelf.flatMap(({ udid, where }, index) => lost(1000 + index * 0.1, udid, where, 600));
  const note: Events = [[2000, { kind: 'note', text: 'new card', where: {} }]];
  const found = [1500, 4000].map(
    (now) =>
      findingsIn(
        contextOf(
          now,
          told.filter(([second]) => second <= now),
          shelf,
        ),
      )[0],
  );
  expect(found).toMatchObject([
    { code: 'HOST_LOST_PHONES', severity: 'critical' },
    { code: 'HOST_LOST_PHONES', severity: 'minor' },
  ]);
  expect(codesAt([2100], [...told, ...note])).toEqual([[]]);
});

it('POWER_CUT tells of a host that started anew without a stop, for a day', () => {
  const start = (second: number, bootedAt: number, aliveAt: number): Events[number] => [
    second,
    {
      kind: 'agentStarted',
      version: '1',
      hostBootedAt: contextOf(bootedAt, [], []).now.at,
      lastAliveAt: contextOf(aliveAt, [], []).now.at,
    },
  ];
  expect(codesAt([3000, 2000 + 25 * HOURS], [start(2000, 1950, 1500)])).toEqual([['POWER_CUT'], []]);
  expect(codesAt([3000], [[1500, { kind: 'agentStopped' }], start(2000, 1950, 1500)])).toEqual([[]]);
  expect(codesAt([3000], [start(2000, 100, 1500)])).toEqual([[]]);
  const severities = [3000, 4000].map(
    (now) => findingsIn(contextOf(now, [start(2000, 1950, 1500)], shelf))[0]?.severity,
  );
  expect(severities).toEqual(['critical', 'minor']);
});

it('UNEXPLAINED_REBOOT tells of a crash for a week', () => {
  const told: Events = [
    ...lost(1000, 'A', at('1'), 30),
    [1050, { kind: 'rebooted', udid: 'A', reason: 'kernel_panic' }],
  ];
  expect(codesAt([2000, 1100 + 7 * DAYS], told)).toEqual([['UNEXPLAINED_REBOOT'], []]);
  expect(findingsIn(contextOf(1050 + 60, told, shelf))[0]?.title).toBe(
    'Pixel A crashed and restarted 1 min ago: kernel panic',
  );
});

it('BOOT_LOOP begins with the fourth restart in half an hour, and tells what UNEXPLAINED_REBOOT would', () => {
  const told: Events = [1, 2, 3, 4].map((turn) => [
    turn * 200,
    { kind: 'rebooted', udid: 'A', reason: 'watchdog' },
  ]);
  expect(codesAt([700, 900, 800 + HOURS], told)).toEqual([
    ['UNEXPLAINED_REBOOT'],
    ['BOOT_LOOP'],
    ['UNEXPLAINED_REBOOT'],
  ]);
});

it('BOOT_LOOP begins when a phone has not finished booting for twenty minutes', () => {
  const told: Events = [[1000, { kind: 'attached', state: 'device', udid: 'A', where: at('1') }]];
  const phones = [phone('A', at('1'), { bootCompleted: false })];
  expect(codesAt([2000, 2300], told, phones)).toEqual([[], ['BOOT_LOOP']]);
});

it('OFFLINE_LONG begins after half an hour', () => {
  const told: Events = [
    [1000, { kind: 'state', state: 'offline', before: 'device', udid: 'A', where: at('1') }],
  ];
  const phones = [phone('A', at('1'), { state: 'offline' })];
  expect(codesAt([2700, 2900], told, phones)).toEqual([[], ['OFFLINE_LONG']]);
  expect(codesAt([2900], told, [phone('A', at('1'))])).toEqual([[]]);
});

it.each([
  ['authorizing', PROMPT.usb],
  ['connecting', OFFLINE.usb],
])('OFFLINE_LONG tells of a phone that is %s, by the words of that state', (state, remedy) => {
  const told: Events = [[1000, { kind: 'state', state, before: 'device', udid: 'A', where: at('1') }]];
  const phones = [phone('A', at('1'), { state })];
  expect(findingsIn(contextOf(2900, told, phones))).toMatchObject([
    { code: 'OFFLINE_LONG', sign: state, title: `Pixel A has been ${state} for 31 min`, remedy },
  ]);
});

it('UNAUTHORIZED_AFTER_UPDATE begins ten minutes after the phone came back so', () => {
  const told: Events = [
    [1000, { kind: 'detached', udid: 'A', where: at('1') }],
    [1200, { kind: 'attached', state: 'unauthorized', udid: 'A', where: at('1') }],
  ];
  const phones = [phone('A', at('1'), { state: 'unauthorized' })];
  expect(codesAt([1700, 1900], told, phones)).toEqual([[], ['UNAUTHORIZED_AFTER_UPDATE']]);
});

it('UNAUTHORIZED_AFTER_UPDATE says that adb may have another key, where adb was started anew just before', () => {
  const phones = [phone('A', at('1'), { state: 'unauthorized' }), phone('B', at('2'))];
  const told: Events = [
    [1000, { kind: 'adbReplaced', version: 41 }],
    [1002, { kind: 'state', state: 'unauthorized', before: 'device', udid: 'A', where: at('1') }],
  ];
  expect(codesAt([1100, 1700], told, phones)).toEqual([[], ['UNAUTHORIZED_AFTER_UPDATE']]);
  expect(findingsIn(contextOf(1700, told, phones))[0]).toMatchObject({
    title: 'Pixel A is unauthorized since adb was started anew: adb may have another key',
    remedy: expect.stringContaining('~/.android/adbkey'),
    evidence: [1, 2],
  });
  const [, later = told[1]] = told;
  expect(
    codesAt([1800], [[900, { kind: 'adbReplaced', version: 41 }], later as Events[number]], phones),
  ).toEqual([[]]);
});
