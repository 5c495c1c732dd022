/** One phone for page, terminal and metrics. Pure. */
import type { PhoneState } from '../agent/state.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { Finding } from '../diagnosis/finding.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import { signOf } from './causes.ts';
import type { Condition, Maintenance, PhoneStatus } from './host-status.ts';

/**
 * @param now `worst`: what is wrong with it; `since`: start of its present condition, ms since the epoch; `isKnown`: adb
 *   knows its state
 */
export function phoneStatusOf(
  { device, info, remedy, slot, snapshot, refused }: PhoneState,
  now: { worst?: Finding; since: number; maintenance?: Maintenance; isKnown: boolean },
): PhoneStatus {
  const { worst, since, maintenance, isKnown } = now;
  const { battery, storage, memory, network } = snapshot?.facts ?? {};
  const known = isKnown ? 'fine' : 'unknown';
  const condition: Condition = maintenance ? 'maintenance' : worst ? 'needsAttention' : known;
  return omitUndefined({
    udid: device.udid,
    serial: device.serial,
    name: info.deviceName ?? info.modelName ?? device.serial,
    model: info.modelName,
    brand: info.brandName,
    android: info.platformVersion,
    slot,
    devpath: device.devpath,
    connection: device.connection,
    attached: device.attached,
    state: info.state,
    since,
    condition,
    sign: worst ? signOf(worst) : '',
    message: worst?.remedy ?? remedy,
    maintenance,
    answeredAt: snapshot?.takenAt,
    battery: battery && batteryOf(battery),
    storage,
    memory,
    network: network?.status,
    refused: refused === undefined ? undefined : printable(refused),
  });
}

function batteryOf(facts: BatteryFacts): PhoneStatus['battery'] {
  if (facts.isPresent === false) return undefined;
  const { levelPercent, status = 'UNKNOWN', temperatureDecicelsius, voltageMillivolts, health } = facts;
  return omitUndefined({
    levelRatio: levelPercent === undefined ? undefined : Math.round(levelPercent) / 100,
    isCharging: status === 'UNKNOWN' ? undefined : status === 'CHARGING' || status === 'FULL',
    temperatureCelsius: temperatureDecicelsius === undefined ? undefined : temperatureDecicelsius / 10,
    voltageVolts: voltageMillivolts === undefined ? undefined : voltageMillivolts / 1000,
    health,
  });
}
