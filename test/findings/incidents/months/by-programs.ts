/**
 * Months of labs in which a program decides who has power, who is awake and whom a phone belongs to: ports that are off but
 * for charging, televisions and headsets that are woken for a test, phones that a virtual machine, a robot, a power meter or
 * a flasher takes for a while, and devices that start anew as their plan says.
 */
import type { Port } from '../../room.ts';
import { FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { stays, thereOnlyIn } from './at-home.ts';
import { drainsOutside, hostIsOff } from './at-length.ts';
import { hasRestarted, merged, nightly, pushes, type Span, unread } from './by-machine.ts';
import { job } from './calm.ts';
import { between, greenwich, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { lent, updates } from './in-racks.ts';
import { onlyIn } from './over-network.ts';

/** Do people work then? */
function isOfficeTime(at: number): boolean {
  const date = new Date(at);
  return date.getDay() % 6 !== 0 && date.getHours() >= 9 && date.getHours() < 18;
}

/** Ten minutes after it is switched off its network goes; who wakes it is not known to it for a moment, at times. */
function inStandby(lab: Lab, television: LabPhone, from: number, to: number): void {
  const tried = from + seconds(lab, 97, 113);
  television.busy.push({ from, to: tried });
  lab.phone(television, Math.round(from), { kind: 'state', state: 'offline', before: 'device' });
  if (to > lab.end - MINUTE) {
    lab.lose(television, tried);
    return;
  }
  const asks = lab.random.chance(0.4);
  lab.lose(television, tried, { forMs: to - tried, ...(asks && { backAs: 'unauthorized' }) });
  if (asks)
    lab.phone(television, Math.round(to + seconds(lab, 1.2, 4)), {
      kind: 'state',
      state: 'device',
      before: 'unauthorized',
    });
}

/** It is flashed by the host, and starts what was written. @returns whether it was free for that */
function isFlashed(lab: Lab, phone: LabPhone, from: number, to: number): boolean {
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + 3 * MINUTE)) return false;
  lab.lose(phone, from, { forMs: to - from, onUsb: { interfaces: [FASTBOOT] } });
  hasRestarted(lab, phone, to, 'reboot,bootloader');
  return true;
}

/** It has no internet in these times, which is seen when it is asked, once in ten minutes. */
function cutOff(lab: Lab, phone: LabPhone, times: readonly Span[]): void {
  const every = 10 * MINUTE;
  const phase = minutes(lab, 0, 10);
  const asked = (after: number) => Math.round(Math.ceil((after - phase) / every) * every + phase);
  for (const { from, to } of merged(times, 2 * every)) {
    const [seen, over] = [asked(from), asked(to)];
    if (seen >= to || over > lab.end - MINUTE) continue;
    if (![seen, over].every((at) => lab.isFree(phone, at - MINUTE, at + MINUTE))) continue;
    lab.facts(phone, seen, { network: 'UNREACHABLE' });
    lab.facts(phone, over, { network: 'REACHABLE' });
    lab.phone(phone, over, { kind: 'hindered', codes: '' });
  }
}

/** A virtual machine has it: USB of the host goes on showing it, adb of the host does not. */
function passedOn(lab: Lab, phone: LabPhone, from: number, to: number): boolean {
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + 2 * MINUTE)) return false;
  lab.lose(phone, from, { forMs: to - from, onUsb: {} });
  // what runs in there restarts it at times
  const restarts = from + (to - from) * lab.random.between(0.1, 0.6);
  if (!lab.random.chance(0.3)) return true;
  lab.usb(phone, restarts, null);
  lab.usb(phone, restarts + seconds(lab, 19, 38), {});
  const later = seconds(lab, 5, 40);
  lab.rebooted(phone, to + later, {
    reason: 'reboot,adb',
    uptimeSeconds: Math.round((to + later - restarts) / SECOND) - 12,
  });
  return true;
}

/** The room is warmer by day, on some days more than on others. */
function withWeather(lab: Lab, reading: Reading): Reading {
  const days = lab.everyDay().map(() => lab.random.between(3, 17));
  const noise = lab.random.whole(0, 10);
  return (at) => {
    const read = reading(at);
    if (read?.temperatureDecicelsius === undefined) return read;
    const hours = (at - lab.start) / HOUR;
    const wave = (days[Math.floor(hours / 24)] ?? 9) * Math.cos((Math.PI * ((hours % 24) - 15.5)) / 12);
    const jitter = (Math.floor(at / (10 * MINUTE)) * 5 + noise) % 7;
    return { ...read, temperatureDecicelsius: Math.round(read.temperatureDecicelsius + wave + jitter - 3) };
  };
}

