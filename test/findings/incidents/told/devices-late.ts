/** Incidents of boxes and televisions, of displays that listen, and of tablets. */
import { adbRestarts, agentStartsFirst, background } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** In a home people are there early and late, on each day. */
const home = { isDaily: true, hours: [7, 23] } as const;

export const incidents: readonly Incident[] = [
  {
    name: 'a Shield that was off is away until somebody types its address at the host',
    source: 'dwaan/homebridge-adb#17',
    seen: 'Whenever the box has restarted or was off, nothing controls it any more, until its address is given to adb at the host by hand.',
    cause: 'its connection ends with it, and nothing connects it again',
    did: 'connected it by hand each time; got a version that looks at the list of adb and connects by itself',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      network: 2,
      from: '2020-11-30',
      days: 28,
      models: ['Shield', 'Mi Box'],
    },
    tell(lab) {
      const [shield] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '21:40', 1120],
        [14, '18:05', 95],
        [18, '22:50', 640],
        [22, '20:15', 160],
        [25, '19:20', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        losses.push(lab.lose(shield, at, { ...(forMs && { forMs }) }));
        if (forMs)
          lab.rebooted(shield, at + forMs + 20 * SECOND, {
            uptimeSeconds: Math.round(forMs / SECOND - lab.random.between(60, 900)),
          });
      }
      background(lab, { ...home, hasReadings: false });
      return {
        at: lab.at(26, '10:30'),
        losses,
        blame: ['phone', 'person', 'link', 'adb'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /connect|restart|switched off|power|standby|sleep|\bwake|turn(ed)? on/i,
        },
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'a Shield is unauthorized since the update of its system, and shows no prompt after a reset either',
    source: 'dwaan/homebridge-adb#71',
    seen: 'With the system before it went well. Now adb is not let in, and nothing appears on the television; the server of adb was ended in vain, and the box was reset.',
    cause: 'the box no longer takes the key of the host, and does not ask; why it does not ask is not told',
    did: 'ended the server of adb, reset the box; was told to allow it by a cable first',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      network: 2,
      from: '2022-01-10',
      days: 26,
      models: ['Shield', 'Fire TV'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const [shield] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [
        lab.lose(shield, lab.at(19, '20:10'), { forMs: 9 * MINUTE, backAs: 'unauthorized' }),
        lab.lose(shield, lab.at(20, '18:30'), { forMs: 35 * MINUTE, backAs: 'unauthorized' }),
      ];
      // he ends the server, and connects anew
      const at = lab.at(21, '19:25');
      for (const phone of lab.pinnedOf('tcp'))
        lab.lose(phone, at + 200, {
          forMs: (phone === shield ? 40 : 6) * SECOND,
          backAs: phone === shield ? 'unauthorized' : 'device',
        });
      adbRestarts(lab, at);
      background(lab, { ...home, hasReadings: false });
      return {
        at: lab.at(21, '20:40'),
        losses,
        blame: ['phone', 'person', 'link'],
        told: {
          about: ['phone'],
          keys: [shield.udid],
          says: /authori[sz]|prompt|\bkeys?\b|debugging|allow|confirm|accept/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'an app that is to keep adb on a television has it off after each restart',
    source: 'mouldybread/adb-auto-enable#1',
    seen: 'The app sets a fixed port, and that works. Once the television has restarted its wireless debugging is off. Without the app it stays on over a restart.',
    cause: 'the app, which meddles with wireless debugging as the television starts',
    did: 'removed the app; a later version of it left wireless debugging on, at another port than it should',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      network: 3,
      from: '2025-12-08',
      days: 26,
      models: ['Hisense TV', 'Chromecast', 'Fire TV'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp').slice(0, 1) as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [20, '21:15', 34],
        [21, '23:20', 22],
        [22, '19:05', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        losses.push(lab.lose(television, at, { ...(forMs && { forMs }) }));
        if (forMs)
          lab.rebooted(television, at + forMs + 15 * SECOND, {
            reason: 'reboot,userrequested',
            uptimeSeconds: Math.round(forMs / SECOND) - 30,
          });
      }
      background(lab, { ...home, hasReadings: false });
      return {
        at: lab.at(22, '20:10'),
        losses,
        blame: ['phone', 'person', 'link'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|restart|reboot|another port|connect|switch(ed)? (it )?on/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'an automation restarts two displays at a quarter past three, and they do not answer',
    source: 'home-assistant/core#168425',
    seen: 'At 3:15 at night the command for a restart, which goes to both displays, is said to have failed, as no answer came within nine seconds. It was done all the same.',
    cause: 'the restart that the automation had ordered itself',
    did: 'reported that the error is none',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 4,
      from: '2026-03-30',
      days: 20,
      models: ['Echo Show 5', 'Echo Show 8', 'Fire TV', 'Shield'],
    },
    tell(lab) {
      const displays = lab.pinnedOf('tcp').slice(0, 2);
      const losses = displays.map((display) =>
        lab.reboot(display, lab.at(17, '03:15') + lab.random.between(200, 900), {
          forMs: lab.random.between(55, 90) * SECOND,
          reason: 'reboot,shell',
        }),
      );
      background(lab, { ...home, hasReadings: false });
      return { at: lab.at(17, '09:00'), losses, blame: ['person', 'host', 'adb'] };
    },
  },
  {
    name: 'a television crashes when it is switched on again with a VPN that was left connected',
    source: 'CiNcH83/bravia_atv2#27, schwabe/ics-openvpn#1015',
    seen: 'Put into standby and switched on with any VPN connected, the television crashes as a whole. To pause the VPN with the screen does not help.',
    cause: 'the system of the television, which breaks when it wakes with a VPN',
    did: 'had another app disconnect the VPN as the screen goes off, and connect it when it is on',
    lab: {
      zone: 'Europe/Vienna',
      hubs: [],
      network: 2,
      from: '2018-06-25',
      days: 26,
      models: ['Bravia', 'Shield'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 14; day < 24; day += 1)
        losses.push(
          lab.reboot(television, lab.at(day, '18:10') + lab.random.between(0, 100) * MINUTE, {
            forMs: lab.random.between(60, 110) * SECOND,
          }),
        );
      background(lab, { ...home, hasReadings: false });
      return {
        at: lab.at(23, '21:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [television.udid],
          says: /restart|reboot|crash|\bapps?\b|update|\blog/i,
        },
      };
    },
  },
  {
    name: 'a managed tablet that was unplugged is not seen any more, as a policy forbids adb and files',
    source: 'flyve-mdm/android-mdm-agent#414',
    seen: 'The policies against adb, MTP and PTP are set at once. A device that is plugged in after that is not recognised; one that was plugged in goes on.',
    cause: 'the policies of the device management',
    did: 'the developer of the agent wanted the policy to hold for what is plugged in already, too',
    lab: {
      zone: 'America/Caracas',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2018-04-16',
      days: 22,
      models: ['Galaxy Tab A'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = [lab.lose(phone, lab.at(18, '11:20'))];
      background(lab);
      return {
        at: lab.at(18, '15:30'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /debugging|USB (mode|setting|preference)|polic|manage|plug|cable/i,
        },
      };
    },
  },
  {
    name: 'a Pixel Tablet crashes in its kernel three weeks long, also after it was set up anew',
    source: 'GrapheneOS/os-issue-tracker#3949',
    seen: 'Since the system was put on it the kernel crashes now and then, in use and while it idles at night. A wipe does not help; after a full reinstallation it is quiet for two days, then it crashes three times in a day.',
    cause: 'not found: a fault of the device is suspected',
    did: 'wiped it, reinstalled its system, switched the 5 GHz of the router off',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2024-08-12',
      days: 29,
      models: ['Pixel Tablet', 'Pixel 7'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses = (
        [
          [3, '19:40'],
          [7, '21:12'],
          [11, '12:05'],
          [15, '20:33'],
          [19, '18:20'],
          [21, '09:50'],
          [22, '03:17'],
          [25, '13:30'],
          [25, '22:05'],
          [26, '08:40'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(tablet, lab.at(day, time), {
          forMs: lab.random.between(35, 70) * SECOND,
          reason: 'kernel_panic',
        }),
      );
      for (const [day, time, hours] of [
        [17, '15:00', 0.6],
        [22, '18:00', 1.2],
      ] as const)
        lab.lose(tablet, lab.at(day, time), { forMs: hours * HOUR });
      background(lab, home);
      return {
        at: lab.at(26, '10:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /kernel|crash|panic|restart|update|repair|replac/i,
        },
      };
    },
  },
];
