/** Files that stand there and cannot be read, really: the kernel answers EIO to whoever reads them. */
import { rename, rm, symlink } from 'node:fs/promises';

/** Of a process's memory nothing lies at address 0: proc_pid_mem(5). */
const ALWAYS_EIO = '/proc/self/mem';

/**
 * Makes a file unreadable. What it held comes back with the mend.
 *
 * @returns the mend
 */
export async function makeUnreadable(path: string): Promise<() => Promise<void>> {
  const kept = `${path}.kept`;
  const isThere = await rename(path, kept).then(
    () => true,
    () => false,
  );
  await symlink(ALWAYS_EIO, path);
  return async () => {
    // in one step: a reader must not find the file absent
    if (isThere) await rename(kept, path);
    else await rm(path);
  };
}
