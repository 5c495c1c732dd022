/**
 * Months of labs whose devices are reached over the network: televisions, watches, panels, headsets, cars and boards that are
 * there only while they have power, are awake, are worn or are near, on networks that give other addresses, close at night,
 * and are left by laptops.
 */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { sleeps } from './at-home.ts';
import { merged, type Span, unread } from './by-machine.ts';
import { between, minutes, pinAll, restart } from './habits.ts';

/** Of one day. */
type Clock = readonly [from: string, to: string];

/**
 * Nothing answers there: adb lists it as offline while it tries to reach it again, a number of times (AOSP adb/transport.cpp,
 * ReconnectHandler), and then no longer. Who comes back sooner was only offline.
 */
export function unreached(lab: Lab, phone: LabPhone, from: number, to = Number.POSITIVE_INFINITY): void {
  if (from < lab.start + MINUTE || to < from + SECOND || !lab.isFree(phone, from, to)) return;
  const triedMs = lab.random.between(97, 113) * SECOND;
  if (to - from < triedMs + 15 * SECOND) {
    lab.lose(phone, from, { as: 'offline', forMs: to - from });
    return;
  }
  phone.busy.push({ from, to: from + triedMs });
  lab.phone(phone, Math.round(from), { kind: 'state', state: 'offline', before: 'device' });
  const forMs = to - from - triedMs;
  lab.lose(phone, from + triedMs, Number.isFinite(forMs) ? { forMs } : {});
}

/** It is reached only in these times. */
export function onlyIn(lab: Lab, phone: LabPhone, times: readonly Span[], leastAwayMs = 20 * SECOND): void {
  const spans = merged(times, leastAwayMs).filter(
    ({ from, to }) => to > Math.max(from + 20 * SECOND, lab.start + 2 * MINUTE) && from < lab.end,
  );
  const begins = spans[0]?.from ?? lab.end;
  phone.isPinned = true;
  if (begins > lab.start) {
    phone.isThereAtFirst = false;
    phone.busy.push({ from: lab.start, to: begins });
    lab.phone(phone, Math.round(begins), { kind: 'attached', state: 'device' });
  }
  for (const [index, { to }] of spans.entries()) unreached(lab, phone, to, spans[index + 1]?.from);
}

/** What is left of these times without those, in which it is away. */
function without(times: readonly Span[], away: readonly Span[]): Span[] {
  return away.reduce<Span[]>(
    (left, gap) =>
      left.flatMap((span) =>
        gap.to <= span.from || gap.from >= span.to
          ? [span]
          : [
              { from: span.from, to: gap.from },
              { from: gap.to, to: span.to },
            ].filter(({ from, to }) => to > from),
      ),
    [...times],
  );
}

/** All of these lose their network at a moment, and come back by and by. */
function allUnreached(
  lab: Lab,
  phones: readonly LabPhone[],
  { from, to }: Span,
  [firstMs, lastMs]: readonly [number, number],
): void {
  for (const phone of phones)
    unreached(
      lab,
      phone,
      from + lab.random.between(0, 12) * SECOND,
      to + lab.random.between(firstMs, lastMs),
    );
}

/** It has booted before it was listed again, and is asked some seconds later. */
function hasBooted(lab: Lab, phone: LabPhone, back: number, reason?: string): void {
  const later = lab.random.between(6, 35);
  if (back < lab.end - MINUTE)
    lab.rebooted(phone, back + later * SECOND, {
      reason,
      uptimeSeconds: Math.round(later + lab.random.between(15, 40)),
    });
}

/** Its router keeps it from the internet, not from the host; that is seen when it is asked the next time. */
function withoutInternet(lab: Lab, phone: LabPhone, { from, to }: Span): void {
  const [seen, over] = [from, to].map((at) => Math.round(at + lab.random.between(0.2, 9) * MINUTE));
  if (seen === undefined || over === undefined || over > lab.end) return;
  // who is not at home is not asked
  if ([seen, over].some((at) => !lab.isFree(phone, at - MINUTE, at + MINUTE))) return;
  lab.facts(phone, seen, { network: 'UNREACHABLE' });
  lab.facts(phone, over, { network: 'REACHABLE' });
  lab.phone(phone, over, { kind: 'hindered', codes: '' });
}

/** So many moments of a day, in their order. */
const moments = (lab: Lab, many: number, day: number, from: string, to: string): number[] =>
  Array.from({ length: many }, () => between(lab, day, from, to)).sort((one, other) => one - other);

/** When a team is back from a match, on the day of a tournament. */
const pits: readonly Clock[] = [
  ['09:10', '09:25'],
  ['10:40', '10:55'],
  ['13:15', '13:30'],
];

