/**
 * Stores a text on a full disk: in a file whose blocks were allocated earlier, written in place. Two slots take turns,
 * each with a number and a checksum, so an interrupted write loses only the newest text. A copy-on-write file system
 * (btrfs, ZFS) may refuse even that.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, statfs, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { hasCode } from '../base/errors.ts';
import { CREATE_NEW, Folder } from './folder.ts';
import { giveToOwner } from './owner.ts';
import { StateUnwritableError } from './state-errors.ts';

/** A slot's size is a power of two from 8 KiB to 16 MiB: the one that the caller needs, or what the disk has room for. */
const [LEAST_SLOT_BYTES, USUAL_SLOT_BYTES, MOST_SLOT_BYTES] = [8 * 1024, 64 * 1024, 16 * 1024 ** 2];
/** The disk must have this many times the file's size free: the file must not fill it. */
const LEAST_ROOM = 8;
const HEADER_BYTES = 128;
/** Limit of the unpacked text, bytes; for large slots, how many times the slot's size. */
const [LONGEST_TEXT_BYTES, MOST_UNPACKED] = [16 * 1024 ** 2, 16];

interface Slot {
  /** The higher one is newer. */
  readonly count: number;
  readonly packed: Buffer;
  /** Limit of the unpacked text, bytes. */
  readonly longest: number;
}

/**
 * Creates the file if it is missing or incomplete, or lets it grow, if the disk has room. A text in it stays. Never
 * throws: the next call tries again.
 *
 * @param packedBytes the room that a text needs
 */
export async function prepareSpareFile(path: string, packedBytes = 0): Promise<void> {
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
    const present = slotBytesOf(size) ?? 0;
    let wanted = USUAL_SLOT_BYTES;
    while (wanted < HEADER_BYTES + packedBytes && wanted < MOST_SLOT_BYTES) wanted *= 2;
    if (present >= wanted) return;
    const { bavail, bsize } = await statfs(folder.path('.'));
    while (wanted >= LEAST_SLOT_BYTES && bavail * bsize < LEAST_ROOM * 2 * wanted) wanted /= 2;
    if (wanted < LEAST_SLOT_BYTES || wanted <= present) return;
    const text = await readSpareFile(path);
    const draft = folder.path(`.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
    await makeFile(folder, draft, 2 * wanted);
    try {
      if (text !== undefined) await writeSpareFile(draft, text);
      await rename(draft, file);
    } catch (error) {
      await unlink(draft);
      throw error;
    }
  } catch {
    // without the file a full disk stores nothing; the roster's keeper logs that
  }
}

/** Undefined if no spare file has this size. */
function slotBytesOf(size = 0): number | undefined {
  const bytes = size / 2;
  const isOurs = bytes >= LEAST_SLOT_BYTES && bytes <= MOST_SLOT_BYTES && Number.isInteger(Math.log2(bytes));
  return isOurs ? bytes : undefined;
}

const longestText = (slotBytes: number): number => Math.max(LONGEST_TEXT_BYTES, MOST_UNPACKED * slotBytes);

async function makeFile(folder: Folder, path: string, bytes: number): Promise<void> {
  const file = await open(path, CREATE_NEW, 0o600);
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

/**
 * @param shorter versions of the text, the longest first: the first one that fits is written
 * @throws {StateUnwritableError} the previous text is intact
 */
export async function writeSpareFile(
  path: string,
  text: string,
  shorter: Iterable<string> = [],
): Promise<void> {
  try {
    await withFile(path, constants.O_RDWR, async (file) => {
      const slots = await readSlots(file);
      const newest = slots.reduce((most, slot) => Math.max(most, slot?.count ?? 0), 0);
      const place = slots[0]?.count === newest && newest > 0 ? 1 : 0;
      const slotBytes = (await file.stat()).size / 2;
      const packed = (await firstThatFits([text], slotBytes)) ?? (await firstThatFits(shorter, slotBytes));
      if (packed === undefined) throw new Error('the text is too long for it');
      const header = Buffer.alloc(HEADER_BYTES, ' ');
      header.write(`hostnode 1 ${newest + 1} ${packed.length} ${sumOf(newest + 1, packed)}`);
      await file.write(Buffer.concat([header, packed]), 0, undefined, place * slotBytes);
      await file.datasync();
    });
  } catch (cause) {
    throw new StateUnwritableError(path, cause);
  }
}

async function firstThatFits(texts: Iterable<string>, slotBytes: number): Promise<Buffer | undefined> {
  for (const text of texts) {
    if (Buffer.byteLength(text) > longestText(slotBytes)) continue;
    const packed = await promisify(gzip)(text);
    if (HEADER_BYTES + packed.length <= slotBytes) return packed;
  }
  return undefined;
}

/** The newest intact text; undefined if there is none. Never throws. */
export async function readSpareFile(path: string): Promise<string | undefined> {
  try {
    const slots = await withFile(path, constants.O_RDONLY, readSlots);
    const [newest] = slots.filter((slot) => slot !== undefined).sort((one, other) => other.count - one.count);
    if (newest === undefined) return undefined;
    return (await promisify(gunzip)(newest.packed, { maxOutputLength: newest.longest })).toString();
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
  return sum === sumOf(Number(count), packed)
    ? { count: Number(count), packed, longest: longestText(bytes.length) }
    : undefined;
}

const sumOf = (count: number, packed: Buffer): string =>
  createHash('sha256').update(`${count} ${packed.length} `).update(packed).digest('hex');
