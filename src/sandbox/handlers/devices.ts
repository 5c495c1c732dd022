/**
 * Devices: reports of hosts, lists with their filters, favorites.
 *
 * Source: the API's sections "Device" and "Devices".
 */
import type { Device, DevicesQuery } from '../../cloud/contract/devices.ts';
import { DocumentedDevice, type FailedDevice } from '../../cloud/contract/report.ts';
import { type Call, type HandlersOf, notFound } from '../handler.ts';
import type { State, StoredDevice, User } from '../state.ts';

interface Viewer {
  readonly state: State;
  readonly caller: User;
}

const mayUseDevice = (user: User, { isCloud, organizationId }: StoredDevice): boolean =>
  isCloud || organizationId === user.organizationId;

/** Did the lab not leave it out of the cloud, or hide it? */
const isShown = ({ info }: StoredDevice): boolean => info.addedToCloud !== false && info.isHidden !== true;

const isOnline = ({ info }: StoredDevice): boolean => info.status === 'PLUGGED' && info.state === 'device';

function deviceView(device: StoredDevice, { state, caller }: Viewer): Device {
  const { udid, modelName, deviceName, resolution, platformName, platformVersion } = device.info;
  const { width, height } = resolution ?? {};
  return {
    id: device.id,
    udid,
    isBooked: state.reservationOf(device.id) !== undefined,
    isOnline: isOnline(device),
    modelName,
    deviceName,
    resolution: width === undefined || height === undefined ? undefined : { width, height },
    platformName,
    platformVersion,
    installedBrowsers: device.info.installedBrowsers?.map(({ name = '' }) => ({
      name,
      version: device.browserVersions?.[name],
    })),
    deviceImageUrl: '',
    isFavorite: caller.favoriteDeviceIds.includes(device.id),
    isCloud: device.isCloud,
    isMyOrg: !device.isCloud,
    isMyOwn: device.ownerId === caller.id,
  };
}

/** Each filter takes one value, or one of several. */
function matches(device: StoredDevice, query: DevicesQuery, { state, caller }: Viewer): boolean {
  const { groupId, browserName, ...wanted } = query;
  const { udid, modelName, deviceName, platformName, platformVersion } = device.info;
  const { installedBrowsers = [], support, status } = device.info;
  const values: Record<keyof typeof wanted, unknown> = {
    ...{ udid, modelName, deviceName, platformName, platformVersion },
    isBooked: state.reservationOf(device.id) !== undefined,
    isOnline: isOnline(device),
    appiumDisabled: support?.appiumDisabled ?? false,
    isPlugged: status === 'PLUGGED',
  };
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  return (
    // all devices of an organization are for all of its groups
    (groupId === undefined || state.teams.get(groupId)?.userIds.includes(caller.id) === true) &&
    (browserName === undefined || installedBrowsers.some(({ name }) => name === browserName)) &&
    names.every((name) => [wanted[name]].flat().some((each) => each === values[name]))
  );
}

/** @throws {Problem} 404: there is none, or it is hidden from the user */
function usable(caller: User, device: StoredDevice | undefined, name: string): StoredDevice {
  if (device === undefined || !mayUseDevice(caller, device)) throw notFound(`device ${name}`);
  return device;
}

/** The device with this id. A udid is none, although it may look like one. */
const deviceFor = (state: State, caller: User, deviceId: string): StoredDevice =>
  usable(
    caller,
    state.devices.find(({ id }) => String(id) === deviceId),
    `with the id ${deviceId}`,
  );

function markFavorite({ state, caller }: Call, deviceId: string, isFavorite: boolean): undefined {
  const { id } = deviceFor(state, caller, deviceId);
  const others = caller.favoriteDeviceIds.filter((each) => each !== id);
  state.users.put({ ...caller, favoriteDeviceIds: isFavorite ? [...others, id] : others });
}

/** What the sandbox needs of a device to show it. */
const CAPABILITIES = ['status', 'platformName'] as const;

/** The device of a report, or why it cannot be stored. */
function readReported(reported: unknown): { udid: string; info?: DocumentedDevice; wrong?: string } {
  const { data: info, error } = DocumentedDevice.safeParse(reported);
  if (info === undefined) {
    const { udid } = Object(reported) as { udid?: unknown };
    const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'the device'}: ${message}`);
    return { udid: typeof udid === 'string' ? udid : '', wrong: problems.join('; ') };
  }
  const { udid } = info;
  const missing = CAPABILITIES.filter((name) => info[name] === undefined).join(', ');
  return missing === '' ? { udid, info } : { udid, wrong: `required capabilities are missing: ${missing}` };
}

export const devices: HandlersOf<'devices'> = {
  list({ state, caller, services, input }) {
    const listed = state.devices.filter(
      (device) =>
        mayUseDevice(caller, device) && isShown(device) && matches(device, input, { state, caller }),
    );
    const view = (device: StoredDevice) => deviceView(device, { state, caller });
    const privateView = (device: StoredDevice) =>
      services.namesHosts ? { ...view(device), nodeId: device.nodeId } : view(device);
    const viewWithoutUdid = (device: StoredDevice) => ({ ...view(device), udid: undefined });
    return {
      privateDevices: listed.filter(({ isCloud }) => !isCloud).map(privateView),
      favoriteDevices: listed.filter(({ id }) => caller.favoriteDeviceIds.includes(id)).map(viewWithoutUdid),
      cloudDevices: listed.filter(({ isCloud }) => isCloud).map(viewWithoutUdid),
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
    for (const { udid, info, wrong } of reported.map(readReported)) {
      const known = byUdid.get(udid);
      const isForeign = known !== undefined && (known.isCloud || known.organizationId !== organizationId);
      let reason = wrong;
      if (seen.has(udid)) reason ??= 'the report names this device twice';
      if (isForeign) reason ??= 'the device belongs to somebody else';
      reason ??= services.refusalOf(udid);
      if (info !== undefined) seen.add(udid);
      if (info === undefined || reason !== undefined) failedDevices.push({ udid, message: reason ?? '' });
      else if (known === undefined)
        state.devices.add({ organizationId, nodeId, isCloud: false, ownerId: caller.id, info });
      else state.devices.put({ ...known, nodeId, info });
    }
    return { failedDevices };
  },

  get({ state, caller, input: { deviceUDID } }) {
    return deviceView(usable(caller, state.device(deviceUDID), deviceUDID), { state, caller });
  },

  status({ state, caller, input: { deviceId } }) {
    const device = deviceFor(state, caller, deviceId);
    return { isBooked: state.reservationOf(device.id) !== undefined, isOnline: isOnline(device) };
  },

  addFavorite: (call) => markFavorite(call, call.input.deviceId, true),
  removeFavorite: (call) => markFavorite(call, call.input.deviceId, false),
};
