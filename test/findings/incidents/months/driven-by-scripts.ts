/**
 * Months of labs that scripts drive: ports that are on for a look or for a test, boxes behind relays, adb servers that a test
 * ends, tunnels and virtual machines with windows of their own, and emulators and containers that are there for a change.
 */
import { ADB, MTP, PTP } from '../../usb-tree.ts';
import { adbRestarts, background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { stays, thereOnlyIn } from './at-home.ts';
import { daysOf } from './at-work.ts';
import { hasRestarted, merged, nightly, pushes, type Span, unread } from './by-machine.ts';
import { job, switchedOff } from './calm.ts';
import { between, minutes, out, pinAll, seconds } from './habits.ts';
import { drained, lent } from './in-racks.ts';
import { onlyIn, unreached } from './over-network.ts';

/** It is not there at first, and then only in those of these times that lie within the month. */
function comesIn(lab: Lab, device: LabPhone, times: readonly Span[]): void {
  thereOnlyIn(
    lab,
    device,
    times.filter(({ from, to }) => from > lab.start + MINUTE && to < lab.end - HOUR),
  );
}

/** What is left of these times while somebody has it. */
const besides = (times: readonly Span[], taken: readonly Span[]): Span[] =>
  taken.reduce<Span[]>(
    (left, { from, to }) =>
      left
        .flatMap((span) => [
          { from: span.from, to: Math.min(span.to, from) },
          { from: Math.max(span.from, to), to: span.to },
        ])
        .filter((span) => span.to > span.from + 3 * SECOND),
    [...times],
  );

/** A hub of phones that nobody needs all the time: it is on for a minute of each hour, and for longer where that is wanted. */
function lookedAtHourly(lab: Lab, phones: readonly LabPhone[], wanted: readonly Span[]): void {
  const { random } = lab;
  const step = 5 * MINUTE;
  const batteries = phones.map(() => ({
    percent: random.between(58, 79),
    drain: random.between(0.9, 2.2) / 12,
    gain: random.between(17, 26) / 12,
    levels: [] as number[],
  }));
  const on: Span[] = [];
  let isCharging = false;
  for (let at = lab.start; at < lab.end; at += step) {
    const isHour = Math.round((at - lab.start) / step) % 12 === 0;
    const percents = batteries.map(({ percent }) => percent);
    if (isHour && Math.min(...percents) < 55) isCharging = true;
    if (isCharging && Math.min(...percents) >= 80) isCharging = false;
    const isWanted = wanted.some(({ from, to }) => from < at + step && to > at);
    if (isCharging) on.push({ from: at + random.between(1, 3) * SECOND, to: at + step });
    else if (isHour) on.push({ from: at + random.between(1, 3) * SECOND, to: at + seconds(lab, 58, 75) });
    for (const battery of batteries) {
      battery.levels.push(Math.round(battery.percent));
      const change = isCharging || isWanted ? battery.gain : -battery.drain;
      battery.percent = Math.min(100, battery.percent + change);
    }
  }
  const times = merged([{ from: lab.start, to: lab.start + MINUTE }, ...on, ...wanted], 30 * SECOND);
  const last = times.at(-1);
  if (last) last.to = lab.end;
  for (const [index, phone] of phones.entries()) {
    phone.isPinned = true;
    const taken = lab
      .workdays()
      .filter(() => random.chance(0.07))
      .map((day) => between(lab, day, '09:20', '16:10'))
      .map((from) => ({ from, to: from + minutes(lab, 20, 190) }));
    // the ports are switched one after the other, and each phone answers when it likes
    const late = index * 90 + random.between(0, 400);
    const there = besides(times, taken).map(({ from, to }) => ({ from: from + late, to: to + index * 90 }));
    stays(lab, phone, there);
    const known = batteries[index]?.levels ?? [];
    phone.reading = (at) => {
      const levelPercent = known[Math.floor((at - lab.start) / step)] ?? 60;
      const temperatureDecicelsius = 278 + index * 4 + (Math.floor(at / HOUR) % 5);
      return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius };
    };
  }
}

