/**
 * Months in which no day is like the one before: what people do follows calls, watches, tides, deadlines, fairs, harvests,
 * holidays and moves, and seldom a clock.
 */
import { background, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { sleeps } from './at-home.ts';
import { type Absence, shared } from './at-work.ts';
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
function powerless(lab: Lab, phones: readonly LabPhone[], off: number, on = lab.end): void {
  const isBack = on < lab.end - MINUTE;
  const sitting = phones.filter((phone) => lab.isFree(phone, off - MINUTE, Math.min(on + MINUTE, lab.end)));
  lab.loseAll(sitting, off, {
    spreadMs: 900,
    gone: 'hub',
    ...(isBack && { forMs: on - off, backSpreadMs: 5 * SECOND }),
  });
}

/** The host is shut down, and started later: what sits in it stays where it is. */
function hostIsOff(lab: Lab, off: number, on: number): void {
  const [from, to] = [Math.round(off), Math.round(on)];
  lab.host(from, { kind: 'agentStopped' });
  lab.host(to, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: to - lab.random.whole(25, 60) * SECOND,
    lastAliveAt: from,
  });
  for (const phone of lab.phones) phone.busy.push({ from: from - MINUTE, to: to + MINUTE });
}

/** It drains while it is out, and charges where it sits. */
function drainsOutside(lab: Lab, phone: LabPhone, percentAnHour: number): void {
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
      background(lab, { glitches: 0, isUpdated: false, hours: [12, 16], weekdays: new Set([1, 2, 4]) });
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
      hostIsOff(lab, aboard(14, 13.2), aboard(14, 13.9));
      hostIsOff(lab, aboard(16, 19.1), aboard(16, 19.5));
      background(lab, { glitches: 0.05 });
    },
  },
  {
    // openlabs and hackathons lend phones over a desk; droidista.blogspot.com, September 2015, asks how they come back
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
];
