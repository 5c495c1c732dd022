/**
 * Incidents that plain searches for a symptom found first: devices that restart for a program, for their modem or for their
 * system, a television that is switched off, an emulator and computers that do not bear their sleep or their restart.
 */
import {
  adbRestarts,
  agentStartsFirst,
  background,
  hostRestarts,
  inUse,
  levels,
  notReadIn,
  offAndOn,
} from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One device at a port of the computer of somebody. */
const alone = (more: LabOptions): LabOptions => ({ hubs: [], direct: 1, known: { slots: false }, ...more });
/** One that adb reaches over the network. */
const onNetwork = (more: LabOptions): LabOptions => alone({ direct: 0, network: 1, ...more });

/** What helps with a device that a program, its own or another one, brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|programs?\b|software|firmware|\bsystem\b|kernel|panic|crash|update|\blogs?\b|bug ?report|by itself/i;

/** Each time it restarts by itself; some seconds more or less. */
const restartsAt = (
  lab: Lab,
  phone: LabPhone,
  times: readonly (readonly [day: number, time: string])[],
  [least, most]: readonly [number, number],
): ToldLoss[] =>
  times.map(([day, time]) =>
    lab.reboot(phone, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, {
      forMs: Math.round(lab.random.between(least, most) * SECOND),
    }),
  );

/** The computer is restarted as planned; when its agent runs again. */
function startsAnew(lab: Lab, at: number): number {
  hostRestarts(lab, at);
  return at + 80 * SECOND;
}

