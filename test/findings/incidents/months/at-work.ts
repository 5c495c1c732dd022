/**
 * Months of firms: shifts and cradles that nobody owns, benches whose relays and scripts take the cable away, rooms and
 * terminals that restart at an hour of their own, and lines on which each tablet stays for a quarter of an hour.
 */
import type { Port } from '../../room.ts';
import { background, hostRestarts, levels } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { switchedOff } from './calm.ts';
import { between, out, pinAll, restart } from './habits.ts';

export interface Absence {
  phone: LabPhone;
  from: number;
  to: number;
}

/** Whoever brings one back puts it into any cradle that is empty then. Who still has it does not take it again. */
export function shared(lab: Lab, absences: readonly Absence[]): void {
  const ports = lab.hubs.flatMap((hub) => hub.ports);
  const seats = new Map<LabPhone, Port | undefined>();
  for (const phone of lab.usbPhones) seats.set(phone, lab.portOf(phone, lab.start));
  const isOut = new Map<LabPhone, Absence>();
  const freeFrom = new Map<LabPhone, number>();
  const steps = absences
    .filter(({ from, to }) => from > lab.start + MINUTE && to > from + MINUTE && to < lab.end - MINUTE)
    .flatMap((absence) => [
      { at: absence.from, absence },
      { at: absence.to, absence },
    ])
    .sort((one, other) => one.at - other.at);
  for (const { at, absence } of steps) {
    const { phone, from, to } = absence;
    if (at === from && !isOut.has(phone) && from > (freeFrom.get(phone) ?? 0)) {
      isOut.set(phone, absence);
      seats.set(phone, undefined);
    } else if (at === to && isOut.get(phone) === absence) {
      const taken = new Set(seats.values());
      const port = lab.random.pick(ports.filter((each) => !taken.has(each)));
      isOut.delete(phone);
      seats.set(phone, port);
      freeFrom.set(phone, to + 2 * MINUTE);
      lab.lose(phone, from, { forMs: to - from, to: port });
    }
  }
}

/** A single dropout, by chance. */
function glitch(lab: Lab, phone: LabPhone | undefined, day: number): void {
  const at = between(lab, day, '00:10', '23:40');
  const forMs = lab.random.between(2, 9) * SECOND;
  if (phone !== undefined && lab.isFree(phone, at - MINUTE, at + MINUTE)) lab.lose(phone, at, { forMs });
}

/** Somebody plugs in what was not there before, for the time until `leave`. */
export function passes(
  lab: Lab,
  port: Port,
  at: number,
  { asks = false, percent = 55 }: { asks?: boolean; percent?: number } = {},
): { phone: LabPhone; allowed: number; leave: (until: number) => void } {
  const phone = lab.add('usb', { port, isThereAtFirst: false });
  phone.isPinned = true;
  const from = Math.round(at);
  const allowed = asks ? Math.round(from + lab.random.between(20, 140) * SECOND) : from;
  lab.phone(phone, from, { kind: 'attached', state: asks ? 'unauthorized' : 'device' });
  if (asks) lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  // it charges while it is there
  let until = lab.end;
  const charged = (moment: number) => Math.round(Math.min(100, percent + ((moment - from) / HOUR) * 22));
  phone.reading = (moment) => {
    if (moment < allowed || moment > until) return undefined;
    const levelPercent = charged(moment);
    return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 295 };
  };
  const leave = (at: number) => {
    until = at;
    lab.lose(phone, at);
  };
  return { phone, allowed, leave };
}

export const daysOf = (lab: Lab, ...weekdays: number[]): number[] =>
  lab.everyDay().filter((day) => weekdays.includes(lab.weekday(day)));

