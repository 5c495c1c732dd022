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
  const others = listed.filter((other) => other.serial !== serial || other.devpath !== devpath);
  const names = devpath === undefined ? [serial] : [`usb:${devpath}`, serial];
  const own = names.find((name) => name !== '' && !others.some((other) => isNameOf(name, other)));
  if (own !== undefined) return `host:transport:${own}`;
  throw new AdbRefusedError('another phone has the same name');
}

/** Would the server find this phone by that name? (AOSP adb/transport.cpp, MatchesTarget) */
function isNameOf(name: string, { serial, devpath, product, model, device }: ListedDevice): boolean {
  const address = name.replace(/^(?:tcp|udp):/, '');
  const isAddress =
    devpath === undefined && (serial === address || /^:\d+$/.test(behindName(serial, address)));
  const names = [serial, `usb:${devpath}`, `product:${product}`, `model:${model}`, `device:${device}`];
  return isAddress || names.includes(name);
}

const behindName = (serial: string, name: string): string =>
  serial.startsWith(name) ? serial.slice(name.length) : '';
