/**
 * Marks a state directory with its host, so that we recognize a copy on another host. `host-mark.json` holds a few
 * salted bits of each sign of the host, too few to reveal the sign.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from './json-file.ts';

const VERSION = 1;
/** 20 bits: of the 2^24 network cards with one maker's prefix, 16 share the same bits. */
const HEX_DIGITS = 5;

const hostMark = z.object({
  version: z.literal(VERSION),
  /** The host's name in the cloud when this was written. */
  nodeId: z.string(),
  salt: z.string(),
  signs: z.array(z.string()).min(1),
});

export type HostMark = z.infer<typeof hostMark>;

export const hostMarkName = 'host-mark.json';

const saltedBits = (sign: string, salt: string) =>
  createHash('sha256').update(`${salt}:${sign}`).digest('hex').slice(0, HEX_DIGITS);

/** @param signs of this host, at least one */
export function markHost(
  nodeId: string,
  signs: readonly string[],
  salt: string = randomBytes(8).toString('hex'),
): HostMark {
  return { version: VERSION, nodeId, salt, signs: signs.map((sign) => saltedBits(sign, salt)).toSorted() };
}

/**
 * True if no sign matches. A new network card or disk alone is the same host, and so is a disk that moved to another
 * machine. Without any sign we cannot know.
 */
export function isAnotherHost({ salt, signs: kept }: HostMark, signs: readonly string[]): boolean {
  return signs.length > 0 && !signs.some((sign) => kept.includes(saltedBits(sign, salt)));
}

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readHostMark = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HostMark>> =>
  readJsonFile(join(stateDir, hostMarkName), hostMark, VERSION, options);

/** @throws {StateUnwritableError} the old file is unchanged */
export const writeHostMark = (stateDir: string, mark: HostMark): Promise<void> =>
  writeJsonFile(join(stateDir, hostMarkName), mark);

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
