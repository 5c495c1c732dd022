/** Storage that fills, and what only looks so. */
import { ordinaryLife } from '../ordinary-life.ts';
import { read } from '../readings.ts';
import { DAY, type SceneLab, type ScenePhone } from '../scene.ts';
import type { Story } from '../story.ts';

const GB = 1e9;

/** A phone whose storage is `used(daysAgo)`, part of the whole; with noise. */
function fill(lab: SceneLab, used: (daysAgo: number) => number | undefined): ScenePhone {
  const { random, now } = lab;
  const phone = random.pick(lab.usbPhones);
  const totalBytes = random.pick([32, 64, 128, 256]) * GB;
  phone.picture.storage = { totalBytes, usedBytes: Math.round((used(0) ?? 0) * totalBytes) };
  read(lab, phone, (at) => {
    const part = used((now - at) / DAY);
    if (part === undefined) return undefined;
    const noise = random.between(-0.001, 0.001);
    return { storageUsedBytes: Math.round(Math.min(1, Math.max(0, part + noise)) * totalBytes) };
  });
  return phone;
}

export const stories: Story[] = [
  {
    name: 'storage that fills by what tests leave behind',
    tell(lab) {
      const perDay = lab.random.between(0.01, 0.06);
      const daysLeft = lab.random.between(1, 5.5);
      const phone = fill(lab, (daysAgo) => 0.95 - (daysLeft + daysAgo) * perDay);
      lab.expect('STORAGE_FILLING', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that fills although some of it is cleaned each night',
    tell(lab) {
      const perDay = lab.random.between(0.015, 0.04);
      const daysLeft = lab.random.between(1.5, 4);
      const saw = lab.random.between(0.01, 0.04);
      const phase = lab.random.number();
      const phone = fill(
        lab,
        (daysAgo) => 0.93 - (daysLeft + daysAgo) * perDay - saw + saw * (1 - ((daysAgo + phase) % 1)),
      );
      lab.expect('STORAGE_FILLING', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that fills for five days on a phone that was away before',
    tell(lab) {
      const phone = fill(lab, (daysAgo) => (daysAgo > 5 ? undefined : 0.95 - (2 + daysAgo) * 0.05));
      lab.expect('STORAGE_FILLING', phone.udid);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that an update fills, once',
    tell(lab) {
      const daysAgoOfUpdate = lab.random.between(0.2, 6);
      fill(lab, (daysAgo) => (daysAgo < daysAgoOfUpdate ? 0.9 : 0.82));
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that tests fill and that is cleaned each night',
    tell(lab) {
      const phase = lab.random.number();
      const height = lab.random.between(0.1, 0.3);
      fill(lab, (daysAgo) => 0.6 + height * (1 - ((daysAgo + phase) % 1)));
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that is cleaned once a week, and has just been',
    tell(lab) {
      const cleaned = lab.random.between(0.3, 1.5);
      fill(lab, (daysAgo) => (daysAgo < cleaned ? 0.5 : 0.93 - (daysAgo - cleaned) * 0.05));
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that fills slowly, with weeks left',
    tell(lab) {
      const perDay = lab.random.between(0.003, 0.01);
      const daysLeft = lab.random.between(11, 40);
      fill(lab, (daysAgo) => 0.95 - (daysLeft + daysAgo) * perDay);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that is nearly full and stays so',
    tell(lab) {
      fill(lab, () => 0.94);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage that is full already: the phone says so itself',
    tell(lab) {
      fill(lab, (daysAgo) => 0.97 - daysAgo * 0.02);
      ordinaryLife(lab);
    },
  },
  {
    name: 'storage of which two readings are known, before and after the clock was set',
    tell(lab) {
      lab.stepClock(lab.now - 2 * DAY, 20 * DAY);
      fill(lab, (daysAgo) => (daysAgo < 1.9 ? 0.9 : undefined));
      ordinaryLife(lab, { glitches: 0, taken: 0 });
    },
  },
  {
    name: 'a big file that is copied now and removed soon',
    tell(lab) {
      fill(lab, (daysAgo) => (daysAgo < lab.random.between(1, 6) / 24 ? 0.93 : 0.7));
      ordinaryLife(lab);
    },
  },
];
