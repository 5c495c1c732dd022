/** Batteries that are hot, were kept full and hot, or are worn; and what only looks so. */
import { ordinaryLife } from '../ordinary-life.ts';
import { climate, read, restingIn } from '../readings.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone } from '../scene.ts';
import type { Story } from '../story.ts';

/** The phone that the story is about. */
function chosen(lab: SceneLab): ScenePhone {
  const phone = lab.random.pick(lab.usbPhones);
  phone.isPinned = true;
  return phone;
}

/** It is so hot, °C, while `isHot`; else as a phone at rest. */
function heat(
  lab: SceneLab,
  phone: ScenePhone,
  isHot: (at: number) => boolean,
  [low, high]: [number, number],
  isFull = true,
): void {
  const resting = restingIn(lab, climate(lab));
  read(lab, phone, (at) => ({
    ...resting(at),
    isFull,
    levelPercent: isFull ? 100 : 60,
    ...(isHot(at) && { temperatureDecicelsius: Math.round(lab.random.between(low * 10, high * 10)) }),
  }));
}

/** So many hours of each day, from so many days ago until then. */
const daily =
  (lab: SceneLab, hours: number, fromDays: number, untilDays = 0) =>
  (at: number): boolean =>
    at >= lab.now - fromDays * DAY &&
    at < lab.now - untilDays * DAY &&
    (lab.now - at) % DAY >= DAY - hours * HOUR;

const BETWEEN: [number, number] = [41, 44];

