/**
 * The size and use of the data partition.
 *
 * Sources: toybox stat.c (Android 6.0 on): exact blocks; toybox df.c (7.0 on): 1K-blocks; AOSP toolbox df.c (before):
 * rounded sizes with a unit, and no device names. Used is the total less the free blocks, root's reserve counted as
 * free.
 */
import { ParseError } from '../base/errors.ts';
import { STAND_IN_STATES } from './boot.ts';
import { plainText } from './phone-text.ts';
import { KIB, type Section } from './section.ts';

/** The data partition, `/data`. */
export interface StorageFacts {
  totalBytes: number;
  /** Total minus free blocks. */
  usedBytes: number;
}

/**
 * Parses the state of disk encryption, then `stat -f` or `df`.
 *
 * @throws {ParseError} when neither can be parsed, or while a tmpfs replaces a locked /data
 */
export function parseStorage(text: string): StorageFacts {
  const state = /^decrypt=(.*)$/m.exec(plainText(text))?.[1]?.trim();
  if (state && STAND_IN_STATES.includes(state)) throw new ParseError('the size of a locked /data', text);
  return parseStat(text) ?? parseDf(text);
}

/** TMPFS_MAGIC of linux/magic.h, in stat's format. */
const TMPFS = '1021994';

/**
 * Parses a line `blockSize blocks free available [type]`, type in hexadecimal; undefined if there is none.
 *
 * @throws {ParseError} when the file system is a tmpfs
 */
export function parseStat(text: string): StorageFacts | undefined {
  const line = /^(\d{1,7}) (\d{1,14}) (\d{1,14}) \d{1,14}(?: (\S{1,20}))?[ \t]*$/m.exec(plainText(text));
  if (!line) return undefined;
  if (line[4] === TMPFS) throw new ParseError('the size of a locked /data', text);
  const [size = 0, blocks = 0, free = 0] = line.slice(1, 4).map(Number);
  return plausible(size * blocks, size * (blocks - free));
}

/**
 * Parses the row of /data in any kind of df table. Newer phones mount it again as `/data/user/0`, since Android 11
 * its media as `/mnt/pass_through/0/emulated`, too, and may list only one of them.
 *
 * @throws {ParseError} without such a row, or if it is a tmpfs
 */
export function parseDf(text: string): StorageFacts {
  const plain = plainText(text);
  const unit = blockBytes(plain);
  const rows = plain.split('\n').flatMap((line) => parseRow(line.trim(), unit) ?? []);
  const named = (path: string) => rows.findLast((row) => row.mount === path && row.device !== 'tmpfs');
  const row = named('/data') ?? named('/data/user/0') ?? named('/mnt/pass_through/0/emulated');
  const facts = row && plausible(row.totalBytes, row.usedBytes);
  if (!facts) throw new ParseError('df /data', text);
  return facts;
}

interface Row extends StorageFacts {
  /** Undefined in tables without devices, and if a long name has its own line. */
  device: string | undefined;
  mount: string;
}

const size = String.raw`(\d{1,15}(?:\.\d{1,3})?[KMGT]?)`;
/** `[device] total used available use% mount`; a long device name is on the line before. */
const blocksRow = new RegExp(
  String.raw`^(?:(\S+)[ \t]+)?${size}[ \t]+${size}[ \t]+\S{1,20}[ \t]+(?:\d+%|-)[ \t]+(/.*)$`,
);
/** `mount total used free blksize` (toolbox since 2.3). */
const toolboxRow = new RegExp(String.raw`^(/\S*)[ \t]+${size}[ \t]+${size}[ \t]+${size}[ \t]+\d+$`);
/** `mount: total total, used used, …` (toolbox before). */
const sentenceRow = new RegExp(String.raw`^(/\S*): ${size} total, ${size} used, `);

function parseRow(line: string, unit: number): Row | undefined {
  const blocks = blocksRow.exec(line);
  if (blocks) {
    const [, device, total = '', used = '', mount = ''] = blocks;
    return { device, mount, totalBytes: bytes(total, unit), usedBytes: bytes(used, unit) };
  }
  const [, mount, total = '', used = '', free] = toolboxRow.exec(line) ?? sentenceRow.exec(line) ?? [];
  if (mount === undefined) return undefined;
  const totalBytes = bytes(total, 1);
  return { device: undefined, mount, totalBytes, usedBytes: usedOf(totalBytes, used, free) };
}

/** `1.4G 1.4G 83.8M`: this disk is not full. What is free in a smaller unit is more exact than the rounded rest. */
const usedOf = (totalBytes: number, used: string, free = used): number =>
  powerOf(free) < powerOf(used) ? totalBytes - bytes(free, 1) : bytes(used, 1);

/** The unit of plain numbers, by the heading `1K-blocks`, `1024-blocks` or `512-blocks`. */
function blockBytes(plain: string): number {
  const [, digits, kilo] = /(\d{1,4})(K?)-blocks/.exec(plain) ?? [];
  return Number(digits ?? 1024) * (kilo ? 1024 : 1);
}

/** `12.5G` → bytes; a plain number counts `unit` bytes. */
function bytes(text: string, unit: number): number {
  const power = powerOf(text);
  return Math.round(power === 0 ? Number(text) * unit : Number(text.slice(0, -1)) * 1024 ** power);
}

const powerOf = (size: string): number => 'KMGT'.indexOf(size.at(-1) ?? '') + 1;

const plausible = (totalBytes: number, usedBytes: number): StorageFacts | undefined =>
  totalBytes > 0 && Number.isSafeInteger(totalBytes) && usedBytes >= 0 && usedBytes <= totalBytes
    ? { totalBytes, usedBytes }
    : undefined;

export const storage = {
  name: 'storage',
  cadence: 'round',
  limitSeconds: 4,
  limitBytes: 32 * KIB,
  commands: () => ({
    size: 'echo decrypt=$(getprop vold.decrypt);toybox stat -f -c "%S %b %f %a %t" /data||df /data',
  }),
  parse: ({ size }) => parseStorage(size ?? ''),
} as const satisfies Section<StorageFacts>;
