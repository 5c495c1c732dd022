/** One phone on somebody's desk, in a car or at a Raspberry Pi, that drops from USB again and again, or once and for good. */
import { ADB, MTP } from '../../usb-tree.ts';
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody takes it away and plugs it in at this moment. */
function plugIn(lab: Lab, phone: LabPhone, at: number, awayMs: number): void {
  lab.lose(phone, at - awayMs, { forMs: awayMs });
}

export const incidents: readonly Incident[] = [
  {
    name: 'a phone comes and goes every second at a Raspberry Pi in a car',
    source: 'f1xpl/openauto#85, f1xpl/openauto#89',
    seen: 'Whenever it is plugged in, it begins to charge, is gone, and comes again, about once a second. Four cables were tried; without a cable it works.',
    cause: 'the phone leaves file transfer (MTP) for "charge only"; the power of the Pi was suspected too',
    did: 'set the phone to MTP; raised the current of the USB ports, which did not help',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, from: '2018-04-30', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [time, seconds] of [
        ['13:10', 75],
        ['13:24', 50],
        ['13:41', 60],
        ['14:05', 45],
        ['17:30', 90],
      ] as const) {
        const plugged = lab.at(13, time);
        plugIn(lab, phone, plugged, 5 * MINUTE);
        for (let second = 1; second < seconds; second += 1) {
          const at = plugged + second * SECOND + lab.random.between(0, 250);
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(300, 600) }));
        }
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(13, '17:40'),
        losses,
        blame: ['phone', 'port', 'link', 'hub', 'host'],
        told: {
          about: ['phone', 'port'],
          says: /MTP|file transfer|USB (mode|configuration|preference|setting)|power/i,
        },
        alsoAbout: ['hub', 'host'],
      };
    },
  },
  {
    name: 'a new phone does not stay at a Raspberry Pi until that has a stronger power supply',
    source: 'opencardev/crankshaft#78',
    seen: 'The program starts, but never gets past the screen that asks for a phone, with USB debugging on or off.',
    cause: 'the power supply of the Raspberry Pi is too weak',
    did: 'gave the Pi a stronger power supply',
    lab: { zone: 'America/New_York', hubs: [4], free: 4, from: '2018-04-02', days: 17 },
    tell(lab) {
      const [port] = lab.freePorts(lab.start);
      const phone = lab.add('usb', { ...(port && { port }), isThereAtFirst: false });
      phone.isPinned = true;
      const losses: ToldLoss[] = [];
      const tries = [
        [14, '19:05'],
        [14, '19:16'],
        [14, '19:40'],
        [14, '20:22'],
        [15, '07:35'],
        [15, '07:44'],
        [15, '08:02'],
      ] as const;
      lab.phone(phone, lab.at(14, '19:05'), { kind: 'attached', state: 'device' });
      for (const [index, [day, time]] of tries.entries()) {
        const at = lab.at(day, time) + lab.random.between(6, 40) * SECOND;
        const next = tries[index + 1];
        losses.push(lab.lose(phone, at, next ? { forMs: lab.at(next[0], next[1]) - at } : {}));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '08:30'),
        losses,
        blame: ['hub', 'host', 'port', 'link'],
        told: {
          about: ['hub', 'port', 'phone', 'host'],
          says: /power|supply|voltage|current/i,
        },
      };
    },
  },
  {
    name: 'a phone in a car charges and is not seen',
    source: 'gartnera/headunit#103',
    seen: 'The computer of the car waits for the phone, which is plugged in and charges.',
    cause: 'the cable is damaged: it charges, but carries no data',
    did: 'took another cable',
    lab: { zone: 'America/Sao_Paulo', hubs: [], direct: 1, from: '2017-11-06', days: 24, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of [4, 9, 16]) plugIn(lab, phone, lab.at(day, '18:20'), 9 * HOUR);
      const loss = lab.lose(phone, lab.at(21, '18:50'));
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '09:10'),
        losses: [loss],
        blame: ['port', 'link'],
        told: { about: ['port', 'phone'], says: /cable|charg(e|es|ing)[- ]only/i },
      };
    },
  },
  {
    name: 'a tablet is lost whenever an installer pushes files to it',
    source: 'ubports/ubports-installer#1547',
    seen: 'The connection to a Nexus 7 in its recovery is lost again and again while files of hundreds of megabytes are pushed.',
    cause: 'a loose cable; the battery was asked for too',
    did: 'changed the cable, and installed it several times until it went through',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 2, from: '2020-10-26', days: 22 },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      lab.lose(tablet, lab.at(19, '20:02'), { forMs: 70 * SECOND, backAs: 'recovery' });
      for (const [day, time] of [
        [19, '20:06'],
        [19, '20:14'],
        [19, '20:31'],
        [19, '21:10'],
        [19, '21:22'],
        [20, '10:45'],
        [20, '10:58'],
        [20, '11:20'],
        [20, '11:33'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(20, 60) * SECOND;
        losses.push(lab.lose(tablet, at, { forMs: lab.random.between(0.4, 4) * MINUTE, backAs: 'recovery' }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['port', 'link'],
        told: { about: ['port', 'phone'], says: /cable|plug|socket|port/i },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a phone drops out once whenever its question about its data is answered',
    source: 'Genymobile/scrcpy#1914',
    seen: 'After it is plugged into a laptop it asks whether that may see its data. Whether one allows or denies it, the mirrored screen closes; the second time it works.',
    cause: 'the answer switches MTP: the phone sets up its USB anew, and adb goes with it',
    did: 'was told to look for a setting of the phone for its USB mode',
    lab: { zone: 'Europe/Dublin', hubs: [], direct: 2, from: '2020-10-26', days: 26, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(7, 23))
        for (const time of ['09:20', '13:40', '17:05']) {
          if (lab.random.chance(0.2)) continue;
          const plugged = lab.at(day, time) + lab.random.between(0, 30) * MINUTE;
          plugIn(lab, phone, plugged, lab.random.between(20, 90) * MINUTE);
          const at = plugged + lab.random.between(12, 70) * SECOND;
          const isAllowed = lab.random.chance(0.7);
          const forMs = lab.random.between(1.6, 3) * SECOND;
          losses.push(
            lab.lose(phone, at, { forMs, ...(isAllowed && { onUsb: { interfaces: [MTP, ADB] } }) }),
          );
        }
      background(lab);
      return {
        at: lab.at(22, '18:10'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          says: /USB (mode|configuration|preference|setting)|MTP|file transfer|allow/i,
        },
      };
    },
  },
  {
    name: 'a headset loses its connection whenever Unity is started or closed',
    source: 'Kuijen/RT-RP#2',
    seen: 'A headset gets its internet over USB and adb. When Unity starts or is closed, that ends; over Wi-Fi there is no such thing.',
    cause: 'Unity runs adb of its own, which ends the server that others use',
    did: 'asked the author of the tool, who found it',
    lab: { zone: 'Asia/Tokyo', hubs: [], direct: 1, from: '2025-07-21', days: 20, usb: true },
    tell(lab) {
      const headset = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(7, 19))
        for (const time of ['10:00', '11:50', '13:10', '15:00', '16:20', '17:40']) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 35) * MINUTE;
          const back = adbRestarts(lab, at, 41, lab.random.between(1, 3) * SECOND);
          losses.push(lab.lose(headset, back + 500, { forMs: lab.random.between(2, 6) * SECOND, onUsb: {} }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '18:30'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /another program|kill-server|kills? (the )?adb|restarts? (the )?adb|version|(one|same) adb/i,
        },
      };
    },
  },
  {
    name: 'the plug of a cable breaks off after days on which a headset was not always seen',
    source: 'WiVRn/WiVRn#407',
    seen: 'Besides a game that crashes, now and then the headset does not count as connected. Then the plug snaps off when the cable is moved a little.',
    cause: 'the USB-C plug of the cable was about to break',
    did: 'found the plug broken off',
    lab: { zone: 'Europe/London', hubs: [], direct: 2, from: '2025-06-30', days: 20, usb: true },
    tell(lab) {
      const headset = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, seconds] of [
        [14, '19:40', 4],
        [15, '20:05', 2],
        [15, '21:30', 35],
        [16, '19:12', 3],
        [16, '19:50', 140],
        [17, '18:55', 2],
        [17, '19:25', 6],
        [17, '21:02', 420],
      ] as const)
        losses.push(lab.lose(headset, lab.at(day, time), { forMs: seconds * SECOND }));
      losses.push(lab.lose(headset, lab.at(18, '20:15')));
      background(lab, { isDaily: true, hasReadings: false });
      return {
        at: lab.at(18, '21:00'),
        losses,
        blame: ['port', 'link', 'person'],
        told: { about: ['port', 'phone'], says: /cable|plug|socket/i },
      };
    },
  },
  {
    name: 'a phone behind an extension cable stops to answer in each transfer',
    source: 'hanwen/go-mtpfs#111',
    seen: 'About twenty seconds after files are written to it, the phone does not answer in time, and the connection is closed; for hours.',
    cause: 'the USB extension cable',
    did: 'took it out, and plugged the phone into the computer',
    lab: { zone: 'Australia/Sydney', hubs: [], direct: 2, from: '2015-11-16', days: 23 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const time of [
        '20:10',
        '20:22',
        '20:37',
        '21:05',
        '21:18',
        '21:50',
        '22:12',
        '22:31',
        '23:03',
        '23:26',
        '23:46',
      ]) {
        const at = lab.at(21, time) + lab.random.between(15, 30) * SECOND;
        losses.push(lab.lose(phone, at, { as: 'offline', forMs: lab.random.between(0.5, 4) * MINUTE }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(21, '23:55'),
        losses,
        blame: ['port', 'link'],
        told: { about: ['port', 'phone'], says: /cable|extension|another port/i },
      };
    },
  },
  {
    name: 'since its update a phone is gone after a while, until it is plugged in anew',
    source: 'barry-ran/QtScrcpy#995',
    seen: 'Since the update to Android 14 the mirrored screen closes after some use and the phone is not listed, until its cable is pulled and plugged in again.',
    cause: 'for one of them the cable; the others suspect the update',
    did: 'took the original cable of the maker, with which all is well',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, from: '2024-06-17', days: 27 },
    tell(lab) {
      const phone = lab.pinned(0);
      const updated = lab.at(7, '22:30');
      lab.reboot(phone, updated, { forMs: 6 * MINUTE, reason: 'reboot,ota' });
      lab.phone(phone, updated + 8 * MINUTE, { kind: 'os', release: '14', before: '13' });
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 26; day += 1)
        for (const time of ['10:15', '14:30', '19:20', '21:10']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(1, 25) * MINUTE }));
        }
      background(lab, { isDaily: true });
      return {
        at: lab.at(25, '22:50'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: { about: ['port', 'phone'], says: /cable|update|Android 14/i },
      };
    },
  },
];
