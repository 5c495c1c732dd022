/** Incidents of devices that are reached over a network, of emulators, and of phones whose Wi-Fi leads nowhere. */
import { adbRestarts, agentStartsFirst, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It has its internet again. */
function online(lab: Lab, phone: LabPhone, at: number): void {
  lab.facts(phone, at, { network: 'REACHABLE' });
  lab.phone(phone, at, { kind: 'hindered', codes: '' });
}

export const incidents: readonly Incident[] = [
  {
    name: 'an analysis of apps restarts adb, and a device in the cloud goes offline each time',
    source: 'MobSF/Mobile-Security-Framework-MobSF#1911, MobSF/Mobile-Security-Framework-MobSF#2508',
    seen: 'A virtual device of a cloud is found at first; as soon as the analysis begins it is offline, and the analysis fails.',
    cause:
      'the tool runs `adb kill-server` and `adb start-server` before each analysis, which breaks the tunnel',
    did: 'asked for a longer wait, or for an option to leave the restart of adb out',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 1, network: 1, from: '2022-02-07', days: 22 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      for (let day = 10; day < 20; day += 1) {
        if (!lab.isWorkday(day)) continue;
        for (const time of ['10:15', '13:50', '16:25']) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 50) * MINUTE;
          adbRestarts(lab, at, 41, 2 * SECOND);
          const forMs = lab.random.between(15, 600) * SECOND;
          losses.push(...lab.loseAll(phones, at + 3 * SECOND, { as: 'offline', forMs }));
        }
      }
      background(lab);
      return {
        at: lab.at(18, '18:10'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|restarts? (the )?adb|adb .{0,40}restart|another program/i,
        },
      };
    },
  },
  {
    name: 'a phone refuses connections after a day, as its restart ended the mode for the network',
    source: 'AzeemIdrisi/PhoneSploit-Pro#65, shrimqy/Sefirah#276',
    seen: 'A phone was connected over Wi-Fi. After some hours or a day its port 5555 refuses connections, until somebody sets it up by cable again.',
    cause: '`adb tcpip 5555` does not outlast a restart of the phone',
    did: 'ran `adb tcpip 5555` anew after each restart, by cable or by way of wireless debugging',
    lab: { zone: 'America/Santiago', hubs: [], direct: 1, network: 1, from: '2024-02-01', days: 24 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [6, '21:40', 12.4],
        [9, '13:05', 2.2],
        [12, '23:10', 10.3],
        [15, '18:20', 15.1],
        [18, '08:45', 1.3],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = hours * HOUR;
        losses.push(lab.lose(phone, at, { forMs }));
        const asked = forMs + 15 * SECOND;
        lab.rebooted(phone, at + asked, { uptimeSeconds: Math.round(asked / SECOND) - 25 });
      }
      losses.push(lab.lose(phone, lab.at(21, '22:15')));
      background(lab, { hasReadings: false, glitches: 0 });
      return {
        at: lab.at(22, '10:30'),
        losses,
        blame: ['phone', 'link', 'person'],
        told: {
          about: ['phone', 'network'],
          says: /tcpip|5555|mDNS|wireless debugging|after .{0,20}(restart|reboot)|(restart|reboot)(s|ed)\b/i,
        },
      };
    },
  },
  {
    name: 'a tablet on the wall drops out as the router of the provider is unstable',
    source: 'cgarwood/homeassistant-fullykiosk#39',
    seen: 'The connection to a tablet on a wall ends now and then, although its screen is never switched off.',
    cause: 'the router of the internet provider is unstable',
    did: 'took another router',
    lab: {
      zone: 'Europe/Stockholm',
      hubs: [],
      direct: 1,
      network: 1,
      models: ['Galaxy Tab A'],
      from: '2021-02-01',
      days: 24,
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 22; day += 1)
        for (let turn = lab.random.whole(1, 4); turn > 0; turn -= 1) {
          const at = lab.at(day) + turn * 5 * HOUR + lab.random.between(0, 4) * HOUR;
          const forMs = lab.random.between(20, 240) * SECOND;
          losses.push(lab.lose(tablet, at, { forMs }));
        }
      background(lab, { isDaily: true, glitches: 0 });
      return {
        at: lab.at(21, '21:00'),
        losses: losses.filter(({ at }) => at < lab.at(21, '21:00')),
        blame: ['link', 'network'],
        told: { about: ['phone', 'network'], says: /router|access point|Wi-?Fi|signal/i },
      };
    },
  },
  {
    name: 'forty emulators in containers go at once, and their host has to be switched off and on',
    source: 'budtmo/docker-android#86, budtmo/docker-android#89',
    seen: 'After hours or days all containers with emulators are gone at once. Docker can not be started again; only switching the host off and on helps.',
    cause: 'the health check of each container leaves processes of adb behind, until the host chokes on them',
    did: 'switched the host off and on; had the command of the health check end',
    lab: { zone: 'Europe/Vienna', hubs: [], direct: 1, network: 40, from: '2018-06-18', days: 22 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [7, '11:20', 48],
        [9, '04:35', 260],
        [13, '16:10', 35],
        [14, '09:05', 52],
      ] as const) {
        const at = lab.at(day, time);
        const off = at + minutes * MINUTE;
        losses.push(
          ...lab.loseAll(phones, at, {
            spreadMs: 20 * SECOND,
            forMs: (minutes + 6) * MINUTE,
            backSpreadMs: 2 * MINUTE,
          }),
        );
        lab.host(off + 3 * MINUTE, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: off + 2 * MINUTE,
          lastAliveAt: off,
        });
      }
      losses.push(...lab.loseAll(phones, lab.at(18, '09:50'), { spreadMs: 20 * SECOND }));
      background(lab, { hasReadings: false, isUpdated: false, glitches: 0 });
      return {
        at: lab.at(18, '10:30'),
        losses,
        blame: ['host', 'unknown'],
        told: {
          about: ['host', 'network'],
          says: /docker|container|process|health.?check|(restart|reboot|switch|power).{0,30}(host|computer|machine)|(host|computer|machine).{0,60}(restart|reboot|boot|power|hung|hang|froze)/i,
        },
      };
    },
  },
  {
    name: 'a newer emulator dies in each run, seconds after the app has begun to draw',
    source: 'bdero/flutter_scene#314',
    seen: 'Since the emulator was updated, each run ends a few seconds into the app: adb says offline, then nothing answers at its port. Memory of the host was free.',
    cause: 'a fault of the new build of the emulator',
    did: 'went back to the build before',
    cannotShow: 'which build of the emulator runs is not recorded',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, from: '2026-07-27', days: 22 },
    tell(lab) {
      const emulator = lab.add('emulator', { isThereAtFirst: false });
      emulator.isPinned = true;
      const losses: ToldLoss[] = [];
      for (let day = 1; day < 18; day += 1)
        for (const time of ['10:10', '14:20', '17:45']) {
          if (!lab.isWorkday(day) || lab.random.chance(0.25)) continue;
          const from = lab.at(day, time) + lab.random.between(0, 40) * MINUTE;
          lab.phone(emulator, from, { kind: 'attached', state: 'device' });
          const isOld = day < 11;
          const until = from + (isOld ? 14 : 3) * MINUTE + lab.random.between(0, 90) * SECOND;
          if (isOld) lab.phone(emulator, until, { kind: 'detached' });
          else {
            losses.push(lab.lose(emulator, until, { as: 'offline' }));
            lab.phone(emulator, until + 30 * SECOND, { kind: 'detached' });
          }
        }
      background(lab);
      return {
        at: lab.at(17, '20:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /(version|build|release|update).{0,60}emulator|emulator.{0,60}(version|build|release|update)/i,
        },
      };
    },
  },
  {
    name: 'a phone has no Wi-Fi after an update, in a network that knows IPv6 only',
    source: 'GrapheneOS/os-issue-tracker#4014',
    seen: 'After the restart into the update of the system the phone no longer joins the Wi-Fi, which is without DHCP and has IPv6 only.',
    cause: 'the new build of the system joins no network without DHCPv4',
    did: 'installed the next build, two days later',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 1,
      models: ['Pixel 7 Pro', 'Pixel 6', 'Pixel 6'],
      from: '2024-09-01',
      days: 22,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(17, '22:30');
      lab.reboot(phone, at, { forMs: 70 * SECOND, reason: 'reboot' });
      lab.phone(phone, at + 2 * MINUTE, { kind: 'os', build: '2024091700', buildBefore: '2024090400' });
      lab.facts(phone, at + 3 * MINUTE, { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(18, '12:00'),
        told: { about: ['phone'], keys: [phone.udid], says: /update|\bbuild\b|new version|IPv6|DHCP/i },
      };
    },
  },
  {
    name: 'tablets seem to be on Wi-Fi after it was away, and have no internet until they are restarted',
    source: 'me176c-dev/android_device_asus_K013#28',
    seen: 'When the Wi-Fi was lost the tablet connects again, so it seems, yet has no internet.',
    cause: 'a fault of the system of these tablets, which its maintainer confirmed',
    did: 'restarted the tablet; with some it was enough to switch Wi-Fi off and on',
    lab: { zone: 'Europe/Istanbul', hubs: [], direct: 3, models: ['ME176C'], from: '2017-07-17', days: 22 },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      for (const [phone, day, time, hours] of [
        [first, 5, '10:40', 3.5],
        [second, 8, '15:15', 1.4],
        [first, 10, '19:20', 13.8],
        [second, 13, '09:50', 5.2],
        [first, 16, '12:05', 2.1],
      ] as const) {
        const at = lab.at(day, time);
        lab.facts(phone, at, { network: 'UNREACHABLE' });
        const restart = at + hours * HOUR;
        lab.reboot(phone, restart, { forMs: 50 * SECOND, reason: 'reboot' });
        online(lab, phone, restart + 2 * MINUTE);
      }
      lab.facts(first, lab.at(19, '09:30'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(19, '13:00'),
        told: {
          about: ['phone'],
          keys: [first.udid],
          says: /(turn|switch|toggle).{0,30}Wi-?Fi|Wi-?Fi.{0,40}(off and on|again)|restart|reboot/i,
        },
      };
    },
  },
];
