/** Incidents of devices that are always on and on power: wall tablets, TV boxes, gateways for SMS, phones that mine or print. */
import { background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Of the lab's first day, with fractions. */
const hourOfDay = (lab: Lab, at: number): number => ((at - lab.start) / HOUR) % 24;

/** On its charger day and night, and full: a little warmer in the afternoon. */
const alwaysFull =
  (lab: Lab, decicelsius: number): Reading =>
  (at) => ({
    levelPercent: 100,
    isFull: true,
    temperatureDecicelsius: Math.round(
      decicelsius + 9 * Math.cos((2 * Math.PI * (hourOfDay(lab, at) - 15)) / 24) + ((at / MINUTE) % 7),
    ),
  });

export const incidents: readonly Incident[] = [
  {
    name: 'the battery of the tablet on the nightstand has lifted its display',
    source: 'https://community.openhab.org/t/bloated-battery-in-tablet-fire-hazard/145821',
    seen: 'Two tablets at the wall and an old one as an alarm clock are on power all the time. The old one looks deformed: its battery is bloated.',
    cause: 'the battery is kept full for years; with others it took one year',
    did: 'took it outside; was told to run such tablets without a battery, or to charge them to 60 % only',
    lab: { zone: 'Europe/Zurich', hubs: [], direct: 1, network: 3, from: '2023-03-27', days: 24 },
    tell(lab) {
      const tablets = lab.pinnedOf('tcp');
      for (const [index, tablet] of tablets.entries())
        tablet.reading = alwaysFull(lab, [305, 312, 338][index] ?? 305);
      background(lab);
      return {
        at: lab.at(22, '20:30'),
        told: {
          about: ['phone'],
          keys: tablets.map(({ udid }) => udid),
          says: /swell|swollen|bloat|bulg|limit|full|\b[5-8]0 ?%|(without|remove|take out)[^.;]*battery/i,
        },
      };
    },
  },
  {
    name: 'a tablet at the wall is not reached by the home again and again, because of the router',
    source: 'cgarwood/homeassistant-fullykiosk#39',
    seen: 'A Galaxy Tab whose screen is never switched off drops its connections: "server disconnected".',
    cause: 'the router of the internet provider was unstable',
    did: 'replaced the router',
    lab: { zone: 'Europe/Stockholm', hubs: [], direct: 1, network: 1, from: '2021-02-01', days: 26 },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      tablet.reading = alwaysFull(lab, 290);
      const losses: ToldLoss[] = [];
      for (let day = 4; day < 24; day += 1)
        for (let slot = 0; slot < 4; slot += 1) {
          if (lab.random.chance(0.55)) continue;
          const at = lab.at(day) + slot * 6 * HOUR + lab.random.between(0, 5) * HOUR;
          losses.push(lab.lose(tablet, at, { forMs: lab.random.between(1, 7) * MINUTE }));
        }
      losses.push(lab.lose(tablet, lab.at(24, '18:52'), { forMs: 4 * MINUTE }));
      background(lab);
      return {
        at: lab.at(24, '19:10'),
        losses,
        blame: ['network', 'link', 'unknown'],
        told: {
          about: ['network', 'phone', 'host'],
          says: /router|access point|Wi-?Fi|network/i,
        },
        // it is on power all the time
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'gateways for SMS leave the Wi-Fi of the office whenever its internet falters',
    source: 'medic/cht-gateway#135, medic/cht-gateway#156',
    seen: 'The phones are always on power and at 100 %. The internet behind the one Wi-Fi fluctuates often; the phones go to mobile data then, and somebody has to start the gateway anew.',
    cause:
      'the internet of the office fluctuates, and the app switches the Wi-Fi off when a message cannot be sent',
    did: 'set out to take that out of the app',
    lab: {
      zone: 'Asia/Kathmandu',
      hubs: [],
      direct: 1,
      network: 5,
      from: '2020-07-13',
      days: 26,
      models: ['Huawei Y7', 'Huawei Che2', 'Huawei LUA', 'Mi A2 Lite', 'Nokia 2.3'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      for (const phone of phones) phone.reading = alwaysFull(lab, lab.random.whole(300, 325));
      const losses: ToldLoss[] = [];
      const falters = (at: number) => {
        // who has a message to send
        const sending = lab.random.shuffled(phones).slice(0, lab.random.whole(2, 5));
        for (const phone of sending) {
          const from = at + lab.random.between(0.2, 9) * MINUTE;
          losses.push(lab.lose(phone, from, { forMs: lab.random.between(12, 55) * MINUTE }));
        }
      };
      for (let day = 5; day < 24; day += 1) {
        if (lab.weekday(day) === 6) continue;
        for (const time of ['09:40', '12:30', '15:20'])
          if (lab.random.chance(0.45)) falters(lab.at(day, time) + lab.random.between(0, 60) * MINUTE);
      }
      falters(lab.at(24, '14:05'));
      background(lab, { hours: [10, 17], weekdays: new Set([0, 1, 2, 3, 4, 5]) });
      return {
        at: lab.at(24, '14:20'),
        losses,
        blame: ['network', 'link', 'phone', 'unknown'],
        told: {
          about: ['network', 'phone', 'host'],
          says: /Wi-?Fi|access point|router|internet|network/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'phones that mine day and night restart by themselves from heat',
    source: 'pangz-lab/verus_miner-release#16',
    seen: 'An app mines on all phones of somebody. At times they restart by themselves, and mine no more until somebody starts the app.',
    cause: 'they overheat',
    did: 'was told to let the app pause at a certain temperature',
    lab: { zone: 'Europe/Istanbul', hubs: [6], from: '2024-02-19', days: 25 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of lab.phones.entries()) {
        phone.isPinned = true;
        const restarts: number[] = [];
        const restartsAt = (at: number) => {
          restarts.push(at);
          losses.push(lab.reboot(phone, at, { forMs: lab.random.between(45, 80) * SECOND }));
        };
        for (let day = 3 + (index % 3); day < 23; day += lab.random.whole(3, 7))
          restartsAt(lab.at(day, '13:00') + lab.random.between(0, 5) * HOUR);
        if (index === 2) restartsAt(lab.at(23, '16:35'));
        const base = lab.random.whole(405, 418);
        phone.reading = (at) => {
          const mines = !restarts.some((restart) => restart < at && at < restart + 3.5 * HOUR);
          const wave = 38 * Math.cos((2 * Math.PI * (hourOfDay(lab, at) - 15.5)) / 24);
          const levelPercent = mines ? 97 + (Math.floor(at / HOUR) % 3) : 100;
          return {
            levelPercent,
            isFull: levelPercent === 100,
            temperatureDecicelsius: Math.round((mines ? base : base - 95) + wave + ((at / MINUTE) % 9)),
          };
        };
      }
      background(lab, { taken: 0, restarts: 0 });
      return {
        at: lab.at(23, '17:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'hub', 'host'],
          says: /heat|\bhot\b|warm|temperature|\bcool/i,
        },
      };
    },
  },
  {
    name: 'a phone on its charger stays at 28 %',
    source: 'VR-25/acc#212',
    seen: 'An app limits how a repaired Redmi Note 8 is charged. The phone stops charging at some level, often at 28 %, until it is told to charge to 100 % once.',
    cause: 'the voltage is limited to 3800 mV, which limits the level too',
    did: 'was told that this limit is the likely cause',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 2,
      from: '2023-09-25',
      days: 22,
      models: ['Redmi Note 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      /** The days on which it was told to charge to 100 %. */
      const toldOn = new Set([3, 7, 12]);
      const stops = [28, 28, 41, 28, 34, 28, 28];
      phone.reading = (at) => {
        const day = Math.floor((at - lab.start) / DAY);
        const hour = hourOfDay(lab, at);
        const stop = stops[day % stops.length] ?? 28;
        const wave = 12 * Math.cos((2 * Math.PI * (hour - 15)) / 24);
        const isCharged = toldOn.has(day) && hour >= 19;
        const wasCharged = toldOn.has(day - 1);
        let level = stop;
        if (isCharged) level = Math.min(100, stop + (hour - 19) * 26);
        else if (wasCharged) level = Math.max(stop, 100 - hour * 5);
        return {
          levelPercent: Math.round(level),
          isFull: level >= 100,
          temperatureDecicelsius: Math.round((isCharged ? 330 : 295) + wave),
        };
      };
      background(lab);
      return {
        at: lab.at(20, '18:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /limit|voltage|charge control|app .{0,30}charg/i,
        },
      };
    },
  },
  {
    name: 'a phone that runs a 3D printer is empty before the print is done',
    source: 'feelfreelinux/octo4a#309',
    seen: 'A Galaxy S7 is at the printer by a Y cable, and is not charged by it. On an old wireless pad its battery goes down more slowly, and yet it dies.',
    cause: 'the cable does not feed the phone, and a pad of 5 W gives less than it uses',
    did: 'the pad, which let it live longer; thought that one of 10 W would do',
    lab: { zone: 'Europe/Dublin', hubs: [], direct: 1, network: 1, from: '2022-10-03', days: 20 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const prints = [
        { from: lab.at(6, '10:00'), hours: 7.5, away: 2.2 },
        { from: lab.at(9, '09:20'), hours: 8.2, away: 3.4 },
        { from: lab.at(12, '18:10'), hours: 7.1, away: 7.8 },
        // on the wireless pad
        { from: lab.at(15, '08:00'), hours: 17.4, away: 8.5 },
        { from: lab.at(17, '17:30'), hours: 18.2, away: undefined },
      ];
      const losses = prints.map(({ from, hours, away }) => {
        const at = from + hours * HOUR;
        if (away === undefined) return lab.lose(phone, at);
        lab.rebooted(phone, at + away * HOUR + 30 * SECOND, { uptimeSeconds: 70 });
        return lab.lose(phone, at, { forMs: away * HOUR });
      });
      phone.reading = (at) => {
        const print = prints.findLast(({ from }) => from <= at);
        const temperatureDecicelsius = Math.round(285 + ((at / MINUTE) % 13));
        const full = { levelPercent: 100, isFull: true, temperatureDecicelsius };
        if (print === undefined) return full;
        const emptyAt = print.from + print.hours * HOUR;
        if (at < emptyAt) {
          const left = 1 - (at - print.from) / (print.hours * HOUR);
          return {
            levelPercent: Math.max(1, Math.round(100 * left)),
            isFull: false,
            temperatureDecicelsius: temperatureDecicelsius + 40,
          };
        }
        const chargedFor = (at - emptyAt - (print.away ?? 0) * HOUR) / HOUR;
        const levelPercent = Math.min(100, Math.round(12 + chargedFor * 38));
        return levelPercent === 100 ? full : { levelPercent, isFull: false, temperatureDecicelsius };
      };
      background(lab);
      return {
        at: lab.at(18, '13:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /charg|power|batter(y|ies)|empty/i,
        },
      };
    },
  },
  {
    name: 'a gateway for SMS is off the Wi-Fi some minutes after it was last touched',
    source: 'ushahidi/SMSSync#19',
    seen: 'When the phone sleeps its Wi-Fi goes off after a while, and no message is passed on until it is woken.',
    cause: 'the phone switches its Wi-Fi off when it sleeps',
    did: 'an app that keeps the Wi-Fi awake; wished for a setting in the gateway',
    lab: { zone: 'Africa/Nairobi', hubs: [], direct: 1, network: 1, from: '2012-04-16', days: 22 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const touched: number[] = [];
      for (let day = 5; day < 21; day += 1)
        for (const time of ['08:20', '11:10', '14:30', '18:00'])
          if (lab.random.chance(0.8)) touched.push(lab.at(day, time) + lab.random.between(0, 70) * MINUTE);
      touched.push(lab.at(21, '09:05'));
      const losses = touched.map((at, index) => {
        const asleep = at + lab.random.between(15, 18) * MINUTE;
        const next = touched[index + 1];
        return lab.lose(phone, asleep, next === undefined ? {} : { forMs: next - asleep });
      });
      background(lab);
      return {
        at: lab.at(21, '11:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /sleep|awake|\bwake|doze|Wi-?Fi .{0,40}(off|on\b)|screen/i,
        },
      };
    },
  },
  {
    name: 'a TV box on a network cable is away for half a minute whenever it wakes',
    source: 'd4rken-org/wakelock-revamp#13',
    seen: 'A TX3 mini loses its Ethernet for about 30 seconds when it has slept and wakes.',
    cause: 'its network goes down with its sleep',
    did: 'kept it awake by a wake lock',
    lab: { zone: 'Asia/Ho_Chi_Minh', hubs: [], direct: 1, network: 1, from: '2021-11-01', days: 23 },
    tell(lab) {
      const [box] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const wakes = (at: number) => {
        losses.push(lab.lose(box, at, { forMs: lab.random.between(27, 34) * SECOND }));
      };
      for (let day = 3; day < 22; day += 1) {
        wakes(lab.at(day, '18:20') + lab.random.between(0, 75) * MINUTE);
        if (lab.random.chance(0.5)) wakes(lab.at(day, '21:10') + lab.random.between(0, 50) * MINUTE);
        if (!lab.isWorkday(day)) wakes(lab.at(day, '10:00') + lab.random.between(0, 120) * MINUTE);
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '22:30'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /sleep|standby|awake|\bwake/i,
        },
      };
    },
  },
];
