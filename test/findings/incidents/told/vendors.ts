/** Incidents of many devices: benchmarks of a company, a lab without a list, classrooms, robots, cars, phones that compute. */
import { background, levels, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'the access point of a classroom keeps out each tablet after the eighth',
    source: 'offspot/kiwix-hotspot#616, iiab/iiab#823',
    seen: 'No more than eight tablets can be connected at once to the Raspberry Pi of a school. The ninth does not even see the network.',
    cause: 'the newer firmware of the Wi-Fi in the Raspberry Pi takes only so many',
    did: 'went back to an older firmware of the access point',
    lab: {
      zone: 'Africa/Dakar',
      hubs: [],
      direct: 1,
      network: 11,
      models: ['Tablet'],
      from: '2021-07-05',
      days: 21,
    },
    tell(lab) {
      const tablets = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      const renewedAt = lab.at(9, '09:00');
      const inside = tablets.slice(0, 8);
      const waiting = tablets.slice(8).map((tablet) => ({ tablet, since: renewedAt }));
      losses.push(...lab.loseAll(inside, renewedAt, { forMs: 50 * SECOND, backSpreadMs: 40 * SECOND }));
      for (const day of lab.workdays(9, 18))
        for (const time of ['09:40', '10:50', '12:05', '14:30']) {
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          if (at > lab.at(17, '11:00')) break;
          const next = waiting.shift();
          const leaver = inside.shift();
          if (next === undefined || leaver === undefined) break;
          const enteredAt = at + lab.random.between(10, 40) * SECOND;
          losses.push(lab.lose(next.tablet, next.since, { forMs: enteredAt - next.since }));
          inside.push(next.tablet);
          waiting.push({ tablet: leaver, since: at });
        }
      for (const { tablet, since } of waiting) losses.push(lab.lose(tablet, since));
      background(lab, { hours: [8, 15], glitches: 0 });
      return {
        at: lab.at(17, '11:30'),
        losses,
        blame: ['network', 'link'],
        told: { about: ['network', 'phone'], says: /access point|router|hotspot|firmware|too many/i },
      };
    },
  },
  {
    name: 'a small device switches itself off when a benchmark takes long',
    source: 'facebook/FAI-PEP#538',
    seen: 'Android devices of a small form exceed their thermal limit in longer benchmarks, and shut down.',
    cause: 'they get too hot',
    did: 'had a script on the device read its probe every 10 s, and end the benchmark 3 °C below the trip point',
    lab: { zone: 'America/Los_Angeles', hubs: [4], free: 1, from: '2023-04-24', days: 27 },
    tell(lab) {
      const device = lab.pinned(1);
      const runs = [
        [14, '10:05'],
        [16, '13:40'],
        [18, '11:20'],
        [21, '09:35'],
        [24, '14:15'],
      ] as const;
      const begins = runs.map(([day, time]) => lab.at(day, time));
      const losses = begins.map((begin, index) => {
        const forMs = index === begins.length - 1 ? 40 * MINUTE : lab.random.between(0.6, 3) * HOUR;
        return offAndOn(lab, device, begin + 65 * MINUTE, forMs, 'shutdown,thermal');
      });
      device.reading = (at) => {
        const begin = begins.findLast((moment) => moment <= at) ?? 0;
        const hot = Math.min(1, Math.max(0, (at - begin) / (65 * MINUTE)));
        const isRunning = at - begin <= 65 * MINUTE;
        return {
          levelPercent: 94,
          isFull: false,
          temperatureDecicelsius: Math.round(isRunning ? 325 + 265 * hot ** 0.7 : 325),
        };
      };
      background(lab);
      return {
        at: lab.at(24, '16:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [device.udid],
          says: /\bhot|heat|cool|temperature|thermal|°C/i,
        },
      };
    },
  },
  {
    name: 'a headset on a robot is not reached once its network adapter was plugged in anew',
    source: 'QuestNav/QuestNav#14',
    seen: 'Its Ethernet adapter works only if it is plugged in when the headset is switched on. Plugged in later, or pulled and plugged in again, it does not show up.',
    cause: 'the adapter has to get plain 5 V before it is plugged into the headset',
    did: 'gave it 5 V of a supply that negotiates nothing, switched Wi-Fi off; till then started the headset from cold',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      network: 1,
      models: ['Pixel', 'Quest'],
      from: '2024-12-09',
      days: 24,
    },
    tell(lab) {
      const [headset] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '17:10', 22],
        [11, '19:30', 9],
        [14, '18:05', 34],
        [18, '14:40', 16],
        [19, '16:15', 12],
        [21, '17:50', 41],
      ] as const)
        losses.push(offAndOn(lab, headset, lab.at(day, time), minutes * MINUTE, 'reboot'));
      losses.push(lab.lose(headset, lab.at(22, '13:20')));
      background(lab, { hours: [13, 20], isDaily: true, hasReadings: false });
      return {
        at: lab.at(22, '14:00'),
        losses,
        blame: ['link', 'phone', 'port', 'person'],
        told: {
          about: ['phone', 'network'],
          says: /restart|reboot|switch (it )?(off|on)|adapter|ethernet|power supply/i,
        },
      };
    },
  },
  {
    name: 'a phone that drives a car restarts when the engine is started in the morning',
    source: 'commaai/openpilot#20617',
    seen: 'After some hours away from the car its engine stutters when it is started, and the phone in it restarts at once. Tried again minutes later, it does not happen.',
    cause: 'by what people thought: the battery of the car is weak, and the voltage falls',
    did: 'took it for a fault of the car',
    cannotShow: 'the voltage of its supply is not recorded; a restart without a reason has many causes',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, network: 1, from: '2021-03-15', days: 26 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [17, '07:25'],
          [18, '07:40'],
          [21, '08:10'],
          [22, '07:30'],
          [23, '19:10'],
          [24, '07:35'],
        ] as const
      ).map(([day, time]) => lab.reboot(phone, lab.at(day, time), { forMs: 95 * SECOND }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(24, '09:00'),
        losses,
        blame: ['phone', 'room', 'port', 'unknown'],
        told: { about: ['phone'], says: /power|supply|voltage|battery|charger|cable/i },
      };
    },
  },
  {
    name: 'a phone that computes all day loses its charge at a USB port',
    source: 'http://g7mrv.blogspot.com/2018/10/from-mobile-phone-to-dedicated-boinc.html',
    seen: 'An old phone computes on all its cores. Its battery slowly drains though it is on USB; a fan keeps it below 40 °C.',
    cause: 'it needs more than comes by USB while it charges',
    did: 'let it charge to 100 % first, where it stays; planned another supply',
    lab: { zone: 'Europe/London', hubs: [], direct: 2, from: '2018-09-10', days: 28 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = levels(
        [
          [lab.at(0), 100],
          [lab.at(18, '09:30'), 100],
          [lab.at(18, '10:00'), 88],
          [lab.at(20, '19:00'), 17],
          [lab.at(21, '02:00'), 100],
          [lab.at(24, '11:00'), 100],
          [lab.at(24, '12:00'), 84],
          [lab.at(26, '17:00'), 21],
          [lab.at(27, '02:00'), 8],
        ],
        380,
      );
      background(lab);
      return {
        at: lab.at(26, '17:00'),
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /charg|discharg|drain|current|power|supply/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a phone that forwards messages freezes when nobody touches it for hours',
    source: 'medic/cht-gateway#132',
    seen: 'Left unattended for three or four hours, the gateway answers no more, and the phone is unresponsive. It comes back by a missed call, or when it is connected to power; on power it never hangs.',
    cause: 'not found: it sleeps while it is on its battery and nobody touches it',
    did: 'took the app out of the battery optimisation and let it stay awake, which delayed it; kept it on power',
    lab: { zone: 'Africa/Nairobi', hubs: [], direct: 1, network: 1, from: '2018-05-21', days: 25 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const points: [number, number][] = [[lab.at(0), 100]];
      for (const day of lab.workdays(0, 23)) {
        points.push([lab.at(day, '08:30'), 100]);
        if (day === 22) break;
        points.push([lab.at(day, '17:00'), 58], [lab.at(day, '20:00'), 100]);
        if (day < 8 || lab.random.chance(0.15)) continue;
        const at = lab.at(day, '11:40') + lab.random.between(0, 55) * MINUTE;
        const called = lab.random.chance(0.4)
          ? lab.random.between(35, 100) * MINUTE
          : lab.at(day, '17:00') - at;
        losses.push(lab.lose(phone, at, { forMs: called }));
      }
      losses.push(lab.lose(phone, lab.at(22, '12:05')));
      points.push([lab.at(22, '17:00'), 58]);
      phone.reading = levels(points);
      background(lab);
      return {
        at: lab.at(22, '14:30'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /sleep|doze|awake|power.?sav|battery (optimi[sz]|sav)|charg|plug|on power/i,
        },
      };
    },
  },
  {
    name: 'phones are gone from their places in the lab, and nobody knows who has them',
    source: 'https://medium.com/in-the-hudl/your-mobile-device-lab-needs-a-nanny-64a82d2a85b9',
    seen: 'The list has a phone as available, but it is not there. Who took it did not check it out, and has handed it on by then.',
    cause: 'people take phones and tell nobody',
    did: 'wrote a “nanny”, a program for it',
    lab: { zone: 'America/Chicago', hubs: [10], free: 2, from: '2016-09-12', days: 30 },
    tell(lab) {
      const phones = [0, 2, 3, 5, 6].map((index) => lab.pinned(index));
      const [first, second, third, fourth, fifth] = phones as [
        LabPhone,
        LabPhone,
        LabPhone,
        LabPhone,
        LabPhone,
      ];
      const [free] = lab.freePorts(lab.start);
      const losses = [
        lab.lose(first, lab.at(15, '10:12'), { forMs: 29 * HOUR, ...(free && { to: free }) }),
        lab.lose(second, lab.at(17, '14:35'), { forMs: 47.5 * HOUR }),
        lab.lose(third, lab.at(21, '11:08'), { forMs: 26 * HOUR }),
        lab.lose(fourth, lab.at(23, '16:21')),
        lab.lose(fifth, lab.at(25, '09:47')),
      ];
      background(lab, { taken: 1.6 });
      return {
        at: lab.at(28, '11:00'),
        losses,
        blame: ['person'],
        told: {
          about: ['phone', 'port'],
          says: /\btook|taken|somebody|someone|who has|missing|unplugged|pulled|plug it|put it/i,
        },
      };
    },
  },
  {
    name: 'a phone comes and goes at adb while the store updates its apps',
    source: 'flutter/flutter#3124',
    seen: 'For some minutes the phone is away, then not authorized, away, offline, and so on. When the store has updated its apps, everything is fine again.',
    cause: 'the store installs updates of large apps',
    did: 'waited for the updates',
    cannotShow: 'nothing tells that the store of a phone installs updates',
    lab: {
      zone: 'Europe/Copenhagen',
      hubs: [],
      direct: 2,
      models: ['Nexus 4', 'Nexus 5'],
      from: '2016-03-14',
      days: 27,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let at = lab.at(24, '10:21');
      for (const as of [undefined, 'unauthorized', undefined, undefined, 'offline', undefined, 'offline']) {
        const forMs = lab.random.between(15, 55) * SECOND;
        losses.push(lab.lose(phone, at, { forMs, ...(as && { as }) }));
        at += forMs + lab.random.between(25, 80) * SECOND;
      }
      background(lab);
      return {
        at: lab.at(24, '10:50'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /updat|upgrad|play store|busy/i },
      };
    },
  },
  {
    name: 'adb hangs in the USB driver of Windows and answers nobody',
    source:
      'https://irishemin.github.io/knowledge_base/adb/windows-debugging/2026/03/13/adb-server-thread-blocking-usb-enumeration/',
    seen: '`adb devices` hangs for ever, also after `adb kill-server`. The server takes each request, and answers none for minutes.',
    cause:
      'the thread of adb that looks for phones is stuck in a call of the USB driver, and holds a lock; scanners and Docker may add to it',
    did: 'was told to unplug the phones, end all of adb, keep the virus scanner off its folder, or use adb over Wi-Fi',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 3, from: '2026-02-16', days: 27 },
    tell(lab) {
      lab.host(lab.at(25, '14:31'), { kind: 'adbLost', failureKind: 'silent' });
      background(lab);
      return {
        at: lab.at(25, '15:06'),
        told: {
          about: ['host'],
          says: /unplug|kill|end (all|every)|virus|exclu|adb tcpip|restart/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
];
