/**
 * Months of habits that people with Android devices write of in public: scripts, timers, restarts on purpose, and devices
 * that are out for most of their day, at work, in homes, shops and museums.
 */
import { adbRestarts, background, hostRestarts, inUse, levels } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { switchedOff } from './calm.ts';

/** A moment between two of one day. */
export const between = (lab: Lab, day: number, from: string, to: string): number =>
  lab.random.between(lab.at(day, from), lab.at(day, to));

export const minutes = (lab: Lab, least: number, most: number): number =>
  lab.random.between(least, most) * MINUTE;
export const seconds = (lab: Lab, least: number, most: number): number =>
  lab.random.between(least, most) * SECOND;

/** A timer knows no summer time: hours after midnight in Greenwich, of the day that this one is there at noon. */
export const greenwich = (lab: Lab, day: number, hours: number): number =>
  Math.floor(lab.at(day, '12:00') / DAY) * DAY + hours * HOUR;

/** Where it is there, and comes back within the month; at times into another port. */
export function out(lab: Lab, phone: LabPhone, from: number, to: number, elsewhere = 0): void {
  if (to <= from + SECOND || to > lab.end - MINUTE || !lab.isFree(phone, from, to)) return;
  const [port] = lab.random.chance(elsewhere) ? lab.random.shuffled(lab.freePorts(from)) : [];
  lab.lose(phone, from, { forMs: to - from, ...(port && { to: port }) });
}

export function restart(
  lab: Lab,
  phone: LabPhone,
  at: number,
  seconds: readonly [number, number],
  reason: string,
) {
  const forMs = Math.round(lab.random.between(...seconds) * SECOND);
  if (lab.isFree(phone, at, at + forMs + MINUTE)) lab.reboot(phone, at, { forMs, reason });
}

export const pinAll = (phones: readonly LabPhone[]): void => {
  for (const phone of phones) phone.isPinned = true;
};

