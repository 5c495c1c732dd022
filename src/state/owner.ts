/** Whose the files of a state directory are. */
import { chown, stat } from 'node:fs/promises';

/**
 * What root writes into a directory of another user's is given to that user: an agent that root has run there by hand
 * must not lock the service out of its own state.
 */
export async function giveToOwner(path: string, dir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dir);
  if (uid !== 0) await chown(path, uid, gid);
}
