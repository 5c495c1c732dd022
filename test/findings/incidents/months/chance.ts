/**
 * Months put together by chance: any lab, any hours, some of the routines that labs have. Nothing is wrong in them, and
 * nobody thought of them one by one: they show what a rule takes for granted. Each number is another month.
 */

import { Random } from '../../random.ts';
import { adbRestarts, agentRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { HOUR, hashed, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { job, switchedOff } from './calm.ts';

export const around = (lab: Lab, minutes: number): number => lab.random.between(-minutes, minutes) * MINUTE;
/** A moment of a day, by hours of the lab's clock: `9.5`. */
export const clock = (lab: Lab, day: number, hours: number): number =>
  lab.at(day + Math.floor(hours / 24), timeOf(((hours % 24) + 24) % 24));
const timeOf = (hours: number): string => {
  const minutes = Math.round(hours * 60) % 1440;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
};

export interface Staff {
  /** First and last hour of their day; past 24 for a night shift. */
  hours: readonly [number, number];
  weekdays: ReadonlySet<number>;
}

const isOpen = (lab: Lab, { weekdays }: Staff, day: number): boolean => weekdays.has(lab.weekday(day));
export const openDays = (lab: Lab, staff: Staff): number[] =>
  lab.everyDay().filter((day) => isOpen(lab, staff, day));

function staffOf(random: Random): Staff {
  const from = random.pick([7, 8, 9, 9, 9, 10, 11, 14, 20]);
  const kind = random.whole(0, 9);
  const weekdays =
    kind < 7
      ? [1, 2, 3, 4, 5]
      : kind === 7
        ? [0, 1, 2, 3, 4]
        : kind === 8
          ? [1, 2, 3, 4, 5, 6]
          : [0, 1, 2, 3, 4, 5, 6];
  return { hours: [from, from + random.whole(7, 10)], weekdays: new Set(weekdays) };
}

export type Routine = (lab: Lab, staff: Staff) => void;

export const hubOf = (lab: Lab): number => lab.random.whole(0, Math.max(0, lab.hubs.length - 1));

/** Off from one time of day to another, by a timer. */
const timer: Routine = (lab, staff) => {
  const { random } = lab;
  const from = random.pick([0.5, 12, 13, 19, 20.25, 21, 22.5, 23]);
  const forHours = random.pick([0.5, 1, 2, 6, 8, 9.5]);
  const which = random.chance(0.5) ? [hubOf(lab)] : lab.hubs.map((_, index) => index);
  const days = random.chance(0.5) ? lab.everyDay() : openDays(lab, staff);
  const drift = random.pick([0, 0, 20 * SECOND, 4 * MINUTE]);
  for (const day of days)
    for (const hub of which) {
      const at = clock(lab, day, from) + hub * 400 + random.between(0, drift);
      switchedOff(lab, lab.phonesOf(hub), at, at + forHours * HOUR);
    }
};

/** Another hour for weekends. */
const timerOfWeek: Routine = (lab, staff) => {
  const hub = hubOf(lab);
  for (const day of lab.everyDay().slice(0, -1)) {
    const at = clock(lab, day, isOpen(lab, staff, day) ? 20 : 18);
    const next = clock(lab, day + 1, isOpen(lab, staff, day + 1) ? 7 : 10.5);
    switchedOff(lab, lab.phonesOf(hub), at, next);
  }
};

/** Who leaves last switches the rack off; who comes first, on. */
export const lastPerson: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    if (next === undefined || lab.random.chance(0.15)) continue;
    const from = clock(lab, day, staff.hours[1]) + lab.random.between(-20, 100) * MINUTE;
    const to = clock(lab, next, staff.hours[0]) + lab.random.between(-40, 45) * MINUTE;
    for (const [hub] of lab.hubs.entries())
      switchedOff(lab, lab.phonesOf(hub), from + hub * lab.random.between(300, 9000), to + hub * 3000);
  }
};

