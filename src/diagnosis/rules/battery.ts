/** BATTERY_HOT, BATTERY_FULL_AND_HOT, BATTERY_WORN: what harms a phone's battery, and what it has lost. */
import { DAY_MS, duration, HOUR_MS } from '../../base/calendar.ts';
import type { HistorySample } from '../events/event.ts';
import type { Finding } from '../finding.ts';
import type { Judge, RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { FINE_MS, OLD_SAMPLE_MS, SAMPLE_MS } from '../store/resolution.ts';
import { namesOf } from '../words.ts';
import { AGING_CELSIUS, COOL_DOWN, DANGEROUS_CELSIUS, HOT_CELSIUS, WORN_PERCENT } from './battery-limits.ts';

/** How far back a heat is followed, ms. */
const FOLLOWED_MS = 2 * DAY_MS;
/** Reports may come once an hour: a longer silence is a break, ms. */
const BREAK_MS = 80 * 60_000;
/** A charger that is swapped, or a test that ends, is no finding: shorter heat is a present problem only, ms. */
const HOT_FOR_MS = 10 * 60_000;
/** A battery at the limit is now above, now below it: it has cooled down below this, tenths of °C. */
export const COOLED_DECICELSIUS = HOT_CELSIUS * 10 - 10;
/** After so long without a reading at the limit it is no longer hot, ms. */
const LINGERS_MS = 30 * 60_000;

/** Days, and hours full and hot within them that are too many. */
const TOO_LONG = [
  { days: 7, hours: 24 },
  { days: 30, hours: 72 },
] as const;
const LONGEST_DAYS = 30;

export const judgeBattery: Judge = (context) => {
  const nameOf = namesOf(context.now);
  return context.now.phones
    .filter(({ isInMaintenance, battery }) => !isInMaintenance && battery?.isPresent !== false)
    .map((phone) => ({ ...phone, name: nameOf(phone.udid) }))
    .flatMap((phone) => [...hot(phone, context), ...fullAndHot(phone, context), ...worn(phone, context)]);
};

const about = ({ udid }: PhoneInput) => ({
  subject: { kind: 'phone' as const, key: udid },
  udids: [udid],
  evidence: [],
});

function hot(phone: PhoneInput, { now, samplesOf }: RuleContext): Finding[] {
  const decicelsius = phone.battery?.temperatureDecicelsius ?? Number.NEGATIVE_INFINITY;
  if (!phone.attached || decicelsius < COOLED_DECICELSIUS) return [];
  const run = hotRun(samplesOf(phone.udid, now.at - FOLLOWED_MS), now.at);
  const isAtLimit = [{ at: now.at, temperatureDecicelsius: decicelsius }, ...run].some(
    ({ at, temperatureDecicelsius = 0 }) =>
      now.at - at <= LINGERS_MS && temperatureDecicelsius >= HOT_CELSIUS * 10,
  );
  if (!isAtLimit) return [];
  const since = run[0]?.at ?? now.at;
  const isDangerous = decicelsius >= DANGEROUS_CELSIUS * 10;
  const hotMs = now.at - since;
  if (hotMs < HOT_FOR_MS && !isDangerous) return [];
  const celsius = Math.round(decicelsius / 10);
  return [
    {
      ...about(phone),
      code: 'BATTERY_HOT',
      severity: 'critical',
      certainty: 'certain',
      title:
        hotMs < HOT_FOR_MS
          ? `The battery of ${phone.name} is at ${celsius} °C`
          : `The battery of ${phone.name} has been at about ${HOT_CELSIUS} °C or more for ${duration(hotMs)}`,
      remedy: isDangerous
        ? 'Unplug the phone and take it out of the rack at once: its battery may catch fire'
        : COOL_DOWN,
      since,
    },
  ];
}

/** The last readings without one that had cooled down, and without a break; oldest first. */
function hotRun(samples: readonly HistorySample[], now: number): readonly HistorySample[] {
  const last = samples.findLastIndex(
    ({ at, temperatureDecicelsius = Number.NEGATIVE_INFINITY }, index) =>
      temperatureDecicelsius < COOLED_DECICELSIUS || (samples[index + 1]?.at ?? now) - at > BREAK_MS,
  );
  return samples.slice(last + 1);
}

function fullAndHot(phone: PhoneInput, { now, samplesOf }: RuleContext): Finding[] {
  const suffered = samplesOf(phone.udid, now.at - LONGEST_DAYS * DAY_MS, {
    isFull: true,
    leastDecicelsius: AGING_CELSIUS * 10,
  });
  const hoursOf = ({ at }: HistorySample) => (now.at - at < FINE_MS ? SAMPLE_MS : OLD_SAMPLE_MS) / HOUR_MS;
  for (const { days, hours } of TOO_LONG) {
    const recent = suffered.filter(({ at }) => at >= now.at - days * DAY_MS);
    const sum = recent.reduce((total, sample) => total + hoursOf(sample), 0);
    if (sum < hours) continue;
    return [
      {
        ...about(phone),
        code: 'BATTERY_FULL_AND_HOT',
        severity: 'minor',
        certainty: 'certain',
        title: `The battery of ${phone.name} was full and at ${AGING_CELSIUS} °C or more for ${Math.round(sum)} hours of the last ${days} days`,
        remedy:
          'Limit its charge in the settings of the phone, or cool its bay: a battery that is full and hot ages fast and may swell',
        since: recent[0]?.at ?? now.at,
      },
    ];
  }
  return [];
}

function worn(phone: PhoneInput, { now }: RuleContext): Finding[] {
  const { battery, wear, name } = phone;
  const { fullMicroampereHours: full, designMicroampereHours: design } = wear ?? {};
  const isMakers = battery?.healthPercent !== undefined;
  const percent =
    battery?.healthPercent ?? (full && design ? Math.round((full * 100) / design) : Number.POSITIVE_INFINITY);
  if (percent >= WORN_PERCENT) return [];
  return [
    {
      ...about(phone),
      code: 'BATTERY_WORN',
      severity: 'minor',
      certainty: isMakers ? 'certain' : 'likely',
      title: `The battery of ${name} holds ${percent} % of a new one, says ${isMakers ? 'its maker’s own figure' : 'its gauge'}`,
      remedy: 'Replace the battery, or plan without the phone',
      since: now.at,
    },
  ];
}
