/** Incidents of what is between a phone and adb on the host: virtual machines, containers, kernels, memory, power of ports. */
import { FASTBOOT } from '../../usb-tree.ts';
import { agentRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** What phones of Qualcomm show in their bootloader: a hub of seven ports, and fastboot behind it. */
const HUB_OF_BOOTLOADER = {
  isHub: true,
  ports: 7,
  vendorId: '05c6',
  productId: '9500',
  interfaces: [{ kind: '09/00/00', endpoints: 1 }],
};

export const incidents: readonly Incident[] = [
  {
    name: 'emulators that a tool has powered off stay offline at their next start',
    source: 'kaeawc/auto-mobile#6849, kaeawc/auto-mobile#6853',
    seen: 'An emulator that the tool has ended is still offline two minutes after its next start; the tool gives up after 175 s. One that was ended by `adb emu kill` is there within 5 s.',
    cause:
      'the tool ends emulators by `reboot -p`, which skips their snapshot: the next start resumes a halted Android',
    did: 'started each once with -no-snapshot-load; had the tool use `emu kill` again',
    cannotShow: 'what the snapshot of an emulator holds is not recorded',
    lab: { zone: 'America/Chicago', hubs: [2], emulators: 2, from: '2026-08-24', days: 22 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const days = lab.workdays(2, 20);
      for (const [index, emulator] of emulators.entries()) {
        const starts = days.map((day) => lab.at(day, '09:20') + (index * 4 + (day % 5)) * MINUTE);
        lab.lose(emulator, lab.at(1, '17:30'), { forMs: (starts[0] ?? 0) - lab.at(1, '17:30') });
        for (const [turn, start] of starts.entries()) {
          const next = starts[turn + 1];
          const ended = start + Math.round(lab.random.between(5.5, 7.5) * HOUR);
          if (next === undefined) continue;
          const isPoisoned = (days[turn] ?? 0) >= 15;
          lab.lose(emulator, ended, { forMs: next - ended, ...(isPoisoned && { backAs: 'offline' }) });
          if (!isPoisoned || turn + 2 === starts.length) continue;
          const cold = Math.round(lab.random.between(12, 45) * MINUTE);
          lab.lose(emulator, next + 175 * SECOND, { forMs: cold });
        }
      }
      background(lab);
      const last = days.at(-1) ?? 19;
      return {
        at: lab.at(last, '09:20') + (4 + (last % 5)) * MINUTE + 165 * SECOND,
        told: {
          about: ['phone', 'host'],
          says: /cold.?boot|snapshot|emu kill|(re)?start (it|the emulator|them)|emulator .{0,30}(again|anew)/i,
        },
      };
    },
  },
  {
    name: 'a phone does not come back into the Linux of Windows once its debugging is on',
    source: 'dorssel/usbipd-win#304, dorssel/usbipd-win#570',
    seen: 'As long as debugging is off, the phone can be handed on to the virtual machine. With debugging on the device is "busy", and is not seen there.',
    cause: 'something on Windows holds the phone: its driver, a service, or an adb',
    did: 'bound the phone to usbipd by force; ended what held it',
    cannotShow: 'what holds a phone outside of the virtual machine is not recorded',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2022-02-21',
      days: 24,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [14, '10:12', 1.9],
        [15, '09:04', 5.7],
        [16, '16:31', 16.8],
        [18, '11:20', 3.3],
        [21, '09:48', 2.4],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: hours * HOUR }));
      }
      losses.push(lab.lose(phone, lab.at(22, '12:05')));
      background(lab);
      return {
        at: lab.at(22, '16:40'),
        losses,
        blame: ['host', 'adb', 'port', 'unknown'],
        told: {
          about: ['host', 'port', 'phone'],
          says: /virtual|\bVM\b|usbip|WSL|pass(ed)?.?(it )?(on|through)|another program|driver/i,
        },
      };
    },
  },
  {
    name: 'after an update of the kernel phones that restart do not come back into a container',
    source: 'canonical/lxd#5836',
    seen: 'With kernel 5.1 a phone that comes while the container runs is only an empty file there; the host sees it. After a restart of the container it is right.',
    cause: 'the container cannot hand on devices that come later, with kernel 5.1',
    did: 'restarted the container each time; kernel 5.0 worked',
    lab: { zone: 'Asia/Singapore', hubs: [4], free: 1, usb: true, from: '2019-05-27', days: 22 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1), lab.pinned(2)] as const;
      agentStartsFirst(lab);
      for (const [index, day, time] of [
        [1, 3, '10:20'],
        [0, 5, '15:45'],
        [2, 7, '11:30'],
      ] as const)
        lab.reboot(phones[index], lab.at(day, time), { reason: 'reboot' });
      hostRestarts(lab, lab.at(8, '07:40'));
      const losses: ToldLoss[] = [];
      const restarts = (index: 0 | 1 | 2, at: number, until?: number) => {
        const forMs = until === undefined ? {} : { forMs: until + 7 * SECOND + index * 400 - at };
        losses.push(lab.lose(phones[index], at, { gone: 'phone', onUsb: {}, ...forMs }));
        lab.usb(phones[index], at + 1, null);
        lab.usb(phones[index], at + 34 * SECOND, { connectedAt: at + 34 * SECOND });
      };
      for (const [day, until, which] of [
        [9, '12:10', [[1, '10:05']]],
        [
          11,
          '16:30',
          [
            [0, '13:40'],
            [2, '14:55'],
          ],
        ],
        [14, '11:20', [[2, '09:50']]],
      ] as const) {
        agentRestarts(lab, lab.at(day, until));
        for (const [index, time] of which) restarts(index, lab.at(day, time), lab.at(day, until));
      }
      restarts(0, lab.at(16, '10:25'));
      restarts(1, lab.at(16, '13:10'));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '14:30'),
        losses,
        blame: ['host', 'adb'],
        told: {
          about: ['host', 'port', 'phone', 'hub'],
          says: /container|restart (the )?(adb|host)|kill-server|permission|udev|access|\/dev\/bus|kernel/i,
        },
      };
    },
  },
  {
    name: 'an emulator is gone a quarter of an hour after each build began',
    source: 'whu-ham/whu-ham.github.io#98, callstackincubator/react-native-sandbox#40',
    seen: 'In the middle of a build, or at once after its start, the emulator ends without a word; no log has an error.',
    cause:
      'the kernel kills it: emulator, Gradle and the compilers need more memory than the host has, and swap is off',
    did: 'left swap on, gave the emulator less memory, ended the daemons of Gradle before',
    cannotShow: 'neither the memory of the host nor what its kernel kills for it is recorded',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, from: '2026-08-24', days: 23 },
    tell(lab) {
      const emulator = lab.add('emulator', { isThereAtFirst: false });
      emulator.isPinned = true;
      const builds = lab
        .workdays(8, 22)
        .flatMap((day) => ['10:10', '13:50', '16:40'].map((time) => lab.at(day, time)))
        .map((at) => at + lab.random.whole(0, 45) * MINUTE)
        .filter(() => lab.random.chance(0.75));
      const losses: ToldLoss[] = [];
      lab.phone(emulator, builds[0] ?? lab.end, { kind: 'attached', state: 'device' });
      for (const [index, begun] of builds.entries()) {
        const at = begun + Math.round(lab.random.between(12, 17) * MINUTE);
        const next = builds[index + 1];
        losses.push(lab.lose(emulator, at, next === undefined ? {} : { forMs: next - at }));
      }
      background(lab);
      return {
        at: lab.at(21, '18:30'),
        losses,
        blame: ['host', 'phone', 'unknown'],
        told: { about: ['host', 'phone'], says: /memory|\bRAM\b|swap|\bOOM\b/i },
      };
    },
  },
  {
    name: 'a tablet that is a second screen has lost its tunnel after each night of the computer',
    source: 'tranvuongquocdat/SideScreen#18',
    seen: 'When the Mac has slept for long, as overnight, the tablet on USB does not reach it any more; everything else is green. A short sleep does no harm.',
    cause: 'the tunnel of `adb reverse` is gone after a long sleep of the computer',
    did: 'ran `adb reverse` again each morning',
    lab: { zone: 'Europe/Istanbul', hubs: [], direct: 2, from: '2026-04-20', days: 21 },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(4, 20)) {
        const awake = lab.at(day, '08:30') + lab.random.whole(0, 50) * MINUTE;
        lab.host(awake, { kind: 'hostSlept', forMs: Math.round(lab.random.between(8.5, 11) * HOUR) });
        losses.push(lab.lose(tablet, awake + 2 * SECOND, { forMs: lab.random.between(2.5, 6) * SECOND }));
        if (lab.random.chance(0.6))
          lab.host(lab.at(day, '13:05') + lab.random.whole(0, 30) * MINUTE, {
            kind: 'hostSlept',
            forMs: Math.round(lab.random.between(4, 25) * MINUTE),
          });
      }
      background(lab, { glitches: 0 });
      return {
        at: lab.at(18, '10:30'),
        losses,
        blame: ['host'],
        told: { about: ['host', 'phone', 'port'], says: /sleep|slept|suspend|awake|adb reverse/i },
      };
    },
  },
  {
    name: 'devices that go to their bootloader are not seen any more since the small computer has a newer kernel',
    source: 'raspberrypi/linux#7567',
    seen: 'In the bootloader the device shows a hub on USB, and fastboot finds nothing behind it. With the system of two years before it did.',
    cause:
      'the hub of the bootloader keeps to no standard, and kernels from 6.12 on do not stand it as 6.1 did',
    did: 'reported it; with kernel 6.1 it works',
    cannotShow: 'the version of the kernel is not recorded',
    lab: { zone: 'Europe/London', hubs: [4], free: 1, usb: true, from: '2026-08-03', days: 23 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1), lab.pinned(2)] as const;
      agentStartsFirst(lab);
      for (const [index, day, time] of [
        [0, 2, '11:10'],
        [2, 3, '14:25'],
        [1, 8, '10:40'],
      ] as const) {
        const forMs = Math.round(lab.random.between(2.5, 4.5) * MINUTE);
        lab.lose(phones[index], lab.at(day, time), { forMs, onUsb: { interfaces: [FASTBOOT] } });
      }
      hostRestarts(lab, lab.at(10, '09:15'));
      const losses: ToldLoss[] = [];
      for (const [index, day, time, hours] of [
        [0, 10, '10:30', 0.7],
        [0, 10, '13:40', 1.2],
        [1, 11, '11:05', 2.8],
        [2, 14, '15:20', 0.5],
        [1, 15, '09:50', 1.6],
      ] as const)
        losses.push(
          lab.lose(phones[index], lab.at(day, time), { forMs: hours * HOUR, onUsb: HUB_OF_BOOTLOADER }),
        );
      losses.push(lab.lose(phones[0], lab.at(17, '10:15'), { onUsb: HUB_OF_BOOTLOADER }));
      background(lab);
      return {
        at: lab.at(17, '14:00'),
        losses,
        blame: ['host', 'phone', 'person', 'unknown'],
        told: {
          about: ['host', 'phone', 'port'],
          says: /kernel|boot ?loader|fastboot|another (host|computer)/i,
        },
      };
    },
  },
];
