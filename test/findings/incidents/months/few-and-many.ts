/**
 * Months of hosts with one to six phones at a desk, in a cupboard, in a bag or on a boat, and of labs with twenty to sixty, in
 * which phones are gauged, counted, soaked, updated and rested, and the house tests its sockets, its generator and its exits.
 */
import type { Port } from '../../room.ts';
import { ADB } from '../../usb-tree.ts';
import { adbRestarts, background } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { type Stay, sleeps, stays } from './at-home.ts';
import { drainsOutside, hostIsOff, powerless } from './at-length.ts';
import { daysOf } from './at-work.ts';
import { hasRestarted, type Span } from './by-machine.ts';
import { between, greenwich, minutes, out, restart, seconds } from './habits.ts';
import { comes, type Range, updates } from './in-racks.ts';
import { unreached } from './over-network.ts';

/** Its agent does not run for a while; the host has restarted meanwhile if it is up only since then. */
function agentIsOff(lab: Lab, off: number, on: number, bootedAt: number): void {
  const [from, to] = [Math.round(off), Math.round(on)];
  lab.host(from, { kind: 'agentStopped' });
  lab.host(to, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: Math.round(bootedAt),
    lastAliveAt: from,
  });
  for (const phone of lab.phones) phone.busy.push({ from: from - MINUTE, to: to + MINUTE });
}

/** A laptop is shut and opened; not each time does it ask its ports anew. */
function isShut(lab: Lab, from: number, to: number): void {
  if (lab.random.chance(0.5)) {
    sleeps(lab, from, to);
    return;
  }
  if (to > lab.end - MINUTE) return;
  for (const phone of lab.phones) phone.busy.push({ from, to });
  lab.host(Math.round(to), { kind: 'hostSlept', forMs: Math.round(to - from) });
}

/** It is not there at first, and then only in these times, one after the other. */
function thereIn(lab: Lab, phone: LabPhone, times: readonly Stay[]): void {
  const [first] = times;
  phone.isPinned = true;
  phone.isThereAtFirst = false;
  if (first === undefined) return;
  phone.busy.push({ from: lab.start, to: first.from });
  lab.phone(phone, Math.round(first.from), { kind: 'attached', state: 'device' });
  stays(lab, phone, times);
}

/** What is between these times. */
const gaps = (times: readonly Span[]): Span[] =>
  times.slice(1).map(({ from }, index) => ({ from: times[index]?.to ?? from, to: from }));

/** It is held at a level, and is as warm as its room: warmest in the afternoon. */
const heldAt =
  (lab: Lab, levelPercent: number, decicelsius: number): Reading =>
  (at) => ({
    levelPercent,
    isFull: false,
    temperatureDecicelsius: Math.round(
      decicelsius + 11 * Math.cos((((at - lab.start) / HOUR - 15) * Math.PI) / 12),
    ),
  });

