/**
 * Months of ordinary labs: phones that people roll, borrow, review, give away, teach with, repair and carry between two desks,
 * phones that programs write anew, restore, restart and cut from power, and devices that are reached over the network while
 * somebody drives them, sells with them, or translates on them.
 */
import type { Port } from '../../room.ts';
import { background, inUse, levels } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { drainsOutside, hostIsOff } from './at-length.ts';
import { daysOf, passes } from './at-work.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { along, comes, lent, updates } from './in-racks.ts';

/** A cart with a hub is pulled from the host, and plugged in there again; those that are left somewhere else follow later. */
function rolled(lab: Lab, from: number, to: number, left: ReadonlyMap<LabPhone, number>): void {
  const [off, on] = [Math.round(from), Math.round(to)];
  const onIt = lab.phonesOf(0).filter((phone) => {
    const until = on + (left.get(phone) ?? 0) + MINUTE;
    return until < lab.end && lab.isFree(phone, off - MINUTE, until);
  });
  for (const phone of onIt) {
    const later = left.get(phone) ?? 0;
    lab.lose(phone, off + seconds(lab, 0, 0.8), {
      forMs: on - off + later + seconds(lab, 1, 5),
      gone: 'hub',
    });
  }
}

/** A phone forgets a computer that it was not at for a week (AOSP, AdbDebuggingManager), and asks. */
const FORGOTTEN_MS = 7 * DAY;

/** Somebody has it for hours or for days, and allows debugging again where it asks. */
function borrowed(lab: Lab, phone: LabPhone, from: number, to: number): void {
  const asks = to - from > FORGOTTEN_MS;
  const allowed = Math.round(to + (asks ? seconds(lab, 5, 80) : 0));
  if (from < lab.start + MINUTE || !lab.isFree(phone, from - MINUTE, allowed + MINUTE)) return;
  if (allowed > lab.end - HOUR) {
    lab.lose(phone, from);
    return;
  }
  lab.lose(phone, from, { forMs: to - from, backAs: asks ? 'unauthorized' : 'device' });
  if (!asks) return;
  lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  phone.busy.push({ from: to, to: allowed + MINUTE });
}

/** It lies without a cable from one evening on, while a video runs or its reviewer lives with it. */
function livedWith(lab: Lab, phone: LabPhone, day: number): void {
  const [next] = lab.workdays(day + 1, day + 6);
  if (next !== undefined)
    out(lab, phone, between(lab, day, '17:10', '18:40'), between(lab, next, '09:10', '12:30'));
}

/** They are in a lesson: handed out one by one, put back one by one, and now and then two into each other's slot. */
function inLesson(lab: Lab, tablets: readonly LabPhone[], from: number, to: number): void {
  const used = tablets.filter((tablet) => lab.isFree(tablet, from - 2 * MINUTE, to + 12 * MINUTE));
  const taken = new Map<LabPhone, number>();
  along(lab, used, from, [5, 13], (tablet, at) => taken.set(tablet, at));
  const ports = new Map<LabPhone, Port | undefined>();
  for (const tablet of used) ports.set(tablet, lab.portOf(tablet, from));
  const [one, other] = lab.random.shuffled(used);
  if (one && other && lab.random.chance(0.3)) {
    const port = ports.get(one);
    ports.set(one, ports.get(other));
    ports.set(other, port);
  }
  along(lab, lab.random.shuffled(used), to, [4, 16], (tablet, back) => {
    const at = taken.get(tablet) ?? from;
    const port = ports.get(tablet);
    lab.lose(tablet, at, {
      forMs: back - at,
      ...(port && port !== lab.portOf(tablet, from) && { to: port }),
    });
  });
}

/** Somebody carries it to a port of another hub. */
function carriedTo(lab: Lab, phone: LabPhone, at: number, to: Port): void {
  lab.lose(phone, at, { forMs: seconds(lab, 14, 150), to });
}

/** It is switched off and opened, and gets a new battery, which comes half full. */
function getsBattery(lab: Lab, phone: LabPhone, at: number, hidden: number): number {
  const [from, back] = [Math.round(at), Math.round(at + minutes(lab, 42, 95))];
  lab.maintenance(phone, hidden, 6 * HOUR, 'new battery', back + 25 * MINUTE);
  lab.lose(phone, from, { forMs: back - from });
  const later = seconds(lab, 6, 32);
  lab.rebooted(phone, back + later, {
    reason: 'cold,powerkey',
    uptimeSeconds: Math.round(later / SECOND + lab.random.between(40, 420)),
  });
  lab.phone(phone, back + 8 * MINUTE, { kind: 'note', text: 'new battery' });
  const usual = inUse(lab);
  const shipped = levels(
    [
      [back, lab.random.whole(44, 58)],
      [back + 2.2 * HOUR, 100],
    ],
    298,
  );
  phone.reading = (moment) => (moment > back && moment < back + 2.2 * HOUR ? shipped(moment) : usual(moment));
  return back;
}

