/**
 * Months of hosts with one to six phones at a desk, in a cupboard, in a bag or on a boat, and of labs with twenty to sixty, in
 * which phones are gauged, counted, soaked, updated and rested, and the house tests its sockets, its generator and its exits.
 */
import type { Port } from '../../room.ts';
import { ADB } from '../../usb-tree.ts';
import { adbRestarts, agentRestarts, background, inUse } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { sleeps, sleepsSoundly, thereOnlyIn, unseen } from './at-home.ts';
import { drainsOutside, hostIsOff, powerless } from './at-length.ts';
import { daysOf } from './at-work.ts';
import { hasRestarted, type Span } from './by-machine.ts';
import { between, greenwich, minutes, out, restart, seconds } from './habits.ts';
import { along, comes, lent, type Range, updates } from './in-racks.ts';
import { unreached } from './over-network.ts';

/** A laptop is shut and opened; not each time does it ask its ports anew. */
function isShut(lab: Lab, from: number, to: number): void {
  if (lab.random.chance(0.5)) sleeps(lab, from, to);
  else sleepsSoundly(lab, from, to);
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

interface Release {
  build: string;
  buildBefore: string;
}

/**
 * Its recovery takes another build from adb; its minadbd ends then, and adb has it as a recovery until the host restarts it.
 *
 * @returns whether it was free for that
 */
function takesBySideload(lab: Lab, phone: LabPhone, at: number, release: Release): boolean {
  const listed = Math.round(at + seconds(lab, 19, 32));
  const written = Math.round(listed + minutes(lab, 3.8, 6.9));
  const seen = Math.round(written + seconds(lab, 0.8, 2.4));
  const restarts = Math.round(seen + seconds(lab, 5, 14));
  const back = Math.round(restarts + seconds(lab, 58, 108));
  if (back > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, back + 2 * MINUTE)) return false;
  lab.lose(phone, at, { forMs: listed - at, backAs: 'sideload' });
  lab.lose(phone, written, { forMs: seen - written, backAs: 'recovery' });
  lab.lose(phone, restarts, { forMs: back - restarts });
  phone.busy.push({ from: at, to: back + MINUTE });
  hasRestarted(lab, phone, back, 'reboot');
  lab.phone(phone, back + 75 * SECOND, { kind: 'os', ...release });
  return true;
}

const QUARTER = 15 * MINUTE;

