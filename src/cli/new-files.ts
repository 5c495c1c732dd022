/** Writes several files that belong together: all of them or none, and each whole. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CREATE_NEW, Folder, plainMessage } from '../host/folder.ts';

export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** Permission bits, whatever the umask is. */
  readonly mode: number;
  /** Permission bits of its folder, if that does not exist and is to be made. */
  readonly folderMode?: number;
}

/**
 * @param force replaces existing files
 * @throws an error that says why not; then no file is new
 */
export async function writeNewFiles(files: readonly NewFile[], force: boolean): Promise<void> {
  const folders: Folder[] = [];
  const made: string[] = [];
  const moves: (() => Promise<void>)[] = [];
  try {
    for (const file of files) {
      await explained(file, async () => {
        if (file.folderMode !== undefined)
          await mkdir(dirname(file.path), { recursive: true, mode: file.folderMode });
        const folder = await Folder.open(dirname(file.path));
        folders.push(folder);
        const to = folder.path(basename(file.path));
        const from = folder.path(`.${basename(file.path)}.${randomBytes(6).toString('hex')}.tmp`);
        if (!force) await (await open(to, CREATE_NEW, file.mode)).close(); // takes the name
        if (!force) made.push(to);
        made.push(from);
        await writeDraft(from, file);
        moves.push(() => explained(file, () => rename(from, to)));
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

async function explained<T>({ path }: NewFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${plainMessage(error)} '${path}'`, { cause: error });
  }
}
