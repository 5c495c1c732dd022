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
import { hasRestarted, merged, nightly, type Span, unread } from './by-machine.ts';
import { job } from './calm.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { along, comes, lent, updates } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

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

/** Its recovery puts back what the last job has changed, while adb lists it as such. @returns when it runs again */
function restored(lab: Lab, phone: LabPhone, from: number): number | undefined {
  const begun = seconds(lab, 21, 33);
  const done = Math.round(from + begun + seconds(lab, 58, 128));
  const back = Math.round(done + seconds(lab, 36, 61));
  if (back > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, back + 2 * MINUTE)) return undefined;
  lab.lose(phone, from, { forMs: begun, backAs: 'recovery' });
  lab.lose(phone, done, { forMs: back - done });
  hasRestarted(lab, phone, back, 'reboot');
  return back;
}

/** It restarts on the network, and is found again where it was. */
function restartsOnAir(lab: Lab, device: LabPhone, at: number, up: number, reason = 'reboot'): void {
  if (up > lab.end - HOUR || !lab.isFree(device, at - MINUTE, up + 2 * MINUTE)) return;
  unreached(lab, device, at, up);
  hasRestarted(lab, device, up, reason);
}

/** With its ignition a bus gives power to the machine at its door, and takes it some time after that. */
function inYard(lab: Lab, machine: LabPhone, times: readonly (Span & { isStart: boolean })[]): void {
  onlyIn(lab, machine, times, 3 * MINUTE);
  const spans = merged(times, 3 * MINUTE);
  for (const { from } of times.filter(({ isStart }) => isStart))
    if (from > lab.start + 2 * MINUTE && from < lab.end - HOUR && spans.some((span) => span.from === from))
      hasRestarted(lab, machine, from);
}

