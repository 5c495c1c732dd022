/** One phone on a desk, or at a small host, that drops again and again for seconds or minutes while people are there. */
import type { Port } from '../../room.ts';
import { agentStartsFirst, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Another port of the host itself. */
const spare = (number: number): Port => ({
  chain: String(number),
  controller: 'pci-0000:00:14.0',
  bus: 1,
  slot: `desk ${number}`,
});

const daysFrom = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

interface Habit {
  days: readonly number[];
  /** Hours of the lab's clock. */
  hours: readonly [number, number];
  perDay: readonly [number, number];
}

/** Moments at which somebody works with the phone, each apart from the others. */
function moments(lab: Lab, { days, hours: [from, to], perDay: [least, most] }: Habit): number[] {
  return days.flatMap((day) => {
    const count = lab.random.whole(least, most);
    const each = ((to - from) * HOUR) / count;
    return Array.from({ length: count }, (_, index) =>
      Math.round(lab.at(day) + from * HOUR + (index + lab.random.between(0.05, 0.8)) * each),
    );
  });
}

export const incidents: readonly Incident[] = [
  {
    name: 'a phone at the front of a computer goes offline seconds after its screen is mirrored',
    source: 'Genymobile/scrcpy#281, Genymobile/scrcpy#283',
    seen: 'The mirror can be used for two or three seconds or some while longer, then it closes; from then on adb calls the phone offline.',
    cause: 'the USB 2.0 port at the front of the computer does not give enough power',
    did: 'used another port',
    lab: { zone: 'Asia/Kolkata', hubs: [], direct: 2, from: '2018-09-10', days: 24, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const days = daysFrom(14, 22).filter(lab.isWorkday);
      const losses = moments(lab, { days, hours: [10, 19], perDay: [3, 6] }).map((at) =>
        lab.random.chance(0.5)
          ? lab.lose(phone, at, { as: 'offline', forMs: lab.random.between(25, 200) * SECOND })
          : lab.lose(phone, at, { forMs: lab.random.between(2, 15) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(21, '19:20'),
        losses,
        blame: ['link', 'host'],
        told: {
          about: ['phone', 'port', 'hub', 'host'],
          says: /(another|other|different) (USB )?port|power|cable/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy at a port of USB 2 freezes and drops out, and does not at one of USB 3',
    source: 'Genymobile/scrcpy#2697',
    seen: 'The connection freezes, is refused, or drops out; USB debugging has to be switched off and on before each use.',
    cause: 'the port of USB 2 to which the phone was plugged',
    did: 'plugged it into a port of USB 3',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 2,
      from: '2021-09-20',
      days: 22,
      usb: true,
      models: ['Galaxy S9'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const habit = { days: daysFrom(14, 20), hours: [11, 22], perDay: [2, 5] } as const;
      const losses = moments(lab, habit).map((at) => {
        const isOffline = lab.random.chance(0.25);
        const forMs = lab.random.between(8, isOffline ? 240 : 90) * SECOND;
        return lab.lose(phone, at, { forMs, ...(isOffline && { as: 'offline' }) });
      });
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '22:15'),
        losses,
        blame: ['link'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(another|other|different) (USB )?port|(swap|change|move).{0,30}\bport|USB 3/i,
        },
      };
    },
  },
  {
    name: 'a program that mounts the files of a phone resets its USB each time',
    source: 'phatina/simple-mtpfs#47',
    seen: 'Each try to mount a Galaxy A5 results in a reset of USB: its device file vanishes. Another program mounts it well.',
    cause: 'the program resets the device before it opens it; other phones bear that',
    did: 'took the resets out of the program',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [],
      direct: 2,
      from: '2016-03-21',
      days: 22,
      usb: true,
      models: ['Galaxy A5', 'Nexus 5'],
    },
    tell(lab) {
      const [phone, other] = [lab.pinned(0), lab.pinned(1)];
      agentStartsFirst(lab);
      const habit = { days: daysFrom(12, 20), hours: [10, 20], perDay: [2, 4] } as const;
      const losses = moments(lab, habit).map((at) => {
        lab.kernel(at - 300, lab.where(phone, at), 'reset');
        return lab.lose(phone, at, { forMs: lab.random.between(2, 5) * SECOND });
      });
      for (const at of moments(lab, { days: [13, 15, 18], hours: [10, 20], perDay: [1, 2] }))
        lab.kernel(at, lab.where(other, at), 'reset');
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '20:30'),
        losses,
        blame: ['host', 'phone'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /\bMTP\b|file transfer|mount|(another|a|some|which) program|reset/i,
        },
      };
    },
  },
  {
    name: 'the USB of a head unit in a car loses what is plugged in, back and forth',
    source: 'andreknieriem/open-headunit#800, andreknieriem/open-headunit#827',
    seen: 'It disconnects while driving, at times again and again, and at times does not come back at once. At a tablet the same device works well.',
    cause: 'the USB 2.0 of the head unit',
    did: 'set the USB of the head unit to the slower USB 1.1: it never failed again',
    lab: { zone: 'Asia/Kuala_Lumpur', hubs: [], direct: 1, from: '2026-07-20', days: 21, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of daysFrom(10, 19))
        for (const time of ['07:40', '18:05']) {
          if (lab.random.chance(0.35)) continue;
          let at = lab.at(day, time) + lab.random.between(0, 35) * MINUTE;
          for (let left = lab.random.whole(1, 5); left > 0; left -= 1) {
            const isLong = lab.random.chance(0.15);
            const forMs = isLong ? lab.random.between(2, 9) * MINUTE : lab.random.between(2, 14) * SECOND;
            losses.push(lab.lose(phone, at, { forMs }));
            at += forMs + lab.random.between(15, 90) * SECOND;
          }
        }
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '21:00'),
        losses,
        blame: ['link', 'host'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /USB 1\.1|full.?speed|slower|(another|other|different) (USB )?(port|host|computer|machine)/i,
        },
      };
    },
  },
  {
    name: 'a Pixel drops out of each file transfer, whatever its port and cable, and another phone does not',
    source: 'GrapheneOS/os-issue-tracker#3125',
    seen: 'Ten seconds to over a minute after files begin to move, the phone is gone for a moment, at several ports and with several cables. Another phone transfers at the same port and cable.',
    cause: 'the system of the phone, as its makers supply it',
    did: 'transferred by FTP over the network instead',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      from: '2024-01-02',
      days: 22,
      usb: true,
      models: ['Pixel 8 Pro', 'OnePlus 7T Pro'],
    },
    tell(lab) {
      const [pixel, other] = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      const first = lab.portOf(pixel, lab.start);
      const isTransferred = (phone: LabPhone, at: number): void => {
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(1.5, 5) * SECOND }));
      };
      for (const at of moments(lab, { days: [12, 13], hours: [11, 21], perDay: [3, 5] }))
        isTransferred(pixel, at);
      lab.lose(pixel, lab.at(13, '22:10'), { forMs: 50 * SECOND, to: spare(3) });
      for (const at of moments(lab, { days: [14, 15], hours: [11, 21], perDay: [3, 5] }))
        isTransferred(pixel, at);
      lab.lose(pixel, lab.at(15, '21:40'), { forMs: 35 * SECOND, to: spare(4) });
      // the other phone is tried where the Pixel was
      if (first) lab.lose(other, lab.at(16, '10:00'), { forMs: 3 * MINUTE, to: first });
      for (const at of moments(lab, { days: [16, 17, 18], hours: [11, 21], perDay: [2, 4] }))
        isTransferred(pixel, at);
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '21:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [pixel.udid],
          says: /Wi-?Fi|network|update|the phone itself|(its|phone.s) (own )?(USB|socket|connector|system|software|firmware)/i,
        },
      };
    },
  },
  {
    name: 'the cable of a headset cuts out for a moment when it is knocked',
    source: 'WiVRn/WiVRn#399',
    seen: 'When the cable is knocked the connection is cut just long enough to have to be begun anew at the computer.',
    cause: 'the cable makes bad contact when it is moved',
    did: 'pressed the button for a new connection each time, and asked for one that comes by itself',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      from: '2025-06-16',
      days: 22,
      usb: true,
      models: ['Quest 3', 'Pixel 7'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      const days = [9, 11, 12, 14, 16, 18, 19, 20];
      const losses = moments(lab, { days, hours: [19, 22.5], perDay: [2, 5] }).map((at) =>
        lab.lose(headset, at, { forMs: lab.random.between(1, 4) * SECOND }),
      );
      background(lab, { isDaily: true, hours: [10, 23] });
      return {
        at: lab.at(20, '22:50'),
        losses,
        blame: ['link'],
        told: {
          about: ['phone', 'port'],
          keys: [headset.udid, lab.portKey(headset)],
          says: /cable|plug|contact|connector|socket/i,
        },
      };
    },
  },
];
