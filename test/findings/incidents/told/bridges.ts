/** Incidents from the threads of programs that drive phones over adb: screen mirrors, test runners, bots, headset loaders. */
import { ADB } from '../../usb-tree.ts';
import { adbRestarts, agentStartsFirst, background, hostRestarts, offAndOn } from '../background.ts';
import { type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** What a phone shows on USB that shares its network there. */
const TETHERING = [
  { kind: 'e0/01/03', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];

export const incidents: Incident[] = [
  {
    name: 'a game accelerator is switched on, and the emulators are gone until the server of adb is ended',
    source:
      'MaaAssistantArknights/MaaAssistantArknights#10942, MaaAssistantArknights/MaaAssistantArknights#7791, MaaAssistantArknights/MaaAssistantArknights#3648',
    seen: 'Whenever the accelerator begins to work, the emulators are disconnected, and cannot be connected again, also when it is switched off.',
    cause: 'the accelerator changes the network of the computer, and adb is stuck with its old connections',
    did: 'restarted the computer; later ended all servers of adb; then switched off the "process mode" of the accelerator',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 2, from: '2024-10-07', days: 22 },
    tell(lab) {
      const emulators = lab.pinnedOf('tcp');
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes, how] of [
        [9, '20:05', 25, 'computer'],
        [11, '20:40', 14, 'computer'],
        [12, '15:20', 50, 'computer'],
        [14, '20:10', 9, 'computer'],
        [16, '20:25', 18, 'adb'],
        [18, '21:15', 7, 'adb'],
        [19, '14:30', 6, 'adb'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 480) * SECOND;
        const helped = at + minutes * MINUTE;
        if (how === 'adb') {
          const back = adbRestarts(lab, helped, 41);
          losses.push(...lab.loseAll(emulators, at, { spreadMs: 400, forMs: back + 3 * SECOND - at }));
          continue;
        }
        hostRestarts(lab, helped);
        const until = helped + 5 * MINUTE;
        losses.push(...lab.loseAll(emulators, at, { spreadMs: 400, forMs: until - at }));
        for (const emulator of emulators) lab.rebooted(emulator, until + 30 * SECOND, { uptimeSeconds: 75 });
      }
      losses.push(...lab.loseAll(emulators, lab.at(20, '11:35'), { spreadMs: 400 }));
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(20, '12:20'),
        losses,
        blame: ['adb', 'host', 'network', 'unknown'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|restarts? .{0,20}adb|adb .{0,40}(restart|anew)|another program|VPN|proxy|firewall|(restart|reboot) the (host|computer|machine|PC)/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a loader for headsets ends adb when it is closed, and the headset on Wi-Fi is lost to a screen mirror',
    source: 'SideQuestVR/SideQuest#77',
    seen: 'The headset is mirrored over Wi-Fi. Whenever the loader was used for an update and is closed, the connection is closed too, and all starts over.',
    cause: 'the loader ends the server of adb when it is closed, also for the others that use it',
    did: 'was told that this is intended; connected it anew each time',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, network: 1, from: '2020-09-14', days: 18 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 17; day += 1)
        for (const time of ['16:40', '19:10', '20:50']) {
          if (lab.random.chance(0.4)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          const back = adbRestarts(lab, at, 41, lab.random.between(4, 80) * SECOND);
          const forMs = lab.random.between(2, 22) * MINUTE;
          losses.push(...lab.loseAll(phones, back + SECOND, { forMs }));
        }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(16, '22:10'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|ends? (the )?adb|another program|own (adb|server)/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a test switches off the Wi-Fi over which it drives the phone',
    source: 'appium/appium#13726',
    seen: 'Several phones are tested over Wi-Fi. One step switches Wi-Fi off to see whether the device works without; the phone is no longer visible then, and the test breaks.',
    cause: 'the test itself ends the only connection of the phone',
    did: 'was advised to end the session before, and to begin another when the network is back',
    lab: { zone: 'Europe/Minsk', hubs: [4], free: 2, network: 4, from: '2019-11-25', days: 23 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(9, 21))
        for (const time of ['10:10', '12:40', '15:20', '17:00']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 50) * MINUTE;
          losses.push(lab.lose(lab.random.pick(phones), at, { forMs: lab.random.between(4, 38) * MINUTE }));
        }
      losses.push(lab.lose(lab.random.pick(phones), lab.at(21, '09:40')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '11:00'),
        losses,
        blame: ['link', 'phone', 'person'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|wireless|adb connect|reconnect|connect (to )?it anew/i,
        },
      };
    },
  },
  {
    name: 'an emulator crashes when the server of adb is started, because of other programs of the computer',
    source: 'LmeSzinc/AzurLaneAutoScript#2715',
    seen: 'Since another emulator was installed the first one crashes: most often when the bot starts adb, at times after a while, at times at once after its start.',
    cause:
      'not quite found: a virus scanner and the manager of the laptop’s maker, then the service of a virtual machine',
    did: 'changed to the newer emulator, which crashed too; ended the scanner and the manager; later switched off the service of the virtual machine',
    cannotShow: 'which other programs run on the computer is not recorded',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2023-05-22', days: 15 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [11, ['13:10', '17:30', '20:20', '22:05']],
        [12, ['09:40', '11:15', '14:00', '16:25', '19:30', '21:50']],
        [13, ['09:05', '10:30', '12:00']],
      ] as const)
        for (const time of times) {
          const started = adbRestarts(lab, lab.at(day, time), 41, 2 * SECOND);
          const isAtOnce = lab.random.chance(0.65);
          const after = isAtOnce ? lab.random.between(3, 20) * SECOND : lab.random.between(8, 40) * MINUTE;
          losses.push(offAndOn(lab, emulator, started + after, lab.random.between(60, 240) * SECOND));
        }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(13, '13:20'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: /crash|restart|starts? anew|another program|virus|emulator/i,
        },
      };
    },
  },
  {
    name: 'a phone crashes and restarts at times when a tool for hooks is started on it',
    source: 'frida/frida#1803',
    seen: 'When the server of the tool is started on the rooted phone, it writes errors of SELinux; sometimes the phone crashes and restarts. In an emulator all is well.',
    cause: 'the tool and the old Android of the phone do not go together',
    did: 'gave the phone a newer Android (LineageOS 16), and closed the thread',
    lab: { zone: 'Europe/London', hubs: [4], free: 1, from: '2021-07-26', days: 18 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [11, ['14:20', '16:50']],
        [14, ['10:35', '11:20', '15:05', '17:40']],
        [15, ['09:50', '11:30', '14:15']],
      ] as const)
        for (const time of times) {
          const forMs = lab.random.between(65, 115) * SECOND;
          losses.push(lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 9) * MINUTE, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(15, '16:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|crash|Android|system|update|\bapps?\b|software/i,
        },
      };
    },
  },
  {
    name: 'a phone is offline on USB since it shares its network there',
    source: 'Genymobile/scrcpy#1365',
    seen: 'Yesterday the screen was mirrored as always; today adb calls the phone offline.',
    cause: 'its network is shared over USB',
    did: 'found that, and asked whether both can be had at once',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2020-04-20',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(18, '09:12');
      const losses = [
        lab.lose(phone, at, {
          as: 'offline',
          gone: 'phone',
          onUsb: { interfaces: [...TETHERING, ADB], connectedAt: at },
        }),
      ];
      background(lab);
      return {
        at: lab.at(18, '10:05'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /tether|shar(es?|ing)|USB (mode|setting|configuration|debugging)|debugging|what USB is used for/i,
        },
      };
    },
  },
  {
    name: 'a headset has no permissions since it updated itself overnight',
    source: 'M0Rf30/android-udev-rules#308',
    seen: 'The headset runs Android 12 now, and adb lists it with "no permissions".',
    cause: 'there is no udev rule for the number that it has on USB now',
    did: 'added a rule for 2833:0186',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      from: '2024-01-01',
      days: 26,
      models: ['Quest 2', 'Pixel'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      lab.reboot(headset, lab.at(23, '03:42'), { forMs: 95 * SECOND, backAs: 'no permissions' });
      background(lab);
      return {
        at: lab.at(23, '10:30'),
        told: {
          about: ['phone', 'host'],
          keys: [headset.udid],
          says: /udev|\brules?\b|permission/i,
        },
      };
    },
  },
  {
    name: 'a phone goes offline whenever much is sent through adb, until adb is a newer one',
    source: 'Genymobile/scrcpy#228',
    seen: 'Mirror and reverse network run together. While videos are watched, both break after seconds or minutes, and adb calls the phone offline. Small videos do no harm.',
    cause: 'adb or the USB driver of the computer does not bear so much data',
    did: 'took the adb of the newer release, with which it worked for months',
    lab: { zone: 'Europe/Moscow', hubs: [], direct: 2, from: '2018-07-30', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 17; day += 1)
        for (const time of ['19:20', '20:10', '21:00', '21:45']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          const forMs = lab.random.between(1, 16) * MINUTE;
          losses.push(lab.lose(phone, at, { as: 'offline', forMs }));
        }
      losses.push(lab.lose(phone, lab.at(17, '20:35'), { as: 'offline' }));
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '21:30'),
        losses,
        blame: ['adb', 'host', 'port', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(newer|update|version) .{0,30}adb|adb .{0,40}(newer|update|version)|driver|(another|other) (USB )?(cable|port)|\bcable\b|reconnect/i,
        },
      };
    },
  },
];
