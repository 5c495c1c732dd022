/**
 * Months put together by chance of all that people do in labs, in any mixture: more kinds of labs, hours and habits than
 * `chance.ts` has, and what is done once. Nothing is wrong in them. `rate.ts` judges hundreds of them.
 */
import { Random } from '../../random.ts';
import type { Port } from '../../room.ts';
import { agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, hashed, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { switchedOff } from './calm.ts';
import {
  around,
  cart,
  clock,
  commuter,
  emulators,
  forAll,
  forHubs,
  hubOf,
  lastPerson,
  meeting,
  openDays,
  phonesOnUsb,
  planned,
  type Routine,
  type Staff,
  shutDown,
  timetable,
  wireless,
  zones,
} from './chance.ts';

/** Two shifts, three, a lab for students, one where hardly anybody comes, and ordinary ones. */
function staffOf(random: Random): Staff {
  const weekdays = random.pick([
    ...[
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4],
    ],
    ...[
      [1, 2, 3, 4, 5, 6],
      [0, 1, 2, 3, 4, 5, 6],
      [1, 3, 5],
      [2, 4],
    ],
  ]);
  const hours = random.pick<readonly [number, number]>([
    ...([
      [9, 18],
      [8, 17],
      [7, 15.5],
      [9.5, 19],
      [10, 20],
      [11, 22],
      [6, 22],
      [5.5, 13.5],
    ] as const),
    ...([
      [0, 24],
      [14, 22],
      [18, 27],
      [13, 21],
    ] as const),
  ]);
  return { hours, weekdays: new Set(weekdays) };
}

const isLongEnough = (from: number, to: number): boolean => to > from + MINUTE;
const atWork = (lab: Lab, { hours: [first, last] }: Staff, day: number, forHours = 0): number =>
  clock(lab, day, lab.random.between(first, Math.max(first + 0.2, last - forHours)));
const someDays = (lab: Lab, staff: Staff, part: number): number[] =>
  openDays(lab, staff).filter(() => lab.random.chance(part));
const hubsOf = (lab: Lab): number[] =>
  lab.random.chance(0.5) ? [hubOf(lab)] : lab.hubs.map((_, index) => index);
/** Hands go from one switch to the next. */
const offByHand = (lab: Lab, hubs: readonly number[], from: number, to: number): void => {
  for (const [index, hub] of hubs.entries()) {
    const late = index * lab.random.between(0.3, 9) * SECOND;
    if (isLongEnough(from, to) && to < lab.end) switchedOff(lab, lab.phonesOf(hub), from + late, to + late);
  }
};
const away = (lab: Lab, phone: LabPhone, at: number, forMs: number, to?: Port): void => {
  if (lab.isFree(phone, at - SECOND, at + forMs + SECOND) && at + forMs < lab.end)
    lab.lose(phone, Math.round(at), { forMs: Math.round(forMs), ...(to && { to }) });
};

/** Somebody switches a rack off now and then, for an hour, a night or days, and on again. */
const rackByHand: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  const part = lab.random.pick([0.08, 0.2, 0.5]);
  for (const [index, day] of days.entries()) {
    if (!lab.random.chance(part)) continue;
    const at = atWork(lab, staff, day, 0.5);
    const next = days[index + lab.random.pick([1, 1, 2])];
    const isShort = lab.random.chance(0.5) || next === undefined;
    offByHand(
      lab,
      hubsOf(lab),
      at,
      isShort ? at + lab.random.between(0.2, 5) * HOUR : atWork(lab, staff, next),
    );
  }
};

/** A rack leaves for another host for days, or for good. */
const rackMoves: Routine = (lab, staff) => {
  const [day = 5, back] = lab.random
    .shuffled(openDays(lab, staff))
    .slice(0, 2)
    .sort((one, other) => one - other);
  const hub = hubOf(lab);
  const at = atWork(lab, staff, day);
  if (back !== undefined && lab.random.chance(0.6)) offByHand(lab, [hub], at, atWork(lab, staff, back));
  else
    lab.loseAll(
      lab.phonesOf(hub).filter((phone) => lab.isFree(phone, at, lab.end)),
      at,
      { gone: 'hub', isWithHub: true },
    );
};

