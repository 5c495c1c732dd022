/**
 * Months of labs whose hours are not from nine to five: sensors, gateways, benches, timers and robots that move devices at any
 * time of a day, and people who work before dawn, at night, on weekends, in two halves of a day, or not at all on some days.
 */
import { FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { thereOnlyIn } from './at-home.ts';
import { drainsOutside } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { hasRestarted, merged, nightly, pushes, type Span, unread } from './by-machine.ts';
import { job, switchedOff } from './calm.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { lent } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

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

/** It is not there at first, and then only in these times, each of which begins when it is switched on. */
function onlyWhileOn(lab: Lab, device: LabPhone, times: readonly Span[]): void {
  const spans = times.filter(({ to }) => to < lab.end - HOUR);
  thereOnlyIn(lab, device, spans);
  for (const { from } of spans) started(lab, device, from - seconds(lab, 38, 52), from, 'cold');
}

/** Somebody writes an image to it, and it starts with that, or with the next one. */
function isFlashed(lab: Lab, board: LabPhone, at: number): void {
  const isBroken = lab.random.chance(0.12);
  const written = at + (isBroken ? minutes(lab, 6, 14) : seconds(lab, 55, 190));
  const back = written + seconds(lab, 36, 58);
  if (!lab.isFree(board, at - 2 * MINUTE, back + 3 * MINUTE)) return;
  lab.lose(board, at, { forMs: back - at, onUsb: { interfaces: [FASTBOOT] } });
  lab.usb(board, Math.round(written), null);
  hasRestarted(lab, board, back, 'reboot,bootloader');
}

/** When somebody has let a room of a karaoke house: more so in the evening, and all night before a free day. */
function letTimes(lab: Lab, isBeforeFree: (day: number) => boolean): Span[] {
  const { random } = lab;
  const waits = (day: number, at: number): number => {
    if (at > lab.at(day, '23:30')) return minutes(lab, 30, 170);
    if (at > lab.at(day, '17:30')) return minutes(lab, 8, 75);
    return lab.isWorkday(day) ? minutes(lab, 40, 300) : minutes(lab, 10, 90);
  };
  return lab.everyDay().flatMap((day) => {
    const spans: Span[] = [];
    const closes = isBeforeFree(day) ? lab.at(day + 1, '05:00') : lab.at(day + 1, '00:30');
    let at = lab.at(day, '11:00') + waits(day, lab.at(day, '11:00'));
    while (at < closes - 50 * MINUTE) {
      const isUntilMorning = at > lab.at(day, '23:00') && isBeforeFree(day) && random.chance(0.5);
      const lasts = random.pick([60, 60, 90, 120, 120, 180]) * MINUTE;
      const leaves = isUntilMorning ? closes : Math.min(at + lasts, closes);
      // it is cleaned before its power is taken
      const to = leaves + minutes(lab, 2, 7);
      spans.push({ from: at, to });
      at = to + waits(day, to);
    }
    return spans;
  });
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
  {
    // zsnews.cn and straitstimes.com: shows of four hours, one after the other, and until two at night before the eleventh
    name: 'sellers of live shows in Hangzhou have twelve phones in three turns a day, and in a fourth one of the night before the eleventh of November',
    lab: {
      zone: 'Asia/Shanghai',
      from: '2026-10-26',
      hubs: [7, 7],
      free: 2,
      usb: true,
      models: ['Huawei Mate 60', 'vivo X100', 'Xiaomi 14'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      for (let room = 0; room < 6; room += 1) {
        const pair = [lab.phones[room], lab.phones[room + 6]];
        for (const day of lab.everyDay()) {
          // all of them sleep after the eleventh, and each room has a day off before and after
          const isNear = day > 10 && day < 17;
          if (day === 17 || day === 18 || (!isNear && lab.weekday(day) === (room + 1) % 7)) continue;
          const isLate = day < 17 && (isNear || random.chance(0.35));
          const turns: (readonly [from: number, to: number])[] = [
            [lab.at(day, '09:30'), lab.at(day, '13:30')],
            [lab.at(day, '13:30'), lab.at(day, '17:30')],
            [lab.at(day, '18:30'), lab.at(day, '22:30')],
          ];
          if (isLate) turns.push([lab.at(day, '22:30'), lab.at(day + 1, day > 13 ? '02:30' : '01:30')]);
          for (const [turn, [from, to]] of turns.entries()) {
            // the next turn begins with the other phone of the room, and now and then there is no seller
            const phone = pair[turn % 2];
            if (phone === undefined || (!isNear && random.chance(0.08))) continue;
            if (random.chance(0.7))
              restart(lab, phone, from - minutes(lab, 14, 20), [33, 61], 'reboot,userrequested');
            out(lab, phone, from - minutes(lab, 3, 11), to + minutes(lab, 3, 22));
          }
        }
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 4);
      background(lab);
    },
  },
  {
    // eureka.patsnap.com, patents of a maker of karaoke systems: what a room has sung is gone when its power is off
    name: 'the players of twelve rooms of a karaoke house have power while these are let, until five in the morning before free days',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-02-02',
      hubs: [],
      network: 12,
      known: { slots: false },
      models: ['Song Box'],
    },
    tell(lab) {
      const players = lab.pinnedOf('tcp');
      unread(players);
      // the eleventh and the twenty-third are free
      const isBeforeFree = (day: number) =>
        lab.weekday(day) === 5 || lab.weekday(day) === 6 || day === 8 || day === 20;
      for (const [index, player] of players.entries()) {
        // two big rooms are let on some days only
        const times = merged(letTimes(lab, isBeforeFree), 3 * MINUTE).filter(
          () => index < 10 || lab.random.chance(0.4),
        );
        const spans = times.map(({ from, to }) => ({
          on: from,
          from: found(lab, from + seconds(lab, 46, 60), MINUTE),
          to: to + 10 * SECOND,
        }));
        onlyIn(lab, player, spans);
        for (const { on, from } of spans) started(lab, player, on, from, 'cold');
      }
      background(lab);
    },
  },
  {
    // pmc.ncbi.nlm.nih.gov/articles/PMC10242632, phone cam array: Android phones as cameras that all look at one thing
    name: 'thirty-two phones stand around whoever comes to a studio, which switches them on for its appointments, also late and on Sundays',
    lab: {
      zone: 'Europe/Budapest',
      from: '2026-11-23',
      hubs: [16, 16],
      usb: true,
      hasTwoControllers: true,
      models: ['Galaxy S7 Edge', 'Nova 8i', 'Redmi Note 10'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // whoever was last on Sunday leaves after midnight
      const spans: Span[] = [{ from: lab.start, to: lab.at(0, '00:19:40') }];
      for (const day of lab.everyDay()) {
        // closed on Mondays and Tuesdays, but for a firm on two of them; nobody asks on some days before Advent
        const isFirm = day === 8 || day === 14;
        const isOpen = [3, 4, 5, 6, 0].includes(lab.weekday(day)) && !random.chance(day < 7 ? 0.25 : 0.05);
        if (!isFirm && !isOpen) continue;
        const isWeekend = !lab.isWorkday(day);
        const from = isWeekend ? between(lab, day, '09:20', '11:30') : between(lab, day, '12:30', '16:40');
        const to = isWeekend ? between(lab, day, '16:30', '20:20') : between(lab, day, '18:40', '22:15');
        spans.push({ from, to: Math.min(to, lab.end) });
      }
      poweredIn(lab, [...spans, { from: lab.end, to: lab.end }]);
      for (const { from } of spans.slice(1)) {
        // eight at a time, so that each finds its camera
        const begins = from + minutes(lab, 3, 7);
        for (const [index, phone] of lab.phones.entries())
          restart(
            lab,
            phone,
            begins + Math.floor(index / 8) * 75 * SECOND + seconds(lab, 0, 2),
            [34, 63],
            'reboot,adb',
          );
      }
      // one looks elsewhere, and is turned a little, without its cable
      takenWhileOn(lab, lab.phones, spans.slice(1), 0.01);
      for (const phone of lab.phones) drainsOutside(lab, phone, 0.5);
      background(lab);
    },
  },
  {
    // shift-work.com, mining: crews of twelve hours that fly in and live there; qmihsconference.org.au: tablets below ground
    name: 'crews of a mine in Western Australia take tablets at six in the morning and in the evening, and fly in on Tuesdays',
    lab: {
      zone: 'Australia/Perth',
      from: '2026-07-06',
      hubs: [16, 16],
      free: 4,
      known: { slots: false },
      models: ['Galaxy Tab Active4 Pro', 'Getac ZX10'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      const backAt = new Map<LabPhone, number>();
      const taken = (many: number, from: () => number, to: () => number, late: () => number): void => {
        const first = from();
        const there = lab.phones.filter((phone) => (backAt.get(phone) ?? 0) < first - HOUR);
        for (const phone of random.shuffled(there).slice(0, many)) {
          // one that is left below comes up with the next crew
          const back = random.chance(0.03) ? late() : to();
          absences.push({ phone, from: from(), to: back });
          backAt.set(phone, back);
        }
      };
      for (const day of lab.everyDay().slice(0, -1)) {
        // a mill stands still for three days, and more people come for that
        const many = () => (day > 15 && day < 19 ? 13 : random.whole(8, 11));
        // who comes by plane begins later
        const isChange = lab.weekday(day) === 2;
        taken(
          many(),
          () => (isChange ? between(lab, day, '08:40', '09:50') : between(lab, day, '05:15', '05:58')),
          () => between(lab, day, '17:45', '18:45'),
          () => between(lab, day + 1, '05:45', '06:40'),
        );
        taken(
          many(),
          () => between(lab, day, '17:10', '17:44'),
          () => between(lab, day + 1, '05:45', '06:40'),
          () => between(lab, day + 1, '17:46', '18:40'),
        );
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 3.6);
      background(lab);
    },
  },
  {
    // spanishcoursespain-valencia.com: classes in the morning and in the afternoon, with boards and tablets
    name: 'a language school in Valencia switches its cart off over noon and at night, teaches on Saturdays, and is closed for Fallas',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-03-02',
      hubs: [16],
      free: 2,
      usb: true,
      models: ['Galaxy Tab A9', 'Lenovo Tab M10'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const isClosed = (day: number) => lab.weekday(day) === 0 || (day > 13 && day < 20);
      // it was left on over the weekend
      const on: Span[] = [{ from: lab.start, to: between(lab, 0, '14:00', '14:20') }];
      for (const day of lab.everyDay().filter((each) => !isClosed(each))) {
        const isSaturday = lab.weekday(day) === 6;
        on.push({ from: between(lab, day, '09:20', '09:50'), to: between(lab, day, '13:50', '14:20') });
        if (isSaturday) continue;
        const isForgotten = random.chance(0.15);
        on.push({
          from: isForgotten ? lab.at(day, '13:40') : between(lab, day, '16:10', '16:40'),
          to: between(lab, day, '21:10', '21:40'),
        });
      }
      poweredIn(lab, merged(on));
      const [first, second] = [lab.phones.slice(0, 7), lab.phones.slice(7)];
      for (const day of lab.everyDay().filter((each) => !isClosed(each)))
        for (const [from, to, group, often] of [
          ['10:00', '11:25', first, 0.7],
          ['12:00', '13:25', second, 0.6],
          ['17:00', '18:20', second, 0.95],
          ['18:30', '19:50', first, 0.95],
          ['20:00', '20:55', lab.phones, 0.35],
        ] as const) {
          const isInTime = from < '13:00' || lab.weekday(day) < 6;
          if (!isInTime || !random.chance(often)) continue;
          for (const tablet of group)
            if (random.chance(0.8))
              out(
                lab,
                tablet,
                lab.at(day, from) + minutes(lab, -3, 8),
                lab.at(day, to) + minutes(lab, -4, 7),
              );
        }
      for (const tablet of lab.phones) drainsOutside(lab, tablet, 0.4);
      background(lab);
    },
  },
  {
    // ar5iv 2207.11603, teaching embedded systems: boards at the tables of a lab, which a class has for some hours
    name: 'students flash twelve boards in three labs a week, and on more evenings before they hand in',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-10-05',
      hubs: [16],
      free: 4,
      usb: true,
      models: ['VIM3', 'i.MX 8M Plus'],
    },
    tell(lab) {
      const { random } = lab;
      unread(lab.phones);
      const labs: (Span & { many: number })[] = [];
      const open = (day: number, from: string, to: string, many: number) =>
        labs.push({ from: lab.at(day, from), to: lab.at(day, to), many });
      for (const day of lab.everyDay()) {
        if (lab.weekday(day) === 2) open(day, '14:30', '17:45', 12);
        // the twenty-eighth is free
        if (lab.weekday(day) === 3 && day !== 23) open(day, '09:15', '12:30', 9);
        if (lab.weekday(day) === 4) open(day, '18:00', '20:45', 7);
        if ([21, 22, 25, 26].includes(day)) open(day, '17:50', '22:10', random.whole(5, 8));
      }
      const tables = lab.phones.map((board): { board: LabPhone; times: Span[] } => ({ board, times: [] }));
      for (const { from, to, many } of labs)
        for (const { times } of random.shuffled(tables).slice(0, many))
          times.push({ from: from + minutes(lab, 3, 24), to: to - minutes(lab, 0, 22) });
      for (const { board, times } of tables) {
        const spans = merged(times, 10 * MINUTE);
        onlyWhileOn(lab, board, spans);
        for (const { from, to } of spans)
          for (
            let at = from + minutes(lab, 12, 50);
            at < Math.min(to, lab.end - HOUR) - 20 * MINUTE;
            at += minutes(lab, 22, 75)
          )
            isFlashed(lab, board, at);
      }
      background(lab);
    },
  },
];