/** Its port is off while it is too warm. Its battery in steps of five minutes, from the begin of the month on. */
function guardedFromHeat(lab: Lab, phone: LabPhone, heat: (day: number) => number, above: number): void {
  const step = 5 * MINUTE;
  const kept: { degrees: number; percent: number }[] = [];
  const noise = lab.random.whole(0, 6);
  let [degrees, percent] = [29, 92];
  let off: number | undefined;
  for (let at = lab.start; at < lab.end - HOUR; at += step) {
    const hours = (at - lab.start) / HOUR;
    const day = Math.floor(hours / 24);
    // warmest at half past five, and by noon the room is still cool
    const sun = Math.max(0, Math.cos((Math.PI * ((hours % 24) - 17.5)) / 12));
    const room = 27.5 + above + heat(day) * sun;
    const aim = off === undefined ? room + 3.2 : room - 1.5;
    degrees += (aim - degrees) * 0.16;
    percent = Math.min(100, Math.max(20, percent + (off === undefined ? 0.9 : -0.35)));
    if (off === undefined && degrees >= 36.6) off = at;
    else if (off !== undefined && degrees <= 34 && at - off >= 20 * MINUTE) {
      out(lab, phone, off, at + seconds(lab, 2, 5));
      off = undefined;
    }
    kept.push({ degrees: degrees + ((kept.length + noise) % 7) / 20, percent });
  }
  phone.reading = (at) => {
    const { degrees: read = 30, percent: level = 100 } = kept[Math.floor((at - lab.start) / step)] ?? {};
    const levelPercent = Math.round(level);
    return {
      levelPercent,
      isFull: levelPercent === 100,
      temperatureDecicelsius: Math.round(read * 10),
    };
  };
}

/** At eighty percent its port is off for two hours, and then it is looked at again. */
function toppedUp(lab: Lab, phone: LabPhone): void {
  const { random } = lab;
  const points: [number, number][] = [[lab.start, random.whole(62, 74)]];
  let at = lab.start + minutes(lab, 20, 55);
  while (at < lab.end - 6 * HOUR) {
    const isTaken = isOfficeTime(at) && random.chance(0.07);
    const on = at + (isTaken ? random.between(2.5, 20) * HOUR : 2 * HOUR) + seconds(lab, 2, 5);
    const percent = isTaken ? random.whole(34, 66) : random.whole(75, 78);
    out(lab, phone, at, on);
    points.push([at, 80], [on, percent]);
    // a job holds the port while it runs, and its phone uses about what it gets
    const held = isOfficeTime(on) && random.chance(0.45) ? minutes(lab, 20, 75) : 0;
    at = on + ((80 - percent) / 17) * HOUR + held;
  }
  points.push([at, 80]);
  phone.reading = withWeather(lab, levels(points, random.whole(272, 301)));
}

/** Each emulator is used once: what is idle waits for a job, ends with it, and the next one starts in its place. */
function usedOnce(lab: Lab, emulator: LabPhone, { from, to }: Span): void {
  let at = from + seconds(lab, 1, 90);
  while (at < to - 6 * MINUTE) {
    // hardly any job waits for one at night
    const idle = isOfficeTime(at) ? minutes(lab, 2, 55) : minutes(lab, 20, 210);
    const waits = lab.random.chance(isOfficeTime(at) ? 0.4 : 0.1) ? seconds(lab, 25, 90) : idle;
    const ends = Math.min(at + waits + minutes(lab, 4, 26), to);
    job(lab, emulator, at, ends - at);
    at = ends + seconds(lab, 8, 31);
  }
}