/** On one day the phones get other places, a few at a time. */
const reorganised: Routine = (lab, staff) => {
  for (const day of lab.random.shuffled(openDays(lab, staff)).slice(0, lab.random.whole(1, 2))) {
    let at = atWork(lab, staff, day, 2);
    const phones = lab.random.shuffled(phonesOnUsb(lab)).slice(0, lab.random.whole(4, 20));
    const ports = phones.map((phone) => lab.portOf(phone, at));
    for (const [index, phone] of phones.entries()) {
      away(lab, phone, at, lab.random.between(2, 40) * MINUTE, ports[(index + 1) % ports.length]);
      at += lab.random.pick([3, 8, 40, 200]) * SECOND * lab.random.between(0.6, 1.6);
    }
  }
};

/** All is off on weekends. */
const weekends: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    if (next === undefined || next - day < 2) continue;
    const hubs = lab.hubs.map((_, hub) => hub);
    const at = clock(lab, day, staff.hours[1]) + around(lab, 50);
    offByHand(lab, hubs, at, clock(lab, next, staff.hours[0]) + around(lab, 40));
  }
};

/** Nobody is there for a week; some switch off what they have. */
const holiday: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  const from = days.find((day) => day >= lab.random.whole(1, 18)) ?? 4;
  const to = days.find((day) => day > from + 6);
  if (to === undefined) return;
  const hubs = hubsOf(lab);
  offByHand(lab, hubs, clock(lab, from, staff.hours[1]) + around(lab, 90), atWork(lab, staff, to));
};

/** In the first days phones are set up: each is plugged again and again. */
const setUp: Routine = (lab, staff) => {
  const days = openDays(lab, staff).filter((day) => day < 6);
  for (const phone of phonesOnUsb(lab).filter(() => lab.random.chance(0.7))) {
    let at = atWork(lab, staff, lab.random.pick(days.length > 0 ? days : [1]), 1);
    for (let left = lab.random.whole(1, 7); left > 0; left -= 1) {
      const forMs = lab.random.between(4, 300) * SECOND;
      away(lab, phone, at, forMs);
      at += forMs + lab.random.between(0.3, 12) * MINUTE;
    }
  }
};

/** Phones are given out at once, or one after the other, and come back over minutes or hours. */
const givenOut: Routine = (lab, staff) => {
  const hub = hubOf(lab);
  const part = lab.random.pick([0.1, 0.3, 0.7]);
  const gapMs = lab.random.pick([2, 4, 6, 30]) * SECOND;
  for (const day of someDays(lab, staff, part)) {
    const at = atWork(lab, staff, day, 3);
    const forMs = lab.random.between(0.5, 6) * HOUR;
    const phones = lab.random.shuffled(lab.phonesOf(hub));
    const out = phones.slice(0, Math.ceil(phones.length * lab.random.pick([0.5, 0.8, 1])));
    for (const [index, phone] of out.entries())
      away(
        lab,
        phone,
        at + index * gapMs * lab.random.between(0.7, 1.5),
        forMs + lab.random.between(0, 40) * MINUTE,
      );
  }
};

/** Who cleans at night needs the socket. */
const cleaner: Routine = (lab) => {
  const hubs = hubsOf(lab);
  const hour = lab.random.pick([4.5, 5.5, 6, 20.5, 21, 22]);
  const weekdays = new Set(lab.random.shuffled([1, 2, 3, 4, 5]).slice(0, lab.random.whole(1, 5)));
  for (const day of lab.everyDay().filter((each) => weekdays.has(lab.weekday(each)))) {
    const at = clock(lab, day, hour) + around(lab, 15);
    for (const hub of hubs) switchedOff(lab, lab.phonesOf(hub), at, at + lab.random.between(5, 40) * MINUTE);
  }
};

/** The strip goes off when somebody shuts his computer down, and on with it. */
const savingStrip: Routine = (lab, staff) => {
  const hubs = hubsOf(lab);
  const days = openDays(lab, staff);
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    const from = clock(lab, day, staff.hours[1]) + lab.random.between(-120, 60) * MINUTE;
    const to =
      next === undefined ? lab.end : clock(lab, next, staff.hours[0]) + lab.random.between(-30, 90) * MINUTE;
    for (const hub of hubs) if (to < lab.end && to > from) switchedOff(lab, lab.phonesOf(hub), from, to);
  }
};

