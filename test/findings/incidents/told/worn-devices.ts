/** Incidents of the device itself: its system, its apps, its recovery, its battery, what it forgets while nobody connects. */
import { agentRestarts, background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It restarts at this moment, and needs about so long. */
const restarts = (lab: Lab, phone: LabPhone, at: number, seconds: number, reason?: string): ToldLoss =>
  lab.reboot(phone, at, {
    forMs: Math.round(lab.random.between(seconds * 0.8, seconds * 1.3) * SECOND),
    ...(reason && { reason }),
  });

/** So many moments of a day, each in its own part of the hours between. */
function moments(lab: Lab, day: number, count: number, [from, to]: readonly [number, number]): number[] {
  const part = ((to - from) * HOUR) / count;
  return Array.from({ length: count }, (_, index) =>
    Math.round(lab.at(day) + from * HOUR + (index + lab.random.between(0.1, 0.8)) * part),
  );
}

export const incidents: readonly Incident[] = [
  {
    name: 'an Echo Dot leaves USB every six seconds once it has got another system',
    source: 'wilbowes/EchoMuse#79, wilbowes/EchoMuse#440',
    seen: 'When the Dot that was rooted has started, it leaves USB every six seconds and comes back; commands of adb end with "closed".',
    cause: 'its USB is set to file transfer and adb at once, by the installer of the system',
    did: 'set it to adb alone, from its recovery; another one by `setprop persist.sys.usb.config adb`',
    cannotShow:
      'it offers file transfer beside adb all the time, so that nothing of it changes when it is lost',
    lab: { zone: 'Europe/London', hubs: [4], free: 2, usb: true, from: '2026-08-03', days: 22 },
    tell(lab) {
      const [port] = lab.freePorts(lab.start);
      const dot = lab.add('usb', { ...(port && { port }), name: 'Echo Dot', isThereAtFirst: false });
      dot.isPinned = true;
      const evenings = [
        lab.at(14, '20:10'),
        lab.at(15, '21:25'),
        lab.at(17, '19:40'),
        lab.at(18, '20:05'),
      ] as const;
      const losses: ToldLoss[] = [];
      lab.phone(dot, evenings[0], { kind: 'attached', state: 'device' });
      for (const [index, evening] of evenings.entries()) {
        let at = evening + 5 * SECOND;
        for (let left = 45; left > 0; left -= 1) {
          const forMs = Math.round(lab.random.between(1900, 2600));
          losses.push(lab.lose(dot, at, { forMs }));
          at += Math.round(lab.random.between(5800, 6400));
        }
        // somebody pulls its cable, until the next evening
        const next = evenings[index + 1];
        if (next) lab.lose(dot, at, { forMs: next - at });
      }
      background(lab);
      return {
        at: lab.at(18, '20:09'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /\bMTP\b|file transfer|USB (mode|setting|configuration|function)|default USB|usb\.config/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 8a panics as soon as it is in the Wi-Fi after the update of May',
    source:
      'GrapheneOS/os-issue-tracker#7743, GrapheneOS/os-issue-tracker#7742, GrapheneOS/os-issue-tracker#7754',
    seen: 'Since its update the phone restarts with a kernel panic almost at once whenever it is in the Wi-Fi, and when adb connects over it. Without Wi-Fi, and with adb over USB, nothing happens.',
    cause: 'the driver of its Wi-Fi writes to memory that is not its own, since that update',
    did: 'left the Wi-Fi off; installed the next update, a day later',
    lab: { zone: 'Europe/Prague', hubs: [4], from: '2026-04-20', days: 20, models: ['Pixel 8a', 'Pixel 7'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const updated = lab.at(17, '21:36');
      lab.reboot(phone, updated, { forMs: 100 * SECOND, reason: 'reboot,ota' });
      const losses: ToldLoss[] = [];
      // in the evening, and when somebody tries it again in the morning
      for (const [begin, count] of [
        [updated + 6 * MINUTE, 7],
        [lab.at(18, '07:50'), 6],
      ] as const) {
        let at = begin;
        for (let left = count; left > 0; left -= 1) {
          losses.push(restarts(lab, phone, at, 50, 'kernel_panic'));
          at += Math.round(lab.random.between(2.5, 7) * MINUTE);
        }
      }
      background(lab);
      return {
        at: lab.at(18, '09:15'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /update|system|kernel|Wi-?Fi|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S5 restarts within seconds while a browser runs and the Wi-Fi is on',
    source: 'mozilla-mobile/fenix#14008, mozilla-mobile/fenix#5663',
    seen: 'Since an update of the browser the phone freezes and restarts within seconds of its start, also when it runs in the background: then it loops. With Wi-Fi and mobile data off it does not.',
    cause: 'the kernel of its old system panics at what the new version of the browser asks of the network',
    did: 'removed the browser; others took a newer system, whose kernel has a fix',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      free: 1,
      from: '2020-08-03',
      days: 20,
      models: ['Nexus 5X', 'Galaxy S5', 'Moto G6'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, time, count] of [
        [17, '13:22', 4],
        [17, '18:47', 6],
        [18, '08:55', 7],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = count; left > 0; left -= 1) {
          const loss = restarts(lab, phone, at, 48);
          losses.push(loss);
          at = loss.until + Math.round(lab.random.between(48, 95) * SECOND);
        }
      }
      background(lab);
      return {
        at: lab.at(18, '09:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|safe mode|update|system|uninstall/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts half an hour after it was last unlocked, in the middle of a call too',
    source: 'GrapheneOS/os-issue-tracker#1508, GrapheneOS/os-issue-tracker#1512',
    seen: 'The phone restarts again and again, also during a call whose screen went dark half an hour before.',
    cause: 'it is set to restart if nobody unlocks it for 30 minutes, and a call does not unlock it',
    did: 'was told that it is meant so: to unlock it before, or to set a longer time',
    lab: { zone: 'Europe/Warsaw', hubs: [4], from: '2022-09-05', days: 20, models: ['Pixel 6', 'Pixel 4a'] },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses: ToldLoss[] = [];
      for (let day = 5; day < 18; day += 1) {
        const count = lab.random.whole(3, 6);
        for (const at of moments(lab, day, count, [8, 22]))
          losses.push(restarts(lab, phone, at, 35, 'reboot'));
        // after its owner has put it away for the night
        const night = lab.at(day, '23:05') + Math.round(lab.random.between(0, 45) * MINUTE);
        losses.push(restarts(lab, phone, night, 35, 'reboot'));
      }
      for (const at of moments(lab, 18, 3, [7, 12])) losses.push(restarts(lab, phone, at, 35, 'reboot'));
      background(lab);
      return {
        at: lab.at(18, '12:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /auto(matic(ally)?)?.{0,3}(restart|reboot)|restarts? (itself )?on (a )?schedule|schedule|setting/i,
        },
      };
    },
  },
  {
    name: 'a tablet to which nobody connected for more than a week asks to be paired again',
    source: 'wsvn53/scrcpy-mobile#18',
    seen: 'The tablet works with the laptop until nobody connects to it for one or two weeks. After that the laptop is no longer among the paired devices of the tablet.',
    cause: 'the tablet forgets whom it allowed adb, if they do not connect for so long',
    did: 'had a small computer with the same key connect each night',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      network: 2,
      from: '2022-11-14',
      days: 38,
      models: ['Galaxy A52', 'Redmi Note 10', 'Tab A7'],
    },
    tell(lab) {
      const tablet = lab.pinned(2);
      const paired = lab.at(19, '10:45');
      // it is away for eleven days, is paired anew, and is away for nine
      lab.lose(tablet, lab.at(8, '18:30'), { forMs: 10 * DAY + 15.5 * HOUR, backAs: 'unauthorized' });
      lab.phone(tablet, paired, { kind: 'state', state: 'device', before: 'unauthorized' });
      lab.lose(tablet, lab.at(25, '17:50'), { forMs: 9 * DAY + 16 * HOUR, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(35, '11:30'),
        told: {
          about: ['phone', 'host', 'network'],
          says: /authori[sz]|allow|pair|prompt|7 days|a week|time-?out|revok|\bkeys?\b/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'an old Galaxy S5 that drives a 3D printer does not last until the print is done',
    source: 'https://yaky.dev/2022-09-06-smartphone-without-battery/',
    seen: 'While the printer hangs at its USB the phone takes no charge, and its worn battery does not last through several hours of printing.',
    cause: 'a worn battery, and a kernel that does not charge while it is host for another device',
    did: 'took the battery out, and fed the phone by a strong power supply in its place; a weak one was not enough for its start',
    lab: {
      zone: 'America/Chicago',
      hubs: [4],
      free: 1,
      network: 1,
      from: '2022-08-08',
      days: 24,
      models: ['Nexus 5', 'Moto G', 'Nexus 6P', 'Galaxy S5'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const prints = (
        [
          [6, '10:10', 2.9, 55],
          [9, '18:20', 2.6, 80],
          [13, '09:35', 2.7, 40],
          [16, '17:05', 2.4, 95],
          [20, '13:30', 2.3, Number.POSITIVE_INFINITY],
        ] as const
      ).map(([day, time, hours, minutes]) => {
        const start = lab.at(day, time);
        const end = Math.round(start + hours * HOUR);
        return { start, end, back: end + minutes * MINUTE };
      });
      const losses: ToldLoss[] = [];
      for (const { end, back } of prints) {
        const isBack = Number.isFinite(back);
        losses.push(lab.lose(phone, end, isBack ? { forMs: back - end } : {}));
        if (isBack) lab.rebooted(phone, back + 25 * SECOND, { uptimeSeconds: 75 });
      }
      const reading: Reading = (at) => {
        const printed = prints.find(({ start, end }) => at >= start && at < end);
        const charged = prints.find(({ back }) => at >= back && at < back + 3 * HOUR);
        const level = printed
          ? 100 - (98 * (at - printed.start)) / (printed.end - printed.start)
          : charged
            ? 24 + (76 * (at - charged.back)) / (3 * HOUR)
            : 100;
        return {
          levelPercent: Math.round(level),
          isFull: Math.round(level) === 100,
          temperatureDecicelsius: Math.round((printed ? 352 : 288) + ((at / MINUTE) % 9)),
        };
      };
      phone.reading = reading;
      background(lab);
      return {
        at: lab.at(20, '17:10'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /batter(y|ies)|charg|power supply|empty|ran out/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy Tab Pro does not stay in its recovery for more than some minutes',
    source: 'TeamWin/Team-Win-Recovery-Project#1172, TeamWin/android_bootable_recovery#218',
    seen: 'In its recovery the tablet restarts after about four minutes, into the recovery again, even if nobody touches it; an installation or a transfer is cut off. Its system runs well.',
    cause: 'a fault of that version of the recovery',
    did: 'installed an older version of the recovery',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 1,
      from: '2018-01-22',
      days: 21,
      models: ['Galaxy Tab Pro', 'Galaxy S7', 'Nexus 9'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const tries = (begin: number, count: number): number => {
        lab.lose(tablet, begin, { forMs: 34 * SECOND, backAs: 'recovery' });
        let at = begin + 34 * SECOND;
        for (let left = count; left > 0; left -= 1) {
          at += Math.round(lab.random.between(3.4, 4.6) * MINUTE);
          const forMs = Math.round(lab.random.between(24, 36) * SECOND);
          losses.push(lab.lose(tablet, at, { forMs, backAs: 'recovery' }));
          at += forMs;
        }
        return at;
      };
      // in the evening it is given up, and its system started
      const end = tries(lab.at(16, '19:20'), 5);
      lab.reboot(tablet, end + MINUTE, { forMs: 55 * SECOND });
      tries(lab.at(17, '10:05'), 8);
      background(lab);
      return {
        at: lab.at(17, '10:46'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /recovery|TWRP|version|update|flash|system/i,
        },
      };
    },
  },
  {
    name: 'after some good days an Xperia pro restarts five to seven times a day, even while it starts',
    source: 'LegacyXperia/local_manifests#1012',
    seen: 'The system that was installed last works well for a few days. Then the phone restarts at random, five to seven times a day at least, at times before its start is done.',
    cause: 'its kernel keeps memory compressed in a way that does not work there',
    did: 'another one built a kernel without that, and had no restart any more',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [4],
      from: '2015-12-07',
      days: 26,
      models: ['Xperia pro', 'Xperia ray', 'Xperia Z'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(15, '20:15'), { forMs: 38 * MINUTE });
      const losses: ToldLoss[] = [];
      for (let day = 20; day < 24; day += 1)
        // twice as long where it restarts while it starts
        for (const at of moments(lab, day, lab.random.whole(5, 7), [0, 24]))
          losses.push(restarts(lab, phone, at, lab.random.chance(0.25) ? 150 : 62));
      for (const at of moments(lab, 24, 4, [2, 16])) losses.push(restarts(lab, phone, at, 62));
      agentRestarts(lab, lab.at(11, '02:40'));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(24, '16:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|system|update|firmware|ROM\b|memory/i,
        },
      };
    },
  },
  {
    name: 'an Xperia mini pro restarts at random once an app has its data of an older system',
    source: 'LegacyXperia/local_manifests#1041',
    seen: 'Some days after it got a new system the phone restarts hard and often. An older backup is quiet until one app is used for the first time.',
    cause: 'the data of that app, restored from the system before',
    did: 'installed the system anew, and restored the apps without their data',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      free: 1,
      from: '2016-02-22',
      days: 26,
      models: ['Nexus 5', 'Xperia mini pro', 'Moto E'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      // its new system, and the backup
      lab.lose(phone, lab.at(14, '19:30'), { forMs: 52 * MINUTE });
      const losses: ToldLoss[] = [];
      for (let day = 18; day < 22; day += 1)
        for (const at of moments(lab, day, lab.random.whole(4, 8), [8, 23]))
          losses.push(restarts(lab, phone, at, 58));
      lab.lose(phone, lab.at(22, '07:10'), { forMs: 31 * MINUTE });
      for (const at of moments(lab, 22, 5, [17, 22])) losses.push(restarts(lab, phone, at, 58));
      background(lab);
      return {
        at: lab.at(22, '22:15'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|safe mode|reset|reinstall|install|data|system/i,
        },
      };
    },
  },
];
