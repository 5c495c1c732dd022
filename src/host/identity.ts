/**
 * This host's name in the cloud, and whether another host may have the same one. `host-mark.json` marks a state directory
 * with its host, so that we recognize a copy on another host: it holds a few salted bits of each sign of the host, too few
 * to reveal the sign.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from './json-file.ts';
import { type NodeId, type NodeIdPlace, type Objection, readNodeId } from './node-id.ts';

const MARK = 'host-mark.json';
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

export interface Identity extends NodeId {
  /** Set if the state directory is a copy from another host with the same name. */
  readonly copied?: Objection;
  /** Why the stored mark is unusable, and what happened to its file: one sentence. */
  readonly problem?: string;
}

/**
 * Reads the host's name, and marks the state directory with this host unless it is a copy.
 *
 * @param configured `nodeId` of the configuration
 * @throws {StateUnreadableError} when the name cannot be read now
 */
export async function readIdentity(
  configured: string | undefined,
  stateDir: string,
  place: NodeIdPlace,
): Promise<Identity> {
  const { root, mayKeep = true } = place;
  const [{ value: mark, problem, mustStay }, signs] = await Promise.all([
    readHostMark(stateDir, { mayRename: mayKeep }),
    readHostSigns(root),
  ]);
  const other = mark && isAnotherHost(mark, signs) ? mark.nodeId : undefined;
  const name = await readNodeId(configured, stateDir, { ...place, ...omitUndefined({ taken: other }) });
  if (name.nodeId === other)
    return { ...name, copied: copyOf(name, stateDir), ...omitUndefined({ problem }) };
  if (mayKeep && !mustStay && name.unfit === undefined && signs.length > 0)
    await keepMark(stateDir, name.nodeId, signs, mark);
  return { ...name, ...omitUndefined({ problem }) };
}

/** Updates the mark also after a card or disk was replaced: the next replacement may be another part. */
async function keepMark(stateDir: string, nodeId: string, signs: readonly string[], old?: HostMark) {
  const mark = markHost(nodeId, signs, old?.salt);
  if (JSON.stringify(mark) === JSON.stringify(old)) return;
  await writeHostMark(stateDir, mark).catch(() => {}); // without a mark we only fail to notice a copy
}

function copyOf({ nodeId, source }: NodeId, stateDir: string): Objection {
  const rename =
    source === 'configuration'
      ? 'set another nodeId and remove roster.json there'
      : 'remove node-id and roster.json there';
  return {
    seen: `${stateDir} comes from another host with the same name: two hosts may report as ${nodeId}`,
    remedy: `If this host is a copy, stop it, ${rename}; if it replaces the other host, remove ${MARK} there`,
  };
}

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
  readJsonFile(join(stateDir, MARK), hostMark, VERSION, options);

/** @throws {StateUnwritableError} the old file is unchanged */
export const writeHostMark = (stateDir: string, mark: HostMark): Promise<void> =>
  writeJsonFile(join(stateDir, MARK), mark);

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
