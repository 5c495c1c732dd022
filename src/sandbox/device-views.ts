/**
 * Devices as the API answers them, and its filters.
 *
 * Source: the API's sections "Device" and "Devices".
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Device, DevicesQuery } from '../cloud/contract/devices.ts';
import type { State, StoredDevice, User } from './state.ts';

interface Viewer {
  readonly state: State;
  readonly caller: User;
}

export const mayUseDevice = (user: User, { isCloud, organizationId }: StoredDevice): boolean =>
  isCloud || organizationId === user.organizationId;

/** Did the lab add it to the cloud, and not hide it? */
export const isShown = ({ info }: StoredDevice): boolean => info.addedToCloud && !info.isHidden;

export const isOnline = ({ info }: StoredDevice): boolean =>
  info.status === 'PLUGGED' && info.state === 'device';

export function deviceView(device: StoredDevice, { state, caller }: Viewer): Device {
  const { udid, modelName, deviceName, resolution, platformName, platformVersion } = device.info;
  const { width, height } = resolution ?? {};
  return omitUndefined({
    id: device.id,
    udid,
    isBooked: state.reservationOf(device.id) !== undefined,
    isOnline: isOnline(device),
    modelName,
    deviceName,
    resolution: width === undefined || height === undefined ? undefined : { width, height },
    platformName,
    platformVersion,
    installedBrowsers: device.info.installedBrowsers,
    deviceImageUrl: '',
    isFavorite: caller.favoriteDeviceIds.includes(device.id),
    isCloud: device.isCloud,
    isMyOrg: !device.isCloud,
    isMyOwn: false,
  });
}

export function matches(device: StoredDevice, query: DevicesQuery, { state, caller }: Viewer): boolean {
  const { info } = device;
  const agrees = <T>(wanted: T | undefined, actual: () => T | undefined) =>
    wanted === undefined || wanted === actual();
  const isOneOf = (wanted: readonly string[] | undefined, actual: string | undefined) =>
    wanted === undefined || (actual !== undefined && wanted.includes(actual));
  return (
    // all devices of an organization are for all of its groups
    (query.groupId === undefined || state.teams.get(query.groupId)?.userIds.includes(caller.id) === true) &&
    agrees(query.udid, () => info.udid) &&
    agrees(query.isBooked, () => state.reservationOf(device.id) !== undefined) &&
    agrees(query.isOnline, () => isOnline(device)) &&
    agrees(query.modelName, () => info.modelName) &&
    isOneOf(query.deviceName, info.deviceName) &&
    agrees<string>(query.platformName, () => info.platformName) &&
    isOneOf(query.platformVersion, info.platformVersion) &&
    (query.browserName === undefined ||
      (info.installedBrowsers ?? []).some(({ name }) => name === query.browserName)) &&
    agrees(query.appiumDisabled, () => info.support.appiumDisabled) &&
    agrees(query.isPlugged, () => info.status === 'PLUGGED')
  );
}
