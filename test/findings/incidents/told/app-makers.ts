/** Incidents of people who make apps, with many frameworks: of the phones, and one camera, that they run them on. */
import { adbRestarts, agentStartsFirst, background, levels, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at a port of the host itself. */
const single: LabOptions = { hubs: [], direct: 1, known: { slots: false } };

type Moments = readonly (readonly [day: number, time: string])[];

/** An app brings the whole phone down: it starts anew by itself, and gives no reason. */
const restartsAt = (lab: Lab, phone: LabPhone, moments: Moments): ToldLoss[] =>
  moments.map(([day, time]) =>
    lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 50) * SECOND, {
      forMs: lab.random.between(38, 65) * SECOND,
    }),
  );

/** It waits for its prompt until somebody looks at it. */
const allowed = (lab: Lab, phone: LabPhone, at: number): void =>
  lab.phone(phone, Math.round(at), { kind: 'state', state: 'device', before: 'unauthorized' });

export const incidents: readonly Incident[] = [
  {
    name: 'a phone restarts once an app for notes is installed, and seconds after each start, until adb removes it',
    source: 'nextcloud/notes-android#337, yeriomin/YalpStore#316, kontalk/androidclient#1112',
    seen: 'The phone restarts right after the installation. Then it works for some seconds after each start, and restarts again. It had been so with other apps before.',
    cause: 'an old Android that cannot read apps built with the tools of that time',
    did: 'uninstalled the app by adb; its makers built it with newer tools',
    lab: { ...single, zone: 'Europe/Rome', from: '2018-02-05', days: 21, models: ['Xperia P'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const loops = (begun: number, times: number) => {
        let at = begun;
        for (let turn = 0; turn < times; turn += 1) {
          const forMs = Math.round(lab.random.between(62, 80) * SECOND);
          losses.push(lab.lose(phone, at, { forMs }));
          lab.rebooted(phone, at + forMs + 7 * SECOND, { uptimeSeconds: Math.round(forMs / SECOND) - 12 });
          at += forMs + lab.random.between(14, 32) * SECOND;
        }
        return at;
      };
      loops(lab.at(9, '21:12'), 5);
      const until = loops(lab.at(20, '11:05'), 7);
      background(lab, { isDaily: true, hours: [9, 23] });
      return {
        at: until - 2 * SECOND,
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|uninstall|safe mode|\bloop|install/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S22 restarts when a picture is taken with the app under development, and a Redmi does not',
    source: 'margelo/react-native-vision-camera#2532, margelo/react-native-vision-camera#2556',
    seen: 'The view of the camera is turned, freezes, and with the tap on the button the phone restarts. With the version before, and with the other camera first, it is the same. A Redmi Note 8 does well.',
    cause: 'at 60 pictures a second the app brings the phone down, which says that it can do so many',
    did: 'a newer version of the library asks for 30',
    lab: {
      zone: 'Europe/Athens',
      hubs: [],
      direct: 2,
      models: ['Galaxy S22', 'Redmi Note 8'],
      from: '2024-01-22',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = restartsAt(lab, phone, [
        [17, '17:40'],
        [17, '18:06'],
        [18, '10:22'],
        [18, '10:43'],
        [18, '11:17'],
        [18, '12:01'],
      ]);
      background(lab);
      return {
        at: lab.at(18, '12:30'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|\btests?\b|camera|crash|\blogs?\b|bug ?report|update|restarts? (by )?itself|by itself/i,
        },
      };
    },
  },
  {
    name: 'two Nexus S restart a few minutes after a map is opened on them',
    source: 'mapbox/mapbox-gl-native#1927',
    seen: 'Whoever uses the sample app for some minutes has the phone restart, each time, and on a second phone of the kind too.',
    cause: 'the app; that it fills the little memory of such a phone was suspected',
    did: 'took the latest version of the library: no restart any more',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 1,
      usb: true,
      models: ['Nexus S', 'Nexus S', 'Nexus 5'],
      from: '2015-07-06',
      days: 20,
    },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      const losses = [
        ...restartsAt(lab, first, [
          [16, '15:20'],
          [16, '15:44'],
          [17, '11:05'],
          [18, '10:31'],
        ]),
        ...restartsAt(lab, second, [
          [17, '16:10'],
          [17, '16:27'],
          [18, '10:04'],
        ]),
      ];
      background(lab);
      return {
        at: lab.at(18, '11:15'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [first.udid, second.udid],
          says: /\bapps?\b|\btests?\b|memory|storage|crash|\blogs?\b|bug ?report|update|by itself/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S4 freezes for half a minute and restarts when an app is deployed to it',
    source: 'NativeScript/nativescript-angular#307, NativeScript/NativeScript#2369',
    seen: 'As soon as the app begins, the phone stands still for some 30 seconds, then it restarts. A Moto X has no trouble, nor had an app of an older version.',
    cause: 'too little memory was left on the phone, as the second of them found',
    did: 'uninstalled other apps; after that it did not restart any more',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      direct: 2,
      models: ['Galaxy S4', 'Moto X'],
      from: '2016-06-06',
      days: 22,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = restartsAt(lab, phone, [
        [18, '19:35'],
        [18, '20:10'],
        [19, '14:52'],
        [20, '11:08'],
        [20, '11:31'],
        [20, '13:47'],
      ]);
      background(lab, { isDaily: true, hours: [9, 22] });
      return {
        at: lab.at(20, '14:10'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|\btests?\b|memory|storage|uninstall|crash|\blogs?\b|bug ?report|by itself/i,
        },
      };
    },
  },
  {
    name: 'an editor that starts an app has two phones come and go for ten seconds, and then unauthorized',
    source: 'nativescript-community/nativescript-vscode-extension#145',
    seen: 'With each start from the editor the phone asks what USB is for again and again, as if its cable were pulled, and in the end it is not authorized. A Galaxy S7 and an Xperia Z5 do so, in 49 of 50 times; a Galaxy Alpha never. Two laptops are alike. From a command line all three do well each time.',
    cause: 'not found: something about how the editor starts it',
    did: 'renewed the drivers, ended other programs, set up another laptop, all in vain; started it from the command line',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 3,
      models: ['Galaxy S7', 'Xperia Z5', 'Galaxy Alpha'],
      from: '2017-06-26',
      days: 17,
    },
    tell(lab) {
      const [galaxy, xperia] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      const starts = [
        [galaxy, 10, '10:15', 4],
        [galaxy, 10, '14:32', 6],
        [xperia, 11, '11:20', 9],
        [galaxy, 11, '16:05', 5],
        [xperia, 14, '10:41', 7],
        [galaxy, 14, '11:28', 12],
        [xperia, 15, '09:50', 6],
        [galaxy, 15, '10:26', undefined],
      ] as const;
      for (const [phone, day, time, minutes] of starts) {
        const begun = lab.at(day, time);
        let at = begun;
        while (at < begun + 10 * SECOND) {
          const forMs = Math.round(lab.random.between(0.8, 1.6) * SECOND);
          const isLast = at + forMs + SECOND >= begun + 8 * SECOND;
          losses.push(lab.lose(phone, at, { forMs, ...(isLast && { backAs: 'unauthorized' }) }));
          if (isLast) break;
          at += forMs + lab.random.between(0.7, 1.5) * SECOND;
        }
        if (minutes) allowed(lab, phone, begun + minutes * MINUTE);
      }
      background(lab);
      return {
        at: lab.at(15, '10:38'),
        losses,
        blame: ['adb', 'host', 'person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /authori|prompt|\badb\b|debugging|program|driver/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'phones on Wi-Fi stay for hours, until a tool of a framework lists the devices',
    source: 'NativeScript/NativeScript#2816, NativeScript/nativescript-cli#203, #1247',
    seen: 'Over Wi-Fi everything by adb works for hours. With the command of the framework that lists devices they are gone at once, and the list of adb is empty after that. Whoever runs an app gets an emulator instead.',
    cause: 'not told there; tools of this maker have ended the adb that runs, or brought another one along',
    did: 'connected the phone anew each time; elsewhere the tools were made to take the adb of the path, and not to end it',
    lab: { zone: 'Europe/Bucharest', hubs: [], network: 2, direct: 1, from: '2016-09-12', days: 18 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '10:12', 7],
        [14, '15:40', 31],
        [15, '11:05', 12],
        [15, '16:22', 4],
        [16, '10:30', 18],
        [16, '11:50', undefined],
      ] as const) {
        const back = adbRestarts(lab, lab.at(day, time));
        losses.push(
          ...lab.loseAll(phones, back + 700, {
            spreadMs: 300,
            ...(minutes && { forMs: minutes * MINUTE, backSpreadMs: 40 * SECOND }),
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(16, '12:15'),
        losses,
        blame: ['adb', 'host', 'person'],
        told: {
          about: ['host', 'network', 'phone'],
          says: /kill-server|(kill|end|restart|start|replac)(s|ed)?\b.{0,20}\badb|\badb\b.{0,30}(kill|end|restart|start|replac)|another program|own adb|adb connect/i,
        },
        alsoAbout: ['network', 'host'],
      };
    },
  },
  {
    name: 'a phone asks for its authorization anew every twenty minutes while an app is debugged on it',
    source: 'webpack/webpack-dev-server#2633, ionic-team/ionic-framework#21414',
    seen: 'The phone is connected and allowed. After 20 minutes it drops out by itself and shows its prompt again, and the session of the debugger is lost; so it has been for months.',
    cause: 'not known',
    did: 'asked the makers of all the tools in use; later wrote that it seemed to be solved',
    lab: { ...single, zone: 'Europe/Madrid', from: '2020-05-11', days: 24, models: ['Redmi 7'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let isAllowed = true;
      const session = (begun: number, end: number) => {
        if (!isAllowed) allowed(lab, phone, begun);
        isAllowed = false;
        for (let at = begun; ; ) {
          at += 20 * MINUTE + lab.random.between(0, 20) * SECOND;
          losses.push(lab.lose(phone, at, { forMs: 1300, backAs: 'unauthorized' }));
          // the last prompt waits for the next session
          if (at > end - 10 * MINUTE) return at;
          at += lab.random.between(0.3, 4) * MINUTE;
          allowed(lab, phone, at);
        }
      };
      for (const day of lab.workdays(0, 22)) {
        session(lab.at(day, '09:30') + lab.random.between(0, 25) * MINUTE, lab.at(day, '13:00'));
        session(lab.at(day, '15:30') + lab.random.between(0, 25) * MINUTE, lab.at(day, '18:00'));
      }
      const last = session(lab.at(22, '09:42'), lab.at(22, '11:20'));
      background(lab, { hasReadings: false });
      return {
        at: last + 2 * MINUTE,
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /authori|prompt|allow|revoke|debugging|cable|\badb\b|plug/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a phone is ready before each deployment and offline at its end',
    source: 'ionic-team/ionic-framework#14475',
    seen: 'adb lists the phone as a device before. Towards the end of the deployment it is offline, and the app does not get there. Another maker of apps knows it well.',
    cause: 'with the other it was the port; a bad adb or driver may do so too',
    did: 'the other took another port; was advised to install adb anew or to look at the drivers',
    lab: { ...single, zone: 'Asia/Kolkata', from: '2018-04-30', days: 17, models: ['Honor 5X'] },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const losses = (
        [
          [11, '15:31', 14],
          [11, '16:48', 6],
          [14, '11:02', 25],
          [14, '12:15', 9],
          [15, '10:20', 5],
          [15, '10:57', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), {
          as: 'offline',
          ...(minutes && { forMs: minutes * MINUTE + lab.random.between(0, 50) * SECOND }),
        }),
      );
      background(lab);
      return {
        at: lab.at(15, '11:40'),
        losses,
        blame: ['port', 'link', 'adb', 'host', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /\bport\b|cable|socket|plug|\badb\b|driver|reconnect|restart/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'phones that are fed with made-up graphics restart in the midst of it, which ends the run',
    source: 'google/graphicsfuzz#696, google/graphicsfuzz#757',
    seen: 'While shaders are tried on it, a phone is lost all of a sudden: adb does not find it, and the run ends.',
    cause: 'the phone restarts while that is tried on it, as the change that mended it says',
    did: 'made the program cope with a phone that restarts',
    lab: { zone: 'Europe/London', hubs: [4, 4], free: 2, usb: true, from: '2019-07-29', days: 20 },
    tell(lab) {
      const [first, second] = [lab.pinned(1), lab.pinned(4)];
      const losses = [
        ...restartsAt(lab, first, [
          [10, '16:20'],
          [11, '02:44'],
          [12, '22:05'],
          [14, '13:31'],
          [15, '05:12'],
          [16, '20:40'],
          [17, '03:58'],
          [18, '09:26'],
        ]),
        ...restartsAt(lab, second, [
          [11, '19:33'],
          [13, '04:21'],
          [15, '23:50'],
          [17, '14:47'],
        ]),
      ];
      background(lab);
      return {
        at: lab.at(18, '10:15'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [first.udid, second.udid],
          says: /restart|\btests?\b|\bapps?\b|crash|\blogs?\b|bug ?report|driver|kernel/i,
        },
      };
    },
  },
  {
    name: 'a camera with Android is gone from adb after some steps of the debugger, and connects at once again',
    source: 'ma1co/OpenMemories-Tweak#159',
    seen: 'On Wi-Fi the debugger falls off after a few steps from a breakpoint on. The app on the camera goes on, its display is lit, it is set not to switch off, and its adbd need not be started again: `adb connect` is enough.',
    cause: 'not found; its Wi-Fi was suspected',
    did: 'connected it again each time; was told to watch it with an endless ping',
    lab: {
      zone: 'Europe/Zurich',
      hubs: [],
      network: 1,
      direct: 1,
      models: ['Nexus 5X', 'A6000'],
      from: '2017-02-13',
      days: 18,
    },
    tell(lab) {
      const [camera] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [11, ['19:42', '20:05', '20:31']],
        [12, ['14:10', '14:28', '15:17', '16:02']],
        [13, ['15:33', '16:20']],
        [14, ['19:25', '19:51', '20:36']],
        [16, ['20:02', '20:19', '20:44']],
      ] as const)
        for (const time of times)
          losses.push(lab.lose(camera, lab.at(day, time), { forMs: lab.random.between(0.7, 6) * MINUTE }));
      background(lab, { isDaily: true, hours: [10, 22], hasReadings: false });
      return {
        at: lab.at(16, '21:00'),
        losses,
        blame: ['link', 'network', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|network|access point|router|signal|\bping|sleep|\bband\b/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'an app that shows the phone in an editor goes on after the play, and has the battery empty in minutes',
    source: 'google-ar/arcore-unity-sdk#712',
    seen: 'The play in the editor is ended, and the app for it still runs on the phone. It eats up the battery within minutes although the phone is at the computer. A Mi 9T and a Galaxy S10 do so, many times, more often at a port of USB 3 than at one of USB 2.',
    cause: 'the app, which seems to use all of the processor',
    did: 'reported it; nobody tells of a remedy',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      direct: 2,
      models: ['Mi 9T', 'Galaxy S10'],
      from: '2020-04-06',
      days: 21,
    },
    tell(lab) {
      const [mi, galaxy] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      const empties = (phone: LabPhone, times: readonly (readonly [number, string, number, number?])[]) => {
        const points: [number, number][] = [[lab.start, 88]];
        for (const [day, time, from, minutes] of times) {
          const off = lab.at(day, time);
          points.push([off - 19 * MINUTE, from], [off, 1]);
          if (minutes === undefined) {
            losses.push(lab.lose(phone, off));
            continue;
          }
          losses.push(offAndOn(lab, phone, off, minutes * MINUTE));
          points.push([off + minutes * MINUTE, 6], [off + minutes * MINUTE + 3 * HOUR, 92]);
        }
        phone.reading = levels(points, 320);
      };
      empties(mi, [
        [9, '16:40', 71, 35],
        [14, '12:15', 64, 50],
        [16, '17:22', 83, 41],
        [18, '15:48', 58],
      ]);
      empties(galaxy, [[15, '14:05', 66, 44]]);
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '16:10'),
        losses,
        blame: ['phone', 'port'],
        told: {
          about: ['phone', 'port'],
          says: /batter|charg|\bpower\b|drain|empty|\bcurrent\b/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the first try to fix the clocks of a phone always finds it offline, and the second does well',
    source: 'simpledotorg/simple-android#3359',
    seen: 'Before the tests of performance the clocks are fixed, for which adbd becomes root. Each time the task fails as the phone is offline. It works when it is tried a second time.',
    cause: 'adbd starts anew as root, and the task does not wait for it',
    did: 'has adb start as root before the tests begin',
    lab: { ...single, zone: 'Asia/Kolkata', from: '2021-12-06', days: 22, models: ['Pixel 4a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '19:04'],
        [15, '19:10'],
        [16, '18:52'],
        [17, '19:21'],
      ] as const) {
        const at = lab.at(day, time);
        lab.facts(phone, at - 2 * SECOND, { adbRoot: true });
        losses.push(lab.lose(phone, at, { as: 'offline', forMs: lab.random.between(1, 4) * MINUTE }));
        // fixed clocks stay so until it restarts
        lab.reboot(phone, at + 55 * MINUTE, { reason: 'reboot,adb' });
        lab.facts(phone, at + 57 * MINUTE, { adbRoot: false });
      }
      const last = lab.at(21, '11:35');
      lab.facts(phone, last - 2 * SECOND, { adbRoot: true });
      losses.push(lab.lose(phone, last, { as: 'offline' }));
      background(lab);
      return {
        at: last + 10 * MINUTE,
        losses,
        blame: ['adb', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /\broot\b|restart.{0,30}\badb|\badb.{0,30}restart|adb server|kill-server|reconnect|\bretr(y|ies)\b/i,
        },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi is lost to its editor now and then for a month, and at times it restarts',
    source: 'microsoft/vscode#130360',
    seen: 'On Wi-Fi the connection to the phone ends now and then, so that all is to be begun again. Sometimes the phone restarts. Another editor has the same.',
    cause: 'not found',
    did: 'installed Windows, the programs and the tools for the phone anew, in vain',
    lab: { zone: 'Asia/Tehran', hubs: [], network: 1, direct: 1, from: '2021-07-22', days: 31 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 3; day < 30; day += 1) {
        if (lab.weekday(day) === 5) continue;
        for (let left = lab.random.whole(0, 2); left > 0; left -= 1) {
          const at = lab.at(day, '10:00') + (left * 3 + lab.random.between(0, 2.5)) * HOUR;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(1, 12) * MINUTE }));
        }
      }
      for (const [day, time] of [
        [8, '20:15'],
        [16, '19:40'],
        [21, '21:05'],
        [29, '20:32'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: lab.random.between(4, 14) * MINUTE }));
      background(lab, { weekdays: new Set([0, 1, 2, 3, 4, 6]), hours: [10, 20] });
      return {
        at: lab.at(30, '12:00'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|network|access point|router|signal|sleep|batter|restart/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'one of the emulators of a test run answers no command any more, and the run waits until its time is over',
    source: 'wix/Detox#1857',
    seen: 'Tests run at several emulators at once. At times a command of adb stands still for good in the midst of them, mostly an installation, until the limit of the test ends it.',
    cause: 'adb was suspected; since the machines are stronger it was not seen any more',
    did: 'looked into adb with its makers; moved to machines with more power',
    lab: { zone: 'Asia/Jerusalem', hubs: [], emulators: 4, from: '2019-12-29', days: 18 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      for (const [which, day, time, minutes] of [
        [2, 9, '13:12', 24],
        [0, 11, '16:40', 27],
        [3, 15, '10:25', 25],
        [1, 16, '14:48', undefined],
      ] as const) {
        const emulator = emulators[which] as LabPhone;
        const at = lab.at(day, time);
        lab.facts(emulator, at, { isSilent: true, silentSince: at });
        if (minutes) lab.facts(emulator, at + minutes * MINUTE, { isSilent: false });
      }
      background(lab, { weekdays: new Set([0, 1, 2, 3, 4]) });
      return {
        at: lab.at(16, '15:08'),
        told: {
          about: ['phone', 'host'],
          says: /\badb\b|restart|answer|respon[ds]|silent|hang|\bload|memory/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
];
