/**
 * Allows one agent per state directory, by SQLite's exclusive lock of an empty file, `agent.lock`. The kernel frees it with
 * the process, however that dies, and it holds between containers that share the directory. `agent.pid` beside it names
 * the holder, for the message only.
 */
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hasCode } from '../base/errors.ts';
import { Folder } from './folder.ts';
import { writeFileWhole } from './json-file.ts';
import { StateLockedError, StateUnwritableError } from './state-errors.ts';
import { readStateText, withDiskTimeout } from './state-file.ts';

export interface StateLock {
  readonly dir: string;
  /** Is the lock still in `dir`? False if somebody removed or replaced the directory. */
  isInPlace(): Promise<boolean>;
  /** Releases the directory. Never throws: files that remain block nobody. */
  release(): Promise<void>;
}

const LOCK = 'agent.lock';
const PID = 'agent.pid';
/** A holder that ends removes the file: how often that may happen just before we take it. */
const MOST_TRIES = 10;
/** Of two that start at once, each may see the other's attempt for a moment, ms. */
const ATTEMPT_MS = 250;

/** Result codes: https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

const failedWith = (error: unknown, code: number): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === code;

/**
 * Locks a state directory until `release` or the end of this process. The lock does not keep the process alive.
 *
 * @throws {StateLockedError} when another agent holds it
 * @throws {StateUnwritableError} when the directory does not exist or takes no file
 */
export async function lockStateDirectory(dir: string): Promise<StateLock> {
  const file = join(dir, LOCK);
  try {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const made = await makeLockFile(dir);
      const database = await hold(file);
      const lock = stateLock(dir, database, made);
      await access(file, constants.W_OK).catch((error: unknown) => {
        database.close(); // SQLite locks a file on a read-only disk too, but not for one alone
        throw error;
      });
      if (await lock.isInPlace()) {
        await writePid(dir);
        return lock;
      }
      database.close();
    }
    throw new Error('other programs keep taking its lock');
  } catch (error) {
    if (failedWith(error, SQLITE_BUSY)) throw new StateLockedError(dir, await readPid(dir));
    // SQLite's own words
    throw new StateUnwritableError(dir, error instanceof Error && 'errstr' in error ? error.errstr : error);
  }
}

async function makeLockFile(dir: string): Promise<string> {
  await using folder = await Folder.open(dir);
  try {
    await (await folder.create(LOCK)).close();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const stats = await lstat(folder.path(LOCK));
  // one with content is not ours: SQLite would bring it back from a journal that lies beside it
  if (!stats.isFile() || stats.nlink !== 1 || stats.size > 0)
    throw new Error('another file is in place of the lock');
  return idOf(stats);
}

/** Another file has another one, also where it gets the same number. */
const idOf = ({ dev, ino, birthtimeMs }: Stats): string => [dev, ino, birthtimeMs].join();

/** @throws SQLite's error */
async function hold(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: ATTEMPT_MS });
  try {
    database.exec('PRAGMA journal_mode = MEMORY'); // no second file: nothing is ever written
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function stateLock(dir: string, database: DatabaseSync, made: string): StateLock {
  const isInPlace = async () => {
    const found = await withDiskTimeout(stat(join(dir, LOCK)).catch(whyNot));
    return typeof found === 'object' ? idOf(found) === made : found !== 'missing';
  };
  const removeFiles = async () => {
    if (!(await isInPlace())) return;
    await using folder = await Folder.open(dir);
    // while it is held: whoever has opened this file finds that it is not in place
    for (const name of [PID, LOCK]) await unlink(folder.path(name));
  };
  return {
    dir,
    isInPlace,
    async release() {
      if (!database.isOpen) return;
      await withDiskTimeout(removeFiles().catch(() => {}));
      database.close();
    },
  };
}

/** `missing` only if that is certain: a disk may fail for a while without losing files. */
const whyNot = (error: unknown): 'missing' | 'unknown' =>
  hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') ? 'missing' : 'unknown';

async function writePid(dir: string): Promise<void> {
  // on a full disk, no name is better than that of an earlier holder
  await writeFileWhole(join(dir, PID), `${process.pid}\n`).catch(() =>
    unlink(join(dir, PID)).catch(() => {}),
  );
}

async function readPid(dir: string): Promise<number | undefined> {
  const found = await readStateText(join(dir, PID), 64);
  return found.kind === 'text' && /^\d{1,10}\n$/.test(found.text) ? Number(found.text) : undefined;
}

/**
 * Finds the user of a state directory without changing it: its process id, `'silent'` if that is not known, undefined if
 * there is none.
 *
 * @throws the file system's error when the directory cannot be read
 */
export async function lockHolder(dir: string): Promise<number | 'silent' | undefined> {
  await (await Folder.open(dir)).close();
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dir, LOCK), { readOnly: true });
    database.exec('SELECT 1 FROM sqlite_schema');
    return undefined;
  } catch (error) {
    if (failedWith(error, SQLITE_CANTOPEN)) return undefined;
    if (!failedWith(error, SQLITE_BUSY)) throw error;
    return (await readPid(dir)) ?? 'silent';
  } finally {
    database?.close();
  }
}
