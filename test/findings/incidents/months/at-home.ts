/**
 * Months of homes and of small places that are open to people: phones that charge by night, televisions in standby, laptops
 * that travel, schools with holidays, shops, churches and museums with hours of their own.
 */
import type { Port } from '../../room.ts';
import { background, hostRestarts, inUse, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { switchedOff } from './calm.ts';
import { between, out, pinAll, restart } from './habits.ts';

export interface Stay {
  from: number;
  to: number;
  port?: Port | undefined;
}

/** It is there only in these times, one after the other: from the begin of the month on in the first of them. */
export function stays(lab: Lab, phone: LabPhone, times: readonly Stay[]): void {
  for (const [index, { to }] of times.entries()) {
    const next = times[index + 1];
    if (next !== undefined && next.from < lab.end - MINUTE)
      lab.lose(phone, to, { forMs: next.from - to, ...(next.port && { to: next.port }) });
    else if (to < lab.end - MINUTE) {
      lab.lose(phone, to);
      return;
    } else return;
  }
}

/** It is not there at first, and then only in these times, one after the other; it sits in the port of its own in the first. */
export function thereOnlyIn(lab: Lab, phone: LabPhone, times: readonly Stay[]): void {
  const [first] = times;
  phone.isPinned = true;
  phone.isThereAtFirst = false;
  if (first === undefined) return;
  phone.busy.push({ from: lab.start, to: first.from });
  lab.phone(phone, Math.round(first.from), { kind: 'attached', state: 'device' });
  stays(lab, phone, times);
}

/** A laptop sleeps: nothing is seen meanwhile. What sits in it all the time is listed anew when it wakes. */
export function sleeps(lab: Lab, from: number, to: number): void {
  if (to > lab.end - MINUTE) return;
  const sitting = lab.usbPhones.filter((phone) => lab.isFree(phone, Math.max(lab.start, from), to + MINUTE));
  for (const phone of lab.phones) phone.busy.push({ from, to });
  lab.host(Math.round(to), { kind: 'hostSlept', forMs: Math.round(to - from) });
  lab.loseAll(sitting, to + 200, {
    spreadMs: 400,
    forMs: lab.random.between(1.5, 5) * SECOND,
    backSpreadMs: 3 * SECOND,
  });
}

/** A laptop sleeps, and what sits in it is still listed when it wakes. */
export function sleepsSoundly(lab: Lab, from: number, to: number): void {
  if (to > lab.end - MINUTE) return;
  for (const phone of lab.phones) phone.busy.push({ from, to });
  lab.host(Math.round(to), { kind: 'hostSlept', forMs: Math.round(to - from) });
}

/** The agent does not run from one moment to another: nothing is seen meanwhile. */
export function unseen(
  lab: Lab,
  off: number,
  on: number,
  { bootedAt = on - 40 * SECOND, isKilled = false, version = '1.0.0' } = {},
): void {
  const [from, to] = [Math.round(off), Math.round(on)];
  if (!isKilled) lab.host(from, { kind: 'agentStopped' });
  lab.host(to, { kind: 'agentStarted', version, hostBootedAt: Math.round(bootedAt), lastAliveAt: from });
  for (const phone of lab.phones) phone.busy.push({ from: from - MINUTE, to: to + MINUTE });
}

/** A port of the host itself. */
const ownPort: Port = { chain: '6', controller: 'pci-0000:00:14.0', bus: 1, slot: 'laptop' };

/** Those that are taken go back to the cables that are free then: to each other's. */
function mixed(lab: Lab, phones: readonly LabPhone[], taken: () => number, back: () => number): void {
  const times = phones.map(() => ({ from: taken(), to: back() }));
  const last = Math.max(...times.map(({ from }) => from));
  const isThere = phones.every((phone, index) => {
    const { from = 0, to = 0 } = times[index] ?? {};
    return lab.isFree(phone, from - MINUTE, to + MINUTE) && to > last && to < lab.end - MINUTE;
  });
  if (!isThere) return;
  const ports = lab.random.shuffled(phones.map((phone) => lab.portOf(phone, last)));
  for (const [index, phone] of phones.entries()) {
    const { from = 0, to = 0 } = times[index] ?? {};
    const port = ports[index];
    lab.lose(phone, from, { forMs: to - from, ...(port && { to: port }) });
  }
}

const isOneOf = (lab: Lab, day: number, ...weekdays: number[]): boolean =>
  weekdays.includes(lab.weekday(day));

type Span = readonly [from: string, to: string];

export const months: QuietMonth[] = [
  {
    name: 'a family charges its four phones in the hall at night, each at whichever cable is free',
    lab: { zone: 'Europe/Copenhagen', hubs: [4], usb: true, known: { slots: false } },
    tell(lab) {
      pinAll(lab.phones);
      const ports = lab.hubs[0]?.ports ?? [];
      const cables = lab.everyDay().map(() => lab.random.shuffled(ports));
      const people: readonly (readonly [leaves: Span, comes: Span])[] = [
        [
          ['06:35', '07:10'],
          ['21:40', '23:20'],
        ],
        [
          ['07:20', '07:50'],
          ['22:00', '23:40'],
        ],
        [
          ['07:25', '07:45'],
          ['19:55', '20:40'],
        ],
        [
          ['07:22', '07:44'],
          ['22:45', '23:55'],
        ],
      ];
      for (const [index, [leaves, comes]] of people.entries()) {
        const phone = lab.phones[index];
        for (let day = 0; phone !== undefined && day < lab.days; day += 1) {
          const from = lab.isWorkday(day)
            ? between(lab, day, ...leaves)
            : between(lab, day, '08:20', '11:10');
          // all of them are at the grandparents' on the night to the second Sunday; now and then one is charged by a bed
          const isElsewhere = day === 12 || (Math.abs(day - 12) > 1 && lab.random.chance(0.05));
          if (isElsewhere) day += 1;
          const port = cables[day]?.[index];
          const to = between(lab, Math.min(day, lab.days - 1), ...comes);
          if (port !== undefined && to < lab.end - MINUTE)
            lab.lose(phone, from, { forMs: to - from, to: port });
          else lab.lose(phone, from);
        }
      }
      background(lab);
    },
  },
  {
    name: 'a nurse works five nights and has four days off, and her phone charges while she sleeps',
    lab: { zone: 'America/Chicago', hubs: [], direct: 2, known: { slots: false, usbPath: false } },
    tell(lab) {
      const [hers, his] = [lab.pinned(0), lab.pinned(1)];
      for (const day of lab.everyDay()) {
        const step = day % 9;
        const isAfterNight = step > 0 && step < 6;
        const taken = isAfterNight
          ? between(lab, day, '14:30', '16:10')
          : between(lab, day, '09:15', '11:40');
        const back =
          step < 5
            ? between(lab, Math.min(day + 1, lab.days), '07:35', '08:50')
            : between(lab, day, '22:15', '23:50');
        out(lab, hers, taken, back);
        const leaves = lab.isWorkday(day)
          ? between(lab, day, '06:50', '07:30')
          : between(lab, day, '08:40', '10:50');
        out(lab, his, leaves, between(lab, day, '21:30', '23:20'));
      }
      background(lab);
    },
  },
  {
    // samsung.com, how to auto restart: within an hour of the time that was set, and only while nobody uses it
    name: 'three phones that send text messages run all month, and restart themselves on Sundays at three',
    lab: {
      zone: 'Asia/Jakarta',
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A13'],
    },
    tell(lab) {
      for (const phone of lab.phones) {
        const usual = inUse(lab);
        phone.reading = (at) => ({ ...usual(at), levelPercent: 80, isFull: false });
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 0))
          restart(lab, phone, between(lab, day, '03:00', '03:58'), [38, 60], 'reboot');
      }
      // another plan was bought for one of them: its card is changed
      out(lab, lab.pinned(1), lab.at(15, '10:20'), lab.at(15, '10:27'));
      background(lab, { taken: 0.2, restarts: 0, glitches: 0.05, hours: [9, 16] });
    },
  },
  {
    // CCOSTAN/Home-AssistantConfig#309: panels restart each night; sil.fyi: a plug keeps a phone within its limits
    name: 'the router of a home restarts on Mondays at four, and two tablets on the walls each night',
    lab: { zone: 'Europe/Athens', hubs: [], direct: 1, network: 4, known: { slots: false } },
    tell(lab) {
      const [camera, hall, kitchen, nursery] = lab.networkPhones;
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 1)) {
        const at = lab.at(day, '04:00:04') + lab.random.between(0, 6) * SECOND;
        lab.host(Math.round(at + 20 * SECOND), { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
        lab.loseAll(lab.networkPhones, at, {
          as: 'offline',
          spreadMs: 18 * SECOND,
          forMs: lab.random.between(105, 150) * SECOND,
          backSpreadMs: 35 * SECOND,
        });
        lab.host(Math.round(at + 4 * MINUTE), { kind: 'cloudBack' });
      }
      for (const [index, tablet] of [hall, kitchen].entries()) {
        if (tablet === undefined) continue;
        tablet.isPinned = true;
        tablet.reading = levels([[lab.start, 78]], 310);
        for (const day of lab.everyDay()) {
          const at = lab.at(day, '03:30:01') + index * 5 * MINUTE + lab.random.between(0, 4) * SECOND;
          restart(lab, tablet, at, [55, 85], 'reboot');
        }
      }
      if (camera !== undefined) {
        camera.isPinned = true;
        const points: [number, number][] = [];
        for (let at = lab.start - lab.random.between(0, 5) * HOUR; at < lab.end; ) {
          points.push([at, 80]);
          at += lab.random.between(6.5, 8) * HOUR;
          points.push([at, 40]);
          at += lab.random.between(1.4, 1.9) * HOUR;
        }
        camera.reading = levels(points, 330);
      }
      // when the child is not at home, the phone that listens in its room is switched off
      if (nursery !== undefined)
        for (const day of [4, 11, 18])
          out(lab, nursery, between(lab, day, '15:00', '17:00'), between(lab, day + 2, '17:30', '19:00'));
      background(lab, { taken: 0.4, restarts: 0.2, glitches: 0.05, hours: [17, 22], isDaily: true });
    },
  },
  {
    // home-assistant/home-assistant.io#33641: such a television is away for about 50 minutes of each hour while it is off
    name: 'two televisions that are off are on the network for ten minutes of each hour',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 3,
      models: ['Insignia F30', 'Insignia F30', 'Shield'],
    },
    tell(lab) {
      for (const [index, television] of lab.networkPhones.entries()) {
        television.isPinned = true;
        television.reading = () => undefined;
        // the box at the cable never sleeps
        if (index === 2) continue;
        const watched: { from: number; to: number }[] = [];
        for (const day of lab.everyDay()) {
          if (!lab.isWorkday(day) && lab.random.chance(0.5))
            watched.push({
              from: between(lab, day, '08:40', '10:30'),
              to: between(lab, day, '11:10', '13:30'),
            });
          if (lab.random.chance(0.9))
            watched.push({
              from: between(lab, day, '17:40', '20:00'),
              to: between(lab, day, '21:30', '23:40'),
            });
        }
        let off = lab.start + lab.random.between(1, 50) * MINUTE;
        for (const { from, to } of [...watched, { from: lab.end, to: lab.end }]) {
          for (let at = off; at < from - 2 * MINUTE; at += lab.random.between(58.5, 61.5) * MINUTE)
            out(lab, television, at, Math.min(at + lab.random.between(48, 51) * MINUTE, from));
          off = to + lab.random.between(8, 14) * MINUTE;
        }
      }
      background(lab);
    },
  },
  {
    name: 'the trainers of a gym take tablets to their classes, from early to late and on weekends',
    lab: { zone: 'Europe/Madrid', hubs: [7], direct: 1, free: 1, usb: true, models: ['Galaxy Tab A8'] },
    tell(lab) {
      const classes = [
        ['07:00', '09:30', '14:15', '18:00', '19:15', '20:30'],
        ['10:00', '11:30', '17:00'],
        ['10:00', '11:30'],
      ] as const;
      for (const day of lab.everyDay())
        for (const time of classes[lab.weekday(day) === 6 ? 1 : lab.weekday(day) === 0 ? 2 : 0]) {
          const begins = lab.at(day, time);
          for (const tablet of lab.random.shuffled(lab.usbPhones).slice(0, lab.random.whole(1, 3)))
            out(
              lab,
              tablet,
              begins - lab.random.between(1, 11) * MINUTE,
              begins + lab.random.between(48, 68) * MINUTE,
              0.04,
            );
        }
      background(lab, { taken: 0.4, restarts: 0.2, hours: [7, 22], isDaily: true });
    },
  },
  {
    name: 'a gamer has a handheld and a headset at a hub, and plays in the evenings and through the weekend',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 2,
      usb: true,
      known: { slots: false },
      models: ['Odin 2', 'Quest 3'],
    },
    tell(lab) {
      const [handheld, headset] = [lab.pinned(0), lab.pinned(1)];
      // he takes it along to a friend, from Friday to Sunday
      out(lab, handheld, lab.at(18, '18:05'), lab.at(20, '20:10'));
      for (const day of lab.everyDay()) {
        const isFreeDay = !lab.isWorkday(day);
        if (!isFreeDay && lab.random.chance(0.25)) continue;
        for (
          let at = isFreeDay ? between(lab, day, '10:40', '13:00') : between(lab, day, '18:20', '19:50');
          at < lab.at(day, '22:20');
        ) {
          const forMs = lab.random.between(25, 130) * MINUTE;
          out(lab, handheld, at, at + forMs, 0.12);
          // back for some minutes to copy a game, or for longer to charge
          at +=
            forMs +
            (lab.random.chance(0.5) ? lab.random.between(4, 18) : lab.random.between(40, 100)) * MINUTE;
        }
        if (!lab.random.chance(isFreeDay ? 0.8 : 0.35)) continue;
        const at = isFreeDay ? between(lab, day, '13:30', '20:30') : between(lab, day, '20:00', '21:50');
        out(lab, headset, at, at + lab.random.between(35, 105) * MINUTE, 0.1);
      }
      restart(lab, headset, lab.at(9, '23:10'), [70, 110], 'reboot,ota');
      background(lab, { hours: [18, 23], isDaily: true });
    },
  },
  {
    // koush/vysor.io#146: a phone sits in the dock, and the laptop leaves it and comes back
    name: 'a laptop is docked with three phones from Tuesday to Thursday, and leaves them for the other days',
    lab: { zone: 'Europe/Dublin', from: '2026-02-03', hubs: [4], free: 1, usb: true },
    tell(lab) {
      const phones = lab.phonesOf(0);
      const nights: [number, number][] = [[lab.start - 60 * HOUR, between(lab, 0, '08:35', '09:20')]];
      for (const day of lab.everyDay().filter((each) => isOneOf(lab, each, 2, 3, 4))) {
        // some meetings are held with the laptop
        if (lab.random.chance(0.4)) {
          const at = between(lab, day, '13:20', '14:40');
          switchedOff(lab, phones, at, at + lab.random.between(25, 75) * MINUTE);
        }
        const leaves = between(lab, day, '16:50', '18:20');
        if (lab.weekday(day) !== 4) {
          nights.push([leaves, between(lab, day + 1, '08:30', '09:25')]);
          continue;
        }
        const docked = between(lab, day + 5, '08:35', '09:30');
        if (docked < lab.end - MINUTE) switchedOff(lab, phones, leaves, docked + 6 * SECOND);
        else lab.loseAll(phones, leaves, { gone: 'hub', spreadMs: 900 });
        let asleep = leaves + lab.random.between(1, 4) * MINUTE;
        for (const home of [day + 1, day + 4]) {
          nights.push([asleep, between(lab, home, '08:50', '09:40')]);
          asleep = between(lab, home, '17:00', '18:40');
        }
        nights.push([asleep, docked]);
      }
      for (const [from, to] of nights) sleeps(lab, from, to);
      background(lab, {
        taken: 1.2,
        glitches: 0,
        hours: [10, 16],
        weekdays: new Set([2, 3, 4]),
        isUpdated: false,
      });
    },
  },
  {
    name: 'a developer works on the train, with the phone at the laptop, and at the dock of the office',
    lab: { zone: 'Asia/Tokyo', hubs: [4], free: 3, usb: true, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      const dock = lab.portOf(phone, lab.start);
      const sat: Stay[] = [];
      let asleep = lab.start - 53 * HOUR;
      const nights: [number, number][] = [];
      const ride = (boards: number, forMs: number) => {
        nights.push([asleep, boards]);
        const ends = boards + forMs;
        let at = boards + lab.random.between(1, 4) * MINUTE;
        // it is taken off when somebody wants to pass, or to look at something
        for (let left = lab.random.poisson(0.8); left > 0 && at < ends - 20 * MINUTE; left -= 1) {
          const to = at + lab.random.between(4, 12) * MINUTE;
          sat.push({ from: at, to, port: ownPort });
          at = to + lab.random.between(15, 150) * SECOND;
        }
        sat.push({ from: at, to: ends - lab.random.between(1, 4) * MINUTE, port: ownPort });
        asleep = ends;
      };
      for (const day of lab.workdays()) {
        if (day > 0) ride(between(lab, day, '07:06', '07:16'), lab.random.between(38, 46) * MINUTE);
        const opened = between(lab, day, '08:28', '08:55');
        nights.push([asleep, opened]);
        const leaves = between(lab, day, '17:40', '19:10');
        // over lunch it is in a pocket
        const lunch = between(lab, day, '12:00', '12:20');
        sat.push({
          from: day > 0 ? opened + lab.random.between(1, 9) * MINUTE : lab.start,
          to: lunch,
          port: dock,
        });
        sat.push({ from: lunch + lab.random.between(40, 65) * MINUTE, to: leaves, port: dock });
        asleep = leaves + lab.random.between(1, 3) * MINUTE;
        if (lab.random.chance(0.6))
          ride(leaves + lab.random.between(24, 33) * MINUTE, lab.random.between(36, 44) * MINUTE);
      }
      stays(lab, phone, sat);
      for (const [from, to] of nights) sleeps(lab, from, to);
      background(lab, { hours: [10, 11.5], isUpdated: false });
    },
  },
  {
    name: 'a laptop stays on the time of Lisbon while its owner works from Vancouver for ten days',
    lab: { zone: 'Europe/Lisbon', hubs: [], direct: 2, known: { slots: false } },
    tell(lab) {
      pinAll(lab.phones);
      const sat = lab.phones.map((): Stay[] => []);
      const nights: [number, number][] = [];
      let asleep = lab.start - 54 * HOUR;
      for (const day of lab.workdays()) {
        const isAbroad = day > 9 && day < 21;
        // on the days of the flights it stays in the bag
        if (day === 10 || day === 21) continue;
        const opens = isAbroad ? between(lab, day, '16:40', '18:10') : between(lab, day, '08:40', '09:40');
        const shuts = isAbroad
          ? between(lab, day + 1, '00:50', '02:40')
          : between(lab, day, '17:40', '19:30');
        nights.push([asleep, opens]);
        for (const stay of sat) {
          let from = opens + lab.random.between(1, 25) * MINUTE;
          if (day === 0) from = lab.start;
          for (let left = lab.random.whole(1, 3); left > 0; left -= 1) {
            const to = Math.max(from, opens) + lab.random.between(50, 140) * MINUTE;
            stay.push({ from, to });
            from = to + lab.random.between(2, 40) * MINUTE;
          }
          if (from < shuts - 20 * MINUTE) stay.push({ from, to: shuts - lab.random.between(1, 9) * MINUTE });
        }
        asleep = Math.max(shuts, ...sat.map((stay) => (stay.at(-1)?.to ?? 0) + MINUTE));
      }
      for (const [index, phone] of lab.phones.entries()) stays(lab, phone, sat[index] ?? []);
      for (const [from, to] of nights) sleeps(lab, from, to);
      background(lab, { hours: [10, 16], isUpdated: false });
    },
  },
  {
    name: 'a school has two carts, a timetable, and a week of holidays in which the sockets are off',
    lab: { zone: 'Europe/London', hubs: [16, 16], free: 2, models: ['Galaxy Tab A9'] },
    tell(lab) {
      pinAll(lab.phones);
      const timetable: readonly (readonly [weekday: number, cart: number, at: string, minutes: number])[] = [
        [1, 0, '09:05', 55],
        [1, 1, '11:20', 100],
        [2, 0, '13:30', 50],
        [3, 0, '09:05', 110],
        [3, 1, '10:05', 50],
        [3, 1, '13:30', 55],
        [4, 1, '09:05', 50],
        [5, 0, '11:20', 55],
        [5, 1, '13:30', 50],
      ];
      const off = lab.at(11, '15:50') + lab.random.between(0, 25) * MINUTE;
      const on = lab.at(21, '07:35') + lab.random.between(0, 20) * MINUTE;
      for (const hub of [0, 1]) {
        const gap = hub * lab.random.between(4, 30) * SECOND;
        switchedOff(lab, lab.phonesOf(hub), off + gap, on + gap);
      }
      for (const day of lab.workdays().filter((each) => each < 12 || each > 20))
        for (const [weekday, cart, time, minutes] of timetable) {
          if (weekday !== lab.weekday(day) || lab.random.chance(0.08)) continue;
          const begins = lab.at(day, time) + lab.random.between(-1, 6) * MINUTE;
          const ends = begins + minutes * MINUTE;
          for (const tablet of lab.random.shuffled(lab.phonesOf(cart)).slice(0, lab.random.whole(11, 16)))
            out(
              lab,
              tablet,
              begins + lab.random.between(0, 4) * MINUTE,
              ends + lab.random.between(-9, 1) * MINUTE,
              0.01,
            );
        }
      background(lab);
    },
  },
  {
    name: 'students borrow phones of a lab until late, before a deadline above all, and are away for a week',
    lab: {
      zone: 'America/Toronto',
      hubs: [16, 16, 10],
      free: 4,
      hasTwoControllers: true,
      known: { usbPath: false },
    },
    tell(lab) {
      pinAll(lab.phones);
      const isOpen = (day: number) => lab.weekday(day) !== 6 && (day < 12 || day > 19);
      // for a day and a night some of them build things, at the end of the month
      for (const phone of lab.random.shuffled(lab.phones).slice(0, 18))
        out(lab, phone, between(lab, 26, '10:00', '11:40'), between(lab, 27, '14:40', '16:30'), 0.1);
      for (const day of lab.everyDay().filter(isOpen)) {
        const [opens, closes] =
          lab.weekday(day) === 0
            ? (['13:00', '19:00'] as const)
            : lab.weekday(day) === 5
              ? (['10:00', '17:00'] as const)
              : (['10:00', '21:50'] as const);
        const isCourse = isOneOf(lab, day, 2, 4);
        for (const phone of lab.random.shuffled(lab.phones).slice(0, isCourse ? lab.random.whole(19, 26) : 0))
          out(lab, phone, between(lab, day, '14:32', '14:58'), between(lab, day, '16:35', '17:25'), 0.04);
        const isBefore = day > 7 && day < 12;
        for (const phone of lab.phones.filter(() => lab.random.chance(isBefore ? 0.7 : 0.22))) {
          const at = between(lab, day, opens, closes);
          const until = Math.min(
            at + lab.random.between(20, 290) * MINUTE,
            lab.at(day, closes) + 20 * MINUTE,
          );
          const isTakenHome = lab.random.chance(0.06) && isOpen(day + 1);
          out(lab, phone, at, isTakenHome ? between(lab, day + 1, '10:20', '16:00') : until, 0.06);
        }
      }
      for (const phone of lab.phones.filter(() => lab.random.chance(0.3)))
        restart(lab, phone, between(lab, lab.random.pick([2, 9, 23]), '11:00', '14:00'), [30, 60], 'reboot');
      out(lab, lab.pinned(5), lab.at(16, '04:12'), lab.at(16, '04:12:06'));
      background(lab);
    },
  },
  {
    name: 'a museum switches its fourteen screens on at half past nine and off at six, but on Mondays',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-03-24',
      hubs: [10, 4],
      usb: true,
      models: ['Lenovo Tab'],
    },
    tell(lab) {
      // on Easter Monday it is open
      const days = lab.everyDay().filter((day) => lab.weekday(day) !== 1 || day === 13);
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        // who closes forgets it now and then
        if (next === undefined || lab.random.chance(0.06)) continue;
        const off =
          lab.weekday(day) === 4 ? between(lab, day, '21:03', '21:30') : between(lab, day, '18:03', '18:35');
        const on = between(lab, next, '09:15', '09:50');
        for (const hub of [0, 1]) switchedOff(lab, lab.phonesOf(hub), off + hub * 900, on + hub * 1100);
      }
      background(lab, {
        taken: 0.2,
        restarts: 0.3,
        hours: [10, 18],
        weekdays: new Set([0, 2, 3, 4, 5, 6]),
      });
    },
  },
  {
    // smallbizmac.net, October 2023: a church has thirty tablets for its main service
    name: 'a church hands out thirty tablets on Sundays, and puts them back at whichever cable is next',
    lab: {
      zone: 'America/Denver',
      hubs: [16, 16],
      free: 2,
      known: { usbPath: false },
      models: ['Galaxy Tab A8'],
    },
    tell(lab) {
      pinAll(lab.phones);
      const handOut = (many: number, day: number, taken: Span, back: Span) =>
        mixed(
          lab,
          lab.random.shuffled(lab.phones).slice(0, many),
          () => between(lab, day, ...taken),
          () => between(lab, day, ...back),
        );
      for (const day of lab.everyDay()) {
        // a funeral
        if (day === 10) handOut(14, day, ['10:20', '10:58'], ['12:05', '12:40']);
        if (lab.weekday(day) === 0)
          handOut(lab.random.whole(22, 30), day, ['09:20', '10:02'], ['11:05', '11:55']);
        // the group of Wednesday; Ash Wednesday has a service
        if (lab.weekday(day) === 3)
          if (day === 16) handOut(20, day, ['18:30', '19:05'], ['20:00', '20:35']);
          else handOut(lab.random.whole(5, 9), day, ['18:40', '19:02'], ['20:10', '20:40']);
      }
      background(lab);
    },
  },
  {
    name: 'a repair shop plugs in what its customers bring, for minutes or hours, and each leaves for good',
    lab: {
      zone: 'Asia/Karachi',
      hubs: [4],
      free: 3,
      usb: true,
      models: ['Redmi Note 9', 'Galaxy J7', 'Oppo A5', 'Infinix Hot 8'],
    },
    tell(lab) {
      const { random } = lab;
      for (const port of lab.freePorts(lab.start))
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) !== 0))
          for (
            let at = between(lab, day, '11:20', '17:30');
            at < lab.at(day, '18:50');
            at += random.between(60, 330) * MINUTE
          ) {
            // on Fridays it is closed over noon
            if (lab.weekday(day) === 5 && at > lab.at(day, '12:15') && at < lab.at(day, '14:20')) continue;
            const phone = lab.add('usb', { port, isThereAtFirst: false });
            phone.isPinned = true;
            const from = Math.round(at);
            const usual = inUse(lab);
            lab.phone(phone, from, { kind: 'attached', state: 'unauthorized' });
            const allowed = Math.round(from + random.between(15, 100) * SECOND);
            lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
            at = allowed + random.between(4, 20) * MINUTE;
            if (random.chance(0.5)) {
              const isFlashed = random.chance(0.4);
              restart(lab, phone, at, isFlashed ? [150, 280] : [30, 70], 'reboot');
              at += random.between(8, 35) * MINUTE;
            }
            // it is looked at in the hand
            if (random.chance(0.4)) {
              out(lab, phone, at, at + random.between(1, 12) * MINUTE);
              at += random.between(18, 50) * MINUTE;
            }
            lab.lose(phone, at);
            const until = at;
            phone.reading = (moment) => (moment > allowed && moment < until ? usual(moment) : undefined);
          }
      background(lab, { taken: 2, hours: [11, 20], weekdays: new Set([1, 2, 3, 4, 5, 6]) });
    },
  },
  {
    name: 'a holiday flat is let by the week, and its living room is switched off while nobody is there',
    lab: {
      zone: 'Atlantic/Canary',
      hubs: [],
      direct: 1,
      network: 3,
      models: ['Galaxy A03', 'Bravia', 'Fire HD 8', 'Chromecast'],
    },
    tell(lab) {
      const [television, tablet, box] = lab.networkPhones;
      pinAll(lab.networkPhones);
      const empty = [
        [9, '11:20', 12, '14:40'],
        [19, '11:45', 23, '15:10'],
      ] as const;
      const wasOn = new Map<number, number>();
      for (const [day, off, until, on] of empty) {
        const from = lab.at(day, off) + lab.random.between(0, 30) * MINUTE;
        const to = lab.at(until, on) + lab.random.between(0, 40) * MINUTE;
        for (let each = day; each < until; each += 1) wasOn.set(each, to);
        lab.loseAll(
          lab.networkPhones.filter((phone) => phone !== television),
          from,
          { spreadMs: 20 * SECOND, forMs: to - from, backSpreadMs: 70 * SECOND },
        );
      }
      if (box !== undefined) box.reading = () => undefined;
      if (television !== undefined) {
        television.reading = () => undefined;
        // minutes after it was switched off it sleeps; with the power it comes back for as long
        let off = lab.at(0, '00:05');
        for (const day of lab.everyDay()) {
          const powered = wasOn.get(day);
          if (powered === undefined && lab.random.chance(0.12)) continue;
          const on = powered ?? between(lab, day, '18:30', '21:10');
          if (on < off) continue;
          out(lab, television, off + lab.random.between(9, 12) * MINUTE, on);
          off =
            powered === undefined
              ? between(lab, day, '21:50', '23:45')
              : on + lab.random.between(1, 4) * MINUTE;
        }
      }
      // guests take the tablet to the terrace, where it is out of reach of the Wi-Fi
      if (tablet !== undefined)
        for (const day of lab.everyDay().filter(() => lab.random.chance(0.2))) {
          const at = between(lab, day, '10:00', '19:00');
          out(lab, tablet, at, at + lab.random.between(15, 140) * MINUTE);
        }
      background(lab, { taken: 0, restarts: 0.2, glitches: 0.05 });
    },
  },
  {
    // people.tuebingen.mpg.de, nightskycam: the camera of the night sky restarts each day at noon, to look for updates
    name: 'two phones photograph the stars, and their small computer restarts each day at noon',
    lab: { zone: 'America/Santiago', hubs: [], direct: 2, usb: true, known: { slots: false } },
    tell(lab) {
      for (const day of lab.everyDay())
        hostRestarts(lab, lab.at(day, '12:00:02') + lab.random.whole(0, 3000));
      // what is in front of the lens is cleaned, when the sky was clear
      for (const day of lab.everyDay().filter(() => lab.random.chance(0.2)))
        for (const phone of lab.phones) {
          const at = between(lab, day, '16:20', '18:00');
          out(lab, phone, at, at + lab.random.between(3, 14) * MINUTE);
        }
      for (const phone of lab.phones) {
        const usual = inUse(lab);
        phone.reading = (at) => ({ ...usual(at), levelPercent: 85, isFull: false });
      }
      background(lab, {
        taken: 0.3,
        restarts: 0.3,
        glitches: 0,
        hours: [14, 18],
        isDaily: true,
        isUpdated: false,
      });
    },
  },
  {
    name: 'a developer is ill for a week, and one of the four phones is at home with him',
    lab: { zone: 'Europe/Oslo', hubs: [4], usb: true },
    tell(lab) {
      const carried = lab.pinned(1);
      pinAll(lab.phones);
      const days = lab.workdays().filter((day) => day < 10 || day > 16);
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        if (next !== undefined)
          out(lab, carried, between(lab, day, '16:10', '17:40'), between(lab, next, '08:00', '09:10'));
        for (const phone of lab.phones)
          for (let left = lab.random.poisson(1.1); left > 0; left -= 1) {
            const at = between(lab, day, '09:20', '15:20');
            out(lab, phone, at, at + lab.random.between(1, 35) * MINUTE);
          }
        if (lab.random.chance(0.2))
          restart(lab, lab.random.pick(lab.phones), between(lab, day, '09:30', '15:30'), [28, 55], 'reboot');
      }
      background(lab);
    },
  },
  {
    name: 'two children may have their tablets after school, and for longer in the holidays',
    lab: {
      zone: 'Pacific/Auckland',
      from: '2026-03-16',
      hubs: [],
      direct: 2,
      known: { usbPath: false },
      models: ['Fire HD 8'],
    },
    tell(lab) {
      pinAll(lab.phones);
      for (const day of lab.everyDay()) {
        // Good Friday is the first day without school
        const isSchool = lab.isWorkday(day) && day < 18;
        const times: readonly (readonly [Span, Span])[] = isSchool
          ? [
              [
                ['15:35', '15:55'],
                ['17:10', '18:05'],
              ],
            ]
          : [
              [
                ['08:20', '09:30'],
                ['10:15', '11:40'],
              ],
              [
                ['15:00', '15:40'],
                ['17:20', '18:10'],
              ],
            ];
        for (const [taken, back] of times) {
          if (lab.random.chance(0.12)) continue;
          const at = between(lab, day, ...taken);
          const until = between(lab, day, ...back);
          // both at once, but one of them is slow to give it back
          for (const tablet of lab.phones)
            if (lab.random.chance(0.93))
              out(
                lab,
                tablet,
                at + lab.random.between(0, 70) * SECOND,
                until + lab.random.between(0, 12) * MINUTE,
              );
        }
      }
      background(lab);
    },
  },
  {
    // ruedli/OctoPlugout: when a print is done and cold, the computer is shut down and the plug switches itself off
    name: 'a plug switches a small computer off after each print of its printer; a phone is its camera',
    lab: { zone: 'Europe/Helsinki', hubs: [], direct: 1, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      const { random } = lab;
      phone.reading = inUse(lab);
      let done = lab.at(0, '05:20');
      for (let day = 0; day < lab.days - 1; day += random.whole(1, 3)) {
        const on = Math.round(
          lab.isWorkday(day) ? between(lab, day, '17:30', '21:30') : between(lab, day, '13:30', '20:00'),
        );
        const off = Math.round(done);
        lab.host(off, { kind: 'agentStopped' });
        lab.host(on, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: on - random.whole(35, 50) * SECOND,
          lastAliveAt: off,
        });
        phone.busy.push({ from: off - MINUTE, to: on + MINUTE });
        // it is put where the new print can be seen
        const moved = on + random.between(3, 25) * MINUTE;
        if (random.chance(0.6)) out(lab, phone, moved, moved + random.between(0.3, 4) * MINUTE);
        // the last one still prints at the end of the month
        done = on + random.between(2.5, 13) * HOUR;
      }
    },
  },
];
