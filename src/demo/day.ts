/** A made-up day before the demo, so that its plots and events show something. Pure: the same for the same time. */
import { HOUR_MS, MINUTE_MS } from '../base/calendar.ts';
import type { Recording } from './recording.ts';

export interface Reading {
  /** Ms since the epoch. */
  at: number;
  levelPercent: number;
  temperatureDecicelsius: number;
  /** It is on a charger and full. */
  isFull?: boolean;
}

/** In the shape of the history. */
export type PastHappening =
  | { kind: 'attached'; state: string }
  | { kind: 'detached' }
  | { kind: 'refused'; said: string }
  | { kind: 'stored' }
  | { kind: 'rebooted'; reason: string }
  | { kind: 'note'; text: string; by: string }
  | { kind: 'batteryHealth'; health: 'GOOD' | 'OVERHEAT'; before: 'GOOD' | 'OVERHEAT' };

/** `at`: ms since the epoch. */
export type PastEvent = PastHappening & { at: number };

/** Both oldest first. */
export interface Past {
  readings: Reading[];
  events: PastEvent[];
}

const EVERY_MS = 5 * MINUTE_MS;

/** A battery that is used and charged goes between these, percent; it takes the hours from one to the other. */
const LOW_PERCENT = 25;
const FULL_PERCENT = 100;
const HOURS_BETWEEN = 5;
/** A room warms and cools a phone by so much over some hours. */
const SWING_DECICELSIUS = 22;
const SWING_HOURS = 7;
/** A hot spell adds so much at its middle. */
const SPELL_DECICELSIUS = 170;

/** BatteryManager.BATTERY_STATUS_CHARGING and _FULL. */
const CHARGING: readonly string[] = ['2', '5'];

/** What may happen to a phone in its day, hours before the demo. */
interface Spell {
  fromHours: number;
  toHours: number;
  isUnplugged?: true;
  isHot?: true;
  starts: PastHappening;
  ends: PastHappening;
}

const spells: readonly Spell[] = [
  {
    fromHours: 9,
    toHours: 7,
    isUnplugged: true,
    starts: { kind: 'detached' },
    ends: { kind: 'attached', state: 'device' },
  },
  {
    fromHours: 5,
    toHours: 4.8,
    starts: { kind: 'refused', said: 'missing required capability: rack position' },
    ends: { kind: 'stored' },
  },
  {
    fromHours: 14,
    toHours: 13,
    isHot: true,
    starts: { kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' },
    ends: { kind: 'batteryHealth', health: 'GOOD', before: 'OVERHEAT' },
  },
];

/**
 * The day of a phone, up to where its recording takes over.
 *
 * @param place its place among the phones: they do not all have the same day
 * @param now ms since the epoch
 */
export function dayOf({ state, answers }: Recording, place: number, now: number): Past {
  const came: PastEvent = { at: now - 23 * HOUR_MS, kind: 'attached', state };
  const battery = batteryIn(answers);
  const spell = spells[place % spells.length];
  if (battery === undefined || spell === undefined) return { readings: [], events: [came] };
  const [from, to] = [now - spell.fromHours * HOUR_MS, now - spell.toHours * HOUR_MS];
  const readings = times(now).flatMap((at) => {
    const isInSpell = at >= from && at < to;
    if (isInSpell && spell.isUnplugged) return [];
    const heat = isInSpell && spell.isHot ? Math.sin((Math.PI * (at - from)) / (to - from)) : 0;
    return readingAt(at, now, battery, heat);
  });
  return { readings, events: [came, { at: from, ...spell.starts }, { at: to, ...spell.ends }] };
}

const times = (now: number): number[] =>
  Array.from(
    { length: (24 * HOUR_MS) / EVERY_MS - 1 },
    (_, index) => now - 24 * HOUR_MS + (index + 1) * EVERY_MS,
  );

export interface Battery {
  levelPercent: number;
  temperatureDecicelsius: number;
  isCharging: boolean;
}

export function batteryIn(answers: Recording['answers']): Battery | undefined {
  const given = answers['battery.dump'];
  const dump = Array.isArray(given) ? given : [];
  const value = (key: string) => dump.find((line) => line.trimStart().startsWith(`${key}: `))?.split(': ')[1];
  const [level, temperature] = [Number(value('level')), Number(value('temperature'))];
  if (!(level > 0 && temperature > 0)) return undefined;
  return {
    levelPercent: level,
    temperatureDecicelsius: temperature,
    isCharging: CHARGING.includes(value('status') ?? ''),
  };
}

/**
 * The level goes up and down in straight lines, and ends where the recording has it.
 *
 * @param heat part of a hot spell
 */
export function readingAt(at: number, now: number, battery: Battery, heat: number): Reading {
  const agoHours = (now - at) / HOUR_MS;
  const range = FULL_PERCENT - LOW_PERCENT;
  const end = (Math.max(battery.levelPercent, LOW_PERCENT) - LOW_PERCENT) / range;
  const phase = (battery.isCharging ? end : 2 - end) - agoHours / HOURS_BETWEEN;
  const wave = 1 - Math.abs((((phase % 2) + 2) % 2) - 1);
  const swing = Math.sin((2 * Math.PI * agoHours) / SWING_HOURS) * SWING_DECICELSIUS;
  return {
    at,
    levelPercent: Math.round(LOW_PERCENT + wave * range),
    temperatureDecicelsius: Math.round(battery.temperatureDecicelsius + swing + heat * SPELL_DECICELSIUS),
  };
}
