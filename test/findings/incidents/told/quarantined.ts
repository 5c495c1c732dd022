/** Incidents of device farms and CI labs: a phone of a queue is quarantined, missing, or never ready. */
import { whereOf } from '../../room.ts';
import { adbRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Lost from one moment of the lab's clock to another. */
const away = (
  lab: Lab,
  phone: LabPhone,
  [fromDay, fromTime]: readonly [number, string],
  [toDay, toTime]: readonly [number, string],
): ToldLoss => {
  const at = lab.at(fromDay, fromTime);
  return lab.lose(phone, at, { forMs: lab.at(toDay, toTime) - at });
};

export const incidents: readonly Incident[] = [
  {
    name: 'the only phone of a bot switches itself off five times in a month',
    source:
      'flutter/flutter#154755, flutter/flutter#155255, flutter/flutter#155467, flutter/flutter#155958, flutter/flutter#156328',
    seen: 'The bot loses its phone, often over a weekend, and is quarantined until somebody comes. In the end: it keeps turning itself off.',
    cause: 'the phone switches itself off',
    did: 'pressed its power button, each time',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      models: ['Mokey'],
      from: '2024-08-26',
      days: 44,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [from, to] of [
        [
          [11, '13:10'],
          [14, '10:25'],
        ],
        [
          [20, '03:20'],
          [22, '09:40'],
        ],
        [
          [25, '02:15'],
          [25, '11:05'],
        ],
        [
          [35, '12:25'],
          [36, '10:15'],
        ],
        [
          [40, '19:40'],
          [42, '10:20'],
        ],
      ] as const) {
        losses.push(away(lab, phone, from, to));
        lab.rebooted(phone, lab.at(to[0], to[1]) + 20 * SECOND, { uptimeSeconds: 55 });
      }
      background(lab);
      return {
        at: lab.at(42, '09:10'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /power button|(power|switch|turn)(s|ed)? (it |itself )?(on|off)|(power|switch|turn)(s|ed)? by itself|shuts? (itself )?(down|off)|start it/i,
        },
      };
    },
  },
  {
    name: 'a phone with a failing battery is not found, and a restart of its machine does not help',
    source: 'flutter/flutter#140344, flutter/flutter#140399',
    seen: 'Each build of a task fails at once. The bot cannot find its phone, and a restart of the bot does not help.',
    cause: 'the battery of the old phone goes bad, and is about to burst',
    did: 'put another phone in its place',
    cannotShow: 'that a battery swells, or holds no charge, is in none of the records',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      models: ['Moto G4'],
      from: '2023-11-27',
      days: 25,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      agentStartsFirst(lab);
      const loss = lab.lose(phone, lab.at(20, '22:40'));
      hostRestarts(lab, lab.at(21, '09:35'));
      const port = lab.portOf(phone, lab.start);
      const other = lab.add('usb', { isThereAtFirst: false, ...(port && { port }) });
      other.isPinned = true;
      lab.phone(other, lab.at(21, '14:20'), { kind: 'attached', state: 'device' });
      background(lab);
      return {
        at: lab.at(21, '11:00'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], says: /batter(y|ies)|another phone|replace the phone/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'whenever the container of the tests starts, the farm loses its phones',
    source: 'openstf/stf#990',
    seen: 'A farm in containers works, with an adb of its own. When a container for the tests is started too, the farm’s adb loses the phones.',
    cause: 'a second adb server, in the other container, takes the phones',
    did: 'was told to start only one of the two adb',
    lab: { zone: 'Asia/Shanghai', hubs: [7], free: 1, usb: true, from: '2018-11-05', days: 22 },
    tell(lab) {
      const phones = lab.usbPhones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [17, '15:10', 35],
        [17, '16:30', 22],
        [18, '10:40', 50],
        [19, '11:05', 240],
      ] as const) {
        const forMs = minutes * MINUTE;
        losses.push(...lab.loseAll(phones, lab.at(day, time), { spreadMs: 900, forMs, onUsb: {} }));
      }
      background(lab);
      return {
        at: lab.at(19, '13:00'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /(another|second|other|one|two|same|single|only one) (adb|program|server)|container|kill-server|ADB_SERVER_SOCKET|remoteAdbHost/i,
        },
      };
    },
  },
  {
    name: 'a board is away from adb whenever a benchmark has its screen off',
    source: 'ARM-software/workload-automation#959',
    seen: 'Workloads fail, and after them each command of adb, even `ls`, though the same command works by hand.',
    cause: 'the board suspends while the screen is off, as the workloads ask for',
    did: 'no longer switched the screen off; keep it on as long as possible',
    cannotShow: 'nothing records the screen, or that the board sleeps',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, models: ['HiKey'], from: '2019-02-04', days: 21 },
    tell(lab) {
      const board = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17, 18])
        for (const time of ['09:50', '11:30', '14:10', '16:40']) {
          if (day === 18 && time > '12:00') continue;
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          losses.push(lab.lose(board, at, { forMs: lab.random.between(6, 45) * MINUTE }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '14:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], says: /screen|awake|suspend|sleep|stayon/i },
        alsoAbout: ['port', 'host'],
      };
    },
  },
  {
    name: 'a farm never sees more than eight phones, and which ones depends on the order',
    source: 'openstf/stf#476',
    seen: 'With more than eight phones the further ones are not listed. Which ones is random: it depends on what was connected first.',
    cause: 'the USB of the chipset has room for only so many endpoints',
    did: 'was told that only other hardware helps',
    lab: {
      zone: 'Asia/Jerusalem',
      hubs: [7, 4],
      free: 3,
      usb: true,
      controllerId: ['8086', '8cb1'],
      from: '2016-11-01',
      days: 22,
    },
    tell(lab) {
      const free = lab.freePorts(lab.start);
      for (const day of [18, 19])
        for (const [index, port] of free.entries()) {
          const at = lab.at(day, '13:20') + index * 90 * SECOND;
          lab.kernel(at, whereOf(port, lab.known), 'resources');
          lab.kernel(at + 300, whereOf(port, lab.known), 'config');
        }
      for (const [index, port] of free.entries()) {
        const phone = lab.add('usb', { port, isThereAtFirst: false });
        phone.isPinned = true;
        lab.usb(phone, lab.at(18, '13:20') + index * 90 * SECOND, { interfaces: [] });
      }
      background(lab, { taken: 0.3 });
      return {
        at: lab.at(19, '17:00'),
        losses: [],
        told: {
          about: ['host', 'hub', 'port'],
          says: /controller|endpoint|PCI|chipset|too many|fewer/i,
        },
      };
    },
  },
  {
    name: 'phones of a queue have no network, since their Wi-Fi is off',
    source: 'dotnet/xharness#476',
    seen: 'Tests that look up names fail on some phones: these have no address, and do not reach the internet. All else works.',
    cause: 'the Wi-Fi of the phones was off, nobody knows why',
    did: 'switched it on, and had that done before tests',
    lab: { zone: 'America/Los_Angeles', hubs: [4], free: 1, from: '2021-02-03', days: 24 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(2)];
      for (const [index, phone] of phones.entries())
        lab.facts(phone, lab.at(17, '18:20') + index * 61 * HOUR, { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(21, '10:00'),
        told: { about: ['phone', 'network'], says: /Wi-?Fi|wireless|WLAN/i },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a container with a newer adb is not authorised by the phones of a farm',
    source: 'openstf/stf#991',
    seen: 'From a container, `adb connect` to the phones of a farm fails to authenticate, though its key is known. The same image works elsewhere.',
    cause: 'a bug of adb 1.0.40',
    did: 'copied the older adb 1.0.39 into the container',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, from: '2018-11-05', days: 24 },
    tell(lab) {
      const phones = [0, 1].map(() => lab.add('tcp', { isThereAtFirst: false }));
      const started = lab.at(21, '10:12');
      adbRestarts(lab, started - 4 * SECOND, 40, 4 * SECOND);
      for (const [index, phone] of phones.entries()) {
        phone.isPinned = true;
        for (const time of ['10:14', '11:02', '14:37', '16:05']) {
          const at = lab.at(21, time) + index * 7 * SECOND;
          lab.phone(phone, at, { kind: 'attached', state: 'unauthorized' });
          if (time !== '16:05') lab.phone(phone, at + 12 * MINUTE, { kind: 'detached' });
        }
      }
      background(lab);
      return {
        at: lab.at(22, '09:30'),
        told: {
          about: ['host', 'phone', 'network'],
          says: /(older|another|other|same) (adb|version)|adb .{0,30}version|version .{0,20}adb|downgrade/i,
        },
      };
    },
  },
  {
    name: 'the phone of a bot is lost four times in eleven days, until its cable is seated anew',
    source: 'flutter/flutter#164830, flutter/flutter#165138, flutter/flutter#165351, flutter/flutter#165413',
    seen: 'A bot loses its phone again and again, and it does not come back by itself.',
    cause: 'the cable does not sit well at the phone or at the machine',
    did: 'seated the cable anew, each time',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      usb: true,
      models: ['Pixel 7 Pro'],
      from: '2025-02-24',
      days: 24,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        away(lab, phone, [11, '14:10'], [11, '16:40']),
        away(lab, phone, [17, '01:30'], [17, '09:20']),
        away(lab, phone, [19, '23:10'], [21, '09:15']),
        away(lab, phone, [22, '04:40'], [22, '09:05']),
      ];
      background(lab);
      return {
        at: lab.at(22, '08:50'),
        losses,
        blame: ['link'],
        told: {
          about: ['port'],
          keys: [lab.portKey(phone)],
          says: /cable|plug|seat|connector|socket/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
];
