/**
 * Gives files that root writes into another user's directory to that user; else the service could not use its own
 * state. We change the owner of the open file, never of its path: that user could have put a link there.
 */
import { constants } from 'node:fs';
import { chown, type FileHandle, open } from 'node:fs/promises';
import { type Folder, O_PATH } from './folder.ts';

/** @param file just made in `folder` */
export async function giveToOwner(file: FileHandle, folder: Folder): Promise<void> {
  if (!folder.isOfAnother) return;
  const { uid } = await file.stat();
  if (uid !== folder.uid) await file.chown(folder.uid, folder.gid);
}

/**
 * The same for a socket, which can only be opened with O_PATH.
 *
 * @param name of a socket just made in `folder`
 */
export async function giveSocketToOwner(name: string, folder: Folder): Promise<void> {
  if (!folder.isOfAnother) return;
  const held = await open(folder.path(name), O_PATH | constants.O_NOFOLLOW);
  try {
    const stats = await held.stat();
    if (stats.uid === folder.uid) return;
    if (!stats.isSocket() || stats.nlink !== 1) throw new Error('another file is in place of the socket');
    await chown(`/proc/self/fd/${held.fd}`, folder.uid, folder.gid);
  } finally {
    await held.close();
  }
}
