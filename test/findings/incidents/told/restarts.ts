/** Single phones that restart or switch off by themselves, from trackers of systems and of apps, and what it was in the end. */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

interface Loop {
  upMs: readonly [number, number];
  downMs: readonly [number, number];
  reason?: string;
}

/** It restarts, is there for a while, and restarts again. */
function restartsAgain(lab: Lab, phone: LabPhone, from: number, until: number, loop: Loop): ToldLoss[] {
  const { upMs, downMs, reason } = loop;
  const losses: ToldLoss[] = [];
  for (let at = from; at < until; ) {
    const forMs = Math.round(lab.random.between(...downMs));
    losses.push(lab.reboot(phone, at, { forMs, ...(reason && { reason }) }));
    at += forMs + Math.round(lab.random.between(...upMs));
  }
  return losses;
}

/** Somebody flashes it: it is in its recovery or bootloader, and then boots. */
function flashed(lab: Lab, phone: LabPhone, at: number, forMs: number): void {
  lab.lose(phone, at, { forMs });
  lab.rebooted(phone, at + forMs + 20 * SECOND, { uptimeSeconds: 70 });
}

/** A program keeps the battery between 70 and 75 percent: an hour up, three hours down. */
const CYCLE = 4 * HOUR;
const keptAt75 =
  (from: number): Reading =>
  (at) => {
    const hour = ((((at - from) % CYCLE) + CYCLE) % CYCLE) / HOUR;
    const levelPercent = Math.round(hour < 1 ? 70 + 5 * hour : 75 - (5 * (hour - 1)) / 3);
    return { levelPercent, isFull: false, temperatureDecicelsius: hour < 1 ? 318 : 276 };
  };

