/** Incidents of phones, tablets, televisions and headsets themselves: more of those that were told rarely. */
import { background, inUse } from '../background.ts';
import { DAY, HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

/** Two of the network, beside a phone at a hub. */
const atHome: LabOptions = { hubs: [4], free: 3, network: 2 };

/** Its charge falls evenly from one moment to another, and stays there. */
function falls(
  phone: LabPhone,
  calm: LabPhone['reading'],
  fall: { from: number; to: number; least: number },
) {
  phone.reading = (at) => {
    if (at < fall.from) return calm?.(at);
    const part = Math.min(1, (at - fall.from) / (fall.to - fall.from));
    return {
      levelPercent: Math.round(88 - (88 - fall.least) * part),
      isFull: false,
      temperatureDecicelsius: 288,
    };
  };
}

export const incidents: Incident[] = [
  {
    name: 'a phone that ran empty starts and goes off in a loop as long as it is on the charger',
    source:
      'GrapheneOS/os-issue-tracker#3590, GrapheneOS/os-issue-tracker#4088, GrapheneOS/os-issue-tracker#6428',
    seen: 'Once the battery is at 0 %, the phone starts when it is plugged in, shows its logo or its lock screen, goes off, and so on; it gets very hot.',
    cause: 'the empty battery, and a system that starts too early',
    did: 'stopped it in the bootloader, and let it charge there',
    lab: { ...desk, zone: 'Europe/London', from: '2025-09-29', days: 18, models: ['Pixel 8a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const empty = lab.at(16, '13:05');
      falls(phone, inUse(lab), { from: empty - 30 * HOUR, to: empty, least: 1 });
      const losses = [lab.lose(phone, empty, { forMs: 25 * MINUTE })];
      for (let turn = 0; turn < 5; turn += 1) {
        const at = empty + 25 * MINUTE + (turn * 95 + 22) * SECOND;
        losses.push(lab.lose(phone, at, { ...(turn < 4 && { forMs: 73 * SECOND }) }));
      }
      background(lab);
      return {
        at: empty + 50 * MINUTE,
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /charg/i },
      };
    },
  },
  {
    name: 'a phone goes on giving power in place of taking it, whatever it is plugged into',
    source: 'GrapheneOS/os-issue-tracker#1223',
    seen: 'After a bad cable the phone has switched to charging the other device, and stays so: no charger charges it any more.',
    cause: 'the USB setting of the phone: it charges what is connected',
    did: 'set it by hand to charge this device; or charged it while it was off',
    lab: { hubs: [4], zone: 'Europe/Berlin', from: '2022-05-16', days: 17, models: ['Pixel 6', 'Pixel 5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      falls(phone, inUse(lab), { from: lab.at(13, '11:00'), to: lab.at(15, '20:00'), least: 6 });
      background(lab);
      return {
        at: lab.at(15, '19:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /USB (setting|mode|preference|configuration)|charge this|(power|restart|switch)[^.;]* off/i,
        },
      };
    },
  },
  {
    name: 'a tablet takes no charge from any charger until its socket is cleaned',
    source: 'cityofaustin/atd-data-tech#18350',
    seen: 'The tablet does not charge; several chargers were tried.',
    cause: 'dirt in its charging port',
    did: 'cleaned the port',
    lab: { hubs: [4], zone: 'America/Chicago', from: '2024-07-08', days: 17, models: ['Galaxy Tab'] },
    tell(lab) {
      const tablet = lab.pinned(1);
      const off = lab.at(15, '14:40');
      falls(tablet, inUse(lab), { from: off - 2 * DAY, to: off, least: 2 });
      const loss = lab.lose(tablet, off);
      background(lab);
      return {
        at: lab.at(15, '16:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /clean|socket|dirt/i },
      };
    },
  },
  {
    name: 'a tablet does not charge and cannot be switched on, until it has another cable',
    source: 'cityofaustin/atd-data-tech#13060',
    seen: 'The tablet takes no charge at all, and does not start.',
    cause: 'its cable',
    did: 'charged it with another cable, up to 100 %',
    lab: { ...desk, zone: 'America/Chicago', from: '2023-07-10', days: 18, models: ['Galaxy Tab'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const off = lab.at(16, '23:30');
      falls(tablet, inUse(lab), { from: off - 40 * HOUR, to: off, least: 1 });
      const loss = lab.lose(tablet, off);
      background(lab);
      return {
        at: lab.at(17, '08:30'),
        losses: [loss],
        blame: ['phone', 'link', 'port'],
        told: { about: ['phone', 'port'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone restarts whenever it idles, since an app of its system was updated',
    source: 'PixelExperience/android-issues#3449',
    seen: 'Since the update from the store the phone restarts when it has been idle for some time, never while it is used. Without that update it does not, with it again it does.',
    cause: 'the update of the app',
    did: 'uninstalled the update',
    lab: { hubs: [4], zone: 'Europe/Lisbon', from: '2022-09-12', days: 18, models: ['Redmi Note 10'] },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = (
        [
          [13, '21:40'],
          [14, '02:12'],
          [14, '06:55'],
          [14, '20:31'],
          [15, '03:20'],
          [15, '07:48'],
          [16, '01:05'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: 38 * SECOND, reason: 'reboot,kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(16, '09:10'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /updat|uninstall|\bapps?\b/i },
      };
    },
  },
  {
    name: 'a phone restarts over and over after a cleaner has run on its schedule',
    source: 'd4rken-org/sdmaid#5267',
    seen: 'After the scheduled tasks of an app the phone restarts repeatedly, even when its settings are opened. Without these tasks it does not.',
    cause: 'the tasks of the app, or a worn battery, as its owner thinks later',
    did: 'removed the tasks',
    lab: { ...desk, zone: 'America/New_York', from: '2021-12-13', days: 19, models: ['X Venture'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [13, 15, 17]) {
        let at = lab.at(day, '04:02') + lab.random.between(0, 4) * MINUTE;
        for (let turn = 0; turn < 5; turn += 1) {
          losses.push(lab.reboot(phone, at, { forMs: 45 * SECOND }));
          at += lab.random.between(4, 7) * MINUTE;
        }
      }
      background(lab);
      return {
        at: lab.at(17, '04:34'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /\bapps?\b(?![^.;]*\b(last|lately|recent|recently|new)\b)|safe mode|schedul|\btasks?\b|battery|SD card/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts a minute after each restart, until an app is removed in time',
    source: 'amirzaidi/Launcher3#603',
    seen: 'Once restarted, the phone restarts itself a minute later, again and again. Uninstalling the app before it does ends that.',
    cause: 'the app',
    did: 'uninstalled the app',
    lab: { ...desk, zone: 'America/Los_Angeles', from: '2018-09-10', days: 19, models: ['Galaxy S9+'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let at = lab.at(18, '14:10');
      for (let turn = 0; turn < 6; turn += 1) {
        losses.push(lab.reboot(phone, at, { forMs: 48 * SECOND, ...(turn === 0 && { reason: 'reboot' }) }));
        at += 48 * SECOND + lab.random.between(80, 110) * SECOND;
      }
      background(lab);
      return {
        at: at + 20 * SECOND,
        losses: losses.slice(1),
        blame: ['phone'],
        told: { about: ['phone'], says: /\bapps?\b|uninstall|safe mode/i },
      };
    },
  },
  {
    name: 'the kernel of a phone panics when it hangs at a strong charger',
    source: 'Nothing-2A/releases#14',
    seen: 'The phone restarts at random after it was plugged in; neither charger nor cable make a difference.',
    cause: 'the kernel of the phone, or what shows its charge in lights',
    did: 'switched that display off; later builds have it fixed',
    lab: { hubs: [4], zone: 'Europe/Paris', from: '2026-01-12', days: 20, models: ['Phone 2a'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = (
        [
          [9, '19:20'],
          [13, '22:48'],
          [15, '08:31'],
          [18, '20:06'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: 41 * SECOND, reason: 'kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(18, '21:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /updat|newer|latest|flash|glyph/i },
      };
    },
  },
  {
    name: 'a phone restarts twenty minutes before the alarm, each day, while its charge is limited by a routine',
    source: 'BlackyHawky/Clock#131',
    seen: 'With the routine that limits the charge at night, and an alarm, the phone restarts at about nine each morning and waits for its PIN. Without an alarm it never does.',
    cause: 'the system of the phone: its routine and the alarm',
    did: 'reported it; left one of both out',
    lab: { ...desk, zone: 'Europe/Paris', from: '2024-11-04', days: 20, models: ['Galaxy S24'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 9; day <= 17; day += 1)
        losses.push(
          lab.reboot(phone, lab.at(day, '09:00') + lab.random.between(0, 60) * SECOND, {
            forMs: 44 * SECOND,
            reason: 'reboot',
          }),
        );
      lab.facts(phone, lab.at(17, '09:02'), { isDataLocked: true });
      background(lab);
      return {
        at: lab.at(17, '09:20'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], keys: [phone.udid], says: /unlock|PIN/i },
      };
    },
  },
  {
    name: 'a phone that has gone to sleep does not wake up, and says nothing more',
    source: 'lineageos4microg/android_prebuilts_prebuiltapks#24',
    seen: 'As soon as the phone sleeps, its log stands still, and the power button does nothing; only holding it until it restarts gets it out.',
    cause: 'the system of the phone',
    did: 'held the power button until it restarted; then installed another build',
    lab: { ...desk, usb: true, zone: 'America/Chicago', from: '2019-11-18', days: 18, models: ['Moto G7'] },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time, hours] of [
        [13, '22:40', 10],
        [15, '12:30', 0.7],
      ] as const) {
        const at = lab.at(day, time);
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        lab.facts(phone, at + hours * HOUR, { isSilent: false });
        lab.reboot(phone, at + hours * HOUR, { forMs: 55 * SECOND });
      }
      const at = lab.at(16, '23:50');
      lab.facts(phone, at, { isSilent: true, silentSince: at });
      background(lab);
      return {
        at: lab.at(17, '08:40'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /power (button|key)|(force|hard)[- ]?(restart|reboot)|(restart|reboot) (it|the phone)\b|power[- ]cycle|(another|newer|other) (build|version)|reinstall/i,
        },
      };
    },
  },
  {
    name: 'a phone does not get through its start while it hangs in its dock',
    source: 'razrqcom-dev-team/android_kernel_motorola_msm8960-common#3',
    seen: 'Started in the dock, or with the USB cable plugged in, the phone crashes while it boots, each time.',
    cause: 'its kernel',
    did: 'had the kernel fixed; started it out of the dock until then',
    lab: { hubs: [4], zone: 'America/New_York', from: '2013-04-15', days: 22, models: ['Razr HD'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(20, '15:10');
      const losses = [lab.reboot(phone, from, { forMs: 40 * SECOND, reason: 'reboot' })];
      for (let turn = 0; turn < 8; turn += 1)
        losses.push(
          lab.reboot(phone, from + 40 * SECOND + (turn * 150 + 70) * SECOND, { forMs: 80 * SECOND }),
        );
      background(lab);
      return {
        at: from + 24 * MINUTE,
        losses: losses.slice(1),
        blame: ['phone'],
        told: { about: ['phone'], says: /unplug|flash|out of|recovery/i },
      };
    },
  },
  {
    name: 'a headset has lost its developer mode with an update',
    source: 'alvr-org/ALVR#58',
    seen: 'After the update to version 9 the installed apps are gone from the library, and adb does not detect the headset.',
    cause: 'the update has switched the developer mode off',
    did: 'switched it on again in the app of its maker, and restarted the headset',
    lab: {
      ...desk,
      usb: true,
      zone: 'Europe/Riga',
      from: '2019-09-30',
      days: 16,
      models: ['Quest', 'Pixel'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      const at = lab.at(13, '03:10');
      const loss = lab.lose(headset, at, {
        onUsb: { interfaces: [{ kind: '06/01/01', endpoints: 3 }], connectedAt: at + 4 * MINUTE },
      });
      background(lab);
      return {
        at: lab.at(13, '18:30'),
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /(developer|debugging)[^.;]*(on|again)|turn on[^.;]*(debugging|developer)/i,
        },
      };
    },
  },
  {
    name: 'the adb of a phone ends each time that its screen goes off, as that changes what USB is for',
    source: 'RikkaApps/Shizuku#1426, RikkaApps/Shizuku#293, RikkaApps/Shizuku#277',
    seen: 'As soon as the screen is off, whatever runs by adb is dead. With the default of USB set to no data transfer, or to charging only, it lives.',
    cause: 'the phone takes file transfer away when it is locked, and starts its adb anew with that',
    did: 'set the default USB configuration to no data transfer',
    lab: { ...desk, usb: true, zone: 'Asia/Kolkata', from: '2025-08-18', days: 18, models: ['Poco X5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 17; day += 1)
        for (const time of ['10:12', '11:48', '15:03', '17:31', '20:20', '22:45']) {
          const at = lab.at(day, time) + lab.random.between(0, 50) * MINUTE;
          losses.push(
            lab.lose(phone, at, {
              forMs: lab.random.between(1.2, 2.4) * SECOND,
              onUsb: {
                interfaces: [
                  { kind: '06/01/01', endpoints: 3 },
                  { kind: 'ff/42/01', endpoints: 2 },
                ],
              },
            }),
          );
        }
      background(lab);
      return {
        at: lab.at(16, '23:50'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /USB (mode|configuration|setting)|no data transfer|charging only/i,
        },
      };
    },
  },
  {
    name: 'a board has to have its adbd started by hand whenever it was plugged in anew',
    source: 'qualcomm-linux/qcom-deb-images#45',
    seen: 'After a replug the board is not in the list of adb. Restarting adbd by its serial console helps, and so does a restart of the board.',
    cause: 'adbd on the board, which does not start its USB again',
    did: 'restarted adbd, or the board',
    lab: { hubs: [4], zone: 'Europe/Paris', from: '2025-05-05', days: 18, models: ['RB1'] },
    tell(lab) {
      const board = lab.pinned(1);
      const losses = (
        [
          [10, '10:15', 35],
          [11, '15:40', 70],
          [14, '11:05', 22],
          [15, '14:30', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        const loss = lab.lose(board, at, { ...(forMs && { forMs }) });
        if (forMs) lab.rebooted(board, at + forMs + 12 * SECOND, { uptimeSeconds: 35 });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(15, '15:20'),
        losses,
        blame: ['phone', 'person', 'port', 'unknown'],
        told: { about: ['phone'], keys: [board.udid], says: /restart|reboot/i },
      };
    },
  },
  {
    name: 'a phone updates itself at night, and waits for its PIN from then on',
    source: 'GrapheneOS/os-issue-tracker#1198',
    seen: 'The phone restarts during the night with every upgrade, for two months, although that is switched off; in the morning nobody had been woken.',
    cause: 'the upgrade restarts the phone when it idles',
    did: 'asked for a way to block it',
    lab: { hubs: [4], zone: 'Europe/London', from: '2022-05-02', days: 20, models: ['Pixel 6'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [8, '02:41', '2022050100'],
          [17, '03:26', '2022051500'],
        ] as const
      ).map(([day, time, build]) => {
        const at = lab.at(day, time);
        const loss = lab.reboot(phone, at, { forMs: 62 * SECOND, reason: 'reboot' });
        lab.phone(phone, at + 110 * SECOND, { kind: 'os', build, release: '12', before: '12' });
        return loss;
      });
      lab.facts(phone, lab.at(17, '03:28'), { isDataLocked: true });
      background(lab);
      return {
        at: lab.at(17, '08:30'),
        losses,
        blame: ['person', 'phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /unlock/i },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi hangs under a heavy game, until its battery is taken out',
    source: 'Genymobile/scrcpy#843',
    seen: 'Mirrored over Wi-Fi, with a game that takes all it has, the phone hangs; nothing answers any more, no button helps.',
    cause: 'the phone hangs under the load',
    did: 'took the battery out, and started it anew',
    lab: { ...atHome, zone: 'America/Sao_Paulo', from: '2019-09-16', days: 22, models: ['Moto G4 Play'] },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses = (
        [
          [15, '21:10', 50],
          [17, '22:24', 35],
          [20, '20:47', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        const loss = lab.lose(phone, at, { ...(forMs && { forMs }) });
        if (forMs) lab.rebooted(phone, at + forMs + 15 * SECOND, { uptimeSeconds: 90 });
        return loss;
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '22:00'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /restart|power button/i },
      };
    },
  },
  {
    name: 'a television is there and gone every minute while it is off',
    source: 'home-assistant/core#69832, home-assistant/core#107649',
    seen: 'The television, on a cable, becomes unavailable every minute or so while it is switched off; sleep is off in its settings. With `Screenless service` on it stays.',
    cause: 'it puts itself to sleep while it is off',
    did: 'switched `Screenless service` on; others installed an app that keeps it awake',
    lab: { ...atHome, zone: 'Europe/Bucharest', from: '2023-02-20', days: 22, models: ['TCL 55C721'] },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 14; day < 20; day += 1)
        for (let at = lab.at(day, '23:40'); at < lab.at(day + 1, '06:30'); ) {
          at += lab.random.between(3, 14) * MINUTE;
          const forMs = lab.random.between(25, 70) * SECOND;
          losses.push(lab.lose(television, at, { forMs }));
          at += forMs;
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '07:30'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone'], keys: [television.udid], says: /sleep|standby|awake/i },
      };
    },
  },
  {
    name: 'a phone has another address when its lease has expired, and nobody finds it there',
    source: 'mouldybread/adb-auto-enable#7',
    seen: 'The phone is no longer discoverable at its address, at odd times; the app still shows the old one.',
    cause: 'the lease expired, and the router gave another address',
    did: 'looked the address up at the router; the app now looks itself',
    lab: { ...atHome, zone: 'Asia/Kolkata', from: '2026-05-11', days: 22, models: ['Realme'] },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses = (
        [
          [8, '04:12', 7],
          [13, '11:36', 3],
          [17, '23:05', 11],
          [20, '06:18', undefined],
        ] as const
      ).map(([day, time, hours]) =>
        lab.lose(phone, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '09:40'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /address/i },
      };
    },
  },
  {
    name: 'a television does not show the prompt on its home screen',
    source: 'eslavnov/android-tv-remote#1',
    seen: 'The television is unauthorized, and no prompt appears. Connected to right after it was switched on, it shows one; so it does with another input in front.',
    cause: 'its home screen hides the prompt',
    did: 'switched it off and on, and connected at once; or switched to another input',
    lab: { ...atHome, zone: 'Europe/Amsterdam', from: '2018-12-10', days: 20, models: ['OLED873'] },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const at = lab.at(18, '19:45');
      lab.lose(television, at - 40 * MINUTE, { forMs: 40 * MINUTE, backAs: 'unauthorized' });
      background(lab, { hasReadings: false });
      return {
        at: at + HOUR,
        told: {
          about: ['phone'],
          keys: [television.udid],
          says: /restart|off and on|home screen|in front/i,
        },
      };
    },
  },
  {
    name: 'a phone has to be plugged in once after each of its restarts, to be reached over Wi-Fi',
    source: 'Genymobile/scrcpy#4888, Genymobile/scrcpy#1479, koush/vysor.io#255',
    seen: 'The connection lasts for some days; then it is refused, until the phone was connected by USB again.',
    cause: 'a restart of the phone ends `adb tcpip`',
    did: '`adb tcpip 5555` by cable, after each restart',
    lab: { ...atHome, zone: 'Asia/Riyadh', from: '2024-04-08', days: 21, models: ['Galaxy A32'] },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses = (
        [
          [9, '03:10', 15],
          [12, '22:40', 19],
          [16, '08:25', 10],
          [19, '01:30', undefined],
        ] as const
      ).map(([day, time, hours]) => {
        const at = lab.at(day, time);
        const forMs = hours && hours * HOUR;
        const loss = lab.lose(phone, at, { ...(forMs && { forMs }) });
        if (forMs)
          lab.rebooted(phone, at + forMs + 20 * SECOND, {
            reason: 'reboot',
            uptimeSeconds: Math.round(forMs / SECOND) - 30,
          });
        return loss;
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '18:00'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /tcpip|cable|USB/i },
      };
    },
  },
  {
    name: 'a phone stays unauthorized until its authorizations are revoked, and adb is started anew',
    source: 'mvt-project/mvt#22, flutter/flutter#27456, T0biasCZe/AdbFileManager#26',
    seen: 'The tool waits in vain: adb says unauthorized, and the phone asks nothing.',
    cause: 'the phone has an authorization that no longer fits',
    did: 'revoked the authorizations on the phone, started adb anew, plugged the phone in anew and allowed it',
    lab: { ...desk, zone: 'Europe/Paris', from: '2021-07-05', days: 17, models: ['Galaxy S21'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '10:20');
      lab.lose(phone, at, { forMs: 35 * MINUTE, backAs: 'unauthorized' });
      background(lab);
      return {
        at: at + 2 * HOUR,
        told: { about: ['phone'], keys: [phone.udid], says: /revoke|authorizations/i },
      };
    },
  },
  {
    name: 'a phone takes charge only while it is off, as charging over USB is switched off on it',
    source: 'KonstaT/android_device_zte_kis3#3',
    seen: 'Plugged in it goes on discharging, although it shows that it has power; switched off it charges.',
    cause: 'charging over USB is switched off in the developer options',
    did: 'switched it on',
    lab: { hubs: [4], zone: 'Europe/Berlin', from: '2015-08-24', days: 18, models: ['Kis 3'] },
    tell(lab) {
      const phone = lab.pinned(2);
      falls(phone, inUse(lab), { from: lab.at(14, '09:00'), to: lab.at(16, '18:00'), least: 8 });
      background(lab);
      return {
        at: lab.at(16, '16:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /USB (setting|charging|preference)|developer options/i,
        },
      };
    },
  },
  {
    name: 'a board is off the network whenever a monkey test has played with its settings',
    source: 'projectceladon/vendor-intel-utils#1802, projectceladon/vendor-intel-utils#1705',
    seen: 'During the monkey test adb loses the board.',
    cause: 'the test switches on the sharing of the network, over which adb is connected',
    did: 'hid that setting from the test',
    lab: { ...atHome, zone: 'Asia/Kolkata', from: '2022-11-28', days: 22, models: ['Celadon'] },
    tell(lab) {
      const [board] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses = (
        [
          [11, '14:20', 3],
          [15, '16:05', 15],
          [17, '11:40', 2],
          [20, '15:12', undefined],
        ] as const
      ).map(([day, time, hours]) =>
        lab.lose(board, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '16:30'),
        losses,
        blame: ['phone', 'link', 'person', 'network', 'unknown'],
        told: { about: ['phone'], keys: [board.udid], says: /network|tether/i },
      };
    },
  },
  {
    name: 'a tablet with a new lock shows no prompt until it is restarted',
    source: 'ubports/ubuntu-touch#1646',
    seen: 'The tablet is unauthorized and shows no dialog; starting adb anew, developer mode off and on, and removing the key change nothing.',
    cause: 'what shows the dialog on the tablet hangs',
    did: 'restarted the tablet, which showed it then',
    lab: { ...desk, zone: 'Europe/Vienna', from: '2021-01-04', days: 15, models: ['Nexus 7'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const at = lab.at(13, '17:10');
      lab.lose(tablet, at, { forMs: 8 * MINUTE, backAs: 'unauthorized' });
      background(lab);
      return {
        at: at + 90 * MINUTE,
        told: { about: ['phone'], keys: [tablet.udid], says: /restart/i },
      };
    },
  },
  {
    name: 'a phone that was emptied does not take charge from its usual charger',
    source: 'GrapheneOS/os-issue-tracker#5452',
    seen: 'Whenever the battery has reached 0 % the phone does not charge when it is plugged in, with chargers and cables that work otherwise.',
    cause: 'the phone does not start to charge from nothing by itself',
    did: 'stopped it at the warning of its start, where it charged',
    lab: { ...desk, zone: 'Europe/London', from: '2025-05-19', days: 21, models: ['Pixel 8'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const empty = lab.at(19, '21:15');
      falls(phone, inUse(lab), { from: empty - 34 * HOUR, to: empty, least: 1 });
      const loss = lab.lose(phone, empty);
      background(lab);
      return {
        at: lab.at(20, '09:20'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /charg/i },
      };
    },
  },
];
