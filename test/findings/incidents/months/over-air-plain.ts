/**
 * Months of labs whose devices are reached over the network or are virtual: televisions, displays, watches, readers and head
 * units that are there while somebody uses them, pools of virtual devices that grow and shrink, and networks and hosts that
 * start anew by a plan, most of them with some phones on cables beside.
 */
import { background, levels } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { hostIsOff } from './at-length.ts';
import { hasRestarted, merged, nightly, pushes, type Span, unread } from './by-machine.ts';
import { job } from './calm.ts';
import { between, minutes, seconds } from './habits.ts';
import { along, lent } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

/** When a program that looks every so often has found what is there again since then. */
const found = (lab: Lab, at: number, everyMs: number): number =>
  Math.ceil(at / everyMs) * everyMs + seconds(lab, 1, 7);

/** Who loses its power or its Wi-Fi says nothing: adb asks it once a second, and gives up after ten. */
const unheard = (lab: Lab): number => seconds(lab, 10, 13);

/** So many moments of a day, in their order. */
const moments = (lab: Lab, many: number, day: number, from: string, to: string): number[] =>
  Array.from({ length: many }, () => between(lab, day, from, to)).sort((one, other) => one - other);

/** It is gone for that time, and has started anew when it is back. */
function startsAnew(lab: Lab, device: LabPhone, from: number, to: number, reason?: string): void {
  if (to > lab.end - HOUR || !lab.isFree(device, from - MINUTE, to + 2 * MINUTE)) return;
  unreached(lab, device, from, to);
  hasRestarted(lab, device, to, reason);
  device.busy.push({ from: to, to: to + MINUTE });
}

/** The host restarts as planned; a script of it then connects to what was there, one after the other. @returns when, of each */
function hostAnew(
  lab: Lab,
  at: number,
  { downMs, firstMs, stepMs }: { downMs: number; firstMs: number; stepMs: number },
  phones: readonly LabPhone[] = lab.networkPhones,
): { phone: LabPhone; back: number }[] {
  const there = phones.filter((phone) => lab.isFree(phone, at - 2 * MINUTE, at + 9 * MINUTE));
  hostIsOff(lab, at, at + downMs);
  const again = Math.round(at + downMs + 400);
  return there.map((phone, index) => {
    const forMs = firstMs + index * stepMs + seconds(lab, 0, 2);
    lab.lose(phone, again, { forMs });
    return { phone, back: again + forMs };
  });
}

/** It is switched on for each use, and off by a key, or by itself that long after the last one. */
function idlesOff(lab: Lab, uses: readonly Span[], idleMs: number, byKey: number): Span[] {
  const spans: Span[] = [];
  for (const { from, to } of uses) {
    const off = to + (lab.random.chance(byKey) ? seconds(lab, 5, 40) : idleMs);
    const last = spans.at(-1);
    if (last !== undefined && from < last.to + MINUTE) last.to = Math.max(off, to);
    else spans.push({ from: from - seconds(lab, 10, 45), to: off });
  }
  return spans;
}

/** Uses of so many minutes, one after the other. */
function uses(lab: Lab, begins: readonly number[], least: number, most: number): Span[] {
  const spans: Span[] = [];
  for (const begin of begins) {
    const from = Math.max(begin, (spans.at(-1)?.to ?? 0) + 2 * MINUTE);
    spans.push({ from, to: from + minutes(lab, least, most) });
  }
  return spans;
}

