/** Incidents from the trackers of tools with which people run many phones and emulators: test runners, farms, mirrors, bots. */
import { whereOf } from '../../room.ts';
import { adbRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'a test server restarts adb for one phone, and those that were connected by their address are gone',
    source: 'appium/appium#4443, appium/appium-adb#69',
    seen: 'Whenever the test server takes adb for stuck it runs `adb kill-server`. The devices that are connected to adb by IP address are not listed any more.',
    cause: 'the test server ends the adb server',
    did: 'gave it a flag with which it does not, `--suppress-adb-kill-server`',
    lab: { zone: 'America/Denver', hubs: [4], free: 2, network: 4, from: '2015-01-05', days: 22 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(7, 21))
        for (const time of ['09:30', '11:50', '14:20', '16:40']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 70) * MINUTE;
          const back = adbRestarts(lab, at, 32, 2 * SECOND);
          const forMs = lab.random.between(3, 40) * MINUTE;
          losses.push(...lab.loseAll(phones, back + SECOND, { spreadMs: 400, forMs, backSpreadMs: MINUTE }));
        }
      const back = adbRestarts(lab, lab.at(21, '10:15'), 32, 2 * SECOND);
      losses.push(...lab.loseAll(phones, back + SECOND, { spreadMs: 400 }));
      background(lab);
      return {
        at: lab.at(21, '10:50'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|restarts? (the )?adb|adb .{0,40}restart|another program|script/i,
        },
      };
    },
  },
  {
    name: 'of three emulators one or two drop out of each run as long as the runner records videos',
    source: 'MarathonLabs/marathon#627',
    seen: 'In a run of about 250 tests on three emulators one or two always disconnect, just after a test, before its video is deleted. To end such an emulator takes so long that it times out.',
    cause: 'the recording of videos on emulators of Android 11',
    did: 'switched the videos off; more memory, other images and newer tools had not helped',
    cannotShow: 'that tests record videos is not recorded',
    lab: { zone: 'America/Los_Angeles', hubs: [4], free: 2, emulators: 3, from: '2022-03-21', days: 23 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(8, 22))
        for (const time of ['09:00', '13:30', '17:40']) {
          if (lab.random.chance(0.2)) continue;
          const start = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          const some = lab.random.shuffled(emulators).slice(0, lab.random.whole(1, 2));
          for (const emulator of some) {
            const at = start + lab.random.between(6, 45) * MINUTE;
            const until = start + lab.random.between(60, 75) * MINUTE;
            losses.push(lab.lose(emulator, at, { as: 'offline', forMs: until - at }));
          }
        }
      background(lab);
      return {
        at: lab.at(22, '08:30'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /video|record|\bload\b|memory|restart .{0,30}emulator|emulator.{0,40}restart/i,
        },
      };
    },
  },
  {
    name: 'the first of three emulators drops out of adb after some hours, and one morning all of them are gone',
    source: 'MaaAssistantArknights/MaaAssistantArknights#8363',
    seen: 'Emulator-5554 is not in the list of adb after it ran for a time, while 5556 and 5558 are well. With another edition of the emulator all three fail in the night after eight good hours; a phone at the same computer is well.',
    cause: 'not found; the emulator, and its first port',
    did: 'installed the former edition again, and left the first emulator unused',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, emulators: 3, from: '2024-02-01', days: 18 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const [first] = emulators as [LabPhone];
      lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [12, '14:10', 1.6],
        [13, '03:35', 6.2],
        [13, '21:20', 0.7],
        [14, '16:55', 2.3],
        [15, '05:15', 4.9],
        [16, '11:40', 0.4],
      ] as const)
        losses.push(lab.lose(first, lab.at(day, time), { forMs: hours * HOUR }));
      losses.push(...lab.loseAll(emulators, lab.at(17, '04:10'), { as: 'offline', spreadMs: 90 * MINUTE }));
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '09:10'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /restart .{0,40}emulator|emulator.{0,60}(restart|start it again|anew|update|version|edition)|reinstall|another (port|emulator)|update/i,
        },
      };
    },
  },
  {
    name: 'a desktop computer takes ten phones at hubs of seven ports, and no further one',
    source: 'openstf/stf#360',
    seen: 'Fifty phones are to be connected to an HP EliteDesk 800 G2 with Ubuntu 14.04; beyond ten they are shown as "preparing" or "offline".',
    cause: 'the chipset: those of Intel take few USB devices',
    did: 'were told to put in a PCIe card for USB',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [7, 7, 7],
      free: 11,
      from: '2016-06-20',
      days: 16,
      usb: true,
      controllerId: ['8086', 'a12f'],
    },
    tell(lab) {
      for (const [index, port] of lab.freePorts(lab.start).entries()) {
        const phone = lab.add('usb', { port, isThereAtFirst: false });
        phone.isPinned = true;
        const at = lab.at(14, '11:20') + index * 45 * SECOND;
        lab.kernel(at, whereOf(port, lab.known), 'resources');
        lab.kernel(at + 300, whereOf(port, lab.known), 'config');
        lab.usb(phone, at, { interfaces: [], connectedAt: at });
      }
      background(lab);
      return {
        at: lab.at(14, '13:00'),
        told: {
          about: ['host', 'hub', 'port'],
          says: /controller|chipset|too many|limit|USB card|PCIe|no room/i,
        },
      };
    },
  },
  {
    name: 'after each sleep of the Mac its emulators play dead until all processes of adb are ended',
    source: 'barry-ran/QtScrcpy#779',
    seen: 'When the Mac slept and is awake again, no emulator answers.',
    cause: 'the sleep of the computer, after which adb is stuck',
    did: 'ended all processes of adb, then connected again',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, emulators: 3, from: '2023-02-27', days: 19 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(6, 19)) {
        const woke = lab.at(day, '08:50') + lab.random.between(0, 40) * MINUTE;
        lab.host(woke, { kind: 'hostSlept', forMs: Math.round(lab.random.between(11, 13) * HOUR) });
        const killed = woke + Math.round(lab.random.between(6, 25) * MINUTE);
        if (day === 18) {
          losses.push(...lab.loseAll(emulators, woke + 3 * SECOND, { as: 'offline' }));
          continue;
        }
        const forMs = killed + 4 * SECOND - woke;
        losses.push(...lab.loseAll(emulators, woke + 3 * SECOND, { as: 'offline', forMs }));
        adbRestarts(lab, killed, 41);
      }
      background(lab);
      return {
        at: lab.at(18, '09:34'),
        losses,
        blame: ['host', 'adb'],
        told: {
          about: ['host', 'phone'],
          says: /sleep|slept|suspend|kill-server|restart .{0,20}adb|adb .{0,40}(restart|anew)/i,
        },
      };
    },
  },
  {
    name: 'after a hibernation adb crashes again and again, and the emulator is not seen',
    source: 'flutter/flutter#15810',
    seen: 'When the computer comes back from hibernation, adb.exe crashes in a loop, and the emulator is in no list.',
    cause: 'the computer hibernated; adb does not bear it',
    did: 'restarted the computer',
    lab: { zone: 'Europe/Skopje', hubs: [], direct: 1, emulators: 1, from: '2018-02-19', days: 19 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      lab.pinned(0);
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '08:40', 16],
        [11, '13:25', 22],
        [15, '08:55', 12],
        [18, '09:05', 0],
      ] as const) {
        const woke = lab.at(day, time);
        lab.host(woke, { kind: 'hostSlept', forMs: 10 * HOUR });
        for (let turn = 0; turn < 9; turn += 1) {
          const at = woke + 2 * SECOND + turn * 20 * SECOND;
          lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
          lab.host(at + 5 * SECOND, { kind: 'adbBack' });
          lab.host(at + 5200, { kind: 'adbReplaced', version: 39 });
        }
        const lost = woke + 7500;
        if (minutes === 0) {
          losses.push(lab.lose(emulator, lost));
          continue;
        }
        hostRestarts(lab, woke + minutes * MINUTE);
        losses.push(lab.lose(emulator, lost, { forMs: (minutes + 4) * MINUTE }));
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(18, '09:25'),
        losses,
        blame: ['host', 'adb'],
        told: {
          about: ['host', 'phone'],
          says: /sleep|slept|suspend|hibernat|restart the (host|computer)|reboot|adb .{0,40}(crash|restart|update)/i,
        },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi drops adb for a moment whenever its screen is locked or unlocked',
    source: 'Genymobile/scrcpy#6607, Genymobile/scrcpy#6396',
    seen: 'adb shows the phone as offline, then as authorizing, then as well again, each time that it is locked or unlocked. An older phone did not do that.',
    cause: 'the phone: a newer Android ends the connections of adb with the lock of its screen',
    did: 'started the mirror again, which connects at once',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2025-12-22',
      days: 25,
      models: ['Galaxy'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(12, 25)) {
        let at = lab.at(day, '09:20') + lab.random.between(0, 50) * MINUTE;
        while (at < lab.at(day, '18:00')) {
          const forMs = Math.round(lab.random.between(1.2, 4) * SECOND);
          losses.push(lab.lose(phone, at, { as: 'offline', forMs }));
          at += Math.round(lab.random.between(15, 140) * MINUTE);
        }
      }
      background(lab);
      return {
        at: lab.at(24, '18:10'),
        losses,
        blame: ['phone', 'link', 'person'],
        told: {
          about: ['phone'],
          says: /screen|\block|power saving|battery optimi|stay awake|sleep|reconnect/i,
        },
      };
    },
  },
  {
    name: 'a screen mirror and an editor end the adb of each other',
    source: 'Genymobile/scrcpy#1489, Genymobile/scrcpy#992',
    seen: 'The mirror closes whenever a project is opened in the editor, and when it is started again the editor loses its phone: "adb server version (41) doesn’t match this client (39); killing".',
    cause: 'the mirror brings an adb of its own, older than that of the SDK',
    did: 'had both use the same adb',
    lab: { zone: 'Africa/Lagos', hubs: [], direct: 2, network: 1, from: '2020-05-18', days: 22 },
    tell(lab) {
      const onUsb = lab.pinnedOf('usb');
      const overWifi = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(8, 22))
        for (const time of ['09:40', '11:30', '14:10', '16:50']) {
          if (lab.random.chance(0.25)) continue;
          const opened = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          const back = adbRestarts(lab, opened, 41);
          losses.push(...lab.loseAll(onUsb, back + 400, { forMs: 1500, backSpreadMs: SECOND }));
          const mirrored = opened + lab.random.between(1, 6) * MINUTE;
          const again = adbRestarts(lab, mirrored, 39);
          losses.push(...lab.loseAll(onUsb, again + 400, { forMs: 1500, backSpreadMs: SECOND }));
          const forMs = mirrored - opened + lab.random.between(2, 25) * MINUTE;
          losses.push(...lab.loseAll(overWifi, back + 500, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(21, '18:20'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|kill-server|kills? (the )?adb|another program|(one|same) adb/i,
        },
      };
    },
  },
];
