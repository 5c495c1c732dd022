/** Incidents as plain searches for symptoms give them: bots of a lab, phones of developers, tablets and phones at home. */
import { FASTBOOT, MTP } from '../../usb-tree.ts';
import { adbRestarts, background, goneUntil, hostRestarts, notReadIn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A machine of a lab in California, with one phone at a port of its own. */
const machine: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** Somebody's computer under Windows or macOS, which does not say at which USB port the phone is. */
const computer: LabOptions = {
  hubs: [],
  direct: 1,
  known: { slots: false, usbPath: false, hub: false },
};

/** adb calls it offline until its cable is pulled, and it is put in again some seconds later, if at all. */
function offlineUntilPulled(lab: Lab, phone: LabPhone, at: number, pulled: number, back?: number): ToldLoss {
  const loss = lab.lose(phone, at, { as: 'offline' });
  lab.phone(phone, pulled, { kind: 'detached' });
  if (back === undefined) return loss;
  lab.phone(phone, back, { kind: 'attached', state: 'device' });
  loss.until = back;
  const away = phone.busy.at(-1);
  if (away) away.to = back + SECOND;
  return loss;
}

/** Its owner takes it along on most of these days, at about one hour, and is back with it at about another. */
function takenAlong(lab: Lab, phone: LabPhone, days: readonly number[], leaves: number, comes: number): void {
  const { random } = lab;
  for (const day of days) {
    if (random.chance(0.15)) continue;
    const at = Math.round(lab.at(day) + (leaves + random.between(-0.7, 0.7)) * HOUR);
    const back = Math.round(lab.at(day) + (comes + random.between(-0.6, 1.1)) * HOUR);
    if (lab.isFree(phone, at, back + 5 * MINUTE)) lab.lose(phone, at, { forMs: back - at });
  }
}

/** Two programs with an adb of their own: the one ends the server of the other, which starts it again at once. */
function adbIsFoughtOver(lab: Lab, phone: LabPhone, at: number): ToldLoss {
  const { random } = lab;
  const isSeen = random.chance(0.5);
  if (isSeen) adbRestarts(lab, at, 39, random.between(0.8, 1.6) * SECOND);
  const again = isSeen ? at + random.between(2.5, 4.5) * SECOND : at;
  const back = adbRestarts(lab, Math.round(again), 41, Math.round(random.between(0.9, 2.2) * SECOND));
  return lab.lose(phone, back + 400, { forMs: Math.round(random.between(1.2, 4) * SECOND), onUsb: {} });
}

export const plainSymptoms: readonly Incident[] = [
  {
    name: 'the phone of linux-8 is lost twice on one Friday and three times in the ten days after it',
    source:
      'flutter/flutter#165228, flutter/flutter#165233, flutter/flutter#165608, flutter/flutter#165717, flutter/flutter#165804',
    seen: 'The phone is away on March 14, again later that day, on March 20, on March 21, and on Monday March 24. Other machines lose theirs on some of these days.',
    cause: 'not said; each time it was enough to seat its USB cable anew',
    did: 'seated the cable anew',
    lab: { ...machine, usb: true, from: '2025-02-24', days: 30, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        goneUntil(lab, phone, [18, '02:51:17'], [18, '09:38:40']),
        goneUntil(lab, phone, [18, '10:12:05'], [18, '11:27:12']),
        goneUntil(lab, phone, [23, '22:09:33'], [24, '09:44:02']),
        goneUntil(lab, phone, [25, '05:36:48'], [25, '09:21:30']),
        lab.lose(phone, lab.at(26, '15:31:22')),
      ];
      background(lab);
      return {
        at: lab.at(28, '09:15'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: {
          about: ['port', 'phone'],
          says: /cable|re-?seat|\bplugs?\b|socket|contact|connector/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the phone of linux-15 is listed and answers to no command from a Wednesday to the next Monday',
    source: 'flutter/flutter#140894',
    seen: 'On January 3 the check of the phone says that its developer mode is off, because each command over adb fails; so it is for days.',
    cause: 'not found; a restart of the machine was enough',
    did: 'restarted the machine on January 8',
    lab: { ...machine, from: '2023-12-11', days: 31, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(23, '04:26:31');
      const restarted = lab.at(28, '10:07');
      lab.facts(phone, from, { isSilent: true, silentSince: from });
      notReadIn(lab, phone, [[from, restarted + 2 * MINUTE]]);
      hostRestarts(lab, restarted);
      lab.facts(phone, restarted + 2 * MINUTE, { isSilent: false });
      background(lab);
      return {
        at: lab.at(25, '10:20'),
        told: {
          about: ['phone', 'host'],
          says: /restart|reboot|hang|hung|stuck|answer|respon[ds]|power button/i,
        },
        alsoAbout: ['phone', 'host', 'port'],
      };
    },
  },
  {
    name: 'a Galaxy S10 of the staging machines is gone for eight days, until somebody comes to the lab',
    source: 'flutter/flutter#103668',
    seen: 'On the afternoon of May 12 the machine has no phone any more. A week later a new test still waits for it.',
    cause: 'not told',
    did: 'somebody went to the lab on May 20, and it worked again',
    lab: { ...machine, usb: true, from: '2022-04-25', days: 28, models: ['Galaxy S10'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = goneUntil(lab, phone, [17, '13:18:44'], [25, '14:36']);
      lab.note(lab.at(17, '17:06'), {}, 'no phone on this one, to be looked at in the lab');
      background(lab);
      return {
        at: lab.at(24, '10:30'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /cable|\bplug|socket|restart|reboot|charg|power|switch(?:ed)? (?:it )?(?:off|on)/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone is offline some seconds after each time that it is plugged in, since it has a new look',
    source: 'wasdennnoch/AndroidN-ify#859',
    seen: 'With the newest build of a module that changes the looks of Android 5 the bars of the screen crash. adb lists the phone, and calls it offline after a few seconds.',
    cause:
      'an error in the module, or something odd about this phone: its author did not believe that the one makes the other',
    did: 'found a log of the errors in the files of the phone; two newer builds crashed as well',
    lab: { ...computer, zone: 'Europe/Warsaw', from: '2016-08-29', days: 25, models: ['Xperia'] },
    tell(lab) {
      const phone = lab.pinned(0);
      takenAlong(lab, phone, lab.workdays(0, 20), 8.1, 17.4);
      lab.reboot(phone, lab.at(20, '16:31'), { forMs: 75 * SECOND, reason: 'reboot' });
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [20, '16:33:20', 4],
        [20, '16:38:05', 9],
        [20, '16:52:40', 3],
        [20, '17:24', 22],
        [20, '19:06', 5],
        [20, '19:40', 11],
        [20, '21:02', 6],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(3, 9) * SECOND;
        const pulled = Math.round(at + minutes * MINUTE);
        losses.push(offlineUntilPulled(lab, phone, at, pulled, pulled + lab.random.whole(4, 20) * SECOND));
      }
      losses.push(offlineUntilPulled(lab, phone, lab.at(20, '21:20:08'), lab.at(20, '22:15')));
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '21:40'),
        losses,
        blame: ['phone', 'link', 'port', 'unknown'],
        told: {
          about: ['phone'],
          says: /restart|reboot|debugging|updat|install|\bapps?\b|module/i,
        },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'a phone restarts about half an hour after each time that it lends its internet to a Mac',
    source: 'jwise/HoRNDIS#46',
    seen: 'The phone is connected by USB tethering. After some 30 minutes it hangs and restarts.',
    cause: 'its system: with another one on the same model it works',
    did: 'nothing, in this thread',
    lab: { ...computer, zone: 'Asia/Ho_Chi_Minh', from: '2015-08-31', days: 24, models: ['ZenFone 2'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let pulled = lab.at(15, '07:48');
      for (const [day, time, times] of [
        [15, '20:14', 1],
        [16, '21:05', 2],
        [18, '19:52', 1],
        [19, '09:31', 3],
        [20, '14:20', 2],
        [21, '20:33', 2],
        [22, '19:47', 2],
      ] as const) {
        const plugged = lab.at(day, time);
        lab.lose(phone, pulled, { forMs: plugged - pulled });
        let started = plugged + lab.random.whole(35, 100) * SECOND;
        for (let left = times; left > 0; left -= 1) {
          // tethering is switched on: it sets up its USB anew
          lab.lose(phone, started, { forMs: lab.random.between(1.4, 2.6) * SECOND });
          const at = Math.round(started + lab.random.between(26, 37) * MINUTE);
          const forMs = lab.random.whole(58, 85) * SECOND;
          losses.push(lab.reboot(phone, at, { forMs }));
          started = at + forMs + lab.random.whole(70, 240) * SECOND;
        }
        pulled = started + lab.random.whole(8, 70) * MINUTE;
      }
      takenAlong(lab, phone, lab.workdays(0, 15), 7.7, 20.3);
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '21:10'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restarts|reboots|restarted|rebooted|by itself|crash|hang|hung/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone is not on adb any more since it runs a module that makes adb root',
    source: 'evdenis/adb_root#2',
    seen: 'After the module is installed USB debugging does not work. `adb root` says that it restarts, the phone drops out, and does not come back when its cable is put in anew.',
    cause: 'the adb daemon of the phone does not start, or ends; why was not found',
    did: 'started the daemon by hand, over another connection',
    lab: {
      zone: 'Europe/Sarajevo',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2020-06-08',
      days: 21,
      models: ['Galaxy S5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const onUsb = { interfaces: [MTP] };
      const back = lab.at(19, '13:12:30');
      const installed = lab.lose(phone, lab.at(18, '21:43'), { forMs: back - lab.at(18, '21:43'), onUsb });
      lab.rebooted(phone, back + 20 * SECOND, { reason: 'reboot', uptimeSeconds: 74 });
      const asRoot = lab.at(19, '13:16:05');
      const dropped = lab.lose(phone, asRoot, { forMs: lab.at(19, '15:02') - asRoot, onUsb });
      lab.facts(phone, lab.at(19, '15:02:30'), { adbRoot: true });
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '14:00'),
        losses: [installed, dropped],
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          says: /debugging|\badbd\b|adb root|as root|(?:no|without|lost|not offer) (?:its )?adb/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'an old phone restarts as soon as somebody mirrors its screen',
    source: 'Genymobile/scrcpy#5768',
    seen: 'For years a boy has worked his phone from the computer with a joystick. Of late it restarts each time that the program connects, from Windows and from Linux, with the old and the newest version.',
    cause: 'not found; something in the phone, which has had no update for long',
    did: 'recorded its log',
    lab: { ...computer, zone: 'Europe/London', from: '2024-12-30', days: 21, models: ['old phone'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [16, '16:41:10'],
        [16, '16:45:52'],
        [16, '17:30:05'],
        [17, '15:58:31'],
        [17, '16:04:47'],
        [17, '18:21:12'],
        [17, '18:29:40'],
        [19, '10:12:26'],
        [19, '10:40:03'],
        [19, '10:48:19'],
        [19, '11:35:55'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: lab.random.whole(55, 78) * SECOND }));
      takenAlong(lab, phone, [1, 4, 5, 9, 11, 12, 15], 10.5, 16);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '12:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restarts|reboots|restarted|rebooted|by itself|crash/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a laptop that a phone trusts is not trusted any more after some of the restarts of the phone',
    source: 'Genymobile/scrcpy#6060',
    seen: 'The phone is mirrored for days. When an app hangs it is restarted, and often, not always, it then asks anew whether it may be debugged, while nobody is near it.',
    cause: 'not found',
    did: 'allowed it again on the phone, once somebody was there',
    lab: { ...computer, zone: 'Europe/Amsterdam', from: '2025-04-07', days: 30, models: ['Galaxy S20'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const silent: [number, number][] = [];
      const losses: ToldLoss[] = [];
      const reason = 'reboot,shell';
      for (const [day, time] of [
        [2, '12:40'],
        [14, '20:11'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), { forMs: 48 * SECOND, reason });
      for (const [day, time, allowedOn, allowedAt] of [
        [8, '10:22', 8, '18:35'],
        [21, '15:07', 22, '08:50'],
        [27, '22:14', 28, '19:20'],
      ] as const) {
        const at = lab.at(day, time);
        const allowed = lab.at(allowedOn, allowedAt);
        losses.push(lab.reboot(phone, at, { forMs: 51 * SECOND, backAs: 'unauthorized' }));
        lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
        const uptimeSeconds = Math.round((allowed - at) / SECOND) - 10;
        lab.rebooted(phone, allowed + 15 * SECOND, { reason, uptimeSeconds });
        silent.push([at, allowed + SECOND]);
      }
      notReadIn(lab, phone, silent);
      background(lab, { isDaily: true });
      return {
        at: lab.at(28, '09:40'),
        losses,
        blame: ['phone', 'person', 'adb', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /allow|authori[sz]|confirm|\btrust|accept|\bkeys?\b/i,
        },
        alsoAbout: ['phone', 'host'],
      };
    },
  },
  {
    name: 'adb may not open a phone in its recovery until the adb server is started anew',
    source: 'ubports/ubports-installer#2340',
    seen: 'An installer writes a new boot image in fastboot, and restarts the phone into its recovery. There adb has no permission for it, and the installer waits.',
    cause: 'the adb server, or the rule of udev, did not take the phone as it came back',
    did: 'ended adb by hand, and began the installation anew, without that step',
    lab: {
      zone: 'Europe/Prague',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2021-11-22',
      days: 18,
      models: ['Mi A2'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const flashed = lab.at(15, '20:04:12');
      const forMs = 5 * MINUTE + 20 * SECOND;
      const onUsb = { interfaces: [FASTBOOT] };
      const loss = lab.lose(phone, flashed, { forMs, onUsb, backAs: 'no permissions' });
      const ended = lab.at(15, '20:31');
      const back = adbRestarts(lab, ended, 41, 4 * SECOND);
      lab.phone(phone, back + 500, { kind: 'state', state: 'recovery', before: 'no permissions' });
      notReadIn(lab, phone, [[flashed, lab.at(15, '21:10')]]);
      lab.lose(phone, lab.at(15, '21:05'), { forMs: 3 * MINUTE });
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '20:20'),
        losses: [loss],
        blame: ['person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /udev|permission|\brules?\b|(?:restart|kill|end)[^.]{0,20}\badb\b|kill-server/i,
        },
        alsoAbout: ['phone', 'host', 'port'],
      };
    },
  },
  {
    name: 'a phone drops out whenever its screen is mirrored while the editor of its app is open',
    source: 'Genymobile/scrcpy#2095',
    seen: 'With Android Studio or IntelliJ open the mirror ends with an error, because the adb server is of another version; with both closed it works.',
    cause:
      'the editor has adb 41, the mirror that of the distribution, 39: each ends the server of the other',
    did: 'was not told there; both must use the same adb',
    lab: {
      zone: 'Europe/Lisbon',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2021-01-18',
      days: 21,
      models: ['Redmi 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '10:22:07'],
        [14, '10:23:31'],
        [15, '14:51:40'],
        [16, '09:47:15'],
        [16, '09:48:02'],
        [16, '17:30:28'],
        [18, '11:05:50'],
        [18, '15:16:33'],
        [19, '10:51:18'],
        [19, '10:55:42'],
        [19, '10:59:34'],
      ] as const)
        losses.push(adbIsFoughtOver(lab, phone, lab.at(day, time)));
      takenAlong(lab, phone, lab.workdays(0, 19), 18.6, 33.1);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '11:15'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /versions?\b|another program|two programs|other adb|(?:same|one) adb|kill-server|kills? (?:the )?adb/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'adb refuses everything after a few commands while a phone is shown in the browser',
    source: 'koush/vysor.io#118',
    seen: 'While the screen of a phone is shown by an extension of the browser, a few commands are enough, and each further one is refused.',
    cause:
      'the extension has an adb server of its own, and connects again and again; that of the computer is ended',
    did: 'was told to let it use the adb of the computer',
    lab: { ...computer, zone: 'Europe/Vilnius', from: '2016-01-18', days: 20, models: ['Nexus 5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [14, '10:41', 5],
        [14, '16:12', 8],
        [15, '13:40', 4],
        [16, '10:07', 9],
        [17, '14:25', 6],
        [18, '09:36', 10],
      ] as const) {
        let at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        for (let left = times; left > 0; left -= 1) {
          const back = adbRestarts(lab, at, 32, lab.random.whole(2500, 14_000));
          losses.push(lab.lose(phone, back + 400, { forMs: lab.random.whole(900, 3200), onUsb: {} }));
          at = back + lab.random.whole(25, 190) * SECOND;
        }
      }
      takenAlong(lab, phone, lab.workdays(0, 18), 17.8, 33);
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '10:20'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /another program|a program|which program|what (?:ends|stops|kills)|kill-server|start-server|(?:re)?start[^.]{0,20}\badb\b|(?:same|one) adb/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a Raspberry Pi and all of its phones are slow as soon as a seventh is plugged in',
    source: 'qhuyduong/arm_adb#12',
    seen: 'Six phones at a hub of a Raspberry Pi 3B+ work well. With a seventh the Pi waits for half of its time, with one thread of its kernel at 99 %, and all seven phones are slow.',
    cause: 'not found; adb as it speaks to USB, or the USB of the Pi',
    did: 'was given an adb that uses another library for USB, to try it',
    cannotShow: 'no phone is lost: how quick they answer, and how busy the host is, is not recorded',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [10],
      free: 4,
      from: '2018-09-03',
      days: 21,
      models: ['Redmi', 'vivo', 'Honor'],
    },
    tell(lab) {
      const [port] = lab.freePorts(lab.start);
      const seventh = lab.add('usb', { ...(port && { port }), isThereAtFirst: false });
      seventh.isPinned = true;
      lab.phone(seventh, lab.at(17, '15:22'), { kind: 'attached', state: 'device' });
      const losses = (
        [
          [17, '16:05', 18, '10:40'],
          [18, '11:31', 18, '14:02'],
          [18, '14:47', 19, '13:15'],
        ] as const
      ).map(([day, time, until, end]) => goneUntil(lab, seventh, [day, time], [until, end]));
      background(lab, { isDaily: true });
      return { at: lab.at(19, '14:30'), losses, blame: ['person', 'unknown'] };
    },
  },
];
