/** Incidents of the test labs of open systems: .NET, Flutter, Mesa and Celadon, a compiler for models, a tool for boards. */
import { background, inUse, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A machine of a lab, with one phone at a port of its own. */
const machine: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** The same under Windows, which does not say at which USB port the phone is. */
const windows: LabOptions = { ...machine, known: { slots: false, usbPath: false, hub: false } };

type Moment = readonly [day: number, time: string];

const between = (lab: Lab, from: Moment, to: Moment): number => lab.at(...to) - lab.at(...from);

const goneUntil = (lab: Lab, phone: LabPhone, from: Moment, to: Moment): ToldLoss =>
  lab.lose(phone, lab.at(...from), { forMs: between(lab, from, to) });

/** It hangs, and somebody forces it to restart at the end. */
const forcedAt = (lab: Lab, phone: LabPhone, from: Moment, to: Moment): ToldLoss =>
  offAndOn(lab, phone, lab.at(...from), between(lab, from, to));

/** As it is used, and warmer in these times: so many tenths of a degree, which come and go over four hours. */
function warmerIn(
  lab: Lab,
  phone: LabPhone,
  times: readonly (readonly [from: number, to: number, decicelsius: number])[],
): void {
  const usual = inUse(lab);
  phone.reading = (at) => {
    const reading = usual(at);
    if (reading?.temperatureDecicelsius === undefined) return reading;
    const more = times.map(([from, to, most]) => {
      const part = Math.min((at - from) / (4 * HOUR), (to + 4 * HOUR - at) / (4 * HOUR), 1);
      return most * Math.max(0, part);
    });
    const temperatureDecicelsius = Math.round(reading.temperatureDecicelsius + Math.max(0, ...more));
    return { ...reading, temperatureDecicelsius };
  };
}

export const openLabs: readonly Incident[] = [
  {
    name: 'the air conditioning of a lab fails in a storm, and a month later once more, and the phone of linux-39 gets hot',
    source: 'flutter/flutter#142925, flutter/flutter#142924, flutter/flutter#144650',
    seen: 'On February 5 the machine is taken out of service because its phone is too hot, as others are; on March 5 it is so again, and more machines follow within minutes.',
    cause: 'the air conditioning on the roof had failed, first in a storm',
    did: 'had the air conditioning repaired: by February 8, and by March 7',
    lab: { ...machine, from: '2024-01-29', days: 41, models: ['Pixel 7 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      warmerIn(lab, phone, [
        [lab.at(6, '16:30'), lab.at(10, '11:00'), 145],
        [lab.at(36, '11:40'), lab.at(38, '09:50'), 155],
      ]);
      background(lab);
      return {
        at: lab.at(37, '10:30'),
        told: {
          about: ['phone', 'room', 'host'],
          says: /\bcool|\bair\b|ventilat|\bfan\b|\brooms?\b|conditioning/i,
        },
        alsoAbout: ['phone', 'room'],
      };
    },
  },
  {
    name: 'the phone of linux-61 is away on the morning after a holiday, and a week later again, until it is rebooted',
    source: 'flutter/flutter#163548, flutter/flutter#164115',
    seen: 'Six machines have lost their phone on February 18, four on February 25; linux-61 is among them both times.',
    cause: 'not found; each time it was enough to reboot the phone',
    did: 'rebooted the phones',
    lab: { ...machine, usb: true, from: '2025-02-03', days: 26, models: ['Moto G'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        forcedAt(lab, phone, [14, '19:22'], [15, '13:47']),
        forcedAt(lab, phone, [22, '04:51'], [22, '14:05']),
      ];
      background(lab);
      return {
        at: lab.at(22, '09:40'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /reboot|restart|power (?:it )?(?:button|cycle|off|on)|switch (?:it )?(?:off|on)/i,
        },
      };
    },
  },
  {
    name: 'every job of a desktop machine fails on a Monday, and its phone is back on Wednesday',
    source: 'dotnet/arcade#9808',
    seen: 'On June 27 all that is sent to DNCENGWIN-028 fails.',
    cause: 'its phone was offline; why is not told',
    did: 'took the machine out of service and had the phone brought back; that was done on June 29',
    lab: { ...windows, from: '2022-06-06', days: 25, models: ['Pixel 4a'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = goneUntil(lab, phone, [20, '22:14'], [23, '15:36']);
      lab.note(lab.at(21, '10:12'), {}, 'all jobs fail: out of service, incident opened');
      background(lab);
      return {
        at: lab.at(21, '10:40'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /plug|cable|socket|restart|reboot|charg|power|switched o/i,
        },
      };
    },
  },
  {
    name: 'a phone that tests restart comes back late, or not until somebody presses its button',
    source: 'flutter/flutter#91650, flutter/flutter#91640',
    seen: 'Tests find no phone now and then. The phones of linux-5 and linux-11 do not restart properly.',
    cause: 'the phones are broken',
    did: 'asked for other phones in their place, and to mark these as broken',
    lab: { ...machine, from: '2021-09-20', days: 24, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        forcedAt(lab, phone, [17, '22:08'], [18, '09:31']),
        forcedAt(lab, phone, [19, '14:52'], [21, '10:17']),
        forcedAt(lab, phone, [21, '22:37'], [22, '09:12']),
      ];
      for (let day = 1; day < 22; day += 1)
        for (const about of [2.5, 13.2, 21.4]) {
          const at = Math.round(lab.at(day) + (about + lab.random.between(-1.2, 1.2)) * HOUR);
          if (lab.random.chance(0.3) || !lab.isFree(phone, at, at + 15 * MINUTE)) continue;
          const isSlow = day > 13 && lab.random.chance(0.45);
          const forMs = isSlow ? lab.random.between(3.5, 11) * MINUTE : lab.random.between(36, 58) * SECOND;
          const loss = lab.reboot(phone, at, { forMs: Math.round(forMs), reason: 'reboot,shell' });
          if (isSlow) losses.push(loss);
        }
      background(lab);
      return {
        at: lab.at(22, '10:05'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          says: /replac|repair|broken|reset|re-?flash|firmware|stuck|hang|hung|power button|does not (?:come|start|boot)|by itself|boots? slow/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
];
