/** Incidents of few phones at a computer: cables, ports, Wi-Fi, rights, keys. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };
const wireless: LabOptions = { hubs: [4], free: 2, network: 1, known: { slots: false } };

/** The phone of the network. */
function overTheAir(lab: Lab) {
  const phone = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'tcp'));
  return phone;
}

export const incidents: Incident[] = [
  {
    name: 'a phone at one port of the computer comes and goes all the time',
    source: 'Genymobile/scrcpy#5812',
    seen: 'The phone disconnects now after half an hour, now at once, and reconnects by itself.',
    cause: 'that USB port of the computer: neither cable nor phone',
    did: 'used another port',
    lab: { ...desk, from: '2025-01-20', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '10:10'],
        [14, '11:00'],
        [14, '14:30'],
      ] as const)
        for (let at = lab.at(day, time), left = 6; left > 0; left -= 1) {
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 5) * SECOND }));
          at += lab.random.between(1, 9) * MINUTE;
        }
      background(lab);
      const says = /port/i;
      return { at: lab.at(14, '15:30'), losses, blame: ['port'], told: { about: ['port', 'phone'], says } };
    },
  },
  {
    name: 'a phone drops out at random until its cable is swapped',
    source: 'Genymobile/scrcpy#1074',
    seen: 'The phone is disconnected at random while it is used, at this one computer.',
    cause: 'the cable',
    did: 'swapped the USB cable',
    lab: { ...desk, zone: 'America/Chicago', from: '2020-01-13', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [13, 14, 16, 17, 20, 21, 22].map((day) =>
        lab.lose(phone, lab.at(day, '10:00') + lab.random.between(0, 7) * HOUR, {
          forMs: lab.random.between(3, 20) * SECOND,
        }),
      );
      background(lab);
      return {
        at: lab.at(22, '18:00'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone disconnects at every computer and with every cable',
    source: 'Genymobile/scrcpy#916',
    seen: 'The phone is lost at random at four computers, with several cables and at all of their ports.',
    cause: 'the phone',
    did: 'tried further cables and ports, and suspected the phone',
    lab: { hubs: [7], free: 4, from: '2019-10-14', days: 26, models: ['Pixel 2 XL', 'Pixel 4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const ports = [undefined, ...lab.freePorts(lab.start).slice(0, 3)];
      for (const [turn, to] of ports.entries()) {
        const day = 10 + turn * 4;
        if (to) lab.lose(phone, lab.at(day, '09:30'), { forMs: 4 * MINUTE, to });
        for (const [later, time] of [
          [0, '11:12'],
          [1, '15:40'],
          [2, '10:05'],
        ] as const)
          losses.push(
            lab.lose(phone, lab.at(day + later, time), { forMs: lab.random.between(2, 9) * SECOND }),
          );
      }
      background(lab);
      return {
        at: lab.at(25, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /phone|socket|cable|repair/i },
      };
    },
  },
  {
    name: 'a phone goes offline while it is scrolled, and stays so',
    source: 'Genymobile/scrcpy#5326',
    seen: 'On a small computer the phone disconnects when its screen changes a lot; then it stays offline, a restart of the server does not help.',
    cause: 'the connection between phone and host: cable, port or power',
    did: 'was told to look at cable and port',
    lab: { ...desk, zone: 'America/Panama', from: '2024-09-16', days: 14 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(12, '10:04'), { forMs: 5 * SECOND }),
        lab.lose(phone, lab.at(12, '10:21'), { forMs: 4 * SECOND }),
        lab.lose(phone, lab.at(12, '10:40'), { as: 'offline' }),
      ];
      lab.host(lab.at(12, '10:48'), { kind: 'adbLost', failureKind: 'absent' });
      lab.host(lab.at(12, '10:48:04'), { kind: 'adbBack' });
      lab.host(lab.at(12, '10:48:05'), { kind: 'adbReplaced', version: 41 });
      background(lab);
      const says = /plug|cable|port/i;
      return {
        at: lab.at(12, '11:30'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'wireless debugging goes off while the phone idles',
    source: 'Genymobile/scrcpy#6605',
    seen: 'When the phone idles, wireless debugging is off, and adb lists it as offline.',
    cause: 'the phone lets go of its Wi-Fi or of adb when it idles',
    did: 'had switched on “Stay awake”; asked',
    lab: { ...wireless, zone: 'Asia/Jakarta', from: '2026-01-01', days: 15 },
    tell(lab) {
      const phone = overTheAir(lab);
      const losses = [
        [9, '13:20'],
        [10, '22:40'],
        [11, '12:50'],
        [12, '23:10'],
        [13, '13:30'],
      ].map(([day, time]) =>
        lab.lose(phone, lab.at(Number(day), String(time)), {
          as: 'offline',
          forMs: lab.random.between(60, 180) * MINUTE,
        }),
      );
      background(lab);
      const says = /Wi-Fi|network|sleep|awake/i;
      return {
        at: lab.at(13, '14:10'),
        losses,
        blame: ['link', 'phone', 'network'],
        told: { about: ['phone', 'network'], says },
      };
    },
  },
  {
    name: 'Wi-Fi adb is gone whenever the screen turns off',
    source: 'huazhouwang/WIFIADB#8',
    seen: 'The phone disconnects often, by and by found to be when its screen turns off.',
    cause: 'the phone saves power when its screen is off',
    did: 'kept the phone awake',
    lab: { ...wireless, zone: 'America/New_York', from: '2016-12-01', days: 14 },
    tell(lab) {
      const phone = overTheAir(lab);
      const losses: ToldLoss[] = [];
      for (const day of [7, 8, 11])
        for (const hour of ['09:40', '11:15', '14:02', '16:20'])
          losses.push(lab.lose(phone, lab.at(day, hour), { forMs: lab.random.between(2, 11) * MINUTE }));
      background(lab);
      const says = /Wi-Fi|sleep|awake|screen/i;
      return {
        at: lab.at(11, '17:00'),
        losses,
        blame: ['link', 'phone'],
        told: { about: ['phone'], keys: [phone.udid], says },
      };
    },
  },
  {
    name: 'the port of adb is closed after hours of sleep',
    source: 'mouldybread/adb-auto-enable#3',
    seen: 'After some hours of sleep port 5555 of the TV box is not reachable; woken by its remote control it is.',
    cause: 'power saving of its Wi-Fi',
    did: 'switched off power saving for its network parts',
    lab: { ...wireless, from: '2026-04-13', days: 18, models: ['TV box'] },
    tell(lab) {
      const phone = overTheAir(lab);
      const losses = [11, 12, 13, 14, 15, 16].map((day) => {
        const at = lab.at(day, '01:20') + lab.random.between(0, 120) * MINUTE;
        return lab.lose(phone, at, { forMs: lab.at(day, '18:30') + lab.random.between(0, 90) * MINUTE - at });
      });
      background(lab);
      const says = /Wi-Fi|network|sleep/i;
      return {
        at: lab.at(16, '12:00'),
        losses,
        blame: ['link', 'phone'],
        told: { about: ['phone', 'network'], says },
      };
    },
  },
  {
    name: 'a host without a rule for its phones has no rights to them',
    source: 'commaai/openpilot#36516',
    seen: 'adb lists the device with “no permissions (missing udev rules?)”.',
    cause: 'no udev rule for this device',
    did: 'added its vendor and product to the rules',
    lab: { ...desk, zone: 'America/Los_Angeles', from: '2025-10-20', days: 10 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      lab.phone(phone, lab.at(8, '11:10'), { kind: 'attached', state: 'no permissions' });
      background(lab);
      return { at: lab.at(8, '11:40'), told: { about: ['phone'], says: /udev/i } };
    },
  },
  {
    name: 'after an update of the rules one kind of phone has no permissions',
    source: 'M0Rf30/android-udev-rules#345',
    seen: 'A OnePlus works; a Huawei is listed with “no permissions”, although the user is in plugdev.',
    cause: 'the updated rules lack this product',
    did: 'reported the product to the rules',
    lab: {
      hubs: [4],
      from: '2025-03-31',
      days: 12,
      models: ['OnePlus 9', 'Huawei Watch', 'OPPO Watch', 'OnePlus 9'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.lose(phone, lab.at(9, '10:00'), { forMs: 30 * SECOND, backAs: 'no permissions' });
      background(lab);
      return {
        at: lab.at(9, '10:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /udev|permission/i },
      };
    },
  },
  {
    name: 'Appium kills the adb server over and over',
    source: 'appium/appium#12164',
    seen: 'After each refresh adb is killed; after some of it the devices do not appear any more.',
    cause: 'Appium runs kill-server again and again',
    did: 'was told of the setting that suppresses kill-server',
    lab: { ...desk, from: '2019-02-04', days: 12 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = lab.phones;
      for (const phone of phones) phone.isPinned = true;
      const kills = Array.from(
        { length: 9 },
        (_, index) => lab.at(10, '13:05') + index * lab.random.between(3, 6) * MINUTE,
      );
      const last = Math.max(...kills);
      for (const at of kills) {
        lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
        lab.host(at + 2 * SECOND, { kind: 'adbBack' });
        lab.host(at + 2300, { kind: 'adbReplaced', version: 41 });
        losses.push(
          ...phones.map((phone) => lab.lose(phone, at + 2500, at < last ? { forMs: 2 * SECOND } : {})),
        );
      }
      background(lab);
      return {
        at: lab.at(10, '14:10'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /kill-server|adb/i },
      };
    },
  },
  {
    name: 'two programs with adb 40 and adb 41 replace each other’s server',
    source: 'Genymobile/scrcpy#527',
    seen: 'The server version does not match the client, and is killed, again and again.',
    cause: 'another program runs an older adb',
    did: 'looked for the program with the other adb',
    lab: { ...desk, zone: 'Europe/Rome', from: '2019-07-15', days: 16 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of lab.phones) phone.isPinned = true;
      for (let index = 0; index < 12; index += 1) {
        const at = lab.at(14, '09:30') + index * 17 * MINUTE;
        adbRestarts(lab, at, index % 2 === 0 ? 40 : 41);
        losses.push(...lab.phones.map((phone) => lab.lose(phone, at + 3300, { forMs: 3 * SECOND })));
      }
      background(lab);
      return {
        at: lab.at(14, '13:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /version|another adb/i },
      };
    },
  },
  {
    name: 'two tablets have the same serial',
    source: 'GramAddict/bot#279',
    seen: 'Two identical tablets answer to 0123456789ABCDEF; tools cannot tell them apart.',
    cause: 'the maker gave all of them one serial',
    did: 'addressed them by transport; asked for another way',
    lab: { hubs: [4], free: 1, zone: 'Europe/Sarajevo', from: '2022-07-04', days: 12 },
    tell(lab) {
      for (const phone of [lab.pinned(0), lab.pinned(1)])
        lab.facts(phone, lab.start, {
          serial: '0123456789ABCDEF',
          serialNumber: '0123456789ABCDEF',
          name: 'Lenovo TAB 2 A7',
        });
      background(lab);
      return { at: lab.at(9, '12:00'), told: { about: ['phone'], says: /serial/i } };
    },
  },
  {
    name: 'the phone of a lab is full',
    source: 'flutter/flutter#67928',
    seen: 'Tests fail: INSTALL_FAILED_INSUFFICIENT_STORAGE.',
    cause: 'the storage of the phone filled up with what tests leave behind',
    did: 'removed apps and caches, and restarted it',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2020-09-14',
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 11_600_000_000;
      const usedAt = (at: number) =>
        Math.min(total * 0.985, total * (0.3 + 0.024 * ((at - lab.start) / (24 * HOUR))));
      phone.reading = (at) => ({
        levelPercent: 90,
        isFull: false,
        temperatureDecicelsius: 290,
        storageUsedBytes: Math.round(usedAt(at)),
      });
      for (let day = 0; day < 28; day += 1)
        lab.facts(phone, lab.at(day, '00:05'), {
          storage: { totalBytes: total, usedBytes: Math.round(usedAt(lab.at(day, '00:05'))) },
        });
      background(lab);
      return { at: lab.at(26, '10:00'), told: { about: ['phone'], says: /storage|clean/i } };
    },
  },
  {
    name: 'after flashing the phone ends in its recovery',
    source: 'phhusson/treble_experimentations#1451',
    seen: 'It hangs at the logo, and after five minutes it is in its recovery.',
    cause: 'the system that was flashed does not boot',
    did: 'reset it in its recovery',
    lab: { ...desk, from: '2020-08-10', days: 14, models: ['Huawei Y6'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(11, '19:00');
      lab.lose(phone, at, { forMs: 6 * MINUTE, backAs: 'recovery' });
      background(lab);
      return { at: at + 30 * MINUTE, told: { about: ['phone'], says: /recovery|Reboot system|erase/i } };
    },
  },
  {
    name: 'a phone restarts by a kernel panic, several times a day',
    source: 'flutter/flutter#24607',
    seen: 'A Galaxy J3 restarts at random while an app runs, after 30 seconds to 15 minutes.',
    cause: 'its kernel panics',
    did: 'took a dump of the panic; asked the maker',
    lab: { hubs: [4], from: '2018-11-05', days: 18, models: ['Galaxy J3', 'Pixel 2'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        [14, '10:12'],
        [14, '11:30'],
        [15, '09:55'],
        [15, '15:20'],
        [16, '10:41'],
      ].map(([day, time]) =>
        lab.reboot(phone, lab.at(Number(day), String(time)), { forMs: 55 * SECOND, reason: 'kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(16, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /crash|panic|restart/i },
      };
    },
  },
  {
    name: 'adb answers unauthorized at a host that was started anew',
    source: 'zebrunner/stf#937',
    seen: 'Phones with Android 14 are unauthorized when the farm starts; after another restart they are fine.',
    cause: 'the farm’s adb came up with another key for a while',
    did: 'restarted the farm',
    lab: { hubs: [7], free: 1, zone: 'Europe/Minsk', from: '2024-03-18', days: 17 },
    tell(lab) {
      const at = lab.at(15, '09:02');
      const phones = lab.phones;
      for (const phone of phones) phone.isPinned = true;
      lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(at + 6 * SECOND, { kind: 'adbBack' });
      lab.host(at + 6300, { kind: 'adbReplaced', version: 41 });
      const losses = phones.map((phone) =>
        lab.lose(phone, at + 6500, { forMs: 4 * SECOND, backAs: 'unauthorized' }),
      );
      background(lab);
      const says = /key|another adb|kill-server|prompt|dialog|confirm|allow|accept|restart|reboot/i;
      return {
        at: at + 20 * MINUTE,
        losses,
        blame: ['adb', 'phone', 'unknown'],
        told: { about: ['phone', 'host'], says },
      };
    },
  },
  {
    name: 'the test says that there is no phone, and adb lists it',
    source: 'flutter/flutter#169239',
    seen: 'The bot says “no android device available”; somebody looks, and adb lists the phone.',
    cause: 'nothing that adb or the phone shows',
    did: 'looked, and closed it',
    cannotShow: 'the phone was listed all the time',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2025-05-05',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(15, '18:30'), { forMs: 40 * SECOND, reason: 'reboot,adb' });
      background(lab);
      return { at: lab.at(16, '11:00'), losses: [loss], blame: ['person', 'unknown'] };
    },
  },
  {
    name: 'sessions hang under load while all phones stay attached',
    source: 'AppiumTestDistribution/appium-device-farm#1506',
    seen: 'With four sessions or more on eleven phones an install or another command of adb hangs; the phones are marked busy for ever.',
    cause: 'unknown: the farm’s own service or the load',
    did: 'restarted the farm',
    cannotShow: 'no phone is lost, and hostnode does not see sessions',
    lab: { hubs: [7, 4], zone: 'Europe/Prague', from: '2025-01-01', days: 14 },
    tell(lab) {
      const at = lab.at(12, '10:15');
      lab.host(at, { kind: 'agentStopped' });
      lab.host(at + 8 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: lab.start - 9 * 24 * HOUR,
        lastAliveAt: at,
      });
      background(lab);
      return { at: lab.at(12, '11:00') };
    },
  },
  {
    name: 'collecting the log of a phone hangs until it is reset',
    source: 'flutter/flutter#94566',
    seen: 'Tests of one host time out: the phone hangs while its log is collected, the tests themselves pass.',
    cause: 'something on the phone, which answers everything else',
    did: 'reset it to its factory state',
    cannotShow: 'the phone stays attached and answers',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2021-11-15',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(17, '11:30'), {
        forMs: 170 * SECOND,
        reason: 'reboot,factory_reset',
      });
      background(lab);
      return { at: lab.at(17, '13:00'), losses: [loss], blame: ['person', 'unknown'] };
    },
  },
  {
    name: 'the screens of six phones stay white in the web page',
    source: 'openstf/stf#82',
    seen: 'With two phones all is well; with six some are hard to get ready, and show a white screen. Plugging one anew helps sometimes.',
    cause: 'too little power for six phones, as the maintainers guess',
    did: 'was told to use a hub with enough power',
    cannotShow: 'the phones stay listed; they are plugged anew by hand only',
    lab: { zone: 'Asia/Shanghai', hubs: [7], free: 1, from: '2015-08-31', days: 17 },
    tell(lab) {
      const losses = [1, 3, 4].map((index) =>
        lab.lose(lab.pinned(index), lab.at(15, `1${index}:20`), { forMs: 20 * SECOND }),
      );
      background(lab);
      return { at: lab.at(15, '18:00'), losses, blame: ['hub', 'person', 'unknown'], alsoAbout: ['hub'] };
    },
  },
  {
    name: 'the list of phones is empty after three to four hours',
    source: 'DeviceFarmer/stf#662',
    seen: 'After some hours the page of the farm shows no phones; their batteries read full, healthy, 23 °C.',
    cause: 'the network between browser and farm',
    did: 'asked the network team',
    cannotShow: 'phones, adb and host are fine',
    lab: { zone: 'Europe/Istanbul', hubs: [10], from: '2023-05-08', days: 18 },
    tell(lab) {
      background(lab);
      return { at: lab.at(17, '14:00') };
    },
  },
];
