/** Incidents from places that the other files hardly use: build scripts, test runners, emulators, televisions, blogs. */
import { whereOf } from '../../room.ts';
import { FASTBOOT, MTP } from '../../usb-tree.ts';
import { adbRestarts, agentStartsFirst, background, hostRestarts, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'a build script kills adb, and the phones on Wi-Fi go with it',
    source: 'MetaMask/metamask-mobile#9091, Aoi-Developer/remove-career-app#4',
    seen: 'Each debug build ends the adb server. Connections over Wi-Fi break then, and those by cable where there are several phones.',
    cause: 'the script runs `adb kill-server`',
    did: 'took it out of the script',
    lab: { zone: 'Europe/Lisbon', hubs: [4], free: 2, network: 2, from: '2024-03-04', days: 24 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(9, 23))
        for (const time of ['10:20', '14:35', '17:10']) {
          if (lab.random.chance(0.3)) continue;
          const back = adbRestarts(lab, lab.at(day, time) + lab.random.between(0, 50) * MINUTE, 41);
          const forMs = lab.random.between(4, 55) * MINUTE;
          losses.push(...lab.loseAll(phones, back + SECOND, { spreadMs: 300, forMs }));
        }
      background(lab);
      return {
        at: lab.at(22, '18:40'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|another program|script/i,
        },
      };
    },
  },
  {
    name: 'a plugin of the build restarts adb while the tests of another project run',
    source: 'AzimoLabs/fastlane-plugin-automated-test-emulator-run#5',
    seen: 'Several projects are tested on one build machine. Whenever the run of one begins, the runs of the others fail.',
    cause: 'the plugin restarts adb at the begin of a run',
    did: 'switched that off in the plugin',
    lab: { zone: 'Europe/Warsaw', hubs: [4], emulators: 4, from: '2017-01-02', days: 23 },
    tell(lab) {
      const emulators = lab.phones.filter(({ connection }) => connection === 'emulator');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(4, 22))
        for (let run = lab.random.whole(3, 6); run > 0; run -= 1) {
          const at = lab.at(day, '08:00') + run * 100 * MINUTE + lab.random.between(0, 80) * MINUTE;
          const back = adbRestarts(lab, at, 36, 2 * SECOND);
          losses.push(...lab.loseAll(emulators, back + 500, { as: 'offline', forMs: 6 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(21, '18:20'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /kill-server|restarts? (the )?adb|adb .{0,40}restart|another program/i,
        },
      };
    },
  },
  {
    name: 'a tool ends the adb server that others use, whenever it is stopped',
    source: 'expo/expo-cli#2064',
    seen: 'When the tool is stopped by Ctrl-C, adb ends too, though a screen mirror and a copy use it.',
    cause: 'the tool kills the adb server at its end, also one that it did not start',
    did: 'had it kill only a server of its own',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 2, network: 1, from: '2020-04-13', days: 22 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(8, 21))
        for (const time of ['09:50', '11:40', '15:15', '17:30']) {
          if (lab.random.chance(0.25)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 40) * MINUTE;
          const back = adbRestarts(lab, at, 41, lab.random.between(4, 90) * SECOND);
          const forMs = lab.random.between(3, 30) * MINUTE;
          losses.push(...lab.loseAll(phones, back + SECOND, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(20, '18:30'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|another program|own server/i,
        },
      };
    },
  },
  {
    name: 'adb of Windows and adb of its Linux end each other',
    source: 'microsoft/WSL#4692',
    seen: 'As long as the two adb are of different versions, each ends the server of the other, and the phones are away for a moment.',
    cause: 'two versions of adb on one port',
    did: 'installed the same version in both',
    lab: { zone: 'Europe/Helsinki', hubs: [], direct: 2, network: 1, from: '2020-08-03', days: 20 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(7, 19))
        for (let turn = 0; turn < 8; turn += 1) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, '09:30') + turn * 55 * MINUTE + lab.random.between(0, 40) * MINUTE;
          const back = adbRestarts(lab, at, turn % 2 === 0 ? 39 : 41);
          const forMs = lab.random.between(2, 12) * MINUTE;
          losses.push(...lab.loseAll(phones, back + SECOND, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(18, '17:40'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|kill-server|kills? (the )?adb|ADB_SERVER_SOCKET|(one|same) adb/i,
        },
      };
    },
  },
  {
    name: 'two versions of adb on one port fight for an emulator',
    source: 'Jordan231111/BluestacksRoot#16',
    seen: 'The emulator has started, and yet a tool waits in vain until its time is over: its device is not found.',
    cause: 'the adb of the SDK and the older one of the emulator kill each other',
    did: 'gave the older one a port of its own',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, network: 1, from: '2026-05-11', days: 23 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 22; day += 1) {
        if (lab.random.chance(0.3)) continue;
        const first = lab.at(day, '19:10') + lab.random.between(0, 60) * MINUTE;
        for (let turn = 0; turn < 12; turn += 1) {
          const at = first + turn * 25 * SECOND;
          const back = adbRestarts(lab, at, turn % 2 === 0 ? 36 : 41, 2 * SECOND);
          losses.push(...lab.loseAll(phones, back + SECOND, { forMs: 15 * SECOND, backSpreadMs: SECOND }));
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '20:30'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /version|kill-server|kills? (the )?adb|own port/i },
      };
    },
  },
  {
    name: 'the Android of Windows starts anew whenever the machine has slept',
    source: 'microsoft/WSA#279',
    seen: 'After each sleep of the computer the subsystem starts from scratch, also with its resources set to "Continuous".',
    cause: 'the computer sleeps',
    did: 'asked',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2023-03-27', days: 20 },
    tell(lab) {
      const [subsystem] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 19; day += 1) {
        if (lab.random.chance(0.15)) continue;
        const at = lab.at(day, '08:05') + lab.random.between(0, 70) * MINUTE;
        lab.host(at, { kind: 'hostSlept', forMs: Math.round(lab.random.between(7, 9) * HOUR) });
        const forMs = lab.random.between(50, 130) * SECOND;
        losses.push(lab.reboot(subsystem, at + 4 * SECOND, { forMs }));
      }
      background(lab, { hasReadings: false, glitches: 0 });
      return {
        at: lab.at(18, '10:00'),
        losses,
        blame: ['host', 'phone'],
        told: { about: ['host', 'phone'], says: /sleep|slept|suspend/i },
      };
    },
  },
  {
    name: 'the Android of Windows refuses connections until the computer is restarted',
    source: 'microsoft/WSA#136',
    seen: 'At times adb is refused by the subsystem. Nothing listens on its port then; a restart of the subsystem does not help.',
    cause: 'not found: the subsystem or the network of the host',
    did: 'restarted the computer',
    lab: { zone: 'Europe/London', hubs: [], direct: 2, network: 1, from: '2022-11-01', days: 24 },
    tell(lab) {
      const [subsystem] = lab.pinnedOf('tcp') as [LabPhone];
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [8, '14:20', 3.2],
        [13, '10:05', 6.4],
        [17, '16:40', 1.8],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(subsystem, at, { forMs: hours * HOUR + 3 * MINUTE }));
        hostRestarts(lab, at + hours * HOUR);
      }
      losses.push(lab.lose(subsystem, lab.at(22, '11:30')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '15:00'),
        losses,
        blame: ['link', 'phone', 'network', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /(restart|reboot) the (host|computer|machine|PC)/i,
        },
      };
    },
  },
  {
    name: 'of two emulators that are started at four in the morning one does not come',
    source: 'LmeSzinc/StarRailCopilot#1030',
    seen: 'Two jobs start an emulator each at 4 o’clock. Often only one of them comes; there is no error, and adb tries in vain for long.',
    cause: 'two starts within a second: the starter drops one of them',
    did: 'started them by the service of the emulator, which queues them',
    cannotShow: 'nobody tells the agent that an emulator was to be started',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, from: '2026-05-18', days: 24 },
    tell(lab) {
      const emulators = [0, 1].map(() => lab.add('emulator', { isThereAtFirst: false }));
      const [first, second] = emulators as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      const losesAt = (phone: LabPhone, day: number, untilDay: number) => {
        const at = lab.at(day, '06:20') + lab.random.between(0, 30) * MINUTE;
        const until = lab.at(untilDay, '04:01') + lab.random.between(0, 30) * SECOND;
        return lab.lose(phone, at, { forMs: until - at });
      };
      for (const phone of emulators)
        lab.phone(phone, lab.at(2, '04:01'), { kind: 'attached', state: 'device' });
      for (let day = 2; day < 22; day += 1) losses.push(losesAt(first, day, day + 1));
      const days = Array.from({ length: 20 }, (_, index) => index + 2).filter(
        (day) => day === 2 || day < 10 || lab.random.chance(0.45),
      );
      for (const [index, day] of days.entries()) losses.push(losesAt(second, day, days[index + 1] ?? 23));
      background(lab);
      return {
        at: lab.at(21, '05:30'),
        losses: [],
        told: { about: ['phone', 'host'], says: /start|emulator/i },
      };
    },
  },
  {
    name: 'an emulator stays offline, and adb says that it is connected already',
    source: 'MaaAssistantArknights/MaaAssistantArknights#16014',
    seen: 'adb lists 127.0.0.1:16384 as offline again and again; `adb connect` answers "already connected", and each command fails.',
    cause: 'a transport that is stuck between adb and the emulator',
    did: '`adb disconnect`, a new adb server, `adb connect`',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2026-02-09', days: 22 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [9, '12:10', 2.5],
        [12, '19:40', 1.1],
        [14, '08:20', 4.7],
        [17, '21:05', 0.8],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(emulator, at, { as: 'offline', forMs: hours * HOUR + 20 * SECOND }));
        adbRestarts(lab, at + hours * HOUR, 41);
      }
      losses.push(lab.lose(emulator, lab.at(20, '13:30'), { as: 'offline' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '16:00'),
        losses,
        blame: ['link', 'phone', 'adb', 'network', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /adb disconnect|adb connect|reconnect|kill-server/i,
        },
      };
    },
  },
  {
    name: 'after each restart of the host its phones ask for permission again',
    source: 'brlin-tw/scrcpy-snap#20',
    seen: 'After each restart the key of adb is another one, and each phone has to allow debugging again.',
    cause: 'the adb of the snap does not keep its key',
    did: 'allowed it each time',
    lab: { zone: 'Europe/Rome', hubs: [], direct: 2, from: '2020-08-03', days: 26 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      agentStartsFirst(lab);
      for (const day of [6, 12, 17, 21, 24]) {
        const at = lab.at(day, '08:30') + lab.random.whole(0, 40) * MINUTE;
        hostRestarts(lab, at);
        const listed = at + 83 * SECOND;
        const isLast = day === 24;
        for (const phone of phones) {
          const forMs = isLast ? {} : { forMs: lab.random.between(3, 90) * MINUTE };
          lab.lose(phone, listed, { as: 'unauthorized', gone: 'nothing', ...forMs });
        }
      }
      background(lab);
      return {
        at: lab.at(24, '11:00'),
        told: { about: ['host', 'phone'], says: /\bkeys?\b|adbkey|\.android|allow/i },
      };
    },
  },
  {
    name: 'a container for several phones begins with a new key each time',
    source: 'pierlon/scrcpy-docker#11',
    seen: 'Whenever the container is started, the laptop has another fingerprint, and each phone has to be paired anew.',
    cause: 'the keys of adb are not kept outside of the container',
    did: 'mounted ~/.android into it',
    lab: { zone: 'Europe/Budapest', hubs: [4], free: 1, from: '2019-03-11', days: 23 },
    tell(lab) {
      for (const day of [10, 13, 15, 18, 21]) {
        const at = lab.at(day, '09:15') + lab.random.between(0, 50) * MINUTE;
        const back = adbRestarts(lab, at, 40, 25 * SECOND);
        for (const phone of lab.phones) {
          phone.isPinned = true;
          const forMs = day === 21 ? {} : { forMs: lab.random.between(2, 40) * MINUTE };
          lab.lose(phone, back + lab.random.between(300, 1500), {
            as: 'unauthorized',
            gone: 'nothing',
            ...forMs,
          });
        }
      }
      background(lab);
      return {
        at: lab.at(21, '12:30'),
        told: { about: ['host', 'phone', 'hub'], says: /\bkeys?\b|adbkey|\.android/i },
      };
    },
  },
  {
    name: 'a phone cannot be reached as long as a VPN is on',
    source: 'aakash-pamnani/ADB-QR#18',
    seen: 'Whenever the VPN is switched on, adb over Wi-Fi does not connect; when it is off, it connects at once.',
    cause: 'the VPN takes the connections of the local network',
    did: 'switched the VPN off',
    cannotShow: 'a VPN, and when it is on, is not recorded',
    lab: { zone: 'Asia/Kolkata', hubs: [], direct: 1, network: 1, from: '2025-06-09', days: 21 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 20; day += 1) {
        if (lab.random.chance(0.3)) continue;
        const at = lab.at(day, '11:00') + lab.random.between(0, 5) * HOUR;
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.4, 3.2) * HOUR }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['link', 'network', 'host', 'unknown'],
        told: { about: ['phone', 'network', 'host'], says: /VPN|firewall|same network/i },
      };
    },
  },
  {
    name: 'a computer knows 44 phones, and no further one',
    source: 'AirtestProject/Airtest#384',
    seen: 'With 44 phones at hubs of hubs, none that is plugged in further is recognised.',
    cause: 'the limit of the USB of the computer',
    did: 'asked; was told that the main board cannot do more',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [10, 10, 10, 10, 8],
      free: 4,
      from: '2019-05-20',
      days: 19,
      usb: true,
    },
    tell(lab) {
      for (const [index, port] of lab.freePorts(lab.start).entries()) {
        const phone = lab.add('usb', { port, isThereAtFirst: false });
        phone.isPinned = true;
        const plugged = lab.at(16, '19:50') + index * 70 * SECOND;
        const anew = lab.at(17, '10:20') + index * 70 * SECOND;
        for (const at of [plugged, anew]) {
          lab.kernel(at, whereOf(port, lab.known), 'resources');
          lab.kernel(at + 400, whereOf(port, lab.known), 'config');
          lab.usb(phone, at, { interfaces: [], connectedAt: at });
        }
      }
      background(lab);
      return {
        at: lab.at(17, '11:30'),
        told: { about: ['host', 'hub', 'port'], says: /controller|too many|limit|USB card/i },
      };
    },
  },
  {
    name: 'the adb server does not stand several emulators at once',
    source: 'wix/Detox#4900',
    seen: 'With more than one emulator at work the adb server "gets lost": commands fail often, on desks and in CI.',
    cause: 'the adb server cannot handle the commands of all emulators at once',
    did: 'gave each emulator an adb server of its own',
    lab: { zone: 'Asia/Jerusalem', hubs: [4], free: 3, emulators: 3, from: '2025-12-14', days: 24 },
    tell(lab) {
      const emulators = lab.phones.filter(({ connection }) => connection === 'emulator');
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 23; day += 1)
        for (let run = lab.random.whole(2, 5); run > 0; run -= 1) {
          const at = lab.at(day, '08:30') + run * 110 * MINUTE + lab.random.between(0, 80) * MINUTE;
          const forMs = Math.round(lab.random.between(12, 50) * SECOND);
          lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
          lab.host(at + forMs, { kind: 'adbBack' });
          losses.push(
            ...lab.loseAll(emulators, at + forMs + 300, {
              as: 'offline',
              forMs: lab.random.between(5, 20) * SECOND,
            }),
          );
        }
      background(lab);
      return {
        at: lab.at(22, '19:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /own adb|adb server|at once|in parallel/i },
      };
    },
  },
  {
    name: 'adb does not answer at times, and the tests wait until it is killed',
    source: 'lovelysystems/robotframework-androidlibrary#5',
    seen: 'Calls of adb hang now and then, and with them the whole run.',
    cause: 'an error of adb',
    did: 'killed the processes of adb after a time',
    lab: { zone: 'Europe/Vienna', hubs: [4], free: 1, from: '2012-07-30', days: 22 },
    tell(lab) {
      for (const [day, time, minutes] of [
        [9, '11:12', 34],
        [11, '22:40', 410],
        [14, '15:03', 12],
        [16, '02:25', 395],
        [18, '13:50', 26],
        [20, '09:40', 21],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
        lab.host(at + minutes * MINUTE, { kind: 'adbBack' });
        lab.host(at + minutes * MINUTE + 200, { kind: 'adbReplaced', version: 29 });
      }
      background(lab);
      return {
        at: lab.at(20, '10:20'),
        told: { about: ['host'], says: /kill|restart (the )?adb|adb server|hang/i },
      };
    },
  },

  {
    name: 'a phone leaves USB as soon as its backup begins',
    source: 'mvt-project/mvt#550, mvt-project/mvt#512',
    seen: 'When a scan has the phone make a backup, the phone leaves the computer, and comes back when the backup is done; the scan fails.',
    cause: 'the phone changes its USB during the backup',
    did: 'had the scan wait for 20 s after each part',
    cannotShow: 'a backup, and that the phone changes its USB for it, is not recorded',
    lab: {
      zone: 'America/Santo_Domingo',
      hubs: [],
      direct: 2,
      from: '2024-09-23',
      days: 23,
      models: ['Zenfone 8', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '19:20', 6],
        [14, '20:05', 7],
        [16, '18:45', 6.5],
        [18, '21:10', 8],
        [20, '19:40', 6],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE }));
      background(lab);
      return {
        at: lab.at(20, '20:30'),
        losses,
        blame: ['phone', 'person', 'port', 'unknown'],
        told: { about: ['phone', 'port'], keys: [phone.udid, lab.portKey(phone)], says: /backup|USB mode/i },
      };
    },
  },
  {
    name: 'the battery of a tablet that is always on power swells',
    source: 'sriharshaarangi/BatteryChargeLimit#239',
    seen: 'A tablet at the wall is on power all the time, and always full. After some years its battery had swollen.',
    cause: 'a battery that is kept full',
    did: 'replaced the battery, and limited the charge',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2022-10-31',
      days: 84,
      models: ['Pixel', 'Galaxy Tab 2'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      tablet.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: Math.round(362 + 14 * Math.sin((at - lab.start) / (4 * HOUR))),
      });
      background(lab);
      return {
        at: lab.at(83, '12:00'),
        told: { about: ['phone'], keys: [tablet.udid], says: /swell|swollen|full|limit/i },
      };
    },
  },
  {
    name: 'since a module was flashed a phone restarts again and again',
    source: 'g7755726/Dynamic-System-Tweaks-Magisk-Module#6',
    seen: 'After the newest release of a module was flashed, the phone starts completely, but restarts again and again.',
    cause: 'the module',
    did: 'flashed another build of the module',
    lab: { zone: 'America/Chicago', hubs: [4], from: '2024-11-04', days: 19 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      let at = lab.at(15, '20:10');
      while (at < lab.at(16, '09:00')) {
        losses.push(lab.reboot(phone, at, { forMs: lab.random.between(40, 60) * SECOND, reason: 'reboot' }));
        at += lab.random.between(3, 6) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(16, '09:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /module|installed|update|build of (its|the) Android|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a phone with a dirty socket is neither charged nor seen',
    source: 'https://www.trishtech.com/2016/11/phones-usb-port-not-working-simply-clean-it-up/',
    seen: 'A phone does not charge any more, whatever the cable and the charger, nor does a computer see it. It works otherwise.',
    cause: 'dirt in the USB socket of the phone',
    did: 'cleaned the socket',
    lab: { zone: 'Asia/Kolkata', hubs: [4], free: 1, from: '2016-10-17', days: 20 },
    tell(lab) {
      const phone = lab.pinned(1);
      const loss = lab.lose(phone, lab.at(14, '10:35'));
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses: [loss],
        blame: ['phone', 'port', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /clean|dirt|lint/i,
        },
      };
    },
  },
  {
    name: 'the USB of a phone dies, and no computer can enumerate it',
    source: 'https://perpetual-notion.blogspot.com/2011/08/google-nexus-s-android-phone-suffers.html',
    seen: 'All of the phone works but its USB: "unable to enumerate device" at each workstation and with each cable.',
    cause: 'the chip of its USB socket',
    did: 'took another phone',
    lab: { zone: 'America/Toronto', hubs: [4], free: 2, from: '2011-08-08', days: 24, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(20, '14:05');
      const loss = lab.lose(phone, at);
      const [other] = lab.freePorts(at);
      if (!other) throw new RangeError('no free port');
      const places = [
        [lab.where(phone, at), 2 * SECOND],
        [lab.where(phone, at), 25 * MINUTE],
        [whereOf(other, lab.known), 40 * MINUTE],
        [whereOf(other, lab.known), 70 * MINUTE],
      ] as const;
      for (const [where, afterMs] of places) {
        lab.kernel(at + afterMs, where, 'descriptor');
        lab.kernel(at + afterMs + 6 * SECOND, where, 'enumerate');
      }
      background(lab);
      return {
        at: lab.at(20, '16:30'),
        losses: [loss],
        blame: ['phone', 'port'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /(replace|repair)[^;.]* phone|another phone|socket of the phone/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a television restarts at night while it is in standby',
    source: 'CiNcH83/sony_atv#9',
    seen: 'In the morning the television is often as after a full start. Its uptime shows that it restarted at night, in standby.',
    cause: 'a driver crashes when it resumes from deep sleep',
    did: 'waited for an update',
    lab: {
      zone: 'Europe/Vienna',
      hubs: [4],
      network: 1,
      from: '2017-09-18',
      days: 26,
      models: ['Pixel', 'Pixel', 'Pixel', 'Pixel', 'Bravia'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 5; day < 25; day += 1) {
        if (lab.random.chance(0.35)) continue;
        const at = lab.at(day, '01:00') + lab.random.between(0, 5.5) * HOUR;
        losses.push(lab.reboot(television, at, { forMs: lab.random.between(60, 95) * SECOND }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(24, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [television.udid], says: /restart|reboot/i },
      };
    },
  },
  {
    name: 'a Fire TV stick restarts whenever its television is switched on',
    source: 'bk138/droidVNC-NG#110',
    seen: 'The television is switched off and on, shortly after or later: the stick starts anew, as after a loss of power. At another television it does not.',
    cause: 'that HDMI socket of the television',
    did: 'used another HDMI socket',
    lab: {
      zone: 'Asia/Beirut',
      hubs: [4],
      network: 1,
      from: '2022-10-24',
      days: 22,
      models: ['Pixel', 'Pixel', 'Pixel', 'Pixel', 'Fire TV'],
    },
    tell(lab) {
      const [stick] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 10; day < 21; day += 1)
        for (const time of ['12:30', '18:10', '21:20']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 100) * MINUTE;
          losses.push(lab.reboot(stick, at, { forMs: lab.random.between(35, 60) * SECOND }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '23:30'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [stick.udid], says: /power|HDMI/i },
      };
    },
  },
  {
    name: 'a tablet switches itself off after a short time, until it does not start any more',
    source: 'Manouchehri/vi8#12',
    seen: 'The tablet switches itself off before long. Months later it does not start at all.',
    cause: 'most likely its battery',
    did: 'gave it up',
    lab: { zone: 'America/Vancouver', hubs: [], direct: 2, from: '2016-10-24', days: 26 },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 7; day < 22; day += 1)
        for (const time of ['10:10', '14:20', '18:40']) {
          if (lab.random.chance(0.3)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          losses.push(offAndOn(lab, tablet, at, lab.random.between(12, 140) * MINUTE));
        }
      losses.push(lab.lose(tablet, lab.at(22, '11:15')));
      background(lab);
      return {
        at: lab.at(23, '12:00'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: /battery/i },
      };
    },
  },
  {
    name: 'a kitchen machine has no adb since a property was set by hand',
    source: 'EliasKotlyar/Monsieur-Cuisine-Connect-Hack#20',
    seen: 'After a property of its USB was added and it was restarted, adb does not list it any more; all else works.',
    cause: 'two blanks in the property: `mtp, adb`',
    did: 'corrected the property',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      from: '2020-06-22',
      days: 17,
      models: ['Monsieur Cuisine', 'Pixel'],
      usb: true,
    },
    tell(lab) {
      const machine = lab.pinned(0);
      const loss = lab.lose(machine, lab.at(13, '17:40'), { onUsb: { interfaces: [MTP] } });
      background(lab);
      return {
        at: lab.at(14, '10:00'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [machine.udid, lab.portKey(machine)],
          says: /debugging|USB mode|without adb/i,
        },
      };
    },
  },
  {
    name: 'a device at a computer starts into fastboot and stays there',
    source: 'commaai/agnos-builder#3',
    seen: 'When it restarts, or comes on after it was off, while a computer is at its second port, it is in fastboot, until its power is taken and the computer unplugged.',
    cause: 'a computer at its USB when it starts',
    did: 'took its power, waited, and started it without the computer',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 2,
      from: '2021-09-06',
      days: 20,
      models: ['comma three', 'Pixel'],
      usb: true,
    },
    tell(lab) {
      const device = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [9, '18:10', 13.5],
        [12, '17:35', 14.2],
        [14, '08:05', 1.2],
      ] as const)
        losses.push(
          lab.lose(device, lab.at(day, time), { forMs: hours * HOUR, onUsb: { interfaces: [FASTBOOT] } }),
        );
      losses.push(lab.lose(device, lab.at(17, '18:20'), { onUsb: { interfaces: [FASTBOOT] } }));
      background(lab);
      return {
        at: lab.at(18, '08:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [device.udid, lab.portKey(device)],
          says: /fastboot|bootloader/i,
        },
      };
    },
  },
  {
    name: 'with another system a phone shows nothing on USB',
    source: 'HelloVolla/ubuntu-touch-beta-tests#183',
    seen: 'A cable to a computer does nothing at all. The same phone with its other system has USB as it should.',
    cause: 'an error of that build of the system',
    did: 'used the next build',
    cannotShow: 'the phone never answers with the new system, so that nobody learns of it',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 2, from: '2025-01-06', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(15, '10:20'));
      background(lab);
      return {
        at: lab.at(16, '09:30'),
        losses: [loss],
        blame: ['phone', 'port', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /build|update|Android|system/i,
        },
      };
    },
  },
  {
    name: 'since its update a phone becomes too hot and switches itself off',
    source: 'crdroidandroid/issue_tracker#278',
    seen: 'After ten minutes of a game the phone is hot, and switches off; it does not start by itself. With the version before it did not.',
    cause: 'overheating: the new version switches off earlier',
    did: 'asked for the way of the version before',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [4],
      from: '2023-11-13',
      days: 22,
      models: ['Redmi K20 Pro', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(8, '20:40'), { kind: 'os', release: '14', before: '13' });
      const losses: ToldLoss[] = [];
      const offs: number[] = [];
      for (const day of lab.workdays(11, 21))
        for (const time of ['11:20', '16:05']) {
          if (lab.random.chance(0.25)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          offs.push(at);
          losses.push(offAndOn(lab, phone, at, lab.random.between(14, 70) * MINUTE));
        }
      phone.reading = (at) => {
        const next = offs.find((off) => off > at) ?? Number.POSITIVE_INFINITY;
        const isHot = next - at < 15 * MINUTE;
        const wave = Math.sin((at - lab.start) / (5 * HOUR));
        return {
          levelPercent: Math.round(86 + 8 * wave),
          isFull: false,
          temperatureDecicelsius: isHot ? 512 : Math.round(300 + 14 * wave),
        };
      };
      background(lab);
      return {
        at: lab.at(20, '18:30'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /\bhot\b|heat|\bcool|too warm/i },
      };
    },
  },
  {
    name: 'a cable with three plugs connects no phone',
    source: 'AirtestProject/Airtest#1127',
    seen: 'At a cable with three plugs the phone is not connected, though nothing else is plugged into it; at one with a single plug it is.',
    cause: 'the cable',
    did: 'took the cable with one plug',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, from: '2023-04-10', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(14, '10:12'), { forMs: 95 * MINUTE }),
        lab.lose(phone, lab.at(14, '14:30')),
      ];
      background(lab);
      return {
        at: lab.at(14, '17:20'),
        losses,
        blame: ['port', 'person', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], keys: [phone.udid, lab.portKey(phone)], says: /cable/i },
      };
    },
  },
  {
    name: 'a television in standby is offline and online in turn',
    source: 'openhab/openhab-addons#21222',
    seen: 'While it sleeps, its adb takes connections but opens no stream: it is offline and online with each look.',
    cause: 'its adb is half asleep in standby',
    did: 'called it offline only after three failures',
    lab: {
      zone: 'Europe/Bucharest',
      hubs: [4],
      network: 1,
      from: '2026-06-29',
      days: 22,
      models: ['Pixel', 'Pixel', 'Pixel', 'Pixel', 'Vestel'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 21; day += 1) {
        let at = lab.at(day, '00:40') + lab.random.between(0, 50) * MINUTE;
        const until = lab.at(day, '06:50');
        while (at < until) {
          losses.push(
            lab.lose(television, at, { as: 'offline', forMs: lab.random.between(40, 80) * SECOND }),
          );
          at += lab.random.between(4, 14) * MINUTE;
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '08:00'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [television.udid], says: /sleep|standby|awake/i },
      };
    },
  },
  {
    name: 'a tablet in its recovery is not authorized after its data were erased',
    source: 'TeamWin/Team-Win-Recovery-Project#771',
    seen: 'The data of a tablet were erased in its recovery. After a restart into the recovery adb is not authorized, and no dialog comes.',
    cause: 'the keys were in the erased data, and this recovery asks for them',
    did: 'was told that official builds of the recovery need no key',
    lab: {
      zone: 'Europe/Bucharest',
      hubs: [],
      direct: 2,
      from: '2016-09-26',
      days: 18,
      models: ['Yoga Tab 2', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const at = lab.at(14, '18:20');
      lab.lose(tablet, at, { forMs: 45 * SECOND, backAs: 'recovery' });
      lab.lose(tablet, at + 35 * MINUTE, { forMs: 40 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(14, '21:00'),
        told: { about: ['phone'], keys: [tablet.udid], says: /authori|\bkeys?\b|recovery/i },
      };
    },
  },
  {
    name: 'a flexible cable behind two hubs fails half of the time',
    source: 'ataradov/usb-sniffer#19',
    seen: 'A phone at the second of two hubs fails to connect half of the time, and drops out. With a good cable it works each time, through both hubs.',
    cause: 'the cable',
    did: 'took another cable',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [7],
      free: 3,
      from: '2023-07-31',
      days: 24,
      models: ['Pixel', 'Pixel 3a'],
      usb: true,
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 22; day += 1)
        for (let left = lab.random.whole(2, 6); left > 0; left -= 1) {
          const at = lab.at(day, '08:00') + left * 100 * MINUTE + lab.random.between(0, 70) * MINUTE;
          const isHard = lab.random.chance(0.5);
          const forMs = isHard ? lab.random.between(2, 14) * MINUTE : lab.random.between(2, 9) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
          if (isHard) lab.kernel(at + 5 * SECOND, lab.where(phone, at), 'descriptor');
        }
      background(lab);
      return {
        at: lab.at(21, '19:30'),
        losses,
        blame: ['port'],
        told: { about: ['port'], keys: [lab.portKey(phone)], says: /cable/i },
      };
    },
  },
  {
    name: 'dust in the socket of a phone keeps it from charging well',
    source: 'https://cyberd.org/the-dust.html',
    seen: 'For some time the phone has had trouble charging. After dust was dug out of its socket it charges better than ever.',
    cause: 'dust in the USB socket of the phone',
    did: 'cleaned the socket',
    lab: { zone: 'Europe/Stockholm', hubs: [4], from: '2024-02-12', days: 24 },
    tell(lab) {
      const phone = lab.pinned(2);
      const begin = lab.at(9, '15:00');
      phone.reading = (at) => {
        const hours = (at - begin) / HOUR;
        const wave = Math.sin(hours / 7);
        const levelPercent = hours < 0 ? 100 : Math.max(9, Math.round(100 - hours * 0.28 + 6 * wave));
        return {
          levelPercent: Math.min(100, levelPercent),
          isFull: levelPercent >= 100,
          temperatureDecicelsius: Math.round(275 + 8 * wave),
        };
      };
      background(lab);
      return {
        at: lab.at(22, '10:00'),
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /clean|dust|dirt/i,
        },
      };
    },
  },
  {
    name: 'a phone with debugging on is not recognised on some days',
    source: 'offensive-security/kali-nethunter#615',
    seen: 'On some days it works, on others no computer sees it, at any port, with any cable and hub, as long as debugging is on.',
    cause: 'not found: something in the cache of the phone',
    did: 'wiped the cache of the phone',
    lab: {
      zone: 'Europe/Athens',
      hubs: [4],
      free: 1,
      from: '2016-09-19',
      days: 30,
      models: ['Pixel', 'OnePlus 3'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [9, '09:10', 27],
        [12, '10:40', 22],
        [15, '18:20', 40],
        [19, '09:30', 7],
        [22, '13:15', 51],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: hours * HOUR }));
      losses.push(lab.lose(phone, lab.at(26, '09:20')));
      background(lab);
      return {
        at: lab.at(27, '10:00'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cache|reset|erase|reinstall/i,
        },
      };
    },
  },
];
