/** Writes a file that a person has named on the command line. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Folder, plainMessage } from '../host/folder.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/**
 * As root, overwrites no file through a link: another user who can write there could have made it.
 *
 * @param force overwrites an existing file
 * @throws an error that says why not
 */
export async function writeOutputFile(path: string, text: string, force: boolean): Promise<void> {
  try {
    await using folder = await Folder.open(dirname(path));
    const isDoubtful = folder.isOpenToOthers;
    const over = isDoubtful ? O_NOFOLLOW : 0;
    await using file = await open(folder.path(basename(path)), O_WRONLY | O_CREAT | (force ? over : O_EXCL));
    const stats = await file.stat();
    if (isDoubtful && !(stats.isFile() && stats.nlink === 1)) throw new Error('it is a link, or no file');
    if (stats.isFile()) await file.truncate();
    await file.writeFile(text);
  } catch (error) {
    throw new Error(`${plainMessage(error)} '${path}'`, { cause: error });
  }
}
