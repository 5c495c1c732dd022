/**
 * What tells this machine from any other: the addresses of its network cards and the serial numbers of its disks and
 * of its board, as far as everybody may read them. The board's UUID (DMI) is for root alone.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

const read = (path: string) =>
  readFile(path, 'latin1').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => '',
  );

/** A phone that shares its network, a stick: here today, on another host tomorrow. */
const isPlugged = (path: string) => /\/usb\d/.test(path);

/** The entries of a class of /sys that are hardware of this machine; links resolved. */
async function hardware(root: string, folder: string, device: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const entry = join(root, folder, name);
      const place = await realpath(join(entry, device)).catch(() => undefined);
      return place === undefined || isPlugged(place) ? [] : [entry];
    }),
  );
  return found.flat();
}

/** The burnt-in address of a network card (NET_ADDR_PERM); one that software has set may change with each start. */
async function cardSign(card: string): Promise<string> {
  return (await read(join(card, 'addr_assign_type'))) === '0' ? read(join(card, 'address')) : '';
}

/**
 * A disk's number: of NVMe, SCSI and SATA, eMMC and SD. What virtio calls a serial number is a name that somebody gave,
 * and QEMU's own disks have the same one in all its machines.
 */
async function diskSign(disk: string): Promise<string> {
  const files = ['wwid', 'device/wwid', 'device/cid'];
  const [number = ''] = (await Promise.all(files.map((file) => read(join(disk, file))))).filter(Boolean);
  return number.includes('QEMU') ? '' : number;
}

/**
 * Each sign once; none where this machine shows none.
 *
 * @param root of the file system: `/`, or what stands for it
 */
export async function readHostSigns(root = '/'): Promise<string[]> {
  const [cards, disks] = await Promise.all([
    hardware(root, 'sys/class/net', 'device'),
    hardware(root, 'sys/block', 'device'),
  ]);
  const signs = await Promise.all([
    read(join(root, 'sys/firmware/devicetree/base/serial-number')),
    ...cards.map(cardSign),
    ...disks.map(diskSign),
  ]);
  return [...new Set(signs.filter((sign) => /[1-9a-f]/i.test(sign)))];
}
