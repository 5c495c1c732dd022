/** Incidents of the side of the host: its adb, other programs at the ports of adb, its kernel, what its USB ports can feed. */
import { adbRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** How a phone of Samsung shows itself on USB while it waits to be flashed. */
const DOWNLOAD_MODE = [
  { kind: '02/02/01', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];

/** A command of another version ends the adb server, and starts its own. */
function adbAnew(lab: Lab, at: number, version: number): number {
  adbRestarts(lab, at, version);
  return at + 3 * SECOND;
}

export const incidents: readonly Incident[] = [
  {
    name: 'a screen mirror from a snap replaces adb by one that sees no phone on USB',
    source: 'Genymobile/scrcpy#464, brlin-tw/scrcpy-snap#4, Genymobile/scrcpy#336',
    seen: 'Whenever the mirror is started, adb 36 of its snap kills adb 39 of the system, and no phone is found. The next command of adb kills that one, and the phones are there again.',
    cause: 'the snap has an adb of its own, of another version and without permission for USB',
    did: 'connected the snap to adb-support, or took a mirror that uses the adb of the system',
    lab: { zone: 'America/Denver', hubs: [], direct: 2, usb: true, from: '2019-03-04', days: 20 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      const mirror = (at: number, forMs?: number) => {
        const back = adbAnew(lab, at, 36) + 400;
        if (forMs !== undefined) adbAnew(lab, back + forMs - 3600, 39);
        for (const phone of phones)
          losses.push(lab.lose(phone, back, { onUsb: {}, ...(forMs !== undefined && { forMs }) }));
      };
      for (const [day, time] of [
        [14, '10:05'],
        [14, '10:40'],
        [14, '16:20'],
        [15, '09:30'],
        [15, '13:10'],
        [16, '11:15'],
        [16, '17:45'],
        [17, '10:50'],
      ] as const)
        mirror(lab.at(day, time), Math.round(lab.random.between(1.5, 14) * MINUTE));
      mirror(lab.at(17, '15:25'));
      background(lab);
      return {
        at: lab.at(17, '15:50'),
        losses,
        blame: ['adb', 'host'],
        told: {
          about: ['host', 'phone'],
          says: /version|kill-server|kills? (the )?adb|(one|same) adb|another program|permission|udev|snap/i,
        },
      };
    },
  },
  {
    name: 'two emulators that nobody has started stay offline while a program of the host runs',
    source: 'styly-dev/STYLY-NetSync#465, microsoft/vscode-react-native#324',
    seen: 'Beside the headsets adb lists emulator-5554 and emulator-5556, offline, as long as the server of the application runs; commands without a serial fail then.',
    cause: 'the server listens on ports 5555 and 5557, where adb looks for emulators',
    did: 'closed the program that has the port; gave it other ports',
    lab: { zone: 'Asia/Tokyo', hubs: [4], free: 1, models: ['Quest'], from: '2026-05-18', days: 24 },
    tell(lab) {
      const phantoms = ['emulator-5554', 'emulator-5556'].map((name) =>
        lab.add('emulator', { name, isThereAtFirst: false }),
      );
      const days = lab.workdays(9, 23);
      const starts = days.map((day) => Math.round(lab.at(day, '10:10') + lab.random.between(0, 40) * MINUTE));
      for (const phantom of phantoms) {
        const first = starts[0] ?? lab.end;
        lab.phone(phantom, first, { kind: 'attached', state: 'offline' });
        for (const [index, day] of days.entries()) {
          const next = starts[index + 1];
          const ended = lab.at(day, '18:20') + (day % 5) * 7 * MINUTE;
          if (next !== undefined) lab.lose(phantom, ended, { forMs: next - ended, backAs: 'offline' });
        }
      }
      background(lab);
      return {
        at: lab.at(days.at(-1) ?? 22, '14:00'),
        told: {
          about: ['phone', 'host'],
          says: /\bports?\b.{0,40}(other|another|taken|in use|listen|program)|another program|listens|(end|stop|close)s? .{0,30}program|555\d/i,
        },
      };
    },
  },
  {
    name: 'a phone with a broken screen is found one day, and not after the computer was started the next',
    source: 'Genymobile/scrcpy#2956',
    seen: 'The day after, a mirror does not reach the phone on USB any more, though it was allowed; adb says that the version of its server is another one.',
    cause: 'ApowerMirror runs too, with adb 37: it and adb 41 of scrcpy kill each other at each command',
    did: 'disabled ApowerMirror',
    lab: { zone: 'Europe/Warsaw', hubs: [], direct: 2, from: '2022-01-03', days: 18 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const day of [11, 12, 13, 14, 15]) {
        const boot = lab.at(day, '08:20') + lab.random.whole(0, 30) * MINUTE;
        hostRestarts(lab, boot);
        for (let turn = 0; turn < 9; turn += 1) {
          const at = boot + 10 * MINUTE + turn * 40 * MINUTE + lab.random.whole(0, 30) * MINUTE;
          for (const [afterMs, version] of [
            [0, 41],
            [14 * SECOND, 37],
          ] as const) {
            const back = adbAnew(lab, at + afterMs, version);
            losses.push(...lab.loseAll(phones, back + 300, { spreadMs: 400, onUsb: {}, forMs: 2500 }));
          }
        }
      }
      background(lab);
      return {
        at: lab.at(15, '15:45'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /version|kill-server|kills? (the )?adb|(one|same) adb|another program/i,
        },
      };
    },
  },
  {
    name: 'phones at a hub of a server cannot be flashed until the server has a newer kernel',
    source: 'Benjamin-Dobell/Heimdall#262',
    seen: 'In download mode a phone at the hub of the Linux server never answers the flash tool. Directly at the server, or with the same hub at a Mac, it always does.',
    cause: 'the USB of kernel 3.11 of the server, with a hub between',
    did: 'updated the server: with kernel 3.18 it works at the hub',
    cannotShow: 'neither the answer of a flash tool nor the version of the kernel is recorded',
    lab: { zone: 'Asia/Kolkata', hubs: [7], usb: true, models: ['Galaxy'], from: '2015-02-16', days: 27 },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = [0, 2, 3, 5].map((index) => lab.pinned(index));
      const losses: ToldLoss[] = [];
      const flash = (index: number, at: number, forMs?: number) => {
        const phone = phones[index % phones.length] as LabPhone;
        const until = forMs === undefined ? {} : { forMs };
        losses.push(lab.lose(phone, at, { onUsb: { interfaces: DOWNLOAD_MODE }, ...until }));
        if (forMs !== undefined) lab.rebooted(phone, at + forMs + 15 * SECOND, { uptimeSeconds: 50 });
      };
      for (const [index, [day, time]] of (
        [
          [15, '11:10'],
          [16, '15:30'],
          [18, '10:45'],
          [21, '12:20'],
          [22, '10:30'],
        ] as const
      ).entries())
        flash(index, lab.at(day, time), Math.round(lab.random.between(18, 95) * MINUTE));
      flash(5, lab.at(22, '15:10'));
      hostRestarts(lab, lab.at(23, '18:30'));
      background(lab);
      return {
        at: lab.at(22, '17:00'),
        losses,
        blame: ['phone', 'person', 'host', 'hub', 'unknown'],
        told: {
          about: ['phone', 'host', 'hub', 'port'],
          says: /kernel|update|directly|port of the (host|computer)|another (computer|host)|download mode|restart/i,
        },
        alsoAbout: ['phone', 'port', 'hub', 'host'],
      };
    },
  },
  {
    name: 'Android on a board does not start from a port of the computer, and does from a power supply',
    source: 'tesla-android/issue-tracker#5, tesla-android/issue-tracker#25',
    seen: 'Fed by a USB port of the computer the Pi stays black for half an hour and more. With a power supply Android starts almost at once; back at that port it is gone, at a USB-C port it starts.',
    cause: 'the port gives too little power',
    did: 'used a power supply, or a USB-C port',
    cannotShow: 'nothing tells what feeds a device that is on the network only',
    lab: { zone: 'Asia/Jerusalem', hubs: [], direct: 1, from: '2022-04-18', days: 21 },
    tell(lab) {
      const board = lab.add('tcp', { name: 'Android on a Pi', isThereAtFirst: false });
      board.isPinned = true;
      lab.phone(board, lab.at(20, '15:20'), { kind: 'attached', state: 'device' });
      const [moved, forMs] = [lab.at(20, '16:05'), 48 * MINUTE];
      const loss = lab.lose(board, moved, { forMs });
      lab.rebooted(board, moved + forMs + 12 * SECOND, { uptimeSeconds: 55 });
      background(lab);
      return {
        at: lab.at(20, '16:40'),
        losses: [loss],
        blame: ['phone', 'link', 'port', 'person', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /power|supply|charger|USB-C|another port/i },
      };
    },
  },
  {
    name: 'after an update the adb of a mirror cannot start, and no tablet is there until somebody starts it',
    source: 'koush/vysor.io#917',
    seen: 'On 3 of 5 machines no tablet is recognised since the update, by cable or over Wi-Fi. Other drivers and cables, and restarts of tablets and machine, do not help.',
    cause: 'a policy of the machine against such programs keeps the mirror from starting its adb.exe',
    did: 'start the adb server by hand, by a script for each user',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      models: ['Galaxy Tab'],
      from: '2021-08-09',
      days: 24,
    },
    tell(lab) {
      agentStartsFirst(lab);
      for (const [day, hours] of [
        [18, 1.6],
        [21, 2.9],
        [22, undefined],
      ] as const) {
        const at = lab.at(day, '08:35');
        hostRestarts(lab, at);
        lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
        if (hours !== undefined) lab.host(Math.round(at + hours * HOUR), { kind: 'adbBack' });
      }
      for (const phone of lab.phones) phone.isPinned = true;
      background(lab);
      return {
        at: lab.at(22, '10:00'),
        told: {
          about: ['host'],
          says: /start-server|start(s|ed|ing)? .{0,30}adb|adb .{0,40}(start|run)|polic|antivirus|firewall/i,
        },
      };
    },
  },
];
