/** Incidents of hosts in labs that nobody sits beside, as their keepers reported them. */
import { background, hostRestarts, inUse } from '../background.ts';
import { DAY, HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at the host itself; a person comes on workdays. */
const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** Lost at a time of one day, and plugged in anew, or restarted, at one of a later day. */
const until = (lab: Lab, [day, time]: readonly [number, string], at: number): number =>
  lab.at(day, time) - at;

export const incidents: Incident[] = [
  {
    name: 'a benchmark phone is unauthorized, and somebody has to go into the lab',
    source: 'iree-org/iree#4861',
    seen: 'Benchmarks fail: the device is unauthorized.',
    cause: 'the phone no longer knows the key of its host',
    did: 'had somebody go to the lab and authorize the phone',
    lab: { ...single, from: '2021-02-01', days: 18, models: ['Pixel 4'] },
    tell(lab) {
      lab.lose(lab.pinned(0), lab.at(15, '23:40'), { forMs: 35 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return { at: lab.at(16, '11:00'), told: { about: ['phone'], says: /accept|allow|authoriz/i } };
    },
  },
  {
    name: 'linux-58 has lost its phone, and has it again once that was restarted',
    source: 'flutter/flutter#164594',
    seen: 'The host lost the connection to its phone.',
    cause: 'the phone: it was back with a restart of it',
    did: 'restarted the phone',
    lab: { ...single, from: '2025-02-10', days: 25 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(22, '22:15');
      const loss = lab.reboot(phone, at, { forMs: until(lab, [23, '09:40'], at), reason: 'reboot,longkey' });
      background(lab);
      return { at: lab.at(23, '11:00'), losses: [loss], blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'linux-35 misses its phone in the morning, which a restart of the phone will bring back',
    source: 'flutter/flutter#126564',
    seen: 'In the morning the host had no Android device.',
    cause: 'the phone: it was back with a restart of it',
    did: 'restarted the phone',
    lab: { ...single, from: '2023-04-24', days: 18 },
    tell(lab) {
      const loss = lab.lose(lab.pinned(0), lab.at(16, '23:10'));
      background(lab);
      const says = /restart|reboot|power button/i;
      return {
        at: lab.at(17, '09:18'),
        losses: [loss],
        blame: ['phone', 'unknown', 'port'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'linux-31 lost its phone over the weekend, and the restart of Monday brought it back',
    source: 'flutter/flutter#132970',
    seen: 'On Monday at half past ten the host had no phone.',
    cause: 'the phone: it was back with a restart of it',
    did: 'restarted the phone',
    lab: { ...single, from: '2023-07-31', days: 23 },
    tell(lab) {
      const at = lab.at(19, '14:05');
      const loss = lab.reboot(lab.pinned(0), at, {
        forMs: until(lab, [21, '10:42'], at),
        reason: 'cold,powerkey',
      });
      background(lab);
      return { at: lab.at(21, '11:30'), losses: [loss], blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'linux-1 is restarted in vain, and its cable seated anew',
    source: 'flutter/flutter#177291',
    seen: 'The host lost its phone; the phone was restarted, and was still not there.',
    cause: 'the cable: seated anew, the phone was back',
    did: 'restarted the phone, then re-seated its cable',
    lab: { ...single, from: '2025-10-01', days: 21 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(19, '02:40');
      const loss = lab.lose(phone, at, { forMs: until(lab, [19, '10:05'], at) });
      lab.rebooted(phone, lab.at(19, '10:05:20'), { reason: 'reboot,longkey', uptimeSeconds: 25 * 60 });
      background(lab);
      return { at: lab.at(19, '11:00'), losses: [loss], blame: ['port', 'unknown'] };
    },
  },
  {
    name: 'linux-61 is without its phone for a day',
    source: 'flutter/flutter#164567',
    seen: 'The host lost the connection to its phone on March 4.',
    cause: 'a loose cable',
    did: 're-seated the cable on March 5',
    lab: { ...single, from: '2025-02-10', days: 25 },
    tell(lab) {
      const at = lab.at(22, '05:30');
      const loss = lab.lose(lab.pinned(0), at, { forMs: until(lab, [23, '09:20'], at) });
      background(lab);
      return { at: lab.at(23, '10:00'), losses: [loss], blame: ['port', 'unknown'] };
    },
  },
  {
    name: 'a host is on the list of each morning of the week',
    source: 'flutter/flutter#165319, #165407, #165494, #165604, #165669',
    seen: 'From March 17 to 21 a list of hosts had lost their phones each morning.',
    cause: 'loose cables or ports: seated anew, each was back',
    did: 're-seated the cables of all phones, each morning',
    lab: { ...single, from: '2025-02-24', days: 27 },
    tell(lab) {
      const losses = [21, 22, 23, 24, 25].map((day, index) => {
        const at = lab.at(day, `0${5 - index}:4${index}`);
        return lab.lose(lab.pinned(0), at, { forMs: until(lab, [day, `09:2${index}`], at) });
      });
      background(lab);
      return {
        at: lab.at(25, '11:00'),
        losses,
        blame: ['port', 'phone', 'link', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|plug|seat/i },
      };
    },
  },
  {
    name: 'linux-14 is in quarantine until its cable is seated anew',
    source: 'flutter/flutter#185645',
    seen: 'The host is in quarantine: its phone is not there.',
    cause: 'a loose cable',
    did: 're-seated the cable of the phone',
    lab: { ...single, from: '2026-04-06', days: 22 },
    tell(lab) {
      const loss = lab.lose(lab.pinned(0), lab.at(19, '17:50'));
      background(lab);
      return {
        at: lab.at(21, '09:10'),
        losses: [loss],
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /re-?seat|cable|plug/i },
      };
    },
  },
  {
    name: 'linux-4 shows the logo of its maker, and its health check finds developer mode off',
    source: 'flutter/flutter#90630, #79066',
    seen: 'Health checks say that developer mode is off; the phone is stuck at the splash screen.',
    cause: 'it hangs while it boots',
    did: 'forced a restart',
    lab: { ...single, from: '2021-09-06', days: 19, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '21:04');
      lab.lose(phone, at, { forMs: 45 * SECOND });
      lab.facts(phone, at + 50 * SECOND, { bootCompleted: false });
      background(lab);
      return {
        at: lab.at(17, '10:00'),
        told: { about: ['phone'], says: /power button|hold|restart|reboot/i },
      };
    },
  },
  {
    name: 'the batteries of five old phones are about to burst',
    source: 'flutter/flutter#140404, #140405, #140406, #140407, #140408',
    seen: 'Phones that were at their hosts for years; their batteries are ready to burst.',
    cause: 'old batteries, on the charger day and night',
    did: 'replaced the phones',
    lab: { ...single, from: '2023-10-10', days: 70, models: ['Moto G4'] },
    tell(lab) {
      const warm = inUse(lab);
      lab.pinned(0).reading = (at) => ({ ...warm(at), levelPercent: 100, isFull: true });
      background(lab);
      return { at: lab.at(69, '15:00'), told: { about: ['phone'], says: /batter|charg|full/i } };
    },
  },
  {
    name: 'a Mac had no adb for days, and then its phone does not trust it',
    source: 'flutter/flutter#74142',
    seen: 'No tests run since January 15: adb is missing on the host. Once it is there, the phone has to trust the host.',
    cause: 'adb was gone, and the new one has another key',
    did: 'installed adb; had somebody accept the prompts in the lab',
    lab: { ...single, from: '2021-01-01', days: 22 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.busy.push({ from: lab.at(13), to: lab.end });
      lab.host(lab.at(14, '15:30'), { kind: 'adbLost', failureKind: 'absent' });
      lab.host(lab.at(18, '10:20'), { kind: 'adbBack' });
      lab.host(lab.at(18, '10:20:01'), { kind: 'adbReplaced', version: 41 });
      lab.phone(phone, lab.at(18, '10:20:03'), { kind: 'state', state: 'unauthorized', before: 'device' });
      background(lab);
      return {
        at: lab.at(18, '12:00'),
        told: { about: ['phone', 'host'], says: /accept|prompt|allow/i },
      };
    },
  },
  {
    name: 'phones of the benchmark lab are gone, and have to be unlocked by hand',
    source: 'iree-org/iree#13996',
    seen: 'Jobs on both Moto Edge and on the Pixel 6 fail: no devices found.',
    cause: 'the phones are locked: somebody has to unlock them at the lab',
    did: 'had the lab manager unlock them, four days later',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2023-05-22',
      days: 22,
      hubs: [4],
      models: ['Moto Edge', 'Pixel 6'],
    },
    tell(lab) {
      const losses = [
        lab.lose(lab.pinned(0), lab.at(15, '19:12')),
        lab.lose(lab.pinned(1), lab.at(16, '22:31')),
        lab.lose(lab.pinned(2), lab.at(16, '04:20')),
      ];
      background(lab);
      return {
        at: lab.at(17, '10:30'),
        losses,
        blame: ['phone', 'unknown', 'port'],
        told: { about: ['phone', 'port', 'hub'], says: /restart|screen|unlock|power button/i },
      };
    },
  },
  {
    name: 'the tenth phone of a host gets no resources of its controller',
    source: 'openstf/stf#489',
    seen: 'Nine phones can be plugged in; with the next one: not enough host controller resources for new device state.',
    cause: 'the limit of the Intel controller',
    did: 'bought a card with a controller of its own',
    lab: {
      zone: 'Asia/Shanghai',
      from: '2016-11-14',
      days: 16,
      hubs: [10],
      usb: true,
      controllerId: ['8086', 'a12f'],
      models: ['Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(9);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(14, '15:10');
      lab.usb(phone, lab.start, null);
      lab.kernel(at, lab.where(phone, at), 'resources');
      lab.usb(phone, at, { interfaces: [], connectedAt: at });
      background(lab);
      return {
        at: at + 20 * MINUTE,
        told: { about: ['port', 'phone', 'hub', 'host'], says: /controller|endpoint|configur|\bcard\b/i },
      };
    },
  },
  {
    name: 'the transport of a phone freezes, and adb reconnect thaws it',
    source: 'shamanec/GADS#295',
    seen: 'A phone is plugged in and adb calls it offline, until somebody helps.',
    cause: 'the transport of adb hangs',
    did: '`adb reconnect`; then let the provider do that',
    lab: { zone: 'Europe/Warsaw', from: '2026-04-13', days: 22, hubs: [7], free: 2, usb: true },
    tell(lab) {
      const loss = lab.lose(lab.pinned(2), lab.at(20, '11:20'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(20, '13:00'),
        losses: [loss],
        blame: ['adb', 'phone', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /reconnect|adb|plug/i },
      };
    },
  },
  {
    name: 'a container is restarted again and again for a phone that asks for its prompt',
    source: 'zebrunner/mcloud-agent#331',
    seen: 'A phone is unauthorized with the key that it knew; its container restarts all the time.',
    cause: 'the phone or adb forgot the key',
    did: 'restarted the container now and then, until it went',
    lab: { zone: 'Europe/Minsk', from: '2024-06-10', days: 18, hubs: [7], free: 1, models: ['Galaxy A40'] },
    tell(lab) {
      lab.phone(lab.pinned(3), lab.at(16, '08:07'), {
        kind: 'state',
        state: 'unauthorized',
        before: 'device',
      });
      background(lab);
      return {
        at: lab.at(16, '15:10'),
        told: { about: ['phone'], keys: [lab.pinned(3).udid], says: /accept|allow|prompt|key/i },
      };
    },
  },
  {
    name: 'a phone that is told to restart into another mode hangs',
    source: 'ubports/ubuntu-touch#1837',
    seen: '`adb reboot bootloader` hangs, and the phone with it.',
    cause: 'the phone hangs while it shuts down',
    did: 'held the power button',
    lab: { zone: 'America/Chicago', from: '2021-09-13', days: 17, hubs: [4], free: 1, models: ['Pixel 3a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(15, '21:45'));
      background(lab);
      return {
        at: lab.at(15, '22:50'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /power button|restart/i },
      };
    },
  },
  {
    name: 'phones go at the hub of a small computer, and stay when they are plugged into it directly',
    source: 'raspberrypi/linux#4443',
    seen: 'With a new hub all devices of it are lost after some minutes; directly at the computer they work. The kernel: clear tt, error -71.',
    cause: 'the hub at this computer',
    did: 'plugged everything into the computer itself',
    lab: { zone: 'America/Santo_Domingo', from: '2021-06-28', days: 14, hubs: [4], free: 1, usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const index of [0, 1, 2]) lab.pinned(index);
      for (const [day, time] of [
        [10, '10:12'],
        [10, '10:31'],
        [10, '11:05'],
        [10, '14:20'],
        [11, '09:47'],
      ] as const)
        losses.push(
          ...lab.loseAll(lab.phones, lab.at(day, time), { spreadMs: 900, forMs: 4 * MINUTE, gone: 'phone' }),
        );
      background(lab);
      return {
        at: lab.at(11, '10:30'),
        losses,
        blame: ['hub', 'host'],
        told: { about: ['hub', 'host'], says: /hub|power/i },
      };
    },
  },
  {
    name: 'whatever else hangs at the hub goes when a phone is plugged in',
    source: 'raspberrypi/linux#5343, raspberrypi/rpi-eeprom#468',
    seen: 'When an Android phone is plugged into the hub of a small computer, the other devices there disconnect.',
    cause: 'the hub, or what it gets of power',
    did: 'asked; looked at the power supply',
    lab: { zone: 'Europe/Madrid', from: '2023-01-16', days: 18, hubs: [4], free: 2, usb: true },
    tell(lab) {
      const [stays, comes] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '18:10'],
        [14, '19:25'],
        [15, '17:40'],
        [16, '18:55'],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(comes, at - 3 * HOUR, { forMs: 3 * HOUR });
        losses.push(lab.lose(stays, at + 2 * SECOND, { forMs: 7 * SECOND }));
      }
      background(lab);
      return { at: lab.at(16, '20:00'), losses, blame: ['hub', 'port', 'host', 'unknown'] };
    },
  },
  {
    name: 'a tablet that shows the weather for two years swells',
    source: 'https://gtalug.org/pipermail/talk/2024-September/013675.html',
    seen: 'A tablet that stood still, always plugged in, is much thicker than before.',
    cause: 'its battery was kept full',
    did: 'threw it away',
    lab: {
      zone: 'America/Toronto',
      from: '2024-07-04',
      days: 70,
      hubs: [4],
      free: 2,
      models: ['Iconia One', 'Fire 10'],
    },
    tell(lab) {
      const warm = inUse(lab);
      const tablet = lab.pinned(0);
      tablet.reading = (at) => ({ ...warm(at), levelPercent: 100, isFull: true });
      background(lab);
      const keys = [tablet.udid];
      return { at: lab.at(69, '12:00'), told: { about: ['phone'], keys, says: /batter|charg|full/i } };
    },
  },
  {
    name: 'a phone is found switched off in the morning since its last update',
    source: 'GrapheneOS/os-issue-tracker#2608',
    seen: 'Set to restart by itself after some hours, the phone is off in the morning.',
    cause: 'the phone switches itself off; its hardware, as the maintainer says',
    did: 'switched it on',
    lab: { zone: 'Asia/Manila', from: '2023-10-02', days: 25, hubs: [4], free: 1, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = [20, 22, 23].map((day, index) => {
        const at = lab.at(day, `0${1 + index}:5${index}`);
        return lab.reboot(phone, at, { forMs: until(lab, [day, '07:10'], at), reason: 'cold,powerkey' });
      });
      background(lab);
      return {
        at: lab.at(23, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /power|switch|off|batter/i },
      };
    },
  },
  {
    name: 'a host restarts, and a phone shows its debugging only after it was plugged in anew',
    source: 'GrapheneOS-Archive/legacy_bugtracker#715',
    seen: 'After a restart USB debugging is not picked up sometimes, until the phone is unplugged and plugged in.',
    cause: 'the USB of the phone or of the host does not start',
    did: 'unplugged it and plugged it in',
    lab: { zone: 'America/Toronto', from: '2017-09-11', days: 21, hubs: [4], free: 1 },
    tell(lab) {
      const phone = lab.pinned(2);
      hostRestarts(lab, lab.at(18, '08:30'));
      const loss = lab.lose(phone, lab.at(18, '08:31:22'));
      background(lab);
      return {
        at: lab.at(18, '09:40'),
        losses: [loss],
        blame: ['unknown', 'phone', 'port', 'host'],
        told: { about: ['phone', 'port'], keys: [phone.udid, lab.portKey(phone)], says: /plug/i },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a phone freezes each time after it was unplugged',
    source: 'LegacyXperia/local_manifests#967',
    seen: 'After adb was used and the cable is unplugged the phone freezes; the power button does nothing.',
    cause: 'a fault of its system: it runs out of memory',
    did: 'took the battery out',
    lab: { zone: 'Europe/Zurich', from: '2015-07-20', days: 20, hubs: [4], free: 1, models: ['Xperia Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [14, 16, 17].map((day) => {
        const at = lab.at(day, '17:20') + lab.random.between(0, 40) * MINUTE;
        return lab.reboot(phone, at, { forMs: until(lab, [day + 1, '09:15'], at) });
      });
      background(lab);
      return { at: lab.at(18, '11:00'), losses, blame: ['phone', 'person', 'unknown'] };
    },
  },
  {
    name: 'a phone hangs with a dark screen until its power button is held',
    source: 'z2-dev/android_device_zuk_z2_plus#141',
    seen: 'The phone hangs from time to time; its screen is dark.',
    cause: 'the phone hangs',
    did: 'held the power button',
    lab: { zone: 'Europe/Moscow', from: '2017-09-11', days: 20, hubs: [4], free: 1, models: ['Z2 Plus'] },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.facts(phone, lab.at(18, '13:00'), { isSilent: true, silentSince: lab.at(18, '13:00') });
      phone.busy.push({ from: lab.at(18), to: lab.at(18) + DAY });
      background(lab);
      return {
        at: lab.at(18, '14:10'),
        told: { about: ['phone'], keys: [phone.udid], says: /power button|restart/i },
      };
    },
  },
  {
    name: 'a host is on the list of lost phones on two days, and its phone is restarted on both',
    source: 'flutter/flutter#163683, #163782',
    seen: 'Lists of hosts lost their phones on February 19 and on February 20.',
    cause: 'the phones: each was back with a restart of it',
    did: 'restarted all these phones',
    lab: { ...single, from: '2025-01-27', days: 27 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [23, 24].map((day, index) => {
        const at = lab.at(day, `0${3 + index}:2${index}`);
        return lab.reboot(phone, at, { forMs: until(lab, [day, '14:10'], at), reason: 'reboot,longkey' });
      });
      background(lab);
      return {
        at: lab.at(24, '16:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /hang|restart|switch|update/i },
      };
    },
  },
  {
    name: 'the clean-up of each test run sends the phone offline',
    source: 'catchpoint/WebPageTest.agent#376',
    seen: 'After `pm clear` of one app adb is dead and the phone offline; it has to be connected anew.',
    cause: 'the phone: its adbd hangs after that command',
    did: 'left the command out',
    lab: {
      zone: 'Asia/Karachi',
      from: '2020-07-20',
      days: 19,
      hubs: [4],
      free: 2,
      usb: true,
      models: ['Nokia 1'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        [15, '12:10'],
        [15, '16:02'],
        [16, '10:33'],
        [16, '14:20'],
        [17, '11:41'],
      ].map(([day, time]) =>
        lab.lose(phone, lab.at(Number(day), String(time)), {
          as: 'offline',
          forMs: lab.random.between(4, 40) * MINUTE,
        }),
      );
      background(lab);
      return {
        at: lab.at(17, '15:00'),
        losses,
        blame: ['phone', 'adb', 'link'],
        told: {
          about: ['phone', 'host', 'port'],
          says: /restart|adb|update|erase|reconnect|plug|command|test/i,
        },
      };
    },
  },
  {
    name: 'a new small computer may not open its phone',
    source: 'catchpoint/WebPageTest.agent#135',
    seen: 'adb lists the phone without permission; the instructions do not mention a rule for it.',
    cause: 'there is no udev rule for the phone',
    did: 'wrote a udev rule',
    lab: { ...single, zone: 'America/New_York', from: '2018-06-11', days: 8 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      lab.phone(phone, lab.at(3, '11:20'), {
        kind: 'attached',
        state: 'no permissions',
      });
      background(lab, { hasReadings: false });
      return { at: lab.at(3, '12:00'), told: { about: ['phone', 'host', 'port'], says: /udev/i } };
    },
  },
  {
    name: 'after an upgrade of the host its rules name a group that is not there',
    source: 'M0Rf30/android-udev-rules#127',
    seen: 'It worked with Fedora 26; with 27: error resolving group plugdev, and the phones cannot be opened.',
    cause: 'the udev rule does not fit the new system',
    did: 'changed the rule',
    lab: { zone: 'America/Denver', from: '2017-10-30', days: 16, hubs: [4], free: 1 },
    tell(lab) {
      hostRestarts(lab, lab.at(13, '14:40'));
      for (const phone of lab.phones) {
        phone.isPinned = true;
        phone.busy.push({ from: lab.at(13, '14:30'), to: lab.end });
        lab.phone(phone, lab.at(13, '14:41:30'), {
          kind: 'state',
          state: 'no permissions',
          before: 'device',
        });
      }
      background(lab);
      return { at: lab.at(13, '15:30'), told: { about: ['phone', 'host', 'port', 'hub'], says: /udev/i } };
    },
  },
  {
    name: 'phones of a test lab bloat, as they are charged all the time',
    source: 'https://www.testdevlab.com/blog/2016/08/how-to-create-programmatically-switchable-usb-hub/',
    seen: 'Phones that are tested and charged without end have bloated batteries.',
    cause: 'they are charged all the time',
    did: 'built a hub that switches the charging off',
    lab: { zone: 'Europe/Riga', from: '2016-07-25', hubs: [7] },
    tell(lab) {
      for (const phone of lab.phones) {
        const warm = inUse(lab);
        phone.reading = (at) => {
          const { temperatureDecicelsius = 290 } = warm(at) ?? {};
          return { levelPercent: 100, isFull: true, temperatureDecicelsius: temperatureDecicelsius + 25 };
        };
      }
      background(lab, { taken: 0.2 });
      return {
        at: lab.at(29, '12:00'),
        told: { about: ['phone', 'host', 'room', 'hub'], says: /charg|full|batter/i },
      };
    },
  },
  {
    name: 'a phone that was flashed and wiped no longer knows the host',
    source: 'catapult-project/catapult#2244',
    seen: 'A phone is flashed with a wipe, and the script waits for ever for it to boot.',
    cause: 'the wipe clears the keys of adb: the phone is unauthorized',
    did: 'thought of leaving the wait out',
    lab: { zone: 'Europe/London', from: '2016-03-28', days: 17, hubs: [7], free: 2, models: ['Nexus 5'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const at = lab.at(16, '11:00');
      lab.lose(phone, at, { forMs: 20 * SECOND, backAs: 'bootloader' });
      lab.lose(phone, at + 4 * MINUTE, { forMs: 150 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(16, '12:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /accept|allow|authoriz|prompt/i },
      };
    },
  },
  {
    name: 'a device is not seen after the host slept or restarted, until it is plugged in anew',
    source: 'BluDood/GlanceThing#6',
    seen: 'After a restart of the computer adb does not see the device.',
    cause: 'the USB of the device does not start again',
    did: 'unplugged it and plugged it in',
    lab: { ...single, zone: 'Europe/Stockholm', from: '2024-10-14', days: 20, models: ['CarThing'] },
    tell(lab) {
      const phone = lab.pinned(0);
      hostRestarts(lab, lab.at(18, '08:50'));
      const loss = lab.lose(phone, lab.at(18, '08:51:21'));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '10:00'),
        losses: [loss],
        blame: ['unknown', 'phone', 'port', 'host'],
        told: { about: ['phone', 'port', 'host'], says: /plug/i },
      };
    },
  },
  {
    name: 'a phone restarts every five minutes',
    source: 'phhusson/treble_experimentations#1511',
    seen: 'Every five minutes or so the phone restarts, without a crash in its log.',
    cause: 'a fault of its system',
    did: 'asked; looked for a log of the kernel',
    lab: { zone: 'Europe/Lisbon', from: '2020-09-14', days: 20, hubs: [4], free: 1, models: ['Galaxy A40'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(18, '10:05'), left = 9; left > 0; left -= 1) {
        losses.push(lab.reboot(phone, at, { forMs: 42 * SECOND, reason: 'reboot' }));
        at += lab.random.between(4, 6) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(18, '10:55'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], keys: [phone.udid], says: /restart|flash|erase|update/i },
      };
    },
  },
  {
    name: 'a phone restarts by itself when its battery is a quarter full',
    source: 'LegacyXperia/local_manifests#961',
    seen: 'The phone restarts at random, mostly with a quarter of its charge left.',
    cause: 'its battery, or the gauge of it',
    did: 'calibrated the battery',
    lab: {
      zone: 'Europe/Berlin',
      from: '2015-07-06',
      days: 22,
      hubs: [4],
      free: 1,
      models: ['Xperia Mini Pro'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const falls = [15, 16, 17, 18, 19, 20].map(
        (day) => lab.at(day, '13:00') + lab.random.between(0, 8) * HOUR,
      );
      phone.reading = (at) => {
        const next = falls.find((each) => each >= at) ?? at + 6 * HOUR;
        const levelPercent = Math.min(100, Math.round(25 + ((next - at) / HOUR) * 9));
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 330 };
      };
      const losses = falls.map((at) => lab.reboot(phone, at, { forMs: 55 * SECOND }));
      background(lab);
      return {
        at: lab.at(20, '22:30'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /batter/i },
      };
    },
  },
  {
    name: 'the modem of a phone takes the whole phone with it',
    source: 'zwliew/android_device_xiaomi_hm2014811#124',
    seen: 'The phone restarts at random: kernel panic, the modem crashed.',
    cause: 'its modem crashes',
    did: 'kept it in the network of the second generation',
    lab: { zone: 'Europe/Helsinki', from: '2015-09-21', days: 20, hubs: [4], free: 1, models: ['Redmi 2'] },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = [15, 17, 18].map((day) =>
        lab.reboot(phone, lab.at(day) + lab.random.between(1, 23) * HOUR, {
          forMs: 48 * SECOND,
          reason: 'kernel_panic',
        }),
      );
      background(lab);
      return {
        at: lab.at(19, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /crash|update|kernel/i },
      };
    },
  },
  {
    name: 'a hub starts anew with its host, and so do all that hangs at it',
    source: 'mvp/uhubctl#365',
    seen: 'As soon as the small computer restarts, the hub of 16 ports restarts too.',
    cause: 'the hub switches its ports off without a host, as it should',
    did: 'was told that this is right',
    lab: { zone: 'Europe/Berlin', from: '2021-09-20', days: 18, hubs: [10] },
    tell(lab) {
      const at = lab.at(16, '11:05');
      for (const phone of lab.phones) phone.isPinned = true;
      hostRestarts(lab, at);
      const losses = lab.loseAll(lab.phones, at + 81 * SECOND, { spreadMs: 400, forMs: 7 * SECOND });
      background(lab);
      return { at: lab.at(16, '12:00'), losses, blame: ['unknown', 'host', 'hub'] };
    },
  },
  {
    name: 'a new mainboard has fifty phones, and some go offline all the time',
    source: 'Genymobile/scrcpy#5384',
    seen: 'More than fifty phones held at the old computer. At the new one some are not listed, and fifteen to twenty go offline until adb reconnect offline; other ports, hubs and cables do not help, nor one hub alone.',
    cause: 'not found; most likely the mainboard',
    did: '`adb reconnect offline`, again and again; wanted to return the computer',
    lab: {
      zone: 'Europe/London',
      hubs: [10, 10, 10, 10, 10],
      from: '2024-10-01',
      days: 19,
      models: ['Galaxy S8', 'Galaxy Note 9'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of lab.phones) phone.isPinned = true;
      for (let day = 13; day < 18; day += 1)
        for (const hour of [10, 13, 16])
          for (const phone of lab.random.shuffled(lab.phones).slice(0, 16))
            losses.push(
              lab.lose(phone, lab.at(day) + (hour + lab.random.between(0, 1.2)) * HOUR, {
                as: 'offline',
                forMs: lab.random.between(20, 70) * MINUTE,
              }),
            );
      background(lab);
      return {
        at: lab.at(17, '18:30'),
        losses,
        blame: ['host', 'adb', 'unknown'],
        told: {
          about: ['host', 'phone'],
          says: /controller|main ?board|motherboard|power|reconnect|adb server|kill-server|restart/i,
        },
      };
    },
  },
];