export const examQuiet: readonly QuietMonth[] = [
  {
    // shopify.com, partners' blog: the device lab of the office in Montreal is off the wall, and has wheels
    name: 'the device lab of an office in Montreal stands on wheels, and is rolled to whichever desk needs all of it',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-19',
      hubs: [10],
      free: 1,
      usb: true,
      models: ['Pixel 7', 'Galaxy S21', 'Moto G Power', 'OnePlus 9', 'Galaxy Tab A8'],
    },
    tell(lab) {
      const { random } = lab;
      const days = lab.workdays();
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        let at = between(lab, day, '09:25', '12:30');
        for (let rolls = random.pick([0, 0, 1, 1, 2]); rolls > 0 && at < lab.at(day, '16:30'); rolls -= 1) {
          // at the end of a day it is left where it is
          const stays = rolls === 1 && next !== undefined && random.chance(0.15);
          const to = stays ? between(lab, next, '09:00', '10:40') : at + minutes(lab, 25, 190);
          const [lone] = random.shuffled(lab.phones);
          const left = new Map<LabPhone, number>();
          if (lone && !stays && random.chance(0.25)) left.set(lone, minutes(lab, 6, 130));
          rolled(lab, at, to, left);
          at = to + minutes(lab, 20, 120);
        }
      }
      // in its corner somebody takes a single one
      lent(lab, lab.phones, 1.3, { minutes: [3, 90], overnight: 0.04 });
      for (const phone of lab.phones) drainsOutside(lab, phone, 5);
      background(lab, { taken: 0, restarts: 0.6, hours: [9, 17.5] });
    },
  },
  {
    // jojole.me, DeviceVault at WillowTree: who borrows forgets to say so, and a message asks for all of them
    name: 'four teams of an agency borrow twenty-six phones for hours or days, and a message on every second Friday asks for all that are out',
    lab: {
      zone: 'America/New_York',
      from: '2026-06-08',
      hubs: [16, 16],
      free: 6,
      models: ['Pixel 8', 'Galaxy S22', 'Galaxy A14', 'Pixel 6a', 'Moto Edge', 'OnePlus Nord'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // Juneteenth, and the Friday before the fourth of July
      const days = lab.workdays().filter((day) => ![11, 25].includes(day));
      const asked = [4, 18];
      for (const phone of lab.phones) {
        const often = random.pick([1, 2, 4, 7]);
        for (let left = random.poisson(often); left > 0; left -= 1) {
          const day = random.pick(days);
          const from = between(lab, day, '09:10', '17:20');
          if (random.chance(0.55)) {
            borrowed(lab, phone, from, from + minutes(lab, 12, 240));
            continue;
          }
          const due = day + random.pick([1, 1, 2, 3, 5, 9, 12]);
          const back = days.find((each) => each >= due) ?? lab.days + 2;
          const friday = asked.find((each) => each > day && each < back);
          // the message brings most of them back that afternoon, and the others on Monday
          const brought =
            friday === undefined
              ? between(lab, back, '09:15', '17:30')
              : random.chance(0.75)
                ? between(lab, friday, '14:05', '17:20')
                : between(lab, friday + 3, '09:05', '11:10');
          borrowed(lab, phone, from, brought);
        }
        drainsOutside(lab, phone, 3);
      }
      for (const phone of lab.phones)
        for (let left = random.poisson(0.5); left > 0; left -= 1)
          restart(lab, phone, between(lab, random.pick(days), '09:30', '17:00'), [30, 70], 'reboot,adb');
      background(lab, { hours: [9, 18] });
    },
  },
  {
    // expertreviews.com, how we test phones, and computerworld.com: up to date first, then batteries, cameras, days of use
    name: 'two reviewers of a magazine in London test seven phones, each of which comes by post, is lived with, and goes back after its review',
    lab: {
      zone: 'Europe/London',
      from: '2026-02-23',
      hubs: [7],
      free: 3,
      known: { slots: false },
      models: ['Pixel 9', 'Galaxy S25', 'Nothing Phone 3', 'Xperia 1'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const lives = lab.phones.map((phone, index) => ({ phone, from: 0, to: [9, 17, 40, 40][index] ?? 40 }));
      const ports = lab.freePorts(lab.start);
      // new ones come after the congress in Barcelona
      for (const [index, [name, day]] of (
        [
          ['Xiaomi 16', 8],
          ['Honor Magic 8', 10],
          ['Galaxy A57', 18],
        ] as const
      ).entries()) {
        const port = ports[index];
        if (port === undefined) continue;
        const at = between(lab, day, '10:15', '15:40');
        const phone = comes(lab, port, at, { name, percent: random.whole(38, 62) });
        phone.isPinned = true;
        const build = `BP4A.26030${index}`;
        updates(lab, phone, at + minutes(lab, 40, 75), [55, 130], { build, buildBefore: 'BP3A.250905' });
        lives.push({ phone, from: day + 1, to: day + 16 });
      }
      for (const { phone, from, to } of lives) {
        const until = Math.min(to, lab.days - 1);
        for (const day of lab.workdays(from + 1, until)) {
          if (random.chance(0.35)) livedWith(lab, phone, day);
          for (let left = random.poisson(0.9); left > 0; left -= 1) {
            const at = between(lab, day, '09:40', '16:30');
            out(lab, phone, at, at + minutes(lab, random.chance(0.6) ? 4 : 60, 170));
          }
        }
        // it is wiped, and goes into its box
        if (to < lab.days - 1) {
          const at = between(lab, to, '13:10', '16:40');
          if (lab.isFree(phone, at, lab.end)) lab.lose(phone, at);
        }
      }
      background(lab, { hours: [9.5, 17.5] });
    },
  },
  {
    // en.reset.org, Wir packen's an: old phones are collected, looked through, and given to people on the move
    name: 'volunteers in Berlin look through forty given phones on four Saturdays, and their computer is off between them',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-09-05',
      days: 30,
      hubs: [10],
      free: 9,
      known: { slots: false, usbPath: false },
      models: ['Fairphone 3'],
    },
    tell(lab) {
      const { random } = lab;
      const [own] = lab.phones;
      const ports = lab.freePorts(lab.start);
      const saturdays = daysOf(lab, 6).slice(0, 4);
      let off = lab.start + SECOND;
      for (const day of saturdays) {
        const on = between(lab, day, '09:50', '10:15');
        hostIsOff(lab, off, on);
        off = between(lab, day, '15:50', '16:50');
        // each of six cables is used in turn, until there is no other phone or no time
        const cables = ports.slice(0, 6).map((port) => ({ port, at: on + minutes(lab, 6, 35) }));
        for (let left = random.whole(9, 11); left > 0; left -= 1) {
          const cable = cables.reduce((one, next) => (next.at < one.at ? next : one));
          const until = cable.at + minutes(lab, 24, 75);
          if (until > off - 10 * MINUTE) break;
          const { phone, allowed, leave } = passes(lab, cable.port, cable.at, {
            asks: true,
            percent: random.whole(12, 60),
          });
          // some are started once more for a look at their buttons
          if (random.chance(0.3))
            restart(lab, phone, allowed + minutes(lab, 6, 14), [30, 75], 'reboot,userrequested');
          // the reset ends its debugging
          leave(until);
          cable.at = until + minutes(lab, 5, 25);
        }
      }
      hostIsOff(lab, off, lab.end + DAY);
      if (own) own.reading = inUse(lab);
    },
  },
  {
    // scaleselementary.net, checkout of carts: for two hours at most, back by a quarter past two with all of them plugged in
    name: 'a school hands out the twenty-four tablets of a cart by a calendar, and needs them for four mornings of tests before Thanksgiving',
    lab: {
      zone: 'America/Chicago',
      from: '2026-10-26',
      days: 33,
      hubs: [16, 10],
      free: 2,
      usb: true,
      models: ['Galaxy Tab A9', 'Lenovo Tab M9'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // nobody is there on the day of the veterans, and in the week of Thanksgiving after Tuesday
      const days = lab.workdays().filter((day) => day !== 16 && day < 30);
      const tests = [21, 22, 23, 24];
      const numbered = lab.phones;
      for (const day of days) {
        if (tests.includes(day)) {
          inLesson(lab, numbered, between(lab, day, '08:20', '08:40'), between(lab, day, '11:25', '11:50'));
          continue;
        }
        for (const [begins, ends, often] of [
          ['08:35', '09:40', 0.45],
          ['10:05', '11:15', 0.55],
          ['12:40', '13:50', 0.5],
        ] as const) {
          if (!random.chance(often)) continue;
          const pupils = random.whole(17, 24);
          const from = lab.at(day, begins) + minutes(lab, 0, 9);
          inLesson(
            lab,
            random.shuffled(numbered).slice(0, pupils),
            from,
            lab.at(day, ends) + minutes(lab, -6, 4),
          );
        }
        // a teacher keeps one for the afternoon, or until the next morning
        const [kept] = random.shuffled(numbered);
        const next = days.find((each) => each > day);
        if (kept && next !== undefined && random.chance(0.15))
          out(
            lab,
            kept,
            between(lab, day, '14:05', '14:40'),
            random.chance(0.5) ? lab.at(day, '15:20') : between(lab, next, '07:30', '08:15'),
          );
      }
      for (const tablet of numbered) drainsOutside(lab, tablet, 9);
      background(lab, { restarts: 0, hours: [8, 15], glitches: 0.03 });
    },
  },
  {
    // a1qa.com, how to maintain your devices: up to a dozen need no strict control of who has which
    name: 'two testers take some of seven phones from a shelf to the hubs at their desks in the morning, and mostly bring them back',
    lab: {
      zone: 'Europe/Vilnius',
      from: '2026-05-04',
      hubs: [7, 4, 4],
      free: 8,
      usb: true,
      models: ['Galaxy S23', 'Pixel 7', 'Redmi Note 12', 'Galaxy A34'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const home = new Map(lab.phones.map((phone) => [phone, lab.portOf(phone, lab.start)]));
      const at = new Map<LabPhone, number>();
      for (const day of lab.workdays()) {
        // the second of them has a week off
        const desks = day > 13 && day < 21 ? [1] : [1, 2];
        for (const desk of desks) {
          const kept = lab.phones.filter((phone) => at.get(phone) === desk);
          const taken = new Set(kept.map((phone) => lab.portOf(phone, lab.at(day, '08:00'))));
          const free = random.shuffled((lab.hubs[desk]?.ports ?? []).filter((port) => !taken.has(port)));
          const wanted = random
            .shuffled(lab.phones.filter((phone) => !at.has(phone)))
            .slice(0, Math.min(free.length, random.whole(0, 3)));
          along(lab, wanted, between(lab, day, '08:25', '09:50'), [25, 240], (phone, moment, index) => {
            const port = free[index];
            if (port === undefined) return;
            at.set(phone, desk);
            carriedTo(lab, phone, moment, port);
          });
        }
        for (const desk of desks) {
          const there = lab.phones.filter((phone) => at.get(phone) === desk);
          // most tests are done in the hand
          for (const phone of there)
            for (let left = random.poisson(1.8); left > 0; left -= 1) {
              const begins = between(lab, day, '10:15', '16:10');
              out(lab, phone, begins, begins + minutes(lab, 2, 28));
            }
          const back = there.filter(() => random.chance(0.8));
          along(lab, back, between(lab, day, '16:45', '17:40'), [15, 90], (phone, moment) => {
            const port = home.get(phone);
            at.delete(phone);
            if (port) carriedTo(lab, phone, moment, port);
          });
        }
      }
      background(lab, { hours: [9, 17], glitches: 0.05 });
    },
  },
  {
    // mercomrepair.com: handhelds come to a depot by the box, and are tested before they go back
    name: 'repaired scanners stand in a dock of a depot for one night each, restart there three times, and are packed in the morning',
    lab: {
      zone: 'America/Denver',
      from: '2026-04-13',
      hubs: [10],
      free: 9,
      models: ['TC52', 'TC57', 'CK65'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const ports = lab.freePorts(lab.start);
      const days = lab.workdays(0, lab.days - 2);
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        if (next === undefined) break;
        const many = random.pick([0, 2, 2, 3, 4]);
        const begins = between(lab, day, '14:30', '16:10');
        along(lab, ports.slice(0, many), begins, [60, 900], (port, at) => {
          const { phone, leave } = passes(lab, port, at, { percent: random.whole(35, 80) });
          // at eight, at midnight and at four, each at its own pace
          for (const hours of [20, 24, 28])
            restart(lab, phone, lab.at(day) + hours * HOUR + minutes(lab, 0, 25), [38, 62], 'reboot');
          leave(between(lab, next, '08:40', '11:30'));
        });
      }
      background(lab, { hours: [8, 17] });
    },
  },
  {
    // openstf/stf#426: batteries that are held full swell within two years, so these are renewed before
    name: 'a technician gives twelve of forty phones new batteries, three on each Wednesday',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-07-06',
      hubs: [16, 16, 10],
      free: 2,
      models: ['Redmi 9', 'Galaxy M12', 'Realme 8', 'Moto G31', 'Nokia 5.4'],
    },
    tell(lab) {
      const { random } = lab;
      const old = random.shuffled(lab.phones).slice(0, 12);
      for (const [index, day] of daysOf(lab, 3).slice(0, 4).entries()) {
        const hidden = Math.round(between(lab, day, '10:20', '10:50'));
        let at = hidden + minutes(lab, 6, 20);
        for (const phone of old.slice(index * 3, index * 3 + 3)) {
          phone.isPinned = true;
          at = getsBattery(lab, phone, at, hidden) + minutes(lab, 5, 20);
        }
      }
      background(lab, { taken: 1.1, restarts: 0.7, hours: [10, 19], glitches: 0.04 });
    },
  },
];
