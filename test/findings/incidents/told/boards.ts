/** Incidents of phones, tablets, headsets and boards, whose own system is to blame more often than not. */
import { background, inUse, withoutDebugging } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

export const incidents: Incident[] = [
  {
    name: 'after each restart a phone asks what USB is for, and waits',
    source: 'openstf/stf#1153',
    seen: 'The Oppo restarts, a window asks which kind of transfer to allow, and adb does not have it until somebody chooses.',
    cause: 'the phone waits for the choice of its USB mode',
    did: 'chose by hand each time',
    lab: { zone: 'Asia/Jerusalem', hubs: [7], usb: true, from: '2019-12-16', days: 22, models: ['Oppo A5s'] },
    tell(lab) {
      const phone = lab.pinned(3);
      const losses = (
        [
          [14, '11:10', 50],
          [16, '15:32', 110],
          [21, '10:05', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes === undefined ? undefined : minutes * MINUTE;
        const loss = lab.lose(phone, at, {
          ...(forMs && { forMs }),
          onUsb: withoutDebugging(at + 40 * SECOND),
        });
        if (forMs)
          lab.rebooted(phone, at + forMs + 12 * SECOND, {
            reason: 'reboot',
            uptimeSeconds: Math.round(forMs / SECOND) - 25,
          });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(21, '11:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /USB (mode|debugging)|file transfer|choose/i },
      };
    },
  },
  {
    name: 'a board goes offline seconds after each start, since its last build',
    source: 'qualcomm-linux/kernel-topics#916',
    seen: 'adb has the board for some seconds after it was enumerated, then it is offline. Other boards of the lab are fine.',
    cause: 'the new build gives the USB of the board a voltage that is not its own',
    did: 'changed the build',
    lab: { zone: 'Asia/Kolkata', hubs: [7], from: '2026-03-16', days: 24, models: ['RB4', 'RB3', 'RB5'] },
    tell(lab) {
      const board = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [22, '10:02'],
        [22, '10:40'],
        [22, '11:55'],
        [22, '14:20'],
        [23, '09:31'],
        [23, '10:15'],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(board, at, { forMs: 45 * SECOND });
        const off = at + 52 * SECOND;
        const isLast = day === 23 && time === '10:15';
        losses.push(lab.lose(board, off, { as: 'offline', ...(!isLast && { forMs: 20 * MINUTE }) }));
      }
      background(lab);
      return {
        at: lab.at(23, '11:10'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /offline/i },
      };
    },
  },
  {
    name: 'a board of the bench does not wake from its sleep test',
    source: 'projectacrn/acrn-hypervisor#2823',
    seen: 'After suspend and resume adb has lost the system, and its screen stays dark; it has to be started anew.',
    cause: 'the system on the board does not come back from the suspend',
    did: 'started it anew each time; a later build had it fixed',
    lab: { zone: 'Asia/Shanghai', hubs: [4], from: '2019-03-04', days: 18, models: ['Gordon Peak'] },
    tell(lab) {
      const board = lab.pinned(1);
      const losses = (
        [
          [14, '20:40', '09:05'],
          [15, '19:20', '08:50'],
          [16, '21:10', ''],
        ] as const
      ).map(([day, time, back]) => {
        const at = lab.at(day, time);
        const returned = back ? lab.at(day + 1, back) : undefined;
        const loss = lab.lose(board, at, { ...(returned && { forMs: returned - at }) });
        if (returned) lab.rebooted(board, returned + 20 * SECOND, { uptimeSeconds: 55 });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(17, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /restart|power/i },
      };
    },
  },
  {
    name: 'a board is offline whenever its cable was plugged anew, until its adbd is started again',
    source: 'projectceladon/vendor-intel-utils#414',
    seen: 'After a replug adb calls the board offline.',
    cause: 'adbd on the board does not notice that the cable was out',
    did: 'had adbd started anew with each connection',
    lab: { zone: 'Asia/Kolkata', hubs: [4], from: '2019-08-05', days: 18, models: ['Celadon', 'Pixel'] },
    tell(lab) {
      const board = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [11, '10:30'],
        [14, '11:15'],
        [15, '14:40'],
        [16, '16:05'],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(board, at, { forMs: 25 * SECOND, backAs: 'offline' }));
        if (day === 16) continue;
        lab.phone(board, at + 45 * MINUTE, { kind: 'state', state: 'device', before: 'offline' });
      }
      background(lab);
      return {
        at: lab.at(16, '16:45'),
        losses,
        blame: ['phone', 'person', 'port', 'unknown'],
        told: { about: ['phone'], keys: [board.udid], says: /restart/i },
      };
    },
  },
  {
    name: 'a board is listed, and every command fails, as its adbd has too many files open',
    source: 'arduino/arduino-app-cli#222',
    seen: 'When a large app is opened adbd can start no process any more; the board stays in the list.',
    cause: 'adbd on the board has reached its limit of open files',
    did: 'restarted adbd, and had the limit raised',
    lab: { ...desk, zone: 'Europe/Rome', from: '2026-01-12', days: 19, models: ['UNO Q'] },
    tell(lab) {
      const board = lab.pinned(0);
      const at = lab.at(18, '15:32');
      lab.facts(board, at, { isSilent: true, silentSince: at });
      background(lab);
      return {
        at: at + 70 * MINUTE,
        told: { about: ['phone'], says: /restart|plug/i },
      };
    },
  },
  {
    name: 'a phone leaves USB when an app makes it a drive, and stays away until it is restarted',
    source: 'chenxiaolong/MSD#117',
    seen: 'Since the app has switched the mode nothing of the phone is seen on USB; other cables and computers do not help, a restart of the phone does.',
    cause: 'the USB driver in the kernel of the phone has broken down',
    did: 'restarted the phone',
    lab: { ...desk, usb: true, zone: 'America/New_York', from: '2026-07-13', days: 20 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = (
        [
          [13, '19:10', 95],
          [16, '21:30', 40],
          [18, '20:20', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes === undefined ? undefined : minutes * MINUTE;
        const loss = lab.lose(phone, at, { ...(forMs && { forMs }) });
        if (forMs)
          lab.rebooted(phone, at + forMs + 10 * SECOND, {
            reason: 'reboot,userrequested',
            uptimeSeconds: 40,
          });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(18, '21:40'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], says: /restart/i },
      };
    },
  },
  {
    name: 'an update by sideload ends at 45 percent, and the phone stays dark',
    source: 'PixelExperience/android-issues#2231',
    seen: 'The sideload breaks off; when it is restarted the screen goes black. adb has nothing, and the power button does nothing, however long it is held.',
    cause: 'a system that was half written: the phone no longer starts',
    did: 'held the power button and plugged it in, in vain',
    lab: { ...desk, zone: 'Europe/Paris', from: '2022-04-01', days: 14, models: ['Redmi Note 8 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(11, '18:20');
      lab.lose(phone, at, { forMs: MINUTE, backAs: 'recovery' });
      lab.phone(phone, at + 3 * MINUTE, { kind: 'state', state: 'sideload', before: 'recovery' });
      const loss = lab.lose(phone, at + 9 * MINUTE);
      background(lab);
      return {
        at: at + HOUR,
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], says: /power button|recovery|bootloader|flash/i },
      };
    },
  },
  {
    name: 'a tablet is unauthorized and shows no prompt, until USB debugging was off and on',
    source: 'djbclark/stayturgid#115',
    seen: 'The peer waits for somebody to tap; there is nothing to tap on the tablet. USB debugging off and on again, and the prompt is there.',
    cause: 'adbd thinks that a prompt is open, and drops all that follow',
    did: 'switched USB debugging off and on, and accepted the prompt',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 2,
      network: 2,
      from: '2026-07-06',
      days: 24,
      models: ['Fire HD 8'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const at = lab.at(22, '13:05');
      lab.phone(tablet, at, { kind: 'state', state: 'unauthorized', before: 'device' });
      background(lab, { hasReadings: false });
      return {
        at: at + 4 * HOUR,
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /(turn|switch)[^.;]*debugging[^.;]*(off|on)|debugging off/i,
        },
      };
    },
  },
  {
    name: 'a phone switches its USB debugging off when a tool starts its service on it',
    source: 'RikkaApps/Shizuku#515',
    seen: 'As soon as the script of the tool runs, USB debugging is off, and adb has lost the phone.',
    cause: 'the phone’s own system switches it off',
    did: 'switched it on again by hand; the tool found a way around',
    lab: { ...desk, usb: true, zone: 'Asia/Shanghai', from: '2024-05-13', days: 18, models: ['Xiaomi 12S'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [15, '20:12', 4],
          [15, '20:40', 6],
          [16, '21:05', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        return lab.lose(phone, at, {
          ...(minutes && { forMs: minutes * MINUTE }),
          onUsb: withoutDebugging(at + SECOND),
        });
      });
      background(lab);
      return {
        at: lab.at(16, '21:50'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /((turn|switch) on|enable) USB debugging|USB debugging (is )?(off|disabled)/i,
        },
      };
    },
  },
  {
    name: 'USB debugging is off after each restart of a phone with a module against detection',
    source: 'accelforce/DevOptsHide#30',
    seen: 'Each restart switches USB debugging off, and turning it on does not help at once; adb does not see the phone.',
    cause: 'a module on the phone that hides the developer options',
    did: 'removed the module',
    lab: { ...desk, zone: 'Asia/Manila', from: '2023-12-18', days: 22, models: ['Redmi Note 7'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [16, '20:05', 35],
          [18, '19:40', 80],
          [20, '21:15', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes === undefined ? undefined : minutes * MINUTE;
        const loss = lab.lose(phone, at, { ...(forMs && { forMs }) });
        if (forMs)
          lab.rebooted(phone, at + forMs + 10 * SECOND, {
            reason: 'reboot',
            uptimeSeconds: Math.round(forMs / SECOND) - 20,
          });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(20, '22:10'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], says: /debugging/i },
      };
    },
  },
  {
    name: 'a phone asks for the key of its host each time it is connected',
    source: 'ArchiDroid/android_device_samsung_i9300#78',
    seen: 'Although it was told to remember the computer, it asks again after an hour, or with the next connection.',
    cause: 'the system of the phone does not keep the key',
    did: 'accepted it again and again; asked for a fix',
    lab: { ...desk, zone: 'Asia/Jerusalem', from: '2015-03-23', days: 19, models: ['Galaxy S3'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '10:15'],
        [14, '09:30'],
        [14, '15:40'],
        [15, '11:05'],
        [16, '10:08'],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: 20 * MINUTE, backAs: 'unauthorized' }));
        if (day === 16) continue;
        const accepted = at + 20 * MINUTE + lab.random.between(15, 90) * SECOND;
        lab.phone(phone, accepted, { kind: 'state', state: 'device', before: 'unauthorized' });
        if (day !== 15)
          lab.phone(phone, accepted + HOUR, { kind: 'state', state: 'unauthorized', before: 'device' });
        if (day !== 15)
          lab.phone(phone, accepted + HOUR + 2 * MINUTE, {
            kind: 'state',
            state: 'device',
            before: 'unauthorized',
          });
      }
      background(lab);
      return {
        at: lab.at(16, '10:45'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone'], says: /accept|allow/i },
      };
    },
  },
  {
    name: 'a headset on Wi-Fi has to be plugged in once after it was off',
    source: 'the-expanse/SideQuest#577',
    seen: 'Wi-Fi works well, but after the headset was shut down it cannot be connected at the same address, until it was on the cable once.',
    cause: 'adb over the network is off after a restart of the headset',
    did: 'connected it by USB each time, and switched to the network again',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2020-05-25',
      days: 22,
      models: ['Quest'],
    },
    tell(lab) {
      const [headset] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [14, '22:30', 20],
          [16, '23:10', 19],
          [19, '22:05', 21],
          [20, '23:20', undefined],
        ] as const
      ).map(([day, time, hours]) =>
        lab.lose(headset, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '19:00'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], keys: [headset.udid], says: /cable|USB|tcpip|debugging/i },
      };
    },
  },
  {
    name: 'a phone restarts every other night, and has another address after that',
    source: 'dengzii/WiFiADB#26',
    seen: 'In the morning after its restart nothing answers at the address of the phone: it has a new one.',
    cause: 'the router gives it another address',
    did: 'connected it by cable or by the new address; was told to bind the address to the phone at the router',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2020-12-14',
      days: 25,
      models: ['Poco'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 10; day <= 24; day += 2) {
        const at = lab.at(day, '03:00') + lab.random.between(0, 90) * SECOND;
        if (day === 24) losses.push(lab.lose(phone, at));
        else
          losses.push(
            lab.lose(phone, at, { forMs: lab.at(day, '09:30') + lab.random.between(0, 60) * MINUTE - at }),
          );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(24, '09:10'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /address/i },
      };
    },
  },
  {
    name: 'the port of wireless debugging changes within the hour',
    source: 'Genymobile/scrcpy#6209',
    seen: 'The target machine refuses the connection: the port is another one again, at random.',
    cause: 'wireless debugging takes a new port each time that it starts',
    did: 'was told to use `adb tcpip`, which has a fixed port',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2025-06-16',
      days: 21,
      known: { slots: false },
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 20; day += 1)
        for (const from of [17, 19, 21])
          losses.push(
            lab.lose(phone, lab.at(day) + lab.random.between(from, from + 0.8) * HOUR, {
              forMs: lab.random.between(15, 60) * MINUTE,
            }),
          );
      losses.push(lab.lose(phone, lab.at(20, '18:10')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '18:50'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /\bport\b|tcpip|wireless debugging/i },
      };
    },
  },
  {
    name: 'a phone cannot be reached over Wi-Fi while its VPN is on',
    source: 'celzero/rethink-app#2699, AdguardTeam/AdguardForAndroid#4514',
    seen: 'With the VPN on, wireless debugging shows an address of the VPN, which the computer cannot reach; with the VPN off all is well.',
    cause: 'the VPN on the phone',
    did: 'switched the VPN off',
    cannotShow: 'whether a VPN is on, and which address the phone has with it, is not recorded',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2026-05-04',
      days: 24,
      models: ['Poco F3'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [13, '12:40', 7],
        [15, '10:05', 3.5],
        [18, '16:20', 15],
        [20, '11:30', 5],
        [22, '09:50', undefined],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '12:00'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /VPN|address|subnet|(same|another|other) network/i,
        },
      };
    },
  },
  {
    name: 'a box that sleeps is not recognized on USB, until it was woken and plugged anew',
    source: 'd4rken-org/wakelock-revamp#9',
    seen: 'In its broken sleep the computer says that the USB device is not recognized, and adb has nothing. Woken with its remote control and plugged in anew it is there.',
    cause: 'the box, which sleeps and cannot be woken by infrared',
    did: 'woke it with the other remote control, and plugged it in anew',
    cannotShow: 'of a bad cable the kernel writes the same',
    lab: { ...desk, usb: true, zone: 'Asia/Jerusalem', from: '2020-09-14', days: 20, models: ['Mi Box 3'] },
    tell(lab) {
      const box = lab.pinned(0);
      const losses = [
        [16, '21:30', 40],
        [18, '22:10', undefined],
      ].map(([day, time, minutes]) => {
        const at = lab.at(Number(day), String(time));
        lab.kernel(at + 2 * MINUTE, lab.where(box, at), 'descriptor');
        lab.kernel(at + 2 * MINUTE + 15 * SECOND, lab.where(box, at), 'enumerate');
        return lab.lose(box, at, { ...(minutes !== undefined && { forMs: Number(minutes) * MINUTE }) });
      });
      background(lab);
      return {
        at: lab.at(18, '23:00'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a phone restarts the hard way in benchmarks when its battery is below a third',
    source: 'franciscofranco/kenzo#2',
    seen: 'In the 3D test the phone goes off and starts again, only below 30 %.',
    cause: 'the phone: its battery cannot give what the test takes',
    did: 'reported it, for two systems alike',
    lab: { ...desk, zone: 'Asia/Kolkata', from: '2018-03-05', days: 20, models: ['Redmi Note 3'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const tests = (
        [
          [12, '17:20'],
          [14, '18:05'],
          [15, '16:50'],
          [17, '17:35'],
          [18, '16:40'],
        ] as const
      ).map(([day, time]) => lab.at(day, time));
      const calm = inUse(lab);
      phone.reading = (at) => {
        const next = tests.find((each) => each >= at - 40 * MINUTE);
        const left = next === undefined ? 100 : 24 + Math.max(0, (next - at) / (6 * MINUTE));
        return { ...calm(at), levelPercent: Math.min(96, Math.round(left)), isFull: false };
      };
      const losses = tests.map((at) => lab.reboot(phone, at, { forMs: 42 * SECOND }));
      background(lab);
      return {
        at: lab.at(18, '18:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], says: /battery/i },
      };
    },
  },
  {
    name: 'a headset drops out whenever a large app is installed, and comes back at once',
    source: 'the-expanse/SideQuest#317',
    seen: 'While apps are copied the headset disconnects and connects again; after several attempts it works.',
    cause: 'a faulty cable or a bad port; for others the change from USB 3 to USB 2',
    did: 'was told to try another cable, and a USB 2 port',
    lab: { ...desk, zone: 'Europe/Rome', from: '2019-10-07', days: 22, models: ['Quest'] },
    tell(lab) {
      const headset = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [14, '20:40', 3],
        [17, '21:15', 2],
        [19, '15:30', 4],
        [20, '20:10', 3],
      ] as const)
        for (let at = lab.at(day, time), left = times; left > 0; left -= 1) {
          losses.push(lab.lose(headset, at, { forMs: lab.random.between(1.2, 4) * SECOND }));
          at += lab.random.between(50, 200) * SECOND;
        }
      background(lab);
      return {
        at: lab.at(20, '21:00'),
        losses,
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|port/i },
      };
    },
  },
  {
    name: 'a phone is offline at times, until its authorizations are revoked and debugging is allowed anew',
    source: 'Genymobile/scrcpy#200',
    seen: 'Sometimes adb calls the phone offline, and the mirror ends.',
    cause: 'the connection of adb to the phone; not found out further',
    did: 'revoked the authorization and enabled USB debugging again',
    lab: { ...desk, zone: 'Europe/Rome', from: '2018-07-02', days: 17, models: ['Galaxy J5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [11, '16:10', 14],
          [13, '21:40', 9],
          [14, '18:25', 31],
          [15, '22:05', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), { as: 'offline', ...(minutes && { forMs: minutes * MINUTE }) }),
      );
      background(lab);
      return {
        at: lab.at(15, '22:50'),
        losses,
        blame: ['phone', 'adb', 'port', 'unknown'],
        told: { about: ['phone'], says: /plug|debugging|reconnect|restart/i },
      };
    },
  },
  {
    name: 'picture frames come back with other addresses after the power was away',
    source: 'HunorLaczko/ha-frameo-control#2',
    seen: 'After a restart or a loss of power the frames have other addresses, and even other hardware addresses.',
    cause: 'the frames make up a new address with each start',
    did: 'set the address at the router, and the port of adb for good',
    lab: {
      zone: 'Europe/Budapest',
      hubs: [4],
      free: 2,
      network: 4,
      from: '2025-10-06',
      days: 22,
      models: ['Frame', 'Pixel'],
    },
    tell(lab) {
      const frames = lab.pinnedOf('tcp').filter((_, index) => index < 2);
      const at = lab.at(19, '13:40');
      const losses = frames.map((frame, index) => lab.lose(frame, at + index * 700));
      background(lab, { hasReadings: false });
      return {
        at: at + 5 * HOUR,
        losses,
        blame: ['phone', 'network', 'link', 'room', 'unknown'],
        told: { about: ['phone', 'network'], says: /address/i },
      };
    },
  },
  {
    name: 'a phone is paired anew each time that its Wi-Fi was off',
    source: 'sam1am/anyapk#35',
    seen: 'Wireless debugging is paired and works; Wi-Fi off and on again, and it is not.',
    cause: 'the phone switches wireless debugging off with its Wi-Fi',
    did: 'turned it on and paired again; a later version turns it on by itself',
    lab: {
      zone: 'Europe/Prague',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2026-02-16',
      days: 22,
      models: ['Galaxy S24'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [13, '08:10', 10],
          [15, '08:05', 11],
          [17, '08:20', 9],
          [20, '08:12', undefined],
        ] as const
      ).map(([day, time, hours]) =>
        lab.lose(phone, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '19:30'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /wireless debugging/i },
      };
    },
  },
  {
    name: 'a phone restarts without a trace after it was unlocked, until its battery is replaced',
    source: 'ArchiDroid/android_device_samsung_i9300#98',
    seen: 'It restarts the hard way now and then, often when it was just unlocked; its logs show no panic.',
    cause: 'a worn battery, as for another user who replaced it',
    did: 'replaced the battery',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2015-04-06', days: 24, models: ['Galaxy S3'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [17, '08:02'],
          [18, '23:41'],
          [19, '12:15'],
          [20, '07:20'],
          [20, '21:55'],
          [21, '14:31'],
          [22, '06:50'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 48 * SECOND }));
      background(lab);
      return {
        at: lab.at(22, '10:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], says: /battery/i },
      };
    },
  },
  {
    name: 'a phone restarts seconds after it was unplugged full',
    source: 'TheWhisp/android_device_samsung_msm7x27a-common#111',
    seen: 'At 100 % it is unplugged, sleeps, and restarts ten to fifteen seconds later; by now each time that it sleeps.',
    cause: 'the phone, or its battery',
    did: 'wiped data and cache, in vain',
    lab: { ...desk, zone: 'Europe/Athens', from: '2013-09-16', days: 26, models: ['Galaxy Mini 2'] },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = inUse(lab);
      const losses = (
        [
          [20, '22:40', 520],
          [21, '23:05', 490],
          [22, '22:20', 600],
          [23, '23:15', 505],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        const forMs = minutes * MINUTE;
        const loss = lab.lose(phone, at, { forMs });
        lab.rebooted(phone, at + forMs + 15 * SECOND, { uptimeSeconds: Math.round(forMs / SECOND) - 20 });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone'], says: /battery|restart/i },
      };
    },
  },
  {
    name: 'two phones are offline since the same module was installed on them',
    source: 'evdenis/adb_root#19',
    seen: 'After the module was installed and the phone restarted adb calls it offline; debugging off and on, new keys and another adb do not help.',
    cause: 'the module replaces the adbd of the phone',
    did: 'removed the module',
    cannotShow: 'what is installed on the phone is not recorded',
    lab: {
      hubs: [4],
      zone: 'Europe/Zurich',
      from: '2023-03-13',
      days: 18,
      models: ['Galaxy S7 edge', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '16:20');
      lab.reboot(phone, at, { forMs: 50 * SECOND, backAs: 'offline' });
      background(lab);
      return {
        at: at + 80 * MINUTE,
        told: { about: ['phone'], keys: [phone.udid], says: /module|\badbd\b/i },
      };
    },
  },
  {
    name: 'a phone switches USB debugging off by itself, under the system of its maker',
    source: 'HmnDev-Tech/shevery#225',
    seen: 'Turned on by hand USB debugging is off again; settings, new keys and a restart do not help.',
    cause: 'the system of its maker takes the debugging back',
    did: 'asked how to keep it; was told that the system does so',
    lab: { ...desk, usb: true, zone: 'Asia/Shanghai', from: '2026-08-31', days: 19, models: ['OPPO PHS110'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = (
        [
          [13, '10:05', 25],
          [14, '15:12', 40],
          [15, '11:30', 15],
          [16, '09:48', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        return lab.lose(phone, at, {
          ...(minutes && { forMs: minutes * MINUTE }),
          onUsb: withoutDebugging(at + SECOND),
        });
      });
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /USB debugging/i },
      };
    },
  },
  {
    name: 'a cheap cable loses its phone in the middle of each long transfer',
    source: 'ubports/ubports-installer#207',
    seen: 'The transfer breaks off: the phone is not there; tried again it may go through.',
    cause: 'a cheap cable',
    did: 'used another cable',
    lab: { ...desk, zone: 'Europe/Madrid', from: '2018-04-02', days: 24, models: ['Nexus 5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [18, ['17:10', '17:32', '18:05']],
        [21, ['20:14', '20:40']],
        [22, ['16:55', '17:21', '17:48', '18:30']],
      ] as const)
        for (const time of times)
          losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(2, 14) * SECOND }));
      background(lab);
      return {
        at: lab.at(22, '19:00'),
        losses,
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
];
