/** What of the present is judged with the next round. All else waits for an event, for new samples, or for some minutes. */
import { COOLED_DECICELSIUS } from './battery.ts';
import type { HostPicture, PhonePicture } from './picture.ts';

/** The same for two pictures that can wait. While a battery is hot none can: how long it is so decides. */
export const pressingIn = ({ at, isAdbListed, adbPorts, setting, phones }: HostPicture): string =>
  JSON.stringify([isAdbListed, adbPorts, setting, phones.some(isHot) && at, phones.map(withoutReadings)]);

const isHot = ({ attached, battery }: PhonePicture): boolean =>
  attached && (battery?.temperatureDecicelsius ?? 0) >= COOLED_DECICELSIUS;

/** What changes all the time. */
const withoutReadings = ({ battery, wear, storage, ...rest }: PhonePicture) => rest;
