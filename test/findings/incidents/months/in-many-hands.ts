/**
 * Months of labs in many hands. Programs open connections anew, start an image beside the one of a phone, make it a car's
 * accessory, borrow phones of a cloud, take them out of range, log in and out, write modems, and start all phones of a box at
 * once; people film with phones, and hand them to patients, voters' registrars, spectators, examiners, firefighters and jurors.
 */
import type { UsbDevice } from '../../../../src/host/usb-devices.ts';
import { ADB } from '../../usb-tree.ts';
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { hasRestarted, nightly, pushes, type Span, unread } from './by-machine.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { lent } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

/** What a car, or what plays one, makes of a phone (source.android.com, Android Open Accessory). */
const ACCESSORY: Partial<UsbDevice> = {
  productId: '2d01',
  interfaces: [{ kind: 'ff/ff/00', endpoints: 2, name: 'Android Accessory Interface' }, ADB],
};

/** The modem's own loader has it: it says neither which phone it is nor anything to adb. */
const DOWNLOAD: Partial<UsbDevice> = {
  vendorId: '05c6',
  productId: '9008',
  product: 'QUSB_BULK',
  serial: '',
  interfaces: [{ kind: 'ff/ff/ff', endpoints: 2 }],
};

const inOrder = (times: readonly number[]): number[] => [...times].sort((one, other) => one - other);

/** The host ends its connection and opens it again; meanwhile the phone stays on USB. */
function reconnects(lab: Lab, phone: LabPhone, at: number): void {
  const forMs = seconds(lab, 0.7, 2.3);
  if (at < lab.end - HOUR && lab.isFree(phone, at, at + forMs + SECOND))
    lab.lose(phone, at, { forMs, onUsb: {} });
}

/** It shows this beside debugging: for that it leaves USB for a moment, and once more when it ends. */
function showsOnUsb(lab: Lab, phone: LabPhone, usb: Partial<UsbDevice>, from: number, to: number): boolean {
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + MINUTE)) return false;
  const first = seconds(lab, 1.3, 3.1);
  lab.lose(phone, from, { forMs: first });
  lab.usb(phone, Math.round(from + first), usb);
  lab.lose(phone, to, { forMs: seconds(lab, 1.2, 2.9) });
  lab.usb(phone, Math.round(to), undefined);
  return true;
}

/** It starts an image that lies beside its own Android, and its own again with the next restart. */
function startsBeside(lab: Lab, phone: LabPhone, from: number, to: number, build: string): boolean {
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + 8 * MINUTE)) return false;
  const own = 'BP3A.250905.014';
  restart(lab, phone, from, [62, 118], 'reboot,adb');
  lab.phone(phone, Math.round(from + minutes(lab, 4, 7)), {
    kind: 'os',
    release: '17',
    before: '16',
    build,
    buildBefore: own,
  });
  restart(lab, phone, to, [34, 60], 'reboot,adb');
  lab.phone(phone, Math.round(to + minutes(lab, 3, 6)), {
    kind: 'os',
    release: '16',
    before: '17',
    build: own,
    buildBefore: build,
  });
  return true;
}

/** A phone of a cloud is at a port of this host while somebody has reserved it, and is not seen again. */
function reserved(lab: Lab, name: string, { from, to }: Span): void {
  const phone = lab.add('tcp', { name, isThereAtFirst: false });
  const decicelsius = lab.random.whole(252, 286);
  phone.isPinned = true;
  phone.busy.push({ from: lab.start, to: from });
  phone.reading = () => ({ levelPercent: 100, isFull: true, temperatureDecicelsius: decicelsius });
  lab.phone(phone, Math.round(from), { kind: 'attached', state: 'offline' });
  lab.phone(phone, Math.round(from + seconds(lab, 0.4, 2.5)), {
    kind: 'state',
    state: 'device',
    before: 'offline',
  });
  lab.lose(phone, to);
}

