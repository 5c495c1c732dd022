/**
 * An open directory: we keep working in it even if somebody replaces it by another one. We walk the path name by name,
 * and as root we follow no link that another user may have made.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readFile, readlink, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { StateLinkError } from './state-errors.ts';

/** Opens a file without the right to read it: open(2); the same value on all common architectures. */
const O_PATH = 0o10_000_000;

/** Flags to make a new file in an open directory, and to follow no link in its place. */
export const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const STEP = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** The kernel's limit: path_resolution(7). */
const MOST_LINKS = 40;
/** linux/magic.h */
const PROC_SUPER_MAGIC = 0x9fa0;
const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;

export const isRoot = (): boolean => process.geteuid?.() === 0;

const inside = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

export class Folder implements AsyncDisposable {
  readonly dir: string;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits. */
  readonly mode: number;
  readonly #handle: FileHandle;

  private constructor(dir: string, handle: FileHandle, { uid, gid, mode }: Stats) {
    this.dir = dir;
    this.#handle = handle;
    this.uid = uid;
    this.gid = gid;
    this.mode = mode & 0o777;
  }

  /**
   * @param make creates missing directories, for their owner alone
   * @throws the file system's error, or StateLinkError
   */
  static async open(dir: string, { make = false } = {}): Promise<Folder> {
    const handle = await walk(resolve(dir), make);
    try {
      return new Folder(dir, handle, await handle.stat());
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** We are root, and the directory belongs to another user, who can write to it. */
  get isOfAnother(): boolean {
    return isRoot() && this.uid !== 0;
  }

  /** We are root, and other users can write to the directory. */
  get isOpenToOthers(): boolean {
    return this.isOfAnother || (isRoot() && (this.mode & WRITABLE_BY_OTHERS) !== 0);
  }

  /** The path of a name in it. It is short, so it also fits a socket's limit of 107 bytes. */
  path(name: string): string {
    return inside(this.#handle, name);
  }

  /** Writes the directory's list of names to the disk. */
  async sync(): Promise<void> {
    await using handle = await open(this.path('.'), constants.O_RDONLY | constants.O_DIRECTORY);
    await handle.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** @param path absolute */
async function walk(path: string, make: boolean): Promise<FileHandle> {
  const names = path.split('/').toReversed();
  let at = await open('/', STEP);
  let links = 0;
  try {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === '' || name === '.') continue;
      const isLast = !names.some((rest) => rest !== '' && rest !== '.');
      const next = await step(at, name, make, isLast);
      if (typeof next !== 'string') {
        at = await moveOn(at, next);
        continue;
      }
      links += 1;
      if (links > MOST_LINKS) throw systemError('ELOOP', 'too many symbolic links');
      if (!(await isTrusted(at, name))) throw new StateLinkError(path, name);
      if (await isOfProc(at)) {
        at = await moveOn(at, await open(inside(at, name), O_PATH | constants.O_DIRECTORY));
        continue;
      }
      names.push(...next.split('/').toReversed());
      if (next.startsWith('/')) at = await moveOn(at, await open('/', STEP));
    }
    return at;
  } catch (error) {
    const isBlind = hasCode(error, 'ENOENT') && !(await isThere(inside(at, '.')));
    await at.close();
    throw isBlind ? systemError('ENOSYS', 'no /proc is mounted') : error;
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** An error's text without the internal path `/proc/self/fd/…`. */
export const plainMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ '\/proc\/self\/fd\/.*$/s, '');

async function moveOn(from: FileHandle, to: FileHandle): Promise<FileHandle> {
  await from.close();
  return to;
}

/** Links in /proc may lead into another mount namespace, where no path leads: proc_pid_root(5). */
async function isOfProc(folder: FileHandle): Promise<boolean> {
  return (await statfs(inside(folder, '.'))).type === PROC_SUPER_MAGIC;
}

/** @returns the directory with this name, or the target of a link */
async function step(
  at: FileHandle,
  name: string,
  make: boolean,
  isLast: boolean,
): Promise<FileHandle | string> {
  const path = inside(at, name);
  try {
    return await open(path, STEP);
  } catch (error) {
    if (hasCode(error, 'ENOENT') && make) {
      await mkdir(path, 0o700).catch(unless('EEXIST'));
      return open(path, STEP);
    }
    if (!hasCode(error, 'ENOTDIR')) throw error;
    const target = await readlink(path).catch(unless('EINVAL')); // EINVAL: not a link
    if (target !== undefined) return target;
    throw make && isLast ? systemError('EEXIST', 'file exists') : error;
  }
}

/**
 * May we follow the link? Root does so only if no other user could create or replace it: then nothing can change
 * between this check and the next step.
 */
async function isTrusted(folder: FileHandle, name: string): Promise<boolean> {
  if (!isRoot()) return true;
  const [above, link, trusted] = await Promise.all([
    folder.stat(),
    lstat(inside(folder, name)),
    trustedUsers(),
  ]);
  const isClosed = (above.mode & WRITABLE_BY_OTHERS) === 0 || (above.mode & STICKY) !== 0;
  return isClosed && trusted.has(above.uid) && trusted.has(link.uid);
}

/**
 * Root, and in a user namespace (a rootless container) also the overflow uid, which owns the host's own files there
 * (user_namespaces(7)).
 */
async function trustedUsers(): Promise<Set<number>> {
  const [map, overflow] = await Promise.all(
    ['/proc/self/uid_map', '/proc/sys/kernel/overflowuid'].map(
      (file) => readFile(file, 'utf8').catch(() => ''), // a kernel without user namespaces
    ),
  );
  const isNamespace = /^\s*0\s/.test(map ?? '') && !/\s4294967295\s*$/.test(map ?? '');
  return new Set(isNamespace && overflow ? [0, Number(overflow)] : [0]);
}

const unless = (code: string) => (error: unknown) => {
  if (!hasCode(error, code)) throw error;
  return undefined;
};

const systemError = (code: string, message: string): Error =>
  Object.assign(new Error(`${code}: ${message}`), { code });

/** @param file just made in `folder` */
export async function giveToOwner(file: FileHandle, folder: Folder): Promise<void> {
  if (!folder.isOfAnother) return;
  const { uid } = await file.stat();
  if (uid !== folder.uid) await file.chown(folder.uid, folder.gid);
}
