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
/** On every so many days a phone is lost for a while, or restarts. */
const DAYS_BETWEEN_LOSSES = 9;
/** This phone is lost again and again, until somebody swaps its cable. */
const BAD_CABLE = 3;

/** A battery that is used and charged goes between these, percent; it takes the hours from one to the other. */
const [LOW_PERCENT, FULL_PERCENT, HOURS_BETWEEN] = [25, 100, 5];
/** A room warms and cools a phone by so much over some hours; a hot spell adds so much at its middle. */
const [SWING_DECICELSIUS, SWING_HOURS, SPELL_DECICELSIUS] = [22, 7, 170];
/** BatteryManager.BATTERY_STATUS_CHARGING and _FULL. */
const CHARGING: readonly (string | undefined)[] = ['2', '5'];

/** Ms since the epoch. */
interface Span {
  from: number;
  to: number;
}

/** Something that lasts. */
interface Spell extends Span {
  starts: PastHappening;
  ends: PastHappening;
}

const gone = (from: number, to: number): Spell => ({
  from,
  to,
  starts: { kind: 'detached' },
  ends: { kind: 'attached', state: 'device' },
});

/** Each phone has one of these in its last day. */
const daySpells: readonly ((now: number) => Spell)[] = [
  (now) => gone(now - 9 * HOUR_MS, now - 7 * HOUR_MS),
  (now) => ({
    from: now - 5 * HOUR_MS,
    to: now - 4.8 * HOUR_MS,
    starts: { kind: 'refused', said: 'missing required capability: rack position' },
    ends: { kind: 'stored' },
  }),
  (now) => ({
    from: now - 14 * HOUR_MS,
    to: now - 13 * HOUR_MS,
    starts: { kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' },
    ends: { kind: 'batteryHealth', health: 'GOOD', before: 'OVERHEAT' },
  }),
];

/** The host was off over a weekend. */
const offAt = (now: number): Span => ({ from: now - 61 * DAY_MS, to: now - 58.4 * DAY_MS });
/** The days of the bad cable. */
const badAt = (now: number): Span => ({ from: now - 21 * DAY_MS, to: now - 17 * DAY_MS });

const isIn = ({ from, to }: Span, at: number): boolean => at >= from && at < to;

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
  const cameAt = now - (DAYS - place) * DAY_MS;
  const dayAt = now - DAY_MS;
  const off = offAt(now);
  const bad = place === BAD_CABLE ? badAt(now) : undefined;
  const usual = lossesBetween(cameAt, dayAt).filter(
    ({ from, to }) => ![off, bad].some((span) => span && from <= span.to && to >= span.from),
  );
  const today = daySpells[place % daySpells.length]?.(now) ?? gone(now, now);
  const spells = [...usual, ...(bad ? lossesOfCable(bad) : []), today];
  const events: PastEvent[] = spells.flatMap(({ from, to, starts, ends }) => [
    { at: from, ...starts },
    { at: to, ...ends },
  ]);
  events.push({ at: cameAt, kind: 'attached', state });
  for (const { to } of usual.filter((_, index) => index % 2 === 1))
    events.push({ at: to + 5000, kind: 'rebooted', reason: 'reboot,userrequested' });
  if (bad) events.push({ at: bad.to, kind: 'note', text: 'swapped the cable', by: 'demo' });
  const absences = [off, ...spells.filter(({ starts }) => starts.kind === 'detached')];
  const times = [...every(SELDOM_MS, cameAt, dayAt), ...every(OFTEN_MS, dayAt + OFTEN_MS, now)];
  const hot = today.starts.kind === 'batteryHealth' ? today : undefined;
  return {
    readings: times
      .filter((at) => !absences.some((span) => isIn(span, at)))
      .map((at) => readingAt(at, now, battery, hot)),
    events: events.sort((one, other) => one.at - other.at),
  };
}

const every = (ms: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / ms) }, (_, index) => from + index * ms);

/** Losses of minutes to hours, at different times of the day. */
const lossesBetween = (from: number, to: number): Spell[] =>
  every(DAYS_BETWEEN_LOSSES * DAY_MS, from + 5 * DAY_MS, to - 2 * DAY_MS).map((day, index) => {
    const at = day + ((index * 7) % 20) * HOUR_MS;
    return gone(at, at + (1 + ((index * 37) % 300)) * MINUTE_MS);
  });

/** Short losses, nine a day. */
const lossesOfCable = ({ from, to }: Span): Spell[] =>
  every(DAY_MS / 9, from, to).map((at, index) => gone(at, at + (2 + ((index * 11) % 30)) * MINUTE_MS));

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

/** The level goes up and down in straight lines, and ends where the recording has it. */
function readingAt(at: number, now: number, battery: Battery, hot: Span | undefined): Reading {
  const agoHours = (now - at) / HOUR_MS;
  const range = FULL_PERCENT - LOW_PERCENT;
  const end = (Math.max(battery.levelPercent, LOW_PERCENT) - LOW_PERCENT) / range;
  const phase = (battery.isCharging ? end : 2 - end) - agoHours / HOURS_BETWEEN;
  const wave = 1 - Math.abs((((phase % 2) + 2) % 2) - 1);
  const swing = Math.sin((2 * Math.PI * agoHours) / SWING_HOURS) * SWING_DECICELSIUS;
  const heat = hot && isIn(hot, at) ? Math.sin((Math.PI * (at - hot.from)) / (hot.to - hot.from)) : 0;
  return {
    at,
    levelPercent: Math.round(LOW_PERCENT + wave * range),
    temperatureDecicelsius: Math.round(battery.temperatureDecicelsius + swing + heat * SPELL_DECICELSIUS),
  };
}
