/**
 * A made-up past of the demo's phones, so that its plots and events show something: months in which not much happened, and
 * a day with one spell. Pure: the same for the same time.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/calendar.ts';
import { outputOf, type Recording } from './recording.ts';

export interface Reading {
  /** Ms since the epoch. */
  at: number;
  levelPercent: number;
  temperatureDecicelsius: number;
  /** It is on a charger and full. */
  isFull?: boolean;
}

/** In the shape of the history. `at`: ms since the epoch. */
export type PastEvent = { at: number } & (
  | { kind: 'attached'; state: string }
  | { kind: 'detached' }
  | { kind: 'refused'; said: string }
  | { kind: 'stored' }
  | { kind: 'note'; text: string; by: string }
  | { kind: 'batteryHealth'; health: 'GOOD' | 'OVERHEAT'; before: 'GOOD' | 'OVERHEAT' }
);

/** Both oldest first. */
export interface Past {
  readings: Reading[];
  events: PastEvent[];
}

/** The first phone came so many days ago, the next a little later. */
const DAYS = 86;
/** Between two readings, in the months and in the last day. */
const [SELDOM_MS, OFTEN_MS] = [2 * HOUR_MS, 5 * MINUTE_MS];
/** On every so many days a phone is lost for a while. */
const DAYS_BETWEEN_LOSSES = 9;

/** A battery that is used and charged goes between these, percent; it takes the hours from one to the other. */
const [LOW_PERCENT, FULL_PERCENT, HOURS_BETWEEN] = [25, 100, 5];
/** A room warms and cools a phone by so much over some hours; a hot spell adds so much at its middle. */
const [SWING_DECICELSIUS, SWING_HOURS, SPELL_DECICELSIUS] = [22, 7, 170];
/** BatteryManager.BATTERY_STATUS_CHARGING and _FULL. */
const CHARGING: readonly (string | undefined)[] = ['2', '5'];

/** Something that lasts, by how it begins and ends. */
type Spell = readonly [begin: PastEvent, end: PastEvent];

const lost = (from: number, to: number): Spell => [
  { at: from, kind: 'detached' },
  { at: to, kind: 'attached', state: 'device' },
];

/** Each phone has one of these in its last day. */
const spellsOfDay = (now: number): readonly Spell[] => [
  lost(now - 9 * HOUR_MS, now - 7 * HOUR_MS),
  [
    { at: now - 5 * HOUR_MS, kind: 'refused', said: 'missing required capability: rack position' },
    { at: now - 4.8 * HOUR_MS, kind: 'stored' },
  ],
  [
    { at: now - 14 * HOUR_MS, kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' },
    { at: now - 13 * HOUR_MS, kind: 'batteryHealth', health: 'GOOD', before: 'OVERHEAT' },
  ],
];

/**
 * The past of a phone, up to where its recording takes over. A phone that gives no facts came a day ago.
 *
 * @param place its place among the phones: they do not all have the same past
 * @param now ms since the epoch
 */
export function pastOf({ state, answers }: Recording, place: number, now: number): Past {
  const battery = batteryIn(answers);
  if (battery === undefined)
    return { readings: [], events: [{ at: now - 23 * HOUR_MS, kind: 'attached', state }] };
  const cameAt = now - (DAYS - place) * DAY_MS;
  const dayAt = now - DAY_MS;
  const today = spellsOfDay(now)[place % 3] ?? lost(now, now);
  const spells = [...lossesBetween(cameAt, dayAt), today];
  const isAway = (at: number) =>
    spells.some(([begin, end]) => begin.kind === 'detached' && at >= begin.at && at < end.at);
  const times = [...every(SELDOM_MS, cameAt, dayAt), ...every(OFTEN_MS, dayAt + OFTEN_MS, now)];
  return {
    readings: times.filter((at) => !isAway(at)).map((at) => readingAt(at, now, battery, today)),
    events: [{ at: cameAt, kind: 'attached', state }, ...spells.flat()],
  };
}

const every = (ms: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / ms) }, (_, index) => from + index * ms);

/** Losses of minutes to hours, at different times of the day. */
const lossesBetween = (from: number, to: number): Spell[] =>
  every(DAYS_BETWEEN_LOSSES * DAY_MS, from + 5 * DAY_MS, to - 2 * DAY_MS).map((day, index) => {
    const at = day + ((index * 7) % 20) * HOUR_MS;
    return lost(at, at + (1 + ((index * 37) % 300)) * MINUTE_MS);
  });

interface Battery {
  levelPercent: number;
  temperatureDecicelsius: number;
  isCharging: boolean;
}

function batteryIn(answers: Recording['answers']): Battery | undefined {
  const lines = outputOf(answers['battery.dump'] ?? []).text.split('\n');
  const value = (key: string) =>
    lines.find((line) => line.trimStart().startsWith(`${key}: `))?.split(': ')[1];
  const [levelPercent, temperatureDecicelsius] = [Number(value('level')), Number(value('temperature'))];
  if (!(levelPercent > 0 && temperatureDecicelsius > 0)) return undefined;
  return { levelPercent, temperatureDecicelsius, isCharging: CHARGING.includes(value('status')) };
}

/** The level goes up and down in straight lines, and ends where the recording has it. */
function readingAt(at: number, now: number, battery: Battery, [begin, end]: Spell): Reading {
  const agoHours = (now - at) / HOUR_MS;
  const range = FULL_PERCENT - LOW_PERCENT;
  const last = (Math.max(battery.levelPercent, LOW_PERCENT) - LOW_PERCENT) / range;
  const phase = (battery.isCharging ? last : 2 - last) - agoHours / HOURS_BETWEEN;
  const wave = 1 - Math.abs((((phase % 2) + 2) % 2) - 1);
  const swing = Math.sin((2 * Math.PI * agoHours) / SWING_HOURS) * SWING_DECICELSIUS;
  const isHot = begin.kind === 'batteryHealth' && at >= begin.at && at < end.at;
  const heat = isHot ? Math.sin((Math.PI * (at - begin.at)) / (end.at - begin.at)) : 0;
  return {
    at,
    levelPercent: Math.round(LOW_PERCENT + wave * range),
    temperatureDecicelsius: Math.round(battery.temperatureDecicelsius + swing + heat * SPELL_DECICELSIUS),
  };
}
