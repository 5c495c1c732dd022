/**
 * Incidents from the trackers of what device farms and CI run on: the lab of Flutter, STF, a plugin of Appium that shares
 * phones, bots at Raspberry Pis, runs with a pool of emulators.
 */
import {
  adbRestarts,
  agentStartsFirst,
  type Background,
  background,
  bot,
  hostDies,
  inUse,
  notReadIn,
} from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** What adb says on a Mac or on Windows names no port of USB. */
const NO_USB_PATH = { slots: false, usbPath: false, hub: false };

/** Its tests restart the phone now and then, and nobody takes it; it dies at night, when its agent would be updated. */
const TESTED: Background = { taken: 0.1, restarts: 5, isUpdated: false };

/** What helps when adb itself ends, or is ended by what runs there. */
const ADB_ENDS =
  /kill-server|\badb\b.{0,60}(crash|end|stop|die|kill|restart|replac)|(end|stop|kill|restart|replac)(s|ed|ing)? .{0,30}\badb\b|(its|an|one|own|each|separate|another) .{0,20}\badb\b|another program/i;

/** Another adb answers from then on: what it lists, it lists a moment later. */
function listedAnew(lab: Lab, at: number, phones: readonly LabPhone[], awayMs = 2 * SECOND): ToldLoss[] {
  const back = adbRestarts(lab, at, 41, awayMs);
  return phones.map((phone) => lab.lose(phone, back + 400, { forMs: lab.random.between(1.2, 5) * SECOND }));
}

/** The host is restarted as planned; `forMs`: until its agent runs again. */
function restartedAsPlanned(lab: Lab, phone: LabPhone, at: number, forMs = 80 * SECOND): void {
  lab.host(at, { kind: 'agentStopped' });
  lab.host(at + forMs, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: at + forMs - 40 * SECOND,
    lastAliveAt: at,
  });
  phone.busy.push({ from: at - 3 * MINUTE, to: at + forMs + 3 * MINUTE });
}

