/** Incidents of continuous integration and of the tools that run tests on phones and emulators, most of them of late. */
import { adbRestarts, agentStartsFirst, background, hostRestarts, inUse, offUntil } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at a port of the host itself. */
const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

export const incidents: readonly Incident[] = [
  {
    name: 'the phone of mac-34 switches itself off one night, and again over a weekend two weeks later',
    source: 'flutter/flutter#155164, flutter/flutter#155848',
    seen: 'On September 13 the machine has no phone in the morning, on September 27 in the afternoon.',
    cause: 'the phone switches itself off',
    did: 'pressed its power button in the evening; reset the phone on the Monday after the second time',
    lab: { ...single, from: '2024-08-26', days: 36 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        offUntil(lab, phone, [18, '02:50'], [18, '17:20']),
        offUntil(lab, phone, [32, '13:25'], [35, '09:40']),
      ];
      background(lab);
      return {
        at: lab.at(32, '15:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /power|button|switch|\boff\b|batter|re(start|boot|set)|replac/i,
        },
      };
    },
  },
  {
    name: 'the phone of linux-18 switches itself off in the night again and again, until it is replaced',
    source: 'flutter/flutter#148769',
    seen: 'In the morning of May 21 the machine has no phone. It is not the first night.',
    cause: 'the old phone keeps switching itself off overnight',
    did: 'put another phone in its place',
    lab: { ...single, usb: true, from: '2024-05-01', days: 22 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        offUntil(lab, phone, [12, '02:10'], [12, '09:25']),
        offUntil(lab, phone, [15, '23:40'], [16, '09:10']),
        offUntil(lab, phone, [18, '03:30'], [19, '09:20']),
      ];
      // It is still off when somebody asks: of that alone no record says more.
      lab.lose(phone, lab.at(20, '04:15'));
      background(lab);
      return {
        at: lab.at(20, '09:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /power|switch|\boff\b|batter|replac|swap|another phone|hardware/i,
        },
      };
    },
  },
  {
    name: 'each command to adb starts a server that dies as soon as it has answered',
    source: 'https://sonyxperiadev.github.io/ave/handset/docs/adb_server_api.html',
    seen: 'At times the server of adb does not stay: every command of a client starts one, which ends with the answer, and all handsets of the host lose their connection each time.',
    cause:
      'under some conditions the server does not become a daemon; a client that ended the one before brings it about',
    did: 'had the server started as root when the host boots, and watched by a program that ends every other one',
    lab: { zone: 'Europe/Stockholm', hubs: [7, 7], free: 2, from: '2014-03-03', days: 18 },
    tell(lab) {
      const phones = lab.usbPhones;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '13:40', 11],
        [14, '10:15', 8],
        [16, '15:05', 15],
      ] as const) {
        const end = lab.at(day, time) + minutes * MINUTE;
        for (let at = lab.at(day, time); at < end; ) {
          const back = adbRestarts(lab, at, 31, Math.round(lab.random.between(1, 3) * SECOND));
          const late = lab.random.shuffled(phones).slice(0, lab.random.whole(2, 6));
          losses.push(
            ...lab.loseAll(late, back + 500, {
              forMs: 2 * SECOND,
              backSpreadMs: 2 * SECOND,
              gone: 'nothing',
            }),
          );
          at = back + Math.round(lab.random.between(25, 70) * SECOND);
        }
      }
      background(lab);
      return {
        at: lab.at(16, '15:25'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /kill-server|adb.{0,80}(restart|start|end|die|stop|replac)|(restart|start|end|stop|replac).{0,80}adb|(an)?other program/i,
        },
      };
    },
  },
  {
    name: 'a test program restarts its phone after each thirty runs',
    source: 'flutter/flutter#69447, flutter/flutter#69703',
    seen: 'Phones of the lab restart several times a day since the change; some tests fail by it.',
    cause: 'the program that runs the tests restarts the phone after thirty of them, on purpose',
    did: 'took the change back',
    lab: { ...single, usb: true, from: '2020-10-12', days: 24, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(21, '11:05'); at < lab.at(22, '13:00'); ) {
        losses.push(
          lab.reboot(phone, at, { forMs: lab.random.between(38, 55) * SECOND, reason: 'reboot,shell' }),
        );
        at += Math.round(lab.random.between(1.6, 2.5) * HOUR);
      }
      background(lab);
      return {
        at: lab.at(22, '13:20'),
        losses,
        blame: ['person', 'adb', 'host'],
        told: {
          about: ['phone', 'host'],
          says: /(adb|shell|command|script|program|test|some(body|thing)).{0,80}(reboot|restart)|(reboot|restart).{0,80}(adb|shell|command|script|program|test)/i,
        },
      };
    },
  },
  {
    name: 'a test switches to airplane mode, its server restarts adb, and one phone is not found any more',
    source: 'appium/appium#5326',
    seen: 'On some phones, as on an LG, a test that sets the network ends: adb is killed after it, and the phone cannot be attached again. On others it works.',
    cause: 'the test server kills adb when the network of the phone was changed',
    did: 'reported it',
    lab: {
      ...single,
      direct: 3,
      from: '2015-06-15',
      days: 18,
      models: ['LG G4', 'Nexus 5', 'Galaxy S5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [14, '17:20', 14],
          [15, '10:35', 9],
          [15, '15:48', 31],
          [16, '11:10', 17],
          [16, '20:02', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const back = adbRestarts(lab, lab.at(day, time) + 43 * SECOND, 32, 2 * SECOND);
        return lab.lose(phone, back + 300, {
          ...(minutes && { forMs: minutes * MINUTE }),
          gone: 'nothing',
        });
      });
      background(lab);
      return {
        at: lab.at(16, '20:25'),
        losses,
        blame: ['adb', 'phone'],
        told: {
          about: ['host', 'phone', 'port'],
          says: /kill-server|adb.{0,80}(restart|end|kill|stop|replac)|(restart|end|kill|stop|replac).{0,80}adb|(an)?other program|plug|reconnect/i,
        },
      };
    },
  },
  {
    name: 'a phone of a test queue is offline, and asks for a key minutes later',
    source: 'dotnet/dnceng#1819',
    seen: 'A job waits five minutes for a phone that is offline; then adb calls it unauthorized.',
    cause: 'not told',
    did: 'reported it',
    cannotShow: 'the report does not say why the phone was offline, and why it asks for the key again',
    lab: { ...single, from: '2024-01-01', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(14, '06:14'), { as: 'offline', forMs: 7.2 * MINUTE, backAs: 'unauthorized' }),
      ];
      background(lab);
      return {
        at: lab.at(14, '09:30'),
        losses,
        blame: ['phone', 'port', 'adb', 'host', 'person', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /accept|allow|authoriz|confirm|prompt|\bkeys?\b/i,
        },
      };
    },
  },
  {
    name: 'several times a week a phone of a lab is offline when a test begins',
    source: 'flutter/flutter#176352',
    seen: 'Several times a week a test fails at once, as adb calls the only phone of the machine offline, on September 24 at 17:54.',
    cause: 'not told',
    did: 'reported it',
    cannotShow: 'the report does not say why the phone is offline',
    lab: { ...single, usb: true, from: '2025-09-08', days: 25, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [8, '20:41', 12],
          [10, '06:22', 7],
          [11, '15:09', 35],
          [14, '02:47', 21],
          [16, '17:49', 16],
          [18, '09:33', 6],
          [21, '13:58', 28],
          [22, '22:15', 11],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), { as: 'offline', forMs: minutes * MINUTE }),
      );
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /cable|plug|socket|re-?seat|reconnect|reboot|restart|replac|swap|another (port|phone)/i,
        },
      };
    },
  },
  {
    name: 'an emulator that each job makes anew is unauthorized until the job gives up',
    source: 'dotnet/maui#28882, dotnet/maui-labs#294',
    seen: 'In some jobs of a build the emulator is started, and adb calls it unauthorized for as long as the job waits.',
    cause: 'the emulator was made before adb had its pair of keys, and nobody can accept the new one',
    did: 'made sure that the keys are there, and copied the public one into the emulator before it starts',
    lab: { zone: 'America/New_York', hubs: [], from: '2025-03-24', days: 18 },
    tell(lab) {
      const emulator = lab.add('emulator', { name: 'emulator-5554', isThereAtFirst: false });
      emulator.isPinned = true;
      const jobs = [
        [8, '10:12', 'device', 44],
        [8, '15:30', 'unauthorized', 12],
        [9, '09:40', 'device', 51],
        [10, '11:25', 'device', 39],
        [10, '16:02', 'unauthorized', 12],
        [11, '13:18', 'device', 47],
        [14, '10:05', 'unauthorized', 12],
        [15, '09:55', 'device', 42],
        [15, '14:45', 'unauthorized', 12],
        [16, '11:10', 'unauthorized', 12],
      ] as const;
      lab.phone(emulator, lab.at(8, '10:12'), { kind: 'attached', state: 'device' });
      for (const [index, [day, time, , minutes]] of jobs.entries()) {
        const at = lab.at(day, time) + minutes * MINUTE;
        const next = jobs[index + 1];
        // the job ends, and its emulator with it
        lab.lose(emulator, at, next && { forMs: lab.at(next[0], next[1]) - at, backAs: next[2] });
      }
      background(lab);
      return {
        at: lab.at(16, '11:18'),
        told: {
          about: ['phone', 'host'],
          says: /accept|allow|authoriz|confirm|prompt|\bkeys?\b|adbkey/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'the machine of a phone restarts over and over, as the agent of its queue cannot load a module',
    source: 'dotnet/dnceng#1884',
    seen: 'On January 24 machines with phones report no more. Each is in a loop of restarts; the last job began at 07:07.',
    cause: 'the agent of the queue fails to load a module; with that the machine restarts, and begins anew',
    did: 'could not reach the machines, and set out to rebuild one of them',
    lab: { ...single, from: '2024-01-10', days: 15 },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(14, '07:26'); at < lab.at(14, '10:30'); ) {
        hostRestarts(lab, at);
        losses.push(lab.lose(phone, at + 80 * SECOND + 500, { forMs: lab.random.between(2, 7) * SECOND }));
        at += Math.round(lab.random.between(5, 8) * MINUTE);
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(14, '10:35'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /restart|reboot|\bboots?\b|booted|power|crash|journal|\blog/i },
        alsoAbout: ['room'],
      };
    },
  },
  {
    name: 'adb of a computer answers no more, and a tool says only to try again',
    source: 'callstack/agent-device#1079',
    seen: 'The list of phones does not come within ten seconds, whenever it is asked for.',
    cause: 'the server of adb hangs; why is not told',
    did: 'had the tool say that the server should be killed and started, which helps',
    lab: { zone: 'Europe/Warsaw', hubs: [], direct: 1, emulators: 1, from: '2026-06-20', days: 16 },
    tell(lab) {
      const hung = lab.at(14, '10:12');
      for (const phone of lab.phones) phone.busy.push({ from: hung - HOUR, to: lab.end });
      const usual = lab.phones.map(() => inUse(lab));
      for (const [index, phone] of lab.phones.entries())
        if (phone.connection !== 'emulator')
          phone.reading = (at) => (at < hung ? usual[index]?.(at) : undefined);
      lab.host(hung, { kind: 'adbLost', failureKind: 'silent' });
      background(lab);
      return {
        at: lab.at(14, '10:40'),
        told: {
          about: ['host'],
          says: /kill-server|(restart|end|stop|kill|start).{0,30}(adb|server)|adb.{0,40}restart|end its process/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'night after night adb gets no answer from a phone after some tests, and in the morning it works',
    source: 'appium/appium#8312',
    seen: 'After a few tests of the night each command to the phone runs into its timeout, the log hangs too, and every further test fails. Started by hand in the morning the tests run.',
    cause: 'not found; a fault of adb was suspected',
    did: 'ran the tests by hand in the morning',
    cannotShow: 'why the phone gives no answer was not found, and no record says which tests run',
    lab: {
      zone: 'Europe/Budapest',
      hubs: [],
      direct: 2,
      from: '2017-04-03',
      days: 22,
      models: ['Galaxy S6', 'Nexus 5X'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const silent: { phone: LabPhone; from: number; to: number }[] = [];
      for (const [index, [day, time]] of (
        [
          [11, '01:35'],
          [14, '02:50'],
          [15, '01:10'],
          [17, '03:05'],
          [18, '00:55'],
          [21, '02:20'],
        ] as const
      ).entries()) {
        const phone = phones[index % 2] as LabPhone;
        const from = lab.at(day, time);
        const to = lab.at(day, '08:40') + lab.random.whole(0, 30) * MINUTE;
        lab.facts(phone, from, { isSilent: true, silentSince: from });
        lab.facts(phone, to, { isSilent: false });
        silent.push({ phone, from, to });
      }
      for (const phone of phones) {
        const usual = inUse(lab);
        const times = silent.filter((each) => each.phone === phone);
        phone.reading = (at) => (times.some(({ from, to }) => at >= from && at < to) ? undefined : usual(at));
      }
      background(lab);
      return {
        at: lab.at(21, '07:50'),
        told: {
          about: ['phone', 'port', 'host'],
          says: /kill-server|re(start|boot|connect)|plug|answer|respon|silent|hang/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'an emulator that nobody runs stays listed as offline, and a tool finds no device beside it',
    source: 'mobile-next/mobile-mcp#259',
    seen: 'adb lists an Android TV emulator as ready, and emulator-5562 as offline, which is none of theirs. The tool mostly shows an empty list.',
    cause: 'the entry that is offline fails the one command by which the tool asks for all devices',
    did: 'reported it',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      emulators: 1,
      from: '2026-01-19',
      days: 15,
      models: ['AOSP TV'],
    },
    tell(lab) {
      const ghost = lab.add('emulator', { name: 'emulator-5562', isThereAtFirst: false });
      ghost.isPinned = true;
      lab.phone(ghost, lab.at(12, '20:05'), { kind: 'attached', state: 'offline' });
      background(lab);
      return {
        at: lab.at(13, '15:20'),
        told: {
          about: ['phone', 'host'],
          says: /kill-server|re(start|connect)|disconnect|clos|\bend(ed|s)?\b|\bstart|offline/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'in the midst of the tests of a build its emulator is offline, and has ended',
    source:
      'FlowCrypt/flowcrypt-android#1104, FlowCrypt/flowcrypt-android#1116, FlowCrypt/flowcrypt-android#1147',
    seen: 'Very often a build fails as the emulator is offline: of 19 tests 10 were run.',
    cause: 'the emulator was ended; by what is not told',
    did: 'tried a stronger machine, and made the tests steadier a week and a half later; it came back',
    cannotShow:
      'nobody says what ended the emulator, and neither its log nor the memory of the host is recorded',
    lab: { zone: 'Europe/Kyiv', hubs: [], from: '2021-03-04', days: 21 },
    tell(lab) {
      const emulator = lab.add('emulator', { name: 'emulator-5554', isThereAtFirst: false });
      emulator.isPinned = true;
      const builds = lab
        .workdays(6, 20)
        .flatMap((day) => ['10:30', '14:10', '17:25'].map((time) => lab.at(day, time)))
        .map((at) => at + lab.random.whole(0, 40) * MINUTE)
        .filter(() => lab.random.chance(0.7));
      const losses: ToldLoss[] = [];
      lab.phone(emulator, builds[0] ?? lab.end, { kind: 'attached', state: 'device' });
      for (const [index, begun] of builds.entries()) {
        const isEnded = lab.random.chance(0.6);
        const minutes = isEnded ? lab.random.between(9, 26) : lab.random.between(31, 38);
        const at = begun + Math.round(minutes * MINUTE);
        const next = builds[index + 1];
        const loss = lab.lose(emulator, at, next === undefined ? {} : { forMs: next - at });
        // else the build is over, and ends its emulator itself
        if (isEnded) losses.push(loss);
      }
      background(lab);
      return {
        at: lab.at(19, '18:30'),
        losses,
        blame: ['host', 'phone', 'adb', 'person', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /memory|\bCPU\b|load|crash|\blogs?\b|program|script|build|restart|start/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'all phones of one model drop out when they are controlled, at every port and hub, and the others do not',
    source: 'openstf/stf#283',
    seen: 'A set of Lenovo A850 is listed with all its data. Whenever somebody takes control of one, it leaves USB and comes back.',
    cause: 'some phones of this make do not work with what the farm does to control them',
    did: 'tried other ports and hubs in vain',
    lab: {
      zone: 'Europe/Kyiv',
      hubs: [7, 7],
      free: 3,
      usb: true,
      from: '2016-02-29',
      days: 19,
      models: ['Lenovo A850', 'Nexus 5', 'Galaxy S5'],
    },
    tell(lab) {
      const phones = lab.phones.filter(({ name }) => name.startsWith('Lenovo'));
      for (const phone of phones) phone.isPinned = true;
      const [port] = lab.freePorts(lab.start);
      const moved = lab.at(15, '11:30');
      const [first] = phones as [LabPhone];
      if (port) lab.lose(first, moved, { forMs: 4 * MINUTE, to: port });
      const losses: ToldLoss[] = [];
      for (const phone of phones)
        for (const day of lab.workdays(8, 18))
          for (const time of ['09:50', '12:20', '14:40', '16:30']) {
            if (lab.random.chance(0.55)) continue;
            let at = lab.at(day, time) + lab.random.whole(0, 50) * MINUTE;
            for (let tries = lab.random.whole(1, 3); tries > 0; tries -= 1) {
              const forMs = Math.round(lab.random.between(3, 12) * SECOND);
              if (lab.isFree(phone, at, at + MINUTE)) losses.push(lab.lose(phone, at, { forMs }));
              at += Math.round(lab.random.between(40, 150) * SECOND);
            }
          }
      background(lab);
      return {
        at: lab.at(17, '17:30'),
        losses: losses.filter(({ at }) => at < lab.at(17, '17:30')),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: phones.map(({ udid }) => udid),
          says: /model|replac|another phone|kind|firmware|updat|\bport\b|cable/i,
        },
        alsoAbout: ['port', 'hub'],
      };
    },
  },
  {
    name: 'the phone of linux-54 is lost twice within a week, and is back each time its plug was put in anew',
    source: 'flutter/flutter#165076, flutter/flutter#165441',
    seen: 'The machine has lost its phone on March 12 and again on March 18; so have others of the lab in these days.',
    cause: 'the plug of the cable; nothing else was looked for',
    did: 're-seated the USB cable, both times',
    lab: { ...single, usb: true, from: '2025-02-25', days: 23 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [15, '06:40', 4.5],
          [21, '03:15', 14],
        ] as const
      ).map(([day, time, hours]) => lab.lose(phone, lab.at(day, time), { forMs: hours * HOUR }));
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /re-?seat|cable|plug|socket/i,
        },
      };
    },
  },
  {
    name: 'a phone is away from adb in one test only, and listed when somebody looks',
    source: 'flutter/flutter#109001, flutter/flutter#111404',
    seen: 'One test of scrolling fails as no phone is found, at two machines with a Samsung A02; all other tests pass, and a look at the machine shows the phone.',
    cause: 'not found; it was taken for something that this test does',
    did: 'removed the test',
    cannotShow: 'our records do not say which test runs; why the phone goes away was not found',
    lab: { ...single, usb: true, from: '2022-07-18', days: 19, models: ['Galaxy A02'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [9, '13:05'],
          [11, '20:37'],
          [14, '11:48'],
          [15, '16:20'],
          [16, '09:12'],
          [17, '08:31'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(25, 160) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(17, '10:10'),
        losses,
        blame: ['port', 'link', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|re-?seat|replac|swap|another phone|\btests?\b/i,
        },
      };
    },
  },
];
