/** Incidents of devices that are no phones: the remote control of a drone, watches, glasses, e-readers, sticks, a bike. */
import { FASTBOOT, MTP } from '../../usb-tree.ts';
import { adbRestarts, agentStartsFirst, background, hostRestarts, levels, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** How the kernel names them. */
const RNDIS = { kind: 'e0/01/03', endpoints: 1 };
const ROCKUSB = { kind: 'ff/06/05', endpoints: 2 };

export const incidents: readonly Incident[] = [
  {
    name: 'the remote control of a drone leaves adb as soon as somebody chooses to transfer files',
    source: 'dji-sdk/Mobile-SDK-Android#639',
    seen: 'While its USB is set to export data, the remote control is there for debugging. When “transfer files” is chosen on it, it is gone from the list.',
    cause: 'its maker built it so: it does not offer adb beside the transfer of files',
    did: 'pulled its cable and plugged it in again, and allowed the computer to debug it',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2020-10-05',
      days: 18,
      models: ['DJI PM430', 'Mi 9'],
    },
    tell(lab) {
      const control = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [13, '15:20', 24],
        [14, '16:41', 9],
      ] as const) {
        const at = lab.at(day, time);
        const back = at + minutes * MINUTE;
        losses.push(
          lab.lose(control, at, {
            forMs: back - at,
            backAs: 'unauthorized',
            onUsb: { interfaces: [MTP] },
          }),
        );
        lab.phone(control, back + 14 * SECOND, { kind: 'state', state: 'device', before: 'unauthorized' });
      }
      losses.push(lab.lose(control, lab.at(15, '10:08'), { onUsb: { interfaces: [MTP] } }));
      background(lab);
      return {
        at: lab.at(15, '10:40'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [control.udid, lab.portKey(control)],
          says: /\bMTP\b|file transfer|USB (mode|setting|config\w*|function)|default USB|debugging|without adb|plug/i,
        },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi loses its debugging whenever the remote control of a drone is plugged into it',
    source: 'dji-sdk/Mobile-SDK-Android-V5#701',
    seen: 'The phone is debugged over Wi-Fi. Once the remote control is connected to its USB, it is no longer among the devices.',
    cause: 'not told: what the phone does when something is plugged into it',
    did: 'was told to pass its logs on by a channel of its own',
    cannotShow:
      'what is plugged into a phone is not recorded, and nobody found out why its debugging ends then',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 2,
      from: '2026-01-12',
      days: 19,
      models: ['Galaxy S21', 'Redmi K50'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [14, '15:12', 19],
          [15, '10:35', 41],
          [15, '14:20', 26],
          [16, '11:02', 33],
          [16, '16:18', 52],
          [17, '09:47', 22],
        ] as const
      ).map(([day, time, minutes]) => lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE }));
      background(lab);
      return {
        at: lab.at(17, '10:20'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|wi-?fi|\badb connect\b|reconnect|connect(s|ed)? (it )?again/i,
        },
      };
    },
  },
  {
    name: 'three Chromecasts restart while they play one kind of film',
    source: 'google/ExoPlayer#9232',
    seen: 'Films in HEVC make each of three Chromecasts restart, whichever television, sound bar, server or film it is. They were bought at different times.',
    cause: 'the system of these devices, in which an app that plays such a film ends everything',
    did: 'waited for its maker; hardly a film in HEVC could be watched',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      direct: 1,
      network: 4,
      from: '2021-09-20',
      days: 28,
      models: ['Pixel 3', 'Chromecast', 'Chromecast', 'Chromecast', 'Galaxy A52'],
    },
    tell(lab) {
      const sticks = [1, 2, 3].map((index) => lab.pinned(index)) as [LabPhone, LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      for (const [which, day, times] of [
        [0, 12, ['20:41', '20:58']],
        [1, 14, ['21:07']],
        [0, 16, ['19:52', '20:10', '20:37']],
        [2, 18, ['21:22', '21:44']],
        [1, 19, ['20:16', '20:33', '21:05']],
        [0, 22, ['20:27']],
        [2, 23, ['19:46', '20:09']],
        [1, 25, ['20:55', '21:18']],
        [0, 26, ['20:12', '20:31']],
      ] as const)
        for (const time of times)
          losses.push(
            lab.reboot(sticks[which], lab.at(day, time) + lab.random.between(0, 50) * SECOND, {
              forMs: Math.round(lab.random.between(45, 75) * SECOND),
            }),
          );
      background(lab, { hasReadings: false, hours: [10, 22], isDaily: true });
      return {
        at: lab.at(26, '20:45'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /\bapps?\b|\bsystem\b|updat|firmware|software|\blogs?\b|crash/i,
        },
      };
    },
  },
  {
    name: 'a watch is lost whenever a sketch program with an adb of its own is opened',
    source: 'processing/processing-android#232',
    seen: 'The watch is debugged over Bluetooth, through a phone: both ends are connected. When Processing is opened, the host is disconnected.',
    cause: 'Processing comes with an old adb, which replaces the server that runs; so its makers suspect',
    did: 'was told to update its tools; the next version comes with a newer adb',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2016-06-13',
      days: 20,
      models: ['Nexus 5', 'Moto 360'],
    },
    tell(lab) {
      const [phone, watch] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '20:05', 21],
        [15, '21:16', 12],
        [16, '19:48', 17],
        [17, '14:10', 24],
        [17, '15:32', 90],
      ] as const) {
        const opened = lab.at(day, time);
        // its own adb is older; later the one of the developer is started again, and the watch is connected anew
        const back = adbRestarts(lab, opened, 31, 2 * SECOND);
        losses.push(lab.lose(phone, back + 500, { forMs: lab.random.between(1, 3) * SECOND }));
        const again = opened + minutes * MINUTE;
        const backAgain = adbRestarts(lab, again, 32, 2 * SECOND);
        losses.push(lab.lose(phone, backAgain + 500, { forMs: lab.random.between(1, 3) * SECOND }));
        losses.push(lab.lose(watch, back + 800, { forMs: again - back + 75 * SECOND }));
      }
      background(lab, { isUpdated: false });
      const at = lab.at(17, '15:50');
      return {
        at,
        losses: losses.filter((loss) => loss.at < at),
        blame: ['adb', 'host'],
        told: {
          about: ['host'],
          says: /version|(another|other|second|two|own) (adb|program)|adb.{0,40}(replac|restart|kill)|kill-server/i,
        },
      };
    },
  },
  {
    name: 'glasses that stream their camera while they hang at a laptop overheat at once',
    source: 'OnlyInAmerica/GlassCast#3',
    seen: 'The glasses overheat seconds after they begin to stream. Somebody else saw it once only, while they were plugged into a laptop; without the cable they stream until they are empty.',
    cause: 'streaming and charging at once, as far as they found out',
    did: 'streamed without the cable; removed other programs',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2014-11-17',
      days: 29,
      models: ['Glass', 'Nexus 5'],
    },
    tell(lab) {
      const glasses = lab.pinned(0);
      const sessions = (
        [
          [21, '19:30', 18],
          [22, '20:15', 22],
          [24, '19:50', 15],
          [26, '18:40', 25],
          [27, '20:05', 40],
        ] as const
      ).map(([day, time, minutes]) => [lab.at(day, time), lab.at(day, time) + minutes * MINUTE] as const);
      const full = levels([
        [lab.start, 100],
        [lab.end, 100],
      ]);
      glasses.reading = (now) => {
        const isHot = sessions.some(([from, to]) => now >= from && now < to);
        const cooling = sessions.some(([, to]) => now >= to && now < to + 20 * MINUTE);
        return {
          ...full(now),
          ...(isHot && { levelPercent: 91, isFull: false }),
          temperatureDecicelsius: isHot ? 512 : cooling ? 398 : 309,
        };
      };
      background(lab);
      return {
        at: lab.at(27, '20:25'),
        told: { about: ['phone'], keys: [glasses.udid], says: /\bhot\b|heat|warm|cool|temperature|°C/i },
      };
    },
  },
  {
    name: 'a panel in the wall is offline a day after it was cut from power, time and again',
    source: 'seaky/nspanel_pro_tools_apk#243',
    seen: 'About a day after its start the panel is offline. It has to be cut from its power to work again.',
    cause: 'not found',
    did: 'cut it from power each time',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 3,
      from: '2025-09-29',
      days: 19,
      models: ['NSPanel Pro', 'Shield', 'Galaxy Tab A8'],
    },
    tell(lab) {
      const panel = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let started = lab.at(10, '17:40');
      for (const hours of [2.4, 9.5, 1.1, 6, 3.2]) {
        const at = Math.round(started + lab.random.between(21, 26.5) * HOUR);
        losses.push(offAndOn(lab, panel, at, Math.round(hours * HOUR)));
        started = at + hours * HOUR;
      }
      const last = losses.at(-1) as ToldLoss;
      background(lab, { hasReadings: false });
      return {
        at: last.at + 50 * MINUTE,
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /\bpower\b|restart|reboot|wi-?fi|hang|frozen|freez/i,
        },
      };
    },
  },
  {
    name: 'a projector that was off while the host started is not connected when somebody switches it on',
    source: 'home-assistant/core#43137',
    seen: 'As long as the projector was on at the start of the host, it is found again whenever it was off. If it was off then, it is never connected.',
    cause: 'it is connected once, at the start; somebody had switched it off then',
    did: 'asked for it to be looked for again and again; restarted the host while it was on',
    lab: {
      zone: 'Europe/Bucharest',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2020-10-26',
      days: 19,
      models: ['Redmi Note 8', 'Projector'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const projector = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 3; day < 16; day += 1) {
        const off = lab.at(day, '22:50') + lab.random.between(0, 50) * MINUTE;
        const on = lab.at(day + 1, '19:30') + lab.random.between(0, 60) * MINUTE;
        losses.push(offAndOn(lab, projector, Math.round(off), Math.round(on - off)));
      }
      losses.push(lab.lose(projector, lab.at(16, '23:12')));
      hostRestarts(lab, lab.at(17, '16:24'));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '20:30'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [projector.udid],
          says: /\badb connect\b|reconnect|connect(s|ed)? (it )?(again|anew)|switch(ed|es)? (it(self)? )?o(n|ff)|\bpower\b/i,
        },
      };
    },
  },
  {
    name: 'a training bike goes offline minutes after it was reset, whatever is asked of it',
    source: 'cagnulein/QZCompanionNordictrackTreadmill#98',
    seen: 'The console of the bike is in the network and answers a ping, and adb says that it is offline. After a reset to its factory state one is quick to send a command; then it is offline again.',
    cause: 'not found: something about the debugging of this console',
    did: 'reset it to its factory state, and was quick',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-03-25',
      days: 18,
      models: ['Pixel 6', 'S15i'],
    },
    tell(lab) {
      const bike = lab.pinned(1);
      const losses: ToldLoss[] = [];
      let offline = lab.at(13, '18:22');
      for (const reset of [lab.at(13, '20:40'), lab.at(14, '12:15'), lab.at(15, '13:10')]) {
        losses.push(lab.lose(bike, offline, { as: 'offline', forMs: reset - offline }));
        // it starts anew, and has to be told again whom it may trust
        const back = reset + 4 * MINUTE;
        lab.lose(bike, reset + 20 * SECOND, { forMs: 6 * MINUTE });
        lab.rebooted(bike, back + 3 * MINUTE, { uptimeSeconds: 200 });
        offline = Math.round(back + lab.random.between(8, 15) * MINUTE);
      }
      losses.push(lab.lose(bike, offline, { as: 'offline' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '14:10'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [bike.udid],
          says: /debugging|reset|restart|reboot|\badb (connect|disconnect|reconnect)\b|reconnect/i,
        },
      };
    },
  },
  {
    name: 'a watch gives no sign of life at another charging cable, since it has another system',
    source: 'AsteroidOS/meta-smartwatch#194',
    seen: 'With its old system the watch took files at ten megabytes a second. Now that it has got another, the kernel does not write a word when it is plugged in.',
    cause: 'a cable of another maker, whose contacts for data are there and lead nowhere',
    did: 'used the cable that came with the watch',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2023-05-15',
      days: 29,
      models: ['TicWatch Pro', 'Skagen Falster', 'Huawei Watch'],
    },
    tell(lab) {
      const watch = lab.pinned(1);
      const at = lab.at(14, '20:14');
      const loss = offAndOn(lab, watch, at, lab.at(27, '19:25') - at);
      background(lab);
      return {
        at: lab.at(15, '10:30'),
        losses: [loss],
        blame: ['port', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [watch.udid, lab.portKey(watch)],
          says: /cable|plug|socket|re-?seat|contact/i,
        },
      };
    },
  },
  {
    name: 'a watch is a network card to its computer, and not a device of adb, until it was in its bootloader',
    source: 'AsteroidOS/asteroid#72',
    seen: 'The computer takes the watch for RNDIS only. Set to transfer files it is seen, and nothing can be done with it. Other drivers change nothing.',
    cause: 'not found: in which way the watch offers itself on USB',
    did: 'started it into its bootloader, and it was in order',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2018-06-04',
      days: 20,
      models: ['ZenWatch 3', 'Moto G5'],
    },
    tell(lab) {
      const watch = lab.pinned(0);
      const loss = lab.lose(watch, lab.at(18, '16:20'), { onUsb: { interfaces: [RNDIS] } });
      lab.usb(watch, lab.at(19, '11:05'), { interfaces: [MTP], connectedAt: lab.at(19, '11:05') });
      lab.usb(watch, lab.at(19, '11:40'), { interfaces: [RNDIS], connectedAt: lab.at(19, '11:40') });
      background(lab);
      return {
        at: lab.at(19, '12:30'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [watch.udid, lab.portKey(watch)],
          says: /USB (mode|setting|config\w*|function)|default USB|tether|debugging|without adb|restart|reboot|bootloader/i,
        },
      };
    },
  },
  {
    name: 'a headset shows no prompt, as the antivirus of the computer has deleted its adb',
    source: 'the-expanse/SideQuest#22',
    seen: 'The headset is plugged in and the computer sees it as an empty folder; no question about debugging appears in it, with a cable that has always worked.',
    cause: 'the antivirus has deleted adb',
    did: 'put back what the antivirus had deleted; wrote it into the instructions',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2019-05-13',
      days: 15,
      models: ['Quest'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      const deleted = lab.at(13, '10:35');
      lab.host(deleted, { kind: 'adbLost', failureKind: 'absent' });
      headset.reading = (now) =>
        now < deleted ? { levelPercent: 88, isFull: false, temperatureDecicelsius: 301 } : undefined;
      background(lab, { isUpdated: false });
      return {
        at: lab.at(13, '12:10'),
        told: {
          about: ['host'],
          says: /start-server|start(s|ed|ing)? .{0,30}adb|adb .{0,40}(start|run|install|missing)|antivirus|install/i,
        },
      };
    },
  },
  {
    name: 'an e-reader that is asked into its bootloader hangs in the mode of its chip instead',
    source: 'https://mobileread.com/forums/showthread.php?t=345880',
    seen: 'adb works. After `adb reboot bootloader` the reader does not show its logo, it freezes; on USB it has an interface of another class than fastboot or adb. Into its recovery it starts well.',
    cause:
      'the reader goes into the loader of its Rockchip, as far as they found out; it may have no fastboot',
    did: 'looked at its interfaces on USB; started it into its recovery',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2022-03-07',
      days: 20,
      models: ['Boox Note', 'Pixel 4a'],
    },
    tell(lab) {
      const reader = lab.pinned(0);
      const frozen = { onUsb: { interfaces: [ROCKUSB] } };
      const [first, second] = [lab.at(17, '15:02'), lab.at(17, '18:20')];
      const losses = [
        lab.lose(reader, first, { ...frozen, forMs: 21 * MINUTE }),
        lab.lose(reader, second, frozen),
      ];
      lab.rebooted(reader, first + 22 * MINUTE, { uptimeSeconds: 95 });
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '19:05'),
        losses,
        blame: ['person', 'phone'],
        told: {
          about: ['phone', 'port'],
          keys: [reader.udid, lab.portKey(reader)],
          says: /bootloader|fastboot|recovery|\bmode\b|button|hold|restart|reboot|start (it )?(again|anew)/i,
        },
      };
    },
  },
  {
    name: 'an e-reader whose data were erased in fastboot does not start any more, and is back in fastboot',
    source: 'https://www.mobileread.com/forums/showthread.php?t=357582',
    seen: 'A reset to the factory state left data behind. After they were erased in fastboot the reader loops at its start; it can be brought into fastboot, and not into its recovery.',
    cause: 'its data partition was erased and has no file system; so somebody takes it',
    did: 'was told to wipe it otherwise, and which buttons lead into the recovery',
    lab: {
      zone: 'Europe/Brussels',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2023-11-20',
      days: 17,
      models: ['Boox Nova3', 'Fairphone 4'],
    },
    tell(lab) {
      const reader = lab.pinned(0);
      const asked = lab.at(14, '17:05');
      const loss = lab.lose(reader, asked, { onUsb: { interfaces: [FASTBOOT] } });
      // erased, and started: then it loops, without USB
      lab.usb(reader, lab.at(14, '17:21'), null);
      const again = lab.at(14, '18:02');
      lab.usb(reader, again, { interfaces: [FASTBOOT], connectedAt: again });
      background(lab);
      return {
        at: lab.at(14, '18:30'),
        losses: [loss],
        blame: ['person', 'phone'],
        told: {
          about: ['phone', 'port'],
          keys: [reader.udid, lab.portKey(reader)],
          says: /fastboot|bootloader|flash|wip(e|ing)|recovery|erase/i,
        },
      };
    },
  },
  {
    name: 'a stick updates itself to a new Android and is not reached at its old port any more',
    source: 'PRProd/HA-Firemote#704',
    seen: 'Since the stick has Android 14 the host does not connect to its debugging, and it cannot be set up again.',
    cause: 'the new Android wants to be paired, and has no fixed port',
    did: 'lived without it, by another remote control',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2025-06-09',
      days: 21,
      models: ['Pixel 7', 'Chromecast', 'Shield'],
    },
    tell(lab) {
      const stick = lab.pinned(1);
      const loss = lab.lose(stick, lab.at(18, '04:12'));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '18:30'),
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /wireless debugging|debugging|\bpair|\bport\b|\badb connect\b/i,
        },
      };
    },
  },
  {
    name: 'watches on their chargers drop their debugging over and over',
    source: 'https://docs.rs/crate/peat-btle/latest/source/docs/wearos-ble-issues.md',
    seen: 'The adb connections to watches over Wi-Fi drop often, also while they are on their chargers. Each time they are connected again it is at another port.',
    cause: 'the system of the watches puts their Wi-Fi to sleep and ends debugging to save power',
    did: 'set them to stay awake while they charge, left them on their chargers, connected them again',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 2,
      network: 3,
      from: '2026-01-19',
      days: 22,
      models: ['Pixel 8', 'Pixel 6', 'Galaxy Watch', 'Galaxy Watch', 'Pixel Watch'],
    },
    tell(lab) {
      const watches = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      const asked = lab.at(17, '15:40');
      for (const watch of watches)
        for (const day of lab.workdays(10, 18))
          for (let hour = 9; hour < 17; hour += 1) {
            if (!lab.random.chance(0.55)) continue;
            const at = Math.round(lab.at(day) + (hour + lab.random.between(0.05, 0.6)) * HOUR);
            const forMs = Math.round(lab.random.between(2, 18) * MINUTE);
            if (at + forMs < asked) losses.push(lab.lose(watch, at, { forMs }));
          }
      losses.push(lab.lose(watches[1] as LabPhone, asked - 7 * MINUTE));
      for (const watch of watches) watch.reading = levels([[lab.start, 100]], 305);
      background(lab);
      return {
        at: asked,
        losses,
        blame: ['phone', 'link'],
        told: {
          about: ['phone', 'network'],
          says: /awake|sleep|doze|power.?sav|wi-?fi|debugging/i,
        },
      };
    },
  },
  {
    name: 'two televisions are lost once or twice a day since the program that watches them was updated',
    source: 'dwaan/homebridge-adb#101',
    seen: 'Since version 2.2.0 of the program a television that is on shows as off, once or twice a day: the device is not attached. Connected by hand, and with the program started again, it is well for a time.',
    cause: 'something in the new version of the program, as the old one does not have it',
    did: 'went back to the old version',
    cannotShow: 'which programs run on the host, in which version, and what they ask of adb is not recorded',
    lab: {
      zone: 'Asia/Jerusalem',
      hubs: [],
      direct: 1,
      network: 3,
      from: '2023-08-14',
      days: 24,
      models: ['Redmi 9', 'Mi TV', 'TV box', 'Mi 11'],
    },
    tell(lab) {
      const televisions = [lab.pinned(1), lab.pinned(2)];
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 22; day += 1)
        for (const television of televisions)
          for (const from of [9, 17]) {
            if (!lab.random.chance(0.75)) continue;
            const at = Math.round(lab.at(day) + lab.random.between(from, from + 3.5) * HOUR);
            losses.push(lab.lose(television, at, { forMs: Math.round(lab.random.between(0.8, 2.5) * HOUR) }));
          }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '09:30'),
        losses,
        blame: ['host', 'adb', 'phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /\badb connect\b|reconnect|connect(s|ed)? (it )?(again|anew)|(another|other) program|version|updat/i,
        },
      };
    },
  },
];
