/** Devices with Android that are no ordinary phones: panels and tablets at walls, robots' hubs, driving computers, a treadmill. */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It loses its power for a moment or is switched on again, and begins anew; nobody tells why. */
function startsAnew(lab: Lab, phone: LabPhone, at: number, forMs: number): ToldLoss {
  lab.rebooted(phone, at + forMs + 25 * SECOND, {
    uptimeSeconds: Math.round(Math.min(forMs / 1000, 60) + 10),
  });
  return lab.lose(phone, at, { forMs });
}

/** A level that runs up and down, whatever the charger does. */
const cycling =
  (lab: Lab, sinceDay: number): Reading =>
  (at) => {
    const temperatureDecicelsius = 285 + Math.round(12 * Math.sin(at / (5 * HOUR)));
    if (at < lab.at(sinceDay)) return { levelPercent: 100, isFull: true, temperatureDecicelsius };
    const turn = ((at - lab.start) % (70 * MINUTE)) / (70 * MINUTE);
    const levelPercent = Math.round(96 - 74 * (turn < 0.7 ? turn / 0.7 : (1 - turn) / 0.3));
    return { levelPercent, isFull: false, temperatureDecicelsius };
  };

export const incidents: Incident[] = [
  {
    name: 'a panel at the wall drops its Wi-Fi for seconds every ten minutes',
    source: 'seaky/nspanel_pro_tools_apk#238',
    seen: 'The panel loses its Wi-Fi for a few seconds, every ten minutes.',
    cause: 'a link of the network flaps, and the panel with IPv6 does not stand that',
    did: 'switched IPv6 off in the panel, at each start',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 2, from: '2025-08-04', days: 19 },
    tell(lab) {
      const panel = lab.pinned(1);
      const losses: ToldLoss[] = [];
      const until = lab.at(16, '20:00');
      for (let at = lab.at(12, '18:20'); at < until; at += 10 * MINUTE) {
        const from = at + lab.random.between(0, 9) * SECOND;
        losses.push(lab.lose(panel, from, { forMs: lab.random.between(3, 9) * SECOND }));
      }
      background(lab, { isDaily: true, hours: [8, 22], hasReadings: false, isUpdated: false });
      return {
        at: lab.at(16, '19:00'),
        losses: losses.filter((loss) => loss.at < lab.at(16, '19:00')),
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /IPv6|flap|Wi-?Fi|access point|router|switch/i,
        },
      };
    },
  },
  {
    name: 'the hub of a robot loses its Wi-Fi when static goes through its USB port',
    source: 'FIRST-Tech-Challenge/ftcdocs#449',
    seen: 'On the field the control hub is suddenly without Wi-Fi.',
    cause: 'its USB 2.0 port shares a bus with its Wi-Fi: static that goes in there ends the Wi-Fi',
    did: 'used its USB 3.0 port, or a splitter',
    cannotShow: 'neither static nor what is plugged into the device itself is recorded',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, network: 1, from: '2026-01-12', days: 26 },
    tell(lab) {
      const [hub] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 25; day += 1) {
        // they practise on Tuesdays, Thursdays and Saturdays
        if (![2, 4, 6].includes(lab.weekday(day)) || lab.random.chance(0.2)) continue;
        const first = lab.at(day, '17:20') + lab.random.between(0, 40) * MINUTE;
        for (let left = lab.random.whole(1, 2); left > 0; left -= 1) {
          const at = first + left * 35 * MINUTE;
          losses.push(startsAnew(lab, hub, at, lab.random.between(100, 260) * SECOND));
        }
      }
      background(lab, { hours: [16, 20], weekdays: new Set([2, 4, 6]), hasReadings: false });
      return {
        at: lab.at(24, '21:00'),
        losses,
        blame: ['link', 'phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /static|discharge|\bESD\b|USB 3|other USB port|splitter|Wi-?Fi/i,
        },
      };
    },
  },
  {
    name: 'the tablet of a robot’s drivers goes off when it is shaken',
    source: 'gamemanual0/gm0#391',
    seen: 'The driver hub loses its power at random, also in a match, though its battery is not empty.',
    cause: 'its battery is not of the right size and loses contact',
    did: 'what its maker describes against unexpected power-offs, better before it happens',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, network: 1, from: '2023-09-11', days: 24 },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '16:42', 2.2],
        [10, '17:31', 1.7],
        [11, '16:18', 3.1],
        [15, '17:05', 2.4],
        [17, '18:12', 1.9],
        [18, '16:55', 4.3],
        [21, '17:26', 2.1],
        [21, '18:03', 1.8],
      ] as const)
        losses.push(startsAnew(lab, tablet, lab.at(day, time), minutes * MINUTE));
      background(lab, { hours: [15, 19] });
      return {
        at: lab.at(21, '20:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /battery|contact|loose|switch(es|ed)? (itself )?off|power/i },
      };
    },
  },
  {
    name: 'the Wi-Fi of a robot’s driver hub does not outlive its sleep',
    source: 'gamemanual0/gm0#391',
    seen: 'Now and then the driver hub has no Wi-Fi after it was asleep.',
    cause: 'its Wi-Fi driver crashes when it goes to sleep',
    did: 'restarted it each time',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, network: 1, from: '2023-09-18', days: 25 },
    tell(lab) {
      const [hub] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const days = [8, 11, 15, 17, 21] as const;
      for (const [index, day] of days.entries()) {
        const at = lab.at(day, '18:40') + lab.random.between(0, 50) * MINUTE;
        const isLast = index === days.length - 1;
        // at the next practice somebody wonders, and restarts it
        const back = lab.at(day + 2, '16:05') + lab.random.between(0, 25) * MINUTE;
        losses.push(isLast ? lab.lose(hub, at) : startsAnew(lab, hub, at, back - at));
      }
      background(lab, { hours: [15, 19], hasReadings: false });
      return {
        at: lab.at(22, '16:10'),
        losses,
        blame: ['phone', 'link'],
        told: {
          about: ['phone', 'network'],
          says: /restart|reboot|sleep|asleep|awake|Wi-?Fi|screen/i,
        },
      };
    },
  },
  {
    name: 'a driving computer goes off without warning, and so does the next one there',
    source: 'commaai/openpilot#30303',
    seen: 'The device turns off without warning and boots again; at times only when its power was cycled. Another device in the same car does so too, also with a new harness.',
    cause: 'the cable between harness and device; another owner guessed at the heat of the summer',
    did: 'replaced the cable',
    lab: { zone: 'America/Denver', hubs: [], direct: 2, from: '2023-10-02', days: 26, usb: true },
    tell(lab) {
      const first = lab.pinned(0);
      const port = lab.portOf(first, lab.start);
      const second = lab.add('usb', { ...(port && { port }), isThereAtFirst: false });
      second.isPinned = true;
      const losses: ToldLoss[] = [];
      const crash = (phone: LabPhone, day: number, time: string, seconds = lab.random.between(38, 60)) =>
        losses.push(startsAnew(lab, phone, lab.at(day, time), seconds * SECOND));
      crash(first, 3, '08:12');
      crash(first, 5, '17:47');
      crash(first, 6, '08:26', 410);
      // a new harness
      lab.lose(first, lab.at(8, '10:30'), { forMs: 35 * MINUTE });
      crash(first, 9, '17:20');
      crash(first, 11, '08:05');
      crash(first, 11, '18:02');
      // another device
      lab.lose(first, lab.at(13, '11:00'));
      lab.phone(second, lab.at(13, '11:12'), { kind: 'attached', state: 'device' });
      crash(second, 14, '08:19');
      crash(second, 16, '17:33');
      crash(second, 17, '08:11');
      crash(second, 19, '17:58', 520);
      crash(second, 21, '08:24');
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '12:00'),
        losses,
        blame: ['port', 'phone'],
        told: { about: ['port'], keys: [lab.portKey(first)], says: /cable/i },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a driving computer freezes twice in two weeks and starts anew',
    source: 'commaai/openpilot#19874',
    seen: 'The picture stands still for some seconds, then the device reboots; the second time in less than two weeks, with the newest version.',
    cause: 'not found: its system software, as an update ended it for a long while',
    did: 'updated the operating system of the device',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, network: 1, from: '2021-02-08', days: 30 },
    tell(lab) {
      const [device] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [
        lab.reboot(device, lab.at(15, '22:50'), { forMs: 52 * SECOND }),
        lab.reboot(device, lab.at(26, '23:41'), { forMs: 48 * SECOND }),
      ];
      background(lab, { hasReadings: false, isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(27, '09:00'),
        losses,
        blame: ['phone'],
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'the screen of a treadmill takes no adb until its permissions are revoked',
    source: 'cagnulein/qdomyos-zwift#1010',
    seen: 'adb to the tablet that is built into a treadmill has been flaky lately; it does not connect to port 5555 any more.',
    cause: 'not found: the debugging of the tablet, or the permissions that it keeps',
    did: 'revoked the permissions for USB debugging and switched debugging on again',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, network: 1, from: '2022-11-07', days: 25 },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '18:50', 24],
        [14, '19:35', 51],
        [17, '20:10', 17],
        [20, '18:25', 38],
      ] as const)
        losses.push(lab.lose(tablet, lab.at(day, time), { forMs: minutes * MINUTE }));
      losses.push(lab.lose(tablet, lab.at(22, '18:40')));
      background(lab, { hasReadings: false, isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(22, '20:00'),
        losses,
        blame: ['phone', 'link', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /revoke|authori[sz]|debugging|adb connect|restart|reboot/i,
        },
      };
    },
  },
  {
    name: 'a tablet at the wall hangs askew after a week at its charger',
    source: 'http://www.awe.com/mark/blog/20120324.html',
    seen: 'The tablet had been on the wall for a week, always at its charger, and was no longer straight: both of its batteries had swelled.',
    cause: 'it was charged all the time',
    did: 'found the batteries swollen',
    lab: { zone: 'Europe/London', hubs: [], direct: 2, from: '2012-03-05', days: 22 },
    tell(lab) {
      const tablet = lab.pinned(0);
      const hung = lab.at(9, '19:30');
      lab.lose(tablet, hung - 3 * HOUR, { forMs: 3 * HOUR });
      tablet.reading = (at) => {
        const wave = Math.round(14 * Math.sin((at - lab.start) / (4 * HOUR)));
        const isHung = at >= hung;
        return {
          levelPercent: isHung ? 100 : 70 + wave,
          isFull: isHung,
          temperatureDecicelsius: (isHung ? 330 : 270) + wave,
        };
      };
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(16, '20:00'),
        told: {
          about: ['phone'],
          says: /swell|swollen|bulg|charg(e|ed|ing|er)|unplug|battery/i,
        },
      };
    },
  },
  {
    name: 'a tablet that plays music restarts although it is at its adapter',
    source: 'https://cliverlong.wordpress.com/2016/08/17/silly-wasteful-design/',
    seen: 'The tablet has been rebooting even with its power plugged in, and the level of its battery runs up and down.',
    cause: 'the battery is worn out',
    did: 'opened it; thought of a new battery, or of none',
    lab: { zone: 'Europe/London', hubs: [], direct: 2, from: '2016-07-25', days: 25 },
    tell(lab) {
      const tablet = lab.pinned(0);
      tablet.reading = cycling(lab, 12);
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 23; day += 1)
        for (let left = lab.random.whole(0, 2); left > 0; left -= 1) {
          const at = lab.at(day, '07:30') + left * 5 * HOUR + lab.random.between(0, 3) * HOUR;
          losses.push(lab.reboot(tablet, at, { forMs: lab.random.between(45, 75) * SECOND }));
        }
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /battery/i },
        alsoAbout: ['port'],
      };
    },
  },
];
