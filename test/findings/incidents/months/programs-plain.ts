/**
 * Months of plain labs in which programs drive the phones: what is wiped, updated, tethered, enrolled or restarted by a plan,
 * ports that a timer looks after, servers and hosts that are made anew by a script, and devices that are there for a job.
 */
import { ADB, FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, hostRestarts, inUse, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { thereOnlyIn } from './at-home.ts';
import { drainsOutside } from './at-length.ts';
import { daysOf } from './at-work.ts';
import { hasRestarted, merged, nightly, pushes, type Span } from './by-machine.ts';
import { job } from './calm.ts';
import { between, greenwich, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { lent, type Range, updates } from './in-racks.ts';
import { unreached } from './over-network.ts';

/** It is wiped, and listed again without a question, as its keys are kept or its build asks none. */
function wiped(lab: Lab, phone: LabPhone, at: number, range: Range): number | undefined {
  const back = Math.round(at + seconds(lab, ...range));
  if (back > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, back + 2 * MINUTE)) return undefined;
  lab.lose(phone, at, { forMs: back - at });
  hasRestarted(lab, phone, back, 'reboot,recovery');
  return back;
}

/** It restarts on the network, where adb goes on listing it for a while; its debugging begins so long after its kernel. */
function restartsOnAir(lab: Lab, phone: LabPhone, at: number, range: Range, begins: Range): void {
  const back = Math.round(at + seconds(lab, ...range));
  if (back > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, back + 2 * MINUTE)) return;
  unreached(lab, phone, at, back);
  const later = lab.random.between(5, 40);
  lab.rebooted(phone, back + later * SECOND, {
    reason: 'reboot',
    uptimeSeconds: Math.round(later + lab.random.between(...begins)),
  });
}

/** It gives its line to the host over the cable: for that it leaves USB for a moment, and once more when it ends. */
function tethered(lab: Lab, phone: LabPhone, from: number, to: number): boolean {
  const [first, last] = [seconds(lab, 1.6, 3.4), seconds(lab, 1.5, 3)];
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + MINUTE)) return false;
  lab.lose(phone, from, { forMs: first });
  lab.usb(phone, Math.round(from + first), { interfaces: [...RNDIS, ADB] });
  lab.lose(phone, to, { forMs: last });
  lab.usb(phone, Math.round(to), undefined);
  return true;
}

