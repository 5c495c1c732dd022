/**
 * Incidents of phones that are kept as servers, proxies and gateways, and of hubs whose ports are switched off and on by a
 * program.
 */
import { agentStartsFirst, background, hostDies, levels, notReadIn } from '../background.ts';
import {
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  type Reading,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at a port of the computer of somebody who keeps it as a server. */
const alone: LabOptions = { zone: 'America/Chicago', hubs: [], direct: 1, known: { slots: false } };

/** What helps with a phone that a program on it brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|program|memory|storage|crash|kernel|firmware|panic|update|\blogs?\b|bug ?report|by itself/i;

/** It has no internet from one moment to another, as far as anybody asks it. */
function withoutInternet(lab: Lab, phone: LabPhone, from: number, to = lab.end): void {
  lab.facts(phone, from, { network: 'UNREACHABLE' });
  if (to >= lab.end) return;
  lab.facts(phone, to, { network: 'REACHABLE' });
  lab.phone(phone, to, { kind: 'hindered', codes: '' });
}

/** Its camera is on day and night, at its charger. */
const filming =
  (least: number): Reading =>
  (at) => ({
    levelPercent: 100,
    isFull: true,
    temperatureDecicelsius: least + Math.round(14 * Math.sin(at / (4 * HOUR)) + ((at / MINUTE) % 7)),
  });

/** It stands still from one moment to another, when somebody holds its power button. */
function stuck(lab: Lab, phone: LabPhone, from: number, to: number): void {
  lab.facts(phone, from, { isSilent: true, silentSince: from });
  lab.reboot(phone, to, { forMs: lab.random.whole(48, 80) * SECOND });
  lab.facts(phone, to + 2 * MINUTE, { isSilent: false });
}

export const proxiesAndPower: readonly Incident[] = [
  {
    name: 'a phone that serves as a proxy does not leave airplane mode when it is to get a new address',
    source: 'proxidize/proxidize-android#35',
    seen: 'For a new address the phone goes into airplane mode for a moment. At times it stays there, and the proxy refuses connections until somebody switches it off by hand.',
    cause: 'the app does not bring the phone out of airplane mode again; why is not told',
    did: 'was told to root the phone, and to have another app switch airplane mode off whenever it is on',
    lab: {
      zone: 'Asia/Ho_Chi_Minh',
      hubs: [7],
      free: 1,
      models: ['Galaxy A20'],
      from: '2022-12-05',
      days: 27,
    },
    tell(lab) {
      const [first, second] = [lab.pinned(1), lab.pinned(4)];
      // what anybody sees of the moments in which it goes well
      for (const [phone, day, time] of [
        [second, 6, '11:20'],
        [first, 11, '16:40'],
        [second, 16, '03:00'],
      ] as const)
        withoutInternet(lab, phone, lab.at(day, time), lab.at(day, time) + 5 * MINUTE);
      for (const [phone, from, to] of [
        [first, lab.at(19, '14:20'), lab.at(19, '15:12')],
        [second, lab.at(22, '02:10'), lab.at(22, '08:07')],
        [first, lab.at(25, '09:47'), lab.end],
      ] as const)
        withoutInternet(lab, phone, from, to);
      background(lab, { taken: 0.2, isDaily: true });
      return {
        at: lab.at(25, '11:30'),
        told: {
          about: ['phone'],
          keys: [first.udid],
          says: /air ?plane|aeroplane|flight|mobile data|cellular|\bSIM\b|Wi-?Fi|internet/i,
        },
      };
    },
  },
  {
    name: 'two phones that give a small computer its internet over USB lose their own, until the cable is out',
    source: 'Ysurac/openmptcprouter#2732',
    seen: 'The phones share their mobile internet with the computer. After minutes or some hours no page loads any more, on the phone itself neither; a ping goes through. Shortly after its cable is pulled the phone is well. Other SIM cards and operators change nothing.',
    cause: 'not found',
    did: 'pulled the cable and put it in again, each time',
    lab: {
      zone: 'Europe/Bratislava',
      hubs: [],
      direct: 2,
      known: { slots: false },
      models: ['Galaxy A52', 'Redmi Note 10'],
      from: '2022-12-26',
      days: 22,
    },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [phone, day, from, to] of [
        [first, 13, '16:24', '16:51'],
        [second, 14, '19:05', '19:22'],
        [first, 16, '10:41', '11:30'],
        [first, 17, '20:12', '20:20'],
        [second, 18, '14:33', '15:48'],
        [first, 19, '17:02', '17:09'],
      ] as const) {
        const [gone, pulled] = [lab.at(day, from), lab.at(day, to)];
        const forMs = lab.random.between(25, 150) * SECOND;
        losses.push(lab.lose(phone, pulled, { forMs }));
        withoutInternet(lab, phone, gone, pulled + forMs + 40 * SECOND);
      }
      withoutInternet(lab, second, lab.at(20, '11:16'));
      background(lab);
      return {
        at: lab.at(20, '12:25'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [second.udid],
          says: /internet|mobile data|cellular|\bSIM\b|Wi-?Fi/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a phone that forwards text messages takes none any more after some days, though all of it runs',
    source: 'capcom6/android-sms-gateway#440',
    seen: 'Messages arrive on the phone, and are not sent on: the app writes nothing of them, while its server runs and answers. The phone has not restarted, and has enough memory.',
    cause: 'the app is no longer registered for messages; it was never killed',
    did: 'stopped its server and started it again, which helps for the next days',
    cannotShow: 'phone and adb are fine, and what an app is registered for is not recorded',
    lab: { ...alone, zone: 'America/Los_Angeles', models: ['Moto G'], from: '2026-08-10', days: 22 },
    tell(lab) {
      background(lab, { taken: 0.3, restarts: 0 });
      return { at: lab.at(20, '10:15') };
    },
  },
  {
    name: 'several old phones as servers of their cameras restart when nobody wants it, or stand still',
    source: 'https://news.ycombinator.com/item?id=15530277',
    seen: 'Phones of several makers are tried as servers of a camera. Each of them restarts sooner or later when it should not, or locks up, while a small board does the same work for almost a year.',
    cause: 'not found: Android is suspected, and that the phones are too hot, as they are not made for it',
    did: 'took the small board',
    lab: {
      zone: 'America/Denver',
      hubs: [4],
      free: 1,
      known: { slots: false },
      models: ['Galaxy S4', 'Nexus 5', 'Moto G'],
      from: '2017-09-18',
      days: 35,
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      const [first, second, third] = phones as [LabPhone, LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      for (const [phone, day, time] of [
        [first, 8, '03:36'],
        [second, 13, '15:20'],
        [first, 17, '22:51'],
        [third, 20, '12:08'],
        [first, 24, '05:17'],
        [second, 26, '19:42'],
        [first, 27, '14:30'],
        [first, 31, '01:55'],
        [third, 32, '17:24'],
        [first, 33, '11:03'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, {
            forMs: lab.random.whole(44, 75) * SECOND,
          }),
        );
      const nights = [
        [second, lab.at(10, '23:41'), lab.at(11, '08:15')],
        [third, lab.at(22, '02:26'), lab.at(22, '18:40')],
        [second, lab.at(30, '13:12'), lab.at(30, '20:05')],
      ] as const;
      for (const [phone, from, to] of nights) stuck(lab, phone, from, to);
      for (const [index, phone] of phones.entries()) {
        const reading = filming(352 + 12 * index);
        const still = nights.filter(([each]) => each === phone);
        phone.reading = (at) =>
          still.some(([, from, to]) => at >= from && at < to) ? undefined : reading(at);
      }
      background(lab, { taken: 0 });
      return {
        at: lab.at(33, '12:20'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          keys: phones.map(({ udid }) => udid),
          says: new RegExp(`${BROUGHT_DOWN.source}|heat|\\bhot\\b|warm|cool|temperature|replac`, 'i'),
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a Galaxy S5 that serves web pages cannot be reached two or three hours after its screen went off',
    source: 'meefik/linuxdeploy#1074',
    seen: 'The phone runs Linux beside Android, with a web server. After two to three hours nothing of it answers over Wi-Fi; somebody presses its home key, the screen goes on, and all of it is there again.',
    cause: 'the phone sleeps while its screen is off',
    did: 'had its screen go on every half an hour; in the end set the screen to stay on while it charges',
    lab: {
      zone: 'Europe/Bucharest',
      hubs: [],
      network: 1,
      known: { slots: false },
      models: ['Galaxy S5'],
      from: '2019-03-11',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const times = (
        [
          [12, '22:41', 13, '07:52'],
          [13, '10:30', 13, '12:46'],
          [13, '15:21', 13, '17:58'],
          [13, '20:09', 13, '21:15'],
          [14, '00:03', 14, '08:20'],
          [14, '10:44', 14, '18:31'],
          [14, '21:10', 14, '21:34'],
          [15, '00:17', 15, '07:49'],
          [15, '10:02', 15, '18:40'],
        ] as const
      ).map(
        ([day, from, endDay, to]) =>
          [lab.at(day, from) + lab.random.whole(0, 55) * SECOND, lab.at(endDay, to)] as const,
      );
      const losses = times.map(([from, to]) => lab.lose(phone, from, { forMs: to - from }));
      losses.push(lab.lose(phone, lab.at(15, '21:26')));
      notReadIn(lab, phone, times);
      background(lab);
      return {
        at: lab.at(15, '22:15'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /sle(ep|pt)|screen|awake|doze|Wi-?Fi|standby|(power|battery) sav/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a Nexus 5X restarts at once whenever a VPN is started in the Debian that runs on it',
    source: 'meefik/linuxdeploy#528',
    seen: 'The phone was just set back. As soon as the service of the VPN starts, it restarts; started by hand in the foreground the VPN runs well. Two versions of it and two builds of Debian are alike.',
    cause: 'most likely the kernel of the phone: it panics when that program goes into the background',
    did: 'started it in the foreground, and asked why',
    lab: { ...alone, usb: true, models: ['Nexus 5X'], from: '2016-06-06', days: 17 },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(13, '18:50'), { forMs: 190 * SECOND, reason: 'reboot,factory_reset' });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '20:16'],
        [14, '20:23'],
        [14, '20:47'],
        [14, '21:38'],
        [15, '18:05'],
        [15, '18:31'],
        [15, '19:54'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, {
            forMs: lab.random.whole(41, 58) * SECOND,
          }),
        );
      background(lab);
      return {
        at: lab.at(15, '20:40'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a small computer cuts the power of a Fairphone at 80 %, and looks at it again every quarter of an hour',
    source:
      'https://forum.fairphone.com/t/battery-charge-limit-without-root-but-with-raspberrypi-smart-charger-hack/125125',
    seen: 'The phone is at the port of a Raspberry Pi at night. Once its battery is at the limit it leaves USB; from time to time it is there for some seconds, and gone again.',
    cause:
      'a program asks the phone for its level by adb, and switches the port off for a while at the limit',
    did: 'nothing: it is meant to be so, to spare the battery',
    cannotShow: 'nothing that is recorded tells a port that a program switches off from a loose contact',
    lab: {
      ...alone,
      zone: 'Europe/Berlin',
      usb: true,
      models: ['Fairphone 4'],
      from: '2025-10-06',
      days: 21,
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const points: [number, number][] = [];
      const losses: ToldLoss[] = [];
      let taken = lab.start;
      for (let day = 0; day < 20; day += 1) {
        const [level, limit] = [random.whole(28, 61), 80];
        const plugged = lab.at(day, '21:50') + random.between(0, 110) * MINUTE;
        // half an ampere: some 11 % in an hour
        const full = plugged + ((limit - level) / 11) * HOUR;
        const morning = lab.at(day + 1, '07:05') + random.between(0, 70) * MINUTE;
        points.push([plugged, level], [full, limit], [morning, limit]);
        lab.lose(phone, taken, { forMs: plugged - taken });
        taken = Math.min(full, morning);
        while (taken < morning) {
          const off = 15 * MINUTE + random.between(0, 4) * SECOND;
          const [from, back] = [taken, taken + off];
          if (back > morning) break;
          const loss = lab.lose(phone, from, { forMs: off });
          if (day >= 18) losses.push(loss);
          // it is at 79 % now and then, and charges for some minutes
          taken =
            back + (random.chance(0.25) ? random.between(4, 8) * MINUTE : random.between(5, 9) * SECOND);
        }
      }
      phone.reading = levels(points);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(20, '07:00'),
        losses: losses.filter(({ at }) => at < lab.at(20, '07:00')),
        blame: ['person', 'host', 'port', 'unknown'],
      };
    },
  },
  {
    name: 'the ports of a hub are switched off so that its phones do not charge, and they go on charging',
    source: 'mvp/uhubctl#26, mvp/uhubctl#95',
    seen: 'With the ports switched off the phones leave the computer, and yet their levels rise.',
    cause:
      'the wrong switch was used, as a meter between hub and phone showed a year later; the hubs can do it',
    did: 'opened a hub and looked for a part that is missing; then measured, and used the right one',
    lab: {
      zone: 'Europe/Stockholm',
      hubs: [7, 7, 7],
      free: 12,
      known: { slots: false },
      models: ['Galaxy S7', 'Pixel', 'Xperia Z5'],
      from: '2018-04-02',
      days: 19,
    },
    tell(lab) {
      const phones = lab.phonesOf(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '19:42', 24],
        [15, '20:31', 41],
        [16, '18:20', 63],
        [16, '19:55', 35],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time) + lab.random.whole(0, 50) * SECOND, {
            spreadMs: 700,
            forMs: minutes * MINUTE,
            backSpreadMs: 900,
          }),
        );
      // as on the evenings before, when no port was switched
      for (const [index, phone] of phones.entries())
        phone.reading = levels(
          lab
            .workdays(0, 18)
            .flatMap((day) => [
              [lab.at(day, '09:00'), 100] as const,
              [lab.at(day, '18:00'), 46 + 4 * index] as const,
              [lab.at(day, '21:40'), 79 + 2 * index] as const,
              [lab.at(day, '23:50'), 100] as const,
            ]),
        );
      background(lab, { taken: 0.4 });
      return {
        at: lab.at(16, '21:10'),
        losses,
        blame: ['person', 'hub', 'host', 'unknown'],
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'to switch one port of a bought hub off takes the power of all its phones',
    source: 'mvp/uhubctl#449',
    seen: 'Whoever switches port 1 switches all ports; to switch another does nothing. The program reports exactly what it was told to do. Switched off once, they are on again after a second.',
    cause: 'the hub has one switch for all its ports; and the kernel gives a port its power back at once',
    did: 'sent the command some 200 times in a row, so that they stay off; needs one phone only, and left it so',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 1,
      usb: true,
      known: { slots: false },
      models: ['Pixel 4a', 'Galaxy A32', 'Moto G Power'],
      from: '2022-08-15',
      days: 20,
    },
    tell(lab) {
      const { random } = lab;
      const phones = lab.pinnedOf('usb');
      const losses: ToldLoss[] = [];
      for (const [day, time, seconds] of [
        [16, '19:12', 1.4],
        [16, '19:14', 1.1],
        [16, '19:21', 1.6],
        [16, '19:40', 95],
        [16, '20:03', 240],
        [16, '21:17', 1260],
        [17, '08:22', 38],
        [17, '08:31', 610],
      ] as const)
        losses.push(
          ...lab.loseAll(phones, lab.at(day, time) + random.whole(0, 50) * SECOND, {
            spreadMs: 120,
            forMs: seconds * SECOND,
            backSpreadMs: 500,
          }),
        );
      background(lab);
      return {
        at: lab.at(17, '09:05'),
        losses,
        blame: ['person', 'hub', 'host', 'unknown'],
        told: { about: ['hub', 'host', 'port'], says: /power|suppl|switch/i },
        alsoAbout: ['hub', 'host'],
      };
    },
  },
  {
    name: 'a computer locks up whenever a port of its new hub is switched off and on',
    source: 'mvp/uhubctl#250',
    seen: 'To cycle the power of one port ends in a crash of the kernel, and the computer stands still. A second computer with the same Linux does the same. A serial port of the device is open meanwhile.',
    cause: 'most likely the kernel: a driver still talks to a device that is without power',
    did: 'was told to try a newer kernel; wanted to tell the kernel first that the device goes',
    lab: {
      zone: 'Europe/Lisbon',
      hubs: [7],
      free: 3,
      models: ['Pixel 3a', 'Galaxy A51'],
      from: '2020-06-08',
      days: 19,
    },
    tell(lab) {
      agentStartsFirst(lab);
      const down: [number, number][] = [];
      for (const [day, time, minutes] of [
        [15, '16:42', 11],
        [15, '17:25', 4],
        [16, '10:08', 6],
        [16, '10:51', 3],
        [16, '14:17', 5],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(5, 50) * SECOND;
        const startedAt = hostDies(lab, at, minutes * MINUTE + lab.random.whole(0, 50) * SECOND);
        down.push([at, startedAt]);
      }
      for (const phone of lab.phones) {
        for (const [from, to] of down) phone.busy.push({ from: from - 2 * MINUTE, to: to + 2 * MINUTE });
        notReadIn(lab, phone, down);
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '15:10'),
        told: {
          about: ['host', 'room'],
          says: /crash|hang|hung|fr[eo]+z|kernel|driver|journal|\blogs?\b|power/i,
        },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'too much current at one port of a hub brings the phone back that was switched off at another',
    source: 'mvp/uhubctl#214',
    seen: 'A port was switched off. When something at another port of the same hub draws too much, the kernel writes of over-current, and the first one has its power again.',
    cause:
      'the kernel gives all ports of the hub their power anew after over-current, as it does not know of the switched one',
    did: 'traced it in the kernel, and found a setting of the port that the kernel does know of',
    lab: {
      zone: 'Australia/Sydney',
      hubs: [4],
      usb: true,
      known: { slots: false },
      models: ['Pixel 3', 'Pixel 2', 'Pixel 3a', 'Pixel 4'],
      from: '2020-01-27',
      days: 17,
    },
    tell(lab) {
      const { random } = lab;
      const [greedy, switched] = [lab.pinned(1), lab.pinned(3)];
      const losses: ToldLoss[] = [];
      for (const [day, off, overdrawn] of [
        [10, '16:20', '16:52'],
        [11, '09:31', '11:08'],
        [14, '10:02', '10:27'],
        [14, '15:11', '16:40'],
        [15, '09:45', '10:03'],
      ] as const) {
        const from = lab.at(day, off) + random.whole(0, 50) * SECOND;
        const at = lab.at(day, overdrawn) + random.whole(0, 50) * SECOND;
        const where = lab.where(greedy, at);
        losses.push(lab.lose(greedy, at + 40, { forMs: random.between(14, 50) * SECOND }));
        lab.kernel(at + 200, where, 'overCurrent');
        lab.lose(switched, from, { forMs: at + 900 - from });
      }
      background(lab);
      return {
        at: lab.at(15, '10:40'),
        losses,
        blame: ['port', 'phone', 'link', 'hub', 'unknown'],
        told: {
          about: ['port', 'phone', 'hub'],
          keys: [lab.portKey(greedy), greedy.udid, lab.hubKey(0)],
          says: /over-?current|too much (current|power)|short circuit|\bdraws?\b/i,
        },
        alsoAbout: ['port', 'phone', 'hub'],
      };
    },
  },
  {
    name: 'a tablet whose USB hangs cannot be cycled at the sockets of a screen, which give the power back at once',
    source: 'mvp/uhubctl#5',
    seen: 'An Android tablet at the screen of a MacBook hangs on USB now and then. Its port is switched off to cure that, and is on again at once; one of the ports takes the power of all.',
    cause:
      'the tablet hangs; the screen cannot switch its sockets one by one, most likely as what hangs there draws much',
    did: 'looked for another hub that can',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false, hub: false },
      models: ['ZenPad', 'Nexus 5X'],
      from: '2016-08-01',
      days: 18,
    },
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to, cycles] of [
        [4, '13:26', '14:55', []],
        [9, '02:40', '09:31', []],
        [11, '17:05', '17:48', ['17:21']],
        [12, '21:14', '22:02', ['21:33', '21:36', '21:50']],
        [14, '10:37', undefined, ['11:02', '11:04', '11:19']],
      ] as const) {
        const at = lab.at(day, from) + random.whole(0, 50) * SECOND;
        const end = to && lab.at(day, to);
        losses.push(lab.lose(tablet, at, { as: 'offline', ...(end && { forMs: end - at }) }));
        // off and on: adb has it anew, as bad as before; plugged anew it is well a moment later
        const cut = [...cycles.map((time) => lab.at(day, time)), ...(end ? [end - 5 * SECOND] : [])];
        for (const moment of cut) {
          lab.phone(tablet, moment, { kind: 'detached' });
          lab.phone(tablet, moment + 1.3 * SECOND, { kind: 'attached', state: 'offline' });
        }
      }
      background(lab);
      return {
        at: lab.at(14, '11:45'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /plug|cable|\bhub\b|power|restart|reboot|another (port|socket)/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
];