/** Half of the phones leave in a bag for a demonstration. */
const demoDay: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  for (const day of lab.random.shuffled(days).slice(0, lab.random.whole(1, 3))) {
    let at = atWork(lab, staff, day, 2);
    const back = lab.random.chance(0.5) ? undefined : days.find((each) => each > day);
    const until = back === undefined ? at + lab.random.between(1, 8) * HOUR : atWork(lab, staff, back);
    for (const phone of lab.random.shuffled(phonesOnUsb(lab)).slice(0, Math.ceil(lab.usbPhones.length / 2))) {
      at += lab.random.between(1, 10) * SECOND;
      away(lab, phone, at, until - at + lab.random.between(0, 15) * MINUTE);
    }
  }
};

/** The host gets updates and restarts, at night or when nobody minds. */
const hostUpdates: Routine = (lab, staff) => {
  const hour = lab.random.pick([2, 4, 6.5, 13]);
  for (const day of lab.random.chance(0.5)
    ? someDays(lab, staff, 0.12)
    : lab.everyDay().filter((each) => each % 7 === 3))
    hostRestarts(lab, Math.round(clock(lab, day, hour) + lab.random.between(0, 40) * MINUTE));
};

/** A script lets phones charge in cycles, by the ports of their hub. */
const chargingCycles: Routine = (lab) => {
  const hub = hubOf(lab);
  const [onMs, offMs] = [lab.random.between(40, 150) * MINUTE, lab.random.between(15, 150) * MINUTE];
  const isByLevel = lab.random.chance(0.4);
  for (let at = lab.start + lab.random.between(0, 5) * HOUR; at < lab.end - 9 * HOUR; ) {
    const forMs = offMs * (isByLevel ? lab.random.between(0.8, 1.3) : 1);
    const isThere = lab.phonesOf(hub).filter((phone) => lab.isFree(phone, at, at + forMs));
    lab.loseAll(isThere, at, { spreadMs: 300, forMs, backSpreadMs: 3 * SECOND, isWithHub: true });
    at += forMs + onMs * (isByLevel ? lab.random.between(0.8, 1.3) : 1);
  }
};

/** An update takes all phones at once. */
const updateNight: Routine = (lab) => {
  const day = lab.random.whole(1, 27);
  const at = clock(lab, day, lab.random.pick([0.5, 2, 3.25, 12, 22]));
  const gapMs = lab.random.pick([0.1, 5, 60]) * SECOND;
  for (const [index, phone] of phonesOnUsb(lab).entries()) {
    const from = Math.round(at + index * gapMs);
    if (!lab.isFree(phone, from, from + 12 * MINUTE)) continue;
    lab.reboot(phone, from, { forMs: lab.random.between(50, 280) * SECOND, reason: 'reboot,ota' });
    lab.phone(phone, from + 8 * MINUTE, { kind: 'os', release: '16', before: '15' });
  }
};

/** Wi-Fi lets phones go while they sleep, all of them alike: until somebody uses them, or Android wakes them for a while. */
const sleepyWifi: Routine = (lab) => {
  const mean = lab.random.pick([2, 6, 20]);
  for (const phone of lab.networkPhones)
    for (let left = lab.random.poisson(mean); left > 0; left -= 1)
      away(
        lab,
        phone,
        lab.random.between(lab.start, lab.end),
        lab.random.between(5, lab.random.pick([60, 300])) * MINUTE,
      );
};

/** A farm tests what apps do without a cable: its script unplugs any phone at any hour. */
const unpluggedByScript: Routine = (lab) => {
  const mean = lab.random.pick([4, 10, 30]);
  const forMs = lab.random.pick([5, 20, 120, 900]) * SECOND;
  for (const phone of phonesOnUsb(lab))
    for (let left = lab.random.poisson(mean); left > 0; left -= 1)
      away(lab, phone, lab.random.between(lab.start, lab.end), forMs * lab.random.between(0.8, 1.5));
};

