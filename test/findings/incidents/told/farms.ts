/** Incidents of device farms with hubs, as their users wrote them up. */
import { adbRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const reseat = (lab: Lab, day: number) => lab.at(day, '09:20');

export const incidents: Incident[] = [
  {
    name: 'a hub flickers every minute once six phones are on it',
    source: 'openstf/stf#677',
    seen: 'Four phones worked well; with two more, all of them come and go every few seconds, for hours.',
    cause: 'the hub has too little power for six phones',
    did: 'was told to get better hardware: a hub with enough power',
    lab: { from: '2017-08-07', days: 12, hubs: [7], free: 1 },
    tell(lab) {
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const [late = phones[0], later = phones[1]] = phones.slice(4);
      const plugged = lab.at(10, '11:30');
      for (const [index, phone] of [late, later].entries()) {
        if (!phone) continue;
        phone.isThereAtFirst = false;
        lab.phone(phone, plugged + index * 40 * SECOND, { kind: 'attached', state: 'device' });
      }
      const losses: ToldLoss[] = [];
      for (let at = plugged + 3 * MINUTE; at < plugged + 3 * HOUR; at += lab.random.between(45, 75) * SECOND)
        losses.push(
          ...lab.loseAll(phones, at, { spreadMs: 1500, forMs: 6 * SECOND, backSpreadMs: 5 * SECOND }),
        );
      background(lab);
      return {
        at: plugged + 2 * HOUR,
        losses: losses.filter(({ at }) => at < plugged + 2 * HOUR),
        blame: ['hub'],
        told: { about: ['hub'], says: /power|replace/i },
      };
    },
  },
  {
    name: 'a hub with its own power keeps its phones from being found after a restart of the host',
    source: 'openstf/stf#842',
    seen: 'Two powered hubs with six phones each. After a restart of the host the phones are not in adb.',
    cause: 'the phones do not notice that the host was away: the hub went on powering them',
    did: 'switched the hubs off and on',
    lab: { from: '2018-03-12', days: 18, hubs: [7, 7], free: 2 },
    tell(lab) {
      const at = lab.at(16, '10:05');
      const phones = [...lab.phonesOf(0), ...lab.phonesOf(1)];
      for (const phone of phones) phone.isPinned = true;
      hostRestarts(lab, at);
      const losses = phones.map((phone) => lab.lose(phone, at + 81 * SECOND));
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses,
        blame: ['host', 'hub', 'unknown'],
        told: { about: ['phone', 'hub', 'host', 'room'], says: /power|unplug|plug/i },
        alsoAbout: ['room', 'host'],
      };
    },
  },
  {
    name: 'all Samsungs go offline after a day without use, no other phone does',
    source: 'openstf/stf#766',
    seen: 'Ten phones on two hubs; the Samsung ones are lost and offline after about 24 hours without use.',
    cause: 'the Samsungs let go of the connection when they idle',
    did: 'asked; others plugged them in anew',
    lab: {
      from: '2017-11-06',
      days: 26,
      hubs: [7, 7],
      free: 4,
      models: ['Galaxy A7', 'Xperia Z5', 'Galaxy Note 2', 'Nexus 5', 'Huawei P9'],
    },
    tell(lab) {
      const samsungs = lab.phones.filter(({ name }) => name.startsWith('Galaxy'));
      const losses: ToldLoss[] = [];
      for (const day of [14, 17, 20, 23])
        for (const phone of samsungs) {
          phone.isPinned = true;
          const at = lab.at(day, '02:00') + lab.random.between(0, 150) * MINUTE;
          losses.push(
            lab.lose(phone, at, {
              as: 'offline',
              forMs: reseat(lab, day) + lab.random.between(0, 10) * MINUTE - at,
            }),
          );
        }
      background(lab);
      return {
        at: lab.at(23, '09:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'host', 'room'], says: /Galaxy|Samsung|make|model|restart|plug/i },
      };
    },
  },
  {
    name: 'batteries swell after two years at 100 %',
    source: 'openstf/stf#426, #1151',
    seen: 'Eighteen phones on two charging hubs day and night; after two years many batteries were swollen.',
    cause: 'the batteries are kept full all the time',
    did: 'switched the hubs off at night, which was not enough; was told to limit the charge or leave the batteries out',
    lab: { from: '2016-07-06', days: 71, hubs: [10, 10], free: 2 },
    tell(lab) {
      for (const phone of lab.phones) {
        const warm = inUse(lab);
        phone.reading = (at) => ({ ...warm(at), levelPercent: 100, isFull: true });
      }
      background(lab, { taken: 0.2, restarts: 0.2 });
      return {
        at: lab.at(70, '12:00'),
        told: { about: ['phone', 'room', 'host'], says: /batter|charg|full/i },
      };
    },
  },
  {
    name: 'a phone drops off adb whenever its battery is full',
    source: 'dogu-team/dogu#341',
    seen: 'Each time the battery reaches 99 or 100 % the phone is gone from adb.',
    cause: 'the phone drops its connection when it is full',
    did: 'thought of restarting adb by a schedule',
    lab: { zone: 'Asia/Seoul', from: '2023-08-01', days: 22, hubs: [4] },
    tell(lab) {
      const phone = lab.pinned(1);
      const full = [13, 15, 17, 18].map((day) => lab.at(day, '16:30') + lab.random.between(0, 150) * MINUTE);
      phone.reading = (at) => {
        const next = full.find((each) => each >= at - HOUR) ?? at + 9 * HOUR;
        const level = Math.max(35, 100 - Math.floor((next - at) / (6 * MINUTE)));
        return { levelPercent: Math.min(100, level), isFull: level >= 100, temperatureDecicelsius: 315 };
      };
      const losses = full.map((at) =>
        lab.lose(phone, at + 5 * MINUTE, { forMs: lab.random.between(20, 55) * MINUTE }),
      );
      background(lab);
      return {
        at: lab.at(18, '21:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /full|charg|batter/i },
      };
    },
  },
  {
    name: 'a phone is unauthorized after each of its restarts since the host was migrated',
    source: 'openwrt/openwrt#22184',
    seen: 'Since the upgrade of the router the phone asks for authorization after each `adb reboot`; before it never did.',
    cause: 'another adb with a key that it does not keep',
    did: 'was pointed to the key in the home directory',
    lab: { zone: 'Asia/Kolkata', from: '2026-02-09', days: 18, hubs: [], direct: 1, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of [2, 4])
        lab.reboot(phone, lab.at(day, '14:00'), { forMs: 45 * SECOND, reason: 'reboot,adb' });
      const migrated = lab.at(8, '11:00');
      lab.host(migrated, { kind: 'agentStopped' });
      lab.host(migrated + 20 * MINUTE, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: migrated + 19 * MINUTE,
        lastAliveAt: migrated,
      });
      lab.host(migrated + 20 * MINUTE + 500, { kind: 'adbReplaced', version: 41 });
      const losses = (
        [
          [8, '14:10'],
          [9, '10:30'],
          [10, '15:00'],
        ] as const
      ).map(([day, time]) => {
        const at = lab.at(day, time);
        const loss = lab.lose(phone, at, { forMs: 48 * SECOND, backAs: 'unauthorized' });
        if (day < 10)
          lab.phone(phone, at + 25 * MINUTE, { kind: 'state', state: 'device', before: 'unauthorized' });
        if (day < 10)
          lab.rebooted(phone, at + 26 * MINUTE, { reason: 'reboot,adb', uptimeSeconds: 26 * 60 - 15 });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(10, '15:30'),
        losses,
        blame: ['adb', 'person', 'unknown'],
        told: { about: ['phone', 'host'], says: /key|prompt|allow|accept/i },
      };
    },
  },
  {
    name: 'a second adb snatches the phones by day',
    source: 'DeviceFarmer/stf#798',
    seen: 'Phones disconnect when adb is used from another place.',
    cause: 'two adb programs in different places take the phones from each other',
    did: 'looked for the second adb',
    lab: { zone: 'Asia/Shanghai', from: '2024-07-01', days: 20, hubs: [7], free: 1, usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const [first, second] = [lab.pinned(0), lab.pinned(3)];
      for (const [day, time] of [
        [14, '09:34'],
        [15, '11:20'],
        [16, '14:05'],
        [17, '15:50'],
        [18, '10:15'],
      ] as const)
        for (const phone of [first, second])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 20) * MINUTE, {
              forMs: lab.random.between(8, 40) * MINUTE,
              onUsb: {},
            }),
          );
      background(lab);
      return {
        at: lab.at(18, '14:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port'], says: /adb/i },
      };
    },
  },
  {
    name: 'all phones come and go whenever one is plugged in',
    source: 'openstf/stf#659',
    seen: 'When a phone is plugged in or unplugged, all others are lost and set up again.',
    cause: 'the hub restarts when its load changes',
    did: 'asked; had just moved to this host',
    lab: { from: '2017-07-10', days: 18, hubs: [7], free: 2 },
    tell(lab) {
      const [hand, ...others] = lab.phonesOf(0);
      if (!hand) throw new RangeError('no phone');
      for (const phone of [hand, ...others]) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [9, '10:12'],
        [10, '15:40'],
        [14, '11:03'],
        [16, '16:21'],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(hand, at - 20 * MINUTE, { forMs: 20 * MINUTE });
        losses.push(...lab.loseAll(others, at + 800, { spreadMs: 700, forMs: 7 * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(16, '16:25'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], says: /hub|power/i },
      };
    },
  },
  {
    name: 'phones on the hub drop out, those at the computer do not',
    source: 'appium/appium#11710',
    seen: 'Phones at the powered 7-port hub are disconnected regularly; those at the computer itself never are.',
    cause: 'the hub',
    did: 'tried other hubs; plugged the phones into the computer',
    lab: { zone: 'Europe/Paris', from: '2018-10-29', days: 20, hubs: [7], free: 2, direct: 3 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of lab.phonesOf(0)) {
        phone.isPinned = true;
        for (let day = 8; day < 19; day += lab.random.whole(2, 4))
          losses.push(
            lab.lose(phone, lab.at(day, '08:00') + lab.random.between(0, 11) * HOUR, {
              forMs: lab.random.between(2, 12) * SECOND,
            }),
          );
      }
      background(lab, { glitches: 0 });
      return {
        at: lab.at(19, '09:00'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], keys: [lab.hubKey(0)], says: /hub/i },
      };
    },
  },
  {
    name: 'phones of one hub stop to answer adb until they are plugged in anew',
    source: 'DeviceFarmer/stf#560',
    seen: '60 phones on seven hubs. At some hubs adb cannot reach eight or nine of ten phones, though they seem connected; a replug or a reset of USB helps.',
    cause: 'the hub invalidates the connections of its phones',
    did: 'plugged the cables anew, or reset USB from the host',
    lab: { from: '2022-07-18', days: 18, hubs: [10, 10], free: 1 },
    tell(lab) {
      const phones = lab.phonesOf(0).slice(0, 8);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '03:10'],
        [13, '21:40'],
        [16, '05:25'],
      ] as const) {
        const at = lab.at(day, time);
        const back = lab.at(day === 13 ? 14 : day, '08:45');
        for (const phone of phones) {
          phone.isPinned = true;
          losses.push(
            lab.lose(phone, at + lab.random.between(0, 6) * SECOND, {
              as: 'offline',
              forMs: back - at + lab.random.between(0, 9) * MINUTE,
            }),
          );
        }
      }
      background(lab);
      return { at: lab.at(16, '08:00'), losses, blame: ['hub'], told: { about: ['hub'], says: /hub/i } };
    },
  },
  {
    name: 'a restart of one phone makes adb fail and all phones vanish',
    source: 'DeviceFarmer/stf#845',
    seen: 'When one phone restarts, all phones disappear; the adb server aborts with a double free.',
    cause: 'the adb server crashes',
    did: 'traced adb, and looked for another build of it',
    lab: { zone: 'Asia/Jerusalem', from: '2025-02-20', days: 16, hubs: [7], free: 1 },
    tell(lab) {
      const [first, ...others] = lab.phonesOf(0);
      if (!first) throw new RangeError('no phone');
      const losses: ToldLoss[] = [];
      for (const phone of [first, ...others]) phone.isPinned = true;
      for (const time of ['09:05', '09:40', '10:15', '10:30', '11:20', '12:02']) {
        const at = lab.at(14, time);
        lab.reboot(first, at, { forMs: 42 * SECOND, reason: 'reboot,adb' });
        adbRestarts(lab, at + 300);
        losses.push(...others.map((phone) => lab.lose(phone, at + 3600, { forMs: 3 * SECOND })));
      }
      background(lab);
      return { at: lab.at(14, '12:30'), losses, blame: ['adb'], told: { about: ['host'], says: /adb/i } };
    },
  },
  {
    name: 'phones turn grey in the web page after forty minutes',
    source: 'openstf/stf#818',
    seen: 'Phones that nobody uses for forty minutes cannot be opened in the page; adb lists them as `device`.',
    cause: 'the provider of the farm, not the phones',
    did: 'restarted the provider',
    cannotShow: 'adb and the phones are fine: only the farm’s own service fails',
    lab: { zone: 'Asia/Shanghai', from: '2018-02-20', days: 16, hubs: [7] },
    tell(lab) {
      const phones = lab.phonesOf(0).slice(0, 3);
      // they tried to plug them anew, without effect
      const losses = phones.map((phone, index) => {
        phone.isPinned = true;
        return lab.lose(phone, lab.at(13, `15:${20 + index * 3}`), { forMs: 40 * SECOND });
      });
      background(lab);
      return { at: lab.at(13, '16:00'), losses, blame: ['person', 'unknown'] };
    },
  },
  {
    name: 'a tablet runs empty under tests although it is plugged in',
    source: 'catchpoint/WebPageTest#648',
    seen: 'A tablet that tests pages all day runs out of battery and has to be started again; other ports, cables and hosts did not help.',
    cause: 'USB charges it slower than the tests drain it',
    did: 'was told to use a hub that charges fast',
    lab: {
      zone: 'America/New_York',
      from: '2016-06-06',
      days: 22,
      hubs: [4],
      free: 1,
      models: ['Nexus 9', 'Nexus 5'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const empties = [9, 14, 19].map((day) => lab.at(day, '05:40'));
      tablet.reading = (at) => {
        const next = empties.find((each) => each >= at) ?? at + 60 * HOUR;
        const level = Math.min(95, 1 + (next - at) / HOUR);
        return { levelPercent: Math.round(level), isFull: false, temperatureDecicelsius: 330 };
      };
      const losses = empties.map((at) => lab.reboot(tablet, at, { forMs: 5 * HOUR, reason: 'cold,charger' }));
      background(lab);
      return {
        at: lab.at(19, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'hub', 'port'], says: /charg|batter/i },
      };
    },
  },
  {
    name: 'a phone is offline until its cable is changed',
    source: 'flutter/flutter#53136',
    seen: 'The phone exchanges files with the computer, and adb calls it offline, for four days.',
    cause: 'the cable',
    did: 'changed the cable',
    lab: { zone: 'Asia/Gaza', from: '2020-03-10', days: 15, hubs: [], direct: 1, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(9, '18:00'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(13, '18:00'),
        losses: [loss],
        blame: ['port', 'unknown', 'phone'],
        told: { about: ['phone', 'port'], says: /cable|plug/i },
      };
    },
  },

  {
    name: 'the batteries of two Galaxy phones are dead',
    source: 'dotnet/arcade#9198',
    seen: 'Two phones of a queue for measurements are disconnected.',
    cause: 'their batteries were empty: measurements drain them faster than USB charges',
    did: 'charged them; they were back the next day',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2022-04-11',
      days: 18,
      hubs: [4],
      models: ['Galaxy A16', 'Galaxy A16', 'Pixel 4', 'Pixel 4'],
    },
    tell(lab) {
      const losses = [lab.pinned(0), lab.pinned(1)].map((phone, index) => {
        const at = lab.at(15, index === 0 ? '19:40' : '22:15');
        const from = at - (26 + 3 * index) * HOUR;
        phone.reading = (now) => ({
          levelPercent: Math.max(1, Math.round(now < from ? 88 : 88 - ((now - from) / HOUR) * (87 / 26))),
          isFull: false,
          temperatureDecicelsius: 318,
        });
        return lab.lose(phone, at);
      });
      background(lab);
      return {
        at: lab.at(16, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /batter|charg|empty/i },
      };
    },
  },
  {
    name: 'with a new board phones of all hubs go offline one after the other',
    source: 'Genymobile/scrcpy#5384',
    seen: 'Fifty phones ran for long; since the computer has another board, fifteen to twenty of them go offline after they were connected, whatever hub, port or cable.',
    cause: 'the USB ports of the new board',
    did: 'reconnected the offline ones again and again; wanted to give the board back',
    lab: {
      zone: 'Europe/London',
      from: '2024-10-01',
      days: 20,
      hubs: [10, 10, 10, 10, 10],
      models: ['Galaxy S8', 'Galaxy Note 8'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '11:10'],
        [14, '10:05'],
        [14, '17:30'],
        [15, '12:20'],
        [16, '21:15'],
        [17, '16:40'],
      ] as const) {
        let at = lab.at(day, time);
        const again = at + 50 * MINUTE;
        for (const phone of lab.random.shuffled(lab.usbPhones).slice(0, lab.random.whole(15, 20))) {
          at += lab.random.between(8, 150) * SECOND;
          losses.push(
            lab.lose(phone, at, { as: 'offline', forMs: again - at + lab.random.between(0, 9) * SECOND }),
          );
        }
      }
      background(lab, { taken: 0.1 });
      return {
        at: lab.at(17, '17:20'),
        losses,
        blame: ['host', 'room', 'hub', 'unknown'],
        told: { about: ['host', 'room', 'hub'], says: /controller|power|USB|hub/i },
      };
    },
  },
  {
    name: 'a phone at a hub of thirty ports is lost every half hour of a monkey test',
    source: 'openstf/stf#707',
    seen: 'After 20 to 30 minutes of a test the phone is disconnected, and soon there again.',
    cause: 'most likely the hub, which has thirty ports',
    did: 'suspected the hub; was told that it does not sound good',
    lab: { zone: 'Asia/Shanghai', from: '2017-08-28', days: 18, hubs: [10, 10, 10], free: 21 },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [14, '10:00', '12:10'],
        [15, '14:00', '17:30'],
        [16, '09:40', '11:30'],
      ] as const)
        for (let at = lab.at(day, from); at < lab.at(day, to); at += lab.random.between(20, 30) * MINUTE)
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(3, 12) * SECOND }));
      background(lab);
      return {
        at: lab.at(16, '11:40'),
        losses,
        blame: ['hub', 'port'],
        told: { about: ['hub', 'port', 'phone'], says: /port|hub|cable/i },
      };
    },
  },
  {
    name: 'a phone of a farm is listed again only when adb was started anew',
    source: 'openstf/stf#887',
    seen: 'A Samsung is disconnected from the farm, again and again; after kill-server and start-server it is there for a while.',
    cause: 'adb loses the phone, which stays on USB',
    did: 'started adb anew each time; asked for a cure',
    lab: { zone: 'Asia/Kolkata', from: '2018-06-04', days: 14, hubs: [4], usb: true, free: 1 },
    tell(lab) {
      const phone = lab.pinned(0);
      const others = lab.phones.slice(1);
      const losses = (
        [
          [8, '11:05', '11:40'],
          [9, '15:20', '16:02'],
          [10, '10:44', '12:10'],
          [11, '14:01', '14:30'],
        ] as const
      ).map(([day, from, to]) => {
        const [at, cured] = [lab.at(day, from), lab.at(day, to)];
        const loss = lab.lose(phone, at, { forMs: cured + 5 * SECOND - at, onUsb: {} });
        adbRestarts(lab, cured);
        for (const other of others) lab.lose(other, cured + 200, { forMs: 4 * SECOND, onUsb: {} });
        return loss;
      });
      for (const other of others) other.isPinned = true;
      background(lab);
      return {
        at: lab.at(11, '14:20'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port'], says: /adb/i },
      };
    },
  },
  {
    name: 'at a Mac phones vanish now and then until they are plugged anew',
    source: 'openstf/stf#370',
    seen: 'After some time a phone is disconnected; a restart of the farm or a new plugging helps until the next time.',
    cause: 'adb on that system loses phones at random, whichever and whenever',
    did: 'plugged them anew; was told to use Linux',
    lab: {
      zone: 'Asia/Shanghai',
      from: '2016-06-20',
      days: 26,
      hubs: [],
      direct: 4,
      known: { hub: false, usbPath: false, slots: false },
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of lab.phones.entries()) {
        phone.isPinned = true;
        for (let day = 11 + (index % 3); day < 24; day += lab.random.whole(3, 5)) {
          const at = lab.at(day, '00:30') + lab.random.between(0, 22) * HOUR;
          const next = lab.at(day + 1, '09:40') + lab.random.between(0, 40) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs: next - at }));
        }
      }
      background(lab);
      return {
        at: lab.at(24, '08:00'),
        losses,
        blame: ['adb', 'host', 'port', 'unknown'],
        told: { about: ['host', 'port', 'phone', 'hub'], says: /plug|adb|cable|USB/i },
      };
    },
  },
];