export const byPrograms: readonly QuietMonth[] = [
  {
    // forum.fairphone.com/t/125125: a small computer reads the level by adb, and switches the port off for a while
    name: 'a small computer takes the power of each of four phones for two hours whenever it has reached eighty percent',
    lab: {
      zone: 'Europe/Amsterdam',
      from: '2026-03-16',
      hubs: [4],
      known: { slots: false, hub: false },
      models: ['Fairphone 4', 'Fairphone 5', 'Pixel 6a'],
    },
    tell(lab) {
      pinAll(lab.phones);
      for (const phone of lab.phones) toppedUp(lab, phone);
      background(lab, { hours: [9, 18] });
    },
  },
  {
    // jollydroid.com/2019/04/23/reboot-yoga: a program in each phone restarts it when the build agent has not said a word
    name: 'fifty phones restart themselves when they have not heard from their build agent for an hour',
    lab: {
      zone: 'Asia/Bangkok',
      from: '2026-04-06',
      hubs: [16, 16, 16],
      direct: 2,
      hasTwoControllers: true,
      models: ['Galaxy A34', 'Redmi Note 12', 'Oppo A58', 'Pixel 7'],
    },
    tell(lab) {
      const { random } = lab;
      // the host gets another power supply on a Saturday evening
      const [off, on] = [lab.at(12, '21:55'), lab.at(13, '01:21')];
      hostIsOff(lab, off, on);
      for (const phone of lab.phones) {
        const every = HOUR + minutes(lab, 0.6, 9);
        const asked = on + seconds(lab, 8, 70);
        const running = ((on - off) % every) + (asked - on) - 20 * SECOND;
        lab.rebooted(phone, asked, {
          reason: 'reboot',
          uptimeSeconds: Math.max(15, Math.round(running / SECOND)),
        });
      }
      // while the cluster of the agents is renewed nobody pings, and the phones do what they are there for
      const quiet = lab.at(20, '02:00');
      for (const phone of lab.phones)
        for (const hour of [1, 2])
          restart(lab, phone, quiet + hour * (HOUR + 40 * SECOND) + minutes(lab, 0, 9), [30, 70], 'reboot');
      // a job that hangs holds adb of its phone, and so the pings to it
      for (const phone of lab.phones)
        for (let left = random.poisson(1.1); left > 0; left -= 1)
          restart(lab, phone, random.between(lab.start + 2 * HOUR, lab.end - 2 * HOUR), [30, 70], 'reboot');
      // nobody comes at Songkran
      const days = lab.workdays().filter((day) => day < 7 || day > 9);
      lent(lab, lab.phones, 0.5, { days });
      background(lab, { taken: 0, restarts: 0, glitches: 0.04, hours: [9, 18], isUpdated: false });
    },
  },
  {
    // eslavnov/android-tv-remote#4: Ethernet is off ten minutes after standby; at first it says unauthorized when it is woken
    name: 'a pipeline wakes eight televisions by a packet for its tests, and they leave the network ten minutes after it',
    lab: {
      zone: 'Europe/Brussels',
      from: '2026-10-12',
      hubs: [],
      direct: 1,
      network: 8,
      usb: true,
      models: ['Pixel 8', '65PUS8102', '55PUS9104', '43PUS7906'],
    },
    tell(lab) {
      const { random } = lab;
      const televisions = lab.pinnedOf('tcp');
      unread(televisions);
      const commits = pushes(lab, { times: [3, 9], hours: ['08:50', '18:10'], onWeekends: 0.05 });
      for (const [index, television] of televisions.entries()) {
        // two run at a time, for their pictures are captured by two cards
        const turn = Math.floor(index / 2) * 52 * MINUTE;
        const atNight = nightly(lab, '22:30:20', 3 * SECOND, 0)
          .filter(() => random.chance(0.92))
          .map((at) => ({ from: at + turn, to: at + turn + minutes(lab, 41, 49) + 10 * MINUTE }));
        const byDay = commits
          .filter(() => random.chance(0.3))
          .map((pushed) => pushed + minutes(lab, 4, 9))
          .map((from) => ({ from, to: from + minutes(lab, 11, 34) + 10 * MINUTE }));
        // a tester has one on all day, on some days
        const byHand = lab
          .workdays()
          .filter(() => random.chance(0.1))
          .map((day) => ({
            from: between(lab, day, '09:10', '10:40'),
            to: between(lab, day, '15:30', '17:50'),
          }));
        const times = merged([...atNight, ...byDay, ...byHand], 4 * MINUTE).filter(
          ({ from, to }) => from > lab.start + MINUTE && to < lab.end - MINUTE,
        );
        const [first] = times;
        if (first === undefined) continue;
        television.isThereAtFirst = false;
        television.busy.push({ from: lab.start, to: first.from });
        lab.phone(television, Math.round(first.from), { kind: 'attached', state: 'device' });
        for (const [at, { to }] of times.entries())
          inStandby(lab, television, to, times[at + 1]?.from ?? lab.end);
        // its maker has new software for it, which the pipeline takes before it begins
        const night = atNight.find(({ from }) => from > lab.at(16));
        if (night) restart(lab, television, night.from + minutes(lab, 2, 4), [75, 140], 'reboot,ota');
      }
      background(lab, { hours: [9, 18], taken: 2 });
    },
  },
  {
    // source.android.com, options of a host of Tradefed: how many devices it may flash at the same time
    name: 'a host flashes twenty-two phones with the build of each night, four at a time, and twice a day before a release',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-10-19',
      hubs: [10, 16],
      free: 4,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 9', 'Pixel 8a', 'Pixel Tablet'],
    },
    tell(lab) {
      const { random } = lab;
      const nights = lab.everyDay().filter((day) => lab.weekday(day) < 5);
      const atNight = nights.map((day) => between(lab, day, '23:05', '23:50'));
      const byDay = lab.workdays(21, 28).map((day) => between(lab, day, '11:30', '12:40'));
      const builds = [...atNight, ...byDay].sort((one, other) => one - other);
      const has = new Map<LabPhone, number>();
      for (const [number, built] of builds.entries()) {
        const flashers = [built, built, built, built];
        for (const phone of random.shuffled(lab.phones)) {
          // somebody has booked it
          if (random.chance(0.07)) continue;
          const begins = Math.min(...flashers);
          const from = begins + seconds(lab, 5, 40);
          const to = from + minutes(lab, 5.5, 9.5);
          flashers[flashers.indexOf(begins)] = to;
          if (!isFlashed(lab, phone, from, to)) continue;
          const name = (index: number) => `ZP1A.2611${String(index).padStart(2, '0')}.001`;
          lab.phone(phone, Math.round(to + 95 * SECOND), {
            kind: 'os',
            build: name(number + 1),
            buildBefore: name(has.get(phone) ?? 0),
          });
          has.set(phone, number + 1);
          // and starts anew before some parts of its suite
          let at = to + minutes(lab, 18, 60);
          for (let left = random.whole(1, 3); left > 0; left -= 1) {
            restart(lab, phone, at, [27, 50], 'reboot,adb');
            at += minutes(lab, 25, 80);
          }
        }
      }
      background(lab, { hours: [9.5, 18], taken: 0.7, restarts: 0.6, glitches: 0.05 });
    },
  },
  {
    // facebook/augmented-traffic-control: a box makes the network of phones slow or lossy, or takes it away, as a test wants it
    name: 'a box between fourteen phones and the internet cuts them off by a plan, and tests switch flight mode on by day',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [7, 7],
      usb: true,
      models: ['Moto G34', 'Galaxy A15', 'Redmi 13C'],
    },
    tell(lab) {
      const { random } = lab;
      const planned = lab.everyDay().flatMap((day) =>
        (
          [
            ['22:00', 5],
            ['22:45', 15],
            ['23:45', 40],
          ] as const
        )
          .filter(() => lab.isWorkday(day))
          .map(([time, long]) => ({ from: lab.at(day, time), to: lab.at(day, time) + long * MINUTE })),
      );
      // once, a whole night long
      const longest = { from: lab.at(18, '22:00'), to: lab.at(19, '05:30') };
      lent(lab, lab.phones, 1, { hours: ['09:20', '18:10'] });
      for (const [index, phone] of lab.phones.entries()) {
        const flights = lab
          .workdays()
          .flatMap((day) =>
            Array.from({ length: random.poisson(3) }, () => between(lab, day, '09:40', '19:30')),
          )
          .map((from) => ({
            from,
            to: from + (random.chance(0.15) ? minutes(lab, 6, 22) : seconds(lab, 25, 140)),
          }));
        // the second shelf is behind the box on even days only
        const mine = planned.filter(({ from }) => index < 7 || new Date(from).getDate() % 2 === 0);
        cutOff(lab, phone, [...mine, longest, ...flights]);
      }
      background(lab, { taken: 0, restarts: 0.8, hours: [9, 18] });
    },
  },
  {
    // Linux tools/usb/usbip: `bind` takes a device from its driver and from adb; it stays on the bus of this host
    name: 'virtual machines of jobs take twelve phones over USB/IP in turns, while the host goes on seeing them on its bus',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-03-16',
      hubs: [7, 4],
      direct: 1,
      usb: true,
      models: ['Pixel 7', 'Galaxy A54', 'Xiaomi 13T'],
    },
    tell(lab) {
      const { random } = lab;
      const atNight = nightly(lab, '01:05', 2 * MINUTE);
      for (const begins of atNight)
        for (const phone of random.shuffled(lab.phones).slice(0, 9)) {
          let at = begins + seconds(lab, 3, 50);
          for (let left = random.whole(2, 4); left > 0; left -= 1) {
            const to = at + minutes(lab, 21, 55);
            passedOn(lab, phone, at, to);
            at = to + minutes(lab, 2.5, 9);
          }
        }
      for (const pushed of pushes(lab, { times: [4, 11], hours: ['08:20', '18:40'], onWeekends: 0.2 }))
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 3))) {
          const from = pushed + minutes(lab, 3, 8);
          passedOn(lab, phone, from, from + minutes(lab, 9, 48));
        }
      background(lab, { hours: [8.5, 17.5], taken: 0.8, restarts: 0.2, glitches: 0.05 });
    },
  },
  {
    // patent US 9718196, Apkudo, and others: an arm takes what is to be tested from its dock to where it is touched
    name: 'an arm carries ten phones one by one from their docks into two cells, where they are touched and filmed, and back',
    lab: {
      zone: 'Europe/Tallinn',
      from: '2026-03-16',
      hubs: [10, 4],
      free: 4,
      usb: true,
      models: ['Galaxy S24', 'Pixel 9', 'Nothing Phone 2'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const ports: Port[] = lab.hubs[1]?.ports.slice(0, 2) ?? [];
      const cells = ports.map((port) => ({ port, freeFrom: lab.start }));
      const homeFrom = new Map<LabPhone, number>();
      // it has one hand
      const moves: number[] = [];
      const moved = (wanted: number): number => {
        let at = wanted;
        while (moves.some((each) => Math.abs(each - at) < 45 * SECOND)) at += 46 * SECOND;
        moves.push(at);
        return at;
      };
      const visit = (phone: LabPhone, wanted: number): void => {
        const cell = cells.reduce((one, other) => (other.freeFrom < one.freeFrom ? other : one));
        const asked = Math.max(wanted, cell.freeFrom + 50 * SECOND, (homeFrom.get(phone) ?? 0) + MINUTE);
        if (asked > wanted + 2 * HOUR || asked > lab.end - 3 * HOUR) return;
        const begins = moved(asked);
        if (!lab.isFree(phone, begins - MINUTE, begins + HOUR)) return;
        const home = lab.portOf(phone, begins);
        const ends = moved(begins + minutes(lab, 9, 46));
        lab.lose(phone, begins, { forMs: seconds(lab, 17, 31), to: cell.port });
        const back = seconds(lab, 17, 31);
        lab.lose(phone, ends, { forMs: back, ...(home && { to: home }) });
        cell.freeFrom = ends + back;
        homeFrom.set(phone, ends + back);
      };
      // its docks are wiped with alcohol, one after the other
      for (const [index, phone] of lab.phones.entries()) {
        const at = lab.at(8, '08:32') + index * 75 * SECOND;
        out(lab, phone, at, at + seconds(lab, 12, 50));
      }
      const byDay = pushes(lab, { times: [10, 19], hours: ['08:50', '19:30'], onWeekends: 0.3 });
      const asks = byDay.map((at) => ({ at, phone: random.pick(lab.phones) }));
      // each night all of them go through what is new
      const soak = nightly(lab, '22:30', MINUTE, 0)
        .filter(() => random.chance(0.8))
        .flatMap((at) =>
          random.shuffled(lab.phones).map((phone, index) => ({ at: at + index * 16 * MINUTE, phone })),
        );
      for (const { at, phone } of [...asks, ...soak].sort((one, other) => one.at - other.at))
        visit(phone, at);
      background(lab);
    },
  },
  {
    name: 'a pool keeps emulators ready for the next job, two at night and six by day, and each is used once',
    lab: {
      zone: 'America/Chicago',
      from: '2026-10-19',
      hubs: [],
      direct: 2,
      emulators: 16,
      models: ['Pixel 8', 'Galaxy S23', 'sdk_gphone64_x86_64'],
    },
    tell(lab) {
      const { random } = lab;
      const emulators = lab.pinnedOf('emulator');
      for (const emulator of emulators) emulator.isThereAtFirst = false;
      // the image is built anew in the night from Saturday to Sunday, and the pool with it
      const rebuilt = lab
        .everyDay()
        .filter((day) => lab.weekday(day) === 0)
        .map((day) => lab.at(day, '03:00'));
      const edges = [lab.start, ...rebuilt, lab.end];
      for (const [index, emulator] of emulators.entries()) {
        if (index < 2) {
          for (const [week, from] of edges.slice(0, -1).entries())
            usedOnce(lab, emulator, {
              from: from + minutes(lab, 1, 4),
              to: (edges[week + 1] ?? lab.end) - 4 * MINUTE,
            });
          continue;
        }
        for (const day of lab.workdays())
          if (index < 6)
            usedOnce(lab, emulator, {
              from: lab.at(day, '07:00') + seconds(lab, 0, 50),
              to: lab.at(day, '20:00'),
            });
          // the others start when more jobs wait, and end when none did for a while
          else
            for (let left = random.poisson((16 - index) / 3); left > 0; left -= 1) {
              const from = lab.at(day, '08:30') + (random.whole(0, 11) + random.between(0, 0.3)) * HOUR;
              const isRunning = !lab.isFree(emulator, from - MINUTE, from + HOUR);
              if (isRunning) continue;
              emulator.busy.push({ from, to: from + HOUR });
              usedOnce(lab, emulator, { from, to: from + minutes(lab, 12, 55) });
            }
      }
      background(lab, { hours: [9, 17], taken: 2, restarts: 1 });
    },
  },
  {
    // Android, DevicePolicyManager.reboot: a management program restarts each tablet, and each follows its own clock
    name: 'the tablets of a lodge restart at three by their own clock and after each guest, and an island changes it by half an hour',
    lab: {
      zone: 'Australia/Lord_Howe',
      from: '2026-03-23',
      hubs: [16],
      free: 2,
      known: { slots: false },
      models: ['Galaxy Tab A9', 'Lenovo Tab M11'],
    },
    tell(lab) {
      const { random } = lab;
      const reason = 'reboot,deviceowner';
      pinAll(lab.phones);
      for (const tablet of lab.phones) {
        const late = seconds(lab, 4, 230);
        for (let day = random.whole(0, 5); day < lab.days - 8; day += random.whole(1, 3)) {
          const nights = random.pick([2, 3, 4, 5, 7]);
          const from = between(lab, day, '14:10', '17:30');
          day += nights;
          const to = between(lab, day, '08:40', '10:20');
          if (!lab.isFree(tablet, from, to)) continue;
          lab.lose(tablet, from, { forMs: to - from });
          // it has restarted in the room as well
          const asked = to + seconds(lab, 6, 30);
          const uptimeSeconds = Math.round((asked - lab.at(day, '03:00:25') - late) / SECOND);
          lab.rebooted(tablet, asked, { reason, uptimeSeconds });
          // what the guest has left in it is wiped, and it starts anew
          restart(lab, tablet, to + minutes(lab, 6, 40), [34, 55], reason);
        }
        for (const day of lab.everyDay())
          restart(lab, tablet, lab.at(day, '03:00') + late + seconds(lab, 0, 5), [34, 55], reason);
        drainsOutside(lab, tablet, 1.1);
        tablet.reading &&= withWeather(lab, tablet.reading);
      }
      background(lab, { glitches: 0, isDaily: true });
    },
  },
  {
    // a small robot presses a button (SwitchBot); a headset that nobody wears sleeps a quarter of an hour later
    name: 'small fingers press the buttons of six headsets when a job waits for one, and they sleep again by themselves',
    lab: {
      zone: 'Europe/Copenhagen',
      from: '2026-02-09',
      hubs: [],
      direct: 1,
      network: 6,
      models: ['Pixel 8', 'Quest 3', 'Quest 3S', 'Pico 4'],
    },
    tell(lab) {
      const { random } = lab;
      const commits = pushes(lab, { times: [4, 12], hours: ['08:20', '18:30'], onWeekends: 0.15 });
      for (const [index, headset] of lab.pinnedOf('tcp').entries()) {
        const pressed = commits.filter(() => random.chance(0.3)).map((at) => at + minutes(lab, 5, 13));
        const byDay = pressed.map((from) => ({
          from,
          to: from + minutes(lab, 6, 27) + minutes(lab, 14.8, 15.4),
        }));
        const starts = nightly(lab, '02:00', 4 * SECOND, 0).map(
          (at) => at + (index % 3) * 65 * MINUTE + seconds(lab, 18, 41),
        );
        const atNight = starts
          .filter((_, day) => lab.weekday(day) > 0 && random.chance(0.94))
          .map((from) => ({ from, to: from + minutes(lab, 33, 58) + minutes(lab, 14.8, 15.4) }));
        onlyIn(lab, headset, [...byDay, ...atNight], 2 * MINUTE);
        // two updates in the month, which it takes when the job of the night has begun
        for (const [count, day] of [9, 23].entries()) {
          const night = atNight.find(({ from }) => from > lab.at(day));
          if (night)
            updates(lab, headset, night.from + minutes(lab, 3, 5), [70, 115], {
              build: `v85.${count + 1}`,
              buildBefore: `v85.${count}`,
            });
        }
      }
      background(lab, { hours: [8.5, 17], taken: 1.5, glitches: 0 });
    },
  },
  {
    // batterylab.dev, arXiv 2201.12614: USB is off while a phone is measured, and adb reaches it over Wi-Fi meanwhile
    name: 'one power meter measures five phones in turns: each leaves its cable for that, and is on Wi-Fi under another name',
    lab: {
      zone: 'Europe/London',
      from: '2026-03-16',
      hubs: [7],
      free: 2,
      network: 5,
      usb: true,
      known: { slots: false },
      models: ['Galaxy J7 Duo', 'Pixel 3a', 'Moto G7', 'Pixel 6', 'Redmi 9'],
    },
    tell(lab) {
      const { random } = lab;
      const onAir = new Map<LabPhone, Span[]>();
      // one has no guests for four days, as its owner is at a conference with it
      out(lab, lab.pinned(4), lab.at(15, '16:40'), lab.at(19, '10:15'));
      const measure = (phone: LabPhone, at: number, forMs: number): void => {
        const to = at + forMs;
        if (to > lab.end - HOUR || !lab.isFree(phone, at - 2 * MINUTE, to + 3 * MINUTE)) return;
        // adbd starts anew to listen to the network, and once more to listen to the cable
        out(lab, phone, at, at + seconds(lab, 1.3, 2.6));
        onAir.set(phone, [...(onAir.get(phone) ?? []), { from: at + 9 * SECOND, to: to + 14 * SECOND }]);
        out(lab, phone, at + 36 * SECOND, to);
        out(lab, phone, to + 32 * SECOND, to + 32 * SECOND + seconds(lab, 1.3, 2.6));
      };
      for (let at = lab.start + minutes(lab, 30, 90); at < lab.end - 2 * HOUR; ) {
        const phone = random.pick(lab.usbPhones);
        const [least, most] = random.pick([
          [5, 9],
          [5, 9],
          [12, 30],
          [35, 70],
        ]);
        const forMs = minutes(lab, least ?? 5, most ?? 9);
        for (let left = random.pick([1, 3, 5]); left > 0; left -= 1) {
          measure(phone, at, forMs);
          at += forMs + minutes(lab, 3.5, 5);
        }
        // strangers book it from all over the world, and more of them by day
        at += isOfficeTime(at) ? minutes(lab, 2, 50) : minutes(lab, 10, 190);
      }
      for (const [index, phone] of lab.usbPhones.entries()) {
        const twin = lab.networkPhones[index];
        if (twin) thereOnlyIn(lab, twin, onAir.get(phone) ?? []);
      }
      // its battery is out of the circuit then
      for (const twin of lab.networkPhones)
        twin.reading = withWeather(lab, levels([[lab.start, random.whole(71, 97)]], random.whole(268, 305)));
      background(lab, { taken: 0.8, restarts: 0.8, glitches: 0 });
    },
  },
  {
    // a snapshot keeps the uptime that its virtual machine had when it was taken
    name: 'nine virtual devices go back to a snapshot after each test, and are as old again as they were in it',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [4],
      network: 9,
      models: ['Pixel 7', 'Galaxy M14', 'Android x86'],
    },
    tell(lab) {
      const { random } = lab;
      const virtual = lab.pinnedOf('tcp');
      unread(virtual);
      let age = random.whole(900, 2400);
      const back = (device: LabPhone, at: number): void => {
        const forMs = seconds(lab, 6, 19);
        if (!lab.isFree(device, at - MINUTE, at + 2 * MINUTE) || at > lab.end - HOUR) return;
        lab.lose(device, at, { as: 'offline', forMs });
        const later = random.between(5, 40);
        lab.rebooted(device, at + forMs + later * SECOND, {
          uptimeSeconds: Math.round(age + later + forMs / 2000),
        });
      };
      for (const day of lab.everyDay()) {
        // a new one is taken with the application of each Thursday's release
        if (lab.weekday(day) === 4) {
          const taken = lab.at(day, '20:40');
          for (const [index, device] of virtual.entries())
            restart(lab, device, taken + index * 100 * SECOND, [45, 80], 'reboot');
          age = random.whole(900, 2400);
        }
        const many = lab.isWorkday(day) ? random.whole(40, 110) : random.whole(0, 14);
        const times = Array.from({ length: many }, () => between(lab, day, '08:30', '20:20'));
        for (const at of times.sort((one, other) => one - other)) back(random.pick(virtual), at);
        for (const device of virtual)
          for (let at = between(lab, day, '22:00', '22:40'), left = random.whole(2, 6); left > 0; left -= 1) {
            back(device, at);
            at += minutes(lab, 6, 45);
          }
      }
      background(lab, { hours: [10, 19], taken: 1.2 });
    },
  },
  {
    name: 'a program takes the power of any of twenty phones that gets warm on July afternoons, until it has cooled down',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-06-29',
      hubs: [10, 10],
      usb: true,
      models: ['Redmi Note 13', 'Galaxy A25', 'Oppo Reno 11', 'Pixel 7a'],
    },
    tell(lab) {
      // two waves of heat, and a few days with wind from the sea
      const warm = lab.everyDay().map((day) => {
        const wave = (day > 4 && day < 12) || (day > 17 && day < 25) ? 4.2 : 1.6;
        return wave + lab.random.between(-0.7, 0.9);
      });
      // who works in summer is at home by three
      lent(lab, lab.phones, 1.1, { hours: ['08:10', '13:40'], minutes: [5, 70], overnight: 0 });
      // warm air is above: the shelves differ, and so do the phones
      for (const [index, phone] of lab.phones.entries())
        guardedFromHeat(
          lab,
          phone,
          (day) => warm[day] ?? 1.6,
          (index < 10 ? 1.6 : 0.4) + lab.random.between(-0.6, 0.9),
        );
      background(lab, { taken: 0, restarts: 0.8, hours: [8, 15], glitches: 0.04 });
    },
  },
  {
    // a supply in place of the battery: its thermistor is a resistor, and its level what the gauge makes of a steady voltage
    name: 'twelve phones without batteries start from nothing as often as their supply is told to, and all of them at half past four',
    lab: {
      zone: 'Asia/Taipei',
      hubs: [10, 4],
      free: 2,
      usb: true,
      models: ['Zenfone 9', 'Pixel 6', 'Galaxy A53'],
    },
    tell(lab) {
      const { random } = lab;
      const steady =
        (levelPercent: number): Reading =>
        () => ({
          levelPercent,
          isFull: false,
          temperatureDecicelsius: 250,
        });
      for (const phone of lab.phones) {
        phone.reading = steady(random.pick([50, 50, 61, 84]));
        // how long it takes until the first frame is measured at night, some times for an average
        for (const day of lab.workdays().filter(() => random.chance(0.7))) {
          let at = between(lab, day, '20:15', '23:30');
          for (let left = random.pick([3, 3, 5, 10]); left > 0; left -= 1) {
            const forMs = 8 * SECOND + seconds(lab, 26, 44);
            if (lab.isFree(phone, at - MINUTE, at + forMs + 2 * MINUTE)) {
              lab.lose(phone, at, { forMs });
              hasRestarted(lab, phone, at + forMs, 'cold');
            }
            at += minutes(lab, 3.5, 6);
          }
        }
      }
      for (const at of nightly(lab, '04:30:02', 2 * SECOND)) {
        const forMs = 30 * SECOND + 27 * SECOND;
        const there = lab.phones.filter((phone) => lab.isFree(phone, at - MINUTE, at + 3 * MINUTE));
        for (const { phone, until } of lab.loseAll(there, at, {
          spreadMs: 250,
          forMs,
          backSpreadMs: 22 * SECOND,
        }))
          if (until < lab.end - HOUR) hasRestarted(lab, phone, until, 'cold');
      }
      background(lab, { hours: [9.5, 19], taken: 0, restarts: 0.8, glitches: 0.04 });
    },
  },
  {
    // appium and scripts of CI: `adb kill-server` and `adb start-server` before each run, so that none begins with an old server
    name: 'each run of a pipeline begins with a new adb server, and connects anew to the three phones that are on Wi-Fi',
    lab: {
      zone: 'America/Bogota',
      hubs: [4],
      direct: 1,
      network: 3,
      known: { slots: false, usbPath: false },
      models: ['Moto G54', 'Galaxy A34', 'Redmi 12'],
    },
    tell(lab) {
      const { random } = lab;
      const onAir = lab.pinnedOf('tcp');
      const runs = [
        ...pushes(lab, { times: [2, 6], hours: ['07:40', '18:20'], onWeekends: 0.2 }),
        ...nightly(lab, '01:30:03', 5 * SECOND),
        ...nightly(lab, '04:00:03', 5 * SECOND),
      ].sort((one, other) => one - other);
      let last = lab.start;
      for (const at of runs) {
        // one after the other
        const begins = Math.round(Math.max(at, last + minutes(lab, 0.5, 2)));
        if (begins > lab.end - 2 * HOUR) break;
        const back = adbRestarts(lab, begins, undefined, Math.round(seconds(lab, 1.8, 4)));
        for (const phone of onAir) lab.lose(phone, back + 300, { forMs: seconds(lab, 2.5, 9) });
        last = begins + minutes(lab, 14, 40);
        // the phones start anew in the run of the night
        if (!isOfficeTime(begins) && random.chance(0.6))
          for (const phone of lab.usbPhones)
            restart(lab, phone, begins + minutes(lab, 4, 9), [30, 55], 'reboot,adb');
      }
      background(lab, { hours: [8, 17], taken: 1, glitches: 0.05 });
    },
  },
  {
    // acroname.com, how we built a mobile device lab: phones that hang on USB all the time swell; a hub switches each port
    name: 'sixty phones have power only while a job wants them, and for two hours a day by a timer that stays on Greenwich time',
    lab: {
      zone: 'America/New_York',
      from: '2026-10-19',
      hubs: [16, 16, 16, 16],
      free: 4,
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy S21', 'Pixel 5', 'Galaxy A71', 'Moto G Power', 'OnePlus 8T'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const times = new Map<LabPhone, Span[]>();
      // until ten on the first Monday they have it all the time
      for (const [index, phone] of lab.phones.entries())
        times.set(phone, [{ from: lab.start, to: lab.at(0, '10:00:04') + index * 350 }]);
      for (const day of lab.everyDay())
        for (const shelf of [0, 1, 2, 3])
          for (const [index, phone] of lab.phonesOf(shelf).entries()) {
            const from = greenwich(lab, day, 5 + 2 * shelf) + 2 * SECOND + index * 350;
            if (from < lab.at(0, '10:10')) continue;
            times.get(phone)?.push({ from: from + seconds(lab, 1.4, 4), to: from + 119 * MINUTE });
          }
      for (const pushed of pushes(lab, { times: [7, 15], hours: ['08:40', '19:20'], onWeekends: 0.3 })) {
        if (pushed < lab.at(0, '10:10')) continue;
        for (const phone of random.shuffled(lab.phones).slice(0, random.pick([1, 2, 4, 6]))) {
          const from = pushed + minutes(lab, 2, 6) + seconds(lab, 1.4, 4);
          times.get(phone)?.push({ from, to: from + minutes(lab, 8, 34) });
        }
      }
      for (const [phone, spans] of times) {
        // lent for a day or two; the timer finds an empty port
        const lentOn = random.chance(0.4) ? random.pick(lab.workdays(2, 26)) : undefined;
        const [from, to] =
          lentOn === undefined ? [0, 0] : [lab.at(lentOn, '09:30'), lab.at(lentOn + 1, '10:00')];
        const here = spans.filter((span) => span.to < from || span.from > to);
        stays(lab, phone, merged(here, 2 * MINUTE));
        drainsOutside(lab, phone, 0.7);
        phone.reading &&= withWeather(lab, phone.reading);
      }
      background(lab, { taken: 0 });
    },
  },
];
