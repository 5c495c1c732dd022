/** Incidents that owners and testers mention in the threads of their tools: it worked for hours or days, and then did not. */
import { adbRestarts, background, hostRestarts, type Moment, notReadIn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody's computer under Windows or macOS, which does not say at which USB port a phone is. */
const computer: LabOptions = {
  hubs: [],
  direct: 1,
  known: { slots: false, usbPath: false, hub: false },
};

/** The same without a phone at USB: what it has is in the network. */
const overAir: LabOptions = { ...computer, direct: 0 };

/** It is away at these times; without an end it has not come back. */
const awayAt = (
  lab: Lab,
  phone: LabPhone,
  times: readonly (readonly [from: Moment, to?: Moment])[],
): ToldLoss[] =>
  times.map(([from, to]) => {
    const at = lab.at(...from) + lab.random.whole(0, 29) * SECOND;
    return lab.lose(phone, at, to ? { forMs: lab.at(...to) + lab.random.whole(0, 59_000) - at } : {});
  });

/** Its owner takes it along on most of these days, at about one hour, and is back with it at about another. */
function takenAlong(lab: Lab, phone: LabPhone, days: readonly number[], leaves: number, comes: number): void {
  const { random } = lab;
  for (const day of days) {
    if (random.chance(0.2)) continue;
    const at = Math.round(lab.at(day) + (leaves + random.between(-0.5, 0.8)) * HOUR);
    const back = Math.round(lab.at(day) + (comes + random.between(-0.8, 1)) * HOUR);
    if (lab.isFree(phone, at, back + 5 * MINUTE)) lab.lose(phone, at, { forMs: back - at });
  }
}

export const saidInPassing: readonly Incident[] = [
  {
    name: 'the wireless debugging of a phone has to be switched on again each morning',
    source: 'RikkaApps/Shizuku#294',
    seen: 'An app needs wireless debugging, and stops each day: in the morning it is off. Others see the same, though the Wi-Fi is there all the time.',
    cause:
      'not found: the time limit that Android gives an allowed connection is one suspect, and it is off with some who see it too',
    did: 'switched it on again each morning; was told to disable the time limit of the authorization',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      network: 2,
      known: { slots: false },
      from: '2023-04-03',
      days: 24,
      models: ['Nexus 7', 'phone', 'tablet'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses = awayAt(lab, phone, [
        [
          [11, '02:14'],
          [11, '07:36'],
        ],
        [
          [12, '05:41'],
          [12, '09:50'],
        ],
        [
          [13, '03:02'],
          [13, '10:18'],
        ],
        [
          [14, '00:47'],
          [14, '07:21'],
        ],
        [
          [15, '04:33'],
          [15, '07:44'],
        ],
        [
          [17, '01:55'],
          [17, '07:12'],
        ],
        [
          [18, '03:26'],
          [18, '12:05'],
        ],
        [[19, '02:08']],
      ]);
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(19, '08:10'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|authori[sz]|time limit|time-?out|tcpip|5555/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a phone in the Wi-Fi does not answer any more a few hours after it was set up by cable',
    source: 'Genymobile/scrcpy#3152',
    seen: 'The phone has a fixed address, and is told by cable to listen in the network. That goes well for a few hours; later a connection gets no answer, and the list of adb is empty.',
    cause: 'not found',
    did: 'plugged it in and had it listen in the network again, each time',
    lab: { ...overAir, network: 1, zone: 'Africa/Cairo', from: '2022-03-07', days: 21, models: ['Oppo'] },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = awayAt(lab, phone, [
        [
          [2, '23:51'],
          [4, '19:22'],
        ],
        [
          [4, '22:47'],
          [7, '10:05'],
        ],
        [
          [7, '15:31'],
          [7, '20:12'],
        ],
        [
          [8, '01:44'],
          [11, '18:30'],
        ],
        [
          [11, '21:58'],
          [13, '20:41'],
        ],
        [
          [14, '02:19'],
          [16, '17:03'],
        ],
        [
          [16, '20:26'],
          [18, '21:15'],
        ],
        [
          [19, '01:07'],
          [19, '09:38'],
        ],
        [[19, '13:18']],
      ]);
      background(lab, { isDaily: true, hours: [10, 23] });
      return {
        at: lab.at(19, '16:40'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /tcpip|5555|wireless debugging|adb connect|reconnect|connect[^.]{0,20}again|sleep|standby|power sav/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a tablet drops its wireless debugging each day or so, and takes it only after everything is set up anew',
    source: 'Genymobile/scrcpy#7046',
    seen: 'With an older version of the program that mirrors it all went well. Of late the permission is gone every day or so, and then the tablet refuses, also when it is plugged in and told to listen.',
    cause: 'not found: the new version of the program, or something in the settings of either side',
    did: 'took the computer off the list of the tablet, restarted both, and paired them again',
    lab: {
      ...overAir,
      network: 1,
      zone: 'America/Toronto',
      from: '2026-08-31',
      days: 24,
      models: ['Galaxy Tab A'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const times: readonly (readonly [Moment, Moment])[] = [
        [
          [16, '09:12'],
          [16, '19:48'],
        ],
        [
          [17, '11:30'],
          [17, '20:21'],
        ],
        [
          [19, '08:55'],
          [19, '21:07'],
        ],
        [
          [20, '14:41'],
          [21, '10:36'],
        ],
      ];
      for (const [, to] of times) {
        const back = lab.at(...to);
        hostRestarts(lab, back - 7 * MINUTE);
        const uptimeSeconds = lab.random.whole(190, 320);
        lab.rebooted(tablet, back + 80 * SECOND, { reason: 'reboot,userrequested', uptimeSeconds });
      }
      const losses = awayAt(lab, tablet, [...times, [[22, '07:53']]]);
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '18:05'),
        losses,
        blame: ['phone', 'person', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /authori[sz]|\ballow|\bpair|debugging|tcpip|5555|restart|reboot/i,
        },
        alsoAbout: ['phone', 'network', 'host'],
      };
    },
  },
  {
    name: 'an Android in a container refuses adb about eight hours after each start, and goes on running',
    source: 'remote-android/redroid-doc#88',
    seen: 'After its start adb works, but a shell or a mirror cannot be ended properly. Eight hours later each connection is refused, while its clock and its services go on.',
    cause: 'not said: the adb daemon in the container does not take connections any more',
    did: 'looked into the container by Docker, and asked with its log',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2022-01-03',
      days: 18,
      models: ['Mi 9', 'redroid'],
    },
    tell(lab) {
      const [container] = lab.pinnedOf('tcp') as [LabPhone];
      container.reading = () => undefined;
      const losses = awayAt(lab, container, [
        [
          [10, '17:44'],
          [11, '09:31'],
        ],
        [
          [11, '17:20'],
          [14, '09:12'],
        ],
        [
          [14, '17:33'],
          [15, '08:40'],
        ],
        [[15, '16:38']],
      ]);
      background(lab);
      return {
        at: lab.at(15, '18:20'),
        losses,
        blame: ['phone', 'link', 'network', 'host', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /restart|reboot|start(?:s|ed)? (?:it )?(?:again|anew)|container|\badbd\b|adb connect|reconnect|debugging/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'four phones are tested at once and two of them are not found, one after the other goes well',
    source: 'appium/appium#8777',
    seen: 'Four phones at a Linux machine run tests, each with a server of the test tool of its own. At two of these servers adb then says that the phone is not there. It happened many times; run one after the other nothing fails.',
    cause: 'not said',
    did: 'ran the tests one after the other',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [4],
      known: { slots: false },
      from: '2017-06-12',
      days: 24,
      models: ['Galaxy J7', 'Moto G4', 'Galaxy J7', 'Redmi Note 3'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [17, '15:20'],
        [18, '11:05'],
        [18, '16:42'],
        [21, '10:31'],
        [21, '14:50'],
        [21, '17:12'],
        [22, '11:26'],
        [22, '15:08'],
      ] as const)
        for (const phone of random.shuffled(phones).slice(0, 2)) {
          const at = Math.round(lab.at(day, time) + random.between(1.5, 14) * MINUTE);
          losses.push(lab.lose(phone, at, { forMs: Math.round(random.between(1.4, 9) * SECOND) }));
        }
      background(lab);
      return {
        at: lab.at(22, '16:20'),
        losses,
        blame: ['port', 'link', 'phone', 'hub', 'host', 'adb', 'unknown'],
        told: {
          about: ['port', 'phone', 'hub', 'host'],
          says: /cable|\bhub\b|\bpower(?:ed|s| supply)?\b|another port|socket|\bplugs?\b|kill-server|adb server/i,
        },
        alsoAbout: ['port', 'phone', 'hub', 'host'],
      };
    },
  },
  {
    name: 'two phones are tested at once and each test tool ends the adb of the other',
    source: 'appium/appium#11750',
    seen: 'With one phone tests run. With two, both servers of the tool fail: the one finds no phone, ends adb, starts it again and finds one, and so does the other.',
    cause:
      'the tool restarts the adb server when it finds no phone, and both phones are gone from it for that moment',
    did: 'asked; the makers took it for no error of theirs',
    lab: {
      ...computer,
      direct: 2,
      zone: 'Asia/Shanghai',
      from: '2018-11-05',
      days: 26,
      models: ['phone', 'Mi 6'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [18, '14:22:10', 2],
        [18, '14:41:37', 3],
        [21, '10:05:52', 2],
        [21, '16:33:20', 4],
        [22, '11:17:44', 2],
        [23, '09:52:06', 3],
        [23, '10:30:19', 2],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = times; left > 0; left -= 1) {
          const back = adbRestarts(lab, at, 39, random.whole(260, 1900));
          for (const phone of phones)
            losses.push(
              lab.lose(phone, back + 400 + random.whole(0, 120), {
                forMs: random.whole(700, 2600),
                onUsb: {},
              }),
            );
          at = back + random.whole(4, 22) * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(23, '11:00'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /another program|two programs|a program|which program|what (?:ends|stops|kills)|(?:ends?|stops?|kills?)[^.]{0,25}\badb\b|kill-server|(?:same|one) adb/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a phone asks in the middle of a night of tests what its cable is for, as if it were plugged in anew',
    source: 'AirtestProject/Poco#547',
    seen: 'While the tests of a game run the phone is not found any more. Its screen shows the choice of the USB mode that only comes when a cable is put in, and nobody touched it.',
    cause: 'not found',
    did: 'asked with the log',
    lab: { ...computer, zone: 'Asia/Shanghai', from: '2022-05-02', days: 23, models: ['Huawei'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '23:48:20', 0],
        [17, '02:31:07', 0],
        [17, '22:05:44', 0],
        [18, '01:12:39', 463],
        [19, '00:54:26', 0],
        [19, '04:10:02', 0],
        [20, '23:17:31', 0],
        [21, '00:20:54', 0],
        [21, '03:36:45', 327],
      ] as const) {
        const forMs = minutes * MINUTE + Math.round(random.between(1.8, 7) * SECOND);
        losses.push(lab.lose(phone, lab.at(day, time), { forMs }));
      }
      background(lab);
      return {
        at: lab.at(21, '10:15'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          says: /cable|socket|\bplugs?\b|contact|connector|another port|USB (?:mode|setting)/i,
        },
        alsoAbout: ['port', 'phone', 'host'],
      };
    },
  },
  {
    name: 'halfway through sixty tests the screen is black, and they go on only after the cable was pulled',
    source: 'AirtestProject/Poco#560',
    seen: 'More than sixty tests are run from a Mac mini. After some thirty each further one fails: the phone shows nothing and does nothing. adb lists it all the time.',
    cause: 'not found',
    did: 'pulled the cable, put it in again, and connected the phone anew, each time',
    cannotShow:
      'adb lists the phone while it stands still; only that somebody pulls its cable for some seconds is recorded',
    lab: { ...computer, zone: 'Asia/Shanghai', from: '2022-08-01', days: 20, models: ['Mi 10'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '11:42'],
        [11, '16:20'],
        [14, '15:07'],
        [15, '11:58'],
        [15, '17:31'],
        [16, '14:44'],
        [17, '10:52'],
        [17, '16:36'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 55) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: lab.random.whole(5, 38) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(17, '18:30'),
        losses,
        blame: ['person', 'port', 'link', 'phone', 'unknown'],
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'a phone is lost as soon as much is sent through its cable, and stays with little',
    source: 'Genymobile/gnirehtet#162',
    seen: 'The phone uses the internet of the computer by its cable. After some amount of data adb has lost it. Without that program, or while nothing is sent, it stays for as long as one likes.',
    cause: 'not found: something of adb or USB, as the author of the program says',
    did: 'pulled the cable and put it in again, each time; was told to try another one',
    lab: { ...computer, zone: 'Asia/Kolkata', from: '2018-11-26', days: 24, models: ['phone'] },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [18, '21:10', 2],
        [19, '11:25', 3],
        [19, '20:48', 1],
        [20, '12:30', 2],
        [21, '20:55', 3],
        [22, '20:36', 4],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = times; left > 0; left -= 1) {
          at = Math.round(at + random.between(4, 19) * MINUTE);
          const forMs = random.whole(35, 260) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + random.whole(20, 90) * SECOND;
        }
      }
      takenAlong(lab, phone, lab.workdays(0, 23), 8.2, 18.6);
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '22:30'),
        losses,
        blame: ['port', 'link', 'phone', 'adb', 'host', 'unknown'],
        told: {
          about: ['port', 'phone', 'host'],
          says: /cable|socket|another port|\bplugs?\b|contact|connector/i,
        },
        alsoAbout: ['port', 'phone', 'host'],
      };
    },
  },
  {
    name: 'a phone that serves as a computer shows another one on USB, and its adb does not any more',
    source: 'nohajc/termux-adb#43',
    seen: 'On a phone with Termux adb found the other phone at its cable, until it stopped at some moment. USB still lists it, adb does not, and at a real computer the phone is found. Other versions did not help.',
    cause: 'not found: the adb server on that phone, or what Android lets it have of USB',
    did: 'was told to end the adb server and to plug the phone in again, a few times: with others that helps',
    lab: {
      zone: 'Europe/Samara',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2025-08-04',
      days: 20,
      models: ['Mi A2'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      awayAt(lab, phone, [
        [
          [0, '22:40'],
          [3, '19:12'],
        ],
        [
          [3, '23:05'],
          [6, '14:31'],
        ],
        [
          [6, '18:20'],
          [10, '20:02'],
        ],
        [
          [10, '22:15'],
          [15, '19:26'],
        ],
      ]);
      const stopped = lab.at(15, '20:14:31');
      const loss = lab.lose(phone, stopped, { onUsb: {} });
      for (const [day, time, isAdbEnded] of [
        [15, '20:21:10', false],
        [15, '20:33:42', true],
        [16, '18:50:15', false],
        [17, '19:04:08', true],
      ] as const) {
        const pulled = lab.at(day, time);
        const plugged = pulled + lab.random.whole(4, 25) * SECOND;
        lab.usb(phone, pulled, null);
        lab.usb(phone, plugged, { connectedAt: plugged });
        if (isAdbEnded) adbRestarts(lab, plugged + 50 * SECOND, 41, lab.random.whole(2000, 6500));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '19:40'),
        losses: [loss],
        blame: ['adb', 'host', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /kill-server|adb server|(?:re)?start[^.]{0,25}\badb\b|permission|udev|debugging|plug[^.]{0,25}(?:again|anew)|re-?plug/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a phone that is tested over the network is gone again and again in the middle of many tests',
    source: 'AirtestProject/Airtest#624',
    seen: 'A Linux machine runs many tests on a phone that it reaches by its address. Several times the tool says that it tries to start its part on the phone again, and then the phone is not in the list of adb.',
    cause: 'not found',
    did: 'asked what can make a phone leave',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 3,
      known: { slots: false },
      from: '2019-11-11',
      days: 19,
      models: ['Mi 8', 'Redmi Note 4X', 'Honor 9', 'vivo X21'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = awayAt(lab, phone, [
        [
          [10, '15:42'],
          [10, '16:01'],
        ],
        [
          [11, '11:20'],
          [11, '13:48'],
        ],
        [
          [14, '10:55'],
          [14, '11:36'],
        ],
        [
          [14, '17:23'],
          [15, '09:41'],
        ],
        [
          [15, '11:08'],
          [15, '11:17'],
        ],
        [
          [15, '14:36'],
          [15, '15:02'],
        ],
        [[16, '12:12']],
      ]);
      background(lab);
      return {
        at: lab.at(16, '12:40'),
        losses,
        blame: ['phone', 'link', 'network', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-Fi|wireless|access point|signal|router|adb connect|reconnect|sleep|standby|debugging/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a television refuses adb since it was without power for two minutes',
    source: 'bennettpeter/leanfront#133',
    seen: 'An app was brought to the television by adb. On the same day its support had the owner pull its plug for two minutes; since then it refuses each connection, while its settings say that debugging is on.',
    cause: 'not found: its adb does not listen since that start',
    did: 'restarted television and laptop, and switched the settings for developers off and on',
    lab: {
      ...overAir,
      network: 1,
      zone: 'America/Denver',
      from: '2026-06-15',
      days: 22,
      models: ['Bravia 5'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      awayAt(lab, television, [
        [
          [6, '23:41'],
          [7, '17:20'],
        ],
        [
          [13, '08:15'],
          [13, '08:19'],
        ],
      ]);
      const pulled = lab.at(19, '17:26:40');
      const loss = lab.lose(television, pulled);
      hostRestarts(lab, lab.at(19, '18:42'));
      notReadIn(lab, television, [[lab.start, lab.end]]);
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '10:40'),
        losses: [loss],
        blame: ['phone', 'person', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|developer|tcpip|5555|adb connect|authori[sz]|\ballow/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
];
