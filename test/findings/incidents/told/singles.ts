/** Incidents of single phones, tablets, boxes and boards, from trackers of systems, of tools that root, and of apps. */
import { FASTBOOT, PTP } from '../../usb-tree.ts';
import { adbRestarts, background, inUse } from '../background.ts';
import {
  DAY,
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  type Reading,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

/** Two at ports of the host itself. */
const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

/** Two of the network, beside a phone at a hub. */
const atHome: LabOptions = { hubs: [4], free: 3, network: 2 };

/** It comes for the first time at that moment. */
function comesNew(lab: Lab, phone: LabPhone, at: number, state: string): void {
  phone.isThereAtFirst = false;
  phone.busy.push({ from: lab.start, to: lab.end });
  lab.phone(phone, at, { kind: 'attached', state });
}

/** Restarts by itself, one after the other: each has it away for so long, and then up for so long. */
function loops(
  lab: Lab,
  phone: LabPhone,
  from: number,
  { times, awayMs, upMs, reason }: { times: number; awayMs: number; upMs: number; reason?: string },
): ToldLoss[] {
  let at = from;
  return Array.from({ length: times }, () => {
    const loss = lab.reboot(phone, at, { forMs: awayMs, ...(reason && { reason }) });
    at += awayMs + Math.round(upMs * lab.random.between(0.9, 1.1));
    return loss;
  });
}

/** In ordinary use up to the first of these moments, then through them evenly: the charge in percent, the temperature in °C. */
function through(lab: Lab, points: readonly [Point, Point, ...Point[]]): (at: number) => ReturnType<Reading> {
  const calm = inUse(lab);
  return (at) => {
    const next = points.findIndex(([moment]) => moment > at);
    if (next === 0) return calm(at);
    const to = points.at(next) ?? points[0];
    const from = points.at(next === -1 ? -1 : next - 1) ?? to;
    const part = next === -1 ? 0 : (at - from[0]) / (to[0] - from[0]);
    const levelPercent = Math.round(from[1] + (to[1] - from[1]) * part);
    const celsius = from[2] + (to[2] - from[2]) * part;
    const temperatureDecicelsius = Math.round(celsius * 10 + ((at / MINUTE) % 7) - 3);
    return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius };
  };
}

type Point = readonly [at: number, percent: number, celsius: number];

