/**
 * Months of labs whose hours are not from nine to five: sensors, gateways, benches, timers and robots that move devices at any
 * time of a day, and people who work before dawn, at night, on weekends, in two halves of a day, or not at all on some days.
 */
import { FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { drainsOutside } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { hasRestarted, merged, nightly, pushes, type Span, unread } from './by-machine.ts';
import { job, switchedOff } from './calm.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { lent } from './in-racks.ts';
import { unreached } from './over-network.ts';

/** Somebody takes one of them now and then, while they have power, and puts it back before they have none. */
function takenWhileOn(lab: Lab, phones: readonly LabPhone[], times: readonly Span[], often: number): void {
  for (const { from, to } of times.filter((span) => span.to > span.from + 3 * HOUR))
    for (const phone of phones.filter(() => lab.random.chance(often))) {
      const at = lab.random.between(from + 5 * MINUTE, to - 1.5 * HOUR);
      out(lab, phone, at, Math.min(at + minutes(lab, 4, 120), to - 25 * MINUTE));
    }
}

/** Between these times their sockets have no power, and the hubs with them. */
function poweredIn(lab: Lab, times: readonly Span[]): void {
  for (const [index, { to }] of times.entries()) {
    const next = times[index + 1];
    if (next === undefined) return;
    // a hub starts before it tells what is at it
    const on = next.from + seconds(lab, 1.4, 2.6);
    for (const hub of lab.hubs.keys()) switchedOff(lab, lab.phonesOf(hub), to + hub * 140, on + hub * 350);
  }
}

/**
 * Who works with it takes more than its port gives. When that leaves too little, its port only charges it for an hour, and
 * the host does not see it (docs.mobilelabsinc.com, Device Gateway).
 */
function chargesWhenLow(lab: Lab, phone: LabPhone, used: readonly Span[]): void {
  const { random } = lab;
  const step = 5 * MINUTE;
  const drain = random.between(13, 24) / 12;
  const gain = random.between(5, 9) / 12;
  const decicelsius = random.whole(285, 315);
  const known: number[] = [];
  let percent = random.between(55, 100);
  let until = lab.start;
  for (let at = lab.start; at < lab.end; at += step) {
    known.push(Math.round(percent));
    if (at < until) percent += 32 / 12;
    else if (percent < 30 && at < lab.end - 3 * HOUR) {
      const from = at + seconds(lab, 1, 40);
      until = from + HOUR;
      out(lab, phone, from, until + seconds(lab, 1.5, 4));
    } else percent += used.some(({ from, to }) => from <= at && to > at) ? -drain : gain;
    percent = Math.min(100, percent);
  }
  phone.reading = (at) => {
    const levelPercent = known[Math.floor((at - lab.start) / step)] ?? 60;
    return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: decicelsius };
  };
}

/** A script looks for what is not connected so often, and finds it a moment later. */
const found = (lab: Lab, at: number, everyMs: number): number =>
  Math.ceil(at / everyMs) * everyMs + seconds(lab, 0.8, 4);

/** It was started at that moment, and is asked some seconds after it is listed. */
function started(lab: Lab, device: LabPhone, at: number, listed: number, reason: string): void {
  const asked = listed + seconds(lab, 5, 35);
  lab.rebooted(device, asked, { reason, uptimeSeconds: Math.round((asked - at) / SECOND) - 11 });
}

/**
 * It restarts with debugging over the network on. adb tries for a while to reach it again; who takes longer than that is found
 * by the script.
 */
function restartsOnAir(
  lab: Lab,
  device: LabPhone,
  at: number,
  { forMs, everyMs, reason }: { forMs: number; everyMs: number; reason: string },
): void {
  const listed = forMs < 95 * SECOND ? at + forMs : found(lab, at + forMs, everyMs);
  if (listed > lab.end - HOUR || !lab.isFree(device, at - MINUTE, listed + 2 * MINUTE)) return;
  unreached(lab, device, at, listed);
  started(lab, device, at, listed, reason);
}

