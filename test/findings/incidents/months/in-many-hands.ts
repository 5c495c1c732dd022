/**
 * Months of labs in many hands. Programs open connections anew, start an image beside the one of a phone, make it a car's
 * accessory, borrow phones of a cloud, take them out of range, log in and out, write modems, and start all phones of a box at
 * once; people film with phones, and hand them to patients, poll workers, spectators, examiners, firefighters and jurors.
 */
import type { UsbDevice } from '../../../../src/host/usb-devices.ts';
import type { Port } from '../../room.ts';
import { ADB, FASTBOOT, MTP } from '../../usb-tree.ts';
import { background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { drainsOutside } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { hasRestarted, nightly, pushes, type Span, unread } from './by-machine.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { along, comes, isReset, lent, updates } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

/** What a car, or what plays one, makes of a phone (source.android.com, Android Open Accessory). */
const ACCESSORY: Partial<UsbDevice> = {
  productId: '2d01',
  interfaces: [{ kind: 'ff/ff/00', endpoints: 2, name: 'Android Accessory Interface' }, ADB],
};

/** Since Android 14 a phone can be the camera of a computer: control, and the picture. */
const WEBCAM: Partial<UsbDevice> = {
  interfaces: [{ kind: '0e/01/00', endpoints: 1 }, { kind: '0e/02/00', endpoints: 0 }, ADB],
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

/** Somebody says yes when it asks, some seconds after it is plugged in. */
function isAllowed(lab: Lab, phone: LabPhone, at: number): number {
  const done = Math.round(at + seconds(lab, 6, 80));
  lab.phone(phone, done, { kind: 'state', state: 'device', before: 'unauthorized' });
  phone.busy.push({ from: at, to: done + SECOND });
  return done;
}

/** A phone forgets a computer that it was not at for a week, and asks (AOSP, AdbDebuggingManager). */
const FORGOTTEN_MS = 7 * DAY;

/** It comes from a shelf for some stays, each at a port of its own. */
function visits(lab: Lab, times: readonly (Span & { port: Port })[]): void {
  const stays = times.filter(({ to }) => to < lab.end - HOUR).sort((one, other) => one.from - other.from);
  const [first] = stays;
  if (first === undefined) return;
  const device = lab.add('usb', { port: first.port, isThereAtFirst: false });
  device.isPinned = true;
  device.busy.push({ from: lab.start, to: first.from });
  lab.phone(device, Math.round(first.from), { kind: 'attached', state: 'unauthorized' });
  isAllowed(lab, device, first.from);
  for (const [index, { to }] of stays.entries()) {
    const next = stays[index + 1];
    const asks = next !== undefined && next.from - to > FORGOTTEN_MS;
    lab.lose(device, to, {
      ...(next && { forMs: next.from - to, to: next.port, backAs: asks ? 'unauthorized' : 'device' }),
    });
    if (asks) isAllowed(lab, device, next.from);
  }
  drainsOutside(lab, device, 0.15);
}

/** They take turns at these ports: whoever comes gets the one that is free first. */
function atPorts(
  ports: readonly Port[],
  coming: readonly number[],
  lasts: () => number,
  leaves: number,
): (Span & { port: Port })[] {
  const seats = ports.map((port) => ({ port, free: 0 }));
  return coming.flatMap((at) => {
    const seat = seats.reduce((one, next) => (next.free < one.free ? next : one));
    const from = Math.max(at, seat.free);
    seat.free = from + lasts() + leaves;
    return [{ from, to: seat.free - leaves, port: seat.port }];
  });
}

/** It is rid of its Android, and gets another one in which debugging is off; then its owner has it again. */
function getsAnotherAndroid(lab: Lab, phone: LabPhone, at: number): number | undefined {
  const inRecovery = at + minutes(lab, 3.5, 9);
  const written = inRecovery + minutes(lab, 5, 11);
  const starts = written + seconds(lab, 70, 160);
  const leaves = starts + minutes(lab, 8, 45);
  if (leaves > lab.end - HOUR || !lab.isFree(phone, at, leaves)) return undefined;
  lab.lose(phone, at, {
    forMs: inRecovery - at,
    backAs: 'sideload',
    onUsb: { interfaces: [FASTBOOT] },
  });
  phone.busy.push({ from: inRecovery, to: written });
  lab.lose(phone, written);
  // who sets it up sees pictures of it, and adb does not see it
  lab.usb(phone, Math.round(starts), { interfaces: [MTP] });
  lab.usb(phone, Math.round(leaves), null);
  return leaves;
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
  {
    // esper.io and source.android.com: from Android 14 on a phone can be a webcam, which is chosen among what USB is for
    name: "a cooking school films its courses with three phones, which are webcams from somebody's tap until the end of a course",
    lab: {
      zone: 'Europe/Rome',
      from: '2026-02-16',
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Pixel 7a', 'Pixel 8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const courses: Span[] = lab.everyDay().flatMap((day) => {
        const weekday = lab.weekday(day);
        const begins = weekday === 6 ? ['10:00', '15:30'] : [2, 3, 4, 5].includes(weekday) ? ['18:30'] : [];
        // the cook is ill for a week in March, and one course has too few people
        if ((day > 14 && day < 20) || random.chance(0.06)) return [];
        return begins.map((time) => {
          const from = lab.at(day, time) - minutes(lab, 4, 26);
          return { from, to: lab.at(day, time) + minutes(lab, 130, 190) };
        });
      });
      for (const { from, to } of courses) {
        let at = from;
        for (const phone of lab.phones) {
          // one angle is not needed for some dishes
          if (phone !== lab.phones[0] && random.chance(0.12)) continue;
          // a tap on the wrong line is seen at once
          if (random.chance(0.08)) {
            showsOnUsb(lab, phone, { interfaces: [MTP, ADB] }, at, at + seconds(lab, 12, 25));
            at += minutes(lab, 2, 3);
          }
          showsOnUsb(lab, phone, WEBCAM, at, to + minutes(lab, 1, 14));
          at += seconds(lab, 15, 50);
        }
      }
      // one of them goes to the market, and all of them are charged where they are
      for (const day of lab.everyDay())
        if ([2, 6].includes(lab.weekday(day)) && random.chance(0.7)) {
          const from = between(lab, day, '06:20', '07:10');
          out(lab, random.pick(lab.phones), from, from + minutes(lab, 70, 130));
        }
      background(lab, { hours: [9, 22] });
    },
  },
  {
    // healthfacilityguidelines.com.au and a forum of patients: three to six hours on three days a week, each with a screen
    name: 'twenty tablets of a dialysis centre are with patients for four hours in three turns a day, and rest on Sundays',
    lab: {
      zone: 'Australia/Brisbane',
      from: '2026-03-30',
      hubs: [16, 10],
      free: 6,
      models: ['Galaxy Tab A9'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      for (const day of lab.everyDay().slice(0, -1)) {
        // kidneys know no Easter, and so it is open on Good Friday and on Monday
        if (lab.weekday(day) === 0) continue;
        const isFirstGroup = [1, 3, 5].includes(lab.weekday(day));
        for (const [time, many] of [
          ['06:50', isFirstGroup ? 17 : 14],
          ['12:05', isFirstGroup ? 15 : 16],
          ['17:20', isFirstGroup ? 8 : 5],
        ] as const) {
          const begins = lab.at(day, time);
          // some bring a book, and some sleep
          for (const phone of random.shuffled(lab.phones).slice(0, many - random.whole(0, 5))) {
            const from = begins + minutes(lab, 4, 46);
            // some are found beside a chair on the next morning
            const isLeft = random.chance(0.02);
            const to = isLeft
              ? between(lab, day + 1, '06:20', '07:40')
              : from + random.between(3.4, 4.2) * HOUR + minutes(lab, 2, 16);
            absences.push({ phone, from, to });
          }
        }
      }
      shared(lab, absences);
      for (const phone of lab.phones) {
        // on one Sunday all of them get the patches of the month
        const build = 'A9XXS4DYD1';
        updates(lab, phone, between(lab, 20, '02:05', '02:50'), [80, 150], {
          build,
          buildBefore: 'A9XXS4DYB3',
        });
        drainsOutside(lab, phone, 8);
      }
      background(lab, { hours: [6.5, 22] });
    },
  },
  {
    // timesobserver.com and training.electionofficers.com: pads instead of poll books, three to six for each polling place
    name: 'a county loads forty-eight tablets for its polling places, has eight of them at early voting, and reads all of them out on one night',
    lab: {
      zone: 'America/Chicago',
      from: '2026-10-12',
      days: 33,
      hubs: [16, 10],
      free: 26,
      models: ['Galaxy Tab Active5'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.freePorts(lab.start);
      const many = 48;
      const times = Array.from({ length: many }, () => [] as (Span & { port: Port })[]);
      // somebody plugs in one after the other, and takes them out so, half of them at a time
      const load = (which: number, begin: number, end: number): void => {
        let [plugged, taken] = [begin, end];
        for (const [index, port] of ports.slice(0, 24).entries()) {
          times[which * 24 + index]?.push({ from: plugged, to: taken, port });
          plugged += seconds(lab, 7, 22);
          taken += seconds(lab, 4, 11);
        }
      };
      // what is set up before: apps, certificates, and a test with voters who do not exist
      load(0, between(lab, 1, '09:10', '09:40'), lab.at(2, '13:50'));
      load(1, between(lab, 2, '14:20', '14:50'), lab.at(4, '10:30'));
      // early voting, from the next Monday to the Friday before, and on one Saturday
      for (const day of [7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18])
        for (let index = 40; index < many; index += 1) {
          const port = ports[index - 40];
          const next = lab.weekday(day) === 6 || day === 18 ? lab.at(day, '21:30') : lab.at(day + 1, '06:50');
          const from = between(lab, day, '18:05', '18:40');
          if (port && random.chance(0.96)) times[index]?.push({ from, to: next + minutes(lab, 0, 18), port });
        }
      // the list of voters as it is at the end, on the Saturday and the Sunday on which the clocks go back
      load(0, between(lab, 19, '08:20', '08:50'), lab.at(19, '17:10'));
      load(1, between(lab, 20, '09:00', '09:30'), lab.at(20, '16:20'));
      // after the polls have closed at seven, each judge brings what was in use, and who lives far away comes last
      const order = random.shuffled(Array.from({ length: many }, (_, index) => index));
      const coming = order.map(() => between(lab, 22, '19:25', '22:40')).sort((one, other) => one - other);
      const night = atPorts(ports, coming, () => minutes(lab, 9, 34), minutes(lab, 0.4, 1.5));
      for (const [index, stay] of night.entries()) times[order[index] ?? 0]?.push(stay);
      // before the canvass some are looked at again, chosen by lot
      const lot = random.shuffled(order).slice(0, 5);
      for (const [index, which] of lot.entries()) {
        const port = ports[index];
        const from = lab.at(29, '10:05') + index * seconds(lab, 25, 60);
        if (port) times[which]?.push({ from, to: from + minutes(lab, 35, 90), port });
      }
      for (const each of times) visits(lab, each);
      background(lab, { hours: [8, 17] });
    },
  },
  {
    // insideci.co.uk and alphr.com: the National Theatre lends glasses that show captions, at any performance and for any seat
    name: 'a theatre lends twelve pairs of glasses that show captions, in the evening, on two afternoons, and to a school',
    lab: {
      zone: 'Europe/London',
      from: '2026-10-05',
      hubs: [16],
      free: 4,
      known: { slots: false },
      models: ['Moverio BT-350'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      const plays = (day: number, time: string, many: number): void => {
        const begins = lab.at(day, time);
        const ends = begins + minutes(lab, 148, 163);
        for (const phone of random.shuffled(lab.phones).slice(0, many))
          absences.push({
            phone,
            from: begins - minutes(lab, 4, 42),
            to: ends + minutes(lab, 2, 17),
          });
      };
      for (const day of lab.everyDay().slice(0, -1)) {
        // a play ends on a Saturday, and the next one begins after nine days of rehearsals
        if (day > 12 && day < 22) continue;
        const weekday = lab.weekday(day);
        if (weekday === 0 || weekday === 1) continue;
        if ([3, 6].includes(weekday)) plays(day, '14:15', Math.min(11, random.poisson(3.2)));
        plays(day, '19:30', Math.min(11, random.poisson(weekday === 6 ? 4.6 : 2.6)));
      }
      plays(24, '13:00', 12);
      // one goes home in somebody's bag on a Friday, and is brought back on the next Tuesday
      const [taken] = lab.phones.slice(7);
      if (taken)
        absences.push({ phone: taken, from: lab.at(11, '18:41'), to: between(lab, 15, '11:10', '12:30') });
      shared(lab, absences);
      // the cues of the new play are loaded before its first night, and each is tried on
      for (const phone of lab.phones) {
        restart(lab, phone, between(lab, 21, '14:20', '15:40'), [38, 66], 'reboot,adb');
        const tried = between(lab, 21, '16:00', '17:20');
        out(lab, phone, tried, tried + minutes(lab, 2, 9));
        drainsOutside(lab, phone, 13);
      }
      background(lab, { hours: [11, 22] });
    },
  },
  {
    // driving.org and despatch.blog.gov.uk: at most seven tests a day, marked on a tablet in the car
    name: 'eleven examiners of driving tests take their tablets in the morning, have them at a cable at noon, and bring them back by five',
    lab: {
      zone: 'Europe/London',
      from: '2026-03-09',
      hubs: [16],
      free: 5,
      usb: true,
      models: ['Galaxy Tab Active3'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // nobody tests on Good Friday and on Easter Monday, and fog ends the tests of one morning
      const isOpen = (day: number) => ![25, 28].includes(day) && lab.weekday(day) !== 0;
      const onLeave = new Map(
        lab.phones.map((phone) => [phone, random.chance(0.5) ? random.whole(0, 3) : 9]),
      );
      for (const [index, phone] of lab.phones.entries())
        for (const day of lab.everyDay().slice(0, -1).filter(isOpen)) {
          const isSaturday = lab.weekday(day) === 6;
          if (isSaturday ? random.chance(0.75) : random.chance(0.04)) continue;
          if (onLeave.get(phone) === Math.floor(day / 7)) continue;
          // two of them work three days a week
          if (index < 2 && [1, 5].includes(lab.weekday(day))) continue;
          const left = between(lab, day, '07:40', '08:12');
          if (day === 9 && random.chance(0.9)) {
            // they go out to look at the fog, and again at noon
            const again = between(lab, day, '12:20', '12:50');
            out(lab, phone, left, between(lab, day, '08:30', '09:40'));
            out(lab, phone, again, between(lab, day, '16:02', '16:50'));
            continue;
          }
          const noon = between(lab, day, '11:48', '12:20');
          const evening = isSaturday ? noon : between(lab, day, '16:02', '17:05');
          // who has a sandwich in the car does not come in
          if (isSaturday || random.chance(0.3)) out(lab, phone, left, evening);
          else {
            out(lab, phone, left, noon);
            out(lab, phone, noon + minutes(lab, 14, 33), evening);
          }
        }
      for (const phone of lab.phones) drainsOutside(lab, phone, 9);
      background(lab, { hours: [8, 17] });
    },
  },
  {
    // techcare.coop, makeovers: old phones that get no updates any more are given another Android
    name: 'a co-operative gives the old phones of its clients another Android, one or two a day, and each leaves when it is set up',
    lab: {
      zone: 'Europe/London',
      from: '2026-05-04',
      hubs: [4],
      free: 3,
      usb: true,
      known: { slots: false },
      models: ['Pixel 5'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.freePorts(lab.start);
      const names = ['Fairphone 3', 'Moto G7', 'Galaxy S9', 'Pixel 4a', 'OnePlus 6', 'Xperia XZ2'];
      const free = new Map(ports.map((port) => [port, lab.start]));
      // closed on the first Monday of May and on the last one
      for (const day of lab.workdays().filter((each) => each !== 0 && each !== 21))
        for (let left = random.pick([0, 1, 1, 2, 2, 3]); left > 0; left -= 1) {
          const at = between(lab, day, '10:10', '15:40');
          const port = ports.find((each) => (free.get(each) ?? 0) < at);
          if (port === undefined || lab.phones.length > 55) continue;
          const phone = comes(lab, port, at, { name: random.pick(names), percent: random.whole(21, 78) });
          phone.isPinned = true;
          // what is on it is saved first, and who has a question is called
          const saved = at + minutes(lab, 12, 75);
          const until = getsAnotherAndroid(lab, phone, saved);
          free.set(port, (until ?? lab.end) + 10 * MINUTE);
        }
      background(lab, { hours: [10, 17], taken: 3 });
    },
  },
  {
    // members.cfa.vic.gov.au, tablets in trucks: they are detached for use outside the vehicle, to take notes and photos
    name: 'volunteers of a fire brigade take one to four of six tablets when they are called, at any hour, and two go away for three days',
    lab: {
      zone: 'Australia/Melbourne',
      from: '2026-01-12',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Galaxy Tab Active5'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // a strike team helps beyond the ranges in the hottest days
      for (const phone of lab.phones.slice(0, 2))
        out(lab, phone, lab.at(15, '04:40') + minutes(lab, 0, 6), lab.at(18, '13:20') + minutes(lab, 0, 25));
      const alarms = lab
        .everyDay()
        .flatMap((day) =>
          Array.from({ length: random.poisson(day > 12 && day < 21 ? 1.1 : 0.45) }, () =>
            between(lab, day, random.chance(0.7) ? '10:30' : '00:10', '23:40'),
          ),
        );
      const goOut = (at: number, many: number, least: number, most: number): void => {
        const back = at + minutes(lab, least, most);
        const there = lab.phones.filter((phone) => lab.isFree(phone, at - MINUTE, at + MINUTE));
        // the first truck leaves minutes before the second
        for (const [index, phone] of random.shuffled(there).slice(0, many).entries())
          out(
            lab,
            phone,
            at + Math.floor(index / 2) * minutes(lab, 2, 5) + seconds(lab, 0, 40),
            back + Math.floor(index / 2) * minutes(lab, 1, 30) + minutes(lab, 0, 6),
          );
      };
      for (const alarm of inOrder(alarms))
        goOut(alarm + minutes(lab, 4, 9), random.pick([1, 1, 2, 2, 4]), 35, 260);
      // all of them are looked at on Monday evenings, and some go out for an exercise
      for (const day of daysOf(lab, 1)) {
        const begins = between(lab, day, '19:05', '19:25');
        for (const [index, phone] of lab.phones.entries()) {
          const at = begins + index * minutes(lab, 1.5, 4);
          if (random.chance(0.5)) out(lab, phone, at, at + seconds(lab, 35, 170));
        }
        goOut(begins + minutes(lab, 35, 45), random.whole(1, 3), 40, 75);
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 11);
      background(lab, { hours: [8, 21], isDaily: true });
    },
  },
  {
    // counselmagazine.co.uk and eandt.theiet.org: jurors have the evidence on tablets, and so do the judge and who testifies
    name: 'jurors have fourteen tablets for the days of a trial, until their verdict on its ninth day, and others have them for the next',
    lab: {
      zone: 'Europe/London',
      from: '2026-10-05',
      hubs: [16],
      free: 2,
      models: ['Galaxy Tab S8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const handOut = (day: number, from: string, to: string): void => {
        along(lab, lab.phones, lab.at(day, from) + minutes(lab, 0, 9), [3, 9], (phone, at, index) => {
          // the usher collects them in another order, and one is looked for at times
          const back = lab.at(day, to) + minutes(lab, 1, 11) + ((index * 5) % 14) * seconds(lab, 4, 8);
          out(lab, phone, at, back + (random.chance(0.02) ? minutes(lab, 10, 25) : 0));
        });
      };
      const sits = (day: number): void => {
        // at lunch they charge, but where the afternoon is short
        if (random.chance(0.7)) {
          handOut(day, '10:02', '13:00');
          handOut(day, '14:02', '16:15');
        } else handOut(day, '10:02', '14:40');
      };
      for (const day of [1, 2, 3, 7, 8, 9]) sits(day);
      // on the Thursday a juror is at a doctor's; from the fourteenth day on they deliberate
      for (const day of [14, 15]) handOut(day, '09:45', '16:20');
      handOut(16, '09:45', '11:50');
      // what is on them is wiped, and they are set up for the next trial, in the week in which the clocks go back
      along(lab, lab.phones, lab.at(18, '10:20'), [150, 330], (phone, at) => {
        isReset(lab, phone, at, [3, 8]);
      });
      for (const day of [22, 23, 24, 28]) sits(day);
      for (const phone of lab.phones) drainsOutside(lab, phone, 7);
      background(lab, { hours: [9, 17] });
    },
  },
];
