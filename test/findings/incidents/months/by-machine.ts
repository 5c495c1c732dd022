/**
 * Months of labs in which programs more than people move the devices: jobs write a build onto them, restart them or put them
 * to sleep, a relay gives them to another machine, a script or a price takes their power, and the host itself is put to
 * sleep, built anew or patched by a schedule.
 */
import { FASTBOOT, MTP } from '../../usb-tree.ts';
import { background, hostRestarts, levels } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { sleeps, thereOnlyIn } from './at-home.ts';
import { job, switchedOff } from './calm.ts';
import { between, out, pinAll, restart } from './habits.ts';

export interface Span {
  from: number;
  to: number;
}

/** When somebody pushes, or a robot does: some times on a workday, rarely on others. */
export function pushes(
  lab: Lab,
  {
    times: [least, most],
    hours: [from, to],
    onWeekends = 0.25,
  }: {
    times: readonly [number, number];
    hours: readonly [string, string];
    onWeekends?: number;
  },
): number[] {
  const moments = lab.everyDay().flatMap((day) => {
    const few = lab.random.chance(onWeekends) ? lab.random.whole(1, 2) : 0;
    const many = lab.isWorkday(day) ? lab.random.whole(least, most) : few;
    return Array.from({ length: many }, () => between(lab, day, from, to));
  });
  return moments.sort((one, other) => one - other);
}

/** The clock strikes so on these days, give or take a moment. */
export const nightly = (lab: Lab, time: string, within: number, from = 1): number[] =>
  lab
    .everyDay()
    .slice(from)
    .map((day) => lab.at(day, time) + lab.random.between(0, within));

/** It has no battery that anybody reads. */
export const unread = (phones: readonly LabPhone[]): void => {
  for (const phone of phones) phone.reading = () => undefined;
};

/** It is asked some seconds after it is listed again. */
export function hasRestarted(lab: Lab, phone: LabPhone, back: number, reason?: string): void {
  const later = lab.random.between(5, 40);
  const uptimeSeconds = Math.round(later + lab.random.between(14, 24));
  lab.rebooted(phone, back + later * SECOND, { reason, uptimeSeconds });
}

/** Its bootloader has it, until it starts Android at the end of that. @returns whether it was free for that */
function inBootloader(lab: Lab, phone: LabPhone, from: number, to: number): boolean {
  if (to > lab.end - HOUR || !lab.isFree(phone, from, to + 2 * MINUTE)) return false;
  lab.lose(phone, from, { forMs: to - from, onUsb: { interfaces: [FASTBOOT] } });
  hasRestarted(lab, phone, to, 'reboot,bootloader');
  return true;
}

