/**
 * Incidents that people wrote up in Chinese, Japanese, Korean and Russian: in trackers and in their own pages. Mostly it is
 * one phone at the computer of somebody, which restarts, is gone for seconds, or has a battery that suffers.
 */
import {
  adbRestarts,
  agentStartsFirst,
  background,
  hostRestarts,
  inUse,
  levels,
  type Moment,
  offAndOn,
} from '../background.ts';
import {
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  type Reading,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

type Point = readonly [at: number, percent: number];

/** One phone or two at the computer of somebody. */
const desk = (more: LabOptions): LabOptions => ({
  zone: 'Asia/Shanghai',
  hubs: [],
  direct: 2,
  known: { slots: false },
  ...more,
});

/** The same under Windows, which does not say at which USB port the phone is. */
const windowsDesk = (more: LabOptions): LabOptions =>
  desk({ direct: 1, known: { slots: false, usbPath: false, hub: false }, ...more });

/** At home people are there each day. */
const HOME = { isDaily: true, hours: [8, 23] } as const;

/** Nobody noted the second. */
const about = (lab: Lab, [day, time]: Moment): number => lab.at(day, time) + lab.random.whole(0, 55) * SECOND;

/** It restarts by itself at each of these. */
const restartsAt = (
  lab: Lab,
  phone: LabPhone,
  moments: readonly Moment[],
  [least, most]: readonly [number, number],
): ToldLoss[] =>
  moments.map((moment) =>
    lab.reboot(phone, about(lab, moment), { forMs: lab.random.whole(least, most) * SECOND }),
  );

/** It is full at each reading, and as warm as its place: warmest some hours after midnight. */
const alwaysFull =
  (lab: Lab, decicelsius: number, swing: number): Reading =>
  (at) => {
    const hour = ((at - lab.start) / HOUR) % 24;
    const wave = swing * Math.cos((2 * Math.PI * (hour - 3)) / 24);
    return {
      levelPercent: 100,
      isFull: true,
      temperatureDecicelsius: Math.round(decicelsius + wave + (((at / MINUTE) * 3) % 7)),
    };
  };

/** What is said of a battery that is always full, or that has swollen. */
const SWOLLEN = /swell|swollen|bulg|expand|\bfull\b|limit|\bwarm|\b[5-8]0 ?%/i;

/** What helps where the plug may not hold, or adb may have lost the phone. */
const PLUG_OR_ADB =
  /cable|\bplug|re-?seat|socket|(another|other) port|USB debugging|kill-server|(restart|start|stop).{0,30}\badb|adb.{0,30}restart|reconnect/i;

export const postsFromAsia: readonly Incident[] = [
  {
    name: 'a phone starts its Android anew once or twice a day since an app that manages apps was updated',
    source: 'Tornaco/Thanox#262',
    seen: 'In a chat, in a game, and even while it rests, the phone restarts quickly, not wholly. It happened about 20 times since version 2.5: once on March 27 and 28 each, twice on March 29.',
    cause: 'the app, which works within the system of the phone, brings Android down; the kernel goes on',
    did: 'switched the app off, after which it did not happen for more than a day; with it on again it came back',
    cannotShow:
      'Android starts anew without its kernel: neither uptime nor boot id tells, and it looks as a plug that is out for seconds',
    lab: desk({ usb: true, from: '2021-03-08', days: 26, models: ['Pixel 4', 'Mi 10'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const moments: Moment[] = [
        [7, '12:43'],
        [8, '21:10'],
        [9, '08:26'],
        [9, '23:37'],
        [11, '17:52'],
        [12, '03:14'],
        [12, '20:05'],
        [13, '13:31'],
        [14, '22:18'],
        [15, '10:47'],
        [16, '01:29'],
        [16, '18:56'],
        [17, '21:33'],
        [18, '14:12'],
        [19, '16:40'],
        [20, '20:51'],
        [21, '11:08'],
        [21, '19:24'],
      ];
      // its USB is set up anew
      const losses = moments.map((moment) =>
        lab.lose(phone, about(lab, moment), { forMs: lab.random.between(1.5, 7) * SECOND }),
      );
      background(lab, HOME);
      return {
        at: lab.at(21, '20:10'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bapps?\b|program|update|restart|reboot|cable|\bplug|re-?seat|socket|(another|other) port/i,
        },
      };
    },
  },
  {
    name: 'a Mi 3 with a new build of another system restarts whenever its Wi-Fi or mobile data is switched',
    source: 'MI3TD/android_device_xiaomi_pisces#27',
    seen: 'Since the build of October 27 it restarts hard when Wi-Fi or mobile data is switched, at times when the notifications are pulled down, or when the camera hangs.',
    cause: 'the system cannot speak well with the radio of the phone: its firmware was not right',
    did: 'flashed the firmware of the radio again, as it comes from the maker; no restart for two hours then',
    lab: desk({ usb: true, from: '2016-10-10', days: 24, models: ['Mi 3', 'Redmi Note 3'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const flashed = lab.at(19, '21:06');
      const forMs = 17 * MINUTE;
      lab.lose(phone, flashed, { forMs });
      lab.rebooted(phone, flashed + forMs + 30 * SECOND, { uptimeSeconds: 85 });
      lab.phone(phone, flashed + forMs + 31 * SECOND, {
        kind: 'os',
        release: '7.0',
        before: '6.0.1',
        build: '2016.10.27',
        buildBefore: '2016.09.11',
      });
      const moments: Moment[] = [
        [19, '22:14'],
        [19, '22:39'],
        [20, '08:52'],
        [20, '12:20'],
        [20, '12:27'],
        [20, '19:03'],
        [20, '23:41'],
        [21, '09:36'],
        [21, '13:58'],
        [21, '18:11'],
        [21, '18:44'],
        [22, '08:47'],
        [22, '09:15'],
      ];
      const losses = restartsAt(lab, phone, moments, [38, 62]);
      background(lab, HOME);
      return {
        at: lab.at(22, '09:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /firmware|modem|baseband|radio|kernel|update|\bbuild\b|version|flash|\bsystem\b|Android/i,
        },
      };
    },
  },
  {
    name: 'the phone for a quiz is gone from adb whenever an emulator is started on the same computer',
    source: 'smileboywtu/MillionHeroAssistant#43',
    seen: 'A phone at the computer shows the questions of a quiz to a program. Each time an emulator is started, adb loses the phone, and it must be connected over and over.',
    cause: 'the emulator comes with an adb of its own, which takes the place of the one that runs',
    did: 'asked how to keep the emulator off adb; was told that it does not connect by itself, and to switch a watcher off',
    lab: windowsDesk({ from: '2017-12-25', days: 22, models: ['Honor 8'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const gone = (from: number): void => {
        losses.push(lab.lose(phone, from, { forMs: lab.random.between(1, 4) * SECOND, gone: 'nothing' }));
      };
      for (const [day, time] of [
        [17, '12:51'],
        [17, '20:47'],
        [18, '12:54'],
        [18, '21:20'],
        [19, '12:49'],
        [19, '20:52'],
        [19, '21:24'],
        [20, '12:53'],
        [20, '20:50'],
      ] as const) {
        const started = about(lab, [day, time]);
        gone(adbRestarts(lab, started, 36, 2 * SECOND) + 400);
        // the program of the quiz calls its own adb
        const called = started + lab.random.between(12, 50) * SECOND;
        gone(adbRestarts(lab, called, 39, 2 * SECOND) + 400);
      }
      background(lab, HOME);
      return {
        at: lab.at(20, '20:58'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /(another|other|some|which) (program|adb|tool)|programs?|versions?|own adb|emulator|same adb|kill-server|\bkills?\b/i,
        },
      };
    },
  },
  {
    name: 'an editor for quick apps loses the phone each five or six minutes, until it is restarted',
    source: 'quickappcn/issues#104',
    seen: 'While an app is debugged over USB the connection is gone after five or six minutes each time. Only a restart brings it back.',
    cause: 'not told',
    did: 'restarted each time, and reported it to the makers of the editor',
    lab: windowsDesk({ from: '2020-08-10', days: 19, models: ['Redmi K30'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [16, '14:05', '15:10'],
        [17, '09:40', '11:00'],
        [17, '14:20', '15:00'],
      ] as const) {
        const end = lab.at(day, to);
        for (let at = lab.at(day, from); at < end; ) {
          at = Math.round(at + lab.random.between(4.7, 6.4) * MINUTE);
          const seenAfter = Math.round(lab.random.between(0.4, 3) * MINUTE);
          losses.push(lab.lose(phone, at, { as: 'offline', forMs: seenAfter + 3 * SECOND }));
          // with the editor adb is started again
          adbRestarts(lab, at + seenAfter, 41, 2 * SECOND);
          at += seenAfter + 20 * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(17, '15:20'),
        losses,
        blame: ['phone', 'link', 'port', 'adb', 'host', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: PLUG_OR_ADB },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a phone that runs a program of its owner on the floor for 576 days has a swollen battery',
    source: 'https://gilgil.gitlab.io/2025/11/23/1.html',
    seen: 'The case of the phone was found open: its battery has swollen. The other phones of the owner have no such thing.',
    cause:
      'it ran a program in the foreground day and night for 576 days, always on power, on a floor that is warm in summer, and heated in winter',
    did: 'wrote a warning: a phone is not made to run a program for all of a year',
    lab: desk({
      zone: 'Asia/Seoul',
      direct: 3,
      from: '2025-10-27',
      days: 28,
      models: ['Galaxy A16', 'Galaxy S8', 'Galaxy A32'],
    }),
    tell(lab) {
      const phone = lab.pinned(1);
      phone.reading = alwaysFull(lab, 358, 14);
      background(lab, HOME);
      return {
        at: lab.at(27, '10:30'),
        told: { about: ['phone'], keys: [phone.udid], says: SWOLLEN },
      };
    },
  },
  {
    name: 'a Pocophone that hung at its start bulges two weeks later',
    source: 'http://purpwolf.egloos.com/5388310',
    seen: 'Early in August the phone did not get past loading after a restart. On the 19th its back, which was flat, is felt to bulge a little.',
    cause: 'its battery swells: at home it always is on the charger, overnight and at 100 % too',
    did: 'took off its cover to look, and read that batteries swell when they are overcharged or old',
    lab: desk({
      zone: 'Asia/Seoul',
      usb: true,
      from: '2021-07-26',
      days: 26,
      models: ['Poco F1', 'Galaxy A50'],
    }),
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const points: Point[] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      for (const day of lab.everyDay().slice(0, 25)) {
        if (day === 10) {
          const restarted = lab.at(10, '00:12');
          const forMs = lab.at(10, '19:25') - restarted;
          losses.push(offAndOn(lab, phone, restarted, forMs));
          points.push([restarted, 100], [restarted + forMs, 71], [restarted + forMs + 1.1 * HOUR, 100]);
          continue;
        }
        // its owner takes it along
        if (!lab.isWorkday(day) && random.chance(0.6)) continue;
        const left = lab.at(day, '09:20') + random.between(0, 150) * MINUTE;
        const back = lab.at(day, '17:30') + random.between(0, 240) * MINUTE;
        const level = random.whole(35, 70);
        lab.lose(phone, left, { forMs: back - left });
        points.push([left, 100], [back, level], [back + ((100 - level) / 35) * HOUR, 100]);
      }
      phone.reading = levels(points, 364);
      background(lab, HOME);
      return {
        at: lab.at(25, '06:55'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], keys: [phone.udid], says: SWOLLEN },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'an Xperia says that its USB port was disabled, again and again, and then does not charge',
    source: 'https://ossan.fun/2025/06/13/xperia/',
    seen: 'In the evening a message comes up that the USB port was disabled, and asks whether to restore it. Tapped, it is back again and again. At last it says that the port has recovered, but the phone does not charge.',
    cause:
      'not found: most likely dirt in its socket; else damage of it, the cable, heat, or an error of the system',
    did: 'looked up what to try: look into the socket and clean it, another cable and charger, a restart, let it cool',
    lab: desk({ zone: 'Asia/Tokyo', usb: true, from: '2025-05-20', days: 25, models: ['Xperia', 'Aquos'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [time, seconds] of [
        ['21:38', 74],
        ['21:41', 31],
        ['21:43', 118],
        ['21:47', 22],
        ['21:49', 67],
        ['21:54', 205],
        ['22:01', 46],
      ] as const)
        losses.push(lab.lose(phone, about(lab, [23, time]), { forMs: seconds * SECOND }));
      const usual = inUse(lab);
      const since = lab.at(23, '21:38');
      const falls = levels(
        [
          [since, 93],
          [lab.at(24, '00:00'), 84],
          [lab.at(24, '07:00'), 70],
          [lab.end, 22],
        ],
        286,
      );
      phone.reading = (at) => (at < since ? usual(at) : falls(at));
      background(lab, HOME);
      return {
        at: lab.at(24, '08:10'),
        losses,
        blame: ['phone', 'port', 'link'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|socket|clean|dirt|moist|\bwet\b|\bplug|connector|charg/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a Redmi K30S restarts several times a day with an app that feigns its place',
    source: 'Lerist/FakeLocation#50, Lerist/FakeLocation#25',
    seen: 'With the app on the phone restarts often, also after an update of the app. Somebody else says the same of a OnePlus 5T, once the app has run for some time.',
    cause: 'the app has the system compile a lot in the background, until hardly any memory is left',
    did: 'cleaned up what it runs in, which did not help; one went back to an older system',
    lab: desk({ usb: true, from: '2021-02-15', days: 24, models: ['Redmi K30S', 'Redmi 9A'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const moments: Moment[] = [
        [17, '11:32'],
        [17, '18:20'],
        [18, '09:14'],
        [18, '13:05'],
        [19, '20:46'],
        [20, '10:28'],
        [20, '10:51'],
        [20, '22:37'],
        [21, '12:03'],
        [22, '08:49'],
        [22, '17:26'],
        [23, '09:57'],
        [23, '14:15'],
        [23, '21:02'],
      ];
      const losses = restartsAt(lab, phone, moments, [34, 58]);
      background(lab, HOME);
      return {
        at: lab.at(23, '21:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|program|memory|crash|kernel|update|version|\bsystem\b|\blogs?\b|bug ?report|by itself/i,
        },
      };
    },
  },
  {
    name: 'phones of a system in Java drop off adb when many of them are used at the same time',
    source: 'https://www.beikejiedeliulangmao.top/android/adb-lib-ddmlib/',
    seen: 'A system drives Android phones with a library for adb. When several are used at once, adb loses some of them.',
    cause: 'as they suspect, too much data goes over adb at once',
    did: 'changed the library, so that each phone has a limit of how much it transfers',
    cannotShow: 'how much goes over adb and USB is not recorded',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7, 7],
      free: 2,
      usb: true,
      from: '2019-09-23',
      days: 23,
      models: ['Mi 8', 'Honor 10', 'vivo X21', 'OPPO R15'],
    },
    tell(lab) {
      const { random } = lab;
      const losses: ToldLoss[] = [];
      for (const [day, from, minutes, count] of [
        [15, '10:20', 50, 4],
        [16, '14:40', 35, 3],
        [17, '10:05', 80, 6],
        [17, '16:10', 40, 3],
        [18, '15:20', 25, 2],
        [21, '09:50', 95, 7],
        [22, '10:15', 70, 6],
      ] as const) {
        const drop = random.shuffled(lab.usbPhones).slice(0, count);
        for (const phone of drop) {
          const at = lab.at(day, from) + random.between(0, minutes) * MINUTE;
          losses.push(lab.lose(phone, at, { as: 'offline', forMs: random.between(3, 45) * SECOND }));
        }
      }
      background(lab);
      return {
        at: lab.at(22, '11:40'),
        losses,
        blame: ['adb', 'host', 'hub', 'unknown'],
        told: {
          about: ['host', 'hub', 'phone', 'port'],
          says: /bandwidth|traffic|transfer|\bdata\b|\bload\b|overload|\bbusy\b|at (once|the same time)|fewer|spread|controller/i,
        },
        alsoAbout: ['host', 'hub', 'phone'],
      };
    },
  },
  {
    name: 'a Galaxy S7 edge is gone from adb in each run of a program that takes screenshots of a game',
    source: 'wangshub/wechat_jump_game#894',
    seen: 'Whenever the program is started it gets some screenshots, then the connection breaks, and adb lists no phone any more.',
    cause: 'not told',
    did: 'asked',
    lab: windowsDesk({ from: '2017-12-18', days: 18, models: ['Galaxy S7 edge'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '20:12', 3.4],
        [16, '20:19', 1.2],
        [16, '20:31', 5.1],
        [16, '22:06', 14],
        [17, '11:48', 2.3],
        [17, '11:55', 6.7],
        [17, '12:20', 1.6],
        [17, '14:37', 4.2],
      ] as const)
        losses.push(lab.lose(phone, about(lab, [day, time]), { forMs: minutes * MINUTE }));
      background(lab, HOME);
      return {
        at: lab.at(17, '14:50'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: PLUG_OR_ADB },
      };
    },
  },
  {
    name: 'adb does not start on a test computer in the morning, as a process of Windows has its port',
    source: 'AirtestProject/AirtestIDE#286',
    seen: 'When an emulator is to be connected, the tool says that the port of adb, 5037, is held by svchost.exe.',
    cause: 'another program, such as an assistant for phones, has taken the port',
    did: 'was told to close all assistants for phones, and to look in the task manager whether they are really gone',
    lab: windowsDesk({ direct: 2, from: '2018-11-19', days: 18, models: ['Mi 6', 'Honor 9'] }),
    tell(lab) {
      agentStartsFirst(lab);
      for (const phone of lab.pinnedOf('usb')) phone.reading = inUse(lab);
      const at = lab.at(16, '09:07');
      hostRestarts(lab, at);
      lab.host(at + 83 * SECOND, { kind: 'adbLost', failureKind: 'foreign' });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '10:25'),
        told: {
          about: ['host'],
          says: /5037|(another|other|which) program|process|(has|holds|takes|uses|in use).{0,20}\bport\b|\bport\b.{0,30}(taken|held|in use|busy)/i,
        },
      };
    },
  },
  {
    name: 'a phone that navigates and films in a car runs empty within hours, although it is on power',
    source: 'https://englishpromo.ru/2019/12/maksimalnyj-tok-cherez-usb/',
    seen: 'With the navigation and the camera of the drive on at once, the battery drains faster than it charges: from 100 % it is empty after some hours.',
    cause: 'it takes more than it draws from its supply; not told what keeps it from drawing more',
    did: 'bought chargers of 1 A and of 2.1 A, which changed nothing; asked those who know',
    lab: desk({
      zone: 'Europe/Moscow',
      from: '2019-11-18',
      days: 20,
      models: ['Phone in the car', 'Phone at the desk'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const points: Point[] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      for (const [day, from, hours, rest] of [
        [5, '09:10', 3.1, 38],
        [9, '08:30', 4.4, 11],
        [12, '10:05', 2.6, 47],
        [16, '08:15', 5, 1],
        [18, '08:40', 4.8, 1],
      ] as const) {
        const start = lab.at(day, from);
        const end = start + hours * HOUR;
        points.push([start, 100], [end, rest]);
        if (rest > 1) {
          points.push([end + ((100 - rest) / 22) * HOUR, 100]);
          continue;
        }
        // nothing of that runs when it starts again
        const forMs = lab.random.between(35, 70) * MINUTE;
        losses.push(offAndOn(lab, phone, end, forMs));
        points.push([end + forMs, 12], [end + forMs + 4.2 * HOUR, 100]);
      }
      phone.reading = levels(points, 372);
      background(lab, { hours: [8, 20] });
      return {
        at: lab.at(18, '14:00'),
        losses,
        blame: ['phone', 'port', 'link'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /charg|batter|\bempty|\bpower|supply|current|cable|adapter|discharg/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
];
