/** Incidents of phones, tablets, headsets and televisions at homes and desks: batteries, restarts, USB modes, keys. */
import { ADB, FASTBOOT, MTP } from '../../usb-tree.ts';
import { adbRestarts, background, levels } from '../background.ts';
import {
  DAY,
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone or more at ports of a desk's own computer. */
const desk = (options: LabOptions): LabOptions => ({
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...options,
});

/** It restarts so often, by itself, up for so long in between. */
function restartsInARow(
  lab: Lab,
  phone: LabPhone,
  from: number,
  { times, upMs, reason }: { times: number; upMs: number; reason?: string },
): ToldLoss[] {
  return Array.from({ length: times }, (_, index) =>
    lab.reboot(phone, from + index * (upMs + 40 * SECOND), { ...(reason && { reason }) }),
  );
}

const RNDIS = { kind: 'e0/01/03', endpoints: 1 };

export const incidents: Incident[] = [
  {
    name: 'a tablet on the wall is full for years, and its battery swells',
    source:
      'https://community.home-assistant.io/t/ha-dashboard-on-android-tablet-battery-bloated-use-capacitor-and-a-diode-to-trick-a-tablet-into-booting-off-usb-with-no-battery/828984',
    seen: 'An 8-inch tablet shows a dashboard, plugged in and at 100 % all the time for two and a half years. Its battery is swollen.',
    cause: 'it was always full',
    did: 'took the battery out; others have a socket cycle the charge',
    lab: desk({ zone: 'Australia/Sydney', from: '2024-11-06', days: 70, models: ['Teclast P80X'] }),
    tell(lab) {
      const tablet = lab.pinned(0);
      tablet.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: 275 + Math.round(12 * Math.sin((2 * Math.PI * at) / DAY)),
      });
      background(lab);
      return {
        at: lab.at(69, '19:00'),
        told: { about: ['phone'], keys: [tablet.udid], says: /swell|swollen|bulg|limit/i },
      };
    },
  },
  {
    name: 'a headset empties itself while it streams over the cable',
    source: 'WiVRn/WiVRn#576',
    seen: 'A Quest 2 slowly discharges although it is plugged in, while it streams over USB; with other programs it does not.',
    cause:
      'the program has the headset run at higher levels of processor and graphics: it draws more than the cable brings',
    did: 'reported it to the program; a battery in the strap',
    lab: desk({ zone: 'America/New_York', from: '2025-10-13', days: 22, models: ['Quest 2'], usb: true }),
    tell(lab) {
      const headset = lab.pinned(0);
      const points: [number, number][] = [[lab.start, 100]];
      for (let day = 14; day < 21; day += 1)
        points.push(
          [lab.at(day, '18:30'), 100],
          [lab.at(day, '22:30'), day === 20 ? 12 : 34],
          [lab.at(day + 1, '02:30'), 100],
        );
      headset.reading = levels(
        points.filter(([at]) => at <= lab.at(20, '22:30')).concat([[lab.at(21, '00:30'), 4]]),
        345,
      );
      background(lab);
      return {
        at: lab.at(20, '23:50'),
        told: { about: ['phone', 'port'], says: /charger|draw|supply|gives/i },
      };
    },
  },
  {
    name: 'once it is full a phone does not charge again before it is restarted',
    source: 'VR-25/acc#158',
    seen: 'A module stops the charge at 80 %. Lately it stops at 60 % or goes up to 100 %, and from 100 % on the phone cannot be charged until it is restarted.',
    cause: 'the switch of the module that limits the charge stays off',
    did: 'restarted it; restarted the daemon of the module, again and again',
    lab: desk({ zone: 'Europe/Madrid', from: '2022-07-18', days: 28, models: ['Galaxy'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const points: [number, number][] = [[lab.start, 80]];
      for (const day of [14, 18, 22, 26])
        points.push([lab.at(day, '07:00'), 80], [lab.at(day, '08:00'), 100], [lab.at(day, '20:00'), 14]);
      for (const day of [14, 18, 22]) {
        lab.reboot(phone, lab.at(day, '21:30'), { reason: 'reboot,userrequested' });
        points.push([lab.at(day, '21:30'), 9], [lab.at(day, '23:30'), 80]);
      }
      points.push([lab.at(26, '22:30'), 7]);
      phone.reading = levels(points.sort(([one], [other]) => one - other));
      background(lab);
      return {
        at: lab.at(26, '22:20'),
        told: { about: ['phone'], keys: [phone.udid], says: /restart|module|limit/i },
      };
    },
  },
  {
    name: 'two phones that film a printer grow hot, stop charging, and go out',
    source: 'feelfreelinux/octo4a#188',
    seen: 'A Note 9 and a Galaxy 8 serve a 3D printer. With the camera open each stops charging after a while, and shuts off; so do others, also at a supply of 100 W.',
    cause: 'they overheat, and therefore do not charge',
    did: 'asked for the stream to end before that',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 2,
      from: '2022-04-04',
      days: 18,
      models: ['Galaxy Note 9', 'Galaxy S8'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of lab.pinnedOf('tcp').entries()) {
        const [from, to] = [lab.at(15 + index, '10:00'), lab.at(15 + index, '17:20')];
        const level = levels([
          [lab.start, 100],
          [from + HOUR, 100],
          [to, 2],
        ]);
        phone.reading = (at) => {
          const heat = at < from || at > to + HOUR ? 0 : Math.min(1, (at - from) / (1.5 * HOUR));
          return { ...level(at), temperatureDecicelsius: Math.round(300 + 185 * heat) };
        };
        losses.push(lab.lose(phone, to, index === 0 ? { forMs: 15 * HOUR } : {}));
      }
      background(lab);
      return {
        at: lab.at(16, '17:45'),
        losses: losses.slice(1),
        blame: ['phone'],
        told: { about: ['phone'], says: /cool|hot|°C/i },
      };
    },
  },
  {
    name: 'a battery says that it charges, and stays at 46 %',
    source: 'Android-L-Porting-Team/Android-L-Mako#39',
    seen: 'Above 46 % the battery does not charge: the phone says that it does, and stays there.',
    cause: 'a ROM that was not flashed as its instructions say',
    did: 'flashed it again',
    lab: desk({ zone: 'Asia/Kolkata', from: '2014-06-16', days: 25, models: ['Nexus 4'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(20, '19:40'), { kind: 'os', release: 'L', before: '4.4.4' });
      phone.reading = levels([
        [lab.at(20, '18:00'), 100],
        [lab.at(20, '22:00'), 31],
        [lab.at(21, '00:30'), 46],
        [lab.at(25), 46],
      ]);
      lab.facts(phone, lab.at(21), { battery: { isPresent: true, status: 'CHARGING' } });
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /flash|charg|battery/i },
      };
    },
  },
  {
    name: 'an old phone that was left unplugged does not boot any more',
    source: 'DoESLiverpool/somebody-should#1756',
    seen: 'The phone for card payments is at times left unplugged and runs empty. Now it does not boot, though it says 60 %; later it shows zero, on the charger too.',
    cause: 'it is seven or eight years old: phone and battery are dead',
    did: 'left it for a while, then took payments with another phone',
    lab: desk({ zone: 'Europe/London', from: '2022-12-19', days: 30, models: ['Old phone'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of [3, 9, 15, 20, 24]) lab.lose(phone, lab.at(day, '17:10'), { forMs: 40 * HOUR });
      phone.reading = levels([
        [lab.at(3, '16:00'), 100],
        [lab.at(29), 62],
      ]);
      const at = lab.at(28, '11:05');
      lab.lose(phone, at, { forMs: 3 * MINUTE });
      lab.facts(phone, at, { bootCompleted: false });
      background(lab);
      return {
        at: lab.at(28, '12:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /battery|charge|erase|flash/i },
      };
    },
  },
  {
    name: 'a phone powers off at eight percent',
    source: 'LegacyXperia/local_manifests#867',
    seen: 'Two or three times the phone powered off at 8 %, and off again once it had booted; on a charger it shows 8 %.',
    cause: 'its battery begins to die',
    did: 'let it run down to 1 %, and charged it',
    lab: desk({ zone: 'Europe/Athens', from: '2014-12-22', days: 24, models: ['Xperia mini'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const points: [number, number][] = [[lab.start, 90]];
      const losses: ToldLoss[] = [];
      for (const day of [12, 16, 20]) {
        const off = lab.at(day, '18:20');
        points.push([lab.at(day, '09:00'), 92], [off, 8], [off + 2 * HOUR, 40], [off + 6 * HOUR, 90]);
        losses.push(lab.reboot(phone, off, { forMs: 3 * MINUTE }));
        losses.push(lab.reboot(phone, off + 5 * MINUTE, { forMs: 70 * MINUTE }));
      }
      phone.reading = levels(points);
      background(lab);
      return {
        at: lab.at(20, '20:30'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /battery/i },
      };
    },
  },
  {
    name: 'a phone falls into its recovery again and again until a newer build',
    source: 'topjohnwu/Magisk#3582',
    seen: 'It restarts at random, and ends in the recovery, "Failed to load Android system". First Magisk was suspected.',
    cause: 'its build of LineageOS',
    did: 'installed the build of December 15: since then it holds',
    lab: desk({ zone: 'Europe/Berlin', from: '2020-11-23', days: 26, models: ['Moto G7 Plus'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(17, '20:14'), { kind: 'os', build: '20201208', buildBefore: '20201124' });
      const losses: ToldLoss[] = [];
      for (const [day, time, isOfRecovery] of [
        [18, '03:41', false],
        [18, '22:05', true],
        [19, '14:32', false],
        [20, '02:17', true],
        [20, '19:50', false],
        [21, '05:26', true],
        [21, '16:02', true],
        [22, '01:44', false],
      ] as const) {
        const at = lab.at(day, time);
        if (!isOfRecovery) losses.push(lab.reboot(phone, at, { reason: 'reboot' }));
        else {
          losses.push(lab.lose(phone, at, { forMs: 50 * SECOND, backAs: 'recovery' }));
          lab.reboot(phone, at + 25 * MINUTE, { reason: 'reboot,recovery' });
        }
      }
      background(lab);
      return {
        at: lab.at(22, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|build|Android|installed/i },
      };
    },
  },
  {
    name: 'a module against boot loops restarts a phone that has booted',
    source: 'Magisk-Modules-Alt-Repo/HuskyDG_BootloopSaver#28',
    seen: 'About 45 seconds after each good boot the phone restarts, with all modules disabled. With the modules on again, the same.',
    cause: 'the module that is to save it from boot loops takes the boot for one',
    did: 'removed the module; one had to delete its file',
    lab: desk({ zone: 'America/Los_Angeles', from: '2022-09-26', days: 20, models: ['Pixel 7 Pro'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const time of ['19:04', '19:11', '19:20', '19:31', '19:45']) {
        const at = lab.at(17, time);
        lab.reboot(phone, at, { reason: 'reboot,userrequested' });
        losses.push(lab.reboot(phone, at + 40 * SECOND + 62 * SECOND, { reason: 'reboot' }));
      }
      background(lab);
      return {
        at: lab.at(17, '19:52'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /last|module|remove|installed/i },
      };
    },
  },
  {
    name: 'a phone restarts each minute or two while its memory card is in',
    source: 'LegacyXperia/local_manifests#828',
    seen: 'After an update over the air and a full discharge it restarts after a minute or two, with other builds too. Without the memory card it works; the card makes another phone restart as well.',
    cause: 'the memory card',
    did: 'took the card out',
    lab: desk({ zone: 'Europe/Warsaw', from: '2014-10-06', days: 24, models: ['Xperia arc S'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(19, '20:02'), { kind: 'os', build: '20141025', buildBefore: '20141023' });
      const losses = restartsInARow(lab, phone, lab.at(20, '14:20'), { times: 16, upMs: 85 * SECOND });
      background(lab);
      return {
        at: lab.at(20, '14:50'),
        losses: losses.filter(({ at }) => at < lab.at(20, '14:49')),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /card/i },
      };
    },
  },
  {
    name: 'a phone panics some times a week, then each day, by its memory card',
    source: 'LegacyXperia/local_manifests#746',
    seen: 'It restarts two or three times a week under load; lately once or twice a day.',
    cause: 'the memory card, to which the applications were moved',
    did: 'was told to try it without the card, or with another, and to check its file system',
    lab: desk({ zone: 'Asia/Kolkata', from: '2014-07-21', days: 27, models: ['Xperia Neo V'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [4, '13:10'],
        [7, '21:40'],
        [11, '18:22'],
        [13, '09:51'],
        [14, '23:05'],
        [17, '11:30'],
        [19, '15:47'],
        [20, '08:12'],
        [21, '20:39'],
        [22, '17:02'],
        [23, '10:20'],
        [23, '22:31'],
        [24, '19:14'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { reason: 'kernel_panic' }));
      background(lab);
      return {
        at: lab.at(24, '21:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /card/i },
      };
    },
  },
  {
    name: 'a phone with a foreign kernel shuts down while it tethers',
    source: 'crdroidandroid/issue_tracker#386',
    seen: 'When USB tethering is switched on, the phone shuts itself down.',
    cause: 'a custom kernel that was flashed onto it; with that of the build tethering works',
    did: 'was sent to the maintainer of the kernel',
    lab: desk({ zone: 'Asia/Jakarta', from: '2024-04-01', days: 26, models: ['Redmi Note 12'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [18, '09:12', 7],
        [20, '13:40', 22],
        [22, '10:05', 4],
        [23, '15:30', 11],
        [24, '08:48', 6],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(phone, at, { forMs: 2 * SECOND, onUsb: { interfaces: [RNDIS, ADB] } });
        losses.push(lab.reboot(phone, at + 2 * MINUTE, { forMs: minutes * MINUTE }));
      }
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /flash|kernel|update|Android|installed/i },
      };
    },
  },
  {
    name: 'a phone panics several times a day until its Android is updated',
    source: 'GrapheneOS/os-issue-tracker#5744',
    seen: 'After two years without a crash it restarts by kernel panics, often. Battery and display had been replaced.',
    cause: 'its Android: since the next version it has stopped',
    did: 'updated to Android 16',
    lab: desk({ zone: 'Europe/Zurich', from: '2025-06-16', days: 24, models: ['Pixel 7 Pro'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 15; day < 22; day += 1)
        for (const time of ['01:30', '09:40', '17:15'])
          losses.push(
            lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 5) * HOUR, {
              reason: 'kernel_panic',
            }),
          );
      background(lab);
      return {
        at: lab.at(22, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|Android/i },
      };
    },
  },
  {
    name: 'a phone restarts once, by a panic, while it charges',
    source: 'GrapheneOS/os-issue-tracker#7704',
    seen: 'It restarted by a kernel panic during charging, in the driver of battery and charger.',
    cause: 'a fault in the driver of battery and charger, from its maker',
    did: 'reported it; it belongs to the maker',
    lab: desk({ zone: 'Europe/Bratislava', from: '2026-04-13', days: 20, models: ['Pixel 8 Pro'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(17, '02:43'), { reason: 'kernel_panic' });
      background(lab);
      return {
        at: lab.at(17, '09:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|Android|battery/i },
      };
    },
  },
  {
    name: 'a phone does not get past its logo with a new build, until it has another boot image',
    source: 'fakemanoan/LineageOS-Releases#7',
    seen: 'After the new build was flashed it loops; adb can read its log meanwhile.',
    cause: 'the kernel of the build, for this one model',
    did: 'flashed another boot image; then the next release',
    lab: desk({ zone: 'Europe/Kiev', from: '2022-09-19', days: 20, models: ['Galaxy S6 Edge'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const flashed = lab.at(18, '16:40');
      lab.reboot(phone, flashed, { forMs: 9 * MINUTE, reason: 'reboot' });
      lab.phone(phone, flashed + 10 * MINUTE, { kind: 'os', release: '12', before: '11' });
      const losses = restartsInARow(lab, phone, flashed + 11 * MINUTE, { times: 14, upMs: 48 * SECOND });
      lab.facts(phone, flashed, { bootCompleted: false });
      background(lab);
      return {
        at: flashed + 30 * MINUTE,
        losses: losses.filter(({ at }) => at < flashed + 29 * MINUTE),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /flash|last/i },
      };
    },
  },
  {
    name: 'a phone restarts at random with the build of one day',
    source: 'kerneltoast/android#1',
    seen: 'With the build of December 23 it still restarts, though a fix for that was flashed. With that of the 21st, and with the next one, it does not.',
    cause: 'the build',
    did: 'flashed the build before it, then the one after it',
    lab: desk({ zone: 'Asia/Shanghai', from: '2015-12-01', days: 26, models: ['OnePlus One'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(22, '19:31'), { kind: 'os', build: '20151223', buildBefore: '20151221' });
      const losses = ['20:40', '21:15', '22:58', '01:20', '04:47', '07:05', '08:33'].map((time, index) =>
        lab.reboot(phone, lab.at(index < 3 ? 22 : 23, time), {}),
      );
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|Android|installed/i },
      };
    },
  },
  {
    name: 'with a newer kernel a phone restarts every quarter of an hour while it is used',
    source: 'nichcream/rel#14',
    seen: 'Since the builds of June and July it restarts after each 15 to 20 minutes of use, heavy or light; with that of April, of an older kernel, it never did.',
    cause: 'the newer kernel',
    did: 'went back to the build of April',
    lab: desk({ zone: 'Asia/Tehran', from: '2019-07-01', days: 28, models: ['Redmi 3S'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(24, '20:10'), { kind: 'os', build: '20190707', buildBefore: '20190412' });
      const losses: ToldLoss[] = [];
      for (const day of [25, 26, 27])
        for (const [time, count] of [
          ['08:10', 4],
          ['18:20', 7],
        ] as const)
          for (let index = 0; index < count; index += 1)
            losses.push(
              lab.reboot(phone, lab.at(day, time) + index * 18 * MINUTE + lab.random.between(0, 4) * MINUTE, {
                reason: 'reboot',
              }),
            );
      background(lab);
      return {
        at: lab.at(27, '18:10'),
        losses: losses.filter(({ at }) => at < lab.at(27, '18:00')),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|Android|installed/i },
      };
    },
  },
  {
    name: 'a phone freezes now and then, and restarts with its screen off',
    source: 'sonyxperiadev/bug_tracker#340',
    seen: 'It freezes at random, at a touch, and sometimes restarts, it seems only while the screen is off.',
    cause: 'patches of its kernel for compressed memory',
    did: 'the patches were taken out, and the kernel built again',
    lab: desk({ zone: 'Europe/Stockholm', from: '2019-02-04', days: 26, models: ['Xperia X'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(12, '21:00'), { kind: 'os', build: '20190216', buildBefore: '20190120' });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '03:12'],
        [16, '23:40'],
        [18, '04:55'],
        [20, '02:08'],
        [21, '22:47'],
        [23, '05:31'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { reason: 'kernel_panic' }));
      background(lab);
      return {
        at: lab.at(23, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|Android|kernel|flash/i },
      };
    },
  },
  {
    name: 'a television loops after a script removed applications from it',
    source: 'therealhoodboy/skinny-bravia#2',
    seen: 'All commands of a list were run over adb, and the television was restarted by hand. Now the maker’s logo appears, then that of Google TV, and again from the start.',
    cause: 'the script removed applications that the system needs',
    did: 'reset it to its factory state by the button',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2026-02-16',
      days: 24,
      models: ['Phone', 'Bravia'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const restarted = lab.at(21, '20:12');
      const losses = [lab.reboot(television, restarted, { forMs: 70 * SECOND, reason: 'reboot' })];
      for (let index = 0; index < 14; index += 1)
        losses.push(
          lab.reboot(television, restarted + (index + 1) * 125 * SECOND, {
            forMs: 80 * SECOND,
            reason: 'reboot',
          }),
        );
      lab.facts(television, restarted, { bootCompleted: false });
      background(lab, { hasReadings: false });
      return {
        at: restarted + 27 * MINUTE,
        losses: losses.filter(({ at }) => at < restarted + 26 * MINUTE),
        blame: ['phone'],
        told: { about: ['phone'], keys: [television.udid], says: /erase|reset|came last|installed/i },
      };
    },
  },
  {
    name: 'debugging goes off each time the cable is unplugged',
    source: 'RikkaApps/Shizuku#379',
    seen: 'As soon as the cable is unplugged, USB debugging is off. In the mode "charging only" adb shows no device; it works in the mode for file transfer alone.',
    cause: 'the maker’s Android ends debugging where the mode is "charging only"',
    did: '"Allow ADB debugging in charge only mode"; debugging on again each time',
    lab: desk({ zone: 'Europe/Paris', from: '2023-10-30', days: 24, models: ['P30 Lite'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes, offMinutes] of [
        [15, '18:30', 45, 6],
        [16, '12:10', 90, 14],
        [18, '09:20', 30, 9],
        [19, '17:45', 120, 5],
        [21, '10:15', 25, undefined],
      ] as const) {
        const at = lab.at(day, time);
        const plugged = at + minutes * MINUTE;
        const forMs = offMinutes === undefined ? {} : { forMs: (minutes + offMinutes) * MINUTE };
        losses.push(lab.lose(phone, at, forMs));
        lab.usb(phone, plugged, { interfaces: [MTP] });
        if (offMinutes !== undefined) lab.usb(phone, plugged + offMinutes * MINUTE, undefined);
      }
      background(lab);
      return {
        at: lab.at(21, '11:00'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /debugging/i },
      };
    },
  },
  {
    name: 'adb over the air ends whenever Wi-Fi is switched off',
    source: 'RikkaApps/Shizuku#311',
    seen: 'On two phones that adb reaches by their address alone the service stops each time Wi-Fi or wireless debugging is switched off; with other ones, by cable, it does not.',
    cause: 'these phones end adb with the connection',
    did: 'connected again',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      network: 2,
      from: '2023-05-15',
      days: 24,
      models: ['Galaxy A3', 'Honor 5X'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of lab.pinnedOf('tcp').entries())
        for (const [day, time, minutes] of [
          [14, '08:05', 550],
          [16, '12:40', 35],
          [18, '19:10', 75],
          [20, '08:02', 600],
          [21, '22:45', 510],
          [22, '13:20', undefined],
        ] as const)
          losses.push(
            lab.lose(phone, lab.at(day, time) + index * 2.6 * HOUR, {
              ...(minutes && { forMs: minutes * MINUTE }),
            }),
          );
      background(lab);
      return {
        at: lab.at(22, '17:00'),
        losses,
        blame: ['link', 'phone', 'network', 'person', 'unknown'],
        told: { about: ['phone', 'network'], says: /Wi-Fi|connect/i },
      };
    },
  },
  {
    name: 'a phone is switched to file transfer several times a day',
    source: 'RikkaApps/Shizuku#366',
    seen: 'It is connected in charge mode, and adb works. Whenever somebody sets file transfer, some times a day, whatever adb runs stops at once.',
    cause: 'a change of the USB mode starts adb anew on the phone',
    did: 'unplugged it, plugged it in again in charge mode, and started it anew',
    lab: desk({ zone: 'Europe/Madrid', from: '2023-10-09', days: 22, models: ['P10'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 19; day += 1)
        for (const time of lab.random.shuffled(['10:20', '13:05', '17:40', '20:15']).slice(0, 2)) {
          const at = lab.at(day, time) + lab.random.between(0, 40) * MINUTE;
          losses.push(
            lab.lose(phone, at, { forMs: 2500, onUsb: { interfaces: [MTP, ADB] } }),
            lab.lose(phone, at + lab.random.between(4, 15) * MINUTE, {
              forMs: lab.random.between(8, 30) * SECOND,
            }),
          );
        }
      background(lab);
      return {
        at: lab.at(19, '09:00'),
        losses,
        blame: ['person', 'phone', 'unknown'],
      };
    },
  },
  {
    name: 'a phone asks for no key until its USB mode is file transfer',
    source: '0x192/universal-android-debloater#163',
    seen: 'Debugging is on, adb lists the phone as unauthorized, and the phone shows no prompt.',
    cause: 'it asks only in the mode for file transfer',
    did: 'set file transfer: the prompt came',
    lab: desk({
      zone: 'America/Chicago',
      from: '2022-02-21',
      days: 24,
      models: ['Pixel', 'Moto'],
      usb: true,
    }),
    tell(lab) {
      const port = { chain: '12', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 2' };
      const phone = lab.add('usb', { port, isThereAtFirst: false });
      phone.isPinned = true;
      lab.phone(phone, lab.at(22, '16:10'), { kind: 'attached', state: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(22, '17:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /file transfer|USB mode/i },
      };
    },
  },
  {
    name: 'a tablet shows its prompt once, and never again while it waits',
    source: 'djbclark/stayturgid#114',
    seen: 'A new key is to be allowed. The first prompt was not tapped in time; with each further connection the tablet shows none at all.',
    cause: 'its adb takes the first prompt for open, and skips each later one',
    did: 'switched USB debugging off and on again: the prompt came',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2026-07-06',
      days: 24,
      models: ['Pixel', 'Fire HD 8'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      adbRestarts(lab, lab.at(22, '13:58'));
      lab.lose(tablet, lab.at(22, '14:00'), { as: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(22, '14:40'),
        told: { about: ['phone'], keys: [tablet.udid], says: /off and (back )?on/i },
      };
    },
  },
  {
    name: 'a headset waits for somebody to look into it and allow the computer',
    source: 'whitewhidow/quest-sidenoder#74',
    seen: 'Developer mode and debugging are on, and the headset stays disconnected for the program; adb has it as unauthorized.',
    cause: 'the prompt in the headset was not accepted',
    did: 'asked adb again, and accepted it',
    lab: desk({ zone: 'Europe/London', from: '2021-03-22', days: 24, models: ['Phone', 'Quest 2'] }),
    tell(lab) {
      const port = { chain: '12', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 2' };
      const headset = lab.add('usb', { port, isThereAtFirst: false });
      headset.isPinned = true;
      lab.phone(headset, lab.at(21, '19:20'), { kind: 'attached', state: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(21, '19:50'),
        told: { about: ['phone'], keys: [headset.udid], says: /prompt|allow|accept/i },
      };
    },
  },
  {
    name: 'adb ends for a moment when a phone begins to tether',
    source: 'Genymobile/scrcpy#2057',
    seen: 'As soon as USB tethering is switched on, the mirror of the screen ends; started again, it works.',
    cause: 'a change of the USB mode',
    did: 'started it again',
    lab: desk({ zone: 'Asia/Colombo', from: '2021-01-04', days: 22, models: ['Lenovo A2010'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [12, '18:20'],
          [15, '20:02'],
          [18, '17:35'],
          [19, '11:10'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time), { forMs: 3 * SECOND, onUsb: { interfaces: [RNDIS, ADB] } }),
      );
      background(lab);
      return { at: lab.at(19, '12:00'), losses, blame: ['phone', 'person', 'unknown'] };
    },
  },
  {
    name: 'a program brings an adb of its own, and the headset is unauthorized',
    source: 'Lauriethefish/QuestPatcher#12',
    seen: 'The headset is allowed, and one program works with it. When the other is started, adb has it as unauthorized; it speaks of a server of version 39.',
    cause: 'the second program replaces the adb server by another version, which has a key of its own',
    did: 'asked where the other version is to be had',
    lab: desk({ zone: 'Europe/London', from: '2021-04-26', days: 24, models: ['Quest'] }),
    tell(lab) {
      const headset = lab.pinned(0);
      for (const [day, time] of [
        [19, '18:05'],
        [19, '18:40'],
        [20, '17:10'],
        [20, '20:25'],
        [21, '16:00'],
      ] as const) {
        const at = lab.at(day, time);
        adbRestarts(lab, at, 39);
        adbRestarts(lab, at + 11 * MINUTE, 41);
        lab.lose(headset, at + 3500, { as: 'unauthorized', forMs: 11 * MINUTE });
      }
      adbRestarts(lab, lab.at(21, '17:30'), 39);
      lab.lose(headset, lab.at(21, '17:30') + 3500, { as: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(21, '17:50'),
        told: { about: ['host', 'phone'], says: /version|same adb|key/i },
      };
    },
  },
  {
    name: 'debugging of a phone was off one day, and nobody had touched it',
    source: 'snowdream/51-android#16',
    seen: 'It had worked, then suddenly adb lists nothing; the files of the phone can be browsed.',
    cause: 'the developer options had switched themselves off',
    did: 'switched debugging on',
    lab: desk({ zone: 'Asia/Shanghai', from: '2021-10-18', days: 24, models: ['Phone'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(20, '21:12'), { onUsb: { interfaces: [MTP] } });
      background(lab);
      return {
        at: lab.at(21, '09:00'),
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /debugging/i },
      };
    },
  },
  {
    name: 'a program for photos takes the phone for a camera, again and again',
    source: 'darktable-org/darktable#8967',
    seen: 'While darktable runs, the tethered phone goes off and on rapidly; once it is closed all is stable. On the laptop, with the same program, too.',
    cause: 'the program looks for cameras every few seconds, and claims the phone',
    did: 'closed the program',
    lab: desk({ zone: 'America/New_York', from: '2021-04-26', days: 22, models: ['Phone'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [16, '20:10', 30],
        [17, '19:30', 45],
        [18, '21:00', 40],
      ] as const)
        for (let index = 0; index < times; index += 1) {
          const at = lab.at(day, time) + index * 14 * SECOND;
          lab.kernel(at - 500, lab.where(phone, at), 'reset');
          losses.push(lab.lose(phone, at, { forMs: 4 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(18, '21:12'),
        losses,
        blame: ['host', 'person', 'unknown'],
        told: { about: ['host', 'phone'], says: /program|desktop|file manager/i },
      };
    },
  },
  {
    name: 'the file manager of a desktop resets a phone that it cannot read',
    source: 'NixOS/nixpkgs#145824',
    seen: 'When the phone is plugged in, the desktop fails to open it, resets it twice, tries again after fifteen seconds, and the phone leaves and comes back, from the start.',
    cause: 'the program that mounts phones, since an update of its library',
    did: 'updated it, with the fix',
    lab: desk({ zone: 'Europe/Vienna', from: '2023-05-01', days: 26, models: ['Redmi 9T'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [17, '16:50', 6],
        [19, '10:20', 9],
        [20, '18:05', 7],
        [22, '16:56', 8],
      ] as const)
        for (let index = 0; index < times; index += 1) {
          const at = lab.at(day, time) + index * 18 * SECOND;
          lab.kernel(at - 15 * SECOND, lab.where(phone, at), 'reset');
          lab.kernel(at - 14 * SECOND, lab.where(phone, at), 'reset');
          losses.push(lab.lose(phone, at, { forMs: 2 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(22, '17:10'),
        losses,
        blame: ['host', 'phone', 'unknown'],
        told: { about: ['host', 'phone'], says: /program|desktop|file manager|USB mode/i },
      };
    },
  },
  {
    name: 'a phone on a cheap hub stutters and leaves, at the board it does not',
    source: 'Genymobile/scrcpy#2298',
    seen: 'The mirror of the screen is slow and ends all the time. At a port of the board itself it is good.',
    cause: 'the hub',
    did: 'used a port of the board, or a very good hub',
    lab: { zone: 'Europe/Moscow', hubs: [4], free: 3, known: { slots: false }, from: '2024-10-01', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 15; day < 22; day += 1)
        for (const time of lab.random
          .shuffled(['12:00', '14:30', '19:00', '20:20', '21:40', '22:50'])
          .slice(2))
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 50) * MINUTE, {
              forMs: lab.random.between(2, 12) * SECOND,
            }),
          );
      background(lab);
      return {
        at: lab.at(22, '10:00'),
        losses,
        blame: ['hub', 'port'],
        told: { about: ['hub', 'port'], says: /hub|another port|other port/i },
      };
    },
  },
  {
    name: 'a phone that is flashed is not seen at the Thunderbolt port of a laptop',
    source: 'dan-v/rattlesnakeos-stack#113',
    seen: 'After a part was flashed and the phone restarted, fastboot found no device; the kernel wrote that the cable may be bad. At a desktop with plain USB 3 ports everything worked.',
    cause: 'its new boot loader and the Thunderbolt port of the laptop',
    did: 'flashed it at another computer',
    lab: desk({ zone: 'Europe/Berlin', from: '2019-03-04', days: 24, models: ['Pixel 2'], usb: true }),
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(19, '14:20');
      const loss = lab.lose(phone, at, { onUsb: { interfaces: [FASTBOOT] } });
      const restarted = at + 3 * MINUTE;
      lab.usb(phone, restarted, null);
      for (const [seconds, fault] of [
        [12, 'descriptor'],
        [18, 'cable'],
        [24, 'cable'],
        [30, 'enumerate'],
      ] as const)
        lab.kernel(restarted + seconds * SECOND, lab.where(phone, at), fault);
      background(lab);
      return {
        at: at + 40 * MINUTE,
        losses: [loss],
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['port', 'phone'], says: /port|another host/i },
      };
    },
  },
  {
    name: 'a phone restarts by itself, most of all while it hangs at USB',
    source: 'Al3XKOoL/android_device_wiko_rainbow#13',
    seen: 'At times it restarts by itself; while it is connected to USB, much more often.',
    cause: 'in its ROM the charging of a phone that is off does not work',
    did: 'took the next release of the ROM, which has it mended',
    lab: desk({ zone: 'Asia/Kolkata', from: '2015-08-17', days: 26, models: ['Wiko Rainbow'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [20, 21, 22, 23])
        for (const time of ['06:50', '11:40', '15:25', '19:10', '23:30'])
          losses.push(lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 70) * MINUTE, {}));
      background(lab);
      return {
        at: lab.at(24, '09:30'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|flash|Android|came last/i },
      };
    },
  },
  {
    name: 'a phone hangs on the charger at night, and starts only by way of its download mode',
    source: 'ananjaser1211/FloydQ_Reports#7',
    seen: 'Left on the charger it hangs, after one hour or after six, also long after it is full; in the morning it is stuck, and only the download mode brings it back.',
    cause: 'its ROM: it hangs when it dozes while it charges',
    did: 'forced it to restart; the next version of the ROM was to mend it',
    lab: desk({ zone: 'Europe/Rome', from: '2020-03-30', days: 28, models: ['Galaxy S7'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [19, '04:10'],
        [21, '02:35'],
        [22, '05:20'],
        [24, '03:05'],
      ] as const) {
        const at = lab.at(day, time);
        const back = lab.at(day, '07:40') + lab.random.between(0, 40) * MINUTE;
        losses.push(lab.lose(phone, at, { forMs: back - at }));
        lab.rebooted(phone, back + 20 * SECOND, { uptimeSeconds: 50 });
      }
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /hangs|update|Android|erase|flash/i },
      };
    },
  },
  {
    name: 'a phone stands still in the morning, with the time of hours ago',
    source: 'PixelExperience/android-issues#1347',
    seen: 'Several times it was dead in the morning, on the charger, its display at a time hours ago. The power button, held for seconds, restarts it.',
    cause: 'its ROM; since the newer version more often',
    did: 'held the power button each time; one flashed a newer build',
    lab: desk({ zone: 'America/Vancouver', from: '2021-12-20', days: 26, models: ['Mi 9'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(9, '20:31'), { kind: 'os', release: '12', before: '11' });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '03:22'],
        [17, '05:41'],
        [20, '02:14'],
      ] as const) {
        const forced = lab.at(day, '07:30');
        losses.push(lab.lose(phone, lab.at(day, time), { as: 'offline' }));
        lab.phone(phone, forced, { kind: 'detached' });
        lab.phone(phone, forced + 50 * SECOND, { kind: 'attached', state: 'device' });
        lab.rebooted(phone, forced + 70 * SECOND, { uptimeSeconds: 50 });
      }
      background(lab);
      return {
        at: lab.at(20, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /hang|power button|update|flash|erase/i },
      };
    },
  },
  {
    name: 'a phone that is to stop at 80 % stays hot on its wireless charger all night',
    source: 'GrapheneOS/os-issue-tracker#6691',
    seen: 'With the limit of 80 % the battery stays hot on the charger, the maker’s own too; without it the battery is full and cool in the morning.',
    cause: 'it is charged from 79 to 80 % again and again, by a charger without a cable, which warms it',
    did: 'switched the limit off; was told to try a cable',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2025-11-10',
      days: 27,
      models: ['Pixel', 'Pixel 10 Pro'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      phone.reading = (at) => {
        const hour = ((at - lab.start) / HOUR) % 24;
        const isNight = hour < 7 || hour >= 23;
        const isHot = isNight && at > lab.at(22);
        return {
          levelPercent: isNight ? 80 - (Math.floor(at / (20 * MINUTE)) % 2) : 62,
          isFull: false,
          temperatureDecicelsius: isHot ? 458 + (Math.floor(at / MINUTE) % 7) : 295,
        };
      };
      background(lab);
      return {
        at: lab.at(25, '06:40'),
        told: { about: ['phone'], keys: [phone.udid], says: /cool|hot|°C/i },
      };
    },
  },
  {
    name: 'a phone freezes while its screen is off, and only a forced restart helps',
    source: 'ananjaser1211/FloydQ_Reports#262',
    seen: 'It freezes at random with its screen off, after long standby or after it was charged; sometimes the keys wake it, mostly only a hard restart does.',
    cause: 'its kernel',
    did: 'restarted it by force; a fix for the kernel followed',
    lab: desk({ zone: 'Asia/Karachi', from: '2021-04-01', days: 26, models: ['Galaxy Note FE'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '13:20', 35],
        [14, '22:05', 50],
        [16, '18:40', 25],
        [18, '01:10', 420],
        [19, '16:30', 40],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE }));
        lab.rebooted(phone, at + minutes * MINUTE + 15 * SECOND, { uptimeSeconds: 45 });
      }
      background(lab);
      return {
        at: lab.at(19, '18:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /hangs|update|Android|erase|flash/i },
      };
    },
  },
  {
    name: 'a laptop loses all of its USB ports whenever its power supply is unplugged',
    source: 'linrunner/TLP#805',
    seen: 'When the power cable is pulled, the kernel writes "Host System Error" of the controller, and all USB ports are off, also once the cable is back. Binding the driver of the controller anew brings them back.',
    cause: 'the controller fails as its power saving changes with the supply',
    did: 'bound the driver anew by a script',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 1,
      direct: 2,
      from: '2025-05-05',
      days: 25,
      usb: true,
    },
    tell(lab) {
      const phones = lab.usbPhones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [19, '05:09', 160],
        [21, '17:30', 25],
        [23, '09:40', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at + 400, {}, 'died', '0000:00:14.0');
        losses.push(
          ...lab.loseAll(phones, at, {
            spreadMs: 300,
            gone: 'controller',
            ...(minutes && { forMs: minutes * MINUTE }),
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(23, '09:50'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /driver|controller/i },
      };
    },
  },
  {
    name: 'a phone ends up in its recovery at night, and empties itself there',
    source: 'sonyxperiadev/bug_tracker#418',
    seen: 'In the evening the battery was at 55 %; in the morning the phone was in its recovery, at 5 %.',
    cause: 'its system crashed and restarted into the recovery, which takes much of the battery',
    did: 'took the fixes of the kernel: 34 days without it',
    lab: {
      zone: 'Europe/Istanbul',
      hubs: [4],
      known: { slots: false },
      from: '2019-05-06',
      days: 26,
      models: ['Xperia X Compact'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(24, '02:13');
      const loss = lab.lose(phone, at, { forMs: 45 * SECOND, backAs: 'recovery' });
      background(lab);
      return {
        at: lab.at(24, '08:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /recovery|reboot|restart/i },
      };
    },
  },
];
