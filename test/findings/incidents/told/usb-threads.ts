/**
 * Incidents of USB beneath phones, as people asked about them: sockets that let go, cables that carry too little or too much,
 * hubs that a controller has no room for, and what stands between USB of a computer and that of its containers and machines.
 */
import { type Port, whereOf } from '../../room.ts';
import { agentStartsFirst, background, hostDies, inUse } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** What Windows and macOS tell of USB: nothing. */
const UNKNOWN_USB = { slots: false, usbPath: false, hub: false };

const desk: LabOptions = { hubs: [], direct: 1, known: { slots: false } };

/** What helps at the plug. */
const AT_PLUG = /cable|\bplug|\bports?\b|socket|contact|loose|\bhub\b/i;

/** It is gone for some seconds, comes back, and is gone again, until it is left alone. */
function flaps(
  lab: Lab,
  phone: LabPhone,
  [begun, until]: readonly [number, number],
  [least, most]: readonly [number, number] = [4, 30],
): ToldLoss[] {
  const losses: ToldLoss[] = [];
  for (let at = begun; at < until; ) {
    const forMs = Math.round(lab.random.between(1.1, 4) * SECOND);
    losses.push(lab.lose(phone, at, { forMs }));
    at += forMs + Math.round(lab.random.between(least, most) * SECOND);
  }
  return losses;
}

