/** Most phones are warmer at once than they were themselves at this hour of the last week. */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { median } from '../../base/statistics.ts';
import { quantity } from '../../base/words.ts';
import type { HistorySample } from '../../history/events/event.ts';
import { placeInRoom } from '../../roster/slot-name.ts';
import type { Rule, RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { oneLine } from '../words.ts';
import { HOT_CELSIUS } from './battery.ts';

/** What counts as now. */
const NOW_MS = 30 * MINUTE_MS;
/** Days of the last week that must be known. */
const LEAST_DAYS = 3;
const WEEK_DAYS = 7;
/** Readings of the last half hour that must be known. */
const LEAST_READINGS = 3;
/** So much above its own is warm, tenths of °C. */
const WARM_DECICELSIUS = 40;
/** Phones that can be compared, and how many of these are warm. */
const LEAST_PHONES = 5;
const MOST = 0.7;
/** Of the attached phones so many can be compared: else it is no room of theirs. */
const COMPARABLE = 0.5;
/** A battery that charges is warmer: such a phone says nothing about the room. Percent within an hour. */
const CHARGED_PERCENT = 2;

interface Warmth {
  udid: string;
  slot: string | undefined;
  nowDecicelsius: number;
  usualDecicelsius: number;
}

export const roomWarm: Rule = {
  code: 'ROOM_WARM',
  severity: 'minor',
  evaluate: (context) => {
    const { now } = context;
    const attached = now.phones.filter(
      ({ isInMaintenance, attached, battery }) =>
        !isInMaintenance && attached && battery?.temperatureDecicelsius !== undefined,
    );
    const compared = attached.flatMap((phone) => warmthOf(phone, context) ?? []);
    if (compared.length < Math.max(LEAST_PHONES, attached.length * COMPARABLE)) return undefined;
    const warm = compared.filter((phone) => aboveOf(phone) >= WARM_DECICELSIUS);
    if (warm.length < Math.max(LEAST_PHONES, compared.length * MOST)) return undefined;
    const above = Math.round((median(warm.map(aboveOf)) ?? 0) / 10);
    const celsius = (median(warm.map(({ nowDecicelsius }) => nowDecicelsius)) ?? 0) / 10;
    return {
      severity: celsius >= HOT_CELSIUS - 5 ? 'major' : 'minor',
      subject: { kind: 'room' },
      certainty: 'likely',
      title: `${warm.length} of ${quantity(compared.length, 'phone')} are ${above} °C warmer than at this hour of the last week${hottestShelf(warm)}`,
      remedy: 'Check the cooling of the room, its doors and windows, and what else heats it',
      since: median(warm.map((phone) => warmSince(phone, context))) ?? now.at,
      udids: warm.map(({ udid }) => udid),
    };
  },
};

const aboveOf = ({ nowDecicelsius, usualDecicelsius }: Warmth): number => nowDecicelsius - usualDecicelsius;

/** Undefined for a phone that cannot be compared. */
function warmthOf({ udid, where: { slot } }: PhoneInput, context: RuleContext): Warmth | undefined {
  const { now, samplesOf } = context;
  const lastHour = samplesOf(udid, now.at - 2 * NOW_MS);
  const recent = lastHour.filter(({ at }) => at > now.at - NOW_MS).flatMap(temperatures);
  const nowDecicelsius = median(recent);
  if (recent.length < LEAST_READINGS || nowDecicelsius === undefined || isCharging(lastHour))
    return undefined;
  const usualDecicelsius = usualOf(udid, context);
  return usualDecicelsius === undefined ? undefined : { udid, slot, nowDecicelsius, usualDecicelsius };
}

/** Since when a warm phone is so, within the last day. */
function warmSince({ udid, usualDecicelsius }: Warmth, { now, samplesOf }: RuleContext): number {
  const samples = samplesOf(udid, now.at - DAY_MS);
  const last = samples.findLastIndex(
    ({ temperatureDecicelsius = 0 }) => temperatureDecicelsius < usualDecicelsius + WARM_DECICELSIUS,
  );
  return samples[last + 1]?.at ?? now.at;
}

const temperatures = ({ temperatureDecicelsius }: HistorySample) => temperatureDecicelsius ?? [];

/** Its own temperature at this time of day: the middle one of the days of the last week. */
function usualOf(udid: string, { now, samplesOf }: RuleContext): number | undefined {
  const days = Array.from({ length: WEEK_DAYS }, (_, index) => {
    const until = now.at - (index + 1) * DAY_MS;
    return median(samplesOf(udid, until - NOW_MS, { until }).flatMap(temperatures));
  }).filter((each) => each !== undefined);
  return days.length < LEAST_DAYS ? undefined : median(days);
}

function isCharging(samples: readonly HistorySample[]): boolean {
  const levels = samples.flatMap(({ levelPercent }) => levelPercent ?? []);
  return (levels.at(-1) ?? 0) - (levels[0] ?? 0) >= CHARGED_PERCENT;
}

/** `; rack 2, shelf 3 is the hottest at 41 °C` where slots have shelves; else nothing. */
function hottestShelf(warm: readonly Warmth[]): string {
  const shelves = Map.groupBy(warm, ({ slot = '' }) => placeInRoom(slot).band);
  const [hottest] = [...shelves]
    .filter(([name]) => name !== '')
    .map(([name, phones]) => ({ name, decicelsius: median(phones.map((each) => each.nowDecicelsius)) ?? 0 }))
    .sort((one, other) => other.decicelsius - one.decicelsius);
  return hottest === undefined
    ? ''
    : `; ${oneLine(hottest.name)} is the hottest at ${Math.round(hottest.decicelsius / 10)} °C`;
}
