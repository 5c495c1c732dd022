/** Incidents of phones that are passed on to a virtual machine, and of hubs and hosts that fail those that hang on them. */
import { FASTBOOT } from '../../usb-tree.ts';
import { agentStartsFirst, background, hostDies, notReadIn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'the computer crashes while a phone is debugged in the virtual machine that it is passed on to',
    source: 'dorssel/usbipd-win#248, dorssel/usbipd-win#461, microsoft/WSL#9000',
    seen: 'A blue screen while a debugger is attached to an app on the phone, or a file of a gigabyte is pushed to it, by the adb in WSL. The same by the adb of Windows goes well, and so do small files.',
    cause: 'the USB driver, that of VirtualBox, by which Windows hands the phone on',
    did: 'replaced the driver by a newer one: hardly ever since',
    cannotShow: 'neither a blue screen nor the version of a driver is recorded',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, usb: true, from: '2022-04-04', days: 18 },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [9, '10:50'],
        [9, '16:35'],
        [10, '14:12'],
        [11, '11:20'],
        [14, '15:44'],
        [15, '10:26'],
        [15, '15:03'],
      ] as const) {
        const started = hostDies(lab, lab.at(day, time), lab.random.between(2.5, 5) * MINUTE);
        // each of them has to be attached to the machine again
        for (const phone of phones)
          losses.push(lab.lose(phone, started + 500, { forMs: lab.random.between(0.5, 3) * MINUTE }));
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(15, '16:00'),
        losses,
        blame: ['host', 'room', 'person', 'adb', 'unknown'],
        told: { about: ['host', 'room'], says: /crash|driver|power|kernel|memory|journal|\blog/i },
        alsoAbout: ['phone', 'port', 'hub', 'host'],
      };
    },
  },
  {
    name: 'phones that are passed on over USB/IP stop in the middle of a push, and adb still calls them ready',
    source: 'dorssel/usbipd-win#581, dorssel/usbipd-win#1005',
    seen: 'A push to one of many equal phones stands still, after nine minutes as at first: no error, the phone stays attached and is a “device” to adb. The bigger the file, the more often. With other ports and cables too; at a Linux computer never.',
    cause: 'the program by which Windows hands phones on to WSL loses what it is to transfer',
    did: 'plugged the phone in anew; cut files into small pieces',
    lab: { zone: 'Europe/Tallinn', hubs: [7, 7], free: 1, usb: true, from: '2026-08-03', days: 20 },
    tell(lab) {
      const phones = [1, 4, 9].map((index) => lab.pinned(index));
      const losses: ToldLoss[] = [];
      for (const [which, stalls] of [
        [
          0,
          [
            [11, '13:20', 14],
            [15, '10:42', 47],
          ],
        ],
        [1, [[14, '16:05', 31]]],
        [2, [[16, '12:10', 22]]],
      ] as const) {
        const phone = phones[which] as LabPhone;
        const times: [number, number][] = [];
        for (const [day, time, minutes] of stalls) {
          const [at, end] = [lab.at(day, time), lab.at(day, time) + minutes * MINUTE];
          lab.facts(phone, at, { isSilent: true, silentSince: at });
          times.push([at, end]);
          lab.facts(phone, end, { isSilent: false });
          losses.push(lab.lose(phone, end, { forMs: lab.random.between(5, 25) * SECOND }));
        }
        if (which === 1) {
          const at = lab.at(17, '11:26');
          lab.facts(phone, at, { isSilent: true, silentSince: at });
          times.push([at, lab.end]);
        }
        notReadIn(lab, phone, times);
      }
      background(lab);
      return {
        at: lab.at(17, '13:00'),
        losses,
        blame: ['person', 'port', 'link', 'phone', 'adb', 'host', 'hub', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /plug|reconnect|attach|cable|restart|kill-server|reset/i,
        },
      };
    },
  },
  {
    name: 'a phone is on USB of the virtual machine, and its adb does not list it',
    source: 'dorssel/usbipd-win#60',
    seen: '`lsusb` in WSL shows the phone, debugging is on; the list of adb stays empty.',
    cause: 'no udev rules for phones there, so that adb may not open it, and an older kernel',
    did: 'took the newer kernel, installed the rules before the phone was attached; others started adb as root',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['OnePlus Nord'],
      from: '2021-10-25',
      days: 15,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(11, '18:40');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { connectedAt: at });
      background(lab, { hasReadings: false });
      return {
        at: at + 50 * MINUTE,
        told: {
          about: ['phone', 'port', 'host'],
          says: /udev|rules?\b|\broot\b|permission|kill-server|restart(s|ed)? (the )?adb|plugdev|may not open/i,
        },
      };
    },
  },
  {
    name: 'a phone in a virtual machine is listed, and each copy to it fails: its USB there is the old slow one',
    source: 'Genymobile/scrcpy#5341',
    seen: 'In the virtual machine a mirror cannot copy its part to the phone, whose files the file manager shows. At the computer below the same phone has worked for years.',
    cause: 'the machine has a USB controller of version 1.1',
    did: 'set the controller of the machine to USB 2.0',
    lab: {
      zone: 'Europe/Athens',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Redmi Note 8'],
      from: '2024-09-23',
      days: 14,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.usb(phone, lab.start, { speedMbps: 12, connectedAt: lab.start - HOUR });
      background(lab);
      return {
        at: lab.at(11, '22:30'),
        told: {
          about: ['phone', 'port', 'host', 'hub'],
          says: /slow|speed|Mbit|USB (2|1\.1)|controller/i,
        },
      };
    },
  },
  {
    name: 'the stick that watches a dock of phones goes dark minutes after the last key was pressed',
    source: 'https://hackaday.io/project/21320-stfdock',
    seen: 'Five to ten minutes without keyboard and mouse, and the host answers nobody, also when somebody works on it from afar; its lamp is lit. No option of the desktop helps, and nothing wakes it.',
    cause: 'it suspends itself, and cannot be woken',
    did: 'forbade it to suspend (SUSPEND_METHODS="none")',
    cannotShow:
      'it is only back after it was switched off and on: its sleep looks as if it had lost its power',
    lab: { zone: 'Pacific/Auckland', hubs: [10], free: 4, usb: true, from: '2017-04-24', days: 18 },
    tell(lab) {
      agentStartsFirst(lab);
      const down: [number, number][] = [];
      for (const [day, time, hours] of [
        [14, '18:10', 1.2],
        [14, '19:32', 0.4],
        [14, '20:06', 0.5],
        [14, '20:49', 21],
        [15, '18:00', 0.3],
        [15, '18:31', 0.6],
        [15, '19:20', 23.1],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(5, 10) * MINUTE;
        down.push([at, hostDies(lab, at, hours * HOUR)]);
      }
      for (const phone of lab.pinnedOf('usb')) notReadIn(lab, phone, down);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '20:00'),
        told: { about: ['host', 'room'], says: /sleep|suspend|standby|power|crash/i },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'a dock lets go of two of its phones and takes them again, all the time',
    source: 'https://hackaday.io/project/21320/log/58073-multidock-hacking',
    seen: 'In a dock for ten, bought second hand, some phones bounce on USB without end, others stay. A red lamp beside its first hub chip blinks.',
    cause:
      'the controller of the dock switches their sockets to charging and back; the dock may be broken too',
    did: 'took the hub out of the dock, and built in another one',
    lab: { zone: 'Pacific/Auckland', hubs: [10], free: 2, usb: true, from: '2017-04-06', days: 20 },
    tell(lab) {
      const phones = [lab.pinned(2), lab.pinned(6)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '18:20', 6],
        [16, '13:05', 9],
        [17, '15:40', 12],
        [18, '17:50', 10],
      ] as const)
        for (const phone of phones) {
          const [begun, until] = [lab.at(day, time), lab.at(day, time) + minutes * MINUTE];
          for (let at = begun + lab.random.between(0, 3) * SECOND; at < until; ) {
            const forMs = lab.random.between(0.9, 2.5) * SECOND;
            losses.push(lab.lose(phone, at, { forMs }));
            at += forMs + lab.random.between(3, 14) * SECOND;
          }
        }
      background(lab);
      return {
        at: lab.at(18, '18:05'),
        losses,
        blame: ['hub', 'port', 'link'],
        told: {
          about: ['hub', 'port', 'phone'],
          says: /another (port|hub|socket)|other (port|hub|socket)|hub|power|charg|cable/i,
        },
        alsoAbout: ['hub', 'port', 'phone'],
      };
    },
  },
  {
    name: 'a phone falls out of its virtual machine whenever it is told what USB is for',
    source: 'QubesOS/qubes-issues#6330',
    seen: 'As soon as “use USB for” is changed on the phone, the machine that it was attached to has lost it. It has to be attached anew.',
    cause: 'with another mode the phone is another device, which nothing passes on by itself',
    did: 'set the mode on the phone for good, so that it is not changed once it is attached',
    cannotShow:
      'USB of the virtual machine shows only that the phone left: neither its mode nor what passes it on',
    lab: {
      zone: 'Europe/Ljubljana',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Pixel 3a'],
      from: '2021-12-13',
      days: 19,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '19:10', 4],
        [14, '19:22', 9],
        [15, '20:05', 3],
        [15, '21:30', 26],
        [16, '17:44', 6],
        [16, '18:02', undefined],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), {
            ...(minutes && { forMs: minutes * MINUTE + lab.random.between(0, 50) * SECOND }),
          }),
        );
      background(lab);
      return {
        at: lab.at(16, '18:30'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /USB (mode|setting|preference|configuration)|file transfer|virtual|pass(es|ed)? |attach|plug|USB debugging/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a virtual machine gets a phone in fastboot, and loses it when the phone starts its recovery',
    source: 'ubports/ubports-installer#582',
    seen: 'The part of an installation that needs fastboot works. Then the phone is in its recovery, and the push fails: adb has no device. Windows, Mac and Ubuntu were tried; a cable was suspected.',
    cause: 'VirtualBox passes on what its filters name, and there was one for the phone in fastboot only',
    did: 'made a filter for each state of the phone',
    cannotShow: 'what the hypervisor does not pass on is on no USB of the machine',
    lab: {
      zone: 'Europe/Belgrade',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Nexus 4'],
      from: '2018-12-07',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '20:12', 48],
        [15, '18:35', 36],
        [15, '20:50', 70],
        [16, '19:15', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back = minutes && minutes * MINUTE;
        losses.push(lab.lose(phone, at, { onUsb: { interfaces: [FASTBOOT] }, ...(back && { forMs: back }) }));
        lab.usb(phone, at + lab.random.between(3, 6) * MINUTE, null);
        if (back) lab.rebooted(phone, at + back + 20 * SECOND, { uptimeSeconds: 60 });
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '20:30'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /fastboot|recovery|bootloader|flash|filter|virtual|pass(es|ed)? |plug|start(s|ed)? (it|the phone)|restart/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a device that is flashed leaves the machine it is attached to as soon as much is sent to it',
    source: 'dorssel/usbipd-win#645',
    seen: 'In WSL fastboot sends small images; from about 1.2 MB on the device is gone there in the middle of it. Attached by itself each time, it is back, but what was flashed is not whole.',
    cause:
      'the device does not answer, then leaves USB of the computer for a moment, as if it reset itself; nothing passes it on after that',
    did: 'was told to have it attached automatically; that brought it back, and did not mend the flashing',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 1, usb: true, from: '2023-06-12', days: 20 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '10:20', 34],
        [15, '14:05', 21],
        [16, '10:48', 55],
        [17, '09:55', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back = minutes && minutes * MINUTE;
        losses.push(lab.lose(phone, at, { onUsb: { interfaces: [FASTBOOT] }, ...(back && { forMs: back }) }));
        // gone when the big image is sent, and attached once more
        for (const after of [3, 9, 15]) {
          lab.usb(phone, at + after * MINUTE, null);
          if (after < 15 || back) lab.usb(phone, at + (after + 2) * MINUTE, { interfaces: [FASTBOOT] });
        }
        if (back) lab.rebooted(phone, at + back + 25 * SECOND, { uptimeSeconds: 70 });
      }
      background(lab);
      return {
        at: lab.at(17, '11:00'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /fastboot|bootloader|flash|attach|pass(es|ed)? |plug|cable|start(s|ed)? (it|the phone)|restart/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a phone at the socket of a robot is offline to its adb, and well at other computers',
    source: 'dgiese/dustcloud#231',
    seen: 'The kernel of the robot shows the phone with its name, and adb says offline, always. Other Linux computers have no trouble with it.',
    cause:
      'most likely the socket of the robot: it is made to be a device itself, for the adb that looks into the robot',
    did: 'found the switch for the part that the socket plays; missing modules of the kernel were suspected, and it was not them',
    cannotShow: 'no record tells what part a socket of the host plays',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Nexus 4'],
      from: '2019-05-27',
      days: 14,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(9, '19:25');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { connectedAt: at });
      lab.phone(phone, at, { kind: 'attached', state: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: at + HOUR,
        told: {
          about: ['phone', 'port', 'host'],
          says: /another (port|socket|computer|host)|kernel|port|restart|plug|cable|reconnect/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
];