export const stories: Story[] = [
  {
    name: 'a battery that has been hot for a while',
    tell(lab) {
      const phone = chosen(lab);
      const since = lab.now - lab.random.between(20, 600) * MINUTE;
      heat(lab, phone, (at) => at >= since, [46, 55], false);
      lab.expect('BATTERY_HOT', phone.udid);
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a battery that is dangerously hot, and nothing is known of before',
    tell(lab) {
      const phone = chosen(lab);
      phone.picture.battery = { isPresent: true, temperatureDecicelsius: lab.random.whole(600, 700) };
      lab.expect('BATTERY_HOT', phone.udid);
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a battery that is hot for a minute while its charger is swapped',
    tell(lab) {
      const phone = chosen(lab);
      heat(lab, phone, (at) => at > lab.now - 5 * MINUTE, [45, 47]);
      phone.picture.battery = { ...phone.picture.battery, temperatureDecicelsius: 455 };
      ordinaryLife(lab);
    },
  },
  {
    name: 'a battery that was hot until half an hour ago',
    tell(lab) {
      const [from, to] = [lab.now - 5 * HOUR, lab.now - 30 * MINUTE];
      heat(lab, chosen(lab), (at) => at >= from && at < to, [46, 52], false);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a battery that is warm for a day, below the limit',
    tell(lab) {
      heat(lab, chosen(lab), (at) => at > lab.now - DAY, [38, 44], false);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a hot battery of a phone in maintenance',
    tell(lab) {
      const phone = chosen(lab);
      heat(lab, phone, (at) => at > lab.now - 3 * HOUR, [46, 52], false);
      lab.phone(phone, lab.now - HOUR, { kind: 'maintenance', until: lab.now + DAY, reason: 'battery' });
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a phone that cooks at 100 % for weeks',
    tell(lab) {
      const phone = chosen(lab);
      const days = lab.random.between(8, 30);
      heat(lab, phone, daily(lab, lab.random.between(6, 24), days), BETWEEN);
      lab.expect('BATTERY_FULL_AND_HOT', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that cooked at 100 % some weeks ago',
    tell(lab) {
      const phone = chosen(lab);
      heat(lab, phone, daily(lab, lab.random.between(10, 24), lab.random.between(20, 29), 9), BETWEEN);
      lab.expect('BATTERY_FULL_AND_HOT', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that is full and hot on one afternoon',
    tell(lab) {
      const from = lab.now - lab.random.between(1, 6) * DAY;
      heat(lab, chosen(lab), (at) => at >= from && at < from + 8 * HOUR, BETWEEN);
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that tests keep warm, and that is not full',
    tell(lab) {
      heat(lab, chosen(lab), daily(lab, 12, 29), BETWEEN, false);
      ordinaryLife(lab);
    },
  },
  {
    name: 'phones that are full and cool for a month',
    tell(lab) {
      const room = climate(lab);
      for (const phone of lab.usbPhones.slice(0, 12)) read(lab, phone, restingIn(lab, room));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that was full and hot before it was away for days',
    tell(lab) {
      const phone = chosen(lab);
      // one hot reading before the silence, which says nothing about the silence
      const gap = { from: lab.now - 6 * DAY, to: lab.now - DAY };
      const resting = restingIn(lab, climate(lab));
      read(lab, phone, (at) => {
        if (at > gap.from && at < gap.to) return undefined;
        const isLast = at > gap.from - 10 * MINUTE && at <= gap.from;
        return { ...resting(at), ...(isLast && { temperatureDecicelsius: 430 }) };
      });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a phone that tests drain on its cable, and one that ran empty',
    tell(lab) {
      const [drained, empty] = [
        chosen(lab),
        lab.random.pick(lab.usbPhones.filter(({ isPinned }) => !isPinned)),
      ];
      empty.isPinned = true;
      const at = Math.round(lab.now - lab.random.between(0.1, 20) * HOUR);
      for (const [phone, until] of [
        [drained, lab.now],
        [empty, at],
      ] as const) {
        const last = lab.random.between(1, 5);
        const perHour = lab.random.between(6, 30);
        read(lab, phone, (time) => {
          if (time > until) return undefined;
          const levelPercent = Math.round(Math.min(100, last + (perHour * (until - time)) / HOUR));
          return { levelPercent, temperatureDecicelsius: 300, isFull: levelPercent === 100 };
        });
        lab.expect('BATTERY_DRAINING', phone.udid, phone === drained ? 'minor' : 'major');
      }
      lab.lose(empty, at);
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'a phone that is nearly empty and charges, and one that was low and is back',
    tell(lab) {
      const [charging, back] = [
        chosen(lab),
        lab.random.pick(lab.usbPhones.filter(({ isPinned }) => !isPinned)),
      ];
      back.isPinned = true;
      read(lab, charging, (at) => ({
        levelPercent: Math.max(1, 12 - Math.floor((lab.now - at) / (15 * MINUTE))),
      }));
      const at = Math.round(lab.now - lab.random.between(5, 20) * HOUR);
      read(lab, back, (time) => ({ levelPercent: time < at ? 4 : 70 }));
      lab.lose(back, at, { awayMs: 3 * HOUR });
      ordinaryLife(lab, { glitches: 0 });
    },
  },
  {
    name: 'worn batteries, as their makers say, and as their gauges say',
    tell(lab) {
      const [samsung, pixel] = lab.random.shuffled(lab.usbPhones);
      if (samsung) {
        samsung.picture.battery = { isPresent: true, healthPercent: lab.random.whole(40, 79) };
        lab.expect('BATTERY_WORN', samsung.udid);
      }
      if (pixel) {
        const designMicroampereHours = lab.random.whole(3000, 6000) * 1000;
        const fullMicroampereHours = Math.round(designMicroampereHours * lab.random.between(0.4, 0.79));
        pixel.picture.wear = { designMicroampereHours, fullMicroampereHours };
        lab.expect('BATTERY_WORN', pixel.udid);
      }
      ordinaryLife(lab);
    },
  },
  {
    name: 'batteries that are used, and not worn, or that nobody knows',
    tell(lab) {
      for (const phone of lab.usbPhones) {
        const percent = lab.random.whole(80, 110);
        if (percent <= 100) phone.picture.battery = { isPresent: true, healthPercent: percent };
        if (lab.random.chance(0.3))
          phone.picture.wear = { designMicroampereHours: 4_500_000, fullMicroampereHours: percent * 45_000 };
        if (lab.random.chance(0.2)) phone.picture.wear = {};
      }
      ordinaryLife(lab);
    },
  },
];
