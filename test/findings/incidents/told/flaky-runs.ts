/**
 * Incidents of runs of tests and benchmarks that fail now and then because a phone or an emulator is gone in the midst of
 * them: what the tools of the run do to adb, what a run does to a phone, and what the hosts of such runs cannot bear.
 */
import { adbRestarts, background, inUse } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Phones at ports of the computer itself. */
const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

const CONTROLLER = '0000:00:14.0';

/** What helps with a phone that something on it brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|program|memory|storage|crash|kernel|firmware|panic|update|\blogs?\b|bug ?report|by itself/i;

/** What helps when tools of a run end, start or replace the adb that runs. */
const OTHER_ADB =
  /version|kill-server|(kill|end|stop|start|restart|replac)(s|ed|ing)?\b.{0,30}\badb\b|\badb\b.{0,40}(kill|end|stop|start|restart|replac)|(another|other|second|two|own|same) (adb|program|tool)|what runs/i;

/** Another adb runs from then on: what hangs at USB is listed by it a moment later. */
function listedAnew(lab: Lab, at: number, phones: readonly LabPhone[], version?: number): ToldLoss[] {
  const back = adbRestarts(lab, at, version, 2 * SECOND);
  return phones.map((phone) => lab.lose(phone, back + 500, { forMs: lab.random.between(1, 3) * SECOND }));
}

