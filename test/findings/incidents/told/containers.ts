/** Incidents of adb in containers and virtual machines, of phones that are containers, and of builds that start their own. */
import { background, hostRestarts } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const ofKind = (lab: Lab, kind: LabPhone['connection']): LabPhone[] => {
  const phones = lab.phones.filter(({ connection }) => connection === kind);
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** Another adb server takes the place of the one that ran; all phones are lost for some seconds. */
function replaced(lab: Lab, at: number, version: number, phones: readonly LabPhone[]): ToldLoss[] {
  lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
  lab.host(at + 2 * SECOND, { kind: 'adbBack' });
  lab.host(at + 2100, { kind: 'adbReplaced', version });
  return lab.loseAll(phones, at + 2200, { spreadMs: 300, forMs: 4 * SECOND, backSpreadMs: 2 * SECOND });
}

/** What ends or starts an adb server, or the container that it runs in. */
const saysAdbAnew =
  /(restart|start|another|other|second|doctor|kill)[^.;]*\badb\b|\badb\b[^.;]*(server|restart|kill)|container/i;

export const incidents: Incident[] = [
  {
    name: 'a test bench in a container has lost what was plugged in anew, though its folder of devices is mounted',
    source: 'moby/moby#35359',
    seen: 'What is unplugged and plugged in again is on USB of the host, and the program in the container does not have it.',
    cause: 'no events of udev reach the container',
    did: 'gave the container the network of the host, and all rights; before, restarted it each time',
    lab: { zone: 'Asia/Shanghai', hubs: [4], usb: true, from: '2020-05-11', days: 18 },
    tell(lab) {
      const losses = [1, 2].map((index) => {
        const phone = lab.pinned(index);
        const at = lab.at(16, '10:20') + index * 25 * SECOND;
        const back = at + 41 * SECOND;
        const loss = lab.lose(phone, at, { gone: 'phone' });
        lab.usb(phone, at + 100, null);
        lab.usb(phone, back, { connectedAt: back });
        return loss;
      });
      background(lab);
      return {
        at: lab.at(16, '11:05'),
        losses,
        blame: ['person', 'adb', 'unknown'],
        told: { about: ['phone', 'port', 'host', 'hub'], says: saysAdbAnew },
      };
    },
  },
  {
    name: 'adb in a container has no phone, and adb on its host has it',
    source: 'sorccu/docker-adb#12',
    seen: 'The list of adb in the container is empty; outside of it adb lists the phone.',
    cause: 'adb of the host has the phone, and what is plugged in after the start is not seen inside',
    did: 'was told to end adb on the host, and to start the container after the phone was plugged in',
    lab: {
      zone: 'Europe/Rome',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2018-04-16',
      days: 14,
    },
    tell(lab) {
      const phone = lab.pinned(1);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(11, '16:10');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { connectedAt: at });
      background(lab);
      return {
        at: at + 40 * MINUTE,
        told: { about: ['phone', 'port', 'host'], says: /container|doctor/i },
      };
    },
  },
  {
    name: 'adb in a build container may not open the phone, but with sudo it may',
    source: 'stucki/docker-lineageos#43, 89luca89/distrobox#1556',
    seen: 'adb lists the phone with “no permissions”; started by root it asks for the prompt.',
    cause: 'the host has no udev rules for phones, and those of the container do not count',
    did: 'installed the rules on the host, or started adb as root',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2017-06-19',
      days: 10,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      lab.phone(phone, lab.at(6, '20:15'), { kind: 'attached', state: 'no permissions' });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(6, '21:00'),
        told: { about: ['phone', 'port', 'host'], says: /udev|rule|root/i },
      };
    },
  },
  {
    name: 'the phones of a build machine cannot be used after its restart until udev is triggered',
    source: 'mullvad/mullvadvpn-app#11006',
    seen: 'After a restart of the machine no job can use its phones.',
    cause: 'the udev rule of the machine is not right, and nothing triggers it after the start',
    did: 'mended the rule, and had udev triggered after each start',
    lab: { zone: 'Europe/Stockholm', hubs: [4], free: 1, usb: true, from: '2026-08-10', days: 18 },
    tell(lab) {
      const at = lab.at(15, '13:20');
      const phones = ofKind(lab, 'usb');
      hostRestarts(lab, at);
      for (const phone of phones) {
        phone.busy.push({ from: at, to: lab.end });
        lab.phone(phone, at + 83 * SECOND, { kind: 'state', state: 'no permissions', before: 'device' });
      }
      background(lab);
      return {
        at: at + 45 * MINUTE,
        told: { about: ['phone', 'port', 'host', 'hub'], says: /udev|rule/i },
      };
    },
  },
  {
    name: 'a phone in a container is unauthorized after an update of its host, as its keys are gone',
    source: 'remote-android/redroid-doc#649',
    seen: 'Since an update of the modules of the machine the container seems not to start.',
    cause: 'it runs, and the keys of adb were cleared: it does not know the host any more',
    did: 'put the key back',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, network: 2, from: '2024-03-18', days: 20 },
    tell(lab) {
      const [phone] = ofKind(lab, 'tcp') as [LabPhone];
      const at = lab.at(17, '17:30');
      hostRestarts(lab, at);
      const loss = lab.lose(phone, at + 80.7 * SECOND, { forMs: 70 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: at + 2 * HOUR,
        losses: [loss],
        blame: ['host', 'link', 'phone', 'adb', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /\bkeys?\b/i },
      };
    },
  },
  {
    name: 'a phone in a container is offline from its start, as the kernel lacks what its Android needs',
    source: 'remote-android/redroid-doc#613, #231',
    seen: 'The container runs, and adb calls it offline.',
    cause: 'the binder of its Android is not there: Android in it does not start',
    did: 'loaded the module of the kernel, and started the container anew',
    lab: { zone: 'Asia/Shanghai', hubs: [4], network: 2, from: '2024-01-22', days: 18 },
    tell(lab) {
      const [phone] = ofKind(lab, 'tcp') as [LabPhone];
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(14, '15:40');
      lab.phone(phone, at, { kind: 'attached', state: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: at + 70 * MINUTE,
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /container|kernel|module|restart it|start it|restart the phone/i,
        },
      };
    },
  },
  {
    name: 'an Android on the same computer refuses adb since it was to be root',
    source: 'waydroid/waydroid#348, #379',
    seen: '`adb root` times out, and after it the connection is refused.',
    cause: 'its adbd does not come back on the network',
    did: 'restarted the computer, or the session of that Android, and connected again',
    lab: { zone: 'Asia/Dhaka', hubs: [], direct: 1, emulators: 1, from: '2022-04-25', days: 22 },
    tell(lab) {
      const [phone] = ofKind(lab, 'emulator') as [LabPhone];
      const at = lab.at(18, '07:20');
      const loss = lab.lose(phone, at);
      background(lab, { hasReadings: false });
      return {
        at: at + 50 * MINUTE,
        losses: [loss],
        blame: ['link', 'phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /connect|restart/i },
      };
    },
  },
  {
    name: 'an emulator that was restarted waits for its PIN, and no test begins',
    source: 'appium/appium#15681',
    seen: 'Tests ran; with a PIN set and after a restart they fail, as what unlocks it cannot run before it is unlocked.',
    cause: 'nothing runs on it before somebody has entered the PIN',
    did: 'unlocked it by hand',
    lab: { zone: 'Europe/Lisbon', hubs: [4], emulators: 1, from: '2021-07-19', days: 18 },
    tell(lab) {
      const [emulator] = ofKind(lab, 'emulator') as [LabPhone];
      const at = lab.at(14, '10:05');
      lab.reboot(emulator, at, { forMs: 35 * SECOND, reason: 'reboot' });
      lab.facts(emulator, at + 60 * SECOND, { isDataLocked: true });
      background(lab);
      return {
        at: at + 90 * MINUTE,
        told: { about: ['phone'], keys: [emulator.udid], says: /unlock|\bPIN\b|locked/i },
      };
    },
  },
  {
    name: 'two Appium servers end the one adb server in turn, after each of their commands',
    source: 'appium/appium#4288',
    seen: 'With two phones and two servers one of them loses its session, as adb is ended after each command; with one all is well.',
    cause: 'each of the two ends adb when it has set the network of its phone',
    did: 'mended it in Appium; before, used one phone',
    lab: {
      zone: 'Europe/Helsinki',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2014-12-01',
      days: 19,
    },
    tell(lab) {
      const phones = ofKind(lab, 'usb');
      const losses: ToldLoss[] = [];
      for (let at = lab.at(17, '18:45'), left = 9; left > 0; left -= 1) {
        losses.push(...replaced(lab, at, 32, phones));
        at += lab.random.between(40, 150) * SECOND;
      }
      background(lab);
      return {
        at: lab.at(17, '19:20'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /kill|end|program|what runs/i },
      };
    },
  },
  {
    name: 'a tool with an adb of its own kills the newer one whenever it is used',
    source: 'mortenjust/androidtool-mac#132',
    seen: '“adb server version (36) doesn’t match this client (39); killing”, again and again.',
    cause: 'the tool brings an adb of version 36',
    did: 'linked the adb of the tool to the one of the SDK',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2017-07-24',
      days: 17,
    },
    tell(lab) {
      const phones = ofKind(lab, 'usb');
      const losses = ['09:31', '10:12', '11:40', '13:55', '15:02', '16:30'].flatMap((time, index) =>
        replaced(lab, lab.at(15, time), index % 2 === 0 ? 36 : 39, phones),
      );
      background(lab);
      return {
        at: lab.at(15, '17:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /36 and 39|39 and 36|version/i },
      };
    },
  },
  {
    name: 'each job of a queue waits twelve minutes for an emulator that stays offline, and is ended then',
    source: 'dotnet/xharness#1623, #1636',
    seen: 'The emulator is offline for the whole of each job, job after job; other queues are fine.',
    cause: 'the emulator hangs: a new adb server does not help',
    did: 'had the emulator restarted where it is still offline after adb was',
    lab: { zone: 'Europe/Prague', hubs: [4], emulators: 1, from: '2026-06-01', days: 20 },
    tell(lab) {
      const [emulator] = ofKind(lab, 'emulator') as [LabPhone];
      emulator.isThereAtFirst = false;
      for (const time of ['08:10', '09:31', '11:02', '12:20', '13:47', '15:05']) {
        const at = lab.at(17, time);
        lab.phone(emulator, at, { kind: 'attached', state: 'offline' });
        if (time !== '15:05') lab.phone(emulator, at + 12 * MINUTE, { kind: 'detached' });
      }
      background(lab);
      return {
        at: lab.at(17, '15:16'),
        told: {
          about: ['phone', 'host'],
          keys: [emulator.udid],
          says: /restart|start it/i,
        },
      };
    },
  },
  {
    name: 'three phones on Wi-Fi that are used half an hour of each second one fall asleep in between',
    source: 'openatx/uiautomator2#446, openatx-archive/atx-server#10',
    seen: 'Between the runs the phones, which are not charged, cannot be pinged; to switch the screen on and off holds their Wi-Fi a little longer.',
    cause: 'they switch their Wi-Fi off while they sleep',
    did: 'kept them awake by `svc power stayon`',
    lab: {
      zone: 'Asia/Hong_Kong',
      hubs: [4],
      network: 3,
      from: '2019-09-02',
      days: 24,
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of ofKind(lab, 'tcp'))
        for (let day = 14; day < 22; day += 1)
          for (let hour = 9; hour < 20; hour += 2)
            if (lab.random.chance(0.6))
              losses.push(
                lab.lose(phone, lab.at(day) + (hour + lab.random.between(0.8, 1.1)) * HOUR, {
                  forMs: lab.random.between(25, 50) * MINUTE,
                }),
              );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '08:30'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone', 'network'], says: /Wi-Fi|sleep|awake/i },
      };
    },
  },
  {
    name: 'a headset on Wi-Fi is offline a minute after it was put down, and its debugging is off when it wakes',
    source: 'thedroidgeek/oculus-wireless-adb#3',
    seen: 'adb calls the headset offline after a minute; awake again, the switch of wireless debugging is off.',
    cause: 'its system switches wireless debugging off when it sleeps',
    did: 'switched it on again; the settings of its battery did not help',
    lab: {
      zone: 'Africa/Casablanca',
      hubs: [4],
      network: 1,
      from: '2024-03-11',
      days: 22,
      models: ['Quest 2'],
    },
    tell(lab) {
      const [headset] = ofKind(lab, 'tcp') as [LabPhone];
      const losses = (
        [
          [13, '20:41', 1310],
          [15, '21:12', 1400],
          [17, '19:30', 95],
          [19, '20:55', undefined],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(headset, lab.at(day, time), {
          as: 'offline',
          ...(minutes && { forMs: minutes * MINUTE }),
        }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '22:10'),
        losses,
        blame: ['link', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [headset.udid],
          says: /wireless debugging|sleep|awake|Wi-Fi/i,
        },
      };
    },
  },
];
