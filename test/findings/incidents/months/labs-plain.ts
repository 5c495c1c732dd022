/**
 * Months of plain labs: rooms of firms and of open projects, where programs and hands share the phones of a few hubs, and
 * where people go on holiday, count, tidy up, lend, buy, give away, change shifts, and know beforehand when there is no power.
 */
import type { Port } from '../../room.ts';
import { adbRestarts, agentRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, inZone, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { drainsOutside, hostIsOff, powerless } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { job, switchedOff } from './calm.ts';
import { between, out, pinAll, restart } from './habits.ts';
import { along, comes, drained, isReset, lent, type Range, startedMeanwhile, updates } from './in-racks.ts';

/** As planned; nobody touches a phone then. */
function hostRestartsAlone(lab: Lab, at: number): void {
  hostRestarts(lab, at);
  for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + 3 * MINUTE });
}

/** A program restarts some of them, one after the other. */
function restarted(lab: Lab, phones: readonly LabPhone[], begin: number, seconds: Range, part = 1): void {
  along(lab, phones, begin, seconds, (phone, at) => {
    if (at < lab.end - HOUR && lab.random.chance(part)) restart(lab, phone, at, [32, 68], 'reboot,adb');
  });
}

/** All of a shelf are put on a table, and come back one after the other. @returns when the last one is back */
function onTable(
  lab: Lab,
  phones: readonly LabPhone[],
  begin: number,
  minutes: Range,
  placeOf: (phone: LabPhone) => Port | undefined = () => undefined,
): number {
  const taken = new Map<LabPhone, number>();
  const isEmpty = along(lab, phones, begin, [3, 9], (phone, at) => taken.set(phone, at));
  const ready = isEmpty + lab.random.between(...minutes) * MINUTE;
  return along(lab, phones, ready, [10, 28], (phone, back) => {
    const at = taken.get(phone) ?? back;
    const to = placeOf(phone);
    if (lab.isFree(phone, at - MINUTE, back + MINUTE))
      lab.lose(phone, at, { forMs: back - at, ...(to && { to }) });
  });
}

/** It comes back, and somebody allows debugging anew. */
function returnsUnknown(lab: Lab, phone: LabPhone, from: number, to: number): void {
  const back = Math.round(to);
  const allowed = back + lab.random.whole(15, 240) * SECOND;
  if (allowed > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, allowed + MINUTE)) return;
  lab.lose(phone, from, { forMs: back - from, backAs: 'unauthorized' });
  lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  phone.busy.push({ from: back, to: allowed + MINUTE });
}

interface Point {
  at: number;
  percent: number;
  decicelsius: number;
}

/** From one point straight to the next. */
function through(points: readonly Point[]): Reading {
  return (at) => {
    const before = points.findLast((point) => point.at <= at) ?? points[0];
    const after = points.find((point) => point.at > at) ?? before;
    if (before === undefined || after === undefined) return undefined;
    const part = after.at > before.at ? Math.max(0, at - before.at) / (after.at - before.at) : 0;
    const levelPercent = Math.round(before.percent + (after.percent - before.percent) * part);
    const decicelsius = before.decicelsius + (after.decicelsius - before.decicelsius) * part;
    return {
      levelPercent,
      isFull: levelPercent === 100,
      temperatureDecicelsius: Math.round(decicelsius + ((at / MINUTE) % 7)),
    };
  };
}

/** Nobody uses it, and its battery is kept where the owner wants it; the room is warmer in the afternoon. */
function idle(lab: Lab, percent: number, decicelsius: number): Reading {
  const noise = lab.random.whole(1, 97);
  return (at) => {
    const hour = ((at - lab.start) / HOUR) % 24;
    const below = percent === 100 ? 0 : (Math.floor(at / (70 * MINUTE)) + noise) % 3;
    const wave = 14 * Math.cos((2 * Math.PI * (hour - 16)) / 24);
    return {
      levelPercent: percent - below,
      isFull: percent === 100,
      temperatureDecicelsius: Math.round(decicelsius + wave + (noise % 5)),
    };
  };
}

/**
 * It drains while it is out, charges where it sits, and is warmer then, and in the afternoon.
 *
 * @param works from which hour of each day on, and for how long, tests take more than the hub gives
 */
function drains(
  lab: Lab,
  phone: LabPhone,
  percentAnHour: number,
  works: readonly [hour: number, hours: number] = [0, 0],
): void {
  drainsOutside(lab, phone, percentAnHour);
  const outside = phone.reading;
  const [own, noise] = [lab.random.whole(255, 285), lab.random.whole(1, 97)];
  const deep = lab.random.whole(12, 38);
  const level = (at: number): number | undefined => {
    const percent = outside?.(at)?.levelPercent;
    if (percent === undefined) return undefined;
    const [begins, forHours] = works;
    const hour = (((at - lab.start) / HOUR) % 24) - begins;
    const since = hour < 0 ? hour + 24 : hour;
    const less = since < forHours ? since / forHours : Math.max(0, 1 - (since - forHours) / 1.6);
    return Math.max(15, Math.round(percent - (forHours > 0 ? deep * less : 0)));
  };
  phone.reading = (at) => {
    const levelPercent = level(at);
    if (levelPercent === undefined) return undefined;
    const later = level(at + 15 * MINUTE) ?? levelPercent;
    const wave = 13 * Math.cos((2 * Math.PI * ((at - lab.start) / HOUR - 15)) / 24);
    const jitter = ((at / MINUTE) * 7 + noise) % 9;
    const warmer = later > levelPercent ? 42 : later < levelPercent ? 34 : 0;
    return {
      levelPercent,
      isFull: levelPercent === 100,
      temperatureDecicelsius: Math.round(own + wave + jitter + warmer),
    };
  };
}

/** Until a moment this, and that from then on. */
const upTo =
  (one: Reading, until: number, other: Reading): Reading =>
  (at) =>
    at < until ? one(at) : other(at);

