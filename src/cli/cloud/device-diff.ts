/** What the cloud says of a host's phones, beside what the host knows. Pure. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Device } from '../../cloud/contract/devices.ts';
import type { DeviceInfo } from '../../cloud/contract/report.ts';
import type { Config } from '../../config/load.ts';
import { buildDeviceInfo } from '../../report/device-info.ts';
import { resolvePolicy, subjectOf } from '../../report/policy.ts';
import type { RosterDevice } from '../../roster/device.ts';
import type { Slots } from '../../roster/slots.ts';

/** A phone as this host would report it. */
export interface Expected
  extends Pick<DeviceInfo, 'udid' | 'status' | 'state' | 'deviceName' | 'platformVersion'> {
  /** The udid that took the place of this one: the cloud should show it as offline. */
  readonly replacedBy?: string;
}

/** A phone in the cloud. */
export interface Seen {
  readonly device: Device;
  /** Absent where the cloud was not asked: an online phone is plugged in. */
  readonly isPlugged?: boolean;
}

export interface Difference {
  readonly udid: string;
  readonly name?: string;
  readonly difference: 'missing there' | 'unknown here' | 'online' | 'plugged' | 'name' | 'version';
  readonly here?: string;
  readonly there?: string;
}

/** All phones of the roster but those that a rule ignores. */
export const expectedOf = (
  devices: readonly RosterDevice[],
  { devices: rules, adb }: Pick<Config, 'devices' | 'adb'>,
  slots: Slots,
): Expected[] =>
  devices
    .map((device) => ({ device, policy: resolvePolicy(rules, subjectOf(device, slots.slotOf(device))) }))
    .filter(({ policy }) => !policy.ignore)
    .map(({ device, policy }) => ({
      ...buildDeviceInfo({ device, facts: {}, policy, adbHost: adb.host, adbPort: adb.port }),
      ...(device.supersededBy !== undefined && { replacedBy: device.supersededBy }),
    }));

export const isOnlineHere = ({ status, state }: Expected): boolean =>
  status === 'PLUGGED' && state === 'device';

/**
 * @param here undefined if the host does not know it
 * @param there undefined if the cloud does not know it
 */
export function differencesOf(
  udid: string,
  here: Expected | undefined,
  there: Seen | undefined,
): Difference[] {
  const device = there?.device;
  const name = here?.deviceName ?? device?.deviceName ?? undefined;
  const found = (difference: Difference['difference'], hereIs?: string, thereIs?: string): Difference =>
    omitUndefined({ udid, name, difference, here: hereIs, there: thereIs });
  if (here === undefined)
    return device === undefined ? [] : [found('unknown here', undefined, online(device.isOnline))];
  if (here.replacedBy !== undefined)
    return device?.isOnline ? [found('unknown here', `replaced by ${here.replacedBy}`, 'online')] : [];
  if (device === undefined) return [found('missing there', online(isOnlineHere(here)))];
  const isOnline = isOnlineHere(here);
  const isPlugged = here.status === 'PLUGGED';
  const isOtherwise = (one: string | undefined, other: string | null | undefined) =>
    one !== undefined && other !== undefined && other !== null && one !== other;
  return [
    typeof device.isOnline === 'boolean' && device.isOnline !== isOnline
      ? [found('online', online(isOnline), online(device.isOnline))]
      : there?.isPlugged !== undefined && there.isPlugged !== isPlugged
        ? [found('plugged', plugged(isPlugged), plugged(there.isPlugged))]
        : [],
    isOtherwise(here.deviceName, device.deviceName)
      ? [found('name', here.deviceName, device.deviceName ?? undefined)]
      : [],
    isOtherwise(here.platformVersion, device.platformVersion)
      ? [found('version', here.platformVersion, device.platformVersion ?? undefined)]
      : [],
  ].flat();
}

const online = (isOnline: boolean | null | undefined): string => (isOnline ? 'online' : 'offline');
const plugged = (isPlugged: boolean): string => (isPlugged ? 'plugged in' : 'unplugged');
