/** Incidents of the labs of projects, big and small, and of displays that a home automation looks after. */
import { agentStartsFirst, background, hostRestarts, levels, offAndOn } from '../background.ts';
import { DAY, HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at a port of the host itself. */
const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

export const incidents: readonly Incident[] = [
  {
    name: 'a hub of a lab for boards stops working every few weeks, with all that is plugged into it',
    source: 'https://www.linaro.org/blog/lets-talk-usb-hubs/',
    seen: 'Hubs of every price fail after a while: then the kernel recognises nothing that is plugged into them.',
    cause: 'the hubs, which hang under constant use',
    did: 'reset the hub, at times restarted the server; bought an industrial hub in the end',
    lab: { zone: 'Europe/London', hubs: [7, 7], free: 2, from: '2017-09-04', days: 36 },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      const hangs = (at: number, until: number) =>
        losses.push(
          ...lab.loseAll(phones, at, { spreadMs: 900, forMs: until - at, backSpreadMs: 9 * SECOND }),
        );
      hangs(lab.at(11, '20:15'), lab.at(14, '09:20'));
      hangs(lab.at(24, '03:40'), lab.at(24, '09:35'));
      const restart = lab.at(32, '15:12');
      hangs(lab.at(32, '14:05'), restart + 86 * SECOND);
      hostRestarts(lab, restart);
      background(lab);
      return {
        at: lab.at(32, '14:45'),
        losses,
        blame: ['hub'],
        told: {
          about: ['hub'],
          keys: [lab.hubKey(0)],
          says: /\bhub\b|\bpower\b|off and on|reset|replac/i,
        },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'at hubs whose ports give too little, phones run slowly empty, and are off some day',
    source: 'https://www.linaro.org/blog/lets-talk-usb-hubs/',
    seen: 'What must charge at the ports of the hub discharges slowly, and is offline in the end.',
    cause: 'the ports of the hub deliver less current than they should',
    did: 'replaced the hub by one that delivers enough',
    lab: { zone: 'Europe/London', hubs: [4], direct: 2, from: '2017-10-02', days: 24 },
    tell(lab) {
      const [first, second, third, fourth] = [0, 1, 2, 3].map((index) => lab.pinned(index)) as [
        LabPhone,
        LabPhone,
        LabPhone,
        LabPhone,
      ];
      const [off1, back1] = [lab.at(14, '02:40'), lab.at(15, '11:10')];
      const [off2, back2] = [lab.at(17, '21:10'), lab.at(18, '14:30')];
      const off3 = lab.at(21, '04:20');
      first.reading = levels([
        [lab.at(3), 97],
        [off1, 1],
        [back1, 100],
        [lab.end, 33],
      ]);
      second.reading = levels([
        [lab.at(5), 98],
        [off2, 1],
        [back2, 99],
        [lab.end, 57],
      ]);
      third.reading = levels([
        [lab.at(7), 96],
        [off3, 1],
      ]);
      fourth.reading = levels([
        [lab.at(6), 99],
        [lab.end, 22],
      ]);
      const losses = [
        offAndOn(lab, first, off1, back1 - off1),
        offAndOn(lab, second, off2, back2 - off2),
        lab.lose(third, off3),
      ];
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses,
        blame: ['phone', 'port', 'hub'],
        told: {
          about: ['phone', 'port', 'hub'],
          says: /charg|batter|\bpower\b|\bcurrent\b|empty/i,
        },
      };
    },
  },
  {
    name: 'the phone of win-5 switches itself off, and its battery is let run down before the phone is reset',
    source: 'flutter/flutter#183400',
    seen: 'On March 9 the machine has lost its phone: it has switched itself off.',
    cause: 'the phone is going bad',
    did: 'let its battery run down to 10 % and reset it, on the next day',
    lab: { ...single, from: '2026-02-09', days: 31, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [at, back] = [lab.at(28, '06:50'), lab.at(29, '13:30')];
      phone.reading = (now) => {
        const wave = Math.sin((now - lab.start) / (5 * HOUR));
        const levelPercent =
          now < back ? Math.round(96 + 4 * wave) : Math.min(100, Math.round(10 + ((now - back) / HOUR) * 38));
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 300 };
      };
      const losses = [offAndOn(lab, phone, at, back - at, 'cold,powerkey')];
      background(lab);
      return { at: lab.at(29, '14:20'), losses, blame: ['phone'] };
    },
  },
  {
    name: 'the phone of linux-2 is gone on a Friday, and listed again when somebody looks on Monday',
    source: 'flutter/flutter#96314',
    seen: 'adb lists no phone on January 7. When somebody looks on January 10 it is listed; it has happened before.',
    cause: 'not found; nobody tells of having ended it',
    did: 'found it in order; later added checks of its health',
    cannotShow: 'nobody found out why it was away and came back',
    lab: { ...single, from: '2021-12-20', days: 26, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const away = (from: [number, string], to: [number, string]) => {
        const at = lab.at(...from);
        return lab.lose(phone, at, { forMs: lab.at(...to) - at });
      };
      const losses = [
        away([9, '16:20'], [9, '18:05']),
        away([18, '11:35'], [20, '20:40']),
        away([23, '13:10'], [23, '15:25']),
      ];
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['unknown', 'port', 'phone'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|re-?seat|socket|health|look/i,
        },
      };
    },
  },
  {
    name: 'a phone disappears in the midst of one test, in two of a hundred runs, and never in another test',
    source: 'flutter/flutter#85078, flutter/flutter#85572',
    seen: 'The test fails in 2.26 % of its runs within 15 days: the phone is not found, after it could not install the app.',
    cause: 'not found; something about the phone rather than the test',
    did: 'marked the test as unreliable',
    cannotShow: 'our records do not say which test runs; why the phone goes away was not found',
    lab: { ...single, from: '2021-06-04', days: 28, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [10, '21:44'],
          [12, '10:12'],
          [14, '15:31'],
          [15, '18:02'],
          [17, '11:25'],
          [18, '09:05'],
          [21, '16:47'],
          [24, '14:20'],
        ] as const
      ).map(([day, time]) =>
        lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(25, 140) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(25, '11:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|re-?seat|replac|swap|another phone|\btests?\b/i,
        },
      };
    },
  },
  {
    name: 'the phone of win-1 is plugged in anew, and has to be rebooted six days later',
    source: 'flutter/flutter#176112, flutter/flutter#176434',
    seen: 'The machine has lost its phone on September 26, and again on October 2.',
    cause: 'not found; first it was enough to seat its cable anew, then the phone had to be rebooted',
    did: 're-seated the USB cable; rebooted the phone',
    lab: { ...single, from: '2025-09-08', days: 27, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, second] = [lab.at(18, '01:50'), lab.at(24, '04:15')];
      const losses = [
        lab.lose(phone, first, { forMs: lab.at(18, '10:40') - first }),
        offAndOn(lab, phone, second, lab.at(24, '09:50') - second, 'reboot'),
      ];
      background(lab);
      return {
        at: lab.at(24, '08:55'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /re-?seat|cable|plug|reboot|restart/i,
        },
      };
    },
  },
  {
    name: 'the phone of a machine is repaired after ten days, and gone again the day after',
    source: 'dotnet/arcade#10617',
    seen: 'From August 27 on tests find no phone at some machines. Those are back in service on September 6; by September 8 the phone is missing at the same one again.',
    cause: 'not told; the phone is away from adb each time',
    did: 'took the machine out of service, and had it looked after, twice',
    cannotShow: 'the thread does not say what was wrong with the phone',
    lab: { ...single, from: '2022-08-15', days: 29, models: ['Pixel 4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, back] = [lab.at(12, '03:20'), lab.at(22, '11:30')];
      const losses = [lab.lose(phone, first, { forMs: back - first }), lab.lose(phone, lab.at(23, '05:40'))];
      lab.note(lab.at(14, '10:05'), lab.where(phone, first), 'finds no phone: out of service');
      lab.note(back + 6 * MINUTE, lab.where(phone, back), 'looked after, in service again');
      background(lab);
      return {
        at: lab.at(24, '10:00'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|socket|re-?seat|reboot|restart|replac|switch/i,
        },
      };
    },
  },
  {
    name: 'two converted displays drop out of the mesh twice a day, tablets beside them do not',
    source: 'msp1974/ViewAssist_Companion_App#228',
    seen: 'Both displays are off the Wi-Fi a couple of times a day; a Pixel tablet and a Galaxy tablet never are.',
    cause: 'they lose the network whenever the mesh changes its channel',
    did: 'moved them to a network for simple devices: now it is a couple of times a week',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 4,
      from: '2026-05-25',
      days: 26,
      models: ['Echo Show 5', 'Echo Show 8', 'Pixel Tablet', 'Galaxy Tab A7'],
    },
    tell(lab) {
      const displays = lab.pinnedOf('tcp').slice(0, 2);
      const moved = lab.at(20, '20:30');
      const losses: ToldLoss[] = [];
      for (const display of displays) {
        let at = lab.at(6, '05:00');
        while (at < lab.end - DAY) {
          const daysApart = at < moved ? lab.random.between(0.2, 0.8) : lab.random.between(2, 5);
          at = Math.round(at + daysApart * DAY);
          const loss = lab.lose(display, at, { forMs: lab.random.between(0.7, 7) * MINUTE });
          if (at < moved) losses.push(loss);
        }
      }
      background(lab, { isDaily: true, hours: [7, 23], hasReadings: false });
      return {
        at: lab.at(20, '19:00'),
        losses: losses.filter(({ at }) => at < lab.at(20, '18:00')),
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network'],
          keys: displays.map(({ udid }) => udid),
          says: /Wi-?Fi|access point|router|\bmesh\b|roam|channel|\bband\b/i,
        },
      };
    },
  },
  {
    name: 'a clock with a display stays off a noisy Wi-Fi for a while, and finds back late',
    source: 'msp1974/ViewAssist_Companion_App#112',
    seen: 'There are times when the clock is offline for a while, and at times it takes long until it is back.',
    cause: 'cheap hardware for 2.4 GHz only, which the networks of the neighbours disturb',
    did: 'decided to live with it',
    cannotShow: 'our records know nothing of the neighbours’ networks',
    lab: {
      zone: 'Asia/Singapore',
      hubs: [],
      network: 4,
      from: '2025-11-17',
      days: 25,
      models: ['Smart Clock', 'Galaxy Tab A7', 'Pixel'],
    },
    tell(lab) {
      const [clock] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 24; day += 1) {
        if (lab.random.chance(0.25)) continue;
        losses.push(
          lab.lose(clock, lab.at(day, '19:10') + lab.random.between(0, 80) * MINUTE, {
            forMs: lab.random.between(2, 55) * MINUTE,
          }),
        );
        if (lab.random.chance(0.4))
          lab.lose(clock, lab.at(day, '08:00') + lab.random.between(0, 9) * HOUR, {
            forMs: lab.random.between(2, 25) * MINUTE,
          });
      }
      background(lab, { isDaily: true, hours: [7, 23], hasReadings: false });
      return {
        at: lab.at(24, '09:00'),
        losses,
        blame: ['link', 'network', 'phone', 'room'],
        told: {
          about: ['phone', 'network'],
          keys: [clock.udid],
          says: /Wi-?Fi|2[.,]4|signal|interfer|access point|router|channel|\bband\b/i,
        },
      };
    },
  },
];
