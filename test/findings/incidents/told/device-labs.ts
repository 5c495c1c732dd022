/** Incidents of device labs with one phone a host, as their keepers wrote them up. */
import { adbRestarts, background, hostRestarts } from '../background.ts';
import { DAY, HOUR, type Lab, type LabOptions, MINUTE, type Reading, SECOND } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at the host itself, in California; a person comes on workdays. */
const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** Tests all day: from full to low, and back while nothing runs. */
export const draining =
  (lab: Lab, from: number, perHour: number, atFirst = 100): Reading =>
  (at) => {
    const level = at < from ? atFirst : Math.max(1, atFirst - ((at - from) / HOUR) * perHour);
    return {
      levelPercent: Math.round(level),
      isFull: false,
      temperatureDecicelsius: 300 + Math.round((at / (10 * MINUTE)) % 7) + (lab.days % 3),
    };
  };

/** Somebody presses its power button: it starts from nothing. */
const poweredOn = { forMs: 0, reason: 'cold,powerkey' };

export const incidents: Incident[] = [
  {
    name: 'linux-17 is lost every second week, and its cable re-seated',
    source: 'flutter/flutter#166693, #167659, #168512',
    seen: 'The host lost its phone on April 7, April 23 and May 7; each time somebody came later.',
    cause: 'a loose cable: seated anew, the phone was back at once',
    did: 're-seated the USB cable of the phone',
    lab: { ...single, from: '2025-04-07', days: 32 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        lab.lose(phone, lab.at(0, '05:12'), { forMs: 6 * HOUR }),
        lab.lose(phone, lab.at(16, '14:40'), { forMs: 20 * HOUR }),
        lab.lose(phone, lab.at(30, '03:20')),
      ];
      background(lab);
      const says = /re-?seat|cable|plug/i;
      return {
        at: lab.at(30, '10:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'a phone is lost at night and re-seated each morning',
    source: 'flutter/flutter#165129, #171967',
    seen: 'The only phone of the host was gone in the morning, four times in nine days.',
    cause: 'a loose cable or port: nobody is there at night, and the phone had not restarted',
    did: 're-seated its USB cable in the morning',
    lab: { ...single, from: '2025-03-03' },
    tell(lab) {
      const phone = lab.pinned(0);
      const nights = [14, 17, 21, 22].map((day, index) => {
        const at = lab.at(day, `0${1 + index}:3${index}`);
        return lab.lose(phone, at, { forMs: lab.at(day, `09:1${index}`) - at });
      });
      background(lab);
      return {
        at: lab.at(22, '11:00'),
        losses: nights,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'win-5 turns its phone off by itself, twice in a month',
    source: 'flutter/flutter#160181, #160987',
    seen: 'The phone of win-5 was gone on December 12 and on December 30: it was off.',
    cause: 'the phone switches itself off; pressed on, it was back',
    did: 'pressed the power button',
    lab: { ...single, from: '2024-12-02' },
    tell(lab) {
      const phone = lab.pinned(0);
      const first = lab.reboot(phone, lab.at(10, '02:45'), { ...poweredOn, forMs: 6.6 * HOUR });
      const second = lab.reboot(phone, lab.at(28, '04:10'), { ...poweredOn, forMs: 8.4 * HOUR });
      background(lab);
      const says = /power|switch(ed|es)? (itself )?(off|on)|turn(ed|s)? (itself )?o(ff|n)|battery/i;
      return {
        at: lab.at(28, '14:00'),
        losses: [first, second],
        blame: ['phone'],
        told: { about: ['phone'], says },
      };
    },
  },
  {
    name: 'win-5 is off in the morning, once',
    source: 'flutter/flutter#180863',
    seen: 'In the morning of January 12 the host had no phone: it was off.',
    cause: 'the phone switched itself off',
    did: 'pressed the power button',
    lab: { ...single, from: '2025-12-22' },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.reboot(phone, lab.at(20, '21:50'), { ...poweredOn, forMs: 12.7 * HOUR });
      background(lab);
      return { at: lab.at(21, '11:00'), losses: [loss], blame: ['phone'] };
    },
  },
  {
    name: 'linux-18 turns its phone off overnight, again within a week',
    source: 'flutter/flutter#148512, #148769',
    seen: 'On May 16 the phone was off and was started; on May 21 it was off again.',
    cause: 'the phone switches itself off overnight',
    did: 'replaced the phone',
    lab: { ...single, from: '2024-05-01', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [15, 18, 20].map((day) => {
        const at = lab.at(day, '01:15');
        return lab.reboot(phone, at, {
          ...poweredOn,
          forMs: lab.at(day, day === 15 ? '13:30' : '09:05') - at,
        });
      });
      background(lab);
      const says = /power|replac|battery|repair|switch|turn/i;
      return { at: lab.at(20, '10:00'), losses, blame: ['phone'], told: { about: ['phone'], says } };
    },
  },
  {
    name: 'linux-6 runs out of charge although it is plugged in',
    source: 'flutter/flutter#86731',
    seen: 'The phone was gone; with a new cable it came back, and was gone again some days later: out of charge, on its charger.',
    cause: 'a battery that does not hold its charge',
    did: 'replaced the battery by a power supply',
    lab: { ...single, from: '2021-07-01', days: 24, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, second] = [lab.at(8, '04:00'), lab.at(19, '03:30')];
      const losses = [
        lab.reboot(phone, first, { forMs: lab.at(13, '11:00') - first, reason: 'cold,charger' }),
        lab.lose(phone, second),
      ];
      lab.note(lab.at(13, '11:05'), lab.where(phone, first), 'new cable');
      const one = draining(lab, first - 90 * HOUR, 1.1);
      const two = draining(lab, lab.at(13, '12:00'), 0.74);
      phone.reading = (at) => (at < lab.at(13) ? one(at) : two(at));
      background(lab);
      const says = /batter|charg|cable/i;
      return {
        at: lab.at(19, '10:00'),
        losses,
        blame: ['phone', 'port'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'a phone reaches 1 % on its cable and is gone',
    source: 'flutter/flutter#159084',
    seen: 'The phone of the host was gone; its battery was empty.',
    cause: 'the battery ran empty while the phone was plugged in',
    did: 'charged it at a charger',
    lab: { ...single, from: '2024-11-01', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(17, '02:10');
      phone.reading = draining(lab, at - 50 * HOUR, 2);
      const loss = lab.lose(phone, at);
      background(lab);
      return {
        at: lab.at(17, '09:30'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], says: /batter|charg/i },
      };
    },
  },
  {
    name: 'the phone of linux-23 is low on battery',
    source: 'flutter/flutter#180917',
    seen: 'The phone is attached, and its battery is low.',
    cause: 'it does not charge as fast as the tests drain it',
    did: 'charged it',
    lab: { ...single, from: '2025-12-30', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = draining(lab, lab.at(12, '08:00'), 2.1);
      background(lab);
      return {
        at: lab.at(14, '04:30'),
        told: { about: ['phone'], says: /batter|charg/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'linux-2 finds its phone no more, and two versions of adb fight',
    source: 'flutter/flutter#114556',
    seen: 'The phone was gone on November 2; started again, an adb of another version replaced the server, and the phone was unauthorized.',
    cause: 'another adb, version 39 beside 41, with another key',
    did: 'looked at both versions; accepted the prompt in the lab',
    lab: { ...single, from: '2022-10-20', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const gone = lab.at(13, '11:00');
      adbRestarts(lab, gone, 39, 4 * SECOND);
      const loss = lab.lose(phone, gone + 4300, { forMs: 9 * SECOND, backAs: 'unauthorized' });
      hostRestarts(lab, lab.at(13, '15:40'));
      const replaced = lab.at(20, '10:12');
      lab.host(replaced, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(replaced + 3 * SECOND, { kind: 'adbBack' });
      lab.host(replaced + 3300, { kind: 'adbReplaced', version: 41 });
      background(lab);
      return {
        at: lab.at(20, '10:20'),
        losses: [loss],
        blame: ['adb'],
        told: { about: ['phone', 'host'], says: /prompt|key|another adb|version/i },
      };
    },
  },
  {
    name: 'linux-16 needs to be authorized',
    source: 'flutter/flutter#105147',
    seen: 'adb lists the phone as unauthorized.',
    cause: 'it waits for the prompt',
    did: 'authorized the host on the phone at the next visit of the lab',
    lab: { ...single, from: '2022-05-16', days: 20, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(14, '22:10'), { forMs: 65 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return { at: lab.at(16, '10:00'), told: { about: ['phone'], says: /accept|allow|authoriz/i } };
    },
  },
  {
    name: 'linux-38 is unauthorized in the middle of its tests',
    source: 'flutter/flutter#149362',
    seen: 'Tests fail: the device is not authorized, look for a dialog on the phone.',
    cause: 'the phone asks again',
    did: 'quarantined the host until somebody accepts the prompt',
    lab: { ...single, from: '2024-05-10', days: 22 },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(20, '08:13'), { kind: 'state', state: 'unauthorized', before: 'device' });
      background(lab);
      return { at: lab.at(20, '15:30'), told: { about: ['phone'], says: /accept|allow|authoriz/i } };
    },
  },
  {
    name: 'the block of the lab has no power for a night',
    source: 'flutter/flutter#156547',
    seen: 'All hosts of the building went at once; the power came back hours later.',
    cause: 'a power outage of the whole block',
    did: 'waited for the power, and checked the next morning',
    lab: { zone: 'America/Los_Angeles', from: '2024-10-01', days: 14, hubs: [7], free: 1 },
    tell(lab) {
      const cut = lab.at(9, '15:20');
      const back = lab.at(9, '22:05');
      lab.host(back + 70 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: back,
        lastAliveAt: cut - 10 * SECOND,
      });
      for (const phone of lab.phones) {
        phone.busy.push({ from: cut - DAY, to: back + DAY });
      }
      background(lab);
      return { at: back + 5 * MINUTE, told: { about: ['room', 'host'], says: /power/i } };
    },
  },
  {
    name: 'linux-26 hangs until it is power-cycled',
    source: 'flutter/flutter#144712',
    seen: 'The phone was not attached; it did not react until it was power-cycled.',
    cause: 'the phone hung',
    did: 'power-cycled the phone',
    lab: { ...single, from: '2024-02-20', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '19:30');
      const loss = lab.reboot(phone, at, { forMs: lab.at(15, '13:20') - at, reason: 'cold,powerkey' });
      background(lab);
      return { at: lab.at(15, '14:00'), losses: [loss], blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'linux-26 does not come back with a restart of its host',
    source: 'flutter/flutter#127326',
    seen: 'adb lists nothing; a restart of the host did not help.',
    cause: 'the phone itself hung: back with a restart of both',
    did: 'restarted the host and the phone',
    lab: { ...single, from: '2023-05-08', days: 16, models: ['Galaxy S9'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(13, '23:40'));
      hostRestarts(lab, lab.at(14, '08:30'));
      background(lab);
      const says = /restart|reboot|power button/i;
      return {
        at: lab.at(14, '09:00'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'linux-19 is frozen and stays listed as offline',
    source: 'flutter/flutter#145161',
    seen: 'The host lost its connection to the phone: the phone was frozen.',
    cause: 'the phone hung',
    did: 'power-cycled the phone',
    lab: { ...single, from: '2024-03-01', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(13, '06:50'), { as: 'offline' });
      background(lab);
      const says = /restart|power/i;
      return {
        at: lab.at(13, '09:31'),
        losses: [loss],
        blame: ['phone', 'unknown', 'port'],
        told: { about: ['phone', 'port'], says },
      };
    },
  },
  {
    name: 'new hosts do not show their phones',
    source: 'flutter/flutter#120500',
    seen: 'Freshly set up hosts show no phones: the phones wait for the prompt.',
    cause: 'nobody has accepted the key of the new hosts',
    did: 'accepted the prompts',
    lab: { zone: 'America/Los_Angeles', from: '2023-02-06', days: 8, hubs: [4], models: ['Galaxy S9'] },
    tell(lab) {
      for (const phone of lab.phones) {
        phone.isThereAtFirst = false;
        phone.isPinned = true;
        phone.busy.push({ from: lab.start, to: lab.end });
      }
      for (const [index, phone] of lab.phones.entries())
        lab.phone(phone, lab.at(4, `16:0${index}`), { kind: 'attached', state: 'unauthorized' });
      background(lab, { hasReadings: false });
      return { at: lab.at(4, '18:00'), told: { about: ['phone', 'host'], says: /accept|prompt|allow|key/i } };
    },
  },

  {
    name: 'the phone of linux-35 wants a yes before it talks to its host',
    source: 'flutter/flutter#123650',
    seen: 'In the afternoon the host has no phone that it may use.',
    cause: 'a prompt on the phone waits for an answer',
    did: 'tapped “yes” on the phone the next day',
    lab: { ...single, from: '2023-03-13', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(15, '15:48'), { forMs: 52 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(15, '17:13'),
        losses: [loss],
        blame: ['phone', 'adb', 'person', 'unknown'],
        told: { about: ['phone'], says: /accept|allow|authoriz/i },
      };
    },
  },
  {
    name: 'a phone turns its developer options off, again after somebody has turned them on',
    source: 'flutter/flutter#104432',
    seen: 'The phone of win-4 is plugged in, and adb does not list it. Turned on by hand, USB debugging is off again soon.',
    cause: 'the phone itself disables its developer options',
    did: 'turned them on in the lab, which did not last; asked for a hard reset of the phone',
    lab: { ...single, usb: true, from: '2022-05-02', days: 22, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const off = (at: number) => ({ interfaces: [{ kind: '06/01/01', endpoints: 3 }], connectedAt: at });
      const [first, again] = [lab.at(14, '21:40'), lab.at(17, '12:35')];
      const losses = [
        lab.lose(phone, first, { forMs: lab.at(17, '11:20') - first, onUsb: off(first) }),
        lab.lose(phone, again, { onUsb: off(again) }),
      ];
      background(lab);
      return {
        at: lab.at(21, '10:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /debugging|developer (options|mode)|(hard|factory) reset/i },
      };
    },
  },
  {
    name: 'linux-46 is lost on a Wednesday and on a Sunday, and comes back with a restart of the phone',
    source: 'flutter/flutter#148088, #148249',
    seen: 'On May 9 the host had lost its phone, on May 13 again.',
    cause: 'the phone hangs: restarted it was back',
    did: 'restarted the phone, on May 10 and on May 13',
    lab: { ...single, from: '2024-04-15', days: 30 },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, second] = [lab.at(23, '23:05'), lab.at(27, '04:31')];
      const losses = [
        lab.reboot(phone, first, {
          forMs: lab.at(25, '10:12') - first,
          reason: 'reboot,userrequested',
        }),
        lab.reboot(phone, second, { forMs: lab.at(28, '13:50') - second, reason: 'reboot,userrequested' }),
      ];
      background(lab);
      return {
        at: lab.at(28, '15:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: /restart|hang|repair|update/i },
      };
    },
  },
  {
    name: 'linux-40 is no longer trusted by its phone',
    source: 'flutter/flutter#188456',
    seen: 'The host has no phone that it may use.',
    cause: 'the phone has forgotten the key of its host, without having been away',
    did: 'restarted the phone and allowed the host anew',
    lab: { ...single, from: '2026-06-01', days: 24 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(21, '03:00:20'), { forMs: 2 * SECOND, backAs: 'unauthorized' });
      background(lab);
      return {
        at: lab.at(22, '09:10'),
        losses: [loss],
        blame: ['phone', 'adb', 'unknown'],
        told: { about: ['phone'], says: /accept|allow|authoriz/i },
      };
    },
  },
  {
    name: 'the storage of a phone is full within two days',
    source: 'flutter/flutter#68510',
    seen: 'Tests of linux-2 and of linux-5 fail, as their phones have no storage left.',
    cause: 'tests leave files behind',
    did: 'restarted and cleaned up the phones',
    lab: { ...single, from: '2020-10-01', days: 20, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [total, from] = [11_600_000_000, lab.at(16, '14:00')];
      const usedAt = (at: number) =>
        Math.round(Math.min(0.997, at < from ? 0.41 : 0.41 + (0.6 * (at - from)) / (45 * HOUR)) * total);
      phone.reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: 280,
        storageUsedBytes: usedAt(at),
      });
      for (let at = lab.start + MINUTE; at < lab.end; at += 6 * HOUR)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      background(lab);
      return { at: lab.at(18, '14:30'), told: { about: ['phone'], says: /storage|clean/i } };
    },
  },
  {
    name: 'linux-35 has its phone back after both were off',
    source: 'flutter/flutter#140974',
    seen: 'On the first working days of the year the host has no phone.',
    cause: 'not found: it was back when the host had been off and the phone was restarted',
    did: 'switched the host off and on, then restarted the phone',
    lab: { ...single, from: '2023-12-18', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '22:17');
      hostRestarts(lab, lab.at(18, '09:30'));
      const loss = lab.reboot(phone, at, { forMs: lab.at(18, '09:41') - at, reason: 'cold,powerkey' });
      background(lab);
      return { at: lab.at(18, '11:00'), losses: [loss], blame: ['phone', 'host', 'unknown'] };
    },
  },
  {
    name: 'a Pixel is taken out of its rack to get Android 15',
    source: 'flutter/flutter#163263',
    seen: 'The phone was gone for half an hour, and runs another Android.',
    cause: 'its keeper took it out, updated it by hand and put it back',
    did: 'updated all Pixels of the lab by hand, a few at a time',
    lab: { ...single, from: '2025-01-20', days: 28, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(24, '13:20');
      const back = at + 37 * MINUTE;
      const loss = lab.lose(phone, at, { forMs: back - at });
      lab.phone(phone, back + 20 * SECOND, { kind: 'os', before: '13', release: '15' });
      lab.rebooted(phone, back + 20 * SECOND, { reason: 'reboot,ota', uptimeSeconds: 4 * 60 });
      background(lab);
      return { at: back + 25 * MINUTE, losses: [loss], blame: ['person'] };
    },
  },
];