export const flakyRuns: readonly Incident[] = [
  {
    name: 'a test of airplane mode on one phone costs the other phone its run',
    source: 'appium/appium#5272',
    seen: 'Two phones run the same tests side by side. When the tests switch airplane mode or Wi-Fi, it works on one of the two, and the other one loses adb in the middle: no device, and adb is restarted again and again. Tests that leave the network alone run fine.',
    cause: 'after each change of the network the tool ends the adb server, which both phones share',
    did: 'was told that this is not yet supported; one runs well as long as nothing ends the server',
    lab: { ...desk, zone: 'Asia/Kolkata', from: '2015-06-01', days: 23, models: ['Moto X', 'Galaxy S5'] },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [16, '17:20', 4],
        [17, '11:35', 6],
        [17, '18:10', 5],
        [21, '12:05', 7],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = times; left > 0; left -= 1) {
          losses.push(...listedAnew(lab, at, phones));
          at += lab.random.between(14, 75) * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(21, '12:30'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host'], says: OTHER_ADB },
      };
    },
  },
  {
    name: 'a phone over Wi-Fi is gone whenever a run of Spoon begins',
    source: 'square/spoon#494',
    seen: 'The phone is connected with `adb connect`. As soon as Spoon starts to test the app, the phone is disconnected.',
    cause: 'not told; the tool brings up adb for its run, and what was connected by hand is forgotten then',
    did: 'asked',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2017-10-16',
      days: 18,
      models: ['Nexus 5', 'Mi 5'],
    },
    tell(lab) {
      const [wired, wireless] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '15:10', 6],
        [14, '15:48', 11],
        [14, '17:02', 3],
        [15, '10:20', 25],
        [15, '11:31', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(...listedAnew(lab, at, [wired]));
        const away = minutes ? { forMs: minutes * MINUTE } : {};
        losses.push(lab.lose(wireless, at + 2 * SECOND + 600, away));
      }
      background(lab);
      return {
        at: lab.at(15, '11:55'),
        losses,
        blame: ['adb', 'host', 'person'],
        told: {
          about: ['host', 'network', 'phone'],
          says: new RegExp(`${OTHER_ADB.source}|\\badb connect\\b|connect(s|ed)? (it )?(again|anew)`, 'i'),
        },
        alsoAbout: ['network', 'host'],
      };
    },
  },
  {
    name: 'the log window of a game editor loses its phone to the adb of a terminal, and the terminal to the editor',
    source: 'Unity-Technologies/com.unity.mobile.logcat#104',
    seen: 'Once adb is used in a terminal, the log window of the editor has no phone any more. To end that adb and to press “reconnect” does nothing; after a restart of the editor it works.',
    cause: 'two versions of adb: that of the editor and that of the terminal end each other’s server',
    did: 'restarted the editor each time',
    lab: {
      ...desk,
      zone: 'America/Los_Angeles',
      direct: 1,
      from: '2020-05-04',
      days: 18,
      models: ['Pixel 3'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, terminal, editor] of [
        [10, '14:20', '14:52'],
        [14, '10:22', '11:05'],
        [14, '16:40', '16:58'],
        [15, '15:41', '16:03'],
        [16, '09:50', '10:31'],
        [16, '11:12', undefined],
      ] as const) {
        losses.push(...listedAnew(lab, lab.at(day, terminal), [phone], 41));
        if (editor) losses.push(...listedAnew(lab, lab.at(day, editor), [phone], 40));
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '11:40'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host'], says: OTHER_ADB },
      };
    },
  },
  {
    name: 'adb of a container ends as soon as a second phone is plugged into the host',
    source: 'appium/appium-docker-android#172',
    seen: 'A container is given one phone, and lists it. When a second phone is plugged in, adb in the container fails: the daemon is not running, and does not come up when it is started. So no two containers can run with a phone each.',
    cause:
      'not told there; it seems that its adb meets the second phone, which was not given to its container, and ends over it',
    did: 'asked',
    lab: { ...desk, zone: 'Europe/Kyiv', from: '2025-02-03', days: 19, models: ['Pixel 6', 'Galaxy A54'] },
    tell(lab) {
      const [given, second] = [lab.pinned(0), lab.pinned(1)];
      second.isThereAtFirst = false;
      second.busy.push({ from: lab.start, to: lab.end });
      const losses: ToldLoss[] = [];
      const usual = inUse(lab);
      const away: [number, number][] = [];
      for (const [day, time, minutes] of [
        [15, '16:20', 14],
        [16, '09:40', 31],
        [16, '14:05', 9],
        [17, '10:02', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
        const back = minutes ? at + minutes * MINUTE : lab.end;
        away.push([at, back]);
        if (minutes === undefined) continue;
        lab.host(back, { kind: 'adbBack' });
        lab.host(back + 200, { kind: 'adbReplaced', version: 41 });
        losses.push(lab.lose(given, back + 600, { forMs: lab.random.between(1, 3) * SECOND }));
      }
      given.reading = (now) => (away.some(([from, to]) => now >= from && now < to) ? undefined : usual(now));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '10:40'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host'], says: /\badb\b.{0,60}(run|start|answer|there|server)|start-server|server/i },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a phone restarts as soon as its processor for models gets a benchmark',
    source: 'UbiquitousLearning/mllm#114',
    seen: 'The program is started over adb. It loads its model, and while it sets up the parts for the neural processor the phone crashes and restarts, each time.',
    cause:
      'the program, or the driver of that processor; it was narrowed down to the part that is being set up',
    did: 'wrote a log of each step, to find the one at which the phone restarts',
    lab: {
      ...desk,
      zone: 'Asia/Seoul',
      usb: true,
      from: '2024-07-29',
      days: 18,
      models: ['Phone with an NPU', 'Pixel 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [11, '15:21'],
        [11, '15:49'],
        [11, '16:33'],
        [14, '10:26'],
        [14, '11:04'],
        [14, '11:41'],
        [14, '14:12'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 50) * SECOND, {
            forMs: Math.round(lab.random.between(38, 60) * SECOND),
          }),
        );
      background(lab);
      return {
        at: lab.at(14, '15:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a Zenfone freezes and restarts some seconds after a suite of security tests is launched on it',
    source: 'AndroidVTS/android-vts#40',
    seen: 'The sign of progress turns for a few seconds, the whole phone freezes, and a few seconds later it restarts. Two people see it with this model.',
    cause: 'the tests were not made for the Intel processor of this phone',
    did: 'the makers added builds for more processors, and asked for help with this one',
    lab: {
      ...desk,
      zone: 'America/New_York',
      from: '2015-10-19',
      days: 21,
      models: ['Zenfone 2', 'Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [17, '20:15'],
        [17, '20:24'],
        [18, '08:41'],
        [18, '12:31'],
        [18, '12:40'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.between(8, 20) * SECOND, {
            forMs: Math.round(lab.random.between(52, 80) * SECOND),
          }),
        );
      background(lab);
      return {
        at: lab.at(18, '13:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'the controller of one computer cannot bear a farm of a dozen phones',
    source: 'https://dylanlafontsee.com/software%20engineering/device-farm/',
    seen: 'With ten phones and more at one computer the USB controller crashes as a rule, and phones are disconnected all the time.',
    cause: 'the controller of a common mainboard has room for so many endpoints only',
    did: 'put small groups of phones at several cheap computers, each with an adb of its own',
    lab: {
      zone: 'America/New_York',
      hubs: [7, 7],
      free: 2,
      usb: true,
      controllerId: ['8086', 'a36d'],
      from: '2026-01-05',
      days: 22,
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const [first, more] = [phones.slice(0, 6), phones.slice(6)];
      const plugged = lab.at(14, '13:30');
      for (const [index, phone] of more.entries()) {
        const at = plugged + index * 4 * MINUTE;
        phone.isThereAtFirst = false;
        phone.busy.push({ from: lab.start, to: at });
        lab.usb(phone, lab.start, null);
        lab.usb(phone, at, undefined);
        lab.phone(phone, at, { kind: 'attached', state: 'device' });
        const reading = inUse(lab);
        phone.reading = (now) => (now < at ? undefined : reading(now));
      }
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '15:02', 22],
        [15, '10:47', 13],
        [15, '16:20', 41],
        [16, '11:33', 18],
        [17, '09:55', 9],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, {}, 'died', CONTROLLER);
        const restartedAt = at + minutes * MINUTE;
        lab.host(restartedAt, { kind: 'agentStopped' });
        const startedAt = restartedAt + 75 * SECOND;
        lab.host(startedAt, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: restartedAt + 38 * SECOND,
          lastAliveAt: restartedAt,
        });
        losses.push(
          ...lab.loseAll([...first, ...more], at + 200, {
            spreadMs: 400,
            gone: 'controller',
            forMs: startedAt + 2 * SECOND - at,
          }),
        );
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '10:30'),
        losses,
        blame: ['host'],
        told: {
          about: ['host', 'hub', 'port'],
          says: /controller|endpoint|fewer|too many|(another|second|more) (computer|host|card)|\bcard\b/i,
        },
        alsoAbout: ['hub', 'port'],
      };
    },
  },
  {
    name: 'a phone at a Raspberry Pi connects anew now and then, and the test waits for it forever',
    source: 'dtmilano/AndroidViewClient#243',
    seen: 'A Raspberry Pi runs tests on a phone. For some reason the phone seems to reconnect at random, and a test that is about to begin just then is stuck without an error.',
    cause: 'not found; the makers of the tool mended only that it waits forever',
    did: 'pulled the cable on purpose to see it again, and had the tool look for that',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2018-04-02',
      days: 25,
      models: ['Nexus 5X'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '02:41'],
        [14, '11:17'],
        [15, '19:52'],
        [16, '08:05'],
        [17, '15:33'],
        [17, '22:10'],
        [19, '04:26'],
        [20, '13:08'],
        [21, '09:49'],
        [21, '23:37'],
        [22, '17:14'],
        [23, '06:58'],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), { forMs: Math.round(lab.random.between(0.9, 4) * SECOND) }),
        );
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|\bports?\b|socket|contact|power|\bhub\b|loose/i,
        },
      };
    },
  },
  {
    name: 'phones go offline in long runs of shader tests, and testing grinds to a halt',
    source: 'google/graphicsfuzz#382',
    seen: 'When a lot of tests is run, a phone often goes offline. From then on no test gets anywhere, and the results mislead.',
    cause: 'not found',
    did: 'had the runner notice that the phone is offline, connect it anew, and tell it from a failed test',
    lab: {
      zone: 'Europe/London',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2019-02-18',
      days: 20,
      models: ['Pixel 3', 'Galaxy S9', 'Honor 10'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [which, day, time, hours] of [
        [1, 8, '20:10', 13.2],
        [0, 10, '15:25', 0.6],
        [1, 14, '22:48', 10.6],
        [0, 15, '11:05', 0.4],
        [2, 15, '23:31', 9.8],
        [1, 17, '01:56', undefined],
      ] as const)
        losses.push(
          lab.lose(lab.pinned(which), lab.at(day, time), {
            as: 'offline',
            ...(hours && { forMs: hours * HOUR }),
          }),
        );
      background(lab);
      return {
        at: lab.at(17, '09:40'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'hub', 'host'],
          says: /reconnect|connect(s|ed)? (it )?(again|anew)|restart|reboot|kill-server|\bplug|cable/i,
        },
      };
    },
  },
  {
    name: 'the phone of a bot is not found in the midst of its tests, after a command took nineteen minutes',
    source: 'dart-lang/sdk#35243, dart-lang/sdk#33822',
    seen: 'Tests on several bots fail with “device not found”. On one of them a command that removes a folder first took 19 minutes, and the next one found no phone. At other times there is no phone when the tests begin. It goes on for more than a year; for a while it is no longer rare on one of the bots.',
    cause: 'not told',
    did: 'made the run end when a command of adb fails, so that it counts as a fault of the bot and not of the tests',
    cannotShow: 'nobody found out why, and how long a command of a test takes is not recorded',
    lab: { ...desk, zone: 'Europe/Copenhagen', direct: 1, usb: true, from: '2018-11-05', days: 33 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const mute: [number, number][] = [];
      for (const [day, time, minutes] of [
        [17, '09:34', 48],
        [21, '03:12', 205],
        [24, '14:50', 22],
        [28, '21:05', 130],
        [31, '11:28', 35],
      ] as const) {
        const at = lab.at(day, time);
        mute.push([at - 19 * MINUTE, at]);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE }));
      }
      const usual = inUse(lab);
      phone.reading = (now) => (mute.some(([from, to]) => now >= from && now < to) ? undefined : usual(now));
      background(lab);
      return {
        at: lab.at(31, '12:30'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /cable|\bplug|\bport\b|socket|restart|reboot|replac|reconnect/i,
        },
      };
    },
  },
  {
    name: 'an emulator in the network goes offline while an app is installed, and can still be used by hand',
    source: 'gojuno/composer#25',
    seen: 'The install runs into its time limit at 24 % of the run, whatever the limit is. After that adb calls the emulator offline, on every computer; on its own screen it works.',
    cause: 'not found; thought to be the way of adb over the network',
    did: 'installed with another library, and had no more of it',
    cannotShow: 'what is sent to a device, and by which program, is not recorded',
    lab: { zone: 'Europe/Moscow', hubs: [], network: 4, from: '2017-04-17', days: 20, models: ['Emulator'] },
    tell(lab) {
      const emulators = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [which, day, time, minutes] of [
        [0, 14, '15:32', 41],
        [2, 15, '11:20', 26],
        [1, 15, '16:05', 57],
        [0, 16, '10:41', 33],
        [3, 16, '17:30', 62],
        [1, 17, '12:12', undefined],
      ] as const) {
        const away = { as: 'offline', ...(minutes && { forMs: minutes * MINUTE }) };
        losses.push(lab.lose(emulators[which] as LabPhone, lab.at(day, time), away));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '13:00'),
        losses,
        blame: ['phone', 'link', 'network', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /restart|start(s|ed)? (it )?(again|anew)|reconnect|\badb connect\b|network|kill-server/i,
        },
      };
    },
  },
  {
    name: 'emulators of the build machines die in the middle of a run, and every test after that finds none',
    source: 'trezor/trezor-suite#31864, trezor/trezor-suite#31971',
    seen: 'Of five emulators that share the tests one is often gone in mid-run. Each test fails as the emulator is not found, and the job ends by its time limit of 50 minutes only.',
    cause: 'the emulator itself crashes; its renderer in software was suspected',
    did: 'watched it, started it anew when it died, and ran that part once more; kept its crash reports; made its settings plain and changed its renderer',
    lab: { zone: 'Europe/Prague', hubs: [], emulators: 5, from: '2026-08-10', days: 20 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const [which, day, time] of [
        [1, 8, '10:31'],
        [4, 8, '15:06'],
        [0, 9, '11:48'],
        [1, 10, '09:57'],
        [3, 10, '16:22'],
        [2, 11, '13:40'],
        [4, 14, '10:13'],
        [0, 14, '17:35'],
        [3, 15, '12:02'],
        [1, 16, '09:41'],
        [2, 16, '14:55'],
        [4, 17, '11:26'],
        [0, 18, '10:08'],
      ] as const)
        losses.push(
          lab.lose(emulators[which] as LabPhone, lab.at(day, time) + lab.random.between(0, 50) * SECOND, {
            forMs: Math.round(lab.random.between(18, 42) * MINUTE),
          }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '10:20'),
        losses,
        blame: ['phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /crash|\blogs?\b|memory|render|graphics|\bGPU\b|restart|start(s|ed)? (it )?(again|anew)|\bends?\b/i,
        },
      };
    },
  },
];
