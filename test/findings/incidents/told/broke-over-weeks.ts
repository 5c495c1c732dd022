/** Incidents of people with several devices, whose set-up went well for weeks, and then broke or became strange. */
import { adbRestarts, background, hostRestarts, levels, type Moment } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody's computer under Windows or macOS, which does not say at which USB port a phone is. */
const computer: LabOptions = {
  hubs: [],
  direct: 1,
  known: { slots: false, usbPath: false, hub: false },
};

/** From one moment to another, or for good, with some seconds more or less. */
function gone(lab: Lab, phone: LabPhone, from: Moment, to?: Moment): ToldLoss {
  const at = lab.at(...from) + lab.random.whole(0, 40) * SECOND;
  return lab.lose(phone, at, to ? { forMs: lab.at(...to) + lab.random.whole(0, 59_000) - at } : {});
}

/** Its level goes through these, and is one or two percent off. */
function readAs(lab: Lab, phone: LabPhone, points: readonly (readonly [Moment, percent: number])[]): void {
  const moments = points.map(([moment, percent]) => [lab.at(...moment), percent] as const);
  phone.reading = levels([[lab.start, 100], ...moments], lab.random.whole(275, 320));
}

/** A mode for files and flashing, into which somebody puts a watch by hand. */
const bootloader = (at: number) => ({
  interfaces: [{ kind: 'ff/42/03', endpoints: 2 }],
  connectedAt: at,
});

/** It is flashed; what then starts shows nothing at USB, until it is flashed with something else. */
function flashed(lab: Lab, watch: LabPhone, from: Moment, to?: Moment): ToldLoss {
  const at = lab.at(...from);
  const back = to && lab.at(...to);
  const loss = lab.lose(watch, at, back ? { forMs: back - at } : {});
  lab.usb(watch, at + 9 * SECOND, bootloader(at + 9 * SECOND));
  lab.usb(watch, at + 4 * MINUTE, null);
  if (back) {
    lab.usb(watch, back - 6 * MINUTE, bootloader(back - 6 * MINUTE));
    lab.usb(watch, back - 40 * SECOND, null);
    lab.usb(watch, back, undefined);
  }
  return loss;
}

