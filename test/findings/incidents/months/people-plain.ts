/**
 * Months of ordinary labs in which people have the phones: agencies, schools, shops, studios and newsrooms that take them from
 * a shelf, a locker, a tray or a bag and bring them back, with computers that are on while somebody is there.
 */
import type { Port } from '../../room.ts';
import { background, hostRestarts, inUse } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import type { Stay } from './at-home.ts';
import { drainsOutside, hostIsOff } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { merged, type Span } from './by-machine.ts';
import { switchedOff } from './calm.ts';
import { between, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { along, lent, startedMeanwhile } from './in-racks.ts';
import { unreached } from './over-network.ts';

/** As planned; nobody touches a phone then. */
function hostRestartsAlone(lab: Lab, at: number): void {
  hostRestarts(lab, at);
  for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + 3 * MINUTE });
}

/** What lies between these times, in which the host is on, from long before the month to long after it. */
function offsBetween(lab: Lab, ons: readonly Span[]): Span[] {
  const offs: Span[] = [];
  let off = lab.start + SECOND; // it was set up the moment before
  for (const { from, to } of ons) {
    offs.push({ from: off, to: from });
    off = to;
  }
  return [...offs, { from: off, to: lab.end + 60 * HOUR }];
}

const isWhile = (times: readonly Span[], from: number, to: number): boolean =>
  times.some((time) => from < time.to && to > time.from);

/** Who leaves while the host is off is missed when it starts, and who comes back meanwhile is found then. */
function away(lab: Lab, phone: LabPhone, { from, to }: Span, offs: readonly Span[]): void {
  const seen = (at: number) => {
    const off = offs.find((each) => at > each.from - 10 * SECOND && at < each.to + 5 * SECOND);
    return off ? off.to + seconds(lab, 0.6, 2.4) : at;
  };
  const [gone, back] = [seen(from), seen(to)];
  if (from < lab.start + MINUTE || gone > lab.end - MINUTE || back < gone + 3 * SECOND) return;
  if (!lab.isFree(phone, gone - 15 * SECOND, back + 15 * SECOND)) return;
  lab.lose(phone, gone, back < lab.end - MINUTE ? { forMs: back - gone } : {});
}

/** So often in the month somebody has one of them for a while, whether or not the host is on then. */
function awayAtTimes(
  lab: Lab,
  phone: LabPhone,
  offs: readonly Span[],
  often: number,
  span: (day: number) => Span,
  days: readonly number[],
): void {
  for (let left = lab.random.poisson(often); left > 0; left -= 1)
    away(lab, phone, span(lab.random.pick(days)), offs);
}

/** The host is off in these times; now and then one of its phones is listed a moment later than the others. */
function isOffIn(lab: Lab, offs: readonly Span[], late = 0.08): void {
  const sitting = (phone: LabPhone, { from, to }: Span) =>
    lab.isFree(phone, Math.max(lab.start, from - MINUTE), to + MINUTE);
  const lates = offs.flatMap((off) =>
    lab.usbPhones
      .filter((phone) => off.to < lab.end - HOUR && lab.random.chance(late) && sitting(phone, off))
      .map((phone) => ({ phone, at: off.to + seconds(lab, 0.5, 0.9) })),
  );
  for (const { phone, at } of lates) lab.lose(phone, at, { forMs: seconds(lab, 1.5, 6) });
  for (const { from, to } of offs) hostIsOff(lab, from, to);
}

/** It drains while somebody has it, and charges at its cable, also while the host is off: tell of that afterwards. */
function drainsWhileAway(lab: Lab, phone: LabPhone, percentAnHour: number): void {
  const alone: LabPhone = { ...phone, busy: [...phone.busy] };
  drainsOutside(lab, alone, percentAnHour);
  phone.reading = (at) => alone.reading?.(at);
}

/** Each restarts by hand at times, in these hours, where the host is on for it. */
function restartsByHand(
  lab: Lab,
  often: number,
  days: readonly number[],
  [from, to]: readonly [string, string],
  offs: readonly Span[],
): void {
  for (const phone of lab.phones)
    for (let left = lab.random.poisson(often); left > 0; left -= 1) {
      const at = between(lab, lab.random.pick(days), from, to);
      const reason = lab.random.pick(['reboot,userrequested', 'reboot', 'reboot,adb']);
      if (!isWhile(offs, at - 2 * MINUTE, at + 4 * MINUTE)) restart(lab, phone, at, [28, 75], reason);
    }
}

/**
 * A phone forgets a computer that it has always allowed when it was not at it for a week (AOSP, AdbDebuggingManager, from
 * Android 11 on).
 */
const FORGOTTEN_MS = 7 * DAY;

/** It asks when it is back, and somebody allows debugging. @returns when, if it was free for that */
function returnsAsking(lab: Lab, phone: LabPhone, from: number, to: number): number | undefined {
  const allowed = Math.round(to + seconds(lab, 6, 70));
  if (from < lab.start + MINUTE || !lab.isFree(phone, from - MINUTE, allowed + MINUTE)) return undefined;
  if (allowed > lab.end - HOUR) {
    lab.lose(phone, from);
    return undefined;
  }
  lab.lose(phone, from, { forMs: to - from, backAs: 'unauthorized' });
  lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  phone.busy.push({ from: to, to: allowed + 2 * MINUTE });
  return allowed;
}

