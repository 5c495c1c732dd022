/**
 * A text that can be kept on a full disk: in a file whose blocks the disk has given long before, written in place. Two
 * slots are written in turn, each with its number and checksum, so that a write which is cut off costs the newest text
 * and not the one before. A file system that copies what is written (btrfs, ZFS) may refuse even that.
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
/** The first for which there is room. */
const SLOT_BYTES = [64 * 1024, 8 * 1024] as const;
/** A file of its own is no reason for a disk to be full: so many times its size has to be free. */
const LEAST_ROOM = 8;
const HEADER_BYTES = 128;
/** What a slot holds cannot unpack to more, bytes. */
const LONGEST_TEXT_BYTES = 16 * 1024 * 1024;

interface Slot {
  /** The higher one is the newer. */
  readonly count: number;
  readonly packed: Buffer;
}

/**
 * Makes the file where there is none, or not a whole one, and the disk has room for it. Never throws: what the
 * disk does not give now is asked for again at the next call.
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
    // without it a full disk takes nothing, as the roster's keeper says then
  }
}

/** Of a file of this size; undefined where that is no spare file. */
const slotBytesOf = (size: number | undefined): number | undefined =>
  SLOT_BYTES.find((bytes) => size === 2 * bytes);

async function makeFile(folder: Folder, path: string, bytes: number): Promise<void> {
  const file = await open(path, CREATE, 0o600);
  try {
    await giveToOwner(file, folder);
    await file.writeFile(randomBytes(bytes)); // nothing that a file system could leave out or press together
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** @throws {StateUnwritableError} and the text before it is still there */
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

/** The text that was written last; undefined where there is none that is whole. Never throws. */
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

/** Leaves nothing to be read. Never throws: a file that is not there needs no more. */
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
