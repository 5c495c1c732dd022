/** Readings of a phone as the history keeps them: every five minutes for a week, every hour before. */
import type { HistorySample } from '../../src/history/events/event.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone } from './scene.ts';

/** What a phone reads at a moment; `undefined` leaves the moment out. */
export type Reading = (at: number) => Omit<HistorySample, 'at'> | undefined;

/** The moments that the history has of 30 days, oldest first. */
function moments(now: number): number[] {
  const [hours, fives]: number[][] = [[], []];
  for (let at = Math.floor((now - 30 * DAY) / HOUR) * HOUR; at < now - 7 * DAY; at += HOUR)
    hours?.push(at + 55 * MINUTE);
  const from = (hours?.at(-1) ?? 0) + 5 * MINUTE;
  for (let at = from; at <= now; at += 5 * MINUTE) fives?.push(at);
  return [...(hours ?? []), ...(fives ?? [])];
}

/** Half a day, and this hour of each day of the last week. */
const isAround = (at: number, now: number): boolean =>
  now - at < DAY / 2 || (now - at < 8 * DAY && (now - at + 90 * MINUTE) % DAY < 3 * HOUR);

const known = new WeakMap<SceneLab, { all: number[]; around: number[] }>();

function momentsOf(lab: SceneLab): { all: number[]; around: number[] } {
  const all = known.get(lab)?.all ?? moments(lab.now);
  const found = known.get(lab) ?? { all, around: all.filter((at) => isAround(at, lab.now)) };
  known.set(lab, found);
  return found;
}

/**
 * Keeps what a phone reads, and its picture is of the newest reading.
 *
 * @param around keep only the readings that can be compared with those of now: for scenes of many phones
 */
export function read(lab: SceneLab, phone: ScenePhone, reading: Reading, around = false): void {
  const samples = momentsOf(lab)[around ? 'around' : 'all'].flatMap((at) => {
    const what = reading(at);
    return what === undefined ? [] : [{ at, ...what }];
  });
  lab.samples.set(phone.udid, samples);
  const { temperatureDecicelsius, levelPercent, storageUsedBytes } = samples.at(-1) ?? {};
  phone.picture.battery = {
    isPresent: true,
    ...(temperatureDecicelsius !== undefined && { temperatureDecicelsius }),
    ...(levelPercent !== undefined && { levelPercent }),
    ...phone.picture.battery,
  };
  const { storage } = phone.picture;
  if (storage && storageUsedBytes !== undefined)
    phone.picture.storage = { ...storage, usedBytes: storageUsedBytes };
}

/** A room with its own days: tenths of °C at a moment. */
export function climate(
  lab: SceneLab,
  { swing = lab.random.between(5, 30), base = lab.random.between(210, 260) } = {},
): (at: number) => number {
  const { random, now } = lab;
  const peak = random.between(13, 17) * HOUR;
  const days = Array.from({ length: 32 }, () => random.between(-8, 8));
  return (at) => {
    const hours = (at - peak) / DAY;
    return base + swing * Math.cos(2 * Math.PI * hours) + (days[Math.floor((now - at) / DAY)] ?? 0);
  };
}

/** A phone in such a room, on its charger and full: so much warmer, with noise. */
export function restingIn(lab: SceneLab, room: (at: number) => number): Reading {
  const above = lab.random.between(15, 30);
  return (at) => ({
    levelPercent: 100,
    isFull: true,
    temperatureDecicelsius: Math.round(room(at) + above + lab.random.between(-6, 6)),
  });
}
