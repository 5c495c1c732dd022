/** What of the present is judged with the next round. All else waits for an event, for new samples, or for some minutes. */

import type { PhoneInput, RuleInput } from './rule-input.ts';
import { COOLED_DECICELSIUS } from './rules/battery.ts';

/** The same for two pictures that can wait. While a battery is hot none can: how long it is so decides. */
export const pressingIn = ({ at, isAdbListed, adbPorts, setting, phones }: RuleInput): string =>
  JSON.stringify([isAdbListed, adbPorts, setting, phones.some(isHot) && at, phones.map(withoutReadings)]);

const isHot = ({ attached, battery }: PhoneInput): boolean =>
  attached && (battery?.temperatureDecicelsius ?? 0) >= COOLED_DECICELSIUS;

/** What changes all the time. */
const withoutReadings = ({ battery, wear, storage, ...rest }: PhoneInput) => rest;
