/**
 * Stores a text on a full disk: in a file whose blocks were allocated earlier, written in place. Two slots take turns,
 * each with a number and a checksum, so an interrupted write loses only the newest text. A copy-on-write file system
 * (btrfs, ZFS) may refuse even that.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, statfs, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { hasCode } from '../base/errors.ts';
import { Folder } from './folder.ts';
import { giveToOwner } from './owner.ts';
import { StateUnwritableError } from './state-errors.ts';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** We use the first size for which the disk has room. */
const SLOT_BYTES = [64 * 1024, 8 * 1024] as const;
/** The disk must have this many times the file's size free: the file must not fill it. */
const LEAST_ROOM = 8;
const HEADER_BYTES = 128;
/** Limit of the unpacked text, bytes. */
const LONGEST_TEXT_BYTES = 16 * 1024 * 1024;

interface Slot {
  /** The higher one is newer. */
  readonly count: number;
  readonly packed: Buffer;
}

/**
 * Creates the file if it is missing or incomplete and the disk has room. Never throws: the next call tries again.
 */
export async function prepareSpareFile(path: string): Promise<void> {
  try {
    await using folder = await Folder.open(dirname(path));
    const file = folder.path(basename(path));
    const size = await lstat(file).then(
      (stats) => stats.size,
      (error: unknown) => {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      },
    );
    if (slotBytesOf(size) !== undefined) return;
    if (size !== undefined) await unlink(file);
    const { bavail, bsize } = await statfs(folder.path('.'));
    const bytes = SLOT_BYTES.find((slot) => bavail * bsize >= LEAST_ROOM * 2 * slot);
    if (bytes !== undefined) await makeFile(folder, file, 2 * bytes);
  } catch {
    // without the file a full disk stores nothing; the roster's keeper logs that
  }
}

/** Undefined if no spare file has this size. */
const slotBytesOf = (size: number | undefined): number | undefined =>
  SLOT_BYTES.find((bytes) => size === 2 * bytes);

async function makeFile(folder: Folder, path: string, bytes: number): Promise<void> {
  const file = await open(path, CREATE, 0o600);
  try {
    await giveToOwner(file, folder);
    await file.writeFile(randomBytes(bytes)); // random, so that no file system can compress it or skip its blocks
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** @throws {StateUnwritableError} the previous text is intact */
export async function writeSpareFile(path: string, text: string): Promise<void> {
  try {
    const packed = await promisify(gzip)(text);
    await withFile(path, constants.O_RDWR, async (file) => {
      const slots = await readSlots(file);
      const newest = slots.reduce((most, slot) => Math.max(most, slot?.count ?? 0), 0);
      const place = slots[0]?.count === newest && newest > 0 ? 1 : 0;
      const slotBytes = (await file.stat()).size / 2;
      if (HEADER_BYTES + packed.length > slotBytes) throw new Error('the text is too long for it');
      const header = Buffer.alloc(HEADER_BYTES, ' ');
      header.write(`hostnode 1 ${newest + 1} ${packed.length} ${sumOf(newest + 1, packed)}`);
      await file.write(Buffer.concat([header, packed]), 0, undefined, place * slotBytes);
      await file.datasync();
    });
  } catch (cause) {
    throw new StateUnwritableError(path, cause);
  }
}

/** The newest intact text; undefined if there is none. Never throws. */
export async function readSpareFile(path: string): Promise<string | undefined> {
  try {
    const slots = await withFile(path, constants.O_RDONLY, readSlots);
    const [newest] = slots.filter((slot) => slot !== undefined).sort((one, other) => other.count - one.count);
    if (newest === undefined) return undefined;
    return (await promisify(gunzip)(newest.packed, { maxOutputLength: LONGEST_TEXT_BYTES })).toString();
  } catch {
    return undefined;
  }
}

/** Erases the content. Never throws; a missing file is fine. */
export async function clearSpareFile(path: string): Promise<void> {
  await withFile(path, constants.O_RDWR, async (file) => {
    const { size } = await file.stat();
    if ((await readSlots(file)).every((slot) => slot === undefined)) return;
    await file.write(randomBytes(size), 0, undefined, 0);
    await file.datasync();
  }).catch(() => {});
}

async function withFile<T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  await using folder = await Folder.open(dirname(path));
  const file = await open(folder.path(basename(path)), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function readSlots(file: FileHandle): Promise<(Slot | undefined)[]> {
  const { size } = await file.stat();
  const slotBytes = slotBytesOf(size);
  if (slotBytes === undefined) return [];
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  if (bytesRead !== size) return [];
  return [slotIn(buffer.subarray(0, slotBytes)), slotIn(buffer.subarray(slotBytes))];
}

function slotIn(bytes: Buffer): Slot | undefined {
  const header = bytes.toString('latin1', 0, HEADER_BYTES);
  const [, count, length, sum] = /^hostnode 1 (\d{1,15}) (\d{1,9}) ([0-9a-f]{64}) *$/.exec(header) ?? [];
  const packed = bytes.subarray(HEADER_BYTES, HEADER_BYTES + Number(length));
  return sum === sumOf(Number(count), packed) ? { count: Number(count), packed } : undefined;
}

const sumOf = (count: number, packed: Buffer): string =>
  createHash('sha256').update(`${count} ${packed.length} `).update(packed).digest('hex');