export const beyondCables: readonly Incident[] = [
  {
    name: 'a television restarts again and again since the home automation asks what it plays',
    source: 'al-one/hass-xiaomi-miot#2453',
    seen: 'Since the television was added to the home automation it restarts by itself, over and over.',
    cause: 'one entity of the home automation, which asks and steers what is played',
    did: 'disabled that entity; the television is normal again',
    lab: onNetwork({ zone: 'Asia/Shanghai', from: '2025-03-24', days: 21, models: ['Redmi TV'] }),
    tell(lab) {
      const tv = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [18, '19:52', '23:05'],
        [19, '09:41', '11:12'],
      ] as const)
        for (let at = lab.at(day, from); at < lab.at(day, to); at += lab.random.between(5, 19) * MINUTE)
          losses.push(
            lab.reboot(tv, Math.round(at), { forMs: Math.round(lab.random.between(55, 95) * SECOND) }),
          );
      // its plug is pulled for the night
      const pulled = lab.at(18, '23:31');
      offAndOn(lab, tv, pulled, lab.at(19, '09:20') - pulled);
      background(lab, { taken: 0, isDaily: true, hasReadings: false });
      return {
        at: lab.at(19, '11:25'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [tv.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'since an update adb loses the emulator of a player each time the computer sleeps',
    source: 'LmeSzinc/AzurLaneAutoScript#5938',
    seen: 'The program that plays in the emulator often says lately that adb has lost it. With the same emulator that did not happen before; now it does whenever the computer sleeps.',
    cause: 'the sleep of the computer, since the emulator or Windows was updated',
    did: 'asked whether to change the settings of Windows or those of the emulator; connected it again each time',
    lab: onNetwork({ zone: 'Asia/Shanghai', from: '2026-08-10', days: 21, models: ['MuMu'] }),
    tell(lab) {
      const emulator = lab.pinned(0);
      const losses: ToldLoss[] = [];
      // it bore these
      for (const [day, time, hours] of [
        [1, '08:10', 8.2],
        [2, '13:35', 1.1],
        [3, '08:02', 7.5],
        [5, '10:20', 9.4],
        [6, '11:05', 9.8],
        [7, '18:46', 0.7],
        [9, '08:15', 8],
      ] as const)
        lab.host(lab.at(day, time), { kind: 'hostSlept', forMs: Math.round(hours * HOUR) });
      // the new version of the emulator is installed
      const updated = lab.at(11, '20:30');
      offAndOn(lab, emulator, updated, 14 * MINUTE);
      for (const [day, time, hours, minutes] of [
        [12, '10:41', 9.6, 12],
        [13, '11:02', 10.1, 5],
        [13, '18:27', 0.8, 21],
        [15, '08:09', 7.9, 3],
        [16, '19:12', 2.3, 8],
        [17, '08:20', 8.3, 34],
        [18, '13:10', 0.6, 6],
        [19, '10:55', 9.2, 4],
        [20, '10:16', 8.8, 9],
        [20, '14:24', 0.5, undefined],
      ] as const) {
        const woke = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        lab.host(woke, { kind: 'hostSlept', forMs: Math.round(hours * HOUR) });
        const at = woke + Math.round(lab.random.between(1, 5) * SECOND);
        const forMs =
          minutes === undefined ? {} : { forMs: minutes * MINUTE + lab.random.whole(0, 40) * SECOND };
        losses.push(lab.lose(emulator, at, { as: 'offline', ...forMs }));
      }
      background(lab, { taken: 0, isDaily: true, hasReadings: false });
      return {
        at: lab.at(20, '14:50'),
        losses,
        blame: ['host', 'adb', 'phone', 'link'],
        told: {
          about: ['host', 'phone', 'network'],
          says: /sle(ep|pt)|stand-?by|suspend|hibernat|\bwoke|\bwakes?\b|awake/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a Galaxy S7 loses charge at its cable until it is flat, since an app limits how far it charges',
    source: 'sriharshaarangi/BatteryChargeLimit#227',
    seen: 'All was well before. Since the app was installed and switched on, both it and the phone say that it charges, while the level falls and falls. In the end the phone is flat, and does not charge.',
    cause: 'the app, through a file that the system of the phone does not handle as it should',
    did: 'were told to charge it while it is off, and to take another file in the settings; one took another app',
    lab: alone({ zone: 'Europe/London', usb: true, from: '2021-12-20', days: 17, models: ['Galaxy S7'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const [installed, flat] = [lab.at(13, '20:15'), lab.at(15, '19:22')];
      const before = inUse(lab);
      const after = levels(
        [
          [installed, 91],
          [lab.at(14, '08:00'), 76],
          [lab.at(14, '13:00'), 58],
          [lab.at(14, '20:00'), 42],
          [lab.at(15, '08:00'), 27],
          [lab.at(15, '14:00'), 13],
          [flat, 1],
        ],
        285,
      );
      phone.reading = (at) => (at < installed ? before(at) : at < flat ? after(at) : undefined);
      const loss = lab.lose(phone, flat);
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '20:40'),
        losses: [loss],
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          says: /charg|\bflat\b|empty|batter|ran out|run out/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'an emulator in a container ends after a while, and not long after each start of the container',
    source: 'budtmo/docker-android#222',
    seen: 'The running emulator crashes. A restart of its container starts it again, but not for long. For somebody else a restart does not bring it back.',
    cause: 'not found',
    did: 'restarted the container each time; somebody else deleted it and made a new one',
    lab: onNetwork({ zone: 'Europe/Berlin', from: '2019-12-09', days: 20, models: ['Galaxy S6 emulator'] }),
    tell(lab) {
      const emulator = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '11:08', 26],
        [11, '14:50', 9],
        [14, '10:22', 41],
        [14, '12:02', 7],
        [14, '16:37', 17 * 60],
        [15, '10:31', 12],
        [17, '15:44', 6],
        [17, '16:51', 23],
        [18, '09:39', 5],
        [18, '10:27', 4],
        [18, '12:05', undefined],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        losses.push(
          minutes === undefined
            ? lab.lose(emulator, at)
            : offAndOn(lab, emulator, at, minutes * MINUTE + lab.random.whole(50, 110) * SECOND),
        );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '12:30'),
        losses,
        blame: ['phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: /restart|reboot|crash|container|emulator|memory|\bKVM\b|by itself|start(s|ed)? (it )?(again|anew)/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'all of USB is gone from a Raspberry Pi minutes after a service began to ask the power supply',
    source: 'raspberrypi/linux#3404',
    seen: 'The computer starts well. Shortly after a service is started that asks an uninterruptible power supply on USB every half a minute, the kernel says that its controller does not answer and is taken for dead, and each device on USB is gone. Only a restart brings them back.',
    cause: 'the USB controller of the board does not bear how that supply is asked',
    did: 'restarted the computer each time',
    lab: {
      zone: 'Europe/Lisbon',
      from: '2019-12-30',
      days: 17,
      hubs: [4],
      free: 2,
      known: { slots: false },
      usb: true,
      controllerId: ['1106', '3483'],
      models: ['Moto G6', 'Galaxy A5'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      const down: [number, number][] = [];
      for (const [day, time, again] of [
        [12, '18:22', '19:05'],
        [12, '19:09', '19:31'],
        [13, '10:48', '11:20'],
        [13, '11:24', '15:02'],
        [13, '21:40', '22:07'],
        [14, '17:53', undefined],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        lab.kernel(at, {}, 'died', '0000:00:14.0');
        const back = again && startsAnew(lab, lab.at(day, again)) + 3 * SECOND;
        down.push([at, back ?? lab.end]);
        losses.push(
          ...lab.loseAll(phones, at + 250, {
            spreadMs: 400,
            gone: 'controller',
            ...(back && { forMs: back - at - 250 }),
          }),
        );
      }
      for (const phone of phones) notReadIn(lab, phone, down);
      background(lab, { isDaily: true, isUpdated: false });
      return {
        at: lab.at(14, '18:30'),
        losses,
        blame: ['host'],
        told: {
          about: ['host'],
          says: /restart|reboot|firmware|EEPROM|kernel|\b(un|re)?bind\b|\bload(ed)? (it |the driver )?(again|anew)/i,
        },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'now and then no phone is on USB when the computer wakes, since its kernel was updated',
    source: 'https://tomlankhorst.nl/unresponsive-usb-unbind-bind-linux',
    seen: 'Since the kernel of the computer was updated, once in every few times that it wakes from sleep, what is at one of its USB controllers does not answer, and is in no list any more. A restart brings all of it back.',
    cause: 'the kernel: its driver of that controller does not come back well from sleep',
    did: 'unbound the driver of the controller and bound it again',
    lab: {
      zone: 'Europe/Amsterdam',
      from: '2021-01-18',
      days: 22,
      hubs: [],
      direct: 2,
      known: { slots: false },
      usb: true,
      models: ['OnePlus 6', 'Nexus 5X'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      const away: [number, number][] = [];
      // the update
      hostRestarts(lab, lab.at(5, '17:20'));
      const helped = new Map<number, number | 'restart' | undefined>([
        [7, 'restart'],
        [9, 'restart'],
        [13, 22],
        [15, 4],
        [18, 3],
        [20, undefined],
      ]);
      for (const day of lab.everyDay().slice(1, 21)) {
        // nobody is there on the sixth day, nor on the twelfth
        if (day === 6 || day === 12) continue;
        const nights = day === 7 || day === 13 ? 24 * HOUR : 0;
        const woke = lab.at(day, '08:31') + lab.random.whole(0, 80) * MINUTE;
        const forMs = nights + Math.round(lab.random.between(9, 11.5) * HOUR);
        lab.host(woke, { kind: 'hostSlept', forMs });
        away.push([woke - forMs, woke]);
        if (!helped.has(day)) continue;
        const how = helped.get(day);
        const at = woke + SECOND;
        const back =
          how === 'restart' ? startsAnew(lab, woke + 14 * MINUTE) + 3 * SECOND : how && woke + how * MINUTE;
        away.push([at, back ?? lab.end]);
        losses.push(...lab.loseAll(phones, at, { spreadMs: 600, ...(back && { forMs: back - at }) }));
      }
      for (const phone of phones) notReadIn(lab, phone, away);
      background(lab, { isDaily: true, isUpdated: false });
      return {
        at: lab.at(20, '10:20'),
        losses,
        blame: ['host'],
        told: {
          about: ['host'],
          says: /\b(un|re)?-?bind|driver|controller|kernel|sle(ep|pt)|suspend|\bwoke|\bwakes?\b|resume|restart|reboot/i,
        },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'a television goes into standby in the middle of the evening, since the home automation knows it',
    source: 'home-assistant/core#95676',
    seen: 'At random the television goes off while it is watched. In the traffic all is as usual until the connections to it are cut; then it says that it is in standby. No command to switch it off is seen, neither on the network nor in its log.',
    cause: 'not found: it happens only while one part of the home automation is switched on',
    did: 'switched that part off, with which it did not happen',
    cannotShow: 'a television in standby and one that loses its network are alike for adb',
    lab: onNetwork({ zone: 'America/New_York', from: '2023-06-19', days: 16, models: ['Sony Bravia'] }),
    tell(lab) {
      const tv = lab.pinned(0);
      const losses: ToldLoss[] = [];
      // when nobody watches it is off, and adb does not reach it
      for (const day of lab.everyDay().slice(0, 15)) {
        const from =
          day === 0 ? lab.at(0, '00:05') : lab.at(day - 1, '23:02') + lab.random.whole(0, 70) * MINUTE;
        const to = lab.at(day, lab.isWorkday(day) ? '17:40' : '10:15') + lab.random.whole(0, 55) * MINUTE;
        lab.lose(tv, from, { forMs: to - from });
      }
      for (const [day, time, seconds] of [
        [9, '20:14', 75],
        [10, '19:51', 48],
        [10, '21:37', 110],
        [11, '20:40', 63],
        [12, '13:28', 41],
        [12, '16:05', 190],
        [12, '20:52', 58],
        [13, '12:19', 37],
        [13, '15:33', 84],
      ] as const)
        losses.push(
          lab.lose(tv, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, { forMs: seconds * SECOND }),
        );
      background(lab, { taken: 0, hasReadings: false });
      return {
        at: lab.at(13, '15:50'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
      };
    },
  },
  {
    name: 'a OnePlus 5T with a system of hobbyists restarts each time its mobile data is switched on',
    source: 'crdroidandroid/android_device_oneplus_msm8998-common#12, crdroidandroid/crdroid_features#55',
    seen: 'Whenever somebody switches mobile data on, the phone restarts; then they are on, and work. To switch them off does nothing. With the system of its maker, and with another one years ago, it was not so.',
    cause: 'that system: not found what of it',
    did: 'gave logs to its makers, and found others with the same a day later',
    lab: alone({
      zone: 'Europe/Berlin',
      direct: 2,
      usb: true,
      from: '2021-08-30',
      days: 18,
      models: ['OnePlus 5T', 'Moto G7'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      // its owner installs that system
      const flashed = lab.at(11, '19:10');
      const flashMs = 37 * MINUTE;
      lab.lose(phone, flashed, { forMs: flashMs });
      const asked = flashed + flashMs + 25 * SECOND;
      lab.rebooted(phone, asked, { reason: 'reboot,recovery', uptimeSeconds: 150 });
      lab.phone(phone, asked + 2 * SECOND, {
        kind: 'os',
        release: '11',
        before: '10',
        build: 'eng.neobuddy89.20210724',
        buildBefore: '2010292144',
      });
      const losses = restartsAt(
        lab,
        phone,
        [
          [11, '20:26'],
          [12, '08:17'],
          [12, '17:52'],
          [13, '11:03'],
          [13, '11:09'],
          [13, '19:44'],
          [14, '07:58'],
          [14, '13:31'],
          [14, '13:36'],
          [14, '14:01'],
        ],
        [38, 56],
      );
      background(lab, { isDaily: true });
      return {
        at: lab.at(14, '14:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: new RegExp(`${BROUGHT_DOWN.source}|modem|mobile|\\bROM\\b|\\bbuild\\b|flash|installed`, 'i'),
        },
      };
    },
  },
  {
    name: 'a Galaxy S8 leaves adb as soon as its screen is mirrored on a Mac',
    source: 'Genymobile/scrcpy#811',
    seen: 'The mirror sends its program to the phone, and shows nothing. A log that is read meanwhile shows that the phone is disconnected at the moment at which the mirror is started. A smaller picture changes nothing.',
    cause: 'not found: the cable or the port is suspected, which does not bear the picture',
    did: 'was told to try another cable, or another port',
    lab: alone({ zone: 'Asia/Kolkata', from: '2019-09-09', days: 15, models: ['Galaxy S8'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [11, '23:36'],
          [11, '23:41'],
          [11, '23:58'],
          [12, '04:47'],
          [12, '04:52'],
          [12, '05:08'],
          [12, '05:10'],
          [12, '15:14'],
          [12, '15:19'],
          [12, '15:21'],
          [12, '15:23'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time) + lab.random.whole(0, 40) * SECOND, {
          forMs: Math.round(lab.random.between(1.5, 6) * SECOND),
        }),
      );
      background(lab, { isDaily: true });
      return {
        at: lab.at(12, '15:40'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|\bport\b|socket|\bplug/i },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'an Xperia tablet restarts some seconds after its browser was opened',
    source: 'mozilla-mobile/focus-android#4416',
    seen: 'The browser is opened; four or five seconds later the tablet restarts, each time. On other tablets nobody saw it.',
    cause: 'not found: the browser, on a system of hobbyists',
    did: 'told the makers of the browser, who did not see it on two tablets of theirs',
    lab: alone({
      zone: 'Europe/Copenhagen',
      usb: true,
      from: '2019-10-14',
      days: 16,
      models: ['Xperia Tablet Z'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses = restartsAt(
        lab,
        tablet,
        [
          [11, '20:33'],
          [11, '20:38'],
          [12, '16:20'],
          [13, '09:47'],
          [13, '21:02'],
          [14, '18:15'],
          [14, '18:21'],
          [14, '18:29'],
        ],
        [46, 70],
      );
      background(lab, { isDaily: true, taken: 0.5 });
      return {
        at: lab.at(14, '19:10'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a Nexus 5X restarts at random since it got the update of the day before',
    source: 'GrapheneOS-Archive/legacy_bugtracker#611',
    seen: 'All went well until the update over the air. Since then the phone shuts down and starts again at random, four times in a day. Somebody else has it with the same model and build, both times in the middle of an app.',
    cause: 'the update: its kernel is suspected',
    did: 'told the makers, who could not do anything without a log of the kernel or a way to bring it about',
    lab: alone({
      zone: 'Europe/Berlin',
      direct: 2,
      usb: true,
      from: '2017-03-13',
      days: 18,
      models: ['Nexus 5X', 'Galaxy S6'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const updated = lab.at(15, '20:48');
      lab.reboot(phone, updated, { forMs: 155 * SECOND, reason: 'reboot' });
      lab.phone(phone, updated + 4 * MINUTE, {
        kind: 'os',
        build: '2017.03.28.23.38.21',
        buildBefore: '2017.03.20.02.11.40',
      });
      const losses = restartsAt(
        lab,
        phone,
        [
          [15, '22:57'],
          [16, '07:34'],
          [16, '12:46'],
          [16, '17:19'],
        ],
        [40, 58],
      );
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '18:05'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: new RegExp(`${BROUGHT_DOWN.source}|\\bbuild\\b|came last|installed`, 'i'),
        },
      };
    },
  },
  {
    name: 'a restart of adb brings an emulator back one time in three, a restart of the computer each time',
    source: 'MaaAssistantArknights/MaaAssistantArknights#6006',
    seen: 'The program that plays in the emulator says for ten minutes and longer that it connects. About one time in three adb is restarted, and all is well; most times it goes on like this. To restart the program does nothing, to restart the emulator seldom helps, to restart the computer always does.',
    cause: 'not found for sure: the program does not always restart adb when it should',
    did: 'restarted the computer; the makers of the program mended when it restarts adb, and not all of it at first',
    lab: onNetwork({ zone: 'Asia/Shanghai', from: '2023-08-07', days: 18, models: ['BlueStacks'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const emulator = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, how, minutes] of [
        [8, '12:31', 'adb', 3],
        [9, '19:04', 'computer', 17],
        [10, '12:40', 'computer', 11],
        [11, '18:52', 'adb', 2],
        [12, '10:16', 'emulator', 13],
        [12, '16:25', 'computer', 24],
        [13, '09:38', 'computer', 12],
        [13, '13:11', undefined, undefined],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        if (how === undefined) {
          losses.push(lab.lose(emulator, at));
          continue;
        }
        const mended = at + minutes * MINUTE;
        if (how === 'emulator') {
          lab.rebooted(emulator, mended + 25 * SECOND, { uptimeSeconds: 50 });
          losses.push(lab.lose(emulator, at, { forMs: mended + 5 * SECOND - at }));
          continue;
        }
        const back =
          how === 'adb'
            ? adbRestarts(lab, mended, 41) + 2 * SECOND
            : startsAnew(lab, mended) + lab.random.whole(60, 130) * SECOND;
        if (how === 'computer') lab.rebooted(emulator, back + 20 * SECOND, { uptimeSeconds: 55 });
        losses.push(lab.lose(emulator, at, { forMs: back - at }));
      }
      background(lab, { taken: 0, isDaily: true, isUpdated: false, hasReadings: false });
      return {
        at: lab.at(13, '13:30'),
        losses,
        blame: ['adb', 'host', 'phone', 'link', 'unknown'],
        told: {
          about: ['host', 'phone', 'network'],
          says: /restart|reboot|kill-server|start(s|ed)? (it |adb )?(again|anew)|reconnect/i,
        },
        alsoAbout: ['host', 'phone', 'network'],
      };
    },
  },
];
