/** Incidents of kinds that are rare in the others: modules, screens that lock, connectors, programs that ask too often. */
import { FASTBOOT } from '../../usb-tree.ts';
import { background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone and another at the host itself. */
const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

/** Another adb server takes the place of the one that ran. */
function replaced(lab: Lab, at: number, version: number): void {
  lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
  lab.host(at + 2 * SECOND, { kind: 'adbBack' });
  lab.host(at + 2100, { kind: 'adbReplaced', version });
}

/** USB shows it so, without USB debugging. */
const without = (kind: string, at: number) => ({ interfaces: [{ kind, endpoints: 3 }], connectedAt: at });

const saysAdb = /\badb\b/i;
const saysWireless = /Wi-Fi|sleep|address|port|connect it by USB/i;

export const incidents: Incident[] = [
  {
    name: 'one phone whose commands fail at once brings down the adb server of twenty-four, as it is tried without end',
    source: 'shamanec/GADS#296',
    seen: 'The commands of one phone fail at once, 2617 times in six hours; in the end all 24 phones are lost.',
    cause: 'the provider begins anew without a pause, and its processes overwhelm the adb server',
    did: 'had the provider wait longer after each failure',
    lab: { zone: 'Europe/Warsaw', hubs: [7, 7, 7, 3], usb: true, from: '2026-04-20', days: 16 },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      lab.facts(phones[4] as LabPhone, lab.at(13, '08:20'), {
        isSilent: true,
        silentSince: lab.at(13, '08:20'),
      });
      const losses: ToldLoss[] = [];
      for (const time of ['14:22', '16:05']) {
        const at = lab.at(13, time);
        replaced(lab, at, 41);
        const forMs = time === '14:22' ? { forMs: 6 * SECOND } : { forMs: 9 * SECOND };
        losses.push(...lab.loseAll(phones, at + 100, { ...forMs, spreadMs: 400, onUsb: {} }));
      }
      background(lab);
      return {
        at: lab.at(13, '16:40'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone'], says: saysAdb },
      };
    },
  },
  {
    name: 'a box goes offline in the middle of a command, until it is told to reconnect',
    source: 'vidstige/jadb#152',
    seen: 'The device is there, and while a list of its packages is read it goes offline; after `adb reconnect offline` the same works.',
    cause: 'the transport of adb hangs',
    did: '`adb reconnect offline`',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2023-10-23', days: 17 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [14, '10:12', 9],
          [15, '15:40', 4],
          [16, '11:05', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), {
          as: 'offline',
          ...(minutes && { forMs: minutes * MINUTE }),
        }),
      );
      background(lab);
      return {
        at: lab.at(16, '11:50'),
        losses,
        blame: ['phone', 'adb', 'port', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /reconnect|adb|plug/i },
      };
    },
  },
  {
    name: 'a phone is unauthorized since a root manager was put on it, and no prompt comes',
    source: 'topjohnwu/Magisk#2912',
    seen: 'As soon as the root manager is installed, adb calls the phone unauthorized.',
    cause: 'a property is hidden on which the adbd of this build relies',
    did: 'switched the hiding off, and restarted the phone',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2020-06-08', days: 18, models: ['Redmi Note 5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '19:02');
      const losses = [
        lab.lose(phone, at, { forMs: 4 * MINUTE, backAs: 'unauthorized' }),
        lab.lose(phone, at + 21 * MINUTE, { forMs: 70 * SECOND, backAs: 'unauthorized' }),
      ];
      background(lab);
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /module|root|update|restart/i },
      };
    },
  },
  {
    name: 'on Wi-Fi a phone is unauthorized for seconds whenever its screen is unlocked',
    source: 'Genymobile/scrcpy#597',
    seen: 'To unlock the phone ends each session; for some seconds adb calls it unauthorized, then all is well; when it locks itself, the session ends too.',
    cause: 'the phone starts its adbd anew when it is locked or unlocked',
    did: 'asked; connects again each time',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2019-06-03',
      days: 14,
      models: ['Moto G'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '19:40'],
        [10, '20:05'],
        [11, '18:32'],
        [11, '21:10'],
        [12, '10:15'],
        [12, '10:51'],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: 3 * SECOND, backAs: 'unauthorized' }));
        lab.phone(phone, at + 9 * SECOND, { kind: 'state', state: 'device', before: 'unauthorized' });
      }
      background(lab);
      return {
        at: lab.at(12, '11:30'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
      };
    },
  },
  {
    name: 'a Mi 9 drops out of its test runs after a while',
    source: 'AirtestProject/Poco#587',
    seen: 'Half an hour into a run USB breaks off by itself; adbd writes that the host has suspended USB and disabled it.',
    cause: 'not found; something on the way between phone and host',
    did: 'asked',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 1, usb: true, from: '2023-06-05', days: 12 },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = (
        [
          [8, '18:00'],
          [8, '18:26'],
          [8, '18:39'],
          [9, '11:35'],
          [9, '17:59'],
          [9, '19:12'],
        ] as const
      ).map(([day, time]) => lab.lose(phone, lab.at(day, time), { forMs: 4 * SECOND }));
      background(lab);
      return {
        at: lab.at(9, '19:30'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|restart|another port/i },
      };
    },
  },
  {
    name: 'a phone with a generic build leaves USB as soon as USB debugging is on',
    source: 'phhusson/treble_experimentations#2235',
    seen: 'In each USB mode the phone is on USB; when USB debugging is switched on it disconnects, and adb never has it.',
    cause: 'the build',
    did: 'flashed a later build',
    lab: { ...desk, usb: true, zone: 'Europe/Bratislava', from: '2022-03-07', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(12, '18:20');
      const losses = [lab.lose(phone, at, { gone: 'phone' })];
      for (const turn of [1, 2, 3]) {
        const from = at + turn * 13 * MINUTE;
        lab.usb(phone, from, without('06/01/01', from));
        lab.usb(phone, from + 4 * MINUTE, null);
      }
      background(lab);
      return {
        at: lab.at(13, '10:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|build|version/i },
      };
    },
  },
  {
    name: 'after each restart the wireless debugging of a phone has another port and asks again',
    source: 'nozza87/Auto_ADB#8',
    seen: 'With each restart adb has a new port; to connect to it asks for the right anew.',
    cause: 'wireless debugging of Android takes a port by chance at each start',
    did: 'asked whether that is normal',
    lab: { zone: 'Australia/Perth', hubs: [], direct: 1, network: 3, from: '2026-07-13', days: 14 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [
        lab.reboot(phone, lab.at(9, '20:10'), { forMs: 16 * MINUTE, reason: 'reboot,userrequested' }),
        lab.reboot(phone, lab.at(11, '21:02'), { forMs: 9 * MINUTE, reason: 'reboot,userrequested' }),
        lab.lose(phone, lab.at(12, '20:30')),
      ];
      background(lab);
      return {
        at: lab.at(12, '21:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /\bport\b|pair|authori[sz]/i },
      };
    },
  },
  {
    name: 'a tablet switches itself off in its long test runs',
    source: 'appium/appium#8531',
    seen: 'The suite runs every day for long; at times the tablet shuts down, and the rest of the suite finds no device.',
    cause: 'not found; the tablet switched itself off',
    did: 'was asked for more; switched it on again',
    lab: {
      ...desk,
      zone: 'Asia/Kolkata',
      from: '2017-05-08',
      days: 19,
      models: ['Nexus 9', 'Moto G'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [9, '19:40', 13.6],
        [14, '21:15', 12.1],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: hours * HOUR, reason: 'cold,powerkey' }));
      losses.push(lab.lose(phone, lab.at(16, '20:33')));
      background(lab);
      return {
        at: lab.at(17, '08:50'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /power button|charge|battery|switch it on/i },
      };
    },
  },
  {
    name: 'of three phones now one, now another is disconnected in a batch of thirty-five scripts',
    source: 'appium/appium#8358',
    seen: 'At times the batch goes through; at times one of the phones gets disconnected in the middle of it.',
    cause: 'not found',
    did: 'asked; ran the batch again',
    lab: { zone: 'Asia/Kolkata', hubs: [4], free: 1, from: '2017-04-17', days: 16 },
    tell(lab) {
      const losses = (
        [
          [0, 8, '14:10', 25],
          [2, 10, '16:42', 31],
          [1, 13, '11:30', 18],
          [0, 14, '15:05', 44],
        ] as const
      ).map(([index, day, time, minutes]) =>
        lab.lose(lab.pinned(index), lab.at(day, time), { forMs: minutes * MINUTE }),
      );
      background(lab);
      return {
        at: lab.at(14, '17:00'),
        losses,
        blame: ['port', 'phone', 'hub', 'person', 'unknown'],
      };
    },
  },
  {
    name: 'an idle Pixel 6a restarts once by a kernel panic',
    source: 'GrapheneOS/os-issue-tracker#5823',
    seen: 'The phone lay there, at the computer or just unplugged, and had a kernel panic; it had none before.',
    cause: 'a fault of its hardware, as it seems',
    did: 'sent the report',
    lab: { ...desk, zone: 'Europe/Oslo', from: '2025-07-07', days: 14, models: ['Pixel 6a', 'Pixel 8'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(10, '14:20'), {
        forMs: 44 * SECOND,
        reason: 'reboot,kernel_panic',
      });
      background(lab);
      return { at: lab.at(10, '16:00'), losses: [loss], blame: ['phone'] };
    },
  },
  {
    name: 'a Nexus 5X restarts half an hour to an hour after each start, and waits for its passphrase',
    source: 'GrapheneOS-Archive/legacy_bugtracker#612',
    seen: 'With Wi-Fi and without, the phone reboots by itself 30 to 60 minutes after a boot, to where its passphrase is asked for.',
    cause: 'a kernel panic, most likely',
    did: 'reported it; installed the system anew',
    lab: { ...desk, zone: 'Europe/Copenhagen', from: '2017-03-20', days: 15, models: ['Nexus 5X'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let at = lab.at(13, '10:05');
      for (const minutes of [42, 55, 31, 47, 38, 58, 35]) {
        losses.push(lab.reboot(phone, at, { forMs: 6 * MINUTE, reason: 'kernel_panic' }));
        at += minutes * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(13, '16:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /flash|erase|update|reset|replace|out of (tests|service)/i,
        },
      };
    },
  },
  {
    name: 'after an update over the air a OnePlus starts its bootloader only',
    source: 'lineageos4microg/docker-lineage-cicd#749',
    seen: 'Updated by a notification, the phone restarted into fastboot; adb does not find it, and there is no recovery.',
    cause: 'a broken build',
    did: 'restarted it from fastboot until it came up with the build before; the next build was good',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2025-02-24', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(13, '20:30');
      const fastboot = { interfaces: [FASTBOOT], connectedAt: at + 22 * SECOND };
      const losses = [lab.lose(phone, at, { onUsb: fastboot })];
      background(lab);
      return {
        at: lab.at(14, '08:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /fastboot|boot ?loader|flash/i },
      };
    },
  },
  {
    name: 'a phone is in a boot loop since yesterday, though nothing was updated',
    source: 'maruos/maruos#85',
    seen: 'The phone shows its logo again and again; the computer does not recognize it; recovery does not start.',
    cause: 'its system or its storage is damaged',
    did: 'was told to flash a recovery by fastboot, and to wipe the phone there',
    lab: { ...desk, usb: true, zone: 'Europe/Amsterdam', from: '2017-06-19', days: 14 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(11, '21:40'), { gone: 'phone' })];
      background(lab);
      return {
        at: lab.at(12, '19:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /flash|erase|recovery|power button/i },
      };
    },
  },
  {
    name: 'when a virtual machine is restarted with a USB device attached, its controller dies, and nothing can be attached',
    source: 'orbstack/orbstack#2685',
    seen: 'After the restart the machine writes that its xHCI is dead; each attach says that it worked, and nothing comes.',
    cause: 'the virtual controller died at the restart',
    did: 'ended the program of the virtual machines, and started it again',
    lab: { zone: 'Europe/Madrid', hubs: [4], free: 2, usb: true, from: '2026-08-24', days: 17 },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const at = lab.at(14, '12:10');
      hostRestarts(lab, at);
      const back = at + 82 * SECOND;
      lab.kernel(back + 4 * SECOND, {}, 'died', '0000:00:14.0');
      const losses = lab.loseAll(phones, back + 5 * SECOND, { gone: 'controller' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses,
        blame: ['host'],
        told: { about: ['host', 'hub'], says: /controller|restart/i },
        alsoAbout: ['hub', 'host'],
      };
    },
  },
  {
    name: 'the health check of two test beds finds no phone, as another user has started adb',
    source: 'flutter/flutter#93075',
    seen: 'linux-5 and linux-6 are quarantined again and again; tests run adb as one user, the check as another.',
    cause: 'the adb server of the one user stays, and the other cannot end it',
    did: 'had adb ended after each task',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2021-10-25',
      days: 13,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '02:10', 31],
        [9, '13:44', 22],
        [10, '05:20', 40],
        [10, '11:02', undefined],
      ] as const) {
        const at = lab.at(day, time);
        replaced(lab, at, 39);
        losses.push(lab.lose(phone, at + 100, { onUsb: {}, ...(minutes && { forMs: minutes * MINUTE }) }));
        if (minutes) replaced(lab, at + minutes * MINUTE - 3 * SECOND, 41);
      }
      background(lab);
      return {
        at: lab.at(10, '12:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port'], says: saysAdb },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a Moto G4 has no storage left, as each install of a test leaves its package behind',
    source: 'flutter/flutter#68517',
    seen: 'Tests fail for lack of storage; the startup tests install the same app 15 times.',
    cause: '14 packages stay in a temporary folder each time',
    did: 'cleaned the phone up; changed the tests',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2020-10-05',
      days: 16,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 11_349_888_000;
      const usedAt = (at: number) =>
        Math.round(Math.min(0.993, 0.42 + (0.575 * Math.max(0, at - lab.at(6))) / (7 * 24 * HOUR)) * total);
      phone.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: 290,
        storageUsedBytes: usedAt(at),
      });
      for (let at = lab.start + MINUTE; at < lab.end; at += 2 * HOUR)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      background(lab);
      return { at: lab.at(14, '11:00'), told: { about: ['phone'], says: /storage|clean|remove/i } };
    },
  },
  {
    name: 'a Pixel 6a breaks off each debug session with its C-to-C cables, and not with another',
    source: 'Dart-Code/Dart-Code#4802',
    seen: 'By USB no session can be had, on Wi-Fi they can; a borrowed cable from A to C works at once.',
    cause: 'the cables, or the USB-C socket of the mainboard',
    did: 'took a cable from USB-A to USB-C',
    lab: { ...desk, usb: true, zone: 'Europe/London', from: '2023-10-02', days: 18, models: ['Pixel 6a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '10:02'],
        [14, '10:09'],
        [14, '10:31'],
        [15, '09:40'],
        [15, '09:52'],
        [16, '20:11'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: 7 * SECOND }));
      background(lab);
      return {
        at: lab.at(16, '20:30'),
        losses,
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|(another|other) port|socket/i },
      };
    },
  },
  {
    name: 'since One UI 8 a phone on Wi-Fi is lost when its screen goes off, and on the cable it is not',
    source: 'Genymobile/scrcpy#6454, Genymobile/scrcpy#4073, Genymobile/scrcpy#1639',
    seen: 'As soon as the screen is switched off, or locks itself, the wireless session ends; with Android 15 it did not.',
    cause: 'the phone puts its Wi-Fi to sleep with the screen',
    did: 'used the cable, or kept the screen on',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 1,
      network: 3,
      from: '2025-10-13',
      days: 17,
      models: ['Galaxy S22'],
    },
    tell(lab) {
      const phone = lab.pinnedOf('tcp')[1] as LabPhone;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '14:05', 40],
        [13, '10:20', 7],
        [13, '11:02', 12],
        [13, '16:40', 95],
        [14, '09:50', 6],
        [14, '13:11', undefined],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { ...(minutes && { forMs: minutes * MINUTE }) }));
      background(lab);
      return {
        at: lab.at(14, '14:30'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /sleep|screen|USB/i },
      };
    },
  },
  {
    name: 'USB keeps on disconnecting, and the answer is another cable or another port',
    source: 'Genymobile/scrcpy#1511, Genymobile/scrcpy#1528',
    seen: 'The connection ends again and again; one lets the program start itself anew in a loop.',
    cause: 'the cable or the port',
    did: 'was told to take another cable or port',
    lab: { ...desk, zone: 'Asia/Manila', from: '2020-06-01', days: 18 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const day of [12, 13, 14, 15])
        for (let left = 3; left > 0; left -= 1)
          losses.push(
            lab.lose(phone, lab.at(day, '10:00') + left * 2.3 * HOUR + lab.random.between(0, 40) * MINUTE, {
              forMs: lab.random.between(2, 9) * SECOND,
            }),
          );
      background(lab);
      return {
        at: lab.at(15, '19:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a Redmi Note 8 Pro is gone seconds after each session begins, until its file transfer is switched off and on',
    source: 'Genymobile/scrcpy#4565',
    seen: 'With other cables and at other ports it is the same: some seconds, then the phone is gone; file transfer off and on brings it back.',
    cause: 'not found; the phone is likely',
    did: 'switched file transfer off and on each time',
    lab: {
      hubs: [4],
      free: 3,
      usb: true,
      zone: 'Europe/Warsaw',
      from: '2023-12-18',
      days: 20,
      models: ['Redmi Note 8 Pro'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [index, [day, time]] of (
        [
          [16, '18:02'],
          [16, '18:06'],
          [16, '18:13'],
          [17, '17:40'],
          [17, '17:44'],
          [17, '17:52'],
          [17, '18:20'],
        ] as const
      ).entries()) {
        const [to] = index === 2 || index === 5 ? lab.freePorts(lab.at(day, time)) : [];
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: 55 * SECOND, ...(to && { to }) }));
      }
      background(lab);
      return {
        at: lab.at(17, '18:40'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /restart|cable|USB (mode|setting)/i },
      };
    },
  },
  {
    name: 'with its cable a phone loses its wireless connection too, until it is connected again by hand',
    source: 'pedrovgs/AndroidWiFiADB#39, layerlre/ADBWIFI#3, pedrovgs/AndroidWiFiADB#19',
    seen: 'By USB the phone was switched to wireless adb; when its cable is pulled, the wireless connection goes with it.',
    cause: 'to unplug it starts the adbd of the phone anew',
    did: 'ran `adb connect` after the cable was out',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 1,
      network: 2,
      known: { slots: false },
      from: '2016-03-14',
      days: 15,
      models: ['Moto G3'],
    },
    tell(lab) {
      const [cabled] = lab.pinnedOf('usb') as [LabPhone];
      const [wireless] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '10:40', 6],
        [11, '15:20', 3],
        [13, '09:55', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const long = minutes && { forMs: minutes * MINUTE };
        lab.lose(cabled, at, { ...(minutes && { forMs: (minutes + 80) * MINUTE }) });
        losses.push(lab.lose(wireless, at + 600, { ...long }));
      }
      background(lab);
      return {
        at: lab.at(13, '10:40'),
        losses,
        blame: ['link', 'phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [wireless.udid], says: /adb connect|address|port|connect/i },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'on a bad wireless connection a phone stays offline, until adb and its port are started anew',
    source: 'rpuxa/SuperWirelessAdb#3',
    seen: 'The program says connected, and adb lists the address as offline.',
    cause: 'a message was lost on the way, and nobody noticed',
    did: '`adb kill-server`, `adb tcpip 5555`, `adb connect`, up to five times',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 3, from: '2019-01-07', days: 14 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [9, '11:20', 22],
          [10, '14:02', 35],
          [11, '10:31', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), {
          as: 'offline',
          ...(minutes && { forMs: minutes * MINUTE }),
        }),
      );
      background(lab);
      return {
        at: lab.at(11, '11:30'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: saysWireless },
      };
    },
  },
  {
    name: 'a phone never comes back to USB once a module of its root manager was flashed',
    source: 'tiann/KernelSU#1710',
    seen: 'After the module and a restart the phone is not shown any more, whatever is tried; its kernel finds no adbd.',
    cause: 'the module: with it the phone cannot set USB up',
    did: 'deleted the modules by a terminal on the phone, and restarted it',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2024-04-22', days: 19, models: ['P10'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '13:05');
      const losses = [lab.lose(phone, at, { gone: 'phone' })];
      background(lab);
      return {
        at: lab.at(16, '16:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /remove|undo|module|restart|power button/i },
      };
    },
  },
  {
    name: 'a browser starts adb anew, and the phone is found only when it is plugged in anew',
    source: 'mozilla/r2d2b2g#441, camalot/droidexplorer#61',
    seen: 'When the browser ends it ends adb; started again it starts another, and the phone does not come until it is unplugged, or its debugging is switched off and on.',
    cause: 'the program kills adb, and the adbd of the phone does not notice',
    did: 'plugged the phone in anew; ended adb by hand',
    lab: {
      ...desk,
      direct: 1,
      usb: true,
      zone: 'America/Los_Angeles',
      from: '2013-04-08',
      days: 12,
      models: ['Keon'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '10:15', 5],
        [8, '14:40', 3],
        [9, '11:22', 8],
        [10, '10:04', undefined],
      ] as const) {
        const at = lab.at(day, time);
        replaced(lab, at, 31);
        losses.push(lab.lose(phone, at + 100, { onUsb: {}, ...(minutes && { forMs: minutes * MINUTE }) }));
      }
      background(lab);
      return {
        at: lab.at(10, '10:40'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port'], says: /kill|plug|adb/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'half of the phones of a farm are missing, as developers take them from the wall for themselves',
    source: 'https://jasonatwood.io/archives/2055',
    seen: 'The wall is prone to being pilfered whenever somebody needs a certain phone; at any moment half of them are missing.',
    cause: 'people take phones and keep them',
    did: 'gave up the wall; at the next company had phones of his own',
    lab: { zone: 'America/New_York', hubs: [10], from: '2013-09-02', days: 26 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, days] of [
        [0, [8, 15, 22]],
        [2, [9, 16, 24]],
        [3, [10, 14, 21]],
        [5, [11, 17, 24]],
        [7, [7, 18, 23]],
      ] as const)
        for (const [turn, day] of days.entries()) {
          const at = lab.at(day, '09:30') + lab.random.between(0, 7) * HOUR;
          const isLast = turn === days.length - 1;
          const forMs = lab.random.between(3, 50) * HOUR;
          losses.push(lab.lose(lab.pinned(index), at, { ...(!isLast && { forMs }) }));
        }
      background(lab);
      return {
        at: lab.at(25, '10:00'),
        losses,
        blame: ['person', 'unknown'],
        told: { about: ['phone', 'port', 'hub'], says: /in hand|\bplug|\btook|\btaken|maintenance/i },
      };
    },
  },
  {
    name: 'a phone answers on adb only while its screen is unlocked',
    source: 'ubports/ubuntu-touch-for-oneplus-one#12',
    seen: 'When the screen goes black each command ends with “closed”; unlocked, adb works as ever.',
    cause: 'the adbd of this system looks whether the screen is unlocked',
    did: 'put another adbd on the phone, or unlocked it each time',
    lab: { ...desk, zone: 'Europe/Amsterdam', from: '2015-03-09', days: 12, models: ['OnePlus One'] },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, from, to] of [
        [8, '10:20', '11:05'],
        [8, '12:10', '13:40'],
        [9, '09:30', undefined],
      ] as const) {
        const at = lab.at(day, from);
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        if (to) lab.facts(phone, lab.at(day, to), { isSilent: false });
      }
      background(lab);
      return {
        at: lab.at(9, '11:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /lock|screen|wake/i },
      };
    },
  },
  {
    name: 'the developer mode of a new phone has no effect: USB shows it for files only, until it is updated and restarted',
    source: 'HelloVolla/ubuntu-touch-beta-tests#13',
    seen: 'adb works in the recovery only; the developer mode changes nothing.',
    cause: 'the build; and USB changes its mode at a restart only',
    did: 'updated the phone, and restarted it after the mode was switched on',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2020-06-22', days: 14, models: ['Volla'] },
    tell(lab) {
      const phone = lab.pinned(1);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(10, '15:30');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, without('06/01/01', at));
      background(lab);
      return {
        at: lab.at(11, '10:00'),
        told: { about: ['phone', 'port'], says: /USB debugging|developer mode|restart|reboot|update/i },
      };
    },
  },
  {
    name: 'an emulator is gone four minutes into each flow, and an older image of Android stays',
    source: 'mobile-dev-inc/Maestro#1525, mobile-dev-inc/Maestro#1573',
    seen: 'Short flows are fine; in long ones adb calls the emulator offline, or does not find it, after some four minutes.',
    cause: 'the emulator crashes or hangs under load',
    did: 'took an image of API level 32',
    lab: { zone: 'Europe/Stockholm', hubs: [], emulators: 1, from: '2023-10-23', days: 15 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [12, '10:04'],
        [12, '10:31'],
        [12, '14:10'],
        [13, '09:44'],
        [13, '10:12'],
      ] as const)
        losses.push(lab.lose(emulator, lab.at(day, time), { as: 'offline', forMs: 11 * MINUTE }));
      losses.push(lab.lose(emulator, lab.at(13, '11:02'), { as: 'offline' }));
      background(lab);
      return {
        at: lab.at(13, '11:40'),
        losses,
        blame: ['phone', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone'],
          keys: [emulator.udid],
          says: /emulator|\blog\b|memory|image|accelerat/i,
        },
      };
    },
  },
  {
    name: 'a phone heats up extremely at its charger, and cools when it is switched off and on',
    source: 'PixelExperience/android-issues#5118',
    seen: 'From below 25 % on charging it becomes extremely hot within 15 to 20 minutes; switched off and on it cools down slowly.',
    cause: 'the build',
    did: 'switched it off and on',
    lab: { zone: 'Asia/Kolkata', hubs: [4], from: '2023-04-24', days: 16, models: ['OnePlus 7T Pro'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const cool = inUse(lab);
      phone.reading = (at) => {
        const minutes = (at - lab.at(14, '08:30')) / MINUTE;
        if (minutes < 0) return cool(at);
        return {
          levelPercent: Math.min(100, Math.round(22 + minutes / 2)),
          isFull: minutes >= 156,
          temperatureDecicelsius: Math.round(310 + 165 * Math.min(1, minutes / 40)),
        };
      };
      background(lab);
      return {
        at: lab.at(14, '12:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /cool|hot|°C|heat/i },
      };
    },
  },
  {
    name: 'wireless debugging cannot be switched on any more, as the phone blocks it',
    source: 'keymapperorg/KeyMapper#2155',
    seen: 'With Auto Blocker on, wireless debugging of a Galaxy is off, and cannot be switched on.',
    cause: 'Auto Blocker of the phone',
    did: 'switched Auto Blocker off',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 1,
      network: 3,
      from: '2026-05-25',
      days: 14,
      models: ['Galaxy S23'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [lab.lose(phone, lab.at(11, '20:15'))];
      background(lab);
      return {
        at: lab.at(12, '10:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /wireless debugging|Auto Blocker|USB debugging/i,
        },
      };
    },
  },
  {
    name: 'a wireless phone is lost ten minutes to an hour after each start of a session',
    source: 'Genymobile/scrcpy#6356',
    seen: 'All works, and after a quarter of an hour, or an hour, the phone is disconnected.',
    cause: 'not found; the connection of adb is lost',
    did: 'asked; connected again',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2025-09-01',
      days: 16,
      models: ['Nothing Phone 2a'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [11, '09:40'],
        [11, '10:15'],
        [11, '13:02'],
        [14, '10:20'],
        [14, '11:05'],
        [14, '14:44'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: 90 * SECOND }));
      background(lab);
      return {
        at: lab.at(14, '16:00'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: saysWireless },
      };
    },
  },
  {
    name: 'the cable falls out of a phone whenever it is touched, as there is lint in its socket',
    source: 'https://www.xda-developers.com/easy-fix-for-jiggly-ports-usb-that-is/',
    seen: 'The plug does not hold any more: at each touch of the phone the connection ends.',
    cause: 'lint and dirt at the bottom of the socket of the phone',
    did: 'cleaned the socket with a toothpick; the plug held again',
    lab: { ...desk, usb: true, zone: 'Europe/Lisbon', from: '2012-05-07', days: 18, models: ['U8800'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [10, 11, 14, 15])
        for (let left = 4; left > 0; left -= 1)
          losses.push(
            lab.lose(phone, lab.at(day, '09:20') + left * 1.9 * HOUR + lab.random.between(0, 25) * MINUTE, {
              forMs: lab.random.between(4, 40) * SECOND,
            }),
          );
      background(lab);
      return {
        at: lab.at(15, '18:30'),
        losses,
        blame: ['port', 'phone', 'unknown', 'person'],
        told: { about: ['port', 'phone'], says: /\bclean|\blint|\bdirt|socket|cable/i },
      };
    },
  },
  {
    name: 'since One UI 8 a phone leaves adb whenever its screen locks, until its default USB mode is chosen anew',
    source: 'RikkaApps/Shizuku#1454',
    seen: 'When the screen is locked, what runs by adb ends; with file transfer as the default mode it always does.',
    cause: 'the phone sets its USB mode anew when it locks, and loses USB debugging with it',
    did: 'chose the mode with adb in a hidden menu of the phone; not for good',
    lab: { ...desk, usb: true, zone: 'Europe/Vienna', from: '2025-09-22', days: 17, models: ['Galaxy S24'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '09:12'],
        [10, '11:40'],
        [10, '16:03'],
        [11, '10:20'],
        [11, '14:55'],
        [14, '09:31'],
        [14, '13:02'],
      ] as const) {
        const at = lab.at(day, time);
        const interfaces = [
          { kind: '06/01/01', endpoints: 3 },
          { kind: 'ff/42/01', endpoints: 2 },
        ];
        losses.push(lab.lose(phone, at, { forMs: 1900, onUsb: { interfaces, connectedAt: at + SECOND } }));
      }
      background(lab);
      return {
        at: lab.at(14, '15:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /USB (mode|configuration|setting)|\bMTP\b|file transfer/i,
        },
      };
    },
  },
  {
    name: 'a phone of a queue is unauthorized at times, and its work items fail',
    source: 'dotnet/xharness#549',
    seen: 'Some of the work items end with: device unauthorized; check for a confirmation dialog; a month later it is so again.',
    cause: 'the phone has lost the key of the host',
    did: 'had somebody look at the phone',
    lab: { zone: 'America/Los_Angeles', hubs: [4], free: 1, from: '2021-04-26', days: 18 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = [lab.reboot(phone, lab.at(15, '03:20'), { forMs: 55 * SECOND, backAs: 'unauthorized' })];
      background(lab);
      return {
        at: lab.at(15, '10:40'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /accept|prompt|allow|key/i },
      };
    },
  },
  {
    name: 'phones of a remote farm are unauthorized for the first test after each connection, and not for the next',
    source: 'appium/appium#19241',
    seen: 'Almost every first test fails as its phone is unauthorized; very often the next one has it.',
    cause: 'the phone is authorized some seconds after it is connected, and the test does not wait',
    did: 'was told that it is a matter of adb; ran it again',
    lab: { zone: 'Europe/Warsaw', hubs: [], direct: 1, network: 3, from: '2023-09-18', days: 15 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, day, time] of [
        [0, 9, '01:10'],
        [1, 10, '01:10'],
        [0, 11, '01:11'],
        [2, 14, '01:10'],
      ] as const) {
        const phone = lab.pinnedOf('tcp')[index] as LabPhone;
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: 2 * SECOND, backAs: 'unauthorized' }));
        lab.phone(phone, at + 7 * SECOND, { kind: 'state', state: 'device', before: 'unauthorized' });
      }
      background(lab);
      return { at: lab.at(14, '09:00'), losses, blame: ['phone', 'link', 'person', 'unknown', 'network'] };
    },
  },
  {
    name: 'a docking station goes off with all that is plugged into it, until its power plug is seated anew',
    source: 'pop-os/cosmic-epoch#2445',
    seen: 'After some 15 minutes all at the dock goes off; its power has to be pulled and plugged again; with the power saving of all USB devices off it stays.',
    cause: 'the host suspends the USB of the dock',
    did: 'seated its power plug anew each time; switched the power saving of USB off',
    lab: { zone: 'Europe/Amsterdam', hubs: [4], direct: 2, usb: true, from: '2025-10-20', days: 18 },
    tell(lab) {
      const phones = lab.pinnedOf('usb').filter((phone) => lab.phonesOf(0).includes(phone));
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '09:20', 6],
        [14, '11:02', 4],
        [15, '10:31', 9],
        [16, '09:17', undefined],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time), {
            gone: 'hub',
            isWithHub: true,
            spreadMs: 300,
            ...(minutes && { forMs: minutes * MINUTE }),
          }),
        );
      background(lab);
      return {
        at: lab.at(16, '09:40'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], says: /power|suspend/i },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a Linux machine inside of Windows has a phone for a blink of an eye, however often it is attached',
    source: 'dorssel/usbipd-win#213, dorssel/usbipd-win#1336',
    seen: 'Each attach is claimed and released at once; the kernel has the phone, and a fifth of a second later the connection is closed.',
    cause: 'not found; the phone does not stand to be attached',
    did: 'tried it more often, which helps at times',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 3, usb: true, from: '2026-01-05', days: 15 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(13, '20:06');
      const losses: ToldLoss[] = [];
      losses.push(lab.lose(phone, at - 40 * MINUTE, { forMs: 40 * MINUTE }));
      for (let turn = 0; turn < 9; turn += 1)
        losses.push(lab.lose(phone, at + turn * 22 * SECOND + 300, { forMs: 21 * SECOND }));
      losses.push(lab.lose(phone, at + 9 * 22 * SECOND + 300));
      background(lab);
      return {
        at: at + 9 * MINUTE,
        losses,
        blame: ['phone', 'port', 'adb', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /virtual machine|attach|cable|another port/i },
      };
    },
  },
  {
    name: 'a virtual machine asks again and again for a Pixel, and loses it eight times before it stays',
    source: 'utmapp/UTM#5451',
    seen: 'The program prompts over and over to connect the phone; the kernel of the guest sees it repeatedly disconnected.',
    cause: 'with USB debugging on the phone starts its USB anew, and the machine has to take it again',
    did: 'confirmed it a lot of times; another switched USB debugging off, for files',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 3,
      usb: true,
      from: '2023-06-26',
      days: 15,
      models: ['Pixel 6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '19:00'],
        [13, '20:15'],
      ] as const)
        for (let turn = 0; turn < 8; turn += 1)
          losses.push(lab.lose(phone, lab.at(day, time) + turn * 14 * SECOND, { forMs: 11 * SECOND }));
      background(lab);
      return {
        at: lab.at(13, '20:20'),
        losses,
        blame: ['phone', 'port', 'adb', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /virtual machine|cable|another port/i },
      };
    },
  },
  {
    name: 'a Raspberry Pi crashes with its USB devices, and its log tells of a voltage that is too low',
    source: 'raspberrypi/linux#4891',
    seen: 'The board crashes with a USB disconnect as the last line; often, and not each time, it has written of under-voltage.',
    cause: 'the power of the board and of what is plugged into it',
    did: 'was told to think the power over, with a powered hub',
    lab: { zone: 'Asia/Shanghai', hubs: [4], from: '2022-01-31', days: 19 },
    tell(lab) {
      for (const [day, time] of [
        [14, '15:01'],
        [15, '21:40'],
        [16, '10:12'],
      ] as const) {
        const at = lab.at(day, time);
        const startedAt = at + 95 * SECOND;
        lab.host(startedAt, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: at + 30 * SECOND,
          lastAliveAt: at - 12 * SECOND,
        });
        for (const phone of lab.phones) phone.busy.push({ from: at, to: startedAt + MINUTE });
      }
      background(lab);
      return {
        at: lab.at(16, '12:00'),
        told: { about: ['host', 'room'], says: /power|crash|kernel log/i },
      };
    },
  },
  {
    name: 'a server connects nine phones, and the tenth is not there',
    source: 'openstf/stf#519',
    seen: 'Nine phones can be connected to the server and no more, wherever they are plugged in.',
    cause:
      'the limit of the Intel controller, as its maintainer thinks; others think of the power of the hubs',
    did: 'was told to read about the hardware, and to get another',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7, 4],
      free: 1,
      usb: true,
      controllerId: ['8086', '8c31'],
      from: '2016-12-19',
      days: 18,
    },
    tell(lab) {
      const phone = lab.usbPhones[9] as LabPhone;
      phone.isPinned = true;
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(16, '12:20');
      lab.usb(phone, lab.start, null);
      for (const turn of [0, 1, 2]) lab.kernel(at + turn * 7 * MINUTE, lab.where(phone, at), 'resources');
      lab.usb(phone, at + 14 * MINUTE, { interfaces: [], connectedAt: at + 14 * MINUTE });
      background(lab);
      return {
        at: at + 40 * MINUTE,
        told: { about: ['port', 'phone', 'hub', 'host'], says: /controller|power/i },
      };
    },
  },
];
