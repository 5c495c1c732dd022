/**
 * Devices: reports of hosts, lists with their filters, favorites.
 *
 * Source: the API's sections "Device" and "Devices".
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
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
    installedBrowsers: device.info.installedBrowsers?.map(({ name = '' }) =>
      omitUndefined({ name, version: device.browserVersions?.[name] }),
    ),
    deviceImageUrl: '',
    isFavorite: caller.favoriteDeviceIds.includes(device.id),
    isCloud: device.isCloud,
    isMyOrg: !device.isCloud,
    isMyOwn: device.ownerId === caller.id,
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
    agrees(query.platformName, () => info.platformName) &&
    isOneOf(query.platformVersion, info.platformVersion) &&
    (query.browserName === undefined ||
      (info.installedBrowsers ?? []).some(({ name }) => name === query.browserName)) &&
    agrees(query.appiumDisabled, () => info.support?.appiumDisabled ?? false) &&
    agrees(query.isPlugged, () => info.status === 'PLUGGED')
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

function markFavorite({ state, caller }: Call, deviceId: string, isFavorite: boolean): void {
  const { id } = deviceFor(state, caller, deviceId);
  const others = caller.favoriteDeviceIds.filter((each) => each !== id);
  state.users.put({ ...caller, favoriteDeviceIds: isFavorite ? [...others, id] : others });
}

/** What the sandbox needs of a device to show it. */
const CAPABILITIES = ['status', 'platformName'] as const;

/** The device of a report, or why it cannot be stored. */
function readReported(reported: unknown): { info: DocumentedDevice } | { failed: FailedDevice } {
  const { data: info, error } = DocumentedDevice.safeParse(reported);
  const named = (reported as { udid?: unknown } | null)?.udid;
  const udid = typeof named === 'string' ? named : '';
  const wrong = error?.issues.map(({ path, message }) => `${path.join('.') || 'the device'}: ${message}`);
  const missing = CAPABILITIES.filter((name) => info?.[name] === undefined);
  if (info === undefined) return { failed: { udid, message: wrong?.join('; ') ?? '' } };
  if (missing.length === 0) return { info };
  return { failed: { udid, message: `required capabilities are missing: ${missing.join(', ')}` } };
}

export const devices: HandlersOf<'devices'> = {
  list({ state, caller, services, input }) {
    const listed = state.devices.filter(
      (device) =>
        mayUseDevice(caller, device) && isShown(device) && matches(device, input, { state, caller }),
    );
    const views = (some: readonly StoredDevice[]) => some.map((each) => deviceView(each, { state, caller }));
    const withoutUdid = ({ udid: _, ...device }: ReturnType<typeof deviceView>) => device;
    const favorites = listed.filter(({ id }) => caller.favoriteDeviceIds.includes(id));
    return {
      privateDevices: listed
        .filter(({ isCloud }) => !isCloud)
        .map((each) => ({
          ...deviceView(each, { state, caller }),
          ...(services.namesHosts && { nodeId: each.nodeId }),
        })),
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
    for (const each of reported) {
      const read = readReported(each);
      if ('failed' in read) {
        failedDevices.push(read.failed);
        continue;
      }
      const { info } = read;
      const known = byUdid.get(info.udid);
      const isForeign = known !== undefined && (known.isCloud || known.organizationId !== organizationId);
      const reason = seen.has(info.udid)
        ? 'the report names this device twice'
        : isForeign
          ? 'the device belongs to somebody else'
          : services.refusalOf(info.udid);
      seen.add(info.udid);
      if (reason !== undefined) failedDevices.push({ udid: info.udid, message: reason });
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

  addFavorite(call) {
    markFavorite(call, call.input.deviceId, true);
  },

  removeFavorite(call) {
    markFavorite(call, call.input.deviceId, false);
  },
};
