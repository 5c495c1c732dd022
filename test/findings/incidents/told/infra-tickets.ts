/** Incidents from tickets of teams that keep phones, boxes and virtual phones for the tests of a project. */
import {
  adbRestarts,
  background,
  bot,
  goneUntil,
  hostRestarts,
  inUse,
  levels,
  type Moment,
  offUntil,
} from '../background.ts';
import { type Lab, type LabPhone, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Tests restart it now and then. An old phone gives no reason. */
const restartsAt = (
  lab: Lab,
  phone: LabPhone,
  moments: readonly Moment[],
  seconds: number,
  reason?: string,
): void => {
  for (const moment of moments)
    lab.reboot(phone, lab.at(...moment), {
      forMs: Math.round(lab.random.between(seconds - 4, seconds + 5) * SECOND),
      ...(reason && { reason }),
    });
};

/** Another phone is put where one was. */
function replacedBy(lab: Lab, phone: LabPhone, moment: Moment, levelPercent: number): void {
  const port = lab.portOf(phone, lab.start);
  if (port === undefined) return;
  const at = lab.at(...moment);
  const fresh = lab.add('usb', { port, isThereAtFirst: false });
  fresh.isPinned = true;
  fresh.reading = (now) =>
    now < at ? undefined : { levelPercent, isFull: false, temperatureDecicelsius: 284 };
  lab.phone(fresh, at, { kind: 'attached', state: 'device' });
}

/** A restart of the machine brings its emulators back, a while after its agent. */
function machineRestarts(lab: Lab, at: number, running: readonly LabPhone[]): number {
  hostRestarts(lab, at);
  const startedAt = at + 80 * SECOND;
  for (const emulator of running)
    lab.lose(emulator, startedAt + 500, { forMs: Math.round(lab.random.between(38, 56) * SECOND) });
  return startedAt + Math.round(lab.random.between(45, 70) * SECOND);
}

export const infraTickets: readonly Incident[] = [
  {
    name: 'the phone of win-5 has switched itself off in a night of November',
    source: 'flutter/flutter#178764',
    seen: 'On Tuesday, November 18, the machine has lost its phone.',
    cause: 'the phone switched itself off',
    did: 'pressed its power button, and it was there again',
    lab: bot({ from: '2025-10-27', days: 24, models: ['Mokey'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      restartsAt(
        lab,
        phone,
        [
          [3, '21:44'],
          [9, '10:16'],
          [15, '05:31'],
        ],
        38,
        'reboot,shell',
      );
      const losses = [offUntil(lab, phone, [22, '03:41:27'], [22, '09:38'])];
      background(lab);
      return {
        at: lab.at(22, '10:05'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /(switch|power|turn|shut)(es|s|ed)? (itself |themselves )?(off|down)|power button|batter/i,
        },
      };
    },
  },
  {
    name: 'the phone of win-2 no longer holds its charge, and is away one morning',
    source: 'flutter/flutter#139578',
    seen: 'On Tuesday, December 5, at half past ten, the machine stands in quarantine.',
    cause: 'the battery of the phone has gone bad',
    did: 'put another phone in its place a day later',
    lab: bot({ from: '2023-11-13', days: 25, models: ['Moto G4'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      restartsAt(
        lab,
        phone,
        [
          [2, '18:20'],
          [7, '09:05'],
          [12, '23:12'],
        ],
        55,
      );
      // It is on its charger all the time: by day the tests take more than it keeps, and each night it gets less back.
      phone.reading = levels(
        [
          [lab.start, 100],
          [lab.at(10, '08:00'), 98],
          [lab.at(10, '19:00'), 71],
          [lab.at(11, '05:00'), 96],
          [lab.at(14, '19:00'), 58],
          [lab.at(15, '06:00'), 84],
          [lab.at(16, '20:00'), 43],
          [lab.at(17, '07:00'), 70],
          [lab.at(18, '18:00'), 31],
          [lab.at(20, '08:00'), 52],
          [lab.at(21, '19:00'), 19],
          [lab.at(22, '05:10'), 3],
        ],
        312,
      );
      const losses = [goneUntil(lab, phone, [22, '05:12:33'])];
      replacedBy(lab, phone, [23, '11:20'], 64);
      background(lab);
      return {
        at: lab.at(22, '10:40'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /batter(y|ies)|charg(e|es|ed|ing)\b|another phone|replac/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a phone of linux-5 is taken out of its rack for a new Android, and is back within two hours',
    source: 'flutter/flutter#171552',
    seen: 'The ticket of Wednesday, July 2, asks for Android 16 on the phone of linux-5, which has Android 14.',
    cause: 'somebody updates it by hand, with the Wi-Fi, at a desk',
    did: 'took it out, waited for the update, restarted it and put it back',
    lab: bot({ from: '2025-06-16', days: 24, models: ['Mokey'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      restartsAt(
        lab,
        phone,
        [
          [1, '13:47'],
          [10, '02:25'],
          [21, '16:58'],
        ],
        37,
        'reboot,shell',
      );
      const back = lab.at(17, '12:06:40');
      const losses = [goneUntil(lab, phone, [17, '10:22:15'], [17, '12:06:40'])];
      lab.rebooted(phone, back + 24 * SECOND, { reason: 'reboot,ota', uptimeSeconds: 14 * 60 + 8 });
      lab.phone(phone, back + 24 * SECOND, { kind: 'os', release: '16', before: '14' });
      background(lab);
      return {
        at: lab.at(17, '13:00'),
        losses,
        blame: ['person', 'phone'],
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'one of the two emulators of a machine crashes on two days, and only a restart of the machine helps',
    source: 'dotnet/xharness#1549',
    seen: 'Within two days 29 runs on 17 machines find no emulator of 64 bits: only the other one is there. Three tries on the same machine fail alike.',
    cause: 'that emulator crashes, or does not start',
    did: 'let the machine restart after the last try; wish to have the emulator started again at once',
    lab: { zone: 'UTC', hubs: [], emulators: 2, from: '2026-02-16', days: 12, models: ['emulator'] },
    tell(lab) {
      const [other, crashing] = [lab.pinned(0), lab.pinned(1)];
      const crashes = (from: Moment, restart: Moment): ToldLoss => {
        const at = lab.at(...from);
        const back = machineRestarts(lab, lab.at(...restart), [other]);
        return lab.lose(crashing, at, { forMs: back - at });
      };
      const losses = [crashes([8, '03:14:22'], [8, '03:51:10']), crashes([9, '14:07:48'], [9, '14:44:31'])];
      background(lab, { hasReadings: false });
      return {
        at: lab.at(9, '14:25'),
        losses,
        blame: ['phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /(start|launch|boot)s?(ed)? (it|the emulator|that emulator|its process)|emulator[^.;]{0,50}(start|restart|runs?\b|running|crash|exit|ended|clos|stopp)|crash/i,
        },
      };
    },
  },
  {
    name: 'both emulators of a machine are offline one Monday, whatever a run waits for',
    source: 'dotnet/runtime#115480, dotnet/runtime#112633',
    seen: 'A run finds two emulators, both offline. It tries for five minutes every ten seconds, in vain, and so at its third attempt too. On other machines the same test finds them.',
    cause: 'the emulators of that machine are in a bad state',
    did: 'took it for a fault of that one machine',
    lab: { zone: 'UTC', hubs: [], emulators: 2, from: '2025-04-28', days: 16, models: ['emulator'] },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      const restart = lab.at(14, '11:47:20');
      const back = (from: number) => restart + 80 * SECOND + lab.random.between(30, 55) * SECOND - from;
      const [one, two] = [lab.at(14, '10:41:06'), lab.at(14, '10:41:52')];
      hostRestarts(lab, restart);
      const losses = [
        lab.lose(first, one, { as: 'offline', forMs: back(one) }),
        lab.lose(second, two, { as: 'offline', forMs: back(two) }),
      ];
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '11:31'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'host', 'room'],
          says: /restart|reconnect|\bkill\b|(start|boot)s?(ed)? (it|them|the emulators?)|load|memory|hangs?\b|frozen|froze/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'one of three virtual phones has been away since Christmas, as its owner works on it',
    source: 'golang/go#58971',
    seen: 'Two of three virtual phones are there, one is missing, for weeks. In March a program writes a ticket of it.',
    cause: 'its owner has switched it off, to look for what is wrong with how it is set up',
    did: 'closed the ticket: one that is missing is ordinary upkeep',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 3,
      from: '2022-12-12',
      days: 30,
      models: ['virtual phone'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const [first, second, third] = phones as [LabPhone, LabPhone, LabPhone];
      lab.reboot(first, lab.at(4, '14:51'), { forMs: 71 * SECOND });
      lab.lose(second, lab.at(6, '03:12:44'), { forMs: 19 * SECOND });
      lab.reboot(third, lab.at(9, '17:26'), { forMs: 64 * SECOND });
      const losses = [goneUntil(lab, third, [11, '16:42:30'])];
      lab.lose(first, lab.at(21, '22:40:09'), { forMs: 12 * SECOND });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(28, '10:30'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /(switch|turn|power|shut)(ed)? ?(off|down|on)|start(ed)? (it|the phone|them)|(is|are) (it )?(on|running)\b|reboot/i,
        },
      };
    },
  },
  {
    name: 'a Mac with hubs of seven ports takes some twenty phones, and no more',
    source: 'openstf/stf#280',
    seen: 'With several such hubs at a Mac all is stable, but more than some twenty phones cannot be connected.',
    cause: 'the USB of the computer has room for only so many',
    did: 'left it at that: others asked whether Linux or a card with USB ports does better',
    cannotShow: 'of a phone that its USB does not let in, a Mac tells the agent nothing',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [7, 7, 7, 4],
      free: 5,
      known: { slots: false, usbPath: false, hub: false },
      from: '2016-05-09',
      days: 22,
      models: ['Galaxy S5', 'Nexus 5', 'Xperia Z3', 'LG G3', 'HTC One'],
    },
    tell(lab) {
      // Of three that are added none appears, until another one is pulled and its port is used.
      const pulled = lab.pinned(11);
      const port = lab.portOf(pulled, lab.start);
      const losses = [goneUntil(lab, pulled, [18, '14:12:30'])];
      if (port) {
        const fresh = lab.add('usb', { port, isThereAtFirst: false });
        fresh.isPinned = true;
        const usual = inUse(lab);
        fresh.reading = (at) => (at < lab.at(18, '14:13') ? undefined : usual(at));
        lab.phone(fresh, lab.at(18, '14:12:58'), { kind: 'attached', state: 'unauthorized' });
        lab.phone(fresh, lab.at(18, '14:13:21'), {
          kind: 'state',
          state: 'device',
          before: 'unauthorized',
        });
      }
      background(lab, { taken: 0.4, restarts: 0.3 });
      return {
        at: lab.at(18, '17:00'),
        losses,
        blame: ['person', 'unknown'],
        told: {
          about: ['host', 'hub'],
          says: /controller|endpoint|too many|limit|no room|fewer|(another|second) (host|computer|controller)|USB card/i,
        },
        alsoAbout: ['hub', 'port'],
      };
    },
  },
  {
    name: 'the phone of a CI seems to fall asleep, until a first command wakes its connection',
    source: 'opencv/ci-gha-workflow#141',
    seen: 'From time to time tests on the phone fail, as its connection is stale after a while without work.',
    cause: 'it looks as if the phone falls asleep',
    did: 'had each run ask the phone for its name and its processor first, so that the connection is fresh',
    cannotShow: 'nothing records that a phone sleeps',
    lab: {
      zone: 'Europe/Belgrade',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2024-01-15',
      days: 20,
      models: ['Redmi Note 11'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const sleeps: [Moment, Moment][] = [
        [
          [8, '02:38:11'],
          [8, '09:14:02'],
        ],
        [
          [10, '21:07:55'],
          [10, '23:49:30'],
        ],
        [
          [12, '23:20:16'],
          [14, '08:41:37'],
        ],
        [
          [16, '04:03:48'],
          [16, '07:55:20'],
        ],
        [
          [18, '01:56:09'],
          [18, '10:02:44'],
        ],
      ];
      const losses = sleeps.map(([from, to]) => {
        const at = lab.at(...from);
        return lab.lose(phone, at, { as: 'offline', forMs: lab.at(...to) - at });
      });
      background(lab, { glitches: 0, restarts: 0.2 });
      return {
        at: lab.at(18, '10:30'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /sleep|awake|wake|suspend|doz|stay(s)? on|screen|reconnect/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'each run restarts the phone, and one begins before the phone is ready again',
    source: 'brave/brave-browser#42236, brave/brave-browser#43045',
    seen: 'On November 11, at half past eight in the evening, the script that sets the phone up breaks off. It happens now and then, and once more at Christmas.',
    cause: 'each run restarts the phone first, and does not always wait long enough for it',
    did: 'took the wait after the restart for too short; a month without a failure closed the ticket',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2024-10-28',
      days: 17,
      models: ['Pixel 4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const runs: Moment[] = [];
      for (const day of lab.everyDay().slice(0, 15))
        for (const [earliest, latest] of [
          [0.5, 5],
          [7, 12],
          [14, 18],
          [20.6, 23.5],
        ] as const)
          if (day !== 14 && lab.random.chance(lab.isWorkday(day) ? 0.8 : 0.4)) {
            const minutes = Math.round(lab.random.between(earliest, latest) * 60);
            runs.push([day, `${Math.floor(minutes / 60)}:${minutes % 60}:${lab.random.whole(0, 59)}`]);
          }
      runs.push([14, '02:17:40'], [14, '09:58:03'], [14, '20:29:12']);
      const losses = runs.map((moment) =>
        lab.reboot(phone, lab.at(...moment), {
          forMs: Math.round(lab.random.between(31, 46) * SECOND),
          reason: 'reboot',
        }),
      );
      background(lab);
      const ofThreeDays = losses.filter(({ at }) => at > lab.at(12));
      return { at: lab.at(15, '09:30'), losses: ofThreeDays, blame: ['person'] };
    },
  },
  {
    name: 'a cloud has removed one of three virtual phones, which its owners then set up anew',
    source: 'golang/go#51105',
    seen: 'One of the virtual Android phones is missing, and with it all that are no Android. The one that is set up anew fails builds at first, as its tools are newer.',
    cause: 'the cloud removed it, nobody knows why',
    did: 'set it up again on February 8, as their notes say',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 3,
      from: '2022-01-17',
      days: 26,
      models: ['virtual phone'],
    },
    tell(lab) {
      const [first, second, third] = lab.pinnedOf('tcp') as [LabPhone, LabPhone, LabPhone];
      lab.reboot(second, lab.at(3, '19:07'), { forMs: 68 * SECOND });
      lab.lose(third, lab.at(8, '05:33:18'), { forMs: 23 * SECOND });
      lab.reboot(first, lab.at(15, '11:42'), { forMs: 75 * SECOND });
      const losses = [goneUntil(lab, first, [19, '04:26:51'], [22, '20:38:14'])];
      lab.rebooted(first, lab.at(22, '20:38:40'), { uptimeSeconds: 41 * 60 });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '09:50'),
        losses,
        blame: ['phone', 'network', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /start[^.;]* (it|them|phones?|devices?|machines?)\b|set (it |them )?up|reboot|(is|are) (it )?(on|running)\b|(switch|turn|power|shut)(ed)? ?(off|down|on)/i,
        },
      };
    },
  },
  {
    name: 'long commands to the phone of a build bot hang now and then',
    source: 'google/sanitizers#351',
    seen: 'Builds stop in a command that adb runs on the phone: mostly long ones, at random.',
    cause: 'a fault of adb, it seems one that others have met too',
    did: 'nothing that is told; a year later the ticket was closed as out of date',
    cannotShow: 'a command that hangs leaves the phone and adb as they are for all others',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2014-09-22',
      days: 20,
      models: ['Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      // Who finds the build stuck ends it, and has adb started anew.
      for (const [day, time] of [
        [8, '10:26'],
        [14, '15:03'],
        [17, '09:41'],
      ] as const)
        adbRestarts(lab, lab.at(day, time));
      lab.reboot(phone, lab.at(11, '13:18'), { forMs: 49 * SECOND });
      background(lab);
      return {
        at: lab.at(17, '14:00'),
        told: {
          about: ['phone', 'host'],
          says: /hangs?\b|hung|not answer|no answer|restart (the )?adb|kill-server|(newer|another) adb/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'one of three phones of a small farm loses its connection for half an hour and more',
    source: 'AppiumTestDistribution/appium-device-farm#730',
    seen: 'Of three phones and an emulator one phone is not stable: its connection is away for a long time, and the farm’s program crashes over it.',
    cause: 'the connection of that phone breaks; it is as when it is unplugged for 30 or 40 minutes',
    did: 'asked that such a phone be taken off the list, and plugged one out to show it',
    lab: {
      zone: 'Asia/Ho_Chi_Minh',
      hubs: [],
      direct: 3,
      emulators: 1,
      known: { slots: false },
      from: '2023-06-05',
      days: 20,
      models: ['Galaxy A52', 'Oppo Reno5', 'Galaxy S10'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = [
        goneUntil(lab, phone, [14, '10:48:20'], [14, '11:31:07']),
        goneUntil(lab, phone, [15, '15:22:41'], [15, '15:22:49']),
        goneUntil(lab, phone, [16, '09:36:12'], [16, '11:52:33']),
        goneUntil(lab, phone, [17, '14:05:58'], [17, '14:38:26']),
        goneUntil(lab, phone, [17, '19:44:03'], [18, '08:57:15']),
        goneUntil(lab, phone, [18, '13:29:46'], [18, '14:08:52']),
      ];
      background(lab);
      return {
        at: lab.at(18, '15:30'),
        losses,
        blame: ['port', 'link', 'phone', 'person', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|re-?plug|unplug|plug(s|ged)?\b|socket|connector|another port|loose/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
];
