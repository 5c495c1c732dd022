/** Incidents of the test labs of open systems: .NET, Flutter, Mesa and Celadon, a compiler for models, a tool for boards. */
import {
  adbRestarts,
  background,
  goneUntil,
  inUse,
  type Moment,
  notReadIn,
  offAndOn,
} from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A machine of a lab, with one phone at a port of its own. */
const machine: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** The same under Windows, which does not say at which USB port the phone is. */
const windows: LabOptions = { ...machine, known: { slots: false, usbPath: false, hub: false } };

const between = (lab: Lab, from: Moment, to: Moment): number => lab.at(...to) - lab.at(...from);

/** It hangs, and somebody forces it to restart at the end. */
const forcedAt = (lab: Lab, phone: LabPhone, from: Moment, to: Moment): ToldLoss =>
  offAndOn(lab, phone, lab.at(...from), between(lab, from, to));

/** As it is used, and warmer in these times: so many tenths of a degree, which come and go over four hours. */
function warmerIn(
  lab: Lab,
  phone: LabPhone,
  times: readonly (readonly [from: number, to: number, decicelsius: number])[],
): void {
  const usual = inUse(lab);
  phone.reading = (at) => {
    const reading = usual(at);
    if (reading?.temperatureDecicelsius === undefined) return reading;
    const more = times.map(([from, to, most]) => {
      const part = Math.min((at - from) / (4 * HOUR), (to + 4 * HOUR - at) / (4 * HOUR), 1);
      return most * Math.max(0, part);
    });
    const temperatureDecicelsius = Math.round(reading.temperatureDecicelsius + Math.max(0, ...more));
    return { ...reading, temperatureDecicelsius };
  };
}

