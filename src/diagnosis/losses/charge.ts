/** What a phone's battery read when the phone was lost: empty or hot it switches the phone off, and some let go of USB when full. */
import { HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import type { HistorySample } from '../../history/events/event.ts';
import type { RuleContext } from '../rule.ts';
import { type Charge, isSeenAtPort, isWhenFull, type Loss, spaced } from './loss.ts';

/** Each reads the disk: of more losses the newest are looked at. */
const MOST_LOSSES = 200;
/** Readings of the last hours before; older than a week there is one an hour. */
const BEFORE_MS = 3 * HOUR_MS;
const LAST_MS = 75 * MINUTE_MS;
/** Android switches off at 0; gauges are wrong by some percent. */
const EMPTY_PERCENT = 5;
/** Android switches off at 60 to 68 °C (`config_shutdownBatteryTemperature`), which takes minutes from here. */
const HOT_DECICELSIUS = 550;
/** Makers charge none from here on: what empties it is the heat. */
const NOT_CHARGED_DECICELSIUS = 450;
/** It was charging, and has just become full: one that is full all day says nothing. */
const FULL = { percent: 99, beforePercent: 97 };

/** Who lets go when full does so mostly then: of what falls off again and again, two losses or half may be by chance. */
const WHEN_FULL = { losses: 3, part: 0.5 };

/** Sets the charge of those that nothing explains yet; of those with another USB mode it may explain that. */
export function readCharges(losses: readonly Loss[], { samplesOf }: RuleContext): void {
  const mayBeByIt = ({ cause, medium, usb }: Loss) =>
    (!cause || (cause.kind === 'mode' && !usb?.sharesFiles)) && medium !== 'emulator';
  const read = losses.filter(mayBeByIt).slice(-MOST_LOSSES);
  for (const loss of read) {
    const charge = chargeIn(samplesOf(loss.udid, loss.at - BEFORE_MS, { until: loss.at }), loss.at);
    const maySayFull = loss.medium === 'usb' && !isSeenAtPort(loss) && !loss.cause;
    if (charge && (charge.is !== 'full' || maySayFull)) loss.charge = charge;
  }
  const unexplained = read.filter(({ cause }) => !cause);
  for (const ofOne of Map.groupBy(unexplained, ({ udid }) => udid).values()) {
    // what goes again and again meanwhile says it once
    const bouts = spaced(ofOne, BEFORE_MS);
    if (bouts.filter(isWhenFull).length < Math.max(WHEN_FULL.losses, bouts.length * WHEN_FULL.part))
      for (const loss of ofOne.filter(isWhenFull)) delete loss.charge;
  }
}

/** Undefined for any other charge, or where it is not known. @param samples oldest first */
function chargeIn(samples: readonly HistorySample[], lostAt: number): Charge | undefined {
  const levels = samples.flatMap(({ at, levelPercent }) =>
    levelPercent === undefined ? [] : [{ at, levelPercent }],
  );
  const last = levels.at(-1);
  const { at = lostAt, temperatureDecicelsius: heat = 0 } = samples.at(-1) ?? {};
  if (heat >= HOT_DECICELSIUS && lostAt - at <= LAST_MS)
    return { is: 'hot', reads: `${Math.round(heat / 10)} °C` };
  if (!last || lostAt - last.at > LAST_MS) return undefined;
  const percent = last.levelPercent;
  const reads = `${Math.round(percent)} %`;
  if (percent <= EMPTY_PERCENT && heat >= NOT_CHARGED_DECICELSIUS)
    return { is: 'hot', reads: `${reads} and ${Math.round(heat / 10)} °C` };
  if (percent <= EMPTY_PERCENT) return { is: 'empty', reads };
  const wasLess = levels.some(({ levelPercent }) => levelPercent < FULL.beforePercent);
  return percent >= FULL.percent && wasLess ? { is: 'full', reads } : undefined;
}
