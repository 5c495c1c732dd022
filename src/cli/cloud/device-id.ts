/** The id of a device that a person names by its udid or its name. */
import type { CloudClient } from '../../cloud/client.ts';
import type { Device, DeviceList } from '../../cloud/contract/devices.ts';
import { sayError } from '../terminal.ts';
import { UsageError } from './refusals.ts';

const devicesIn = ({ privateDevices, cloudDevices, favoriteDevices }: DeviceList): Device[] => [
  ...new Map(
    [...privateDevices, ...cloudDevices, ...favoriteDevices].map((each) => [each.id, each]),
  ).values(),
];

/**
 * An id of the cloud is sent as it is. Anything else is looked up in the list, by udid and then by name; where the list
 * has no such device it may still be an id, and is sent as it is.
 *
 * @throws {UsageError} several devices have this name
 */
export async function deviceIdOf(client: Pick<CloudClient, 'devices'>, name: string): Promise<string> {
  if (/^\d+$/.test(name)) return name;
  const byUdid = devicesIn(await client.devices.list({ udid: name })).filter(({ udid }) => udid === name);
  const isOneName = !name.includes(',');
  const found =
    byUdid.length > 0 || !isOneName
      ? byUdid
      : devicesIn(await client.devices.list({ deviceName: [name] })).filter(
          ({ deviceName }) => deviceName === name,
        );
  const [device, ...others] = found;
  if (device === undefined) return name;
  if (others.length > 0) {
    const ids = found.map(({ id, udid }) => (udid ? `${id} (${udid})` : id)).join(', ');
    throw new UsageError(`several devices have the name ${JSON.stringify(name)}; use an id: ${ids}`);
  }
  const { id, udid, deviceName } = device;
  sayError(`took device ${id}: ${[deviceName, udid].filter(Boolean).join(', ')}`);
  return String(id);
}
