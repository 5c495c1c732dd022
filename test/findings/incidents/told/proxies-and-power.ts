/**
 * Incidents of phones that are kept as servers, proxies and gateways, and of hubs whose ports are switched off and on by a
 * program.
 */
import { background } from '../background.ts';
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
];
