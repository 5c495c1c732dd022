/** Incidents as plain searches for symptoms give them, of phones that leave their computer on one day or on many. */
import { FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, goneUntil, notReadIn, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody's computer under Windows or macOS, which does not say at which USB port the phone is. */
const computer: LabOptions = {
  hubs: [],
  direct: 1,
  known: { slots: false, usbPath: false, hub: false },
};

/** Somebody's computer under Linux. */
const linux: LabOptions = { hubs: [], direct: 1, usb: true, known: { slots: false } };

/** A machine of a lab in California, with one phone at a port of its own. */
const machine: LabOptions = { ...linux, zone: 'America/Los_Angeles' };

/** Its owner goes home with it on these days, and is back with it at the next of them. */
function takenHome(lab: Lab, phone: LabPhone, days: readonly number[], leaves: number, comes: number): void {
  const { random } = lab;
  for (const [index, day] of days.slice(0, -1).entries()) {
    const at = Math.round(lab.at(day) + (leaves + random.between(-0.6, 0.9)) * HOUR);
    const back = Math.round(lab.at(days[index + 1] ?? day + 1) + (comes + random.between(-0.3, 0.7)) * HOUR);
    if (lab.isFree(phone, at, back + MINUTE)) lab.lose(phone, at, { forMs: back - at });
  }
}

/** It is at the computer only at these times, and elsewhere since `left`. @returns when it is taken away again */
function onlyThereAt(
  lab: Lab,
  phone: LabPhone,
  left: number,
  visits: readonly (readonly [day: number, time: string, minutes: number])[],
): number {
  let since = left;
  for (const [day, time, minutes] of visits) {
    const at = lab.at(day, time);
    lab.lose(phone, since, { forMs: at - since });
    since = at + minutes * MINUTE;
  }
  return since;
}

/** A test tool finds no phone, and ends the server of adb once in a second or so; our agent notes about half of it. */
function endsAdbAgainAndAgain(lab: Lab, from: number, forMs: number): void {
  const { random } = lab;
  for (let at = from; at < from + forMs; at += random.between(1.12, 1.28) * SECOND)
    if (at === from || random.chance(0.5)) adbRestarts(lab, Math.round(at), undefined, 240);
}

export const unluckyDays: readonly Incident[] = [
  {
    name: 'a phone restarts as soon as it is plugged in, and then has no debugging any more',
    source: 'Genymobile/scrcpy#2143',
    seen: 'At the same computer it went well until the program that mirrors its screen was there. Since then it restarts at once whenever it is plugged in, and debugging is off after that.',
    cause: 'not found; the author of the program takes it for a coincidence',
    did: 'nothing, in this thread',
    lab: { ...computer, zone: 'Asia/Kolkata', from: '2021-02-01', days: 24, models: ['phone'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let pulled = onlyThereAt(lab, phone, lab.at(0, '00:40'), [
        [1, '20:15', 64],
        [3, '19:40', 31],
        [6, '11:05', 150],
        [10, '21:22', 48],
        [13, '15:30', 95],
        [16, '20:02', 37],
      ]);
      const plug = (day: number, time: string): number => {
        const at = lab.at(day, time);
        lab.lose(phone, pulled, { forMs: at - pulled });
        return at;
      };
      // it is found, and restarts; its owner switches debugging on again some minutes later
      for (const [day, time, offFor, minutes] of [
        [19, '10:48', 7, 3],
        [19, '11:20', 4, 12],
        [20, '18:55', 9, 5],
        [21, '20:31', 6, 22],
      ] as const) {
        const at = plug(day, time) + random.whole(2500, 6500);
        const on = at + offFor * MINUTE + random.whole(0, 40) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: on - at }));
        lab.rebooted(phone, on + 15 * SECOND, { uptimeSeconds: Math.round((on - at) / SECOND) - 12 });
        pulled = on + minutes * MINUTE;
      }
      losses.push(lab.lose(phone, plug(22, '19:12') + 4300));
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '19:50'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restarts|reboots|restarted|rebooted|by itself|crash|debugging/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone has no USB any more since an app set up a gadget of its own',
    source: 'tejado/android-usb-gadget#34',
    seen: 'The app was installed and used; since then all that the phone has of USB is gone, and its settings of USB are grey. To remove the app did not help.',
    cause: 'the app took the USB functions of the phone away, and the system did not set them up again',
    did: 'restarted the phone',
    lab: { ...linux, zone: 'Europe/Paris', from: '2022-06-20', days: 21, models: ['Wiko Y60'] },
    tell(lab) {
      const phone = lab.pinned(0);
      takenHome(lab, phone, lab.workdays(0, 19), 18.2, 8.9);
      const gone = lab.at(18, '12:16:20');
      const back = lab.at(18, '14:39:05');
      const loss = lab.lose(phone, gone, { forMs: back - gone });
      lab.rebooted(phone, back + 22 * SECOND, { reason: 'reboot,userrequested', uptimeSeconds: 58 });
      background(lab);
      return {
        at: lab.at(18, '13:05'),
        losses: [loss],
        blame: ['phone', 'person', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /restart|reboot|debugging|USB (?:mode|setting|function)/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone drops out in tests, and the test tool then ends adb over and over',
    source: 'appium/appium#15275',
    seen: 'Whenever a test runs adb loses the phone. The tool finds none, ends the adb server, looks again, finds none, and so on, once in about 1.2 seconds.',
    cause: 'not found; the makers of the tool took it for something outside of it',
    did: 'asked whether the part on the phone is to blame',
    lab: { ...computer, zone: 'Asia/Shanghai', from: '2021-03-22', days: 27, models: ['phone of Android 6'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '10:22:41', 4],
        [16, '16:05:17', 9],
        [17, '11:37:50', 3],
        [18, '14:20:08', 14],
        [21, '10:41:33', 2],
        [21, '15:02:56', 6],
        [22, '09:48:12', 38],
        [22, '17:16:29', 5],
        [23, '14:33:04', 7],
        [24, '10:09:45', 4],
        [24, '16:50:38', 11],
      ] as const) {
        const at = lab.at(day, time);
        endsAdbAgainAndAgain(lab, at + random.whole(2000, 9000), random.between(16, 22) * SECOND);
        const forMs = Math.round((minutes + random.between(0, 0.9)) * MINUTE);
        losses.push(lab.lose(phone, at, { forMs }));
      }
      background(lab);
      return {
        at: lab.at(24, '18:00'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /cable|socket|\bplugs?\b|(?:ends?|kill|restart)[^.]{0,30}\badb\b|adb server|kill-server/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a tablet with a new kernel is found once after each of its starts, and not when it is plugged in again',
    source: 'offensive-security/kali-nethunter#457',
    seen: 'After the installation all works at the computer. Unplugged and plugged in again nothing happens, at a charger neither; after a restart it is found once more.',
    cause: 'the kernel that was installed: with another one it is found each time, and lacks something else',
    did: 'restarted it each time; tried other ways to install it',
    cannotShow:
      'a tablet that is plugged in and does not answer looks like one that lies beside the computer',
    lab: { ...linux, zone: 'Europe/Vienna', from: '2016-05-02', days: 18, models: ['Nexus 7'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      takenHome(lab, tablet, [0, 2, 3, 6, 9, 11, 14], 21.4, 18.1);
      // it is written in its recovery, and starts with the new kernel
      lab.lose(tablet, lab.at(15, '18:22'), { forMs: 11 * MINUTE });
      lab.rebooted(tablet, lab.at(15, '18:33:40'), { uptimeSeconds: 64 });
      const losses: ToldLoss[] = [];
      for (const [from, to] of [
        [lab.at(15, '19:04'), lab.at(15, '19:31:18')],
        [lab.at(15, '19:58'), lab.at(15, '20:10:40')],
        [lab.at(15, '21:36'), lab.at(16, '17:49:52')],
        [lab.at(16, '18:20'), lab.at(16, '18:47:05')],
      ] as const) {
        losses.push(lab.lose(tablet, from, { forMs: to - from }));
        lab.rebooted(tablet, to + 12 * SECOND, { uptimeSeconds: lab.random.whole(31, 48) });
      }
      losses.push(lab.lose(tablet, lab.at(16, '19:15')));
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '19:50'),
        losses,
        blame: ['phone', 'person', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /restart|reboot|cable|\bplug|debugging/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone at the hub of a Mac drops out some times in each working day',
    source: 'Genymobile/scrcpy#4508',
    seen: 'The screen of the phone is mirrored all day. The mirror ends by itself, some hours later again, and so on; over Wi-Fi it does not.',
    cause: 'not found',
    did: 'started the mirror anew each time',
    lab: {
      ...computer,
      zone: 'America/New_York',
      from: '2023-11-13',
      days: 25,
      models: ['OnePlus 6'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const asked = lab.at(23, '16:40');
      takenHome(lab, phone, lab.workdays(0, 24), 17.9, 8.9);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(14, 24)) {
        let at = lab.at(day, '09:50') + random.between(0, 80) * MINUTE;
        while (at < lab.at(day, '17:05') && at < asked - 5 * MINUTE) {
          losses.push(lab.lose(phone, at, { forMs: Math.round(random.between(1.4, 6.5) * SECOND) }));
          at += random.between(1.1, 3.6) * HOUR;
        }
      }
      background(lab);
      return {
        at: asked,
        losses,
        blame: ['port', 'link', 'hub', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          says: /cable|socket|\bhub\b|another port|\bplugs?\b|contact|connector/i,
        },
        alsoAbout: ['phone', 'port', 'hub', 'host'],
      };
    },
  },
  {
    name: 'an old Nexus drops out about once a minute while its screen is mirrored',
    source: 'Genymobile/scrcpy#2658',
    seen: 'With the version of the distribution it ends about once a minute, now and then not for five. With the newest one it ends still sooner, often as it starts.',
    cause: 'not found; the phone leaves adb',
    did: 'went back to the old version',
    lab: { ...linux, zone: 'Europe/Zurich', from: '2021-09-06', days: 19, models: ['Nexus 4'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const left = onlyThereAt(lab, phone, lab.at(0, '22:30'), [
        [5, '10:20', 45],
        [9, '20:07', 29],
        [12, '15:02', 41],
        [15, '20:58', 22],
        [17, '18:35', 118],
      ]);
      lab.lose(phone, left);
      for (const [day, time, minutes, isNew] of [
        [9, '20:10', 14, false],
        [12, '15:06', 25, false],
        [15, '21:01', 12, false],
        [17, '18:40', 17, false],
        [17, '19:16', 8, true],
        [17, '19:41', 6, true],
      ] as const) {
        const from = lab.at(day, time);
        const next = () =>
          isNew
            ? random.between(4, 31)
            : random.chance(0.12)
              ? random.between(220, 330)
              : random.between(33, 96);
        for (let at = from + next() * SECOND; at < from + minutes * MINUTE; at += next() * SECOND) {
          const forMs = Math.round(random.between(1.3, 3.4) * SECOND);
          losses.push(lab.lose(phone, at, { forMs }));
          // the mirror is started by hand
          at += forMs + random.between(4, 15) * SECOND;
        }
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '20:05'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: {
          about: ['port', 'phone'],
          says: /cable|socket|another port|\bplugs?\b|contact|connector/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone in the Wi-Fi is not reached after a restart until somebody types its PIN',
    source: 'mouldybread/adb-auto-enable#22',
    seen: 'An app on the phone switches wireless debugging on as it starts, and sets the port. After each start that fails three times. As soon as the phone is unlocked it can be done. When the Wi-Fi was away it must be done by hand too.',
    cause:
      'the phone does not let the app set the port before it was unlocked once; without Wi-Fi the system switches wireless debugging off',
    did: 'unlocked it, and set the port on the page of the app',
    lab: {
      zone: 'Europe/Dublin',
      hubs: [],
      direct: 1,
      network: 2,
      known: { slots: false },
      from: '2026-08-31',
      days: 20,
      models: ['Pixel 6a', 'Pixel 7', 'Chromecast'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, unlockedOn, unlockedAt] of [
        [5, '18:52:10', 5, '19:06:35'],
        [9, '03:14:42', 9, '07:22:08'],
        [14, '21:31:05', 14, '21:36:50'],
      ] as const) {
        const [at, back] = [lab.at(day, time), lab.at(unlockedOn, unlockedAt)];
        losses.push(lab.lose(phone, at, { forMs: back - at }));
        lab.rebooted(phone, back + 18 * SECOND, { uptimeSeconds: Math.round((back - at) / SECOND) - 15 });
      }
      // taken along, and back in the Wi-Fi some hours before anybody sees to it
      losses.push(goneUntil(lab, phone, [11, '13:08'], [11, '20:47']));
      losses.push(lab.lose(phone, lab.at(18, '02:57:33')));
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '07:30'),
        losses,
        blame: ['phone', 'network', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /unlock|\bPIN\b|debugging|tcpip|5555|connect[^.]{0,25}(?:again|anew)|reconnect|adb connect/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a phone stays in fastboot after its new system was written, and the installer waits for adb',
    source: 'ubports/ubports-installer#1885',
    seen: 'The firmware is written, then the phone does not start again. It stands in fastboot, while the installer waits for it on adb.',
    cause: 'the recovery that is written does not start on some phones of this model',
    did: 'nothing, there; the makers knew of it',
    lab: { ...linux, zone: 'America/Toronto', from: '2021-03-15', days: 17, models: ['Redmi 4X'] },
    tell(lab) {
      const phone = lab.pinned(0);
      onlyThereAt(lab, phone, lab.at(0, '07:50'), [
        [4, '21:12', 26],
        [11, '19:38', 51],
        [15, '19:24', 600],
      ]);
      const flashed = lab.at(15, '19:43:16');
      const loss = lab.lose(phone, flashed, { onUsb: { interfaces: [FASTBOOT] } });
      notReadIn(lab, phone, [[flashed, lab.end]]);
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '20:40'),
        losses: [loss],
        blame: ['person', 'phone'],
        told: {
          about: ['phone', 'port'],
          says: /fastboot|bootloader|recovery/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the phone of linux-17 is gone on two Mondays and a Tuesday of April, and on a Wednesday of May',
    source: 'flutter/flutter#167501, flutter/flutter#167946, flutter/flutter#167995, flutter/flutter#168512',
    seen: 'The machine has no phone on April 21, on April 28, on the day after, and on May 7.',
    cause: 'not said; each time it was enough to seat its USB cable anew',
    did: 'seated the cable anew, the last time on the next day',
    lab: { ...machine, from: '2025-04-14', days: 25 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        goneUntil(lab, phone, [6, '22:41:12'], [7, '10:26:30']),
        goneUntil(lab, phone, [13, '03:55:40'], [14, '10:51:08']),
        goneUntil(lab, phone, [14, '19:32:21'], [15, '09:48:55']),
        goneUntil(lab, phone, [23, '13:17:50'], [24, '10:12:03']),
      ];
      background(lab);
      return {
        at: lab.at(23, '16:20'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: {
          about: ['port', 'phone'],
          says: /cable|re-?seat|\bplugs?\b|socket|contact|connector/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the phones of a whole list of machines are gone on one Thursday, and each comes back as it is restarted',
    source: 'flutter/flutter#163782',
    seen: 'A list of Linux machines of the lab have no phone on February 20.',
    cause: 'not told',
    did: 'restarted all of these phones on the next day',
    cannotShow:
      'each machine has its own records: in none of them is it that others lost their phone as well',
    lab: { ...machine, from: '2025-02-03', days: 21, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const gone = lab.at(17, '03:36:28');
      const back = lab.at(18, '10:05:11');
      const loss = lab.lose(phone, gone, { forMs: back - gone });
      lab.rebooted(phone, back + 24 * SECOND, { reason: 'reboot,longkey', uptimeSeconds: 55 });
      background(lab);
      return {
        at: lab.at(17, '15:10'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /restart|reboot|power button|switch(?:ed)? (?:it )?(?:off|on)/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'the phone of linux-73 has switched itself off in the night, and waits for its power button',
    source: 'flutter/flutter#161434',
    seen: 'On a Friday morning the machine has no phone any more.',
    cause: 'the phone switched itself off; why was not looked into',
    did: 'pressed its power button in the afternoon',
    lab: { ...machine, from: '2024-12-23', days: 21, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const off = lab.at(18, '01:12:44');
      const loss = offAndOn(lab, phone, off, lab.at(18, '16:21:30') - off);
      background(lab);
      return {
        at: lab.at(18, '09:15'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /power button|switch(?:ed)? (?:it |itself )?(?:off|on)|turn(?:ed)? (?:it )?(?:off|on)|\bis off\b|restart|start it/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone restarts at once whenever it is told to show an image as a USB disk',
    source: 'Streetwalrus/android_usb_msd#12',
    seen: 'An app shows an image as a disk on USB; on other phones with other systems it did well. On this one the phone restarts as soon as the image is to be mounted.',
    cause: 'its kernel crashes; where was not found, there',
    did: 'sent what the kernel had left of its last log',
    lab: { ...linux, zone: 'Europe/Berlin', from: '2017-07-10', days: 20, models: ['Xperia X'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const left = onlyThereAt(lab, phone, lab.at(0, '07:12'), [
        [2, '20:31', 44],
        [5, '11:10', 97],
        [9, '21:03', 35],
        [13, '16:45', 80],
        [16, '20:12', 112],
        [17, '18:02', 249],
        [18, '07:34', 31],
      ]);
      lab.lose(phone, left, { forMs: lab.at(18, '19:08') - left });
      const losses = (
        [
          [16, '20:41:07'],
          [16, '20:49:33'],
          [17, '18:22:14'],
          [17, '21:05:48'],
          [18, '07:48:20'],
          [18, '19:31:02'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: random.whole(38, 62) * SECOND }));
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '20:10'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restarts|reboots|restarted|rebooted|by itself|crash/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
];
