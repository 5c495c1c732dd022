/** Devices: reports of hosts, lists, favorites. */
import type { FailedDevice } from '../../cloud/contract/report.ts';
import { deviceView, isOnline, isShown, matches, mayUseDevice } from '../device-views.ts';
import { type Call, type HandlersOf, notFound } from '../handler.ts';
import type { State, StoredDevice, User } from '../state.ts';

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

  report({ state, caller, around, input: { nodeId, machine, devices: reported = [] } }) {
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
          : around.refusalOf(info.udid);
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
