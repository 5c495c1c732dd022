/** The file in the state directory, before SQLite opens it. */
import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { Folder } from '../../host/folder.ts';
import { type Aside, setAside } from '../../host/state-file.ts';
import { UnfitFileError } from './database.ts';

export const historyFile = (stateDir: string): string => join(stateDir, 'history.sqlite');

/** sqlite.org/fileformat.html */
const HEADER_BYTES = 100;

/** SQLite's own log beside a file. */
export const logOf = (path: string): string => `${path}-wal`;

/**
 * Makes the file, for its owner alone, unless it exists. SQLite gives its other files the same owner and mode.
 *
 * @throws the file system's error, or {@link UnfitFileError} if it is no file of ours
 */
export async function prepareFile(path: string): Promise<void> {
  await using folder = await Folder.open(dirname(path));
  const place = folder.path(basename(path));
  try {
    await (await folder.create(basename(path))).close();
    await folder.sync();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const stats = await lstat(place);
    if (!stats.isFile()) throw new UnfitFileError('damaged', 'is damaged (not a file)');
    if (folder.isOpenToOthers && stats.nlink > 1)
      throw new UnfitFileError('damaged', 'is damaged (it has a second name)');
    // SQLite takes such a file for a new one, whatever was in it before
    if (stats.size > 0 && stats.size < HEADER_BYTES)
      throw new UnfitFileError('damaged', `is damaged (it has ${stats.size} bytes)`);
  }
}

/** The beginning of the names of those that were set aside. */
const asideOf = (path: string): string => `${basename(path)}.damaged-`;

/** Removes the damaged file that was set aside, with its log. Never throws. */
export async function removeDamaged(path: string): Promise<void> {
  try {
    await using folder = await Folder.open(dirname(path));
    for (const name of await readdir(folder.path('.')))
      if (name.startsWith(asideOf(path))) await unlink(folder.path(name));
  } catch {
    // the next one that is set aside takes its place
  }
}

/**
 * Renames a damaged file, with SQLite's log, which belongs to it. Only one such file stays: each may be large. Never
 * throws.
 */
export async function setDamagedAside(path: string, what: string): Promise<Aside> {
  await removeDamaged(path);
  try {
    await using folder = await Folder.open(dirname(path));
    // the log first: it would damage the new file
    await rename(folder.path(basename(logOf(path))), folder.path(`${asideOf(path)}log`));
  } catch {
    // there is none, or `setAside` says why
  }
  return setAside(path, 'damaged', what);
}
