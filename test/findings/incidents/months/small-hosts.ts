/**
 * Months of small hosts: one to eight phones at a laptop, a small computer, a container or a virtual machine, which sleeps,
 * is shut down, restarts after updates or travels, while people plug in and out beside it, and a pipeline runs at night.
 */
import type { Port } from '../../room.ts';
import { ADB, MTP } from '../../usb-tree.ts';
import { adbRestarts, background, hostRestarts, inUse, levels } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { type Stay, sleeps, sleepsSoundly, stays, thereOnlyIn, unseen } from './at-home.ts';
import { drainsOutside, hostIsOff } from './at-length.ts';
import { daysOf, passes } from './at-work.ts';
import { hasRestarted, merged, nightly, offTheAir, pushes, type Span } from './by-machine.ts';
import { job } from './calm.ts';
import { between, greenwich, minutes, out, pinAll, restart, seconds } from './habits.ts';
import { onlyIn, unreached } from './over-network.ts';

/** Somebody chooses what the cable is for, and the phone leaves USB for a moment. */
function changesMode(lab: Lab, phone: LabPhone, at: number): void {
  lab.lose(phone, at, { forMs: seconds(lab, 0.9, 2.3), onUsb: { interfaces: [MTP, ADB] } });
}

export const smallHosts: readonly QuietMonth[] = [
  {
    // newbetuts.com/423593, eclecticlight.co (2016): a Mac that sleeps is awake for moments, about once an hour
    name: 'a MacBook with two phones is awake for half a minute about once an hour of its nights and weekends',
    lab: {
      zone: 'America/Denver',
      from: '2026-10-19',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false, hub: false },
      models: ['Pixel 8a', 'Pixel 9'],
    },
    tell(lab) {
      const { random } = lab;
      const own = lab.pinned(1);
      const naps = (from: number, to: number): void => {
        let asleep = from;
        for (
          let wakes = from + minutes(lab, 18, 70);
          wakes < to - 9 * MINUTE;
          wakes += minutes(lab, 35, 125)
        ) {
          // not each time does it ask its ports
          if (random.chance(0.45)) sleeps(lab, asleep, wakes);
          else sleepsSoundly(lab, asleep, wakes);
          asleep = wakes + seconds(lab, 26, 65);
        }
        sleeps(lab, asleep, to);
      };
      const sat: Stay[] = [];
      const nights: [number, number][] = [];
      let asleep = lab.start - 40 * MINUTE;
      for (const day of lab.workdays()) {
        const opened = between(lab, day, '08:20', '09:10');
        nights.push([asleep, opened]);
        const shut = between(lab, day, '17:10', '18:30');
        let from = opened + minutes(lab, 2, 40);
        while (from < shut - 25 * MINUTE) {
          const to = Math.min(from + minutes(lab, 20, 150), shut - minutes(lab, 2, 14));
          sat.push({ from, to });
          from = to + minutes(lab, 8, 110);
        }
        asleep = shut;
        if (random.chance(0.3)) {
          const evening = between(lab, day, '20:10', '21:20');
          nights.push([asleep, evening]);
          asleep = evening + minutes(lab, 12, 85);
        }
      }
      thereOnlyIn(lab, own, sat);
      // on a weekend in the mountains a note about a trail is made with the other one
      const [other] = lab.phones;
      if (other) out(lab, other, between(lab, 11, '16:20', '16:50'), between(lab, 14, '09:30', '10:10'));
      for (const [from, to] of nights) naps(from, to);
      background(lab, { taken: 2.5, glitches: 0, hours: [9.5, 16.5], isUpdated: false });
    },
  },
  {
    // omniaura/omniclaw#751: where FileVault is on, nobody is logged in automatically after a restart
    name: 'a Mac mini tests on two phones at night, and waits for somebody to log in after each update of macOS, once over Easter',
    lab: {
      zone: 'Europe/Amsterdam',
      from: '2026-03-09',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false, hub: false },
      models: ['Pixel 7a', 'Galaxy S23'],
    },
    tell(lab) {
      const { random } = lab;
      const logins: readonly (readonly [off: number, on: number])[] = [
        [lab.at(11, '03:51'), between(lab, 11, '08:35', '09:10')],
        // until the Tuesday after Easter
        [lab.at(26, '03:46'), between(lab, 29, '08:40', '09:20')],
      ];
      for (const [off, on] of logins) unseen(lab, off, on, { bootedAt: off + 11 * MINUTE });
      const [pixel] = lab.phones;
      if (pixel) {
        const at = lab.at(16, '04:31');
        restart(lab, pixel, at, [50, 80], 'reboot,ota');
        lab.phone(pixel, at + 6 * MINUTE, {
          kind: 'os',
          build: 'BP4A.260305.013',
          buildBefore: 'BP4A.260205.008',
        });
      }
      // half past midnight in Greenwich, and some minutes later than that
      for (const day of lab.workdays()) {
        if (random.chance(0.06)) continue;
        const begins = greenwich(lab, day, 0.5) + minutes(lab, 4, 37);
        const ends = begins + minutes(lab, 41, 78);
        for (const [index, phone] of lab.phones.entries()) {
          restart(lab, phone, begins + index * 14 * SECOND, [32, 60], 'reboot,adb');
          restart(lab, phone, ends + index * seconds(lab, 20, 300), [32, 60], 'reboot,adb');
        }
      }
      background(lab, { taken: 1.5, hours: [9.5, 17], restarts: 0.3, isUpdated: false });
    },
  },
  {
    // proxmox/pve-docs, vzdump.adoc, mode stop: the machine is shut down in an orderly way, and started while it is saved
    name: 'a virtual machine is shut down for a minute or two each Sunday at two for its backup, and gets its six phones one after the other',
    lab: {
      zone: 'Europe/Warsaw',
      from: '2026-10-05',
      hubs: [7],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A54', 'Pixel 6a', 'Redmi Note 12'],
    },
    tell(lab) {
      const startsAnew = (off: number, forMs: number): void => {
        const on = Math.round(off + forMs);
        unseen(lab, off, on, { bootedAt: on - seconds(lab, 14, 22) });
        for (const [index, phone] of lab.usbPhones.entries())
          if (index > 0) lab.lose(phone, on + 400, { forMs: index * 900 + seconds(lab, 0.3, 1.4) });
      };
      // on the last Sunday of October two o'clock comes twice, and the backup at the first of them
      for (const day of daysOf(lab, 0)) startsAnew(lab.at(day, '02:00:08'), seconds(lab, 62, 135));
      // what it runs on is brought up to date on a Thursday evening, and restarts
      startsAnew(lab.at(17, '20:14:20'), 6.4 * MINUTE);
      // before a release the job restarts what it tests on
      for (const day of [9, 23, 24])
        for (const [index, phone] of lab.phones.entries())
          restart(lab, phone, lab.at(day, '18:30') + index * 70 * SECOND, [30, 62], 'reboot,adb');
      background(lab, { taken: 1.6, hours: [8.5, 17], restarts: 0.6, glitches: 0.05, isUpdated: false });
    },
  },
  {
    // dockstarter.com, creating backups: each program is stopped before its folder is saved, and started after that
    name: 'the containers of a home server stop for their backup on Monday nights, and are made anew whenever there is a new image',
    lab: {
      zone: 'America/Winnipeg',
      from: '2026-03-01',
      hubs: [],
      direct: 3,
      network: 1,
      known: { slots: false },
      usb: true,
      models: ['Pixel 5', 'OnePlus 8T', 'Galaxy A32', 'Galaxy Tab A7'],
    },
    tell(lab) {
      const { random } = lab;
      let bootedAt = lab.start - 41 * DAY;
      let release = 0;
      const tablet = lab.networkPhones[0];
      for (const day of lab.everyDay()) {
        if (lab.weekday(day) === 1) {
          const off = lab.at(day, '03:00:04') + random.whole(0, 2000);
          const on = off + minutes(lab, 7, 24);
          unseen(lab, off, on, { bootedAt, version: `1.${release}.0` });
          // what is on the network is asked for again
          if (tablet) lab.lose(tablet, on + 600, { forMs: seconds(lab, 4, 19) });
        }
        if (day > 0 && random.chance(0.14)) {
          release += 1;
          const at = lab.at(day, '05:10:00') + random.whole(0, 40_000);
          unseen(lab, at, at + seconds(lab, 9, 21), { bootedAt, version: `1.${release}.0` });
        } else if (random.chance(0.06)) {
          const at = lab.at(day, '05:10:40') + random.whole(0, 20_000);
          for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + 2 * MINUTE });
          adbRestarts(lab, at, 41, random.whole(4, 11) * SECOND);
        }
        // the server itself gets its new system on a Saturday, when everybody is at hockey
        if (day === 20) {
          const [off, on] = [lab.at(day, '10:22:30'), lab.at(day, '10:31:05')];
          bootedAt = on - 95 * SECOND;
          unseen(lab, off, on, { bootedAt, version: `1.${release}.0` });
        }
      }
      // one of them is a camera that nobody touches
      const camera = lab.pinned(2);
      camera.reading = (at) => ({
        levelPercent: 80,
        isFull: false,
        temperatureDecicelsius: Math.round(
          318 + 9 * Math.cos((((at - lab.start) / HOUR - 15) * Math.PI) / 12),
        ),
      });
      background(lab, {
        taken: 4,
        hours: [17, 22.5],
        isDaily: true,
        restarts: 1,
        glitches: 0.1,
        isUpdated: false,
      });
    },
  },
  {
    // grapheneos.org/features: no data over USB before the first unlock, a restart by itself after 18 hours without one
    name: 'two phones that show themselves to USB only when somebody has unlocked them restart for updates at night and on Saturdays',
    lab: {
      zone: 'Europe/Vienna',
      from: '2026-05-04',
      hubs: [4],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Pixel 9a', 'Galaxy S22'],
    },
    tell(lab) {
      const { random } = lab;
      const guarded = [lab.pinned(0), lab.pinned(1)];
      // Ascension Day and the Friday after it, and Whit Monday
      const isThere = (day: number): boolean => lab.isWorkday(day) && ![10, 11, 21].includes(day);
      const days = lab.everyDay().filter(isThere);
      const builds = ['2026042900', '2026050600', '2026051300', '2026051900', '2026052700'];
      /** On which day each build comes. */
      const released = [3, 8, 15, 23];
      for (const phone of guarded) {
        let build = 0;
        for (const [index, day] of days.entries()) {
          const next = days[index + 1];
          if (next === undefined) break;
          const lastUnlocked = between(lab, day, '16:05', '17:45');
          const unlocked = between(lab, next, '08:20', '09:05') + guarded.indexOf(phone) * 25 * SECOND;
          // an update is put on once nobody uses it; over days that are free it is the eighteen hours that come first
          const isNew = released.includes(day);
          const ownTime = lastUnlocked + 18 * HOUR + seconds(lab, 2, 50);
          const at = isNew ? between(lab, day, '22:40', '23:55') + minutes(lab, 0, 300) : ownTime;
          if (at > unlocked - HOUR) continue;
          lab.lose(phone, at, { forMs: unlocked - at });
          const asked = unlocked + seconds(lab, 6, 30);
          lab.rebooted(phone, asked, {
            reason: isNew ? 'reboot,ota' : 'reboot',
            uptimeSeconds: Math.round((asked - at) / SECOND - 22),
          });
          if (!isNew) continue;
          const [before = '', now = ''] = [builds[build], builds[build + 1]];
          build += 1;
          lab.phone(phone, Math.round(asked + SECOND), { kind: 'os', build: now, buildBefore: before });
        }
        // he has one of them in his hand for a call or a look outside
        for (const day of days)
          for (let left = random.poisson(0.5); left > 0; left -= 1) {
            const at = between(lab, day, '09:30', '15:00');
            out(lab, phone, at, at + minutes(lab, 3, 50));
          }
      }
      background(lab, { taken: 2, hours: [9, 16], restarts: 0.5, glitches: 0 });
    },
  },
  {
    // chromium/src d5bc4c0: a notice asks whether what was plugged in is for Linux; a gist of cfriedt: only then is it there
    name: 'a student has a Chromebook whose Linux runs while it is needed, and gives it a phone by a click',
    lab: {
      zone: 'Africa/Nairobi',
      from: '2026-06-01',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false, hub: false },
      models: ['Tecno Spark 20', 'Galaxy A05s'],
    },
    tell(lab) {
      const { random } = lab;
      const sessions: Span[] = [];
      for (const day of lab.everyDay()) {
        const weekday = lab.weekday(day);
        // Madaraka Day is a Monday, the first
        if (weekday > 0 && weekday < 6 && day !== 0 && random.chance(0.93))
          sessions.push({
            from: between(lab, day, '08:50', '09:25'),
            to: between(lab, day, '12:25', '12:55'),
          });
        if (weekday > 0 && weekday < 5 && random.chance(0.8))
          sessions.push({
            from: between(lab, day, '19:10', '20:30'),
            to: between(lab, day, '21:20', '23:10'),
          });
        if (weekday === 6 && random.chance(0.6))
          sessions.push({
            from: between(lab, day, '10:00', '14:00'),
            to: between(lab, day, '15:30', '18:30'),
          });
      }
      const [lent, own] = lab.phones;
      let off = lab.start - 30 * HOUR;
      const given = { lent: [] as Stay[], own: [] as Stay[] };
      for (const { from, to } of sessions) {
        const shut = to - minutes(lab, 1, 6);
        let at = from + minutes(lab, 2, 25);
        while (at < shut - 12 * MINUTE) {
          const until = Math.min(at + minutes(lab, 9, 90), shut);
          given.lent.push({ from: at, to: until });
          at = until + minutes(lab, 1, 40);
        }
        // the own one shows how it looks on a smaller screen
        const shown = from + minutes(lab, 20, 100);
        if (random.chance(0.3) && shown < shut - 10 * MINUTE)
          given.own.push({ from: shown, to: Math.min(shown + minutes(lab, 5, 30), shut) });
      }
      const edges = [...given.lent, ...given.own].flatMap(({ from, to }) => [from, to]);
      if (lent) thereOnlyIn(lab, lent, given.lent);
      if (own) thereOnlyIn(lab, own, given.own);
      for (const { from, to } of sessions) {
        // it ends with the lid, without a word to what runs in it, or somebody shuts Linux down
        unseen(lab, off, from, { isKilled: random.chance(0.6), bootedAt: from - seconds(lab, 9, 16) });
        off = to;
        // the lid is shut for a break
        const half = from + (to - from) * random.between(0.4, 0.6);
        const isStill = edges.every((at) => at < half - MINUTE || at > half + 16 * MINUTE);
        if (isStill && random.chance(0.6)) sleepsSoundly(lab, half, half + minutes(lab, 6, 14));
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 3.5);
    },
  },
  {
    name: 'a computer is shut down each evening and over Christmas until the seventh of January, when its phones are empty',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-12-07',
      days: 35,
      hubs: [4],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy A55', 'Moto G54'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const own = lab.phones[2];
      // the last day is Friday, the eighteenth; the thirty-second is the Thursday after Epiphany
      const days = lab.workdays().filter((day) => day < 12 || day > 30);
      let off = lab.start - 56 * HOUR;
      const offs: [number, number][] = [];
      for (const day of days) {
        const on = between(lab, day, '08:15', '09:00');
        offs.push([off, on]);
        off = between(lab, day, '16:40', '17:50');
        for (const phone of lab.phones) {
          if (phone === own || day === 31) continue;
          for (let left = random.poisson(0.6); left > 0; left -= 1) {
            const at = between(lab, day, '09:20', '15:20');
            out(lab, phone, at, at + minutes(lab, 4, 70));
          }
        }
        const next = days[days.indexOf(day) + 1];
        if (own && next !== undefined)
          out(lab, own, off - minutes(lab, 3, 12), between(lab, next, '09:05', '09:40'));
      }
      offs.push([off, lab.end + 10 * HOUR]);
      const back = offs.find(([, on]) => on > lab.at(31))?.[1] ?? lab.end;
      for (const [index, phone] of lab.phones.entries()) {
        if (phone === own) continue;
        // it is charged for a while, and somebody presses its button
        const started = back + minutes(lab, 11, 24) + index * minutes(lab, 2, 9);
        lab.lose(phone, back + 700, { forMs: started - back - 700 });
        hasRestarted(lab, phone, started, 'cold');
        const points: [number, number][] = [];
        for (const [shut, on] of offs) {
          points.push([shut, 100]);
          if (on === back) points.push([back, 1], [started, 6], [started + 2.2 * HOUR, 100]);
          else points.push([on, 91], [on + 34 * MINUTE, 100]);
        }
        points.sort(([one], [other]) => one - other);
        const charged = levels(points, 270);
        const [above, noise] = [random.between(0, 25), random.whole(1, 60)];
        phone.reading = (at) => ({
          ...charged(at),
          temperatureDecicelsius: Math.round(248 + above + (((at / MINUTE) * 3 + noise) % 17)),
        });
      }
      if (own) drainsOutside(lab, own, 3);
      for (const [from, to] of offs) hostIsOff(lab, from, to);
    },
  },
  {
    name: 'an evening class builds apps on Tuesdays and Thursdays, and who has one plugs in the own phone at whichever cable is free',
    lab: {
      zone: 'Europe/Rome',
      from: '2026-10-12',
      hubs: [4],
      free: 4,
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Lenovo Tab M10', 'Lenovo Tab M10', 'Redmi 12', 'Galaxy A14', 'Oppo A17', 'Moto G32'],
    },
    tell(lab) {
      const { random } = lab;
      const tablets = [lab.pinned(0), lab.pinned(1)];
      const ports = lab.hubs[0]?.ports ?? [];
      const evenings: Span[] = daysOf(lab, 2, 4)
        // those before All Saints' are on holiday
        .filter((day) => day !== 17)
        .map((day) => ({
          from: between(lab, day, '18:10', '18:25'),
          to: between(lab, day, '21:05', '21:25'),
        }));
      const visits = new Map<number, Stay[]>();
      for (const [index, { from, to }] of evenings.entries()) {
        // on the first evening there is nothing yet to put on a phone; each week somebody stays away
        const here = random
          .shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8])
          .slice(0, index === 0 ? 0 : random.whole(6, 8));
        for (const [rank, port] of ports.entries()) {
          let at = from + minutes(lab, 25, 60);
          for (const learner of here.filter((_, place) => place % ports.length === rank)) {
            for (let left = random.whole(1, 3); left > 0; left -= 1) {
              const until = at + minutes(lab, 3, 17);
              if (until > to - 4 * MINUTE) break;
              visits.set(learner, [...(visits.get(learner) ?? []), { from: at, to: until, port }]);
              at = until + minutes(lab, 1, 9);
            }
            at += minutes(lab, 1, 12);
          }
        }
        for (const tablet of tablets) {
          const at = from + minutes(lab, 30, 110);
          if (random.chance(0.7)) out(lab, tablet, at, at + minutes(lab, 4, 24));
        }
      }
      for (const times of visits.values()) {
        const [first] = times;
        if (!first?.port) continue;
        const phone = lab.add('usb', { port: first.port, isThereAtFirst: false });
        phone.isPinned = true;
        // who debugs for the first time has to find where that is switched on, and to allow it
        const allowed = Math.round(first.from + seconds(lab, 15, 100));
        phone.busy.push({ from: lab.start, to: allowed });
        lab.phone(phone, Math.round(first.from), { kind: 'attached', state: 'unauthorized' });
        lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
        stays(lab, phone, times);
        const level = random.whole(28, 90);
        phone.reading = (at) =>
          at < allowed
            ? undefined
            : {
                levelPercent: Math.round(Math.min(99, level + ((at / MINUTE) % 29))),
                isFull: false,
                temperatureDecicelsius: 285 + Math.round((at / MINUTE) % 23),
              };
      }
      for (const tablet of tablets) tablet.reading = inUse(lab);
      let off = lab.start - 74 * HOUR;
      for (const { from, to } of evenings) {
        hostIsOff(lab, off, from);
        off = to;
      }
      hostIsOff(lab, off, lab.end + HOUR);
    },
  },
  {
    // paulmirocha.design, mobile usability test set up: what a participant does on a phone is mirrored to a laptop
    name: 'a room for usability tests mirrors phones over a cable in six days of sessions, and people bring some of their own',
    lab: {
      zone: 'Europe/Helsinki',
      from: '2026-03-16',
      hubs: [4],
      free: 2,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A54', 'Pixel 7a', 'Galaxy S21', 'Honor 90', 'Redmi Note 13', 'OnePlus Nord'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const rounds = [2, 3, 4, 16, 17, 22];
      const [port] = lab.freePorts(lab.start);
      const awake: Span[] = [];
      // Good Friday and Easter Monday
      for (const day of lab.workdays().filter((each) => each !== 18 && each !== 21)) {
        if (!rounds.includes(day)) {
          // between the rounds she writes, here on some days, and tries out what comes next
          if (random.chance(0.35)) continue;
          const from = between(lab, day, '09:00', '10:30');
          const to = between(lab, day, '14:00', '17:00');
          awake.push({ from, to });
          for (const phone of lab.phones.slice(0, 2))
            for (let left = random.poisson(0.8); left > 0; left -= 1) {
              const at = random.between(from + 15 * MINUTE, to - 75 * MINUTE);
              out(lab, phone, at, at + minutes(lab, 8, 55));
            }
          continue;
        }
        awake.push({ from: between(lab, day, '08:10', '08:35'), to: between(lab, day, '17:25', '18:10') });
        for (const time of ['09:00', '10:30', '12:45', '14:15', '15:45']) {
          const begins = lab.at(day, time) + minutes(lab, -3, 9);
          if (random.chance(0.35) && port) {
            // some do not show up
            if (random.chance(0.15)) continue;
            const comes = begins + minutes(lab, 3, 9);
            const { phone, leave } = passes(lab, port, comes, {
              asks: true,
              percent: random.whole(35, 85),
            });
            leave(begins + minutes(lab, 52, 71));
            phone.busy.push({ from: lab.start, to: comes });
          } else {
            // one of those of the room begins anew for each of them
            const phone = lab.phones[random.whole(0, 1)];
            if (phone) restart(lab, phone, begins - minutes(lab, 6, 12), [30, 55], 'reboot');
          }
        }
      }
      // somebody takes the phone off its cable to show what he means, and it is put back on
      for (const [day, time, index] of [
        [3, '13:12', 0],
        [17, '11:05', 1],
      ] as const) {
        const phone = lab.phones[index];
        if (phone) out(lab, phone, lab.at(day, time), lab.at(day, time) + seconds(lab, 40, 150));
      }
      for (const phone of lab.phones.slice(0, 2)) phone.reading = inUse(lab);
      let asleep = lab.start - 56 * HOUR;
      for (const { from, to } of awake) {
        sleeps(lab, asleep, from);
        asleep = to;
      }
    },
  },
  {
    // AOSP, AdbDebuggingManager: a phone switches wireless debugging off when it leaves the Wi-Fi on which it was allowed
    name: 'three people of a flat share the small computer in its hall, with two phones at it and their own on its Wi-Fi while they code',
    lab: {
      zone: 'America/Bogota',
      from: '2026-04-06',
      hubs: [],
      direct: 2,
      network: 4,
      known: { slots: false },
      usb: true,
      models: ['Moto E13', 'Pixel 4a', 'Pixel 7', 'Pixel 6', 'Galaxy S23 FE', 'Nothing Phone 2a'],
    },
    tell(lab) {
      const { random } = lab;
      const [stand, ...own] = lab.networkPhones;
      if (stand) stand.isPinned = true;
      const people: readonly (readonly [weekday: number, weekend: number])[] = [
        [0.65, 0.5],
        [0.4, 0.75],
        [0.25, 0.6],
      ];
      for (const [index, phone] of own.entries()) {
        const [onWorkdays, onWeekends] = people[index] ?? [0, 0];
        const times: Span[] = [];
        for (const day of lab.everyDay().slice(0, -1)) {
          const isWorkday = lab.isWorkday(day);
          if (isWorkday && random.chance(onWorkdays))
            times.push({
              from: between(lab, day, '18:50', '21:00'),
              to: between(lab, day, '21:40', '23:58'),
            });
          if (isWorkday || !random.chance(onWeekends)) continue;
          const from = between(lab, day, '10:30', '15:00');
          times.push({ from, to: from + minutes(lab, 50, 260) });
          if (random.chance(0.4))
            times.push({
              from: between(lab, day, '20:00', '21:00'),
              to: between(lab, day + 1, '00:20', '01:50'),
            });
        }
        onlyIn(lab, phone, merged(times, 10 * MINUTE));
      }
      // what is updated by itself on a Sunday restarts it; what was paired is found again after that
      const sundays = daysOf(lab, 0)
        .slice(0, 3)
        .map((day) => lab.at(day, '04:00:25'));
      for (const at of sundays)
        for (const phone of lab.usbPhones) phone.busy.push({ from: at, to: at + 3 * MINUTE });
      for (const at of sundays) {
        hostRestarts(lab, at);
        if (stand) lab.lose(stand, at + 81 * SECOND, { forMs: seconds(lab, 5, 22) });
      }
      if (stand) {
        // it lies on its charger, and is without debugging after a restart until somebody switches that on again
        for (const [day, time, back] of [
          [5, '03:20', '11:14'],
          [22, '19:41', '19:55'],
        ] as const) {
          const [from, to] = [lab.at(day, time), lab.at(day, back)];
          unreached(lab, stand, from, to);
          lab.rebooted(stand, to + 11 * SECOND, {
            reason: day === 5 ? 'reboot,ota' : 'reboot,userrequested',
            uptimeSeconds: Math.round((to - from) / SECOND - 30),
          });
        }
        stand.reading = (at) => ({
          levelPercent: 100,
          isFull: true,
          temperatureDecicelsius: Math.round(
            301 + 8 * Math.cos((((at - lab.start) / HOUR - 15) * Math.PI) / 12) + ((at / MINUTE) % 7),
          ),
        });
      }
      background(lab, { taken: 3, hours: [18.5, 23], isDaily: true, restarts: 0.8, isUpdated: false });
    },
  },
  {
    name: 'a tester carries her laptop and five phones between a hub at work and one at home, two trips a week',
    lab: {
      zone: 'Europe/Lisbon',
      from: '2026-03-16',
      hubs: [7, 7],
      free: 9,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S23', 'Redmi Note 12', 'Galaxy A15', 'Pixel 6a'],
    },
    tell(lab) {
      const { random } = lab;
      const [atWork = [], atHome = []] = lab.hubs.map(({ ports }) => ports);
      const sat = new Map<LabPhone, Stay[]>(lab.phones.map((phone) => [phone, []]));
      const nights: [number, number][] = [];
      let asleep = lab.start - 55 * HOUR;
      /** Each is plugged in or pulled, one after the other. @returns when the last one is */
      const oneByOne = (
        at: number,
        phones: readonly LabPhone[],
        what: (phone: LabPhone, at: number) => void,
      ) => {
        let moment = at;
        for (const phone of phones) {
          what(phone, moment);
          moment += seconds(lab, 7, 55);
        }
        return moment;
      };
      // Good Friday is the eighteenth
      for (const day of lab.workdays().filter((each) => each !== 18)) {
        const weekday = lab.weekday(day);
        const isAtHome = weekday > 3;
        const opened = between(lab, day, '08:30', '09:30');
        nights.push([asleep, opened]);
        const shut = between(lab, day, '17:00', '18:30');
        const isFirst = weekday === 1 || weekday === 4;
        const isLast = weekday === 3 || weekday === 5 || day === 17;
        const ports = isAtHome ? random.shuffled(atHome) : day === 0 ? atWork : random.shuffled(atWork);
        // at home some stay in the bag until they are needed
        const many = isAtHome ? random.whole(3, 5) : 5;
        const here = day === 0 ? lab.phones : random.shuffled(lab.phones);
        if (isFirst) {
          let index = 0;
          oneByOne(opened + minutes(lab, 2, 9), here.slice(0, many), (phone, at) => {
            sat.get(phone)?.push({ from: at, to: lab.end, port: ports[index] });
            index += 1;
          });
        } else if (!isAtHome) {
          // the laptop was at home for the night, and they stayed at the hub at work
          const docked = opened + minutes(lab, 0.4, 5);
          for (const phone of lab.phones) {
            const port = sat.get(phone)?.at(-1)?.port;
            sat.get(phone)?.push({ from: docked + seconds(lab, 1.2, 4), to: lab.end, port });
          }
        }
        // one of them in her hand for a while
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 3))) {
          const last = sat.get(phone)?.at(-1);
          if (last?.to !== lab.end) continue;
          const from = between(lab, day, '10:20', '14:30');
          last.to = from;
          sat.get(phone)?.push({ from: from + minutes(lab, 5, 60), to: lab.end, port: last.port });
        }
        const sitting = lab.phones.filter((phone) => sat.get(phone)?.at(-1)?.to === lab.end);
        const ends = (phone: LabPhone, at: number): void => {
          const last = sat.get(phone)?.at(-1);
          if (last) last.to = at;
        };
        asleep = shut + minutes(lab, 1, 3);
        if (isLast) asleep = oneByOne(shut, sitting, ends) + minutes(lab, 0.5, 3);
        else if (!isAtHome) for (const phone of sitting) ends(phone, shut + seconds(lab, 0, 0.7));
        // on some evenings she has another look at home, at a screenshot
        if (!isAtHome && random.chance(0.3)) {
          const evening = between(lab, day, '20:30', '21:30');
          nights.push([asleep, evening]);
          asleep = evening + minutes(lab, 9, 50);
        }
      }
      for (const [phone, times] of sat) {
        thereOnlyIn(lab, phone, times);
        drainsOutside(lab, phone, 0.9);
      }
      for (const [from, to] of nights) sleeps(lab, from, to);
    },
  },
  {
    name: 'eleven phones change between three Mac minis, as whoever needs one there comes for it',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-06-01',
      hubs: [10],
      free: 3,
      known: { usbPath: false },
      models: ['Xperia 10 V', 'Pixel 8a', 'Aquos Sense8', 'Galaxy A25', 'Pixel 6'],
    },
    tell(lab) {
      const { random } = lab;
      const ports = lab.hubs[0]?.ports ?? [];
      const sat = new Map<number, Stay[]>();
      const isHere = new Map<number, Port | undefined>();
      const first = [...lab.usbPhones];
      for (const [number, phone] of first.entries()) {
        const port = lab.portOf(phone, lab.start);
        sat.set(number, [{ from: lab.start, to: lab.end, port }]);
        isHere.set(number, port);
      }
      /** Since when it is at one of the others. */
      const isThere = new Map<number, number>([7, 8, 9, 10].map((number) => [number, lab.start]));
      for (const day of lab.workdays()) {
        const times = Array.from({ length: random.poisson(1.3) }, () => between(lab, day, '10:00', '18:40'));
        for (const at of times.sort((one, other) => one - other)) {
          const leaves = random.pick([...isHere.keys()]);
          const last = sat.get(leaves)?.at(-1);
          if (last === undefined || at < last.from + 20 * MINUTE || isHere.size < 5) continue;
          last.to = at;
          isHere.delete(leaves);
          const others = [...isThere].filter(([, since]) => at > since + 3 * HOUR).map(([number]) => number);
          isThere.set(leaves, at);
          const taken = new Set(isHere.values());
          const free = ports.filter((port) => !taken.has(port));
          // most of the time another one is brought for it, or two
          for (const number of random.shuffled(others).slice(0, random.pick([0, 1, 1, 1, 2]))) {
            const port = free.shift();
            if (port === undefined || isHere.size > 8) continue;
            const from = at + minutes(lab, 0.5, 14);
            sat.set(number, [...(sat.get(number) ?? []), { from, to: lab.end, port }]);
            isHere.set(number, port);
            isThere.delete(number);
          }
        }
      }
      for (const [number, times] of sat) {
        const [begins] = times;
        const known = first[number];
        const phone = known ?? (begins?.port && lab.add('usb', { port: begins.port, isThereAtFirst: false }));
        if (phone === undefined) continue;
        phone.isPinned = true;
        if (known) stays(lab, known, times);
        else thereOnlyIn(lab, phone, times);
        phone.reading = inUse(lab);
      }
      // each run begins with a restart: at night on all of them, by day on one or two
      for (const at of nightly(lab, '02:30:06', 5 * SECOND))
        for (const [index, phone] of lab.phones.entries())
          restart(lab, phone, at + index * 4 * SECOND, [33, 66], 'reboot,adb');
      for (const at of pushes(lab, { times: [2, 6], hours: ['10:10', '20:20'], onWeekends: 0.1 }))
        for (const phone of random.shuffled(lab.phones).slice(0, random.whole(1, 2)))
          restart(lab, phone, at, [33, 66], 'reboot,adb');
      background(lab, { taken: 0, restarts: 0, glitches: 0 });
    },
  },
  {
    // learn.microsoft.com, windows/deployment/update/waas-restart: outside of active hours, some days after the second Tuesday
    name: 'a NUC with Windows restarts after the updates of March, each time outside of the hours in which four phones are used',
    lab: {
      zone: 'America/New_York',
      from: '2026-03-02',
      hubs: [4],
      usb: false,
      known: { usbPath: false, hub: false },
      models: ['Galaxy S22', 'Pixel 7', 'Moto G Power', 'Galaxy A15'],
    },
    tell(lab) {
      const { random } = lab;
      // those of the month in the night to Thursday, what .NET got with them a night later, and one that could not wait
      const installs: readonly (readonly [day: number, time: string, minutes: number])[] = [
        [10, '03:12:40', 6.5],
        [11, '03:31:05', 2.1],
        [22, '04:02:20', 9],
      ];
      for (const [day, time, forMinutes] of installs) {
        const off = lab.at(day, time);
        const on = off + forMinutes * MINUTE;
        unseen(lab, off, on, { bootedAt: on - 55 * SECOND });
        // by and by, each with its driver
        for (const phone of lab.phones)
          if (random.chance(0.6)) lab.lose(phone, on + 300, { forMs: seconds(lab, 1.5, 9) });
      }
      // Android Studio brings an adb of its own
      for (const [day, time] of [
        [3, '10:47:10'],
        [17, '14:20:31'],
      ] as const) {
        const at = lab.at(day, time);
        for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + MINUTE });
        adbRestarts(lab, at, 41, 3.4 * SECOND);
      }
      // at a quarter to six in Greenwich: later by the clock from the second week on
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) > 0 && lab.weekday(each) < 6)) {
        const begins = greenwich(lab, day, 5.75) + minutes(lab, 2, 25);
        for (const [index, phone] of lab.phones.slice(0, 2).entries())
          restart(lab, phone, begins + index * 9 * SECOND, [35, 64], 'reboot,adb');
      }
      background(lab, { taken: 3, hours: [8.5, 18], restarts: 0.4, glitches: 0.05, isUpdated: false });
    },
  },
  {
    // support.google.com/android/answer/9064445: a cable is for charging, until somebody says that it is for files
    name: 'a developer in Dhaka plugs three phones in and out all day, and often chooses that the cable is for files',
    lab: {
      zone: 'Asia/Dhaka',
      from: '2026-04-05',
      hubs: [4],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Redmi 13C', 'Galaxy A06', 'Pixel 6'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const ports = lab.hubs[0]?.ports ?? [];
      const own = lab.phones[2];
      // New Year is a Tuesday, the ninth day, and the first of May is a Friday anyway; one day he is in bed
      const days = daysOf(lab, 0, 1, 2, 3, 4).filter((day) => day !== 9 && day !== 17);
      const seat = new Map<LabPhone, Port | undefined>();
      for (const phone of lab.phones) seat.set(phone, lab.portOf(phone, lab.start));
      /** What somebody's hands do to each of them, in the order of time. */
      const moves: { phone: LabPhone; from: number; to: number; isPutElsewhere: boolean }[] = [];
      for (const phone of lab.phones)
        for (const [index, day] of days.entries()) {
          const comes = between(lab, day, '09:40', '10:30');
          const goes = between(lab, day, '18:20', '20:10');
          let at = phone === own || index === 0 ? comes + minutes(lab, 15, 70) : comes + minutes(lab, 0, 60);
          while (at < goes - 30 * MINUTE) {
            const to = Math.min(at + random.pick([2, 5, 14, 40]) * minutes(lab, 0.6, 1.7), goes - 8 * MINUTE);
            moves.push({ phone, from: at, to, isPutElsewhere: random.chance(0.15) });
            at = to + minutes(lab, 12, 110);
          }
          const next = days[index + 1];
          if (phone === own && next !== undefined)
            moves.push({
              phone,
              from: goes,
              to: between(lab, next, '09:45', '10:25'),
              isPutElsewhere: random.chance(0.3),
            });
        }
      moves.sort((one, other) => one.from - other.from);
      for (const { phone, from, to, isPutElsewhere } of moves) {
        if (!lab.isFree(phone, from - MINUTE, to + MINUTE) || to > lab.end - HOUR) continue;
        const taken = new Set(seat.values());
        const port = isPutElsewhere ? ports.find((each) => !taken.has(each)) : undefined;
        if (port) seat.set(phone, port);
        lab.lose(phone, from, { forMs: to - from, ...(port && { to: port }) });
        // now and then the plug is not in at once
        let settled = to;
        if (random.chance(0.08)) {
          const again = to + seconds(lab, 0.6, 1.8);
          const forMs = seconds(lab, 0.5, 1.6);
          lab.lose(phone, again, { forMs });
          settled = again + forMs;
        }
        if (random.chance(0.4)) changesMode(lab, phone, settled + seconds(lab, 5, 26));
      }
      for (const phone of lab.phones) {
        drainsOutside(lab, phone, phone === own ? 4 : 9);
        for (const day of days)
          if (random.chance(0.1))
            restart(lab, phone, between(lab, day, '11:00', '18:00'), [28, 60], 'reboot');
      }
      background(lab, { hours: [10, 18], weekdays: new Set([0, 1, 2, 3, 4]) });
    },
  },
  {
    // en-academic.com, drive testing: a car full of ordinary phones compares the networks along the road
    name: 'six phones in a car measure mobile networks on workdays, and their computer is on while the car is driven',
    lab: {
      zone: 'Europe/Bucharest',
      from: '2026-10-05',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Galaxy S24', 'Galaxy S24', 'Pixel 8'],
    },
    tell(lab) {
      const { random } = lab;
      pinAll(lab.phones);
      const drives: Span[] = [];
      // they are at the depot on a Wednesday, and on two more days it rains too much for the cameras of the same car
      for (const day of lab.workdays().filter((each) => ![9, 15, 23].includes(each))) {
        const begins = between(lab, day, '08:05', '08:50');
        const lunch = between(lab, day, '12:10', '13:20');
        const ends = between(lab, day, '15:40', '17:50');
        if (random.chance(0.8))
          drives.push({ from: begins, to: lunch }, { from: lunch + minutes(lab, 32, 75), to: ends });
        else drives.push({ from: begins, to: ends });
        // on the long days there is one more round in the dark
        if (random.chance(0.2))
          drives.push({ from: ends + minutes(lab, 50, 90), to: ends + minutes(lab, 150, 200) });
      }
      let off = lab.start - 63 * HOUR;
      let begun = lab.start - DAY;
      for (const { from, to } of drives) {
        unseen(lab, off, from, { bootedAt: from - seconds(lab, 28, 44) });
        off = to;
        // the first round of a day begins with a restart of each of them
        if (new Date(from).getDate() !== new Date(begun).getDate())
          for (const [index, phone] of lab.phones.entries())
            restart(lab, phone, from + (2.5 + index * 0.6) * MINUTE, [34, 58], 'reboot,adb');
        begun = from;
        for (const phone of lab.phones) {
          // where there is no network, or where a test of its own takes it off the air
          let at = from + minutes(lab, 9, 90);
          while (at < to - 14 * MINUTE) {
            const forMs = minutes(lab, 0.5, 11);
            offTheAir(lab, phone, at, forMs);
            at += forMs + minutes(lab, 8, 170);
          }
        }
        // in valleys the computer itself is without
        let at = from + minutes(lab, 14, 90);
        while (at < to - 18 * MINUTE) {
          lab.host(Math.round(at), { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
          at += minutes(lab, 1.5, 14);
          lab.host(Math.round(at), { kind: 'cloudBack' });
          at += minutes(lab, 25, 200);
        }
      }
      unseen(lab, off, lab.end + HOUR);
      for (const [index, phone] of lab.phones.entries()) {
        const charged = levels(
          drives.flatMap(({ from, to }): [number, number][] => [
            [from, 88 - index],
            [Math.min(from + 80 * MINUTE, to), 100],
            [to, 100],
          ]),
        );
        const warm = random.between(306, 329);
        phone.reading = (at) => {
          const drive = drives.find(({ from, to }) => at >= from && at <= to);
          const hours = drive ? (at - drive.from) / HOUR : 0;
          const temperatureDecicelsius = Math.round(
            warm + 28 * Math.min(1, hours) - 24 + ((at / MINUTE) % 11),
          );
          return { ...charged(at), temperatureDecicelsius };
        };
      }
    },
  },
  {
    // reactivecircus/android-emulator-runner: a job has an emulator of its own for each level of the API
    name: 'emulators of a pipeline come and go beside two phones of a NUC, all night on Mondays, while Santiago leaves summer time',
    lab: {
      zone: 'America/Santiago',
      from: '2026-03-23',
      hubs: [],
      direct: 2,
      emulators: 3,
      usb: true,
      known: { slots: false },
      models: ['Pixel 6a', 'Moto G73'],
    },
    tell(lab) {
      const { random } = lab;
      const emulators = lab.phones.filter(({ connection }) => connection === 'emulator');
      const lives = emulators.map((): Span[] => []);
      const runs = (index: number, asked: number, forMs: number): number => {
        const spans = lives[index] ?? [];
        const from = Math.max(asked, (spans.at(-1)?.to ?? 0) + seconds(lab, 22, 80));
        spans.push({ from, to: from + forMs });
        return from + forMs;
      };
      const pushed = pushes(lab, { times: [2, 9], hours: ['09:20', '19:40'], onWeekends: 0.15 });
      // a robot brings new versions of libraries on Mondays
      for (const day of daysOf(lab, 1))
        for (let left = random.whole(6, 14); left > 0; left -= 1)
          pushed.push(between(lab, day, '00:20', '06:40'));
      const asked = [
        ...pushed.map((at) => ({ at, isNightly: false })),
        ...lab
          .everyDay()
          .map((day) => ({ at: greenwich(lab, day, 5) + minutes(lab, 3, 41), isNightly: true })),
      ].sort((one, other) => one.at - other.at);
      for (const { at, isNightly } of asked) {
        if (isNightly) {
          // all five levels, one after the other
          let begins = at;
          for (let level = 0; level < 5; level += 1)
            begins = runs(0, begins + seconds(lab, 30, 60), minutes(lab, 9, 17));
          for (const [index, phone] of lab.phones.slice(0, 2).entries()) {
            restart(lab, phone, at + index * 6 * SECOND, [31, 58], 'reboot,adb');
            if (random.chance(0.25)) restart(lab, phone, at + minutes(lab, 24, 60), [31, 58], 'reboot,adb');
          }
        } else
          for (let index = random.whole(0, 2); index < 3; index += 1)
            runs(index, at + seconds(lab, 40, 130), minutes(lab, 5, 19));
      }
      for (const [index, emulator] of emulators.entries()) {
        emulator.isThereAtFirst = false;
        for (const { from, to } of lives[index] ?? [])
          if (from > lab.start && to < lab.end - MINUTE) job(lab, emulator, from, to - from);
      }
      background(lab, { taken: 1.2, hours: [9.5, 18.5], restarts: 0.3 });
    },
  },
];