/** A relay takes its power for some seconds; its network is there again before its debugging is. */
function powerCut(lab: Lab, box: LabPhone, at: number): void {
  const network = at + seconds(lab, 24, 34);
  const back = at + seconds(lab, 52, 88);
  if (back > lab.end - HOUR || !lab.isFree(box, at - MINUTE, back + 2 * MINUTE)) return;
  unreached(lab, box, network, back);
  const asked = back + seconds(lab, 5, 35);
  lab.rebooted(box, asked, { reason: 'cold', uptimeSeconds: Math.round((asked - at) / SECOND) - 11 });
}

/** It offers that beside debugging: for that it leaves USB for a moment, and once more when it ends. */
function offers(lab: Lab, phone: LabPhone, kind: typeof MTP | typeof PTP, from: number, to: number): void {
  const [first, last] = [seconds(lab, 1.5, 3.2), seconds(lab, 1.4, 3)];
  if (to > lab.end - HOUR || !lab.isFree(phone, from - MINUTE, to + MINUTE)) return;
  lab.lose(phone, from, { forMs: first });
  lab.usb(phone, Math.round(from + first), { interfaces: [kind, ADB] });
  lab.lose(phone, to, { forMs: last });
  lab.usb(phone, Math.round(to), undefined);
  // nobody takes it from its test
  phone.busy.push({ from, to });
}

/** Jobs wait for one of these emulators, in the order in which they come. */
function queued(
  lab: Lab,
  emulators: readonly LabPhone[],
  jobs: readonly number[],
  lasts: () => number,
): void {
  pinAll(emulators);
  const slots = emulators.map((emulator) => ({ emulator, freeAt: lab.start }));
  for (const { emulator } of slots) emulator.isThereAtFirst = false;
  for (const wanted of [...jobs].sort((one, other) => one - other)) {
    const [slot] = [...slots].sort((one, other) => one.freeAt - other.freeAt);
    if (slot === undefined) return;
    const at = Math.max(wanted, slot.freeAt) + seconds(lab, 35, 80);
    const forMs = lasts();
    if (at + forMs > lab.end - HOUR) return;
    job(lab, slot.emulator, at, forMs);
    slot.freeAt = at + forMs + seconds(lab, 6, 20);
  }
}

/** As its settings say it is off from one time to another, and starts by its own clock. */
function offByItself(lab: Lab, phone: LabPhone, off: number, on: number): void {
  const back = on + seconds(lab, 38, 64);
  if (back > lab.end - HOUR || !lab.isFree(phone, off - MINUTE, back + 2 * MINUTE)) return;
  lab.lose(phone, off, { forMs: back - off });
  hasRestarted(lab, phone, back, 'cold,rtc');
}

