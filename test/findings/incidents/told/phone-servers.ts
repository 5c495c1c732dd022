/** Incidents of phones and boards that do one work for months: controllers of robots, and boards and phones of test labs. */
import { background, notReadIn, offAndOn } from '../background.ts';
import { MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'one in five uploads to the phone of a robot costs the laptop its Wi-Fi to it',
    source: 'FIRST-Tech-Challenge/FtcRobotController#86',
    seen: 'The laptop is in the network that the phone of the robot makes. After about one in five uploads over Wi-Fi it has lost that, three times on one day; the phone of the drivers stays connected.',
    cause:
      'not found; suspected are the new version of the app, and the laptop, which may leave a network without internet',
    did: 'went back to the version before for some days, and did not see it there',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 1,
      known: { slots: false },
      models: ['Moto E5'],
      from: '2020-12-28',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [6, '14:10'],
        [8, '17:25'],
        [9, '16:48'],
        [15, '15:12'],
        [15, '16:37'],
        [15, '17:50'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(0.8, 6) * MINUTE }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '18:10'),
        losses,
        blame: ['link', 'network', 'phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /wi-?fi|wireless|network|router|access point|connect/i,
        },
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'the controller of a robot gives its network another name in the midst of each install',
    source: 'FIRST-Tech-Challenge/FtcRobotController#539',
    seen: 'The app is sent over Wi-Fi to a controller that makes its own network. In the midst of the install that has its first name and password again, and the install fails. With these left as they were at first it works.',
    cause: 'the controller sets its network back while the app is installed; why was not found in the thread',
    did: 'set the controller back to its first state and named the network again, to see it once more; left name and password alone, which works',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 1,
      known: { slots: false },
      models: ['Control Hub'],
      from: '2022-12-12',
      days: 21,
    },
    tell(lab) {
      const controller = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [18, '19:20', 14],
        [18, '20:05', 9],
        [19, '16:42', 11],
        [19, '20:31', undefined],
      ] as const)
        losses.push(
          lab.lose(controller, lab.at(day, time), {
            ...(minutes && { forMs: minutes * MINUTE + lab.random.between(0, 50) * SECOND }),
          }),
        );
      // set back to its first state, which restarts it
      const reset = lab.at(19, '19:48');
      offAndOn(lab, controller, reset, 8 * MINUTE);
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '20:57'),
        losses,
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /wi-?fi|wireless|network|router|access point|connect/i,
        },
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'a laptop leaves the network of a robot for one that is stronger',
    source: 'FIRST-Tech-Challenge/FtcRobotController#479',
    seen: 'Some laptops of a team stay badly in the network that the controller makes: they drop out often, and are in that of a router then. Other laptops there have no trouble.',
    cause:
      'the laptop joins other networks, for a stronger signal or for reasons not known; perhaps these laptops do not go well with the controller',
    did: 'asked to have the controller join the Wi-Fi of a router, which it cannot',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 1,
      known: { slots: false },
      models: ['Control Hub'],
      from: '2022-10-31',
      days: 20,
    },
    tell(lab) {
      const controller = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [9, 10, 11, 14, 15, 16])
        for (let at = lab.at(day, '15:40'); at < lab.at(day, '18:20'); ) {
          at += lab.random.between(14, 55) * MINUTE;
          const forMs = lab.random.between(0.5, 5) * MINUTE;
          losses.push(lab.lose(controller, at, { forMs }));
          at += forMs;
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['link', 'network', 'host', 'phone'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /wi-?fi|wireless|network|router|access point|signal/i,
        },
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'linux-13 has its phone restarted on a Tuesday, and again on the Thursday',
    source: 'flutter/flutter#151795, flutter/flutter#151972',
    seen: 'On the afternoon of July 15 the machine has lost its phone. It is restarted the next day, and lost again by the morning of July 18.',
    cause: 'not told; a restart of the phone brings it back both times',
    did: 'restarted the phone, twice',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      models: ['Moto G'],
      from: '2024-06-24',
      days: 26,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, second] = [lab.at(21, '13:05'), lab.at(24, '05:40')];
      const [firstBack, secondBack] = [lab.at(22, '09:35'), lab.at(24, '10:20')];
      notReadIn(lab, phone, [
        [first, firstBack],
        [second, secondBack],
      ]);
      const losses = [
        offAndOn(lab, phone, first, firstBack - first, 'reboot'),
        offAndOn(lab, phone, second, secondBack - second, 'reboot'),
      ];
      background(lab);
      return {
        at: lab.at(24, '09:44'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /reboot|restart|cable|plug|re-?seat/i,
        },
      };
    },
  },
  {
    name: 'a board that a test restarts comes up for a minute as a modem, and adb does not get it back',
    source: 'Linaro/test-definitions#253',
    seen: 'A test restarts a HiKey board, which should be in fastboot then. The kernel shows a device of another maker at its port, slow, with a serial port for a modem; a minute later nothing.',
    cause: 'the board is in its recovery mode instead of fastboot after the restart; why is not told',
    did: 'had the jobs keep what the kernel and the folders of USB show at such a time',
    lab: {
      zone: 'Europe/London',
      hubs: [4, 4],
      free: 2,
      usb: true,
      from: '2020-11-16',
      days: 22,
      models: ['HiKey'],
    },
    tell(lab) {
      const board = lab.pinned(3);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '02:14', 46],
        [17, '13:37', 31],
        [18, '22:50', 52],
        [20, '09:26', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back = minutes && minutes * MINUTE;
        const interfaces = [{ kind: 'ff/ff/ff', endpoints: 3 }];
        losses.push(
          lab.lose(board, at, {
            onUsb: {
              vendorId: '12d1',
              productId: '3609',
              speedMbps: 12,
              interfaces,
              connectedAt: at + SECOND,
            },
            ...(back && { forMs: back }),
          }),
        );
        lab.usb(board, at + 61 * SECOND, null);
        if (back) lab.rebooted(board, at + back + 20 * SECOND, { uptimeSeconds: 55 });
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '10:15'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [board.udid, lab.portKey(board)],
          says: /\bmode\b|recovery|fastboot|bootloader|flash|re-?start|reboot|switch(ed)? (it )?(off|on)|power/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
];