export const months: QuietMonth[] = [
  {
    // bitfocus/companion#1660: cron switches single ports off at nine in the evening, and on at seven
    name: 'a small computer cuts two of its ports at nine each evening until seven',
    lab: { zone: 'Australia/Melbourne', hubs: [4], free: 1, known: { slots: false } },
    tell(lab) {
      for (const [index, phone] of [lab.pinned(0), lab.pinned(1)].entries())
        for (const day of lab.everyDay().slice(0, -1)) {
          const from = lab.at(day, '21:00:01') + index * 1200 + lab.random.between(0, 2) * SECOND;
          out(
            lab,
            phone,
            from,
            lab.at(day + 1, '07:00:03') + index * 1300 + lab.random.between(0, 3) * SECOND,
          );
        }
      background(lab, { taken: 1.5 });
    },
  },
  {
    // google/clusterfuzz, init script for Android: flash if there is a newer build, restart, wait for the battery
    name: 'each bot restarts its phone before a task, and flashes what is old',
    lab: { zone: 'America/Los_Angeles', hubs: [10, 4], usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        phone.isPinned = true;
        const flashed = new Set([lab.random.whole(3, 6), lab.random.whole(12, 15), lab.random.whole(21, 25)]);
        for (
          let at = lab.start + lab.random.between(0.5, 5) * HOUR;
          at < lab.end - HOUR;
          at += lab.random.between(3.5, 6.5) * HOUR
        ) {
          const isFlashed = flashed.delete(Math.floor((at - lab.start) / DAY));
          restart(lab, phone, at, isFlashed ? [160, 260] : [28, 60], isFlashed ? 'reboot' : 'reboot,adb');
        }
      }
      background(lab);
    },
  },
  {
    // android.googlesource.com/platform/cts, 983740d3: restart between packages, at least half an hour apart
    name: 'a compatibility suite runs on four nights a week and restarts its phones every half an hour',
    lab: { zone: 'Asia/Taipei', hubs: [7], direct: 1 },
    tell(lab) {
      for (const phone of [lab.pinned(1), lab.pinned(2), lab.pinned(5)])
        for (const day of lab.everyDay().filter((each) => [1, 2, 3, 4].includes(lab.weekday(each))))
          for (
            let at = between(lab, day, '19:40', '20:30');
            at < Math.min(lab.at(day + 1, '05:00'), lab.end - HOUR);
            at += lab.random.between(30, 47) * MINUTE
          )
            restart(lab, phone, at, [35, 70], 'reboot,adb');
      background(lab);
    },
  },
  {
    // androidauthority.com/android-auto-reboot-optional-3545366: as GrapheneOS does, by default after 18 hours
    name: 'five phones of a security team restart by themselves when nobody unlocked them for eighteen hours',
    lab: { zone: 'Europe/Zurich', hubs: [7], free: 2, usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        const used = lab
          .workdays()
          .filter(() => lab.random.chance(0.75))
          .map((day) => between(lab, day, '09:00', '18:20'));
        for (const [index, last] of used.entries()) {
          const at = last + 18 * HOUR + lab.random.between(0, 20) * SECOND;
          if (at < (used[index + 1] ?? lab.end) && at < lab.end - HOUR)
            restart(lab, phone, at, [30, 45], 'reboot');
        }
      }
      background(lab, { restarts: 0.1 });
    },
  },
  {
    // thedailystar.net, news of April 2025: Android restarts what was locked for three days
    name: 'twelve phones that nobody unlocks over Easter restart on the third day',
    lab: { zone: 'Europe/London', from: '2026-03-23', hubs: [7, 7], free: 2 },
    tell(lab) {
      for (const phone of lab.usbPhones) {
        const locked = between(lab, 10, '09:30', '17:30');
        restart(lab, phone, locked + 72 * HOUR + lab.random.between(0, 60) * SECOND, [32, 55], 'reboot');
        for (const day of lab.workdays().filter((each) => each !== 11 && each !== 14))
          if (lab.random.chance(0.06)) {
            const at = between(lab, day, '10:00', '16:00');
            out(lab, phone, at, at + lab.random.between(8, 90) * MINUTE, 0.2);
          }
      }
      background(lab, { taken: 0, restarts: 0 });
    },
  },
  {
    // makeitwork-tech.com, smart charging of a wall tablet: a plug keeps it between 20 and 80 %
    name: 'two tablets on the walls of a home are charged by plugs, from 20 to 80 percent',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, network: 2, known: { slots: false } },
    tell(lab) {
      for (const tablet of lab.networkPhones) {
        const points: [number, number][] = [];
        let at = lab.start - lab.random.between(0, 10) * HOUR;
        while (at < lab.end) {
          points.push([at, 80]);
          at += lab.random.between(17, 26) * HOUR;
          points.push([at, 20]);
          at += lab.random.between(2.4, 3.2) * HOUR;
        }
        tablet.reading = levels(points, 300);
      }
      background(lab, { taken: 0.3, hours: [17, 22], isDaily: true });
    },
  },
  {
    // eslavnov/android-tv-remote#4: in standby the network goes after ten minutes, and adb with it
    name: 'two televisions leave the network ten minutes after they are switched off',
    lab: { zone: 'Europe/Vienna', hubs: [], direct: 1, network: 2 },
    tell(lab) {
      for (const television of lab.networkPhones) {
        television.isPinned = true;
        television.reading = () => undefined;
        let off = lab.at(0, '00:20') + lab.random.between(0, 20) * MINUTE;
        for (const day of lab.everyDay()) {
          if (lab.random.chance(0.08)) continue;
          if (!lab.isWorkday(day) && lab.random.chance(0.6)) {
            out(lab, television, off + 10 * MINUTE, between(lab, day, '10:00', '11:30'));
            off = between(lab, day, '12:15', '15:00');
          }
          out(lab, television, off + 10 * MINUTE, between(lab, day, '17:40', '20:15'));
          off = between(lab, day, '22:10', '23:45');
        }
      }
      background(lab, { taken: 1, hours: [18, 22], isDaily: true });
    },
  },
  {
    // dorssel/usbipd-win#60: a phone is attached to the Linux side of a laptop when it is needed there
    name: 'a developer hands a phone from Linux to Windows and back, some times a day',
    lab: { zone: 'Europe/Warsaw', hubs: [], direct: 2, known: { slots: false, usbPath: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.workdays().filter(() => lab.random.chance(0.85)))
        for (
          let at = between(lab, day, '09:10', '11:00');
          at < lab.at(day, '16:45');
          at += lab.random.between(60, 190) * MINUTE
        )
          out(lab, phone, at, at + lab.random.between(2, 50) * MINUTE);
      background(lab, { taken: 1 });
    },
  },
  {
    name: 'a switch with a button gives the four phones of a desk to one of two hosts',
    lab: { zone: 'Europe/Stockholm', hubs: [4], direct: 1, usb: true },
    tell(lab) {
      const days = lab.workdays();
      for (const [index, day] of days.entries()) {
        for (const [from, to] of [
          ['09:20', '10:40'],
          ['13:10', '15:20'],
        ] as const) {
          if (lab.random.chance(0.3)) continue;
          const at = between(lab, day, from, to);
          switchedOff(lab, lab.phonesOf(0), at, at + lab.random.between(9, 75) * MINUTE);
        }
        const next = days[index + 1];
        // who leaves forgets to press it
        if (next !== undefined && lab.random.chance(0.2)) {
          const evening = between(lab, day, '16:45', '17:50');
          switchedOff(lab, lab.phonesOf(0), evening, between(lab, next, '08:10', '09:00'));
        }
      }
      background(lab, { taken: 0.4, restarts: 0.3, hours: [9, 17] });
    },
  },
  {
    // DeviceFarmer/docker-adb: adb in a container that has all of USB; this farm creates it anew each night
    name: 'the container of adb is created anew at four each night',
    lab: { zone: 'Europe/Istanbul', hubs: [16, 10], free: 2, usb: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(1)) {
        const at = lab.at(day, '04:00:02') + lab.random.whole(0, 4000);
        adbRestarts(lab, at, 41, lab.random.whole(5, 14) * SECOND);
      }
      background(lab, { taken: 0.9, glitches: 0.05 });
    },
  },
  {
    name: 'a laptop is shut and carried home each evening, without its two phones',
    lab: { zone: 'America/Toronto', hubs: [], direct: 2, known: { slots: false }, usb: true },
    tell(lab) {
      const days = lab.workdays();
      for (const [index, day] of days.entries()) {
        const next = days[index + 1];
        if (next === undefined) continue;
        const pulled = between(lab, day, '16:50', '18:20');
        const opened = between(lab, next, '08:30', '09:40');
        for (const phone of lab.usbPhones)
          out(
            lab,
            phone,
            pulled + lab.random.between(1, 9) * SECOND,
            opened + lab.random.between(1, 14) * MINUTE,
          );
        const shut = pulled + 2 * MINUTE;
        // on some evenings it is opened again at home, with no phone
        if (lab.random.chance(0.35)) {
          const atHome = between(lab, day, '20:15', '21:30');
          lab.host(Math.round(atHome), { kind: 'hostSlept', forMs: Math.round(atHome - shut) });
          const again = atHome + lab.random.between(15, 80) * MINUTE;
          lab.host(Math.round(opened), { kind: 'hostSlept', forMs: Math.round(opened - again) });
        } else lab.host(Math.round(opened), { kind: 'hostSlept', forMs: Math.round(opened - shut) });
      }
      background(lab, { taken: 2, hours: [10, 16], isUpdated: false, glitches: 0 });
    },
  },
  {
    // manpages.ubuntu.com, apt_unattended_upgrades: restarts at two at night, where an update needs it
    name: 'a host restarts at two in the night after updates that need it, four times',
    lab: { zone: 'America/Denver', hubs: [16, 16], free: 3, hasTwoControllers: true, usb: true },
    tell(lab) {
      for (const day of [4, 9, 18, 26])
        hostRestarts(lab, lab.at(day, '02:00:20') + lab.random.whole(0, 9000));
      background(lab, { taken: 1.1, glitches: 0.04 });
    },
  },
  {
    name: 'an arcade takes its headsets from their chargers for sessions, also on weekends',
    lab: { zone: 'Asia/Seoul', hubs: [10], free: 2, usb: true, models: ['Quest 3'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const day of lab.everyDay().filter((each) => ![1, 2].includes(lab.weekday(each))))
        for (
          let at = between(lab, day, '12:00', '13:10');
          at < lab.at(day, '20:00');
          at += lab.random.between(80, 150) * MINUTE
        ) {
          const many = lab.random.whole(2, lab.isWorkday(day) ? 4 : 7);
          const until = at + lab.random.between(42, 65) * MINUTE;
          for (const headset of lab.random.shuffled(lab.phones).slice(0, many))
            out(
              lab,
              headset,
              at + lab.random.between(0, 4) * MINUTE,
              until + lab.random.between(0, 8) * MINUTE,
              0.02,
            );
        }
      background(lab, { taken: 0, restarts: 0 });
    },
  },
  {
    name: 'fourteen tablets of vans charge at the depot, and are on the road from early to afternoon',
    lab: { zone: 'Europe/Rome', hubs: [16], free: 2, known: { slots: false }, models: ['Galaxy Tab'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const tablet of lab.phones)
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) !== 0)) {
          if (lab.random.chance(lab.weekday(day) === 6 ? 0.6 : 0.08)) continue;
          const left = between(lab, day, '05:20', '07:10');
          // now and then a driver forgets it in the van
          const isForgotten = lab.random.chance(0.04);
          const back = isForgotten ? day + 1 : day;
          out(
            lab,
            tablet,
            left,
            between(lab, back, isForgotten ? '05:00' : '13:40', isForgotten ? '05:19' : '18:30'),
          );
        }
      background(lab, { restarts: 0 });
    },
  },
  {
    name: 'a museum hands its thirty guides to visitors, but on Mondays',
    lab: { zone: 'Europe/Paris', hubs: [16, 16], free: 2, models: ['Galaxy Tab Active'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const guide of lab.phones)
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) !== 1))
          for (
            let at = between(lab, day, '10:05', '14:30');
            at < lab.at(day, '16:20');
            at += lab.random.between(130, 260) * MINUTE
          )
            if (lab.random.chance(lab.isWorkday(day) ? 0.5 : 0.85))
              out(lab, guide, at, at + lab.random.between(40, 95) * MINUTE, 0.005);
      background(lab, { taken: 0, restarts: 0.3, weekdays: new Set([0, 2, 3, 4, 5, 6]) });
    },
  },
  {
    name: 'six tablets are set up for a customer and leave for good; six others follow on Monday',
    lab: { zone: 'Europe/Amsterdam', hubs: [10], free: 2, usb: true, models: ['Lenovo Tab'] },
    tell(lab) {
      const ports = lab.hubs[0]?.ports.slice(0, 6) ?? [];
      const sold = [0, 1, 2, 3, 4, 5].map((index) => lab.pinned(index));
      for (const [index, tablet] of sold.entries()) {
        const leaves = lab.at(11, '14:00') + index * 3 * MINUTE + lab.random.between(0, 60) * SECOND;
        restart(lab, tablet, lab.at(10, '10:00') + index * 6 * MINUTE, [70, 130], 'reboot,ota');
        lab.maintenance(tablet, leaves - 20 * MINUTE, 30 * DAY, 'sold: packed and sent');
        lab.lose(tablet, leaves);
      }
      for (const [index, port] of ports.entries()) {
        const tablet = lab.add('usb', { port, isThereAtFirst: false });
        tablet.isPinned = true;
        const at = lab.at(14, '09:30') + index * 4 * MINUTE + lab.random.between(0, 60) * SECOND;
        lab.phone(tablet, Math.round(at), { kind: 'attached', state: 'unauthorized' });
        lab.phone(tablet, Math.round(at + 50 * SECOND), {
          kind: 'state',
          state: 'device',
          before: 'unauthorized',
        });
      }
      background(lab);
    },
  },
  {
    name: 'scanners of a warehouse roam between access points, and are out of reach in the cold store',
    lab: { zone: 'America/Mexico_City', hubs: [], direct: 1, network: 9, models: ['Zebra TC52'] },
    tell(lab) {
      for (const scanner of lab.networkPhones) {
        scanner.isPinned = true;
        for (const day of lab.everyDay().filter((each) => lab.weekday(each) !== 0)) {
          for (let left = lab.random.poisson(0.4); left > 0; left -= 1) {
            const at = between(lab, day, '06:10', '21:30');
            const forMs = lab.random.between(3, 25) * SECOND;
            if (lab.isFree(scanner, at, at + MINUTE)) lab.lose(scanner, at, { as: 'offline', forMs });
          }
          for (let left = lab.random.poisson(0.7); left > 0; left -= 1) {
            const at = between(lab, day, '06:30', '20:45');
            out(lab, scanner, at, at + lab.random.between(6, 45) * MINUTE);
          }
        }
      }
      background(lab, { taken: 0.5, hours: [6, 14] });
    },
  },
  {
    // mvp/uhubctl#617: with its port off an Android phone leaves the host and no longer charges
    name: 'three phones run their batteries down at night, with their ports off',
    lab: { zone: 'Asia/Kolkata', hubs: [7, 4], free: 1, usb: true },
    tell(lab) {
      for (const phone of [lab.pinned(0), lab.pinned(3), lab.pinned(8)]) {
        const points: [number, number][] = [[lab.start, 100]];
        for (const day of lab.workdays()) {
          const from = lab.at(day, '19:00') + lab.random.between(0, 40) * SECOND;
          const to = from + lab.random.between(5.5, 8.5) * HOUR;
          if (to > lab.end - 4 * HOUR) continue;
          out(lab, phone, from, to);
          points.push([from, 100], [to, lab.random.whole(14, 30)], [to + 2.5 * HOUR, 100]);
        }
        phone.reading = levels(points, 300);
      }
      background(lab, { taken: 0.7 });
    },
  },
  {
    name: 'six phones are reset as new each night, and a script sets them up',
    lab: { zone: 'America/New_York', from: '2026-10-19', hubs: [7], free: 1, usb: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.phones.entries()) {
          const at = lab.at(day, '02:40') + index * 5 * MINUTE + lab.random.between(0, 40) * SECOND;
          restart(lab, phone, at, [85, 150], 'reboot,recovery');
          restart(lab, phone, at + 4 * MINUTE, [35, 55], 'reboot,adb');
        }
      background(lab, { restarts: 0.2 });
    },
  },
  {
    name: 'forty-eight equal phones take the update of the month on one evening, in groups of eight',
    lab: {
      zone: 'Pacific/Auckland',
      hubs: [16, 16, 16],
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 8'],
    },
    tell(lab) {
      for (const [index, phone] of lab.phones.entries()) {
        const group = Math.floor(index / 8);
        const isLate = lab.random.chance(0.05);
        const begin = isLate ? lab.at(16, '09:15') : lab.at(15, '19:30') + group * 25 * MINUTE;
        const at = begin + lab.random.between(0, 9) * MINUTE;
        restart(lab, phone, at, [55, 140], 'reboot,ota');
        lab.phone(phone, Math.round(at + 5 * MINUTE), {
          kind: 'os',
          build: 'BP2A.260205.004',
          buildBefore: 'BP2A.260105.009',
        });
      }
      background(lab, { taken: 0.6, glitches: 0.03 });
    },
  },
  {
    name: 'nurses take three tablets at each change of shift, and put them to charge between rounds',
    lab: { zone: 'Africa/Nairobi', hubs: [], direct: 3, known: { slots: false }, models: ['Galaxy Tab A9'] },
    tell(lab) {
      pinAll(lab.phones);
      for (const tablet of lab.phones)
        for (const day of lab.everyDay())
          for (const [from, to] of [
            ['06:05', '06:50'],
            ['10:30', '11:50'],
            ['14:05', '15:00'],
            ['18:00', '19:20'],
            ['22:05', '22:50'],
          ] as const) {
            if (lab.random.chance(0.2)) continue;
            const at = between(lab, day, from, to);
            out(lab, tablet, at, at + lab.random.between(25, 150) * MINUTE);
          }
      background(lab, { restarts: 0.2 });
    },
  },
  {
    name: 'the dial of a timer in Madrid knows nothing of summer time, until somebody turns it',
    lab: { zone: 'Europe/Madrid', from: '2026-10-12', hubs: [10, 10], free: 1 },
    tell(lab) {
      // it is an hour early from Sunday to Monday morning
      for (const day of lab.everyDay().slice(0, -1)) {
        const drift = lab.random.between(-40, 40) * SECOND;
        const off = lab.at(day, day === 13 ? '20:00' : '21:00') + drift;
        const on = lab.at(day + 1, day === 12 || day === 13 ? '05:30' : '06:30') + drift;
        for (const hub of [0, 1]) switchedOff(lab, lab.phonesOf(hub), off + hub * 120, on + hub * 150);
      }
      background(lab, { taken: 0.5, restarts: 0.2, hours: [9, 18] });
    },
  },
  {
    name: 'two phones go to the warm chamber on Tuesdays and Thursdays, in maintenance',
    lab: { zone: 'Asia/Tokyo', hubs: [7], direct: 1, free: 2 },
    tell(lab) {
      const days = lab.everyDay().filter((each) => [2, 4].includes(lab.weekday(each)));
      for (const phone of [lab.pinned(1), lab.pinned(2)]) {
        const warm: [number, number][] = [];
        for (const day of days) {
          const from = between(lab, day, '09:40', '10:30');
          const to = between(lab, day, '15:30', '17:10');
          lab.maintenance(phone, from - 5 * MINUTE, 9 * HOUR, 'in the warm chamber', to + 10 * MINUTE);
          out(lab, phone, from, to);
          warm.push([from, to + 40 * MINUTE]);
        }
        const usual = inUse(lab);
        phone.reading = (at) =>
          warm.some(([from, to]) => at >= from && at < to)
            ? { levelPercent: 70, isFull: false, temperatureDecicelsius: 385 }
            : usual(at);
      }
      background(lab, { taken: 1 });
    },
  },
  {
    name: 'a home server sees the phone of its owner only while it charges at night',
    lab: { zone: 'America/Halifax', hubs: [], direct: 1, known: { slots: false, usbPath: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.everyDay()) {
        const isFreeDay = !lab.isWorkday(day);
        const taken = between(lab, day, isFreeDay ? '08:20' : '06:20', isFreeDay ? '10:40' : '07:25');
        // on a night away from home it stays out
        const isAway = lab.random.chance(0.07);
        out(lab, phone, taken, between(lab, isAway ? day + 1 : day, '21:50', '23:50'));
      }
      background(lab);
    },
  },
];
