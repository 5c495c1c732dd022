/**
 * Months in which no day is like the one before: what people do follows calls, watches, tides, deadlines, fairs, harvests,
 * holidays and moves, and seldom a clock.
 */
import type { Port } from '../../room.ts';
import { background, hostRestarts, inUse, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { type Stay, sleeps, thereOnlyIn, unseen } from './at-home.ts';
import { type Absence, daysOf, passes, shared } from './at-work.ts';
import { job } from './calm.ts';
import { between, out, pinAll, restart } from './habits.ts';

type Span = readonly [from: string, to: string];
/** From one moment to another, ms since the epoch. */
type Time = readonly [from: number, to: number];

/** Whoever is there takes one now and then, for some minutes. */
function hands(
  lab: Lab,
  phones: readonly LabPhone[],
  [from, to]: Time,
  often: number,
  [least, most]: readonly [number, number],
): void {
  for (const phone of phones)
    for (let left = lab.random.poisson(often); left > 0; left -= 1) {
      const at = lab.random.between(from, to);
      out(lab, phone, at, Math.min(at + lab.random.between(least, most) * MINUTE, to + 5 * MINUTE), 0.03);
    }
}

/** Their power goes, and comes back, where that is within the month. Those that are out stay so. */
export function powerless(lab: Lab, phones: readonly LabPhone[], off: number, on = lab.end): void {
  const isBack = on < lab.end - MINUTE;
  const sitting = phones.filter((phone) => lab.isFree(phone, off - MINUTE, Math.min(on + MINUTE, lab.end)));
  lab.loseAll(sitting, off, {
    spreadMs: 900,
    gone: 'hub',
    ...(isBack && { forMs: on - off, backSpreadMs: 5 * SECOND }),
  });
}

/** The host is shut down, and started later: what sits in it stays where it is. */
export const hostIsOff = (lab: Lab, off: number, on: number): void =>
  unseen(lab, off, on, { bootedAt: on - lab.random.whole(25, 60) * SECOND });

/** Somebody carries it away, and plugs it in there later. */
const carried = (lab: Lab, phone: LabPhone, from: number, to: number, port: Port | undefined) =>
  lab.lose(phone, from, { forMs: to - from, ...(port && { to: port }) });

/** It drains while it is out, and charges where it sits. */
export function drainsOutside(lab: Lab, phone: LabPhone, percentAnHour: number): void {
  let reading: Reading | undefined;
  phone.reading = (at) => {
    reading ??= levels(chargesBetween(lab, phone, percentAnHour), 300);
    return reading(at);
  };
}

function chargesBetween(lab: Lab, { busy }: LabPhone, percentAnHour: number): [number, number][] {
  const points: [number, number][] = [[lab.start, 100]];
  let [at, percent] = [lab.start, 100];
  const fullAt = () => at + ((100 - percent) / 30) * HOUR;
  for (const { from, to } of [...busy].sort((one, other) => one.from - other.from)) {
    if (to - from < 4 * MINUTE || from < at) continue;
    if (fullAt() < from) points.push([fullAt(), 100]);
    percent = Math.min(100, percent + ((from - at) / HOUR) * 30);
    points.push([from, percent]);
    if (to > lab.end) return points;
    percent = Math.max(14, percent - ((to - from) / HOUR) * percentAnHour);
    points.push([to, percent]);
    at = to;
  }
  points.push([fullAt(), 100]);
  return points;
}

/** It is not there at first, and then only in these times, one after the other. */
function comesFirst(lab: Lab, times: readonly Stay[], connection: LabPhone['connection']): void {
  const [first] = times;
  if (first === undefined) return;
  const phone = lab.add(connection, { isThereAtFirst: false, ...(first.port && { port: first.port }) });
  thereOnlyIn(lab, phone, times);
}

export const atLength: readonly QuietMonth[] = [
  {
    // zolascope.com, August 2013: a phone is a prop, and what it shows is made ready over a laptop with the SDK.
    // On a set each day is called later than the one before, as people must have rested: a Friday ends on a Saturday.
    name: 'six phones of a film are on a cart that has power from call to wrap, later on each day of a week',
    lab: {
      zone: 'America/Vancouver',
      from: '2026-02-23',
      hubs: [7],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S23'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const calls: readonly (Span | undefined)[] = [
        undefined,
        ['05:48', '06:20'],
        ['07:00', '07:40'],
        ['08:40', '09:30'],
        ['10:30', '11:45'],
        ['13:20', '15:10'],
      ];
      const sessions: Time[] = [];
      // on the second Wednesday an actor is ill, and nobody comes; the third week is shot at night
      for (const day of lab.everyDay().filter((each) => each !== 9)) {
        const isAtNight = day >= 14 && day <= 18;
        const call = isAtNight ? (['16:25', '17:20'] as const) : calls[lab.weekday(day)];
        if (call === undefined) {
          // on a Sunday what the phones are to show is made ready
          if (day === 6)
            sessions.push([between(lab, day, '14:00', '14:30'), between(lab, day, '16:10', '17:20')]);
          continue;
        }
        const called = between(lab, day, ...call);
        const wrap = called + random.between(11.4, 13.4) * HOUR;
        const on = called - random.between(18, 45) * MINUTE;
        const off = wrap + random.between(6, 35) * MINUTE;
        // to another place, over lunch
        if (day === 10 || day === 22) {
          const moved = called + random.between(5, 6.5) * HOUR;
          sessions.push([on, moved], [moved + random.between(75, 150) * MINUTE, off]);
        } else sessions.push([on, off]);
      }
      for (const [index, [on, off]] of sessions.entries()) {
        const last = off - 40 * MINUTE;
        for (const [rank, phone] of lab.phones.entries()) {
          // two are in nearly each scene, the others on some days
          if (rank > 1 && random.chance(0.55)) continue;
          for (
            let at = on + random.between(30, 110) * MINUTE;
            at < last;
            at += random.between(rank > 1 ? 120 : 25, rank > 1 ? 400 : 140) * MINUTE
          ) {
            const back = Math.min(at + random.between(12, 75) * MINUTE, off - random.between(3, 20) * MINUTE);
            const next = sessions[index + 1]?.[0];
            // it stays in a costume
            const isForgotten = next !== undefined && at > last - HOUR && random.chance(0.15);
            out(lab, phone, at, isForgotten ? next + random.between(12, 70) * MINUTE : back);
            at = back;
          }
        }
      }
      let asleep = lab.start - 51 * HOUR;
      for (const [index, [on, off]] of sessions.entries()) {
        powerless(lab, lab.phones, off, (sessions[index + 1]?.[0] ?? lab.end) + 9 * SECOND);
        sleeps(lab, asleep, on);
        asleep = off + random.between(1, 4) * MINUTE;
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 5);
    },
  },
  {
    // stemseas.org, what time is it: on a ship at sea the captain says when the clocks go; hosts stay on UTC.
    // oceanexplorer.noaa.gov, 10 September 2002: watches of four hours, all day and night
    name: 'a ship surveys in watches of four hours, and its clocks go back and on again while the host stays on UTC',
    lab: {
      zone: 'Etc/UTC',
      from: '2026-05-04',
      hubs: [7, 4],
      free: 3,
      usb: true,
      models: ['Cat S75', 'Galaxy XCover7'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // how far the clocks of the ship are behind, from which day on
      const clocks: readonly (readonly [day: number, hours: number])[] = [
        [0, 1],
        [4, 2],
        [7, 3],
        [10, 4],
        [20, 3],
        [23, 2],
        [26, 1],
      ];
      const aboard = (day: number, hour: number) => {
        const behind = clocks.findLast(([from]) => from <= day)?.[1] ?? 1;
        return lab.at(day) + (hour + behind) * HOUR;
      };
      const absences: Absence[] = [];
      for (const day of lab.everyDay()) {
        const isInPort = day >= 14 && day <= 16;
        const isSurvey = (day >= 4 && day <= 13) || (day >= 18 && day <= 27);
        for (const hour of [0, 4, 8, 12, 16, 20]) {
          // on the way there is only work by day; in port somebody counts what is in the stores
          if (!isSurvey && (hour < 8 || hour > 12)) continue;
          const many = isInPort ? random.whole(0, 1) : isSurvey ? random.whole(2, 4) : random.whole(1, 2);
          for (const phone of random.shuffled(lab.phones).slice(0, many)) {
            const from = aboard(day, hour) + random.between(-12, 40) * MINUTE;
            const to = aboard(day, hour + 4) + random.between(-35, 9) * MINUTE;
            const meal = from + random.between(1.2, 2.4) * HOUR;
            if (random.chance(0.3)) {
              absences.push({ phone, from, to: meal });
              absences.push({ phone, from: meal + random.between(15, 50) * MINUTE, to });
            } else absences.push({ phone, from, to });
          }
        }
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 9);
      // when the power comes from the shore, and on the day when it comes from the ship again
      hostIsOff(lab, aboard(14, 17.2), aboard(14, 17.9));
      hostIsOff(lab, aboard(16, 19.1), aboard(16, 19.5));
      background(lab, { glitches: 0.05 });
    },
  },
  {
    // droidista.blogspot.com, September 2015: devices that people take from a wall, and who has them, and do they charge
    name: 'a rack of a university is quiet but for a weekend on which its phones are lent to forty people who hardly sleep',
    lab: {
      zone: 'Asia/Singapore',
      from: '2026-03-02',
      hubs: [16, 16, 7],
      free: 5,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 7', 'Galaxy A55', 'Redmi Note 13', 'Moto G84'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      // Friday is the twelfth day
      const lent = random.shuffled(lab.phones).slice(0, 27);
      const ends = lab.at(13, '15:00');
      for (const [index, phone] of lent.entries()) {
        let at = between(lab, 11, '17:35', '19:20');
        if (index > 21) at = between(lab, 12, '09:30', '13:00');
        while (at < ends) {
          // teams take it to their table, and bring it back to charge, or to ask for another
          const to = at + random.pick([0.6, 1.5, 3, 5, 9]) * HOUR * random.between(0.7, 1.4);
          const isLast = to > ends - 40 * MINUTE;
          const back = isLast ? between(lab, 13, '15:20', '17:50') : to;
          // four of them are found in a bag on Monday, one of them on Wednesday
          const late = index < 4 ? between(lab, index === 0 ? 16 : 14, '09:40', '16:20') : back;
          absences.push({ phone, from: at, to: isLast ? late : to });
          if (isLast) break;
          at = to + random.between(14, 130) * MINUTE;
        }
      }
      // the week before, some are shown to those who will judge
      for (const phone of random.shuffled(lab.phones).slice(0, 6))
        absences.push({
          phone,
          from: between(lab, 9, '14:00', '14:20'),
          to: between(lab, 9, '15:40', '16:30'),
        });
      shared(lab, absences);
      for (const phone of lent) {
        // somebody flashes it in the night, and all are reset when they are back
        if (random.chance(0.3)) restart(lab, phone, between(lab, 12, '00:30', '05:00'), [80, 220], 'reboot');
        const isLate = absences.some((each) => each.phone === phone && each.to > lab.at(14));
        const day = isLate ? 17 : 15;
        restart(lab, phone, between(lab, day, '10:00', '12:30'), [90, 170], 'reboot,recovery');
        drainsOutside(lab, phone, 12);
      }
      background(lab, { taken: 0.5, restarts: 0.4, hours: [9.5, 18.5], glitches: 0.04 });
    },
  },
  {
    name: 'a studio works until two at night and on weekends before its game is released, and then takes days off',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-12',
      hubs: [10, 7],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy S24', 'Pixel 9', 'Galaxy Tab S9', 'Moto G54'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // it is released on Thursday, the fifth of November; on the first the clocks change
      const released = 24;
      for (const day of lab.everyDay()) {
        const isCrunch = day >= 11 && day <= released;
        const isHoliday = day === 0;
        const isOff = day > released && day < 28;
        const isWeekend = !lab.isWorkday(day);
        if (isHoliday || (isWeekend && !isCrunch)) continue;
        const begins = between(lab, day, isWeekend ? '11:00' : '09:20', isWeekend ? '12:40' : '10:30');
        const ends = !isCrunch
          ? between(lab, day, '17:40', '19:20')
          : day === released
            ? between(lab, day + 1, '03:20', '04:30')
            : lab.weekday(day) === 0
              ? between(lab, day, '19:00', '21:30')
              : between(lab, day + 1, '00:10', '02:20');
        const often = isOff ? 0.08 : isCrunch ? (day > 20 ? 3.2 : 2) : 0.7;
        hands(lab, lab.phones, [begins, ends], often, [4, 95]);
        if (isOff) continue;
        for (const phone of lab.phones.filter(() => random.chance(isCrunch ? 0.5 : 0.12)))
          restart(lab, phone, random.between(begins, ends), [28, 70], random.pick(['reboot', 'reboot,adb']));
        // who leaves first takes one home for the night
        const next = day + 1 + (lab.weekday(day) === 5 && !isCrunch ? 2 : 0);
        if (random.chance(isCrunch ? 0.5 : 0.25))
          out(
            lab,
            random.pick(lab.phones),
            ends - random.between(2, 90) * MINUTE,
            between(lab, next, '09:50', '12:20'),
          );
      }
      // the build of the night is put on all of them at once, and they begin anew with it
      for (let day = 14; day <= released; day += 1)
        for (const [index, phone] of lab.phones.entries())
          restart(lab, phone, lab.at(day, '04:45') + index * 35 * SECOND, [30, 60], 'reboot,adb');
      for (const phone of lab.phones) drainsOutside(lab, phone, 14);
      background(lab, { glitches: 0.04 });
    },
  },
  {
    // Before and after the Spring Festival some Saturdays are workdays, and nine days are free in 2026
    name: 'a team in Shenzhen works on two Saturdays, and switches most of its racks off for the Spring Festival',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [16, 10, 4],
      free: 3,
      usb: true,
      models: ['Redmi K80', 'Vivo X200', 'Honor 200', 'Oppo Reno 13'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // from Sunday, the fifteenth of February, to Monday, the twenty-third
      const isOpen = (day: number) =>
        (lab.isWorkday(day) || day === 12 || day === 26) && (day < 13 || day > 21);
      // those whose homes are far leave on the days before, and some come back later
      const part = (day: number) =>
        day > 9 && day < 13 ? (14 - day) * 0.16 : day > 21 && day < 25 ? 0.6 : 1;
      const [off, on] = [between(lab, 12, '16:20', '17:10'), between(lab, 22, '09:05', '09:50')];
      for (const [index, hub] of [0, 1].entries()) {
        const gap = index * random.between(3, 20) * SECOND;
        powerless(lab, lab.phonesOf(hub), off + gap, on + gap);
      }
      // who is at home works a little with those that stayed on
      for (const day of [15, 17, 18, 20])
        for (const phone of lab.phonesOf(2).filter(() => random.chance(0.6)))
          restart(lab, phone, between(lab, day, '14:00', '22:30'), [35, 70], 'reboot,adb');
      for (const day of lab.everyDay().filter(isOpen)) {
        const evening = day === 12 ? '15:50' : lab.weekday(day) === 5 ? '18:40' : '20:50';
        hands(
          lab,
          lab.phones,
          [between(lab, day, '09:30', '10:10'), lab.at(day, '12:05')],
          0.28 * part(day),
          [3, 70],
        );
        // after a nap in the dark
        hands(lab, lab.phones, [lab.at(day, '13:35'), lab.at(day, evening)], 0.6 * part(day), [3, 120]);
        for (const phone of lab.phones.filter(() => random.chance(0.12 * part(day))))
          restart(lab, phone, between(lab, day, '10:00', '18:00'), [30, 75], 'reboot');
      }
      background(lab, { glitches: 0.04 });
    },
  },
  {
    // laptopmag.com and others of the fair in Barcelona: stands with dozens of phones that anybody may try
    name: 'a small computer and its nine phones travel from Helsinki to a fair in Barcelona, and come back',
    lab: {
      zone: 'Europe/Helsinki',
      from: '2026-02-09',
      hubs: [10],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 10', 'Galaxy S25', 'Fairphone 6'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const ports = lab.hubs[0]?.ports ?? [];
      // first at the desk, until the Thursday before the fair
      for (const day of lab.workdays(0, 17)) {
        hands(lab, lab.phones, [lab.at(day, '09:10'), lab.at(day, '16:40')], day > 11 ? 1.1 : 0.4, [2, 60]);
        for (const phone of lab.phones.filter(() => random.chance(day > 11 ? 0.35 : 0.08)))
          restart(
            lab,
            phone,
            between(lab, day, '09:30', '16:00'),
            [30, 75],
            random.pick(['reboot', 'reboot,ota']),
          );
      }
      // each is pulled, wrapped and put into the case, and out of it again; two of them are given to a customer there
      const stands = random.shuffled(ports);
      const homes = random.shuffled(ports);
      const packed = between(lab, 17, '13:10', '14:00');
      const unpacked = between(lab, 20, '12:40', '13:30');
      const over = between(lab, 24, '17:02', '17:15');
      const home = between(lab, 29, '11:10', '12:00');
      const given = random.shuffled(lab.phones).slice(0, 2);
      for (const [index, phone] of lab.phones.entries()) {
        const pulled = packed + index * random.between(50, 140) * SECOND;
        const placed = unpacked + index * random.between(2, 9) * MINUTE;
        carried(lab, phone, pulled, placed, stands[index]);
      }
      hostIsOff(lab, packed + 40 * MINUTE, unpacked - 15 * MINUTE);
      for (let day = 20; day <= 24; day += 1) {
        // the hall has no power at night: the computer is shut down before
        if (day > 20) {
          const closes = between(
            lab,
            day - 1,
            day === 21 ? '19:10' : '20:08',
            day === 21 ? '20:20' : '20:40',
          );
          hostIsOff(lab, closes, between(lab, day, '09:12', '09:40'));
          // some are shown in a room for talks
          for (const phone of random.shuffled(lab.phones).slice(0, random.whole(3, 6))) {
            const at = between(lab, day, '10:10', '15:40');
            out(lab, phone, at, at + random.between(18, 70) * MINUTE);
          }
        }
        // what visitors did is cleared, at noon where it is bad
        for (const phone of lab.phones)
          for (const [from, to] of [
            ['12:30', '14:30'],
            ['18:20', '19:00'],
          ] as const)
            if (day > 20 && day < 24 && random.chance(from < '13' ? 0.2 : 0.8))
              restart(lab, phone, between(lab, day, from, to), [30, 65], 'reboot');
      }
      for (const [index, phone] of random.shuffled(lab.phones).entries()) {
        const pulled = over + index * random.between(25, 70) * SECOND;
        const placed = home + index * random.between(1, 6) * MINUTE;
        if (given.includes(phone)) lab.lose(phone, pulled);
        else carried(lab, phone, pulled, placed, homes[index]);
      }
      hostIsOff(lab, over + 25 * MINUTE, home - 20 * MINUTE);
      for (const phone of lab.phones) phone.reading = inUse(lab);
    },
  },
  {
    // geekms.co.za, office relocation: first what is in the rooms, and the network, at last those who work there
    name: 'an office moves on a Thursday and a Friday: what is counted before, packed, and plugged in over there',
    lab: {
      zone: 'Australia/Brisbane',
      from: '2026-06-29',
      hubs: [10, 10, 7],
      free: 4,
      usb: true,
      models: ['Pixel 8', 'Galaxy A35', 'Oppo A79'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const [leaves, comes] = [17, 18];
      const usual = (days: readonly number[]) => {
        for (const day of days.filter((each) => each !== 8)) {
          const isHome = day > 9 && day < leaves;
          const open = [lab.at(day, '08:40'), lab.at(day, '16:50')] as const;
          hands(lab, lab.phones, open, isHome ? 0.06 : 0.5, [3, 110]);
          // from home they restart what hangs
          for (const phone of lab.phones.filter(() => random.chance(0.05)))
            restart(lab, phone, random.between(...open), [30, 60], isHome ? 'reboot,adb' : 'reboot');
        }
      };
      usual(lab.workdays(0, leaves));
      // somebody goes along the shelves and puts a label on the back of each
      let at = lab.at(8, '10:05');
      for (const phone of lab.phones) {
        out(lab, phone, at, at + random.between(35, 130) * SECOND);
        at += random.between(70, 170) * SECOND + (random.chance(0.1) ? 14 * MINUTE : 0);
      }
      // on the way; at the new desks each is plugged in wherever its cable ends
      const places = random.shuffled(lab.hubs.flatMap(({ ports }) => ports));
      let packed = between(lab, leaves, '13:05', '13:20');
      let placed = between(lab, comes, '10:20', '10:40');
      const stopped = lab.at(leaves, '15:30');
      const started = lab.at(comes, '09:45') + random.between(0, 15) * MINUTE;
      for (const [index, phone] of random.shuffled(lab.phones).entries()) {
        const from = packed;
        packed += random.between(15, 110) * SECOND;
        placed += random.between(0.4, 9) * MINUTE;
        // one box is found on Monday, behind the printer
        const isLost = index > 20;
        const to = isLost ? between(lab, 21, '09:30', '10:20') : placed;
        carried(lab, phone, from, to, places[index]);
        // some were switched off for it
        if (random.chance(0.4))
          lab.rebooted(phone, to + 25 * SECOND, { reason: 'cold', uptimeSeconds: random.whole(90, 900) });
      }
      hostIsOff(lab, stopped, started);
      // cables are laid under the desks; and the electrician is there for the last time
      const tidied = between(lab, 22, '14:05', '15:00');
      for (const minute of [0, 6, 19]) {
        const off = tidied + minute * MINUTE;
        const sitting = lab.usbPhones.filter((phone) => lab.portOf(phone, off)?.chain.startsWith('2.'));
        powerless(lab, sitting, off, off + random.between(20, 150) * SECOND);
      }
      const cut = between(lab, 24, '07:10', '07:40');
      powerless(lab, lab.phones, cut, cut + random.between(18, 45) * MINUTE);
      usual(lab.workdays(comes + 1));
      background(lab, { glitches: 0.04, isUpdated: false });
    },
  },
  {
    // nfcworld.com, October 2012: whoever picks is counted with phones; what is ripe is picked when it is cool
    name: 'a vineyard picks by the weather: at dawn, at night when it is hot, not in the rain, and a few people before',
    lab: {
      zone: 'Australia/Adelaide',
      from: '2026-02-16',
      hubs: [16],
      free: 3,
      known: { slots: false, usbPath: false },
      models: ['Galaxy XCover7', 'Zebra TC22'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      const rain = new Set([11, 12, 21]);
      const hot = new Set([8, 9, 10, 17, 18, 19, 24]);
      for (const day of lab.everyDay()) {
        const isHarvest = day > 5 && day < 28;
        if (!isHarvest) {
          // grapes are tasted and weighed
          if (!lab.isWorkday(day)) continue;
          for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 2))) {
            const from = between(lab, day, '06:50', '08:20');
            absences.push({ phone, from, to: from + random.between(1.2, 3.5) * HOUR });
          }
          continue;
        }
        // on Sundays only if it must be
        if (rain.has(day) || (lab.weekday(day) === 0 && !hot.has(day))) continue;
        const [taken, late, back, last] = hot.has(day)
          ? (['01:20', '02:05', '07:30', '09:10'] as const)
          : (['05:30', '06:25', '12:40', '14:50'] as const);
        const crew = random.shuffled(lab.phones).slice(0, random.whole(4, 12));
        for (const phone of crew) {
          const from = between(lab, day, taken, late);
          const to = between(lab, day, back, last);
          // it lies in the tractor until it is used next, or comes back at night
          const isForgotten = random.chance(0.05);
          absences.push({ phone, from, to: isForgotten ? between(lab, day, '17:20', '21:10') : to });
        }
        // where the trucks are weighed
        for (const phone of random.shuffled(lab.phones.filter((each) => !crew.includes(each))).slice(0, 2)) {
          const from = hot.has(day)
            ? between(lab, day, '03:30', '04:40')
            : between(lab, day, '09:40', '11:30');
          absences.push({ phone, from, to: from + random.between(5, 9.5) * HOUR });
        }
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 8);
      background(lab, { glitches: 0.05, restarts: 0 });
    },
  },
  {
    // jmir.org and karger.com on studies: phones are given to those who take part, and read when they come to their visit
    name: 'a study gives phones to patients for one or two weeks, and the computer of its office is off at night',
    lab: {
      zone: 'America/Bogota',
      from: '2026-07-27',
      hubs: [10, 4],
      free: 3,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A16', 'Moto G15'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const isOpen = (day: number) => lab.isWorkday(day) && day !== 11 && day !== 21;
      const visits = daysOf(lab, 2, 4);
      const hours = lab.everyDay().filter(isOpen);
      const onAt = new Map(hours.map((day) => [day, between(lab, day, '06:48', '07:25')]));
      const offAt = new Map(
        hours.map((day) => [day, between(lab, day, lab.weekday(day) === 5 ? '15:10' : '16:40', '17:50')]),
      );
      const isOn = (from: number, to: number) =>
        hours.some(
          (day) => from > (onAt.get(day) ?? 0) + 5 * MINUTE && to < (offAt.get(day) ?? 0) - 5 * MINUTE,
        );
      for (const phone of lab.phones) {
        let day = random.pick(visits.slice(0, 4));
        while (day < lab.days) {
          const given = between(lab, day, '07:40', '11:50');
          // most come when they are told to; some days later, or on the day after a holiday
          const late = random.chance(0.2) ? random.whole(1, 5) : 0;
          const due = day + random.pick([7, 14, 14]) + late;
          const back = hours.find((each) => each >= due);
          if (back === undefined) {
            lab.lose(phone, given);
            break;
          }
          const brought = between(lab, back, '07:35', '12:40');
          out(lab, phone, given, brought);
          // what it knows is copied, and it is reset for the next one
          const reset = brought + random.between(15, 190) * MINUTE;
          if (isOn(reset, reset + 4 * MINUTE)) restart(lab, phone, reset, [80, 150], 'reboot,recovery');
          day = visits.find((each) => each > back + random.pick([0, 1, 4])) ?? lab.days;
        }
      }
      // on the first morning it is already on
      for (const [index, day] of hours.entries()) {
        const next = hours[index + 1];
        const [off, on] = [offAt.get(day), next === undefined ? undefined : onAt.get(next)];
        // somebody who writes a report leaves it on for a night
        if (off !== undefined && on !== undefined && !(day === 9 || day === 23)) hostIsOff(lab, off, on);
        // one that is there is looked at
        if (off !== undefined && random.chance(0.4)) {
          const at = between(lab, day, '08:00', '15:00');
          if (isOn(at, at + 40 * MINUTE))
            out(lab, random.pick(lab.phones), at, at + random.between(2, 30) * MINUTE);
        }
      }
      for (const phone of lab.phones) phone.reading = inUse(lab);
    },
  },
  {
    // source.android.com, trade-in mode: a phone that was reset tells over adb of its battery and its memory
    name: 'a counter in a mall of Riyadh looks at used phones, until two at night while it is Ramadan',
    lab: {
      zone: 'Asia/Riyadh',
      from: '2026-02-09',
      hubs: [4],
      free: 3,
      usb: true,
      known: { slots: false },
      models: ['Galaxy S23', 'iQOO 12', 'Honor X9b', 'Pixel 7a', 'Galaxy A54'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.freePorts(lab.start);
      // from the eighteenth of February to the nineteenth of March
      const isRamadan = (day: number) => day > 8;
      // what came out in February is sold from then on, and old ones are brought
      const isLaunch = (day: number) => day === 25 || day === 26 || day === 27;
      for (const day of lab.everyDay()) {
        const isFriday = lab.weekday(day) === 5;
        const open: readonly Time[] = isRamadan(day)
          ? [
              ...(isFriday ? [] : [[lab.at(day, '12:10'), lab.at(day, '17:05')] as const]),
              [lab.at(day, '20:40'), lab.at(day + 1, '01:40')],
            ]
          : [[lab.at(day, isFriday ? '16:15' : '10:05'), lab.at(day, '22:50')]];
        const isBusy = [4, 5, 6].includes(lab.weekday(day)) || isLaunch(day);
        for (const [opens, closes] of open)
          for (const [index, port] of ports.entries()) {
            // by the third cable somebody helps on busy days
            if (index === 2 && !isBusy) continue;
            const [least, most] = isLaunch(day) ? [6, 45] : isBusy ? [15, 130] : [40, 260];
            let at = opens + random.between(0, most) * MINUTE;
            while (at < closes - 12 * MINUTE && at < lab.end - HOUR) {
              const { phone, allowed, leave } = passes(lab, port, at, {
                asks: random.chance(0.7),
                percent: random.whole(8, 92),
              });
              at = allowed + random.between(2, 9) * MINUTE;
              // it is held into the light, and back at the cable for the rest
              if (random.chance(0.2)) {
                out(lab, phone, at, at + random.between(15, 150) * SECOND);
                at += random.between(3, 8) * MINUTE;
              }
              // who agrees to the price sees it erased
              if (random.chance(0.45)) {
                restart(lab, phone, at, [70, 170], 'reboot,recovery');
                at += random.between(4, 9) * MINUTE;
              }
              leave(at);
              at += random.between(least, most) * MINUTE;
            }
          }
      }
      background(lab, { taken: 1.5, hours: [14, 22], isDaily: true, restarts: 0.3 });
    },
  },
  {
    // egms.de, zma000983: examiners of a clinical examination mark on tablets, one at each station
    name: 'tablets of a medical school are hardly touched but on three days of examinations, when all are out',
    lab: {
      zone: 'Asia/Kuala_Lumpur',
      from: '2026-08-03',
      hubs: [16, 7],
      free: 1,
      known: { usbPath: false },
      models: ['Galaxy Tab A9+'],
    },
    tell(lab) {
      const { random } = lab;
      const takes = (many: number, day: number, from: Span, to: Span, elsewhere = 0.05) => {
        for (const tablet of random.shuffled(lab.phones).slice(0, many))
          out(lab, tablet, between(lab, day, ...from), between(lab, day, ...to), elsewhere);
      };
      pinAll(lab.phones);
      // the evening before, all get the stations of the next day; two days later they are reset
      for (const day of [14, 21])
        for (const [index, tablet] of lab.phones.entries())
          restart(
            lab,
            tablet,
            lab.at(day, '18:20') + index * random.between(60, 75) * SECOND,
            [40, 80],
            'reboot',
          );
      for (const [index, tablet] of lab.phones.entries())
        restart(lab, tablet, lab.at(18, '10:15') + index * 2.5 * MINUTE, [95, 160], 'reboot,recovery');
      // examiners try them; students do so among themselves
      takes(16, 10, ['13:40', '14:05'], ['16:20', '16:50']);
      takes(9, 12, ['19:05', '19:30'], ['21:40', '22:25']);
      for (const [day, many] of [
        [15, 21],
        [16, 21],
        [22, 9],
      ] as const) {
        const used = random.shuffled(lab.phones).slice(0, many);
        // on the second day somebody burns toast, and all stand outside for forty minutes
        const late = day === 16 ? 40 * MINUTE : 0;
        for (const tablet of used) {
          const noon = between(lab, day, '12:18', '12:40') + late;
          const again = between(lab, day, '13:05', '13:25') + late;
          const ends = between(lab, day, '17:05', '17:50') + late;
          const isCharged = random.chance(0.6);
          out(lab, tablet, between(lab, day, '07:05', '07:45'), isCharged || day === 22 ? noon : ends, 0.05);
          if (isCharged && day !== 22) out(lab, tablet, again, ends, 0.05);
        }
      }
      // the rest of the time one is lent to who practises
      for (const day of lab
        .workdays()
        .filter((each) => each !== 28 && ![14, 15, 16, 18, 21, 22].includes(each)))
        hands(lab, lab.phones, [lab.at(day, '09:00'), lab.at(day, '17:30')], 0.05, [30, 150]);
      for (const tablet of lab.phones) drainsOutside(lab, tablet, 11);
      background(lab, { glitches: 0.05 });
    },
  },
  {
    // shmakerspace.org and hacman.org.uk tell of such evenings. Whoever is the last to leave presses the main switch
    name: 'a hackerspace is open on two nights a week, and else when somebody has a key; members flash their phones there',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-03-16',
      hubs: [7],
      free: 4,
      usb: true,
      known: { slots: false },
      models: ['Nexus 5', 'OnePlus 6', 'Pixel 4a', 'Fairphone 4'],
    },
    tell(lab) {
      const { random } = lab;
      const house = [...lab.phones];
      const ports = lab.freePorts(lab.start);
      pinAll(house);
      // over Easter all of them are at a congress
      const isEmpty = (day: number) => day > 16 && day < 22;
      const nights: Time[] = [[lab.start, lab.at(0, '01:20')]];
      for (const day of lab.everyDay().filter((each) => !isEmpty(each))) {
        const weekday = lab.weekday(day);
        const isOpenNight = weekday === 2 || weekday === 4;
        const shut = isOpenNight
          ? between(lab, day + 1, '00:40', '03:50')
          : between(lab, day, '22:10', '26:00');
        if (isOpenNight) nights.push([between(lab, day, '18:20', '19:10'), shut]);
        else if (weekday === 6 && random.chance(0.8))
          nights.push([between(lab, day, '13:30', '16:30'), shut]);
        else if (random.chance(0.3)) nights.push([between(lab, day, '17:10', '20:20'), shut]);
      }
      for (const [index, [opens, shuts]] of nights.entries()) {
        powerless(lab, house, shuts, nights[index + 1]?.[0]);
        if (index === 0) continue;
        const last = shuts - 12 * MINUTE;
        // one of the house plays music, one is lent to whoever has none
        for (const phone of house)
          if (random.chance(0.35)) {
            const at = opens + random.between(8, 70) * MINUTE;
            out(lab, phone, at, Math.min(at + random.between(20, 200) * MINUTE, last));
          }
        const isOpenNight = [2, 4].includes(new Date(opens).getDay());
        for (const port of random
          .shuffled(ports)
          .slice(0, isOpenNight ? random.whole(2, 4) : random.whole(0, 1)))
          for (
            let at = opens + random.between(10, 190) * MINUTE;
            at < last - 25 * MINUTE && at < lab.end - HOUR;
            at += random.between(15, 120) * MINUTE
          ) {
            const guest = passes(lab, port, at, { asks: true, percent: random.whole(15, 80) });
            const until = Math.min(guest.allowed + random.between(18, 170) * MINUTE, last);
            // it is flashed, and flashed again with what should have been flashed
            for (
              at = guest.allowed + random.between(4, 18) * MINUTE;
              random.chance(0.6) && at < until - 9 * MINUTE;
              at += random.between(7, 30) * MINUTE
            )
              restart(lab, guest.phone, at, [45, 290], 'bootloader');
            guest.leave(until);
            at = until;
          }
      }
      background(lab, { glitches: 0, restarts: 0 });
    },
  },
  {
    // hackernoon.com, managing a mobile device lab: two or three devices on each desk, and colleagues who borrow them
    name: 'nine people share four desks, come on days of their own, and plug in their phones wherever they sit',
    lab: {
      zone: 'Europe/Brussels',
      from: '2026-10-12',
      hubs: [4, 4, 4, 4],
      free: 14,
      usb: true,
      models: ['Pixel 8a', 'Galaxy A54'],
    },
    tell(lab) {
      const { random } = lab;
      const common = [...lab.phones];
      // who comes when: 1 is Monday. Two come once a week, on a day that suits them
      const habits = [[1, 2, 4], [2, 4], [2, 3, 4], [2, 4, 5], [2], [1, 2, 3, 4], [2, 4], [], []];
      const comes = (person: number, day: number) => {
        const usual = habits[person] ?? [];
        // All Saints' is a Sunday; on Monday schools are closed, and so for the week
        const isHoliday = day > 20 && day < 26;
        if (usual.length === 0) return lab.weekday(day) === 2 + ((Math.floor(day / 7) + person) % 3);
        return usual.includes(lab.weekday(day)) && random.chance(isHoliday ? 0.35 : 0.88);
      };
      const desks = lab.hubs.map(({ ports }) =>
        random.shuffled(ports.filter((port) => lab.freePorts(lab.start).includes(port))),
      );
      const stayed = habits.map((): Stay[] => []);
      for (const day of lab.workdays()) {
        const left = desks.map((ports) => [...ports]);
        for (const person of random.shuffled(habits.map((_, index) => index))) {
          // some forget it at home
          if (!comes(person, day) || random.chance(0.04)) continue;
          const usual = left[person % 4] ?? [];
          const desk =
            usual.length > 0 && random.chance(0.65)
              ? usual
              : random.pick(left.filter(({ length }) => length > 0));
          const port = desk.splice(random.whole(0, desk.length - 1), 1)[0];
          let from = between(lab, day, '08:05', '10:25');
          const goes = between(lab, day, lab.weekday(day) === 5 ? '15:20' : '16:20', '18:50');
          const times = stayed[person] ?? [];
          // to lunch, to a meeting, to look at something in the hand
          for (let at = from + random.between(20, 150) * MINUTE; at < goes - 50 * MINUTE; ) {
            times.push({ from, to: at, port });
            from = at + random.pick([2, 7, 25, 55]) * MINUTE * random.between(0.7, 1.4);
            at = from + random.between(25, 200) * MINUTE;
          }
          if (from < goes - 2 * MINUTE) times.push({ from, to: goes, port });
        }
      }
      for (const times of stayed) comesFirst(lab, times, 'usb');
      for (const phone of common) phone.isPinned = true;
      for (const day of lab.workdays())
        hands(
          lab,
          common,
          [lab.at(day, '09:00'), lab.at(day, '17:00')],
          lab.weekday(day) % 2 ? 0.3 : 1.2,
          [4, 80],
        );
      background(lab, { glitches: 0.04 });
    },
  },
  {
    // tailscale/tailscale#1990: adb connect over a VPN. A phone is there while its owner works, and its screen is used
    name: 'six people work from Lisbon, Lagos and Manila, and their phones reach a virtual machine through a VPN',
    lab: { zone: 'Etc/UTC', from: '2026-03-16', hubs: [], direct: 0, models: ['Pixel 9a', 'Galaxy A36'] },
    tell(lab) {
      const { random } = lab;
      // Lisbon is an hour ahead from the last Sunday of March on, Lagos always is, Manila is eight
      const people: readonly { ahead: (day: number) => number; from: number; to: number; part: number }[] = [
        { ahead: (day) => (day < 13 ? 0 : 1), from: 9.2, to: 18, part: 0.92 },
        { ahead: (day) => (day < 13 ? 0 : 1), from: 10.5, to: 20.5, part: 0.85 },
        // on Wednesdays only, for a day
        { ahead: (day) => (day < 13 ? 0 : 1), from: 8.7, to: 16.5, part: 1 },
        { ahead: () => 1, from: 8, to: 16.8, part: 0.9 },
        { ahead: () => 8, from: 9, to: 18.5, part: 0.9 },
        // a night owl
        { ahead: () => 8, from: 15, to: 25.5, part: 0.8 },
      ];
      for (const [person, { ahead, from, to, part }] of people.entries()) {
        const times: Stay[] = [];
        for (const day of lab.everyDay()) {
          const isWednesday = lab.weekday(day) === 3;
          if (person === 2 ? !isWednesday : !lab.isWorkday(day)) continue;
          // Good Friday is the third of April; in Manila Thursday is free too
          if (day === 18 || (day === 17 && person > 3) || !random.chance(part)) continue;
          const zero = lab.at(day) - ahead(day) * HOUR;
          const ends = zero + (to + random.between(-0.8, 1.3)) * HOUR;
          let at = zero + (from + random.between(-0.4, 0.9)) * HOUR;
          while (at < ends) {
            // while nobody looks at it, it sleeps, and the VPN with it
            const sleepsAt = Math.min(at + random.between(12, 170) * MINUTE, ends);
            if (sleepsAt > at + MINUTE) times.push({ from: at, to: sleepsAt });
            at = sleepsAt + random.pick([4, 15, 40, 75]) * MINUTE * random.between(0.6, 1.4);
          }
          // something is tried once more after dinner
          if (random.chance(0.12))
            times.push({ from: ends + 2.2 * HOUR, to: ends + random.between(2.4, 3.5) * HOUR });
        }
        comesFirst(
          lab,
          times.filter((each) => each.from > lab.start + MINUTE),
          'tcp',
        );
      }
      // the machine beneath is updated, when nobody works
      hostRestarts(lab, lab.at(13, '05:00:40'));
      background(lab, { glitches: 0, restarts: 0, taken: 0, hours: [9, 15] });
    },
  },
  {
    // totallymod.com and smart-reg on rented devices: given out in the morning of the first day, back an hour after the end
    name: 'thirty scanners of conferences live in a case that is shut for weeks, and are out for three days, and for two',
    lab: {
      zone: 'America/Chicago',
      from: '2026-05-04',
      hubs: [16, 16],
      free: 2,
      known: { slots: false },
      models: ['Moto G Play'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      // when the case has power and the laptop is open; in the hotel the power stays on at night
      const open: { from: number; to: number; isPowered: boolean }[] = [];
      for (const day of [1, 2, 6, 14, 19, 27])
        open.push({
          from: between(lab, day, '09:10', '11:00'),
          to: between(lab, day, '14:00', '17:30'),
          isPowered: false,
        });
      const fairs = [
        [8, 9, 10, 11],
        [20, 21, 22],
      ];
      for (const days of fairs)
        for (const [index, day] of days.entries()) {
          const isLast = index === days.length - 1;
          const shuts: Span =
            index === 0 ? ['18:00', '20:30'] : isLast ? ['18:20', '19:10'] : ['19:30', '21:00'];
          open.push({
            from: between(lab, day, index === 0 ? '12:30' : '06:20', index === 0 ? '14:00' : '06:50'),
            to: between(lab, day, ...shuts),
            isPowered: !isLast,
          });
          if (index === 0) continue;
          for (const phone of random.shuffled(lab.phones).slice(0, random.whole(20, 28))) {
            const from = between(lab, day, '07:10', index === 1 ? '09:40' : '08:40');
            const to = between(lab, day, isLast ? '15:10' : '16:45', isLast ? '17:20' : '18:30');
            // it runs out before the end, and is changed for another
            const empty = between(lab, day, '12:30', '14:30');
            absences.push({ phone, from, to: random.chance(0.12) ? empty : to });
          }
        }
      open.sort((one, other) => one.from - other.from);
      // two stay at a stand for the night, and one comes with a courier when the case is open again
      const [kept, other, sent] = random.shuffled(lab.phones);
      for (const [phone, day, until] of [
        [kept, 9, 11],
        [other, 10, 11],
        [sent, 11, 14],
      ] as const)
        if (phone)
          absences.unshift({
            phone,
            from: between(lab, day, '07:12', '07:30'),
            to: between(lab, until, until === 14 ? '11:20' : '15:20', until === 14 ? '13:40' : '16:40'),
          });
      shared(lab, absences);
      let asleep = lab.start - 72 * HOUR;
      for (const [index, { from, to, isPowered }] of open.entries()) {
        sleeps(lab, asleep, from);
        asleep = to + random.between(0.5, 3) * MINUTE;
        if (!isPowered) powerless(lab, lab.phones, to, (open[index + 1]?.from ?? lab.end) + 8 * SECOND);
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 7);
    },
  },
  {
    name: 'a trade school teaches in blocks of a week, is closed for a week of sports, and has a course on Wednesday evenings',
    lab: {
      zone: 'Europe/Zurich',
      from: '2026-01-26',
      hubs: [10, 10],
      free: 3,
      usb: true,
      models: ['Galaxy A14', 'Nokia G22', 'Pixel 6a'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      // a pair has one at their bench, and comes to the rack to install what they have built, and to see what it says
      const lesson = (day: number, [from, to]: Span, pairs: number) => {
        for (const phone of random.shuffled(lab.phones).slice(0, pairs)) {
          const over = between(lab, day, to, to) + random.between(-8, 6) * MINUTE;
          for (
            let at = lab.at(day, from) + random.between(6, 45) * MINUTE;
            at < over - 12 * MINUTE;
            at += random.between(3, 16) * MINUTE
          ) {
            const back = Math.min(at + random.between(4, 55) * MINUTE, over);
            absences.push({ phone, from: at, to: back });
            at = back;
          }
        }
      };
      const isSports = (day: number) => day > 13 && day < 21;
      for (const day of lab.workdays().filter((each) => !isSports(each))) {
        const week = Math.floor(day / 7);
        const isFriday = lab.weekday(day) === 5;
        // classes are of different sizes; in the second week there is none
        const pairs = [8, 0, 0, 13, 10][week] ?? 0;
        if (pairs > 0 && !(week === 0 && lab.weekday(day) === 3)) {
          lesson(day, ['08:10', '11:50'], pairs);
          if (!isFriday || week === 3)
            lesson(day, ['13:05', isFriday ? '14:40' : '16:15'], pairs - random.whole(0, 2));
        }
        if (lab.weekday(day) === 3) lesson(day, ['18:30', '21:15'], 6);
      }
      shared(lab, absences);
      // the teacher makes them ready on the Friday before a new class
      for (const day of [4, 18, 25])
        for (const [index, phone] of lab.phones.entries())
          restart(lab, phone, lab.at(day, '16:50') + index * 110 * SECOND, [80, 140], 'reboot,recovery');
      background(lab, { glitches: 0.05 });
    },
  },
  {
    // sailings are called off for wind and swell; until the end of October there is one more in the evening
    name: 'those who sell tickets on a ferry take handhelds on its crossings, which the weather calls off',
    lab: {
      zone: 'Atlantic/Faroe',
      from: '2026-10-12',
      hubs: [7],
      free: 2,
      known: { slots: false },
      models: ['Sunmi L2s', 'Zebra TC27'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const absences: Absence[] = [];
      // from the evening of the first storm on, and for a day and a half
      const calledOff: readonly Time[] = [
        [lab.at(4, '12:30'), lab.at(5, '17:00')],
        [lab.at(11, '05:00'), lab.at(11, '14:30')],
        [lab.at(17, '17:00'), lab.at(19, '08:00')],
        [lab.at(26, '09:00'), lab.at(26, '21:00')],
      ];
      for (const day of lab.everyDay()) {
        const weekday = lab.weekday(day);
        const isSummer = day < 13;
        const crossings = [
          ...(weekday > 0 && weekday < 6
            ? ['06:45', '10:15', '15:30']
            : weekday === 6
              ? ['08:30', '13:00']
              : ['10:45']),
          '18:00',
          ...(isSummer && weekday !== 2 ? ['20:30'] : []),
          ...(weekday === 5 ? ['22:00'] : []),
        ];
        for (const [index, time] of crossings.entries()) {
          const sails = lab.at(day, time);
          if (calledOff.some(([from, to]) => sails > from && sails < to)) continue;
          const isFull = weekday === 5 || weekday === 0;
          for (const phone of random.shuffled(lab.phones).slice(0, isFull ? 3 : random.whole(1, 2))) {
            const from = sails - random.between(9, 28) * MINUTE;
            const to = sails + random.between(62, 96) * MINUTE;
            // the crew changes on the other side, and it stays aboard until that one has its day off
            const isAboard = index === crossings.length - 1 && random.chance(0.08);
            absences.push({ phone, from, to: isAboard ? between(lab, day + 1, '08:00', '11:40') : to });
          }
        }
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 13);
      background(lab, { glitches: 0.05, restarts: 0 });
    },
  },
  {
    // Genymobile/scrcpy: what a phone shows is recorded over its cable, so that it stays there while somebody plays
    name: 'a team of players trains from noon to late at night at its cables, and has matches elsewhere on weekends',
    lab: {
      zone: 'Asia/Manila',
      from: '2026-04-06',
      hubs: [],
      direct: 6,
      usb: true,
      known: { slots: false },
      models: ['ROG Phone 9', 'iQOO 13', 'RedMagic 10'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // some play at the venue on two days of a weekend; the last week is the final, in another town
      const matches = new Map([
        [4, '16:00'],
        [5, '13:00'],
        [12, '18:30'],
        [13, '16:00'],
        [18, '19:00'],
        [20, '13:00'],
      ]);
      const final = { from: 23, to: 28 };
      for (const [index, phone] of lab.phones.entries()) {
        // he who is on the bench stays at home
        const isSixth = index === 5;
        for (const day of lab.everyDay()) {
          if (!isSixth && day > final.from && day < final.to) continue;
          const match = matches.get(day);
          // on Mondays they are free
          const isFree = lab.weekday(day) === 1;
          if (!isSixth && day === final.from) {
            out(lab, phone, between(lab, day, '07:30', '08:10'), between(lab, final.to, '17:00', '20:30'));
            continue;
          }
          if (match !== undefined && !isSixth) {
            const at = lab.at(day, match) - random.between(3.2, 3.5) * HOUR;
            const back = lab.at(day, match) + random.between(2.8, 6.5) * HOUR;
            out(lab, phone, at, back);
          } else if (isFree) {
            const at = between(lab, day, '11:00', '17:00');
            if (random.chance(0.6)) out(lab, phone, at, at + random.between(0.5, 7) * HOUR);
          } else {
            // before they train; some think that it must be fresh
            if (random.chance(index % 2 ? 0.7 : 0.1))
              restart(lab, phone, between(lab, day, '12:40', '13:25'), [24, 42], 'reboot');
            const eats = between(lab, day, '18:40', '19:20');
            if (random.chance(0.6)) out(lab, phone, eats, eats + random.between(25, 75) * MINUTE);
            // two swap their seats, or one plays on the sofa
            if (random.chance(0.15)) {
              const at = between(lab, day, '20:30', '23:30');
              out(lab, phone, at, at + random.between(8, 90) * MINUTE);
            }
          }
          // it goes to bed with its owner, at four
          if (random.chance(index < 3 ? 0.75 : 0.25) && day + 1 !== final.from)
            out(lab, phone, between(lab, day + 1, '01:40', '04:20'), between(lab, day + 1, '10:50', '12:25'));
        }
      }
      // a new season of the game: all of them take it on one morning, and restart
      for (const phone of lab.phones)
        restart(lab, phone, between(lab, 15, '12:28', '12:50'), [28, 50], 'reboot,userrequested');
      background(lab, { glitches: 0.05 });
    },
  },
  {
    // ininet.org, daily logistics of a survey: its coordinator charges all overnight; here while the generator runs
    name: 'fifteen tablets of a survey are out by day and in far villages, and charge while a generator runs in the evening',
    lab: {
      zone: 'Indian/Antananarivo',
      from: '2026-06-01',
      hubs: [16],
      free: 1,
      known: { slots: false },
      models: ['Galaxy Tab Active3', 'Lenovo Tab M8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const hub = lab.hubs[0]?.ports ?? [];
      // the generator, from its first evening in the district on; on one day there is no fuel, on Sundays it runs for less
      const evenings: { day: number; from: number; to: number }[] = [];
      for (let day = 5; day < 27; day += 1) {
        if (day === 15) continue;
        const isSunday = lab.weekday(day) === 0;
        evenings.push({
          day,
          from: between(lab, day, '17:50', '18:20'),
          to: between(lab, day, isSunday ? '20:30' : '21:50', isSunday ? '21:20' : '22:40'),
        });
      }
      // five teams of three; whose villages are far sleeps there for two or three nights
      const awayUntil = [0, 0, 0, 0, 0];
      const there = new Map(evenings.map(({ day }) => [day, new Set<LabPhone>()]));
      for (const { day } of evenings)
        for (let team = 0; team < 5; team += 1) {
          const isOnWay = day < (awayUntil[team] ?? 0);
          const leaves = !isOnWay && lab.weekday(day) !== 0 && random.chance(0.18);
          if (leaves) awayUntil[team] = day + random.whole(2, 3);
          if (isOnWay || leaves) continue;
          for (const tablet of lab.phones.slice(team * 3, team * 3 + 3)) there.get(day)?.add(tablet);
        }
      const bags = new Map(lab.phones.map((tablet) => [tablet, between(lab, 4, '13:10', '14:00')]));
      const trained = lab.everyDay().slice(0, 4);
      // in town they learn how to ask, with power all day
      for (const day of trained)
        for (const tablet of lab.phones)
          out(lab, tablet, between(lab, day, '08:20', '08:50'), between(lab, day, '16:10', '16:50'), 0.03);
      const seats = new Map(evenings.map(({ day }) => [day, random.shuffled(hub)]));
      for (const { day, from, to } of evenings)
        for (const [index, tablet] of lab.phones.entries()) {
          if (!there.get(day)?.has(tablet)) continue;
          // most hang at the hub before it has power, some come late, and one is not charged, as it is full
          const isLate = random.chance(0.2);
          if (isLate && random.chance(0.3)) continue;
          const back = isLate ? from + random.between(5, 100) * MINUTE : from + random.between(2, 7) * SECOND;
          const left = bags.get(tablet);
          if (left !== undefined) carried(lab, tablet, left, back, seats.get(day)?.[index]);
          bags.set(tablet, to + random.between(0, 0.9) * SECOND);
        }
      // back in town
      const home = between(lab, 27, '10:00', '11:00');
      for (const [index, tablet] of lab.phones.entries()) {
        const left = bags.get(tablet);
        if (left !== undefined)
          carried(lab, tablet, left, home + index * random.between(30, 100) * SECOND, hub[index]);
      }
      // the laptop has its own battery, and is shut while nobody works
      let asleep = lab.at(4, '15:30');
      for (const { from, to } of evenings) {
        sleeps(lab, asleep, from - random.between(3, 25) * MINUTE);
        asleep = to + random.between(2, 20) * MINUTE;
      }
      sleeps(lab, asleep, home - 10 * MINUTE);
      for (const tablet of lab.phones) drainsOutside(lab, tablet, 4);
    },
  },
  {
    // ReactiveCircus/android-emulator-runner#93: what students hand in is marked by tests on an Android of its own;
    // remote-android/redroid-doc: that is a container
    name: 'ten containers mark what students hand in: hardly any on most days, and all of them before a deadline',
    lab: { zone: 'Asia/Kolkata', from: '2026-03-23', hubs: [], direct: 1, models: ['Pixel 7'] },
    tell(lab) {
      const { random } = lab;
      const containers = Array.from({ length: 10 }, () => {
        const container = lab.add('tcp', { isThereAtFirst: false });
        container.isPinned = true;
        container.reading = () => undefined;
        return container;
      });
      // twice on a Sunday at midnight, and who is late has another day; the third is an examination
      const deadlines = [lab.at(7), lab.at(21), lab.at(28, '18:00')];
      const free = containers.map(() => lab.start + 5 * MINUTE);
      /** How many are handed in, an hour. */
      const often = (at: number) => {
        const hour = new Date(at).getHours();
        const part = hour < 2 ? 0.7 : hour < 9 ? 0.08 : hour < 19 ? 0.6 : 1;
        const next = deadlines.find((each) => each > at);
        const left = next === undefined ? Number.POSITIVE_INFINITY : (next - at) / HOUR;
        const past = Math.min(...deadlines.map((each) => (each <= at ? (at - each) / HOUR : 99)));
        const rush = left < 4 ? 75 : left < 12 ? 26 : left < 30 ? 9 : left < 100 ? 2 : 0.5;
        return left < 4 ? rush : (past < 24 ? 4 + rush : rush) * part;
      };
      for (let at = lab.start + 20 * MINUTE; at < lab.end - HOUR; at += 10 * MINUTE)
        for (let left = random.poisson(often(at) / 6); left > 0; left -= 1) {
          // it waits until one is free
          const index = free.indexOf(Math.min(...free));
          const container = containers[index];
          const begins = Math.max(at + random.between(0, 10) * MINUTE, free[index] ?? 0);
          if (container === undefined || begins > lab.end - HOUR) continue;
          const forMs = random.between(2.5, 9) * MINUTE;
          job(lab, container, begins, forMs);
          free[index] = begins + forMs + random.between(6, 20) * SECOND;
        }
      // with whose phone the tests are written
      background(lab, { taken: 3, hours: [11, 19] });
    },
  },
];
