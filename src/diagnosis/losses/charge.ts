/** What a phone's battery read when the phone was lost: empty or hot it switches the phone off, and some let go of USB when full. */
import { HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import type { HistorySample } from '../../history/events/event.ts';
import type { RuleContext } from '../rule.ts';
import { type Charge, isSeenAtPort, isWhenFull, type Loss, spaced } from './loss.ts';

/** Each reads the disk: of more losses the newest are looked at. */
const MOST_LOSSES = 200;
/** Readings may come once an hour: a longer silence is a break, ms. */
export const BREAK_MS = 80 * MINUTE_MS;
/** Android switches off at 0; gauges are wrong by some percent. */
const EMPTY_PERCENT = 5;
/** At this charge a phone that does not gain is soon off: worn ones give way, and checks of labs switch it off. */
export const LOW_PERCENT = 15;
/** Android switches off at 60 to 68 °C (`config_shutdownBatteryTemperature`), which takes minutes from here. */
const HOT_DECICELSIUS = 550;
/** Makers charge none from here on: what empties it is the heat. */
const NOT_CHARGED_DECICELSIUS = 450;
/** It was charging, and has just become full: one that is full all day says nothing. */
const FULL = { percent: 99, beforePercent: 97, withinMs: 3 * HOUR_MS };
/** Who lets go when full does so mostly then: of what falls off again and again, two losses or half may be by chance. */
const WHEN_FULL = { losses: 3, part: 0.5 };

/** Sets the charge of those that nothing explains yet; of those with another USB mode it may explain that. */
export function readCharges(losses: readonly Loss[], { samplesOf }: RuleContext): void {
  const mayBeByIt = ({ cause, medium }: Loss) => (!cause || cause.kind === 'mode') && medium !== 'emulator';
  const read = losses.filter(mayBeByIt).slice(-MOST_LOSSES);
  for (const loss of read) {
    const charge = chargeIn(samplesOf(loss.udid, loss.at - FULL.withinMs, { until: loss.at }), loss.at);
    const maySayFull = loss.medium === 'usb' && !isSeenAtPort(loss) && !loss.cause;
    if (charge && (charge.is !== 'full' || maySayFull)) loss.charge = charge;
  }
  for (const ofOne of Map.groupBy(read, ({ udid }) => udid).values()) {
    // what goes again and again meanwhile says it once
    const bouts = spaced(
      ofOne.filter(({ cause }) => !cause),
      FULL.withinMs,
    );
    if (bouts.filter(isWhenFull).length < Math.max(WHEN_FULL.losses, bouts.length * WHEN_FULL.part))
      for (const loss of ofOne.filter(isWhenFull)) delete loss.charge;
  }
}

/** Undefined for any other charge, or where it is not known. @param samples oldest first */
function chargeIn(samples: readonly HistorySample[], lostAt: number): Charge | undefined {
  const last = samples.filter(({ at }) => lostAt - at <= BREAK_MS);
  const { temperatureDecicelsius: heat = 0 } = last.at(-1) ?? {};
  const celsius = `${Math.round(heat / 10)} °C`;
  if (heat >= HOT_DECICELSIUS) return { is: 'hot', reads: celsius };
  const [newest, before] = last.filter(({ levelPercent }) => levelPercent !== undefined).toReversed();
  const percent = newest?.levelPercent;
  if (newest === undefined || percent === undefined) return undefined;
  const reads = `${Math.round(percent)} %`;
  const wasLess = samples.some(({ levelPercent = percent }) => levelPercent < FULL.beforePercent);
  if (percent >= FULL.percent && wasLess) return { is: 'full', reads };
  const fellBy = Math.max(0, (before?.levelPercent ?? percent) - percent);
  const lossPerMs = fellBy / (newest.at - (before?.at ?? 0));
  if (percent - lossPerMs * (lostAt - newest.at) > EMPTY_PERCENT)
    return percent <= LOW_PERCENT && hasFallen(samples) ? { is: 'low', reads } : undefined;
  return heat >= NOT_CHARGED_DECICELSIUS
    ? { is: 'hot', reads: `${reads} and ${celsius}` }
    : { is: 'empty', reads };
}

function hasFallen(samples: readonly HistorySample[]): boolean {
  const levels = samples.flatMap(({ levelPercent }) => levelPercent ?? []);
  return (levels.at(-1) ?? 0) < (levels[0] ?? 0);
}
