/** Incidents of phones, televisions and boxes that adb reaches over the network. */
import { background } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'a Fire TV on Wi-Fi is lost some hours after it was switched off',
    source: 'home-assistant/core#129644',
    seen: 'Two equal Fire TVs. The one on Wi-Fi cannot be reached once it has been off for some hours, until it is switched on; the one with a network cable always can.',
    cause: 'it switches its Wi-Fi off while it sleeps',
    did: 'asked for a setting',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      network: 2,
      from: '2024-10-07',
      days: 28,
      models: ['Fire TV'],
    },
    tell(lab) {
      const [sleepy] = lab.pinnedOf('tcp');
      if (!sleepy) throw new RangeError('no phone');
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 25; day += 1) {
        if (lab.random.chance(0.15)) continue;
        const at = lab.at(day + 1, '01:20') + lab.random.between(0, 150) * MINUTE;
        losses.push(
          lab.lose(sleepy, at, {
            forMs: lab.at(day + 1, '17:40') - at + lab.random.between(0, 150) * MINUTE,
          }),
        );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(25, '12:42'),
        losses: losses.filter(({ at }) => at < lab.at(25, '12:00')),
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [sleepy.udid], says: /Wi-Fi|sleep|network/i },
      };
    },
  },
  {
    name: 'four Fire TV sticks do not come back after the Wi-Fi was away',
    source: 'home-assistant/core#93281',
    seen: 'When the Wi-Fi goes down and comes back, none of the four can be reached until it is restarted.',
    cause: 'the Wi-Fi was away, and the sticks do not take connections again',
    did: 'restarted them',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 4, from: '2024-08-01', days: 22 },
    tell(lab) {
      const losses = lab.loseAll(lab.pinnedOf('tcp'), lab.at(19, '14:10'), { spreadMs: 15 * SECOND });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '14:40'),
        losses,
        blame: ['network'],
        told: { about: ['network'], says: /access point|Wi-Fi|connect/i },
      };
    },
  },
  {
    name: 'two televisions switch their network off in standby',
    source: 'eslavnov/android-tv-remote#4',
    seen: 'Ten minutes after standby the televisions leave the network, and adb with them.',
    cause: 'they switch their network off in standby',
    did: 'connected again by a script',
    lab: { zone: 'Europe/Vienna', hubs: [4], network: 2, from: '2021-08-23', days: 24 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of lab.pinnedOf('tcp'))
        for (let day = 11; day < 21; day += 1) {
          const at = lab.at(day, '08:00') + lab.random.between(0, 15) * HOUR;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(1.5, 8) * HOUR }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '12:00'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], says: /sleep|wake|network|connect/i },
      };
    },
  },
  {
    name: 'a television vanishes for fifty minutes of each hour while it is off',
    source: 'home-assistant/home-assistant.io#33641',
    seen: 'While it is switched off, it cannot be pinged for about fifty minutes of each hour.',
    cause: 'it sleeps, and wakes for ten minutes each hour',
    did: 'switched on "Voice commands when the screen is off"',
    lab: { zone: 'America/Denver', hubs: [4], network: 2, from: '2024-06-17', days: 21 },
    tell(lab) {
      const [sleepy] = lab.pinnedOf('tcp');
      if (!sleepy) throw new RangeError('no phone');
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 19; day += 1)
        for (let hour = 0; hour < 10; hour += 1)
          losses.push(
            lab.lose(sleepy, lab.at(day, '22:20') + hour * HOUR + lab.random.between(0, 3) * MINUTE, {
              forMs: lab.random.between(48, 53) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '10:00'),
        losses: losses.filter(({ at }) => at < lab.at(19, '10:00')),
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [sleepy.udid], says: /Wi-Fi|sleep|network/i },
      };
    },
  },
  {
    name: 'a phone that was connected by its address stays offline',
    source: 'openstf/stf#201',
    seen: 'After adb connect the phone is offline, always.',
    cause: 'not found: the connection, or the adb of the phone',
    did: 'asked',
    lab: { zone: 'Asia/Shanghai', hubs: [7], network: 1, from: '2015-11-23', days: 18 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp');
      if (!phone) throw new RangeError('no phone');
      const loss = lab.lose(phone, lab.at(15, '16:20'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses: [loss],
        blame: ['link', 'unknown', 'phone', 'network'],
        told: { about: ['phone'], keys: [phone.udid], says: /network|connect|Wi-Fi/i },
      };
    },
  },
  {
    name: 'a container with adb is stopped each night for the backup, and its televisions are not connected again',
    source: 'sorccu/docker-adb#17, Amateur-God/Hassio-Addons#20',
    seen: 'All containers are shut down at night for backups; afterwards no device is listed until somebody connects them by hand.',
    cause: 'adb forgets what was connected when it is started anew',
    did: 'ran `adb connect` for each; later a script with the container',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      network: 4,
      from: '2019-03-11',
      days: 19,
      models: ['Fire TV', 'Shield'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 18; day += 1) {
        const at = lab.at(day, '03:00');
        lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
        const back = at + 24 * MINUTE + lab.random.between(0, 6) * MINUTE;
        lab.host(back, { kind: 'adbBack' });
        lab.host(back + 200, { kind: 'adbReplaced', version: 39 });
        const forMs = lab.at(day, '18:10') + lab.random.between(0, 90) * MINUTE - back;
        const away = day === 17 ? {} : { forMs, backSpreadMs: 20 * SECOND };
        losses.push(...lab.loseAll(phones, back + SECOND, { spreadMs: 400, ...away }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '12:00'),
        losses,
        blame: ['adb'],
        told: { about: ['network', 'phone', 'host'], says: /connect/i },
      };
    },
  },
  {
    name: 'the connection over Wi-Fi ends when the cable is unplugged',
    source: 'Genymobile/scrcpy#842',
    seen: 'Whenever the phone is unplugged from the computer, where it charged, adb over Wi-Fi is refused until the phone was plugged in again.',
    cause: 'the phone ends adb on the network with the USB connection',
    did: 'plugged it in, and switched adb to the network anew',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2019-09-16',
      days: 20,
    },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: '988A98' });
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [10, '09:40', 4.2],
        [12, '15:12', 3.1],
        [14, '10:05', 7.4],
        [16, '13:30', 2.6],
        [18, '11:20', 5],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(cabled, at, { forMs: hours * HOUR });
        losses.push(lab.lose(overAir, at + 900, { forMs: hours * HOUR + 2 * MINUTE }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '12:30'),
        losses,
        blame: ['person', 'phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [overAir.udid], says: /connect|plug|tcpip/i },
      };
    },
  },

  {
    name: 'since its update a phone is off the network as soon as it is locked',
    source: 'koush/vysor.io#1055',
    seen: 'Over Wi-Fi the connection ends when the phone is locked and comes back when it is unlocked; by cable it holds. With the Android before it did not.',
    cause: 'its Android switches Wi-Fi down while it is locked',
    did: 'asked',
    lab: {
      zone: 'America/Chicago',
      hubs: [4],
      free: 2,
      network: 2,
      from: '2022-03-28',
      days: 20,
      models: ['OnePlus 9', 'Pixel'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      lab.phone(phone, lab.at(9, '21:12'), { kind: 'os', release: '12', before: '11' });
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17, 18])
        for (const time of ['09:40', '11:25', '14:10', '16:45'])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 20) * MINUTE, {
              forMs: lab.random.between(3, 65) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '19:00'),
        losses,
        blame: ['link', 'phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /Wi-Fi|sleep|awake/i },
      };
    },
  },
];