export const openLabs: readonly Incident[] = [
  {
    name: 'the air conditioning of a lab fails in a storm, and a month later once more, and the phone of linux-39 gets hot',
    source: 'flutter/flutter#142925, flutter/flutter#142924, flutter/flutter#144650',
    seen: 'On February 5 the machine is taken out of service because its phone is too hot, as others are; on March 5 it is so again, and more machines follow within minutes.',
    cause: 'the air conditioning on the roof had failed, first in a storm',
    did: 'had the air conditioning repaired: by February 8, and by March 7',
    lab: { ...machine, from: '2024-01-29', days: 41, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      warmerIn(lab, phone, [
        [lab.at(6, '16:30'), lab.at(10, '11:00'), 145],
        [lab.at(36, '11:40'), lab.at(38, '09:50'), 155],
      ]);
      background(lab);
      return {
        at: lab.at(37, '10:30'),
        told: {
          about: ['phone', 'room', 'host'],
          says: /\bcool|\bair\b|ventilat|\bfan\b|\brooms?\b|conditioning/i,
        },
        alsoAbout: ['phone', 'room'],
      };
    },
  },
  {
    name: 'the phone of linux-61 is away on the morning after a holiday, and a week later again, until it is rebooted',
    source: 'flutter/flutter#163548, flutter/flutter#164115',
    seen: 'Six machines have lost their phone on February 18, four on February 25; linux-61 is among them both times.',
    cause: 'not found; each time it was enough to reboot the phone',
    did: 'rebooted the phones',
    lab: { ...machine, usb: true, from: '2025-02-03', days: 26, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        forcedAt(lab, phone, [14, '19:22'], [15, '13:47']),
        forcedAt(lab, phone, [22, '04:51'], [22, '14:05']),
      ];
      background(lab);
      return {
        at: lab.at(22, '09:40'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /reboot|restart|power (?:it )?(?:button|cycle|off|on)|switch (?:it )?(?:off|on)/i,
        },
      };
    },
  },
  {
    name: 'every job of a desktop machine fails on a Monday, and its phone is back on Wednesday',
    source: 'dotnet/arcade#9808',
    seen: 'On June 27 all that is sent to DNCENGWIN-028 fails.',
    cause: 'its phone was offline; why is not told',
    did: 'took the machine out of service and had the phone brought back; that was done on June 29',
    lab: { ...windows, from: '2022-06-06', days: 25, models: ['Pixel 4a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = goneUntil(lab, phone, [20, '22:14'], [23, '15:36']);
      lab.note(lab.at(21, '10:12'), {}, 'all jobs fail: out of service, incident opened');
      background(lab);
      return {
        at: lab.at(21, '10:40'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /plug|cable|socket|restart|reboot|charg|power|switched o/i,
        },
      };
    },
  },
  {
    name: 'a phone that tests restart comes back late, or not until somebody presses its button',
    source: 'flutter/flutter#91650, flutter/flutter#91640',
    seen: 'Tests find no phone now and then. The phones of linux-5 and linux-11 do not restart properly.',
    cause: 'the phones are broken',
    did: 'asked for other phones in their place, and to mark these as broken',
    lab: { ...machine, from: '2021-09-20', days: 24, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        forcedAt(lab, phone, [17, '22:08'], [18, '09:31']),
        forcedAt(lab, phone, [19, '14:52'], [21, '10:17']),
        forcedAt(lab, phone, [21, '22:37'], [22, '09:12']),
      ];
      for (let day = 1; day < 22; day += 1)
        for (const about of [2.5, 13.2, 21.4]) {
          const at = Math.round(lab.at(day) + (about + lab.random.between(-1.2, 1.2)) * HOUR);
          if (lab.random.chance(0.3) || !lab.isFree(phone, at, at + 15 * MINUTE)) continue;
          const isSlow = day > 13 && lab.random.chance(0.45);
          const forMs = isSlow ? lab.random.between(3.5, 11) * MINUTE : lab.random.between(36, 58) * SECOND;
          const loss = lab.reboot(phone, at, { forMs: Math.round(forMs), reason: 'reboot,shell' });
          if (isSlow) losses.push(loss);
        }
      background(lab);
      return {
        at: lab.at(22, '10:05'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          says: /replac|repair|broken|reset|re-?flash|firmware|stuck|hang|hung|power button|does not (?:come|start|boot)|by itself|boots? slow/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the health check of a lab ends the adb server before each look, and whoever asks just then is cut off',
    source: 'flutter/flutter#122155, flutter/flutter#125306, flutter/cocoon#1447',
    seen: 'On all Linux machines of the lab the check of the phone fails now and then for some seconds: the connection to adb is reset. Then all is well again.',
    cause: 'the check kills the adb server before it asks for the phone, each time that the machine is idle',
    did: 'wrote it up as an error of the check, which passes by itself',
    lab: { ...machine, from: '2023-02-27', days: 12, models: ['Moto G4'] },
    tell(lab) {
      lab.pinned(0);
      for (let at = lab.at(0, '00:25'); at < lab.end - HOUR; ) {
        const back = adbRestarts(lab, Math.round(at), 41, Math.round(lab.random.between(1.4, 4) * SECOND));
        if (lab.random.chance(0.25))
          adbRestarts(lab, Math.round(back + lab.random.between(4, 70) * SECOND), 41, 2 * SECOND);
        at = back + lab.random.between(11, 46) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(8, '17:10'),
        told: {
          about: ['host'],
          says: /kill|health|\bchecks?\b|script|program|(?:who|what) (?:restarts|stops|ends)/i,
        },
      };
    },
  },
  {
    name: 'the phone of a desktop machine no longer trusts it, and its tests fail for a day',
    source: 'dotnet/runtime#47185',
    seen: 'Many jobs fail on DNCENGWIN-036 on January 19, and on one more machine: adb calls the phone unauthorized.',
    cause: 'the phone has not allowed the machine to debug it; how it came to that is not told',
    did: 'asked those who look after the machines; adb itself says to look for a question on the screen',
    lab: { ...windows, from: '2021-01-04', days: 17, models: ['Pixel 3'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '20:33:10');
      notReadIn(lab, phone, [[at, lab.end]]);
      const loss = lab.lose(phone, at, { forMs: 51 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(15, '10:20'),
        losses: [loss],
        blame: ['phone', 'person', 'port', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /allow|authori[sz]|confirm|\btrust|accept|\bkeys?\b/i,
        },
      };
    },
  },
  {
    name: 'a box that runs a long suite of tests over the network falls asleep in the midst of it',
    source: 'projectceladon/vendor-intel-utils#2804',
    seen: 'The suite never runs to its end: while it runs the device suspends, and adb calls it offline.',
    cause: 'nothing keeps the device awake, which suspends itself',
    did: 'had the device kept from suspending',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      network: 3,
      from: '2025-01-01',
      days: 21,
      models: ['Celadon NUC', 'Celadon tablet', 'Pixel 6'],
    },
    tell(lab) {
      const box = lab.pinned(0);
      const losses = (
        [
          [12, '18:40', 13, '09:25'],
          [13, '18:55', 14, '10:05'],
          [14, '12:10', 14, '13:35'],
          [14, '19:02', 15, '09:40'],
          [15, '18:31', 16, '09:18'],
          [16, '17:58', 19, '09:33'],
        ] as const
      ).map(([day, time, until, end]) => {
        // some tests keep it awake for longer than others
        const at = Math.round(lab.at(day, time) + lab.random.between(12, 55) * MINUTE);
        return lab.lose(box, at, { as: 'offline', forMs: lab.at(until, end) - at });
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '10:10'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [box.udid],
          says: /sleep|suspend|awake|\bwakes?\b|stays? (?:on|awake)|stand-?by|power.?sav|\bdoze/i,
        },
      };
    },
  },
  {
    name: 'a board restarts in the midst of the tests of its graphics, and adb over the network does not find back by itself',
    source: 'intel/external-mesa#3',
    seen: 'The suite of graphics tests never gets to its end on a Skylake machine: its link over the network ends after a restart, and each further command fails, since the device is not found.',
    cause: 'the device restarts during the run; adb over the network ends with that',
    did: 'told the makers of the driver',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 2,
      from: '2016-10-17',
      days: 21,
      models: ['Skylake board', 'Nexus 5X'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const losses = (
        [
          [17, '11:43:08', 38],
          [18, '16:12:51', 12.5],
          [19, '10:27:33', 71],
          [20, '14:19:44', 27],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = Math.round(minutes * MINUTE);
        const up = Math.round((forMs + 15 * SECOND - lab.random.between(20, 32) * SECOND) / SECOND);
        lab.rebooted(board, at + forMs + 15 * SECOND, { uptimeSeconds: up });
        return lab.lose(board, at, { forMs });
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '15:20'),
        losses,
        blame: ['phone', 'person', 'link', 'network'],
        told: {
          about: ['phone', 'network'],
          keys: [board.udid],
          says: /restart|reboot|crash|adb connect|connect .{0,30}again|reconnect/i,
        },
      };
    },
  },
  {
    name: 'of two boards under graphics tests one leaves adb now and then, and the other freezes after five minutes',
    source: 'intel/external-mesa#102',
    seen: 'On the Kaby Lake machine adb is cut off from time to time, which ends the run; the Apollo Lake machine freezes about five minutes after its tests have begun.',
    cause: 'not found; the freezing is taken for a fault of the system that was just installed',
    did: 'asked others to test the driver in his place',
    cannotShow: 'why the one is cut off was not found, and our records do not say when tests run',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 4,
      from: '2018-10-22',
      days: 24,
      models: ['Kaby Lake NUC', 'Apollo Lake board', 'Pixel 2', 'Pixel C'],
    },
    tell(lab) {
      const [kabyLake, apolloLake] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [17, '13:30', 3.5],
        [18, '09:50', 5],
        [21, '10:15', 4],
        [22, '09:40', 6],
      ] as const) {
        const start = lab.at(day, time);
        const apart = () => lab.random.between(18, 85) * MINUTE;
        for (let at = start + apart(); at < start + hours * HOUR; at += apart())
          losses.push(lab.lose(kabyLake, at, { forMs: lab.random.between(3, 45) * SECOND }));
      }
      for (const [day, time, minutes] of [
        [18, '10:20', 34],
        [18, '14:05', 12],
        [21, '11:30', 190],
        [22, '09:55', 21],
        [22, '15:40', 8],
      ] as const) {
        const at = Math.round(lab.at(day, time) + lab.random.between(4.3, 6.2) * MINUTE);
        losses.push(offAndOn(lab, apolloLake, at, minutes * MINUTE));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '17:30'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'a board gets stuck whenever something touches its shared storage, and no longer restarts when told to',
    source: 'ARM-software/devlib#225',
    seen: 'Some tests stop midway on HiKey 960 boards. A shell still opens, but the board cannot be restarted from there, and it is stuck for good once anything goes into its shared storage.',
    cause:
      'the new default folder for the work of the tests, on the shared storage; why this board cannot bear it was not found',
    did: 'set another folder',
    cannotShow: 'what tests write on a board is not recorded',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2017-11-20',
      days: 24,
      models: ['HiKey 960', 'Mate 9'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const stuck = (
        [
          [15, '11:20', 15, '11:58'],
          [16, '15:07', 16, '15:31'],
          [17, '19:45', 18, '09:36'],
          [18, '16:12', 18, '16:49'],
          [21, '10:33', 21, '10:54'],
          [21, '18:20', 22, '09:22'],
          [22, '13:41', 22, '14:26'],
        ] as const
      ).map(([day, time, until, end]) => [lab.at(day, time), lab.at(until, end)] as const);
      // it has no battery: what it says of one does not change
      board.reading = (at) =>
        stuck.some(([from, to]) => at >= from && at < to)
          ? undefined
          : { levelPercent: 100, isFull: true, temperatureDecicelsius: 250 };
      const losses = stuck.map(([, until]) => offAndOn(lab, board, until, lab.random.whole(29, 55) * SECOND));
      background(lab);
      return {
        at: lab.at(22, '15:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'over a weekend all phones of a lab for models go, and are there again on Wednesday',
    source: 'iree-org/iree#17784, iree-org/iree#17805',
    seen: 'On Monday, July 1, tests and measurements on phones all wait for phones that are not there. On July 3 they may be back.',
    cause: 'not told',
    did: 'switched these tests off until the phones were back',
    cannotShow: 'nobody tells why the phones were away, nor what brought them back',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      from: '2024-06-10',
      days: 26,
      models: ['Pixel 6 Pro', 'Pixel 4', 'Moto Edge X30', 'Pixel 6 Pro'],
    },
    tell(lab) {
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const losses = lab.loseAll(phones, lab.at(19, '21:47:20'), {
        spreadMs: 700,
        forMs: between(lab, [19, '21:47:20'], [23, '10:14']),
        backSpreadMs: 6 * SECOND,
      });
      background(lab);
      return {
        at: lab.at(21, '10:30'),
        losses,
        blame: ['hub', 'host', 'room', 'person', 'unknown'],
        alsoAbout: ['hub', 'host', 'port', 'phone', 'room'],
      };
    },
  },
  {
    name: 'a Samsung phone goes for a moment in two of a hundred runs, before it is reset and after that',
    source: 'flutter/flutter#140443, flutter/flutter#141246',
    seen: 'From the middle of December on two or three of a hundred runs fail: the phone is not found. After the machine and its phone were reset at the turn of the year two of the next ninety-eight fail so again.',
    cause: 'not found; a reset of the phone does not end it',
    did: 'reset the phone, and had it looked at again',
    lab: { ...machine, usb: true, from: '2023-12-11', days: 32, models: ['Galaxy A02s'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [5, '02:11:32'],
          [8, '19:40:05'],
          [13, '11:25:48'],
          [25, '06:52:21'],
          [28, '22:17:09'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time), { forMs: lab.random.whole(7, 140) * SECOND }),
      );
      const reset = lab.at(22, '14:31');
      lab.rebooted(phone, reset + 39 * MINUTE, { uptimeSeconds: 6 * 60 });
      lab.lose(phone, reset, { forMs: 38.5 * MINUTE });
      background(lab);
      return {
        at: lab.at(30, '11:00'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|re-?seat|replac|swap|another (?:port|phone)/i,
        },
      };
    },
  },
];
