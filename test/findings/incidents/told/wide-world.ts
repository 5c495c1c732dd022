/**
 * Incidents from the wide world, told in Japanese, Korean, Chinese and German too, of what serves as a device: a phone on a
 * balcony, tablets in cars and on shelves, displays, consoles, and boards.
 */
import { adbRestarts, background, levels, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const MTP = [{ kind: 'ff/ff/00', endpoints: 3, name: 'MTP' }];

/** Of the lab's first day, with fractions. */
const hourOfDay = (lab: Lab, at: number): number => ((at - lab.start) / HOUR) % 24;

/** Warmest in the afternoon. */
const warmth = (lab: Lab, at: number, decicelsius: number, wave = 9): number =>
  Math.round(
    decicelsius + wave * Math.cos((2 * Math.PI * (hourOfDay(lab, at) - 15)) / 24) + ((at / MINUTE) % 7),
  );

/** On its charger day and night, and full. */
const alwaysFull =
  (lab: Lab, decicelsius: number): Reading =>
  (at) => ({ levelPercent: 100, isFull: true, temperatureDecicelsius: warmth(lab, at, decicelsius) });

/** It was started at this moment, and is asked some seconds after it is back. */
function startedAnew(lab: Lab, phone: LabPhone, back: number): void {
  const after = lab.random.between(4, 12);
  lab.rebooted(phone, back + after * SECOND, { uptimeSeconds: Math.round(after + 12) });
}

export const incidents: readonly Incident[] = [
  {
    name: 'a phone that takes pictures on a balcony restarts again and again, and bursts on the first hot day',
    source: 'https://blog.piulento.net/archives/117076',
    seen: 'A Nexus 4, seven years old, photographs a sensor. Of late it restarted by itself often. On its second day on the balcony, in a box in the shade at 30 degrees, its pictures stop, and an hour later too.',
    cause: 'its old battery did not stand the warmth and has swollen until the back of the phone opened',
    did: 'put the phone into a sealed bag, and another one in its place',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      network: 2,
      from: '2020-06-01',
      days: 26,
      models: ['Nexus 4', 'Nexus 7'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const outside = lab.at(23, '10:00');
      phone.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius:
          at < outside ? warmth(lab, at, 345) : warmth(lab, at, at < lab.at(24) ? 350 : 405, 55),
      });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [8, '14:22'],
        [12, '03:47'],
        [15, '17:05'],
        [17, '11:31'],
        [19, '22:14'],
        [20, '15:58'],
        [22, '06:20'],
        [22, '16:41'],
        [23, '15:12'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: lab.random.between(45, 75) * SECOND }));
      losses.push(lab.lose(phone, lab.at(24, '16:10')));
      background(lab);
      return {
        at: lab.at(24, '17:30'),
        losses,
        // its last loss may be that of its Wi-Fi, for all that is known
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /batter|swell|swollen|bloat|heat|\bhot\b|temperature|\bcool|warm|shade/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a tablet on a shelf is charged by hand, and is off in the morning when somebody forgot its cable',
    source: 'https://kirmav.blogspot.com/2022/10/blog-post.html',
    seen: 'A Fire tablet shows the house. The one before it, always full, began to swell after a year. So its cable is pulled at 80 % and plugged at 50 %; mostly that is forgotten in the evening, and it is off in the morning.',
    cause: 'nobody plugged it in for the night',
    did: 'tried a timer, with which it came to 0 % some day too; then had its charging switched by its level',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2022-05-09',
      days: 22,
      models: ['Pixel 5', 'Fire HD 10', 'Galaxy Tab A7'],
    },
    tell(lab) {
      const tablet = lab.pinned(1);
      const known: [number, number][] = [[lab.start, 62]];
      const losses: ToldLoss[] = [];
      const emptyOn = new Set([4, 7, 8, 11, 14, 16, 19]);
      for (let day = 1; day < 20; day += 1) {
        // it is plugged in by day
        known.push([lab.at(day, '08:30'), emptyOn.has(day) ? 14 : 52], [lab.at(day, '14:00'), 81]);
        known.push([lab.at(day, '22:00'), 47]);
        if (!emptyOn.has(day + 1)) continue;
        const at = lab.at(day + 1, '04:20') + Math.round(lab.random.between(0, 110) * MINUTE);
        const back = lab.at(day + 1, '07:20') + Math.round(lab.random.between(0, 40) * MINUTE);
        known.push([at, 1], [back, 4]);
        losses.push(day + 1 === 19 ? lab.lose(tablet, at) : offAndOn(lab, tablet, at, back - at));
      }
      tablet.reading = levels(known, 295);
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(19, '07:10'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|batter|empty|power|plug/i,
        },
      };
    },
  },
  {
    name: 'in a cold room a tablet on its charger gains two or three percent an hour',
    source: 'https://tonahazana.com/amazon-fire-battery-charge',
    seen: 'A Fire 7 at its charger rises by 2 to 3 % in an hour, or not at all from some level on: once in winter at 5 degrees in the room, and in a hot summer.',
    cause: 'its battery is too cold, or too hot',
    did: 'unplugged it, held its power button for 40 seconds until it started anew, and plugged it in again',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      network: 3,
      from: '2019-12-16',
      days: 20,
      models: ['Fire 7', 'Pixel 3a', 'Fire HD 8'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const cold = lab.at(14);
      const known: [number, number][] = [[lab.start, 100]];
      for (let day = 0; day < 14; day += 1)
        known.push([lab.at(day, '09:00'), 100], [lab.at(day, '19:30'), 38], [lab.at(day, '23:30'), 100]);
      // from then on a night at the charger is not enough
      known.push([lab.at(14, '09:00'), 100], [lab.at(14, '19:30'), 36], [lab.at(15, '08:30'), 66]);
      known.push([lab.at(15, '14:00'), 31], [lab.at(16, '02:00'), 58], [lab.at(16, '23:00'), 58]);
      const level = levels(known);
      tablet.reading = (at) => {
        const read = level(at);
        return read && { ...read, temperatureDecicelsius: warmth(lab, at, at < cold ? 235 : 82, 14) };
      };
      lab.facts(tablet, lab.at(14, '19:30'), { battery: { isPresent: true, status: 'CHARGING' } });
      lab.facts(tablet, lab.at(15, '08:30'), { battery: { isPresent: true, status: 'DISCHARGING' } });
      lab.facts(tablet, lab.at(15, '14:00'), { battery: { isPresent: true, status: 'CHARGING' } });
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(16, '20:00'),
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|cold|temperature|warm|power|cable/i,
        },
      };
    },
  },
  {
    name: 'a tablet leaves USB whenever it is put into its keyboard, and comes back with a low battery',
    source: 'HelloVolla/volla-os-beta-test#259',
    seen: 'In its keyboard the tablet has no data over USB, and its battery runs down very fast while it sleeps; others see that too.',
    cause: 'the keyboard: it takes the USB of the tablet, and draws from its battery all the time',
    did: 'switches the tablet off after use; was told to charge it at night or to keep the two apart, until it cuts the power of the keyboard by itself',
    cannotShow: 'no record tells that a tablet sits in its keyboard',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false },
      from: '2026-04-13',
      days: 24,
      models: ['Volla Tablet', 'Volla X23'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const known: [number, number][] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours, left] of [
        [11, '17:40', 15.2, 41],
        [14, '13:10', 5.5, 72],
        [17, '18:20', 14.6, 38],
        [18, '16:05', 17.3, 29],
        [21, '11:50', undefined, undefined],
      ] as const) {
        const at = lab.at(day, time);
        known.push([at, 100]);
        losses.push(lab.lose(tablet, at, { ...(hours && { forMs: hours * HOUR }) }));
        if (hours) known.push([at + hours * HOUR, left], [at + (hours + 3) * HOUR, 100]);
      }
      tablet.reading = levels(known, 290);
      background(lab);
      return {
        at: lab.at(21, '16:00'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /cable|plug|socket|keyboard|dock|charg|batter|power/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone at the screen of a car drops out whenever its plug wobbles',
    source: 'Miuzarte/ScrcpyForAndroid#84',
    seen: 'Mirrored by a cable the phone is lost when its plug shakes a little: shake it once, and it is lost once.',
    cause: 'the plug is loose',
    did: 'asked for a mirror that connects again by itself; the maintainer: with a loose cable it comes and goes too fast for that',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false, usbPath: false },
      from: '2026-07-27',
      days: 25,
      models: ['Xiaomi 13'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const last = lab.at(21, '18:10');
      const drives = lab
        .workdays(0, 22)
        .flatMap((day) => [lab.at(day, '08:02'), lab.at(day, '18:10')] as const)
        .filter((at) => at <= last);
      // only while its owner drives
      lab.lose(phone, lab.start + MINUTE, { forMs: (drives[0] ?? last) - lab.start - 2 * MINUTE });
      for (const [index, planned] of drives.entries()) {
        const from = planned === last ? last : planned + Math.round(lab.random.between(0, 12) * MINUTE);
        const until = from + Math.round(lab.random.between(26, 41) * MINUTE);
        const bumps = lab.random.whole(0, 2);
        for (let bump = 0; bump < bumps + (planned === last ? 2 : 0); bump += 1) {
          let at = from + Math.round((bump + lab.random.between(0.2, 0.7)) * 4 * MINUTE);
          for (let left = lab.random.whole(1, 4); left > 0; left -= 1) {
            const forMs = Math.round(lab.random.between(0.7, 2.6) * SECOND);
            losses.push(lab.lose(phone, at, { forMs }));
            at += forMs + Math.round(lab.random.between(1.5, 9) * SECOND);
          }
        }
        // it is taken along until the next drive
        const next = drives[index + 1];
        if (next) lab.lose(phone, until, { forMs: next - MINUTE - until });
      }
      background(lab, { hasReadings: false });
      return {
        at: last + 25 * MINUTE,
        losses,
        blame: ['port', 'link'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|connector|loose|re-?seat/i,
        },
      };
    },
  },
  {
    name: 'a console with Android switches itself off at three quarters of its charge',
    source: 'andr36oid/releases#67, andr36oid/releases#85',
    seen: 'Almost every time its level falls below 70 or 80 % the console goes off, and then it does not even get through its start.',
    cause:
      'fast chargers and cables with two C plugs confuse the circuit that looks after its battery: it shows much and holds little',
    did: 'charges it by its own cable at a plain charger of 1 A; unplugged the battery for ten seconds',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2026-01-05',
      days: 24,
      models: ['Moto G84', 'R36S', 'Galaxy Tab A9'],
    },
    tell(lab) {
      const console = lab.pinned(1);
      const known: [number, number][] = [[lab.start, 100]];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes, level, hours] of [
        [10, '19:40', 55, 77, 2.1],
        [12, '20:15', 48, 79, 13.2],
        [15, '18:50', 71, 72, 1.8],
        [17, '21:05', 40, 80, 12.5],
        [18, '16:20', 62, 74, 2.4],
        [19, '19:10', 58, 76, undefined],
      ] as const) {
        const begun = lab.at(day, time);
        const at = begun + minutes * MINUTE;
        known.push([begun, 100], [at, level]);
        losses.push(hours ? offAndOn(lab, console, at, hours * HOUR) : lab.lose(console, at));
        if (hours) known.push([at + hours * HOUR, 98], [at + (hours + 0.6) * HOUR, 100]);
      }
      const level = levels(known, 315);
      console.reading = level;
      background(lab, { isDaily: true, hours: [10, 23] });
      return {
        at: lab.at(19, '21:00'),
        losses,
        // the last one is not back yet
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [console.udid],
          says: /charg|batter|cable|power|switch(es|ed)? (itself )?off/i,
        },
      };
    },
  },
  {
    name: 'a tablet that is to be a second screen is on USB, but its USB debugging is not in effect',
    source: 'edh-git/EL_Display_Hub#1878',
    seen: 'The program on the computer was removed and put on anew, and does not find the tablet: error A0011001 each time.',
    cause: 'its log shows that the USB debugging of the tablet is not properly applied',
    did: 'was told to allow USB debugging, or to revoke its authorizations and try again, and to restart both',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2023-04-03',
      days: 18,
      models: ['Galaxy Tab S6', 'Galaxy S21'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      tablet.isThereAtFirst = false;
      tablet.busy.push({ from: lab.start, to: lab.end });
      const plugged = [lab.at(15, '21:05'), lab.at(16, '20:10')] as const;
      lab.usb(tablet, lab.start, null);
      lab.usb(tablet, plugged[0], { interfaces: MTP, connectedAt: plugged[0] });
      lab.usb(tablet, plugged[0] + 2 * HOUR, null);
      lab.usb(tablet, plugged[1], { interfaces: MTP, connectedAt: plugged[1] });
      background(lab, { isDaily: true });
      return {
        at: plugged[1] + 40 * MINUTE,
        told: {
          about: ['phone', 'port'],
          says: /USB debugging|developer|authori[sz]|\ballow|revoke|restart|reboot/i,
        },
      };
    },
  },
  {
    name: 'two displays with another system crash seconds after each start, unless their Wi-Fi is switched off for a moment',
    source: 'dinki/View-Assist#2, dinki/View-Assist#7',
    seen: 'When the display has slept for half an hour nothing wakes it, and it is restarted. It reaches its desktop and crashes to the logo of its maker, or hangs there at once.',
    cause: 'not found; it has to do with the system that was put on it, and with its Wi-Fi in the start',
    did: 'pulls its power for some minutes; at its desktop he quickly switches the Wi-Fi off, and on again after a while',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      network: 4,
      from: '2024-05-06',
      days: 20,
      models: ['Pixel 6', 'ThinkSmart View'],
    },
    tell(lab) {
      const displays = lab.pinnedOf('tcp').slice(0, 2) as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      const restart = (display: LabPhone, from: number, crashes: number) => {
        let at = from;
        for (let left = crashes; left > 0; left -= 1) {
          const forMs = lab.random.between(55, 80) * SECOND;
          losses.push(lab.lose(display, at, { forMs }));
          startedAnew(lab, display, at + forMs);
          at += Math.round(forMs + lab.random.between(18, 40) * SECOND);
        }
        // it hangs at the logo until its power is pulled, and has its Wi-Fi switched off in time
        const forMs = lab.random.between(4, 13) * MINUTE;
        losses.push(lab.lose(display, at, { forMs }));
        startedAnew(lab, display, at + forMs);
      };
      for (const [index, day, time, crashes] of [
        [0, 9, '07:50', 1],
        [1, 9, '18:20', 2],
        [0, 10, '19:35', 1],
        [0, 12, '08:10', 3],
        [1, 12, '20:40', 1],
        [0, 13, '17:55', 2],
        [1, 14, '18:30', 1],
        [0, 15, '19:05', 2],
        [1, 15, '19:40', 3],
      ] as const)
        restart(displays[index], lab.at(day, time), crashes);
      background(lab, { isDaily: true, hours: [7, 23], hasReadings: false });
      return {
        at: lab.at(15, '20:10'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: displays.map(({ udid }) => udid),
          says: /restart|reboot|crash|system|update|Wi-?Fi|power/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'adb calls an old tablet connected, and each of its commands ends with “closed” until adb is started anew',
    source: 'dwaan/homebridge-adb#84',
    seen: 'Since a home bridge has its version 2 a Galaxy Tab 4 stays attached, and what is to wake it fails with “error: closed”. Another tablet has no trouble.',
    cause: 'not found; with version 1.5.5 of the bridge it did not happen',
    did: 'ended and started the adb server, or switched USB debugging off and on',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      network: 2,
      from: '2022-08-22',
      days: 23,
      models: ['Galaxy Tab 4', 'MaxPad I10'],
    },
    tell(lab) {
      const [tablet, other] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      const silent: [number, number][] = [];
      for (const [day, from, to] of [
        [15, '09:20', '18:40'],
        [16, '13:05', '20:15'],
        [17, '10:50', '12:30'],
        [18, '07:15', '17:55'],
        [19, '15:30', undefined],
      ] as const) {
        const at = lab.at(day, from);
        lab.facts(tablet, at, { isSilent: true, silentSince: at });
        silent.push([at, to ? lab.at(day, to) : lab.end]);
        if (!to) continue;
        const back = adbRestarts(lab, lab.at(day, to), 41);
        losses.push(...lab.loseAll([tablet, other], back + 300, { spreadMs: 300, forMs: 5 * SECOND }));
        lab.facts(tablet, back + 12 * SECOND, { isSilent: false });
      }
      const full = alwaysFull(lab, 290);
      tablet.reading = (at) => (silent.some(([from, to]) => at >= from && at < to) ? undefined : full(at));
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(19, '19:00'),
        losses,
        blame: ['adb', 'person', 'host'],
        told: {
          about: ['phone', 'host'],
          says: /\badb\b|reconnect|kill-server|USB debugging|restart/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'with more than twenty phones adb often answers nobody',
    source: 'zhongxia245/weiqunkong#3',
    seen: 'The mirror of many phones works. Once twenty of them are connected adb is very likely not to answer.',
    cause: 'the number of phones at one adb server',
    did: 'got to about 80, not very stable; another one: give each some an adb of their own, in containers',
    lab: { zone: 'Asia/Shanghai', hubs: [10, 10, 7], free: 1, from: '2018-11-07', days: 19 },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      // six were added before
      const added = lab.at(12, '10:00');
      for (const phone of phones.slice(20)) {
        phone.isThereAtFirst = false;
        const at = added + Math.round(lab.random.between(0, 25) * MINUTE);
        phone.busy.push({ from: lab.start, to: at });
        lab.phone(phone, at, { kind: 'attached', state: 'device' });
      }
      for (const [day, time, minutes] of [
        [12, '14:20', 6],
        [12, '16:55', 11],
        [13, '10:40', 4],
        [13, '15:15', 19],
        [14, '09:50', 8],
        [14, '11:32', 13],
        [14, '14:06', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
        if (minutes === undefined) continue;
        // somebody ends it by hand
        const back = at + minutes * MINUTE;
        lab.host(back, { kind: 'adbBack' });
        lab.host(back + 200, { kind: 'adbReplaced', version: 40 });
        const there = { spreadMs: 500, forMs: 7 * SECOND };
        losses.push(...lab.loseAll(phones, back + 300, there));
      }
      background(lab);
      return {
        at: lab.at(14, '14:30'),
        losses,
        blame: ['adb', 'person', 'host'],
        told: { about: ['host'], says: /\badb\b/i },
      };
    },
  },
  {
    name: 'a tablet in a car is empty after one night since an app looks for phones',
    source: 'andreknieriem/open-headunit#426',
    seen: 'An old tablet that lies idle for five to seven days is dead after one night when the app was used, although that was left by its own buttons.',
    cause: 'most likely the app goes on looking for phones in the Wi-Fi',
    did: 'was told to leave the app so that all of it stops, and to let it connect by USB only',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2026-04-06',
      days: 20,
      models: ['Pixel 7', 'Dell Venue 7', 'Galaxy Tab A8'],
    },
    tell(lab) {
      const tablet = lab.pinned(1);
      const since = 13;
      const known: [number, number][] = [[lab.start, 96]];
      const losses: ToldLoss[] = [];
      for (let day = 0; day < 18; day += 1) {
        // charged on the way home, until half past six
        known.push([lab.at(day, '18:30'), 97]);
        if (day < since) {
          known.push([lab.at(day + 1, '07:40'), 89], [lab.at(day + 1, '08:20'), 96]);
          continue;
        }
        const at = lab.at(day + 1, '03:10') + Math.round(lab.random.between(0, 150) * MINUTE);
        const back = lab.at(day + 1, '07:45') + Math.round(lab.random.between(0, 15) * MINUTE);
        known.push([at, 1], [back, 2], [back + HOUR, 44]);
        losses.push(day === 17 ? lab.lose(tablet, at) : offAndOn(lab, tablet, at, back - at));
      }
      tablet.reading = levels(known, 265);
      background(lab, { isDaily: true, hours: [7, 22] });
      return {
        at: lab.at(18, '07:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /batter|charg|drain|empty|power|\bapps?\b/i,
        },
      };
    },
  },
  {
    name: 'a phone at a 3D printer gets hot and is empty within half an hour once a server for printers is on it',
    source: 'feelfreelinux/octo4a#310',
    seen: 'As soon as the app runs its server the Galaxy J6 heats up, and goes from 70 % to 0 in 30 minutes. It is the same with the server stopped, until the app is removed.',
    cause: 'the app',
    did: 'removed it; was told to leave out the server for its camera, which takes a lot',
    lab: {
      zone: 'Asia/Dhaka',
      hubs: [4],
      free: 2,
      network: 1,
      from: '2022-10-03',
      days: 19,
      models: ['Redmi 9', 'Moto G8', 'Galaxy J6'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const known: [number, number][] = [[lab.start, 88]];
      for (let day = 0; day < 16; day += 1)
        known.push([lab.at(day, '20:00'), 61], [lab.at(day, '23:30'), 100], [lab.at(day + 1, '08:00'), 93]);
      const runs: [number, number][] = [];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [16, '15:10', 2.4],
        [16, '19:45', 10.8],
        [17, '11:20', undefined],
      ] as const) {
        const begun = lab.at(day, time);
        const at = begun + Math.round(lab.random.between(29, 33) * MINUTE);
        runs.push([begun, at]);
        known.push([begun, 70], [at, 1]);
        losses.push(hours ? offAndOn(lab, phone, at, hours * HOUR) : lab.lose(phone, at));
        if (hours) known.push([at + hours * HOUR, 64]);
      }
      const level = levels(known);
      phone.reading = (at) => {
        const read = level(at);
        const run = runs.find(([from, to]) => at >= from && at <= to);
        const heat = run ? Math.min(150, ((at - run[0]) / MINUTE) * 9) : 0;
        return read && { ...read, temperatureDecicelsius: warmth(lab, at, 318 + heat) };
      };
      background(lab);
      return {
        at: lab.at(17, '12:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /heat|\bhot\b|temperature|\bcool|batter|charg|drain|empty|\bapps?\b/i,
        },
      };
    },
  },
  {
    name: 'a device behind the windshield restarts every minute on hot afternoons, until it is cool',
    source: 'sunnypilot/sunnypilot#1891, commaai/openpilot#38515',
    seen: 'On a hot day it starts, runs for twenty to forty-five seconds and restarts, again and again until it has cooled.',
    cause:
      'the driver of its display panics when the hot panel does not answer twice, which need not end the system',
    did: 'switched that panic off: no restart in 32 starts since, though the panel failed in four of them',
    lab: {
      zone: 'America/Phoenix',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2026-07-13',
      days: 22,
      models: ['Pixel 8', 'comma 3X', 'Galaxy Tab A9'],
    },
    tell(lab) {
      const device = lab.pinned(1);
      // it has no battery that would be read
      device.reading = () => undefined;
      const losses: ToldLoss[] = [];
      for (const [day, time, count] of [
        [10, '15:42', 9],
        [13, '14:20', 14],
        [14, '16:05', 7],
        [17, '17:12', 12],
        [19, '15:30', 16],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = count; left > 0; left -= 1) {
          const forMs = Math.round(lab.random.between(28, 42) * SECOND);
          losses.push(lab.lose(device, at, { forMs }));
          startedAnew(lab, device, at + forMs);
          at += forMs + Math.round(lab.random.between(20, 45) * SECOND);
        }
      }
      const asked = lab.at(19, '15:42');
      background(lab, { isDaily: true, hours: [8, 20] });
      return {
        at: asked,
        losses: losses.filter((loss) => loss.at < asked),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [device.udid],
          says: /restart|reboot|heat|\bhot\b|warm|\bcool|temperature|system|update|crash|power/i,
        },
      };
    },
  },
  {
    name: 'as soon as a third phone hangs at a hub, phones drop out and have to be restarted',
    source: 'koush/vysor.io#1104',
    seen: 'Once more than two phones are at the hub the mirrors crash: “this android is not available”, “unable to claim interface”. The phone has to be unplugged and restarted. Fifteen are to run.',
    cause: 'not found; the hub is not suspected, and not ruled out',
    did: 'put drivers on, restarted phones and computer many times, ran the mirror as administrator',
    cannotShow: 'the thread ends without a cause',
    lab: {
      zone: 'America/Denver',
      hubs: [7],
      free: 3,
      usb: true,
      from: '2022-06-20',
      days: 20,
      models: ['Galaxy A12', 'Moto G Pure'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      const added = lab.at(14, '18:05');
      for (const [index, phone] of phones.slice(2).entries()) {
        phone.isThereAtFirst = false;
        const at = added + index * 3 * MINUTE;
        phone.busy.push({ from: lab.start, to: at });
        lab.phone(phone, at, { kind: 'attached', state: 'device' });
      }
      for (const [index, day, time, minutes] of [
        [2, 14, '18:31', 5],
        [0, 14, '18:58', 7],
        [3, 14, '19:20', 4],
        [2, 15, '10:12', 9],
        [1, 15, '10:40', 6],
        [0, 15, '11:25', 5],
        [3, 16, '18:15', 8],
        [2, 16, '18:49', 4],
        [1, 16, '19:02', 7],
      ] as const)
        losses.push(
          offAndOn(
            lab,
            phones[index] as LabPhone,
            lab.at(day, time) + lab.random.whole(0, 50) * SECOND,
            minutes * MINUTE,
            'reboot,userrequested',
          ),
        );
      background(lab, { isDaily: true, hours: [9, 22] });
      return {
        at: lab.at(16, '19:15'),
        losses,
        blame: ['hub', 'port', 'link', 'host', 'phone', 'adb', 'person', 'unknown'],
        told: {
          about: ['hub', 'port', 'phone', 'host'],
          says: /\bhub\b|power|cable|\bport|socket|another program|driver|restart/i,
        },
        alsoAbout: ['hub', 'port', 'phone', 'host'],
      };
    },
  },
  {
    name: 'a board crashes when its mirror switches the display off: it restarts, or it freezes',
    source: 'Genymobile/scrcpy#5379',
    seen: 'With the display switched off by the mirror a board with an RK3368 crashes. At times it restarts, at times it stands still.',
    cause: 'the system of the board does not stand that its display is switched off',
    did: 'reported it, with its log',
    cannotShow: 'no record tells when a display is switched off',
    lab: {
      zone: 'Europe/Rome',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2024-09-30',
      days: 18,
      models: ['RK3368 board', 'Pixel 6a'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      // it has no battery
      board.reading = () => undefined;
      const losses: ToldLoss[] = [];
      for (const [day, time, frozenFor] of [
        [14, '10:20', 0],
        [14, '10:34', 7],
        [14, '15:12', 0],
        [15, '09:41', 0],
        [15, '11:05', 12],
        [16, '10:18', 0],
        [16, '10:27', 0],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        if (frozenFor === 0) {
          losses.push(lab.reboot(board, at, { forMs: lab.random.between(32, 44) * SECOND }));
          continue;
        }
        // it stands still, until somebody cuts its power
        losses.push(lab.lose(board, at, { as: 'offline', forMs: frozenFor * MINUTE, backAs: 'device' }));
        startedAnew(lab, board, at + frozenFor * MINUTE);
      }
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [board.udid],
          says: /restart|reboot|crash|freez|hang|display|screen|system|update|power/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a phone is lost for half a minute now and then in its tests over an unsteady Wi-Fi',
    source: 'openatx/uiautomator2#634',
    seen: 'Connected over Wi-Fi the phone is lost for some tens of seconds at times and is connected again by itself. The test library tries it twice only, and its run ends.',
    cause: 'the Wi-Fi is unsteady',
    did: 'asked how to let the library try more often',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 3,
      from: '2020-12-07',
      days: 20,
      models: ['Redmi K30', 'vivo Y3', 'HONOR 9X'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 3; day < 17; day += 1) {
        if (!lab.isWorkday(day)) continue;
        for (let left = lab.random.whole(1, 4); left > 0; left -= 1) {
          const at = lab.at(day, '09:00') + Math.round((left - 1 + lab.random.between(0, 0.8)) * 2.2 * HOUR);
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(18, 58) * SECOND }));
        }
      }
      for (const time of ['09:20', '10:47'])
        losses.push(lab.lose(phone, lab.at(17, time), { forMs: lab.random.between(20, 45) * SECOND }));
      background(lab);
      return {
        at: lab.at(17, '11:00'),
        losses,
        blame: ['network', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [phone.udid],
          says: /Wi-?Fi|network|access point|router|signal|roam|\bband\b/i,
        },
      };
    },
  },
];
