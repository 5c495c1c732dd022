/**
 * The sandbox cloud's store of reported devices, and its lists.
 *
 * Source: the API's sections "Device" and "Devices".
 */
import * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Device, DeviceList, DeviceStatus, DevicesQuery } from '../cloud/contract/devices.ts';
import type { DeviceInfo, FailedDevice } from '../cloud/contract/report.ts';

export interface StoredDevice {
  /** The cloud's own number for it. */
  readonly id: number;
  /** The host that reported it last. */
  readonly nodeId: string;
  /** As last reported. */
  readonly info: DeviceInfo;
  readonly isBooked: boolean;
  readonly isFavorite: boolean;
}

/** All devices of this sandbox are in one group. */
const groupId = 1;

const isOnline = ({ info }: StoredDevice): boolean => info.status === 'PLUGGED' && info.state === 'device';

/** The device in the shape that the API answers. */
export function viewDevice(stored: StoredDevice): Device {
  const { udid, modelName, deviceName, resolution, platformName, platformVersion } = stored.info;
  const { width, height } = resolution ?? {};
  return omitUndefined({
    id: stored.id,
    udid,
    isBooked: stored.isBooked,
    isOnline: isOnline(stored),
    modelName,
    deviceName,
    resolution: width === undefined || height === undefined ? undefined : { width, height },
    platformName,
    platformVersion,
    installedBrowsers: stored.info.installedBrowsers,
    deviceImageUrl: '',
    isFavorite: stored.isFavorite,
    isCloud: false,
    isMyOrg: true,
    isMyOwn: false,
  });
}

/** Whether the device is usable, and in use. */
export const viewStatus = (stored: StoredDevice): DeviceStatus => ({
  isBooked: stored.isBooked,
  isOnline: isOnline(stored),
});

/** Every device that was ever reported, by udid. */
export class StoredDevices {
  readonly #byUdid = new Map<string, StoredDevice>();
  readonly #refusals = new Map<string, string>();
  #lastId = 0;

  /** In the order in which they were first reported. */
  all(): StoredDevice[] {
    return [...this.#byUdid.values()];
  }

  /** The device with this udid, or with this number. */
  find(name: string): StoredDevice | undefined {
    return this.#byUdid.get(name) ?? this.all().find(({ id }) => String(id) === name);
  }

  /** Rejects this device from now on, with this reason; without a reason accepts it again. */
  refuse(udid: string, reason: string | undefined): void {
    if (reason === undefined) this.#refusals.delete(udid);
    else this.#refusals.set(udid, reason);
  }

  /** Stores the devices, and returns the reason for each rejected one. */
  store(nodeId: string, infos: readonly DeviceInfo[]): FailedDevice[] {
    const failures: FailedDevice[] = [];
    const seen = new Set<string>();
    for (const info of infos) {
      const { udid } = info;
      const reason = seen.has(udid) ? 'the report names this device twice' : this.#refusals.get(udid);
      seen.add(udid);
      if (reason !== undefined) failures.push({ udid, message: reason });
      else this.#keep(nodeId, info);
    }
    return failures;
  }

  #keep(nodeId: string, info: DeviceInfo): void {
    const known = this.#byUdid.get(info.udid) ?? { id: ++this.#lastId, isBooked: false, isFavorite: false };
    this.#byUdid.set(info.udid, { ...known, nodeId, info });
  }

  /** Changes what users, not hosts, set on a device. */
  mark(udid: string, marks: Partial<Pick<StoredDevice, 'isBooked' | 'isFavorite'>>): void {
    const stored = this.#byUdid.get(udid);
    if (stored !== undefined) this.#byUdid.set(udid, { ...stored, ...marks });
  }

  /** The lists of `GET /devices`: every device here is the organization's, so none is a cloud device. */
  list(query: DevicesQuery): DeviceList {
    const listed = this.all().filter(
      (device) => device.info.addedToCloud && !device.info.isHidden && matches(device, query),
    );
    const withoutUdid = ({ udid: _, ...device }: Device) => device;
    return {
      privateDevices: listed.map(viewDevice),
      favoriteDevices: listed
        .filter(({ isFavorite }) => isFavorite)
        .map((device) => withoutUdid(viewDevice(device))),
      cloudDevices: [],
    };
  }
}

function matches(device: StoredDevice, query: DevicesQuery): boolean {
  const { info } = device;
  const agrees = <T>(wanted: T | undefined, actual: T | undefined) =>
    wanted === undefined || wanted === actual;
  const isOneOf = (wanted: readonly string[] | undefined, actual: string | undefined) =>
    wanted === undefined || (actual !== undefined && wanted.includes(actual));
  return (
    agrees(query.groupId, groupId) &&
    agrees(query.udid, info.udid) &&
    agrees(query.isBooked, device.isBooked) &&
    agrees(query.isOnline, isOnline(device)) &&
    agrees(query.modelName, info.modelName) &&
    isOneOf(query.deviceName, info.deviceName) &&
    agrees(query.platformName, info.platformName) &&
    isOneOf(query.platformVersion, info.platformVersion) &&
    (query.browserName === undefined ||
      (info.installedBrowsers ?? []).some(({ name }) => name === query.browserName)) &&
    agrees(query.appiumDisabled, info.support.appiumDisabled) &&
    agrees(query.isPlugged, info.status === 'PLUGGED')
  );
}

const list = z.string().transform((text) => text.split(','));
const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

/** The query of `GET /devices`; rejects filters that the API does not have. */
export const Query: z.ZodType<DevicesQuery> = z.strictObject({
  groupId: z.exactOptional(z.string().regex(/^\d+$/).transform(Number)),
  udid: z.exactOptional(z.string()),
  isBooked: z.exactOptional(flag),
  isOnline: z.exactOptional(flag),
  modelName: z.exactOptional(z.string()),
  deviceName: z.exactOptional(list),
  platformName: z.exactOptional(z.string()),
  platformVersion: z.exactOptional(list),
  browserName: z.exactOptional(z.string()),
  appiumDisabled: z.exactOptional(flag),
  isPlugged: z.exactOptional(flag),
});