export const drivenByScripts: readonly QuietMonth[] = [
  {
    // pypi.org, phone-charger: a service switches a hub by the levels of all phones at it, which it knows only while it is on
    name: 'a script switches a hub of five spare phones on for a minute of each hour to read their levels, and for longer when one is low',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-02-09',
      hubs: [7],
      free: 2,
      usb: true,
      known: { slots: false },
      models: ['Pixel 4a', 'Galaxy A13', 'Moto G9'],
    },
    tell(lab) {
      // whoever needs one of them holds the hub on
      const wanted = pushes(lab, { times: [0, 3], hours: ['09:10', '17:20'], onWeekends: 0.05 }).map(
        (from) => ({
          from,
          to: from + minutes(lab, 9, 45),
        }),
      );
      lookedAtHourly(lab, lab.usbPhones, merged(wanted, 10 * MINUTE));
      background(lab, { hours: [9, 18] });
    },
  },
  {
    // GhostTalker/RebootMadDevice: a daemon may restart every box once in 24 hours, by a relay at its plug
    name: 'a daemon takes the power of each of fourteen boxes for some seconds when it has run for a day, a little later each time',
    lab: {
      zone: 'Europe/Zurich',
      from: '2026-03-09',
      hubs: [],
      network: 14,
      models: ['X96 mini', 'TX9S', 'X96 mini'],
    },
    tell(lab) {
      const boxes = lab.pinnedOf('tcp');
      unread(boxes);
      for (const box of boxes) {
        // it comes to each of them every few minutes
        const wait = () => minutes(lab, 0.3, 4.5);
        const updated = between(lab, 13, '10:15', '12:40');
        let at = lab.start + lab.random.between(0, 24) * HOUR;
        while (at < lab.end - 2 * HOUR) {
          powerCut(lab, box, at);
          const next = at + 24 * HOUR + wait();
          // on a Sunday its owner starts all of them anew with another app, and their day begins then
          const isUpdated = at < updated && next > updated;
          at = isUpdated ? updated : next;
        }
      }
      background(lab, { taken: 0, restarts: 0, glitches: 0 });
    },
  },
  {
    // the own tests of adb clients, such as adbkit and pure-python-adb, start and kill the server to see what a client does
    name: 'the tests of a library for adb kill the server twenty times in a few minutes, for each change of it',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-04-13',
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false, hub: false },
      models: ['Pixel 6a', 'Galaxy A34', 'Redmi Note 11'],
    },
    tell(lab) {
      const runs = [
        ...pushes(lab, { times: [0, 5], hours: ['09:40', '18:50'], onWeekends: 0.3 }),
        ...nightly(lab, '03:00', 20 * SECOND),
      ].sort((one, other) => one - other);
      let free = lab.start;
      for (const pushed of runs) {
        let at = Math.max(pushed + seconds(lab, 40, 90), free);
        for (let left = lab.random.whole(14, 24); left > 0 && at < lab.end - HOUR; left -= 1)
          at = adbRestarts(lab, Math.round(at), 41, lab.random.whole(400, 2600)) + seconds(lab, 5, 19);
        free = at + MINUTE;
      }
      background(lab, { taken: 2.5, hours: [9, 19], restarts: 1 });
    },
  },
  {
    // developer.android.com and libmtp: what a phone offers to a computer is switched by `svc usb setFunctions`
    name: 'the tests of a program that copies pictures have four phones offer files or photos for some minutes, by night and for each change',
    lab: {
      zone: 'America/Vancouver',
      from: '2026-10-12',
      hubs: [7],
      free: 3,
      usb: true,
      models: ['Pixel 7', 'Galaxy S21', 'Moto Edge', 'Sony Xperia 10'],
    },
    tell(lab) {
      const runs = [
        ...nightly(lab, '01:20:10', 5 * SECOND),
        ...pushes(lab, { times: [0, 3], hours: ['09:30', '17:10'], onWeekends: 0.1 }),
      ];
      let free = lab.start;
      for (const begun of runs.sort((one, other) => one - other)) {
        let at = Math.max(begun, free);
        for (const phone of lab.phones)
          for (const kind of [MTP, PTP]) {
            const to = at + minutes(lab, 2.5, 7);
            offers(lab, phone, kind, at, to);
            at = to + seconds(lab, 40, 90);
          }
        free = at;
      }
      background(lab, { taken: 1.2, hours: [9, 17] });
    },
  },
  {
    // mcci.com, Model 3141 USB switch: it plugs a device in and out as often as a script asks
    name: 'a switch plugs one of six phones in and out two hundred times in the night before each release of a driver, in maintenance',
    lab: {
      zone: 'Asia/Taipei',
      from: '2026-03-02',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Pixel 8', 'Zenfone 10', 'Galaxy A54'],
    },
    tell(lab) {
      const phone = lab.pinned(2);
      const plugged = (begin: number, times: number, reason: string): void => {
        let at = begin;
        for (let left = times; left > 0; left -= 1) {
          out(lab, phone, at, at + seconds(lab, 5, 15));
          at += seconds(lab, 70, 100);
        }
        lab.maintenance(phone, begin - 5 * MINUTE, 9 * HOUR, reason, at + 3 * MINUTE);
      };
      // the third candidate was not good enough, and there is a fourth
      for (const day of [3, 10, 17, 19])
        plugged(between(lab, day, '21:40', '23:10'), lab.random.whole(190, 210), 'plug test of the release');
      for (const day of [1, 2, 9, 15, 16, 18, 24])
        plugged(between(lab, day, '10:20', '16:30'), lab.random.whole(6, 18), 'plug test, short');
      background(lab, { taken: 0.9, hours: [9, 19] });
    },
  },
  {
    // cambrionix.com, command line: `mode c 3` only charges what is at a port, `mode s 3` gives it to the host as well
    name: 'cron sets the ports of fifteen phones to charging only in the evening and back to data at half past six, and leaves them over Thanksgiving',
    lab: {
      zone: 'America/Denver',
      from: '2026-11-02',
      hubs: [16],
      free: 1,
      usb: true,
      models: ['Pixel 8a', 'Galaxy S23', 'Pixel 6'],
    },
    tell(lab) {
      // people are away from Thursday on, and somebody told cron so
      const isOpen = (day: number) => lab.isWorkday(day) && day !== 24 && day !== 25;
      const days = lab.everyDay().filter(isOpen);
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        if (next === undefined) continue;
        // the long suite needs them later
        const isLong = [2, 4].includes(lab.weekday(day));
        const [off, on] = [lab.at(day, isLong ? '23:40:01' : '19:30:01'), lab.at(next, '06:30:01')];
        const late = lab.random.between(0, SECOND);
        for (const [port, phone] of lab.phones.entries()) {
          const begins = off + late + port * 2100;
          const ends = on + port * 2100 + seconds(lab, 0.8, 2.4);
          // one evening a developer gives one port its data back, and does not forget to take it again
          const isAsked = port === 6 && index % 7 === 3 && !isLong;
          const again = off + minutes(lab, 15, 70);
          if (isAsked) out(lab, phone, begins, again);
          out(lab, phone, isAsked ? again + minutes(lab, 30, 80) : begins, ends);
        }
      }
      lent(lab, lab.phones, 0.7, { days, hours: ['09:00', '16:30'], minutes: [5, 120], overnight: 0 });
      background(lab, { taken: 0, restarts: 0.4, hours: [9, 17] });
    },
  },
  {
    // docs.renovatebot.com, presets for schedules: early on Mondays; each pull request runs what any other does
    name: 'a bot renews the libraries of an app early on Mondays, and three emulators work through thirty changes before anybody comes',
    lab: {
      zone: 'Europe/Oslo',
      from: '2026-03-16',
      hubs: [],
      direct: 1,
      emulators: 3,
      known: { slots: false },
    },
    tell(lab) {
      const mondays = daysOf(lab, 1).flatMap((day) => {
        const begins = lab.at(day, '04:12') + minutes(lab, 0, 25);
        return Array.from({ length: lab.random.whole(19, 34) }, () => begins + minutes(lab, 0, 45));
      });
      const byHand = pushes(lab, { times: [2, 9], hours: ['08:20', '17:40'], onWeekends: 0.1 });
      // what was merged is tested again on its branch, and a rebase of the others follows
      const after = byHand.filter(() => lab.random.chance(0.35)).map((at) => at + minutes(lab, 30, 100));
      queued(lab, lab.pinnedOf('emulator'), [...mondays, ...byHand, ...after], () => minutes(lab, 9, 17));
      background(lab, { taken: 2, hours: [8, 17] });
    },
  },
  {
    // docs.gitlab.com, review apps, with Android in a container (remote-android/redroid-doc): until the branch is merged
    name: 'each open merge request has an Android container of its own, which is stopped at eight and is gone when it is merged',
    lab: {
      zone: 'America/Sao_Paulo',
      from: '2026-05-04',
      hubs: [4],
      free: 2,
      usb: true,
      models: ['Galaxy A15', 'Moto G54'],
    },
    tell(lab) {
      for (const opened of pushes(lab, { times: [0, 3], hours: ['09:10', '18:20'], onWeekends: 0 })) {
        if (opened > lab.end - 2 * DAY) continue;
        const today = lab.everyDay().findLast((day) => lab.at(day) <= opened) ?? 0;
        const days = lab.workdays(today, Math.min(today + lab.random.whole(1, 7), lab.days - 1));
        const container = lab.add('tcp', { isThereAtFirst: false, name: `review ${lab.phones.length}` });
        unread([container]);
        const times = days.map((day, index) => ({
          from: index === 0 ? opened + minutes(lab, 5, 9) : lab.at(day, '07:30:02') + seconds(lab, 25, 90),
          to:
            index === days.length - 1
              ? Math.max(between(lab, day, '10:00', '19:30'), opened + minutes(lab, 20, 60))
              : lab.at(day, '20:00:02') + seconds(lab, 0, 20),
        }));
        comesIn(lab, container, times);
      }
      background(lab, { taken: 1.5, hours: [9, 18] });
    },
  },
  {
    // openatx/uiautomator2#446: phones on Wi-Fi that are not charged run for thirty minutes of every two hours, and sleep between
    name: 'eight phones on Wi-Fi without a charger are awake for half an hour of every two, and lie on chargers at night',
    lab: {
      zone: 'Asia/Jerusalem',
      from: '2026-05-31',
      hubs: [],
      network: 8,
      models: ['Galaxy A24', 'Xiaomi 11T', 'OnePlus Nord'],
    },
    tell(lab) {
      // the week begins on Sunday
      const isOpen = (day: number) => lab.weekday(day) < 5;
      const nights = lab.everyDay().map((day) => ({
        taken: between(lab, day, '07:40', '08:25'),
        put: between(lab, day, '19:20', '20:30'),
      }));
      for (const phone of lab.networkPhones) {
        const times: Span[] = [];
        let from = lab.start;
        for (const day of lab.everyDay().filter(isOpen)) {
          // at times one is left on its charger
          if (lab.random.chance(0.05)) continue;
          const { taken = 0, put = 0 } = nights[day] ?? {};
          times.push({ from, to: taken + minutes(lab, 3, 12) });
          for (const hour of [9, 11, 13, 15, 17]) {
            const wakes = lab.at(day, `${hour}:00:00`) + seconds(lab, 3, 25);
            times.push({ from: wakes, to: wakes + minutes(lab, 31, 44) });
          }
          from = put + seconds(lab, 0, 240);
        }
        times.push({ from, to: lab.end });
        onlyIn(lab, phone, times, MINUTE);
      }
      background(lab, { taken: 0, restarts: 0 });
    },
  },
  {
    // smallstep.com on certificates of ssh, and autossh: a key is good for some hours, then the tunnel is made anew with another
    name: 'the tunnel to nine phones in another country is made anew every eight hours, as its key is good for no longer',
    lab: {
      zone: 'America/Bogota',
      from: '2026-06-01',
      hubs: [],
      direct: 2,
      network: 9,
      known: { slots: false },
      models: ['Pixel 7', 'Galaxy A54', 'Redmi 12', 'Moto G73'],
    },
    tell(lab) {
      const { random } = lab;
      const renewed = (at: number, forMs: number): void => {
        for (const phone of lab.networkPhones)
          unreached(lab, phone, at + random.between(0, 900), at + forMs + seconds(lab, 0.5, 6));
      };
      // the machine at its other end is patched on two Wednesdays
      const patched = [between(lab, 9, '03:10', '03:40'), between(lab, 23, '03:10', '03:40')];
      let at = lab.start + 3 * HOUR + minutes(lab, 0, 50);
      while (at < lab.end - HOUR) {
        const [restart] = patched;
        if (restart !== undefined && restart < at) {
          patched.shift();
          const forMs = minutes(lab, 2.2, 4);
          renewed(restart, forMs);
          at = restart + forMs + 8 * HOUR;
        } else {
          const forMs = seconds(lab, 3, 9);
          renewed(at, forMs);
          at += forMs + 8 * HOUR - seconds(lab, 20, 60);
        }
      }
      // over there they are taken now and then, and brought back
      for (const phone of lab.networkPhones)
        for (let left = random.poisson(0.8); left > 0; left -= 1) {
          const from = between(lab, random.pick(lab.workdays()), '03:30', '10:20');
          unreached(lab, phone, from, from + minutes(lab, 6, 100));
        }
      pinAll(lab.networkPhones);
      background(lab, { taken: 1, hours: [8, 17] });
    },
  },
  {
    // openadr.org: a program of a utility asks for less on hot afternoons, some hours before, and machines follow it
    name: 'a utility asks for less on five hot afternoons, and a script drains forty-two phones and takes their power for three hours',
    lab: {
      zone: 'America/Chicago',
      from: '2026-08-03',
      hubs: [16, 16, 10],
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 9', 'Galaxy S24', 'Pixel 7a'],
    },
    tell(lab) {
      for (const day of [2, 3, 10, 16, 22]) {
        const from = lab.at(day, '15:00') + seconds(lab, 5, 40);
        const to = lab.at(day, lab.random.pick(['17:00', '18:00', '18:00'])) + seconds(lab, 5, 40);
        for (const phone of lab.phones)
          drained(lab, phone, from - 40 * MINUTE, to + 4 * MINUTE, 'the grid asks for less');
        for (const hub of [0, 1, 2])
          switchedOff(lab, lab.phonesOf(hub), from + hub * 20_000, to + hub * 30_000);
      }
      background(lab, { taken: 0.7, restarts: 0.8, hours: [8, 18], glitches: 0.03 });
    },
  },
  {
    // pve.proxmox.com, backup modes: a machine stands still for seconds in a snapshot, and for longer where it is suspended
    name: 'the virtual machine of ten phones stands still for seconds of each night while it is backed up, and for a minute on Sundays',
    lab: {
      zone: 'Europe/Budapest',
      from: '2026-02-16',
      hubs: [10],
      usb: true,
      models: ['Galaxy A52', 'Pixel 5', 'Redmi Note 10'],
    },
    tell(lab) {
      for (const day of lab.everyDay().slice(1)) {
        const isFull = lab.weekday(day) === 0;
        const from = lab.at(day, '01:30:04') + minutes(lab, 0, isFull ? 9 : 1.5);
        const forMs = Math.round(isFull ? seconds(lab, 34, 75) : seconds(lab, 2.2, 8));
        const to = Math.round(from + forMs);
        lab.host(to, { kind: 'agentPaused', forMs });
        // some of them are listed anew after the long one
        const some = isFull ? lab.random.shuffled(lab.phones).slice(0, lab.random.whole(0, 3)) : [];
        const free = some.filter((phone) => lab.isFree(phone, from - MINUTE, to + MINUTE));
        lab.loseAll(free, to + 600, { spreadMs: 900, forMs: 2.2 * SECOND, backSpreadMs: 2 * SECOND });
      }
      background(lab, { taken: 1, hours: [8, 17] });
    },
  },
  {
    // consumer support of Huawei, Xiaomi and Oppo: the settings of a phone switch it off and on at set times
    name: 'the settings of eleven phones switch them off at half past eleven and on at ten to seven, but where a run of the night stops that',
    lab: {
      zone: 'Asia/Shanghai',
      from: '2026-03-02',
      hubs: [16],
      free: 5,
      usb: true,
      models: ['Redmi Note 12', 'P40 Lite', 'Reno 8'],
    },
    tell(lab) {
      const [always] = lab.phones;
      for (const day of lab.everyDay().slice(0, -1)) {
        // before a release most of them run through
        const isBusy = day === 16 || day === 17 || day === 18;
        for (const phone of lab.phones) {
          // one has no such setting; who is used shows a question, and stays on
          if (phone === always || lab.random.chance(isBusy ? 0.8 : 0.07)) continue;
          const weekend =
            lab.weekday(day + 1) % 6 === 0 ? lab.at(day + 1, '08:30') : lab.at(day + 1, '06:50');
          offByItself(lab, phone, lab.at(day, '23:30') + seconds(lab, 30, 75), weekend + seconds(lab, 0, 30));
        }
      }
      lent(lab, lab.phones, 0.9, { hours: ['09:20', '18:30'], minutes: [5, 130], overnight: 0.04 });
      background(lab, { taken: 0, restarts: 0.5, hours: [9, 19] });
    },
  },
  {
    // principlesofchaos.org, with uhubctl: what a farm does without a phone is seen when one is taken from it on purpose
    name: 'a script takes the port of a phone chosen by chance for one to five minutes, some times a workday, to see that jobs go on elsewhere',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-04-20',
      hubs: [10, 10, 7],
      free: 2,
      usb: true,
      models: ['Pixel 8', 'Galaxy A55', 'Pixel 6', 'OnePlus 9'],
    },
    tell(lab) {
      // nobody wants it on the first of May and on the day after Ascension
      for (const day of lab.workdays().filter((each) => each !== 11 && each !== 24 && each !== 25))
        for (let left = lab.random.whole(2, 4); left > 0; left -= 1) {
          const at = between(lab, day, '10:00', '15:55');
          out(lab, lab.random.pick(lab.phones), at, at + minutes(lab, 1, 5));
        }
      background(lab, { taken: 0.8, hours: [8, 17], glitches: 0.03 });
    },
  },
  {
    // source.android.com, Cuttlefish: a device of any build can be started, which is how a build that broke is looked for
    name: 'a script that looks for a bad build starts a virtual device ten times one after the other, some nights and afternoons of a month',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-02-16',
      hubs: [4],
      free: 1,
      network: 2,
      usb: true,
      models: ['Pixel 8', 'Pixel 9', 'Pixel 7', 'Cuttlefish', 'Cuttlefish'],
    },
    tell(lab) {
      const [kept, searched] = lab.pinnedOf('tcp');
      unread(lab.networkPhones);
      // the one that stays gets the build of each week
      for (const day of daysOf(lab, 3)) {
        const at = between(lab, day, '06:05', '06:25');
        const back = at + seconds(lab, 64, 92);
        if (kept === undefined || back > lab.end - HOUR) continue;
        unreached(lab, kept, at, back);
        hasRestarted(lab, kept, back);
      }
      const times: Span[] = [];
      for (const day of lab.workdays().filter(() => lab.random.chance(0.45))) {
        let at = lab.random.chance(0.6)
          ? between(lab, day, '02:10', '03:40')
          : between(lab, day, '11:30', '15:20');
        for (let left = lab.random.whole(7, 13); left > 0; left -= 1) {
          // it is fetched and started, and then there
          at += minutes(lab, 3.5, 7);
          const ends = at + minutes(lab, 2.5, 9);
          times.push({ from: at, to: ends });
          at = ends + seconds(lab, 4, 12);
        }
      }
      if (searched) comesIn(lab, searched, times);
      for (const { from, to } of times.slice(1))
        if (searched && to < lab.end - HOUR) hasRestarted(lab, searched, from);
      background(lab, { taken: 1.3, hours: [9, 18] });
    },
  },
  {
    // Genymobile/scrcpy#2754: without root a phone listens on Wi-Fi no longer when it has restarted, until `adb tcpip` over a cable
    name: 'six phones on Wi-Fi restart on Mondays at four, and a hub gives each of them its data lines for a minute to listen again',
    lab: {
      zone: 'Europe/Lisbon',
      from: '2026-03-09',
      hubs: [7],
      free: 1,
      network: 6,
      usb: true,
      models: ['Pixel 6', 'Galaxy A33', 'Moto G82'],
    },
    tell(lab) {
      const [wired, onAir] = [lab.usbPhones, lab.pinnedOf('tcp')];
      pinAll(wired);
      for (const [index, phone] of onAir.entries()) {
        const cable = wired[index];
        if (cable === undefined) continue;
        const begins = nightly(lab, '04:00:03', 2 * SECOND, 0)
          .filter((_, day) => lab.weekday(day) === 1)
          .map((at) => at + index * 150 * SECOND);
        // two of them take an update on a Thursday morning
        if (index === 1 || index === 4) begins.push(between(lab, 17, '10:05', '11:30'));
        const times: Span[] = [];
        for (const at of begins.sort((one, other) => one - other)) {
          const from = at + seconds(lab, 34, 58);
          const to = from + seconds(lab, 46, 68);
          const back = to + seconds(lab, 2, 8);
          times.push({ from, to });
          unreached(lab, phone, at + seconds(lab, 1, 6), back);
          const asked = back + seconds(lab, 5, 30);
          const reason = at > lab.at(17) && at < lab.at(18) ? 'reboot,ota' : 'reboot,adb';
          lab.rebooted(phone, asked, { reason, uptimeSeconds: Math.round((asked - from) / SECOND) + 17 });
        }
        comesIn(lab, cable, times);
        for (const { from } of times.slice(1)) hasRestarted(lab, cable, from, 'reboot,adb');
      }
      background(lab, { taken: 0, restarts: 0 });
    },
  },
];