/** Somebody has reset it, and set it up, before it is at its cable again. */
function returnsAnew(lab: Lab, phone: LabPhone, from: number, to: number): void {
  const allowed = returnsAsking(lab, phone, from, to);
  if (allowed !== undefined) startedMeanwhile(lab, phone, allowed, 'reboot,recovery', [9, 40]);
}

/**
 * It is not there at first, and then only in these times; after a week without it asks anew, and somebody allows it. It sat at
 * the host before.
 */
function visits(lab: Lab, times: readonly Stay[], starts: boolean, from: number): LabPhone | undefined {
  const { random } = lab;
  const [first] = times;
  if (!first?.port) return undefined;
  const phone = lab.add('usb', { port: first.port, isThereAtFirst: false });
  phone.isPinned = true;
  phone.busy.push({ from: lab.start, to: first.from });
  for (const [index, stay] of times.entries()) {
    const before = times[index - 1];
    const asks = stay.from - (before?.to ?? from) > FORGOTTEN_MS;
    const allowed = Math.round(stay.from + (asks ? seconds(lab, 5, 90) : 0));
    const state = asks ? 'unauthorized' : 'device';
    if (before)
      lab.lose(phone, before.to, {
        forMs: stay.from - before.to,
        ...(stay.port && { to: stay.port }),
        backAs: state,
      });
    else lab.phone(phone, Math.round(stay.from), { kind: 'attached', state });
    if (asks) lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
    if (starts) {
      const later = seconds(lab, 6, 30);
      const uptimeSeconds = Math.round((allowed + later - stay.from) / SECOND + random.between(22, 45));
      lab.rebooted(phone, allowed + later, { reason: 'cold,powerkey', uptimeSeconds });
    }
    phone.busy.push({ from: stay.from, to: allowed });
  }
  const last = times.at(-1);
  if (last) lab.lose(phone, last.to);
  return phone;
}