/** A cart by a timetable of the week: each lesson once a week. */
export const timetable: Routine = (lab, staff) => {
  const hub = hubOf(lab);
  const [first, last] = staff.hours;
  const lessons = [...staff.weekdays].flatMap((weekday) =>
    lab.random.chance(0.75)
      ? [{ weekday, from: lab.random.between(first, last - 2), hours: lab.random.between(0.75, 2) }]
      : [],
  );
  for (const day of lab.everyDay())
    for (const { weekday, from, hours } of lessons)
      if (weekday === lab.weekday(day)) {
        const at = clock(lab, day, from) + around(lab, 6);
        switchedOff(lab, lab.phonesOf(hub), at, at + hours * HOUR);
      }
};

/** A cart that whoever needs it takes. */
export const cart: Routine = (lab, staff) => {
  const hub = hubOf(lab);
  const [first, last] = staff.hours;
  for (const day of openDays(lab, staff).filter(() => lab.random.chance(0.7))) {
    const at = clock(lab, day, lab.random.between(first, last - 2));
    switchedOff(lab, lab.phonesOf(hub), at, at + lab.random.between(0.7, 2) * HOUR);
  }
};

/** A meeting takes a hub with its phones, once a week. */
export const meeting: Routine = (lab, staff) => {
  const hub = hubOf(lab);
  const weekday = lab.random.pick([...staff.weekdays]);
  const from = lab.random.between(staff.hours[0] + 1, staff.hours[1] - 2);
  for (const day of lab.everyDay().filter((each) => lab.weekday(each) === weekday)) {
    const at = clock(lab, day, from) + around(lab, 12);
    switchedOff(lab, lab.phonesOf(hub), at, at + HOUR + around(lab, 15));
  }
};

export const phonesOnUsb = (lab: Lab): LabPhone[] => lab.usbPhones.filter(({ isPinned }) => !isPinned);
const restart = (lab: Lab, phone: LabPhone, at: number, reason: string | undefined): void => {
  const forMs = lab.random.between(20, 90) * SECOND;
  if (lab.isFree(phone, at, at + 4 * MINUTE)) lab.reboot(phone, at, { forMs, ...(reason && { reason }) });
};

/** A script restarts phones: each night, each week, or before each run. */
const restarts: Routine = (lab) => {
  const { random } = lab;
  const kind = random.whole(0, 2);
  const hour = random.between(0, 24);
  const reason = random.pick(['reboot', 'reboot,adb', 'reboot,shell', undefined]);
  const weekday = random.whole(0, 6);
  for (const phone of phonesOnUsb(lab))
    for (const day of lab.everyDay()) {
      if (kind === 1 && lab.weekday(day) !== weekday) continue;
      if (kind === 2 && random.chance(0.5)) continue;
      const at =
        kind === 2
          ? clock(lab, day, random.between(0, 24))
          : clock(lab, day, hour) + random.between(0, 90) * SECOND;
      restart(lab, phone, Math.round(at), kind === 2 ? (reason ?? 'reboot') : reason);
    }
};

/** adb is killed by scripts or a development tool, up to three times a day. */
const adbKilled: Routine = (lab, staff) => {
  for (const day of openDays(lab, staff))
    for (let left = lab.random.whole(0, 2); left > 0; left -= 1) {
      const at = Math.round(clock(lab, day, lab.random.between(...staff.hours)));
      adbRestarts(lab, at);
      for (const phone of phonesOnUsb(lab).filter(() => lab.random.chance(0.6)))
        if (lab.isFree(phone, at, at + MINUTE))
          lab.lose(phone, at + lab.random.between(-400, 900), {
            forMs: lab.random.between(3, 6) * SECOND,
            gone: 'nothing',
          });
    }
};

/** The host is a laptop, or a computer that people shut down in the evening. */
export const shutDown: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    if (next === undefined) continue;
    const from = Math.round(clock(lab, day, staff.hours[1]) + around(lab, 45));
    const to = Math.round(clock(lab, next, staff.hours[0]) + around(lab, 30));
    lab.host(from, { kind: 'agentStopped' });
    lab.host(to, {
      kind: 'agentStarted',
      version: '1.0.0',
      hostBootedAt: to - 40 * SECOND,
      lastAliveAt: from,
    });
    for (const phone of lab.phones) phone.busy.push({ from: from - MINUTE, to: to + 2 * MINUTE });
  }
};

