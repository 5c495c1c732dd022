/**
 * An open directory: we keep working in it even if somebody replaces it by another one. As root we follow no link that
 * another user may have made.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readFile, readlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { StateLinkError } from './state-errors.ts';

/** Opens a file without the right to read it: open(2); the same value on all common architectures. */
const O_PATH = 0o10_000_000;

/** Flags to make a new file in an open directory, and to follow no link in its place. */
export const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The kernel's limit: path_resolution(7). */
const MOST_LINKS = 40;
const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;

export const isRoot = (): boolean => process.geteuid?.() === 0;

const inside = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

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
    const path = resolve(dir);
    const found = await Folder.#open(dir, path).catch((error: unknown) => {
      if (!make || !(hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'))) throw error;
      return { error };
    });
    if (found instanceof Folder) return found;
    await using above = await Folder.open(dirname(path), { make }).catch((error: unknown) => {
      throw hasCode(error, 'EEXIST') ? found.error : error; // a file stands where a directory should
    });
    const notMade: unknown = await mkdir(above.path(basename(path)), 0o700).catch((error) => error);
    return await Folder.#open(dir, path).catch((error) => {
      throw notMade ?? error; // another process may have made it
    });
  }

  static async #open(dir: string, path: string): Promise<Folder> {
    const handle = await open(path, O_PATH | constants.O_DIRECTORY);
    try {
      const place = await readlink(inside(handle)).catch(() => {
        throw Object.assign(new Error('ENOSYS: no /proc is mounted'), { code: 'ENOSYS' });
      });
      // first opened, then compared: who changes the path in between gains nothing
      if (isRoot() && place !== (await trustedPlace(path))) throw new StateLinkError(path, basename(path));
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
    return `${inside(this.#handle)}/${name}`;
  }

  /** Makes a file, for the directory's owner alone. Fails where one exists, or a link. */
  async create(name: string): Promise<FileHandle> {
    const handle = await open(this.path(name), CREATE_NEW, 0o600);
    try {
      if (this.isOfAnother && (await handle.stat()).uid !== this.uid) await handle.chown(this.uid, this.gid);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
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

/** Tells one file from another, a link from what it leads to; undefined if there is none to be seen. */
export async function inodeOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}

/**
 * Where an existing path leads. Root follows a link only where no other user could have made or replaced it, or a
 * directory above it.
 *
 * @throws {StateLinkError} there is another link
 */
async function trustedPlace(path: string): Promise<string> {
  const trusted = await trustedUsers();
  const names = path.split('/').toReversed();
  let at = '/';
  let isClosed = true;
  let links = 0;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = join(at, name);
    const stats = await lstat(next);
    if (!stats.isSymbolicLink()) {
      at = next;
      const isOpen = (stats.mode & WRITABLE_BY_OTHERS) !== 0 && (stats.mode & STICKY) === 0;
      isClosed &&= trusted.has(stats.uid) && !isOpen;
      continue;
    }
    links += 1;
    if (!isClosed || !trusted.has(stats.uid) || links > MOST_LINKS) throw new StateLinkError(path, name);
    const target = await readlink(next);
    names.push(...target.split('/').toReversed());
    if (target.startsWith('/')) at = '/';
  }
  return at;
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

/** An error's text without the internal path `/proc/self/fd/…`. */
export const plainMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ '\/proc\/self\/fd\/.*$/s, '');