export const farmThreads: readonly Incident[] = [
  {
    name: 'linux-14 hangs with a black screen every few days, until it gets another disk',
    source:
      'flutter/flutter#185036, flutter/flutter#185209, flutter/flutter#185861, flutter/flutter#185904, flutter/flutter#186070',
    seen: 'The service that gives it its tests has not heard of the machine since some time of the night. It hangs, its screen is black. At first that is so once in months, in April every other week, then two days running.',
    cause: 'its internal disk (SSD) was failing',
    did: 'switched the power off and on each time; on the fifth time in a month put in a new disk and installed it anew',
    lab: bot({ from: '2026-04-06', days: 27, models: ['Mokey'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const away: (readonly [from: number, to: number])[] = [];
      for (const [from, to] of [
        [
          [8, '02:17'],
          [8, '09:21'],
        ],
        [
          [11, '05:43'],
          [11, '10:04'],
        ],
        [
          [23, '22:12'],
          [24, '09:36'],
        ],
        [
          [25, '01:26'],
          [25, '09:14'],
        ],
      ] as const) {
        const died = lab.at(from[0], from[1]);
        const startedAt = hostDies(lab, died, lab.at(to[0], to[1]) - died);
        phone.busy.push({ from: died - 3 * MINUTE, to: startedAt + 3 * MINUTE });
        away.push([died, startedAt]);
      }
      notReadIn(lab, phone, away);
      background(lab, TESTED);
      return {
        at: lab.at(25, '09:45'),
        told: {
          about: ['host'],
          says: /\bdis[ck]s?\b|\bSSD\b|\bdrive|hard ?ware|hang|hung|fr[eo]{1,2}z|crash|\bpower|memory|\blogs?\b|kernel|without a word|by itself|suddenly/i,
        },
      };
    },
  },
  {
    name: 'win-13 is dead again and again, as Windows has switched its network adapter off',
    source:
      'flutter/flutter#131062, flutter/flutter#131216, flutter/flutter#132520, flutter/flutter#135433, flutter/flutter#141699',
    seen: 'The monitor has not heard of the machine for hours or for days. It is on, and its phone hangs at it as before.',
    cause: 'its network adapter disables itself, as it seems for want of traffic',
    did: 'restarted the machine each time, or only the network service',
    lab: bot({ from: '2023-07-03', days: 54, known: NO_USB_PATH, models: ['Moto G4'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      for (const [from, to] of [
        [
          [18, '03:25'],
          [18, '10:10'],
        ],
        [
          [21, '10:48'],
          [25, '09:35'],
        ],
        [
          [42, '07:52'],
          [52, '10:20'],
        ],
      ] as const) {
        lab.host(lab.at(from[0], from[1]), { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
        const restarted = lab.at(to[0], to[1]);
        restartedAsPlanned(lab, phone, restarted, 2 * MINUTE);
        lab.host(restarted + 2 * MINUTE + 6 * SECOND, { kind: 'cloudBack' });
      }
      background(lab, TESTED);
      return {
        at: lab.at(42, '13:50'),
        told: {
          about: ['network', 'host'],
          says: /network|ethernet|adapter|\bcables?\b|internet|router|\bswitch\b|connection/i,
        },
      };
    },
  },
  {
    name: 'linux-15 stands still in the midst of a restart, and is missed on Monday',
    source: 'flutter/flutter#120610, flutter/flutter#160182',
    seen: 'On Monday the machine has been dead for two days. Its system had begun to restart.',
    cause: 'it hung in the middle of that restart',
    did: 'took its power away and started it again',
    lab: bot({ from: '2023-01-23', days: 23, models: ['Moto G4'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      for (const [day, time] of [
        [2, '04:11'],
        [5, '21:36'],
        [9, '13:02'],
        [12, '06:49'],
        [16, '17:20'],
      ] as const)
        restartedAsPlanned(lab, phone, lab.at(day, time));
      const [at, back] = [lab.at(19, '08:34'), lab.at(21, '10:12')];
      restartedAsPlanned(lab, phone, at, back - at);
      notReadIn(lab, phone, [[at, back]]);
      background(lab, TESTED);
      return {
        at: lab.at(21, '10:40'),
        told: {
          about: ['host'],
          says: /\bboot|\bstart|restart|reboot|\bpower|hang|hung|shut ?down|(switched|turned) off|\boff\b/i,
        },
      };
    },
  },
  {
    name: 'one of three workers clears its ports, adb ends over it, and the tests of all three are gone',
    source: 'MetaMask/metamask-mobile#35799, MetaMask/metamask-mobile#35815',
    seen: 'Three emulators are tested at once. At the begin of a test one worker removes what it had forwarded; adb answers with a fault of the protocol, its daemon starts anew, and the emulators are offline. Tests of the other workers break off in the middle, as the program on the emulator is gone.',
    cause: 'all three share one adb server, and it ends at times when such commands come in a row',
    did: 'first had the clearing left out, then gave each worker an adb server of its own',
    lab: { zone: 'Europe/London', hubs: [], emulators: 3, from: '2026-08-17', days: 23 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [9, '15:12'],
        [11, '10:40'],
        [14, '16:27'],
        [15, '11:03'],
        [15, '17:48'],
        [16, '09:31'],
        [17, '14:06'],
        [18, '10:22'],
        [18, '18:15'],
        [21, '09:17'],
        [21, '11:54'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(0, 55) * SECOND;
        losses.push(
          ...listedAnew(lab, Math.round(at), emulators, Math.round(lab.random.between(0.6, 2.5) * SECOND)),
        );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '12:20'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host'], says: ADB_ENDS },
      };
    },
  },
  {
    name: 'whoever starts the app from the project loses the log, the picture and the wireless phone',
    source: 'MetaMask/metamask-mobile#11135',
    seen: 'The command that builds and starts the app breaks off `adb logcat` and the recording of the screen. The phone that is debugged over Wi-Fi is not there any more, so an emulator is opened instead.',
    cause: 'the script of that command ends the adb server first',
    did: 'had that taken out of the command',
    lab: {
      zone: 'Europe/Lisbon',
      hubs: [],
      direct: 1,
      network: 1,
      known: NO_USB_PATH,
      from: '2024-08-19',
      days: 24,
      models: ['Pixel 6a', 'Galaxy S22'],
    },
    tell(lab) {
      const [wired, wireless] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '10:22', 4],
        [15, '15:37', 9],
        [16, '11:08', 3],
        [17, '10:51', 6],
        [18, '14:19', 22],
        [21, '10:05', 5],
        [21, '16:42', 12],
        [22, '09:48', 7],
        [22, '11:26', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(...listedAnew(lab, at, [wired]));
        losses.push(lab.lose(wireless, at + 2600, minutes ? { forMs: minutes * MINUTE } : {}));
      }
      background(lab);
      return {
        at: lab.at(22, '11:50'),
        losses,
        blame: ['adb', 'host', 'person'],
        told: {
          about: ['host', 'network', 'phone'],
          says: new RegExp(`${ADB_ENDS.source}|\\badb connect\\b|connect(s|ed)? (it )?(again|anew)`, 'i'),
        },
        alsoAbout: ['network', 'host'],
      };
    },
  },
  {
    name: 'the phones of a farm that have Android 6 answer after minutes only, a day or two after each restart',
    source: 'openstf/stf#257',
    seen: 'Some phones never become ready: the farm waits for their boot to complete. They are listed, but a short command takes them more than two minutes; the others answer at once. It begins one or two days after a restart, and all of them have Android 6.',
    cause: 'not found; only phones with Android 6 have it',
    did: 'restarted these phones each time',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7],
      direct: 1,
      from: '2015-12-28',
      days: 25,
      models: ['Nexus 5', 'Galaxy S5', 'Nexus 6', 'HTC One M8', 'Nexus 5X', 'Mi 4', 'Nexus 6P', 'MX5'],
    },
    tell(lab) {
      const ofAndroid6 = [0, 2, 4, 6].map((index) => lab.pinned(index));
      const asked = lab.at(23, '10:30');
      for (const [index, phone] of ofAndroid6.entries()) {
        const silent: [number, number][] = [];
        let restarted = lab.at([9, 10, 11, 14][index] ?? 9, '16:10') + lab.random.between(0, 60) * MINUTE;
        while (restarted < asked) {
          lab.reboot(phone, restarted, { forMs: 52 * SECOND, reason: 'reboot' });
          const from = Math.round(restarted + lab.random.between(25, 44) * HOUR);
          if (from > asked - HOUR) break;
          lab.facts(phone, from, { isSilent: true, silentSince: from });
          const found = lab.workdays().find((day) => lab.at(day, '09:20') > from) ?? lab.days;
          const again = lab.at(found, '09:20') + lab.random.between(0, 100) * MINUTE;
          silent.push([from, again < asked ? again : lab.end]);
          if (again >= asked) break;
          lab.facts(phone, again + 60 * SECOND, { isSilent: false });
          restarted = again;
        }
        notReadIn(lab, phone, silent);
      }
      background(lab);
      return {
        at: asked,
        told: {
          about: ['phone'],
          says: /restart|reboot|answer|respon[ds]|silent|hang|hung|stuck|slow/i,
        },
        alsoAbout: ['phone', 'host', 'hub', 'port'],
      };
    },
  },
  {
    name: 'a hub at the Mac of a farm drops out at night, and the server of the tests crashes over it',
    source: 'AppiumTestDistribution/appium-device-farm#872',
    seen: 'In the morning the server has often crashed: a command to a phone had failed while the farm looked through its phones. The connection of phones and hub comes and goes at night.',
    cause: 'an unsteady connection of the hub and of phones at it',
    did: 'had the server bear a phone that is gone; was told to wait longer for adb',
    lab: {
      zone: 'Asia/Singapore',
      hubs: [7, 7],
      free: 2,
      known: { ...NO_USB_PATH, slots: true },
      from: '2023-10-16',
      days: 24,
      models: ['Galaxy A52', 'Redmi Note 10', 'Pixel 6', 'OPPO A54'],
    },
    tell(lab) {
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time, seconds] of [
        [11, '02:14', 5],
        [14, '23:51', 9],
        [15, '04:36', 4],
        [17, '01:08', 31],
        [17, '01:22', 6],
        [18, '05:12', 14],
        [20, '00:43', 5],
        [21, '03:27', 88],
        [22, '02:05', 7],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time), {
            spreadMs: 700,
            backSpreadMs: 3 * SECOND,
            forMs: seconds * SECOND,
            isWithHub: true,
          }),
        );
      for (const [which, day, time, seconds] of [
        [2, 13, '03:50', 3],
        [5, 16, '22:31', 8],
        [2, 19, '04:02', 2],
      ] as const)
        lab.lose(phones[which] as LabPhone, lab.at(day, time), { forMs: seconds * SECOND });
      background(lab);
      return {
        at: lab.at(22, '09:15'),
        losses,
        blame: ['hub', 'host', 'unknown'],
        told: { about: ['hub', 'host', 'port'], says: /\bhubs?\b|cable|\bpower|\bplug|socket|\bUSB\b/i },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'an emulator is lost as soon as a test switches its data off, and only another adb finds it again',
    source: 'appium/appium#1769, appium/appium#11294',
    seen: 'When a test switches on airplane mode or takes the mobile data away, adb has no connection to the emulator any more. It stays in the list until the next command, then it is gone, until adb was ended and started.',
    cause: 'an emulator talks to adb over the network that the test takes away',
    did: 'had the test server ask the emulator after each such change, and restart adb if it does not answer',
    cannotShow: 'that a test takes away the network of an emulator is not recorded',
    lab: { zone: 'Europe/Paris', hubs: [], emulators: 1, from: '2013-12-30', days: 19 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '15:06', 11],
        [14, '15:31', 4],
        [15, '09:52', 6],
        [15, '10:14', 3],
        [15, '14:40', 18],
        [16, '11:23', 2],
        [16, '16:05', 5],
        [17, '10:37', 3],
        [17, '11:02', undefined],
      ] as const) {
        const at = lab.at(day, time);
        if (minutes === undefined) {
          losses.push(lab.lose(emulator, at));
          continue;
        }
        const back = adbRestarts(lab, at + minutes * MINUTE, 31);
        losses.push(lab.lose(emulator, at, { forMs: back + 1500 - at }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '11:20'),
        losses,
        blame: ['phone', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: new RegExp(
            `${ADB_ENDS.source}|restart|start(s|ed)? (it )?(again|anew)|reconnect|network|crash`,
            'i',
          ),
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'the tablet of a Raspberry Pi is gone for days, and nobody is told, as the bot is not in quarantine',
    source: 'luci/luci-py#262',
    seen: 'Two bots at Raspberry Pis have lost their Nexus 10. They still call themselves Android, are in no quarantine, and get no tasks; it is found by chance.',
    cause: 'why the tablets went is not told; bots without any device were not put in quarantine on purpose',
    did: 'had such bots put in quarantine from then on',
    lab: {
      ...bot({ from: '2016-06-01', days: 23, models: ['Nexus 10'] }),
      zone: 'America/New_York',
      usb: true,
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      for (const [day, time] of [
        [1, '06:12'],
        [4, '18:40'],
        [8, '11:27'],
        [12, '23:05'],
        [15, '09:33'],
      ] as const)
        lab.reboot(tablet, lab.at(day, time), { forMs: 44 * SECOND, reason: 'reboot' });
      const usual = inUse(lab);
      const at = lab.at(18, '21:49');
      tablet.reading = (now) => (now < at ? usual(now) : undefined);
      const losses = [lab.lose(tablet, at)];
      background(lab);
      return {
        at: lab.at(21, '10:50'),
        losses,
        blame: ['phone', 'port', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /cable|\bplug|\bports?\b|socket|charg|batter|\bpower|restart|reboot|(switched|turned) (on|off)/i,
        },
      };
    },
  },
  {
    name: 'a phone of a farm does not come back to it after a restart, since it has Android 12 and a passcode',
    source: 'DeviceFarmer/stf#394',
    seen: 'A phone is restarted from the page of the farm, and is not in the list of phones any more. Phones with an older Android, and those without a passcode, come back. The program of the farm cannot be found on it.',
    cause: 'the data of the phone stays locked until somebody enters its passcode, so that no app is started',
    did: 'asked; somebody has to unlock the phone by hand',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [7, 4],
      free: 2,
      usb: true,
      from: '2021-12-20',
      days: 24,
      models: ['Pixel 6', 'Pixel 4a', 'Xperia 5 II', 'AQUOS sense4', 'Galaxy S21'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.reboot(phone, lab.at(3, '11:20'), { forMs: 33 * SECOND, reason: 'reboot' });
      lab.reboot(phone, lab.at(9, '16:45'), { forMs: 35 * SECOND, reason: 'reboot' });
      const updated = lab.at(16, '14:10');
      lab.reboot(phone, updated, { forMs: 3.5 * MINUTE, reason: 'reboot,ota' });
      lab.phone(phone, updated + 5 * MINUTE, {
        kind: 'os',
        release: '12',
        before: '11',
        build: '8026584',
        buildBefore: '7825230',
      });
      for (const [day, time, minutes] of [
        [17, '10:31', 46],
        [21, '15:02', 125],
        [23, '09:58', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.reboot(phone, at, { forMs: 34 * SECOND, reason: 'reboot' });
        lab.facts(phone, at + 60 * SECOND, { isDataLocked: true });
        if (minutes) lab.facts(phone, at + minutes * MINUTE, { isDataLocked: false });
      }
      background(lab);
      return {
        at: lab.at(23, '11:15'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /unlock|\bPIN\b|pass(code|word)|\block(ed|s)?\b|screen lock/i,
        },
      };
    },
  },
  {
    name: 'a phone is not found by the test server any more after a pause, each time until it was restarted',
    source: 'appium/appium#12909',
    seen: 'Very often no device is found. When the tool was connected and nothing is done on the phone for a while, it is gone too. To restart the phone is all that helps.',
    cause: 'not found; the part of adb on the phone was thought to crash',
    did: 'restarted the phone each time',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      known: NO_USB_PATH,
      from: '2019-06-24',
      days: 24,
      models: ['Mi 8', 'HUAWEI P20'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const away: [number, number][] = [];
      for (const [day, time, minutes] of [
        [14, '11:42', 26],
        [15, '10:08', 9],
        [15, '16:55', 17],
        [16, '14:21', 44],
        [17, '09:37', 6],
        [17, '15:10', 12],
        [18, '13:49', 31],
        [21, '10:16', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE + 48 * SECOND;
        away.push([at, forMs ? at + forMs : lab.end]);
        losses.push(lab.lose(phone, at, { ...(forMs && { forMs }) }));
        if (forMs)
          lab.rebooted(phone, at + forMs + 20 * SECOND, {
            reason: 'reboot,userrequested',
            uptimeSeconds: 58,
          });
      }
      notReadIn(lab, phone, away);
      background(lab);
      return {
        at: lab.at(21, '10:45'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /restart|reboot|hang|hung|freez|froze|crash|power button|off and on/i,
        },
      };
    },
  },
  {
    name: 'a board with a build of the next Android is listed, and has not booted after 39 minutes',
    source: 'ARM-software/workload-automation#812',
    seen: 'No workload is begun: the board is connected, but Android did not fully boot. It has been on for 39 minutes, and one can use it.',
    cause: 'not told; a service of that build that does not start was thought of',
    did: 'was told to look for it in the logs of the board and of its kernel',
    lab: {
      zone: 'Europe/Paris',
      hubs: [4],
      free: 2,
      usb: true,
      from: '2018-05-28',
      days: 23,
      models: ['HiKey960', 'Pixel 2'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      for (const [day, time] of [
        [4, '10:12'],
        [8, '15:40'],
        [15, '11:05'],
        [18, '16:31'],
      ] as const)
        lab.reboot(board, lab.at(day, time), { forMs: 41 * SECOND });
      const flashed = lab.at(21, '10:52');
      const back = flashed + 4 * MINUTE;
      lab.lose(board, flashed, { forMs: 4 * MINUTE });
      lab.rebooted(board, back + 20 * SECOND, { uptimeSeconds: 40 });
      lab.facts(board, back + 5 * SECOND, { bootCompleted: false });
      lab.phone(board, back + 25 * SECOND, {
        kind: 'os',
        release: 'Q',
        before: '8.1.0',
        build: 'eng.lab.20180618',
        buildBefore: 'eng.lab.20180514',
      });
      background(lab);
      return {
        at: back + 39 * MINUTE,
        told: {
          about: ['phone'],
          keys: [board.udid],
          says: /\bboot|\bstarts?\b|started|restart|\blogs?\b/i,
        },
      };
    },
  },
];
