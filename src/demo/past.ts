/**
 * A made-up past of the demo's phones, so that its plots and events show something: months in which not much happened, and
 * a day with one spell. Pure: the same for the same time.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/calendar.ts';
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
type PastHappening =
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

/** The first phone came so many days ago, the next a little later. */
const DAYS = 86;
/** Between two readings, in the months and in the last day. */
const [SELDOM_MS, OFTEN_MS] = [2 * HOUR_MS, 5 * MINUTE_MS];
/** On this part of its days a phone is lost for a while; on as many it restarts. */
const LOSSES_A_DAY = 0.05;
/** This phone is lost again and again, until somebody swaps its cable. */
const BAD_CABLE = 3;

/** A battery that is used and charged goes between these, percent; it takes the hours from one to the other. */
const [LOW_PERCENT, FULL_PERCENT, HOURS_BETWEEN] = [25, 100, 5];
/** A room warms and cools a phone by so much over some hours, and by this part of a hot spell over some weeks. */
const [SWING_DECICELSIUS, SWING_HOURS] = [22, 7];
const [SEASON, SEASON_DAYS] = [0.15, 40];
/** A hot spell adds so much at its middle. */
const SPELL_DECICELSIUS = 170;
/** BatteryManager.BATTERY_STATUS_CHARGING and _FULL. */
const CHARGING: readonly (string | undefined)[] = ['2', '5'];

/** Something that lasts, ms since the epoch. */
interface Spell {
  from: number;
  to: number;
  starts: PastHappening;
  ends: PastHappening;
  /** The phone is not there. */
  isGone?: true;
  isReboot?: true;
  isHot?: true;
}

const gone = (from: number, to: number): Spell => ({
  ...{ from, to, isGone: true },
  starts: { kind: 'detached' },
  ends: { kind: 'attached', state: 'device' },
});

/** Each phone has one of these in its last day. */
const daySpells: readonly ((now: number) => Spell)[] = [
  (now) => gone(now - 9 * HOUR_MS, now - 7 * HOUR_MS),
  (now) => ({
    ...{ from: now - 5 * HOUR_MS, to: now - 4.8 * HOUR_MS },
    starts: { kind: 'refused', said: 'missing required capability: rack position' },
    ends: { kind: 'stored' },
  }),
  (now) => ({
    ...{ from: now - 14 * HOUR_MS, to: now - 13 * HOUR_MS, isHot: true },
    starts: { kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' },
    ends: { kind: 'batteryHealth', health: 'GOOD', before: 'OVERHEAT' },
  }),
];

/** The host was off over a weekend. */
const offAt = (now: number) => ({ from: now - 61 * DAY_MS, to: now - 58.4 * DAY_MS });

/** What happened to the host itself. `version`: that of hostnode. */
export const hostPast = (now: number, version: string) => [
  { at: offAt(now).from, kind: 'agentStopped' as const },
  { at: offAt(now).to, kind: 'agentStarted' as const, version },
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
  const [cameAt, dayAt] = [now - (DAYS - place) * DAY_MS, now - DAY_MS];
  const off = offAt(now);
  const random = randomFrom(place + 1);
  const losses = quiet(random, cameAt, dayAt);
  if (place === BAD_CABLE) losses.push(...badCable(random, now));
  const today = daySpells[place % daySpells.length]?.(now) ?? gone(now, now);
  const spells = [...apart(losses).filter(({ from, to }) => to < off.from || from > off.to), today];
  const isThere = (at: number) =>
    !spells.some(({ from, to, isGone }) => isGone && at >= from && at < to) &&
    (at < off.from || at >= off.to);
  const heatAt = (at: number) => {
    if (at < dayAt) return SEASON * Math.sin((2 * Math.PI * (now - at)) / (SEASON_DAYS * DAY_MS));
    const { from, to, isHot } = today;
    return isHot && at >= from && at < to ? Math.sin((Math.PI * (at - from)) / (to - from)) : 0;
  };
  const times = [...every(SELDOM_MS, cameAt, dayAt), ...every(OFTEN_MS, dayAt + OFTEN_MS, now)];
  const events: PastEvent[] = [{ at: cameAt, kind: 'attached', state }];
  for (const { from, to, starts, ends, isReboot } of spells) {
    events.push({ at: from, ...starts }, { at: to, ...ends });
    if (isReboot) events.push({ at: to + 5000, kind: 'rebooted', reason: 'reboot,userrequested' });
  }
  if (place === BAD_CABLE)
    events.push({ at: now - 17 * DAY_MS, kind: 'note', text: 'swapped the cable', by: 'demo' });
  return {
    readings: times.filter(isThere).map((at) => readingAt(at, now, battery, heatAt(at))),
    events: events.sort((one, other) => one.at - other.at),
  };
}

const every = (ms: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / ms) }, (_, index) => from + index * ms);

/** Now and then a phone is lost for minutes or hours, or restarts. */
function quiet(random: () => number, from: number, to: number): Spell[] {
  const spells: Spell[] = [];
  for (let day = from + DAY_MS; day < to - DAY_MS; day += DAY_MS) {
    const [what, at] = [random(), day + random() * 20 * HOUR_MS];
    if (what < LOSSES_A_DAY) spells.push(gone(at, at + (5 + random() ** 3 * 600) * MINUTE_MS));
    else if (what < 2 * LOSSES_A_DAY) spells.push({ ...gone(at, at + 50_000), isReboot: true });
  }
  return spells;
}

/** Four days of short losses. */
const badCable = (random: () => number, now: number): Spell[] =>
  Array.from({ length: 4 * 9 }, (_, index) => {
    const from = now - 21 * DAY_MS + (index / 9) * DAY_MS + random() * HOUR_MS;
    return gone(from, from + (2 + random() * 30) * MINUTE_MS);
  });

/** In order; one that begins before the last has ended is left out. */
function apart(spells: readonly Spell[]): Spell[] {
  const kept: Spell[] = [];
  for (const spell of spells.toSorted((one, other) => one.from - other.from))
    if (spell.from > (kept.at(-1)?.to ?? 0) + MINUTE_MS) kept.push(spell);
  return kept;
}

interface Battery {
  levelPercent: number;
  temperatureDecicelsius: number;
  isCharging: boolean;
}

function batteryIn(answers: Recording['answers']): Battery | undefined {
  const dump = answers['battery.dump'];
  const value = (key: string) =>
    Array.isArray(dump)
      ? dump.find((line) => line.trimStart().startsWith(`${key}: `))?.split(': ')[1]
      : undefined;
  const [levelPercent, temperatureDecicelsius] = [Number(value('level')), Number(value('temperature'))];
  if (!(levelPercent > 0 && temperatureDecicelsius > 0)) return undefined;
  return { levelPercent, temperatureDecicelsius, isCharging: CHARGING.includes(value('status')) };
}

/**
 * The level goes up and down in straight lines, and ends where the recording has it.
 *
 * @param heat part of a hot spell
 */
function readingAt(at: number, now: number, battery: Battery, heat: number): Reading {
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

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
