/** What everybody who keeps a lab has seen, and nobody writes up: each a general case that was judged wrong once. */
import { expect, it } from 'vitest';
import { adbRestarts, background, inUse } from './background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from './lab.ts';
import type { Incident } from './story.ts';
import { verdictOn } from './verdict.ts';

type Scene = Pick<Incident, 'name' | 'lab' | 'tell'>;

const pinAll = (phones: readonly LabPhone[]): readonly LabPhone[] => {
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** Once or twice a day, while tests run, for seconds. */
function byDay(lab: Lab, lose: (at: number) => ToldLoss[]): ToldLoss[] {
  const losses: ToldLoss[] = [];
  for (let day = 12; day < 22; day += 1)
    for (let left = lab.isWorkday(day) ? lab.random.whole(1, 2) : 0; left > 0; left -= 1)
      losses.push(...lose(lab.at(day, '05:20') + (left * 4 + lab.random.between(0, 3)) * HOUR));
  return losses;
}

const brownouts = (lab: Lab, gone?: 'hub'): ToldLoss[] => {
  const phones = pinAll(lab.phonesOf(0));
  return byDay(lab, (at) =>
    lab.loseAll(phones, at, {
      spreadMs: 400,
      forMs: 4 * SECOND,
      backSpreadMs: 2 * SECOND,
      ...(gone && { gone }),
    }),
  );
};

const ofHub: Pick<Scene, 'tell'> = {
  tell(lab) {
    const losses = brownouts(lab, lab.hasUsb ? 'hub' : undefined);
    background(lab);
    const says = /power/i;
    return { at: lab.at(21, '19:00'), losses, blame: ['hub'], told: { about: ['hub'], says } };
  },
};

const ofCable: Pick<Scene, 'tell'> = {
  tell(lab) {
    const phone = lab.pinned(0);
    const losses = byDay(lab, (at) => [lab.lose(phone, at, { forMs: lab.random.between(1.5, 6) * SECOND })]);
    background(lab);
    const says = /cable/i;
    return { at: lab.at(21, '18:30'), losses, blame: ['port'], told: { about: ['port'], says } };
  },
};

/** Too hot within an hour, and gone; nobody has been there since. */
const overheated = (time: string, asked: string): Pick<Scene, 'tell'> => ({
  tell(lab) {
    const phone = lab.pinned(1);
    const [off, cool] = [lab.at(16, time), inUse(lab)];
    phone.reading = (at) => {
      const minutes = (at - off) / MINUTE + 80;
      if (minutes < 0 || minutes > 80) return cool(at);
      return {
        levelPercent: 70,
        isFull: false,
        temperatureDecicelsius: Math.round(380 + 3.2 * Math.min(70, minutes)),
      };
    };
    const loss = lab.lose(phone, off);
    background(lab);
    const told = { about: ['phone' as const], says: /°C.*cool/i };
    return { at: lab.at(16, asked), losses: [loss], blame: ['phone'], told };
  },
});

const scenes: Scene[] = [
  {
    name: 'a hub whose power is too weak drops all its phones while tests run, for seconds',
    lab: { hubs: [7, 7], free: 1, days: 24 },
    ...ofHub,
  },
  {
    name: 'the same, and USB is known',
    lab: { hubs: [7, 7], free: 1, days: 24, usb: true },
    ...ofHub,
  },
  { name: 'the same at a desk', lab: { hubs: [3], direct: 1, days: 24 }, ...ofHub },
  {
    name: 'a cable that tests shake loses its phone by day, for seconds',
    lab: { hubs: [8], days: 24 },
    ...ofCable,
  },
  { name: 'the same at a desk with two phones', lab: { hubs: [], direct: 2, days: 24 }, ...ofCable },
  {
    name: 'a hub dies by day and stays dead',
    lab: { hubs: [7, 7, 4], days: 20 },
    tell(lab) {
      const losses = lab.loseAll(pinAll(lab.phonesOf(1)), lab.at(16, '14:03'), { spreadMs: 500 });
      background(lab);
      const told = { about: ['hub' as const], says: /power/i };
      return { at: lab.at(16, '15:00'), losses, blame: ['hub'], told };
    },
  },
  {
    name: 'a phone switches itself off by day when it is too hot',
    lab: { hubs: [4], days: 20 },
    ...overheated('14:20', '15:40'),
  },
  { name: 'the same at night', lab: { hubs: [4], days: 20 }, ...overheated('01:20', '08:40') },
  {
    name: 'an update takes a phone for an hour',
    lab: { hubs: [7], days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const [at, back] = [lab.at(13, '02:40'), lab.at(13, '03:35')];
      const loss = lab.lose(phone, at, { forMs: back - at });
      lab.rebooted(phone, back + 30 * SECOND, { reason: 'reboot', uptimeSeconds: 80 });
      lab.phone(phone, back + 31 * SECOND, { kind: 'os', before: '14', release: '15' });
      background(lab);
      return { at: lab.at(13, '10:00'), losses: [loss], blame: ['person'] };
    },
  },
  {
    name: 'two programs with adb of their own replace each other’s server, three times a day',
    lab: { hubs: [4], days: 20 },
    tell(lab) {
      const phones = pinAll(lab.phones);
      const losses = ['09:40', '13:10', '17:02', '33:40', '37:10', '41:02'].flatMap((time, index) => {
        const at = lab.at(15, time);
        adbRestarts(lab, at, index % 2 === 0 ? 40 : 41);
        return lab.loseAll(phones, at + 3300, { spreadMs: 200, forMs: 3 * SECOND });
      });
      background(lab);
      const told = { about: ['host' as const], says: /40 and 41/ };
      return { at: lab.at(16, '18:00'), losses, blame: ['adb'], told };
    },
  },
  {
    name: 'eight of ten phones do not know the key of an adb that was started anew',
    lab: { hubs: [10], days: 20 },
    tell(lab) {
      const at = lab.at(16, '09:03');
      adbRestarts(lab, at, 41);
      const away = { forMs: 4 * SECOND, backAs: 'unauthorized' };
      const losses = pinAll(lab.phones.slice(0, 8)).map((phone) => lab.lose(phone, at + 3300, away));
      background(lab);
      const told = { about: ['phone' as const], says: /key/i };
      return { at: lab.at(16, '09:40'), losses, blame: ['adb'], told };
    },
  },
];

it.each(scenes)('$name', (scene) => {
  const { outcome, why, contradictions } = verdictOn({ ...scene, source: '', seen: '', cause: '', did: '' });
  expect([...why, ...contradictions]).toEqual([]);
  expect(outcome).toBe('right');
});