/** adb notices ten seconds later that nobody answers, and looks every ten seconds whether somebody does again. */
const outOfRange = (lab: Lab, phone: LabPhone, from: number, to: number): void =>
  unreached(lab, phone, from + seconds(lab, 9.5, 12.5), to + seconds(lab, 1.5, 11));

/** Its loader writes the modem, and it starts again with that. @returns when it is listed again, if it was free for that */
function getsModem(lab: Lab, phone: LabPhone, from: number, written: number): number | undefined {
  const back = written + seconds(lab, 31, 52);
  if (back > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, back + 2 * MINUTE)) return undefined;
  lab.lose(phone, from, { forMs: back - from, onUsb: DOWNLOAD });
  // it starts with nothing on USB
  lab.usb(phone, Math.round(written), null);
  hasRestarted(lab, phone, back, 'cold');
  return back;
}

/** Android runs there only while somebody is logged in, and is another one with each login. */
function loggedIn(lab: Lab, book: LabPhone, sessions: readonly Span[]): void {
  onlyIn(lab, book, sessions, 12 * SECOND);
  for (const { from } of sessions) if (from > lab.start + 3 * MINUTE) hasRestarted(lab, book, from);
}

export const inManyHands: readonly QuietMonth[] = [
  {
    // google/mobly#71: `adb reconnect` when the objects of a test class are cleaned up, which leaves other phones alone
    name: 'tests of phones that talk to each other open the connections to both of a pair anew after each class',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-02-23',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Pixel 8', 'Pixel 9a'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      lent(lab, lab.phones, 1.6, { minutes: [8, 110], overnight: 0.06 });
      for (const first of [0, 2, 4]) {
        const pair = lab.phones.slice(first, first + 2);
        const nights = nightly(lab, `2${first === 4 ? 2 : 1}:${first}5`, 9 * MINUTE, 0);
        const byDay = pushes(lab, { times: [0, 3], hours: ['09:20', '17:50'], onWeekends: 0.06 });
        let free = lab.start;
        for (const begun of inOrder([...nights, ...byDay])) {
          const isLong = nights.includes(begun);
          let at = Math.max(begun, free) + seconds(lab, 15, 50);
          // who is not there is missed by its test, which does not begin then
          if (!pair.every((phone) => lab.isFree(phone, at - MINUTE, at + (isLong ? 4 : 1.2) * HOUR)))
            continue;
          for (const phone of pair) restart(lab, phone, at + seconds(lab, 0, 3), [31, 56], 'reboot,adb');
          at += minutes(lab, 2, 3);
          for (let left = isLong ? random.whole(9, 14) : random.whole(2, 5); left > 0; left -= 1) {
            at += minutes(lab, 2.5, 10);
            let cleaned = at;
            for (const phone of pair) {
              reconnects(lab, phone, cleaned);
              cleaned += seconds(lab, 1.2, 4);
            }
          }
          free = at + MINUTE;
        }
      }
      background(lab, { hours: [9, 18] });
    },
  },
  {
    // source.android.com, dynamic system updates; gsi_tool, one shot: the next restart brings the phone's own Android
    name: 'jobs start an image of the night beside the Android of six phones, and a restart brings back their own',
    lab: {
      zone: 'Asia/Taipei',
      from: '2026-03-02',
      hubs: [4, 4],
      free: 1,
      hasTwoControllers: true,
      models: ['Pixel 7a', 'Zenfone 11', 'Moto Edge 50'],
    },
    tell(lab) {
      const { random } = lab;
      const jobs = lab.phones.slice(1);
      pinAll(jobs);
      lent(lab, jobs, 1.2, { hours: ['09:30', '17:00'], minutes: [10, 140], overnight: 0.04 });
      for (const day of lab.everyDay().slice(0, -1)) {
        // a build of the night fails now and then, and on Sundays there is none
        if (lab.weekday(day) === 0 || random.chance(0.13)) continue;
        const build = `AOSP.260${String(302 + day).padStart(3, '0')}.001`;
        const written = lab.at(day, '22:40') + minutes(lab, 0, 40);
        for (const [index, phone] of jobs.entries()) {
          const from = written + index * 35 * SECOND + seconds(lab, 0, 90);
          startsBeside(lab, phone, from, from + random.between(2.2, 5.6) * HOUR, build);
        }
        // by day somebody looks whether one app runs there
        for (let left = lab.isWorkday(day) ? random.whole(0, 2) : 0; left > 0; left -= 1) {
          const from = between(lab, day, '10:00', '17:20');
          startsBeside(lab, random.pick(jobs), from, from + minutes(lab, 18, 70), build);
        }
      }
      background(lab, { hours: [9, 18], taken: 3 });
    },
  },
  {
    // developer.android.com, desktop head unit, accessory mode: it makes a phone its accessory, and gives it back at its end
    name: 'the tests of an app for cars make each of four phones an accessory for some minutes, and its makers drive about with them',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-03-09',
      hubs: [4],
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S24', 'Xiaomi 14', 'Galaxy A55'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // a drive, more often in the week of the release
      for (const day of lab.workdays())
        for (const phone of lab.phones)
          if (random.chance(day > 14 && day < 19 ? 0.55 : 0.16)) {
            const from = between(lab, day, '09:40', '16:10');
            out(lab, phone, from, from + minutes(lab, 25, 130));
          }
      for (const [index, phone] of lab.phones.entries()) {
        const nights = nightly(lab, `01:${index + 1}0:05`, 8 * SECOND);
        const byDay = pushes(lab, { times: [1, 4], hours: ['09:10', '18:30'], onWeekends: 0.1 });
        let free = lab.start;
        for (const begun of inOrder([...nights, ...byDay])) {
          let at = Math.max(begun + seconds(lab, 20, 200), free);
          for (
            let left = nights.includes(begun) ? random.whole(6, 10) : random.whole(1, 3);
            left > 0;
            left -= 1
          ) {
            const to = at + minutes(lab, 2, 8.5);
            showsOnUsb(lab, phone, ACCESSORY, at, to);
            at = to + minutes(lab, 1.3, 2.6);
          }
          free = at;
        }
      }
      background(lab, { hours: [9, 18] });
    },
  },
  {
    // docs.aws.amazon.com, Device Connect, and developer.android.com, `android device remote connect`: a phone at a local port
    name: 'developers reserve phones of a cloud for a quarter of an hour to two hours, and each is at a port of their host meanwhile',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-05',
      hubs: [],
      direct: 2,
      known: { slots: false },
      models: ['Pixel 9', 'Galaxy S23'],
    },
    tell(lab) {
      const { random } = lab;
      const kinds = [
        'Galaxy A15',
        'Pixel Fold',
        'Xperia 5 V',
        'OnePlus 12',
        'Galaxy Z Flip6',
        'Moto G54',
        'Pixel 5',
      ];
      // nobody works on Thanksgiving, and before the release they look at more of them
      for (const day of lab.workdays().filter((each) => each !== 7))
        for (let left = random.poisson(day > 15 && day < 20 ? 4 : 1.5); left > 0; left -= 1) {
          const from = between(lab, day, '09:15', '18:10');
          // some are given back early, and some end when their time is over
          const booked = random.pick([15, 30, 30, 60, 120]);
          const used = random.chance(0.45) ? booked : random.between(0.3, 0.95) * booked;
          if (lab.phones.length < 58)
            reserved(lab, random.pick(kinds), { from, to: from + used * MINUTE + seconds(lab, 0, 9) });
        }
      background(lab, { hours: [9, 18], taken: 3 });
    },
  },
  {
    // blog.tohojo.dk, and LANforge's attenuator: cables and attenuators instead of moving things about
    name: 'attenuators take four phones in two boxes from one access point to the next, and out of range at the end of each walk',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-04-13',
      hubs: [],
      direct: 2,
      network: 4,
      models: ['Pixel 8', 'Pixel 8', 'Xperia 1', 'Galaxy S23', 'Pixel 6', 'Moto G84'],
    },
    tell(lab) {
      const { random } = lab;
      const onAir = lab.pinnedOf('tcp');
      for (const box of [onAir.slice(0, 2), onAir.slice(2)]) {
        // on nights after workdays, for a change of the driver, and for longer on Saturdays
        const nights = nightly(lab, '19:30', 50 * MINUTE, 0).filter(
          (_, day) => lab.isWorkday(day) || lab.weekday(day) === 6,
        );
        const byDay = pushes(lab, { times: [0, 2], hours: ['09:30', '16:00'], onWeekends: 0 });
        let free = lab.start + HOUR;
        for (const begun of inOrder([...nights, ...byDay])) {
          const isNight = nights.includes(begun);
          const isSaturday = isNight && new Date(begun).getDay() === 6;
          let at = Math.max(begun, free);
          for (
            let left = isSaturday ? 26 : isNight ? random.whole(7, 11) : random.whole(1, 3);
            left > 0;
            left -= 1
          ) {
            at += minutes(lab, 5.2, 8.5);
            const back = at + seconds(lab, 38, 72);
            // some hear an access point for longer than others
            for (const phone of box) outOfRange(lab, phone, at + seconds(lab, 0, 8), back);
            at = back + MINUTE;
          }
          free = at + 3 * MINUTE;
        }
      }
      background(lab, { hours: [9, 17], taken: 1.5 });
    },
  },
  {
    // chromium.googlesource.com, tast-tests, package arc: a test logs in, waits for Android, and logs out
    name: 'tests log in to five Chromebooks and out again, and Android is there for a minute to six and is a new one each time',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-05-11',
      hubs: [4],
      network: 5,
      known: { slots: false },
      models: [
        'Pixel 7',
        'Pixel 8',
        'Galaxy A54',
        'Pixel 6a',
        'Spin 714',
        'Flip C434',
        'Duet 3',
        'Vibe C14',
        'Dragonfly',
      ],
    },
    tell(lab) {
      const { random } = lab;
      const books = lab.pinnedOf('tcp');
      unread(books);
      const nights = nightly(lab, '00:40', 12 * MINUTE, 1);
      const byDay = pushes(lab, { times: [0, 3], hours: ['10:00', '19:20'], onWeekends: 0.05 });
      for (const book of books) {
        const sessions: Span[] = [];
        let free = lab.start + 5 * MINUTE;
        for (const begun of inOrder([...nights, ...byDay])) {
          const isNight = nights.includes(begun);
          // a change needs two of them at most
          if (!isNight && random.chance(0.65)) continue;
          // what the night tests is written first, and that takes a while
          let at = Math.max(begun, free) + (isNight ? minutes(lab, 7, 11) : seconds(lab, 20, 80));
          for (let left = isNight ? random.whole(7, 13) : random.whole(1, 4); left > 0; left -= 1) {
            const to = at + seconds(lab, 55, 350);
            if (to < lab.end - HOUR) sessions.push({ from: at, to });
            at = to + seconds(lab, 26, 75);
          }
          free = at;
        }
        loggedIn(lab, book, sessions);
      }
      background(lab, { hours: [10, 19] });
    },
  },
  {
    // docs.qualcomm.com, flash images: in its emergency download mode (05c6:9008) the chip takes what qdl sends
    name: 'each train of a modem is written to eight phones in the download mode of their chip, two at a time, and a small one on Fridays',
    lab: {
      zone: 'Asia/Seoul',
      from: '2026-04-06',
      hubs: [10],
      free: 1,
      usb: true,
      models: ['Snapdragon MTP', 'Galaxy S24', 'Galaxy A55'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.phones.slice(1);
      pinAll(phones);
      const write = (
        begin: number,
        some: readonly LabPhone[],
        [least, most]: readonly [number, number],
      ): void => {
        // two programs take the next phone that is left
        const writers = [begin, begin + seconds(lab, 4, 20)];
        for (const phone of some) {
          const index = (writers[0] ?? 0) <= (writers[1] ?? 0) ? 0 : 1;
          const from = writers[index] ?? begin;
          const written = from + minutes(lab, least, most);
          const back = getsModem(lab, phone, from, written) ?? written;
          // what is set with a modem needs another start
          if (random.chance(0.4)) restart(lab, phone, back + minutes(lab, 2.5, 4), [30, 50], 'reboot,adb');
          writers[index] = back + minutes(lab, 1, 2.5);
        }
      };
      // people go along streets with some of them before a train leaves; the fifth of May is Children's Day
      for (const day of lab.workdays().filter((each) => each !== 29))
        for (const phone of phones)
          if (random.chance(0.09)) {
            const from = between(lab, day, '13:20', '15:50');
            out(lab, phone, from, from + minutes(lab, 45, 190), 0.1);
          }
      for (const day of lab.workdays().filter((each) => each !== 29)) {
        // before the third release there is a candidate each day
        const isTrain = [2, 4].includes(lab.weekday(day)) || (day > 17 && day < 25);
        if (isTrain) write(between(lab, day, '08:40', '11:20'), random.shuffled(phones), [3.2, 5.5]);
        if (lab.weekday(day) === 5)
          write(between(lab, day, '15:50', '17:30'), phones.slice(0, 2), [1.6, 2.4]);
        // who looks for what broke writes old ones, as often as it takes
        if (random.chance(0.12)) {
          const phone = random.pick(phones);
          let at = between(lab, day, '14:00', '15:30');
          for (let left = random.whole(3, 6); left > 0; left -= 1) {
            write(at, [phone], [3.2, 5]);
            at += minutes(lab, 14, 25);
          }
        }
      }
      background(lab, { hours: [9, 19], taken: 2 });
    },
  },
  {
    // labsat.co.uk, guide to tests with a simulator of satellites: how long a receiver takes that knows nothing yet
    name: 'six phones in a shielded box restart within two seconds of each other before each scenario of satellites',
    lab: {
      zone: 'Europe/London',
      from: '2026-03-16',
      hubs: [7],
      free: 1,
      usb: true,
      known: { hub: true, slots: false },
      models: ['Pixel 8', 'Galaxy S24', 'Xperia 10', 'Nothing Phone 2', 'Moto G84', 'Pixel 6a'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // by day the door is open at times, and somebody changes what is tested
      lent(lab, lab.phones, 1.1, { hours: ['09:30', '16:20'], minutes: [6, 75], overnight: 0 });
      const scenarios = (begin: number, end: number): void => {
        for (let at = begin; at < Math.min(end, lab.end - HOUR); at += minutes(lab, 13, 36))
          for (const phone of lab.phones)
            restart(lab, phone, at + seconds(lab, 0, 1.9), [31, 63], 'reboot,adb');
      };
      for (const day of lab.everyDay()) {
        // Easter, with the box shut and off from Thursday to Tuesday
        if (day > 16 && day < 22) continue;
        const isFriday = lab.weekday(day) === 5;
        if (lab.isWorkday(day) && !isFriday && random.chance(0.85))
          scenarios(between(lab, day, '17:50', '19:10'), lab.at(day + 1, '01:30') + minutes(lab, 0, 200));
        if (lab.weekday(day) === 6 && random.chance(0.5))
          scenarios(lab.at(day, '00:05'), lab.at(day, '08:00'));
        // and a few by day, to see whether a new one is right
        if (lab.isWorkday(day) && random.chance(0.3)) {
          const from = between(lab, day, '10:20', '14:40');
          scenarios(from, from + minutes(lab, 20, 60));
        }
      }
      background(lab, { hours: [9, 17] });
    },
  },
];