/** One developer's phone goes home, or is in use at a desk, most days. */
export const commuter: Routine = (lab, staff) => {
  for (const phone of lab.random.shuffled(phonesOnUsb(lab)).slice(0, lab.random.whole(1, 3))) {
    phone.isPinned = true;
    const isHome = lab.random.chance(0.5);
    const days = openDays(lab, staff);
    const [first, last] = staff.hours;
    for (const [index, day] of days.entries()) {
      const next = days[index + 1];
      if (next === undefined || lab.random.chance(0.2)) continue;
      const from = isHome
        ? clock(lab, day, last) + around(lab, 60)
        : clock(lab, day, first) + lab.random.between(0, 50) * MINUTE;
      const to = isHome
        ? clock(lab, next, first) + around(lab, 50)
        : clock(lab, day, last) - lab.random.between(0, 50) * MINUTE;
      if (to > from + 10 * MINUTE && lab.isFree(phone, from, to)) lab.lose(phone, from, { forMs: to - from });
    }
  }
};

/** Tests that take and give back phones of a shelf all day, in any minute of the working hours. */
const shared: Routine = (lab, staff) =>
  background(lab, {
    taken: lab.random.between(2, 9),
    glitches: 0,
    restarts: 0,
    hours: staff.hours,
    weekdays: staff.weekdays,
    isUpdated: false,
  });

/** Phones on Wi-Fi that sleep, or that come and go with people. */
export const wireless: Routine = (lab, staff) => {
  const isHome = lab.random.chance(0.5);
  for (const phone of lab.networkPhones) {
    phone.isPinned = true;
    const days = openDays(lab, staff);
    for (const [index, day] of days.entries()) {
      if (lab.random.chance(0.2)) continue;
      const next = days[index + 1] ?? lab.days;
      const at = isHome
        ? clock(lab, day, staff.hours[1]) + around(lab, 70)
        : clock(lab, day, lab.random.between(...staff.hours));
      const back = isHome
        ? clock(lab, next, staff.hours[0]) + around(lab, 70)
        : at + lab.random.between(15, 120) * MINUTE;
      if (back > at && lab.isFree(phone, at, back)) lab.lose(phone, at, { forMs: back - at });
    }
  }
};

/** Emulators of a CI by its working day, or around the clock. */
export const emulators: Routine = (lab, staff) => {
  const isDay = lab.random.chance(0.6);
  for (const emulator of lab.phones.filter(({ connection }) => connection === 'emulator')) {
    emulator.isThereAtFirst = false;
    emulator.isPinned = true;
    let at = lab.start + lab.random.between(0, 6) * HOUR;
    while (at < lab.end - 2 * HOUR) {
      const forMs = lab.random.between(4, 50) * MINUTE;
      const hour = ((at - lab.start) / HOUR) % 24;
      const isOff = isDay && (hour < staff.hours[0] || hour > staff.hours[1]);
      if (!isOff) job(lab, emulator, at, forMs);
      at += forMs + lab.random.between(0.1, 4) * HOUR;
    }
  }
};

/** A power-cycle of all ports at a time of the night, by a script that says nothing. */
const powerCycle: Routine = (lab) => {
  const hub = hubOf(lab);
  const hour = lab.random.between(0, 24);
  const every = lab.random.pick([1, 1, 2, 7]);
  for (const day of lab.everyDay().filter((each) => each % every === 0)) {
    const at = clock(lab, day, hour) + lab.random.between(0, 20) * SECOND;
    switchedOff(lab, lab.phonesOf(hub), at, at + lab.random.between(4, 20) * SECOND);
  }
};

/** All phones get an update within some days, at night. */
const updates: Routine = (lab) => {
  const day = lab.random.whole(5, 24);
  for (const phone of phonesOnUsb(lab)) {
    const at = Math.round(clock(lab, day + lab.random.whole(0, 2), lab.random.between(0, 6)));
    if (!lab.isFree(phone, at, at + 15 * MINUTE)) continue;
    lab.reboot(phone, at, {
      forMs: lab.random.between(60, 300) * SECOND,
      reason: lab.random.pick(['reboot,ota', 'reboot', 'reboot,unattended']),
    });
    lab.phone(phone, at + 9 * MINUTE, { kind: 'os', release: '16', before: '15' });
  }
};

