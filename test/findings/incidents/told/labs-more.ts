/** More incidents of labs, farms and desks: hosts with one phone, phones of many makers, and what their own systems do. */
import { FASTBOOT } from '../../usb-tree.ts';
import { adbRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';
import { draining } from './device-labs.ts';

/** One phone at the host itself, in California; a person comes on workdays. */
const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

/** USB shows it so, without USB debugging: as a store of files. */
const without = (kind: string, at: number) => ({ interfaces: [{ kind, endpoints: 3 }], connectedAt: at });

export const incidents: Incident[] = [
  {
    name: 'linux-7 finds its phone no more, whatever is restarted, as an adb of the system runs in place of its own',
    source: 'flutter/flutter#66850',
    seen: 'The test bed cannot find its phone; a restart of the host does not help.',
    cause: 'the host has two versions of adb, and the server that runs is the one that does not fit',
    did: 'killed the adb server',
    lab: { ...single, usb: true, from: '2020-09-14', days: 18, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [gone, restarted] = [lab.at(14, '09:12'), lab.at(14, '15:30')];
      adbRestarts(lab, gone, 36);
      const loss = lab.lose(phone, gone + 3300, { onUsb: {} });
      hostRestarts(lab, restarted);
      lab.usb(phone, restarted + 50 * SECOND, { connectedAt: restarted + 50 * SECOND });
      background(lab);
      return {
        at: restarted + 40 * MINUTE,
        losses: [loss],
        blame: ['adb'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(other|another|two|versions?|kill|restart|start)[^.;]*\badb\b|\badb\b[^.;]*(kill|version|server|restart|start)/i,
        },
      };
    },
  },
  {
    name: 'the phone of linux-7 is dead, and is replaced',
    source: 'flutter/flutter#76558',
    seen: 'The host does not find its phone; a ticket asks to have it restarted or authorized.',
    cause: 'the phone is dead',
    did: 'tried to restart it, then replaced it',
    lab: { ...single, from: '2021-02-08', days: 18, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(13, '23:40'));
      background(lab);
      return {
        at: lab.at(15, '10:00'),
        losses: [loss],
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /repair|replace (it|the phone)|power button|switch it on|restart/i,
        },
      };
    },
  },
  {
    name: 'new phones of a lab have their lock screen on, and no test can start an app',
    source: 'flutter/flutter#92583',
    seen: 'Tests fail on the phones that were added last: the screen is locked.',
    cause: 'nobody has switched the lock screen off when the phones were set up',
    did: 'changed the phones by hand, and the instructions',
    lab: { ...single, from: '2021-10-18', days: 14, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      const at = lab.at(7, '14:10');
      phone.busy.push({ from: lab.start, to: at });
      lab.phone(phone, at, { kind: 'attached', state: 'device' });
      lab.facts(phone, at + 20 * SECOND, { wants: ['automation'], readiness: { isLocked: true }, sdk: 24 });
      background(lab);
      return { at: lab.at(9, '11:00'), told: { about: ['phone'], says: /lock/i } };
    },
  },
  {
    name: 'the phones of a lab fill up within weeks, as each install leaves a copy behind',
    source: 'flutter/flutter#57325',
    seen: 'From time to time a phone has no storage left, and apps cannot be installed.',
    cause: 'copies of apps are never cleaned out of a temporary folder',
    did: 'thought of restarting the phones and of cleaning that folder regularly, and of a check of the storage',
    lab: { ...single, from: '2020-04-20', days: 30, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const total = 25_000_000_000;
      const usedAt = (at: number) =>
        Math.round(Math.min(0.995, 0.31 + (0.64 * (at - lab.start)) / (27 * 24 * HOUR)) * total);
      phone.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: 285,
        storageUsedBytes: usedAt(at),
      });
      for (let at = lab.start + MINUTE; at < lab.end; at += 6 * HOUR)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      background(lab);
      return {
        at: lab.at(25, '15:00'),
        told: { about: ['phone'], says: /storage|clean|uninstall|delete|reboot|restart/i },
      };
    },
  },
  {
    name: 'phones of a queue have no user id left for another app',
    source: 'dotnet/arcade#17483, dotnet/android#12658',
    seen: 'Jobs fail on some of the phones before their app starts: the package manager cannot give it a user id.',
    cause: 'each install has used an id up, and they are exhausted',
    did: 'asked to take these phones out and to reset them',
    cannotShow: 'the phones are attached and answer; how many ids are left is not read',
    lab: { ...single, from: '2026-08-20', days: 16 },
    tell(lab) {
      lab.pinned(0);
      background(lab);
      return { at: lab.at(14, '15:00') };
    },
  },
  {
    name: 'a phone gets hotter and hotter until it switches itself off, and starts when it is cool',
    source: 'ubports/ubuntu-touch#159',
    seen: 'In light use the phone gets very hot and shuts down; it shows its logo again and again, and starts once it has cooled.',
    cause: 'something keeps its processor busy, and it overheats',
    did: 'let it cool; switched its Wi-Fi off, which keeps it cool',
    lab: { zone: 'Europe/Rome', hubs: [4], free: 1, from: '2017-06-26', days: 16, models: ['OnePlus One'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const offs = [lab.at(11, '17:20'), lab.at(14, '11:40')];
      const cool = inUse(lab);
      phone.reading = (at) => {
        const off = offs.find((each) => at <= each && at > each - 90 * MINUTE);
        if (off === undefined) return cool(at);
        const minutes = (at - off) / MINUTE + 90;
        return {
          levelPercent: 64,
          isFull: false,
          temperatureDecicelsius: Math.round(350 + 3.1 * Math.min(85, minutes)),
        };
      };
      const losses = offs.map((off, index) =>
        index === 0 ? lab.reboot(phone, off, { forMs: 27 * MINUTE }) : lab.lose(phone, off),
      );
      background(lab);
      return {
        at: lab.at(14, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /hot|heat|cool|°C/i },
      };
    },
  },
  {
    name: 'of several phones one has no permissions after each start of its computer',
    source: 'M0Rf30/android-udev-rules#112',
    seen: 'After every boot the Nexus 5X is listed with “no permissions” until udev is reloaded; other phones are fine.',
    cause: 'the file of the rules is a link, which cannot be read yet when udev starts',
    did: 'copied the file in place of the link, and restarted',
    lab: {
      zone: 'Europe/Prague',
      hubs: [],
      direct: 3,
      known: { slots: false },
      from: '2017-05-22',
      days: 17,
      models: ['Nexus 6', 'Nexus 5X', 'Galaxy S7'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      for (const [day, time] of [
        [9, '08:40'],
        [10, '08:45'],
        [14, '08:50'],
      ] as const) {
        const at = lab.at(day, time);
        hostRestarts(lab, at);
        const seen = at + 82 * SECOND;
        phone.busy.push({ from: at, to: at + HOUR });
        lab.phone(phone, seen, { kind: 'state', state: 'no permissions', before: 'device' });
        if (day < 14)
          lab.phone(phone, seen + 11 * MINUTE, { kind: 'state', state: 'device', before: 'no permissions' });
      }
      background(lab);
      return {
        at: lab.at(14, '09:05'),
        told: { about: ['phone', 'port', 'host'], says: /udev|rule/i },
      };
    },
  },
  {
    name: 'two devices of a car maker have the serial 0000, and only one is shown',
    source: 'openstf/stf#1273, pbreault/adb-idea#100',
    seen: 'All devices of one company have the serial 0000; of two the page shows one.',
    cause: 'the maker gave all of them one serial',
    did: 'asked; others address them by the id of their transport',
    lab: { zone: 'Asia/Seoul', hubs: [4], from: '2020-11-16', days: 14, models: ['AVN'] },
    tell(lab) {
      for (const phone of [lab.pinned(0), lab.pinned(2)])
        lab.facts(phone, lab.start, { serial: '0000', serialNumber: '0000' });
      background(lab, { hasReadings: false });
      return { at: lab.at(11, '14:00'), told: { about: ['phone'], says: /serial/i } };
    },
  },
  {
    name: 'a laptop lets a phone charge for two seconds, and then saves the power of its port',
    source: 'linrunner/TLP#188',
    seen: 'Plugged into the laptop the phone charges for a second or two, then no more.',
    cause: 'the laptop’s power saving suspends the port of the phone',
    did: 'excluded the phone from it, or switched it off',
    cannotShow: 'that it discharges at its port is seen; whether the host suspends that port is not read',
    lab: { ...desk, direct: 1, usb: true, zone: 'Europe/Berlin', from: '2016-03-01', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = draining(lab, lab.at(12, '08:00'), 1.4, 88);
      background(lab);
      return {
        at: lab.at(14, '18:00'),
        told: {
          about: ['phone', 'port'],
          says: /suspend|power[- ]sav|power management|charger of its own/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a phone that its company manages loses its USB debugging minutes after each time that it was switched on',
    source: 'osservatorionessuno/bugbane#145, MicrosoftDocs/IntuneDocs#1739',
    seen: 'Since it is enrolled the phone hides its developer options; USB debugging is off.',
    cause: 'the device management forbids it, and sets it back',
    did: 'showed who manages the phone; asked its administrators',
    lab: { zone: 'Europe/Rome', hubs: [7], usb: true, from: '2026-08-24', days: 18 },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = (
        [
          [11, '14:03', 38],
          [11, '14:44', 1160],
          [12, '10:06', undefined],
        ] as const
      ).map(([day, time, minutes]) => {
        const at = lab.at(day, time);
        return lab.lose(phone, at, {
          ...(minutes && { forMs: minutes * MINUTE }),
          onUsb: without('06/01/01', at + SECOND),
        });
      });
      background(lab);
      return {
        at: lab.at(12, '11:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /\bmanage[sd]|\bmanagement|\bpolic(y|ies)|administrat|\bMDM\b/i,
        },
      };
    },
  },
  {
    name: 'since its update to Android 11 a phone is always offline on USB',
    source: 'Sony-MSM8994-Dev/android_kernel_sony_msm8994#3',
    seen: 'With the new Android adb calls the phone offline, always, however often it is plugged in.',
    cause: 'the old kernel lacks what the adbd of the new Android needs',
    did: 'added it to the kernel, or took the old adbd into the build',
    lab: { ...desk, zone: 'Asia/Tokyo', from: '2020-09-07', days: 18, models: ['Xperia Z5'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '20:02');
      const losses = [
        lab.lose(phone, at, { forMs: 6 * MINUTE, backAs: 'offline' }),
        lab.lose(phone, at + 40 * MINUTE, { forMs: 12 * SECOND, backAs: 'offline' }),
        lab.lose(phone, at + 44 * MINUTE, { forMs: 25 * SECOND, backAs: 'offline' }),
      ];
      background(lab);
      return {
        at: lab.at(17, '10:00'),
        losses,
        blame: ['phone', 'person', 'unknown', 'port'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /flash|update|(another|older|newer)[^.;]*(build|version|system|Android)/i,
        },
      };
    },
  },
  {
    name: 'remote boxes ask for the key again since a module on them was updated',
    source: 'chiteroman/PlayIntegrityFix#439',
    seen: 'Since version 17.4 of the module each device that gets it has lost its trust in the host; with a mouse at the device the prompt can be accepted.',
    cause: 'the module changes a property that has to do with the rights of adb',
    did: 'accepted the prompt with mouse and keyboard where somebody could go',
    lab: { zone: 'America/New_York', hubs: [4], network: 5, from: '2024-09-16', days: 21 },
    tell(lab) {
      const losses = lab
        .pinnedOf('tcp')
        .slice(0, 4)
        .map((phone, index) =>
          lab.lose(phone, lab.at(17, '19:05') + index * 13 * MINUTE, {
            forMs: (55 + 9 * index) * SECOND,
            backAs: 'unauthorized',
          }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '09:20'),
        losses,
        blame: ['phone', 'link', 'person', 'unknown'],
        told: { about: ['phone'], says: /accept|prompt|allow|authoriz|confirm|key/i },
      };
    },
  },
  {
    name: 'at the lower front port of a tower a phone is lost at each try, at the other it is not',
    source: 'Genymobile/scrcpy#5084',
    seen: 'Each connection fails or ends; at another port of the front panel it works at once.',
    cause: 'the port',
    did: 'took another port, and advised one of the mainboard itself',
    lab: { ...desk, zone: 'America/New_York', from: '2024-06-24', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(18, '18:11'), left = 7; left > 0; left -= 1) {
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(3, 20) * SECOND }));
        at += lab.random.between(3, 8) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(18, '19:12'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /(another|other|different)[^.;]*port/i },
      };
    },
  },
  {
    name: 'adb says that a phone is still authorizing, for hours',
    source: 'flutter/flutter#27456',
    seen: '“device still authorizing”, without end; new tools do not help.',
    cause: 'the phone and adb wait for each other, with an old authorization between them',
    did: 'revoked the authorizations on the phone and plugged it in again; or unplugged it and started adb anew',
    lab: { ...desk, zone: 'America/Sao_Paulo', from: '2019-05-20', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '14:20');
      lab.lose(phone, at, { forMs: 9 * SECOND, backAs: 'authorizing' });
      background(lab);
      return {
        at: at + 3 * HOUR,
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /revoke|unplug|plug it|(restart|kill|start)[^.;]*\badb\b|\badb (server|kill)/i,
        },
      };
    },
  },
  {
    name: 'a headset at its cable for USB 3 is on USB, and another program has it',
    source: 'the-expanse/SideQuest#400',
    seen: 'With the cable for USB 3 the program of the maker takes the headset, and adb does not see it; with a cable for USB 2 adb does.',
    cause: 'the program of the maker takes the headset first',
    did: 'took a cable for USB 2, or ended that program',
    lab: { ...desk, usb: true, zone: 'America/Denver', from: '2020-02-10', days: 18, models: ['Quest'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [at, back] = [lab.at(13, '19:02'), lab.at(13, '19:04')];
      const loss = lab.lose(phone, at, { gone: 'phone' });
      lab.usb(phone, at + 100, null);
      lab.usb(phone, back, { connectedAt: back, speedMbps: 5000, version: 3.1 });
      background(lab);
      return {
        at: back + 25 * MINUTE,
        losses: [loss],
        blame: ['person', 'adb', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(another|other) (program|adb)|program[^.;]*(holds|takes|has it)|USB 2|(another|other) cable/i,
        },
      };
    },
  },
  {
    name: 'the adbd of a board starts anew every half minute, and fills the log of its lab',
    source: 'qualcomm-linux/meta-qcom#2174',
    seen: 'ADB keeps restarting on one board of the lab, with a stream of messages that hides the results of tests.',
    cause: 'adbd on the board ends and is started again, over and over',
    did: 'asked to switch ADB off on that board, or to repair its build',
    lab: { ...desk, usb: true, zone: 'Europe/Helsinki', from: '2026-05-01', days: 14, models: ['CRD'] },
    tell(lab) {
      const board = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(12, '10:00'); at < lab.at(12, '11:10'); at += lab.random.between(24, 38) * SECOND)
        losses.push(lab.lose(board, at, { forMs: lab.random.between(2, 4) * SECOND, gone: 'phone' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(12, '11:00'),
        losses: losses.filter(({ at }) => at < lab.at(12, '11:00')),
        blame: ['phone', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /restart|flash|update|debugging off/i },
      };
    },
  },
  {
    name: 'a phone restarts after five idle minutes, until its memory card is formatted',
    source: 'LegacyXperia/local_manifests#736',
    seen: 'Since the last version was flashed the phone restarts whenever it has idled for five minutes, after a clean install too.',
    cause: 'its SD card',
    did: 'started it without the card; formatted the card',
    lab: { ...desk, zone: 'Asia/Kolkata', from: '2014-07-07', days: 20, models: ['Xperia Neo V'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(17, '11:06'), left = 9; left > 0; left -= 1) {
        losses.push(lab.reboot(phone, at, { forMs: 50 * SECOND }));
        at += lab.random.between(5.5, 7.5) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(17, '12:05'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /\b(SD|memory|storage) card/i },
      };
    },
  },
  {
    name: 'a tablet on the wall runs empty when the plug of its charger is not switched on',
    source: 'jwlerch78/dashie-ha-integration#5',
    seen: 'The plug that charges the tablet when it is low stays off, at 1 % and at 0 % too, and the tablet is gone.',
    cause: 'the switch of its charger is not switched on',
    did: 'looked into the automation that switches the plug',
    lab: {
      zone: 'Australia/Sydney',
      hubs: [4],
      network: 1,
      from: '2026-06-08',
      days: 22,
      models: ['Lenovo Tab'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const empties = [lab.at(14, '04:10'), lab.at(18, '03:25')];
      tablet.reading = (at) => {
        const empty = empties.find((each) => each >= at);
        const hours = empty === undefined ? 40 : (empty - at) / HOUR;
        return {
          levelPercent: Math.round(Math.max(1, Math.min(80, hours * 3.2))),
          isFull: false,
          temperatureDecicelsius: 290,
        };
      };
      const losses = empties.map((at, index) =>
        lab.lose(tablet, at, index === 0 ? { forMs: 4.5 * HOUR } : {}),
      );
      background(lab);
      return {
        at: lab.at(18, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [tablet.udid], says: /batter|charg/i },
      };
    },
  },
  {
    name: 'a phone that was flashed is on USB without debugging, as its build has a property twice',
    source: 'andreasgal/B2G#279',
    seen: 'After flashing adb has no phone any more; USB shows it, as another device than before.',
    cause: 'the build sets the mode of USB a second time, without adb',
    did: 'removed that line, built anew and flashed',
    lab: { ...desk, usb: true, zone: 'America/Toronto', from: '2012-04-09', days: 20, models: ['Nexus S'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '14:05');
      const losses = [lab.lose(phone, at, { onUsb: without('08/06/50', at + 70 * SECOND) })];
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /debugging|flash/i },
      };
    },
  },
  {
    name: 'USB debugging was switched on again, and USB does not show it until the phone is restarted',
    source: 'CyanogenDefy/android_device_motorola_jordan#93',
    seen: 'USB debugging was off; it was switched on while the phone was plugged in, and adb does not find it.',
    cause: 'the phone does not take the change to its USB at once',
    did: 'restarted the phone with debugging on',
    lab: { ...desk, usb: true, zone: 'Europe/Bucharest', from: '2011-08-01', days: 20, models: ['Defy'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(17, '16:40');
      const losses = [lab.lose(phone, at, { onUsb: without('06/01/01', at + SECOND) })];
      background(lab);
      return {
        at: at + 35 * MINUTE,
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /restart|unplug|plug it (in|out)/i },
      };
    },
  },
  {
    name: 'a phone at a port that gives and takes power is connected and disconnected without end',
    source: 'GrapheneOS/os-issue-tracker#3891',
    seen: 'At the port of a laptop that has power delivery the phone is connected and disconnected over and over; neither charging nor files work.',
    cause: 'phone and laptop do not agree on who charges whom',
    did: 'asked to have the role of the phone fixed; took other chargers',
    lab: { ...desk, usb: true, zone: 'Europe/Kiev', from: '2024-08-05', days: 19, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(17, '20:14'); at < lab.at(17, '20:40'); at += lab.random.between(9, 25) * SECOND)
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 5) * SECOND, gone: 'phone' }));
      background(lab);
      return {
        at: lab.at(17, '20:30'),
        losses: losses.filter(({ at }) => at < lab.at(17, '20:30')),
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /(another|other)[^.;]*(port|cable)|cable/i },
      };
    },
  },
  {
    name: 'a phone restarts in its sleep now and then, as its memory is full',
    source: 'piccolo-dev/android_device_bq_piccolo#8',
    seen: 'From time to time the phone restarts, always with its display off; a faster clock of its processor does not help.',
    cause: 'it runs out of memory',
    did: 'promised a remedy in the next release',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 1,
      from: '2015-09-21',
      days: 20,
      models: ['BQ Aquaris M5'],
    },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses = (
        [
          [10, '02:14'],
          [11, '22:40'],
          [12, '05:31'],
          [13, '12:25'],
          [14, '23:50'],
          [15, '04:02'],
          [16, '20:18'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 65 * SECOND }));
      background(lab);
      return {
        at: lab.at(16, '22:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /update|memory/i },
      };
    },
  },
  {
    name: 'a phone is unauthorized at each plug, until its authorizations are revoked and debugging is off and on',
    source: 'Genymobile/scrcpy#3540',
    seen: 'Plugged in many times, with USB debugging on, the phone stays unauthorized.',
    cause: 'the phone no longer asks for this computer',
    did: 'revoked the authorizations, switched USB debugging off and on, and allowed the computer',
    lab: { ...desk, zone: 'Asia/Karachi', from: '2022-10-03', days: 18 },
    tell(lab) {
      const phone = lab.pinned(1);
      const at = lab.at(14, '13:02');
      for (const minutes of [0, 9, 14, 31])
        lab.lose(phone, at + minutes * MINUTE, { forMs: 18 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: at + 90 * MINUTE,
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /revoke|debugging[^.;]*\b(off|on)\b|off and on/i,
        },
      };
    },
  },
  {
    name: 'the screen of a treadmill is offline after each of its restarts, until its debugging is off and on',
    source: 'cagnulein/qdomyos-zwift#1126',
    seen: 'After each reset of the tablet adb calls it offline, and it does not come back.',
    cause: 'its system switches USB debugging off when it starts',
    did: 'went into its menu of developers and switched USB debugging on anew',
    lab: {
      zone: 'America/Chicago',
      hubs: [4],
      network: 1,
      from: '2022-12-26',
      days: 24,
      models: ['NordicTrack'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [12, '18:20', 55],
          [16, '19:05', 700],
          [21, '20:12', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(tablet, lab.at(day, time), { as: 'offline', ...(minutes && { forMs: minutes * MINUTE }) }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '21:30'),
        losses,
        blame: ['link', 'phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: /debugging/i },
      };
    },
  },
  {
    name: 'a tablet stays in fastboot when the program that put it there gives up',
    source: 'francescotescari/XiaoMiToolV2#111, RabbitHoleEscapeR1/r1_escape#93',
    seen: 'The tablet shows “fastboot”, and adb has no device.',
    cause: 'it is in its bootloader, where there is no adb',
    did: 'restarted it; with a dead power button by `fastboot reboot`',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2023-08-21', days: 20, models: ['Redmi Pad'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(17, '19:10');
      const fastboot = { interfaces: [FASTBOOT], connectedAt: at + 14 * SECOND };
      const losses = [lab.lose(phone, at, { onUsb: fastboot })];
      background(lab);
      return {
        at: at + 40 * MINUTE,
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /fastboot|bootloader/i },
      };
    },
  },
  {
    name: 'a phone that got wet says 18 degrees below zero, and no longer charges while it is on',
    source: 'darshan-/Battery-Indicator-Support#19',
    seen: 'The battery is called cold, at 18 °C below zero, in a warm room; the phone charges only while it is off.',
    cause: 'water has damaged what measures and charges its battery',
    did: 'charged it while it was off',
    lab: { ...desk, zone: 'Pacific/Auckland', from: '2021-09-27', days: 16, models: ['Galaxy S5 Mini'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const drain = draining(lab, lab.at(12, '07:00'), 1.9, 84);
      phone.reading = (at) => {
        const reading = drain(at);
        return at < lab.at(11, '18:00') || reading === undefined
          ? reading
          : { ...reading, temperatureDecicelsius: -180 + Math.round((at / MINUTE) % 12) };
      };
      background(lab);
      return { at: lab.at(13, '22:30'), told: { about: ['phone'], says: /batter|charg/i } };
    },
  },
  {
    name: 'a phone that was set to charge only leaves USB, and its notice to set it back does not come',
    source: 'janengelmohr/android_device_elephone_p8000#46, Al3XKOoL/android_device_wiko_rainbow#2',
    seen: 'Once “charge only” is chosen the phone is no longer seen, and nothing asks for the mode of USB any more.',
    cause: 'the mode that only charges shows nothing on USB',
    did: 'set the mode in a terminal on the phone; the next build has no such mode',
    lab: {
      ...desk,
      usb: true,
      zone: 'Europe/Berlin',
      from: '2016-02-22',
      days: 20,
      models: ['Elephone P8000'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(17, '15:10'), { gone: 'phone' })];
      background(lab);
      return {
        at: lab.at(17, '16:30'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /USB (mode|connection)|file transfer|charg(e|ing) only|only charg/i,
        },
      };
    },
  },
  {
    name: 'since its nightly update a phone restarts at each call that comes in',
    source: 'CyanogenMod/android_device_lge_bullhead#7',
    seen: 'The phone restarts whenever somebody calls it.',
    cause: 'a fault of that night’s build',
    did: 'updated to the build of the next day',
    lab: { ...desk, zone: 'America/Vancouver', from: '2016-03-07', days: 20, models: ['Nexus 5X'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = (
        [
          [17, '10:20'],
          [17, '13:42'],
          [17, '19:15'],
          [17, '21:08'],
          [18, '08:31'],
          [18, '11:50'],
          [18, '14:12'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 58 * SECOND }));
      background(lab);
      return {
        at: lab.at(18, '15:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /update/i },
      };
    },
  },
  {
    name: 'an emulator is gone from adb once its data was encrypted, until it is closed and started',
    source: 'catalinionita/Ecryptfs-Tools-for-Android#4',
    seen: 'After encrypting, the emulator restarts, and adb has it no more.',
    cause: 'adbd is not started with encrypted data',
    did: 'closed the emulator and started it again',
    lab: { zone: 'Europe/Bucharest', hubs: [4], emulators: 1, from: '2014-03-10', days: 20 },
    tell(lab) {
      const emulator = lab.phones.find(({ connection }) => connection === 'emulator') as LabPhone;
      emulator.isPinned = true;
      const loss = lab.lose(emulator, lab.at(18, '11:10'));
      background(lab);
      return {
        at: lab.at(18, '12:20'),
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /restart|start it|close/i },
      };
    },
  },
  {
    name: 'since an update a phone only charges at a computer, and is reached over Wi-Fi alone',
    source: 'crdroidandroid/issue_tracker#285',
    seen: 'Since the build of the day the computer does not see the phone, which asks for no mode of USB; wireless debugging works.',
    cause: 'a fault of the build',
    did: 'thought of the build before',
    cannotShow: 'the phone is off USB, as one that was unplugged; nothing tells of the update',
    lab: {
      ...desk,
      usb: true,
      zone: 'Asia/Shanghai',
      from: '2023-11-20',
      days: 22,
      models: ['Redmi K30 Pro'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(18, '20:15'), { gone: 'phone' });
      background(lab);
      return { at: lab.at(19, '09:30'), losses: [loss], blame: ['phone', 'person', 'port', 'unknown'] };
    },
  },
  {
    name: 'a phone is not on USB any more since a module gives its adbd all rights',
    source: 'tiann/adb_root#22',
    seen: 'With the patch installed the phone makes no connection over USB; the kernel of the computer writes nothing.',
    cause: 'the module breaks what starts USB on the phone',
    did: 'took another version of the module',
    cannotShow: 'the phone is off USB, as one that was unplugged; nothing tells of the module',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2025-06-09', days: 20, models: ['Galaxy A51'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(17, '21:40'), { gone: 'phone' });
      background(lab);
      return { at: lab.at(18, '10:00'), losses: [loss], blame: ['phone', 'person', 'port', 'unknown'] };
    },
  },
];
