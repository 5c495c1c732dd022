/** Incidents of hosts and labs: their adb servers, containers, virtual machines, USB controllers, rules and networks. */
import { background, hostRestarts } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

type Failure = 'absent' | 'silent' | 'closed' | 'foreign';

/** adb's server is away for a while, and another one answers then. @returns when */
function adbGoes(
  lab: Lab,
  at: number,
  {
    forMs = 3 * SECOND,
    failureKind = 'closed',
    version,
  }: { forMs?: number; failureKind?: Failure; version?: number } = {},
): number {
  lab.host(at, { kind: 'adbLost', failureKind });
  const back = Math.round(at + forMs);
  lab.host(back, { kind: 'adbBack' });
  lab.host(back + 200, { kind: 'adbReplaced', ...(version !== undefined && { version }) });
  return back;
}

const pinnedOf = (lab: Lab, connection: LabPhone['connection']): LabPhone[] => {
  const phones = lab.phones.filter((phone) => phone.connection === connection);
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** It is lost for a moment, comes back unauthorized, and is authorized later. */
function mustBeAllowed(lab: Lab, phone: LabPhone, at: number, allowedAt: number | undefined): ToldLoss {
  const loss = lab.lose(phone, at, { forMs: 6 * SECOND, backAs: 'unauthorized' });
  if (allowedAt !== undefined)
    lab.phone(phone, Math.round(allowedAt), { kind: 'state', state: 'device', before: 'unauthorized' });
  return loss;
}

export const incidents: Incident[] = [
  {
    name: 'a box on the network is disconnected whenever a program with an older adb starts',
    source: 'Genymobile/scrcpy#3135',
    seen: 'The box was connected by adb connect. When the program is run it says that the server (41) does not match its client (40), kills it, and the box is no longer connected.',
    cause: 'the program brings another version of adb, which kills the server',
    did: 'were told to use only one version of adb; one used the adb of the program for everything',
    lab: {
      zone: 'Asia/Tehran',
      from: '2022-03-02',
      days: 20,
      hubs: [],
      direct: 1,
      network: 1,
      models: ['Pixel', 'NETBOX'],
    },
    tell(lab) {
      const [box] = pinnedOf(lab, 'tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 19; day += 1)
        for (const hour of [18, 20, 21]) {
          const at = lab.at(day, `${hour}:05`) + lab.random.between(0, 35) * MINUTE;
          const back = adbGoes(lab, at, { version: 40 });
          const again = back + lab.random.between(3, 12) * MINUTE;
          losses.push(lab.lose(box, back + SECOND, { forMs: again + 9 * SECOND - back }));
          adbGoes(lab, again, { version: 41 });
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '22:10'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network', 'phone'],
          says: /one (version of )?adb|same (version|adb)|other version|versions of adb/i,
        },
      };
    },
  },
  {
    name: 'all emulators of a build machine vanish when another job ends',
    source: 'appium/appium#12222',
    seen: 'When one test run ends, the simulators of all the other jobs on the machine are gone.',
    cause: 'Jenkins kills all such processes when a job ends',
    did: 'banged the head on it for some days, then told Jenkins not to kill them',
    cannotShow: 'who ended the processes of the emulators is not recorded',
    lab: { zone: 'Europe/Paris', from: '2019-02-04', days: 20, hubs: [], direct: 2, emulators: 6 },
    tell(lab) {
      const emulators = pinnedOf(lab, 'emulator');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(8, 18))
        for (const hour of [10, 13, 16])
          losses.push(
            ...lab.loseAll(emulators, lab.at(day, `${hour}:00`) + lab.random.between(0, 90) * MINUTE, {
              spreadMs: 700,
              forMs: lab.random.between(4, 9) * MINUTE,
              backSpreadMs: 40 * SECOND,
            }),
          );
      background(lab);
      return {
        at: lab.at(17, '19:00'),
        losses,
        blame: ['host', 'person', 'unknown', 'adb'],
        told: { about: ['host', 'phone'], says: /Jenkins|job|build|process/i },
      };
    },
  },
  {
    name: 'emulators of a build server are offline by their address and online by their name',
    source: 'jenkinsci/android-emulator-plugin#51',
    seen: 'adb connect succeeds, and yet localhost:Y is offline at times while emulator-X is online.',
    cause: 'ports above 5680, which adb does not take for those of an emulator',
    did: 'took ports of the valid range only',
    cannotShow: 'the ports of an emulator are not among the records',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      from: '2015-06-01',
      days: 20,
      hubs: [],
      network: 3,
      emulators: 3,
    },
    tell(lab) {
      const addresses = pinnedOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(9, 18))
        for (const phone of addresses)
          if (lab.random.chance(0.6))
            losses.push(
              lab.lose(phone, lab.at(day, '10:00') + lab.random.between(0, 5) * HOUR, {
                as: 'offline',
                forMs: lab.random.between(12, 50) * MINUTE,
              }),
            );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '18:00'),
        losses,
        blame: ['host', 'adb', 'link', 'unknown', 'network', 'phone'],
        told: { about: ['phone', 'host', 'network'], says: /port/i },
      };
    },
  },
  {
    name: 'a phone that is connected twice is lost when the development program starts',
    source: 'openstf/stf#2',
    seen: 'A device connected by adb connect is lost in the middle of everything when the development program is started, while the same device is connected by USB too.',
    cause: 'the same phone is connected twice, by USB and over the network',
    did: 'connected each phone only once, and said so in the help',
    lab: { zone: 'Asia/Tokyo', from: '2015-06-22', days: 18, hubs: [], direct: 1, network: 1 },
    tell(lab) {
      const [cabled, overAir] = [lab.pinned(0), lab.pinned(1)];
      for (const phone of [cabled, overAir]) lab.facts(phone, lab.start, { serialNumber: '04CE1A' });
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(7, 17))
        for (const time of ['10:20', '14:05', '17:30'])
          losses.push(
            lab.lose(overAir, lab.at(day, time) + lab.random.between(0, 40) * MINUTE, {
              forMs: lab.random.between(1, 12) * MINUTE,
            }),
          );
      background(lab);
      return {
        at: lab.at(16, '18:30'),
        losses,
        blame: ['adb', 'link', 'phone', 'unknown', 'network'],
        told: {
          about: ['phone'],
          keys: [cabled.udid, overAir.udid],
          says: /only once|twice|by USB and|both by|one of the two/i,
        },
      };
    },
  },
  {
    name: 'a browser and a developer start an adb each, and the phone must be plugged in anew',
    source: 'mozilla/adbhelper#14',
    seen: 'The adb of the browser is killed when the developer runs his own. On a Mac the phone is listed again only after it was plugged in anew.',
    cause: 'two programs that each start their own adb',
    did: 'had the browser connect to the server that is there; plugged the phone in again',
    lab: {
      zone: 'Europe/Paris',
      from: '2015-02-09',
      days: 17,
      hubs: [],
      direct: 1,
      usb: true,
      models: ['Flame'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(6, 16))
        for (const [index, time] of ['10:10', '15:20'].entries()) {
          const at = lab.at(day, time) + lab.random.between(0, 60) * MINUTE;
          const back = adbGoes(lab, at, { version: index === 0 ? 31 : 32 });
          losses.push(
            lab.lose(phone, back + SECOND, { forMs: lab.random.between(1, 7) * MINUTE, onUsb: {} }),
          );
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '17:00'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'phone', 'port'],
          says: /one (version of )?adb|same (version|adb)|own adb|versions of adb|plug/i,
        },
      };
    },
  },
  {
    name: 'an emulator is offline while a second adb server runs at another port',
    source: 'appium/appium-adb#499',
    seen: 'The emulator is there and works, but adb reports it as offline, when another adb server runs or ran at another port.',
    cause: 'another adb server at another port holds the emulator',
    did: 'let the tests use devices that are offline',
    lab: { zone: 'America/New_York', from: '2020-02-10', days: 20, hubs: [], direct: 1, emulators: 1 },
    tell(lab) {
      const [emulator] = pinnedOf(lab, 'emulator') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(9, 18))
        for (const time of ['11:00', '15:00'])
          losses.push(
            lab.lose(emulator, lab.at(day, time) + lab.random.between(0, 60) * MINUTE, {
              as: 'offline',
              forMs: lab.random.between(15, 45) * MINUTE,
            }),
          );
      background(lab);
      const last = losses.at(-1)?.at ?? lab.end;
      return {
        at: last + 12 * MINUTE,
        losses,
        blame: ['adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /(another|other|second) adb|another (adb )?server|two adb/i,
        },
      };
    },
  },
  {
    name: 'a test program restarts the adb server for one phone that is offline, and the tests of all others break',
    source: 'appium/appium-adb#533',
    seen: 'Whenever one phone is offline the server is killed and started anew, which corrupts the other tests that run on this machine.',
    cause: 'the test program kills the whole server for one phone',
    did: 'had the program run adb reconnect offline, which touches no other phone',
    lab: { zone: 'Europe/Berlin', from: '2020-05-04', days: 19, hubs: [7] },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const day of lab.workdays(7, 18))
        for (const hour of [10, 13, 15]) {
          const at = lab.at(day, `${hour}:00`) + lab.random.between(0, 100) * MINUTE;
          losses.push(lab.lose(lab.random.pick(phones), at, { as: 'offline', forMs: 15 * SECOND }));
          adbGoes(lab, at + 9 * SECOND, { version: 41 });
        }
      background(lab);
      return {
        at: lab.at(17, '18:30'),
        losses,
        blame: ['link', 'phone', 'adb', 'unknown'],
        told: { about: ['host'], says: /kill|restart|reconnect/i },
      };
    },
  },
  {
    name: 'adb takes a forwarded port for an emulator',
    source: 'apache/tvm#13172',
    seen: 'Once adb thinks that an emulator runs, it tries to connect to it again and again; its log grows until the disk is full.',
    cause: 'a test program forwards a port from 5555 on, where adb looks for emulators',
    did: 'had the program take other ports',
    lab: { zone: 'America/Los_Angeles', from: '2022-10-03', days: 19, hubs: [4] },
    tell(lab) {
      const ghost = lab.add('emulator', { isThereAtFirst: false });
      ghost.isPinned = true;
      const times = lab
        .workdays(9, 17)
        .map((day) => lab.at(day, '11:00') + lab.random.whole(0, 120) * MINUTE);
      for (const [index, at] of times.entries()) {
        lab.phone(ghost, at, { kind: 'attached', state: 'offline' });
        if (index < times.length - 1) lab.phone(ghost, at + 3 * HOUR, { kind: 'detached' });
      }
      background(lab);
      return {
        at: (times.at(-1) ?? lab.end) + 50 * MINUTE,
        told: { about: ['phone'], keys: [ghost.udid], says: /\bports?\b|5555|5554/i },
      };
    },
  },
  {
    name: 'another application with an adb of its own holds the port of adb',
    source: 'Genymobile/scrcpy#1266',
    seen: 'adb devices says that it failed to start the daemon.',
    cause: 'the adb of another application occupies port 5037',
    did: 'uninstalled that application',
    lab: { zone: 'Asia/Shanghai', from: '2020-04-20', days: 22, hubs: [], direct: 2 },
    tell(lab) {
      for (const [day, time, minutes] of [
        [15, '20:10', 35],
        [17, '19:30', 50],
        [18, '21:00', 20],
        [20, '20:25', 45],
      ] as const)
        adbGoes(lab, lab.at(day, time), { forMs: minutes * MINUTE, failureKind: 'foreign' });
      background(lab);
      return {
        at: lab.at(20, '21:20'),
        told: { about: ['host'], says: /port|5037|(another|other) (program|application|adb)/i },
      };
    },
  },
  {
    name: 'connections to phones of a cloud are closed when they are idle',
    source: 'mobile-dev-inc/dadb#82',
    seen: 'Connections that are idle for a while are closed silently.',
    cause: 'the network of the cloud closes idle connections',
    did: 'switched keep-alive on',
    lab: {
      zone: 'Asia/Kolkata',
      from: '2025-06-02',
      days: 19,
      hubs: [],
      network: 5,
      models: ['Cloud phone'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of pinnedOf(lab, 'tcp'))
        for (let day = 9; day < 18; day += 1)
          for (const [time, spread] of [
            ['13:20', 40],
            ['20:00', 90],
          ] as const)
            if (lab.random.chance(0.85))
              losses.push(
                lab.lose(phone, lab.at(day, time) + lab.random.between(0, spread) * MINUTE, {
                  as: 'offline',
                  forMs: lab.random.between(20, 160) * MINUTE,
                }),
              );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '18:00'),
        losses: losses.filter(({ at }) => at < lab.at(17, '18:00')),
        blame: ['network', 'link'],
        told: { about: ['network', 'phone'], says: /idle|keep-?alive|firewall|timeout/i },
      };
    },
  },
  {
    name: 'a machine lost its phone, and restarting the machine brought it back',
    source: 'flutter/flutter#130420, flutter/flutter#133464',
    seen: 'The machine lost the external connection to its phone.',
    cause: 'not found',
    did: 'rebooted the machine, which restored the connection',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2023-06-20',
      days: 24,
      hubs: [],
      direct: 1,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(21, '21:40'), { forMs: lab.at(22, '10:40') - lab.at(21, '21:40') });
      hostRestarts(lab, lab.at(22, '10:37'));
      background(lab);
      return {
        at: lab.at(22, '09:20'),
        losses: [loss],
        blame: ['phone', 'link', 'port', 'host', 'hub', 'unknown'],
        told: {
          about: ['phone', 'port', 'host', 'hub'],
          says: /(restart|reboot)[^;]*\b(host|machine)\b/i,
        },
      };
    },
  },
  {
    name: 'a machine lost its phone, and restarting the phone brought it back',
    source: 'flutter/flutter#130727',
    seen: 'The machine lost the external connection to its phone.',
    cause: 'not found',
    did: 'rebooted the phone, which restored the connection',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2023-06-25',
      days: 24,
      hubs: [],
      direct: 1,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(21, '03:15'), { forMs: lab.at(22, '10:05') - lab.at(21, '03:15') });
      lab.rebooted(phone, lab.at(22, '10:06'), { uptimeSeconds: 70 });
      background(lab);
      return {
        at: lab.at(22, '09:20'),
        losses: [loss],
        blame: ['phone', 'link', 'port', 'unknown', 'hub', 'host'],
        told: { about: ['phone', 'port', 'host', 'hub'], says: /(restart|reboot)\w* (it|the phone)\b/i },
      };
    },
  },
  {
    name: 'Androids in containers are offline until they are started with other options',
    source: 'remote-android/redroid-doc#285, remote-android/redroid-doc#673, remote-android/redroid-doc#584',
    seen: 'The container runs, and adb shows the Android in it as offline, always.',
    cause: 'graphics of the host that the Android cannot use; or modules of the kernel that were not loaded',
    did: 'started it with the graphics of the guest; shared IPC; loaded the binder module with its devices',
    cannotShow: 'why an Android in a container does not answer is not among the records',
    lab: { zone: 'Asia/Shanghai', from: '2022-11-21', days: 20, hubs: [], direct: 1 },
    tell(lab) {
      const android = lab.add('emulator', { isThereAtFirst: false });
      android.isPinned = true;
      const times: (readonly [number, string])[] = [
        [16, '15:10'],
        [16, '15:50'],
        [16, '17:20'],
        [17, '10:05'],
        [17, '14:30'],
      ];
      for (const [index, [day, time]] of times.entries()) {
        const at = lab.at(day, time);
        lab.phone(android, at, { kind: 'attached', state: 'offline' });
        if (index < times.length - 1) lab.phone(android, at + 22 * MINUTE, { kind: 'detached' });
      }
      background(lab);
      return {
        at: lab.at(17, '15:30'),
        told: {
          about: ['phone'],
          keys: [android.udid],
          says: /container|image|graphics|gpu|module|kernel/i,
        },
      };
    },
  },
  {
    name: 'adb hangs on a build machine where many emulators run at once',
    source: 'NativeScript/functional-tests-core#67',
    seen: 'A lot of cases where adb hangs, mostly on one machine, on which a lot of emulators run in parallel.',
    cause: 'too many sessions at one adb server, they guess',
    did: 'gave each session an adb port of its own',
    lab: { zone: 'Europe/Sofia', from: '2018-04-16', days: 19, hubs: [], direct: 2, emulators: 10 },
    tell(lab) {
      pinnedOf(lab, 'emulator');
      for (const day of lab.workdays(6, 17))
        for (const hour of [10, 12, 14, 16])
          if (lab.random.chance(0.8))
            adbGoes(lab, lab.at(day, `${hour}:00`) + lab.random.between(0, 80) * MINUTE, {
              forMs: lab.random.between(3, 14) * MINUTE,
              failureKind: 'silent',
              version: 39,
            });
      background(lab);
      return {
        at: lab.at(16, '18:20'),
        told: {
          about: ['host'],
          says: /own port|another port|own adb|fewer|too many|adb server of (its|their) own/i,
        },
      };
    },
  },
  {
    name: 'televisions must be authorized again whenever a container is made anew',
    source: 'dwaan/homebridge-adb#55',
    seen: 'Every time the container is recreated, adb must be authorized again on all clients.',
    cause: 'the keys are in a home directory that goes with the container',
    did: 'moved the home directory to the volume that is kept',
    lab: {
      zone: 'America/New_York',
      from: '2021-05-17',
      days: 28,
      hubs: [],
      network: 3,
      models: ['Shield', 'Fire TV'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const televisions = pinnedOf(lab, 'tcp');
      for (const [day, allowed] of [
        [10, '20:10'],
        [16, '19:40'],
        [21, '21:00'],
        [26, undefined],
      ] as const) {
        const back = adbGoes(lab, lab.at(day, '11:30'), { forMs: 50 * SECOND, failureKind: 'absent' });
        for (const [index, phone] of televisions.entries())
          losses.push(
            mustBeAllowed(
              lab,
              phone,
              back + SECOND + index * 300,
              allowed && lab.at(day, allowed) + index * MINUTE,
            ),
          );
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(26, '12:15'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host', 'network', 'phone'], says: /\bkeys?\b|adbkey|home|\.android|volume/i },
      };
    },
  },
  {
    name: 'the adb of a container does not use the keys that were mounted for it',
    source: 'sorccu/docker-adb#5',
    seen: 'The keys do not work; an hour was spent to find out why.',
    cause: 'adb looks for its keys in the home directory of root, and they were mounted elsewhere',
    did: 'mounted the keys into /root/.android',
    lab: { zone: 'Europe/Paris', from: '2016-06-13', days: 19, hubs: [4] },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const [day, time, isAllowed] of [
        [17, '14:10', true],
        [17, '15:05', true],
        [18, '09:50', false],
      ] as const) {
        const back = adbGoes(lab, lab.at(day, time), { forMs: 25 * SECOND, failureKind: 'absent' });
        for (const [index, phone] of phones.entries())
          losses.push(
            mustBeAllowed(
              lab,
              phone,
              back + SECOND + index * 200,
              isAllowed ? back + (6 + index) * MINUTE : undefined,
            ),
          );
      }
      background(lab);
      return {
        at: lab.at(18, '10:30'),
        losses,
        blame: ['adb', 'host'],
        told: { about: ['host', 'phone'], says: /\bkeys?\b|adbkey|home directory|\.android/i },
      };
    },
  },
  {
    name: 'an Android in a container does not know the key of the host',
    source: 'sickcodes/dock-droid#15',
    seen: 'adb connect returns an error, not authorized.',
    cause: 'the public key of the host is not in the Android of the container',
    did: 'wrote it into /data/misc/adb/adb_keys there, and restarted its adb',
    lab: { zone: 'Asia/Shanghai', from: '2022-11-07', days: 18, hubs: [4], network: 1 },
    tell(lab) {
      const [android] = pinnedOf(lab, 'tcp') as [LabPhone];
      const loss = mustBeAllowed(lab, android, lab.at(15, '16:20'), undefined);
      background(lab);
      return {
        at: lab.at(16, '10:15'),
        losses: [loss],
        blame: ['host', 'adb', 'phone', 'network', 'unknown', 'link'],
        told: { about: ['phone', 'host'], says: /\bkeys?\b|adbkey|adb_keys/i },
      };
    },
  },
  {
    name: 'a wedged adb server keeps every program waiting for ever',
    source: 'expo/expo#48744',
    seen: 'When the adb server is wedged, adb devices and whatever needs it hang without an end, and without a word.',
    cause: 'the adb server hangs',
    did: 'ran adb kill-server; had the program end after 15 s and name that step',
    lab: { zone: 'America/Sao_Paulo', from: '2026-07-20', days: 26, hubs: [], direct: 2 },
    tell(lab) {
      for (const [day, time, hours] of [
        [16, '11:05', 0.6],
        [19, '16:40', 1.4],
        [22, '10:20', 0.9],
        [24, '14:15', 0.5],
      ] as const)
        adbGoes(lab, lab.at(day, time), { forMs: hours * HOUR, failureKind: 'silent', version: 41 });
      background(lab);
      return {
        at: lab.at(24, '15:10'),
        told: { about: ['host'], says: /kill-server|restart|hang|hung/i },
      };
    },
  },
  {
    name: 'since its update a program for files resets the phone whenever it mounts it',
    source: 'whoozle/android-file-transfer-linux#223',
    seen: 'Since the update the phone flashes up the USB dialog again and again, and the directory stays empty. With the version before all is well.',
    cause: 'the program resets the USB device before it uses it',
    did: 'went back to the version before; the reset was made optional',
    cannotShow: 'which program had the kernel reset the phone is not recorded',
    lab: { zone: 'Europe/Vienna', from: '2019-05-06', days: 18, hubs: [], direct: 1, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [15, '20:10'],
        [15, '20:40'],
        [16, '19:05'],
        [17, '12:30'],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = lab.random.whole(5, 9); left > 0; left -= 1) {
          lab.kernel(at - 200, lab.where(phone, at), 'reset');
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(1.5, 4) * SECOND }));
          at += lab.random.between(14, 30) * SECOND;
        }
      }
      background(lab);
      return {
        at: lab.at(17, '13:00'),
        losses,
        blame: ['host', 'link', 'unknown', 'port'],
        told: { about: ['phone', 'port', 'host'], says: /program|MTP|file/i },
      };
    },
  },
  {
    name: 'the adb server freezes when several containers test at once',
    source: 'appium/appium-docker-android#66',
    seen: 'After some runs in several containers the adb server freezes; in one container alone all is well.',
    cause: 'the containers use one port for their adb servers',
    did: 'gave the adb server of each container a port of its own',
    lab: { zone: 'Europe/Amsterdam', from: '2017-09-18', days: 18, hubs: [4] },
    tell(lab) {
      for (const day of lab.workdays(10, 17))
        for (const time of ['10:30', '14:00', '16:20'])
          adbGoes(lab, lab.at(day, time) + lab.random.between(0, 50) * MINUTE, {
            forMs: lab.random.between(5, 25) * MINUTE,
            failureKind: 'silent',
            version: 39,
          });
      background(lab);
      return {
        at: lab.at(16, '18:00'),
        told: {
          about: ['host'],
          says: /own port|another port|(another|other|second|one|single) adb|container/i,
        },
      };
    },
  },
  {
    name: 'the adb of another container takes all phones',
    source: 'vbanthia-zz/appium-docker-demo#5, vbanthia-zz/appium-docker-demo#6',
    seen: 'Two containers see the same USB. The adb of the one has all phones, and that of the other lists none. A phone that is plugged in again goes to the other.',
    cause: 'only one adb server can have a phone, and the first one takes all',
    did: 'gave each container only its own phone',
    lab: { zone: 'Europe/Athens', from: '2017-01-16', days: 18, hubs: [4], usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const [day, time, minutes] of [
        [14, '15:00', 40],
        [15, '11:20', 65],
        [16, '10:05', 30],
        [16, '14:30', 300],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time), {
            spreadMs: 900,
            forMs: minutes * MINUTE,
            onUsb: {},
          }),
        );
      background(lab);
      return {
        at: lab.at(16, '15:20'),
        losses,
        blame: ['adb', 'host'],
        told: {
          about: ['host', 'hub', 'phone'],
          says: /(another|other|second|one) (adb|program|server|container)|container/i,
        },
      };
    },
  },
  {
    name: 'a router asks for the permission each time a phone is plugged in',
    source: 'smaeul/android-tools#2',
    seen: 'adb runs on a router; each time a phone was unplugged and is plugged in again, the question whether debugging is allowed comes up.',
    cause: 'adb does not make its public key correctly on that processor',
    did: 'found that the key was not right, and went on to repair that',
    lab: { zone: 'Asia/Shanghai', from: '2020-07-06', days: 20, hubs: [], direct: 2 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of pinnedOf(lab, 'usb'))
        for (const day of lab.workdays(10, 18))
          for (const time of ['09:40', '14:20']) {
            const at = lab.at(day, time) + lab.random.between(0, 90) * MINUTE;
            const forMs = Math.round(lab.random.between(2, 25) * MINUTE);
            losses.push(lab.lose(phone, at, { forMs, backAs: 'unauthorized' }));
            lab.phone(phone, Math.round(at + forMs + lab.random.between(20, 150) * SECOND), {
              kind: 'state',
              state: 'device',
              before: 'unauthorized',
            });
          }
      background(lab);
      return {
        at: lab.at(17, '18:00'),
        losses,
        blame: ['person', 'phone', 'link', 'adb', 'host', 'unknown'],
        told: { about: ['phone', 'host'], says: /\bkeys?\b|adbkey|\.android/i },
        alsoAbout: ['port', 'hub'],
      };
    },
  },
  {
    name: 'phones are lost at the end of each test run, when the runner ends the adb server',
    source: 'stanfy/spoon-gradle-plugin#4, square/spoon#246',
    seen: 'When tests of several variants run one after another, devices are often disconnected.',
    cause: 'the test runner terminates the bridge to adb at its end',
    did: 'had the runner leave it alone',
    lab: { zone: 'Europe/Kiev', from: '2015-01-12', days: 19, hubs: [4] },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const day of lab.workdays(8, 17))
        for (const hour of [10, 12, 14, 17]) {
          const at = lab.at(day, `${hour}:00`) + lab.random.between(0, 70) * MINUTE;
          const back = adbGoes(lab, at, { forMs: 7 * SECOND, failureKind: 'absent', version: 32 });
          losses.push(
            lab.lose(lab.random.pick(phones), back + SECOND, { forMs: lab.random.between(5, 90) * SECOND }),
          );
        }
      background(lab);
      return {
        at: lab.at(16, '19:00'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host'],
          says: /kill|terminat|stops? (the |its )?adb|restarts? (the |its )?adb|tests?\b/i,
        },
      };
    },
  },
  {
    name: 'the test run of one project kills adb while that of another goes on',
    source: 'shazam/fork#119',
    seen: 'On Windows the run of one module ends and kills adb, and the others that run break.',
    cause: 'each run ends the adb server when it is done',
    did: 'asked to take that back, or to make it a choice',
    lab: { zone: 'Europe/Madrid', from: '2017-10-02', days: 22, hubs: [7] },
    tell(lab) {
      for (const day of lab.workdays(14, 21))
        for (const hour of [9, 11, 13, 15, 17])
          adbGoes(lab, lab.at(day, `${hour}:00`) + lab.random.between(0, 90) * MINUTE, {
            forMs: lab.random.between(2, 20) * SECOND,
            failureKind: 'absent',
            version: 39,
          });
      background(lab);
      return {
        at: lab.at(20, '19:00'),
        told: {
          about: ['host'],
          says: /kill|terminat|ends? (the |its )?adb|stops? (the |its )?adb|restarts? (the |its )?adb/i,
        },
      };
    },
  },
  {
    name: 'the user of a small computer may not use its phone',
    source: 'Botspot/pi-apps#1834',
    seen: 'No control of the phone: insufficient permissions, are your udev rules wrong?',
    cause: 'the user is not in the group plugdev, and the rules are not installed',
    did: 'added the user to plugdev, installed the package with the rules, and rebooted',
    lab: { zone: 'America/New_York', from: '2022-05-02', days: 18, hubs: [], direct: 1, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(15, '13:30'), { forMs: 4 * MINUTE, backAs: 'no permissions' });
      background(lab);
      return {
        at: lab.at(15, '17:00'),
        losses: [loss],
        blame: ['person', 'host', 'unknown', 'link', 'phone'],
        told: { about: ['phone', 'host'], says: /udev|plugdev|\bgroup\b|platform-tools-common/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'after new udev rules no phone of the host may be used',
    source: 'M0Rf30/android-udev-rules#101',
    seen: 'It began on a machine where nothing else was upgraded. The phones are there and cannot be used.',
    cause: 'the rules give the phones to a group that the system does not have',
    did: 'changed the group in the rules, or made it',
    lab: { zone: 'Europe/Warsaw', from: '2017-01-16', days: 18, hubs: [4], usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      hostRestarts(lab, lab.at(16, '09:10'));
      for (const [index, phone] of pinnedOf(lab, 'usb').entries())
        losses.push(
          lab.lose(phone, lab.at(16, '09:12') + index * 400, { forMs: 2 * SECOND, backAs: 'no permissions' }),
        );
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses,
        blame: ['host', 'adb', 'unknown', 'hub'],
        told: { about: ['host', 'phone', 'hub'], says: /udev|plugdev|adbusers|\bgroup\b/i },
      };
    },
  },
  {
    name: 'after its rules were merged a host lists no phone, though USB shows it',
    source: 'M0Rf30/android-udev-rules#143',
    seen: 'After the restart of the adb server no device is attached; lsusb shows it.',
    cause: 'a symbolic link to the rules, he guesses',
    did: 'put the rules there as a file',
    lab: { zone: 'America/Los_Angeles', from: '2018-04-16', days: 19, hubs: [], direct: 1, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const back = adbGoes(lab, lab.at(17, '11:20'), { version: 32 });
      const loss = lab.lose(phone, back + SECOND, { onUsb: {} });
      background(lab);
      return {
        at: lab.at(17, '12:30'),
        losses: [loss],
        blame: ['host', 'adb'],
        told: { about: ['host', 'phone', 'port'], says: /udev|\brules?\b|permission/i },
      };
    },
  },
  {
    name: 'with a new kernel the USB controller dies some minutes after each load',
    source: 'pop-os/linux#307',
    seen: 'After the reboot into a new kernel, some twenty minutes of reading end with "host controller not responding, assume dead", and all is gone.',
    cause: 'the new kernel',
    did: 'unbound the controller and bound it again, with which it is more stable',
    lab: { zone: 'America/Denver', from: '2024-12-09', days: 21, hubs: [4], usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      hostRestarts(lab, lab.at(15, '09:00'));
      for (const [day, time] of [
        [15, '14:20'],
        [16, '11:05'],
        [18, '16:45'],
        [20, '10:10'],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, {}, 'died', '0000:00:14.0');
        losses.push(
          ...lab.loseAll(phones, at + 300, { spreadMs: 500, gone: 'controller', forMs: 35 * MINUTE }),
        );
      }
      background(lab);
      return {
        at: lab.at(20, '10:30'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /kernel|controller|unbind|bind/i },
      };
    },
  },
  {
    name: 'a board freezes, its controller is given up, and plugging in again does not help',
    source: 'rust-embedded/discovery#577',
    seen: 'When the board freezes, the kernel thinks that the controller is dead, and does not look again when the board is plugged in anew.',
    cause: 'a board that does not answer takes the controller with it',
    did: 'unbound the controller and bound it again',
    lab: { zone: 'Asia/Shanghai', from: '2024-06-17', days: 19, hubs: [], direct: 2, usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const [day, time, minutes] of [
        [10, '15:10', 55],
        [13, '20:30', 40],
        [17, '16:05', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, {}, 'died', '0000:00:14.0');
        const forMs = minutes === undefined ? {} : { forMs: minutes * MINUTE };
        losses.push(...lab.loseAll(phones, at + 200, { spreadMs: 300, gone: 'controller', ...forMs }));
      }
      background(lab);
      return {
        at: lab.at(17, '16:50'),
        losses,
        blame: ['host'],
        told: {
          about: ['host', 'port', 'phone'],
          says: /\b(un|re)?bind\b|restart|reset (the|its) controller/i,
        },
      };
    },
  },
  {
    name: 'a virtual machine forgets the phones that are passed through to it',
    source: 'xcp-ng/xcp#593',
    seen: 'Passthrough is lost at random, usually when the host or the machine restarts, though all stays plugged in. Other ports make no difference.',
    cause: 'the hypervisor forgets what is passed through',
    did: 'shut the machine down, and passed the devices through again',
    lab: {
      zone: 'Europe/Vienna',
      from: '2023-02-01',
      days: 26,
      hubs: [],
      direct: 3,
      usb: true,
      controllerId: ['1b36', '000d'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const phones = pinnedOf(lab, 'usb');
      for (const [day, time, hours] of [
        [12, '03:00', 6.5],
        [18, '22:10', 11],
        [24, '03:00', undefined],
      ] as const) {
        const at = lab.at(day, time);
        hostRestarts(lab, at);
        const forMs = hours === undefined ? {} : { forMs: hours * HOUR };
        losses.push(...lab.loseAll(phones, at + 81 * SECOND, { spreadMs: 400, ...forMs }));
      }
      background(lab);
      return {
        at: lab.at(24, '09:00'),
        losses,
        blame: ['host', 'unknown', 'hub'],
        told: {
          about: ['host', 'hub', 'phone', 'port'],
          says: /pass(ed|es)?[ -]?(it |them )?through|virtual machine|\bVM\b|hypervisor/i,
        },
      };
    },
  },
  {
    name: 'phones vanish for a fraction of a second in the middle of a test',
    source: 'https://techblog.badoo.com/blog/2016/07/21/segregating-android-devices-for-docker-containers/',
    seen: 'Phones vanish in the middle of a test run. On Linux they saw why: disconnections that last a fraction of a second.',
    cause: 'not found',
    did: 'had the tests try again, which resolved nearly all of it',
    cannotShow: 'nobody found the cause: the tests were made to live with it',
    lab: { zone: 'Europe/London', from: '2016-06-06', days: 24, hubs: [7, 7], usb: true },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(5, 22))
        for (let left = lab.random.whole(2, 5); left > 0; left -= 1) {
          const phone = lab.random.pick(lab.usbPhones);
          const at = lab.at(day, '09:30') + lab.random.between(0, 8) * HOUR;
          if (lab.isFree(phone, at, at + MINUTE))
            losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.4, 1.2) * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(21, '19:00'),
        losses,
        blame: ['link', 'phone', 'hub', 'port', 'host', 'room', 'unknown'],
        told: { about: ['host', 'hub', 'room', 'port', 'phone'], says: /again|retry|short/i },
        alsoAbout: ['phone', 'port', 'hub', 'host', 'room'],
      };
    },
  },
  {
    name: 'a machine lost its phone, and the cable only had to be seated again',
    source: 'flutter/flutter#165062, flutter/flutter#168381',
    seen: 'The machine lost the external connection to its phone.',
    cause: 'a cable that was not seated well',
    did: 're-seated the USB cable, which restored the connection',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2025-02-18',
      days: 24,
      hubs: [],
      direct: 1,
      models: ['Moto G'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(21, '19:25'), { forMs: lab.at(22, '10:20') - lab.at(21, '19:25') });
      background(lab);
      return {
        at: lab.at(22, '09:20'),
        losses: [loss],
        blame: ['link', 'phone', 'port', 'hub', 'unknown'],
        told: { about: ['phone', 'port', 'host', 'hub'], says: /cable|plug|seat/i },
      };
    },
  },
  {
    name: 'a farm program starts ever more adb processes until the machine is overloaded',
    source: 'AppiumTestDistribution/appium-device-farm#1764',
    seen: 'More and more adb processes are made during tests; the machine is loaded, and the service crashes without opening a device.',
    cause: 'the farm program starts adb processes that do not end',
    did: 'cleaned up and restarted the program, after which it works normally',
    lab: { zone: 'Asia/Kolkata', from: '2025-08-04', days: 18, hubs: [7] },
    tell(lab) {
      for (const day of lab.workdays(8, 17))
        for (const [index, time] of ['11:30', '14:00', '15:10', '16:00', '16:40'].entries())
          if (index > 1 || lab.random.chance(0.5))
            adbGoes(lab, lab.at(day, time) + lab.random.between(0, 15) * MINUTE, {
              forMs: lab.random.between(1, 6) * MINUTE,
              failureKind: 'silent',
              version: 41,
            });
      background(lab);
      return {
        at: lab.at(16, '18:00'),
        told: { about: ['host'], says: /restart|program|process|load/i },
      };
    },
  },
  {
    name: 'an emulator program brings an adb of its own, which then serves all',
    source: 'yume-chan/ya-webadb#756',
    seen: 'With more than one device nothing works. The adb server is the one that the emulator program starts, and not that of the path.',
    cause: 'the emulator program starts its own adb, a changed one of the same version',
    did: 'set the emulator program to use the other adb',
    lab: { zone: 'Asia/Shanghai', from: '2025-05-19', days: 21, hubs: [], direct: 2, network: 1 },
    tell(lab) {
      const [emulator] = pinnedOf(lab, 'tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const day of [12, 14, 15, 16, 18, 19, 20]) {
        const at = lab.at(day, '14:20') + lab.random.between(0, 100) * MINUTE;
        const back = adbGoes(lab, at, { version: 41 });
        losses.push(lab.lose(emulator, back + SECOND, { forMs: lab.random.between(1, 4) * MINUTE }));
        adbGoes(lab, back + 70 * MINUTE, { version: 41 });
      }
      background(lab);
      return {
        at: lab.at(20, '18:30'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network', 'phone'],
          says: /same adb|one adb|(another|other|second) adb|own adb|program/i,
        },
      };
    },
  },
  {
    name: 'a phone on the network cannot be connected while an emulator runs on the computer',
    source: 'pedrovgs/AndroidWiFiADB#53',
    seen: 'The phone cannot be connected while the emulator runs; as soon as it is closed the phone is recognized.',
    cause: 'the emulator and the phone cannot be told apart, or are in one network, he guesses',
    did: 'closed the emulator',
    lab: { zone: 'America/Montevideo', from: '2017-02-13', days: 19, hubs: [], direct: 1, network: 2 },
    tell(lab) {
      const [phone, emulator] = pinnedOf(lab, 'tcp') as [LabPhone, LabPhone];
      emulator.isThereAtFirst = false;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '15:00', 50],
        [14, '16:20', 90],
        [15, '10:40', 70],
        [16, '14:10', 200],
      ] as const) {
        const at = lab.at(day, time);
        lab.phone(emulator, at, { kind: 'attached', state: 'device' });
        losses.push(lab.lose(phone, at + 20 * SECOND, { forMs: minutes * MINUTE }));
        lab.phone(emulator, at + minutes * MINUTE, { kind: 'detached' });
      }
      background(lab);
      return {
        at: lab.at(16, '15:30'),
        losses,
        blame: ['network', 'link', 'host', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /emulator|clos(e|ing)|network mask|same network/i,
        },
      };
    },
  },
  {
    name: 'adb does not start while an emulator program runs an older adb',
    source: 'NativeScript/nativescript-cli#199',
    seen: 'The command fails: the adb server did not answer, the daemon failed to start. A server runs then, and the adb of the emulator program.',
    cause: 'the emulator program has an older adb of its own',
    did: 'used adb 1.0.32 or newer everywhere; it works with these only',
    lab: { zone: 'Europe/Sofia', from: '2015-01-12', days: 20, hubs: [], direct: 2 },
    tell(lab) {
      for (const day of lab.workdays(11, 19))
        for (const time of ['10:40', '15:30']) {
          const at = lab.at(day, time) + lab.random.between(0, 50) * MINUTE;
          const back = adbGoes(lab, at, { forMs: lab.random.between(20, 90) * SECOND, version: 31 });
          adbGoes(lab, back + lab.random.between(5, 30) * MINUTE, { forMs: 9 * SECOND, version: 32 });
        }
      background(lab);
      return {
        at: lab.at(18, '18:00'),
        told: {
          about: ['host'],
          says: /same (version|adb)|one (version of )?adb|versions? of adb|newer|update adb/i,
        },
      };
    },
  },
];