export const labsPlain: readonly QuietMonth[] = [
  {
    name: 'a lab in Dublin is booked from San Francisco and from Sydney, and the clocks change in all three within four weeks',
    lab: {
      zone: 'Europe/Dublin',
      from: '2026-03-02',
      days: 40,
      hubs: [16, 10],
      free: 1,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 8', 'Galaxy S24', 'Pixel 6a', 'Galaxy A16', 'Moto G84'],
    },
    tell(lab) {
      const { random } = lab;
      // on Saturdays, when it is night over there too
      for (const day of [12, 33])
        hostRestartsAlone(lab, lab.at(day, '10:30') + random.whole(0, 20 * 60) * SECOND);
      // the seventeenth of March; Good Friday and Easter Monday, which Sydney has too
      const holidays = [15, 32, 35];
      const sites = [
        { zone: 'America/Los_Angeles', phones: lab.phonesOf(0), opens: '08:00:10', closed: [] },
        { zone: 'Australia/Sydney', phones: lab.phonesOf(1), opens: '07:00:10', closed: [32, 35] },
      ];
      for (const { zone, phones, opens, closed } of sites)
        for (const day of lab.workdays(1).filter((each) => !closed.some((day) => day === each))) {
          // cron runs over there, by the clock of there
          const begins = inZone(zone, () => lab.at(day, opens));
          const ends = inZone(zone, () => lab.at(day, '17:10'));
          restarted(lab, phones, begins, [18, 45], 0.95);
          // who has booked one leaves it as it was
          for (const phone of phones) {
            let at = begins + random.between(0.7, 5) * HOUR;
            while (at < ends) {
              at += random.between(20, 150) * MINUTE;
              if (random.chance(0.6)) restart(lab, phone, at, [34, 75], 'reboot,adb');
              at += random.between(1, 7) * HOUR;
            }
          }
        }
      const days = lab.workdays().filter((day) => !holidays.includes(day));
      lent(lab, lab.phones, 1.1, { days, hours: ['09:20', '17:30'], overnight: 0.03 });
      background(lab, { taken: 0, restarts: 0.4, hours: [9, 17.5], glitches: 0.05 });
    },
  },
  {
    // brightec.co.uk, development device shelf: two hubs, builds for fourteen devices, and sessions of research
    name: 'fourteen devices of an agency stand on a shelf, and most of them leave it on the Thursday of each sprint for research',
    lab: {
      zone: 'Europe/London',
      from: '2026-10-05',
      hubs: [7, 7],
      known: { slots: false, usbPath: false },
      models: ['Galaxy Tab A9', 'Nexus 7', 'Galaxy S23', 'Pixel 7', 'Nothing Phone 2', 'Moto G54'],
    },
    tell(lab) {
      const { random } = lab;
      // two have a week off with their children, and three of the devices with them, to play what is to be tested
      const games = random.shuffled(lab.phones).slice(0, 3);
      for (const [index, phone] of games.entries())
        out(
          lab,
          phone,
          between(lab, 18, '16:20', '17:40'),
          between(lab, index < 2 ? 28 : 29, '09:10', '10:20'),
        );
      // the computer takes what there is by itself, on a night in the week
      for (const day of [9, 23])
        hostRestartsAlone(lab, lab.at(day, '02:40') + random.whole(0, 1800) * SECOND);
      for (const day of [3, 17]) {
        const begins = between(lab, day, '13:25', '13:50');
        along(lab, random.shuffled(lab.phones), begins, [6, 110], (phone, at) => {
          if (random.chance(0.25)) return;
          const isLong = random.chance(0.3);
          out(lab, phone, at, between(lab, day, isLong ? '17:00' : '14:40', isLong ? '17:50' : '16:50'));
        });
      }
      // what hung down is bound together on a Monday
      along(lab, lab.phones, between(lab, 14, '11:10', '12:00'), [35, 110], (phone, at) => {
        if (random.chance(0.8)) out(lab, phone, at, at + random.between(18, 75) * SECOND);
      });
      lent(lab, lab.phones, 5, { hours: ['09:10', '17:20'], minutes: [4, 80], overnight: 0.02 });
      for (const phone of lab.phones) drains(lab, phone, 9);
      background(lab, { taken: 0, restarts: 0.8, hours: [9, 17.5], isUpdated: false });
    },
  },
  {
    // etch.co, open device lab in a suitcase: a couple of dozen phones go to where people need them
    name: 'twenty-four phones of a lab in Wellington are packed into a suitcase for those who need them, and come back to any cable',
    lab: {
      zone: 'Pacific/Auckland',
      from: '2026-09-14',
      hubs: [10, 10, 7],
      free: 3,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A15', 'Oppo A78', 'Pixel 6', 'Galaxy S21', 'Xiaomi 12'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      // on the Sunday between the second and the third of them the clocks go on
      for (const [day, back] of [
        [2, 3],
        [8, 10],
        [15, 18],
        [22, 23],
      ] as const) {
        const packed = random.shuffled(lab.phones).slice(0, random.whole(19, 22));
        // one is at a desk then, and is not found until the lid is shut
        const begins = between(lab, day, '07:40', '08:50');
        const leaves = new Map<LabPhone, number>();
        along(lab, packed, begins, [7, 26], (phone, at) => leaves.set(phone, at));
        // late from the ferry: it is unpacked in the evening, or on the next morning
        const isLate = random.chance(0.5);
        const opened = isLate
          ? between(lab, back + 1, '08:30', '09:20')
          : between(lab, back, '16:10', '17:20');
        along(lab, random.shuffled(packed), opened, [9, 40], (phone, to) =>
          absences.push({ phone, from: leaves.get(phone) ?? begins, to }),
        );
      }
      // by day some of those that are here are in use
      for (const day of lab.workdays())
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(0, 4))) {
          const from = between(lab, day, '09:20', '15:30');
          absences.push({ phone, from, to: from + random.between(7, 110) * MINUTE });
        }
      shared(lab, absences);
      // whatever is there, each night
      for (const day of lab.everyDay().slice(1, -1))
        restarted(lab, random.shuffled(lab.phones), lab.at(day, '01:15:02'), [15, 50], 0.6);
      for (const phone of lab.phones) drains(lab, phone, 1.1, [1.25, 3]);
      background(lab, { taken: 0, restarts: 0.2, hours: [9, 17] });
    },
  },
  {
    // illinois-scicomp/machine-shop-maintenance#86: an outage from nine to three in the week of Thanksgiving, said two weeks
    // before, and everybody shuts down what he has; nodejs/build#4376: a generator is tried first
    name: 'electricians renew what feeds a house in Chicago: a generator is tried on a morning, and three weeks later all is shut down',
    lab: {
      zone: 'America/Chicago',
      from: '2026-10-26',
      days: 35,
      hubs: [16, 16, 7],
      usb: true,
      models: ['Pixel 7a', 'Galaxy A54', 'Moto G Power', 'Pixel 9'],
    },
    tell(lab) {
      const { random } = lab;
      // Wednesday: over to the generator, and back; the host has a UPS, the shelves have none
      const tried = lab.at(9, '05:30') + random.whole(30, 900) * SECOND;
      for (const phone of lab.phones)
        lab.maintenance(phone, tried - 30 * MINUTE, 3 * HOUR, 'generator test', tried + 1.6 * HOUR);
      powerless(lab, lab.phones, tried, tried + random.between(8, 15) * SECOND);
      const back = tried + random.between(42, 65) * MINUTE;
      powerless(lab, lab.phones, back, back + random.between(4, 9) * SECOND);
      lab.note(
        lab.at(15, '11:20'),
        {},
        'No power in the whole house on Tuesday the 24th, 9 to 15 o’clock. I shut the lab down at half past eight',
      );
      // Tuesday: one strip after the other, then the host; the last shelf hangs at another socket and goes with the house
      const off = lab.at(29, '08:21') + random.whole(0, 240) * SECOND;
      const down = off + random.whole(200, 420) * SECOND;
      const on = lab.at(29, '15:12') + random.whole(0, 900) * SECOND;
      const [one, other] = [lab.phonesOf(0), lab.phonesOf(1)];
      powerless(lab, one, off, on + random.between(90, 200) * SECOND);
      powerless(lab, other, off + 24 * SECOND, on + random.between(210, 330) * SECOND);
      hostIsOff(lab, down, on);
      // afterwards somebody looks at each of them
      along(lab, random.shuffled(lab.phones).slice(0, 9), on + 14 * MINUTE, [40, 130], (phone, at) =>
        restart(lab, phone, at, [35, 70], 'reboot,userrequested'),
      );
      for (const day of lab.everyDay().slice(1, -1))
        restarted(lab, lab.phones, lab.at(day, '22:30:04'), [25, 60], 0.4);
      // Thanksgiving, and the Friday after it
      const days = lab.workdays().filter((day) => day !== 31 && day !== 32 && day !== 29);
      lent(lab, lab.phones, 0.9, { days, hours: ['09:20', '17:10'] });
      for (const phone of lab.phones) drains(lab, phone, 1, [22.5, 4]);
      background(lab, { taken: 0, restarts: 0.2, hours: [9, 17], isUpdated: false });
    },
  },
  {
    // developer.android.com, adb: an authorization that was not used for seven days lapses
    name: 'a firm in Milan is closed for two weeks of August: six phones are with people at the sea, and the others run what there is',
    lab: {
      zone: 'Europe/Rome',
      from: '2026-07-27',
      days: 36,
      hubs: [10, 7, 4],
      free: 1,
      usb: true,
      models: ['Galaxy A36', 'Xiaomi 13', 'Pixel 8a', 'Oppo A60', 'Moto Edge 40'],
    },
    tell(lab) {
      const { random } = lab;
      const [closes, opens] = [11, 28];
      const isClosed = (day: number) => day > closes && day < opens;
      const atSea = random.shuffled(lab.phones).slice(0, 6);
      for (const [index, phone] of atSea.entries()) {
        phone.isPinned = true;
        const from = between(lab, index < 2 ? closes - 1 : closes, '15:30', '18:10');
        const to = between(lab, opens + Math.floor(index / 2), '09:20', '11:50');
        returnsUnknown(lab, phone, from, to);
        if (phone.name.startsWith('Pixel'))
          updates(lab, phone, to + random.between(40, 120) * MINUTE, [70, 150], {
            build: 'BP4A.260805.002',
            buildBefore: 'BP4A.260705.006',
          });
      }
      // one morning a customer calls, and somebody is there for it
      const call = between(lab, 17, '09:40', '10:20');
      for (const phone of random.shuffled(lab.phones.filter((each) => !atSea.includes(each))).slice(0, 2))
        out(lab, phone, call + random.between(0, 90) * SECOND, call + random.between(70, 130) * MINUTE);
      // in these weeks hardly anybody merges
      for (const day of lab.everyDay().slice(1, -1))
        if (!isClosed(day) || lab.weekday(day) === 2 || lab.weekday(day) === 5)
          restarted(lab, lab.phones, lab.at(day, '02:05:01'), [20, 70], isClosed(day) ? 0.5 : 0.8);
      const days = lab.workdays().filter((day) => !isClosed(day));
      lent(lab, lab.phones, 1.2, { days, hours: ['09:30', '18:00'] });
      // before they left somebody set those that can be set to eighty percent; the room is not cooled meanwhile
      for (const phone of lab.phones) {
        const kept = phone.name.startsWith('Xiaomi') ? 100 : 80;
        const [usual, again] = [inUse(lab), inUse(lab)];
        const calm = idle(lab, kept, kept === 100 ? 285 : random.whole(288, 305));
        phone.reading = upTo(usual, lab.at(closes, '19:00'), upTo(calm, lab.at(opens, '09:00'), again));
      }
      background(lab, { taken: 0, restarts: 0, hasReadings: false });
    },
  },
  {
    // buildingadevicelab.com/checkup-worksheet: what one looks at weekly, and quarterly
    name: 'forty-four phones in Brooklyn are looked at on Mondays, and once in the quarter all of them are on tables while shelves are laid out anew',
    lab: {
      zone: 'America/New_York',
      from: '2026-02-23',
      hubs: [16, 16, 16],
      free: 4,
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy S22', 'Pixel 6', 'OnePlus 9', 'Galaxy A13', 'Moto G Stylus'],
    },
    tell(lab) {
      const { random } = lab;
      const quarterly = 17;
      lab.note(lab.at(quarterly, '09:05'), {}, 'Quarterly: shelves and cables, until four');
      // four get the places that are better lit
      const better = lab.freePorts(lab.start);
      const movers = random.shuffled(lab.phonesOf(0)).slice(0, 3);
      const placeOf = (phone: LabPhone) => better[movers.indexOf(phone)];
      const shelves = [lab.phonesOf(0), lab.phonesOf(1), lab.phonesOf(2)] as const;
      const done = onTable(lab, shelves[0], between(lab, quarterly, '09:30', '09:50'), [32, 48], placeOf);
      onTable(lab, shelves[1], done + random.between(6, 12) * MINUTE, [30, 44]);
      const last = onTable(lab, shelves[2], between(lab, quarterly, '13:20', '13:50'), [35, 60]);
      // one lead is too short where it is now, and four cables go over another way
      along(lab, random.shuffled(lab.phones).slice(0, 4), last + 4 * MINUTE, [70, 160], (phone, at) =>
        out(lab, phone, at, at + random.between(25, 80) * SECOND),
      );
      const tools = lab.at(24, '12:35') + random.whole(0, 600) * SECOND;
      const answers = adbRestarts(lab, tools, 41, random.whole(3, 9) * SECOND);
      for (const phone of lab.phones) phone.busy.push({ from: tools - MINUTE, to: answers + MINUTE });
      // is each charging, does its code work, and whose account is that?
      for (const day of daysOf(lab, 1))
        along(lab, lab.phones, between(lab, day, '10:05', '10:50'), [12, 55], (phone, at) => {
          if (random.chance(0.12)) out(lab, phone, at, at + random.between(5, 40) * SECOND);
          else if (random.chance(0.05) && lab.isFree(phone, at - MINUTE, at + 6 * MINUTE)) {
            restart(lab, phone, at, [30, 60], 'reboot,userrequested');
            // until somebody enters its code
            const locked = Math.round(at + 2 * MINUTE);
            lab.phone(phone, locked, { kind: 'hindered', codes: 'screenLocked', remedy: 'Unlock it.' });
            lab.phone(phone, locked + random.whole(40, 200) * SECOND, { kind: 'hindered', codes: '' });
            phone.busy.push({ from: at, to: at + 6 * MINUTE });
          }
        });
      lent(lab, lab.phones, 1.3, { hours: ['09:40', '18:20'], overnight: 0.04 });
      background(lab, { taken: 0, restarts: 0.5, hours: [9.5, 18.5] });
    },
  },
  {
    // vhackandroid.fandom.com, schedule of 2012: Friday evening, doors close at ten, pitches on Sunday at half past four;
    // constantcoding.blogspot.com, August 2013: phones over night in exchange for a card
    name: 'a firm in Amsterdam lends its twenty phones to a hackathon in the night in which the clocks go back, and resets them afterwards',
    lab: {
      zone: 'Europe/Amsterdam',
      from: '2026-10-05',
      hubs: [16, 7],
      free: 3,
      usb: true,
      models: ['Fairphone 5', 'Pixel 8', 'Galaxy S23', 'OnePlus 12'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      const stays = (phone: LabPhone, from: number, to: number, part: number) => {
        // what is low is changed for another, or hangs at the hub for a while
        let at = from;
        while (at < to) {
          const until = Math.min(to, at + random.between(1.2, 4.5) * HOUR);
          absences.push({ phone, from: at, to: until });
          at = until + (random.chance(part) ? random.between(12, 70) : random.between(200, 400)) * MINUTE;
        }
      };
      const [friday, saturday, sunday] = [18, 19, 20];
      for (const [index, phone] of random.shuffled(lab.phones).slice(0, 17).entries()) {
        stays(phone, between(lab, friday, '19:40', '20:40'), between(lab, friday, '23:00', '23:50'), 0.8);
        const came = between(lab, saturday, '09:15', '10:40');
        const back = between(lab, sunday, '16:50', '18:10');
        if (index < 8) {
          // against a card until the next day, and to the pitch with it
          stays(phone, came, between(lab, saturday, '19:00', '20:30'), 0.9);
          const found = between(lab, 21, '09:30', '11:00');
          absences.push({
            phone,
            from: between(lab, saturday, '21:20', '21:55'),
            to: index < 2 ? found : back,
          });
        } else {
          stays(phone, came, between(lab, saturday, '21:20', '21:58'), 0.8);
          stays(phone, between(lab, sunday, '09:10', '10:30'), back, 0.7);
        }
      }
      // other days are as they always are
      for (const day of lab.workdays())
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 5))) {
          if (day === friday || day === 21) continue;
          const from = between(lab, day, '09:30', '16:30');
          absences.push({ phone, from, to: from + random.between(6, 130) * MINUTE });
        }
      shared(lab, absences);
      // three at a time, on Monday afternoon and on Tuesday
      let at = between(lab, 21, '13:10', '13:40');
      for (let left = random.shuffled(lab.phones); left.length > 0; left = left.slice(3)) {
        for (const [index, phone] of left.slice(0, 3).entries())
          isReset(lab, phone, at + index * random.between(25, 60) * SECOND, [4, 10]);
        at += random.between(15, 26) * MINUTE;
        if (at > lab.at(21, '16:40') && at < lab.at(22)) at = between(lab, 22, '09:20', '10:00');
      }
      // the nightly run is for workdays only
      for (const day of lab.everyDay().slice(1, -1))
        if (lab.isWorkday(day)) restarted(lab, lab.phones, lab.at(day, '02:30:03'), [20, 60], 0.7);
      for (const phone of lab.phones) drains(lab, phone, 11, [2.5, 3.5]);
      background(lab, { taken: 0, restarts: 0.3, hours: [9, 18] });
    },
  },
  {
    name: 'thirty phones of a test house in Cluj are counted in their bays at six, two and ten, and each shift takes what it needs',
    lab: {
      zone: 'Europe/Bucharest',
      from: '2026-03-09',
      hubs: [16, 16],
      free: 2,
      usb: true,
      models: ['Galaxy A34', 'Redmi Note 12', 'Huawei P30', 'Pixel 5', 'Honor 90'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const shift = (begins: number, ends: number, many: number) => {
        const goes = random.shuffled(lab.phones).slice(0, many);
        // they are put back one after the other, until all are there
        along(lab, goes, ends - random.between(9, 15) * MINUTE, [5, 17], (phone, back) => {
          const from = begins + random.between(9, 48) * MINUTE;
          const pause = begins + random.between(2.6, 4.4) * HOUR;
          // to charge, over a meal
          if (random.chance(0.3)) {
            out(lab, phone, from, pause);
            out(lab, phone, pause + random.between(35, 75) * MINUTE, back);
          } else out(lab, phone, from, back);
        });
      };
      for (const day of lab.everyDay()) {
        const weekday = lab.weekday(day);
        const next = day + 1;
        // nobody on Sundays before ten in the evening; only before a delivery on a Saturday, in the night of the clocks
        if (weekday > 0) shift(lab.at(day, '06:00'), lab.at(day, '14:00'), weekday === 6 ? 5 : 15);
        if (weekday > 0 && weekday < 6)
          shift(lab.at(day, '14:00'), lab.at(day, '22:00'), random.whole(9, 13));
        if (weekday < 5 || day === 19) shift(lab.at(day, '22:00'), lab.at(next, '06:00'), random.whole(3, 6));
      }
      for (const phone of lab.phones) drains(lab, phone, 8);
      agentRestarts(lab, lab.at(13, '12:30'));
      background(lab, { restarts: 0, isUpdated: false });
    },
  },
  {
    name: 'new phones come to a lab in Seoul in four parcels, everybody wants to hold them, and four old ones are given away',
    lab: {
      zone: 'Asia/Seoul',
      from: '2026-02-09',
      hubs: [10, 10],
      free: 6,
      usb: true,
      models: ['Galaxy S21', 'Galaxy Note 20', 'Galaxy A52', 'Galaxy Z Flip 5', 'Pixel 7'],
    },
    tell(lab) {
      const { random } = lab;
      // from the sixteenth to the eighteenth of February, and the second of March
      const days = lab.workdays().filter((day) => ![7, 8, 9, 21].includes(day));
      const old = lab.phonesOf(0).slice(0, 4);
      const places = random.shuffled(lab.freePorts(lab.start));
      for (const phone of old) {
        phone.isPinned = true;
        const port = lab.portOf(phone, lab.start);
        if (port) places.push(port);
        drained(lab, phone, between(lab, 14, '17:10', '18:00'), lab.end, 'given to those who asked for one');
      }
      along(lab, old, between(lab, 15, '11:10', '13:00'), [100, 1500], (phone, at) => lab.lose(phone, at));
      for (const { day, many, name, builds } of [
        { day: 3, many: 2, name: 'Galaxy A37', builds: ['A376NKSU1AZA3', 'A376NKSU1AZB1', 'A376NKSU1AZB4'] },
        {
          day: 10,
          many: 2,
          name: 'Pixel 10a',
          builds: ['BD4A.251205.012', 'BP4A.260105.004', 'BP4A.260205.008'],
        },
        { day: 16, many: 3, name: 'Galaxy S26', builds: ['S942NKSU1AZA9', 'S942NKSU1AZB7', 'S942NKSU1AZBC'] },
        {
          day: 24,
          many: 2,
          name: 'Galaxy S26 Ultra',
          builds: ['S948NKSU1AZA9', 'S948NKSU1AZB7', 'S948NKSU1AZBC'],
        },
      ]) {
        const opened = between(lab, day, '13:20', '15:10');
        along(lab, Array.from({ length: many }), opened, [240, 1300], (_, at, index) => {
          const port = places.shift();
          if (port === undefined) return;
          const phone = comes(lab, port, at, {
            name: `${name} (${index + 1})`,
            percent: random.whole(42, 68),
          });
          // its first update, and the one after that
          const offered = at + random.between(9, 30) * MINUTE;
          updates(lab, phone, offered, [75, 180], { build: builds[1] ?? '', buildBefore: builds[0] ?? '' });
          updates(lab, phone, offered + random.between(18, 50) * MINUTE, [70, 140], {
            build: builds[2] ?? '',
            buildBefore: builds[1] ?? '',
          });
          // it is handed around, more on the first day than later
          for (let left = random.whole(3, 6); left > 0; left -= 1) {
            const when =
              left > 2
                ? at + random.between(1.6, 4.2) * HOUR
                : between(lab, days.find((each) => each > day) ?? day + 1, '09:40', '17:30');
            out(lab, phone, when, when + random.pick([2, 5, 12, 35]) * MINUTE * random.between(0.7, 1.4));
          }
          // who makes the pictures for the shop has it for an evening
          if (index === 0)
            out(
              lab,
              phone,
              between(lab, day + 1, '17:50', '18:20'),
              between(lab, days.find((each) => each > day + 1) ?? day + 2, '09:20', '10:30'),
            );
        });
      }
      lent(lab, lab.phones, 1, { days, hours: ['09:30', '18:30'] });
      for (const day of days.filter((each) => each > 0))
        restarted(
          lab,
          lab.phones.filter(({ isThereAtFirst }) => isThereAtFirst && random.chance(0.4)),
          lab.at(day, '04:00:02'),
          [25, 80],
        );
      background(lab, { taken: 0, restarts: 0.5, hours: [9, 18.5] });
    },
  },
  {
    // organicmaps/organicmaps#14, private-yusuke/interscheckin#69: a computer that lay about, and a phone, for the CI
    name: 'a hackspace in Santiago has seven phones for the CI of a free app, and its members use them on their evenings',
    lab: {
      zone: 'America/Santiago',
      from: '2026-03-16',
      hubs: [7],
      free: 1,
      direct: 1,
      emulators: 2,
      known: { slots: false, usbPath: false },
      models: ['Moto G7', 'Pixel 3a XL', 'Galaxy A10', 'Redmi 7'],
    },
    tell(lab) {
      const { random } = lab;
      const hub = lab.phonesOf(0);
      const emulators = lab.pinnedOf('emulator');
      for (const emulator of emulators) emulator.isThereAtFirst = false;
      for (const day of [5, 26]) hostRestartsAlone(lab, lab.at(day, '16:20') + random.whole(0, 900) * SECOND);
      // Tuesdays, Thursdays and Saturdays, but not on the Saturday of Easter, after which the clocks go back
      const evenings = lab.everyDay().filter((day) => [2, 4, 6].includes(lab.weekday(day)) && day !== 19);
      const hours = (day: number): readonly [from: string, to: string] =>
        lab.weekday(day) === 6 ? ['15:10', '20:40'] : ['19:10', '22:50'];
      // on one Saturday there is a workshop, and each of its three tables has two
      const workshop = 12;
      along(lab, random.shuffled(hub), between(lab, workshop, '15:20', '15:45'), [10, 90], (phone, at) =>
        out(lab, phone, at, between(lab, workshop, '18:30', '19:20')),
      );
      for (const [index, day] of evenings.entries()) {
        const [opens, closes] = hours(day);
        for (const phone of random.shuffled(lab.usbPhones).slice(0, random.whole(1, 4))) {
          const at = between(lab, day, opens, closes);
          const ends = lab.at(day, closes) + random.between(5, 50) * MINUTE;
          const next = evenings[index + 1];
          const isTaken = next !== undefined && random.chance(0.15);
          const back = isTaken
            ? between(lab, next, ...hours(next))
            : Math.min(ends, at + random.between(15, 130) * MINUTE);
          out(lab, phone, at, back);
        }
      }
      // pull requests come from everywhere, and more when it is evening in Europe
      for (let at = lab.start + HOUR; at < lab.end - HOUR; at += 20 * MINUTE) {
        const hour = inZone('Europe/Berlin', () => new Date(at).getHours());
        const often = hour < 7 ? 0.06 : hour < 17 ? 0.12 : 0.3;
        for (let left = random.poisson(often); left > 0; left -= 1) {
          const begins = at + random.between(0, 17) * MINUTE;
          for (const phone of random.shuffled(hub).slice(0, random.pick([1, 2, 2, 6])))
            if (lab.isFree(phone, begins - 3 * MINUTE, begins))
              restart(lab, phone, begins, [38, 90], 'reboot,adb');
          // what no phone of theirs has is an emulator
          const [emulator] = emulators.filter((each) =>
            lab.isFree(each, begins - MINUTE, begins + 14 * MINUTE),
          );
          if (emulator === undefined) continue;
          const forMs = random.between(5, 13) * MINUTE;
          job(lab, emulator, begins, forMs);
          emulator.busy.push({ from: begins, to: begins + forMs });
        }
      }
      for (const phone of lab.usbPhones) drains(lab, phone, 7, [14, 6]);
      background(lab, { taken: 0, restarts: 0, isUpdated: false });
    },
  },
  {
    name: 'testers of a mobile operator in Cairo put one card after another into sixteen phones, and drive through the city with five of them',
    lab: {
      zone: 'Africa/Cairo',
      from: '2026-04-12',
      hubs: [10, 7],
      free: 1,
      usb: true,
      models: ['Galaxy A25', 'Oppo Reno 11', 'Infinix Hot 40', 'Xiaomi Redmi 13C'],
    },
    tell(lab) {
      const { random } = lab;
      // Sunday to Thursday, but on Sham el-Nessim; on the second Friday the clocks go on
      const days = daysOf(lab, 0, 1, 2, 3, 4).filter((day) => day !== 1);
      for (const day of days.filter((each) => lab.weekday(each) % 2 === 1)) {
        const leaves = between(lab, day, '10:20', '11:00');
        const back = between(lab, day, '14:20', '16:10');
        const box = random.shuffled(lab.phones).slice(0, 5);
        const turns = new Map(box.map((phone, index) => [phone, index * random.between(6, 30) * SECOND]));
        along(lab, random.shuffled(box), leaves, [6, 30], (phone, at) =>
          out(lab, phone, at, back + (turns.get(phone) ?? 0)),
        );
      }
      for (const day of days)
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(5, 10))) {
          let at = between(lab, day, '09:20', '12:40');
          for (let left = random.whole(1, 4); left > 0; left -= 1) {
            const isInHand = random.chance(0.6);
            const loaded = Math.round(at + random.between(55, 260) * SECOND);
            if (!lab.isFree(phone, at - MINUTE, loaded + 6 * MINUTE)) break;
            // with a needle, and mostly without its cable; some see the card only after a restart
            if (isInHand) {
              out(lab, phone, at, loaded);
              if (random.chance(0.5)) startedMeanwhile(lab, phone, loaded, 'reboot', [0.5, 0.9]);
            } else {
              lab.phone(phone, Math.round(at), { kind: 'sim', state: 'ABSENT', before: 'LOADED' });
              lab.phone(phone, loaded, { kind: 'sim', state: 'LOADED', before: 'ABSENT' });
              if (random.chance(0.4))
                restart(lab, phone, loaded + 40 * SECOND, [38, 70], 'reboot,userrequested');
              else phone.busy.push({ from: at, to: loaded });
            }
            at = loaded + random.between(14, 70) * MINUTE;
          }
        }
      for (const phone of lab.phones) drains(lab, phone, 10, [11, 5]);
      background(lab, { taken: 0, restarts: 0.2, hours: [9, 17], weekdays: new Set([0, 1, 2, 3, 4]) });
    },
  },
  {
    // flutter/flutter#86731: what has a new cable is well for a while; here all get one before they need it
    name: 'each phone of a lab in Haifa gets a new cable when it is next brought back, and those that nobody took get theirs before Passover',
    lab: {
      zone: 'Asia/Jerusalem',
      from: '2026-03-15',
      hubs: [10, 10],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 8 Pro', 'Galaxy S24', 'Xiaomi 14', 'OnePlus Nord 4'],
    },
    tell(lab) {
      const { random } = lab;
      const delivered = 3;
      const rest = 16;
      // the eve of the feast is the eighteenth day; three come on the days between the first and the last of it
      const isFeast = (day: number) => day >= 17 && day <= 24;
      const days = daysOf(lab, 0, 1, 2, 3, 4).filter((day) => !isFeast(day));
      lab.note(
        lab.at(delivered, '10:15'),
        {},
        'New cables are in the box at the door. Who brings a phone back takes one, and throws the old one away',
      );
      const renewed = new Set<LabPhone>();
      const trips = lab.phones
        .flatMap((phone) =>
          Array.from({ length: random.poisson(1.6) }, () => {
            const day = random.pick(days);
            return {
              phone,
              from: between(lab, day, '09:10', '16:30'),
              forMs: random.between(8, 160) * MINUTE,
            };
          }),
        )
        .sort((one, other) => one.from - other.from);
      for (const { phone, from, forMs } of trips) {
        const back = from + forMs;
        if (!lab.isFree(phone, from - MINUTE, back + 8 * MINUTE)) continue;
        out(lab, phone, from, back);
        if (from < lab.at(delivered, '10:15') || renewed.has(phone)) continue;
        renewed.add(phone);
        // in one of two cases the old one is in already when somebody says so
        if (random.chance(0.5)) {
          const said = back + random.between(20, 200) * SECOND;
          out(lab, phone, said, said + random.between(35, 110) * SECOND);
        }
      }
      // on the last day but one before the feast, and also what leads from the hubs to the host
      const left = lab.phones.filter((phone) => !renewed.has(phone));
      const done = along(lab, left, between(lab, rest, '11:00', '11:50'), [45, 120], (phone, at) =>
        out(lab, phone, at, at + random.between(22, 60) * SECOND),
      );
      for (const [index] of lab.hubs.entries()) {
        const at = done + (4 + index * 5) * MINUTE;
        switchedOff(lab, lab.phonesOf(index), at, at + random.between(14, 40) * SECOND);
      }
      for (const day of [21, 22, 23])
        for (const phone of random.shuffled(lab.phones).slice(0, 3)) {
          const at = between(lab, day, '09:40', '13:00');
          out(lab, phone, at, at + random.between(10, 70) * MINUTE);
        }
      for (const day of lab.everyDay().slice(1, -1))
        if (lab.weekday(day) < 5 && !isFeast(day))
          restarted(lab, lab.phones, lab.at(day, '01:40:03'), [20, 60], 0.5);
      background(lab, { taken: 0, restarts: 0.3, hours: [9, 17], weekdays: new Set([0, 1, 2, 3, 4]) });
    },
  },
  {
    // thesouthafrican.com, schedules of Tshwane: slots of two hours and up to half an hour, a group one or two of them a day,
    // by stages, which are suspended and begin again
    name: 'four phones of two developers in Pretoria lose their power for two hours a day by a schedule, and keep it for a week in between',
    lab: {
      zone: 'Africa/Johannesburg',
      from: '2026-06-01',
      hubs: [4],
      usb: true,
      known: { slots: false },
      models: ['Galaxy A15', 'Huawei nova Y72', 'Pixel 7'],
    },
    tell(lab) {
      const { random } = lab;
      lab.note(
        lab.at(0, '08:40'),
        {},
        'Group 7. Schedule at the door; the computer and the router hang at the inverter, the phones do not',
      );
      const stageOf = (day: number) =>
        day < 6 ? 2 : day < 9 ? 0 : day < 16 ? 4 : day < 20 ? 2 : day < 27 ? 0 : 2;
      // by zig and zag, so that nobody has his at the same hour on two days
      const slots = [6, 14, 22, 4, 12, 20, 2, 10, 18, 0, 8, 16];
      for (const day of lab.everyDay().slice(0, -1)) {
        const hour = slots[day % slots.length] ?? 6;
        const hours = stageOf(day) === 4 ? [hour, (hour + 8) % 24] : stageOf(day) === 2 ? [hour] : [];
        for (const each of hours.sort((one, other) => one - other)) {
          const off = lab.at(day) + each * HOUR + random.between(0, 9) * MINUTE;
          powerless(lab, lab.phones, off, lab.at(day) + (each + 2) * HOUR + random.between(1, 27) * MINUTE);
        }
      }
      // the sixteenth of June
      const days = lab.workdays().filter((day) => day !== 15);
      lent(lab, lab.phones, 7, { days, hours: ['08:40', '17:10'], minutes: [4, 120], overnight: 0.06 });
      for (const phone of lab.phones) drains(lab, phone, 2.5, [10, 6]);
      background(lab, { taken: 0, restarts: 1.5, hours: [8.5, 17.5] });
    },
  },
  {
    // smashingmagazine.com, how to establish an open device lab: whoever asks may come, and people give their old devices
    name: 'strangers come to an open lab in Helsinki by appointment, have most of its phones on a table for an afternoon, and leave their old ones',
    lab: {
      zone: 'Europe/Helsinki',
      from: '2026-10-12',
      hubs: [16, 16],
      free: 3,
      known: { slots: false, usbPath: false },
      models: ['Nexus 5', 'HTC Desire', 'Xperia Z3', 'Galaxy S5', 'Nokia 7 Plus', 'OnePlus 3'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      const visit = (day: number, from: string, hours: number, many: number) => {
        const begins = lab.at(day, from) + random.between(-6, 14) * MINUTE;
        const few = random.shuffled(lab.phones).slice(0, many);
        const taken = new Map<LabPhone, number>();
        along(lab, few, begins, [7, 45], (phone, at) => taken.set(phone, at));
        // some are enough after a while, and what is left goes back by the armful
        const ends = begins + hours * HOUR * random.between(0.8, 1.15);
        along(lab, random.shuffled(few), ends, [6, 28], (phone, to) => {
          const at = taken.get(phone) ?? begins;
          const early = at + random.between(0.2, 0.7) * (ends - at);
          absences.push({ phone, from: at, to: random.chance(0.25) ? early : to });
        });
      };
      // on one of these days two come who know nothing of each other
      for (const [day, from, hours, many] of [
        [1, '13:00', 3, 18],
        [3, '10:00', 1.5, 7],
        [8, '12:30', 4, 22],
        [10, '09:30', 2, 11],
        [10, '10:15', 2.5, 9],
        [15, '14:00', 2, 15],
        [17, '13:00', 3.5, 24],
        [22, '10:00', 1, 5],
        [24, '12:00', 4, 19],
        [28, '13:30', 2, 12],
      ] as const)
        visit(day, from, hours, many);
      // the firm whose room it is has a look now and then
      for (const day of lab.workdays())
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(0, 3))) {
          const from = between(lab, day, '09:00', '15:30');
          absences.push({ phone, from, to: from + random.between(4, 45) * MINUTE });
        }
      shared(lab, absences);
      // what was given sits at the computer itself first
      for (const [index, [day, name]] of (
        [
          [8, 'Galaxy S8'],
          [17, 'Xiaomi Mi A2'],
        ] as const
      ).entries()) {
        const port = { chain: String(7 + index), controller: 'pci-0000:00:14.0', bus: 1, slot: '' };
        const phone = comes(lab, port, between(lab, day, '16:20', '17:10'), { name, percent: 31 });
        const again = between(lab, day + 1, '10:10', '11:00');
        out(lab, phone, again, again + random.between(2, 9) * MINUTE);
        restart(lab, phone, again + 20 * MINUTE, [45, 90], 'reboot');
      }
      for (const phone of lab.phones.filter(({ isThereAtFirst }) => isThereAtFirst)) drains(lab, phone, 13);
      background(lab, { taken: 0, restarts: 0.5, hours: [9, 16.5] });
    },
  },
  {
    // preflightqa.xyz, how to run a bug bash: an hour or an hour and a half right before a milestone, and everybody joins
    name: 'sixty phones of a lab in Bogota run tests at night, and on three Thursdays everybody takes some of them for an hour and a half',
    lab: {
      zone: 'America/Bogota',
      from: '2026-09-01',
      hubs: [16, 16, 16, 16],
      free: 4,
      hasTwoControllers: true,
      usb: true,
      models: ['Moto G24', 'Galaxy A05s', 'Xiaomi Redmi 13', 'Galaxy S23 FE', 'Pixel 7', 'Honor X6b'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      const bashes = [9, 16, 23];
      for (const [index, day] of bashes.entries()) {
        // each time more of them come, as it is said that there is pizza
        const phones = random.shuffled(lab.phones).slice(0, [33, 41, 50][index]);
        const begins = lab.at(day, '15:00') + random.between(-2, 9) * MINUTE;
        const ends = begins + random.between(82, 97) * MINUTE;
        for (const phone of phones)
          drained(
            lab,
            phone,
            lab.at(day, '14:30') + random.whole(0, 20) * SECOND,
            lab.at(day, '17:30'),
            'bug bash',
          );
        const taken = new Map<LabPhone, number>();
        along(lab, phones, begins, [2, 14], (phone, at) => taken.set(phone, at));
        along(lab, random.shuffled(phones), ends, [3, 20], (phone, to) => {
          const from = taken.get(phone) ?? begins;
          // some have enough after half an hour, some want to show what they found
          const chance = random.number();
          const other =
            chance < 0.2 ? from + random.between(15, 60) * MINUTE : to + random.between(10, 70) * MINUTE;
          absences.push({ phone, from, to: chance < 0.2 || chance > 0.9 ? other : to });
        });
      }
      const isCalm = (day: number, at: number) =>
        !bashes.includes(day) || at < lab.at(day, '13:00') || at > lab.at(day, '18:00');
      for (const day of lab.workdays())
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(2, 8))) {
          const from = between(lab, day, '08:20', '16:50');
          if (isCalm(day, from)) absences.push({ phone, from, to: from + random.between(5, 110) * MINUTE });
        }
      shared(lab, absences);
      // a suite, and a restart before it
      for (const day of lab.everyDay().slice(0, -1))
        for (const phone of lab.phones) {
          const at = lab.at(day, '22:00') + random.between(2, 170) * MINUTE;
          if (random.chance(0.9)) restart(lab, phone, at, [33, 70], 'reboot,adb');
          // with a second one, if there is time left
          if (random.chance(0.5))
            restart(lab, phone, at + random.between(55, 200) * MINUTE, [33, 70], 'reboot,adb');
        }
      for (const day of [12, 26]) agentRestarts(lab, lab.at(day, '06:40'));
      background(lab, { taken: 0, restarts: 0.2, hours: [8, 17.5], glitches: 0.03, isUpdated: false });
    },
  },
  {
    // sitespeedio/browsertime#1253, #1296: a run for power has the charging switched off, and waits until the battery is cool
    name: 'twelve phones of a browser measure power: they drain from eighty to thirty percent at their cables, cool down, and charge again',
    lab: {
      zone: 'America/Toronto',
      from: '2026-02-23',
      hubs: [10, 4],
      free: 2,
      usb: true,
      models: ['Pixel 6', 'Galaxy A55', 'Galaxy S24'],
    },
    tell(lab) {
      const { random } = lab;
      hostRestartsAlone(lab, lab.at(16, '12:40') + random.whole(0, 600) * SECOND);
      const flashed = daysOf(lab, 3);
      for (const phone of lab.phones) {
        const cool = random.whole(252, 268);
        const points: Point[] = [{ at: lab.start, percent: random.whole(60, 80), decicelsius: cool }];
        let at = lab.start + random.between(0.5, 6) * HOUR;
        while (at < lab.end - 9 * HOUR) {
          const day = lab.everyDay().findLast((each) => lab.at(each) <= at) ?? 0;
          const [from, least] = [random.whole(78, 81), random.whole(29, 46)];
          const forMs = random.between(2.2, 4.8) * HOUR;
          const charges = forMs + random.between(12, 30) * MINUTE;
          const full = charges + ((80 - least) / 27) * HOUR;
          restart(lab, phone, at, [34, 60], 'reboot,adb');
          points.push(
            { at, percent: from, decicelsius: cool },
            { at: at + 25 * MINUTE, percent: from - 5, decicelsius: cool + random.whole(45, 75) },
            { at: at + forMs, percent: least, decicelsius: cool + random.whole(45, 75) },
            { at: at + charges, percent: least - 1, decicelsius: cool + 12 },
            { at: at + charges + 20 * MINUTE, percent: least + 8, decicelsius: cool + 44 },
            { at: at + full, percent: 80, decicelsius: cool + 30 },
          );
          at += full + random.between(0.2, 1.4) * HOUR;
          points.push({ at: at - MINUTE, percent: 80, decicelsius: cool });
          // what was merged by then; on weekends there is less of it
          if (!lab.isWorkday(day)) at += random.between(4, 11) * HOUR;
          // on Wednesdays the build of the week is put on them while they charge
          if (flashed.includes(day) && random.chance(0.3)) {
            restart(lab, phone, at + 10 * MINUTE, [160, 260], 'reboot');
            lab.phone(phone, Math.round(at + 18 * MINUTE), {
              kind: 'os',
              build: `eng.ci.2026${day}`,
              buildBefore: `eng.ci.2026${day - 7}`,
            });
            at += random.between(25, 50) * MINUTE;
          }
        }
        phone.reading = through(points);
      }
      lent(lab, lab.phones, 0.5, { hours: ['10:00', '17:00'], minutes: [3, 40], overnight: 0 });
      background(lab, { taken: 0, restarts: 0.2, hours: [10, 17], isUpdated: false });
    },
  },
];
