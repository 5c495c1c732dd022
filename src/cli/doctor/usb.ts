/**
 * Phones on USB as the kernel sees them, without adb.
 *
 * Source: Linux Documentation/ABI/testing/sysfs-bus-usb: one folder per device, named by its port path (`1-4.2`, adb's
 * devpath), and one per interface (`1-4.2:1.0`). adb's interface is ff/42/01 (AOSP adb/adb.h, ADB_CLASS …).
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { omitUndefined } from '../../base/omit-undefined.ts';

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

const ADB = 'ff/42/01';
/** Still image: the class of MTP and PTP. */
const IMAGE = '06/01/01';

/** @param root of the file system, `/` */
export async function readUsbPhones(root: string): Promise<UsbPhone[]> {
  const folder = join(root, 'sys/bus/usb/devices');
  const names = await readdir(folder).catch(() => []);
  const ports = names.filter((name) => /^\d+-[\d.]+$/.test(name)).toSorted();
  const phones = await Promise.all(
    ports.map(async (port) => {
      const interfaces = await readInterfaces(folder, names, port);
      const hasAdb = interfaces.some(({ kind }) => kind === ADB);
      // Android's MTP has the vendor's class; only its name says MTP
      const isPhone = hasAdb || interfaces.some(({ kind, name }) => kind === IMAGE || name === 'MTP');
      return isPhone ? readPhone(root, join(folder, port), port, hasAdb) : undefined;
    }),
  );
  return phones.filter((phone) => phone !== undefined);
}

const attribute = (folder: string, name: string): Promise<string> =>
  readFile(join(folder, name), 'utf8').then(
    (text) => text.trim(),
    () => '',
  );

async function readInterfaces(folder: string, names: readonly string[], port: string) {
  const own = names.filter((name) => name.startsWith(`${port}:`));
  return Promise.all(
    own.map(async (name) => {
      const read = (key: string) => attribute(join(folder, name), key);
      const kind = ['bInterfaceClass', 'bInterfaceSubClass', 'bInterfaceProtocol'].map(read);
      return { kind: (await Promise.all(kind)).join('/').toLowerCase(), name: await read('interface') };
    }),
  );
}

async function readPhone(root: string, folder: string, port: string, hasAdb: boolean): Promise<UsbPhone> {
  const number = async (key: string) => (await attribute(folder, key)).padStart(3, '0');
  const node = `/dev/bus/usb/${await number('busnum')}/${await number('devnum')}`;
  const stats = await stat(join(root, node)).catch(() => undefined);
  return omitUndefined({
    port,
    hasAdb,
    node,
    product: (await attribute(folder, 'product')) || undefined,
    owner: stats && { uid: stats.uid, gid: stats.gid, mode: stats.mode & 0o777 },
  });
}
