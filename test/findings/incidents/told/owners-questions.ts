/**
 * Incidents of one to three devices at the desk or in the home of somebody, who asked in the tracker of a tool, a system or
 * an app why the device goes away: after the standby of the computer, with the screen, at night, at half of its charge.
 */
import { agentStartsFirst, background, inUse, levels, notReadIn, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One device or a few at the computer of somebody. */
const desk = (more: LabOptions): LabOptions => ({ hubs: [], direct: 1, known: { slots: false }, ...more });

/** The computer is off from one moment to the other; its owner shuts it down in the evening. */
function offOvernight(lab: Lab, from: number, to: number): void {
  lab.host(from, { kind: 'agentStopped' });
  lab.host(to, { kind: 'agentStarted', version: '1.0.0', hostBootedAt: to - 55 * SECOND, lastAliveAt: from });
}

export const ownersQuestions: readonly Incident[] = [
  {
    name: 'adb answers to no command any more when Windows was woken from standby',
    source: 'Genymobile/scrcpy#2638, Genymobile/scrcpy#3385',
    seen: 'Windows is put into standby with the power button and started again some minutes later. From then on adb hangs at any command, and the mirror with it; somebody else sees its window stay open, and nothing works in it.',
    cause: 'the standby of the computer, after which its adb server hangs',
    did: 'asked how to manage it; nobody answered, and adb was ended by hand',
    lab: desk({ zone: 'Europe/Rome', from: '2021-08-30', days: 21, models: ['Galaxy S8'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const hung: [number, number][] = [];
      for (const [day, time, slept, minutes] of [
        [14, '21:16', 6, 11],
        [15, '13:11', 9, 7],
        [15, '20:52', 27, 16],
        [16, '19:40', 5, 4],
        [17, '13:20', 48, 9],
        [18, '21:05', 7, 13],
        [19, '10:46', 5, undefined],
      ] as const) {
        const woke = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        lab.host(woke, { kind: 'hostSlept', forMs: slept * MINUTE });
        lab.host(woke + 6 * SECOND, { kind: 'adbLost', failureKind: 'silent' });
        if (minutes === undefined) {
          hung.push([woke, lab.end]);
          continue;
        }
        const ended = woke + minutes * MINUTE;
        hung.push([woke, ended]);
        lab.host(ended, { kind: 'adbBack' });
        lab.host(ended + 200, { kind: 'adbReplaced', version: 41 });
        losses.push(lab.lose(phone, ended + 400, { forMs: lab.random.between(2, 5) * SECOND }));
      }
      notReadIn(lab, phone, hung);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '11:10'),
        losses,
        blame: ['host', 'adb'],
        told: {
          about: ['host'],
          says: /sleep|slept|stand-?by|suspend|woke|wakes?|awake|kill-server|(restart|end|kill|start).{0,30}(adb|server)|adb.{0,40}(restart|hangs?|stuck)/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a Nokia freezes with a blank screen while it is mirrored, and is always hot at its cable',
    source: 'Genymobile/scrcpy#5155',
    seen: 'Lately, when its screen is mirrored, the phone freezes and shows a blank screen. It has to be forced to start before it does anything again. Nothing else makes it misbehave like this. It is always hot while it is plugged in.',
    cause:
      'not found for sure: most likely how the system of the phone captures and encodes its screen, perhaps the heat',
    did: 'forced it to start each time; with the next version of the tool it was the same',
    lab: desk({
      zone: 'America/Chicago',
      network: 1,
      from: '2024-07-15',
      days: 20,
      models: ['Moto G', 'Nokia C100'],
    }),
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const mirrored: [number, number][] = [];
      const frozen: [number, number][] = [];
      for (const [day, time, minutes, waited] of [
        [11, '19:20', 35, 4],
        [13, '14:05', 22, 9],
        [13, '16:10', 48, 3],
        [14, '20:30', 17, 6],
        [15, '18:45', 61, 5],
        [16, '19:12', 26, 4],
        [16, '20:40', 14, 11],
      ] as const) {
        const from = lab.at(day, time);
        const at = from + minutes * MINUTE;
        const forced = at + waited * MINUTE;
        mirrored.push([from, at]);
        // adb on Wi-Fi is set up anew with the cable after each start
        const forMs = Math.round(lab.random.between(3, 8) * MINUTE);
        frozen.push([at, forced + forMs]);
        lab.facts(phone, at + 40 * SECOND, { isSilent: true, silentSince: at });
        lab.facts(phone, forced, { isSilent: false });
        losses.push(lab.reboot(phone, forced, { forMs, reason: 'reboot,longkey' }));
      }
      const calm = inUse(lab);
      phone.reading = (now) => {
        if (frozen.some(([from, to]) => now >= from && now < to)) return undefined;
        const session = mirrored.find(([from, to]) => now >= from && now < to);
        if (session === undefined) return calm(now);
        const warmedUp = Math.min(1, (now - session[0]) / (12 * MINUTE));
        const temperatureDecicelsius = Math.round(372 + 71 * warmedUp + ((now / MINUTE) % 5));
        return { levelPercent: 88, isFull: false, temperatureDecicelsius };
      };
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /freez|\bhangs?\b|hung|\bhot\b|heat|warm|cool|°C|software|firmware|\bsystem\b|update|power button/i,
        },
      };
    },
  },
  {
    name: 'a phone of a company leaves adb for a moment whenever its screen goes to sleep after ten minutes',
    source: 'Genymobile/scrcpy#2631',
    seen: 'Plugged in by USB and unlocked, its mirror closes as soon as the screen of the phone goes to sleep, which a policy sets to ten minutes at most: “device disconnected”. It works at once when it is started again.',
    cause:
      'the phone drops USB for a moment as its screen goes to sleep; most likely its USB mode is another one then',
    did: 'started the mirror again every ten minutes; was told of the setting “no data transfer”',
    cannotShow:
      'no record tells when the screen goes to sleep, and of a loose contact adb and USB show the same',
    lab: desk({
      zone: 'America/New_York',
      usb: true,
      from: '2021-08-30',
      days: 17,
      models: ['Pixel 4a'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(9, 16))
        for (
          let at = lab.at(day, '09:05') + lab.random.between(0, 20) * MINUTE;
          at < lab.at(day, '17:10');
          at += Math.round(lab.random.between(18, 75) * MINUTE)
        )
          // ten minutes after somebody has touched it last
          losses.push(lab.lose(phone, at + 10 * MINUTE, { forMs: lab.random.between(1.4, 3.2) * SECOND }));
      background(lab);
      const asked = lab.at(15, '16:20');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'link'],
        told: {
          about: ['phone', 'port'],
          says: /USB (mode|setting|config\w*|function)|default USB|\bMTP\b|file transfer|data transfer|charg(e|ing) only|screen|\blocks?\b|asleep|sleep|stay awake|policy/i,
        },
      };
    },
  },
  {
    name: 'a Redmi K40 restarts by itself each time a Linux has run in it for eight to eighteen hours',
    source: 'termux/proot-distro#579, termux/proot-distro#695',
    seen: 'Each time a Ubuntu with a desktop has run in its terminal app for about eight to eighteen hours, the phone restarts by itself. On another device it takes days.',
    cause:
      'not found: the makers of the tool suspect the system of the phone, whose kernel fails; others thought of memory',
    did: 'asked; was told that a log of the kernel would be needed',
    lab: desk({
      zone: 'Asia/Shanghai',
      direct: 2,
      usb: true,
      from: '2025-10-27',
      days: 21,
      models: ['Redmi K40', 'Redmi Note 9'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, started, hours] of [
        [11, '20:40', 14.2],
        [12, '21:05', 9.1],
        [13, '19:35', 17.4],
        [14, '22:10', 8.3],
        [15, '18:50', 11.8],
        [16, '23:20', 8.9],
        [17, '20:15', 15.6],
      ] as const) {
        const at = lab.at(day, started) + Math.round(hours * HOUR);
        losses.push(lab.reboot(phone, at, { forMs: Math.round(lab.random.between(42, 60) * SECOND) }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '20:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|program|software|\bsystem\b|kernel|memory|crash|update|\blogs?\b|by itself/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy with a new system of hobbyists restarts at once whenever its terminal app is ended',
    source: 'ArtisanROM/ArtisanROM#70, ArtisanROM/ArtisanROM#62, ArtisanROM/ArtisanROM#194',
    seen: 'With exit, with a force stop, or in the midst of an upgrade of its packages: the phone freezes and restarts at once. The log that the kernel left tells of a panic.',
    cause: 'the kernel of that system, into which a root is built',
    did: 'kept a log; the next version of the system has it fixed',
    lab: desk({
      zone: 'Asia/Tehran',
      direct: 2,
      usb: true,
      from: '2026-01-26',
      days: 20,
      models: ['Galaxy S20 FE', 'Redmi Note 11'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      // its owner installs the other system
      const flashed = lab.at(13, '18:20');
      const flashMs = 31 * MINUTE;
      lab.lose(phone, flashed, { forMs: flashMs });
      lab.rebooted(phone, flashed + flashMs + 25 * SECOND, { reason: 'reboot,recovery', uptimeSeconds: 140 });
      lab.phone(phone, flashed + flashMs + 27 * SECOND, {
        kind: 'os',
        release: '16',
        before: '13',
        build: 'artisan-3.0.2',
        buildBefore: 'G780FXXSGFYA1',
      });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '19:08'],
        [14, '21:42'],
        [15, '20:15'],
        [16, '13:31'],
        [16, '20:50'],
        [16, '23:07'],
        [17, '21:20'],
        [17, '21:26'],
        [17, '21:33'],
        [18, '10:44'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        const forMs = Math.round(lab.random.between(40, 62) * SECOND);
        losses.push(lab.reboot(phone, at, { forMs, reason: 'kernel_panic' }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '12:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|panic|crash|software|\bsystem\b|firmware|update|build|flash|\broot|came last|installed/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy A20 restarts each time a tool on the computer talks to the server that hooks its apps',
    source: 'frida/frida#2358',
    seen: 'The server runs fine on the rooted phone at first. But each time its processes are listed from the computer, or anything else is asked of it, the phone restarts.',
    cause: 'that version of the tool',
    did: 'went back to an older version of it on both ends',
    lab: desk({
      zone: 'Asia/Jakarta',
      direct: 2,
      usb: true,
      from: '2022-12-01',
      days: 20,
      models: ['Galaxy A20', 'Redmi 9'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [15, '20:12'],
        [15, '20:17'],
        [15, '20:31'],
        [16, '09:48'],
        [16, '10:02'],
        [16, '10:09'],
        [16, '15:26'],
        [16, '21:14'],
        [17, '09:05'],
        [17, '09:13'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        const forMs = Math.round(lab.random.between(36, 55) * SECOND);
        losses.push(lab.reboot(phone, at, { forMs }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '09:40'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|program|\btools?\b|software|\broot|version|module|came last|installed|\bsystem\b|crash/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy Tab A7 freezes and restarts when it rests for minutes with its camera on, but never on its charger',
    source: 'TheTimeWalker/wallpanel-android#134',
    seen: 'A panel for the home with its camera and the recognition of faces on works for the first minutes. Left alone for about five, the tablet freezes and restarts. With the charger in it does not. Without the camera it does not.',
    cause:
      'not found: the camera in use while it runs on its battery, which the system or the battery does not stand',
    did: 'tried the lock screen on and off, and other rights; nobody answered',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      network: 2,
      from: '2024-04-29',
      days: 20,
      models: ['Galaxy Tab A7', 'Nokia 6.1'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '20:18'],
        [14, '20:37'],
        [14, '21:05'],
        [15, '19:46'],
        [15, '20:11'],
        [16, '20:28'],
        [16, '20:52'],
        [16, '21:20'],
        [17, '19:33'],
        [17, '19:58'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        // its owner lets the debugging on Wi-Fi in again
        const forMs = Math.round(lab.random.between(2.5, 7) * MINUTE);
        losses.push(lab.reboot(tablet, at, { forMs }));
      }
      // on its charger at night and by day, on its battery in the evening
      tablet.reading = (now) => {
        const hour = ((now - lab.start) / HOUR) % 24;
        const isOnBattery = hour >= 19 && hour < 22.5;
        const levelPercent = Math.round(isOnBattery ? 100 - (hour - 19) * 13 : hour >= 22.5 ? 72 : 100);
        return {
          levelPercent,
          isFull: levelPercent === 100 && !isOnBattery,
          temperatureDecicelsius: isOnBattery ? 352 : 318,
        };
      };
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(17, '20:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /freez|\bapps?\b|camera|memory|software|\bsystem\b|batter|charg|power|crash|update|by itself/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S7 Edge turns itself off at two thirds of its charge, and has a fifth of it or less then',
    source: 'ananjaser1211/FloydQ_Reports#101',
    seen: 'It suddenly turns off even at 65 %. Charged to 65 % and more in the evening and left overnight, it has less than 20 % in the morning. Days of emptying and filling it changed nothing.',
    cause: 'its battery, whose charge is not what it shows',
    did: 'emptied and charged it in full for days, and tried an app that calibrates it',
    lab: {
      zone: 'Asia/Manila',
      hubs: [],
      network: 2,
      from: '2020-05-11',
      days: 24,
      models: ['Galaxy S7 Edge', 'Huawei P20'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const points: [at: number, percent: number][] = [[lab.start, 84]];
      for (let day = 0; day < 14; day += 1)
        points.push([lab.at(day, '07:00'), 100], [lab.at(day, '22:00'), 46]);
      const off: [number, number][] = [];
      for (const [day, time, percent, minutes, after] of [
        [14, '15:42', 65, 34, 17],
        [15, '11:20', 71, 52, 20],
        [16, '18:05', 58, 41, 12],
        [17, '13:33', 66, 27, 19],
        [19, '16:48', 62, 63, 9],
      ] as const) {
        const at = lab.at(day, time);
        const back = at + minutes * MINUTE;
        points.push(
          [lab.at(day, '07:20'), 100],
          [at - MINUTE, percent],
          [back, after],
          [back + 3 * HOUR, 97],
          [lab.at(day, '23:30'), 68],
          // overnight without its charger
          [lab.at(day + 1, '05:50'), 18],
        );
        off.push([at, back]);
        losses.push(offAndOn(lab, phone, at, back - at));
      }
      points.push([lab.at(18, '07:20'), 100], [lab.at(18, '22:30'), 41]);
      points.sort(([one], [other]) => one - other);
      const level = levels(points);
      phone.reading = (now) => (off.some(([from, to]) => now >= from && now < to) ? undefined : level(now));
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /batter|charg|\bpower\b|empty/i },
      };
    },
  },
  {
    name: 'a Galaxy J5 asks to be debugged after each start of the computer and each time it is plugged in, though it was told always',
    source: 'koush/vysor.io#1361',
    seen: 'Although “always allow” was ticked, the phone asks for its confirmation anew each time the computer was started, and each time it was unplugged and is plugged in again.',
    cause: 'the phone loses what it was allowed',
    did: 'was told to switch off the timeout of the authorizations of adb, and to update the phone',
    lab: desk({
      zone: 'Europe/Athens',
      direct: 1,
      from: '2023-12-18',
      days: 19,
      models: ['Galaxy J5'],
    }),
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const asks = (at: number, forMs: number | undefined) => {
        lab.phone(phone, at, { kind: 'state', state: 'unauthorized', before: 'device' });
        if (forMs !== undefined)
          lab.phone(phone, at + forMs, { kind: 'state', state: 'device', before: 'unauthorized' });
      };
      for (let day = 1; day <= 17; day += 1) {
        const off = lab.at(day - 1, '22:10') + Math.round(lab.random.between(0, 70) * MINUTE);
        const on = lab.at(day, '08:20') + Math.round(lab.random.between(0, 50) * MINUTE);
        offOvernight(lab, off, on);
        phone.busy.push({ from: off, to: on });
        asks(on + 4 * SECOND, day === 17 ? undefined : Math.round(lab.random.between(35, 400) * SECOND));
      }
      for (const [day, time, minutes] of [
        [11, '12:40', 55],
        [12, '17:05', 90],
        [14, '13:10', 24],
        [15, '18:20', 41],
      ] as const) {
        const at = lab.at(day, time);
        const back = at + minutes * MINUTE;
        lab.lose(phone, at, { forMs: back - at, backAs: 'unauthorized' });
        lab.phone(phone, back + Math.round(lab.random.between(20, 90) * SECOND), {
          kind: 'state',
          state: 'device',
          before: 'unauthorized',
        });
      }
      background(lab, { isUpdated: false, taken: 0 });
      return {
        at: lab.at(17, '10:30'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /allow|confirm|authori[sz]|accept|debugging|revoke|timeout|\bkeys?\b|asks/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 5 leaves the Wi-Fi twenty minutes after its screen is off, and is back as soon as it is on',
    source: 'GrapheneOS-Archive/legacy_bugtracker#134',
    seen: 'With the screen off for about twenty minutes it is off the Wi-Fi, and it connects again once its screen is on. So it is with several routers, on both bands, and with Wi-Fi set to stay on during sleep.',
    cause: 'the phone, whose system lets its Wi-Fi go while it sleeps; others have it with other systems',
    did: 'was told to try whether it stays on the network while it is kept awake',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      network: 3,
      from: '2015-12-14',
      days: 22,
      models: ['Nexus 5', 'Moto X', 'Nexus 9'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const asked = lab.at(20, '17:10');
      const losses: ToldLoss[] = [];
      // when it is used, and for how long
      const uses: [number, number][] = [];
      for (let day = 12; day < 21; day += 1)
        for (const [time, minutes] of [
          ['07:25', 25],
          ['09:50', 8],
          ['12:35', 30],
          ['15:20', 6],
          ['18:10', 45],
          ['21:15', 65],
        ] as const) {
          const from = lab.at(day, time) + Math.round(lab.random.between(0, 28) * MINUTE);
          uses.push([from, from + Math.round(minutes * lab.random.between(0.6, 1.2) * MINUTE)]);
        }
      for (const [index, [, until]] of uses.entries()) {
        const at = until + Math.round(lab.random.between(17, 31) * MINUTE);
        const next = uses[index + 1]?.[0];
        if (next !== undefined && next - at > 2 * MINUTE)
          losses.push(lab.lose(phone, at, { forMs: next - at + 4 * SECOND }));
      }
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'link', 'network'],
        told: {
          about: ['phone', 'network'],
          says: /asleep|sleep|screen|Wi-?Fi|power[- ]sav|saves? power|awake|idle|stand-?by|doze/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 2 does not get into its Wi-Fi after hours without it, until it is restarted',
    source: 'GrapheneOS-Archive/legacy_bugtracker#865, GrapheneOS-Archive/legacy_bugtracker#866',
    seen: 'When its Wi-Fi was off for some hours and is switched on again, it tries, shows the network as saved, and tries again, without end. After a restart it is in at once. Three routers, all the same.',
    cause:
      'the routers choose channels that make room for radar, with which this phone does not get on; other networks do no harm',
    did: 'set the router to one fixed channel (44), 20 MHz wide',
    cannotShow:
      'no record holds the channel of a router, nor that somebody switched the Wi-Fi of a phone off',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      network: 2,
      from: '2018-05-14',
      days: 22,
      models: ['Pixel 2', 'Galaxy Tab S3'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, off, tried] of [
        [12, '08:35', '17:52'],
        [14, '12:10', '16:25'],
        [15, '09:20', '18:30'],
        [16, '08:50', '13:05'],
        [17, '10:15', '19:40'],
        [18, '09:05', '17:20'],
        [19, '11:30', undefined],
      ] as const) {
        const at = lab.at(day, off);
        if (tried === undefined) {
          losses.push(lab.lose(phone, at));
          continue;
        }
        // for some minutes it tries in vain, then its owner restarts it
        const back = lab.at(day, tried) + Math.round(lab.random.between(8, 26) * MINUTE);
        losses.push(lab.lose(phone, at, { forMs: back - at }));
        lab.rebooted(phone, back + 15 * SECOND, { reason: 'reboot,userrequested', uptimeSeconds: 48 });
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '18:20'),
        losses,
        blame: ['phone', 'link', 'network', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|channel|access point|router|wireless|\b5 ?GHz|band/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy Tab S is dead in the morning, although it was left on its charger overnight',
    source: 'http://narrowboat-waiouru.blogspot.com/2018/02/moses-didnt-have-this-problem.html',
    seen: 'Left on charge in the evening, the tablet does not turn on in the morning. Charger and cable are well. For some time it had been charged in some nights only.',
    cause: 'its battery has died',
    did: 'opened it, looked at its connections, and ordered a new battery',
    lab: {
      zone: 'Australia/Perth',
      hubs: [],
      network: 2,
      from: '2018-01-22',
      days: 18,
      models: ['Galaxy Tab S', 'Galaxy J2'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const died = lab.at(16, '02:50');
      const points: [at: number, percent: number][] = [[lab.start, 76]];
      // on charge from half past ten in the evening: what it has then, and in the morning
      for (const [day, evening, morning] of [
        [0, 38, 100],
        [1, 41, 100],
        [2, 35, 49],
        [3, 27, 100],
        [4, 44, 100],
        [5, 30, 36],
        [6, 19, 97],
        [7, 42, 100],
        [8, 33, 31],
        [9, 16, 88],
        [10, 29, 42],
        [11, 21, 100],
        [12, 36, 38],
        [13, 18, 61],
        [14, 26, 29],
      ] as const)
        points.push([lab.at(day, '22:30'), evening], [lab.at(day + 1, '06:30'), morning]);
      points.push([lab.at(15, '22:30'), 14], [died, 1]);
      tablet.reading = levels(points);
      const losses = [lab.lose(tablet, died)];
      background(lab, { isDaily: true, hours: [7, 21] });
      return {
        at: lab.at(16, '08:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /batter|charg|\bpower\b|empty|\bcable\b/i,
        },
      };
    },
  },
];
