/** What a phone's battery read when the phone was lost: empty or hot it switches the phone off, and some let go of USB when full. */
import { HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { spaced } from '../../base/moments.ts';
import type { HistorySample } from '../../history/events/event.ts';
import type { RuleContext } from '../rule.ts';
import type { Charge, Loss } from './loss.ts';
import { isSeenAtPort, isWhenFull } from './signs.ts';

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
    const unexplained = ofOne.filter(({ cause }) => !cause);
    const bouts = spaced(unexplained, FULL.withinMs);
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
  const [newest, before] = last
    .flatMap(({ at, levelPercent: percent }) => (percent === undefined ? [] : { at, percent }))
    .toReversed();
  if (!newest) return undefined;
  const { percent } = newest;
  const reads = `${Math.round(percent)} %`;
  const wasLess = samples.some(({ levelPercent = percent }) => levelPercent < FULL.beforePercent);
  if (percent >= FULL.percent && wasLess) return { is: 'full', reads };
  const fellBy = Math.max(0, (before?.percent ?? percent) - percent);
  const lossPerMs = fellBy / (newest.at - (before?.at ?? 0));
  if (percent - lossPerMs * (lostAt - newest.at) > EMPTY_PERCENT) {
    const [first = percent] = samples.flatMap(({ levelPercent }) => levelPercent ?? []);
    return percent <= LOW_PERCENT && percent < first ? { is: 'low', reads } : undefined;
  }
  if (heat < NOT_CHARGED_DECICELSIUS) return { is: 'empty', reads };
  return { is: 'hot', reads: `${reads} and ${celsius}` };
}
