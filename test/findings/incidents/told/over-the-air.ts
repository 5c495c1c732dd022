/** Incidents of devices on a network: televisions, tablets, containers, emulators of a CI. */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const pinnedOf = (lab: Lab, wanted: LabPhone['connection']): LabPhone[] => {
  const phones = lab.phones.filter(({ connection }) => connection === wanted);
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** It restarts, and is reached again long after that. */
function restartsUnreached(
  lab: Lab,
  phone: LabPhone,
  at: number,
  { awayMs, upAfterMs, reason }: { awayMs: number; upAfterMs: number; reason?: string },
): ToldLoss {
  const asked = at + awayMs + lab.random.between(8, 40) * SECOND;
  const uptimeSeconds = Math.round((asked - at - upAfterMs) / SECOND);
  lab.rebooted(phone, asked, { uptimeSeconds, ...(reason && { reason }) });
  return lab.lose(phone, at, { forMs: awayMs });
}

export const incidents: Incident[] = [
  {
    name: 'the emulators of a CI die in each run since the app has frosted screens',
    source: 'zodl-inc/zodl-android#2455',
    seen: 'Since a change was merged, in all three jobs the emulator is gone in the middle of the run: adb does not find it, and its port refuses connections. The emulator says “Failed to find ColorBuffer” before.',
    cause:
      'the software renderer of the emulator loses buffers under the blur of the new screens, and takes the emulator down',
    did: 'ran the emulators with another renderer, SwANGLE instead of SwiftShader',
    lab: { zone: 'America/New_York', hubs: [], emulators: 3, from: '2026-08-03', days: 19 },
    tell(lab) {
      const emulators = pinnedOf(lab, 'emulator');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [16, '15:40'],
        [16, '18:05'],
        [17, '09:10'],
        [17, '10:50'],
        [17, '13:30'],
        [17, '15:15'],
      ] as const)
        for (const emulator of emulators) {
          const at = lab.at(day, time) + lab.random.between(2, 9) * MINUTE;
          const next = lab.at(day, time) + lab.random.between(40, 70) * MINUTE;
          losses.push(lab.lose(emulator, at, { forMs: next - at }));
        }
      background(lab);
      return {
        at: lab.at(17, '16:40'),
        losses,
        blame: ['phone', 'host'],
        told: {
          about: ['phone', 'host'],
          says: /\bGPU\b|graphics|render|SwANGLE|SwiftShader|log of the emulator|emulator.{0,30}\blog\b/i,
        },
      };
    },
  },
  {
    name: 'virtual devices that a fuzzer launches anew stay away until somebody connects them',
    source: 'google/clusterfuzz#2379',
    seen: 'For each build of the kernel the Cuttlefish devices are launched anew, which takes more than ten minutes. After that they are not connected.',
    cause: 'the connection of adb is lost with the launch, and nothing makes it again',
    did: 'had them connected again after the launch, and waits longer for it',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 2, network: 2, from: '2021-06-28', days: 18 },
    tell(lab) {
      const devices = pinnedOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (const day of [4, 7, 9, 11, 14, 16]) {
        const at = lab.at(day, '02:20') + lab.random.between(0, 30) * MINUTE;
        const connected = lab.at(day, '09:20') + lab.random.between(0, 90) * MINUTE;
        for (const [index, device] of devices.entries()) {
          const from = at + index * 20 * SECOND;
          if (day === 16) losses.push(lab.lose(device, from));
          else {
            const awayMs = connected + index * 15 * SECOND - from;
            const upAfterMs = lab.random.between(10, 14) * MINUTE;
            losses.push(restartsUnreached(lab, device, from, { awayMs, upAfterMs }));
          }
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '08:50'),
        losses,
        blame: ['phone', 'person', 'adb', 'link', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /adb connect|reconnect|connect(ed)? (it|them)?\s*again/i,
        },
      };
    },
  },
  {
    name: 'a container with Android has no internet after it was started or frozen',
    source: 'waydroid/waydroid#2395',
    seen: 'After each start of the session, and after it was frozen for a while, the container has its address, and no internet. The host offers gateway and DNS correctly.',
    cause: 'Android drops gateway and DNS of the lease: there is no default route',
    did: 'sets the route by a script after each start',
    cannotShow: 'no record holds the routes of a phone',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 1, from: '2026-07-27', days: 22 },
    tell(lab) {
      const [container] = pinnedOf(lab, 'tcp') as [LabPhone];
      for (const day of [8, 11, 13, 15, 18, 20]) {
        const at = lab.at(day, '09:05') + lab.random.between(0, 40) * MINUTE;
        lab.reboot(container, at, { forMs: lab.random.between(40, 80) * SECOND });
        const offline = at + 3 * MINUTE;
        lab.facts(container, offline, { network: 'UNREACHABLE' });
        if (day === 20) continue;
        lab.facts(container, offline + lab.random.between(10, 60) * MINUTE, { network: 'REACHABLE' });
        const thawed = lab.at(day, '14:30') + lab.random.between(0, 90) * MINUTE;
        lab.facts(container, thawed, { network: 'UNREACHABLE' });
        lab.facts(container, thawed + lab.random.between(5, 40) * MINUTE, { network: 'REACHABLE' });
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '11:30'),
        told: {
          about: ['phone'],
          keys: [container.udid],
          says: /\broutes?\b|gateway|DHCP|\bDNS\b/i,
        },
      };
    },
  },
  {
    name: 'phones leave a weak Wi-Fi by themselves, whenever the router does not answer for seconds',
    source: 'https://cnblogs.com/bluestorm/p/15986645.html',
    seen: 'Users report that the Wi-Fi is disconnected at random. It happens where there is much interference, or little signal.',
    cause:
      'the phone asks for its gateway every 20 s or so; when three questions within seconds are not answered, it takes the network for lost, and disconnects',
    did: 'switched that check of Android off, or had it ask more often; the interference stays',
    lab: { zone: 'Asia/Shanghai', hubs: [4], network: 5, from: '2022-02-28', days: 20 },
    tell(lab) {
      const phones = pinnedOf(lab, 'tcp');
      const losses: ToldLoss[] = [];
      for (const phone of phones.slice(0, 3))
        for (let day = 8; day < 19; day += 1)
          for (let turn = lab.random.whole(1, 4); turn > 0; turn -= 1) {
            const at = lab.at(day, '08:30') + turn * 140 * MINUTE + lab.random.between(0, 120) * MINUTE;
            losses.push(lab.lose(phone, at, { forMs: lab.random.between(8, 35) * SECOND }));
          }
      background(lab);
      return {
        at: lab.at(18, '20:30'),
        losses,
        blame: ['link', 'network', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network', 'room'],
          says: /interference|signal|access point|nearer|closer|channel|gateway|router/i,
        },
      };
    },
  },
  {
    name: 'since an update of Amazon two Fire TV sticks want a key',
    source: 'happyleavesaoc/python-firetv#67',
    seen: 'The sticks, which worked before, are not connected any more; others see the same. From another computer, whose key was accepted, it works.',
    cause: 'an update of the sticks: they ask for a key since',
    did: 'accepted the connection at the Fire TV itself',
    lab: {
      zone: 'Europe/Rome',
      hubs: [],
      direct: 1,
      network: 2,
      models: ['Fire TV'],
      from: '2018-11-12',
      days: 18,
    },
    tell(lab) {
      for (const [index, stick] of pinnedOf(lab, 'tcp').entries()) {
        const at = lab.at(14, '03:25') + index * 26 * MINUTE;
        lab.lose(stick, at, { forMs: lab.random.between(4, 7) * MINUTE, backAs: 'unauthorized' });
      }
      background(lab, { hasReadings: false, hours: [18, 23], isDaily: true });
      return {
        at: lab.at(15, '20:10'),
        told: {
          about: ['phone', 'host', 'network'],
          says: /allow|accept|confirm|authori[sz]/i,
        },
      };
    },
  },
  {
    name: 'a tablet is not reached after each restart until wireless debugging is switched on by hand',
    source: 'mrh929/magisk-wifiadb#12',
    seen: 'After each restart of the Pixel Tablet wireless debugging is off, though a module was to keep it on.',
    cause:
      'Android does not keep wireless debugging over a restart, and the script of the module that is to switch it on fails',
    did: 'switched it on by hand, then by a task that runs at the start; later versions of the module set `persist.adb.tcp.port`',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      network: 2,
      models: ['Pixel', 'Pixel Tablet', 'Shield'],
      from: '2024-04-29',
      days: 23,
    },
    tell(lab) {
      const [tablet] = pinnedOf(lab, 'tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours, reason] of [
        [5, '11:20', 0.4, 'reboot,userrequested'],
        [9, '22:40', 10.2, 'reboot'],
        [13, '16:05', 2.6, 'reboot,userrequested'],
        [17, '08:30', 0.9, 'reboot,userrequested'],
      ] as const)
        losses.push(
          restartsUnreached(lab, tablet, lab.at(day, time), {
            awayMs: hours * HOUR,
            upAfterMs: 25 * SECOND,
            reason,
          }),
        );
      losses.push(lab.lose(tablet, lab.at(20, '21:15')));
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /wireless debugging|adb tcpip|persist\.adb|debugging (over|by) (Wi-Fi|the network)/i,
        },
      };
    },
  },
  {
    name: 'a tablet does not see its access point after the restart for an update, and does after another restart',
    source: 'GrapheneOS/os-issue-tracker#4848',
    seen: 'Three times, after the restart for an update, the tablet does not see the access point on channel 13 of 2.4 GHz. It sees others. To switch Wi-Fi off and on does not help.',
    cause: 'not found: the Wi-Fi of the tablet, after some starts, leaves that channel out',
    did: 'restarted it once more',
    lab: {
      zone: 'Europe/Kyiv',
      hubs: [2],
      network: 2,
      models: ['Pixel', 'Pixel', 'Pixel Tablet', 'Pixel'],
      from: '2025-01-13',
      days: 34,
    },
    tell(lab) {
      const [tablet] = pinnedOf(lab, 'tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours, build, buildBefore] of [
        [6, '09:40', 1.3, '2025011500', '2025010700'],
        [18, '20:15', 12.6, '2025012701', '2025011500'],
      ] as const) {
        const at = lab.at(day, time);
        const awayMs = hours * HOUR;
        const reason = 'reboot,userrequested';
        losses.push(restartsUnreached(lab, tablet, at, { awayMs, upAfterMs: awayMs - 35 * SECOND, reason }));
        lab.phone(tablet, Math.round(at + awayMs + MINUTE), { kind: 'os', build, buildBefore });
      }
      losses.push(lab.lose(tablet, lab.at(31, '10:20')));
      background(lab);
      return {
        at: lab.at(31, '15:10'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /\b(restart|reboot)|channel|2\.4|access point/i,
        },
      };
    },
  },
  {
    name: 'a tablet and a phone leave the Wi-Fi every few days, and want its password again',
    source: 'GrapheneOS/os-issue-tracker#6493',
    seen: 'Some time after it was connected a device drops the Wi-Fi, at random, in the median after some days, and does not come back by itself. It says “Check password”, though the saved one is right and the router allows the device.',
    cause: 'not found: the system of the phones with some routers',
    did: 'typed the password in again; it did not happen any more after the Wi-Fi mode of the router was changed',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      direct: 1,
      network: 4,
      models: ['Pixel', 'Pixel Tablet', 'Pixel', 'Galaxy', 'Xiaomi'],
      from: '2025-10-20',
      days: 26,
    },
    tell(lab) {
      const [tablet, phone] = pinnedOf(lab, 'tcp') as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      const leaves = (device: LabPhone, day: number, time: string, hours: number) =>
        losses.push(lab.lose(device, lab.at(day, time), { forMs: hours * HOUR }));
      leaves(tablet, 7, '13:12', 4.6);
      leaves(tablet, 10, '02:47', 6.9);
      leaves(tablet, 12, '16:30', 1.2);
      leaves(tablet, 16, '23:05', 9.7);
      leaves(tablet, 19, '11:51', 2.4);
      leaves(tablet, 22, '05:18', 3.5);
      leaves(phone, 9, '19:22', 2.1);
      leaves(phone, 14, '04:40', 5.3);
      leaves(phone, 20, '14:09', 3.8);
      losses.push(lab.lose(tablet, lab.at(24, '06:33')));
      background(lab);
      return {
        at: lab.at(24, '10:20'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /password|forget|\bjoin|access point|router|Wi-Fi (mode|standard|settings)/i,
        },
      };
    },
  },
];