export const months: QuietMonth[] = [
  {
    // softcircles.com, smart charging lockers: one pool of handhelds goes through the hands of three shifts
    name: 'forty scanners of a warehouse go through three shifts, and back into any cradle that is empty',
    lab: { zone: 'America/Chicago', hubs: [16, 16, 16], free: 8, models: ['Zebra TC58'] },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      for (const day of lab.everyDay())
        for (const [start, late, over, end, hours] of [
          ['05:45', '06:20', '13:35', '14:05', 0],
          ['13:50', '14:25', '21:30', '22:10', 0],
          ['21:50', '22:20', '05:20', '06:00', 1],
        ] as const) {
          // on Sundays hardly anybody works, and no night begins on a Saturday
          const weekday = lab.weekday(day);
          if (weekday === 0 && hours === 0) continue;
          if (weekday === 6 && hours === 1) continue;
          const many = hours === 1 ? lab.random.whole(9, 14) : lab.random.whole(17, 22);
          for (const phone of lab.random.shuffled(lab.phones).slice(0, many)) {
            const from = between(lab, day, start, late);
            const to = between(lab, day + hours, over, end);
            const pause = from + lab.random.between(2.8, 4.2) * HOUR;
            if (lab.random.chance(0.35)) {
              absences.push({ phone, from, to: pause });
              absences.push({ phone, from: pause + lab.random.between(18, 45) * MINUTE, to });
            } else absences.push({ phone, from, to });
          }
        }
      shared(lab, absences);
      glitch(lab, lab.phones[11], 17);
      background(lab, { taken: 0, restarts: 0 });
    },
  },
  {
    name: 'a QA room in Amman works in two shifts from Sunday to Thursday, and some come on a Saturday',
    lab: {
      zone: 'Asia/Amman',
      hubs: [10, 10],
      free: 3,
      usb: true,
      models: ['Galaxy S24', 'Pixel 9', 'Redmi 13'],
    },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      const takes = (
        day: number,
        many: number,
        from: readonly [string, string],
        to: readonly [string, string],
      ) => {
        for (const phone of lab.random.shuffled(lab.phones).slice(0, many)) {
          const at = between(lab, day, ...from);
          const back = between(lab, day, ...to);
          // in the pause some are left at the rack
          const pause = at + lab.random.between(2.5, 4) * HOUR;
          if (lab.random.chance(0.4)) {
            absences.push({ phone, from: at, to: pause });
            absences.push({ phone, from: pause + lab.random.between(25, 70) * MINUTE, to: back });
          } else absences.push({ phone, from: at, to: back });
        }
      };
      for (const day of daysOf(lab, 0, 1, 2, 3, 4)) {
        takes(day, lab.random.whole(6, 9), ['08:05', '09:40'], ['14:50', '15:40']);
        takes(day, lab.random.whole(4, 7), ['15:45', '16:50'], ['21:50', '23:10']);
      }
      takes(12, 2, ['10:30', '11:20'], ['14:00', '16:00']);
      shared(lab, absences);
      glitch(lab, lab.phones[4], 21);
      background(lab);
    },
  },
  {
    name: 'a rack in Dublin is used from Bengaluru in the early morning and by hands of its own in the day',
    lab: { zone: 'Europe/Dublin', from: '2026-10-05', hubs: [16, 10], free: 2, usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        if (lab.random.chance(0.25)) continue;
        for (const day of lab.workdays()) {
          // half past nine there is five here, and four from the last Sunday of October on
          const isWinter = day >= 20;
          for (let left = lab.random.poisson(0.45); left > 0; left -= 1) {
            const at = between(lab, day, isWinter ? '04:10' : '05:10', isWinter ? '12:40' : '13:40');
            restart(lab, phone, at, [30, 70], 'reboot,adb');
          }
        }
      }
      background(lab, { taken: 0.8, restarts: 0.2, hours: [9, 17], glitches: 0.04 });
    },
  },
  {
    name: 'a power bench takes the cable from its phone for each measurement, as often as the queue asks',
    lab: { zone: 'Asia/Seoul', hubs: [4], free: 2, known: { slots: false }, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.everyDay()) {
        const isFree = !lab.isWorkday(day);
        // at weekends only what is left in the queue, in the small hours after it
        const last = lab.at(day, isFree ? '03:20' : '23:20');
        let at = between(lab, day, isFree ? '00:10' : '08:50', isFree ? '01:30' : '10:20');
        while (at < last) {
          const forMs = lab.random.pick([6, 6, 11, 25]) * MINUTE + lab.random.between(10, 50) * SECOND;
          out(lab, phone, at, at + forMs);
          at += forMs + lab.random.between(9, lab.random.pick([20, 20, 140])) * MINUTE;
        }
      }
      phone.reading = (at) => ({
        levelPercent: 74 + Math.round(8 * Math.cos(((at - lab.start) / HOUR) * 0.9)),
        isFull: false,
        temperatureDecicelsius: 285,
      });
      background(lab, { taken: 1.2, hours: [9, 19] });
    },
  },
  {
    name: 'a factory flashes and tests tablets in four sockets on three days a week, each once',
    lab: { zone: 'Asia/Shanghai', hubs: [7], free: 4, usb: true, models: ['Tab K11'] },
    tell(lab) {
      for (const port of lab.freePorts(lab.start))
        for (const day of daysOf(lab, 1, 3, 4)) {
          let at = between(lab, day, '08:20', '08:50');
          while (at < lab.at(day, '17:10')) {
            if (at > lab.at(day, '11:40') && at < lab.at(day, '13:00')) {
              at = between(lab, day, '13:02', '13:20');
              continue;
            }
            const { phone, leave } = passes(lab, port, at, { percent: lab.random.whole(48, 60) });
            const flashed = at + lab.random.between(40, 90) * SECOND;
            restart(lab, phone, flashed, [130, 210], 'reboot');
            const tested = flashed + lab.random.between(8, 13) * MINUTE;
            // one in ten is flashed a second time, with what its country needs
            const isAgain = lab.random.chance(0.1);
            if (isAgain) restart(lab, phone, tested, [120, 190], 'reboot');
            const until = tested + lab.random.between(isAgain ? 7 : 1, isAgain ? 11 : 4) * MINUTE;
            leave(until);
            // boxes of ten are packed between
            at = until + lab.random.between(3, 40) * MINUTE;
          }
        }
      background(lab, { taken: 0.5, hours: [8, 17], restarts: 0.5 });
    },
  },
  {
    // automotive-fleet.com, tablets for technicians: they are taken to the bay, and back to their charger
    name: 'mechanics of a workshop take whichever of seven tablets is there to the car, and on Saturdays until noon',
    lab: { zone: 'America/Sao_Paulo', hubs: [10], free: 3, models: ['Galaxy Tab Active5'] },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      for (const day of daysOf(lab, 1, 2, 3, 4, 5, 6))
        for (const phone of lab.phones) {
          const isShort = lab.weekday(day) === 6;
          for (
            let at = between(lab, day, '08:00', '10:00');
            at < lab.at(day, isShort ? '11:20' : '17:10');
            at += lab.random.between(35, 170) * MINUTE
          ) {
            const forMs = lab.random.between(12, 95) * MINUTE;
            // it lies in a car until the next morning, once in a while
            const isForgotten = lab.random.chance(0.012);
            const to = isForgotten ? between(lab, day + 1, '08:05', '09:15') : at + forMs;
            const isAtNoon = at > lab.at(day, '11:50') && at < lab.at(day, '13:00');
            if (!isAtNoon) absences.push({ phone, from: at, to });
            at += forMs;
          }
        }
      shared(lab, absences);
      background(lab);
    },
  },
  {
    name: 'a forensic bench reads out a phone for hours or a night, and each goes back to its bag',
    lab: {
      zone: 'Europe/Brussels',
      hubs: [4],
      free: 3,
      usb: true,
      models: ['Galaxy A54', 'Redmi Note 12', 'Pixel 7', 'Oppo A78'],
    },
    tell(lab) {
      const last = lab.at(lab.days - 1, '09:00');
      for (const port of lab.freePorts(lab.start)) {
        let at = between(lab, lab.workdays()[0] ?? 0, '09:00', '14:00');
        while (at < last) {
          const { phone, allowed, leave } = passes(lab, port, at, {
            asks: true,
            percent: lab.random.whole(35, 80),
          });
          let read = allowed + lab.random.between(6, 25) * MINUTE;
          if (lab.random.chance(0.35)) {
            restart(lab, phone, read, [35, 80], 'reboot');
            read += lab.random.between(8, 20) * MINUTE;
          }
          // it ends when it ends, and somebody takes it in the hours of the office
          const ends = read + lab.random.pick([1.2, 2.5, 5, 19]) * HOUR * lab.random.between(0.8, 1.3);
          const day = lab.everyDay().findLast((each) => lab.at(each) <= ends) ?? 0;
          const isOpen = lab.isWorkday(day) && ends > lab.at(day, '08:40') && ends < lab.at(day, '16:50');
          const next = lab.workdays().find((each) => lab.at(each, '08:40') > ends);
          if (!isOpen && next === undefined) break;
          const until = isOpen
            ? ends + lab.random.between(2, 30) * MINUTE
            : between(lab, next ?? day, '08:45', '10:10');
          leave(until);
          const pause = until + lab.random.between(0.4, 20) * HOUR;
          const begins = lab.workdays().find((each) => lab.at(each, '16:00') > pause);
          if (begins === undefined) break;
          at = Math.max(pause, between(lab, begins, '08:50', '11:00'));
        }
      }
      background(lab, { taken: 0.8, hours: [9, 17] });
    },
  },
  {
    // support.vidyocloud.com, reboot maintenance schedule: at an hour that is set, but not during a call
    name: 'the devices of eleven meeting rooms restart at two each night, but where somebody is still in a call',
    lab: { zone: 'Europe/Oslo', hubs: [], direct: 1, network: 11, models: ['Room bar'] },
    tell(lab) {
      pinAll(lab.networkPhones);
      const [painted] = lab.networkPhones;
      if (painted !== undefined) {
        const [from, to] = [lab.at(9, '07:50'), lab.at(11, '15:20')];
        lab.maintenance(painted, from - 10 * MINUTE, 3 * DAY, 'the room is painted', to + 20 * MINUTE);
        lab.lose(painted, from, { forMs: to - from });
        lab.rebooted(painted, to + 30 * SECOND, { reason: 'cold', uptimeSeconds: 75 });
      }
      for (const room of lab.networkPhones) {
        room.reading = () => undefined;
        for (const day of lab.everyDay().slice(1)) {
          if (lab.random.chance(0.02)) continue;
          restart(lab, room, lab.at(day, '02:00') + lab.random.between(0, 75) * SECOND, [75, 140], 'reboot');
        }
        const update = lab.at(room.udid < 'P007' ? 15 : 22, '23:15') + lab.random.between(0, 30) * MINUTE;
        restart(lab, room, update, [200, 330], 'reboot,ota');
        lab.phone(room, Math.round(update + 9 * MINUTE), {
          kind: 'os',
          build: '13.4.2.118',
          buildBefore: '13.4.0.97',
        });
      }
      background(lab, { taken: 1 });
    },
  },
  {
    name: 'a call center in Colombo works for another continent, from half past eight in the evening to five',
    lab: { zone: 'Asia/Colombo', hubs: [16, 7], free: 3, models: ['Galaxy A15'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const phone of lab.phones)
        for (const day of daysOf(lab, 1, 2, 3, 4, 5)) {
          if (lab.random.chance(0.12)) continue;
          const from = between(lab, day, '20:10', '20:55');
          const to = between(lab, day + 1, '04:40', '05:35');
          const pause = between(lab, day + 1, '00:25', '01:10');
          if (lab.random.chance(0.5)) {
            out(lab, phone, from, pause, 0.03);
            out(lab, phone, pause + lab.random.between(25, 55) * MINUTE, to, 0.03);
          } else out(lab, phone, from, to, 0.03);
        }
      background(lab, { restarts: 0 });
    },
  },
  {
    name: 'a shop in Athens closes over noon on some days, and counts its stock on one evening until midnight',
    lab: {
      zone: 'Europe/Athens',
      from: '2026-03-09',
      hubs: [10],
      free: 2,
      usb: true,
      models: ['Honeywell EDA52'],
    },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      const opens = (day: number, from: string, to: string, part: number) => {
        for (const phone of lab.phones)
          for (
            let at = lab.at(day, from) + lab.random.between(-10, 70) * MINUTE;
            at < lab.at(day, to) - 25 * MINUTE;
            at += lab.random.between(15, 80) * MINUTE
          ) {
            const forMs = lab.random.between(20, 150) * MINUTE;
            const until = Math.min(at + forMs, lab.at(day, to) + lab.random.between(2, 16) * MINUTE);
            if (lab.random.chance(part)) absences.push({ phone, from: at, to: until });
            at = until;
          }
      };
      // the 25th of March, a Wednesday
      const holiday = 16;
      for (const day of daysOf(lab, 1, 3, 6).filter((each) => each !== holiday))
        opens(day, '09:00', '15:00', 0.6);
      for (const day of daysOf(lab, 2, 4, 5)) {
        opens(day, '09:00', '14:30', 0.6);
        opens(day, '17:30', '21:00', 0.7);
      }
      // the stock is counted
      opens(23, '20:00', '23:50', 1);
      shared(lab, absences);
      background(lab);
    },
  },
  {
    // docs.adyen.com, maintain performance: a terminal restarts each day at the hour that is set for it
    name: 'fourteen payment terminals restart once a day, each at the hour that is set for it',
    lab: { zone: 'Australia/Perth', hubs: [16], free: 2, usb: true, models: ['S1F2', 'AMS1', 'S1E'] },
    tell(lab) {
      for (const [index, terminal] of lab.phones.entries()) {
        const hour = index < 9 ? '06:00' : ['01:00', '03:00', '04:00', '12:00', '22:00'][index - 9];
        for (const day of lab.everyDay().slice(1))
          restart(lab, terminal, lab.at(day, hour) + lab.random.between(0, 110) * SECOND, [45, 85], 'reboot');
      }
      background(lab, { taken: 1.2, restarts: 0.3, hours: [8, 17] });
    },
  },
  {
    // wiki.debian.org/PDUDaemon: a lab may keep its devices without power between its runs
    name: 'eight boards have power only while a job of theirs runs',
    lab: { zone: 'Europe/Helsinki', hubs: [10], free: 2, models: ['Dragonboard'] },
    tell(lab) {
      for (const board of lab.phones) {
        board.isPinned = true;
        board.reading = () => undefined;
        let off = lab.start + lab.random.between(5, 40) * MINUTE;
        while (off < lab.end - DAY) {
          const day = lab.everyDay().findLast((each) => lab.at(each) <= off) ?? 0;
          const isBusy = lab.isWorkday(day) && off > lab.at(day, '07:30') && off < lab.at(day, '17:30');
          const waits = isBusy ? lab.random.between(4, 110) * MINUTE : lab.random.between(1.5, 7) * HOUR;
          const on = off + Math.max(waits, 3 * MINUTE);
          out(lab, board, off, on);
          lab.rebooted(board, on + 20 * SECOND, { reason: 'cold', uptimeSeconds: 48 });
          off = on + lab.random.between(12, 70) * MINUTE;
        }
      }
      background(lab);
    },
  },
  {
    // openstf/stf#426: a plug for the hub, a shutdown by adb before it, and phones that start when there is power
    name: 'five phones are shut down with their plug until somebody asks for them on a page',
    lab: { zone: 'Europe/Amsterdam', hubs: [7], free: 2, known: { usbPath: false }, usb: true },
    tell(lab) {
      pinAll(lab.phones);
      let off = lab.at(0, '18:30');
      for (const day of lab.everyDay().slice(1)) {
        const times = lab.isWorkday(day) ? lab.random.whole(1, 2) : Number(lab.random.chance(0.2));
        for (let left = 0; left < times; left += 1) {
          const on = Math.max(
            off + 20 * MINUTE,
            between(lab, day, left === 0 ? '09:20' : '14:00', left === 0 ? '11:30' : '16:30'),
          );
          for (const [index, phone] of lab.phones.entries()) {
            const from = off + index * 4 * SECOND + lab.random.between(0, 3) * SECOND;
            const back = on + lab.random.between(42, 80) * SECOND;
            if (back > lab.end - HOUR) continue;
            out(lab, phone, from, back);
            lab.rebooted(phone, back + 15 * SECOND, { reason: 'cold', uptimeSeconds: 50 });
          }
          off = on + lab.random.between(0.7, 3) * HOUR;
        }
      }
      background(lab);
    },
  },
  {
    // acroname.com, the mobile device lab of eggplant.io: a hub that charges by turns, and keeps the data lines
    name: 'a hub lets sixteen phones charge to three quarters and drain to under a half, and never lets them go',
    lab: { zone: 'Europe/London', hubs: [16, 4], free: 1, usb: true },
    tell(lab) {
      for (const phone of lab.phonesOf(0)) {
        const points: [number, number][] = [];
        const [least, most] = [lab.random.whole(38, 44), lab.random.whole(73, 78)];
        for (let at = lab.start - lab.random.between(0, 20) * HOUR; at < lab.end; ) {
          points.push([at, most]);
          at += lab.random.between(13, 24) * HOUR;
          points.push([at, least]);
          at += lab.random.between(1.6, 2.6) * HOUR;
        }
        phone.reading = levels(points, lab.random.whole(270, 295));
      }
      background(lab, { taken: 0.7, restarts: 1, hours: [9, 18], glitches: 0.05 });
    },
  },
  {
    // browserstack.com, private devices: a device goes through a cleaning cycle between sessions
    name: 'forty-four phones of a cloud are cleaned and restarted after each booking, at any hour',
    lab: { zone: 'Europe/Warsaw', hubs: [16, 16, 16], free: 4, hasTwoControllers: true, usb: true },
    tell(lab) {
      const updated = lab.at(13, '05:00:20');
      for (const phone of lab.phones) {
        const often = lab.random.pick([8, 14, 30]);
        for (
          let at = lab.start + lab.random.between(1, often) * HOUR;
          at < lab.end - HOUR;
          at += lab.random.between(2, 2 * often) * HOUR
        )
          // nobody has a booking while the host is updated
          if (Math.abs(at - updated) > 10 * MINUTE) restart(lab, phone, at, [38, 85], 'reboot,adb');
      }
      hostRestarts(lab, updated);
      background(lab, { taken: 0.15, restarts: 0, glitches: 0.03, hours: [7, 15] });
    },
  },
  {
    name: 'a relay gives the rack to a second host on every other night, and a person does now and then by day',
    lab: { zone: 'America/Vancouver', hubs: [10, 4], free: 1, usb: true },
    tell(lab) {
      const rack = lab.phonesOf(0);
      for (const day of lab.everyDay().slice(0, -1)) {
        if (day % 2 === 1) {
          const from = lab.at(day, '21:00:04') + lab.random.between(0, 3) * SECOND;
          // it comes back when the run over there has ended
          switchedOff(lab, rack, from, between(lab, day + 1, '02:40', '05:30'));
        }
        if (lab.isWorkday(day) && lab.random.chance(0.2)) {
          const at = between(lab, day, '10:00', '15:00');
          switchedOff(lab, rack, at, at + lab.random.between(12, 100) * MINUTE);
        }
      }
      background(lab, { taken: 0.6, restarts: 0.3, hours: [9, 17] });
    },
  },
  {
    name: 'guards take one or two of three phones on their rounds through the night',
    lab: { zone: 'America/Lima', hubs: [], direct: 3, known: { slots: false }, models: ['Cat S75'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const night of lab.everyDay())
        for (const [day, from, to] of [
          [night, '20:00', '20:25'],
          [night, '22:00', '22:20'],
          [night + 1, '00:00', '00:30'],
          [night + 1, '02:00', '02:35'],
          [night + 1, '04:00', '04:30'],
          [night + 1, '05:40', '06:00'],
        ] as const)
          for (const phone of lab.random.shuffled(lab.phones).slice(0, lab.random.chance(0.3) ? 2 : 1)) {
            const at = between(lab, day, from, to);
            out(lab, phone, at, at + lab.random.between(28, 62) * MINUTE);
          }
      background(lab, { restarts: 0 });
    },
  },
  {
    name: 'the waiters of a restaurant take six handhelds for lunch and for the evening, but on Mondays',
    lab: {
      zone: 'Europe/Lisbon',
      hubs: [7],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Sunmi V3'],
    },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      for (const day of daysOf(lab, 0, 2, 3, 4, 5, 6)) {
        const isBusy = lab.weekday(day) === 0 || lab.weekday(day) > 4;
        for (const phone of lab.random.shuffled(lab.phones).slice(0, isBusy ? 5 : 3)) {
          const [from, to] = [between(lab, day, '11:50', '12:35'), between(lab, day, '14:40', '15:40')];
          absences.push({ phone, from, to });
        }
        for (const phone of lab.random.shuffled(lab.phones).slice(0, isBusy ? 6 : 4)) {
          const from = between(lab, day, '18:40', '19:30');
          const to = isBusy ? between(lab, day + 1, '00:05', '01:10') : between(lab, day, '22:30', '23:40');
          const pause = from + lab.random.between(1.2, 2.5) * HOUR;
          if (lab.random.chance(0.25)) {
            absences.push({ phone, from, to: pause });
            absences.push({ phone, from: pause + lab.random.between(10, 30) * MINUTE, to });
          } else absences.push({ phone, from, to });
        }
      }
      shared(lab, absences);
      background(lab);
    },
  },
  {
    name: 'crews of an airline take tablets for half a day to four days, at any hour, and leave them at any place',
    lab: { zone: 'Asia/Dubai', hubs: [16, 16], free: 8, models: ['Galaxy Tab S9'] },
    tell(lab) {
      pinAll(lab.phones);
      const absences: Absence[] = [];
      for (const phone of lab.phones) {
        let at = lab.start + lab.random.between(2, 50) * HOUR;
        while (at < lab.end) {
          const forMs = lab.random.pick([9, 13, 28, 34, 52, 80]) * HOUR * lab.random.between(0.85, 1.15);
          absences.push({ phone, from: at, to: at + forMs });
          at += forMs + lab.random.between(4, 60) * HOUR;
        }
      }
      shared(lab, absences);
      background(lab);
    },
  },
  {
    name: 'twelve tablets are set up anew on evenings before a course, and are with their pupils by day',
    lab: { zone: 'Europe/Prague', hubs: [16], free: 4, usb: true, models: ['Lenovo Tab P12'] },
    tell(lab) {
      const courses = lab.everyDay().filter((day) => [8, 9, 10, 22, 23].includes(day));
      for (const day of courses)
        for (const [index, tablet] of lab.phones.entries()) {
          const reset = lab.at(day - 1, '17:30') + index * 3 * MINUTE + lab.random.between(0, 50) * SECOND;
          restart(lab, tablet, reset, [90, 160], 'reboot,recovery');
          // two are kept for those whose tablet is not charged
          if (index > 9 && lab.random.chance(0.8)) continue;
          const noon = between(lab, day, '12:00', '12:12');
          out(lab, tablet, between(lab, day, '08:35', '08:58'), noon, 0.05);
          out(lab, tablet, between(lab, day, '12:52', '13:05'), between(lab, day, '16:20', '16:45'), 0.05);
        }
      background(lab, { taken: 0.3, restarts: 0.2, hours: [9, 16] });
    },
  },
];
