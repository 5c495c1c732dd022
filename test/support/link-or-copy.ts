import { copyFile, link, rm } from 'node:fs/promises';

/** A second name for a large file that nobody writes to; a copy where both are not on one disk. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, { force: true }); // of a test that is tried again
  await link(from, to).catch(() => copyFile(from, to));
}
