/** Reads state files. Never mistakes an unreadable file for a missing one, and waits for no disk that hangs. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { within } from '../base/time.ts';
import { Folder, plainMessage } from './folder.ts';
import { systemReason } from './state-errors.ts';

/** How long we wait for a disk that hangs (a lost NFS server, a dying eMMC), ms. */
export const DISK_TIMEOUT_MS = 5_000;

export const diskHangs = `the disk has not answered for ${DISK_TIMEOUT_MS / 1000} s`;

export const withDiskTimeout = <T>(work: Promise<T>): Promise<T | undefined> => within(DISK_TIMEOUT_MS, work);

export type Found =
  /** `why`: its directory is a file. */
  | { readonly kind: 'none'; readonly why?: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Never a usable file of ours. `what` completes "PATH …". */
  | { readonly kind: 'unfit'; readonly word: string; readonly what: string }
  /** The file may be intact: do not overwrite it. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** The limit if the caller has none. The state of a thousand phones needs a third of this. */
export const MOST_BYTES = 32 * 1024 ** 2;
const CHUNK_BYTES = 64 * 1024;

/** Reads in progress, by path: one that hangs is not started again, and has its answer already. */
const underWay = new Map<string, Promise<Found>>();

/**
 * Reads a file of a state directory. Never throws, and waits at most `DISK_TIMEOUT_MS` for a disk that hangs.
 *
 * @param mostBytes a larger file is damaged
 */
export const readStateText = (path: string, mostBytes = MOST_BYTES): Promise<Found> =>
  read(path, () => readInFolder(path, mostBytes));

/** Reads a file of the system, which may be a link. As `readStateText`. */
export const readSystemText = (path: string): Promise<Found> => read(path, () => readAnywhere(path));

const hung: Found = { kind: 'unreadable', why: diskHangs };

function read(path: string, readNow: () => Promise<Found>): Promise<Found> {
  const begun = underWay.get(path);
  if (begun !== undefined) return begun;
  const reading = readNow()
    .catch(foundBy)
    .finally(() => underWay.delete(path));
  const found = withDiskTimeout(reading).then((inTime) => inTime ?? hung);
  underWay.set(path, found);
  return found;
}

function foundBy(error: unknown): Found {
  if (hasCode(error, 'ENOENT')) return { kind: 'none' };
  if (hasCode(error, 'ENOTDIR')) return { kind: 'none', why: plainMessage(error) };
  if (hasCode(error, 'ENXIO')) return noFile; // a socket
  return { kind: 'unreadable', why: plainMessage(error) };
}

const noFile: Found = { kind: 'unfit', word: 'damaged', what: 'is damaged (not a file)' };
const noFileButFolder: Found = {
  kind: 'unfit',
  word: 'unreadable',
  what: 'cannot be read (EISDIR: illegal operation on a directory, read)',
};
const tooLarge = (mostBytes: number): Found => ({
  kind: 'unfit',
  word: 'damaged',
  what: `is damaged (larger than ${Math.round(mostBytes / 1024 ** 2)} MiB)`,
});

/** Does not wait for the other end of a pipe. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

async function readAnywhere(path: string): Promise<Found> {
  await using handle = await open(path, READING);
  return await textOf(handle, MOST_BYTES);
}

/** Where others can write, root reads only the files of the directory's owner and its own. */
async function readInFolder(path: string, mostBytes: number): Promise<Found> {
  await using folder = await Folder.open(dirname(path));
  const noLink = folder.isOpenToOthers ? constants.O_NOFOLLOW : 0;
  const file = folder.path(basename(path));
  await using handle = await open(file, READING | noLink).catch(async (error) => {
    if (hasCode(error, 'ENOENT')) await lstat(file).then(leadsNowhere, () => {});
    throw error;
  });
  const { uid } = await handle.stat();
  if (folder.isOpenToOthers && uid !== 0 && uid !== folder.uid) {
    return { kind: 'unreadable', why: `it belongs to user ${uid}, its directory to user ${folder.uid}` };
  }
  return await textOf(handle, mostBytes);
}

/** Such as one to a disk that is not mounted: it is no missing file, which the next save would make. */
function leadsNowhere(): never {
  throw new Error('a link there leads to no file');
}

async function textOf(handle: FileHandle, mostBytes: number): Promise<Found> {
  const stats = await handle.stat();
  if (stats.isDirectory()) return noFileButFolder;
  if (!stats.isFile()) return noFile;
  if (stats.size > mostBytes) return tooLarge(mostBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const room = Buffer.alloc(Math.max(CHUNK_BYTES, stats.size - total + 1));
    const { bytesRead } = await handle.read(room);
    if (bytesRead === 0) return { kind: 'text', text: Buffer.concat(chunks).toString('utf8') };
    chunks.push(room.subarray(0, bytesRead));
    total += bytesRead;
    if (total > mostBytes) return tooLarge(mostBytes);
  }
}

export interface Aside {
  /** Why it is unusable, and what happened to it: one sentence. */
  readonly problem: string;
  readonly movedTo?: string;
  /** It is still there, and may be intact: do not overwrite it until it could be read. */
  readonly mustStay?: true;
}

/**
 * Renames a file, so that the next write does not destroy it and a person can inspect it. Never throws.
 *
 * @param word a part of the new name
 * @param what completes "PATH …"
 */
export async function setAside(path: string, word: string, what: string): Promise<Aside> {
  const movedTo = `${path}.${word}-${new Date().toISOString()}`;
  try {
    await using folder = await Folder.open(dirname(path));
    await rename(folder.path(basename(path)), folder.path(basename(movedTo)));
    return { problem: `${path} ${what}; it was set aside as ${movedTo}`, movedTo };
  } catch (error) {
    const why = systemReason(error);
    return {
      problem: `${path} ${what}; it could not be set aside (${why}); the agent does not overwrite it`,
      mustStay: true,
    };
  }
}
