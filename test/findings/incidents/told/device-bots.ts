/** Incidents of device labs that run CI and fuzzers on real phones, as those who look after them wrote them up. */
import { FASTBOOT } from '../../usb-tree.ts';
import { agentStartsFirst, background, hostRestarts, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'a fuzzer takes more than the charger gives, and the tablet switches off',
    source: 'google/syzkaller#79',
    seen: 'The tablet is on its charger and charging, and yet its level falls as long as it is fuzzed, until it turns off.',
    cause: 'the fuzzer puts such a load on it that its battery runs empty',
    did: 'had the fuzzer wait as long as the level is low',
    lab: { zone: 'Europe/Berlin', hubs: [4], free: 1, from: '2016-09-05', days: 20, models: ['Pixel C'] },
    tell(lab) {
      const tablet = lab.pinned(1);
      const percentPerHour = 2.4;
      const runs = (
        [
          [7, '09:00', 100],
          [9, '09:30', 62],
          [10, '16:30', 40],
          [11, '14:00', 45],
          [14, '09:20', 88],
          [16, '09:10', 70],
        ] as const
      ).map(([day, time, level]) => {
        const from = lab.at(day, time);
        return { from, level, empty: Math.round(from + ((level - 1) / percentPerHour) * HOUR) };
      });
      tablet.reading = (at) => {
        const run = runs.findLast(({ from }) => from <= at);
        if (run === undefined) return { levelPercent: 100, isFull: true, temperatureDecicelsius: 285 };
        const levelPercent = Math.max(1, Math.round(run.level - ((at - run.from) / HOUR) * percentPerHour));
        return { levelPercent, isFull: false, temperatureDecicelsius: 338 };
      };
      const losses = runs.map(({ empty }, index) => {
        const next = runs[index + 1];
        return next ? offAndOn(lab, tablet, empty, next.from - empty) : lab.lose(tablet, empty);
      });
      background(lab);
      return {
        at: lab.at(17, '15:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /charg|battery|discharg|runs? (empty|out)|less load|pause/i,
        },
      };
    },
  },
  {
    name: 'a fuzzer takes its own restart of a phone for a failure, and restarts it again and again',
    source: 'google/syzkaller#4807, google/syzkaller#6598',
    seen: 'The phone at the cable restarts all the time; the fuzzer never gets beyond its set-up.',
    cause:
      '`adb shell reboot` exits with 255, the fuzzer takes that for an error, and begins anew by a restart',
    did: 'proposed that the fuzzer ignores that exit code',
    lab: { zone: 'Europe/Amsterdam', hubs: [], direct: 3, from: '2024-05-06', days: 12 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '10:20', 32],
        [8, '14:05', 21],
        [9, '09:30', 35],
      ] as const) {
        const end = lab.at(day, time) + minutes * MINUTE;
        for (let at = lab.at(day, time); at < end; ) {
          const forMs = Math.round(lab.random.between(28, 36) * SECOND);
          lab.rebooted(phone, at + forMs + 4 * SECOND, { reason: 'reboot,shell', uptimeSeconds: 19 });
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + Math.round(lab.random.between(7, 11) * SECOND);
        }
      }
      background(lab);
      return {
        at: lab.at(9, '10:15'),
        losses,
        blame: ['phone', 'adb', 'person'],
        told: {
          about: ['phone', 'host'],
          says: /(adb|shell|command|script|program|test|some(body|thing)).{0,80}(reboot|restart)|(reboot|restart).{0,80}(adb|shell|command|script|program|test)/i,
        },
      };
    },
  },
  {
    name: 'after each crash of its kernel a phone needs ten minutes until it has started',
    source: 'google/clusterfuzz#377',
    seen: 'When a fuzzer has crashed the kernel of a phone, the phone is stuck at its next start for about ten minutes.',
    cause: 'the crash of the kernel, after which the phone first writes a dump of its memory',
    did: 'switched the memory dump off',
    lab: { zone: 'America/Los_Angeles', hubs: [4, 4], free: 1, from: '2019-03-18', days: 25 },
    tell(lab) {
      const phones = [lab.pinned(1), lab.pinned(2), lab.pinned(5)];
      const losses: ToldLoss[] = [];
      for (const phone of phones)
        for (let day = 8; day < 23; day += 1) {
          if (lab.random.chance(0.45)) continue;
          const at = Math.round(lab.at(day) + lab.random.between(0.5, 23) * HOUR);
          const forMs = Math.round(lab.random.between(9, 11.5) * MINUTE);
          losses.push(offAndOn(lab, phone, at, forMs, 'kernel_panic'));
        }
      background(lab);
      return {
        at: lab.at(23, '09:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: phones.map(({ udid }) => udid),
          says: /kernel|panic|crash|memory dump|ramdump|firmware/i,
        },
      };
    },
  },
  {
    name: 'a fuzzer of the secure system leaves phones in the state in which their memory can be dumped',
    source: 'google/clusterfuzz#2984, google/clusterfuzz#2987',
    seen: 'Phones crash into the ramdump state, and no test runs on them until somebody resets them.',
    cause: 'a panic of the kernel, after which the phone stays in its ramdump mode',
    did: 'had the bot fetch the dump and reset the phone',
    lab: { zone: 'America/Los_Angeles', hubs: [4, 4], free: 2, from: '2023-03-06', days: 26, usb: true },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(3)];
      const [first, second] = phones as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      // the thread does not say what USB shows then: taken for fastboot, by which the bot resets it
      const crashes = (phone: LabPhone, day: number, time: string, hours?: number) => {
        const at = lab.at(day, time);
        const forMs = hours === undefined ? {} : { forMs: hours * HOUR };
        losses.push(lab.lose(phone, at, { onUsb: { interfaces: [FASTBOOT] }, ...forMs }));
        if (hours !== undefined) lab.rebooted(phone, at + hours * HOUR + 20 * SECOND, { uptimeSeconds: 50 });
      };
      crashes(first, 9, '22:40', 11.2);
      crashes(second, 11, '05:15', 4.9);
      crashes(first, 14, '13:30', 2.6);
      crashes(first, 17, '02:05', 8.1);
      crashes(second, 18, '16:50', 17);
      crashes(first, 22, '19:25', 14.4);
      crashes(second, 24, '04:10');
      background(lab);
      return {
        at: lab.at(24, '09:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: phones.flatMap((phone) => [phone.udid, lab.portKey(phone)]),
          says: /fastboot|bootloader|ramdump|kernel|panic|crash/i,
        },
      };
    },
  },
  {
    name: 'of three new Samsung phones of a lab one is missing until it is plugged in anew',
    source: 'flutter/flutter#97235',
    seen: 'Tests fail on the new phones. One of them is missing altogether, and is so for a week.',
    cause: 'not found; at the rack it was enough to plug it in anew',
    did: 'unplugged it and plugged it in again, and switched the screen locks off',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 5,
      from: '2022-01-10',
      days: 27,
      models: ['Galaxy A02s'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const at = lab.at(15, '08:25');
      const losses = [lab.lose(phone, at, { forMs: lab.at(23, '15:20') - at })];
      background(lab);
      return {
        at: lab.at(23, '13:10'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /plug|re-?seat|cable|socket/i,
        },
      };
    },
  },
  {
    name: 'over a long weekend a Mac of a lab is without its phone, until the phone is rebooted',
    source: 'flutter/flutter#129038',
    seen: 'On a Friday the Mac has lost its connection to the phone.',
    cause: 'not found; the phone itself had to be rebooted',
    did: 'rebooted the phone on Tuesday',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 4,
      from: '2023-06-01',
      days: 23,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(2);
      const at = lab.at(15, '12:50');
      const losses = [offAndOn(lab, phone, at, lab.at(19, '09:40') - at)];
      background(lab);
      return {
        at: lab.at(19, '08:50'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /reboot|restart|switch(ed)? (it )?(off|on)|power (button|cycle)/i,
        },
      };
    },
  },
  {
    name: 'in a long run of tests an emulator crashes twice, and a restart of its machine heals it',
    source: 'dotnet/arcade#9149',
    seen: 'Of six thousand jobs two failed, since the emulator had crashed.',
    cause: 'the emulator crashes, seldom and for no known reason',
    did: 'had the machine restarted; it went on with its jobs',
    lab: { zone: 'Europe/Prague', hubs: [], direct: 1, emulators: 2, from: '2022-04-11', days: 18 },
    tell(lab) {
      const [first, second] = lab.pinnedOf('emulator') as [LabPhone, LabPhone];
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [time, minutes] of [
        ['03:10', 17],
        ['07:46', 19],
      ] as const) {
        const at = lab.at(16, time);
        const restartedAt = at + minutes * MINUTE;
        losses.push(lab.lose(first, at, { forMs: minutes * MINUTE + 150 * SECOND }));
        hostRestarts(lab, restartedAt);
        lab.lose(second, restartedAt + 80.5 * SECOND, { forMs: 64 * SECOND });
      }
      background(lab);
      return {
        at: lab.at(16, '08:00'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /restart|reboot|start .{0,20}(again|anew)|emulator/i,
        },
      };
    },
  },
  {
    name: 'the only phone of its model is taken out of service for a week, and nobody was told',
    source: 'flutter/flutter#143915',
    seen: 'Several tests have not run for a week: the one phone that they need is away.',
    cause: 'somebody of the lab took it offline',
    did: 'the lab put it back, and was asked to say so before',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 1,
      from: '2024-02-01',
      days: 24,
      models: ['Galaxy A02s', 'Moto G4', 'Pixel 7 Pro'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const at = lab.at(14, '14:35');
      const losses = [lab.lose(phone, at, { forMs: lab.at(21, '15:45') - at })];
      background(lab);
      return {
        at: lab.at(21, '11:20'),
        losses,
        blame: ['person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /somebody|taken|took|put .{0,20}back|plug|is it (still )?there/i,
        },
      };
    },
  },
];
