/** Incidents of labs with several machines and devices, written up by those who look after them. */
import {
  adbRestarts,
  agentStartsFirst,
  type Background,
  background,
  bot,
  hostDies,
  hostRestarts,
  inUse,
} from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Its tests restart the phone now and then, and nobody takes it. */
const TESTED: Background = { taken: 0.1, restarts: 5 };

export const labsOfOwners: readonly Incident[] = [
  {
    name: 'linux-51 is dead every week or so, as its Ethernet port has switched itself off',
    source:
      'flutter/flutter#155568, flutter/flutter#155939, flutter/flutter#156006, flutter/flutter#156418, flutter/flutter#157105, flutter/flutter#157609',
    seen: 'The service that gives it its tests has not heard of the machine for hours, once for a weekend. It runs, as does its phone: its uptime begins with its last restart.',
    cause: 'the Ethernet port of the machine was disabled by itself',
    did: 'plugged the network cable in anew, each time',
    lab: bot({ from: '2024-09-10', days: 46, models: ['Pixel 7 Pro'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const restart = (at: number, isCut: boolean) => {
        hostRestarts(lab, at);
        phone.busy.push({ from: at - 2 * MINUTE, to: at + 4 * MINUTE });
        if (isCut) lab.host(at + 95 * SECOND, { kind: 'cloudLost', code: 'CLOUD_UNAVAILABLE' });
      };
      for (const [day, time] of [
        [4, '22:40'],
        [9, '13:15'],
        [15, '04:20'],
        [24, '20:05'],
        [33, '11:50'],
        [40, '02:30'],
      ] as const)
        restart(lab.at(day, time), false);
      for (const [restarts, again] of [
        [
          [
            [13, '05:58'],
            [13, '12:24'],
          ],
          [13, '13:08'],
        ],
        [[[17, '23:19']], [20, '09:22']],
        [[[21, '06:27']], [21, '09:36']],
        [[[27, '20:28']], [28, '09:32']],
        [
          [
            [37, '01:47'],
            [38, '03:36'],
          ],
          [38, '09:10'],
        ],
        [[[44, '21:53']], undefined],
      ] as const) {
        for (const [day, time] of restarts) restart(lab.at(day, time), true);
        if (again) lab.host(lab.at(again[0], again[1]), { kind: 'cloudBack' });
      }
      background(lab, TESTED);
      return {
        at: lab.at(45, '09:05'),
        told: {
          about: ['network', 'host'],
          says: /network|ethernet|\bcables?\b|internet|router|\bswitch\b|connection/i,
        },
      };
    },
  },
  {
    name: 'four machines power themselves off on one afternoon, as it is too warm in their room',
    source: 'flutter/flutter#147682',
    seen: 'linux-16, 19, 22 and 51 are dead on May 1.',
    cause: 'most likely the room: it had more than 80 °F',
    did: 'started them again the next day',
    lab: bot({ from: '2024-04-08', days: 26, models: ['Moto G'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const died = lab.at(23, '15:12');
      const startedAt = hostDies(lab, died, lab.at(24, '09:38') - died);
      phone.busy.push({ from: died - 3 * MINUTE, to: startedAt + 3 * MINUTE });
      const usual = inUse(lab);
      const warmFrom = lab.at(21, '08:00');
      phone.reading = (at) => {
        if (at > died && at < startedAt) return undefined;
        const read = usual(at);
        if (read?.temperatureDecicelsius === undefined || at < warmFrom || at >= startedAt) return read;
        const byDegrees = Math.min(8, ((at - warmFrom) / HOUR) * 0.16);
        return { ...read, temperatureDecicelsius: Math.round(read.temperatureDecicelsius + 10 * byDegrees) };
      };
      background(lab, TESTED);
      return {
        at: lab.at(24, '10:10'),
        told: {
          about: ['host', 'room'],
          says: /temperature|\bheat|\bhot\b|\bwarm|\bcool|\bair\b|\bfans?\b|(switched|powered) (itself )?off/i,
        },
        alsoAbout: ['phone', 'room'],
      };
    },
  },
  {
    name: 'linux-15 is dead in the morning, as the cord that feeds it sits loose',
    source: 'flutter/flutter#147063',
    seen: 'The machine is gone since the evening before.',
    cause: 'its power cord had lost its hold',
    did: 'plugged the cord in again',
    lab: bot({ from: '2024-04-01', days: 20, models: ['Moto G4'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const died = lab.at(17, '19:42');
      const startedAt = hostDies(lab, died, lab.at(18, '09:06') - died);
      phone.busy.push({ from: died - 3 * MINUTE, to: startedAt + 3 * MINUTE });
      const usual = inUse(lab);
      phone.reading = (at) => (at > died && at < startedAt ? undefined : usual(at));
      background(lab, TESTED);
      return {
        at: lab.at(18, '09:30'),
        told: {
          about: ['host'],
          says: /\bpower|\bplug|\bcord|supply|socket|outlet|electric/i,
        },
      };
    },
  },
  {
    name: 'Windows machines are gone after an update, until somebody answers what it asks at the screen',
    source:
      'flutter/flutter#105341, flutter/flutter#105444, flutter/flutter#117924, flutter/flutter#120099, flutter/flutter#120106',
    seen: 'Every few weeks some machines of the lab are dead for hours. They are on, with the screen of an update.',
    cause:
      'Windows has updated itself, and does not log in before its questions are answered: so nothing is started there',
    did: 'clicked the questions away; put off the updates for five weeks, as they cannot be switched off for good',
    lab: bot({ from: '2022-05-09', days: 27, models: ['Moto G4'] }),
    tell(lab) {
      agentStartsFirst(lab);
      const [phone] = lab.phones as [LabPhone];
      const away: (readonly [from: number, to: number])[] = [];
      for (const [day, stopped, booted, started] of [
        [3, '03:02:10', '03:09:40', '10:41:30'],
        [25, '03:04:00', '03:13:20', '13:52:00'],
      ] as const) {
        const [at, back] = [lab.at(day, stopped), lab.at(day, started)];
        lab.host(at, { kind: 'agentStopped' });
        lab.host(back, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: lab.at(day, booted),
          lastAliveAt: at,
        });
        away.push([at, back]);
        phone.busy.push({ from: at - 3 * MINUTE, to: back + 3 * MINUTE });
      }
      const usual = inUse(lab);
      phone.reading = (at) => (away.some(([from, to]) => at > from && at < to) ? undefined : usual(at));
      background(lab, { ...TESTED, isUpdated: false });
      return {
        at: lab.at(25, '14:30'),
        told: {
          about: ['host'],
          says: /updat|log(s|ged)? ?(in|on)\b|sign(s|ed)? ?in\b|\bservice\b|autostart|start(s|ed)? .{0,30}(automatic|by itself)|(automatic|by itself).{0,30}start|(at|with|after) (the |its |each |a )?(boot|restart)/i,
        },
      };
    },
  },
  {
    name: 'a phone of linux-41 leaves adb, and is there again when it was restarted by hand a day later',
    source: 'flutter/flutter#134258',
    seen: 'The machine has lost its phone in the afternoon of September 7.',
    cause: 'not named: a restart of the phone alone brought it back',
    did: 'restarted the phone the next day',
    lab: bot({ from: '2023-08-21', days: 20, models: ['Pixel 7'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [2, '05:10'],
        [5, '17:31'],
        [9, '02:48'],
        [14, '11:06'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), { forMs: 38 * SECOND, reason: 'reboot,shell' });
      const [at, back] = [lab.at(17, '14:22'), lab.at(18, '10:08')];
      const losses = [lab.lose(phone, at, { forMs: back - at })];
      lab.rebooted(phone, back + 20 * SECOND, { reason: 'reboot,longkey', uptimeSeconds: 45 });
      background(lab);
      return {
        at: lab.at(17, '16:40'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /restart|reboot|off and on|power button|freez|froze|\bhangs?\b|hung|(switched|powered|turned) off/i,
        },
      };
    },
  },
  {
    name: 'all phones want to be allowed when the farm was set up anew, and once more ten minutes after that',
    source: 'zebrunner/mcloud-agent#12',
    seen: 'The farm is shut down and set up again: no container of a phone stays up. When the phones were told to trust, they work; ten minutes later their screens are grey, and adb says unauthorized.',
    cause: 'the adb of the new containers has another key than the one that the phones know',
    did: 'tapped “trust” on each; in the end ran the script that sets up the host (ansible) again',
    lab: {
      zone: 'Europe/Minsk',
      hubs: [7],
      free: 2,
      usb: true,
      from: '2021-01-04',
      days: 19,
      models: ['Galaxy S20', 'Galaxy A40', 'Pixel 4'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      const setUp = (at: number, forMs: number) => {
        const back = adbRestarts(lab, at, 41, forMs);
        losses.push(
          ...lab.loseAll(phones, back + 300, {
            spreadMs: 500,
            forMs: 2500,
            backAs: 'unauthorized',
            onUsb: {},
          }),
        );
      };
      setUp(lab.at(15, '14:48'), 5.5 * MINUTE);
      for (const [index, phone] of phones.entries())
        lab.phone(
          phone,
          Math.round(lab.at(15, '15:11') + (index * 50 + lab.random.between(0, 20)) * SECOND),
          {
            kind: 'state',
            state: 'device',
            before: 'unauthorized',
          },
        );
      setUp(lab.at(15, '15:25'), 40 * SECOND);
      background(lab);
      return {
        at: lab.at(15, '16:05'),
        losses,
        blame: ['adb', 'host', 'person'],
        told: {
          about: ['phone', 'host'],
          says: /allow|accept|prompt|trust|\bkeys?\b|authori[sz]/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'when one of four test runs ends its emulator, the adb of all of them is gone at times',
    source: 'MarathonLabs/marathon#917',
    seen: 'Up to four executors work on one machine, each with an emulator at ports of its own. Now and then all connections to adb are reset, and the runs of the others break off.',
    cause: 'as an emulator is shut down, the adb server is killed some three seconds later',
    did: 'gave each emulator its own ports, which did not help; showed a trace of the network to the makers of the runner',
    lab: { zone: 'America/Los_Angeles', hubs: [], from: '2025-03-10', days: 16 },
    tell(lab) {
      const { random } = lab;
      const emulators = [5554, 5556, 5558, 5560].map((port) =>
        lab.add('emulator', { name: `emulator-${port}`, isThereAtFirst: false }),
      );
      const runs = emulators.map((emulator) => {
        const ofIt: { emulator: LabPhone; from: number; to: number }[] = [];
        for (const day of lab.workdays()) {
          let from = lab.at(day, '08:10') + random.between(0, 50) * MINUTE;
          while (from < lab.at(day, '20:15')) {
            const to = from + random.between(16, 46) * MINUTE;
            ofIt.push({ emulator, from: Math.round(from), to: Math.round(to) });
            from = to + random.between(3, 35) * MINUTE;
          }
        }
        return ofIt;
      });
      for (const ofIt of runs)
        for (const [index, { emulator, from, to }] of ofIt.entries()) {
          if (index === 0) lab.phone(emulator, from, { kind: 'attached', state: 'device' });
          const next = ofIt[index + 1];
          lab.lose(emulator, to, next ? { forMs: next.from - to } : {});
        }
      const asked = lab.at(15, '15:10');
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [1, '10:20'],
        [2, '15:40'],
        [4, '09:50'],
        [4, '16:15'],
        [8, '11:30'],
        [9, '13:50'],
        [10, '10:05'],
        [11, '14:45'],
        [14, '11:10'],
        [14, '20:00'],
        [15, '14:20'],
      ] as const) {
        const ended = runs.flat().sort((one, other) => one.to - other.to);
        const end = ended.find(({ to }) => to >= lab.at(day, time))?.to ?? 0;
        const killed = end + random.between(2.6, 3.4) * SECOND;
        const others = runs.flat().filter(({ from, to }) => from < killed - MINUTE && to > killed + MINUTE);
        if (killed > asked) continue;
        const back = Math.round(adbRestarts(lab, Math.round(killed), 41, 2 * SECOND));
        for (const { emulator } of others)
          losses.push(lab.lose(emulator, back + 300, { forMs: random.between(1.2, 3) * SECOND }));
      }
      background(lab);
      return {
        at: asked,
        losses,
        blame: ['adb', 'host'],
        told: {
          about: ['host'],
          says: /kill-server|kills? (the )?adb|(ends?|stops?|restarts?) .{0,20}\badb|\badb\b.{0,50}(restart|kill|crash|end|stop|die|replac)|(its|one|own|separate|same) adb|another program/i,
        },
      };
    },
  },
  {
    name: 'three virtual Androids of a service are gone from one day on, as somebody or something turned them off there',
    source: 'golang/go#40523',
    seen: 'Around July 17 the builds on all three stop. Two weeks later it is noticed, after a month somebody with access looks.',
    cause: 'they were turned off at the service that runs them; by whom is not known',
    did: 'turned them on again there',
    cannotShow: 'a device that is turned off at a service looks as if it had left the network',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 3,
      from: '2020-06-29',
      days: 34,
      models: ['Pixel', 'Android of the service'],
    },
    tell(lab) {
      const devices = lab.pinnedOf('tcp');
      const losses = lab.loseAll(devices, lab.at(18, '05:12'), { spreadMs: 40 * SECOND, as: 'offline' });
      background(lab);
      return {
        at: lab.at(32, '12:00'),
        losses,
        blame: ['network', 'phone', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /(switch|turn|power)(ed|s)? .{0,20}\b(on|off)\b|\bpower|\bstart|reach|network|connect/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 6 of a farm at ten metres of extension cable stays for some minutes, at times for seconds',
    source: 'openstf/stf#750',
    seen: 'Each time that somebody works with the phone in the browser it is lost after seconds or a few minutes, and found again. A hub with a power supply at the end of the phone makes no difference.',
    cause:
      'not confirmed: the USB extension is 32 feet long; as for all that get lost so, the farm names the hardware',
    did: 'tried it with and without the hub',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      known: { slots: false },
      usb: true,
      from: '2017-10-16',
      days: 18,
      models: ['Nexus 6', 'Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [11, '19:40', '20:25'],
        [13, '15:10', '16:20'],
        [15, '20:05', '21:10'],
        [16, '18:30', '19:25'],
      ] as const)
        for (let at = lab.at(day, from) + lab.random.between(20, 200) * SECOND; at < lab.at(day, to); ) {
          const forMs = lab.random.between(1.5, 5) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
          const worksFor = lab.random.chance(0.35) ? lab.random.between(9, 50) : lab.random.between(80, 560);
          at += forMs + worksFor * SECOND;
        }
      background(lab);
      return {
        at: lab.at(16, '19:30'),
        losses,
        blame: ['port', 'link'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bcables?\b|extension|shorter|\bplug\b|connector|socket/i,
        },
      };
    },
  },
  {
    name: 'phones that were put on sleds of metal in a rack of metal have no Wi-Fi any more',
    source:
      'https://code.facebook.com/posts/300815046928882/the-mobile-device-lab-at-the-prineville-data-center/',
    seen: 'When the sleds are pushed into their case all phones on them lose Wi-Fi. On a desk each had it.',
    cause: 'too much metal around the phones',
    did: 'gave that up; in the end built a rack with an access point of its own in each',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4, 4],
      direct: 1,
      from: '2015-03-02',
      days: 18,
      models: ['Nexus 5', 'Galaxy S5', 'Moto G'],
    },
    tell(lab) {
      const phones = [...lab.phonesOf(0), ...lab.phonesOf(1)];
      for (const [index, phone] of phones.entries()) {
        phone.isPinned = true;
        const at = lab.at(15, '14:05') + index * 4 * MINUTE + lab.random.between(0, 60) * SECOND;
        lab.lose(phone, at, { forMs: lab.random.between(5, 9) * MINUTE });
        const pushedIn = lab.at(15, '15:02') + lab.random.between(10, 240) * SECOND;
        lab.facts(phone, Math.round(pushedIn), { network: 'UNREACHABLE' });
      }
      background(lab);
      return {
        at: lab.at(16, '10:15'),
        told: {
          about: ['network', 'room', 'phone'],
          says: /wi-?fi|wireless|access point|\bradio|signal|network/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'a machine that is given many phones has none any more, all at once',
    source: 'openatx/atxserver2-android-provider#28',
    seen: 'With many phones at one machine it breaks down: not one phone is there any more. Another owner of a farm has the same.',
    cause: 'not found; thought to be the mainboard, which commonly bears about eight',
    did: 'nothing that helped, other than fewer phones at each machine',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7, 7],
      from: '2019-09-30',
      days: 23,
      models: ['Redmi Note 7', 'HUAWEI P20', 'vivo X21'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const few = phones.filter((_, index) => index % 7 < 4);
      const more = phones.filter((phone) => !few.includes(phone));
      for (const phone of more) phone.isThereAtFirst = false;
      const crashes = (
        [
          [18, '10:20', 3, 22],
          [18, '15:05', 4, 31],
          [21, '10:40', 2, 18],
          [21, '14:15', 5, undefined],
        ] as const
      ).map(([day, time, plugged, minutes]) => {
        const first = lab.at(day, time);
        const at = Math.round(first + plugged * 70 * SECOND + lab.random.between(20, 150) * SECOND);
        return { first, at, plugged, restart: minutes === undefined ? undefined : at + minutes * MINUTE };
      });
      const losses: ToldLoss[] = [];
      for (const { at, restart } of crashes) {
        const back = restart !== undefined && { forMs: restart + 84 * SECOND - at };
        losses.push(...lab.loseAll(few, at, { spreadMs: 900, ...back }));
        if (restart !== undefined) hostRestarts(lab, restart);
      }
      // they are unplugged before each restart
      for (const [index, phone] of more.entries()) {
        const those = crashes.filter(({ plugged }) => index < plugged);
        for (const [turn, { first, at }] of those.entries()) {
          if (turn === 0)
            lab.phone(phone, first + index * 70 * SECOND, { kind: 'attached', state: 'device' });
          const next = those[turn + 1];
          const forMs = next && next.first + index * 70 * SECOND - at;
          losses.push(lab.lose(phone, at + lab.random.between(0, 900), { ...(forMs && { forMs }) }));
        }
      }
      background(lab);
      return {
        at: lab.at(21, '14:50'),
        losses,
        blame: ['host', 'hub', 'adb', 'unknown'],
        told: {
          about: ['host', 'hub'],
          says: /controller|too many|fewer|at most|\blimit|how many|main ?board|motherboard|another (computer|host|machine)|USB card|\bpower/i,
        },
        alsoAbout: ['host', 'hub'],
      };
    },
  },
  {
    name: 'the phone of linux-73 does not come back from a restart between its tests, and is replaced',
    source: 'flutter/flutter#168431',
    seen: 'The machine has lost its phone on May 6.',
    cause: 'the phone is broken: it does not boot any more',
    did: 'replaced it the next day',
    cannotShow: 'a phone that does not boot shows nothing: it looks as if it had been unplugged',
    lab: bot({ from: '2025-04-16', days: 23, usb: true, models: ['Moto G'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [1, '03:20'],
        [4, '14:12'],
        [7, '22:40'],
        [11, '09:33'],
        [14, '18:06'],
        [17, '01:50'],
      ] as const)
        lab.reboot(phone, lab.at(day, time), {
          forMs: lab.random.between(36, 48) * SECOND,
          reason: 'reboot,shell',
        });
      const losses = [lab.lose(phone, lab.at(20, '02:17'))];
      background(lab);
      return {
        at: lab.at(20, '09:40'),
        losses,
        blame: ['phone', 'port', 'link', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bboots?\b|\bstarts?\b|power button|charg|\blook|replac|(switched|powered|turned) (on|off)|screen/i,
        },
      };
    },
  },
];
