/**
 * Incidents of a device that is always plugged in, at a desk, in a car, at a charger or behind a television, which somebody
 * told of in a forum, on a page of their own or in the tracker of a tool: it comes and goes, asks again, does not charge.
 */
import { adbRestarts, agentStartsFirst, background, levels, notReadIn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One device at the computer of somebody. */
const desk = (more: LabOptions): LabOptions => ({ hubs: [], direct: 1, known: { slots: false }, ...more });

/** Devices that charge at the mains, and are reached over the network. */
const atMains = (more: LabOptions): LabOptions => ({ hubs: [], network: 2, ...more });

type Span = readonly [from: number, to: number];

/** The computer of a car runs only on these drives; the phone stays in the car. */
function onlyOnDrives(lab: Lab, phone: LabPhone, drives: readonly Span[]): void {
  agentStartsFirst(lab);
  const off: Span[] = [];
  let stopped = lab.start + 2 * MINUTE;
  for (const [from, to] of drives) {
    lab.host(stopped, { kind: 'agentStopped' });
    lab.host(from, {
      kind: 'agentStarted',
      version: '1.0.0',
      hostBootedAt: from - 25 * SECOND,
      lastAliveAt: stopped,
    });
    off.push([stopped, from]);
    stopped = to;
  }
  lab.host(stopped, { kind: 'agentStopped' });
  off.push([stopped, lab.end]);
  notReadIn(lab, phone, off);
}

/** Somebody allows the computer on the device itself. */
const allow = (lab: Lab, phone: LabPhone, at: number): void =>
  lab.phone(phone, Math.round(at), { kind: 'state', state: 'device', before: 'unauthorized' });

const charging = (lab: Lab, phone: LabPhone, at: number): void =>
  lab.facts(phone, at, { battery: { isPresent: true, status: 'CHARGING' } });

export const secondHand: readonly Incident[] = [
  {
    name: 'a Nexus 7 charges by eight percent in an hour while its plug droops, and by thirty when the plug is held straight',
    source: 'http://foggy-mirror.blogspot.com/2013/05/and-then-big-charge.html',
    seen: 'New, the tablet was full in a little over two hours; from one day on it took close to twenty. Its plug sits a little loose, and the weight of the cable bends it. Left so it charges by about 8 % in an hour; with the cable held up so that the plug goes straight in, by about 30 %.',
    cause: 'the plug sits loosely in the worn socket of the tablet',
    did: 'opened it and took its battery off for half a minute, in vain; moved the plug in and out; at last held the cable up',
    lab: atMains({
      zone: 'Europe/London',
      from: '2013-04-29',
      days: 21,
      models: ['Nexus 7', 'Galaxy S3'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const asked = lab.at(18, '06:50');
      const points: [at: number, percent: number][] = [[lab.start, 100]];
      let level = 100;
      for (let day = 0; day < 20; day += 1) {
        // in use by day, at its charger from the evening to the morning
        level = Math.max(7, level - lab.random.whole(46, 68));
        const plugged = lab.at(day, '21:30') + lab.random.whole(0, 80) * MINUTE;
        const morning = lab.at(day + 1, '07:20') + lab.random.whole(0, 40) * MINUTE;
        points.push([plugged, level]);
        const perHour = day < 11 ? 42 : lab.random.between(4.4, 7.6);
        const full = plugged + ((100 - level) / perHour) * HOUR;
        if (full < morning) points.push([full, 100]);
        level = Math.min(100, Math.round(level + (perHour * (morning - plugged)) / HOUR));
        points.push([morning, level]);
        charging(lab, tablet, plugged);
        if (morning < asked)
          lab.facts(tablet, morning, { battery: { isPresent: true, status: 'DISCHARGING' } });
      }
      tablet.reading = levels(points, 280);
      background(lab, { isDaily: true });
      return {
        at: asked,
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /\bcable|\bplug|socket|connector|contact|charges? (slow|less|too)|slow\w* .{0,30}charg/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy Tab 10.1 at the charger of a phone runs empty, and can hardly be brought back to life',
    source: 'https://androidtablets.net/threads/solved-samsung-galaxy-tab-10-1-charging-red-x-problems.65113',
    seen: 'The tablet shows a red cross at its battery. Two buttons held down make it go away until it is unplugged and plugged in again. Once its battery is drained it is nearly impossible to start it. A new battery changed nothing.',
    cause: 'it wants a charger of two amperes, and hung at that of a phone, which gives one',
    did: 'bought a battery in vain; found the charger of two amperes again, at which it charges at once',
    lab: atMains({
      zone: 'Europe/London',
      from: '2014-01-20',
      days: 21,
      models: ['Galaxy Tab 10.1', 'Galaxy S3'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const points: [at: number, percent: number][] = [[lab.start, 96]];
      for (let day = 0; day < 11; day += 1)
        points.push(
          [lab.at(day, '07:00'), 100],
          [lab.at(day, '22:00'), lab.random.whole(34, 58)],
          [lab.at(day + 1, '02:30'), 100],
        );
      // from here on at the wrong charger: it gains a little in the dark, and loses while it is used
      const losses: ToldLoss[] = [];
      points.push([lab.at(11, '07:00'), 100], [lab.at(11, '22:10'), 41]);
      for (const [day, morning, emptied, hours] of [
        [12, 55, undefined, 0],
        [13, 39, '20:35', 13.4],
        [15, 33, '19:50', 15.1],
        [17, 27, '15:20', 22.3],
      ] as const) {
        points.push([lab.at(day, '07:10'), morning]);
        if (emptied === undefined) {
          points.push([lab.at(day, '22:20'), 21]);
          continue;
        }
        const at = lab.at(day, emptied);
        const back = Math.round(at + hours * HOUR);
        points.push([at - MINUTE, 1], [back, 9], [lab.at(day + 1, '22:30'), 14]);
        losses.push(lab.lose(tablet, at, { forMs: back - at }));
        lab.rebooted(tablet, back + 25 * SECOND, { uptimeSeconds: 75 });
      }
      const last = lab.at(19, '11:40');
      points.push([lab.at(19, '07:10'), 22], [last - MINUTE, 1]);
      losses.push(lab.lose(tablet, last));
      charging(lab, tablet, lab.at(11, '22:10'));
      tablet.reading = levels(points, 275);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '18:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|\bpower (supply|source|adapter)|batter(y|ies)|\bempty\b|ran out|\bcable\b/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 7 stands at 77 percent for days, and at nothing after a restart, although it goes on working',
    source: 'https://www.swedeheart.net/?p=155',
    seen: 'The tablet does not get above 77 % although it says that it is on power, and does not fall below it either. Switched off and on again it says that its battery is flat, and carries on. A factory reset changed nothing.',
    cause: 'the plug of its battery inside was just loose enough that the lines which measure had no contact',
    did: 'restarted it, reset it, opened it and pressed the plug of the battery in',
    lab: atMains({
      zone: 'Europe/Stockholm',
      from: '2012-10-22',
      days: 22,
      models: ['Nexus 7', 'Galaxy Nexus'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const stuck = lab.at(12, '19:42');
      const restarted = lab.at(17, '20:15');
      const reset = lab.at(18, '18:50');
      const points: [at: number, percent: number][] = [[lab.start, 88]];
      for (let day = 0; day < 12; day += 1)
        points.push(
          [lab.at(day, '07:10'), 100],
          [lab.at(day, '22:40'), lab.random.whole(38, 71)],
          [lab.at(day + 1, '01:10'), 100],
        );
      points.push([lab.at(12, '07:10'), 100], [stuck, 77], [restarted, 77], [restarted + MINUTE, 0]);
      tablet.reading = levels(points, 287);
      lab.reboot(tablet, restarted, { forMs: 50 * SECOND });
      // set up anew, with its debugging on the network
      lab.lose(tablet, reset, { forMs: 95 * MINUTE, backAs: 'unauthorized' });
      allow(lab, tablet, reset + 96 * MINUTE);
      lab.rebooted(tablet, reset + 97 * MINUTE, { uptimeSeconds: 5100 });
      charging(lab, tablet, stuck);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '20:10'),
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /batter|charg/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 7 at its charger is at times fuller and at times emptier in the morning, until its USB socket is replaced',
    source: 'https://j0hn88.wordpress.com/tag/problem/',
    seen: 'It could take days until the tablet was charged. At other times it said that it was charging while its battery went down. Another charger of two amperes did not help.',
    cause: 'the flexible cable with its USB socket',
    did: 'charged the battery by itself, which was well; replaced the part with the socket: from 10 % it was full in under three hours',
    lab: atMains({
      zone: 'Australia/Sydney',
      from: '2014-11-24',
      days: 22,
      models: ['Nexus 7', 'Galaxy Tab 3'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const points: [at: number, percent: number][] = [[lab.start, 71]];
      const losses: ToldLoss[] = [];
      // what it has when it is plugged in, and in the morning
      for (const [day, evening, morning] of [
        [0, 44, 100],
        [1, 52, 100],
        [2, 38, 100],
        [3, 61, 100],
        [4, 47, 82],
        [5, 36, 29],
        [6, 15, 71],
        [7, 33, 100],
        [8, 54, 46],
        [9, 27, 52],
        [10, 34, 26],
        [11, 14, 88],
        [12, 51, 43],
        [13, 29, 24],
        [14, 11, 47],
        [15, 32, 21],
        [16, 12, 40],
        [17, 25, 16],
      ] as const) {
        const plugged = lab.at(day, '22:15') + lab.random.whole(0, 70) * MINUTE;
        points.push([plugged, evening]);
        if (morning === 100) points.push([plugged + 3.4 * HOUR, 100]);
        points.push([lab.at(day + 1, '07:00') + lab.random.whole(0, 25) * MINUTE, morning]);
        charging(lab, tablet, plugged);
      }
      const emptied = lab.at(18, '11:25');
      const back = lab.at(18, '17:50');
      points.push([emptied - MINUTE, 1], [back, 23], [lab.at(18, '22:20'), 17]);
      losses.push(lab.lose(tablet, emptied, { forMs: back - emptied }));
      lab.rebooted(tablet, back + 30 * SECOND, { uptimeSeconds: 70 });
      points.push([lab.at(19, '07:10'), 13]);
      tablet.reading = levels(points, 292);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '07:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|batter|socket|connector|\bcable|\bplug/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 8 that stays in a car is gone from its head unit after half an hour of each drive, until it is plugged in anew',
    source: 'andreknieriem/open-headunit#599, andreknieriem/open-headunit#414',
    seen: 'The phone lives in the car, on the USB of the head unit. All is well for about 30 minutes of a drive, then the connection is lost. Unplugged and plugged in again, it is there again. With a OnePlus 15 and another car it is the same, in each version of the app.',
    cause:
      'not found: the makers suspect the battery optimisation of the phone; others have it with the app of the phone itself since Android 16',
    did: 'unplugged and plugged it in each time; installed the app of the phone anew, which helped for three trips; was told to switch off the battery optimisation',
    lab: desk({ zone: 'Europe/Berlin', from: '2026-05-25', days: 21, models: ['Pixel 8'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const drives: Span[] = [];
      for (const [day, time, minutes] of [
        [1, '07:42', 24],
        [1, '17:10', 26],
        [2, '07:38', 22],
        [4, '07:45', 25],
        [4, '17:31', 28],
        [5, '16:20', 23],
        [8, '07:40', 24],
        [9, '17:05', 27],
        [11, '07:44', 52],
        [11, '17:22', 58],
        [12, '10:15', 94],
        [12, '18:40', 88],
        [14, '07:39', 49],
        [14, '17:12', 61],
        [15, '07:41', 25],
        [16, '17:18', 57],
        [17, '07:43', 51],
        [18, '09:30', 118],
      ] as const) {
        const from = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        const to = from + minutes * MINUTE;
        drives.push([from, to]);
        let plugged = from;
        for (;;) {
          const at = plugged + Math.round(lab.random.between(27.5, 34) * MINUTE);
          // at the next red light, or when the map is needed
          const forMs = Math.round(lab.random.between(0.7, 8) * MINUTE);
          if (at + forMs > to - MINUTE) break;
          losses.push(lab.lose(phone, at, { forMs }));
          plugged = at + forMs;
        }
      }
      onlyOnDrives(lab, phone, drives);
      background(lab, { isUpdated: false, taken: 0 });
      const asked = lab.at(18, '11:20');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'port', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /\bcable|\bplug|USB (setting|config|mode|debug)|default USB|optimi[sz]|power[- ]?sav|update|version|software|\bapps?\b|\bsystem\b|socket/i,
        },
      };
    },
  },
  {
    name: 'a phone drops off the USB of a head unit for seconds at each of its sockets, with a cable that is well elsewhere',
    source: 'andreknieriem/open-headunit#613',
    seen: 'With the same phone and the same cable as before, the USB connection of the head unit is reset at random. Both sockets that are free do it. Mostly it comes back by itself, at times the cable has to be plugged in anew. Somebody with another head unit has had it from the start.',
    cause:
      'not found: the log of the app is full of errors when it reads from USB; the head unit, or how the app uses its USB',
    did: 'tried the other sockets; tried a version with another USB driver, with which it was lost more often',
    lab: {
      zone: 'Europe/Rome',
      from: '2026-06-01',
      days: 20,
      hubs: [3],
      free: 2,
      usb: true,
      known: { slots: false },
      models: ['Galaxy S23'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const [, second, third] = lab.hubs[0]?.ports ?? [];
      const losses: ToldLoss[] = [];
      const drives: Span[] = [];
      for (const [day, time, minutes, resets] of [
        [1, '08:03', 37, 0],
        [2, '18:14', 42, 0],
        [3, '08:07', 39, 0],
        [4, '18:21', 45, 0],
        [6, '10:30', 70, 0],
        [7, '08:05', 38, 1],
        [7, '18:20', 41, 0],
        [8, '08:02', 36, 2],
        [9, '18:12', 55, 2],
        [10, '08:10', 40, 1],
        [11, '08:04', 37, 0],
        [11, '18:33', 44, 3],
        [13, '10:40', 86, 3],
        [14, '08:01', 39, 1],
        [15, '18:15', 47, 2],
        [16, '08:06', 40, 1],
        [16, '18:25', 43, 2],
        [17, '18:09', 75, 3],
      ] as const) {
        const from = lab.at(day, time) + lab.random.whole(0, 55) * SECOND;
        const to = from + minutes * MINUTE;
        drives.push([from, to]);
        // another socket is tried at the start of a drive
        const tried = day === 11 && resets > 0 ? second : day === 16 && resets === 1 ? third : undefined;
        if (tried) lab.lose(phone, from + 2 * MINUTE, { forMs: 25 * SECOND, to: tried });
        for (let turn = 0; turn < resets; turn += 1) {
          const part = (to - from - 8 * MINUTE) / resets;
          const at = from + 4 * MINUTE + turn * part + lab.random.between(0, part * 0.8);
          const isByHand = lab.random.chance(0.25);
          const forMs = isByHand ? lab.random.between(40, 170) * SECOND : lab.random.between(1.6, 6) * SECOND;
          losses.push(lab.lose(phone, at, { forMs: Math.round(forMs) }));
        }
      }
      onlyOnDrives(lab, phone, drives);
      background(lab, { isUpdated: false, taken: 0 });
      const asked = lab.at(17, '19:20');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'port', 'hub', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'hub', 'host'],
          says: /\bcable|socket|\bplug|another (computer|host|machine)|controller|software|\bapps?\b|version|update|\bhub\b/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S21 Ultra is there for five seconds when it is plugged in, and offline from then on',
    source: 'Genymobile/scrcpy#3042',
    seen: 'The phone works when it is plugged in, and after five seconds it is offline. Each time it is unplugged and plugged in again it is there for these five seconds. Restarts, USB debugging off and on, each port of the computer and several cables changed nothing; other programs have it too.',
    cause: 'not found; the antivirus was not it',
    did: 'restarted it, switched USB debugging off and on, tried all ports and several cables',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2022-02-04',
      days: 18,
      hubs: [4],
      free: 3,
      known: { slots: false },
      models: ['Galaxy S21 Ultra'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const ports = lab.hubs[0]?.ports ?? [];
      const losses: ToldLoss[] = [];
      // the last time that all was well
      lab.phone(phone, lab.at(12, '23:10'), { kind: 'detached' });
      phone.busy.push({ from: lab.at(12, '23:10'), to: lab.end });
      for (const [day, time, seconds, port] of [
        [13, '20:14', 70, 0],
        [13, '20:16', 140, 0],
        [13, '20:19', 55, 1],
        [13, '20:31', 210, 1],
        [14, '21:05', 95, 2],
        [14, '21:08', 48, 3],
        [14, '21:22', 330, 0],
        [15, '19:47', 120, 2],
        [15, '19:52', 66, 2],
        [15, '20:40', undefined, 0],
      ] as const) {
        const plugged = lab.at(day, time) + lab.random.whole(0, 45) * SECOND;
        const seat = ports[port];
        if (seat) phone.seats.push({ from: plugged, port: seat });
        lab.phone(phone, plugged, { kind: 'attached', state: 'device' });
        const at = plugged + Math.round(lab.random.between(4.4, 6.2) * SECOND);
        losses.push(lab.lose(phone, at, { as: 'offline' }));
        if (seconds !== undefined) lab.phone(phone, at + seconds * SECOND, { kind: 'detached' });
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '21:00'),
        losses,
        blame: ['phone', 'port', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /offline|USB debugging|restart|driver|update|\bcable|another (computer|host)|authori[sz]|kill-server/i,
        },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi is gone from one computer of its owner whenever the other one is used',
    source: 'Genymobile/scrcpy#5478, Genymobile/scrcpy#5900',
    seen: 'The owner works now at one computer, now at the other, and wants to see the phone at both over Wi-Fi. Back at the first, the phone is not there any more, and it takes a USB cable to have it again.',
    cause: 'the phone serves the adb of one computer at a time; who wants it has to connect again',
    did: 'set it up by cable at each change; was told to disconnect it at one computer and to connect it at the other',
    cannotShow: 'no record tells that another computer has connected itself to the phone',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 1,
      from: '2024-10-24',
      days: 20,
      models: ['Galaxy S21 FE'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [9, '14:12', '16:40'],
        [10, '10:35', '20:05'],
        [12, '09:20', '11:02'],
        [12, '17:48', '21:30'],
        [13, '19:15', '20:22'],
        [15, '08:50', '18:11'],
        [16, '13:05', '13:58'],
        [16, '20:10', '22:26'],
        [17, '11:40', '16:19'],
      ] as const) {
        const at = lab.at(day, from) + lab.random.whole(0, 55) * SECOND;
        const back = lab.at(day, to) + lab.random.whole(0, 55) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: back - at }));
      }
      const asked = lab.at(18, '15:30');
      losses.push(lab.lose(phone, lab.at(18, '12:24')));
      background(lab, { isDaily: true });
      return {
        at: asked,
        losses,
        blame: ['person', 'adb', 'link', 'host', 'phone', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          says: /(other|another|second) (computer|host|adb|machine)|adb (connect|disconnect|tcpip)|connect\w* .{0,30}(again|anew)|Wi-?Fi|wireless debugging/i,
        },
      };
    },
  },
  {
    name: 'two boxes at televisions ask to be debugged after each restart of the home server, though always was ticked',
    source: 'JeffLIrion/adb_shell#145',
    seen: 'The key of the server is the same file each time, and the fingerprint that is shown is the same too. A Fire TV and a Shield both ask anew whenever the home server is restarted.',
    cause:
      'not found: the library which speaks adb there, or how this server is set up; with the plain adb it does not happen',
    did: 'allowed it at each box again; sent a log',
    lab: {
      zone: 'Europe/Brussels',
      hubs: [],
      network: 2,
      from: '2020-12-22',
      days: 21,
      models: ['Fire TV', 'Shield'],
    },
    tell(lab) {
      const boxes = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [day, time, waits] of [
        [4, '18:40', [1.2, 34]],
        [6, '10:05', [0.8, 2.1]],
        [6, '10:48', [3.5, 0.9]],
        [10, '20:22', [1.5, 760]],
        [13, '17:31', [12, 1.1]],
        [16, '09:50', [0.7, 4.2]],
        [18, '21:14', [640, 655]],
        [20, '10:31', []],
      ] as const) {
        const back = adbRestarts(lab, lab.at(day, time), undefined, 14 * SECOND);
        for (const [index, box] of boxes.entries()) {
          const forMs = Math.round(lab.random.between(2, 7) * SECOND);
          const at = back + 400 + index * 150;
          losses.push(lab.lose(box, at, { forMs, backAs: 'unauthorized' }));
          const minutes = waits[index];
          const until = minutes === undefined ? lab.end : at + forMs + minutes * MINUTE;
          box.busy.push({ from: at, to: until });
          if (minutes !== undefined) allow(lab, box, until);
        }
      }
      background(lab, { isDaily: true, hasReadings: false });
      return {
        at: lab.at(20, '10:55'),
        losses,
        blame: ['adb', 'host', 'person'],
        told: {
          about: ['phone', 'host'],
          says: /\ballow|confirm|authori[sz]|accept|\bkeys?\b|fingerprint/i,
        },
      };
    },
  },
  {
    name: 'the debugging over Wi-Fi of a handheld with two screens switches itself off after ten minutes or an hour, and has another port then',
    source: 'theswest/DualCPY#7',
    seen: 'After some time the wireless debugging turns off by itself: after ten minutes, or after an hour. Each time that it is switched on again it has another port.',
    cause: 'not found: the program that mirrors it, or the system of the handheld',
    did: 'switched it on again and typed in the new port each time',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 2,
      from: '2026-03-19',
      days: 19,
      models: ['AYN Thor', 'Pixel 7'],
    },
    tell(lab) {
      const handheld = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const asked = lab.at(17, '22:40');
      for (const [day, from, to] of [
        [11, '19:30', '23:10'],
        [12, '20:05', '22:00'],
        [13, '18:20', '23:40'],
        [15, '20:45', '23:30'],
        [16, '10:15', '13:20'],
        [16, '19:00', '23:20'],
        [17, '14:10', '17:00'],
        [17, '20:30', '22:35'],
      ] as const) {
        let on = lab.at(day, from);
        for (;;) {
          const at = on + Math.round(lab.random.between(9, 64) * MINUTE);
          if (at > lab.at(day, to)) break;
          const forMs = Math.round(lab.random.between(0.8, 6) * MINUTE);
          losses.push(lab.lose(handheld, at, { forMs }));
          on = at + forMs;
        }
      }
      background(lab, { isDaily: true, hours: [9, 23] });
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /wireless debugging|debugging over|Wi-?Fi|sleep|awake|power[- ]?sav|battery (sav|optimi)|tcpip|USB cable/i,
        },
      };
    },
  },
  {
    name: 'a Bravia leaves its network cable for seconds now and then, and is back in the same minute',
    source: 'home-assistant/core#119609',
    seen: 'From time to time the television shows that its network card has disconnected, and it connects again at once. The home server sees it go off and on within the same minute. Two updates of the server made no difference.',
    cause: 'not found: most likely nothing that the server does; the television, its cable or the switch',
    did: 'was told to leave the home server off for some days, and to see whether it goes on',
    lab: {
      zone: 'Europe/Rome',
      hubs: [],
      network: 3,
      from: '2024-05-27',
      days: 19,
      models: ['Bravia', 'Shield', 'Galaxy Tab A8'],
    },
    tell(lab) {
      const television = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [4, '21:12'],
        [5, '19:40'],
        [7, '14:26'],
        [8, '22:03'],
        [8, '22:51'],
        [10, '20:17'],
        [11, '13:38'],
        [12, '21:29'],
        [13, '18:55'],
        [14, '20:44'],
        [14, '23:06'],
        [16, '21:50'],
        [17, '12:33'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 40) * SECOND;
        losses.push(lab.lose(television, at, { forMs: Math.round(lab.random.between(4, 19) * SECOND) }));
      }
      background(lab, { isDaily: true, hasReadings: false });
      return {
        at: lab.at(17, '13:10'),
        losses,
        blame: ['link', 'network', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /network|\bcable|switch|router|access point|Wi-?Fi|ethernet/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 7a in a car drops off USB for a moment, and then comes back only by hand, or has turned itself off',
    source: 'GrapheneOS/os-issue-tracker#3914',
    seen: 'With several cables the USB connection to the car drops at times. With the system of the maker the phone is back at once. With another system it ends in a loop of errors until it is unplugged and plugged in; at times the phone turns itself off hard.',
    cause:
      'not found: what drops USB at first; that the phone does not come back, and turns itself off, lies in its system',
    did: 'tried several cables; unplugged and plugged it in each time',
    lab: desk({
      zone: 'America/Chicago',
      usb: true,
      from: '2024-08-05',
      days: 22,
      models: ['Pixel 7a'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const drives: Span[] = [];
      for (const [day, time, minutes, drop, isOff] of [
        [5, '07:25', 34, undefined, false],
        [7, '17:02', 39, 21, false],
        [8, '07:28', 35, undefined, false],
        [9, '17:15', 44, 12, false],
        [11, '10:30', 130, 67, true],
        [12, '18:05', 125, 31, false],
        [14, '07:22', 36, 19, false],
        [15, '17:10', 42, undefined, false],
        [16, '07:26', 37, 9, true],
        [17, '17:04', 45, 28, false],
        [18, '09:40', 150, 52, true],
        [19, '16:15', 155, 84, false],
      ] as const) {
        const from = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        const to = from + minutes * MINUTE;
        drives.push([from, to]);
        if (drop === undefined) continue;
        const at = from + drop * MINUTE + lab.random.whole(0, 50) * SECOND;
        const forMs = Math.round(lab.random.between(isOff ? 3.5 : 0.8, isOff ? 9 : 5) * MINUTE);
        losses.push(lab.lose(phone, at, { forMs }));
        if (isOff) lab.rebooted(phone, at + forMs + 20 * SECOND, { uptimeSeconds: 75 });
      }
      onlyOnDrives(lab, phone, drives);
      background(lab, { isUpdated: false, taken: 0 });
      return {
        at: lab.at(19, '18:30'),
        losses,
        blame: ['phone', 'port', 'host', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /\bcable|socket|\bplug|software|\bsystem\b|update|batter(y|ies)|turn(s|ed)? .{0,12}off|by itself/i,
        },
      };
    },
  },
];