export const incidents: readonly Incident[] = [
  {
    name: 'a Pixel 10 Pro restarts several times a week as if its power button were held',
    source: 'GrapheneOS/os-issue-tracker#7516',
    seen: 'It restarts several times a week, mostly with its screen off. The boot reason is "reboot,longkey,pmic_cold".',
    cause: 'a power button that sticks',
    did: 'were told that "longkey" means that the power button is held',
    lab: {
      zone: 'Europe/Athens',
      hubs: [4],
      models: ['Pixel 10 Pro', 'Pixel 8'],
      from: '2026-03-05',
      days: 28,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [6, '13:25'],
          [8, '23:10'],
          [11, '07:48'],
          [12, '16:02'],
          [14, '02:37'],
          [17, '19:20'],
          [19, '10:41'],
          [20, '21:55'],
          [23, '05:13'],
          [24, '14:30'],
          [26, '09:06'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), {
          forMs: Math.round(lab.random.between(48, 65) * SECOND),
          reason: 'reboot,longkey,pmic_cold',
        }),
      );
      background(lab);
      return {
        at: lab.at(26, '12:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /power (button|key)|long ?key|long press|\bbutton\b/i,
        },
      };
    },
  },
  {
    name: 'two HTC One M8 restart half a minute after each start since an app was updated',
    source: 'Catfriend1/syncthing-android#505, syncthing/syncthing-android#1425',
    seen: 'Minutes after the store updated the app the phone restarted, and again half a minute after each start. A second phone does the same as soon as it has the app.',
    cause:
      'the new version asks for the routes of the network, and a bug of the old kernel turns that into a panic',
    did: 'disabled the app, later its NAT traversal; then the kernel was repaired',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 3,
      models: ['HTC One M8', 'HTC One M8', 'Moto G5'],
      from: '2019-09-16',
      days: 21,
    },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      const loop: Loop = {
        upMs: [50 * SECOND, 70 * SECOND],
        downMs: [38 * SECOND, 46 * SECOND],
        reason: 'kernel_panic',
      };
      const losses = restartsAgain(lab, first, lab.at(18, '17:22'), lab.at(18, '17:48'), loop);
      flashed(lab, first, lab.at(19, '09:35'), 26 * MINUTE);
      losses.push(...restartsAgain(lab, first, lab.at(19, '10:20'), lab.at(19, '10:34'), loop));
      flashed(lab, second, lab.at(19, '12:40'), 31 * MINUTE);
      losses.push(...restartsAgain(lab, second, lab.at(19, '14:01'), lab.at(19, '14:17'), loop));
      background(lab);
      return {
        at: lab.at(19, '14:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /\bapps?\b|uninstall|safe mode|kernel|updat/i,
        },
      };
    },
  },
  {
    name: 'a Moto X4 locks up twenty minutes after each start while a firewall app is on',
    source: 'ukanth/afwall#794',
    seen: 'With the firewall on the phone locks up after 20 minutes and restarts, each time; also 20 minutes after it is switched on later. With it off nothing happens.',
    cause: 'the firewall app, on that kernel',
    did: 'left the app off; were told to switch its startup delay and its log service off',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 2,
      models: ['Moto X4', 'Nexus 6P'],
      from: '2017-12-29',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loop: Loop = { upMs: [19.6 * MINUTE, 20.4 * MINUTE], downMs: [70 * SECOND, 95 * SECOND] };
      const losses = restartsAgain(lab, phone, lab.at(15, '15:24'), lab.at(15, '18:10'), loop);
      losses.push(...restartsAgain(lab, phone, lab.at(16, '20:15'), lab.at(17, '08:20'), loop));
      background(lab);
      return {
        at: lab.at(17, '08:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|firewall|uninstall|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a Redmi K20 Pro restarts some times a day since it has another system',
    source: 'penglezos/device_xiaomi_raphael#36',
    seen: 'It restarts at random, in use and while it lies on the table, for some people five to seven times a day. Often only its surface starts anew, at times the whole phone.',
    cause: 'an old firmware below the system, of which an installation in the recovery replaces a part only',
    did: 'flashed the complete system of the maker with fastboot, and then the other system again',
    lab: {
      zone: 'Europe/Paris',
      hubs: [4],
      free: 1,
      models: ['Redmi K20 Pro', 'Pixel 6'],
      from: '2024-08-30',
      days: 24,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      flashed(lab, phone, lab.at(11, '19:05'), 38 * MINUTE);
      const losses: ToldLoss[] = [];
      // where only the surface starts anew, adb keeps the phone
      for (let day = 12; day < 22; day += 1) {
        const count = lab.random.whole(2, 4);
        for (let turn = 0; turn < count; turn += 1) {
          const at = lab.at(day) + Math.round(((turn + lab.random.between(0.1, 0.9)) * 20 * HOUR) / count);
          losses.push(lab.reboot(phone, at, { forMs: Math.round(lab.random.between(42, 58) * SECOND) }));
        }
      }
      background(lab);
      return {
        at: lab.at(21, '21:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /firmware|flash|stock (ROM|system|image)|(another|other|older|newer) (build|system|ROM|version)|updat|factory/i,
        },
      };
    },
  },
  {
    name: 'an Aquaris M5 restarts every five minutes with a new system, and every few hours with the old one',
    source: 'piccolo-dev/android_device_bq_piccolo#49, piccolo-dev/android_device_bq_piccolo#24',
    seen: 'After an upgrade it restarts after five minutes, all day. After the way back to a stable system it still does, after three or four hours.',
    cause: 'the system needs a newer firmware of the maker than the phone has',
    did: 'installed the latest system of the maker first, and then the other one',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      models: ['Aquaris M5', 'Nexus 5'],
      from: '2016-01-29',
      days: 19,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      flashed(lab, phone, lab.at(15, '10:25'), 24 * MINUTE);
      const loop: Loop = { upMs: [4.5 * MINUTE, 6 * MINUTE], downMs: [50 * SECOND, 75 * SECOND] };
      const losses = restartsAgain(lab, phone, lab.at(15, '10:55'), lab.at(15, '19:40'), loop);
      flashed(lab, phone, lab.at(15, '20:05'), 33 * MINUTE);
      for (const time of ['00:12', '03:51', '06:58', '10:40'])
        losses.push(lab.reboot(phone, lab.at(16, time), { forMs: 55 * SECOND }));
      background(lab);
      return {
        at: lab.at(16, '11:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /firmware|flash|stock (ROM|system|image)|(another|other|older|newer) (build|system|ROM|version)|updat|factory/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 10 Pro panics now and then for weeks, locked or in use',
    source: 'GrapheneOS/os-issue-tracker#7688',
    seen: 'On a day of January, of February, of March, and on three of April it froze or lay there locked, and restarted. Once in a while its screen stays dark for 10 to 15 minutes before it does.',
    cause: 'failing hardware: I/O errors of its storage, crashes of its firmware',
    did: 'were told to have the phone replaced',
    lab: {
      zone: 'Europe/Paris',
      hubs: [4],
      free: 1,
      models: ['Pixel 10 Pro', 'Pixel 7'],
      from: '2026-03-09',
      days: 53,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [5, '22:14', 50],
          [36, '08:31', 54],
          [41, '15:47', 49],
          [46, '19:02', 12 * 60],
          [50, '10:20', 52],
        ] as const
      ).map(([day, time, seconds]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: seconds * SECOND, reason: 'kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(50, '11:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /replac|hardware|warrant|repair|defect|exchange|stock system|maker|manufacturer/i,
        },
      };
    },
  },
  {
    name: 'a Samsung on a wireless charger restarts when a module switches its charging',
    source: 'MatteCarra/AccA#207',
    seen: 'Since the module that limits its charge was updated the phone restarts often on the charger, and when something is set in the app.',
    cause: 'one of the files by which the module controls the charging makes the kernel panic',
    did: 'took a build of the module that finds such files and does not write them',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      network: 1,
      models: ['Pixel 3', 'Galaxy S7'],
      from: '2022-01-10',
      days: 23,
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      phone.reading = keptAt75(lab.start);
      const losses: ToldLoss[] = [];
      const restarts = (at: number) => {
        const forMs = Math.round(lab.random.between(60, 80) * SECOND);
        losses.push(lab.reboot(phone, at, { forMs, reason: 'kernel_panic' }));
      };
      for (let from = lab.start; from < lab.at(21, '12:00'); from += CYCLE) {
        if (from < lab.at(17, '18:00')) continue;
        // charging begins, and an hour later it is paused
        if (lab.random.chance(0.5)) restarts(from + Math.round(lab.random.between(1, 9) * SECOND));
        if (lab.random.chance(0.85)) restarts(from + HOUR + Math.round(lab.random.between(1, 9) * SECOND));
      }
      for (const time of ['19:33', '19:41']) restarts(lab.at(17, time));
      background(lab);
      return {
        at: lab.at(21, '13:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bmodules?\b|magisk|\broot|\bapps?\b|(charg\w*|battery) (control|limit)|kernel/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 5a switches itself off since the update of December',
    source: 'GrapheneOS/os-issue-tracker#1809',
    seen: 'Since the update of December 8 the phone is found switched off, again and again, and others of that model with the same carrier are too.',
    cause: 'the firmware of the modem that came with the update, in that network',
    did: 'set the phone to LTE only',
    lab: {
      zone: 'America/Denver',
      hubs: [4],
      models: ['Pixel 5a', 'Pixel 6', 'Galaxy A52', 'Moto G Power'],
      from: '2022-11-24',
      days: 28,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(14, '19:40'), { forMs: 75 * SECOND, reason: 'reboot,ota' });
      const losses = (
        [
          [15, '11:20', 1.1],
          [15, '23:05', 8.6],
          [17, '14:48', 2.3],
          [18, '09:31', 0.5],
          [19, '17:15', 15.2],
          [21, '12:02', 1.7],
          [22, '02:26', 6.4],
          [24, '16:40', 0.8],
          [25, '10:09', 3.2],
        ] as const
      ).map(([day, time, hours]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: Math.round(hours * HOUR), reason: 'cold,powerkey' }),
      );
      background(lab);
      return {
        at: lab.at(25, '15:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bLTE\b|modem|mobile (network|data)|\bSIM\b|carrier|firmware|updat/i,
        },
      };
    },
  },
];