export const peoplePlain: readonly QuietMonth[] = [
  {
    // hackernoon.com, managing a mobile device lab: colleagues take what they need, also what is on the desk of another
    name: 'the computer of an agency is on from the first who comes to the last who leaves, and phones are also taken and brought back before and after that',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-04-20',
      hubs: [10],
      free: 2,
      known: { slots: false, usbPath: false },
      models: ['Galaxy S22', 'Pixel 7', 'Redmi Note 12', 'Galaxy A34', 'Fairphone 4'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // the first of May, Ascension Day, and the Friday after it, on which hardly anybody comes
      const days = lab.workdays().filter((day) => ![11, 24, 25].includes(day));
      const ons: Span[] = [];
      for (const [index, day] of days.entries()) {
        const from = between(lab, day, '08:05', '09:05');
        const last = lab.weekday(day) === 5 ? between(lab, day, '15:40', '17:10') : lab.at(day, '17:30');
        const to = last + minutes(lab, 0, 110);
        // some evenings it is forgotten, also before a weekend
        if (random.chance(0.14) && index + 1 < days.length) ons.push({ from, to: lab.end });
        else ons.push({ from, to });
      }
      const spans = ons.map(({ from, to }, index) => ({
        from,
        to: to === lab.end ? (ons[index + 1]?.from ?? lab.end) : to,
      }));
      // after lunch it restarts for what has been installed
      const noon = between(lab, 15, '13:05', '13:40');
      const offs = [
        ...offsBetween(lab, merged(spans, MINUTE)),
        { from: noon, to: noon + seconds(lab, 95, 150) },
      ];
      for (const phone of lab.phones) {
        // a quarter of an hour for a look, or some hours
        const forWork = (day: number): Span => {
          const from = between(lab, day, '07:50', '17:20');
          return { from, to: from + minutes(lab, 6, random.chance(0.6) ? 45 : 280) };
        };
        const atHome = (day: number): Span => {
          const next = days[days.indexOf(day) + 1] ?? lab.days + 2;
          return {
            from: between(lab, day, '16:20', '19:10'),
            to: between(lab, next, '07:55', '10:30'),
          };
        };
        awayAtTimes(lab, phone, offs, 6, forWork, days);
        awayAtTimes(lab, phone, offs, 1.1, atHome, days);
        drainsWhileAway(lab, phone, 6);
      }
      restartsByHand(lab, 0.8, days, ['09:30', '16:30'], offs);
      isOffIn(lab, offs);
    },
  },
  {
    // conoro.github.io, a rural Irish school's App Inventor pilot: fifteen phones, half an hour with each of two classes a week
    name: 'fifteen phones of a village school are out for half an hour with each of two classes on Wednesdays, and looked after the evening before',
    lab: {
      zone: 'Europe/Dublin',
      from: '2026-10-05',
      days: 38,
      hubs: [16],
      free: 1,
      known: { slots: false, usbPath: false },
      models: ['Moto E13', 'Galaxy A05', 'Nokia C32'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      // the last week of October is free, and the clocks go back before it
      for (const day of [2, 9, 16, 30, 37]) {
        // who volunteers is late once
        const begins = between(lab, day, '11:20', '11:35') + (day === 16 ? 35 * MINUTE : 0);
        const first = new Map<LabPhone, Span>();
        along(lab, random.shuffled(lab.phones), begins, [5, 25], (phone, from) => {
          first.set(phone, { from, to: from + minutes(lab, 28, 38) });
        });
        // in the other class there are fewer pairs, and some phones have to charge over the break
        const used = random.shuffled(lab.phones).slice(0, random.whole(10, 13));
        const again = begins + minutes(lab, 64, 75);
        for (const [phone, { from, to }] of first) {
          if (used.includes(phone) && random.chance(0.6)) {
            absences.push({ phone, from, to: again + minutes(lab, 31, 44) });
            continue;
          }
          absences.push({ phone, from, to });
          if (!used.includes(phone)) continue;
          const next = again + minutes(lab, 0, 5);
          absences.push({ phone, from: next, to: next + minutes(lab, 26, 38) });
        }
      }
      // one is in the bag of a teacher over the free week, and one pair keeps theirs until the bell
      const [kept, late] = random.shuffled(lab.phones);
      if (late)
        absences.push({
          phone: late,
          from: between(lab, 11, '10:00', '10:20'),
          to: between(lab, 11, '14:20', '14:40'),
        });
      // does each work with the app, and is what they need switched on?
      for (const day of [1, 8, 15, 29, 36])
        along(lab, lab.phones, between(lab, day, '18:45', '19:30'), [40, 150], (phone, at) => {
          if (random.chance(0.35)) absences.push({ phone, from: at, to: at + minutes(lab, 1.5, 6) });
          else if (random.chance(0.12)) restart(lab, phone, at, [40, 80], 'reboot,userrequested');
        });
      shared(lab, absences);
      if (kept)
        returnsAsking(lab, kept, between(lab, 18, '14:10', '14:50'), between(lab, 28, '09:05', '10:20'));
      for (const phone of lab.phones) drainsOutside(lab, phone, 10);
      background(lab, { taken: 0, restarts: 0.1, hours: [9, 14], glitches: 0.03 });
    },
  },
  {
    // geekhampton.com, returning a repaired device: the card of the customer was in a loan phone until then
    name: 'six loan phones of a repair shop are with customers for some days each, and are reset before they go back to their cables',
    lab: {
      zone: 'Europe/Brussels',
      from: '2026-06-01',
      hubs: [],
      direct: 6,
      known: { slots: false, usbPath: false, hub: false },
      models: ['Galaxy A15', 'Moto G24'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // from Tuesday to Saturday; the Saturday of a wedding is free
      const days = daysOf(lab, 2, 3, 4, 5, 6).filter((day) => day !== 19);
      // Windows has its updates in the night after the second Tuesday
      hostRestartsAlone(lab, lab.at(9, '03:22') + random.whole(0, 600) * SECOND);
      for (const [index, phone] of lab.phones.entries()) {
        let day = random.whole(0, 3) + index;
        while (day < lab.days - 1) {
          const lentOn = days.find((each) => each >= day);
          if (lentOn === undefined) break;
          // a display is done on the next day, a part from abroad takes a week, and some come for theirs when they have time
          const due = lentOn + random.pick([1, 1, 2, 3, 4, 7]) + (random.chance(0.2) ? 2 : 0);
          const back = days.find((each) => each >= due) ?? lab.days + 3;
          const from = between(lab, lentOn, '10:20', '18:10');
          const brought = between(lab, back, '10:10', '17:20');
          returnsAnew(lab, phone, from, brought + minutes(lab, 12, 55));
          day = back + random.whole(1, 6);
        }
        phone.reading = inUse(lab);
      }
      // he tries a cable of a customer, or a charger, with one that is there
      for (const day of days.filter(() => random.chance(0.5))) {
        const at = between(lab, day, '10:30', '17:30');
        out(lab, random.pick(lab.phones), at, at + minutes(lab, 1, 12));
      }
      background(lab, { hours: [10.2, 18] });
    },
  },
  {
    // tremend.com, SafeStorage: a cabinet in which each phone has its own locker that opens by badge, and charges
    name: 'twenty-four phones have a locker each that opens by badge, and are out for a test, a day, or until somebody is reminded',
    lab: {
      zone: 'Europe/Bucharest',
      from: '2026-03-09',
      hubs: [16, 10],
      free: 2,
      models: ['Galaxy S24', 'Pixel 8', 'Xiaomi 13T', 'Oppo Reno 8', 'Huawei P30', 'Moto Edge 30'],
    },
    tell(lab) {
      const { random } = lab;
      const days = lab.workdays();
      for (const day of [6, 20]) hostRestartsAlone(lab, lab.at(day, '05:30') + random.whole(0, 900) * SECOND);
      // two are with a customer for a week, with a form that is signed, and ask before their door is shut again
      for (const phone of random.shuffled(lab.phones).slice(0, 2)) {
        phone.isPinned = true;
        returnsAsking(
          lab,
          phone,
          between(lab, 7, '10:00', '10:10'),
          between(lab, random.pick([14, 15]), '10:15', '12:30'),
        );
      }
      // all is tested again before a release, before lunch and after it
      for (const day of [16, 17])
        for (const [from, to] of [
          ['09:35', '12:40'],
          ['13:45', '17:10'],
        ] as const)
          for (const phone of random.shuffled(lab.phones).slice(0, 19))
            out(lab, phone, lab.at(day, from) + minutes(lab, 0, 40), lab.at(day, to) + minutes(lab, -20, 25));
      // the best ones are wanted by everybody
      for (const phone of lab.phones) {
        const often = random.pick([2, 3, 6, 6, 14]);
        const usual = days.filter((day) => day !== 16 && day !== 17);
        lent(lab, [phone], often, {
          days: usual,
          hours: ['08:40', '18:30'],
          minutes: [8, 140],
          overnight: 0.05,
        });
        drainsOutside(lab, phone, 8);
      }
      background(lab, { taken: 0, restarts: 0.5, hours: [9, 18.5], glitches: 0.03 });
    },
  },
  {
    // kobiton.com, device lab management: access is controlled, and testers work from elsewhere
    name: 'thirty phones of a bank are behind a door that two people may open, on Tuesdays and Thursdays, and not at the end of a month',
    lab: {
      zone: 'Africa/Johannesburg',
      from: '2026-03-16',
      hubs: [16, 16],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy A15', 'Galaxy S23', 'Huawei Nova 9', 'Oppo A57', 'Pixel 7a'],
    },
    tell(lab) {
      const { random } = lab;
      // from the twenty-seventh on nothing may be changed, and then it is Good Friday
      const isFrozen = (day: number) => day >= 11 && day <= 18;
      // on the second Tuesday both are at a training, and one comes on Wednesday
      const visits = daysOf(lab, 2, 4)
        .filter((day) => !isFrozen(day))
        .map((day) => (day === 8 ? 9 : day));
      for (const day of visits) {
        const asked = random.shuffled(lab.phones).slice(0, random.whole(4, 11));
        const begins = between(lab, day, '10:02', '10:30');
        const done = along(lab, asked, begins, [50, 280], (phone, at) => {
          // another card, a look at the sensor for fingers, or its code after a restart
          if (random.chance(0.55)) out(lab, phone, at, at + seconds(lab, 35, 200));
          else restart(lab, phone, at, [32, 70], 'reboot,userrequested');
        });
        // some go along to a meeting, and come back in the afternoon or at the next visit
        const next = visits.find((each) => each > day);
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(0, 3))) {
          const isKept = next !== undefined && next - day < 6 && random.chance(0.3);
          const back = isKept ? between(lab, next, '10:00', '10:25') : between(lab, day, '14:00', '15:30');
          out(lab, phone, done + seconds(lab, 10, 240), back);
        }
      }
      // who works from elsewhere restarts what is stuck in a test
      const days = lab.workdays().filter((day) => ![18, 21].includes(day));
      for (const phone of lab.phones)
        for (let left = random.poisson(1.6); left > 0; left -= 1)
          restart(lab, phone, between(lab, random.pick(days), '07:10', '18:40'), [34, 72], 'reboot,adb');
      // on Sundays all of them, from midnight on
      for (const day of daysOf(lab, 0))
        along(lab, lab.phones, lab.at(day, '00:30:02'), [80, 100], (phone, at) =>
          restart(lab, phone, at, [34, 72], 'reboot,adb'),
        );
      hostRestartsAlone(lab, lab.at(27, '05:00:20'));
      background(lab, { taken: 0, restarts: 0, hours: [8, 17], glitches: 0.03 });
    },
  },
  {
    // inma.org, Verdens Gang creates a device lab: devices were never charged when somebody needed them, so they are lent from one place
    name: 'a newsroom lends twelve phones to whoever goes out, from six in the morning to eleven at night, and all of them for an election',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-08-31',
      hubs: [10, 4],
      free: 2,
      known: { slots: false, usbPath: false },
      models: ['Galaxy S24', 'Pixel 8 Pro', 'Galaxy S22'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      const goesOut = (phone: LabPhone, from: number, to: number) => absences.push({ phone, from, to });
      // on Sunday, the thirteenth, there is an election; the shifts of that night are long
      const election = 13;
      for (const day of lab.everyDay()) {
        if (day === election || day === election + 1) continue;
        const many = lab.isWorkday(day) ? random.whole(3, 8) : random.whole(0, 3);
        for (const phone of random.shuffled(lab.phones).slice(0, many)) {
          const isEarly = random.chance(0.55);
          const from = isEarly ? between(lab, day, '05:50', '10:30') : between(lab, day, '13:30', '18:30');
          goesOut(phone, from, from + minutes(lab, 50, 430));
        }
        // a story in the north takes two nights
        if (day === 4 || day === 21) {
          const [phone] = random.shuffled(lab.phones);
          if (phone)
            goesOut(phone, between(lab, day, '07:00', '07:30'), between(lab, day + 2, '16:00', '22:30'));
        }
      }
      for (const phone of lab.phones) {
        const from = random.chance(0.4)
          ? between(lab, 12, '16:00', '21:30')
          : between(lab, 13, '07:30', '15:40');
        // some are brought at night, and some after a long sleep
        const isLate = random.chance(0.5);
        goesOut(
          phone,
          from,
          isLate ? between(lab, 14, '12:30', '16:50') : between(lab, 14, '01:10', '05:30'),
        );
      }
      shared(lab, absences);
      for (const phone of lab.phones) drainsOutside(lab, phone, 9);
      hostRestartsAlone(lab, lab.at(10, '04:10:30'));
      background(lab, { taken: 0, restarts: 0.5, hours: [7, 21], isDaily: true, glitches: 0.03 });
    },
  },
  {
    // packtpub.com, modern game testing: a set of devices that represents who plays, from the cheapest on
    name: 'testers of a game take trays of phones for the morning and for the afternoon, and everybody plays on Fridays',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-12',
      hubs: [7, 7, 4],
      known: { slots: false, usbPath: false },
      models: ['Galaxy A03', 'Redmi 9A', 'Galaxy S21 FE', 'Pixel 6', 'OnePlus Nord', 'ROG Phone 6'],
    },
    tell(lab) {
      const { random } = lab;
      // the first day is Thanksgiving
      const days = lab.workdays(1);
      for (const day of [9, 23]) hostRestartsAlone(lab, lab.at(day, '06:20') + random.whole(0, 900) * SECOND);
      /** Pulled one after the other into a tray, and plugged in again so. */
      const tray = (phones: readonly LabPhone[], from: number, to: number) => {
        const taken = new Map<LabPhone, number>();
        along(lab, random.shuffled(phones), from, [3, 11], (phone, at) => taken.set(phone, at));
        along(lab, random.shuffled(phones), to, [6, 22], (phone, at) =>
          out(lab, phone, taken.get(phone) ?? at, at),
        );
      };
      for (const day of days) {
        const isFriday = lab.weekday(day) === 5;
        for (const hub of [0, 1, 2]) {
          // a tray is for those who test: on days with a build that does not start it stays
          if (random.chance(0.7))
            tray(lab.phonesOf(hub), between(lab, day, '09:25', '10:10'), between(lab, day, '12:00', '12:25'));
          if (isFriday || random.chance(0.6))
            tray(
              lab.phonesOf(hub),
              isFriday ? between(lab, day, '14:55', '15:05') : between(lab, day, '13:10', '14:10'),
              isFriday ? between(lab, day, '16:20', '16:50') : between(lab, day, '16:30', '17:45'),
            );
        }
        // a programmer wants the slow one for himself
        if (random.chance(0.4)) {
          const from = between(lab, day, '17:55', '18:10');
          out(lab, random.pick(lab.phones), from, from + minutes(lab, 20, 120));
        }
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 21);
      background(lab, { taken: 0, restarts: 0.6, hours: [9, 17.5], glitches: 0.03 });
    },
  },
  {
    // danielms.site, mentoring at CoderDojo: ten to fifteen children in a library, and computers of its own
    name: 'the computer of a dojo in a library is on for three hours on Saturdays, and its six tablets are plugged in all the time by children',
    lab: {
      zone: 'Australia/Perth',
      from: '2026-05-11',
      days: 36,
      hubs: [10],
      free: 4,
      known: { slots: false, usbPath: false },
      models: ['Galaxy Tab A8', 'Lenovo Tab M8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // before Western Australia Day there is none
      const ons = [5, 12, 26, 33].map((day) => ({
        from: between(lab, day, '09:12', '09:35'),
        to: between(lab, day, '12:35', '13:05'),
      }));
      const offs = offsBetween(lab, ons);
      // a mentor has one at home to try what is next
      const [own, ...others] = random.shuffled(lab.phones);
      if (own)
        away(lab, own, { from: ons[0]?.to ?? 0, to: (ons[1]?.from ?? 0) + minutes(lab, 14, 25) }, offs);
      for (const { from, to } of ons) {
        // before the children come, and while all is packed, nobody touches them
        const here = own ? [own, ...others] : others;
        for (const tablet of here) {
          let at = from + minutes(lab, 38, 70);
          while (at < to - 32 * MINUTE) {
            const back = at + minutes(lab, 3, 19);
            away(lab, tablet, { from: at, to: back }, offs);
            at = back + minutes(lab, 1.2, 14);
          }
        }
      }
      // who was without a computer for two weeks asks, and a mentor goes along before the children come
      const again = ons[2]?.from ?? lab.end;
      const asking = lab.phones.filter(({ name }) => name.startsWith('Galaxy'));
      along(lab, random.shuffled(asking), again + minutes(lab, 3, 6), [12, 50], (tablet, allowed) => {
        const asked = Math.round(again + seconds(lab, 0.6, 1.6));
        lab.phone(tablet, asked, { kind: 'state', state: 'unauthorized', before: 'device' });
        lab.phone(tablet, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
        tablet.busy.push({ from: asked, to: allowed + MINUTE });
      });
      for (const tablet of lab.phones) {
        const [first, noise] = [random.whole(58, 80), random.whole(1, 50)];
        // it is charged through the morning, and loses some of that until the next
        tablet.reading = (at) => {
          const on = ons.find((each) => at >= each.from && at <= each.to);
          if (on === undefined) return undefined;
          return {
            levelPercent: Math.round(first + ((at - on.from) / HOUR) * 5),
            isFull: false,
            temperatureDecicelsius:
              235 + Math.round(((at - on.from) / HOUR) * 12 + (((at / MINUTE) * 3 + noise) % 9)),
          };
        };
      }
      isOffIn(lab, offs);
    },
  },
  {
    name: 'two phones stay at the computer of a developer, who starts Windows in it for meetings and for games, and Linux for work',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      from: '2026-05-18',
      hubs: [],
      direct: 2,
      known: { slots: false },
      models: ['Moto G84', 'Pixel 6a'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // the twenty-fifth of May, and the Monday of Güemes
      const days = lab.workdays().filter((day) => day !== 7 && day !== 28);
      const ons: Span[] = [];
      for (const day of days) {
        let from = between(lab, day, '09:10', '10:20');
        const ends = between(lab, day, '17:40', '19:50');
        // a meeting with a program that there is for Windows only
        if (random.chance(0.35)) {
          const meeting = between(lab, day, '11:00', '15:30');
          ons.push({ from, to: meeting });
          from = meeting + minutes(lab, 35, 110);
        }
        // a new kernel
        if (random.chance(0.12)) {
          const restarted = from + minutes(lab, 20, 60);
          ons.push({ from, to: restarted });
          from = restarted + seconds(lab, 80, 125);
        }
        ons.push({ from, to: ends });
        // after games he sometimes goes back to his code
        if (random.chance(0.2)) {
          const late = between(lab, day, '22:30', '23:20');
          ons.push({ from: late, to: late + minutes(lab, 25, 100) });
        }
      }
      const offs = offsBetween(lab, ons);
      const [test, own] = lab.phones;
      for (const day of lab.everyDay()) {
        if (own && random.chance(lab.isWorkday(day) ? 0.5 : 0.8)) {
          const from = between(lab, day, '12:20', '19:30');
          away(lab, own, { from, to: from + minutes(lab, 25, 260) }, offs);
        }
        if (own && random.chance(0.45))
          away(
            lab,
            own,
            { from: between(lab, day, '20:30', '22:00'), to: between(lab, day + 1, '07:30', '11:40') },
            offs,
          );
        if (test && days.includes(day))
          for (let left = random.poisson(1.2); left > 0; left -= 1) {
            const from = between(lab, day, '09:40', '18:00');
            away(lab, test, { from, to: from + minutes(lab, 2, 40) }, offs);
          }
      }
      restartsByHand(lab, 1.5, days, ['10:30', '17:30'], offs);
      for (const phone of lab.phones) drainsWhileAway(lab, phone, 7);
      isOffIn(lab, offs, 0.05);
    },
  },
  {
    name: 'testers of a taxi app drive through Jakarta in the afternoon with some of ten phones, which else are on the Wi-Fi of the office',
    lab: {
      zone: 'Asia/Jakarta',
      from: '2026-07-06',
      hubs: [],
      direct: 1,
      network: 10,
      known: { slots: false, usbPath: false },
      models: ['Galaxy A15', 'Oppo A18', 'Vivo Y17s', 'Redmi 13C', 'Infinix Hot 40'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.pinnedOf('tcp');
      /** A script connects to whoever is there again. */
      const drives = (phone: LabPhone, from: number, to: number) =>
        unreached(lab, phone, from, to + seconds(lab, 5, 120));
      // on Sundays at four the Wi-Fi restarts
      for (const day of daysOf(lab, 0)) {
        const from = lab.at(day, '04:00:10');
        const to = from + minutes(lab, 2.6, 3.4);
        for (const phone of phones) drives(phone, from + seconds(lab, 0, 6), to);
      }
      for (const day of lab.workdays()) {
        const rides = random.pick([1, 2, 2, 3]);
        const left = random.shuffled(phones);
        for (let ride = 0; ride < rides; ride += 1) {
          const from = between(lab, day, '12:50', '14:40');
          // it rains, or there is no way through
          const to = from + minutes(lab, 75, 190) + (random.chance(0.15) ? minutes(lab, 30, 100) : 0);
          // who rides has a bag with two or three of them, and is out of reach in the lift
          for (const phone of left.splice(0, random.whole(2, 3)))
            drives(phone, from + seconds(lab, 0, 9), to + seconds(lab, 0, 40));
        }
        // one is taken home now and then, to see what it costs there
        const [phone] = left;
        if (phone && random.chance(0.25))
          drives(
            phone,
            between(lab, day, '17:20', '19:10'),
            between(lab, day + (lab.weekday(day) === 5 ? 3 : 1), '08:40', '10:20'),
          );
      }
      for (const phone of phones) drainsOutside(lab, phone, 13);
      background(lab, { taken: 1.5, restarts: 0.5, hours: [9, 17.5] });
    },
  },
  {
    name: 'an agency comes to its office from Tuesday to Thursday, and three of its nine phones are at home with those who need them until then',
    lab: {
      zone: 'Europe/Copenhagen',
      from: '2026-05-04',
      hubs: [10],
      free: 1,
      known: { slots: false, usbPath: false },
      models: ['Galaxy S23', 'Pixel 7', 'Nothing Phone 2', 'Galaxy A54'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      const isAscension = (day: number) => day === 10;
      const days = daysOf(lab, 2, 3, 4).filter((day) => !isAscension(day));
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        const isLast = next !== undefined && next - day > 1;
        for (const phone of lab.phones)
          for (let left = random.poisson(0.55); left > 0; left -= 1) {
            const from = between(lab, day, '09:15', '15:40');
            absences.push({ phone, from, to: Math.min(from + minutes(lab, 5, 170), lab.at(day, '16:20')) });
          }
        if (!isLast || next === undefined) continue;
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(2, 4))) {
          // who is ill on Tuesday brings it on Wednesday
          const back = random.chance(0.12) ? next + 1 : next;
          absences.push({
            phone,
            from: between(lab, day, '16:25', '17:20'),
            to: between(lab, back, '08:40', '10:30'),
          });
        }
      }
      // on a Friday somebody comes for a parcel, and takes one along for an hour
      const from = between(lab, 18, '11:10', '11:40');
      for (const phone of random.shuffled(lab.phones).slice(0, 2))
        absences.push({ phone, from: from + seconds(lab, 0, 60), to: from + minutes(lab, 48, 70) });
      shared(lab, absences);
      for (const day of [13, 27]) hostRestartsAlone(lab, lab.at(day, '03:00:40'));
      for (const phone of lab.phones) drainsOutside(lab, phone, 5);
      background(lab, {
        taken: 0,
        restarts: 0.6,
        hours: [9, 16],
        weekdays: new Set([2, 3, 4]),
        glitches: 0.03,
      });
    },
  },
  {
    // blog.qatestlab.com, how to manage a park of mobile devices: in a bag with its cable, at a computer only for a new build
    name: 'twenty-five phones of a testing firm lie in bags, and are at one of seven cables only while a build is put on them',
    lab: {
      zone: 'Asia/Tbilisi',
      from: '2026-03-23',
      hubs: [7],
      free: 7,
      known: { slots: false, usbPath: false },
      models: ['Galaxy A15', 'Redmi 12', 'Pixel 6a', 'Huawei P40', 'Galaxy S21', 'Realme 11'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.hubs[0]?.ports ?? [];
      // the Day of National Unity, and Easter until Monday
      const days = lab.workdays().filter((day) => ![17, 18, 21].includes(day));
      // some are in use all the time, and some once in two weeks
      const often = Array.from({ length: 25 }, () => random.pick([0.12, 0.3, 0.3, 0.6, 0.8]));
      const wanted: { which: number; from: number; to: number }[] = [];
      for (const [which, part] of often.entries())
        for (const day of days) {
          if (!random.chance(part)) continue;
          let at = between(lab, day, '10:10', '14:00');
          for (let left = random.whole(1, 4); left > 0 && at < lab.at(day, '18:30'); left -= 1) {
            // a file or a build; or until what it writes there was seen
            const to = at + minutes(lab, 2, random.chance(0.75) ? 9 : 50);
            wanted.push({ which, from: at, to });
            at = to + minutes(lab, 12, 150);
          }
        }
      wanted.sort((one, other) => one.from - other.from);
      const freeFrom = new Map<Port, number>();
      const times = new Map<number, Stay[]>();
      for (const { which, from, to } of wanted) {
        // who finds no cable goes to another computer
        const [port] = random.shuffled(
          ports.filter((each) => (freeFrom.get(each) ?? 0) < from - 20 * SECOND),
        );
        if (port === undefined) continue;
        freeFrom.set(port, to);
        times.set(which, [...(times.get(which) ?? []), { from, to, port }]);
      }
      for (const stays of times.values()) {
        const phone = visits(lab, stays, false, lab.start - 3 * DAY);
        const noise = random.whole(0, 40);
        // it is charged before it goes back into its bag
        if (phone)
          phone.reading = (at) => ({
            levelPercent: 52 + ((Math.floor(at / (4 * HOUR)) * 17 + noise) % 44),
            isFull: false,
            temperatureDecicelsius: 262 + ((Math.floor(at / MINUTE) + noise) % 31),
          });
      }
      hostRestartsAlone(lab, lab.at(22, '07:45:10'));
      background(lab);
    },
  },
  {
    // uwsp.edu, power management: powered on on workdays at a quarter past seven, and off half an hour after they close
    name: 'a computer of a faculty shuts itself down at ten at night and is woken at seven, but not on weekends, and its ten phones are lent to students',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-10-12',
      hubs: [10],
      known: { slots: false, usbPath: false },
      models: ['Galaxy A14', 'Pixel 5', 'Xiaomi Mi A3'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      // the twenty-eighth is a holiday, on which the computer is woken all the same
      const days = lab.workdays().filter((day) => day !== 16);
      const offs = offsBetween(
        lab,
        lab.workdays().map((day) => ({
          from: lab.at(day, '07:00:48') + random.whole(0, 6000),
          to: lab.at(day, '22:00:03') + random.whole(0, 2000),
        })),
      );
      const classes: readonly (readonly [weekday: number, from: string, to: string])[] = [
        [1, '14:05', '16:50'],
        [2, '10:05', '12:50'],
        [4, '09:10', '11:55'],
      ];
      // for homework one has it for a night, or from Thursday to Monday
      for (const [index, day] of days.entries()) {
        if (!random.chance(0.55)) continue;
        const next = days[index + (random.chance(0.75) ? 1 : 2)] ?? lab.days + 2;
        const from = between(lab, day, '16:55', '18:20');
        // who has the key of the room is there before seven at times
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 3)))
          away(
            lab,
            phone,
            { from: from + minutes(lab, 0, 20), to: between(lab, next, '06:40', '11:30') },
            offs,
          );
      }
      for (const day of days)
        for (const [weekday, from, to] of classes) {
          if (lab.weekday(day) !== weekday) continue;
          const groups = random.whole(6, 9);
          for (const phone of random.shuffled(lab.phones).slice(0, groups)) {
            const taken = lab.at(day, from) + minutes(lab, 4, 30);
            const isShort = random.chance(0.3);
            const back = isShort ? taken + minutes(lab, 15, 70) : lab.at(day, to) + minutes(lab, -12, 8);
            away(lab, phone, { from: taken, to: back }, offs);
          }
        }
      restartsByHand(lab, 0.7, days, ['09:30', '20:00'], offs);
      for (const phone of lab.phones) drainsWhileAway(lab, phone, 8);
      isOffIn(lab, offs, 0.03);
    },
  },
  {
    name: 'two phones hang on the hub in a monitor, whose owner switches it off with its button when he leaves, and at times for lunch',
    lab: {
      zone: 'Europe/Oslo',
      from: '2026-03-16',
      hubs: [4],
      free: 2,
      direct: 1,
      known: { slots: false, usbPath: false },
      models: ['Pixel 8', 'Galaxy A54', 'Pixel 5'],
    },
    tell(lab) {
      const { random } = lab;
      const onHub = () => lab.phonesOf(0);
      // from Maundy Thursday to Easter Monday he is in a hut
      const days = lab.workdays().filter((day) => ![17, 18, 21].includes(day));
      // he was there on Friday before the first day, and forgot it
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        if (random.chance(0.35)) {
          const lunch = between(lab, day, '11:15', '11:50');
          switchedOff(lab, onHub(), lunch, lunch + minutes(lab, 24, 55));
        }
        if (next === undefined) break;
        // on some evenings it stays on, and goes dark by itself, with power at its hub
        if (random.chance(0.12)) continue;
        switchedOff(lab, onHub(), between(lab, day, '15:40', '17:20'), between(lab, next, '07:45', '08:50'));
      }
      for (const phone of onHub()) drainsOutside(lab, phone, 0.4);
      hostRestartsAlone(lab, lab.at(8, '03:05:15'));
      background(lab, { taken: 4, restarts: 1.5, hours: [8.5, 15.5] });
    },
  },
  {
    // hackernoon.com, managing a mobile device lab: each team has its own, and they come back empty
    name: 'four teams of an outsourcer in Chennai fetch their phones from a rack each morning, put them to its cables each evening, and some forget it',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-01-05',
      hubs: [16, 16, 10],
      free: 2,
      known: { slots: false, usbPath: false },
      models: ['Redmi Note 13', 'Galaxy M34', 'Vivo Y100', 'Pixel 7', 'Realme Narzo 60', 'OnePlus Nord CE3'],
    },
    tell(lab) {
      const { random } = lab;
      const absences: Absence[] = [];
      // Pongal and the day after it, and Republic Day
      const days = lab.workdays().filter((day) => ![10, 11, 21].includes(day));
      // five are for jobs of the night, and are left alone
      const jobs = lab.phones.slice(0, 5);
      const teams: readonly {
        phones: readonly LabPhone[];
        opens: readonly [string, string];
        ends: readonly [string, string];
      }[] = [
        { phones: lab.phones.slice(5, 14), opens: ['09:35', '10:20'], ends: ['18:20', '19:15'] },
        { phones: lab.phones.slice(14, 23), opens: ['09:50', '10:50'], ends: ['18:30', '19:40'] },
        { phones: lab.phones.slice(23, 31), opens: ['09:30', '10:30'], ends: ['17:50', '18:50'] },
        // its customer is in Chicago
        { phones: lab.phones.slice(31), opens: ['13:40', '14:40'], ends: ['21:40', '22:50'] },
      ];
      const isAtWork = (team: number, day: number) => days.includes(day) || (team === 1 && day === 19);
      for (const [team, { phones, opens, ends }] of teams.entries())
        for (const phone of phones) {
          const used = random.pick([0.45, 0.8, 0.95]);
          for (const day of lab.everyDay()) {
            if (!isAtWork(team, day) || !random.chance(used)) continue;
            const next = days.find((each) => each > day) ?? lab.days + 1;
            const isForgotten = random.chance(0.04);
            absences.push({
              phone,
              from: between(lab, day, ...opens),
              to: isForgotten ? between(lab, next, ...ends) : between(lab, day, ...ends),
            });
          }
        }
      shared(lab, absences);
      for (const day of days)
        along(lab, jobs, lab.at(day, '01:30:03'), [60, 240], (phone, at) =>
          restart(lab, phone, at, [34, 70], 'reboot,adb'),
        );
      for (const day of [13, 27]) hostRestartsAlone(lab, lab.at(day, '05:15:30'));
      for (const phone of lab.phones) drainsOutside(lab, phone, 9);
      background(lab, { taken: 0, restarts: 0.15, hours: [10, 18], glitches: 0.03 });
    },
  },
  {
    // stylecampaign.com, managing a device lab: older models are kept although hardly anybody has one of them
    name: 'eight old phones lie in a drawer, are charged on every second Friday, and ask each time whether they may be debugged',
    lab: {
      zone: 'America/Chicago',
      from: '2026-02-09',
      hubs: [10, 4],
      free: 10,
      known: { slots: false },
      models: [
        'Pixel 8',
        'Galaxy S23',
        'Moto G Power',
        'Galaxy A15',
        'Pixel 3',
        'Galaxy S10',
        'LG V60',
        'OnePlus 6',
      ],
    },
    tell(lab) {
      const { random } = lab;
      const ports = random.shuffled(lab.freePorts(lab.start));
      const times = Array.from({ length: 8 }, (): Stay[] => []);
      // all that are there are plugged in, and then he goes along and presses their buttons
      for (const day of [4, 18]) {
        const order = random.shuffled([0, 1, 2, 3, 4, 5, 6, 7]);
        // once an old one is out for a bug that only it has
        const here = day === 18 ? order.slice(1) : order;
        const started = between(lab, day, '13:20', '14:10');
        const packed = between(lab, day, '16:35', '17:10');
        const left = new Map<number, number>();
        along(lab, random.shuffled(here), packed, [15, 70], (which, at) => left.set(which, at));
        along(lab, here, started, [35, 110], (which, from, index) => {
          const port = ports[(index + day) % ports.length];
          times[which]?.push({ from, to: left.get(which) ?? packed, ...(port && { port }) });
        });
      }
      for (const stays of times) {
        const phone = visits(lab, stays, true, lab.start - 10 * DAY);
        const [low, age] = [random.whole(28, 40), random.between(10, 14)];
        if (phone)
          phone.reading = (at) => {
            const stay = stays.find(({ from, to }) => at >= from && at <= to);
            return (
              stay && {
                levelPercent: Math.round(low + ((at - stay.from) / HOUR) * age),
                isFull: false,
                temperatureDecicelsius: 288 + Math.round((at / MINUTE) % 17),
              }
            );
          };
      }
      hostRestartsAlone(lab, lab.at(12, '06:50:05'));
      background(lab, { taken: 4, restarts: 1, hours: [9, 13], glitches: 0.03 });
    },
  },
];
