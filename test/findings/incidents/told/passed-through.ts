/** Incidents of phones that are passed on to a virtual machine, and of hubs and hosts that fail those that hang on them. */
import { background, inUse } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It ends without a word, and is started some time later. @returns when its agent runs again */
function hostDies(lab: Lab, at: number, forMs: number): number {
  const startedAt = Math.round(at + forMs);
  lab.host(startedAt, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: startedAt - 45 * SECOND,
    lastAliveAt: Math.round(at),
  });
  return startedAt;
}

/** Nothing is read from it in these times. */
function notReadIn(lab: Lab, phone: LabPhone, times: readonly (readonly [from: number, to: number])[]): void {
  const usual = inUse(lab);
  phone.reading = (at) => (times.some(([from, to]) => at >= from && at < to) ? undefined : usual(at));
}

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
];