export const overAirPlain: readonly QuietMonth[] = [
  {
    // source.android.com, TV standby: who sees no key for some hours warns, and sleeps; python-androidtv#216: adb ends with it
    name: 'twelve televisions switch themselves off four hours after the last key, and testers in Warsaw and Toronto switch them on again',
    lab: {
      zone: 'Europe/Warsaw',
      from: '2026-10-12',
      hubs: [4],
      network: 12,
      models: ['Galaxy S22', 'Pixel 7', 'Bravia', 'TCL C735', 'Philips 7608'],
    },
    tell(lab) {
      const { random } = lab;
      const televisions = lab.pinnedOf('tcp');
      unread(televisions);
      for (const [index, television] of televisions.entries()) {
        // some are asked for more than others
        const liked = index < 4 ? 1.5 : index < 9 ? 0.8 : 0.4;
        const begins = lab.workdays().flatMap((day) => {
          // for a week the zones are five hours apart, not six
          const late = day >= 13 && day < 20 ? '14:05' : '15:05';
          return [
            ...moments(lab, random.poisson(1.3 * liked), day, '08:30', '16:20'),
            // Thanksgiving of Canada
            ...(day === 0 ? [] : moments(lab, random.poisson(0.9 * liked), day, late, '22:10')),
          ].sort((one, other) => one - other);
        });
        // its network goes seconds or minutes after its picture
        const standbyMs = random.pick([8 * SECOND, 25 * SECOND, 10 * MINUTE]);
        const on = idlesOff(lab, uses(lab, begins, 8, 110), 4 * HOUR, 0.4);
        onlyIn(
          lab,
          television,
          on.map(({ from, to }) => ({ from, to: to + standbyMs })),
          2 * MINUTE,
        );
      }
      background(lab, { taken: 1.2, hours: [8.5, 17] });
    },
  },
  {
    // waydroid/waydroid#847: a session connects itself to adb once Android runs, and ends with the desktop
    name: 'twenty students start Waydroid in the two lessons of a week, and a script of their teacher connects to whoever runs it',
    lab: {
      zone: 'Europe/Madrid',
      from: '2026-09-14',
      days: 33,
      hubs: [],
      direct: 2,
      network: 20,
      known: { slots: false },
      models: ['Moto G14', 'Redmi 12C', 'Waydroid'],
    },
    tell(lab) {
      const { random } = lab;
      const seats = lab.pinnedOf('tcp');
      unread(seats);
      const lessons = lab
        .everyDay()
        // the twelfth of October is a holiday
        .filter((day) => [1, 4].includes(lab.weekday(day)) && day !== 28)
        .map((day) => ({
          day,
          begins: lab.weekday(day) === 1 ? '10:05' : '15:35',
          ends: lab.weekday(day) === 1 ? '11:55' : '17:25',
        }));
      for (const [index, seat] of seats.entries()) {
        // three of the seats are rarely taken
        const part = index < 17 ? 0.9 : 0.25;
        const times: Span[] = [];
        for (const { day, begins, ends } of lessons) {
          if (!random.chance(part)) continue;
          const from = lab.at(day, begins) + minutes(lab, 3, 24);
          const to = lab.at(day, ends) + minutes(lab, -12, 14);
          // somebody closes it, or begins anew with another image
          const closed = random.chance(0.3) ? from + minutes(lab, 15, 60) : undefined;
          if (closed === undefined) times.push({ from: found(lab, from, 2 * MINUTE), to });
          else
            times.push(
              { from: found(lab, from, 2 * MINUTE), to: closed },
              { from: found(lab, closed + minutes(lab, 2, 9), 2 * MINUTE), to },
            );
        }
        // the room is open for practice on Friday mornings
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 5 && random.chance(0.12))) {
          const from = found(lab, between(lab, day, '09:20', '12:00'), 2 * MINUTE);
          times.push({ from, to: from + minutes(lab, 25, 130) });
        }
        onlyIn(lab, seat, times, MINUTE);
      }
      background(lab, { taken: 1, hours: [9, 18], restarts: 0.4 });
    },
  },
  {
    // LmeSzinc/AzurLaneAutoScript#3850, StarRailCopilot#1030: many tasks are due at four, and emulators are closed in between
    name: 'a program starts six emulators of games when their tasks are due, most of them at four in the morning, and closes them until the next',
    lab: {
      zone: 'Asia/Shanghai',
      from: '2026-05-04',
      hubs: [],
      direct: 1,
      network: 6,
      known: { slots: false },
      models: ['Xiaomi 13', 'MuMu 12'],
    },
    tell(lab) {
      const { random } = lab;
      const emulators = lab.pinnedOf('tcp');
      unread(emulators);
      // patches of the second Tuesday of May, in the night after it
      const patched = lab.at(9, '03:12:20');
      for (const [index, emulator] of emulators.entries()) {
        const times: Span[] = [];
        let due = lab.at(0, '04:00:02');
        while (due < lab.end - 2 * HOUR) {
          // two at once are too much for the others: they wait for their turn
          const from = due + index * 13 * SECOND + seconds(lab, 35, 75);
          const date = new Date(due);
          // the game is closed for its update on Thursdays until three
          const isUpdated = date.getDay() === 4 && date.getHours() >= 8 && date.getHours() < 15;
          const long: [number, number] = date.getHours() === 4 ? [22, 48] : [5, 19];
          if (!isUpdated) times.push({ from, to: from + minutes(lab, ...long) });
          const day = Math.floor((due - lab.start) / (24 * HOUR));
          const next = due + minutes(lab, 150, 330);
          const tomorrow = lab.at(day + (date.getHours() < 4 ? 0 : 1), '04:00:02');
          // who has less than two hours left waits for four
          due = next > tomorrow - 2 * HOUR ? tomorrow : next;
          // on evenings its owner plays on the first of them by hand
          if (index === 0 && date.getHours() >= 16 && random.chance(0.3)) {
            const plays = between(lab, day, '20:10', '21:30');
            times.push({ from: plays, to: plays + minutes(lab, 30, 130) });
          }
        }
        onlyIn(lab, emulator, times, 2 * MINUTE);
      }
      // who had a task then is started once more
      for (const { phone, back } of hostAnew(lab, patched, {
        downMs: 260 * SECOND,
        firstMs: 95 * SECOND,
        stepMs: 13 * SECOND,
      }))
        hasRestarted(lab, phone, back);
      background(lab, { taken: 3, hours: [18, 24], isDaily: true, restarts: 0.6 });
    },
  },
  {
    // testing of access points: what is under test gets a new build many times a day, and its clients come back each time
    name: 'three access points get new builds by day and start anew six times a night for their makers, with three phones on each and six on cables',
    lab: {
      zone: 'Asia/Taipei',
      from: '2026-03-02',
      hubs: [7],
      free: 1,
      network: 9,
      usb: true,
      models: ['Pixel 6a', 'Galaxy S23', 'Redmi Note 13'],
    },
    tell(lab) {
      const { random } = lab;
      const clients = lab.pinnedOf('tcp');
      for (const point of [0, 1, 2]) {
        const group = clients.slice(point * 3, point * 3 + 3);
        const builds = pushes(lab, { times: [1, 4], hours: ['09:30', '18:40'], onWeekends: 0 });
        const nights = lab
          .everyDay()
          .filter((day) => lab.isWorkday(day - 1) && day > 0)
          .flatMap((day) =>
            Array.from(
              { length: 6 },
              (_, round) => lab.at(day, '01:00:05') + point * 8 * MINUTE + round * 25 * MINUTE,
            ),
          );
        // it writes its flash by day, and only starts anew at night
        for (const [times, least, most] of [
          [builds, 150, 215],
          [nights, 62, 84],
        ] as const)
          for (const at of times) {
            const up = at + seconds(lab, least, most);
            for (const phone of group) {
              const joined = up + seconds(lab, 4, 55);
              const back = joined - at > 90 * SECOND ? found(lab, joined, MINUTE) : joined;
              if (lab.isFree(phone, at - MINUTE, back + MINUTE))
                unreached(lab, phone, at + unheard(lab), back);
            }
          }
        // the one under test is changed for another one on a Saturday that nobody minds
        if (point === 1)
          for (const phone of group)
            unreached(
              lab,
              phone,
              lab.at(12, '10:31') + unheard(lab),
              lab.at(12, '11:20') + minutes(lab, 0, 9),
            );
      }
      lent(lab, lab.usbPhones, 1.2);
      background(lab, { hours: [9, 18.5], taken: 0, restarts: random.between(0.4, 0.8) });
    },
  },
  {
    // plans of networks for labs: one network of their own for test devices, with an address that is kept for each
    name: 'an office moves its twenty-two devices on Wi-Fi into a network of their own in one evening, and little else happens',
    lab: {
      zone: 'America/Sao_Paulo',
      from: '2026-06-01',
      hubs: [10],
      free: 2,
      network: 22,
      models: ['Galaxy A15', 'Moto G84', 'Galaxy Tab A9', 'Mi Box S', 'Chromecast'],
    },
    tell(lab) {
      const { random } = lab;
      const moved = lab.networkPhones;
      const asleep = new Set(random.shuffled(moved).slice(0, 3));
      // somebody goes from one to the next, chooses the new Wi-Fi, and tells the script its new address
      const done = along(lab, moved, lab.at(17, '18:12'), [40, 130], (phone, at) => {
        const back = asleep.has(phone)
          ? between(lab, 18, '09:05', '10:20')
          : found(lab, at + seconds(lab, 35, 110), MINUTE) + seconds(lab, 20, 80);
        unreached(lab, phone, at + unheard(lab), back);
      });
      // the old network is there until the morning after it; two come back to it once more, and are moved again
      for (const phone of random.shuffled(moved.filter((each) => !asleep.has(each))).slice(0, 2)) {
        const at = done + minutes(lab, 5, 25);
        if (lab.isFree(phone, at, at + 6 * MINUTE)) unreached(lab, phone, at, at + seconds(lab, 130, 300));
      }
      background(lab, { taken: 0.7, hours: [9, 18], restarts: 0.4, glitches: 0 });
    },
  },
  {
    // source.android.com, garage mode: after the ignition a head unit stays awake for its jobs, and suspends then
    name: 'five head units on benches follow their ignition, which engineers switch by day and a script in the evening',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-05-04',
      hubs: [],
      direct: 3,
      network: 5,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S24', 'Pixel 7a', 'Head unit'],
    },
    tell(lab) {
      const { random } = lab;
      const units = lab.pinnedOf('tcp');
      unread(units);
      // Ascension Day, and the Friday after it that most take off
      const days = lab.workdays().filter((day) => day !== 10 && day !== 11);
      for (const [index, unit] of units.entries()) {
        const on: Span[] = [];
        for (const day of days) {
          // its software was set to wait for two minutes, not fifteen, but on the last one
          const garage = index === 4 ? 15 : 2;
          if (random.chance(0.85))
            for (const [from, to] of [
              ['08:10', '09:40'],
              ['12:35', '13:20'],
            ] as const) {
              const begins = between(lab, day, from, to);
              const ends =
                from === '08:10' ? between(lab, day, '11:20', '12:10') : between(lab, day, '15:20', '17:10');
              on.push({ from: begins, to: ends + garage * MINUTE });
            }
          // who works late still has it when the script begins elsewhere
          if (index > 2 || lab.weekday(day) === 5) continue;
          for (let round = 0; round < 5; round += 1) {
            const begins = lab.at(day, '20:00:04') + round * 42 * MINUTE + index * 20 * SECOND;
            on.push({ from: begins, to: begins + 24 * MINUTE + garage * MINUTE });
          }
        }
        // a resume takes seconds; the script connects within half a minute
        const times = on.map(({ from, to }) => ({ from: found(lab, from + 4 * SECOND, 30 * SECOND), to }));
        onlyIn(lab, unit, times, MINUTE);
        // a new build, on two days of each week
        for (const { from, to } of merged(times))
          if (to - from > 90 * MINUTE && random.chance(0.25)) {
            const at = random.between(from + 10 * MINUTE, to - 30 * MINUTE);
            startsAnew(lab, unit, at, at + seconds(lab, 240, 420), 'reboot');
          }
      }
      background(lab, { taken: 3, hours: [8, 17], restarts: 0.8 });
    },
  },
  {
    // koreader/koreader#9003, #11510: readers switch their Wi-Fi and their cores off as soon as nobody turns a page
    name: 'five readers with screens of paper are on the network while somebody tests on them, and are charged at the wall once a week',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-02-02',
      hubs: [4],
      network: 5,
      known: { usbPath: false, hub: false },
      models: ['Galaxy A54', 'Pixel 6', 'Redmi 10', 'Moto G54', 'Boox Palma', 'Boox Go', 'InkPalm'],
    },
    tell(lab) {
      const { random } = lab;
      for (const [index, reader] of lab.pinnedOf('tcp').entries()) {
        // one belongs to a tester who comes on three days
        const days = lab.workdays().filter((day) => index !== 3 || [2, 3, 4].includes(lab.weekday(day)));
        const begins = days.flatMap((day) =>
          moments(lab, random.poisson(index === 4 ? 1.2 : 3.4), day, '09:10', '16:50'),
        );
        const read = uses(lab, begins, 4, 55);
        // it sleeps after five or ten minutes, or by its button
        onlyIn(lab, reader, idlesOff(lab, read, (index % 2 === 0 ? 5 : 10) * MINUTE, 0.35), MINUTE);
        const points: [number, number][] = [];
        let at = lab.start - random.between(0, 5) * 24 * HOUR;
        while (at < lab.end) {
          points.push([at, 100]);
          at += random.between(5.5, 8) * 24 * HOUR;
          points.push([at, random.whole(28, 55)]);
          at += random.between(1.5, 3) * HOUR;
        }
        reader.reading = levels(points, 240);
      }
      background(lab, { taken: 1.4, hours: [9, 17] });
    },
  },
  {
    // openwrt.org, scheduled restart by cron: an access point starts anew each night, so that nobody has to by day
    name: 'an access point starts anew at a quarter past four each night, and eleven displays of a home for the old come back when each tries again',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-03-09',
      hubs: [],
      direct: 2,
      network: 11,
      known: { slots: false },
      models: ['Galaxy A25', 'Pixel 6a', 'Galaxy Tab A8', 'Lenovo Smart Tab', 'Portal'],
    },
    tell(lab) {
      const { random } = lab;
      const displays = lab.networkPhones;
      for (const display of displays) display.isPinned = true;
      for (const [index, display] of displays.entries()) {
        // some look for their network all the time, some once in minutes while their screen is dark
        const [least, most] = index % 3 === 0 ? [3, 25] : index % 3 === 1 ? [10, 130] : [40, 290];
        for (const day of lab.everyDay()) {
          // cron goes by the clock, also in the night in which an hour is skipped before
          const at = lab.at(day, '04:15:02') + seconds(lab, 0, 1.5);
          unreached(lab, display, at + unheard(lab), at + 78 * SECOND + seconds(lab, least, most));
        }
        // they start anew on Wednesdays after that, each at its own minute
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 3)) {
          const at = lab.at(day, '04:40') + index * 130 * SECOND;
          startsAnew(lab, display, at, at + seconds(lab, 42, 80), 'reboot');
        }
        // carried to somebody who lies in bed, to a room where the network is far
        for (let left = random.poisson(0.9); left > 0; left -= 1) {
          const at = between(lab, random.whole(1, lab.days - 2), '09:30', '18:30');
          const to = at + minutes(lab, 6, 50);
          if (lab.isFree(display, at, to)) unreached(lab, display, at, to);
        }
      }
      background(lab, { taken: 0.8, hours: [8, 19], isDaily: true, restarts: 0.3, glitches: 0 });
    },
  },
  {
    // kimmoir.blog, 2014: emulators of a farm run on spot machines, which the cloud takes back at times; jobs are tried again
    name: 'sixteen virtual devices are on machines that a cloud takes back when it likes, four of them by night, and another one takes each place',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-10-19',
      hubs: [],
      direct: 2,
      network: 16,
      models: ['Pixel 8', 'Galaxy S23', 'Genymotion'],
    },
    tell(lab) {
      const { random } = lab;
      const places = lab.pinnedOf('tcp');
      unread(places);
      // the plan is in Greenwich time, and knows no winter
      const hour = (day: number): number => (day >= 13 ? -HOUR : 0);
      // when the cloud is short of machines it takes some at a time
      const short = lab
        .workdays()
        .filter(() => random.chance(0.15))
        .map((day) => between(lab, day, '10:00', '14:30'));
      for (const [index, place] of places.entries()) {
        const needed: Span[] =
          index < 4
            ? [{ from: lab.start - HOUR, to: lab.end + HOUR }]
            : lab
                .workdays()
                .map((day) => ({
                  from: lab.at(day, '06:30') + hour(day),
                  to: lab.at(day, '19:30') + hour(day),
                }))
                .map(({ from, to }) => ({
                  from: from + minutes(lab, 3, 7),
                  // it ends with the job that runs
                  to: to + minutes(lab, 0, 24),
                }));
        const taken = [
          ...short.filter(() => random.chance(0.35)).map((at) => at + seconds(lab, 0, 90)),
          ...Array.from({ length: random.poisson(1.6) }, () =>
            random.between(lab.start + HOUR, lab.end - HOUR),
          ),
        ].sort((one, other) => one - other);
        const times: Span[] = [];
        for (const { from, to } of needed) {
          let begins = from;
          for (const at of taken.filter((each) => each > from + 20 * MINUTE && each < to - 20 * MINUTE)) {
            if (at < begins + 20 * MINUTE) continue;
            times.push({ from: begins, to: at });
            begins = at + minutes(lab, 3.2, 7.5);
          }
          times.push({ from: begins, to });
        }
        onlyIn(lab, place, times, MINUTE);
        // another machine each time; it has waited for its place for a minute or two
        for (const { from } of times)
          if (from > lab.start && from < lab.end - HOUR) {
            const later = random.between(8, 40);
            lab.rebooted(place, from + later * SECOND, {
              uptimeSeconds: Math.round(later + random.between(45, 130)),
            });
          }
      }
      background(lab, { taken: 1.4, hours: [9, 18] });
    },
  },
  {
    // remote-android/redroid-doc#88, #677: containers that run for long are started anew by cron; each has a port of the host
    name: 'a plan starts thirty-six containers anew each night, nine at a time, and the host of their agent on Sundays',
    lab: {
      zone: 'Asia/Ho_Chi_Minh',
      from: '2026-08-03',
      hubs: [4],
      network: 36,
      models: ['Redmi Note 12', 'Galaxy A14', 'Oppo A58', 'Vivo Y36', 'Redroid'],
    },
    tell(lab) {
      const { random } = lab;
      const containers = lab.pinnedOf('tcp');
      unread(containers);
      for (const [index, container] of containers.entries()) {
        const [group, place] = [Math.floor(index / 9), index % 9];
        // they share the kernel of their host, which goes on: none of them looks as if it had restarted
        for (const at of nightly(
          lab,
          `0${2 + Math.floor(group / 2)}:${group % 2 === 0 ? '00' : '30'}:01`,
          SECOND,
        )) {
          const from = at + place * 14 * SECOND + seconds(lab, 0, 3);
          unreached(lab, container, from, from + seconds(lab, 31, 58));
        }
        // who tests there makes one anew when its data is no longer wanted
        for (const day of lab.workdays().filter(() => random.chance(0.08))) {
          const at = between(lab, day, '09:00', '17:40');
          unreached(lab, container, at, at + seconds(lab, 55, 95));
        }
        // a new image on a Saturday of each month: all of them are pulled down before
        const pulled = lab.at(12, '22:10') + place * 40 * SECOND + group * 7 * MINUTE;
        unreached(lab, container, pulled, pulled + minutes(lab, 4, 6));
      }
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 0))
        hostAnew(lab, lab.at(day, '05:00:02'), {
          downMs: 85 * SECOND,
          firstMs: 12 * SECOND,
          stepMs: 1.4 * SECOND,
        });
      lent(lab, lab.usbPhones, 1);
      background(lab, { taken: 0, hours: [8, 17], restarts: 0.6 });
    },
  },
  {
    // sorccu/docker-adb#17: a script connects to each address once the server runs, and again every minute
    name: 'a small computer restarts at six each morning, and connects to its nine boxes one after the other, and to four of them when they are awake',
    lab: {
      zone: 'America/Toronto',
      from: '2026-02-23',
      hubs: [],
      direct: 3,
      network: 9,
      usb: true,
      known: { slots: false },
      models: ['Pixel 7', 'Galaxy A54', 'Moto G Play', 'Shield', 'Onn 4K', 'Fire TV Cube'],
    },
    tell(lab) {
      const { random } = lab;
      const boxes = lab.pinnedOf('tcp');
      unread(boxes);
      for (const box of boxes.slice(5)) {
        const begins = lab
          .workdays()
          .filter((day) => random.chance(day === 17 ? 0.2 : 0.9))
          .flatMap((day) => moments(lab, random.whole(1, 3), day, '08:50', '16:40'));
        const on = idlesOff(lab, uses(lab, begins, 15, 120), 45 * MINUTE, 0.5);
        const times = on.map(({ from, to }) => ({ from: found(lab, from + 8 * SECOND, MINUTE), to }));
        // who was on at first goes to sleep in the first hour
        onlyIn(lab, box, [{ from: lab.start, to: lab.start + minutes(lab, 12, 50) }, ...times], 2 * MINUTE);
      }
      // on the eighth of March an hour is skipped at two
      for (const day of lab.everyDay())
        hostAnew(lab, lab.at(day, '06:00:03') + seconds(lab, 0, 2), {
          downMs: seconds(lab, 48, 75),
          firstMs: 9 * SECOND,
          stepMs: 1.8 * SECOND,
        });
      background(lab, { taken: 1.5, hours: [9, 17], isUpdated: false, restarts: 0.6 });
    },
  },
  {
    // the-themis-benchmarks/home: many emulators at once, each for six hours, started one after the other
    name: 'researchers compare tools that press keys by chance: sixteen emulators start one after the other, run for six hours, and the next batch follows',
    lab: {
      zone: 'Asia/Singapore',
      from: '2026-07-06',
      hubs: [],
      direct: 2,
      emulators: 16,
      known: { slots: false },
    },
    tell(lab) {
      const { random } = lab;
      const emulators = lab.pinnedOf('emulator');
      for (const emulator of emulators) emulator.isThereAtFirst = false;
      let at = lab.at(0, '10:42');
      // so many batches are queued when somebody comes, and nobody comes on a Sunday
      while (at < lab.end - 8 * HOUR) {
        let queued = random.whole(2, 9);
        while (queued > 0 && at < lab.end - 8 * HOUR) {
          queued -= 1;
          // a trial of a few apps is short, and needs only some of them
          const isTrial = random.chance(0.12);
          const many = isTrial ? random.whole(2, 5) : 16;
          const forMs = isTrial ? minutes(lab, 20, 60) : 6 * HOUR;
          for (const [index, emulator] of emulators.slice(0, many).entries()) {
            const from = at + index * 30 * SECOND + seconds(lab, 0, 6);
            // its tool notes what it has covered, which takes some minutes
            job(lab, emulator, from, forMs + minutes(lab, 1, 7));
          }
          at += forMs + many * 30 * SECOND + minutes(lab, 9, 14);
        }
        const day = Math.floor((at - lab.start) / (24 * HOUR));
        const next =
          [1, 2, 3, 4].map((each) => day + each).find((each) => lab.weekday(each) !== 0) ?? day + 1;
        // results are looked at before the next ones are asked for
        at =
          random.chance(0.4) && lab.isWorkday(day)
            ? at + minutes(lab, 40, 200)
            : between(lab, next, '09:40', '17:30');
      }
      background(lab, { taken: 2, hours: [10, 19] });
    },
  },
  {
    // automatic tests of receivers measure how long a box needs from power to picture, many times over
    name: 'three of nine set-top boxes are cut from power twenty-four times in each of six nights, to measure how fast they start',
    lab: {
      zone: 'Europe/Belgrade',
      from: '2026-09-28',
      hubs: [4],
      network: 9,
      models: ['Galaxy A34', 'Redmi Note 12', 'Pixel 6a', 'Set-top box'],
    },
    tell(lab) {
      const { random } = lab;
      const boxes = lab.pinnedOf('tcp');
      unread(boxes);
      // the release of each Thursday, and once more on the night after it
      const nights = lab.everyDay().filter((day) => [4, 5].includes(lab.weekday(day)) && day < 20);
      for (const [index, box] of boxes.slice(0, 3).entries())
        for (const day of nights) {
          const first = lab.at(day, '20:30:05') + index * 70 * SECOND;
          for (let round = 0; round < 24; round += 1) {
            const cut = first + round * 15 * MINUTE;
            startsAnew(lab, box, cut + unheard(lab), cut + 20 * SECOND + seconds(lab, 41, 58), 'cold');
          }
        }
      for (const [index, box] of boxes.entries()) {
        // the release is written over the network on Thursdays, in working hours
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 4)) {
          const at = between(lab, day, '10:20', '15:30') + index * SECOND;
          startsAnew(lab, box, at, at + seconds(lab, 130, 260), 'reboot,ota');
        }
        // a test leaves it in deep standby until somebody presses a key
        for (const day of lab.workdays().filter(() => random.chance(0.15))) {
          const at = between(lab, day, '09:30', '15:00');
          const to = at + minutes(lab, 8, 100);
          if (lab.isFree(box, at - 5 * MINUTE, to + 5 * MINUTE)) unreached(lab, box, at, to);
        }
      }
      background(lab, { taken: 1.2, hours: [8.5, 16.5] });
    },
  },
  {
    // source.android.com, Cuttlefish: many devices of one host, each at a port of its own, as builds ask for them
    name: 'a workstation has two virtual devices for days and up to twelve more for minutes, as many as a change asks for',
    lab: {
      zone: 'America/New_York',
      from: '2026-04-06',
      hubs: [],
      direct: 3,
      network: 14,
      usb: true,
      models: ['Pixel 8', 'Pixel 9', 'Pixel Tablet', 'Cuttlefish'],
    },
    tell(lab) {
      const { random } = lab;
      const devices = lab.pinnedOf('tcp');
      unread(devices);
      const [kept, others] = [devices.slice(0, 2), devices.slice(2)];
      // its system is updated on a Sunday, when nothing runs, and a script starts both again
      const updated = lab.at(20, '11:20:10');
      const lives = others.map((device) => ({ device, freeFrom: lab.start }));
      for (const { device } of lives) device.isThereAtFirst = false;
      const changes = pushes(lab, { times: [3, 12], hours: ['08:30', '21:30'], onWeekends: 0.5 });
      for (const pushed of changes) {
        let wanted = random.pick([1, 2, 2, 4, 4, 6]);
        const built = pushed + minutes(lab, 6, 40);
        if (Math.abs(built - updated) < 90 * MINUTE) continue;
        for (const [index, life] of lives.entries()) {
          if (wanted === 0) break;
          if (life.freeFrom > built) continue;
          wanted -= 1;
          const from = built + index * 3 * SECOND + seconds(lab, 14, 30);
          const forMs = minutes(lab, 9, 48);
          if (from + forMs > lab.end - HOUR) break;
          job(lab, life.device, from, forMs);
          life.freeFrom = from + forMs + MINUTE;
        }
      }
      for (const device of kept)
        for (const day of lab.workdays()) {
          // who works on it puts the own build in, or washes its disk
          const times = moments(lab, random.poisson(1.1), day, '09:40', '18:20');
          for (const at of times)
            startsAnew(lab, device, at, at + seconds(lab, 38, random.pick([75, 400])), 'reboot');
        }
      const again = hostAnew(
        lab,
        updated,
        { downMs: 140 * SECOND, firstMs: 95 * SECOND, stepMs: 20 * SECOND },
        kept,
      );
      for (const { phone, back } of again) hasRestarted(lab, phone, back, 'reboot');
      background(lab, { taken: 1.8, hours: [9.5, 18], restarts: 1.5 });
    },
  },
  {
    // restaurants of Amman open from noon to midnight, and in Ramadan from before sunset until after two
    name: 'ten tablets of waiters in Amman are switched on when the restaurant opens, at noon before Ramadan and before sunset in it',
    lab: {
      zone: 'Asia/Amman',
      from: '2026-02-02',
      hubs: [],
      direct: 1,
      network: 10,
      known: { slots: false },
      models: ['Galaxy A15', 'Galaxy Tab A9'],
    },
    tell(lab) {
      const { random } = lab;
      for (const [index, tablet] of lab.pinnedOf('tcp').entries()) {
        const times: Span[] = [];
        for (const day of lab.everyDay()) {
          // two are for the terrace, which few want in February
          if (index > 7 && !random.chance(0.3)) continue;
          const isRamadan = day >= 16;
          // on Fridays it opens after the prayer
          const isFriday = lab.weekday(day) === 5;
          const opens = isRamadan ? ['16:05', '16:50'] : isFriday ? ['13:10', '13:50'] : ['10:40', '11:35'];
          const from = between(lab, day, opens[0] ?? '', opens[1] ?? '');
          const closes = isRamadan ? lab.at(day + 1, '02:15') : lab.at(day, '23:10');
          times.push({ from: found(lab, from + 35 * SECOND, MINUTE), to: closes + minutes(lab, 0, 45) });
        }
        onlyIn(lab, tablet, times, 5 * MINUTE);
        for (const { from } of times) {
          const later = random.between(6, 35);
          const uptimeSeconds = Math.round(later + random.between(25, 85));
          if (from < lab.end - HOUR)
            lab.rebooted(tablet, from + later * SECOND, { reason: 'cold,powerkey', uptimeSeconds });
        }
        // it charges from one closing to the next opening, whether it is on or not
        const least = random.whole(34, 62);
        const points = times.flatMap(({ from, to }) => [
          [from, 100] as [number, number],
          [to, least + random.whole(-8, 8)] as [number, number],
        ]);
        tablet.reading = levels(points, 305);
      }
      background(lab, { taken: 1, hours: [12, 23], isDaily: true, restarts: 0.3 });
    },
  },
  {
    // theverge.com, March 2018: a watch joins Wi-Fi by itself only on its charger
    name: 'nine watches are on the network only on their chargers, and are worn for a run, a working day or a night of sleep',
    lab: {
      zone: 'America/Denver',
      from: '2026-05-04',
      hubs: [7],
      free: 2,
      network: 9,
      models: ['Pixel 8', 'Galaxy S24', 'Pixel 6a', 'Pixel Watch 3', 'Galaxy Watch 7', 'TicWatch Pro 5'],
    },
    tell(lab) {
      const { random } = lab;
      for (const [index, watch] of lab.pinnedOf('tcp').entries()) {
        const backs: { from: number; to: number }[] = [];
        const worn = (from: number, until: number) => {
          // Wi-Fi goes some time after it is lifted, and is there again before the script looks for it
          const to = found(lab, until + seconds(lab, 12, 50), MINUTE);
          const gone = from + seconds(lab, 5, 110);
          if (to > lab.end - HOUR || !lab.isFree(watch, gone - 5 * MINUTE, to + 5 * MINUTE)) return;
          unreached(lab, watch, gone, to);
          backs.push({ from: gone, to });
        };
        for (const day of lab.workdays()) {
          // Memorial Day
          if (day === 21) continue;
          const isRun = [2, 4].includes(lab.weekday(day));
          if (random.chance(index === 8 ? 0.05 : 0.22))
            worn(between(lab, day, '08:50', '10:10'), between(lab, day, '15:40', '17:05'));
          else if (random.chance(0.35)) {
            const at = between(lab, day, '10:20', '14:50');
            worn(at, at + minutes(lab, 7, 45));
          }
          if (isRun && random.chance(0.5))
            worn(between(lab, day, '17:20', '17:35'), between(lab, day, '18:25', '19:05'));
          // sleep is measured at home, by three of them most of all
          else if (lab.isWorkday(day + 1) && random.chance(index < 3 ? 0.45 : 0.08))
            worn(between(lab, day, '17:10', '18:10'), between(lab, day + 1, '08:20', '09:40'));
        }
        const points = backs
          .sort((one, other) => one.from - other.from)
          .flatMap(({ from, to }): [number, number][] => {
            const left = Math.max(15, 99 - ((to - from) / HOUR) * 4);
            return [
              [from, 100],
              [to, left],
              [to + (100 - left) * 1.1 * MINUTE, 100],
            ];
          });
        watch.reading = levels(points.length > 0 ? points : [[lab.start, 100]], 300);
      }
      background(lab, { taken: 1.3, hours: [9, 17] });
    },
  },
];