/** How warm a room is, tenths of a degree: it is cooled before the dear quarters of a day, and nobody cools it in them. */
function roomByPrice(lab: Lab): (at: number) => number {
  const { random } = lab;
  const rooms: number[] = [];
  let room = 232;
  for (const day of lab.everyDay()) {
    // the wind makes all of a day cheap
    const isWindy = random.chance(0.3);
    const spike = random.chance(0.5) ? random.whole(28, 88) : -9;
    const noon = random.whole(205, 275);
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const isDear = (quarter >= 32 && quarter < 40 && lab.isWorkday(day)) || (quarter >= 70 && quarter < 84);
      const isOff = (!isWindy && isDear) || Math.abs(quarter - spike) < 2;
      const isBefore = !isWindy && ((quarter >= 26 && quarter < 32) || (quarter >= 62 && quarter < 70));
      const wanted = quarter > 4 && quarter < 20 ? 214 : isBefore ? 219 : 236;
      const outside = noon - 45 + 45 * Math.cos(((quarter - 60) * Math.PI) / 48);
      room += (outside + 62 - room) * 0.045;
      if (!isOff) room = Math.max(wanted, room - 16);
      rooms.push(room);
    }
  }
  return (at) => rooms[Math.floor((at - lab.start) / QUARTER)] ?? 236;
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
          unseen(lab, off, on, { bootedAt });
        } else if (day === 14) adbRestarts(lab, Math.round(built), 41, random.whole(2, 5) * SECOND);
        // what the agent is made of changes on some nights
        else if (random.chance(0.22)) unseen(lab, built, built + seconds(lab, 3, 8), { bootedAt });
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
      for (const phone of lab.phones) drainsOutside(lab, phone, 0.5);
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
      if (own) thereOnlyIn(lab, own, plugged);
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
      for (const phone of lab.phones) phone.reading = inUse(lab);
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
      for (const phone of lab.phones) drainsOutside(lab, phone, 0.7);
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
  {
    // jointcommission.org, EC.02.05.07: each month, by a real loss of the mains, at least thirty minutes; within ten seconds there is
    // power again. onsitepoweradvisor.com: some houses do it by parts
    name: 'the generator of an institute in Chicago is tried on Wednesdays at six for one shelf after another, and then for all three',
    lab: {
      zone: 'America/Chicago',
      from: '2026-10-05',
      hubs: [16, 16, 10],
      free: 4,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 7', 'Galaxy S22', 'Galaxy A53', 'Moto G Power'],
    },
    tell(lab) {
      const { random } = lab;
      lab.note(
        lab.at(0, '09:12'),
        {},
        'Transfer switches: Wednesdays at six, one shelf each, on the 28th all. Dark for ten seconds when it begins, and for some when it ends. The host has its UPS',
      );
      for (const [week, day] of daysOf(lab, 3).slice(0, 4).entries()) {
        const shelves = week === 3 ? [0, 1, 2] : [week];
        const begins = lab.at(day, '06:00') + minutes(lab, 1, 11);
        const ends = begins + minutes(lab, 32, 46);
        for (const shelf of shelves) {
          // a hub needs a moment until it has its ports again
          powerless(lab, lab.phonesOf(shelf), begins, begins + seconds(lab, 9, 12));
          powerless(lab, lab.phonesOf(shelf), ends, ends + seconds(lab, 5, 8));
        }
      }
      // who has run for a week is restarted at night
      for (const day of lab.everyDay().slice(1)) {
        const due = lab.phones.filter((_, index) => (index + day) % 7 === 0);
        along(lab, due, lab.at(day, '02:10:03'), [55, 80], (phone, at) =>
          restart(lab, phone, at, [30, 52], 'reboot,adb'),
        );
      }
      lent(lab, lab.phones, 3, { minutes: [5, 170] });
      // a grant is due on the last Friday of October, and some sit there for long
      for (const phone of random.shuffled(lab.phones).slice(0, 9)) {
        const at = between(lab, 24, '14:00', '17:00');
        out(lab, phone, at, at + minutes(lab, 90, 420));
      }
      background(lab, { taken: 0, restarts: 0.4, hours: [9, 18], glitches: 0.04 });
    },
  },
  {
    // microfocus.com, swollen battery: how to prevent it in a mobile lab; acroname.com: where phones are always charged some swell
    name: 'two people slide the forty phones of a lab in Prague through a gauge, a shelf each week, and two that do not pass leave',
    lab: {
      zone: 'Europe/Prague',
      from: '2026-04-20',
      hubs: [10, 10, 10, 10],
      usb: true,
      models: ['Galaxy S20', 'Pixel 6', 'Redmi Note 11', 'Galaxy A52', 'OnePlus Nord'],
    },
    tell(lab) {
      const { random } = lab;
      // on Fridays, and on the Thursday before where a holiday is on that
      const free = [11, 18];
      const days = lab.workdays().filter((day) => !free.includes(day));
      const fat = [lab.phonesOf(1)[6], lab.phonesOf(3)[2]];
      for (const [shelf, day] of [4, 10, 17, 25].entries()) {
        const begin = between(lab, day, '13:15', '14:10');
        along(lab, lab.phonesOf(shelf), begin, [46, 85], (phone, at) => {
          if (!fat.includes(phone)) {
            // one lies beside its cable until somebody sees it on the Monday
            const isForgotten = phone === lab.phonesOf(2)[4];
            out(
              lab,
              phone,
              at,
              isForgotten ? between(lab, day + 4, '08:50', '09:40') : at + seconds(lab, 17, 41),
            );
            return;
          }
          lab.lose(phone, at);
          lab.note(at + 55 * SECOND, lab.where(phone, at), 'too thick for 9.8 mm: goes to the sand box');
          const port = lab.portOf(phone, at);
          const next = lab.workdays(day + 2).find((each) => each < lab.days - 1);
          if (!port || next === undefined) return;
          const name = `${phone.name}, second`;
          const spare = comes(lab, port, between(lab, next, '10:10', '15:20'), { name, percent: 57 });
          spare.isPinned = true;
        });
      }
      lent(lab, lab.phones, 2, { days, minutes: [4, 200] });
      // before each sprint ends a job restarts what it tests on, shelf by shelf
      for (const day of [8, 22])
        along(lab, lab.phones.slice(0, 40), lab.at(day, '19:30:05'), [35, 60], (phone, at) =>
          restart(lab, phone, at, [29, 58], 'reboot,adb'),
        );
      for (const phone of lab.phones)
        for (let left = random.poisson(0.5); left > 0; left -= 1)
          restart(lab, phone, between(lab, random.pick(days), '09:20', '16:50'), [30, 70], 'reboot');
      background(lab, { taken: 0, restarts: 0, hours: [9, 17], glitches: 0.05 });
    },
  },
  {
    // flutter/flutter#91050 and #179287: new ones soak beside the others, and then half of the old ones is replaced, and then the rest
    name: 'twelve new phones soak for two weeks at the free ports of a lab, and then move to those of the twelve old ones that leave',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-01-12',
      hubs: [16, 16, 16],
      free: 12,
      usb: true,
      models: ['Galaxy A02s', 'Pixel 7 Pro', 'Pixel 7 Pro'],
    },
    tell(lab) {
      const { random } = lab;
      const all = [...lab.phones];
      const old = all.filter((_, index) => index % 3 === 0);
      const soaking: LabPhone[] = [];
      along(lab, lab.freePorts(lab.start), lab.at(1, '10:05'), [230, 410], (port, at, index) => {
        const percent = random.whole(44, 71);
        const phone = comes(lab, port, at, { name: `Moto G 2025 (${index + 1})`, percent });
        phone.isPinned = true;
        soaking.push(phone);
        const builds = ['VVTA35.51-28', 'VVTA35.51-65', 'VVTA35.51-65-6'];
        for (const [step, build] of builds.slice(1).entries())
          updates(lab, phone, at + (step + 0.6) * HOUR + minutes(lab, 0, 9), [70, 130], {
            build,
            buildBefore: builds[step] ?? '',
          });
      });
      // a Tuesday and a Thursday: jobs are kept away from six old ones, these are pulled, and new ones are carried there
      for (const [half, day] of [15, 17].entries()) {
        const leaving = old.slice(half * 6, half * 6 + 6);
        for (const phone of leaving)
          lab.phone(phone, lab.at(day, '08:02'), {
            kind: 'drain',
            until: lab.at(day, '18:00'),
            reason: 'replaced today',
          });
        along(lab, leaving, lab.at(day, '10:20') + minutes(lab, 0, 20), [260, 480], (phone, at, index) => {
          const [port, next] = [lab.portOf(phone, at), soaking[half * 6 + index]];
          lab.lose(phone, at);
          const carried = at + seconds(lab, 60, 130);
          if (port && next) lab.lose(next, carried, { forMs: seconds(lab, 18, 75), to: port });
        });
      }
      // each restarts when it has run so many tests
      for (const phone of [...all, ...soaking]) {
        const isNew = soaking.includes(phone);
        let at = lab.start + random.between(1, 20) * HOUR;
        while (at < lab.end - HOUR) {
          restart(lab, phone, at, [31, 60], 'reboot,adb');
          const often = isNew && at < lab.at(15) ? [4.5, 8] : [14, 23];
          at += random.between(often[0] ?? 14, often[1] ?? 23) * HOUR;
        }
      }
      lent(lab, all, 0.4);
      background(lab, { taken: 0, restarts: 0, hours: [9, 17], glitches: 0.03 });
    },
  },
  {
    // source.android.com, SideloadOtaTargetPreparer: into sideload, from there into recovery, and then into Android, with a new build
    name: 'twenty-four of forty phones take five candidates of a firmware by sideload in two weeks, one of which is withdrawn, and run its tests at night',
    lab: {
      zone: 'Asia/Taipei',
      from: '2026-03-02',
      hubs: [10, 10, 10, 10],
      usb: true,
      models: ['Zenfone 11', 'Zenfone 12', 'ROG Phone 9', 'ROG Phone 9', 'Zenfone 12'],
    },
    tell(lab) {
      const under = lab.phones.slice(0, 24);
      const has = new Map<LabPhone, string>();
      const first = '35.1710.1710.188';
      for (const [number, day] of [7, 9, 10, 14, 16].entries()) {
        const build = `36.1810.${1810 + number}.${21 + 9 * number}`;
        // whoever looks at the first six of the third finds that it must not go on
        const groups = number === 2 ? 1 : 4;
        let at = between(lab, day, '18:05', '19:10');
        for (let group = 0; group < groups; group += 1) {
          for (const phone of under.slice(group * 6, group * 6 + 6))
            if (
              takesBySideload(lab, phone, at + seconds(lab, 0, 25), {
                build,
                buildBefore: has.get(phone) ?? first,
              })
            )
              has.set(phone, build);
          at += minutes(lab, 13, 19);
        }
      }
      for (const day of lab.everyDay().slice(1)) {
        const isTested = day > 7 && day < 20;
        along(lab, lab.phones, lab.at(day, '03:00:02'), [18, 31], (phone, at) => {
          if (!(isTested && under.includes(phone))) restart(lab, phone, at, [31, 56], 'reboot,adb');
        });
        // each part of the suite begins with a restart
        if (isTested)
          for (const phone of under)
            for (
              let at = lab.at(day - 1, '21:10') + minutes(lab, 0, 40);
              at < lab.at(day, '06:10');
              at += minutes(lab, 85, 150)
            )
              restart(lab, phone, at, [31, 58], 'reboot,adb');
      }
      lent(lab, lab.phones, 1.6, { hours: ['09:40', '17:10'], minutes: [4, 130] });
      agentRestarts(lab, lab.at(22, '12:40:06'));
      background(lab, { taken: 0, restarts: 0.3, hours: [9.5, 19], glitches: 0.04, isUpdated: false });
    },
  },
  {
    // thephuketnews.com and dachser.com: closed from a Friday evening over Songkran, and those who are from far away stay longer
    name: 'a lab in Bangkok is closed for nine days of Songkran: one of its shelves is off, two phones are with who is on call, and the nights go on',
    lab: {
      zone: 'Asia/Bangkok',
      from: '2026-03-30',
      hubs: [16, 16, 10],
      free: 6,
      models: ['Galaxy A15', 'Oppo A79', 'Vivo Y36', 'Redmi 13C', 'Pixel 8a'],
    },
    tell(lab) {
      const { random } = lab;
      const isClosed = (day: number): boolean => day === 7 || (day > 11 && day < 21);
      const days = lab.workdays().filter((day) => !isClosed(day));
      const off = between(lab, 11, '16:25', '17:05');
      const on = between(lab, 21, '08:35', '09:10');
      // that a phone forgets a computer after a week is switched off on all of them
      const resting = lab.phonesOf(1);
      lab.note(off - 6 * MINUTE, {}, 'Shelf 2 is off until Monday the 20th. Happy new year');
      powerless(lab, resting, off, on);
      for (const phone of resting) drainsOutside(lab, phone, 0.13);
      const [one, other] = random.shuffled(lab.phonesOf(0));
      for (const phone of [one, other])
        if (phone) out(lab, phone, off + minutes(lab, 8, 20), on + minutes(lab, 15, 70));
      // six are filmed in bags on the Thursday before, while water is thrown at them
      along(lab, random.shuffled(lab.phonesOf(0)).slice(0, 6), lab.at(10, '13:20'), [20, 50], (phone, at) =>
        out(lab, phone, at, lab.at(10, '15:50') + minutes(lab, 0, 25)),
      );
      // who is on call comes on the Tuesday for an hour, as somebody abroad asks for a look at three of them
      const called = between(lab, 15, '13:05', '13:40');
      for (const [index, phone] of random.shuffled(lab.phonesOf(2)).slice(0, 3).entries()) {
        if (index === 0) restart(lab, phone, called, [30, 60], 'reboot,userrequested');
        else out(lab, phone, called + index * 6 * MINUTE, called + index * 6 * MINUTE + minutes(lab, 5, 40));
      }
      for (const day of lab.everyDay().slice(1))
        along(lab, lab.phones, lab.at(day, '01:30:04'), [9, 21], (phone, at) =>
          restart(lab, phone, at, [33, 64], 'reboot,adb'),
        );
      // hardly anybody works on the Thursday and the Friday before
      lent(lab, lab.phones, 2.4, { days: days.filter((day) => day !== 11), minutes: [5, 140] });
      background(lab, { taken: 0, restarts: 0, glitches: 0.04 });
    },
  },
  {
    // community.home-assistant.io, 936741: since October 2025 there is a price for each quarter of an hour; a house is made ready
    // before the dear ones, and left alone in them
    name: 'a lab in Oulu is cooled when electricity is cheap and not when it is dear, and its nights begin in their cheapest hour',
    lab: {
      zone: 'Europe/Helsinki',
      from: '2026-06-29',
      hubs: [16, 16],
      free: 2,
      models: ['Galaxy A34', 'Nokia XR21', 'Pixel 7a', 'OnePlus Nord 3'],
    },
    tell(lab) {
      const { random } = lab;
      const room = roomByPrice(lab);
      for (const phone of lab.phones) {
        const usual = inUse(lab);
        const above = random.whole(34, 56);
        phone.reading = (at) => ({
          ...usual(at),
          temperatureDecicelsius: Math.round(Math.min(343, room(at) + above)),
        });
      }
      for (const day of lab.everyDay().slice(1)) {
        const begin = lab.at(day, '00:00') + random.whole(0, 15) * QUARTER + 4 * SECOND;
        // on three of five nights there is something to test on all, and on the others on a third
        const many = random.chance(0.6) ? lab.phones.length : 10;
        along(lab, lab.phones.slice(0, many), begin, [6, 14], (phone, at) =>
          restart(lab, phone, at, [30, 58], 'reboot,adb'),
        );
      }
      // it is July: two of eight are there
      lent(lab, lab.phones, 0.8, { hours: ['08:10', '15:30'], minutes: [6, 130] });
      background(lab, { taken: 0, restarts: 0.3, hours: [8, 16], glitches: 0.05 });
    },
  },
  {
    // hawkesworthappliancetesting.co.uk: circuits are tested one by one; boggyb.livejournal.com: a drill goes ahead, rain or shine
    name: 'a house in London has its wiring tested over a weekend, circuit by circuit, its exits on a Wednesday, and each plug the week after',
    lab: {
      zone: 'Europe/London',
      from: '2026-05-04',
      hubs: [10, 10, 10],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 8', 'Galaxy S23', 'Galaxy A14', 'Xperia 10', 'Moto Edge 40'],
    },
    tell(lab) {
      const { random } = lab;
      const free = [0, 21];
      lab.note(
        lab.at(11, '16:05'),
        {},
        'EICR: the shelves lose their sockets in turns on Saturday, and the host is shut down for an hour on Sunday',
      );
      const isOut: readonly (readonly [
        shelf: number,
        day: number,
        from: string,
        to: string,
        most: number,
      ])[] = [
        [0, 12, '09:40', '11:05', 12],
        [1, 12, '11:45', '12:30', 15],
        [2, 12, '14:00', '15:30', 20],
        // their supplies get new stickers
        [0, 22, '10:04', '10:09', 3],
        [1, 22, '10:38', '10:43', 3],
        [2, 22, '11:21', '11:26', 3],
      ];
      for (const [shelf, day, from, to, most] of isOut)
        powerless(
          lab,
          lab.phonesOf(shelf),
          lab.at(day, from) + minutes(lab, 0, most),
          lab.at(day, to) + minutes(lab, 0, most),
        );
      hostIsOff(lab, between(lab, 13, '10:12', '10:25'), between(lab, 13, '11:20', '11:50'));
      // at two past eleven all are in the street with what they have in their hands, or without
      const drill: Span = { from: lab.at(16, '11:02'), to: lab.at(16, '11:20') + minutes(lab, 0, 7) };
      const days = lab.workdays().filter((day) => !free.includes(day));
      const takes = (phone: LabPhone, from: number, forMs: number): void => {
        const to = from + forMs;
        const isIn = from < drill.from && to > drill.from;
        if (from > drill.from - MINUTE && from < drill.to + 4 * MINUTE) return;
        out(lab, phone, from, isIn ? to + drill.to - drill.from + minutes(lab, 2, 12) : to, 0.03);
      };
      for (const phone of random.shuffled(lab.phones).slice(0, 7))
        takes(phone, between(lab, 16, '10:15', '10:55'), minutes(lab, 25, 140));
      for (const phone of lab.phones)
        for (let left = random.poisson(3.5); left > 0; left -= 1)
          takes(phone, between(lab, random.pick(days), '09:15', '17:00'), minutes(lab, 5, 150));
      background(lab, { taken: 0, restarts: 0.8, hours: [9, 17.5], glitches: 0.05 });
    },
  },
  {
    // docs.thestorage.app/audit and supportkb.trackabout.com, cycle counts: some each day instead of all at once
    name: 'a bank in Singapore counts three of its forty-eight phones each working day, by a list, and looks at all of them at the end of October',
    lab: {
      zone: 'Asia/Singapore',
      from: '2026-10-19',
      hubs: [16, 16, 16],
      usb: true,
      models: ['Galaxy S24', 'Galaxy A55', 'Pixel 9', 'Oppo Reno 12', 'Redmi Note 13', 'Galaxy S22'],
    },
    tell(lab) {
      const { random } = lab;
      // Deepavali is on a Sunday, and the Monday is free
      const days = lab.workdays().filter((day) => day !== 21);
      lent(lab, lab.phones, 3, { days, minutes: [8, 210], overnight: 0.02 });
      const list = [...random.shuffled(lab.phones), ...random.shuffled(lab.phones)];
      for (const [index, day] of days.entries()) {
        const isMorning = random.chance(0.65);
        const begin = between(lab, day, isMorning ? '10:00' : '14:05', isMorning ? '11:40' : '16:40');
        // each is brought to the scanner, unlocked and photographed; who has one out shows it when it is back
        along(lab, list.slice(index * 3, index * 3 + 3), begin, [560, 800], (phone, at) =>
          // now and then one stays at the scanner over lunch
          out(lab, phone, at, at + (random.chance(0.05) ? minutes(lab, 50, 115) : minutes(lab, 3, 8.5))),
        );
      }
      // nine are so placed that nobody can read the back of them
      along(lab, random.shuffled(lab.phones).slice(0, 9), lab.at(11, '15:10'), [140, 330], (phone, at) =>
        out(lab, phone, at, at + seconds(lab, 19, 58)),
      );
      // whoever manages them restarts all on Sundays at four
      for (const day of daysOf(lab, 0))
        along(lab, lab.phones, lab.at(day, '04:00:01'), [2, 9], (phone, at) =>
          restart(lab, phone, at, [34, 62], 'reboot,deviceowner'),
        );
      background(lab, { taken: 0, restarts: 0.4, hours: [9, 18], glitches: 0.04 });
    },
  },
];
