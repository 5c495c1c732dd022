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
  const own = names.find((name) => {
    const isNamed = namedSo(name);
    return name !== '' && !listed.some((other) => isNamed(other) && isOther(other));
  });
  if (own !== undefined) return `host:transport:${own}`;
  throw new AdbRefusedError('another phone has the same name');
}

/** Would the server find a phone by that name? (AOSP adb/transport.cpp, MatchesTarget) */
function namedSo(name: string): (phone: ListedDevice) => boolean {
  const [, kind, value] = /^(usb|product|model|device):(.*)$/s.exec(name) ?? [];
  const property = kind === 'usb' ? 'devpath' : (kind as 'product' | 'model' | 'device' | undefined);
  const address = name.replace(/^(?:tcp|udp):/, '');
  const isAddressOf = (serial: string) =>
    serial.startsWith(address) && /^(?::\d+)?$/.test(serial.slice(address.length));
  return (phone) =>
    phone.serial === name ||
    (property !== undefined && phone[property] === value) ||
    (phone.devpath === undefined && isAddressOf(phone.serial));
}