/** A cable from which phones are taken for others. */
const cable: Port = { chain: '9', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 1' };

/** A phone forgets a computer that it was not at for a week (AOSP, AdbDebuggingManager), and asks. */
const FORGOTTEN_MS = 7 * DAY;

/** It has the cable in these times, and asks where it has forgotten the computer; a phone of 2015 never does. */
function hasCable(lab: Lab, phone: LabPhone, times: readonly Span[], forgets: boolean): void {
  phone.isPinned = true;
  phone.isThereAtFirst = false;
  const levels = times.map(() => lab.random.whole(34, 81));
  phone.reading = (at) => {
    const index = times.findLastIndex(({ from }) => from <= at);
    const levelPercent = Math.round((levels[index] ?? 50) + ((at - (times[index]?.from ?? at)) / HOUR) * 21);
    return { levelPercent: Math.min(100, levelPercent), isFull: false, temperatureDecicelsius: 286 };
  };
  for (const [index, { from, to }] of times.entries()) {
    const last = times[index - 1]?.to;
    const asks = forgets && (last === undefined || from - last > FORGOTTEN_MS);
    const state = asks ? 'unauthorized' : 'device';
    if (last === undefined) {
      phone.busy.push({ from: lab.start, to: from });
      lab.phone(phone, Math.round(from), { kind: 'attached', state });
    } else lab.lose(phone, last, { forMs: from - last, backAs: state });
    if (asks)
      lab.phone(phone, Math.round(from + seconds(lab, 6, 50)), {
        kind: 'state',
        state: 'device',
        before: 'unauthorized',
      });
    if (index === times.length - 1) lab.lose(phone, to);
  }
}

const RNDIS = [
  { kind: 'e0/01/03', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];

/** It gives the computer its line from a moment on, for which it leaves USB once, until it is pulled or that is over. */
function givesLine(lab: Lab, phone: LabPhone, from: number, to: number): void {
  const forMs = seconds(lab, 1.5, 3.2);
  lab.lose(phone, from, { forMs });
  lab.usb(phone, Math.round(from + forMs), { interfaces: [...RNDIS, ADB] });
  lab.usb(phone, Math.round(to), undefined);
}

/** It restarts, and is found again on the network. */
function restartsOnAir(lab: Lab, device: LabPhone, at: number, [least, most]: Range, reason: string): void {
  const up = at + seconds(lab, least, most);
  if (up > lab.end - HOUR || !lab.isFree(device, at - MINUTE, up + 2 * MINUTE)) return;
  unreached(lab, device, at, up);
  hasRestarted(lab, device, up, reason);
}

export const fewAndMany: readonly QuietMonth[] = [
  {
    // nixpkgs, nixos/modules/tasks/auto-upgrade.nix: built anew after two each night, and restarted where its kernel is another.
    // jxlarrea/kiosk-satellite#308: a tablet is restarted by a plan
    name: 'a server in a cupboard builds itself anew each night and restarts when its kernel is new, with the tablet of a kitchen wall and an old phone',
    lab: {
      zone: 'Europe/Ljubljana',
      from: '2026-03-09',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Galaxy Tab A8', 'Pixel 3a'],
    },
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(0);
      tablet.reading = heldAt(lab, 85, 286);
      let bootedAt = lab.start - 6 * DAY;
      const kernels = new Set([3, 9, 18, 25]);
      for (const day of lab.everyDay().slice(1)) {
        // it waits for up to three quarters of an hour, and then builds; on the last Sunday of March there is no two o'clock
        const built = lab.at(day, '02:00') + minutes(lab, 3, 58);
        if (kernels.has(day)) {
          const off = built + seconds(lab, 61, 64);
          const on = off + seconds(lab, 52, 78);
          bootedAt = on - seconds(lab, 13, 20);
          agentIsOff(lab, off, on, bootedAt);
        } else if (day === 14) adbRestarts(lab, Math.round(built), 41, random.whole(2, 5) * SECOND);
        // what the agent is made of changes on some nights
        else if (random.chance(0.22)) agentIsOff(lab, built, built + seconds(lab, 3, 8), bootedAt);
        if ([0, 3].includes(lab.weekday(day)))
          restart(lab, tablet, lab.at(day, '04:40:00') + seconds(lab, 1, 4), [46, 71], 'reboot,shell');
      }
      for (const day of lab.everyDay()) {
        // it lies on the table while somebody cooks, and its cable is in the way when the wall is wiped
        if (random.chance(lab.isWorkday(day) ? 0.4 : 0.65)) {
          const at = between(lab, day, '17:20', '19:00');
          out(lab, tablet, at, at + minutes(lab, 22, 85));
        }
        if (lab.weekday(day) === 6 && random.chance(0.7)) {
          const at = between(lab, day, '09:40', '11:30');
          out(lab, tablet, at, at + minutes(lab, 2, 6));
        }
      }
      background(lab, { taken: 1, restarts: 0.5, hours: [17, 22], isDaily: true, isUpdated: false });
    },
  },
  {
    // brave/brave-browser#41880: "Rebooting Android device", by the shell of the phone, at twelve past four by Greenwich
    name: 'an old laptop restarts the one phone of a browser before each of its three tests of the night, and more when somebody looks for what made it slow',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-10-19',
      hubs: [],
      direct: 1,
      known: { slots: false, usbPath: false },
      models: ['Pixel 4'],
    },
    tell(lab) {
      const { random } = lab;
      const [phone] = lab.phones;
      if (phone === undefined) return;
      const tests = (from: number, many: number, least: number, most: number): void => {
        let at = from;
        for (let left = many; left > 0; left -= 1) {
          if (at > lab.start + HOUR) restart(lab, phone, at, [30, 47], 'reboot,shell');
          at += minutes(lab, least, most);
        }
      };
      // those who look for a change halve what is left, and try each half twice
      tests(between(lab, 9, '10:20', '11:30'), random.whole(9, 14), 26, 44);
      tests(between(lab, 22, '13:10', '15:00'), random.whole(7, 10), 26, 44);
      for (const day of lab.everyDay()) {
        // what does not build is not tested; a timer in Greenwich knows nothing of the first of November
        if (random.chance(0.08)) continue;
        tests(greenwich(lab, day, 4.2) + minutes(lab, 0, 3), 3, 48, 71);
        // before a release its branch is tested too
        if ([2, 3].includes(lab.weekday(day)) && random.chance(0.6))
          tests(greenwich(lab, day, 15) + minutes(lab, 0, 9), random.whole(1, 2), 48, 71);
      }
      background(lab, { taken: 1.5, restarts: 0.5, hours: [9, 17], glitches: 0.05 });
    },
  },
  {
    // yakovfain.com, notes of a traveling contract trainer: for each course he goes to another city
    name: 'a trainer travels to a course of two days in most weeks, with a laptop, a hub and five phones that those who learn take to their tables',
    lab: {
      zone: 'Europe/Warsaw',
      from: '2026-04-13',
      hubs: [7],
      free: 2,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy A54', 'Redmi Note 13', 'Pixel 6a', 'Moto G54'],
    },
    tell(lab) {
      const { random } = lab;
      const courses = new Map([2, 8, 23].flatMap((day) => [[day, 1] as const, [day + 1, 2] as const]));
      const [awake, plugged]: [Span[], Span[]] = [[], []];
      const lessons: Span[] = [];
      let since = lab.start;
      for (const day of lab.everyDay()) {
        const part = courses.get(day);
        if (part !== undefined) {
          const opened = between(lab, day, '08:15', '08:40');
          const plug = opened + minutes(lab, 3, 9);
          // the room is locked over night, and the hub stays in it
          const pull = between(lab, day, part === 1 ? '16:50' : '16:15', part === 1 ? '17:20' : '16:45');
          plugged.push({ from: plug, to: pull });
          awake.push({ from: opened, to: pull + minutes(lab, 1, 3) });
          for (const [from, to] of [
            ['09:40', '10:25'],
            ['11:20', '12:20'],
            ['13:30', '14:20'],
            ['15:00', '15:50'],
          ] as const)
            lessons.push({ from: lab.at(day, from) + minutes(lab, 0, 14), to: lab.at(day, to) });
          const evening = between(lab, day, '20:10', '21:20');
          if (part === 1 && random.chance(0.65))
            awake.push({ from: evening, to: evening + minutes(lab, 18, 75) });
          continue;
        }
        // he is free from the Thursday before the first of May on
        if (!lab.isWorkday(day) || [17, 18].includes(day)) continue;
        const isBack = courses.has(day - 1);
        const opened = between(lab, day, isBack ? '09:30' : '08:20', isBack ? '10:50' : '09:20');
        if (isBack) since = opened + minutes(lab, 2, 12);
        const leaves = courses.has(day + 1);
        const shut = between(lab, day, leaves ? '12:10' : '16:50', leaves ? '13:30' : '18:40');
        if (leaves) plugged.push({ from: since, to: shut - minutes(lab, 2, 5) });
        awake.push({ from: opened, to: shut });
      }
      plugged.push({ from: since, to: lab.end });
      for (const { from, to } of lessons)
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(2, 5))) {
          const at = from + minutes(lab, 0, 6);
          out(lab, phone, at, Math.max(at + 5 * MINUTE, to + minutes(lab, -12, 14)), 0.1);
        }
      for (const { from, to } of gaps(plugged)) powerless(lab, lab.phones, from, to);
      for (const { from, to } of gaps([{ from: 0, to: lab.start - 6 * HOUR }, ...awake]))
        sleeps(lab, from, to);
      for (const phone of lab.phones) drainsOutside(lab, phone, 4);
      background(lab, {
        taken: 0.6,
        restarts: 0.4,
        hours: [9.5, 16.5],
        glitches: 0,
        isUpdated: false,
      });
    },
  },
  {
    // streamingcolour.com, 2010, the distracted programmer: an hour of work a day, in pieces of twenty minutes
    name: 'a developer in Leeds works while her baby sleeps, and has a phone at her laptop all day and her own for minutes',
    lab: {
      zone: 'Europe/London',
      from: '2026-10-05',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Pixel 7a', 'Galaxy S22'],
    },
    tell(lab) {
      const { random } = lab;
      const sessions: Span[] = [];
      const works = (day: number, [from, to]: readonly [string, string], least: number, most: number) => {
        const at = between(lab, day, from, to);
        sessions.push({ from: at, to: at + minutes(lab, least, most) });
      };
      for (const day of lab.everyDay()) {
        // teeth
        if (day === 10 || day === 11) continue;
        if (lab.weekday(day) === 0) {
          if (random.chance(0.3)) works(day, ['20:00', '21:00'], 30, 90);
        } else if (lab.weekday(day) === 6) {
          // her husband is at home
          if (random.chance(0.6)) works(day, ['09:10', '10:00'], 100, 170);
        } else if (lab.weekday(day) === 4 && day !== 24) {
          // a grandmother comes
          works(day, ['09:30', '09:55'], 320, 375);
        } else {
          if (random.chance(0.85)) works(day, ['09:20', '10:15'], 24, 85);
          if (random.chance(0.9)) works(day, ['12:35', '13:30'], 30, 125);
          if (random.chance(0.5)) works(day, ['16:05', '16:40'], 16, 40);
          if (random.chance(0.55)) works(day, ['19:50', '21:05'], 35, 130);
        }
      }
      const [sits, own] = lab.phones;
      // she looks with it at what she has made, but not in each piece of work
      const plugged: Span[] = [];
      for (const { from, to } of sessions) {
        if (random.chance(0.35)) continue;
        const at = from + minutes(lab, 2, 14);
        const until = Math.min(at + minutes(lab, 4, 45), to - minutes(lab, 0.5, 2));
        if (until > at + MINUTE) plugged.push({ from: at, to: until });
      }
      if (own) thereIn(lab, own, plugged);
      // on two walks she has the other one with her as well
      if (sits)
        for (const session of [sessions[7], sessions[31]])
          if (session) {
            const at = session.to - minutes(lab, 2, 4);
            const next = sessions.find(({ from }) => from > at);
            if (next) out(lab, sits, at, next.from + minutes(lab, 1, 4));
          }
      for (const { from, to } of gaps([{ from: 0, to: lab.start - 3 * HOUR }, ...sessions]))
        isShut(lab, from, to);
      background(lab, { taken: 0, restarts: 0, glitches: 0, isUpdated: false });
    },
  },
  {
    // onboardsolar.co.uk and bbc.com: she streams, he makes games; they move every two weeks, and work while the sun gives power
    name: 'the computer of two people on a narrowboat is on while there is power for it, and they move on every second Saturday',
    lab: {
      zone: 'Europe/London',
      from: '2026-09-07',
      hubs: [4],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy A34', 'Poco F5'],
    },
    tell(lab) {
      const { random } = lab;
      const on: Span[] = [];
      for (const day of lab.everyDay()) {
        // from a Friday to a Monday they are with friends
        if ([19, 20].includes(day)) continue;
        if ([12, 26].includes(day)) {
          // the engine runs while they move
          on.push({ from: between(lab, day, '10:50', '11:40'), to: between(lab, day, '15:10', '16:30') });
          continue;
        }
        if (!lab.isWorkday(day)) {
          if (random.chance(0.5))
            on.push({ from: between(lab, day, '12:40', '13:40'), to: between(lab, day, '16:00', '17:30') });
          continue;
        }
        const sky = random.pick(['blue', 'blue', 'fair', 'fair', 'grey']);
        const [first, last] = {
          blue: ['17:10', '18:30'] as const,
          fair: ['15:20', '16:50'] as const,
          grey: ['12:40', '13:50'] as const,
        }[sky] ?? ['15:00', '16:00'];
        const from = day === 21 ? between(lab, day, '10:40', '11:20') : between(lab, day, '09:00', '10:00');
        on.push({ from, to: between(lab, day, first, last) });
        // under a grey sky the engine runs for two hours, and they use what it gives
        if (sky === 'grey' || random.chance(0.12))
          on.push({ from: between(lab, day, '18:20', '19:00'), to: between(lab, day, '20:40', '22:10') });
      }
      for (const { from, to } of gaps([{ from: 0, to: lab.start + 2 * SECOND }, ...on]))
        hostIsOff(lab, from, to);
      for (const phone of lab.phones) drainsOutside(lab, phone, 1.2);
      background(lab, {
        taken: 9,
        restarts: 1,
        hours: [10.2, 15.5],
        glitches: 0,
        isUpdated: false,
      });
    },
  },
  {
    // shaka-project/shaka-lab and shaka-player#10553: tests at ten each night by Greenwich, and the Android of the lab is enabled again
    name: 'the small lab of an open player gets a new phone for the one it had, sets it up in two days, and has two televisions on its network',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-08-31',
      hubs: [],
      network: 2,
      usb: true,
      known: { slots: false },
      models: ['Chromecast', 'Android TV'],
    },
    tell(lab) {
      const { random } = lab;
      const televisions = lab.pinnedOf('tcp');
      for (const television of televisions) television.reading = () => undefined;
      background(lab, { glitches: 0, hours: [9, 17] });
      const allowed = between(lab, 3, '13:20', '14:30');
      const phone = comes(lab, cable, allowed, { name: 'Pixel 9a', percent: random.whole(45, 60) });
      // out of the box it is half a year behind, and takes two steps to be up to date
      const builds = ['BD1A.250702.001', 'BP3A.251105.015', 'CP1A.260805.005'];
      let at = allowed + minutes(lab, 34, 52);
      for (const [index, build] of builds.slice(1).entries()) {
        updates(lab, phone, at, [62, 118], { build, buildBefore: builds[index] ?? '' });
        at += minutes(lab, 48, 70);
      }
      // it gets its place on a stand, and a shorter cable
      const stood = between(lab, 4, '10:30', '11:40');
      out(lab, phone, stood, stood + minutes(lab, 5, 13));
      const taped = between(lab, 4, '15:10', '16:20');
      out(lab, phone, taped, taped + seconds(lab, 25, 90));
      lab.note(between(lab, 8, '11:10', '12:00'), lab.where(phone, lab.at(8)), 'enabled again for the tests');
      for (const day of daysOf(lab, 0)) {
        // on Sundays, when no test runs
        const begin = lab.at(day, '05:30:01');
        if (day > 4) restart(lab, phone, begin + seconds(lab, 0, 3), [32, 50], 'reboot,adb');
        for (const [index, television] of televisions.entries())
          restartsOnAir(lab, television, begin + (index + 1) * 4 * MINUTE, [44, 80], 'reboot,adb');
      }
      const [chromecast] = televisions;
      if (chromecast) restartsOnAir(lab, chromecast, lab.at(16, '03:41'), [120, 210], 'reboot,ota');
      // a maintainer has it in his hand when a test has failed on it alone
      for (const day of lab.workdays(9))
        if (random.chance(0.2)) {
          const taken = between(lab, day, '10:00', '16:30');
          out(lab, phone, taken, taken + minutes(lab, 6, 70));
        }
    },
  },
  {
    // droidfleet.dev, why we built this: a drawer of phones, and a cable for one at a time
    name: 'a developer has one cable for his own phone in the evening, and for each of five from a drawer before he lets a version out',
    lab: {
      zone: 'America/Sao_Paulo',
      from: '2026-05-18',
      hubs: [],
      known: { slots: false, usbPath: false },
      models: ['Pixel 7', 'Galaxy S10', 'Galaxy A14', 'Moto G9', 'Redmi 9', 'Nexus 5X'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = Array.from({ length: 6 }, () => lab.add('usb', { port: cable, isThereAtFirst: false }));
      const times = new Map<LabPhone | undefined, Span[]>(phones.map((phone) => [phone, []]));
      const awake: Span[] = [];
      const [own, ...others] = phones;
      // the last but one was wrong, and another follows on the day after; Corpus Christi is a free Thursday
      const releases = new Set([5, 12, 17, 18, 26]);
      for (const day of lab.everyDay()) {
        const isRelease = releases.has(day);
        if (!isRelease && !random.chance(lab.isWorkday(day) ? 0.6 : 0.3)) continue;
        const opened = between(lab, day, isRelease ? '14:10' : '19:40', isRelease ? '16:30' : '21:00');
        let at = opened + minutes(lab, 1, 12);
        const has = (phone: LabPhone | undefined, least: number, most: number) => {
          const to = at + minutes(lab, least, most);
          times.get(phone)?.push({ from: at, to });
          at = to + seconds(lab, 15, 110);
        };
        if (!isRelease || random.chance(0.7)) has(own, 12, isRelease ? 30 : 110);
        if (isRelease)
          for (const phone of random.shuffled(others)) if (random.chance(0.85)) has(phone, 8, 27);
        // at times what he sees on one is looked for on his own once more
        if (isRelease && random.chance(0.5)) has(own, 10, 40);
        awake.push({ from: opened, to: at + minutes(lab, 1, 35) });
      }
      for (const [phone, spans] of times)
        if (phone) hasCable(lab, phone, spans, phone !== own && phone !== phones.at(-1));
      for (const { from, to } of gaps([{ from: 0, to: lab.start - 2 * HOUR }, ...awake]))
        sleeps(lab, from, to);
      background(lab, { glitches: 0, isUpdated: false });
    },
  },
  {
    // theverge.com/23274076 and moelane.com, July 2021: a shovel goes through the cable, and a phone gives the line over USB
    name: 'diggers cut the cable of a house in Maryland, and a phone gives the computer its line for nine days, also at night',
    lab: {
      zone: 'America/New_York',
      from: '2026-06-29',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Pixel 7', 'Galaxy A53'],
    },
    tell(lab) {
      const { random } = lab;
      const own = lab.pinned(0);
      const cut = between(lab, 9, '10:40', '11:20');
      const mended = between(lab, 18, '14:20', '16:40');
      // what reports to a box in the house goes on without a line
      const errand = (day: number, from: string, to: string, least: number, most: number): Span => {
        const at = between(lab, day, from, to);
        return { from: at, to: at + minutes(lab, least, most) };
      };
      const away: Span[] = [];
      for (const day of lab.everyDay()) {
        const isWorkday = lab.isWorkday(day) && day !== 4;
        if (day >= 9 && day <= 18) {
          // the line goes where he goes, and he does not go far
          if (day > 9 && random.chance(0.6)) away.push(errand(day, '12:05', '13:00', 15, 55));
          if (day < 18 && random.chance(0.5)) away.push(errand(day, '17:40', '19:00', 20, 130));
          continue;
        }
        if (isWorkday && random.chance(0.8)) away.push(errand(day, '11:50', '13:00', 25, 75));
        const left = between(lab, day, isWorkday ? '16:50' : '08:10', isWorkday ? '18:30' : '09:20');
        if (isWorkday) {
          const back = day === 8 ? 9 : (lab.workdays(day + 1).find((each) => each !== 4) ?? lab.days);
          away.push({ from: left, to: between(lab, back, '08:10', '09:20') });
        }
      }
      for (const { from, to } of away) out(lab, own, from, to);
      const sits = gaps([
        { from: 0, to: cut + minutes(lab, 6, 14) },
        ...away.filter(({ from }) => from > cut && from < mended),
        { from: mended + minutes(lab, 9, 40), to: lab.end },
      ]);
      for (const [index, { from, to }] of sits.entries()) {
        const at = index === 0 ? from : from + seconds(lab, 12, 75);
        givesLine(lab, own, at, to);
      }
      // the last of these times is over when he switches that off
      const last = sits.at(-1);
      if (last) lab.lose(own, last.to, { forMs: seconds(lab, 1.4, 3) });
      background(lab, { taken: 2.5, restarts: 1, hours: [9, 17], glitches: 0.1 });
    },
  },
];
