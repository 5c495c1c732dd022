/** Incidents of what happens at the host: it freezes, crashes or is switched off, or keeps adb from its phones. */
import { ADB, FASTBOOT } from '../../usb-tree.ts';
import {
  adbRestarts,
  agentStartsFirst,
  background,
  hostDies,
  hostRestarts,
  inUse,
  levels,
  notReadIn,
} from '../background.ts';
import { HOUR, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A computer that does not say at which USB port a phone is, as Windows and macOS. */
const desktop: LabOptions = {
  hubs: [],
  direct: 1,
  known: { slots: false, usbPath: false, hub: false },
};

/** What it is to a computer that goes online by it. */
const TETHERING = [
  { kind: 'e0/01/03', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];

export const incidents: readonly Incident[] = [
  {
    name: 'a tablet is gone from a Mac after a quarter of an hour, and the Mac crashes when it is unplugged then',
    source: 'flutter/flutter#7332',
    seen: 'Ten to twenty minutes after the Pixel C was plugged in it is removed from the list of devices, and cannot be used. When its cable is pulled then, the whole MacBook goes dark.',
    cause: 'not found; the USB of the Mac has a part in it, as the Mac crashes',
    did: 'restarted the Mac and plugged the tablet in again; reported it',
    cannotShow: 'neither the crash of a Mac nor the state of its USB is recorded',
    lab: { ...desktop, zone: 'America/Los_Angeles', from: '2016-12-19', days: 17, models: ['Pixel C'] },
    tell(lab) {
      agentStartsFirst(lab);
      const tablet = lab.pinned(0);
      tablet.isThereAtFirst = false;
      lab.phone(tablet, lab.at(15, '14:08'), { kind: 'attached', state: 'device' });
      const losses: ToldLoss[] = [];
      for (const [day, time, unplugged, again] of [
        [15, '14:22', '14:30', [15, '15:46']],
        [15, '16:03', '16:09', [16, '09:58']],
        [16, '10:12', '10:20', [16, '11:01']],
      ] as const) {
        const at = lab.at(day, time);
        hostDies(lab, lab.at(day, unplugged), lab.random.between(2.5, 4) * MINUTE);
        losses.push(lab.lose(tablet, at, { forMs: lab.at(again[0], again[1]) - at }));
      }
      losses.push(lab.lose(tablet, lab.at(16, '11:20')));
      background(lab, { hasReadings: false, isUpdated: false });
      return {
        at: lab.at(16, '11:50'),
        losses,
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /cable|plug|socket|another (port|computer|host)|restart|reboot|crash|power/i,
        },
        alsoAbout: ['phone', 'port', 'host', 'room'],
      };
    },
  },
  {
    name: 'a small computer freezes as soon as the screen of a tablet is mirrored on it',
    source: 'Joshua-Riek/ubuntu-rockchip#314, Genymobile/scrcpy#6577',
    seen: 'The mirror writes how big the picture is, then the board stands still, and its lamp no longer blinks: by cable and over the air, at once or within a quarter of an hour.',
    cause: 'most likely the driver of its graphics',
    did: 'took the mirror of another packager, which does not find that driver, and works',
    cannotShow: 'the records show that the host ends each time, not which of its drivers does it',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Android pad'],
      from: '2023-07-31',
      days: 18,
    },
    tell(lab) {
      agentStartsFirst(lab);
      const down: [number, number][] = [];
      for (const [day, time, minutes] of [
        [16, '20:12', 6],
        [16, '20:31', 3],
        [16, '20:58', 9],
        [17, '19:40', 4],
        [17, '20:05', 5],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(5, 50) * SECOND;
        down.push([at, hostDies(lab, at, minutes * MINUTE)]);
      }
      notReadIn(lab, lab.pinned(0), down);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '20:40'),
        told: {
          about: ['host', 'room'],
          says: /crash|hang|hung|fr[eo]+z|power|kernel|driver|memory|journal|\blogs?\b/i,
        },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'a computer crashes and starts anew, minutes after a mirror was first opened on it',
    source: 'Genymobile/scrcpy#6778',
    seen: 'Within minutes of the first start of the program the computer goes off hard and starts again, also when the program has ended by then. With no phone plugged in it takes less than a minute.',
    cause: 'not found',
    did: 'looked through the logs of the system, found nothing, and reported it',
    cannotShow: 'nobody found out why the computer crashes',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Galaxy A17'],
      from: '2026-03-30',
      days: 20,
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const down: [number, number][] = [];
      for (const [day, time] of [
        [18, '19:21'],
        [18, '19:44'],
        [18, '20:17'],
        [19, '10:52'],
        [19, '11:20'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(0, 55) * SECOND;
        down.push([at, hostDies(lab, at, lab.random.between(75, 110) * SECOND)]);
      }
      notReadIn(lab, phone, down);
      // for the last one it had been unplugged
      lab.lose(phone, lab.at(19, '11:08'), { forMs: 27 * MINUTE });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(19, '12:00'),
        told: {
          about: ['host', 'room'],
          says: /crash|power|kernel|memory|journal|\blogs?\b|hardware|heat|hot/i,
        },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'a router hangs and restarts seconds after a phone at its USB began to tether',
    source: 'openwrt/openwrt#12539',
    seen: 'The phone is told to share its internet by USB. A few seconds after the router first uses it, the router answers nobody for a quarter of a minute, then restarts. An old Xperia does the same as the OnePlus.',
    cause: 'the driver of the router for tethering',
    did: 'tried another phone, and reported the driver',
    cannotShow: 'the records show that the host ends each time, not which of its drivers does it',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['OnePlus One', 'Xperia'],
      from: '2023-04-17',
      days: 20,
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = [lab.pinned(0), lab.pinned(1)] as const;
      const down: [number, number][] = [];
      for (const [which, day, time] of [
        [0, 17, '20:14'],
        [0, 17, '20:31'],
        [0, 18, '19:05'],
        [1, 18, '19:40'],
        [0, 18, '20:22'],
      ] as const) {
        const begun = lab.at(day, time);
        const tethers = { interfaces: [...TETHERING, ADB], connectedAt: begun };
        lab.lose(phones[which], begun, { forMs: 2.5 * SECOND, onUsb: tethers });
        const at = begun + lab.random.between(18, 70) * SECOND;
        const startedAt = hostDies(lab, at, lab.random.between(85, 120) * SECOND);
        // until the router no longer feeds it
        lab.usb(phones[which], begun + 2.6 * SECOND, tethers);
        lab.usb(phones[which], startedAt, undefined);
        down.push([at, startedAt]);
      }
      for (const phone of phones) notReadIn(lab, phone, down);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(18, '21:00'),
        told: {
          about: ['host', 'room'],
          says: /crash|hang|hung|power|kernel|driver|memory|journal|\blogs?\b/i,
        },
        alsoAbout: ['phone', 'port', 'host', 'room'],
      };
    },
  },
  {
    name: 'a phone at a router comes anew every few seconds or minutes, with tethering and without',
    source: 'openwrt/packages#25771',
    seen: 'After hours of tethering the phone is away from USB for half a second, again and again: thirteen seconds apart, then a few minutes. So it is with a router that has no driver for tethering at all. Once it is that bad, only a restart of the phone brings it back.',
    cause: 'not found; the driver of the phone is suspected',
    did: 'restarted the phone; tried three versions of the router’s system',
    lab: {
      zone: 'Europe/Sofia',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Android phone'],
      from: '2025-01-01',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const flickers = (at: number) =>
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.9, 2.4) * SECOND }));
      for (let at = lab.at(16, '19:40'); at < lab.at(16, '21:10'); at += lab.random.between(0.3, 11) * MINUTE)
        flickers(at);
      lab.reboot(phone, lab.at(16, '21:25'), { forMs: 38 * SECOND, reason: 'reboot,userrequested' });
      lab.reboot(phone, lab.at(17, '05:38'), { forMs: 38 * SECOND, reason: 'reboot,userrequested' });
      for (const time of ['05:49:13', '06:36:13', '06:36:26', '06:36:39', '06:43:00', '06:44:57', '06:47:03'])
        flickers(lab.at(17, time));
      for (let at = lab.at(17, '06:49'); at < lab.at(17, '07:50'); at += lab.random.between(0.3, 7) * MINUTE)
        flickers(at);
      background(lab, { isDaily: true, hours: [8, 22] });
      const asked = lab.at(17, '07:30');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['port', 'link', 'phone', 'host', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|another port|restart|reboot|\bpower\b/i,
        },
      };
    },
  },
  {
    name: 'mac-2 loses its phone twice within four weeks, and a restart of the Mac brings it back each time',
    source: 'flutter/flutter#143468, flutter/flutter#144834',
    seen: 'The machine is on the list of those that lost their phone on February 14, and again on March 8, with three others.',
    cause: 'not told; it is enough to restart the machine',
    did: 'restarted the machine, on the next day, and on the Monday after',
    cannotShow: 'nobody says why the phone was gone',
    lab: { ...desktop, zone: 'America/Los_Angeles', from: '2024-01-29', days: 44, models: ['Moto G4'] },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const away = (from: [number, string], restarted: [number, string]) => {
        const [at, restart] = [lab.at(...from), lab.at(...restarted)];
        hostRestarts(lab, restart);
        return lab.lose(phone, at, { forMs: restart + 84 * SECOND - at });
      };
      const losses = [away([16, '02:35'], [17, '11:20']), away([39, '04:10'], [42, '10:05'])];
      background(lab);
      return {
        at: lab.at(39, '09:30'),
        losses,
        blame: ['host', 'adb', 'phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(restart|reboot)|cable|plug|re-?seat|socket/i,
        },
      };
    },
  },
  {
    name: 'after some starts of a computer adb may not have its port, although nobody has it',
    source: 'microsoft/WSL#5514, qier222/YesPlayMusic#1129',
    seen: 'adb cannot be started: its port 5037 is forbidden, and no program listens there. It is so after some starts of the computer, and not after others.',
    cause:
      'Hyper-V keeps whole ranges of ports for itself, other ones after each start, and now that of adb is among them',
    did: 'restarted the computer, or gave adb another port; in the end took its port out of these ranges',
    cannotShow: 'the records show that no adb answers, not which ports the computer keeps for itself',
    lab: { ...desktop, zone: 'Asia/Shanghai', direct: 2, from: '2020-06-15', days: 18 },
    tell(lab) {
      agentStartsFirst(lab);
      for (const phone of lab.phones) phone.isPinned = true;
      // with which start it ended
      for (const [day, time, ended] of [
        [9, '08:52', '10:06'],
        [14, '08:47', '09:20'],
        [16, '08:55', undefined],
      ] as const) {
        const at = lab.at(day, time);
        hostRestarts(lab, at);
        lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
        if (ended === undefined) continue;
        const until = lab.at(day, ended);
        hostRestarts(lab, until);
        lab.host(until + 84 * SECOND, { kind: 'adbBack' });
        lab.host(until + 84 * SECOND + 200, { kind: 'adbReplaced', version: 41 });
      }
      background(lab);
      return {
        at: lab.at(16, '10:10'),
        told: {
          about: ['host'],
          says: /5037|\bports?\b|(restart|reboot)[^;]*\b(host|machine|computer)\b|Hyper-V/i,
        },
      };
    },
  },
  {
    name: 'adb crashes at each start since a filter against advertising has another driver',
    source: 'AdguardTeam/AdguardForWindows#6171',
    seen: 'Since the filter of the computer uses its new driver for the network, the adb server ends as soon as it is started, whichever command starts it.',
    cause: 'the driver of the filter',
    did: 'reported it to the maker of the filter',
    cannotShow: 'the records show that no adb answers, not what makes it crash',
    lab: { ...desktop, zone: 'Asia/Shanghai', direct: 1, network: 1, from: '2026-08-10', days: 22 },
    tell(lab) {
      agentStartsFirst(lab);
      for (const phone of lab.phones) phone.isPinned = true;
      const at = lab.at(19, '21:12');
      hostRestarts(lab, at);
      lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'absent' });
      background(lab, { isDaily: true, hours: [9, 23] });
      return {
        at: lab.at(20, '10:40'),
        told: {
          about: ['host'],
          says: /crash|firewall|filter|antivirus|security|(another|other) program|driver|start-server|start(s|ed|ing)? .{0,30}adb|adb .{0,40}(start|run)/i,
        },
      };
    },
  },
  {
    name: 'a program that shares the internet of a phone has the port of adb',
    source: 'Genymobile/scrcpy#6111',
    seen: 'The adb server of one computer does not start, as administrator neither, nor with the firewall open; with Linux and at another computer it does.',
    cause: 'EasyTether, by which the computer has its internet, listens at the port of adb',
    did: 'found it by netstat; gave adb another port, where it started and saw no phone',
    lab: { ...desktop, zone: 'America/Denver', from: '2025-05-12', days: 17, models: ['Galaxy S10e'] },
    tell(lab) {
      agentStartsFirst(lab);
      lab.pinned(0);
      const at = lab.at(15, '09:24');
      hostRestarts(lab, at);
      lab.host(at + 82 * SECOND, { kind: 'adbLost', failureKind: 'foreign' });
      background(lab);
      return {
        at: lab.at(15, '11:00'),
        told: {
          about: ['host'],
          says: /5037|(another|other) program|process|(has|holds|takes|uses) (the|its|this) port/i,
        },
      };
    },
  },
  {
    name: 'nothing can speak with adb on a Mac while its VPN is on',
    source: 'flutter/flutter#157507',
    seen: 'Since macOS 15 each command that needs adb fails while the VPN is on, and lists no device. With the VPN off all is well.',
    cause: 'the VPN of the Mac, together with the new system',
    did: 'switched the VPN off; reported it',
    cannotShow: 'no record tells of a VPN of the host',
    lab: { ...desktop, zone: 'America/Toronto', from: '2024-10-07', days: 19, models: ['Pixel 7'] },
    tell(lab) {
      agentStartsFirst(lab);
      lab.pinned(0);
      hostRestarts(lab, lab.at(14, '19:30'));
      for (const [day, from, until] of [
        [15, '09:12', '12:05'],
        [15, '13:20', '17:41'],
        [16, '09:03', '11:30'],
        [16, '13:44', '18:02'],
        [17, '09:08', '12:11'],
        [17, '13:15', undefined],
      ] as const) {
        lab.host(lab.at(day, from), { kind: 'adbLost', failureKind: 'unreachable' });
        if (until) lab.host(lab.at(day, until), { kind: 'adbBack' });
      }
      background(lab);
      return {
        at: lab.at(17, '15:00'),
        told: { about: ['host'], says: /VPN|firewall|network|route|local ?host|127\.0\.0\.1|loopback/i },
      };
    },
  },
  {
    name: 'no box of the network is reached from a Mac on days on which its editor was the first to start adb',
    source: 'Genymobile/scrcpy#1341',
    seen: 'adb connect says that there is no route to the host. It is so while Android Studio is open; who connects before it is opened has no trouble.',
    cause: 'macOS does not let the program that started adb use the local network',
    did: 'allowed it in the privacy settings, for the terminal and for Android Studio; closed Android Studio; one restarted the Mac, which had been on for days',
    cannotShow: 'no record tells what the system of the Mac lets a program do',
    lab: {
      ...desktop,
      zone: 'Asia/Kolkata',
      network: 2,
      from: '2025-12-01',
      days: 19,
      models: ['Pixel 6', 'Android TV', 'Mi Box'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const boxes = lab.pinnedOf('tcp');
      lab.pinned(0);
      const losses: ToldLoss[] = [];
      // the Mac is started, and the editor with it; then the editor is closed, and a terminal starts adb
      for (const [day, started, closed] of [
        [15, '09:31', '10:52'],
        [16, '09:47', '13:20'],
        [17, '09:40', undefined],
      ] as const) {
        const at = lab.at(day, started);
        hostRestarts(lab, at);
        const lost = at + 80 * SECOND + 500;
        const until =
          closed && adbRestarts(lab, lab.at(day, closed), 41) + lab.random.between(20, 90) * SECOND;
        losses.push(...lab.loseAll(boxes, lost, { spreadMs: 300, ...(until && { forMs: until - lost }) }));
      }
      background(lab);
      return {
        at: lab.at(17, '10:30'),
        losses,
        blame: ['host', 'adb', 'network', 'link', 'unknown'],
        told: {
          about: ['host', 'network', 'phone'],
          says: /permission|privacy|local network|route|firewall|adb (server|connect)|connect (it|them|again)|(another|other) (program|adb)/i,
        },
        alsoAbout: ['host', 'network', 'phone'],
      };
    },
  },
  {
    name: 'since a new macOS adb drops its phone in the middle of the tests',
    source: 'appium/appium#6944',
    seen: 'When tests run one after another on the Mac, adb has lost the Nexus 4, and their server ends. It began with macOS Sierra; with the system before it does not happen.',
    cause: 'adb does not get on with the USB of this macOS',
    did: 'waited for a newer adb, which was announced for a preview',
    cannotShow: 'neither what adb does wrong with USB nor the version of the system is recorded',
    lab: { ...desktop, zone: 'Asia/Kolkata', from: '2016-09-19', days: 18, models: ['Nexus 4'] },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      hostRestarts(lab, lab.at(10, '19:10'));
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(11, 17))
        for (let at = lab.at(day, '10:00'); at < lab.at(day, '17:00'); ) {
          at += lab.random.between(0.6, 3.5) * HOUR;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.4, 9) * MINUTE }));
        }
      background(lab);
      const asked = lab.at(16, '15:30');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['adb', 'host', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /restart[^;]*\badb\b|\badb\b[^;]*(restart|newer)|kill-server|version|updat|another (computer|host)/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a phone cannot be flashed, as a service of the computer speaks with it at the same time',
    source: 'GrapheneOS/os-issue-tracker#2708, fwupd/fwupd#6437',
    seen: 'The phone restarts into fastboot several times while its system is installed. Then the interface cannot be claimed, and it stays there: the same with each try.',
    cause: 'fwupd, a service of the computer, takes the phone as soon as it is in fastboot',
    did: 'stopped that service, and the installation went through',
    cannotShow: 'the records show the phone in fastboot, not which program of the host has it',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 7'],
      from: '2023-11-06',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [time, minutes] of [
        ['19:32', 21],
        ['20:10', 33],
        ['20:58', undefined],
      ] as const) {
        const at = lab.at(16, time);
        const forMs = minutes && minutes * MINUTE;
        losses.push(lab.lose(phone, at, { onUsb: { interfaces: [FASTBOOT] }, ...(forMs && { forMs }) }));
        // what was sent first makes it restart into fastboot
        for (const after of [2, 5]) {
          lab.usb(phone, at + after * MINUTE, null);
          lab.usb(phone, at + after * MINUTE + 9 * SECOND, { interfaces: [FASTBOOT] });
        }
        if (forMs) lab.rebooted(phone, at + forMs + 20 * SECOND, { uptimeSeconds: 50 });
      }
      background(lab);
      return {
        at: lab.at(16, '21:30'),
        losses,
        blame: ['person', 'phone', 'port', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /fastboot|bootloader|flash|fwupd|service|(another|other) program|start(s|ed)? (it|the phone)|restart|reboot/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a phone at a laptop charges for five seconds, then no more, as the laptop saves the power of its USB',
    source: 'linrunner/TLP#692',
    seen: 'The Galaxy Z Flip charges for five seconds when it is plugged in, then it stops, on battery and on mains. All other devices are well.',
    cause: 'the program for saving power suspends it, as the exception for phones is not in force',
    did: 'had set that exception, in vain; reported it',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      models: ['Galaxy Z Flip4'],
      from: '2023-04-24',
      days: 21,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const installed = lab.at(18, '19:05');
      const usual = inUse(lab);
      const falls = levels([
        [installed, 92],
        [lab.at(19, '10:00'), 74],
        [lab.at(20, '00:00'), 47],
        [lab.at(20, '12:00'), 29],
        [lab.end, 12],
      ]);
      phone.reading = (at) => (at < installed ? usual(at) : falls(at));
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '12:30'),
        told: { about: ['phone', 'port', 'host'], says: /charg|batter|\bpower\b|\bcurrent\b|suspend|empty/i },
      };
    },
  },
  {
    name: 'on Mondays an old phone is empty, as the computer that feeds it is off over the weekend',
    source: 'rivafarabi/deckboard#1174',
    seen: 'The phone beside the keyboard shows buttons for the computer. After a weekend its battery is often empty.',
    cause: 'its app keeps the screen on all the time, also while the computer is off and gives no power',
    did: 'asked for an app that lets the screen go off; its next version does',
    lab: { ...desktop, zone: 'America/Sao_Paulo', from: '2025-05-26', days: 30, models: ['Moto G5'] },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const days = lab.workdays(0, lab.days);
      const losses: ToldLoss[] = [];
      const points: [number, number][] = [];
      const off: [number, number][] = [];
      let until = lab.start;
      for (const [index, day] of days.entries()) {
        const on = Math.round(lab.at(day, '08:30') + lab.random.between(0, 20) * MINUTE);
        if (index > 0)
          lab.host(on, {
            kind: 'agentStarted',
            version: '1.0.0',
            hostBootedAt: Math.round(on - 55 * SECOND),
            lastAliveAt: until,
          });
        const isEmpty = index > 0 && lab.weekday(day) === 1 && day !== 14;
        off.push([until, on]);
        const back = isEmpty ? on + lab.random.between(25, 50) * MINUTE : on;
        if (isEmpty) {
          losses.push(lab.lose(phone, on + 500, { forMs: back - on }));
          lab.rebooted(phone, back + 25 * SECOND, { reason: 'cold,powerkey', uptimeSeconds: 70 });
        }
        points.push([back, isEmpty ? 7 : day === 14 ? 11 : 58], [back + 4 * HOUR, 100]);
        until = Math.round(lab.at(day, '17:50') + lab.random.between(0, 40) * MINUTE);
        lab.host(until, { kind: 'agentStopped' });
      }
      const charged = levels(points);
      phone.reading = (at) => {
        const isOff = at >= until || off.some(([from, to]) => at >= from && at < to);
        return isOff || losses.some((loss) => at >= loss.at && at < loss.until) ? undefined : charged(at);
      };
      background(lab, { isUpdated: false, hours: [9, 17] });
      const asked = lab.at(28, '09:05');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'person', 'host', 'room', 'unknown'],
        told: {
          about: ['phone', 'host', 'port'],
          says: /batter|charg|empty|\bpower\b|switch(ed)? (it )?o(n|ff)|screen/i,
        },
        alsoAbout: ['phone', 'host', 'port', 'room'],
      };
    },
  },
  {
    name: 'adb of a build machine does not answer for days, until its container or the machine is restarted',
    source: 'cgeo/cgeo#12429, cgeo/cgeo#12580',
    seen: 'Builds on cgeo-5 end because no bridge to adb can be made: from the evening of December 28, and again on January 21, then on a second machine too.',
    cause: 'not told; adb in its container is stuck',
    did: 'took the machine out of the builds and restarted its container; the second time the whole machine',
    lab: {
      zone: 'Europe/Ljubljana',
      hubs: [],
      emulators: 2,
      from: '2021-12-13',
      days: 42,
    },
    tell(lab) {
      agentStartsFirst(lab);
      for (const emulator of lab.phones) emulator.isPinned = true;
      lab.host(lab.at(15, '21:52'), { kind: 'adbLost', failureKind: 'silent' });
      const restarted = lab.at(18, '13:40');
      lab.host(restarted, { kind: 'adbBack' });
      lab.host(restarted + 200, { kind: 'adbReplaced', version: 41 });
      lab.host(lab.at(39, '09:26'), { kind: 'adbLost', failureKind: 'silent' });
      hostRestarts(lab, lab.at(40, '12:15'));
      const last = lab.at(41, '10:30');
      hostRestarts(lab, last);
      lab.host(last + 85 * SECOND, { kind: 'adbBack' });
      lab.host(last + 85 * SECOND + 200, { kind: 'adbReplaced', version: 41 });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(39, '19:00'),
        told: { about: ['host'], says: /restart|reboot|kill|container/i },
      };
    },
  },
];
