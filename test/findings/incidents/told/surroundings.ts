/** Incidents of what is around the phones: the machine, real or virtual, its controllers, its network, and who uses its adb. */
import { adbRestarts, background, hostRestarts } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const pinned = (phones: readonly LabPhone[]): LabPhone[] => {
  for (const phone of phones) phone.isPinned = true;
  return [...phones];
};

/** The host is restarted as planned; when the agent runs again. */
function startsAnew(lab: Lab, at: number): number {
  hostRestarts(lab, at);
  return at + 80 * SECOND;
}

/** Lost until the host is restarted, where it is. */
function lostUntilStart(
  lab: Lab,
  phone: LabPhone,
  { day, time, again }: { day: number; time: string; again: string | undefined },
): ToldLoss {
  const at = lab.at(day, time);
  const back = again && startsAnew(lab, lab.at(day, again));
  return lab.lose(phone, at, { ...(back && { forMs: back + 2 * SECOND - at }) });
}

/** Another adb server, of this version, answers a moment later. */
const replaced = (...which: Parameters<typeof adbRestarts>): number => adbRestarts(...which) + 300;

export const incidents: Incident[] = [
  {
    name: 'the controller gives up after one stick did not answer, and everything on USB is gone',
    source: 'home-assistant/operating-system#2869',
    seen: 'At random: resets of one port, error -110, "device not accepting address", then "xHCI host controller not responding, assume dead" and "HC died"; all USB devices are gone.',
    cause: 'the way in which the BIOS manages USB and its power',
    did: 'changed what the BIOS has of USB (legacy support, power)',
    lab: {
      zone: 'Europe/London',
      hubs: [4],
      direct: 1,
      usb: true,
      from: '2023-10-16',
      days: 20,
      models: ['Nexus 5X'],
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const [first] = phones as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '03:12', 280],
        [14, '21:40', 35],
        [17, '14:22:41', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const where = lab.where(first, at);
        lab.kernel(at, where, 'reset');
        for (const seconds of [16, 32, 43]) lab.kernel(at + seconds * SECOND, where, 'descriptor');
        const died = at + 53 * SECOND;
        lab.kernel(died, {}, 'died', '0000:00:14.0');
        const back = minutes && startsAnew(lab, died + minutes * MINUTE);
        const forMs = back && back + 2 * SECOND - died;
        losses.push(
          ...lab.loseAll(phones, died + 200, { spreadMs: 900, gone: 'controller', ...(forMs && { forMs }) }),
        );
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '14:40'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /BIOS/i },
        alsoAbout: ['port', 'hub'],
      };
    },
  },
  {
    name: 'a restart of the Bluetooth service takes the controller with it',
    source: 'jmcorgan/fips#71',
    seen: 'After `systemctl restart bluetooth` the kernel says "xHCI host controller not responding, assume dead"; all USB devices of that controller are gone. At times only.',
    cause: 'the Bluetooth adapter hangs the controller that it shares with the others',
    did: 'unbound the driver of the controller and bound it again',
    lab: {
      zone: 'Europe/Oslo',
      hubs: [4, 4],
      hasTwoControllers: true,
      usb: true,
      from: '2026-04-01',
      days: 17,
    },
    tell(lab) {
      const phones = pinned(lab.phonesOf(1));
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '12:10', 6],
        [14, '15:32', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, {}, 'died', '0000:03:00.0');
        losses.push(
          ...lab.loseAll(phones, at + 300, {
            spreadMs: 500,
            gone: 'controller',
            ...(minutes && { forMs: minutes * MINUTE }),
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(14, '15:50'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /driver|controller/i },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'with a new kernel the ports are dead as soon as nothing is plugged in, until the next start',
    source: 'pop-os/linux#219',
    seen: 'With a device plugged in at the start the USB 2.0 ports work. Once it is unplugged they are dead until the machine is restarted; with the kernel before they were not.',
    cause: 'a change of the kernel lets the empty controller sleep, and it does not wake up',
    did: 'restarted each time; found the change of the kernel',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2023-01-09',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [9, '10:05', '11:30'],
          [11, '14:20', '14:52'],
          [16, '09:31', '10:40'],
          [17, '15:02', undefined],
        ] as const
      ).map(([day, time, again]) => lostUntilStart(lab, phone, { day, time, again }));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '16:00'),
        losses,
        blame: ['person', 'host', 'port', 'phone', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /restart[^.;]* host|kernel/i },
      };
    },
  },
  {
    name: 'the USB controller of a virtual machine dies within a day and a half of each start',
    source: 'home-assistant/operating-system#2193',
    seen: '"frame counter not updating: disabled", "HC died; cleaning up", 1 to 36 hours after each start of the machine in VirtualBox; what is passed through is gone until the next start.',
    cause: 'not found: the controller that VirtualBox makes up',
    did: 'restarted the machine, updated VirtualBox',
    lab: {
      zone: 'Europe/Oslo',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2022-10-03',
      days: 17,
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '19:26', 50],
        [13, '04:10', 190],
        [13, '22:48', 30],
        [15, '08:15', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, {}, 'died', '0000:00:14.0');
        const back = minutes && startsAnew(lab, at + minutes * MINUTE);
        const forMs = back && back + 2 * SECOND - at;
        losses.push(
          ...lab.loseAll(phones, at + 100, { spreadMs: 200, gone: 'controller', ...(forMs && { forMs }) }),
        );
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(15, '08:40'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /restart the host|controller|driver|virtual machine/i },
      };
    },
  },
  {
    name: 'since the update of a small host its stick is gone from USB some hours after each start',
    source: 'home-assistant/operating-system#712, home-assistant/operating-system#702',
    seen: 'An Odroid N2: some hours after each start, 2.5 or 9, the stick is disconnected and does not come back until a restart. With the system before the update it never was.',
    cause: 'the kernel of that update',
    did: 'went back to the system before',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      free: 3,
      usb: true,
      known: { slots: false },
      from: '2020-06-22',
      days: 13,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      startsAnew(lab, lab.at(8, '20:30'));
      const losses = (
        [
          [9, '05:31', '08:10'],
          [9, '10:38', '18:05'],
          [10, '13:20', '17:40'],
          [11, '02:44', undefined],
        ] as const
      ).map(([day, time, again]) => lostUntilStart(lab, phone, { day, time, again }));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(11, '08:20'),
        losses,
        blame: ['host', 'port', 'hub', 'phone', 'unknown'],
        told: { about: ['host', 'port', 'hub', 'phone'], says: /kernel|restart the host|undo/i },
      };
    },
  },
  {
    name: 'a host of the lab answers nobody, and is restarted by hand the next day',
    source: 'flutter/flutter#114942',
    seen: 'Three hosts cannot be reached by ssh and must be restarted in the lab.',
    cause: 'not found: they hung',
    did: 'restarted them by hand',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2022-10-27',
      days: 17,
    },
    tell(lab) {
      const [hung, booted] = [lab.at(13, '04:10'), lab.at(14, '10:31')];
      const phone = lab.pinned(0);
      phone.busy.push({ from: hung - DAY, to: booted + DAY });
      lab.host(booted + 50 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: booted,
        lastAliveAt: hung,
      });
      background(lab, { isUpdated: false });
      return {
        at: booted + 10 * MINUTE,
        told: { about: ['host', 'room'], says: /crash|kernel log|h[au]ng|memory|power/i },
      };
    },
  },
  {
    name: 'a virtual machine sees what is passed through no more, each day, though the machine below sees it',
    source: 'home-assistant/operating-system#4595',
    seen: 'The stick disappears from the guest daily, at times within hours. The machine below always has it. Only a full stop and start of the virtual machine helps.',
    cause: 'not found: how QEMU passes it through, since an update of the guest',
    did: 'stopped and started the virtual machine',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      usb: true,
      controllerId: ['1b36', '000d'],
      known: { slots: false },
      from: '2026-03-02',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '02:20', 410],
        [12, '15:40', 95],
        [13, '21:05', 30],
        [14, '11:12', 55],
        [15, '04:50', 190],
        [16, '13:31', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back = minutes && startsAnew(lab, at + minutes * MINUTE);
        losses.push(lab.lose(phone, at, { ...(back && { forMs: back + 3 * SECOND - at }) }));
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '14:10'),
        losses,
        blame: ['host', 'port', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /virtual machine|\bVM\b|hypervisor|(stop|switch|off)[^.;]* (and start|and on)/i,
        },
      };
    },
  },
  {
    name: 'a virtual machine does not get a device back that left the machine below for a moment',
    source: 'home-assistant/operating-system#2756',
    seen: 'The device drops out at the machine below and comes back there with another number; the guest does not have it until somebody attaches it again. The other stick never drops out.',
    cause: 'the device is unstable, and libvirt does not attach it again by itself',
    did: 'a rule of udev that attaches it again',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2024-04-15',
      days: 26,
    },
    tell(lab) {
      const [phone] = pinned(lab.phones) as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '06:40', 130],
        [14, '23:15', 560],
        [17, '12:50', 300],
        [20, '03:05', 270],
        [22, '20:31', 45],
        [24, '09:10', undefined],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { ...(minutes && { forMs: minutes * MINUTE }) }));
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['phone', 'port', 'host', 'unknown'],
        told: { about: ['phone', 'port'], says: /virtual machine|attach/i },
      };
    },
  },
  {
    name: 'a phone restarts, and the container that was given its device file may not use the new one',
    source: 'moby/moby#10637',
    seen: 'The container has one phone by `--device /dev/bus/usb/003/102`. After `adb reboot` the phone has another number, and the container cannot reach it.',
    cause: 'the container has the rights for the old device file only',
    did: 'gave the container all devices of USB',
    lab: { zone: 'Asia/Shanghai', hubs: [4], usb: true, from: '2015-01-26', days: 15 },
    tell(lab) {
      const phone = lab.pinned(2);
      const at = lab.at(12, '15:10');
      const loss = lab.lose(phone, at, { onUsb: { connectedAt: at + 14 * SECOND }, gone: 'phone' });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses: [loss],
        blame: ['adb', 'person', 'phone', 'host', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /container|\/dev|rights|may not/i },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'a container with Android hangs after some hours on an old host',
    source: 'remote-android/redroid-doc#529',
    seen: 'It is `device` at first, and `offline` after it has run for a while. A newer kernel did not help.',
    cause: 'the system of the host is too old for it',
    did: 'took a newer Ubuntu for the host',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 2,
      emulators: 1,
      from: '2023-11-27',
      days: 17,
      models: ['Pixel', 'redroid'],
    },
    tell(lab) {
      const [container] = lab.phones.filter(({ connection }) => connection === 'emulator') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [11, '20:10', 2.5],
        [12, '13:40', 5],
        [13, '18:25', 15],
        [15, '15:05', undefined],
      ] as const)
        losses.push(
          lab.lose(container, lab.at(day, time), { as: 'offline', ...(hours && { forMs: hours * HOUR }) }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '16:30'),
        losses,
        blame: ['phone', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /container|its log|kernel|\bhost\b|another (image|version)/i,
        },
      };
    },
  },
  {
    name: 'an emulator that another machine’s adb has already is offline here',
    source: 'driftyco/ionic-box#61',
    seen: '`adb connect` in the virtual machine says connected, and the list says `offline`.',
    cause: 'the adb server of the machine below has the emulator already',
    did: 'ended that server, gave the emulator another port, and connected again',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [4],
      free: 3,
      network: 1,
      from: '2016-06-27',
      days: 14,
      models: ['Pixel', 'Genymotion'],
    },
    tell(lab) {
      const [emulator] = lab.pinnedOf('tcp') as [LabPhone];
      emulator.isThereAtFirst = false;
      lab.phone(emulator, lab.at(9, '14:05'), { kind: 'attached', state: 'offline' });
      emulator.busy.push({ from: lab.start, to: lab.end });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(9, '15:20'),
        told: {
          about: ['phone'],
          keys: [emulator.udid],
          says: /(another|other)[^.;]*(adb|computer|machine|program)|adb server|one adb/i,
        },
      };
    },
  },
  {
    name: 'a firewall for USB on the host blocks a phone in each new mode',
    source: 'USBGuard/usbguard#638',
    seen: 'With usbguard the phone is a new device at each connection and in each USB mode, and adb does not see it.',
    cause: 'usbguard does not let it in: only what was allowed for good is',
    did: 'allowed the phone for good, in each mode',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2024-10-28',
      days: 13,
      models: ['Pixel 6a'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(10, '18:40');
      lab.lose(phone, at);
      lab.usb(phone, at + 20 * SECOND, { interfaces: [], isBlocked: true, connectedAt: at + 20 * SECOND });
      background(lab);
      return {
        at: at + 30 * MINUTE,
        told: { about: ['port', 'phone', 'host'], says: /usbguard|authori[sz]|allow|block/i },
      };
    },
  },
  {
    name: 'a phone that was allowed on the host is not let in at another port',
    source: 'USBGuard/usbguard#685',
    seen: 'A device that usbguard lets in at one port is "not authorized for usage" at another, until the computer was restarted.',
    cause: 'usbguard applies its rules to each port anew only after a restart',
    did: 'restarted the computer',
    lab: { zone: 'Europe/Paris', hubs: [4], free: 2, usb: true, from: '2026-02-02', days: 17 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '10:15');
      const [port] = lab.freePorts(at);
      if (port === undefined) throw new RangeError('no free port');
      const loss = lab.lose(phone, at);
      phone.seats.push({ from: at + 15 * SECOND, port });
      lab.usb(phone, at + 15 * SECOND, { interfaces: [], isBlocked: true, connectedAt: at + 15 * SECOND });
      background(lab);
      return {
        at: at + 40 * MINUTE,
        losses: [loss],
        blame: ['person', 'unknown', 'port', 'phone'],
        told: { about: ['port', 'phone', 'host'], says: /usbguard|authori[sz]|allow|restart the host/i },
      };
    },
  },
  {
    name: 'a test runner stops the adb server after each of its runs',
    source: 'MarathonLabs/marathon#431',
    seen: 'After each run the adb server is gone, and the next run starts another one; phones are `offline` more often.',
    cause: 'a library of the test runner kills the server when it ends',
    did: 'a variable that tells it to leave the server alone',
    lab: { zone: 'Europe/Vienna', hubs: [7], from: '2020-12-21', days: 19 },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16])
        for (const time of ['08:50', '10:05', '11:30', '13:10', '14:40', '16:20']) {
          const at = lab.at(day, time) + lab.random.between(0, 15) * MINUTE;
          const back = replaced(lab, at, 41, lab.random.between(8, 50) * SECOND);
          losses.push(...lab.loseAll(phones, back, { spreadMs: 300, forMs: 3 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(16, '17:00'),
        losses: losses.filter(({ at }) => at < lab.at(16, '17:00')),
        blame: ['adb'],
        told: { about: ['host'], says: /kill-server|server of its own|stop it/i },
      };
    },
  },
  {
    name: 'the maker of emulators and the command line bring adb of their own, and each replaces the other’s server',
    source: 'NativeScript/nativescript-cli#4904',
    seen: 'The command line does not connect to the emulator of Genymotion.',
    cause: 'two versions of adb',
    did: 'told Genymotion to use the same SDK',
    lab: {
      zone: 'Asia/Karachi',
      hubs: [4],
      free: 2,
      network: 1,
      from: '2019-07-15',
      days: 17,
      models: ['Galaxy S4'],
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses: ToldLoss[] = [];
      for (const [index, [day, time]] of (
        [
          [11, '11:02'],
          [11, '11:09'],
          [11, '15:30'],
          [14, '10:12'],
          [14, '10:31'],
          [14, '11:02'],
        ] as const
      ).entries()) {
        const back = replaced(lab, lab.at(day, time), index % 2 === 0 ? 40 : 41);
        losses.push(...lab.loseAll(phones, back, { spreadMs: 300, forMs: 4 * SECOND }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '11:30'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /(same|one|single) (adb|SDK|version)|(two|another|different|other) (versions?|adb)\b/i,
        },
      };
    },
  },
  {
    name: 'each update of a container makes a new key, and the box asks again',
    source: 'home-assistant/core#71139',
    seen: 'Each time that the image is updated, the Shield shows prompts for a new key, until it has to be restarted.',
    cause: 'the key of adb lies in the container, and goes with it',
    did: 'asked for the key to be kept outside',
    lab: {
      zone: 'America/Phoenix',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2022-04-11',
      days: 21,
      models: ['Pixel', 'Shield'],
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [9, '04:00', 14],
        [18, '04:02', undefined],
      ] as const) {
        const back = replaced(lab, lab.at(day, time), 41, 25 * SECOND);
        for (const phone of phones) {
          losses.push(lab.lose(phone, back, { forMs: 3 * SECOND, backAs: 'unauthorized' }));
          if (hours)
            lab.phone(phone, back + hours * HOUR, { kind: 'state', state: 'device', before: 'unauthorized' });
          phone.busy.push({ from: back, to: back + DAY });
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '09:00'),
        losses,
        blame: ['adb'],
        told: { about: ['phone', 'host', 'network'], says: /key/i },
      };
    },
  },
  {
    name: 'adb of a phone hangs while the app of a debugger is in its background',
    source: 'baldurk/renderdoc#2585',
    seen: 'When RenderDoc is started again while its app on the phone is in the background, adb freezes; the mirrored screen too.',
    cause: 'the debugger tries to bring its app to the front, and waits',
    did: 'stopped the app on the phone by hand',
    cannotShow: 'which apps run on the phone is not recorded',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2022-04-25',
      days: 19,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, from, to] of [
        [14, '10:20', '11:10'],
        [16, '14:05', undefined],
      ] as const) {
        const at = lab.at(day, from);
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        if (to) lab.facts(phone, lab.at(day, to), { isSilent: false });
      }
      background(lab);
      return {
        at: lab.at(16, '15:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|(stop|close|end|quit)[^.;]* (program|debugger)/i,
        },
      };
    },
  },
  {
    name: 'with more phones some are offline after a restart by the script, now these, now those',
    source: 'openatx/uiautomator2#900',
    seen: 'With an increasing number of phones, of which scripts restart many, some become `offline` and ask for the authorization again, each time others. `adb reconnect offline` helps.',
    cause: 'not found: the adb server, or what the scripts do to it',
    did: '`adb reconnect offline`',
    lab: { zone: 'Europe/Kiev', hubs: [7, 7], free: 2, from: '2023-06-26', days: 20 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [day, time, which] of [
        [12, '11:20', [1, 4]],
        [13, '16:05', [7]],
        [14, '10:40', [2, 9, 10]],
        [17, '13:15', [4]],
        [18, '15:30', [0, 6]],
      ] as const)
        for (const index of which) {
          const at = lab.at(day, time) + lab.random.between(0, 40) * MINUTE;
          const phone = lab.pinned(index);
          lab.reboot(phone, at - 3 * MINUTE, { forMs: 35 * SECOND, reason: 'reboot,shell' });
          const forMs = lab.random.between(25, 90) * MINUTE;
          losses.push(lab.lose(phone, at, { as: 'offline', ...(day < 18 && { forMs }) }));
        }
      background(lab);
      return {
        at: lab.at(18, '17:00'),
        losses,
        blame: ['adb', 'phone', 'hub', 'unknown'],
        told: {
          about: ['phone', 'hub', 'host'],
          says: /\badb\b[^.;]*re-?connect|re-?connect[^.;]*\b(adb|offline)\b|restart the adb server/i,
        },
      };
    },
  },
  {
    name: 'the phone of a build host is offline until somebody restarts it',
    source: 'dotnet/dnceng#2283, dotnet/dnceng#2284',
    seen: 'The device is `offline`; tests retry for five minutes, and fail.',
    cause: 'the phone hangs',
    did: 'had the phone restarted',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2024-03-04',
      days: 16,
      models: ['Pixel 4a'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(13, '23:02'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(14, '09:10'),
        losses: [loss],
        blame: ['phone', 'port', 'adb', 'unknown'],
        told: { about: ['phone', 'port'], says: /restart/i },
      };
    },
  },
  {
    name: 'phones were moved to new computers, and do not trust these',
    source: 'dotnet/arcade#15063',
    seen: 'Strange errors with the phones of the new queue: they were attached to new computers when the lab moved.',
    cause: 'perhaps nobody allowed USB debugging for the new computers',
    did: 'asked for it',
    lab: { zone: 'America/Los_Angeles', hubs: [4], from: '2024-08-26', days: 16, models: ['Pixel 4a'] },
    tell(lab) {
      const phones = pinned(lab.phones);
      for (const [index, phone] of phones.entries()) {
        phone.isThereAtFirst = false;
        phone.busy.push({ from: lab.start, to: lab.end });
        const at = lab.at(13, '14:10') + index * 90 * SECOND;
        lab.phone(phone, at, { kind: 'attached', state: 'unauthorized' });
      }
      background(lab);
      return {
        at: lab.at(14, '09:00'),
        told: { about: ['phone', 'host'], says: /debugging|prompt|allow/i },
      };
    },
  },
  {
    name: 'all new phones of a build lab are found in recovery',
    source: 'dotnet/xharness#619',
    seen: 'From May 20 on all the Pixel 4a lost their connection and were found in recovery mode; before, no app could be installed any more.',
    cause: 'not found: Android of the phones broke down under the tests',
    did: 'brought them out of recovery by hand',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 1,
      from: '2021-05-10',
      days: 16,
      models: ['Pixel 4a'],
    },
    tell(lab) {
      const losses = (
        [
          [0, 10, '14:50'],
          [2, 11, '22:31'],
          [1, 12, '03:14'],
        ] as const
      ).map(([index, day, time]) =>
        lab.lose(lab.pinned(index), lab.at(day, time), { forMs: 40 * SECOND, backAs: 'recovery' }),
      );
      background(lab);
      return {
        at: lab.at(12, '09:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], says: /recovery|restart|reboot|start Android|erase|wipe/i },
      };
    },
  },
  {
    name: 'the phone of linux-17 is gone twice in a month until its cable was seated anew',
    source: 'flutter/flutter#167659, flutter/flutter#166886',
    seen: 'The host lost its phone; two weeks later again.',
    cause: 'the cable did not sit well',
    did: 'seated the cable anew',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2025-04-01',
      days: 25,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(8, '05:20'), { forMs: 29 * HOUR }),
        lab.lose(phone, lab.at(22, '02:44')),
      ];
      background(lab);
      return {
        at: lab.at(22, '15:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|plug/i },
      };
    },
  },
  {
    name: 'the phone of linux-73 switches itself off, again and again',
    source: 'flutter/flutter#157174, flutter/flutter#155466',
    seen: 'The host lost its phone. "Phone device keeps power-off by itself."',
    cause: 'the phone switches itself off',
    did: 'pressed its power button',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2024-09-17',
      days: 34,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, again] of [
        [3, '01:12', '09:50'],
        [13, '23:40', '34:15'],
        [24, '04:31', '10:20'],
        [31, '02:05', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back = again && lab.at(day, again);
        losses.push(lab.lose(phone, at, { ...(back && { forMs: back - at }) }));
        if (back) lab.rebooted(phone, back + 20 * SECOND, { uptimeSeconds: 55 });
      }
      background(lab, { restarts: 0 });
      return {
        at: lab.at(31, '10:12'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /power button|switch(ed)? (it )?on|turn(ed)? (it )?on|restart|battery/i,
        },
      };
    },
  },
  {
    name: 'what restarts behind a hub is not read until it was plugged in anew, and at the host itself it is',
    source: 'OffbandMesh/meshcore-firmware#818',
    seen: 'After each reset the kernel cannot enumerate it, at two ports of one hub and with another cable; at a port of the host it never fails. Others at that hub run on.',
    cause: 'the device and that hub do not get along after a reset',
    did: 'plugged it in anew; used a port of the host',
    lab: { zone: 'America/New_York', hubs: [4], usb: true, from: '2026-08-03', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '11:05', 40],
        [13, '15:22', 25],
        [14, '10:31', 70],
        [15, '16:12', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { ...(minutes && { forMs: minutes * MINUTE }) }));
        for (const [seconds, fault] of [
          [9, 'descriptor'],
          [14, 'descriptor'],
          [19, 'descriptor'],
          [23, 'enumerate'],
        ] as const)
          lab.kernel(at + seconds * SECOND, lab.where(phone, at), fault);
        if (minutes)
          lab.rebooted(phone, at + minutes * MINUTE + 20 * SECOND, {
            reason: 'reboot',
            uptimeSeconds: minutes * 60,
          });
      }
      background(lab, { restarts: 0 });
      return {
        at: lab.at(15, '16:45'),
        losses,
        blame: ['port', 'phone', 'person', 'unknown'],
        told: {
          about: ['port', 'phone', 'hub'],
          says: /(another|other) port|port[^.;]* of the host|(without|no|another) hub/i,
        },
      };
    },
  },
  {
    name: 'of sixteen places of a hub the last ones stay empty at a small computer',
    source: 'mvp/uhubctl#276',
    seen: 'A hub of 16 ports at a Raspberry Pi 4: 13 drives, and no more. "xHCI limit of 32 was reached and unable to allocate new ID to the additional drive."',
    cause: 'the controller takes 32 devices, and the chips of the hub count',
    did: 'was told to use several controllers',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [16, 4],
      free: 0,
      usb: true,
      controllerId: ['1106', '3483'],
      from: '2021-05-10',
      days: 12,
    },
    tell(lab) {
      const late = pinned(lab.phones).slice(-3);
      for (const phone of late) {
        phone.isThereAtFirst = false;
        phone.busy.push({ from: lab.start, to: lab.end });
      }
      background(lab);
      return {
        at: lab.at(9, '15:00'),
        told: { about: ['host', 'hub'], says: /controller|USB card/i },
      };
    },
  },
  {
    name: 'the network of a machine breaks down again and again, until its cable was replaced',
    source: 'robotology/mesh-support#566',
    seen: 'The machine is suddenly gone from the network, or comes back with a tenth of the speed; only a restart of it, or of its interface, helps. A switch of its own did not.',
    cause: 'its network cable',
    did: 'replaced the network cable',
    lab: { zone: 'Europe/Rome', hubs: [4], free: 2, network: 5, from: '2017-11-06', days: 17 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '10:22', 14],
        [10, '15:41', 32],
        [11, '11:05', 9],
        [14, '09:48', 25],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time), { spreadMs: 8 * SECOND, forMs: minutes * MINUTE }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '10:30'),
        losses,
        blame: ['network'],
        told: { about: ['network'], says: /cable/i },
      };
    },
  },
  {
    name: 'three phones that a cloud makes up are gone at once until their owner starts them',
    source: 'golang/go#46779, golang/go#49048, golang/go#50299',
    seen: '"3 missing": all of the virtual phones, for hours or weeks. They are shut down or wiped now and then, and nobody knows why.',
    cause: 'the cloud shut the virtual phones down',
    did: 'started them again',
    lab: { zone: 'America/New_York', hubs: [], network: 3, from: '2021-05-31', days: 18 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const at = lab.at(15, '21:20');
      const losses = lab.loseAll(phones, at, { spreadMs: 12 * SECOND });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '09:15'),
        losses,
        blame: ['network', 'link', 'phone', 'unknown'],
        told: {
          about: ['network', 'phone'],
          says: /start[^.;]* (them|phones?|devices?|containers?|machines?)|reboot|running|(are|is) on\b|switched on|set (it|them) up/i,
        },
      };
    },
  },
  {
    name: 'a phone on the network often has another address, and is connected by a cable again each time',
    source: 'appdictive/ADBWiFiConnect#16',
    seen: 'The saved device cannot be reached: its address changes often. Then it has to be connected by cable again.',
    cause: 'DHCP gives it another address',
    did: 'asked for a way to change the saved address',
    lab: {
      zone: 'Europe/Kiev',
      hubs: [4],
      free: 2,
      network: 2,
      from: '2018-09-24',
      days: 20,
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [10, '08:31', 1.2],
        [11, '13:40', 0.6],
        [14, '02:10', 7.3],
        [15, '16:22', 17],
        [17, '09:05', undefined],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '10:00'),
        losses,
        blame: ['link', 'network', 'phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /address/i },
      };
    },
  },
  {
    name: 'after a wobble of the network a phone stays offline though it can be reached',
    source: 'LmeSzinc/AzurLaneAutoScript#997',
    seen: 'A device that was connected over the network does not leave the list when the network wobbles or the device restarts: it is `offline`, and stays so, though it can be reached.',
    cause: 'adb keeps the dead connection',
    did: 'disconnected it, and connected it again',
    lab: { zone: 'Asia/Shanghai', hubs: [4], free: 2, network: 1, from: '2022-03-28', days: 15 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [8, '19:12', 1.5],
        [10, '03:40', 6],
        [12, '14:25', undefined],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), { as: 'offline', ...(hours && { forMs: hours * HOUR }) }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(12, '15:20'),
        losses,
        blame: ['link', 'network', 'adb', 'phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /re-?connect|adb (dis)?connect|\bconnect\b[^.;]*(again|anew)|\bdisconnect\b[^.;]*\bconnect/i,
        },
      };
    },
  },
  {
    name: 'of several phones on Wi-Fi some are offline after a while, awake and with the same address',
    source: 'barry-ran/QtScrcpy#234',
    seen: 'Several phones are connected over Wi-Fi. After a while some are `offline`, though they do not sleep, are on the network, and their addresses can be reached.',
    cause: 'not found',
    did: 'asked',
    cannotShow: 'nobody found the cause, or what helps',
    lab: { zone: 'Asia/Taipei', hubs: [], network: 5, from: '2020-06-08', days: 18 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (const [index, day, time, hours] of [
        [0, 11, '15:20', 3],
        [3, 11, '20:41', 13],
        [1, 12, '17:05', 16],
        [0, 14, '11:32', 5],
        [3, 14, '19:10', 15],
        [1, 15, '22:25', 11],
        [3, 16, '09:50', undefined],
        [0, 16, '10:34', undefined],
      ] as const)
        losses.push(
          lab.lose(phones[index] as LabPhone, lab.at(day, time), {
            as: 'offline',
            ...(hours && { forMs: hours * HOUR }),
          }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '14:00'),
        losses,
        blame: ['link', 'network', 'phone', 'adb', 'unknown'],
        told: { about: ['phone', 'network'], says: /connect/i },
      };
    },
  },
  {
    name: 'a tablet on a wall leaves the Wi-Fi some minutes after its screen goes dark',
    source: 'matt8707/hass-config#24',
    seen: 'Some minutes after the screen was closed the Wi-Fi of the tablet goes off, whatever its settings say.',
    cause: 'its Android switches Wi-Fi off while the screen is dark',
    did: 'had the screen stay on, with a screen saver',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 2,
      network: 2,
      from: '2021-01-11',
      days: 17,
      models: ['Pixel', 'Pixel', 'Galaxy Tab A', 'Shield'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [11, 12, 13, 14])
        for (const time of ['08:40', '12:15', '16:05', '19:50', '22:30'])
          losses.push(
            lab.lose(tablet, lab.at(day, time) + lab.random.between(0, 25) * MINUTE, {
              forMs: lab.random.between(20, 110) * MINUTE,
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '07:30'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: /awake|(from|not|never)[^.;]*sleep|screen/i },
      };
    },
  },
  {
    name: 'the access point of a lab is down, and its phones on USB cannot reach the internet',
    source: 'dotnet/arcade#10367',
    seen: 'The phones of two hosts have no internet. Whoever looked after them saw that adb had them, and found nothing.',
    cause: 'the access point was down',
    did: 'had the access point repaired',
    lab: { zone: 'America/Los_Angeles', hubs: [4], from: '2022-08-01', days: 13, models: ['Pixel 4a'] },
    tell(lab) {
      const at = lab.at(9, '06:12');
      for (const phone of pinned(lab.phones)) {
        phone.busy.push({ from: lab.start, to: lab.end });
        lab.facts(phone, lab.start, { network: 'REACHABLE' });
        lab.facts(phone, at, { network: 'UNREACHABLE' });
      }
      background(lab);
      return {
        at: lab.at(9, '11:00'),
        told: { about: ['phone', 'network', 'room', 'host'], says: /Wi-Fi|access point|network/i },
      };
    },
  },
];
