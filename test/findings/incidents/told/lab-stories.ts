/** Incidents of device labs as those who keep them tell of them: trackers of projects whose tests and fuzzers run on phones. */
import {
  adbRestarts,
  agentStartsFirst,
  background,
  goneUntil,
  hostRestarts,
  inUse,
  notReadIn,
  offUntil,
} from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A machine of a big lab, with one phone at a port of its own. */
const bot: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** The same under Windows or macOS, which do not say at which USB port the phone is. */
const desktopBot: LabOptions = { ...bot, known: { slots: false, usbPath: false, hub: false } };

/** What helps with a phone that something on it brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|program|memory|storage|crash|kernel|firmware|panic|update|\blogs?\b|bug ?report|by itself/i;

export const labStories: readonly Incident[] = [
  {
    name: 'the phone of linux-35 turns itself off six times from the end of August to the second week of October',
    source:
      'flutter/flutter#154457, flutter/flutter#154886, flutter/flutter#154936, flutter/flutter#155328, flutter/flutter#156017, flutter/flutter#156436',
    seen: 'The machine has no phone on August 30, September 9, 10 and 17, October 1 and 8, mostly in the afternoon.',
    cause: 'the phone turns itself off; why is not told',
    did: 'pressed its power button, each time',
    lab: { ...bot, usb: true, from: '2024-08-19', days: 52, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        offUntil(lab, phone, [11, '13:52'], [11, '16:20']),
        offUntil(lab, phone, [21, '15:11'], [22, '09:04']),
        offUntil(lab, phone, [22, '10:47'], [22, '13:31']),
        offUntil(lab, phone, [29, '15:50'], [30, '09:16']),
        offUntil(lab, phone, [43, '11:18'], [43, '13:42']),
        offUntil(lab, phone, [50, '13:36'], [50, '15:34']),
      ];
      background(lab);
      return {
        at: lab.at(50, '14:55'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /power|button|switch|turn|\boff\b|batter|re(start|boot|set)|replac/i,
        },
      };
    },
  },
  {
    name: 'mac-23 loses its phone five times in eight weeks, and has it back whenever the cable is put in anew',
    source:
      'flutter/flutter#166008, flutter/flutter#167580, flutter/flutter#167996, flutter/flutter#168117, flutter/flutter#169145',
    seen: 'The Mac is without its phone on March 26, April 22, 29 and 30 and May 20. Twice another Mac of the lab is, too.',
    cause: 'the USB cable of the phone does not hold',
    did: 're-seated the cable, each time',
    lab: { ...desktopBot, from: '2025-03-10', days: 73, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        goneUntil(lab, phone, [16, '03:41'], [16, '09:52']),
        goneUntil(lab, phone, [42, '22:17'], [43, '09:26']),
        goneUntil(lab, phone, [49, '23:06'], [50, '10:12']),
        goneUntil(lab, phone, [51, '13:38'], [52, '09:21']),
        goneUntil(lab, phone, [71, '01:23']),
      ];
      background(lab);
      return {
        at: lab.at(71, '09:10'),
        losses,
        blame: ['port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|\bplug|re-?seat|socket|connector|(another|other) port/i,
        },
      };
    },
  },
  {
    name: 'linux-16 cannot be reached after a weekend in August, as its network adapter has switched itself off',
    source: 'flutter/flutter#132063',
    seen: 'On Monday morning the monitoring of the lab shows the machine as dead.',
    cause: 'the network adapter of the machine was disabled by itself',
    did: 'restarted the machine on the next day',
    lab: { ...bot, from: '2023-07-17', days: 24, models: ['Moto G4'] },
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      lab.host(lab.at(19, '21:37'), { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
      const restarted = lab.at(22, '09:31');
      hostRestarts(lab, restarted);
      phone.busy.push({ from: restarted - 2 * MINUTE, to: restarted + 4 * MINUTE });
      lab.host(restarted + 2 * MINUTE, { kind: 'cloudBack' });
      background(lab, { taken: 0.1, restarts: 5 });
      return {
        at: lab.at(21, '09:10'),
        told: {
          about: ['network', 'host'],
          says: /network|ethernet|adapter|\bcables?\b|internet|router|\bswitch\b|connection/i,
        },
      };
    },
  },
  {
    name: 'win-1 is down for more than a day, as Windows shows the screen that sets up an account',
    source: 'flutter/flutter#97227',
    seen: 'The machine does not take any tests since the day before.',
    cause: 'Windows has restarted, and asks for the set-up of an account before it starts anything',
    did: 'clicked these screens away',
    lab: { ...desktopBot, from: '2022-01-03', days: 23, models: ['Moto G4'] },
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const [stopped, started] = [lab.at(21, '03:04:10'), lab.at(22, '13:41:20')];
      lab.host(stopped, { kind: 'agentStopped' });
      lab.host(started, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: lab.at(21, '03:11:50'),
        lastAliveAt: stopped,
      });
      phone.busy.push({ from: stopped - 3 * MINUTE, to: started + 3 * MINUTE });
      notReadIn(lab, phone, [[stopped, started]]);
      background(lab, { taken: 0.1, restarts: 5, isUpdated: false });
      return {
        at: lab.at(22, '14:15'),
        told: {
          about: ['host'],
          says: /updat|log(s|ged)? ?(in|on)\b|sign(s|ed)? ?in\b|\bservice\b|autostart|start(s|ed)? .{0,30}(automatic|by itself)|(automatic|by itself).{0,30}start|(at|with|after) (the |its |each |a )?(boot|restart)/i,
        },
      };
    },
  },
  {
    name: 'the only Android phone of a lab for a video player fails more and more, until it is dead',
    source:
      'shaka-project/shaka-player#10240, shaka-project/shaka-player#10523, shaka-project/shaka-player#10553',
    seen: 'The runs of the lab on Android fail, as no device is found; they are switched off until the failing phone can be replaced. Months later the same is true: the phone has died.',
    cause: 'the phone is defect',
    did: 'left Android out of the runs of the lab, and replaced the phone in September',
    lab: {
      ...bot,
      network: 1,
      usb: true,
      from: '2026-05-25',
      days: 26,
      models: ['Pixel 4a', 'Chromecast with Google TV'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        goneUntil(lab, phone, [14, '22:14'], [15, '10:02']),
        goneUntil(lab, phone, [17, '02:37'], [17, '16:20']),
        goneUntil(lab, phone, [20, '19:48'], [21, '11:34']),
        goneUntil(lab, phone, [22, '04:09']),
      ];
      background(lab, { taken: 0.2 });
      return {
        at: lab.at(23, '10:20'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /replac|another phone|hardware|cable|\bplug|socket|restart|reboot|\bpower|button|batter|charg|switch|\boff\b/i,
        },
      };
    },
  },
  {
    name: 'a Chromecast in the network of a lab is not to be had any more, and seems to be broken',
    source: 'shaka-project/shaka-player#8886',
    seen: 'The runs on this device fail.',
    cause: 'the device seems to be broken',
    did: 'switched its runs off; it may have to be replaced',
    cannotShow: 'over the network a broken device looks as one that is switched off, or has lost its Wi-Fi',
    lab: {
      ...bot,
      network: 2,
      from: '2025-06-23',
      days: 26,
      models: ['Pixel 4a', 'Chromecast with Google TV', 'Android TV box'],
    },
    tell(lab) {
      const [device] = lab.networkPhones as [LabPhone];
      device.isPinned = true;
      const losses = [
        goneUntil(lab, device, [17, '20:05'], [18, '09:44']),
        goneUntil(lab, device, [20, '03:12'], [21, '10:31']),
        goneUntil(lab, device, [22, '15:50']),
      ];
      background(lab, { taken: 0.2 });
      return {
        at: lab.at(24, '10:05'),
        losses,
        blame: ['phone', 'network', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /restart|reboot|\bpower|replac|reach|Wi-?Fi|network|connect|switch|address|\boff\b/i,
        },
      };
    },
  },
  {
    name: 'builds find no phone at the hub of an office, and to start adb before them changes nothing',
    source: 'realm/realm-java#3023',
    seen: 'Runs of the tests end at once, as no device is connected. To start adb before the build was tried, and has no effect.',
    cause: 'it seems to be the hardware; with which part of it is not told',
    did: 'gave the change up',
    lab: {
      zone: 'Europe/Copenhagen',
      hubs: [7],
      free: 2,
      usb: true,
      from: '2016-05-30',
      days: 20,
      models: ['Nexus 5', 'Galaxy S5', 'Nexus 6', 'Moto G', 'Nexus 5X'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes, isRestarted] of [
        [10, '14:22', 9, false],
        [14, '10:05', 26, false],
        [14, '19:41', 13, false],
        [15, '16:40', 14, false],
        [16, '13:12', 41, true],
        [17, '09:36', 18, true],
        [17, '15:27', 33, true],
        [18, '11:14', 22, true],
      ] as const) {
        const at = lab.at(day, time);
        const away = { gone: 'hub', forMs: minutes * MINUTE, spreadMs: 300 } as const;
        losses.push(...lab.loseAll(phones, at, away));
        if (isRestarted) adbRestarts(lab, at + 4 * MINUTE, 36, 2 * SECOND);
      }
      background(lab);
      return {
        at: lab.at(18, '12:10'),
        losses,
        blame: ['hub', 'host', 'unknown'],
        told: {
          about: ['hub', 'host'],
          says: /\bhubs?\b|cable|\bpower|\bplug|adapter|supply|hardware/i,
        },
        alsoAbout: ['host', 'hub'],
      };
    },
  },
  {
    name: 'the phones of one family are restarted every few minutes, as their fuzzer finds no work for them',
    source: 'google/clusterfuzz#2164',
    seen: 'Phones of a lab restart all the time while there is no task that fits them.',
    cause: 'the bot asks for a task without a pause, and restarts the phone before each of them',
    did: 'had it wait before it asks again, and not restart the phone each time',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4, 4, 4],
      usb: true,
      from: '2020-11-16',
      days: 22,
      models: ['Pixel 4', 'Pixel 3a', 'Pixel 5'],
    },
    tell(lab) {
      const { random } = lab;
      const losses: ToldLoss[] = [];
      for (const index of [0, 3, 6, 9]) {
        const phone = lab.pinned(index);
        // before each task, when there are some
        for (let day = 1; day < 17; day += 1)
          for (const hour of [2, 9, 16])
            lab.reboot(phone, lab.at(day) + (hour + random.between(0, 6)) * HOUR, {
              forMs: random.between(38, 55) * SECOND,
              reason: 'reboot,adb',
            });
        for (const [day, from, to] of [
          [18, '13:02', '14:50'],
          [20, '22:14', '23:40'],
          [21, '07:35', '09:25'],
        ] as const) {
          const end = lab.at(day, to);
          for (let at = lab.at(day, from) + random.between(0, 5) * MINUTE; at < end; ) {
            const forMs = Math.round(random.between(38, 55) * SECOND);
            losses.push(lab.reboot(phone, Math.round(at), { forMs, reason: 'reboot,adb' }));
            at += forMs + random.between(4, 7) * MINUTE;
          }
        }
      }
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses,
        blame: ['person', 'adb', 'host'],
        told: {
          about: ['phone', 'host'],
          says: /(adb|shell|command|script|program|test|some(body|thing)).{0,80}(reboot|restart)|(reboot|restart).{0,80}(adb|shell|command|script|program|test)/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'a vivo V15 restarts whenever it gets odd modem commands over USB',
    source: 'SysNetS/ATFuzzer#3',
    seen: 'A tool tries commands at the modem of the phone. Over USB the phone restarts each time; over Bluetooth the run is stuck at times.',
    cause: 'not told: the commands bring the phone down',
    did: 'asked what is missing',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      direct: 2,
      known: { slots: false },
      usb: true,
      from: '2020-03-02',
      days: 17,
      models: ['vivo V15', 'Redmi Note 7'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '17:42'],
        [14, '17:51'],
        [14, '18:20'],
        [15, '11:06'],
        [15, '11:13'],
        [15, '16:32'],
        [16, '10:45'],
        [16, '10:58'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.whole(0, 40) * SECOND, {
            forMs: lab.random.whole(44, 66) * SECOND,
          }),
        );
      background(lab);
      return {
        at: lab.at(16, '11:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: new RegExp(`${BROUGHT_DOWN.source}|\\btests?\\b|command`, 'i'),
        },
      };
    },
  },
  {
    name: 'a phone that is fuzzed does not get past its logo after some of its restarts',
    source: 'google/syzkaller#3254',
    seen: 'The fuzzer restarts the phone often, and goes on as soon as adb answers, while the screen still shows the logo. At times the phone stays there: adb answers, and the rest of Android is never up.',
    cause: 'the fuzzer calls the kernel so often that the boot cannot end',
    did: 'had the fuzzer wait until the screen of the system is up, for three minutes at most',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2022-07-04',
      days: 18,
      models: ['Pixel 6', 'Pixel 5'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const stuck: [number, number][] = [];
      for (const [from, to] of [
        [lab.at(12, '03:21'), lab.at(12, '09:44')],
        [lab.at(14, '21:06'), lab.at(15, '09:17')],
        [lab.at(16, '13:12'), lab.end],
      ] as const) {
        lab.reboot(phone, from, { forMs: 36 * SECOND, reason: 'reboot,shell' });
        lab.facts(phone, from + 41 * SECOND, { bootCompleted: false });
        stuck.push([from, to]);
        if (to >= lab.end) continue;
        // the power button is held until it restarts
        lab.reboot(phone, to, { forMs: 47 * SECOND, reason: 'reboot,longkey' });
        lab.facts(phone, to + 60 * SECOND, { bootCompleted: true });
      }
      for (let at = lab.at(9, '10:10'); at < lab.at(16, '12:20'); ) {
        if (lab.isFree(phone, at - 10 * MINUTE, at + 10 * MINUTE))
          if (!stuck.some(([from, to]) => at > from && at < to))
            lab.reboot(phone, Math.round(at), { forMs: 36 * SECOND, reason: 'reboot,shell' });
        at += random.between(1.2, 4) * HOUR;
      }
      notReadIn(lab, phone, stuck);
      background(lab);
      return {
        at: lab.at(16, '14:35'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bboot|\bstarts?\b|started|restart|reboot|logo|\blogs?\b|hang|hung|stuck/i,
        },
        alsoAbout: ['phone', 'host', 'port'],
      };
    },
  },
  {
    name: 'the Galaxy S24 of linux-74 is taken out of its rack for an update of Android, with its machine in quarantine',
    source: 'flutter/flutter#189520',
    seen: 'The phone is to have Android 16. It is put in quarantine, updated in its settings over Wi-Fi, which takes half an hour and more, checked, and racked again.',
    cause: 'people of the lab have it in hand',
    did: 'ended the quarantine when it was back',
    lab: { ...bot, usb: true, from: '2026-06-29', days: 18, models: ['Galaxy S24'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const drained = lab.at(16, '09:22');
      lab.phone(phone, drained, {
        kind: 'drain',
        until: drained + 8 * HOUR,
        reason: 'update to Android 16',
      });
      const at = lab.at(16, '09:31');
      const forMs = 73 * MINUTE;
      const losses = [lab.lose(phone, at, { forMs })];
      lab.rebooted(phone, at + forMs + 25 * SECOND, { uptimeSeconds: 1140 });
      lab.phone(phone, at + forMs + 26 * SECOND, {
        kind: 'os',
        release: '16',
        before: '15',
        build: 'S921USQU4CYI2',
        buildBefore: 'S921USQS4BYF1',
      });
      lab.phone(phone, at + forMs + 8 * MINUTE, { kind: 'drainEnded' });
      background(lab);
      return { at: lab.at(16, '11:20'), losses, blame: ['person', 'phone'] };
    },
  },
  {
    name: 'some phones of a farm restart at random in the midst of test runs',
    source: 'MarathonLabs/marathon#949',
    seen: 'While the data of an app are cleared between two tests, a phone restarts now and then; the runner goes on as if it were set up.',
    cause: 'not told; the phones restart by themselves',
    did: 'had the runner notice such a restart, wait for the boot, and install the app anew',
    lab: {
      zone: 'Asia/Singapore',
      hubs: [7, 7, 7],
      free: 3,
      usb: true,
      from: '2024-06-03',
      days: 23,
      models: ['Galaxy A14', 'Redmi Note 12', 'Pixel 6a'],
    },
    tell(lab) {
      const [often, atTimes, twice] = [lab.pinned(1), lab.pinned(8), lab.pinned(12)];
      const losses: ToldLoss[] = [];
      for (const [phone, day, time] of [
        [often, 15, '11:23'],
        [often, 17, '02:41'],
        [often, 18, '14:09'],
        [often, 19, '21:50'],
        [often, 21, '03:16'],
        [often, 22, '09:38'],
        [atTimes, 16, '16:27'],
        [atTimes, 18, '23:12'],
        [atTimes, 20, '05:33'],
        [atTimes, 21, '12:48'],
        [twice, 17, '10:54'],
        [twice, 21, '01:05'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, {
            forMs: lab.random.whole(41, 70) * SECOND,
          }),
        );
      for (const phone of [often, atTimes, twice]) phone.reading = inUse(lab);
      background(lab);
      return {
        at: lab.at(22, '10:15'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [often.udid, atTimes.udid],
          says: new RegExp(`${BROUGHT_DOWN.source}|restart|reboot`, 'i'),
        },
        alsoAbout: ['phone'],
      };
    },
  },
];
