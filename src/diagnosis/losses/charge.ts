/** What a phone's battery read when the phone was lost: empty or hot it switches the phone off. */
import { MINUTE_MS } from '../../base/calendar.ts';
import type { HistorySample } from '../../history/events/event.ts';
import type { RuleContext } from '../rule.ts';
import type { Charge, Loss } from './loss.ts';

/** Each reads the disk: of more losses the newest are looked at. */
const MOST_LOSSES = 200;
/** Readings may come once an hour: a longer silence is a break, ms. */
export const BREAK_MS = 80 * MINUTE_MS;
/** Android switches off at 0; gauges are wrong by some percent. */
const EMPTY_PERCENT = 5;
/** Android switches off at 60 to 68 °C (`config_shutdownBatteryTemperature`), which takes minutes from here. */
const HOT_DECICELSIUS = 550;
/** Makers charge none from here on: what empties it is the heat. */
const NOT_CHARGED_DECICELSIUS = 450;
/** Sets the charge of those that nothing explains yet; of those with another USB mode it may explain that. */
export function readCharges(losses: readonly Loss[], { samplesOf }: RuleContext): void {
  const mayBeByIt = ({ cause, medium, usb }: Loss) =>
    (!cause || (cause.kind === 'mode' && !usb?.sharesFiles)) && medium !== 'emulator';
  for (const loss of losses.filter(mayBeByIt).slice(-MOST_LOSSES)) {
    const charge = chargeIn(samplesOf(loss.udid, loss.at - BREAK_MS, { until: loss.at }));
    if (charge) loss.charge = charge;
  }
}

/** Undefined for any other charge, or where it is not known. @param samples oldest first */
function chargeIn(samples: readonly HistorySample[]): Charge | undefined {
  const { temperatureDecicelsius: heat = 0 } = samples.at(-1) ?? {};
  const celsius = `${Math.round(heat / 10)} °C`;
  if (heat >= HOT_DECICELSIUS) return { is: 'hot', reads: celsius };
  const percent = samples.findLast(({ levelPercent }) => levelPercent !== undefined)?.levelPercent ?? 100;
  if (percent > EMPTY_PERCENT) return undefined;
  const reads = `${Math.round(percent)} %`;
  return heat >= NOT_CHARGED_DECICELSIUS
    ? { is: 'hot', reads: `${reads} and ${celsius}` }
    : { is: 'empty', reads };
}
