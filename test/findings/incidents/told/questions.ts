/** Incidents from questions, blog pages and threads of people whose phones stay plugged in for long. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const only = (lab: Lab, connection: LabPhone['connection']): LabPhone => {
  const phone = lab.phones.find((each) => each.connection === connection);
  if (!phone) throw new RangeError(`no phone by ${connection}`);
  phone.isPinned = true;
  return phone;
};

export const incidents: Incident[] = [
  {
    name: 'a phone that passes on text messages has no network from midnight to eight, each night',
    source: 'pppscn/SmsForwarder#467',
    seen: 'A Redmi 9A. Each night from 0:00 to 8:00 it does not send on what it receives; by day it does.',
    cause: 'its power saving switches the network off at night',
    did: 'was told to look at the power saving of the phone',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-04-15',
      days: 25,
      models: ['Redmi 9A'],
    },
    tell(lab) {
      const phone = only(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 25; day += 1) {
        const at = lab.at(day) + lab.random.between(0, 3) * MINUTE;
        const forMs = lab.at(day, '08:00') + lab.random.between(0, 4) * MINUTE - at;
        losses.push(lab.lose(phone, at, { forMs }));
      }
      background(lab);
      return {
        at: lab.at(24, '09:30'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /Wi-Fi|sleep|network|(?:power|battery) sav/i },
      };
    },
  },
  {
    name: 'the phone of a test machine is not listed until it was restarted two days later',
    source: 'flutter/flutter#90911',
    seen: 'The only phone of the machine is not listed by adb any more.',
    cause: 'not found: the phone hung',
    did: 'restarted the phone',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2021-09-06',
      days: 26,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(22, '03:12');
      const back = lab.at(24, '15:05');
      const loss = lab.lose(phone, at, { forMs: back - at });
      lab.rebooted(phone, back + 20 * SECOND, { uptimeSeconds: 62 });
      background(lab);
      return {
        at: lab.at(22, '17:00'),
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /restart|reboot|power button|switch (?:it )?off/i,
        },
      };
    },
  },
  {
    name: 'a phone is gone again: it waits at the screen of a security update',
    source: 'flutter/flutter#88113',
    seen: 'The phone is not listed again. In the lab it shows the screen of a security update.',
    cause: 'it had downloaded a security update, and waited for somebody',
    did: 'switched automatic updates off, set USB to file transfer, and exchanged the cable',
    cannotShow: 'what is on its screen is not recorded',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2021-07-19',
      days: 26,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(1, '09:20'), { forMs: lab.at(4, '11:00') - lab.at(1, '09:20') });
      const at = lab.at(23, '02:10');
      const loss = lab.lose(phone, at, { forMs: lab.at(24, '15:10') - at });
      for (const minute of [12, 13, 15])
        lab.lose(phone, lab.at(24, `15:${minute}:05`), { forMs: 30 * SECOND });
      background(lab);
      return {
        at: lab.at(24, '12:00'),
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /update|screen|file transfer|USB (?:mode|setting|configuration)|cable/i,
        },
      };
    },
  },
  {
    name: 'a phone is lost five times in six weeks, and comes back when its cable is put in again or it is restarted',
    source: 'flutter/flutter#185752, #186402, #186530, #186901, #187967',
    seen: 'The phone of mac-31 is not found. Three times the cable is put in again, twice the phone is restarted.',
    cause: 'not found: the cable or its connectors, or the phone',
    did: 'put the cable in again; restarted the phone',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2026-04-22',
      days: 53,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, back, isRestarted] of [
        [7, '05:40', '10:20', false],
        [20, '02:15', '09:50', true],
        [22, '07:05', '13:30', false],
        [29, '04:45', '10:10', true],
      ] as const) {
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.at(day, back) - lab.at(day, time) }));
        if (isRestarted) lab.rebooted(phone, lab.at(day, back) + 15 * SECOND, { uptimeSeconds: 58 });
      }
      const at = lab.at(51, '13:25');
      losses.push(lab.lose(phone, at, { forMs: lab.at(52, '09:15') - at }));
      background(lab);
      return {
        at: lab.at(51, '16:00'),
        losses,
        blame: ['link', 'phone', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|plug|seat|connector|restart|reboot/i },
      };
    },
  },
  {
    name: 'adb ends with a bus error, three times in seven weeks',
    source: 'flutter/flutter#186165, #186900, #188579',
    seen: '`adb devices` ends with "Bus error: 10", and no phone is listed.',
    cause: 'not found',
    did: 'restarted the phone, and twice the machine too',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2026-05-04',
      days: 54,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time, back, isHostToo] of [
        [3, '08:40', '13:55', true],
        [17, '07:30', '12:40', false],
        [52, '06:20', '14:10', true],
      ] as const) {
        lab.host(lab.at(day, time), { kind: 'adbLost', failureKind: 'absent' });
        const until = lab.at(day, back);
        if (isHostToo) {
          lab.host(until - 95 * SECOND, { kind: 'agentStopped' });
          lab.host(until - 5 * SECOND, {
            kind: 'agentStarted',
            version: '1.0.0',
            hostBootedAt: until - 50 * SECOND,
            lastAliveAt: until - 95 * SECOND,
          });
        }
        lab.host(until, { kind: 'adbBack' });
        lab.host(until + 200, { kind: 'adbReplaced', version: 41 });
        lab.rebooted(phone, until + 40 * SECOND, { uptimeSeconds: 100 });
      }
      background(lab);
      return { at: lab.at(52, '11:00'), told: { about: ['host'], says: /restart|reboot/i } };
    },
  },
  {
    name: 'tests find no phone any more: its battery has swollen',
    source: 'flutter/flutter#89801',
    seen: 'A test ends with "No Android devices detected".',
    cause: 'the battery of the phone has swollen',
    did: 'replaced the phone',
    cannotShow: 'no reading shows that a battery swells',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2021-08-16',
      days: 25,
      models: ['Moto G4'],
    },
    tell(lab) {
      const loss = lab.lose(lab.pinned(0), lab.at(24, '04:20'));
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /batter|swollen|bulg|replace the phone/i },
      };
    },
  },
  {
    name: 'adb does not start: a program for rooting phones has its port',
    source: 'https://www.jianshu.com/p/9694c856aa23',
    seen: 'The adb server cannot be started: it cannot bind 127.0.0.1:5037. `romaster_daemon.exe` has this port.',
    cause: 'another program listens at the port of adb',
    did: 'ended that program',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2016-09-05',
      days: 18,
      models: ['Mi'],
    },
    tell(lab) {
      lab.pinned(0);
      lab.host(lab.at(15, '09:10'), { kind: 'adbLost', failureKind: 'foreign' });
      lab.host(lab.at(15, '10:20'), { kind: 'adbBack' });
      lab.host(lab.at(15, '10:20') + 200, { kind: 'adbReplaced', version: 36 });
      background(lab);
      return {
        at: lab.at(15, '10:00'),
        told: {
          about: ['host'],
          says: /5037|(?:another|other) program|process|(?:has|holds|takes|uses) (?:the|its|this) port/i,
        },
      };
    },
  },
  {
    name: 'a phone in a car loses the connection within a minute, another phone at the same cable does not',
    source: 'https://nonbiry-lab.com/2021/05/24/android-auto',
    seen: 'After each connect it holds less than a minute. Another phone works at the same cable. Cables from the same cheap shop change how often it happens.',
    cause: 'the cable is not good enough',
    did: 'bought a better cable; to reset the phone or the program had not helped',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2021-05-03',
      days: 21,
      models: ['AQUOS sense3 lite', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [15, '10:10'],
        [16, '18:35'],
        [18, '08:20'],
        [19, '09:05'],
      ] as const)
        for (let at = lab.at(day, time), left = 6; left > 0; left -= 1) {
          const forMs = lab.random.between(6, 40) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + lab.random.between(25, 58) * SECOND;
        }
      background(lab);
      return {
        at: lab.at(19, '09:30'),
        losses,
        blame: ['link', 'port', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone that drives a printer charges, and still runs empty',
    source: 'https://ordo.dk/2022/01/getting-octo4a-to-work-or-charging-while-being-connected/',
    seen: 'A Note 9 at an adapter with a strong charger shows that it charges, and runs empty nevertheless.',
    cause: 'the charger gives it too little power through the adapter',
    did: 'took a USB-C charger of 65 W with power delivery',
    lab: {
      zone: 'Europe/Copenhagen',
      hubs: [],
      network: 1,
      from: '2021-12-20',
      days: 22,
      models: ['Note 9'],
    },
    tell(lab) {
      const phone = only(lab, 'tcp');
      const losses: ToldLoss[] = [];
      const runs = [
        [16, '09:00', 11],
        [18, '10:30', 9.5],
        [20, '08:40', 10.2],
      ] as const;
      for (const [day, time, hours] of runs) {
        const empty = lab.at(day, time) + hours * HOUR;
        losses.push(lab.lose(phone, empty, { forMs: 5.5 * HOUR }));
        lab.rebooted(phone, empty + 5.5 * HOUR + 30 * SECOND, { uptimeSeconds: 70 });
      }
      phone.reading = (at) => {
        const run = runs.find(([day, time, hours]) => {
          const from = lab.at(day, time);
          return at >= from && at <= from + hours * HOUR;
        });
        const levelPercent = run
          ? Math.max(1, Math.round(100 - (99 * (at - lab.at(run[0], run[1]))) / (run[2] * HOUR)))
          : 100;
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: run ? 312 : 264 };
      };
      background(lab);
      return {
        at: lab.at(20, '19:30'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /charg|power supply|watt/i },
      };
    },
  },
  {
    name: 'a phone that is restarted into recovery has no permissions',
    source: 'https://jhshi.me/2014/07/02/fix-adb-permissions/',
    seen: 'In recovery adb says "no permissions"; in normal mode the phone is well.',
    cause: 'in recovery it has another vendor id, for which there is no udev rule',
    did: 'added a udev rule with the id that lsusb shows, and plugged the phone in again',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      known: { slots: false },
      from: '2014-06-09',
      days: 24,
      models: ['Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.lose(phone, lab.at(22, '15:02'), { forMs: 24 * SECOND, backAs: 'no permissions' });
      lab.lose(phone, lab.at(22, '17:12'), { forMs: 9 * SECOND, backAs: 'recovery' });
      background(lab);
      return {
        at: lab.at(22, '16:30'),
        told: { about: ['phone', 'host'], says: /udev|permission|rule/i },
      };
    },
  },
  {
    name: 'a Fire TV stays offline: a program on it is connected to its own adb',
    source: 'sphinx02/AppStarter#36',
    seen: 'Since a start program was installed on the Fire TV, the computer lists it as offline.',
    cause: 'this Fire TV serves one adb connection only, and the program on it has it',
    did: 'switched off the watching in that program, and took the power from the Fire TV for a minute',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 1,
      from: '2015-11-23',
      days: 26,
      models: ['Fire TV'],
    },
    tell(lab) {
      const phone = only(lab, 'tcp');
      const at = lab.at(21, '19:10');
      const loss = lab.lose(phone, at, { as: 'offline', forMs: lab.at(24, '20:15') - at });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '12:00'),
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /another|other (?:program|computer|client|app)|(?:one|single) (?:program|computer|client)|debugging|power|restart/i,
        },
      };
    },
  },
  {
    name: 'a headset is plugged in and charges, and adb does not list it since another program is there',
    source: 'the-expanse/SideQuest#382',
    seen: 'The day before it worked. It charges; plugging it in again, restarting it and installing the program anew change nothing.',
    cause: 'another program, BeatDrop, with an adb of its own',
    did: 'uninstalled BeatDrop',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      known: { slots: false },
      usb: true,
      from: '2020-01-27',
      days: 24,
      models: ['Quest'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(22, '15:40');
      const loss = lab.lose(phone, at, { onUsb: {}, forMs: lab.at(22, '20:05') - at });
      background(lab, { hours: [17, 22], isDaily: true });
      return {
        at: lab.at(22, '19:00'),
        losses: [loss],
        blame: ['adb', 'host', 'unknown'],
        told: { about: ['phone', 'host'], says: /program|adb server|process|application/i },
      };
    },
  },
  {
    name: 'since an update adb does not start',
    source: 'archlinuxcn/repo#2674',
    seen: 'Since the update of the package adb ends with a segmentation fault.',
    cause: 'a fault of this version of adb',
    did: 'stayed with the version before; the next one is well',
    cannotShow: 'the records show that no adb answers, not why it does not start',
    lab: { zone: 'Europe/Berlin', hubs: [4], known: { slots: false }, from: '2022-01-24', days: 26 },
    tell(lab) {
      lab.host(lab.at(23, '10:05'), { kind: 'adbLost', failureKind: 'absent' });
      background(lab, { taken: 0, restarts: 0, glitches: 0 });
      return {
        at: lab.at(24, '11:00'),
        told: { about: ['host'], says: /version|updat|platform-tools|reinstall|downgrad/i },
      };
    },
  },
  {
    name: 'since the update of a plugin a television is unauthorized again and again',
    source: 'dwaan/homebridge-adb#93',
    seen: 'The television becomes unauthorized, and is well again when the container was restarted. With the version before it happened less.',
    cause: 'not found: the new version of the plugin',
    did: 'restarted the container; went back to the version before',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 1,
      from: '2022-11-07',
      days: 22,
      models: ['Sharp TV'],
    },
    tell(lab) {
      const phone = only(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [14, '19:12', 2.2],
        [16, '08:05', 10],
        [17, '20:40', 1.1],
        [19, '07:20', 11.5],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { as: 'unauthorized', forMs: hours * HOUR }));
        adbRestarts(lab, at + hours * HOUR - 6 * SECOND, 41);
      }
      losses.push(lab.lose(phone, lab.at(20, '10:22:19'), { as: 'unauthorized' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '11:30'),
        told: {
          about: ['phone', 'host'],
          says: /authori[sz]|allow|dialog|popup|restart|version/i,
        },
      };
    },
  },
  {
    name: 'two programs with adb 36 and 41 end the server of each other beside an emulator',
    source: 'MaaAssistantArknights/MaaAssistantArknights#1871',
    seen: 'The program says that the emulator is disconnected, tries again, and ends. Its log: adb server version (41) does not match this client (36); killing.',
    cause: 'two versions of adb',
    did: 'put one newer adb in the place of that of the program',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      emulators: 1,
      known: { slots: false },
      from: '2022-08-29',
      days: 23,
    },
    tell(lab) {
      const phone = only(lab, 'emulator');
      const losses: ToldLoss[] = [];
      let at = lab.at(21, '20:31');
      for (let turn = 0; turn < 9; turn += 1) {
        adbRestarts(lab, at, turn % 2 === 0 ? 36 : 41);
        losses.push(lab.lose(phone, at + 4 * SECOND, { forMs: lab.random.between(3, 8) * SECOND }));
        at += lab.random.between(1.5, 6) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(21, '21:40'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|(?:two|another|different|second|one) adb|program/i,
        },
      };
    },
  },
  {
    name: 'the adb server of a build machine crashes in tests, and is started anew by the next command',
    source: 'dotnet/android#2977',
    seen: 'In the midst of the tests a command says "daemon not running; starting now", and the test fails.',
    cause: 'adb crashes; later platform tools are said to fix this',
    did: 'updated the platform tools to 28.0.2',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      emulators: 2,
      known: { slots: false },
      from: '2019-03-22',
      days: 21,
    },
    tell(lab) {
      for (const phone of lab.phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 20; day += 1)
        for (const hour of [4, 11, 17].filter(() => lab.random.chance(0.6))) {
          const at = lab.at(day) + hour * HOUR + lab.random.between(0, 150) * MINUTE;
          adbRestarts(lab, at, 40);
          losses.push(...lab.loseAll(lab.phones, at + 4 * SECOND, { forMs: 6 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(20, '09:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /version|updat|platform[- ]tools|newer/i },
      };
    },
  },
  {
    name: 'a lab has its power cut by a timer each night, with all its hubs',
    source: 'https://buildingadevicelab.com/power',
    seen: 'Hubs and power strips of the lab are at one power supply with a timer, which switches all of it off at night.',
    cause: 'the timer',
    did: 'it is meant so, to save power',
    lab: {
      zone: 'America/New_York',
      hubs: [5, 5],
      usb: true,
      known: { slots: false },
      from: '2015-02-02',
      days: 21,
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (let day = 7; day < 20; day += 1) {
        const at = lab.at(day, '20:00') + 2 * SECOND;
        const away = { gone: 'hub', isWithHub: true, forMs: lab.at(day + 1, '07:00') - at } as const;
        for (const hub of [0, 1]) losses.push(...lab.loseAll(lab.phonesOf(hub), at + hub * 600, away));
      }
      background(lab, { taken: 0.4, restarts: 0.2, hours: [10, 16] });
      return {
        at: lab.at(19, '21:30'),
        losses,
        blame: ['hub', 'room', 'person', 'unknown'],
        told: { about: ['hub', 'room', 'host'], says: /power|switch|timer|socket/i },
      };
    },
  },
];
