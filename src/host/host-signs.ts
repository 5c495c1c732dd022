/**
 * Signs that identify this machine: the addresses of its network cards, and the serial numbers of its disks and board.
 * We use only signs that every user may read; the board's UUID (DMI) is readable by root alone.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

const read = (path: string) =>
  readFile(path, 'latin1').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => '',
  );

/** USB hardware, such as a tethering phone or a stick, may be on another host tomorrow. */
const isPlugged = (path: string) => /\/usb\d/.test(path);

/** The entries of a class in /sys that are built-in hardware. */
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

/** The permanent address of a network card (NET_ADDR_PERM); an address set by software may change with each start. */
async function cardSign(card: string): Promise<string> {
  return (await read(join(card, 'addr_assign_type'))) === '0' ? read(join(card, 'address')) : '';
}

/**
 * The serial number of a disk: NVMe, SCSI, SATA, eMMC or SD. A virtio "serial number" is only a label, and all QEMU
 * machines have the same one for their own disks.
 */
async function diskSign(disk: string): Promise<string> {
  const files = ['wwid', 'device/wwid', 'device/cid'];
  const [number = ''] = (await Promise.all(files.map((file) => read(join(disk, file))))).filter(Boolean);
  return number.includes('QEMU') ? '' : number;
}

/**
 * Each sign once; empty if the machine shows none.
 *
 * @param root of the file system: `/`, or its replacement in a test
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
