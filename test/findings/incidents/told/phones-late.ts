/** Incidents of single phones, tablets, televisions and boxes, told after the others. */
import { FASTBOOT } from '../../usb-tree.ts';
import { background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const firstOnNetwork = (lab: Lab): LabPhone => {
  const [phone] = lab.pinnedOf('tcp');
  if (!phone) throw new RangeError('no phone');
  return phone;
};

/** It restarts again and again. adb lists it for a moment each time, in which it is asked, or is not (`Lab.reboot`). */
function bootLoop(
  lab: Lab,
  phone: LabPhone,
  at: number,
  { untilAt, upMs, downMs, backAs = 'device' }: Loop,
): ToldLoss[] {
  const losses: ToldLoss[] = [];
  lab.facts(phone, at, { bootCompleted: false });
  for (let from = at; from < untilAt; ) {
    const back = from + downMs * lab.random.between(0.9, 1.15);
    losses.push(lab.lose(phone, from, { forMs: back - from, backAs }));
    from = back + upMs * lab.random.between(0.85, 1.2);
    const asked = back + lab.random.between(5, 40) * SECOND;
    if (asked < from && backAs === 'device')
      lab.rebooted(phone, asked, { uptimeSeconds: Math.round((asked - back) / SECOND) + 12 });
  }
  return losses;
}

interface Loop {
  untilAt: number;
  upMs: number;
  downMs: number;
  backAs?: string;
}

const WEAK_BATTERY =
  /(replace|new|change|swap).{0,25}battery|battery.{0,40}(worn|weak|old|bad|dead|replace|swollen)/i;

export const incidents: Incident[] = [
  {
    name: 'an app that watches over it switches wireless debugging off when the screen comes on',
    source: 'thedjchi/Shizuku#225',
    seen: 'Whenever the screen of a Galaxy S25 goes off and on again, wireless debugging is off, and the session over it ends.',
    cause: 'the watchdog of an app switches wireless debugging off',
    did: 'switched wireless debugging on again, and reported it',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [4],
      network: 2,
      from: '2026-06-08',
      days: 21,
      models: ['Galaxy S25', 'Pixel'],
    },
    tell(lab) {
      const phone = firstOnNetwork(lab);
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 19; day += 1)
        for (const time of ['09:20', '12:05', '15:40', '19:10'])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 40) * MINUTE, {
              forMs: lab.random.between(4, 50) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '21:30'),
        losses: losses.filter(({ at }) => at < lab.at(18, '21:00')),
        blame: ['phone', 'link'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /wireless debugging|debugging (is )?(off|on again)|an app/i,
        },
      };
    },
  },
  {
    name: 'a phone loses wireless debugging each time it is locked',
    source: 'thedjchi/Shizuku#227',
    seen: 'Once an app that uses adb was started twice, wireless debugging goes off whenever the phone is locked.',
    cause: 'wireless debugging is switched off as the phone is locked',
    did: 'switched wireless debugging on again each time',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [4],
      free: 1,
      network: 1,
      from: '2026-06-15',
      days: 20,
      models: ['Moto G54'],
    },
    tell(lab) {
      const phone = firstOnNetwork(lab);
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 18; day += 1)
        for (const time of ['08:30', '13:00', '18:20'])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 90) * MINUTE, {
              forMs: lab.random.between(15, 170) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '08:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /(wireless|Wi-?Fi) debugging|debugging (is )?(off|on again)|locked/i,
        },
      };
    },
  },
  {
    name: 'a phone whose USB debugging is off ends adb when it leaves the Wi-Fi',
    source: 'pixincreate/Shizuku#4',
    seen: 'When the phone leaves the Wi-Fi, wireless debugging goes off, and what was started over it stops.',
    cause:
      'USB debugging was switched off, nobody knows how: only wireless debugging was on, and it ends with the Wi-Fi',
    did: 'switched USB debugging on',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-11-18',
      days: 21,
      models: ['Pixel 6a'],
    },
    tell(lab) {
      const phone = firstOnNetwork(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [11, '09:12', 11],
        [12, '10:30', 8.2],
        [14, '08:55', 12.5],
        [16, '18:40', 3.6],
        [18, '09:05', 30],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: hours * HOUR }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '20:30'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /(wireless|USB) debugging|debugging/i },
      };
    },
  },
  {
    name: 'a Pixel does not come back after an update of its system: it restarts without end',
    source: 'GrapheneOS/os-issue-tracker#7003',
    seen: 'After an update the phone restarts without end; adb, for which the computer was trusted, does not list it, not even after it was unlocked.',
    cause: 'a fault of the system that came with the update',
    did: 'sideloaded a newer release, which had it fixed',
    cannotShow:
      'it goes for its restart at night as with a pulled cable, and never comes to adb again to tell of the update',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      usb: true,
      from: '2025-12-15',
      days: 21,
      models: ['Pixel 7'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const loss = lab.lose(phone, lab.at(14, '03:41'));
      lab.usb(phone, lab.at(14, '03:41'), null);
      background(lab);
      return {
        at: lab.at(15, '10:00'),
        losses: [loss],
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /update|sideload|recovery|restarts/i,
        },
      };
    },
  },
  {
    name: 'hours after its update a Pixel restarts whenever its lock screen is there',
    source: 'GrapheneOS/os-issue-tracker#6517',
    seen: 'The phone was updated and restarted. Some hours later it restarts again and again; it comes as far as the lock screen, and there are seconds to unlock it.',
    cause: 'a fault of the system that came with the update',
    did: 'sideloaded another build in the recovery',
    lab: {
      zone: 'Europe/Rome',
      hubs: [4],
      usb: true,
      from: '2025-10-31',
      days: 20,
      models: ['Pixel 8a'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(14, '06:02'), { forMs: 55 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, lab.at(14, '06:05'), {
        kind: 'os',
        build: '2025110801',
        buildBefore: '2025102300',
      });
      const losses = bootLoop(lab, phone, lab.at(14, '09:48'), {
        untilAt: lab.at(14, '11:20'),
        upMs: 35 * SECOND,
        downMs: 42 * SECOND,
      });
      lab.facts(phone, lab.at(14, '09:48'), { isDataLocked: true });
      background(lab);
      return {
        at: lab.at(14, '11:10'),
        losses: losses.filter(({ at }) => at < lab.at(14, '11:00')),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /update|sideload|recovery|another build|factory reset/i,
        },
      };
    },
  },
  {
    name: 'a system image that was flashed does not start: the phone shows its bootloader again and again',
    source: 'phhusson/treble_experimentations#316',
    seen: 'Since another system image was flashed, the text of the bootloader is shown for seconds, the screen goes black, and so on; adb waits for it.',
    cause: 'a fault of that image',
    did: 'flashed a later build of it',
    cannotShow: 'it restarts before adb or USB show it',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      usb: true,
      from: '2018-11-19',
      days: 23,
      models: ['Moto G6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(18, '19:02');
      const loss = lab.lose(phone, at, { onUsb: { productId: '4ee0', interfaces: [FASTBOOT] } });
      lab.usb(phone, at + 11 * MINUTE, null);
      background(lab);
      return {
        at: lab.at(19, '20:00'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /flash|image|another build|ROM|system/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'after each new build a phone hangs in its start until its battery is taken out',
    source: 'CyanogenDefy/android_device_motorola_jordan#146',
    seen: 'After an update the phone restarts without end. The next build seemed to help; after the third update it is so again, and the battery was pulled out.',
    cause: 'not found; of the builds',
    did: 'pulled the battery out, flashed the next build',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 2,
      from: '2011-10-31',
      days: 24,
      models: ['Defy'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const builds = ['111106', '111109', '111112', '111116'];
      for (const [index, [day, time, minutes]] of (
        [
          [9, '20:41', 52],
          [12, '18:10', 34],
          [17, '21:05', 47],
        ] as const
      ).entries()) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE }));
        lab.rebooted(phone, at + minutes * MINUTE + 20 * SECOND, { uptimeSeconds: 70 });
        const [buildBefore = '', build = ''] = builds.slice(index);
        lab.phone(phone, at + minutes * MINUTE + 25 * SECOND, { kind: 'os', build, buildBefore });
      }
      background(lab);
      return {
        at: lab.at(17, '21:45'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /battery out|(take|pull|remove).{0,20}battery|(another|newer|next) (build|version|firmware)|ROM|update/i,
        },
      };
    },
  },
  {
    name: 'a boot logo from the internet keeps a phone from starting',
    source: 'John0n1/SMbootFX#12',
    seen: 'With another boot logo installed the phone restarts without end.',
    cause: 'that logo: the others of the same program are fine',
    did: 'restored the backup of before',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2025-10-01',
      days: 20,
      models: ['Galaxy S10'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = bootLoop(lab, phone, lab.at(17, '16:04'), {
        untilAt: lab.at(17, '18:10'),
        upMs: 14 * SECOND,
        downMs: 48 * SECOND,
      });
      background(lab);
      return {
        at: lab.at(17, '17:30'),
        losses: losses.filter(({ at }) => at < lab.at(17, '17:25')),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restore|backup|undo|factory reset|recovery|what was (changed|installed)/i,
        },
      };
    },
  },
  {
    name: 'the surface of a phone restarts whenever it is plugged in or unplugged',
    source: 'Divested-Mobile/DivestOS-Build#194',
    seen: 'Whenever a OnePlus 6 is plugged in or unplugged it seems to restart; with another phone of the same kind and another cable too. It was the surface that restarted, not the phone.',
    cause: 'an app',
    did: 'installed the system anew, found the app',
    cannotShow: 'only its surface restarts: boot id, uptime and adb stay as they were',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      from: '2023-02-20',
      days: 22,
      models: ['OnePlus 6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of [9, 10, 11, 14, 15, 16, 17])
        for (const [time, minutes] of [
          ['08:20', 50],
          ['12:30', 35],
          ['18:00', 240],
        ] as const)
          lab.lose(phone, lab.at(day, time) + lab.random.between(0, 20) * MINUTE, {
            forMs: minutes * MINUTE,
          });
      background(lab);
      return {
        at: lab.at(18, '10:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /an app|safe mode|factory reset|reinstall/i },
      };
    },
  },
  {
    name: 'with another kernel a phone restarts now and then while it charges',
    source: 'onyx-oss/konoha-kernel-gki#6',
    seen: 'The phone restarts at random, it seems only while the charger is connected and the battery full; the charger connects and disconnects, too. With another kernel it does not.',
    cause: 'the kernel, probably how it bypasses the battery',
    did: 'used another kernel',
    lab: {
      zone: 'Asia/Jakarta',
      hubs: [4],
      usb: true,
      from: '2026-04-13',
      days: 20,
      models: ['Poco F7', 'Redmi Note'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 17; day += 1)
        for (const hour of [0, 3, 6]) {
          if (lab.random.chance(0.3)) continue;
          const at = lab.at(day) + (hour + lab.random.between(0, 2.5)) * HOUR;
          losses.push(lab.reboot(phone, at, { forMs: lab.random.between(38, 70) * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(17, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /kernel|firmware|ROM|another build|update/i },
      };
    },
  },
  {
    name: 'the only phone of a build machine has no room for the app any more',
    source: 'flutter/flutter#64767',
    seen: 'All tests of that machine fail, for the app cannot be installed: insufficient storage.',
    cause: 'its storage is full of what tests left there',
    did: 'cleaned the phone up and restarted it',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2020-08-03',
      days: 26,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 11.6e9;
      const usedAt = (at: number) =>
        Math.min(0.994, 0.42 + (0.575 * (at - lab.start)) / (lab.at(24) - lab.start)) * total;
      const use = inUse(lab);
      phone.reading = (at) => ({ ...use(at), storageUsedBytes: usedAt(at) });
      for (let day = 0; day < lab.days; day += 1)
        lab.facts(phone, lab.at(day, '06:00'), {
          storage: { totalBytes: total, usedBytes: usedAt(lab.at(day, '06:00')) },
        });
      background(lab);
      return {
        at: lab.at(24, '18:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /storage|clean|free|uninstall/i },
      };
    },
  },
  {
    name: 'a restart makes room on a phone for four days only',
    source: 'flutter/flutter#65512, #65796',
    seen: 'The app cannot be installed: insufficient storage. After a restart of phone and host it can; four days later it cannot again.',
    cause: 'its storage is full of what tests left there',
    did: 'restarted phone and host; later cleaned the phone up',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      from: '2020-08-28',
      days: 20,
      models: ['Moto G4', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 11.6e9;
      const freed = lab.at(13, '15:20');
      const usedAt = (at: number) =>
        (at < freed
          ? Math.min(0.992, 0.6 + (0.4 * (at - lab.start)) / (lab.at(12) - lab.start))
          : Math.min(0.991, 0.93 + (0.065 * (at - freed)) / (lab.at(17) - freed))) * total;
      const use = inUse(lab);
      phone.reading = (at) => ({ ...use(at), storageUsedBytes: usedAt(at) });
      for (let day = 0; day < lab.days; day += 1)
        for (const time of ['05:00', '17:00'])
          lab.facts(phone, lab.at(day, time), {
            storage: { totalBytes: total, usedBytes: usedAt(lab.at(day, time)) },
          });
      lab.reboot(phone, freed, { reason: 'reboot,adb' });
      hostRestarts(lab, freed + 3 * MINUTE);
      background(lab);
      return {
        at: lab.at(17, '18:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /storage|clean|free|uninstall/i },
      };
    },
  },
  {
    name: 'phones take no app any more although there is room',
    source: 'appium/appium#13957, #14446',
    seen: 'After many runs no app can be installed: insufficient storage, while 22 GB are free.',
    cause: 'what failed installations leave in the folder of the apps',
    did: 'restarted the phones from time to time',
    cannotShow: 'the storage that the phone reports is free',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      from: '2020-02-03',
      days: 20,
      models: ['Galaxy S9', 'Pixel 3'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 56e9;
      const use = inUse(lab);
      phone.reading = (at) => ({ ...use(at), storageUsedBytes: 34e9 });
      lab.facts(phone, lab.start, { storage: { totalBytes: total, usedBytes: 34e9 } });
      background(lab);
      return {
        at: lab.at(16, '17:50'),
        told: { about: ['phone'], keys: [phone.udid], says: /restart|reboot|storage|uninstall/i },
      };
    },
  },
  {
    name: 'two tablets show up as one: all four of that make have one serial',
    source: 'koush/vysor.io#846',
    seen: 'The second tablet does not show up beside the first; when the first is unplugged, its name stands for the second.',
    cause: 'the maker gave all of them the same serial',
    did: 'tested four of them one by one: the same serial',
    lab: {
      zone: 'Europe/London',
      hubs: [4],
      free: 1,
      from: '2021-06-28',
      days: 19,
      models: ['T30s'],
    },
    tell(lab) {
      const [one, other] = [lab.pinned(0), lab.pinned(1)];
      for (const tablet of [one, other])
        lab.facts(tablet, lab.start, { serial: '20200300', serialNumber: '20200300' });
      lab.lose(one, lab.at(15, '11:20'), { forMs: 25 * MINUTE });
      lab.lose(other, lab.at(15, '14:02'), { forMs: 8 * MINUTE });
      background(lab);
      return {
        at: lab.at(16, '10:00'),
        told: { about: ['phone', 'host'], says: /same serial|serial number|serial/i },
      };
    },
  },
  {
    name: 'unplugged after adb was switched to the network, a phone in MTP mode is lost there too',
    source: 'Genymobile/scrcpy#3586',
    seen: 'The phone was connected over Wi-Fi with its cable plugged in. As soon as the cable is unplugged, the connection over Wi-Fi ends.',
    cause: 'unplugged, the phone changes its USB mode, MTP, and adb starts anew with it',
    did: 'unplugged it first and connected then; changed the USB mode',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2022-11-07',
      days: 18,
    },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: 'R58N60' });
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '18:10', 70],
        [15, '09:02', 25],
        [15, '12:20', 190],
        [15, '17:41', 900],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(cabled, at, { forMs: minutes * MINUTE });
        losses.push(lab.lose(overAir, at + 700, { forMs: minutes * MINUTE + 80 * SECOND }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '20:00'),
        losses,
        blame: ['person', 'phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [overAir.udid],
          says: /USB mode|MTP|unplug|connect (it )?again|adb connect/i,
        },
      };
    },
  },
  {
    name: 'two Huaweis are lost on the network when their cable is pulled, a Xiaomi is not',
    source: 'viarotel-org/escrcpy#458',
    seen: 'adb was switched to the network; when the cable is pulled, the connection over the network ends, too. So do two phones of Huawei; one of Xiaomi stays.',
    cause: 'these phones end adb on the network with the cable',
    did: 'took the phone of another maker',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 1,
      network: 3,
      known: { slots: false },
      from: '2025-07-21',
      days: 18,
      models: ['Huawei', 'Huawei', 'Xiaomi'],
    },
    tell(lab) {
      const cabled = [lab.pinned(0), lab.pinned(1), lab.pinned(2)];
      const overAir = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [index, phone] of cabled.entries()) {
        const twin = overAir[index];
        if (!twin) throw new RangeError('no twin');
        for (const each of [phone, twin]) lab.facts(each, lab.start, { serialNumber: `SN${index}7C` });
        for (const [day, time, hours] of [
          [13, '10:10', 2],
          [14, '14:30', 3.5],
          [15, '09:40', 9],
        ] as const) {
          const at = lab.at(day, time) + index * 21 * MINUTE;
          lab.lose(phone, at, { forMs: hours * HOUR });
          if (index < 2) losses.push(lab.lose(twin, at + 800, { forMs: hours * HOUR + MINUTE }));
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '15:00'),
        losses,
        blame: ['person', 'phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: overAir.slice(0, 2).map(({ udid }) => udid),
          says: /unplug|keep.{0,20}plugged|connect (it |them )?again|adb connect/i,
        },
      };
    },
  },
  {
    name: 'after half a year a phone neither charges nor shows up: its socket is broken',
    source: 'https://databaseusers.com/article/12901027/Q+Broken+microUSB+port+not+charging+or+data+working',
    seen: 'All was well for six months, then the phone no longer showed that it was plugged in, and no computer found it, with any cable. The battery gets power.',
    cause: 'the data pins of its micro USB socket are broken',
    did: 'tried other cables, flashed its system; charges the battery outside',
    lab: {
      zone: 'Europe/Belgrade',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2013-11-04',
      days: 24,
      models: ['Keon', 'Nexus'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [15, '13:20'],
        [17, '10:05'],
        [17, '16:12'],
      ] as const)
        lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(4, 50) * SECOND });
      const loss = lab.lose(phone, lab.at(18, '11:30'));
      background(lab);
      return {
        at: lab.at(20, '12:00'),
        losses: [loss],
        blame: ['link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /socket|connector|pins|another cable/i,
        },
      };
    },
  },
  {
    name: 'after each restart a Galaxy S6 edge reads an empty battery and switches off',
    source: 'fakemanoan/LineageOS-Releases#90',
    seen: 'After each restart the battery reads 0 % and the phone shuts down, although 50 % are left. Put on the charger it starts, and reads right.',
    cause: 'a worn battery, whose voltage breaks down',
    did: 'put a new battery in',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      from: '2024-05-13',
      days: 20,
      models: ['Galaxy S6 edge', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      phone.reading = (at) => ({
        levelPercent: Math.round(52 + 9 * Math.sin(at / (5 * HOUR))),
        isFull: false,
        temperatureDecicelsius: 291,
      });
      for (const [day, time, minutes] of [
        [12, '10:10', 18],
        [13, '15:32', 42],
        [14, '09:51', 12],
        [16, '11:08', 95],
        [17, '14:20', 26],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: minutes * MINUTE }));
      background(lab);
      return {
        at: lab.at(18, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: WEAK_BATTERY },
      };
    },
  },
  {
    name: 'a Moto G4 Play switches off at a third of its charge',
    source: 'VR-25/acc#99',
    seen: 'It shuts down at 38 % to 25 %, at times at 20 %, at every other charge; for quite a while now.',
    cause: 'the battery: its voltage drops suddenly',
    did: 'was told to take another battery, one of a Galaxy S4 fits',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [4],
      from: '2021-04-01',
      days: 24,
      models: ['Moto G4 Play', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const offAt = new Map<number, number>();
      for (let day = 10; day < 21; day += 1)
        if (day % 2 === 0 || day > 17) offAt.set(day, lab.random.whole(22, 38));
      phone.reading = (at) => {
        const day = Math.floor((at - lab.start) / (24 * HOUR));
        const hour = ((at - lab.start) / HOUR) % 24;
        const least = offAt.get(day) ?? 40;
        const levelPercent = Math.round(
          hour < 9
            ? Math.min(100, least + 12 * hour)
            : hour < 17
              ? 100 - ((100 - least) * (hour - 9)) / 8
              : least + 3 * (hour - 17),
        );
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 302 };
      };
      for (const day of offAt.keys())
        losses.push(
          lab.reboot(phone, lab.at(day, '17:00') + lab.random.between(0, 9) * MINUTE, {
            forMs: lab.random.between(25, 140) * MINUTE,
          }),
        );
      background(lab);
      return {
        at: lab.at(21, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: WEAK_BATTERY },
      };
    },
  },
  {
    name: 'a Pixel 4 XL powers down at random and needs its charger to come back',
    source: 'GrapheneOS/os-issue-tracker#438',
    seen: 'For a week it shuts down at random; mostly well while the charger is plugged in. Only with the charger does it start again, and the battery shows a question mark.',
    cause: 'almost certainly the hardware: the battery or its connection',
    did: 'was told to have the battery replaced',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2021-01-18',
      days: 21,
      models: ['Pixel 4 XL', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 19; day += 1)
        for (const time of ['10:15', '19:30']) {
          if (lab.random.chance(0.25)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 150) * MINUTE;
          losses.push(lab.reboot(phone, at, { forMs: lab.random.between(4, 75) * MINUTE }));
        }
      background(lab);
      return {
        at: lab.at(19, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: WEAK_BATTERY },
      };
    },
  },
  {
    name: 'after an update a phone only charges: both cables have no data lines',
    source: 'Divested-Mobile/DivestOS-Build#341',
    seen: 'Since the update of September adb finds the phone no more, and its USB mode cannot be changed; with two cables, and after restarts.',
    cause: 'both cables were for charging only',
    did: 'took a cable with data lines',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2024-09-16',
      days: 22,
      models: ['Pixel 4a', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(17, '20:10'), { forMs: 90 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, lab.at(17, '20:13'), { kind: 'os', build: 'divest.2409', buildBefore: 'divest.2408' });
      const loss = lab.lose(phone, lab.at(17, '21:40'));
      background(lab);
      return {
        at: lab.at(18, '10:00'),
        losses: [loss],
        blame: ['link', 'person'],
        told: {
          about: ['phone', 'port'],
          says: /cable.{0,40}data|data cable|another cable|cable that/i,
        },
      };
    },
  },
  {
    name: 'in its recovery a Galaxy S5 Plus is offline as soon as it waits for a file',
    source: 'Divested-Mobile/DivestOS-Build#190',
    seen: 'The recovery seems to work, but when it is told to take an update from adb, adb lists the phone as offline.',
    cause: 'this recovery does not work with adb on that old phone',
    did: 'used another recovery, TWRP',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2023-02-06',
      days: 24,
      models: ['Galaxy S5 Plus'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(21, '19:05');
      lab.lose(phone, at, { forMs: 45 * SECOND, backAs: 'recovery' });
      lab.phone(phone, at + 3 * MINUTE, { kind: 'state', state: 'offline', before: 'recovery' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        told: { about: ['phone'], keys: [phone.udid], says: /recovery|TWRP/i },
      };
    },
  },
  {
    name: 'without a PIN a Pixel C goes from its recovery to the system and back',
    source: 'Divested-Mobile/DivestOS-Build#154',
    seen: 'After the first start with a new system the next one ends in a loop: from the recovery to the system, and back again.',
    cause: 'a fault of the system where storage is encrypted and no PIN is set',
    did: 'did a factory reset, and set a PIN',
    lab: {
      zone: 'America/Toronto',
      hubs: [4],
      usb: true,
      from: '2022-09-26',
      days: 18,
      models: ['Pixel C', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = bootLoop(lab, phone, lab.at(14, '21:12'), {
        untilAt: lab.at(14, '23:40'),
        upMs: 22 * SECOND,
        downMs: 75 * SECOND,
        backAs: 'recovery',
      });
      background(lab);
      return {
        at: lab.at(14, '23:20'),
        losses: losses.filter(({ at }) => at < lab.at(14, '23:15')),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /factory reset|PIN|wipe|encrypt/i },
      };
    },
  },
  {
    name: 'at its first restart with a new system a Nexus 5X ends in a slow loop',
    source: 'Divested-Mobile/DivestOS-Build#212',
    seen: 'All was fine after the installation. Restarted for a SIM, it shows the picture of its start, shuts down, restarts, and so without end. The maker’s image runs.',
    cause: 'the known fault of the hardware of that model',
    did: 'flashed the image of the maker',
    lab: {
      zone: 'Australia/Melbourne',
      hubs: [4],
      usb: true,
      from: '2023-05-01',
      days: 18,
      models: ['Nexus 5X', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = bootLoop(lab, phone, lab.at(15, '20:10'), {
        untilAt: lab.at(15, '22:40'),
        upMs: 65 * SECOND,
        downMs: 55 * SECOND,
      });
      background(lab);
      return {
        at: lab.at(15, '22:10'),
        losses: losses.filter(({ at }) => at < lab.at(15, '22:00')),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /hardware|defect|repair|maker|factory|flash/i,
        },
      };
    },
  },
  {
    name: 'a television restarts every other time it is woken: an app filters its network',
    source: 'AdguardTeam/AdguardForAndroid#1392',
    seen: 'The television crashes and restarts when it wakes from standby; with a script that switches the app off before, every other time.',
    cause: 'the VPN of an app that filters, when the network of the television changes',
    did: 'did without the app, filters by DNS',
    lab: {
      zone: 'Europe/Rome',
      hubs: [4],
      network: 2,
      from: '2018-03-05',
      days: 21,
      models: ['Bravia', 'Pixel'],
    },
    tell(lab) {
      const tv = firstOnNetwork(lab);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 17; day += 1)
        for (const time of ['07:10', '18:50', '21:30']) {
          if (lab.random.chance(0.5)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          losses.push(lab.reboot(tv, at, { forMs: lab.random.between(70, 110) * SECOND }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [tv.udid], says: /\bapps?\b|VPN|uninstall|safe mode/i },
      };
    },
  },
  {
    name: 'with an adapter, an old cable and a hub a phone is not seen, with one cable it is',
    source: 'Genymobile/scrcpy#3054',
    seen: 'adb does not list the phone; it was connected by a USB-C adapter, a micro USB cable and a hub.',
    cause: 'adapter, cable or hub',
    did: 'plugged it into the host directly, with a USB-C cable',
    lab: {
      zone: 'Europe/Vienna',
      hubs: [4],
      direct: 1,
      usb: true,
      from: '2024-05-20',
      days: 20,
      models: ['Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(4);
      const loss = lab.lose(phone, lab.at(16, '10:02'), { forMs: 29 * HOUR });
      background(lab);
      return {
        at: lab.at(16, '16:00'),
        losses: [loss],
        blame: ['link', 'person', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|adapter|hub|directly|(another|other) port/i },
      };
    },
  },
  {
    name: 'since a module gives adb root, no computer finds the phone',
    source: 'evdenis/adb_root#11',
    seen: 'After the module was installed and the phone restarted, it is not on USB, and adb lists nothing.',
    cause: 'the module: adb does not start on that phone',
    did: 'installed a module with the fault fixed',
    cannotShow: 'what was installed on it is not known, and it never comes back to tell',
    lab: {
      zone: 'Asia/Jakarta',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2021-07-12',
      days: 20,
      models: ['Mi 5X'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(15, '21:20'));
      background(lab);
      return {
        at: lab.at(16, '12:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /module|Magisk|root/i },
      };
    },
  },
  {
    name: 'a OnePlus 6 that is restarted while it charges stays at the warning of its bootloader',
    source: 'topjohnwu/Magisk#1810',
    seen: 'While it charges it cannot start: it stays at the warning about the unlocked bootloader. Unplugged, and forced to restart by its buttons, it starts.',
    cause: 'the boot image that was changed, while a charger is connected',
    did: 'unplugged it and held its buttons',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      usb: true,
      from: '2019-08-12',
      days: 22,
      models: ['OnePlus 6', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '10:04', 34],
        [12, '16:40', 92],
        [15, '09:31', 21],
        [19, '13:15', 60],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: minutes * MINUTE, reason: 'reboot' }));
      background(lab);
      return {
        at: lab.at(19, '13:50'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /unplug|buttons?|hold|hangs|does not (start|finish)/i,
        },
      };
    },
  },
  {
    name: 'after the update of the month a Pixel 6 Pro restarts fifteen times',
    source: 'topjohnwu/Magisk#5788',
    seen: 'Updated from April to May, it restarts without end, about fifteen times; each time adb reaches it for a moment.',
    cause: 'a module that was made for the system of April',
    did: 'started it in safe mode, and deleted the module',
    lab: {
      zone: 'America/Denver',
      hubs: [4],
      usb: true,
      from: '2022-04-18',
      days: 19,
      models: ['Pixel 6 Pro', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = bootLoop(lab, phone, lab.at(17, '19:30'), {
        untilAt: lab.at(17, '21:00'),
        upMs: 150 * SECOND,
        downMs: 60 * SECOND,
      });
      background(lab);
      return {
        at: lab.at(17, '20:50'),
        losses: losses.filter(({ at }) => at < lab.at(17, '20:45')),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /safe mode|module|update/i },
      };
    },
  },
  {
    name: 'a phone stays at the picture of its start: one of its modules is broken',
    source: 'topjohnwu/Magisk#4084',
    seen: 'It stays at the animation of its start, while adb reaches it.',
    cause: 'a module that was updated',
    did: 'started it in safe mode with the old boot image, and removed the module',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      usb: true,
      from: '2021-03-08',
      days: 18,
      models: ['OnePlus 7', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '22:02');
      lab.lose(phone, at, { forMs: 35 * SECOND });
      lab.rebooted(phone, at + 70 * SECOND, { reason: 'reboot,userrequested', uptimeSeconds: 50 });
      lab.facts(phone, at, { bootCompleted: false });
      background(lab);
      return {
        at: lab.at(15, '09:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /safe mode|module|recovery|factory reset/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 3 does not start after a module was installed',
    source: 'Magisk-Modules-Repo/miracast-enabler#9',
    seen: 'After the module was installed the phone restarts without end; there is no recovery for its system.',
    cause: 'the module',
    did: 'removed all modules by adb, in the moment in which it is there',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2020-04-20',
      days: 20,
      models: ['Pixel 3'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = bootLoop(lab, phone, lab.at(18, '20:40'), {
        untilAt: lab.at(18, '23:00'),
        upMs: 18 * SECOND,
        downMs: 52 * SECOND,
      });
      background(lab);
      return {
        at: lab.at(18, '22:30'),
        losses: losses.filter(({ at }) => at < lab.at(18, '22:20')),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /module|safe mode|undo|what was installed/i },
      };
    },
  },
  {
    name: 'once its port lost power, a locked Pixel does not come back until it is restarted',
    source: 'GrapheneOS/os-issue-tracker#7803',
    seen: 'When the unit to which it is plugged is switched off and on, the phone cannot be reached until it is restarted; another phone at the same cable can.',
    cause: 'its USB port only charges while it is locked',
    did: 'let its USB port work while it is locked',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [2],
      usb: true,
      from: '2026-05-01',
      days: 20,
      models: ['Pixel 9 Pro', 'Galaxy S25'],
    },
    tell(lab) {
      const [phone, other] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '08:02', 41],
        [11, '17:30', 75],
        [14, '12:11', 20],
        [16, '08:20', 130],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE, gone: 'hub' }));
        lab.lose(other, at + 200, { forMs: 50 * SECOND, gone: 'hub' });
        lab.rebooted(phone, at + minutes * MINUTE + 15 * SECOND, { uptimeSeconds: 45 });
      }
      background(lab);
      return {
        at: lab.at(16, '09:40'),
        losses,
        blame: ['phone', 'hub', 'person'],
        told: {
          about: ['phone', 'hub'],
          says: /charg(es|ing)? only|only charg|locked|unlock|restart/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy A5 switches off as soon as it is hot',
    source: 'DeadSquirrel01/lineage-16_a5_releases#19',
    seen: 'The screen goes black all at once; it happens when the phone gets hot. In a stress test it goes off when the processor has 80 °C.',
    cause: 'heat: it shuts down at 80 °C of its processor',
    did: 'let it cool; watched its temperature in a test',
    lab: {
      zone: 'America/Mexico_City',
      hubs: [4],
      from: '2019-03-01',
      days: 21,
      models: ['Galaxy A5', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const hotAt: number[] = [];
      for (const [day, time] of [
        [13, '15:10'],
        [14, '16:32'],
        [15, '11:40'],
        [15, '17:05'],
        [17, '14:21'],
        [18, '15:50'],
      ] as const)
        hotAt.push(lab.at(day, time));
      const use = inUse(lab);
      phone.reading = (at) => {
        const next = hotAt.find((hot) => hot >= at);
        const before = next === undefined ? HOUR : next - at;
        const heat = before < HOUR ? Math.round(150 * (1 - before / HOUR)) : 0;
        return { ...use(at), temperatureDecicelsius: 320 + heat, isFull: false };
      };
      for (const at of hotAt)
        losses.push(lab.reboot(phone, at, { forMs: lab.random.between(6, 35) * MINUTE }));
      background(lab);
      return {
        at: lab.at(18, '17:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /\bhot\b|heat|cool|warm/i },
      };
    },
  },
  {
    name: 'a phone stays unauthorized although its prompt was accepted',
    source: 'Genymobile/scrcpy#2002',
    seen: 'The prompt on the phone was accepted, and it is unauthorized.',
    cause: 'adb or the phone had kept what was before',
    did: 'restarted the adb server, switched USB debugging off and on, restarted the phone',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2020-12-14',
      days: 21,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(18, '18:20'), { forMs: 3 * MINUTE, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(19, '09:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kill-server|adb server|USB debugging (off|again)|revoke|restart/i,
        },
      };
    },
  },
  {
    name: 'the battery of a Pixel that is always on its charger has to be replaced each half-year',
    source: 'master-hax/pixel-backup-gang#15',
    seen: 'A Pixel that copies pictures all the time hangs on its charger; its battery had to be replaced almost every half-year.',
    cause: 'it is full and charged all the time',
    did: 'replaced the battery; was told to limit the charge, or to take the battery out',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2024-06-10',
      days: 105,
      models: ['Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: Math.round(
          368 + 14 * Math.sin((2 * Math.PI * (at - lab.start)) / (24 * HOUR)),
        ),
      });
      background(lab);
      return {
        at: lab.at(104, '12:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /full|limit.{0,25}charg|swollen|swell|replace.{0,25}battery/i,
        },
      };
    },
  },
  {
    name: 'with some of its own packages removed a Redmi comes no further than its recovery',
    source: '0x192/universal-android-debloater#1072',
    seen: 'After packages that came with it were removed, the phone restarts without end; only the recovery can be reached.',
    cause: 'a package that the system needs was removed',
    did: 'wiped it and installed all anew',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2025-03-17',
      days: 20,
      models: ['Redmi Note 10S'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '21:05');
      const losses = bootLoop(lab, phone, at, {
        untilAt: at + 40 * MINUTE,
        upMs: 20 * SECOND,
        downMs: 70 * SECOND,
      });
      lab.lose(phone, at + 48 * MINUTE, { forMs: 90 * SECOND, backAs: 'recovery' });
      background(lab);
      return {
        at: at + 2 * HOUR,
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /factory reset|wipe|recovery|reinstall/i },
      };
    },
  },
  {
    name: 'after each restart a Galaxy S3 is not there until its cable is plugged in anew',
    source: 'Mibo5354/i9300_builds#4',
    seen: 'Restarted while it is connected, the phone does not show up again, neither adb nor its files, until the cable is unplugged and plugged in.',
    cause: 'so its system does at each start',
    did: 'unplugged the cable and plugged it in again',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      usb: true,
      from: '2023-02-27',
      days: 20,
      models: ['Galaxy S3', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '10:10', 33],
        [9, '14:21', 88],
        [10, '09:15', 26],
        [14, '11:40', 130],
        [15, '16:05', 47],
        [16, '13:30', 75],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE }));
        lab.rebooted(phone, at + minutes * MINUTE + 12 * SECOND, {
          reason: 'reboot',
          uptimeSeconds: minutes * 60 - 15,
        });
      }
      background(lab);
      return {
        at: lab.at(16, '14:10'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /unplug|plug it in again|replug|cable out/i,
        },
      };
    },
  },
  {
    name: 'since an update a Pixel 10 Pro must be plugged in four times before it is seen',
    source: 'GrapheneOS/os-issue-tracker#7686',
    seen: 'Since the last update the connection comes up only after four or five times of plugging in.',
    cause: 'a fault of the system that came with the update',
    did: 'took the next update, and restarted it',
    lab: {
      zone: 'Europe/Zurich',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2026-04-13',
      days: 22,
      models: ['Pixel 10 Pro', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(10, '03:30'), { forMs: 60 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, lab.at(10, '03:32'), { kind: 'os', build: '2026042200', buildBefore: '2026040700' });
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 16; day += 1) {
        let at = lab.at(day, '08:50') + lab.random.between(0, 30) * MINUTE;
        for (let left = 4; left > 0; left -= 1) {
          const forMs = left === 4 ? 70 * MINUTE : lab.random.between(9, 25) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + lab.random.between(6, 20) * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(15, '12:00'),
        losses,
        blame: ['phone', 'link', 'person'],
        told: {
          about: ['phone', 'port'],
          says: /update|another build|restart/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S2 freezes and restarts until its swollen battery is found',
    source: 'https://littletechgirl.com/2014/02/28/android-phone-acting-up-it-could-be-a-bad-battery/',
    seen: 'Frequent freezes, restarts and crashes, also after a reset; for a year the phone had been fine.',
    cause: 'a bad battery: it was swollen',
    did: 'put a new battery in',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      from: '2014-01-27',
      days: 26,
      models: ['Galaxy S2', 'Nexus'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 23; day += 1)
        for (const hour of [9, 15, 21]) {
          if (lab.random.chance(0.4)) continue;
          const at = lab.at(day) + (hour + lab.random.between(0, 3)) * HOUR;
          losses.push(lab.reboot(phone, at, { forMs: lab.random.between(35, 80) * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: new RegExp(`${WEAK_BATTERY.source}|(check|look at|(take|pop) out).{0,25}battery`, 'i'),
        },
      };
    },
  },
  {
    name: 'two Chromecasts leave the network as the internet goes, and are not connected again for a day',
    source: 'home-assistant/core#99635',
    seen: 'In a storm the internet was away for some minutes; two Chromecasts were lost, and stayed lost for almost a day, until they were set up anew.',
    cause: 'without internet they left the Wi-Fi for a moment, and nothing connected them again',
    did: 'had them connected anew',
    lab: {
      zone: 'America/Chicago',
      hubs: [4],
      network: 3,
      from: '2023-08-15',
      days: 22,
      models: ['Pixel', 'Pixel', 'Pixel', 'Pixel', 'Chromecast', 'Chromecast', 'Shield'],
    },
    tell(lab) {
      const casts = lab.pinnedOf('tcp').slice(0, 2);
      const at = lab.at(19, '16:20');
      lab.host(at, { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
      lab.host(at + 6 * MINUTE, { kind: 'cloudBack' });
      const losses = lab.loseAll(casts, at + 40 * SECOND, {
        spreadMs: 14 * SECOND,
        forMs: 23.4 * HOUR,
        backSpreadMs: 3 * MINUTE,
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '09:00'),
        losses,
        blame: ['network', 'phone', 'link', 'unknown'],
        told: {
          about: ['network', 'phone'],
          says: /connect (it |them )?again|adb connect|Wi-Fi|internet/i,
        },
      };
    },
  },
];