const RNDIS = [
  { kind: 'e0/01/03', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];

/** A program looks at it at these times of the day, and takes its power where it has enough; at the first it always has it. */
function lookedAt(lab: Lab, phone: LabPhone, times: readonly string[], late: number): void {
  const { random } = lab;
  const [enough, drain, gain] = [random.whole(72, 78), random.between(1.3, 3.4), random.between(15, 24)];
  const points: [number, number][] = [];
  let [last, percent] = [lab.start, random.whole(82, 100)];
  let off: number | undefined;
  points.push([last, percent]);
  for (const day of lab.everyDay())
    for (const [index, time] of times.entries()) {
      const at = lab.at(day, time) + late;
      const hours = (at - last) / HOUR;
      const full = last + ((100 - percent) / gain) * HOUR;
      if (off === undefined && full < at) points.push([full, 100]);
      percent = off === undefined ? Math.min(100, percent + hours * gain) : percent - hours * drain;
      last = at;
      points.push([at, percent]);
      if (index > 0 && percent >= enough) off ??= at;
      else if (off !== undefined) {
        out(lab, phone, off, at + seconds(lab, 1.4, 4));
        off = undefined;
      }
    }
  phone.reading = levels(points, random.whole(268, 296));
}

/** It is not there at first, and then only in these times: a new one each time, which has just started. */
function rented(lab: Lab, device: LabPhone, times: readonly Span[]): void {
  const spans = merged(times, 3 * MINUTE).filter(({ from, to }) => from > lab.start && to < lab.end - HOUR);
  device.reading = () => undefined;
  thereOnlyIn(lab, device, spans);
  for (const { from } of spans.slice(1)) hasRestarted(lab, device, from);
}

/** The release is written onto it by the host. @returns when it runs */
function setBack(lab: Lab, phone: LabPhone, from: number): number | undefined {
  const to = Math.round(from + minutes(lab, 4.5, 7.5));
  if (to > lab.end - 3 * HOUR || !lab.isFree(phone, from - MINUTE, to + 3 * MINUTE)) return undefined;
  lab.lose(phone, from, { forMs: to - from, onUsb: { interfaces: [FASTBOOT] } });
  hasRestarted(lab, phone, to, 'reboot,bootloader');
  return to;
}

/** So many runs one after the other; the port is off while it is measured, and on while it is read out. */
function measured(lab: Lab, phone: LabPhone, begin: number, runs: number): number {
  let at = begin;
  for (let left = runs; left > 0; left -= 1) {
    const to = at + 3 * MINUTE + seconds(lab, 4, 9);
    if (to > lab.end - HOUR) break;
    out(lab, phone, at, to);
    at = to + 2 * MINUTE + seconds(lab, 6, 22);
  }
  return at;
}

/** Its port is off for as long as each of these steps of a test wants it. @returns when the last one is over */
function cutOff(lab: Lab, phone: LabPhone, begin: number, steps: readonly number[]): number {
  let at = begin;
  for (const step of steps) {
    const to = at + step + seconds(lab, 1.4, 4);
    out(lab, phone, at, to);
    at = to + minutes(lab, 2.5, 14);
  }
  return at;
}

export const programsPlain: readonly QuietMonth[] = [
  {
    // source.android.com/docs/compatibility/cts/harness: all data is wiped, the keys of adb are kept, no setup is shown
    name: 'eighteen phones are wiped in test harness mode after each job, and are listed again without anybody',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-03-16',
      hubs: [10, 10],
      free: 2,
      usb: true,
      models: ['Pixel 7', 'Pixel 8a', 'Galaxy A54', 'Moto G84', 'Xperia 10'],
    },
    tell(lab) {
      const { random } = lab;
      const byDay = pushes(lab, { times: [22, 44], hours: ['08:10', '18:50'], onWeekends: 0.5 });
      for (const pushed of byDay) {
        const phone = random.pick(lab.phones);
        wiped(lab, phone, pushed + minutes(lab, 6, 41), [72, 168]);
      }
      // each night all of them run what is new, and those that were slow are wiped later
      for (const night of nightly(lab, '01:20', MINUTE))
        for (const phone of lab.phones)
          if (random.chance(0.93)) wiped(lab, phone, night + minutes(lab, 38, 95), [72, 168]);
      background(lab, { taken: 0.7, restarts: 0.3, glitches: 0.05 });
    },
  },
  {
    // sitespeed.io, documentation of mobile phones: dedicated phones at a small computer, which waits until they are cool
    name: 'two phones of a newspaper measure its pages all day, and restart before the first of the morning',
    lab: {
      zone: 'Europe/Oslo',
      from: '2026-10-12',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false },
      models: ['Moto G5', 'Galaxy A51'],
    },
    tell(lab) {
      const { random } = lab;
      for (const [index, phone] of lab.usbPhones.entries()) {
        // its port gives less than a run takes
        const points: [number, number][] = [];
        for (let at = lab.start; at < lab.end; at += random.between(2.5, 5) * HOUR)
          points.push([at, points.length % 2 === 0 ? random.whole(91, 99) : random.whole(70, 84)]);
        phone.reading = levels(points, 292 + 9 * index);
      }
      for (const day of lab.everyDay().slice(1)) {
        // on Sundays the small computer takes its updates before that
        if (lab.weekday(day) === 0) hostRestarts(lab, lab.at(day, '05:20:04') + random.whole(0, 3000));
        for (const [index, phone] of lab.usbPhones.entries())
          restart(
            lab,
            phone,
            lab.at(day, '05:45:03') + index * 90 * SECOND,
            index === 0 ? [48, 71] : [31, 44],
            'reboot,adb',
          );
      }
      // a new browser asks something, which somebody answers at the desk
      for (const day of [8, 22])
        for (const phone of lab.usbPhones) {
          const at = between(lab, day, '09:40', '14:20');
          out(lab, phone, at, at + minutes(lab, 8, 35));
        }
      background(lab, { taken: 0, restarts: 0, glitches: 0 });
    },
  },
  {
    // door-tablet.com, help on reboots: daily, with a start within half an hour by chance, so that not all come at once
    name: 'twenty-six time clocks of a factory restart in the half hour after half past one, each at a minute by chance',
    lab: {
      zone: 'Europe/Warsaw',
      from: '2026-04-13',
      hubs: [],
      network: 26,
      known: { slots: false },
      models: ['Galaxy Tab A8', 'Lenovo Tab M10'],
    },
    tell(lab) {
      const clocks = lab.pinnedOf('tcp');
      // their batteries are kept at eighty percent
      for (const clock of clocks) clock.reading = levels([[lab.start, 80]], lab.random.whole(258, 291));
      // on a Sunday the access point of each hall is updated in its turn
      for (const [index, clock] of clocks.entries()) {
        const at = lab.at(13, '10:04') + Math.floor(index / 9) * 11 * MINUTE + seconds(lab, 0, 4);
        unreached(lab, clock, at, at + 150 * SECOND + seconds(lab, 2, 48));
      }
      for (const day of lab.everyDay())
        for (const clock of clocks)
          restartsOnAir(lab, clock, between(lab, day, '01:30', '02:00'), [44, 78], [26, 44]);
      background(lab, { glitches: 0 });
    },
  },
  {
    // AOSP, `svc usb setFunctions rndis`: adbd goes on beside it, and USB is set up anew
    name: 'six phones of an operator give their line to the host over the cable, one after the other, three rounds a night',
    lab: {
      zone: 'Asia/Singapore',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Galaxy S23', 'Pixel 8', 'Oppo Find X5', 'Redmi Note 12', 'Galaxy A15', 'Vivo V29'],
    },
    tell(lab) {
      const { random } = lab;
      // the Lunar New Year is on a Tuesday, and nobody looks at what the nights have found until Thursday
      const days = lab.workdays().filter((day) => day !== 15 && day !== 16);
      const rounds = [
        ...nightly(lab, '00:30:02', 3 * SECOND),
        ...nightly(lab, '02:30:02', 3 * SECOND),
        ...nightly(lab, '04:30:02', 3 * SECOND),
      ].filter((at) => new Date(at).getDay() !== 0);
      for (const round of rounds.sort((one, other) => one - other)) {
        let at = round + seconds(lab, 20, 50);
        for (const phone of lab.phones) {
          const to = at + minutes(lab, 9.5, 14);
          tethered(lab, phone, at, to);
          at = to + seconds(lab, 25, 70);
        }
      }
      // by day somebody tries what has failed
      for (const day of days)
        for (let left = random.poisson(1.6); left > 0; left -= 1) {
          const at = between(lab, day, '09:50', '17:40');
          tethered(lab, random.pick(lab.phones), at, at + minutes(lab, 3, 40));
        }
      lent(lab, lab.phones, 1.2, { days });
      background(lab, { taken: 0, restarts: 0.5, glitches: 0 });
    },
  },
  {
    // testdevlab.com, August 2016: a hub whose ports a program switches, so that batteries are not held full for years
    name: 'a program looks at fourteen phones four times a day, and takes the power of those that have enough until the next look',
    lab: {
      zone: 'Europe/Riga',
      from: '2026-03-09',
      hubs: [7, 7],
      usb: true,
      models: ['Galaxy S9', 'Huawei P20', 'Pixel 4a', 'Xiaomi Mi A2', 'Nokia 7.1'],
    },
    tell(lab) {
      pinAll(lab.phones);
      // the tests of the night need all of them
      for (const [index, phone] of lab.phones.entries())
        lookedAt(lab, phone, ['01:55:01', '07:00:01', '13:00:01', '19:00:01'], index * 1700);
      background(lab, { glitches: 0 });
    },
  },
  {
    // source.android.com/docs/core/ota/ab: what is tested begins at the last release, and takes two slots
    name: 'four phones are set back to the release before each night, and take the build of the day over the air',
    lab: {
      zone: 'America/Chicago',
      from: '2026-11-02',
      hubs: [4],
      usb: true,
      models: ['Moto Edge', 'Moto G Power', 'ThinkPhone', 'Moto G Stylus'],
    },
    tell(lab) {
      const release = 'V1TD36.41-12';
      const has = new Map<LabPhone, string>();
      // none at Thanksgiving, and none from what was pushed on a weekend
      const nights = lab.workdays(1).filter((day) => day !== 24 && day !== 25);
      for (const day of nights) {
        const begins = between(lab, day, '21:40', '22:30');
        for (const [index, phone] of lab.phones.entries()) {
          const runs = setBack(lab, phone, begins + index * 8 * MINUTE);
          if (runs === undefined) continue;
          const before = has.get(phone);
          if (before !== undefined)
            lab.phone(phone, runs + 95 * SECOND, { kind: 'os', build: release, buildBefore: before });
          has.set(phone, release);
          // it loads it, writes it into the other slot and compiles its programs, while it is used
          const at = runs + minutes(lab, 38, 74);
          const build = `V1TD37.${100 + day}`;
          if (!updates(lab, phone, at, [46, 92], { build, buildBefore: release })) continue;
          has.set(phone, build);
          // what it has merged by then is kept by one more restart
          restart(lab, phone, at + minutes(lab, 24, 50), [38, 61], 'reboot,adb');
        }
      }
      background(lab, { hours: [9, 17], taken: 1.2, restarts: 0.8, glitches: 0.05 });
    },
  },
  {
    // ReactiveCircus/android-emulator-runner: a matrix of API levels; each starts an emulator, and kills it in the end
    name: 'two runners go through a matrix of six versions of Android, each in an emulator that has the name of the one before',
    lab: { zone: 'America/Toronto', from: '2026-10-19', hubs: [], direct: 1, emulators: 2 },
    tell(lab) {
      const { random } = lab;
      const runners = lab.pinnedOf('emulator').map((emulator) => ({ emulator, freeFrom: lab.start }));
      for (const { emulator } of runners) emulator.isThereAtFirst = false;
      // the schedule of the service stays on Greenwich time, and starts late when many others start
      const scheduled = lab.everyDay().map((day) => greenwich(lab, day, 7.3) + minutes(lab, 1, 24));
      const pushed = pushes(lab, { times: [2, 9], hours: ['09:00', '22:40'], onWeekends: 0.7 });
      for (const asked of [...scheduled, ...pushed].sort((one, other) => one - other)) {
        // what only touches words needs no tests, and what does not compile has none
        if (random.chance(0.15)) continue;
        for (let version = 0; version < 6; version += 1) {
          const runner = runners.reduce((one, other) => (other.freeFrom < one.freeFrom ? other : one));
          const built = asked + minutes(lab, 3, 5);
          const at = Math.max(built, runner.freeFrom) + seconds(lab, 70, 150);
          // the old ones are slow
          const forMs = minutes(lab, 5, version < 2 ? 17 : 11);
          if (at + forMs > lab.end - HOUR) break;
          job(lab, runner.emulator, at, forMs);
          runner.freeFrom = at + forMs;
        }
      }
      background(lab, { hours: [10, 19], taken: 2.5, restarts: 1 });
    },
  },
  {
    // mozilla-b2g/MozITP: what testers start in the morning restarts udev and the adb server before it shows its menu
    name: 'testers begin each session with a script that starts adb anew, and plug nine phones in and out between them',
    lab: {
      zone: 'Asia/Taipei',
      from: '2026-02-23',
      hubs: [7, 4],
      free: 2,
      known: { usbPath: false, hub: false },
      models: ['Zenfone 10', 'Galaxy A35', 'Redmi 13', 'Pixel 7a'],
    },
    tell(lab) {
      const { random } = lab;
      // the twenty-seventh is taken for the Day of Peace
      const days = lab.workdays().filter((day) => day !== 4);
      let last = lab.start;
      for (const day of days) {
        const starts = Array.from({ length: random.whole(2, 7) }, () => between(lab, day, '09:10', '18:20'));
        for (const at of starts.sort((one, other) => one - other)) {
          if (at < last + 4 * MINUTE) continue;
          last = adbRestarts(lab, Math.round(at), undefined, Math.round(seconds(lab, 1.9, 4.5)));
          for (const phone of lab.phones) phone.busy.push({ from: at - 10 * SECOND, to: last + 20 * SECOND });
        }
      }
      lent(lab, lab.phones, 6, { days, minutes: [3, 75], overnight: 0.08 });
      background(lab, { hours: [9, 18], taken: 0, restarts: 1.5, glitches: 0.05 });
    },
  },
  {
    // mouldybread/adb-auto-enable; Samsung, automatic restart at set times: a program on the phone begins debugging again
    name: 'ten phones on Wi-Fi restart on two nights a week of their own, and a program in each begins debugging anew',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-10-12',
      hubs: [],
      network: 10,
      known: { slots: false },
      models: ['Galaxy A52s', 'Galaxy S21', 'Galaxy A14'],
    },
    tell(lab) {
      const { random } = lab;
      const pool = lab.pinnedOf('tcp');
      // the access point starts anew before dawn on Sundays, and the port is another one then
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 0))
        for (const phone of pool) {
          const at = lab.at(day, '05:30:02') + seconds(lab, 0, 9);
          unreached(lab, phone, at, at + 85 * SECOND + seconds(lab, 5, 75));
        }
      for (const phone of pool) {
        const nights = random.shuffled([1, 2, 3, 4, 5, 6]).slice(0, 2);
        const from = lab.random.whole(0, 55) * MINUTE;
        // it waits until nobody has touched it for a while
        for (const day of lab.everyDay().filter((each) => nights.includes(lab.weekday(each))))
          restartsOnAir(lab, phone, lab.at(day, '03:00') + from + seconds(lab, 0, 240), [74, 128], [42, 66]);
        // to the yard, or to lunch, where no Wi-Fi is
        for (let left = random.poisson(1.8); left > 0; left -= 1) {
          const at = between(lab, random.pick(lab.workdays()), '10:00', '16:40');
          unreached(lab, phone, at, at + minutes(lab, 9, 100));
        }
      }
      background(lab, { hours: [9, 18], glitches: 0 });
    },
  },
  {
    // S2-group/android-runner: 3 minutes a run, 2 minutes between; its handler switches USB off while power is measured
    name: 'three groups of students measure what apps use, forty runs at a time with USB off, most of them before they hand in',
    lab: {
      zone: 'Europe/Amsterdam',
      from: '2026-09-21',
      hubs: [4],
      free: 1,
      known: { slots: false },
      models: ['Pixel 3', 'Galaxy J7', 'Nexus 5X'],
    },
    tell(lab) {
      const { random } = lab;
      for (const phone of lab.phones) {
        phone.isPinned = true;
        // in class it is used by day
        const usual = inUse(lab);
        const spans: (Span & { reading: Reading })[] = [];
        // it is tried by a few runs first, and in the last weeks there are more of them, until late
        const tries = [9, 10, 14, 15].filter(() => random.chance(0.6)).map((day) => ({ day, runs: 4 }));
        const longs = [16, 18, 19, 21, 22, 23, 24, 25, 26]
          .filter(() => random.chance(0.62))
          .map((day) => ({ day, runs: random.pick([20, 30, 40, 60]) }));
        for (const { day, runs } of [...tries, ...longs]) {
          const from = between(lab, day, '13:20', '19:50');
          const to = measured(lab, phone, from, runs);
          const percent = usual(from)?.levelPercent ?? 80;
          const drained = Math.round(percent - runs * random.between(0.3, 0.7));
          const reading = levels(
            [
              [from, percent],
              [to, drained],
              [to + 2.6 * HOUR, 100],
            ],
            random.whole(262, 290),
          );
          spans.push({ from, to: lab.at(day + 1, '06:00'), reading });
        }
        phone.reading = (at) => (spans.find(({ from, to }) => from <= at && at < to)?.reading ?? usual)(at);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // learn.springdel.com, fleet schedules: an action has conditions, and is tried again where a device was not there
    name: 'a server restarts the handhelds of a ski resort on Tuesdays and Fridays, and those that were out when they come back',
    lab: {
      zone: 'Europe/Zurich',
      from: '2026-01-12',
      hubs: [16, 16],
      known: { slots: false },
      models: ['TC26', 'TC21'],
    },
    tell(lab) {
      const { random } = lab;
      // when the wind is strong, hardly a lift runs
      const storms = new Set([6, 7, 18]);
      const isFull = (day: number) => !lab.isWorkday(day) || day > 24;
      pinAll(lab.phones);
      for (const phone of lab.phones) {
        for (const day of lab.everyDay()) {
          if (!random.chance(storms.has(day) ? 0.12 : isFull(day) ? 0.88 : 0.62)) continue;
          const from = between(lab, day, '07:40', '08:25');
          // it stays in a jacket now and then
          const isForgotten = random.chance(0.03);
          const to = isForgotten
            ? between(lab, day + 1, '06:50', '07:25')
            : between(lab, day, storms.has(day) ? '11:00' : '16:25', '17:20');
          out(lab, phone, from, to);
          // the slope in the village has light on Fridays
          if (lab.weekday(day) === 5 && !isForgotten && random.chance(0.2))
            out(lab, phone, between(lab, day, '17:50', '18:20'), between(lab, day, '21:30', '22:10'));
        }
        const outside = [...phone.busy];
        for (const day of daysOf(lab, 2, 5)) {
          // each asks the server for news once in a quarter of an hour
          const at = lab.at(day, '02:00') + minutes(lab, 0, 15);
          const missed = outside.find(({ from, to }) => from < at && to > at);
          restart(lab, phone, missed ? missed.to + minutes(lab, 1, 4) : at, [34, 58], 'reboot,deviceowner');
        }
        drainsOutside(lab, phone, 6.2);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // developers.google.com/android/management: what a server wipes is enrolled anew, and then follows its policy
    name: 'nine phones are wiped, enrolled and restarted by the tests of a management server, twice in the night after a workday',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-04-06',
      hubs: [10],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 7a', 'Xperia Ace', 'Arrows We', 'Aquos Sense7'],
    },
    tell(lab) {
      const { random } = lab;
      // Showa Day, and the last days of Golden Week
      const days = lab.workdays().filter((day) => day !== 23 && day < 28);
      const enrol = (phone: LabPhone, at: number): void => {
        const back = wiped(lab, phone, at, [112, 188]);
        if (back === undefined) return;
        // the policy has it start anew when it is enrolled, and the last test wipes it from the server
        restart(lab, phone, back + minutes(lab, 11, 19), [31, 52], 'reboot,deviceowner');
        if (random.chance(0.6)) wiped(lab, phone, back + minutes(lab, 42, 58), [112, 188]);
      };
      for (const day of days)
        for (const night of [lab.at(day, '23:30:03'), lab.at(day + 1, '03:30:03')])
          for (const [index, phone] of lab.phones.entries())
            if (random.chance(0.95)) enrol(phone, night + index * 40 * SECOND + seconds(lab, 0, 12));
      // in the week before a release they run at noon as well, on three of them
      for (const day of [14, 15, 16, 17, 18])
        for (const phone of lab.phones.slice(0, 3)) enrol(phone, between(lab, day, '12:05', '12:25'));
      lent(lab, lab.phones, 0.8, { days, hours: ['09:40', '17:50'] });
      background(lab, { taken: 0, restarts: 0.4, glitches: 0.05 });
    },
  },
  {
    // crontab of a small lab: `adb reboot` for all, and `shutdown -r` for the host when they are back
    name: 'a small host restarts its seven phones and then itself at four each night, if no job runs any more',
    lab: {
      zone: 'Asia/Ho_Chi_Minh',
      from: '2026-02-02',
      hubs: [7],
      usb: true,
      models: ['Galaxy A14', 'Oppo A57', 'Redmi 10', 'Vivo Y22'],
    },
    tell(lab) {
      const { random } = lab;
      for (const day of lab.everyDay().slice(1)) {
        if (random.chance(0.1)) continue;
        const begins = lab.at(day, '03:50:02') + random.whole(0, 2500);
        for (const [index, phone] of lab.phones.entries())
          restart(lab, phone, begins + index * 25 * SECOND + seconds(lab, 0, 3), [33, 66], 'reboot,adb');
        const at = begins + 10 * MINUTE;
        hostRestarts(lab, at);
        for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + 3 * MINUTE });
      }
      // for Tet all of them are at home
      lent(lab, lab.phones, 2.2, { days: lab.workdays().filter((day) => day < 12 || day > 20) });
      background(lab, { taken: 0, restarts: 0.3, glitches: 0.06, isUpdated: false });
    },
  },
  {
    name: 'a program goes round sixty phones day and night, and restarts the next one every twenty-three and a half minutes',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-03-02',
      hubs: [10, 10, 10, 10, 10, 10],
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy M34', 'Redmi Note 13', 'Realme 11', 'Pixel 8a', 'OnePlus Nord', 'Vivo T2'],
    },
    tell(lab) {
      const { random } = lab;
      // Holi is on a Wednesday
      const days = lab.workdays().filter((day) => day !== 2);
      lent(lab, lab.phones, 0.8, { days, hours: ['10:10', '19:20'] });
      const order = random.shuffled(lab.phones);
      // for three days before a release nobody wants it to run
      const [stopped, begun] = [lab.at(16, '18:40'), lab.at(19, '11:05')];
      let next = lab.start + minutes(lab, 3, 20);
      for (let turn = 0; next < lab.end - HOUR; turn += 1) {
        const phone = order[turn % order.length];
        if (next > stopped && next < begun) next = begun;
        // what runs on it may end first
        const waits = random.chance(0.3) ? minutes(lab, 1, 22) : 0;
        if (phone) restart(lab, phone, next + waits + seconds(lab, 0, 2), [29, 71], 'reboot,adb');
        next += 23.5 * MINUTE;
      }
      background(lab, { hours: [10, 19], taken: 0, restarts: 0.2, glitches: 0.04 });
    },
  },
  {
    // yepkit.com, YKUSH: a board switches the cable of each phone, as a test asks for it
    name: 'the tests of a music app take the cable away for half a minute, two minutes or ten, and see whether it plays on',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-03-16',
      hubs: [16],
      free: 4,
      usb: true,
      models: ['Galaxy S22', 'Pixel 6', 'OnePlus 10', 'Xiaomi 12', 'Sony Xperia 5'],
    },
    tell(lab) {
      const { random } = lab;
      // nobody works on Good Friday and Easter Monday
      const days = lab.workdays().filter((day) => day !== 18 && day !== 21);
      const steps = () => random.shuffled([30 * SECOND, 2 * MINUTE, 10 * MINUTE]);
      for (const day of days) {
        // what has not passed is run once more
        for (const phone of lab.phones) {
          const ends = cutOff(lab, phone, between(lab, day, '22:10', '22:50'), steps());
          if (random.chance(0.2)) cutOff(lab, phone, ends + minutes(lab, 20, 45), steps());
        }
        // by day a change in its player has them on one or two phones
        for (let left = random.poisson(1.7); left > 0; left -= 1)
          for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 2)))
            cutOff(lab, phone, between(lab, day, '09:20', '17:10'), steps());
      }
      lent(lab, lab.phones, 0.9, { days });
      background(lab, { taken: 0, restarts: 0.8, glitches: 0.04 });
    },
  },
  {
    // docs.genymotion.com, gmsaas: `instances start`, `adbconnect`, and in the end `instances stop`
    name: 'a job starts twelve virtual devices in a cloud each night and connects them, and developers start one now and then',
    lab: {
      zone: 'Europe/Paris',
      from: '2026-04-13',
      hubs: [],
      direct: 2,
      network: 12,
      models: ['Pixel 7', 'Galaxy A54', 'Genymotion'],
    },
    tell(lab) {
      const { random } = lab;
      // Labour Day and the Eighth of May
      const isOpen = (day: number) => lab.isWorkday(day) && day !== 18 && day !== 25;
      // no build is new on Sundays and Mondays
      const nights = nightly(lab, '01:05:04', 20 * SECOND).filter((at) => new Date(at).getDay() > 1);
      for (const [index, device] of lab.networkPhones.entries()) {
        const atNight = nights.map((at) => {
          const from = at + seconds(lab, 38, 95);
          return { from, to: from + minutes(lab, 33, 68) };
        });
        // whoever looks for a fault takes the first that is free
        const byDay = lab
          .everyDay()
          .filter((day) => isOpen(day) && index < 4 && random.chance(0.45 - 0.1 * index))
          .map((day) => between(lab, day, '09:40', '17:30'))
          .map((from) => ({ from, to: from + minutes(lab, 12, 110) }));
        rented(lab, device, [...atNight, ...byDay]);
      }
      background(lab, { hours: [9.5, 18.5], taken: 1.6 });
    },
  },
];
