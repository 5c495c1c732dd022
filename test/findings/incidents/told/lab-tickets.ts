/** Incidents from tickets and posts in which labs and owners of racks told what they saw themselves. */
import {
  background,
  bot,
  goneUntil,
  inUse,
  levels,
  type Moment,
  offUntil,
  withoutDebugging,
} from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const labTickets: readonly Incident[] = [
  {
    name: 'the phone of mac-34 switches itself off on two days in a row, and once more three weeks later',
    source: 'flutter/flutter#152585, flutter/flutter#152626, flutter/flutter#153856',
    seen: 'On July 30 in the afternoon, on July 31 in the morning and on August 21 in the morning the machine has no phone.',
    cause: 'the phone switches itself off',
    did: 'pressed its power button each time',
    lab: bot({ from: '2024-07-22', days: 32 }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(3, '11:42'), { forMs: 41 * SECOND, reason: 'reboot,shell' });
      lab.reboot(phone, lab.at(18, '20:07'), { forMs: 36 * SECOND, reason: 'reboot,shell' });
      const losses = [
        offUntil(lab, phone, [8, '15:12:40'], [9, '08:21']),
        offUntil(lab, phone, [9, '08:58:10'], [9, '10:47']),
        offUntil(lab, phone, [30, '04:33:05'], [30, '09:52']),
      ];
      background(lab);
      return {
        at: lab.at(30, '10:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /(switch|power|turn|shut)(es|s|ed)? (itself |themselves )?(off|down)|power button|batter|replac|another phone/i,
        },
      };
    },
  },
  {
    name: 'linux-17 loses its phone six times within as many weeks of summer, until the cable is seated anew',
    source:
      'flutter/flutter#169722, flutter/flutter#170068, flutter/flutter#170372, flutter/flutter#171195, flutter/flutter#171729, flutter/flutter#171822',
    seen: 'The phone of linux-17 is gone on May 30, June 5, 10 and 25, July 7 and 8.',
    cause: 'its USB cable does not sit well',
    did: 're-seated the cable, which brought the phone back, each time',
    lab: bot({ from: '2025-05-19', days: 51, models: ['Pixel 7 Pro'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [4, '13:20'],
        [26, '02:51'],
        [44, '18:36'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), { forMs: 39 * SECOND, reason: 'reboot,shell' });
      const losses = [
        goneUntil(lab, phone, [11, '07:46:20'], [11, '11:03']),
        goneUntil(lab, phone, [17, '03:08:51'], [17, '09:29']),
        goneUntil(lab, phone, [21, '22:31:12'], [22, '10:14']),
        goneUntil(lab, phone, [37, '12:55:33'], [37, '15:40']),
        goneUntil(lab, phone, [49, '10:02:47'], [50, '08:50']),
        goneUntil(lab, phone, [50, '10:37:02']),
      ];
      background(lab);
      return {
        at: lab.at(50, '13:30'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|re-?seat|re-?plug|plug (it|the phone)|socket|connector/i,
        },
      };
    },
  },
  {
    name: 'the phone of linux-46 has gone bad, and another takes its place on the same day',
    source: 'flutter/flutter#162469',
    seen: 'On January 30 the machine has lost its phone.',
    cause: 'the phone went bad',
    did: 'put another phone there that was known to be good',
    lab: bot({ from: '2025-01-13', days: 19, models: ['Pixel 7 Pro'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [1, '22:14'],
        [6, '09:37'],
        [12, '16:02'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), { forMs: 37 * SECOND, reason: 'reboot,shell' });
      const losses = [goneUntil(lab, phone, [17, '06:24:18'])];
      const port = lab.portOf(phone, lab.start);
      if (port) {
        const fresh = lab.add('usb', { port, isThereAtFirst: false });
        fresh.isPinned = true;
        fresh.reading = (at) =>
          at < lab.at(17, '14:06')
            ? undefined
            : { levelPercent: 71, isFull: false, temperatureDecicelsius: 288 };
        lab.phone(fresh, lab.at(17, '14:05'), { kind: 'attached', state: 'device' });
      }
      const usual = inUse(lab);
      phone.reading = (at) => (at >= lab.at(17, '06:24:18') ? undefined : usual(at));
      background(lab);
      return {
        at: lab.at(17, '10:10'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /replac|swap|another phone|defect|broken|faulty|dead|does not (start|boot|come back)|restart|power button|(switched|powered|turned) off/i,
        },
      };
    },
  },
  {
    name: 'linux-46 is without its phone on two winter mornings, and has it back when the phone is restarted',
    source: 'flutter/flutter#142622, flutter/flutter#143760',
    seen: 'On Wednesday, January 31, about nine in the morning, and on Tuesday, February 20, before nine the phone is lost.',
    cause: 'not named: the phone did not answer until it was restarted',
    did: 'restarted the phone',
    lab: bot({ from: '2024-01-22', days: 31, models: ['Moto G4'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [2, '14:33'],
        [15, '23:58'],
        [22, '06:41'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), { forMs: 52 * SECOND });
      const hangs = (from: Moment, to: Moment) => {
        lab.rebooted(phone, lab.at(...to) + 31 * SECOND, { uptimeSeconds: 66 });
        return goneUntil(lab, phone, from, to);
      };
      const losses = [hangs([9, '01:50:44'], [9, '09:34']), hangs([29, '05:17:26'], [29, '09:21'])];
      background(lab);
      return {
        at: lab.at(29, '10:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /restart|reboot|power button|freez|froze|\bhangs?\b|hung|(switch|power|turn)(es|s|ed)? (itself )?off/i,
        },
      };
    },
  },
  {
    name: 'a small computer takes 32 USB devices with all its hubs, and a phone goes for each that is added',
    source: 'raspberrypi/linux#3366',
    seen: 'Some 45 devices, phones among them, are to sit at a Raspberry Pi 4 over hubs of seven ports. The kernel takes 32, and says that this is the limit of the host.',
    cause: 'the USB controller of that computer (VL805) knows 32 devices, hubs among them, and no more',
    did: 'were told that no setting helps, and to share the devices among several computers; somebody later used the USB-C port as a second controller',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7, 7, 7, 7],
      free: 5,
      usb: true,
      controllerId: ['1106', '3483'],
      known: { slots: false },
      from: '2019-12-02',
      days: 12,
      models: ['MT6739'],
    },
    tell(lab) {
      const further = lab.freePorts(lab.start).map((port) => lab.add('usb', { port, isThereAtFirst: false }));
      for (const phone of further) phone.isPinned = true;
      for (const port of further)
        lab.kernel(lab.at(9, '15:10:20'), lab.where(port, lab.at(9, '15:10:20')), 'resources');
      // Plugged in at ten past three they are not seen; two of them are, once another phone is pulled, which then finds no room.
      const [one, two] = further as [LabPhone, LabPhone];
      const losses = [
        lab.lose(lab.pinned(4), lab.at(9, '15:24:10')),
        lab.lose(lab.pinned(17), lab.at(9, '15:41:52')),
      ];
      lab.phone(one, lab.at(9, '15:24:31'), { kind: 'attached', state: 'device' });
      lab.phone(two, lab.at(9, '15:42:20'), { kind: 'attached', state: 'device' });
      background(lab, { taken: 0.2, restarts: 0.2 });
      return {
        at: lab.at(10, '09:40'),
        losses,
        blame: ['host', 'hub', 'person'],
        told: {
          about: ['host', 'hub', 'port'],
          says: /controller|too many|limit|no room|fewer|(another|second) (host|computer|controller)|USB card/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'boards restart themselves in the midst of tests whenever a server does not answer their pings',
    source: 'https://groups.google.com/forum/?fromgroups&_escaped_fragment_=topic/mozilla.tools/01jmBM57JXw',
    seen: 'Of the runs on Tegra boards 14 in a hundred fail. Boards restart in mid-test, several of them at about the same time.',
    cause:
      'a program on each board pings a server every five minutes, and restarts the board after three pings without an answer; at times that server cannot be reached',
    did: 'told that program not to ping: 6 in a hundred fail since',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 13,
      from: '2012-07-23',
      days: 22,
      models: ['Tegra 250'],
    },
    tell(lab) {
      const boards = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      const phases = boards.map(() => lab.random.between(0, 5 * MINUTE));
      /** The first board has missed its third ping, the last one five minutes later, if the server is away for so long. */
      const unanswered = (at: number, forMs: number) => {
        for (const [index, board] of boards.entries()) {
          const third = at + (phases[index] ?? 0);
          if (third > at + forMs) continue;
          const back = Math.round(lab.random.between(85, 190) * SECOND);
          losses.push(lab.lose(board, third, { forMs: back }));
          lab.rebooted(board, third + back + 15 * SECOND, {
            uptimeSeconds: Math.round(back / SECOND) - 20,
          });
        }
      };
      for (const [day, time, minutes] of [
        [9, '02:17', 5],
        [11, '13:42', 2.5],
        [12, '04:08', 5],
        [15, '11:29', 1.5],
        [16, '20:51', 5],
        [18, '03:33', 4],
        [20, '10:06', 5],
      ] as const)
        unanswered(lab.at(day, time), minutes * MINUTE);
      for (const board of boards) {
        for (let left = lab.random.poisson(6); left > 0; left -= 1) {
          const at = Math.round(lab.random.between(lab.start + HOUR, lab.end - HOUR));
          const forMs = Math.round(lab.random.between(80, 160) * SECOND);
          if (lab.isFree(board, at - 5 * MINUTE, at + 8 * MINUTE)) lab.reboot(board, at, { forMs });
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '09:20'),
        losses,
        blame: ['network', 'phone', 'host'],
        told: {
          about: ['phone', 'network', 'host', 'room'],
          says: /network|server|\bpings?\b|watch|program|script|\bapps?\b|restart(ed|s)?.{0,40}(at once|together|(at )?the same time)/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'some phones of a farm can be seen at the hub but not used, and work at the computer itself',
    source: 'DeviceFarmer/stf#334',
    seen: 'The farm shows some phones as connected, and nobody can use them.',
    cause: 'it seems that the hub gives them too little power',
    did: 'plugged these phones in at the computer, where they could be used at once',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [10],
      free: 1,
      usb: true,
      from: '2021-09-24',
      days: 20,
      models: ['Galaxy S9+', 'Pixel 5', 'Galaxy Note10', 'LG V50'],
    },
    tell(lab) {
      const weak = [2, 5, 8].map((index) => lab.pinned(index));
      const losses: ToldLoss[] = [];
      const full = lab.at(17, '22:00');
      for (const [index, phone] of weak.entries()) {
        phone.reading = levels([
          [lab.start, 96 - index],
          [full, 93 - 2 * index],
          [lab.at(18, '16:00'), 38 + 9 * index],
        ]);
        // The voltage sinks under load: it resets, and the farm begins anew to prepare it.
        for (let at = lab.at(18, '09:07') + index * 3.3 * MINUTE; at < lab.at(18, '15:55'); ) {
          losses.push(
            lab.lose(phone, Math.round(at), { forMs: Math.round(lab.random.between(1.5, 7) * SECOND) }),
          );
          at += lab.random.between(6, 34) * MINUTE;
        }
      }
      background(lab);
      return {
        at: lab.at(18, '16:00'),
        losses,
        blame: ['hub', 'port', 'link'],
        told: {
          about: ['hub', 'port', 'phone'],
          says: /power|supply|charg|\bhub\b|directly|another port|current/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'who uses a phone of a farm switches its developer options off, and the farm has lost it',
    source: 'zebrunner/stf#302',
    seen: 'A tester opens the settings of a phone over the farm and switches the developer options off: the phone is disconnected.',
    cause: 'without the developer options there is no USB debugging',
    did: 'nothing: it is left to those who use the phones',
    lab: {
      zone: 'Europe/Minsk',
      hubs: [7],
      free: 2,
      usb: true,
      from: '2021-12-13',
      days: 23,
      models: ['Galaxy S20', 'Redmi Note 8', 'Pixel 3a'],
    },
    tell(lab) {
      const [tried, left] = [lab.pinned(3), lab.pinned(1)];
      const [at, later] = [lab.at(21, '13:18:22'), lab.at(21, '14:05:47')];
      const losses = [
        lab.lose(tried, at, { forMs: 9 * MINUTE + 14 * SECOND, onUsb: withoutDebugging(at) }),
        lab.lose(left, later, { onUsb: withoutDebugging(later) }),
      ];
      background(lab);
      return {
        at: lab.at(21, '15:30'),
        losses,
        blame: ['person', 'phone'],
        told: {
          about: ['phone'],
          keys: [left.udid, tried.udid],
          says: /developer (option|setting|mode)|debugging/i,
        },
      };
    },
  },
  {
    name: 'a phone that is reached over the farm stays unauthorized until the question on the web page is answered',
    source: 'openstf/stf#1266',
    seen: 'The farm was set up anew, and all works on its web page. A computer connects to a phone over the network as the page says, and adb has it as unauthorized.',
    cause: 'the farm asks on its page whether it may be, and nobody had answered',
    did: 'allowed it on the page',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 2,
      from: '2020-09-07',
      days: 19,
      models: ['Mi 9', 'P30'],
    },
    tell(lab) {
      const phone = lab.add('tcp', { name: 'Mate 20', isThereAtFirst: false });
      phone.isPinned = true;
      lab.phone(phone, lab.at(17, '14:52:08'), { kind: 'attached', state: 'unauthorized' });
      lab.phone(phone, lab.at(17, '15:06:41'), { kind: 'detached' });
      lab.phone(phone, lab.at(17, '15:07:03'), { kind: 'attached', state: 'unauthorized' });
      lab.phone(phone, lab.at(17, '16:33:30'), {
        kind: 'state',
        state: 'device',
        before: 'unauthorized',
      });
      const usual = inUse(lab);
      phone.reading = (at) => (at > lab.at(17, '16:34') ? usual(at) : undefined);
      background(lab);
      return {
        at: lab.at(17, '15:50'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /allow|authori[sz]|confirm|accept|trust/i,
        },
      };
    },
  },
  {
    name: 'a box restarts for five hours in a row, as two of its programs start in the wrong order',
    source: 'Map-A-Droid/MAD#910',
    seen: 'Since an update one of the boxes restarts again and again. To restart it by hand, or its programs, does not help.',
    cause:
      'after each start one program comes up before the one that it needs, does not report in time, and the box is restarted for that',
    did: 'a script that starts the one 30 s and the other 120 s after the system; months later a new edition of the program made it needless',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 7,
      from: '2020-06-01',
      days: 19,
      models: ['TX9S'],
    },
    tell(lab) {
      const box = lab.pinned(5);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(17, '14:26'); at < lab.at(17, '19:20'); ) {
        const forMs = Math.round(lab.random.between(38, 75) * SECOND);
        losses.push(lab.reboot(box, Math.round(at), { forMs, reason: 'reboot' }));
        at += lab.random.between(7, 19) * MINUTE;
      }
      // These have no battery.
      background(lab, { isDaily: true, taken: 0.1, restarts: 3, hasReadings: false });
      return {
        at: lab.at(17, '19:25'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [box.udid],
          says: /restart|reboot|\bboots?\b|crash/i,
        },
      };
    },
  },
  {
    name: 'after tests all phones of a farm are restarted, and it goes on to show some as unauthorized',
    source: 'openstf/stf#802',
    seen: 'When a batch of phones was restarted the web page has some of them as unauthorized for days, while adb lists them and they can be used.',
    cause:
      'the program of the farm has seen the moment before adb had settled, and does not look a second time',
    did: 'restarted that program, or the phone',
    cannotShow: 'adb has these phones as it should: only the program of the farm keeps what was',
    lab: {
      zone: 'Asia/Bangkok',
      hubs: [10, 10, 7],
      from: '2018-01-10',
      days: 20,
      models: ['Galaxy S8', 'Galaxy S7'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      const restarted = (begin: number) => {
        let at = begin;
        for (const phone of phones) {
          const forMs = Math.round(lab.random.between(24, 44) * SECOND);
          const isAsked = lab.random.chance(0.3);
          const loss = lab.reboot(phone, Math.round(at), {
            forMs,
            ...(isAsked && { backAs: 'unauthorized' }),
          });
          losses.push(loss);
          if (isAsked) {
            lab.phone(phone, loss.until + 340, { kind: 'state', state: 'device', before: 'unauthorized' });
            lab.rebooted(phone, loss.until + 12 * SECOND, { uptimeSeconds: Math.round(forMs / SECOND) });
          }
          at += lab.random.between(0.4, 1.6) * SECOND;
        }
      };
      for (const [day, time] of [
        [9, '19:40'],
        [14, '22:15'],
        [17, '01:26'],
        [19, '12:31'],
      ] as const)
        restarted(lab.at(day, time));
      background(lab);
      return {
        at: lab.at(19, '13:10'),
        losses,
        blame: ['person', 'phone'],
      };
    },
  },
  {
    name: 'a phone behind a farm goes offline when a connection is forwarded to a port where nobody listens',
    source: 'VKCOM/devicehub#419',
    seen: 'A phone of the farm is connected over the network, one of its ports is forwarded, and one request is sent there: the phone is offline at once. It is so each time.',
    cause:
      'nothing listens at that port of the phone, and what the farm puts between adb and its phones ends all of the connection for that',
    did: 'reported it to those who make the farm',
    cannotShow: 'nobody records what is forwarded, nor what goes through it',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [4],
      free: 2,
      network: 3,
      from: '2026-08-24',
      days: 16,
      models: ['Pixel 6', 'Galaxy A54', 'Redmi Note 12'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, seconds] of [
        [11, '19:31:15', 96],
        [11, '20:08:47', 41],
        [11, '20:15:20', 212],
        [14, '11:52:06', 65],
        [15, '10:40:33', 130],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { as: 'offline', forMs: seconds * SECOND }));
      background(lab);
      return {
        at: lab.at(15, '10:42'),
        losses,
        blame: ['host', 'adb', 'link', 'phone', 'person', 'unknown'],
      };
    },
  },
];
