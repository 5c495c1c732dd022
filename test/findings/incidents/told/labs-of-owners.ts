/** Incidents of labs with several machines and devices, written up by those who look after them. */
import {
  agentStartsFirst,
  type Background,
  background,
  hostDies,
  hostRestarts,
  inUse,
} from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A machine of a big lab, in which each has one phone. */
const bot = (more: LabOptions): LabOptions => ({
  zone: 'America/Los_Angeles',
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...more,
});

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
];