export const overNetwork: readonly QuietMonth[] = [
  {
    // vanclan.de, March 2012: the box switched its Wi-Fi by winter time for a week; PC-WELT 5/2019: tablets leave it in standby
    name: 'the Wi-Fi of a flat is off from midnight on, and its router misses the change to summer time by five days',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-03-16',
      hubs: [],
      direct: 1,
      network: 6,
      known: { slots: false },
      models: ['Pixel 6', 'Bravia', 'Lenovo Tab', 'Frameo', 'Fire HD 8', 'Galaxy A52', 'Redmi Pad'],
    },
    tell(lab) {
      const [television, ...onWifi] = lab.pinnedOf('tcp');
      const [hall, frame, , carried] = onWifi;
      // the television hangs on a cable
      unread([television, frame].filter((each) => each !== undefined));
      const shift = (day: number, first: number): number => (day >= first && day < 19 ? HOUR : 0);
      const restarted = lab.at(18, '20:41') + 12 * SECOND;
      allUnreached(lab, lab.networkPhones, { from: restarted, to: restarted + 160 * SECOND }, [
        0,
        70 * SECOND,
      ]);
      for (const day of lab.everyDay()) {
        const isFree = !lab.isWorkday(day);
        const off = lab.at(day, isFree ? '01:00:02' : '00:00:02') + shift(day, 14);
        const on = lab.at(day, isFree ? '07:30:01' : '05:30:01') + shift(day, 13);
        // twice somebody who is still up presses its button
        const pressed = off + minutes(lab, 8, 25);
        const again = day === 5 || day === 19 ? [{ from: pressed, to: pressed + minutes(lab, 70, 150) }] : [];
        for (const { from, to } of without([{ from: off, to: on }], again))
          for (const phone of onWifi) {
            // who sleeps looks for it only now and then; the frame and the panel in the hall are awake all the time
            const late = phone === frame || phone === hall ? [8, 45] : [20, 1100];
            const [least = 0, most = 0] = late;
            unreached(
              lab,
              phone,
              from + lab.random.between(0, 4) * SECOND,
              to + lab.random.between(least, most) * SECOND,
            );
          }
        if (carried === undefined || (isFree && lab.random.chance(0.4))) continue;
        const leaves = isFree ? between(lab, day, '10:40', '15:00') : between(lab, day, '07:20', '08:05');
        const comes = isFree ? between(lab, day, '16:10', '20:30') : between(lab, day, '17:10', '19:40');
        unreached(lab, carried, leaves, comes);
      }
      background(lab, { taken: 1.2, hours: [18, 22], isDaily: true, restarts: 0.3, glitches: 0 });
    },
  },
  {
    // a panel in standby leaves the network; evening classes for grown-ups are common in public schools of Brazil
    name: 'fourteen panels of a school are switched on by whoever teaches there, in two shifts, and in four rooms at night',
    lab: {
      zone: 'America/Sao_Paulo',
      from: '2026-02-02',
      hubs: [],
      network: 14,
      models: ['Interactive panel'],
    },
    tell(lab) {
      unread(lab.phones);
      const shifts = [
        ['07:08', '07:40', '11:20', '12:33', 0.86],
        ['13:02', '13:35', '17:05', '18:24', 0.72],
        ['18:55', '19:25', '21:40', '22:32', 0.9],
      ] as const;
      // Carnival, until noon of Ash Wednesday; the first two days are for those who plan
      const isSchool = (day: number) => lab.isWorkday(day) && (day < 14 || day > 16);
      for (const [room, panel] of lab.phones.entries()) {
        const times: Span[] = [];
        for (const day of lab.everyDay().filter(isSchool))
          for (const [shift, [first, last, ends, over, part]] of shifts.entries()) {
            const isEvening = shift === 2;
            if (isEvening && (room > 3 || lab.weekday(day) === 5)) continue;
            if (day < 2 && (isEvening || lab.random.chance(0.8))) continue;
            if (!lab.random.chance(part)) continue;
            const from = between(lab, day, first, last);
            // what is forgotten is switched off by a timer
            const isForgotten = lab.random.chance(0.09);
            const to = isForgotten ? lab.at(day, '22:45:03') : between(lab, day, ends, over);
            const standby = isForgotten ? to + 3 * SECOND : to + lab.random.between(150, 200) * SECOND;
            // in some lessons nobody needs it, and its button is pressed to save the lamp
            const pause = between(lab, day, last, ends);
            const rests = pause + minutes(lab, 9, 55);
            const isPaused = lab.random.chance(0.35) && pause > from && rests + 4 * MINUTE < to;
            times.push(
              ...(isPaused
                ? [
                    { from, to: pause + 170 * SECOND },
                    { from: rests, to: standby },
                  ]
                : [{ from, to: standby }]),
            );
          }
        onlyIn(lab, panel, times);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // a headset that nobody wears sleeps after a while, and its Wi-Fi with it
    name: 'an agency has eight headsets in its showroom, and some go home with their designers or to a pitch for three days',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-19',
      hubs: [],
      direct: 1,
      network: 8,
      models: ['Pixel 8', 'Quest 3', 'Quest 3', 'Pico 4'],
    },
    tell(lab) {
      const isAtPitch = (index: number, day: number) => index > 3 && day > 15 && day < 19;
      for (const [index, headset] of lab.networkPhones.entries()) {
        const times: Span[] = [];
        // the first two live with people who work at home on Mondays and Fridays
        const isHome = (day: number) => index < 2 && (lab.weekday(day) === 1 || lab.weekday(day) === 5);
        for (const day of lab.workdays()) {
          if (isHome(day) || isAtPitch(index, day)) continue;
          const many = lab.random.poisson(index < 4 ? 2.6 : 1.3);
          for (const at of moments(lab, many, day, '09:20', '17:30')) {
            const worn = minutes(lab, 6, 70);
            // it lies on the table for a while before it sleeps
            times.push({ from: at, to: at + worn + minutes(lab, 9, 16) });
          }
          // guests try four of them, one after the other
          if ((day === 9 || day === 24) && index > 2 && index < 7) {
            const at = lab.at(day, '14:05') + (index - 3) * minutes(lab, 2, 6);
            times.push({ from: at, to: at + minutes(lab, 75, 120) });
          }
        }
        // somebody who stays late, on the evening before the pitch above all
        for (const day of [2, 8, 14, 15, 22]) {
          if (!lab.random.chance(day === 15 ? 0.9 : 0.25)) continue;
          const at = between(lab, day, '18:20', '20:30');
          times.push({ from: at, to: at + minutes(lab, 20, 130) });
        }
        onlyIn(lab, headset, times);
      }
      background(lab, { taken: 1.5, hours: [9, 18], restarts: 0.3 });
    },
  },
  {
    // peat-btle, wearos-ble-issues: adb over Wi-Fi drops often, on the charger too, and comes back at another port
    name: 'five people wear the watches that they write for, and switch Wi-Fi debugging on for an hour or two',
    lab: {
      zone: 'Europe/Helsinki',
      from: '2026-11-16',
      hubs: [],
      direct: 3,
      network: 5,
      usb: true,
      models: ['Pixel 9', 'Galaxy S24', 'Pixel 7', 'Pixel Watch 3', 'Galaxy Watch 7', 'OnePlus Watch 2'],
    },
    tell(lab) {
      // whoever comes in when; the fourth has a child that is ill for three days
      const people = [
        ['08:05', '15:40', 0.95],
        ['09:10', '17:00', 0.8],
        ['09:40', '17:50', 0.9],
        ['08:30', '16:10', 0.85],
        ['10:30', '18:45', 0.6],
      ] as const;
      for (const [index, [from, to, part]] of people.entries()) {
        const watch = lab.networkPhones[index];
        if (watch === undefined) continue;
        const times: Span[] = [];
        for (const day of lab.workdays()) {
          if (!lab.random.chance(part) || (index === 3 && day > 7 && day < 11)) continue;
          for (const at of moments(lab, lab.random.whole(0, 3), day, from, to)) {
            let begins = at;
            const ends = at + minutes(lab, 22, 130);
            // the arm is down, and it goes over to Bluetooth or to sleep, until its owner looks
            while (begins < ends) {
              const sleepsAt = Math.min(ends, begins + minutes(lab, 3, 34));
              times.push({ from: begins, to: sleepsAt });
              begins = sleepsAt + lab.random.pick([0.5, 1, 4, 9]) * MINUTE * lab.random.between(0.6, 1.5);
            }
          }
          // on some evenings two of them stay on a charger, for what runs at night
          if (index > 1 || !lab.random.chance(0.4)) continue;
          let begins = between(lab, day, '16:00', '17:20');
          const ends = between(lab, day + 1, from, '09:30');
          while (begins < ends) {
            const drops = Math.min(ends, begins + minutes(lab, 25, 340));
            times.push({ from: begins, to: drops });
            begins = drops + lab.random.between(21, 70) * SECOND;
          }
        }
        onlyIn(lab, watch, times);
      }
      background(lab, { taken: 2, hours: [9, 17], restarts: 0.6 });
    },
  },
  {
    // cagnulein/QZCompanionNordictrackTreadmill#10, #89: adb over Wi-Fi to the console; it boots with the switch of the machine
    name: 'a treadmill, a bike and a rower at home are switched on to train, which one of the family gives up in January',
    lab: {
      zone: 'America/Chicago',
      from: '2026-01-05',
      hubs: [],
      network: 3,
      known: { slots: false },
      models: ['Treadmill X22i', 'Bike S22i', 'Rower RW900'],
    },
    tell(lab) {
      unread(lab.phones);
      const days = lab.everyDay();
      // they are with friends from a Thursday to a Sunday
      const isThere = (day: number) => day < 17 || day > 20;
      const sessions: Span[][] = [[], [], []];
      const trains = (machine: number, at: number, least: number, most: number): void => {
        const ends = at + minutes(lab, least, most);
        // who is in a hurry leaves it on, and it sleeps by itself
        const isLeftOn = lab.random.chance(0.3);
        sessions[machine]?.push({
          from: at,
          to: ends + (isLeftOn ? minutes(lab, 20, 31) : minutes(lab, 0.5, 4)),
        });
      };
      for (const day of days.filter(isThere)) {
        const weekday = lab.weekday(day);
        if ([1, 3, 5].includes(weekday) && lab.random.chance(0.9))
          trains(0, between(lab, day, '05:38', '05:55'), 28, 52);
        if (weekday === 6 && lab.random.chance(0.8)) trains(0, between(lab, day, '07:40', '09:20'), 60, 110);
        if ([2, 4, 0].includes(weekday) && lab.random.chance(0.75))
          trains(1, between(lab, day, '19:10', '20:50'), 35, 75);
        // the third one has meant to row each day
        if (lab.random.chance(day < 6 ? 0.95 : day < 12 ? 0.5 : 0.06))
          trains(2, between(lab, day, '16:30', '18:00'), 8, 30);
        // a race on the screen, on some Saturdays
        if (weekday === 6 && lab.random.chance(0.5)) trains(1, between(lab, day, '15:00', '15:20'), 70, 100);
      }
      for (const [index, machine] of lab.phones.entries()) {
        const spans = merged(sessions[index] ?? []);
        onlyIn(lab, machine, spans);
        for (const { from } of spans) hasBooted(lab, machine, from);
        // once it updates itself before it lets anybody train
        const updates = spans.find(({ from, to }) => from > lab.at(8) && to > from + 20 * MINUTE);
        if (updates !== undefined) restart(lab, machine, updates.from + 3 * MINUTE, [70, 96], 'reboot');
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // robotemi/sdk#40, #321: the port of adb closes after a while, or with a restart, until somebody opens it in the settings
    name: 'three robots drive through a care home, ride its lifts, and can be reached once somebody has opened their port',
    lab: { zone: 'Asia/Singapore', from: '2026-02-02', hubs: [], network: 3, models: ['temi V3'] },
    tell(lab) {
      // Chinese New Year
      const isOpen = (day: number) => lab.weekday(day) !== 0 && day !== 15 && day !== 16;
      for (const [index, robot] of lab.phones.entries()) {
        const times: Span[] = [];
        for (const day of lab.everyDay().filter(isOpen)) {
          // who looks after them goes from one to the next; on Saturdays it is a volunteer, who forgets one at times
          const isSaturday = lab.weekday(day) === 6;
          if (isSaturday && lab.random.chance(0.25)) continue;
          const opened = between(lab, day, isSaturday ? '09:10' : '07:25', isSaturday ? '10:00' : '07:50');
          const from = opened + index * minutes(lab, 2, 7);
          // it restarts by itself in its dock at night
          const to = lab.at(day + 1, '02:30:07') + index * 41 * SECOND;
          // the third one serves on another floor, and rides the lift there and back for each meal
          const rides = index === 2 ? ['07:52', '08:55', '11:35', '13:10', '17:15', '18:50'] : [];
          const lifts = rides.map((time) => {
            const at = lab.at(day, time) + minutes(lab, -6, 9);
            return { from: at, to: at + lab.random.between(35, 130) * SECOND };
          });
          const roams = moments(lab, lab.random.whole(3, 9), day, '07:40', '20:30').map((at) => ({
            from: at,
            to: at + lab.random.between(2, 11) * SECOND,
          }));
          times.push(...without([{ from, to }], merged([...lifts, ...roams])));
        }
        onlyIn(lab, robot, times, SECOND);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    name: 'cars of a driving school are in its yard between lessons, and their head units sleep a while after the key is out',
    lab: {
      zone: 'Australia/Brisbane',
      from: '2026-04-06',
      hubs: [],
      direct: 1,
      network: 6,
      known: { slots: false },
      models: ['Galaxy A15', 'Head unit'],
    },
    tell(lab) {
      const cars = lab.networkPhones;
      unread(cars);
      for (const [index, car] of cars.entries()) {
        const times: Span[] = [];
        // half of the instructors go home by car
        const isTakenHome = index < 3;
        for (const day of lab.everyDay()) {
          const isSaturday = lab.weekday(day) === 6;
          // Easter Monday; Anzac Day is a Saturday; two days of it are at the workshop, one instructor is off for a week
          const isOff =
            lab.weekday(day) === 0 ||
            [0, 19].includes(day) ||
            (index === 4 && (day === 8 || day === 9)) ||
            (index === 1 && day > 13 && day < 21);
          if (isOff || (isSaturday && lab.random.chance(0.4))) continue;
          let at = between(lab, day, '07:05', '08:40');
          const evening = between(lab, day, isSaturday ? '11:30' : '16:10', isSaturday ? '13:20' : '18:50');
          if (isTakenHome) times.push({ from: at - minutes(lab, 3, 9), to: at + minutes(lab, 4, 16) });
          while (at < evening) {
            // the key is turned, mirrors are set, and off it goes; by the gate it is out of reach
            times.push({ from: at, to: at + minutes(lab, 1.5, 7) });
            at += minutes(lab, 48, 55) * lab.random.pick([1, 1, 2]);
            // back in the yard, the pupil is told what to do better
            const parked = at + minutes(lab, 2, 12);
            const isLast = isTakenHome && parked > evening;
            if (isLast || lab.random.chance(0.2)) {
              // the next one is picked up at home, or the instructor goes home
              at = parked;
              continue;
            }
            times.push({ from: at, to: parked + minutes(lab, 9, 21) });
            at = parked + minutes(lab, 3, 75);
          }
        }
        onlyIn(lab, car, times);
      }
      background(lab, { taken: 1, hours: [8, 17], restarts: 0.2 });
    },
  },
  {
    // microsoft/WSL#4692, adelphes/android-dev-ext#105: an emulator on Windows, and an adb elsewhere that connects to it
    name: 'five developers start an emulator on their own computers, which go to sleep over lunch and restart for updates',
    lab: { zone: 'Europe/Warsaw', from: '2026-05-04', days: 33, hubs: [4], free: 1, usb: true, emulators: 5 },
    tell(lab) {
      const emulators = lab.phones.filter(({ connection }) => connection === 'emulator');
      const people = [
        ['07:05', '08:10', '15:20', 0.95],
        ['08:45', '10:30', '17:10', 0.9],
        ['09:15', '13:40', '17:50', 0.85],
        ['10:35', '11:50', '19:30', 0.9],
        // one day a week is for a university
        ['08:20', '10:00', '16:40', 0.75],
      ] as const;
      for (const [index, [from, late, to, part]] of people.entries()) {
        const emulator = emulators[index];
        if (emulator === undefined) continue;
        const times: Span[] = [];
        for (const day of lab.workdays()) {
          // Corpus Christi, and the Friday after it that most take off
          if (day === 31 || (day === 32 && index !== 0) || !lab.random.chance(part)) continue;
          const starts = between(lab, day, from, late);
          const ends = lab.at(day, to) + minutes(lab, -25, 50);
          const gaps: Span[] = [];
          // half an hour without anybody, and the computer sleeps
          const lunch = between(lab, day, '12:10', '13:20');
          if (lab.random.chance(0.6))
            gaps.push({ from: lunch + 30 * MINUTE, to: lunch + minutes(lab, 34, 62) });
          // it is closed for a call, or wiped and started anew
          for (const at of moments(lab, lab.random.poisson(1.4), day, from, to))
            gaps.push({
              from: at,
              to: at + lab.random.pick([1, 2, 25]) * MINUTE * lab.random.between(0.7, 1.8),
            });
          // the updates of the second Tuesday want a restart on one of the days after it
          if (day === 9 + (index % 3))
            gaps.push({ from: lab.at(day, '14:05'), to: lab.at(day, '14:05') + minutes(lab, 11, 48) });
          times.push(...without([{ from: starts, to: ends }], merged(gaps, 5 * MINUTE)));
        }
        onlyIn(lab, emulator, times);
      }
      background(lab, { taken: 2, hours: [9, 17], restarts: 0.5 });
    },
  },
  {
    // ministryofjustice/modernisation-platform, instance-scheduling: all that is not production is stopped at night, but where a tag says otherwise
    name: 'a rented machine with six virtual devices is stopped at eight in the evening and on weekends, to save money',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      from: '2026-03-16',
      hubs: [],
      direct: 2,
      network: 6,
      models: ['Moto G54', 'Galaxy A34', 'Cuttlefish'],
    },
    tell(lab) {
      const devices = lab.pinnedOf('tcp');
      unread(devices);
      // the schedule knows nothing of holidays; for a release it stays on until eleven, or through the night
      const ends = (day: number): number => lab.at(day, day === 10 || day === 23 ? '23:00' : '20:00');
      const runs: Span[] = [];
      for (const day of lab.workdays()) {
        const from = lab.at(day, '08:30') + lab.random.between(20, 290) * SECOND;
        if (day !== 25)
          runs.push({ from, to: ends(day === 24 ? 25 : day) + lab.random.between(10, 290) * SECOND });
      }
      // on a Saturday somebody starts it by hand, and forgets it until the rule of the evening
      runs.push({ from: between(lab, 12, '10:20', '11:40'), to: lab.at(12, '20:03') });
      for (const [index, device] of devices.entries()) {
        const boots = (from: number) =>
          from + 65 * SECOND + index * 17 * SECOND + lab.random.between(0, 20) * SECOND;
        const times: Span[] = [];
        for (const { from, to } of merged(runs)) {
          times.push({ from: boots(from), to });
          hasBooted(lab, device, times.at(-1)?.from ?? 0);
        }
        onlyIn(lab, device, times);
        // a job resets one before it begins
        for (const { from, to } of times)
          for (let left = lab.random.poisson(2.2); left > 0; left -= 1)
            restart(lab, device, lab.random.between(from + 5 * MINUTE, to - 10 * MINUTE), [38, 80], 'reboot');
      }
      background(lab, { taken: 1.2, hours: [9, 18] });
    },
  },
  {
    // de.wikipedia.org, Zwangstrennung: a provider ends each connection once a day, and gives another address for the next one
    name: 'the lines of five bakeries take another address each night, and their screens are on while they sell',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-10-05',
      hubs: [],
      network: 15,
      models: ['Menu board', 'Order tablet', 'Scale'],
    },
    tell(lab) {
      unread(lab.phones);
      const shops = [0, 1, 2, 3, 4].map((shop) => lab.phones.slice(3 * shop, 3 * shop + 3));
      for (const [shop, devices] of shops.entries()) {
        // the router does it itself within an hour that is set, so that it does not happen by day
        const nights = lab.everyDay().map((day) => {
          const from = lab.at(day, '03:04') + shop * 9.3 * MINUTE + lab.random.between(0, 50) * SECOND;
          return { from, to: from + lab.random.between(14, 75) * SECOND };
        });
        const isOpen = (day: number) => lab.weekday(day) !== 0 || shop < 3;
        const opens = (day: number) => (lab.weekday(day) === 0 ? '07:20' : '05:15');
        const closes = (day: number) =>
          ['11:05', '18:35', '18:35', '18:35', '18:35', '18:35', '13:10'][lab.weekday(day)] ?? '';
        const days = lab.everyDay().filter(isOpen);
        const [board, tablet, scale] = devices;
        if (board === undefined || tablet === undefined || scale === undefined) continue;
        // the board has a timer, the scale goes with the light of the counter, the tablet takes orders at any time
        onlyIn(
          lab,
          board,
          days.map((day) => ({
            from: lab.at(day, opens(day)) + lab.random.between(48, 66) * SECOND,
            to: lab.at(day, closes(day)) + lab.random.between(1, 3) * SECOND,
          })),
        );
        onlyIn(
          lab,
          scale,
          days.map((day) => ({
            from: lab.at(day, opens(day)) + minutes(lab, -24, 11),
            to: lab.at(day, closes(day)) + minutes(lab, 6, 48),
          })),
        );
        onlyIn(lab, tablet, without([{ from: lab.start, to: lab.end }], nights), SECOND);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // a network of guests lets nobody see each other; Android switches wireless debugging off with the Wi-Fi it was allowed on
    name: 'a consultant works at home, at an office, at a client whose Wi-Fi keeps devices apart, and in trains between',
    lab: {
      zone: 'Europe/Zurich',
      from: '2026-06-01',
      hubs: [],
      network: 3,
      known: { slots: false },
      models: ['Pixel 9', 'Galaxy Tab S9', 'Pixel Watch 3'],
    },
    tell(lab) {
      const [phone, tablet, watch] = lab.phones;
      if (phone === undefined || tablet === undefined || watch === undefined) return;
      const open: (Span & { place: 'home' | 'train' | 'client' | 'office' })[] = [];
      const opened = (place: (typeof open)[number]['place'], day: number, from: Clock, to: Clock): void => {
        open.push({ place, from: between(lab, day, ...from), to: between(lab, day, ...to) });
      };
      for (const day of lab.everyDay()) {
        const weekday = lab.weekday(day);
        // two days in Hamburg, with the hotspot of the phone; four days at a lake, without the laptop
        if (day > 23 && day < 28) continue;
        if (day === 17 || day === 18) {
          opened('train', day, ['07:50', '09:30'], ['11:20', '12:40']);
          opened('train', day, ['20:10', '21:30'], ['22:05', '23:20']);
        } else if (weekday > 0 && weekday < 4) {
          if (lab.random.chance(0.8)) opened('train', day, ['06:34', '06:40'], ['07:12', '07:27']);
          opened('client', day, ['07:55', '08:35'], ['11:40', '12:10']);
          opened('client', day, ['12:55', '13:30'], ['16:40', '17:25']);
          if (lab.random.chance(0.6)) opened('train', day, ['17:36', '17:50'], ['18:05', '18:27']);
          if (lab.random.chance(0.35)) opened('home', day, ['20:40', '21:50'], ['22:20', '23:30']);
        } else if (weekday === 4) {
          opened('home', day, ['08:10', '09:00'], ['11:45', '12:25']);
          opened('home', day, ['13:05', '13:50'], ['16:50', '18:30']);
        } else if (weekday === 5) {
          opened('office', day, ['08:50', '09:40'], ['11:50', '12:20']);
          opened('office', day, ['13:10', '13:40'], ['15:40', '17:10']);
        } else if (lab.random.chance(0.5)) opened('home', day, ['10:10', '15:00'], ['15:40', '19:10']);
      }
      // what was connected when it was shut is found to be gone, or connected anew, when it is opened again
      const reachedAt = (isThere: (place: string) => boolean): Span[] =>
        open.flatMap(({ place, from }, index) => {
          const to = (open[index + 1]?.from ?? lab.end) + lab.random.between(8, 24) * SECOND;
          return isThere(place) ? [{ from: from + lab.random.between(35, 95) * SECOND, to }] : [];
        });
      onlyIn(
        lab,
        phone,
        reachedAt((place) => place !== 'client'),
      );
      onlyIn(
        lab,
        tablet,
        reachedAt((place) => place === 'home'),
      );
      onlyIn(
        lab,
        watch,
        reachedAt((place) => place === 'home' && lab.random.chance(0.6)),
      );
      for (const [index, { from }] of open.entries())
        sleeps(lab, open[index - 1]?.to ?? lab.start - 9 * HOUR, from);
      background(lab, { glitches: 0, isUpdated: false, hours: [14, 15.5], weekdays: new Set([1, 2, 3]) });
    },
  },
  {
    // bebackwhenever.com, 2018: hotels in Thailand whose rooms have power only while a card is in the slot by the door
    name: 'twenty televisions of a hotel have power only while a card is in the slot of their room',
    lab: { zone: 'Asia/Bangkok', from: '2026-04-01', hubs: [], network: 20, models: ['Bravia', 'Aquos'] },
    tell(lab) {
      unread(lab.phones);
      // at Songkran each room is taken
      const isFull = (day: number) => day > 10 && day < 15;
      for (const television of lab.phones) {
        const times: Span[] = [];
        const on = (from: number, to: number): void => {
          // it boots; a switch behind the slot waits for a moment before it cuts the power
          times.push({
            from: from + lab.random.between(38, 75) * SECOND,
            to: to + lab.random.between(15, 32) * SECOND,
          });
        };
        for (let day = -lab.random.whole(0, 3); day < lab.days; ) {
          if (!isFull(day) && lab.random.chance(0.4)) {
            day += 1;
            continue;
          }
          const nights = lab.random.pick([1, 1, 2, 3, 5]);
          // some leave a card of another hotel in the slot when they go out
          const isTricked = lab.random.chance(0.18);
          const leaves = between(lab, day + nights, '06:40', '11:55');
          let at = between(lab, day, '14:05', '22:40');
          if (isTricked) on(at, leaves);
          else
            for (let night = day; night < day + nights; night += 1) {
              const dinner = between(lab, night, '18:20', '20:10');
              if (at < dinner - HOUR) {
                on(at, dinner);
                at = between(lab, night, '20:50', '23:50');
              }
              const isLast = night === day + nights - 1;
              const out = isLast ? leaves : between(lab, night + 1, '08:10', '11:20');
              on(at, out);
              // whoever cleans has a card too
              const cleaned = between(lab, night + 1, '12:10', '13:50');
              if (!isLast)
                on(Math.max(cleaned, out + 4 * MINUTE), Math.max(cleaned, out) + minutes(lab, 16, 34));
              at = between(lab, night + 1, '14:50', '17:40');
            }
          const cleaned = Math.max(leaves + minutes(lab, 10, 120), lab.at(day + nights, '10:15'));
          on(cleaned, cleaned + minutes(lab, 22, 50));
          day += nights;
        }
        const spans = merged(times);
        onlyIn(lab, television, spans);
        for (const { from } of spans)
          if (from > lab.start && lab.random.chance(0.7)) hasBooted(lab, television, from, 'cold');
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // RUCKUS One, Custom PoE Scheduling; HPE 1920S, PoE Port Schedule: ports without power at night and on weekends
    name: 'a switch gives the panels at ten doors no power at night, and those of one floor none on weekends',
    lab: {
      zone: 'America/Halifax',
      from: '2026-03-02',
      hubs: [],
      direct: 1,
      network: 10,
      models: ['Galaxy A54', 'Door panel'],
    },
    tell(lab) {
      const panels = lab.networkPhones;
      unread(panels);
      // an evening with a talk, for which somebody switches the schedule off until the next morning
      const talks = new Set([8, 22]);
      for (const [index, panel] of panels.entries()) {
        const isUpstairs = index > 5;
        const days = lab.everyDay().filter((day) => lab.isWorkday(day) || !isUpstairs);
        const times = days.map((day) => ({
          from: lab.at(day, '06:30') + lab.random.between(52, 96) * SECOND,
          to: talks.has(day)
            ? lab.at(day + 1, '06:40')
            : lab.at(day, '20:00') + lab.random.between(1, 4) * SECOND,
        }));
        const gone: Span[] = [];
        // one is put at another door, on a Tuesday morning
        if (index === 3) gone.push({ from: lab.at(15, '10:12'), to: lab.at(15, '10:58') });
        // their program is updated on a Thursday evening, one after the other, and starts them anew
        const updates = lab.at(17, '18:30') + index * minutes(lab, 4, 5);
        const spans = merged(without(times, gone));
        onlyIn(lab, panel, spans);
        for (const { from } of spans) hasBooted(lab, panel, from);
        restart(lab, panel, updates, [60, 95], 'reboot');
      }
      background(lab, { taken: 1.5, hours: [9, 18], restarts: 0.2 });
    },
  },
  {
    // dengzii/WiFiADB#26: a phone restarts every other night and has another address then; sorccu/docker-adb#17: a loop
    // that connects to all of them again and again
    name: 'seven phones have another address after each restart or flight mode, and a script looks for them every five minutes',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-08-03',
      hubs: [],
      network: 7,
      models: ['Redmi Note 12', 'Realme 9', 'Galaxy M33'],
    },
    tell(lab) {
      const { random } = lab;
      // it goes through the addresses one by one
      const found = (at: number): number =>
        Math.ceil(at / (5 * MINUTE)) * 5 * MINUTE + random.between(4, 58) * SECOND;
      for (const [index, phone] of lab.phones.entries()) {
        phone.isPinned = true;
        for (const day of lab.everyDay()) {
          // the router restarts on Sundays, and begins with its addresses anew
          if (lab.weekday(day) === 0) {
            const at = lab.at(day, '04:30:05') + random.between(0, 9) * SECOND;
            unreached(lab, phone, at, found(at + 170 * SECOND));
          }
          if (day % 2 === index % 2 && day > 0) {
            const at = lab.at(day, '03:40') + random.between(0, 900) * SECOND;
            const back = found(at + random.between(52, 88) * SECOND);
            if (lab.isFree(phone, at, back + MINUTE)) {
              unreached(lab, phone, at, back);
              lab.rebooted(phone, back + 12 * SECOND, {
                reason: 'reboot',
                uptimeSeconds: Math.round((back - at) / SECOND) - 20,
              });
            }
          }
          // Independence Day is a Saturday; those who test come from Monday to Saturday noon
          const weekday = lab.weekday(day);
          if (weekday === 0 || day === 12) continue;
          const runs = moments(
            lab,
            random.poisson(weekday === 6 ? 1.5 : 4),
            day,
            '09:50',
            weekday === 6 ? '13:10' : '19:20',
          );
          for (const at of runs) {
            // a run begins with flight mode, on and off; half of them keep their address over that
            const back = at + random.between(9, 26) * SECOND;
            const until = index % 2 === 0 ? back : found(back);
            if (lab.isFree(phone, at - MINUTE, until + MINUTE)) unreached(lab, phone, at, until);
          }
        }
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    name: 'the tablets of four branches are reached through tunnels that are up while these are open',
    lab: {
      zone: 'America/Bogota',
      from: '2026-03-16',
      hubs: [4],
      free: 1,
      network: 16,
      known: { usbPath: false },
      models: ['Galaxy Tab Active 3'],
    },
    tell(lab) {
      // Saint Joseph is kept on a Monday; Thursday and Friday before Easter
      const isHoliday = (day: number) => day === 7 || day === 17 || day === 18;
      const branches = [0, 1, 2, 3].map((branch) => lab.networkPhones.slice(4 * branch, 4 * branch + 4));
      for (const [branch, tablets] of branches.entries()) {
        const up: Span[] = [];
        for (const day of lab.everyDay()) {
          const isSaturday = lab.weekday(day) === 6;
          // the one in a mall is open on Saturdays too
          if (isHoliday(day) || lab.weekday(day) === 0 || (isSaturday && branch !== 2)) continue;
          const from = lab.at(day, isSaturday ? '08:45' : '07:15') + lab.random.between(0, 40) * SECOND;
          const to = lab.at(day, isSaturday ? '13:30' : '18:45') + lab.random.between(0, 5) * SECOND;
          // its keys are made anew after eight hours
          const keys = from + 8 * HOUR - lab.random.between(20, 500) * SECOND;
          up.push(
            ...without([{ from, to }], [{ from: keys, to: keys + lab.random.between(3, 14) * SECOND }]),
          );
        }
        for (const tablet of tablets) {
          const away: Span[] = [];
          for (const day of lab.workdays()) {
            // a customer is visited, beyond the Wi-Fi; or it was left in a drawer, empty, until somebody needs it
            for (const at of moments(lab, lab.random.poisson(0.35), day, '09:00', '15:30'))
              away.push({ from: at, to: at + minutes(lab, 45, 190) });
            if (lab.random.chance(0.04))
              away.push({ from: lab.at(day), to: between(lab, day, '09:30', '16:00') });
          }
          const times = up.map(({ from, to }) => ({
            from: from + lab.random.between(2, 55) * SECOND,
            to: to + lab.random.between(0, 7) * SECOND,
          }));
          onlyIn(lab, tablet, without(times, merged(away)), SECOND);
        }
      }
      background(lab, { taken: 1.2, hours: [8, 17], restarts: 0.4 });
    },
  },
  {
    // sixteen-nine.net, 2019, and etatransit.com: signs of bus stops that live on the sun and batteries, on a mobile network
    name: 'six signs of bus stops run on the sun, and sleep from some hours after dusk until there is light again',
    lab: { zone: 'Pacific/Auckland', from: '2026-03-23', hubs: [], network: 6, models: ['Stop sign'] },
    tell(lab) {
      unread(lab.phones);
      // how much of the sun there is: the same for all of them, more or less
      const suns = lab.everyDay().map(() => lab.random.pick([1, 0.9, 0.8, 0.5, 0.25]));
      for (const sign of lab.phones) {
        const times: Span[] = [];
        // one stands in the shade of trees
        const shade = sign === lab.phones[4] ? 0.7 : 1;
        const address = lab.random.between(0.5, 23) * HOUR;
        for (const day of lab.everyDay()) {
          // the clocks go back on the fifth of April; the sun does not
          const wintertime = day > 12 ? HOUR : 0;
          const sunrise = lab.at(day, '07:22') + day * 0.93 * MINUTE - wintertime;
          const sunset = lab.at(day, '19:29') - day * 1.55 * MINUTE - wintertime;
          const sun = (suns[day] ?? 1) * shade * lab.random.between(0.85, 1.1);
          const wakes = sunrise + (14 + 95 * Math.max(0, 1 - sun)) * MINUTE + minutes(lab, 0, 18);
          const sleepsAt = sunset + (40 + 240 * sun) * MINUTE + minutes(lab, -10, 10);
          // its provider gives it another address once a day
          const changes = lab.at(day) + address + minutes(lab, 0, 3);
          const change = { from: changes, to: changes + lab.random.between(6, 48) * SECOND };
          times.push(...without([{ from: wakes, to: sleepsAt }], [change]));
        }
        onlyIn(lab, sign, times, SECOND);
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // lowell.utiledesign.com, on Fire TV Sticks: at the USB port of some televisions one has power only while these are on
    name: 'a bar switches its eleven televisions on for the matches of a World Cup, and their sticks with them',
    lab: {
      zone: 'America/Chicago',
      from: '2026-06-08',
      days: 35,
      hubs: [],
      network: 11,
      known: { slots: false },
      models: ['Fire TV Stick 4K'],
    },
    tell(lab) {
      unread(lab.phones);
      const kickoffs = (day: number): string[] => {
        if (day < 3) return [];
        if (day < 20)
          return lab.isWorkday(day) ? ['14:00', '17:00', '20:00'] : ['11:00', '14:00', '17:00', '20:00'];
        if (day < 26) return ['12:00', '16:00', '20:00'];
        return day < 30 ? ['15:00', '19:00'] : day > 31 && day < 34 ? ['15:00'] : [];
      };
      const days = lab.everyDay().map((day) => {
        const [first] = kickoffs(day);
        const opens = first === undefined ? lab.at(day, '15:40') : lab.at(day, first) - 45 * MINUTE;
        const isLate = lab.weekday(day) > 4;
        return {
          day,
          // without a match it is closed on Mondays, and five of them are enough
          many: first !== undefined ? 11 : lab.weekday(day) === 1 ? 0 : 5,
          opens: opens + minutes(lab, -12, 12),
          closes: lab.at(day, '23:20') + minutes(lab, isLate ? 70 : -10, isLate ? 150 : 50),
          rains: lab.random.chance(0.25),
          // who opens goes round with the remote controls, and finds the two on the terrace last
          stepMs: lab.random.between(8, 24) * SECOND,
        };
      });
      for (const [index, stick] of lab.phones.entries()) {
        const times: Span[] = [];
        for (const { day, opens, closes, rains, stepMs } of days.filter((each) => index < each.many)) {
          const from = opens + index * stepMs + lab.random.between(28, 46) * SECOND;
          const to = closes + index * stepMs * 0.6 + lab.random.between(0, 4) * SECOND;
          // a birthday wants some music instead
          const isOff = index > 8 ? rains : lab.random.chance(0.05);
          const off = index > 8 ? opens + 3 * HOUR + index * 7 * SECOND : between(lab, day, '17:30', '21:30');
          const gaps = isOff ? [{ from: off, to: off + minutes(lab, 15, 140) }] : [];
          times.push(...without([{ from, to }], gaps));
        }
        const spans = merged(times);
        onlyIn(lab, stick, spans);
        for (const { from } of spans) hasBooted(lab, stick, from);
        // for some an update has waited, and is put on before anybody watches
        const updated = spans[3 + (index % 2)];
        if (updated !== undefined && index % 3 > 0)
          restart(lab, stick, updated.from + 4 * MINUTE, [95, 160], 'reboot');
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // AVM, FRITZ!Box 6820 and 7490, access profiles: a device stays in the network of the home, and has no internet
    name: 'a router lets the devices of three children into the internet by the clock, and later in their holidays',
    lab: {
      zone: 'Europe/Paris',
      from: '2026-04-06',
      hubs: [],
      direct: 1,
      network: 5,
      known: { slots: false },
      models: ['Pixel 8a', 'Galaxy A16', 'Galaxy Tab A9', 'Redmi 13', 'Lenovo Tab', 'Chromecast'],
    },
    tell(lab) {
      const [eldest, tablet, second, youngest, box] = lab.pinnedOf('tcp');
      if (box !== undefined) unread([box]);
      const isHoliday = (day: number) => day > 11 && day < 27;
      const isSchool = (day: number) => lab.isWorkday(day) && !isHoliday(day) && day > 0;
      // the box under the television belongs to everybody
      const profiles: readonly (readonly [LabPhone | undefined, night: Clock, late: Clock])[] = [
        [eldest, ['22:00', '06:30'], ['23:30', '08:00']],
        [tablet, ['20:00', '07:00'], ['21:30', '08:00']],
        [second, ['20:30', '07:00'], ['22:00', '08:00']],
        [youngest, ['19:30', '07:00'], ['20:30', '08:00']],
      ];
      for (const day of lab.everyDay()) {
        // grandparents have them for a week, with what they carry
        if (day > 13 && day < 21) continue;
        const isAlong = isSchool(day) ? 0.97 : 0.5;
        for (const phone of [eldest, second]) {
          if (phone === undefined || !lab.random.chance(isAlong)) continue;
          const isNoon = lab.weekday(day) === 3;
          const leaves = isSchool(day)
            ? between(lab, day, '07:30', '08:05')
            : between(lab, day, '10:20', '14:30');
          const comes = isSchool(day)
            ? between(lab, day, isNoon ? '12:20' : '16:40', isNoon ? '13:10' : '18:10')
            : leaves + minutes(lab, 70, 300);
          unreached(lab, phone, leaves, comes);
        }
        // it was played until it was empty, and is found on the next morning
        if (tablet !== undefined && (day === 6 || day === 24))
          unreached(
            lab,
            tablet,
            between(lab, day, '16:10', '17:50'),
            between(lab, day + 1, '08:05', '09:40'),
          );
      }
      for (const phone of [eldest, second, youngest])
        if (phone !== undefined)
          unreached(lab, phone, between(lab, 14, '09:20', '09:40'), between(lab, 20, '17:10', '18:00'));
      for (const [phone, night, late] of profiles) {
        if (phone === undefined) continue;
        for (const day of lab.everyDay()) {
          const [off, on] = isSchool(day + 1) ? night : late;
          // one of their parents gives half an hour more, or takes it
          const more = lab.random.chance(0.12) ? lab.random.pick([-30, 30, 45]) * MINUTE : 0;
          withoutInternet(lab, phone, { from: lab.at(day, off) + more, to: lab.at(day + 1, on) });
          // homework
          if (isSchool(day) && lab.weekday(day) !== 3 && phone !== eldest)
            withoutInternet(lab, phone, { from: lab.at(day, '17:00'), to: lab.at(day, '18:00') });
        }
      }
      background(lab, { taken: 1, hours: [17, 22], isDaily: true, restarts: 0.2 });
    },
  },
  {
    // support.plasma-cloud.com, maintenance window: channels are chosen and updates are put on at night; D-Link DWS-3000, once in 24 hours
    name: 'four access points of a shop choose their channels at night, are updated on one, and staff roam between them by day',
    lab: {
      zone: 'Europe/Lisbon',
      from: '2026-03-02',
      hubs: [],
      network: 18,
      models: ['Galaxy Tab A9', 'Galaxy Tab A9', 'Zebra TC22'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const isCarried = ({ name }: LabPhone) => name.startsWith('Zebra');
      const byPoint = [0, 1, 2, 3].map((point) => lab.phones.filter((_, index) => index % 4 === point));
      const short = (phone: LabPhone, from: number, to: number): void => {
        if (lab.isFree(phone, from - 30 * SECOND, to + 30 * SECOND)) unreached(lab, phone, from, to);
      };
      for (const day of lab.everyDay()) {
        const window = lab.at(day, '03:00');
        // firmware, on a Tuesday: each restarts for five minutes when the one before is back; who hung on it takes a neighbour
        const isUpdate = day === 15;
        for (const [point, phones] of byPoint.entries()) {
          const at =
            window + point * (isUpdate ? 6.5 * MINUTE : 40 * SECOND) + random.between(0, 20) * SECOND;
          if (!isUpdate && !random.chance(0.3)) continue;
          const [least, most] = isUpdate ? ([14, 75] as const) : ([4, 22] as const);
          for (const phone of phones) {
            // some follow the channel without a word
            if (!isUpdate && random.chance(0.5)) continue;
            const from = at + random.between(0, 3) * SECOND;
            short(phone, from, from + random.between(least, most) * SECOND);
          }
        }
        for (const phone of lab.phones.filter(isCarried)) {
          for (const at of moments(lab, random.poisson(5), day, '09:20', '22:30'))
            short(phone, at, at + random.between(2, 14) * SECOND);
          // there is no Wi-Fi where they eat
          const eats = random.pick([
            between(lab, day, '12:10', '14:40'),
            between(lab, day, '18:40', '20:30'),
          ]);
          if (random.chance(0.7)) short(phone, eats, eats + minutes(lab, 22, 61));
        }
        // the shelves of a department are built anew, and its tablets are in a box until the next day
        if (day !== 9 && day !== 22) continue;
        const packed = between(lab, day, '21:40', '22:10');
        for (const phone of (byPoint[day === 9 ? 1 : 2] ?? []).filter((each) => !isCarried(each)))
          short(phone, packed + minutes(lab, 0, 9), between(lab, day + 1, '08:10', '09:50'));
      }
      background(lab, { glitches: 0 });
    },
  },
  {
    // the control system of FIRST Tech Challenge: a robot has a Wi-Fi of its own, and a laptop leaves that of the school for it
    name: 'a laptop joins the Wi-Fi of a robot that students build on three days a week, and goes with it to a tournament',
    lab: {
      zone: 'America/Detroit',
      from: '2026-01-12',
      hubs: [],
      network: 2,
      known: { slots: false },
      models: ['Control Hub', 'Driver Hub'],
    },
    tell(lab) {
      const { random } = lab;
      const [control, driver] = lab.phones;
      if (control === undefined || driver === undefined) return;
      unread([control]);
      const [ofControl, ofDriver, booted]: [Span[], Span[], number[]] = [[], [], []];
      const open: Span[] = [];
      const practice = (from: number, to: number): void => {
        open.push({ from: from - minutes(lab, 4, 15), to: to + minutes(lab, 3, 30) });
        for (let at = from + minutes(lab, 2, 14); at < to - 3 * MINUTE; ) {
          // a battery lasts for a while; then its switch goes off, and on again
          const empty = Math.min(to, at + minutes(lab, 11, 38));
          // what they need from the school's network ends it for some minutes too
          const isPulled = empty > at + 6 * MINUTE && random.chance(0.4);
          const pulls = isPulled ? [random.between(at + 2 * MINUTE, empty)] : [];
          const away = pulls.map((pull) => ({ from: pull, to: pull + minutes(lab, 2, 13) }));
          ofControl.push(...without([{ from: at, to: empty }], away));
          ofDriver.push(
            ...without(
              [{ from: at + random.between(3, 40) * SECOND, to: empty + random.between(4, 25) * SECOND }],
              away,
            ),
          );
          booted.push(at);
          at = empty + random.between(70, 260) * SECOND;
        }
      };
      for (const day of lab.everyDay()) {
        const weekday = lab.weekday(day);
        // Martin Luther King Day is a Monday; a Thursday has no school for the snow
        if ((weekday === 2 || weekday === 4) && day !== 17)
          practice(between(lab, day, '15:45', '16:10'), between(lab, day, '18:05', '19:20'));
        if (weekday === 6 && day !== 19)
          practice(between(lab, day, '10:05', '10:30'), between(lab, day, '14:20', '15:50'));
        // before the tournament they come each day
        if (day > 14 && day < 19 && weekday !== 2 && weekday !== 4)
          practice(between(lab, day, '15:45', '16:10'), between(lab, day, '19:10', '20:50'));
        // between two matches there are minutes in the pit
        if (day === 19)
          for (const [from, to] of pits)
            practice(between(lab, day, from, to), lab.at(day, to) + minutes(lab, 12, 24));
      }
      onlyIn(lab, control, ofControl);
      onlyIn(lab, driver, ofDriver);
      for (const at of booted) hasBooted(lab, control, at);
      const awake = merged(open);
      for (const [index, { from }] of awake.entries())
        sleeps(lab, awake[index - 1]?.to ?? lab.start - 5 * HOUR, from);
      background(lab, { glitches: 0, isUpdated: false, hours: [16, 17], weekdays: new Set([2]) });
    },
  },
];
