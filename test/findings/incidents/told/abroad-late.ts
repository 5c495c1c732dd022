/** Incidents that people wrote up in Chinese, Japanese or Korean. */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** adb calls it offline until somebody pulls its plug and puts it in again. */
function offlineUntilPlugged(lab: Lab, phone: LabPhone, at: number, forMs: number): ToldLoss {
  const pulled = Math.round(at + forMs);
  const loss = lab.lose(phone, at, { as: 'offline' });
  const back = pulled + 6 * SECOND;
  lab.phone(phone, pulled, { kind: 'detached' });
  lab.phone(phone, back, { kind: 'attached', state: 'device' });
  loss.until = back;
  const away = phone.busy.at(-1);
  if (away) away.to = back + 10 * SECOND;
  return loss;
}

export const incidents: readonly Incident[] = [
  {
    name: 'a phone is offline after two jumps of the game that a script plays',
    source: 'wangshub/wechat_jump_game#121, #265',
    seen: 'The script takes a screenshot for each jump. After one or two jumps it ends in an error, and adb calls the phone offline.',
    cause: 'the cable is broken',
    did: 'took another cable',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2017-12-11',
      days: 21,
      models: ['MI 5', 'Honor 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          ['14:05', 90],
          ['14:09', 140],
          ['14:16', 60],
          ['14:31', 210],
          ['14:52', 75],
          ['15:20', 160],
          ['15:41', 120],
        ] as const
      ).map(([time, seconds]) => offlineUntilPlugged(lab, phone, lab.at(19, time), seconds * SECOND));
      background(lab);
      return {
        at: lab.at(19, '15:50'),
        losses,
        blame: ['link', 'port', 'phone', 'adb', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a new player connects and disconnects every few seconds at a cable of 60 cm',
    source: 'https://awakecomputer.com/?p=3283',
    seen: 'The old player was connected and disconnected every few seconds and did not charge. A new one with Android, bought for it, does the very same.',
    cause: 'the long cable; at one of 5 cm both work',
    did: 'took the short cable',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 1,
      from: '2017-05-08',
      days: 20,
      models: ['Xperia', 'ZEN Touch 2'],
      usb: true,
    },
    tell(lab) {
      const port = { chain: '11', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 3' };
      const player = lab.add('usb', { port, isThereAtFirst: false });
      player.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [time, minutes] of [
        ['13:20', 6],
        ['14:10', 9],
      ] as const) {
        const from = lab.at(17, time);
        lab.phone(player, from, { kind: 'attached', state: 'device' });
        let at = from + 4 * SECOND;
        while (at < from + minutes * MINUTE) {
          const forMs = lab.random.between(1, 3) * SECOND;
          losses.push(lab.lose(player, at, { forMs }));
          at += forMs + lab.random.between(3, 8) * SECOND;
        }
        // it is pulled out to look for the cause
        if (time === '13:20') lab.phone(player, at + 5 * SECOND, { kind: 'detached' });
      }
      background(lab);
      return {
        at: lab.at(17, '14:18'),
        losses,
        blame: ['link', 'port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a Galaxy tablet that shows the screen of a computer drops out every five minutes, with another cable too',
    source: 'edh-git/EL_Display_Hub#2452',
    seen: 'A Galaxy Tab S7+ is the second screen of a computer, and is disconnected once in five minutes; with another cable it is the same.',
    cause: 'its USB connection is not stable: the log shows that the device is detached again and again',
    did: 'was told to plug it into the computer itself, not into a hub, or into another port',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [4],
      free: 2,
      from: '2023-11-06',
      days: 22,
      models: ['Galaxy Tab S7+', 'Galaxy S22'],
      usb: true,
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const drops = (from: number, to: number) => {
        for (let at = from; at < to; at += lab.random.between(4, 6) * MINUTE)
          losses.push(lab.lose(tablet, at, { forMs: lab.random.between(2, 6) * SECOND }));
      };
      drops(lab.at(19, '20:10'), lab.at(19, '21:40'));
      drops(lab.at(20, '13:30'), lab.at(20, '15:00'));
      // the other cable
      lab.lose(tablet, lab.at(20, '15:10'), { forMs: 50 * SECOND });
      drops(lab.at(20, '15:15'), lab.at(20, '16:25'));
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '16:25'),
        losses,
        blame: ['link', 'port', 'hub', 'phone', 'unknown'],
        told: {
          about: ['port', 'phone', 'hub'],
          says: /(another|other|different) (USB )?port|direct|hub/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 5 restarts whenever its home screen comes, since it was updated to Android 14',
    source: 'kooritea/fcmfix#116',
    seen: 'Since the update the phone restarts by itself as soon as the home screen is there, or while the password is typed in; each test costs many restarts.',
    cause: 'a module that hooks the system is not fit for Android 14: the system fails at its start',
    did: 'removed the modules by adb, or in safe mode; a later version of the module works',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      from: '2023-09-18',
      days: 20,
      models: ['Pixel 5', 'Pixel 6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(17, '09:10'), { forMs: 3 * MINUTE, reason: 'reboot,ota' });
      lab.phone(phone, lab.at(17, '09:14'), { kind: 'os', release: '14', before: '13' });
      const losses: ToldLoss[] = [];
      for (const [time, count] of [
        ['10:02', 7],
        ['10:48', 5],
        ['11:25', 6],
      ] as const) {
        let at = lab.at(17, time);
        // the module is switched on, for which the phone has to restart
        lab.reboot(phone, at - 2 * MINUTE, { forMs: 36 * SECOND, reason: 'reboot,userrequested' });
        for (let left = count; left > 0; left -= 1) {
          const forMs = lab.random.between(33, 40) * SECOND;
          losses.push(lab.reboot(phone, at, { forMs, reason: 'reboot' }));
          at += forMs + lab.random.between(42, 65) * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(17, '11:36'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /module|root|safe mode|uninstall|remove|\bapps?\b|update|crash/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy S22+ restarts at once when the manager of its root is opened',
    source: 'tiann/KernelSU#260, #263',
    seen: 'The phone boots well with the other kernel. When the app of KernelSU is started, it restarts at once.',
    cause: 'a kernel panic: the protections of Samsung (RKP, KDP) do not let the kernel be changed',
    did: 'built the kernel without RKP, KDP and UH; the app starts then',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      from: '2023-02-01',
      days: 22,
      models: ['Galaxy S22+', 'Mi 11'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(19, '14:40'), { forMs: 9 * MINUTE });
      lab.rebooted(phone, lab.at(19, '14:49:30'), { reason: 'reboot', uptimeSeconds: 65 });
      const losses = ['15:02', '15:06', '15:21', '15:47', '16:10'].map((time) =>
        lab.reboot(phone, lab.at(19, time), { forMs: 52 * SECOND, reason: 'kernel_panic' }),
      );
      background(lab);
      return {
        at: lab.at(19, '16:20'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|firmware|\bROM\b|\broot|crash|update/i,
        },
      };
    },
  },
  {
    name: 'after each restart a phone is reached over Wi-Fi only once its cable was in again',
    source: 'viarotel-org/escrcpy#253',
    seen: 'The network was switched on by cable, and the phone is controlled over Wi-Fi. When it has restarted, it cannot be connected any more though its address is the same; by cable the network has to be switched on anew.',
    cause: 'Android forgets adb over the network when it restarts',
    did: 'plugged it in each time; was told of an app that switches it on',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-09-20',
      days: 22,
      models: ['Redmi', 'vivo'],
    },
    tell(lab) {
      const [overAir] = lab.pinnedOf('tcp') as [LabPhone];
      const port = { chain: '12', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 2' };
      const cabled = lab.add('usb', { port, name: overAir.name, isThereAtFirst: false });
      cabled.isPinned = true;
      for (const phone of [overAir, cabled]) lab.facts(phone, lab.start, { serialNumber: '10AD7K' });
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [7, '09:20', 0.6],
        [11, '21:05', 12.5],
        [14, '13:40', 1.3],
        [17, '08:50', 2.2],
      ] as const) {
        const at = lab.at(day, time);
        const plugged = at + hours * HOUR;
        const back = plugged + 40 * SECOND;
        losses.push(lab.lose(overAir, at, { forMs: back - at }));
        lab.phone(cabled, plugged, { kind: 'attached', state: 'device' });
        lab.phone(cabled, back + MINUTE, { kind: 'detached' });
        const uptimeSeconds = Math.round((back - at) / SECOND) - 10;
        lab.rebooted(overAir, back + 20 * SECOND, { reason: 'reboot,userrequested', uptimeSeconds });
      }
      losses.push(lab.lose(overAir, lab.at(20, '10:15')));
      background(lab);
      return {
        at: lab.at(20, '11:30'),
        losses,
        blame: ['phone', 'person', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /tcpip|debugging|cable|(after|since|when) .{0,30}(restart|reboot)/i,
        },
      };
    },
  },
  {
    name: 'a OnePlus freezes after some of its restarts, and restarts once more',
    source: 'SukiSU-Ultra/SukiSU-Ultra#84',
    seen: 'When the phone is restarted by hand, or for another kernel, it now and then hangs after it has booted, and restarts by itself.',
    cause: 'the kernel was built with patches for modules of its own (KPM)',
    did: 'built the kernel without them: it does not happen then',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      from: '2025-05-01',
      days: 19,
      models: ['OnePlus Ace 2', 'Redmi K60'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hangs] of [
        [6, '20:30', true],
        [8, '12:15', false],
        [9, '21:40', true],
        [11, '19:05', true],
        [12, '22:20', false],
        [14, '13:10', true],
        [16, '20:45', true],
        [17, '09:35', true],
      ] as const) {
        const at = lab.at(day, time);
        lab.reboot(phone, at, { forMs: 38 * SECOND, reason: 'reboot,userrequested' });
        if (!hangs) continue;
        const hung = at + lab.random.between(110, 170) * SECOND;
        losses.push(lab.reboot(phone, hung, { forMs: 44 * SECOND, reason: 'watchdog' }));
      }
      background(lab);
      return {
        at: lab.at(17, '10:10'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|firmware|\bROM\b|module|\broot|crash|hang|freez|hung|update/i,
        },
      };
    },
  },
];