/** A tester unplugs and replugs one phone to test charging or cables, for an hour of some days. */
const plugging: Routine = (lab, staff) => {
  const [phone] = lab.random.shuffled(phonesOnUsb(lab));
  if (!phone) return;
  for (const day of lab.random.shuffled(openDays(lab, staff)).slice(0, lab.random.whole(1, 3))) {
    let at = clock(lab, day, lab.random.between(staff.hours[0], staff.hours[1] - 1));
    for (let left = lab.random.whole(3, 4); left > 0; left -= 1) {
      const forMs = lab.random.between(5, 200) * SECOND;
      if (lab.isFree(phone, at, at + forMs)) lab.lose(phone, at, { forMs });
      at += forMs + lab.random.between(0.3, 1.2) * MINUTE;
    }
  }
};

export const planned: Routine = (lab, staff) => {
  const days = openDays(lab, staff);
  const [day = 9] = lab.random.shuffled(days.filter((each) => each > 3));
  hostRestarts(lab, Math.round(clock(lab, day, staff.hours[0] + 2)));
  // on a day when the host is switched on: some are shut down in the evening
  const next = days.find((each) => each > day) ?? day + 1;
  agentRestarts(lab, Math.round(clock(lab, next, staff.hours[0] + 4)));
};

export const forHubs: readonly Routine[] = [
  timer,
  timerOfWeek,
  lastPerson,
  timetable,
  cart,
  meeting,
  powerCycle,
];
export const forAll: readonly Routine[] = [
  restarts,
  adbKilled,
  shutDown,
  commuter,
  shared,
  updates,
  plugging,
  planned,
];

export const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Africa/Cairo',
];

function optionsOf(random: Random): LabOptions {
  const hubs = Array.from({ length: random.whole(0, 4) }, () => random.pick([4, 7, 10, 16]));
  return {
    zone: random.pick(zones),
    from: random.pick(['2026-02-02', '2026-02-26', '2026-03-19', '2026-10-12', '2026-10-22', '2026-03-02']),
    hubs,
    direct: hubs.length === 0 ? random.whole(1, 6) : random.whole(0, 2),
    network: random.chance(0.25) ? random.whole(1, 8) : 0,
    emulators: random.chance(0.2) ? random.whole(1, 8) : 0,
    free: hubs.length === 0 ? 0 : random.whole(0, 3),
    hasTwoControllers: random.chance(0.3),
    usb: random.chance(0.5),
    known: random.pick([{}, {}, { slots: false }, { slots: false, usbPath: false }]),
  };
}

export function monthOfChance(number: number): QuietMonth {
  const name = `a lab by chance, ${number}`;
  const random = new Random(hashed(name));
  const options = optionsOf(random);
  const staff = staffOf(random);
  const isWithHubs = options.hubs !== undefined && options.hubs.length > 0;
  const routines = [
    ...(isWithHubs ? random.shuffled(forHubs).slice(0, random.whole(0, 1)) : []),
    ...random.shuffled(forAll).slice(0, random.whole(0, 2)),
  ];
  return {
    name,
    about: `${routines.map(({ name }) => name).join(', ')}; ${JSON.stringify({ ...options, hours: staff.hours, weekdays: [...staff.weekdays].join('') })}`,
    lab: options,
    tell(lab) {
      agentStartsFirst(lab);
      for (const routine of routines) routine(lab, staff);
      wireless(lab, staff);
      emulators(lab, staff);
      const { hours, weekdays } = staff;
      const taken = lab.random.between(0.2, 2);
      const isUpdated = !routines.includes(shutDown);
      background(lab, { taken, hours, weekdays, isUpdated });
    },
  };
}

/** No rule was tried with these. */
export const months: readonly QuietMonth[] = Array.from({ length: 16 }, (_, index) =>
  monthOfChance(901 + index),
);
