/** Incidents from threads that are written in Chinese or Korean. */
import { MTP } from '../../usb-tree.ts';
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** The adb server is replaced; who was attached by USB is listed again seconds later. */
function adbIsReplaced(lab: Lab, at: number, phones: readonly LabPhone[], version: number): ToldLoss[] {
  adbRestarts(lab, at, version, 2 * SECOND);
  return lab.loseAll(phones, at + 2500, { spreadMs: 300, forMs: 3 * SECOND, backSpreadMs: SECOND });
}

/** It is still charged, and USB shows it without adb. */
const withoutAdb = { onUsb: { interfaces: [MTP] } };

export const incidents: Incident[] = [
  {
    name: 'a phone is offline for an old adb, and unauthorized for the new one',
    source: 'chengr28/RevokeChinaCerts#53',
    seen: 'adb devices says offline. After an update of the SDK it says unauthorized.',
    cause: 'adb was too old for the phone, which had then not allowed the computer',
    did: 'updated adb; revoked the USB debugging authorizations, started the adb server again, and allowed it',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, from: '2015-03-23', days: 22 },
    tell(lab) {
      const phone = lab.pinned(0);
      const updatedAt = lab.at(20, '10:30');
      const at = lab.at(19, '20:10');
      const loss = lab.lose(phone, at, { as: 'offline', forMs: updatedAt - at, backAs: 'unauthorized' });
      lab.host(updatedAt - 4 * SECOND, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(updatedAt - 2 * SECOND, { kind: 'adbBack' });
      lab.host(updatedAt - SECOND, { kind: 'adbReplaced', version: 32 });
      background(lab);
      return {
        at: lab.at(20, '11:00'),
        losses: [loss],
        blame: ['phone', 'adb', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /authori[sz]|revoke|allow|confirm|accept|restart adb|kill-server/i,
        },
      };
    },
  },
  {
    name: 'a game assistant ends the adb server whenever its job is done',
    source: 'MaaAssistantArknights/MaaAssistantArknights#3697',
    seen: 'After the daily job has ended, adb says that it starts its server anew, and then does not answer for long.',
    cause: 'the assistant kills the adb server when it ends',
    did: 'the maintainer named it, and wants to make it an option',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, from: '2023-01-25', days: 21 },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (let day = 14; day < 20; day += 1)
        losses.push(
          ...adbIsReplaced(lab, lab.at(day, '11:36') + lab.random.between(0, 8) * MINUTE, phones, 41),
        );
      const last = lab.at(20, '11:40');
      losses.push(...adbIsReplaced(lab, last, phones, 41));
      lab.host(last + 20 * SECOND, { kind: 'adbLost', failureKind: 'silent' });
      background(lab);
      return {
        at: lab.at(20, '12:05'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /program|tool|script|wh(o|at) (runs|kills|ends|stops|starts|restarts)/i,
        },
      };
    },
  },
  {
    name: 'adb does not answer after an assistant of emulators was closed',
    source: 'MAA1999/M9A#409',
    seen: 'The assistant quits itself and the emulator. Whatever is started then cannot connect.',
    cause: 'the adb server is left behind in a state in which it answers nobody',
    did: 'ran `adb kill-server` by hand, which helped',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, emulators: 1, from: '2025-03-20', days: 21 },
    tell(lab) {
      const emulator = lab.pinned(1);
      const closedAt = lab.at(19, '20:15');
      const loss = lab.lose(emulator, closedAt);
      lab.host(closedAt + 20 * SECOND, { kind: 'adbLost', failureKind: 'silent' });
      background(lab);
      return {
        at: lab.at(19, '21:30'),
        losses: [loss],
        blame: ['person', 'phone', 'adb', 'host', 'unknown'],
        told: {
          about: ['host'],
          says: /kill-server|(restart|end|stop|close) (adb|the (adb )?server)|end its process/i,
        },
      };
    },
  },
  {
    name: 'a proxy has taken the port of adb when the computer has restarted',
    source: 'clash-verge-rev/clash-verge-rev#2362',
    seen: 'After some restarts of the computer adb does not start. netstat shows a connection of the proxy on port 5037.',
    cause: 'the proxy was given port 5037 for a connection',
    did: 'restarted the computer, or ended the proxy',
    lab: { zone: 'Asia/Shanghai', hubs: [4], from: '2024-11-25', days: 18 },
    tell(lab) {
      const at = lab.at(17, '08:50');
      for (const phone of lab.phones) phone.isPinned = true;
      lab.host(at, { kind: 'agentStopped' });
      lab.host(at + 80 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: at + 40 * SECOND,
        lastAliveAt: at,
      });
      lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '09:40'),
        told: { about: ['host'], says: /port|5037|another program|restart the (host|computer)/i },
      };
    },
  },
  {
    name: 'two new phones are unauthorized since they were plugged in',
    source: 'AirtestProject/AirtestIDE#870',
    seen: 'A vivo and an OPPO were plugged in, and are unauthorized.',
    cause: 'nobody has allowed the computer on the phones',
    did: 'was told to tap on Allow on the phone first',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7],
      free: 2,
      from: '2020-11-09',
      days: 21,
      models: ['vivo', 'OPPO', 'Mi'],
    },
    tell(lab) {
      const added = lab.freePorts(lab.start).map((port) => lab.add('usb', { port, isThereAtFirst: false }));
      for (const [index, phone] of added.entries()) {
        phone.isPinned = true;
        lab.phone(phone, lab.at(19, `14:2${index}`), { kind: 'attached', state: 'unauthorized' });
      }
      background(lab);
      return {
        at: lab.at(19, '15:10'),
        told: {
          about: ['phone'],
          keys: added.map(({ udid }) => udid),
          says: /allow|authori[sz]|confirm|accept/i,
        },
      };
    },
  },
  {
    name: 'each morning a phone on the network must be switched to adb tcpip again',
    source: 'wsvn53/scrcpy-mobile#62',
    seen: 'Connected and allowed in the afternoon; the next morning the connection fails, on the first of them the phone asked again. After adb tcpip 5555 by cable it works, until the next morning.',
    cause: 'not found: the phone ends adb on the network overnight, as its maker has it',
    did: 'ran `adb tcpip 5555` each time',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2024-03-04',
      days: 23,
    },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: '7XBRX1' });
      const losses: ToldLoss[] = [];
      for (const [day, from, until] of [
        [18, '02:40', '10:30'],
        [19, '01:55', '09:50'],
        [20, '03:20', '10:20'],
      ] as const)
        losses.push(lab.lose(overAir, lab.at(day, from), { forMs: lab.at(day, until) - lab.at(day, from) }));
      losses.push(lab.lose(overAir, lab.at(21, '02:30')));
      background(lab);
      return {
        at: lab.at(21, '09:40'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [overAir.udid], says: /tcpip|connect|debugging|Wi-Fi|sleep/i },
      };
    },
  },
  {
    name: 'a phone ends adb on the network whenever a mirror of its screen is closed',
    source: 'wsvn53/scrcpy-mobile#26',
    seen: 'When the mirror is closed, adbd on the phone has ended, and it cannot be reached until network debugging is switched on again on the phone. Without the option "turn the screen off on close" it stays.',
    cause: 'the option of the mirror that switches the screen off when it is closed',
    did: 'found that the same happens with other mirrors, only with this option',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2023-01-16',
      days: 22,
      models: ['Pixel', 'Motorola'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      lab.pinned(2);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '20:40', 35],
        [17, '19:15', 12],
        [18, '21:05', 710],
        [19, '13:20', 25],
        [20, '20:10', 18],
        [21, '10:30', 9],
        [21, '11:25', 14],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE }));
      losses.push(lab.lose(phone, lab.at(21, '14:05')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '14:40'),
        losses,
        blame: ['link', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /debugging|tcpip|screen|awake|sleep/i,
        },
      };
    },
  },
  {
    name: 'two programs with an adb of their own, and all phones come and go',
    source: 'barry-ran/QtScrcpy#781, liudongmiao/Brevent#454',
    seen: 'When the mirror and the development tools run, many phones are disconnected and connected again, over and over. In the other thread adb says that server version 31 does not match client 39.',
    cause: 'each program brings another version of adb, and ends the server of the other',
    did: 'closed the other program, which solved it at once; asked for a setting for which adb is used',
    lab: { zone: 'Asia/Shanghai', hubs: [7, 4], from: '2023-02-27', days: 24 },
    tell(lab) {
      const phones = lab.usbPhones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [20, '14:05', 34],
        [21, '16:40', 18],
        [22, '10:02', 20],
      ] as const)
        for (let left = 0; left < times; left += 1)
          losses.push(
            ...adbIsReplaced(lab, lab.at(day, time) + left * 45 * SECOND, phones, left % 2 ? 41 : 39),
          );
      background(lab);
      return {
        at: lab.at(22, '10:20'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /version|same adb|another adb|other program|program/i },
      };
    },
  },
  {
    name: 'a phone on which debugging was not allowed any more is not listed at all',
    source: 'wangshub/wechat_jump_game#984',
    seen: 'adb lists nothing although the phone is plugged in, and had been allowed before.',
    cause: 'the permission for debugging had been switched off on the phone',
    did: 'allowed the computer again, this time always',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 2, usb: true, from: '2017-12-18', days: 21 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(19, '15:40'), withoutAdb);
      background(lab);
      return {
        at: lab.at(19, '17:10'),
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /debugging|authori[sz]|allow/i,
        },
      };
    },
  },
  {
    name: 'a new emulator is unauthorized from its first start',
    source: 'mzlogin/awesome-adb#47',
    seen: 'A new emulator was created, and is unauthorized always.',
    cause: 'the emulator as it was created: it lacked other things too',
    did: 'deleted it and created it again',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, emulators: 1, from: '2017-10-23', days: 18 },
    tell(lab) {
      const emulator = lab.add('emulator', { name: 'emulator-5556', isThereAtFirst: false });
      emulator.isPinned = true;
      lab.phone(emulator, lab.at(16, '11:20'), { kind: 'attached', state: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(16, '12:30'),
        told: {
          about: ['phone'],
          keys: [emulator.udid],
          says: /creat|delete|wipe|new emulator|authori[sz]|revoke|allow|key/i,
        },
      };
    },
  },
  {
    name: 'a HUAWEI phone cannot be reached over the network once its cable is out',
    source: 'mingzhixian/Easycontrol#25, openatx/atx-agent#37',
    seen: 'With the cable in, adb tcpip and a connection over the network work; with the cable out it cannot be connected.',
    cause: 'the phone switches debugging off with the cable, but where it is allowed in "charge only" mode',
    did: 'switched USB debugging on again after the cable was out, and "Allow ADB debugging in charge only mode"; in the other thread this alone helped one of two',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2023-12-18',
      days: 21,
      models: ['HUAWEI nova 9'],
    },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: '2XJDU2' });
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [16, '19:30', 0.4],
        [16, '20:15', 13],
        [17, '12:10', 1.2],
        [18, '09:45', 0.7],
      ] as const) {
        lab.lose(cabled, lab.at(day, time), { forMs: hours * HOUR });
        losses.push(
          lab.lose(overAir, lab.at(day, time) + 1200, {
            forMs: hours * HOUR + lab.random.between(1, 4) * MINUTE,
          }),
        );
      }
      const last = lab.at(18, '11:20');
      lab.lose(cabled, last);
      losses.push(lab.lose(overAir, last + 1200));
      background(lab);
      return {
        at: lab.at(18, '11:50'),
        losses,
        blame: ['person', 'phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [overAir.udid], says: /debugging|charge only|plug|tcpip/i },
      };
    },
  },
  {
    name: 'two of five phones on the network are not connected again by a tool that is restarted',
    source: 'viarotel-org/escrcpy#344',
    seen: 'When the tool is closed and opened, phones 1, 2 and 3 are connected again by themselves, 4 and 5 only by hand.',
    cause: 'for 4 and 5 the tool remembers the port of the pairing in place of 5555',
    did: 'deleted the two with the wrong port, and connected them anew',
    lab: { zone: 'Asia/Shanghai', hubs: [], network: 5, from: '2024-12-02', days: 19 },
    tell(lab) {
      for (const phone of lab.phones) phone.isPinned = true;
      const [first, second] = [lab.phones.slice(0, 3), lab.phones.slice(3)];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '10:20', 25],
        [16, '09:15', 40],
        [17, '14:30', 22],
        [18, '09:30', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
        lab.host(at + MINUTE, { kind: 'adbBack' });
        lab.host(at + MINUTE + 200, { kind: 'adbReplaced', version: 41 });
        const goneAt = at + MINUTE + 500;
        losses.push(...lab.loseAll(first, goneAt, { spreadMs: 200, forMs: 8 * SECOND }));
        const away = minutes ? { forMs: minutes * MINUTE } : {};
        losses.push(...lab.loseAll(second, goneAt, { spreadMs: 200, ...away }));
      }
      background(lab);
      return {
        at: lab.at(18, '10:10'),
        losses,
        blame: ['adb'],
        told: { about: ['phone', 'network', 'host'], says: /connect|port|pair/i },
      };
    },
  },
  {
    name: 'a board is not on USB after a restart until debugging is switched off and on',
    source: 'kynam-dysys/sdm660#9',
    seen: 'After it has started, the computer does not see the board until USB debugging is switched on or off in its settings.',
    cause: 'a fault of the software on the board, which is too old',
    did: 'switched debugging off and on; the maker answered that a newer version is to be used',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [],
      direct: 2,
      usb: true,
      from: '2020-07-27',
      days: 18,
      models: ['SDM660', 'Pixel'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const losses = (
        [
          [13, '10:05', 12],
          [14, '15:30', 8],
          [15, '09:40', 25],
          [16, '10:15', 6],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.reboot(board, lab.at(day, time), { forMs: minutes * MINUTE, reason: 'reboot' }),
      );
      losses.push(lab.lose(board, lab.at(16, '14:05')));
      background(lab);
      return {
        at: lab.at(16, '14:45'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [board.udid],
          says: /debugging|update|firmware|software|version of Android/i,
        },
      };
    },
  },
  {
    name: 'a vivo phone leaves the network minutes after its screen is off',
    source: 'InputShare/InputShare#11',
    seen: 'With the screen off the connection ends. With the screen on again it cannot be connected until wireless debugging is switched off and on, or paired anew.',
    cause: 'the phone does not keep its Wi-Fi while it sleeps',
    did: 'kept the screen on, as the maintainer said; another switched on "keep the network while asleep" in the battery settings',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      network: 2,
      from: '2024-11-18',
      days: 20,
      models: ['Pixel', 'Mi', 'Mi', 'Mi', 'vivo'],
    },
    tell(lab) {
      const phone = lab.pinned(4);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17, 18])
        for (const time of ['10:10', '13:35', '16:20']) {
          if (day === 18 && time > '11') continue;
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 25) * MINUTE, {
              forMs: lab.random.between(6, 70) * MINUTE,
            }),
          );
        }
      const at = lab.at(18, '14:20');
      losses.push(lab.lose(phone, at));
      background(lab);
      return {
        at: at + 30 * MINUTE,
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /Wi-Fi|sleep|awake|screen|wireless debugging/i,
        },
      };
    },
  },
  {
    name: 'an OPPO phone switches USB debugging off by itself',
    source: 'HmnDev-Tech/shevery#225',
    seen: 'USB debugging is on, and is found off again some time later. Revoking, clearing data and a restart do not help.',
    cause: 'its ColorOS takes USB debugging back by itself',
    did: 'was told that this is known of ColorOS, and that it must be switched on again',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      usb: true,
      from: '2026-08-31',
      days: 18,
      models: ['OPPO PHS110', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '10:25', 48],
        [14, '15:50', 17],
        [15, '09:35', 85],
        [15, '14:10', 22],
        [16, '10:05', 30],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE, ...withoutAdb }));
      losses.push(lab.lose(phone, lab.at(16, '13:15'), withoutAdb));
      background(lab);
      return {
        at: lab.at(16, '14:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], keys: [phone.udid, lab.portKey(phone)], says: /debugging/i },
      };
    },
  },
  {
    name: 'the phone of a build computer is gone until its cable is plugged in again',
    source: 'https://blog.gitcode.com/5423d39c376db338522326d68c66dd3f.html',
    seen: 'Of three computers of a device lab the phones cannot be reached any more; the tests time out.',
    cause: 'a connection over USB that had hung or was loose',
    did: 'unplugged the cables of all these phones and plugged them in again',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, from: '2025-04-07', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(16, '02:35'));
      background(lab);
      return {
        at: lab.at(16, '09:30'),
        losses: [loss],
        blame: ['port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /plug|cable/i,
        },
      };
    },
  },
];