/** Its loader starts a kernel that is not written, and later it starts with its own again. @returns when it is free again */
function triesKernel(lab: Lab, phone: LabPhone, at: number): number | undefined {
  const sent = at + seconds(lab, 7, 14);
  // one that does not start is waited for, and then a relay holds the power button
  const isBad = lab.random.chance(0.05);
  const back = isBad ? at + minutes(lab, 5.4, 5.9) : sent + seconds(lab, 31, 66);
  const tested = back + minutes(lab, 3.5, 16);
  if (tested > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, tested + 3 * MINUTE)) return undefined;
  lab.lose(phone, at, { forMs: back - at, onUsb: { interfaces: [FASTBOOT] } });
  lab.usb(phone, Math.round(sent), null);
  hasRestarted(lab, phone, back, isBad ? 'reboot,longkey' : 'reboot,bootloader');
  if (isBad) return back + MINUTE;
  restart(lab, phone, tested, [29, 48], 'reboot,adb');
  return tested + 2 * MINUTE;
}

export const oddHours: readonly QuietMonth[] = [
  {
    // NEMA BI 50002, automatic receptacle control: Title 24 wants sockets that are off within minutes after the last one left
    name: 'a sensor gives the sockets of a lab power while somebody moves there and for twenty minutes after, and guards do so twice a night',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-01-12',
      hubs: [7, 7],
      free: 2,
      usb: true,
      models: ['Pixel 8', 'Galaxy S23', 'Pixel 6a'],
    },
    tell(lab) {
      const { random } = lab;
      const moves: Span[] = [{ from: lab.start, to: lab.start + MINUTE }];
      const isThere = (from: number, to: number) => moves.push({ from, to });
      for (const day of lab.everyDay()) {
        for (const [first, last] of [
          ['01:40', '02:55'],
          ['21:50', '23:05'],
        ] as const) {
          const at = between(lab, day, first, last);
          isThere(at, at + seconds(lab, 20, 150));
        }
        if (lab.weekday(day) === 6 && random.chance(0.3)) {
          const at = between(lab, day, '10:00', '14:30');
          isThere(at, at + minutes(lab, 35, 190));
        }
        // nobody comes on the day of Martin Luther King
        if (!lab.isWorkday(day) || day === 7) continue;
        const comes = between(lab, day, '07:25', '08:50');
        const leaves = between(lab, day, '17:20', '19:10');
        const lunch = between(lab, day, '12:00', '12:25');
        // on some days all of them go for lunch together
        const isEmpty = random.chance(0.4);
        if (isEmpty) isThere(comes, lunch);
        isThere(isEmpty ? lunch + minutes(lab, 28, 60) : comes, leaves);
        if (lab.weekday(day) === 5) continue;
        const cleaned = between(lab, day, '19:50', '21:10');
        isThere(cleaned, cleaned + minutes(lab, 5, 19));
      }
      const on = merged(moves.map(({ from, to }) => ({ from, to: to + 20 * MINUTE })));
      poweredIn(lab, on);
      takenWhileOn(lab, lab.phones, on, 0.05);
      background(lab, { taken: 0, restarts: 0.6, hours: [9, 17] });
    },
  },
  {
    // google-deepmind/android_env, periodic_restart_time_min: a simulator starts anew with the next episode after so long
    name: 'sixteen emulators learn an app by trial for hours or days, and each starts anew when it has run for four hours',
    lab: {
      zone: 'Europe/Zurich',
      from: '2026-05-11',
      hubs: [],
      direct: 1,
      emulators: 16,
      known: { slots: false },
    },
    tell(lab) {
      const { random } = lab;
      const emulators = lab.pinnedOf('emulator');
      for (const emulator of emulators) emulator.isThereAtFirst = false;
      // Ascension and Whit Monday are free, and what waits runs all the same
      const days = lab.workdays().filter((day) => day !== 3 && day !== 14);
      const starts = days.map((day) => between(lab, day, '09:40', '19:20'));
      let at = starts[0] ?? lab.start;
      while (at < lab.end - 5 * HOUR) {
        // a mistake in what is rewarded shows early
        const lasts = random.chance(0.25) ? minutes(lab, 7, 40) : random.between(6, 40) * HOUR;
        const ends = Math.min(at + lasts, lab.end - 3 * HOUR);
        for (const [index, emulator] of emulators.entries()) {
          let from = at + index * 5 * SECOND + seconds(lab, 0, 3);
          while (from < ends - MINUTE) {
            const to = Math.min(from + 4 * HOUR + minutes(lab, 0.2, 9), ends + index * 350);
            job(lab, emulator, from, to - from);
            from = to + seconds(lab, 5, 11);
          }
        }
        // what was learned is tried on four of them
        for (const emulator of emulators.slice(0, 4))
          job(lab, emulator, ends + seconds(lab, 60, 130), minutes(lab, 22, 44));
        const waits = random.chance(0.45);
        const later = starts.find((start) => start > ends + HOUR) ?? lab.end;
        at = waits ? ends + minutes(lab, 55, 80) : later;
      }
      background(lab, { taken: 1.5, hours: [10, 19] });
    },
  },
  {
    // docs.mobilelabsinc.com, Device Gateway: MinimumPercentCharged and RechargeMinutes; whoever uses it then loses it
    name: 'a gateway only charges any of twenty-four phones for an hour when testers have drained it below thirty percent',
    lab: {
      zone: 'America/Chicago',
      from: '2026-04-06',
      hubs: [16, 10],
      free: 2,
      usb: true,
      models: ['Galaxy S22', 'Moto Edge', 'Pixel 7', 'Galaxy Tab A8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      for (const [index, phone] of lab.phones.entries()) {
        // those that customers have most are wanted from Guadalajara by day and from Hyderabad by night
        const often = index % 4 === 0 ? 1.6 : 0.5;
        const begins = lab.everyDay().flatMap((day) => {
          const byDay = Array.from({ length: lab.isWorkday(day) ? random.poisson(often) : 0 }, () =>
            between(lab, day, '08:20', '16:10'),
          );
          const isTheirs = lab.isWorkday(day) || lab.weekday(day) === 0;
          const byNight = Array.from({ length: isTheirs ? random.poisson(often) : 0 }, () =>
            random.between(lab.at(day, '22:30'), lab.at(day + 1, '06:00')),
          );
          return [...byDay, ...byNight];
        });
        const used = begins.map((from) => ({ from, to: from + minutes(lab, 25, 170) }));
        chargesWhenLow(lab, phone, used);
      }
      background(lab, { restarts: 0.4 });
    },
  },
  {
    // testdevlab.com and acroname.com: a switch gives a phone to its host or to a charger, and logs are read afterwards
    name: 'a bench empties five phones at their host and fills each at one charger after another, through nights and weekends',
    lab: {
      zone: 'Europe/Riga',
      from: '2026-11-02',
      hubs: [],
      direct: 5,
      usb: true,
      known: { slots: false },
      models: ['Galaxy S24', 'OnePlus 12', 'Xiaomi 14', 'Pixel 9', 'Moto Edge 50'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // new chargers are put in on Mondays, Wednesdays and Fridays; the eighteenth is free
      const begun = lab
        .workdays()
        .filter((day) => lab.weekday(day) % 2 === 1 && day !== 16)
        .map((day) => ({ at: between(lab, day, '10:10', '13:40'), isLong: lab.weekday(day) === 5 }));
      for (const [index, phone] of lab.phones.entries()) {
        const points: [number, number][] = [[lab.start, 100]];
        for (const { at, isLong } of begun) {
          let now = at + index * minutes(lab, 2, 5);
          for (let left = isLong ? random.whole(9, 12) : random.whole(4, 8); left > 0; left -= 1) {
            const empty = now + minutes(lab, 86, 112);
            const full = empty + minutes(lab, 48, 140);
            if (full > lab.end - HOUR) break;
            out(lab, phone, empty, full);
            points.push([now, 100], [empty, 12], [full, 100]);
            now = full + seconds(lab, 25, 70);
          }
        }
        phone.reading = levels(points, 302 + 4 * index);
      }
      background(lab);
    },
  },
  {
    // door-tablet.com and devtom.ca: screens that are on all week are started anew at night; adb of the script with them
    name: 'a script begins adb anew each night at twenty to four for the fourteen kiosks of a clinic, and restarts them on Sundays',
    lab: {
      zone: 'Europe/Lisbon',
      from: '2026-03-09',
      hubs: [],
      network: 14,
      models: ['Elo I-Series', 'Elo I-Series', 'Lenovo Tab M10'],
    },
    tell(lab) {
      const { random } = lab;
      const kiosks = lab.pinnedOf('tcp');
      unread(kiosks);
      const halfHour = 30 * MINUTE;
      // three of them hang on a switch at the wall, which the last of their ward presses
      for (const kiosk of kiosks.slice(11)) {
        const open = lab.workdays().filter((day) => day !== 25);
        for (const [index, day] of open.entries()) {
          const next = open[index + 1];
          if (next === undefined || random.chance(0.12)) continue;
          const on = between(lab, next, '06:35', '07:25');
          const listed = found(lab, on + 70 * SECOND, halfHour);
          unreached(lab, kiosk, between(lab, day, '18:40', '19:55'), listed);
          started(lab, kiosk, on, listed, 'cold');
        }
      }
      for (const begins of nightly(lab, '03:40:01', 2 * SECOND)) {
        const back = adbRestarts(lab, Math.round(begins), 41, Math.round(seconds(lab, 1.9, 3.6)));
        for (const [index, kiosk] of kiosks.entries()) {
          // one whose Wi-Fi sleeps does not answer, and is found at four
          const isAsleep = random.chance(0.03);
          const first = back + index * 1.3 * SECOND + seconds(lab, 0.5, 1.2);
          const listed = isAsleep ? found(lab, back + 3 * MINUTE, halfHour) : first;
          if (lab.isFree(kiosk, back, listed + MINUTE))
            lab.lose(kiosk, back + 300, { forMs: listed - back - 300 });
        }
        const day = Math.floor((begins - lab.start) / (24 * HOUR));
        if (lab.weekday(day) !== 0) continue;
        for (const [index, kiosk] of kiosks.entries())
          restartsOnAir(lab, kiosk, lab.at(day, '04:10') + index * 100 * SECOND, {
            forMs: seconds(lab, 62, 104),
            everyMs: halfHour,
            reason: 'reboot,adb',
          });
      }
      background(lab, { hours: [8, 18] });
    },
  },
  {
    // smartpossdk.gitbook.io, scheduled terminal reboot: every so many days, tried every ten minutes until it is idle
    name: 'nine terminals of a filling station restart on every fourth night, once nobody has touched them for half an hour',
    lab: {
      zone: 'Europe/Warsaw',
      from: '2026-08-03',
      hubs: [],
      network: 9,
      models: ['WizarPOS Q2', 'WizarPOS Q2', 'WizarPOS Q3'],
    },
    tell(lab) {
      const { random } = lab;
      const terminals = lab.pinnedOf('tcp');
      unread(terminals);
      for (const [index, terminal] of terminals.entries()) {
        const restarts = (at: number) =>
          restartsOnAir(lab, terminal, at, {
            forMs: seconds(lab, 44, 78),
            everyMs: 5 * MINUTE,
            reason: 'reboot',
          });
        // those inside are used all night, more so on the weekends of August
        const often = index < 4 ? 0.45 : 0.15;
        // somebody restarts one while it prints nothing, and its days count from then
        const byHand = index === 2 || index === 6 ? between(lab, 9 + index, '13:10', '19:40') : undefined;
        if (byHand !== undefined) restarts(byHand);
        let due = index % 4;
        while (due < lab.days - 1) {
          let at = between(lab, due, '02:00', '02:59');
          while (at < lab.at(due, '05:00') && random.chance(lab.isWorkday(due) ? often : often + 0.2))
            at += 10 * MINUTE;
          const isDone = at < lab.at(due, '05:00');
          if (isDone) restarts(at);
          const next = due + (isDone ? 4 : 1);
          const isNew = byHand !== undefined && byHand > at && byHand < lab.at(next);
          due = isNew ? 9 + index + 4 : next;
        }
      }
      background(lab, { hours: [6, 22], isDaily: true });
    },
  },
  {
    // LAVA, integrating fastboot: `fastboot boot` loads an image into memory and starts it; the next restart is without it
    name: 'a robot starts the patches of a mailing list on three phones without writing them, at any hour',
    lab: {
      zone: 'Europe/Paris',
      from: '2026-06-01',
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false },
      models: ['Fairphone 5', 'OnePlus 6T', 'Pixel 3a'],
    },
    tell(lab) {
      const { random } = lab;
      lent(lab, lab.phones, 2.5, { hours: ['09:40', '17:30'], minutes: [15, 200], overnight: 0.1 });
      // its writers live everywhere; in the two weeks after a release hardly anybody sends one
      const sent = pushes(lab, { times: [2, 7], hours: ['00:20', '23:40'], onWeekends: 0.6 });
      const quiet = (at: number) => at > lab.at(13) && at < lab.at(27);
      for (const phone of lab.phones) {
        let free = lab.start;
        for (const at of sent) {
          // not each patch is for each chip
          if (random.chance(quiet(at) ? 0.75 : 0.35)) continue;
          // a patch is built with two compilers, or a whole series is tried one by one
          for (let left = random.pick([1, 2, 2, 4]); left > 0; left -= 1) {
            const begins = Math.max(at + minutes(lab, 14, 50), free);
            free = (triesKernel(lab, phone, begins) ?? begins) + seconds(lab, 15, 60);
          }
        }
      }
      background(lab, { taken: 0, restarts: 0.5 });
    },
  },
  {
    // acroname.com, USB-C-Switch: like a cable between a phone and one of four places, such as a dock with a screen
    name: 'a switch gives four phones to a dock with a screen for some minutes, a dozen times in a night, but for the days of Diwali',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-10-19',
      hubs: [],
      direct: 4,
      usb: true,
      models: ['Galaxy S24', 'Galaxy S25', 'Galaxy Z Fold6', 'Galaxy Tab S9'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const isOpen = (day: number) => lab.isWorkday(day) && day !== 1 && (day < 19 || day > 23);
      const days = lab.everyDay().filter(isOpen);
      lent(lab, lab.phones, 2.2, { days, hours: ['10:30', '18:00'], minutes: [12, 130], overnight: 0.08 });
      const docked = (phone: LabPhone, begin: number, many: number): void => {
        let at = begin;
        for (let left = many; left > 0; left -= 1) {
          const back = at + minutes(lab, 3.5, 9);
          out(lab, phone, at, back);
          at = back + minutes(lab, 2.5, 6);
        }
      };
      for (const day of days) {
        const built = between(lab, day, '22:05', '22:50');
        for (const [index, phone] of lab.phones.entries())
          docked(phone, built + index * minutes(lab, 1, 3), random.whole(10, 14));
        // by day somebody looks at what the night has found
        for (let left = random.poisson(1.2); left > 0; left -= 1)
          docked(random.pick(lab.phones), between(lab, day, '10:40', '19:30'), random.whole(1, 3));
      }
      background(lab, { hours: [10, 19] });
    },
  },
  {
    // brixhamfishmarket.co.uk and eurofishmagazine.com: who buys bids on a screen, before others have breakfast
    name: 'a fish market hands out twelve tablets at four in the morning, and four of them for shellfish in the afternoon',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-03-16',
      hubs: [16],
      free: 4,
      known: { slots: false },
      models: ['Galaxy Tab Active5'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      // nothing is sold from Holy Thursday to Easter, and much before it
      for (const day of lab.workdays().filter((each) => each !== 17 && each !== 18)) {
        const isRough = day < 14 && random.chance(0.15);
        const many = day > 13 && day < 17 ? 12 : isRough ? random.whole(2, 5) : random.whole(8, 11);
        for (const phone of random.shuffled(lab.phones).slice(0, many)) {
          // who forgets one in the hall of ice brings it at noon
          const isForgotten = random.chance(0.02);
          const to = isForgotten ? between(lab, day, '11:40', '12:50') : between(lab, day, '07:05', '08:50');
          absences.push({ phone, from: between(lab, day, '03:45', '04:35'), to });
        }
        if (isRough || lab.weekday(day) === 1 || lab.weekday(day) === 5) continue;
        for (const phone of random.shuffled(lab.phones).slice(0, 4)) {
          const from = between(lab, day, '16:05', '16:35');
          absences.push({ phone, from, to: between(lab, day, '18:05', '19:10') });
        }
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 8);
      background(lab);
    },
  },
  {
    // en-academic.com, Shabbat clock: it is set before, and switches while nobody may
    name: 'a clock takes the power of a lab near Tel Aviv before each Sabbath and each holiday of September, for one night or two',
    lab: {
      zone: 'Asia/Jerusalem',
      from: '2026-09-06',
      hubs: [10, 7],
      free: 2,
      usb: true,
      models: ['Galaxy A55', 'Pixel 8a', 'Xiaomi 13T'],
    },
    tell(lab) {
      const { random } = lab;
      const rests = [
        [5, '18:06', 7, '19:34'],
        [12, '17:57', 13, '19:25'],
        [14, '17:54', 15, '19:22'],
        [19, '17:47', 20, '19:15'],
        [26, '17:38', 27, '19:06'],
      ] as const;
      const spans: Span[] = [];
      let from = lab.start;
      for (const [eve, off, day, on] of rests) {
        // its clock is some seconds late
        spans.push({ from, to: lab.at(eve, off) + seconds(lab, 20, 24) });
        from = lab.at(day, on) + seconds(lab, 20, 24);
      }
      poweredIn(lab, [...spans, { from, to: lab.end }]);
      // few are there in the week of Sukkot, and nobody after noon on the day before a feast
      const isFeast = (day: number) => day === 7 || day === 14 || day === 15;
      const days = lab.everyDay().filter((day) => lab.weekday(day) < 5 && !isFeast(day));
      const usual = days.filter((day) => day < 21 || day > 25);
      lent(lab, lab.phones, 1.6, { days: usual, hours: ['08:50', '16:30'], minutes: [5, 85], overnight: 0 });
      const short = [...daysOf(lab, 5).filter((day) => day !== 5), 14, 22, 23];
      lent(lab, lab.phones, 0.3, { days: short, hours: ['09:00', '11:20'], minutes: [5, 60], overnight: 0 });
      // jobs of the night begin when it is dark, also after a feast
      for (const day of [...days, 7, 13, 15, 20, 27].filter((each) => each !== 22))
        for (const [index, phone] of random.shuffled(lab.phones).slice(0, 9).entries())
          restart(lab, phone, lab.at(day, '20:30') + index * 25 * SECOND, [31, 57], 'reboot,adb');
      background(lab, { taken: 0, restarts: 0 });
    },
  },
];
