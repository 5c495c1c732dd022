import { constants } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';

/** A second name for a large file that nobody writes to; a copy where both are not on one disk. */
export const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