export const brokeOverWeeks: readonly Incident[] = [
  {
    name: 'with more than twenty phones at one computer now this one and now that one drops out',
    source: 'openatx/uiautomator2#63',
    seen: 'Scripts drive many phones at the USB of one computer. Beyond some twenty of them it is not stable any more.',
    cause:
      'not found; whoever reported it takes it for a limit of adb itself, whose source would have to be changed',
    did: 'nothing that is told',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [10, 10, 7],
      free: 9,
      known: { slots: false, usbPath: false, hub: false },
      from: '2018-02-26',
      days: 25,
      models: ['Oppo A57', 'Redmi 4X', 'Vivo Y66', 'Redmi 4X'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.freePorts(lab.start).slice(0, 6);
      for (const [index, port] of ports.entries()) {
        const phone = lab.add('usb', { port, isThereAtFirst: false });
        phone.isPinned = true;
        const at = lab.at(14, '15:20') + index * random.whole(35, 70) * SECOND;
        lab.phone(phone, at, { kind: 'attached', state: 'unauthorized' });
        const allowed = at + random.whole(6, 25) * SECOND;
        lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
      }
      const losses: ToldLoss[] = [];
      for (const [day, from, hours, times] of [
        [15, '10:40', 7, 9],
        [16, '10:05', 8, 11],
        [17, '13:30', 5, 6],
        [18, '10:20', 8, 13],
        [21, '10:10', 8, 10],
        [22, '09:50', 5, 7],
      ] as const)
        for (let left = times; left > 0; left -= 1) {
          const at = Math.round(lab.at(day, from) + random.between(0, hours) * HOUR);
          const isShort = random.chance(0.65);
          const forMs = Math.round(
            isShort ? random.between(1.5, 14) * SECOND : random.between(2.5, 38) * MINUTE,
          );
          const phone = random.pick(lab.phones);
          if (lab.isFree(phone, at, at + forMs))
            losses.push(lab.lose(phone, at, { forMs, ...(random.chance(0.2) && { as: 'offline' }) }));
        }
      background(lab);
      return {
        at: lab.at(22, '15:40'),
        losses,
        blame: ['hub', 'host', 'adb', 'port', 'link', 'unknown'],
        told: {
          about: ['host', 'hub', 'port'],
          says: /too many|fewer|how many|controller|another (?:hub|host|port)|second host|adb (?:server|version)|\bpower(?:ed|s)?\b|power supply/i,
        },
        alsoAbout: ['host', 'hub', 'port', 'phone'],
      };
    },
  },
  {
    name: 'after tests on nineteen phones at once none of them can be controlled until the test program is restarted',
    source: 'SonicCloudOrg/sonic-agent#81',
    seen: 'Tests run on nineteen phones of a Linux machine in one go. After them the phones can no longer be controlled from afar.',
    cause: 'something in the program that hands out the phones; its library for adb is suspected',
    did: 'restarted that program, each time',
    cannotShow: 'adb lists all phones all the time; it is the program that controls them that is stuck',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [10, 10],
      free: 1,
      known: { slots: false },
      from: '2021-12-06',
      days: 20,
      models: ['Redmi K30', 'Honor 20', 'Oppo Reno4', 'Vivo X50', 'Mi 10'],
    },
    tell(lab) {
      background(lab, { restarts: 0.9 });
      return { at: lab.at(17, '17:30') };
    },
  },
  {
    name: 'two phones are tested at their cables all day and are not charged up any more',
    source: 'AirtestProject/Airtest#959',
    seen: 'Tests run on two phones at a Mac. While both are tested they do not get back to a full battery, and one of them hardly charges though it is plugged in.',
    cause: 'the tests take more than the computer gives at its ports',
    did: 'wanted to test one and charge the other by turns; was told to look for smart sockets',
    lab: {
      ...computer,
      direct: 2,
      zone: 'Asia/Taipei',
      from: '2021-09-06',
      days: 26,
      models: ['Oppo Reno3', 'Pixel 4'],
    },
    tell(lab) {
      const [oppo, other] = lab.pinnedOf('usb') as [LabPhone, LabPhone];
      readAs(lab, oppo, [
        [[10, '09:30'], 100],
        [[10, '18:40'], 61],
        [[11, '09:10'], 79],
        [[11, '18:20'], 38],
        [[14, '09:20'], 83],
        [[14, '19:05'], 41],
        [[15, '09:30'], 56],
        [[15, '18:10'], 19],
        [[16, '09:40'], 47],
        [[16, '15:15'], 22],
        [[17, '09:15'], 55],
        [[17, '18:35'], 17],
        [[21, '09:05'], 71],
        [[21, '19:10'], 26],
        [[22, '09:25'], 49],
        [[22, '18:00'], 15],
        [[23, '09:30'], 42],
        [[23, '16:50'], 14],
        [[24, '09:20'], 44],
        [[24, '16:00'], 13],
        [[25, '09:00'], 46],
      ]);
      readAs(lab, other, [
        [[10, '09:30'], 100],
        [[10, '18:40'], 74],
        [[11, '09:10'], 97],
        [[11, '18:20'], 63],
        [[14, '09:20'], 96],
        [[14, '19:05'], 58],
        [[15, '09:30'], 88],
        [[15, '18:10'], 45],
        [[16, '09:40'], 81],
        [[16, '15:15'], 52],
        [[17, '09:15'], 90],
        [[17, '18:35'], 44],
        [[21, '09:05'], 95],
        [[21, '19:10'], 51],
        [[22, '09:25'], 84],
        [[22, '18:00'], 39],
        [[23, '09:30'], 77],
        [[23, '16:50'], 40],
        [[24, '09:20'], 80],
        [[24, '16:00'], 48],
        [[25, '09:00'], 79],
      ]);
      for (const phone of [oppo, other])
        lab.facts(phone, lab.start, { battery: { isPresent: true, status: 'CHARGING' } });
      background(lab);
      return {
        at: lab.at(24, '16:10'),
        told: {
          about: ['phone', 'port', 'hub', 'host'],
          says: /charg(?:e|es|ed|er|ing)\b|\bpower(?:ed|s)?\b|power supply|socket/i,
        },
        alsoAbout: ['phone', 'port', 'hub', 'host'],
      };
    },
  },
  {
    name: 'of five phones that are tested at one computer one often stands still while the others go on',
    source: 'AirtestProject/Poco#80',
    seen: 'A script is run on five phones of one computer. Often it stands still on one of them, and the same is passed by the other four. With one phone at the computer it never happens.',
    cause: 'not found',
    did: 'asked with the log of the tests',
    cannotShow:
      'the phone answers adb all the time, as the log of the tests shows; it is the script that waits',
    lab: {
      ...computer,
      direct: 5,
      zone: 'Asia/Shanghai',
      from: '2018-08-20',
      days: 25,
      models: ['Mi 6', 'Huawei P10', 'Oppo R11', 'Vivo X9', 'Meizu Pro 6'],
    },
    tell(lab) {
      background(lab, { taken: 1.1 });
      return { at: lab.at(22, '15:30') };
    },
  },
  {
    name: 'since a new nightly build one watch after another is not seen at its cable any more',
    source: 'AsteroidOS/meta-smartwatch#253',
    seen: 'Since a build of October 10 adb finds several watches no longer. The kernel of the computer writes nothing when one of them is plugged in.',
    cause: 'the new build of the system of the watches does not offer anything at USB',
    did: 'tried it with another watch, which was then gone too, and reported the build',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      usb: true,
      known: { slots: false },
      from: '2024-09-23',
      days: 27,
      models: ['TicWatch Pro', 'LG Watch Urbane', 'Huawei Watch', 'ZenWatch 3'],
    },
    tell(lab) {
      const [ticWatch, urbane, , zenWatch] = lab.pinnedOf('usb') as [LabPhone, LabPhone, LabPhone, LabPhone];
      const losses = [
        flashed(lab, zenWatch, [19, '21:14:20'], [20, '22:41:08']),
        flashed(lab, urbane, [22, '20:05:47']),
        flashed(lab, ticWatch, [25, '18:22:31']),
      ];
      background(lab, { isDaily: true, hours: [17, 23] });
      return {
        at: lab.at(25, '21:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /debugging|update|build|flash|firmware|recovery|boot|does not start|USB (?:mode|setting)/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'one hotspot after another is set up, works until its restart, and never comes back',
    source: 'EFForg/rayhunter#865',
    seen: 'Over some months many used hotspots were given another program. It runs on them, but after a restart they have no network and no shell any more: a pile of some fifteen.',
    cause:
      'not found: what was put on them, or what an earlier try had left there; of another one the battery was bad',
    did: 'cleared what was left there and put the program on them again, which went well up to the next restart',
    lab: {
      zone: 'America/Chicago',
      hubs: [7, 7],
      free: 2,
      known: { slots: false },
      from: '2025-12-15',
      days: 56,
      models: ['Moxee'],
    },
    tell(lab) {
      const { random } = lab;
      const times: readonly (readonly [phone: number, day: number, time: string, minutes: number])[] = [
        [2, 12, '20:14', 26],
        [5, 13, '15:40', 9],
        [0, 19, '19:22', 71],
        [7, 26, '14:05', 18],
        [8, 26, '16:48', 12],
        [3, 34, '21:10', 34],
        [10, 40, '13:36', 15],
        [6, 48, '20:51', 22],
        [11, 53, '19:33', 41],
        [4, 53, '21:17', 8],
      ];
      const losses = times.map(([index, day, time, minutes]) => {
        const hotspot = lab.pinned(index);
        const at = lab.at(day, time) + random.whole(0, 50) * SECOND;
        lab.reboot(hotspot, at, { forMs: random.whole(41, 68) * SECOND });
        return lab.lose(hotspot, Math.round(at + minutes * MINUTE + random.between(0, 50) * SECOND));
      });
      background(lab, { isDaily: true, hours: [12, 23], hasReadings: false });
      return {
        at: lab.at(54, '13:10'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          says: /\bboots?\b|(?:does|did|do) not start|after (?:a|its|each|every|the) (?:restart|reboot)|recovery|flash|reset|batter(?:y|ies)/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'two robots refuse adb since the maker worked on its service, and a restart does not help',
    source: 'robotemi/sdk#273',
    seen: 'In the evening adb still worked. On the next day the robots refuse each connection; a second one does the same, and so it is with several teams.',
    cause:
      'the maker had worked on its service on the day before, and with it on which devices a robot trusts',
    did: 'restarted the robots in vain, and waited for the maker',
    lab: {
      zone: 'Asia/Singapore',
      hubs: [4],
      network: 2,
      known: { slots: false },
      from: '2022-02-21',
      days: 24,
      models: ['Pixel 4a', 'Galaxy A52', 'Redmi Note 9', 'Galaxy Tab A7', 'temi', 'temi'],
    },
    tell(lab) {
      const [one, other] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      for (const robot of [one, other])
        robot.reading = levels([[lab.start, 100]], lab.random.whole(295, 315));
      gone(lab, one, [8, '14:20'], [8, '14:26']);
      const losses = [gone(lab, one, [22, '01:52']), gone(lab, other, [22, '01:56'])];
      background(lab);
      return {
        at: lab.at(22, '14:20'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|authori[sz]|tcpip|refus|update|\badbd\b|adb port|5555/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'each run of a build tool ends adb, and the television and the watch have to be connected anew',
    source: 'flexn-io/renative#538, flexn-io/renative#607, flexn-io/renative#699',
    seen: 'A television, or a watch, is connected through the network. Whenever the build tool runs an app it stops the adb server and starts it again, and the device is no longer listed.',
    cause: 'the tool runs adb kill-server and adb start-server at each run',
    did: 'connected the device again each time; later gave its address to the tool in the right form',
    lab: {
      ...computer,
      network: 2,
      zone: 'Europe/Warsaw',
      from: '2020-10-05',
      days: 24,
      models: ['Galaxy S9', 'Android TV', 'watch'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.pinnedOf('usb');
      const [television, watch] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      television.reading = () => undefined;
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [15, ['19:42', '20:06', '20:31']],
        [17, ['20:15', '20:58']],
        [19, ['10:24', '10:51', '11:30', '14:07', '15:22']],
        [20, ['11:12', '12:40', '16:03']],
        [21, ['19:10', '19:34', '20:02', '20:27']],
      ] as const)
        for (const time of times) {
          const at = lab.at(day, time) + random.whole(0, 55) * SECOND;
          const back = adbRestarts(lab, at, 41, random.whole(1400, 4200));
          for (const phone of phones)
            losses.push(lab.lose(phone, back + 400, { forMs: random.whole(700, 2600), onUsb: {} }));
          for (const device of [television, watch]) {
            const isForgotten = device === watch && random.chance(0.25);
            const forMs = isForgotten ? random.between(9, 16) * MINUTE : random.between(35, 240) * SECOND;
            losses.push(lab.lose(device, back + 400 + random.whole(0, 90), { forMs: Math.round(forMs) }));
          }
        }
      background(lab, { isDaily: true, hours: [9, 22] });
      return {
        at: lab.at(21, '20:45'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /another program|two programs|a program|which program|what (?:ends|stops|kills|restarts)|(?:ends?|stops?|kills?|restarts?)[^.]{0,25}\badb\b|kill-server|(?:same|one) adb/i,
        },
        alsoAbout: ['host', 'network', 'phone'],
      };
    },
  },
  {
    name: 'after an update of the home server none of four television sticks answers until each is restarted',
    source: 'home-assistant/core#23411',
    seen: 'The box that runs a home gets an update. Nothing else was changed, but from then on all four sticks do not answer any more.',
    cause: 'not found; something on the box that was not ended properly has the sticks hang, is one guess',
    did: 'restarted the sticks, and each was there again',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 4,
      from: '2019-04-08',
      days: 24,
      models: ['Fire TV Stick', 'Fire TV Stick 4K', 'Fire TV Stick', 'Fire TV'],
    },
    tell(lab) {
      const sticks = lab.pinnedOf('tcp');
      for (const stick of sticks) stick.reading = () => undefined;
      const updated = lab.at(20, '20:12:40');
      hostRestarts(lab, updated);
      const losses = sticks.map((stick, index) => {
        const at = updated + 80 * SECOND + 500 + lab.random.whole(0, 300);
        const back = lab.at(22, '19:36:20') + index * lab.random.whole(95, 190) * SECOND;
        lab.rebooted(stick, back + 15 * SECOND, { uptimeSeconds: lab.random.whole(48, 75) });
        return lab.lose(stick, at, { forMs: back - at });
      });
      background(lab, { isDaily: true, hours: [17, 23], hasReadings: false });
      return {
        at: lab.at(21, '20:30'),
        losses,
        blame: ['host', 'adb', 'phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: /restart|reboot|power.?cycl|off and on|unplug/i,
        },
        alsoAbout: ['phone', 'host', 'network'],
      };
    },
  },
  {
    name: 'a fourth device at the charger makes all of them start and stop charging over and over',
    source: 'https://blog.tan-w.net/archives/40832',
    seen: 'A phone at a charger with four sockets begins to charge, stops, and begins again. Another cable does not help, and then all four devices are seen to do it. With three of them it is gone.',
    cause:
      'the charger gives two amperes in all, and a phone that was bought of late draws more than the one before',
    did: 'charged no more than three at once, and thought of a stronger charger',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      network: 2,
      from: '2019-06-03',
      days: 22,
      models: ['Xperia', 'Nexus 5X', 'Zenfone'],
    },
    tell(lab) {
      const added = lab.add('tcp', { isThereAtFirst: false });
      lab.phone(added, lab.at(15, '11:05'), { kind: 'attached', state: 'device' });
      const phones = lab.pinnedOf('tcp');
      for (const phone of phones) {
        const points: (readonly [Moment, number])[] = [];
        for (const day of lab.everyDay()) {
          const isScant = day > 15;
          const atMorning = isScant ? lab.random.whole(37, 61) : lab.random.whole(97, 100);
          points.push([[day, '08:50'], atMorning]);
          points.push([[day, '19:20'], Math.max(12, atMorning - lab.random.whole(18, 44))]);
        }
        readAs(lab, phone, points);
        for (const day of [15, 16, 17, 18])
          for (let at = lab.at(day, '19:20'); at < lab.at(day + 1, '08:50'); at += 95 * MINUTE) {
            const from = Math.round(at + lab.random.between(0, 40) * MINUTE);
            const until = from + lab.random.whole(4, 50) * SECOND;
            lab.facts(phone, from, { battery: { isPresent: true, status: 'CHARGING' } });
            lab.facts(phone, until, { battery: { isPresent: true, status: 'DISCHARGING' } });
          }
      }
      background(lab);
      return {
        at: lab.at(18, '10:20'),
        told: {
          about: ['phone', 'room', 'network'],
          says: /charger|charg(?:e|es|ed|ing)\b|cable|power (?:supply|adapter)/i,
        },
        alsoAbout: ['phone', 'room'],
      };
    },
  },
  {
    name: 'every day or two a smart display forgets all Wi-Fi until somebody switches it off and on',
    source: 'msp1974/ViewAssist_Companion_App#54',
    seen: 'A smart display with another Android on it loses its Wi-Fi altogether every day or two, and then does not even find the names of the networks around.',
    cause: 'not found: a known fault of this kind of display',
    did: 'switched its Wi-Fi off, waited for half a minute or more, and switched it on again; asked for an app that does it',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 3,
      from: '2025-10-06',
      days: 24,
      models: ['ThinkSmart View', 'Fire HD 8', 'Galaxy Tab A9'],
    },
    tell(lab) {
      const display = lab.pinned(0);
      // it has no battery: what it says of one does not change
      display.reading = () => ({ levelPercent: 100, isFull: true, temperatureDecicelsius: 250 });
      const losses = [
        gone(lab, display, [7, '13:22'], [7, '18:04']),
        gone(lab, display, [9, '02:47'], [9, '07:12']),
        gone(lab, display, [10, '16:35'], [10, '19:20']),
        gone(lab, display, [12, '04:08'], [12, '09:41']),
        gone(lab, display, [13, '21:53'], [14, '06:58']),
        gone(lab, display, [16, '08:19'], [16, '17:36']),
        gone(lab, display, [17, '23:40'], [18, '10:15']),
        gone(lab, display, [19, '12:02'], [19, '12:31']),
        gone(lab, display, [20, '18:44'], [20, '22:09']),
        gone(lab, display, [22, '05:31']),
      ];
      background(lab, { isDaily: true, hours: [7, 22] });
      return {
        at: lab.at(22, '08:05'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|restart|reboot|off and on/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'eight phones that are tested well by cable fail by Wi-Fi as soon as more than three are used',
    source: 'openatx/uiautomator2#938',
    seen: 'Eight phones of one kind are driven by a script from a Mac. By cable all goes well. By Wi-Fi a few of them, each time others, are lost as soon as more than three are used.',
    cause: 'not found; the network that is less steady than a cable is what the tester suspects',
    did: 'asked; at the cables it went well',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 8,
      from: '2024-01-15',
      days: 25,
      models: ['Redmi Note 11'],
    },
    tell(lab) {
      const { random } = lab;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [17, '14:10', 50],
        [18, '10:35', 70],
        [18, '15:20', 45],
        [21, '11:05', 80],
        [22, '10:15', 60],
        [22, '16:40', 55],
        [23, '14:05', 85],
      ] as const)
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(2, 4))) {
          const at = Math.round(lab.at(day, time) + random.between(3, minutes) * MINUTE);
          const forMs = Math.round(
            random.chance(0.5) ? random.between(4, 50) * SECOND : random.between(2, 26) * MINUTE,
          );
          if (lab.isFree(phone, at, at + forMs)) losses.push(lab.lose(phone, at, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(23, '15:40'),
        losses,
        blame: ['network', 'link', 'phone', 'adb', 'unknown'],
        told: {
          about: ['network', 'phone', 'host'],
          says: /cable|\bUSB\b|Wi-?Fi|access point|router|\bsignal\b/i,
        },
        alsoAbout: ['network', 'phone', 'host'],
      };
    },
  },
];
