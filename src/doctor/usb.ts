/** Phones on USB as the kernel sees them, and who may open them. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { omitUndefined } from '../base/omit-undefined.ts';
import { hasAdb, sharesFiles } from '../diagnosis/rules/usb-view.ts';
import { readUsbTree, type UsbDevice } from '../host/usb-devices.ts';

export interface UsbPhone {
  /** USB port path, adb's devpath. */
  readonly port: string;
  readonly product?: string;
  /** It has the adb interface: USB debugging is on. */
  readonly hasAdb: boolean;
  /** `/dev/bus/usb/001/007`; without `owner` if the node does not exist. */
  readonly node: string;
  readonly owner?: { readonly uid: number; readonly gid: number; readonly mode: number };
}

/** @param root of the file system, `/` */
export async function readUsbPhones(root: string): Promise<UsbPhone[]> {
  const { devices } = readUsbTree(join(root, 'sys'));
  const phones = devices
    .filter((device) => hasAdb(device) || sharesFiles(device))
    .toSorted((one, other) => (one.port < other.port ? -1 : 1));
  return Promise.all(phones.map((phone) => readPhone(root, phone)));
}

async function readPhone(root: string, device: UsbDevice): Promise<UsbPhone> {
  const { port, product, bus, number = 0 } = device;
  const [folder, file] = [bus, number].map((each) => String(each).padStart(3, '0'));
  const node = `/dev/bus/usb/${folder}/${file}`;
  const stats = await stat(join(root, node)).catch(() => undefined);
  return omitUndefined({
    port,
    hasAdb: hasAdb(device),
    node,
    product,
    owner: stats && { uid: stats.uid, gid: stats.gid, mode: stats.mode & 0o777 },
  });
}
