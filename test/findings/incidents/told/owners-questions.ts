/**
 * Incidents of one to three devices at the desk or in the home of somebody, who asked in the tracker of a tool, a system or
 * an app why the device goes away: after the standby of the computer, with the screen, at night, at half of its charge.
 */
import { background, inUse, notReadIn } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One device or a few at the computer of somebody. */
const desk = (more: LabOptions): LabOptions => ({ hubs: [], direct: 1, known: { slots: false }, ...more });

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
];