/** A developer unplugs the one or two phones of a desk all day, for seconds or hours. */
const desk: Routine = (lab, staff) => {
  const many = lab.random.pick([2, 6, 20]);
  for (const phone of lab.random.shuffled(phonesOnUsb(lab)).slice(0, lab.random.whole(1, 2)))
    for (const day of someDays(lab, staff, lab.random.pick([0.3, 0.6, 0.9])))
      for (let left = lab.random.poisson(many); left > 0; left -= 1) {
        const forMs = lab.random.pick([5, 20, 60, 300, 3000]) * SECOND * lab.random.between(0.5, 2);
        away(lab, phone, atWork(lab, staff, day), forMs);
      }
};

/** Somebody looks for a bad cable that is none: a phone goes in and out, also of another port. */
const cableHunt: Routine = (lab, staff) => {
  for (const day of lab.random.shuffled(openDays(lab, staff)).slice(0, lab.random.whole(1, 4))) {
    const [phone] = lab.random.shuffled(phonesOnUsb(lab));
    let at = atWork(lab, staff, day, 1);
    if (phone === undefined) return;
    const home = lab.portOf(phone, at);
    const [other] = lab.freePorts(at);
    for (let left = lab.random.whole(3, 9); left > 0; left -= 1) {
      const forMs = lab.random.between(3, 90) * SECOND;
      away(lab, phone, at, forMs, left === 1 ? home : lab.random.pick([home, home, other]));
      at += forMs + lab.random.between(0.2, 9) * MINUTE;
    }
  }
};

/** A hub is plugged anew some times within an hour, as somebody lays its cable. */
const cableLaid: Routine = (lab, staff) => {
  for (const day of lab.random.shuffled(openDays(lab, staff)).slice(0, lab.random.whole(1, 2))) {
    const hub = hubOf(lab);
    let at = atWork(lab, staff, day, 1);
    for (let left = lab.random.whole(1, 4); left > 0; left -= 1) {
      const forMs = lab.random.between(6, 400) * SECOND;
      switchedOff(lab, lab.phonesOf(hub), at, at + forMs);
      at += forMs + lab.random.between(1.5, 15) * MINUTE;
    }
  }
};

/** Phones are switched off over night or the weekend, with their own button. */
const poweredOff: Routine = (lab, staff) => {
  const phones = lab.random.shuffled(phonesOnUsb(lab)).slice(0, lab.random.whole(1, 4));
  const days = openDays(lab, staff);
  const part = lab.random.pick([0.1, 0.3, 0.8]);
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    if (next === undefined || !lab.random.chance(part)) continue;
    for (const phone of phones) {
      const at = clock(lab, day, staff.hours[1]) - lab.random.between(0, 40) * MINUTE;
      const back = clock(lab, next, staff.hours[0]) + lab.random.between(0, 60) * MINUTE;
      if (!lab.isFree(phone, at, back) || !isLongEnough(at, back)) continue;
      away(lab, phone, at, back - at);
      lab.rebooted(phone, back + 20 * SECOND, { reason: 'cold,powerkey', uptimeSeconds: 50 });
    }
  }
};

/** The host is a laptop that is shut, and opened again: nobody sees what happens meanwhile; its phones are there a moment later. */
const suspended: Routine = (lab, staff) => {
  for (const day of openDays(lab, staff))
    for (let left = lab.random.whole(0, 2); left > 0; left -= 1) {
      const at = atWork(lab, staff, day);
      const forMs = lab.random.between(0.3, 90) * MINUTE;
      const isThere = phonesOnUsb(lab).filter((phone) => lab.isFree(phone, at - forMs - MINUTE, at + MINUTE));
      lab.host(Math.round(at - 200), { kind: 'hostSlept', forMs: Math.round(forMs) });
      for (const phone of lab.phones) phone.busy.push({ from: at - forMs, to: at });
      lab.loseAll(isThere, at, {
        spreadMs: 400,
        forMs: lab.random.between(1.5, 6) * SECOND,
        backSpreadMs: 3 * SECOND,
      });
    }
};

