/** Incidents of hosts, containers and builds: what adb runs on, and what runs beside it. */
import { background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const pinned = (phones: readonly LabPhone[]): readonly LabPhone[] => {
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** The adb server ends, and another one runs soon after. */
function ended(lab: Lab, at: number, forMs = 3 * SECOND, version = 41): void {
  lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
  lab.host(at + forMs, { kind: 'adbBack' });
  lab.host(at + forMs + 100, { kind: 'adbReplaced', version });
}

/** One phone at the host itself, in California; a person comes on workdays. */
const single = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

export const incidents: Incident[] = [
  {
    name: 'the USB controller of a computer dies with a headset, and all that hangs at it',
    source: 'alvr-org/ALVR#3054',
    seen: 'Once the headset streams by cable, keyboard, mouse and headset are gone; the kernel writes that the controller died.',
    cause: 'the USB controller stops to answer, and the kernel gives it up',
    did: 'restarted the computer each time',
    lab: {
      zone: 'America/New_York',
      hubs: [3],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2025-09-22',
      days: 18,
      models: ['Quest 2'],
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const [first, second] = [lab.at(15, '20:10:58'), lab.at(16, '19:32:10')];
      const bootedAt = first + 9 * MINUTE;
      const losses = [
        ...lab.loseAll(phones, first, { spreadMs: 300, forMs: 10 * MINUTE, gone: 'controller' }),
        ...lab.loseAll(phones, second, { spreadMs: 300, gone: 'controller' }),
      ];
      lab.host(bootedAt - MINUTE, { kind: 'agentStopped' });
      lab.host(bootedAt + 30 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: bootedAt,
        lastAliveAt: bootedAt - MINUTE,
      });
      background(lab);
      return {
        at: second + 20 * MINUTE,
        losses,
        blame: ['host'],
        told: { about: ['host', 'room'], says: /controller|restart the (host|computer|machine)|kernel/i },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'a phone that was told to restart is not there any more in the container',
    source: 'sorccu/docker-adb#10',
    seen: 'After `adb reboot` the phone is not in the list of adb, which runs in a container; with the newer container it is.',
    cause: 'an old adb in the container, which does not see that the phone is there again',
    did: 'took a container with a newer adb',
    lab: { hubs: [4], free: 2, usb: true, zone: 'Europe/Kiev', from: '2018-01-01', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '11:20');
      const loss = lab.lose(phone, at, { gone: 'phone' });
      lab.usb(phone, at + 100, null);
      lab.usb(phone, at + 38 * SECOND, { connectedAt: at + 38 * SECOND });
      background(lab);
      return {
        at: at + 25 * MINUTE,
        losses: [loss],
        blame: ['adb', 'person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(restart|start|update|newer|another|doctor)[^.;]*\badb\b|\badb\b[^.;]*(server|version|restart)/i,
        },
      };
    },
  },
  {
    name: 'what is plugged in anew stays away until all containers are started anew',
    source: 'jonathas/openstf-arm7-docker#2',
    seen: 'A phone is taken out and plugged in again: it is disconnected for good, until the three containers are restarted.',
    cause: 'adb in its container does not see what comes to USB later',
    did: 'restarted the containers each time; found the fix in a fork',
    lab: {
      hubs: [4],
      usb: true,
      known: { slots: false },
      zone: 'America/New_York',
      from: '2019-02-04',
      days: 16,
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, day, time] of [
        [0, 9, '10:15'],
        [2, 11, '14:30'],
        [1, 14, '16:05'],
      ] as const) {
        const phone = lab.pinned(index);
        const at = lab.at(day, time);
        const back = at + 3 * MINUTE;
        const cured = day === 14 ? undefined : at + 45 * MINUTE;
        losses.push(lab.lose(phone, at, { gone: 'phone', ...(cured && { forMs: cured - at }) }));
        lab.usb(phone, at + 100, null);
        lab.usb(phone, back, { connectedAt: back });
        if (cured) lab.usb(phone, cured, undefined);
        if (cured) ended(lab, cured - 8 * SECOND);
      }
      background(lab, { taken: 0, restarts: 0 });
      return {
        at: lab.at(14, '16:50'),
        losses,
        blame: ['person', 'adb', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(restart|start|another|doctor)[^.;]*\badb\b|\badb\b[^.;]*(server|restart)/i,
        },
      };
    },
  },
  {
    name: 'a build tool ends all adb when it finds no phone, and emulators are offline after that',
    source: 'apache/cordova-android#1098',
    seen: 'When a build finds no phone it runs `killall adb`; for a time after that all emulators are offline.',
    cause: 'the tool ends the adb server to look harder',
    did: 'reported it, to have the tool end no adb',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 0, emulators: 2, from: '2020-10-05', days: 16 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const time of ['09:20', '09:58', '10:31', '11:47', '13:25', '14:02', '14:40']) {
        const at = lab.at(14, time);
        ended(lab, at, 2 * SECOND);
        losses.push(
          ...lab.loseAll(emulators, at + 2200, { as: 'offline', spreadMs: 200, forMs: 9 * SECOND }),
        );
      }
      background(lab);
      return {
        at: lab.at(14, '15:10'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /kill|ends|program|what runs/i },
      };
    },
  },
  {
    name: 'adb breaks down in long runs, as it has too many files open',
    source: 'openatx/uiautomator2#998',
    seen: 'The phones are connected by their addresses. After many cases adb is dead at times: too many open files.',
    cause: 'the adb server reaches the limit of open files, and ends',
    did: 'was told to raise the limit of open files',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 2,
      network: 4,
      from: '2024-06-10',
      days: 22,
      models: ['Pixel'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [15, '22:10'],
        [16, '19:35'],
        [17, '21:02'],
        [17, '23:50'],
        [18, '20:44'],
        [19, '18:15'],
        [19, '22:31'],
      ] as const) {
        const at = lab.at(day, time);
        ended(lab, at, 20 * SECOND);
        losses.push(...lab.loseAll(phones, at + 20.2 * SECOND, { spreadMs: 300, forMs: 12 * MINUTE }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '22:50'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb server/i },
      };
    },
  },
  {
    name: 'the agent of a lab ends adb before each look, which hangs now and then',
    source: 'flutter/cocoon#268',
    seen: 'On a Windows host `adb kill-server` runs before `adb devices`; from time to time adb hangs after that.',
    cause: 'the agent’s own kill-server',
    did: 'took the kill-server out',
    lab: { ...single, from: '2019-04-29', days: 17, models: ['Moto G4'] },
    tell(lab) {
      const [phone] = pinned(lab.phones) as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [13, 14, 15])
        for (
          let at = lab.at(day, '08:00');
          at < lab.at(day, '19:00');
          at += lab.random.between(25, 55) * MINUTE
        ) {
          const forMs = (lab.random.chance(0.15) ? 95 : 3) * SECOND;
          ended(lab, at, forMs);
          losses.push(lab.lose(phone, at + forMs + 200, { forMs: 3 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(15, '19:30'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /kill-server|(kills|ends|stops|restarts) (the )?adb/i },
      };
    },
  },
  {
    name: 'linux-8 is in quarantine for its developer mode, and one restart by adb cures it',
    source: 'flutter/flutter#86429',
    seen: 'The host is in quarantine: developer mode is off. adb reaches the phone all the time.',
    cause: 'something on the phone, which went with a restart',
    did: 'restarted it with `adb reboot`',
    cannotShow: 'the phone was attached, and answered',
    lab: { ...single, from: '2021-06-28', days: 18, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(16, '14:20'), { reason: 'reboot,adb' });
      background(lab);
      return { at: lab.at(16, '15:00'), losses: [loss], blame: ['person'] };
    },
  },
  {
    name: 'linux-18 is restarted on May 3, on May 7 and on May 14',
    source: 'flutter/flutter#147794, #147942, #148329',
    seen: 'The host lost its phone three times within eleven days.',
    cause: 'the phone: each time a restart of it brought it back',
    did: 'restarted the phone, each time on the same day',
    lab: { ...single, from: '2024-04-15', days: 31 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [18, '03:40', '10:00'],
          [22, '11:15', '14:31'],
          [29, '01:20', '09:19'],
        ] as const
      ).map(([day, lost, back]) => {
        const at = lab.at(day, lost);
        const loss = lab.lose(phone, at, { forMs: lab.at(day, back) - at });
        lab.rebooted(phone, lab.at(day, back) + 20 * SECOND, { reason: 'reboot,longkey', uptimeSeconds: 45 });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(29, '11:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /restart|hang|repair|replace/i },
      };
    },
  },
  {
    name: 'mac-9 misses its phone on the Tuesday after the holiday',
    source: 'flutter/flutter#154560',
    seen: 'On the first morning after a long weekend three hosts have lost their phones.',
    cause: 'the phones: each was back with a restart of it',
    did: 'restarted the phones',
    lab: { ...single, from: '2024-08-12', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const [at, back] = [lab.at(20, '16:50'), lab.at(22, '10:05')];
      const loss = lab.lose(phone, at, { forMs: back - at });
      lab.rebooted(phone, back + 15 * SECOND, { reason: 'reboot,longkey', uptimeSeconds: 40 });
      background(lab);
      return { at: lab.at(22, '11:00'), losses: [loss], blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'the old phones of a lab are exchanged for new ones of another make',
    source: 'flutter/flutter#148801',
    seen: 'All Galaxy A02s are replaced with other phones, one host after the other.',
    cause: 'people, as planned',
    did: 'replaced them within a day',
    lab: { ...single, direct: 2, from: '2024-05-01', days: 24, models: ['Galaxy A02s', 'Mokey'] },
    tell(lab) {
      const [old, fresh] = pinned(lab.phones) as [LabPhone, LabPhone];
      fresh.isThereAtFirst = false;
      const [seat] = old.seats;
      if (seat) fresh.seats.splice(0, 1, seat);
      const at = lab.at(21, '10:40');
      const loss = lab.lose(old, at);
      lab.phone(fresh, at + 6 * MINUTE, { kind: 'attached', state: 'unauthorized' });
      lab.phone(fresh, at + 7 * MINUTE, { kind: 'state', state: 'device', before: 'unauthorized' });
      background(lab);
      return { at: at + 3 * HOUR, losses: [loss], blame: ['person', 'unknown'] };
    },
  },
  {
    name: 'apps cannot be installed for lack of storage, on phones with three quarters free',
    source: 'flutter/flutter#135035, #168405',
    seen: 'INSTALL_FAILED_INSUFFICIENT_STORAGE on several hosts; df shows 28 % used, on another phone 3 %.',
    cause: 'what former tests left in the package manager of the phone',
    did: 'removed the apps of others, and restarted the phone',
    cannotShow: 'the storage is not full, and hostnode does not see installations',
    lab: { ...single, from: '2023-09-04', days: 18, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.facts(phone, lab.start, {
        storage: { totalBytes: 11_349_888_000, usedBytes: 3_141_948_000 },
      });
      background(lab);
      return { at: lab.at(15, '12:00') };
    },
  },
  {
    name: 'linux-2 loses its phone for a moment in the middle of tests, for weeks',
    source: 'flutter/flutter#125996',
    seen: 'Now and then a test finds no phone; when somebody looks, adb lists it. In eight weeks it goes on.',
    cause: 'an unsteady connection, most likely the cable',
    did: 'asked to have the USB cable between host and phone replaced',
    lab: { ...single, from: '2023-06-05', days: 30, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [11, '02:14'],
          [14, '21:05'],
          [17, '10:40'],
          [20, '04:51'],
          [23, '23:18'],
          [26, '06:07'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(3, 20) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(28, '10:00'),
        losses,
        blame: ['port', 'phone', 'link', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|plug|seat/i },
      };
    },
  },
  {
    name: 'a host was down for days, and its phone has to be switched on',
    source: 'flutter/flutter#102104',
    seen: 'mac-17 has been down for a while. After a hard restart of it the phone is not there.',
    cause: 'host and phone were both off',
    did: 'restarted the host the hard way, and pressed the power button of the phone',
    lab: { ...single, from: '2022-04-01', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const [died, booted] = [lab.at(12, '19:30'), lab.at(17, '13:20')];
      phone.busy.push({ from: died, to: lab.end });
      lab.host(booted + 40 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: booted,
        lastAliveAt: died,
      });
      const loss = lab.lose(phone, booted + 41 * SECOND);
      background(lab);
      return {
        at: booted + 30 * MINUTE,
        losses: [loss],
        blame: ['host', 'room', 'phone', 'unknown'],
        told: {
          about: ['phone', 'host', 'room'],
          says: /power (it )?on|switch(ed)? (it )?on|is (it )?on\b|power button|\boff\b/i,
        },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'the port that a script switched off stays off until the phone is plugged anew',
    source: 'mvp/uhubctl#321',
    seen: 'uhubctl switches the port off and on again; the phone does not come back, until it is unplugged and plugged in.',
    cause: 'the hub does not switch the port on again',
    did: 'unplugged the phone and plugged it in',
    lab: {
      hubs: [4],
      usb: true,
      zone: 'America/New_York',
      from: '2021-02-08',
      days: 21,
      models: ['Pixel XL'],
    },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = [
        [17, '03:30', '09:10'],
        [18, '03:30', '08:55'],
        [20, '03:30', ''],
      ].map(([day, time, back]) => {
        const at = lab.at(Number(day), String(time)) + lab.random.between(0, 5) * SECOND;
        return lab.lose(phone, at, { ...(back && { forMs: lab.at(Number(day), String(back)) - at }) });
      });
      background(lab);
      return {
        at: lab.at(20, '08:30'),
        losses,
        blame: ['port', 'hub', 'person', 'unknown'],
        told: { about: ['phone', 'port', 'hub'], says: /plug/i },
      };
    },
  },
  {
    name: 'an emulator without acceleration is offline in every build, until the build gives up',
    source: 'ReactiveCircus/android-emulator-runner#55',
    seen: 'Each run waits without end for an emulator that adb calls offline.',
    cause: 'the host has no hardware acceleration: the emulator hardly gets on',
    did: 'was told to run on a host with acceleration',
    cannotShow:
      'that the emulator is offline is seen; whether its host has hardware acceleration is not read',
    lab: { zone: 'Europe/Berlin', hubs: [], emulators: 1, from: '2020-04-06', days: 15 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      emulator.isThereAtFirst = false;
      for (const [day, time] of [
        [11, '21:50'],
        [12, '10:50'],
        [12, '12:31'],
        [12, '15:05'],
      ] as const) {
        const at = lab.at(day, time);
        lab.phone(emulator, at, { kind: 'attached', state: 'offline' });
        if (time !== '15:05') lab.phone(emulator, at + 58 * MINUTE, { kind: 'detached' });
      }
      background(lab);
      return {
        at: lab.at(12, '15:50'),
        told: { about: ['phone'], keys: [emulator.udid], says: /its log|accelerat/i },
      };
    },
  },
  {
    name: 'an emulator of the queue is stuck offline, and each job waits a minute for it',
    source: 'dotnet/xharness#389',
    seen: 'On one machine of the queue the emulator stays offline; job after job finds it so.',
    cause: 'the emulator has come to a halt',
    did: 'had the emulator, or its machine, started anew',
    lab: { zone: 'America/Los_Angeles', hubs: [], emulators: 2, from: '2020-11-16', days: 18 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      const loss = lab.lose(emulator, lab.at(16, '09:40'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(16, '18:40'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /restart|start it|anew/i },
      };
    },
  },
  {
    name: 'a container with Android is offline most of the time on a new computer',
    source: 'remote-android/redroid-doc#655',
    seen: 'The container runs; adb calls it offline, at times device, and then every shell hangs until it is offline again.',
    cause: 'the system in the container does not start on this graphics card',
    did: 'was told to start it with drawing by the processor',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 2, network: 1, from: '2024-04-01', days: 16 },
    tell(lab) {
      const [container] = lab.pinnedOf('tcp') as [LabPhone];
      container.isThereAtFirst = false;
      const at = lab.at(13, '14:05');
      lab.phone(container, at, { kind: 'attached', state: 'offline' });
      lab.phone(container, at + 31 * MINUTE, { kind: 'state', state: 'device', before: 'offline' });
      const loss = lab.lose(container, at + 36 * MINUTE, { as: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: at + 2 * HOUR,
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [container.udid], says: /container|its log|restart|start it/i },
      };
    },
  },
  {
    name: 'since an update of the program a television is unauthorized, and a restart of the container helps',
    source: 'dwaan/homebridge-adb#93',
    seen: 'The television is unauthorized again and again since the update; with the former version it is not.',
    cause: 'the program starts adb anew, without the key that the television knows',
    did: 'restarted the container each time, and went back to the former version',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2022-11-07',
      days: 22,
      models: ['Sharp TV'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      for (const [day, time, cured] of [
        [17, '21:40', '22:30'],
        [18, '19:12', '19:40'],
        [19, '08:20', '17:05'],
        [20, '10:22', ''],
      ] as const) {
        const at = lab.at(day, time);
        ended(lab, at, 2 * SECOND);
        lab.phone(television, at + 4 * SECOND, { kind: 'state', state: 'unauthorized', before: 'device' });
        if (!cured) continue;
        ended(lab, lab.at(day, cured), 2 * SECOND);
        lab.phone(television, lab.at(day, cured) + 5 * SECOND, {
          kind: 'state',
          state: 'device',
          before: 'unauthorized',
        });
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '11:30'),
        told: { about: ['phone', 'host'], says: /\bkey\b/i },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi is not connected again after the laptop slept',
    source: 'y-polek/ADB-Wi-Fi#5',
    seen: 'When the laptop wakes the phone cannot be connected over Wi-Fi, until the development environment, and adb with it, is started anew.',
    cause: 'adb, after the sleep of the computer',
    did: 'started the environment anew; `adb kill-server` helps too',
    lab: {
      zone: 'Asia/Yerevan',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2020-11-16',
      days: 18,
      known: { slots: false },
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [11, 14, 15, 16]) {
        const woke = lab.at(day, '09:40') + lab.random.between(0, 30) * MINUTE;
        lab.host(woke, { kind: 'hostSlept', forMs: 5 * HOUR });
        if (day === 16) losses.push(lab.lose(phone, woke + SECOND));
        else {
          const cured = woke + lab.random.between(12, 40) * MINUTE;
          losses.push(lab.lose(phone, woke + SECOND, { forMs: cured + 5 * SECOND - woke }));
          ended(lab, cured, 3 * SECOND);
        }
      }
      background(lab, { hasReadings: false, taken: 0 });
      return {
        at: lab.at(16, '10:45'),
        losses,
        blame: ['adb', 'host', 'link', 'unknown'],
        told: { about: ['phone', 'host'], says: /adb (server|kill)|restart adb|start adb|connect/i },
      };
    },
  },
  {
    name: 'the switch of a lab is switched off by mistake, and with it the network of all hosts',
    source: 'flutter/flutter#59891',
    seen: 'Somebody switched port 1 of the power strip off; since then all machines of the lab are offline.',
    cause: 'at that port hangs the network switch',
    did: 'switched it on again, the next day',
    cannotShow: 'phones, adb and host are fine; that the cloud is away is told beside the findings',
    lab: { ...single, from: '2020-06-01', days: 20 },
    tell(lab) {
      lab.pinned(0);
      const at = lab.at(18, '16:40');
      lab.host(at, { kind: 'cloudLost', code: 'CLOUD_UNREACHABLE' });
      lab.host(at + 0.8 * DAY, { kind: 'cloudBack' });
      background(lab, { glitches: 0 });
      return { at: at + 3 * HOUR };
    },
  },
  {
    name: 'two phones of one make answer to one serial, and hide each other',
    source: 'koush/vysor.io#220',
    seen: 'Only some of the phones are shown: the cheap ones all have the serial 1234567890ABCDEF, and take each other’s place.',
    cause: 'the maker gave all of them one serial',
    did: 'asked to address them by their USB port',
    lab: { zone: 'Europe/Sofia', hubs: [7], from: '2016-10-31', days: 15 },
    tell(lab) {
      for (const phone of [lab.pinned(1), lab.pinned(4), lab.pinned(5)])
        lab.facts(phone, lab.start, { serial: '1234567890ABCDEF', serialNumber: '1234567890ABCDEF' });
      background(lab);
      return { at: lab.at(12, '12:00'), told: { about: ['phone'], says: /serial/i } };
    },
  },
  {
    name: 'real phones of a farm are offline now and then, until adb reconnects them',
    source: 'zebrunner/mcloud-agent#162',
    seen: 'adb calls a phone offline; its container does not get it back, `adb reconnect` does.',
    cause: 'the connection of adb to the phone hangs',
    did: 'had the health check run `adb reconnect`',
    lab: { hubs: [7, 7], zone: 'Europe/Minsk', from: '2022-12-12', days: 26 },
    tell(lab) {
      const losses = (
        [
          [2, 12, '13:20', 70],
          [9, 15, '22:41', 640],
          [4, 19, '11:05', 95],
          [2, 22, '17:50', undefined],
        ] as const
      ).map(([index, day, time, minutes]) =>
        lab.lose(lab.pinned(index), lab.at(day, time), {
          as: 'offline',
          ...(minutes && { forMs: minutes * MINUTE }),
        }),
      );
      background(lab);
      return {
        at: lab.at(22, '19:00'),
        losses,
        blame: ['phone', 'adb', 'port', 'unknown'],
        told: { about: ['phone'], says: /reconnect/i },
      };
    },
  },
  {
    name: 'an emulator is offline on the host while an adb inside of its container holds it',
    source: 'tracer0tong/android-emulator#18',
    seen: 'adb on the host calls the emulator offline; with the adb in the container ended it works.',
    cause: 'another adb, in the container, has the connection',
    did: 'ended adb inside of the container; a new image does so',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 2, emulators: 1, from: '2016-08-22', days: 18 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      emulator.isThereAtFirst = false;
      const at = lab.at(15, '10:12');
      lab.phone(emulator, at, { kind: 'attached', state: 'offline' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        told: {
          about: ['phone'],
          keys: [emulator.udid],
          says: /another adb|other adb|doctor|start it again|restart/i,
        },
      };
    },
  },
  {
    name: 'an emulator that is started from a snapshot with delayed adb stays offline',
    source: 'appium/appium#14773',
    seen: 'Started with -delay-adb from a snapshot the emulator is listed as offline for good; started cold it is not.',
    cause: 'the emulator, started in that way, never opens its adb',
    did: 'started it cold, or without the option',
    lab: { zone: 'America/Mexico_City', hubs: [], emulators: 1, from: '2020-09-14', days: 18 },
    tell(lab) {
      const [emulator] = lab.pinnedOf('emulator') as [LabPhone];
      const at = lab.at(16, '12:20');
      lab.lose(emulator, at, { forMs: 40 * SECOND, backAs: 'offline' });
      background(lab);
      return {
        at: at + HOUR,
        told: { about: ['phone'], keys: [emulator.udid], says: /restart|start it/i },
      };
    },
  },
  {
    name: 'two phones take no key any more since a configuration was pushed to them',
    source: 'nmeum/android-tools#197, Genymobile/scrcpy#6888',
    seen: 'Since an update of their configuration a Galaxy Note and a Galaxy Tab show no prompt, with USB debugging on, and adb cannot connect.',
    cause: 'the update changed something of USB debugging on the phones',
    did: 'asked',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 3,
      known: { slots: false },
      from: '2026-05-11',
      days: 20,
      models: ['Galaxy Note 10+', 'Galaxy Tab S5e', 'Pixel'],
    },
    tell(lab) {
      const losses = [0, 1].map((index) =>
        lab.lose(lab.pinned(index), lab.at(17, `02:${10 + index * 25}`), {
          forMs: 4 * MINUTE,
          backAs: 'unauthorized',
        }),
      );
      background(lab);
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], says: /prompt|allow/i },
      };
    },
  },
  {
    name: 'a television does not answer after each restart of the bridge that runs adb',
    source: 'dwaan/homebridge-adb#11',
    seen: 'When the bridge is restarted for other reasons the television gives no response, until adb over the network was switched on again by cable and adb was restarted.',
    cause: 'adb does not connect by itself after it was started anew',
    did: 'ran `adb tcpip`, `adb connect` and `adb kill-server` by hand',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      hubs: [4],
      free: 3,
      network: 1,
      from: '2020-08-31',
      days: 22,
      models: ['TCL TV'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [14, '14:12', 6],
          [17, '20:30', 14],
          [19, '11:45', undefined],
        ] as const
      ).map(([day, time, hours]) => {
        const at = lab.at(day, time);
        ended(lab, at, 8 * SECOND);
        return lab.lose(television, at + 8.2 * SECOND, { ...(hours && { forMs: hours * HOUR }) });
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '13:00'),
        losses,
        blame: ['adb', 'link', 'unknown'],
        told: { about: ['phone', 'host'], says: /connect|tcpip|kill-server|restart (the )?adb/i },
      };
    },
  },
];