/** In the order of time; between two of them it is away for so long at least. */
export function merged(times: readonly Span[], leastMs = 20 * SECOND): Span[] {
  const spans: Span[] = [];
  for (const { from, to } of [...times].sort((one, other) => one.from - other.from)) {
    const last = spans.at(-1);
    if (last !== undefined && from < last.to + leastMs) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** Without internet, as a test or a timer wants it. */
export function offTheAir(lab: Lab, phone: LabPhone, at: number, forMs: number): void {
  lab.facts(phone, Math.round(at), { network: 'UNREACHABLE' });
  lab.facts(phone, Math.round(at + forMs), { network: 'REACHABLE' });
  lab.phone(phone, Math.round(at + forMs), { kind: 'hindered', codes: '' });
}

export const byMachine: readonly QuietMonth[] = [
  {
    // pastebin.com/Zg9cKM3X, log of a LAVA job: when it begins, its phone is in fastboot already, and adb lists none
    name: 'six phones of a kernel lab stand in fastboot, and are in Android only while a job of theirs runs',
    lab: {
      zone: 'Europe/London',
      from: '2026-03-16',
      hubs: [10],
      free: 4,
      usb: true,
      known: { slots: false },
      models: ['Pixel 6', 'Poco F1', 'OnePlus 6', 'Pixel 3', 'Robotics RB5', 'Dragonboard 845c'],
    },
    tell(lab) {
      const batches = [
        ...pushes(lab, { times: [1, 4], hours: ['07:30', '23:10'], onWeekends: 0.6 }),
        // each is asked once a day whether it is well
        ...nightly(lab, '04:10', 20 * MINUTE, 0),
      ].sort((one, other) => one - other);
      for (const phone of lab.phones) {
        phone.isPinned = true;
        phone.reading = () => undefined;
        let parked = lab.start + lab.random.between(6, 30) * MINUTE;
        for (const pushed of batches) {
          // not each tree is built for each of them
          if (lab.random.chance(0.3)) continue;
          for (let left = lab.random.pick([1, 1, 2, 3]); left > 0; left -= 1) {
            const starts = Math.max(pushed + lab.random.between(9, 50) * MINUTE, parked + 20 * SECOND);
            const boots = starts + lab.random.between(1.6, 5) * MINUTE;
            if (!inBootloader(lab, phone, parked, boots)) break;
            parked = boots + lab.random.between(4, 34) * MINUTE;
          }
        }
      }
      background(lab, { hours: [9, 17] });
    },
  },
  {
    // source.android.com/docs/devices/cuttlefish/restart: powerwash between procedures, so that each is independent
    name: 'six virtual phones are reset between the parts of a suite, and made anew from the build of each night',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      network: 6,
      models: ['Pixel 8', ...Array.from({ length: 6 }, () => 'Cuttlefish')],
    },
    tell(lab) {
      const virtual = lab.pinnedOf('tcp');
      unread(virtual);
      const reset = (phone: LabPhone, at: number): void => {
        const forMs = lab.random.between(48, 115) * SECOND;
        if (!lab.isFree(phone, at, at + forMs + MINUTE) || at > lab.end - HOUR) return;
        lab.lose(phone, at, { forMs, as: 'offline' });
        hasRestarted(lab, phone, at + forMs);
      };
      let last = 0;
      for (const day of lab.everyDay().slice(1)) {
        // no build on some nights, and none from what was pushed on Saturday
        const isBuilt = lab.weekday(day) !== 0 && lab.random.chance(0.88);
        const built = between(lab, day, '01:35', '03:20');
        if (isBuilt) {
          const forMs = lab.random.between(4, 8) * MINUTE;
          lab.loseAll(virtual, built, { spreadMs: 9 * SECOND, forMs, backSpreadMs: 70 * SECOND });
          const name = (number: number) => `aosp.main.${14_800_000 + 311 * number}`;
          for (const phone of virtual) {
            lab.rebooted(phone, built + forMs + 110 * SECOND, { uptimeSeconds: 95 });
            lab.phone(phone, Math.round(built + forMs + 112 * SECOND), {
              kind: 'os',
              build: name(day),
              buildBefore: name(last),
            });
          }
          last = day;
        }
        for (const phone of virtual) {
          let at = built + lab.random.between(22, 45) * MINUTE;
          for (let left = isBuilt ? lab.random.whole(3, 6) : 0; left > 0; left -= 1) {
            reset(phone, at);
            at += lab.random.between(12, 70) * MINUTE;
          }
        }
      }
      // before a change goes in, its tests run on the one that is idle
      for (const pushed of pushes(lab, { times: [6, 16], hours: ['09:20', '18:45'] }))
        reset(lab.random.pick(virtual), pushed + lab.random.between(11, 30) * MINUTE);
      background(lab, { hours: [9, 18], restarts: 1 });
    },
  },
  {
    // remote-android/redroid-doc#904, #704: containers that a program starts and ends, some of them in a cluster
    name: 'a cluster runs as many Android containers as jobs wait for one, none at night and twelve before a release',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, network: 12, models: ['Redroid'] },
    tell(lab) {
      const containers = lab.pinnedOf('tcp');
      unread(containers);
      const lives = containers.map((): Span[] => []);
      // five minutes without a job, and it is ended
      const idleMs = 5 * MINUTE;
      for (const day of lab.everyDay()) {
        const isRelease = [10, 11, 24, 25].includes(day);
        const usual = lab.isWorkday(day) ? lab.random.whole(4, 11) : Number(lab.random.chance(0.2));
        const times = Array.from({ length: isRelease ? 18 : usual }, () =>
          between(lab, day, lab.random.chance(0.8) ? '09:40' : '19:00', isRelease ? '22:50' : '20:30'),
        ).sort((one, other) => one - other);
        for (const pushed of times) {
          let shards = isRelease ? lab.random.whole(4, 8) : lab.random.whole(1, 4);
          for (const spans of lives) {
            const last = spans.at(-1);
            const isIdle = last === undefined || pushed > last.to - idleMs;
            if (!isIdle || shards === 0) continue;
            shards -= 1;
            const to = pushed + lab.random.between(6, 38) * MINUTE + idleMs;
            if (last !== undefined && pushed < last.to) last.to = to;
            else spans.push({ from: pushed + lab.random.between(2, 25) * SECOND, to });
          }
        }
      }
      for (const [index, container] of containers.entries()) {
        container.isThereAtFirst = false;
        for (const { from, to } of lives[index] ?? [])
          if (to < lab.end - MINUTE) job(lab, container, from, to - from);
      }
      background(lab, { hours: [10, 19], taken: 1.5 });
    },
  },
  {
    // blueasialabs.com, tests of head units: Plugbot plugs a phone in and out; before it goes in, the host prepares it
    name: 'relays plug three phones of a car bench into a head unit and back, a dozen times in a night',
    lab: { zone: 'Asia/Seoul', hubs: [4], direct: 1, usb: true, known: { slots: false } },
    tell(lab) {
      const rig = [lab.pinned(0), lab.pinned(1), lab.pinned(3)];
      // who left on a Friday forgot one in the car seat
      out(lab, lab.pinned(1), lab.at(11, '17:22'), lab.at(14, '08:51'));
      const drive = (phone: LabPhone, at: number, minutes: readonly [number, number]): number => {
        const back = at + lab.random.between(...minutes) * MINUTE;
        out(lab, phone, at, back);
        return back;
      };
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) > 0 && lab.weekday(each) < 5))
        for (const phone of rig) {
          let at = between(lab, day, '21:00', '21:25');
          for (let left = lab.random.whole(9, 14); left > 0; left -= 1)
            at = drive(phone, at, [3, 9]) + lab.random.between(4, 15) * MINUTE;
        }
      // somebody sends one of them by hand, to see what the night has found
      for (const at of pushes(lab, { times: [0, 3], hours: ['10:00', '17:40'], onWeekends: 0 }))
        drive(lab.random.pick(rig), at, [2, 45]);
      // the fourth talks to a head unit that is a program of the host: it changes its mode for that, and back
      const onDesk = lab.pinned(4);
      for (const at of pushes(lab, { times: [2, 7], hours: ['09:50', '18:10'], onWeekends: 0.1 })) {
        const until = at + lab.random.between(3, 50) * MINUTE;
        out(lab, onDesk, at, at + lab.random.between(1.4, 3.2) * SECOND);
        out(lab, onDesk, until, until + lab.random.between(1.4, 3) * SECOND);
      }
      background(lab, { hours: [9, 19], restarts: 0.8 });
    },
  },
  {
    // source.android.com/docs/automotive/power/garage_mode; platform/packages/services/Car 0debe12: tested on the bench by adb
    name: 'four head units of cars go to sleep and wake up as their bench turns the key',
    lab: {
      zone: 'Europe/Stockholm',
      hubs: [],
      direct: 4,
      usb: true,
      known: { slots: false },
      models: ['Head unit'],
    },
    tell(lab) {
      pinAll(lab.phones);
      unread(lab.phones);
      for (const [index, unit] of lab.phones.entries()) {
        let off = lab.start + lab.random.between(5, 90) * MINUTE;
        for (const day of lab.everyDay()) {
          // over the weekend one of them drives on
          if (!lab.isWorkday(day) && index !== 2) continue;
          let on = Math.max(off + 3 * MINUTE, between(lab, day, '05:30', '08:40'));
          const evening = between(lab, day, '17:30', '23:40');
          while (on < evening) {
            out(lab, unit, off, on);
            // most of the time it only slept; some tests want it to start from nothing
            if (lab.random.chance(0.2)) hasRestarted(lab, unit, on, 'cold');
            const drives = lab.random.between(14, 80) * MINUTE;
            if (lab.random.chance(0.08)) restart(lab, unit, on + drives / 2, [32, 58], 'reboot');
            // it stays awake for a while after the key is out, for what it has to do in the garage
            off = on + drives + lab.random.between(1, 18) * MINUTE;
            on = off + lab.random.pick([4, 12, 40, 110]) * MINUTE * lab.random.between(0.7, 1.4);
          }
        }
      }
      background(lab);
    },
  },
  {
    // stb-tester.com: boxes are driven by the infrared light of their own remote control, also into standby and out of it
    name: 'an infrared light puts nine set-top boxes into standby and wakes them up, and half of them sleep at night',
    lab: {
      zone: 'Australia/Sydney',
      from: '2026-03-23',
      hubs: [],
      network: 9,
      models: ['Set-top box', 'Set-top box', 'TV stick'],
    },
    tell(lab) {
      pinAll(lab.phones);
      unread(lab.phones);
      for (const [index, box] of lab.phones.entries()) {
        if (index % 2 === 0)
          for (const day of lab.everyDay()) {
            // an hour that is set in winter and in summer alike
            const from = lab.at(day, '23:30:05') + index * 7 * SECOND + lab.random.between(0, 4) * SECOND;
            const to = lab.at(day + 1, '05:30:20') + index * 7 * SECOND + lab.random.between(0, 9) * SECOND;
            out(lab, box, from, to);
          }
        for (const at of pushes(lab, { times: [1, 5], hours: ['07:10', '21:40'], onWeekends: 0.3 })) {
          const forMs = lab.random.pick([3, 6, 30]) * MINUTE * lab.random.between(0.8, 1.3);
          if (lab.isFree(box, at - MINUTE, at + forMs + MINUTE) && at + forMs < lab.end - HOUR)
            lab.lose(box, at, { as: 'offline', forMs });
        }
        // what was built for Thursday is put on by the network, three boxes at a time
        for (const [week, day] of lab
          .everyDay()
          .filter((each) => lab.weekday(each) === 4)
          .entries()) {
          const at = lab.at(day, '22:05') + (index % 3) * 12 * MINUTE + lab.random.between(0, 40) * SECOND;
          restart(lab, box, at, [170, 290], 'reboot,ota');
          const build = (number: number) => `STB.26.${14 + number}`;
          lab.phone(box, Math.round(at + 7 * MINUTE), {
            kind: 'os',
            build: build(week + 1),
            buildBefore: build(week),
          });
        }
      }
      background(lab);
    },
  },
  {
    // developer.android.com/training/wearables/data/network-access: a watch uses Wi-Fi where its phone is out of reach
    name: 'four watches are on Wi-Fi only while a test has switched the Bluetooth of their phones off',
    lab: {
      zone: 'America/Toronto',
      from: '2026-10-19',
      hubs: [],
      direct: 4,
      network: 4,
      usb: true,
      known: { slots: false },
      models: ['Pixel 8', 'Galaxy S23', 'Pixel 7', 'Galaxy S22', 'Pixel Watch', 'Galaxy Watch'],
    },
    tell(lab) {
      for (const [index, watch] of lab.networkPhones.entries()) {
        // on one weekend somebody wears the third
        const isWorn = (at: number) => index === 2 && at > lab.at(11, '16:50') && at < lab.at(14, '09:20');
        const byDay = pushes(lab, { times: [1, 4], hours: ['09:10', '18:40'], onWeekends: 0.1 }).map(
          (at) => ({ from: at, to: at + lab.random.between(9, 70) * MINUTE }),
        );
        const atNight = nightly(lab, '01:10', 9 * MINUTE)
          .filter(() => lab.random.chance(0.9))
          .map((at) => ({ from: at, to: at + lab.random.between(1, 3.4) * HOUR }));
        thereOnlyIn(
          lab,
          watch,
          merged(
            [...atNight, ...byDay].filter(({ from }) => !isWorn(from)),
            MINUTE,
          ),
        );
      }
      background(lab, { hours: [9, 17], taken: 1.5 });
    },
  },
  {
    // slp/platform_platform_testing, BootTimeTest; jooojub/ideal-mobly, reboot_test: the same restart over and over, for its average
    name: 'two phones of a boot bench restart forty times in the night of each release candidate',
    lab: { zone: 'Asia/Tokyo', hubs: [4], direct: 1, usb: true },
    tell(lab) {
      const days = lab.random.shuffled(lab.workdays(1, lab.days - 1)).slice(0, 8);
      const build = (number: number) => `UP1A.2602.RC${number}`;
      for (const [index, day] of days.sort((one, other) => one - other).entries()) {
        const isNeeded = lab.random.chance(0.2);
        for (const phone of [lab.pinned(1), lab.pinned(4)]) {
          const from = between(lab, day, '20:05', '20:50');
          const to = from + lab.random.between(2.6, 4.2) * MINUTE;
          if (!inBootloader(lab, phone, from, to)) continue;
          lab.phone(phone, Math.round(to + 80 * SECOND), {
            kind: 'os',
            build: build(index + 2),
            buildBefore: build(index + 1),
          });
          let at = to + 6 * MINUTE;
          // one night in five somebody who is still there needs them, and stops it
          for (let left = isNeeded ? lab.random.whole(6, 21) : 40; left > 0; left -= 1) {
            restart(lab, phone, at, [22, 31], 'reboot,adb');
            at += lab.random.between(112, 135) * SECOND;
          }
        }
      }
      background(lab, { hours: [10, 20], taken: 1.2 });
    },
  },
  {
    // mvp/uhubctl#279: ports that are switched many times an hour for years; trezor/trezor-firmware#5212: a tester of batteries
    name: 'a rig lets eight phones run empty and charges them full again, round the clock',
    lab: { zone: 'America/Detroit', hubs: [10], free: 2, known: { usbPath: false } },
    tell(lab) {
      pinAll(lab.phones);
      /** @returns when the last charge before `until` was full */
      const cycles = (phone: LabPhone, begins: number, until: number, hours: number): number => {
        const points: [number, number][] = [[begins - HOUR, 100]];
        let off = begins;
        while (off < until) {
          const on = off + hours * HOUR * lab.random.between(0.93, 1.07);
          // it starts by itself when there is a little in it
          const back = on + lab.random.between(2.5, 6) * MINUTE;
          if (back > lab.end - 3 * HOUR) break;
          out(lab, phone, off, back);
          hasRestarted(lab, phone, back, 'cold');
          const full = back + lab.random.between(2.1, 2.7) * HOUR;
          points.push([off, 100], [back, 4], [full, 100]);
          off = full + lab.random.between(10, 25) * MINUTE;
        }
        phone.reading = levels(points, lab.random.whole(295, 335));
        return off;
      };
      for (const [index, phone] of lab.phones.slice(0, 8).entries()) {
        const begins = lab.start + lab.random.between(0.1, 8) * HOUR;
        const hours = lab.random.between(5, 6.9);
        if (index !== 5) {
          cycles(phone, begins, lab.end, hours);
          continue;
        }
        // this one has had its six hundred, and another takes its place when people are there
        const done = cycles(phone, begins, lab.at(15, '20:00'), hours);
        const taken = Math.max(done, between(lab, 16, '10:10', '10:50'));
        lab.maintenance(phone, taken - 5 * MINUTE, 14 * DAY, '600 cycles done: to be opened');
        lab.lose(phone, taken);
        const port = lab.portOf(phone, taken);
        if (port === undefined) continue;
        const next = lab.add('usb', { port, isThereAtFirst: false });
        next.isPinned = true;
        const from = Math.round(taken + 14 * MINUTE);
        next.busy.push({ from: lab.start, to: from });
        lab.phone(next, from, { kind: 'attached', state: 'unauthorized' });
        lab.phone(next, from + 40 * SECOND, { kind: 'state', state: 'device', before: 'unauthorized' });
        cycles(next, from + 2 * HOUR, lab.end, 7);
      }
      background(lab);
    },
  },
  {
    // patent US 11985729 B2: relays give a phone one of many SIM cards, as the program of a test says
    name: 'a switch gives six phones another SIM card before each test, and a program takes them off the air and back',
    lab: { zone: 'Africa/Johannesburg', hubs: [7], free: 1, usb: true, models: ['Galaxy A54', 'Pixel 7a'] },
    tell(lab) {
      for (const phone of lab.phones)
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) > 0 && lab.weekday(each) < 6)) {
          if (lab.random.chance(0.25)) continue;
          let at = between(lab, day, '20:10', '23:30');
          for (let left = lab.random.whole(3, 5); left > 0; left -= 1) {
            const loaded = Math.round(at + lab.random.between(18, 55) * SECOND);
            if (!lab.isFree(phone, at, loaded + 8 * MINUTE) || at > lab.end - HOUR) break;
            lab.phone(phone, Math.round(at), { kind: 'sim', state: 'ABSENT', before: 'LOADED' });
            lab.phone(phone, loaded, { kind: 'sim', state: 'LOADED', before: 'ABSENT' });
            offTheAir(lab, phone, at + SECOND, loaded - at + lab.random.between(5, 25) * SECOND);
            // some of them see a card of another country only after a restart
            if (lab.random.chance(0.3)) restart(lab, phone, loaded + MINUTE, [40, 75], 'reboot,adb');
            else offTheAir(lab, phone, loaded + 3 * MINUTE, lab.random.between(20, 70) * SECOND);
            at = loaded + lab.random.between(14, 50) * MINUTE;
          }
        }
      background(lab, { hours: [8, 17], taken: 0.6 });
    },
  },
  {
    // sol.sbc.org.br/index.php/sast/article/view/36899: a printed finger allows debugging, one phone after the other
    name: 'the finger of a robot allows debugging anew after each reset of six phones, one after the other',
    lab: {
      zone: 'America/Manaus',
      hubs: [7],
      free: 1,
      usb: true,
      models: ['Moto G54', 'Moto G84', 'Moto E14'],
    },
    tell(lab) {
      const session = (begins: number, phones: readonly LabPhone[]): void => {
        let finger = begins;
        for (const [index, phone] of phones.entries()) {
          const at = begins + index * lab.random.between(2, 5) * SECOND;
          const started = at + lab.random.between(110, 190) * SECOND;
          const allowed = Math.max(finger, started) + lab.random.between(8, 13) * MINUTE;
          if (!lab.isFree(phone, at, allowed + 10 * MINUTE) || allowed > lab.end - HOUR) continue;
          finger = allowed;
          lab.lose(phone, at, {
            forMs: allowed - at,
            backAs: 'unauthorized',
            onUsb: { interfaces: [MTP] },
          });
          const answered = Math.round(allowed + lab.random.between(5, 21) * SECOND);
          lab.phone(phone, answered, { kind: 'state', state: 'device', before: 'unauthorized' });
          lab.rebooted(phone, answered + 12 * SECOND, {
            reason: 'reboot,recovery',
            uptimeSeconds: Math.round((answered - started) / SECOND) + 30,
          });
        }
      };
      for (const day of lab.workdays().filter(() => lab.random.chance(0.7)))
        session(
          between(lab, day, '18:55', '19:40'),
          lab.random.shuffled(lab.phones).slice(0, lab.random.whole(2, 6)),
        );
      // before a release the suite begins from nothing in the daytime too
      for (const day of [9, 10, 24])
        session(
          between(lab, day, '11:20', '13:30'),
          lab.phones.filter(() => lab.random.chance(0.7)),
        );
      background(lab, { hours: [8, 17], taken: 1 });
    },
  },
  {
    // source.android.com/docs/core/ota/resume-on-reboot: an update is put on when the device is expected to be idle
    name: 'an update reaches thirty phones by stages over two weeks, and each restarts at night when nobody needs it',
    lab: {
      zone: 'America/Santiago',
      from: '2026-03-23',
      hubs: [16, 16],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 9', 'Pixel 8a', 'Galaxy S24'],
    },
    tell(lab) {
      // one in fifty first, then more; it is held for three days, and goes on
      const stages = [
        [6, 0.02],
        [8, 0.1],
        [12, 0.25],
        [15, 0.5],
        [19, 1],
      ] as const;
      const [owned, lent] = [lab.pinned(4), lab.pinned(22)];
      for (const phone of lab.phones) {
        const chance = lab.random.number();
        const offered = stages.find(([, part]) => chance < part)?.[0] ?? 19;
        const night = offered + lab.random.pick([0, 0, 0, 1, 1, 2]);
        // some ask their people first
        const asks = phone === owned || phone === lent || lab.random.chance(0.1);
        const noon = lab.workdays(night + 1).at(0) ?? night;
        const at = asks ? between(lab, noon, '11:40', '17:30') : between(lab, night, '02:00', '04:20');
        const build = phone.name.startsWith('Galaxy') ? 'S921BXXS6' : 'BP1A.2604';
        restart(lab, phone, at, [48, 125], 'reboot,ota');
        lab.phone(phone, Math.round(at + 5 * MINUTE), {
          kind: 'os',
          build: `${build}05.B2`,
          buildBefore: `${build}01.A7`,
        });
      }
      for (const phone of [owned, lent])
        for (const day of lab.workdays().filter(() => lab.random.chance(0.8)))
          out(lab, phone, between(lab, day, '08:50', '10:10'), between(lab, day, '16:30', '19:20'), 0.1);
      background(lab, { hours: [9, 18], taken: 0.7, restarts: 0.3 });
    },
  },
  {
    name: 'a host is built anew from its image each Sunday, and restarts its phones when it is there again',
    lab: {
      zone: 'Pacific/Auckland',
      from: '2026-03-16',
      hubs: [7, 4],
      direct: 1,
      free: 2,
      usb: true,
      models: ['Pixel 7', 'Galaxy A34', 'Pixel 6a'],
    },
    tell(lab) {
      for (const [week, day] of lab
        .everyDay()
        .filter((each) => lab.weekday(each) === 0)
        .entries()) {
        // one image was not ready, and came on Monday at noon
        const due = week === 1 ? lab.at(day + 1, '12:41') : lab.at(day, '04:30:07');
        const at = due + lab.random.whole(0, 20_000);
        const started = Math.round(at + lab.random.between(17, 36) * MINUTE);
        for (const phone of lab.phones) {
          lab.phone(phone, at - 30 * MINUTE, {
            kind: 'drain',
            until: at + 3 * HOUR,
            reason: 'the host is built anew',
          });
          phone.busy.push({ from: at - MINUTE, to: started + MINUTE });
        }
        lab.host(at, { kind: 'agentStopped' });
        lab.host(started, {
          kind: 'agentStarted',
          version: `1.${week + 1}.0`,
          hostBootedAt: started - 55 * SECOND,
          lastAliveAt: at,
        });
        for (const [index, phone] of lab.phones.entries()) {
          const from = started + 3 * MINUTE + index * 45 * SECOND + lab.random.between(0, 6) * SECOND;
          restart(lab, phone, from, [32, 64], 'reboot,adb');
          lab.phone(phone, Math.round(started + 20 * MINUTE), { kind: 'drainEnded' });
        }
      }
      background(lab, { hours: [8, 17], taken: 0.9, restarts: 1.5, isUpdated: false });
    },
  },
  {
    // plugins.jenkins.io/smart-jenkins: idle machines are put out and are woken by the network when there is a job for them
    name: 'a host sleeps when it had no job for twenty minutes, and a job wakes it up',
    lab: { zone: 'Europe/Oslo', hubs: [7], free: 3, usb: true, known: { slots: false } },
    tell(lab) {
      const jobs = [
        ...pushes(lab, { times: [4, 12], hours: ['08:10', '17:50'], onWeekends: 0.15 }),
        ...nightly(lab, '02:15', 40 * SECOND, 0),
      ].map((from) => ({ from, to: from + lab.random.between(5, 48) * MINUTE + 20 * MINUTE }));
      // somebody who was logged in for a day and a night kept it awake
      const shell = { from: lab.at(9, '13:04'), to: lab.at(10, '11:37') };
      const awake = merged([{ from: lab.start, to: lab.start + 50 * MINUTE }, ...jobs, shell], MINUTE);
      for (const [index, { to }] of awake.entries()) {
        const next = awake[index + 1];
        if (next !== undefined) sleeps(lab, to, next.from);
      }
      background(lab, { hours: [9, 16], taken: 1, glitches: 0, isUpdated: false });
    },
  },
  {
    // documentation of vSphere, USB: while it is suspended and resumed, a device looks as if it was pulled and plugged in
    name: 'a virtual machine is moved away and back while its cluster is patched, and its six phones come along',
    lab: {
      zone: 'America/New_York',
      from: '2026-10-19',
      hubs: [],
      direct: 6,
      known: { slots: false, usbPath: false, hub: false },
      models: ['Pixel 6', 'Galaxy A52', 'Moto G Power'],
    },
    tell(lab) {
      const moved = (at: number, forMs: number): void => {
        const phones = lab.usbPhones.filter((phone) => lab.isFree(phone, at - MINUTE, at + 2 * MINUTE));
        lab.loseAll(phones, at, { spreadMs: 500, forMs, backSpreadMs: 3 * SECOND });
      };
      for (const day of lab.everyDay().filter((each) => [2, 5].includes(lab.weekday(each)))) {
        const away = between(lab, day, '04:00', '04:35');
        moved(away, lab.random.between(4, 10) * SECOND);
        moved(away + lab.random.between(19, 50) * MINUTE, lab.random.between(4, 10) * SECOND);
      }
      // what joins them to the network gets a new program, once
      const updated = lab.at(17, '12:10') + lab.random.between(0, 6) * MINUTE;
      for (const phone of lab.usbPhones)
        lab.maintenance(phone, updated - 4 * MINUTE, HOUR, 'update of the USB server', updated + 9 * MINUTE);
      moved(updated, lab.random.between(95, 140) * SECOND);
      background(lab, { hours: [9, 17], restarts: 6, taken: 0.5, glitches: 0.05 });
    },
  },
  {
    name: 'two hosts hand their shelves to each other while one of them is patched, and once to see whether it works',
    lab: { zone: 'Asia/Singapore', hubs: [7, 7, 7, 4], free: 4, hasTwoControllers: true, usb: true },
    tell(lab) {
      const handedOver = (from: number, to: number): void => {
        for (const hub of [0, 1, 2]) {
          const [late, lateBack] = [hub * 21 * SECOND, hub * 24 * SECOND];
          switchedOff(
            lab,
            lab.phonesOf(hub),
            from + late + lab.random.between(0, 3) * SECOND,
            to + lateBack + lab.random.between(0, 3) * SECOND,
          );
        }
      };
      const visits: Span[] = [];
      for (const day of lab.everyDay()) {
        // some weeks bring nothing that has to be patched
        if (lab.weekday(day) === 2 && lab.random.chance(0.85)) {
          const from = lab.at(day, '22:00:09');
          const to = from + lab.random.between(38, 130) * MINUTE;
          handedOver(from, to);
          hostRestarts(lab, Math.round(from + lab.random.between(9, 25) * MINUTE));
        }
        if (lab.weekday(day) === 4 && lab.random.chance(0.85)) {
          const from = lab.at(day, '22:00:06') + lab.random.between(0, 3) * SECOND;
          visits.push({ from, to: from + lab.random.between(38, 130) * MINUTE });
        }
      }
      handedOver(lab.at(19, '10:06:31'), lab.at(19, '13:22:40'));
      // the other one has a single shelf; it comes here meanwhile
      for (const port of lab.hubs[3]?.ports ?? []) {
        const guest = lab.add('usb', { port, isThereAtFirst: false });
        const late = lab.random.between(0, 4) * SECOND;
        thereOnlyIn(
          lab,
          guest,
          visits.map(({ from, to }) => ({ from: from + late, to: to + late / 4 })),
        );
      }
      background(lab, { hours: [9, 19], taken: 0.6, restarts: 1 });
    },
  },
  {
    // larsenhenneberg.dk, koskila.net: a plug is on in the cheapest hours, which are known at one o'clock for the next day
    name: 'a plug gives the hub of a home its power in the cheapest hours of each day',
    lab: {
      zone: 'Europe/Copenhagen',
      from: '2026-03-16',
      hubs: [7],
      free: 3,
      direct: 1,
      known: { slots: false },
      models: ['Galaxy Tab S6', 'Pixel 5', 'Fairphone 4', 'Nokia G42'],
    },
    tell(lab) {
      const usual = [
        28, 25, 24, 24, 27, 38, 58, 72, 66, 50, 40, 34, 30, 29, 32, 41, 60, 82, 90, 76, 58, 47, 40, 33,
      ];
      const isOn = lab.everyDay().flatMap((day) => {
        const isWindy = lab.random.chance(0.12);
        const sun = lab.random.between(0, lab.isWorkday(day) ? 14 : 26);
        const prices = usual.map(
          (price, hour) => price + lab.random.between(-9, 9) - (hour > 9 && hour < 16 ? sun : 0),
        );
        const limit = [...prices].sort((one, other) => one - other)[9] ?? 0;
        // below that it is on however many hours there are
        // on one evening somebody presses its button for two hours
        const isPressed = (hour: number) => day === 9 && (hour === 18 || hour === 19);
        return prices.map((price, hour) => price < limit || (isWindy && price < 75) || isPressed(hour));
      });
      const hours = isOn.map((on, index) => ({
        on,
        at: lab.at(Math.floor(index / 24), `${index % 24}:00`) + lab.random.between(1, 9) * SECOND,
      }));
      let off: number | undefined;
      for (const { on, at } of hours) {
        if (!on) off ??= at;
        else if (off !== undefined) {
          if (off > lab.start + HOUR && at > off + MINUTE) switchedOff(lab, lab.phonesOf(0), off, at);
          off = undefined;
        }
      }
      background(lab, { hours: [16, 22], isDaily: true, taken: 2.5, restarts: 0.3 });
    },
  },
  {
    // EFForg/rayhunter#140, brlin-tw in tetherfusenet#232: a phone that gives its mobile line to a computer changes its mode for it
    name: 'nine phones give their mobile line to a host, and take a new address by a timer, three times a day',
    lab: {
      zone: 'Europe/Bucharest',
      from: '2026-03-16',
      hubs: [10],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Redmi 9A', 'Redmi 9A', 'Galaxy A12'],
    },
    tell(lab) {
      pinAll(lab.phones);
      const newAddress = (phone: LabPhone, at: number): void => {
        const forMs = lab.random.between(2, 4.6) * SECOND;
        if (!lab.isFree(phone, at - MINUTE, at + MINUTE) || at > lab.end - HOUR) return;
        offTheAir(lab, phone, at - 9 * SECOND, 9 * SECOND + forMs + lab.random.between(3, 14) * SECOND);
        lab.lose(phone, at, { forMs });
      };
      for (const [index, phone] of lab.phones.entries()) {
        // the card of the fifth is used up
        if (index === 4) out(lab, phone, lab.at(13, '18:41'), lab.at(13, '18:48:30'));
        for (const time of ['05:00:12', '13:00:12', '21:00:12'])
          for (const at of nightly(lab, time, 4 * SECOND, 0)) newAddress(phone, at + index * 35 * SECOND);
        // and when a site has enough of it
        for (let left = lab.random.poisson(5); left > 0; left -= 1)
          newAddress(phone, lab.random.between(lab.start + HOUR, lab.end - 2 * HOUR));
      }
      background(lab);
    },
  },
  {
    name: 'four phones hang on an access point that gets each build of its own program',
    lab: {
      zone: 'Asia/Taipei',
      hubs: [],
      direct: 2,
      network: 4,
      models: ['Zenfone 10', 'Pixel 7', 'Galaxy S22', 'Pixel 6', 'Redmi Note 12'],
    },
    tell(lab) {
      const onAir = lab.pinnedOf('tcp');
      const silent = (phones: readonly LabPhone[], at: number, forMs: number, backSpreadMs: number): void => {
        const listed = phones.filter((phone) => lab.isFree(phone, at - MINUTE, at + forMs + 2 * MINUTE));
        if (at < lab.end - HOUR)
          lab.loseAll(listed, at, { as: 'offline', spreadMs: 14 * SECOND, forMs, backSpreadMs });
      };
      const builds = [
        ...pushes(lab, { times: [0, 3], hours: ['10:15', '21:30'], onWeekends: 0.1 }),
        ...nightly(lab, '23:40', 12 * MINUTE, 0).filter(() => lab.random.chance(0.7)),
      ];
      for (const built of builds.sort((one, other) => one - other)) {
        silent(onAir, built, lab.random.between(130, 230) * SECOND, 40 * SECOND);
        let at = built + lab.random.between(9, 14) * MINUTE;
        // its names, bands and passwords are changed, for all of them or for those on one band
        for (let left = lab.random.whole(1, 4); left > 0; left -= 1) {
          const band = lab.random.pick([onAir, onAir.slice(0, 2), onAir.slice(2)]);
          silent(band, at, lab.random.between(14, 45) * SECOND, 9 * SECOND);
          at += lab.random.between(4, 16) * MINUTE;
        }
      }
      background(lab, { hours: [10, 19], taken: 1.5, restarts: 0.8 });
    },
  },
  {
    name: 'three phones of a man who builds Android at home take the build of the night, when there is one',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2026-10-19',
      hubs: [4],
      free: 1,
      known: { slots: false },
      models: ['OnePlus 7T', 'Poco X3', 'Moto G82'],
    },
    tell(lab) {
      // at Diwali he is with his parents, and so is one of the phones
      const isAway = (day: number): boolean => day > 18 && day < 23;
      out(lab, lab.pinned(1), lab.at(18, '20:35'), lab.at(23, '09:50'));
      const runs = new Map<LabPhone, number>();
      for (const day of lab.everyDay().slice(1)) {
        if (lab.random.chance(isAway(day) ? 1 : 0.32)) continue;
        const built = between(lab, day, '03:10', '06:40');
        for (const phone of lab.phones) {
          const at = built + lab.random.between(0, 50) * SECOND;
          const written = at + lab.random.between(6, 9.5) * MINUTE;
          const forMs = lab.random.between(60, 115) * SECOND;
          if (!lab.isFree(phone, at, written + 9 * MINUTE)) continue;
          lab.lose(phone, at, { forMs: lab.random.between(38, 66) * SECOND, backAs: 'sideload' });
          lab.lose(phone, written, { forMs });
          hasRestarted(lab, phone, written + forMs, 'reboot');
          lab.phone(phone, Math.round(written + forMs + 50 * SECOND), {
            kind: 'os',
            build: `eng.nightly.${412 + day}`,
            buildBefore: `eng.nightly.${412 + (runs.get(phone) ?? 0)}`,
          });
          runs.set(phone, day);
        }
      }
      for (const day of lab.everyDay().filter((each) => !isAway(each) && each !== 18)) {
        const phone = lab.random.pick(lab.phones);
        if (!lab.isWorkday(day)) {
          let at = between(lab, day, '11:00', '17:00');
          for (let left = lab.random.whole(0, 6); left > 0; left -= 1) {
            inBootloader(lab, phone, at, at + lab.random.between(0.6, 4) * MINUTE);
            at += lab.random.between(7, 28) * MINUTE;
          }
        }
        if (lab.random.chance(0.55)) {
          const at = between(lab, day, '20:40', '22:50');
          out(lab, phone, at, at + lab.random.between(20, 100) * MINUTE, 0.2);
        }
      }
      background(lab, { hours: [19, 23], isDaily: true, taken: 0.5 });
    },
  },
];
