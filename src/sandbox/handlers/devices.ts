/**
 * Devices: reports of hosts, lists with their filters, favorites.
 *
 * Source: the API's sections "Device" and "Devices".
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Device, DevicesQuery } from '../../cloud/contract/devices.ts';
import type { FailedDevice } from '../../cloud/contract/report.ts';
import { type Call, type HandlersOf, notFound } from '../handler.ts';
import type { State, StoredDevice, User } from '../state.ts';

interface Viewer {
  readonly state: State;
  readonly caller: User;
}

const mayUseDevice = (user: User, { isCloud, organizationId }: StoredDevice): boolean =>
  isCloud || organizationId === user.organizationId;

/** Did the lab add it to the cloud, and not hide it? */
const isShown = ({ info }: StoredDevice): boolean => info.addedToCloud && !info.isHidden;

const isOnline = ({ info }: StoredDevice): boolean => info.status === 'PLUGGED' && info.state === 'device';

function deviceView(device: StoredDevice, { state, caller }: Viewer): Device {
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

function matches(device: StoredDevice, query: DevicesQuery, { state, caller }: Viewer): boolean {
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

/** The device with this id or udid. */
function deviceFor(state: State, caller: User, name: string): StoredDevice {
  const device = state.device(name) ?? state.devices.find(({ id }) => String(id) === name);
  if (device === undefined || !mayUseDevice(caller, device)) throw notFound(`device ${name}`);
  return device;
}

function markFavorite({ state, caller }: Call, name: string, isFavorite: boolean): void {
  const { id } = deviceFor(state, caller, name);
  const others = caller.favoriteDeviceIds.filter((each) => each !== id);
  state.users.put({ ...caller, favoriteDeviceIds: isFavorite ? [...others, id] : others });
}

export const devices: HandlersOf<'devices'> = {
  list({ state, caller, input }) {
    const listed = state.devices.filter(
      (device) =>
        mayUseDevice(caller, device) && isShown(device) && matches(device, input, { state, caller }),
    );
    const views = (some: readonly StoredDevice[]) => some.map((each) => deviceView(each, { state, caller }));
    const withoutUdid = ({ udid: _, ...device }: ReturnType<typeof deviceView>) => device;
    const favorites = listed.filter(({ id }) => caller.favoriteDeviceIds.includes(id));
    return {
      privateDevices: views(listed.filter(({ isCloud }) => !isCloud)),
      favoriteDevices: views(favorites).map(withoutUdid),
      cloudDevices: views(listed.filter(({ isCloud }) => isCloud)).map(withoutUdid),
    };
  },

  report({ state, caller, services, input: { nodeId, machine, devices: reported = [] } }) {
    if (nodeId === undefined) return { failedDevices: [] }; // the body is optional
    const { organizationId } = caller;
    const host = state.hosts.find((each) => each.nodeId === nodeId && each.organizationId === organizationId);
    if (host === undefined) state.hosts.add({ organizationId, nodeId, machine });
    else state.hosts.put({ ...host, machine });
    const byUdid = new Map(state.devices.all().map((device) => [device.info.udid, device]));
    const seen = new Set<string>();
    const failedDevices: FailedDevice[] = [];
    for (const info of reported) {
      const known = byUdid.get(info.udid);
      const isForeign = known !== undefined && (known.isCloud || known.organizationId !== organizationId);
      const reason = seen.has(info.udid)
        ? 'the report names this device twice'
        : isForeign
          ? 'the device belongs to somebody else'
          : services.refusalOf(info.udid);
      seen.add(info.udid);
      if (reason !== undefined) failedDevices.push({ udid: info.udid, message: reason });
      else if (known === undefined) state.devices.add({ organizationId, nodeId, isCloud: false, info });
      else state.devices.put({ ...known, nodeId, info });
    }
    return { failedDevices };
  },

  get({ state, caller, input: { deviceUDID } }) {
    const device = state.device(deviceUDID);
    if (device === undefined || !mayUseDevice(caller, device)) throw notFound(`device ${deviceUDID}`);
    return deviceView(device, { state, caller });
  },

  status({ state, caller, input: { deviceId } }) {
    const device = deviceFor(state, caller, deviceId);
    return { isBooked: state.reservationOf(device.id) !== undefined, isOnline: isOnline(device) };
  },

  addFavorite(call) {
    markFavorite(call, call.input.deviceId, true);
  },

  removeFavorite(call) {
    markFavorite(call, call.input.deviceId, false);
  },
};
