/** Incidents of programs beside ours: other adb servers, and keys that are not kept. */
import { background } from '../background.ts';
import { type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Another adb server takes the place of the one that ran; all phones are lost for some seconds, and listed again. */
function replaced(lab: Lab, at: number, version: number, phones: readonly LabPhone[]): ToldLoss[] {
  lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
  lab.host(at + 2 * SECOND, { kind: 'adbBack' });
  lab.host(at + 2100, { kind: 'adbReplaced', version });
  return lab.loseAll(phones, at + 2200, { spreadMs: 300, forMs: 4 * SECOND, backSpreadMs: 2 * SECOND });
}

const pinAll = (lab: Lab): readonly LabPhone[] => {
  for (const phone of lab.phones) phone.isPinned = true;
  return lab.phones;
};

export const incidents: Incident[] = [
  {
    name: 'a mirroring program starts an old adb, which kills the one that runs',
    source: 'koush/vysor.io#210',
    seen: '“adb server is out of date, killing”: each start of one kills the other, and its port forwards.',
    cause: 'the program brings an ancient adb',
    did: 'had it bring a newer one',
    lab: { hubs: [4], free: 2, from: '2016-09-26', days: 16, known: { slots: false } },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = ['09:40', '10:05', '10:50', '11:30', '13:20', '14:02', '15:11'].flatMap((time, index) =>
        replaced(lab, lab.at(15, time), index % 2 === 0 ? 31 : 36, phones),
      );
      background(lab);
      return {
        at: lab.at(15, '15:30'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'with sixty phones adb breaks down when they are mirrored',
    source: 'koush/vysor.io#270',
    seen: 'The program shows the phones, and suddenly all are gone; adb has to start again. With thirty or forty it works.',
    cause: 'another adb server takes the place of ours, and breaks down',
    did: 'found that it depends on their number',
    lab: { zone: 'America/Los_Angeles', hubs: [10, 10, 10], from: '2017-09-25', days: 20 },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = [
        [17, '10:20'],
        [17, '11:45'],
        [18, '09:30'],
      ].flatMap(([day, time]) => replaced(lab, lab.at(Number(day), String(time)), 36, phones));
      background(lab);
      return { at: lab.at(18, '10:00'), losses, blame: ['adb'] };
    },
  },
  {
    name: 'a phone is with the mirror or with adb, never with both',
    source: 'koush/vysor.io#910',
    seen: 'Once the mirror shows the phone, adb has lost it; with `adb devices` the mirror has.',
    cause: 'an adb that is out of date, beside a newer one',
    did: 'was told to update adb',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      from: '2021-08-02',
      days: 18,
      known: { slots: false },
    },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = ['10:10', '10:14', '10:31', '10:58', '11:20', '11:26', '11:55'].flatMap((time, index) =>
        replaced(lab, lab.at(17, time), index % 2 === 0 ? 41 : 32, phones),
      );
      background(lab);
      return {
        at: lab.at(17, '12:10'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'phone and tablet vanish every few seconds, and adb with them',
    source: 'koush/vysor.io#1271',
    seen: 'Both are gone after one to three seconds, and come again; in the log the tracker of adb is closed.',
    cause: 'something starts and stops adb',
    did: 'tried two cables; was told to look for another adb',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      direct: 2,
      from: '2023-05-22',
      days: 14,
      known: { slots: false },
    },
    tell(lab) {
      const phones = pinAll(lab);
      const losses: ToldLoss[] = [];
      for (let left = 0, at = lab.at(12, '18:20'); left < 12; left += 1) {
        losses.push(...replaced(lab, at, 41, phones));
        at += lab.random.between(1.5, 4) * MINUTE;
      }
      background(lab);
      return {
        at: lab.at(12, '19:20'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'an emulator in a container is unauthorized after some days',
    source: 'aerokube/images#508',
    seen: 'For some days all is well, then adb calls the emulator unauthorized; a restart of adb or of the emulator does not help.',
    cause: 'not found: the emulator no longer takes the key',
    did: 'made a new container',
    lab: { zone: 'Asia/Kolkata', hubs: [4], emulators: 2, from: '2022-03-07', days: 19 },
    tell(lab) {
      const emulator = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'emulator'));
      lab.phone(emulator, lab.at(16, '03:12'), { kind: 'state', state: 'unauthorized', before: 'device' });
      background(lab);
      return {
        at: lab.at(16, '10:00'),
        told: { about: ['phone'], keys: [emulator.udid], says: /emulator|container|wipe|anew|data/i },
      };
    },
  },
  {
    name: 'each run of a container shows the phone another key',
    source: 'marcoturi/ionic-docker#4',
    seen: 'Each time adb is started in its container the phone asks again, though it was told to remember.',
    cause: 'the container does not keep its key: each run makes a new one',
    did: 'kept the folder of the key outside of the container',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 1,
      from: '2017-06-26',
      days: 17,
      known: { slots: false },
    },
    tell(lab) {
      const [phone] = pinAll(lab) as [LabPhone];
      for (const [day, time] of [
        [14, '16:10'],
        [15, '00:05'],
        [15, '14:20'],
        [16, '00:20'],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
        lab.host(at + 90 * SECOND, { kind: 'adbBack' });
        lab.host(at + 91 * SECOND, { kind: 'adbReplaced', version: 39 });
        lab.lose(phone, at + 92 * SECOND, { forMs: 2 * SECOND, backAs: 'unauthorized' });
        if (day < 16)
          lab.phone(phone, at + 6 * MINUTE, { kind: 'state', state: 'device', before: 'unauthorized' });
      }
      background(lab);
      return { at: lab.at(16, '00:40'), told: { about: ['phone', 'host'], says: /key/i } };
    },
  },
  {
    name: 'an emulator asks again whenever adb is started outside of its container',
    source: 'budtmo/docker-android#87',
    seen: 'The emulator is unauthorized for the adb of the host; to remember it does not help.',
    cause: 'the emulator knows the key of its container, not that of the host',
    did: 'shared the key',
    lab: { zone: 'Europe/Riga', hubs: [4], free: 2, emulators: 1, from: '2018-07-02', days: 17 },
    tell(lab) {
      const emulator = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'emulator'));
      const at = lab.at(15, '11:10');
      lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
      lab.host(at + 5 * SECOND, { kind: 'adbBack' });
      lab.host(at + 5100, { kind: 'adbReplaced', version: 40 });
      lab.lose(emulator, at + 5200, { forMs: 2 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(15, '12:00'),
        told: { about: ['phone', 'host'], says: /key/i },
      };
    },
  },
  {
    name: 'after a quarter of an hour of tests adb has no phone any more',
    source: 'calabash/calabash-android#758',
    seen: 'Whatever phone is used, about fifteen minutes into a run adb no longer lists it.',
    cause: 'adb itself',
    did: 'thought of restarting adb before each scenario',
    lab: { zone: 'America/Vancouver', hubs: [4], free: 1, from: '2016-07-18', days: 18, usb: true },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = [
        [14, '10:17'],
        [15, '11:41'],
        [15, '15:16'],
        [16, '10:40'],
        [17, '09:48'],
      ].map(([day, time], index) =>
        lab.lose(phones[index % phones.length] as LabPhone, lab.at(Number(day), String(time)), {
          forMs: lab.random.between(5, 30) * MINUTE,
          onUsb: {},
        }),
      );
      background(lab);
      return {
        at: lab.at(17, '12:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone'], says: /adb/i },
        alsoAbout: ['port'], // where USB shows a phone that adb does not list
      };
    },
  },
  {
    name: 'adb root sends the emulator offline now and then',
    source: 'appium/appium-adb#443',
    seen: 'Tests call `adb root` and `adb unroot`; sometimes the device is offline afterwards.',
    cause: 'the restart of adbd is not noticed by adb',
    did: 'restart adb if no device is left',
    lab: { zone: 'America/Vancouver', hubs: [4], free: 2, emulators: 1, from: '2019-03-18', days: 21 },
    tell(lab) {
      const emulator = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'emulator'));
      const at = lab.at(20, '14:12');
      lab.facts(emulator, at - 3 * SECOND, { adbRoot: true });
      const loss = lab.lose(emulator, at, { as: 'offline' });
      background(lab);
      return {
        at: at + 45 * MINUTE,
        losses: [loss],
        blame: ['adb', 'phone', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /restart.{0,30}\badb|\badb.{0,30}restart|adb server|kill-server|reconnect|adb (un)?root|\bretr(y|ies)\b/i,
        },
      };
    },
  },
  {
    name: 'an adb of version 36 and one of version 41 take turns',
    source: 'Genymobile/scrcpy#185',
    seen: 'Server version 41 does not match this client 36; killing. The phone is there for a second, then gone.',
    cause: 'another program runs an older adb',
    did: 'was told to find that program, and to stop it',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      hubs: [],
      direct: 1,
      from: '2019-11-25',
      days: 18,
      known: { slots: false },
    },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = ['12:02', '12:04', '12:11', '12:20', '12:31', '12:33'].flatMap((time, index) =>
        replaced(lab, lab.at(16, time), index % 2 === 0 ? 36 : 41, phones),
      );
      background(lab);
      return { at: lab.at(16, '12:50'), losses, blame: ['adb'], told: { about: ['host'], says: /adb/i } };
    },
  },
  {
    name: 'adb breaks down by itself, with its new way to USB',
    source: 'libusb/libusb#1616',
    seen: 'The adb server ends with a segmentation fault, again and again; with ADB_LIBUSB=0 it stays.',
    cause: 'a fault of adb in the library for USB',
    did: 'switched that library off',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, from: '2025-03-03', days: 16, known: { slots: false } },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = ['09:12', '09:40', '10:31', '11:02', '14:15', '15:40'].flatMap((time) =>
        replaced(lab, lab.at(14, time), 41, phones),
      );
      background(lab);
      return { at: lab.at(14, '16:00'), losses, blame: ['adb'], told: { about: ['host'], says: /adb/i } };
    },
  },
  {
    name: 'since its update adb finds no phone at all',
    source: 'nmeum/android-tools#153',
    seen: 'android-tools 35.0.1 lists nothing, though USB shows the phones; with ADB_LIBUSB=0 it does.',
    cause: 'adb, with the library for USB of that version',
    did: 'switched that library off',
    lab: { zone: 'Asia/Tokyo', hubs: [4], free: 1, from: '2024-07-15', days: 19, usb: true },
    tell(lab) {
      const phones = pinAll(lab);
      const at = lab.at(17, '10:20');
      lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(at + 20 * SECOND, { kind: 'adbBack' });
      lab.host(at + 20.1 * SECOND, { kind: 'adbReplaced', version: 41 });
      const losses = lab.loseAll(phones, at + 20.2 * SECOND, { spreadMs: 200, onUsb: {} });
      background(lab);
      return {
        at: at + 30 * MINUTE,
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'port', 'phone'],
          says: /libusb|\badb\b.{0,40}(version|update|upgrade)|(version|update|upgrade|downgrade).{0,40}\badb\b/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'adb breaks down when two programs use it',
    source: 'mlopatkin/andlogview#13',
    seen: 'Sometimes the adb server crashes when the log viewer is open beside the development tools.',
    cause: 'two programs, and a fault of adb',
    did: 'nothing',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [],
      direct: 2,
      from: '2011-08-15',
      days: 17,
      known: { slots: false },
    },
    tell(lab) {
      const phones = pinAll(lab);
      const losses = [
        [14, '12:10'],
        [15, '17:35'],
      ].flatMap(([day, time]) => replaced(lab, lab.at(Number(day), String(time)), 29, phones));
      background(lab);
      return { at: lab.at(15, '18:00'), losses, blame: ['adb'] };
    },
  },

  {
    name: 'apps cannot be installed while an adb server of the last job runs',
    source: 'dotnet/xharness#597',
    seen: 'On some hosts no app can be installed on the phone; the phone is listed.',
    cause: 'an adb server that the last job left behind',
    did: 'looked at the hosts, and had the server ended before a job',
    cannotShow: 'adb and the phone answer; only an installation fails',
    lab: { zone: 'America/Los_Angeles', hubs: [4], free: 2, from: '2021-05-03', days: 18 },
    tell(lab) {
      pinAll(lab);
      background(lab);
      return { at: lab.at(15, '12:00') };
    },
  },
  {
    name: 'an emulator of a build is offline for good',
    source: 'mobile-dev-inc/Maestro#2728',
    seen: 'Tests fail as the device is offline, although the emulator runs; it stays so.',
    cause: 'the emulator no longer talks to adb',
    did: 'made a new emulator',
    lab: { zone: 'Europe/Zurich', hubs: [4], emulators: 1, from: '2025-09-01', days: 18 },
    tell(lab) {
      const emulator = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'emulator'));
      const loss = lab.lose(emulator, lab.at(14, '10:20'), { as: 'offline' });
      background(lab);
      return {
        at: lab.at(14, '13:00'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /emulator|anew/i },
      };
    },
  },
  {
    name: 'a tethering program starts adb anew over and over once forty phones are there',
    source: 'Genymobile/gnirehtet#553',
    seen: 'With more than forty phones the program cannot read adb’s list, and restarts adb.',
    cause: 'the program restarts adb when its list is longer than it expects',
    did: 'was told to spread the phones, and of the known limit of the program',
    lab: { zone: 'Asia/Ho_Chi_Minh', hubs: [10, 10, 10, 13], from: '2024-09-02', days: 15 },
    tell(lab) {
      const phones = pinAll(lab);
      const losses: ToldLoss[] = [];
      for (
        let at = lab.at(13, '20:10');
        at < lab.at(13, '20:40');
        at += lab.random.between(100, 160) * SECOND
      )
        losses.push(...replaced(lab, at, 41, phones));
      background(lab);
      return {
        at: lab.at(13, '20:35'),
        losses: losses.filter(({ at }) => at < lab.at(13, '20:35')),
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'a phone is lost now and then in long batches of tests',
    source: 'AirtestProject/Airtest#280',
    seen: 'Only one phone is connected; during batches of many cases adb loses it at times.',
    cause: 'an unsteady USB connection of this phone',
    did: 'was told to use a better USB cable, and to repeat cases',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2019-02-01',
      days: 26,
      models: ['Meizu Pro 6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        [13, '15:20'],
        [14, '02:11'],
        [17, '19:47'],
        [19, '22:30'],
        [20, '16:05'],
        [24, '11:52'],
      ].map(([day, time]) =>
        lab.lose(phone, lab.at(Number(day), String(time)), { forMs: lab.random.between(2, 25) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(24, '14:00'),
        losses,
        blame: ['port', 'phone', 'link', 'unknown'],
        told: { about: ['port', 'phone'], says: /\bcable|\blead\b|\bretr(y|ies)\b|repeat/i },
      };
    },
  },
  {
    name: 'a phone that a virtual machine takes drops out after minutes',
    source: 'gasolin/foxbox#34',
    seen: 'Without the virtual machine all is well; with it the connection and the charging stop after some minutes, it comes back in seconds, and adb does not see it any more.',
    cause: 'the USB filter of the virtual machine takes the phone from the host',
    did: 'asked; used kill-server, which helped at times',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2014-09-01',
      days: 14,
      models: ['Flame'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '14:05', 9],
        [10, '15:02', 21],
        [11, '10:31', 6],
        [11, '11:15', 34],
        [11, '16:20', 12],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: minutes * MINUTE, onUsb: {} }));
      }
      background(lab);
      return {
        at: lab.at(11, '17:30'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port'], says: /adb/i },
      };
    },
  },
  {
    name: 'Wi-Fi adb ends whenever the phone is unlocked with its PIN',
    source: 'Genymobile/scrcpy#1382',
    seen: 'Over Wi-Fi the connection is lost when the phone is locked or unlocked; `adb connect` brings it back. With a cable there is no problem.',
    cause: 'the phone lets go of its Wi-Fi or of adb when its lock changes',
    did: 'connected it anew each time',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [4],
      free: 2,
      network: 1,
      known: { slots: false },
      from: '2020-05-01',
      days: 13,
      models: ['Mi 9 Lite'],
    },
    tell(lab) {
      const phone = lab.pinned(lab.phones.findIndex(({ connection }) => connection === 'tcp'));
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [9, ['10:02', '13:40', '18:15']],
        [10, ['09:31', '12:12', '20:44']],
        [11, ['10:20']],
      ] as const)
        for (const time of times)
          losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(20, 400) * SECOND }));
      background(lab);
      return {
        at: lab.at(11, '10:45'),
        losses,
        blame: ['link', 'phone'],
        told: { about: ['phone', 'network'], says: /Wi-Fi|sleep|awake/i },
      };
    },
  },

  {
    name: 'a file manager asks adb so often that the server hangs',
    source: 'Alex4SSB/ADB-Explorer#335',
    seen: 'adb is unresponsive; after kill-server all is well for some seconds, then it is unresponsive again.',
    cause: 'the program polls the battery of the phone too often for the adb server',
    did: 'switched the polling of the program off',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2026-07-13',
      days: 19,
    },
    tell(lab) {
      const phones = pinAll(lab);
      const losses: ToldLoss[] = [];
      for (const time of ['18:02', '18:09', '18:15', '18:31', '18:40', '18:52']) {
        const at = lab.at(18, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
        lab.host(at + 70 * SECOND, { kind: 'adbBack' });
        lab.host(at + 70_200, { kind: 'adbReplaced', version: 41 });
        losses.push(...lab.loseAll(phones, at + 70_400, { spreadMs: 200, forMs: 3 * SECOND }));
      }
      background(lab);
      return { at: lab.at(18, '19:05'), losses, blame: ['adb'], told: { about: ['host'], says: /adb/i } };
    },
  },
  {
    name: 'a Samsung is not there in the morning when its computer was off',
    source: 'Genymobile/scrcpy#6043',
    seen: 'The computer is shut down each evening, the phone stays plugged in. After the cold start adb does not list it; plugged in anew it is there. Another phone never did that.',
    cause: 'the phone does not notice that its host was away',
    did: 'plugged it in anew each morning; asked for a setting',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2025-04-07',
      days: 24,
      models: ['Galaxy A16', 'Okitel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 1; day < 23; day += 1) {
        const [off, on] = [lab.at(day - 1, '22:40'), lab.at(day, '08:05')];
        lab.host(off, { kind: 'agentStopped' });
        lab.host(on + 50 * SECOND, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: on,
          lastAliveAt: off,
        });
        if (day < 15 || day % 7 === 5) continue;
        const lost = on + 51 * SECOND;
        losses.push(lab.lose(phone, lost, day === 22 ? {} : { forMs: lab.random.between(4, 30) * MINUTE }));
      }
      background(lab, { isUpdated: false, taken: 0, restarts: 0 });
      return {
        at: lab.at(22, '08:45'),
        losses,
        blame: ['phone', 'host', 'port', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /plug/i },
      };
    },
  },
];
