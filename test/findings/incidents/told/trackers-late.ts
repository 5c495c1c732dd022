/**
 * Incidents from the trackers of distributions, of containers and of what lies beneath them: what was updated, restarted or
 * put in between on the host took its phones away, and nothing had happened to the phones.
 */
import { adbRestarts, agentStartsFirst, background, hostRestarts } from '../background.ts';
import { DAY, HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const RNDIS = { kind: 'e0/01/03', endpoints: 1 };

/** Phones at ports of the computer itself, whose slots nobody has named. */
const desk: LabOptions = { hubs: [], direct: 1, known: { slots: false } };

/** It was off, or the machine in which its agent runs was. */
function hostIsOff(lab: Lab, from: number, until: number): void {
  lab.host(from, { kind: 'agentStopped' });
  lab.host(until + 25 * SECOND, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: until,
    lastAliveAt: from,
  });
}

export const trackersLate: readonly Incident[] = [
  {
    name: 'since the computer was restarted, what answers at the port of adb speaks SSH',
    source: 'NixOS/nixpkgs#253093',
    seen: 'adb was switched on in the configuration, and the computer restarted. Since then each command ends with “failed to check server version: protocol fault (status 53 53 48 2d)”.',
    cause: 'something that begins with “SSH-” listens where adb expects its server',
    did: 'built adb anew from the newest sources, which changed nothing; was told to start its server in another way and to trace it',
    lab: {
      ...desk,
      zone: 'Europe/Bratislava',
      direct: 2,
      from: '2023-08-21',
      days: 16,
      models: ['Pixel 4a'],
    },
    tell(lab) {
      for (const phone of lab.phones) phone.isPinned = true;
      const at = lab.at(13, '16:20');
      hostRestarts(lab, at);
      lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'foreign' });
      background(lab, { isDaily: true, isUpdated: false });
      return {
        at: lab.at(13, '17:05'),
        told: {
          about: ['host'],
          says: /5037|(another|other) (program|service)|something else|process|not adb|no adb|(has|holds|takes|uses|listens) (at |on )?(the|its|this|that) port/i,
        },
      };
    },
  },
  {
    name: 'in the network mode of a mirror adb hangs after each start of the computer, until its Linux is shut down once',
    source: 'microsoft/WSL#11397',
    seen: 'The computer is switched on and its Linux is opened: `adb devices` blocks. The adb of Windows answers. Once the Linux was shut down and opened again, its adb answers too.',
    cause:
      'not found: something about the mirrored network between that Linux and its Windows, which is gone after it was shut down once',
    did: 'shut that Linux down and opened it again, each time',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      direct: 2,
      from: '2024-03-11',
      days: 20,
      models: ['Mi 11', 'Redmi K40'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      for (const phone of lab.phones) phone.isPinned = true;
      const asked = lab.at(18, '09:25');
      for (const day of lab.workdays(1, 19)) {
        const on = lab.at(day, '08:55') + lab.random.whole(0, 14) * MINUTE;
        const before = lab.isWorkday(day - 1) ? day - 1 : day - 3;
        hostIsOff(lab, before < 0 ? lab.start + HOUR : lab.at(before, '18:40'), on);
        // before that day the network was in its usual mode
        if (day < 14) continue;
        lab.host(on + 27 * SECOND, { kind: 'adbLost', failureKind: 'silent' });
        if (day === 18) continue;
        const again = on + lab.random.whole(6, 25) * MINUTE;
        hostIsOff(lab, again, again + 20 * SECOND);
        lab.host(again + 46 * SECOND, { kind: 'adbBack' });
      }
      background(lab, { isUpdated: false });
      return {
        at: asked,
        told: {
          about: ['host'],
          says: /restart|shut ?down|start .{0,25}(again|anew)|\bkill|end (all|every)|firewall|network/i,
        },
      };
    },
  },
  {
    name: 'adb in a container dies as soon as a second phone is plugged into the host',
    source: 'appium/appium-docker-android#172',
    seen: 'A container was given one phone, by the number that it has on USB, and lists it. The moment a second phone is plugged in, adb in this container does not run any more: its server “didn’t ACK” when it is started.',
    cause:
      'not told; as far as one sees, the server ends when it finds a phone on USB that was not given to its container',
    did: 'found that two containers with a phone each cannot be run at one host, and asked',
    lab: { ...desk, zone: 'Europe/London', from: '2025-02-03', days: 19, models: ['Galaxy A14'] },
    tell(lab) {
      lab.pinned(0);
      const dies = (at: number) => {
        lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
        lab.host(at + 9 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
      };
      const made = lab.at(16, '09:42');
      dies(made - 11 * MINUTE);
      // a container is made anew, and the host runs on
      lab.host(made - MINUTE, { kind: 'agentStopped' });
      lab.host(made + 25 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: lab.start - 20 * DAY,
        lastAliveAt: made - MINUTE,
      });
      lab.host(made + 26 * SECOND, { kind: 'adbBack' });
      lab.host(made + 26.2 * SECOND, { kind: 'adbReplaced', version: 41 });
      dies(lab.at(16, '10:00:08'));
      background(lab, { isUpdated: false, hasReadings: false });
      return {
        at: lab.at(16, '10:35'),
        told: {
          about: ['host'],
          says: /start-server|adb .{0,60}(start|run|die|end|crash|stop|install)|(start|run)\w* .{0,30}adb|container/i,
        },
      };
    },
  },
  {
    name: 'an upgrade of the system brings an adb that ends at once, as it finds no key',
    source: 'SolidEva/PrawnOS#143',
    seen: 'Since the laptop has the next Debian, adb quits: its key is not found.',
    cause: 'the adb of this release does not make its key where there is none',
    did: 'installed the adb of the release before, which made the key; with it the new one works too',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2020-01-02', days: 18, models: ['Moto G6'] },
    tell(lab) {
      lab.pinned(0);
      const at = lab.at(14, '20:50');
      lab.host(at - 6 * MINUTE, { kind: 'adbLost', failureKind: 'closed' });
      hostRestarts(lab, at);
      lab.host(at + 83 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
      background(lab, { isDaily: true, isUpdated: false, hasReadings: false });
      return {
        at: lab.at(14, '22:05'),
        told: {
          about: ['host'],
          says: /start-server|adb .{0,60}(start|run|quit|end|die|install|missing)|(start|run)\w* .{0,30}adb|\bkeys?\b|version|older/i,
        },
      };
    },
  },
  {
    name: 'adb crashes in the library of its keys when it is started, and its phone is unauthorized without a prompt',
    source: 'Carbon-Fusion/build_fwul#56',
    seen: 'Started the first time, the server of adb ends with a fault in libcrypto. Started again it runs, and lists the phone as unauthorized; the phone asks nothing.',
    cause: 'adb of this system and its library for keys do not fit each other',
    did: 'collected the versions of both and where it crashes, and took it as an error of the system',
    lab: {
      ...desk,
      zone: 'Europe/Berlin',
      direct: 2,
      usb: true,
      from: '2017-09-04',
      days: 17,
      models: ['LG G4', 'Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const updated = lab.at(14, '14:41');
      hostRestarts(lab, updated);
      const crashed = lab.at(14, '14:45:45');
      lab.host(crashed - 3 * SECOND, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(crashed + 40 * SECOND, { kind: 'adbBack' });
      lab.host(crashed + 40.2 * SECOND, { kind: 'adbReplaced', version: 39 });
      const losses = [lab.lose(phone, crashed + 42 * SECOND, { as: 'unauthorized' })];
      // plugged in anew, three times, and it has no prompt then either
      for (const time of ['14:51', '14:59:20', '15:13'])
        lab.lose(phone, lab.at(14, time), {
          forMs: lab.random.between(6, 15) * SECOND,
          backAs: 'unauthorized',
        });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '15:30'),
        losses,
        blame: ['adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /\bkeys?\b|version|crash|kill-server|restart.{0,20}adb|adb .{0,30}(restart|install|updat)|revoke/i,
        },
      };
    },
  },
  {
    name: 'a television that was set up under the new version asks anew whenever the host starts, an older one does not',
    source: 'home-assistant/core#38470',
    seen: 'A television that is added under version 0.113 does not remember the connection.',
    cause: 'the new version does not keep the key with which it was let in',
    did: 'mended that in the program',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 1,
      from: '2020-07-20',
      days: 17,
      models: ['Shield'],
    },
    tell(lab) {
      lab.pinned(0);
      const television = lab.add('tcp', { name: 'Television 2', isThereAtFirst: false });
      television.isPinned = true;
      const added = lab.at(6, '15:20');
      hostRestarts(lab, added - 35 * MINUTE);
      television.busy.push({ from: lab.start, to: added + 2 * MINUTE });
      lab.phone(television, added, { kind: 'attached', state: 'unauthorized' });
      lab.phone(television, added + 40 * SECOND, {
        kind: 'state',
        state: 'device',
        before: 'unauthorized',
      });
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [8, '20:11', 23],
        [10, '19:40', 6],
        [11, '07:15', 11 * 60],
        [13, '18:02', undefined],
      ] as const) {
        const at = lab.at(day, time);
        hostRestarts(lab, at);
        const forMs = minutes && minutes * MINUTE;
        losses.push(lab.lose(television, at + 84 * SECOND, { as: 'unauthorized', ...(forMs && { forMs }) }));
      }
      background(lab, { isDaily: true, hasReadings: false });
      return {
        at: lab.at(13, '18:50'),
        losses,
        blame: ['adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'host', 'network'],
          keys: [television.udid],
          says: /always allow|remember|\bkeys?\b|allow|accept|prompt/i,
        },
      };
    },
  },
  {
    name: 'when an update takes one session manager for another, all phones have no permissions',
    source: 'manjaro/packages-openrc#49, elogind/elogind#4',
    seen: 'Since an update of the distribution neither files nor adb nor fastboot of the phones can be reached. On the same system with another session manager nothing had to be done for that.',
    cause:
      'the new session manager does not give the user the rights to what is plugged in, as the old one did',
    did: 'wrote a group into the udev rules for phones, and put the user into it',
    lab: {
      ...desk,
      zone: 'Europe/London',
      direct: 2,
      usb: true,
      from: '2017-04-03',
      days: 17,
      models: ['Moto G4', 'Nexus 7'],
    },
    tell(lab) {
      const at = lab.at(14, '10:12');
      hostRestarts(lab, at);
      for (const phone of lab.phones) {
        phone.isPinned = true;
        phone.busy.push({ from: at - 10 * MINUTE, to: lab.end });
        lab.phone(phone, at + 90 * SECOND, {
          kind: 'state',
          state: 'no permissions',
          before: 'device',
        });
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(14, '11:05'),
        told: {
          about: ['phone', 'host', 'port', 'hub'],
          says: /udev|permission|\brights\b|group|\brules?\b/i,
        },
      };
    },
  },
  {
    name: 'a phone is seen by way of an adapter, and never at the type-C port of the computer',
    source: 'NixOS/nixpkgs#23186',
    seen: 'At a port of type C the phone only charges, and does not offer to show its files. By way of an adapter, at a port of type A, it works at once.',
    cause: 'not found: something about that port, or the cable for it',
    did: 'went on with the adapter',
    lab: {
      ...desk,
      zone: 'America/Denver',
      direct: 1,
      usb: true,
      from: '2017-02-13',
      days: 15,
      models: ['Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '19:22', 31],
        [12, '17:20', 52],
        [12, '18:40', undefined],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), minutes ? { forMs: minutes * MINUTE } : {}));
      background(lab, { isDaily: true });
      return {
        at: lab.at(12, '19:15'),
        losses,
        blame: ['port', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /another port|other port|cable|plug|socket|adapter/i,
        },
      };
    },
  },
  {
    name: 'phones at a small board go offline all the time, as its kernel finds no large piece of memory for adb',
    source: 'qhuyduong/arm_adb#15',
    seen: 'The phones run offline constantly. The kernel writes “adb: page allocation failure: order:8” when adb hands a request to USB.',
    cause:
      'adb asks for a megabyte in one piece for each request, and the memory of the board is in small pieces',
    did: 'collected the log of the kernel, and reported it to who built that adb',
    cannotShow:
      'what the kernel of the host writes of its memory is not recorded, nor how much of it is free, nor in which pieces',
    lab: {
      zone: 'Asia/Seoul',
      hubs: [4],
      from: '2019-01-21',
      days: 25,
      models: ['Galaxy S7', 'Galaxy S8', 'Galaxy A5', 'LG G5'],
    },
    tell(lab) {
      for (const phone of lab.phones) phone.isPinned = true;
      const asked = lab.at(23, '10:10');
      const losses: ToldLoss[] = [];
      for (let day = 18; day <= 23; day += 1)
        for (const hour of [4, 10, 14, 17, 22]) {
          const from = lab.at(day) + (hour - 0.9 + lab.random.between(0, 0.8)) * HOUR;
          const restart = Math.round(from + lab.random.between(35, 100) * MINUTE);
          if (from > asked - 20 * MINUTE) break;
          const isLast = restart > asked;
          if (!isLast) adbRestarts(lab, restart, 40);
          for (const phone of lab.random.shuffled(lab.phones).slice(0, lab.random.whole(1, 3))) {
            const at = from + lab.random.between(0, 15) * MINUTE;
            const forMs = restart + 4 * SECOND - at;
            losses.push(lab.lose(phone, at, { as: 'offline', ...(!isLast && { forMs }) }));
          }
        }
      background(lab);
      return {
        at: asked,
        losses,
        blame: ['host', 'adb', 'unknown'],
        told: {
          about: ['host', 'hub', 'phone'],
          says: /memory|kernel|restart.{0,30}(host|adb)|(host|adb).{0,40}restart|kill-server|load/i,
        },
      };
    },
  },
  {
    name: 'since an update of the library for USB the desktop resets a phone twice whenever its files are to be shown',
    source: 'libusb/libusb#1075, phatina/simple-mtpfs#84',
    seen: 'With version 1.0.25 of the library the phone is found, and seconds later what shows its files fails to open a session and resets it, and once more. The kernel notes both resets.',
    cause: 'the new version of the library, as the program that shows files uses it',
    did: 'reported from which version on it is so; where another program had the same, somebody was told to take the phone out of the file manager first',
    cannotShow: 'which programs of the host open a phone, and in which version, is not recorded',
    lab: {
      ...desk,
      zone: 'Europe/Berlin',
      direct: 2,
      usb: true,
      from: '2022-02-02',
      days: 19,
      models: ['Moto G5', 'Pixel 3a'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '09:12:30'],
        [13, '17:40:11'],
        [14, '10:05:42'],
        [14, '15:31:09'],
        [15, '09:20:17'],
        [15, '14:39:59'],
      ] as const) {
        // it is told to show its files
        const at = lab.at(day, time);
        lab.lose(phone, at, { forMs: 0.9 * SECOND });
        const where = lab.where(phone, at);
        lab.kernel(at + 3 * SECOND, where, 'reset');
        lab.kernel(at + 4 * SECOND, where, 'reset');
        losses.push(lab.lose(phone, at + 3.1 * SECOND, { forMs: lab.random.between(1.4, 2.6) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(15, '15:05'),
        losses,
        blame: ['host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(another|other) program|program .{0,40}(open|use|hold|reset)|file (transfer|manager)|\bMTP\b|version|updat/i,
        },
      };
    },
  },
  {
    name: 'an emulator that was started anew with more room for its data does not come, as the disk is full',
    source:
      'google/android-emulator-container-scripts#215, ReactiveCircus/android-emulator-runner#390, expo/expo#41221',
    seen: 'Started in its container with a larger partition, the emulator ends at once: not enough space for it, 4 GB are free and 10 are needed. Elsewhere it does not come on some days, and adb cannot connect to it.',
    cause: 'the disk of the host is filled by what containers and other tools have left there',
    did: 'cleaned up what Docker had left; others removed large packages first, or asked for a smaller partition',
    cannotShow: 'how full the disk of the host is is not recorded, nor what an emulator says when it ends',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      emulators: 2,
      from: '2020-10-19',
      days: 20,
    },
    tell(lab) {
      const emulator = lab.pinned(0);
      lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(2, 17))
        lab.lose(emulator, lab.at(day, '09:30') + lab.random.between(0, 40) * MINUTE, {
          forMs: lab.random.between(50, 80) * SECOND,
        });
      losses.push(lab.lose(emulator, lab.at(17, '09:41')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '10:30'),
        losses,
        blame: ['phone', 'person', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /space|\bdisk\b|\bstart|\blogs?\b/i,
        },
      };
    },
  },
  {
    name: 'a stick with Debian is no device of adb after its packages were upgraded, and later a network card only',
    source: 'OpenStick/OpenStick#65',
    seen: 'Fresh from the flash a computer reaches the stick with `adb shell`. Its Debian was upgraded and some programs installed, by ssh; then adb finds nothing, and USB shows nothing. With another package the stick shows a network card, and still no adb.',
    cause: 'not found: the packages decide as what the stick offers itself on USB',
    did: 'installed a package that makes it a network card, and asked how to get adb back',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      direct: 2,
      usb: true,
      from: '2024-04-12',
      days: 18,
      models: ['SP970', 'Redmi 9'],
    },
    tell(lab) {
      const stick = lab.pinned(0);
      stick.reading = () => undefined;
      const loss = lab.lose(stick, lab.at(15, '19:20'));
      const card = lab.at(15, '21:48');
      lab.usb(stick, card, { interfaces: [RNDIS], connectedAt: card });
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '22:30'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [stick.udid, lab.portKey(stick)],
          says: /USB (mode|setting|config\w*|function)|default USB|tether|debugging|without adb|gadget/i,
        },
      };
    },
  },
];