export const usbThreads: readonly Incident[] = [
  {
    name: 'a MacBook with Linux lets go of a phone at its own sockets after a few tries',
    source: 'AsahiLinux/linux#425',
    seen: 'A phone at a socket of the MacBook is found, and let go a moment later; after a few tries it stays away. Each time it is plugged in, the kernel brings up the controller of that socket anew.',
    cause: 'not told; it is reported as a fault of the kernel for these computers',
    did: 'reported it with the lines of the kernel',
    lab: {
      ...desk,
      zone: 'Europe/Berlin',
      usb: true,
      known: { slots: false, usbPath: false },
      from: '2025-10-27',
      days: 23,
      models: ['Pixel 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const other: Port = { chain: '2', controller: 'pci-0000:00:14.0', bus: 1, slot: 'desk 2' };
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '19:12', 14],
        [17, '08:40', 31],
        [17, '20:05', 9],
        [18, '18:31', 22],
        [20, '21:17', 12],
        [21, '08:50', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(...flaps(lab, phone, [at, at + 16 * SECOND], [2, 5]));
        const gone = at + 40 * SECOND;
        // the other socket is tried too
        const to = day === 18 ? { to: other } : {};
        losses.push(lab.lose(phone, gone, minutes ? { forMs: minutes * MINUTE, ...to } : {}));
      }
      background(lab);
      return {
        at: lab.at(21, '09:40'),
        losses,
        blame: ['port', 'link', 'host', 'phone', 'unknown'],
        told: { about: ['port', 'phone', 'host'], says: new RegExp(`${AT_PLUG.source}|kernel|restart`, 'i') },
        alsoAbout: ['port', 'phone', 'host'],
      };
    },
  },
  {
    name: 'a phone cannot be handed to WSL while something of Windows still holds it',
    source: 'dorssel/usbipd-win#186, dorssel/usbipd-win#323',
    seen: 'Windows lists the phone, and to attach it to WSL fails: the request is refused, or the phone is “in error state”. Once it was attached it works, until it is plugged in anew.',
    cause:
      'a program of Windows, such as its own adb, has the phone open, so that Windows does not let go of it',
    did: 'were asked for the log of the server, which says that Windows refuses to release the phone',
    cannotShow: 'what Windows does with a phone is on no USB of the machine',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      usb: true,
      from: '2021-12-20',
      days: 19,
      models: ['Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '10:42', 38],
        [15, '14:20', 61],
        [15, '17:33', 17],
        [16, '09:28', 45],
        [17, '10:05', undefined],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), {
            ...(minutes && { forMs: minutes * MINUTE + lab.random.whole(0, 50) * SECOND }),
          }),
        );
      background(lab);
      return {
        at: lab.at(17, '11:30'),
        losses,
        blame: ['person', 'host', 'adb', 'phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /attach|pass(es|ed)? |virtual|plug|cable|USB debugging|connect/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'the file by which a container is to reach its phone leads nowhere',
    source: 'canonical/lxd#2556',
    seen: 'The phone is given to the container, where its file appears under /dev/bus/usb, and to open it fails: no such device or address. On the computer the same file works.',
    cause: 'not told; as the two files look, the one in the container was made with wrong numbers',
    did: 'compared the two files, and reported it',
    lab: {
      ...desk,
      zone: 'Europe/Amsterdam',
      usb: true,
      from: '2016-10-10',
      days: 17,
      models: ['Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(15, '11:41');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { connectedAt: at });
      background(lab, { hasReadings: false });
      return {
        at: at + 50 * MINUTE,
        told: {
          about: ['phone', 'port', 'host'],
          says: /udev|rules?\b|\broot\b|permission|plugdev|may not open|container|\/dev|(restart|kill)\S* .{0,20}adb|kill-server/i,
        },
      };
    },
  },
  {
    name: 'a board is read by adb over a USB 2 cable, and has no configuration over a USB 3 one',
    source: 'RadxaOS-SDK/rsdk#163',
    seen: 'With a cable for USB 2 the computer finds the board. With one for USB 3 the kernel reads of no configurations, tries once more, switches the power of the port off and on, and gives up.',
    cause: 'the adbd of the board was too old for SuperSpeed',
    did: 'took the USB 2 cable; brought a newer adbd onto the board',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2026-04-06',
      days: 17,
      models: ['Orion O6N', 'Pixel 9', 'Galaxy A56'],
    },
    tell(lab) {
      const board = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '14:22', 96],
        [15, '10:08', 41],
        [15, '13:35', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(board, at, minutes ? { forMs: minutes * MINUTE } : {}));
        const place = lab.where(board, at);
        // the half of the socket for USB 3
        const where = { ...place, devpath: place.devpath?.replace(/^1-/, '2-') ?? '' };
        for (const tries of day === 14 ? [25, 140, 410] : [22, 95])
          lab.kernel(at + tries * SECOND, where, 'enumerate');
      }
      background(lab);
      return {
        at: lab.at(15, '14:20'),
        losses,
        blame: ['person', 'port', 'link', 'phone', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [board.udid, lab.portKey(board)],
          says: new RegExp(`${AT_PLUG.source}|restart|update|answer|kernel`, 'i'),
        },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'phones of a big lab are lost over Wi-Fi regularly, and over USB much more often',
    source: 'openstf/stf#972',
    seen: 'Two computers with extra USB cards and hubs of seven ports have 150 phones. Those that adb reaches by Wi-Fi are lost regularly, and fetched back by way of USB. They are not used over USB because they are lost there far more often.',
    cause: 'not told',
    did: 'asked what other hardware others have',
    lab: {
      zone: 'Europe/Kyiv',
      hubs: [7, 7, 7],
      free: 1,
      network: 12,
      hasTwoControllers: true,
      usb: true,
      controllerId: ['1912', '0014'],
      from: '2018-10-01',
      days: 26,
      models: ['Galaxy S8', 'Galaxy S7', 'Nexus 5X', 'LG G5', 'Moto G5'],
    },
    tell(lab) {
      const { random } = lab;
      const losses: ToldLoss[] = [];
      const lose = (phone: LabPhone, day: number, away: { forMs: number; as?: string }) => {
        const at = lab.at(day) + Math.round(random.between(7, 22) * HOUR);
        if (!lab.isFree(phone, at, at + away.forMs + MINUTE) || at > lab.at(24, '15:00')) return;
        losses.push(lab.lose(phone, at, away));
      };
      for (let day = 9; day <= 24; day += 1) {
        for (let left = random.whole(4, 8); left > 0; left -= 1) {
          const forMs = random.chance(0.5) ? random.between(2, 25) * SECOND : random.between(8, 190) * MINUTE;
          lose(random.pick(lab.usbPhones), day, { forMs: Math.round(forMs) });
        }
        for (let left = random.whole(1, 3); left > 0; left -= 1) {
          const forMs = Math.round(random.between(4, 45) * MINUTE);
          lose(random.pick(lab.networkPhones), day, { forMs, as: 'offline' });
        }
      }
      background(lab);
      return {
        at: lab.at(24, '16:00'),
        losses,
        blame: ['hub', 'port', 'link', 'host', 'network', 'phone', 'adb', 'person', 'unknown'],
        told: {
          about: ['hub', 'port', 'host', 'network', 'phone'],
          says: new RegExp(
            `${AT_PLUG.source}|controller|power|Wi-?Fi|network|access point|adb connect|too many|fewer`,
            'i',
          ),
        },
        alsoAbout: ['hub', 'port', 'host', 'network', 'phone'],
      };
    },
  },
  {
    name: 'all phones of a Mac mini leave one after another, minutes after the farm is started',
    source: 'openstf/stf#327',
    seen: 'For a month up to fifteen phones went well. Then, without a change that they know of, all of them leave one after another, a few minutes after the program of the farm is started. What it writes are warnings only, and to install it anew does not help.',
    cause: 'not found; the warnings that they took for it have nothing to do with it',
    did: 'updated and installed all programs anew, to no avail',
    lab: {
      zone: 'Asia/Jerusalem',
      hubs: [7, 7],
      direct: 1,
      known: UNKNOWN_USB,
      from: '2016-04-18',
      days: 33,
      models: ['Galaxy Note 3', 'Galaxy S5', 'Galaxy S3', 'Nexus 5'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [17, '11:06', 34],
        [17, '15:48', 21],
        [21, '10:12', 50],
        [22, '13:30', 26],
        [24, '10:41', 72],
        [28, '11:20', 19],
        [29, '09:58', 44],
        [30, '14:07', 30],
        [31, '10:25', undefined],
      ] as const)
        losses.push(
          ...lab.loseAll(lab.random.shuffled(phones), lab.at(day, time), {
            spreadMs: 4 * MINUTE,
            backSpreadMs: 5 * MINUTE,
            ...(minutes && { forMs: minutes * MINUTE }),
          }),
        );
      background(lab, { weekdays: new Set([0, 1, 2, 3, 4]) });
      return {
        at: lab.at(31, '11:15'),
        losses,
        blame: ['host', 'hub', 'port', 'link', 'adb', 'unknown'],
        told: {
          about: ['host', 'hub', 'port'],
          says: /controller|\bhub|power|cable|fewer|too many|another (port|computer|host)|restart|\badb\b|USB/i,
        },
        alsoAbout: ['host', 'hub', 'port', 'phone'],
      };
    },
  },
  {
    name: 'a phone leaves USB while its folder of photos is pulled, and Windows sounds that it left and came',
    source: 'Alex4SSB/ADB-Explorer#196',
    seen: 'Small folders can be pulled. Of the one with 49 GB some hundred files come over, then the phone is disconnected and connected again, and the program ends. It is so each time; somebody else has the phone offline instead.',
    cause: 'not found; when nothing else is asked of the phone at that time, it goes on for much longer',
    did: 'opened the folder, and pulled all its files instead of the folder itself',
    lab: {
      ...desk,
      zone: 'America/New_York',
      known: UNKNOWN_USB,
      from: '2024-04-01',
      days: 21,
      models: ['Galaxy S22 Ultra'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [15, '20:14'],
        [15, '20:31'],
        [15, '20:50'],
        [16, '21:05'],
        [18, '19:22'],
        [18, '19:41'],
        [18, '20:03'],
        [19, '10:12'],
        [19, '10:48'],
        [19, '12:05'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: Math.round(lab.random.between(1.5, 6) * SECOND) }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '12:30'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: AT_PLUG,
        },
      };
    },
  },
  {
    name: 'no cable brings a phone back onto the USB of a laptop, so that it is reached over the air',
    source: 'BenGWeeks/lightning-piggy-mobile#242',
    seen: 'An app is to be put onto the phone. With none of the cables, at none of the ports, does `lsusb` show anything at all.',
    cause:
      'not found: cables that only charge, lint in the socket of the phone, or a dead port were thought of',
    did: 'paired the phone for debugging over Wi-Fi, and wrote down how',
    cannotShow: 'what no cable connects leaves no trace: it looks as if nobody had plugged the phone in',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 1,
      network: 1,
      usb: true,
      known: { slots: false },
      from: '2026-04-06',
      days: 23,
      models: ['Pixel 8'],
    },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: '3A021F' });
      // its owner takes it home
      for (const day of lab.workdays(0, 18)) {
        const left = lab.at(day, '17:50') + lab.random.whole(0, 45) * MINUTE;
        const next =
          lab.at(day + (lab.weekday(day) === 5 ? 3 : 1), '09:05') + lab.random.whole(0, 40) * MINUTE;
        lab.lose(cabled, left, { forMs: next - left });
      }
      const lost = lab.lose(cabled, lab.at(18, '18:12'));
      const paired = lab.at(21, '11:55');
      overAir.isThereAtFirst = false;
      overAir.busy.push({ from: lab.start, to: paired });
      lab.phone(overAir, paired, { kind: 'attached', state: 'device' });
      const reading = inUse(lab);
      overAir.reading = (now) => (now < paired ? undefined : reading(now));
      background(lab);
      return {
        at: lab.at(21, '13:00'),
        losses: [lost],
        blame: ['person', 'port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: new RegExp(`${AT_PLUG.source}|charg|Wi-?Fi|network|connect`, 'i'),
        },
        alsoAbout: ['phone', 'port', 'network'],
      };
    },
  },
  {
    name: 'a NUC with macOS is stuck when a phone is plugged in after some time without one',
    source: 'osy/HaC-Mini#244',
    seen: 'When no phone was plugged in for a while, and one is plugged in then, be it at a USB-A port or at Thunderbolt, the computer is stuck. It is not so each time.',
    cause: 'not found; macOS is not made for that computer',
    did: 'asked what it may be',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      known: UNKNOWN_USB,
      from: '2020-04-06',
      days: 23,
      models: ['Mate 30'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      for (const [day, time, minutes] of [
        [2, '11:30', 25],
        [7, '15:10', 12],
        [11, '12:05', 48],
        [15, '10:20', 9],
        [17, '16:40', 20],
      ] as const)
        lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE });
      const losses: ToldLoss[] = [];
      for (const [day, left, plugged, minutes] of [
        [14, '18:05', '20:41', 4],
        [16, '09:30', '14:12', 7],
        [18, '11:50', '17:25', 3.5],
        [19, '13:10', '19:02', 11],
        [21, '08:55', '11:20', 5],
      ] as const) {
        const [from, stuck] = [lab.at(day, left), lab.at(day, plugged)];
        const started = hostDies(lab, stuck, minutes * MINUTE);
        losses.push(lab.lose(phone, from, { forMs: started + 700 - from }));
      }
      background(lab, { isUpdated: false, isDaily: true });
      return {
        at: lab.at(21, '12:10'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'unknown'],
        told: {
          about: ['host', 'room'],
          says: /crash|freez|froze|hang|hung|stuck|power|kernel|panic|memory|\blogs?\b|driver/i,
        },
        alsoAbout: ['host', 'room', 'phone', 'port'],
      };
    },
  },
  {
    name: 'a phone at a USB 3 port is gone as soon as its screen is mirrored, and stays at a USB 2 port',
    source: 'Genymobile/scrcpy#5795',
    seen: 'At a USB 3 port the window of the mirror closes right after it opens. The same phone at a USB 2 port of the same computer is well.',
    cause: 'not told; it was thought that adb does not find the phone at that port',
    did: 'went back to the USB 2 port',
    lab: {
      ...desk,
      zone: 'America/Sao_Paulo',
      known: UNKNOWN_USB,
      from: '2025-01-06',
      days: 21,
      models: ['Moto G84'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, moved, tries, back] of [
        [14, '19:30', ['19:33', '19:36', '19:44'], '19:52'],
        [16, '20:02', ['20:05', '20:09'], '20:20'],
        [18, '18:41', ['18:44', '18:47', '18:58', '19:10'], '19:21'],
        [19, '10:15', ['10:17', '10:24', '10:31', '10:46'], undefined],
      ] as const) {
        // to the other port, and back to the first
        lab.lose(phone, lab.at(day, moved), { forMs: lab.random.whole(8, 25) * SECOND });
        for (const time of tries) {
          const at = lab.at(day, time) + lab.random.whole(0, 20) * SECOND;
          losses.push(...flaps(lab, phone, [at, at + 12 * SECOND], [3, 7]));
        }
        if (back) lab.lose(phone, lab.at(day, back), { forMs: lab.random.whole(8, 25) * SECOND });
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '11:05'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: AT_PLUG,
        },
      };
    },
  },
  {
    name: 'two hubs of eight ports work at a computer, and the phones at the third get no room',
    source: 'https://acroname.com/blog/why-cant-i-connect-more-usb-30-devices-my-system',
    seen: 'Customers with several hubs can use two of them; with a third one the computer runs out of USB resources, although USB has room for many more devices.',
    cause: 'the controller of the chipset has 96 endpoints, and the chips in the hubs take of them too',
    did: 'were told that it is the controller and not the hub, and how to count',
    lab: {
      zone: 'America/Denver',
      hubs: [8, 8, 8],
      free: 8,
      usb: true,
      controllerId: ['8086', 'a36d'],
      from: '2019-05-06',
      days: 19,
      models: ['Pixel 2', 'Galaxy S9', 'Pixel 3'],
    },
    tell(lab) {
      for (const [index, port] of lab.freePorts(lab.start).entries()) {
        const phone = lab.add('usb', { port, isThereAtFirst: false });
        phone.isPinned = true;
        const at = lab.at(16, '15:10') + index * 40 * SECOND;
        phone.busy.push({ from: lab.start, to: index < 2 ? at : lab.end });
        lab.usb(phone, lab.start, null);
        if (index < 2) {
          lab.usb(phone, at, undefined);
          lab.phone(phone, at, { kind: 'attached', state: 'device' });
          const reading = inUse(lab);
          phone.reading = (now) => (now < at ? undefined : reading(now));
          continue;
        }
        phone.reading = () => undefined;
        lab.kernel(at, whereOf(port, lab.known), 'resources');
        lab.kernel(at + 250, whereOf(port, lab.known), 'config');
        lab.usb(phone, at, { interfaces: [], connectedAt: at });
      }
      background(lab);
      return {
        at: lab.at(16, '16:40'),
        told: {
          about: ['host', 'hub', 'port', 'phone'],
          says: /controller|endpoint|chipset|too many|fewer|limit|no room|resources|\bcard\b/i,
        },
        alsoAbout: ['hub', 'port', 'phone', 'host'],
      };
    },
  },
  {
    name: 'since a phone hangs on a new cable it is lost whenever an app is put onto it',
    source: 'flutter/flutter#56656',
    seen: 'With the new cable the phone is listed. When the app is built and sent to it, the connection is lost, or adb calls the phone offline.',
    cause:
      'not settled: the others took it for the cable, and its owner did not, as the phone is shown with it',
    did: 'was told that the cable may be faulty, and asked to have it looked into once more',
    lab: {
      ...desk,
      zone: 'Asia/Kolkata',
      from: '2020-04-20',
      days: 20,
      models: ['Redmi Note 7'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      // the cable is replaced
      lab.lose(phone, lab.at(14, '12:04'), { forMs: 70 * SECOND });
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes, as] of [
        [14, '12:31', 0.1],
        [14, '12:40', 3],
        [14, '15:22', 6, 'offline'],
        [15, '10:48', 0.2],
        [15, '11:15', 2, 'offline'],
        [15, '16:37', 0.1],
        [17, '10:20', 4],
        [17, '10:51', 0.1],
        [17, '17:05', 5, 'offline'],
        [18, '10:12', 0.2],
        [18, '10:30', 9, 'offline'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 40) * SECOND;
        losses.push(lab.lose(phone, at, { forMs: Math.round(minutes * MINUTE), ...(as && { as }) }));
      }
      background(lab);
      return {
        at: lab.at(18, '11:00'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: AT_PLUG,
        },
      };
    },
  },
];