/** Who works alone late, or on a Sunday, some days of the month. */
const overtime: Routine = (lab, staff) => {
  for (const day of lab.everyDay().filter(() => lab.random.chance(0.2))) {
    const at = clock(lab, day, staff.hours[1] + lab.random.between(0.5, 4));
    for (const phone of lab.random.shuffled(phonesOnUsb(lab)).slice(0, lab.random.whole(1, 4)))
      away(lab, phone, at + lab.random.between(0, 60) * MINUTE, lab.random.between(2, 120) * MINUTE);
  }
};

const ofHubs: readonly Routine[] = [
  ...forHubs,
  ...[rackByHand, rackMoves, weekends, holiday, givenOut, cleaner, savingStrip, chargingCycles, cableLaid],
];
const ofAll: readonly Routine[] = [
  ...forAll,
  ...[reorganised, setUp, demoDay, hostUpdates, updateNight, sleepyWifi, unpluggedByScript, desk, cableHunt],
  ...[poweredOff, overtime],
];

/** Where somebody is always there, a cart, a class or who goes home belongs to a team, which comes and goes. */
const shifts = [
  [6, 14],
  [14, 22],
  [22, 30],
] as const;
const ofTeam: ReadonlySet<Routine> = new Set([
  ...[cart, commuter, lastPerson, meeting, shutDown, timetable, wireless],
  ...[demoDay, overtime, poweredOff, savingStrip],
]);

function optionsOf(random: Random): LabOptions {
  const hubs = Array.from({ length: random.whole(0, 4) }, () => random.pick([4, 7, 10, 16]));
  return {
    zone: random.pick([...zones, 'UTC', 'America/Sao_Paulo', 'Pacific/Auckland']),
    from: random.pick([
      '2026-02-02',
      '2026-03-05',
      '2026-03-20',
      '2026-10-10',
      '2026-10-21',
      '2026-05-17',
      '2026-08-26',
    ]),
    hubs,
    direct: hubs.length === 0 ? random.whole(1, 6) : random.whole(0, 3),
    network: random.chance(0.3) ? random.whole(1, 8) : 0,
    emulators: random.chance(0.15) ? random.whole(1, 6) : 0,
    free: hubs.length === 0 ? 0 : random.whole(0, 3),
    hasTwoControllers: random.chance(0.3),
    usb: random.chance(0.5),
    known: random.pick([
      {},
      {},
      { slots: false },
      { slots: false, usbPath: false },
      { slots: false, hub: false },
    ]),
  };
}

export function monthOfPeople(number: number): QuietMonth {
  const name = `a lab and its people, ${number}`;
  const random = new Random(hashed(name));
  const options = optionsOf(random);
  const staff = staffOf(random);
  const hubs = options.hubs?.length ?? 0;
  const chosen = [
    ...(hubs > 0 ? random.shuffled(ofHubs).slice(0, random.whole(0, 2)) : []),
    ...random.shuffled(ofAll).slice(0, random.whole(0, 3)),
    ...(hubs < 2 && random.chance(0.2) ? [suspended] : []),
  ];
  // what is shut down gets no updates at night, nor on a day when nobody is there
  const restarts: readonly Routine[] = [hostUpdates, planned];
  const routines = chosen.filter((each) => !restarts.includes(each) || !chosen.includes(shutDown));
  const { hours, weekdays } = staff;
  const isAroundTheClock = hours[1] - hours[0] === 24;
  const staffFor = (routine: Routine): Staff =>
    isAroundTheClock && ofTeam.has(routine)
      ? { weekdays, hours: new Random(hashed(`${name}: ${routine.name}`)).pick(shifts) }
      : staff;
  const facts = { ...options, hours, weekdays: [...weekdays].join('') };
  return {
    name,
    about: `${routines.map((routine) => routine.name).join(', ')}; ${JSON.stringify(facts)}`,
    lab: options,
    tell(lab) {
      agentStartsFirst(lab);
      for (const routine of routines) routine(lab, staffFor(routine));
      if (!routines.includes(sleepyWifi)) wireless(lab, staffFor(wireless));
      emulators(lab, staff);
      const taken = lab.random.pick([0, 0.3, 1, 2]);
      background(lab, { taken, hours, weekdays, isUpdated: !routines.includes(shutDown) });
    },
  };
}
