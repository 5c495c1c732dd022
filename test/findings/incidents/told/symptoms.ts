/** Incidents that were looked for by what people saw, in the words of somebody who has the trouble, before its cause is known. */
import { adbRestarts, background, inUse } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const firstOf = (lab: Lab, connection: LabPhone['connection']): LabPhone => {
  const [phone] = lab.pinnedOf(connection);
  if (!phone) throw new RangeError('no phone');
  return phone;
};

/** Its Android starts and crashes again and again until it is helped. */
function bootLoop(lab: Lab, phone: LabPhone, from: number, until: number, everyMs: number): ToldLoss[] {
  const losses: ToldLoss[] = [];
  for (let at = from; at < until; at += everyMs)
    losses.push(lab.lose(phone, at, { forMs: everyMs * 0.6, backAs: 'offline' }));
  return losses;
}

export const incidents: Incident[] = [
  {
    name: 'of fifteen phones at a Windows PC its Linux takes eight',
    source: 'dorssel/usbipd-win#1167',
    seen: 'Fifteen devices sit at the PC. Eight can be shared with the Linux in it; each further one is refused with "no port found".',
    cause: 'the virtual hub of Linux has eight ports of each speed',
    did: 'built a kernel with more virtual controllers',
    cannotShow: 'what Windows does not pass on never reaches the Linux that the agent runs in',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [8],
      from: '2025-03-03',
      days: 18,
      known: { slots: false, usbPath: false },
    },
    tell(lab) {
      background(lab);
      return {
        at: lab.at(17, '14:00'),
        told: { about: ['host', 'hub'], says: /limit|virtual|more controllers|too many/i },
      };
    },
  },
  {
    name: 'an emulator of the CI goes offline in the middle of a heavy test',
    source: 'sceneview/sceneview#1643, sceneview/sceneview#1644',
    seen: 'The app starts, three swipes work, then adb calls the emulator offline during a tap. Other parts of the run are fine.',
    cause: 'too little memory for a heavy 3D app on a small runner without a GPU',
    did: 'gave the emulator 4 GB of memory; runs a flow once more if it dropped offline',
    lab: { zone: 'Europe/Paris', hubs: [], emulators: 1, from: '2026-05-04', days: 15 },
    tell(lab) {
      const emulator = firstOf(lab, 'emulator');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '10:22'],
        [10, '15:47'],
        [11, '09:05'],
        [11, '14:31'],
        [12, '11:18'],
        [13, '09:52'],
        [13, '16:03'],
      ] as const)
        losses.push(
          lab.lose(emulator, lab.at(day, time), {
            as: 'offline',
            forMs: lab.random.between(8, 25) * MINUTE,
          }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(13, '16:12'),
        losses,
        blame: ['phone', 'host', 'unknown'],
        told: { about: ['phone', 'host'], says: /memory|RAM\b|overload|processor|CPU/i },
      };
    },
  },
  {
    name: 'of several emulators that are started together one goes offline until it is booted again',
    source: 'forcedotcom/lwc-dev-mobile#14',
    seen: 'With more than one target the emulator goes offline now and then and stays unusable until it is booted again; adb commands hang.',
    cause: 'the program expects each emulator at a port of its own choice',
    did: 'let the port be inferred from adb',
    cannotShow: 'which program starts an emulator, and with which port, is not recorded',
    lab: { zone: 'America/Los_Angeles', hubs: [], emulators: 3, from: '2020-03-30', days: 18 },
    tell(lab) {
      const emulators = lab.pinnedOf('emulator');
      const losses: ToldLoss[] = [];
      for (const [day, time, index] of [
        [11, '10:40', 1],
        [12, '14:15', 2],
        [15, '11:05', 1],
        [16, '09:50', 2],
      ] as const) {
        const emulator = emulators[index];
        if (emulator)
          losses.push(
            lab.lose(emulator, lab.at(day, time), {
              as: 'offline',
              forMs: lab.random.between(30, 90) * MINUTE,
            }),
          );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '10:10'),
        losses,
        blame: ['phone', 'host', 'adb', 'unknown'],
        told: { about: ['phone', 'host'], says: /\bports?\b|boot|restart/i },
      };
    },
  },
  {
    name: 'an emulator is gone from adb as soon as one game is opened in it',
    source: 'GabrielAgrela/ROKBOT#2',
    seen: 'Without the game, or with another one, adb lists the emulator. With this game in front it is offline or missing.',
    cause: 'the game ends adb',
    did: 'tried other emulators; in some it happens too',
    cannotShow: 'which app is in front is not recorded',
    lab: { zone: 'Europe/Lisbon', hubs: [], emulators: 1, from: '2020-08-03', days: 16 },
    tell(lab) {
      const emulator = firstOf(lab, 'emulator');
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 15; day += 1)
        losses.push(
          lab.lose(emulator, lab.at(day, '19:10') + lab.random.between(0, 90) * MINUTE, {
            forMs: lab.random.between(0.4, 1.6) * HOUR,
            ...(day % 2 === 0 && { as: 'offline' }),
          }),
        );
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(14, '23:50'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], says: /\bapp\b|game/i },
      };
    },
  },
  {
    name: 'commands to an emulator end with "closed" until it and the adb server were restarted',
    source: 'zebscripts/AFK-Daily#81',
    seen: 'The emulator is found, then each command ends with "error: closed".',
    cause: 'not found: the connection of adb with the emulator was broken',
    did: 'restarted the emulator, ended the adb server and started it again',
    lab: { zone: 'Europe/Berlin', hubs: [], emulators: 1, from: '2021-06-28', days: 17 },
    tell(lab) {
      const emulator = firstOf(lab, 'emulator');
      const loss = lab.lose(emulator, lab.at(15, '07:52'), { as: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '09:30'),
        losses: [loss],
        blame: ['phone', 'adb', 'unknown'],
        told: { about: ['phone', 'host'], says: /restart|kill-server|start (it|the emulator) again/i },
      };
    },
  },
  {
    name: 'an emulator stays offline until the PC was restarted',
    source: 'AdriaGual/marvel-snap-bot#112',
    seen: 'adb calls the emulator offline, and does so after each new try.',
    cause: 'not found',
    did: 'restarted the PC',
    lab: { zone: 'Europe/Brussels', hubs: [], emulators: 1, from: '2023-04-03', days: 12 },
    tell(lab) {
      const emulator = firstOf(lab, 'emulator');
      const losses = [
        lab.lose(emulator, lab.at(10, '12:20'), { as: 'offline', forMs: 20 * MINUTE }),
        lab.lose(emulator, lab.at(10, '12:41'), { as: 'offline' }),
      ];
      background(lab, { hasReadings: false });
      return {
        at: lab.at(10, '14:00'),
        losses,
        blame: ['phone', 'adb', 'host', 'unknown'],
        told: { about: ['phone', 'host'], says: /restart|reboot/i },
      };
    },
  },
  {
    name: 'every six hours or so the adb server is gone until somebody starts it by hand',
    source: 'openstf/adbkit#39',
    seen: 'Devices are listed every five minutes. About every six hours nothing answers any more, until somebody runs `adb devices` in a terminal.',
    cause: 'the adb server ends, and nothing keeps it running',
    did: 'the others have systemd watch adb',
    lab: { zone: 'America/New_York', hubs: [4], from: '2016-09-05', days: 14 },
    tell(lab) {
      for (let day = 8; day < 12; day += 1)
        for (const [time, minutes] of [
          ['03:20', 330],
          ['09:25', 22],
          ['15:30', 14],
          ['21:20', 150],
        ] as const) {
          const at = lab.at(day, time) + lab.random.between(-12, 12) * MINUTE;
          const back = at + minutes * MINUTE;
          lab.host(Math.round(at), { kind: 'adbLost', failureKind: 'absent' });
          lab.host(Math.round(back), { kind: 'adbBack' });
          lab.host(Math.round(back) + 200, { kind: 'adbReplaced', version: 36 });
        }
      background(lab);
      return {
        at: lab.at(11, '22:00'),
        told: {
          about: ['host'],
          says: /systemd|service|watch|keep.{0,20}running|adb devices|start-server|start (adb|the adb server)/i,
        },
      };
    },
  },
  {
    name: 'the adb server restarts again and again while a script and Airtest both use it',
    source: 'AirtestProject/Airtest#191',
    seen: 'While a script is run by Airtest, another thread calls adb for screenshots. The connection ends, and a new one soon ends as well.',
    cause: 'two adb programs take the server from each other and restart it',
    did: 'not to run adb beside it; else to use one and the same adb for both',
    lab: { zone: 'Asia/Shanghai', hubs: [4], from: '2018-10-08', days: 17, models: ['Redmi Note 3'] },
    tell(lab) {
      const phones = lab.usbPhones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, from] of [
        [14, '13:30'],
        [15, '10:10'],
        [15, '15:20'],
      ] as const)
        for (let left = 0; left < 14; left += 1) {
          const at = Math.round(lab.at(day, from) + left * 95 * SECOND + lab.random.between(0, 30) * SECOND);
          adbRestarts(lab, at, left % 2 === 0 ? 39 : 40, 2 * SECOND);
          losses.push(...lab.loseAll(phones, at + 2500, { spreadMs: 300, forMs: 3 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(15, '15:50'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /same (adb|version)|one adb|only one|version|(another|other) program/i,
        },
      };
    },
  },
  {
    name: 'all phones go offline each time a test brings its own adb of another version',
    source: 'AirtestProject/Airtest#1092',
    seen: 'The tester has an adb in PATH, the test framework another one. Whenever the framework starts, the devices drop out.',
    cause: 'the versions differ, and each ends the server of the other',
    did: 'made the framework use the adb in PATH',
    lab: { zone: 'Asia/Shanghai', hubs: [7], from: '2022-10-24', days: 20, models: ['Mi 10', 'P40'] },
    tell(lab) {
      const phones = lab.usbPhones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '10:02'],
        [14, '16:20'],
        [15, '09:41'],
        [16, '11:13'],
        [17, '14:55'],
        [18, '10:30'],
      ] as const)
        for (const [later, version] of [
          [0, 40],
          [lab.random.between(12, 50) * MINUTE, 41],
        ] as const) {
          const at = Math.round(lab.at(day, time) + later);
          adbRestarts(lab, at, version);
          losses.push(...lab.loseAll(phones, at + 3500, { spreadMs: 400, forMs: 4 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(18, '11:40'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /version|same adb|one adb|PATH/i },
      };
    },
  },
  {
    name: 'an Android in a container freezes half an hour after the screen was switched off',
    source: 'waydroid/waydroid#55',
    seen: 'With the screen off for about half an hour the container freezes; nothing in it answers until the service was restarted.',
    cause: 'the container is suspended when the screen is off',
    did: 'switched its suspend off',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      network: 1,
      from: '2021-08-30',
      days: 20,
      models: ['Waydroid'],
    },
    tell(lab) {
      const container = firstOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 18; day += 1)
        for (const time of ['11:30', '18:40', '23:15']) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 30) * MINUTE;
          losses.push(lab.lose(container, at, { as: 'offline', forMs: lab.random.between(1, 6) * HOUR }));
        }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(18, '09:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [container.udid],
          says: /suspend|freez|sleep|standby|awake|updat|newer|restart[^.;]* (service|container|session|Android|it)\b/i,
        },
      };
    },
  },
  {
    name: 'devices on Wi-Fi are connected and yet unreachable for hours, now one, now another',
    source: 'openwrt/openwrt#9555',
    seen: 'Since the access points were exchanged, devices are in the Wi-Fi and cannot be reached, at random: several times a day, then not for days.',
    cause: 'the access point does not pass on ARP requests to them',
    did: 'static ARP entries; or had multicast sent as unicast',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 1, network: 6, from: '2023-09-18', days: 26 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const phone of phones) {
        let at = lab.at(12) + lab.random.between(2, 40) * HOUR;
        while (at < lab.at(24)) {
          const forMs = lab.random.between(0.4, 7) * HOUR;
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + lab.random.between(10, 70) * HOUR;
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(24, '12:00'),
        losses: losses.filter(({ at }) => at < lab.at(24, '12:00')),
        blame: ['network', 'link', 'unknown'],
        told: { about: ['network', 'phone'], says: /access point|router|\bARP\b|multicast/i },
      };
    },
  },
  {
    name: 'since a new driver of the router phones on 5 GHz connect and drop out in a loop',
    source: 'kaloz/mwlwifi#262',
    seen: 'Android phones connect, show "no Internet", leave the Wi-Fi and try again, in a loop; notebooks do not. On 2.4 GHz and with the router maker’s firmware they hold.',
    cause: 'the driver of the router’s 5 GHz radio',
    did: 'used 2.4 GHz, and reported it',
    lab: { zone: 'Europe/Moscow', hubs: [], direct: 1, network: 3, from: '2018-01-01', days: 19 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const phone of phones)
        for (let at = lab.at(16, '19:20'); at < lab.at(17, '20:00'); at += lab.random.between(4, 25) * MINUTE)
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(20, 100) * SECOND }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '20:00'),
        losses,
        blame: ['network', 'link'],
        told: { about: ['network', 'phone'], says: /access point|router|2\.4|5 GHz/i },
      };
    },
  },
  {
    name: 'an emulator that adb reaches by its port drops out within a minute',
    source: 'mousedoc/nox-adb-connector#3',
    seen: 'Connected by `adb connect 127.0.0.1:62001`, the emulator does not stay connected for a minute.',
    cause: 'not found: the connection is not stable',
    did: 'a command of its own that connects it again each time',
    lab: { zone: 'Asia/Kolkata', hubs: [], network: 1, from: '2021-06-21', days: 15, models: ['Nox'] },
    tell(lab) {
      const emulator = firstOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (const day of [11, 12, 13])
        for (
          let at = lab.at(day, '10:30');
          at < lab.at(day, '13:00');
          at += lab.random.between(3, 14) * MINUTE
        )
          losses.push(lab.lose(emulator, at, { forMs: lab.random.between(20, 130) * SECOND }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(13, '13:05'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /connect/i },
      };
    },
  },
  {
    name: 'after an update of the access point its clients no longer reach each other',
    source: 'openwrt/openwrt#23140',
    seen: 'With the new release no client of the Wi-Fi reaches another one, although "Isolate clients" is off.',
    cause: 'the release isolates clients by itself when multicast-to-unicast is not set',
    did: 'found the setting in the files of the access point',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, network: 5, from: '2026-04-06', days: 22 },
    tell(lab) {
      const losses = lab.loseAll(lab.pinnedOf('tcp'), lab.at(20, '20:35'), { spreadMs: 12 * SECOND });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '21:30'),
        losses,
        blame: ['network'],
        told: { about: ['network'], says: /access point|router|isolat/i },
      };
    },
  },
  {
    name: 'a television restarts every day since its update while one app runs',
    source: 'xbmc/xbmc#19338',
    seen: 'Since Android 9 it restarts by itself 24 to 28 hours after the time before, only with Kodi; with Android 8 it did not.',
    cause: 'Kodi on the new Android',
    did: 'tried older versions of Kodi; reported it',
    lab: { zone: 'Asia/Shanghai', hubs: [4], network: 1, from: '2021-02-08', days: 26, models: ['Bravia'] },
    tell(lab) {
      const television = firstOf(lab, 'tcp');
      lab.phone(television, lab.at(12, '02:10'), { kind: 'os', release: '9', before: '8.0.0' });
      const losses: ToldLoss[] = [];
      for (let at = lab.at(13, '12:05'); at < lab.at(25, '10:00'); at += lab.random.between(24, 28) * HOUR)
        losses.push(lab.reboot(television, at, { forMs: lab.random.between(60, 95) * SECOND }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(25, '10:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [television.udid], says: /\bapps?\b|update/i },
      };
    },
  },
  {
    name: 'a headset comes and goes all the time since its firmware update',
    source: 'thedroidgeek/oculus-wireless-adb#6',
    seen: 'Since firmware v69 adb over Wi-Fi ends and comes back every five seconds to a minute; Wi-Fi itself is fine.',
    cause: 'the new firmware',
    did: 'reported it',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-10-14',
      days: 24,
      models: ['Quest 2'],
    },
    tell(lab) {
      const headset = lab.pinned(1);
      lab.phone(headset, lab.at(20, '21:40'), { kind: 'os', build: '69.0', buildBefore: '57.0' });
      const losses: ToldLoss[] = [];
      for (const [day, from, until] of [
        [21, '19:00', '20:10'],
        [22, '18:30', '19:30'],
      ] as const)
        for (let at = lab.at(day, from); at < lab.at(day, until); at += lab.random.between(20, 75) * SECOND)
          losses.push(lab.lose(headset, at, { forMs: lab.random.between(4, 9) * SECOND }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '19:32'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [headset.udid], says: /update|firmware|build|version/i },
      };
    },
  },
  {
    name: 'a Mi Box drops out of adb when it falls into deep sleep',
    source: 'JeffLIrion/ha-androidtv#7',
    seen: 'Commands time out once in a while and the connection has to be made anew; users of a Mi Box tell the same.',
    cause: 'deep sleep, which breaks the connection, as the author of the program supposes',
    did: 'advised an app that keeps it awake',
    lab: { zone: 'America/New_York', hubs: [], network: 1, from: '2020-03-02', days: 24, models: ['Mi Box'] },
    tell(lab) {
      const box = firstOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 22; day += 1) {
        if (lab.random.chance(0.35)) continue;
        const at = lab.at(day, '00:30') + lab.random.between(0, 300) * MINUTE;
        losses.push(lab.lose(box, at, { forMs: lab.random.between(0.5, 9) * HOUR }));
      }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(22, '18:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [box.udid], says: /sleep|awake|wake/i },
      };
    },
  },
  {
    name: 'a phone loses adb when an app makes it a keyboard, until it is rebooted',
    source: 'Arian04/android-hid-client#58',
    seen: 'adb works until the app creates its keyboard and mouse; then the phone is gone from adb and comes back only by a reboot.',
    cause: 'the app changes what the phone is on USB, and adbd is not started again',
    did: 'rebooted',
    lab: { zone: 'Europe/Paris', hubs: [4], from: '2025-01-20', days: 24, usb: true, models: ['K20 Pro'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [19, '20:12', 31],
        [20, '21:03', 18],
        [22, '18:44', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        losses.push(
          lab.lose(phone, at, {
            onUsb: {
              interfaces: [
                { kind: '03/01/01', endpoints: 1 },
                { kind: '03/01/02', endpoints: 1 },
              ],
            },
            ...(forMs && { forMs }),
          }),
        );
        if (forMs) lab.rebooted(phone, at + forMs + 20 * SECOND, { reason: 'reboot', uptimeSeconds: 45 });
      }
      background(lab);
      return {
        at: lab.at(22, '19:30'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], keys: [phone.udid], says: /reboot|restart/i },
      };
    },
  },
  {
    name: 'a phone charges and is never found, until another cable is taken',
    source: 'gartnera/headunit#116',
    seen: 'The phone charges, but is not detected, with one cable after the other.',
    cause: 'the cables',
    did: 'took another, good one',
    lab: {
      zone: 'Europe/Bucharest',
      hubs: [],
      direct: 2,
      from: '2017-12-11',
      days: 19,
      models: ['Vibe Shot'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(15, '17:35'), { forMs: 9 * SECOND }),
        lab.lose(phone, lab.at(15, '17:40')),
      ];
      background(lab);
      return {
        at: lab.at(16, '23:40'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable/i },
      };
    },
  },
  {
    name: 'an update does not start three or four times, then the phone is back with the old version',
    source: 'rooted-graphene/ota#21',
    seen: 'After the update it crashed while booting, again and again. After three or four times it booted, without the update.',
    cause: 'the update; the bootloader went back to the version before',
    did: 'nothing; waited for the next version',
    lab: { zone: 'Europe/Vienna', hubs: [4], from: '2026-06-08', days: 22, models: ['Pixel 9 Pro XL'] },
    tell(lab) {
      const phone = lab.pinned(2);
      const first = lab.at(20, '08:20');
      const losses = [0, 1, 2].map((index) =>
        lab.lose(phone, first + index * 100 * SECOND, { forMs: 70 * SECOND, backAs: 'offline' }),
      );
      losses.push(lab.reboot(phone, first + 5 * MINUTE, { forMs: 80 * SECOND, reason: 'reboot,bootloader' }));
      background(lab);
      return {
        at: lab.at(20, '08:40'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|version|\bOTA\b/i },
      };
    },
  },
  {
    name: 'a tablet on the wall leaves the Wi-Fi in standby',
    source: 'thecowan/wallpanel-android#102',
    seen: 'What the tablet sends stops for no visible reason and begins again when somebody touches it. Its USB is broken. Another user: many devices lose their Wi-Fi in standby though it is set to stay on.',
    cause: 'it leaves the Wi-Fi in standby',
    did: 'a rule that connects the Wi-Fi again five seconds after it was lost',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 2,
      from: '2019-06-24',
      days: 26,
      models: ['Nexus 7', 'Xperia Z2'],
    },
    tell(lab) {
      const tablet = firstOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (let day = 10; day < 24; day += 1)
        for (const time of ['02:00', '13:30']) {
          if (lab.random.chance(0.4)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 180) * MINUTE;
          losses.push(lab.lose(tablet, at, { forMs: lab.random.between(0.3, 5) * HOUR }));
        }
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(24, '20:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: /Wi-Fi|sleep|standby|awake/i },
      };
    },
  },
  {
    name: 'a phone is found switched off each time it was charged in full',
    source: 'NovaFusion/android_device_samsung_golden#35',
    seen: 'Whenever it was charged in full, it is found powered off; another owner: every other day.',
    cause: 'the battery; with the other owner not found',
    did: 'bought another battery, and all was fine; with the other owner it went on',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      hubs: [4],
      from: '2014-12-01',
      days: 28,
      models: ['Galaxy S III mini'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const offAt: number[] = [];
      for (let day = 4; day < 27; day += 1) {
        if (lab.random.chance(0.4)) continue;
        const at = Math.round(lab.at(day, '02:40') + lab.random.between(0, 50) * MINUTE);
        offAt.push(at);
        const forMs = lab.at(day, '08:30') - at + lab.random.between(0, 40) * MINUTE;
        losses.push(lab.lose(phone, at, { forMs }));
        lab.rebooted(phone, Math.round(at + forMs) + 15 * SECOND, { uptimeSeconds: 60 });
      }
      phone.reading = (at) => {
        const hour = ((at - lab.start) / HOUR) % 24;
        const level = hour < 2.5 ? 82 + hour * 7.2 : hour < 9 ? 100 : 100 - (hour - 9) * 1.5;
        const levelPercent = Math.min(100, Math.max(70, Math.round(level)));
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 301 };
      };
      background(lab);
      return {
        at: lab.at(27, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /battery/i },
      };
    },
  },
  {
    name: 'a firewall on the phone shuts adb over Wi-Fi out',
    source: 'skullone/android_firewall#65',
    seen: 'adb over Wi-Fi is blocked whenever the firewall on the phone is on.',
    cause: 'the firewall on the phone does not let adb through',
    did: 'allowed "Linux Shell" in it',
    cannotShow: 'a firewall on the phone, and when it is on, is not recorded',
    lab: { zone: 'Asia/Jerusalem', hubs: [], direct: 1, network: 1, from: '2013-12-09', days: 20 },
    tell(lab) {
      const phone = firstOf(lab, 'tcp');
      const losses = [
        lab.lose(phone, lab.at(16, '10:05'), { forMs: 25 * MINUTE }),
        lab.lose(phone, lab.at(16, '15:40'), { forMs: 48 * MINUTE }),
        lab.lose(phone, lab.at(17, '09:24')),
      ];
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '19:30'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /firewall|block/i },
      };
    },
  },
  {
    name: 'an update ends in a boot loop, and only a factory reset ends it',
    source: 'WeAreFairphone/android_device_fairphone_FP3#35',
    seen: 'The two updates before went well. After this one the phone boots again and again.',
    cause: 'the update',
    did: 'a factory reset; all data were lost',
    lab: { zone: 'Europe/Paris', hubs: [4], from: '2020-12-01', days: 22, models: ['Fairphone 3'] },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.phone(phone, lab.at(6, '12:40'), { kind: 'os', build: '20201207', buildBefore: '20201130' });
      const from = lab.at(20, '10:15');
      const losses = bootLoop(lab, phone, from, from + 100 * MINUTE, 75 * SECOND);
      background(lab);
      return {
        at: lab.at(20, '11:20'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /factory|reset|wipe|recovery|erase/i },
      };
    },
  },
  {
    name: 'a new system does not get past its start until it was wiped in recovery',
    source: 'iodeOS/ota#71',
    seen: 'The installation ended without errors; then it boots again and again.',
    cause: 'not found: what a factory reset removes',
    did: 'wiped it in recovery mode: factory reset, then started the system',
    lab: { zone: 'Europe/Berlin', hubs: [4], free: 1, from: '2024-05-06', days: 16, models: ['Pixel 7a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(13, '14:02'), { forMs: 6 * MINUTE, backAs: 'bootloader' })];
      const from = lab.at(13, '14:20');
      losses.push(...bootLoop(lab, phone, from, from + 70 * MINUTE, 90 * SECOND));
      background(lab);
      return {
        at: lab.at(13, '15:10'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], keys: [phone.udid], says: /factory|wipe|reset|recovery|erase/i },
      };
    },
  },
  {
    name: 'after an update a phone starts into recovery and says "no command"',
    source: 'miki151/dumberos_build#124',
    seen: 'After the update it came up in recovery, with "no command", and would not boot any more.',
    cause: 'the update did not start at the first try',
    did: 'flashed the version before by fastboot; it started with the new one',
    lab: { zone: 'Asia/Jerusalem', hubs: [4], from: '2026-04-20', days: 19, models: ['F21 Pro'] },
    tell(lab) {
      const phone = lab.pinned(3);
      const loss = lab.lose(phone, lab.at(17, '09:12'), { forMs: 80 * SECOND, backAs: 'recovery' });
      background(lab);
      return {
        at: lab.at(17, '10:00'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /flash|reinstall|install it again|reboot|restart/i,
        },
      };
    },
  },
  {
    name: 'a Chromecast restarts whenever a network adapter is plugged in while its VPN is on',
    source: 'tailscale/tailscale#6047',
    seen: 'When a USB network adapter is plugged in, Android crashes and the box restarts; with the VPN disconnected first it does not.',
    cause: 'the VPN app on the new Android',
    did: 'disconnected the VPN before',
    cannotShow: 'which apps run, and what is plugged into a box, is not recorded',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      network: 1,
      from: '2022-10-03',
      days: 23,
      models: ['Chromecast'],
    },
    tell(lab) {
      const box = firstOf(lab, 'tcp');
      lab.phone(box, lab.at(15, '03:10'), { kind: 'os', release: '12', before: '10' });
      const losses = (
        [
          [18, '19:05'],
          [19, '20:31'],
          [20, '18:12'],
          [21, '15:44'],
          [21, '16:20'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(box, lab.at(day, time), { forMs: lab.random.between(50, 90) * SECOND }),
      );
      background(lab, { hasReadings: false, isDaily: true });
      return {
        at: lab.at(21, '17:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [box.udid], says: /\bVPN\b|\bapps?\b|adapter/i },
      };
    },
  },
  {
    name: 'a phone is plugged in and discharges all night, until it is rebooted',
    source: 'M1cha/android_device_xiaomi_aries#36, #15',
    seen: 'Sometimes it does not charge from anything: it is connected, files can be read, and the battery is at 7 % in the morning. After a reboot it charges again.',
    cause: 'the kernel of its system',
    did: 'rebooted; later a new version of the system',
    lab: { zone: 'Europe/Moscow', hubs: [4], from: '2014-02-17', days: 24, models: ['Mi 2S'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const stops = [9, 14, 19, 22].map((day) => ({
        from: lab.at(day, '21:30'),
        until: lab.at(day + 1, '08:40'),
      }));
      const usual = inUse(lab);
      for (const { until } of stops.slice(0, 3)) lab.reboot(phone, until, { reason: 'reboot' });
      phone.reading = (at) => {
        const stop = stops.find(({ from, until }) => at >= from && at <= until + 4 * HOUR);
        if (!stop) return usual(at);
        const lost = (Math.min(at, stop.until) - stop.from) / HOUR;
        const gained = (Math.max(at, stop.until) - stop.until) / HOUR;
        const levelPercent = Math.round(Math.min(100, 96 - 8 * lost + 24 * gained));
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 272 };
      };
      background(lab);
      return {
        at: lab.at(23, '07:50'),
        told: { about: ['phone'], keys: [phone.udid], says: /reboot|restart|updat|newer/i },
      };
    },
  },
];