export const incidents: Incident[] = [
  {
    name: 'a phone with a generic system stays unauthorized and asks nothing, as it is rooted',
    source: 'phhusson/treble_experimentations#997',
    seen: 'With the new system adb says unauthorized, and the phone never asks.',
    cause: 'Magisk',
    did: 'found that Magisk was the culprit',
    lab: { ...desk, zone: 'America/Mexico_City', from: '2019-11-25', days: 19, models: ['Moto E5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '19:10');
      lab.lose(phone, at, { forMs: 26 * MINUTE, backAs: 'unauthorized' });
      background(lab);
      return {
        at: at + 3 * HOUR,
        told: { about: ['phone'], keys: [phone.udid], says: /\broot|Magisk|module/i },
      };
    },
  },
  {
    name: 'a phone loops since its monthly update, until its modules are off',
    source: 'topjohnwu/Magisk#3167',
    seen: 'After the update of September the rooted phone loops, with two builds of Magisk.',
    cause: 'a bad module',
    did: 'started it with the original boot image, then in safe mode, which switches all modules off, and removed them',
    lab: {
      ...desk,
      zone: 'Europe/Amsterdam',
      from: '2020-08-24',
      days: 21,
      models: ['Pixel 3 XL', 'Pixel 2'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(17, '20:05');
      lab.reboot(phone, at, { forMs: 70 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, at + 115 * SECOND, { kind: 'os', build: '6646321', buildBefore: '6578210' });
      const from = at + 3 * MINUTE;
      const how = { times: 12, awayMs: 55 * SECOND, upMs: 62 * SECOND, reason: 'reboot' };
      const losses = loops(lab, phone, from, how);
      lab.facts(phone, at, { bootCompleted: false });
      background(lab);
      return {
        at: from + 24 * MINUTE,
        losses: losses.filter((loss) => loss.at < from + 23 * MINUTE),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /safe mode|module|came last|installed|boot image|flash/i,
        },
      };
    },
  },
  {
    name: 'a phone with a test kernel restarts at random, until it has another governor',
    source: 'Spookcity/ROMS-G800F#22',
    seen: 'With the last test version of the kernel the phone restarts at random; the log has a kernel panic.',
    cause: 'the governor of the kernel for the processor',
    did: 'chose another governor: no restart since',
    lab: {
      hubs: [4],
      zone: 'America/Chicago',
      from: '2017-07-31',
      days: 24,
      models: ['Galaxy S5 mini', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [15, '22:14'],
          [16, '06:40'],
          [17, '01:52'],
          [18, '13:21'],
          [19, '04:09'],
          [19, '20:33'],
          [20, '03:47'],
          [21, '09:55'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 46 * SECOND }));
      background(lab);
      return {
        at: lab.at(21, '11:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|governor|update|flash|came last|installed/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts every five to ten minutes after a program for its kernel was installed',
    source: 'Gustyx-Power/Xtra-Kernel-Manager#21',
    seen: 'It restarts every five to ten minutes, although no setting was changed.',
    cause: 'a module of KernelSU',
    did: 'solved: it was the module',
    lab: { ...desk, zone: 'Europe/London', from: '2025-10-20', days: 22, models: ['Galaxy Note20', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(20, '18:20');
      const how = { times: 9, awayMs: 48 * SECOND, upMs: 7 * MINUTE, reason: 'reboot' };
      const losses = loops(lab, phone, from, how);
      background(lab);
      return {
        at: from + 65 * MINUTE,
        losses: losses.filter((loss) => loss.at < from + HOUR),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /module|came last|installed|uninstall|\bapps?\b/i,
        },
      };
    },
  },
  {
    name: 'after an update over the air a phone comes back in its recovery, each time',
    source: 'z2-dev/android_device_zuk_z2_plus#108',
    seen: 'It loops to the recovery, even after all was wiped and flashed anew.',
    cause: 'the recovery is too old for the updater: what it is to do is left in the misc partition',
    did: 'wiped the misc partition; then installed a newer recovery',
    cannotShow: 'which recovery it has, and what it is told to do, is not recorded',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2017-06-12', days: 19, models: ['ZUK Z2 Plus'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '10:40');
      const losses = [lab.lose(phone, at, { forMs: 50 * SECOND, backAs: 'recovery' })];
      for (const minutes of [9, 21, 48])
        losses.push(lab.lose(phone, at + minutes * MINUTE, { forMs: 40 * SECOND, backAs: 'recovery' }));
      background(lab);
      return {
        at: at + 3 * HOUR,
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bmisc\b|(newer|latest|another|other) recovery|(update|replace) (the|its) recovery|recovery[^.;]*(newer|too old|out of date)/i,
        },
      };
    },
  },
  {
    name: 'a phone shuts itself down at its lock screen after an update',
    source: 'shadowstepxda/oosnativecallrecordingenabler#12',
    seen: 'After the update it starts, and at the lock screen says that it shuts down, and is off.',
    cause: 'a module that changes the system',
    did: 'removed the module in the recovery, or started without modules',
    lab: { ...desk, zone: 'America/Denver', from: '2019-07-29', days: 21, models: ['OnePlus 7', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(18, '12:15');
      lab.reboot(phone, at, { forMs: 80 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, at + 125 * SECOND, { kind: 'os', build: '1908012137', buildBefore: '1907091420' });
      const losses = [4, 19, 37].map((minutes, index) => {
        const off = at + minutes * MINUTE;
        const forMs = [11, 16, undefined][index];
        if (forMs === undefined) return lab.lose(phone, off);
        const on = off + forMs * MINUTE;
        lab.rebooted(phone, on + 15 * SECOND, { reason: 'cold,powerkey', uptimeSeconds: 44 });
        return lab.lose(phone, off, { forMs: on - off });
      });
      background(lab);
      return {
        at: at + 90 * MINUTE,
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /module|came last|installed|safe mode|recovery|update/i,
        },
      };
    },
  },
  {
    name: 'the log of a phone fills its storage',
    source: 'ubports/ubuntu-touch#640',
    seen: 'It warns of low storage, and can no longer be unlocked. The system takes 6.1 GB in place of 3: its log alone has 2.8.',
    cause: 'a log that is not cut',
    did: 'emptied the log by a command',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2018-05-14', days: 16, models: ['Aquaris E4.5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [total, from] = [7_200_000_000, lab.at(11, '06:00')];
      const usedAt = (at: number) =>
        Math.round(Math.min(0.985, 0.56 + Math.max(0, (0.42 * (at - from)) / (58 * HOUR))) * total);
      const calm = inUse(lab);
      phone.reading = (at) => {
        const reading = calm(at);
        return reading && { ...reading, storageUsedBytes: usedAt(at) };
      };
      for (let at = lab.start + MINUTE; at < lab.end; at += 6 * HOUR)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      background(lab);
      return {
        at: lab.at(13, '14:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /storage|log|clear|remove/i },
      };
    },
  },
  {
    name: 'a cheap tablet restarts three times in an evening while it shows a screen saver',
    source: 'j-a-n/lovelace-wallpanel#155',
    seen: 'The picture stands still, and shortly after the tablet restarts: at 21:20, 21:59 and 22:31.',
    cause: 'not found: it may lack memory, or be faulty',
    did: 'asked; was told that the hardware seems to be the problem',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2023-09-18', days: 22, models: ['Tablet', 'Pixel'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses = ['21:20', '21:59', '22:31'].map((time) =>
        lab.reboot(tablet, lab.at(21, time), { forMs: 58 * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(21, '22:50'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /\bapps?\b|came last|memory|update|repair|battery|temperature/i,
        },
      };
    },
  },
  {
    name: 'a headset is on USB without debugging, as its developer mode is only on in the headset',
    source: 'alvr-org/ADBForwarder#8',
    seen: 'The program finds no headset, by a cable and at a port that work for everything else; developer mode seems to be on.',
    cause: 'the developer mode has to be switched on in the app of its maker, on a phone',
    did: 'switched it on there',
    lab: {
      ...desk,
      usb: true,
      zone: 'America/New_York',
      from: '2024-11-18',
      days: 14,
      models: ['Quest 2', 'Pixel'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      headset.isThereAtFirst = false;
      headset.busy.push({ from: lab.start, to: lab.end });
      lab.usb(headset, lab.start, null);
      const at = lab.at(12, '16:20');
      lab.usb(headset, at, { interfaces: [PTP], connectedAt: at });
      background(lab);
      return {
        at: at + 90 * MINUTE,
        told: { about: ['phone', 'port'], says: /developer|USB debugging/i },
      };
    },
  },
  {
    name: 'an emulator that goes on from a snapshot stays offline',
    source: 'appium/appium#10516',
    seen: 'adb does not find the emulator, also not after it was started anew.',
    cause: 'the emulator was loaded from its snapshot, and does not always come online then',
    did: 'closed it, and started it cold',
    lab: { ...desk, emulators: 2, zone: 'America/Los_Angeles', from: '2018-03-26', days: 16 },
    tell(lab) {
      const emulator = lab.phones.find(({ connection }) => connection === 'emulator') as LabPhone;
      const at = lab.at(14, '10:05');
      lab.lose(emulator, at - 5 * MINUTE, { forMs: 4 * MINUTE });
      const loss = lab.lose(emulator, at, { as: 'offline' });
      adbRestarts(lab, at + 20 * MINUTE);
      background(lab, { hasReadings: false });
      return {
        at: at + 2 * HOUR,
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /cold|snapshot|restart|start it/i },
      };
    },
  },
  {
    name: 'a new headset has no permissions, although the rules were installed',
    source: 'M0Rf30/android-udev-rules#339',
    seen: 'adb lists it with “no permissions (missing udev rules? user is in the plugdev group)”.',
    cause: 'the rules were installed, and are not in force yet',
    did: 'restarted the computer',
    lab: { ...desk, zone: 'Europe/Oslo', from: '2025-01-06', days: 14, models: ['Quest 3', 'Pixel'] },
    tell(lab) {
      const headset = lab.pinned(0);
      const at = lab.at(12, '15:30');
      comesNew(lab, headset, at, 'no permissions');
      background(lab);
      return {
        at: at + 40 * MINUTE,
        told: { about: ['phone', 'host'], keys: [headset.udid], says: /restart|reboot|reload|udevadm/i },
      };
    },
  },
  {
    name: 'a phone that only charges has no permissions, while with file transfer it has',
    source: 'RikkaApps/Shizuku#26',
    seen: 'With file transfer the phone works; with charging only it cannot be debugged under Linux.',
    cause: 'there is no udev rule for the number that it has in that mode',
    did: 'added a rule for its vendor',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2018-12-31', days: 15, models: ['Mi 8', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(11, '21:15');
      lab.lose(phone, at, { forMs: 2 * SECOND, backAs: 'no permissions' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        told: { about: ['phone'], keys: [phone.udid], says: /udev|rule|permission/i },
      };
    },
  },
  {
    name: 'a phone needs its default USB configuration set again several times a day',
    source: 'Genymobile/scrcpy#688',
    seen: 'Plugged in, adb does not have it until the default is set from file transfer to charging and back; several times a day it disconnects and wants that again.',
    cause: 'the file transfer of its Android 9, and adb',
    did: 'set it by hand each time; on other phones of its maker file transfer as the default helped',
    lab: {
      ...desk,
      usb: true,
      zone: 'America/Toronto',
      from: '2019-07-22',
      days: 18,
      models: ['Galaxy A50', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [11, ['10:20', '15:45']],
        [14, ['09:32', '12:10', '17:05']],
        [15, ['11:48', '20:14']],
        [16, ['09:50', '13:36']],
      ] as const)
        for (const time of times) {
          const at = lab.at(day, time);
          losses.push(
            lab.lose(phone, at, {
              forMs: lab.random.between(4, 35) * MINUTE,
              onUsb: { interfaces: [PTP], connectedAt: at + SECOND },
            }),
          );
        }
      const at = lab.at(17, '10:30');
      losses.push(lab.lose(phone, at, { onUsb: { interfaces: [PTP], connectedAt: at + SECOND } }));
      background(lab);
      return {
        at: at + 25 * MINUTE,
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /USB (mode|configuration|setting)|file transfer|charging/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts whenever its hotspot is switched on, with one build',
    source: 'zeelog/OTA#8',
    seen: 'The hotspot does not start, or the phone restarts with it.',
    cause: 'the build of one day',
    did: 'installed the build of the next day',
    lab: { hubs: [4], zone: 'Asia/Jakarta', from: '2020-07-27', days: 20, models: ['Redmi Note 5', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(12, '09:20'), { forMs: 75 * SECOND, reason: 'reboot,recovery' });
      lab.phone(phone, lab.at(12, '09:22:10'), { kind: 'os', build: '20200807', buildBefore: '20200710' });
      const losses = (
        [
          [13, '19:40'],
          [15, '08:12'],
          [17, '21:05'],
          [18, '12:31'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: 44 * SECOND, reason: 'reboot,kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(18, '14:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|build|Android|came last/i },
      };
    },
  },
  {
    name: 'a phone restarts when its Wi-Fi is switched, until it has a newer radio firmware',
    source: 'M1cha/android_device_xiaomi_aries#29',
    seen: 'Wi-Fi cannot be switched on again, and the phone restarts when it is switched on or off.',
    cause: 'the old firmware of its radio',
    did: 'flashed the newer firmware',
    lab: { hubs: [4], zone: 'Europe/Zagreb', from: '2014-01-06', days: 20, models: ['Mi 2S', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [13, '18:20'],
          [14, '07:35'],
          [14, '23:10'],
          [15, '17:44'],
          [16, '06:58'],
          [16, '22:16'],
          [17, '19:03'],
          [18, '07:21'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 41 * SECOND }));
      background(lab);
      return {
        at: lab.at(18, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|firmware|Android|Wi-Fi/i },
      };
    },
  },
  {
    name: 'a phone loops until its battery is taken out, and an app with its wallpaper is gone',
    source: 'mclear/Android_NFC_Ring_Unlock#110',
    seen: 'The app works for a day; then the phone crashes and loops. With the battery taken out it starts, and may loop again.',
    cause: 'likely the wallpaper of the app, which needs too much memory',
    did: 'took the battery out, uninstalled the app, and installed it without the wallpaper',
    lab: { ...desk, zone: 'Europe/London', from: '2014-08-11', days: 18, models: ['Galaxy S3', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(15, '17:25');
      const losses = loops(lab, phone, from, { times: 14, awayMs: 42 * SECOND, upMs: 70 * SECOND });
      background(lab);
      return {
        at: from + 22 * MINUTE,
        losses: losses.filter((loss) => loss.at < from + 21 * MINUTE),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|came last|installed|battery|uninstall|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a phone hangs and restarts as soon as its home screen is there, after weeks with a launcher',
    source: 'tanujnotes/Olauncher#734',
    seen: 'When an app is opened it hangs and restarts; at the home screen it hangs again and restarts, again and again.',
    cause: 'the launcher, perhaps by what it had stored',
    did: 'removed the launcher',
    lab: { hubs: [4], zone: 'Asia/Jakarta', from: '2026-06-22', days: 20, models: ['Oppo F9 Pro', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(18, '13:50');
      const how = { times: 11, awayMs: 50 * SECOND, upMs: 2.2 * MINUTE, reason: 'reboot' };
      const losses = loops(lab, phone, from, how);
      background(lab);
      return {
        at: from + 33 * MINUTE,
        losses: losses.filter((loss) => loss.at < from + 32 * MINUTE),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|came last|installed|launcher|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a phone is unauthorized while two versions of adb end each other, until its authorizations are revoked',
    source: 'joaomgcd/Tasker-Permissions#30',
    seen: 'Unauthorized, and starting adb anew does not help; the command of the system says that server 40 does not match 41, and kills it.',
    cause: 'an authorization that no longer fits; two versions of adb',
    did: 'turned USB debugging off, revoked the authorizations, and turned it on: then the phone asked',
    lab: { ...desk, zone: 'America/New_York', from: '2024-01-15', days: 17, models: ['Pixel 7'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(13, '14:20');
      lab.lose(phone, at, { forMs: 12 * MINUTE, backAs: 'unauthorized' });
      for (const [minutes, version] of [
        [16, 41],
        [19, 40],
        [27, 41],
        [31, 40],
      ] as const)
        lab.host(at + minutes * MINUTE, { kind: 'adbReplaced', version });
      background(lab);
      return {
        at: at + 2 * HOUR,
        told: {
          about: ['phone', 'host'],
          says: /revoke|\bauthorizations?\b|debugging (off|again)/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'a phone asks for the permission only once its USB is set to tethering',
    source: 'joaomgcd/Tasker-Permissions#34',
    seen: 'Unauthorized, and no prompt.',
    cause: 'in its USB mode the phone does not ask',
    did: 'set USB to tethering: then it asked, and all was well',
    lab: {
      ...desk,
      usb: true,
      zone: 'America/Halifax',
      from: '2024-03-25',
      days: 17,
      models: ['Pixel 7a', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      comesNew(lab, phone, lab.at(13, '11:40'), 'unauthorized');
      background(lab);
      return {
        at: lab.at(13, '13:10'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /USB (mode|configuration|setting)|tether|file transfer/i,
        },
      };
    },
  },
  {
    name: 'the wireless debugging of a phone is off each time that it was locked',
    source: 'Frontesque/scrcpy-plus#19',
    seen: 'When the screen is off and locked, wireless debugging turns itself off; it has to be paired anew. A phone of another maker stays connected.',
    cause: 'the battery management of its maker ends the connection',
    did: 'kept the screen on',
    lab: { ...atHome, zone: 'Asia/Kolkata', from: '2022-12-12', days: 22, models: ['OnePlus 6T', 'Pixel 5'] },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17, 19, 20])
        for (const time of ['09:25', '12:40', '16:05', '21:30'])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 40) * MINUTE, {
              forMs: lab.random.between(10, 140) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '08:30'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /awake|sleep|lock|battery|screen|\bpair|wireless debugging/i,
        },
      };
    },
  },
  {
    name: 'a phone that ran empty starts its bootloader when it is plugged in',
    source: 'HelloVolla/ubuntu-touch-beta-tests#37',
    seen: 'If it is fully discharged and then plugged in, it starts into fastboot in place of its system.',
    cause: 'its system does not know how to charge while it is off',
    did: 'held the power button, or unplugged it, started it and plugged it in; a later system can',
    lab: {
      ...desk,
      usb: true,
      zone: 'Europe/Berlin',
      from: '2020-08-17',
      days: 19,
      models: ['Volla Phone', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const empty = lab.at(16, '07:40');
      phone.reading = through(lab, [
        [lab.at(15, '12:00'), 74, 27],
        [empty, 1, 29],
      ]);
      const loss = lab.lose(phone, empty, {
        onUsb: { interfaces: [FASTBOOT], connectedAt: empty + 3 * MINUTE },
      });
      background(lab);
      return {
        at: empty + 3 * HOUR,
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /fastboot|boot ?loader|power button|restart/i },
      };
    },
  },
  {
    name: 'a tablet in kiosk mode does not show the prompt to a new computer',
    source: 'RushB-fr/freekiosk#268',
    seen: 'The tablet is listed as unauthorized. Its prompt cannot be seen or answered while the kiosk runs.',
    cause: 'the kiosk app, which lets nothing else in front',
    did: 'left the kiosk mode: then the prompt is there',
    lab: { hubs: [4], zone: 'Asia/Kolkata', from: '2026-09-07', days: 16, models: ['Tablet', 'Pixel'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      comesNew(lab, tablet, lab.at(14, '10:30'), 'unauthorized');
      background(lab);
      return {
        at: lab.at(14, '12:00'),
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /kiosk|in front|home screen|launcher|lock.?task|pinned/i,
        },
      };
    },
  },
  {
    name: 'a tablet that was off stays dark when it is plugged in',
    source: 'me176c-dev/android_device_asus_K013#56, LegacyXperia/local_manifests#875',
    seen: 'Started with the charger connected it shows nothing and looks off, though it is on.',
    cause: 'what shows the charge while it is off crashes, and the tablet hangs',
    did: 'held the power button for ten seconds; two fixes in its system ended it',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2019-01-14', days: 18, models: ['MeMO Pad 7', 'Pixel'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const empty = lab.at(15, '03:20');
      tablet.reading = through(lab, [
        [lab.at(14, '08:00'), 62, 26],
        [empty, 1, 27],
      ]);
      const loss = lab.lose(tablet, empty);
      background(lab);
      return {
        at: lab.at(15, '11:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [tablet.udid], says: /power button|\bhold\b/i },
      };
    },
  },
  {
    name: 'a box cannot be reached in standby, although it is set not to sleep',
    source: 'JeffLIrion/python-androidtv#18, JeffLIrion/adb_shell#29',
    seen: 'In standby the box leaves the network and does not answer a ping, with “do not sleep” set.',
    cause: 'the box sleeps deeply, and its network with it',
    did: 'installed an app that holds processor and Wi-Fi awake: days without a disconnect',
    lab: { ...atHome, zone: 'Europe/Paris', from: '2020-01-20', days: 22, models: ['Mi Box', 'Shield'] },
    tell(lab) {
      const [box] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 10; day < 19; day += 1)
        for (const time of ['01:10', '09:20', '14:30']) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 110) * MINUTE;
          losses.push(lab.lose(box, at, { forMs: lab.random.between(0.7, 2.8) * HOUR }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '10:00'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [box.udid], says: /sleep|awake|standby|Wi-Fi/i },
      };
    },
  },
  {
    name: 'the USB of a computer no longer reads a board after it was flashed',
    source: 'GloDroid/glodroid_manifest#185',
    seen: 'The kernel cannot read the descriptor of the board, error -110, again and again. After a restart of the computer it reads it, once.',
    cause: 'the board and the controller of the computer: newer firmware does not help',
    did: 'restarted the computer, or loaded the driver of the controller anew',
    lab: {
      ...desk,
      usb: true,
      zone: 'Europe/Rome',
      from: '2022-02-07',
      days: 18,
      models: ['Raspberry Pi 4', 'Pixel'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const at = lab.at(15, '15:10');
      const where = lab.where(board, at);
      const loss = lab.lose(board, at);
      for (const seconds of [70, 86, 91]) lab.kernel(at + seconds * SECOND, where, 'descriptor');
      lab.kernel(at + 110 * SECOND, where, 'enumerate');
      for (const seconds of [610, 626, 631]) lab.kernel(at + seconds * SECOND, where, 'descriptor');
      lab.kernel(at + 650 * SECOND, where, 'enumerate');
      background(lab);
      return {
        at: at + HOUR,
        losses: [loss],
        blame: ['phone', 'port', 'host', 'person', 'unknown'],
        told: { about: ['port', 'phone', 'host'], says: /restart the host|driver|controller/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a board cannot be read on USB with a new Android, and can with the one before',
    source: 'raspberry-vanilla/android_local_manifest#242',
    seen: 'The kernel cannot read its descriptor, error -110, and it does not accept an address. Over Ethernet adb works; with Android 15 USB does too.',
    cause: 'the build of Android 16 for the board',
    did: 'used Ethernet, or the Android before',
    lab: {
      ...desk,
      usb: true,
      zone: 'Asia/Kolkata',
      from: '2026-08-24',
      days: 20,
      models: ['Raspberry Pi 5', 'Pixel'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const at = lab.at(16, '11:30');
      const where = lab.where(board, at);
      const loss = lab.lose(board, at);
      for (const minutes of [14, 31, 62]) {
        const from = at + minutes * MINUTE;
        for (const seconds of [5, 22]) lab.kernel(from + seconds * SECOND, where, 'descriptor');
        lab.kernel(from + 48 * SECOND, where, 'enumerate');
      }
      background(lab);
      return {
        at: at + 90 * MINUTE,
        losses: [loss],
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['port', 'phone'], says: /flash|update|undo|build|network/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a phone that got wet takes no charge while it runs',
    source: 'https://forum.fairphone.com/t/my-fairphone-3-only-charges-in-fastboot-mode/87483',
    seen: 'After a storm it does not charge from any plug or cable. At 0 % it tries to start, shows its logo and restarts; in fastboot it charges slowly.',
    cause: 'water in its socket',
    did: 'let it dry, with the battery out: then it charged; a new bottom module was ordered',
    lab: { ...desk, zone: 'Europe/Madrid', from: '2022-04-25', days: 17, models: ['Fairphone 3', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const empty = lab.at(14, '22:10');
      phone.reading = through(lab, [
        [lab.at(14, '08:30'), 58, 24],
        [empty, 1, 28],
      ]);
      const loss = lab.lose(phone, empty);
      background(lab);
      return {
        at: lab.at(15, '09:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /socket|clean|\bdry/i },
      };
    },
  },
  {
    name: 'the battery of a phone stays hot after its tests, until it is restarted',
    source: 'sitespeedio/browsertime#1407',
    seen: 'Between tests it waits to cool down, and the temperature does not come down.',
    cause: 'not found: something on the phone goes on working',
    did: 'restarted it, which helps; the tool now does that by itself',
    lab: { hubs: [4], zone: 'Europe/Stockholm', from: '2020-09-21', days: 24, models: ['Moto G5', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = through(lab, [
        [lab.at(20, '09:00'), 100, 31],
        [lab.at(20, '13:00'), 96, 46],
        [lab.at(20, '16:00'), 94, 46.5],
      ]);
      background(lab);
      return {
        at: lab.at(20, '15:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /restart/i },
      };
    },
  },
  {
    name: 'a phone stops charging while it is warm from games, and runs down',
    source: 'zeelog/OTA#31',
    seen: 'When the temperature rises in a game, charging is cut off by itself, the light goes out, and the processor slows down.',
    cause: 'the thermal settings of the build',
    did: 'tried those of another build: it runs normally',
    lab: { hubs: [4], zone: 'Asia/Jakarta', from: '2021-02-08', days: 22, models: ['Redmi Note 5', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = through(lab, [
        [lab.at(19, '09:00'), 92, 30],
        [lab.at(19, '11:00'), 85, 44],
        [lab.at(19, '17:00'), 30, 46],
        [lab.at(19, '20:00'), 6, 46],
      ]);
      background(lab);
      return {
        at: lab.at(19, '19:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /cool|stop|hot|flash|update|charge/i },
      };
    },
  },
  {
    name: 'a tablet loops after a tool had switched off what came with it',
    source: 'mrhaydendp/Fire-Tools#19',
    seen: 'All is well until the tablet is restarted; from then on it restarts all the time.',
    cause: 'packages that the tool switched off, and the system needs',
    did: 'tried it on another tablet with a shorter list; the maker of the tool shortened it again',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2022-08-22', days: 20, models: ['Fire 7', 'Pixel'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const from = lab.at(17, '18:30');
      lab.reboot(tablet, from, { forMs: 55 * SECOND, reason: 'reboot' });
      const how = { times: 13, awayMs: 52 * SECOND, upMs: 75 * SECOND, reason: 'reboot' };
      const losses = loops(lab, tablet, from + 2 * MINUTE, how);
      background(lab);
      return {
        at: from + 27 * MINUTE,
        losses: losses.filter((loss) => loss.at < from + 26 * MINUTE),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /erase|reset|came last|installed|removed|switched off/i,
        },
      };
    },
  },
  {
    name: 'a board on a network cable restarts while its Wi-Fi is on',
    source: 'lineage-rpi/android_kernel_brcm_rpi#6',
    seen: 'It restarts where there are many wireless networks; other boards and memory cards do the same. With Wi-Fi off all is well.',
    cause: 'the driver of its Wi-Fi',
    did: 'switched Wi-Fi off',
    lab: {
      ...atHome,
      zone: 'America/Los_Angeles',
      from: '2021-02-08',
      days: 24,
      models: ['Raspberry Pi 4', 'Shield'],
    },
    tell(lab) {
      const [board] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [16, 17, 18, 19, 20, 21])
        for (const time of ['02:40', '11:15', '20:30']) {
          const at = lab.at(day, time) + lab.random.between(0, 150) * MINUTE;
          losses.push(lab.reboot(board, at, { forMs: 52 * SECOND, reason: 'reboot' }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [board.udid], says: /Wi-Fi|update|kernel|flash|Android/i },
      };
    },
  },
  {
    name: 'a television is unauthorized and shows nothing, and days later it is allowed',
    source: 'hassio-addons/addon-adb#16',
    seen: 'adb says unauthorized, and no prompt is on its screen, by cable and by Wi-Fi. Some days later it works.',
    cause: 'not found',
    did: 'tried several programs; one of them, or a restart, made it ask',
    lab: { ...atHome, zone: 'Europe/Berlin', from: '2019-09-23', days: 18, models: ['55OLED903', 'Shield'] },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      comesNew(lab, television, lab.at(14, '01:30'), 'unauthorized');
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '20:00'),
        told: { about: ['phone'], keys: [television.udid], says: /prompt|restart|allow|revoke/i },
      };
    },
  },
  {
    name: 'adb lists an emulator that is not there, as something else has its port',
    source: 'LmeSzinc/AzurLaneAutoScript#4971',
    seen: 'Beside the emulator that runs, adb lists one as offline, always; no emulator has that number.',
    cause: 'adb takes what listens at its ports, from 5555 on, for emulators',
    did: 'was told to have the other one listen above 5600',
    lab: { ...desk, emulators: 1, zone: 'Asia/Shanghai', from: '2025-07-07', days: 18 },
    tell(lab) {
      const ghost = lab.add('emulator', { isThereAtFirst: false });
      const at = lab.at(12, '09:10');
      lab.phone(ghost, at, { kind: 'attached', state: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: at + 2 * DAY,
        told: { about: ['phone'], keys: [ghost.udid], says: /\bports?\b/i },
      };
    },
  },
];
