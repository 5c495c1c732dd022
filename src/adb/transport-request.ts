/** Which phone a request to the adb server means. */
import { AdbRefusedError } from '../base/errors.ts';
import type { ListedDevice } from './adb.ts';

/**
 * The request that names the phone for the server: by transport id, which is unique (platform-tools 28+), else by the USB
 * path, which every server accepts, else by serial. A name that also leads to another phone is not used.
 *
 * @param isSameServer this server listed the phone: on another one, the id may belong to another phone
 * @param listed the last list
 * @throws {AdbRefusedError} when each name leads to another phone too
 */
export function transportRequest(
  device: ListedDevice,
  isSameServer: boolean,
  listed: readonly ListedDevice[],
): string {
  const { transportId, devpath, serial } = device;
  if (isSameServer && transportId !== undefined) return `host:transport-id:${transportId}`;
  const isOther = (other: ListedDevice) => other.serial !== serial || other.devpath !== devpath;
  const names = devpath === undefined ? [serial] : [`usb:${devpath}`, serial];
  // a server that finds a name among what phones say of themselves refuses one that leads to two (MatchesTarget)
  const isOfOther = (name: string) =>
    listed.some((other) => [other.serial, `usb:${other.devpath}`].includes(name) && isOther(other));
  const own = names.find((name) => name !== '' && !isOfOther(name));
  if (own !== undefined) return `host:transport:${own}`;
  throw new AdbRefusedError('another phone has the same name');
}