export const ordinary: readonly QuietMonth[] = [
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
  {
    // LUCI Swarming, bot_config: a bot restarts its computer when it is up for a day, give or take a tenth, and no task runs
    name: 'a bot with two phones restarts its computer about once a day, when its task is over',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-02-23',
      hubs: [],
      direct: 2,
      usb: true,
      models: ['Moto G4', 'Pixel 4'],
    },
    tell(lab) {
      const { random } = lab;
      for (
        let at = lab.start + random.between(2, 22) * HOUR;
        at < lab.end - HOUR;
        at += 24 * HOUR * random.between(0.9, 1.1) + minutes(lab, 0, 38)
      ) {
        const sitting = lab.phones.filter((phone) => lab.isFree(phone, at - MINUTE, at + 4 * MINUTE));
        const up = Math.round(at + seconds(lab, 74, 112));
        hostIsOff(lab, at, up);
        for (const phone of sitting)
          if (random.chance(0.12))
            lab.lose(phone, up + seconds(lab, 0.4, 0.9), { forMs: seconds(lab, 1.5, 5) });
        // its first task begins with phones that have just started
        if (random.chance(0.5))
          restart(lab, random.pick(lab.phones), up + minutes(lab, 2, 9), [28, 52], 'reboot,adb');
      }
      // a person looks at it about once a week
      lent(lab, lab.phones, 0.8, { minutes: [2, 25], overnight: 0 });
      background(lab, { taken: 0, restarts: 0.4, isUpdated: false });
    },
  },
  {
    // BareDroid (ACSAC 2015): what an app has done to a real phone is undone by its recovery before the next app
    name: 'four phones of a group of researchers are restored by their recovery after each app that they look at, some times a day',
    lab: { zone: 'Europe/Rome', from: '2026-03-09', hubs: [4], usb: true, models: ['Nexus 5', 'Pixel 3a'] },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // batches come on workdays, and some last into the night or the weekend
      for (const day of lab.everyDay()) {
        if (!random.chance(lab.isWorkday(day) ? 0.8 : 0.2)) continue;
        const begins = between(lab, day, '10:00', '16:30');
        for (const phone of lab.phones) {
          let at = begins + minutes(lab, 16, 34);
          for (let left = random.whole(2, 9); left > 0; left -= 1) {
            const back = restored(lab, phone, at);
            if (back === undefined) break;
            at = back + minutes(lab, 16, 34);
          }
        }
      }
      background(lab, { hours: [10, 18], glitches: 0 });
    },
  },
  {
    // appium/appium-adb#379: on old Androids the driver restarts a phone to give it another language
    name: 'tests in seven languages restart three old phones for each of them, on the nights after workdays and before a release',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-04-20',
      hubs: [4],
      known: { slots: false },
      models: ['Nexus 5X', 'Xperia Z5', 'Galaxy S6', 'Pixel 6'],
    },
    tell(lab) {
      const old = [lab.pinned(0), lab.pinned(1), lab.pinned(2)];
      // Showa Day, and the days from the third to the sixth of May
      const days = lab.workdays(0, lab.days - 1).filter((day) => ![9, 14, 15, 16].includes(day));
      const begins = days.map((day) => lab.at(day, '23:00:04') + seconds(lab, 0, 9));
      for (const day of [21, 22, 24])
        begins.push(between(lab, day, '10:20', '11:50'), between(lab, day, '14:00', '16:30'));
      for (const begin of begins)
        for (const phone of old) {
          let at = begin + seconds(lab, 25, 60);
          for (let language = 0; language < 7; language += 1) {
            restart(lab, phone, at, [31, 58], 'reboot');
            at += minutes(lab, 8, 13);
          }
        }
      background(lab, { taken: 1, restarts: 0.4, hours: [10, 19], glitches: 0.04 });
    },
  },
  {
    // commaai/qdl.js#84, CI: cycle USB ports, and mvp/uhubctl#669: off, five seconds, on
    name: 'a job takes the power of one port after another for five seconds before the tests of each night',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-03-16',
      hubs: [16, 16],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 7a', 'Galaxy A54', 'Redmi Note 13', 'Moto G84', 'Xperia 10'],
    },
    tell(lab) {
      const { random } = lab;
      const cycled = (phone: LabPhone, at: number) => {
        const to = at + 5 * SECOND + seconds(lab, 1.3, 3.6);
        if (lab.isFree(phone, at - MINUTE, to + MINUTE)) lab.lose(phone, at, { forMs: to - at });
      };
      lent(lab, lab.phones, 1, { overnight: 0.03 });
      for (const night of nightly(lab, '01:00:03', 4 * SECOND)) {
        const done = along(lab, lab.phones, night, [8, 11], cycled);
        // where the first test finds nothing it tries that once more
        for (const phone of lab.phones) if (random.chance(0.012)) cycled(phone, done + minutes(lab, 4, 70));
      }
      background(lab, { taken: 0, restarts: 0.5, glitches: 0.03 });
    },
  },
  {
    // AOSP, adb mDNS: who was paired once is connected again when it announces itself, until its Wi-Fi or the switch is off
    name: 'a build computer connects to the phones of eight developers whenever they switch wireless debugging on',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-03-16',
      hubs: [4],
      network: 8,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S23', 'Pixel 9', 'Xiaomi 14'],
    },
    tell(lab) {
      const { random } = lab;
      const own = lab.pinnedOf('tcp');
      for (const phone of own) {
        const times: Span[] = [];
        // Holy Thursday, Good Friday, and days at home
        for (const day of lab.workdays().filter((each) => ![17, 18].includes(each))) {
          if (random.chance(0.3)) continue;
          let at = between(lab, day, '09:20', '12:10');
          for (let left = random.pick([0, 1, 1, 2, 3]); left > 0 && at < lab.at(day, '17:40'); left -= 1) {
            const to = Math.min(at + minutes(lab, 12, 170), lab.at(day, '18:30') + minutes(lab, 0, 25));
            times.push({ from: at, to });
            at = to + minutes(lab, 9, 120);
          }
        }
        onlyIn(lab, phone, times, 2 * MINUTE);
        phone.reading = inUse(lab);
      }
      background(lab, { taken: 1.4, hours: [9, 18] });
    },
  },
  {
    // developer.android.com, localization: what is translated is looked at in an emulator that has that language
    name: 'nine translators start an emulator of their language to look at an app, some times a week and more often before it is frozen',
    lab: { zone: 'Europe/Zurich', from: '2026-03-09', hubs: [], direct: 2, emulators: 9 },
    tell(lab) {
      const { random } = lab;
      // the words are frozen on a Friday, and then it is Easter
      const frozen = 18;
      for (const emulator of lab.pinnedOf('emulator')) {
        emulator.isThereAtFirst = false;
        for (const day of lab.workdays().filter((each) => ![25, 28].includes(each))) {
          const isNear = day > frozen - 4 && day <= frozen;
          if (!random.chance(isNear ? 0.85 : day > frozen ? 0.08 : 0.3)) continue;
          let at = between(lab, day, '08:40', '13:30');
          for (let left = isNear ? random.whole(1, 3) : 1; left > 0 && at < lab.at(day, '18:00'); left -= 1) {
            // who forgets to close it has it closed at eight
            const to = random.chance(0.12)
              ? lab.at(day, '20:00:05') + seconds(lab, 0, 9)
              : at + minutes(lab, 11, 110);
            job(lab, emulator, at, to - at);
            at = to + minutes(lab, 6, 60);
          }
        }
      }
      background(lab, { taken: 1.2, restarts: 0.5, hours: [8.5, 18] });
    },
  },
  {
    // transportant.zohodesk.com, bring a bus online: with the key it is there, and some time after it is not
    name: 'the ticket machines of twelve buses are reached while these start in their yard, and for half an hour after they are back',
    lab: { zone: 'Pacific/Auckland', from: '2026-03-23', hubs: [], network: 12, models: ['Ticket machine'] },
    tell(lab) {
      const { random } = lab;
      const machines = lab.pinnedOf('tcp');
      unread(machines);
      for (const machine of machines) {
        const times: (Span & { isStart: boolean })[] = [];
        const timerMs = 30 * MINUTE;
        for (const day of lab.everyDay()) {
          // Good Friday and Easter Monday have the buses of a Sunday, and schools are closed from then on
          const isSunday = lab.weekday(day) === 0 || day === 11 || day === 14;
          const isHoliday = day > 10 && day < 28;
          const isSparse = lab.weekday(day) === 6 || isHoliday;
          if (random.chance(isSunday ? 0.6 : isSparse ? 0.35 : 0.06)) continue;
          const tours = [
            { out: between(lab, day, '05:25', '07:40'), back: between(lab, day, '18:10', '22:50') },
          ];
          // many stand in the yard between the schools of the morning and those of the afternoon
          if (!isSunday && random.chance(isSparse ? 0.15 : 0.55)) {
            const noon = between(lab, day, '09:20', '10:40');
            const again = between(lab, day, '13:30', '14:40');
            tours.splice(
              0,
              1,
              { out: tours[0]?.out ?? noon, back: noon },
              { out: again, back: tours[0]?.back ?? again },
            );
          }
          for (const { out: leaves, back } of tours) {
            const key = leaves - minutes(lab, 7, 16);
            times.push({
              from: key + seconds(lab, 48, 75),
              to: leaves + seconds(lab, 20, 70),
              isStart: true,
            });
            times.push({ from: back, to: back + minutes(lab, 2, 6) + timerMs, isStart: false });
          }
        }
        inYard(lab, machine, times);
      }
    },
  },
  {
    // support.get-sides.de, hardware maintenance: a restart a day after closing time, routers once a month, dust by the quarter
    name: 'six terminals and three kitchen screens of a burger shop restart at half past four each night, and are off over Christmas',
    lab: {
      zone: 'Europe/Berlin',
      from: '2026-12-01',
      hubs: [],
      network: 9,
      models: ['Terminal', 'Terminal', 'Kitchen'],
    },
    tell(lab) {
      const { random } = lab;
      const screens = lab.pinnedOf('tcp');
      unread(screens);
      // the last one out switches all of them off on Christmas Eve, and the first one on the twenty-seventh on
      const [off, on] = [lab.at(23, '15:12'), lab.at(26, '10:04')];
      for (const [index, screen] of screens.entries())
        restartsOnAir(
          lab,
          screen,
          off + index * seconds(lab, 5, 14) + seconds(lab, 10, 13),
          on + index * seconds(lab, 5, 14) + seconds(lab, 45, 90),
          'cold',
        );
      // the router starts anew on the first Monday of a month
      for (const screen of screens)
        unreached(
          lab,
          screen,
          lab.at(6, '05:30:12') + seconds(lab, 0, 2),
          lab.at(6, '05:32') + seconds(lab, 10, 70),
        );
      // a technician blows the dust out of each on a quiet morning
      along(lab, screens, lab.at(13, '09:10'), [620, 900], (screen, at) =>
        restartsOnAir(lab, screen, at + seconds(lab, 10, 13), at + minutes(lab, 6.5, 9.5), 'cold'),
      );
      for (const day of lab.everyDay())
        for (const [index, screen] of screens.entries()) {
          const at = lab.at(day, '04:30') + index * 20 * SECOND + seconds(lab, 1, 6);
          restartsOnAir(lab, screen, at, at + seconds(lab, 41, 74));
        }
      // at times one that hangs in its app is started once more by whoever opens
      for (let left = random.whole(1, 3); left > 0; left -= 1) {
        const at = between(lab, random.whole(2, 22), '10:05', '10:50');
        restartsOnAir(lab, random.pick(screens), at, at + seconds(lab, 44, 80), 'reboot,userrequested');
      }
      background(lab, { hours: [10, 22], isDaily: true, glitches: 0 });
    },
  },
];
