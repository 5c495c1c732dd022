/** Writes the files that a person has named on the command line. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CREATE_NEW, Folder } from '../host/folder.ts';
import { FailedError, UsageError, write } from './terminal.ts';

export function mayWrite(path: string, force: boolean): void {
  if (!force && existsSync(path)) throw new UsageError(`${path} already exists; use --force to overwrite`);
}

/** Writes the file, that behind a link where it may be replaced; prints the text on stdout if that fails. */
export async function writeOrPrint(path: string, text: string, force: boolean): Promise<void> {
  const to = force ? await fileBehind(path).catch(() => path) : path; // what cannot be opened is told below
  await writeNewFiles([{ path: to, text, mode: 0o644 }], force).catch((error: unknown) => {
    write(process.stdout, text);
    notWritten('file')(error);
  });
}

export const notWritten =
  (what: string) =>
  (error: unknown): never => {
    const why = error instanceof Error ? error.message : error;
    throw new FailedError(`cannot write the ${what}: ${why}`);
  };

/**
 * Which file to replace where a person named this path: that behind a link. As root, the name itself where another user
 * could have made the link, or makes it now.
 *
 * @throws the file system's error, or StateLinkError
 */
export async function fileBehind(path: string): Promise<string> {
  await using folder = await Folder.open(dirname(path));
  return folder.isOpenToOthers ? path : await realpath(path);
}

export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** Permission bits, whatever the umask is. */
  readonly mode: number;
  /** Permission bits of its folder, if that does not exist and is to be made. */
  readonly folderMode?: number;
}

/**
 * Writes several files that belong together: all of them or none, and each whole.
 *
 * @param force replaces existing files, and nothing else: root would put a file in the place of a device
 * @throws an error that says why not; then no file is new
 */
export async function writeNewFiles(files: readonly NewFile[], force: boolean): Promise<void> {
  const folders: Folder[] = [];
  const made: string[] = [];
  const moves: (() => Promise<void>)[] = [];
  try {
    for (const file of files) {
      await explained(file.path, async () => {
        if (file.folderMode !== undefined)
          await mkdir(dirname(file.path), { recursive: true, mode: file.folderMode });
        const folder = await Folder.open(dirname(file.path));
        folders.push(folder);
        const to = folder.path(basename(file.path));
        const from = folder.path(`.${basename(file.path)}.${randomBytes(6).toString('hex')}.tmp`);
        const old = await lstat(to).catch(() => undefined);
        if (force && old && !old.isFile() && !old.isSymbolicLink()) throw new Error('it is no file');
        made.push(from);
        await writeDraft(from, file);
        const move = async () => {
          if (!force) await (await open(to, CREATE_NEW, file.mode)).close(); // takes the name
          if (!force) made.push(to);
          await rename(from, to);
        };
        moves.push(() => explained(file.path, move));
      });
    }
    for (const move of moves) await move();
  } catch (error) {
    for (const path of made) await unlink(path).catch(() => {});
    throw error;
  } finally {
    for (const folder of folders) await folder.close();
  }
}

async function writeDraft(path: string, { text, mode }: NewFile): Promise<void> {
  await using file = await open(path, CREATE_NEW, 0o600);
  await file.chmod(mode);
  await file.writeFile(text);
  await file.sync();
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // the error names the folder, or a path that only we know
    throw new Error(`${why.replace(/ '\/.*$/s, '')} '${path}'`, { cause: error });
  }
}
